package stream

import (
	"bytes"
	"errors"

	"github.com/venued/venued/lattice"
)

// Errors of Decoder.Decode that are part of the normal life of a stream.
var (
	// ErrGap: the record does not continue what the reader has. It must fetch a key frame and decode it; until
	// that came every delta is answered by ErrGap.
	ErrGap = errors.New("stream: a record is missing: fetch a key frame")
	// ErrOld: the reader already has this record, or the region has a newer owner. Drop it.
	ErrOld = errors.New("stream: the record is older than what was read")
)

// Bits of the byte that starts an entity's state: which fields follow, as differences to
// the state before.
const (
	hasHeadPos = 1 << iota
	hasHeadRot
	hasLeftPos
	hasLeftRot
	hasRightPos
	hasRightRot
	hasAge
	hasMore // another byte follows
)

// Bits of the second byte.
const (
	hasFlags = 1 << iota
	hasHolder
	hasValue
	hasInfo // the fields that are constant for the entity's life: it is new to the reader
	noHands // both hands are the zero Joint, whatever they were
	moreAll = 1<<iota - 1
)

// Flag bits of a record.
const (
	recordKey     = 1 << iota
	recordFlights // the list of flights follows
	recordExtras  // the list of extras follows
	recordAll     = 1<<iota - 1
)

var noState State

// Encoder writes the records of one region's stream, in their order. The zero value
// is ready; its first record should be a key frame, since readers can begin at none
// other. It remembers every entity's state. In the steady state it does not allocate.
type Encoder struct {
	known map[uint64]*Entity
}

// Append appends rec to dst. In a delta, entities are written as differences to the records before;
// a key frame stands for itself and replaces what the encoder remembers. To answer one reader's request for
// a key frame, use an Encoder of its own, or this one between two records.
func (e *Encoder) Append(dst []byte, rec *Record) []byte {
	if e.known == nil {
		e.known = map[uint64]*Entity{}
	}
	flags := byte(0)
	if rec.Key {
		flags = recordKey
		clear(e.known)
	}
	if rec.FlightNews {
		flags |= recordFlights
	}
	if len(rec.Extras) > 0 {
		flags |= recordExtras
	}
	dst = append(dst, codecVersion<<4|typeRecord, flags)
	dst = appendText(dst, rec.Venue)
	dst = appendText(dst, rec.Region)
	dst = appendUint(dst, rec.Incarnation)
	dst = appendUint(dst, rec.Epoch)
	dst = appendUint(dst, rec.N)
	dst = appendUint(dst, rec.Tick)
	dst = appendUint(dst, rec.Durable)
	dst = appendInt(dst, rec.Start)
	dst = appendInt(dst, rec.End-rec.Start)

	dst = appendUint(dst, uint64(len(rec.Entities)))
	var last uint64
	for i := range rec.Entities {
		x := &rec.Entities[i]
		dst = appendInt(dst, int64(x.ID-last))
		last = x.ID
		dst = e.entity(dst, x)
	}
	dst = appendUint(dst, uint64(len(rec.Gone)))
	for _, id := range rec.Gone {
		dst = appendUint(dst, id)
		delete(e.known, id)
	}
	dst = appendUint(dst, uint64(len(rec.Events)))
	for i := range rec.Events {
		dst = appendEvent(dst, &rec.Events[i])
	}
	dst = appendUint(dst, uint64(len(rec.Cursors)))
	for _, c := range rec.Cursors {
		dst = appendUint(dst, c.Session)
		dst = appendUint(dst, uint64(c.Seq))
	}
	if flags&recordFlights != 0 {
		dst = appendUint(dst, uint64(len(rec.Flights)))
		for i := range rec.Flights {
			f := &rec.Flights[i]
			dst = appendText(appendUint(appendUint(dst, f.Entity), f.Session), f.To)
		}
	}
	if len(rec.Extras) > 0 {
		dst = appendEntityExtras(dst, rec.Extras)
	}
	return dst
}

func (e *Encoder) entity(dst []byte, x *Entity) []byte {
	old := e.known[x.ID]
	if old == nil {
		old = new(Entity)
		*old = *x
		e.known[x.ID] = old
		return appendInfo(appendState(dst, &x.State, &noState, true), x)
	}
	info := !sameInfo(old, x)
	dst = appendState(dst, &x.State, &old.State, info)
	if info {
		dst = appendInfo(dst, x)
	}
	*old = *x
	return dst
}

func sameInfo(a, b *Entity) bool {
	return a.Kind == b.Kind && a.Class == b.Class && a.Floor == b.Floor && a.Session == b.Session && a.User == b.User && a.Name == b.Name &&
		a.Hops == b.Hops
}

func appendInfo(dst []byte, x *Entity) []byte {
	dst = append(dst, byte(x.Kind))
	dst = appendUint(dst, uint64(x.Class))
	dst = append(dst, x.Floor)
	dst = appendUint(dst, x.Session)
	dst = appendText(dst, x.User)
	dst = appendText(dst, x.Name)
	return appendUint(dst, uint64(x.Hops))
}

func hands(b *lattice.Body) (left, right lattice.Vec, there bool) {
	if b.Left == (lattice.Joint{}) && b.Right == (lattice.Joint{}) {
		return left, right, false
	}
	return b.Left.Pos.Sub(b.Head.Pos), b.Right.Pos.Sub(b.Head.Pos), true
}

// appendState writes the differences of cur to base; info only sets its bit.
func appendState(dst []byte, cur, base *State, info bool) []byte {
	c, b := &cur.Body, &base.Body
	head := c.Head.Pos.Sub(b.Head.Pos)
	left, right, there := hands(c)
	bl, br, baseThere := hands(b)
	var first, more byte
	set := func(cond bool, mask *byte, bit byte) {
		if cond {
			*mask |= bit
		}
	}
	set(head != lattice.Vec{}, &first, hasHeadPos)
	set(c.Head.Rot != b.Head.Rot, &first, hasHeadRot)
	set(cur.AgeMS != base.AgeMS, &first, hasAge)
	if there {
		left, right = left.Sub(bl), right.Sub(br)
		set(left != lattice.Vec{}, &first, hasLeftPos)
		set(c.Left.Rot != b.Left.Rot, &first, hasLeftRot)
		set(right != lattice.Vec{}, &first, hasRightPos)
		set(c.Right.Rot != b.Right.Rot, &first, hasRightRot)
		if !baseThere && first&(hasLeftPos|hasLeftRot|hasRightPos|hasRightRot) == 0 {
			// Both hands came to be exactly at the head: something must say that they exist.
			first |= hasLeftPos
		}
	}
	set(!there && baseThere, &more, noHands)
	set(cur.Flags != base.Flags, &more, hasFlags)
	set(cur.Holder != base.Holder, &more, hasHolder)
	set(cur.Value != base.Value, &more, hasValue)
	set(info, &more, hasInfo)
	set(more != 0, &first, hasMore)
	dst = append(dst, first)
	if more != 0 {
		dst = append(dst, more)
	}
	if first&hasHeadPos != 0 {
		dst = appendVec(dst, head)
	}
	if first&hasHeadRot != 0 {
		dst = appendRot(dst, c.Head.Rot)
	}
	if first&hasLeftPos != 0 {
		dst = appendVec(dst, left)
	}
	if first&hasLeftRot != 0 {
		dst = appendRot(dst, c.Left.Rot)
	}
	if first&hasRightPos != 0 {
		dst = appendVec(dst, right)
	}
	if first&hasRightRot != 0 {
		dst = appendRot(dst, c.Right.Rot)
	}
	if first&hasAge != 0 {
		dst = append(dst, cur.AgeMS)
	}
	if more&hasFlags != 0 {
		dst = append(dst, cur.Flags)
	}
	if more&hasHolder != 0 {
		dst = appendUint(dst, cur.Holder)
	}
	if more&hasValue != 0 {
		dst = appendUint(dst, uint64(cur.Value))
	}
	return dst
}

// state changes s by the differences that appendState wrote, and says whether info follows.
func (r *reader) state(s *State) (info bool) {
	first := r.byte("fields")
	var more byte
	if first&hasMore != 0 {
		if more = r.byte("more fields"); more > moreAll {
			r.fail("more fields", "unknown bits in %#02x", more)
		}
	}
	c := &s.Body
	left, right, there := hands(c)
	if first&hasHeadPos != 0 {
		c.Head.Pos = c.Head.Pos.Add(r.vec("head position"))
	}
	if first&hasHeadRot != 0 {
		c.Head.Rot = r.rot("head rotation")
	}
	if first&hasLeftPos != 0 {
		left = left.Add(r.vec("left position"))
	}
	if first&hasLeftRot != 0 {
		c.Left.Rot = r.rot("left rotation")
	}
	if first&hasRightPos != 0 {
		right = right.Add(r.vec("right position"))
	}
	if first&hasRightRot != 0 {
		c.Right.Rot = r.rot("right rotation")
	}
	there = there || first&(hasLeftPos|hasLeftRot|hasRightPos|hasRightRot) != 0
	switch {
	case more&noHands != 0:
		c.Left, c.Right = lattice.Joint{}, lattice.Joint{}
	case there:
		c.Left.Pos, c.Right.Pos = c.Head.Pos.Add(left), c.Head.Pos.Add(right)
	}
	if first&hasAge != 0 {
		s.AgeMS = r.byte("age")
	}
	if more&hasFlags != 0 {
		s.Flags = r.byte("flags")
	}
	if more&hasHolder != 0 {
		s.Holder = r.uint("holder")
	}
	if more&hasValue != 0 {
		s.Value = uint32(r.uintTo("value", 1<<32-1))
	}
	return more&hasInfo != 0
}

func appendEvent(dst []byte, e *Event) []byte {
	dst = appendUint(dst, e.N)
	dst = appendUint(dst, e.Tick)
	dst = appendInt(dst, e.TimeUS)
	dst = append(dst, byte(e.Audience))
	dst = appendUint(dst, e.Session)
	dst = appendUint(dst, uint64(e.Seq))
	dst = appendUint(dst, e.Entity)
	dst = appendVec(dst, e.At)
	dst = appendText(dst, e.Type)
	dst = appendText(dst, e.Rule)
	dst = appendText(dst, e.Digest)
	return appendText(dst, e.Body)
}

func (r *reader) event(e *Event) {
	e.N = r.uint("event number")
	e.Tick = r.uint("event tick")
	e.TimeUS = r.int("event time")
	e.Audience = Audience(r.byte("event audience"))
	e.Session = r.uint("event session")
	e.Seq = uint32(r.uintTo("event seq", 1<<32-1))
	e.Entity = r.uint("event entity")
	e.At = r.vec("event place")
	e.Type = r.string("event type")
	e.Rule = r.string("event rule")
	e.Digest = r.string("event digest")
	if body := r.bytes("event body"); len(body) > 0 {
		e.Body = bytes.Clone(body)
	}
}

// Decoder reads one region's stream. The zero value waits for a key frame.
type Decoder struct {
	known map[uint64]*Entity
	begun bool // a key frame was read and nothing was missed since
	last  head // of the newest record read
	rec   Record
}

// head tells records apart.
type head struct {
	incarnation, epoch, n uint64
}

// Decode reads one message. It yields entities in full whatever the record had of them. The record is
// valid until the next call; strings and event bodies in it may be kept. A key frame
// may come at any time, from the stream or from a request: what it does not list is
// gone. Positions of entities are within ±lattice.MaxMetres and rotations valid. An error leaves the decoder as it was, except that after ErrGap and malformed records
// (ErrMalformed) it waits for a key frame.
func (d *Decoder) Decode(b []byte) (*Record, error) {
	var r reader
	r.start(b, typeRecord)
	flags := r.byte("flags")
	if flags > recordAll {
		r.fail("flags", "unknown bits in %#02x", flags)
	}
	rec := &d.rec
	*rec = Record{
		Venue: rec.Venue, Region: rec.Region, Key: flags&recordKey != 0,
		Entities: rec.Entities[:0], Gone: rec.Gone[:0], Events: rec.Events[:0], Cursors: rec.Cursors[:0],
		Extras: rec.Extras[:0], Flights: rec.Flights[:0], FlightNews: flags&recordFlights != 0,
	}
	r.text("venue", &rec.Venue)
	r.text("region", &rec.Region)
	rec.Incarnation = r.uint("incarnation")
	rec.Epoch = r.uint("epoch")
	rec.N = r.uint("n")
	rec.Tick = r.uint("tick")
	rec.Durable = r.uint("durable")
	rec.Start = r.int("start")
	rec.End = rec.Start + r.int("end")
	if r.err != nil {
		d.begun = false
		return nil, r.err
	}
	if err := d.follows(rec); err != nil {
		return nil, err
	}
	// From here on a fault leaves half a record behind: only a key frame mends that.
	d.begun = false
	if rec.Key {
		clear(d.known)
	}
	d.entities(&r, rec)
	d.lists(&r, rec)
	if flags&recordExtras != 0 {
		rec.Extras = r.entityExtras(rec.Extras)
	}
	r.end()
	if r.err != nil {
		return nil, r.err
	}
	d.begun = true
	d.last = head{rec.Incarnation, rec.Epoch, rec.N}
	return rec, nil
}

// follows says whether the record can be read on top of what is there.
func (d *Decoder) follows(rec *Record) error {
	h := head{rec.Incarnation, rec.Epoch, rec.N}
	same := h.incarnation == d.last.incarnation && h.epoch == d.last.epoch
	switch {
	case h.incarnation == d.last.incarnation && h.epoch < d.last.epoch:
		return ErrOld
	case rec.Key && (!d.begun || !same || h.n > d.last.n):
		if same && h.n < d.last.n {
			return ErrOld
		}
		return nil
	case same && h.n <= d.last.n:
		return ErrOld
	case d.begun && same && h.n == d.last.n+1:
		return nil
	}
	d.begun = false
	return ErrGap
}

func (d *Decoder) entities(r *reader, rec *Record) {
	if d.known == nil {
		d.known = map[uint64]*Entity{}
	}
	n := r.count("entities", 2)
	// A record has an entity once, and one that is new takes ten bytes at least.
	if most := len(d.known) + len(r.b)/10; n > most {
		r.fail("entities", "%d; at most %d are known or fit", n, most)
		return
	}
	var last uint64
	for range n {
		id := last + uint64(r.int("entity id"))
		last = id
		x, fresh := d.known[id], false
		if x == nil {
			x, fresh = &Entity{ID: id}, true
		}
		info := r.state(&x.State)
		r.bounds(&x.State.Body)
		if info {
			r.info(x)
		}
		if fresh && !info {
			r.fail("entity", "%d was never described", id)
		}
		if r.err != nil {
			return
		}
		if fresh {
			d.known[id] = x
		}
		rec.Entities = append(rec.Entities, *x)
	}
}

// bounds refuses a body that clients could not be shown. Rotations are checked as they are read.
func (r *reader) bounds(b *lattice.Body) {
	const most = lattice.MaxMetres * lattice.Steps
	for _, p := range [...]*lattice.Vec{&b.Head.Pos, &b.Left.Pos, &b.Right.Pos} {
		if p.X > most || p.X < -most || p.Y > most || p.Y < -most || p.Z > most || p.Z < -most {
			r.fail("position", "%v is outside ±%d m", *p, lattice.MaxMetres)
			return
		}
	}
}

func (r *reader) info(x *Entity) {
	x.Kind = EntityKind(r.byte("kind"))
	x.Class = uint16(r.uintTo("class", 1<<16-1))
	x.Floor = r.byte("floor")
	x.Session = r.uint("session")
	x.User = r.string("user")
	x.Name = r.string("name")
	x.Hops = uint32(r.uintTo("hops", 1<<32-1))
}

func (d *Decoder) lists(r *reader, rec *Record) {
	for range r.count("gone", 1) {
		id := r.uint("gone")
		delete(d.known, id)
		rec.Gone = append(rec.Gone, id)
	}
	for range r.count("events", 14) {
		rec.Events = append(rec.Events, Event{})
		r.event(&rec.Events[len(rec.Events)-1])
		if r.err != nil {
			return
		}
	}
	for range r.count("cursors", 2) {
		rec.Cursors = append(rec.Cursors, Cursor{r.uint("cursor session"), uint32(r.uintTo("cursor seq", 1<<32-1))})
	}
	if !rec.FlightNews {
		return
	}
	for range r.count("flights", 3) {
		rec.Flights = append(rec.Flights, Flight{r.uint("flight entity"), r.uint("flight session"), r.string("flight to")})
	}
}

// text reads a string into s without allocating when it is the same.
func (r *reader) text(field string, s *string) {
	if b := r.bytes(field); string(b) != *s {
		*s = string(b)
	}
}
