package system

import (
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// Two people over WebRTC in a real venue: where one looks, how the fingers are bent, where the body stands, and who speaks, the other sees; and
// when it ends.
func TestOthersSeeGazeFingersRootAndWhoSpeaks(t *testing.T) {
	s := process.Serve(t, t.TempDir())
	ada, bob := visit(t, s, s.URL, "ada", client.LaneWebRTC), visit(t, s, s.URL, "bob", client.LaneWebRTC)
	him := uint64(bob.Welcome().Entity)
	bob.SetPose(ada.body(lattice.Vec(ada.Welcome().P))) // he walks to where she stands
	shows := func(what string, want lattice.Extras) {
		t.Helper()
		if err := bob.SetExtras(want); err != nil {
			t.Fatal(err)
		}
		ada.await(what, func() bool {
			e, ok := ada.Entity(him)
			return ok && e.Extras == want
		})
	}
	all := lattice.Extras{
		Has: lattice.AllStreams, Gaze: lattice.Gaze{Yaw: 31, Pitch: -8},
		Fingers: lattice.Fingers{Hands: 3, Curls: [2]lattice.Curls{{0, 1, 2, 3, 4}, {31, 30, 29, 28, 27}}},
		Root:    lattice.Root{Off: lattice.Vec{X: 50, Y: -1700}, Yaw: 300},
	}
	shows("all streams", all)
	all.Gaze.Yaw = -200
	shows("another gaze", all)
	shows("the end of all but the fingers", all.Only(lattice.StreamFingers))
	shows("the end of those", lattice.Extras{})

	speaks := func(on bool) func() bool {
		return func() bool {
			e, ok := ada.Entity(him)
			return ok && (e.State.Flags&stream.FlagSpeaking != 0) == on
		}
	}
	for _, on := range []bool{true, false, true} {
		bob.SetSpeaking(on)
		ada.await("speaking", speaks(on))
	}
	bob.Drop(0)
	limit := time.After(patience)
	for resumed := false; !resumed; {
		select {
		case e := <-bob.Events():
			resumed = e.T == client.EventConnected && e.Resumed
		case <-limit:
			t.Fatal("bob is not back")
		}
	}
	ada.await("that bob, who is back, speaks", speaks(true))
	bob.SetSpeaking(false)
	ada.await("that bob is silent", speaks(false))
}
