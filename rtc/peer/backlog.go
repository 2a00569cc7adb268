package peer

import "time"

// Bounds of what waits in a lane.
const (
	// PoseBuffered is how many bytes may wait in the pose lane before messages are skipped.
	PoseBuffered = 8 << 10
	// PoseBehind is how long, beyond the round trip, the oldest may have waited.
	PoseBehind = 100 * time.Millisecond
	// EventBuffered is how many bytes may wait in the event lane before the peer is closed.
	EventBuffered = 256 << 10
	// EventBehind is how long the oldest may have waited before the peer is closed.
	EventBehind = 2 * time.Second
)

// ackDelay is how long a receiver may keep an SCTP acknowledgement back (RFC 9260, 6.2).
const ackDelay = 200 * time.Millisecond

// backlog tells how old the oldest byte is that a lane has not delivered yet, from
// when bytes went in and how many are still there. Bytes leave about in the order they came.
type backlog struct {
	total uint64 // bytes that ever went in
	marks [64]mark
	first int // index of the oldest mark
	n     int
}

type mark struct {
	total uint64 // backlog.total after the bytes went in
	at    time.Duration
}

// add notes that n bytes went in at a time. When all marks are in use the newest is widened: its bytes
// then look as old as its first, never younger.
func (b *backlog) add(n int, at time.Duration) {
	b.total += uint64(n)
	if b.n == len(b.marks) {
		b.marks[(b.first+b.n-1)%len(b.marks)].total = b.total
		return
	}
	b.marks[(b.first+b.n)%len(b.marks)] = mark{b.total, at}
	b.n++
}

// age returns for how long the oldest of the buffered bytes has been waiting.
func (b *backlog) age(buffered uint64, now time.Duration) time.Duration {
	gone := b.total - min(buffered, b.total)
	for b.n > 0 && b.marks[b.first].total <= gone {
		b.first = (b.first + 1) % len(b.marks)
		b.n--
	}
	if b.n == 0 {
		return 0
	}
	return now - b.marks[b.first].at
}

// stopwatch is a clock that can stand still.
type stopwatch struct {
	start   time.Time
	stopped time.Duration // how long it stood still, before the present pause
	since   time.Time     // of the present pause, zero when it runs
}

func (s *stopwatch) at(now time.Time) time.Duration {
	if !s.since.IsZero() {
		now = s.since
	}
	return now.Sub(s.start) - s.stopped
}

func (s *stopwatch) pause(now time.Time) {
	if s.since.IsZero() {
		s.since = now
	}
}

func (s *stopwatch) resume(now time.Time) {
	if !s.since.IsZero() {
		s.stopped += now.Sub(s.since)
		s.since = time.Time{}
	}
}
