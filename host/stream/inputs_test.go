package stream

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
)

func TestInputsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(genInput, 0, 5).Draw(t, "inputs")
		h := BatchHeader{rapid.Uint64().Draw(t, "gateway"), rapid.Uint64().Draw(t, "incarnation"), rapid.Uint64().Draw(t, "epoch"), rapid.Uint64().Draw(t, "n")}
		b := AppendInputs([]byte("before"), h, in)
		if !strings.HasPrefix(string(b), "before") {
			t.Fatal("AppendInputs overwrote what was there")
		}
		b = b[len("before"):]
		kept := Input{Kind: InputLeave, Session: 7}
		var got BatchHeader
		out, err := DecodeInputs(b, &got, []Input{kept})
		if err != nil {
			t.Fatal(err)
		}
		clear(b) // nothing decoded may share memory with the message
		if got != h {
			t.Fatalf("header %+v came back as %+v", h, got)
		}
		if d := cmp.Diff(append([]Input{kept}, in...), out); d != "" {
			t.Fatal(d)
		}
	})
}

func TestDecodeInputsRefuses(t *testing.T) {
	good := AppendInputs(nil, BatchHeader{Gateway: 1, N: 2}, []Input{{Kind: InputGrab, Session: 3, Seq: 1, Object: 9, HandAt: lattice.Joint{Pos: lattice.Vec{X: 1}}}})
	var h BatchHeader
	for n := range good {
		if _, err := DecodeInputs(good[:n], &h, nil); !errors.Is(err, ErrMalformed) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(good), err)
		}
	}
	otherVersion := append([]byte{(codecVersion+1)<<4 | typeInputs}, good[1:]...)
	badKind := AppendInputs(nil, BatchHeader{}, []Input{{Kind: 77}})
	lyingCount := append([]byte{good[0], 1, 0, 0, 2}, 0xff, 0xff, 0xff, 0xff, 0x0f)
	tooMany := AppendInputs(nil, BatchHeader{}, make([]Input, MaxBatch+1))
	badRegion := AppendInputs(nil, BatchHeader{}, []Input{{Kind: InputRegion, Region: &RegionMessage{From: "a"}}})
	badRot := AppendInputs(nil, BatchHeader{}, []Input{{Kind: InputUse, HandAt: lattice.Joint{Rot: lattice.Rot{C: [3]int16{1023, 1023, 1023}}}}})
	for _, c := range []struct {
		name string
		b    []byte
		says string
	}{
		{"empty", nil, "cut short"},
		{"other version", otherVersion, "same release"},
		{"a record", []byte{codecVersion<<4 | typeRecord}, "same release"},
		{"trailing", append(good[:len(good):len(good)], 0), "1 bytes follow"},
		{"kind", badKind, "77 is not a kind"},
		{"count", lyingCount, "do not fit"},
		{"too many", tooMany, "at most 16384"},
		{"rotation", badRot, "not a rotation"},
		{"region message", badRegion[:len(badRegion)-4], "region message"},
	} {
		kept := []Input{{Kind: InputLeave}}
		got, err := DecodeInputs(c.b, &h, kept)
		if !errors.Is(err, ErrMalformed) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want it to say %q", c.name, err, c.says)
		}
		if len(got) != 1 {
			t.Errorf("%s: gave %d inputs beside the error", c.name, len(got)-1)
		}
	}
}

func FuzzDecodeInputs(f *testing.F) {
	f.Add(AppendInputs(nil, BatchHeader{1, 2, 3, 4}, nil))
	f.Add(AppendInputs(nil, BatchHeader{1, 2, 3, 4}, []Input{
		{Kind: InputJoin, Session: 5, User: "u", Name: "n", Spawn: "s", HasPlace: true, Load: true},
		{Kind: InputPose, Session: 5, PoseSeq: 9, Stamp: 100, Arrival: 120, Body: lattice.Body{Left: lattice.Joint{Pos: lattice.Vec{X: 5}}}},
		{Kind: InputPose, Session: 5, PoseSeq: 10, Said: lattice.AllStreams, Extras: lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: 9}}},
		{Kind: InputMessage, Session: 5, Seq: 1, Topic: "t", Data: []byte("{}")},
		{Kind: InputLeave, Session: 5, Reason: 4006},
		{Kind: InputRegion, Region: &RegionMessage{From: "a", To: "b", At: RegionPoint{2, 3}, After: RegionPoint{1, 2}, Kind: RegionSignal,
			Rule: "quiz", Sender: "door", Plugin: "door@1.0.0", Digest: "0123456789ab", Topic: "open", Data: []byte("1")}},
		{Kind: InputRegionAck, Region: &RegionMessage{From: "a", To: "b", At: RegionPoint{2, 3}}},
	}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var h, again BatchHeader
		in, err := DecodeInputs(b, &h, nil)
		if err != nil {
			if !errors.Is(err, ErrMalformed) || in != nil {
				t.Fatalf("%d inputs, %v", len(in), err)
			}
			return
		}
		out, err := DecodeInputs(AppendInputs(nil, h, in), &again, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(in, out); d != "" || h != again {
			t.Fatalf("%+v %+v %s", h, again, d)
		}
	})
}
