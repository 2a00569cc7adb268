package peer

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// stuck is a link whose bytes never leave, or all at once.
type stuck struct{ pose, event uint64 }

func (s *stuck) sendPose(b []byte) error  { s.pose += uint64(len(b)); return nil }
func (s *stuck) sendEvent(b []byte) error { s.event += uint64(len(b)); return nil }
func (s *stuck) buffered(l laneKind) uint64 {
	if l == poseLane {
		return s.pose
	}
	return s.event
}
func (s *stuck) shut(Cause) {}

// onStuck runs f in a bubble of fake time, with an open peer on a link that does not move.
func onStuck(t *testing.T, f func(p *Peer, l *stuck, own *owner)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		own := newOwner()
		e := &Engine{cfg: Config{SetupTimeout: defaultSetup}, peers: map[*Peer]struct{}{}}
		p := newPeer(e, "x", WebRTC, own.handlers())
		l := &stuck{}
		p.link = l
		if err := e.add(p); err != nil {
			t.Fatal(err)
		}
		if !p.opened() {
			t.Fatal("not opened")
		}
		f(p, l, own)
		p.Close(wire.CodeLeft, "")
		<-p.Done()
	})
}

func pass(d time.Duration) { <-time.After(d) }

func TestPoseLaneSkipsByAge(t *testing.T) {
	onStuck(t, func(p *Peer, l *stuck, _ *owner) {
		p.SendPose(make([]byte, 100))
		pass(PoseBehind + ackDelay)
		if !p.CanSendPose(0) {
			t.Error("skips although the client may still acknowledge in time")
		}
		pass(time.Millisecond)
		if p.CanSendPose(0) {
			t.Error("does not skip behind a message that is too old")
		}
		if !p.CanSendPose(50 * time.Millisecond) {
			t.Error("the round trip does not count")
		}
		l.pose = 0
		if !p.CanSendPose(0) {
			t.Error("skips on an empty lane")
		}
		if got := p.Stats().Skipped; got != 1 {
			t.Errorf("%d skips counted", got)
		}
	})
}

func TestEventLaneClosesByAge(t *testing.T) {
	onStuck(t, func(p *Peer, l *stuck, own *owner) {
		p.SendEvent(make([]byte, 100))
		pass(EventBehind)
		p.CheckBehind()
		if !p.Connected() {
			t.Fatal("closed too early")
		}
		pass(time.Millisecond)
		p.CheckBehind()
		if c := <-own.closed; c.Code != wire.CodeSlowConsumer {
			t.Errorf("cause %+v", c)
		}
	})
}

func TestEventClockStandsStillWhileInterrupted(t *testing.T) {
	onStuck(t, func(p *Peer, l *stuck, own *owner) {
		p.SendEvent(make([]byte, 100))
		pass(EventBehind / 2)
		p.interrupted()
		if p.Connected() || p.CanSendPose(0) {
			t.Error("an interrupted peer counts as connected")
		}
		pass(time.Minute)
		p.CheckBehind()
		p.restored()
		pass(EventBehind / 2)
		p.CheckBehind()
		if len(own.closed) != 0 {
			t.Fatal("closed for what the interruption took")
		}
		pass(time.Millisecond)
		p.CheckBehind()
		if c := <-own.closed; c.Code != wire.CodeSlowConsumer {
			t.Errorf("cause %+v", c)
		}
	})
}

func TestEventLaneClosesBySize(t *testing.T) {
	onStuck(t, func(p *Peer, l *stuck, own *owner) {
		n := 0
		for p.SendEvent(make([]byte, 4096)) {
			n += 4096
		}
		if n != EventBuffered {
			t.Errorf("%d bytes were taken", n)
		}
		if c := <-own.closed; c.Code != wire.CodeSlowConsumer {
			t.Errorf("cause %+v", c)
		}
	})
}

func TestOpenAndCloseKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own := newOwner()
		e := &Engine{cfg: Config{SetupTimeout: defaultSetup}, peers: map[*Peer]struct{}{}}
		p := newPeer(e, "x", WebRTC, own.handlers())
		p.link = &stuck{}
		if err := e.add(p); err != nil {
			t.Fatal(err)
		}
		if c := <-own.closed; c.Code != wire.CodeSetupTimeout {
			t.Errorf("cause %+v", c)
		}
		if p.opened() || len(own.open) != 0 {
			t.Error("opened after it was closed")
		}
		<-p.Done()
	})
}

// A transport that never ends must not keep its peer, nor the engine's end, for ever.
func TestTransportThatDoesNotEndIsLeftBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		own := newOwner()
		e := &Engine{cfg: Config{SetupTimeout: defaultSetup, Log: slog.New(slog.DiscardHandler)}, peers: map[*Peer]struct{}{}}
		p := newPeer(e, "x", WebRTC, own.handlers())
		never := make(chan struct{})
		p.link = &rtcLink{peer: p, end: func() error { <-never; return nil }}
		if err := e.add(p); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		p.Close(wire.CodeConnectionLost, "")
		e.running.Wait()
		if took := time.Since(start); took != endWait || e.Len() != 0 {
			t.Errorf("after %v %d peers are left; want %v, none", took, e.Len(), endWait)
		}
		<-p.Done()
		close(never)
	})
}
