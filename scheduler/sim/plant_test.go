package sim

import (
	"slices"
	"strings"
	"testing"
)

// most is the number of seeds within which every planted fault is found.
const most = 1000

func TestPlantedFaultsAreFound(t *testing.T) {
	if len(Planted) < 25 {
		t.Fatalf("%d planted faults", len(Planted))
	}
	for _, p := range Planted {
		t.Run(p.Name, func(t *testing.T) {
			for seed := uint64(1); seed <= most; seed++ {
				for _, v := range Run(seed, p, nil).Violations {
					if slices.Contains(strings.Split(p.Finds, ", "), v.Rule) {
						t.Logf("seed %d: %s", seed, v)
						return
					}
				}
			}
			t.Errorf("no %s within %d seeds: %s", p.Finds, most, p.What)
		})
	}
}
