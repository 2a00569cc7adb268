package rules

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
	"github.com/venued/venued/plugins"
)

// Once a tick's calls used the fuel for twice a call's time, what comes later in the tick is not called: the same on every machine.
func TestBudgetOfATick(t *testing.T) {
	e := testEngine(t, Config{})
	in := testInstance(t, e, newAsm(loop...).bytes(), InstanceConfig{CallTime: 20 * time.Millisecond})
	for tick := range uint64(3) {
		stopped, refused := 0, 0
		for range 20 {
			_, err := in.Call(batch(1, (tick+1)*1e6), nil)
			switch fault := err.(*abi.Fault); fault.Kind {
			case abi.FaultFuel:
				stopped++
			case abi.FaultBudget:
				if refused++; !strings.Contains(fault.Message, "the limit is 20000000") {
					t.Fatal(err)
				}
			default:
				t.Fatal(err)
			}
		}
		if stopped != 4 || refused != 16 {
			t.Errorf("tick %d: %d calls were stopped and %d not made, want 4 and 16", tick, stopped, refused)
		}
	}
}

// What a call uses is the same whatever runs it, to the unit, and also when it is stopped.
func TestFuelIsTheSameOnEveryMachine(t *testing.T) {
	guests := map[string][]byte{"loop": newAsm(loop...).bytes(), "recursion": newAsm(recursion...).bytes(), "tree": newAsm(tree...).bytes()}
	for _, name := range plugins.Names() {
		wasm, err := plugins.Wasm(name)
		if err != nil {
			t.Fatal(err)
		}
		guests[name] = wasm
	}
	engines := []*Engine{testEngine(t, Config{}), testEngine(t, Config{Interpret: true})}
	for name, wasm := range guests {
		var used [2][3]int64 // by engine: of the start, and of two calls
		for i, e := range engines {
			in := testInstance(t, e, wasm, InstanceConfig{})
			used[i][0] = in.used
			for call := range 2 {
				_, err := in.Call(batch(3, uint64(call+1)*1e6), mapKV{})
				var fault *abi.Fault
				if errors.As(err, &fault) && fault.Kind != abi.FaultFuel && fault.Kind != abi.FaultDepth {
					t.Errorf("%s: %v", name, err)
				}
				used[i][call+1] = in.used
			}
		}
		if t.Logf("%s: %d", name, used[0]); used[0] != used[1] || used[0][1] <= 0 {
			t.Errorf("%s: compiled it uses %d, interpreted %d", name, used[0], used[1])
		}
	}
}

// What host functions copy is paid for.
func TestCopyingCostsFuel(t *testing.T) {
	g := testGuest(t)
	g.kv = mapKV{}
	for _, c := range []struct {
		from, name string
		args       []uint64
		want       uint64
	}{
		{abi.ImportModule, "kv_put", []uint64{uint64(abi.ScopeObject), 1, 0, 16, 0, 8000}, 2 + 1000},
		{abi.ImportModule, "kv_get", []uint64{uint64(abi.ScopeObject), 1, 0, 16, 0, 8000}, 2 + 1000},
		{abi.ImportModule, "kv_get", []uint64{uint64(abi.ScopeObject), 1, 0, 16, 0, 10}, 2},
		{abi.ImportModule, "kv_del", []uint64{uint64(abi.ScopeObject), 1, 0, 16}, 2},
		{abi.ImportModule, "log", []uint64{0, 80}, 10},
		{abi.ImportModule, "log", []uint64{0, 8000}, maxLogLine / 8},
		{wasiModule, "random_get", []uint64{0, 16000}, 2000},
	} {
		g.fuel.Set(1e6)
		if g.call(c.from, c.name, c.args...); 1e6-g.fuel.Get() != c.want {
			t.Errorf("%s%v costs %d, want %d", c.name, c.args, 1e6-g.fuel.Get(), c.want)
		}
	}
	// A guest that did not look would never stop: the host's charge ends its call as its own does.
	logs := newAsm(join([]byte{opLoop, blockVoid}, constI32(0), constI32(256), []byte{opCall, 0, opBr, 0, 0x0b, opUnreachable})...).
		imported(abi.ImportModule, "log", signature{i32 + i32, ""})
	// Filling all of memory again and again is charged by its length.
	fills := newAsm(join([]byte{opLoop, blockVoid}, constI32(0), constI32(0), constI32(8*module.PageSize), []byte{0xfc, 11, 0, opBr, 0, 0x0b, opUnreachable})...)
	both(t, func(t *testing.T, e *Engine) {
		for _, a := range []*asm{logs, fills} {
			in := testInstance(t, e, a.bytes(), InstanceConfig{})
			if _, err := in.Call(batch(1, 1e6), nil); err == nil || err.(*abi.Fault).Kind != abi.FaultFuel {
				t.Errorf("%v, want a fault of fuel", err)
			}
		}
	})
}

// slowKV hangs, as a host function with a fault may.
type slowKV struct {
	mapKV
	until <-chan struct{}
}

func (s slowKV) Get(abi.Scope, uint64, string) ([]byte, int) {
	<-s.until
	return nil, abi.KVMissing
}

func TestWatchdog(t *testing.T) {
	var buf syncBuffer
	stuck := make(chan struct{})
	var late []string
	e := testEngine(t, Config{
		Log: slog.New(slog.NewTextHandler(&buf, nil)), Late: func(rule string) { late = append(late, rule) }, beat: 2 * time.Millisecond,
		stuck: func() { close(stuck) },
	})
	a := newAsm(join(constI32(1), constI64(1), constI32(0), constI32(3), constI32(0), constI32(0), []byte{opCall, 0, opDrop}, constI64(0))...).
		imported(abi.ImportModule, "kv_get", hostModules[abi.ImportModule]["kv_get"].signature)
	in := testInstance(t, e, a.bytes(), InstanceConfig{Region: 3})
	_, err := in.Call(batch(1, 1e6), slowKV{until: stuck})
	var fault *abi.Fault
	if !errors.As(err, &fault) || fault.Kind != abi.FaultTimeout || !strings.Contains(fault.Message, "longer than a second") {
		t.Errorf("%v, want a fault of kind timeout", err)
	}
	if !slices.Equal(late, []string{"rule"}) { // read behind the close of stuck
		t.Errorf("late: %q", late)
	}
	for _, want := range []string{"level=WARN", "level=ERROR", "rule=rule region=3"} {
		if !strings.Contains(buf.String(), want) {
			t.Errorf("the log does not say %q: %s", want, buf.String())
		}
	}
	// The next one is a call like any other.
	if _, err := in.Call(batch(1, 2e6), mapKV{}); err != nil {
		t.Error(err)
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
