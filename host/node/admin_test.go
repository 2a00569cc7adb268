package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
)

// ask sends a region an operator's request.
func (w *world) ask(region string, q bus.AdminRequest) (bus.AdminReply, error) {
	w.t.Helper()
	body, err := json.Marshal(q)
	if err != nil {
		w.t.Fatal(err)
	}
	var reply bus.AdminReply
	data, err := w.conn.Request(context.Background(), bus.Admin("hall", region), body)
	if err == nil {
		err = json.Unmarshal(data, &reply)
	}
	return reply, err
}

// TestReset: a held object goes back to its place, out of the hand; the answer says from which tick.
func TestReset(t *testing.T) {
	w := start(t, t.TempDir())
	r := w.read(west)
	r.join(7, "ann")
	home := r.cube().State.Body.Head
	r.grab(7, 1)
	r.until("the grab", func() bool { return r.cube().State.Holder != 0 })
	body := mustAvatar(t, r, 7).State.Body
	body.Left = at(-9.8, 1.3, 0.2)
	r.send(stream.Input{Kind: stream.InputPose, Session: 7, PoseSeq: 2, Body: body})
	r.until("the cube follows the hand", func() bool { return r.cube().State.Body.Head != home })

	got, err := w.ask(west, bus.AdminRequest{Op: bus.AdminReset, Object: "cube"})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Released || !got.Changed || got.Tick == 0 {
		t.Errorf("the answer is %+v, want released and changed at a tick", got)
	}
	r.until("the reset", func() bool { return r.last.Tick >= got.Tick })
	if c := r.cube(); c.State.Holder != 0 || c.State.Body.Head != home {
		t.Errorf("the cube is held by %d at %v, want nobody and %v", c.State.Holder, c.State.Body.Head, home)
	}
	if got, err = w.ask(west, bus.AdminRequest{Op: bus.AdminReset, Object: "cube"}); err != nil || got.Released || got.Changed {
		t.Errorf("a second reset: %+v, %v; want no change", got, err)
	}
}

// brokenRule fails at every message.
type brokenRule struct{ grabRule }

func (brokenRule) Call([]byte, abi.KV) ([]byte, error) {
	return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "grab", Message: "unreachable <b>"}
}

// fixedRule is the next version of it.
type fixedRule struct{ grabRule }

func (fixedRule) Digest() string { return "fedcba9876543210" }

// TestSwap: a rule in quarantine says why, and is replaced by its next version while the region runs.
func TestSwap(t *testing.T) {
	var reloads atomic.Int32
	var closed atomic.Int32
	w := start(t, t.TempDir(), func(c *Config) {
		c.Rules = func(int) ([]scene.Rule, error) { return []scene.Rule{brokenRule{grabRule{&closed}}}, nil }
		c.Module = func(_ context.Context, region, rule int, digest string) (scene.Rule, error) {
			if digest != "fedcba9876543210" {
				return nil, fmt.Errorf("there is no module %q", digest)
			}
			if reloads.Add(1) == 1 {
				return nil, errors.New("the module does not compile")
			}
			return fixedRule{grabRule{&closed}}, nil
		}
	})
	r := w.read(west)
	r.join(7, "ann")
	r.join(8, "ben")
	cube := r.cube()
	seq := uint32(1)
	for ; !w.node.Rules()[0].Quarantined; seq++ {
		for _, session := range []uint64{7, 8} {
			r.send(stream.Input{Kind: stream.InputGrab, Session: session, Seq: seq, Object: cube.ID, HandAt: cube.State.Body.Head})
		}
		tick := r.last.Tick
		r.until("a tick", func() bool { return r.last.Tick > tick+1 })
	}
	s := w.node.Rules()[0]
	if s.Rule != "grab" || s.Region != west || s.Faults == 0 || !strings.Contains(s.LastFault, "unreachable") || s.Calls.N == 0 || s.Calls.P99 < s.Calls.Mean/2 {
		t.Errorf("the rule in quarantine is shown as %+v", s)
	}

	if _, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: "fedcba9876543210"}); err == nil || !strings.Contains(err.Error(), "does not compile") || !strings.Contains(err.Error(), "goes on with what it runs") {
		t.Errorf("a module that does not compile: %v", err)
	}
	if closed.Load() != 0 || !w.node.Rules()[0].Quarantined {
		t.Error("a reload that failed changed something")
	}
	got, err := w.ask(west, bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab", Digest: "fedcba9876543210"})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Changed || got.To.Digest != "fedcba9876543210" || got.To.Version != "1.0.0" || got.From.Digest != "0123456789abcdef" || got.From.Plugin != "grab" {
		t.Errorf("the answer is %+v", got)
	}
	if s := w.node.Rules()[0]; s.Quarantined || s.Faults != 0 || s.Digest != got.To.Digest {
		t.Errorf("after the reload the rule is shown as %+v", s)
	}
	// The region gives the old one back with a step; the driver closes it after that.
	r.until("the old rule to be closed", func() bool { return closed.Load() == 1 })
	r.send(stream.Input{Kind: stream.InputGrab, Session: 7, Seq: seq, Object: cube.ID, HandAt: cube.State.Body.Head})
	r.until("the grab", func() bool { return r.cube().State.Holder != 0 })
}

func TestAdminRefuses(t *testing.T) {
	w := start(t, t.TempDir())
	r := w.read(west)
	r.until("a first record", func() bool { return r.last.N > 0 })
	for _, c := range []struct {
		q    bus.AdminRequest
		want string
	}{
		{bus.AdminRequest{Op: bus.AdminReset, Object: "chair"}, `no object "chair"`},
		{bus.AdminRequest{Op: bus.AdminSwap, Rule: "grab"}, "restart it"},
		{bus.AdminRequest{Op: "explode"}, `unknown operation "explode"`},
	} {
		if _, err := w.ask(west, c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.q, err, c.want)
		}
	}
	if times := w.node.TickTimes(); len(times) != 2 || times[0].N == 0 || times[0].P99 <= 0 {
		t.Errorf("times of ticks: %+v", times)
	}
}
