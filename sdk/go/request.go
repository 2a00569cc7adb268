package client

import (
	"context"
	"errors"

	"github.com/venued/venued/rtc/wire"
)

// Bounds of what a client keeps of its key inputs.
const (
	// MaxPending is how many key inputs may wait to be applied; beyond it Grab and the
	// others return ErrBusy.
	MaxPending = 64
	// maxUndurable is how many applied inputs are followed until they are durable, and can be sent again
	// after a crash of the server. The oldest beyond it is let go.
	maxUndurable = 1024
)

// ErrUnknownOutcome: the connection was away for longer than the venue keeps events. The input was decided;
// how, the entities' states show.
var ErrUnknownOutcome = errors.New("client: decided while the connection was away; look at the entities")

// ErrUndone: a crash of the server undid the decision that Applied told of before it was durable, and when the region
// decided again, it said no.
var ErrUndone = errors.New("client: a crash of the server undid it, and it was then denied")

// Outcome is how a region decided a key input.
type Outcome struct {
	Tick uint64    // of the decision; 0 when it is not known
	OK   bool      // granted, taken
	Code wire.Code // why not
	Msg  string    // why not, in words
	// Times say how long the input waited at the server, and how long the tick took that took it; zero when it did not say.
	Times wire.Times
}

// Request is a key input on its way: a grab, release, use or message. Its methods may be
// called from any goroutine.
type Request struct {
	n       uint32
	kind    string // wire type
	msg     []byte
	taken   bool   // the region has it: it need not be sent again unless the region loses it
	bound   uint64 // durable once everything up to this tick is
	applied chan struct{}
	durable chan struct{}
	undone  bool // decided a second time, and then refused
	times   wire.Times
	// Written before the channel that announces them is closed.
	outcome    Outcome
	err        error
	durableErr error
}

func newRequest(n uint32, kind string, msg []byte) *Request {
	return &Request{n: n, kind: kind, msg: msg, applied: make(chan struct{}), durable: make(chan struct{})}
}

// Seq is the input's number in its session: what Event.Seq of an answer holds.
func (r *Request) Seq() uint32 { return r.n }

// Done is closed once the request is decided or lost.
func (r *Request) Done() <-chan struct{} { return r.applied }

// Applied waits for the region's decision. A denial is not an error: see Outcome. Errors
// are those of ctx, ErrSessionLost, ErrUnknownOutcome, or why the client ended.
func (r *Request) Applied(ctx context.Context) (Outcome, error) {
	select {
	case <-r.applied:
		return r.outcome, r.err
	default:
	}
	select {
	case <-r.applied:
		return r.outcome, r.err
	case <-ctx.Done():
		return Outcome{}, ctx.Err()
	}
}

// Durable waits until what the request did is in the venue's store. Errors are those of
// ctx, ErrSessionLost, ErrUntracked, ErrUndone, or why the client ended.
func (r *Request) Durable(ctx context.Context) error {
	select {
	case <-r.durable:
		return r.durableErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (r *Request) settle(o Outcome, err error) {
	if closed(r.applied) {
		r.undone = r.undone || (err == nil && r.outcome.OK && !o.OK)
		return
	}
	r.outcome, r.err = o, err
	close(r.applied)
}

func (r *Request) store(err error) {
	if !closed(r.durable) {
		r.durableErr = err
		close(r.durable)
	}
}

// waitsForEvent reports whether the taking of the input is not yet its decision: a
// contested grab waits for its window.
func (r *Request) waitsForEvent() bool { return r.kind == wire.UpGrab }

// requests is the ordered book of a session's key inputs. Guarded by Client.mu.
type requests struct {
	next uint32     // number of the next input
	kept []*Request // by number, without gaps: not taken, not decided, or not durable
	tick uint64     // newest durable tick heard of
}

func newRequests(next uint32) requests { return requests{next: max(next, 1)} }

// unapplied counts what still waits to be decided.
func (q *requests) unapplied() (n int) {
	for _, r := range q.kept {
		if !closed(r.applied) {
			n++
		}
	}
	return n
}

// add books a new input whose message msg makes of its number.
func (q *requests) add(kind string, msg func(n uint32) []byte) (*Request, error) {
	if q.unapplied() >= MaxPending {
		return nil, ErrBusy
	}
	r := newRequest(q.next, kind, msg(q.next))
	q.next++
	q.kept = append(q.kept, r)
	q.trim()
	return r, nil
}

func (q *requests) find(n uint32) *Request {
	if len(q.kept) == 0 || n < q.kept[0].n || n-q.kept[0].n >= uint32(len(q.kept)) {
		return nil
	}
	return q.kept[n-q.kept[0].n]
}

// ack notes that the region has taken input n, or refused it for good.
func (q *requests) ack(n uint32, o Outcome) {
	r := q.find(n)
	if r == nil {
		return
	}
	r.taken = true
	r.bound = max(r.bound, o.Tick)
	r.times = o.Times
	if !o.OK || !r.waitsForEvent() {
		r.settle(o, nil)
	}
	q.trim()
}

// answered notes the event that says how input n was decided.
func (q *requests) answered(n uint32, o Outcome) {
	if r := q.find(n); r != nil {
		o.Times = r.times
		r.taken = true
		r.bound = max(r.bound, o.Tick)
		r.settle(o, nil)
		q.trim()
	}
}

// stored notes that all effects up to tick are durable.
func (q *requests) stored(tick uint64) {
	q.tick = max(q.tick, tick)
	q.trim()
}

// resumed reconciles at a tick with the cursor that the region has of this session: what is above it, or has had
// no answer, is to be sent again. full says that events may have been missed. The result is false when the
// region wants numbers that are no longer kept: the session cannot go on.
func (q *requests) resumed(cursor uint32, tick uint64, full bool) bool {
	first := q.next
	if len(q.kept) > 0 {
		first = q.kept[0].n
	}
	if cursor+1 < first {
		return false
	}
	for _, r := range q.kept {
		switch decided := closed(r.applied); {
		case r.n > cursor:
			// A crash may have undone a decision: when it is made again, it counts from then.
			r.taken, r.bound = false, 0
		case !decided && full:
			r.taken, r.bound = true, tick
			r.settle(Outcome{}, ErrUnknownOutcome)
		case !decided:
			// The answer was lost. A denial is among the events that now come again; asking again, after them,
			// gets the acknowledgement again.
			r.taken = false
		default:
			r.taken = true
			if r.bound == 0 {
				r.bound = tick // decided again, some time before
			}
		}
	}
	// Another process may have sent more under this session.
	q.next = max(q.next, cursor+1)
	q.trim()
	return true
}

// untaken returns what the region does not have yet, in order.
func (q *requests) untaken() (again []*Request) {
	for _, r := range q.kept {
		if !r.taken {
			again = append(again, r)
		}
	}
	return again
}

// trim lets go of what is decided and durable, from the oldest on, and of what exceeds the bound.
func (q *requests) trim() {
	for len(q.kept) > 0 {
		r := q.kept[0]
		if !closed(r.applied) || !r.taken {
			return
		}
		if r.bound > q.tick || q.tick == 0 {
			if len(q.kept) <= maxUndurable {
				return
			}
			r.store(ErrUntracked)
		} else if r.undone {
			r.store(ErrUndone)
		} else {
			r.store(nil)
		}
		q.kept[0] = nil
		q.kept = q.kept[1:]
	}
}

// lost ends everything with err and starts a new session's numbers.
func (q *requests) lost(err error) {
	for _, r := range q.kept {
		r.settle(Outcome{}, err)
		r.store(err)
	}
	*q = newRequests(1)
}
