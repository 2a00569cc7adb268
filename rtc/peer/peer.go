package peer

import (
	"fmt"
	"sync"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// Kind says how a peer is connected.
type Kind string

// Kinds of peer.
const (
	WebRTC    Kind = "webrtc" // over UDP, or over TCP: see Peer.OverTCP
	WebSocket Kind = "ws"
)

// Cause is why a peer was closed.
type Cause struct {
	Code wire.Code
	Msg  string
}

// Handlers is what a peer calls. All must be set.
type Handlers struct {
	// Open: both lanes are up. It comes before any message, and not at all when the set-up failed.
	Open func(p *Peer)
	// Pose: a message of the pose lane. b is valid until it returns.
	Pose func(p *Peer, b []byte, at time.Time)
	// Event: a message of the event lane. b is valid until it returns.
	Event func(p *Peer, b []byte, at time.Time)
	// Closed: the peer takes no more messages. The last received one may still be on its way.
	Closed func(p *Peer, c Cause)
}

// laneKind is one of the two lanes.
type laneKind bool

const (
	poseLane  laneKind = false
	eventLane laneKind = true
)

// link is the transport under a peer. Sends do not block and do not keep b.
type link interface {
	sendPose(b []byte) error
	sendEvent(b []byte) error
	// buffered returns how many bytes wait in a lane.
	buffered(laneKind) uint64
	// shut ends the connection, first giving what waits in the event lane a moment. It may block.
	shut(c Cause)
}

// Peer is one connection. Its methods may be called from any goroutine.
type Peer struct {
	id     string
	kind   Kind
	engine *Engine
	on     Handlers
	link   link

	call sync.Mutex // held around on.Open and on.Closed, so that they keep their order

	mu      sync.Mutex
	open    bool
	closed  bool
	clock   stopwatch
	poses   backlog
	events  backlog
	stats   Stats
	setup   *time.Timer
	done    chan struct{} // closed when the transport is down
	closing chan struct{} // closed as soon as the peer is to close
}

// Stats counts what a peer sent.
type Stats struct {
	Poses, Skipped, Events uint64 // messages
	PoseBytes, EventBytes  uint64
}

func newPeer(e *Engine, id string, kind Kind, on Handlers) *Peer {
	return &Peer{
		id: id, kind: kind, engine: e, on: on,
		clock: stopwatch{start: time.Now()},
		done:  make(chan struct{}), closing: make(chan struct{}),
	}
}

// ID is unguessable: whoever knows it may restart or end this connection.
func (p *Peer) ID() string { return p.id }

// Kind says how the peer is connected.
func (p *Peer) Kind() Kind { return p.kind }

// Done is closed when the transport is down for good.
func (p *Peer) Done() <-chan struct{} { return p.done }

// Stats returns what was sent until now.
func (p *Peer) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Connected reports whether both lanes are up and the transport is not known to be interrupted.
func (p *Peer) Connected() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open && !p.closed && p.clock.since.IsZero()
}

// CanSendPose reports whether the pose lane would take a message now, so that a caller need not
// build one in vain; when it would not, that counts as skipped. roundTrip is what the caller measured, 0 if nothing.
func (p *Peer) CanSendPose(roundTrip time.Duration) bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.open || p.closed || !p.clock.since.IsZero() {
		return false
	}
	held := p.link.buffered(poseLane)
	if held > PoseBuffered || p.poses.age(held, p.clock.at(now)) > PoseBehind+ackDelay+roundTrip {
		p.stats.Skipped++
		return false
	}
	return true
}

// SendPose sends a message on the pose lane. False means that the lane is down. Ask
// [Peer.CanSendPose] first.
func (p *Peer) SendPose(b []byte) bool {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.open || p.closed {
		return false
	}
	if err := p.link.sendPose(b); err != nil {
		return false
	}
	p.poses.add(len(b), p.clock.at(now))
	p.stats.Poses++
	p.stats.PoseBytes += uint64(len(b))
	return true
}

// SendEvent sends a message on the event lane. False means that the peer is
// closed, perhaps by this very call because it does not read.
func (p *Peer) SendEvent(b []byte) bool {
	now := time.Now()
	p.mu.Lock()
	if !p.open || p.closed {
		p.mu.Unlock()
		return false
	}
	cause := p.behind(now, len(b))
	if cause == nil {
		if err := p.link.sendEvent(b); err != nil {
			cause = &Cause{wire.CodeConnectionLost, err.Error()}
		} else {
			p.events.add(len(b), p.clock.at(now))
			p.stats.Events++
			p.stats.EventBytes += uint64(len(b))
		}
	}
	p.mu.Unlock()
	if cause != nil {
		p.Close(cause.Code, cause.Msg)
	}
	return cause == nil
}

// CheckBehind closes the peer when its event lane is too far behind. Call it a few
// times a second: a lane that nothing is sent on is not looked at otherwise.
func (p *Peer) CheckBehind() {
	p.mu.Lock()
	var cause *Cause
	if p.open && !p.closed {
		cause = p.behind(time.Now(), 0)
	}
	p.mu.Unlock()
	if cause != nil {
		p.Close(cause.Code, cause.Msg)
	}
}

func (p *Peer) behind(now time.Time, more int) *Cause {
	held := p.link.buffered(eventLane)
	if held+uint64(more) > EventBuffered {
		return &Cause{wire.CodeSlowConsumer, fmt.Sprintf("%d bytes of events wait to be read, at most %d may", held, EventBuffered)}
	}
	if age := p.events.age(held, p.clock.at(now)); age > EventBehind {
		return &Cause{wire.CodeSlowConsumer, fmt.Sprintf("an event has waited %d ms to be read, at most %d ms may pass", age.Milliseconds(), EventBehind.Milliseconds())}
	}
	return nil
}

// Close ends the connection from a goroutine of its own; the client is told the code and
// the message if its event lane still moves. Only the first call counts.
func (p *Peer) Close(code wire.Code, msg string) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return
	}
	p.closed = true
	close(p.closing)
	if p.setup != nil {
		p.setup.Stop()
	}
	p.link.sendEvent(wire.AppendClose(nil, code, msg)) // a lane that is not up has nobody to tell
	p.mu.Unlock()
	cause := Cause{code, msg}
	go func() {
		defer p.engine.closed(p)
		p.call.Lock()
		p.on.Closed(p, cause)
		p.call.Unlock()
		p.link.shut(cause)
		close(p.done)
	}()
}

// abandon makes a peer that its owner never got stay silent.
func (p *Peer) abandon() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	close(p.closing)
}

// opened tells the owner that both lanes are up; false when the peer was closed meanwhile.
// Messages are handed on only after it.
func (p *Peer) opened() bool {
	p.call.Lock()
	defer p.call.Unlock()
	p.mu.Lock()
	if p.closed || p.open {
		p.mu.Unlock()
		return false
	}
	p.open = true
	if p.setup != nil {
		p.setup.Stop()
	}
	p.mu.Unlock()
	p.on.Open(p)
	return true
}

// interrupted and restored tell of a transport that may come back.
func (p *Peer) interrupted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock.pause(time.Now())
}

func (p *Peer) restored() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.clock.resume(time.Now())
}
