package behaviour

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
)

func TestThinkTimesAreComparedWithRecordedOnes(t *testing.T) {
	p := plan.Default(1, time.Minute)
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: 4 * time.Second}
	clip := func(mean time.Duration) Clip {
		c := Clip{}
		rng := rand.New(rand.NewPCG(1, 2))
		at := time.Duration(0)
		for range 5000 {
			at += time.Duration(rng.ExpFloat64() * float64(mean))
			c.Acts = append(c.Acts, Act{At: at, Kind: plan.Grab})
		}
		return c
	}
	mean, d, err := CompareThink(p, []Clip{clip(4 * time.Second)})
	if err != nil || math.Abs(mean.Seconds()-4) > 0.3 || d > 0.05 {
		t.Errorf("the same distribution: mean %v, distance %v, %v", mean, d, err)
	}
	// Of two exponential distributions whose means are as 1 to 2, the functions differ most at twice the shorter mean times ln 2: by 1/4.
	if _, d, err = CompareThink(p, []Clip{clip(8 * time.Second)}); err != nil || math.Abs(d-0.25) > 0.03 {
		t.Errorf("half as often: distance %v, want 0.25, %v", d, err)
	}
	if _, _, err = CompareThink(p, []Clip{{Acts: []Act{{}, {}}}}); err == nil {
		t.Error("one gap: no error")
	}
}
