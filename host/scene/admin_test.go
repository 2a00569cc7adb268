package scene

import (
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
)

// TestSwapRule: a rule in quarantine is replaced between two steps: the new module decides, its keys are still
// there, nothing is held against anybody.
func TestSwapRule(t *testing.T) {
	w := probe(t, func(_ *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Message: "as always"}
	})
	good := func(n *int) *twin {
		return newTwin("probe", []string{"message"}, nil, func(_ *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			*n++
			count(kv, abi.ScopeRegion, 0, "calls")
			return nil, nil
		})
	}
	var first, second int
	if err := w.region.SwapRule(0, good(&first), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	w.step(say(1, 1, "x"))
	if first != 1 {
		t.Fatalf("the new module was called %d times, want 1", first)
	}
	w.step(join(2, "ben"))
	bad := newTwin("probe", []string{"message"}, nil, func(*abi.Decoded, abi.KV) ([]abi.Command, error) {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Message: "as always"}
	})
	if err := w.region.SwapRule(0, bad, SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := uint32(1); i <= 4; i++ {
		w.step(say(1, i+1, "x"), say(2, i, "x"))
	}
	if !w.region.rules[0].quarantine {
		t.Fatal("not in quarantine after four failing ticks")
	}
	if err := w.region.SwapRule(0, good(&second), SwapOptions{}); err != nil {
		t.Fatal(err)
	}
	w.step(say(1, 6, "x"), say(2, 5, "x"))
	if second != 1 || w.region.rules[0].quarantine || len(w.region.rules[0].offenders) != 0 {
		t.Errorf("after the swap: %d calls, quarantine %v, %d offenders", second, w.region.rules[0].quarantine, len(w.region.rules[0].offenders))
	}
	if v, _ := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: "calls"}); string(v) != "2" {
		t.Errorf("the rule's key is %q, want 2: one call before and one after", v)
	}
}

// TestSwapRuleRefuses: what does not fit changes nothing.
func TestSwapRuleRefuses(t *testing.T) {
	w := newWorld(t, hall(t, 0, 8))
	old := w.region.rules[0].Rule
	for _, i := range []int{-1, 2} {
		if err := w.region.SwapRule(i, handsRule(), SwapOptions{}); err == nil {
			t.Errorf("rule %d was swapped; there are two", i)
		}
	}
	if w.region.rules[0].Rule != old {
		t.Error("a refused swap changed the rule")
	}
}

// TestFirstModule: a rule whose module could not be loaded gets one while the region runs, with the state that waits for it.
func TestFirstModule(t *testing.T) {
	w := newWorld(t, hall(t, 0, 8))
	w.step(join(1, "ada"))
	w.step(say(1, 1, "count"))
	w.fresh = func() []Rule { return []Rule{nil, doorRule()} }
	w.crash()
	w.step(stream.Input{Kind: stream.InputBack, Session: 1})
	w.step(say(1, 2, "count"))
	if err := w.region.SwapRule(0, handsVersion(2, 1, nil), SwapOptions{Reason: "found again"}); err != nil {
		t.Fatal(err)
	}
	fx := w.step(say(1, 3, "count"))
	if len(fx.Swaps) != 1 || fx.Swaps[0].From.String() != "none" || fx.Swaps[0].To.Version != "1.0.2" || len(fx.Retired) != 0 {
		t.Errorf("swaps %+v, retired %v", fx.Swaps, fx.Retired)
	}
	for key, want := range map[string]string{"counted": "2", "schema": "1"} {
		if v, _ := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: key}); string(v) != want {
			t.Errorf("%s is %q, want %q", key, v, want)
		}
	}
	checkSaved(t, w.region)
	w.fresh = func() []Rule { return []Rule{handsVersion(2, 1, nil), doorRule()} }
	w.crash()
}

func TestObjectByName(t *testing.T) {
	w := newWorld(t, hall(t, 0, 8))
	if e, ok := w.region.Object("cup"); !ok || e.Name != "cup" || e.ID == 0 {
		t.Errorf("cup: %+v, %v", e, ok)
	}
	if _, ok := w.region.Object("gate"); ok {
		t.Error("a door was taken for an object")
	}
}
