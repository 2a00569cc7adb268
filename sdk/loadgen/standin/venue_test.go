package standin

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/venues"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait.
const patience = 30 * time.Second

// A visitor of the stand-in is let in over either lane, gets its answers, loses its connection and comes back as the same.
func TestAVenueThatOnlyAnswers(t *testing.T) {
	v, err := NewVenue(&venues.Description{ID: "hall", UploadHz: 30, Spawns: []venues.SpawnDescription{{At: [3]float64{1, 0, 2}}}}, "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(v)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, lane := range []client.Lane{client.LaneWebRTC, client.LaneWS} {
		c, err := client.Dial(ctx, client.Options{URL: srv.URL, Token: "any", Lane: lane})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(r *client.Request, err error) client.Outcome {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			out, err := r.Applied(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		if out := ask(c.Message("quiz", nil)); !out.OK || out.Times.Received == 0 {
			t.Errorf("%s: a message is answered with %+v", lane, out)
		}
		if out := ask(c.Grab(7, 0, lattice.Joint{})); out.OK || out.Code != wire.CodeDeniedNotAllowed {
			t.Errorf("%s: a grab is answered with %+v", lane, out)
		}
		session := c.Welcome().Session
		c.Drop(0)
		for e := range c.Events() {
			if e.T == client.EventConnected && e.Resumed {
				break
			}
		}
		if got := c.Welcome(); got.Session != session || got.Cursor != 2 {
			t.Errorf("%s: after the resume it is session %d at input %d, was %d at 2", lane, got.Session, got.Cursor, session)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := v.Stop(ctx); err != nil {
		t.Error(err)
	}
	srv.Close()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.peers) != 0 {
		t.Errorf("%d connections are left", len(v.peers))
	}
}

func TestAVenueWithoutASpawnPoint(t *testing.T) {
	if _, err := NewVenue(&venues.Description{ID: "hall"}, "127.0.0.1"); err == nil {
		t.Error("no error")
	}
}
