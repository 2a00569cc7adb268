package behaviour

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/venued/venued/sdk/motion"
)

// Bounds of a script.
const (
	MaxScript       = 256 << 10 // bytes of a file
	maxScriptLines  = 5_000
	maxScriptDepth  = 8
	maxScriptRepeat = 10_000
	maxScriptTime   = 24 * 3600.0 // seconds of one wait or walk
	maxWalkSpeed    = 2.5         // m/s; nobody walks faster
	strollSpeed     = 1.1         // m/s, of a walk that does not say how long it takes
	leastLoop       = 0.1         // seconds that one turn of a repetition takes at least
	maxTopic        = 64          // bytes
	maxPayload      = 4096        // bytes
)

// Script is what a visitor does, line by line:
//
//	# a remark                      to the end of the line; blank lines do nothing
//	spread SECONDS                  visitors begin up to so long after they came; 5 when not said
//	loop                            at the end it begins again; visitors begin anywhere in it, not in step
//	start X Z                       where it begins, metres in the venue; must come before the first walk
//	walk X Z [in SECONDS]           to a place, straight; without a time at 1.1 m/s
//	wait SECONDS [to SECONDS]       a time, or one drawn between two
//	be MOTION                       how it moves from here on: idle, walk, talk, sit, reach, dance, throw, swing, lost, glitch, jitter
//	grab [OBJECT] [left|right]      OBJECT is a name in the venue, otherwise what can be reached; right when not said
//	release [left|right]
//	say TOPIC [PAYLOAD]             a message to the rules; the payload is the rest of the line
//	door [DOOR] | teleport [ZONE] | resume | denied | bad
//	repeat N ... end                what is between, N times
//	leave                           the end: it stands where it is
//
// Everything but wait and walk takes no time. A script is known in advance: what is due does not depend on what the venue answers.
type Script struct {
	Name   string
	Spread float64 // seconds
	Loop   bool
	start  *[2]float64
	lines  []scriptLine
	length float64 // seconds of one turn, on average
}

// scriptLine is one instruction.
type scriptLine struct {
	n      int // line of the file
	op     string
	to     [2]float64 // walk
	in     float64    // seconds of a walk
	lo, hi float64    // seconds of a wait
	motion motion.Kind
	act    Act
	times  int // repeat
	pair   int // index of the line after its end, or of its repeat
}

// order is what a script says at a moment.
type order struct {
	at   time.Duration
	line *scriptLine
	by   time.Duration // when a walk ends
}

// runner goes through a script. Two with the same seed go the same way.
type runner struct {
	s     *Script
	rng   *rand.Rand
	pc    int
	turns []int // of each open repeat, what is left
	now   float64
}

// newRunner begins a script for a visitor.
func (s *Script) newRunner(seed uint64, n int) *runner {
	r := &runner{s: s, rng: rand.New(rand.NewPCG(seed, uint64(n)))}
	if s.Loop {
		// Anywhere in the loop: what it would have done before it came is gone through, and left out.
		r.now = -r.rng.Float64() * s.length
	} else {
		r.now = r.rng.Float64() * s.Spread
	}
	return r
}

// next returns the next walk, motion or act, and false at the end.
func (r *runner) next() (order, bool) {
	for {
		if r.pc == len(r.s.lines) {
			if !r.s.Loop {
				return order{}, false
			}
			r.pc = 0
		}
		l := &r.s.lines[r.pc]
		r.pc++
		o := order{at: seconds(r.now), line: l}
		switch l.op {
		case "wait":
			r.now += l.lo + r.rng.Float64()*(l.hi-l.lo)
		case "walk":
			r.now += l.in
			o.by = seconds(r.now)
			return o, r.now < longest.Seconds()
		case "repeat":
			r.turns = append(r.turns, l.times)
		case "end":
			if r.turns[len(r.turns)-1]--; r.turns[len(r.turns)-1] > 0 {
				r.pc = l.pair + 1
			} else {
				r.turns = r.turns[:len(r.turns)-1]
			}
		case "leave":
			r.pc = len(r.s.lines)
			return order{}, false
		default:
			return o, r.now < longest.Seconds()
		}
		if r.now >= longest.Seconds() {
			return order{}, false
		}
	}
}

// visit begins a visitor that follows the script.
func (s *Script) visit(stage *stage, seed uint64, n int) (string, life) {
	moves, acts := s.newRunner(seed, n), s.newRunner(seed, n)
	next, ok := moves.next()
	var goal *order
	a := newActor(stage, rand.New(rand.NewPCG(seed, ^uint64(n))), func(a *actor) {
		for ; ok && next.at <= a.now; next, ok = moves.next() {
			switch next.line.op {
			case "walk":
				o := next
				goal = &o
			case "be":
				a.person.Become(next.line.motion)
			}
		}
		if goal != nil {
			a.person.GoTo(goal.line.to[0], goal.line.to[1])
			at := a.person.At()
			a.person.Pace(within(math.Hypot(goal.line.to[0]-at[0], goal.line.to[1]-at[2])/max((goal.by-a.now).Seconds(), 0.1), 0.3, maxWalkSpeed, 0))
		}
		a.due = longest
		if ok {
			a.due = next.at
		}
	})
	if s.start != nil {
		a.place(stage.above(*s.start), a.person.Heading())
	}
	return s.Name, life{a.pose, func() (Act, bool) {
		for o, more := acts.next(); more; o, more = acts.next() {
			if o.line.op == "act" && o.at >= 0 {
				act := o.line.act
				act.At = o.at
				return act, true
			}
		}
		return Act{}, false
	}, a.moved}
}
