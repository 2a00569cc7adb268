package scene

import (
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// Step takes the inputs that arrived since the last one and decides tick. Ticks strictly increase and
// may skip; a tick that does not is a fault of the caller and panics. Inputs are in the
// order of their arrival, each session's in the order its gateway sent them; nothing of them is
// kept after Step returns but their strings.
func (r *Region) Step(tick uint64, in []stream.Input) *Effects {
	if tick <= r.tick {
		panic("scene: Step: ticks must increase")
	}
	last := r.tick
	r.tick = tick
	r.beginStep(len(in))
	if r.recovered {
		r.recovered = false
		for _, u := range r.users {
			r.setAway(u)
		}
	}
	for i := range in {
		r.input(in, i)
	}
	for _, u := range r.users {
		if u.away && !u.leaving && tick > u.awayTick+r.venue.Limits.GraceTicks {
			r.leave(u, uint16(wire.CodeConnectionLost))
		}
		if u.next >= 0 {
			r.move(u, &in[u.next])
			u.next = -1
		}
	}
	r.moveFlyers(in)
	for _, o := range r.objects {
		o.follow()
	}
	r.takeRequests()
	r.part()
	r.triggers()
	r.crossings()
	r.fireTimers()
	r.deliverSignals()
	r.happenings = append(r.happenings, r.asked...)
	r.happenings = append(r.happenings, r.parting...)
	r.runRules()
	r.keepLate()
	r.watchSwaps()
	r.removeLeavers()
	r.depart()
	r.stream()
	r.post(last)
	r.record()
	return &r.fx
}

// beginStep empties what the last step left.
func (r *Region) beginStep(inputs int) {
	r.fx.Tick = r.tick
	r.fx.Entities, r.fx.Gone, r.fx.Events = r.fx.Entities[:0], r.fx.Gone[:0], r.fx.Events[:0]
	r.fx.Cursors, r.fx.Places, r.fx.Faults = r.fx.Cursors[:0], r.fx.Places[:0], r.fx.Faults[:0]
	r.fx.Flights, r.fx.FlightNews, r.fx.Refused = nil, false, r.fx.Refused[:0]
	r.fx.Out, r.fx.Heard, r.fx.Swaps = r.fx.Out[:0], r.fx.Heard[:0], r.fx.Swaps[:0]
	r.fx.Extras = r.fx.Extras[:0]
	clear(r.fx.Retired)
	r.fx.Retired = r.fx.Retired[:0]
	r.fx.Log, r.fx.Stats = nil, StepStats{Inputs: inputs}
	r.asked, r.happenings, r.parting, r.keys = r.asked[:0], r.happenings[:0], r.parting[:0], r.keys[:0]
	for _, rule := range r.rules {
		if rule != nil {
			rule.mine, rule.culprits = rule.mine[:0], rule.culprits[:0]
			rule.units, rule.unsettled, rule.calls, rule.evicted = callUnits, 0, 0, 0
			rule.called = false
		}
	}
}

// stream puts what changed into the effects.
func (r *Region) stream() {
	for _, u := range r.users {
		u.stamp, u.arrive = 0, 0
		r.show(&u.entity)
		r.showExtras(u)
		if u.cursorNews {
			u.cursorNews = false
			r.fx.Cursors = append(r.fx.Cursors, stream.Cursor{Session: u.Session, Seq: u.cursor})
		}
		r.place(u)
	}
	for _, o := range r.objects {
		o.follow()
		r.show(&o.entity)
	}
	for _, d := range r.doors {
		d.show(r.tick)
		r.show(&d.entity)
	}
	r.showFlyers()
	r.fx.Stats.Users, r.fx.Stats.Objects = len(r.users), len(r.objects)
}

// show streams an entity if it differs from what was streamed last.
func (r *Region) show(e *entity) {
	if !e.fresh && e.State == e.sent {
		return
	}
	e.fresh, e.sent = false, e.State
	r.fx.Entities = append(r.fx.Entities, e.Entity)
}

// place reports a person's position for the store, about once a second while it changes.
func (r *Region) place(u *user) {
	if u.hasPlaced && (u.placed == u.State.Body.Head || r.tick < u.placeTick+uint64(r.venue.TickHz)) {
		return
	}
	r.reportPlace(u)
}

func (r *Region) reportPlace(u *user) {
	u.hasPlaced, u.placed, u.placeTick = true, u.State.Body.Head, r.tick
	r.fx.Places = append(r.fx.Places, Place{User: u.User, Load: u.load, At: u.placed, Tick: r.tick})
}

// removeLeavers takes out those who left in this step, after rules had their say.
func (r *Region) removeLeavers() {
	r.users = slices.DeleteFunc(r.users, func(u *user) bool {
		if !u.leaving {
			return false
		}
		for _, o := range u.hands {
			if o != nil {
				// A rule put it there in this very step.
				r.letGo(o)
			}
		}
		r.forgetSubject(abi.ScopeUser, u.ID)
		r.reportPlace(u)
		r.fx.Gone = append(r.fx.Gone, u.ID)
		r.emit(&stream.Event{
			Audience: stream.ToNear, Session: u.Session, Entity: u.ID, At: u.head(), Type: "left",
			Body: newBody().id("entity", u.ID).text("user", u.User).done(),
		})
		r.log.Left = append(r.log.Left, saved.Leave{
			Session: u.Session, User: u.User, Load: u.load, Reason: u.reason, Tick: r.tick,
		})
		delete(r.sessions, u.Session)
		for _, rule := range r.rules {
			if rule == nil {
				continue
			}
			if o := rule.offenders[u.person()]; o != nil {
				if o.forgive(r.tick, r.venue.TickHz); o.clean(r.tick) {
					delete(rule.offenders, u.person())
				}
			}
		}
		delete(r.things, u.ID)
		if r.people[u.person()] == u {
			delete(r.people, u.person())
			if u.load {
				// Load generators leave nothing behind.
				r.forgetPerson(u.person())
			}
		}
		return true
	})
}

// record makes the log record of the step, if anything durable changed, and takes it into the durable state.
func (r *Region) record() {
	rec := &r.log
	for _, u := range r.users {
		if u.dirty {
			u.dirty = false
			rec.Users = append(rec.Users, r.saveUser(u))
		}
	}
	for _, o := range r.objects {
		if o.dirty {
			o.dirty = false
			rec.Objects = append(rec.Objects, saveObject(o))
		}
	}
	for _, d := range r.doors {
		if d.dirty {
			d.dirty = false
			rec.Doors = append(rec.Doors, saved.Door{
				ID: d.ID, Name: d.Name, From: d.from, Target: d.target, Since: d.since, Locked: d.locked,
			})
		}
	}
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		for _, k := range rule.written.order {
			w := rule.written.vals[k]
			rec.Keys = append(rec.Keys, saved.Key{
				Rule: rule.name, Scope: k.Scope, Subject: k.Subject, Zone: k.Zone, User: k.Who.User, Load: k.Who.Load, Key: []byte(k.Key),
				Value: w.value, Deleted: w.deleted,
			})
		}
		rec.Timers = append(rec.Timers, rule.timerNews...)
		rule.written.reset()
		rule.timerNews = rule.timerNews[:0]
	}
	for _, w := range r.windows {
		if w.dirty {
			w.dirty = false
			rec.Windows = append(rec.Windows, saved.Window{Object: w.object.ID, Close: w.close, Requests: slices.Clone(w.reqs)})
		}
	}
	if r.waitChanged {
		r.waitChanged = false
		waiting := slices.Clone(r.waiting)
		rec.Waiting = &waiting
	}
	if len(r.fx.Events) > 0 {
		rec.Events = slices.Clone(r.fx.Events)
	}
	if len(r.signals)+len(r.saved.Signals) > 0 {
		waiting := slices.Clone(r.signals)
		rec.Signals = &waiting
	}
	if rec.Empty() {
		return
	}
	for _, rule := range r.rules {
		if rule != nil && rule.called {
			rec.Decided = append(rec.Decided, saved.Decided{Rule: rule.name, Plugin: rule.Plugin, Digest: rule.module.short()})
		}
	}
	out := *rec
	r.log = saved.Record{}
	out.Tick, out.LastID, out.EventN = r.tick, r.lastID, r.eventN
	r.fx.Log = &out
	r.saved.Apply(&out, r.venue.TickHz)
	if len(out.Forks) > 0 {
		for _, rule := range r.rules {
			if rule != nil {
				rule.stored = r.saved.Keyspace(rule.name)
			}
		}
	}
}

func saveObject(o *object) saved.Object {
	s := saved.Object{
		ID: o.ID, Name: o.Name, Pose: o.State.Body.Head, Value: o.State.Value, Hand: o.hand, Offset: o.offset, Hops: o.Hops,
	}
	if o.holder != nil {
		s.Holder = o.holder.ID
	}
	return s
}

func (r *Region) saveUser(u *user) saved.User {
	s := saved.User{
		Session: u.Session, ID: u.ID, User: u.User, Name: u.Name, Load: u.load, Body: u.State.Body, Floor: r.venue.Floors[u.floor].Name,
		Cursor: u.cursor, Away: u.away, AwayTick: u.awayTick, Hops: u.Hops,
	}
	for _, z := range u.zones {
		s.Zones = append(s.Zones, r.venue.Zones[z].Name)
	}
	return s
}
