package node

import "github.com/venued/venued/host/stream"

// withDurable tells a region that what it handed over is in its log in the store, so that it may go. A store that fails is not waited for,
// nor one that takes more than half a second: the hand-over works in memory then, and nothing of it is called durable.
func (d *driver) withDurable(in []stream.Input, l *life, now int64) []stream.Input {
	oldest := l.region.Unreleased()
	if oldest == 0 {
		return in
	}
	stored := l.journal.durable(l.tick)
	if stored < oldest {
		_, _, _, err := l.journal.status()
		if err == nil && l.tick < oldest+l.tickHz/2 {
			return in
		}
		stored = l.tick
	}
	return append(in, stream.Input{Kind: stream.InputDurable, Object: stored, Stamp: now, Arrival: now})
}
