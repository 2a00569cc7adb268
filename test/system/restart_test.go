package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/lattice"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// resumed waits until the visitor's client has come back by itself, and asserts that the session went on.
func (v *visitor) resumed() {
	v.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, ok := <-v.Events():
			switch {
			case !ok:
				v.t.Fatalf("the client ended: %v", v.Err())
			case e.T == client.EventConnected && e.Resumed:
				return
			case e.T == client.EventConnected && v.Stats().NewSessions > 1:
				v.t.Fatal("the client joined anew: the server did not have its session any more")
			}
		case <-limit:
			v.t.Fatalf("the client did not come back; %+v", v.Stats())
		}
	}
}

// kill -9 of the whole server, twice, and a start on the same address and folder: a client that was there goes on with
// its session, as the same avatar, with the ball still in its hand, and with its inputs counted on.
func TestSessionSurvivesKill(t *testing.T) {
	arena, err := os.ReadFile(filepath.Join("testdata", "arena.toml"))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "arena.toml")
	if err := os.WriteFile(config, append(arena, "\n[rtc]\nudp_port = 0\ntcp_port = 0\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, lane := range []client.Lane{client.LaneWebRTC, client.LaneWS} {
		t.Run(string(lane), func(t *testing.T) {
			s := process.Serve(t, "", config)
			v := visit(t, s, s.URL, "holder", lane)
			ball := carried(t, v, "ball-2")
			before := v.Welcome()
			address := strings.TrimPrefix(s.URL, "http://")
			var to lattice.Vec // the hand
			for round := range 2 {
				s.Kill()
				s = process.Serve(t, s.Data, "--listen", address, config)
				v.resumed()
				after := v.Welcome()
				if after.Session != before.Session || after.Entity != before.Entity {
					t.Fatalf("round %d: session %d as avatar %d, was %d as %d", round, after.Session, after.Entity, before.Session, before.Entity)
				}
				if after.Resume == before.Resume {
					t.Error("the resume token was not changed")
				}
				v.await("the ball in the hand", func() bool {
					e, ok := v.Entity(ball)
					return ok && e.State.Holder == uint64(after.Entity)
				})
				// It follows the hand: samples of the new connection count.
				to = lattice.Vec(after.P).Add(lattice.Vec{X: lattice.Steps / 4, Y: -lattice.Steps / 4 * int32(round+1)})
				v.SetPose(v.body(to))
				v.await("the ball to follow the hand", func() bool {
					e, ok := v.Entity(ball)
					return ok && e.State.Body.Head.Pos.Dist(to) < lattice.Steps/2
				})
			}
			r, err := v.Release(ball, right, at(to))
			if out := v.outcome(r, err); !out.OK {
				t.Errorf("release: %+v", out)
			}
			if r.Seq() != 2 {
				t.Errorf("the release has number %d, the grab had 1", r.Seq())
			}
			durable(t, r)
		})
	}
}
