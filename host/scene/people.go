package scene

import (
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// headHeight is how far above the ground a new visitor's head is: 1.6 m, until the first pose tells.
const headHeight = lattice.Steps * 16 / 10

// maxClaimUS is how far before its arrival a stamp may claim to be.
const maxClaimUS = 150_000

// keyInput is a numbered input that was taken in this step.
type keyInput struct {
	u      *user
	in     *stream.Input
	at     int64 // stamp, clamped and not before the session's earlier ones of this step
	arrive int64 // not before the session's earlier ones either
}

// input takes one input. Poses and numbered inputs are only noted; what they mean is decided when all of the step's are in.
func (r *Region) input(in []stream.Input, i int) {
	x := &in[i]
	if x.Kind == stream.InputJoin {
		r.join(x)
		return
	}
	switch x.Kind {
	case stream.InputReset:
		r.reset(x)
		return
	case stream.InputRegion:
		r.hear(x.Region)
		return
	case stream.InputRegionAck:
		r.acked(x.Region)
		return
	case stream.InputDurable:
		r.durable(x.Object)
		return
	}
	u := r.sessions[x.Session]
	if u == nil || u.leaving {
		switch {
		case x.Kind == stream.InputPose:
			if f := r.flyer(x.Session); f != nil && (f.next < 0 || int16(x.PoseSeq-in[f.next].PoseSeq) > 0) {
				f.next = i
			}
		case x.Kind.Key():
			r.fx.Stats.Gaps++
		case x.Kind == stream.InputBack && !r.movedOn(x.Session):
			r.turnAway(x.Session, "refused", wire.CodeSessionUnknown)
		}
		return
	}
	switch {
	case x.Kind == stream.InputPose:
		if u.away {
			return
		}
		r.hearExtras(u, x)
		if u.next < 0 || int16(x.PoseSeq-in[u.next].PoseSeq) > 0 {
			u.next = i
		}
	case x.Kind == stream.InputAway:
		if !u.away {
			r.setAway(u)
			r.reportPlace(u)
		}
	case x.Kind == stream.InputBack:
		r.back(u, x)
	case x.Kind == stream.InputLeave:
		r.leave(u, x.Reason)
	case x.Kind.Key():
		r.takeKey(u, x)
	}
}

// takeKey takes a numbered input if it is the session's next.
func (r *Region) takeKey(u *user, x *stream.Input) {
	u.cursorNews = true
	switch {
	case x.Seq <= u.cursor:
		r.fx.Stats.Duplicates++
		return
	case x.Seq != u.cursor+1:
		r.fx.Stats.Gaps++
		return
	}
	u.cursor, u.dirty = x.Seq, true
	// The gateway clamps stamps to what it measured; the region's bounds hold whatever a
	// gateway does. Within a session order is the order sent.
	stamp := max(min(x.Stamp, x.Arrival), x.Arrival-maxClaimUS, u.stamp)
	u.stamp, u.arrive = stamp, max(x.Arrival, u.arrive)
	r.keys = append(r.keys, keyInput{u, x, stamp, u.arrive})
}

// join takes a person in. Repeats of it change nothing.
func (r *Region) join(x *stream.Input) {
	for i := range r.saved.Left {
		l := &r.saved.Left[i]
		if l.Session == x.Session && l.Tick+saved.EndedTicks(r.venue.TickHz) >= r.tick {
			code := wire.CodeSessionUnknown
			if l.Reason >= uint16(wire.CodeTokenInvalid) {
				code = wire.Code(l.Reason) // do not come back
			}
			r.turnAway(x.Session, "refused", code)
			return
		}
	}
	if u := r.sessions[x.Session]; u != nil {
		u.cursorNews = true
		if !u.leaving {
			r.back(u, x)
		}
		return
	}
	if r.movedOn(x.Session) {
		return // another region has it
	}
	if wire.CheckUser(x.User) != nil {
		r.turnAway(x.Session, "refused", wire.CodeTokenInvalid)
		return
	}
	who := saved.Person{User: x.User, Load: x.Load}
	old := r.people[who]
	here := len(r.users)
	for _, u := range r.users {
		if u.leaving || u == old {
			here--
		}
	}
	if here >= r.venue.Limits.Users {
		r.turnAway(x.Session, "refused", wire.CodeVenueFull)
		return
	}
	u := &user{
		entity: entity{Entity: stream.Entity{
			ID: r.newID(), Kind: stream.Avatar, Session: x.Session, User: who.User,
			Name: strings.ToValidUTF8(x.Name, "?"), // logs are JSON, which holds nothing else
		}, fresh: true, dirty: true},
		load: x.Load, next: -1, moved: true, cursorNews: true,
		budget: r.venue.Limits.Burst, budgetTick: r.tick,
	}
	at := r.firstPlace(x)
	if old != nil {
		if !old.leaving {
			r.turnAway(old.Session, "replaced", wire.CodeReplaced)
			r.leave(old, uint16(wire.CodeReplaced))
		}
		at = old.State.Body.Head
	}
	u.State.Body = standing(at)
	u.floor = max(0, r.venue.FloorAt(at.Pos, r.region.Floor))
	u.Floor = uint8(u.floor)
	r.cutHands(&u.State.Body)
	r.addUser(u)
	r.joined++
	r.emit(&stream.Event{
		Audience: stream.ToNear, Session: u.Session, Entity: u.ID, At: u.head(), Type: "joined",
		Body: newBody().id("entity", u.ID).text("user", u.User).text("name", u.Name).done(),
	})
	r.happen(happening{u: u, rule: anyRule, ev: abi.Event{
		Kind: abi.EventJoin, Subject: u.ID, Data: []byte(u.Name),
		X: u.head().X, Y: u.head().Y, Z: u.head().Z,
	}})
}

// movedOn reports whether a session was handed over to another region not long ago.
func (r *Region) movedOn(session uint64) bool {
	return slices.ContainsFunc(r.saved.Moved, func(m saved.Move) bool { return m.Session == session }) ||
		slices.ContainsFunc(r.log.Moved, func(m saved.Move) bool { return m.Session == session })
}

// turnAway tells a session that it is not in the region (any more), and why.
func (r *Region) turnAway(session uint64, kind string, code wire.Code) {
	r.emit(&stream.Event{
		Audience: stream.ToSession, Session: session, Type: kind,
		Body: newBody().code(code).text("msg", code.Meaning()).done(),
	})
}

// firstPlace is where a person's head appears: the stored place if it is in this region, else a
// spawn point.
func (r *Region) firstPlace(x *stream.Input) lattice.Joint {
	if p := x.Body.Head; x.HasPlace && checkJoint(p) == nil && r.holds(p.Pos) {
		return p
	}
	var at lattice.Joint
	if len(r.spawns) == 0 {
		f := &r.venue.Floors[r.region.Floor]
		rect := r.region.Rect
		at.Pos = lattice.Vec{X: rect.MinX + (rect.MaxX-rect.MinX)/2, Y: f.MinY, Z: rect.MinZ + (rect.MaxZ-rect.MinZ)/2}
	} else {
		n := uint64(len(r.spawns))
		s, nth := r.spawns[r.joined%n], r.joined/n
		for _, c := range r.spawns {
			if c.Name == x.Spawn {
				s, nth = c, r.joined
			}
		}
		at = s.Place(nth)
	}
	at.Pos.Y += headHeight
	at.Pos = r.clampToFloor(r.region.Floor, at.Pos)
	return at
}

// holds reports whether p lies in this region.
func (r *Region) holds(p lattice.Vec) bool {
	return r.venue.FloorAt(p, r.region.Floor) == r.region.Floor && r.region.Rect.Contains(p)
}

// standing is the body of someone whose hands are not known yet: hanging down.
func standing(head lattice.Joint) lattice.Body {
	hand := func(x int32) lattice.Joint {
		off := head.Rot.Rotate(lattice.Vec{X: x, Z: -lattice.Steps / 8})
		off.Y = -lattice.Steps * 7 / 10
		return lattice.Joint{Pos: head.Pos.Add(off), Rot: head.Rot}
	}
	return lattice.Body{Head: head, Left: hand(-lattice.Steps / 4), Right: hand(lattice.Steps / 4)}
}

// back takes a session as connected again.
func (r *Region) back(u *user, x *stream.Input) {
	u.cursorNews = true
	if u.restored {
		u.restored = false
		if p := x.Body.Head; x.HasPlace && checkJoint(p) == nil && r.venue.FloorAt(p.Pos, u.floor) >= 0 {
			body := x.Body
			if body.Left == (lattice.Joint{}) && body.Right == (lattice.Joint{}) {
				body = standing(p)
			}
			u.State.Body = body
			r.cutHands(&u.State.Body)
			r.setFloor(u)
			u.moved, u.dirty = true, true
			r.jumped(u)
		}
	}
	u.hasPose = false // a new connection counts its samples anew
	if !u.away {
		return
	}
	u.away, u.awayTick, u.dirty = false, 0, true
	u.State.Flags &^= stream.FlagAway
}

func (r *Region) setAway(u *user) {
	u.away, u.awayTick, u.dirty = true, r.tick, true
	u.State.Flags |= stream.FlagAway
	u.setSpeaking(false)
	u.next = -1
}

// leave marks a person as leaving: rules hear of it in this step, after which it is gone.
func (r *Region) leave(u *user, reason uint16) {
	if u.leaving {
		return
	}
	u.leaving, u.reason, u.next = true, reason, -1
}

// part takes things and requests from those who leave.
func (r *Region) part() {
	any := false
	for _, u := range r.users {
		if !u.leaving {
			continue
		}
		any = true
		for _, o := range u.hands {
			if o != nil {
				r.dropped(o, u)
			}
		}
		for _, z := range u.zones {
			r.crowd[z]--
			r.happen(zoneEvent(r, abi.EventExit, u, z))
		}
		u.zones = u.zones[:0]
		r.parting = append(r.parting, happening{u: u, rule: anyRule, ev: abi.Event{Kind: abi.EventLeave, Subject: u.ID}})
	}
	if !any {
		return
	}
	gone := func(s saved.Input) bool { u := r.sessions[s.Session]; return u == nil || u.leaving }
	for i := 0; i < len(r.windows); i++ {
		w := r.windows[i]
		if n := len(w.reqs); n > 0 {
			if w.reqs = slices.DeleteFunc(w.reqs, gone); len(w.reqs) != n {
				w.dirty = true
			}
		}
		if len(w.reqs) == 0 {
			r.closeWindow(i)
			i--
		}
	}
	if n := len(r.waiting); n > 0 {
		r.waiting = slices.DeleteFunc(r.waiting, gone)
		r.waitChanged = r.waitChanged || len(r.waiting) != n
	}
	r.asked = slices.DeleteFunc(r.asked, func(h happening) bool { return h.request() && h.u.leaving })
}

// dropped takes an object out of the hand of someone who leaves.
func (r *Region) dropped(o *object, u *user) {
	r.letGo(o)
	r.emit(&stream.Event{
		Audience: stream.ToNear, Session: u.Session, Entity: o.ID, At: o.pos(), Type: "dropped",
		Body: newBody().id("object", o.ID).id("by", u.ID).pose(o.State.Body.Head).done(),
	})
	r.parting = append(r.parting, happening{u: u, o: o, rule: anyRule, ev: abi.Event{
		Kind: abi.EventDropped, Subject: u.ID, Object: o.ID, Class: uint32(o.Class),
	}})
}

// triggers finds who entered or left a zone. Leaving takes a quarter of a metre more than entering, so that
// somebody on the line does not flicker.
func (r *Region) triggers() {
	const slack = lattice.Steps / 4
	for _, u := range r.users {
		if !u.moved || u.leaving {
			continue
		}
		u.moved = false
		for _, z := range r.zones {
			g := &r.venue.Zones[z]
			at, inside := slices.BinarySearch(u.zones, z)
			switch {
			case inside && (u.floor != g.Floor || !g.Rect.Grown(slack).Contains(u.head())):
				u.zones = slices.Delete(u.zones, at, at+1)
				r.crowd[z]--
				u.dirty = true
				r.happen(zoneEvent(r, abi.EventExit, u, z))
			case !inside && u.floor == g.Floor && g.Rect.Contains(u.head()):
				u.zones = slices.Insert(u.zones, at, z)
				r.crowd[z]++
				u.dirty = true
				r.happen(zoneEvent(r, abi.EventEnter, u, z))
			}
		}
	}
	for i := range r.happenings {
		if h := &r.happenings[i]; h.ev.Kind == abi.EventEnter || h.ev.Kind == abi.EventExit {
			h.ev.Value = uint64(r.crowd[h.ev.Object-1])
		}
	}
}

// zoneEvent is somebody's entering or leaving of a zone; its Value is filled in when all are known.
func zoneEvent(r *Region, kind abi.EventKind, u *user, z int) happening {
	p := u.head()
	return happening{u: u, rule: anyRule, ev: abi.Event{
		Kind: kind, Subject: u.ID, Object: venues.ZoneID(z), Aux: r.doorOfZone(z), X: p.X, Y: p.Y, Z: p.Z,
	}}
}

// doorOfZone returns the entity id of the door tied to a zone, 0 for none in this region.
func (r *Region) doorOfZone(z int) uint64 {
	for _, d := range r.doors {
		if int(d.Class) == r.venue.Zones[z].Door {
			return d.ID
		}
	}
	return 0
}
