package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

var update = flag.Bool("update", false, "write testdata/vectors.json anew")

const vectorFile = "testdata/vectors.json"

// The vectors are for the codecs of every language: the bytes of a message beside the
// fields they mean. Numbers above 32 bits are decimal strings. Positions are lattice steps, a
// rotation is [largest, c0, c1, c2].

type vectors struct {
	Comment string        `json:"comment"`
	Version int           `json:"version"`
	Poses   []poseVector  `json:"poses"`
	Pings   []pingVector  `json:"pings"`
	Pongs   []pongVector  `json:"pongs"`
	Frames  []frameVector `json:"frames"` // applied in order to one view
	Refused []refused     `json:"refused"`
}

type jointVector struct {
	Pos [3]int32 `json:"pos"`
	Rot [4]int16 `json:"rot"`
}

type bodyVector struct {
	Head  jointVector `json:"head"`
	Left  jointVector `json:"left"`
	Right jointVector `json:"right"`
}

type poseVector struct {
	Name    string        `json:"name"`
	Hex     string        `json:"hex"`
	Seq     uint16        `json:"seq"`
	Stamp   uint32        `json:"stamp"`
	HasAck  bool          `json:"has_ack"`
	AckSeq  uint16        `json:"ack_seq"`
	AckBits uint32        `json:"ack_bits"`
	Body    bodyVector    `json:"body"`
	Said    uint8         `json:"said,omitempty"` // optional streams it tells of: 1 gaze, 2 fingers, 4 root
	Extras  *extrasVector `json:"extras,omitempty"`
}

// extrasVector is what optional streams say; those that are null are not there.
type extrasVector struct {
	Gaze  *[2]int16 `json:"gaze"` // yaw, pitch
	Left  *[5]uint8 `json:"left"` // curls; with neither hand there are no fingers
	Right *[5]uint8 `json:"right"`
	Root  *[4]int32 `json:"root"` // x, y, z less the head's, yaw
}

// frameExtras is an item of a frame's extras.
type frameExtras struct {
	Handle uint16        `json:"handle"`
	Said   uint8         `json:"said"`
	Extras *extrasVector `json:"extras,omitempty"`
}

func toExtras(e *lattice.Extras) *extrasVector {
	if e.Has == 0 {
		return nil
	}
	v := &extrasVector{}
	if e.Has&lattice.StreamGaze != 0 {
		v.Gaze = &[2]int16{e.Gaze.Yaw, e.Gaze.Pitch}
	}
	if e.Fingers.Hands&1 != 0 {
		v.Left = (*[5]uint8)(&e.Fingers.Curls[0])
	}
	if e.Fingers.Hands&2 != 0 {
		v.Right = (*[5]uint8)(&e.Fingers.Curls[1])
	}
	if e.Has&lattice.StreamRoot != 0 {
		v.Root = &[4]int32{e.Root.Off.X, e.Root.Off.Y, e.Root.Off.Z, int32(e.Root.Yaw)}
	}
	return v
}

func fromExtras(v *extrasVector) (e lattice.Extras) {
	if v == nil {
		return e
	}
	if v.Gaze != nil {
		e.Has |= lattice.StreamGaze
		e.Gaze = lattice.Gaze{Yaw: v.Gaze[0], Pitch: v.Gaze[1]}
	}
	for h, c := range []*[5]uint8{v.Left, v.Right} {
		if c != nil {
			e.Has |= lattice.StreamFingers
			e.Fingers.Hands |= 1 << h
			e.Fingers.Curls[h] = *c
		}
	}
	if v.Root != nil {
		e.Has |= lattice.StreamRoot
		e.Root = lattice.Root{Off: lattice.Vec{X: v.Root[0], Y: v.Root[1], Z: v.Root[2]}, Yaw: uint16(v.Root[3])}
	}
	return e
}

type pingVector struct {
	Hex string `json:"hex"`
	T0  string `json:"t0"`
}

type pongVector struct {
	Hex string `json:"hex"`
	T0  string `json:"t0"`
	T1  string `json:"t1"`
	T2  string `json:"t2"`
}

type frameVector struct {
	Name     string         `json:"name"`
	Hex      string         `json:"hex"`
	Seq      uint16         `json:"seq"`
	Tick     uint32         `json:"tick"`
	HasPose  bool           `json:"has_pose"`
	PoseSeq  uint16         `json:"pose_seq"`
	Throttle bool           `json:"throttle"`
	Records  []recordVector `json:"records"`          // as written
	Extras   []frameExtras  `json:"extras,omitempty"` // as written
	Ack      ackVector      `json:"ack"`              // after it
	Visible  []string       `json:"visible"`          // entity ids after it, ascending
}

type ackVector struct {
	Seq  uint16 `json:"seq"`
	Bits uint32 `json:"bits"`
}

type recordVector struct {
	Op     string      `json:"op"` // update, enter, full, leave
	Handle uint16      `json:"handle"`
	Base   *uint16     `json:"base,omitempty"`  // update: number of the baseline's frame
	Alone  bool        `json:"alone,omitempty"` // update: nothing before the baseline counts
	Far    bool        `json:"far,omitempty"`   // update: written as a far one
	ID     string      `json:"id"`              // of the handle's entity, "0" for a leave of nothing
	Kind   uint8       `json:"kind"`
	Class  uint16      `json:"class"`
	Name   string      `json:"name"`
	State  *stateValue `json:"state,omitempty"` // resolved; not for leave
}

type stateValue struct {
	Body   bodyVector `json:"body"`
	AgeMS  uint8      `json:"age_ms"`
	Flags  uint8      `json:"flags"`
	Holder string     `json:"holder"`
	Value  uint32     `json:"value"`
}

type refused struct {
	Name  string `json:"name"`
	Hex   string `json:"hex"`
	As    string `json:"as"` // pose, ping, pong, or frame: applied to a view that has seen nothing
	Code  Code   `json:"code"`
	Field string `json:"field"`
}

func dec(n uint64) string { return strconv.FormatUint(n, 10) }

func toBody(b *lattice.Body) bodyVector {
	j := func(j *lattice.Joint) jointVector {
		return jointVector{[3]int32{j.Pos.X, j.Pos.Y, j.Pos.Z}, [4]int16{int16(j.Rot.Largest), j.Rot.C[0], j.Rot.C[1], j.Rot.C[2]}}
	}
	return bodyVector{j(&b.Head), j(&b.Left), j(&b.Right)}
}

func fromBody(b *bodyVector) lattice.Body {
	j := func(j *jointVector) lattice.Joint {
		return lattice.Joint{
			Pos: lattice.Vec{X: j.Pos[0], Y: j.Pos[1], Z: j.Pos[2]},
			Rot: lattice.Rot{Largest: uint8(j.Rot[0]), C: [3]int16{j.Rot[1], j.Rot[2], j.Rot[3]}},
		}
	}
	return lattice.Body{Head: j(&b.Head), Left: j(&b.Left), Right: j(&b.Right)}
}

// TestVectors reads every vector of the file, and, where messages have one way to be
// written, writes it again. With -update the file is made first.
func TestVectors(t *testing.T) {
	if *update {
		b, err := json.MarshalIndent(makeVectors(t), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(vectorFile, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	var file vectors
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		t.Fatal(err)
	}
	if file.Version != Version {
		t.Fatalf("the vectors are of version %d", file.Version)
	}
	for _, v := range file.Poses {
		want := Pose{Seq: v.Seq, Stamp: v.Stamp, HasAck: v.HasAck, AckSeq: v.AckSeq, AckBits: v.AckBits, Body: fromBody(&v.Body), Said: lattice.Streams(v.Said), Extras: fromExtras(v.Extras)}
		var got Pose
		if err := DecodePose(unhex(t, v.Hex), &got); err != nil || got != want {
			t.Errorf("%s: %v %s", v.Name, err, cmp.Diff(want, got))
		}
		if h := hex.EncodeToString(AppendPose(nil, &want)); h != v.Hex {
			t.Errorf("%s: writes\n%s, want\n%s", v.Name, h, v.Hex)
		}
	}
	for _, v := range file.Pings {
		var p Ping
		if err := DecodePing(unhex(t, v.Hex), &p); err != nil || dec(p.T0) != v.T0 || hex.EncodeToString(AppendPing(nil, &p)) != v.Hex {
			t.Errorf("ping %s: %+v, %v", v.Hex, p, err)
		}
	}
	for _, v := range file.Pongs {
		var p Pong
		if err := DecodePong(unhex(t, v.Hex), &p); err != nil || (pongVector{v.Hex, dec(p.T0), dec(p.T1), dec(p.T2)}) != v || hex.EncodeToString(AppendPong(nil, &p)) != v.Hex {
			t.Errorf("pong %s: %+v, %v", v.Hex, p, err)
		}
	}
	view := NewView()
	var w vectorWriter
	for _, v := range file.Frames {
		got := applied(t, view, v.Name, unhex(t, v.Hex))
		for i := range min(len(got.Records), len(v.Records)) { // what only a writer knows
			got.Records[i].Alone, got.Records[i].Far = v.Records[i].Alone, v.Records[i].Far
		}
		if d := cmp.Diff(v, got); d != "" {
			t.Errorf("%s reads as: %s", v.Name, d)
		}
		if h := hex.EncodeToString(w.written(t, &v)); h != v.Hex {
			t.Errorf("%s: writes\n%s, want\n%s", v.Name, h, v.Hex)
		}
	}
	for _, v := range file.Refused {
		if got := refusal(v.As, unhex(t, v.Hex)); got == nil || got.Code != v.Code || got.Field != v.Field {
			t.Errorf("%s: %v, want %v in %s", v.Name, got, v.Code, v.Field)
		}
	}
}

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// refusal decodes b as what it says it is and returns the error.
func refusal(as string, b []byte) *Error {
	var err error
	switch as {
	case "pose":
		err = DecodePose(b, new(Pose))
	case "ping":
		err = DecodePing(b, new(Ping))
	case "pong":
		err = DecodePong(b, new(Pong))
	case "frame":
		_, err = NewView().Apply(b, nil)
	}
	e, _ := err.(*Error)
	return e
}

var opNames = [...]string{OpUpdate: "update", OpEnter: "enter", OpFull: "full", OpLeave: "leave"}

// applied gives the frame to the view and describes what it saw.
func applied(t *testing.T, view *View, name string, frame []byte) frameVector {
	t.Helper()
	bound := map[uint16]Info{}
	for handle, s := range view.slots {
		bound[handle] = s.Info
	}
	h, err := view.Apply(frame, nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	v := frameVector{Name: name, Hex: hex.EncodeToString(frame), Seq: h.Seq, Tick: h.Tick, HasPose: h.HasPose, PoseSeq: h.PoseSeq, Throttle: h.Throttle, Records: []recordVector{}, Visible: []string{}}
	for _, p := range view.plan { // as read: Op as written, leaves of nothing included
		rec := Record{Op: OpLeave, Handle: p.handle, Info: bound[p.handle]}
		if p.at != leaves {
			rec = view.records[p.at]
		}
		r := recordVector{Op: opNames[rec.Op], Handle: rec.Handle, ID: dec(rec.Info.ID), Kind: uint8(rec.Info.Kind), Class: rec.Info.Class, Name: rec.Info.Name}
		if rec.Op == OpUpdate {
			r.Base = &rec.Base
		}
		if rec.Op != OpLeave {
			s := rec.State
			r.State = &stateValue{toBody(&s.Body), s.AgeMS, s.Flags, dec(s.Holder), s.Value}
		}
		v.Records = append(v.Records, r)
	}
	for _, x := range view.Extras() {
		v.Extras = append(v.Extras, frameExtras{x.Handle, uint8(x.Said), toExtras(&x.Extras)})
	}
	_, v.Ack.Seq, v.Ack.Bits = view.Ack()
	for id := range view.Entities() {
		v.Visible = append(v.Visible, dec(id))
	}
	return v
}

// vectorWriter writes frames that a client applies all of, and remembers what they said.
type vectorWriter struct {
	w      FrameWriter
	frames []vectorFrame
}

type vectorFrame struct {
	seq    uint16
	tick   uint32
	states map[uint16]stream.State
	enters map[uint16]bool
}

func (v *vectorWriter) start(h FrameHeader) {
	v.w.Reset(nil, MaxFrame, h)
	v.frames = append(v.frames, vectorFrame{h.Seq, h.Tick, map[uint16]stream.State{}, map[uint16]bool{}})
}

func (v *vectorWriter) said(handle uint16, s *stream.State) bool {
	v.frames[len(v.frames)-1].states[handle] = *s
	return true
}

func (v *vectorWriter) Enter(handle uint16, info *Info, s *stream.State) bool {
	v.frames[len(v.frames)-1].enters[handle] = true
	return v.w.Enter(handle, info, s) && v.said(handle, s)
}

func (v *vectorWriter) Full(handle uint16, s *stream.State) bool {
	return v.w.Full(handle, s) && v.said(handle, s)
}

func (v *vectorWriter) Leave(handle uint16) bool { return v.w.Leave(handle) }

func (v *vectorWriter) Update(handle, base uint16, s *stream.State, alone, far bool) bool {
	past := Past{Alone: alone}
	for i := len(v.frames) - 1; i >= 0; i-- {
		f := &v.frames[i]
		st, ok := f.states[handle]
		if age := base - f.seq; int16(age) < 0 || age > HistoryFrames || !ok {
			continue
		}
		if !past.Push(&st, f.tick) || alone || f.enters[handle] {
			break
		}
	}
	return v.w.Update(handle, base, s, &past, far) && v.said(handle, s)
}

// written writes the frame that a vector describes.
func (v *vectorWriter) written(t *testing.T, f *frameVector) []byte {
	t.Helper()
	v.start(FrameHeader{Seq: f.Seq, Tick: f.Tick, HasPose: f.HasPose, PoseSeq: f.PoseSeq, Throttle: f.Throttle})
	for _, r := range f.Records {
		var s stream.State
		if r.State != nil {
			holder, err := strconv.ParseUint(r.State.Holder, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			s = stream.State{Body: fromBody(&r.State.Body), AgeMS: r.State.AgeMS, Flags: r.State.Flags, Holder: holder, Value: r.State.Value}
		}
		ok := false
		switch r.Op {
		case "enter":
			id, err := strconv.ParseUint(r.ID, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			ok = v.Enter(r.Handle, &Info{ID: id, Kind: stream.EntityKind(r.Kind), Class: r.Class, Name: r.Name}, &s)
		case "full":
			ok = v.Full(r.Handle, &s)
		case "update":
			ok = v.Update(r.Handle, *r.Base, &s, r.Alone, r.Far)
		case "leave":
			ok = v.Leave(r.Handle)
		}
		if !ok {
			t.Fatalf("%s: a record does not fit", f.Name)
		}
	}
	for _, x := range f.Extras {
		e := fromExtras(x.Extras)
		if !v.w.Extras(x.Handle, lattice.Streams(x.Said), &e) {
			t.Fatalf("%s: extras do not fit", f.Name)
		}
	}
	return v.w.Bytes()
}

func makeVectors(t *testing.T) *vectors {
	out := &vectors{
		Comment: "Test vectors of the pose lane; docs/protocol.md has the layouts. Positions are lattice steps (1/1024 m), rotations [largest, c0, c1, c2], numbers above 32 bits decimal strings. 'frames' are applied in order to one view; their records carry resolved states and what is known of the handle. Made by go test ./rtc/wire -run TestVectors -update.",
		Version: Version,
	}
	addPoses(out)
	for _, n := range []uint64{0, 1, 1<<64 - 1, 0x0123456789abcdef} {
		out.Pings = append(out.Pings, pingVector{hex.EncodeToString(AppendPing(nil, &Ping{n})), dec(n)})
		p := Pong{n, n/3 + 1, n/3 + 77}
		out.Pongs = append(out.Pongs, pongVector{hex.EncodeToString(AppendPong(nil, &p)), dec(p.T0), dec(p.T1), dec(p.T2)})
	}
	addFrames(t, out)
	addRefused(t, out)
	return out
}

var fullExtras = lattice.Extras{
	Has: lattice.AllStreams, Gaze: lattice.Gaze{Yaw: 100, Pitch: -7},
	Fingers: lattice.Fingers{Hands: 3, Curls: [2]lattice.Curls{{0, 1, 2, 30, 31}, {31, 16, 8, 4, 2}}},
	Root:    lattice.Root{Off: lattice.Vec{X: 30, Y: -1700, Z: -11}, Yaw: 513},
}

var rightExtras = lattice.Extras{
	Has: lattice.StreamFingers, Fingers: lattice.Fingers{Hands: 2, Curls: [2]lattice.Curls{{}, {5, 6, 7, 8, 9}}},
}

func addPoses(out *vectors) {
	w := newWalker(7)
	edge := lattice.Joint{Pos: lattice.Vec{X: coordinateMax, Y: -coordinateMax, Z: coordinateMax}, Rot: lattice.Rot{Largest: 3, C: [3]int16{-724, 0, 511}}}
	narrow := lattice.Joint{Pos: lattice.Vec{X: 1<<19 - 1, Y: -1 << 19, Z: 0}, Rot: lattice.Rot{Largest: 1, C: [3]int16{1, -1, 700}}}
	hand := func(head lattice.Joint, x, y, z int32, rot lattice.Rot) lattice.Joint {
		return lattice.Joint{Pos: head.Pos.Add(lattice.Vec{X: x, Y: y, Z: z}), Rot: rot}
	}
	for _, p := range []struct {
		name string
		pose Pose
	}{
		{"all zero", Pose{}},
		{"an ordinary sample", Pose{Seq: 258, Stamp: 123456789, HasAck: true, AckSeq: 513, AckBits: 0xfffffffe, Body: w.step(1)}},
		{"without an acknowledgement", Pose{Seq: 259, Stamp: 123457122, Body: w.step(1.0 / 30)}},
		{"numbers about to wrap", Pose{Seq: 65535, Stamp: 4294967295, HasAck: true, AckSeq: 65535, AckBits: 4294967295, Body: w.step(1.0 / 30)}},
		{"largest coordinates", Pose{Seq: 1, Body: lattice.Body{Head: edge, Left: lattice.Joint{Pos: lattice.Vec{X: -coordinateMax, Y: coordinateMax, Z: -coordinateMax}}, Right: edge}}},
		{"largest narrow forms", Pose{Seq: 2, Body: lattice.Body{Head: narrow, Left: hand(narrow, 2047, -2048, 0, lattice.Rot{Largest: 2, C: [3]int16{-512, 511, 3}}), Right: hand(narrow, -2048, 2047, -1, lattice.Rot{})}}},
		{"smallest wide forms", Pose{Seq: 3, Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 1 << 19}}, Left: lattice.Joint{Pos: lattice.Vec{X: 1<<19 + 2048}}, Right: lattice.Joint{Pos: lattice.Vec{X: 1<<19 - 2049}}}}},
		{"all optional streams", Pose{Seq: 4, Stamp: 9, HasAck: true, AckSeq: 1, Body: w.step(1.0 / 30), Said: lattice.AllStreams, Extras: fullExtras}},
		{"a gaze only, at its limits", Pose{Seq: 5, Body: w.step(1.0 / 30), Said: lattice.StreamGaze, Extras: lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: -256, Pitch: 255}}}},
		{"one hand's fingers; the root has ended", Pose{Seq: 6, Body: w.step(1.0 / 30), Said: lattice.StreamFingers | lattice.StreamRoot, Extras: rightExtras}},
		{"a root at its limits", Pose{Seq: 7, Body: w.step(1.0 / 30), Said: lattice.StreamRoot, Extras: lattice.Extras{Has: lattice.StreamRoot, Root: lattice.Root{Off: lattice.Vec{X: -4096, Y: 4095, Z: 0}, Yaw: 1023}}}},
	} {
		b := &p.pose
		out.Poses = append(out.Poses, poseVector{p.name, hex.EncodeToString(AppendPose(nil, b)), b.Seq, b.Stamp, b.HasAck, b.AckSeq, b.AckBits, toBody(&b.Body), uint8(b.Said), toExtras(&b.Extras)})
	}
}

// addFrames writes the life of a small view: every operation, form and width, a lost frame, numbers that wrap.
func addFrames(t *testing.T, out *vectors) {
	zoe, ann := newWalker(1), newWalker(2)
	var z, a [8]stream.State
	for i := range z {
		dt := []float64{1, 0.033, 0.033, 0.033, 0.4, 0.033, 0.033, 2}[i]
		z[i] = stream.State{Body: zoe.step(dt), AgeMS: uint8(10 + i)}
		a[i] = stream.State{Body: ann.step(dt), AgeMS: 20}
	}
	z[4].Flags = stream.FlagAway
	cups := [...]stream.State{
		{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 5120, Y: 1024, Z: -700}}}, Value: 1},
		{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 5125, Y: 1020, Z: -731}, Rot: lattice.Rot{C: [3]int16{7, -8, 0}}}}, Holder: 1<<32 + 1, Flags: stream.FlagRight, Value: 1},
		{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 5125, Y: 10, Z: -731}, Rot: lattice.Rot{C: [3]int16{38, -40, 31}}}}, Value: 4294967295},
		{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: -coordinateMax, Y: 10, Z: coordinateMax}, Rot: lattice.Rot{C: [3]int16{165, -168, 31}}}}, Holder: 1<<64 - 1, Flags: 255, Value: 256},
	}
	door := stream.State{Body: lattice.Body{Head: lattice.Joint{Pos: lattice.Vec{X: 20480, Z: 15360}}}, Flags: stream.FlagLocked, Value: 1000}
	zi := Info{ID: 1<<32 + 1, Kind: stream.Avatar, Name: "Zoë"}
	ai := Info{ID: 1<<32 + 2, Kind: stream.Avatar, Name: "a name as long as it can be, of exactly 48 bytes."[:48]}
	ci := Info{ID: 1<<40 + 3, Kind: stream.Object, Class: 300, Name: "cup-1"}
	di := Info{ID: 9, Kind: stream.Door, Class: 2}

	// A hand that is lost, jumps, turns over; and everything far away.
	wild := z
	for i := range wild {
		b := &wild[i].Body
		b.Left.Pos = b.Left.Pos.Add(lattice.Vec{X: int32(i*i*i) * 40, Y: int32(i) * 700, Z: -int32(i) * 5000})
		b.Right.Rot = lattice.Rot{Largest: uint8(i & 3), C: [3]int16{int16(97*i - 300), int16(500 - 111*i), int16(31 * i)}}
		wild[i].AgeMS = uint8(77 * i)
	}
	far := a
	for i := range far {
		far[i] = Coarse(&a[i])
	}

	const first = 65533
	view := NewView()
	var w vectorWriter
	for _, f := range []struct {
		name  string
		h     FrameHeader
		write func() bool
	}{
		{"nothing", FrameHeader{Seq: first, Tick: 1}, func() bool { return true }},
		{"enters", FrameHeader{Seq: first + 1, Tick: 2, HasPose: true, PoseSeq: 300}, func() bool {
			return w.Enter(1, &zi, &z[0]) && w.Enter(256, &ci, &cups[0])
		}},
		{"an enter again, a door, updates of one step ago", FrameHeader{Seq: first + 2, Tick: 3, HasPose: true, PoseSeq: 301}, func() bool {
			return w.Enter(1, &zi, &z[1]) && w.Update(256, first+1, &cups[1], false, false) && w.Enter(255, &di, &door)
		}},
		{"numbers wrap to 1, frame 0 was lost", FrameHeader{Seq: 1, Tick: 5, Throttle: true}, func() bool {
			return w.Update(1, first+2, &z[2], false, false) && w.Update(256, first+1, &cups[2], false, false) && w.Enter(65535, &ai, &a[0])
		}},
		{"several ages, a past of two", FrameHeader{Seq: 2, Tick: 6}, func() bool {
			return w.Update(1, 1, &z[3], false, false) && w.Update(256, 1, &cups[3], false, false) && w.Update(65535, 1, &a[1], false, false)
		}},
		{"the same age twice, nothing changed, a full state", FrameHeader{Seq: 3, Tick: 7}, func() bool {
			return w.Update(1, 1, &z[4], false, false) && w.Update(65535, 1, &a[0], false, false) && w.Full(256, &cups[1])
		}},
		{"leaves", FrameHeader{Seq: 4, Tick: 8}, func() bool {
			return w.Leave(65535) && w.Update(1, 3, &z[5], false, false)
		}},
		{"a leave again, back under another handle", FrameHeader{Seq: 5, Tick: 9}, func() bool {
			return w.Leave(65535) && w.Enter(7, &ai, &a[5]) && w.Full(1, &z[6])
		}},
		{"nothing before the baseline counts", FrameHeader{Seq: 6, Tick: 10}, func() bool {
			return w.Update(1, 4, &z[7], true, false) && w.Update(7, 5, &a[6], false, false)
		}},
		{"far", FrameHeader{Seq: 7, Tick: 11}, func() bool {
			return w.Update(7, 6, &far[7], false, true) && w.Update(1, 6, &wild[1], false, false)
		}},
		{"far from far, jumps and turns", FrameHeader{Seq: 8, Tick: 12}, func() bool {
			return w.Update(7, 7, &far[6], false, true) && w.Update(1, 7, &wild[2], false, false)
		}},
		{"ticks are left out", FrameHeader{Seq: 9, Tick: 15}, func() bool {
			return w.Update(7, 8, &a[4], false, false) && w.Update(1, 8, &wild[3], false, false)
		}},
		{"far ahead", FrameHeader{Seq: 10, Tick: 40}, func() bool {
			return w.Update(7, 9, &a[3], false, false) && w.Update(1, 9, &wild[4], false, false)
		}},
		{"the oldest possible baseline, without its past", FrameHeader{Seq: 73, Tick: 90}, func() bool {
			return w.Update(1, 9, &wild[5], true, false) && w.Update(7, 9, &a[2], false, false)
		}},
		{"optional streams beside a record", FrameHeader{Seq: 74, Tick: 91}, func() bool {
			return w.Update(1, 73, &wild[6], false, false) && w.w.Extras(1, lattice.AllStreams, &fullExtras) && w.w.Extras(256, lattice.StreamGaze, &fullExtras)
		}},
		{"and without: some end, some come, one handle twice", FrameHeader{Seq: 75, Tick: 92}, func() bool {
			return w.w.Extras(1, lattice.StreamGaze|lattice.StreamRoot, &lattice.Extras{}) && w.w.Extras(7, lattice.AllStreams, &rightExtras) &&
				w.w.Extras(7, lattice.StreamRoot, &fullExtras)
		}},
	} {
		w.start(f.h)
		if !f.write() {
			t.Fatalf("%s: does not fit", f.name)
		}
		v := applied(t, view, f.name, w.w.Bytes())
		for i := range v.Records {
			r := &v.Records[i]
			r.Alone = r.Op == "update" && strings.Contains(f.name, "baseline") && r.Handle == 1
			r.Far = r.Op == "update" && strings.HasPrefix(f.name, "far") && f.name != "far ahead" && r.Handle == 7
			if r.State == nil {
				continue
			}
			said := w.frames[len(w.frames)-1].states[r.Handle]
			if d := cmp.Diff(stateValue{toBody(&said.Body), said.AgeMS, said.Flags, dec(said.Holder), said.Value}, *r.State); d != "" {
				t.Fatalf("%s: handle %d reads otherwise than written: %s", f.name, r.Handle, d)
			}
		}
		out.Frames = append(out.Frames, v)
	}
}

func addRefused(t *testing.T, out *vectors) {
	good := AppendPose(nil, &Pose{Body: newWalker(7).step(1)})
	change := func(f func(p *Pose)) []byte {
		p := Pose{Body: newWalker(7).step(1)}
		f(&p)
		return AppendPose(nil, &p)
	}
	st := stream.State{Body: newWalker(7).step(1)}
	extras := func(write func(w *bitWriter)) []byte {
		return frameOf(1, func(w *FrameWriter) {
			w.Enter(3, &someone, &st)
			w.w.align()
			write(&w.w)
		})
	}
	spare := bytes.Clone(good)
	spare[len(spare)-1] |= 0x80
	for _, r := range []struct {
		name, as string
		b        []byte
	}{
		{"empty", "pose", nil},
		{"version 2", "pose", append([]byte{0x21}, good[1:]...)},
		{"type 9", "pose", append([]byte{0x19}, good[1:]...)},
		{"cut short", "pose", good[:len(good)-1]},
		{"too long", "pose", append(bytes.Clone(good), 0)},
		{"an unused bit is set", "pose", spare},
		{"head outside", "pose", change(func(p *Pose) { p.Body.Head.Pos.Z = coordinateMax + 1 })},
		{"rotation not unit", "pose", change(func(p *Pose) { p.Body.Left.Rot.C = [3]int16{1000, 1000, 1000} })},
		{"component -1024", "pose", change(func(p *Pose) { p.Body.Right.Rot.C[0] = -1024 })},
		{"ping cut short", "ping", AppendPing(nil, &Ping{})[:8]},
		{"pong too long", "pong", append(AppendPong(nil, &Pong{}), 0)},
		{"header cut short", "frame", frameOf(1, func(*FrameWriter) {})[:10]},
		{"an unbound handle", "frame", frameOf(1, func(w *FrameWriter) { w.Full(9, &st) })},
		{"no baseline", "frame", frameOf(1, func(w *FrameWriter) { w.Update(9, 0, &st, pastOf(&st, 0), false) })},
		{"one handle twice", "frame", frameOf(1, func(w *FrameWriter) { w.Leave(3); w.Enter(3, &someone, &st) })},
		{"entity 0", "frame", frameOf(1, func(w *FrameWriter) { w.Enter(3, &Info{Kind: stream.Avatar}, &st) })},
		{"fingers of no hand", "pose", change(func(p *Pose) { p.Said = lattice.StreamFingers; p.Extras.Has = lattice.StreamFingers })},
		{"cut in the curls", "pose", func() []byte {
			b := change(func(p *Pose) { p.Said, p.Extras = lattice.AllStreams, fullExtras })
			return b[:len(b)-9]
		}()},
		{"extras of an unbound handle", "frame", frameOf(1, func(w *FrameWriter) { w.Extras(3, lattice.StreamGaze, &fullExtras) })},
		{"extras of a handle that enters", "frame", frameOf(1, func(w *FrameWriter) { w.Enter(3, &someone, &st); w.Extras(3, lattice.StreamGaze, &fullExtras) })},
		{"extras that tell of nothing", "frame", extras(func(w *bitWriter) { w.put(0, 8); w.put(3<<1, 9); w.put(0, 15) })},
		{"more extras than fit", "frame", extras(func(w *bitWriter) { w.put(2, 8); w.put(3<<1, 9); w.put(1, 3); w.put(0, 12) })},
		{"extras cut short", "frame", extras(func(w *bitWriter) { w.put(0, 8); w.put(3<<1, 9); w.put(3, 3); w.put(1, 4) })},
		{"bytes after the last record", "frame", append(frameOf(1, func(w *FrameWriter) { w.Enter(3, &someone, &st) }), 0)},
	} {
		e := refusal(r.as, r.b)
		if e == nil {
			t.Fatalf("%s: was not refused", r.name)
		}
		out.Refused = append(out.Refused, refused{r.name, hex.EncodeToString(r.b), r.as, e.Code, e.Field})
	}
}
