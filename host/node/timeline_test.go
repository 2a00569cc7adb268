package node

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// clock is a clock that tests move.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

func TestTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tickUS := rapid.Int64Range(10_000, 100_000).Draw(t, "tick_us")
		t0 := rapid.Int64Range(1_600_000_000_000_000, 1_700_000_000_000_000).Draw(t, "t0")
		c := &clock{time.UnixMicro(t0 + rapid.Int64Range(-3_600_000_000, 3_600_000_000_000).Draw(t, "age"))}
		last := rapid.Uint64Range(0, 100_000).Draw(t, "last")
		line, behind := newTimeline(c.now, t0, tickUS, last)
		least := int64(0) // of a venue that begins, so that its next start, by the same clock, is not behind this one
		if last > 0 {
			least = (int64(last) + 1) * tickUS
		}
		if last > 0 && line.Tick() <= last {
			t.Fatalf("tick %d is not above %d", line.Tick(), last)
		}
		healthy := c.t.UnixMicro()-t0 >= least
		if healthy != (behind == 0) {
			t.Fatalf("clock is %d us after the start, last tick %d: behind is %s", c.t.UnixMicro()-t0, last, behind)
		}
		if healthy && line.NowUS() != c.t.UnixMicro()-t0 {
			t.Fatalf("server time %d, want the clock's %d", line.NowUS(), c.t.UnixMicro()-t0)
		}
		before := line.NowUS()
		for range 20 {
			step := rapid.Int64Range(0, 500_000).Draw(t, "step")
			c.t = c.t.Add(time.Duration(step) * time.Microsecond)
			now, tick := line.NowUS(), line.Tick()
			if now != before+step {
				t.Fatalf("%d us after %d it is %d", step, before, now)
			}
			if line.ServerTime(tick) > now || line.ServerTime(tick+1) <= now {
				t.Fatalf("at %d us tick %d is due, which starts at %d", now, tick, line.ServerTime(tick))
			}
			if d := line.until(tick + 1); d <= 0 || d > time.Duration(tickUS)*time.Microsecond {
				t.Fatalf("the next tick starts in %s", d)
			}
			before = now
		}
	})
}
