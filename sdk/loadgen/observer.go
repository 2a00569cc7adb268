package loadgen

import (
	"cmp"
	"slices"
	"sync"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// Bounds of what an observer keeps.
const (
	maxSeen   = 1 << 20 // events; further ones are counted as unchecked
	seenTicks = 64      // ticks of holders remembered for each object
)

// observer gathers what all visitors saw of who holds what, and looks for an object with two
// holders at once: in the authoritative order of the events, and in the states of one tick.
type observer struct {
	mu        sync.Mutex
	seen      map[eventKey]struct{}
	events    []seenEvent
	unchecked int
	ticks     map[uint64]*[seenTicks]tickHolder // by object
	clashes   int                               // states of one tick with different holders
}

type eventKey struct {
	region string
	n      uint64
	tick   uint64
}

type seenEvent struct {
	eventKey
	kind   string // wire type; only some matter, but each proves that its number is not missing
	object uint64
	by     uint64
}

type tickHolder struct {
	tick   uint64
	holder uint64
}

func newObserver() *observer {
	return &observer{seen: map[eventKey]struct{}{}, ticks: map[uint64]*[seenTicks]tickHolder{}}
}

// event notes a key event that some visitor received.
func (o *observer) event(e *client.Event) {
	if e.N == 0 || e.Region == "" {
		return
	}
	key := eventKey{e.Region, e.N, e.Tick}
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, known := o.seen[key]; known {
		return
	}
	if len(o.events) >= maxSeen {
		o.unchecked++
		return
	}
	o.seen[key] = struct{}{}
	o.events = append(o.events, seenEvent{key, e.T, e.Object, e.By})
}

// holder notes who holds an object in the state of a tick.
func (o *observer) holder(object, tick, holder uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ring := o.ticks[object]
	if ring == nil {
		ring = new([seenTicks]tickHolder)
		o.ticks[object] = ring
	}
	slot := &ring[tick%seenTicks]
	if slot.tick == tick && slot.holder != holder && slot.holder != 0 && holder != 0 {
		o.clashes++
	}
	*slot = tickHolder{tick, holder}
}

// verdict says how often an object had two holders, and how often events that nobody here received
// leave that open.
func (o *observer) verdict() (double, unverified int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	byRegion := map[string][]seenEvent{}
	for _, e := range o.events {
		byRegion[e.region] = append(byRegion[e.region], e)
	}
	for _, events := range byRegion {
		d, u := judge(events)
		double += d
		unverified += u
	}
	return double + o.clashes, unverified + o.unchecked
}

// judge replays one region's events in their order.
func judge(events []seenEvent) (double, unverified int) {
	type hold struct {
		by    uint64
		index int // of the grab in events
	}
	events = inForce(events)
	missing := make([]int, len(events)) // how many numbers before each are missing
	for i := 1; i < len(events); i++ {
		missing[i] = missing[i-1]
		if events[i].n != events[i-1].n+1 {
			missing[i]++
		}
	}
	holds := map[uint64]hold{}
	for i, e := range events {
		switch e.kind {
		case wire.DownGrabbed:
			if h, held := holds[e.object]; held && h.by != e.by {
				if missing[i] == missing[h.index] {
					double++
				} else {
					unverified++
				}
			}
			holds[e.object] = hold{e.by, i}
		case wire.DownReleased, wire.DownDropped:
			delete(holds, e.object)
		}
	}
	return double, unverified
}

// inForce sorts events by tick and number and takes out those that a crash of the server revoked: after it the
// region counts on from the last durable number, at later ticks.
func inForce(events []seenEvent) []seenEvent {
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b seenEvent) int {
		return cmp.Or(cmp.Compare(a.tick, b.tick), cmp.Compare(a.n, b.n))
	})
	kept := events[:0]
	for _, e := range events {
		for len(kept) > 0 && kept[len(kept)-1].n >= e.n {
			kept = kept[:len(kept)-1]
		}
		kept = append(kept, e)
	}
	return kept
}
