package meter

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
	"github.com/venued/venued/host/rules/module/wasmtest"
)

// outcome is what one call of a generated function did.
type outcome struct {
	function int
	results  []uint64
	trap     string // "" for none
	used     int64  // fuel
	cause    Cause
}

// sequence calls functions of a generated module with arguments from the seed: that many, or until one is
// stopped by the metering.
func sequence(g *guest, gen *wasmtest.Generated, seed uint64, fuel int64, calls int) (out []outcome) {
	r := rand.New(rand.NewPCG(seed, 1))
	for len(out) < calls {
		o := outcome{function: r.IntN(len(gen.Funcs))}
		params := gen.Funcs[o.function].Params
		args := make([]uint64, len(params))
		for k := range args {
			switch args[k] = r.Uint64N(20); params[k : k+1] {
			case wasmtest.F32:
				args[k] = uint64(math.Float32bits(float32(r.NormFloat64())))
			case wasmtest.F64:
				args[k] = math.Float64bits(r.NormFloat64())
			}
		}
		var err error
		if o.results, o.used, err = g.call(fuel, fmt.Sprintf("f%d", o.function), args...); err != nil {
			o.trap, _, _ = strings.Cut(err.Error(), "\n")
		}
		if g.fuel != nil {
			o.cause = g.cause()
		}
		if out = append(out, o); o.cause != CauseNone {
			break
		}
	}
	return out
}

// sameValue compares values of a type; if nans, every NaN is the same.
func sameValue(typ string, a, b uint64, nans bool) bool {
	switch typ {
	case wasmtest.I32:
		return uint32(a) == uint32(b)
	case wasmtest.F32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return uint32(a) == uint32(b) || nans && x != x && y != y
	case wasmtest.F64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		return a == b || nans && x != x && y != y
	}
	return a == b
}

// sameOutcomes compares what two sequences of calls did; "" if that is the same.
func sameOutcomes(gen *wasmtest.Generated, a, b []outcome, plain bool) string {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x.trap != y.trap || len(x.results) != len(y.results) || !plain && (x.used != y.used || x.cause != y.cause) {
			return fmt.Sprintf("call %d: %+v and %+v", i, x, y)
		}
		for k := range x.results {
			if !sameValue(gen.Funcs[x.function].Results[k:k+1], x.results[k], y.results[k], plain) {
				return fmt.Sprintf("call %d of function %d: result %d is %#x and %#x", i, x.function, k, x.results[k], y.results[k])
			}
		}
	}
	if len(a) != len(b) {
		return fmt.Sprintf("%d and %d calls", len(a), len(b))
	}
	return ""
}

// sameState compares memories and globals.
func sameState(gen *wasmtest.Generated, a, b *guest, plain bool) string {
	x, _ := a.mod.Memory().Read(0, a.mod.Memory().Size())
	y, _ := b.mod.Memory().Read(0, b.mod.Memory().Size())
	if !bytes.Equal(x, y) {
		for i := range min(len(x), len(y)) {
			if x[i] != y[i] {
				return fmt.Sprintf("memories of %d and %d bytes differ at %d", len(x), len(y), i)
			}
		}
		return fmt.Sprintf("memories have %d and %d bytes", len(x), len(y))
	}
	for i, global := range gen.Globals {
		name := fmt.Sprintf("g%d", i)
		if p, q := a.mod.ExportedGlobal(name).Get(), b.mod.ExportedGlobal(name).Get(); !sameValue(global.Type, p, q, plain) {
			return fmt.Sprintf("global %d is %#x and %#x", i, p, q)
		}
	}
	return ""
}

// engines are the runtimes that generated modules are compared on.
type engines struct{ compiler, interpreter wazero.Runtime }

func newEngines(t testing.TB) engines {
	return engines{newRuntime(t, true), newRuntime(t, false)}
}

// tally counts what happened in a differential test, so that it can tell that it tested something.
type tally struct{ calls, traps, fuel, depth, compared int }

// differ checks one generated module: rewritten, it must do the same on both engines bit for bit, with the same fuel, and what the
// module as it was does, until it is stopped.
func (e engines) differ(t testing.TB, seed uint64, cfg wasmtest.Config, fuel int64, n *tally) {
	gen := wasmtest.Generate(seed, cfg)
	m, err := module.Parse(gen.Wasm, module.Small())
	if err != nil {
		t.Fatalf("seed %d: a valid module was refused: %v", seed, err)
	}
	rewritten, err := Instrument(m, Options{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	const calls = 6
	compiled, interpreted := start(t, e.compiler, rewritten), start(t, e.interpreter, rewritten)
	defer compiled.close(t)
	defer interpreted.close(t)
	a, b := sequence(compiled, &gen, seed, fuel, calls), sequence(interpreted, &gen, seed, fuel, calls)
	if d := sameOutcomes(&gen, a, b, false); d != "" {
		t.Fatalf("seed %d, %+v: compiled and interpreted: %s", seed, cfg, d)
	}
	if d := sameState(&gen, compiled, interpreted, false); d != "" {
		t.Fatalf("seed %d, %+v: compiled and interpreted: %s", seed, cfg, d)
	}
	last := a[len(a)-1].cause
	for _, o := range a {
		n.calls++
		if o.trap != "" && o.cause == CauseNone {
			n.traps++
		}
		if o.used <= 0 {
			t.Fatalf("seed %d: a call used %d units of fuel", seed, o.used)
		}
	}
	switch last {
	case CauseFuel:
		n.fuel++
		a = a[:len(a)-1]
	case CauseDepth:
		n.depth++
		a = a[:len(a)-1]
	}
	if !cfg.HideNaNs {
		return
	}
	plain := start(t, e.compiler, gen.Wasm)
	defer plain.close(t)
	if d := sameOutcomes(&gen, a, sequence(plain, &gen, seed, fuel, len(a)), true); d != "" {
		t.Fatalf("seed %d: rewritten and as it was: %s", seed, d)
	}
	if last != CauseNone {
		return
	}
	if d := sameState(&gen, compiled, plain, true); d != "" {
		t.Fatalf("seed %d: rewritten and as it was: %s", seed, d)
	}
	n.compared++
}

func TestGeneratedModulesRunAsBefore(t *testing.T) {
	e := newEngines(t)
	var n tally
	for seed := range uint64(600) {
		e.differ(t, seed, wasmtest.Config{HideNaNs: true, Budget: 40 + int(seed%200)}, 50_000, &n)
	}
	if n.traps == 0 || n.fuel == 0 || n.depth == 0 || n.compared < 100 {
		t.Errorf("the modules did too little: %+v", n)
	}
	t.Logf("%+v", n)
}

// Nothing that arithmetic leaves open may show: two engines agree on every bit although the modules look at the bits of NaNs.
func TestGeneratedModulesSeeNoForeignNaNs(t *testing.T) {
	e := newEngines(t)
	var n tally
	for seed := range uint64(400) {
		e.differ(t, seed+1_000_000, wasmtest.Config{Budget: 100}, 20_000, &n)
	}
}

func FuzzInstrument(f *testing.F) {
	f.Add(uint64(1), true, uint16(100), uint16(1000))
	f.Add(uint64(2), false, uint16(300), uint16(65535))
	e := newEngines(f)
	f.Fuzz(func(t *testing.T, seed uint64, hide bool, budget, fuel uint16) {
		e.differ(t, seed, wasmtest.Config{HideNaNs: hide, Budget: 1 + int(budget%400)}, int64(fuel), new(tally))
	})
}

// FuzzValidity: rewriting makes no module valid that was not, and none invalid that was. The bytes may be anything; what is valid is up to
// the compiler.
func FuzzValidity(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(wasmtest.Generate(seed, wasmtest.Config{Budget: 30}).Wasm)
	}
	f.Add(built(f)["score.wasm"])
	r := newRuntime(f, false)
	compiles := func(wasm []byte) error {
		c, err := r.CompileModule(context.Background(), wasm)
		if err != nil {
			return err
		}
		return c.Close(context.Background())
	}
	limits := module.Small()
	limits.Bytes = 64 << 10
	f.Fuzz(func(t *testing.T, wasm []byte) {
		m, err := module.Parse(wasm, limits)
		if err != nil {
			return
		}
		rewritten, err := Instrument(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		// Custom sections do not stay, whatever is in them.
		plain := []byte(abi.ModuleHeader)
		for _, s := range m.Sections {
			if s.ID != module.SectionCustom {
				plain = append(plain, s.Raw...)
			}
		}
		before, after := compiles(plain), compiles(rewritten)
		if (before == nil) != (after == nil) {
			t.Fatalf("before: %v; rewritten: %v", before, after)
		}
	})
}
