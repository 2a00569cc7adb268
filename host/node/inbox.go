package node

import (
	"sync"

	"github.com/venued/venued/host/stream"
)

// maxInbox is how many inputs wait for a tick: more than ten for each of the most people that a region
// can have.
const maxInbox = 8192

// inbox gathers a region's inputs between ticks, in the order of their arrival.
//
// When it is full the oldest poses go first, since newer ones replace them anyway;
// when there is none left, new inputs are refused: gateways send key inputs again until a
// record covers them.
type inbox struct {
	mu      sync.Mutex
	max     int
	waiting []stream.Input
	lost    inboxLoss
}

// inboxLoss counts what an inbox did not keep.
type inboxLoss struct{ poses, refused int }

func (b *inbox) add(in []stream.Input) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range in {
		if len(b.waiting) >= b.max {
			b.dropPoses()
		}
		switch {
		case len(b.waiting) < b.max:
			b.waiting = append(b.waiting, in[i])
		case in[i].Kind == stream.InputPose:
			b.lost.poses++
		default:
			b.lost.refused++
		}
	}
}

// dropPoses removes the oldest poses until a quarter of the room is free, or there are none, so that
// a flood does not pay for this at every input.
func (b *inbox) dropPoses() {
	excess := len(b.waiting) - b.max*3/4
	kept := b.waiting[:0]
	for _, x := range b.waiting {
		if excess > 0 && x.Kind == stream.InputPose {
			excess--
			b.lost.poses++
			continue
		}
		kept = append(kept, x)
	}
	clear(b.waiting[len(kept):])
	b.waiting = kept
}

// take returns what waits and what was lost since the last call. spare becomes the new,
// empty list: the caller passes what it got before, when it is done with it.
func (b *inbox) take(spare []stream.Input) ([]stream.Input, inboxLoss) {
	clear(spare) // lets go of payloads
	b.mu.Lock()
	defer b.mu.Unlock()
	in, lost := b.waiting, b.lost
	b.waiting, b.lost = spare[:0], inboxLoss{}
	return in, lost
}

// empty drops everything: inputs for an owner that is no more.
func (b *inbox) empty() {
	b.take(nil)
}
