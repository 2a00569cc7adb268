package view

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/sdk/motion"
)

// gesture changes some of a person's optional streams.
func (s *sim) gesture(id uint64) {
	e := s.extras[id]
	from := anyExtras(func(n int) int { return s.r.IntN(n) })
	e.Put(lattice.Streams(s.r.IntN(8)), &from)
	if s.extras[id] = e; e.Has == 0 {
		delete(s.extras, id)
	}
}

func anyExtras(intn func(int) int) lattice.Extras {
	e := lattice.Extras{
		Has:     lattice.AllStreams,
		Gaze:    lattice.Gaze{Yaw: int16(intn(512) - 256), Pitch: int16(intn(512) - 256)},
		Fingers: lattice.Fingers{Hands: 3},
		Root:    lattice.Root{Off: lattice.Vec{X: int32(intn(100)), Y: -1700}, Yaw: uint16(intn(1024))},
	}
	for h := range e.Fingers.Curls {
		for i := range e.Fingers.Curls[h] {
			e.Fingers.Curls[h][i] = uint8(intn(32))
		}
	}
	return e.Only(lattice.Streams(intn(8)))
}

// recordExtras puts into a record what changed of optional streams.
func (s *sim) recordExtras(rec *stream.Record) {
	for _, e := range s.live {
		now, there := s.extras[e.ID]
		if rec.Key && there || s.shown[e.ID] != now {
			rec.Extras = append(rec.Extras, stream.EntityExtras{ID: e.ID, Extras: now})
			s.shown[e.ID] = now
		}
	}
}

// settledExtras says in what the optional streams that a client shows differ from those of the near ones.
func (c *simClient) settledExtras(s *sim) string {
	want, got := map[uint64]lattice.Extras{}, map[uint64]lattice.Extras{}
	for id, v := range c.view.Entities() {
		h, ok := c.client.byID[id]
		if !ok || c.client.slots[h].ent == nil {
			continue // it leaves: the view is not settled
		}
		if e := s.extras[id]; e.Has != 0 && !c.client.far(&c.client.slots[h], nil) {
			want[id] = e
		}
		if v.Extras.Has != 0 {
			got[id] = v.Extras
		}
	}
	return cmp.Diff(want, got)
}

// assembly is people who stand, walk, talk, sit and reach as people do, all near to one of them.
type assembly struct {
	crowd
	people []*motion.Person
}

func newAssembly(near int) *assembly {
	v := hall(20*metre, 1)
	v.Cell = 20 * metre
	a := &assembly{crowd: crowd{world: NewWorld(v), r: rand.New(rand.NewPCG(1, 2))}}
	a.record = stream.Record{Region: "r0", Incarnation: 1, Epoch: 1, Key: true}
	kinds := []motion.Kind{motion.Idle, motion.Walk, motion.Talk, motion.Sit, motion.Reach}
	for i := range uint64(near + 1) {
		a.people = append(a.people, motion.NewPerson(kinds[i%5], i))
		a.record.Entities = append(a.record.Entities, avatar(i+1, 0))
	}
	a.clients, a.bufs = []*Client{NewClient(a.world, 1)}, [][]byte{make([]byte, wire.MaxFrame)}
	return a
}

// tick moves everybody, gives them new optional streams if there are to be some, and returns the frame.
func (a *assembly) tick(t *testing.T, extras bool) []byte {
	a.record.Tick++
	a.record.N++
	a.record.Extras = a.record.Extras[:0]
	for i, p := range a.people {
		e := &a.record.Entities[i]
		s := p.Step(1.0 / 30)
		var err error
		if e.State.Body, err = s.Body(); err != nil {
			t.Fatal(err)
		}
		e.State.AgeMS = uint8(15 + a.r.IntN(3))
		if extras {
			a.record.Extras = append(a.record.Extras, stream.EntityExtras{ID: e.ID, Extras: all(lattice.Extras{}, a.r.IntN)})
		}
	}
	if err := a.world.Apply(&a.record); err != nil {
		t.Fatal(err)
	}
	a.record.Key = false
	before := a.bytes
	a.frames()
	return a.bufs[0][:a.bytes-before]
}

// tally is what a client of an assembly gets in ten seconds.
type tally struct {
	kbps  int
	rates [lattice.StreamCount]float64 // a second, of each avatar
	wait  int                          // longest time from one update of an avatar to the next, frames
	apart int                          // and from one item of its optional streams to the next
}

func (a *assembly) tally(t *testing.T, extras bool) (out tally) {
	const warm, seconds = 90, 10
	client, shows, bytes, near := a.clients[0], wire.NewView(), 0, len(a.people)-1
	told := map[uint16]int{}
	for n := range warm + seconds*30 {
		frame := a.tick(t, extras)
		if len(frame) > wire.MaxFrame {
			t.Fatalf("a frame of %d bytes", len(frame))
		}
		if _, err := shows.Apply(frame, nil); err != nil {
			t.Fatal(err)
		}
		for _, x := range shows.Extras() {
			if n >= warm {
				out.apart = max(out.apart, n-told[x.Handle])
				for i := range out.rates {
					out.rates[i] += float64(x.Said>>i&1) / seconds / float64(near)
				}
			}
			told[x.Handle] = n
		}
		if n < warm {
			continue
		}
		bytes += len(frame)
		for _, h := range client.active {
			out.wait = max(out.wait, int(client.next-client.slots[h].sent))
		}
	}
	if shows.Len() != near || extras && len(told) != near {
		t.Fatalf("%d are shown, %d with optional streams", shows.Len(), len(told))
	}
	out.kbps = bytes * 8 / seconds / 1000
	return out
}

// Each optional stream comes at its rate. When 64 are near and all have all of them, poses do not wait for them, they for poses, and a client
// gets less than 250 kbit/s.
func TestExtrasTakeTheRoomThatIsLeft(t *testing.T) {
	few := newAssembly(24).tally(t, true)
	for i, hz := range extrasHz {
		if r := few.rates[i]; r > float64(hz)*1.01 || r < float64(hz)*0.95 {
			t.Errorf("stream %d comes %.1f times a second, want %d", i, r, hz)
		}
	}
	plain, full := newAssembly(64).tally(t, false), newAssembly(64).tally(t, true)
	t.Logf("64 near: %d kbit/s without, %d with; gaze, fingers, root of each %.1f times a second", plain.kbps, full.kbps, full.rates)
	if full.kbps >= 250 {
		t.Errorf("%d kbit/s", full.kbps)
	}
	if full.wait > plain.wait {
		t.Errorf("a pose waits for %d frames, without optional streams %d", full.wait, plain.wait)
	}
	if full.apart > 60 {
		t.Errorf("somebody's optional streams wait for %d frames", full.apart)
	}
}

// all gives e the streams that it lacks.
func all(e lattice.Extras, intn func(int) int) lattice.Extras {
	for e.Has != lattice.AllStreams {
		from := anyExtras(intn)
		e.Put(from.Has&^e.Has, &from)
	}
	return e
}

// Where frames have no room, the optional streams wait.
func TestExtrasYieldToPoses(t *testing.T) {
	c := newCrowd(300, 1, 5*metre)
	shows := wire.NewView()
	for range 300 {
		c.record.Extras = c.record.Extras[:0]
		for i := range c.record.Entities {
			e := all(lattice.Extras{}, func(k int) int { return c.r.IntN(k) })
			c.record.Extras = append(c.record.Extras, stream.EntityExtras{ID: c.record.Entities[i].ID, Extras: e})
		}
		c.walk()
		before := c.bytes
		c.frames()
		if n := c.bytes - before; n > wire.MaxFrame {
			t.Fatalf("a frame of %d bytes", n)
		}
		if _, err := shows.Apply(c.bufs[0][:c.bytes-before], nil); err != nil {
			t.Fatal(err)
		}
	}
	for id, v := range shows.Entities() {
		if h := c.clients[0].byID[id]; v.Extras.Has != 0 && c.clients[0].slots[h].ranking+60 < c.clients[0].ranking {
			t.Errorf("entity %d is far and shown with %+v", id, v.Extras)
		}
	}
}

// Who speaks matters twice as much, and so does what the eyes are on.
func TestSpeakingAndGazeWeigh(t *testing.T) {
	c := newCrowd(3, 1, 40*metre)
	for i, x := range []int32{20, 20, 16} { // me, one to the north, one to the west
		c.record.Entities[i].State.Body.Head.Pos = lattice.Vec{X: x * metre, Y: 1700, Z: 20 * metre}
		c.vel[i] = lattice.Vec{}
	}
	c.record.Entities[1].State.Body.Head.Pos.Z = 16 * metre
	weigh := func(id uint64) uint64 {
		client := c.clients[0]
		s := &client.slots[client.byID[id]]
		return client.weight(s, distance(client.head.Pos, s.ent.e.State.Body.Head.Pos))
	}
	tick := func() {
		c.record.Entities[0].State.Body.Head.Rot = lattice.Rot{}
		c.walk()
		c.frames()
	}
	for range 10 {
		tick()
	}
	ahead, aside := weigh(2), weigh(3)
	if ahead < aside*19/10 {
		t.Fatalf("ahead %d, aside %d", ahead, aside)
	}
	c.record.Entities[2].State.Flags |= stream.FlagSpeaking
	tick()
	if got := weigh(3); got < aside*19/10 || got > aside*21/10 {
		t.Errorf("speaking: %d, was %d", got, aside)
	}
	c.record.Entities[2].State.Flags = 0
	left := lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: 255}} // the head stays as it is
	c.record.Extras = []stream.EntityExtras{{ID: 1, Extras: left}}
	tick()
	if a, b := weigh(2), weigh(3); b < a*19/10 {
		t.Errorf("looking aside: ahead %d, aside %d", a, b)
	}
}

// Optional streams of somebody who walks into another region stay as they are until that region tells of them; its next key frame ends what
// it does not know.
func TestExtrasOverABorder(t *testing.T) {
	w := NewWorld(hall(20*metre, 2))
	e := avatar(5, 0)
	look := lattice.Extras{Has: lattice.StreamGaze, Gaze: lattice.Gaze{Yaw: 9}}
	shows := func(want lattice.Extras) {
		t.Helper()
		if got := w.entities[5].personal.now; got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
	apply := func(rec stream.Record) {
		t.Helper()
		rec.Incarnation, rec.Epoch = 1, 1
		if err := w.Apply(&rec); err != nil {
			t.Fatal(err)
		}
	}
	apply(stream.Record{Region: "r0", N: 1, Tick: 1, Key: true, Entities: []stream.Entity{e}, Extras: []stream.EntityExtras{{ID: 5, Extras: look}}})
	apply(stream.Record{Region: "r1", N: 1, Tick: 1, Key: true})
	shows(look)
	e.Hops++
	apply(stream.Record{Region: "r1", N: 2, Tick: 2, Entities: []stream.Entity{e}})
	apply(stream.Record{Region: "r0", N: 2, Tick: 2, Gone: []uint64{5}, Extras: []stream.EntityExtras{{ID: 5}}})
	shows(look)
	look.Gaze.Yaw = 11
	apply(stream.Record{Region: "r1", N: 3, Tick: 3, Extras: []stream.EntityExtras{{ID: 5, Extras: look}, {ID: 6, Extras: look}}})
	shows(look)
	apply(stream.Record{Region: "r1", N: 4, Tick: 4, Key: true, Entities: []stream.Entity{e}})
	shows(lattice.Extras{})
}
