package aoi

import (
	"slices"

	"github.com/venued/venued/lattice"
)

// Set is what one viewer is interested in: the ids of the entities that entered its
// area and have not left it.
type Set struct {
	g      *Grid
	margin int64
	stay   uint64

	marks []mark  // by slot of the grid
	list  []int32 // slots of those in the set

	cell    Cell
	placed  bool   // Update ran before
	changes uint64 // of the grid, at the last update
	fringe  int    // how many in the set are outside the nine cells

	entered, left []uint64
}

// mark is what a set knows about a slot of the grid.
type mark struct {
	id    uint64
	since uint64 // first tick of being outside the margin, when out
	gen   uint32 // of the slot, when it entered
	in    bool
	out   bool
}

// NewSet makes an empty set over a grid. margin is in lattice steps and stay in
// ticks: an entity leaves once it has been more than margin outside the nine cells for
// stay ticks. A negative margin counts as 0.
func NewSet(g *Grid, margin int32, stay uint64) *Set {
	return &Set{g: g, margin: int64(max(margin, 0)), stay: stay}
}

// Update moves the viewer to a point of a floor at a tick, which must not be lower than
// the one before, and returns the ids that entered and that left since the last update,
// both in rising order and valid until the next one. An entity that was removed from
// the grid leaves at once; one that was removed and put again since the last update
// is in both lists: it left first.
//
// The viewer itself is treated like everyone else: a caller who puts it into
// the grid finds it in its own set.
func (s *Set) Update(tick uint64, floor uint8, at lattice.Vec) (entered, left []uint64) {
	s.entered, s.left = s.entered[:0], s.left[:0]
	cell := s.g.CellOf(floor, at)
	if s.placed && cell == s.cell && s.changes == s.g.changes && s.fringe == 0 {
		return nil, nil // nobody crossed an edge, and nobody is on the way out
	}
	s.placed, s.cell, s.changes = true, cell, s.g.changes
	if n := len(s.g.slots) - len(s.marks); n > 0 {
		s.marks = append(s.marks, make([]mark, n)...)
	}
	s.drop(tick)
	s.take()
	slices.Sort(s.entered)
	slices.Sort(s.left)
	return s.entered, s.left
}

// drop takes out of the set what is gone or has been outside for long enough.
func (s *Set) drop(tick uint64) {
	size := int64(s.g.size)
	minX, minZ := (int64(s.cell.X)-1)*size-s.margin, (int64(s.cell.Z)-1)*size-s.margin
	span := 3*size + 2*s.margin
	s.fringe = 0
	kept := s.list[:0]
	for _, i := range s.list {
		m, sl := &s.marks[i], &s.g.slots[i]
		switch {
		case !sl.live || sl.gen != m.gen:
			m.in = false
		case s.cell.Near(sl.cell):
			m.out = false
		default:
			x, z := int64(sl.x)-minX, int64(sl.z)-minZ
			if sl.cell.Floor == s.cell.Floor && x >= 0 && x < span && z >= 0 && z < span {
				m.out = false
			} else {
				if !m.out {
					m.out, m.since = true, tick
				}
				m.in = tick-m.since < s.stay
			}
			if m.in {
				s.fringe++
			}
		}
		if m.in {
			kept = append(kept, i)
		} else {
			s.left = append(s.left, m.id)
		}
	}
	s.list = kept
}

// take adds what is in the nine cells.
func (s *Set) take() {
	for dz := int32(-1); dz <= 1; dz++ {
		for dx := int32(-1); dx <= 1; dx++ {
			b := s.g.cells[Cell{s.cell.Floor, s.cell.X + dx, s.cell.Z + dz}]
			if b == nil {
				continue
			}
			for _, e := range b.members {
				m := &s.marks[e.slot]
				if m.in {
					continue
				}
				*m = mark{id: e.id, gen: s.g.slots[e.slot].gen, in: true}
				s.list = append(s.list, e.slot)
				s.entered = append(s.entered, e.id)
			}
		}
	}
}

// Has reports whether an entity is in the set as of the last update.
func (s *Set) Has(id uint64) bool {
	i, ok := s.g.index[id]
	if !ok || int(i) >= len(s.marks) {
		return false
	}
	m := &s.marks[i]
	return m.in && m.gen == s.g.slots[i].gen
}

// Len returns how many entities are in the set as of the last update.
func (s *Set) Len() int { return len(s.list) }

// Cell returns the viewer's cell; false before the first update.
func (s *Set) Cell() (Cell, bool) { return s.cell, s.placed }
