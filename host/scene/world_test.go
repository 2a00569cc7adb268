package scene

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// hallTOML is the venue that the tests play in: a hall of 20 x 12 m, a door with its zone, and a few things.
const hallTOML = `
[venue]
id = "test-hall"
name = "The test hall"
tick_hz = 20
grab_window_ms = %d
[venue.limits]
users = %d
[[floor]]
name = "hall"
min = [-10.0, -6.0]
max = [10.0, 6.0]
[[spawn]]
name = "front"
at = [-6.0, 0.0]
radius = 1.0
[[spawn]]
name = "back"
at = [6.0, 0.0]
radius = 1.0
[[kind]]
name = "cup"
grabbable = true
[[kind]]
name = "ball"
grabbable = true
restore = true
[[kind]]
name = "bell"
usable = true
[[kind]]
name = "lamp"
grabbable = true
usable = true
[[object]]
name = "cup"
kind = "cup"
at = [0.0, 1.0, 0.0]
[[object]]
name = "ball"
kind = "ball"
at = [9.0, 1.0, 5.0]
[[object]]
name = "bell"
kind = "bell"
at = [-3.0, 1.0, 0.0]
[[object]]
name = "lamp"
kind = "lamp"
at = [0.5, 1.0, 0.0]
[[zone]]
name = "porch"
min = [2.0, -2.0]
max = [4.0, 2.0]
[[zone]]
name = "corner"
min = [-9.0, 4.0]
max = [-7.0, 6.0]
[[door]]
name = "gate"
at = [3.0, 0.0]
zone = "porch"
open_s = 0.5
[[rule]]
name = "hands"
plugin = "hands"
kinds = ["cup", "ball", "bell"]
[[rule]]
name = "door"
plugin = "door"
kinds = ["lamp"]
`

func hall(t failer, windowMS, users int) *venues.Venue {
	t.Helper()
	v, err := venues.Read("hall.toml", fmt.Appendf(nil, hallTOML, windowMS, users), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// failer is what tests and property tests have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// twin is a rule in Go: what a plugin does, without the sandbox.
type twin struct {
	manifest *abi.Manifest
	digest   string // default: zeros
	play     func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error)
	migrate  func(from int, kv abi.KV) error
	batch    abi.Decoded
	out      []byte
	calls    int
}

func (w *twin) Manifest() *abi.Manifest { return w.manifest }
func (w *twin) Digest() string          { return cmp.Or(w.digest, strings.Repeat("0", 64)) }

func (w *twin) Migrate(from int, kv abi.KV) error {
	if w.migrate == nil {
		return &abi.Fault{Kind: abi.FaultInit, Plugin: w.manifest.Name, Message: "it does not export venued_migrate"}
	}
	return w.migrate(from, kv)
}

func (w *twin) Call(batch []byte, kv abi.KV) ([]byte, error) {
	w.calls++
	if err := abi.DecodeBatch(batch, &w.batch); err != nil {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: w.manifest.Name, Message: err.Error()}
	}
	cmds, err := w.play(&w.batch, kv)
	if err != nil {
		return nil, err
	}
	w.out = abi.AppendCommands(w.out[:0], cmds)
	return w.out, nil
}

func names[K ~uint16](m map[string]K) []string {
	var out []string
	for n := range m {
		out = append(out, n)
	}
	return out
}

func newTwin(name string, events []string, views []string, play func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error)) *twin {
	var rows []abi.View
	for _, v := range views {
		rows = append(rows, abi.View{Rows: v})
	}
	return &twin{play: play, manifest: &abi.Manifest{
		Name: name, Version: "1.0.0", ABI: abi.Version, Events: events, Views: rows, Commands: names(abi.CommandNames),
	}}
}

// handsRule grants the first request for what nobody holds, counts grants in its state, and does what messages say, good or bad.
func handsRule() *twin {
	var cmds []abi.Command
	granted := map[uint64]bool{}
	var deny = []byte("somebody was first")
	return newTwin("hands", []string{"grab", "release", "use", "message", "dropped", "join"}, nil,
		func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			cmds = cmds[:0]
			clear(granted)
			for i := range b.Events {
				e, n := &b.Events[i], uint32(i+1)
				switch e.Kind {
				case abi.EventGrab:
					if granted[e.Object] || e.Holder != 0 && e.Holder != e.Subject {
						cmds = append(cmds, abi.Command{Kind: abi.CmdDeny, Event: n, Value: abi.DenyHeld, Data: deny})
						continue
					}
					granted[e.Object] = true
					count(kv, abi.ScopeObject, e.Object, "grabs")
					count(kv, abi.ScopeUser, e.Subject, "grabs")
					cmds = append(cmds, abi.Command{Kind: abi.CmdGrant, Event: n, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
				case abi.EventRelease:
					cmds = append(cmds, abi.Command{Kind: abi.CmdRelease, Event: n, Object: e.Object})
				case abi.EventUse:
					cmds = append(cmds, abi.Command{Kind: abi.CmdSetState, Event: n, Object: e.Object, Value: int64(e.Value + 1)})
				case abi.EventDropped:
					count(kv, abi.ScopeRegion, 0, "dropped")
				case abi.EventMessage:
					more, err := obey(cmds, e, kv)
					if err != nil {
						return nil, err
					}
					cmds = more
				}
			}
			return cmds, nil
		})
}

// count adds one to a decimal number in a rule's state.
func count(kv abi.KV, scope abi.Scope, subject uint64, key string) {
	n := 0
	if v, code := kv.Get(scope, subject, key); code == 0 {
		fmt.Sscan(string(v), &n)
	}
	kv.Put(scope, subject, key, fmt.Append(nil, n+1))
}

// obey does what a message's topic says.
func obey(cmds []abi.Command, e *abi.Event, kv abi.KV) ([]abi.Command, error) {
	topic, data, _ := abi.SplitData(e.Data)
	var at struct{ X, Y, Z float64 }
	_ = json.Unmarshal(data, &at)
	p, _ := lattice.VecFromMetres(at.X, at.Y, at.Z)
	switch topic {
	case "trap":
		kv.Put(abi.ScopeRegion, 0, "never", []byte("x"))
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "hands", Message: "unreachable"}
	case "loop":
		return nil, &abi.Fault{Kind: abi.FaultTimeout, Plugin: "hands", Message: "ran for 100 ms"}
	case "unknown-object":
		cmds = append(cmds, abi.Command{Kind: abi.CmdSetState, Object: 99, Value: 1})
	case "foreign-object":
		cmds = append(cmds, abi.Command{Kind: abi.CmdSetState, Object: 1<<32 | 4, Value: 1})
	case "state":
		cmds = append(cmds, abi.Command{Kind: abi.CmdSetState, Object: 1<<32 | 1, Value: 7})
	case "half": // something good, then something that is not allowed
		kv.Put(abi.ScopeRegion, 0, "never", []byte("x"))
		cmds = append(cmds,
			abi.Command{Kind: abi.CmdSetState, Object: 1<<32 | 1, Value: 9},
			abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeRegion, Value: 1, Aux: 1},
			abi.Command{Kind: abi.CmdTeleport, Subject: e.Subject, X: 1 << 20})
	case "teleport":
		cmds = append(cmds, abi.Command{Kind: abi.CmdTeleport, Subject: e.Subject, X: p.X, Y: p.Y, Z: p.Z})
	case "put":
		cmds = append(cmds, abi.Command{Kind: abi.CmdSetPose, Object: 1<<32 | 1, X: p.X, Y: p.Y, Z: p.Z})
	case "say":
		cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitRegion, Data: abi.JoinData(nil, "said", data)})
	case "whisper":
		cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitUser, Subject: e.Subject, Data: abi.JoinData(nil, "heard", data)})
	case "note":
		kv.Put(abi.ScopeUser, e.Subject, "note", data)
	case "score":
		n, _ := strconv.ParseInt(string(data), 10, 64)
		cmds = append(cmds, abi.Command{Kind: abi.CmdScore, Subject: e.Subject, Value: n, Data: []byte("wins")})
	case "signal": // what to tell the door rule
		cmds = append(cmds, abi.Command{Kind: abi.CmdSignal, Data: abi.JoinSignal(nil, "door", string(data), []byte("please"))})
	case "announce":
		cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitVenue, Data: abi.JoinData(nil, "announced", data)})
	case "count":
		count(kv, abi.ScopeRegion, 0, "counted")
	}
	return cmds, nil
}

// doorRule opens the door of a zone that somebody enters and closes it a second after the last one left.
// It has the lamps too, and nothing to say about grabbing them.
func doorRule() *twin {
	var cmds []abi.Command
	return newTwin("door", []string{"enter", "exit", "timer", "use", "signal"}, []string{"doors", "zones"},
		func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			cmds = cmds[:0]
			doors := map[uint64]uint64{}
			for _, w := range b.Rows {
				if w.Kind == abi.RowZone {
					doors[w.ID] = w.Aux
				}
			}
			for i := range b.Events {
				e := &b.Events[i]
				if e.Kind == abi.EventSignal {
					from, topic, _, _ := abi.SplitSignal(e.Data)
					if topic == "trap" {
						return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "door", Message: "the signal was too much"}
					}
					cmds = append(cmds, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitRegion, Data: abi.JoinData(nil, "told-"+topic, fmt.Appendf(nil, "%q", from))})
					continue
				}
				door := doors[e.Object]
				if door == 0 {
					continue
				}
				timer := abi.Command{Kind: abi.CmdTimerCancel, Scope: abi.ScopeZone, Subject: e.Object, Value: 1}
				switch e.Kind {
				case abi.EventEnter:
					cmds = append(cmds, timer, abi.Command{Kind: abi.CmdDoor, Object: door, Value: 1000})
				case abi.EventExit:
					if e.Value == 0 {
						timer.Kind, timer.Aux = abi.CmdTimerStart, 1_000_000
						cmds = append(cmds, timer)
					}
				case abi.EventTimer:
					if e.Count == 0 {
						cmds = append(cmds, abi.Command{Kind: abi.CmdDoor, Object: door, Value: 0})
					}
				}
			}
			return cmds, nil
		})
}

// world is a region with its log and newest snapshot beside it, as a driver keeps them.
type world struct {
	t        failer
	venue    *venues.Venue
	rules    []Rule
	region   *Region
	fresh    func() []Rule // the rules of a new owner
	block    uint32
	snapshot []byte
	log      []saved.Record
	tick     uint64
}

func newWorld(t failer, v *venues.Venue) *world {
	fresh := func() []Rule { return []Rule{handsRule(), doorRule()} }
	w := &world{t: t, venue: v, rules: fresh(), fresh: fresh, block: 1}
	r, err := New(w.config())
	if err != nil {
		t.Fatal(err)
	}
	w.region = r
	return w
}

func (w *world) config() Config {
	return Config{Venue: w.venue, Epoch: uint64(w.block), IDBlock: w.block, Rules: w.rules}
}

// step runs the next tick. Its log record is kept as the bytes that a store would have.
func (w *world) step(in ...stream.Input) *Effects {
	w.t.Helper()
	w.tick++
	fx := w.region.Step(w.tick, in)
	if fx.Log != nil {
		b, err := json.Marshal(fx.Log)
		if err != nil {
			w.t.Fatal(err)
		}
		var rec saved.Record
		if err := json.Unmarshal(b, &rec); err != nil {
			w.t.Fatal(err)
		}
		w.log = append(w.log, rec)
	}
	return fx
}

// save takes a snapshot and cuts the log.
func (w *world) save() {
	w.t.Helper()
	b, err := w.region.Snapshot()
	if err != nil {
		w.t.Fatal(err)
	}
	w.snapshot, w.log = b, nil
}

// restore returns what a new owner makes of the snapshot and the log.
func (w *world) restore() *Region {
	w.t.Helper()
	cfg := w.config()
	cfg.IDBlock, cfg.Epoch = cfg.IDBlock+1, cfg.Epoch+1
	cfg.Rules = w.fresh()
	r, err := Restore(cfg, w.snapshot, w.log)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// crash throws the region away and goes on with what the store has.
func (w *world) crash() {
	w.t.Helper()
	before := w.region.Hash()
	r := w.restore()
	if r.Hash() != before {
		a, _ := w.region.Snapshot()
		b, _ := r.Snapshot()
		w.t.Fatalf("the restored state differs:\n%s\n%s", a, b)
	}
	w.block++
	w.region, w.rules = r, r.cfg.Rules
}

// checkSaved compares the live state with the durable one: whatever is durable must have been logged.
func checkSaved(t failer, r *Region) {
	t.Helper()
	if len(r.users) != len(r.saved.Users) || len(r.objects) != len(r.saved.Objects) || len(r.doors) != len(r.saved.Doors) ||
		len(r.windows) != len(r.saved.Windows) || len(r.waiting) != len(r.saved.Waiting) {
		t.Fatalf("tick %d: live and saved state have different sizes", r.tick)
	}
	for _, u := range r.users {
		live, saved := r.saveUser(u), r.saved.Users[u.Session]
		live.Body, saved.Body = lattice.Body{}, lattice.Body{}
		live.Floor, saved.Floor = "", ""
		equalJSON(t, live, saved)
	}
	for _, o := range r.objects {
		s := r.saved.Objects[o.ID]
		holder := uint64(0)
		if o.holder != nil {
			holder = o.holder.ID
		} else if s.Pose != o.State.Body.Head {
			t.Fatalf("object %s lies at %v, saved at %v", o.Name, o.State.Body.Head, s.Pose)
		}
		if s.Holder != holder || s.Value != o.State.Value || s.Hand != o.hand || s.Offset != o.offset || o.State.Holder != holder {
			t.Fatalf("object %s: live %+v, saved %+v", o.Name, o.State, s)
		}
	}
	for _, d := range r.doors {
		equalJSON(t, saved.Door{ID: d.ID, Name: d.Name, From: d.from, Target: d.target, Since: d.since, Locked: d.locked}, r.saved.Doors[d.ID])
	}
	for _, w := range r.windows {
		equalJSON(t, saved.Window{Object: w.object.ID, Close: w.close, Requests: w.reqs}, r.saved.Windows[w.object.ID])
	}
	if len(r.waiting) > 0 {
		equalJSON(t, r.waiting, r.saved.Waiting)
	}
	timers := 0
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		size := 0
		for k, v := range rule.stored.All() {
			size += saved.Cost(&k, v)
		}
		if size != rule.stored.Size() || size > abi.MaxState {
			t.Fatalf("rule %s: %d bytes of state, counted %d", rule.name, size, rule.stored.Size())
		}
		for _, tm := range rule.timers {
			timers++
			if r.saved.Timers[tm.Name()] != (saved.Due{US: tm.DueUS, Cause: tm.Cause}) {
				t.Fatalf("timer %+v is not saved", tm)
			}
		}
	}
	equalJSON(t, append([]saved.Signal{}, r.signals...), append([]saved.Signal{}, r.saved.Signals...))
	if len(r.heard) != len(r.saved.Heard) || len(r.letters)+len(r.swaps)+len(r.retired) != 0 {
		t.Fatalf("heard of %v, saved %v; %d letters, %d swaps", r.heard, r.saved.Heard, len(r.letters), len(r.swaps))
	}
	owed := 0
	for _, n := range r.owed {
		owed += n
	}
	if owed != len(r.saved.Sent) {
		t.Fatalf("%d messages are owed to other regions, %d are saved", owed, len(r.saved.Sent))
	}
	if timers != len(r.saved.Timers) {
		t.Fatalf("%d live timers, %d saved", timers, len(r.saved.Timers))
	}
}

func equalJSON(t failer, live, saved any) {
	t.Helper()
	a, _ := json.Marshal(live)
	b, _ := json.Marshal(saved)
	if !bytes.Equal(a, b) {
		t.Fatalf("live  %s\nsaved %s", a, b)
	}
}
