package meter

import (
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/venued/venued/host/rules/module"
	. "github.com/venued/venued/host/rules/module/wasmtest"
)

// one returns a module with a memory, a table and one function, "f", of type () -> ().
func one(body []byte, locals string) *Module {
	return &Module{
		Memory: &Range{Min: 1}, Table: &Range{Min: 4, Max: 0}, Elements: []uint32{0, 0}, Passive: []uint32{0},
		Data:  []Data{{Passive: true, Bytes: make([]byte, 100)}},
		Funcs: []Func{{Export: "f", Locals: locals, Body: body}},
	}
}

// forever returns a loop around code.
func forever(code ...[]byte) []byte {
	return Cat([]byte{0x03, 0x40}, Cat(code...), []byte{0x0c, 0, 0x0b})
}

// repeat returns code n times.
func repeat(n int, code ...[]byte) (out []byte) {
	for range n {
		out = append(out, Cat(code...)...)
	}
	return out
}

var call0 = []byte{0x10, 0}

// What never ends by itself, or takes long without a loop, must end by the fuel or the depth, at the same place everywhere.
func TestWhatNeverEndsIsStopped(t *testing.T) {
	const fuel = 300_000
	zero, million := ConstI32(0), ConstI32(60_000)
	imported := one(forever([]byte{0x10, 0}), "")
	imported.Imports = []Import{{Module: "venued1", Name: "kv_nothing", Results: I32}}
	imported.Funcs[0].Body = forever([]byte{0x10, 0, 0x1a})
	imported.Elements, imported.Passive = nil, nil
	tree := one(Cat(call0, call0), "")
	two := one([]byte{0x10, 1}, "")
	two.Funcs = append(two.Funcs, Func{Body: call0})
	for name, c := range map[string]struct {
		m    *Module
		want Cause
	}{
		"an empty loop":                {one(forever(), ""), CauseFuel},
		"a loop of nothing":            {one(forever(repeat(50, []byte{0x01})), ""), CauseFuel},
		"loops in loops":               {one(forever(forever(forever())), ""), CauseFuel},
		"a loop by br_if":              {one(Cat([]byte{0x03, 0x40}, ConstI32(1), []byte{0x0d, 0, 0x0b}), ""), CauseFuel},
		"a loop by br_table":           {one(Cat([]byte{0x03, 0x40}, zero, []byte{0x0e, 1, 0, 0, 0x0b}), ""), CauseFuel},
		"a loop in a dead end":         {one(Cat([]byte{0x02, 0x40, 0x0c, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b}, forever()), ""), CauseFuel},
		"recursion":                    {one(call0, ""), CauseDepth},
		"recursion through the table":  {one(Cat(zero, []byte{0x11, 0, 0}), ""), CauseDepth},
		"recursion of two":             {two, CauseDepth},
		"a tree of calls":              {tree, CauseDepth},
		"recursion in a loop":          {one(forever(call0), ""), CauseDepth},
		"recursion with a large frame": {one(repeat(2000, ConstI32(1), Op(0x21, 0), call0, Op(0x20, 0), []byte{0x1a}), I32), CauseFuel},
		"copying":                      {one(forever(zero, zero, million, []byte{0xfc, 10, 0, 0}), ""), CauseFuel},
		"filling":                      {one(forever(zero, zero, million, []byte{0xfc, 11, 0}), ""), CauseFuel},
		"copying data":                 {one(forever(zero, zero, ConstI32(99), []byte{0xfc, 8, 0, 0}), ""), CauseFuel},
		"copying the table":            {one(forever(zero, zero, ConstI32(2), []byte{0xfc, 14, 0, 0}), ""), CauseFuel},
		"copying into the table":       {one(forever(zero, zero, ConstI32(1), []byte{0xfc, 12, 1, 0}), ""), CauseFuel},
		"growing memory":               {one(forever(ConstI32(1), []byte{0x40, 0, 0x1a}), ""), CauseFuel},
		"growing memory in vain":       {one(forever(ConstI32(-1), []byte{0x40, 0, 0x1a}), ""), CauseFuel},
		"calling the host":             {imported, CauseFuel},
	} {
		t.Run(name, func(t *testing.T) {
			wasm := c.m.Encode()
			m, rewritten := parse(t, wasm), metered(t, wasm)
			least, most := int64(1)<<62, int64(0)
			for engine, r := range runtimes(t) {
				provide(t, r, m)
				g := start(t, r, rewritten)
				for range 2 {
					_, used, err := g.call(fuel, "f")
					if err == nil || g.cause() != c.want {
						t.Errorf("%s: %v, cause %d, want cause %d", engine, err, g.cause(), c.want)
					}
					least, most = min(least, used), max(most, used)
				}
				g.close(t)
			}
			if least != most || least <= 0 {
				t.Errorf("it used %d to %d units", least, most)
			}
			// A basic block is charged before it runs and nothing above is dear.
			if c.want == CauseFuel && (least <= fuel || least > fuel+2*(1<<21)) {
				t.Errorf("it used %d units of %d", least, fuel)
			}
		})
	}
}

// The depth counts functions that call others; at the limit all is well, one more is stopped, and what returned does not count.
func TestDepthIsExact(t *testing.T) {
	// f(n): if n > 0, f(n-1).
	body := Cat(Op(0x20, 0), []byte{0x04, 0x40}, Op(0x20, 0), ConstI32(1), []byte{0x6b}, call0, []byte{0x0b})
	m := &Module{Funcs: []Func{{Export: "f", Params: I32, Body: body}}}
	rewritten := metered(t, m.Encode())
	for engine, r := range runtimes(t) {
		g := start(t, r, rewritten)
		for range 3 {
			if _, _, err := g.call(ample, "f", DefaultDepth-1); err != nil || g.depth.Get() != 0 {
				t.Errorf("%s: %d calls: %v, depth %d afterwards", engine, DefaultDepth, err, g.depth.Get())
			}
		}
		if _, _, err := g.call(ample, "f", DefaultDepth); err == nil || g.cause() != CauseDepth {
			t.Errorf("%s: %d calls: %v, cause %d", engine, DefaultDepth+1, err, g.cause())
		}
		g.close(t)
	}
}

// A function with a large frame weighs more, so that the stack of the deepest recursion stays small.
func TestLargeFramesWeighMore(t *testing.T) {
	small, large := &module.Function{Values: 200, NumLocals: 20, Joins: 50}, &module.Function{Values: 100_000, NumLocals: 1000, Joins: 1000}
	if weight(small) != 1 || weight(large) < 200 {
		t.Errorf("weights %d and %d", weight(small), weight(large))
	}
}

// What a call used is enough for it; one unit less stops it.
func TestFuelIsExact(t *testing.T) {
	wasm := built(t)["grab.wasm"]
	for engine, r := range runtimes(t) {
		provide(t, r, parse(t, wasm))
		g := plugin(t, r, metered(t, wasm))
		for _, b := range batches() {
			want, used, err := g.tick(ample, b)
			if err != nil {
				t.Fatal(err)
			}
			if got, again, err := g.tick(used, b); err != nil || again != used || string(got) != string(want) {
				t.Errorf("%s: with %d units: used %d, %v", engine, used, again, err)
			}
			fresh := plugin(t, r, metered(t, wasm))
			if _, _, err := fresh.tick(used-1, b); err == nil || fresh.cause() != CauseFuel {
				t.Errorf("%s: with one unit less: %v, cause %d", engine, err, fresh.cause())
			}
		}
	}
}

// A guest that traps by itself is told from one that is stopped, and one that nobody gave fuel does not run.
func TestCauses(t *testing.T) {
	r := newRuntime(t, true)
	for name, c := range map[string]struct {
		body []byte
		fuel int64
		want Cause
	}{
		"unreachable":    {[]byte{0x00}, 100, CauseNone},
		"out of bounds":  {Cat(ConstI32(-1), []byte{0x28, 0, 0, 0x1a}), 100, CauseNone},
		"bulk too large": {Cat(ConstI32(0), ConstI32(0), ConstI32(-1), []byte{0xfc, 11, 0}), 10 << 20, CauseNone},
		"no fuel":        {[]byte{}, 0, CauseFuel},
	} {
		g := start(t, r, metered(t, one(c.body, "").Encode()))
		if _, _, err := g.call(c.fuel, "f"); err == nil || g.cause() != c.want {
			t.Errorf("%s: %v, cause %d, want %d", name, err, g.cause(), c.want)
		}
		g.close(t)
	}
}

// The host takes fuel for what it does while the guest is in a call.
func TestHostTakesFuel(t *testing.T) {
	m := one(forever([]byte{0x10, 0}), "")
	m.Imports, m.Elements, m.Passive = []Import{{Module: "h", Name: "work"}}, nil, nil
	for engine, r := range runtimes(t) {
		calls := 0
		_, err := r.NewHostModuleBuilder("h").NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(_ context.Context, mod api.Module, _ []uint64) {
			calls++
			fuel := mod.ExportedGlobal(FuelGlobal).(api.MutableGlobal)
			fuel.Set(fuel.Get() - 10_000)
		}), nil, nil).Export("work").Instantiate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		g := start(t, r, metered(t, m.Encode()))
		if _, _, err := g.call(100_000, "f"); err == nil || g.cause() != CauseFuel || calls != 10 {
			t.Errorf("%s: %v, cause %d, %d calls of the host", engine, err, g.cause(), calls)
		}
		g.close(t)
	}
}

// Memory and table get a maximum, which a smaller one of their own stays below.
func TestMaxima(t *testing.T) {
	ctx, r := context.Background(), newRuntime(t, true)
	for _, c := range []struct {
		memory Range
		o      Options
		want   uint32
	}{
		{Range{Min: 1, Max: 0}, Options{}, 256}, {Range{Min: 1, Max: 7}, Options{}, 7}, {Range{Min: 1, Max: 65536}, Options{}, 256},
		{Range{Min: 2, Max: 0}, Options{MemoryPages: 5}, 5}, {Range{Min: 6, Max: 0}, Options{MemoryPages: 5}, 6},
	} {
		m := one(nil, "")
		m.Memory = &c.memory
		m.Exports = []Export{{Name: "memory", Kind: module.ExternMemory}}
		out, err := Instrument(parse(t, m.Encode()), c.o)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := r.CompileModule(ctx, out)
		if err != nil {
			t.Fatal(err)
		}
		if most, ok := compiled.ExportedMemories()["memory"].Max(); !ok || most != c.want {
			t.Errorf("%+v: a maximum of %d pages, want %d", c, most, c.want)
		}
		again, err := module.Parse(stripExports(m, out, t), module.Large())
		if err != nil || !again.Table.HasMax || again.Table.Max != DefaultTableEntries {
			t.Errorf("table %+v, %v", again.Table, err)
		}
	}
}

// stripExports returns a rewritten module under an export section of its own, which Parse takes.
func stripExports(m *Module, rewritten []byte, t *testing.T) []byte {
	t.Helper()
	if _, err := module.Parse(rewritten, module.Large()); err == nil {
		t.Error("a module that exports the host's names passed")
	}
	out := append([]byte(nil), rewritten...)
	for i := range len(out) - len(FuelGlobal) {
		if s := string(out[i : i+len(FuelGlobal)]); s == FuelGlobal {
			out[i] = 'x'
		}
		if i+len(DepthGlobal) <= len(out) && string(out[i:i+len(DepthGlobal)]) == DepthGlobal {
			out[i] = 'x'
		}
	}
	return out
}

// A module that grows too much by the rewriting is refused in words.
func TestGrowthIsBounded(t *testing.T) {
	m := one(repeat(5000, ConstI32(0), []byte{0x04, 0x40}, ConstI32(0), []byte{0x1a, 0x0b}), "")
	_, err := Instrument(parse(t, m.Encode()), Options{Bytes: 60_000})
	if err == nil {
		t.Fatal("it passed")
	}
	t.Log(err)
}

// Functions with several results need a block type of their own.
func TestSeveralResults(t *testing.T) {
	m := &Module{Funcs: []Func{
		{Export: "f", Results: I32 + I64 + I32, Body: Cat(ConstI32(1), ConstI64(2), ConstI32(3), []byte{0x0f})},
		{Export: "g", Params: I32, Results: I32 + I32, Body: Cat(Op(0x20, 0), ConstI32(9), Op(0x20, 0), []byte{0x0d, 0, 0x1a, 0x1a}, ConstI32(4), ConstI32(5))},
	}}
	for engine, r := range map[string]wazero.Runtime{"compiler": newRuntime(t, true), "interpreter": newRuntime(t, false)} {
		g := start(t, r, metered(t, m.Encode()))
		if out := g.must(t, "f"); out[0] != 1 || out[1] != 2 || out[2] != 3 {
			t.Errorf("%s: f() = %v", engine, out)
		}
		if out := g.must(t, "g", 0); out[0] != 4 || out[1] != 5 {
			t.Errorf("%s: g(0) = %v", engine, out)
		}
		if out := g.must(t, "g", 7); out[0] != 7 || out[1] != 9 {
			t.Errorf("%s: g(7) = %v", engine, out)
		}
		g.close(t)
	}
}

// The largest memory bounds what memory operations are charged, whatever maximum the module gets, and is
// itself bounded by what the instructions can hold.
func TestLargestMemory(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want uint32
	}{
		{Options{}, 256}, {Options{MemoryPages: 5}, 5}, {Options{MemoryPages: 5, LargestMemory: 7}, 5},
		{Options{MemoryPages: 1 << 16, LargestMemory: 256}, 256}, {Options{MemoryPages: 1 << 16}, 32_767},
	} {
		got := c.o.withDefaults().LargestMemory
		if got != c.want || int32(got)*module.PageSize <= 0 {
			t.Errorf("%+v: %d pages, want %d", c.o, got, c.want)
		}
	}
}
