package venues_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/samples"
	"pgregory.net/rapid"
)

func read(t testing.TB, name string, data []byte) *venues.Venue {
	t.Helper()
	v, err := venues.Read(name, data, venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func example(t testing.TB) *venues.Venue {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "venue.example.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return read(t, "venue.example.toml", data)
}

func TestExampleHasWhatItPromises(t *testing.T) {
	v := example(t)
	grabbable, kinds := 0, map[int]bool{}
	for _, o := range v.Objects {
		if v.Kinds[o.Kind].Grabbable {
			grabbable++
			kinds[o.Kind] = true
		}
	}
	if grabbable < 20 || len(kinds) < 3 {
		t.Errorf("%d grabbable objects of %d kinds, want at least 20 of several", grabbable, len(kinds))
	}
	if len(v.Rooms) != 2 || len(v.Doors) != 1 || v.Doors[0].Zone < 0 || v.Zones[v.Doors[0].Zone].Door != 0 {
		t.Errorf("rooms %v, doors %v: want two rooms and a door tied to its zone", v.Rooms, v.Doors)
	}
	if got, want := v.Floors[0].Rect, (venues.Rect{MaxX: 40 * lattice.Steps, MaxZ: 30 * lattice.Steps}); got != want {
		t.Errorf("the hall is %v, want %v", got, want)
	}
}

func TestUnsetIsNotZero(t *testing.T) {
	const base = "[venue]\nid = \"a\"\nname = \"A\"\n%s\n[[floor]]\nname = \"f\"\nmin = [0, 0]\nmax = [10, 10]\n[[spawn]]\nname = \"s\"\nat = [5, 5]\n"
	for _, c := range []struct {
		extra        string
		window       int64
		send, radius int32
	}{
		{"", 100_000, 30, lattice.Steps},
		{"grab_window_ms = 0", 0, 30, lattice.Steps},
		{"tick_hz = 20", 100_000, 20, lattice.Steps},
	} {
		v := read(t, "base", fmt.Appendf(nil, base, c.extra))
		if v.GrabWindowUS != c.window || v.SendHz != int(c.send) || v.Spawns[0].Radius != c.radius {
			t.Errorf("%q: window %d us, send %d Hz, radius %d steps; want %d, %d, %d", c.extra, v.GrabWindowUS, v.SendHz, v.Spawns[0].Radius, c.window, c.send, c.radius)
		}
	}
}

// randomCuts draws a manifest of one floor with cuts, and a naive twin of its tree:
// the list of leaf rectangles in metres.
func randomCuts(t *rapid.T) (*venues.Venue, [][4]int) {
	x0, z0 := rapid.IntRange(-500, 500).Draw(t, "x0"), rapid.IntRange(-500, 500).Draw(t, "z0")
	w, h := rapid.IntRange(4, 300).Draw(t, "w"), rapid.IntRange(4, 300).Draw(t, "h")
	text := fmt.Sprintf("[venue]\nid = \"a\"\nname = \"A\"\n[[floor]]\nname = \"f\"\nmin = [%d, %d]\nmax = [%d, %d]\n[[spawn]]\nname = \"s\"\nat = [%d, %d]\nradius = 0\n",
		x0, z0, x0+w, z0+h, x0+1, z0+1)
	paths := []string{""}
	leaves := [][4]int{{x0, z0, x0 + w, z0 + h}}
	for range rapid.IntRange(0, 8).Draw(t, "cuts") {
		i := rapid.IntRange(0, len(leaves)-1).Draw(t, "leaf")
		axis := rapid.IntRange(0, 1).Draw(t, "axis")
		l := leaves[i]
		if l[axis+2]-l[axis] < 4 || len(paths[i]) >= 16 {
			continue
		}
		at := rapid.IntRange(l[axis]+2, l[axis+2]-2).Draw(t, "at")
		text += fmt.Sprintf("[[cut]]\naxis = %q\nat = %d\nin = %q\n", [2]string{"x", "z"}[axis], at, paths[i])
		below, above := l, l
		below[axis+2], above[axis] = at, at
		leaves[i], paths[i] = below, paths[i]+"0"
		leaves = append(leaves, above)
		paths = append(paths, paths[i][:len(paths[i])-1]+"1")
	}
	v, err := venues.Read("random", []byte(text), venues.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v, leaves
}

func TestEveryPointOfAFloorLiesInOneRegion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, leaves := randomCuts(t)
		if len(v.Regions) != len(leaves) {
			t.Fatalf("%d regions, want %d", len(v.Regions), len(leaves))
		}
		f := v.Floors[0].Rect
		for range 20 {
			// Near borders more often than not: corners of regions, one step to each side.
			p := lattice.Vec{X: rapid.Int32Range(f.MinX, f.MaxX-1).Draw(t, "x"), Z: rapid.Int32Range(f.MinZ, f.MaxZ-1).Draw(t, "z")}
			if rapid.Bool().Draw(t, "border") {
				r := v.Regions[rapid.IntRange(0, len(v.Regions)-1).Draw(t, "region")].Rect
				p.X = min(f.MaxX-1, max(f.MinX, r.MinX+rapid.Int32Range(-1, 1).Draw(t, "dx")))
				p.Z = min(f.MaxZ-1, max(f.MinZ, r.MaxZ+rapid.Int32Range(-1, 1).Draw(t, "dz")))
			}
			var in []int
			for i := range v.Regions {
				if v.Regions[i].Rect.Contains(p) {
					in = append(in, i)
				}
			}
			if len(in) != 1 || v.RegionAt(0, p) != in[0] {
				t.Fatalf("%v lies in regions %v, RegionAt says %d", p, in, v.RegionAt(0, p))
			}
			naive := 0
			for _, l := range leaves {
				x, _, z := p.Metres()
				if x >= float64(l[0]) && x < float64(l[2]) && z >= float64(l[1]) && z < float64(l[3]) {
					naive++
					lo := venues.Rect{MinX: int32(l[0]) * lattice.Steps, MinZ: int32(l[1]) * lattice.Steps, MaxX: int32(l[2]) * lattice.Steps, MaxZ: int32(l[3]) * lattice.Steps}
					if got := v.Regions[in[0]].Rect; got != lo {
						t.Fatalf("%v: region %v, the twin says %v", p, got, lo)
					}
				}
			}
			if naive != 1 {
				t.Fatalf("the twin puts %v in %d leaves", p, naive)
			}
		}
	})
}

func TestBorderPointsAreTheSameToBothSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, _ := randomCuts(t)
		a := v.Regions[rapid.IntRange(0, len(v.Regions)-1).Draw(t, "a")]
		b := v.Regions[rapid.IntRange(0, len(v.Regions)-1).Draw(t, "b")]
		if a.Origin.X%lattice.Steps != 0 || a.Origin.Z%lattice.Steps != 0 {
			t.Fatalf("the origin of %s, %v, is not at whole metres", a.Name, a.Origin)
		}
		p := lattice.Vec{X: rapid.Int32Range(a.Rect.MinX, a.Rect.MaxX).Draw(t, "x"), Z: rapid.Int32Range(a.Rect.MinZ, a.Rect.MaxZ).Draw(t, "z")}
		for _, r := range []venues.Region{a, b} {
			x := lattice.FromLocal(lattice.ToLocal(p.X, r.Origin.X/lattice.Steps), r.Origin.X/lattice.Steps)
			z := lattice.FromLocal(lattice.ToLocal(p.Z, r.Origin.Z/lattice.Steps), r.Origin.Z/lattice.Steps)
			if x != p.X || z != p.Z {
				t.Fatalf("%v came back from %s as %d, %d", p, r.Name, x, z)
			}
			// Between nodes positions are float64 of the same value.
			if m, err := lattice.FromMetres(lattice.Metres(p.X)); err != nil || m != p.X {
				t.Fatalf("%d through float64: %d, %v", p.X, m, err)
			}
		}
	})
}

func TestDividedRegions(t *testing.T) {
	v := read(t, "divided", samples.Divided)
	var got []string
	for i := range v.Regions {
		got = append(got, v.Regions[i].Name)
		if v.Regions[i].Index != i {
			t.Errorf("region %d has index %d", i, v.Regions[i].Index)
		}
	}
	if fmt.Sprint(got) != "[ground-0 ground-10 ground-11]" {
		t.Errorf("regions %v", got)
	}
	var regions []int
	for _, o := range v.Objects {
		regions = append(regions, o.Region)
	}
	if fmt.Sprint(regions) != "[0 0 1 1 1 2]" {
		t.Errorf("the objects lie in regions %v", regions)
	}
}

func TestSpawnPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := venues.SpawnGeom{
			At:     lattice.Vec{X: rapid.Int32Range(-1<<20, 1<<20).Draw(t, "x"), Y: 7, Z: rapid.Int32Range(-1<<20, 1<<20).Draw(t, "z")},
			Radius: rapid.Int32Range(0, 50*lattice.Steps).Draw(t, "r"),
		}
		n := rapid.Uint64().Draw(t, "n")
		p := s.Place(n)
		if p.Pos.Dist2(s.At) > int64(s.Radius)*int64(s.Radius) || p.Pos.Y != s.At.Y {
			t.Fatalf("place %d of %+v is %v", n, s, p.Pos)
		}
		if p != s.Place(n) {
			t.Fatal("the same place differs")
		}
	})
}

func TestSpawnFillsItsDiscEvenly(t *testing.T) {
	s := venues.SpawnGeom{Radius: 4 * lattice.Steps}
	seen := map[lattice.Vec]bool{}
	for _, n := range []int{16, 64, 256} {
		quarters, inner := [4]int{}, 0
		for i := range n {
			p := s.Place(uint64(i)).Pos
			if n == 256 && seen[p] {
				t.Errorf("place %d was given before", i)
			}
			if n == 256 {
				seen[p] = true
			}
			q := 0
			if p.X < 0 {
				q |= 1
			}
			if p.Z < 0 {
				q |= 2
			}
			quarters[q]++
			if p.Dist2(lattice.Vec{}) < int64(s.Radius)*int64(s.Radius)/2 {
				inner++
			}
		}
		for _, q := range quarters {
			if q < n/4-n/8 || q > n/4+n/8 {
				t.Errorf("of %d places the quarters hold %v", n, quarters)
				break
			}
		}
		if inner != n/2 {
			t.Errorf("of %d places %d lie in the inner half of the area", n, inner)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	data, err := os.ReadFile(filepath.Join("..", "venue.example.toml"))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("toml-only", func(b *testing.B) { // the baseline: syntax without lines, checks and geometry
		b.ReportAllocs()
		for b.Loop() {
			var values map[string]any
			if err := toml.Unmarshal(data, &values); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := venues.Read("venue.example.toml", data, venues.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
