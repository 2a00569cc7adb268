package view

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

func TestAckRefusesFramesNeverSent(t *testing.T) {
	for _, c := range []struct {
		sent int
		seq  uint16
		bits uint32
		err  error
	}{
		{0, 0, 0, ErrNeverSent},
		{0, 1, 0, ErrNeverSent},
		{0, 65535, 1, ErrNeverSent},
		{3, 3, 0, nil},
		{3, 3, 0b11, nil},
		{3, 3, 0b100, ErrNeverSent}, // frame 0
		{3, 1, 0, nil},
		{3, 1, 1, ErrNeverSent},
		{3, 0, 0, ErrNeverSent},
		{3, 4, 0, ErrNeverSent},
		{3, 40000, 0, ErrNeverSent},
		{100, 100, 0xffffffff, nil},
		{100, 40, 0xffffffff, nil},
		{100, 5, 0, nil}, // too old to matter
		{70000, uint16(70000 & 0xffff), 0xffffffff, nil},
		{70000, uint16(70001 & 0xffff), 0, ErrNeverSent},
		{70000, uint16(70000&0xffff) + 30000, 0, ErrNeverSent},
	} {
		w := NewWorld(hall(40*metre, 1))
		client := NewClient(w, 1)
		var buf []byte
		for i := range c.sent {
			buf = client.Frame(buf, uint64(i), FrameHints{})
		}
		if err := client.Ack(c.seq, c.bits); !errors.Is(err, c.err) {
			t.Errorf("%d frames sent, acknowledged %d, bits %b: %v, want %v", c.sent, c.seq, c.bits, err, c.err)
		}
		if want := uint64(c.sent); c.err != nil && client.Unheard() != want {
			t.Errorf("%d frames sent, a refused acknowledgement: %d unheard", c.sent, client.Unheard())
		}
	}
}

// A client may claim what it likes: it cannot make the server fail, show it more, or lose count.
func TestArbitraryAcknowledgements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		s := newSim(nil, seed, 25*metre, 30, 1, 0)
		c := s.clients[0]
		last := map[uint64]stream.Entity{}
		for range rapid.IntRange(1, 400).Draw(t, "ticks") {
			s.tick++
			s.move()
			if err := s.world.Apply(s.record(last)); err != nil {
				t.Fatal(err)
			}
			me, _ := s.world.Entity(c.self)
			in := c.expect.update(s, me)
			if rapid.IntRange(0, 2).Draw(t, "acks") > 0 {
				seq := uint16(c.client.next) + uint16(rapid.IntRange(-70, 2).Draw(t, "seq"))
				_ = c.client.Ack(seq, rapid.Uint32().Draw(t, "bits"))
			}
			if f := c.client.Frame(nil, s.tick, FrameHints{}); len(f) > wire.MaxFrame {
				t.Fatalf("a frame of %d bytes", len(f))
			}
			if c.client.Visible() != len(in) {
				t.Fatalf("tick %d: %d visible, want %d", s.tick, c.client.Visible(), len(in))
			}
			checkHandles(t, c.client)
		}
	})
}

// checkHandles fails unless each handle is in exactly one place.
func checkHandles(t interface{ Fatalf(string, ...any) }, c *Client) {
	seen := map[uint16]string{}
	put := func(h uint16, where string) {
		if seen[h] != "" {
			t.Fatalf("handle %d is %s and %s", h, seen[h], where)
		}
		seen[h] = where
	}
	for i, h := range c.active {
		put(h, "active")
		if s := &c.slots[h]; s.active != i || s.phase == unbound || c.byID[s.info.ID] != h {
			t.Fatalf("handle %d: slot %+v", h, *s)
		}
	}
	for _, h := range c.free {
		put(h, "free")
	}
	for _, r := range c.resting[c.rested:] {
		put(r.handle, "resting")
	}
	if len(seen) != len(c.slots) || len(c.byID) != len(c.active) {
		t.Fatalf("%d of %d handles are somewhere, %d active, %d by id", len(seen), len(c.slots), len(c.active), len(c.byID))
	}
}

// With too few handles the client sees as many as there are, and the others as soon as one is free.
func TestHandlesRunOut(t *testing.T) {
	s := newSim(t, 1, 10*metre, 21, 1, 10)
	c := s.clients[0]
	c.client.handles = 8
	last := map[uint64]stream.Entity{}
	frames := func(n int) {
		for range n {
			s.tick++
			if err := s.world.Apply(s.record(last)); err != nil {
				t.Fatal(err)
			}
			frame := c.client.Frame(nil, s.tick, FrameHints{})
			if _, err := c.view.Apply(frame, nil); err != nil {
				t.Fatal(err)
			}
			_, seq, bits := c.view.Ack()
			if err := c.client.Ack(seq, bits); err != nil {
				t.Fatal(err)
			}
			checkHandles(t, c.client)
		}
	}
	frames(3)
	if c.view.Len() != 8 || len(c.client.waiting) != 12 {
		t.Fatalf("%d shown and %d waiting, want 8 and 12", c.view.Len(), len(c.client.waiting))
	}
	for range 4 { // twelve of those in view and not go, four by four
		for range 4 {
			i := 1 + s.r.IntN(len(s.live)-1)
			s.live = slices.Delete(s.live, i, i+1)
		}
		frames(quarantine + 5)
		if want := min(8, len(s.live)-1); c.view.Len() != want {
			t.Fatalf("%d shown, want %d of %d", c.view.Len(), want, len(s.live)-1)
		}
	}
}

// An id that comes back as something else is shown once its old meaning is gone.
func TestTheSameIDAsSomethingElse(t *testing.T) {
	p := newPair(t)
	other := avatar(2, 100)
	p.tick(true, nil, avatar(1, 0), other)
	p.ack()
	p.tick(false, []uint64{2})
	other.Name = "somebody else"
	p.tick(false, nil, other)
	if p.v.Len() != 1 {
		t.Fatalf("%d shown, want 1", p.v.Len())
	}
	for range 16 {
		p.tick(true, nil)
		p.ack()
	}
	if e, ok := p.v.Entity(2); !ok || e.Info.Name != "somebody else" {
		t.Fatalf("after %d frames it is shown as %+v", p.n, e)
	}
}

// pair is a World of one region with one client at the other end of a lane, frame by frame. Entity 1 is the client's.
type pair struct {
	t *testing.T
	w *World
	c *Client
	v *wire.View
	n uint64
}

func newPair(t *testing.T) *pair {
	w := NewWorld(hall(40*metre, 1))
	return &pair{t: t, w: w, c: NewClient(w, 1), v: wire.NewView()}
}

// tick applies a record and returns what the client makes of the frame after it: nil when the frame is lost.
func (p *pair) tick(arrives bool, removed []uint64, entities ...stream.Entity) []wire.Record {
	p.t.Helper()
	p.n++
	if err := p.w.Apply(gone(rec(0, p.n, p.n, p.n == 1, entities...), removed...)); err != nil {
		p.t.Fatal(err)
	}
	f := p.c.Frame(nil, p.n, FrameHints{})
	if !arrives {
		return nil
	}
	records := []wire.Record{}
	if _, err := p.v.Apply(f, func(r wire.Record) { records = append(records, r) }); err != nil {
		p.t.Fatalf("frame %d: %v", p.n, err)
	}
	return records
}

func (p *pair) ack() {
	p.t.Helper()
	_, seq, bits := p.v.Ack()
	if err := p.c.Ack(seq, bits); err != nil {
		p.t.Fatal(err)
	}
}

// A handle rests for 256 frames after its leave was acknowledged.
func TestQuarantine(t *testing.T) {
	p := newPair(t)
	handle := p.tick(true, nil, avatar(1, 0), avatar(2, 0))[0].Handle
	p.ack()
	p.tick(true, []uint64{2})
	p.ack()
	id := uint64(2)
	for left := p.n; ; {
		id++
		r := p.tick(true, []uint64{id - 1}, avatar(id, 0))
		p.ack()
		i := slices.IndexFunc(r, func(r wire.Record) bool { return r.Info.ID == id })
		if i < 0 {
			t.Fatalf("frame %d: entity %d did not enter", p.n, id)
		}
		if r[i].Handle != handle {
			continue
		}
		if p.n-left < quarantine {
			t.Fatalf("handle %d came back %d frames after its leave was acknowledged", handle, p.n-left)
		}
		return
	}
}

// An acknowledgement that passes a frame by has its enters and leaves repeated at once; without
// any, they are repeated after the time that answers take.
func TestLostRecordsAreRepeated(t *testing.T) {
	p := newPair(t)
	p.tick(true, nil, avatar(1, 0))
	p.tick(false, nil, avatar(2, 0))
	if r := p.tick(true, nil); len(r) != 0 {
		t.Fatalf("repeated before it could be known to be lost: %+v", r)
	}
	p.ack()
	if r := p.tick(false, nil); r != nil || p.c.slots[p.c.byID[2]].sent != p.n {
		t.Fatalf("an enter that an acknowledgement passed by was not repeated at frame %d", p.n)
	}
	from := p.n
	for p.tick(false, nil); p.c.slots[p.c.byID[2]].sent == from; p.tick(false, nil) {
		if p.n-from > ackedBits {
			t.Fatalf("an enter that was never answered was not repeated in %d frames", p.n-from)
		}
	}
	p.tick(true, nil)
	p.ack()
	p.tick(true, nil)
	p.ack()
	if p.v.Len() != 1 {
		t.Fatalf("%d shown, want 1", p.v.Len())
	}
	p.tick(false, []uint64{2})
	p.tick(true, nil)
	p.ack()
	if r := p.tick(true, nil); len(r) != 1 || r[0].Op != wire.OpLeave {
		t.Fatalf("a leave that an acknowledgement passed by was not repeated: %+v", r)
	}
}

// The baseline of an update is the newest acknowledged frame that carried the entity, and what is acknowledged and
// does not change is not sent.
func TestBaselines(t *testing.T) {
	p := newPair(t)
	p.tick(true, nil, avatar(1, 0), avatar(2, 0))
	p.ack()
	for x := range int32(5) {
		p.tick(true, nil, avatar(2, x+1))
	}
	p.ack() // frames 2 to 6 at once
	if r := p.tick(true, nil); len(r) != 0 {
		t.Fatalf("nothing changed, but it says %+v", r)
	}
	r := p.tick(true, nil, avatar(2, 100))
	if len(r) != 1 || r[0].Op != wire.OpUpdate || r[0].Base != 6 {
		t.Fatalf("want an update against frame 6, got %+v", r)
	}
	p.ack()
	// A baseline that is too old is not used, also not when the low 16 bits of its number look young.
	for _, quiet := range []int{maxBaseAge, maxBaseAge + 1, 1<<16 + 3} {
		carried := p.n
		for range quiet - 1 {
			if r := p.tick(true, nil); len(r) != 0 {
				t.Fatalf("nothing changed, but it says %+v", r)
			}
			p.ack()
		}
		x := int32(1000 + quiet%1000)
		r := p.tick(true, nil, avatar(2, x))
		p.ack()
		want := wire.OpFull
		if p.n-carried <= maxBaseAge {
			want = wire.OpUpdate
		}
		if len(r) != 1 || r[0].Op != want || r[0].State.Body.Head.Pos.X != x {
			t.Fatalf("%d frames after the last one: want op %d and x = %d, got %+v", quiet, want, x, r)
		}
	}
}
