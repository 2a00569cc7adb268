//go:build wasip1

// Doors that open for whoever steps into their zone, and close some time after the last one left it. Locked doors
// stay as they are.
//
// Setting: close_after_s, seconds, default 2.
package main

import (
	"errors"

	rule "github.com/venued/venued/sdk/rules/go"
)

const (
	open   = 1000
	closed = 0
)

// maxZones that a batch may touch: two commands each stay within the limit of a call.
const maxZones = rule.MaxCommands / 2

// place is a zone and the door tied to it.
type place struct{ zone, door uint64 }

// change is what a batch means for a place.
type change struct {
	place
	entered bool
	emptied bool // somebody left and nobody is in it now
	due     bool // its closing time came and nobody is in it
}

var (
	closeAfterUS uint64
	changes      []change      // in the order of their first events
	index        map[place]int // in changes
)

func main() {}

func init() { rule.Handle(start, tick) }

func start(settings *rule.Init) error {
	seconds := settings.Fixed("close_after_s", 2*1024)
	if seconds < 0 || seconds > 86400*1024 {
		return errors.New("close_after_s must be between 0 and 86400")
	}
	closeAfterUS, index = uint64(seconds)*1_000_000/1024, map[place]int{}
	return nil
}

func tick(batch *rule.Batch, out *rule.Commands) {
	changes = changes[:0]
	clear(index)
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); {
		case e.Kind == rule.Enter && e.Aux != 0:
			at(e.Object, e.Aux).entered = true
		case e.Kind == rule.Exit && e.Aux != 0 && e.Value == 0:
			at(e.Object, e.Aux).emptied = true
		case e.Kind == rule.Timer && e.Scope == rule.Zone && e.Count == 0:
			// The timer's id is the door, so that it is known without another look.
			at(e.Subject, e.Value).due = true
		}
	}
	var row rule.Row
	for _, c := range changes {
		if batch.Find(rule.RowDoor, c.door, &row) && row.Locked() {
			continue
		}
		if c.entered {
			out.Door(0, c.door, open)
		} else if c.due && !c.emptied {
			out.Door(0, c.door, closed)
		}
		if c.emptied {
			out.TimerStart(0, rule.Zone, c.zone, c.door, closeAfterUS)
		} else if c.entered {
			out.TimerCancel(rule.Zone, c.zone, c.door)
		}
	}
}

// at returns what this batch means for a zone so far.
func at(zone, door uint64) *change {
	p := place{zone, door}
	i, ok := index[p]
	if !ok {
		rule.Assert(len(changes) < maxZones, "no more zones than a call may answer")
		i = len(changes)
		changes, index[p] = append(changes, change{place: p}), i
	}
	return &changes[i]
}
