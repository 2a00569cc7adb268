package rtc

import (
	"math/bits"
	"time"
)

// Limits of a client's connection quality.
const (
	maxClamp      = 150 * time.Millisecond // of a stamp before its arrival, at most
	slowTrip      = 120 * time.Millisecond // a round trip that stays above this halves the rate
	recoveredTrip = 100 * time.Millisecond
	highLoss      = 0.10
	lowLoss       = 0.04
	slowFor       = time.Second     // how long it must be bad
	recoveredFor  = 3 * time.Second // how long it must be good again
	leastWindow   = 10 * time.Second
)

// pace measures one connection from the frames that its client acknowledges, and decides whether
// frames go out at the full or at half the rate.
type pace struct {
	sentAt [64]time.Time // by frame number
	sent   uint16        // newest frame sent
	frames uint64        // how many were
	acked  uint16        // newest frame acknowledged
	hasAck bool

	least, former time.Duration // least round trips of the present and the former window
	windowEnd     time.Time
	trip          time.Duration // smoothed
	loss          float64       // smoothed share of frames that did not arrive

	throttled bool
	since     time.Time // since when the opposite of throttled holds, zero if it does not
}

// frame notes that frame seq was sent.
func (p *pace) frame(seq uint16, now time.Time) {
	p.sentAt[seq%64], p.sent = now, seq
	p.frames++
}

// ack takes an acknowledgement of frames that were sent: the newest, and the 32 before it by bits.
func (p *pace) ack(seq uint16, history uint32, now time.Time) {
	if p.hasAck && int16(seq-p.acked) <= 0 || p.frames == 0 || p.sent-seq >= 64 {
		return
	}
	p.acked, p.hasAck = seq, true
	trip := now.Sub(p.sentAt[seq%64])
	if now.After(p.windowEnd) {
		p.former, p.least, p.windowEnd = p.least, trip, now.Add(leastWindow)
	}
	p.least = min(p.least, trip)
	if p.trip == 0 {
		p.trip = trip
	}
	p.trip += (trip - p.trip) / 16
	if p.frames > 64 { // before that the history holds frames that never were
		lost := float64(32-bits.OnesCount32(history)) / 32
		p.loss += (lost - p.loss) / 16
	}
	p.decide(now)
}

// decide changes the rate when the connection has been bad, or good again, for long enough.
func (p *pace) decide(now time.Time) {
	bad := p.trip > slowTrip || p.loss > highLoss
	good := p.trip < recoveredTrip && p.loss < lowLoss
	if p.throttled && !good || !p.throttled && !bad {
		p.since = time.Time{}
		return
	}
	if p.since.IsZero() {
		p.since = now
	}
	wait := slowFor
	if p.throttled {
		wait = recoveredFor
	}
	if now.Sub(p.since) >= wait {
		p.throttled, p.since = !p.throttled, time.Time{}
	}
}

// leastTrip is the least round trip of the last windows, 0 when none was measured.
func (p *pace) leastTrip() time.Duration {
	if p.former == 0 {
		return p.least
	}
	return min(p.least, p.former)
}

// clamp limits what a stamp may claim, in server microseconds: not after its arrival, and not
// longer before it than the way can have taken.
func (p *pace) clamp(stamp, arrival int64) int64 {
	earliest := arrival - min(p.leastTrip()/2, maxClamp).Microseconds()
	return min(max(stamp, earliest), arrival)
}

// expandStamp makes a full stamp in microseconds of its low 32 bits in units of 100 us:
// the one nearest to now.
func expandStamp(low uint32, now int64, unit int64) int64 {
	at := now / unit
	return (at + int64(int32(low-uint32(at)))) * unit
}

// A flood is floodFactor times the venue's limit in each of floodSeconds in a row.
const (
	floodFactor  = 10
	floodSeconds = 3
)

// floodGuard counts a client's messages by the second.
type floodGuard struct {
	most   float64 // messages a second
	start  time.Time
	second int64
	n      int // in this second
	full   int // seconds in a row before it that had too many
}

// count counts a message: pass says that this second does not have too many yet, flood that
// too many seconds in a row had.
func (f *floodGuard) count(now time.Time) (pass, flood bool) {
	second := int64(now.Sub(f.start) / time.Second)
	if second != f.second {
		if second == f.second+1 && float64(f.n) > f.most {
			f.full++
		} else {
			f.full = 0
		}
		f.second, f.n = second, 0
	}
	f.n++
	return float64(f.n) <= f.most, f.full >= floodSeconds
}
