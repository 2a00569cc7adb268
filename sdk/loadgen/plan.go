package loadgen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/venued/venued/venues"
)

// margin is how far visitors keep from the walls, metres.
const margin = 0.6

// floorPlan is where one can walk: rooms, and the doors that join them.
type floorPlan struct {
	areas []area
	doors []passage
	low   map[string]float64 // ground of each floor
	floor []venues.FloorDescription
	reach float64 // hand from object, metres
	arm   float64 // hand from head, metres

	exhibits map[string][]point // by floor: where objects that can be grabbed are at first
}

type area struct {
	floor    string
	min, max point
}

type passage struct {
	areas  [2]int
	at     point
	normal point // unit, across the leaf
}

// newFloorPlan reads a venue's description. A floor without rooms is one area.
func newFloorPlan(d *venues.Description) (*floorPlan, error) {
	p := &floorPlan{
		low: map[string]float64{}, floor: d.Floors, exhibits: map[string][]point{},
		reach: d.Limits.GrabReachM, arm: math.Min(0.75, d.Limits.HandReachM*0.7),
	}
	if len(d.Floors) == 0 {
		return nil, fmt.Errorf("loadgen: the venue %q has no floors", d.ID)
	}
	names := map[string]int{}
	for _, f := range d.Floors {
		p.low[f.Name] = f.Y
		before := len(p.areas)
		for _, r := range d.Rooms {
			if r.Floor == f.Name {
				names[r.Name] = len(p.areas)
				p.areas = append(p.areas, area{f.Name, point{r.Min[0], r.Min[1]}, point{r.Max[0], r.Max[1]}})
			}
		}
		if len(p.areas) == before {
			p.areas = append(p.areas, area{f.Name, point{f.Min[0], f.Min[1]}, point{f.Max[0], f.Max[1]}})
		}
	}
	grabbable := map[string]bool{}
	for _, k := range d.Kinds {
		grabbable[k.Name] = k.Grabbable
	}
	for _, o := range d.Objects {
		if grabbable[o.Kind] {
			p.exhibits[o.Floor] = append(p.exhibits[o.Floor], point{o.At[0], o.At[2]})
		}
	}
	for _, door := range d.Doors {
		yaw := door.YawDeg * math.Pi / 180
		g := passage{at: point{door.At[0], door.At[2]}, normal: point{math.Sin(yaw), math.Cos(yaw)}}
		g.areas = [2]int{p.beside(door.Floor, g, 1), p.beside(door.Floor, g, -1)}
		if len(door.Between) == 2 {
			a, okA := names[door.Between[0]]
			b, okB := names[door.Between[1]]
			if okA && okB {
				g.areas = [2]int{a, b}
			}
		}
		if g.areas[0] >= 0 && g.areas[1] >= 0 && g.areas[0] != g.areas[1] {
			p.doors = append(p.doors, g)
		}
	}
	return p, nil
}

// beside finds the area half a metre from a door on one side, -1 for none.
func (p *floorPlan) beside(floor string, g passage, side float64) int {
	return p.areaAt(floor, point{g.at.x + side*g.normal.x/2, g.at.z + side*g.normal.z/2})
}

func (p *floorPlan) areaAt(floor string, at point) int {
	for i, a := range p.areas {
		if a.floor == floor && at.x >= a.min.x && at.x <= a.max.x && at.z >= a.min.z && at.z <= a.max.z {
			return i
		}
	}
	return -1
}

// floorAt returns the floor that a head at this place stands on: the one whose volume holds it, else the first.
func (p *floorPlan) floorAt(head vec3) string {
	for _, f := range p.floor {
		if head.x >= f.Min[0] && head.x <= f.Max[0] && head.z >= f.Min[1] && head.z <= f.Max[1] &&
			head.y >= f.Y && head.y <= f.Y+f.Height {
			return f.Name
		}
	}
	return p.floor[0].Name
}

// inside draws a point of an area that keeps from its walls.
func (a area) inside(rng *rand.Rand) point {
	draw := func(lo, hi float64) float64 {
		if hi-lo <= 2*margin {
			return (lo + hi) / 2
		}
		return lo + margin + rng.Float64()*(hi-lo-2*margin)
	}
	return point{draw(a.min.x, a.max.x), draw(a.min.z, a.max.z)}
}

// hold brings a point to within the area's walls.
func (a area) hold(at point) point {
	in := func(v, lo, hi float64) float64 {
		if hi-lo <= 2*margin {
			return (lo + hi) / 2
		}
		return clamp(v, lo+margin, hi-margin)
	}
	return point{in(at.x, a.min.x, a.max.x), in(at.z, a.min.z, a.max.z)}
}

// goal draws where to go next on a floor: mostly within the area, now and then into a neighbouring one.
func (p *floorPlan) goal(rng *rand.Rand, floor string, from point) point {
	here := p.areaAt(floor, from)
	var choices []int
	for i, a := range p.areas {
		if a.floor == floor {
			choices = append(choices, i)
		}
	}
	if here < 0 || (len(choices) > 1 && rng.Float64() < 0.3) {
		here = choices[rng.IntN(len(choices))]
	}
	return p.areas[here].inside(rng)
}

// exhibit draws a place to look at things: before an object's first place. False: the floor has none.
func (p *floorPlan) exhibit(rng *rand.Rand, floor string, from point) (point, bool) {
	all := p.exhibits[floor]
	if len(all) == 0 {
		return point{}, false
	}
	at := all[rng.IntN(len(all))]
	_, back := at.to(from)
	before := point{at.x + back.x, at.z + back.z}
	if a := p.areaAt(floor, at); a >= 0 {
		before = p.areas[a].hold(before)
	}
	return before, true
}

// route returns the points to walk over, the goal last. Rooms are left through doors; without
// a way through doors it is the straight line.
func (p *floorPlan) route(floor string, from, to point) []point {
	a, b := p.areaAt(floor, from), p.areaAt(floor, to)
	if a < 0 || b < 0 || a == b {
		return []point{to}
	}
	// Breadth first over rooms; back holds the door by which each was reached.
	back := map[int]int{a: -1}
	queue := []int{a}
	for len(queue) > 0 && !has(back, b) {
		here := queue[0]
		queue = queue[1:]
		for i, d := range p.doors {
			for side := range d.areas {
				if next := d.areas[1-side]; d.areas[side] == here && !has(back, next) {
					back[next] = i
					queue = append(queue, next)
				}
			}
		}
	}
	if !has(back, b) {
		return []point{to}
	}
	path := []point{to}
	for here := b; here != a; {
		d := p.doors[back[here]]
		before := d.areas[0]
		if before == here {
			before = d.areas[1]
		}
		path = append([]point{p.near(d, before), p.near(d, here)}, path...)
		here = before
	}
	return path
}

// near is the point in front of a door on the side of an area.
func (p *floorPlan) near(d passage, side int) point {
	a := p.areas[side]
	one := point{d.at.x + d.normal.x, d.at.z + d.normal.z}
	other := point{d.at.x - d.normal.x, d.at.z - d.normal.z}
	mid := point{(a.min.x + a.max.x) / 2, (a.min.z + a.max.z) / 2}
	d1, _ := one.to(mid)
	d2, _ := other.to(mid)
	if d1 < d2 {
		return one
	}
	return other
}

func has(m map[int]int, k int) bool { _, ok := m[k]; return ok }
