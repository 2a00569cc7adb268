package system

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// upright is somebody whose head is at a place and whose hands hang.
func upright(head lattice.Vec) lattice.Body {
	hand := at(head.Sub(lattice.Vec{Y: lattice.Steps / 2}))
	return lattice.Body{Head: at(head), Left: hand, Right: hand}
}

func attackFrames(t *testing.T, s *siege, ws bool) {
	a := s.dial(t, ws, "mangler")
	const limit = lattice.MaxMetres * lattice.Steps
	pose := func(change func(*wire.Pose)) []byte {
		p := wire.Pose{Seq: 1, Body: upright(lattice.Vec(a.greeting.P))}
		change(&p)
		return wire.AppendPose(nil, &p)
	}
	good := pose(func(*wire.Pose) {})
	for _, c := range []struct {
		name  string
		b     []byte
		code  wire.Code
		field string
	}{
		{"cut short", good[:len(good)-3], wire.CodeBadMessage, "pose.length"},
		{"too long", append(bytes.Clone(good), 0), wire.CodeBadMessage, "pose.length"},
		{"of no type", []byte{wire.Version<<4 | 15}, wire.CodeBadMessage, "pose.byte 0"},
		{"a server's", []byte{wire.Version<<4 | byte(wire.MsgFrame), 0, 0}, wire.CodeBadMessage, "pose.byte 0"},
		{"a short ping", []byte{wire.Version<<4 | byte(wire.MsgPing), 0}, wire.CodeBadMessage, "pose.length"},
		{"a head beyond the bounds", pose(func(p *wire.Pose) { p.Body.Head.Pos.Z = limit + 1 }), wire.CodeBadField, "pose.head.pos.z"},
		{"a hand beyond the bounds", pose(func(p *wire.Pose) { p.Body.Left.Pos.X = -limit - 1 }), wire.CodeBadField, "pose.left.pos.x"},
		{"no rotation", pose(func(p *wire.Pose) { p.Body.Right.Rot.C = [3]int16{1023, 1023, 1023} }), wire.CodeBadField, "pose.right.rot"},
		{"an acknowledgement of what was not sent", pose(func(p *wire.Pose) { p.HasAck, p.AckSeq = true, 30_000 }), wire.CodeBadField, "pose.ack"},
	} {
		a.pose(c.b)
		if d := a.next(wire.DownError); d.Code != c.code || d.Field != c.field || d.Msg == "" {
			t.Errorf("a frame %s: %+v, want %v in %s", c.name, d, c.code, c.field)
		}
	}
	a.pose(good[:5]) // the tenth
	if d := a.closed(); d.Code != wire.CodeProtocolViolation {
		t.Errorf("ten bad frames: %+v", d)
	}
	a = s.dial(t, ws, "mangler")
	a.pose([]byte{(wire.Version+1)<<4 | byte(wire.MsgPose)})
	if d := a.closed(); d.Code != wire.CodeVersionUnsupported {
		t.Errorf("another version: %+v", d)
	}
}

func attackEvents(t *testing.T, s *siege) {
	a := s.dial(t, true, "babbler")
	grab := `{"t":"grab","n":1,"ts":1,"object":"7","hand":"left","p":[0,0,0],"q":[0,0,0,1]}`
	other := func(old, new string) string { return strings.Replace(grab, old, new, 1) }
	for _, c := range []struct {
		text  string
		code  wire.Code
		field string
	}{
		{`hello`, wire.CodeBadMessage, "event.text"},
		{other(`"grab"`, `"grap"`), wire.CodeBadMessage, "event.t"},
		{other(`[0,0,0]`, `[NaN,0,0]`), wire.CodeBadMessage, "event.text"},
		{other(`[0,0,0]`, `[0,1e999,0]`), wire.CodeBadField, "event.p[1]"},
		{other(`[0,0,0]`, `[0,0,1048577]`), wire.CodeBadField, "event.p"},
		{other(`[0,0,0,1]`, `[0,0,0,2]`), wire.CodeBadField, "event.q"},
		{other(`"n":1`, `"n":0`), wire.CodeBadField, "event.n"},
		{other(`"ts":1`, `"ts":-1`), wire.CodeBadField, "event.ts"},
		{grab[:40], wire.CodeBadMessage, "event.text"},
		{other(`"n":1`, `"n":9`), wire.CodeOutOfOrder, "event.n"},
	} {
		if err := a.event(c.text); err != nil {
			t.Fatal(err)
		}
		if d := a.next(wire.DownError); d.Code != c.code || d.Field != c.field || d.Msg == "" {
			t.Errorf("%s: %+v, want %v in %s", c.text, d, c.code, c.field)
		}
	}
	a = s.dial(t, true, "babbler")
	if err := a.event(strings.Repeat(" ", wire.MaxEvent) + grab); err != nil {
		t.Fatal(err)
	}
	if d := a.next(wire.DownError); d.Code != wire.CodeBadMessage || d.Field != "event.length" {
		t.Errorf("a message above 4,096 bytes: %+v", d)
	}
	a.event(strings.Repeat("x", 1<<20)) //nolint:errcheck // closed
	if d := a.closed(); d.Code != wire.CodeProtocolViolation {
		t.Errorf("a message of a megabyte: %+v", d)
	}
}

// stand sends poses with the head at a place until the region corrects it for a reason.
func (a *attacker) stand(seq *uint16, body lattice.Body, why string) *wire.Down {
	a.t.Helper()
	limit := time.After(patience)
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case b := <-a.events:
			if d, err := wire.DecodeDown(b); err == nil && d.T == wire.DownCorrect && d.Why == why {
				return d
			}
		case <-again.C:
			*seq++
			a.pose(wire.AppendPose(nil, &wire.Pose{Seq: *seq, Body: body}))
		case <-limit:
			a.t.Fatalf("a correction of %q did not come", why)
		}
	}
}

func attackSpeed(t *testing.T, s *siege) {
	a := s.dial(t, true, "flash")
	start := lattice.Vec(a.greeting.P)
	var seq uint16
	far := start.Add(lattice.Vec{X: 8 * lattice.Steps})
	for n := range 3 {
		d := a.stand(&seq, upright(far), "speed")
		// The budget of the venue's defaults: 2 m at once, and 6 m/s from then on.
		moved := float64(lattice.Vec(d.P).Dist(start)) / lattice.Steps
		seconds := float64(int64(d.Tick-a.greeting.Tick)*a.greeting.TickUS) / 1e6
		if d.Code != wire.CodeMovedTooFast || moved > 2+6*seconds+0.01 {
			t.Errorf("correction %d: %.2f m from where it was %.2f s before: %+v", n, moved, seconds, d)
		}
		if n == 0 && moved > 4 {
			t.Errorf("the teleport went %.2f m far", moved)
		}
		far.X = start.X - (far.X - start.X) // and back again
	}
	outside := start
	outside.X = -5 * lattice.Steps
	if d := a.stand(&seq, upright(outside), "bounds"); d.P.X < 0 {
		t.Errorf("cut to %v, outside the floor", d.P)
	}
	long := upright(start)
	long.Left.Pos.Y += 20 * lattice.Steps
	d := a.stand(&seq, long, "reach")
	// What others see is what was cut.
	v := s.honest[0]
	v.await("the long arm to be cut", func() bool {
		e, ok := v.Entity(uint64(a.greeting.Entity))
		b := &e.State.Body
		return ok && b.Head.Pos.Dist(lattice.Vec(d.P)) < lattice.Steps && b.Left.Pos.Dist(b.Head.Pos) <= lattice.Steps*3/2
	})
}

func attackGrabs(t *testing.T, s *siege) {
	owner := s.honest[0]
	o := owner.object("ball-1")
	hand := at(o.State.Body.Head.Pos)
	if out := owner.outcome(owner.Grab(o.Info.ID, right, hand)); !out.OK {
		t.Fatalf("the owner's grab: %+v", out)
	}
	thief := visit(t, s.Server, s.URL, "thief", client.LaneWebRTC)
	free := thief.object("ball-2").Info.ID
	reaching := at(hand.Pos.Add(lattice.Vec{Y: lattice.Steps}))
	for _, c := range []struct {
		name   string
		object uint64
		hand   lattice.Joint
		code   wire.Code
	}{
		{"what does not exist", 1 << 60, hand, wire.CodeDeniedUnknown},
		{"an avatar", uint64(owner.Welcome().Entity), hand, wire.CodeDeniedNotAllowed},
		{"what is out of reach", free, reaching, wire.CodeDeniedReach},
		{"what another holds", o.Info.ID, hand, wire.CodeDeniedHeld},
	} {
		if out := thief.outcome(thief.Grab(c.object, right, c.hand)); out.OK || out.Code != c.code {
			t.Errorf("a grab of %s: %+v, want %v", c.name, out, c.code)
		}
	}
	if out := thief.outcome(thief.Release(o.Info.ID, right, hand)); out.OK || out.Code != wire.CodeDeniedNotHeld {
		t.Errorf("a release of what another holds: %+v", out)
	}
	if e := owner.object("ball-1"); e.State.Holder != uint64(owner.Welcome().Entity) {
		t.Errorf("the ball is held by %d", e.State.Holder)
	}
	if out := owner.outcome(owner.Release(o.Info.ID, right, hand)); !out.OK {
		t.Errorf("the owner's release: %+v", out)
	}
}

func attackFlood(t *testing.T, s *siege) {
	for _, text := range []string{
		`{"t":"msg","n":1,"ts":1,"topic":"spam"}`,
		`{"t":"msg","n":77,"ts":1,"topic":"spam"}`,
	} {
		a := s.dial(t, true, "flooder")
		done := make(chan struct{})
		go func() {
			defer close(done)
			for a.event(text) == nil {
			}
		}()
		if d := a.closed(); d.Code != wire.CodeEventFlood {
			t.Errorf("a flood of %s: %v %q", text, d.Code, d.Msg)
		}
		receive(t, done, "the end of the flood")
	}
}

// Samples far above the rate cost those that are too many, and nobody's connection.
func attackPoseFlood(t *testing.T, s *siege) {
	before := s.metric(t, "venued_gateway_poses_dropped_total")
	for _, ws := range []bool{false, true} {
		a := s.dial(t, ws, fmt.Sprintf("hurried-%t", ws))
		p := wire.Pose{Body: upright(lattice.Vec(a.greeting.P))}
		for range 5000 {
			p.Seq++
			a.pose(wire.AppendPose(nil, &p))
		}
		if err := a.event(`{"t":"msg","n":1,"ts":1,"topic":"alive"}`); err != nil {
			t.Error(err)
		}
		if d := a.next(wire.DownAck); !d.OK {
			t.Errorf("%+v", d)
		}
	}
	if lost := s.metric(t, "venued_gateway_poses_dropped_total") - before; lost < 5000 {
		t.Errorf("%.0f of 10,000 samples at once were dropped", lost)
	}
}

// attackStalled lets clients ask and never read an answer, until the server has enough of both.
func attackStalled(t *testing.T, s *siege) {
	const slow, lost = `venued_gateway_closes_total{code="slow_consumer"}`, `venued_gateway_closes_total{code="connection_lost"}`
	beforeSlow, beforeLost := s.metric(t, slow), s.metric(t, lost)
	rtc := dialRTC(t, s, "deaf", peertest.Options{Stalled: true})
	// A small window, so that the kernel does not read much in its stead.
	dialer := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, addr)
		if err == nil {
			err = c.(*net.TCPConn).SetReadBuffer(4096)
		}
		return c, err
	}}}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, s.URL+"/v1/ws?user=numb&token="+s.Token, &websocket.DialOptions{HTTPClient: dialer})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow() //nolint:errcheck // the server has closed it
	done, ended := make(chan struct{}), make(chan struct{}, 2)
	for _, a := range []*attacker{rtc, {t: t, ws: conn}} {
		go func() {
			again := time.NewTicker(8 * time.Millisecond)
			defer again.Stop()
			for n := 1; a.event(fmt.Sprintf(`{"t":"grab","n":%d,"ts":1,"object":"1","hand":"left","p":[0,0,0],"q":[0,0,0,1]}`, n)) == nil; n++ {
				select {
				case <-again.C:
					continue
				case <-done:
				}
				break
			}
			ended <- struct{}{}
		}()
	}
	// A WebSocket that nobody reads answers no pings either: it is whichever shows first.
	s.honest[1].await("both to be closed", func() bool {
		n := s.metric(t, slow) - beforeSlow
		return n >= 1 && n+s.metric(t, lost)-beforeLost >= 2
	})
	close(done)
	for range 2 {
		receive(t, ended, "the end of the asking")
	}
}

// attackNoise sends what is no protocol at all to every port.
func attackNoise(t *testing.T, s *siege) {
	_, body := get(t, s.URL+"/v1/venue")
	var venue struct {
		ICE struct {
			UDP int `json:"udp_port"`
			TCP int `json:"tcp_port"`
		} `json:"ice"`
	}
	if err := json.Unmarshal([]byte(body), &venue); err != nil {
		t.Fatal(err)
	}
	for network, addr := range map[string]string{
		"tcp": strings.TrimPrefix(s.URL, "http://"), "tcp4": net.JoinHostPort("127.0.0.1", strconv.Itoa(venue.ICE.TCP)),
		"udp": net.JoinHostPort("127.0.0.1", strconv.Itoa(venue.ICE.UDP)),
	} {
		for n := range 100 {
			conn, err := net.Dial(network, addr)
			if err != nil {
				t.Fatal(err)
			}
			conn.Write(bytes.Repeat([]byte{byte(n)}, 10*n)) //nolint:errcheck // it need not be taken
			conn.Close()
		}
	}
}
