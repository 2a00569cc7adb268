package view

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// crowd is people in a hall of which everyone moves all the time.
type crowd struct {
	world   *World
	record  stream.Record
	vel     []lattice.Vec
	size    int32
	r       *rand.Rand
	clients []*Client
	bufs    [][]byte
	bytes   int
}

func newCrowd(people, clients int, size int32) *crowd {
	c := &crowd{world: NewWorld(hall(size, 1)), size: size, r: rand.New(rand.NewPCG(1, 2))}
	c.record = stream.Record{Region: "r0", Incarnation: 1, Epoch: 1, Key: true}
	for i := range people {
		e := avatar(uint64(i+1), c.r.Int32N(size))
		e.State.Body.Head.Pos.Y = 1700
		e.State.Body.Head.Pos.Z = c.r.Int32N(size)
		c.record.Entities = append(c.record.Entities, e)
		c.vel = append(c.vel, lattice.Vec{X: c.r.Int32N(80) - 40, Z: c.r.Int32N(80) - 40})
	}
	for i := range clients {
		c.clients = append(c.clients, NewClient(c.world, uint64(i+1)))
		c.bufs = append(c.bufs, make([]byte, wire.MaxFrame))
	}
	return c
}

// walk is a tick of the region: hands swing, heads turn, hands and heads tremble as tracked ones do.
func (c *crowd) walk() {
	c.record.Tick++
	c.record.N++
	for i := range c.record.Entities {
		st := &c.record.Entities[i].State
		p := st.Body.Head.Pos.Add(c.vel[i]).Add(lattice.Vec{Y: c.r.Int32N(5) - 2})
		if p.X < 0 || p.X >= c.size {
			c.vel[i].X = -c.vel[i].X
			p.X = st.Body.Head.Pos.X
		}
		if p.Z < 0 || p.Z >= c.size {
			c.vel[i].Z = -c.vel[i].Z
			p.Z = st.Body.Head.Pos.Z
		}
		p.Y = min(max(p.Y, 1600), 1800)
		st.Body.Head.Pos = p
		swing := int32(c.record.Tick%30) * 10
		st.Body.Left.Pos = p.Add(lattice.Vec{X: -250 + c.r.Int32N(9), Y: -600 + c.r.Int32N(9), Z: swing})
		st.Body.Right.Pos = p.Add(lattice.Vec{X: 250 + c.r.Int32N(9), Y: -600 + c.r.Int32N(9), Z: 300 - swing})
		for _, j := range []*lattice.Joint{&st.Body.Head, &st.Body.Left, &st.Body.Right} {
			for k := range j.Rot.C {
				j.Rot.C[k] = min(max(j.Rot.C[k]+int16(c.r.IntN(15)-7), -300), 300)
			}
		}
		st.AgeMS = uint8(10 + c.r.IntN(20))
	}
	if err := c.world.Apply(&c.record); err != nil {
		panic(err)
	}
	c.record.Key = false
}

// ackLag is how many frames a crowd's acknowledgements are behind: 100 ms at 30 Hz.
const ackLag = 3

func (c *crowd) frames() {
	for i, client := range c.clients {
		f := client.Frame(c.bufs[i], c.record.Tick, FrameHints{HasPose: true})
		c.bytes += len(f)
		if n := client.next - 1; n > ackLag {
			bits := uint32(1)<<min(n-ackLag-1, ackedBits) - 1
			if err := client.Ack(uint16(n-ackLag), bits); err != nil {
				panic(err)
			}
		}
	}
}

// In a crowd of 300 in one cell, where a frame has room for a fraction, everyone has their turn, the near ones
// more often.
func TestNobodyStarvesInACrowd(t *testing.T) {
	const people, warm, frames = 300, 60, 400
	c := newCrowd(people, 1, 5*metre)
	client := c.clients[0]
	var waits, near, far []int
	last := map[uint64]uint64{}
	for n := range warm + frames {
		c.walk()
		c.frames()
		if n < warm {
			continue
		}
		for _, h := range client.active {
			s := &client.slots[h]
			if s.phase != shown {
				t.Fatalf("frame %d: entity %d is not shown yet", n, s.info.ID)
			}
			if s.sent == client.next-1 && last[s.info.ID] != 0 && last[s.info.ID] != s.sent {
				wait := int(s.sent - last[s.info.ID])
				switch away := distance(client.head.Pos, s.ent.e.State.Body.Head.Pos); {
				case away < metre:
					near = append(near, wait)
				case away > 4*metre:
					far = append(far, wait)
				}
				waits = append(waits, wait)
			}
			last[s.info.ID] = s.sent
			waits = append(waits, int(client.next-1-s.sent)) // those that still wait
		}
	}
	mean := func(a []int) float64 {
		sum := 0
		for _, n := range a {
			sum += n
		}
		return float64(sum) / float64(len(a))
	}
	t.Logf("longest wait %d frames; mean within 1 m %.1f, beyond 4 m %.1f; %d bytes a frame",
		slices.Max(waits), mean(near), mean(far), c.bytes/(warm+frames))
	// A frame has room for some 40 of 300: every 7 to 8 frames is an equal share, and the lightest in a cell
	// weighs a fifth of the heaviest.
	if slices.Max(waits) > 20 {
		t.Errorf("somebody waited %d frames", slices.Max(waits))
	}
	if mean(near) > mean(far)/1.3 {
		t.Errorf("near ones wait %.1f frames, far ones %.1f: distance makes no difference", mean(near), mean(far))
	}
}

// A throttled client gets the near ones as before, and of those farther off heads in every frame and hands in every
// second, when its acknowledgements are at once. When they are late, so that hands would have to go back to where they
// were, farther ones come whole in every second frame.
func TestThrottle(t *testing.T) {
	for _, late := range []bool{false, true} {
		w := NewWorld(hall(40*metre, 1))
		c := NewClient(w, 1)
		count, hands := map[uint64]int{}, map[uint64]int{}
		last := map[uint64]lattice.Vec{}
		v := wire.NewView()
		const frames = 40
		type receipt struct {
			seq  uint16
			bits uint32
		}
		var acks []receipt
		for n := uint64(1); n <= frames; n++ {
			all := []stream.Entity{avatar(1, 0), avatar(2, 2*metre+int32(n)), avatar(3, 8*metre+int32(n))}
			for i := range all {
				b := &all[i].State.Body
				b.Left.Pos = b.Head.Pos.Add(lattice.Vec{Y: -500 - int32(n)})
				b.Right.Pos = b.Head.Pos.Add(lattice.Vec{Y: -500 + int32(n)})
			}
			if err := w.Apply(rec(0, n, n, n == 1, all...)); err != nil {
				t.Fatal(err)
			}
			_, err := v.Apply(c.Frame(nil, n, FrameHints{Throttle: true}), func(r wire.Record) {
				count[r.Info.ID]++
				reach := r.State.Body.Left.Pos.Sub(r.State.Body.Head.Pos)
				if reach != last[r.Info.ID] {
					hands[r.Info.ID]++
				}
				if back := reach.Y - last[r.Info.ID].Y; back > 0 && r.Op == wire.OpUpdate {
					t.Errorf("late %v, frame %d: the hand of %d went back by %d", late, n, r.Info.ID, back)
				}
				last[r.Info.ID] = reach
			})
			if err != nil {
				t.Fatal(err)
			}
			_, seq, bits := v.Ack()
			acks = append(acks, receipt{seq, bits})
			lag := 0
			if late {
				lag = 3
			}
			if i := len(acks) - 1 - lag; i >= 0 {
				if err := c.Ack(acks[i].seq, acks[i].bits); err != nil {
					t.Fatal(err)
				}
			}
		}
		heads := frames
		if late {
			heads = frames/2 + 1
		}
		if count[2] < frames-3 || hands[2] != count[2] {
			t.Errorf("late %v: in %d frames %d heads and %d hands of the near one", late, frames, count[2], hands[2])
		}
		if count[3] < heads-3 || count[3] > heads || hands[3] < frames/2-2 || hands[3] > frames/2+2 {
			t.Errorf("late %v: in %d frames %d heads and %d hands of the far one", late, frames, count[3], hands[3])
		}
	}
}

// What a hand holds travels in the same frame as the hand, also in a crowd.
func TestHeldObjectsTravelWithTheirHolders(t *testing.T) {
	c := newCrowd(200, 1, 5*metre)
	for i := range 60 { // every third person of the first 180 holds a thing
		e := avatar(uint64(1000+i), 0)
		e.Kind, e.Session = stream.Object, 0
		e.State.Holder = uint64(3*i + 2)
		c.record.Entities = append(c.record.Entities, e)
		c.vel = append(c.vel, c.vel[3*i+1])
	}
	client := c.clients[0]
	together, apart := 0, 0
	for n := range 200 {
		c.walk()
		for i := range 60 {
			hold := &c.record.Entities[200+i].State
			hold.Body.Head = c.record.Entities[3*i+1].State.Body.Right
		}
		c.frames()
		if n < 60 {
			continue
		}
		for i := range 60 {
			holder, thing := &client.slots[client.byID[uint64(3*i+2)]], &client.slots[client.byID[uint64(1000+i)]]
			switch now := client.next - 1; {
			case holder.sent == now && thing.sent == now:
				together++
			case holder.sent == now || thing.sent == now:
				apart++
			}
		}
	}
	t.Logf("%d times together, %d times apart", together, apart)
	if together < 9*apart {
		t.Errorf("a thing and its holder came together %d times and apart %d times", together, apart)
	}
}

func TestFramesAllocateNothing(t *testing.T) {
	c := newCrowd(60, 20, 12*metre)
	for range 400 {
		c.walk()
		c.frames()
	}
	if n := testing.AllocsPerRun(50, c.frames); n > 0 {
		t.Errorf("20 frames allocate %.1f times", n)
	}
}

// Each update is coded once for all clients whose acknowledgements are equally old, and what it holds is what coding it
// for each would give: the simulations see to that.
func TestUpdatesAreCodedOnce(t *testing.T) {
	c := newCrowd(60, 20, 5*metre)
	for range 120 {
		c.walk()
		c.frames()
	}
	records, coded := 0, 0
	for _, client := range c.clients {
		records += client.out.Count()
	}
	for _, ent := range c.world.entities {
		if ent.memo.tick == uint32(c.record.Tick) {
			coded += ent.memo.n
		}
	}
	if coded == 0 || coded*8 > records {
		t.Errorf("%d updates for %d records of 20 clients", coded, records)
	}
}

// Frames of different clients may be made at the same time.
func TestClientsSideBySide(t *testing.T) {
	c := newCrowd(40, 4, 12*metre)
	for range 50 {
		c.walk()
		done := make(chan struct{})
		for i := range c.clients {
			go func() {
				c.clients[i].Frame(c.bufs[i], c.record.Tick, FrameHints{})
				done <- struct{}{}
			}()
		}
		for range c.clients {
			<-done
		}
	}
}

func TestTheSameCallsGiveTheSameFrames(t *testing.T) {
	a, b := newCrowd(80, 3, 15*metre), newCrowd(80, 3, 15*metre)
	for n := range 100 {
		for _, c := range []*crowd{a, b} {
			c.walk()
			c.frames()
		}
		for i := range a.clients {
			if !slices.Equal(a.bufs[i], b.bufs[i]) {
				t.Fatalf("tick %d: client %d got two different frames", n, i)
			}
		}
	}
}
