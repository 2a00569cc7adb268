package rules_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
)

// buildRust builds the examples of the Rust kit, with the kit itself as a library beside them.
func buildRust(dir, rule string) ([]byte, error) {
	rustc := func(args ...string) error {
		return run(nil, tool("RUSTC", "/usr/bin/rustc"), append([]string{"--edition", "2021", "--target", "wasm32-unknown-unknown", "-C", "opt-level=3", "-C", "panic=abort",
			"-C", "lto=fat", "-C", "codegen-units=1", "-C", "strip=symbols", "-C", "link-arg=-zstack-size=524288", "-D", "warnings"}, args...)...)
	}
	kit, wasm := filepath.Join(dir, "libvenued_rules.rlib"), filepath.Join(dir, rule+"-rust.wasm")
	if _, err := os.Stat(kit); err != nil {
		if err := rustc("--crate-type", "rlib", "--crate-name", "venued_rules", kits+"rust/src/lib.rs", "-o", kit); err != nil {
			return nil, err
		}
	}
	source := kits + "rust/examples/" + rule + "/"
	if err := rustc("--crate-type", "cdylib", "--crate-name", rule, "--extern", "venued_rules="+kit, source+rule+".rs", "-o", wasm); err != nil {
		return nil, err
	}
	return packed(wasm, source+"manifest.json")
}

// presentState is a rule's state in a region that some people have left: their keys are out of reach.
type presentState struct {
	state
	gone map[uint64]bool
}

func (s presentState) reach(scope abi.Scope, subject uint64) bool {
	return scope != abi.ScopeUser || !s.gone[subject]
}

func (s presentState) Get(scope abi.Scope, subject uint64, k string) ([]byte, int) {
	if !s.reach(scope, subject) {
		return nil, abi.KVScope
	}
	return s.state.Get(scope, subject, k)
}

func (s presentState) Put(scope abi.Scope, subject uint64, k string, v []byte) int {
	if !s.reach(scope, subject) {
		return abi.KVScope
	}
	return s.state.Put(scope, subject, k, v)
}

func (s presentState) Del(scope abi.Scope, subject uint64, k string) int {
	if !s.reach(scope, subject) {
		return abi.KVScope
	}
	return s.state.Del(scope, subject, k)
}

// Few people and objects, so that events have to do with one another.
func exampleUser(r *rand.Rand) uint64   { return 1<<32 | uint64(1+r.IntN(6)) }
func exampleObject(r *rand.Rand) uint64 { return 2<<32 | uint64(1+r.IntN(3)) }

// answers are what clients send to a quiz, well and badly formed.
var answers = []string{
	"b", " b\r\n", "a", "", " ", "\tb", `{"answer":"b"}`, `{ "answer" : "b" }`, ` {"x":1,"answer":"a"}`, `{"answer":"b`, `{"answer":"\"b"}`, `{"answer" "b"}`,
	`{"answer":b}`, `{"answer":""}`, `{"answe":"b"}`, `{`, `{"answer"`, `{"answer":`, `{"answer":"b"} trailing`, "b\x00b", `b"`, "\xff", `{"answer":"b\"}`, `{"answer" "answer":"b"}`,
}

// exampleEvent makes an event that any of the examples may get.
func exampleEvent(r *rand.Rand) abi.Event {
	e := abi.Event{Subject: exampleUser(r), Object: exampleObject(r), Hand: uint8(r.IntN(2)), Dist: uint32(r.IntN(900))}
	switch r.IntN(9) {
	case 0, 1:
		e.Kind = abi.EventMessage
		e.Object = 0
		topic := "quiz"
		if r.IntN(6) == 0 {
			topic = []string{"", "qui", "quizz", "chat"}[r.IntN(4)]
		}
		e.Data = []byte(topic + "\x00" + answers[r.IntN(len(answers))])
	case 2:
		e.Kind = abi.EventUse
	case 3:
		e.Kind = abi.EventEnter
	case 4, 5, 6:
		e.Kind = abi.EventGrab
		if r.IntN(4) == 0 {
			e.Holder = exampleUser(r)
		}
	case 7:
		e.Kind = []abi.EventKind{abi.EventRelease, abi.EventDropped}[r.IntN(2)]
	case 8:
		e.Kind = []abi.EventKind{abi.EventLeave, abi.EventJoin, abi.EventTimer, abi.EventSignal, 200}[r.IntN(5)]
	}
	return e
}

// refused is what settings each example does not take, and what it says then.
var refused = map[string][]struct {
	settings map[string]any
	says     string
}{
	"quiz": {
		{map[string]any{"answer": ""}, "answer must have 1 to 64 bytes"},
		{map[string]any{"answer": strings.Repeat("\u00e9", 33)}, "answer must have 1 to 64 bytes"},
		{map[string]any{"points": int64(0)}, "points must be between 1 and 1000000"},
	},
	"teleport": {
		{map[string]any{"y_m": 2000000.5}, "y_m must lie within 2000000 m"},
		{map[string]any{"rest_s": -1.0}, "rest_s must be between 0 and 86400"},
	},
	"lift": {{map[string]any{"within_s": int64(86401)}, "within_s must be between 0 and 86400"}},
}

// The worked examples give the same commands and leave the same state in every language and in native Go, whatever happens: each goes on
// with its own state.
func TestExamplesAgree(t *testing.T) {
	e := engine(t, false)
	dir := t.TempDir()
	builders := map[string]func(dir, rule string) ([]byte, error){"assemblyscript": buildAssemblyScript, "c": buildC, "go": buildGo, "rust": buildRust}
	for rule, tables := range map[string][]map[string]any{
		"quiz":     {nil, {"answer": "a", "points": int64(1_000_000)}, {"answer": "\u00e9"}},
		"teleport": {nil, {"x_m": -1.5, "y_m": int64(2), "z_m": 1e6, "rest_s": 0.25}},
		"lift":     {nil, {"within_s": 0.1}, {"within_s": int64(0)}},
	} {
		modules := map[string][]byte{}
		for lang, build := range builders {
			wasm, err := build(dir, rule)
			if err != nil {
				t.Fatalf("building %s in %s: %v", rule, lang, err)
			}
			modules[lang] = wasm
		}
		for i, settings := range tables {
			t.Run(fmt.Sprintf("%s/%d", rule, i), func(t *testing.T) { compareExamples(t, e, modules, settings, newTwin(rule, settings)) })
		}
		for _, bad := range refused[rule] {
			refuseExamples(t, e, modules, bad.settings, bad.says)
		}
	}
}

func compareExamples(t *testing.T, e *rules.Engine, modules map[string][]byte, settings map[string]any, native twin) {
	instances, states := map[string]*rules.Instance{}, map[string]state{"native": {}}
	for lang, wasm := range modules {
		p, err := e.Load(context.Background(), "example", wasm, rules.LoadOptions{Settings: settings, Class: abi.ClassLarge})
		if err != nil {
			t.Fatalf("%s: %v", lang, err)
		}
		in, err := p.Instance(rules.InstanceConfig{CallTime: time.Hour})
		if err != nil {
			t.Fatalf("%s: %v", lang, err)
		}
		t.Cleanup(in.Close)
		instances[lang], states[lang] = in, state{}
	}
	r := rand.New(rand.NewPCG(uint64(len(settings)), 0x6578))
	kinds := map[abi.CommandKind]int{}
	var now uint64
	for tick := range 600 {
		now += uint64(1 + r.IntN(400_000))
		b := abi.NewBatch()
		b.Reset(nil, abi.Header{Tick: uint64(tick), TimeUS: now})
		for range 1 + r.IntN(12) {
			ev := exampleEvent(r)
			b.Event(&ev)
		}
		batch := bytes.Clone(b.Finish())
		gone := map[uint64]bool{}
		if r.IntN(4) == 0 {
			gone[exampleUser(r)] = true
		}
		want := append([]byte{}, withoutMinor(native(batch, presentState{states["native"], gone}))...)
		for lang, in := range instances {
			got, err := in.Call(batch, presentState{states[lang], gone})
			if err != nil {
				t.Fatalf("%s, tick %d: %v", lang, tick, err)
			}
			got = append([]byte{}, withoutMinor(got)...)
			if !bytes.Equal(got, want) {
				t.Fatalf("%s, tick %d:\n% x\nwant\n% x", lang, tick, got, want)
			}
		}
		for lang, s := range states {
			if !maps.Equal(s, states["native"]) {
				t.Fatalf("%s, tick %d: state\n%q\nwant\n%q", lang, tick, s, states["native"])
			}
		}
		cmds, err := abi.DecodeCommands(want, binary.LittleEndian.Uint32(batch[8:]), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cmds {
			kinds[c.Kind]++
		}
	}
	t.Log(kinds)
	if len(kinds) == 0 {
		t.Error("no commands: nothing was compared")
	}
}

// Settings out of their range are refused with the same line in the log, which the fault has as well.
func refuseExamples(t *testing.T, e *rules.Engine, modules map[string][]byte, settings map[string]any, want string) {
	for lang, wasm := range modules {
		p, err := e.Load(context.Background(), "example", wasm, rules.LoadOptions{Settings: settings, Class: abi.ClassLarge})
		if err != nil {
			t.Fatalf("%s: %v", lang, err)
		}
		var logged bytes.Buffer
		in, err := p.Instance(rules.InstanceConfig{Log: slog.New(slog.NewTextHandler(&logged, nil))})
		if err == nil {
			in.Close()
			t.Errorf("%s takes %v", lang, settings)
		} else if !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s, %v: %v, which does not say why: %q", lang, settings, err, want)
		}
		if !strings.Contains(logged.String(), want) {
			t.Errorf("%s, %v: logged %q, want %q", lang, settings, logged.String(), want)
		}
	}
}
