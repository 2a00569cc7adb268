package loadgen

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

func hall() *venues.Description {
	return &venues.Description{
		ID:     "hall",
		Limits: venues.LimitsDescription{HandReachM: 1.5, GrabReachM: 0.6, SpeedMS: 6, BurstM: 2},
		Floors: []venues.FloorDescription{
			{Name: "ground", Min: [2]float64{0, 0}, Max: [2]float64{40, 30}, Height: 5},
			{Name: "gallery", Min: [2]float64{0, 0}, Max: [2]float64{10, 30}, Y: 6, Height: 4},
		},
		Rooms: []venues.AreaDescription{
			{Name: "hall", Floor: "ground", Min: [2]float64{0, 0}, Max: [2]float64{28, 30}},
			{Name: "workshop", Floor: "ground", Min: [2]float64{28, 0}, Max: [2]float64{40, 15}},
			{Name: "store", Floor: "ground", Min: [2]float64{28, 15}, Max: [2]float64{40, 30}},
		},
		Doors: []venues.DoorDescription{
			{Name: "a", Floor: "ground", At: [3]float64{28, 0, 7}, YawDeg: 90},
			{Name: "b", Floor: "ground", At: [3]float64{34, 0, 15}, Between: []string{"workshop", "store"}},
		},
		Kinds: []venues.KindDescription{{Name: "table"}, {Name: "cup", Grabbable: true}},
		Objects: []venues.ObjectDescription{
			{Name: "t", Kind: "table", Floor: "ground", At: [3]float64{5, 0.5, 5}},
			{Name: "c", Kind: "cup", Floor: "ground", At: [3]float64{27.9, 1, 29.9}},
		},
	}
}

func plan(t testing.TB) *floorPlan {
	t.Helper()
	p, err := newFloorPlan(hall())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRoutesGoThroughDoors(t *testing.T) {
	p := plan(t)
	for _, c := range []struct {
		name     string
		floor    string
		from, to point
		want     []point
	}{
		{"the same room", "ground", point{1, 1}, point{20, 20}, []point{{20, 20}}},
		{"through one door", "ground", point{1, 1}, point{39, 1}, []point{{27, 7}, {29, 7}, {39, 1}}},
		{"through two", "ground", point{1, 1}, point{39, 29}, []point{{27, 7}, {29, 7}, {34, 14}, {34, 16}, {39, 29}}},
		{"and back", "ground", point{39, 29}, point{1, 1}, []point{{34, 16}, {34, 14}, {29, 7}, {27, 7}, {1, 1}}},
		{"outside every room", "ground", point{-5, 1}, point{3, 3}, []point{{3, 3}}},
		{"a floor without rooms", "gallery", point{1, 1}, point{9, 29}, []point{{9, 29}}},
	} {
		got := p.route(c.floor, c.from, c.to)
		for i := range got { // sines of 90 degrees leave dust
			got[i] = point{math.Round(got[i].x*1e6) / 1e6, math.Round(got[i].z*1e6) / 1e6}
		}
		if d := cmp.Diff(c.want, got, cmp.AllowUnexported(point{})); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestGoalsKeepFromWalls(t *testing.T) {
	p := plan(t)
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 2000 {
		g := p.goal(rng, "ground", point{14, 14})
		in := p.areaAt("ground", g)
		if in < 0 || p.areas[in].hold(g) != g {
			t.Fatalf("goal %v is nearer than %g m to a wall", g, margin)
		}
		seen[in] = true
		if e, ok := p.exhibit(rng, "ground", point{14, 14}); !ok || p.areas[0].hold(e) != e {
			t.Fatalf("exhibit at %v, %v", e, ok)
		}
	}
	if len(seen) != 3 {
		t.Errorf("goals in %d rooms, want all 3", len(seen))
	}
	if _, ok := p.exhibit(rng, "gallery", point{}); ok {
		t.Error("the gallery has no exhibits")
	}
}

// TestBodiesAreHuman walks for minutes and checks what a venue would cut: speed, reach, rotations.
func TestBodiesAreHuman(t *testing.T) {
	p := plan(t)
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		w := newWalker(rng, p.arm)
		w.place(vec3{14, 1.7, 24}, 0)
		hz := rapid.SampledFrom([]float64{20, 30, 60}).Draw(t, "hz")
		path := p.route("ground", w.at, p.goal(rng, "ground", w.at))
		before := w.body()
		for range 600 {
			if rng.Float64() < 0.01 {
				target := vec3{w.at.x + rng.Float64(), 2 * rng.Float64(), w.at.z + rng.Float64()}
				w.reach[rng.IntN(2)] = &target
			} else if rng.Float64() < 0.01 {
				w.reach = [2]*vec3{}
				w.gesture, w.gestureBy = 2, uint8(rng.IntN(2))
			}
			if w.step(1/hz, &path[0]) < 0.15 {
				if path = path[1:]; len(path) == 0 {
					path = p.route("ground", w.at, p.goal(rng, "ground", w.at))
				}
			}
			b := w.body()
			if v := float64(b.Head.Pos.Dist(before.Head.Pos)) / lattice.Steps * hz; v > 3 {
				t.Fatalf("the head moves at %g m/s", v)
			}
			for _, hand := range []lattice.Joint{b.Left, b.Right} {
				if d := float64(hand.Pos.Dist(b.Head.Pos)) / lattice.Steps; d > 1.2 {
					t.Fatalf("a hand is %g m from the head", d)
				}
				if !hand.Rot.Valid() || hand.Rot == (lattice.Rot{}) {
					t.Fatalf("a hand is turned by %v", hand.Rot)
				}
			}
			if b.Head.Pos.Y < lattice.Steps/2 || b.Head.Pos.Y > 2*lattice.Steps {
				t.Fatalf("the eyes are at %g m", lattice.Metres(b.Head.Pos.Y))
			}
			before = b
		}
	})
}

func TestHandsReachLowAndHighThings(t *testing.T) {
	p := plan(t)
	for _, height := range []float64{0.1, 0.5, 0.95, 1.4, 1.8} {
		w := newWalker(rand.New(rand.NewPCG(3, 4)), p.arm)
		w.place(vec3{10, 1.7, 10}, 0)
		thing := vec3{10, height, 9.55}
		w.reach[1] = &thing
		for range 90 {
			w.step(1.0/30, nil)
		}
		if d := w.hand(1).sub(thing).len(); d > 0.5*p.reach {
			t.Errorf("at %g m: the hand stays %g m away", height, d)
		}
	}
}

// The behaviour is the seed's: two visitors of one seed and number move the same way, others do not.
func TestSameSeedSameWalk(t *testing.T) {
	p := plan(t)
	walk := func(seed uint64, n int) []lattice.Body {
		v := newVisitor(seed, n, p, newObserver())
		v.placed(vec3{14, 1.7, 24})
		var out []lattice.Body
		for i := range int64(900) {
			out = append(out, v.pose(i*33_333))
		}
		return out
	}
	a := walk(7, 3)
	if d := cmp.Diff(a, walk(7, 3)); d != "" {
		t.Errorf("one seed, two walks: %s", d)
	}
	if cmp.Equal(a, walk(7, 4)) || cmp.Equal(a, walk(8, 3)) {
		t.Error("different visitors walk the same way")
	}
	if d := a[0].Head.Pos.Dist(a[len(a)-1].Head.Pos); d < lattice.Steps/2 {
		t.Errorf("in 30 s it went %d steps", d)
	}
}
