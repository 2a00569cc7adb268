package behaviour

import (
	"math"
	"testing"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// hall is a venue of two rooms.
func hall() *venues.Description {
	return &venues.Description{
		ID:     "hall",
		Floors: []venues.FloorDescription{{Name: "ground", Min: [2]float64{-10, -20}, Max: [2]float64{30, 20}, Y: 1, Height: 4}},
		Rooms: []venues.AreaDescription{
			{Name: "left", Floor: "ground", Min: [2]float64{-10, -20}, Max: [2]float64{10, 20}},
			{Name: "right", Floor: "ground", Min: [2]float64{10, -20}, Max: [2]float64{30, 20}},
		},
	}
}

// watch lets a visitor live for a time at 30 Hz, and checks that it stays on its floor and goes no faster than people do.
func watch(t *testing.T, v *Visitor, d time.Duration, each func(at time.Duration, b *lattice.Body)) {
	t.Helper()
	const hz = 30
	var last [3]float64
	for i := range int(d.Seconds() * hz) {
		at := time.Duration(i) * time.Second / hz
		b := v.Pose(at)
		x, y, z := b.Head.Pos.Metres()
		if x < -10 || x > 30 || z < -20 || z > 20 || y < 1 || y > 5 {
			t.Fatalf("visitor %d is at (%.2f, %.2f, %.2f) after %v: not on the floor", v.N, x, y, z, at)
		}
		if speed := math.Hypot(x-last[0], z-last[2]) * hz; i > 0 && speed > 4 {
			t.Fatalf("visitor %d goes at %.1f m/s after %v", v.N, speed, at)
		}
		last = [3]float64{x, y, z}
		if each != nil {
			each(at, &b)
		}
	}
}

func TestVisitorsAreTheSameAgainAndDifferFromOneAnother(t *testing.T) {
	c, err := Open(plan.Default(10, time.Minute), "", hall())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[lattice.Vec]int{}
	for n := range 20 {
		again := c.Visitor(n)
		var far float64
		var from lattice.Vec
		watch(t, c.Visitor(n), time.Minute, func(at time.Duration, b *lattice.Body) {
			if other := again.Pose(at); other != *b {
				t.Fatalf("visitor %d is not the same again after %v", n, at)
			}
			if at == 0 {
				from = b.Head.Pos
			}
			far = max(far, float64(b.Head.Pos.Dist(from))/lattice.Steps)
			if at == 30*time.Second {
				if m, has := seen[b.Head.Pos]; has {
					t.Errorf("visitors %d and %d are at one place", n, m)
				}
				seen[b.Head.Pos] = n
			}
		})
		if far < 0.5 {
			t.Errorf("visitor %d went %.2f m in a minute", n, far)
		}
	}
}

func TestTheVenueHasTheLastWordOnPlaces(t *testing.T) {
	c, err := Open(plan.Default(1, time.Minute), "", hall())
	if err != nil {
		t.Fatal(err)
	}
	v := c.Visitor(3)
	v.Pose(time.Second)
	want, _ := lattice.VecFromMetres(25, 2.6, -15)
	v.Placed(time.Second, want)
	b := v.Pose(time.Second + time.Second/30)
	x, _, z := b.Head.Pos.Metres()
	if math.Hypot(x-25, z+15) > 0.3 {
		t.Errorf("a frame after the venue put the visitor at (25, -15) it is at (%.2f, %.2f)", x, z)
	}
}
