package scene

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
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
		refused := map[uint64]int{}
		for _, e := range fx.Events {
			if e.Type == "error" && e.Seq == 1 {
				refused[e.Session]++
				continue
			}
			got = append(got, string(e.Body))
		}
		for s := uint64(1); s <= uint64(n); s++ {
			if refused[s] > 1 || bad[s] != (refused[s] == 1) {
				t.Fatalf("session %d was refused %d times, bad are %v", s, refused[s], bad)
			}
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
		if _, there := w.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: "never"}); there {
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

// TestLoopingClient: somebody whose events make the rule loop holds up everybody for a tenth of a second each time. In ten minutes
// that happens a few times, although they never stop trying and come back under new sessions.
func TestLoopingClient(t *testing.T) {
	loops := 0
	var w *world
	w = probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		for _, e := range b.Events {
			if topic, _, _ := abi.SplitData(e.Data); topic == "loop" {
				loops++
				return nil, &abi.Fault{Kind: abi.FaultFuel, Message: "used more than it may"}
			}
		}
		return nil, nil
	})
	session, seq, good, refused := uint64(2), uint32(0), uint32(0), 0
	for i := range 10 * 60 * w.venue.TickHz {
		in := []stream.Input{join(session, "mallory")}
		if i%100 == 99 {
			in = append(in, stream.Input{Kind: stream.InputLeave, Session: session})
			session, seq = session+1, 0
		} else {
			seq++
			in = append(in, say(session, seq, "loop"))
		}
		good++
		for _, e := range w.step(append(in, say(1, good, "hello"))...).Events {
			if e.Type == "error" && e.Session == 1 {
				refused++
			}
		}
	}
	if loops > 12 || loops < 3 {
		t.Errorf("the rule looped %d times in ten minutes, want a few", loops)
	}
	if refused > 2 {
		t.Errorf("somebody else was refused %d times", refused)
	}
	if w.region.rules[0].quarantine {
		t.Error("one client brought the rule into quarantine")
	}
}

// TestForgiven: faults far apart keep nobody away.
func TestForgiven(t *testing.T) {
	w := probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Message: "as always"}
	})
	for i := range uint32(3 * blockFaults) {
		w.tick += 2 * forgiveS * uint64(w.venue.TickHz)
		if fx := w.step(say(1, i+1, "x")); len(fx.Faults) != 1 {
			t.Fatalf("event %d did not reach the rule", i+1)
		}
	}
}

// TestOthersTimers: timers and departures that fall into a tick that somebody else spoiled are not lost, nor those of
// people who are kept away.
func TestOthersTimers(t *testing.T) {
	var heard []string
	fresh := func() []Rule {
		return []Rule{newTwin("probe", []string{"message", "timer", "leave"}, nil, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
			var out []abi.Command
			for _, e := range b.Events {
				if topic, _, _ := abi.SplitData(e.Data); topic == "loop" {
					return nil, &abi.Fault{Kind: abi.FaultFuel, Message: "used more than it may"}
				} else if topic == "timers" {
					out = append(out,
						abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeZone, Subject: 1, Value: 1, Aux: 50_000},
						abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: 2, Aux: 50_000},
						abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeUser, Subject: e.Subject, Value: 3, Aux: 50_000})
				}
			}
			for _, e := range b.Events {
				if e.Kind == abi.EventTimer || e.Kind == abi.EventLeave {
					heard = append(heard, fmt.Sprint(e.Kind, e.Value))
				}
			}
			return out, nil
		}), nil}
	}
	w := &world{t: t, venue: hall(t, 0, 20), fresh: fresh, rules: fresh(), block: 1}
	var err error
	if w.region, err = New(w.config()); err != nil {
		t.Fatal(err)
	}
	w.step(join(1, "ada"), join(2, "mallory"), join(3, "ben"), join(4, "eve"), join(5, "dan"))
	w.step(say(1, 1, "timers"))
	// Two who loop, among seven events: the calls of a tick do not suffice to find both.
	w.step(say(2, 1, "loop"), say(3, 1, "a"), say(4, 1, "loop"), say(5, 1, "b"))
	checkSaved(t, w.region)
	w.step()
	if got := fmt.Sprint(heard); got != "[timer 3 timer 1 timer 2]" {
		t.Errorf("timers that came: %s", got)
	}
	// Mallory is kept away; her timer waits, and that she goes is heard.
	heard = nil
	mallory := w.region.sessions[2]
	for i := range uint32(4) {
		w.step(say(2, i+2, "loop"))
	}
	if w.region.rules[0].offenders[mallory.person()].until <= w.tick {
		t.Fatal("mallory is not kept away")
	}
	w.region.rules[0].startTimer(saved.Timer{Scope: abi.ScopeUser, Subject: mallory.ID, ID: 9, DueUS: 1})
	w.step()
	checkSaved(t, w.region)
	if timers := w.region.rules[0].timers; len(timers) != 1 || len(heard) != 0 {
		t.Errorf("timers of somebody kept away: %+v wait, %v were heard", timers, heard)
	}
	w.step(stream.Input{Kind: stream.InputLeave, Session: 2})
	if fmt.Sprint(heard) != "[leave 0]" {
		t.Errorf("heard %v, want that she left", heard)
	}
	checkSaved(t, w.region)
}

// TestBudget: what the rule's engine had no time to run in a tick is nobody's fault.
func TestBudget(t *testing.T) {
	spent := false
	w := probe(t, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		if spent {
			return nil, &abi.Fault{Kind: abi.FaultBudget, Message: "its calls in this tick took 200 ms"}
		}
		return nil, nil
	})
	w.step(join(2, "ben"))
	for i := range uint32(20) {
		spent = i%2 == 0
		fx := w.step(say(1, i+1, "x"), say(2, i+1, "y"))
		refused := 0
		for _, e := range fx.Events {
			if e.Type == "error" {
				refused++
			}
		}
		if want := map[bool]int{true: 2}[spent]; refused != want {
			t.Fatalf("tick %d: %d refused, want %d", w.tick, refused, want)
		}
		if want := map[bool]int{true: 1}[spent]; len(fx.Faults) != want {
			t.Fatalf("tick %d: faults %+v, want %d", w.tick, fx.Faults, want)
		}
	}
	for who, o := range w.region.rules[0].offenders {
		if o.faults+o.blocks > 0 {
			t.Errorf("%v is blamed: %+v", who, *o)
		}
	}
	if w.region.rules[0].quarantine {
		t.Error("quarantine")
	}
}

// TestAlwaysFailing: a rule that always fails, or always loops, is in quarantine after a few ticks with two people.
func TestAlwaysFailing(t *testing.T) {
	for _, kind := range []abi.FaultKind{abi.FaultTrap, abi.FaultFuel, abi.FaultTimeout} {
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
