package loadgen

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

func ev(region string, n, tick uint64, kind string, object, by uint64) client.Event {
	return client.Event{Down: wire.Down{T: kind, Region: region, N: n, Tick: tick, Object: object, By: by}}
}

func verdictOf(events ...client.Event) (double, unverified int) {
	o := newObserver()
	for i := range events {
		o.event(&events[i])
		o.event(&events[i]) // several visitors see the same event
	}
	return o.verdict()
}

func TestObserverJudges(t *testing.T) {
	const grabbed, released, dropped, door = wire.DownGrabbed, wire.DownReleased, wire.DownDropped, wire.DownDoor
	for _, c := range []struct {
		name               string
		events             []client.Event
		double, unverified int
	}{
		{"one after the other", []client.Event{
			ev("r", 1, 10, grabbed, 5, 1), ev("r", 2, 11, released, 5, 1), ev("r", 3, 11, grabbed, 5, 2), ev("r", 4, 12, dropped, 5, 2), ev("r", 5, 13, grabbed, 5, 1)}, 0, 0},
		{"seen in any order", []client.Event{
			ev("r", 3, 11, grabbed, 5, 2), ev("r", 1, 10, grabbed, 5, 1), ev("r", 2, 11, released, 5, 1)}, 0, 0},
		{"two holders", []client.Event{
			ev("r", 1, 10, grabbed, 5, 1), ev("r", 2, 11, door, 0, 0), ev("r", 3, 12, grabbed, 5, 2)}, 1, 0},
		{"two objects", []client.Event{
			ev("r", 1, 10, grabbed, 5, 1), ev("r", 2, 11, grabbed, 6, 2)}, 0, 0},
		{"the same holder again", []client.Event{
			ev("r", 1, 10, grabbed, 5, 1), ev("r", 2, 11, grabbed, 5, 1)}, 0, 0},
		{"nobody saw the release", []client.Event{
			ev("r", 1, 10, grabbed, 5, 1), ev("r", 3, 12, grabbed, 5, 2)}, 0, 1},
		{"a missing number before both proves nothing away", []client.Event{
			ev("r", 1, 9, door, 0, 0), ev("r", 3, 10, grabbed, 5, 1), ev("r", 4, 12, grabbed, 5, 2)}, 1, 0},
		{"a grab that a crash revoked", []client.Event{
			ev("r", 1, 10, door, 0, 0), ev("r", 2, 11, grabbed, 5, 1), ev("r", 3, 12, door, 0, 0),
			ev("r", 2, 90, grabbed, 5, 2)}, 0, 0},
		{"regions count for themselves", []client.Event{
			ev("a", 1, 10, grabbed, 5, 1), ev("b", 2, 11, grabbed, 6, 2), ev("a", 2, 12, released, 5, 1)}, 0, 0},
		{"not a key event", []client.Event{{Down: wire.Down{T: client.EventLost}}}, 0, 0},
	} {
		if d, u := verdictOf(c.events...); d != c.double || u != c.unverified {
			t.Errorf("%s: %d double held and %d unverified, want %d and %d", c.name, d, u, c.double, c.unverified)
		}
	}
}

func TestObserverComparesStatesOfATick(t *testing.T) {
	o := newObserver()
	o.holder(5, 100, 1)
	o.holder(5, 100, 1)
	o.holder(5, 101, 2) // later: it changed hands
	o.holder(6, 100, 2)
	o.holder(5, 101, 0) // a state without a holder is an older view of the same tick's start
	o.holder(5, 100+seenTicks, 3)
	if d, _ := o.verdict(); d != 0 {
		t.Errorf("%d double held, want 0", d)
	}
	o.holder(5, 100+seenTicks, 4)
	if d, _ := o.verdict(); d != 1 {
		t.Errorf("%d double held, want 1", d)
	}
}

// TestAnyPartOfAnHonestHistoryIsClean: whatever subset of an honest region's events was seen, it never counts as
// double held; and a planted second holder is found whenever everything was seen.
func TestAnyPartOfAnHonestHistoryIsClean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		holders := map[uint64]uint64{}
		var all []client.Event
		tick := uint64(1)
		length := rapid.IntRange(1, 60).Draw(t, "length")
		for n := uint64(1); n <= uint64(length); n++ {
			tick += rapid.Uint64Range(0, 2).Draw(t, "ticks")
			object := rapid.Uint64Range(1, 3).Draw(t, "object")
			kind, by := wire.DownDoor, uint64(0)
			switch h := holders[object]; {
			case h == 0:
				kind, by = wire.DownGrabbed, rapid.Uint64Range(1, 4).Draw(t, "by")
				holders[object] = by
			case rapid.Bool().Draw(t, "release"):
				kind, by = wire.DownReleased, h
				holders[object] = 0
			}
			all = append(all, ev("r", n, tick, kind, object, by))
		}
		var seen []client.Event
		for _, e := range all {
			if rapid.Bool().Draw(t, "seen") {
				seen = append(seen, e)
			}
		}
		if d, _ := verdictOf(seen...); d != 0 {
			t.Fatalf("an honest history gives %d double held", d)
		}
		for object, h := range holders {
			if h != 0 {
				planted := append(all, ev("r", uint64(length)+1, tick, wire.DownGrabbed, object, 9))
				if d, u := verdictOf(planted...); d != 1 || u != 0 {
					t.Fatalf("a planted second holder gives %d double held, %d unverified", d, u)
				}
				break
			}
		}
	})
}
