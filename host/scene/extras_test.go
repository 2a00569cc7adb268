package scene

import (
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// TestOptionalStreams: what samples say of optional streams is told, each stream by itself, and ends when it is said to
// have ended or nothing was heard of it for a second.
func TestOptionalStreams(t *testing.T) {
	w := newWorld(t, hall(t, 0, 8))
	w.step(join(1, "ada"), join(2, "ben"))
	ada := w.region.sessions[1]
	seq := uint16(0)
	pose := func(said lattice.Streams, e lattice.Extras) stream.Input {
		seq++
		return stream.Input{Kind: stream.InputPose, Session: 1, PoseSeq: seq, Body: ada.State.Body, Said: said, Extras: e}
	}
	look := lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: 20, Pitch: -5}}
	fist := lattice.Extras{Has: lattice.StreamFingers, Fingers: lattice.Fingers{Hands: 2, Curls: [2]lattice.Curls{{}, {9, 31, 31, 31, 31}}}}
	both := look
	both.Put(lattice.StreamFingers, &fist)
	told := func(fx *Effects, want ...lattice.Extras) {
		t.Helper()
		key := w.region.Key()
		if len(want) == 0 {
			if len(fx.Extras) > 0 {
				t.Fatalf("tick %d tells of %+v, want nothing", fx.Tick, fx.Extras)
			}
			return
		}
		if len(fx.Extras) != 1 || fx.Extras[0] != (stream.EntityExtras{ID: ada.ID, Extras: want[0]}) {
			t.Fatalf("tick %d tells of %+v, want %+v", fx.Tick, fx.Extras, want[0])
		}
		if want[0].Has == 0 && len(key.Extras) > 0 || want[0].Has != 0 && (len(key.Extras) != 1 || key.Extras[0] != fx.Extras[0]) {
			t.Fatalf("a key frame has %+v", key.Extras)
		}
	}
	// Of two samples in one step both count.
	told(w.step(pose(lattice.StreamGaze, look), pose(lattice.StreamFingers, fist)), both)
	told(w.step(pose(lattice.StreamGaze, look))) // nothing new
	hz := w.venue.TickHz
	for range hz - 2 {
		told(w.step(pose(lattice.StreamGaze, look)))
	}
	told(w.step(pose(lattice.StreamGaze, look)))
	told(w.step(pose(lattice.StreamGaze, look)), look) // a second without fingers
	told(w.step(pose(lattice.StreamGaze, lattice.Extras{})), lattice.Extras{})

	// A root is brought near, and moves nobody.
	head := ada.head()
	far := lattice.Extras{Has: lattice.StreamRoot, Root: lattice.Root{Off: lattice.Vec{X: 4095, Y: -4096, Z: 4095}, Yaw: 7}}
	fx := w.step(pose(lattice.StreamRoot, far))
	if len(fx.Extras) != 1 || fx.Extras[0].Extras.Root.Off.Dist(lattice.Vec{}) > rootReach || fx.Extras[0].Extras.Root.Yaw != 7 || ada.head() != head {
		t.Fatalf("a far root became %+v", fx.Extras)
	}
	// Nobody hears of those who are away; what they last said ends.
	w.step(stream.Input{Kind: stream.InputAway, Session: 1})
	told(w.step(pose(lattice.StreamGaze, look)))
	for range hz - 2 {
		told(w.step())
	}
	told(w.step(), lattice.Extras{})
}

// TestSpeaking: samples say whether their person speaks; who is away does not.
func TestSpeaking(t *testing.T) {
	w := newWorld(t, hall(t, 0, 8))
	w.step(join(1, "ada"))
	ada := w.region.sessions[1]
	for i, c := range []struct {
		in   stream.Input
		want bool
	}{
		{stream.Input{Kind: stream.InputPose, PoseSeq: 1, Speaking: true}, true},
		{stream.Input{Kind: stream.InputPose, PoseSeq: 2, Speaking: true}, true},
		{stream.Input{Kind: stream.InputPose, PoseSeq: 1}, true}, // an old one
		{stream.Input{Kind: stream.InputPose, PoseSeq: 3}, false},
		{stream.Input{Kind: stream.InputPose, PoseSeq: 4, Speaking: true}, true},
		{stream.Input{Kind: stream.InputAway}, false},
		{stream.Input{Kind: stream.InputBack}, false},
		{stream.Input{Kind: stream.InputPose, PoseSeq: 1, Speaking: true}, true},
	} {
		c.in.Session, c.in.Body = 1, ada.State.Body
		w.step(c.in)
		if got := ada.State.Flags&stream.FlagSpeaking != 0; got != c.want {
			t.Fatalf("input %d: speaking is %v", i, got)
		}
	}
}
