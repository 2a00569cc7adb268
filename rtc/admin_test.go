package rtc

import (
	"context"
	"errors"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// TestKick: the client is told the code and the words, the region hears why it left, and the session is gone for good.
func TestKick(t *testing.T) {
	for _, lane := range []string{"", "ws"} {
		t.Run("lane="+lane, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			v := r.join(joinOptions{lane: lane})
			session := uint64(v.welcome.Session)
			list, err := r.g.Clients(context.Background())
			if err != nil || len(list) != 1 {
				t.Fatalf("clients: %+v, %v", list, err)
			}
			c := list[0]
			if c.Session != session || c.User != v.welcome.User || c.Name != v.welcome.Name || !c.Connected || c.Region != "ground" ||
				c.Entity != uint64(v.welcome.Entity) || c.Since.IsZero() || c.BytesDown == 0 {
				t.Errorf("the client is shown as %+v", c)
			}
			if want := map[string]string{"": "webrtc", "ws": "ws"}[lane]; c.Lane != want {
				t.Errorf("lane %q, want %q", c.Lane, want)
			}
			was, err := r.g.Kick(context.Background(), session, "out of <b>bounds</b>")
			if err != nil || was.Session != session || was.User != c.User {
				t.Fatalf("kick: %+v, %v", was, err)
			}
			if e := v.next("close"); e.Code != wire.CodeKicked || e.Msg != "out of <b>bounds</b>" {
				t.Errorf("the client was told %+v", e)
			}
			r.region.until(t, "the leave", func() bool {
				for _, in := range r.region.inputs {
					if in.Kind == stream.InputLeave && in.Session == session && in.Reason == uint16(wire.CodeKicked) {
						return true
					}
				}
				return false
			})
			r.until("the session to be gone", func() bool { return r.g.hub.sessions[session] == nil })
			if _, err := r.g.Kick(context.Background(), session, ""); !errors.Is(err, ErrNoSession) {
				t.Errorf("a second kick: %v", err)
			}
		})
	}
}

// TestKickWhileAway: whoever is kicked while the connection is lost does not come back.
func TestKickWhileAway(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{})
	v.drop()
	r.away(t, v.welcome.Session)
	list, err := r.g.Clients(context.Background())
	if err != nil || len(list) != 1 || list[0].Connected || list[0].Lane != "" {
		t.Fatalf("clients: %+v, %v", list, err)
	}
	if _, err := r.g.Kick(context.Background(), uint64(v.welcome.Session), "enough"); err != nil {
		t.Fatal(err)
	}
	r.until("the session to be gone", func() bool { return r.g.hub.sessions[uint64(v.welcome.Session)] == nil })
	status, _, body := r.request("POST", "/v1/rtc", v.welcome.Resume, "application/sdp", "v=0")
	if status < 400 {
		t.Errorf("a kicked session resumed: %d %s", status, body)
	}
}

func TestAdminAfterStop(t *testing.T) {
	var r *rig
	t.Run("a gateway's life", func(t *testing.T) { r = newRig(t, rigOptions{}) })
	if _, err := r.g.Clients(context.Background()); !errors.Is(err, ErrStopped) {
		t.Errorf("clients: %v", err)
	}
	if _, err := r.g.Kick(context.Background(), 1, ""); !errors.Is(err, ErrStopped) {
		t.Errorf("kick: %v", err)
	}
}
