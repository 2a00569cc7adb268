package crowd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// means is how an action is brought about in a venue.
type means struct {
	zones []zone          // step into one of these,
	use   map[string]bool // or use an object of one of these names,
	topic string          // or send a message
	data  json.RawMessage
}

// zone is a trigger zone, and the door that hangs on it.
type zone struct {
	name, door string
	floor      *venues.FloorDescription
	min, max   [2]float64
}

// Fit checks that a venue has means for every action of a plan, and returns the plan for it: of a plan that leaves the mix open, what the venue
// has no means for is left out. The error is plan.Problems.
func Fit(p *plan.Plan, d *venues.Description) (*plan.Plan, error) {
	fitted := *p
	fitted.Actions = nil
	var bad plan.Problems
	for i := range p.Actions {
		a := &p.Actions[i]
		_, why := meansOf(a, d)
		switch {
		case why == "":
			fitted.Actions = append(fitted.Actions, *a)
		case !p.AnyMix:
			bad = append(bad, plan.Problem{Path: fmt.Sprintf("load.action[%d]", i), Msg: a.Kind + ": " + why, Hint: "leave the action out, or choose what the venue has"})
		}
	}
	switch {
	case len(bad) > 0:
		return nil, bad
	case len(fitted.Actions) == 0:
		return nil, plan.Problems{{Path: "load.action", Msg: fmt.Sprintf("nothing can be done in the venue %s", d.ID), Hint: "give actions that it has means for"}}
	}
	return &fitted, nil
}

// allMeans are those of a plan's actions, by kind.
func allMeans(p *plan.Plan, d *venues.Description) (map[string]*means, error) {
	out := map[string]*means{}
	for i := range p.Actions {
		m, why := meansOf(&p.Actions[i], d)
		if why != "" {
			return nil, fmt.Errorf("load.action[%d]: %s: %s", i, p.Actions[i].Kind, why)
		}
		out[p.Actions[i].Kind] = m
	}
	return out, nil
}

// meansOf returns how an action is brought about, or why it cannot be.
func meansOf(a *plan.Action, d *venues.Description) (m *means, why string) {
	m = &means{topic: a.Topic, data: json.RawMessage(a.Data)}
	switch {
	case a.Kind == plan.Grab || a.Kind == plan.Release:
		if len(grabbable(d)) == 0 {
			return nil, fmt.Sprintf("the venue %s has nothing that can be taken", d.ID)
		}
	case a.Topic != "":
	case a.Zone != "":
		m.zones = zones(d, func(z *venues.AreaDescription) bool { return z.Name == a.Zone })
		if len(m.zones) == 0 {
			return nil, fmt.Sprintf("the venue %s has no zone %q: it has %s", d.ID, a.Zone, names(d.Zones, func(z *venues.AreaDescription) string { return z.Name }))
		}
	case a.Use != "" || a.Kind == plan.Rule:
		m.use = usable(d, a.Use)
		if len(m.use) == 0 && a.Use != "" {
			return nil, fmt.Sprintf("the venue %s has no object of the name or kind %q that can be used", d.ID, a.Use)
		}
		if len(m.use) == 0 {
			return nil, fmt.Sprintf("the venue %s has nothing that can be used, and the plan names no topic", d.ID)
		}
	case a.Kind == plan.Door:
		m.zones = zones(d, func(z *venues.AreaDescription) bool { return z.Door != "" })
		if len(m.zones) == 0 {
			return nil, fmt.Sprintf("the venue %s has no door that opens by a zone", d.ID)
		}
	}
	return m, ""
}

func zones(d *venues.Description, want func(*venues.AreaDescription) bool) (out []zone) {
	for i := range d.Zones {
		z := &d.Zones[i]
		for j := range d.Floors {
			if f := &d.Floors[j]; f.Name == z.Floor && want(z) {
				out = append(out, zone{z.Name, z.Door, f, z.Min, z.Max})
			}
		}
	}
	return out
}

// grabbable returns the names of what can be taken.
func grabbable(d *venues.Description) map[string]bool {
	return things(d, func(k *venues.KindDescription, _ *venues.ObjectDescription) bool { return k.Grabbable })
}

// usable returns the names of what can be used and has a name or kind, "" for any.
func usable(d *venues.Description, name string) map[string]bool {
	return things(d, func(k *venues.KindDescription, o *venues.ObjectDescription) bool {
		return k.Usable && (name == "" || o.Name == name || o.Kind == name)
	})
}

func things(d *venues.Description, want func(*venues.KindDescription, *venues.ObjectDescription) bool) map[string]bool {
	out := map[string]bool{}
	for i := range d.Objects {
		o := &d.Objects[i]
		if k := slices.IndexFunc(d.Kinds, func(k venues.KindDescription) bool { return k.Name == o.Kind }); k >= 0 && want(&d.Kinds[k], o) {
			out[o.Name] = true
		}
	}
	return out
}

func homes(d *venues.Description) map[string]vec {
	out := map[string]vec{}
	for _, o := range d.Objects {
		out[o.Name] = o.At
	}
	return out
}

func names[T any](list []T, name func(*T) string) string {
	if len(list) == 0 {
		return "none"
	}
	var out []string
	for i := range list {
		out = append(out, name(&list[i]))
	}
	return strings.Join(out, ", ")
}
