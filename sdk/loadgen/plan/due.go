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
}

// Streams of random numbers of a plan, so that one thing that is drawn more often changes nothing about another.
const (
	streamArrivals = 0x6172726976616c73
	streamClosed   = 0x636c6f736564
)

// Arrivals starts the process. The plan must be valid.
func (p *Plan) Arrivals() *Arrivals {
	return &Arrivals{plan: p, rng: rand.New(rand.NewPCG(p.Seed, streamArrivals)), mean: p.Think.Mu().Seconds() * float64(p.parts())}
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
	d := Due{At: at, N: a.n, Action: a.plan.Pick(a.rng), Draw: a.rng.Uint64()}
	a.n++
	return d, true
}

// Pick draws a kind of action by the weights of the mix.
func (p *Plan) Pick(rng *rand.Rand) string {
	sum := 0.0
	for _, a := range p.Actions {
		sum += a.Weight
	}
	x := rng.Float64() * sum
	for _, a := range p.Actions {
		if x -= a.Weight; x < 0 {
			return a.Kind
		}
	}
	return p.Actions[len(p.Actions)-1].Kind
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
		want := p.There(t)
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
