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
	Removed []uint64       `json:"removed,omitempty"` // objects and doors that the manifest no longer has
	Keys    []Key          `json:"keys,omitempty"`    // written or deleted rule state
	Timers  []Timer        `json:"timers,omitempty"`  // started or, when Off, fired and cancelled
	Windows []Window       `json:"windows,omitempty"` // grab windows; one without requests is closed
	Waiting *[]Input       `json:"waiting,omitempty"` // the whole list, when it changed
	Events  []stream.Event `json:"events,omitempty"`  // of this tick
	Scores  []Score        `json:"scores,omitempty"`  // to add to the venue's boards
	ScoreN  uint64         `json:"score_n,omitempty"` // number of the newest score
	Decided []Decided      `json:"decided,omitempty"` // the modules that were called in this tick
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
		len(rec.Timers)+len(rec.Windows)+len(rec.Events)+len(rec.Scores) == 0 && rec.Waiting == nil
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
