package aoi

import (
	"slices"

	"github.com/venued/venued/lattice"
)

// Viewer is what a set is made for.
type Viewer struct {
	Self   uint64 // the viewer's own entity, which is never in its set; 0 for none
	Margin int32  // lattice steps outside the nine cells within which nobody leaves; negative counts as 0
	Stay   uint64 // ticks outside of that after which an entity leaves
	Near   int    // how many are ranked as near
}

// Set is what one viewer is interested in: the ids of the entities that entered its
// area and have not left it.
type Set struct {
	g *Grid
	v Viewer

	has  []uint64 // a bit for each slot of the grid that is in the set
	list []entry

	cell   Cell
	room   uint16
	placed bool       // Update ran before
	seen   uint64     // Grid.changes at the last update
	nine   [9]*bucket // around cell; nil where there never was anybody
	made   int        // Grid.made when they were looked up
	fringe int        // how many in the set are outside the nine cells, and not because they are wide

	ranking ranking

	entered, left []uint64
}

// entry is one in the set.
type entry struct {
	id    uint64
	since uint64 // first tick of being outside the margin, when out
	slot  int32
	gen   uint32 // of the slot, when it entered
	out   bool
}

// NewSet makes an empty set over a grid.
func NewSet(g *Grid, v Viewer) *Set {
	v.Margin = max(v.Margin, 0)
	return &Set{g: g, v: v}
}

// Update moves the viewer to a place at a tick, which must not be lower than
// the one before, and returns the ids that entered and that left since the last update,
// both in rising order and valid until the next one. An entity that was removed from
// the grid leaves at once; one that was removed and put again since the last update
// is in both lists: it left first. Of the place only floor, room and point count.
func (s *Set) Update(tick uint64, p Place) (entered, left []uint64) {
	s.entered, s.left = s.entered[:0], s.left[:0]
	cell := s.g.CellOf(p.Floor, p.At)
	moved := !s.placed || cell != s.cell || p.Room != s.room
	s.cell, s.room = cell, p.Room
	if moved || s.made != s.g.made {
		s.lookUp()
	}
	if n := (len(s.g.slots)+63)/64 - len(s.has); n > 0 {
		s.has = append(s.has, make([]uint64, n)...)
	}
	if moved || s.seen != s.g.changes || s.fringe > 0 {
		s.refresh(tick, moved)
	}
	s.rank(tick, p.At)
	s.placed = true
	return s.entered, s.left
}

// refresh brings the set in line with the grid.
func (s *Set) refresh(tick uint64, moved bool) {
	wide := s.g.wideAt > s.seen
	changed := moved || wide || s.fringe > 0
	for _, b := range s.nine {
		changed = changed || b != nil && b.changed > s.seen
	}
	if changed {
		s.drop(tick)
		for _, b := range s.nine {
			if b != nil && (moved || b.changed > s.seen) {
				s.take(b)
			}
		}
		if moved || wide {
			s.takeWide()
		}
		slices.Sort(s.entered)
		slices.Sort(s.left)
	}
	s.seen = s.g.changes
}

func (s *Set) lookUp() {
	s.made = s.g.made
	for i := range s.nine {
		s.nine[i] = s.g.cells[Cell{s.cell.Floor, s.cell.X + int32(i%3) - 1, s.cell.Z + int32(i/3) - 1}]
	}
}

// drop takes out of the set what is gone or has been outside for long enough.
func (s *Set) drop(tick uint64) {
	size, margin := int64(s.g.size), int64(s.v.Margin)
	minX, minZ := (int64(s.cell.X)-1)*size-margin, (int64(s.cell.Z)-1)*size-margin
	span := 3*size + 2*margin
	s.fringe = 0
	kept := s.list[:0]
	for _, m := range s.list {
		sl := &s.g.slots[m.slot]
		in := true
		switch {
		case !sl.live || sl.gen != m.gen:
			in = false
		case s.inside(sl):
			m.out = false
		default:
			x, z := int64(sl.x)-minX, int64(sl.z)-minZ
			if s.sees(sl) && x >= 0 && x < span && z >= 0 && z < span {
				m.out = false
			} else {
				if !m.out {
					m.out, m.since = true, tick
				}
				in = tick-m.since < s.v.Stay
			}
			if in {
				s.fringe++
			}
		}
		if in {
			kept = append(kept, m)
			continue
		}
		s.has[m.slot/64] &^= 1 << (m.slot % 64)
		s.ranking.drop(m.slot)
		s.left = append(s.left, m.id)
	}
	s.list = kept
}

// sees reports whether floors and rooms let the viewer see an entity.
func (s *Set) sees(sl *slot) bool {
	return sl.cell.Floor == s.cell.Floor && s.g.rooms.See(s.room, sl.room)
}

func (s *Set) inside(sl *slot) bool {
	return (sl.wide || s.cell.Near(sl.cell)) && s.sees(sl)
}

// take adds what is in one of the nine cells.
func (s *Set) take(b *bucket) {
	for i := range b.parts {
		for _, m := range b.parts[i] {
			s.add(m.slot)
		}
	}
}

func (s *Set) takeWide() {
	for _, i := range s.g.wide {
		s.add(i)
	}
}

func (s *Set) add(i int32) {
	word, bit := &s.has[i/64], uint64(1)<<(i%64)
	if *word&bit != 0 {
		return
	}
	sl := &s.g.slots[i]
	if sl.id == s.v.Self || !s.sees(sl) {
		return
	}
	*word |= bit
	s.list = append(s.list, entry{id: sl.id, slot: i, gen: sl.gen})
	s.entered = append(s.entered, sl.id)
}

// Has reports whether an entity is in the set as of the last update.
func (s *Set) Has(id uint64) bool {
	i, ok := s.g.index[id]
	if !ok || int(i/64) >= len(s.has) || s.has[i/64]>>(i%64)&1 == 0 {
		return false
	}
	// The slot may have come to somebody else since the update.
	at := slices.IndexFunc(s.list, func(m entry) bool { return m.slot == i })
	return at >= 0 && s.list[at].id == id && s.list[at].gen == s.g.slots[i].gen
}

// Len returns how many entities are in the set as of the last update.
func (s *Set) Len() int { return len(s.list) }

// square is the square of a difference of coordinates, saturated so that two of them can be added.
func square(a, b int32) int64 {
	d := int64(a) - int64(b)
	d = min(max(d, -(1<<31-1)), 1<<31-1)
	return d * d
}

func distance2(x, z int32, at lattice.Vec) int64 { return square(x, at.X) + square(z, at.Z) }
