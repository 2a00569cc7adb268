package wire

import (
	"errors"
	"iter"
	"slices"
	"strconv"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// ErrStale means that a frame is not newer than one that was applied: a duplicate, or one overtaken on
// its way. It is dropped and not acknowledged, which costs what a lost frame costs;
// in exchange what a View shows only ever moves forward.
var ErrStale = errors.New("the frame is not newer than the newest one applied")

// Visible is an entity as a View shows it.
type Visible struct {
	Handle uint16
	Info   Info
	State  stream.State
	Tick   uint32 // low 32 bits of the tick that State is of
	// Extras is what an avatar's optional streams say, in the newest frame that told of each.
	Extras lattice.Extras
}

// View is the client's end of the pose lane for the life of one connection: it applies
// frames, remembers the states that later frames may refer to, and knows what to
// acknowledge. Its memory is bounded by the number of handles (65,536) times
// keptFrames states, and is proportional to what is visible and how often it is sent; reading a frame takes no more beside it than
// a Record for each of the records that have a state. Not for concurrent use.
type View struct {
	slots  map[uint16]*slot
	byID   map[uint64]*slot
	newest uint64 // number of the newest frame applied, unwrapped; 0 = none (the first is 2^16 + its number)
	bits   uint32
	lost   uint64

	// Scratch of Apply. A leave takes a byte and a half of a frame: it gets no Record before it takes effect.
	plan    []planned
	records []Record // of enters, full states and updates
	extras  []ExtrasRecord
	seen    [1 << 16 / 64]uint64 // handles that the frame has a record for
}

// planned is a record of the frame that is being applied, in its place among all.
type planned struct {
	handle uint16
	at     int16 // in View.records; leaves for a leave
}

const leaves = -1

type slot struct {
	Visible
	// ring of the states of the last keptFrames frames, oldest at head. len is a power of two.
	ring []sample
	head int
	n    int
}

type sample struct {
	frame uint64
	tick  uint32
	enter bool // said by an enter: what was before does not count
	state stream.State
}

// keptFrames is how many frames back a state is kept: as a baseline, or as what was before one.
const keptFrames = MaxBaseAge + HistoryFrames

// NewView returns a View that has seen nothing.
func NewView() *View {
	return &View{slots: map[uint16]*slot{}, byID: map[uint64]*slot{}}
}

// Apply takes one message of the lane that is a frame. Either all of it takes effect, and on (if not nil) is
// called for each record in order, or nothing does: ErrStale for a frame that is not
// newer than the newest, an *Error for one that is malformed or refers to what this side does
// not have, with the record's number in its Field.
//
// Extras of frames show in Visible.Extras and in Extras. Records passed to on hold the handle's Info and the resolved state whatever their Op. An enter that repeats
// one already applied comes as OpFull; a leave of what is not there is not passed on; an entity that enters under
// another handle, before the leave of its old one came, is passed on as an enter only.
func (v *View) Apply(frame []byte, on func(Record)) (FrameHeader, error) {
	var f frameReader
	if err := f.start(frame); err != nil {
		return FrameHeader{}, err
	}
	if len(frame) > MaxFrame {
		return f.header, errorf(CodeBadMessage, "length", "%d bytes; a frame has at most %d", len(frame), MaxFrame)
	}
	number, fresh := v.number(f.header.Seq)
	if !fresh {
		return f.header, ErrStale
	}
	v.plan, v.records, v.extras = slices.Grow(v.plan[:0], f.left), v.records[:0], v.extras[:0]
	err := v.read(&f, number)
	for _, p := range v.plan {
		v.seen[p.handle>>6] &^= 1 << (p.handle & 63)
	}
	if err != nil {
		v.extras = v.extras[:0]
		return f.header, err
	}
	v.acknowledge(number)
	for _, p := range v.plan {
		rec := Record{Op: OpLeave, Handle: p.handle}
		if p.at != leaves {
			rec = v.records[p.at]
		}
		if v.take(&rec, number, f.header.Tick) && on != nil {
			on(rec)
		}
	}
	for i := range v.extras {
		x := &v.extras[i]
		if s := v.slots[x.Handle]; s != nil { // not, if this frame said that it left
			s.Extras.Put(x.Said, &x.Extras)
		}
	}
	return f.header, nil
}

// number unwraps a frame number; fresh is false unless it is after the newest.
func (v *View) number(seq uint16) (n uint64, fresh bool) {
	if v.newest == 0 {
		return 1<<16 + uint64(seq), true
	}
	ahead := int16(seq - uint16(v.newest))
	return v.newest + uint64(max(ahead, 0)), ahead > 0
}

// read decodes all records into v.records, resolved, without changing what the View shows.
func (v *View) read(f *frameReader, number uint64) error {
	for i := 0; f.left > 0; i++ {
		var next Record
		err := f.next(&next)
		h := next.Handle
		if err == nil && v.seen[h>>6]&(1<<(h&63)) != 0 {
			err = errorf(CodeBadMessage, "handle", "a second record of handle %d", h)
		}
		v.seen[h>>6] |= 1 << (h & 63)
		step := planned{h, leaves}
		if next.Op != OpLeave && err == nil {
			step.at = int16(len(v.records))
			v.records = append(v.records, next)
			err = v.resolve(f, &v.records[step.at], number)
		}
		v.plan = append(v.plan, step)
		if err != nil {
			err.Field = "record " + strconv.Itoa(i) + ": " + err.Field
			return err
		}
	}
	var err *Error
	if v.extras, err = f.extras(v.extras); err != nil {
		return err
	}
	if err := f.r.end(); err != nil {
		return err
	}
	return v.checkExtras()
}

// checkExtras refuses extras of handles that were not bound before the frame.
func (v *View) checkExtras() error {
	for i := range v.extras {
		if h := v.extras[i].Handle; v.slots[h] == nil {
			return errorf(CodeBadMessage, "extras "+strconv.Itoa(i)+": handle", "%d is not bound: no enter of it was received", h)
		}
	}
	return nil
}

// Extras returns what the newest frame applied said of optional streams, in its order. It is good until the next Apply.
func (v *View) Extras() []ExtrasRecord { return v.extras }

// resolve reads the state of a record that is not a leave, against its baseline.
func (v *View) resolve(f *frameReader, rec *Record, number uint64) *Error {
	s := v.slots[rec.Handle]
	if rec.Op == OpEnter {
		if s != nil && s.Info != rec.Info {
			return errorf(CodeBadMessage, "handle", "%d is bound to entity %d and cannot enter as %d before it left", rec.Handle, s.Info.ID, rec.Info.ID)
		}
		return f.r.state(&rec.State)
	}
	if s == nil {
		return errorf(CodeBadMessage, "handle", "%d is not bound: no enter of it was received", rec.Handle)
	}
	rec.Info = s.Info
	if rec.Op == OpFull {
		return f.r.state(&rec.State)
	}
	var past Past
	if !s.past(&past, number-uint64(f.age()), f.ref&refAlone != 0) {
		return errorf(CodeBadMessage, "base", "frame %d said nothing of handle %d, or was not received", rec.Base, rec.Handle)
	}
	return f.r.delta(&rec.State, f.header.Tick, &past)
}

// take makes a record of a frame that was read to its end take effect. It reports whether to pass it on.
func (v *View) take(rec *Record, number uint64, tick uint32) bool {
	s := v.slots[rec.Handle]
	enter := rec.Op == OpEnter
	switch rec.Op {
	case OpLeave:
		if s == nil {
			return false
		}
		rec.Info, rec.State = s.Info, s.State
		v.drop(s)
		return true
	case OpEnter:
		if s != nil {
			rec.Op = OpFull
			break
		}
		if old := v.byID[rec.Info.ID]; old != nil {
			v.drop(old) // it came back under another handle before its leave was through
		}
		s = &slot{Visible: Visible{Handle: rec.Handle, Info: rec.Info}}
		v.slots[rec.Handle] = s
		v.byID[rec.Info.ID] = s
	}
	if s == nil {
		// An earlier record of this frame gave the entity a new handle: the old one is gone.
		return false
	}
	s.State, s.Tick = rec.State, tick
	if enter {
		s.Extras = lattice.Extras{} // what was said before it does not count
	}
	s.keep(sample{number, tick, enter, rec.State})
	return true
}

func (v *View) drop(s *slot) {
	delete(v.slots, s.Handle)
	if v.byID[s.Info.ID] == s {
		delete(v.byID, s.Info.ID)
	}
}

// acknowledge moves the history of received frames to number.
func (v *View) acknowledge(number uint64) {
	if v.newest != 0 {
		ahead := number - v.newest
		v.lost += ahead - 1
		v.bits = v.bits<<ahead | 1<<(ahead-1) // shifts of 32 and more give 0
	}
	v.newest = number
}

// Ack returns what the next Pose acknowledges: see Pose. ok is false before the first frame.
func (v *View) Ack() (ok bool, seq uint16, bits uint32) {
	return v.newest != 0, uint16(v.newest), v.bits
}

// Lost counts the frame numbers between the first frame and the newest that were never applied:
// lost, overtaken or refused.
func (v *View) Lost() uint64 { return v.lost }

// Len returns how many entities are visible.
func (v *View) Len() int { return len(v.slots) }

// Entity returns what is shown of an entity. The pointer is good until the next Apply.
func (v *View) Entity(id uint64) (*Visible, bool) {
	s := v.byID[id]
	if s == nil {
		return nil, false
	}
	return &s.Visible, true
}

// Bound returns what is shown under a handle. The pointer is good until the next Apply.
func (v *View) Bound(handle uint16) (*Visible, bool) {
	s := v.slots[handle]
	if s == nil {
		return nil, false
	}
	return &s.Visible, true
}

// Entities goes through what is visible, by ascending entity id. The View must not be changed meanwhile.
func (v *View) Entities() iter.Seq2[uint64, *Visible] {
	return func(yield func(uint64, *Visible) bool) {
		ids := make([]uint64, 0, len(v.byID))
		for id := range v.byID {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range ids {
			if !yield(id, &v.byID[id].Visible) {
				return
			}
		}
	}
}

// past gathers what an update against the state of a frame is predicted from. It reports false when the
// frame gave none or is too old.
func (s *slot) past(p *Past, frame uint64, alone bool) bool {
	i := s.n - 1
	for ; i >= 0; i-- {
		if f := s.ring[(s.head+i)&(len(s.ring)-1)].frame; f == frame {
			break
		} else if f < frame {
			return false
		}
	}
	for ; i >= 0; i-- {
		e := &s.ring[(s.head+i)&(len(s.ring)-1)]
		if e.frame+HistoryFrames < frame || !p.Push(&e.state, e.tick) || e.enter || alone {
			break
		}
	}
	return p.N > 0
}

// keep remembers the state of a frame, newer than all before, and forgets those that no later
// frame may refer to.
func (s *slot) keep(e sample) {
	for s.n > 0 && s.ring[s.head].frame+keptFrames <= e.frame {
		s.head = (s.head + 1) & (len(s.ring) - 1)
		s.n--
	}
	if s.n == len(s.ring) {
		ring := make([]sample, max(4, 2*len(s.ring)))
		for i := range s.n {
			ring[i] = s.ring[(s.head+i)&(len(s.ring)-1)]
		}
		s.ring, s.head = ring, 0
	}
	s.ring[(s.head+s.n)&(len(s.ring)-1)] = e
	s.n++
}
