package scene

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// maxTimerUS is the longest delay of a timer: 30 days.
const maxTimerUS = 30 * 24 * 3600 * 1_000_000

// maxEventName is the longest name of a rule's event to clients, bytes.
const maxEventName = 64

// refusal says why a command is not allowed; the whole call fails with it.
type refusal struct {
	kind abi.FaultKind
	msg  string
}

func refuse(form string, args ...any) *refusal {
	return &refusal{abi.FaultOutput, fmt.Sprintf(form, args...)}
}

// txn is one call's commands on their way into the region: they are applied one after the other, and
// undone in reverse when one is refused.
type txn struct {
	r        *Region
	rule     *ruleRun
	mine     []int    // happenings of the call, in the batch's order
	answered []bool   // of each
	undo     []func() // in order of application
	stats    StepStats
	eventN   uint64
	mark     mark // of the step before this call

	timersTouched bool // undo holds the rule's timers
}

func (t *txn) begin(r *Region, rule *ruleRun, mine []int) {
	t.r, t.rule, t.mine = r, rule, mine
	t.answered = t.answered[:0]
	for range mine {
		t.answered = append(t.answered, false)
	}
	t.undo, t.timersTouched = t.undo[:0], false
	t.eventN, t.stats = r.eventN, r.fx.Stats
	t.mark = mark{len(r.fx.Events), len(r.log.Scores), len(r.signals), len(r.letters)}
}

// mark is how long the lists were that a call's commands add to.
type mark struct{ events, scores, signals, letters int }

func (t *txn) rollback() {
	for i := len(t.undo) - 1; i >= 0; i-- {
		t.undo[i]()
	}
	r := t.r
	r.fx.Events, r.log.Scores = r.fx.Events[:t.mark.events], r.log.Scores[:t.mark.scores]
	r.unqueue(t.mark.signals)
	r.unsend(t.mark.letters)
	r.eventN, r.fx.Stats = t.eventN, t.stats
}

// settle answers the requests that the rule left open.
func (t *txn) settle() {
	for i, done := range t.answered {
		if h := t.happening(uint32(i + 1)); !done && h.request() {
			t.r.fail(t.rule, h, wire.CodeDeniedUnanswered)
		}
	}
}

func (t *txn) happening(event uint32) *happening { return &t.r.happenings[t.mine[event-1]] }

// handlers holds what to do for each kind of command.
var handlers = [...]func(*txn, *abi.Command) *refusal{
	abi.CmdGrant: (*txn).grant, abi.CmdDeny: (*txn).deny, abi.CmdRelease: (*txn).release, abi.CmdSetState: (*txn).setState,
	abi.CmdSetPose: (*txn).setPose, abi.CmdDoor: (*txn).door, abi.CmdLock: (*txn).lock, abi.CmdTeleport: (*txn).teleport,
	abi.CmdEmit: (*txn).emit, abi.CmdTimerStart: (*txn).timerStart, abi.CmdTimerCancel: (*txn).timerCancel,
	abi.CmdAccept: (*txn).accept, abi.CmdScore: (*txn).score, abi.CmdSignal: (*txn).signal,
}

// apply checks and applies one command.
func (t *txn) apply(c *abi.Command) *refusal {
	if int(c.Kind) >= len(handlers) || handlers[c.Kind] == nil {
		return refuse("unknown kind %d", uint16(c.Kind))
	}
	if !t.rule.Commands.Has(uint16(c.Kind)) {
		return refuse("the plugin's manifest does not list %q among its commands", c.Kind)
	}
	if err := handlers[c.Kind](t, c); err != nil {
		return err
	}
	// Any command that names a use answers it.
	if c.Event > 0 && !t.answered[c.Event-1] && t.happening(c.Event).ev.Kind == abi.EventUse {
		return t.accept(c)
	}
	return nil
}

// answer marks the request that a command answers.
func (t *txn) answer(c *abi.Command) (*happening, *refusal) {
	if c.Event == 0 {
		return nil, refuse("event is 0: it must name the request that it answers")
	}
	h := t.happening(c.Event)
	if !h.request() {
		return nil, refuse("event %d is of kind %q, which is not a request", c.Event, h.ev.Kind)
	}
	if t.answered[c.Event-1] {
		return nil, refuse("event %d is answered already", c.Event)
	}
	t.answered[c.Event-1] = true
	return h, nil
}

// object finds an object that the rule may touch.
func (t *txn) object(id uint64) (*object, *refusal) {
	o := t.r.objectByID(id)
	if o == nil {
		return nil, refuse("object %d is not in this region", id)
	}
	if !t.rule.touch[o.Class] {
		return nil, refuse("object %d is of kind %q, which this rule does not decide", id, o.kind.Name)
	}
	return o, nil
}

// touch remembers an object, and who holds it, for a rollback.
func (t *txn) touch(o *object) {
	old, holder, hand := *o, o.holder, o.hand
	t.undo = append(t.undo, func() {
		if o.holder != nil {
			o.holder.hands[o.hand] = nil
		}
		*o = old
		if holder != nil {
			holder.hands[hand] = o
		}
	})
}

func (t *txn) grant(c *abi.Command) *refusal {
	h, bad := t.answer(c)
	if bad != nil {
		return bad
	}
	o, bad := t.object(c.Object)
	switch {
	case bad != nil:
		return bad
	case h.ev.Kind != abi.EventGrab:
		return refuse("event %d is of kind %q, not a grab", c.Event, h.ev.Kind)
	case h.o != o || h.u.ID != c.Subject:
		return refuse("event %d is user %d's grab of object %d, not user %d's of %d", c.Event, h.u.ID, h.o.ID, c.Subject, c.Object)
	case c.Value != int64(h.ev.Hand):
		return refuse("value is hand %d, the request came from hand %d", c.Value, h.ev.Hand)
	case o.holder != nil && o.holder != h.u:
		return refuse("object %d is held by %d", o.ID, o.holder.ID)
	}
	if held := h.u.hands[h.ev.Hand]; held != nil && held != o {
		t.r.denied(h.u, h.seq, o.ID, wire.CodeDeniedNotAllowed, "this hand holds another object", t.rule)
		return nil
	}
	t.touch(o)
	hand := *h.u.State.Body.Hand(h.ev.Hand)
	o.hold(h.u, h.ev.Hand, offsetIn(hand, o.State.Body.Head))
	o.dirty = true
	t.r.fx.Stats.Grants++
	t.r.emitBy(t.rule, &stream.Event{
		Audience: stream.ToNear, Session: h.u.Session, Seq: h.seq, Entity: o.ID, At: o.pos(), Type: "grabbed",
		Body: newBody().id("object", o.ID).id("by", h.u.ID).hand(h.ev.Hand).text("rule", t.rule.Plugin).done(),
	})
	return nil
}

// denyCodes holds the codes of the reasons that a rule may give.
var denyCodes = [...]wire.Code{
	abi.DenyRule: wire.CodeDeniedRule, abi.DenyHeld: wire.CodeDeniedHeld, abi.DenyReach: wire.CodeDeniedReach,
	abi.DenyUnknown: wire.CodeDeniedUnknown, abi.DenyNotAllowed: wire.CodeDeniedNotAllowed,
	abi.DenyUnanswered: wire.CodeDeniedUnanswered, abi.DenyFault: wire.CodeDeniedFault,
	abi.DenyQuarantine: wire.CodeDeniedQuarantine, abi.DenyNotHeld: wire.CodeDeniedNotHeld,
}

func (t *txn) deny(c *abi.Command) *refusal {
	h, bad := t.answer(c)
	if bad != nil {
		return bad
	}
	if c.Value < 0 || c.Value >= int64(len(denyCodes)) {
		return refuse("value %d is not a reason (0 to %d)", c.Value, len(denyCodes)-1)
	}
	if len(c.Data) > abi.MaxMessage || !utf8.Valid(c.Data) {
		return refuse("data: want at most %d bytes of UTF-8", abi.MaxMessage)
	}
	t.r.denied(h.u, h.seq, h.o.ID, denyCodes[c.Value], string(c.Data), t.rule)
	return nil
}

func (t *txn) accept(c *abi.Command) *refusal {
	h, bad := t.answer(c)
	if bad != nil {
		return bad
	}
	switch h.ev.Kind {
	case abi.EventRelease:
		if h.o.holder == h.u {
			t.touch(h.o)
			t.r.released(h.o, h.u.Session, h.seq, t.rule)
		}
	case abi.EventUse:
		t.r.emitBy(t.rule, &stream.Event{
			Audience: stream.ToSession, Session: h.u.Session, Seq: h.seq, Entity: h.o.ID, At: h.o.pos(), Type: "ack",
			Body: newBody().flag("ok", true).done(),
		})
	default:
		return refuse("event %d is a grab: grant or deny it", c.Event)
	}
	return nil
}

func (t *txn) release(c *abi.Command) *refusal {
	o, bad := t.object(c.Object)
	if bad != nil {
		return bad
	}
	session, seq := uint64(0), uint32(0)
	if c.Event > 0 {
		if h := t.happening(c.Event); h.ev.Kind == abi.EventRelease {
			if h.o != o {
				return refuse("event %d is a release of object %d, not of %d", c.Event, h.o.ID, o.ID)
			}
			if _, bad := t.answer(c); bad != nil {
				return bad
			}
			session, seq = h.u.Session, h.seq
		}
	}
	if o.holder == nil {
		if seq != 0 {
			t.r.denied(t.happening(c.Event).u, seq, o.ID, wire.CodeDeniedNotHeld, "", t.rule)
		}
		return nil
	}
	t.touch(o)
	t.r.released(o, session, seq, t.rule)
	return nil
}

func (t *txn) setState(c *abi.Command) *refusal {
	o, bad := t.object(c.Object)
	switch {
	case bad != nil:
		return bad
	case c.Value < 0 || c.Value > 1<<32-1:
		return refuse("value %d does not fit 32 bits", c.Value)
	case o.State.Value == uint32(c.Value):
		return nil
	}
	t.touch(o)
	o.State.Value, o.dirty = uint32(c.Value), true
	t.r.emitBy(t.rule, &stream.Event{
		Audience: stream.ToNear, Entity: o.ID, At: o.pos(), Type: "state",
		Body: newBody().id("object", o.ID).number("value", uint64(c.Value)).done(),
	})
	return nil
}

// place checks a position that a rule gives.
func (t *txn) place(c *abi.Command) (lattice.Vec, int, *refusal) {
	p := lattice.Vec{X: c.X, Y: c.Y, Z: c.Z}
	floor := t.r.venue.FloorAt(p, -1)
	if floor < 0 {
		x, y, z := p.Metres()
		return p, floor, refuse("position (%.2f, %.2f, %.2f) m is on no floor", x, y, z)
	}
	return p, floor, nil
}

func (t *txn) setPose(c *abi.Command) *refusal {
	o, bad := t.object(c.Object)
	if bad != nil {
		return bad
	}
	p, floor, bad := t.place(c)
	switch {
	case bad != nil:
		return bad
	case o.holder != nil:
		return refuse("object %d is held by %d: release it first", o.ID, o.holder.ID)
	case t.r.frozen[o.Class]:
		return nil // it stays where it is
	}
	t.touch(o)
	o.State.Body.Head = lattice.Joint{Pos: p}
	o.State.Flags |= stream.FlagJump
	o.Floor, o.dirty = uint8(floor), true
	return nil
}

// findDoor finds a door; which rule moves which door is up to the venue's designer.
func (t *txn) findDoor(id uint64) (*door, *refusal) {
	d := t.r.doorByID(id)
	if d == nil {
		return nil, refuse("door %d is not in this region", id)
	}
	return d, nil
}

func (t *txn) touchDoor(d *door) {
	old := *d
	t.undo = append(t.undo, func() { *d = old })
}

func (t *txn) doorEvent(d *door) {
	t.r.emitBy(t.rule, &stream.Event{
		Audience: stream.ToNear, Entity: d.ID, At: d.geom.Pose.Pos, Type: "door",
		Body: newBody().id("door", d.ID).flag("open", d.target > 0).flag("locked", d.locked).done(),
	})
}

func (t *txn) door(c *abi.Command) *refusal {
	d, bad := t.findDoor(c.Object)
	switch {
	case bad != nil:
		return bad
	case c.Value < 0 || c.Value > doorOpen:
		return refuse("value %d is not 0 to %d permille", c.Value, doorOpen)
	case d.locked || d.target == uint32(c.Value):
		return nil // a locked door stays where it is
	}
	t.touchDoor(d)
	d.moveTo(uint32(c.Value), t.r.tick)
	t.doorEvent(d)
	return nil
}

func (t *txn) lock(c *abi.Command) *refusal {
	d, bad := t.findDoor(c.Object)
	switch {
	case bad != nil:
		return bad
	case c.Value != 0 && c.Value != 1:
		return refuse("value %d is not 0 or 1", c.Value)
	case d.locked == (c.Value == 1):
		return nil
	}
	t.touchDoor(d)
	d.locked, d.dirty = c.Value == 1, true
	t.doorEvent(d)
	return nil
}

// somebody finds a person; nil for one who is not here (any more): what is meant for them does nothing.
func (t *txn) somebody(id uint64) *user {
	if u := t.r.userByID(id); u != nil && !u.leaving {
		return u
	}
	return nil
}

func (t *txn) teleport(c *abi.Command) *refusal {
	p, _, bad := t.place(c)
	if bad != nil {
		return bad
	}
	u := t.somebody(c.Subject)
	if u == nil {
		return nil
	}
	old := *u
	t.undo = append(t.undo, func() {
		u.State, u.floor, u.Floor, u.settle = old.State, old.floor, old.Floor, old.settle
		u.moved, u.dirty, u.jumpTick, u.thrown = old.moved, old.dirty, old.jumpTick, old.thrown
	})
	t.r.put(u, p)
	u.thrown = true
	u.settle, u.dirty = t.r.tick+uint64(t.r.venue.TickHz), true
	t.r.emitBy(t.rule, &stream.Event{
		Audience: stream.ToNear, Session: u.Session, Entity: u.ID, At: p, Type: "teleport",
		Body: newBody().id("entity", u.ID).pose(u.State.Body.Head).done(),
	})
	return nil
}

func (t *txn) emit(c *abi.Command) *refusal {
	name, payload, ok := abi.SplitData(c.Data)
	if !ok || len(name) > maxEventName || !utf8.ValidString(name) {
		return refuse("data: want a name of 1 to %d bytes of UTF-8, a zero byte, and a payload", maxEventName)
	}
	if len(payload) == 0 {
		payload = []byte("null")
	}
	if len(payload) > abi.MaxMessage || !json.Valid(payload) || !utf8.Valid(payload) {
		return refuse("data: the payload of event %q must be at most %d bytes of JSON", name, abi.MaxMessage)
	}
	e := stream.Event{
		Type: "rule",
		Body: newBody().text("rule", t.rule.Plugin).text("name", name).raw("data", payload).done(),
	}
	switch c.Value {
	case abi.EmitUser:
		u := t.somebody(c.Subject)
		if u == nil {
			return nil
		}
		e.Audience, e.Session, e.Entity, e.At = stream.ToSession, u.Session, u.ID, u.head()
	case abi.EmitNear:
		th := t.r.things[c.Subject]
		if th == nil {
			return nil
		}
		e.Audience, e.Entity = stream.ToNear, c.Subject
		switch {
		case th.user != nil:
			e.At = th.user.head()
		case th.object != nil:
			e.At = th.object.pos()
		default:
			e.At = th.door.geom.Pose.Pos
		}
	case abi.EmitRegion:
		e.Audience = stream.ToRegion
	case abi.EmitVenue:
		e.Audience = stream.ToRegion
		if bad := t.toOthers(name, payload); bad != nil {
			return bad
		}
	default:
		return refuse("value %d is not an audience (0 user, 1 near, 2 region, 3 venue)", c.Value)
	}
	t.r.emitBy(t.rule, &e)
	return nil
}

// touchTimers remembers the rule's timers before the call's first change.
func (t *txn) touchTimers() {
	if t.timersTouched {
		return
	}
	t.timersTouched = true
	rule := t.rule
	timers, news := append([]saved.Timer(nil), rule.timers...), len(rule.timerNews)
	t.undo = append(t.undo, func() { rule.timers, rule.timerNews = timers, rule.timerNews[:news] })
}

// timerSubject checks what a timer is to belong to. gone is true for a person who is not here.
func (t *txn) timerSubject(c *abi.Command) (gone bool, bad *refusal) {
	if t.r.hasSubject(c.Scope, c.Subject) {
		return c.Scope == abi.ScopeUser && t.somebody(c.Subject) == nil, nil
	}
	if c.Scope == abi.ScopeUser {
		return true, nil
	}
	return false, refuse("%s %d is not in this region", c.Scope, c.Subject)
}

func (t *txn) timerStart(c *abi.Command) *refusal {
	gone, bad := t.timerSubject(c)
	switch {
	case bad != nil:
		return bad
	case c.Aux > maxTimerUS:
		return refuse("aux %d us is above the longest delay of 30 days", c.Aux)
	case gone:
		return nil
	}
	t.touchTimers()
	timer := saved.Timer{Scope: c.Scope, ID: c.Value, DueUS: uint64(t.r.serverTime(t.r.tick)) + max(1, c.Aux), Cause: t.cause(c)}
	timer.Subject, timer.Zone = t.r.lasting(c.Scope, c.Subject)
	if !t.rule.startTimer(timer) {
		return &refusal{abi.FaultState, fmt.Sprintf("more than %d timers", t.rule.MaxTimers)}
	}
	return nil
}

func (t *txn) timerCancel(c *abi.Command) *refusal {
	if gone, bad := t.timerSubject(c); bad != nil || gone {
		return bad
	}
	t.touchTimers()
	subject, zone := t.r.lasting(c.Scope, c.Subject)
	t.rule.cancelTimer(saved.TimerName{Scope: c.Scope, Subject: subject, Zone: zone, ID: c.Value})
	return nil
}
