package view

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// said names a state of an entity that a client was told, which need not be one that the entity was in: a far one is on
// the coarse lattice, and one without hands has the head of its version and the hands of an earlier one. So what clients
// were told needs no memory of its own, and clients that were told the same share its coding.
//
//	bit 0       coarse
//	bits 1-6    how many versions older the hands are
//	bits 7-31   version, low 25 bits
type said uint32

const (
	coarse said = 1

	handsShift   = 1
	handsMask    = 63
	versionShift = 7
	versionMask  = 1<<25 - 1
)

// sayAll names the state of a version as it was.
func sayAll(version uint32) said { return said(version << versionShift) }

// handsAge is how many versions older the hands are.
func (s said) handsAge() uint32 { return uint32(s) >> handsShift & handsMask }

// upToDate reports whether there is nothing to add of a version, for somebody who is far, or not.
func (s said) upToDate(version uint32, far bool) bool {
	return s&^coarse == sayAll(version) && (far || s&coarse == 0)
}

// age is how many versions ago the state of s was.
func (ent *entity) age(s said) uint32 { return (ent.version - uint32(s)>>versionShift) & versionMask }

// knows reports whether the state that s names can still be made.
func (ent *entity) knows(s said) bool { return ent.age(s)+s.handsAge() < uint32(len(ent.past)) }

// ago returns the state of some versions ago, which must be kept.
func (ent *entity) ago(versions uint32) *stream.State {
	return &ent.past[(ent.version-versions)%pastStates]
}

// state returns the state that s names, in scratch if it is not one of the entity's own. The entity must know it.
func (ent *entity) state(s said, scratch *stream.State) *stream.State {
	st := ent.ago(ent.age(s))
	if age := s.handsAge(); age > 0 {
		*scratch = *st
		putHands(&scratch.Body, &ent.ago(ent.age(s)+age).Body)
		st = scratch
	}
	if s&coarse != 0 {
		*scratch = wire.Coarse(st)
		st = scratch
	}
	return st
}

// sayHead returns all, which names the current state, with the hands of base, if that saves anything and is true enough; else all. The
// hands must be known, as must what base says.
func (ent *entity) sayHead(all, base said) said {
	age := ent.age(base)
	if base.handsAge() != 0 || base&coarse != all&coarse || age == 0 || age > handsMask || age >= uint32(len(ent.past)) {
		return all
	}
	cur, old := ent.ago(0), ent.ago(age)
	if cur.Body.Head == old.Body.Head || cur.Flags != old.Flags || !hasHands(&cur.Body) || !hasHands(&old.Body) {
		return all
	}
	b := cur.Body
	putHands(&b, &old.Body)
	if !within(b.Left.Pos) || !within(b.Right.Pos) {
		return all
	}
	return all | said(age)<<handsShift
}

// putHands gives b the hands of from, as they are to the head.
func putHands(b, from *lattice.Body) {
	b.Left = lattice.Joint{Pos: b.Head.Pos.Add(from.Left.Pos.Sub(from.Head.Pos)), Rot: from.Left.Rot}
	b.Right = lattice.Joint{Pos: b.Head.Pos.Add(from.Right.Pos.Sub(from.Head.Pos)), Rot: from.Right.Rot}
}

// hasHands reports whether a body's hands are tracked: otherwise both are zero.
func hasHands(b *lattice.Body) bool { return b.Left != lattice.Joint{} || b.Right != lattice.Joint{} }

// within reports whether clients take a point.
func within(p lattice.Vec) bool {
	const most = lattice.MaxMetres * lattice.Steps
	return max(p.X, p.Y, p.Z) <= most && min(p.X, p.Y, p.Z) >= -most
}
