package rule_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
)

// state is a rule's state in a map.
type state map[string]string

func name(scope abi.Scope, subject uint64, key string) string {
	return fmt.Sprintf("%s/%d/%s", scope, subject, key)
}

func (s state) Get(scope abi.Scope, subject uint64, key string) ([]byte, int) {
	v, ok := s[name(scope, subject, key)]
	if !ok {
		return nil, abi.KVMissing
	}
	return []byte(v), 0
}

func (s state) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	s[name(scope, subject, key)] = string(value)
	return 0
}

func (s state) Del(scope abi.Scope, subject uint64, key string) int {
	delete(s, name(scope, subject, key))
	return 0
}

func number(n byte) string { return string([]byte{n, 0, 0, 0, 0, 0, 0, 0}) }

// trouble builds the rule of testdata/trouble and loads it.
func trouble(t *testing.T) *rules.Plugin {
	t.Helper()
	module := filepath.Join(t.TempDir(), "trouble.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", module, "./testdata/trouble")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wasm, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("testdata/trouble/manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	wasm, err = abi.Pack(wasm, manifest, false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rules.NewEngine(context.Background(), rules.Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	p, err := e.Load(context.Background(), "trouble", wasm, rules.LoadOptions{Class: abi.ClassLarge})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func batch(payload string) []byte {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: 1})
	b.Event(&abi.Event{Kind: abi.EventMessage, Subject: 9, Data: abi.JoinData(nil, "trouble", []byte(payload))})
	return b.Finish()
}

// What a Go rule says when it fails reaches the fault, and with it the log, with the line of the rule.
func TestGuest(t *testing.T) {
	p := trouble(t)
	if !p.Migrates() {
		t.Error("importing package migrate does not export venued_migrate")
	}
	in, err := p.Instance(rules.InstanceConfig{CallTime: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	for payload, want := range map[string]string{
		"panic":  "out of luck (main.go:34)",
		"error":  "an error (main.go:36)",
		"index":  "runtime error: index out of range [6] with length 5 (main.go:38)",
		"assert": "assertion failed: no event at all (main.go:40)",
		"abort":  "enough",
	} {
		var fault *abi.Fault
		if _, err := in.Call(batch(payload), state{}); !errors.As(err, &fault) || fault.Kind != abi.FaultAbort || fault.Message != want {
			t.Errorf("%s: %v, want a fault of kind %q that says %q", payload, err, abi.FaultAbort, want)
		}
	}

	kv := state{name(abi.ScopeUser, 9, "n"): number(4)}
	out, err := in.Call(batch("count"), kv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := abi.DecodeCommands(out, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []abi.Command{{Kind: abi.CmdScore, Event: 1, Subject: 9, Value: 7, Data: []byte("trouble")}}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	for n := 1; n <= 2; n++ {
		if _, err := in.Call(batch("long"), kv); err != nil {
			t.Fatal(err)
		}
		if v := kv[name(abi.ScopeRegion, 0, "long")]; len(v) != 100*n {
			t.Errorf("%d bytes after %d calls", len(v), n)
		}
	}
}

func TestGuestMigrates(t *testing.T) {
	p := trouble(t)
	for _, c := range []struct {
		from      int
		kv, after state
		fails     bool
	}{
		{1, state{"region/0/old": number(4)}, state{"region/0/new": number(8)}, false},
		{0, state{"region/0/old": number(4)}, nil, true},
		{1, state{"region/0/bad": number(1)}, nil, true},
	} {
		in, err := p.Instance(rules.InstanceConfig{CallTime: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.Close)
		err = in.Migrate(c.from, c.kv)
		if (err != nil) != c.fails {
			t.Errorf("from %d: %v", c.from, err)
		}
		if !c.fails && !maps.Equal(c.kv, c.after) {
			t.Errorf("from %d: state %q, want %q", c.from, c.kv, c.after)
		}
	}
}
