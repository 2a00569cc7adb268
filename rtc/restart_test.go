package rtc

import (
	"context"
	"fmt"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// restart ends the gateway as a crash would: nobody is told, sessions and memory of used tokens are gone. A new one
// takes its place.
func (r *rig) restart() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r.g.call(ctx, func() {
		for _, s := range r.g.hub.order {
			s.over = true // so that its region hears nothing
		}
		r.g.hub.sweep()
	})
	r.stop()
	r.begin()
	r.until("the new gateway to be ready", func() bool { return r.g.Ready() == nil })
}

func TestSessionOutlivesItsGateway(t *testing.T) {
	for _, lane := range []string{"", "ws"} {
		t.Run("lane="+lane, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			v := r.join(joinOptions{lane: lane})
			v.say(1, "one")
			v.next("ack")
			v.say(2, "two")
			v.next("ack")
			last := v.next("rule").N
			at := lattice.Vec{X: 9 * lattice.Steps, Y: 1600, Z: 9 * lattice.Steps}
			r.region.do(func() { r.region.places["ada"] = lattice.Joint{Pos: at} })
			// Both crash: the region comes back with the first input only, and everyone away.
			r.region.restart(func() {
				r.region.cursors[uint64(v.welcome.Session)] = 1
				r.region.inputs = nil
			})
			r.restart()
			back := r.join(joinOptions{token: v.welcome.Resume, query: fmt.Sprintf("?last=ground:%d", last), lane: lane})
			w := back.welcome
			if !w.Resumed || !w.Full || w.Session != v.welcome.Session || w.Entity != v.welcome.Entity || w.User != "ada" {
				t.Errorf("welcome %+v, of %+v", w, v.welcome)
			}
			if w.Cursor != 1 {
				t.Errorf("cursor %d, the region has 1", w.Cursor)
			}
			r.region.do(func() {
				if len(r.region.inputs) == 0 || r.region.inputs[0].Kind != stream.InputBack || !r.region.inputs[0].HasPlace || r.region.inputs[0].Body.Head.Pos != at {
					t.Errorf("the region was told %+v, want Back at %v", r.region.inputs, at)
				}
			})
			back.say(2, "two again")
			if e := back.next("rule"); e.Name != "two again" || e.Seq != 2 {
				t.Errorf("%+v", e)
			}
			back.sees("the ball", func(view *wire.View) bool { _, ok := view.Entity(7); return ok })

			status, _, body := r.request("GET", "/v1/ws?token="+v.welcome.Resume, "", "", "")
			r.refused(status, body, wire.CodeTokenInvalid, "used before")
			again := r.join(joinOptions{token: w.Resume, query: fmt.Sprintf("?last=ground:%d", r.eventN()), lane: lane})
			if again.welcome.Full || again.welcome.Session != v.welcome.Session {
				t.Errorf("the second resume: %+v", again.welcome)
			}
		})
	}
}

// eventN is the number of the newest event that the gateway told of.
func (r *rig) eventN() (n uint64) {
	r.until("the hub", func() bool { n = r.g.hub.feeds[0].eventN; return true })
	return n
}

// A session whose avatar is connected may be another gateway's, and one that the region does not have is gone.
func TestOnlySessionsWithoutAGatewayAreAdopted(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	r.restart()
	status, _, body := r.request("GET", "/v1/ws?token="+v.welcome.Resume, "", "", "")
	r.refused(status, body, wire.CodeSessionUnknown, "join anew")
	r.region.do(func() { r.region.remove(uint64(v.welcome.Entity)) })
	r.until("the avatar to be gone", func() bool { _, ok := r.g.hub.world.BySession(uint64(v.welcome.Session)); return !ok })
	status, _, body = r.request("GET", "/v1/ws?token="+v.welcome.Resume, "", "", "")
	r.refused(status, body, wire.CodeSessionUnknown, "join anew")
}

func TestTwoConnectionsRaceForAnOrphan(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{})
	r.region.restart(nil)
	r.restart()
	a, b := r.visitor(), r.visitor()
	toA := a.offer(v.welcome.Resume, joinOptions{})
	toB := b.offer(v.welcome.Resume, joinOptions{})
	a.connect(toA)
	b.connect(toB)
	got := map[string]int{}
	for _, c := range []*visitor{a, b} {
		d := await(t, c.events, "the first message")
		got[d.T]++
		if d.T == "close" && d.Code != wire.CodeTokenInvalid {
			t.Errorf("the loser is told %+v", d)
		}
	}
	if got["welcome"] != 1 || got["close"] != 1 {
		t.Errorf("%v", got)
	}
}

// The region takes only samples that are newer than the last, and a client that resumes before anybody
// noticed its loss counts from the beginning: what is passed on must go on.
func TestSamplesOfASecondConnectionCount(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.seq = 5000
	at := lattice.Vec{X: 6 * lattice.Steps, Y: 1700, Z: 6 * lattice.Steps}
	v.look(at)
	seen := func() bool {
		return len(r.region.poses) > 0 && r.region.poses[len(r.region.poses)-1].Body.Head.Pos == at
	}
	r.region.until(t, "the first connection's sample", seen)
	back := r.join(joinOptions{token: v.welcome.Resume, lane: "ws"})
	at.X += lattice.Steps
	back.look(at)
	r.region.until(t, "the second connection's sample", seen)
	r.region.do(func() {
		for i, p := range r.region.poses[1:] {
			if int16(p.PoseSeq-r.region.poses[i].PoseSeq) <= 0 {
				t.Errorf("sample %d has number %d after %d", i+1, p.PoseSeq, r.region.poses[i].PoseSeq)
			}
		}
	})
}

// A region that lost events in a crash gives their numbers to others. Whoever was away then must not be told
// that what it has is all there was.
func TestNumbersThatComeTwiceAreFull(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	for n := uint32(1); n <= 3; n++ {
		v.say(n, "lost")
	}
	var last uint64
	for range 3 {
		last = v.next("rule").N
	}
	v.drop()
	r.away(t, v.welcome.Session)
	r.region.restart(func() {
		r.region.ring = r.region.ring[:1]
		r.region.eventN = 1
	})
	r.until("the new owner", func() bool { return r.g.hub.feeds[0].epoch == 2 })
	r.emit("new 2", stream.ToRegion, 0)
	r.emit("new 3", stream.ToRegion, 0)
	r.until("the new events", func() bool { return r.g.hub.feeds[0].eventN == 3 })
	back := r.join(joinOptions{token: v.welcome.Resume, query: fmt.Sprintf("?last=ground:%d", last), lane: "ws"})
	if !back.welcome.Full || !back.welcome.Resumed {
		t.Errorf("a client that has events which were undone is told %+v", back.welcome)
	}
	back.drop()
	r.away(t, v.welcome.Session)
	third := r.join(joinOptions{token: back.welcome.Resume, query: "?last=ground:3", lane: "ws"})
	if third.welcome.Full {
		t.Errorf("told once, and again: %+v", third.welcome)
	}
}

// The new owner has as many events as the old one had, but others.
func TestOtherEventsUnderToldNumbersAreDelivered(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	for n := uint32(1); n <= 3; n++ {
		v.say(n, "lost")
		v.next("rule")
	}
	r.region.restart(func() {
		r.region.ring = r.region.ring[:1]
		r.region.eventN = 1
		r.region.tick++ // the new owner's first
		for n := range 3 {
			r.region.emit(stream.Event{Audience: stream.ToRegion, Type: "rule", Body: fmt.Appendf(nil, `{"name":"new %d"}`, n+2)})
		}
	})
	if d := v.next("resync"); d.Region != "ground" {
		t.Errorf("%+v", d)
	}
	for n := uint64(2); n <= 4; n++ {
		if e := v.next("rule"); e.N != n || e.Name != fmt.Sprint("new ", n) {
			t.Errorf("event %+v, want number %d", e, n)
		}
	}
}

// Nothing was lost, so nobody has to forget anything.
func TestRestartThatLostNoEventIsNoResync(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.say(1, "kept")
	v.next("rule")
	r.region.restart(nil)
	r.until("the new owner", func() bool { return r.g.hub.feeds[0].epoch == 2 })
	r.emit("after", stream.ToRegion, 0)
	for {
		d := await(t, v.events, "the event")
		if d.T == "resync" {
			t.Fatal("resync")
		}
		if d.T == "rule" {
			if d.Name != "after" || d.N != 2 {
				t.Errorf("%+v", d)
			}
			return
		}
	}
}
