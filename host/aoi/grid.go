// Package aoi says which entities of a venue concern a viewer: its area of interest.
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
// other. A list sorted by coordinate was rejected: filling it with a crowd is
// quadratic, and a crowd is what a venue is for.
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
// allocates once the grid and the sets have seen their largest crowd.
package aoi

import "github.com/venued/venued/lattice"

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

// Grid holds the entities of a venue by cell.
type Grid struct {
	size    int32
	cells   map[Cell]*bucket
	spare   []*bucket // emptied buckets, for the next cell that somebody walks into
	index   map[uint64]int32
	slots   []slot
	free    []int32
	changes uint64 // counts arrivals in and departures from cells
}

// slot is an entity's place in the grid. Slots are reused; gen tells uses apart.
type slot struct {
	cell Cell
	x, z int32
	at   int32 // index in its bucket
	gen  uint32
	live bool
}

type bucket struct{ members []member }

type member struct {
	id   uint64
	slot int32
}

// NewGrid makes an empty grid of square cells, size lattice steps wide. It panics when size
// is below 2, which would let cell numbers overflow; a venue's cells are metres wide.
func NewGrid(size int32) *Grid {
	if size < 2 {
		panic("aoi: the cell size must be at least 2 lattice steps")
	}
	return &Grid{size: size, cells: make(map[Cell]*bucket), index: make(map[uint64]int32)}
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

// Put places an entity, or moves it. at is in venue coordinates.
func (g *Grid) Put(id uint64, floor uint8, at lattice.Vec) {
	cell := g.CellOf(floor, at)
	i, known := g.index[id]
	if !known {
		i = g.newSlot()
		g.index[id] = i
	}
	s := &g.slots[i]
	s.x, s.z = at.X, at.Z
	if known {
		if s.cell == cell {
			return
		}
		g.takeOut(s)
	}
	s.cell = cell
	g.putIn(s, id, i)
}

// Remove takes an entity out. Removing one that is not there does nothing.
func (g *Grid) Remove(id uint64) {
	i, known := g.index[id]
	if !known {
		return
	}
	s := &g.slots[i]
	g.takeOut(s)
	s.live = false
	s.gen++
	delete(g.index, id)
	g.free = append(g.free, i)
}

func (g *Grid) newSlot() int32 {
	var i int32
	if n := len(g.free); n > 0 {
		i = g.free[n-1]
		g.free = g.free[:n-1]
	} else {
		i = int32(len(g.slots))
		g.slots = append(g.slots, slot{})
	}
	g.slots[i].live = true
	return i
}

func (g *Grid) putIn(s *slot, id uint64, i int32) {
	b := g.cells[s.cell]
	if b == nil {
		if n := len(g.spare); n > 0 {
			b = g.spare[n-1]
			g.spare = g.spare[:n-1]
		} else {
			b = new(bucket)
		}
		g.cells[s.cell] = b
	}
	s.at = int32(len(b.members))
	b.members = append(b.members, member{id, i})
	g.changes++
}

func (g *Grid) takeOut(s *slot) {
	b := g.cells[s.cell]
	last := len(b.members) - 1
	moved := b.members[last]
	b.members[s.at] = moved
	g.slots[moved.slot].at = s.at
	b.members = b.members[:last]
	if last == 0 {
		delete(g.cells, s.cell)
		g.spare = append(g.spare, b)
	}
	g.changes++
}
