package scene

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
)

// handsVersion is the hands rule as another module, with its state in a layout of its own: the same keys, and one that says so.
func handsVersion(n, schema int, fails func(b *abi.Decoded) bool) *twin {
	next := handsRule()
	next.manifest.Version, next.manifest.Schema, next.digest = fmt.Sprintf("1.0.%d", n), schema, fmt.Sprintf("%064x", n)
	next.migrate = func(from int, kv abi.KV) error {
		if from == schema {
			panic("a migration from the schema that is there")
		}
		kv.Put(abi.ScopeRegion, 0, "schema", fmt.Append(nil, schema))
		return nil
	}
	play := next.play
	next.play = func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		cmds, err := play(b, kv)
		if fails != nil && fails(b) {
			kv.Put(abi.ScopeRegion, 0, "never", []byte("x"))
			return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "hands", Message: "unreachable"}
		}
		return cmds, err
	}
	return next
}

var versions = regexp.MustCompile(`hands@1\.0\.\d+`)

// shown is what the world sees of a step, whichever version decided.
func shown(fx *Effects) string {
	events := slices.Clone(fx.Events)
	for i := range events {
		events[i].Digest = ""
		events[i].Body = versions.ReplaceAll(events[i].Body, []byte("hands@1.0.0"))
	}
	b, _ := json.Marshal([]any{fx.Entities, fx.Gone, events, fx.Cursors, fx.Stats})
	return strings.ReplaceAll(versions.ReplaceAllString(string(b), "hands@1.0.0"), "null", "[]")
}

// keysOf is a rule's state, but for what a migration notes in it.
func keysOf(r *Region) map[saved.KeyName]string {
	out := map[saved.KeyName]string{}
	for k, v := range r.rules[0].stored.All() {
		if k.Key != "schema" {
			out[k] = string(v)
		}
	}
	return out
}

// TestSwapUnderTraffic swaps a rule again and again while people grab, let go, talk, come and leave. A region that is never swapped shows
// the world the same, tick by tick: no event is lost or doubled, and no state.
func TestSwapUnderTraffic(t *testing.T) {
	v := hall(t, 100, 6)
	rapid.Check(t, func(t *rapid.T) {
		w, calm := newWorld(t, v), newWorld(t, v)
		p := &player{seqs: map[uint64]uint32{}, poses: map[uint64]uint16{}, topics: harmless}
		n, schema, swaps, retired, started := 0, 0, 0, 0, false
		w.fresh = func() []Rule { return []Rule{handsVersion(n, schema, nil), doorRule()} }
		for range rapid.IntRange(1, 60).Draw(t, "ticks") {
			if rapid.IntRange(0, 3).Draw(t, "swap") == 0 {
				was, layout := n, schema
				n++
				schema += rapid.IntRange(0, 1).Draw(t, "schema")
				opt := SwapOptions{WatchTicks: rapid.Uint64Range(1, 10).Draw(t, "watch")}
				switch err := w.region.SwapRule(0, handsVersion(n, schema, nil), opt); {
				case err == nil:
					swaps++
				case !started || !strings.Contains(err.Error(), "has just started"):
					t.Fatal(err)
				default:
					n, schema = was, layout
				}
			}
			in := p.inputs(t, w.region)
			fx := w.step(in...)
			started = false
			retired += len(fx.Retired)
			if a, b := shown(fx), shown(calm.step(in...)); a != b {
				t.Fatalf("tick %d, version %d:\n%s\nwithout swaps:\n%s", fx.Tick, n, a, b)
			}
			if len(fx.Faults) > 0 {
				t.Fatal(fx.Faults)
			}
			checkSaved(t, w.region)
			checkHolders(t, w.region)
			if rapid.IntRange(0, 19).Draw(t, "crash") == 0 {
				retired += len(w.region.Kept())
				w.crash()
				calm.crash()
				started = true
				p.poses = map[uint64]uint16{}
			}
			if a, b := fmt.Sprint(keysOf(w.region)), fmt.Sprint(keysOf(calm.region)); a != b {
				t.Fatalf("tick %d: state %s, without swaps %s", fx.Tick, a, b)
			}
		}
		if retired += len(w.region.Kept()); retired != swaps {
			t.Fatalf("%d modules were handed back after %d swaps", retired, swaps)
		}
		if w.restore().Hash() != w.region.Hash() {
			t.Fatal("snapshot and log give another state")
		}
	})
}

// TestSwapReturns swaps to a version that fails at what people say, with its state in another layout or not: the region goes back by
// itself after so many faulted ticks, says why, and a migrated state is what it was.
func TestSwapReturns(t *testing.T) {
	v := hall(t, 0, 6)
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, v)
		p := &player{seqs: map[uint64]uint32{}, poses: map[uint64]uint16{}, topics: harmless}
		for range rapid.IntRange(1, 20).Draw(t, "before") {
			w.step(p.inputs(t, w.region)...)
		}
		before := keysOf(w.region)
		schema, limit := rapid.IntRange(0, 1).Draw(t, "schema"), rapid.IntRange(1, 4).Draw(t, "limit")
		bad := handsVersion(9, schema, func(b *abi.Decoded) bool {
			return slices.ContainsFunc(b.Events, func(e abi.Event) bool { return e.Kind == abi.EventMessage })
		})
		old := w.region.rules[0].Rule
		if err := w.region.SwapRule(0, bad, SwapOptions{Faults: limit}); err != nil {
			t.Fatal(err)
		}
		faulted := 0
		for range 200 {
			fx := w.step(p.inputs(t, w.region)...)
			checkSaved(t, w.region)
			checkHolders(t, w.region)
			if len(fx.Faults) > 0 {
				faulted++
			}
			back := slices.IndexFunc(fx.Swaps, func(s SwapEvent) bool { return s.Returned })
			if back < 0 {
				if w.region.rules[0].Rule != bad || faulted >= limit {
					t.Fatalf("after %d of %d faulted ticks the region runs %s", faulted, limit, &w.region.rules[0].module)
				}
				continue
			}
			s := fx.Swaps[back]
			if s.From.Digest != bad.Digest() || s.To.Digest != old.Digest() || !strings.Contains(s.Reason, "unreachable") || s.Tick != fx.Tick+1 {
				t.Fatalf("the return says %+v", s)
			}
			if w.region.rules[0].Rule != old || len(fx.Retired) != 1 || fx.Retired[0] != Rule(bad) || len(w.region.Kept()) != 0 || faulted > limit {
				t.Fatalf("after %d of %d faulted ticks: runs %s, retired %v", faulted, limit, &w.region.rules[0].module, fx.Retired)
			}
			if _, there := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: "schema"}); there {
				t.Fatal("the migrated state stayed")
			}
			if schema == 1 {
				for k, v := range before {
					if got, ok := w.region.rules[0].stored.Value(k); (!ok || string(got) != v) && k.Scope != abi.ScopeUser {
						t.Fatalf("key %+v is %q, before the swap it was %q", k, got, v)
					}
				}
			}
			if w.restore().Hash() != w.region.Hash() {
				t.Fatal("snapshot and log give another state")
			}
			w.step(p.inputs(t, w.region)...)
			return
		}
	})
}

// TestReviveWatch: a region that watches a swap goes on watching after Capture and Revive, when it is given the old module.
func TestReviveWatch(t *testing.T) {
	w := newWorld(t, hall(t, 0, 6))
	w.step(join(1, "ada"), join(2, "ben"))
	w.step(say(1, 1, "count"))
	bad := func() *twin { return handsVersion(2, 1, func(b *abi.Decoded) bool { return true }) }
	if err := w.region.SwapRule(0, bad(), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	w.step(say(1, 2, "count"))
	live, err := w.region.Capture()
	if err != nil {
		t.Fatal(err)
	}
	cfg := w.config()
	cfg.Rules = []Rule{bad(), doorRule()}
	if _, err := Revive(cfg, live); err == nil || !strings.Contains(err.Error(), "a swap from hands@1.0.0 (000000000000) is being watched") {
		t.Fatalf("without the old module: %v", err)
	}
	cfg.Rules, cfg.Old = []Rule{bad(), doorRule()}, []Rule{handsRule(), nil}
	r, err := Revive(cfg, live)
	if err != nil {
		t.Fatal(err)
	}
	same(t, w.region, r)
	for i := uint32(3); i < 6; i++ {
		fx := w.step(say(1, i, "count"), say(2, i-2, "count"))
		if a, b := shown(fx), shown(r.Step(fx.Tick, []stream.Input{say(1, i, "count"), say(2, i-2, "count")})); a != b {
			t.Fatalf("tick %d:\n%s\n%s", fx.Tick, a, b)
		}
		same(t, w.region, r)
	}
	if r.rules[0].module.Version != "1.0.0" {
		t.Errorf("the revived region runs %s", &r.rules[0].module)
	}
}

// TestSwapOfQuarantined: nobody wants a module back that was in quarantine, nor the same one.
func TestSwapOfQuarantined(t *testing.T) {
	w := quarantined(t, "deny", doorRule())
	if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	if kept := w.region.Kept(); len(kept) != 1 {
		t.Errorf("%d modules wait to be handed back", len(kept))
	}
	if fx := w.step(); len(fx.Retired) != 1 || w.region.rules[0].watch != nil || w.region.saved.Fork("hands") != nil {
		t.Errorf("retired %v, watch %v", fx.Retired, w.region.rules[0].watch)
	}
	if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	if fx := w.step(); len(fx.Retired) != 1 || w.region.rules[0].watch != nil {
		t.Errorf("the same module: retired %v, watch %v", fx.Retired, w.region.rules[0].watch)
	}
}

// TestForkOutlivesRestarts: who starts again within the minute after a swap, whatever with, loses neither layout: the new module has its state,
// and the old one, by a swap or a start, the state of before; until the new one has decided for a minute.
func TestForkOutlivesRestarts(t *testing.T) {
	counted := func(w *world) string {
		v, _ := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: "counted"})
		return string(v)
	}
	swapped := func(t *testing.T) *world {
		w := newWorld(t, hall(t, 0, 6))
		w.step(join(1, "ada"))
		w.step(say(1, 1, "count"))
		if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{WatchTicks: 5}); err != nil {
			t.Fatal(err)
		}
		w.step(say(1, 2, "count"))
		w.fresh = func() []Rule { return []Rule{handsVersion(2, 1, nil), doorRule()} }
		for range 3 { // each start begins the time anew
			w.crash()
			if err := w.region.SwapRule(0, handsRule(), SwapOptions{}); err == nil || !strings.Contains(err.Error(), "swap it at the next tick") {
				t.Fatalf("a swap before the first step: %v", err)
			}
			w.tick += 100 // the host was down for long
			for range 4 {
				w.step()
				checkSaved(t, w.region)
			}
			if got := counted(w); got != "2" || w.region.saved.Fork("hands") == nil {
				t.Fatalf("counted %s, fork %v", got, w.region.saved.Fork("hands"))
			}
		}
		return w
	}
	t.Run("swap", func(t *testing.T) {
		w := swapped(t)
		if err := w.region.SwapRule(0, handsRule(), SwapOptions{}); err != nil {
			t.Fatal(err)
		}
		w.step()
		if got := counted(w); got != "1" || w.region.saved.Fork("hands") != nil {
			t.Errorf("counted %s, fork %v", got, w.region.saved.Fork("hands"))
		}
		w.fresh = func() []Rule { return []Rule{handsRule(), doorRule()} }
		w.crash()
	})
	t.Run("start", func(t *testing.T) {
		w := swapped(t)
		w.fresh = func() []Rule { return []Rule{handsRule(), doorRule()} }
		w.crash()
		w.step()
		if got := counted(w); got != "1" || w.region.saved.Fork("hands") != nil {
			t.Errorf("counted %s, fork %v", got, w.region.saved.Fork("hands"))
		}
	})
	t.Run("proven", func(t *testing.T) {
		w := swapped(t)
		live, err := w.region.Capture()
		if err != nil {
			t.Fatal(err)
		}
		cfg := w.config()
		cfg.Rules = w.fresh()
		r, err := Revive(cfg, live)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			fx := w.step()
			r.Step(fx.Tick, nil)
			same(t, w.region, r)
		}
		if w.region.saved.Fork("hands") != nil {
			t.Error("the state of before is kept for ever")
		}
		w.crash()
	})
}

// TestRollBackByHand: while the state of before a migration is kept, the version of then has it back.
func TestRollBackByHand(t *testing.T) {
	w := newWorld(t, hall(t, 0, 6))
	w.step(join(1, "ada"))
	w.step(say(1, 1, "count"))
	if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{WatchTicks: 5}); err != nil {
		t.Fatal(err)
	}
	w.step(say(1, 2, "count"))
	if err := w.region.SwapRule(0, handsRule(), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	fx := w.step()
	if v, _ := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: "counted"}); string(v) != "1" || len(fx.Retired) != 2 {
		t.Errorf("counted %s, retired %v", v, fx.Retired)
	}
	w.crash()
	w.step()
	// When it is no longer kept, only a module that migrates back can follow.
	if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{WatchTicks: 1}); err != nil {
		t.Fatal(err)
	}
	w.step()
	w.step()
	if err := w.region.SwapRule(0, handsRule(), SwapOptions{}); err == nil || !strings.Contains(err.Error(), "has schema 1, and hands@1.0.0 (000000000000) cannot migrate it to its schema 0") {
		t.Errorf("a version of the older layout: %v", err)
	}
	w.fresh = func() []Rule { return []Rule{handsRule(), doorRule()} }
	cfg := w.config()
	cfg.Rules = w.fresh()
	if _, err := Restore(cfg, w.snapshot, w.log); err == nil || !strings.Contains(err.Error(), "has schema 1") {
		t.Errorf("a start with it: %v", err)
	}
}
