// Package c_test tests the header with the real compiler and the engine that runs rules.
package c_test

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

// tool returns the program that the variable names, or its default.
func tool(variable, otherwise string) string {
	if v := os.Getenv(variable); v != "" {
		return v
	}
	return otherwise
}

// trouble builds the rule of testdata/trouble and loads it.
func trouble(t *testing.T) *rules.Plugin {
	t.Helper()
	dir := t.TempDir()
	object, module := filepath.Join(dir, "trouble.o"), filepath.Join(dir, "trouble.wasm")
	for _, argv := range [][]string{
		{tool("CLANG", "clang-14"), "--target=wasm32", "-std=c11", "-O2", "-ffreestanding", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-I.",
			"-c", "testdata/trouble/trouble.c", "-o", object},
		{tool("WASM_LD", "wasm-ld-14"), "--no-entry", "--strip-all", "-z", "stack-size=65536", object, "-o", module},
	} {
		if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", argv[0], err, out)
		}
	}
	wasm, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	wasm, err = abi.Pack(wasm, []byte(`{"name":"trouble","version":"1.0.0","abi":1,"events":["message"],"commands":["score","emit","door"],"schema":2}`), false)
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
	p, err := e.Load(context.Background(), "trouble", wasm, rules.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func instance(t *testing.T, p *rules.Plugin) *rules.Instance {
	t.Helper()
	in, err := p.Instance(rules.InstanceConfig{CallTime: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	return in
}

func batch(payload string) []byte {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: 1})
	b.Event(&abi.Event{Kind: abi.EventMessage, Subject: 9, Data: abi.JoinData(nil, "trouble", []byte(payload))})
	return b.Finish()
}

// What a rule in C says when it fails reaches the fault, and with it the log, with the line of the rule.
func TestFailuresSayWhere(t *testing.T) {
	in := instance(t, trouble(t))
	for payload, want := range map[string]string{
		"abort":    "enough (trouble.c:16)",
		"assert":   `assertion failed: !venued_span_is(payload, VENUED_TEXT(\"assert\")) (trouble.c:17)`,
		"commands": "more commands than a call may have",
		"bytes":    "more commands than a call may have",
	} {
		var fault *abi.Fault
		if _, err := in.Call(batch(payload), state{}); !errors.As(err, &fault) || fault.Kind != abi.FaultAbort || fault.Message != want {
			t.Errorf("%s: %v, want a fault of kind %q that says %q", payload, err, abi.FaultAbort, want)
		}
	}
	var fault *abi.Fault
	if _, err := in.Call(batch("text"), state{}); !errors.As(err, &fault) || fault.Kind != abi.FaultAbort {
		t.Errorf("a text that does not fit its room: %v", err)
	}
}

func TestTextsAndNumbers(t *testing.T) {
	in := instance(t, trouble(t))
	kv := state{name(abi.ScopeUser, 9, "n"): number(4)}
	for payload, want := range map[string]abi.Command{
		"json": {Kind: abi.CmdEmit, Event: 1, Subject: 9, Value: abi.EmitUser,
			Data: []byte("json\x00\"a\\\"\\\\\\u000a\\u0001\xc3\xa9\"-922337203685477580818446744073709551615")},
		"count": {Kind: abi.CmdScore, Event: 1, Subject: 9, Value: 7, Data: []byte("trouble")},
	} {
		out, err := in.Call(batch(payload), kv)
		if err != nil {
			t.Fatal(err)
		}
		got, err := abi.DecodeCommands(out, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]abi.Command{want}, got, cmpopts.EquateEmpty()); d != "" {
			t.Error(d)
		}
	}
	if v := kv[name(abi.ScopeUser, 9, "n")]; v != number(7) {
		t.Errorf("the number is %q", v)
	}
}

func TestMigrates(t *testing.T) {
	p := trouble(t)
	for _, c := range []struct {
		from      int
		kv, after state
	}{
		{1, state{"region/0/old": number(4)}, state{"region/0/new": number(8)}},
		{3, state{"region/0/old": number(4)}, nil},
		{1, state{"region/0/bad": number(1)}, nil},
	} {
		err := instance(t, p).Migrate(c.from, c.kv)
		if (err != nil) != (c.after == nil) {
			t.Errorf("from %d: %v", c.from, err)
		}
		if c.after != nil && !maps.Equal(c.kv, c.after) {
			t.Errorf("from %d: state %q, want %q", c.from, c.kv, c.after)
		}
	}
}
