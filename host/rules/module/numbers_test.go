package module

import (
	"math"
	"testing"

	"github.com/venued/venued/host/rules/module/wasmtest"
)

// Numbers read back as they were written, in their shortest form and with padding; one bit more than fits is refused.
func TestNumbers(t *testing.T) {
	for _, v := range []uint64{0, 1, 63, 64, 127, 128, 1 << 14, 1 << 28, math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 32, 1 << 35} {
		r := reader{b: wasmtest.U(v)}
		if got := r.u32(); (r.end() != nil) != (v > math.MaxUint32) || r.err == nil && uint64(got) != v {
			t.Errorf("%d: read %d, %v", v, got, r.err)
		}
	}
	for _, v := range []int64{0, 1, -1, 63, 64, -64, -65, 8191, -8192, math.MaxInt32, math.MinInt32, math.MaxInt32 + 1, math.MinInt32 - 1, 1<<32 - 1, -1 << 32, 1 << 32, -1<<32 - 1, math.MaxInt64, math.MinInt64} {
		for bits := range map[int]bool{32: true, 33: true, 64: true} {
			fits := v>>(bits-1) == 0 || v>>(bits-1) == -1
			for padding := range 3 {
				b := wasmtest.S(v)
				for range padding {
					last := b[len(b)-1]
					b[len(b)-1] |= 0x80
					b = append(b, byte(int8(last<<1)>>7)&0x7f)
				}
				r := reader{b: b}
				got := r.signed(bits)
				if long := len(b) > (bits+6)/7; r.end() == nil && got != v || (r.err == nil) != (fits && !long) {
					t.Errorf("%d in %d bits with %d bytes of padding: read %d, %v", v, bits, padding, got, r.err)
				}
			}
		}
	}
	for _, b := range [][]byte{{}, {0x80}, {0xff, 0xff}} {
		r, s := reader{b: b}, reader{b: b}
		if r.u32(); r.err == nil {
			t.Errorf("% x was read as a number", b)
		}
		if s.signed(64); s.err == nil {
			t.Errorf("% x was read as a signed number", b)
		}
	}
	if got := number(1_234_056); got != "1,234,056" {
		t.Error(got)
	}
}
