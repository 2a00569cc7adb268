package rtc

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Bounds of what the server takes on. Past them newcomers are refused, so that those inside keep what they have: an
// overloaded gateway loses acknowledgements, sends again what was not lost, and gets slower still.
const (
	fullShare  = 0.80 // of all processors, used by this process
	freeShare  = 0.70
	fullLag    = 1.0 // ticks that records come, or slots are served, too late, on average over a second
	freeLag    = 0.5
	fullAfter  = 3 // seconds in a row
	freeAfter  = 3
	loadPeriod = time.Second
)

// load watches whether the server holds more people. The hub feeds it; anyone may ask.
type load struct {
	processors int
	tick       time.Duration

	since time.Time     // of the present period
	cpu   time.Duration // of the process, at since
	lags  [lagKinds]struct {
		sum time.Duration // of the period
		n   int
	}
	beyond int // periods in a row that say otherwise than why does

	why atomic.Pointer[string] // why newcomers are refused, nil when they are not
}

// What can be late.
const (
	lagSlot   = iota // a slot of the hub, after its time
	lagRecord        // a region's record, after its tick
	lagKinds
)

// lag notes how late something was.
func (l *load) lag(kind int, d time.Duration) {
	l.lags[kind].sum += max(d, 0)
	l.lags[kind].n++
}

// late returns the mean lag of the period, of whatever was later.
func (l *load) late() (d time.Duration) {
	for _, k := range l.lags {
		if k.n > 0 {
			d = max(d, k.sum/time.Duration(k.n))
		}
	}
	return d
}

// due reports whether a period is over, so that observe should be told.
func (l *load) due(now time.Time) bool { return now.Sub(l.since) >= loadPeriod }

// observe ends a period; cpu is what the process used since its start. It reports whether the answer changed.
func (l *load) observe(now time.Time, cpu time.Duration) (changed bool) {
	passed, used, late := now.Sub(l.since), cpu-l.cpu, l.late()
	first := l.since.IsZero()
	l.since, l.cpu = now, cpu
	clear(l.lags[:])
	if first {
		return false
	}
	share := used.Seconds() / passed.Seconds() / float64(l.processors)
	ticks := late.Seconds() / l.tick.Seconds()
	full := l.why.Load() != nil
	switch {
	case full && (share >= freeShare || ticks >= freeLag), !full && share <= fullShare && ticks <= fullLag:
		l.beyond = 0
		return false
	}
	l.beyond++
	switch {
	case full && l.beyond >= freeAfter:
		l.why.Store(nil)
	case !full && l.beyond >= fullAfter:
		why := fmt.Sprintf("it uses %.0f %% of its processors", 100*share)
		if share <= fullShare {
			why = fmt.Sprintf("its ticks are %.0f ms late", late.Seconds()*1000)
		}
		l.why.Store(&why)
	default:
		return false
	}
	l.beyond = 0
	return true
}

// full says why nobody else is let in; "" when they are.
func (l *load) full() string {
	if why := l.why.Load(); why != nil {
		return *why
	}
	return ""
}
