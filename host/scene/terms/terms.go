// Package terms is what a rule hears, sees and may do in a venue: what its plugin's manifest asks for, as far as the venue's [[rule]] and
// settings let it.
//
//	manifest (events, views, commands, topics, limits) + [[rule]] (kinds, zones, topics, allow, settings) -> Terms
//
// Names become indices of the venue here, once, so that a tick only compares numbers. What does not fit together is an error that says
// which of the two to change.
package terms

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// Terms of a rule. They do not change.
type Terms struct {
	Plugin    string // name@version
	Events    abi.Mask
	Commands  abi.Mask
	Kinds     map[int]bool // kinds of objects that it decides
	Views     Views
	MaxState  int // bytes of its state in a region
	MaxTimers int // in a region

	manifest *abi.Manifest
	zones    map[int]bool
	topics   []string // nil: all
}

// Views is which rows a rule's batches have.
type Views struct {
	Objects Filter // by index of the venue's kinds
	Users   Filter // by index of the venue's zones: those who are in one
	Poses   Filter // as Users
	Doors   bool
	Zones   bool
	Hz      int // how often a second there are poses
}

// Filter is a set of indices, or all. The zero value is empty.
type Filter struct {
	All bool
	Of  []int // in order
}

// Some reports whether there is anything in the set.
func (f *Filter) Some() bool { return f.All || len(f.Of) > 0 }

// Has reports whether i is in the set.
func (f *Filter) Has(i int) bool {
	if f.All {
		return true
	}
	_, ok := slices.BinarySearch(f.Of, i)
	return ok
}

// HasAny reports whether one of the indices is in the set; with all, whatever they are.
func (f *Filter) HasAny(list []int) bool {
	return f.All || slices.ContainsFunc(list, f.Has)
}

func (f *Filter) add(i int) {
	if at, there := slices.BinarySearch(f.Of, i); !there {
		f.Of = slices.Insert(f.Of, at, i)
	}
}

// Of returns the terms of a rule (index of v.Rules) with a plugin. The error names the rule and what to change.
func Of(v *venues.Venue, rule int, m *abi.Manifest) (*Terms, error) {
	r := &v.Rules[rule]
	t := &Terms{
		Plugin: m.Name + "@" + m.Version, Events: m.EventMask(), Commands: m.CommandMask(), Kinds: r.Kinds, zones: r.Zones, manifest: m,
		MaxState: cmp.Or(m.StateBytes, abi.MaxState), MaxTimers: cmp.Or(m.Timers, abi.MaxTimers), topics: r.TakenTopics(m),
	}
	for _, check := range []func(*Terms, *venues.Venue, *venues.CompiledRule) error{checkAllow, checkTopics, resolveViews} {
		if err := check(t, v, r); err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
	}
	return t, nil
}

func checkAllow(t *Terms, _ *venues.Venue, r *venues.CompiledRule) error {
	if r.Allow == nil {
		return nil
	}
	var more []string
	for _, name := range t.manifest.Commands {
		if !slices.Contains(r.Allow, name) {
			more = append(more, name)
		}
	}
	if len(more) == 0 {
		return nil
	}
	return fmt.Errorf("plugin %s wants commands that the venue does not allow it: %s; add them to allow of its [[rule]], or use a plugin that does without",
		t.Plugin, strings.Join(more, ", "))
}

func checkTopics(t *Terms, _ *venues.Venue, r *venues.CompiledRule) error {
	if r.Topics == nil {
		return nil
	}
	for _, topic := range r.Topics {
		switch {
		case t.manifest.TakesTopic(topic):
		case !t.Events.Has(uint16(abi.EventMessage)):
			return fmt.Errorf("topics are named, but plugin %s takes no messages: remove topics from its [[rule]]", t.Plugin)
		default:
			return fmt.Errorf("topic %q is not one that plugin %s takes: %s", topic, t.Plugin, strict.DidYouMean(topic, t.manifest.Topics))
		}
	}
	return nil
}

// resolveViews finds the kinds and zones that views name, by themselves or through a setting.
func resolveViews(t *Terms, v *venues.Venue, r *venues.CompiledRule) error {
	settings, err := abi.Settings(r.Settings)
	if err != nil {
		return err
	}
	for _, raw := range t.manifest.Views {
		view, err := raw.Resolve(settings)
		if err != nil {
			return err
		}
		switch abi.ViewNames[view.Rows] {
		case abi.RowObject:
			err = t.Views.Objects.narrow("kind", raw.Kind, view.Kind, len(v.Kinds), func(i int) string { return v.Kinds[i].Name })
		case abi.RowUser:
			err = t.Views.Users.narrow("zone", raw.Zone, view.Zone, len(v.Zones), func(i int) string { return v.Zones[i].Name })
		case abi.RowPose:
			t.Views.Hz = view.Hz
			err = t.Views.Poses.narrow("zone", raw.Zone, view.Zone, len(v.Zones), func(i int) string { return v.Zones[i].Name })
		case abi.RowDoor:
			t.Views.Doors = true
		case abi.RowZone:
			t.Views.Zones = true
		}
		if err != nil {
			return fmt.Errorf("view of %s: %w", view.Rows, err)
		}
	}
	return nil
}

// narrow adds what a view asks for: all, or the one of a name. raw is what stands in the manifest.
func (f *Filter) narrow(what, raw, name string, n int, nameOf func(int) string) error {
	if name == "" {
		f.All = true
		return nil
	}
	known := make([]string, n)
	for i := range known {
		if known[i] = nameOf(i); known[i] == name {
			f.add(i)
			return nil
		}
	}
	from := ""
	if setting, ok := strings.CutPrefix(raw, "$"); ok {
		from = fmt.Sprintf(", as the setting %q says", setting)
	}
	hint := strict.DidYouMean(name, known)
	if hint == "" {
		hint = "the venue has no " + what
	}
	return fmt.Errorf("no %s is called %q%s: %s", what, name, from, hint)
}

// HearsZone reports whether the rule hears who enters and leaves a zone (index of the venue's).
func (t *Terms) HearsZone(zone int) bool { return t.zones[zone] }

// Takes reports whether the rule takes clients' messages of a topic.
func (t *Terms) Takes(topic string) bool {
	return t.Events.Has(uint16(abi.EventMessage)) && (t.topics == nil || slices.Contains(t.topics, topic))
}

// Declares reports whether the plugin may use a key.
func (t *Terms) Declares(scope abi.Scope, key string) bool {
	_, ok := t.manifest.StateKey(scope, key)
	return ok
}

// PosesDue reports whether a tick's batch has poses, the phase (any number) spreading rules over the ticks.
func (t *Terms) PosesDue(tick, phase uint64, tickHz int) bool {
	hz, ticks := uint64(t.Views.Hz), uint64(tickHz)
	if hz >= ticks {
		return hz > 0
	}
	at := tick + phase%ticks
	return hz > 0 && at*hz/ticks != (at-1)*hz/ticks
}

// Rows is the most rows that one batch has of a region.
func (t *Terms) Rows(v *venues.Venue, region int) int {
	n := 0
	if t.Views.Users.Some() {
		n += v.Limits.Users
	}
	if t.Views.Poses.Some() {
		n += 3 * v.Limits.Users
	}
	for i := range v.Zones {
		if t.Views.Zones && v.Zones[i].Region == region {
			n++
		}
	}
	for i := range v.Objects {
		if o := &v.Objects[i]; o.Region == region && t.Views.Objects.Has(o.Kind) {
			n++
		}
	}
	for i := range v.Doors {
		if t.Views.Doors && v.Doors[i].Region == region {
			n++
		}
	}
	return n
}
