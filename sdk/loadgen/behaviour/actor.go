package behaviour

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/venued/venued/sdk/motion"
)

// actor is a body that is told what to do: where to walk and how to move meanwhile.
type actor struct {
	person *motion.Person
	stage  *stage
	now    time.Duration
	sample motion.Sample
	// decide is called when the time has come that due says, and gives the actor new orders; it moves due on.
	decide func(a *actor)
	due    time.Duration
}

// longestStep is the longest step of a body's processes: more would not be motion.
const longestStep = time.Second / 20

func newActor(stage *stage, rng *rand.Rand, decide func(a *actor)) *actor {
	a := &actor{person: motion.NewPerson(motion.Idle, rng.Uint64()), stage: stage, decide: decide}
	a.place(stage.middle, 2*math.Pi*rng.Float64())
	return a
}

// place puts the actor on the floor below a head.
func (a *actor) place(head [3]float64, yaw float64) {
	a.person.Place(head[0], a.stage.floorAt(head).Y, head[2], yaw)
	a.sample = a.person.Step(0)
}

// pose lives on to a time.
func (a *actor) pose(t time.Duration) motion.Sample {
	for a.now < t {
		for a.due <= a.now {
			a.decide(a)
		}
		step := min(t-a.now, longestStep, a.due-a.now)
		a.sample = a.person.Step(step.Seconds())
		a.now += step
	}
	return a.sample
}

// moved begins anew where the venue says.
func (a *actor) moved(head [3]float64) bool {
	a.place(head, a.person.Heading())
	a.due = a.now
	return true
}
