package wire

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/venued/venued/host/stream"
)

// Layout of a frame: an 11-byte header, then bit-packed records.
//
//	byte 0      version, type
//	bytes 1-2   Seq
//	bytes 3-6   Tick
//	bytes 7-8   number of records (14 bits), HasPose, Throttle
//	bytes 9-10  PoseSeq, 0 without HasPose
const (
	frameHeader  = 11
	countMask    = 1<<14 - 1
	flagHasPose  = 1 << 14
	flagThrottle = 1 << 15
)

// MaxBaseAge is how many frames back the baseline of an update may lie: clients keep
// the states of that many frames.
const MaxBaseAge = 64

// MaxName is the longest name of an enter record, bytes of UTF-8.
const MaxName = 48

// FrameWriter writes one frame after the other, each within a byte limit. The zero
// value is ready for Reset. It does not allocate while the buffers it is given are
// large enough. It trusts its caller: coordinates within ±lattice.MaxMetres, valid
// rotations, one record a handle and frame, baselines that the client acknowledged; a client refuses
// the frame otherwise.
type FrameWriter struct {
	w     bitWriter
	seq   uint16
	tick  uint32
	ref   uint32 // of the previous update in this frame
	count int
	delta Delta

	extras   int // avatars whose optional streams it tells of,
	extrasAt int // from this byte on
}

// Reset starts a frame of at most max bytes in buf, whose content is overwritten from its beginning;
// a buffer with a capacity below max is replaced by a new one. max must be at least the
// header's 11 bytes.
func (w *FrameWriter) Reset(buf []byte, max int, h FrameHeader) {
	if max < frameHeader {
		max = frameHeader
	}
	if cap(buf) < max {
		buf = make([]byte, max)
	}
	buf = buf[:max]
	buf[0] = Version<<4 | byte(MsgFrame)
	binary.LittleEndian.PutUint16(buf[1:], h.Seq)
	binary.LittleEndian.PutUint32(buf[3:], h.Tick)
	var flags, pose uint16
	if h.HasPose {
		flags |= flagHasPose
		pose = h.PoseSeq
	}
	if h.Throttle {
		flags |= flagThrottle
	}
	binary.LittleEndian.PutUint16(buf[7:], flags)
	binary.LittleEndian.PutUint16(buf[9:], pose)
	w.w = bitWriter{buf: buf, pos: frameHeader, max: max}
	w.seq, w.tick, w.ref, w.count, w.extras = h.Seq, h.Tick, firstRef, 0, 0
}

// Enter writes that handle is bound to an entity, with its full state. It is
// repeated in every frame until one that holds it is acknowledged. Like the other
// writers it returns false, and writes nothing, when the record does not fit.
func (w *FrameWriter) Enter(handle uint16, info *Info, s *stream.State) bool {
	m := w.mark()
	w.begin(OpEnter, handle)
	name := cutName(info.Name)
	w.w.sized(info.ID, 3)
	w.w.put(uint32(info.Kind), 4)
	large := info.Class > 255
	w.w.bit(large)
	if large {
		w.w.put(uint32(info.Class), 16)
	} else {
		w.w.put(uint32(info.Class), 8)
	}
	w.w.put(uint32(len(name)), 6)
	for i := 0; i < len(name); i++ {
		w.w.put(uint32(name[i]), 8)
	}
	w.w.state(s)
	return w.commit(m)
}

// Full writes the whole state of a bound handle.
func (w *FrameWriter) Full(handle uint16, s *stream.State) bool {
	m := w.mark()
	w.begin(OpFull, handle)
	w.w.state(s)
	return w.commit(m)
}

// A reference says what an update is coded against: the age of its baseline in frames, less 1, in 6 bits, and in the
// seventh whether nothing before the baseline counts.
const (
	refBits  = 7
	refAlone = 1 << 6
	firstRef = 0 // the frame before, and those before that
)

// Update writes cur as a difference to past, which must be what the client has applied of the handle: State[0] is
// what the frame numbered base said, the others what the frames before that one said, back to HistoryFrames before it or
// to the handle's newest enter; or past.Alone is set. far says that cur is on the coarse lattice. Where there can be no
// difference (the baseline is not one of the MaxBaseAge frames before this one, or has hands and cur has
// none), the whole state is written instead.
func (w *FrameWriter) Update(handle, base uint16, cur *stream.State, past *Past, far bool) bool {
	w.delta.Encode(cur, w.tick, past, far)
	if !w.delta.OK() {
		return w.Full(handle, cur)
	}
	return w.UpdateDelta(handle, base, cur, past.Alone, &w.delta)
}

// UpdateDelta is Update with a delta that was encoded before: of cur, at this frame's tick.
func (w *FrameWriter) UpdateDelta(handle, base uint16, cur *stream.State, alone bool, d *Delta) bool {
	age := uint(w.seq - base)
	if age < 1 || age > MaxBaseAge || !d.OK() {
		return w.Full(handle, cur)
	}
	m := w.mark()
	w.begin(OpUpdate, handle)
	ref := uint32(age - 1)
	if alone {
		ref |= refAlone
	}
	if ref == w.ref {
		w.w.put(0, 1)
	} else {
		w.w.put(1|ref<<1, 1+refBits)
		w.ref = ref
	}
	w.w.append(&d.w)
	return w.commit(m)
}

// Leave writes that the handle's entity is no longer in view. It is repeated in every frame
// until one that holds it is acknowledged.
func (w *FrameWriter) Leave(handle uint16) bool {
	m := w.mark()
	w.begin(OpLeave, handle)
	return w.commit(m)
}

// begin writes what all records start with: the operation and the handle, which is short below 256.
func (w *FrameWriter) begin(op Op, handle uint16) {
	w.w.put(uint32(op), 2)
	w.handle(handle)
}

func (w *FrameWriter) handle(handle uint16) {
	long := handle > 255
	w.w.bit(long)
	if long {
		w.w.put(uint32(handle), 16)
	} else {
		w.w.put(uint32(handle), 8)
	}
}

// mark is a place in a frame to go back to.
type mark struct {
	w   bitWriter
	ref uint32
}

func (w *FrameWriter) mark() mark { return mark{w.w, w.ref} }

func (w *FrameWriter) commit(m mark) bool {
	if !w.w.fits() || w.count == countMask || w.extras > 0 {
		w.w, w.ref = m.w, m.ref
		return false
	}
	w.count++
	return true
}

// Bytes returns the frame as far as it is written. It shares the buffer of Reset.
func (w *FrameWriter) Bytes() []byte {
	b := w.w.finish()
	flags := binary.LittleEndian.Uint16(b[7:]) &^ countMask
	binary.LittleEndian.PutUint16(b[7:], flags|uint16(w.count))
	if w.extras > 0 {
		b[w.extrasAt] = byte(w.extras - 1)
	}
	return b
}

// Count returns how many records the frame has.
func (w *FrameWriter) Count() int { return w.count }

// cutName returns the longest beginning of name that is at most MaxName bytes of valid UTF-8;
// invalid bytes are replaced first.
func cutName(name string) string {
	if !utf8.ValidString(name) {
		name = strings.ToValidUTF8(name, "\uFFFD")
	}
	if len(name) <= MaxName {
		return name
	}
	end := MaxName
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// frameReader steps through the records of a frame without resolving them.
type frameReader struct {
	r      bitReader
	header FrameHeader
	ref    uint32
	left   int // records to come
}

func (f *frameReader) start(b []byte) error {
	if err := expect(b, MsgFrame); err != nil {
		return err
	}
	if len(b) < frameHeader {
		return errorf(CodeBadMessage, "length", "%d bytes; a frame has a header of %d", len(b), frameHeader)
	}
	flags := binary.LittleEndian.Uint16(b[7:])
	f.header = FrameHeader{
		Seq:      binary.LittleEndian.Uint16(b[1:]),
		Tick:     binary.LittleEndian.Uint32(b[3:]),
		PoseSeq:  binary.LittleEndian.Uint16(b[9:]),
		HasPose:  flags&flagHasPose != 0,
		Throttle: flags&flagThrottle != 0,
	}
	if !f.header.HasPose && f.header.PoseSeq != 0 {
		return errorf(CodeBadField, "pose_seq", "%d without the flag that says it is there", f.header.PoseSeq)
	}
	f.r = bitReader{buf: b, pos: frameHeader * 8}
	f.ref = firstRef
	f.left = int(flags & countMask)
	// The smallest record, a leave, has 11 bits: a count that cannot be true is refused before anything is kept.
	if uint(f.left)*11 > f.r.rest() {
		return errorf(CodeBadMessage, "length", "%d records do not fit into %d bytes", f.left, len(b))
	}
	return nil
}

// next reads a record up to where its state begins; f.ref is the reference of an update.
func (f *frameReader) next(rec *Record) (err *Error) {
	f.left--
	*rec = Record{Op: Op(f.r.get(2))}
	rec.Handle = f.handle()
	switch rec.Op {
	case OpUpdate:
		if f.r.bit() {
			f.ref = f.r.get(refBits)
		}
		rec.Base = f.header.Seq - uint16(f.age())
	case OpEnter:
		err = f.info(&rec.Info)
	}
	if f.r.short && err == nil {
		err = errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside a record", len(f.r.buf))
	}
	return err
}

func (f *frameReader) handle() uint16 {
	if f.r.bit() {
		return uint16(f.r.get(16))
	}
	return uint16(f.r.get(8))
}

// age is how many frames back the baseline is.
func (f *frameReader) age() uint32 { return f.ref&(refAlone-1) + 1 }

func (f *frameReader) info(info *Info) *Error {
	info.ID = f.r.sized(3)
	info.Kind = stream.EntityKind(f.r.get(4))
	if f.r.bit() {
		info.Class = uint16(f.r.get(16))
	} else {
		info.Class = uint16(f.r.get(8))
	}
	n := f.r.get(6)
	var name [MaxName]byte
	if n > MaxName {
		return errorf(CodeBadField, "name", "%d bytes; at most %d", n, MaxName)
	}
	for i := range name[:n] {
		name[i] = byte(f.r.get(8))
	}
	if f.r.short {
		return nil // next says so
	}
	if info.ID == 0 {
		return errorf(CodeBadField, "id", "0 is not an entity")
	}
	if info.Kind == 0 {
		return errorf(CodeBadField, "kind", "0 is not a kind of entity")
	}
	if !utf8.Valid(name[:n]) {
		return errorf(CodeBadField, "name", "not UTF-8")
	}
	info.Name = string(name[:n])
	return nil
}
