package rules

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/plugins"
)

// builtModules returns the shipped plugins and the probes of the SDKs, by name.
func builtModules(t testing.TB) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range plugins.Names() {
		wasm, err := plugins.Wasm(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = wasm
	}
	files, err := filepath.Glob("../../sdk/rules/probe/built/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("no probes: %v", err)
	}
	for _, f := range files {
		wasm, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out["probe-"+strings.TrimSuffix(filepath.Base(f), ".wasm")] = wasm
	}
	return out
}

func TestInspectTakesWhatIsShipped(t *testing.T) {
	e := testEngine(t, Config{})
	for name, wasm := range builtModules(t) {
		r, err := e.Inspect(context.Background(), wasm, InspectOptions{LoadOptions: LoadOptions{Class: abi.ClassLarge}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK || len(r.Problems) > 0 {
			t.Errorf("%s: %s", name, r.Problems.All())
			continue
		}
		if r.SizeBytes != len(wasm) || r.Digest != digestOf(wasm) || r.Manifest == nil || r.Functions == 0 || len(r.Imports) == 0 || r.MemoryPages == 0 ||
			r.FuelPerEvent <= 0 || r.FuelPerTickMost < int64(r.FuelPerEvent) || r.StartFuel <= 0 || r.SampleEvents == 0 || r.SampleCommands == 0 ||
			r.PeakMemoryBytes < uint64(r.MemoryPages)<<16 || r.CompileMS <= 0 || r.FuelLimit != int64(abi.MaxFuelOf(r.Class)) || r.MemoryLimitBytes == 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if large := name == "greeter"; (r.Class == abi.ClassLarge) != large || (r.ClassReason != "") != large {
			t.Errorf("%s: class %s because of %q", name, r.Class, r.ClassReason)
		}
		t.Log(name, r.Summary())
		again, err := e.Inspect(context.Background(), wasm, InspectOptions{LoadOptions: LoadOptions{Class: abi.ClassLarge}})
		if err != nil {
			t.Fatal(err)
		}
		again.CompileMS = r.CompileMS
		if a, b := mustJSON(t, r), mustJSON(t, again); a != b {
			t.Errorf("%s: a second inspection says\n%s\nafter\n%s", name, b, a)
		}
	}
	if len(e.modules) != 0 {
		t.Errorf("%d modules are kept", len(e.modules))
	}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestInspectFindsEveryProblem(t *testing.T) {
	ok := func() *asm { return newAsm(constI64(0)...) }
	manifest := func(from, to string) []byte {
		a := ok()
		a.manifest = strings.Replace(a.manifest, from, to, 1)
		return a.bytes()
	}
	greeter := builtModules(t)["greeter"]
	for _, c := range []struct {
		name     string
		wasm     []byte
		settings map[string]any
		codes    []Code
		words    string
	}{
		{"text", []byte("(module)"), nil, []Code{CodeMalformed}, "not a WebAssembly module"},
		{"too large", make([]byte, abi.MaxModule+1), nil, []Code{CodeLimit}, "8,388,609 bytes"},
		{"SIMD", newAsm(join([]byte{0xfd, 12}, make([]byte, 16), []byte{opDrop}, constI64(0))...).bytes(), nil, []Code{CodeFeature}, `function 2 ("venued_tick") uses SIMD`},
		{"a name of the host's", ok().set("venued.fuel", signature{}, 0x01).bytes(), nil, []Code{CodeReserved}, "rename it"},
		{"an empty module", []byte(abi.ModuleHeader), nil, []Code{CodeContract, CodeManifest, CodeExport, CodeExport, CodeExport, CodeExport}, "it is not a plugin"},
		{
			"many at once", ok().imported("env", "abort", signature{i32, ""}).imported(abi.ImportModule, "time", signature{"", i64}).set("venued_init", signature{i32, i32}, constI32(0)...).bytes(), nil,
			[]Code{CodeImport, CodeImport, CodeExport}, `"abort" from "env"`,
		},
		{"a typo in the manifest", manifest(`"commands"`, `"comands"`), nil, []Code{CodeManifest}, `did you mean "commands"`},
		{"too much memory", manifest(`"abi"`, `"memory_bytes":65536,"abi"`), nil, []Code{CodeMemory}, "wants 524288 bytes of memory to begin with, its limit is 65536"},
		{"a Go module", greeter, nil, []Code{CodeClass}, "needs the large class"},
		{"a bad setting too", greeter, map[string]any{"x": []any{}}, []Code{CodeClass, CodeSettings}, "needs the large class"},
		{"wrong operands", newAsm(constI32(0)...).bytes(), nil, []Code{CodeInvalid}, "venued_tick"},
		{"a bad setting", ok().bytes(), map[string]any{"x": []any{}}, []Code{CodeSettings}, "x is a"},
		{"large settings", ok().bytes(), manyTexts(), []Code{CodeSettings}, "the limit is 262144"},
		{"a start that refuses", ok().set("venued_init", signature{i32 + i32, i32}, constI32(-3)...).bytes(), nil, []Code{CodeStart}, "venued_init refused its settings with -3"},
		{"a loop", newAsm(loop...).bytes(), nil, []Code{CodeCall}, "failed: fuel: it used more than 5 million"},
		{"a trap", newAsm(opUnreachable).bytes(), nil, []Code{CodeCall}, `a call with a sample event of kind "grab" failed: trap: unreachable`},
	} {
		r, err := Inspect(context.Background(), c.wasm, InspectOptions{LoadOptions: LoadOptions{Settings: c.settings}, Config: Config{Interpret: true}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var codes []Code
		for _, p := range r.Problems {
			codes = append(codes, p.Code)
		}
		if r.OK || !slices.Equal(codes, c.codes) || !strings.Contains(r.Problems[0].Message, c.words) {
			t.Errorf("%s: codes %v, want %v; %q in\n%s", c.name, codes, c.codes, c.words, r.Problems.All())
		}
	}
}

func manyTexts() map[string]any {
	out := map[string]any{}
	for i := range 20 {
		out[strings.Repeat("s", i+1)] = strings.Repeat("x", abi.MaxValue)
	}
	return out
}

func TestReportAsJSON(t *testing.T) {
	r, err := Inspect(context.Background(), commands(oneGrant).bytes(), InspectOptions{Config: Config{Interpret: true}})
	if err != nil {
		t.Fatal(err)
	}
	text := mustJSON(t, r)
	for _, want := range []string{`"ok":true`, `"problems":[]`, `"size_bytes":`, `"imports":[]`, `"memory_pages":8`, `"fuel_per_event":`, `"compile_ms":`, `"class":"small"`, `"manifest":{"name":"test"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	if _, err := Inspect(context.Background(), nil, InspectOptions{Config: Config{CacheDir: "/dev/null/x"}}); err == nil {
		t.Error("a cache folder that cannot be is no error")
	}
}

// The sample has each kind of event and row that there is.
func TestSampleHasEverything(t *testing.T) {
	m := &abi.Manifest{Views: []abi.View{{Rows: "objects"}, {Rows: "users"}, {Rows: "doors"}, {Rows: "zones"}, {Rows: "poses", Hz: 10}}}
	for name := range abi.EventNames {
		m.Events = append(m.Events, name)
	}
	s := newSampler(m)
	events, rows := map[abi.EventKind]int{}, map[abi.RowKind]int{}
	for tick := range sampleTicks {
		list := s.events(tick)
		var d abi.Decoded
		if err := abi.DecodeBatch(s.fill(tick, list), &d); err != nil || len(d.Events) != len(list) {
			t.Fatal(len(list), err)
		}
		for _, e := range d.Events {
			events[e.Kind]++
		}
		for _, w := range d.Rows {
			rows[w.Kind]++
		}
	}
	if len(events) != len(abi.EventNames) || len(rows) != len(abi.ViewNames) {
		t.Errorf("events %v, rows %v", events, rows)
	}
}
