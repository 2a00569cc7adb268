package rules

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/meter"
	"github.com/venued/venued/host/rules/module"
)

func testEngine(t testing.TB, cfg Config) *Engine {
	t.Helper()
	if cfg.Log == nil { // what plugins say is up to a kilobyte a line
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	e, err := NewEngine(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

func testInstance(t testing.TB, e *Engine, wasm []byte, cfg InstanceConfig) *Instance {
	t.Helper()
	p, err := e.Load(context.Background(), "rule", wasm, LoadOptions{Class: abi.ClassLarge})
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.Instance(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := p.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return in
}

// both runs a test with compiled and with interpreted guests.
func both(t *testing.T, f func(*testing.T, *Engine)) {
	for _, interpret := range []bool{false, true} {
		t.Run(map[bool]string{false: "compiler", true: "interpreter"}[interpret], func(t *testing.T) {
			f(t, testEngine(t, Config{Interpret: interpret}))
		})
	}
}

// mapKV is state in a map, for tests.
type mapKV map[string][]byte

func (m mapKV) name(scope abi.Scope, subject uint64, key string) string {
	return fmt.Sprintf("%s/%d/%s", scope, subject, key)
}

func (m mapKV) Get(scope abi.Scope, subject uint64, key string) ([]byte, int) {
	v, ok := m[m.name(scope, subject, key)]
	if !ok {
		return nil, abi.KVMissing
	}
	return v, 0
}

func (m mapKV) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	m[m.name(scope, subject, key)] = value
	return 0
}

func (m mapKV) Del(scope abi.Scope, subject uint64, key string) int {
	delete(m, m.name(scope, subject, key))
	return 0
}

const (
	opUnreachable = 0x00
	opLoop        = 0x03
	opBr          = 0x0c
	opCall        = 0x10
	opDrop        = 0x1a
	opGrow        = 0x40
	opI32Eqz      = 0x45
	opI32Add      = 0x6a
	blockVoid     = 0x40
)

// Bodies of a venued_tick that never ends: it loops, calls itself, or calls itself twice at each of 100 levels.
var (
	loop      = []byte{opLoop, blockVoid, opBr, 0, 0x0b, opUnreachable}
	recursion = join([]byte{0x20, 0, 0x20, 1, opCall, 2, opDrop}, constI64(0))
	tree      = join([]byte{0x20, 0}, constI32(0x7fffff00), []byte{0x4f, 0x04, blockVoid}, constI64(0), []byte{0x0f, 0x0b},
		[]byte{0x20, 0}, constI32(0x7fffff00/100), []byte{opI32Add, 0x20, 1, opCall, 2, opDrop},
		[]byte{0x20, 0}, constI32(0x7fffff00/100), []byte{opI32Add, 0x20, 1, opCall, 2, opDrop}, constI64(0))
)

var oneGrant = abi.AppendCommands(nil, []abi.Command{{Kind: abi.CmdGrant, Event: 1, Subject: 1, Object: 77}})

func TestCallReturnsACopyOfTheCommands(t *testing.T) {
	both(t, func(t *testing.T, e *Engine) {
		in := testInstance(t, e, commands(oneGrant).bytes(), InstanceConfig{})
		for range 3 {
			out, err := in.Call(batch(1, 1e6), nil)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out, oneGrant) {
				t.Fatalf("% x", out)
			}
			out[0] = 'X' // it is ours: the guest does not see that
		}
	})
}

func TestNoCommands(t *testing.T) {
	in := testInstance(t, testEngine(t, Config{}), newAsm(constI64(0)...).bytes(), InstanceConfig{})
	if out, err := in.Call(batch(2, 1e6), nil); err != nil || len(out) != 0 {
		t.Fatalf("%d bytes, %v", len(out), err)
	}
}

func TestLoadRefuses(t *testing.T) {
	e := testEngine(t, Config{})
	ok := func() *asm { return newAsm(constI64(0)...) }
	with := func(change func(*asm)) []byte {
		a := ok()
		change(a)
		return a.bytes()
	}
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"empty", nil, "not a WebAssembly module"},
		{"text", []byte("(module) and more"), "not a WebAssembly module"},
		{"too large", make([]byte, abi.MaxModule+1), "the limit is"},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), "not a component"},
		{"cut short", ok().bytes()[:60], "past the end"},
		{"no manifest", with(func(a *asm) { a.manifest = "" }), "no manifest"},
		{"bad manifest", with(func(a *asm) { a.manifest = `{"nmae":"x"}` }), `did you mean "name"`},
		{"no marker", with(func(a *asm) { a.marker = "" }), `does not export "venued_abi_1"`},
		{"another contract", with(func(a *asm) { a.marker = "venued_abi_2" }), `"venued_abi_2": it was built for another version`},
		{"another contract, no manifest", with(func(a *asm) { a.marker, a.manifest = "venued_abi_9", "" }), `"venued_abi_9"`},
		{"no memory", with(func(a *asm) { a.noMemory = true }), `as "memory"`},
		{"no tick", ok().set("venued_tick", signature{}).bytes(), `does not export "venued_tick" (i32, i32) -> i64`},
		{"no alloc", ok().set("venued_alloc", signature{}).bytes(), `"venued_alloc"`},
		{"no init", ok().set("venued_init", signature{}).bytes(), `"venued_init"`},
		{"wrong type", ok().set("venued_tick", signature{i32, i32}, constI32(0)...).bytes(), "as (i32) -> i32, want (i32, i32) -> i64"},
		{"wrong _initialize", ok().set("_initialize", signature{i32, ""}, 0x01).bytes(), `"_initialize"`},
		{"a start function", with(func(a *asm) { a.start = true }), "start function"},
		{"unknown module", ok().imported("env", "abort", signature{i32, ""}).bytes(), `"abort" from "env"`},
		{"unknown function", ok().imported(abi.ImportModule, "time", signature{"", i64}).bytes(), `"time" from "venued1"`},
		{"unknown wasi", ok().imported(wasiModule, "sock_open", signature{i32, i32}).bytes(), `"sock_open"`},
		{"import of a wrong type", ok().imported(abi.ImportModule, "log", signature{i32, ""}).bytes(), "as (i32), it is (i32, i32)"},
		{"much memory", with(func(a *asm) { a.pages = abi.MaxMemory/module.PageSize + 1 }), "the limit is 16,777,216"},
		{"more than it said", with(func(a *asm) { a.manifest = strings.Replace(a.manifest, `"abi"`, `"memory_bytes":65536,"abi"`, 1) }), "its limit is 65536"},
		{"a large table", with(func(a *asm) { a.tables = [][]byte{join([]byte{0x70, 0}, leb(40_001, false))} }), "table has 40,001 entries, the limit is 40,000:"},
		{"many tables", with(func(a *asm) { a.tables = slices.Repeat([][]byte{{0x70, 0, 1}}, 2) }), "2 tables: a plugin may have one"},
		{"a table of what is not known", with(func(a *asm) { a.tables = [][]byte{{0x64, 0, 1}} }), "something else than functions (type 0x64)"},
		{"a table that grows", newAsm(join([]byte{0xd0, 0x70}, constI32(1), []byte{0xfc, 15, 0, opDrop}, constI64(0))...).bytes(), "reference types"},
		{"a name of the host's", ok().set("venued.fuel", signature{}, 0x01).bytes(), "names that begin with"},
		{"a body that does not validate", newAsm(constI32(0)...).bytes(), "does not validate"},
	} {
		p, err := e.Load(context.Background(), "rule", c.wasm, LoadOptions{})
		if err == nil {
			t.Errorf("%s: it loaded as %s", c.name, p.Digest())
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "rule rule: ") {
			t.Errorf("%s: %v, want an error of rule with %q", c.name, err, c.want)
		}
	}
	if _, err := e.Load(context.Background(), "rule", ok().bytes(), LoadOptions{Settings: map[string]any{"x": []any{}}}); err == nil || !strings.Contains(err.Error(), "x is a") {
		t.Errorf("a bad setting: %v", err)
	}
}

func TestFailedCalls(t *testing.T) {
	both(t, func(t *testing.T, e *Engine) {
		grow := join([]byte{opLoop, blockVoid}, constI32(16), []byte{opGrow, 0, opDrop, opBr, 0, 0x0b}, constI64(0))
		growThenTrap := join(constI32(300), []byte{opGrow, 0, opDrop, opUnreachable})
		abort := newAsm(join(constI32(dataAt), constI32(5), []byte{opCall, 0, opUnreachable})...).
			imported(abi.ImportModule, "abort", signature{i32 + i32, ""})
		abort.data = []byte("no\nno")
		exit := newAsm(join(constI32(3), []byte{opCall, 0, opUnreachable})...).imported(wasiModule, "proc_exit", signature{i32, ""})
		narrow := commands(oneGrant)
		narrow.manifest = strings.Replace(narrow.manifest, `"grant",`, "", 1)
		badLog := newAsm(join(constI32(-1), constI32(5), []byte{opCall, 0}, constI64(0))...).
			imported(abi.ImportModule, "log", signature{i32 + i32, ""})
		for _, c := range []struct {
			name string
			a    *asm
			kind abi.FaultKind
			want string
		}{
			{"trap", newAsm(opUnreachable), abi.FaultTrap, "unreachable"},
			{"loop", newAsm(loop...), abi.FaultFuel, "it used more than 5 million units of fuel in one call"},
			{"recursion", newAsm(recursion...), abi.FaultDepth, "nested deeper than 512"},
			{"recursion as a tree", newAsm(tree...), abi.FaultFuel, "units of fuel"},
			{"growing for ever", newAsm(grow...), abi.FaultFuel, "units of fuel"},
			{"growing, then a trap", newAsm(growThenTrap...), abi.FaultMemory, "the limit is 16777216; then: unreachable"},
			{"abort", abort, abi.FaultAbort, `no\nno`},
			{"exit", exit, abi.FaultAbort, "exited with 3"},
			{"log outside of memory", badLog, abi.FaultTrap, "log: a pointer outside"},
			{"commands outside of memory", newAsm(returns(0xfffffff0, 64)...), abi.FaultOutput, "do not lie in memory"},
			{"commands longer than memory", newAsm(returns(8*module.PageSize-8, 64)...), abi.FaultOutput, "do not lie in memory"},
			{"many commands", newAsm(returns(dataAt, abi.MaxOutput+1)...), abi.FaultOutput, "the limit is 65536"},
			{"no magic", commands(putU32(oneGrant, 0, 7)), abi.FaultOutput, "magic"},
			{"unknown kind", commands(putU32(oneGrant, 16, 99)), abi.FaultOutput, "kind 99 is unknown"},
			{"an event that is not there", commands(putU32(oneGrant, 20, 9)), abi.FaultOutput, "event 9 of a batch of 1"},
			{"not in its manifest", narrow, abi.FaultOutput, "grant is not in its manifest's commands"},
		} {
			t.Run(c.name, func(t *testing.T) {
				in := testInstance(t, e, c.a.bytes(), InstanceConfig{CallTime: time.Second})
				// The instance made anew fails in the same way.
				for tick := range uint64(2) {
					out, err := in.Call(batch(1, (tick+1)*1e6), mapKV{})
					var fault *abi.Fault
					if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(fault.Message, c.want) || fault.Plugin != "rule" {
						t.Fatalf("%v, want a fault of kind %s with %q", err, c.kind, c.want)
					}
					if out != nil || in.mod != nil {
						t.Fatalf("commands or instance are kept after %v", err)
					}
				}
			})
		}
	})
}

func TestFailingToStart(t *testing.T) {
	e := testEngine(t, Config{})
	base := func() *asm { return newAsm(constI64(0)...) }
	for _, c := range []struct {
		name string
		a    *asm
		want string
	}{
		{"refuses", base().set("venued_init", signature{i32 + i32, i32}, constI32(-3)...), "refused its settings with -3"},
		{"traps", base().set("venued_init", signature{i32 + i32, i32}, opUnreachable), "venued_init: trap: unreachable"},
		{"traps before", base().set("_initialize", signature{}, opUnreachable), "_initialize: trap"},
		{"no buffer", base().set("venued_alloc", signature{i32, i32}, constI32(0)...), "returned 0x0"},
		{"a buffer past the end", base().set("venued_alloc", signature{i32, i32}, constI32(7*module.PageSize)...), "inside of memory"},
		{"loops", base().set("venued_init", signature{i32 + i32, i32}, loop...), "venued_init: fuel: it used more than 100 million"},
	} {
		p, err := e.Load(context.Background(), "rule", c.a.bytes(), LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Instance(InstanceConfig{})
		var fault *abi.Fault
		if !errors.As(err, &fault) || fault.Kind != abi.FaultInit || !strings.Contains(fault.Message, c.want) {
			t.Errorf("%s: %v, want an init fault with %q", c.name, err, c.want)
		}
	}
}

// What a guest got over is not the reason of a later fault.
func TestReasonsAreOfTheirCall(t *testing.T) {
	// It traps when the seed is odd; else it asks for too much memory and says that it panics.
	tick := join([]byte{0x20, 0, 0x28, 2, 40}, constI32(1), []byte{0x71, 0x04, blockVoid, opUnreachable, 0x0b},
		constI32(1000), []byte{opGrow, 0, opDrop},
		constI32(2), constI32(600), constI32(1), constI32(700), []byte{opCall, 0, opDrop}, constI64(0))
	a := newAsm(tick...).imported(wasiModule, "fd_write", signature{i32 + i32 + i32 + i32, i32})
	a.data = []byte("panic: not really\n")
	in := testInstance(t, testEngine(t, Config{}), a.bytes(), InstanceConfig{})
	in.mod.Memory().Write(600, []byte{dataAt, 0, 0, 0, byte(len(a.data)), 0, 0, 0})
	seeded := func(seed uint64) []byte {
		b := batch(1, 1e6)
		binary.LittleEndian.PutUint64(b[40:], seed)
		return b
	}
	if _, err := in.Call(seeded(2), nil); err != nil {
		t.Fatal(err)
	}
	if in.lastWords != "panic: not really" || in.memory.refused == 0 {
		t.Fatalf("last words %q, refused %d: the guest did not do its part", in.lastWords, in.memory.refused)
	}
	_, err := in.Call(seeded(1), nil)
	if fault := err.(*abi.Fault); fault.Kind != abi.FaultTrap || fault.Message != "unreachable" {
		t.Errorf("%v, want a trap with the reason unreachable", err)
	}
}

// Whatever a table's maximum is, it ends at the cap: a table's entries are outside of the memory's limit.
func TestTablesAreCapped(t *testing.T) {
	for _, c := range []struct {
		table []byte
		most  uint32
	}{
		{[]byte{0x70, 0, 2}, meter.DefaultTableEntries},
		{join([]byte{0x70, 1, 2}, leb(math.MaxUint32, false)), meter.DefaultTableEntries},
		{[]byte{0x70, 1, 2, 7}, 7},
	} {
		a := newAsm(constI64(0)...)
		a.tables = [][]byte{c.table}
		s, found := scan(a.bytes())
		if len(found) > 0 {
			t.Fatal(found)
		}
		sections, err := abi.Sections(s.code)
		if err != nil {
			t.Fatal(err)
		}
		want := join([]byte{1, 0x70, 1, 2}, leb(int64(c.most), false))
		for _, s := range sections {
			if s.ID == module.SectionTable && !bytes.Equal(s.Body, want) {
				t.Errorf("table % x became % x, want % x", c.table, s.Body, want)
			}
		}
	}
}

// A guest that fails calls but starts well is there again at each call; one that
// does not start is tried after 1, 2, 4 ... calls.
func TestBackoffCountsOnlyFailedStarts(t *testing.T) {
	e := testEngine(t, Config{})
	in := testInstance(t, e, newAsm(opUnreachable).bytes(), InstanceConfig{})
	for range 5 {
		if _, err := in.Call(batch(1, 1e6), nil); err.(*abi.Fault).Kind != abi.FaultTrap {
			t.Fatal(err)
		}
	}
	bad, err := e.Load(context.Background(), "rule", newAsm(constI64(0)...).set("venued_init", signature{i32 + i32, i32}, constI32(1)...).bytes(), LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in.plugin = bad // from here on it does not start
	var tries []int
	for i := range 150 {
		if _, err := in.Call(batch(1, 1e6), nil); !strings.Contains(err.Error(), "waiting") {
			tries = append(tries, i)
		}
	}
	if got := fmt.Sprint(tries); got != "[0 1 3 7 15 31 63 127]" {
		t.Errorf("started at calls %s", got)
	}
}

func TestLogIsEscapedAndHeldToItsBudget(t *testing.T) {
	var buf bytes.Buffer
	e := testEngine(t, Config{Log: slog.New(slog.NewTextHandler(&buf, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))})
	a := newAsm(join(constI32(dataAt), constI32(100), []byte{opCall, 0}, constI64(0))...).
		imported(abi.ImportModule, "log", signature{i32 + i32, ""})
	a.data = append([]byte("a\nlevel=ERROR msg=forged \x1b[31m\xff"), bytes.Repeat([]byte{'x'}, 100)...)
	in := testInstance(t, e, a.bytes(), InstanceConfig{Region: 3})
	call := func(us uint64) {
		if _, err := in.Call(batch(1, us), nil); err != nil {
			t.Fatal(err)
		}
	}
	for range 50 {
		call(5e6)
	}
	call(6e6)
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != abi.MaxLogBytes/100+1 {
		t.Errorf("%d lines of 100 bytes, want %d", len(lines), abi.MaxLogBytes/100+1)
	}
	for _, l := range lines {
		if !strings.HasPrefix(l, "level=INFO") || !strings.Contains(l, "rule=rule region=3 version=") || !strings.Contains(l, " digest="+in.Digest()[:12]) || strings.ContainsAny(l, "\x1b\xff") {
			t.Errorf("line %q", l)
		}
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, "dropped_before=40") {
		t.Errorf("the last line does not say what was dropped: %s", last)
	}
}

func TestLogBudgetRefillsWithServerTime(t *testing.T) {
	var l logBudget
	total := 0
	for us := uint64(0); us < 10_000_000; us += 33_333 {
		for range 3 {
			if ok, _ := l.take(100, us); ok {
				total += 100
			}
		}
	}
	if most := 11 * abi.MaxLogBytes; total > most || total < most*8/10 {
		t.Errorf("%d bytes passed in 10 s, want nearly %d", total, most)
	}
}

func TestCompilationCacheOnDisk(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		e := testEngine(t, Config{CacheDir: dir})
		in := testInstance(t, e, commands(oneGrant).bytes(), InstanceConfig{})
		if out, err := in.Call(batch(1, 1), nil); err != nil || !bytes.Equal(out, oneGrant) {
			t.Fatal(out, err)
		}
	}
	if _, err := NewEngine(context.Background(), Config{CacheDir: "/dev/null/x"}); err == nil || !strings.Contains(err.Error(), "/dev/null/x") {
		t.Errorf("a cache folder that cannot be: %v", err)
	}
}

func TestRulesShareAModule(t *testing.T) {
	e := testEngine(t, Config{})
	wasm := commands(oneGrant).bytes()
	a, err := e.Load(context.Background(), "a", wasm, LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Load(context.Background(), "b", wasm, LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if a.module != b.module || a.Digest() != b.Digest() || len(a.Digest()) != 64 {
		t.Error("two rules with one module compiled it twice")
	}
	for range 2 { // closing twice is closing once
		if err := a.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	in, err := b.Instance(InstanceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := in.Call(batch(1, 1), nil); err != nil {
		t.Error(err)
	}
	in.Close()
	if err := b.Close(context.Background()); err != nil || len(e.modules) != 0 {
		t.Errorf("%v, %d modules left", err, len(e.modules))
	}
}

func FuzzScan(f *testing.F) {
	f.Add(newAsm(constI64(0)...).bytes())
	f.Add(commands(oneGrant).imported(abi.ImportModule, "log", signature{i32 + i32, ""}).bytes())
	f.Add([]byte(abi.ModuleHeader + "\x01\x05\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		s, found := scan(wasm)
		if len(found) == 0 && (s.manifest == nil || s.memoryLimit == 0 || s.memoryLimit > abi.MaxMemory || s.class == "" || len(s.code) == 0) {
			t.Fatalf("it passed as %+v", s)
		}
	})
}
