package rules_test

import (
	rule "github.com/venued/venued/sdk/rules/go"
)

// hallKit is the rules of the hall as a designer writes them with the Go kit, run natively.
type hallKit struct {
	held  map[uint64]uint64
	zones []zoneDeeds
	grabs rule.Commands
	doors rule.Commands
}

func newHallKit() *hallKit { return &hallKit{held: map[uint64]uint64{}} }

func (k *hallKit) grab(raw []byte) []byte {
	batch, out := rule.NewBatch(raw), &k.grabs
	out.Reset()
	clear(k.held)
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); e.Kind {
		case rule.Grab:
			k.request(&e, out)
		case rule.Release:
			if holder, known := k.held[e.Object]; known && holder != e.Subject {
				out.Deny(&e, rule.DenyNotHeld, "")
				continue
			}
			k.held[e.Object] = 0
			out.Release(&e)
		case rule.Dropped:
			k.held[e.Object] = 0
		}
	}
	return out.Bytes()
}

func (k *hallKit) request(e *rule.Event, out *rule.Commands) {
	if e.Dist > hallReach {
		out.Deny(e, rule.DenyReach, "")
		return
	}
	holder, known := k.held[e.Object]
	if !known {
		holder = e.Holder
	}
	if holder != 0 && holder != e.Subject {
		out.Deny(e, rule.DenyHeld, "")
		return
	}
	k.held[e.Object] = e.Subject
	out.Grant(e)
}

func (k *hallKit) at(zone, door uint64) *zoneDeeds {
	for i := range k.zones {
		if z := &k.zones[i]; z.zone == zone && z.door == door {
			return z
		}
	}
	k.zones = append(k.zones, zoneDeeds{zone: zone, door: door})
	return &k.zones[len(k.zones)-1]
}

func (k *hallKit) door(raw []byte) []byte {
	batch, out := rule.NewBatch(raw), &k.doors
	out.Reset()
	k.zones = k.zones[:0]
	var e rule.Event
	for i := range batch.Len() {
		switch batch.Event(i, &e); {
		case e.Kind == rule.Enter && e.Aux != 0:
			k.at(e.Object, e.Aux).entered = true
		case e.Kind == rule.Exit && e.Aux != 0 && e.Value == 0:
			k.at(e.Object, e.Aux).emptied = true
		case e.Kind == rule.Timer && e.Scope == rule.Zone && e.Count == 0:
			k.at(e.Subject, e.Value).due = true
		}
	}
	var row rule.Row
	for _, z := range k.zones {
		if batch.Find(rule.RowDoor, z.door, &row) && row.Locked() {
			continue
		}
		if z.entered {
			out.Door(0, z.door, 1000)
		} else if z.due && !z.emptied {
			out.Door(0, z.door, 0)
		}
		if z.emptied {
			out.TimerStart(0, rule.Zone, z.zone, z.door, hallCloseUS)
		} else if z.entered {
			out.TimerCancel(rule.Zone, z.zone, z.door)
		}
	}
	return out.Bytes()
}
