package wire

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// A state is written as a bit that says whether it has hands, a change mask, and the fields the mask
// names, each as a difference to the same field of a baseline. A full state is one against
// the zero State, so there is one codec. Objects and doors have no hands: both are the
// zero Joint, are not written, and do not appear in the mask.

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

// Widths of position differences by their two-bit form. The last is the whole coordinate,
// wrapping around; the one before takes a full state in an ordinary venue.
var (
	headWidths = [4]uint{6, 9, narrowHead, wide}
	handWidths = [4]uint{5, 8, narrowHand, wide}
)

// rotWidths are the widths of component differences by their two-bit form; form 3 is absolute.
var rotWidths = [3]uint{4, 6, 8}

const rotAbsolute = 3

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

func (w *bitWriter) state(cur, base *stream.State) {
	c, b := &cur.Body, &base.Body
	head := c.Head.Pos.Sub(b.Head.Pos)
	var mask uint32
	if head != (lattice.Vec{}) {
		mask |= maskHeadPos
	}
	if c.Head.Rot != b.Head.Rot {
		mask |= maskHeadRot
	}
	if cur.AgeMS != base.AgeMS {
		mask |= maskAge
	}
	if cur.Flags != base.Flags || cur.Holder != base.Holder || cur.Value != base.Value {
		mask |= maskRare
	}
	hands := handed(c)
	var left, right lattice.Vec
	if hands {
		left, right = reach(c)
		bl, br := reach(b)
		left, right = left.Sub(bl), right.Sub(br)
		mask |= handMask(c, b, left, right)
		w.put(1|mask<<1, 1+handedBits)
	} else {
		w.put(mask<<1, 1+bareBits)
	}
	if mask&maskHeadPos != 0 {
		w.move(head, &headWidths)
	}
	if mask&maskHeadRot != 0 {
		w.turn(c.Head.Rot, b.Head.Rot)
	}
	if mask&maskAge != 0 {
		w.put(uint32(cur.AgeMS), 8)
	}
	if mask&maskRare != 0 {
		w.rare(cur, base)
	}
	if mask&maskLeftPos != 0 {
		w.move(left, &handWidths)
	}
	if mask&maskLeftRot != 0 {
		w.turn(c.Left.Rot, b.Left.Rot)
	}
	if mask&maskRightPos != 0 {
		w.move(right, &handWidths)
	}
	if mask&maskRightRot != 0 {
		w.turn(c.Right.Rot, b.Right.Rot)
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

// move writes the narrowest form that fits all three coordinates.
func (w *bitWriter) move(d lattice.Vec, widths *[4]uint) {
	form, n := 0, need(d)
	for form < 3 && n > widths[form] {
		form++
	}
	w.formed(form, d, widths[form])
}

// formed writes a form and three numbers of its width, in one go where they fit.
func (w *bitWriter) formed(form int, d lattice.Vec, width uint) {
	if width > 10 {
		w.put(uint32(form), 2)
		w.vec(d, width)
		return
	}
	mask := uint32(1)<<width - 1
	w.put(uint32(form)|uint32(d.X)&mask<<2|uint32(d.Y)&mask<<(2+width)|uint32(d.Z)&mask<<(2+2*width), 2+3*width)
}

// turn writes the differences of the three components when the same one is left out and they are small.
func (w *bitWriter) turn(cur, base lattice.Rot) {
	if cur.Largest == base.Largest {
		d := lattice.Vec{
			X: int32(cur.C[0]) - int32(base.C[0]), Y: int32(cur.C[1]) - int32(base.C[1]), Z: int32(cur.C[2]) - int32(base.C[2]),
		}
		n := need(d)
		for form, width := range rotWidths {
			if n <= width {
				w.formed(form, d, width)
				return
			}
		}
	}
	w.put(rotAbsolute, 2)
	w.rot(cur)
}

// state reads into cur what state wrote against base; the two must not be the same
// variable. The result is checked.
func (r *bitReader) state(cur, base *stream.State) *Error {
	*cur = *base
	c, b := &cur.Body, &base.Body
	hands := r.bit()
	width := uint(bareBits)
	if hands {
		width = handedBits
	}
	mask := r.get(width)
	if mask&maskHeadPos != 0 {
		c.Head.Pos = b.Head.Pos.Add(r.move(&headWidths))
	}
	if mask&maskHeadRot != 0 {
		c.Head.Rot = r.turn(b.Head.Rot)
	}
	if mask&maskAge != 0 {
		cur.AgeMS = uint8(r.get(8))
	}
	if mask&maskRare != 0 {
		r.rare(cur)
	}
	if hands {
		r.hands(c, b, mask)
	} else {
		c.Left, c.Right = lattice.Joint{}, lattice.Joint{}
	}
	if r.short {
		return errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside a state", len(r.buf))
	}
	return checkBody(c)
}

func (r *bitReader) hands(c, b *lattice.Body, mask uint32) {
	left, right := reach(b)
	if mask&maskLeftPos != 0 {
		left = left.Add(r.move(&handWidths))
	}
	if mask&maskLeftRot != 0 {
		c.Left.Rot = r.turn(b.Left.Rot)
	}
	if mask&maskRightPos != 0 {
		right = right.Add(r.move(&handWidths))
	}
	if mask&maskRightRot != 0 {
		c.Right.Rot = r.turn(b.Right.Rot)
	}
	c.Left.Pos, c.Right.Pos = c.Head.Pos.Add(left), c.Head.Pos.Add(right)
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

func (r *bitReader) move(widths *[4]uint) lattice.Vec { return r.three(widths[r.get(2)]) }

// three reads three signed numbers, in one go where they fit.
func (r *bitReader) three(width uint) lattice.Vec {
	if width > 10 {
		return r.vec(width)
	}
	all, up := r.get(3*width), 32-width
	return lattice.Vec{
		X: int32(all<<up) >> up, Y: int32(all>>width<<up) >> up, Z: int32(all>>(2*width)<<up) >> up,
	}
}

func (r *bitReader) turn(base lattice.Rot) lattice.Rot {
	form := r.get(2)
	if form == rotAbsolute {
		return r.rot()
	}
	d := r.three(rotWidths[form])
	base.C[0] += int16(d.X)
	base.C[1] += int16(d.Y)
	base.C[2] += int16(d.Z)
	return base
}
