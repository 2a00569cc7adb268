package client

import (
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestClockAgainstKnownTimelines drives the clock over simulated networks, whose true
// offset and drift are known.
func TestClockAgainstKnownTimelines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offset := rapid.Int64Range(-1<<50, 1<<50).Draw(t, "offset_us")
		ppm := rapid.Int64Range(-80, 80).Draw(t, "drift_ppm")
		least := rapid.Int64Range(200, 120_000).Draw(t, "one_way_us")
		jitter := rapid.Int64Range(0, 100_000).Draw(t, "jitter_us")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		server := func(local int64) int64 { return local + offset + local*ppm/1_000_000 }

		c := newClock(time.Now())
		c.greet(server(0), least)
		local, prev := least, int64(-1<<62)
		worst := int64(0)
		for i := range 120 {
			up, down := least+rng.Int64N(jitter+1), least+rng.Int64N(jitter+1)
			t1 := server(local + up)
			t3 := local + up + down
			c.sample(local, t1, t1, t3)
			for at := t3; at < t3+1_000_000; at += 100_000 {
				now := c.now(at)
				if now < prev {
					t.Fatalf("round %d: time ran back from %d to %d", i, prev, now)
				}
				prev = now
				if i > 60 {
					d := now - server(at)
					worst = max(worst, d, -d)
				}
			}
			local = t3 + 1_000_000
		}
		// Half a shortest round trip's asymmetry, plus what the clocks part in the window
		// of samples kept.
		if bound := jitter/2 + 17*1_300_000*maxDriftPPM/1_000_000 + 10; worst > bound {
			t.Fatalf("off by %d us after a minute, bound %d", worst, bound)
		}
	})
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
	fill := func(local, ahead int64) {
		for i := range int64(clockSamples) {
			at := local + i - clockSamples
			c.sample(at, at+ahead, at+ahead, at)
		}
	}
	fill(100_000, 3_000_000)
	if got := c.now(100_000); got != 3_100_000 {
		t.Errorf("after a step forward the time is %d, want 3100000", got)
	}
	fill(200_000, 2_000_000)
	if got := c.now(200_000); got != 3_100_000 {
		t.Errorf("while the timeline is behind the time is %d, want it to stand at 3100000", got)
	}
	if got := c.now(1_200_000); got != 3_200_000 {
		t.Errorf("after catching up the time is %d, want 3200000", got)
	}
	fill(1_300_000, 2_010_000)
	if got := c.now(1_300_000); got <= 3_299_000 || got >= 3_302_000 {
		t.Errorf("a correction of 10 ms was not slewed: %d", got)
	}
}

// One round trip in three is late one way by up to 400 ms, as behind a full buffer: the clock believes the others. What it
// took from a late first one is slewed away within a minute.
func TestClockRejectsOutliers(t *testing.T) {
	const offset, way = 5_000_000, 10_000
	rng := rand.New(rand.NewPCG(3, 1))
	c := newClock(time.Now())
	local, prev := int64(0), int64(0)
	for i := range 300 {
		up, down := int64(way), int64(way)
		switch rng.IntN(6) {
		case 0:
			up += rng.Int64N(400_000)
		case 1:
			down += rng.Int64N(400_000)
		}
		t1 := local + up + offset
		t3 := local + up + down
		c.sample(local, t1, t1, t3)
		now := c.now(t3)
		if now < prev {
			t.Fatalf("round %d: time ran back from %d to %d", i, prev, now)
		}
		if d := now - (t3 + offset); i > 60 && (d > 1000 || d < -1000) {
			t.Fatalf("round %d: off by %d us", i, d)
		}
		prev, local = now, t3+1_000_000
	}
}
