package node

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/rules/module/wasmtest"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/plugins"
)

// grabVersion is the shipped grab plugin under another version: another module that decides alike.
func grabVersion(t *testing.T, version string) []byte {
	t.Helper()
	wasm, err := plugins.Wasm("grab")
	if err != nil {
		t.Fatal(err)
	}
	section, err := abi.CustomSection(wasm, abi.ManifestSection)
	if err != nil {
		t.Fatal(err)
	}
	m, err := abi.ParseManifest(section)
	if err != nil {
		t.Fatal(err)
	}
	m.Version = version
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := abi.Pack(wasm, text, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// trapping is a plugin that traps whatever it is given.
func trapping() []byte {
	i32, i64 := wasmtest.I32, wasmtest.I64
	return (&wasmtest.Module{
		Memory: &wasmtest.Range{Min: 8, Max: 8},
		Funcs: []wasmtest.Func{
			{Export: "venued_alloc", Params: i32, Results: i32, Body: wasmtest.ConstI32(4096)},
			{Export: "venued_init", Params: i32 + i32, Results: i32, Body: wasmtest.ConstI32(0)},
			{Export: "venued_tick", Params: i32 + i32, Results: i64, Body: []byte{0x00}}, // unreachable
			{Export: abi.Marker},
		},
		Exports: []wasmtest.Export{{Name: "memory", Kind: 2}},
		Customs: []wasmtest.Custom{{Name: abi.ManifestSection, Content: []byte(
			`{"name":"grab","version":"9.0.0","abi":1,"events":["grab","release"],"commands":["grant"],"schema":0}`)}},
	}).Encode()
}

// TestSwapUnderTraffic swaps real modules while fifty people snatch at one cube: every request is answered once, by the version that runs in
// its tick, and one person at most holds the cube. A module that traps is gone again by itself.
func TestSwapUnderTraffic(t *testing.T) {
	ctx := context.Background()
	engine, err := rules.NewEngine(ctx, rules.Config{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close(ctx) })
	loaded := map[string]*rules.Plugin{}
	for name, wasm := range map[string][]byte{"1": grabVersion(t, "1.0.1"), "2": grabVersion(t, "1.0.2"), "9": trapping()} {
		if loaded[name], err = engine.Load(ctx, "grab", wasm, rules.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	instance := func(region int, name string) (scene.Rule, error) {
		return loaded[name].Instance(rules.InstanceConfig{Region: uint32(region)})
	}
	w := start(t, t.TempDir(), func(c *Config) {
		c.Rules = func(region int) ([]scene.Rule, error) {
			in, err := instance(region, "1")
			return []scene.Rule{in}, err
		}
		c.Module = func(_ context.Context, region, _ int, digest string) (scene.Rule, error) {
			return instance(region, digest)
		}
	})
	const people = 50
	r := w.read(west)
	r.until("a first record", func() bool { return r.last.N > 0 })
	var joins []stream.Input
	for s := uint64(1); s <= people; s++ {
		joins = append(joins, stream.Input{Kind: stream.InputJoin, Session: s, User: fmt.Sprint("user", s), HasPlace: true, Body: lattice.Body{Head: at(-10, 1.6, 0.3)}})
	}
	r.send(joins...)
	r.until("everybody", func() bool { _, ok := r.avatar(people); return ok })

	answers, seen := map[string]int{}, map[uint64]bool{}
	byVersion, holder := map[string]int{}, uint64(0)
	note := func() {
		for _, e := range r.events {
			if seen[e.N] || e.Seq == 0 {
				continue
			}
			seen[e.N] = true
			answers[fmt.Sprintf("%d/%d", e.Session, e.Seq)]++
			byVersion[e.Rule]++
			switch e.Type {
			case "grabbed":
				if holder != 0 {
					t.Errorf("session %d has the cube that %d holds", e.Session, holder)
				}
				holder = e.Session
			case "released":
				if e.Session != holder {
					t.Errorf("session %d let go what %d holds", e.Session, holder)
				}
				holder = 0
			}
		}
	}
	cube, asked := r.cube(), 0
	round := func(seq uint32) {
		var in []stream.Input
		for s := uint64(1); s <= people; s++ {
			kind := stream.InputGrab
			if s == holder {
				kind = stream.InputRelease
			}
			in = append(in, stream.Input{Kind: kind, Session: s, Seq: seq, Object: cube.ID, HandAt: cube.State.Body.Head})
		}
		asked += len(in)
		r.send(in...)
		r.until("the answers", func() bool { note(); return len(answers) == asked })
	}
	seq := uint32(0)
	for n := range 20 {
		swapped := make(chan error, 1)
		go func() {
			_, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: fmt.Sprint(2 - n%2)})
			swapped <- err
		}()
		for done := false; !done; {
			seq++
			round(seq)
			select {
			case err := <-swapped:
				if err != nil {
					t.Fatal(err)
				}
				done = true
			default:
			}
		}
	}
	if byVersion["grab@1.0.1"] == 0 || byVersion["grab@1.0.2"] == 0 {
		t.Errorf("answers came from %v", byVersion)
	}
	if _, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: "9"}); err != nil {
		t.Fatal(err)
	}
	back := func() bool {
		s := w.node.Rules()[0].Swaps
		return len(s) > 0 && s[len(s)-1].Returned
	}
	for !back() {
		seq++
		round(seq)
	}
	s := w.node.Rules()[0]
	if last := s.Swaps[len(s.Swaps)-1]; s.Version == "9.0.0" || last.From.Version != "9.0.0" || !strings.Contains(last.Reason, "unreachable") {
		t.Errorf("the return says %+v", last)
	}
	before := byVersion["grab@"+s.Version]
	seq++
	round(seq)
	if byVersion["grab@"+s.Version] != before+people {
		t.Errorf("after the return answers came from %v", byVersion)
	}
	for what, n := range answers {
		if n != 1 {
			t.Errorf("input %s was answered %d times", what, n)
		}
	}
}
