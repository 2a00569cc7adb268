package view

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

var seedFlag = flag.Uint64("seed", 0, "run the simulations with this seed only")

const metre = lattice.Steps

// hall is a venue of one or more regions on two floors, one above the other.
func hall(size int32, regions int) *venues.Venue {
	rect := venues.Rect{MaxX: size, MaxZ: size}
	v := &venues.Venue{ID: "hall", TickHz: 30, SendHz: 30, Cell: 5 * metre, Interest: venues.CompiledInterest{Near: 64}, Floors: []venues.FloorGeom{
		{Name: "ground", Rect: rect, MinY: 0, MaxY: 4 * metre},
		{Name: "upper", Rect: rect, MinY: 4 * metre, MaxY: 8 * metre},
	}}
	for i := range regions {
		v.Regions = append(v.Regions, venues.Region{Index: i, Name: fmt.Sprint("r", i)})
	}
	return v
}

// lossy is a one-way lane that loses, doubles and delays messages, each with a
// probability in percent.
type lossy struct {
	r       *rand.Rand
	percent int
	flying  []flight
	order   int
}

type flight struct {
	due, order int
	data       any
}

func (l *lossy) chance() bool { return l.r.IntN(100) < l.percent }

func (l *lossy) send(tick int, data any) {
	if l.chance() {
		return
	}
	for n := 1; n > 0; n-- {
		delay := 2
		if l.chance() {
			delay += l.r.IntN(8)
		}
		l.order++
		l.flying = append(l.flying, flight{tick + delay, l.order, data})
		if l.chance() {
			n++
		}
	}
}

// receive hands over what is due, oldest first.
func (l *lossy) receive(tick int, f func(any)) {
	var due []flight
	l.flying = slices.DeleteFunc(l.flying, func(m flight) bool {
		if m.due <= tick {
			due = append(due, m)
		}
		return m.due <= tick
	})
	slices.SortFunc(due, func(a, b flight) int {
		if a.due != b.due {
			return a.due - b.due
		}
		return a.order - b.order
	})
	for _, m := range due {
		f(m.data)
	}
}

// sim is a venue with people in it, one World, and some of the people as clients behind
// lossy lanes. It checks at every frame that nothing but the interest set is shown, in the states
// that were true at the frame's tick.
type sim struct {
	t       *testing.T
	r       *rand.Rand
	venue   *venues.Venue
	world   *World
	tick    uint64
	n       uint64
	nextID  uint64
	live    []*stream.Entity // by id
	speed   int32
	clients []*simClient

	extras map[uint64]lattice.Extras // of the living; those without are not in it
	shown  map[uint64]lattice.Extras // in the last record
	items  int                       // of optional streams that clients applied
}

type simClient struct {
	self     uint64
	client   *Client
	view     *wire.View
	down, up lossy

	expect   *expected
	in       []uint64                           // the expected set now
	truth    map[uint32]map[uint64]stream.State // by tick of a frame: the expected set with its states
	bound    map[uint16]uint64                  // what each handle was last seen to mean
	reused   int                                // handles that were seen to change their meaning
	frames   int
	bytes    int
	received int
	far      int // updates on the coarse lattice
	heads    int // and without hands
}

type ack struct {
	seq  uint16
	bits uint32
}

// expected is the interest set, computed by looking at everybody.
type expected struct {
	in  map[uint64]bool
	out map[uint64]uint64
}

func (x *expected) update(s *sim, me *stream.Entity) []uint64 {
	cell := s.venue.Cell
	low := func(v int32) int32 { // the lower edge of the nine cells, for coordinates from 0
		return (v/cell - 1) * cell
	}
	p := me.State.Body.Head.Pos
	inside := func(e *stream.Entity, m int32) bool {
		q := e.State.Body.Head.Pos
		return e.Floor == me.Floor && q.X >= low(p.X)-m && q.X < low(p.X)+3*cell+m &&
			q.Z >= low(p.Z)-m && q.Z < low(p.Z)+3*cell+m
	}
	seen := map[uint64]bool{}
	for _, e := range s.live {
		if e.ID == me.ID {
			continue
		}
		seen[e.ID] = true
		if inside(e, 0) {
			x.in[e.ID] = true
		}
		if inside(e, 3*metre/2) {
			delete(x.out, e.ID)
			continue
		}
		if x.in[e.ID] {
			if _, ok := x.out[e.ID]; !ok {
				x.out[e.ID] = s.tick
			}
			if s.tick-x.out[e.ID] >= uint64(s.venue.TickHz) {
				delete(x.in, e.ID)
				delete(x.out, e.ID)
			}
		}
	}
	var ids []uint64
	for id := range x.in {
		if !seen[id] {
			delete(x.in, id)
			delete(x.out, id)
			continue
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func newSim(t *testing.T, seed uint64, size int32, people, clients, percent int) *sim {
	s := &sim{t: t, r: rand.New(rand.NewPCG(seed, 1)), venue: hall(size, 1), speed: 150, extras: map[uint64]lattice.Extras{}, shown: map[uint64]lattice.Extras{}}
	s.venue.Interest.Near = 8 // some are near and some far
	s.world = NewWorld(s.venue)
	for range people {
		s.spawn()
	}
	for i := range clients {
		self := s.live[i].ID
		s.clients = append(s.clients, &simClient{
			self: self, client: NewClient(s.world, self), view: wire.NewView(),
			down:   lossy{r: s.r, percent: percent},
			up:     lossy{r: s.r, percent: percent},
			expect: &expected{map[uint64]bool{}, map[uint64]uint64{}},
			truth:  map[uint32]map[uint64]stream.State{},
			bound:  map[uint16]uint64{},
		})
	}
	return s
}

func (s *sim) somewhere() lattice.Vec {
	return lattice.Vec{X: s.r.Int32N(s.venue.Floors[0].Rect.MaxX), Z: s.r.Int32N(s.venue.Floors[0].Rect.MaxZ)}
}

func (s *sim) spawn() {
	s.nextID++
	e := &stream.Entity{ID: 1<<32 | s.nextID, Kind: stream.Avatar, Name: fmt.Sprint("visitor ", s.nextID)}
	if s.nextID%4 == 0 {
		e.Kind, e.Class = stream.Object, uint16(s.r.IntN(300))
	}
	e.State.Body.Head.Pos = s.somewhere()
	s.live = append(s.live, e)
}

// move changes what most of the living are doing, and who lives.
func (s *sim) move() {
	rect := s.venue.Floors[0].Rect
	step := func() int32 { return s.r.Int32N(2*s.speed+1) - s.speed }
	for i, e := range s.live {
		b := &e.State.Body
		if e.Kind == stream.Object && s.r.IntN(30) == 0 {
			e.State.Value = s.r.Uint32N(1000)
			if holder := s.live[s.r.IntN(len(s.live))]; holder.Kind == stream.Avatar && s.r.IntN(2) == 0 {
				e.State.Holder = holder.ID
			} else {
				e.State.Holder = 0
			}
		}
		if e.Kind == stream.Object && e.State.Holder == 0 || s.r.IntN(5) == 0 {
			continue
		}
		p := b.Head.Pos.Add(lattice.Vec{X: step(), Z: step()})
		p.X, p.Z = min(max(p.X, 0), rect.MaxX-1), min(max(p.Z, 0), rect.MaxZ-1)
		switch s.r.IntN(400) {
		case 0:
			p = s.somewhere()
			e.State.Flags ^= stream.FlagJump
		case 1:
			e.Floor ^= 1
			p.Y = int32(e.Floor) * 4 * metre
		case 2:
			if i >= len(s.clients) { // somebody else takes the place
				s.live[i].ID = 0
				continue
			}
		}
		if e.Kind == stream.Avatar && s.r.IntN(3) == 0 {
			s.gesture(e.ID)
		}
		b.Head.Pos = p
		b.Left.Pos, b.Right.Pos = p.Add(lattice.Vec{X: -300, Y: step()}), p.Add(lattice.Vec{X: 300, Y: step()})
		b.Head.Rot.C[0] = int16(step())
		e.State.AgeMS = uint8(s.r.IntN(40))
	}
	before := len(s.live)
	s.live = slices.DeleteFunc(s.live, func(e *stream.Entity) bool { return e.ID == 0 })
	for range before - len(s.live) {
		s.spawn()
	}
}

// record compares the living with the last record and returns what changed.
func (s *sim) record(last map[uint64]stream.Entity) *stream.Record {
	s.n++
	rec := &stream.Record{Region: "r0", Incarnation: 1, Epoch: 1, N: s.n, Tick: s.tick, Key: s.n%30 == 1}
	now := map[uint64]bool{}
	for _, e := range s.live {
		now[e.ID] = true
		if rec.Key || last[e.ID] != *e {
			rec.Entities = append(rec.Entities, *e)
		}
		last[e.ID] = *e
	}
	for id := range last {
		if !now[id] {
			rec.Gone = append(rec.Gone, id)
			delete(last, id)
		}
	}
	slices.Sort(rec.Gone)
	s.recordExtras(rec)
	return rec
}

func (s *sim) step(last map[uint64]stream.Entity) {
	s.tick++
	if err := s.world.Apply(s.record(last)); err != nil {
		s.t.Fatal(err)
	}
	for _, c := range s.clients {
		c.step(s)
	}
}

func (c *simClient) step(s *sim) {
	me, ok := s.world.Entity(c.self)
	if !ok {
		s.t.Fatalf("tick %d: the avatar %d is not in the world", s.tick, c.self)
	}
	c.up.receive(int(s.tick), func(m any) {
		if err := c.client.Ack(m.(ack).seq, m.(ack).bits); err != nil {
			s.t.Fatalf("tick %d: %v", s.tick, err)
		}
	})
	c.in = c.expect.update(s, me)
	truth := map[uint64]stream.State{}
	for _, id := range c.in {
		e, _ := s.world.Entity(id)
		truth[id] = e.State
	}
	c.truth[uint32(s.tick)] = truth

	frame := c.client.Frame(nil, s.tick, FrameHints{Throttle: s.tick/100%4 == 3})
	if len(frame) > wire.MaxFrame {
		s.t.Fatalf("tick %d: a frame of %d bytes", s.tick, len(frame))
	}
	c.frames, c.bytes = c.frames+1, c.bytes+len(frame)
	if c.client.Visible() != len(c.in) {
		s.t.Fatalf("tick %d: %d visible, want %d", s.tick, c.client.Visible(), len(c.in))
	}
	for _, e := range s.live {
		_, want := truth[e.ID]
		if got := c.client.Sees(e.ID); got != (want || e.ID == c.self) {
			s.t.Fatalf("tick %d: Sees(%d) = %v", s.tick, e.ID, got)
		}
	}
	c.down.send(int(s.tick), frame)
	c.down.receive(int(s.tick), func(m any) { c.apply(s, m.([]byte)) })
	if ok, seq, bits := c.view.Ack(); ok {
		c.up.send(int(s.tick), ack{seq, bits})
	}
}

// apply is the client's side.
func (c *simClient) apply(s *sim, frame []byte) {
	var records []wire.Record
	h, err := c.view.Apply(frame, func(r wire.Record) { records = append(records, r) })
	if err == wire.ErrStale {
		return
	}
	if err != nil {
		s.t.Fatalf("tick %d: the client refuses a frame: %v", s.tick, err)
	}
	c.received++
	s.items += len(c.view.Extras())
	truth := c.truth[h.Tick]
	for _, r := range records {
		if r.Op == wire.OpLeave {
			continue
		}
		if was := c.bound[r.Handle]; was != 0 && was != r.Info.ID {
			c.reused++
		}
		c.bound[r.Handle] = r.Info.ID
		want, ok := truth[r.Info.ID]
		if !ok {
			s.t.Fatalf("frame of tick %d: entity %d is outside the interest set", h.Tick, r.Info.ID)
		}
		switch {
		case want == r.State:
		case wire.Coarse(&want) == r.State:
			c.far++
		case c.headOnly(h.Tick, r.Info.ID, &want, &r.State):
			c.heads++
		default:
			s.t.Fatalf("frame of tick %d: entity %d (-want +got)\n%s", h.Tick, r.Info.ID, cmp.Diff(want, r.State))
		}
	}
}

// headOnly reports whether a state is the true one but for the hands, which are those that were true some ticks before.
func (c *simClient) headOnly(tick uint32, id uint64, want, got *stream.State) bool {
	for age := uint32(1); age <= pastStates; age++ {
		if before, ok := c.truth[tick-age][id]; ok && hasHands(&before.Body) {
			mixed := *want
			putHands(&mixed.Body, &before.Body)
			if mixed == *got || wire.Coarse(&mixed) == *got {
				return true
			}
		}
	}
	return false
}

// settled says what keeps a client's view from being the interest set: the near ones as they are, and the far ones too
// or on the coarse lattice.
func (c *simClient) settled(s *sim) string {
	got := map[uint64]stream.State{}
	truth := c.truth[uint32(s.tick)]
	for id, v := range c.view.Entities() {
		got[id] = v.State
		sl := &c.client.slots[c.client.byID[id]]
		if want, ok := truth[id]; ok && v.State == wire.Coarse(&want) && sl.ent != nil && c.client.far(sl, c.client.holder(sl)) {
			got[id] = want
		}
	}
	if d := c.settledExtras(s); d != "" {
		return d
	}
	return cmp.Diff(truth, got)
}

func TestViewsBecomeTheInterestSet(t *testing.T) {
	seeds := []uint64{1, 2, 3, 4}
	if *seedFlag != 0 {
		seeds = []uint64{*seedFlag}
	}
	heads, items := 0, 0
	for _, percent := range []int{0, 2, 5, 20, 50} {
		for _, seed := range seeds {
			t.Run(fmt.Sprintf("%d%%/seed %d", percent, seed), func(t *testing.T) {
				s := newSim(t, seed, 40*metre, 80, 3, percent)
				last := map[uint64]stream.Entity{}
				reused, far := 0, 0
				for range 3 {
					for range 300 {
						s.move()
						s.step(last)
					}
					s.quieten(last)
				}
				for _, c := range s.clients {
					reused, far, heads = reused+c.reused, far+c.far, heads+c.heads
				}
				items += s.items
				if far == 0 {
					t.Error("no update was on the coarse lattice")
				}
				if reused == 0 {
					t.Error("no handle was ever reused: the run is too short to say anything about it")
				}
			})
		}
	}
	if heads == 0 && *seedFlag == 0 {
		t.Error("no update came without hands")
	}
	if items == 0 {
		t.Error("no frame told of optional streams")
	}
}

// quieten lets nothing change until every client shows its interest set, and then some ticks more, in which
// that has to stay so.
func (s *sim) quieten(last map[uint64]stream.Entity) {
	s.t.Helper()
	const patience, after = 900, 80
	good := 0
	for range patience {
		s.step(last)
		good++
		for _, c := range s.clients {
			if c.settled(s) != "" {
				good = 0
			}
		}
		if good == after {
			return
		}
	}
	for i, c := range s.clients {
		if d := c.settled(s); d != "" {
			s.t.Fatalf("client %d after %d quiet ticks: its view is not the interest set (-want +got)\n%s", i, patience, d)
		}
	}
	s.t.Fatalf("the views did not hold for %d ticks", after)
}
