package wire

import (
	"math/bits"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// An update is a form, a change mask in some forms, and the fields, each as the difference to where it
// is expected (see predict.go) or, for what does not move, to the baseline.
//
//	0     every joint; the rest as in the baseline
//	10    every joint, age
//	110   mask, fields
//	1110  far: every joint
//	1111  far: mask, fields
//
// A far state is on a coarser lattice (see Coarse), and so are its differences.

const (
	farBits   = 2 // a far step is four steps
	farTables = 2 * farBits
)

// Coarse puts a state on the lattice of far updates: steps of 1/256 m, hands counted from the head, and of 1/256
// of a rotation's component, half a degree; the age in steps of 32 ms.
func Coarse(s *stream.State) stream.State {
	c := *s
	left, right := reach(&s.Body)
	c.Body.Head = coarseJoint(s.Body.Head.Pos, s.Body.Head.Rot)
	c.AgeMS = uint8(min((int(s.AgeMS)+16)&^31, 224))
	if !handed(&s.Body) {
		return c
	}
	c.Body.Left, c.Body.Right = coarseJoint(left, s.Body.Left.Rot), coarseJoint(right, s.Body.Right.Rot)
	c.Body.Left.Pos = inBounds(c.Body.Left.Pos.Add(c.Body.Head.Pos))
	c.Body.Right.Pos = inBounds(c.Body.Right.Pos.Add(c.Body.Head.Pos))
	return c
}

// inBounds takes back a far step that led out of what coordinates may be.
func inBounds(v lattice.Vec) lattice.Vec {
	for _, c := range [3]*int32{&v.X, &v.Y, &v.Z} {
		if *c > coordinateMax {
			*c -= 1 << farBits
		} else if *c < -coordinateMax {
			*c += 1 << farBits
		}
	}
	return v
}

func coarseJoint(at lattice.Vec, r lattice.Rot) lattice.Joint {
	const half = 1 << (farBits - 1)
	coarse := func(v int32) int32 { return (v + half) &^ (1<<farBits - 1) }
	return lattice.Joint{Pos: lattice.Vec{X: coarse(at.X), Y: coarse(at.Y), Z: coarse(at.Z)}, Rot: r.Coarse(farBits)}
}

// isCoarse reports whether a body is on the lattice of far updates.
func isCoarse(b *lattice.Body) bool {
	left, right := reach(b)
	or := b.Head.Pos.X | b.Head.Pos.Y | b.Head.Pos.Z | left.X | left.Y | left.Z | right.X | right.Y | right.Z
	for _, r := range [3]lattice.Rot{b.Head.Rot, b.Left.Rot, b.Right.Rot} {
		or |= int32(r.C[0]) | int32(r.C[1]) | int32(r.C[2])
	}
	return or&(1<<farBits-1) == 0
}

// Delta is an update, coded: what a frame's record holds after its baseline. It depends on nothing but the state, its
// tick and the past, so it serves every client that has the same past. The zero value is ready for Encode.
type Delta struct {
	w   bitWriter
	ok  bool
	buf [maxDeltaBytes]byte
}

// maxDeltaBytes bounds a delta: every number escaped.
const maxDeltaBytes = 160

// Encode codes the state of a tick against a past. far says that the state is on the coarse lattice. A state that
// has hands where the baseline has none, or the other way round, cannot be a delta: OK is false then, and the
// state must be sent in full.
func (d *Delta) Encode(s *stream.State, tick uint32, past *Past, far bool) {
	d.w = bitWriter{buf: d.buf[:], max: len(d.buf)}
	d.ok = past.N > 0 && handed(&s.Body) == handed(&past.State[0].Body) && (!far || isCoarse(&s.Body))
	if d.ok {
		e := deltaCoder{w: &d.w}
		e.code(s, tick, past, far)
	}
}

// OK reports whether the last Encode made a delta.
func (d *Delta) OK() bool { return d.ok }

// Bits returns how long the delta is.
func (d *Delta) Bits() int { return 8*d.w.pos + int(d.w.n) }

// Context is what chose the code of one difference.
type Context struct {
	Kind, Level, Ahead, Bucket int8
}

// Survey calls on with every difference of a state to where its past lets it be expected, mask or not, and what chooses
// its code: for training the tables and for measuring. Level is -1 when only the baseline is
// known.
func Survey(s *stream.State, tick uint32, past *Past, on func(Context, int32)) {
	e := deltaCoder{survey: on}
	e.code(s, tick, past, false)
}

// deltaCoder writes deltas.
type deltaCoder struct {
	w      *bitWriter
	p      plan
	far    bool
	survey func(Context, int32)
}

func (e *deltaCoder) code(s *stream.State, tick uint32, past *Past, far bool) {
	base := past.State[0]
	e.p, e.far = prepare(past, tick), far
	if far {
		e.p.shift = farTables
	}
	hands := handed(&s.Body)
	mask, all := changes(s, base, hands)
	if e.survey != nil {
		mask = all
	}
	whole := mask&maskRare == 0 && 2*count(mask&all) > count(all)
	switch {
	case e.survey != nil:
	case whole && !far && mask&maskAge == 0:
		e.w.put(0, 1)
		mask = all
	case whole && !far:
		e.w.put(1, 2)
		mask = all | maskAge
	case whole && mask&maskAge == 0:
		e.w.put(0b0111, 4)
		mask = all
	default:
		width := uint(bareBits)
		if hands {
			width = handedBits
		}
		if far {
			e.w.put(0b1111|mask<<4, 4+width)
		} else {
			e.w.put(0b011|mask<<3, 3+width)
		}
	}
	e.fields(s, past, mask)
}

func (e *deltaCoder) fields(s *stream.State, past *Past, mask uint32) {
	var v [PastStates]lattice.Vec
	var r [PastStates]lattice.Rot
	n := e.p.n
	base := past.State[0]
	if mask&maskHeadPos != 0 {
		for i := range n {
			v[i] = past.State[i].Body.Head.Pos
		}
		e.place(headPlace, s.Body.Head.Pos, &v)
	}
	if mask&maskHeadRot != 0 {
		for i := range n {
			r[i] = past.State[i].Body.Head.Rot
		}
		e.turn(headTurn, s.Body.Head.Rot, &r)
	}
	if mask&maskAge != 0 {
		e.w.residual(int32(int8(s.AgeMS-base.AgeMS)), &tables[ageTable])
	}
	if mask&maskRare != 0 {
		e.w.rare(s, base)
	}
	if mask&(maskLeftPos|maskRightPos) != 0 {
		left, right := reach(&s.Body)
		var u [PastStates]lattice.Vec
		for i := range n {
			v[i], u[i] = reach(&past.State[i].Body)
		}
		if mask&maskLeftPos != 0 {
			e.place(handPlace, left, &v)
		}
		if mask&maskRightPos != 0 {
			e.place(handPlace, right, &u)
		}
	}
	if mask&maskLeftRot != 0 {
		for i := range n {
			r[i] = past.State[i].Body.Left.Rot
		}
		e.turn(handTurn, s.Body.Left.Rot, &r)
	}
	if mask&maskRightRot != 0 {
		for i := range n {
			r[i] = past.State[i].Body.Right.Rot
		}
		e.turn(handTurn, s.Body.Right.Rot, &r)
	}
}

func (e *deltaCoder) place(kind int, to lattice.Vec, v *[PastStates]lattice.Vec) {
	g := e.p.place(kind, v)
	e.three(kind, &g, [3]int32{to.X, to.Y, to.Z})
}

func (e *deltaCoder) turn(kind int, to lattice.Rot, r *[PastStates]lattice.Rot) {
	g := e.p.turn(kind, r, to.Largest)
	if to.Largest != r[0].Largest && e.survey == nil {
		usual := e.p.turn(kind, r, r[0].Largest)
		c := tables[usual.table[0]].codes[escape]
		e.w.put(uint32(c.bits)|uint32(to.Largest)<<c.len, uint(c.len)+2)
	}
	e.three(kind, &g, [3]int32{int32(to.C[0]), int32(to.C[1]), int32(to.C[2])})
}

func (e *deltaCoder) three(kind int, g *guess, to [3]int32) {
	for k, at := range g.at {
		d := to[k] - at
		if e.far {
			d = to[k]>>farBits - farExpected(at)
		}
		if e.survey != nil {
			e.survey(g.context[k], d)
			continue
		}
		e.w.residual(d, &tables[g.table[k]])
	}
}

// farExpected is what is expected in far steps.
func farExpected(at int32) int32 { return (at + 1<<(farBits-1)) >> farBits }

// changes returns the mask of the fields that differ from the baseline, and that of all
// joints there are.
func changes(s, base *stream.State, hands bool) (mask, all uint32) {
	c, b := &s.Body, &base.Body
	all = maskHeadPos | maskHeadRot
	if c.Head.Pos != b.Head.Pos {
		mask |= maskHeadPos
	}
	if c.Head.Rot != b.Head.Rot {
		mask |= maskHeadRot
	}
	if s.AgeMS != base.AgeMS {
		mask |= maskAge
	}
	if s.Flags != base.Flags || s.Holder != base.Holder || s.Value != base.Value {
		mask |= maskRare
	}
	if hands {
		all |= maskLeftPos | maskLeftRot | maskRightPos | maskRightRot
		left, right := reach(c)
		bl, br := reach(b)
		mask |= handMask(c, b, left.Sub(bl), right.Sub(br))
	}
	return mask, all
}

func count(mask uint32) int { return bits.OnesCount32(mask) }

// delta reads into s, a state of a tick, what Encode wrote against the past. The result is checked.
func (r *bitReader) delta(s *stream.State, tick uint32, past *Past) *Error {
	base := past.State[0]
	*s = *base
	d := deltaReader{r: r, p: prepare(past, tick)}
	hands := handed(&base.Body)
	all, width := uint32(maskHeadPos|maskHeadRot), uint(bareBits)
	if hands {
		all, width = all|maskLeftPos|maskLeftRot|maskRightPos|maskRightRot, handedBits
	}
	mask := all
	switch form := bits.TrailingZeros32(^r.peek(4)); form {
	case 0:
		r.skip(1)
	case 1:
		r.skip(2)
		mask |= maskAge
	case 2:
		r.skip(3)
		mask = r.get(width)
	default:
		r.skip(4)
		d.far, d.p.shift = true, farTables
		if form == 4 {
			mask = r.get(width)
		}
	}
	d.fields(s, past, mask, hands)
	if r.short {
		return errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside a state", len(r.buf))
	}
	if past.Fine {
		return nil
	}
	return checkBody(&s.Body)
}

// maxComponent is a component that no lattice has.
const maxComponent = 2048

// Decode reads a delta by itself, as Encode made it, into s; the gateway's end and a View's do it within frames. Positions and
// rotations on the fine lattice are not checked.
func (d *Delta) Decode(s *stream.State, tick uint32, past *Past) error {
	r := bitReader{buf: d.w.finish()}
	if err := r.delta(s, tick, past); err != nil {
		return err
	}
	return nil
}

// deltaReader reads deltas.
type deltaReader struct {
	r   *bitReader
	p   plan
	far bool
}

func (d *deltaReader) fields(s *stream.State, past *Past, mask uint32, hands bool) {
	var v, u [PastStates]lattice.Vec
	var q [PastStates]lattice.Rot
	n := d.p.n
	base := past.State[0]
	if mask&maskHeadPos != 0 {
		for i := range n {
			v[i] = past.State[i].Body.Head.Pos
		}
		s.Body.Head.Pos = d.place(headPlace, &v)
	}
	if mask&maskHeadRot != 0 {
		for i := range n {
			q[i] = past.State[i].Body.Head.Rot
		}
		s.Body.Head.Rot = d.turn(headTurn, &q)
	}
	if mask&maskAge != 0 {
		s.AgeMS = base.AgeMS + uint8(d.r.residual(&tables[ageTable]))
	}
	if mask&maskRare != 0 {
		d.r.rare(s)
	}
	if !hands {
		return
	}
	for i := range n {
		v[i], u[i] = reach(&past.State[i].Body)
	}
	left, right := v[0], u[0]
	if mask&maskLeftPos != 0 {
		left = d.place(handPlace, &v)
	}
	if mask&maskRightPos != 0 {
		right = d.place(handPlace, &u)
	}
	s.Body.Left.Pos, s.Body.Right.Pos = s.Body.Head.Pos.Add(left), s.Body.Head.Pos.Add(right)
	if mask&maskLeftRot != 0 {
		for i := range n {
			q[i] = past.State[i].Body.Left.Rot
		}
		s.Body.Left.Rot = d.turn(handTurn, &q)
	}
	if mask&maskRightRot != 0 {
		for i := range n {
			q[i] = past.State[i].Body.Right.Rot
		}
		s.Body.Right.Rot = d.turn(handTurn, &q)
	}
}

func (d *deltaReader) place(kind int, v *[PastStates]lattice.Vec) lattice.Vec {
	g := d.p.place(kind, v)
	var to [3]int32
	for k := range to {
		to[k] = d.at(&g, k, d.r.residual(&tables[g.table[k]]))
	}
	return lattice.Vec{X: to[0], Y: to[1], Z: to[2]}
}

func (d *deltaReader) turn(kind int, q *[PastStates]lattice.Rot) lattice.Rot {
	to := lattice.Rot{Largest: q[0].Largest}
	g := d.p.turn(kind, q, to.Largest)
	symbol := d.r.symbol(&tables[g.table[0]])
	if symbol == escape {
		to.Largest = uint8(d.r.get(2))
		g = d.p.turn(kind, q, to.Largest)
		symbol = d.r.symbol(&tables[g.table[0]])
	}
	for k := range to.C {
		if k > 0 {
			symbol = d.r.symbol(&tables[g.table[k]])
		}
		c := d.at(&g, k, d.r.size(symbol))
		to.C[k] = int16(min(max(c, -maxComponent), maxComponent)) // which checkBody refuses

	}
	return to
}

// at returns a number from where it is expected and the difference.
func (d *deltaReader) at(g *guess, k int, difference int32) int32 {
	if d.far {
		return (farExpected(g.at[k]) + difference) << farBits
	}
	return g.at[k] + difference
}
