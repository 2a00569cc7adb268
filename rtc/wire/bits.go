package wire

import "encoding/binary"

// bitWriter packs fields into buf, least significant bit first within each byte, and never past
// max bytes: a field that would is not stored and sets over.
type bitWriter struct {
	buf  []byte
	pos  int // bytes stored
	acc  uint64
	n    uint // bits waiting in acc, at most 31
	max  int
	over bool
}

// put writes the low width bits of v; width is at most 32.
func (w *bitWriter) put(v uint32, width uint) {
	w.acc |= (uint64(v) & (1<<width - 1)) << w.n
	w.n += width
	if w.n < 32 {
		return
	}
	if w.pos+4 > w.max {
		w.over = true
		w.acc, w.n = 0, 0
		return
	}
	binary.LittleEndian.PutUint32(w.buf[w.pos:], uint32(w.acc))
	w.pos += 4
	w.acc >>= 32
	w.n -= 32
}

func (w *bitWriter) bit(v bool) {
	if v {
		w.put(1, 1)
	} else {
		w.put(0, 1)
	}
}

func (w *bitWriter) signed(v int32, width uint) { w.put(uint32(v), width) }

// sized writes v as its number of bytes minus one, in lenBits bits, and the
// bytes, least significant first.
func (w *bitWriter) sized(v uint64, lenBits uint) {
	n := uint(1)
	for v>>(8*n) != 0 && n < 8 {
		n++
	}
	w.put(uint32(n-1), lenBits)
	if n > 4 {
		w.put(uint32(v), 32)
		w.put(uint32(v>>32), 8*(n-4))
		return
	}
	w.put(uint32(v), 8*n)
}

// append writes all that another writer has.
func (w *bitWriter) append(from *bitWriter) {
	for at := 0; at < from.pos; at += 4 {
		w.put(binary.LittleEndian.Uint32(from.buf[at:]), 32)
	}
	w.put(uint32(from.acc), from.n)
}

// fits reports whether everything written so far is within max.
func (w *bitWriter) fits() bool { return !w.over && w.pos+int(w.n+7)/8 <= w.max }

// align goes on at the next whole byte.
func (w *bitWriter) align() { w.put(0, -w.n&7) }

// finish stores the bits in waiting, the last byte filled up with zeros, and returns the bytes. Writing
// may go on afterwards.
func (w *bitWriter) finish() []byte {
	end := w.pos
	for acc, n := w.acc, int(w.n); n > 0; n -= 8 {
		w.buf[end] = byte(acc)
		acc >>= 8
		end++
	}
	return w.buf[:end]
}

// bitReader is the inverse. Reading past the end returns zeros and sets short.
type bitReader struct {
	buf   []byte
	pos   uint // bits
	short bool
}

// get reads width bits; width is at most 32.
func (r *bitReader) get(width uint) uint32 {
	if r.pos+width > uint(len(r.buf))*8 {
		r.short = true
		return 0
	}
	at, shift := r.pos>>3, r.pos&7
	r.pos += width
	var word uint64
	if at+8 <= uint(len(r.buf)) {
		word = binary.LittleEndian.Uint64(r.buf[at:])
	} else {
		for i := uint(0); at+i < uint(len(r.buf)); i++ {
			word |= uint64(r.buf[at+i]) << (8 * i)
		}
	}
	return uint32(word>>shift) & uint32(1<<width-1)
}

// peek returns the next bits, at most 32, without reading them; past the end there are zeros.
func (r *bitReader) peek(width uint) uint32 {
	at, shift := r.pos>>3, r.pos&7
	var word uint64
	if at+8 <= uint(len(r.buf)) {
		word = binary.LittleEndian.Uint64(r.buf[at:])
	} else {
		for i := uint(0); at+i < uint(len(r.buf)); i++ {
			word |= uint64(r.buf[at+i]) << (8 * i)
		}
	}
	return uint32(word>>shift) & uint32(1<<width-1)
}

// skip reads width bits that peek returned.
func (r *bitReader) skip(width uint) {
	if r.pos+width > uint(len(r.buf))*8 {
		r.short = true
		return
	}
	r.pos += width
}

func (r *bitReader) bit() bool { return r.get(1) != 0 }

func (r *bitReader) signed(width uint) int32 {
	return int32(r.get(width)<<(32-width)) >> (32 - width)
}

func (r *bitReader) sized(lenBits uint) uint64 {
	n := uint(r.get(lenBits)) + 1
	if n > 4 {
		lo := r.get(32)
		return uint64(lo) | uint64(r.get(8*(n-4)))<<32
	}
	return uint64(r.get(8 * n))
}

// rest returns how many bits are left.
func (r *bitReader) rest() uint { return uint(len(r.buf))*8 - r.pos }

// end checks that nothing but zero bits of the last byte is left.
func (r *bitReader) end() *Error {
	if r.short {
		return errorf(CodeBadMessage, "length", "cut short: it ends after %d bytes, inside a field", len(r.buf))
	}
	left := r.rest()
	if left >= 8 {
		return errorf(CodeBadMessage, "length", "too long: %d bytes more than its content", left/8)
	}
	if left > 0 && r.get(left) != 0 {
		return errorf(CodeBadMessage, "length", "the unused bits of the last byte are not zero")
	}
	return nil
}
