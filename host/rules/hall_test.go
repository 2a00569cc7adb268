package rules_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/venued/venued/abi"
)

// The hall is where rules in different languages are compared: people who reach for objects and walk through zones with doors.
const (
	hallUsers   = 200
	hallObjects = 500
	hallDoors   = 64
	hallTickUS  = 33_333
	hallReach   = 614
	hallCloseUS = 2_000_000
)

// hall plays a region: what it gives to the rules follows from what they did before.
type hall struct {
	r      *rand.Rand
	tick   uint64
	holder [hallObjects]uint64
	hands  [hallUsers]int // the object in the right hand, + 1
	zone   [hallUsers]int // where a person is, + 1
	people [hallDoors]int
	timers map[[2]uint64]uint64 // zone and door: when it fires
	due    [][2]uint64
}

func newHall(seed uint64) *hall {
	return &hall{r: rand.New(rand.NewPCG(seed, 0x68616c6c)), timers: map[[2]uint64]uint64{}}
}

// Ids begin at 1 and are of the size that a region's are.
func hallUser(i int) uint64   { return 1<<32 | uint64(i+1) }
func hallObject(i int) uint64 { return 2<<32 | uint64(i+1) }
func hallZone(i int) uint64   { return 3<<32 | uint64(i+1) }
func hallDoor(i int) uint64   { return 4<<32 | uint64(i+1) }

// next makes a batch of at most n events, and of few enough that need an answer.
func (h *hall) next(n int) []byte {
	h.tick++
	now := h.tick * hallTickUS
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: h.tick, TimeUS: now, Seed: h.tick})
	h.due = h.due[:0]
	for k, at := range h.timers {
		if at <= now {
			h.due = append(h.due, k)
		}
	}
	slices.SortFunc(h.due, func(a, b [2]uint64) int { return int(int64(a[0] - b[0])) })
	for _, k := range h.due {
		delete(h.timers, k)
		b.Event(&abi.Event{Kind: abi.EventTimer, Scope: abi.ScopeZone, Subject: k[0], Object: k[0], Value: k[1], Count: uint32(h.people[int(uint32(k[0]))-1])})
	}
	for answers := 0; b.Events() < n; {
		e := h.event(now, answers < 800)
		if e.Kind == abi.EventGrab || e.Kind == abi.EventRelease {
			answers++
		}
		b.Event(&e)
	}
	for i := range hallDoors {
		b.Row(&abi.Row{Kind: abi.RowDoor, ID: hallDoor(i), Flags: uint16(b2i(h.r.IntN(16) == 0))})
	}
	return b.Finish()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// event makes one that can happen: requests only while some more may be answered.
func (h *hall) event(now uint64, requests bool) abi.Event {
	u := h.r.IntN(hallUsers)
	e := abi.Event{Subject: hallUser(u), Hand: 1, Stamp: now - uint64(h.r.IntN(100_000)), X: int32(u) << 10, Y: 1700, Z: int32(h.r.IntN(40_000))}
	switch k := h.r.IntN(100); {
	case k < 40 && requests:
		o := h.r.IntN(hallObjects)
		if h.r.IntN(3) == 0 {
			o = h.r.IntN(10) // that everybody wants
		}
		e.Kind, e.Object, e.Class, e.Holder, e.Dist = abi.EventGrab, hallObject(o), uint32(o%4), h.holder[o], uint32(h.r.IntN(700))
	case k < 60 && requests && h.hands[u] > 0:
		o := h.hands[u] - 1
		e.Kind, e.Object, e.Class, e.Holder = abi.EventRelease, hallObject(o), uint32(o%4), h.holder[o]
	case k < 63 && h.hands[u] > 0:
		o := h.hands[u] - 1
		h.hands[u], h.holder[o] = 0, 0
		e.Kind, e.Object, e.Class = abi.EventDropped, hallObject(o), uint32(o%4)
	case h.zone[u] > 0:
		z := h.zone[u] - 1
		h.zone[u] = 0
		h.people[z]--
		e.Kind, e.Object, e.Aux, e.Value = abi.EventExit, hallZone(z), hallDoor(z), uint64(h.people[z])
	default:
		z := h.r.IntN(hallDoors)
		h.zone[u] = z + 1
		h.people[z]++
		e.Kind, e.Object, e.Aux, e.Value = abi.EventEnter, hallZone(z), hallDoor(z), uint64(h.people[z])
	}
	return e
}

// apply does what the rules wanted.
func (h *hall) apply(cmds []abi.Command) {
	for _, c := range cmds {
		u, o := int(uint32(c.Subject))-1, int(uint32(c.Object))-1
		switch c.Kind {
		case abi.CmdGrant:
			if was := h.hands[u]; was > 0 {
				h.holder[was-1] = 0
			}
			h.hands[u], h.holder[o] = o+1, c.Subject
		case abi.CmdRelease:
			if holder := h.holder[o]; holder != 0 {
				h.hands[int(uint32(holder))-1], h.holder[o] = 0, 0
			}
		case abi.CmdTimerStart:
			h.timers[[2]uint64{c.Subject, uint64(c.Value)}] = h.tick*hallTickUS + c.Aux
		case abi.CmdTimerCancel:
			delete(h.timers, [2]uint64{c.Subject, uint64(c.Value)})
		}
	}
}

// hallNative is both rules of the hall in Go, as fast as plain code is: it reads and writes records where they lie and
// allocates nothing. Its algorithms are those of the plugins.
type hallNative struct {
	held       [4096]heldSlot
	generation uint32
	zones      []zoneDeeds
	grabs      []byte
	doors      []byte
}

type heldSlot struct {
	object, holder uint64
	generation     uint32
}

type zoneDeeds struct {
	zone, door            uint64
	entered, emptied, due bool
}

func (n *hallNative) slot(object uint64) *heldSlot {
	i := object * 0x9e3779b97f4a7c15 >> 52
	for n.held[i].generation == n.generation && n.held[i].object != object {
		i = (i + 1) % 4096
	}
	return &n.held[i]
}

var le = binary.LittleEndian

// add appends a command's record.
func add(dst []byte, kind abi.CommandKind, event uint32, subject, object uint64, value int64) []byte {
	if len(dst) == 0 {
		dst = append(dst, make([]byte, abi.CommandHeaderSize)...)
	}
	var r [abi.CommandSize]byte
	le.PutUint16(r[0:], uint16(kind))
	le.PutUint32(r[4:], event)
	le.PutUint64(r[8:], subject)
	le.PutUint64(r[16:], object)
	le.PutUint64(r[24:], uint64(value))
	return append(dst, r[:]...)
}

// finish fills in the header of a list.
func finish(list []byte) []byte {
	if len(list) == 0 {
		return nil
	}
	le.PutUint32(list[0:], abi.MagicCommands)
	le.PutUint16(list[4:], abi.Minor)
	le.PutUint16(list[6:], abi.CommandSize)
	le.PutUint32(list[8:], uint32((len(list)-abi.CommandHeaderSize)/abi.CommandSize))
	return list
}

// grab is the grab rule.
func (n *hallNative) grab(batch []byte) []byte {
	n.generation++
	out := n.grabs[:0]
	size, count := int(le.Uint16(batch[12:])), le.Uint32(batch[8:])
	at := int(le.Uint16(batch[6:]))
	for i := uint32(1); i <= count; i++ {
		r := batch[at : at+abi.EventSize]
		at += size
		switch abi.EventKind(le.Uint16(r)) {
		case abi.EventGrab:
			subject, object, holder := le.Uint64(r[16:]), le.Uint64(r[24:]), le.Uint64(r[32:])
			if le.Uint32(r[60:]) > hallReach {
				out = add(out, abi.CmdDeny, i, subject, object, abi.DenyReach)
				continue
			}
			s := n.slot(object)
			if s.generation == n.generation {
				holder = s.holder
			}
			if holder != 0 && holder != subject {
				out = add(out, abi.CmdDeny, i, subject, object, abi.DenyHeld)
				continue
			}
			*s = heldSlot{object, subject, n.generation}
			out = add(out, abi.CmdGrant, i, subject, object, int64(r[2]))
		case abi.EventRelease:
			subject, object := le.Uint64(r[16:]), le.Uint64(r[24:])
			s := n.slot(object)
			if s.generation == n.generation && s.holder != subject {
				out = add(out, abi.CmdDeny, i, subject, object, abi.DenyNotHeld)
				continue
			}
			*s = heldSlot{object, 0, n.generation}
			out = add(out, abi.CmdRelease, i, subject, object, 0)
		case abi.EventDropped:
			object := le.Uint64(r[24:])
			*n.slot(object) = heldSlot{object, 0, n.generation}
		}
	}
	n.grabs = out
	return finish(out)
}

func (n *hallNative) deeds(zone, door uint64) *zoneDeeds {
	for i := range n.zones {
		if z := &n.zones[i]; z.zone == zone && z.door == door {
			return z
		}
	}
	n.zones = append(n.zones, zoneDeeds{zone: zone, door: door})
	return &n.zones[len(n.zones)-1]
}

// door is the door rule.
func (n *hallNative) door(batch []byte) []byte {
	n.zones = n.zones[:0]
	size, count := int(le.Uint16(batch[12:])), int(le.Uint32(batch[8:]))
	at := int(le.Uint16(batch[6:]))
	rows := batch[at+count*size:]
	for range count {
		r := batch[at : at+abi.EventSize]
		at += size
		switch abi.EventKind(le.Uint16(r)) {
		case abi.EventEnter:
			if aux := le.Uint64(r[72:]); aux != 0 {
				n.deeds(le.Uint64(r[24:]), aux).entered = true
			}
		case abi.EventExit:
			if aux := le.Uint64(r[72:]); aux != 0 && le.Uint64(r[64:]) == 0 {
				n.deeds(le.Uint64(r[24:]), aux).emptied = true
			}
		case abi.EventTimer:
			if abi.Scope(le.Uint16(r[4:])) == abi.ScopeZone && le.Uint32(r[12:]) == 0 {
				n.deeds(le.Uint64(r[16:]), le.Uint64(r[64:])).due = true
			}
		}
	}
	out := n.doors[:0]
	rowSize, rowCount := int(le.Uint16(batch[14:])), int(le.Uint32(batch[16:]))
	for i := range n.zones {
		z := &n.zones[i]
		locked := false
		for k := range rowCount {
			r := rows[k*rowSize : k*rowSize+abi.RowSize]
			if abi.RowKind(le.Uint16(r)) == abi.RowDoor && le.Uint64(r[8:]) == z.door && le.Uint16(r[2:])&abi.FlagLocked != 0 {
				locked = true
				break
			}
		}
		if locked {
			continue
		}
		if z.entered {
			out = add(out, abi.CmdDoor, 0, 0, z.door, 1000)
		} else if z.due && !z.emptied {
			out = add(out, abi.CmdDoor, 0, 0, z.door, 0)
		}
		timer, aux := abi.CommandKind(0), uint64(0)
		if z.emptied {
			timer, aux = abi.CmdTimerStart, hallCloseUS
		} else if z.entered {
			timer = abi.CmdTimerCancel
		}
		if timer != 0 {
			out = add(out, timer, 0, z.zone, 0, int64(z.door))
			r := out[len(out)-abi.CommandSize:]
			le.PutUint16(r[2:], uint16(abi.ScopeZone))
			le.PutUint64(r[56:], aux)
		}
	}
	n.doors = out
	return finish(out)
}
