package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrMalformed wraps every error about content that cannot be read.
var ErrMalformed = errors.New("malformed")

// bytesReader takes a chunk's content apart; the first fault sticks and everything after it reads as zero.
type bytesReader struct {
	b     []byte
	all   int
	items int // calls, writes, texts and marks of the frame so far
	err   error
}

// maxItems is how many calls, writes, texts and marks a frame may hold: small ones take more memory than bytes.
const maxItems = 1 << 19

// item counts one of them and reports whether to go on.
func (r *bytesReader) item(field string) bool {
	if r.items++; r.items > maxItems {
		r.fail(field, "more than %d calls, writes and texts in a tick", maxItems)
	}
	return r.err == nil
}

func (r *bytesReader) fail(field, form string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("byte %d of %d: %s: %s: %w", r.all-len(r.b), r.all, field, fmt.Sprintf(form, args...), ErrMalformed)
		r.b = nil
	}
}

func (r *bytesReader) byte(field string) byte {
	if len(r.b) == 0 {
		r.fail(field, "cut short")
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *bytesReader) uint(field string) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail(field, "cut short, or a number above 64 bits")
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *bytesReader) int(field string) int64 {
	v := r.uint(field)
	return int64(v>>1) ^ -int64(v&1)
}

// fixed reads 8 bytes, little-endian.
func (r *bytesReader) fixed(field string) uint64 {
	if len(r.b) < 8 {
		r.fail(field, "cut short")
		return 0
	}
	v := binary.LittleEndian.Uint64(r.b)
	r.b = r.b[8:]
	return v
}

// count reads a number of things that take at least size bytes each, so that nobody can make a reader allocate what is not there.
func (r *bytesReader) count(field string, size int) int {
	n := r.uint(field)
	if n > uint64(len(r.b)/size) {
		r.fail(field, "%d do not fit into the %d bytes left", n, len(r.b))
		return 0
	}
	return int(n)
}

func (r *bytesReader) bytes(field string) []byte {
	n := r.count(field, 1)
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

func (r *bytesReader) text(field string) Text {
	t := Text{Bytes: r.bytes(field)}
	n := r.count(field+": masked", 2)
	at := uint64(0)
	for range n {
		at += r.uint(field + ": masked at")
		size := r.uint(field + ": masked bytes")
		if !r.item(field) {
			return t
		}
		if size == 0 || at > uint64(len(t.Bytes)) || size > uint64(len(t.Bytes))-at {
			r.fail(field+": masked", "%d bytes at %d of %d", size, at, len(t.Bytes))
			return t
		}
		t.Masked = append(t.Masked, Span{uint32(at), uint32(size)})
		at += size
	}
	return t
}

func appendBytes[S string | []byte](dst []byte, s S) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

func appendText(dst []byte, t Text) []byte {
	dst = binary.AppendUvarint(appendBytes(dst, t.Bytes), uint64(len(t.Masked)))
	at := uint32(0)
	for _, s := range t.Masked {
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(s.At-at)), uint64(s.N))
		at = s.At + s.N
	}
	return dst
}
