package wire

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// TestFullRoundTrip: whatever the state, a full one decodes to it.
func TestFullRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := genState.Draw(t, "state")
		w := bitWriter{buf: make([]byte, 256), max: 256}
		w.state(&want)
		r := bitReader{buf: w.finish()}
		var got stream.State
		if err := r.state(&got); err != nil {
			t.Fatal(err)
		}
		if err := r.end(); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatal(cmp.Diff(want, got))
		}
	})
}

// server is the dumb twin of the gateway's end: it keeps every state of every frame.
type server struct {
	w        FrameWriter
	seq      uint16
	acked    map[uint16]bool // frames the client said it has
	known    map[uint16]bool // frames that an acknowledgement told of, either way
	said     map[uint16]map[uint16]stream.State
	entities map[uint16]*served // by handle
	dead     map[uint16]bool    // handles never to be used again
}

type served struct {
	info    Info
	entered bool // an enter was acknowledged
	leaving bool
	state   stream.State
	sentIn  []uint16 // frames that had a state of it
	enters  map[uint16]bool
}

// frame writes a frame about everything and returns it.
func (s *server) frame(t *rapid.T) []byte {
	s.seq++
	said := map[uint16]stream.State{}
	s.said[s.seq] = said
	s.w.Reset(nil, MaxFrame, FrameHeader{Seq: s.seq, Tick: uint32(s.seq) * 3})
	for h := range uint16(400) {
		x := s.entities[h]
		if x == nil {
			continue
		}
		if x.leaving {
			s.w.Leave(h)
			continue
		}
		x.state = genNear(t, x.state)
		var fit bool
		switch base, ok := s.base(t, x); {
		case !x.entered:
			fit = s.w.Enter(h, &x.info, &x.state)
			x.enters[s.seq] = fit
		case ok && rapid.IntRange(0, 9).Draw(t, "full") > 0:
			past, ok := s.past(h, x, base)
			far := rapid.IntRange(0, 3).Draw(t, "far") == 0
			if far {
				x.state = Coarse(&x.state)
			}
			fit = ok && s.w.Update(h, base, &x.state, &past, far)
		default:
			fit = s.w.Full(h, &x.state)
		}
		if fit {
			said[h] = x.state
			x.sentIn = append(x.sentIn, s.seq)
		}
	}
	return s.w.Bytes()
}

// base picks any acknowledged state of the entity; some are too old to be used as such.
func (s *server) base(t *rapid.T, x *served) (uint16, bool) {
	var usable []uint16
	for _, f := range x.sentIn {
		if s.acked[f] {
			usable = append(usable, f)
		}
	}
	if len(usable) == 0 {
		return 0, false
	}
	return usable[rapid.IntRange(0, len(usable)-1).Draw(t, "base")], true
}

// past is what the client applied of the entity before the base, found by looking through everything.
func (s *server) past(h uint16, x *served, base uint16) (p Past, ok bool) {
	add := func(f uint16) {
		st := s.said[f][h]
		p.Push(&st, uint32(f)*3)
	}
	add(base)
	for age := uint16(1); age <= HistoryFrames && !x.enters[base]; age++ {
		f := base - age
		_, said := s.said[f][h]
		switch {
		case said && s.acked[f]:
			add(f)
		case said && !s.known[f]:
			p = Past{Alone: true}
			add(base)
			return p, true
		}
		if x.enters[f] && s.acked[f] {
			break
		}
	}
	return p, true
}

// ack takes what a pose brings.
func (s *server) ack(seq uint16, bits uint32) {
	s.acked[seq] = true
	for i := range uint16(33) {
		s.known[seq-i] = true
	}
	for i := range uint16(32) {
		if bits>>i&1 != 0 {
			s.acked[seq-1-i] = true
		}
	}
	for h, x := range s.entities {
		for _, f := range x.sentIn {
			if s.acked[f] {
				x.entered = true
			}
		}
		if x.leaving && s.acked[s.seq] {
			delete(s.entities, h)
			s.dead[h] = true
		}
	}
}

// TestViewThroughABadNetwork sends frames through loss, reordering and duplication. What the view
// shows of an entity is always what the server wrote for the frame it was last in, the
// acknowledgement is what a set of received numbers says, and a quiet end leaves both sides equal.
func TestViewThroughABadNetwork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &server{
			seq:   uint16(rapid.SampledFrom([]int{0, 65530, 32760}).Draw(t, "first")),
			acked: map[uint16]bool{}, known: map[uint16]bool{}, said: map[uint16]map[uint16]stream.State{}, entities: map[uint16]*served{}, dead: map[uint16]bool{},
		}
		v := NewView()
		applied := map[uint16]bool{}
		var newest uint16
		var first uint16
		shown := map[uint16]stream.State{} // by handle: the naive client
		deliver := func(frame []byte) {
			_, err := v.Apply(frame, nil)
			seq := uint16(frame[1]) | uint16(frame[2])<<8
			fresh := len(applied) == 0 || int16(seq-newest) > 0
			if !fresh {
				if !errors.Is(err, ErrStale) {
					t.Fatalf("frame %d after %d: %v", seq, newest, err)
				}
				return
			}
			if err != nil {
				t.Fatalf("frame %d: %v", seq, err)
			}
			if len(applied) == 0 {
				first = seq
			}
			applied[seq], newest = true, seq
			for h, st := range s.said[seq] {
				shown[h] = st
			}
			if lost := int(seq-first) + 1 - len(applied); v.Lost() != uint64(lost) {
				t.Fatalf("lost %d, want %d", v.Lost(), lost)
			}
		}
		var flying [][]byte
		for i := range 90 {
			h := uint16(rapid.IntRange(0, 399).Draw(t, "handle"))
			if x := s.entities[h]; x != nil && i > 20 {
				x.leaving = true
			} else if x == nil && !s.dead[h] && len(s.entities) < 3 {
				s.entities[h] = &served{info: Info{ID: uint64(h) + 1, Kind: stream.Avatar, Name: "n"}, state: genState.Draw(t, "state"), enters: map[uint16]bool{}}
			}
			frame := append([]byte(nil), s.frame(t)...)
			switch rapid.IntRange(0, 9).Draw(t, "fate") {
			case 0, 1: // lost
			case 2: // late
				flying = append(flying, frame)
			case 3: // twice
				deliver(frame)
				deliver(frame)
			default:
				deliver(frame)
			}
			if len(flying) > 0 && rapid.Bool().Draw(t, "lands") {
				deliver(flying[0])
				flying = flying[1:]
			}
			check(t, v, s, shown, applied, newest)
			if ok, seq, bits := v.Ack(); ok && rapid.IntRange(0, 3).Draw(t, "ack arrives") > 0 {
				s.ack(seq, bits)
			}
		}
		for range 3 {
			deliver(s.frame(t))
			if ok, seq, bits := v.Ack(); ok {
				s.ack(seq, bits)
			}
		}
		if v.Len() != len(s.entities) {
			t.Fatalf("%d visible at the end, the server has %d", v.Len(), len(s.entities))
		}
	})
}

func check(t *rapid.T, v *View, s *server, shown map[uint16]stream.State, applied map[uint16]bool, newest uint16) {
	last := uint64(0)
	count := 0
	for id, e := range v.Entities() {
		if id <= last || id != e.Info.ID {
			t.Fatalf("entity %d after %d", id, last)
		}
		last = id
		count++
		if e.State != shown[e.Handle] {
			t.Fatal(cmp.Diff(shown[e.Handle], e.State))
		}
		if got, ok := v.Entity(id); !ok || *got != *e {
			t.Fatalf("Entity(%d) = %v", id, got)
		}
	}
	if count != v.Len() {
		t.Fatalf("%d entities, Len %d", count, v.Len())
	}
	ok, seq, bits := v.Ack()
	if ok != (len(applied) > 0) || seq != newest && ok {
		t.Fatalf("acknowledges %v %d, newest is %d", ok, seq, newest)
	}
	for i := range uint16(32) {
		if got, want := bits>>i&1 != 0, applied[newest-1-i]; ok && got != want {
			t.Fatalf("bit %d (frame %d) is %v, want %v", i, newest-1-i, got, want)
		}
	}
}

// pastOf is the past of what a frame entered.
func pastOf(s *stream.State, tick uint32) *Past {
	var p Past
	p.Push(s, tick)
	return &p
}

// frameOf writes one frame.
func frameOf(seq uint16, write func(w *FrameWriter)) []byte {
	var w FrameWriter
	w.Reset(nil, MaxFrame, FrameHeader{Seq: seq, Tick: uint32(seq)})
	write(&w)
	return w.Bytes()
}

var (
	someone = Info{ID: 1<<32 + 7, Kind: stream.Avatar, Name: "Zoë"}
	cup     = Info{ID: 1<<32 + 8, Kind: stream.Object, Class: 300, Name: "cup-1"}
)

func TestApplyRefusesAndChangesNothing(t *testing.T) {
	st := stream.State{Body: newWalker(5).step(1)}
	bad := st
	bad.Body.Left.Rot.C = [3]int16{1023, 1023, 1023}
	far := st
	far.Body.Head.Pos.X = -coordinateMax - 1
	enter := func(w *FrameWriter) { w.Enter(2, &someone, &st) }
	raw := func(write func(w *bitWriter), count byte) []byte {
		return frameOf(2, func(w *FrameWriter) { write(&w.w); w.count = int(count) })
	}
	for _, c := range []struct {
		name  string
		frame []byte
		says  string
	}{
		{"no header", []byte{Version<<4 | byte(MsgFrame), 2, 0}, "a frame has a header of 11"},
		{"another type", AppendPing(nil, &Ping{}), "message type 2 where 4"},
		{"pose seq", append([]byte{Version<<4 | byte(MsgFrame), 2, 0, 0, 0, 0, 0, 0, 0}, 1, 0), "pose_seq"},
		{"unbound", frameOf(2, func(w *FrameWriter) { enter(w); w.Full(9, &st) }), "record 1: handle: 9 is not bound"},
		{"no such base", frameOf(3, func(w *FrameWriter) { w.Update(2, 2, &st, pastOf(&st, 2), false) }), "record 0: base: frame 2 said nothing of handle 2"},
		{"bound to another", frameOf(2, func(w *FrameWriter) { w.Enter(2, &cup, &st) }), "cannot enter as 4294967304"},
		{"twice", frameOf(2, func(w *FrameWriter) { w.Leave(2); enter(w) }), "record 1: handle: a second record of handle 2"},
		{"rotation", frameOf(2, func(w *FrameWriter) { w.Leave(5); w.Full(2, &bad) }), "record 1: left.rot"},
		{"position", frameOf(2, func(w *FrameWriter) { w.Full(2, &far) }), "record 0: head.pos.x"},
		{"too many records", raw(func(*bitWriter) {}, 1), "1 records do not fit"},
		{"cut in a state", raw(func(w *bitWriter) { w.put(2, 2); w.put(4, 9); w.put(0x1ff, 9); w.put(2, 2) }, 1), "inside a state"},
		{"trailing", append(frameOf(2, enter), 0, 3<<1, 2, 0, 0), "too long"},
		{"id 0", frameOf(2, func(w *FrameWriter) { w.Enter(3, &Info{Kind: 1}, &st) }), "record 0: id"},
		{"kind 0", frameOf(2, func(w *FrameWriter) { w.Enter(3, &Info{ID: 3}, &st) }), "record 0: kind"},
		{"long name", raw(func(w *bitWriter) {
			w.put(1, 2)
			w.put(3<<1, 9)
			w.sized(3, 3)
			w.put(1, 4)
			w.put(0, 9)
			w.put(49, 6)
			for range 60 {
				w.put('a', 8)
			}
		}, 1), "record 0: name: 49 bytes"},
		{"name", raw(func(w *bitWriter) {
			w.put(1, 2)
			w.put(3<<1, 9)
			w.sized(3, 3)
			w.put(1, 4)
			w.put(0, 9)
			w.put(1, 6)
			w.put(0xff, 8)
			w.put(0, 5)
		}, 1), "record 0: name: not UTF-8"},
	} {
		v := NewView()
		if _, err := v.Apply(frameOf(1, enter), nil); err != nil {
			t.Fatal(err)
		}
		_, err := v.Apply(c.frame, func(Record) { t.Errorf("%s: a record was passed on", c.name) })
		if wantCode(err) == 0 || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v; want it to say %q", c.name, err, c.says)
		}
		if _, seq, bits := v.Ack(); seq != 1 || bits != 0 || v.Len() != 1 {
			t.Errorf("%s: something changed: %d %b %d", c.name, seq, bits, v.Len())
		}
		if _, err := v.Apply(frameOf(2, func(w *FrameWriter) { w.Update(2, 1, &st, pastOf(&st, 1), false) }), nil); err != nil {
			t.Errorf("%s: a good frame after it: %v", c.name, err)
		}
	}
}

func TestViewRecords(t *testing.T) {
	v := NewView()
	a := stream.State{Body: newWalker(5).step(1)}
	var got []string
	apply := func(seq uint16, write func(w *FrameWriter)) {
		t.Helper()
		if _, err := v.Apply(frameOf(seq, write), func(r Record) {
			got = append(got, fmt.Sprintf("%d: op %d handle %d id %d %s", seq, r.Op, r.Handle, r.Info.ID, r.Info.Name))
		}); err != nil {
			t.Fatal(err)
		}
	}
	apply(1, func(w *FrameWriter) { w.Enter(2, &someone, &a) })
	apply(2, func(w *FrameWriter) { w.Enter(2, &someone, &a); w.Enter(700, &cup, &a) })
	apply(3, func(w *FrameWriter) { w.Leave(2); w.Leave(9) })
	apply(4, func(w *FrameWriter) { w.Leave(2); w.Update(700, 2, &a, pastOf(&a, 2), false) })
	// The cup comes back under another handle while its old one is still being taken away.
	apply(5, func(w *FrameWriter) { w.Enter(3, &cup, &a); w.Leave(700) })
	want := []string{
		"1: op 1 handle 2 id 4294967303 Zoë",
		"2: op 2 handle 2 id 4294967303 Zoë",
		"2: op 1 handle 700 id 4294967304 cup-1",
		"3: op 3 handle 2 id 4294967303 Zoë",
		"4: op 0 handle 700 id 4294967304 cup-1",
		"5: op 1 handle 3 id 4294967304 cup-1",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	if e, ok := v.Entity(cup.ID); v.Len() != 1 || !ok || e.Handle != 3 || e.Tick != 5 {
		t.Fatal(e, ok, v.Len())
	}
}

// TestWriterNeverPassesItsLimit fills frames of any size with anything: what was taken is there, what was
// not left no trace.
func TestWriterNeverPassesItsLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(frameHeader, 400).Draw(t, "limit")
		var w FrameWriter
		w.Reset(make([]byte, rapid.IntRange(0, 500).Draw(t, "room")), limit, FrameHeader{Seq: 1, HasPose: true, PoseSeq: 8, Throttle: true})
		var want []Record
		for h := range uint16(12) {
			st := genState.Draw(t, "state")
			handle := h * 60
			info := Info{ID: uint64(h) + 1, Kind: stream.Object, Class: rapid.Uint16().Draw(t, "class"), Name: rapid.StringN(0, 12, 48).Draw(t, "name")}
			before := string(w.Bytes())
			if w.Enter(handle, &info, &st) {
				want = append(want, Record{Op: OpEnter, Handle: handle, Info: info, State: st})
			} else if string(w.Bytes()) != before {
				t.Fatal("a record that does not fit left something behind")
			}
			if w.Count() != len(want) {
				t.Fatalf("count %d, want %d", w.Count(), len(want))
			}
		}
		b := w.Bytes()
		if len(b) > limit {
			t.Fatalf("%d bytes, limit %d", len(b), limit)
		}
		var got []Record
		h, err := NewView().Apply(b, func(r Record) { got = append(got, r) })
		if err != nil {
			t.Fatal(err)
		}
		if h != (FrameHeader{Seq: 1, HasPose: true, PoseSeq: 8, Throttle: true}) {
			t.Fatalf("%+v", h)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

func TestUpdateOfAnOldBaselineIsFull(t *testing.T) {
	v := NewView()
	s := stream.State{Body: newWalker(5).step(1)}
	moved := s
	moved.AgeMS = 7
	if _, err := v.Apply(frameOf(1, func(w *FrameWriter) { w.Enter(2, &someone, &s) }), nil); err != nil {
		t.Fatal(err)
	}
	for seq, want := range map[uint16]Op{1 + MaxBaseAge: OpUpdate, 2 + MaxBaseAge: OpFull, 1: OpFull} {
		frame := frameOf(seq, func(w *FrameWriter) { w.Update(2, 1, &moved, pastOf(&s, 1), false) })
		if op := Op(frame[frameHeader] & 3); op != want {
			t.Errorf("frame %d wrote op %d, want %d", seq, op, want)
		}
		if seq == 1 {
			continue
		}
		one := NewView()
		for _, f := range [][]byte{frameOf(1, func(w *FrameWriter) { w.Enter(2, &someone, &s) }), frame} {
			if _, err := one.Apply(f, nil); err != nil {
				t.Fatal(err)
			}
		}
		if e, _ := one.Entity(someone.ID); e.State != moved {
			t.Error(cmp.Diff(moved, e.State))
		}
	}
}

func TestCutName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := string(rapid.SliceOfN(rapid.Byte(), 0, 80).Draw(t, "bytes"))
		if rapid.Bool().Draw(t, "text") {
			name = rapid.StringN(0, 80, -1).Draw(t, "name")
		}
		got := cutName(name)
		valid := strings.ToValidUTF8(name, "\uFFFD")
		if len(got) > MaxName || !utf8.ValidString(got) || !strings.HasPrefix(valid, got) {
			t.Fatalf("%q became %q", name, got)
		}
		if len(valid) <= MaxName && got != valid || len(valid)-len(got) > 0 && len(got) < MaxName-3 {
			t.Fatalf("%q was cut to %q", name, got)
		}
	})
}

// FuzzView applies a sequence of frames; it must neither panic nor show what cannot be.
func FuzzView(f *testing.F) {
	w := newWalker(2)
	a, b := stream.State{Body: w.step(1)}, stream.State{Body: w.step(0.1), Flags: 3, Holder: 900, Value: 70000}
	obj := stream.State{Body: lattice.Body{Head: a.Body.Head}, Value: 5}
	join := func(frames ...[]byte) (all []byte) {
		for _, f := range frames {
			all = append(all, byte(len(f)), byte(len(f)>>8))
			all = append(all, f...)
		}
		return all
	}
	f.Add(join(
		frameOf(1, func(w *FrameWriter) { w.Enter(2, &someone, &a); w.Enter(300, &cup, &obj) }),
		frameOf(2, func(w *FrameWriter) { w.Update(2, 1, &b, pastOf(&a, 1), false); w.Full(300, &obj) }),
		frameOf(4, func(w *FrameWriter) {
			w.Update(2, 1, &a, pastOf(&a, 1), false)
			w.Update(300, 2, &obj, pastOf(&obj, 2), true)
		}),
		frameOf(5, func(w *FrameWriter) { w.Leave(2); w.Enter(4, &cup, &obj) }),
	))
	f.Add(join(
		frameOf(1, func(w *FrameWriter) { w.Enter(2, &someone, &a); w.Enter(300, &cup, &b) }),
		frameOf(2, func(w *FrameWriter) {
			w.Full(300, &obj)
			w.Extras(2, lattice.AllStreams, &fullExtras)
			w.Extras(300, lattice.StreamFingers, &rightExtras)
		}),
		frameOf(3, func(w *FrameWriter) {
			w.Leave(300)
			w.Extras(2, lattice.StreamRoot, &rightExtras)
			w.Extras(300, 1, &fullExtras)
		}),
	))
	f.Add(join(frameOf(65535, func(w *FrameWriter) { w.Leave(2) }), frameOf(0, func(*FrameWriter) {})))
	f.Fuzz(func(t *testing.T, in []byte) {
		v := NewView()
		longest := 0
		for len(in) >= 2 {
			n := min(int(in[0])|int(in[1])<<8, len(in)-2)
			frame := in[2 : 2+n]
			in = in[2+n:]
			had, wasOK := v.Len(), false
			passed := 0
			_, err := v.Apply(frame, func(r Record) {
				passed++
				if err := checkBody(&r.State.Body); err != nil {
					t.Fatal(err)
				}
			})
			wasOK = err == nil
			if wasOK && len(frame) > MaxFrame {
				t.Fatalf("%d bytes were applied", len(frame))
			}
			longest = max(longest, len(frame))
			if cap(v.plan) > 2*max(longest, 64) {
				t.Fatalf("a plan of %d records for %d bytes", cap(v.plan), longest)
			}
			if !wasOK && (passed > 0 || v.Len() != had || wantCode(err) == 0 && !errors.Is(err, ErrStale)) {
				t.Fatalf("%v, but %d records passed on, %d visible before and %d after", err, passed, had, v.Len())
			}
			if len(v.slots) != len(v.byID) {
				t.Fatalf("%d handles, %d ids", len(v.slots), len(v.byID))
			}
			if len(v.extras) > maxExtrasCount {
				t.Fatalf("extras of %d", len(v.extras))
			}
			for _, s := range v.slots {
				if err := s.Extras.Check(); err != nil {
					t.Fatal(err)
				}
				if s.n > keptFrames || len(s.ring) > 2*MaxBaseAge {
					t.Fatalf("a history of %d", s.n)
				}
			}
		}
	})
}
