// Package simulate runs a load plan against a modelled server, without a network and in no time: to see
// before a run whether the plan would measure the server or only a queue.
//
// # Model
//
//	arrivals (plan) -> in flight (bounded) -> queue -> slots, each serves one action for a time drawn from a distribution
//
// It is an event loop over virtual time, drawn from the plan's seed: the same plan and server give the same figures on every
// machine. An open loop sends what is due, an answer or not; a closed loop has one user for each that the
// curve has, who waits for the answer, thinks, and acts again. The two see the same server differently, and that is the point: past its
// capacity an open loop's queue grows until the end of the run, while a closed loop slows down with the server and reports
// quite good latencies of much less work than was planned.
package simulate

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// Server is a modelled server.
type Server struct {
	Slots   int       // actions that it works on at the same time
	Service plan.Dist // how long it works on one
	Network plan.Dist // there and back together; Kind "" for none
	// Frozen are times in which it begins nothing and nothing ends.
	Frozen []Window
	// Queue bounds how many actions wait; more are refused at once. 0: unbounded.
	Queue int
}

// Window is a time from From up to, not including, To.
type Window struct{ From, To time.Duration }

// Refused is the failure of an action that a full queue refused.
const Refused = "queue_full"

// Check says what is wrong with the server, nil for nothing.
func (s *Server) Check() error {
	if s.Slots < 1 {
		return fmt.Errorf("a server with %d slots: it needs at least one", s.Slots)
	}
	if err := s.Service.Check(); err != nil {
		return fmt.Errorf("service time: %w", err)
	}
	if s.Network.Kind != "" {
		if err := s.Network.Check(); err != nil {
			return fmt.Errorf("network time: %w", err)
		}
	}
	if s.Queue < 0 {
		return fmt.Errorf("a queue of %d: give 0 for an unbounded one", s.Queue)
	}
	for i, w := range s.Frozen {
		if w.From < 0 || w.To <= w.From || i > 0 && w.From < s.Frozen[i-1].To {
			return fmt.Errorf("standstill %d from %v to %v: they ascend and do not overlap", i+1, w.From, w.To)
		}
	}
	return nil
}

// Capacity returns the actions a second that the server can do at most.
func (s *Server) Capacity() float64 { return float64(s.Slots) / s.Service.Mu().Seconds() }

// thaw returns the moment at which work that would be done at end, and is under way from start, is done in spite of standstills.
func (s *Server) thaw(start, end time.Duration) time.Duration {
	for _, w := range s.Frozen {
		if start >= w.From && start < w.To {
			end += w.To - start
			start = w.To
		} else if start < w.From && end > w.From {
			end += w.To - w.From
		}
	}
	return end
}

// action is one on its way.
type action struct {
	figures.Sample
	user    int // of a closed loop, -1 otherwise
	arrived time.Duration
	started time.Duration
	gone    bool // its timeout has passed
}

type kind uint8

const (
	due     kind = iota // an action is due (open loop), or its user has thought (closed loop)
	arrives             // at the server
	served
	answered
	timeout
	users // the number of users of a closed loop is looked at
)

type event struct {
	at   time.Duration
	n    uint64 // in the order of making, so that equal moments have one order
	kind kind
	a    *action
}

type queue []event

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].n < q[j].n
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(event)) }
func (q *queue) Pop() any {
	x := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return x
}

// run is one simulation under way.
type run struct {
	p      *plan.Plan
	s      *Server
	rng    *rand.Rand // of the server
	events queue
	made   uint64
	now    time.Duration
	set    *figures.Set

	arrivals *plan.Arrivals // of an open loop
	inFlight int
	held     []*action // due, but as many are in flight as may be
	waiting  []*action // in the server's queue
	busy     int

	people   []*rand.Rand // of a closed loop
	sleeping map[int]bool // those who are not there
}

// streamServer keeps the server's random numbers apart from the plan's.
const streamServer = 0x736572766572

// Run simulates a plan, with loop Open or Closed, and returns what was counted, in slices of a length. The error says what is wrong with plan or
// server. All that was sent is followed to its end, which may be after the plan's.
func Run(p *plan.Plan, s *Server, loop plan.Loop, every time.Duration) (*figures.Set, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := &run{p: p, s: s, rng: rand.New(rand.NewPCG(p.Seed, streamServer)), set: figures.NewSet(every)}
	switch loop {
	case plan.Open:
		r.arrivals = p.Arrivals()
		r.plan()
	case plan.Closed:
		r.sleeping = map[int]bool{}
		r.at(0, users, nil)
	default:
		return nil, fmt.Errorf("a simulation is of an open or a closed loop, not %q", loop)
	}
	for t := time.Duration(0); t < p.Duration; t += every {
		r.set.Users(t, p.Curve.At(t))
	}
	for len(r.events) > 0 {
		e := heap.Pop(&r.events).(event)
		r.now = e.at
		handlers[e.kind](r, e.a)
	}
	return r.set, nil
}

var handlers = [...]func(*run, *action){
	due: (*run).due, arrives: (*run).arrives, served: (*run).served, answered: (*run).answered, timeout: (*run).timeout, users: (*run).users,
}

func (r *run) at(t time.Duration, k kind, a *action) {
	heap.Push(&r.events, event{t, r.made, k, a})
	r.made++
}

// plan makes the next action of an open loop due.
func (r *run) plan() {
	if d, ok := r.arrivals.Next(); ok {
		r.at(d.At, due, &action{Sample: figures.Sample{Action: d.Action, Due: d.At}, user: -1})
	}
}

// users lets those of a closed loop come who are missing.
func (r *run) users(*action) {
	there := int(r.p.Curve.At(r.now) + 0.5)
	for n := range there {
		if n == len(r.people) {
			r.people = append(r.people, r.p.ClosedRNG(n))
			r.sleeping[n] = true
		}
		if r.sleeping[n] {
			delete(r.sleeping, n)
			r.think(n)
		}
	}
	if next := r.now + r.p.Tick; next < r.p.Duration {
		r.at(next, users, nil)
	}
}

// think lets a user think, and act then; not one who is too many, or who would act after the end.
func (r *run) think(n int) {
	t := r.now + r.p.Think.Draw(r.people[n])
	if t >= r.p.Duration || n >= int(r.p.Curve.At(r.now)+0.5) {
		r.sleeping[n] = true
		return
	}
	r.at(t, due, &action{Sample: figures.Sample{Action: r.p.Pick(r.people[n]), Due: t}, user: n})
}

func (r *run) due(a *action) {
	if a.user < 0 {
		r.plan()
	}
	if r.inFlight >= r.p.MaxInFlight {
		r.held = append(r.held, a)
		return
	}
	r.send(a)
}

func (r *run) send(a *action) {
	r.inFlight++
	a.Sent = r.now
	r.at(r.now+r.half(), arrives, a)
	r.at(r.now+r.p.Timeout, timeout, a)
}

// half draws one way over the network.
func (r *run) half() time.Duration {
	if r.s.Network.Kind == "" {
		return 0
	}
	return r.s.Network.Draw(r.rng) / 2
}

func (r *run) arrives(a *action) {
	a.arrived = r.now
	if r.busy < r.s.Slots {
		r.serve(a)
		return
	}
	if r.s.Queue > 0 && len(r.waiting) >= r.s.Queue {
		a.Failure = Refused
		r.at(r.now+r.half(), answered, a)
		return
	}
	r.waiting = append(r.waiting, a)
}

func (r *run) serve(a *action) {
	r.busy++
	a.started = r.s.thaw(r.now, r.now)
	end := r.s.thaw(a.started, a.started+r.s.Service.Draw(r.rng))
	a.Queued, a.Service = a.started-a.arrived, end-a.started
	r.at(end, served, a)
}

func (r *run) served(a *action) {
	r.busy--
	if len(r.waiting) > 0 {
		next := r.waiting[0]
		r.waiting = r.waiting[1:]
		r.serve(next)
	}
	r.at(r.now+r.half(), answered, a)
}

func (r *run) answered(a *action) {
	if !a.gone {
		r.done(a)
	}
}

func (r *run) timeout(a *action) {
	if a.Done == 0 {
		a.Failure = "timeout"
		r.done(a)
	}
}

// done counts an action, sends one that was held back, and lets its user think.
func (r *run) done(a *action) {
	a.gone, a.Done = true, max(r.now, 1)
	r.set.Add(&a.Sample)
	r.inFlight--
	if len(r.held) > 0 {
		next := r.held[0]
		r.held = r.held[1:]
		r.send(next)
	}
	if a.user >= 0 {
		r.think(a.user)
	}
}
