package rtc

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// link is a connection whose frames go out at 30 Hz.
type link struct {
	pace
	seq     uint16
	history uint64 // which frames arrived; bit 0: the newest
	now     time.Time
}

// drive sends frames and acknowledges those that keep lets through, a round trip later.
func (l *link) drive(trip time.Duration, frames int, keep func(uint16) bool) {
	for range frames {
		l.seq++
		l.frame(l.seq, l.now)
		l.history <<= 1
		if keep(l.seq) {
			l.history |= 1
			l.ack(l.seq, uint32(l.history>>1), l.now.Add(trip))
		}
		l.now = l.now.Add(time.Second / 30)
	}
}

func all(uint16) bool { return true }

func TestRateFallsAndComesBack(t *testing.T) {
	for name, bad := range map[string]func(l *link){
		"round trip": func(l *link) { l.drive(200*time.Millisecond, 120, all) },
		"loss":       func(l *link) { l.drive(20*time.Millisecond, 200, func(n uint16) bool { return n%4 != 0 }) },
	} {
		t.Run(name, func(t *testing.T) {
			l := link{seq: 65500, now: time.Unix(1000, 0)} // wraps on the way
			l.drive(20*time.Millisecond, 100, all)
			if l.throttled {
				t.Fatal("throttled on a good connection")
			}
			bad(&l)
			if !l.throttled {
				t.Fatalf("not throttled: trip %v, loss %.2f", l.trip, l.loss)
			}
			l.drive(20*time.Millisecond, 60, all)
			if !l.throttled {
				t.Error("recovered at once: no hysteresis")
			}
			l.drive(20*time.Millisecond, 400, all)
			if l.throttled {
				t.Errorf("not recovered: trip %v, loss %.2f", l.trip, l.loss)
			}
		})
	}
}

func TestShortTroubleDoesNotThrottle(t *testing.T) {
	l := link{now: time.Unix(1000, 0)}
	l.drive(20*time.Millisecond, 100, all)
	l.drive(400*time.Millisecond, 8, all)
	l.drive(20*time.Millisecond, 100, all)
	if l.throttled {
		t.Error("throttled after a quarter of a second")
	}
}

func TestClampBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pace
		p.least = time.Duration(rapid.Int64Range(0, 2_000_000).Draw(t, "trip")) * time.Microsecond
		arrival := rapid.Int64Range(0, 1<<50).Draw(t, "arrival")
		stamp := rapid.Int64().Draw(t, "stamp")
		got := p.clamp(stamp, arrival)
		earliest := arrival - min(p.least.Microseconds()/2, 150_000)
		if got < earliest || got > arrival {
			t.Fatalf("%d is outside of [%d, %d]", got, earliest, arrival)
		}
		if stamp >= earliest && stamp <= arrival && got != stamp {
			t.Fatalf("an honest stamp %d became %d", stamp, got)
		}
	})
}

func TestExpandStamp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := rapid.Int64Range(0, 1<<55).Draw(t, "now")
		true1 := max(now/wire.StampUS+rapid.Int64Range(-1<<30, 1<<30).Draw(t, "off"), 0)
		if got := expandStamp(uint32(true1), now, wire.StampUS); got != true1*wire.StampUS {
			t.Fatalf("%d came back as %d", true1*wire.StampUS, got)
		}
	})
}

func TestTimelineFollowsTicksThroughJitter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const tickUS = 33_333
		epoch := time.Unix(5000, 0)
		tl := newTimeline(tickUS, epoch)
		zero := epoch.Add(-time.Duration(rapid.Int64Range(0, 1<<40).Draw(t, "age")) * time.Microsecond) // server time 0
		first := uint64(epoch.Sub(zero).Microseconds()/tickUS) + 1
		var last int64
		at := epoch
		for n := range uint64(300) {
			tick := first + n
			delay := rapid.Int64Range(200, 4000).Draw(t, "delay")
			if n%37 == 36 {
				delay += 30_000 // the node, or this process, stalled
			}
			if next := zero.Add(time.Duration(int64(tick)*tickUS+delay) * time.Microsecond); next.After(at) {
				at = next // a stream keeps its order
			}
			tl.observe(tick, at)
			got := tl.now(at)
			if got < last {
				t.Fatalf("server time went from %d to %d", last, got)
			}
			last = got
			truth := at.Sub(zero).Microseconds()
			if n > 200 && (got > truth || got < truth-5000) {
				t.Fatalf("tick %d: told %d, true %d", n, got, truth)
			}
		}
	})
}

func TestTimelineJumpsWhenTheNodesClockDid(t *testing.T) {
	tl := newTimeline(33_333, time.Unix(5000, 0))
	at := time.Unix(5001, 0)
	tl.observe(30, at)
	for n := range uint64(400) {
		at = at.Add(33_333 * time.Microsecond)
		tl.observe(3000+n, at) // a hundred seconds ahead
	}
	if d := tl.at(at) - 3399*33_333; d < -1000 || d > 1000 {
		t.Errorf("off by %d us", d)
	}
}

// The twin keeps every event for ever and knows by time and count which are told again.
func TestEventLogAgainstHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l eventLog
		var history []logged
		n := map[string]uint64{}
		now := int64(10_000_000)
		for range rapid.IntRange(0, 80).Draw(t, "events") {
			region := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "region")
			n[region] += uint64(rapid.IntRange(1, 3).Draw(t, "step")) // others' events lie between
			now += rapid.Int64Range(0, 200_000).Draw(t, "us")
			e := &stream.Event{N: n[region], TimeUS: now}
			l.add(region, e, now)
			history = append(history, logged{region, e})
		}
		last := map[string]uint64{
			"a": rapid.Uint64Range(0, n["a"]).Draw(t, "a"), "b": rapid.Uint64Range(0, n["b"]).Draw(t, "b"),
		}
		var missed []logged
		recent := true
		for _, h := range history {
			if h.event.N > last[h.region] {
				missed = append(missed, h)
				recent = recent && now-h.event.TimeUS <= logUS
			}
		}
		covered := l.covers(last)
		if recent && !covered {
			t.Fatalf("%d events of the last two seconds are not kept", len(missed))
		}
		if !covered {
			return
		}
		got := l.after(last)
		if len(got) != len(missed) {
			t.Fatalf("%d events, want %d", len(got), len(missed))
		}
		for i := range got {
			if got[i] != missed[i] {
				t.Fatalf("event %d is %s:%d, want %s:%d", i, got[i].region, got[i].event.N, missed[i].region, missed[i].event.N)
			}
		}
	})
}
