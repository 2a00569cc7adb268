package module

import "unicode/utf8"

// reader reads a section. Its first error stays: reads after it return zeros, so that callers
// check once where it matters. Loops over counts end at it.
type reader struct {
	b    []byte
	at   int
	what string // the section, for errors
	err  error
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) left() int { return len(r.b) - r.at }

func (r *reader) byte() byte {
	if r.err != nil || r.at >= len(r.b) {
		r.fail(malformed("%s ends too early", r.what))
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) zero() {
	if c := r.byte(); c != 0 && r.err == nil {
		r.fail(refuse(CodeFeature, "the module uses several memories (%s): a plugin has one", r.what))
	}
}

// take returns the next n bytes.
func (r *reader) take(n uint32) []byte {
	if r.err != nil || uint64(n) > uint64(r.left()) {
		r.fail(malformed("%s says that %s bytes follow, but has only %s", r.what, number(uint64(n)), number(uint64(r.left()))))
		return nil
	}
	r.at += int(n)
	return r.b[r.at-int(n) : r.at]
}

// u32 reads an unsigned LEB128 number.
func (r *reader) u32() uint32 {
	if r.err == nil && r.at < len(r.b) && r.b[r.at] < 0x80 {
		r.at++
		return uint32(r.b[r.at-1])
	}
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if shift == 28 && c > 0x0f {
			break
		}
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.fail(malformed("%s has a number that does not fit in 32 bits", r.what))
	return 0
}

// signed reads a signed LEB128 number of that many bits.
func (r *reader) signed(bits int) int64 {
	var v int64
	for shift := 0; shift < bits; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if rest := bits - shift; rest < 7 {
			// In the last byte the bits above the number must repeat its sign.
			if s := int8(c<<1) >> rest; c >= 0x80 || s != 0 && s != -1 {
				break
			}
		}
		if c < 0x80 {
			if c&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
	r.fail(malformed("%s has a number that does not fit in %d bits", r.what, bits))
	return 0
}

// count reads the number of items of a vector, each of at least one byte: more items than bytes
// are a lie.
func (r *reader) count(items string) int {
	n := r.u32()
	if r.err == nil && uint64(n) > uint64(r.left()) {
		r.fail(malformed("%s says that it has %s %s, but only %s bytes follow", r.what, number(uint64(n)), items, number(uint64(r.left()))))
	}
	if r.err != nil {
		return 0
	}
	return int(n)
}

// name reads a text of at most limit bytes.
func (r *reader) name(limit int) string {
	n := r.u32()
	if r.err == nil && uint64(n) > uint64(limit) {
		r.fail(refuse(CodeLimit, "%s has a name of %s bytes, the limit is %s: shorten it", r.what, number(uint64(n)), number(uint64(limit))))
	}
	b := r.take(n)
	if r.err == nil && !utf8.Valid(b) {
		r.fail(malformed("%s has a name that is not UTF-8", r.what))
	}
	return string(b)
}

// end reports the first error, or bytes that are left over.
func (r *reader) end() error {
	if r.err == nil && r.left() > 0 {
		r.fail(malformed("%s has %s bytes too many", r.what, number(uint64(r.left()))))
	}
	return r.err
}
