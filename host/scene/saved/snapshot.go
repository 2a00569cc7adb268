package saved

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/venued/venued/host/stream"
)

// Format is the version of the bytes that Encode writes. Decode reads those since OldestFormat: format 1 has
// nothing of scores, signals, other regions and forks, formats 1 and 2 nothing of hand-overs.
const (
	Format       = 3
	OldestFormat = 1
)

// File is the layout of a snapshot.
type File struct {
	Format  int            `json:"format"`
	Venue   string         `json:"venue"`
	Region  string         `json:"region"`
	Tick    uint64         `json:"tick"`
	LastID  uint64         `json:"last_id"`
	EventN  uint64         `json:"event_n"`
	Users   []User         `json:"users"`
	Left    []Leave        `json:"left"`
	Moved   []Move         `json:"moved"`
	Lent    []Lent         `json:"lent"`
	Objects []Object       `json:"objects"`
	Doors   []Door         `json:"doors"`
	Keys    []Key          `json:"keys"`
	Gone    []Leave        `json:"gone"` // people with keys who are not here
	Timers  []Timer        `json:"timers"`
	Windows []Window       `json:"windows"`
	Waiting []Input        `json:"waiting"`
	Events  []stream.Event `json:"events"`
	ScoreN  uint64         `json:"score_n"`
	Signals []Signal       `json:"signals"`
	Sent    []Sent         `json:"sent"`
	SentTo  []Place        `json:"sent_to"` // the newest message to each region
	Heard   []Place        `json:"heard"`
	Forks   []ForkedFile   `json:"forks"`
	Schemas []Schema       `json:"schemas"`
}

// ForkedFile is a Forked in a snapshot.
type ForkedFile struct {
	Rule   string  `json:"rule"`
	Schema int     `json:"schema"`
	Ticks  uint64  `json:"ticks,omitempty"`
	Until  uint64  `json:"until,omitempty"`
	Keys   []Key   `json:"keys"`
	Timers []Timer `json:"timers"`
}

// Encode writes the state: equal states give equal bytes.
func (d *State) Encode(venue, region string) ([]byte, error) {
	f := File{
		Format: Format, Venue: venue, Region: region, Tick: d.Tick, LastID: d.LastID, EventN: d.EventN,
		Left: d.Left, Waiting: d.Waiting, Events: d.Events, ScoreN: d.ScoreN, Signals: d.Signals, Sent: d.Sent,
		Users:   Sorted(d.Users, func(u User) uint64 { return u.Session }),
		Objects: Sorted(d.Objects, func(o Object) uint64 { return o.ID }),
		Doors:   Sorted(d.Doors, func(o Door) uint64 { return o.ID }),
		Windows: Sorted(d.Windows, func(w Window) uint64 { return w.Object }),
	}
	for rule, ks := range d.keys {
		f.Keys = ks.list(f.Keys, rule)
	}
	sortKeys(f.Keys)
	for rule, fork := range d.forks {
		out := ForkedFile{
			Rule: rule, Schema: fork.Schema, Ticks: fork.Ticks, Until: fork.Until,
			Keys: listed(fork.Keys.list(nil, rule)), Timers: listed(fork.Timers),
		}
		sortKeys(out.Keys)
		f.Forks = append(f.Forks, out)
	}
	slices.SortFunc(f.Forks, func(a, b ForkedFile) int { return cmp.Compare(a.Rule, b.Rule) })
	f.SentTo, f.Heard = places(d.SentTo), places(d.Heard)
	for rule, n := range d.Schemas {
		f.Schemas = append(f.Schemas, Schema{rule, n})
	}
	for name, to := range d.Lent {
		f.Lent = append(f.Lent, Lent{name, to})
	}
	slices.SortFunc(f.Lent, func(a, b Lent) int { return cmp.Compare(a.Name, b.Name) })
	f.Moved, f.Lent = listed(d.Moved), listed(f.Lent)
	slices.SortFunc(f.Schemas, func(a, b Schema) int { return cmp.Compare(a.Rule, b.Rule) })
	for _, g := range d.Gone {
		f.Gone = append(f.Gone, Leave{User: g.Who.User, Load: g.Who.Load, Tick: g.Tick})
	}
	for k, due := range d.Timers {
		f.Timers = append(f.Timers, k.timer(due))
	}
	slices.SortFunc(f.Timers, func(a, b Timer) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), CompareTimers(a, b)) })
	// No difference between no list and an empty one.
	f.Left, f.Waiting, f.Events = listed(f.Left), listed(f.Waiting), listed(f.Events)
	f.Keys, f.Gone, f.Timers = listed(f.Keys), listed(f.Gone), listed(f.Timers)
	f.Signals, f.Sent, f.Forks, f.Schemas = listed(f.Signals), listed(f.Sent), listed(f.Forks), listed(f.Schemas)
	out, err := json.Marshal(&f)
	if err != nil {
		return nil, fmt.Errorf("snapshot of region %s: %w", region, err)
	}
	return out, nil
}

// list appends the keys as a snapshot has them, in no order.
func (ks *Keyspace) list(out []Key, rule string) []Key {
	for k, v := range ks.vals {
		out = append(out, Key{
			Rule: rule, Scope: k.Scope, Subject: k.Subject, Zone: k.Zone, User: k.Who.User, Load: k.Who.Load, Key: []byte(k.Key), Value: v.value, Tick: v.tick,
		})
	}
	return out
}

func sortKeys(keys []Key) {
	slices.SortFunc(keys, func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.User, b.User), compareBool(a.Load, b.Load), bytes.Compare(a.Key, b.Key))
	})
}

// places lists places by region.
func places(m map[string]stream.RegionPoint) []Place {
	out := make([]Place, 0, len(m))
	for region, at := range m {
		out = append(out, Place{region, at})
	}
	slices.SortFunc(out, func(a, b Place) int { return cmp.Compare(a.Region, b.Region) })
	return out
}

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Sorted returns the values of m in ascending order of key.
func Sorted[V any](m map[uint64]V, key func(V) uint64) []V {
	out := make([]V, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b V) int { return cmp.Compare(key(a), key(b)) })
	return out
}

// Decode reads what Encode wrote. What the values mean is checked when the region is built.
func Decode(b []byte, venue, region string) (*State, error) {
	var f File
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("snapshot of region %s: not readable: %w", region, err)
	}
	if f.Format < OldestFormat || f.Format > Format {
		return nil, fmt.Errorf("snapshot of region %s: format %d, this build reads %d to %d: start the build that wrote it, or remove the snapshot",
			region, f.Format, OldestFormat, Format)
	}
	if f.Venue != venue || f.Region != region {
		return nil, fmt.Errorf("snapshot is of venue %q region %q, wanted venue %q region %q", f.Venue, f.Region, venue, region)
	}
	d := New()
	d.Tick, d.LastID, d.EventN = f.Tick, f.LastID, f.EventN
	d.Left, d.Waiting, d.Events = f.Left, f.Waiting, f.Events
	d.Moved = f.Moved
	d.ScoreN, d.Signals, d.Sent = f.ScoreN, f.Signals, f.Sent
	for _, p := range f.SentTo {
		d.SentTo[p.Region] = p.At
	}
	for _, fork := range f.Forks {
		ks := newKeyspace()
		for _, k := range fork.Keys {
			ks.set(k.Name(), k.Value, k.Tick, false)
		}
		d.forks[fork.Rule] = &Forked{Schema: fork.Schema, Ticks: fork.Ticks, Until: fork.Until, Keys: ks, Timers: fork.Timers}
	}
	rec := Record{Tick: f.Tick, LastID: f.LastID, EventN: f.EventN, Users: f.Users, Objects: f.Objects,
		Doors: f.Doors, Keys: f.Keys, Timers: f.Timers, Windows: f.Windows, Heard: f.Heard, Schemas: f.Schemas, Lent: f.Lent}
	for _, list := range []struct {
		what      string
		got, want int
	}{
		{"users", countUnique(f.Users, func(u User) uint64 { return u.Session }), len(f.Users)},
		{"objects", countUnique(f.Objects, func(o Object) uint64 { return o.ID }), len(f.Objects)},
		{"doors", countUnique(f.Doors, func(o Door) uint64 { return o.ID }), len(f.Doors)},
		{"windows", countUnique(f.Windows, func(w Window) uint64 { return w.Object }), len(f.Windows)},
	} {
		if list.got != list.want {
			return nil, fmt.Errorf("snapshot of region %s: %s: an id appears twice", region, list.what)
		}
	}
	for _, g := range f.Gone {
		d.Gone = append(d.Gone, Departure{Person{g.User, g.Load}, g.Tick})
	}
	d.Apply(&rec, 1<<30) // keeps every event and ended session: encode wrote only those to keep
	return d, nil
}

func countUnique[T any](list []T, key func(T) uint64) int {
	seen := make(map[uint64]bool, len(list))
	for _, v := range list {
		seen[key(v)] = true
	}
	return len(seen)
}
