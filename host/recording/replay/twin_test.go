package replay_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

// arcade has two regions, so that messages cross a border, and two rules that talk to one another.
const arcade = `
[venue]
id = "arcade"
name = "Arcade"
[[floor]]
name = "hall"
min = [-12.0, -8.0]
max = [12.0, 8.0]
[[cut]]
axis = "x"
at = 8
[[spawn]]
name = "front"
at = [-6.0, 0.0]
radius = 3.0
[[kind]]
name = "token"
grabbable = true
usable = true
[[zone]]
name = "porch"
min = [-3.0, -3.0]
max = [3.0, 3.0]
[[rule]]
name = "busy"
plugin = "busy"
[[rule]]
name = "echo"
plugin = "echo"
`

// twin is a rule in Go that does everything a rule can, by the seed of its batches.
type twin struct {
	name    string
	version int
	broken  bool
	out     []byte
}

func (w *twin) Digest() string {
	return strings.Repeat(fmt.Sprintf("%x%d", w.name[:2], w.version), 16)[:64]
}

func (w *twin) Manifest() *abi.Manifest {
	m := &abi.Manifest{Name: w.name, Version: fmt.Sprintf("%d.0.0", w.version), ABI: abi.Version, MinorMin: 1, Schema: min(w.version, 2)}
	if w.version > 4 {
		m.Schema = 3
	}
	for _, name := range []string{"join", "leave", "enter", "exit", "grab", "release", "use", "timer", "message", "dropped", "signal"} {
		if w.name == "busy" || name == "signal" {
			m.Events = append(m.Events, name)
		}
	}
	m.Commands = []string{"grant", "deny", "release", "set_state", "teleport", "emit", "timer_start", "accept", "score", "signal"}
	if w.name == "busy" {
		m.Views = []abi.View{{Rows: "users", Zone: "porch"}, {Rows: "objects", Kind: "token"}, {Rows: "poses", Hz: 10}}
	}
	return m
}

// Migrate turns "visits" into "visits2".
func (w *twin) Migrate(from int, kv abi.KV) error {
	if w.version == 5 {
		kv.Put(abi.ScopeRegion, 0, "never", []byte("x"))
		return &abi.Fault{Kind: abi.FaultMigrate, Plugin: w.name, Message: "it cannot"}
	}
	v, code := kv.Get(abi.ScopeRegion, 0, "visits")
	if code == 0 {
		kv.Put(abi.ScopeRegion, 0, "visits2", v)
		kv.Del(abi.ScopeRegion, 0, "visits")
	}
	return nil
}

func (w *twin) Call(batch []byte, kv abi.KV) ([]byte, error) {
	var b abi.Decoded
	if err := abi.DecodeBatch(batch, &b); err != nil {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: w.name, Message: err.Error()}
	}
	if w.broken {
		kv.Put(abi.ScopeRegion, 0, "never", []byte("x"))
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: w.name, Message: "it is broken"}
	}
	rng := rand.New(rand.NewPCG(b.Header.Seed, uint64(w.version)))
	visits := []string{"visits", "visits2"}[min(w.version, 2)-1]
	var cmds []abi.Command
	for i := range b.Events {
		e, n := &b.Events[i], uint32(i+1)
		switch e.Kind {
		case abi.EventGrab:
			if e.Holder == 0 && rng.IntN(4) > 0 {
				cmds = append(cmds, abi.Command{Kind: abi.CmdGrant, Event: n, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
			} else {
				cmds = append(cmds, abi.Command{Kind: abi.CmdDeny, Event: n, Value: abi.DenyHeld, Data: []byte("taken")})
			}
		case abi.EventRelease:
			cmds = append(cmds, abi.Command{Kind: abi.CmdRelease, Event: n, Object: e.Object})
		case abi.EventUse:
			cmds = append(cmds, abi.Command{Kind: abi.CmdSetState, Event: n, Object: e.Object, Value: int64(e.Value + 1)})
			kv.Put(abi.ScopeObject, e.Object, "used", []byte{byte(e.Value)})
		case abi.EventJoin:
			kv.Put(abi.ScopeRegion, 0, visits, e.Data)
			kv.Put(abi.ScopeUser, e.Subject, "name", e.Data)
			cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitVenue, Data: abi.JoinData(nil, "came", fmt.Appendf(nil, "%q", e.Data))})
		case abi.EventMessage:
			if rng.IntN(30) == 0 {
				return nil, &abi.Fault{Kind: abi.FaultBudget, Plugin: w.name, Message: "it computed enough for a tick"}
			}
			if rng.IntN(12) == 0 {
				return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: w.name, Message: "it does not like " + string(e.Data)}
			}
			name, _ := kv.Get(abi.ScopeUser, e.Subject, "name")
			cmds = append(cmds,
				abi.Command{Kind: abi.CmdScore, Subject: e.Subject, Value: int64(rng.IntN(9) - 4), Data: []byte("talk")},
				abi.Command{Kind: abi.CmdSignal, Event: n, Data: []byte("echo\x00said\x00" + string(name))},
				abi.Command{Kind: abi.CmdSignal, Scope: abi.ScopeRegion, Subject: 2, Data: []byte("echo\x00far\x00" + string(name))},
				abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeUser, Subject: e.Subject, Value: 1, Aux: uint64(rng.IntN(3_000_000) + 1)})
		case abi.EventTimer:
			rings, _ := kv.Get(abi.ScopeUser, e.Subject, "rings")
			kv.Put(abi.ScopeUser, e.Subject, "rings", append(rings[:len(rings):len(rings)], '+'))
			cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitRegion, Data: abi.JoinData(nil, "ring", fmt.Appendf(nil, "%q", rings))})
		case abi.EventSignal:
			_, payload, _ := abi.SplitData(e.Data)
			kv.Put(abi.ScopeRegion, 0, "heard", payload)
		}
	}
	// What it sees goes into its state.
	for i := range b.Rows {
		if r := &b.Rows[i]; r.Kind == abi.RowPose && r.X&7 == 0 {
			kv.Put(abi.ScopeRegion, 0, "seen", fmt.Append(nil, r.ID, r.Aux))
		}
	}
	w.out = abi.AppendCommands(w.out[:0], cmds)
	return w.out, nil
}

func newTwin(name string, version int) *twin {
	return &twin{name: name, version: version, broken: version == 3}
}

// TestTwins records everything that rules can do: signals and messages over borders, scores, views of poses, timers, faults; a swap that is
// being watched as the recording begins, ones that migrate and that cannot, and one to a module that is broken, from which the region goes
// back by itself. The replay does the same, with modules and without.
func TestTwins(t *testing.T) {
	v, err := venues.Read("arcade.toml", []byte(arcade+things("token", "token", "token", "token")), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, venue: v, tick: 50}
	wrap := func(index int, r scene.Rule) scene.Rule { return recorded{r, w, index} }
	w.rules = []scene.Rule{wrap(0, newTwin("busy", 1)), wrap(1, newTwin("echo", 1))}
	if w.region, err = scene.New(scene.Config{Venue: v, Epoch: 2, IDBlock: 5, Rules: w.rules}); err != nil {
		t.Fatal(err)
	}
	w.crowd = newCrowd(v, w.region, 15)
	w.crowd.more = neighbour(v)
	returned := 0
	w.after = func(fx *scene.Effects) {
		for _, s := range fx.Swaps {
			if s.Returned {
				returned++
			}
		}
	}
	swap := func(version int, opt scene.SwapOptions) {
		t.Helper()
		fresh := wrap(0, newTwin("busy", version))
		if err := w.region.SwapRule(0, fresh, opt); err != nil {
			t.Fatal(err)
		}
		w.rules[0] = fresh
		if w.rec != nil {
			w.rec.Swap(0, fresh, opt)
		}
	}
	w.play(200)
	swap(2, scene.SwapOptions{WatchTicks: 150, Reason: "a new layout"})
	if _, err := recording.New(&bytes.Buffer{}, recording.Start{Venue: v, Region: w.region, Rules: w.rules, Began: time.Now()}); err == nil || !strings.Contains(err.Error(), "after the next") {
		t.Errorf("recording began between a swap and its first tick: %v", err)
	}
	w.play(50)
	w.record(recording.Limits{})
	w.play(200)
	refuse := func() {
		t.Helper()
		if err := w.region.SwapRule(0, wrap(0, newTwin("busy", 5)), scene.SwapOptions{}); err == nil {
			t.Fatal("a module that cannot migrate took over")
		}
	}
	refuse()
	swap(4, scene.SwapOptions{Faults: 2})
	w.play(100)
	refuse()
	swap(6, scene.SwapOptions{WatchTicks: 50})
	w.play(100)
	swap(3, scene.SwapOptions{Faults: 3, Reason: "it looked better"})
	w.play(250)
	file := w.stop()
	if returned != 1 {
		t.Fatalf("the region went back %d times, want once", returned)
	}
	for name, o := range map[string]replay.Options{
		"recorded answers": {},
		"asked":            {Ask: []replay.Asked{{Rule: "echo", Module: newTwin("echo", 1)}}},
		"modules": {Decide: func(_ string, m *recording.Module) (scene.Rule, error) {
			var version int
			fmt.Sscan(m.Manifest.Version[:1], &version)
			return newTwin(m.Manifest.Name, version), nil
		}},
	} {
		r := run(t, file, o)
		if r.ByClock > 0 {
			t.Errorf("%s: a clock is said to have ended %d calls", name, r.ByClock)
		}
		if !r.Same() || r.EffectsDiffer > 0 || r.Swaps != 3 || r.Ticks != 650 || r.Calls < 300 {
			t.Errorf("%s: the replay went otherwise:\n%.4000s", name, text(r))
		}
	}
	noNames(t, w, file)
}

// TestAskedThroughFaults: batches that the rule fails at come again in halves; a module that is asked counts nothing twice for it.
func TestAskedThroughFaults(t *testing.T) {
	v, err := venues.Read("arcade.toml", []byte(arcade+things("token", "token")), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, venue: v, tick: 50}
	w.rules = []scene.Rule{recorded{newTwin("busy", 1), w, 0}, recorded{newTwin("echo", 1), w, 1}}
	if w.region, err = scene.New(scene.Config{Venue: v, Epoch: 2, IDBlock: 5, Rules: w.rules}); err != nil {
		t.Fatal(err)
	}
	w.crowd = newCrowd(v, w.region, 15)
	faults := 0
	w.after = func(fx *scene.Effects) { faults += len(fx.Faults) }
	w.play(1)
	w.record(recording.Limits{})
	w.play(600)
	r := run(t, w.stop(), replay.Options{Ask: []replay.Asked{{Rule: "busy", Module: newTwin("busy", 1)}}})
	if !r.Same() || faults == 0 {
		t.Errorf("%d faults; the replay went otherwise:\n%.3000s", faults, text(r))
	}
}

// neighbour is the region beyond the border: it sends messages, some twice, and acknowledges those it gets.
func neighbour(v *venues.Venue) func(tick uint64) []stream.Input {
	n := uint64(0)
	return func(tick uint64) []stream.Input {
		if tick%20 != 0 {
			return nil
		}
		n++
		here, there := v.Regions[0].Name, v.Regions[1].Name
		m := &stream.RegionMessage{
			Kind: stream.RegionMessageKind(1 + n%2), From: there, To: here, At: stream.RegionPoint{Epoch: 1, N: n},
			Rule: "echo", Sender: "busy", Plugin: "busy@1.0.0", Digest: "00", Topic: "over", Data: []byte(`"from the other side"`),
		}
		if n > 1 {
			m.After = stream.RegionPoint{Epoch: 1, N: n - 1}
		}
		in := []stream.Input{{Kind: stream.InputRegion, Region: m}}
		if n%3 == 0 {
			in = append(in, in[0], stream.Input{Kind: stream.InputRegionAck, Region: &stream.RegionMessage{From: there, To: here, At: stream.RegionPoint{Epoch: 2, N: n}}})
		}
		return in
	}
}
