package rules

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/compile"
)

// bomb is a module that is made to hurt its host, and what must become of it.
type bomb struct {
	name  string
	make  func() []byte
	code  Code   // of the first problem; "": it is harmless, in the end
	words string // in its message
}

// Instructions and bodies of bombs.
var (
	lie     = []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	forever = func(body ...[]byte) []byte {
		return join([]byte{opLoop, blockVoid}, join(body...), []byte{opBr, 0, 0x0b, opUnreachable})
	}
	drop    = []byte{opDrop}
	million = constI32(1 << 20)
	zero    = constI32(0)
)

func times(n int, b ...byte) []byte { return bytes.Repeat(b, n) }

// tick is a plugin with that body of venued_tick.
func tick(body ...[]byte) func() []byte {
	return func() []byte { return newAsm(join(body...)...).bytes() }
}

// section is a plugin with another content of a section.
func section(id byte, content ...[]byte) func() []byte {
	return func() []byte {
		a := newAsm(constI64(0)...)
		a.raw = map[byte][]byte{id: join(content...)}
		return a.bytes()
	}
}

// declared is a plugin whose venued_tick has locals: count of them, then code.
func declared(locals int64, code ...[]byte) func() []byte {
	return func() []byte {
		a := newAsm()
		a.funcs[2].declared = true
		a.funcs[2].body = join([]byte{1}, leb(locals, false), []byte(i32), join(code...), constI64(0))
		return a.bytes()
	}
}

// host is a plugin that calls a function of the host for ever with these arguments.
func host(from, name string, args ...[]byte) func() []byte {
	return func() []byte {
		f := hostModules[from][name]
		call := join(join(args...), []byte{opCall, 0})
		if f.Results != "" {
			call = append(call, opDrop)
		}
		return newAsm(forever(call)...).imported(from, name, f.signature).bytes()
	}
}

// started is a plugin with another function before the first batch.
func started(name string, s signature, body ...[]byte) func() []byte {
	return func() []byte { return newAsm(constI64(0)...).set(name, s, join(body...)...).bytes() }
}

// branchy is code that is dear to compile: n small branches over many locals.
func branchy(n, locals int) []byte {
	var out []byte
	for i := range n {
		from, to := leb(int64(2+i%locals), false), leb(int64(2+(i*7+3)%locals), false)
		out = append(out, join([]byte{0x02, blockVoid, 0x20}, from, []byte{0x0d, 0, 0x20}, to, []byte{0x20}, from, []byte{opI32Add, 0x21}, to, []byte{0x0b})...)
	}
	return out
}

// table is a plugin whose table has its functions in it, with that venued_tick; type 2 is its signature.
func table(body ...[]byte) func() []byte {
	return func() []byte {
		a := newAsm(join(body...)...)
		a.tables = [][]byte{{0x70, 0, 3}}
		a.raw = map[byte][]byte{9: join([]byte{1, 0}, zero, []byte{0x0b, 3, 0, 1, 2})}
		return a.bytes()
	}
}

func manifest(text string) func() []byte {
	return func() []byte {
		a := newAsm(constI64(0)...)
		a.manifest = text
		return a.bytes()
	}
}

var bombs = []bomb{
	// Seen to hurt: counts that lie, quantities, what compilers are slow at, what runs for ever, what grows.
	{"types that are not there", section(1, lie), CodeMalformed, "4,294,967,295 types"},
	{"functions that are not there", section(3, lie), CodeMalformed, "functions, but only"},
	{"data that is not there", section(11, []byte{1, 1}, lie), CodeLimit, "bytes of data"},
	{"targets that are not there", tick(zero, []byte{0x0e}, lie), CodeMalformed, "targets of a br_table"},
	{"50,000 locals", declared(50_000), CodeLimit, `"venued_tick") has 50,002 locals, the limit is 1,000`},
	{"4 billion locals", func() []byte {
		a := newAsm()
		a.funcs[2].declared, a.funcs[2].body = true, join([]byte{1}, lie, []byte(i32), constI64(0))
		return a.bytes()
	}, CodeLimit, "locals"},
	{"nested blocks", tick(times(50_000, 0x02, blockVoid), times(50_000, 0x0b), constI64(0)), CodeLimit, "nests blocks"},
	{"nested loops", tick(times(50_000, 0x03, blockVoid), times(50_000, 0x0b), constI64(0)), CodeLimit, "nests blocks"},
	{"a megabyte of branch tables", tick(bytes.Repeat(join([]byte{0x02, blockVoid}, zero, []byte{0x0e}, leb(4000, false), times(4001, 0), []byte{0x0b}), 60), constI64(0)), CodeClass, "br_table"},
	{"8 MB of functions", func() []byte {
		a := newAsm(constI64(0)...)
		a.bodies = 1_300_000
		return a.bytes()
	}, CodeLimit, "functions, the limit is"},
	{"8 MB of data", func() []byte {
		a := newAsm(constI64(0)...)
		a.pages, a.data = 200, make([]byte, 7<<20)
		return a.bytes()
	}, CodeClass, "7,340,032 bytes of data"},
	{"a table of billions", func() []byte {
		a := newAsm(constI64(0)...)
		a.tables = [][]byte{join([]byte{0x70, 0}, lie)}
		return a.bytes()
	}, CodeLimit, "table has 4,294,967,295 entries"},
	{"a table that grows", tick([]byte{0xd0, 0x70}, million, []byte{0xfc, 15, 0, opDrop}, constI64(0)), CodeFeature, "reference types"},
	{"a memory of gigabytes", section(5, []byte{1, 0}, leb(65_536, false)), CodeLimit, "wants 4,294,967,296 bytes of memory"},
	{"a maximum of gigabytes", section(5, []byte{1, 1, 8}, leb(65_536, false)), "", ""},
	{"code that compiles for long", declared(200, branchy(8_000, 200)), CodeTime, `compiling function 2 ("venued_tick") of the module took more than 1s`},
	{"a start function", func() []byte { a := newAsm(constI64(0)...); a.start = true; return a.bytes() }, CodeFeature, "start function"},
	{"a loop", tick(loop), CodeCall, "fuel: it used more than 5 million"},
	{"recursion", tick(recursion), CodeCall, "depth: its calls nested deeper than 512"},
	{"a tree of 2^31 calls", tick(tree), CodeCall, "fuel: "},
	{"a loop at the start", started("_initialize", signature{}, loop), CodeStart, "_initialize: fuel: it used more than 100 million"},
	{"growing for ever", tick(forever(constI32(16), []byte{opGrow, 0, opDrop})), CodeCall, "fuel: "},
	{"growing at the start, then a trap", started("venued_init", signature{i32 + i32, i32}, constI32(10_000), []byte{opGrow, 0, opDrop, opUnreachable}), CodeStart, "memory: asked for"},

	// Kinds of our own.
	{"filling memory for ever", tick(forever(zero, zero, constI32(8<<16), []byte{0xfc, 11, 0})), CodeCall, "fuel: "},
	{"copying memory for ever", tick(forever(zero, constI32(1), constI32(8<<16-1), []byte{0xfc, 10, 0, 0})), CodeCall, "fuel: "},
	{"growing page by page", tick(constI32(1), []byte{opGrow, 0, opDrop}, constI64(0)), "", ""},
	{"recursion through the table", table([]byte{0x20, 0, 0x20, 1}, constI32(2), []byte{0x11, 2, 0, opDrop}, constI64(0)), CodeCall, "depth: "},
	{"recursion with a large frame", declared(900, branchy(40, 900), []byte{0x20, 0, 0x20, 1, opCall, 2, opDrop}), CodeCall, "depth: "},
	{"a call of what is no function", table([]byte{0x20, 0, 0x20, 1}, constI32(1<<30), []byte{0x11, 1, 0, opDrop}, constI64(0)), CodeCall, "trap: "},
	{"a call of another type", table([]byte{0x20, 0, 0x20, 1}, zero, []byte{0x11, 1, 0, opDrop}, constI64(0)), CodeCall, "trap: "},
	{"roots for ever", tick(forever([]byte{0x44}, times(8, 0x40), times(400, 0x9f), drop)), CodeCall, "fuel: "},
	{"divisions for ever", tick(forever(constI64(-1), bytes.Repeat(join(constI64(3), []byte{0x7f}), 400), drop)), CodeCall, "fuel: "},
	{"a division by zero", tick(constI64(1), constI64(0), []byte{0x7f}), CodeCall, "trap: integer divide by zero"},
	{"a number out of range", tick([]byte{0x44}, times(7, 0xff), []byte{0x7f, 0xb0}), CodeCall, "trap: "},
	{"reading outside of memory", tick(constI32(-8), []byte{0x29, 3, 0}), CodeCall, "trap: out of bounds"},
	{"an address that wraps", tick(constI32(-1), []byte{0x29, 3}, lie), CodeCall, "trap: out of bounds"},
	{"a branch table in a loop", tick(forever([]byte{0x02, blockVoid}, zero, []byte{0x0e}, leb(4000, false), times(4001, 0), []byte{0x0b})), CodeCall, "fuel: "},
	{"a flood of log lines", host(abi.ImportModule, "log", zero, constI32(256)), CodeCall, "fuel: "},
	{"a log line of gigabytes", host(abi.ImportModule, "log", zero, constI32(-1)), CodeCall, "fuel: "},
	{"a message of gigabytes", host(abi.ImportModule, "abort", zero, constI32(-1)), CodeCall, "abort: "},
	{"a flood of keys", func() []byte {
		// It counts a key up and puts 16 KB under it.
		put := join(zero, zero, []byte{0x28, 2, 0}, constI32(1), []byte{opI32Add, 0x36, 2, 0}, constI32(int32(abi.ScopeRegion)), constI64(0), zero, constI32(4), constI32(64), constI32(abi.MaxValue), []byte{opCall, 0, opDrop})
		return newAsm(forever(put)...).imported(abi.ImportModule, "kv_put", hostModules[abi.ImportModule]["kv_put"].signature).bytes()
	}, CodeCall, "fuel: "},
	{"reading a key for ever", host(abi.ImportModule, "kv_get", constI32(int32(abi.ScopeRegion)), constI64(0), zero, constI32(128), zero, constI32(1<<19)), CodeCall, "fuel: "},
	{"sleeping for ever", host(wasiModule, "poll_oneoff", zero, constI32(4096), constI32(1), constI32(8192)), CodeCall, "fuel: "},
	{"randomness for ever", host(wasiModule, "random_get", zero, constI32(1<<16)), CodeCall, "fuel: "},
	{"printing for ever", host(wasiModule, "fd_write", constI32(1), zero, constI32(64), constI32(8192)), CodeCall, "fuel: "},
	{"leaving the process", host(wasiModule, "proc_exit", constI32(0)), CodeCall, "abort: exited with 0"},
	{"gigabytes of commands", tick(returns(0, 0xffffffff)), CodeCall, "output: 4294967295 bytes of commands"},
	{"commands at the end of memory", tick(returns(8<<16-8, 1024)), CodeCall, "output: "},
	{"commands that lie of their number", func() []byte { return commands(putU32(oneGrant, 8, 0xffffffff)).bytes() }, CodeCall, "output: "},
	{"commands of no size", func() []byte { return commands(putU32(oneGrant, 4, 0)).bytes() }, CodeCall, "output: "},
	{"data of a command outside", func() []byte { return commands(putU32(putU32(oneGrant, 16+44, 0xfffffff0), 16+48, 0x20)).bytes() }, CodeCall, "output: "},
	{"a buffer at the end of memory", started("venued_alloc", signature{i32, i32}, constI32(8<<16-16)), CodeStart, "want a buffer inside of memory"},
	{"operands without end", tick(bytes.Repeat(zero, 60_000), times(60_000, opDrop), constI64(0)), CodeLimit, "operand stack"},
	{"ifs in ifs", tick(times(30_000, 0x41, 0, 0x04, blockVoid), times(30_000, 0x0b), constI64(0)), CodeLimit, "nests blocks"},
	{"code that nothing reaches", tick([]byte{opUnreachable}, times(200_000, 0x01), constI64(0)), CodeCall, "trap: unreachable"},
	{"many functions", func() []byte { a := newAsm(constI64(0)...); a.bodies = 1_900; return a.bytes() }, "", ""},
	{"the same import often", func() []byte {
		a := newAsm(constI64(0)...)
		for range 65 {
			a.imported(abi.ImportModule, "log", hostModules[abi.ImportModule]["log"].signature)
		}
		return a.bytes()
	}, CodeLimit, "imports, the limit is 64"},
	{"megabytes of names", func() []byte {
		a := newAsm(constI64(0)...)
		a.customs = []abi.Section{{Name: "name", Body: make([]byte, 3<<20)}}
		return a.bytes()
	}, CodeLimit, "bytes of custom sections"},
	{"names that lie", func() []byte {
		a := newAsm(times(70_000, 0x02, blockVoid)...)
		a.customs = []abi.Section{{Name: "name", Body: join([]byte{1}, lie, lie, lie)}}
		return a.bytes()
	}, CodeLimit, `function 2 ("venued_tick")`},
	{"a manifest without end", manifest(strings.Repeat(`{"name":`, 1_000_000)), CodeLimit, "bytes of custom sections"},
	{"a nested manifest", manifest(`{"name":` + strings.Repeat("[", 60_000)), CodeManifest, "manifest: "},
	{"two manifests", func() []byte {
		a := newAsm(constI64(0)...)
		a.customs = []abi.Section{{Name: abi.ManifestSection, Body: []byte(a.manifest)}}
		return a.bytes()
	}, CodeManifest, "two custom sections"},
	{"256 sections", func() []byte {
		a := newAsm(constI64(0)...)
		a.customs = make([]abi.Section, 300)
		return a.bytes()
	}, CodeMalformed, "more than 256 sections"},
	{"the fuel as a global", tick(constI64(1<<62), []byte{0x24, 0}, constI64(0)), CodeMalformed, "global.set names global 0, there are 0"},
	{"the fuel as an export", started("venued.fuel", signature{}, []byte{0x01}), CodeReserved, "names that begin with"},
	{"no wasm at all", func() []byte { return bytes.Repeat([]byte("bomb"), 2<<20) }, CodeMalformed, "not a WebAssembly module"},
}

// neighbour is a region's rule that goes on while bombs go off: its ticks are counted, and must all be good.
type neighbour struct {
	in    *Instance
	tick  uint64
	heap  []metrics.Sample
	most  uint64 // bytes of heap
	wrong error
}

func newNeighbour(t testing.TB, e *Engine) *neighbour {
	return &neighbour{
		in:   testInstance(t, e, commands(oneGrant).bytes(), InstanceConfig{CallTime: time.Hour}),
		heap: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}},
	}
}

func (n *neighbour) step() {
	n.tick++
	out, err := n.in.Call(batch(1, n.tick*33_333), nil)
	if err == nil && !bytes.Equal(out, oneGrant) {
		err = errors.New("other commands")
	}
	n.wrong = errors.Join(n.wrong, err)
	if n.tick%64 == 0 {
		metrics.Read(n.heap)
		n.most = max(n.most, n.heap[0].Value.Uint64())
	}
	runtime.Gosched()
}

// while runs f and steps the neighbour meanwhile. It returns the ticks that it made.
func (n *neighbour) while(f func()) uint64 {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	before := n.tick
	for {
		select {
		case <-done:
			return n.tick - before
		default:
			n.step()
		}
	}
}

// Each bomb is refused or stopped, in the words that its author is told, while another region's rule goes on.
func TestBombs(t *testing.T) {
	const spare = 192 << 20 // what a bomb may cost the host: copies of files of 8 MB, a guest's memory of 16 MB, garbage of both
	e := childEngine(t, Config{CompileLimits: compile.Limits{CPU: time.Second}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	n := newNeighbour(t, e)
	seen := map[string]bool{}
	for _, c := range bombs {
		if seen[c.name] {
			t.Fatalf("two bombs are called %q", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			wasm := c.make()
			debug.FreeOSMemory()
			metrics.Read(n.heap)
			before := n.heap[0].Value.Uint64()
			n.most = before
			var r *Report
			ticks := n.while(func() {
				var err error
				if r, err = e.Inspect(context.Background(), wasm, InspectOptions{}); err != nil {
					t.Error(err)
				}
			})
			if r == nil {
				return
			}
			switch {
			case c.code == "" && !r.OK:
				t.Errorf("it is refused: %s", r.Problems.All())
			case c.code != "" && (r.OK || r.Problems[0].Code != c.code || !strings.Contains(r.Problems[0].Message, c.words)):
				t.Errorf("ok %v: %v\nwant code %s and %q", r.OK, r.Problems, c.code, c.words)
			}
			if n.wrong != nil {
				t.Fatalf("the neighbour: %v", n.wrong)
			}
			if compiled := c.code == CodeTime || c.code == CodeCall || c.code == CodeStart; compiled && ticks < 100 {
				t.Errorf("the neighbour made %d ticks while it was compiled and ran", ticks)
			}
			if n.most-before > spare {
				t.Errorf("the heap grew by %d MB", (n.most-before)>>20)
			}
			for range 100 {
				n.step()
			}
		})
	}
	if n.wrong != nil {
		t.Error(n.wrong)
	}
	if len(e.modules) != 1 {
		t.Errorf("%d modules are kept", len(e.modules))
	}
	t.Logf("%d bombs, the neighbour made %d ticks", len(bombs), n.tick)
}
