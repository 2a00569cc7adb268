package wasmtest

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

// Config bounds what Generate makes.
type Config struct {
	// HideNaNs makes modules in which nothing depends on the bits of a NaN that arithmetic made, but results and
	// globals, which may be one.
	HideNaNs bool
	// Budget is about how many instructions a function has. Default 120.
	Budget int
}

// Generated is a random module.
type Generated struct {
	Wasm    []byte
	Funcs   []Func // exported as f0, f1 and so on
	Globals []Global
}

// Generate makes a module from a seed: valid, with memory, a table, globals, calls of every kind (recursive ones too),
// loops that may never end, branches of every kind, floats, bulk operations, and traps. Exported are its functions
// ("f0"), its globals ("g0") and its "memory".
func Generate(seed uint64, cfg Config) Generated {
	if cfg.Budget == 0 {
		cfg.Budget = 120
	}
	g := &generator{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)), cfg: cfg}
	m := &g.m
	m.Memory = &Range{Min: 1, Max: 3}
	for i := range 1 + g.r.IntN(4) {
		typ := g.anyType()
		m.Globals = append(m.Globals, Global{typ, g.constant(typ)})
		m.Exports = append(m.Exports, Export{fmt.Sprintf("g%d", i), 3, uint32(i)})
	}
	m.Exports = append(m.Exports, Export{"memory", 2, 0})
	m.Data = []Data{{At: int32(g.r.IntN(100)), Bytes: g.bytes(64)}, {Passive: true, Bytes: g.bytes(40)}}
	for i := range 2 + g.r.IntN(6) {
		f := Func{Export: fmt.Sprintf("f%d", i), Params: g.types(4), Locals: g.types(5)}
		if g.r.IntN(5) > 0 {
			f.Results = g.anyType()
		}
		if g.r.IntN(6) == 0 {
			f.Results = g.types(3)
		}
		m.Funcs = append(m.Funcs, f)
		m.Elements = append(m.Elements, uint32(i))
	}
	m.Passive = []uint32{uint32(g.r.IntN(len(m.Funcs))), 0}
	m.Table = &Range{Min: uint32(len(m.Funcs) + 2), Max: 20}
	for i := range m.Funcs {
		f := &m.Funcs[i]
		g.locals = f.Params + f.Locals
		g.labels = []string{f.Results}
		g.budget = cfg.Budget
		g.result = f.Results
		f.Body = g.body(f.Results, 4)
		// The scratch local of canonical NaNs, one of each type, behind all others.
		f.Locals += F32 + F64
	}
	return Generated{m.Encode(), m.Funcs, m.Globals}
}

type generator struct {
	r      *rand.Rand
	cfg    Config
	m      Module
	locals string
	labels []string // types that a branch to each open block carries, the innermost last
	result string
	budget int
}

func (g *generator) anyType() string { return [...]string{I32, I32, I64, F32, F64}[g.r.IntN(5)] }

func (g *generator) types(most int) string {
	out := ""
	for range g.r.IntN(most + 1) {
		out += g.anyType()
	}
	return out
}

func (g *generator) bytes(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(g.r.Uint32())
	}
	return b
}

// body makes statements and then values of the wanted types.
func (g *generator) body(results string, depth int) []byte {
	var out []byte
	for range g.r.IntN(5) {
		out = append(out, g.statement(depth)...)
	}
	for i := range len(results) {
		out = append(out, g.expr(results[i:i+1], depth)...)
	}
	return out
}

// local returns a random local of a type.
func (g *generator) local(typ string) (uint32, bool) {
	if len(g.locals) == 0 {
		return 0, false
	}
	from := g.r.IntN(len(g.locals))
	for k := range len(g.locals) {
		if i := (from + k) % len(g.locals); g.locals[i:i+1] == typ {
			return uint32(i), true
		}
	}
	return 0, false
}

func (g *generator) global(typ string) (uint32, bool) {
	from := g.r.IntN(len(g.m.Globals))
	for k := range g.m.Globals {
		if i := (from + k) % len(g.m.Globals); g.m.Globals[i].Type == typ {
			return uint32(i), true
		}
	}
	return 0, false
}

var (
	interesting32 = []int32{0, 1, -1, 2, 7, 31, 32, 100, math.MaxInt32, math.MinInt32, 65535, 65536}
	interesting64 = []int64{0, 1, -1, 63, 64, math.MaxInt64, math.MinInt64, 1 << 32, -1 << 31}
	floats        = []float64{0, 1, -1, 0.5, 1e30, -1e-30, math.Pi, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 3e9, -2147483649, 1e19}
)

func (g *generator) constant(typ string) []byte {
	f := floats[g.r.IntN(len(floats))]
	switch typ {
	case I32:
		if g.r.IntN(2) == 0 {
			return ConstI32(int32(g.r.Uint32()))
		}
		return ConstI32(interesting32[g.r.IntN(len(interesting32))])
	case I64:
		if g.r.IntN(2) == 0 {
			return ConstI64(int64(g.r.Uint64()))
		}
		return ConstI64(interesting64[g.r.IntN(len(interesting64))])
	case F32:
		return binary.LittleEndian.AppendUint32([]byte{0x43}, math.Float32bits(float32(f)))
	default:
		return binary.LittleEndian.AppendUint64([]byte{0x44}, math.Float64bits(f))
	}
}

// hide makes the float on top of the stack the canonical NaN if it is a NaN, where that has to be.
func (g *generator) hide(typ string) []byte {
	if !g.cfg.HideNaNs {
		return nil
	}
	n := uint32(len(g.locals))
	if typ == F32 {
		return Cat(Op(0x22, n), []byte{0x43, 0, 0, 0xc0, 0x7f}, Op(0x20, n), Op(0x20, n), []byte{0x5b, 0x1b})
	}
	return Cat(Op(0x22, n+1), []byte{0x44, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, Op(0x20, n+1), Op(0x20, n+1), []byte{0x61, 0x1b})
}

// address makes an address, mostly one that is there.
func (g *generator) address(depth int) []byte {
	if g.r.IntN(40) == 0 {
		return g.expr(I32, depth)
	}
	return Cat(g.expr(I32, depth), ConstI32(0x3fff), []byte{0x71})
}

func (g *generator) memarg(largest int) []byte {
	return Cat(U(uint64(g.r.IntN(largest+1))), U(uint64(g.r.IntN(64))))
}

// access is a load or a store: opcode and largest alignment.
type access struct {
	op    byte
	align int
}

var loads = map[string][]access{
	I32: {{0x28, 2}, {0x2c, 0}, {0x2d, 0}, {0x2e, 1}, {0x2f, 1}},
	I64: {{0x29, 3}, {0x30, 0}, {0x31, 0}, {0x32, 1}, {0x33, 1}, {0x34, 2}, {0x35, 2}},
	F32: {{0x2a, 2}}, F64: {{0x2b, 3}},
}

var stores = map[string][]access{
	I32: {{0x36, 2}, {0x3a, 0}, {0x3b, 1}}, I64: {{0x37, 3}, {0x3c, 0}, {0x3d, 1}, {0x3e, 2}},
	F32: {{0x38, 2}}, F64: {{0x39, 3}},
}

// unary lists instructions from one value to another: opcodes (0xfc and the number behind it for long ones).
var unary = map[string][]struct {
	from string
	ops  []string
}{
	I32: {{I32, []string{"\x45", "\x67", "\x68", "\x69", "\xc0", "\xc1"}}, {I64, []string{"\x50", "\xa7"}},
		{F32, []string{"\xa8", "\xa9", "\xbc", "\xfc\x00", "\xfc\x01"}}, {F64, []string{"\xaa", "\xab", "\xfc\x02", "\xfc\x03"}}},
	I64: {{I64, []string{"\x79", "\x7a", "\x7b", "\xc2", "\xc3", "\xc4"}}, {I32, []string{"\xac", "\xad"}},
		{F32, []string{"\xae", "\xaf", "\xfc\x04", "\xfc\x05"}}, {F64, []string{"\xb0", "\xb1", "\xbd", "\xfc\x06", "\xfc\x07"}}},
	F32: {{F32, []string{"\x8b", "\x8c", "\x8d", "\x8e", "\x8f", "\x90", "\x91"}}, {I32, []string{"\xb2", "\xb3", "\xbe"}},
		{I64, []string{"\xb4", "\xb5"}}, {F64, []string{"\xb6"}}},
	F64: {{F64, []string{"\x99", "\x9a", "\x9b", "\x9c", "\x9d", "\x9e", "\x9f"}}, {I32, []string{"\xb7", "\xb8"}},
		{I64, []string{"\xb9", "\xba", "\xbf"}}, {F32, []string{"\xbb"}}},
}

// showsBits lists the instructions that look at the bits of the float on top of the stack.
var showsBits = map[string]string{"\xbc": F32, "\xbd": F64, "\x98": F32, "\xa6": F64}

// binaries lists, per type, runs of instructions of two values of it: result, first opcode, last.
var binaries = map[string][]struct {
	operands    string
	first, last byte
}{
	I32: {{I32, 0x46, 0x4f}, {I64, 0x51, 0x5a}, {F32, 0x5b, 0x60}, {F64, 0x61, 0x66}, {I32, 0x6a, 0x78}, {I32, 0x6a, 0x6c}},
	I64: {{I64, 0x7c, 0x8a}, {I64, 0x7c, 0x7e}},
	F32: {{F32, 0x92, 0x98}}, F64: {{F64, 0xa0, 0xa6}},
}
