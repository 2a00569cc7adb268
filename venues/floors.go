package venues

import (
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues/strict"
)

// rect compiles two corners, x and z, and checks that they span a rectangle.
func (c *compiler) rect(path string, lo, hi [2]float64) (Rect, bool) {
	ok := true
	for i, corner := range [2]*[2]float64{&lo, &hi} {
		field := path + [2]string{".min", ".max"}[i]
		if !c.has(field) {
			ok = false // reading it said so
			continue
		}
		for axis := range corner {
			if !c.within(fmt.Sprintf("%s[%d]", field, axis), corner[axis], -MaxCoordM, MaxCoordM, "m") {
				ok = false
			}
		}
	}
	if !ok {
		return Rect{}, false
	}
	r := Rect{steps(lo[0]), steps(lo[1]), steps(hi[0]), steps(hi[1])}
	if r.MinX >= r.MaxX || r.MinZ >= r.MaxZ {
		c.add(path+".max", "min is the corner with the lesser x and z", "min (%g, %g) and max (%g, %g) span no area", lo[0], lo[1], hi[0], hi[1])
		return r, false
	}
	return r, true
}

// encloses reports whether all of s lies in r.
func (r Rect) encloses(s Rect) bool {
	return s.MinX >= r.MinX && s.MaxX <= r.MaxX && s.MinZ >= r.MinZ && s.MaxZ <= r.MaxZ
}

// overlaps reports whether r and s share a point.
func (r Rect) overlaps(s Rect) bool {
	return r.MinX < s.MaxX && s.MinX < r.MaxX && r.MinZ < s.MaxZ && s.MinZ < r.MaxZ
}

// String is the rectangle in metres.
func (r Rect) String() string {
	m := lattice.Metres
	return fmt.Sprintf("x %g to %g, z %g to %g", m(r.MinX), m(r.MaxX), m(r.MinZ), m(r.MaxZ))
}

func (c *compiler) floors() {
	c.floorIndex = make(map[string]int)
	c.floorOK = make([]bool, len(c.m.Floors))
	for i := range c.m.Floors {
		f, path := &c.m.Floors[i], fmt.Sprintf("floor[%d]", i)
		c.name("floor", i, f.Name, c.floorIndex)
		rect, ok := c.rect(path, f.Min, f.Max)
		if ok && (int64(rect.MaxX)-int64(rect.MinX) > MaxFloorM*lattice.Steps || int64(rect.MaxZ)-int64(rect.MinZ) > MaxFloorM*lattice.Steps) {
			c.add(path+".max", "", "the floor is longer than %d m", MaxFloorM)
			ok = false
		}
		okY := c.within(path+".y", f.Y, -10_000, 10_000, "m")
		okH := c.within(path+".height", f.Height, 1, 1_000, "m")
		g := FloorGeom{Name: f.Name, Rect: rect}
		if okY && okH {
			g.MinY, g.MaxY = steps(f.Y), steps(f.Y+f.Height)
		}
		c.v.Floors = append(c.v.Floors, g)
		c.floorOK[i] = ok && okY && okH
		for j := range i {
			o := &c.v.Floors[j]
			if c.floorOK[i] && c.floorOK[j] && g.Rect.overlaps(o.Rect) && g.MinY < o.MaxY && o.MinY < g.MaxY {
				c.add(path, "a floor is a volume: change min and max, or y and height", "floor %s shares space with floor %s%s",
					quoted(f.Name), quoted(o.Name), c.line(fmt.Sprintf("floor[%d]", j)))
			}
		}
	}
}

// floorOf finds the floor that a thing names, or that its room names, or the only one;
// -1 with a problem when there is none.
func (c *compiler) floorOf(path, floor string, room int) int {
	if floor != "" {
		i, ok := c.floorIndex[floor]
		if !ok {
			c.add(path+".floor", strict.DidYouMean(floor, names(c.floorIndex)), "no floor is called %s", quoted(floor))
			return -1
		}
		if room >= 0 && c.roomGeom[room].floor >= 0 && c.roomGeom[room].floor != i {
			c.add(path+".floor", "leave floor out; the room says it", "room %s is not on floor %s", quoted(c.m.Rooms[room].Name), quoted(floor))
			return -1
		}
		return i
	}
	if room >= 0 {
		return c.roomGeom[room].floor
	}
	if len(c.m.Floors) != 1 {
		if len(c.m.Floors) > 1 {
			c.add(path, "add floor = \"...\"; "+strict.DidYouMean("", names(c.floorIndex)), "the venue has %d floors and this does not say which", len(c.m.Floors))
		}
		return -1
	}
	return 0
}

// usable reports whether a floor's geometry can be checked against.
func (c *compiler) usable(floor int) bool { return floor >= 0 && c.floorOK[floor] }

// roomOf finds the room that a thing names; -1 for none.
func (c *compiler) roomOf(path, room string) int {
	if room == "" {
		return -1
	}
	i, ok := c.roomIndex[room]
	if !ok {
		c.add(path+".room", strict.DidYouMean(room, names(c.roomIndex)), "no room is called %s", quoted(room))
		return -1
	}
	return i
}

// names lists the keys of an index.
func names(index map[string]int) []string {
	all := make([]string, 0, len(index))
	for n := range index {
		if n != "" {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

func (c *compiler) rooms() {
	c.roomIndex = make(map[string]int)
	c.roomGeom = make([]roomGeom, len(c.m.Rooms))
	for i := range c.m.Rooms {
		r, path := &c.m.Rooms[i], fmt.Sprintf("room[%d]", i)
		c.name("room", i, r.Name, c.roomIndex)
		g := &c.roomGeom[i]
		g.floor = c.floorOf(path, r.Floor, -1)
		g.rect, g.ok = c.rect(path, r.Min, r.Max)
		c.v.Rooms = append(c.v.Rooms, RoomGeom{Name: r.Name, Floor: g.floor, Rect: g.rect})
		if g.ok && c.usable(g.floor) {
			if f := &c.v.Floors[g.floor]; !f.Rect.encloses(g.rect) {
				c.add(path, "", "the room (%v) reaches out of floor %s (%v)", g.rect, quoted(f.Name), f.Rect)
			}
		}
		for j := range i {
			o := &c.roomGeom[j]
			if g.ok && o.ok && g.floor >= 0 && g.floor == o.floor && g.rect.overlaps(o.rect) {
				c.add(path, "rooms of one floor may touch, not overlap", "room %s overlaps room %s%s",
					quoted(r.Name), quoted(c.m.Rooms[j].Name), c.line(fmt.Sprintf("room[%d]", j)))
			}
		}
	}
}

// leaf is a region while the cuts are applied.
type leaf struct {
	path string
	rect Rect
}

// maxCutDepth is the longest path of a leaf: it is part of the region's name.
const maxCutDepth = 16

// minLeaf is the least width of a region: twice the hysteresis of its borders.
const minLeaf = 2 * lattice.Steps

func (c *compiler) regions() {
	leaves := make([][]leaf, len(c.v.Floors))
	for i := range c.v.Floors {
		leaves[i] = []leaf{{rect: c.v.Floors[i].Rect}}
	}
	done := make(map[string]int) // "<floor index>/<path>" to the cut that divided it
	for i := range c.m.Cuts {
		c.cut(i, leaves, done)
	}
	taken := make(map[string]string)
	for floor, all := range leaves {
		// Paths are prefix-free, so their alphabetical order is the tree's in-order.
		slices.SortFunc(all, func(a, b leaf) int { return strings.Compare(a.path, b.path) })
		for _, l := range all {
			name := c.v.Floors[floor].Name
			if l.path != "" {
				name += "-" + l.path
			}
			if other, dup := taken[name]; dup && other != c.v.Floors[floor].Name {
				c.add(fmt.Sprintf("floor[%d].name", floor), "rename a floor", "a region of this floor and one of floor %s would both be called %s", quoted(other), quoted(name))
			}
			taken[name] = c.v.Floors[floor].Name
			c.v.Regions = append(c.v.Regions, Region{
				Index: len(c.v.Regions), Name: name, Floor: floor, Rect: l.rect,
				Origin: lattice.Vec{
					X: wholeMetre(l.rect.MinX), Y: wholeMetre(c.v.Floors[floor].MinY), Z: wholeMetre(l.rect.MinZ),
				},
			})
		}
	}
}

// wholeMetre rounds down to a whole metre, in steps.
func wholeMetre(s int32) int32 { return s &^ (lattice.Steps - 1) }

// cut divides one leaf in two.
func (c *compiler) cut(i int, leaves [][]leaf, done map[string]int) {
	cut, path := &c.m.Cuts[i], fmt.Sprintf("cut[%d]", i)
	floor := c.floorOf(path, cut.Floor, -1)
	if floor < 0 {
		return
	}
	if strings.Trim(cut.In, "01") != "" || len(cut.In) > maxCutDepth {
		c.add(path+".in", "write \"\" for the whole floor, \"0\" for the part below its first cut, \"1\" for the part above, \"01\" ...",
			"%s is not the path of a leaf", quoted(cut.In))
		return
	}
	n := slices.IndexFunc(leaves[floor], func(l leaf) bool { return l.path == cut.In })
	if n < 0 {
		if first, ok := done[fmt.Sprintf("%d/%s", floor, cut.In)]; ok {
			c.add(path+".in", fmt.Sprintf("cut %q or %q", cut.In+"0", cut.In+"1"), "leaf %q is divided already by cut[%d]%s",
				cut.In, first, c.line(fmt.Sprintf("cut[%d]", first)))
			return
		}
		var known []string
		for _, l := range leaves[floor] {
			known = append(known, fmt.Sprintf("%q", l.path))
		}
		c.add(path+".in", "cuts are applied in their order; leaves so far: "+strings.Join(known[:min(len(known), 16)], ", "), "there is no leaf %q", cut.In)
		return
	}
	if cut.Axis != "x" && cut.Axis != "z" {
		if c.has(path + ".axis") {
			c.add(path+".axis", `write "x" or "z"`, "%s is not an axis of a floor", quoted(cut.Axis))
		}
		return
	}
	if !c.has(path+".at") || !c.usable(floor) || !c.within(path+".at", float64(cut.At), -MaxCoordM, MaxCoordM, "m") {
		return
	}
	old, at := leaves[floor][n], int32(cut.At)*lattice.Steps
	below, above := leaf{cut.In + "0", old.rect}, leaf{cut.In + "1", old.rect}
	lo, hi := old.rect.MinX, old.rect.MaxX
	if cut.Axis == "x" {
		below.rect.MaxX, above.rect.MinX = at, at
	} else {
		lo, hi = old.rect.MinZ, old.rect.MaxZ
		below.rect.MaxZ, above.rect.MinZ = at, at
	}
	if int64(at)-int64(lo) < minLeaf || int64(hi)-int64(at) < minLeaf {
		c.add(path+".at", "both parts must be at least 2 m wide", "%s = %d m does not divide leaf %q, which spans %s %g to %g m",
			cut.Axis, cut.At, cut.In, cut.Axis, lattice.Metres(lo), lattice.Metres(hi))
		return
	}
	leaves[floor] = slices.Replace(leaves[floor], n, n+1, below, above)
	done[fmt.Sprintf("%d/%s", floor, cut.In)] = i
}

// regionOf returns the region of a floor that holds all of r, or -1. r may be a
// single point: Min = Max.
func (c *compiler) regionOf(floor int, r Rect) int {
	for i := range c.v.Regions {
		reg := &c.v.Regions[i]
		if reg.Floor == floor && reg.Rect.encloses(r) && reg.Rect.Contains(lattice.Vec{X: r.MinX, Z: r.MinZ}) {
			return i
		}
	}
	return -1
}
