package saved

import (
	"cmp"
	"slices"

	"github.com/venued/venued/host/stream"
)

// State is the fold of all log records: the state that outlives the region.
// Only Apply changes it.
type State struct {
	Tick    uint64
	LastID  uint64
	EventN  uint64
	Users   map[uint64]User   // by session
	Left    []Leave           // in order of Tick
	Moved   []Move            // in order of Tick
	Lent    map[string]string // objects of the manifest that are in other regions, by name: the first such region
	Objects map[uint64]Object
	Doors   map[uint64]Door
	keys    map[string]*Keyspace // by rule
	Gone    []Departure          // people with keys who are not here, the one longest gone first
	Timers  map[TimerName]Due
	Windows map[uint64]Window
	Waiting []Input
	Events  []stream.Event                // the ring, in order of N
	ScoreN  uint64                        // number of the newest score
	Signals []Signal                      // that wait for the next tick, in order
	Sent    []Sent                        // messages to other regions that are not acknowledged, in order
	SentTo  map[string]stream.RegionPoint // the newest message to each region
	Heard   map[string]stream.RegionPoint // of each region's messages
	forks   map[string]*Forked
	Schemas map[string]int // of rules' state
}

// Due is when a timer fires, and whose doing it is that it runs.
type Due struct {
	US    uint64
	Cause Person
}

// Forked is a copy of a rule's state. It must not be changed.
type Forked struct {
	Schema int
	Ticks  uint64 // for how long it is kept after a start; 0 was written by an older build
	Until  uint64 // tick from which it goes when nobody watches the new module
	Keys   *Keyspace
	Timers []Timer
}

// Departure is a person who left, and when.
type Departure struct {
	Who  Person
	Tick uint64
}

// New returns the state before the first record.
func New() *State {
	return &State{
		Users:   map[uint64]User{},
		Objects: map[uint64]Object{},
		Doors:   map[uint64]Door{},
		keys:    map[string]*Keyspace{},
		Timers:  map[TimerName]Due{},
		Windows: map[uint64]Window{},
		SentTo:  map[string]stream.RegionPoint{},
		Heard:   map[string]stream.RegionPoint{},
		forks:   map[string]*Forked{},
		Lent:    map[string]string{},
		Schemas: map[string]int{},
	}
}

// Apply takes one record into the state. tickHz is the venue's.
func (d *State) Apply(rec *Record, tickHz int) {
	d.Tick, d.LastID, d.EventN = rec.Tick, rec.LastID, rec.EventN
	for _, u := range rec.Users {
		d.Users[u.Session] = u
	}
	for _, l := range rec.Left {
		delete(d.Users, l.Session)
		d.Left = append(d.Left, l)
	}
	for _, m := range rec.Moved {
		delete(d.Users, m.Session)
		d.Moved = append(d.Moved, m)
	}
	for _, l := range rec.Lent {
		if l.To == "" {
			delete(d.Lent, l.Name)
		} else {
			d.Lent[l.Name] = l.To
		}
	}
	for _, f := range rec.Forks {
		d.fork(f, rec.Tick)
	}
	for _, k := range rec.Keys {
		d.Keyspace(k.Rule).set(k.Name(), k.Value, cmp.Or(k.Tick, rec.Tick), k.Deleted)
	}
	d.trackGone(rec)
	for _, o := range rec.Objects {
		d.Objects[o.ID] = o
	}
	for _, o := range rec.Doors {
		d.Doors[o.ID] = o
	}
	for _, id := range rec.Removed {
		delete(d.Objects, id)
		delete(d.Doors, id)
	}
	for _, t := range rec.Timers {
		key := t.Name()
		if t.Off {
			delete(d.Timers, key)
		} else {
			d.Timers[key] = Due{t.DueUS, t.Cause}
		}
	}
	for _, w := range rec.Windows {
		if len(w.Requests) == 0 {
			delete(d.Windows, w.Object)
		} else {
			d.Windows[w.Object] = w
		}
	}
	if rec.Waiting != nil {
		d.Waiting = *rec.Waiting
	}
	if rec.Signals != nil {
		d.Signals = *rec.Signals
	}
	for _, p := range rec.Acked {
		d.Sent = slices.DeleteFunc(d.Sent, func(s Sent) bool { return s.Message.To == p.Region && !p.At.Before(s.Message.At) })
	}
	for _, s := range rec.Sent {
		d.Sent = append(d.Sent, s)
		d.SentTo[s.Message.To] = s.Message.At
	}
	for _, p := range rec.Heard {
		d.Heard[p.Region] = p.At
	}
	for _, s := range rec.Schemas {
		d.Schemas[s.Rule] = s.Schema
	}
	if n := len(rec.Scores); n > 0 {
		d.ScoreN = rec.Scores[n-1].N
	}
	// Old entries go only when a record comes, so that the fold depends on nothing but records. Who
	// reads them looks at their ticks.
	d.Events = dropOld(append(d.Events, rec.Events...), func(e *stream.Event) uint64 { return e.Tick },
		rec.Tick, RingTicks(tickHz))
	d.Moved = dropOld(d.Moved, func(m *Move) uint64 { return m.Tick }, rec.Tick, EndedTicks(tickHz))
	d.Left = dropOld(d.Left, func(l *Leave) uint64 { return l.Tick }, rec.Tick, EndedTicks(tickHz))
}

// trackGone keeps the list of absent people with keys, after the keys of rec were applied.
func (d *State) trackGone(rec *Record) {
	if len(rec.Users)+len(rec.Left)+len(rec.Keys)+len(rec.Forks) == 0 {
		return
	}
	if len(rec.Left) > 0 {
		back := make(map[Person]bool, len(rec.Left))
		for _, l := range rec.Left {
			back[Person{l.User, l.Load}] = true
		}
		d.Gone = slices.DeleteFunc(d.Gone, func(g Departure) bool { return back[g.Who] })
		for _, l := range rec.Left {
			d.Gone = append(d.Gone, Departure{Person{l.User, l.Load}, l.Tick})
		}
	}
	if len(d.Gone) == 0 {
		return
	}
	here := make(map[Person]bool, len(rec.Users))
	for _, u := range rec.Users {
		here[Person{u.User, u.Load}] = true
	}
	d.Gone = slices.DeleteFunc(d.Gone, func(g Departure) bool {
		if here[g.Who] {
			return true
		}
		for _, ks := range d.keys {
			if len(ks.byUser[g.Who]) > 0 {
				return false
			}
		}
		return true
	})
}

// HasLeft reports whether a person with keys left from here.
func (d *State) HasLeft(who Person) bool {
	return slices.ContainsFunc(d.Gone, func(g Departure) bool { return g.Who == who })
}

// dropOld removes the leading entries that are more than keep ticks older than now.
func dropOld[T any](list []T, tick func(*T) uint64, now, keep uint64) []T {
	n := 0
	for n < len(list) && tick(&list[n])+keep < now {
		n++
	}
	if n == 0 {
		return list
	}
	return append(list[:0], list[n:]...)
}

// RingTicks is how long events are kept for a client that resumes: two seconds.
func RingTicks(tickHz int) uint64 { return 2 * uint64(tickHz) }

// EndedTicks is how long an ended session is remembered: a minute.
func EndedTicks(tickHz int) uint64 { return 60 * uint64(tickHz) }
