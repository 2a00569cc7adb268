package saved

import (
	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Record is what one tick changed in the durable state, as plain values: each list holds whole
// new values of what changed. Its JSON is deterministic. A region never touches a record again after
// it returned it, so another goroutine may encode it.
//
// State is the newest snapshot with the records after it applied in order of Tick.
type Record struct {
	Tick    uint64         `json:"tick"`
	LastID  uint64         `json:"last_id"`           // newest entity id that was given out
	EventN  uint64         `json:"event_n"`           // number of the newest event
	Users   []User         `json:"users,omitempty"`   // new or changed
	Left    []Leave        `json:"left,omitempty"`    // sessions that ended
	Objects []Object       `json:"objects,omitempty"` // new or changed
	Doors   []Door         `json:"doors,omitempty"`   // new or changed
	Removed []uint64       `json:"removed,omitempty"` // objects and doors that are no longer here: handed over, or no longer in the manifest
	Moved   []Move         `json:"moved,omitempty"`   // sessions that were handed over to another region
	Lent    []Lent         `json:"lent,omitempty"`    // objects of this region's that came to be elsewhere, or came back
	Keys    []Key          `json:"keys,omitempty"`    // written or deleted rule state
	Timers  []Timer        `json:"timers,omitempty"`  // started or, when Off, fired and cancelled
	Windows []Window       `json:"windows,omitempty"` // grab windows; one without requests is closed
	Waiting *[]Input       `json:"waiting,omitempty"` // the whole list, when it changed
	Events  []stream.Event `json:"events,omitempty"`  // of this tick
	Scores  []Score        `json:"scores,omitempty"`  // to add to the venue's boards
	Decided []Decided      `json:"decided,omitempty"` // the modules that were called in this tick
	Signals *[]Signal      `json:"signals,omitempty"` // the whole list of those that wait, when it changed
	Sent    []Sent         `json:"sent,omitempty"`    // new messages to other regions
	Acked   []Place        `json:"acked,omitempty"`   // other regions have this one's messages up to there
	Heard   []Place        `json:"heard,omitempty"`   // other regions' messages up to there are taken
	Forks   []Fork         `json:"forks,omitempty"`   // of rules' state, applied before Keys and Timers
	Schemas []Schema       `json:"schemas,omitempty"` // of rules' state, when it changed
}

// Signal is a message of a rule to another one of the region, which gets it at the next tick.
type Signal struct {
	Rule   string `json:"rule"`   // name in the venue of the rule it is for
	From   string `json:"from"`   // of the rule that sent it
	Region string `json:"region"` // name of that rule's region
	Topic  string `json:"topic"`
	Data   []byte `json:"data,omitempty"`
	// User is the person whose doing made the sender send it, if it was one person's; with RuleMark the rule whose signal did.
	User string `json:"user,omitempty"`
	Load bool   `json:"load,omitempty"`
}

// Sent is a message to another region that this one keeps until it is acknowledged.
type Sent struct {
	Tick    uint64               `json:"tick"` // in which it was made
	Message stream.RegionMessage `json:"message"`
}

// Place is a place in the numbers of messages from or to another region.
type Place struct {
	Region string             `json:"region"`
	At     stream.RegionPoint `json:"at"`
}

// Fork is a second copy of a rule's keys and timers, kept while a new module proves itself.
type Fork struct {
	Rule string `json:"rule"`
	Op   ForkOp `json:"op"`
	// Schema of the state, for ForkKeep.
	Schema int `json:"schema,omitempty"`
	// Ticks, for ForkKeep, is for how long it is kept after a start.
	Ticks uint64 `json:"ticks,omitempty"`
	// Until, for ForkKeep and ForkWait, is the tick from which it goes when nobody watches the new module.
	Until uint64 `json:"until,omitempty"`
}

// ForkOp is what is done with a fork.
type ForkOp string

// What is done with forks.
const (
	ForkKeep ForkOp = "keep" // make a copy of the state as it is; an older one goes
	ForkBack ForkOp = "back" // make the copy the state again
	ForkDrop ForkOp = "drop" // the copy is no longer needed
	ForkWait ForkOp = "wait" // the copy is kept until another tick
)

// Schema is the version of the layout that a rule's state has.
type Schema struct {
	Rule   string `json:"rule"`
	Schema int    `json:"schema"`
}

// Score is points for a person on a board. Totals are kept by the store, which adds each score once: in the same atomic step that
// writes the record it came with, and numbered without gaps by N over the region's life.
type Score struct {
	N     uint64 `json:"n"`     // 1, 2, 3 ... in the region
	Board string `json:"board"` // name, as abi.ValidName has it
	User  string `json:"user"`
	Load  bool   `json:"load,omitempty"` // a load generator's visitor: another partition
	Delta int64  `json:"delta"`
	Rule  string `json:"rule"` // name in the venue
}

// Decided is a module that was called for a rule.
type Decided struct {
	Rule   string `json:"rule"`   // name in the venue
	Plugin string `json:"plugin"` // name@version
	Digest string `json:"digest"` // of the module, the first 12 hex digits
}

// Empty reports that the record changes nothing; which modules were called does not count.
func (rec *Record) Empty() bool {
	return len(rec.Users)+len(rec.Left)+len(rec.Objects)+len(rec.Doors)+len(rec.Removed)+len(rec.Keys)+
		len(rec.Timers)+len(rec.Windows)+len(rec.Events)+len(rec.Scores)+len(rec.Sent)+len(rec.Acked)+
		len(rec.Heard)+len(rec.Forks)+len(rec.Schemas)+len(rec.Moved)+len(rec.Lent) == 0 && rec.Waiting == nil && rec.Signals == nil
}

// User is a person's durable part. Body is where the person was when this was last written: poses
// alone never cause a write.
type User struct {
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
	Hops     uint32       `json:"hops,omitempty"`  // how often the person was handed over
}

// Leave is the end of a session. It is remembered for a minute, so that a
// late resend of its join does not bring it back.
type Leave struct {
	Session uint64 `json:"session"`
	User    string `json:"user"`
	Load    bool   `json:"load,omitempty"`
	Reason  uint16 `json:"reason"` // close code
	Tick    uint64 `json:"tick"`
}

// Move is a session that was handed over to another region. It is remembered for a minute, as an ended one is.
type Move struct {
	Session uint64 `json:"session"`
	User    string `json:"user"`
	Load    bool   `json:"load,omitempty"`
	Tick    uint64 `json:"tick"`
}

// Lent is an object that the manifest puts into this region and that was carried into another: until it comes back it is not made anew.
type Lent struct {
	Name string `json:"name"`
	To   string `json:"to,omitempty"` // the region that it was first carried into; empty: it is back
}

// Object is an object's durable part. Pose of a held object is the one it had when this was
// last written.
type Object struct {
	ID     uint64        `json:"id"`
	Name   string        `json:"name"` // of the manifest: what ties it to Venue.Objects
	Pose   lattice.Joint `json:"pose"`
	Value  uint32        `json:"value"`
	Holder uint64        `json:"holder,omitempty"` // entity id
	Hand   uint8         `json:"hand,omitempty"`
	Offset lattice.Joint `json:"offset"` // pose in the frame of the hand that holds it
	Hops   uint32        `json:"hops,omitempty"`
}

// Door is a door's durable part: where its motion started and where to. Its position at a tick
// follows from that.
type Door struct {
	ID     uint64 `json:"id"`
	Name   string `json:"name"`
	From   uint32 `json:"from"`   // permille open at tick Since
	Target uint32 `json:"target"` // permille
	Since  uint64 `json:"since"`
	Locked bool   `json:"locked"`
}

// Key is one key of a rule's state.
type Key struct {
	Rule    string    `json:"rule"`
	Scope   abi.Scope `json:"scope"`
	Subject uint64    `json:"subject,omitempty"` // entity id of an object or door
	Zone    string    `json:"zone,omitempty"`    // name of a zone
	User    string    `json:"user,omitempty"`    // of a person
	Load    bool      `json:"load,omitempty"`
	Key     []byte    `json:"key"` // bytes: a plugin's keys need not be UTF-8
	Value   []byte    `json:"value,omitempty"`
	Deleted bool      `json:"deleted,omitempty"`
	Tick    uint64    `json:"tick,omitempty"` // that wrote it; in a record it is the record's
}

// Timer is one timer of a rule.
type Timer struct {
	Rule    string    `json:"rule"`
	Scope   abi.Scope `json:"scope"`
	Subject uint64    `json:"subject,omitempty"` // entity id of an object, door or person
	Zone    string    `json:"zone,omitempty"`    // name of a zone
	ID      int64     `json:"id"`
	DueUS   uint64    `json:"due_us"`
	Off     bool      `json:"off,omitempty"`
	// Cause is whose doing it is that the timer runs, the zero value for nobody's: what comes of it is held against them.
	Cause Person `json:"cause,omitzero"`
}

// Input is a request that was taken (a cursor covers it) and is not decided yet.
type Input struct {
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

// Window is an open grab window.
type Window struct {
	Object   uint64  `json:"object"`
	Close    uint64  `json:"close"` // the first tick that decides it
	Requests []Input `json:"requests,omitempty"`
}
