package sim

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/scheduler/migration"
)

// TestNothingIsBroken runs some seeds; make sim runs as many as one likes.
func TestNothingIsBroken(t *testing.T) {
	moves, pauses := 0, 0
	for seed := uint64(1); seed <= 200; seed++ {
		r := Run(seed, Plant{}, nil)
		for _, v := range r.Violations {
			t.Errorf("seed %d: %s\nagain: go run ./scheduler/sim/run -from %d -seeds 1 -trace", seed, v, seed)
		}
		moves, pauses = moves+r.Moves, pauses+len(r.PausesUS)
	}
	if moves < 400 || pauses < 100 {
		t.Errorf("%d moves were ordered, %d ended before anything crashed: there is not much in these runs", moves, pauses)
	}
}

// TestSameSeedSameRun compares everything that happens in two runs.
func TestSameSeedSameRun(t *testing.T) {
	for seed := uint64(1); seed <= 5; seed++ {
		var a, b []string
		Run(seed, Plant{}, func(s string) { a = append(a, s) })
		Run(seed, Plant{}, func(s string) { b = append(b, s) })
		if !slices.Equal(a, b) {
			for i := range a {
				if i >= len(b) || a[i] != b[i] {
					t.Fatalf("seed %d, line %d:\n%s\nthe second time:\n%s", seed, i, a[i], strings.Join(b[min(i, len(b)):min(i+1, len(b))], ""))
				}
			}
		}
	}
}

// TestEveryStepIsHeldAndKilled: runs reach all the places where failpoints are, by both ways.
func TestEveryStepIsHeldAndKilled(t *testing.T) {
	n := uint64(len(migration.Steps))
	for i, name := range migration.Steps {
		for way, says := range []string{" is killed at ", " is held at "} {
			reached := false
			for round := uint64(way); round < 400 && !reached; round += 2 {
				Run(uint64(i)+round*n, Plant{}, func(s string) {
					reached = reached || strings.Contains(s+" ", says+name+" ")
				})
			}
			if !reached {
				t.Errorf("no run%s%s", says, name)
			}
		}
	}
}

// TestDocument: the table of planted faults in the documentation is theirs.
func TestDocument(t *testing.T) {
	b, err := os.ReadFile("../../docs/simulator.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, line := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(line, "| `") {
			rows++
		}
	}
	for _, p := range Planted {
		if !strings.Contains(string(b), "| `"+p.Name+"` | "+p.What+" | "+p.Finds+" |") {
			t.Errorf("docs/simulator.md has no row for %s: %s", p.Name, p.What)
		}
	}
	if rows != len(Planted) {
		t.Errorf("docs/simulator.md has %d rows, there are %d planted faults", rows, len(Planted))
	}
}
