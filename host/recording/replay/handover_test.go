package replay_test

import (
	"slices"
	"testing"

	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// across is the region beyond the border: whoever comes is sent back.
type across struct {
	region *scene.Region
	mail   []stream.Input
	came   int
}

// step makes its tick and returns what the recorded region gets of it.
func (a *across) step(tick uint64, recorded *scene.Region) []stream.Input {
	in := a.mail
	a.mail = nil
	for _, e := range a.region.Key().Entities {
		if e.Session == 0 {
			continue
		}
		b := e.State.Body
		home := b.Head.Pos.Toward(lattice.Vec{Y: b.Head.Pos.Y}, lattice.Steps/5)
		by := home.Sub(b.Head.Pos)
		b.Head.Pos, b.Left.Pos, b.Right.Pos = home, b.Left.Pos.Add(by), b.Right.Pos.Add(by)
		in = append(in, stream.Input{Kind: stream.InputPose, Session: e.Session, PoseSeq: uint16(tick * 16), Body: b})
	}
	in = durable(in, a.region)
	fx := a.region.Step(tick, in)
	a.came += fx.Stats.Arrived
	var out []stream.Input
	for i := range fx.Out {
		m := fx.Out[i]
		out = append(out, stream.Input{Kind: stream.InputRegion, Region: &m})
	}
	for _, h := range fx.Heard {
		out = append(out, stream.Input{Kind: stream.InputRegionAck, Region: &h})
	}
	return durable(out, recorded)
}

// durable says that everything is stored, if somebody waits for that.
func durable(in []stream.Input, r *scene.Region) []stream.Input {
	if tick := r.Unreleased(); tick > 0 {
		in = append(in, stream.Input{Kind: stream.InputDurable, Object: tick})
	}
	return in
}

// TestHandovers: people leave a region that is recorded over its border, with what they hold, and come back; their names are in what regions
// tell each other. The replay does the same, and the names are not in the file.
func TestHandovers(t *testing.T) {
	v, err := venues.Read("arcade.toml", []byte(arcade+things("token", "token", "token", "token")), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, venue: v, tick: 50}
	w.rules = []scene.Rule{recorded{newTwin("busy", 2), w, 0}, recorded{newTwin("echo", 1), w, 1}}
	if w.region, err = scene.New(scene.Config{Venue: v, Epoch: 2, IDBlock: 5, Rules: w.rules}); err != nil {
		t.Fatal(err)
	}
	a := &across{}
	a.region, err = scene.New(scene.Config{Venue: v, Region: 1, Epoch: 1, IDBlock: 9, Rules: []scene.Rule{newTwin("busy", 2), newTwin("echo", 1)}})
	if err != nil {
		t.Fatal(err)
	}
	w.crowd = newCrowd(v, w.region, 15)
	w.crowd.more = func(tick uint64) []stream.Input {
		in := a.step(tick, w.region)
		// Some walk over the border, whatever the crowd wants.
		for _, e := range w.region.Key().Entities {
			if e.Session == 0 || e.Session%3 == 1 {
				continue
			}
			b := e.State.Body
			by := b.Head.Pos.Toward(lattice.Vec{X: 11 * lattice.Steps, Y: b.Head.Pos.Y}, lattice.Steps/5).Sub(b.Head.Pos)
			b.Head.Pos, b.Left.Pos, b.Right.Pos = b.Head.Pos.Add(by), b.Left.Pos.Add(by), b.Right.Pos.Add(by)
			in = append(in, stream.Input{Kind: stream.InputPose, Session: e.Session, PoseSeq: uint16(tick * 16), Body: b})
		}
		return in
	}
	left, came := 0, 0
	w.after = func(fx *scene.Effects) {
		left, came = left+fx.Stats.Departed, came+fx.Stats.Arrived
		for i := range fx.Out {
			m := fx.Out[i]
			m.Data = slices.Clone(m.Data)
			a.mail = append(a.mail, stream.Input{Kind: stream.InputRegion, Region: &m})
		}
		for _, h := range fx.Heard {
			a.mail = append(a.mail, stream.Input{Kind: stream.InputRegionAck, Region: &h})
		}
	}
	w.play(100)
	w.record(recording.Limits{})
	w.play(900)
	file := w.stop()
	t.Logf("%d people left and %d came back", left, came)
	if left < 5 || came < 5 {
		t.Errorf("%d people left and %d came back: want more", left, came)
	}
	for name, o := range map[string]replay.Options{
		"recorded answers": {},
		"asked":            {Ask: []replay.Asked{{Rule: "busy", Module: newTwin("busy", 2)}}},
	} {
		if r := run(t, file, o); !r.Same() || r.EffectsDiffer > 0 {
			t.Errorf("%s: the replay went otherwise:\n%.2000s", name, text(r))
		}
	}
	noNames(t, w, file)
}
