package rules

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/sys"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
)

// guest is an instance whose memory a test fills to call host functions as a guest would.
type guest struct {
	*Instance
	mem api.Memory
}

func testGuest(t testing.TB) *guest {
	in := testInstance(t, testEngine(t, Config{Interpret: true}), newAsm(constI64(0)...).bytes(), InstanceConfig{})
	in.timeUS, in.clockNS, in.seed = 7_000_000, 7_000_000_000, 42
	return &guest{in, in.mod.Memory()}
}

// call runs a host function and returns its result as the guest sees it.
func (g *guest) call(module, name string, args ...uint64) int32 {
	stack := append(slices.Clone(args), make([]uint64, max(0, 1-len(args)))...)
	for i, typ := range []byte(hostModules[module][name].Params) {
		if typ == i32[0] {
			stack[i] |= 0xdeadbeef << 32 // what the upper half of an i32 may hold
		}
	}
	hostModules[module][name].run(g.Instance, g.mem, stack)
	return int32(uint32(stack[0]))
}

func (g *guest) write(t testing.TB, at uint32, b []byte) {
	if !g.mem.Write(at, b) {
		t.Fatalf("address %d", at)
	}
}

func (g *guest) read(at, n uint32) []byte {
	b, _ := g.mem.Read(at, n)
	return slices.Clone(b)
}

const end = 8 * module.PageSize // of the guest's memory

func TestKVCalls(t *testing.T) {
	g, kv := testGuest(t), mapKV{}
	const kvModule = abi.ImportModule
	g.write(t, 100, []byte("key"))
	g.write(t, 200, []byte("value"))
	object := uint64(abi.ScopeObject)

	if got := g.call(kvModule, "kv_put", object, 1<<40, 100, 3, 200, 5); got != abi.KVScope {
		t.Errorf("put before there is state: %d", got)
	}
	g.kv = kv
	for _, c := range []struct {
		name string
		args []uint64
		want int32
	}{
		{"kv_get", []uint64{object, 1 << 40, 100, 3, 300, 9}, abi.KVMissing},
		{"kv_put", []uint64{object, 1 << 40, 100, 3, 200, 5}, 0},
		{"kv_get", []uint64{object, 1 << 40, 100, 3, 300, 5}, 5},
		{"kv_get", []uint64{object, 1 << 40, 100, 3, 400, 4}, 5}, // no room: only the length
		{"kv_get", []uint64{object, 1 << 40, 100, 3, end - 2, 5}, abi.KVMemory},
		{"kv_get", []uint64{0, 1, 100, 3, 300, 9}, abi.KVScope},
		{"kv_get", []uint64{6, 1, 100, 3, 300, 9}, abi.KVScope},
		{"kv_get", []uint64{object, 1, end - 1, 3, 300, 9}, abi.KVMemory},
		{"kv_get", []uint64{object, 1, 100, abi.MaxKey + 1, 300, 9}, abi.KVTooLarge},
		{"kv_put", []uint64{object, 1, 100, 3, 200, abi.MaxValue + 1}, abi.KVTooLarge},
		{"kv_put", []uint64{object, 1, 100, 3, end - 1, 2}, abi.KVMemory},
		{"kv_put", []uint64{object, 1, 100, 3, 0xffffffff, 2}, abi.KVMemory},
		{"kv_del", []uint64{object, 2, 100, 3}, 0},
	} {
		if got := g.call(kvModule, c.name, c.args...); got != c.want {
			t.Errorf("%s%v = %d, want %d", c.name, c.args, got, c.want)
		}
	}
	if got := g.read(300, 6); string(got) != "value\x00" {
		t.Errorf("read %q", got)
	}
	if got := g.read(400, 4); !bytes.Equal(got, make([]byte, 4)) {
		t.Errorf("without room it wrote %q", got)
	}
	g.write(t, 200, []byte("other")) // the state must not alias the guest's memory
	if !maps.EqualFunc(kv, mapKV{"object/1099511627776/key": []byte("value")}, bytes.Equal) {
		t.Errorf("state %q", kv)
	}
	if got := g.call(kvModule, "kv_del", object, 1<<40, 100, 3); got != 0 || len(kv) != 0 {
		t.Errorf("del = %d, state %q", got, kv)
	}
}

func TestInternedKeysAreBounded(t *testing.T) {
	g := testGuest(t)
	for i := range 3 * maxKeys {
		k := binary.LittleEndian.AppendUint32(nil, uint32(i))
		if s := g.intern(k); s != string(k) {
			t.Fatalf("%q became %q", k, s)
		}
		if len(g.keys) > maxKeys {
			t.Fatalf("%d keys are remembered", len(g.keys))
		}
	}
}

func TestWASIClockStandsAndSleeps(t *testing.T) {
	g := testGuest(t)
	now := func() uint64 {
		if got := g.call(wasiModule, "clock_time_get", 1, 0, 64); got != errnoSuccess {
			t.Fatal(got)
		}
		return binary.LittleEndian.Uint64(g.read(64, 8))
	}
	if a, b := now(), now(); a != 7_000_000_000 || b != a {
		t.Errorf("the clock shows %d, then %d", a, b)
	}
	sub := func(user, tag, timeout uint64, flags byte) []byte {
		s := make([]byte, 48)
		binary.LittleEndian.PutUint64(s, user)
		s[8] = byte(tag)
		binary.LittleEndian.PutUint64(s[24:], timeout)
		s[40] = flags
		return s
	}
	g.write(t, 1000, join(sub(11, 0, 5_000_000, 0), sub(12, 0, 7_001_000_000, 1), sub(13, 1, 0, 0)))
	if got := g.call(wasiModule, "poll_oneoff", 1000, 2000, 3, 3000); got != errnoSuccess {
		t.Fatal(got)
	}
	if got := now(); got != 7_001_000_000 {
		t.Errorf("after the sleep the clock shows %d", got)
	}
	if n := binary.LittleEndian.Uint32(g.read(3000, 4)); n != 3 {
		t.Errorf("%d events", n)
	}
	for i, want := range [][3]byte{{11, 0, 0}, {12, 0, 0}, {13, errnoBadF, 1}} {
		if e := g.read(2000+uint32(i)*32, 32); [3]byte{e[0], e[8], e[10]} != want {
			t.Errorf("event %d: % x", i, e)
		}
	}
	g.write(t, 1000, sub(1, 0, 1, 1)) // a time that is past
	if g.call(wasiModule, "poll_oneoff", 1000, 2000, 1, 3000); now() != 7_001_000_000 {
		t.Error("the clock went back")
	}
	g.write(t, 1000, sub(1, 0, 1<<64-1, 0)) // for ever
	if g.call(wasiModule, "poll_oneoff", 1000, 2000, 1, 3000); now() <= 7_001_000_000 {
		t.Error("the clock wrapped")
	}
	for _, args := range [][]uint64{{1000, 2000, 0, 3000}, {1000, 2000, maxSubscriptions + 1, 3000}, {end - 1, 2000, 1, 3000}, {1000, end - 1, 1, 3000}, {1000, 2000, 1, end}} {
		if g.call(wasiModule, "poll_oneoff", args...) == errnoSuccess {
			t.Errorf("poll_oneoff%v succeeded", args)
		}
	}
}

func TestWASIRandomIsTheSeeds(t *testing.T) {
	draw := func(seed uint64) []byte {
		g := testGuest(t)
		g.seed = seed
		if got := g.call(wasiModule, "random_get", 100, 40); got != errnoSuccess {
			t.Fatal(got)
		}
		return g.read(100, 40)
	}
	if a, b, c := draw(1), draw(1), draw(2); !bytes.Equal(a, b) || bytes.Equal(a, c) || bytes.Equal(a, make([]byte, 40)) {
		t.Errorf("% x\n% x\n% x", a, b, c)
	}
}

func TestWASIRandomIsBounded(t *testing.T) {
	g := testGuest(t)
	if got := g.call(wasiModule, "random_get", 0, maxRandom+1); got != errnoInval {
		t.Errorf("%d, want %d", got, errnoInval)
	}
}

func TestWASIOutputBecomesLogLines(t *testing.T) {
	g := testGuest(t)
	g.write(t, 500, []byte("panic: oh\nno"))
	vec := func(at, n uint32) []byte {
		return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, at), n)
	}
	g.write(t, 600, join(vec(500, 7), vec(507, 5)))
	if got := g.call(wasiModule, "fd_write", 2, 600, 2, 700); got != errnoSuccess {
		t.Fatal(got)
	}
	if n := binary.LittleEndian.Uint32(g.read(700, 4)); n != 12 {
		t.Errorf("%d bytes written", n)
	}
	// Sixty-four times all of memory in one call would keep the host busy for seconds.
	g.write(t, 1000, slices.Repeat(vec(0, end), maxIovecs))
	if got := g.call(wasiModule, "fd_write", 1, 1000, maxIovecs, 704); got != errnoSuccess {
		t.Fatal(got)
	}
	if n := binary.LittleEndian.Uint32(g.read(704, 4)); n != maxWritten {
		t.Errorf("%d bytes of a long write were taken, want %d", n, maxWritten)
	}
	g.partial = append(g.partial[:0], "no"...)
	if g.lastWords != "panic: oh" || string(g.partial) != "no" {
		t.Errorf("last words %q, partial line %q", g.lastWords, g.partial)
	}
	g.print(bytes.Repeat([]byte("x"), 10_000))
	if len(g.partial) > maxLogLine {
		t.Errorf("a partial line of %d bytes", len(g.partial))
	}
	for _, args := range [][]uint64{{3, 600, 2, 700}, {1, 600, maxIovecs + 1, 700}, {1, end - 1, 1, 700}, {1, 600, 2, end}} {
		if g.call(wasiModule, "fd_write", args...) == errnoSuccess {
			t.Errorf("fd_write%v succeeded", args)
		}
	}
}

// No import may do more than it says whatever a guest passes: it returns, or ends the call.
func FuzzHostCalls(f *testing.F) {
	names := map[string][]string{}
	for module, functions := range hostModules {
		names[module] = slices.Sorted(maps.Keys(functions))
	}
	f.Add(true, uint16(0), []byte{1, 2, 3}, uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6))
	f.Add(false, uint16(6), []byte("text"), uint64(2), uint64(64), uint64(1), uint64(64), uint64(0), uint64(0))
	g := testGuest(f)
	f.Fuzz(func(t *testing.T, ours bool, which uint16, data []byte, a, b, c, d, e, h uint64) {
		module := wasiModule
		if ours {
			module = abi.ImportModule
		}
		name := names[module][int(which)%len(names[module])]
		g.write(t, 64, data[:min(len(data), 1000)])
		g.kv, g.random = mapKV{}, nil
		defer func() {
			r := recover()
			err, _ := r.(error)
			var abort *abortError
			var exit *sys.ExitError
			if r != nil && !errors.As(err, &abort) && !errors.As(err, &exit) && !errors.Is(err, errBadPointer) {
				t.Fatalf("%s panicked with %v", name, r)
			}
		}()
		stack := []uint64{a, b, c, d, e, h, 0, 0, 0}
		hostModules[module][name].run(g.Instance, g.mem, stack)
		if len(g.partial) > maxLogLine || strings.ContainsAny(g.lastWords, "\n\x00") {
			t.Fatalf("partial line of %d bytes, last words %q", len(g.partial), g.lastWords)
		}
	})
}
