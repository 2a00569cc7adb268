package rules_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/plugins"
)

// language is the two rules of the hall in one language.
type language struct {
	name       string
	grab, door []byte
}

// languages returns the rules of the hall in every language: the shipped plugins, in Rust; the examples of the C, the Go and the
// AssemblyScript kit. They are built once a test program, with the compilers that test/setup.sh sees to.
func languages(t testing.TB) []language {
	t.Helper()
	built, err := buildLanguages()
	if err != nil {
		t.Fatal(err)
	}
	return built
}

var buildLanguages = sync.OnceValues(func() (out []language, err error) {
	dir, err := os.MkdirTemp("", "venued-hall-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, l := range []struct {
		name  string
		build func(dir, rule string) ([]byte, error)
	}{
		{"assemblyscript", buildAssemblyScript},
		{"c", buildC},
		{"go", buildGo},
		{"rust", func(_, rule string) ([]byte, error) { return plugins.Wasm(rule) }},
	} {
		built := language{name: l.name}
		for rule, wasm := range map[string]*[]byte{"grab": &built.grab, "door": &built.door} {
			if *wasm, err = l.build(dir, rule); err != nil {
				return nil, fmt.Errorf("building %s in %s: %w", rule, l.name, err)
			}
		}
		out = append(out, built)
	}
	return out, nil
})

const kits = "../../sdk/rules/"

// tool returns the name of a compiler, which the environment may give.
func tool(variable, otherwise string) string { return cmp.Or(os.Getenv(variable), otherwise) }

func run(env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// packed reads a module and adds its manifest.
func packed(path, manifest string) ([]byte, error) {
	wasm, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(manifest)
	if err != nil {
		return nil, err
	}
	return abi.Pack(wasm, text, false)
}

func buildC(dir, rule string) ([]byte, error) {
	source := kits + "c/examples/" + rule + "/"
	object, wasm := filepath.Join(dir, rule+".o"), filepath.Join(dir, rule+"-c.wasm")
	if err := run(nil, tool("CLANG", "clang-14"), "--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-fno-builtin", "-I"+kits+"c", "-c", source+rule+".c", "-o", object); err != nil {
		return nil, err
	}
	if err := run(nil, tool("WASM_LD", "wasm-ld-14"), "--no-entry", "--strip-all", "-z", "stack-size=65536", object, "-o", wasm); err != nil {
		return nil, err
	}
	return packed(wasm, source+"manifest.json")
}

func buildGo(dir, rule string) ([]byte, error) {
	wasm := filepath.Join(dir, rule+"-go.wasm")
	if err := run([]string{"GOOS=wasip1", "GOARCH=wasm", "GOFLAGS="}, "go", "build", "-buildmode=c-shared", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", wasm, kits+"go/examples/"+rule); err != nil {
		return nil, err
	}
	return packed(wasm, kits+"go/examples/"+rule+"/manifest.json")
}

func buildAssemblyScript(dir, rule string) ([]byte, error) {
	const kit = kits + "assemblyscript/"
	wasm := filepath.Join(dir, rule+"-as.wasm")
	if err := run(nil, "node", kit+"node_modules/assemblyscript/bin/asc.js", kit+"examples/"+rule+"/"+rule+".ts", "-O3", "--runtime", "stub",
		"--exportStart", "_initialize", "--use", "abort="+kit+"assembly/abort/abort", "--outFile", wasm); err != nil {
		return nil, err
	}
	return packed(wasm, kit+"examples/"+rule+"/manifest.json")
}

// hallRules is both rules of the hall as instances.
type hallRules struct{ grab, door *rules.Instance }

func (l *language) instances(t testing.TB, e *rules.Engine) hallRules {
	t.Helper()
	make := func(name string, wasm []byte) *rules.Instance {
		p, err := e.Load(context.Background(), name, wasm, rules.LoadOptions{Class: abi.ClassLarge})
		if err != nil {
			t.Fatal(err)
		}
		in, err := p.Instance(rules.InstanceConfig{CallTime: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.Close)
		return in
	}
	return hallRules{make("grab", l.grab), make("door", l.door)}
}

// call runs both rules. The commands are valid until the next call.
func (r hallRules) call(t testing.TB, batch []byte) (grab, door []byte) {
	grab, err := r.grab.Call(batch, nil)
	if err == nil {
		door, err = r.door.Call(batch, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return grab, door
}

// fuel is what both rules used in the newest tick.
func (r hallRules) fuel() [2]int64 { return [2]int64{r.grab.FuelUsed(), r.door.FuelUsed()} }

// withoutMinor drops what a kit says of itself.
func withoutMinor(list []byte) []byte {
	out := bytes.Clone(list)
	if len(out) > 6 {
		binary.LittleEndian.PutUint16(out[4:], 0)
	}
	return out
}

// The same rules over 200 people, 500 objects and 64 doors give the same commands in every language, compiled and interpreted and with
// the same fuel, as they do in native Go, tick after tick.
func TestLanguagesAgree(t *testing.T) {
	engines := map[string]*rules.Engine{"compiled": engine(t, false), "interpreted": engine(t, true)}
	runs := map[string]hallRules{}
	for _, l := range languages(t) {
		for how, e := range engines {
			runs[l.name+", "+how] = l.instances(t, e)
		}
	}
	h, native, kit := newHall(1), new(hallNative), newHallKit()
	kinds := map[abi.CommandKind]int{}
	sizes := []int{1, 20, 300, 5, 1000, 100}
	for tick := range 120 {
		batch := h.next(sizes[tick%len(sizes)])
		wantGrab, wantDoor := withoutMinor(native.grab(batch)), withoutMinor(native.door(batch))
		if !bytes.Equal(withoutMinor(kit.grab(batch)), wantGrab) || !bytes.Equal(withoutMinor(kit.door(batch)), wantDoor) {
			t.Fatalf("tick %d: the native rules do not agree", tick)
		}
		for name, r := range runs {
			grab, door := r.call(t, batch)
			if !bytes.Equal(withoutMinor(grab), wantGrab) || !bytes.Equal(withoutMinor(door), wantDoor) {
				t.Fatalf("%s, tick %d: grab\n% x\nwant\n% x\ndoor\n% x\nwant\n% x", name, tick, grab, wantGrab, door, wantDoor)
			}
		}
		for _, l := range languages(t) {
			x, y := runs[l.name+", compiled"].fuel(), runs[l.name+", interpreted"].fuel()
			if x != y || x[0] <= 0 || x[1] <= 0 {
				t.Errorf("%s, tick %d: %v units of fuel compiled, %v interpreted", l.name, tick, x, y)
			}
		}
		for _, list := range [][]byte{wantGrab, wantDoor} {
			cmds, err := abi.DecodeCommands(list, le.Uint32(batch[8:]), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cmds {
				kinds[c.Kind]++
			}
			h.apply(cmds)
		}
	}
	for _, k := range []abi.CommandKind{abi.CmdGrant, abi.CmdDeny, abi.CmdRelease, abi.CmdDoor, abi.CmdTimerStart, abi.CmdTimerCancel} {
		if kinds[k] < 20 {
			t.Errorf("the scenario has %d commands of kind %s: too few to compare", kinds[k], k)
		}
	}
	t.Log(len(runs), "runs, commands", kinds)
}

// hallBatches are batches of n events each that follow one another.
func hallBatches(n int) [][]byte {
	h, native := newHall(2), new(hallNative)
	var out [][]byte
	for range 40 {
		batch := bytes.Clone(h.next(n))
		for _, list := range [][]byte{native.grab(batch), native.door(batch)} {
			cmds, err := abi.DecodeCommands(list, le.Uint32(batch[8:]), nil)
			if err != nil {
				panic(err)
			}
			h.apply(cmds)
		}
		out = append(out, batch)
	}
	return out[8:] // once the hall is in motion
}

// quantile returns the q-th thousandth of sorted times, by nearest rank.
func quantile(sorted []time.Duration, q int) float64 {
	return float64(sorted[(len(sorted)*q+999)/1000-1])
}

// BenchmarkLanguages runs the hall's rules in each language and, in turns with them, in native Go: as a designer writes them with the
// Go kit (x-native says how many times as long the plugins take, by the medians), and by hand for speed (x-tight). p99-us is the 99th
// percentile of a tick of both plugins, worst-us the time of the worst batch by the least of its runs, which other work on the machine
// blurs less. Each batch has just been written, as a region's has.
func BenchmarkLanguages(b *testing.B) {
	e := engine(b, false)
	for _, n := range []int{1, 300, 1000} {
		batches := hallBatches(n)
		for _, l := range languages(b) {
			b.Run(fmt.Sprintf("%s/events=%d", l.name, n), func(b *testing.B) {
				r, kit, tight := l.instances(b, e), newHallKit(), new(hallNative)
				var times [3][]time.Duration
				least := slices.Repeat([]time.Duration{time.Hour}, len(batches))
				var buf []byte
				for i := 0; b.Loop(); i++ {
					for k, run := range []func(){
						func() { r.call(b, buf) },
						func() { kit.grab(buf); kit.door(buf) },
						func() { tight.grab(buf); tight.door(buf) },
					} {
						buf = append(buf[:0], batches[i%len(batches)]...)
						begin := time.Now()
						run()
						times[k] = append(times[k], time.Since(begin))
					}
					least[i%len(batches)] = min(least[i%len(batches)], times[0][i])
				}
				for k := range times {
					slices.Sort(times[k])
				}
				plugin := quantile(times[0], 500)
				b.ReportMetric(plugin/quantile(times[1], 500), "x-native")
				b.ReportMetric(plugin/quantile(times[2], 500), "x-tight")
				b.ReportMetric(plugin/float64(n), "ns/event")
				b.ReportMetric(quantile(times[0], 990)/1000, "p99-us")
				if len(times[0]) >= len(batches) {
					b.ReportMetric(float64(slices.Max(least))/1000, "worst-us")
				}
				b.ReportMetric(0, "ns/op") // all three are in it
			})
		}
	}
}

// BenchmarkStart makes instances of plugins whose code is in the cache folder: load-ms verifies, decodes and maps the code, which
// happens once a process, instance-ms starts a guest, once a region.
func BenchmarkStart(b *testing.B) {
	modules := map[string][]byte{}
	for _, l := range languages(b) {
		modules[l.name] = l.grab
	}
	for name, plugin := range map[string]string{"c-bell": "bell", "assemblyscript-score": "score", "go-greeter": "greeter"} {
		wasm, err := plugins.Wasm(plugin)
		if err != nil {
			b.Fatal(err)
		}
		modules[name] = wasm
	}
	dir := b.TempDir()
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		wasm := modules[name]
		b.Run(name, func(b *testing.B) {
			var loads, starts []time.Duration
			for first := true; b.Loop(); first = false {
				e, err := rules.NewEngine(context.Background(), rules.Config{CacheDir: dir})
				if err != nil {
					b.Fatal(err)
				}
				begin := time.Now()
				p, err := e.Load(context.Background(), name, wasm, rules.LoadOptions{Class: abi.ClassLarge})
				if err != nil {
					b.Fatal(err)
				}
				loaded := time.Now()
				in, err := p.Instance(rules.InstanceConfig{})
				if err != nil {
					b.Fatal(err)
				}
				if !first { // which compiles
					loads, starts = append(loads, loaded.Sub(begin)), append(starts, time.Since(loaded))
				}
				in.Close()
				if err := e.Close(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(loads)
			slices.Sort(starts)
			if len(loads) > 0 {
				b.ReportMetric(quantile(loads, 500)/1e6, "load-ms")
				b.ReportMetric(quantile(starts, 500)/1e6, "instance-ms")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
