// Package abi is the contract between a venue's host and its rule plugins,
// version 1: records, kinds, scopes, error numbers and limits. It imports nothing
// of ours but lattice units by value, and knows no wasm engine.
//
// # Model
//
// A plugin is a WebAssembly module. Each tick in which something concerns it,
// the host writes one batch into the plugin's memory, calls venued_tick once, and
// copies one list of commands back:
//
//	batch    = Header, Events (fixed size each), Rows (fixed size each), data bytes
//	commands = CommandHeader, Commands (fixed size each), data bytes
//
// All numbers are little-endian. Positions are int32 lattice steps of 2^-10 m in venue
// coordinates, y up. Times are microseconds on the server's timeline.
// Records grow only at their tail; each header carries the record sizes, so that
// an old guest skips what it does not know and a new host reads what an
// old guest sends. A guest skips event kinds it does not know.
//
// # Exports of a plugin
//
//	memory
//	venued_abi_1                          marker, never called
//	_initialize                           if the language needs it
//	venued_alloc(n i32) -> ptr i32        once, at start: the input buffer
//	venued_init(ptr, len i32) -> i32      0 or a fault; reads a settings batch
//	venued_tick(ptr, len i32) -> i64      ptr<<32 | len of the commands; 0 = none
//
// # Imports, module "venued1"
//
//	log(ptr, len i32)
//	kv_get(scope i32, subject i64, kptr, klen, vptr, vcap i32) -> i32
//	       length of the value (which may exceed vcap: then nothing was copied), or
//	       a negative KV* number
//	kv_put(scope i32, subject i64, kptr, klen, vptr, vlen i32) -> i32   0 or negative
//	kv_del(scope i32, subject i64, kptr, klen i32) -> i32               0 or negative
//	abort(ptr, len i32)                   ends the call with a message
//
// There is no state before the first batch: until venued_init returned, kv calls return KVScope.
//
// # Duties and trust
//
// A call is a transaction: its commands and state writes apply all together, or
// not at all when it traps, aborts, runs out of fuel, or returns anything the
// host refuses. The host keeps all state (kv); guest memory may be thrown away
// at any time. The same batch and state give the same commands on every machine.
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

// ManifestSection is the custom section that holds a plugin's manifest (JSON, see
// Manifest).
const ManifestSection = "venued.manifest"

// Magic numbers, the first four bytes of what they name: "VNB1", "VNC1", "VNI1".
const (
	MagicBatch    = 0x31424e56
	MagicCommands = 0x31434e56
	MagicInit     = 0x31494e56
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

// EventKind says what happened. Kinds are never renumbered.
type EventKind uint16

// Event kinds, with what the fields of Event hold; fields not named are zero.
const (
	// EventJoin: Subject user, At head position, Data display name.
	EventJoin EventKind = 1
	// EventLeave: Subject user.
	EventLeave EventKind = 2
	// EventEnter: Subject user, Object zone, Value people in the zone after
	// this tick, Aux door tied to the zone or 0, At head position.
	EventEnter EventKind = 3
	// EventExit: as EventEnter, for a person who left the zone (or the venue).
	EventExit EventKind = 4
	// EventGrab: a request, answered by Grant or Deny. Subject user, Object object,
	// Class its kind, Hand, At the hand's position, Dist from hand to object,
	// Holder who holds it or 0, Stamp when the hand closed (clamped). Requests for
	// one object that were gathered in a window come in one batch, ordered by (Stamp,
	// arrival, user).
	EventGrab EventKind = 5
	// EventRelease: a request, answered by Release or Deny. Subject user, Object
	// object, Class, Hand, At the hand's position.
	EventRelease EventKind = 6
	// EventUse: a request, answered by any command naming it, or Deny. Subject user, Object
	// object, Class, Hand, At, Dist, Holder, Value the object's state.
	EventUse EventKind = 7
	// EventTimer: Scope and Subject as the timer was started with, Value its id,
	// Aux the due time (it may be overdue), and for zones Object = Subject and Count people in it.
	EventTimer EventKind = 8
	// EventMessage: a client's message. Subject user, Data topic, a zero byte,
	// payload (opaque to the host).
	EventMessage EventKind = 9
	// EventDropped: the host took an object out of a hand because its holder
	// left. Subject user, Object object, Class.
	EventDropped EventKind = 10
	// EventSignal: a message from another rule. Data: the sending rule's name in the venue, a zero byte,
	// topic, a zero byte, payload (see SplitSignal). Object the sender's region number + 1. Since minor version 1.
	EventSignal EventKind = 11
)

// RowKind says what a view row shows.
type RowKind uint16

// Row kinds of views that a manifest subscribes to.
const (
	RowObject RowKind = 1 // ID object, Class, At, State, Holder
	RowUser   RowKind = 2 // ID user, At head position
	RowDoor   RowKind = 3 // ID door, State permille open, Flags 1 = locked
	RowZone   RowKind = 4 // ID zone, State people in it, Aux door
	RowPose   RowKind = 5 // ID user, Class part (Part*), At, Aux rotation (UnpackRotation), Flags 1 = tracked; since minor version 1
)

// Flags of rows.
const (
	FlagLocked  = 1 // of RowDoor: the door is locked
	FlagTracked = 1 // of RowPose: where the part is is known
)

// Parts of a body, the Class of a RowPose. Each user in the view has a row for each, in this order.
const (
	PartHead  = 0
	PartLeft  = 1 // left hand
	PartRight = 2 // right hand
)

// CommandKind says what a plugin wants done. Kinds are never renumbered.
type CommandKind uint16

// Command kinds. Event is the 1-based number of the event in the batch that a
// command answers, 0 for none.
const (
	// CmdGrant gives Object to Subject's hand (Value 0 left, 1 right): answers
	// an EventGrab. Refused (a fault) when somebody else holds the object.
	CmdGrant CommandKind = 1
	// CmdDeny answers any request; Value is a reason (Deny*), Data an optional sentence.
	CmdDeny CommandKind = 2
	// CmdRelease takes Object out of the hand that holds it.
	CmdRelease CommandKind = 3
	// CmdSetState sets Object's state word to Value (u32).
	CmdSetState CommandKind = 4
	// CmdSetPose puts Object at At, upright; refused while it is held.
	CmdSetPose CommandKind = 5
	// CmdDoor moves door Object toward Value permille open (0 closed, 1000 open) at the
	// door's own speed.
	CmdDoor CommandKind = 6
	// CmdLock locks (Value 1) or unlocks (Value 0) door Object.
	CmdLock CommandKind = 7
	// CmdTeleport puts user Subject's head at At.
	CmdTeleport CommandKind = 8
	// CmdEmit sends an event to clients: Value is the audience (Emit*), Subject the user
	// for EmitUser and the centre for EmitNear, Data name, a zero byte,
	// payload (JSON text).
	CmdEmit CommandKind = 9
	// CmdTimerStart starts or restarts timer Value of (Scope, Subject) to fire
	// Aux microseconds from this tick.
	CmdTimerStart CommandKind = 10
	// CmdTimerCancel cancels timer Value of (Scope, Subject); unknown ones are ignored.
	CmdTimerCancel CommandKind = 11
	// CmdAccept answers an EventUse (or EventRelease) as granted without doing anything else.
	CmdAccept CommandKind = 12
	// CmdScore adds Value (signed) to Subject's score on a board; Subject is a user of this region,
	// Data the board's name (see ValidName). Since minor version 1.
	CmdScore CommandKind = 13
	// CmdSignal sends a message to another rule, which gets it as an EventSignal. Data: the target rule's name in the
	// venue, a zero byte, topic, a zero byte, payload of at most MaxMessage bytes. Scope ScopeRegion (or 0) and Subject 0: the
	// rule in this region, with the next tick's batch; Subject a region's number + 1: the rule in that region. ScopeVenue:
	// the rule in the venue's home region. Refused (a fault) when MaxSignals wait for the target. Since minor version 1.
	CmdSignal CommandKind = 14
)

// Audiences of CmdEmit.
const (
	EmitUser   = 0
	EmitNear   = 1 // people who can see Subject
	EmitRegion = 2
	EmitVenue  = 3 // everybody in the venue, whatever their region; since minor version 1
)

// Reasons of CmdDeny that the host's own denials use too.
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

// Scopes. Subject is the id of the object, user or zone; 0 for region and venue. A door counts as an object. Ids of objects and
// doors are theirs for ever; those of zones hold until the venue's manifest changes, those of users until they leave. So keep
// what belongs to one under its scope, not under its id: such keys follow a zone's name and a person's account. Timers of a
// user end when the user leaves.
const (
	ScopeObject Scope = 1
	ScopeUser   Scope = 2
	ScopeZone   Scope = 3
	ScopeRegion Scope = 4
	ScopeVenue  Scope = 5
)

// Negative results of kv calls.
const (
	KVMissing  = -1 // no such key
	KVScope    = -2 // unknown scope, or a subject that is not in this region
	KVTooLarge = -3 // key above MaxKey, value above MaxValue, or the state limit
	KVMemory   = -4 // pointers outside the guest's memory
	// KVUndeclared: the manifest has a state list, and it has no such key in this scope. Since minor version 1.
	KVUndeclared = -5
)

// Limits that hold for every plugin; a venue may set lower ones.
const (
	MaxModule   = 8 << 20  // bytes of an upload
	MaxMemory   = 16 << 20 // bytes of linear memory
	MaxOutput   = 64 << 10 // bytes of commands a call
	MaxInput    = 256 << 10
	MaxCommands = 900
	MaxState    = 256 << 10 // bytes of keys and values a plugin and region
	MaxKey      = 128
	MaxValue    = 16 << 10
	MaxMessage  = 1 << 10 // bytes of payload of an event to or from a client
	MaxLogBytes = 1 << 10 // bytes of log a plugin and second
	MaxTimers   = 1024    // a plugin and region
	MaxSignals  = 256     // messages from other rules that wait for a plugin in a region
	MaxPoseHz   = 30      // rate of a view of poses
)

// Limits of what a call may compute. A unit of fuel is about the time of a simple instruction; which instructions a
// call executes decides what it uses, not the machine or its load.
const (
	MaxFuel = 5_000_000 // of a call of venued_tick: 2 to 20 ms
	// MaxFuelLarge is MaxFuel for plugins that a venue grants ClassLarge: those that bring a language's runtime with them.
	MaxFuelLarge = 20_000_000
	MaxInitFuel  = 100_000_000 // of each call before the first batch: a language's runtime starts in it
	MaxDepth     = 512         // of calls inside of each other; a function with a large frame counts more than once
)

// KV is the state that a call sees: the host's, with the writes of this call on top.
type KV interface {
	Get(scope Scope, subject uint64, key string) (value []byte, code int)
	Put(scope Scope, subject uint64, key string, value []byte) (code int)
	Del(scope Scope, subject uint64, key string) (code int)
}
