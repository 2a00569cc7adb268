package aoi

import "github.com/venued/venued/lattice"

// RankEvery is how many ticks pass between two rankings of a set.
const RankEvery = 8

// Somebody near keeps their place until somebody else's distance is below 85 % of theirs: 13/18 is
// its square.
const (
	keepNum = 13
	keepDen = 18
)

// ranking holds the near ones of a set, as of the last ranking.
type ranking struct {
	near  []ranked // a heap while it is filled: the farthest first
	was   []ranked // scratch
	is    []uint64 // a bit for each slot of the grid that is near
	due   uint64   // tick of the next
	fresh bool     // the last update ranked
	known int      // how many of near were there before those who joined with the last update
}

// ranked is one that is near. d is the square of the distance that counted, in steps.
type ranked struct {
	d    int64
	id   uint64
	slot int32
}

// farther orders by distance and then by id, so that a ranking has one result.
func (a ranked) farther(b ranked) bool { return a.d > b.d || a.d == b.d && a.id > b.id }

// Near calls yield for each entity that the last ranking found to be near and that is still in the set,
// in no particular order.
func (s *Set) Near(yield func(id uint64)) {
	for i := range s.ranking.near {
		yield(s.ranking.near[i].id)
	}
}

// Ranked reports whether the last update ranked, so that Near may be others altogether.
func (s *Set) Ranked() bool { return s.ranking.fresh }

// Joined calls yield for each entity that entered with the last update and is near because there was room, when
// it did not rank.
func (s *Set) Joined(yield func(id uint64)) {
	if r := &s.ranking; !r.fresh {
		for i := r.known; i < len(r.near); i++ {
			yield(r.near[i].id)
		}
	}
}

// rank finds the near ones at the viewer's own one of RankEvery ticks.
func (s *Set) rank(tick uint64, at lattice.Vec) {
	r := &s.ranking
	r.fresh = s.v.Near > 0 && (!s.placed || tick >= r.due)
	if !r.fresh {
		s.join()
		return
	}
	r.due = tick - (tick+s.v.Self)%RankEvery + RankEvery
	r.was, r.near = r.near, r.was[:0]
	for _, m := range r.was {
		sl := &s.g.slots[m.slot]
		if !sl.ranked() {
			r.is[m.slot/64] &^= 1 << (m.slot % 64)
			continue
		}
		r.offer(s.v.Near, ranked{distance2(sl.x, sl.z, at) / keepDen * keepNum, m.id, m.slot})
	}
	s.search(at)
	for _, m := range r.was {
		r.is[m.slot/64] &^= 1 << (m.slot % 64)
	}
	for _, m := range r.near {
		r.is[m.slot/64] |= 1 << (m.slot % 64)
	}
}

// join makes those near who entered, as long as there is room.
func (s *Set) join() {
	r := &s.ranking
	r.known = len(r.near)
	for _, id := range s.entered {
		if len(r.near) >= s.v.Near {
			return
		}
		i := s.g.index[id]
		if s.g.slots[i].ranked() {
			r.is[i/64] |= 1 << (i % 64)
			r.near = append(r.near, ranked{id: id, slot: i})
		}
	}
}

// search offers whoever is in the nine cells, ring by ring around the viewer's part of its cell, until nobody
// farther out can be near.
func (s *Set) search(at lattice.Vec) {
	const span = 3 * subs
	r := &s.ranking
	vx, vz := s.g.partOf(s.cell, at)
	vx, vz = vx+subs, vz+subs
	for ring := int32(0); ring < span-subs; ring++ {
		// Everybody nearer than this has been looked at.
		if reach := int64(ring-1) * int64(s.g.sub); ring > 0 && len(r.near) == s.v.Near && r.near[0].d < reach*reach {
			return
		}
		for z := max(vz-ring, 0); z <= min(vz+ring, span-1); z++ {
			step := int32(1)
			if z != vz-ring && z != vz+ring {
				step = max(2*ring, 1) // only the two ends of the row are on the ring
			}
			for x := vx - ring; x <= vx+ring; x += step {
				if x >= 0 && x < span {
					s.searchPart(x, z, at)
				}
			}
		}
	}
}

func (s *Set) searchPart(x, z int32, at lattice.Vec) {
	b := s.nine[z/subs*3+x/subs]
	if b == nil {
		return
	}
	r := &s.ranking
	for _, m := range b.parts[z%subs*subs+x%subs] {
		d := distance2(m.x, m.z, at)
		if len(r.near) == s.v.Near && d > r.near[0].d {
			continue
		}
		if m.id == s.v.Self || r.is[m.slot/64]>>(m.slot%64)&1 != 0 || !s.sees(&s.g.slots[m.slot]) {
			continue
		}
		r.offer(s.v.Near, ranked{d, m.id, m.slot})
	}
}

// offer keeps m if it is among the nearest n so far.
func (r *ranking) offer(n int, m ranked) {
	h := r.near
	if len(h) < n {
		h = append(h, m)
		for i := len(h) - 1; i > 0; {
			up := (i - 1) / 2
			if !h[i].farther(h[up]) {
				break
			}
			h[i], h[up] = h[up], h[i]
			i = up
		}
		r.near = h
		return
	}
	if !h[0].farther(m) {
		return
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && h[down+1].farther(h[down]) {
			down++
		}
		if !h[down].farther(m) {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = m
}

// drop takes out one that left the set.
func (r *ranking) drop(slot int32) {
	if int(slot/64) >= len(r.is) || r.is[slot/64]>>(slot%64)&1 == 0 {
		return
	}
	r.is[slot/64] &^= 1 << (slot % 64)
	for i := range r.near {
		if r.near[i].slot == slot {
			r.near = append(r.near[:i], r.near[i+1:]...)
			return
		}
	}
}
