package system

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// away is how far the distant visitor's network is, one way; lead how much
// earlier it presses. lead < away: its press arrives after the near one's.
const (
	away = 80 * time.Millisecond
	lead = 40 * time.Millisecond
)

// settled waits until the gateway has measured a visitor's round trip: it does so
// from acknowledged frames.
func (v *visitor) settled() {
	v.t.Helper()
	from := v.Stats().Frames
	v.await("thirty frames", func() bool { return v.Stats().Frames >= from+30 && v.RTT() > 0 })
}

// contest lets a distant visitor press first and a near one later but with the earlier
// arrival, and returns who got the ball.
func contest(t *testing.T, s *process.Server, far, near *visitor, ball string) (farOut, nearOut client.Outcome) {
	t.Helper()
	o := near.object(ball)
	hand := at(o.State.Body.Head.Pos)
	far.object(ball)
	type answer struct {
		r   *client.Request
		err error
	}
	late := make(chan answer, 1)
	time.AfterFunc(lead, func() {
		r, err := near.Grab(o.Info.ID, right, hand)
		late <- answer{r, err}
	})
	r, err := far.Grab(o.Info.ID, right, hand)
	farOut = far.outcome(r, err)
	l := <-late
	nearOut = near.outcome(l.r, l.err)
	winner := far
	if nearOut.OK {
		winner = near
	}
	if farOut.OK == nearOut.OK {
		t.Fatalf("far: %+v, near: %+v: want exactly one to get the ball", farOut, nearOut)
	}
	if out := winner.outcome(winner.Release(o.Info.ID, right, hand)); !out.OK {
		t.Fatalf("release: %+v", out)
	}
	return farOut, nearOut
}

func contestants(t *testing.T, venue string) (s *process.Server, far, near *visitor) {
	t.Helper()
	s = process.Serve(t, "", filepath.Join("testdata", venue))
	far = visit(t, s, delayed(t, s.URL, away), "far", client.LaneWS)
	near = visit(t, s, s.URL, "near", client.LaneWebRTC)
	far.settled()
	near.settled()
	return s, far, near
}

// Who pressed first wins, though the other's press arrived earlier.
func TestEarlierPressWinsInsideTheWindow(t *testing.T) {
	s, far, near := contestants(t, "arena.toml")
	for n := range 5 {
		farOut, nearOut := contest(t, s, far, near, fmt.Sprintf("ball-%d", n+1))
		if !farOut.OK || nearOut.Code != wire.CodeDeniedHeld {
			t.Errorf("round %d: far %+v, near %+v: the earlier press should have won, and the other be told that the ball is held", n, farOut, nearOut)
		}
	}
}

// With a window of 0 the order of arrival decides.
func TestArrivalOrderWithoutAWindow(t *testing.T) {
	s, far, near := contestants(t, "arrival.toml")
	for n := range 5 {
		farOut, nearOut := contest(t, s, far, near, fmt.Sprintf("ball-%d", n+1))
		if !nearOut.OK || farOut.Code != wire.CodeDeniedHeld {
			t.Errorf("round %d: far %+v, near %+v: the earlier arrival should have won", n, farOut, nearOut)
		}
	}
}

// A client that claims to have pressed a second ago gains nothing beyond the clamp: half
// of a loopback's round trip.
func TestALiarsStampGainsNothing(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "arena.toml"))
	honest := visit(t, s, s.URL, "honest", client.LaneWebRTC)
	honest.settled()
	liar := dialRaw(t, s, "liar")
	for n := range 5 {
		o := honest.object(fmt.Sprintf("ball-%d", n+1))
		hand := at(o.State.Body.Head.Pos)
		pressed := honest.ServerTime()
		r, err := honest.Grab(o.Info.ID, right, hand)
		// The lie leaves 40 ms after the honest press, well inside the window.
		<-time.After(lead)
		liar.grab(uint32(n+1), pressed-1_000_000, o.Info.ID, hand.Pos)
		out := honest.outcome(r, err)
		if !out.OK {
			t.Errorf("round %d: the honest press lost: %+v", n, out)
		}
		if got := liar.answer(uint32(n + 1)); got.Code != wire.CodeDeniedHeld {
			t.Errorf("round %d: the liar was told %s %v, want denied_held", n, got.T, got.Code)
		}
		honest.outcome(honest.Release(o.Info.ID, right, hand))
	}
}

// raw is a client written by hand: it says what the Go client would not.
type raw struct {
	t       *testing.T
	conn    *websocket.Conn
	welcome *wire.Welcome
}

func dialRaw(t *testing.T, s *process.Server, user string) *raw {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, s.URL+"/v1/ws?token="+s.Token+"&user="+user, nil)
	if err != nil {
		t.Fatalf("raw WebSocket: %v", err)
	}
	if resp.Body != nil {
		resp.Body.Close()
	}
	t.Cleanup(func() { conn.CloseNow() }) //nolint:errcheck // the test is over
	conn.SetReadLimit(wire.MaxWelcome)
	c := &raw{t: t, conn: conn}
	c.welcome = c.next(func(d *wire.Down) bool { return d.T == wire.DownWelcome }).Welcome
	return c
}

// next reads until an event fits.
func (c *raw) next(fits func(*wire.Down) bool) *wire.Down {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	for {
		kind, b, err := c.conn.Read(ctx)
		if err != nil {
			c.t.Fatalf("raw WebSocket: %v", err)
		}
		if kind != websocket.MessageText {
			continue
		}
		d, err := wire.DecodeDown(b)
		if err != nil {
			c.t.Fatalf("%s: %v", b, err)
		}
		if fits(d) {
			return d
		}
	}
}

func (c *raw) grab(n uint32, ts int64, object uint64, hand lattice.Vec) {
	c.t.Helper()
	p, err := json.Marshal(wire.Point(hand))
	if err != nil {
		c.t.Fatal(err)
	}
	c.text(fmt.Sprintf(`{"t":"grab","n":%d,"ts":%d,"object":"%d","hand":"right","p":%s,"q":[0,0,0,1]}`, n, ts, object, p))
}

func (c *raw) text(message string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(message)); err != nil {
		c.t.Fatal(err)
	}
}

// answer waits for the decision on a grab.
func (c *raw) answer(n uint32) *wire.Down {
	c.t.Helper()
	return c.next(func(d *wire.Down) bool {
		return d.Seq == n && (d.T == wire.DownGrabbed || d.T == wire.DownDenied || d.T == wire.DownError)
	})
}
