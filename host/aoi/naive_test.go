package aoi

import (
	"slices"

	"github.com/venued/venued/lattice"
)

// naiveGrid is the second implementation that the real one is tested and measured
// against: every viewer looks at every entity.
type naiveGrid struct {
	size int64
	all  map[uint64]*naiveEntity
}

type naiveEntity struct {
	floor uint8
	at    lattice.Vec
}

func newNaiveGrid(size int32) *naiveGrid {
	return &naiveGrid{size: int64(size), all: map[uint64]*naiveEntity{}}
}

func (g *naiveGrid) put(id uint64, floor uint8, at lattice.Vec) {
	if e := g.all[id]; e != nil {
		e.floor, e.at = floor, at
		return
	}
	g.all[id] = &naiveEntity{floor, at}
}

type naiveSet struct {
	g      *naiveGrid
	margin int64
	stay   uint64
	in     map[uint64]*naiveEntity // which incarnation of the entity was seen
	out    map[uint64]uint64       // since when it is outside
}

func newNaiveSet(g *naiveGrid, margin int32, stay uint64) *naiveSet {
	return &naiveSet{g: g, margin: int64(margin), stay: stay,
		in: map[uint64]*naiveEntity{}, out: map[uint64]uint64{}}
}

// edge returns the lower edge of the cell that holds v, by counting up from a multiple
// of the size below it, so that it shares no arithmetic with the grid.
func (g *naiveGrid) edge(v int32) int64 {
	e := int64(v) - int64(v)%g.size - g.size
	for e+g.size <= int64(v) {
		e += g.size
	}
	return e
}

func (s *naiveSet) update(tick uint64, floor uint8, at lattice.Vec) (entered, left []uint64) {
	x, z := s.g.edge(at.X)-s.g.size, s.g.edge(at.Z)-s.g.size
	inside := func(e *naiveEntity, margin int64) bool {
		return e.floor == floor &&
			int64(e.at.X) >= x-margin && int64(e.at.X) < x+3*s.g.size+margin &&
			int64(e.at.Z) >= z-margin && int64(e.at.Z) < z+3*s.g.size+margin
	}
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
			left = append(left, id)
		}
	}
	for id, e := range s.g.all {
		if s.in[id] == nil && inside(e, 0) {
			s.in[id] = e
			entered = append(entered, id)
		}
	}
	slices.Sort(entered)
	slices.Sort(left)
	return entered, left
}
