package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

var genText = rapid.Custom(func(t *rapid.T) Text {
	b := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
	var out Text
	if len(b) > 0 {
		out.Bytes = b
	}
	at := 0
	for at < len(b) && rapid.Bool().Draw(t, "masked") {
		from := rapid.IntRange(at, len(b)-1).Draw(t, "at")
		n := rapid.IntRange(1, len(b)-from).Draw(t, "n")
		out.Masked = append(out.Masked, Span{uint32(from), uint32(n)})
		at = from + n
	}
	return out
})

var genCall = rapid.Custom(func(t *rapid.T) Call {
	c := Call{Rule: rapid.IntRange(0, 2).Draw(t, "rule"), Kind: CallKind(rapid.IntRange(0, 1).Draw(t, "kind"))}
	if c.Kind == CallMigrate {
		c.From = rapid.Int().Draw(t, "from")
	} else {
		c.Batch = genText.Draw(t, "batch")
	}
	if rapid.Bool().Draw(t, "fault") {
		c.Fault = &Fault{Kind: abi.FaultTrap, Plugin: "grab", Message: genText.Draw(t, "message")}
		return c
	}
	c.Out = genText.Draw(t, "out")
	for range rapid.IntRange(0, 3).Draw(t, "ops") {
		o := Op{Delete: rapid.Bool().Draw(t, "del"), Scope: abi.Scope(rapid.Uint8().Draw(t, "scope")), Subject: rapid.Uint64().Draw(t, "subject"), Key: genText.Draw(t, "key")}
		if !o.Delete {
			o.Value = genText.Draw(t, "value")
		}
		c.Ops = append(c.Ops, o)
	}
	return c
})

var genFrame = rapid.Custom(func(t *rapid.T) Frame {
	f := Frame{
		Tick:    rapid.Uint64().Draw(t, "tick"),
		Calls:   rapid.SliceOfN(genCall, 0, 4).Draw(t, "calls"),
		Effects: Effects{Sums: rapid.SliceOfN(rapid.Uint64(), 5, 5).Draw(t, "sums"), Texts: rapid.SliceOfN(genText, 0, 4).Draw(t, "texts")},
	}
	for range rapid.IntRange(0, 3).Draw(t, "inputs") {
		f.Inputs = append(f.Inputs, stream.Input{Kind: stream.InputGrab, Session: rapid.Uint64().Draw(t, "session"), Seq: 4, Object: 9, HandAt: lattice.Joint{Pos: lattice.Vec{X: 4}}})
	}
	if rapid.Bool().Draw(t, "swap") {
		f.Swaps = append(f.Swaps, Swap{
			Rule: 1, Module: Module{Digest: "ab", Manifest: &abi.Manifest{Name: "grab", Version: "1.0.0", ABI: 1, Views: []abi.View{{Rows: "objects"}}}},
			Options: scene.SwapOptions{Faults: 2, Reason: "why"}, Calls: rapid.SliceOfN(genCall, 0, 2).Draw(t, "swap calls"),
		})
	}
	return f
})

func TestFrameRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFrame.Draw(t, "frame")
		b, err := f.append(nil)
		if err != nil {
			t.Fatal(err)
		}
		r := bytesReader{b: b, all: len(b)}
		got := r.frame(3, 5)
		if r.err != nil || len(r.b) > 0 {
			t.Fatalf("%v, %d bytes left", r.err, len(r.b))
		}
		if d := cmp.Diff(f, got, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
		for cut := range len(b) {
			r := bytesReader{b: b[:cut], all: cut}
			if r.frame(3, 5); !errors.Is(r.err, ErrMalformed) {
				t.Fatalf("cut to %d of %d bytes: %v", cut, len(b), r.err)
			}
		}
	})
}

const room = `
[venue]
id = "room"
name = "Room"
[[floor]]
name = "ground"
min = [-5.0, -5.0]
max = [5.0, 5.0]
[[spawn]]
name = "door"
at = [0.0, 0.0]
`

// record makes a recording of a room where people come and walk.
func record(t testing.TB, ticks int) []byte {
	t.Helper()
	v, err := venues.Read("room.toml", []byte(room), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := scene.New(scene.Config{Venue: v, Epoch: 1, IDBlock: 1})
	if err != nil {
		t.Fatal(err)
	}
	r.Step(1, []stream.Input{{Kind: stream.InputJoin, Session: 1, User: "secret-ann", Name: "Secret Ann"}})
	var file bytes.Buffer
	rec, err := New(&file, Start{Venue: v, Region: r, Host: "test", Began: time.Unix(1, 0), Patient: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range ticks {
		in := []stream.Input{{Kind: stream.InputPose, Session: 1, PoseSeq: uint16(i + 1), Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: int32(i), Y: 1700}}}}}
		if i == 5 {
			in = append(in, stream.Input{Kind: stream.InputJoin, Session: 2, User: "secret-bob", Name: fmt.Sprint("Secret Bob")})
		}
		rec.Begin(in)
		rec.End(r.Step(uint64(i+2), in))
	}
	rec.Stop("done")
	end, err := rec.Wait()
	if err != nil || end.Frames != uint64(ticks) || end.Reason != "done" {
		t.Fatalf("%+v, %v", end, err)
	}
	return file.Bytes()
}

func TestReaderAtEveryCut(t *testing.T) {
	file := record(t, 130)
	whole := 0
	for cut := range len(file) {
		rd, err := NewReader(bytes.NewReader(file[:cut]))
		if err != nil {
			if !errors.Is(err, ErrNotRecording) && !errors.Is(err, ErrCut) {
				t.Fatalf("cut to %d: %v", cut, err)
			}
			continue
		}
		for err == nil {
			_, err = rd.Next()
		}
		n, _ := rd.Frames()
		if !errors.Is(err, ErrCut) || int(n) < whole {
			t.Fatalf("cut to %d of %d: %d frames, before that %d; %v", cut, len(file), n, whole, err)
		}
		whole = int(n)
		rd.Close()
	}
	if whole != 130 {
		t.Errorf("%d of 130 frames are whole without the end", whole)
	}
}

// FuzzReader: any bytes give a recording or an error, in bounded memory.
func FuzzReader(f *testing.F) {
	file := record(f, 40)
	f.Add(file)
	f.Add(file[:len(file)/2])
	f.Add([]byte("VREC"))
	f.Fuzz(func(t *testing.T, b []byte) {
		rd, err := NewReader(bytes.NewReader(b))
		if err != nil {
			return
		}
		defer rd.Close()
		if _, err := rd.Header().Venue(); err != nil {
			t.Logf("venue: %v", err)
		}
		if _, err := rd.Tracks(); err == nil && rd.End() == nil {
			t.Fatal("read to the end, which there is none")
		}
	})
}

// FuzzFrame: the content of a chunk, which a checksum keeps a fuzzer away from.
func FuzzFrame(f *testing.F) {
	rd, err := NewReader(bytes.NewReader(record(f, 3)))
	if err != nil {
		f.Fatal(err)
	}
	for {
		frame, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			f.Fatal(err)
		}
		frame.Effects.Sums = frame.Effects.Sums[:5]
		frame.Calls = []Call{
			{Batch: Text{Bytes: []byte("question"), Masked: []Span{{1, 2}}}, Out: Text{Bytes: []byte("answer")}, Ops: []Op{{Scope: 1, Key: Text{Bytes: []byte("k")}}, {Delete: true}}},
			{Kind: CallMigrate, From: 3, Fault: &Fault{Kind: abi.FaultFuel}},
		}
		b, err := frame.append(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytesReader{b: b, all: len(b)}
		frame := r.frame(3, 5)
		if r.err != nil {
			if !errors.Is(r.err, ErrMalformed) {
				t.Fatal(r.err)
			}
			return
		}
		again, err := frame.append(nil)
		if err != nil {
			t.Fatal(err)
		}
		r = bytesReader{b: again, all: len(again)}
		if got := r.frame(3, 5); r.err != nil || !cmp.Equal(frame, got, cmpopts.EquateEmpty()) {
			t.Fatalf("%v\n%s", r.err, cmp.Diff(frame, got, cmpopts.EquateEmpty()))
		}
	})
}
