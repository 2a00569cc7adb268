// Code generated from abi/schema.json by go generate ./abi; DO NOT EDIT.

package abi

// Version is the major version of the contract; Minor the newest minor one.
const (
	Version = 1
	Minor   = 1
)

// ImportModule is the name of the module that a plugin imports host calls from.
const ImportModule = "venued1"

// Marker is the export that says which contract a plugin was built for.
const Marker = "venued_abi_1"

// ManifestSection is the custom section that holds a plugin's manifest (JSON, see Manifest).
const ManifestSection = "venued.manifest"

// Magic numbers, the first four bytes of what they name.
const (
	MagicBatch    = 0x31424e56 // "VNB1"
	MagicCommands = 0x31434e56 // "VNC1"
	MagicInit     = 0x31494e56 // "VNI1"
)

// Sizes of the records of this minor version, bytes.
const (
	HeaderSize        = 64
	EventSize         = 88
	RowSize           = 56
	CommandHeaderSize = 16
	CommandSize       = 64
	SettingSize       = 32
)

// Positions in records, bytes.
const (
	offHeaderMagic             = 0
	offHeaderMinor             = 4
	offHeaderHeaderSize        = 6
	offHeaderEvents            = 8
	offHeaderEventSize         = 12
	offHeaderRowSize           = 14
	offHeaderRows              = 16
	offHeaderRegion            = 20
	offHeaderTick              = 24
	offHeaderTimeUS            = 32
	offHeaderSeed              = 40
	offHeaderBytes             = 48
	offEventData               = 80
	offCommandHeaderMagic      = 0
	offCommandHeaderMinor      = 4
	offCommandHeaderRecordSize = 6
	offCommandHeaderCount      = 8
	offCommandData             = 44
	offSettingName             = 0
	offSettingType             = 8
	offSettingValue            = 16
	offSettingText             = 24
)

// EventKind says what happened. Kinds are never renumbered; skip those that you do not know.
type EventKind uint16

// Values of EventKind.
const (
	// EventJoin: somebody came into the region. Subject: user; At: head position; Aux: region that handed the person
	// over, its number + 1; 0 for somebody who came into the venue; Data: display name
	EventJoin EventKind = 1
	// EventLeave: somebody left the region. Subject: user; Aux: region that the person is handed over to, its number
	// + 1; 0 for somebody who leaves the venue
	EventLeave EventKind = 2
	// EventEnter: a person's head came into a zone. Subject: user; Object: zone; Value: people in the zone after
	// this tick; Aux: door tied to the zone, or 0; At: head position
	EventEnter EventKind = 3
	// EventExit: a person left a zone, or the venue. Subject: user; Object: zone; Value: people in the zone after
	// this tick; Aux: door tied to the zone, or 0; At: head position
	EventExit EventKind = 4
	// EventGrab: request to take an object, answered by grant or deny. Requests for one object that were gathered in
	// a window come in one batch, ordered by stamp, then arrival, then user. Subject: user; Object: object; Class:
	// its kind; Hand: the hand; At: the hand's position; Dist: from hand to object; Holder: who holds it, or 0;
	// Stamp: when the hand closed (clamped)
	EventGrab EventKind = 5
	// EventRelease: request to let go, answered by release or deny. Subject: user; Object: object; Class: its kind;
	// Hand: the hand; At: the hand's position
	EventRelease EventKind = 6
	// EventUse: request to use an object, answered by any command that names it, or deny. Subject: user; Object:
	// object; Class: its kind; Hand: the hand; At: the hand's position; Dist: from hand to object; Holder: who holds
	// it, or 0; Value: the object's state
	EventUse EventKind = 7
	// EventTimer: a timer fired. Scope: as started; Subject: as started; Value: its id; Aux: due time (it may be
	// overdue); Object: subject, for zones; Count: people in it, for zones
	EventTimer EventKind = 8
	// EventMessage: a client's message. Subject: user; Data: topic, a zero byte, payload (opaque to the host)
	EventMessage EventKind = 9
	// EventDropped: the host took an object out of a hand: its holder left, or an admin took it. Subject: user;
	// Object: object; Class: its kind
	EventDropped EventKind = 10
	// EventSignal: a message from another rule. Object: the sender's region number + 1; Data: the sending rule's
	// name in the venue, a zero byte, topic, a zero byte, payload. Since minor version 1
	EventSignal EventKind = 11
)

// RowKind says what a view row shows.
type RowKind uint16

// Values of RowKind.
const (
	// RowObject: an object. ID: object; Class: its kind; At: position; State: its state word; Holder: who holds it,
	// or 0
	RowObject RowKind = 1
	RowUser   RowKind = 2 // a person. ID: user; At: head position
	RowDoor   RowKind = 3 // a door. ID: door; State: permille open; Flags: locked
	RowZone   RowKind = 4 // a zone. ID: zone; State: people in it; Aux: door tied to it, or 0
	// RowPose: a part of a body; each user has three rows, head, left, right. ID: user; Class: part; At: position;
	// Aux: rotation: a quaternion of four i16 in 1/32767, x lowest, then y, z, w; Flags: tracked. Since minor
	// version 1
	RowPose RowKind = 5
)

// CommandKind says what a plugin wants done. Kinds are never renumbered.
type CommandKind uint16

// Values of CommandKind.
const (
	// CmdGrant: gives an object to who asked; answers a grab. Refused (a fault) when somebody else holds it.
	// Subject: user; Object: object; Value: hand: 0 left, 1 right
	CmdGrant    CommandKind = 1
	CmdDeny     CommandKind = 2 // answers any request. Value: reason; Data: a sentence, may be empty
	CmdRelease  CommandKind = 3 // takes an object out of the hand that holds it. Object: object
	CmdSetState CommandKind = 4 // sets an object's state word. Object: object; Value: the state, u32
	// CmdSetPose: puts an object somewhere, upright; refused while it is held. Object: object; At: position
	CmdSetPose CommandKind = 5
	// CmdDoor: moves a door toward an opening, at its own speed. Object: door; Value: permille open: 0 closed, 1000
	// open
	CmdDoor     CommandKind = 6
	CmdLock     CommandKind = 7 // locks or unlocks a door. Object: door; Value: 1 locks, 0 unlocks
	CmdTeleport CommandKind = 8 // puts a user's head somewhere. Subject: user; At: position
	// CmdEmit: sends an event to clients. Value: audience; Subject: the user of audience user, the centre of
	// audience near; Data: name, a zero byte, payload (JSON text)
	CmdEmit CommandKind = 9
	// CmdTimerStart: starts a timer, anew if it runs. Scope: what it belongs to; Subject: what it belongs to; Value:
	// its id; Aux: microseconds from this tick
	CmdTimerStart CommandKind = 10
	// CmdTimerCancel: cancels a timer; unknown ones are ignored. Scope: what it belongs to; Subject: what it belongs
	// to; Value: its id
	CmdTimerCancel CommandKind = 11
	CmdAccept      CommandKind = 12 // answers a use (or a release) as granted, without doing anything else
	// CmdScore: adds to a user's score on a board. Subject: user of this region; Value: what to add, signed; Data:
	// the board's name: a to z first, then up to 31 of a to z, 0 to 9 and -. Since minor version 1
	CmdScore CommandKind = 13
	// CmdSignal: sends a message to another rule, which gets it as a signal event. To the rule in this region (scope
	// region or 0, subject 0) it goes with the next tick's batch. Refused (a fault) when too many wait for the
	// target. Scope: region (or 0), or venue: the rule in the venue's home region; Subject: 0, or with scope region
	// another region's number + 1; Data: the target rule's name in the venue, a zero byte, topic, a zero byte,
	// payload. Since minor version 1
	CmdSignal CommandKind = 14
)

// Values of Audience, which says who hears of an emitted event.
const (
	EmitUser   = 0 // the subject
	EmitNear   = 1 // people who can see the subject
	EmitRegion = 2 // everybody in the region
	EmitVenue  = 3 // everybody in the venue, whatever their region. Since minor version 1
)

// Values of Reason, which says why a request is denied; the host's own denials use the same numbers.
const (
	DenyRule       = 0 // the rule said no
	DenyHeld       = 1 // somebody holds it
	DenyReach      = 2 // out of reach
	DenyUnknown    = 3 // no such object
	DenyNotAllowed = 4 // not grabbable, not usable
	DenyUnanswered = 5 // no rule answered
	DenyFault      = 6 // the rule failed on this request
	DenyQuarantine = 7 // the rule is in quarantine
	DenyNotHeld    = 8 // a release of what the user does not hold
)

// Scope is what a key or a timer belongs to and travels with.
type Scope uint16

// Values of Scope.
const (
	ScopeObject Scope = 1 // an object or a door; the subject is its id, which is its own for ever
	// ScopeUser: a person; the subject is the user's id, which holds until they leave. Keys follow the person's
	// account, timers end when the user leaves
	ScopeUser Scope = 2
	// ScopeZone: a zone; the subject is its id, which holds until the venue's file changes. Keys follow the zone's
	// name
	ScopeZone   Scope = 3
	ScopeRegion Scope = 4 // the region; the subject is 0
	// ScopeVenue: the venue; the subject is 0. Only the home region, the first of the venue's file, has these keys
	ScopeVenue Scope = 5
)

// Values of Part, which is a part of a body, the class of a pose row.
const (
	PartHead  = 0 // the head. Since minor version 1
	PartLeft  = 1 // the left hand. Since minor version 1
	PartRight = 2 // the right hand. Since minor version 1
)

// Values of Flag, which is a bit of a row's flags; which one depends on the row's kind.
const (
	FlagLocked  = 1 // doors: the door is locked
	FlagTracked = 1 // poses: where the part is is known. Since minor version 1
)

// Values of Result, which is a negative result of the calls for state.
const (
	KVMissing = -1 // no such key
	// KVScope: an unknown scope, or a subject that is not in this region; also any call before venued_init returned
	KVScope    = -2
	KVTooLarge = -3 // the key, the value, or the state as a whole would be above its limit
	KVMemory   = -4 // a pointer outside the plugin's memory
	// KVUndeclared: the manifest has a state list, and no such key in this scope. Since minor version 1
	KVUndeclared = -5
)

// Values of SettingType, which is the type of a setting.
const (
	SettingInt   = 1 // a whole number
	SettingFixed = 2 // a number with a fraction, in 1/1024, rounded to the nearest
	SettingText  = 3 // a text
	SettingBool  = 4 // true or false: 1 or 0
)

// FaultKind says how a call failed.
type FaultKind string

// Values of FaultKind.
const (
	// FaultTrap: the module trapped: unreachable, out of bounds, division by zero, its stack
	FaultTrap    FaultKind = "trap"
	FaultAbort   FaultKind = "abort"   // the module called abort: a panic or a failed assertion
	FaultFuel    FaultKind = "fuel"    // it used up its fuel and was stopped
	FaultDepth   FaultKind = "depth"   // its calls nested too deep
	FaultTimeout FaultKind = "timeout" // it took so long, whatever its fuel, that the watchdog saw it
	FaultMemory  FaultKind = "memory"  // it asked for more memory than its limit
	FaultOutput  FaultKind = "output"  // its commands are malformed or not allowed
	FaultState   FaultKind = "state"   // it went past a state limit
	FaultInit    FaultKind = "init"    // venued_init refused or failed
	FaultMigrate FaultKind = "migrate" // venued_migrate refused or failed. Since minor version 1
	FaultBudget  FaultKind = "budget"  // it was not run: earlier calls in the same tick used too much fuel
)

// MergeOp says what becomes of two values of one key when two regions, which both have one, merge.
type MergeOp string

// Values of MergeOp.
const (
	// MergeKeep: the value of the region that stays (the default). Since minor version 1
	MergeKeep   MergeOp = "keep"
	MergeNewest MergeOp = "newest" // the value that was written last. Since minor version 1
	// MergeSum: their sum modulo 2^64; 8 bytes each, a signed little-endian number. Since minor version 1
	MergeSum MergeOp = "sum"
	// MergeMax: the larger; 8 bytes each, a signed little-endian number. Since minor version 1
	MergeMax MergeOp = "max"
	// MergeMin: the smaller; 8 bytes each, a signed little-endian number. Since minor version 1
	MergeMin MergeOp = "min"
	// MergeOr: their bits, or-ed; the shorter one counts as filled up with zero bytes. Since minor version 1
	MergeOr MergeOp = "or"
)

// Class is a set of limits by size. A venue's file grants the large one, nobody else.
type Class string

// Values of Class.
const (
	ClassSmall Class = "small" // what every rule gets. Since minor version 1
	ClassLarge Class = "large" // for languages that bring a runtime with them. Since minor version 1
)

// EventNames maps the names in a manifest to values of EventKind.
var EventNames = map[string]EventKind{
	"join":    EventJoin,
	"leave":   EventLeave,
	"enter":   EventEnter,
	"exit":    EventExit,
	"grab":    EventGrab,
	"release": EventRelease,
	"use":     EventUse,
	"timer":   EventTimer,
	"message": EventMessage,
	"dropped": EventDropped,
	"signal":  EventSignal,
}

// ViewNames maps the names in a manifest to values of RowKind.
var ViewNames = map[string]RowKind{
	"objects": RowObject,
	"users":   RowUser,
	"doors":   RowDoor,
	"zones":   RowZone,
	"poses":   RowPose,
}

// CommandNames maps the names in a manifest to values of CommandKind.
var CommandNames = map[string]CommandKind{
	"grant":        CmdGrant,
	"deny":         CmdDeny,
	"release":      CmdRelease,
	"set_state":    CmdSetState,
	"set_pose":     CmdSetPose,
	"door":         CmdDoor,
	"lock":         CmdLock,
	"teleport":     CmdTeleport,
	"emit":         CmdEmit,
	"timer_start":  CmdTimerStart,
	"timer_cancel": CmdTimerCancel,
	"accept":       CmdAccept,
	"score":        CmdScore,
	"signal":       CmdSignal,
}

// lastCommandKind is the highest value of this minor version.
const lastCommandKind = CmdSignal

// scopeNames maps the names in a manifest to values of Scope.
var scopeNames = map[string]Scope{
	"object": ScopeObject,
	"user":   ScopeUser,
	"zone":   ScopeZone,
	"region": ScopeRegion,
	"venue":  ScopeVenue,
}

// mergeOps has the names of MergeOp.
var mergeOps = []string{"keep", "max", "min", "newest", "or", "sum"}

// Limits that hold for every plugin; a venue may set lower ones. A unit of fuel is about the time of a simple instruction; which
// instructions a call executes decides what it uses, not the machine or its load.
const (
	MaxModule    = 8 << 20     // bytes of an upload
	MaxMemory    = 16 << 20    // bytes of linear memory
	MaxInput     = 256 << 10   // bytes of a batch
	MaxOutput    = 64 << 10    // bytes of the commands of a call
	MaxCommands  = 900         // commands of a call
	MaxState     = 256 << 10   // bytes of keys and values, a rule and region
	MaxKey       = 128         // bytes of a key, of a topic, of a setting's name
	MaxValue     = 16 << 10    // bytes of a value, of a setting's text
	MaxMessage   = 1 << 10     // bytes of payload of an event to or from a client, and of a signal
	MaxLogBytes  = 1 << 10     // bytes of log, a rule and second
	MaxTimers    = 1 << 10     // timers of a rule and region
	MaxSignals   = 256         // signals that wait for a rule in a region
	MaxPoseHz    = 30          // rate of a view of poses, a second
	MaxFuel      = 5_000_000   // units of fuel of a call of venued_tick, class small: 2 to 20 ms
	MaxFuelLarge = 20_000_000  // units of fuel of a call of venued_tick, class large
	MaxInitFuel  = 100_000_000 // units of fuel of each call before the first batch: a language's runtime starts in it
	MaxDepth     = 512         // calls inside of each other; a function with a large frame counts more than once
	MaxSettings  = 256         // settings of a rule
	MaxManifest  = 64 << 10    // bytes of a manifest
	MaxViews     = 16          // views of a manifest
	MaxStateKeys = 64          // declared keys of a manifest
	MaxTopics    = 64          // topics of a manifest
	RotationOne  = 32_767      // the 1 of a pose's rotation
)

// Header starts a batch.
type Header struct {
	Minor  uint16 // minor version of the host
	Events uint32 // the number of events; in an init batch, of settings
	Rows   uint32 // the number of rows, which follow the events
	Region uint32 // the region's number in the venue
	Tick   uint64 // the tick's number; numbers may be skipped
	TimeUS uint64 // server time of the tick, microseconds
	Seed   uint64 // the same number for a batch on every machine: the only source of chance
}

// get reads the fields of fixed size.
func (h *Header) get(r []byte) {
	_ = r[63]
	h.Minor = le.Uint16(r[4:])
	h.Events = le.Uint32(r[8:])
	h.Rows = le.Uint32(r[16:])
	h.Region = le.Uint32(r[20:])
	h.Tick = le.Uint64(r[24:])
	h.TimeUS = le.Uint64(r[32:])
	h.Seed = le.Uint64(r[40:])
}

// put writes the fields of fixed size.
func (h *Header) put(r []byte) {
	_ = r[63]
	le.PutUint16(r[4:], h.Minor)
	le.PutUint32(r[8:], h.Events)
	le.PutUint32(r[16:], h.Rows)
	le.PutUint32(r[20:], h.Region)
	le.PutUint64(r[24:], h.Tick)
	le.PutUint64(r[32:], h.TimeUS)
	le.PutUint64(r[40:], h.Seed)
}

// Event is one thing that happened; what the fields hold depends on the kind, and fields it does not name are
// zero.
type Event struct {
	Kind    EventKind // what happened; skip kinds that you do not know
	Hand    uint8     // 0 left, 1 right
	Scope   Scope     // of a timer
	Class   uint32    // the object's kind, its index in the venue's list of kinds
	Count   uint32    // people in a timer's zone
	Subject uint64    // the user, or what a timer belongs to
	Object  uint64    // the object or zone
	Holder  uint64    // who held the object when the batch was made, 0 for nobody
	Stamp   uint64    // when it happened at the user's, microseconds of server time
	X       int32     // where, in lattice steps of 1/1024 m
	Y       int32     // up
	Z       int32     // over the floor, at right angles to x
	Dist    uint32    // from hand to object, lattice steps
	Value   uint64    // people in the zone, the object's state, the timer's id
	Aux     uint64    // the zone's door, the timer's due time
	Data    []byte    // a name, or a topic, a zero byte and a payload; offset from the start of the batch
}

// get reads the fields of fixed size.
func (e *Event) get(r []byte) {
	_ = r[87]
	e.Kind = EventKind(le.Uint16(r[0:]))
	e.Hand = r[2]
	e.Scope = Scope(le.Uint16(r[4:]))
	e.Class = le.Uint32(r[8:])
	e.Count = le.Uint32(r[12:])
	e.Subject = le.Uint64(r[16:])
	e.Object = le.Uint64(r[24:])
	e.Holder = le.Uint64(r[32:])
	e.Stamp = le.Uint64(r[40:])
	e.X = int32(le.Uint32(r[48:]))
	e.Y = int32(le.Uint32(r[52:]))
	e.Z = int32(le.Uint32(r[56:]))
	e.Dist = le.Uint32(r[60:])
	e.Value = le.Uint64(r[64:])
	e.Aux = le.Uint64(r[72:])
}

// put writes the fields of fixed size.
func (e *Event) put(r []byte) {
	_ = r[87]
	le.PutUint16(r[0:], uint16(e.Kind))
	r[2] = e.Hand
	le.PutUint16(r[4:], uint16(e.Scope))
	le.PutUint32(r[8:], e.Class)
	le.PutUint32(r[12:], e.Count)
	le.PutUint64(r[16:], e.Subject)
	le.PutUint64(r[24:], e.Object)
	le.PutUint64(r[32:], e.Holder)
	le.PutUint64(r[40:], e.Stamp)
	le.PutUint32(r[48:], uint32(e.X))
	le.PutUint32(r[52:], uint32(e.Y))
	le.PutUint32(r[56:], uint32(e.Z))
	le.PutUint32(r[60:], e.Dist)
	le.PutUint64(r[64:], e.Value)
	le.PutUint64(r[72:], e.Aux)
}

// Row is one line of a view.
type Row struct {
	Kind   RowKind // what it shows
	Flags  uint16  // a locked door, a tracked part
	Class  uint32  // the object's kind, the body's part
	ID     uint64  // of the object, user, door or zone
	Holder uint64  // who holds the object, 0 for nobody
	X      int32   // where, in lattice steps of 1/1024 m
	Y      int32   // up
	Z      int32   // over the floor, at right angles to x
	State  uint32  // the object's state, permille that a door is open, people in a zone
	Aux    uint64  // a zone's door (0 for none), a pose's rotation
}

// get reads the fields of fixed size.
func (w *Row) get(r []byte) {
	_ = r[55]
	w.Kind = RowKind(le.Uint16(r[0:]))
	w.Flags = le.Uint16(r[2:])
	w.Class = le.Uint32(r[4:])
	w.ID = le.Uint64(r[8:])
	w.Holder = le.Uint64(r[16:])
	w.X = int32(le.Uint32(r[24:]))
	w.Y = int32(le.Uint32(r[28:]))
	w.Z = int32(le.Uint32(r[32:]))
	w.State = le.Uint32(r[36:])
	w.Aux = le.Uint64(r[40:])
}

// put writes the fields of fixed size.
func (w *Row) put(r []byte) {
	_ = r[55]
	le.PutUint16(r[0:], uint16(w.Kind))
	le.PutUint16(r[2:], w.Flags)
	le.PutUint32(r[4:], w.Class)
	le.PutUint64(r[8:], w.ID)
	le.PutUint64(r[16:], w.Holder)
	le.PutUint32(r[24:], uint32(w.X))
	le.PutUint32(r[28:], uint32(w.Y))
	le.PutUint32(r[32:], uint32(w.Z))
	le.PutUint32(r[36:], w.State)
	le.PutUint64(r[40:], w.Aux)
}

// Command is one thing that a plugin wants done; what the fields hold depends on the kind.
type Command struct {
	Kind    CommandKind // what to do
	Scope   Scope       // of a timer, of a signal's target
	Event   uint32      // the number of the event that it answers, from 1; 0 for none
	Subject uint64      // the user, or what a timer belongs to
	Object  uint64      // the object or door
	Value   int64       // a number that depends on the kind
	X       int32       // where, in lattice steps of 1/1024 m
	Y       int32       // up
	Z       int32       // over the floor, at right angles to x
	Data    []byte      // texts and payloads; offset from the start of the list
	Aux     uint64      // a timer's delay, microseconds
}

// get reads the fields of fixed size.
func (c *Command) get(r []byte) {
	_ = r[63]
	c.Kind = CommandKind(le.Uint16(r[0:]))
	c.Scope = Scope(le.Uint16(r[2:]))
	c.Event = le.Uint32(r[4:])
	c.Subject = le.Uint64(r[8:])
	c.Object = le.Uint64(r[16:])
	c.Value = int64(le.Uint64(r[24:]))
	c.X = int32(le.Uint32(r[32:]))
	c.Y = int32(le.Uint32(r[36:]))
	c.Z = int32(le.Uint32(r[40:]))
	c.Aux = le.Uint64(r[56:])
}

// put writes the fields of fixed size.
func (c *Command) put(r []byte) {
	_ = r[63]
	le.PutUint16(r[0:], uint16(c.Kind))
	le.PutUint16(r[2:], uint16(c.Scope))
	le.PutUint32(r[4:], c.Event)
	le.PutUint64(r[8:], c.Subject)
	le.PutUint64(r[16:], c.Object)
	le.PutUint64(r[24:], uint64(c.Value))
	le.PutUint32(r[32:], uint32(c.X))
	le.PutUint32(r[36:], uint32(c.Y))
	le.PutUint32(r[40:], uint32(c.Z))
	le.PutUint64(r[56:], c.Aux)
}

// Setting is one line of a rule's settings in the venue's file; settings take the place of events in an init
// batch, sorted by name.
type Setting struct {
	Name  string // as in the venue's file; offset from the start of the batch
	Type  uint32 // a setting type
	Value int64  // the whole number, the number in 1/1024, 0 or 1 for true and false
	Text  string // the text; offset from the start of the batch
}

// get reads the fields of fixed size.
func (s *Setting) get(r []byte) {
	_ = r[31]
	s.Type = le.Uint32(r[8:])
	s.Value = int64(le.Uint64(r[16:]))
}

// put writes the fields of fixed size.
func (s *Setting) put(r []byte) {
	_ = r[31]
	le.PutUint32(r[8:], s.Type)
	le.PutUint64(r[16:], uint64(s.Value))
}
