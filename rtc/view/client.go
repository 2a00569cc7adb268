package view

import (
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/host/aoi"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

const (
	// margin is how far outside the nine cells an entity may be, in steps; farther for a second, and it leaves.
	margin = 3 * lattice.Steps / 2

	// keptFrames is how many frames a client may still acknowledge.
	keptFrames = 64
	// ackedBits is how many frames before the newest one an acknowledgement tells of.
	ackedBits = 32
	// maxBaseAge is how many frames old a baseline may be. The client keeps wire.MaxBaseAge of them.
	maxBaseAge = 60
	// quarantine is how many frames a handle rests after its leave was acknowledged: longer than
	// any frame that still names it can be accepted.
	quarantine = 256
	// farFrames is how many frames pass between two updates of an avatar that is not among the near
	// ones, at 30 frames a second; at other rates it is as many seconds.
	farFrames = 8
	// maxHandles is how many handles there are.
	maxHandles = 1 << 16
)

// ErrNeverSent refuses an acknowledgement of a frame that was not sent. Ignore it, or count it
// against the client.
var ErrNeverSent = errors.New("acknowledges a frame that was never sent")

// Client is one client's view of a World.
type Client struct {
	w     *World
	self  uint64
	set   *aoi.Set
	floor uint8
	room  uint16        // see entity
	head  lattice.Joint // of the own avatar, as of the last frame
	gaze  lattice.Vec   // where it looks, lattice.Steps long
	there bool          // the own avatar was in the World once

	ranking  uint32 // counts rankings of the set
	farEvery uint64 // frames between two updates of what is far
	// extrasEvery is how many frames lie between two that tell of each optional stream of an avatar.
	extrasEvery [lattice.StreamCount]uint64

	slots   []slot // by handle
	byID    map[uint64]uint16
	active  []uint16 // handles in use, in no particular order
	free    []uint16
	resting []resting // handles in quarantine, oldest first, from resting[rested]
	rested  int
	waiting []uint64 // ids in the set that have no handle yet
	handles int      // at most this many handles exist
	visible int

	next  uint64 // number of the next frame; the first is 1. The wire has the low 16 bits
	acked uint64 // newest acknowledged frame, 0 for none
	lag   uint64 // eighths of a frame between a frame and its acknowledgement, smoothed
	ring  [keptFrames]sent

	out        wire.FrameWriter
	tight      uint64 // frames before this one come soon after one that had no room for everything
	headsFirst bool   // in this frame
	chain      chain  // scratch of writeUpdate

	// Scratch of Frame: handles due in this frame.
	leaves          []uint16
	enters, updates []due
	extras          []dueExtras
}

// phase is where a handle is in its life.
type phase uint8

const (
	unbound  phase = iota // free, or in quarantine
	entering              // enters are repeated until one is acknowledged
	shown                 // the client has it: updates
	leaving               // leaves are repeated until one is acknowledged
)

// slot is what a client was told and has acknowledged of the entity behind a handle.
type slot struct {
	ent   *entity // nil when leaving or unbound
	info  wire.Info
	phase phase
	// told says that the client may know the handle, since an enter was sent.
	told bool
	// life counts enters and leaves of the handle. A frame that carried something of an earlier life
	// says nothing about this one.
	life   uint32
	active int

	ranking uint32 // Client.ranking when it was last found to be near

	since uint64 // frame at which this life began
	// The newest frame of this life that carried it, 0 for none, and what that said of it.
	sent     uint64
	sentSaid said
	applied  wire.Told // acknowledged frames of this life that carried its state; their versions are of type said

	dueIn    uint64 // frame that it is due in, for what it holds
	priority uint64 // in that frame
	far      bool   // as of the newest frame that it could be updated in: on the coarse lattice,
	lesser   bool   // and not so near that its hands matter as much as its head
	holds    uint64 // frame in which something that it holds is due with it

	toldExtras bool // something of the optional streams was sent in this life
	extras     [lattice.StreamCount]toldStream
}

type resting struct {
	handle uint16
	until  uint64
}

// sent is a frame that may still be acknowledged.
type sent struct {
	acked   bool
	tick    uint32
	carried []carried
	extras  []carriedExtras
}

type carried struct {
	handle uint16
	op     wire.Op
	life   uint32
	said   said
}

// NewClient makes the view of a client whose own avatar is the entity self. That avatar is not
// shown to it. Until the World has seen the avatar, the client sees nothing.
func NewClient(w *World, self uint64) *Client {
	c := &Client{
		w: w, self: self,
		set: aoi.NewSet(w.grid, aoi.Viewer{
			Self: self, Margin: margin, Stay: uint64(w.venue.TickHz), Near: w.venue.Interest.Near,
		}),
		farEvery: uint64(max(w.venue.SendHz*farFrames/30, 1)),
		byID:     make(map[uint64]uint16),
		handles:  maxHandles,
		next:     1,
		lag:      6 * 8, // 200 ms at 30 Hz, until it is measured
	}
	for i, hz := range extrasHz {
		c.extrasEvery[i] = uint64(max(1, (w.venue.SendHz+hz-1)/hz))
	}
	return c
}

// Unheard returns how many frames were sent since the newest that the client acknowledged. A client that never
// acknowledges costs bandwidth and up to 10 MiB, for the handles of what left and that it does not confirm: close it
// when this passes what a lost connection takes to be noticed.
func (c *Client) Unheard() uint64 { return c.next - 1 - c.acked }

// Visible returns how many entities the client is shown, those whose enter is on the way included.
func (c *Client) Visible() int { return c.visible }

// Sees reports whether the client is shown an entity, or is it.
func (c *Client) Sees(id uint64) bool {
	if id == c.self {
		return true
	}
	h, ok := c.byID[id]
	return ok && c.slots[h].phase != leaving
}

// SeesCell reports whether a point, in venue coordinates, lies in the nine cells around the client's
// own avatar, on its floor, and in a room that it sees. A point outside every floor counts as on the avatar's.
func (c *Client) SeesCell(at lattice.Vec) bool {
	if !c.there {
		return false
	}
	if f := c.w.venue.FloorAt(at, int(c.floor)); f >= 0 && f != int(c.floor) {
		return false
	}
	if !c.w.rooms.See(c.room, c.w.roomAt(c.floor, at, 0)) {
		return false
	}
	return c.w.grid.CellOf(c.floor, at).Near(c.w.grid.CellOf(c.floor, c.head.Pos))
}

// Ack takes an acknowledgement: the client applied frame seq, and frame seq-1-i for
// each bit i of bits. Those of frames too old to matter are ignored. Acknowledging a frame that was never sent
// is ErrNeverSent, and the whole acknowledgement is ignored.
func (c *Client) Ack(seq uint16, bits uint32) error {
	newest := c.next - 1
	age := uint64(uint16(newest) - seq)
	if age >= 1<<15 || age >= newest {
		return fmt.Errorf("frame %d: %w: the newest is %d", seq, ErrNeverSent, uint16(newest))
	}
	number := newest - age
	for i := range uint64(ackedBits) {
		if bits>>i&1 != 0 && number < i+2 {
			return fmt.Errorf("bit %d of frame %d: %w: the first was 1", i, seq, ErrNeverSent)
		}
	}
	if age >= keptFrames {
		return nil
	}
	if number > c.acked {
		c.acked = number
		c.lag = c.lag + (c.next - number) - c.lag/8
	}
	c.confirm(number, number)
	for i := range uint64(ackedBits) {
		if bits>>i&1 != 0 && number-1-i+keptFrames > newest {
			c.confirm(number-1-i, number)
		}
	}
	return nil
}

// confirm notes that the client applied a frame, one of the last keptFrames; newest is the newest that the same
// acknowledgement names.
func (c *Client) confirm(number, newest uint64) {
	f := &c.ring[number%keptFrames]
	if f.acked {
		return
	}
	f.acked = true
	c.confirmExtras(number, f)
	for _, it := range f.carried {
		s := &c.slots[it.handle]
		if s.life != it.life {
			continue
		}
		if it.op == wire.OpLeave {
			c.rest(it.handle)
			continue
		}
		s.phase = shown
		s.applied.Confirm(wire.ToldFrame{Frame: number, Tick: f.tick, Version: uint32(it.said), Enter: it.op == wire.OpEnter}, newest)
	}
}

// enter shows an entity that came into the set.
func (c *Client) enter(id uint64) {
	ent := c.w.entities[id]
	if ent == nil || id == c.self {
		return
	}
	h, known := c.byID[id]
	if known && c.slots[h].info != ent.info || !known && !c.newHandle(&h) {
		// The id stands for something else now, so that its leave must be through first; or all
		// handles are in use.
		c.waiting = append(c.waiting, id)
		return
	}
	s := &c.slots[h]
	if !known {
		s.active = len(c.active)
		c.active = append(c.active, h)
		c.byID[id] = h
	}
	*s = slot{ent: ent, info: ent.info, phase: entering, told: s.told, life: s.life + 1, active: s.active, since: c.next}
	c.visible++
}

// leave takes an entity out of the view that left the set.
func (c *Client) leave(id uint64) {
	if i := slices.Index(c.waiting, id); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		return
	}
	h, known := c.byID[id]
	if !known {
		return // the client's own avatar
	}
	c.visible--
	s := &c.slots[h]
	if !s.told {
		c.unbind(h)
		c.free = append(c.free, h)
		return
	}
	*s = slot{info: s.info, phase: leaving, told: true, life: s.life + 1, active: s.active, since: c.next}
}

// retry enters those that had to wait.
func (c *Client) retry() {
	if len(c.waiting) == 0 {
		return
	}
	ids := c.waiting
	c.waiting = nil
	for _, id := range ids {
		c.enter(id)
	}
}

// newHandle takes a handle that no frame under way can name.
func (c *Client) newHandle(h *uint16) bool {
	if n := len(c.free); n > 0 {
		*h = c.free[n-1]
		c.free = c.free[:n-1]
		return true
	}
	if len(c.slots) == c.handles {
		return false
	}
	*h = uint16(len(c.slots))
	c.slots = append(c.slots, slot{})
	return true
}

// rest puts a handle whose leave was acknowledged into quarantine.
func (c *Client) rest(h uint16) {
	c.unbind(h)
	c.resting = append(c.resting, resting{h, c.next + quarantine})
}

// unbind ends the life of a handle.
func (c *Client) unbind(h uint16) {
	s := &c.slots[h]
	last := len(c.active) - 1
	moved := c.active[last]
	c.active[s.active] = moved
	c.slots[moved].active = s.active
	c.active = c.active[:last]
	delete(c.byID, s.info.ID)
	*s = slot{life: s.life + 1}
}

// recycle frees the handles whose quarantine is over.
func (c *Client) recycle() {
	for c.rested < len(c.resting) && c.resting[c.rested].until <= c.next {
		c.free = append(c.free, c.resting[c.rested].handle)
		c.rested++
	}
	if c.rested > len(c.resting)/2 {
		n := copy(c.resting, c.resting[c.rested:])
		c.resting, c.rested = c.resting[:n], 0
	}
}
