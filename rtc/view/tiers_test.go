package view

import (
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// cadence counts, frame by frame of a client that acknowledges all at once, in which frames each entity was updated.
func cadence(t *testing.T, c *crowd, client *Client, warm, frames int) map[uint64][]int {
	t.Helper()
	v := wire.NewView()
	at := map[uint64][]int{}
	for n := range warm + frames {
		c.walk()
		f := client.Frame(nil, c.record.Tick, FrameHints{})
		_, err := v.Apply(f, func(r wire.Record) {
			if n >= warm {
				at[r.Info.ID] = append(at[r.Info.ID], n)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		_, seq, bits := v.Ack()
		if err := client.Ack(seq, bits); err != nil {
			t.Fatal(err)
		}
	}
	return at
}

// The near ones come in every frame and the others in every eighth, not all in the same one. Nobody far waits 0.6 s.
func TestNearAndFar(t *testing.T) {
	const people, near, frames = 70, 16, 160
	c := newCrowd(people, 0, 5*metre)
	c.world.venue.Interest.Near = near
	for i := range c.vel {
		c.vel[i] = lattice.Vec{} // who is near does not change
	}
	client := NewClient(c.world, 1)
	full := 0
	perFrame := map[int]int{}
	for id, at := range cadence(t, c, client, 60, frames) {
		if s := &client.slots[client.byID[id]]; s.ranking == client.ranking {
			full++
			if len(at) != frames {
				t.Errorf("entity %d is near and was updated in %d of %d frames", id, len(at), frames)
			}
			continue
		}
		if len(at) != frames/farFrames {
			t.Errorf("entity %d is far and was updated %d times in %d frames, want every %d", id, len(at), frames, farFrames)
		}
		for i, n := range at {
			perFrame[n]++
			if i > 0 && n-at[i-1] > 18 {
				t.Errorf("entity %d waited %d frames", id, n-at[i-1])
			}
		}
	}
	if full != near {
		t.Errorf("%d were near, want %d", full, near)
	}
	for n, k := range perFrame {
		if most := people/farFrames + 1; k > most { // an even share of the handles, near ones' included
			t.Errorf("frame %d updated %d far ones, at most %d share it", n, k, most)
		}
	}
}

// Where the client looks comes before what is behind it, when there is not room for both.
func TestGazeWeighs(t *testing.T) {
	c := newCrowd(200, 0, 5*metre)
	c.world.venue.Interest.Near = 256
	c.vel[0] = lattice.Vec{}
	client := NewClient(c.world, 1)
	var ahead, behind [2]int // updates, entities
	for id, at := range cadence(t, c, client, 60, 120) {
		d := c.record.Entities[id-1].State.Body.Head.Pos.Sub(c.record.Entities[0].State.Body.Head.Pos)
		switch along := int64(client.gaze.X)*int64(d.X) + int64(client.gaze.Z)*int64(d.Z); {
		case distance(d, lattice.Vec{}) < metre:
		case along > 0:
			ahead[0], ahead[1] = ahead[0]+len(at), ahead[1]+1
		default:
			behind[0], behind[1] = behind[0]+len(at), behind[1]+1
		}
	}
	if ahead[0]*behind[1]*5 < behind[0]*ahead[1]*6 {
		t.Errorf("%d updates of %d in front and %d of %d behind: where the client looks makes no difference",
			ahead[0], ahead[1], behind[0], behind[1])
	}
}

// Whoever presents is seen from everywhere on the floor, at the full rate, and no more than MaxPresenters are.
func TestPresenters(t *testing.T) {
	v := hall(60*metre, 1)
	v.Zones = []venues.ZoneGeom{{Name: "stage", Rect: venues.Rect{MinX: 50 * metre, MaxX: 60 * metre, MaxZ: 10 * metre}}}
	v.Interest.Presenters = []int{0}
	w := NewWorld(v)
	client := NewClient(w, 1)
	counts := map[uint64]int{}
	view := wire.NewView()
	const frames = 40
	for n := uint64(1); n <= frames; n++ {
		all := []stream.Entity{avatar(1, metre)}
		for id := uint64(10); id < 10+venues.MaxPresenters+2; id++ {
			e := avatar(id, 55*metre+int32(n))
			all = append(all, e)
		}
		upper := avatar(50, 55*metre)
		upper.Floor = 1
		all = append(all, upper, avatar(60, 45*metre))
		if n > frames/2 {
			all[1].State.Body.Head.Pos.X = 40 * metre // walks off the stage
		}
		if err := w.Apply(rec(0, n, n, n == 1, all...)); err != nil {
			t.Fatal(err)
		}
		if _, err := view.Apply(client.Frame(nil, n, FrameHints{}), func(r wire.Record) { counts[r.Info.ID]++ }); err != nil {
			t.Fatal(err)
		}
		_, seq, bits := view.Ack()
		if err := client.Ack(seq, bits); err != nil {
			t.Fatal(err)
		}
		if n == frames/2 && client.Visible() != venues.MaxPresenters {
			t.Fatalf("%d visible, want the %d who present", client.Visible(), venues.MaxPresenters)
		}
	}
	for id := uint64(11); id < 10+venues.MaxPresenters; id++ {
		if counts[id] != frames {
			t.Errorf("presenter %d was updated in %d of %d frames", id, counts[id], frames)
		}
	}
	if client.Sees(50) || client.Sees(60) {
		t.Error("somebody on another floor, or beside the stage, is seen from afar")
	}
	// The place that came free went to one who had found none.
	if w.presenters != venues.MaxPresenters || !w.entities[10+venues.MaxPresenters].presents || w.entities[10].presents {
		t.Errorf("%d present; the first %v, the ninth %v", w.presenters, w.entities[10].presents, w.entities[10+venues.MaxPresenters].presents)
	}
}

// With portals, rooms that none joins do not see each other, nor hear what happens there.
func TestPortals(t *testing.T) {
	v := hall(30*metre, 1)
	room := func(from, to int32) venues.RoomGeom {
		return venues.RoomGeom{Rect: venues.Rect{MinX: from * metre, MaxX: to * metre, MaxZ: 20 * metre}}
	}
	v.Rooms = []venues.RoomGeom{room(0, 4), room(4, 8), room(8, 12)}
	v.Interest.Portals = [][2]int{{0, 1}}
	w := NewWorld(v)
	client := NewClient(w, 1)
	look := func(n uint64, x int32) {
		if err := w.Apply(rec(0, n, n, n == 1, avatar(1, x), avatar(2, 2*metre), avatar(3, 6*metre), avatar(4, 9*metre), avatar(5, 13*metre))); err != nil {
			t.Fatal(err)
		}
		client.Frame(nil, n, FrameHints{})
	}
	sees := func(n uint64, want ...bool) {
		t.Helper()
		for i, want := range want {
			if got := client.Sees(uint64(i + 2)); got != want {
				t.Errorf("tick %d: sees %d: %v, want %v", n, i+2, got, want)
			}
		}
	}
	look(1, 5*metre)
	sees(1, true, true, false, true) // the last is in no room
	for x, want := range map[int32]bool{2: true, 6: true, 9: false, 13: true} {
		if got := client.SeesCell(lattice.Vec{X: x * metre}); got != want {
			t.Errorf("the point at %d m: %v, want %v", x, got, want)
		}
	}
	for n := uint64(2); n < 40; n++ {
		look(n, 9*metre) // into the third room; who is out of sight stays for a second
	}
	sees(40, false, false, true, true)
}
