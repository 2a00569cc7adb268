package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// arrive takes in who was handed over by another region, however full this one is: there is no other place for them. It reports whether it
// could. What it cannot take stays with the other region, which sends it again.
func (r *Region) arrive(m *stream.RegionMessage) bool {
	h, err := saved.DecodeHandover(m.Data)
	if err == nil {
		err = r.checkArrival(h)
	}
	if err != nil {
		r.fx.Refused = append(r.fx.Refused, fmt.Sprintf("hand-over %d of region %s: %v", m.At.N, m.From, err))
		return false
	}
	r.dropForeign(h, m.From)
	from := uint64(r.regionNamed(m.From) + 1)
	for i := range h.Users {
		r.arriveUser(&h.Users[i], h.Tick, from, m.Again)
	}
	for i := range h.Objects {
		r.arriveObject(&h.Objects[i])
	}
	r.arriveState(h)
	r.fx.Stats.Arrived += len(h.Users)
	r.flightNews = r.flightNews || len(r.flights) > 0
	return true
}

// checkArrival says why a hand-over does not fit what is here.
func (r *Region) checkArrival(h *saved.Handover) error {
	for i := range h.Users {
		u := &h.Users[i]
		if r.things[u.ID] != nil || r.sessions[u.Session] != nil {
			return fmt.Errorf("session %d, entity %d is here already", u.Session, u.ID)
		}
	}
	for i := range h.Objects {
		o := &h.Objects[i]
		switch {
		case r.things[o.ID] != nil:
			return fmt.Errorf("object %q, entity %d is here already", o.Name, o.ID)
		case r.objectGeom(o.Name) < 0:
			return fmt.Errorf("the venue has no object %q: do both regions have the same manifest?", o.Name)
		case slices.ContainsFunc(r.objects, func(x *object) bool { return x.Name == o.Name }):
			return fmt.Errorf("object %q is here already, as another entity", o.Name)
		}
	}
	for i := range h.Schemas {
		s := &h.Schemas[i]
		if run := r.runNamed(s.Rule); run != nil && run.module.Schema != s.Schema && r.tick < h.Tick+schemaS*uint64(r.venue.TickHz) {
			return fmt.Errorf("what rule %s keeps for them has schema %d, here it has %d: run one version of it in all regions, or it is lost in a few seconds",
				s.Rule, s.Schema, run.module.Schema)
		}
	}
	return nil
}

// schemaS is for how many seconds people wait for a region that keeps a rule's state in another layout: as long as it may take to put another version
// into all regions. Then they come without what that rule kept for them.
const schemaS = 5

// dropForeign takes out of a hand-over what rules here could not read.
func (r *Region) dropForeign(h *saved.Handover, from string) {
	for i := range h.Schemas {
		s := &h.Schemas[i]
		run := r.runNamed(s.Rule)
		if run == nil || run.module.Schema == s.Schema {
			continue
		}
		n := len(h.Keys)
		h.Keys = slices.DeleteFunc(h.Keys, func(k saved.Key) bool { return k.Rule == s.Rule })
		r.fx.Refused = append(r.fx.Refused, fmt.Sprintf("%d keys of rule %s that came with people from region %s are lost: they have schema %d, here it has %d",
			n-len(h.Keys), s.Rule, from, s.Schema, run.module.Schema))
	}
}

// objectGeom returns the index of the venue's object of a name, -1 for none.
func (r *Region) objectGeom(name string) int {
	return slices.IndexFunc(r.venue.Objects, func(g venues.ObjectGeom) bool { return g.Name == name })
}

// traveller makes the person of a hand-over that was written at a tick.
func (r *Region) traveller(t *saved.Traveller, tick uint64) *user {
	u := &user{
		entity: entity{Entity: stream.Entity{
			ID: t.ID, Kind: stream.Avatar, Session: t.Session, User: t.User.User, Name: t.Name, Hops: t.Hops, State: t.State,
		}, fresh: true, dirty: true},
		load: t.Load, cursor: t.Cursor, next: -1, moved: true, cursorNews: true, budget: min(t.Budget, r.venue.Limits.Burst),
		budgetTick: min(tick, r.tick), hasPose: t.HasPose, poseSeq: t.PoseSeq, settle: t.Settle, correctAt: t.CorrectAt,
	}
	u.State.Body = t.Body
	u.floor = r.venue.FloorAt(u.head(), slices.IndexFunc(r.venue.Floors, func(f venues.FloorGeom) bool { return f.Name == t.Floor }))
	if u.floor < 0 {
		u.floor = r.region.Floor
		r.put(u, r.clampToFloor(u.floor, u.head()))
	}
	u.Floor = uint8(u.floor)
	return u
}

func (r *Region) arriveUser(t *saved.Traveller, tick, from uint64, again bool) {
	u := r.traveller(t, tick)
	if again {
		// Nobody knows whether the client is still there. Its gateway says so, if it is, with where it is by now.
		u.restored = true
		r.setAway(u)
	}
	resident := r.people[u.person()]
	r.addUser(u)
	if resident != nil && !resident.leaving {
		// The same person joined here meanwhile. The newer visit goes on; what the older one carries is put down here.
		r.people[u.person()] = resident
		r.turnAway(u.Session, "replaced", wire.CodeReplaced)
		r.leave(u, uint16(wire.CodeReplaced))
		return
	}
	r.happen(happening{u: u, rule: anyRule, ev: abi.Event{
		Kind: abi.EventJoin, Subject: u.ID, Aux: from, Data: []byte(u.Name), X: u.head().X, Y: u.head().Y, Z: u.head().Z,
	}})
}

func (r *Region) arriveObject(s *saved.Object) {
	g := &r.venue.Objects[r.objectGeom(s.Name)]
	o := newObject(r.venue, g)
	o.ID, o.Hops = s.ID, s.Hops
	o.State.Body.Head, o.State.Value = s.Pose, s.Value
	if f := r.venue.FloorAt(s.Pose.Pos, g.Floor); f >= 0 {
		o.Floor = uint8(f)
	}
	if u := r.userByID(s.Holder); u != nil {
		o.hold(u, s.Hand, s.Offset)
		o.follow()
	}
	i, _ := slices.BinarySearchFunc(r.objects, o.ID, func(x *object, id uint64) int { return cmp.Compare(x.ID, id) })
	r.objects = slices.Insert(r.objects, i, o)
	r.things[o.ID] = &thing{object: o}
	if g.Region == r.cfg.Region {
		r.log.Lent = append(r.log.Lent, saved.Lent{Name: o.Name})
	}
}

// arriveState takes what rules keep for those who arrived, in place of anything that was left of them here.
func (r *Region) arriveState(h *saved.Handover) {
	who := map[saved.Person]bool{}
	for i := range h.Users {
		who[h.Users[i].Person()] = true
	}
	for _, run := range r.rules {
		if run != nil {
			run.forget(func(k *saved.KeyName) bool { return k.Scope == abi.ScopeUser && who[k.Who] })
		}
	}
	for i := range h.Keys {
		k := &h.Keys[i]
		if run := r.runNamed(k.Rule); run != nil {
			run.write(k.Name(), keyWrite{value: slices.Clone(k.Value), deleted: k.Deleted})
		} else {
			r.log.Keys = append(r.log.Keys, *k)
		}
	}
	for _, s := range r.shadows {
		s.depart(func(k *saved.KeyName) bool { return k.Scope == abi.ScopeUser && who[k.Who] })
		s.arrive(h.Keys)
	}
	for _, t := range h.Timers {
		if run := r.runNamed(t.Rule); run != nil {
			run.addTimer(t)
		} else {
			r.log.Timers = append(r.log.Timers, t)
		}
	}
	for i := range h.Marks {
		m := &h.Marks[i]
		if run := r.runNamed(m.Rule); run != nil {
			run.offenders[m.Who] = &offender{faults: m.Faults, blocks: m.Blocks, last: m.Last, until: m.Until, doubts: m.Doubts, doubted: m.Doubted, passes: m.Passes}
		}
	}
}

// runNamed returns what runs for a rule of the venue, nil for nothing.
func (r *Region) runNamed(name string) *ruleRun {
	if i := r.ruleNamed(name); i >= 0 {
		return r.rules[i]
	}
	return nil
}
