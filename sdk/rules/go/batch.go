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
// [Put]. A panic, [Abort] or a failed [Assert] ends the call with its message, and with all that the call did.
//
// A rule whose manifest has another schema version than the one that wrote the state takes that state over in a function that it
// registers with package migrate.
//
// Reading and writing records works on every platform, so that a rule's tests run natively; only
// [Handle], [Log], [Abort] and the functions for state need the host.
package rule

import "encoding/binary"

var le = binary.LittleEndian

// Batch is a tick's events and rows. It is valid during the call.
type Batch struct{ raw []byte }

// NewBatch returns a batch over bytes as the host writes them, for tests.
func NewBatch(raw []byte) *Batch { return &Batch{raw} }

// Tick returns the tick's number; numbers may be skipped.
func (b *Batch) Tick() uint64 { return le.Uint64(b.raw[offHeaderTick:]) }

// TimeUS returns the server time of the tick, microseconds.
func (b *Batch) TimeUS() uint64 { return le.Uint64(b.raw[offHeaderTimeUS:]) }

// Seed returns a number that is the same for this batch on every machine.
func (b *Batch) Seed() uint64 { return le.Uint64(b.raw[offHeaderSeed:]) }

// Region returns the region's number in the venue.
func (b *Batch) Region() uint32 { return le.Uint32(b.raw[offHeaderRegion:]) }

// Len returns the number of events.
func (b *Batch) Len() int { return int(le.Uint32(b.raw[offHeaderEvents:])) }

// Event reads event i, from 0, into e.
func (b *Batch) Event(i int, e *Event) {
	r := b.record(i)
	e.Number = uint32(i + 1)
	e.get(r)
	e.Data = b.bytes(r[offEventData:])
}

// Rows returns the number of rows.
func (b *Batch) Rows() int { return int(le.Uint32(b.raw[offHeaderRows:])) }

// Row reads row i, from 0, into w.
func (b *Batch) Row(i int, w *Row) {
	start := int(le.Uint16(b.raw[offHeaderHeaderSize:])) + b.Len()*int(le.Uint16(b.raw[offHeaderEventSize:]))
	w.get(b.raw[start+i*int(le.Uint16(b.raw[offHeaderRowSize:])):])
}

// Find reads the first row of a kind with that id into w and reports whether there is one.
func (b *Batch) Find(kind RowKind, id uint64, w *Row) bool {
	for i := range b.Rows() {
		if b.Row(i, w); w.Kind == kind && w.ID == id {
			return true
		}
	}
	return false
}

// record returns the bytes of record i of the first list. Records may be longer than this
// version knows: the header leads from one to the next.
func (b *Batch) record(i int) []byte {
	return b.raw[int(le.Uint16(b.raw[offHeaderHeaderSize:]))+i*int(le.Uint16(b.raw[offHeaderEventSize:])):]
}

// bytes returns what an offset and a length at r refer to.
func (b *Batch) bytes(r []byte) []byte {
	off, n := le.Uint32(r), le.Uint32(r[4:])
	if n == 0 {
		return nil
	}
	return b.raw[off : off+n : off+n]
}

// Message splits the data of a Message event into topic and payload.
func (e *Event) Message() (topic string, payload []byte) {
	head, payload := cut(e.Data)
	return string(head), payload
}

// Signal splits the data of a Signal event into the name of the rule that sent it, topic and payload. The region it came from is
// Object - 1.
func (e *Event) Signal() (from, topic string, payload []byte) {
	rule, rest := cut(e.Data)
	head, payload := cut(rest)
	return string(rule), string(head), payload
}

// cut splits at the first zero byte; without one everything is head.
func cut(data []byte) (head, rest []byte) {
	for i, c := range data {
		if c == 0 {
			return data[:i], data[i+1:]
		}
	}
	return data, nil
}

// Locked reports whether the door of a RowDoor is locked.
func (w *Row) Locked() bool { return w.Flags&FlagLocked != 0 }

// Tracked reports whether it is known where the part of a RowPose is; if not, the position is where it was last.
func (w *Row) Tracked() bool { return w.Flags&FlagTracked != 0 }

// Rotation returns the unit quaternion of a RowPose, its parts in 1/RotationOne.
func (w *Row) Rotation() (qx, qy, qz, qw int16) {
	return int16(w.Aux), int16(w.Aux >> 16), int16(w.Aux >> 32), int16(w.Aux >> 48)
}

// Init is the settings of the rule and what is there at its start.
type Init struct{ Batch }

// NewInit returns settings over bytes as the host writes them, for tests.
func NewInit(raw []byte) *Init { return &Init{Batch{raw}} }

// Int returns a whole number, or otherwise when it is not set or not one.
func (s *Init) Int(name string, otherwise int64) int64 {
	if r := s.find(name, settingInt); r != nil {
		return int64(le.Uint64(r[offSettingValue:]))
	}
	return otherwise
}

// Fixed returns a number in units of 1/1024, so that a length in metres is lattice steps; whole
// numbers count too.
func (s *Init) Fixed(name string, otherwise int64) int64 {
	if r := s.find(name, settingFixed); r != nil {
		return int64(le.Uint64(r[offSettingValue:]))
	}
	if r := s.find(name, settingInt); r != nil {
		return int64(le.Uint64(r[offSettingValue:])) * 1024
	}
	return otherwise
}

// Text returns a text, or otherwise when it is not set or not one.
func (s *Init) Text(name, otherwise string) string {
	if r := s.find(name, settingText); r != nil {
		return string(s.bytes(r[offSettingText:]))
	}
	return otherwise
}

// Bool returns true or false, or otherwise when it is not set or neither.
func (s *Init) Bool(name string, otherwise bool) bool {
	if r := s.find(name, settingBool); r != nil {
		return le.Uint64(r[offSettingValue:]) != 0
	}
	return otherwise
}

func (s *Init) find(name string, kind uint32) []byte {
	for i := range s.Len() {
		if r := s.record(i); le.Uint32(r[offSettingType:]) == kind && string(s.bytes(r[offSettingName:])) == name {
			return r
		}
	}
	return nil
}
