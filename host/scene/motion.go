package scene

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// doorOpen is a door's Value when it is fully open, permille.
const doorOpen = 1000

// move takes a pose sample: the head goes toward the claimed place as far as bounds and budget allow.
func (r *Region) move(u *user, in *stream.Input) {
	if u.hasPose && int16(in.PoseSeq-u.poseSeq) <= 0 {
		return
	}
	u.hasPose, u.poseSeq = true, in.PoseSeq
	u.setSpeaking(in.Speaking)
	r.refill(u)
	head := u.head()
	claimed := in.Body.Head.Pos
	if r.tick < u.settle {
		// Samples from before the client knew of its teleport would drag it back.
		if ceilDist(head, claimed) > r.venue.Limits.Burst {
			r.fx.Stats.Clamped++
			return
		}
		u.settle = 0
	}
	why := ""
	to := claimed
	if r.venue.FloorAt(to, u.floor) < 0 {
		to, why = r.clampToFloor(u.floor, to), "bounds"
	}
	if ceilDist(head, to) > u.budget {
		to, why = head.Toward(to, u.budget), "speed"
		if r.venue.FloorAt(to, u.floor) < 0 {
			// On the way between two floors. The nearest point of a box that holds the head is no
			// farther from the head, so the budget still holds.
			to = r.clampToFloor(u.floor, to)
		}
	}
	u.budget -= ceilDist(head, to)
	body := lattice.Body{Head: lattice.Joint{Pos: to, Rot: in.Body.Head.Rot}, Left: in.Body.Left, Right: in.Body.Right}
	cut := false
	for hand := range uint8(2) {
		// Hands keep their place relative to the head, within an arm's length.
		h := body.Hand(hand)
		within := claimed.Toward(h.Pos, r.venue.Limits.HandReach)
		cut = cut || within != h.Pos
		h.Pos = to.Add(within.Sub(claimed))
	}
	if cut && why == "" {
		why = "reach"
	}
	if why != "" {
		r.fx.Stats.Clamped++
		r.correct(u, to, why)
	}
	if to != head {
		u.moved = true
	}
	u.State.Body = body
	if u.jumpTick != r.tick {
		u.State.Flags &^= stream.FlagJump
	}
	u.State.AgeMS = uint8(max(0, min(255, (r.serverTime(r.tick)-in.Stamp)/1000)))
	r.setFloor(u)
}

// refill adds to a person's displacement budget what the ticks since the last refill allow.
func (r *Region) refill(u *user) {
	l := &r.venue.Limits
	ticks := r.tick - u.budgetTick
	u.budgetTick = r.tick
	if ticks > uint64(l.Burst) || l.SpeedPerTick > 0 && int64(ticks) > l.Burst/l.SpeedPerTick {
		u.budget = l.Burst
		return
	}
	u.budget = min(l.Burst, u.budget+int64(ticks)*l.SpeedPerTick)
}

// correct tells a client where its head really is, at most twice a second.
func (r *Region) correct(u *user, at lattice.Vec, why string) {
	if r.tick < u.correctAt {
		return
	}
	u.correctAt = r.tick + uint64(r.venue.TickHz+1)/2
	r.emit(&stream.Event{
		Audience: stream.ToSession, Session: u.Session, Entity: u.ID, At: at, Type: "correct",
		Body: newBody().point(at).text("why", why).code(wire.CodeMovedTooFast).done(),
	})
}

// setFloor follows the head from floor to floor.
func (r *Region) setFloor(u *user) {
	if f := r.venue.FloorAt(u.head(), u.floor); f >= 0 {
		u.floor = f
		u.Floor = uint8(f)
	}
}

// put moves a person's head, hands along, without regard to the budget.
func (r *Region) put(u *user, head lattice.Vec) {
	b := &u.State.Body
	for hand := range uint8(2) {
		h := b.Hand(hand)
		h.Pos = head.Add(h.Pos.Sub(b.Head.Pos))
	}
	b.Head.Pos = head
	u.moved = true
	r.setFloor(u)
	r.jumped(u)
}

// jumped marks a person as put elsewhere in this step.
func (r *Region) jumped(u *user) {
	u.State.Flags |= stream.FlagJump
	u.jumpTick = r.tick
}

// cutHands brings both hands within an arm's length of the head.
func (r *Region) cutHands(b *lattice.Body) {
	for hand := range uint8(2) {
		h := b.Hand(hand)
		h.Pos = b.Head.Pos.Toward(h.Pos, r.venue.Limits.HandReach)
	}
}

// clampToFloor returns the point of a floor's volume nearest to p.
func (r *Region) clampToFloor(floor int, p lattice.Vec) lattice.Vec {
	f := &r.venue.Floors[floor]
	return lattice.Vec{
		X: max(f.Rect.MinX, min(f.Rect.MaxX-1, p.X)),
		Y: max(f.MinY, min(f.MaxY-1, p.Y)),
		Z: max(f.Rect.MinZ, min(f.Rect.MaxZ-1, p.Z)),
	}
}

// ceilDist is the distance in steps, rounded up: what a move costs.
func ceilDist(a, b lattice.Vec) int64 {
	d := a.Dist(b)
	if a.Dist2(b) > d*d {
		d++
	}
	return d
}

// hold puts an object into a hand that is free, or holds it already.
func (o *object) hold(u *user, hand uint8, offset lattice.Joint) {
	if o.holder != nil {
		o.holder.hands[o.hand] = nil
	}
	o.holder, o.hand, o.offset = u, hand, offset
	u.hands[hand] = o
	o.State.Holder = u.ID
	o.State.Flags &^= stream.FlagRight | stream.FlagJump
	if hand == 1 {
		o.State.Flags |= stream.FlagRight
	}
}

// offsetIn returns a pose in a hand's frame, so that hand ∘ offset is the pose.
func offsetIn(hand, pose lattice.Joint) lattice.Joint {
	inv := hand.Rot.Inverse()
	return lattice.Joint{Pos: inv.Rotate(pose.Pos.Sub(hand.Pos)), Rot: inv.Mul(pose.Rot)}
}

// follow moves a held object with its hand.
func (o *object) follow() {
	if o.holder == nil {
		return
	}
	hand := o.holder.State.Body.Hand(o.hand)
	o.State.Body.Head = lattice.Joint{Pos: hand.Pos.Add(hand.Rot.Rotate(o.offset.Pos)), Rot: hand.Rot.Mul(o.offset.Rot)}
}

// letGo takes an object out of the hand that holds it. It stays where it is, but never below the ground or outside
// the floors: there it is put back at its place in the manifest, or to the nearest point of its holder's floor.
func (r *Region) letGo(o *object) {
	u := o.holder
	o.follow()
	u.hands[o.hand] = nil
	o.holder, o.hand, o.offset = nil, 0, lattice.Joint{}
	o.dirty = true
	o.State.Holder = 0
	o.State.Flags &^= stream.FlagRight
	p := o.pos()
	floor := r.venue.FloorAt(p, u.floor)
	if floor < 0 {
		ground := r.clampToFloor(u.floor, p)
		switch {
		case ground.X == p.X && ground.Z == p.Z:
			p = ground // only too low or too high
		case o.kind.Restore:
			o.State.Body.Head = o.geom.Pose
			o.State.Flags |= stream.FlagJump
			o.Floor = uint8(o.geom.Floor)
			return
		default:
			p = ground
		}
		floor = u.floor
	}
	p.Y = max(p.Y, r.venue.Floors[floor].MinY)
	o.State.Body.Head.Pos = p
	o.Floor = uint8(floor)
}

// value is how far the door is open at a tick, permille.
func (d *door) value(tick uint64) uint32 {
	if tick <= d.since {
		return d.from
	}
	step, ticks := uint64(d.geom.PermilleByTick), tick-d.since
	if step == 0 || ticks > doorOpen {
		return d.target
	}
	way := uint32(min(step*ticks, doorOpen))
	if d.target > d.from {
		return min(d.target, d.from+way)
	}
	return d.target + (max(d.from-d.target, way) - way)
}

// show sets what is streamed of a door.
func (d *door) show(tick uint64) {
	d.State.Value = d.value(tick)
	d.State.Flags &^= stream.FlagLocked
	if d.locked {
		d.State.Flags |= stream.FlagLocked
	}
}

// moveTo starts the door's motion toward target.
func (d *door) moveTo(target uint32, tick uint64) {
	d.from, d.target, d.since, d.dirty = d.value(tick), target, tick, true
}
