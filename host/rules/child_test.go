package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/host/rules/compile"
)

// slowToCompile is a plugin whose venued_tick takes the compiler long for its size: many branches over many locals.
func slowToCompile(blocks int) *asm {
	const locals = 200
	body := []byte{1}
	body = append(append(body, leb(locals, false)...), i32...)
	for i := range blocks {
		from, to := leb(int64(2+i%locals), false), leb(int64(2+(i*7+3)%locals), false)
		body = append(body, join([]byte{0x02, blockVoid, 0x20}, from, []byte{0x0d, 0, 0x20}, to, []byte{0x20}, from, []byte{opI32Add, 0x21}, to, []byte{0x0b})...)
	}
	a := newAsm()
	a.funcs[2].declared = true
	a.funcs[2].body = join(body, constI64(0))
	return a
}

func childEngine(t testing.TB, cfg Config) *Engine {
	cfg.Compiler = testCompiler(t)
	return testEngine(t, cfg)
}

func TestModulesAreCompiledInAChild(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		e := childEngine(t, Config{CacheDir: dir})
		in := testInstance(t, e, commands(oneGrant).bytes(), InstanceConfig{})
		if out, err := in.Call(batch(1, 1), nil); err != nil || !bytes.Equal(out, oneGrant) {
			t.Fatal(out, err)
		}
		if in.plugin.module.compilePeak < 1<<20 || in.plugin.module.compileTime <= 0 {
			t.Errorf("compiled in %v with %d bytes", in.plugin.module.compileTime, in.plugin.module.compilePeak)
		}
	}
	// Without a folder of its own an engine keeps one while it lives.
	e, err := NewEngine(context.Background(), Config{Compiler: testCompiler(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Load(context.Background(), "rule", commands(oneGrant).bytes(), LoadOptions{}); err != nil {
		t.Error(err)
	}
	own := e.own
	if err := e.Close(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(own); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("folder %s: %v", own, err)
	}
}

func TestSlowModulesAreRefusedByName(t *testing.T) {
	e := childEngine(t, Config{CompileLimits: compile.Limits{CPU: time.Second}})
	r, err := e.Inspect(context.Background(), slowToCompile(8_000).bytes(), InspectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const want = `compiling function 2 ("venued_tick") of the module took more than 1s of processor time: split it`
	if r.OK || r.Problems[0].Code != CodeTime || !strings.Contains(r.Problems[0].Message, want) || *r.Problems[0].Function != 2 {
		t.Errorf("%v, want %s", r.Problems, want)
	}
	if len(e.modules) != 0 {
		t.Errorf("%d modules are kept", len(e.modules))
	}
}

// Several loads of one module compile it once, and one that gives up takes nobody with it.
func TestLoadsAtOnce(t *testing.T) {
	e := childEngine(t, Config{})
	wasm := commands(oneGrant).bytes()
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			ctx := context.Background()
			if i%2 == 0 {
				ctx = gone
			}
			p, err := e.Load(ctx, fmt.Sprint(i), wasm, LoadOptions{})
			if ctx == gone && errors.Is(err, context.Canceled) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			if err := p.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(e.modules) != 0 {
		t.Errorf("%d modules are kept", len(e.modules))
	}
}

func TestDamagedCacheIsMadeAnew(t *testing.T) {
	dir := t.TempDir()
	load := func() string {
		var log bytes.Buffer
		e := childEngine(t, Config{CacheDir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
		in := testInstance(t, e, commands(oneGrant).bytes(), InstanceConfig{})
		if out, err := in.Call(batch(1, 1), nil); err != nil || !bytes.Equal(out, oneGrant) {
			t.Fatal(out, err)
		}
		return log.String()
	}
	if text := load(); text != "" {
		t.Error(text)
	}
	entries, err := filepath.Glob(filepath.Join(dir, "wazero-*", "*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	b, err := os.ReadFile(entries[0])
	if err != nil {
		t.Fatal(err)
	}
	copy(b[len(b)/2:], make([]byte, len(b)/2))
	if err := os.WriteFile(entries[0], b, 0o600); err != nil {
		t.Fatal(err)
	}
	if text := load(); !strings.Contains(text, "is made anew") || !strings.Contains(text, "is damaged") {
		t.Errorf("log %q", text)
	}
	if text := load(); text != "" {
		t.Error(text)
	}
}
