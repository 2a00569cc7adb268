package saved

import (
	"cmp"
	"maps"
	"slices"
)

// Fork returns the copy of a rule's state, nil for none.
func (d *State) Fork(rule string) *Forked { return d.forks[rule] }

// fork applies one step of a fork's life. One that is not there is left alone.
func (d *State) fork(f Fork, tick uint64) {
	old := d.forks[f.Rule]
	switch {
	case f.Op == ForkKeep:
		d.forks[f.Rule] = &Forked{
			Schema: f.Schema, Ticks: f.Ticks, Until: f.Until, Keys: d.Keyspace(f.Rule).clone(), Timers: d.TimersOf(f.Rule),
		}
	case old == nil:
	case f.Op == ForkDrop:
		delete(d.forks, f.Rule)
	case f.Op == ForkWait:
		next := *old
		next.Until = f.Until
		d.forks[f.Rule] = &next
	case f.Op == ForkBack:
		d.keys[f.Rule] = old.Keys.clone()
		for k := range d.Timers {
			if k.Rule == f.Rule {
				delete(d.Timers, k)
			}
		}
		for _, t := range old.Timers {
			d.Timers[t.Name()] = Due{t.DueUS, t.Cause}
		}
		d.Schemas[f.Rule] = old.Schema
		delete(d.forks, f.Rule)
		d.returned(old.Keys, tick)
	}
}

// returned lists people who are not here, and who have keys again, among those who are gone.
func (d *State) returned(ks *Keyspace, tick uint64) {
	known := make(map[Person]bool, len(d.Users)+len(d.Gone))
	for _, u := range d.Users {
		known[Person{u.User, u.Load}] = true
	}
	for _, g := range d.Gone {
		known[g.Who] = true
	}
	var back []Person
	for who := range ks.byUser {
		if !known[who] {
			back = append(back, who)
		}
	}
	slices.SortFunc(back, func(a, b Person) int { return cmp.Or(cmp.Compare(a.User, b.User), compareBool(a.Load, b.Load)) })
	for _, who := range back {
		d.Gone = append(d.Gone, Departure{who, tick})
	}
}

// clone copies the keyspace; values, which nobody changes, are shared.
func (ks *Keyspace) clone() *Keyspace {
	out := &Keyspace{vals: maps.Clone(ks.vals), byUser: make(map[Person]map[string]bool, len(ks.byUser)), size: ks.size, sum: ks.sum}
	for who, keys := range ks.byUser {
		out.byUser[who] = maps.Clone(keys)
	}
	return out
}

// TimersOf returns a rule's timers as they fire.
func (d *State) TimersOf(rule string) []Timer {
	return slices.DeleteFunc(d.TimersInOrder(), func(t Timer) bool { return t.Rule != rule })
}
