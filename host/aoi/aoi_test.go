package aoi

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/aoi/naive"
	"github.com/venued/venued/lattice"
)

func TestSetAgainstTheNaiveTwin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int32Range(4, 20*lattice.Steps).Draw(t, "size")
		margin := rapid.Int32Range(0, 3*lattice.Steps).Draw(t, "margin")
		stay := rapid.Uint64Range(0, 8).Draw(t, "stay")
		near := rapid.IntRange(0, 5).Draw(t, "near")
		rooms := NewRooms(3, [][2]uint16{{1, 2}})
		g, ng := NewGrid(size, rooms), naive.NewGrid(size, rooms.See)
		viewers := rapid.IntRange(1, 4).Draw(t, "viewers")
		var sets []*Set
		var twins []*naive.Set
		for i := range viewers {
			self := uint64(i)
			sets = append(sets, NewSet(g, Viewer{Self: self, Margin: margin, Stay: stay, Near: near}))
			twins = append(twins, naive.NewSet(ng, self, margin, stay, near))
		}
		// Points lie around multiples of the size, where edges and margins are.
		coord := rapid.Custom(func(t *rapid.T) int32 {
			return rapid.Int32Range(-6, 6).Draw(t, "cell")*size +
				rapid.SampledFrom([]int32{0, -1, 1, margin, -margin, margin - 1, -margin - 1, size / 2, size / 4, 3 * size / 4}).Draw(t, "off")
		})
		place := rapid.Custom(func(t *rapid.T) Place {
			return Place{
				Floor: rapid.SampledFrom([]uint8{0, 0, 0, 1}).Draw(t, "floor"),
				Room:  rapid.SampledFrom([]uint16{0, 0, 1, 1, 2, 3}).Draw(t, "room"),
				At:    lattice.Vec{X: coord.Draw(t, "x"), Z: coord.Draw(t, "z")},
				Quiet: rapid.IntRange(0, 5).Draw(t, "quiet") == 0,
				Wide:  rapid.IntRange(0, 9).Draw(t, "wide") == 0,
			}
		})
		twin := func(p Place) naive.Entity { return naive.Entity(p) }
		id := rapid.Uint64Range(1, 16)
		at := make([]Place, viewers)
		tick := uint64(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			tick += rapid.Uint64Range(0, 3).Draw(t, "ticks")
			for range rapid.IntRange(0, 6).Draw(t, "moves") {
				i := id.Draw(t, "id")
				if rapid.IntRange(0, 9).Draw(t, "what") == 0 {
					g.Remove(i)
					ng.Remove(i)
					continue
				}
				p := place.Draw(t, "place")
				g.Put(i, p)
				ng.Put(i, twin(p))
			}
			if g.Len() != ng.Len() {
				t.Fatalf("the grid holds %d entities, want %d", g.Len(), ng.Len())
			}
			for v := range sets {
				if rapid.Bool().Draw(t, "walks") {
					at[v] = place.Draw(t, "at")
				}
				entered, left := sets[v].Update(tick, at[v])
				wantEntered, wantLeft := twins[v].Update(tick, twin(at[v]))
				empty := cmpopts.EquateEmpty()
				if d := cmp.Diff(wantEntered, entered, empty); d != "" {
					t.Fatalf("tick %d, viewer %d: entered (-naive +set)\n%s", tick, v, d)
				}
				if d := cmp.Diff(wantLeft, left, empty); d != "" {
					t.Fatalf("tick %d, viewer %d: left (-naive +set)\n%s", tick, v, d)
				}
				if d := cmp.Diff(twins[v].Near(), nearOf(sets[v]), empty); d != "" {
					t.Fatalf("tick %d, viewer %d: near (-naive +set)\n%s", tick, v, d)
				}
				if sets[v].Len() != twins[v].Len() {
					t.Fatalf("tick %d, viewer %d: %d in the set, want %d", tick, v, sets[v].Len(), twins[v].Len())
				}
				for i := uint64(1); i <= 16; i++ {
					if sets[v].Has(i) != twins[v].Has(i) {
						t.Fatalf("tick %d, viewer %d: Has(%d) = %v", tick, v, i, sets[v].Has(i))
					}
				}
			}
		}
	})
}

func nearOf(s *Set) (ids []uint64) {
	s.Near(func(id uint64) { ids = append(ids, id) })
	slices.Sort(ids)
	return ids
}

// Of two at about the same distance the one that is near stays, until the other is clearly nearer.
func TestNearOnesDoNotTakeTurns(t *testing.T) {
	g := NewGrid(5*lattice.Steps, Rooms{})
	s := NewSet(g, Viewer{Near: 1})
	look := func(tick uint64, one, two int32) uint64 {
		g.Put(1, Place{At: lattice.Vec{X: one}})
		g.Put(2, Place{At: lattice.Vec{X: -two}})
		s.Update(tick, Place{})
		return nearOf(s)[0]
	}
	for i, step := range []struct {
		one, two int32
		near     uint64
	}{{1000, 1001, 1}, {1000, 900, 1}, {1000, 851, 1}, {1000, 845, 2}, {900, 1000, 2}, {840, 1000, 1}} {
		if got := look(uint64(i*RankEvery), step.one, step.two); got != step.near {
			t.Errorf("at %d and %d steps %d is near, want %d", step.one, step.two, got, step.near)
		}
	}
}

func TestLeavesOnlyAfterTheMarginAndTheStay(t *testing.T) {
	const cell, margin, stay = 5 * lattice.Steps, 3 * lattice.Steps / 2, 30
	g := NewGrid(cell, Rooms{})
	s := NewSet(g, Viewer{Margin: margin, Stay: stay})
	put := func(x int32) { g.Put(7, Place{At: lattice.Vec{X: x}}) }
	edge := int32(2 * cell) // the nine cells around the viewer at 0 end here
	at := func(tick uint64, wantEntered, wantLeft bool) {
		t.Helper()
		entered, left := s.Update(tick, Place{})
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
	g := NewGrid(3*lattice.Steps, Rooms{})
	s := NewSet(g, Viewer{Margin: 2 * lattice.Steps, Near: 4})
	for i, v := range []int32{math.MinInt32, math.MaxInt32} {
		at := lattice.Vec{X: v, Y: v, Z: v}
		g.Put(uint64(i+1), Place{At: at})
		entered, left := s.Update(uint64(i), Place{At: at})
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
