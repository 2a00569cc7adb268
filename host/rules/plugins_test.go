package rules_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/plugins"
)

func engine(t testing.TB, interpret bool) *rules.Engine {
	t.Helper()
	e, err := rules.NewEngine(context.Background(), rules.Config{Interpret: interpret, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return e
}

// shipped returns instances of a shipped plugin; a loaded machine must not make them time out.
func shipped(t testing.TB, e *rules.Engine, name string, settings map[string]any) func() *rules.Instance {
	t.Helper()
	wasm, err := plugins.Wasm(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.Load(context.Background(), name, wasm, rules.LoadOptions{Settings: settings, Class: abi.ClassLarge})
	if err != nil {
		t.Fatal(err)
	}
	return func() *rules.Instance {
		in, err := p.Instance(rules.InstanceConfig{Region: 1, CallTime: 20 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(in.Close)
		return in
	}
}

// state is a rule's state in a map.
type state map[string]string

func key(scope abi.Scope, subject uint64, k string) string {
	return fmt.Sprintf("%s/%d/%s", scope, subject, k)
}

func (s state) Get(scope abi.Scope, subject uint64, k string) ([]byte, int) {
	v, ok := s[key(scope, subject, k)]
	if !ok {
		return nil, abi.KVMissing
	}
	return []byte(v), 0
}

func (s state) Put(scope abi.Scope, subject uint64, k string, v []byte) int {
	s[key(scope, subject, k)] = string(v)
	return 0
}

func (s state) Del(scope abi.Scope, subject uint64, k string) int {
	delete(s, key(scope, subject, k))
	return 0
}

// drawBatch draws events and rows from few users, objects, zones and doors, so that they meet.
func drawBatch(t *rapid.T, timeUS uint64) []byte {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: timeUS / 33_333, TimeUS: timeUS, Seed: rapid.Uint64().Draw(t, "seed"), Region: 1})
	small := rapid.Uint64Range(0, 5)
	for range rapid.IntRange(0, 40).Draw(t, "events") {
		e := abi.Event{
			Kind: abi.EventKind(rapid.Uint16Range(1, 12).Draw(t, "kind")), Hand: uint8(rapid.IntRange(0, 1).Draw(t, "hand")),
			Scope: abi.ScopeZone, Class: rapid.Uint32Range(0, 3).Draw(t, "class"), Count: rapid.Uint32Range(0, 1).Draw(t, "count"),
			Subject: small.Draw(t, "subject"), Object: small.Draw(t, "object"), Holder: small.Draw(t, "holder"),
			Dist: rapid.Uint32Range(500, 700).Draw(t, "dist"), Value: small.Draw(t, "value"), Aux: small.Draw(t, "aux"),
		}
		if e.Kind == abi.EventJoin {
			e.Data = []byte(rapid.String().Draw(t, "name"))
		}
		b.Event(&e)
	}
	for range rapid.IntRange(0, 4).Draw(t, "rows") {
		b.Row(&abi.Row{Kind: abi.RowKind(rapid.Uint16Range(1, 5).Draw(t, "kind")), ID: small.Draw(t, "id"), Flags: rapid.Uint16Range(0, 1).Draw(t, "flags")})
	}
	return b.Finish()
}

// later rewrites a batch as a host of a later minor version would write it: a longer header, longer
// records, and kinds of their own.
func later(t *rapid.T, batch []byte) []byte {
	const more = 16
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	out := append([]byte(nil), batch[:abi.HeaderSize]...)
	pad := bytes.Repeat([]byte{0xee}, more)
	out = append(out, pad...)
	le.PutUint16(out[4:], abi.Minor+1)
	le.PutUint16(out[6:], abi.HeaderSize+more)
	le.PutUint16(out[12:], abi.EventSize+more)
	le.PutUint16(out[14:], abi.RowSize+more)
	at := abi.HeaderSize
	for range d.Events {
		r := append([]byte(nil), batch[at:at+abi.EventSize]...)
		if le.Uint32(r[84:]) > 0 {
			le.PutUint32(r[80:], le.Uint32(r[80:])+uint32(more*(1+len(d.Events)+len(d.Rows))))
		}
		out = append(append(out, r...), pad...)
		at += abi.EventSize
	}
	for range d.Rows {
		out = append(append(out, batch[at:at+abi.RowSize]...), pad...)
		at += abi.RowSize
	}
	out = append(out, batch[at:]...)
	le.PutUint32(out[48:], uint32(len(out)))
	return out
}

// anyMinor blanks the minor version that a guest was built for out of a list of commands: twins write the newest.
func anyMinor(commands []byte) []byte {
	out := bytes.Clone(commands)
	if len(out) >= abi.CommandHeaderSize {
		out[4], out[5] = 0, 0
	}
	return out
}

// One plugin, the same batches: the compiler, the interpreter, a second instance, and a
// batch with longer records must all give the same commands and state.
func TestShippedPluginsRepeat(t *testing.T) {
	compiler, interpreter := engine(t, false), engine(t, true)
	for _, name := range plugins.Names() {
		t.Run(name, func(t *testing.T) {
			newCompiled, newInterpreted := shipped(t, compiler, name, nil), shipped(t, interpreter, name, nil)
			want, runs := newCompiled(), []*rules.Instance{newCompiled(), newInterpreted(), newCompiled()}
			answers := 0
			rapid.Check(t, func(t *rapid.T) {
				states := []state{{}, {}, {}, {}}
				for i := range rapid.IntRange(1, 4).Draw(t, "batches") {
					b := drawBatch(t, uint64(i+1)*100_000)
					wantOut, err := want.Call(b, states[3])
					if err != nil {
						t.Fatal(err)
					}
					answers += len(wantOut)
					for k, in := range runs {
						if k == 2 {
							b = later(t, b)
						}
						out, err := in.Call(b, states[k])
						if err != nil {
							t.Fatal(err)
						}
						if !bytes.Equal(out, wantOut) || !maps.Equal(states[k], states[3]) {
							t.Fatalf("run %d: commands\n% x\nstate %q\nwant\n% x\nstate %q", k, out, states[k], wantOut, states[3])
						}
					}
				}
			})
			if answers == 0 {
				t.Error("the batches had nothing in them that it answers")
			}
		})
	}
}

func TestGrabAndDoorAgainstTheirTwins(t *testing.T) {
	e := engine(t, false)
	grab := shipped(t, e, "grab", nil)()
	near := shipped(t, e, "grab", map[string]any{"reach_m": 0.5})()
	door := shipped(t, e, "door", nil)()
	slow := shipped(t, e, "door", map[string]any{"close_after_s": int64(7)})()
	rapid.Check(t, func(t *rapid.T) {
		b := drawBatch(t, 1e6)
		for _, c := range []struct {
			name string
			in   *rules.Instance
			want []byte
		}{
			{"grab", grab, newGrabNative(614).call(b)},
			{"grab with reach_m 0.5", near, newGrabNative(512).call(b)},
			{"door", door, doorTwin(b, 2_000_000)},
			{"door with close_after_s 7", slow, doorTwin(b, 7_000_000)},
		} {
			out, err := c.in.Call(b, state{})
			if err != nil {
				t.Fatal(err)
			}
			if out, want := anyMinor(out), anyMinor(c.want); !bytes.Equal(out, want) {
				t.Fatalf("%s:\n% x\nwant\n% x", c.name, out, want)
			}
		}
	})
}

// call runs events through an instance and decodes the answer.
func call(t *testing.T, in *rules.Instance, kv abi.KV, timeUS uint64, events ...abi.Event) []abi.Command {
	t.Helper()
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{TimeUS: timeUS})
	for i := range events {
		b.Event(&events[i])
	}
	out, err := in.Call(b.Finish(), kv)
	if err != nil {
		t.Fatal(err)
	}
	cmds, err := abi.DecodeCommands(out, uint32(len(events)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cmds
}

func wantCommands(t *testing.T, got []abi.Command, want ...abi.Command) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
}

func emit(event uint32, to int64, subject uint64, name, json string) abi.Command {
	return abi.Command{Kind: abi.CmdEmit, Event: event, Value: to, Subject: subject, Data: abi.JoinData(nil, name, []byte(json))}
}

func TestBell(t *testing.T) {
	in, kv := shipped(t, engine(t, false), "bell", nil)(), state{}
	use := abi.Event{Kind: abi.EventUse, Subject: 3, Object: 1<<32 | 7}
	ring := func(n string, count int64) []abi.Command {
		return []abi.Command{
			{Kind: abi.CmdSetState, Event: 1, Object: use.Object, Value: count},
			emit(1, abi.EmitNear, use.Object, "bell", `{"object":"4294967303","rings":`+n+`}`),
		}
	}
	wantCommands(t, call(t, in, kv, 1_000_000, use), ring("1", 1)...)
	wantCommands(t, call(t, in, kv, 1_249_999, use),
		abi.Command{Kind: abi.CmdDeny, Event: 1, Subject: 3, Object: use.Object, Value: abi.DenyRule, Data: []byte("it is still ringing")})
	wantCommands(t, call(t, in, kv, 1_250_000, use), ring("2", 2)...)
}

// The state is the host's: an instance made in between changes nothing.
func TestGreeter(t *testing.T) {
	make, kv := shipped(t, engine(t, false), "greeter", map[string]any{"text": "Bonjour \"à\" tous"}), state{}
	join := func(name string) abi.Event { return abi.Event{Kind: abi.EventJoin, Subject: 9, Data: []byte(name)} }
	wantCommands(t, call(t, make(), kv, 1, join("Ada"), abi.Event{Kind: abi.EventLeave}, join("Bob\n\xff")),
		emit(1, abi.EmitUser, 9, "greeting", `{"text":"Bonjour \"à\" tous, Ada","visitor":1}`),
		emit(3, abi.EmitUser, 9, "greeting", `{"text":"Bonjour \"à\" tous, Bob\u000a`+"\ufffd"+`","visitor":2}`))
	long := call(t, make(), kv, 2, join(strings.Repeat("\x01", 5000)))
	if len(long) != 1 || len(long[0].Data) > abi.MaxMessage || !bytes.HasSuffix(long[0].Data, []byte(`","visitor":3}`)) {
		t.Errorf("a long name: %d bytes", len(long[0].Data))
	}
}

func TestScore(t *testing.T) {
	in, kv := shipped(t, engine(t, false), "score", map[string]any{"points_grab": int64(5), "points_use": int64(-7)})(), state{}
	wantCommands(t, call(t, in, kv, 1,
		abi.Event{Kind: abi.EventGrab, Subject: 1, Object: 10, Hand: 1},
		abi.Event{Kind: abi.EventGrab, Subject: 2, Object: 10},
		abi.Event{Kind: abi.EventRelease, Subject: 1, Object: 10},
		abi.Event{Kind: abi.EventGrab, Subject: 2, Object: 10},
		abi.Event{Kind: abi.EventGrab, Subject: 2, Object: 11, Holder: 4},
		abi.Event{Kind: abi.EventUse, Subject: 1, Object: 12},
	),
		abi.Command{Kind: abi.CmdGrant, Event: 1, Subject: 1, Object: 10, Value: 1},
		emit(1, abi.EmitUser, 1, "score", `{"score":5}`),
		abi.Command{Kind: abi.CmdDeny, Event: 2, Subject: 2, Object: 10, Value: abi.DenyHeld},
		abi.Command{Kind: abi.CmdRelease, Event: 3, Subject: 1, Object: 10},
		abi.Command{Kind: abi.CmdGrant, Event: 4, Subject: 2, Object: 10},
		emit(4, abi.EmitUser, 2, "score", `{"score":5}`),
		abi.Command{Kind: abi.CmdDeny, Event: 5, Subject: 2, Object: 11, Value: abi.DenyHeld},
		abi.Command{Kind: abi.CmdAccept, Event: 6},
		emit(6, abi.EmitUser, 1, "score", `{"score":-2}`))
}

func TestSettingsThatPluginsRefuse(t *testing.T) {
	e := engine(t, false)
	for name, settings := range map[string]map[string]any{
		"grab": {"reach_m": -1.0}, "door": {"close_after_s": int64(100_000)}, "bell": {"quiet_s": int64(-1)}, "greeter": {"text": strings.Repeat("x", 101)},
	} {
		wasm, err := plugins.Wasm(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.Load(context.Background(), name, wasm, rules.LoadOptions{Settings: settings, Class: abi.ClassLarge})
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Instance(rules.InstanceConfig{CallTime: 20 * time.Second})
		var fault *abi.Fault
		if !errors.As(err, &fault) || fault.Kind != abi.FaultInit {
			t.Errorf("%s with %v: %v, want an init fault", name, settings, err)
		}
	}
}

// Every SDK ends a call that wants more than it may, in its own words; half the batch then works.
func TestMoreCommandsThanACallMayHave(t *testing.T) {
	e := engine(t, false)
	for name, kind := range map[string]abi.EventKind{
		"grab": abi.EventGrab, "door": abi.EventEnter, "bell": abi.EventUse, "score": abi.EventUse, "greeter": abi.EventJoin,
	} {
		in := shipped(t, e, name, nil)()
		events := make([]abi.Event, 1000)
		for i := range events {
			events[i] = abi.Event{Kind: kind, Subject: uint64(i + 1), Object: uint64(i + 1), Aux: uint64(i + 1)}
			if kind == abi.EventJoin {
				events[i].Aux = 0 // who comes from another region is not greeted again
			}
		}
		b := abi.NewBatch()
		b.Reset(nil, abi.Header{})
		for i := range events {
			b.Event(&events[i])
		}
		var fault *abi.Fault
		const says, works = "than a call may", 400
		if _, err := in.Call(b.Finish(), state{}); !errors.As(err, &fault) || fault.Kind != abi.FaultAbort || !strings.Contains(fault.Message, says) {
			t.Errorf("%s: %v, want a fault of kind %s with %q", name, err, abi.FaultAbort, says)
		}
		if got := call(t, in, state{}, 1, events[:works]...); len(got) < works {
			t.Errorf("%s: %d commands for %d events", name, len(got), works)
		}
	}
}

// TestBatchesOfFullSize runs the largest batch there is through the rule with the largest table.
func TestBatchesOfFullSize(t *testing.T) {
	in := shipped(t, engine(t, false), "grab", nil)()
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{})
	for i := uint64(0); b.Event(&abi.Event{Kind: abi.EventDropped, Object: i * 0x1000, Subject: i}); i++ {
	}
	if out, err := in.Call(b.Finish(), nil); err != nil || len(out) != 0 {
		t.Errorf("%d events: %d bytes, %v", b.Events(), len(out), err)
	}
}

// BenchmarkGrab runs the grab rule over n requests and, in the same run, its native twin; x-native is how
// many times as long the plugin takes.
func BenchmarkGrab(b *testing.B) {
	in := shipped(b, engine(b, false), "grab", nil)()
	for _, n := range []int{1, 100, 1000} {
		batch := abi.NewBatch()
		batch.Reset(nil, abi.Header{})
		for i := range n {
			// Few enough answers for one call: a dropped object needs none.
			e := abi.Event{Kind: abi.EventGrab, Subject: uint64(i), Object: uint64(i % 500), Dist: 100}
			if i >= 800 {
				e.Kind = abi.EventDropped
			}
			batch.Event(&e)
		}
		raw := batch.Finish()
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := in.Call(raw, nil); err != nil {
					b.Fatal(err)
				}
			}
			plugin := b.Elapsed()
			native := newGrabNative(614)
			begin := time.Now()
			for range b.N {
				native.call(raw)
			}
			ratio := float64(plugin) / float64(time.Since(begin))
			b.ReportMetric(float64(plugin.Nanoseconds())/float64(b.N*n), "ns/event")
			b.ReportMetric(ratio, "x-native")
		})
	}
}
