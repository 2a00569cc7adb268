package rtc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
)

func TestUncoveredInputsAreBounded(t *testing.T) {
	r := newRig(t, rigOptions{venue: "[venue.limits]\nevents_per_s = 200"})
	v := r.join(joinOptions{lane: "ws"})
	r.region.do(func() { r.region.holdCursors = true })
	for n := uint32(1); n <= maxUncovered+1; n++ {
		v.say(n, "x")
	}
	if e := v.next("error"); e.Code != wire.CodeRateLimited || e.Seq != maxUncovered+1 {
		t.Errorf("error %+v", e)
	}
	r.region.do(func() { r.region.holdCursors = false })
	for n := uint32(1); n <= maxUncovered; n++ {
		if a := v.next("ack"); a.Seq != n {
			t.Fatalf("ack %+v, want %d", a, n)
		}
	}
	v.say(maxUncovered+1, "x")
	if a := v.next("ack"); a.Seq != maxUncovered+1 {
		t.Errorf("ack %+v", a)
	}
}

func TestRateLimitAndFlood(t *testing.T) {
	r := newRig(t, rigOptions{venue: "[venue.limits]\nevents_per_s = 2"})
	v := r.join(joinOptions{lane: "ws"})
	for n := uint32(1); n <= 3; n++ {
		v.say(n, "x")
	}
	if e := v.next("error"); e.Code != wire.CodeRateLimited || e.Seq != 3 {
		t.Errorf("error %+v", e)
	}
	// Messages far above the limit, until the gateway has enough.
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-v.closed:
				return
			default:
				v.say(3, "x")
			}
		}
	}()
	d := v.end()
	close(stop)
	if d.Code != wire.CodeEventFlood {
		t.Errorf("close %+v", d)
	}
}

func TestBadMessagesAreAnsweredAndEndInViolation(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.send(`{"t":"grap","n":1}`)
	if e := v.next("error"); e.Code != wire.CodeBadMessage || e.Field != "event.t" || !strings.Contains(e.Msg, "grab") {
		t.Errorf("unknown type: %+v", e)
	}
	v.sendPose([]byte{wire.Version<<4 | byte(wire.MsgPose), 1, 2})
	if e := v.next("error"); e.Code != wire.CodeBadMessage || !strings.HasPrefix(e.Field, "pose.") {
		t.Errorf("cut short: %+v", e)
	}
	v.sendPose([]byte{wire.Version<<4 | byte(wire.MsgFrame), 1, 2})
	if e := v.next("error"); e.Code != wire.CodeBadMessage || !strings.Contains(e.Msg, "type 4") {
		t.Errorf("a frame from a client: %+v", e)
	}
	p := wire.Pose{Seq: 1, HasAck: true, AckSeq: 30000}
	v.sendPose(wire.AppendPose(nil, &p))
	if e := v.next("error"); e.Code != wire.CodeBadField || e.Field != "pose.ack" {
		t.Errorf("an acknowledgement of nothing: %+v", e)
	}
	for range maxFaults {
		v.send(`{`)
	}
	if d := v.end(); d.Code != wire.CodeProtocolViolation {
		t.Errorf("close %+v", d)
	}
}

func TestAnotherVersionIsClosed(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	v.sendPose([]byte{(wire.Version+1)<<4 | byte(wire.MsgPose), 0, 0})
	if d := v.end(); d.Code != wire.CodeVersionUnsupported || !strings.Contains(d.Msg, "this side is older") {
		t.Errorf("close %+v", d)
	}
}

func TestClientThatDoesNotAcknowledgeGetsFewFrames(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.join(joinOptions{lane: "ws"})
	var due int64
	r.until("the rate to fall", func() bool {
		s := r.g.hub.order[0]
		due = s.due - r.g.hub.time.newest
		return s.client.Unheard() > uint64(quietAfter*30+1) && due > 500_000
	})
}

func TestStalledReaderIsClosed(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.dial(joinOptions{peer: peertest.Options{Stalled: true}})
	r.until("the session", func() bool { return len(r.g.hub.order) == 1 && r.g.hub.order[0].welcomed })
	filler := strings.Repeat("x", 3000)
	var code wire.Code
	for range 2000 {
		r.region.do(func() {
			for range 10 {
				r.region.emit(stream.Event{Audience: stream.ToRegion, Type: "rule", Body: fmt.Appendf(nil, `{"name":"noise","data":%q}`, filler)})
			}
		})
		gone := false
		r.until("a look", func() bool {
			gone = len(r.g.hub.order) == 0 || r.g.hub.order[0].conn == nil
			return true
		})
		if gone {
			code = wire.CodeSlowConsumer
			break
		}
	}
	if code == 0 {
		t.Fatal("60 MB of events went to a client that does not read")
	}
	if n := counter(t, r, "venued_gateway_closes_total", "slow_consumer"); n != 1 {
		t.Errorf("%v closes as slow_consumer", n)
	}
}
