package node

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

// talkRule does what messages say: it scores, tells the rule of the east, and speaks to the whole venue. What it is told it says to its region.
type talkRule struct{ grabRule }

func (talkRule) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "grab", Version: "1.0.0", ABI: abi.Version,
		Events: []string{"grab", "release", "message", "signal"}, Commands: []string{"grant", "release", "score", "signal", "emit"},
	}
}

func (r talkRule) Call(batch []byte, kv abi.KV) ([]byte, error) {
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		return nil, &abi.Fault{Kind: abi.FaultOutput, Plugin: "grab", Message: err.Error()}
	}
	var out []abi.Command
	for i, e := range d.Events {
		c := abi.Command{Event: uint32(i + 1), Subject: e.Subject}
		if e.Kind == abi.EventSignal {
			_, topic, _, _ := abi.SplitSignal(e.Data)
			c.Kind, c.Value, c.Data = abi.CmdEmit, abi.EmitRegion, abi.JoinData(nil, "told-"+topic, nil)
			out = append(out, c)
			continue
		}
		switch topic, payload, _ := abi.SplitData(e.Data); topic {
		case "score":
			c.Kind, c.Value, c.Data = abi.CmdScore, 5, []byte("wins")
		case "tell":
			c.Kind, c.Scope, c.Subject, c.Data = abi.CmdSignal, abi.ScopeRegion, 2, abi.JoinSignal(nil, "grab", string(payload), nil)
		case "all":
			c.Kind, c.Value, c.Data = abi.CmdEmit, abi.EmitVenue, abi.JoinData(nil, string(payload), nil)
		default:
			return r.grabRule.Call(batch, kv)
		}
		out = append(out, c)
	}
	return abi.AppendCommands(nil, out), nil
}

func talking(c *Config) {
	c.Rules = func(int) ([]scene.Rule, error) { return []scene.Rule{talkRule{grabRule{new(atomic.Int32)}}}, nil }
}

// said counts the events of rules with a name.
func (r *reader) said(name string) int {
	n := 0
	for _, e := range r.events {
		if e.Type == "rule" && strings.Contains(string(e.Body), `"name":"`+name+`"`) && e.Rule == "grab@1.0.0" && e.Digest == "0123456789ab" {
			n++
		}
	}
	return n
}

// TestRegionsTalk: what a rule tells the rule of another region, and says to the venue, arrives there over the bus, once, and is forgotten
// by its sender once it is durable where it went.
func TestRegionsTalk(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir, talking)
	r, far := w.read(west), w.read(east)
	r.join(7, "ann")
	r.send(
		stream.Input{Kind: stream.InputMessage, Session: 7, Seq: 1, Topic: "tell", Data: []byte("one")},
		stream.Input{Kind: stream.InputMessage, Session: 7, Seq: 2, Topic: "all", Data: []byte("noon")},
		stream.Input{Kind: stream.InputMessage, Session: 7, Seq: 3, Topic: "tell", Data: []byte("two")},
	)
	far.until("the signals and the event", func() bool { return far.said("told-two") > 0 && far.said("noon") > 0 })
	r.until("the event at home", func() bool { return r.said("noon") > 0 })
	if far.said("told-one") != 1 || far.said("told-two") != 1 || far.said("noon") != 1 || r.said("noon") != 1 || r.said("told-one") != 0 {
		t.Errorf("the east heard %v, the west %v", far.events, r.events)
	}
	// An acknowledgement is one message, sent once the tick is durable: the three, and the one.
	far.until("the acknowledgement", func() bool { return w.metric("venued_region_messages_total", east) == 1 })
	if n := w.metric("venued_region_messages_total", west); n < 3 {
		t.Errorf("the west sent %v messages, want three", n)
	}
	// It is on its way: once the bus has it, the west takes it with one of its next ticks.
	if err := w.conn.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	taken := r.last.N + 60
	r.until("a second of ticks, and a durable one", func() bool { return r.last.N >= taken && r.last.Durable == r.last.Tick })
	w.close()

	w = start(t, dir, talking)
	far = w.read(east)
	far.until("a second", func() bool { return far.last.N > 2*60 })
	if n := far.said("told-one") + far.said("told-two"); n > 2 { // the ring of events may still have them
		t.Errorf("the east heard it again: %v", far.events)
	}
	if n := w.metric("venued_region_messages_total", west); n != 0 {
		t.Errorf("after a restart the west sent %v messages: it did not know that they had arrived", n)
	}
}

// TestMailIsNotOfGateways: neither gateways nor other regions can send what only the other may.
func TestMailIsNotOfGateways(t *testing.T) {
	w := start(t, t.TempDir(), talking)
	r := w.read(west)
	r.until("a first record", func() bool { return r.last.N > 0 })
	r.send(stream.Input{Kind: stream.InputRegion, Region: &stream.RegionMessage{From: east, To: west}})
	r.send(stream.Input{Kind: stream.InputReset, Object: r.cube().ID})
	join := stream.AppendInputs(nil, stream.BatchHeader{}, []stream.Input{{Kind: stream.InputJoin, Session: 9, User: "eve"}})
	for _, b := range [][]byte{join, []byte("noise")} {
		if err := r.conn.Publish(bus.Mail("hall", west), b); err != nil {
			t.Fatal(err)
		}
	}
	r.until("all four refused", func() bool { return w.metric("venued_region_inputs_lost_total", west, "batch_malformed") == 4 })
	if _, there := r.avatar(9); there {
		t.Error("somebody joined by mail")
	}
}

// TestScores: points are in the store with the record of their tick, once, and a crash neither loses nor doubles them.
func TestScores(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir, talking)
	r := w.read(west)
	r.join(7, "ann")
	for seq := uint32(1); seq <= 3; seq++ {
		r.send(stream.Input{Kind: stream.InputMessage, Session: 7, Seq: seq, Topic: "score"})
	}
	r.until("the scores", func() bool {
		n := 0
		for _, e := range r.events {
			if e.Type == "score" && e.Session == 7 && strings.Contains(string(e.Body), `"delta":5`) {
				n++
			}
		}
		return n == 3
	})
	tick := r.last.Tick
	r.until("they are durable", func() bool { return r.last.Durable >= tick })
	total := func() int64 {
		top, _, err := w.store.Board(context.Background(), "hall", store.PartitionMain, "wins", 5)
		if err != nil || len(top) != 1 || top[0].User != "ann" {
			t.Fatalf("the board has %v, %v", top, err)
		}
		return top[0].Points
	}
	if n := total(); n != 15 {
		t.Errorf("ann has %d points, want 15", n)
	}
	w.crash()
	w = start(t, dir, talking)
	if n := total(); n != 15 {
		t.Errorf("after the crash ann has %d points, want 15", n)
	}
}

// TestSwapIsWatched: a module that fails at once is replaced by the one before it, by the region itself; status, metrics and the callback say
// so, and each module is closed when nothing can need it any more.
func TestSwapIsWatched(t *testing.T) {
	var good, bad atomic.Int32
	told := make(chan scene.SwapEvent, 16)
	w := start(t, t.TempDir(), func(c *Config) {
		c.Rules = func(int) ([]scene.Rule, error) { return []scene.Rule{fixedRule{grabRule{&good}}}, nil }
		c.Module = func(context.Context, int, int, string) (scene.Rule, error) { return brokenRule{grabRule{&bad}}, nil }
		c.Swapped = func(_ int, e scene.SwapEvent) { told <- e }
	})
	r := w.read(west)
	r.join(7, "ann")
	if _, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: "0123456789abcdef", Faults: 2, Reason: "to see it fail"}); err != nil {
		t.Fatal(err)
	}
	if e := <-told; e.Returned || e.Reason != "to see it fail" || e.From.Digest != "fedcba9876543210" || e.To.Digest != "0123456789abcdef" {
		t.Errorf("the swap is told as %+v", e)
	}
	cube := r.cube()
	for seq := uint32(1); len(told) == 0; seq++ {
		r.send(stream.Input{Kind: stream.InputGrab, Session: 7, Seq: seq, Object: cube.ID, HandAt: cube.State.Body.Head})
		tick := r.last.Tick
		r.until("a tick", func() bool { return r.last.Tick > tick+1 })
	}
	if e := <-told; !e.Returned || e.To.Digest != "fedcba9876543210" || !strings.Contains(e.Reason, "unreachable <b>") {
		t.Errorf("the return is told as %+v", e)
	}
	tick := r.last.Tick
	r.until("a tick", func() bool { return r.last.Tick > tick+1 })
	if good.Load() != 0 || bad.Load() != 1 {
		t.Errorf("closed: %d of the good module, %d of the bad one", good.Load(), bad.Load())
	}
	s := w.node.Rules()[0]
	if s.Digest != "fedcba9876543210" || len(s.Swaps) != 2 || s.Swaps[0].Returned || !s.Swaps[1].Returned || s.Swaps[1].At.IsZero() {
		t.Errorf("the rule is shown as %+v", s)
	}
	for result, n := range map[string]float64{"swapped": 1, "returned": 1} {
		if got := w.metric("venued_rule_swaps_total", west, "grab", result); got != n {
			t.Errorf("venued_rule_swaps_total of %s is %v", result, got)
		}
	}
	// One that is watched when the node ends is closed too, and the one that it replaced.
	if _, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: "0123456789abcdef"}); err != nil {
		t.Fatal(err)
	}
	w.close()
	if good.Load() != 2 || bad.Load() != 2 { // good: of both regions
		t.Errorf("in the end closed: %d of the good module, %d of the bad one", good.Load(), bad.Load())
	}
}
