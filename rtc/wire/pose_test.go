package wire

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/lattice"
)

var genPose = rapid.Custom(func(t *rapid.T) Pose {
	p := Pose{Seq: rapid.Uint16().Draw(t, "seq"), Stamp: rapid.Uint32().Draw(t, "stamp")}
	if p.HasAck = rapid.Bool().Draw(t, "ack"); p.HasAck {
		p.AckSeq, p.AckBits = rapid.Uint16().Draw(t, "ack seq"), rapid.Uint32().Draw(t, "ack bits")
	}
	p.Body = lattice.Body{Head: genJoint.Draw(t, "head"), Left: genJoint.Draw(t, "left"), Right: genJoint.Draw(t, "right")}
	if p.Said = lattice.Streams(rapid.Uint8Range(0, uint8(lattice.AllStreams)).Draw(t, "said")); p.Said != 0 {
		p.Extras = genExtras.Draw(t, "extras").Only(p.Said)
	}
	return p
})

func TestPoseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := genPose.Draw(t, "pose")
		b := AppendPose([]byte("x"), &p)[1:]
		var got Pose
		if err := DecodePose(b, &got); err != nil {
			t.Fatal(err)
		}
		if got != p {
			t.Fatal(cmp.Diff(p, got))
		}
		for n := range b {
			var q Pose
			err := DecodePose(b[:n], &q)
			if wantCode(err) != CodeBadMessage || q != (Pose{}) {
				t.Fatalf("cut to %d of %d bytes: %v", n, len(b), err)
			}
		}
	})
}

func wantCode(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

func TestDecodePoseRefuses(t *testing.T) {
	pose := func(change func(*Pose)) []byte {
		p := Pose{Seq: 1, Body: newWalker(1).step(0.1)}
		if change != nil {
			change(&p)
		}
		return AppendPose(nil, &p)
	}
	good := pose(nil)
	spare := slices.Clone(good)
	spare[len(spare)-1] |= 0x80
	for _, c := range []struct {
		name string
		b    []byte
		code Code
		says string
	}{
		{"empty", nil, CodeBadMessage, "byte 0: the message is empty"},
		{"newer version", []byte{2<<4 | 1}, CodeBadVersion, "this side is older"},
		{"older version", []byte{1}, CodeBadVersion, "the sender is older"},
		{"unknown type", []byte{Version<<4 | 9}, CodeBadMessage, "unknown message type 9"},
		{"another type", []byte{Version<<4 | byte(MsgFrame)}, CodeBadMessage, "message type 4 where 1 is expected"},
		{"cut short", good[:len(good)-1], CodeBadMessage, "length: cut short"},
		{"too long", append(slices.Clone(good), 0), CodeBadMessage, "length: too long: 1 bytes more"},
		{"unused bits", spare, CodeBadMessage, "unused bits"},
		{"head outside", pose(func(p *Pose) { p.Body.Head.Pos.X = coordinateMax + 1 }), CodeBadField, "head.pos.x"},
		{"head below", pose(func(p *Pose) { p.Body.Head.Pos.Y = -coordinateMax - 1 }), CodeBadField, "head.pos.y"},
		{"hand outside", pose(func(p *Pose) { p.Body.Right.Pos.Z = 1<<31 - 1 }), CodeBadField, "right.pos.z"},
		{"component", pose(func(p *Pose) { p.Body.Left.Rot.C[1] = -1024 }), CodeBadField, "left.rot"},
		{"not unit", pose(func(p *Pose) { p.Body.Head.Rot.C = [3]int16{1000, 1000, 1000} }), CodeBadField, "head.rot"},
	} {
		p := Pose{Seq: 77}
		err := DecodePose(c.b, &p)
		if wantCode(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want %v and %q", c.name, err, c.code, c.says)
		}
		if p != (Pose{Seq: 77}) {
			t.Errorf("%s: the pose was changed", c.name)
		}
	}
	if len(good) != 38 {
		t.Errorf("an ordinary pose without an acknowledgement has %d bytes, docs/protocol.md says 38", len(good))
	}
}

func TestPingAndPong(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ping := Ping{rapid.Uint64().Draw(t, "t0")}
		pong := Pong{ping.T0, rapid.Uint64().Draw(t, "t1"), rapid.Uint64().Draw(t, "t2")}
		a, b := AppendPing(nil, &ping), AppendPong(nil, &pong)
		var gotPing Ping
		var gotPong Pong
		if err := DecodePing(a, &gotPing); err != nil || gotPing != ping {
			t.Fatal(gotPing, err)
		}
		if err := DecodePong(b, &gotPong); err != nil || gotPong != pong {
			t.Fatal(gotPong, err)
		}
		for _, bad := range [][]byte{nil, a[:8], append(slices.Clone(a), 0), b} {
			if err := DecodePing(bad, &gotPing); wantCode(err) != CodeBadMessage {
				t.Fatalf("ping of %d bytes: %v", len(bad), err)
			}
		}
		for _, bad := range [][]byte{nil, b[:24], append(slices.Clone(b), 0), a} {
			if err := DecodePong(bad, &gotPong); wantCode(err) != CodeBadMessage {
				t.Fatalf("pong of %d bytes: %v", len(bad), err)
			}
		}
	})
}

func FuzzDecodePose(f *testing.F) {
	w := newWalker(3)
	for range 3 {
		f.Add(AppendPose(nil, &Pose{Seq: 9, HasAck: true, AckSeq: 4, AckBits: 7, Body: w.step(0.3)}))
	}
	f.Add(AppendPose(nil, &Pose{}))
	f.Add(AppendPose(nil, &Pose{Body: w.step(1), Said: lattice.AllStreams, Extras: fullExtras}))
	f.Add(AppendPose(nil, &Pose{Said: lattice.AllStreams, Extras: rightExtras}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var p, q Pose
		if err := DecodePose(b, &p); err != nil {
			if wantCode(err) == 0 {
				t.Fatalf("%T", err)
			}
			return
		}
		if err := p.Extras.Check(); err != nil || p.Extras.Has&^p.Said != 0 {
			t.Fatal(p.Said, p.Extras, err)
		}
		if err := DecodePose(AppendPose(nil, &p), &q); err != nil || p != q {
			t.Fatal(err, cmp.Diff(p, q))
		}
	})
}

func FuzzDecodePing(f *testing.F) {
	f.Add(AppendPing(nil, &Ping{5}))
	f.Add(AppendPong(nil, &Pong{5, 6, 7}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var ping Ping
		if err := DecodePing(b, &ping); err == nil && string(AppendPing(nil, &ping)) != string(b) {
			t.Fatal(ping)
		}
		var pong Pong
		if err := DecodePong(b, &pong); err == nil && string(AppendPong(nil, &pong)) != string(b) {
			t.Fatal(pong)
		}
	})
}
