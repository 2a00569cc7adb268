package wire

import (
	"strconv"

	"github.com/venued/venued/lattice"
)

// Optional streams (gaze, fingers, body root) come in parts, each of which says all there is to say of a stream, without a baseline: three bits,
// one a stream, say which the parts tell of; then comes a part for each, in that order. A part is one bit, whether the stream is there, and if so
// its value:
//
//	gaze     yaw, pitch: 9 bits each, signed
//	fingers  2 bits, which hands are tracked; for each of these 5 bits a finger
//	root     x, y, z less the head's: 13 bits each, signed; yaw: 10 bits
//
// A pose has them behind its body. A frame has them behind its records, from the next whole byte on: one byte, of how many avatars it
// tells, less 1; then for each its handle, as in a record, and its parts. A frame that tells of none ends with its records.
const (
	gazeBits  = 9
	handsBits = 2
	curlBits  = 5
	rootBits  = 13
	yawBits   = 10
)

// maxExtras is the size of the parts of all streams, bits.
const maxExtras = 2*lattice.StreamCount + 2*gazeBits + handsBits + 10*curlBits + 3*rootBits + yawBits

// maxExtrasCount is how many avatars a frame can tell of beside their records.
const maxExtrasCount = 256

// leastExtras is the size of the smallest item of a frame's extras: a short handle, and one stream that has ended. Bits.
const leastExtras = 1 + 8 + lattice.StreamCount + 1

// ExtrasRecord is what a frame says of an avatar's optional streams.
type ExtrasRecord struct {
	Handle uint16
	Said   lattice.Streams // those that it tells of: one that it tells of and that Extras has not is not there
	Extras lattice.Extras
}

func (w *bitWriter) extras(said lattice.Streams, e *lattice.Extras) {
	w.put(uint32(said), lattice.StreamCount)
	has := func(s lattice.Streams) bool {
		if said&s == 0 {
			return false
		}
		w.bit(e.Has&s != 0)
		return e.Has&s != 0
	}
	if has(lattice.StreamGaze) {
		w.signed(int32(e.Gaze.Yaw), gazeBits)
		w.signed(int32(e.Gaze.Pitch), gazeBits)
	}
	if has(lattice.StreamFingers) {
		w.put(uint32(e.Fingers.Hands), handsBits)
		for h, curls := range e.Fingers.Curls {
			if e.Fingers.Hands>>h&1 == 0 {
				continue
			}
			for _, c := range curls {
				w.put(uint32(c), curlBits)
			}
		}
	}
	if has(lattice.StreamRoot) {
		w.vec(e.Root.Off, rootBits)
		w.put(uint32(e.Root.Yaw), yawBits)
	}
}

// extras reads what extras wrote. The result is checked.
func (r *bitReader) extras() (said lattice.Streams, e lattice.Extras, err *Error) {
	said = lattice.Streams(r.get(lattice.StreamCount))
	has := func(s lattice.Streams) bool {
		if said&s != 0 && r.bit() {
			e.Has |= s
		}
		return e.Has&s != 0
	}
	if has(lattice.StreamGaze) {
		e.Gaze = lattice.Gaze{Yaw: int16(r.signed(gazeBits)), Pitch: int16(r.signed(gazeBits))}
	}
	if has(lattice.StreamFingers) {
		if e.Fingers.Hands = uint8(r.get(handsBits)); e.Fingers.Hands == 0 && !r.short {
			return 0, lattice.Extras{}, errorf(CodeBadField, "fingers.hands", "0: want 1 (left), 2 (right) or 3; fingers that are not tracked are not there")
		}
		for h := range e.Fingers.Curls {
			if e.Fingers.Hands>>h&1 == 0 {
				continue
			}
			for i := range e.Fingers.Curls[h] {
				e.Fingers.Curls[h][i] = uint8(r.get(curlBits))
			}
		}
	}
	if has(lattice.StreamRoot) {
		e.Root = lattice.Root{Off: r.vec(rootBits), Yaw: uint16(r.get(yawBits))}
	}
	return said, e, nil
}

// Extras writes, behind all records, what optional streams of a bound handle are; said names those that it tells of, at least one. Like a record
// it is not written, and the result is false, when it does not fit. After the first of them the frame takes no more records.
func (w *FrameWriter) Extras(handle uint16, said lattice.Streams, e *lattice.Extras) bool {
	if w.extras == maxExtrasCount {
		return false
	}
	m := w.mark()
	if w.extras == 0 {
		w.w.align()
		w.extrasAt = w.w.pos + int(w.w.n)/8
		w.w.put(0, 8) // how many, less 1: Bytes knows
	}
	w.handle(handle)
	w.w.extras(said, e)
	if !w.w.fits() {
		w.w = m.w
		return false
	}
	w.extras++
	return true
}

// extras reads what a frame says behind its records into dst.
func (f *frameReader) extras(dst []ExtrasRecord) ([]ExtrasRecord, *Error) {
	if f.r.short {
		return dst, nil // end says so
	}
	if pad := (8 - f.r.pos&7) & 7; pad > 0 && f.r.get(pad) != 0 {
		return dst, errorf(CodeBadMessage, "length", "the unused bits after the records are not zero")
	}
	if f.r.rest() == 0 {
		return dst, nil
	}
	n := int(f.r.get(8)) + 1
	if uint(n)*leastExtras > f.r.rest() {
		return dst, errorf(CodeBadMessage, "length", "extras of %d avatars do not fit into %d bytes", n, f.r.rest()/8)
	}
	for i := range n {
		x := ExtrasRecord{Handle: f.handle()}
		var err *Error
		if x.Said, x.Extras, err = f.r.extras(); err == nil && f.r.short {
			err = errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside extras", len(f.r.buf))
		} else if err == nil && x.Said == 0 {
			err = errorf(CodeBadMessage, "streams", "none of handle %d", x.Handle)
		}
		if err != nil {
			err.Field = "extras " + strconv.Itoa(i) + ": " + err.Field
			return dst, err
		}
		dst = append(dst, x)
	}
	return dst, nil
}
