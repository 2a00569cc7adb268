//go:build wasip1

// Who gets an object: the first request in the order that the host gives them, if it is within reach and nobody else holds
// the object.
//
// Setting: reach_m, metres from hand to object, default 0.6.
package main

import (
	"errors"
	"math"

	rule "github.com/venued/venued/sdk/rules/go"
)

var (
	reach uint32            // lattice steps
	held  map[uint64]uint64 // who holds what after the events so far of a batch
)

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	r := settings.Fixed("reach_m", 614) // 0.6 m
	if r < 0 || r > math.MaxUint32 {
		return errors.New("reach_m must be 0 or more")
	}
	reach, held = uint32(r), map[uint64]uint64{}
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	clear(held)
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Grab:
			grab(&e, out)
		case rule.Release:
			release(&e, out)
		case rule.Dropped:
			// The host took it out of the hand already: it is free for the requests after this.
			held[e.Object] = 0
		}
	}
}

func grab(e *rule.Event, out *rule.Commands) {
	if e.Dist > reach {
		out.Deny(e, rule.DenyReach, "")
		return
	}
	holder, known := held[e.Object]
	if !known {
		holder = e.Holder
	}
	// Who holds it may take it into the other hand.
	if holder != 0 && holder != e.Subject {
		out.Deny(e, rule.DenyHeld, "")
		return
	}
	held[e.Object] = e.Subject
	out.Grant(e)
}

func release(e *rule.Event, out *rule.Commands) {
	// The host lets only the holder ask, but an earlier event of this batch may have changed that.
	if holder, known := held[e.Object]; known && holder != e.Subject {
		out.Deny(e, rule.DenyNotHeld, "")
		return
	}
	held[e.Object] = 0
	out.Release(e)
}
