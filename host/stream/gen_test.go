package stream

import (
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
)

// Generators of what a region could say.

var genRot = rapid.Custom(func(t *rapid.T) lattice.Rot {
	c := rapid.Int16Range(-512, 512)
	return lattice.Rot{
		Largest: rapid.Uint8Range(0, 3).Draw(t, "largest"),
		C:       [3]int16{c.Draw(t, "a"), c.Draw(t, "b"), c.Draw(t, "c")},
	}
})

func genVec(limit int32) *rapid.Generator[lattice.Vec] {
	return rapid.Custom(func(t *rapid.T) lattice.Vec {
		c := rapid.Int32Range(-limit, limit)
		return lattice.Vec{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
	})
}

var genJoint = rapid.Custom(func(t *rapid.T) lattice.Joint {
	limit := rapid.SampledFrom([]int32{0, 3, 2000, 1 << 20, lattice.MaxMetres * lattice.Steps}).Draw(t, "limit")
	return lattice.Joint{Pos: genVec(limit).Draw(t, "pos"), Rot: genRot.Draw(t, "rot")}
})

var genBody = rapid.Custom(func(t *rapid.T) lattice.Body {
	b := lattice.Body{Head: genJoint.Draw(t, "head")}
	switch rapid.IntRange(0, 3).Draw(t, "hands") {
	case 0: // none
	case 1: // both exactly at the head
		b.Left.Pos, b.Right.Pos = b.Head.Pos, b.Head.Pos
	default:
		b.Left, b.Right = genJoint.Draw(t, "left"), genJoint.Draw(t, "right")
	}
	return b
})

var genState = rapid.Custom(func(t *rapid.T) State {
	return State{
		Body:   genBody.Draw(t, "body"),
		AgeMS:  rapid.Uint8().Draw(t, "age"),
		Flags:  rapid.Uint8().Draw(t, "flags"),
		Holder: rapid.Uint64().Draw(t, "holder"),
		Value:  rapid.Uint32().Draw(t, "value"),
	}
})

// genNext changes some fields of a state.
func genNext(t *rapid.T, s State) State {
	n := genState.Draw(t, "next")
	for i, change := range []func(){
		func() { n.Body.Head.Pos = s.Body.Head.Pos },
		func() { n.Body.Head.Rot = s.Body.Head.Rot },
		func() { n.Body.Left = s.Body.Left },
		func() { n.Body.Right = s.Body.Right },
		func() { n.AgeMS = s.AgeMS },
		func() { n.Flags, n.Holder, n.Value = s.Flags, s.Holder, s.Value },
	} {
		if rapid.IntRange(0, 2).Draw(t, "keep"+string(rune('0'+i))) > 0 {
			change()
		}
	}
	return n
}

var genEntity = rapid.Custom(func(t *rapid.T) Entity {
	return Entity{
		ID:      rapid.Uint64Range(1, 12).Draw(t, "id"),
		Kind:    rapid.SampledFrom([]EntityKind{Avatar, Object, Door}).Draw(t, "kind"),
		Class:   rapid.Uint16().Draw(t, "class"),
		Floor:   rapid.Uint8().Draw(t, "floor"),
		Session: rapid.Uint64().Draw(t, "session"),
		User:    rapid.StringN(0, 8, 32).Draw(t, "user"),
		Name:    rapid.StringN(0, 8, 32).Draw(t, "name"),
		Hops:    rapid.Uint32Range(0, 3).Draw(t, "hops"),
		State:   genState.Draw(t, "state"),
	}
})

var genEvent = rapid.Custom(func(t *rapid.T) Event {
	e := Event{
		N:        rapid.Uint64().Draw(t, "n"),
		Tick:     rapid.Uint64().Draw(t, "tick"),
		TimeUS:   rapid.Int64().Draw(t, "time"),
		Audience: Audience(rapid.Uint8Range(1, 3).Draw(t, "audience")),
		Session:  rapid.Uint64().Draw(t, "session"),
		Seq:      rapid.Uint32().Draw(t, "seq"),
		Entity:   rapid.Uint64().Draw(t, "entity"),
		At:       genVec(1<<30).Draw(t, "at"),
		Type:     rapid.SampledFrom([]string{"grabbed", "door", "rule"}).Draw(t, "type"),
		Rule:     rapid.SampledFrom([]string{"", "grab@1.0.0"}).Draw(t, "rule"),
	}
	if e.Rule != "" && rapid.Bool().Draw(t, "has digest") {
		e.Digest = "0123456789ab"
	}
	if rapid.Bool().Draw(t, "has body") {
		e.Body = []byte(`{"object":"12"}`)
	}
	return e
})

var genExtras = rapid.Custom(func(t *rapid.T) lattice.Extras {
	gaze := rapid.Int16Range(-lattice.GazeSteps, lattice.GazeSteps-1)
	e := lattice.Extras{
		Has:  lattice.AllStreams,
		Gaze: lattice.Gaze{Yaw: gaze.Draw(t, "yaw"), Pitch: gaze.Draw(t, "pitch")},
		Root: lattice.Root{Off: genVec(3000).Draw(t, "root"), Yaw: rapid.Uint16Range(0, lattice.YawSteps-1).Draw(t, "root yaw")},
	}
	e.Fingers.Hands = rapid.Uint8Range(1, 3).Draw(t, "hands")
	for h := range e.Fingers.Curls {
		for i := range e.Fingers.Curls[h] {
			if e.Fingers.Hands>>h&1 != 0 {
				e.Fingers.Curls[h][i] = rapid.Uint8Range(0, lattice.CurlSteps).Draw(t, "curl")
			}
		}
	}
	return e.Only(lattice.Streams(rapid.Uint8Range(0, uint8(lattice.AllStreams)).Draw(t, "has")))
})

var genInput = rapid.Custom(func(t *rapid.T) Input {
	x := Input{
		Kind:    InputKind(rapid.Uint8Range(1, 13).Draw(t, "kind")),
		Session: rapid.Uint64().Draw(t, "session"),
		Stamp:   rapid.Int64().Draw(t, "stamp"),
		Arrival: rapid.Int64().Draw(t, "arrival"),
	}
	if rapid.Bool().Draw(t, "pose") {
		x.PoseSeq = rapid.Uint16().Draw(t, "pose seq")
		x.Body = genBody.Draw(t, "body")
		x.Speaking = rapid.Bool().Draw(t, "speaking")
		if x.Said = lattice.Streams(rapid.Uint8Range(0, uint8(lattice.AllStreams)).Draw(t, "said")); x.Said != 0 {
			x.Extras = genExtras.Draw(t, "extras").Only(x.Said)
		}
	}
	if rapid.Bool().Draw(t, "key") {
		x.Seq = rapid.Uint32().Draw(t, "seq")
		x.Object = rapid.Uint64().Draw(t, "object")
		x.Hand = rapid.Uint8().Draw(t, "hand")
		x.HandAt = genJoint.Draw(t, "hand at")
		x.Topic = rapid.String().Draw(t, "topic")
		if d := rapid.SliceOf(rapid.Byte()).Draw(t, "data"); len(d) > 0 {
			x.Data = d
		}
	}
	if rapid.Bool().Draw(t, "join") {
		x.User = rapid.String().Draw(t, "user")
		x.Name = rapid.String().Draw(t, "name")
		x.Spawn = rapid.String().Draw(t, "spawn")
		x.HasPlace = rapid.Bool().Draw(t, "has place")
		x.Load = rapid.Bool().Draw(t, "load")
		x.Reason = rapid.Uint16().Draw(t, "reason")
	}
	if rapid.IntRange(0, 3).Draw(t, "region") == 0 {
		x.Region = genRegionMessage.Draw(t, "message")
	}
	return x
})

var genRegionMessage = rapid.Custom(func(t *rapid.T) *RegionMessage {
	point := func(what string) RegionPoint {
		return RegionPoint{rapid.Uint64().Draw(t, what+" epoch"), rapid.Uint64().Draw(t, what+" n")}
	}
	text := func(what string) string { return rapid.StringN(0, 8, 32).Draw(t, what) }
	m := &RegionMessage{
		From: text("from"), To: text("to"), At: point("at"), After: point("after"),
		Kind: RegionMessageKind(rapid.Uint8().Draw(t, "message kind")), Rule: text("rule"), Sender: text("sender"),
		Plugin: text("plugin"), Digest: text("digest"), Topic: text("topic"), User: text("user"),
		Load: rapid.Bool().Draw(t, "load"), Again: rapid.Bool().Draw(t, "again"),
	}
	if d := rapid.SliceOf(rapid.Byte()).Draw(t, "payload"); len(d) > 0 {
		m.Data = d
	}
	return m
})
