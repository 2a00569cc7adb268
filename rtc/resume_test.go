package rtc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

// away waits until a session's avatar is shown as away.
func (r *rig) away(t *testing.T, id wire.ID) {
	t.Helper()
	r.until("the session to be away", func() bool {
		e, ok := r.g.hub.world.BySession(uint64(id))
		return ok && e.State.Flags&stream.FlagAway != 0
	})
}

func (r *rig) emit(topic string, a stream.Audience, session uint64) {
	r.region.do(func() {
		r.region.emit(stream.Event{Audience: a, Session: session, Type: "rule", Body: fmt.Appendf(nil, `{"name":%q}`, topic)})
	})
}

func TestResumeBringsMissedEventsOnceAndInOrder(t *testing.T) {
	for _, lane := range []string{"", "ws"} {
		t.Run("lane="+lane, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			v := r.join(joinOptions{lane: lane})
			v.say(1, "seen")
			last := v.next("rule")
			v.drop()
			r.away(t, v.welcome.Session)
			for n := range 3 {
				r.emit(fmt.Sprint("missed ", n), stream.ToRegion, 0)
				r.emit("somebody else's", stream.ToSession, 4711)
			}
			r.until("the events", func() bool { return r.g.hub.feeds[0].eventN == last.N+6 })
			back := r.join(joinOptions{token: v.welcome.Resume, query: fmt.Sprintf("?last=ground:%d", last.N), lane: lane})
			w := back.welcome
			if !w.Resumed || w.Full || w.Session != v.welcome.Session || w.Entity != v.welcome.Entity || w.Cursor != 1 || w.Resume == v.welcome.Resume {
				t.Errorf("welcome %+v", w)
			}
			back.say(2, "live")
			for _, want := range []string{"missed 0", "missed 1", "missed 2", "live"} {
				if e := back.next("rule"); e.Name != want || e.N <= last.N {
					t.Errorf("event %+v, want %q", e, want)
				}
			}
			back.sees("the ball", func(view *wire.View) bool { _, ok := view.Entity(7); return ok })
			if e := counter(t, r, "venued_gateway_resumes_total", ""); e != 1 {
				t.Errorf("%v resumes counted", e)
			}
		})
	}
}

func TestResumeAfterTooMuchIsFull(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.drop()
	r.away(t, v.welcome.Session)
	for n := range logMax + 1 {
		r.emit(fmt.Sprint(n), stream.ToRegion, 0)
	}
	r.until("the events", func() bool { return r.g.hub.feeds[0].eventN == logMax+1 })
	back := r.join(joinOptions{token: v.welcome.Resume, query: "?last=ground:0", lane: "ws"})
	if !back.welcome.Full || !back.welcome.Resumed {
		t.Errorf("welcome %+v", back.welcome)
	}
	back.say(1, "live")
	if e := back.next("rule"); e.Name != "live" {
		t.Errorf("an old event came after a full resync: %+v", e)
	}
}

func TestResumeTokensAreUsedOnce(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.drop()
	back := r.join(joinOptions{token: v.welcome.Resume, lane: "ws"})
	status, _, body := r.request("GET", "/v1/ws?token="+v.welcome.Resume, "", "", "")
	if status != 401 {
		t.Errorf("status %d", status)
	}
	r.refused(status, body, wire.CodeTokenInvalid, "used before")
	// The newest one works while the connection is still up: it takes over.
	again := r.join(joinOptions{token: back.welcome.Resume, lane: "ws"})
	if d := back.end(); d.Code != wire.CodeReplaced {
		t.Errorf("close of the older connection: %+v", d)
	}
	if again.welcome.Entity != v.welcome.Entity {
		t.Errorf("another avatar: %+v", again.welcome)
	}
}

func TestTwoConnectionsRaceForOneResumeToken(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{})
	v.drop()
	// Both are admitted before either is up.
	a, b := r.visitor(), r.visitor()
	toA := a.offer(v.welcome.Resume, joinOptions{})
	toB := b.offer(v.welcome.Resume, joinOptions{})
	a.connect(toA)
	b.connect(toB)
	won, lost := 0, 0
	for _, c := range []*visitor{a, b} {
		switch d := <-c.events; d.T {
		case "welcome":
			won++
		case "close":
			lost++
			if d.Code != wire.CodeTokenInvalid {
				t.Errorf("the loser is told %+v", d)
			}
		}
	}
	if won != 1 || lost != 1 {
		t.Errorf("%d won, %d lost", won, lost)
	}
}

func TestBadLastIsRefused(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	for _, last := range []string{"ground", "ground:x", "ground:-1", "a:1&last=b:2"} {
		status, _, body := r.request("GET", "/v1/ws?token="+v.welcome.Resume+"&last="+last, "", "", "")
		r.refused(status, body, wire.CodeBadField, "REGION:NUMBER")
	}
}

func TestLostClientLeavesAfterTheGrace(t *testing.T) {
	r := newRig(t, rigOptions{venue: "[venue.limits]\nresume_grace_s = 1"})
	v := r.join(joinOptions{lane: "ws"})
	v.drop()
	r.region.until(t, "the avatar to be gone", func() bool { return len(r.region.entities) == 1 })
	r.region.do(func() {
		var kinds []stream.InputKind
		for _, in := range r.region.inputs {
			if len(kinds) == 0 || kinds[len(kinds)-1] != in.Kind {
				kinds = append(kinds, in.Kind)
			}
		}
		if fmt.Sprint(kinds) != fmt.Sprint([]stream.InputKind{stream.InputJoin, stream.InputAway, stream.InputLeave}) {
			t.Errorf("inputs %v", kinds)
		}
	})
	r.until("the session's end", func() bool { return len(r.g.hub.order) == 0 })
	status, _, body := r.request("GET", "/v1/ws?token="+v.welcome.Resume, "", "", "")
	if status != 410 {
		t.Errorf("status %d", status)
	}
	r.refused(status, body, wire.CodeSessionUnknown, "")
}

func TestKickEndsTheSession(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	r.region.do(func() {
		r.region.emit(stream.Event{Audience: stream.ToSession, Session: uint64(v.welcome.Session), Type: "kicked", Body: []byte(`{"code":4003,"msg":"house rules"}`)})
	})
	if d := v.end(); d.Code != wire.CodeKicked || d.Msg != "house rules" || d.Retry != wire.RetryNo {
		t.Errorf("close %+v", d)
	}
}

func TestRegionThatRestartsGetsWhatItLostAgain(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	session := uint64(v.welcome.Session)
	for n := uint32(1); n <= 3; n++ {
		v.say(n, fmt.Sprint("say ", n))
		v.next("ack")
	}
	// The store has the first only: the new owner counts from there.
	r.region.restart(func() {
		r.region.cursors[session] = 1
		r.region.ring = r.region.ring[:1]
		r.region.eventN = 1
	})
	if d := v.next("resync"); d.Region != "ground" {
		t.Errorf("resync %+v", d)
	}
	for n := uint32(2); n <= 3; n++ {
		if a := v.next("ack"); a.Seq != n || !a.OK {
			t.Errorf("ack %+v", a)
		}
	}
	v.say(4, "after")
	for _, want := range []string{"say 2", "say 3", "after"} {
		e := v.next("rule")
		for e.Name != want { // those decided before the crash come first
			e = v.next("rule")
		}
	}
	r.region.until(t, "the avatar to be back", func() bool {
		e := r.region.bySession(session)
		return e != nil && e.State.Flags&stream.FlagAway == 0
	})
}

func TestRegionThatForgotTooMuchEndsTheSession(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.say(1, "x")
	a := v.next("ack")
	r.region.do(func() { r.region.durable = a.Tick })
	v.next("durable")
	r.region.restart(func() { r.region.cursors[uint64(v.welcome.Session)] = 0 })
	if d := v.end(); d.Code != wire.CodeSessionUnknown || d.Retry != wire.RetryNewToken {
		t.Errorf("close %+v", d)
	}
}

func TestSilentRegionMakesTheGatewayUnready(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.region.do(func() { r.region.silent = true })
	r.until("the gateway to notice", func() bool { return r.g.Ready() != nil })
	status, _, body := r.request("GET", "/v1/ws?token="+r.token(token.Claims{User: "ada"}), "", "", "")
	if status != 503 {
		t.Errorf("status %d", status)
	}
	r.refused(status, body, wire.CodeUnavailable, "ground")
	if err := r.g.Ready(); err == nil || !strings.Contains(err.Error(), "ground") {
		t.Errorf("%v", err)
	}
	r.region.do(func() { r.region.silent = false })
	r.until("the gateway to be ready again", func() bool { return r.g.Ready() == nil })
}

func TestMissedRecordIsMendedByAKeyFrame(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	r.region.do(func() {
		// A record that never leaves: its change would be lost without a key frame.
		r.region.n++
		e := r.region.entities[7]
		e.State.Body.Head.Pos.X += lattice.Steps
	})
	want := int32(6 * lattice.Steps)
	v.sees("the ball's new place", func(view *wire.View) bool {
		e, ok := view.Entity(7)
		return ok && e.State.Body.Head.Pos.X == want
	})
	if n := counter(t, r, "venued_gateway_record_gaps_total", ""); n == 0 {
		t.Error("no gap was counted")
	}
}
