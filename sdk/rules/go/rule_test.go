package rule

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
)

func TestReadsWhatTheHostWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := abi.NewBatch()
		u64, u32, i32 := rapid.Uint64(), rapid.Uint32(), rapid.Int32()
		h := abi.Header{Tick: u64.Draw(t, "tick"), TimeUS: u64.Draw(t, "time"), Seed: u64.Draw(t, "seed"), Region: u32.Draw(t, "region")}
		b.Reset(nil, h)
		var events []Event
		var rows []Row
		for i := range rapid.IntRange(0, 5).Draw(t, "n") {
			e := abi.Event{
				Kind: abi.EventKind(rapid.Uint16().Draw(t, "kind")), Hand: rapid.Byte().Draw(t, "hand"), Scope: abi.Scope(rapid.Uint16().Draw(t, "scope")),
				Class: u32.Draw(t, "class"), Count: u32.Draw(t, "count"), Subject: u64.Draw(t, "subject"), Object: u64.Draw(t, "object"),
				Holder: u64.Draw(t, "holder"), Stamp: u64.Draw(t, "stamp"), X: i32.Draw(t, "x"), Y: i32.Draw(t, "y"), Z: i32.Draw(t, "z"),
				Dist: u32.Draw(t, "dist"), Value: u64.Draw(t, "value"), Aux: u64.Draw(t, "aux"), Data: rapid.SliceOf(rapid.Byte()).Draw(t, "data"),
			}
			b.Event(&e)
			events = append(events, Event{uint32(i + 1), EventKind(e.Kind), e.Hand, Scope(e.Scope), e.Class, e.Count, e.Subject, e.Object, e.Holder,
				e.Stamp, e.X, e.Y, e.Z, e.Dist, e.Value, e.Aux, e.Data})
			w := abi.Row{
				Kind: abi.RowKind(rapid.Uint16().Draw(t, "row")), Flags: rapid.Uint16().Draw(t, "flags"), Class: u32.Draw(t, "class"), ID: u64.Draw(t, "id"),
				Holder: u64.Draw(t, "holder"), X: i32.Draw(t, "x"), Y: i32.Draw(t, "y"), Z: i32.Draw(t, "z"), State: u32.Draw(t, "state"), Aux: u64.Draw(t, "aux"),
			}
			b.Row(&w)
			rows = append(rows, Row{RowKind(w.Kind), w.Flags, w.Class, w.ID, w.Holder, w.X, w.Y, w.Z, w.State, w.Aux})
		}
		got := NewBatch(b.Finish())
		if got.Tick() != h.Tick || got.TimeUS() != h.TimeUS || got.Seed() != h.Seed || got.Region() != h.Region || got.Len() != len(events) || got.Rows() != len(rows) {
			t.Fatalf("header of %+v", h)
		}
		for i, want := range events {
			var e Event
			got.Event(i, &e)
			if !bytes.Equal(e.Data, want.Data) {
				t.Fatalf("data of event %d: %q, want %q", i, e.Data, want.Data)
			}
			e.Data, want.Data = nil, nil
			if e.Number != want.Number || e.Kind != want.Kind || e.Subject != want.Subject || e.Aux != want.Aux || e.X != want.X || e.Y != want.Y ||
				e.Z != want.Z || e.Dist != want.Dist || e.Value != want.Value || e.Holder != want.Holder || e.Object != want.Object ||
				e.Class != want.Class || e.Count != want.Count || e.Hand != want.Hand || e.Scope != want.Scope || e.Stamp != want.Stamp {
				t.Fatalf("event %d: %+v, want %+v", i, e, want)
			}
			var w Row
			if got.Row(i, &w); w != rows[i] {
				t.Fatalf("row %d: %+v, want %+v", i, w, rows[i])
			}
		}
	})
}

func TestWritesWhatTheHostReads(t *testing.T) {
	e := Event{Number: 3, Hand: 1, Subject: 5, Object: 6}
	var c Commands
	for range 2 { // the second time after a Reset
		c.Reset()
		c.Grant(&e)
		c.Deny(&e, DenyHeld, "held")
		c.Release(&e)
		c.Take(4, 7)
		c.Accept(&e)
		c.SetState(3, 6, 0xffffffff)
		c.SetPose(3, 6, -1, 2, 3)
		c.Door(0, 7, 1000)
		c.Lock(0, 7, true)
		c.Teleport(3, 5, 1, -2, 3)
		c.Emit(3, ToNear, 6, "bell", []byte("{}"))
		c.TimerStart(3, Zone, 8, 1<<63, 1_000_000)
		c.TimerCancel(Zone, 8, 9)
		c.Score(3, 5, -7, "quiz")
		c.Signal(3, "door", "open", []byte("now"))
		c.SignalRegion(0, 4, "door", "open", nil)
		c.SignalVenue(0, "hall", "count", []byte{0, 1})
		c.Emit(0, ToVenue, 0, "gong", []byte("{}"))
		want := abi.AppendCommands(nil, []abi.Command{
			{Kind: abi.CmdGrant, Event: 3, Subject: 5, Object: 6, Value: 1},
			{Kind: abi.CmdDeny, Event: 3, Subject: 5, Object: 6, Value: abi.DenyHeld, Data: []byte("held")},
			{Kind: abi.CmdRelease, Event: 3, Subject: 5, Object: 6},
			{Kind: abi.CmdRelease, Event: 4, Object: 7},
			{Kind: abi.CmdAccept, Event: 3},
			{Kind: abi.CmdSetState, Event: 3, Object: 6, Value: 0xffffffff},
			{Kind: abi.CmdSetPose, Event: 3, Object: 6, X: -1, Y: 2, Z: 3},
			{Kind: abi.CmdDoor, Object: 7, Value: 1000},
			{Kind: abi.CmdLock, Object: 7, Value: 1},
			{Kind: abi.CmdTeleport, Event: 3, Subject: 5, X: 1, Y: -2, Z: 3},
			{Kind: abi.CmdEmit, Event: 3, Subject: 6, Value: abi.EmitNear, Data: []byte("bell\x00{}")},
			{Kind: abi.CmdTimerStart, Event: 3, Scope: abi.ScopeZone, Subject: 8, Value: -1 << 63, Aux: 1_000_000},
			{Kind: abi.CmdTimerCancel, Scope: abi.ScopeZone, Subject: 8, Value: 9},
			{Kind: abi.CmdScore, Event: 3, Subject: 5, Value: -7, Data: []byte("quiz")},
			{Kind: abi.CmdSignal, Scope: abi.ScopeRegion, Event: 3, Data: []byte("door\x00open\x00now")},
			{Kind: abi.CmdSignal, Scope: abi.ScopeRegion, Subject: 5, Data: []byte("door\x00open\x00")},
			{Kind: abi.CmdSignal, Scope: abi.ScopeVenue, Data: []byte("hall\x00count\x00\x00\x01")},
			{Kind: abi.CmdEmit, Value: abi.EmitVenue, Data: []byte("gong\x00{}")},
		})
		if got := c.Bytes(); !bytes.Equal(got, want) {
			t.Fatalf("\n% x\nwant\n% x", got, want)
		}
	}
	var empty Commands
	if empty.Bytes() != nil {
		t.Error("an empty list has bytes")
	}
}

func TestSettings(t *testing.T) {
	list, err := abi.Settings(map[string]any{"n": int64(-3), "m": 1.5, "s": "text", "b": true})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := abi.AppendInit(nil, abi.Header{}, list, []abi.Row{{Kind: abi.RowZone, ID: 4}})
	if err != nil {
		t.Fatal(err)
	}
	s := NewInit(raw)
	if s.Int("n", 1) != -3 || s.Fixed("m", 1) != 1536 || s.Fixed("n", 1) != -3072 || s.Text("s", "") != "text" || !s.Bool("b", false) {
		t.Error("settings are not what the host wrote")
	}
	if s.Int("m", 7) != 7 || s.Int("x", 7) != 7 || s.Fixed("s", 7) != 7 || s.Text("n", "d") != "d" || !s.Bool("n", true) {
		t.Error("a setting that is not there, or of another type, is not the default")
	}
	var w Row
	if s.Row(0, &w); s.Rows() != 1 || w.ID != 4 {
		t.Errorf("row %+v", w)
	}
}

func TestMoreCommandsThanACallMayHave(t *testing.T) {
	panics := func(f func()) (message any) {
		defer func() { message = recover() }()
		f()
		return nil
	}
	var c Commands
	for range MaxCommands {
		c.Door(0, 1, 1)
	}
	if panics(func() { c.Door(0, 1, 1) }) == nil {
		t.Error("one command more than a call may have")
	}
	c.Reset()
	if panics(func() { c.Emit(0, ToRegion, 0, "x", make([]byte, MaxOutput)) }) == nil {
		t.Error("more bytes than a call may have")
	}
}

func TestAppendJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "s"))
		var got string
		if err := json.Unmarshal(AppendJSON(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		if want := strings.ToValidUTF8(s, "\ufffd"); len([]rune(s)) != len([]rune(got)) || strings.ToValidUTF8(got, "") != got || (want == s && got != s) {
			t.Fatalf("%q became %q", s, got)
		}
	})
}

func TestReadsMessagesAndSignals(t *testing.T) {
	e := Event{Data: []byte("quiz\x00b\x00c")}
	if topic, payload := e.Message(); topic != "quiz" || string(payload) != "b\x00c" {
		t.Errorf("message %q %q", topic, payload)
	}
	if from, topic, payload := e.Signal(); from != "quiz" || topic != "b" || string(payload) != "c" {
		t.Errorf("signal %q %q %q", from, topic, payload)
	}
	e.Data = []byte("quiz")
	if topic, payload := e.Message(); topic != "quiz" || len(payload) != 0 {
		t.Errorf("message without payload %q %q", topic, payload)
	}
}

func TestReadsPoses(t *testing.T) {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{})
	b.Row(&abi.Row{Kind: abi.RowDoor, ID: 7, Flags: abi.FlagLocked})
	b.Row(&abi.Row{Kind: abi.RowPose, ID: 7, Class: abi.PartLeft, Flags: abi.FlagTracked, Aux: abi.PackRotation(-1, 2, -3, abi.RotationOne)})
	got := NewBatch(b.Finish())
	var w Row
	if !got.Find(RowPose, 7, &w) || w.Class != PartLeft || !w.Tracked() {
		t.Errorf("pose %+v", w)
	}
	if x, y, z, r := w.Rotation(); x != -1 || y != 2 || z != -3 || r != RotationOne {
		t.Errorf("rotation %d %d %d %d", x, y, z, r)
	}
	if !got.Find(RowDoor, 7, &w) || !w.Locked() || got.Find(RowDoor, 8, &w) {
		t.Error("rows are not found by kind and id")
	}
}
