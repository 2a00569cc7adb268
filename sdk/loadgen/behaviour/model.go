package behaviour

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
)

// Model is how visitors of a kind behave: two semi-Markov chains beside each other, one of ways to move and one of things to do. A visitor
// stays in a state for a time drawn from its dwell times, and goes on to another by the probabilities.
type Model struct {
	Name  string
	Moves []Move // at least one
	Acts  []Deed // none: visitors do nothing by themselves
}

// Move is a state of moving.
type Move struct {
	Name   string
	Motion motion.Kind
	Walks  bool // to a place on the floor, drawn anew; the dwell time ends at the latest when it would be there
	Dwell  plan.Dist
	Next   []Chance
}

// Deed is a state of doing: the act is done, and then the dwell time passes: it is the think time that follows this act.
type Deed struct {
	Name  string
	Act   string // plan.Grab, plan.Release, plan.Rule, plan.Teleport, plan.Door, plan.Resume, plan.Denied or plan.Bad
	Topic string // of plan.Rule
	Bytes int    // of plan.Rule: the payload's length
	Dwell plan.Dist
	Next  []Chance
}

// Chance is how likely a state is next.
type Chance struct {
	To string
	P  float64 // above 0; those of one state add up to 1
}

// builtin is how visitors move when a plan does not say: they stroll, stand, talk and reach for things. It does nothing by itself.
func builtin() *Model {
	between := func(a, b float64) plan.Dist { return plan.Dist{Kind: plan.Uniform, Min: seconds(a), Max: seconds(b)} }
	return &Model{Name: "built-in", Moves: []Move{
		{"stroll", motion.Walk, true, between(4, 20), []Chance{{"look", 0.6}, {"reach", 0.25}, {"talk", 0.15}}},
		{"look", motion.Idle, false, between(2, 8), []Chance{{"stroll", 0.7}, {"reach", 0.3}}},
		{"reach", motion.Reach, false, between(2, 6), []Chance{{"stroll", 0.6}, {"look", 0.4}}},
		{"talk", motion.Talk, false, between(4, 15), []Chance{{"stroll", 1}}},
	}}
}

// leastDwell is how long a visitor stays in a state at least: a file must not make it spin.
const leastDwell = 10 * time.Millisecond

// pick draws the next state.
func pick(rng *rand.Rand, next []Chance) string {
	x := rng.Float64()
	for _, c := range next {
		if x -= c.P; x < 0 {
			return c.To
		}
	}
	return next[len(next)-1].To
}

// visit begins a visitor of the model, in a state drawn by how long visitors are in each, with a random share of its dwell time over: nobody
// begins in step with anybody.
func (m *Model) visit(stage *stage, seed uint64, n int) (string, life) {
	moving, doing := rand.New(rand.NewPCG(seed, uint64(2*n))), rand.New(rand.NewPCG(seed, uint64(2*n+1)))
	state := moving.IntN(len(m.Moves))
	first := true
	a := newActor(stage, moving, func(a *actor) {
		if !first {
			to := pick(moving, m.Moves[state].Next)
			state = slices.IndexFunc(m.Moves, func(s Move) bool { return s.Name == to })
		}
		s := &m.Moves[state]
		dwell := max(s.Dwell.Draw(moving), leastDwell)
		if first {
			dwell = max(time.Duration(moving.Float64()*float64(dwell)), leastDwell)
			first = false
		}
		a.person.Become(s.Motion)
		at := a.person.At()
		if s.Walks {
			to := stage.goal(moving, a.sample.Head.P)
			a.person.GoTo(to[0], to[1])
			dwell = min(dwell, walkingTime(at, to))
		} else {
			a.person.GoTo(at[0], at[2])
		}
		a.due = a.now + dwell
	})
	return m.Name, life{a.pose, m.deeds(doing), a.moved}
}

// walkingTime is how long the slowest walker is on a way.
func walkingTime(from [3]float64, to [2]float64) time.Duration {
	return seconds(1 + math.Hypot(to[0]-from[0], to[1]-from[2])/0.7)
}

// deeds is a visitor's chain of things to do.
func (m *Model) deeds(rng *rand.Rand) func() (Act, bool) {
	if len(m.Acts) == 0 {
		return never
	}
	state := rng.IntN(len(m.Acts))
	at := time.Duration(rng.Float64() * float64(m.Acts[state].Dwell.Draw(rng)))
	return func() (Act, bool) {
		d := &m.Acts[state]
		at += max(d.Dwell.Draw(rng), leastDwell)
		to := pick(rng, d.Next)
		state = slices.IndexFunc(m.Acts, func(d Deed) bool { return d.Name == to })
		d = &m.Acts[state]
		return Act{At: at, Kind: d.Act, Hand: uint8(rng.IntN(2)), Topic: d.Topic, Payload: make([]byte, d.Bytes)}, at < longest
	}
}
