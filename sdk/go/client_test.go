package client

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var everyLane = []Lane{LaneWebRTC, LaneTCP, LaneWS}

func waitCtx(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

func TestJoinExchangeLeave(t *testing.T) {
	for _, lane := range everyLane {
		t.Run(string(lane), func(t *testing.T) {
			g := newGateway(t)
			frames := make(chan Frame, 16)
			var asked atomic.Int64
			want := standing(lattice.Joint{Pos: lattice.Vec{X: 3 * lattice.Steps, Y: 1700, Z: 0}})
			c, s := g.join(Options{
				Lane: lane, User: "ada", Name: "Ada L",
				Pose: func(us int64) lattice.Body { asked.Store(us); return want },
				OnFrame: func(f *Frame) {
					f2 := *f
					f2.Records = append([]wire.Record(nil), f.Records...)
					frames <- f2
				},
			})
			if got, up := c.Connected(); !up || got != lane {
				t.Errorf("connected over %q, %v", got, up)
			}
			g.requested("user=ada", "name=Ada+L", "join-1")

			// Samples: numbered, stamped near the gateway's time, at the assigned phase.
			p := wait(t, s.poses, "a pose")
			if p.Body != want {
				t.Errorf("pose of %v, want %v", p.Body, want)
			}
			if p.HasAck {
				t.Error("the first pose acknowledges a frame before there was one")
			}
			q := wait(t, s.poses, "a pose")
			if q.Seq != p.Seq+1 {
				t.Errorf("pose %d follows %d", q.Seq, p.Seq)
			}
			if d := int32(q.Stamp - p.Stamp); d <= 0 {
				t.Errorf("stamps go from %d to %d", p.Stamp, q.Stamp)
			}
			wait(t, s.pings, "a ping")
			if d := asked.Load() - g.now(); d > 500_000 {
				t.Errorf("the pose function was asked for a time %d us ahead of the gateway's", d)
			}

			// Frames and their acknowledgement.
			state := stream.State{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 500}}}, AgeMS: 9}
			var fw wire.FrameWriter
			fw.Reset(nil, wire.MaxFrame, wire.FrameHeader{Seq: 41, Tick: uint32(g.greeting().Tick)})
			fw.Enter(3, &wire.Info{ID: 900, Kind: stream.Avatar, Name: "Bob"}, &state)
			s.p.SendPose(fw.Bytes())
			f := wait(t, frames, "a frame")
			if f.Seq != 41 || f.Visible != 1 || len(f.Records) != 1 || f.Records[0].State != state || f.Records[0].Info.Name != "Bob" {
				t.Errorf("frame %+v", f)
			}
			if want := 1_000_000 + int64(f.Tick)*33_333; f.TickUS != want {
				t.Errorf("tick %d is at %d, want %d", f.Tick, f.TickUS, want)
			}
			if v, ok := c.Entity(900); !ok || v.State != state || len(c.Entities()) != 1 {
				t.Errorf("Entity(900) = %+v, %v; Entities() has %d", v, ok, len(c.Entities()))
			}
			for !p.HasAck {
				p = wait(t, s.poses, "a pose that acknowledges")
			}
			if p.AckSeq != 41 || p.AckBits != 0 {
				t.Errorf("acknowledged %d %b, want 41 0", p.AckSeq, p.AckBits)
			}

			// A key input, applied and durable.
			r, err := c.Grab(5, 1, want.Right)
			if err != nil {
				t.Fatal(err)
			}
			u := s.up()
			if u.T != wire.UpGrab || u.N != 1 || u.Object != 5 || u.Hand != 1 || u.HandAt.Pos != want.Right.Pos {
				t.Errorf("the grab arrived as %+v", u)
			}
			s.ack(wire.Ack{Seq: 1, Tick: 100, OK: true, Times: wire.Times{Received: 10, Start: 30, End: 35}})
			s.send(`{"t":"grabbed","r":"ground","n":9,"ts":1,"tick":103,"seq":1,"object":"5","by":"700","hand":"right"}`)
			o, err := r.Applied(waitCtx(t))
			if err != nil || !o.OK || o.Tick != 103 {
				t.Errorf("outcome %+v, %v; want granted in tick 103", o, err)
			}
			if o.Times != (wire.Times{Received: 10, Start: 30, End: 35}) {
				t.Errorf("times %+v, want those of the acknowledgement", o.Times)
			}
			if e := event(t, c, wire.DownGrabbed); e.Object != 5 || e.By != 700 || e.Seq != r.Seq() {
				t.Errorf("event %+v", e)
			}
			s.send(`{"t":"durable","tick":103}`)
			if err := r.Durable(waitCtx(t)); err != nil {
				t.Error(err)
			}
			if st := c.Stats(); st.Frames != 1 || st.FramesRefused != 0 || st.PosesSent == 0 || st.BytesUp == 0 || st.BytesDown == 0 {
				t.Errorf("stats %+v", st)
			}

			if err := c.Close(); err != nil {
				t.Error(err)
			}
			for s.up().T != wire.UpBye {
			}
			if lane != LaneWS {
				g.requested("DELETE /v1/rtc/")
			}
			if !errors.Is(c.Err(), ErrClosed) {
				t.Errorf("Err() = %v", c.Err())
			}
			if _, err := c.Use(1, 0, lattice.Joint{}); !errors.Is(err, ErrClosed) {
				t.Errorf("Use after Close: %v", err)
			}
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestClockFollowsTheGateway(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS})
	for range quickPings {
		wait(t, s.pings, "a ping")
	}
	for c.RTT() == 0 {
		wait(t, s.poses, "a pose")
	}
	before, at, after := g.now(), c.ServerTime(), g.now()
	slack := c.RTT().Microseconds() + 1
	if at < before-slack || at > after+slack {
		t.Errorf("ServerTime %d, the gateway's is %d to %d, the round trip %v", at, before, after, c.RTT())
	}
}

func TestResumeSendsLastEventsAndUnappliedInputs(t *testing.T) {
	for _, lane := range everyLane {
		t.Run(string(lane), func(t *testing.T) {
			g := newGateway(t)
			c, s := g.join(Options{Lane: lane})
			taken, _ := c.Use(1, 0, lattice.Joint{})
			s.up()
			s.ack(wire.Ack{Seq: 1, Tick: 50, OK: true})
			if _, err := taken.Applied(waitCtx(t)); err != nil {
				t.Fatal(err)
			}
			second, _ := c.Message("hello", []byte(`{"a":1}`))
			s.up()
			s.send(`{"t":"door","r":"ground","n":12,"ts":1,"tick":51,"door":"8","open":true}`)
			event(t, c, wire.DownDoor)

			c.Drop(0)
			lost := event(t, c, EventLost)
			if !lost.Planned {
				t.Errorf("a drop on purpose is not called planned: %v", lost.Err)
			}
			if _, up := c.Connected(); up {
				t.Error("still connected")
			}
			third, err := c.Use(3, 0, lattice.Joint{})
			if err != nil {
				t.Fatal(err)
			}
			s = g.next()
			g.requested("last=ground%3A12", "resume-1")
			s.welcome(func(w *wire.Welcome) { w.Resumed, w.Cursor, w.Resume = true, 1, "resume-2" })
			if e := event(t, c, EventConnected); !e.Resumed || e.Full {
				t.Errorf("connected: %+v", e)
			}
			if a, b := s.up(), s.up(); a.N != 2 || a.T != wire.UpMsg || b.N != 3 || b.T != wire.UpUse {
				t.Errorf("sent again: %+v, %+v", a, b)
			}
			// A replayed event counts once.
			s.send(`{"t":"door","r":"ground","n":12,"ts":1,"tick":51,"door":"8","open":true}`)
			s.send(`{"t":"door","r":"ground","n":13,"ts":1,"tick":52,"door":"8","open":false}`)
			if e := event(t, c, wire.DownDoor); e.N != 13 {
				t.Errorf("event %d came, want 13", e.N)
			}
			s.ack(wire.Ack{Seq: 2, Tick: 60, OK: true})
			s.ack(wire.Ack{Seq: 3, Tick: 60, Code: wire.CodeDeniedUnknown})
			if o, err := second.Applied(waitCtx(t)); err != nil || !o.OK {
				t.Errorf("second: %+v, %v", o, err)
			}
			if o, err := third.Applied(waitCtx(t)); err != nil || o.OK || o.Code != wire.CodeDeniedUnknown {
				t.Errorf("third: %+v, %v", o, err)
			}
			if got := c.Session(); got.Token != "resume-2" || got.Last["ground"] != 13 || got.Next != 4 {
				t.Errorf("session %+v", got)
			}
		})
	}
}

func TestACrashedServerIsGivenAppliedInputsAgain(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS})
	var all []*Request
	for range 3 {
		r, err := c.Use(1, 0, lattice.Joint{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
		s.ack(wire.Ack{Seq: s.up().N, Tick: 10 * uint64(r.Seq()), OK: true})
	}
	s.send(`{"t":"durable","tick":10}`)
	event(t, c, wire.DownDurable)
	if err := all[0].Durable(waitCtx(t)); err != nil {
		t.Fatal(err)
	}
	s.p.Close(wire.CodeServerShutdown, "restart")
	if e := event(t, c, EventLost); e.Planned {
		t.Error("a shutdown is not the client's plan")
	}
	s = g.next()
	s.welcome(func(w *wire.Welcome) { w.Resumed, w.Full, w.Cursor = true, true, 1 })
	if e := event(t, c, EventConnected); !e.Full {
		t.Errorf("connected: %+v", e)
	}
	if a, b := s.up(), s.up(); a.N != 2 || b.N != 3 {
		t.Errorf("sent again: %d, %d, want 2 and 3", a.N, b.N)
	}
	s.ack(wire.Ack{Seq: 2, Tick: 40, OK: true})
	s.ack(wire.Ack{Seq: 3, Tick: 40, OK: true})
	s.send(`{"t":"durable","tick":40}`)
	if err := all[2].Durable(waitCtx(t)); err != nil {
		t.Error(err)
	}
	if st := c.Stats(); st.Resumes != 1 || st.FullResumes != 1 || st.Losses != 1 || st.Connects != 2 {
		t.Errorf("stats %+v", st)
	}
}

// TestRefusals goes through what a gateway may answer and what follows.
func TestRefusals(t *testing.T) {
	t.Run("a token that is no good ends Dial", func(t *testing.T) {
		for _, lane := range append(everyLane, LaneAuto) {
			g := newGateway(t)
			g.setRefuse(func(*http.Request) (int, string) {
				return 401, `{"code":4000,"name":"token_invalid","msg":"the signature is wrong"}`
			})
			got := wait(t, g.dial(Options{Lane: lane}), "the end of Dial")
			var no *Refused
			if !errors.As(got.err, &no) || no.Code != wire.CodeTokenInvalid || no.Status != 401 || !strings.Contains(got.err.Error(), "the signature is wrong") {
				t.Errorf("%s: error %v", lane, got.err)
			}
			g.mu.Lock()
			if len(g.asked) != 1 {
				t.Errorf("%s: asked %d times: %q", lane, len(g.asked), g.asked)
			}
			g.mu.Unlock()
		}
	})
	t.Run("a proxy's page is named with its status", func(t *testing.T) {
		g := newGateway(t)
		g.setRefuse(func(*http.Request) (int, string) { return 502, "<html>\n<h1>Bad gateway</h1>" })
		got := wait(t, g.dial(Options{Lane: LaneWebRTC}), "the end of Dial")
		if got.err == nil || !strings.Contains(got.err.Error(), "502") || !strings.Contains(got.err.Error(), "Bad gateway") {
			t.Errorf("error %v", got.err)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		g := newGateway(t)
		url := g.srv.URL
		g.srv.Close()
		for _, lane := range everyLane {
			if got := wait(t, g.dial(Options{URL: url, Lane: lane, Token: "secret-token"}), "the end of Dial"); got.err == nil || strings.Contains(got.err.Error(), "secret-token") {
				t.Errorf("%s: error %v", lane, got.err)
			}
		}
	})
	t.Run("auto falls back to WebSocket", func(t *testing.T) {
		g := newGateway(t)
		g.setRefuse(func(r *http.Request) (int, string) {
			if r.Method == http.MethodPost {
				return 405, "no WebRTC here"
			}
			return 0, ""
		})
		c, _ := g.join(Options{})
		if lane, _ := c.Connected(); lane != LaneWS {
			t.Errorf("connected over %q", lane)
		}
	})
	t.Run("a close that says no ends the client", func(t *testing.T) {
		for _, lane := range everyLane {
			g := newGateway(t)
			c, s := g.join(Options{Lane: lane})
			r, _ := c.Use(1, 0, lattice.Joint{})
			s.p.Close(wire.CodeKicked, "be nice")
			event(t, c, EventLost)
			wait(t, closedToValue(c.Done()), "the client's end")
			var no *Refused
			if !errors.As(c.Err(), &no) || no.Code != wire.CodeKicked || no.Msg != "be nice" {
				t.Errorf("%s: Err() = %v", lane, c.Err())
			}
			if _, err := r.Applied(waitCtx(t)); !errors.As(err, &no) {
				t.Errorf("%s: the open request ends with %v", lane, err)
			}
			for range c.Events() {
			}
			c.Close()
		}
	})
	t.Run("later is asked again with the same ticket", func(t *testing.T) {
		g := newGateway(t)
		c, s := g.join(Options{Lane: LaneWS})
		var times atomic.Int32
		g.setRefuse(func(*http.Request) (int, string) {
			if times.Add(1) == 1 {
				return 503, `{"code":3503,"name":"too_many_pending","msg":""}`
			}
			return 0, ""
		})
		s.p.Close(wire.CodeConnectionLost, "")
		event(t, c, EventLost)
		s = g.next()
		s.welcome(func(w *wire.Welcome) { w.Resumed = true })
		event(t, c, EventConnected)
		if times.Load() != 2 {
			t.Errorf("asked %d times, want 2", times.Load())
		}
	})
}

func closedToValue(c <-chan struct{}) <-chan bool {
	out := make(chan bool, 1)
	go func() { <-c; out <- true }()
	return out
}

// TestALostSessionIsJoinedAnew: with a token for it, and not without.
func TestALostSessionIsJoinedAnew(t *testing.T) {
	gone := func(g *gateway) {
		g.setRefuse(func(r *http.Request) (int, string) {
			if strings.HasPrefix(r.URL.Query().Get("token"), "resume") {
				return 410, `{"code":3501,"name":"session_unknown","msg":"it is gone"}`
			}
			return 0, ""
		})
	}
	// {"many":true} between two dots: a development token.
	const many = "e30.eyJtYW55Ijp0cnVlfQ.sig"
	for name, o := range map[string]Options{
		"development token": {Lane: LaneWS, Token: many},
		"NewToken":          {Lane: LaneWS, NewToken: func(context.Context) (string, error) { return "join-2", nil }},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGateway(t)
			c, _ := g.join(o)
			r, _ := c.Use(1, 0, lattice.Joint{})
			gone(g)
			c.Drop(0)
			event(t, c, EventLost)
			s := g.next()
			s.welcome(func(w *wire.Welcome) { w.Session = 78 })
			if e := event(t, c, EventConnected); e.Resumed {
				t.Error("a new session is called resumed")
			}
			if _, err := r.Applied(waitCtx(t)); !errors.Is(err, ErrSessionLost) {
				t.Errorf("the old session's request ends with %v", err)
			}
			r, err := c.Use(2, 0, lattice.Joint{})
			if err != nil || r.Seq() != 1 || s.up().N != 1 {
				t.Errorf("the new session's first input has number %d, %v", r.Seq(), err)
			}
		})
	}
	t.Run("no token", func(t *testing.T) {
		g := newGateway(t)
		c, _ := g.join(Options{Lane: LaneWS})
		gone(g)
		c.Drop(0)
		event(t, c, EventLost)
		wait(t, closedToValue(c.Done()), "the client's end")
		if !errors.Is(c.Err(), ErrSessionLost) {
			t.Errorf("Err() = %v", c.Err())
		}
	})
}

func TestSessionIsResumedByAnotherClient(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS})
	s.send(`{"t":"door","r":"ground","n":12,"ts":1,"tick":51,"door":"8","open":true}`)
	event(t, c, wire.DownDoor)
	session := c.Session()
	d := g.dial(Options{Lane: LaneWS, Session: &session})
	s = g.next()
	g.requested("last=ground%3A12", "resume-1")
	s.welcome(func(w *wire.Welcome) { w.Resumed, w.Cursor = true, 4 })
	got := wait(t, d, "the end of Dial")
	if got.err != nil {
		t.Fatal(got.err)
	}
	defer got.c.Close()
	if r, err := got.c.Use(1, 0, lattice.Joint{}); err != nil || r.Seq() != 5 {
		t.Errorf("the next input has number %d, %v, want 5", r.Seq(), err)
	}
}

func TestRateLimitedInputsAreSentAgainInOrder(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS})
	var all []*Request
	for range 3 {
		r, _ := c.Use(1, 0, lattice.Joint{})
		all = append(all, r)
		s.up()
	}
	s.ack(wire.Ack{Seq: 1, Tick: 5, OK: true})
	// The gateway refuses 2 as too fast, and 3 as out of order; 4 comes meanwhile and waits its turn.
	s.send(`{"t":"error","code":104,"name":"rate_limited","msg":"","seq":2}`)
	s.send(`{"t":"error","code":103,"name":"out_of_order","msg":"2 is next","seq":3}`)
	s.send(`{"t":"door","r":"ground","n":1,"ts":1,"tick":5,"door":"8"}`)
	event(t, c, wire.DownDoor) // both errors have been taken in, and were not passed on
	r, _ := c.Use(1, 0, lattice.Joint{})
	all = append(all, r)
	for want := uint32(2); want <= 4; want++ {
		if u := s.up(); u.N != want {
			t.Errorf("sent again: %d, want %d", u.N, want)
		}
	}
	s.ack(wire.Ack{Seq: 2, Tick: 6, OK: true})
	s.ack(wire.Ack{Seq: 3, Tick: 6, OK: true})
	s.ack(wire.Ack{Seq: 4, Tick: 6, OK: true})
	for _, r := range all {
		if o, err := r.Applied(waitCtx(t)); err != nil || !o.OK {
			t.Errorf("input %d: %+v, %v", r.Seq(), o, err)
		}
	}
	if n := c.Stats().Resends; n != 3 {
		t.Errorf("%d resends, want 3", n)
	}
}

func TestRepairKeepsTheConnection(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWebRTC})
	c.mu.Lock()
	k := c.conn.link.(*rtcLink)
	c.mu.Unlock()
	k.trouble <- struct{}{} // what a disconnected path does
	event(t, c, EventRepaired)
	g.requested("PATCH /v1/rtc/", "join-1")
	r, _ := c.Use(1, 0, lattice.Joint{})
	if u := s.up(); u.N != r.Seq() {
		t.Errorf("after the repair came %+v", u)
	}
	if st := c.Stats(); st.Connects != 1 || st.Repairs != 1 || st.Losses != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestAFailedRepairBecomesAResume(t *testing.T) {
	g := newGateway(t)
	c, _ := g.join(Options{Lane: LaneWebRTC})
	g.setRefuse(func(r *http.Request) (int, string) {
		if r.Method == http.MethodPatch {
			return 404, `{"code":3501,"name":"session_unknown","msg":"no such connection"}`
		}
		return 0, ""
	})
	c.mu.Lock()
	k := c.conn.link.(*rtcLink)
	c.mu.Unlock()
	k.trouble <- struct{}{}
	event(t, c, EventLost)
	s := g.next()
	g.requested("POST /v1/rtc", "resume-1")
	s.welcome(func(w *wire.Welcome) { w.Resumed = true })
	event(t, c, EventConnected)
}

func TestAFullEventQueueLeavesAMarkedGap(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS, EventQueue: 4})
	const sent = 40
	for i := range sent {
		s.send(`{"t":"door","r":"ground","n":%d,"ts":1,"tick":5,"door":"8"}`, i+1)
	}
	s.ack(wire.Ack{Seq: 1, Tick: 1, OK: true}) // nobody waits for it; the next one is read after all events
	r, _ := c.Use(1, 0, lattice.Joint{})
	s.ack(wire.Ack{Seq: s.up().N, Tick: 1, OK: true})
	if _, err := r.Applied(waitCtx(t)); err != nil {
		t.Fatal(err)
	}
	for n := uint64(1); n <= 4; n++ {
		if e := event(t, c, wire.DownDoor); e.N != n {
			t.Errorf("event %d, want %d", e.N, n)
		}
	}
	s.send(`{"t":"door","r":"ground","n":99,"ts":1,"tick":5,"door":"8"}`)
	if e := event(t, c, EventGap); e.Missed != sent-4 {
		t.Errorf("a gap of %d, want %d", e.Missed, sent-4)
	}
	if e := event(t, c, wire.DownDoor); e.N != 99 {
		t.Errorf("event %d after the gap", e.N)
	}
}

func TestMalformedMessagesChangeNothing(t *testing.T) {
	g := newGateway(t)
	c, s := g.join(Options{Lane: LaneWS})
	s.p.SendPose([]byte{0xff, 1, 2})
	s.p.SendPose([]byte{wire.Version<<4 | byte(wire.MsgFrame), 1})
	s.p.SendPose([]byte{wire.Version<<4 | byte(wire.MsgPong), 1})
	s.send(`["not an object"]`)
	s.send(`{"t":"door","r":7}`)
	s.send(`{"t":"something newer","r":"ground","n":3,"x":1}`)
	if e := event(t, c, "something newer"); e.N != 3 {
		t.Errorf("event %+v", e)
	}
	if st := c.Stats(); st.EventsMalformed != 2 {
		t.Errorf("%d malformed events, want 2", st.EventsMalformed)
	}
	for c.Stats().FramesRefused == 0 {
		wait(t, s.poses, "a pose")
	}
	if _, up := c.Connected(); !up {
		t.Error("the connection was given up")
	}
}
