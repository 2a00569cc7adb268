package scene

import (
	"fmt"
	"slices"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
)

// bad is a rule that a payload with "bad" makes fail, by whatever way it comes, and that notes what it hears otherwise.
func bad(kind abi.FaultKind, heard *[]string) *twin {
	return newTwin("probe", []string{"message", "signal", "timer", "leave"}, nil, func(b *abi.Decoded, _ abi.KV) ([]abi.Command, error) {
		var out []abi.Command
		var news []string
		for i, e := range b.Events {
			topic, _, _ := abi.SplitData(e.Data)
			if e.Kind == abi.EventSignal {
				_, topic, _, _ = abi.SplitSignal(e.Data)
			}
			news = append(news, fmt.Sprint(e.Kind, " ", topic, e.Value))
			switch {
			case topic == "bad" || e.Kind == abi.EventTimer && e.Value == 13:
				return nil, &abi.Fault{Kind: kind, Message: "too much"}
			case topic == "timer":
				out = append(out, abi.Command{Kind: abi.CmdTimerStart, Event: uint32(i + 1), Scope: abi.ScopeRegion, Value: 13, Aux: 1})
			case topic == "good-timer":
				out = append(out, abi.Command{Kind: abi.CmdTimerStart, Event: uint32(i + 1), Scope: abi.ScopeRegion, Value: 1, Aux: 1})
			}
		}
		*heard = append(*heard, news...)
		return out, nil
	})
}

func badWorld(t *testing.T, kind abi.FaultKind) (*world, *[]string) {
	t.Helper()
	heard := new([]string)
	fresh := func() []Rule { return []Rule{bad(kind, heard), nil} }
	w := &world{t: t, venue: hall(t, 0, 20), fresh: fresh, rules: fresh(), block: 1}
	var err error
	if w.region, err = New(w.config()); err != nil {
		t.Fatal(err)
	}
	w.step(join(1, "ada"), join(2, "mallory"))
	return w, heard
}

// TestTimersOfOne: timers that run because of what one person did, and make the rule fail, are held against that person; they bring
// nobody else's rule into quarantine. Those that work fire even while the person is kept away.
func TestTimersOfOne(t *testing.T) {
	w, heard := badWorld(t, abi.FaultTrap)
	ada, mallory := uint32(0), uint32(0)
	for range 40 {
		ada, mallory = ada+1, mallory+1
		w.step(say(2, mallory, "timer"), say(1, ada, "hello"))
		checkSaved(t, w.region)
		if w.region.rules[0].quarantine {
			t.Fatal("one client's timers brought the rule into quarantine")
		}
	}
	who := w.region.sessions[2].person()
	o := w.region.rules[0].offenders[who]
	if o == nil || o.until <= w.tick {
		t.Fatalf("mallory is not kept away: %+v", o)
	}
	// What somebody who is kept away had started before goes on for the others.
	w.region.rules[0].startTimer(saved.Timer{Scope: abi.ScopeRegion, ID: 1, DueUS: 1, Cause: who})
	*heard = nil
	w.step()
	if !slices.Contains(*heard, "timer 1") {
		t.Errorf("heard %q, want the timer", *heard)
	}
	// A cause outlives a restart.
	w.step(say(1, ada+1, "good-timer"))
	snapshot, err := w.region.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	cfg := w.config()
	cfg.Rules = w.fresh()
	r, err := Restore(cfg, snapshot, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.rules[0].timers; len(got) != 1 || got[0].Cause != (saved.Person{User: "ada"}) {
		t.Errorf("timers after a restart: %+v", got)
	}
}

// TestLastWords: that somebody is kept away from a rule holds for what they say in the tick in which they leave, too.
func TestLastWords(t *testing.T) {
	w, heard := badWorld(t, abi.FaultTrap)
	for i := range uint32(blockFaults) {
		w.step(say(2, i+1, "bad"))
	}
	if o := w.region.rules[0].offenders[w.region.sessions[2].person()]; o == nil || o.until <= w.tick {
		t.Fatalf("mallory is not kept away: %+v", o)
	}
	*heard = nil
	fx := w.step(say(2, blockFaults+1, "bad"), stream.Input{Kind: stream.InputLeave, Session: 2})
	if len(fx.Faults) > 0 {
		t.Errorf("the rule was given the last words: %+v", fx.Faults)
	}
	if fmt.Sprint(*heard) != "[leave 0]" {
		t.Errorf("heard %q, want that mallory left", *heard)
	}
}

// TestForgottenSuspect: a suspect who is dropped from a crowded list, while its events wait for their turn, is no reason to fail.
func TestForgottenSuspect(t *testing.T) {
	w, heard := badWorld(t, abi.FaultFuel)
	rule := w.region.rules[0]
	rule.offenders[ruleAt(w.region.region.Name, "door")] = &offender{passes: 1}
	for i := range maxOffenders {
		rule.offenders[saved.Person{User: fmt.Sprint("gone", i)}] = &offender{until: 1 << 40}
	}
	w.region.enqueue(0, saved.Signal{Rule: "hands", From: "door", Region: w.region.region.Name, Topic: "t"})
	w.region.saved.Signals = slices.Clone(w.region.signals)
	w.step(join(3, "ben"), join(4, "eve"), say(1, 1, "bad"), say(2, 1, "bad"), say(3, 1, "bad"), say(4, 1, "bad"))
	if !slices.Contains(*heard, "signal t0") {
		t.Errorf("heard %q, want the signal", *heard)
	}
}

// TestFarAttacker: what somebody does in one region is held against them in the one that a rule's signal carries it to: neither the rule
// that sent it nor others' signals of it are kept away.
func TestFarAttacker(t *testing.T) {
	v := row(t)
	var heard []string
	far, err := New(Config{Venue: v, Region: 1, Epoch: 1, IDBlock: 2, Rules: []Rule{talkRule()}})
	if err != nil {
		t.Fatal(err)
	}
	probe := bad(abi.FaultTrap, &heard)
	home, err := New(Config{Venue: v, Epoch: 1, IDBlock: 1, Rules: []Rule{probe}})
	if err != nil {
		t.Fatal(err)
	}
	rule := home.rules[0]
	far.Step(1, []stream.Input{join(1, "ada"), join(2, "mallory")})
	home.Step(1, nil)
	good := 0
	for tick := uint64(2); tick < 60; tick++ {
		x, y := say(1, uint32(tick-1), "home"), say(2, uint32(tick-1), "home")
		x.Data, y.Data = []byte("good"), []byte("bad")
		fx := far.Step(tick, []stream.Input{x, y})
		var in []stream.Input
		for i := range fx.Out {
			m := fx.Out[i]
			m.Topic = string(m.Data) // what the probe fails at
			in = append(in, stream.Input{Kind: stream.InputRegion, Region: &m})
		}
		heard = nil
		fx = home.Step(tick, in)
		checkSaved(t, home)
		if rule.quarantine {
			t.Fatal("one client of another region brought the rule into quarantine")
		}
		if slices.Contains(heard, "signal good0") {
			good++
		}
	}
	if good < 55 {
		t.Errorf("%d of 57 signals of somebody else arrived", good)
	}
	if o := rule.offenders[saved.Person{User: "mallory"}]; o == nil || o.blocks == 0 {
		t.Errorf("mallory is not kept away: %+v", rule.offenders)
	}
}
