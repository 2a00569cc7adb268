package node

import "time"

// Timeline is a venue's server time: microseconds since the venue's start, which never
// runs backwards while the process lives.
type Timeline struct {
	now    func() time.Time // with a monotonic reading
	start  time.Time
	base   int64 // server time at start, us
	tickUS int64
}

// newTimeline returns the timeline of a venue that began at t0 (microseconds since 1970). It goes on
// above tick last (0: none was made yet), whatever the wall clock says; behind is by how much the clock was behind
// that, 0 in a healthy system.
func newTimeline(now func() time.Time, t0, tickUS int64, last uint64) (t *Timeline, behind time.Duration) {
	t = &Timeline{now: now, start: now(), tickUS: tickUS}
	t.base = t.start.UnixMicro() - t0
	least := int64(0)
	if last > 0 {
		least = (int64(last) + 1) * tickUS
	}
	if t.base < least {
		behind = time.Duration(least-t.base) * time.Microsecond
		t.base = least
	}
	return t, behind
}

// NowUS returns the server time, microseconds since the venue's start.
func (t *Timeline) NowUS() int64 { return t.base + t.now().Sub(t.start).Microseconds() }

// up returns how long the timeline has run in this process.
func (t *Timeline) up() time.Duration { return t.now().Sub(t.start) }

// TickUS returns the length of a tick, microseconds.
func (t *Timeline) TickUS() int64 { return t.tickUS }

// ServerTime returns the server time at which a tick starts, microseconds.
func (t *Timeline) ServerTime(tick uint64) int64 { return int64(tick) * t.tickUS }

// Tick returns the tick that is due now: the newest that has started.
func (t *Timeline) Tick() uint64 { return uint64(t.NowUS() / t.tickUS) }

// until returns how long it takes until a tick starts; negative when it has.
func (t *Timeline) until(tick uint64) time.Duration {
	return time.Duration(t.ServerTime(tick)-t.NowUS()) * time.Microsecond
}
