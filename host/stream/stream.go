// Package stream is what crosses the bus between gateways and a region: batches of
// inputs up, numbered state records down. It is a leaf: the region, the node
// and the gateway all speak in its types.
//
// # Up
//
// A gateway sends each region one batch of inputs every few milliseconds. Key
// inputs of clients (grab, release, use, message) are numbered per session from 1
// by the client and resent until a record's cursors cover them; the region takes
// only the next number of a session, so a duplicate or a gap changes nothing.
// Join, Away, Back and Leave come from the gateway, carry no number, are
// idempotent, and are resent until the records show them done. Poses are never resent.
//
// # Across
//
// Regions tell each other what rules signal and emit to the venue, as inputs of each other: [RegionMessage].
//
// # Down
//
// Every tick a region publishes one record, numbered without gaps from its start
// (Incarnation tells starts apart). A reader that misses a number asks for a key frame. Entities in
// a delta are those that changed since the previous record.
//
// # Bytes
//
// [AppendInputs] and [DecodeInputs] carry batches; an [Encoder] and a [Decoder] carry records, with only
// the changed fields of what changed. Their bytes are for gateways and nodes of
// one release. Decoders take any bytes without a panic and allocate no more than a small multiple of
// them. What they yield of entities can be shown to clients as it is; inputs are not judged here but by the
// region, and in everything else the values are trusted as the bus is.
package stream

import "github.com/venued/venued/lattice"

// InputKind says what an input is. Never renumbered.
type InputKind uint8

// Kinds of input.
const (
	InputPose    InputKind = 1
	InputJoin    InputKind = 2
	InputAway    InputKind = 3 // the connection is lost; the place is kept for the venue's grace
	InputBack    InputKind = 4 // resumed
	InputLeave   InputKind = 5
	InputGrab    InputKind = 6
	InputRelease InputKind = 7
	InputUse     InputKind = 8
	InputMessage InputKind = 9
	InputReset   InputKind = 10 // of Object, by an operator: back to its place and state in the manifest; no session's
	// InputRegion is a message of another region of the venue, InputRegionAck another region's word that it has this
	// one's messages up to Region.At for good. No session's.
	InputRegion    InputKind = 11
	InputRegionAck InputKind = 12
	// InputDurable says that the region's log is in the store up to tick Object, or that what waits for it need not wait any longer. No
	// session's.
	InputDurable InputKind = 13
)

// Key reports whether inputs of this kind are numbered, ordered and kept until covered.
func (k InputKind) Key() bool { return k >= InputGrab && k <= InputMessage }

// Gateway reports whether gateways may send inputs of this kind.
func (k InputKind) Gateway() bool { return k >= InputPose && k <= InputMessage }

// Input is one input of one session. Positions are venue lattice coordinates, times
// microseconds on the server's timeline.
type Input struct {
	Kind    InputKind
	Session uint64
	Seq     uint32       // key inputs: 1, 2, 3 ... per session; others 0
	PoseSeq uint16       // InputPose: the client's sample number
	Stamp   int64        // when it happened, clamped by the gateway
	Arrival int64        // when the gateway received it
	Body    lattice.Body // InputPose; InputJoin: Head holds the last stored place when HasPlace
	// Said has the optional streams that an InputPose tells of, and Extras what it says of them: one that it tells of and
	// that is not there has ended.
	Said     lattice.Streams
	Extras   lattice.Extras
	Speaking bool           // InputPose: the person speaks
	Object   uint64         // InputGrab, Release, Use, Reset; InputDurable: a tick
	Hand     uint8          // 0 left, 1 right
	HandAt   lattice.Joint  // InputGrab, Release, Use: the hand sample that reach is judged by
	User     string         // InputJoin: stable id of the person, unique in the venue
	Name     string         // InputJoin: display name
	Spawn    string         // InputJoin: wanted spawn point, optional
	HasPlace bool           // InputJoin
	Load     bool           // InputJoin: a load generator's visitor; its writes go to a partition of their own
	Reason   uint16         // InputLeave: close code
	Topic    string         // InputMessage
	Data     []byte         // InputMessage: payload, opaque
	Region   *RegionMessage // InputRegion; InputRegionAck: From, To and At only
}

// RegionMessageKind says what a message between regions is. Never renumbered.
type RegionMessageKind uint8

// Kinds of message between regions.
const (
	RegionSignal RegionMessageKind = 1 // of a rule, to the rule Rule of the other region
	RegionEmit   RegionMessageKind = 2 // an event for everybody in the venue: the other region emits it as its own
	// RegionHandover: people, with what they hold, who belong to the other region from now on. Data is a saved.Handover.
	RegionHandover RegionMessageKind = 3
)

// RegionPoint is a place in the numbers of one region's messages to another. Points are ordered by Epoch, then N.
type RegionPoint struct {
	Epoch uint64 // of the sender's ownership when the message was made
	N     uint64 // 1, 2, 3 ... over all messages to that region
}

// Before reports whether p comes before q.
func (p RegionPoint) Before(q RegionPoint) bool {
	return p.Epoch < q.Epoch || p.Epoch == q.Epoch && p.N < q.N
}

// RegionMessage is what a region tells another. The sender keeps it and sends it again until the receiver says that it has it
// for good; the receiver takes each once, in order.
type RegionMessage struct {
	From, To string // names of the regions
	At       RegionPoint
	// After is the message before At that may be under way still: a receiver that has not got it waits for it. The zero value:
	// there is none.
	After  RegionPoint
	Kind   RegionMessageKind
	Rule   string // RegionSignal: name in the venue of the rule it is for
	Sender string // name in the venue of the rule that sent it
	Plugin string // name@version of its module
	Digest string // of its module, the first 12 hex digits
	Topic  string // RegionSignal: topic; RegionEmit: the event's name
	Data   []byte // payload
	// RegionSignal: the person whose doing it is that the sender sent it, if it was one person's, and whether that is a load
	// generator's visitor: what comes of it is held against them.
	User string `json:",omitempty"`
	Load bool   `json:",omitempty"`
	// RegionHandover: it was sent before, so that its people may have no connection any more.
	Again bool `json:",omitempty"`
}

// EntityKind says what an entity is. Never renumbered.
type EntityKind uint8

// Kinds of entity.
const (
	Avatar EntityKind = 1
	Object EntityKind = 2
	Door   EntityKind = 3
)

// Flags of an entity's state.
const (
	FlagAway     = 1 << 0 // an avatar whose connection is lost
	FlagLocked   = 1 << 1 // a locked door
	FlagRight    = 1 << 2 // a held object is in the right hand, else in the left
	FlagJump     = 1 << 3 // it was teleported or put: do not interpolate from the state before
	FlagSpeaking = 1 << 4 // an avatar whose person says that they speak
)

// State is what changes about an entity. Comparable: equal states need no update.
type State struct {
	Body   lattice.Body // an object or door uses Head only
	AgeMS  uint8        // avatars: tick time minus sample stamp, 0-255 ms
	Flags  uint8
	Holder uint64 // objects: entity id of the holder, 0 for none
	Value  uint32 // objects: state word; doors: permille open
}

// Entity is an entity as a record carries it. Info fields are constant for its life.
type Entity struct {
	ID      uint64
	Kind    EntityKind
	Class   uint16 // objects: index of the venue's kinds; doors: index of its doors
	Floor   uint8
	Session uint64 // avatars
	User    string // avatars: the person's id
	Name    string // avatars: display name; objects, doors: the manifest's name
	// Hops is how often it was handed over from one region to another. Of two regions that name it, the one with more hops has it.
	Hops  uint32
	State State
}

// Audience says whom an event is for.
type Audience uint8

// Audiences.
const (
	ToSession Audience = 1 // Event.Session only
	ToNear    Audience = 2 // those who can see Event.Entity or stand in the cells around Event.At
	ToRegion  Audience = 3 // everyone in the region
)

// Event is a key event, numbered per region without gaps. The last two seconds of them are
// region state, so that a client can resume.
type Event struct {
	N        uint64
	Tick     uint64
	TimeUS   int64
	Audience Audience
	Session  uint64 // ToSession: for whom; otherwise whose input caused it, or 0
	Seq      uint32 // the input of Session that it answers, or 0
	Entity   uint64
	At       lattice.Vec
	Type     string // wire name: "grabbed", "released", "denied", "door", "teleport", "rule", ...
	Rule     string // name@version of the rule that decided, if one did
	Digest   string // of that rule's module, the first 12 hex digits
	Body     []byte // JSON object with the fields of that type, without the envelope
}

// Cursor says up to which key input of a session the region has decided or queued.
type Cursor struct {
	Session uint64
	Seq     uint32
}

// Flight is an entity on its way to another region, which does not have it durably yet.
type Flight struct {
	Entity  uint64
	Session uint64 // avatars
	To      string // name of the region
}

// Record is one tick of a region as its readers see it.
type Record struct {
	Venue       string
	Region      string
	Incarnation uint64 // of the owner's start
	Epoch       uint64 // of the region's ownership
	N           uint64 // record number within the incarnation and epoch
	Tick        uint64
	Key         bool     // a key frame: Entities, Cursors and Events (the ring) hold everything
	Entities    []Entity // new or changed
	Gone        []uint64 // removed
	Events      []Event
	Cursors     []Cursor // sessions whose cursor moved, or joined
	// Flights is everything on its way from here to other regions, whenever that changed (FlightNews). A key frame without FlightNews has none.
	// What is in it is among Gone at first, and comes again in a record of the other region.
	Flights    []Flight
	FlightNews bool
	// Extras has the avatars whose optional streams changed, each in full; in a key frame those that have any.
	Extras  []EntityExtras
	Durable uint64 // effects up to this tick are in the store; 0 = none
	// Start and End say when its owner began and ended the tick, server time in microseconds; 0: it does not say. They
	// tell waiting from working, and are no part of what the region decided.
	Start, End int64
}
