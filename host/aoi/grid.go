// Package aoi says which entities of a venue concern a viewer, its area of interest, and
// which of them it should see best.
//
// # Model
//
// Entities lie in a grid of square cells, keyed by floor and by x and z in venue
// coordinates. A viewer's area is the nine cells around its own:
//
//	+---+---+---+
//	|   |   |   |   an entity in one of the nine enters the viewer's set;
//	+---+---+---+   it leaves when it has been more than the margin outside
//	|   | v |   |   of them for the stay, without a break
//	+---+---+---+
//	|   |   |   |
//	+---+---+---+
//
// Margin and stay keep somebody who walks along a cell edge from blinking. An
// entity on another floor is outside, whatever its distance: floors do not see each
// other. Nor do rooms that [Rooms] keeps apart. An entity that is [Place.Wide] is inside for everyone on
// its floor whose room sees its own: somebody on a stage.
//
// A list sorted by coordinate was rejected: filling it with a crowd is
// quadratic, and a crowd is what a venue is for.
//
// # Near
//
// In a crowd a set can hold more than can be shown well. So each set ranks the nearest of those in it,
// every [RankEvery] ticks, each viewer at a tick of its own. The ranking is a ring search over the sixteenths of
// cells, from the viewer's outward, and ends as soon as nobody farther out can be nearer. Somebody near gives their place only
// to somebody 15 % nearer, so that two at the same distance do not take turns.
//
// # Trust
//
// Positions must be the ones that the region decided. A position that a client
// claims would let it look where it is not.
//
// # Duties of the caller
//
// A [Grid] is filled by one goroutine. While nobody changes it, the [Set]s of
// different viewers may be updated at the same time; one Set belongs to one goroutine.
// Results depend only on the calls made: no clock, no map order. Nothing
// allocates once the grid and the sets have seen their largest crowd. A cell that was
// ever entered is kept: 1 KiB of it, and 4 KiB once somebody stood in it.
package aoi

import "github.com/venued/venued/lattice"

// subs is how many parts a cell has along each side, for the ranking.
const subs = 4

// Cell names a square of the grid. X and Z count cells from the venue's origin,
// rounded down, so they are negative west and north of it.
type Cell struct {
	Floor uint8
	X, Z  int32
}

// Near reports whether c and d are the same cell or touch, on one floor.
func (c Cell) Near(d Cell) bool {
	return c.Floor == d.Floor && near(c.X, d.X) && near(c.Z, d.Z)
}

func near(a, b int32) bool {
	d := int64(a) - int64(b)
	return d >= -1 && d <= 1
}

// Place is where an entity is and how it counts.
type Place struct {
	Floor uint8
	Room  uint16      // 0 for none; see Rooms
	At    lattice.Vec // venue coordinates; the height plays no part
	Quiet bool        // seldom changes, as furniture: it is not ranked, so it takes nobody's place among the near
	Wide  bool        // seen from everywhere on its floor, and not ranked
}

// Rooms says which rooms see each other. The zero value: all do.
type Rooms struct {
	apart []bool // by a*n+b
	n     int
}

// NewRooms makes n rooms, numbered from 1, of which those of a pair see each other, each sees itself, and
// no others do. Room 0 is everywhere else: it sees and is seen by all.
func NewRooms(n int, pairs [][2]uint16) Rooms {
	r := Rooms{apart: make([]bool, (n+1)*(n+1)), n: n + 1}
	for a := 1; a <= n; a++ {
		for b := 1; b <= n; b++ {
			r.apart[a*r.n+b] = a != b
		}
	}
	for _, p := range pairs {
		a, b := int(p[0]), int(p[1])
		r.apart[a*r.n+b], r.apart[b*r.n+a] = false, false
	}
	return r
}

// See reports whether what is in room b can be seen from room a. A room that does not exist is
// like room 0.
func (r *Rooms) See(a, b uint16) bool {
	return int(a) >= r.n || int(b) >= r.n || !r.apart[int(a)*r.n+int(b)]
}

// Grid holds the entities of a venue by cell.
type Grid struct {
	size    int32
	sub     int32 // width of a cell's parts; the last takes what is over
	rooms   Rooms
	cells   map[Cell]*bucket
	made    int // counts cells
	index   map[uint64]int32
	slots   []slot
	free    []int32
	wide    []int32 // slots of those that are wide
	changes uint64  // counts arrivals in and departures from cells
	wideAt  uint64  // changes when somebody wide last came, went or changed
}

// slot is an entity's place in the grid. Slots are reused.
type slot struct {
	id    uint64
	cell  Cell
	b     *bucket
	x, z  int32
	at    int32  // index in its part of the bucket
	born  uint64 // Grid.changes when the entity came
	room  uint16
	part  uint8
	live  bool
	quiet bool
	wide  bool
}

// ranked reports whether the ranking looks at the entity.
func (s *slot) ranked() bool { return !s.quiet && !s.wide }

// bucket is a cell's content by its parts; the last part holds what is not ranked.
type bucket struct {
	parts   [subs*subs + 1][]member
	changed uint64         // Grid.changes when somebody last came, went, or changed rooms
	log     [logged]change // the newest changes, at changes%logged
	changes uint64
}

// logged is how many changes of a cell are remembered. A viewer that missed more looks at the whole cell.
const logged = 16

// change says that whoever is or was in a slot came into a cell, left it, or counts otherwise now.
type change struct {
	at   uint64 // Grid.changes
	slot int32
}

const unranked = subs * subs

type member struct {
	id   uint64
	x, z int32
	slot int32
}

// NewGrid makes an empty grid of square cells, size lattice steps wide, for a venue's rooms. It panics when size
// is below 4, which is too small to divide; a venue's cells are metres wide.
func NewGrid(size int32, rooms Rooms) *Grid {
	if size < subs {
		panic("aoi: the cell size must be at least 4 lattice steps")
	}
	return &Grid{size: size, sub: size / subs, rooms: rooms, cells: make(map[Cell]*bucket), index: make(map[uint64]int32)}
}

// Len returns how many entities are in the grid.
func (g *Grid) Len() int { return len(g.index) }

// CellOf returns the cell that holds a point of a floor. The height plays no part.
func (g *Grid) CellOf(floor uint8, at lattice.Vec) Cell {
	return Cell{floor, floorDiv(at.X, g.size), floorDiv(at.Z, g.size)}
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// partOf returns the parts along x and z of its cell in which a point lies.
func (g *Grid) partOf(c Cell, at lattice.Vec) (x, z int32) {
	part := func(v, cell int32) int32 {
		return int32(min((int64(v)-int64(cell)*int64(g.size))/int64(g.sub), subs-1))
	}
	return part(at.X, c.X), part(at.Z, c.Z)
}

// Put places an entity, or moves it.
func (g *Grid) Put(id uint64, p Place) {
	cell := g.CellOf(p.Floor, p.At)
	part := uint8(unranked)
	if !p.Quiet && !p.Wide {
		x, z := g.partOf(cell, p.At)
		part = uint8(z*subs + x)
	}
	i, known := g.index[id]
	if !known {
		i = g.newSlot(id)
	}
	s := &g.slots[i]
	s.x, s.z = p.At.X, p.At.Z
	if known && s.cell == cell && s.part == part {
		m := &s.b.parts[part][s.at]
		m.x, m.z = s.x, s.z
	} else {
		if known {
			g.takeOut(s)
		}
		if !known || s.cell != cell {
			if known {
				g.touch(s, i)
			}
			s.cell, s.b = cell, g.bucket(cell)
			g.touch(s, i)
		}
		s.part = part
		g.putIn(s, i)
	}
	if s.room != p.Room || s.quiet != p.Quiet || s.wide != p.Wide {
		g.turn(s, i, p)
	}
}

// turn changes what an entity counts as.
func (g *Grid) turn(s *slot, i int32, p Place) {
	if s.wide != p.Wide {
		if p.Wide {
			g.wide = append(g.wide, i)
		} else {
			g.unwide(s, i)
		}
	}
	s.room, s.quiet, s.wide = p.Room, p.Quiet, p.Wide
	g.touch(s, i)
}

func (g *Grid) unwide(s *slot, i int32) {
	g.touch(s, i)
	for k, w := range g.wide {
		if w == i {
			g.wide = append(g.wide[:k], g.wide[k+1:]...)
			return
		}
	}
}

// touch notes that the set of those in an entity's cell changed.
func (g *Grid) touch(s *slot, i int32) {
	g.changes++
	s.b.changed = g.changes
	s.b.log[s.b.changes%logged] = change{g.changes, i}
	s.b.changes++
	if s.wide {
		g.wideAt = g.changes
	}
}

// Remove takes an entity out. Removing one that is not there does nothing.
func (g *Grid) Remove(id uint64) {
	i, known := g.index[id]
	if !known {
		return
	}
	s := &g.slots[i]
	g.takeOut(s)
	g.touch(s, i)
	if s.wide {
		g.unwide(s, i)
	}
	*s = slot{}
	delete(g.index, id)
	g.free = append(g.free, i)
}

func (g *Grid) newSlot(id uint64) int32 {
	var i int32
	if n := len(g.free); n > 0 {
		i = g.free[n-1]
		g.free = g.free[:n-1]
	} else {
		i = int32(len(g.slots))
		g.slots = append(g.slots, slot{})
	}
	s := &g.slots[i]
	s.id, s.live, s.born = id, true, g.changes+1 // its arrival is the next change
	g.index[id] = i
	return i
}

func (g *Grid) bucket(c Cell) *bucket {
	b := g.cells[c]
	if b == nil {
		b = new(bucket)
		g.cells[c] = b
		g.made++
	}
	return b
}

func (g *Grid) putIn(s *slot, i int32) {
	part := &s.b.parts[s.part]
	s.at = int32(len(*part))
	if *part == nil && s.part != unranked {
		s.b.furnish()
	}
	*part = append(*part, member{s.id, s.x, s.z, i})
}

// furnish gives every part room for a few, at once: people who wander would otherwise make a cell grow part by part.
func (b *bucket) furnish() {
	const room = 8
	all := make([]member, unranked*room)
	for i := range unranked {
		if b.parts[i] == nil {
			b.parts[i] = all[i*room : i*room : (i+1)*room]
		}
	}
}

func (g *Grid) takeOut(s *slot) {
	part := &s.b.parts[s.part]
	last := len(*part) - 1
	moved := (*part)[last]
	(*part)[s.at] = moved
	g.slots[moved.slot].at = s.at
	*part = (*part)[:last]
}
