package meter

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/venued/venued/host/rules/module"
	. "github.com/venued/venued/host/rules/module/wasmtest"
)

func f32(bits uint32) []byte { return binary.LittleEndian.AppendUint32([]byte{0x43}, bits) }

func f64(bits uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{0x44}, bits) }

const (
	canonical32 = 0x7fc00000
	canonical64 = 0x7ff8000000000000
)

// Each instruction that can make a NaN, given NaNs of several bits and sources of new ones, must give the canonical one to
// whoever looks at its bits.
func TestNaNsAreCanonical(t *testing.T) {
	nans32 := [][]byte{f32(0x7fc00001), f32(0xffc12345), f32(0x7f800001), f32(0xffc00000)}
	nans64 := [][]byte{f64(0x7ff8000000000001), f64(0xfff8123456789abc), f64(0x7ff0000000000001), f64(0xfff8000000000000)}
	bits := map[string]byte{F32: 0xbc, F64: 0xbd}
	type value struct {
		name, typ string
		code      []byte
	}
	var values []value
	for op := module.Op(0x8d); op <= 0x97; op++ {
		for i := range nans32 {
			a, b := nans32[i], nans64[i]
			if op > 0x91 { // of two operands
				a, b = Cat(f32(0x3f800000), a), Cat(f64(0x3ff0000000000000), b)
			}
			values = append(values, value{op.String(), F32, Cat(a, []byte{byte(op)})}, value{(op + 14).String(), F64, Cat(b, []byte{byte(op + 14)})})
		}
	}
	inf32, inf64 := f32(0x7f800000), f64(0x7ff0000000000000)
	values = append(values,
		value{"0/0", F32, Cat(f32(0), f32(0), []byte{0x95})}, value{"0/0", F64, Cat(f64(0), f64(0), []byte{0xa3})},
		value{"inf-inf", F32, Cat(inf32, inf32, []byte{0x93})}, value{"inf-inf", F64, Cat(inf64, inf64, []byte{0xa1})},
		value{"sqrt(-1)", F32, Cat(f32(0xbf800000), []byte{0x91})}, value{"sqrt(-1)", F64, Cat(f64(0xbff0000000000000), []byte{0x9f})},
		value{"demote", F32, Cat(nans64[1], []byte{0xb6})}, value{"promote", F64, Cat(nans32[1], []byte{0xbb})},
		// A chain is made canonical at its end.
		value{"chain", F32, Cat(f32(0), f32(0), []byte{0x95, 0x8e}, f32(0), []byte{0x92}, nans64[1], []byte{0xb6, 0x94})},
	)
	m := &Module{Memory: &Range{Min: 1}, Funcs: []Func{
		{Params: F32, Results: I32, Body: Cat(Op(0x20, 0), []byte{0xbc})},
		{Params: F64, Results: I64, Body: Cat(Op(0x20, 0), []byte{0xbd})},
	}}
	var want []uint64
	add := func(what string, typ string, code []byte, bits32, bits64 uint64) {
		results := I32
		if typ == F64 {
			results, bits32 = I64, bits64
		}
		m.Funcs = append(m.Funcs, Func{Export: fmt.Sprintf("%d %s", len(want), what), Results: results, Locals: typ, Body: code})
		want = append(want, bits32)
	}
	for _, v := range values {
		at, load, callee := []byte{0x38, 2, 0}, []byte{0x28, 2, 0}, uint32(0)
		if v.typ == F64 {
			at, load, callee = []byte{0x39, 3, 0}, []byte{0x29, 3, 0}, 1
		}
		look := []byte{bits[v.typ]}
		add(v.name+" reinterpreted", v.typ, Cat(v.code, look), canonical32, canonical64)
		add(v.name+" in a local", v.typ, Cat(v.code, Op(0x21, 0), Op(0x20, 0), look), canonical32, canonical64)
		add(v.name+" stored", v.typ, Cat(ConstI32(0), v.code, at, ConstI32(0), load), canonical32, canonical64)
		add(v.name+" as an argument", v.typ, Cat(v.code, Op(0x10, callee)), canonical32, canonical64)
		add(v.name+" out of a block", v.typ, Cat([]byte{0x02, v.typ[0]}, v.code, []byte{0x0b}, look), canonical32, canonical64)
		add(v.name+" selected", v.typ, Cat(v.code, v.code, ConstI32(1), []byte{0x1b}, look), canonical32, canonical64)
		neg, sign := byte(0x8c), byte(0x98)
		one := f32(0x3f800000)
		if v.typ == F64 {
			neg, sign, one = 0x9a, 0xa6, f64(0x3ff0000000000000)
		}
		add(v.name+" negated", v.typ, Cat(v.code, []byte{neg}, look), canonical32|1<<31, canonical64|1<<63)
		add(v.name+"'s sign", v.typ, Cat(one, v.code, []byte{sign}, look), 0x3f800000, 0x3ff0000000000000)
	}
	wasm := metered(t, m.Encode())
	for engine, r := range runtimes(t) {
		g := start(t, r, wasm)
		for i, f := range m.Funcs[2:] {
			got := g.must(t, f.Export)[0]
			if f.Results == I32 {
				got = uint64(uint32(got))
			}
			if got != want[i] {
				t.Errorf("%s: %s: bits %#x, want %#x", engine, f.Export, got, want[i])
			}
		}
		g.close(t)
	}
}

// BenchmarkFloats says what making NaNs canonical costs where floats are all that is done: a sum of products, its chain in one expression.
func BenchmarkFloats(b *testing.B) {
	// for i = 1000; i > 0; i-- { x = x*a + a }
	m := &Module{Funcs: []Func{{Export: "f", Locals: F64 + I32, Body: Cat(
		ConstI32(1000), Op(0x21, 1), []byte{0x03, 0x40},
		Op(0x20, 0), f64(0x3fe0000000000000), []byte{0xa2}, f64(0x3fe0000000000000), []byte{0xa0}, Op(0x21, 0),
		Op(0x20, 1), ConstI32(1), []byte{0x6b}, Op(0x22, 1), []byte{0x0d, 0, 0x0b},
	)}}}
	wasm := m.Encode()
	r := newRuntime(b, true)
	plain, rewritten := start(b, r, wasm), start(b, r, metered(b, wasm))
	defer plain.close(b)
	defer rewritten.close(b)
	ratio(b, func() { plain.must(b, "f") }, func() { rewritten.must(b, "f") })
}
