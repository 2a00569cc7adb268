package client

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// way is a network with a client's clock on one end and the server's on the other, both known to the test. Times are microseconds.
type way struct {
	offset, ppm int64 // of the server's clock against the true time
	jump        int64 // of the local clock against it
	up, down    func() int64

	trips []clockTrip
}

type clockTrip struct{ at, up, down int64 }

func (w *way) server(at int64) int64 { return at + w.offset + at*w.ppm/1_000_000 }
func (w *way) local(at int64) int64  { return at + w.jump }

// trip sends a ping at a true time, and returns that of the answer.
func (w *way) trip(c *clock, at int64) int64 {
	up, down := w.up(), w.down()
	t1 := w.server(at + up)
	end := at + up + down
	c.sample(w.local(at), t1, t1, w.local(end))
	w.trips = append(w.trips, clockTrip{end, up, down})
	return end
}

// bound is how far the clock may be off at a true time: what the best of the recent trips leaves open each way, as the clocks part since.
func (w *way) bound(at int64) int64 {
	up, down := int64(math.MaxInt64), int64(math.MaxInt64)
	for _, t := range w.trips[max(0, len(w.trips)-clockSamples):] {
		parted := slackUS + (at-t.at)*(maxDriftPPM+max(w.ppm, -w.ppm))/1_000_000
		up, down = min(up, t.up+parted), min(down, t.down+parted)
	}
	return max(up, down) + stepUS
}

// pause is how long the client waits before the next ping.
func pause(round int) int64 {
	if round < quickPings {
		return quickPingUS
	}
	return pingUS
}

// Over networks with any delays, some of them late one way by up to 400 ms, and clocks that part by up to 200 ppm: from the fifth
// round trip on the clock is never farther off than the best trips leave open, and its time never runs back.
func TestClockAgainstKnownTimelines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		late := rapid.Int64Range(0, 50).Draw(t, "late_percent")
		delay := func(name string) func() int64 {
			least := rapid.Int64Range(100, 120_000).Draw(t, name+"_us")
			jitter := rapid.Int64Range(0, 50_000).Draw(t, name+"_jitter_us")
			return func() int64 {
				d := least + rng.Int64N(jitter+1)
				if rng.Int64N(100) < late {
					d += rng.Int64N(400_000)
				}
				return d
			}
		}
		w := &way{
			offset: rapid.Int64Range(-1<<50, 1<<50).Draw(t, "offset_us"),
			ppm:    rapid.Int64Range(-200, 200).Draw(t, "drift_ppm"),
			up:     delay("up"), down: delay("down"),
		}
		c := newClock(time.Now())
		c.greet(w.server(0), w.local(w.down()))
		at, prev := int64(1_000_000), int64(math.MinInt64)
		for i := range 120 {
			at = w.trip(c, at)
			next := at + pause(i)
			for ; at < next; at += 50_000 {
				now := c.now(w.local(at))
				if now < prev {
					t.Fatalf("round %d: time ran back from %d to %d", i, prev, now)
				}
				// What was given out from the first, worse trips may hold the time until the timeline has caught up.
				if d := now - w.server(at); i >= 4 && max(d, -d) > w.bound(at) && now != prev {
					t.Fatalf("round %d: off by %d us, bound %d", i, d, w.bound(at))
				}
				if d := c.current(w.local(at)) - w.server(at); i >= 4 && max(d, -d) > w.bound(at) {
					t.Fatalf("round %d: off by %d us to plan by, bound %d", i, d, w.bound(at))
				}
				prev = now
			}
		}
	})
}

// One round trip in three is late one way by up to 400 ms, as behind a full buffer, the first three among them: the clock believes the others,
// at once as far as they exclude what it had, and within seconds to the last.
func TestClockRejectsOutliers(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		round, lateWay := 0, 0
		w := &way{offset: 5_000_000}
		delay := func(side int) func() int64 {
			return func() int64 {
				if lateWay == side {
					return 10_000 + rng.Int64N(400_000)
				}
				return 10_000
			}
		}
		w.up, w.down = delay(0), delay(1)
		c := newClock(time.Now())
		at, prev := int64(0), int64(0)
		for ; round < 100; round++ {
			if lateWay = rng.IntN(6); round < 3 {
				lateWay = int(seed % 2) // the same way, so that they tell nothing together either
			}
			at = w.trip(c, at)
			now := c.now(w.local(at))
			if now < prev {
				t.Fatalf("seed %d, round %d: time ran back from %d to %d", seed, round, prev, now)
			}
			d := c.current(w.local(at)) - w.server(at)
			if round >= 10 && max(d, -d) > 10_000+stepUS+slackUS {
				t.Fatalf("seed %d, round %d: off by %d us", seed, round, d)
			}
			// Of two good trips one may be seconds older than the other, and the clocks may have parted by that much.
			if round > 20 && max(d, -d) > 2000 {
				t.Fatalf("seed %d, round %d: still off by %d us", seed, round, d)
			}
			prev, at = now, at+pause(round)
		}
	}
}

// The local clock is put forward or back by ten seconds, as on machines that slept: one round trip afterwards the time is right again,
// but that it stands still for as long as too late ones had been given out.
func TestClockSurvivesJumps(t *testing.T) {
	for _, jump := range []int64{10_000_000, -10_000_000, 100_000, -100_000} {
		for _, ppm := range []int64{-200, 0, 200} {
			rng := rand.New(rand.NewPCG(7, uint64(jump)))
			delay := func() int64 { return 8_000 + rng.Int64N(10_000) }
			w := &way{offset: -3_000_000_000, ppm: ppm, up: delay, down: delay}
			c := newClock(time.Now())
			at := int64(0)
			for i := range 30 {
				at = w.trip(c, at) + pause(i)
			}
			w.jump = jump
			prev := c.now(w.local(at)) // wrong by the jump: nothing can be known yet
			before := len(w.trips)
			for i := range 30 {
				at = w.trip(c, at)
				next := at + pause(i)
				for ; at < next; at += 50_000 {
					now, true_ := c.now(w.local(at)), w.server(at)
					if now < prev {
						t.Fatalf("jump %d: time ran back from %d to %d", jump, prev, now)
					}
					all := w.trips
					w.trips = w.trips[before:]
					bound := w.bound(at)
					w.trips = all
					if d := now - true_; max(d, -d) > bound && (now != prev || d < 0) {
						t.Fatalf("jump %d, %d ppm, round %d: off by %d us, bound %d", jump, ppm, i, d, bound)
					}
					if d := c.current(w.local(at)) - true_; max(d, -d) > bound {
						t.Fatalf("jump %d, %d ppm, round %d: off by %d us to plan by, bound %d", jump, ppm, i, d, bound)
					}
					prev = now
				}
			}
		}
	}
}

func TestClockIgnoresImpossibleRoundTrips(t *testing.T) {
	c := newClock(time.Now())
	c.sample(0, 1_000_000, 1_000_000, 2_000)
	want := c.now(3_000)
	for _, s := range [][4]int64{{5_000, 9, 9, 4_000}, {4_000, 2_000_000, 1_000_000, 5_000}, {4_000, 0, 9_000_000, 5_000}} {
		c.sample(s[0], s[1], s[2], s[3])
	}
	if got := c.now(3_000); got != want {
		t.Errorf("an impossible round trip moved the clock from %d to %d", want, got)
	}
	if rtt, ok := c.rtt(); !ok || rtt != 2_000 {
		t.Errorf("rtt = %d, %v, want 2000, true", rtt, ok)
	}
}

func TestClockStepsForwardAndWaitsBackward(t *testing.T) {
	c := newClock(time.Now())
	c.sample(0, 1_000_000, 1_000_000, 0)
	if got := c.now(0); got != 1_000_000 {
		t.Fatalf("the first round trip gives %d, want 1000000", got)
	}
	c.sample(100_000, 3_100_000, 3_100_000, 100_000)
	if got := c.now(100_000); got != 3_100_000 {
		t.Errorf("after a step forward the time is %d, want 3100000", got)
	}
	c.sample(200_000, 2_200_000, 2_200_000, 200_000)
	if got := c.now(200_000); got != 3_100_000 {
		t.Errorf("while the timeline is behind the time is %d, want it to stand at 3100000", got)
	}
	if got := c.current(200_000); got != 2_200_000 {
		t.Errorf("while the timeline is behind the time to plan by is %d, want 2200000", got)
	}
	if got := c.now(1_200_000); got != 3_200_000 {
		t.Errorf("after catching up the time is %d, want 3200000", got)
	}
	// A trip of 40 ms that says 10 ms more excludes nothing of that.
	c.sample(1_300_000, 3_330_000, 3_330_000, 1_340_000)
	if got := c.current(1_340_000); got < 3_340_000 || got > 3_341_000 {
		t.Errorf("a correction that is only likely was not slewed: %d", got)
	}
}
