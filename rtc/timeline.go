package rtc

import "time"

// timeline follows the venue's server time from the ticks of records as they arrive. A record
// of tick n is never early, and rarely late, so the least of "arrival minus
// time of the tick" over the last seconds is where the timeline is. The estimate moves slowly
// when it must move, and server time never goes backward.
type timeline struct {
	tickUS int64
	epoch  time.Time // local instant that offsets count from
	known  bool
	offset int64 // local microseconds since epoch minus server microseconds
	// Least offsets seen in the present and the former window.
	least, former int64
	windowEnd     int64
	slewed        int64 // local time up to which the offset was moved
	newest        int64 // greatest server time told
}

// Window and slew of the estimate.
const (
	timelineWindowUS = 5_000_000
	timelineJumpUS   = 50_000 // farther off than this it jumps
	timelineSlewPPM  = 2_000  // else it moves by this much
)

func newTimeline(tickUS int64, epoch time.Time) timeline {
	return timeline{tickUS: tickUS, epoch: epoch}
}

func (t *timeline) local(now time.Time) int64 { return now.Sub(t.epoch).Microseconds() }

// observe notes that the record of a tick arrived.
func (t *timeline) observe(tick uint64, at time.Time) {
	local := t.local(at)
	seen := local - int64(tick)*t.tickUS
	if !t.known {
		t.known, t.offset, t.least, t.former = true, seen, seen, seen
		t.windowEnd, t.slewed = local+timelineWindowUS, local
		return
	}
	if local >= t.windowEnd {
		t.former, t.least, t.windowEnd = t.least, seen, local+timelineWindowUS
	}
	t.least = min(t.least, seen)
	want := min(t.least, t.former)
	step := max((local-t.slewed)*timelineSlewPPM/1_000_000, 1)
	t.slewed = local
	switch d := want - t.offset; {
	case d > timelineJumpUS || d < -timelineJumpUS:
		t.offset = want
	case d > 0:
		t.offset += min(d, step)
	default:
		t.offset -= min(-d, step)
	}
}

// at returns the server time of a local instant, microseconds; 0 before the first record.
func (t *timeline) at(now time.Time) int64 {
	if !t.known {
		return 0
	}
	return max(t.local(now)-t.offset, 0)
}

// now is at, for the present: it never goes backward.
func (t *timeline) now(now time.Time) int64 {
	t.newest = max(t.newest, t.at(now))
	return t.newest
}
