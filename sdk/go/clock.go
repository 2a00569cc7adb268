package client

import (
	"math"
	"sync"
	"time"
)

// Settings of the clock. Offsets come from round trips: half of what a round
// trip took is the bound of its error, so of the recent ones the shortest is
// believed, and a sample loses credit with age, since two quartz clocks part by up to
// maxDriftPPM.
const (
	clockSamples = 16
	maxDriftPPM  = 100  // two ordinary oscillators against each other
	slewPPM      = 5000 // how fast a correction is worked in, so that time never jumps
	stepUS       = 250_000
)

type clockSample struct {
	at, rtt, offset int64 // local microseconds; microseconds; server minus local
}

// clock maps a local monotonic clock to the server's timeline. Its time never runs
// backwards: small corrections are slewed, large forward ones are taken at once, and
// after a large backward one it stands still until the timeline has caught up.
type clock struct {
	mu      sync.Mutex
	start   time.Time // carries the monotonic reading
	ring    [clockSamples]clockSample
	n       int
	synced  bool
	target  int64 // best estimate of server minus local
	applied int64 // what now adds
	slewAt  int64 // local time at which applied was last moved
	last    int64 // newest time given out
}

func newClock(start time.Time) *clock { return &clock{start: start, last: math.MinInt64} }

// local returns microseconds since the clock's start.
func (c *clock) local() int64 { return int64(time.Since(c.start) / time.Microsecond) }

// greet takes the first, one-way estimate, from a welcome: only until a round trip was measured.
func (c *clock) greet(serverUS, localUS int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == 0 {
		c.target, c.applied, c.slewAt, c.synced = serverUS-localUS, serverUS-localUS, localUS, true
	}
}

// sample takes one round trip: sent at t0 and back at t3 by the local clock, received
// at t1 and answered at t2 by the server's. Impossible ones are ignored.
func (c *clock) sample(t0, t1, t2, t3 int64) {
	rtt := (t3 - t0) - (t2 - t1)
	if t3 < t0 || t2 < t1 || rtt < 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	// (t1-t0 + t2-t3)/2, ordered so that it cannot overflow on any pair of timelines.
	offset := t1 - t0 - rtt/2
	c.ring[c.n%clockSamples] = clockSample{t3, rtt, offset}
	c.n++
	best, bestErr := offset, int64(-1)
	for i := range min(c.n, clockSamples) {
		s := c.ring[i]
		if e := s.rtt/2 + (t3-s.at)*maxDriftPPM/1_000_000; bestErr < 0 || e < bestErr {
			best, bestErr = s.offset, e
		}
	}
	c.slew(t3)
	c.target = best
	// The first round trips replace the greeting at once, before anything was timed by it for long.
	if !c.synced || c.n <= 3 || c.target-c.applied > stepUS || c.applied-c.target > stepUS {
		c.applied = c.target
	}
	c.synced = true
}

// slew moves the applied offset toward the target for the local time that passed.
func (c *clock) slew(localUS int64) {
	d := localUS - c.slewAt
	if d <= 0 {
		return
	}
	c.slewAt = localUS
	most := d * slewPPM / 1_000_000
	switch diff := c.target - c.applied; {
	case diff > most:
		c.applied += most
	case diff < -most:
		c.applied -= most
	default:
		c.applied = c.target
	}
}

// now returns the server's time for a local time, never less than it returned before.
func (c *clock) now(localUS int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slew(localUS)
	c.last = max(c.last, localUS+c.applied)
	return c.last
}

// estimate returns the best unsmoothed estimate of the server's time at a local time,
// for measuring.
func (c *clock) estimate(localUS int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return localUS + c.target
}

// until returns how long to wait at localUS for server time t.
func (c *clock) until(t, localUS int64) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Duration(t-c.applied-localUS) * time.Microsecond
}

// rtt returns the shortest recent round trip, microseconds; ok is false before the first.
func (c *clock) rtt() (us int64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range min(c.n, clockSamples) {
		if s := c.ring[i].rtt; !ok || s < us {
			us, ok = s, true
		}
	}
	return us, ok
}
