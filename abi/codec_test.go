package abi

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func genData(t *rapid.T, name string) []byte {
	return rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, name)
}

func genEvent(t *rapid.T) Event {
	return Event{
		Kind: EventKind(rapid.Uint16().Draw(t, "kind")), Hand: rapid.Byte().Draw(t, "hand"),
		Scope: Scope(rapid.Uint16().Draw(t, "scope")), Class: rapid.Uint32().Draw(t, "class"),
		Subject: rapid.Uint64().Draw(t, "subject"), Object: rapid.Uint64().Draw(t, "object"),
		Holder: rapid.Uint64().Draw(t, "holder"), Stamp: rapid.Uint64().Draw(t, "stamp"),
		X: rapid.Int32().Draw(t, "x"), Y: rapid.Int32().Draw(t, "y"), Z: rapid.Int32().Draw(t, "z"),
		Dist: rapid.Uint32().Draw(t, "dist"), Value: rapid.Uint64().Draw(t, "value"),
		Aux: rapid.Uint64().Draw(t, "aux"), Count: rapid.Uint32().Draw(t, "count"), Data: genData(t, "data"),
	}
}

func genRow(t *rapid.T) Row {
	return Row{
		Kind: RowKind(rapid.Uint16().Draw(t, "kind")), Flags: rapid.Uint16().Draw(t, "flags"),
		Class: rapid.Uint32().Draw(t, "class"), ID: rapid.Uint64().Draw(t, "id"),
		Holder: rapid.Uint64().Draw(t, "holder"), State: rapid.Uint32().Draw(t, "state"),
		X: rapid.Int32().Draw(t, "x"), Y: rapid.Int32().Draw(t, "y"), Z: rapid.Int32().Draw(t, "z"),
		Aux: rapid.Uint64().Draw(t, "aux"),
	}
}

func genCommand(t *rapid.T, events uint32) Command {
	return Command{
		Kind:  CommandKind(rapid.Uint16Range(1, uint16(lastCommandKind)).Draw(t, "kind")),
		Scope: Scope(rapid.Uint16Range(0, 5).Draw(t, "scope")), Event: rapid.Uint32Range(0, events).Draw(t, "event"),
		Subject: rapid.Uint64().Draw(t, "subject"), Object: rapid.Uint64().Draw(t, "object"),
		Value: rapid.Int64().Draw(t, "value"), Aux: rapid.Uint64().Draw(t, "aux"),
		X: rapid.Int32().Draw(t, "x"), Y: rapid.Int32().Draw(t, "y"), Z: rapid.Int32().Draw(t, "z"),
		Data: genData(t, "data"),
	}
}

func TestBatchRoundTrip(t *testing.T) {
	b := NewBatch()
	var buf []byte
	rapid.Check(t, func(t *rapid.T) {
		h := Header{
			Tick: rapid.Uint64().Draw(t, "tick"), TimeUS: rapid.Uint64().Draw(t, "time"),
			Seed: rapid.Uint64().Draw(t, "seed"), Region: rapid.Uint32().Draw(t, "region"),
		}
		b.Reset(buf, h)
		want := Decoded{Header: h}
		want.Header.Minor = Minor
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			if rapid.Bool().Draw(t, "row") {
				r := genRow(t)
				b.Row(&r)
				want.Rows = append(want.Rows, r)
			} else {
				e := genEvent(t)
				b.Event(&e)
				want.Events = append(want.Events, e)
			}
		}
		want.Header.Events, want.Header.Rows = uint32(len(want.Events)), uint32(len(want.Rows))
		buf = b.Finish()
		var got Decoded
		if err := DecodeBatch(buf, &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

func TestBatchNeverGrowsAboveItsLimit(t *testing.T) {
	b := NewBatch()
	b.Reset(nil, Header{})
	e := Event{Kind: EventMessage, Data: make([]byte, 1000)}
	n := 0
	for b.Event(&e) {
		n++
	}
	if want := (MaxInput - HeaderSize) / (EventSize + 1000); n != want {
		t.Errorf("%d events fit, want %d", n, want)
	}
	for b.Row(&Row{Kind: RowUser}) {
	}
	if got := b.Finish(); len(got) > MaxInput || len(got) <= MaxInput-EventSize-1000 {
		t.Errorf("the full batch has %d bytes", len(got))
	}
}

func TestBatchDoesNotAllocateWhenWarm(t *testing.T) {
	b := NewBatch()
	e := Event{Kind: EventMessage, Data: []byte("topic\x00{}")}
	var buf []byte
	run := func() {
		b.Reset(buf, Header{})
		for range 100 {
			b.Event(&e)
			b.Row(&Row{})
		}
		buf = b.Finish()
	}
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("%v allocations a batch", n)
	}
}

func TestCommandsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.Uint32Range(0, 50).Draw(t, "events")
		var want []Command
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			want = append(want, genCommand(t, events))
		}
		got, err := DecodeCommands(AppendCommands(nil, want), events, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

// A guest of a later minor version writes longer records; the known part is read.
func TestCommandsOfALaterMinorVersion(t *testing.T) {
	want := []Command{{Kind: CmdDeny, Event: 1, Value: 3, Data: []byte("no")}, {Kind: CmdAccept, Event: 2}}
	short := AppendCommands(nil, want)
	const size = CommandSize + 8
	long := append([]byte(nil), short[:CommandHeaderSize]...)
	le.PutUint16(long[4:], Minor+1)
	le.PutUint16(long[6:], size)
	for i := range want {
		long = append(long, short[CommandHeaderSize+i*CommandSize:][:CommandSize]...)
		long = append(long, 1, 2, 3, 4, 5, 6, 7, 8)
	}
	le.PutUint32(long[CommandHeaderSize+44:], uint32(len(long)))
	long = append(long, "no"...)
	got, err := DecodeCommands(long, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
		t.Fatal(d)
	}
}

func TestDecodeCommandsRefuses(t *testing.T) {
	good := AppendCommands(nil, []Command{{Kind: CmdDeny, Event: 1, Data: []byte("hello")}})
	with := func(at int, b ...byte) []byte {
		out := append([]byte(nil), good...)
		copy(out[at:], b)
		return out
	}
	for _, c := range []struct {
		name string
		out  []byte
		want string
	}{
		{"short", good[:10], "shorter than the header"},
		{"magic", with(0, 'X'), "magic"},
		{"small records", with(6, 56, 0), "record size 56"},
		{"odd records", with(6, 65, 0), "record size 65"},
		{"too many", with(8, 0xff, 0xff, 0, 0), "above the limit of 900"},
		{"count past the end", with(8, 2), "do not fit"},
		{"kind 0", with(16, 0), "command 1: kind"},
		{"kind unknown", with(16, 200), "command 1: kind 200 is unknown"},
		{"event", with(20, 2), "event 2 of a batch of 1"},
		{"scope", with(18, 6), "scope 6"},
		{"data in the records", with(60, 8), "lies in the records"},
		{"data past the end", with(64, 200), "reach past the end"},
		{"data offset wraps", with(60, 0xff, 0xff, 0xff, 0xff), "reach past the end"},
		{"too long", make([]byte, MaxOutput+1), "above the limit"},
	} {
		given := []Command{{Kind: CmdDoor}}
		got, err := DecodeCommands(c.out, 1, given)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
		if len(got) != 1 {
			t.Errorf("%s: %d commands came back with an error", c.name, len(got)-1)
		}
	}
}

func TestInitRoundTrip(t *testing.T) {
	settings, err := Settings(map[string]any{
		"reach_m": 0.6, "seats": int64(-4), "open": true, "greeting": "hello", "small": 0.0004, "minus": -1.5,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Setting{
		{"greeting", SettingText, 0, "hello"}, {"minus", SettingFixed, -1536, ""}, {"open", SettingBool, 1, ""},
		{"reach_m", SettingFixed, 614, ""}, {"seats", SettingInt, -4, ""}, {"small", SettingFixed, 0, ""},
	}
	if d := cmp.Diff(want, settings); d != "" {
		t.Fatal(d)
	}
	rows := []Row{{Kind: RowDoor, ID: 7, State: 1000}, {Kind: RowZone, ID: 1, Aux: 7}}
	b, err := AppendInit(nil, Header{Tick: 9, Region: 2}, settings, rows)
	if err != nil {
		t.Fatal(err)
	}
	h, gotSettings, gotRows, err := DecodeInit(b)
	if err != nil {
		t.Fatal(err)
	}
	if h.Tick != 9 || h.Region != 2 {
		t.Errorf("header %+v", h)
	}
	if d := cmp.Diff(settings, gotSettings) + cmp.Diff(rows, gotRows); d != "" {
		t.Fatal(d)
	}
}

func TestSettingsRefuse(t *testing.T) {
	for name, v := range map[string]any{"list": []any{1}, "nil": nil, "huge": 1e300, "text": strings.Repeat("x", MaxValue+1)} {
		if _, err := Settings(map[string]any{name: v}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error that names it", name, err)
		}
	}
}

func TestSplitData(t *testing.T) {
	name, payload, ok := SplitData(JoinData(nil, "bell", []byte("{\x00}")))
	if !ok || name != "bell" || string(payload) != "{\x00}" {
		t.Errorf("%q %q %v", name, payload, ok)
	}
	for _, bad := range []string{"", "bell", "\x00{}"} {
		if _, _, ok := SplitData([]byte(bad)); ok {
			t.Errorf("%q has a name", bad)
		}
	}
}

func TestSplitSignal(t *testing.T) {
	rule, topic, payload, ok := SplitSignal(JoinSignal(nil, "score", "add", []byte("1\x002")))
	if !ok || rule != "score" || topic != "add" || string(payload) != "1\x002" {
		t.Errorf("%q %q %q %v", rule, topic, payload, ok)
	}
	for _, bad := range []string{"", "score", "score\x00add", "\x00add\x00", "score\x00\x00x"} {
		if _, _, _, ok := SplitSignal([]byte(bad)); ok {
			t.Errorf("%q is a signal", bad)
		}
	}
}

func TestRotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want [4]int16
		for i := range want {
			want[i] = rapid.Int16().Draw(t, "part")
		}
		var got [4]int16
		got[0], got[1], got[2], got[3] = UnpackRotation(PackRotation(want[0], want[1], want[2], want[3]))
		if got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
	if got := PackRotation(1, 0, 0, RotationOne); got != 0x7fff000000000001 {
		t.Errorf("%#x: x is not lowest", got)
	}
}

func FuzzDecodeCommands(f *testing.F) {
	f.Add([]byte{}, uint32(0))
	f.Add(AppendCommands(nil, []Command{{Kind: CmdEmit, Data: []byte("a\x00{}")}, {Kind: CmdGrant, Event: 1}}), uint32(1))
	f.Add(binary.LittleEndian.AppendUint32(nil, MagicCommands), uint32(3))
	f.Fuzz(func(t *testing.T, out []byte, events uint32) {
		cmds, err := DecodeCommands(out, events, nil)
		if err != nil {
			if len(cmds) != 0 {
				t.Fatalf("%d commands with %v", len(cmds), err)
			}
			return
		}
		if len(cmds) > MaxCommands {
			t.Fatalf("%d commands", len(cmds))
		}
		// Overlapping data is allowed, so the re-encoded list may be longer; it means the same.
		again, err := DecodeCommands(AppendCommands(nil, cmds), events, nil)
		if err != nil && len(AppendCommands(nil, cmds)) <= MaxOutput {
			t.Fatal(err)
		}
		if d := cmp.Diff(cmds, again, cmpopts.EquateEmpty()); err == nil && d != "" {
			t.Fatal(d)
		}
	})
}

func FuzzDecodeBatch(f *testing.F) {
	b := NewBatch()
	b.Reset(nil, Header{Tick: 1})
	b.Event(&Event{Kind: EventMessage, Data: []byte("x\x00y")})
	b.Row(&Row{Kind: RowDoor})
	f.Add(b.Finish())
	init, err := AppendInit(nil, Header{}, []Setting{{"a", SettingText, 0, "b"}}, []Row{{Kind: RowZone}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(init)
	f.Fuzz(func(t *testing.T, in []byte) {
		var d Decoded
		if err := DecodeBatch(in, &d); err == nil && (len(d.Events)*EventSize > len(in) || len(d.Rows)*RowSize > len(in)) {
			t.Fatalf("%d events, %d rows out of %d bytes", len(d.Events), len(d.Rows), len(in))
		}
		if _, s, r, err := DecodeInit(in); err == nil && (len(s)*SettingSize > len(in) || len(r)*RowSize > len(in)) {
			t.Fatalf("%d settings, %d rows out of %d bytes", len(s), len(r), len(in))
		}
	})
}
