package system

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

func durable(t *testing.T, r *client.Request) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := r.Durable(ctx); err != nil {
		t.Fatalf("input %d: %v", r.Seq(), err)
	}
}

// carried lets a visitor take a ball and waits until that is durable; it returns the ball's id.
func carried(t *testing.T, v *visitor, ball string) uint64 {
	t.Helper()
	o := v.object(ball)
	hand := at(o.State.Body.Head.Pos)
	v.SetPose(v.body(hand.Pos))
	r, err := v.Grab(o.Info.ID, right, hand)
	if out := v.outcome(r, err); !out.OK {
		t.Fatalf("%s: %+v", ball, out)
	}
	durable(t, r)
	return o.Info.ID
}

// lifted is how far above the table a ball is carried.
var lifted = lattice.Vec{Y: lattice.Steps / 2}

// kill -9, then a new process on the same folder: who held what, where things were
// put, and where people stood is what they had been told is durable.
func TestKillLosesNothingDurable(t *testing.T) {
	arena := filepath.Join("testdata", "arena.toml")
	s := process.Serve(t, "", arena)
	mover := visit(t, s, s.URL, "mover", client.LaneWebRTC)
	holder := visit(t, s, s.URL, "holder", client.LaneWebRTC)
	_ = carried(t, holder, "ball-2")

	// The mover carries ball-1 up and lets go of it there.
	id := carried(t, mover, "ball-1")
	from := mover.object("ball-1").State.Body.Head.Pos
	to := from.Add(lifted)
	mover.SetPose(mover.body(to))
	mover.await("the ball to follow the hand", func() bool {
		e, ok := mover.Entity(id)
		return ok && e.State.Body.Head.Pos.Dist(to) < lattice.Steps/50
	})
	r, err := mover.Release(id, right, at(to))
	if out := mover.outcome(r, err); !out.OK {
		t.Fatalf("release: %+v", out)
	}
	durable(t, r)
	place := mover.object("ball-1").State.Body.Head.Pos
	stood := lattice.Vec(mover.Welcome().P)

	s.Kill()
	again := process.Serve(t, s.Data, arena)

	// A third visitor sees the ball where it was put, and the other still in its holder's hand,
	// until the holder's grace ends.
	witness := visit(t, again, again.URL, "witness", client.LaneWebRTC)
	moved := witness.object("ball-1")
	if moved.Info.ID != id {
		t.Errorf("ball-1 has id %d after the restart, had %d", moved.Info.ID, id)
	}
	if got := moved.State.Body.Head.Pos; got != place {
		t.Errorf("ball-1 is at %v after the restart, was put at %v", got, place)
	}
	if moved.State.Holder != 0 {
		t.Errorf("ball-1 is held by %d after the restart, was released", moved.State.Holder)
	}
	if held := witness.object("ball-2"); held.State.Holder == 0 {
		t.Error("ball-2 has no holder after the restart; its grab was durable")
	}

	// The mover comes back, as the same person, to where it stood.
	back := visit(t, again, again.URL, "mover", client.LaneWebRTC)
	if d := lattice.Vec(back.Welcome().P).Dist(stood); d > lattice.Steps/2 {
		t.Errorf("the mover came back %.2f m from where it stood", float64(d)/lattice.Steps)
	}

	// A clean stop and start keeps it all too.
	if code := again.Stop(); code != 0 {
		t.Errorf("venued serve ended with code %d after SIGTERM", code)
	}
	third := process.Serve(t, s.Data, arena)
	last := visit(t, third, third.URL, "witness", client.LaneWebRTC)
	if got := last.object("ball-1"); got.Info.ID != id || got.State.Body.Head.Pos != place {
		t.Errorf("ball-1 is %d at %v after a clean stop, want %d at %v", got.Info.ID, got.State.Body.Head.Pos, id, place)
	}
}

// kill -9 again and again while bots walk and grab: the folder opens every time, every
// region becomes ready, and the objects are all there once.
func TestKillUnderBots(t *testing.T) {
	data := t.TempDir()
	hall := filepath.Join("..", "..", "venue.example.toml")
	ids := map[string]uint64{}
	for round := range 5 {
		s := process.Serve(t, data, hall)
		stop := process.Start(t, "bots", "--url", s.Join, "--users", "15", "--duration", "60s", "--seed", "3", "--json")
		v := visit(t, s, s.URL, "watcher", client.LaneWebRTC)
		bots := map[uint64]bool{}
		v.await("five bots to pass by", func() bool {
			for _, e := range v.Entities() {
				if e.Info.Kind == stream.Avatar {
					bots[e.Info.ID] = true
				}
			}
			return len(bots) >= 5
		})
		seen := map[string]bool{}
		for _, e := range v.Entities() {
			if e.Info.Kind != stream.Object {
				continue
			}
			if seen[e.Info.Name] {
				t.Errorf("round %d: %s is there twice", round, e.Info.Name)
			}
			seen[e.Info.Name] = true
			if id, ok := ids[e.Info.Name]; ok && id != e.Info.ID {
				t.Errorf("round %d: %s had id %d and has %d", round, e.Info.Name, id, e.Info.ID)
			}
			ids[e.Info.Name] = e.Info.ID
		}
		s.Kill()
		stop()
	}
	if len(ids) == 0 {
		t.Error("no object was ever in view")
	}
}
