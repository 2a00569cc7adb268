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

	// Those in the set that are outside the area, and a bit for each of them.
	fringe []outsider
	isOut  []uint64

	cell   Cell
	room   uint16
	placed bool       // Update ran before
	seen   uint64     // Grid.changes at the last update
	nine   [9]*bucket // around cell; nil where there never was anybody
	made   int        // Grid.made when they were looked up

	ranking ranking

	entered, left []uint64
}

// entry is one in the set.
type entry struct {
	id   uint64
	born uint64 // of the slot, when it entered: tells uses of a slot apart
	slot int32
}

// outsider is one in the set that is outside the area.
type outsider struct {
	slot  int32
	out   bool   // outside the margin too,
	since uint64 // since this tick
}

// NewSet makes an empty set over a grid.
func NewSet(g *Grid, v Viewer) *Set {
	v.Margin = max(v.Margin, 0)
	// Room for an ordinary crowd, so that sets do not grow step by step as people mill about.
	return &Set{
		g: g, v: v, list: make([]entry, 0, 384), fringe: make([]outsider, 0, 192),
		entered: make([]uint64, 0, 128), left: make([]uint64, 0, 128),
		ranking: ranking{near: make([]ranked, 0, v.Near), was: make([]ranked, 0, v.Near)},
	}
}

// Update moves the viewer to a place at a tick, which must not be lower than
// the one before, and returns the ids that entered and that left since the last update,
// both in rising order and valid until the next one. An entity that was removed from
// the grid leaves at once; one that was removed and put again since the last update
// is in both lists: it left first. Of the place only floor, room and point count.
func (s *Set) Update(tick uint64, p Place) (entered, left []uint64) {
	s.entered, s.left = s.entered[:0], s.left[:0]
	if n := (len(s.g.slots)+63)/64 - len(s.has); n > 0 {
		s.has = append(s.has, make([]uint64, n)...)
		s.isOut = append(s.isOut, make([]uint64, n)...)
		s.ranking.is = append(s.ranking.is, make([]uint64, n)...)
	}
	cell := s.g.CellOf(p.Floor, p.At)
	moved := !s.placed || cell != s.cell || p.Room != s.room
	s.cell, s.room = cell, p.Room
	if moved || s.made != s.g.made {
		s.lookUp()
	}
	if moved || s.seen != s.g.changes {
		if moved || s.g.wideAt > s.seen || !s.follow() {
			s.rescan()
		}
	}
	if len(s.fringe) > 0 {
		s.drop(tick)
	}
	slices.Sort(s.entered)
	slices.Sort(s.left)
	s.seen = s.g.changes
	s.rank(tick, p.At)
	s.placed = true
	return s.entered, s.left
}

func (s *Set) lookUp() {
	s.made = s.g.made
	for i := range s.nine {
		s.nine[i] = s.g.cells[Cell{s.cell.Floor, s.cell.X + int32(i%3) - 1, s.cell.Z + int32(i/3) - 1}]
	}
}

// follow looks at what changed in the nine cells. False means that their logs do not reach back to the last update.
func (s *Set) follow() bool {
	for _, b := range s.nine {
		if b == nil || b.changed <= s.seen {
			continue
		}
		if b.changes >= logged && b.log[b.changes%logged].at > s.seen {
			return false
		}
	}
	for _, b := range s.nine {
		if b == nil || b.changed <= s.seen {
			continue
		}
		for n := b.changes; n > 0 && b.changes-n < logged; n-- {
			c := &b.log[(n-1)%logged]
			if c.at <= s.seen {
				break
			}
			s.look(c.slot)
		}
	}
	return true
}

// rescan looks at everyone in the set, and in the area.
func (s *Set) rescan() {
	for i := len(s.list) - 1; i >= 0; i-- {
		s.look(s.list[i].slot) // takes out no other than this
	}
	for _, b := range s.nine {
		if b == nil {
			continue
		}
		for i := range b.parts {
			for _, m := range b.parts[i] {
				s.look(m.slot)
			}
		}
	}
	for _, i := range s.g.wide {
		s.look(i)
	}
}

// look brings what the set has of a slot in line with the grid.
func (s *Set) look(i int32) {
	sl := &s.g.slots[i]
	word, bit := i/64, uint64(1)<<(i%64)
	if s.has[word]&bit != 0 && s.stale(sl, i) {
		s.leave(i)
	}
	if !sl.live || sl.id == s.v.Self {
		return
	}
	in, inside := s.has[word]&bit != 0, s.inside(sl)
	switch {
	case !in && inside:
		s.has[word] |= bit
		s.list = append(s.list, entry{sl.id, sl.born, i})
		s.entered = append(s.entered, sl.id)
	case in && !inside && s.isOut[word]&bit == 0:
		s.isOut[word] |= bit
		s.fringe = append(s.fringe, outsider{slot: i})
	}
}

// stale reports whether whoever is in the set for a slot has gone from it.
func (s *Set) stale(sl *slot, i int32) bool {
	if !sl.live {
		return true
	}
	if sl.born <= s.seen {
		return false
	}
	// The slot was taken since the last update: this may be its new user already.
	return s.list[s.find(i)].born != sl.born
}

func (s *Set) find(i int32) int {
	return slices.IndexFunc(s.list, func(m entry) bool { return m.slot == i })
}

// leave takes out of the set whoever was in a slot.
func (s *Set) leave(i int32) {
	word, bit := i/64, uint64(1)<<(i%64)
	s.has[word] &^= bit
	at := s.find(i)
	s.left = append(s.left, s.list[at].id)
	s.list[at] = s.list[len(s.list)-1]
	s.list = s.list[:len(s.list)-1]
	s.ranking.drop(i)
	if s.isOut[word]&bit != 0 {
		s.isOut[word] &^= bit
		s.fringe = slices.DeleteFunc(s.fringe, func(f outsider) bool { return f.slot == i })
	}
}

// drop takes out of the set what is gone or has been outside for long enough.
func (s *Set) drop(tick uint64) {
	size, margin := int64(s.g.size), int64(s.v.Margin)
	minX, minZ := (int64(s.cell.X)-1)*size-margin, (int64(s.cell.Z)-1)*size-margin
	span := 3*size + 2*margin
	for k := len(s.fringe) - 1; k >= 0; k-- {
		f := &s.fringe[k]
		sl := &s.g.slots[f.slot]
		if s.stale(sl, f.slot) {
			s.leave(f.slot) // takes f out
			continue
		}
		if s.inside(sl) {
			s.isOut[f.slot/64] &^= 1 << (f.slot % 64)
			s.fringe = slices.Delete(s.fringe, k, k+1)
			continue
		}
		x, z := int64(sl.x)-minX, int64(sl.z)-minZ
		if s.sees(sl) && x >= 0 && x < span && z >= 0 && z < span {
			f.out = false
			continue
		}
		if !f.out {
			f.out, f.since = true, tick
		}
		if tick-f.since >= s.v.Stay {
			s.leave(f.slot)
		}
	}
}

// sees reports whether floors and rooms let the viewer see an entity.
func (s *Set) sees(sl *slot) bool {
	return sl.cell.Floor == s.cell.Floor && s.g.rooms.See(s.room, sl.room)
}

func (s *Set) inside(sl *slot) bool {
	return (sl.wide || s.cell.Near(sl.cell)) && s.sees(sl)
}

// Has reports whether an entity is in the set as of the last update.
func (s *Set) Has(id uint64) bool {
	i, ok := s.g.index[id]
	return ok && int(i/64) < len(s.has) && s.has[i/64]>>(i%64)&1 != 0 && s.g.slots[i].born <= s.seen
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
