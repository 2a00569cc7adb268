// Package naive is a second implementation of interest, which the real one is tested and
// measured against: every viewer looks at every entity. It shares no code with
// package aoi.
package naive

import (
	"cmp"
	"slices"

	"github.com/venued/venued/lattice"
)

// Entity is where an entity is and how it counts, as aoi.Place has it.
type Entity struct {
	Floor       uint8
	Room        uint16
	At          lattice.Vec
	Quiet, Wide bool
}

// Grid holds everybody.
type Grid struct {
	size int64
	see  func(a, b uint16) bool
	all  map[uint64]*Entity
}

// NewGrid makes an empty grid of cells size steps wide; see says which rooms see each other.
func NewGrid(size int32, see func(a, b uint16) bool) *Grid {
	return &Grid{size: int64(size), see: see, all: map[uint64]*Entity{}}
}

// Put places an entity, or moves it.
func (g *Grid) Put(id uint64, e Entity) {
	if old := g.all[id]; old != nil {
		*old = e
		return
	}
	g.all[id] = &e
}

// Remove takes an entity out.
func (g *Grid) Remove(id uint64) { delete(g.all, id) }

// Len counts the entities.
func (g *Grid) Len() int { return len(g.all) }

// Set is one viewer's interest.
type Set struct {
	g      *Grid
	self   uint64
	margin int64
	stay   uint64
	n      int // how many may be near

	placed bool
	due    uint64
	in     map[uint64]*Entity // which incarnation of the entity was seen
	out    map[uint64]uint64  // since when it is outside
	near   map[uint64]bool
}

// NewSet makes an empty set for a viewer.
func NewSet(g *Grid, self uint64, margin int32, stay uint64, near int) *Set {
	return &Set{g: g, self: self, margin: int64(margin), stay: stay, n: near,
		in: map[uint64]*Entity{}, out: map[uint64]uint64{}, near: map[uint64]bool{}}
}

// edge returns the lower edge of the cell that holds v, by counting up from a multiple
// of the size below it, so that it shares no arithmetic with the grid.
func (g *Grid) edge(v int32) int64 {
	e := int64(v) - int64(v)%g.size - g.size
	for e+g.size <= int64(v) {
		e += g.size
	}
	return e
}

// Update moves the viewer and returns who entered and who left, in rising order.
func (s *Set) Update(tick uint64, me Entity) (entered, left []uint64) {
	x, z := s.g.edge(me.At.X)-s.g.size, s.g.edge(me.At.Z)-s.g.size
	sees := func(e *Entity) bool { return e.Floor == me.Floor && s.g.see(me.Room, e.Room) }
	within := func(e *Entity, margin int64) bool {
		return int64(e.At.X) >= x-margin && int64(e.At.X) < x+3*s.g.size+margin &&
			int64(e.At.Z) >= z-margin && int64(e.At.Z) < z+3*s.g.size+margin
	}
	inside := func(e *Entity, margin int64) bool { return sees(e) && (e.Wide || within(e, margin)) }
	for id, seen := range s.in {
		e := s.g.all[id]
		gone := e != seen
		if !gone && !inside(e, s.margin) {
			since, ok := s.out[id]
			if !ok {
				since, s.out[id] = tick, tick
			}
			gone = tick-since >= s.stay
		} else {
			delete(s.out, id)
		}
		if gone {
			delete(s.in, id)
			delete(s.out, id)
			delete(s.near, id)
			left = append(left, id)
		}
	}
	for id, e := range s.g.all {
		if id != s.self && s.in[id] == nil && inside(e, 0) {
			s.in[id] = e
			entered = append(entered, id)
		}
	}
	slices.Sort(entered)
	slices.Sort(left)
	due := !s.placed || tick >= s.due
	if due {
		for s.due = tick + 1; (s.due+s.self)%8 != 0; s.due++ {
		}
	}
	if due {
		s.rank(me.At, func(e *Entity) bool { return within(e, 0) && sees(e) })
	} else {
		for _, id := range entered {
			if e := s.g.all[id]; len(s.near) < s.n && !e.Quiet && !e.Wide {
				s.near[id] = true
			}
		}
	}
	s.placed = true
	return entered, left
}

// rank chooses the near ones by sorting everybody.
func (s *Set) rank(at lattice.Vec, here func(*Entity) bool) {
	type ranked struct {
		id uint64
		d  int64
	}
	var all []ranked
	for id, e := range s.in {
		if e.Quiet || e.Wide || !s.near[id] && !here(e) {
			continue
		}
		dx, dz := int64(e.At.X)-int64(at.X), int64(e.At.Z)-int64(at.Z)
		d := dx*dx + dz*dz
		if s.near[id] {
			d = d / 18 * 13 // 85 % of the distance
		}
		all = append(all, ranked{id, d})
	}
	slices.SortFunc(all, func(a, b ranked) int {
		if a.d != b.d {
			return cmp.Compare(a.d, b.d)
		}
		return cmp.Compare(a.id, b.id)
	})
	clear(s.near)
	for _, r := range all[:min(s.n, len(all))] {
		s.near[r.id] = true
	}
}

// Len counts who is in the set.
func (s *Set) Len() int { return len(s.in) }

// Has reports whether an entity is in the set.
func (s *Set) Has(id uint64) bool { return s.in[id] != nil }

// Near returns who is near, in rising order.
func (s *Set) Near() []uint64 {
	var ids []uint64
	for id := range s.near {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}
