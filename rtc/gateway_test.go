package rtc

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

func TestTwoMeetOverEveryLane(t *testing.T) {
	for _, lane := range []string{"", "tcp", "ws"} {
		t.Run("lane="+lane, func(t *testing.T) {
			r := newRig(t, rigOptions{})
			ada := r.join(joinOptions{claims: token.Claims{User: "ada", Name: "Ada"}, lane: lane})
			bob := r.join(joinOptions{claims: token.Claims{User: "bob", Name: "Bob"}, lane: lane})
			w := ada.welcome
			if w.Venue != "hall" || w.User != "ada" || w.Name != "Ada" || w.Resumed || w.Full || w.Cursor != 0 ||
				w.Resume == "" || len(w.Kinds) != 1 || w.Lattice != lattice.Steps || w.Region != "ground" {
				t.Errorf("welcome %+v", w)
			}
			if d := w.TimeUS - int64(w.Tick)*w.TickUS; d < -w.TickUS || d > 2_000_000 {
				t.Errorf("server time is %d us after tick %d", d, w.Tick)
			}
			self, other := uint64(w.Entity), uint64(bob.welcome.Entity)
			ada.sees("bob and the ball, not herself", func(v *wire.View) bool {
				_, me := v.Entity(self)
				_, him := v.Entity(other)
				_, ball := v.Entity(7)
				return !me && him && ball
			})
			at := lattice.Vec{X: 6 * lattice.Steps, Y: 1800, Z: 6 * lattice.Steps}
			bob.look(at)
			ada.sees("bob's move", func(v *wire.View) bool {
				e, ok := v.Entity(other)
				return ok && e.State.Body.Head.Pos == at
			})
			bob.grab(1, 7)
			a := bob.next("ack")
			if a.Seq != 1 || !a.OK {
				t.Errorf("ack %+v", a)
			}
			if x := a.Times; x.Start != int64(a.Tick)*w.TickUS || x.End != x.Start+tookUS || x.Received >= x.End || x.Received < x.End-5_000_000 {
				t.Errorf("times of the ack of tick %d: %+v", a.Tick, x)
			}
			g := ada.next("grabbed")
			if g.Object != 7 || g.By != other || g.Seq != 0 || g.Rule != "grab@1" || g.Region != "ground" || g.N == 0 {
				t.Errorf("grabbed, to the other: %+v", g)
			}
			if g := bob.next("grabbed"); g.Seq != 1 {
				t.Errorf("grabbed, to the grabber: %+v", g)
			}
		})
	}
}

func TestStoredPlaceIsGivenBack(t *testing.T) {
	r := newRig(t, rigOptions{})
	at := lattice.Joint{Pos: lattice.Vec{X: 20 * lattice.Steps, Y: 1600, Z: 10 * lattice.Steps}}
	r.region.do(func() { r.region.places["ada"] = at })
	v := r.join(joinOptions{lane: "ws"})
	if lattice.Vec(v.welcome.P) != at.Pos {
		t.Errorf("welcome at %v", v.welcome.P)
	}
}

func TestJoinIsSentAgainUntilItShows(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.region.do(func() { r.region.deafFor = 3 })
	r.join(joinOptions{lane: "ws"})
}

func TestRefusedByTheRegion(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.region.do(func() { r.region.users = 0 })
	v := r.dial(joinOptions{lane: "ws"})
	if d := v.end(); d.Code != wire.CodeVenueFull || d.Msg != "full" {
		t.Errorf("close %+v", d)
	}
}

func TestSamePersonAgainReplacesTheFirst(t *testing.T) {
	r := newRig(t, rigOptions{})
	a := r.join(joinOptions{lane: "ws"})
	r.join(joinOptions{lane: "ws"})
	if d := a.end(); d.Code != wire.CodeReplaced {
		t.Errorf("close %+v", d)
	}
	r.until("one session", func() bool { return len(r.g.hub.order) == 1 })
}

func TestKeyInputsAreTakenInOrderAndOnce(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	r.region.do(func() { r.region.holdCursors = true })
	v.say(1, "one")
	v.say(3, "three")
	if e := v.next("error"); e.Code != wire.CodeOutOfOrder || e.Seq != 3 || !strings.Contains(e.Msg, "2 is next") {
		t.Errorf("gap: %+v", e)
	}
	v.say(2, "two")
	v.say(1, "one again")
	count := func(seq uint32) (n int) {
		for _, in := range r.region.inputs {
			if in.Seq == seq && in.Kind == stream.InputMessage {
				n++
			}
		}
		return n
	}
	r.region.until(t, "both inputs to be sent again", func() bool { return count(1) >= 2 && count(2) >= 2 })
	r.region.do(func() { r.region.holdCursors = false })
	for n := uint32(1); n <= 2; n++ {
		if a := v.next("ack"); a.Seq != n || !a.OK {
			t.Errorf("ack %+v", a)
		}
	}
	v.say(2, "late repetition")
	if a := v.next("ack"); a.Seq != 2 || !a.OK {
		t.Errorf("ack of a duplicate: %+v", a)
	}
	v.say(3, "three")
	if a := v.next("ack"); a.Seq != 3 {
		t.Errorf("ack %+v", a)
	}
	r.region.do(func() {
		seen := map[uint32]bool{}
		for _, in := range r.region.inputs {
			if in.Kind == stream.InputMessage && in.Topic == "late repetition" {
				t.Error("a duplicate went to the region")
			}
			if in.Kind == stream.InputMessage && in.Seq > 1 && !seen[in.Seq-1] {
				t.Errorf("%d came before %d", in.Seq, in.Seq-1)
			}
			seen[in.Seq] = true
		}
	})
}

func TestDurableIsTold(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.say(1, "x")
	a := v.next("ack")
	r.region.do(func() { r.region.durable = a.Tick })
	if d := v.next("durable"); d.Tick != a.Tick {
		t.Errorf("durable %+v after ack %+v", d, a)
	}
	r.until("nothing kept", func() bool { return len(r.g.hub.order[0].keys.kept) == 0 })
}

// A contested grab is answered ticks after its cursor moved: its decision becomes durable
// later than its taking, and both are told.
func TestALaterAnswerIsToldDurable(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.say(1, "x")
	a := v.next("ack")
	r.region.do(func() { r.region.durable = a.Tick })
	v.next("durable")
	r.region.do(func() {
		r.region.emit(stream.Event{Audience: stream.ToSession, Session: uint64(v.welcome.Session), Seq: 1, Type: wire.DownGrabbed, Body: []byte(`{"object":"7"}`)})
	})
	g := v.next("grabbed")
	if g.Tick <= a.Tick {
		t.Fatalf("grabbed at tick %d, acknowledged at %d", g.Tick, a.Tick)
	}
	r.region.do(func() { r.region.durable = g.Tick })
	if d := v.next("durable"); d.Tick < g.Tick {
		t.Errorf("durable %+v after the grab of tick %d", d, g.Tick)
	}
	r.until("nothing kept", func() bool { return len(r.g.hub.order[0].keys.answers) == 0 })
}

func TestDenialIsInTheAck(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.grab(1, 4242)
	if a := v.next("ack"); a.OK || a.Code != wire.CodeDeniedUnknown || a.Msg != "no such thing" {
		t.Errorf("ack %+v", a)
	}
	if d := v.next("denied"); d.Object != 4242 || d.Code != wire.CodeDeniedUnknown || d.Seq != 1 {
		t.Errorf("denied %+v", d)
	}
}

func TestStampsAreClampedAndOldPosesDropped(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	pose := func(seq uint16, stamp uint32) {
		v.sendPose(wire.AppendPose(nil, &wire.Pose{Seq: seq, Stamp: stamp}))
	}
	now := func() uint32 { return uint32(time.Since(r.region.start).Microseconds() / wire.StampUS) }
	pose(65535, now()+100_000) // ten seconds ahead
	r.region.until(t, "the first pose", func() bool { return len(r.region.poses) == 1 })
	pose(1, now()-100_000) // ten seconds back; the number wrapped
	r.region.until(t, "the second pose", func() bool { return len(r.region.poses) == 2 })
	pose(65534, now()) // older
	pose(2, now())
	r.region.until(t, "the third pose", func() bool { return len(r.region.poses) == 3 })
	r.region.do(func() {
		for i, want := range []uint16{1, 2, 3} { // of those passed on
			p := r.region.poses[i]
			if p.PoseSeq != want {
				t.Errorf("pose %d has number %d", i, p.PoseSeq)
			}
			if p.Stamp > p.Arrival || p.Stamp < p.Arrival-maxClamp.Microseconds() {
				t.Errorf("pose %d: stamp %d, arrival %d", i, p.Stamp, p.Arrival)
			}
		}
	})
}

func TestPingIsAnsweredWithServerTime(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.sendPose(wire.AppendPing(nil, &wire.Ping{T0: 12345}))
	p := await(t, v.pongs, "the pong")
	if p.T0 != 12345 || p.T2 < p.T1 || int64(p.T1) < v.welcome.TimeUS {
		t.Errorf("pong %+v after welcome at %d", p, v.welcome.TimeUS)
	}
}

// The connection's end follows a bye at once: it must not turn the leave into a loss.
func TestByeBeforeTheEndIsALeave(t *testing.T) {
	r := newRig(t, rigOptions{})
	for _, lane := range []string{"ws", ""} {
		v := r.join(joinOptions{lane: lane})
		v.send(`{"t":"bye"}`)
		if v.ws != nil {
			v.ws.Close(websocket.StatusNormalClosure, "")
		} else {
			v.end()
		}
		r.region.until(t, "ada to leave", func() bool { return len(r.region.entities) == 1 })
	}
	r.region.do(func() {
		for _, in := range r.region.inputs {
			if in.Kind == stream.InputAway {
				t.Error("a bye was taken for a lost connection")
			}
			if in.Kind == stream.InputLeave && in.Reason != uint16(wire.CodeLeft) {
				t.Errorf("left for reason %d", in.Reason)
			}
		}
	})
}

func TestByeAndDeleteLeave(t *testing.T) {
	r := newRig(t, rigOptions{})
	a := r.join(joinOptions{lane: "ws"})
	a.send(`{"t":"bye"}`)
	if d := a.end(); d.Code != wire.CodeLeft {
		t.Errorf("close %+v", d)
	}
	r.region.until(t, "ada to leave", func() bool { return len(r.region.entities) == 1 })
	b := r.join(joinOptions{claims: token.Claims{User: "bob"}})
	if status, _, body := r.request("DELETE", b.where, "", "", ""); status != 204 {
		t.Errorf("status %d %s", status, body)
	}
	r.region.until(t, "bob to leave", func() bool { return len(r.region.entities) == 1 })
	r.until("no session", func() bool { return len(r.g.hub.order) == 0 })
	if status, _, _ := r.request("DELETE", b.where, "", "", ""); status != 204 {
		t.Errorf("second DELETE: %d", status)
	}
}

func TestICERestartByPatch(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{})
	offer, err := v.peer.Offer(true)
	if err != nil {
		t.Fatal(err)
	}
	status, _, body := r.request("PATCH", v.where, "", "application/sdp", offer)
	if status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	if err := v.peer.Answer(body); err != nil {
		t.Fatal(err)
	}
	v.say(1, "after")
	if a := v.next("ack"); a.Seq != 1 {
		t.Errorf("ack %+v", a)
	}
	status, _, body = r.request("PATCH", v.where, "", "application/sdp", "nonsense")
	r.refused(status, body, wire.CodeBadMessage, "not SDP")
}

func TestVenueIsDescribed(t *testing.T) {
	r := newRig(t, rigOptions{})
	status, h, body := r.request("GET", "/v1/venue", "", "", "")
	var d struct {
		ID     string
		Floors []struct{ Name string }
		ICE    struct {
			UDP int `json:"udp_port"`
			TCP int `json:"tcp_port"`
		}
	}
	if err := json.Unmarshal([]byte(body), &d); err != nil || status != 200 || h.Get("Content-Type") != "application/json" {
		t.Fatalf("%d %v %s", status, err, body)
	}
	if d.ID != "hall" || len(d.Floors) != 1 || d.ICE.UDP != r.g.UDPPort() || d.ICE.TCP != r.g.TCPPort() {
		t.Errorf("%+v", d)
	}
}

func TestOriginsOfPages(t *testing.T) {
	r := newRig(t, rigOptions{change: func(c *Config) { c.Origins = []string{"https://*.example.org"}; c.Development = false }})
	for origin, ok := range map[string]bool{
		"https://expo.example.org": true, "https://example.com": false, "http://localhost:5173": false, r.url: true,
	} {
		req, _ := http.NewRequest("OPTIONS", r.url+"/v1/rtc", nil)
		req.Header.Set("Origin", origin)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := resp.Header.Get("Access-Control-Allow-Origin") == origin; got != ok {
			t.Errorf("%s: allowed %v", origin, got)
		}
	}
	for _, bad := range []string{"example.org", "https://example.org/", "https://[x"} {
		if err := checkOrigins([]string{bad}); err == nil || !strings.Contains(err.Error(), "server.origins[0]") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestShutdownTellsEveryoneAndTheRegion(t *testing.T) {
	r := newRig(t, rigOptions{})
	a := r.join(joinOptions{})
	b := r.join(joinOptions{claims: token.Claims{User: "bob"}, lane: "ws"})
	r.until("the region to be told", func() bool { r.g.hub.shutDown(time.Now()); return true })
	for _, v := range []*visitor{a, b} {
		if d := v.end(); d.Code != wire.CodeServerShutdown || d.Retry != wire.RetryResume {
			t.Errorf("close %+v", d)
		}
	}
	r.region.until(t, "both to be away", func() bool {
		away := 0
		for _, e := range r.region.entities {
			if e.State.Flags&stream.FlagAway != 0 {
				away++
			}
		}
		return away == 2
	})
}

// counter reads a metric with one label.
func counter(t *testing.T, r *rig, name, label string) float64 {
	t.Helper()
	all, err := r.reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			if len(m.GetLabel()) == 0 && label == "" || len(m.GetLabel()) == 1 && m.GetLabel()[0].GetValue() == label {
				return m.GetCounter().GetValue()
			}
		}
	}
	return 0
}

func TestPortInUse(t *testing.T) {
	r := newRig(t, rigOptions{})
	cfg := r.g.cfg
	cfg.Registerer = nil
	cfg.UDP = fmt.Sprintf("127.0.0.1:%d", r.g.UDPPort())
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "rtc.udp_port") || !strings.Contains(err.Error(), cfg.UDP) {
		t.Errorf("%v", err)
	}
}

func TestPhasesAreSpread(t *testing.T) {
	r := newRig(t, rigOptions{})
	tok := r.token(token.Claims{Many: true})
	for range 2 * slots {
		r.join(joinOptions{token: tok, lane: "ws"})
	}
	r.until("all", func() bool { return len(r.g.hub.order) == 2*slots })
	var count [slots]int
	r.until("a count", func() bool {
		for _, s := range r.g.hub.order {
			count[s.phase]++
		}
		return true
	})
	if slices.Max(count[:]) != 2 || slices.Min(count[:]) != 2 {
		t.Errorf("sessions in slots: %v", count)
	}
}
