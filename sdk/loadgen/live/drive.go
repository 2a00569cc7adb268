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

// book is what is counted, by all goroutines of a run.
type book struct {
	p     *plan.Plan
	do    Do
	start time.Time
	mu    sync.Mutex
	set   *figures.Set
}

func (b *book) now() time.Duration { return time.Since(b.start) }

// act carries one action out and counts it.
func (b *book) act(ctx context.Context, d plan.Due) {
	s := figures.Sample{Action: d.Action, Due: d.At, Sent: b.now()}
	limit, cancel := context.WithTimeout(ctx, b.p.Timeout)
	out := b.do(limit, d)
	late := errors.Is(limit.Err(), context.DeadlineExceeded)
	cancel()
	s.Done = b.now()
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
func (b *book) users(ctx context.Context, there func() int) {
	tick := time.NewTicker(b.set.Every)
	defer tick.Stop()
	for ctx.Err() == nil && b.now() < b.p.Duration {
		n := float64(there())
		b.mu.Lock()
		b.set.Users(min(b.now(), b.p.Duration-1), n)
		b.mu.Unlock()
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Run carries out a valid plan from now on, with loop Open or Closed, in slices of a length. there says how many visitors there are. It returns once the plan is over and all that
// was sent is answered or timed out, or early when ctx ends.
func Run(ctx context.Context, p *plan.Plan, loop plan.Loop, every time.Duration, there func() int, do Do) *figures.Set {
	b := &book{p: p, do: do, start: time.Now(), set: figures.NewSet(every)}
	over, cancel := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { b.users(over, there) })
	if loop == plan.Open {
		b.open(ctx)
	} else {
		b.closed(ctx)
	}
	cancel()
	watch.Wait()
	return b.set
}

// open sends what is due when it is due. At the plan's end what was held back is given up.
func (b *book) open(ctx context.Context) {
	var (
		arrivals = b.p.Arrivals()
		next, ok = arrivals.Next()
		held     []plan.Due // due, but as many are in flight as may be
		inFlight int
		answered = make(chan struct{}, b.p.MaxInFlight)
		sent     sync.WaitGroup
	)
	send := func(d plan.Due) {
		inFlight++
		sent.Go(func() {
			b.act(ctx, d)
			answered <- struct{}{}
		})
	}
	end := time.NewTimer(b.p.Duration)
	defer end.Stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for over := false; !over; {
		for ok && next.At <= b.now() {
			if inFlight < b.p.MaxInFlight {
				send(next)
			} else {
				held = append(held, next)
			}
			next, ok = arrivals.Next()
		}
		if ok {
			timer.Reset(next.At - b.now())
		}
		select {
		case <-timer.C:
		case <-answered:
			inFlight--
			if len(held) > 0 {
				send(held[0])
				held = held[1:]
			}
		case <-end.C:
			over = true
		case <-ctx.Done():
			over = true
		}
	}
	sent.Wait()
	for _, d := range held {
		b.set.Unsent(d.At)
	}
	for ; ok && ctx.Err() == nil; next, ok = arrivals.Next() {
		b.set.Unsent(next.At) // due in the very last moment
	}
}

// closed lets as many users act one after the other as the curve has.
func (b *book) closed(ctx context.Context) {
	var (
		mu     sync.Mutex
		awake  = map[int]bool{}
		random []*rand.Rand // by user
		all    sync.WaitGroup
	)
	wanted := func() int { return int(b.p.Curve.At(b.now()) + 0.5) }
	live := func(n int, rng *rand.Rand) {
		for b.think(ctx, rng) && n < wanted() {
			b.act(ctx, plan.Due{At: b.now(), N: n, Action: b.p.Pick(rng), Draw: rng.Uint64()})
		}
		mu.Lock()
		delete(awake, n)
		mu.Unlock()
	}
	tick := time.NewTicker(b.p.Tick)
	defer tick.Stop()
	for ctx.Err() == nil && b.now() < b.p.Duration {
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
	all.Wait()
}

// think waits for a user's think time, and reports false when the plan is over by then.
func (b *book) think(ctx context.Context, rng *rand.Rand) bool {
	d := b.p.Think.Draw(rng)
	if b.now()+d >= b.p.Duration {
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
