package module_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/venued/venued/host/rules/module"
	. "github.com/venued/venued/host/rules/module/wasmtest"
)

// built returns the modules of this repository that compilers of all languages made.
func built(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, folder := range []string{"../../../plugins/built", "../../../sdk/rules/probe/built"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.wasm"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no modules in %s: %v", folder, err)
		}
		for _, f := range files {
			if out[filepath.Base(f)], err = os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out
}

// compile compiles a module with another reader of the format.
func compile(t testing.TB, wasm []byte) (wazero.CompiledModule, error) {
	t.Helper()
	r := wazero.NewRuntimeWithConfig(context.Background(), wazero.NewRuntimeConfigInterpreter())
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r.CompileModule(context.Background(), wasm)
}

// What compilers make passes, and is read as another reader of the format does.
func TestBuiltModules(t *testing.T) {
	for name, wasm := range built(t) {
		m, err := module.Parse(wasm, module.Large())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := module.Parse(wasm, module.Small()); (err != nil) != (name == "greeter.wasm") {
			t.Errorf("%s in the small class: %v", name, err)
		}
		other, err := compile(t, wasm)
		if err != nil {
			t.Fatal(err)
		}
		imports := other.ImportedFunctions()
		if len(imports) != m.NumImports() {
			t.Errorf("%s: %d imports, want %d", name, m.NumImports(), len(imports))
		}
		for i, f := range imports {
			where, what, _ := f.Import()
			if got := m.Imports[i]; got.Module != where || got.Name != what || !sameType(m.TypeOf(uint32(i)), f) {
				t.Errorf("%s: import %d is %v, want %s.%s", name, i, got, where, what)
			}
		}
		functions := 0
		for _, e := range m.Exports {
			if e.Kind != module.ExternFunction {
				continue
			}
			functions++
			if f := other.ExportedFunctions()[e.Name]; f == nil || f.Index() != e.Index || !sameType(m.TypeOf(e.Index), f) {
				t.Errorf("%s: export %v", name, e)
			}
		}
		if functions != len(other.ExportedFunctions()) || m.Memory.Min != other.ExportedMemories()["memory"].Min() {
			t.Errorf("%s: %d functions exported, memory %v", name, functions, m.Memory)
		}
	}
}

func sameType(t module.Type, f api.FunctionDefinition) bool {
	return t.Params == string(f.ParamTypes()) && t.Results == string(f.ResultTypes())
}

// Random valid modules pass, and decoding their bodies gives every byte once.
func TestGeneratedModules(t *testing.T) {
	seen := map[module.Op]bool{}
	for seed := range uint64(500) {
		gen := Generate(seed, Config{Budget: 50 + int(seed)})
		m, err := module.Parse(gen.Wasm, module.Small())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(m.Functions) != len(gen.Funcs) || len(m.Globals) != len(gen.Globals) {
			t.Fatalf("seed %d: %d functions, %d globals", seed, len(m.Functions), len(m.Globals))
		}
		for i := range m.Functions {
			fn, want := &m.Functions[i], gen.Funcs[i]
			if !bytes.Equal(fn.Code, Cat(want.Body, []byte{0x0b})) || fn.NumLocals != len(want.Params+want.Locals) {
				t.Fatalf("seed %d: function %d is not what was written", seed, i)
			}
			d, at, n := module.NewDecoder(fn.Code), 0, 0
			for ins := (module.Instruction{}); d.Next(&ins); at, n = ins.End, n+1 {
				seen[ins.Op] = true
				if ins.Start != at {
					t.Fatalf("seed %d: function %d: an instruction at %d begins at %d", seed, i, at, ins.Start)
				}
			}
			if d.Err() != nil || at != len(fn.Code) || n != fn.Instructions {
				t.Fatalf("seed %d: function %d: read to %d of %d: %v", seed, i, at, len(fn.Code), d.Err())
			}
		}
		if seed%10 == 0 {
			if _, err := compile(t, gen.Wasm); err != nil {
				t.Fatalf("seed %d: the generator made what is not valid: %v", seed, err)
			}
		}
	}
	// Every instruction that plugins may use is there.
	for op := module.Op(0); op <= module.TableCopy; op++ {
		if op == 0x100 {
			op = 0xfc00
		}
		if op.String() != "unknown instruction" && !seen[op] {
			t.Errorf("no generated module has %s", op)
		}
	}
}

// A module that is cut anywhere, or that has one byte changed, is refused or read: never more.
func TestDamagedModules(t *testing.T) {
	wasm := built(t)["score.wasm"]
	whole, err := module.Parse(wasm, module.Small())
	if err != nil {
		t.Fatal(err)
	}
	ends := map[int]bool{8: true}
	for at, i := 8, 0; i < len(whole.Sections); i++ {
		at += len(whole.Sections[i].Raw)
		ends[at] = true
	}
	refusal := new(module.Refusal)
	for n := range wasm {
		if _, err := module.Parse(wasm[:n], module.Small()); err == nil && !ends[n] || err != nil && !errors.As(err, &refusal) {
			t.Errorf("cut at %d: %v", n, err)
		}
		for _, x := range []byte{0x01, 0x80, 0xff} {
			damaged := bytes.Clone(wasm)
			damaged[n] ^= x
			if _, err := module.Parse(damaged, module.Small()); err != nil && !errors.As(err, &refusal) {
				t.Errorf("byte %d changed by %#x: %v", n, x, err)
			}
		}
	}
}

// Functions are called by the name section's names where there is one, whatever else is wrong with it.
func TestFunctionNames(t *testing.T) {
	names := Cat([]byte{0}, Bytes(Bytes("a module")), []byte{1}, Bytes(Vec(Cat(U(0), Bytes("in::rust")), Cat(U(1), Bytes(strings.Repeat("n", 500))))))
	for _, c := range []struct {
		section []byte
		first   string
		second  int // length of its name
	}{
		{names, "in::rust", 100}, {nil, "boom", 0}, {names[:len(names)-1], "boom", 0},
		{Cat([]byte{1}, lie), "boom", 0}, {Cat([]byte{1}, Bytes(lie)), "boom", 0}, {Cat([]byte{1}, Bytes(Cat(U(1), U(0), lie))), "boom", 0},
	} {
		m := body()
		m.Funcs = append(m.Funcs, Func{})
		m.Customs = []Custom{{Name: "name", Content: c.section}}
		got, err := module.Parse(m.Encode(), module.Small())
		if err != nil {
			t.Fatal(err)
		}
		if a, b := got.FunctionName(0), got.FunctionName(1); a != c.first || len(b) != c.second {
			t.Errorf("%q: %q and %q", c.section, a, b)
		}
	}
}

// What the rewriting needs to know of a function.
func TestFacts(t *testing.T) {
	m := body(ConstI32(1), Op(0x21, 0), []byte{0x02, 0x40}, Op(0x20, 0), Op(0x20, 0), []byte{0x6a, 0x0d, 0, 0x0b}, Op(0x10, 0))
	m.Imports = []Import{{Module: "e", Name: "f"}}
	got, err := module.Parse(m.Encode(), module.Small())
	if err != nil {
		t.Fatal(err)
	}
	f := got.Functions[0]
	if f.Calls || f.Operands != 2 || f.Values != 1 || f.Joins != 1 || f.Instructions != 10 || f.NumLocals != 1 {
		t.Errorf("%+v", f)
	}
	m.Imports = nil
	if got, err = module.Parse(m.Encode(), module.Small()); err != nil || !got.Functions[0].Calls {
		t.Errorf("a call of itself: %v, %+v", err, got)
	}
	if s := got.TypeOf(0).String() + (module.Type{Params: I32 + F64, Results: I64 + F32}).String(); s != "()(i32, f64) -> i64, f32" {
		t.Error(s)
	}
}

// FuzzParse: whatever the bytes are, the answer is a module or a refusal, within its allowance of memory.
func FuzzParse(f *testing.F) {
	for name, wasm := range built(f) {
		if name != "greeter.wasm" {
			f.Add(wasm)
		}
	}
	for _, c := range bombs {
		if wasm := c.m.Encode(); len(wasm) < 1000 {
			f.Add(wasm)
		}
	}
	f.Add(Generate(1, Config{Budget: 40}).Wasm)
	f.Fuzz(func(t *testing.T, wasm []byte) {
		var err error
		n := allocated(func() { _, err = module.Parse(wasm, module.Small()) })
		if refusal := new(module.Refusal); err != nil && (!errors.As(err, &refusal) || refusal.Message == "" || refusal.Code == "") {
			t.Errorf("%#v", err)
		}
		// What other goroutines of the fuzzing allocate meanwhile counts too.
		if n > allowance(wasm)+1<<20 {
			t.Errorf("%d bytes took %d bytes of memory", len(wasm), n)
		}
	})
}

// BenchmarkParse reads the smallest and the largest module there is.
func BenchmarkParse(b *testing.B) {
	for _, name := range []string{"bell.wasm", "greeter.wasm"} {
		b.Run(name, func(b *testing.B) {
			wasm := built(b)[name]
			b.SetBytes(int64(len(wasm)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := module.Parse(wasm, module.Large()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(float64(len(wasm))/1024), "us/KB")
		})
	}
}
