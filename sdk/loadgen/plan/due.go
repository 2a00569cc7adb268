package plan

import (
	"math/rand/v2"
	"time"
)

// Due is one action that is due.
type Due struct {
	At     time.Duration
	N      int    // from 0, in the order of At
	Action string // kind of the action, by the plan's mix
	Draw   uint64 // random bits of its own, for whatever else is to be decided about it
}

// Arrivals is the plan's arrival process: the moments at which actions are due. It belongs to one goroutine.
type Arrivals struct {
	plan *Plan
	rng  *rand.Rand
	mean float64 // seconds of think time
	sum  float64 // user-seconds up to the newest arrival
	n    int
	mix  []float64 // of weights, summed up
}

// Streams of random numbers of a plan, so that one thing that is drawn more often changes nothing about another.
const (
	streamArrivals = 0x6172726976616c73
	streamClosed   = 0x636c6f736564
)

// Arrivals starts the process. The plan must be valid.
func (p *Plan) Arrivals() *Arrivals {
	a := &Arrivals{plan: p, rng: rand.New(rand.NewPCG(p.Seed, streamArrivals)), mean: p.Think.Mu().Seconds()}
	sum := 0.0
	for _, act := range p.Actions {
		sum += act.Weight
		a.mix = append(a.mix, sum)
	}
	return a
}

// Next returns the next action that is due, and false when none is before the end of the plan.
//
// A Poisson process whose rate is N(t)/Z has gaps that are exponentially distributed in the integral of the rate, that is in
// user-seconds with mean Z (the time-rescaling theorem).
func (a *Arrivals) Next() (Due, bool) {
	a.sum += a.rng.ExpFloat64() * a.mean
	at, ok := a.plan.Curve.reaches(a.sum, a.plan.Duration)
	if !ok {
		return Due{}, false
	}
	d := Due{At: at, N: a.n, Action: a.action(), Draw: a.rng.Uint64()}
	a.n++
	return d, true
}

// action draws a kind of action by the weights of the mix.
func (a *Arrivals) action() string {
	x := a.rng.Float64() * a.mix[len(a.mix)-1]
	for i, up := range a.mix {
		if x < up {
			return a.plan.Actions[i].Kind
		}
	}
	return a.plan.Actions[len(a.mix)-1].Kind
}

// ClosedRNG returns the random numbers of user n of a closed loop.
func (p *Plan) ClosedRNG(n int) *rand.Rand {
	return rand.New(rand.NewPCG(p.Seed, streamClosed+uint64(n)))
}

// Visitors returns when visitors come and go so that there are as many as the curve says, rounded to the nearest: a list of changes in
// the order of time. The longest there goes first.
func (p *Plan) Visitors() []VisitorChange {
	var out []VisitorChange
	next, first := 0, 0
	for t := time.Duration(0); t < p.Duration; t += p.Tick {
		want := int(p.Curve.At(t) + 0.5)
		for ; next-first < want; next++ {
			out = append(out, VisitorChange{t, next, true})
		}
		for ; next-first > want; first++ {
			out = append(out, VisitorChange{t, first, false})
		}
	}
	return out
}

// VisitorChange says that a visitor comes or goes.
type VisitorChange struct {
	At    time.Duration
	N     int // the visitor, from 0 in the order in which they come
	Comes bool
}
