package aoi

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
)

func TestSetAgainstTheNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int32Range(2, 20*lattice.Steps).Draw(t, "size")
		margin := rapid.Int32Range(0, 3*lattice.Steps).Draw(t, "margin")
		stay := rapid.Uint64Range(0, 8).Draw(t, "stay")
		g, ng := NewGrid(size), newNaiveGrid(size)
		viewers := rapid.IntRange(1, 4).Draw(t, "viewers")
		var sets []*Set
		var naive []*naiveSet
		for range viewers {
			sets = append(sets, NewSet(g, margin, stay))
			naive = append(naive, newNaiveSet(ng, margin, stay))
		}
		// Points lie around multiples of the size, where edges and margins are.
		coord := rapid.Custom(func(t *rapid.T) int32 {
			return rapid.Int32Range(-6, 6).Draw(t, "cell")*size +
				rapid.SampledFrom([]int32{0, -1, 1, margin, -margin, margin - 1, -margin - 1, size / 2}).Draw(t, "off")
		})
		point := rapid.Custom(func(t *rapid.T) lattice.Vec {
			return lattice.Vec{X: coord.Draw(t, "x"), Z: coord.Draw(t, "z")}
		})
		floor := rapid.Custom(func(t *rapid.T) uint8 {
			return rapid.SampledFrom([]uint8{0, 0, 0, 1}).Draw(t, "floor")
		})
		id := rapid.Uint64Range(1, 12)
		at := make([]lattice.Vec, viewers)
		tick := uint64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			tick += rapid.Uint64Range(0, 3).Draw(t, "ticks")
			for range rapid.IntRange(0, 6).Draw(t, "moves") {
				i := id.Draw(t, "id")
				if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
					g.Remove(i)
					delete(ng.all, i)
					continue
				}
				f, p := floor.Draw(t, "f"), point.Draw(t, "p")
				g.Put(i, f, p)
				ng.put(i, f, p)
			}
			if g.Len() != len(ng.all) {
				t.Fatalf("the grid holds %d entities, want %d", g.Len(), len(ng.all))
			}
			for v := range sets {
				if rapid.Bool().Draw(t, "walks") {
					at[v] = point.Draw(t, "at")
				}
				f := floor.Draw(t, "viewer floor")
				entered, left := sets[v].Update(tick, f, at[v])
				wantEntered, wantLeft := naive[v].update(tick, f, at[v])
				empty := cmpopts.EquateEmpty()
				if d := cmp.Diff(wantEntered, entered, empty); d != "" {
					t.Fatalf("tick %d, viewer %d: entered (-naive +set)\n%s", tick, v, d)
				}
				if d := cmp.Diff(wantLeft, left, empty); d != "" {
					t.Fatalf("tick %d, viewer %d: left (-naive +set)\n%s", tick, v, d)
				}
				if sets[v].Len() != len(naive[v].in) {
					t.Fatalf("tick %d, viewer %d: %d in the set, want %d", tick, v, sets[v].Len(), len(naive[v].in))
				}
				for i := uint64(1); i <= 12; i++ {
					if _, want := naive[v].in[i]; sets[v].Has(i) != want {
						t.Fatalf("tick %d, viewer %d: Has(%d) = %v", tick, v, i, !want)
					}
				}
			}
		}
	})
}

func TestLeavesOnlyAfterTheMarginAndTheStay(t *testing.T) {
	const cell, margin, stay = 5 * lattice.Steps, 3 * lattice.Steps / 2, 30
	g := NewGrid(cell)
	s := NewSet(g, margin, stay)
	put := func(x int32) { g.Put(7, 0, lattice.Vec{X: x}) }
	edge := int32(2 * cell) // the nine cells around the viewer at 0 end here
	at := func(tick uint64, wantEntered, wantLeft bool) {
		t.Helper()
		entered, left := s.Update(tick, 0, lattice.Vec{})
		if (len(entered) == 1) != wantEntered || (len(left) == 1) != wantLeft {
			t.Fatalf("tick %d: entered %v, left %v", tick, entered, left)
		}
	}
	put(edge)
	at(0, false, false) // one step outside does not enter
	put(edge - 1)
	at(1, true, false)
	put(edge + margin - 1)
	at(2, false, false)
	at(1000, false, false) // inside the margin it stays for ever
	put(edge + margin)
	at(1001, false, false)
	at(1030, false, false)
	put(edge + margin - 1)
	at(1031, false, false) // a break starts the stay anew
	put(edge + margin)
	at(1032, false, false)
	at(1061, false, false)
	at(1062, false, true)
	put(edge + margin - 1)
	at(1063, false, false) // and the margin lets nobody back in
}

func TestPositionsAtTheEndsOfTheLattice(t *testing.T) {
	g := NewGrid(3 * lattice.Steps)
	s := NewSet(g, 2*lattice.Steps, 0)
	for i, v := range []int32{math.MinInt32, math.MaxInt32} {
		at := lattice.Vec{X: v, Y: v, Z: v}
		g.Put(uint64(i+1), 0, at)
		entered, left := s.Update(uint64(i), 0, at)
		if d := cmp.Diff([]uint64{uint64(i + 1)}, entered); d != "" {
			t.Fatalf("at %d: entered (-want +got)\n%s", v, d)
		}
		if i == 1 && !cmp.Equal(left, []uint64{1}) {
			t.Fatalf("left %v, want [1]", left)
		}
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	c := newCrowd(200, 40*lattice.Steps, 5*lattice.Steps)
	for range 600 {
		c.step() // a warm-up: buckets and lists reach their sizes
	}
	if n := testing.AllocsPerRun(100, c.step); n > 0 {
		t.Errorf("a tick of 200 users allocates %.1f times", n)
	}
}

func TestTheSameCallsGiveTheSameResults(t *testing.T) {
	a, b := newCrowd(60, 30*lattice.Steps, 4*lattice.Steps), newCrowd(60, 30*lattice.Steps, 4*lattice.Steps)
	a.trace, b.trace = true, true
	for range 200 {
		a.step()
		b.step()
	}
	if d := cmp.Diff(a.log, b.log); d != "" {
		t.Fatal(d)
	}
	if len(a.log) == 0 {
		t.Fatal("nobody entered or left")
	}
}
