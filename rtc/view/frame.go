package view

import (
	"cmp"
	"slices"

	"github.com/venued/venued/host/aoi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// FrameHints is what a frame says or heeds besides the entities.
type FrameHints struct {
	PoseSeq  uint16 // newest uplink sample of this client, if HasPose
	HasPose  bool
	Throttle bool // the client's connection is bad: heads first, and what is far half as often
}

// nearSteps is what counts as near when there is not room for everything: nobody's rate within arm's length and
// a step is cut.
const nearSteps = 3 * lattice.Steps

// tightFrames is how many frames count as tight after one that had no room for an update: a second.
const tightFrames = 30

// maxMisses is how many updates that do not fit are passed over in search of one that does.
const maxMisses = 6

// due is a record that a frame could carry.
type due struct {
	priority uint64
	group    uint16 // the handle of whoever holds it, else its own: they travel side by side
	held     bool   // group is another's
	handle   uint16
}

func byPriority(a, b due) int {
	switch {
	case a.priority != b.priority:
		return cmp.Compare(b.priority, a.priority)
	case a.group != b.group:
		return cmp.Compare(a.group, b.group)
	case a.held != b.held:
		if b.held {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.handle, b.handle)
}

// Frame moves the view to a tick and writes the client's next frame into buf, whose content is
// overwritten; one of less than wire.MaxFrame bytes capacity is replaced. There is always a frame, if
// only a header, and it is at most wire.MaxFrame bytes long. It counts as sent: one that the caller does
// not send is as good as lost on the way.
//
// Leaves come first, then entering entities, which may take half of the frame while
// updates wait, then updates. Within each, priority is the weight, by distance and by where the client looks, times the frames
// waited, so everything has its turn. Avatars beyond the nearest are updated in every eighth frame only, each
// in its own, so that a crowd leaves room for them. What room is left the optional streams of near avatars get.
func (c *Client) Frame(buf []byte, now uint64, h FrameHints) []byte {
	c.recycle()
	c.headsFirst = h.Throttle || c.next < c.tight
	c.look(now)
	c.choose(h.Throttle)

	f := &c.ring[c.next%keptFrames]
	f.acked, f.tick, f.carried, f.extras = false, uint32(now), f.carried[:0], f.extras[:0]
	c.out.Reset(buf, wire.MaxFrame, wire.FrameHeader{
		Seq: uint16(c.next), Tick: uint32(now), PoseSeq: h.PoseSeq, HasPose: h.HasPose, Throttle: h.Throttle,
	})
	c.write(f)
	c.chooseExtras()
	c.writeExtras(f)
	c.next++
	return c.out.Bytes()
}

// look brings handles in line with the area of interest.
func (c *Client) look(now uint64) {
	if me := c.w.entities[c.self]; me != nil {
		c.there, c.floor, c.room, c.head = true, me.e.Floor, me.room, me.e.State.Body.Head
		c.gaze = me.personal.now.Gaze.Direction(c.head.Rot) // straight ahead, if there is none
	}
	if !c.there {
		return
	}
	entered, left := c.set.Update(now, aoi.Place{Floor: c.floor, Room: c.room, At: c.head.Pos})
	for _, id := range left {
		c.leave(id)
	}
	c.retry()
	for _, id := range entered {
		c.enter(id)
	}
	if c.set.Ranked() {
		c.ranking++
		c.set.Near(c.near)
	} else {
		c.set.Joined(c.near)
	}
}

// near notes that an entity is one of the near ones.
func (c *Client) near(id uint64) {
	if h, ok := c.byID[id]; ok {
		c.slots[h].ranking = c.ranking
	}
}

// choose finds what is due in this frame, in order of priority.
func (c *Client) choose(throttle bool) {
	c.leaves, c.enters, c.updates = c.leaves[:0], c.enters[:0], c.updates[:0]
	held := 0
	for _, h := range c.active {
		s := &c.slots[h]
		if s.phase == leaving {
			if c.unheard(s) {
				c.leaves = append(c.leaves, h)
			}
			continue
		}
		var holder *slot
		far := false
		if s.phase == shown {
			holder = c.holder(s)
			far = c.far(s, holder)
		}
		if s.phase == shown && s.sentSaid.upToDate(s.ent.version, far) {
			if base, _ := s.applied.Newest(); base.Frame == s.sent || !c.unheard(s) {
				continue
			}
		} else if s.phase == entering && !c.unheard(s) {
			continue
		}
		st := &s.ent.e.State
		away := distance(c.head.Pos, st.Body.Head.Pos)
		waited := c.next - max(s.sent, s.since)
		d := due{group: h, handle: h}
		if s.phase == shown {
			s.far, s.lesser = far, away > nearSteps && !s.ent.presents
			if throttle && s.lesser && waited < 2 && s.sentSaid.handsAge() == 0 && !c.headWillDo(s) {
				continue
			}
			if holder != nil {
				d.group = c.byID[holder.ent.e.ID]
			}
			if far && !c.turn(d.group, waited) {
				continue
			}
			if holder != nil {
				d.held = true
				held++
			}
		}
		s.dueIn, s.priority = c.next, c.weight(s, away)*(waited+1)
		d.priority = s.priority
		if s.phase == entering {
			c.enters = append(c.enters, d)
			continue
		}
		c.updates = append(c.updates, d)
	}
	if held > 0 {
		c.joinHolders()
	}
	slices.Sort(c.leaves)
	slices.SortFunc(c.enters, byPriority)
	slices.SortFunc(c.updates, byPriority)
}

// holder returns the slot of whoever holds an object, if the client is shown them.
func (c *Client) holder(s *slot) *slot {
	if s.ent.e.Kind != stream.Object || s.ent.e.State.Holder == 0 {
		return nil
	}
	h, ok := c.byID[s.ent.e.State.Holder]
	if !ok || c.slots[h].ent == nil {
		return nil
	}
	return &c.slots[h]
}

// far reports whether an entity, or its holder, is an avatar that is neither near nor presents.
func (c *Client) far(s, holder *slot) bool {
	if holder != nil {
		s = holder
	}
	return s.ent.e.Kind == stream.Avatar && s.ranking != c.ranking && !s.ent.presents
}

// turn reports whether this frame is one for a far entity: each has one of farEvery frames, by its handle, so that
// every frame has as many; one that found no room in its frame is due in each until it has.
func (c *Client) turn(h uint16, waited uint64) bool {
	return (c.next+uint64(h))%c.farEvery == 0 || waited > c.farEvery
}

// joinHolders gives a hand and what it holds one priority, the higher of the two, so that one frame shows
// both.
func (c *Client) joinHolders() {
	for i := range c.updates {
		d := &c.updates[i]
		if !d.held {
			continue
		}
		h := d.group
		if c.slots[h].dueIn != c.next || c.slots[h].phase != shown {
			d.held, d.group = false, d.handle // the holder is not due
			continue
		}
		c.slots[h].priority = max(c.slots[h].priority, d.priority)
		c.slots[h].holds = c.next
	}
	for i := range c.updates {
		d := &c.updates[i]
		d.priority = c.slots[d.group].priority
	}
}

// unheard reports whether what was last sent of a slot has to be sent again: never sent, passed by an
// acknowledgement that does not tell of it, or not answered in the time answers take. The
// caller knows that it is not acknowledged.
func (c *Client) unheard(s *slot) bool {
	return s.sent == 0 || c.missed(s.sent)
}

// missed reports whether what a frame said, and the client is not known to have, has to be sent again.
func (c *Client) missed(frame uint64) bool {
	return frame < c.acked || c.next-frame >= min(c.lag/8+2, ackedBits)
}

// write fills a frame with what is due and notes what it carries.
func (c *Client) write(f *sent) {
	for _, h := range c.leaves {
		if !c.out.Leave(h) {
			break
		}
		c.note(f, h, wire.OpLeave, 0)
	}
	n := 0
	for n < len(c.enters) {
		if len(c.updates) > 0 && len(c.out.Bytes()) > wire.MaxFrame/2 || !c.writeEnter(f, c.enters[n].handle) {
			break
		}
		n++
	}
	misses := 0
	for i := range c.updates {
		if misses == maxMisses {
			break
		}
		if !c.writeUpdate(f, c.updates[i].handle) {
			misses++
			c.tight = c.next + tightFrames
		}
	}
	for ; n < len(c.enters) && c.writeEnter(f, c.enters[n].handle); n++ {
	}
}

func (c *Client) writeEnter(f *sent, h uint16) bool {
	s := &c.slots[h]
	if !c.out.Enter(h, &s.info, &s.ent.e.State) {
		return false
	}
	s.told = true
	c.note(f, h, wire.OpEnter, sayAll(s.ent.version))
	return true
}

// writeUpdate writes the current state as a difference to what the client is known to have, or in full when
// that is too old. The bytes depend on nothing but the states, their ticks, the handle, what is said of the states and
// the baseline's age.
func (c *Client) writeUpdate(f *sent, h uint16) bool {
	s := &c.slots[h]
	op, say, ok := wire.OpFull, sayAll(s.ent.version), false
	if base, known := c.pastOf(s); known && c.next-base <= maxBaseAge {
		if s.far {
			say |= coarse
		}
		if c.headsFirst && s.lesser && s.holds != c.next && c.headWillDo(s) {
			say = s.ent.sayHead(say, c.chain.said[0])
		}
		c.chain.now = say
		op, ok = wire.OpUpdate, s.ent.update(&c.out, h, uint16(base), f.tick, &c.chain)
	} else {
		ok = c.out.Full(h, &s.ent.e.State)
	}
	if ok {
		c.note(f, h, op, say)
	}
	return ok
}

// headWillDo reports whether an update of a slot can do without hands: the client has those of the newest update for
// certain, so that they stay where it shows them, and that update was not without hands itself.
func (c *Client) headWillDo(s *slot) bool {
	base, known := s.applied.Newest()
	if !known || base.Frame != s.sent || c.next-base.Frame > maxBaseAge {
		return false
	}
	all := sayAll(s.ent.version)
	if s.far {
		all |= coarse
	}
	return s.ent.sayHead(all, said(base.Version)) != all
}

// pastOf fills c.chain with what an update of a slot is predicted from and returns the frame of the first; false when
// it is no longer known.
func (c *Client) pastOf(s *slot) (base uint64, ok bool) {
	frames, alone := s.applied.Past()
	if len(frames) == 0 || !s.ent.knows(said(frames[0].Version)) {
		return 0, false
	}
	c.chain = chain{alone: alone}
	for i := range frames {
		if !s.ent.knows(said(frames[i].Version)) { // the client still has it
			c.chain = chain{alone: true}
			c.chain.push(said(frames[0].Version), frames[0].Tick)
			break
		}
		c.chain.push(said(frames[i].Version), frames[i].Tick)
	}
	return frames[0].Frame, true
}

func (c *Client) note(f *sent, h uint16, op wire.Op, what said) {
	s := &c.slots[h]
	s.sent, s.sentSaid = c.next, what
	f.carried = append(f.carried, carried{handle: h, op: op, life: s.life, said: what})
}

// weight falls with the distance: 2,048 at hand, half of it at 2 m, a sixth at 10 m. It never
// reaches 0, and falls slowly, so what is far still has its turn in a crowd.
func weight(steps int64) uint64 {
	const full = 2 * lattice.Steps * 2048
	return max(uint64(full/(2*lattice.Steps+steps)), 1)
}

// weight is how much an entity matters to the client, apart from the time that it waited: twice as much
// when it is within arm's length or where the client looks, twice as much again when it speaks, and most when it presents.
func (c *Client) weight(s *slot, away int64) uint64 {
	if s.ent.presents {
		return 2 * weight(0)
	}
	if s.ent.e.State.Flags&stream.FlagSpeaking != 0 {
		return 2 * c.turned(s, away)
	}
	return c.turned(s, away)
}

// turned is the weight by distance and by where the client looks.
func (c *Client) turned(s *slot, away int64) uint64 {
	d := s.ent.e.State.Body.Head.Pos.Sub(c.head.Pos)
	ahead := int64(c.gaze.X)*int64(d.X) + int64(c.gaze.Z)*int64(d.Z)
	// The cosine of the angle is above a half: within 60 degrees of the middle.
	if away < lattice.Steps || 2*ahead > away*lattice.Steps {
		return 2 * weight(away)
	}
	return weight(away)
}

// distance is the distance over the floor, at most an eighth too long; cheap, since it only
// ranks.
func distance(a, b lattice.Vec) int64 {
	dx, dz := int64(a.X)-int64(b.X), int64(a.Z)-int64(b.Z)
	if dx < 0 {
		dx = -dx
	}
	if dz < 0 {
		dz = -dz
	}
	return max(dx, dz) + min(dx, dz)/2
}
