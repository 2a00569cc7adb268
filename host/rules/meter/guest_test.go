package meter

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
)

// ample is fuel that no test uses up, unless it means to.
const ample = 1 << 40

// guest is an instance of a plugin over the simplest host that does for it.
type guest struct {
	compiled    wazero.CompiledModule
	mod         api.Module
	input       uint32
	fuel, depth api.MutableGlobal // nil when it is not metered
	kv          map[string]string
	aborted     string
}

// runtimes are both engines, closed with the test.
func runtimes(t testing.TB) map[string]wazero.Runtime {
	t.Helper()
	out := map[string]wazero.Runtime{"compiler": newRuntime(t, true), "interpreter": newRuntime(t, false)}
	return out
}

func newRuntime(t testing.TB, compile bool) wazero.Runtime {
	t.Helper()
	cfg := wazero.NewRuntimeConfigInterpreter()
	if compile {
		cfg = wazero.NewRuntimeConfigCompiler()
	}
	// A runtime a test: host modules are made for what its guest imports.
	r := wazero.NewRuntimeWithConfig(context.Background(), cfg.WithDebugInfoEnabled(false))
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// parse reads a module under the large class's limits.
func parse(t testing.TB, wasm []byte) *module.Module {
	t.Helper()
	m, err := module.Parse(wasm, module.Large())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// metered rewrites a module with the default options.
func metered(t testing.TB, wasm []byte) []byte {
	t.Helper()
	out, err := Instrument(parse(t, wasm), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// built returns the modules of this repository that compilers of all languages made, by name.
func built(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for prefix, folder := range map[string]string{"": "../../../plugins/built", "probe-": "../../../sdk/rules/probe/built"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.wasm"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no modules in %s: %v", folder, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out[prefix+filepath.Base(f)] = b
		}
	}
	return out
}

type guestKey struct{}

// hostCalls are the imports that do something; all others return 8, "bad file descriptor".
var hostCalls = map[string]func(*guest, api.Memory, []uint64){
	"log": func(*guest, api.Memory, []uint64) {},
	"abort": func(g *guest, mem api.Memory, s []uint64) {
		text, _ := mem.Read(uint32(s[0]), uint32(s[1]))
		g.aborted = string(text)
		panic(errors.New("abort: " + g.aborted))
	},
	"kv_get": func(g *guest, mem api.Memory, s []uint64) {
		v, ok := g.kv[kvKey(mem, s)]
		if !ok {
			s[0] = uint64(uint32(0xffffffff + 1 + abi.KVMissing))
			return
		}
		if len(v) <= int(uint32(s[5])) {
			mem.Write(uint32(s[4]), []byte(v))
		}
		s[0] = uint64(len(v))
	},
	"kv_put": func(g *guest, mem api.Memory, s []uint64) {
		v, _ := mem.Read(uint32(s[4]), uint32(s[5]))
		g.kv[kvKey(mem, s)] = string(v)
		s[0] = 0
	},
	"kv_del": func(g *guest, mem api.Memory, s []uint64) {
		delete(g.kv, kvKey(mem, s))
		s[0] = 0
	},
	"clock_time_get": func(_ *guest, mem api.Memory, s []uint64) {
		mem.WriteUint64Le(uint32(s[2]), 1_000_000)
		s[0] = 0
	},
	"random_get": func(_ *guest, mem api.Memory, s []uint64) {
		mem.Write(uint32(s[0]), make([]byte, uint32(s[1])))
		s[0] = 0
	},
	"args_sizes_get":    zeroSizes,
	"environ_sizes_get": zeroSizes,
	"args_get":          func(_ *guest, _ api.Memory, s []uint64) { s[0] = 0 },
	"environ_get":       func(_ *guest, _ api.Memory, s []uint64) { s[0] = 0 },
	"sched_yield":       func(_ *guest, _ api.Memory, s []uint64) { s[0] = 0 },
	"fd_write": func(_ *guest, mem api.Memory, s []uint64) {
		total := uint32(0)
		for i := range uint32(s[2]) {
			n, _ := mem.ReadUint32Le(uint32(s[1]) + 8*i + 4)
			total += n
		}
		mem.WriteUint32Le(uint32(s[3]), total)
		s[0] = 0
	},
	"proc_exit": func(_ *guest, _ api.Memory, s []uint64) { panic(fmt.Errorf("exit %d", uint32(s[0]))) },
}

func zeroSizes(_ *guest, mem api.Memory, s []uint64) {
	mem.WriteUint32Le(uint32(s[0]), 0)
	mem.WriteUint32Le(uint32(s[1]), 0)
	s[0] = 0
}

func kvKey(mem api.Memory, s []uint64) string {
	k, _ := mem.Read(uint32(s[2]), uint32(s[3]))
	return fmt.Sprintf("%d/%d/%s", uint32(s[0]), s[1], k)
}

// provide makes the host modules that a guest imports.
func provide(t testing.TB, r wazero.Runtime, m *module.Module) {
	t.Helper()
	builders := map[string]wazero.HostModuleBuilder{}
	for i, im := range m.Imports {
		b := builders[im.Module]
		if b == nil {
			b = r.NewHostModuleBuilder(im.Module)
			builders[im.Module] = b
		}
		do := hostCalls[im.Name]
		if do == nil {
			do = func(_ *guest, _ api.Memory, s []uint64) { s[0] = 8 }
		}
		typ := m.TypeOf(uint32(i))
		b.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, mod api.Module, s []uint64) {
			do(ctx.Value(guestKey{}).(*guest), mod.Memory(), s)
		}), []api.ValueType(typ.Params), []api.ValueType(typ.Results)).Export(im.Name)
	}
	for name, b := range builders {
		if r.Module(name) == nil {
			if _, err := b.Instantiate(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// start makes an instance, without running anything in it. The caller closes it.
func start(t testing.TB, r wazero.Runtime, wasm []byte) *guest {
	t.Helper()
	compiled, err := r.CompileModule(context.Background(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	g := &guest{kv: map[string]string{}, compiled: compiled}
	if g.mod, err = r.InstantiateModule(context.Background(), compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions()); err != nil {
		t.Fatal(err)
	}
	if f, ok := g.mod.ExportedGlobal(FuelGlobal).(api.MutableGlobal); ok {
		g.fuel, g.depth = f, g.mod.ExportedGlobal(DepthGlobal).(api.MutableGlobal)
	}
	return g
}

func (g *guest) close(t testing.TB) {
	t.Helper()
	if err := errors.Join(g.mod.Close(context.Background()), g.compiled.Close(context.Background())); err != nil {
		t.Error(err)
	}
}

// plugin makes an instance of a plugin and starts it as a host does.
func plugin(t testing.TB, r wazero.Runtime, wasm []byte) *guest {
	t.Helper()
	g := start(t, r, wasm)
	t.Cleanup(func() { g.close(t) })
	if g.mod.ExportedFunction("_initialize") != nil {
		g.must(t, "_initialize")
	}
	g.input = uint32(g.must(t, "venued_alloc", abi.MaxInput)[0])
	init, err := abi.AppendInit(nil, abi.Header{Seed: 7}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.mod.Memory().Write(g.input, init)
	if code := g.must(t, "venued_init", uint64(g.input), uint64(len(init)))[0]; code != 0 {
		t.Fatalf("venued_init: %d", code)
	}
	return g
}

// refuel sets both globals, if it is metered.
func (g *guest) refuel(fuel int64) {
	if g.fuel != nil {
		g.fuel.Set(uint64(fuel))
		g.depth.Set(0)
	}
}

// cause tells why the last call was stopped.
func (g *guest) cause() Cause {
	return Options{}.Cause(int64(g.fuel.Get()), int32(uint32(g.depth.Get())))
}

// call runs an exported function with that fuel and returns its results and what it used.
func (g *guest) call(fuel int64, name string, args ...uint64) ([]uint64, int64, error) {
	g.refuel(fuel)
	out, err := g.mod.ExportedFunction(name).Call(context.WithValue(context.Background(), guestKey{}, g), args...)
	if g.fuel == nil {
		return out, 0, err
	}
	return out, fuel - int64(g.fuel.Get()), err
}

func (g *guest) must(t testing.TB, name string, args ...uint64) []uint64 {
	t.Helper()
	out, _, err := g.call(ample, name, args...)
	if err != nil {
		t.Fatalf("%s: %v (%s)", name, err, g.aborted)
	}
	return out
}

// tick runs a batch and returns the commands and the fuel it used.
func (g *guest) tick(fuel int64, batch []byte) ([]byte, int64, error) {
	g.mod.Memory().Write(g.input, batch)
	out, used, err := g.call(fuel, "venued_tick", uint64(g.input), uint64(len(batch)))
	if err != nil {
		return nil, used, err
	}
	raw, ok := g.mod.Memory().Read(uint32(out[0]>>32), uint32(out[0]))
	if !ok {
		return nil, used, errors.New("the commands do not lie in memory")
	}
	return append([]byte(nil), raw...), used, nil
}

// batches is a series of batches with all that plugins answer.
func batches() [][]byte {
	var out [][]byte
	for i, n := range []int{1, 3, 20, 40} {
		b := abi.NewBatch()
		b.Reset(nil, abi.Header{Tick: uint64(i + 1), TimeUS: uint64(i+1) * 1_000_000, Seed: uint64(i) ^ 0x5eed})
		for k := range n {
			e := abi.Event{
				Kind: abi.EventKind(1 + k%10), Hand: uint8(k & 1), Scope: abi.ScopeZone, Class: uint32(k % 3), Count: uint32(k % 2),
				Subject: uint64(k%17 + 1), Object: uint64(k%23 + 1), Holder: uint64(k % 5), Dist: uint32(500 + 13*k%200), Value: uint64(k % 4), Aux: uint64(k % 6),
			}
			if n == 1 {
				e.Kind = abi.EventUse
			}
			if e.Kind == abi.EventJoin {
				e.Data = []byte("Ada \"Lovelace\" 🎩")
			}
			b.Event(&e)
		}
		for k := range n % 7 {
			b.Row(&abi.Row{Kind: abi.RowKind(1 + k%4), ID: uint64(k), Flags: uint16(k & 1)})
		}
		raw := append([]byte(nil), b.Finish()...)
		out = append(out, raw)
	}
	return out
}

// grabs is a batch of n requests for 500 objects; few enough answers for one call.
func grabs(n int) []byte {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{})
	for i := range n {
		e := abi.Event{Kind: abi.EventGrab, Subject: uint64(i), Object: uint64(i % 500), Dist: 100}
		if i >= 800 {
			e.Kind = abi.EventDropped
		}
		b.Event(&e)
	}
	return b.Finish()
}

// sameState tells whether two guests wrote the same.
func (g *guest) sameState(other *guest) bool { return maps.Equal(g.kv, other.kv) }
