package rtc

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
)

// Whatever one client does, over either lane: it is closed with the reason where that is due, and the honest ones are served on. That
// nobody's frames come later for it is shown in test/system, where attacker and server are processes of their own.
func TestHostileAmongHonest(t *testing.T) {
	h := lattice.Joint{Pos: lattice.Vec{X: 5 * lattice.Steps, Y: 1700, Z: 5 * lattice.Steps}}
	body := lattice.Body{Head: h, Left: h, Right: h}
	flood := []wire.Code{wire.CodeEventFlood, wire.CodeSlowConsumer}
	r := newRig(t, rigOptions{venue: "[venue.limits]\nevents_per_s = 20"})
	var honest []*visitor
	for _, lane := range []string{"ws", "", "ws", ""} {
		o := joinOptions{lane: lane}
		o.claims.User = fmt.Sprint("honest-", len(honest))
		honest = append(honest, r.join(o))
	}
	said := uint32(0)
	served := func(t *testing.T) {
		t.Helper()
		said++
		for i, v := range honest {
			v.say(said, "x")
			if a := v.next("ack"); a.Seq != said || !a.OK {
				t.Errorf("honest one %d: %+v", i, a)
			}
			v.mu.Lock()
			before := v.head.Seq
			v.mu.Unlock()
			v.sees("more frames", func(*wire.View) bool { return v.head.Seq-before >= 3 })
		}
	}
	served(t)
	for _, a := range []struct {
		name string
		step func(v *visitor, n int)
		ends []wire.Code // one of them; nil: it is not closed for this
	}{
		{"acknowledges what was never sent", func(v *visitor, n int) {
			v.sendPose(wire.AppendPose(nil, &wire.Pose{Seq: uint16(n), HasAck: true, AckSeq: 30000 + uint16(n), AckBits: ^uint32(0)}))
		}, []wire.Code{wire.CodeProtocolViolation}},
		{"floods messages", func(v *visitor, n int) { v.say(uint32(n), "x") }, flood},
		{"floods what is no message", func(v *visitor, _ int) { v.send("{") }, append(flood, wire.CodeProtocolViolation)},
		{"floods samples", func(v *visitor, n int) {
			v.sendPose(wire.AppendPose(nil, &wire.Pose{Seq: uint16(n), Body: body}))
		}, nil},
		{"repeats, reorders and wraps", func(v *visitor, n int) {
			for _, seq := range []uint16{65534, 65535, 65535, 0, 1, 0, 65534, 1 << 15} {
				v.sendPose(wire.AppendPose(nil, &wire.Pose{Seq: seq + uint16(n), Stamp: ^uint32(0), Body: body}))
			}
		}, nil},
		{"floods pings", func(v *visitor, n int) { v.sendPose(wire.AppendPing(nil, &wire.Ping{T0: uint64(n)})) }, nil},
		{"acknowledges all that was sent", func(v *visitor, n int) {
			v.mu.Lock()
			p := wire.Pose{Seq: uint16(n), HasAck: v.head.Seq != 0, AckSeq: v.head.Seq, AckBits: 1<<max(v.head.Seq, 1)>>1 - 1, Body: body}
			v.mu.Unlock()
			v.sendPose(wire.AppendPose(nil, &p))
		}, nil},
	} {
		for _, lane := range []string{"ws", ""} {
			t.Run(fmt.Sprintf("%s over %q", a.name, lane), func(t *testing.T) {
				rr := *r
				rr.t = t
				o := joinOptions{lane: lane}
				o.claims.User = "enemy-" + lane
				e := rr.join(o)
				stop, gone := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(gone)
					// Fifty times as much as others send.
					again := time.NewTicker(2 * time.Millisecond)
					defer again.Stop()
					for n := 1; ; n++ {
						for range 3 {
							a.step(e, n)
						}
						select {
						case <-stop:
							return
						case <-e.closed:
							return
						case <-e.pongs:
						case <-again.C:
						}
					}
				}()
				served(t)
				if a.ends != nil {
					if d := e.end(); !slices.Contains(a.ends, d.Code) || d.Msg == "" {
						t.Errorf("closed with %+v", d)
					}
				}
				close(stop)
				<-gone
				if a.ends == nil {
					select {
					case <-e.closed:
						t.Errorf("closed: %+v", e.end())
					default:
					}
				}
			})
		}
	}
	t.Run("opens and reads nothing", func(t *testing.T) {
		rr := *r
		rr.t = t
		o := joinOptions{peer: peertest.Options{Stalled: true}}
		o.claims.User = "deaf"
		rr.dial(o)
		served(t)
	})
}
