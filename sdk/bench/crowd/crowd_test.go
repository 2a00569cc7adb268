package crowd

import (
	"testing"
	"time"
)

func TestRunMeasuresEverySpread(t *testing.T) {
	for _, spread := range Spreads {
		r, err := Run(Options{Users: 120, Spread: spread, For: time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if r.MsPerTick <= 0 || r.NaiveMs <= 0 || r.Visible <= 0 || r.Visible > 119 {
			t.Errorf("%s: %+v", spread, r)
		}
		// 64 in every frame and the others in every eighth: nobody in view waits 0.6 s.
		if r.FarRefreshS <= 0 || r.FarRefreshS > 0.6 {
			t.Errorf("%s: somebody waited %.2f s", spread, r.FarRefreshS)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{{Users: 0, Spread: "uniform"}, {Users: MaxUsers + 1, Spread: "uniform"}, {Users: 10, Spread: "heap"}} {
		if _, err := Run(o); err == nil {
			t.Errorf("%+v was run", o)
		}
	}
}
