package client

import (
	"math"
	"sync"
	"time"
)

// Settings of the clock. A round trip gives bounds of the offset, since neither way takes less than no time: it lies between
// what it would be if the way back, and if the way there, had taken all of it. What all recent round trips allow is where
// the bounds of all of them meet (Marzullo's intersection, as in RFC 5905, 11.2.1); its middle is wrong by at most half the difference
// between the quickest way there and the quickest way back, however late others were. Bounds widen with age, since two clocks part.
const (
	clockSamples = 16
	maxDriftPPM  = 300  // two ordinary oscillators against each other, or one that is being disciplined
	slackUS      = 1000 // by how much bounds may miss each other, since the server's own timeline wavers
	slewPPM      = 5000 // how fast a correction is worked in, so that time never jumps
	stepUS       = 2000 // what lies farther than this outside the bounds is wrong for certain, and corrected at once
)

// clockSample is one round trip: the offset (server minus local) was between lo and hi at a local time.
type clockSample struct{ at, lo, hi int64 } // microseconds

// clock maps a local monotonic clock to the server's timeline. Its time never runs
// backwards: what the round trips allow is slewed, what they exclude is corrected at once,
// and after such a correction backward it stands still until the timeline has caught up.
type clock struct {
	mu      sync.Mutex
	start   time.Time // carries the monotonic reading
	ring    [clockSamples]clockSample
	n       int // samples taken
	kept    int // of which so many recent ones agree
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
	c.ring[c.n%clockSamples] = clockSample{t3, t2 - t3, t1 - t0}
	c.n++
	c.kept = min(c.kept+1, clockSamples)
	lo, hi := t2-t3, t1-t0
	for i := 1; i < c.kept; i++ {
		s := c.ring[(c.n-1-i)%clockSamples]
		wider := (t3 - s.at) * maxDriftPPM / 1_000_000
		l, h := max(lo, s.lo-wider), min(hi, s.hi+wider)
		if t3 < s.at || l > h+slackUS {
			// One of the clocks has jumped since: what came before tells nothing any more.
			c.kept = i
			break
		}
		lo, hi = min(l, h), max(l, h)
	}
	c.slew(t3)
	c.target = lo + (hi-lo)/2
	if !c.synced || c.n == 1 || c.applied < lo-stepUS || c.applied > hi+stepUS {
		c.applied = c.target
	}
	c.synced = true
}

// slew moves the applied offset toward the target for the local time that passed.
func (c *clock) slew(localUS int64) {
	d := localUS - c.slewAt
	c.slewAt = localUS // also when the local clock was put back
	if d <= 0 {
		return
	}
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

// current returns the time as now does, but what was given out before does not hold it: to plan by, while now stands still.
func (c *clock) current(localUS int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slew(localUS)
	return localUS + c.applied
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
	for i := range c.kept {
		s := c.ring[(c.n-1-i)%clockSamples]
		if trip := s.hi - s.lo; !ok || trip < us {
			us, ok = trip, true
		}
	}
	return us, ok
}
