package scene

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// snapshotFormat is the version of the bytes that Snapshot writes.
const snapshotFormat = 1

// LogRecord is what one tick changed in the durable state, as plain values: each list holds whole
// new values of what changed. Its JSON is deterministic. A region never touches a record again after
// it returned it, so another goroutine may encode it.
//
// State is the newest snapshot with the records after it applied in order of Tick.
type LogRecord struct {
	Tick    uint64         `json:"tick"`
	LastID  uint64         `json:"last_id"`           // newest entity id that was given out
	EventN  uint64         `json:"event_n"`           // number of the newest event
	Users   []SavedUser    `json:"users,omitempty"`   // new or changed
	Left    []SavedLeave   `json:"left,omitempty"`    // sessions that ended
	Objects []SavedObject  `json:"objects,omitempty"` // new or changed
	Doors   []SavedDoor    `json:"doors,omitempty"`   // new or changed
	Removed []uint64       `json:"removed,omitempty"` // objects and doors that the manifest no longer has
	Keys    []SavedKey     `json:"keys,omitempty"`    // written or deleted rule state
	Timers  []SavedTimer   `json:"timers,omitempty"`  // started or, when Off, fired and cancelled
	Windows []SavedWindow  `json:"windows,omitempty"` // grab windows; one without requests is closed
	Waiting *[]SavedInput  `json:"waiting,omitempty"` // the whole list, when it changed
	Events  []stream.Event `json:"events,omitempty"`  // of this tick
}

// SavedUser is a person's durable part. Body is where the person was when this was last written: poses
// alone never cause a write.
type SavedUser struct {
	Session  uint64       `json:"session"`
	ID       uint64       `json:"id"`
	User     string       `json:"user"`
	Name     string       `json:"name"`
	Load     bool         `json:"load,omitempty"`
	Body     lattice.Body `json:"body"`
	Floor    string       `json:"floor"` // name
	Cursor   uint32       `json:"cursor"`
	Away     bool         `json:"away,omitempty"`
	AwayTick uint64       `json:"away_tick,omitempty"`
	Zones    []string     `json:"zones,omitempty"` // names of the trigger zones that count the person
}

// SavedLeave is the end of a session. It is remembered for a minute, so that a
// late resend of its join does not bring it back.
type SavedLeave struct {
	Session uint64 `json:"session"`
	User    string `json:"user"`
	Load    bool   `json:"load,omitempty"`
	Reason  uint16 `json:"reason"` // close code
	Tick    uint64 `json:"tick"`
}

// SavedObject is an object's durable part. Pose of a held object is the one it had when this was
// last written.
type SavedObject struct {
	ID     uint64        `json:"id"`
	Name   string        `json:"name"` // of the manifest: what ties it to Venue.Objects
	Pose   lattice.Joint `json:"pose"`
	Value  uint32        `json:"value"`
	Holder uint64        `json:"holder,omitempty"` // entity id
	Hand   uint8         `json:"hand,omitempty"`
	Offset lattice.Joint `json:"offset"` // pose in the frame of the hand that holds it
}

// SavedDoor is a door's durable part: where its motion started and where to. Its position at a tick
// follows from that.
type SavedDoor struct {
	ID     uint64 `json:"id"`
	Name   string `json:"name"`
	From   uint32 `json:"from"`   // permille open at tick Since
	Target uint32 `json:"target"` // permille
	Since  uint64 `json:"since"`
	Locked bool   `json:"locked"`
}

// SavedKey is one key of a rule's state.
type SavedKey struct {
	Rule    string    `json:"rule"`
	Scope   abi.Scope `json:"scope"`
	Subject uint64    `json:"subject,omitempty"` // entity id of an object or door
	Zone    string    `json:"zone,omitempty"`    // name of a zone
	User    string    `json:"user,omitempty"`    // of a person
	Load    bool      `json:"load,omitempty"`
	Key     []byte    `json:"key"` // bytes: a plugin's keys need not be UTF-8
	Value   []byte    `json:"value,omitempty"`
	Deleted bool      `json:"deleted,omitempty"`
}

// SavedTimer is one timer of a rule.
type SavedTimer struct {
	Rule    string    `json:"rule"`
	Scope   abi.Scope `json:"scope"`
	Subject uint64    `json:"subject,omitempty"` // entity id of an object, door or person
	Zone    string    `json:"zone,omitempty"`    // name of a zone
	ID      int64     `json:"id"`
	DueUS   uint64    `json:"due_us"`
	Off     bool      `json:"off,omitempty"`
}

// SavedInput is a request that was taken (a cursor covers it) and is not decided yet.
type SavedInput struct {
	Kind    stream.InputKind `json:"kind"`
	Session uint64           `json:"session"`
	Seq     uint32           `json:"seq"`
	Stamp   int64            `json:"stamp"`
	Arrival int64            `json:"arrival"`
	Object  uint64           `json:"object"`
	Hand    uint8            `json:"hand"`
	HandAt  lattice.Joint    `json:"hand_at"`
	Dist    uint32           `json:"dist"` // steps, at the time it was taken
}

// SavedWindow is an open grab window.
type SavedWindow struct {
	Object   uint64       `json:"object"`
	Close    uint64       `json:"close"` // the first tick that decides it
	Requests []SavedInput `json:"requests,omitempty"`
}

// durable is the fold of all log records: the state that outlives the region.
// Only apply changes it.
type durable struct {
	tick    uint64
	lastID  uint64
	eventN  uint64
	users   map[uint64]SavedUser // by session
	left    []SavedLeave         // in order of Tick
	objects map[uint64]SavedObject
	doors   map[uint64]SavedDoor
	keys    map[string]*keyspace // by rule
	gone    []departure          // people with keys who are not here, the one longest gone first
	timers  map[timerKey]uint64  // due time
	windows map[uint64]SavedWindow
	waiting []SavedInput
	events  []stream.Event // the ring, in order of N
}

// departure is a person who left, and when.
type departure struct {
	who  person
	tick uint64
}

// timerKey names a timer of any rule.
type timerKey struct {
	rule    string
	scope   abi.Scope
	subject uint64
	zone    string
	id      int64
}

func newDurable() *durable {
	return &durable{
		users:   map[uint64]SavedUser{},
		objects: map[uint64]SavedObject{},
		doors:   map[uint64]SavedDoor{},
		keys:    map[string]*keyspace{},
		timers:  map[timerKey]uint64{},
		windows: map[uint64]SavedWindow{},
	}
}

// apply takes one record into the state. tickHz is the venue's.
func (d *durable) apply(rec *LogRecord, tickHz int) {
	d.tick, d.lastID, d.eventN = rec.Tick, rec.LastID, rec.EventN
	for _, u := range rec.Users {
		d.users[u.Session] = u
	}
	for _, l := range rec.Left {
		delete(d.users, l.Session)
		d.left = append(d.left, l)
	}
	for _, k := range rec.Keys {
		d.keyspace(k.Rule).set(stateKey{k.Scope, k.Subject, k.Zone, person{k.User, k.Load}, string(k.Key)}, k.Value, k.Deleted)
	}
	d.trackGone(rec)
	for _, o := range rec.Objects {
		d.objects[o.ID] = o
	}
	for _, o := range rec.Doors {
		d.doors[o.ID] = o
	}
	for _, id := range rec.Removed {
		delete(d.objects, id)
		delete(d.doors, id)
	}
	for _, t := range rec.Timers {
		key := t.key()
		if t.Off {
			delete(d.timers, key)
		} else {
			d.timers[key] = t.DueUS
		}
	}
	for _, w := range rec.Windows {
		if len(w.Requests) == 0 {
			delete(d.windows, w.Object)
		} else {
			d.windows[w.Object] = w
		}
	}
	if rec.Waiting != nil {
		d.waiting = *rec.Waiting
	}
	// Old entries go only when a record comes, so that the fold depends on nothing but records. Who
	// reads them looks at their ticks.
	d.events = dropOld(append(d.events, rec.Events...), func(e *stream.Event) uint64 { return e.Tick },
		rec.Tick, ringTicks(tickHz))
	d.left = dropOld(d.left, func(l *SavedLeave) uint64 { return l.Tick }, rec.Tick, endedTicks(tickHz))
}

// trackGone keeps the list of absent people with keys, after the keys of rec were applied.
func (d *durable) trackGone(rec *LogRecord) {
	if len(rec.Users)+len(rec.Left)+len(rec.Keys) == 0 {
		return
	}
	if len(rec.Left) > 0 {
		back := make(map[person]bool, len(rec.Left))
		for _, l := range rec.Left {
			back[person{l.User, l.Load}] = true
		}
		d.gone = slices.DeleteFunc(d.gone, func(g departure) bool { return back[g.who] })
		for _, l := range rec.Left {
			d.gone = append(d.gone, departure{person{l.User, l.Load}, l.Tick})
		}
	}
	if len(d.gone) == 0 {
		return
	}
	here := make(map[person]bool, len(rec.Users))
	for _, u := range rec.Users {
		here[person{u.User, u.Load}] = true
	}
	d.gone = slices.DeleteFunc(d.gone, func(g departure) bool {
		if here[g.who] {
			return true
		}
		for _, ks := range d.keys {
			if len(ks.byUser[g.who]) > 0 {
				return false
			}
		}
		return true
	})
}

// keyspace returns a rule's keys, made if there are none yet.
func (d *durable) keyspace(rule string) *keyspace {
	ks := d.keys[rule]
	if ks == nil {
		ks = &keyspace{vals: map[stateKey][]byte{}, byUser: map[person]map[string]bool{}}
		d.keys[rule] = ks
	}
	return ks
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

// ringTicks is how long events are kept for a client that resumes: two seconds.
func ringTicks(tickHz int) uint64 { return 2 * uint64(tickHz) }

// endedTicks is how long an ended session is remembered: a minute.
func endedTicks(tickHz int) uint64 { return 60 * uint64(tickHz) }

// snapshotFile is the layout of a snapshot.
type snapshotFile struct {
	Format  int            `json:"format"`
	Venue   string         `json:"venue"`
	Region  string         `json:"region"`
	Tick    uint64         `json:"tick"`
	LastID  uint64         `json:"last_id"`
	EventN  uint64         `json:"event_n"`
	Users   []SavedUser    `json:"users"`
	Left    []SavedLeave   `json:"left"`
	Objects []SavedObject  `json:"objects"`
	Doors   []SavedDoor    `json:"doors"`
	Keys    []SavedKey     `json:"keys"`
	Gone    []SavedLeave   `json:"gone"` // people with keys who are not here
	Timers  []SavedTimer   `json:"timers"`
	Windows []SavedWindow  `json:"windows"`
	Waiting []SavedInput   `json:"waiting"`
	Events  []stream.Event `json:"events"`
}

// encode writes the state: equal states give equal bytes.
func (d *durable) encode(venue, region string) ([]byte, error) {
	f := snapshotFile{
		Format: snapshotFormat, Venue: venue, Region: region, Tick: d.tick, LastID: d.lastID, EventN: d.eventN,
		Left: d.left, Waiting: d.waiting, Events: d.events,
		Users:   sorted(d.users, func(u SavedUser) uint64 { return u.Session }),
		Objects: sorted(d.objects, func(o SavedObject) uint64 { return o.ID }),
		Doors:   sorted(d.doors, func(o SavedDoor) uint64 { return o.ID }),
		Windows: sorted(d.windows, func(w SavedWindow) uint64 { return w.Object }),
	}
	for rule, ks := range d.keys {
		for k, v := range ks.vals {
			f.Keys = append(f.Keys, SavedKey{
				Rule: rule, Scope: k.scope, Subject: k.subject, Zone: k.zone, User: k.who.user, Load: k.who.load, Key: []byte(k.key), Value: v,
			})
		}
	}
	for _, g := range d.gone {
		f.Gone = append(f.Gone, SavedLeave{User: g.who.user, Load: g.who.load, Tick: g.tick})
	}
	slices.SortFunc(f.Keys, func(a, b SavedKey) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Subject, b.Subject),
			cmp.Compare(a.Zone, b.Zone), cmp.Compare(a.User, b.User), compareBool(a.Load, b.Load), bytes.Compare(a.Key, b.Key))
	})
	for k, due := range d.timers {
		f.Timers = append(f.Timers, SavedTimer{Rule: k.rule, Scope: k.scope, Subject: k.subject, Zone: k.zone, ID: k.id, DueUS: due})
	}
	slices.SortFunc(f.Timers, func(a, b SavedTimer) int { return cmp.Or(cmp.Compare(a.Rule, b.Rule), compareTimers(a, b)) })
	// No difference between no list and an empty one.
	f.Left, f.Waiting, f.Events = listed(f.Left), listed(f.Waiting), listed(f.Events)
	f.Keys, f.Gone, f.Timers = listed(f.Keys), listed(f.Gone), listed(f.Timers)
	out, err := json.Marshal(&f)
	if err != nil {
		return nil, fmt.Errorf("snapshot of region %s: %w", region, err)
	}
	return out, nil
}

func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sorted returns the values of m in ascending order of key.
func sorted[V any](m map[uint64]V, key func(V) uint64) []V {
	out := make([]V, 0, len(m))
	for _, v := range m {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b V) int { return cmp.Compare(key(a), key(b)) })
	return out
}

// decodeSnapshot reads what encode wrote. What the values mean is checked when the region is built.
func decodeSnapshot(b []byte, venue, region string) (*durable, error) {
	var f snapshotFile
	dec := json.NewDecoder(bytes.NewReader(b))
	if err := dec.Decode(&f); err != nil {
		return nil, fmt.Errorf("snapshot of region %s: not readable: %w", region, err)
	}
	if f.Format != snapshotFormat {
		return nil, fmt.Errorf("snapshot of region %s: format %d, this build reads %d: start the build that wrote it, or remove the snapshot",
			region, f.Format, snapshotFormat)
	}
	if f.Venue != venue || f.Region != region {
		return nil, fmt.Errorf("snapshot is of venue %q region %q, wanted venue %q region %q", f.Venue, f.Region, venue, region)
	}
	d := newDurable()
	d.tick, d.lastID, d.eventN = f.Tick, f.LastID, f.EventN
	d.left, d.waiting, d.events = f.Left, f.Waiting, f.Events
	rec := LogRecord{Tick: f.Tick, LastID: f.LastID, EventN: f.EventN, Users: f.Users, Objects: f.Objects,
		Doors: f.Doors, Keys: f.Keys, Timers: f.Timers, Windows: f.Windows}
	for _, list := range []struct {
		what      string
		got, want int
	}{
		{"users", countUnique(f.Users, func(u SavedUser) uint64 { return u.Session }), len(f.Users)},
		{"objects", countUnique(f.Objects, func(o SavedObject) uint64 { return o.ID }), len(f.Objects)},
		{"doors", countUnique(f.Doors, func(o SavedDoor) uint64 { return o.ID }), len(f.Doors)},
		{"windows", countUnique(f.Windows, func(w SavedWindow) uint64 { return w.Object }), len(f.Windows)},
	} {
		if list.got != list.want {
			return nil, fmt.Errorf("snapshot of region %s: %s: an id appears twice", region, list.what)
		}
	}
	for _, g := range f.Gone {
		d.gone = append(d.gone, departure{person{g.User, g.Load}, g.Tick})
	}
	d.apply(&rec, 1<<30) // keeps every event and ended session: encode wrote only those to keep
	return d, nil
}

func countUnique[T any](list []T, key func(T) uint64) int {
	seen := make(map[uint64]bool, len(list))
	for _, v := range list {
		seen[key(v)] = true
	}
	return len(seen)
}

// hash returns the SHA-256 of a snapshot's bytes.
func hash(snapshot []byte) [32]byte { return sha256.Sum256(snapshot) }
