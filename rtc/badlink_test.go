package rtc

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/view"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// simulated is a client of a session behind a link, in virtual time.
type simulated struct {
	s        session
	view     *wire.View
	trip     time.Duration
	loss     int // percent, each way
	down, up []arrival

	frames, updates int
	changes         int // of the rate
	ages            []int
}

type arrival struct {
	at    time.Time
	frame []byte
	seq   uint16
	bits  uint32
}

func pop(q *[]arrival, now time.Time) (arrival, bool) {
	if len(*q) == 0 || (*q)[0].at.After(now) {
		return arrival{}, false
	}
	a := (*q)[0]
	*q = (*q)[1:]
	return a, true
}

// turn is a millisecond of the session and its client.
func (c *simulated) turn(t *testing.T, r *rand.Rand, tick uint64, now time.Time, sample bool) {
	server := now.UnixMicro()
	for a, ok := pop(&c.up, now); ok; a, ok = pop(&c.up, now) {
		if err := c.s.client.Ack(a.seq, a.bits); err != nil {
			t.Fatal(err)
		}
		was := c.s.pace.throttled
		if c.s.pace.ack(a.seq, a.bits, now); c.s.pace.throttled != was {
			c.changes++
		}
	}
	if server >= c.s.due {
		c.s.due += c.s.framePeriod(30)
		c.s.frames++
		c.frames++
		f := c.s.client.Frame(nil, tick, view.FrameHints{Throttle: c.s.pace.throttled})
		c.s.pace.frame(c.s.frames, now)
		if r.IntN(100) >= c.loss {
			c.down = append(c.down, arrival{at: now.Add(c.trip / 2), frame: f})
		}
	}
	for a, ok := pop(&c.down, now); ok; a, ok = pop(&c.down, now) {
		_, err := c.view.Apply(a.frame, func(wire.Record) { c.updates++ })
		if err != nil && err != wire.ErrStale {
			t.Fatal(err)
		}
	}
	if ok, seq, bits := c.view.Ack(); ok && sample {
		if r.IntN(100) >= c.loss {
			c.up = append(c.up, arrival{at: now.Add(c.trip / 2), seq: seq, bits: bits})
		}
	}
}

// runBadLink lets three clients among thirty people be for 40 s. The first one's link is bad from the 5th second to the 20th.
func runBadLink(t *testing.T, trip time.Duration, loss int) (clients [3]*simulated, period int64) {
	const people, tickMS = 30, 33
	venue := &venues.Venue{ID: "hall", TickHz: 30, SendHz: 30, Cell: 5 * lattice.Steps, Interest: venues.CompiledInterest{Near: 64},
		Floors:  []venues.FloorGeom{{Name: "ground", Rect: venues.Rect{MaxX: 10 * lattice.Steps, MaxZ: 10 * lattice.Steps}, MaxY: 4 * lattice.Steps}},
		Regions: []venues.Region{{}}}
	w := view.NewWorld(venue)
	rec := stream.Record{Region: "r", Incarnation: 1, Epoch: 1, Key: true}
	r := rand.New(rand.NewPCG(5, 5))
	for i := range people {
		e := stream.Entity{ID: uint64(i + 1), Kind: stream.Avatar, Session: uint64(i + 1)}
		e.State.Body.Head.Pos = lattice.Vec{X: r.Int32N(10 * lattice.Steps), Y: 1700, Z: r.Int32N(10 * lattice.Steps)}
		rec.Entities = append(rec.Entities, e)
	}
	start := time.UnixMicro(1_000_000_000)
	for i := range clients {
		clients[i] = &simulated{view: wire.NewView(), trip: 20 * time.Millisecond}
		clients[i].s.client = view.NewClient(w, uint64(i+1))
		clients[i].s.due = start.UnixMicro() + int64(i)*11_000
	}
	dice := [3]*rand.Rand{}
	for i := range dice {
		dice[i] = rand.New(rand.NewPCG(9, uint64(i)))
	}
	for ms := range 40_000 {
		now := start.Add(time.Duration(ms) * time.Millisecond)
		if ms%tickMS == 0 {
			rec.Tick++
			rec.N++
			for i := range rec.Entities {
				b := &rec.Entities[i].State.Body
				b.Head.Pos.X = (b.Head.Pos.X + r.Int32N(60)) % (10 * lattice.Steps)
				b.Left.Pos = b.Head.Pos.Add(lattice.Vec{X: -200, Y: -500, Z: r.Int32N(30)})
				b.Right.Pos = b.Head.Pos.Add(lattice.Vec{X: 200, Y: -500, Z: r.Int32N(30)})
			}
			if err := w.Apply(&rec); err != nil {
				t.Fatal(err)
			}
			rec.Key = false
		}
		bad := ms >= 5_000 && ms < 20_000
		if c := clients[0]; bad {
			c.trip, c.loss = trip, loss
		} else {
			c.trip, c.loss = 20*time.Millisecond, 0
		}
		for i, c := range clients {
			c.turn(t, dice[i], rec.Tick, now, ms%tickMS == 5*i)
		}
		if ms%tickMS == 0 && ms > 6_000 && bad {
			clients[0].age(uint32(rec.Tick), tickMS)
		}
		if ms == 19_999 && trip > slowTrip {
			period = clients[0].s.framePeriod(30)
		}
	}
	return clients, period
}

// age notes how old what a client shows is, in milliseconds, entity by entity.
func (c *simulated) age(tick uint32, tickMS int) {
	for _, v := range c.view.Entities() {
		c.ages = append(c.ages, int(tick-v.Tick)*tickMS)
	}
}

// A client with a round trip of 150 ms and a fifth of its datagrams lost, among honest ones: its rate falls once and comes
// back once, the age of what it shows stays bounded meanwhile, and the others' updates are the same in number as
// when its link is good.
func TestABadLinkIsItsOwn(t *testing.T) {
	good, _ := runBadLink(t, 20*time.Millisecond, 0)
	bad, period := runBadLink(t, 150*time.Millisecond, 20)
	for i := 1; i < 3; i++ {
		if good[i].frames != bad[i].frames || good[i].updates != bad[i].updates {
			t.Errorf("client %d: %d frames with %d updates, but %d with %d while another's link is bad",
				i, good[i].frames, good[i].updates, bad[i].frames, bad[i].updates)
		}
	}
	c := bad[0]
	if c.changes != 2 || c.s.pace.throttled || period != 2_000_000/30 {
		t.Errorf("the rate changed %d times, throttled at the end: %v, a frame every %v us while bad", c.changes, c.s.pace.throttled, period)
	}
	slices.Sort(c.ages)
	p50, p95, most := c.ages[len(c.ages)/2], c.ages[len(c.ages)*95/100], c.ages[len(c.ages)-1]
	t.Logf("ages while bad: p50 %d ms, p95 %d, most %d; %d frames of %d", p50, p95, most, c.frames, good[0].frames)
	// Half a round trip, two of its frames, a tick; and as much again for what is lost in a row.
	if p50 > 240 || p95 > 480 || most > 1000 {
		t.Errorf("ages while bad: p50 %d ms, p95 %d, most %d", p50, p95, most)
	}
	if len(c.ages) == 0 || c.frames >= good[0].frames {
		t.Errorf("%d ages; %d frames of %d", len(c.ages), c.frames, good[0].frames)
	}
}
