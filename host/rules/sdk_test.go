package rules_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
)

// probeCommands is what every probe of an SDK answers; minor0 are those that know minor version 0 only.
func probeCommands(minor0 bool, batch []byte, a, b int64, text string, flag bool, n int64) []byte {
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		panic(err)
	}
	h := &d.Header
	var out []abi.Command
	add := func(c abi.Command) { out = append(out, c) }
	number := func(yes bool) int64 {
		if yes {
			return 1
		}
		return 0
	}
	add(emit(0, abi.EmitRegion, uint64(a), "settings", text))
	add(abi.Command{Kind: abi.CmdSetState, Object: uint64(b), Value: number(flag)})
	add(abi.Command{Kind: abi.CmdTimerCancel, Scope: abi.ScopeRegion, Subject: h.Tick, Value: int64(h.TimeUS)})
	add(abi.Command{Kind: abi.CmdTimerCancel, Scope: abi.ScopeRegion, Subject: h.Seed, Value: int64(h.Region)})
	add(abi.Command{Kind: abi.CmdSetState, Object: uint64(n)})
	for i, e := range d.Events {
		i := uint32(i + 1)
		add(abi.Command{Kind: abi.CmdGrant, Event: i, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
		add(abi.Command{Kind: abi.CmdDeny, Event: i, Subject: e.Subject, Object: e.Object, Value: abi.DenyNotAllowed, Data: []byte("no")})
		add(abi.Command{Kind: abi.CmdRelease, Event: i, Subject: e.Subject, Object: e.Object})
		add(abi.Command{Kind: abi.CmdAccept, Event: i})
		add(abi.Command{Kind: abi.CmdSetState, Event: i, Object: e.Object, Value: int64(e.Count ^ e.Class ^ uint32(e.Kind))})
		add(abi.Command{Kind: abi.CmdSetPose, Event: i, Object: e.Object, X: e.X, Y: e.Y, Z: e.Z})
		add(abi.Command{Kind: abi.CmdDoor, Event: i, Object: e.Object, Value: int64(e.Dist)})
		add(abi.Command{Kind: abi.CmdLock, Event: i, Object: e.Object, Value: number(e.Hand != 0)})
		add(abi.Command{Kind: abi.CmdTeleport, Event: i, Subject: e.Subject, X: e.X, Y: e.Y, Z: e.Z})
		add(emit(i, abi.EmitNear, e.Holder, "data", string(e.Data)))
		cause := i
		if minor0 {
			cause = 0 // the kits of then did not say
		}
		add(abi.Command{Kind: abi.CmdTimerStart, Event: cause, Scope: e.Scope, Subject: e.Subject, Value: int64(e.Value), Aux: e.Aux})
		add(abi.Command{Kind: abi.CmdTimerCancel, Scope: e.Scope, Subject: e.Subject, Value: int64(e.Stamp)})
		if minor0 {
			continue
		}
		add(abi.Command{Kind: abi.CmdScore, Event: i, Subject: e.Subject, Value: int64(e.Value), Data: []byte("points")})
		from, rest, _ := bytes.Cut(e.Data, []byte{0})
		topic, payload, _ := bytes.Cut(rest, []byte{0})
		signal := func(scope abi.Scope, subject uint64, topic string, payload []byte) {
			add(abi.Command{Kind: abi.CmdSignal, Event: i, Scope: scope, Subject: subject, Data: abi.JoinSignal(nil, "other", topic, payload)})
		}
		signal(abi.ScopeRegion, 0, "from", from)
		signal(abi.ScopeRegion, uint64(e.Count)+1, "topic", topic)
		signal(abi.ScopeVenue, 0, "payload", payload)
		add(emit(i, abi.EmitVenue, uint64(len(from)), "payload", string(rest)))
	}
	for _, r := range d.Rows {
		add(abi.Command{Kind: abi.CmdSetState, Object: r.ID, Value: int64(r.State ^ uint32(r.Flags) ^ r.Class ^ uint32(r.Kind))})
		add(abi.Command{Kind: abi.CmdTeleport, Subject: r.Holder, X: r.X, Y: r.Y, Z: r.Z})
		add(abi.Command{Kind: abi.CmdDoor, Object: r.Aux, Value: 1})
		if minor0 {
			continue
		}
		x, y, z, w := abi.UnpackRotation(r.Aux)
		add(abi.Command{Kind: abi.CmdSetPose, Object: uint64(w), X: int32(x), Y: int32(y), Z: int32(z)})
		add(abi.Command{Kind: abi.CmdLock, Object: 3 * uint64(r.Flags&1), Value: 1})
	}
	return abi.AppendCommands(nil, out)
}

// drawAnyBatch draws every field over its whole range.
func drawAnyBatch(t *rapid.T) []byte {
	u64, u32, i32 := rapid.Uint64(), rapid.Uint32(), rapid.Int32()
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: u64.Draw(t, "tick"), TimeUS: rapid.Uint64Range(0, math.MaxInt64/1000).Draw(t, "time"), Seed: u64.Draw(t, "seed"), Region: u32.Draw(t, "region")})
	for range rapid.IntRange(0, 20).Draw(t, "events") {
		b.Event(&abi.Event{
			Kind: abi.EventKind(rapid.Uint16().Draw(t, "kind")), Hand: rapid.Byte().Draw(t, "hand"), Scope: abi.Scope(rapid.Uint16Range(0, 5).Draw(t, "scope")),
			Class: u32.Draw(t, "class"), Count: u32.Draw(t, "count"), Subject: u64.Draw(t, "subject"), Object: u64.Draw(t, "object"),
			Holder: u64.Draw(t, "holder"), Stamp: u64.Draw(t, "stamp"), X: i32.Draw(t, "x"), Y: i32.Draw(t, "y"), Z: i32.Draw(t, "z"),
			Dist: u32.Draw(t, "dist"), Value: u64.Draw(t, "value"), Aux: u64.Draw(t, "aux"), Data: rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "data"),
		})
	}
	for range rapid.IntRange(0, 20).Draw(t, "rows") {
		b.Row(&abi.Row{
			Kind: abi.RowKind(rapid.Uint16().Draw(t, "kind")), Flags: rapid.Uint16().Draw(t, "flags"), Class: u32.Draw(t, "class"), ID: u64.Draw(t, "id"),
			Holder: u64.Draw(t, "holder"), X: i32.Draw(t, "x"), Y: i32.Draw(t, "y"), Z: i32.Draw(t, "z"), State: u32.Draw(t, "state"), Aux: u64.Draw(t, "aux"),
		})
	}
	return b.Finish()
}

// Each SDK reads every field, setting and row, and writes every command, as package abi does. So do plugins that were built
// when the contract's minor version was 0: they skip what is new.
func TestSDKsKeepTheContract(t *testing.T) {
	e := engine(t, false)
	for _, name := range []string{"built/rust", "built/c", "built/assemblyscript", "minor0/rust", "minor0/c", "minor0/assemblyscript"} {
		t.Run(name, func(t *testing.T) {
			folder, language := filepath.Split(name)
			minor0 := folder == "minor0/"
			wasm, err := os.ReadFile(filepath.Join("..", "..", "sdk", "rules", "probe", folder, language+".wasm"))
			if err != nil {
				t.Fatal(err)
			}
			instance := func(settings map[string]any, rows ...abi.Row) (*rules.Instance, error) {
				p, err := e.Load(context.Background(), language, wasm, rules.LoadOptions{Settings: settings})
				if err != nil {
					t.Fatal(err)
				}
				in, err := p.Instance(rules.InstanceConfig{Rows: rows, CallTime: 20 * time.Second})
				if err == nil {
					t.Cleanup(in.Close)
				}
				return in, err
			}
			plain, err := instance(nil)
			if err != nil {
				t.Fatal(err)
			}
			set, err := instance(map[string]any{"a": int64(-40), "b": 2.5, "text": "a text", "flag": true, "other": int64(9)},
				abi.Row{Kind: abi.RowDoor, ID: 1}, abi.Row{Kind: abi.RowZone, ID: 1 << 40})
			if err != nil {
				t.Fatal(err)
			}
			// Settings of another type than asked for are as good as none, but whole numbers are fixed ones too.
			mixed, err := instance(map[string]any{"a": "x", "b": int64(3), "text": true, "flag": 1.0})
			if err != nil {
				t.Fatal(err)
			}
			var fault *abi.Fault
			if _, err := instance(map[string]any{"refuse": int64(-5)}); !errors.As(err, &fault) || fault.Message != "venued_init refused its settings with -5" {
				t.Errorf("refused settings: %v", err)
			}
			rapid.Check(t, func(t *rapid.T) {
				b := drawAnyBatch(t)
				kv, want := state{}, state{}
				for n := int64(1); n <= 4; n++ {
					counter := n
					if n == 4 {
						counter = 1 // the third call deleted the key
					}
					out, err := plain.Call(b, kv)
					if err != nil {
						t.Fatal(err)
					}
					if d := cmp.Diff(anyMinor(probeCommands(minor0, b, 1, 2, "none", false, counter)), anyMinor(out)); d != "" {
						t.Fatalf("call %d: %s", n, d)
					}
					delete(want, key(abi.ScopeRegion, 0, "n"))
					if n != 3 {
						want[key(abi.ScopeRegion, 0, "n")] = string(binary.LittleEndian.AppendUint64(nil, uint64(counter)))
					}
					if d := cmp.Diff(want, kv); d != "" {
						t.Fatalf("state after call %d: %s", n, d)
					}
				}
				if out, err := set.Call(later(t, b), state{}); err != nil || !bytes.Equal(anyMinor(out), anyMinor(probeCommands(minor0, later(t, b), 1<<40-39, 2560, "a text", true, 1))) {
					t.Fatalf("with settings: %v", err)
				}
				if out, err := mixed.Call(b, state{}); err != nil || !bytes.Equal(anyMinor(out), anyMinor(probeCommands(minor0, b, 1, 3072, "none", false, 1))) {
					t.Fatalf("with mixed settings: %v", err)
				}
			})
		})
	}
}
