// Code generated from abi/schema.json by go generate ./abi; DO NOT EDIT.

package rule

// minor is the minor version of the contract that this kit was made from.
const minor = 1

const commandMagic = 0x31434e56 // "VNC1"

// Sizes of the records of this minor version, bytes.
const (
	headerSize        = 64
	eventSize         = 88
	rowSize           = 56
	commandHeaderSize = 16
	commandSize       = 64
	settingSize       = 32
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
	// Join: somebody came into the region. Subject: user; At: head position; Aux: region that handed the person
	// over, its number + 1; 0 for somebody who came into the venue; Data: display name
	Join EventKind = 1
	// Leave: somebody left the region. Subject: user; Aux: region that the person is handed over to, its number + 1;
	// 0 for somebody who leaves the venue
	Leave EventKind = 2
	// Enter: a person's head came into a zone. Subject: user; Object: zone; Value: people in the zone after this
	// tick; Aux: door tied to the zone, or 0; At: head position
	Enter EventKind = 3
	// Exit: a person left a zone, or the venue. Subject: user; Object: zone; Value: people in the zone after this
	// tick; Aux: door tied to the zone, or 0; At: head position
	Exit EventKind = 4
	// Grab: request to take an object, answered by grant or deny. Requests for one object that were gathered in a
	// window come in one batch, ordered by stamp, then arrival, then user. Subject: user; Object: object; Class: its
	// kind; Hand: the hand; At: the hand's position; Dist: from hand to object; Holder: who holds it, or 0; Stamp:
	// when the hand closed (clamped)
	Grab EventKind = 5
	// Release: request to let go, answered by release or deny. Subject: user; Object: object; Class: its kind; Hand:
	// the hand; At: the hand's position
	Release EventKind = 6
	// Use: request to use an object, answered by any command that names it, or deny. Subject: user; Object: object;
	// Class: its kind; Hand: the hand; At: the hand's position; Dist: from hand to object; Holder: who holds it, or
	// 0; Value: the object's state
	Use EventKind = 7
	// Timer: a timer fired. Scope: as started; Subject: as started; Value: its id; Aux: due time (it may be
	// overdue); Object: subject, for zones; Count: people in it, for zones
	Timer EventKind = 8
	// Message: a client's message. Subject: user; Data: topic, a zero byte, payload (opaque to the host)
	Message EventKind = 9
	// Dropped: the host took an object out of a hand: its holder left, or an admin took it. Subject: user; Object:
	// object; Class: its kind
	Dropped EventKind = 10
	// Signal: a message from another rule. Object: the sender's region number + 1; Data: the sending rule's name in
	// the venue, a zero byte, topic, a zero byte, payload. Since minor version 1
	Signal EventKind = 11
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

const (
	// cmdGrant: gives an object to who asked; answers a grab. Refused (a fault) when somebody else holds it.
	// Subject: user; Object: object; Value: hand: 0 left, 1 right
	cmdGrant    uint16 = 1
	cmdDeny     uint16 = 2 // answers any request. Value: reason; Data: a sentence, may be empty
	cmdRelease  uint16 = 3 // takes an object out of the hand that holds it. Object: object
	cmdSetState uint16 = 4 // sets an object's state word. Object: object; Value: the state, u32
	// cmdSetPose: puts an object somewhere, upright; refused while it is held. Object: object; At: position
	cmdSetPose uint16 = 5
	// cmdDoor: moves a door toward an opening, at its own speed. Object: door; Value: permille open: 0 closed, 1000
	// open
	cmdDoor     uint16 = 6
	cmdLock     uint16 = 7 // locks or unlocks a door. Object: door; Value: 1 locks, 0 unlocks
	cmdTeleport uint16 = 8 // puts a user's head somewhere. Subject: user; At: position
	// cmdEmit: sends an event to clients. Value: audience; Subject: the user of audience user, the centre of
	// audience near; Data: name, a zero byte, payload (JSON text)
	cmdEmit uint16 = 9
	// cmdTimerStart: starts a timer, anew if it runs. Scope: what it belongs to; Subject: what it belongs to; Value:
	// its id; Aux: microseconds from this tick
	cmdTimerStart uint16 = 10
	// cmdTimerCancel: cancels a timer; unknown ones are ignored. Scope: what it belongs to; Subject: what it belongs
	// to; Value: its id
	cmdTimerCancel uint16 = 11
	cmdAccept      uint16 = 12 // answers a use (or a release) as granted, without doing anything else
	// cmdScore: adds to a user's score on a board. Subject: user of this region; Value: what to add, signed; Data:
	// the board's name: a to z first, then up to 31 of a to z, 0 to 9 and -. Since minor version 1
	cmdScore uint16 = 13
	// cmdSignal: sends a message to another rule, which gets it as a signal event. To the rule in this region (scope
	// region or 0, subject 0) it goes with the next tick's batch. Refused (a fault) when too many wait for the
	// target. Scope: region (or 0), or venue: the rule in the venue's home region; Subject: 0, or with scope region
	// another region's number + 1; Data: the target rule's name in the venue, a zero byte, topic, a zero byte,
	// payload. Since minor version 1
	cmdSignal uint16 = 14
)

// Audience says who hears of an emitted event.
type Audience int64

// Values of Audience.
const (
	ToUser   Audience = 0 // the subject
	ToNear   Audience = 1 // people who can see the subject
	ToRegion Audience = 2 // everybody in the region
	ToVenue  Audience = 3 // everybody in the venue, whatever their region. Since minor version 1
)

// Reason says why a request is denied; the host's own denials use the same numbers.
type Reason int64

// Values of Reason.
const (
	DenyRule       Reason = 0 // the rule said no
	DenyHeld       Reason = 1 // somebody holds it
	DenyReach      Reason = 2 // out of reach
	DenyUnknown    Reason = 3 // no such object
	DenyNotAllowed Reason = 4 // not grabbable, not usable
	DenyUnanswered Reason = 5 // no rule answered
	DenyFault      Reason = 6 // the rule failed on this request
	DenyQuarantine Reason = 7 // the rule is in quarantine
	DenyNotHeld    Reason = 8 // a release of what the user does not hold
)

// Scope is what a key or a timer belongs to and travels with.
type Scope uint16

// Values of Scope.
const (
	Object Scope = 1 // an object or a door; the subject is its id, which is its own for ever
	// User: a person; the subject is the user's id, which holds until they leave. Keys follow the person's account,
	// timers end when the user leaves
	User Scope = 2
	// Zone: a zone; the subject is its id, which holds until the venue's file changes. Keys follow the zone's name
	Zone   Scope = 3
	Region Scope = 4 // the region; the subject is 0
	// Venue: the venue; the subject is 0. Only the home region, the first of the venue's file, has these keys
	Venue Scope = 5
)

// Values of Part, which is a part of a body, the class of a pose row.
const (
	PartHead  uint32 = 0 // the head. Since minor version 1
	PartLeft  uint32 = 1 // the left hand. Since minor version 1
	PartRight uint32 = 2 // the right hand. Since minor version 1
)

// Values of Flag, which is a bit of a row's flags; which one depends on the row's kind.
const (
	FlagLocked  uint16 = 1 // doors: the door is locked
	FlagTracked uint16 = 1 // poses: where the part is is known. Since minor version 1
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

const (
	settingInt   = 1 // a whole number
	settingFixed = 2 // a number with a fraction, in 1/1024, rounded to the nearest
	settingText  = 3 // a text
	settingBool  = 4 // true or false: 1 or 0
)

// Limits of the contract.
const (
	MaxInput    = 256 << 10 // bytes of a batch
	MaxOutput   = 64 << 10  // bytes of the commands of a call
	MaxCommands = 900       // commands of a call
	MaxState    = 256 << 10 // bytes of keys and values, a rule and region
	MaxKey      = 128       // bytes of a key, of a topic, of a setting's name
	MaxValue    = 16 << 10  // bytes of a value, of a setting's text
	MaxMessage  = 1 << 10   // bytes of payload of an event to or from a client, and of a signal
	MaxLogBytes = 1 << 10   // bytes of log, a rule and second
	MaxTimers   = 1 << 10   // timers of a rule and region
	MaxSignals  = 256       // signals that wait for a rule in a region
	MaxPoseHz   = 30        // rate of a view of poses, a second
	RotationOne = 32_767    // the 1 of a pose's rotation
)

// Event is one thing that happened; what the fields hold depends on the kind, and fields it does not name are
// zero.
type Event struct {
	Number  uint32    // in the batch, from 1: commands answer it by this
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

// command is one thing that a plugin wants done; what the fields hold depends on the kind.
type command struct {
	Kind    uint16 // what to do
	Scope   Scope  // of a timer, of a signal's target
	Event   uint32 // the number of the event that it answers, from 1; 0 for none
	Subject uint64 // the user, or what a timer belongs to
	Object  uint64 // the object or door
	Value   int64  // a number that depends on the kind
	X       int32  // where, in lattice steps of 1/1024 m
	Y       int32  // up
	Z       int32  // over the floor, at right angles to x
	Data    []byte // texts and payloads; offset from the start of the list
	Aux     uint64 // a timer's delay, microseconds
}

// put writes the fields of fixed size.
func (c *command) put(r []byte) {
	_ = r[63]
	le.PutUint16(r[0:], c.Kind)
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
