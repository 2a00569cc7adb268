package sim

import "testing"

// most is the number of seeds within which every planted fault is found.
const most = 1000

func TestPlantedFaultsAreFound(t *testing.T) {
	if len(Planted) < 25 {
		t.Fatalf("%d planted faults", len(Planted))
	}
	for _, p := range Planted {
		t.Run(p.Name, func(t *testing.T) {
			for seed := uint64(1); seed <= most; seed++ {
				if r := Run(seed, p, nil); len(r.Violations) > 0 {
					t.Log(r)
					return
				}
			}
			t.Errorf("not found within %d seeds: %s", most, p.What)
		})
	}
}
