package scene

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
)

// TestBisection: of the events of one tick those that make the rule fail are refused, and every other takes effect once,
// in order.
func TestBisection(t *testing.T) {
	v := hall(t, 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 16).Draw(t, "events")
		bad := map[uint64]bool{}
		for range rapid.IntRange(0, 2).Draw(t, "bad") {
			bad[rapid.Uint64Range(1, uint64(n)).Draw(t, "who")] = true
		}
		fresh := func() []Rule { return []Rule{handsRule(), nil} }
		w := &world{t: t, venue: v, fresh: fresh, rules: fresh(), block: 1}
		var err error
		if w.region, err = New(w.config()); err != nil {
			t.Fatal(err)
		}
		var joins, in []stream.Input
		for s := uint64(1); s <= uint64(n); s++ {
			joins = append(joins, join(s, fmt.Sprintf("user%02d", s)))
			x := say(s, 1, "say")
			x.Data = fmt.Append(nil, s)
			if bad[s] {
				x.Topic = rapid.SampledFrom([]string{"trap", "half", "unknown-object"}).Draw(t, "how")
			}
			in = append(in, x)
		}
		w.step(joins...)
		fx := w.step(in...)
		var want, got []string
		for s := uint64(1); s <= uint64(n); s++ {
			if !bad[s] {
				want = append(want, fmt.Sprintf(`{"rule":"hands@1.0.0","name":"said","data":%d}`, s))
			}
		}
		for _, e := range fx.Events {
			got = append(got, string(e.Body))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("events %v, want %v", got, want)
		}
		if len(fx.Faults) != len(bad) {
			t.Fatalf("faults %+v, want those of %v", fx.Faults, bad)
		}
		for _, f := range fx.Faults {
			if !bad[f.Session] {
				t.Fatalf("session %d is blamed", f.Session)
			}
		}
		if _, there := w.region.rules[0].stored.vals[stateKey{scope: abi.ScopeRegion, key: "never"}]; there {
			t.Fatal("a failed call left state")
		}
		checkSaved(t, w.region)
	})
}

// TestOneClientAlone: whatever one person sends, and however much the others do, the rule never goes into quarantine, and
// the others are refused for at most a few ticks.
func TestOneClientAlone(t *testing.T) {
	v := hall(t, 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		fresh := func() []Rule { return []Rule{handsRule(), nil} }
		w := &world{t: t, venue: v, fresh: fresh, rules: fresh(), block: 1}
		var err error
		if w.region, err = New(w.config()); err != nil {
			t.Fatal(err)
		}
		const people = 12
		for s := uint64(1); s <= people; s++ {
			w.step(join(s, fmt.Sprint("user", s)))
		}
		seqs := [people + 1]uint32{}
		sent, said := 0, 0
		const ticks = 40
		for range ticks {
			var in []stream.Input
			for s := uint64(2); s <= people; s++ {
				seqs[s]++
				x := say(s, seqs[s], "say")
				x.Data = []byte("1")
				in = append(in, x)
				sent++
			}
			for range rapid.IntRange(0, 20).Draw(t, "attacks") {
				seqs[1]++
				in = append(in, say(1, seqs[1], rapid.SampledFrom([]string{"trap", "loop", "half", "hello"}).Draw(t, "how")))
			}
			fx := w.step(in...)
			for _, e := range fx.Events {
				if e.Type == "rule" {
					said++
				}
			}
		}
		if w.region.rules[0].quarantine {
			t.Fatal("one client brought the rule into quarantine")
		}
		// Each of the faults it takes to be kept away may cost the others the tick before the one that finds the culprit.
		if lost := sent - said; lost > 2*blockFaults*(people-1) {
			t.Fatalf("%d of %d events of others were lost", lost, sent)
		}
	})
}

// TestAlwaysFailing: a rule that always fails, or always loops, is in quarantine after a few ticks with two people.
func TestAlwaysFailing(t *testing.T) {
	for _, kind := range []abi.FaultKind{abi.FaultTrap, abi.FaultTimeout} {
		w := probe(t, func(*abi.Decoded, abi.KV) ([]abi.Command, error) {
			return nil, &abi.Fault{Kind: kind, Message: "as always"}
		})
		w.step(join(2, "ben"))
		reported := false
		for i := uint32(1); i <= 4; i++ {
			for _, f := range w.step(say(1, i, "x"), say(2, i, "x")).Faults {
				reported = reported || f.Quarantined
			}
		}
		if !w.region.rules[0].quarantine || !reported {
			t.Errorf("%s: not in quarantine after four ticks, reported %v", kind, reported)
		}
	}
}
