//go:build wasip1

package rule

// Int reads a number as PutInt writes it; otherwise when there is none.
func Int(scope Scope, subject uint64, key string, otherwise int64) int64 {
	var raw [8]byte
	if Get(scope, subject, key, raw[:]) != len(raw) {
		return otherwise
	}
	return int64(le.Uint64(raw[:]))
}

// PutInt writes a number as 8 little-endian bytes, which is what the merge operators sum, max and min want, and returns 0 or a KV
// constant.
func PutInt(scope Scope, subject uint64, key string, value int64) int {
	var raw [8]byte
	le.PutUint64(raw[:], uint64(value))
	return Put(scope, subject, key, raw[:])
}

// AddInt adds to a number, which counts as 0 when it is missing, and returns the sum with 0 or a KV constant.
func AddInt(scope Scope, subject uint64, key string, delta int64) (sum int64, code int) {
	sum = Int(scope, subject, key, 0) + delta
	return sum, PutInt(scope, subject, key, sum)
}

// Bytes reads a value of any length; ok is false when there is none. It takes two calls of the host when the value does not fit
// buf, which may be nil.
func Bytes(scope Scope, subject uint64, key string, buf []byte) (value []byte, ok bool) {
	n := Get(scope, subject, key, buf)
	if n > len(buf) {
		buf = make([]byte, n)
		n = Get(scope, subject, key, buf)
	}
	if n < 0 {
		return nil, false
	}
	return buf[:n], true
}
