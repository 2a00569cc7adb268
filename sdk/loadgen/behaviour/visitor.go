package behaviour

import (
	"math"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
)

// Act is one thing that a visitor does, and when it is due.
type Act struct {
	At      time.Duration // since the visitor came
	Kind    string        // as in a plan: plan.Grab, plan.Release, plan.Rule, ...
	Object  string        // name in the manifest of what a grab is of; "": what the visitor can best reach
	Hand    uint8         // of a grab or release: 0 left, 1 right
	Rule    string        // of plan.Rule: the rule that the message goes to, "" for the one that takes the topic
	Topic   string        // of plan.Rule
	Payload []byte        // of plan.Rule
	Zone    string        // of plan.Teleport and plan.Door: a zone or a door by name, "" for any
}

// Visitor is one visitor of a run. It belongs to one goroutine.
type Visitor struct {
	N    int                // number in the run, from 0
	Kind plan.BehaviourKind // that it has
	Name string             // of its script, track or model, for reports

	life  life
	stage *stage
	last  time.Duration // of the newest pose
	began bool
	// The way that the venue's word is off from where the visitor means to be: x, y, z in metres. It shrinks at catchUp.
	off [3]float64
}

// life is where a visitor's movement and acts come from. Both are asked with ascending times.
type life struct {
	// pose is where the visitor means to be.
	pose func(t time.Duration) motion.Sample
	// next is the next act, false when there is none any more.
	next func() (Act, bool)
	// moved says that the venue put the visitor elsewhere on purpose or not: lives that plan their own way begin it there
	// and report true; the others do not move, and the visitor walks back to them.
	moved func(head [3]float64) bool
}

// catchUp is how fast a visitor walks back to where it means to be, metres a second.
const catchUp = 1.2

// Pose returns the body at a time, 0 or more.
func (v *Visitor) Pose(t time.Duration) lattice.Body {
	s := v.life.pose(t)
	if v.began {
		v.shrink(max(t-v.last, 0).Seconds())
	}
	v.last, v.began = t, true
	shift(&s, v.off)
	keep := v.stage.hold([3]float64(s.Head.P))
	shift(&s, sub(keep, s.Head.P))
	b, err := s.Body()
	if err != nil {
		// Samples are finite and on a floor, so that this does not happen; were it to, the visitor stands in the middle of it.
		b.Head.Pos, _ = lattice.VecFromMetres(v.stage.middle[0], v.stage.middle[1], v.stage.middle[2])
		b.Left.Pos, b.Right.Pos = b.Head.Pos, b.Head.Pos
	}
	return b
}

// Next returns what the visitor does next, in the order of At, and false when it does nothing any more. A visitor of the built-in
// model does nothing by itself: a plan's mix of actions does.
func (v *Visitor) Next() (Act, bool) { return v.life.next() }

// Placed takes the venue's word for where the visitor's head is, now: after the welcome, a correction or a teleport.
func (v *Visitor) Placed(t time.Duration, head lattice.Vec) {
	x, y, z := head.Metres()
	at := [3]float64{x, y, z}
	if v.life.moved(at) {
		v.off = [3]float64{}
		return
	}
	s := v.life.pose(t)
	v.last, v.began = t, true
	v.off = sub(at, s.Head.P)
}

// shrink brings a visitor nearer to where it means to be.
func (v *Visitor) shrink(dt float64) {
	far := math.Sqrt(v.off[0]*v.off[0] + v.off[1]*v.off[1] + v.off[2]*v.off[2])
	if far <= catchUp*dt {
		v.off = [3]float64{}
		return
	}
	for i := range v.off {
		v.off[i] *= 1 - catchUp*dt/far
	}
}

func sub(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// shift moves a whole body.
func shift(s *motion.Sample, by [3]float64) {
	for _, j := range []*motion.Joint{&s.Head, &s.Left, &s.Right} {
		for i := range by {
			j.P[i] += by[i]
		}
	}
}
