package client

import (
	"context"
	"errors"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// Bounds of what waits to be sent.
const (
	// maxPoseBacklog is how much may wait on the pose lane before a sample is skipped, bytes: a lane
	// without retransmits still queues without bound behind a stalled path.
	maxPoseBacklog = 8 << 10
	// maxEventBacklog is how much may wait on the event lane before the link is given up, bytes.
	maxEventBacklog = 256 << 10
	// maxMessage is the largest message taken from the server on the event lane, or on a stream, bytes.
	maxMessage = wire.MaxWelcome
	// maxPoseMessage is the largest on the pose lane: above wire.MaxFrame, so that what breaks the limit is
	// seen as that.
	maxPoseMessage = 4 << 10
)

// Causes of a link's end that this side finds.
var (
	errSilent     = errors.New("nothing came for several seconds")
	errBacklog    = errors.New("the event lane is 256 KiB behind")
	errNoRepair   = errors.New("this lane has no repair but a new connection")
	errPeerClosed = errors.New("the server closed the connection")
	errDropped    = errors.New("dropped on purpose")
)

// lanes is what a link calls with what arrives: one call of each at a time, b is valid
// during the call only.
type lanes struct {
	pose  func(b []byte)
	event func(b []byte)
}

// link is one transport with both lanes. Its methods may be called from any goroutine.
type link interface {
	// sendPose sends b on the pose lane, or skips it and returns false when that is behind.
	sendPose(b []byte) bool
	// sendEvent sends b on the event lane without waiting.
	sendEvent(b []byte) error
	// flush waits until what was sent on the event lane has left, or ctx ends.
	flush(ctx context.Context)
	// troubled gives a value when the path has become doubtful: time for repair.
	troubled() <-chan struct{}
	// repair tries to bring the same connection back; an error means that only a new one helps.
	repair(ctx context.Context) error
	// done is closed when the link is dead; cause then says why.
	done() <-chan struct{}
	cause() error
	// fail ends the link with a cause, without waiting.
	fail(cause error)
	// close ends it and returns when its goroutines have.
	close()
	// remove tells the gateway that this connection will not come back (DELETE).
	remove(ctx context.Context)
	// lane names what it runs over.
	lane() Lane
}

// ending is the part of a link that dies once, with a cause.
type ending struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
}

func newEnding() ending {
	ctx, cancel := context.WithCancelCause(context.Background())
	return ending{ctx, cancel}
}

func (e *ending) done() <-chan struct{} { return e.ctx.Done() }
func (e *ending) cause() error          { return context.Cause(e.ctx) }
func (e *ending) fail(cause error)      { e.cancel(cause) }

// open makes one link by the wanted lane. LaneAuto falls back to WebSocket when WebRTC does not
// come up, but not when the venue has refused: another lane would hear the same.
func (o *Options) open(ctx context.Context, t ticket, l lanes) (link, error) {
	switch o.Lane {
	case LaneWS:
		return o.dialWS(ctx, t, l)
	case LaneWebRTC, LaneTCP:
		return o.dialRTC(ctx, t, l)
	}
	// Half of the time for each.
	part := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		part, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	k, err := o.dialRTC(part, t, l)
	var no *Refused
	if err == nil || ctx.Err() != nil || errors.As(err, &no) {
		return k, err
	}
	o.Log.Info("WebRTC did not come up; trying the WebSocket lane", "error", err)
	return o.dialWS(ctx, t, l)
}
