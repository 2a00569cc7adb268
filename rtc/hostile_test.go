package rtc

import (
	"fmt"
	"testing"

	"github.com/venued/venued/rtc/wire"
)

// One who acknowledges what was never sent, repeats old samples, floods samples and messages among ten honest ones: the
// honest ones miss nothing, by count, and the hostile one is closed with the reason.
func TestOneHostileAmongHonestOnes(t *testing.T) {
	const honest, frames = 10, 30
	r := newRig(t, rigOptions{})
	for i := range honest {
		o := joinOptions{lane: "ws"}
		o.claims.User = fmt.Sprint("honest-", i)
		r.join(o)
	}
	enemy := joinOptions{lane: "ws"}
	enemy.claims.User = "enemy"
	e := r.join(enemy)
	before := map[string]uint64{}
	r.until("a count", func() bool {
		for _, s := range r.g.hub.order {
			before[s.who.user] = s.pace.frames
		}
		return true
	})
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for n := uint16(0); ; n++ {
			select {
			case <-stop:
				return
			case <-e.closed:
				return
			default:
			}
			future := wire.Pose{Seq: n * 7, HasAck: true, AckSeq: 30000 + n, AckBits: ^uint32(0)}
			e.sendPose(wire.AppendPose(nil, &future))
			old := wire.Pose{Seq: 1, Stamp: ^uint32(0)}
			e.sendPose(wire.AppendPose(nil, &old))
			e.say(uint32(n), "x")
		}
	}()
	d := e.end()
	close(stop)
	<-gone
	if d.Code != wire.CodeProtocolViolation && d.Code != wire.CodeEventFlood {
		t.Errorf("the hostile one was closed with %+v", d)
	}
	// Frames are numbered as they are built: each of the honest ones got as many as the others, but for one at the edge.
	var least, most uint64
	r.until("frames for everyone", func() bool {
		least, most = ^uint64(0), 0
		for _, s := range r.g.hub.order {
			if s.who.user == "enemy" || s.conn == nil {
				continue
			}
			n := s.pace.frames - before[s.who.user]
			least, most = min(least, n), max(most, n)
		}
		return least >= frames && least != ^uint64(0)
	})
	connected := 0
	r.until("a look", func() bool {
		connected = 0
		for _, s := range r.g.hub.order {
			if s.conn != nil && s.who.user != "enemy" {
				connected++
			}
		}
		return true
	})
	if connected != honest {
		t.Errorf("%d of %d honest ones are connected", connected, honest)
	}
	if most-least > most/10+2 {
		t.Errorf("honest ones got from %d to %d frames", least, most)
	}
	_ = all
}
