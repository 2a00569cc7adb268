package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// Timeout is the failure of an action without an answer within the plan's timeout.
const Timeout = "timeout"

// Outcome is what came of an action.
type Outcome struct {
	Queued   time.Duration // it waited in the server
	Service  time.Duration // the server worked on it
	Failure  string        // "" for a success, else its kind
	Expected bool          // the failure is what the action was for
	Skipped  bool          // nobody could do it at that moment, as a release when nobody holds anything: nothing was sent
}

// Do carries an action out and returns when it is answered, or ctx ends: at the plan's timeout, or with the run. Many run at the
// same time.
type Do func(ctx context.Context, d plan.Due) Outcome

// Run is a plan that is being carried out, from its making on.
type Run struct {
	p     *plan.Plan
	loop  plan.Loop
	start time.Time
	own   chan item     // due by visitors' own behaviour; of the open loop
	over  chan struct{} // closed when no more is sent
	mu    sync.Mutex
	set   *figures.Set
}

// item is an action that is to be carried out.
type item struct {
	due plan.Due
	do  Do
}

// New begins a run of a valid plan, with loop Open or Closed, whose figures are in slices of a length. Go on with Do, at once.
func New(p *plan.Plan, loop plan.Loop, every time.Duration) *Run {
	return &Run{p: p, loop: loop, start: time.Now(), own: make(chan item), over: make(chan struct{}), set: figures.NewSet(every)}
}

// Now returns how long the run has gone on.
func (b *Run) Now() time.Duration { return time.Since(b.start) }

// Own carries out an action that a visitor does by its own behaviour, now; what it counts is that it was due at a time. In the open loop it returns at once,
// in the closed loop when the action is answered. It reports false when the run is over, and nothing is sent any more.
func (b *Run) Own(ctx context.Context, d plan.Due, do Do) bool {
	if b.loop == plan.Open {
		select {
		case b.own <- item{d, do}:
			return true
		case <-b.over:
			return false
		}
	}
	select {
	case <-b.over:
		return false
	default:
	}
	b.act(ctx, item{d, do})
	return true
}

// act carries one action out and counts it.
func (b *Run) act(ctx context.Context, x item) {
	d := x.due
	s := figures.Sample{Action: d.Action, Due: d.At, Sent: b.Now()}
	limit, cancel := context.WithTimeout(ctx, b.p.Timeout)
	out := x.do(limit, d)
	late := errors.Is(limit.Err(), context.DeadlineExceeded)
	cancel()
	s.Done = b.Now()
	if ctx.Err() != nil && out.Failure != "" {
		return // the run was ended under it
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if out.Skipped {
		b.set.Skip(d.Action)
		return
	}
	s.Queued, s.Service, s.Failure, s.Expected = out.Queued, out.Service, out.Failure, out.Expected
	if late && s.Failure != "" {
		s.Failure, s.Expected = Timeout, false
	}
	b.set.Add(&s)
}

// users notes how many users there are, at the end of every slice.
func (b *Run) users(ctx context.Context, there func() int) {
	tick := time.NewTicker(b.set.Every)
	defer tick.Stop()
	for ctx.Err() == nil && b.Now() < b.p.Duration {
		n := float64(there())
		b.mu.Lock()
		b.set.Users(min(b.Now(), b.p.Duration-1), n)
		b.mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Do carries the plan out; there says how many visitors there are. It returns once the plan is over and all that was sent is answered or timed out, or early
// when ctx ends. What Own carries out in the closed loop is counted until its caller returns: end those before the result is read.
func (b *Run) Do(ctx context.Context, there func() int, do Do) *figures.Set {
	over, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { b.users(over, there) })
	if b.loop == plan.Open {
		b.open(ctx, do)
	} else {
		b.closed(ctx, do)
	}
	cancel()
	watch.Wait()
	return b.set
}

// open sends what is due when it is due. At the plan's end what was held back is given up.
func (b *Run) open(ctx context.Context, do Do) {
	var (
		arrivals = b.p.Arrivals()
		next, ok = arrivals.Next()
		held     []item // due, but as many are in flight as may be
		inFlight int
		answered = make(chan struct{}, b.p.MaxInFlight)
		sent     sync.WaitGroup
	)
	send := func(x item) {
		if inFlight >= b.p.MaxInFlight {
			held = append(held, x)
			return
		}
		inFlight++
		sent.Go(func() {
			b.act(ctx, x)
			answered <- struct{}{}
		})
	}
	end := time.NewTimer(b.p.Duration)
	defer end.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for over := false; !over; {
		for ok && next.At <= b.Now() {
			send(item{next, do})
			next, ok = arrivals.Next()
		}
		if ok {
			timer.Reset(next.At - b.Now())
		}
		select {
		case <-timer.C:
		case <-answered:
			inFlight--
			if len(held) > 0 {
				next := held[0]
				held = held[1:]
				send(next)
			}
		case x := <-b.own:
			send(x)
		case <-end.C:
			over = true
		case <-ctx.Done():
			over = true
		}
	}
	close(b.over)
	sent.Wait()
	for _, x := range held {
		b.set.Unsent(x.due.At)
	}
	for ; ok && ctx.Err() == nil; next, ok = arrivals.Next() {
		b.set.Unsent(next.At) // due in the very last moment
	}
}

// closed lets as many users act one after the other as the curve has.
func (b *Run) closed(ctx context.Context, do Do) {
	var (
		mu     sync.Mutex
		awake  = map[int]bool{}
		random []*rand.Rand // by user
		all    sync.WaitGroup
	)
	wanted := func() int { return b.p.There(b.Now()) }
	live := func(n int, rng *rand.Rand) {
		for b.think(ctx, rng) && n < wanted() {
			b.act(ctx, item{plan.Due{At: b.Now(), N: n, Action: b.p.Pick(rng), Draw: rng.Uint64()}, do})
		}
		mu.Lock()
		delete(awake, n)
		mu.Unlock()
	}
	tick := time.NewTicker(b.p.Tick)
	defer tick.Stop()
	for ctx.Err() == nil && b.Now() < b.p.Duration {
		mu.Lock()
		for n := range wanted() {
			if n == len(random) {
				random = append(random, b.p.ClosedRNG(n))
			}
			if !awake[n] {
				awake[n] = true
				rng := random[n] // the list grows meanwhile
				all.Go(func() { live(n, rng) })
			}
		}
		mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
	close(b.over)
	all.Wait()
}

// think waits for a user's think time, and reports false when the plan is over by then.
func (b *Run) think(ctx context.Context, rng *rand.Rand) bool {
	d := b.p.Think.Draw(rng)
	if b.Now()+d >= b.p.Duration {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
