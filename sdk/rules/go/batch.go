// Package rule is for writing rule plugins for venued in Go. A plugin registers two functions
// and is built as a library for WASI:
//
//	func main() {} // never runs
//
//	func init() {
//		rule.Handle(start, tick)
//	}
//
//	func start(settings *rule.Init) error               { ... }
//	func tick(batch *rule.Batch, out *rule.Commands)    { ... }
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -ldflags="-s -w"
//
// Positions are lattice steps of 1/1024 m in venue coordinates, y up; times are microseconds of
// server time. The same batch and state must give the same commands: do not range over a map
// where the order shows, and take chance only from Batch.Seed. Keep nothing in variables that
// matters: the host may start the plugin anew before any call. What must last belongs in
// [Put]. A panic ends the call with its message, and with all that the call did.
//
// Reading and writing records works on every platform, so that a rule's tests run natively; only
// [Handle], [Get], [Put], [Del] and [Log] need the host.
package rule

import "encoding/binary"

var le = binary.LittleEndian

// EventKind says what happened. Skip kinds that you do not know.
type EventKind uint16

// Kinds of event; the comments say what the fields of Event mean.
const (
	Join    EventKind = 1  // Subject user, Data display name
	Leave   EventKind = 2  // Subject user
	Enter   EventKind = 3  // Subject user, Object zone, Value people in it, Aux its door or 0
	Exit    EventKind = 4  // as Enter
	Grab    EventKind = 5  // request: Subject user, Object, Class, Hand, Dist, Holder
	Release EventKind = 6  // request: Subject user, Object, Class, Hand
	Use     EventKind = 7  // request: Subject user, Object, Class, Hand, Dist, Holder, Value state
	Timer   EventKind = 8  // Scope, Subject, Value its id, Aux due time, Count people in the zone
	Message EventKind = 9  // Subject user, Data topic, a zero byte, payload
	Dropped EventKind = 10 // Subject user, Object, Class: the host took it out of the hand
)

// RowKind says what a row shows.
type RowKind uint16

// Kinds of row of the views that a manifest names.
const (
	RowObject RowKind = 1
	RowUser   RowKind = 2
	RowDoor   RowKind = 3
	RowZone   RowKind = 4
)

// Scope is what a key or timer belongs to and travels with.
type Scope uint16

// Scopes. The subject is the id of the object, user or zone, 0 for region and venue.
const (
	Object Scope = 1
	User   Scope = 2
	Zone   Scope = 3
	Region Scope = 4
	Venue  Scope = 5
)

// Event is one thing that happened.
type Event struct {
	Number  uint32 // in the batch, from 1: commands answer it by this
	Kind    EventKind
	Hand    uint8 // 0 left, 1 right
	Scope   Scope
	Class   uint32
	Count   uint32
	Subject uint64
	Object  uint64
	Holder  uint64
	Stamp   uint64 // microseconds of server time
	X, Y, Z int32  // steps of 1/1024 m
	Dist    uint32 // steps
	Value   uint64
	Aux     uint64
	Data    []byte // valid during the call
}

// Row is one line of a view.
type Row struct {
	Kind    RowKind
	Flags   uint16 // 1: a locked door
	Class   uint32
	ID      uint64
	Holder  uint64
	X, Y, Z int32
	State   uint32 // object's state, permille that a door is open, people in a zone
	Aux     uint64 // a zone's door
}

// Batch is a tick's events and rows. It is valid during the call.
type Batch struct{ raw []byte }

// NewBatch returns a batch over bytes as the host writes them, for tests.
func NewBatch(raw []byte) *Batch { return &Batch{raw} }

// Tick returns the tick's number; numbers may be skipped.
func (b *Batch) Tick() uint64 { return le.Uint64(b.raw[24:]) }

// TimeUS returns the server time of the tick, microseconds.
func (b *Batch) TimeUS() uint64 { return le.Uint64(b.raw[32:]) }

// Seed returns a number that is the same for this batch on every machine.
func (b *Batch) Seed() uint64 { return le.Uint64(b.raw[40:]) }

// Region returns the region's index in the venue.
func (b *Batch) Region() uint32 { return le.Uint32(b.raw[20:]) }

// Len returns the number of events.
func (b *Batch) Len() int { return int(le.Uint32(b.raw[8:])) }

// Event reads event i, from 0, into e.
func (b *Batch) Event(i int, e *Event) {
	r := b.record(i)
	*e = Event{
		Number: uint32(i + 1), Kind: EventKind(le.Uint16(r)), Hand: r[2], Scope: Scope(le.Uint16(r[4:])),
		Class: le.Uint32(r[8:]), Count: le.Uint32(r[12:]), Subject: le.Uint64(r[16:]), Object: le.Uint64(r[24:]),
		Holder: le.Uint64(r[32:]), Stamp: le.Uint64(r[40:]),
		X: int32(le.Uint32(r[48:])), Y: int32(le.Uint32(r[52:])), Z: int32(le.Uint32(r[56:])),
		Dist: le.Uint32(r[60:]), Value: le.Uint64(r[64:]), Aux: le.Uint64(r[72:]), Data: b.bytes(r[80:]),
	}
}

// Rows returns the number of rows.
func (b *Batch) Rows() int { return int(le.Uint32(b.raw[16:])) }

// Row reads row i, from 0, into w.
func (b *Batch) Row(i int, w *Row) {
	start := int(le.Uint16(b.raw[6:])) + b.Len()*int(le.Uint16(b.raw[12:]))
	r := b.raw[start+i*int(le.Uint16(b.raw[14:])):]
	*w = Row{
		Kind: RowKind(le.Uint16(r)), Flags: le.Uint16(r[2:]), Class: le.Uint32(r[4:]), ID: le.Uint64(r[8:]),
		Holder: le.Uint64(r[16:]), X: int32(le.Uint32(r[24:])), Y: int32(le.Uint32(r[28:])), Z: int32(le.Uint32(r[32:])),
		State: le.Uint32(r[36:]), Aux: le.Uint64(r[40:]),
	}
}

// record returns the bytes of record i of the first list. Records may be longer than this
// version knows: the header leads from one to the next.
func (b *Batch) record(i int) []byte {
	return b.raw[int(le.Uint16(b.raw[6:]))+i*int(le.Uint16(b.raw[12:])):]
}

// bytes returns what an offset and a length at r refer to.
func (b *Batch) bytes(r []byte) []byte {
	off, n := le.Uint32(r), le.Uint32(r[4:])
	if n == 0 {
		return nil
	}
	return b.raw[off : off+n : off+n]
}

// Init is the settings of the rule and what is there at its start.
type Init struct{ Batch }

// NewInit returns settings over bytes as the host writes them, for tests.
func NewInit(raw []byte) *Init { return &Init{Batch{raw}} }

const (
	typeInt   = 1
	typeFixed = 2
	typeText  = 3
	typeBool  = 4
)

// Int returns a whole number, or otherwise when it is not set or not one.
func (s *Init) Int(name string, otherwise int64) int64 {
	if r := s.find(name, typeInt); r != nil {
		return int64(le.Uint64(r[16:]))
	}
	return otherwise
}

// Fixed returns a number in units of 1/1024, so that a length in metres is lattice steps; whole
// numbers count too.
func (s *Init) Fixed(name string, otherwise int64) int64 {
	if r := s.find(name, typeFixed); r != nil {
		return int64(le.Uint64(r[16:]))
	}
	if r := s.find(name, typeInt); r != nil {
		return int64(le.Uint64(r[16:])) * 1024
	}
	return otherwise
}

// Text returns a text, or otherwise when it is not set or not one.
func (s *Init) Text(name, otherwise string) string {
	if r := s.find(name, typeText); r != nil {
		return string(s.bytes(r[24:]))
	}
	return otherwise
}

// Bool returns true or false, or otherwise when it is not set or neither.
func (s *Init) Bool(name string, otherwise bool) bool {
	if r := s.find(name, typeBool); r != nil {
		return le.Uint64(r[16:]) != 0
	}
	return otherwise
}

func (s *Init) find(name string, kind uint32) []byte {
	for i := range s.Len() {
		if r := s.record(i); le.Uint32(r[8:]) == kind && string(s.bytes(r)) == name {
			return r
		}
	}
	return nil
}
