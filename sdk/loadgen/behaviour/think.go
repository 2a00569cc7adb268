package behaviour

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
)

// streamThink is the random numbers that a plan's think times are drawn from for a comparison.
const streamThink = 0x7468696e6b

// CompareThink compares the think time of a plan with the times between two acts of one person in clips: the mean of those, and the largest
// difference of the two distribution functions (the two-sample Kolmogorov-Smirnov statistic, over 10,000 draws of the plan's): 0 for alike, 1 for
// nothing in common. The error says that too few acts are recorded.
func CompareThink(p *plan.Plan, clips []Clip) (mean time.Duration, distance float64, err error) {
	var recorded []time.Duration
	var sum time.Duration
	for i := range clips {
		for k := 1; k < len(clips[i].Acts); k++ {
			gap := clips[i].Acts[k].At - clips[i].Acts[k-1].At
			recorded, sum = append(recorded, gap), sum+gap
		}
	}
	if len(recorded) < 2 {
		return 0, 0, fmt.Errorf("%d times between two acts of one person: at least 2 are needed for a comparison", len(recorded))
	}
	rng := rand.New(rand.NewPCG(p.Seed, streamThink))
	planned := make([]time.Duration, 10_000)
	for i := range planned {
		planned[i] = p.Think.Draw(rng)
	}
	slices.Sort(recorded)
	slices.Sort(planned)
	a, b := 0, 0
	for a < len(recorded) && b < len(planned) {
		at := min(recorded[a], planned[b])
		for a < len(recorded) && recorded[a] <= at {
			a++
		}
		for b < len(planned) && planned[b] <= at {
			b++
		}
		d := float64(a)/float64(len(recorded)) - float64(b)/float64(len(planned))
		distance = max(distance, d, -d)
	}
	return sum / time.Duration(len(recorded)), distance, nil
}
