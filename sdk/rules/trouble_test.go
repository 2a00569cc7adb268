// Package kits_test builds rules with the kits for AssemblyScript and Rust and runs them in the engine that hosts have. The kits for
// Go and C have tests like these in their folders.
package kits_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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

func run(t *testing.T, dir, tool string, args ...string) {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", tool, err, out)
	}
}

// build makes a module of a language's testdata/NAME/NAME.*, in the folder of the kit.
func build(t *testing.T, lang, name string) []byte {
	t.Helper()
	dir := t.TempDir()
	module, source := filepath.Join(dir, "module.wasm"), filepath.Join("testdata", name, name)
	switch lang {
	case "assemblyscript":
		run(t, lang, "node", "node_modules/assemblyscript/bin/asc.js", source+".ts", "-O3", "--runtime", "incremental", "--exportStart", "_initialize",
			"--use", "abort=assembly/abort/abort", "--outFile", module)
	case "rust":
		rustc, kit := os.Getenv("RUSTC"), filepath.Join(dir, "libvenued_rules.rlib")
		if rustc == "" {
			rustc = "/usr/bin/rustc"
		}
		flags := []string{"--edition", "2021", "--target", "wasm32-unknown-unknown", "-C", "opt-level=3", "-C", "panic=abort", "-C", "strip=symbols", "-D", "warnings"}
		run(t, lang, rustc, append(flags, "--crate-type", "rlib", "--crate-name", "venued_rules", "src/lib.rs", "-o", kit)...)
		run(t, lang, rustc, append(flags, "--crate-type", "cdylib", "--crate-name", name, "--extern", "venued_rules="+kit, source+".rs", "-o", module)...)
	}
	wasm, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// load packs a module with a manifest of that schema and loads it.
func load(t *testing.T, module []byte, schema int) *rules.Plugin {
	t.Helper()
	manifest := fmt.Sprintf(`{"name":"trouble","version":"1.0.0","abi":1,"events":["message","use"],"commands":["score","emit","door","accept"],"schema":%d}`, schema)
	wasm, err := abi.Pack(module, []byte(manifest), false)
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

func instance(t *testing.T, p *rules.Plugin, log *slog.Logger) *rules.Instance {
	t.Helper()
	in, err := p.Instance(rules.InstanceConfig{CallTime: 20 * time.Second, Log: log})
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

// failures are what the trouble of each message says in the fault.
var failures = map[string]map[string]string{
	"assemblyscript": {
		"panic":    "out of luck (trouble.ts:14)",
		"assert":   "no event at all (trouble.ts:15)",
		"bare":     "an assertion failed (trouble.ts:16)",
		"index":    "Index out of range (staticarray.ts:",
		"abort":    "enough",
		"commands": "more commands than a call may have",
		"bytes":    "more commands than a call may have",
		"text":     "a text does not fit its room",
	},
	"rust": {
		"panic":    "panicked at 'out of luck', testdata/trouble/trouble.rs:18:",
		"assert":   "panicked at 'no event at all', testdata/trouble/trouble.rs:19:",
		"bare":     "panicked at 'assertion failed: payload.is_empty()', testdata/trouble/trouble.rs:20:",
		"index":    "panicked at 'index out of bounds: the len is 5 but the index is 6', testdata/trouble/trouble.rs:21:",
		"unwrap":   "panicked at 'called `Option::unwrap()` on a `None` value', testdata/trouble/trouble.rs:22:",
		"abort":    "enough",
		"commands": "more commands than a call may have",
		"bytes":    "more commands than a call may have",
		"text":     "a text does not fit its room",
	},
}

// What a rule says when it fails reaches the fault, and with it the log: panics, assertions, aborts, and what the kits refuse, with the
// line of the rule where its language knows it.
func TestFailuresSayWhere(t *testing.T) {
	for lang, said := range failures {
		t.Run(lang, func(t *testing.T) {
			in := instance(t, load(t, build(t, lang, "trouble"), 2), nil)
			for payload, want := range said {
				var fault *abi.Fault
				if _, err := in.Call(batch(payload), state{}); !errors.As(err, &fault) || fault.Kind != abi.FaultAbort || !strings.HasPrefix(fault.Message, want) {
					t.Errorf("%s: %v, want a fault of kind %q that says %q", payload, err, abi.FaultAbort, want)
				}
			}
			kv := state{name(abi.ScopeUser, 9, "n"): number(4)}
			out, err := in.Call(batch("count"), kv)
			if err != nil {
				t.Fatal(err)
			}
			got, err := abi.DecodeCommands(out, 1, nil)
			if d := cmp.Diff([]abi.Command{{Kind: abi.CmdScore, Event: 1, Subject: 9, Value: 7, Data: []byte("trouble")}}, got, cmpopts.EquateEmpty()); err != nil || d != "" {
				t.Error(err, d)
			}
			if v := kv[name(abi.ScopeUser, 9, "n")]; v != number(7) {
				t.Errorf("the number is %q", v)
			}
		})
	}
}

// A rule of schema 2 takes over the state of schema 1; what it does not know, and what it finds bad, it refuses.
func TestMigrates(t *testing.T) {
	for lang := range failures {
		t.Run(lang, func(t *testing.T) {
			p := load(t, build(t, lang, "trouble"), 2)
			for _, c := range []struct {
				from      int
				kv, after state
				says      string
			}{
				{1, state{"region/0/old": number(4)}, state{"region/0/new": number(8)}, ""},
				{3, state{"region/0/old": number(4)}, nil, "venued_migrate(3) refused with 3"},
				{1, state{"region/0/bad": number(1)}, nil, "nothing is bad"},
			} {
				err := instance(t, p, nil).Migrate(c.from, c.kv)
				if c.after == nil {
					if err == nil || !strings.Contains(err.Error(), c.says) {
						t.Errorf("from %d: %v, want %q", c.from, err, c.says)
					}
					continue
				}
				if err != nil || !maps.Equal(c.kv, c.after) {
					t.Errorf("from %d: %v, state %q, want %q", c.from, err, c.kv, c.after)
				}
			}
		})
	}
}
