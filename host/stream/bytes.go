package stream

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/venued/venued/lattice"
)

// The codecs of this package serve one release of the host: gateways and nodes of a cluster.
// Their first byte is codecVersion<<4 | message type; another version is refused, not translated.
const (
	codecVersion = 6
	typeInputs   = 1
	typeRecord   = 2
)

// ErrMalformed wraps every error about bytes that cannot be read.
var ErrMalformed = errors.New("malformed")

// reader takes a message apart; the first fault sticks and everything after it reads as zero.
type reader struct {
	b   []byte
	all int // length of the message
	err error
}

func (r *reader) fail(field, form string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("stream: byte %d of %d: %s: %s: %w", r.all-len(r.b), r.all, field, fmt.Sprintf(form, args...), ErrMalformed)
		r.b = nil
	}
}

// start checks the first byte.
func (r *reader) start(b []byte, want byte) {
	r.b, r.all = b, len(b)
	first := r.byte("version")
	if r.err == nil && first != codecVersion<<4|want {
		r.fail("version", "first byte is %#02x, want %#02x; gateways and nodes must be of the same release", first, codecVersion<<4|want)
	}
}

func (r *reader) end() {
	if r.err == nil && len(r.b) > 0 {
		r.fail("length", "%d bytes follow the content", len(r.b))
	}
}

func (r *reader) byte(field string) byte {
	if len(r.b) == 0 {
		r.fail(field, "cut short")
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

func (r *reader) uint(field string) uint64 {
	if len(r.b) > 0 && r.b[0] < 0x80 { // by far the most
		v := r.b[0]
		r.b = r.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail(field, "cut short, or a number above 64 bits")
		return 0
	}
	r.b = r.b[n:]
	return v
}

// uintTo reads a number that must not be above limit.
func (r *reader) uintTo(field string, limit uint64) uint64 {
	v := r.uint(field)
	if v > limit {
		r.fail(field, "%d is above %d", v, limit)
		return 0
	}
	return v
}

func (r *reader) int(field string) int64 {
	v := r.uint(field)
	return int64(v>>1) ^ -int64(v&1)
}

// count reads a number of things that take at least size bytes each, so that nobody can
// make a reader allocate what was not sent.
func (r *reader) count(field string, size int) int {
	n := r.uint(field)
	if n > uint64(len(r.b)/size) {
		r.fail(field, "%d do not fit into the %d bytes left", n, len(r.b))
		return 0
	}
	return int(n)
}

func (r *reader) bytes(field string) []byte {
	n := r.count(field, 1)
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}

func (r *reader) string(field string) string { return string(r.bytes(field)) }

// diff reads a coordinate difference: 32 bits, wrapping around.
func (r *reader) diff(field string) int32 {
	v := r.int(field)
	if v != int64(int32(v)) {
		r.fail(field, "%d does not fit 32 bits", v)
		return 0
	}
	return int32(v)
}

func (r *reader) vec(field string) lattice.Vec {
	return lattice.Vec{X: r.diff(field), Y: r.diff(field), Z: r.diff(field)}
}

const rotBytes = 5

func (r *reader) rot(field string) lattice.Rot {
	if len(r.b) < rotBytes {
		r.fail(field, "cut short")
		return lattice.Rot{}
	}
	v := uint64(binary.LittleEndian.Uint32(r.b)) | uint64(r.b[4])<<32
	q := lattice.Rot{Largest: uint8(v & 3)}
	for i := range q.C {
		q.C[i] = int16(uint16(v>>(2+11*i))<<5) >> 5
	}
	if v>>35 != 0 || !q.Valid() {
		r.fail(field, "%v is not a rotation", q)
		return lattice.Rot{}
	}
	r.b = r.b[rotBytes:]
	return q
}

func appendInt(dst []byte, v int64) []byte { return binary.AppendVarint(dst, v) }

func appendUint(dst []byte, v uint64) []byte {
	if v < 0x80 {
		return append(dst, byte(v))
	}
	return binary.AppendUvarint(dst, v)
}

func appendText[S string | []byte](dst []byte, s S) []byte {
	return append(appendUint(dst, uint64(len(s))), s...)
}

func appendVec(dst []byte, v lattice.Vec) []byte {
	return appendInt(appendInt(appendInt(dst, int64(v.X)), int64(v.Y)), int64(v.Z))
}

// appendRot packs 2 bits of Largest and three times 11 bits into five bytes.
func appendRot(dst []byte, q lattice.Rot) []byte {
	v := uint64(q.Largest & 3)
	for i, c := range q.C {
		v |= (uint64(c) & (1<<11 - 1)) << (2 + 11*i)
	}
	return append(binary.LittleEndian.AppendUint32(dst, uint32(v)), byte(v>>32))
}
