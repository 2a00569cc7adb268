package wire

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// A full state is a bit that says whether it has hands, a mask of the fields that are not zero, and those fields.
// Objects and doors have no hands: both are the zero Joint, are not written, and do not
// appear in the mask.

// Bits of the change mask, in the order of their fields.
const (
	maskHeadPos  = 1 << 0
	maskHeadRot  = 1 << 1
	maskAge      = 1 << 2
	maskRare     = 1 << 3 // another three bits follow: flags, holder, value
	maskLeftPos  = 1 << 4
	maskLeftRot  = 1 << 5
	maskRightPos = 1 << 6
	maskRightRot = 1 << 7
	bareBits     = 4 // width of the mask without hands
	handedBits   = 8 // and with them
)

var zeroState stream.State

// handed reports whether the body has hands.
func handed(b *lattice.Body) bool {
	return b.Left != lattice.Joint{} || b.Right != lattice.Joint{}
}

// reach returns the hands relative to the head; zero for a body without hands.
func reach(b *lattice.Body) (left, right lattice.Vec) {
	if !handed(b) {
		return left, right
	}
	return b.Left.Pos.Sub(b.Head.Pos), b.Right.Pos.Sub(b.Head.Pos)
}

// state writes a full state.
func (w *bitWriter) state(s *stream.State) {
	hands := handed(&s.Body)
	mask, _ := changes(s, &zeroState, hands)
	if hands {
		w.put(1|mask<<1, 1+handedBits)
	} else {
		w.put(mask<<1, 1+bareBits)
	}
	if mask&maskHeadPos != 0 {
		w.point(s.Body.Head.Pos, narrowHead)
	}
	if mask&maskHeadRot != 0 {
		w.rot(s.Body.Head.Rot)
	}
	if mask&maskAge != 0 {
		w.put(uint32(s.AgeMS), 8)
	}
	if mask&maskRare != 0 {
		w.rare(s, &zeroState)
	}
	left, right := reach(&s.Body)
	if mask&maskLeftPos != 0 {
		w.point(left, narrowHand)
	}
	if mask&maskLeftRot != 0 {
		w.rot(s.Body.Left.Rot)
	}
	if mask&maskRightPos != 0 {
		w.point(right, narrowHand)
	}
	if mask&maskRightRot != 0 {
		w.rot(s.Body.Right.Rot)
	}
}

func handMask(c, b *lattice.Body, left, right lattice.Vec) (mask uint32) {
	if left != (lattice.Vec{}) {
		mask |= maskLeftPos
	}
	if c.Left.Rot != b.Left.Rot {
		mask |= maskLeftRot
	}
	if right != (lattice.Vec{}) {
		mask |= maskRightPos
	}
	if c.Right.Rot != b.Right.Rot {
		mask |= maskRightRot
	}
	return mask
}

func (w *bitWriter) rare(cur, base *stream.State) {
	w.bit(cur.Flags != base.Flags)
	w.bit(cur.Holder != base.Holder)
	w.bit(cur.Value != base.Value)
	if cur.Flags != base.Flags {
		w.put(uint32(cur.Flags), 8)
	}
	if cur.Holder != base.Holder {
		w.sized(cur.Holder, 3)
	}
	if cur.Value != base.Value {
		w.sized(uint64(cur.Value), 2)
	}
}

// state reads into s what state wrote. The result is checked.
func (r *bitReader) state(s *stream.State) *Error {
	*s = stream.State{}
	b := &s.Body
	hands := r.bit()
	width := uint(bareBits)
	if hands {
		width = handedBits
	}
	mask := r.get(width)
	if mask&maskHeadPos != 0 {
		b.Head.Pos = r.point(narrowHead)
	}
	if mask&maskHeadRot != 0 {
		b.Head.Rot = r.rot()
	}
	if mask&maskAge != 0 {
		s.AgeMS = uint8(r.get(8))
	}
	if mask&maskRare != 0 {
		r.rare(s)
	}
	if hands {
		r.hands(b, mask)
	}
	if r.short {
		return errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside a state", len(r.buf))
	}
	return checkBody(b)
}

func (r *bitReader) hands(b *lattice.Body, mask uint32) {
	var left, right lattice.Vec
	if mask&maskLeftPos != 0 {
		left = r.point(narrowHand)
	}
	if mask&maskLeftRot != 0 {
		b.Left.Rot = r.rot()
	}
	if mask&maskRightPos != 0 {
		right = r.point(narrowHand)
	}
	if mask&maskRightRot != 0 {
		b.Right.Rot = r.rot()
	}
	b.Left.Pos, b.Right.Pos = b.Head.Pos.Add(left), b.Head.Pos.Add(right)
}

func (r *bitReader) rare(cur *stream.State) {
	flags, holder, value := r.bit(), r.bit(), r.bit()
	if flags {
		cur.Flags = uint8(r.get(8))
	}
	if holder {
		cur.Holder = r.sized(3)
	}
	if value {
		cur.Value = uint32(r.sized(2))
	}
}
