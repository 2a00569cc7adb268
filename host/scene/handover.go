package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

const (
	// crossSlack is how far beyond the border a person must be to be handed over, and crossS for how many seconds, so that somebody on the
	// line does not go back and forth. Who was put there by a rule goes at once.
	crossSlack = lattice.Steps
	crossS     = 1
)

// flight is people, with what they hold, on their way to another region. The log has it: from its tick on they are not this region's. Until
// that log is durable they are moved by their poses and shown from here all the same, so that nobody sees them wait for the store;
// then it is sent, and again until the other region has it durably.
type flight struct {
	to       string
	at       stream.RegionPoint // of the message
	tick     uint64             // since which they are not here
	released bool
	data     saved.Handover
	users    []*user   // nil once it is released
	objects  []*object // nil once it is released
}

// crossings finds who goes to another region in this step, and has rules hear of it.
func (r *Region) crossings() {
	if len(r.venue.Regions) == 1 {
		return
	}
	r.watchGroups()
	for _, u := range r.users {
		to := r.wanted(u)
		if to < 0 || u.crossing > 0 {
			continue
		}
		group := r.groupOf(u)
		if !slices.ContainsFunc(group, func(v *user) bool { return !r.mayCross(v, to) }) && r.hasRoom(to) {
			for _, v := range group {
				v.crossing = to + 1
			}
		}
	}
	for _, u := range r.users {
		if u.thrown = false; u.crossing > 0 {
			r.happen(happening{u: u, rule: anyRule, ev: abi.Event{Kind: abi.EventLeave, Subject: u.ID, Aux: uint64(u.crossing)}})
		}
	}
}

// wanted returns the region that a person is to be handed over to by now, -1 for none. It keeps count of how long the person has been
// beyond the border.
func (r *Region) wanted(u *user) int {
	to := r.venue.RegionAt(u.floor, u.head())
	if to < 0 || to == r.cfg.Region || u.leaving || u.away || u.restored {
		u.overSince = 0
		return -1
	}
	if u.thrown {
		return to
	}
	if u.floor == r.region.Floor && r.region.Rect.Grown(crossSlack).Contains(u.head()) {
		u.overSince = 0
		return -1
	}
	if u.overSince == 0 {
		u.overSince = r.tick
	}
	if r.tick < u.overSince+crossS*uint64(r.venue.TickHz) {
		return -1
	}
	return to
}

// mayCross reports whether a person can go to a region in this step: is there, and has asked for nothing that is undecided.
func (r *Region) mayCross(u *user, to int) bool {
	if u.leaving || u.away || u.restored || u.crossing > 0 || r.venue.RegionAt(u.floor, u.head()) != to {
		return false
	}
	for i := range r.waiting {
		if r.waiting[i].Session == u.Session {
			return false
		}
	}
	for _, w := range r.windows {
		if w.object.holder == u || slices.ContainsFunc(w.reqs, func(s saved.Input) bool { return s.Session == u.Session }) {
			return false
		}
	}
	return true
}

// hasRoom reports whether a message more can wait for a region.
func (r *Region) hasRoom(to int) bool { return r.owed[r.venue.Regions[to].Name] < maxOutbox }

// depart takes those who go out of the region and writes them into the log as messages to where they go: one for each group.
func (r *Region) depart() {
	for i := 0; i < len(r.users); i++ {
		u := r.users[i]
		if u.crossing == 0 {
			continue
		}
		// Whoever went with somebody at the same time, into the same region, stays together.
		group := slices.DeleteFunc(r.groupOf(u), func(v *user) bool { return v.crossing != u.crossing })
		r.handOver(u.crossing-1, group, nil)
		i = -1
	}
	r.departThings()
}

// departThings hands over what lies in another region: once a second, so that it need not be remembered since when. Whoever carried it there, or the
// rule that put it there, has let go of it, and those who can reach for it are of that region.
func (r *Region) departThings() {
	if len(r.venue.Regions) == 1 || r.tick%uint64(r.venue.TickHz) != 0 {
		return
	}
	for to := range r.venue.Regions {
		if to == r.cfg.Region || !r.hasRoom(to) {
			continue
		}
		var things []*object
		for _, o := range r.objects {
			if o.holder == nil && o.window == nil && !r.asksFor(o) && r.venue.RegionAt(int(o.Floor), o.pos()) == to {
				things = append(things, o)
			}
		}
		if len(things) > 0 {
			r.handOver(to, nil, things)
		}
	}
}

// asksFor reports whether a request for an object waits.
func (r *Region) asksFor(o *object) bool {
	return slices.ContainsFunc(r.waiting, func(s saved.Input) bool { return s.Object == o.ID })
}

// handOver takes people with what they hold, and things, out of the region.
func (r *Region) handOver(to int, group []*user, things []*object) {
	f := &flight{to: r.venue.Regions[to].Name, tick: r.tick, users: group, objects: things}
	who := map[saved.Person]bool{}
	for _, u := range group {
		who[u.person()] = true
		for _, o := range u.hands {
			if o != nil {
				f.objects = append(f.objects, o)
			}
		}
	}
	f.data.Keys, f.data.Timers, f.data.Schemas = r.takeState(who, f)
	f.data.Marks = r.takeMarks(who)
	for _, u := range group {
		u.Hops, u.crossing = u.Hops+1, 0
		delete(r.sessions, u.Session)
		delete(r.things, u.ID)
		if r.people[u.person()] == u {
			delete(r.people, u.person())
		}
		r.log.Moved = append(r.log.Moved, saved.Move{Session: u.Session, User: u.User, Load: u.load, Tick: r.tick})
	}
	r.users = slices.DeleteFunc(r.users, func(u *user) bool { return slices.Contains(group, u) })
	for _, o := range f.objects {
		o.Hops, o.dirty = o.Hops+1, false
		delete(r.things, o.ID)
		r.log.Removed = append(r.log.Removed, o.ID)
		if o.geom.Region == r.cfg.Region {
			r.log.Lent = append(r.log.Lent, saved.Lent{Name: o.Name, To: f.to})
		}
	}
	r.objects = slices.DeleteFunc(r.objects, func(o *object) bool { return slices.Contains(f.objects, o) })
	r.refresh(f)
	r.flights = append(r.flights, f)
	r.left++
	r.owed[f.to]++
	r.fx.Stats.Departed += len(group)
	r.letters = append(r.letters, stream.RegionMessage{From: r.region.Name, To: f.to, Kind: stream.RegionHandover, Data: r.encodeFlight(f)})
}

// encodeFlight writes a flight's people as they are now.
func (r *Region) encodeFlight(f *flight) []byte {
	b, err := f.data.Encode()
	if err != nil {
		panic("scene: " + err.Error()) // plain data always encodes
	}
	return b
}

// refresh takes into a flight's message where its people are by now.
func (r *Region) refresh(f *flight) {
	f.data.Tick = r.tick
	f.data.Users, f.data.Objects = f.data.Users[:0], f.data.Objects[:0]
	for _, u := range f.users {
		r.refill(u)
		f.data.Users = append(f.data.Users, saved.Traveller{
			User: r.saveUser(u), State: u.State, Budget: u.budget, HasPose: u.hasPose, PoseSeq: u.poseSeq, Settle: u.settle, CorrectAt: u.correctAt,
		})
	}
	for _, o := range f.objects {
		o.follow()
		f.data.Objects = append(f.data.Objects, saveObject(o))
	}
}

// takeState takes what rules keep for people and for what they hold out of the region.
func (r *Region) takeState(who map[saved.Person]bool, f *flight) (keys []saved.Key, timers []saved.Timer, schemas []saved.Schema) {
	ids := map[uint64]bool{}
	for _, u := range f.users {
		ids[u.ID] = true
	}
	for _, o := range f.objects {
		ids[o.ID] = true
	}
	goes := func(k *saved.KeyName) bool {
		return k.Scope == abi.ScopeUser && who[k.Who] || k.Scope == abi.ScopeObject && ids[k.Subject]
	}
	for i := range r.venue.Rules {
		run := r.rules[i]
		if run == nil {
			continue
		}
		n := len(keys)
		for _, k := range run.names(goes) {
			v, _ := run.value(k)
			keys = append(keys, savedKey(run.name, &k, v, false))
		}
		run.forget(goes)
		for _, s := range r.shadows {
			if s.run.index == i {
				s.depart(goes)
			}
		}
		for j := 0; j < len(run.timers); j++ {
			if t := run.timers[j]; (t.Scope == abi.ScopeUser || t.Scope == abi.ScopeObject) && ids[t.Subject] {
				timers = append(timers, t)
				run.cancelTimer(t.Name())
				j--
			}
		}
		if len(keys) > n {
			schemas = append(schemas, saved.Schema{Rule: run.name, Schema: run.module.Schema})
		}
	}
	return keys, timers, schemas
}

// takeMarks takes what rules have against people out of the region.
func (r *Region) takeMarks(who map[saved.Person]bool) (marks []saved.Mark) {
	for _, run := range r.rules {
		if run == nil {
			continue
		}
		n := len(marks)
		for p, o := range run.offenders {
			if who[p] {
				marks = append(marks, saved.Mark{
					Rule: run.name, Who: p, Faults: o.faults, Blocks: o.blocks, Last: o.last, Until: o.until, Doubts: o.doubts, Doubted: o.doubted, Passes: o.passes,
				})
				delete(run.offenders, p)
			}
		}
		slices.SortFunc(marks[n:], func(a, b saved.Mark) int {
			return cmp.Or(cmp.Compare(a.Who.User, b.Who.User), cmp.Compare(fmt.Sprint(a.Who.Load), fmt.Sprint(b.Who.Load)))
		})
	}
	return marks
}

// durable notes that the log is in the store up to a tick: what left until then is sent when the step ends.
func (r *Region) durable(tick uint64) { r.stored = max(r.stored, tick) }

// Unreleased returns the tick of the oldest hand-over that waits for an input InputDurable of that tick or a later one; 0 for none.
func (r *Region) Unreleased() uint64 {
	for _, f := range r.flights {
		if !f.released {
			return f.tick
		}
	}
	return 0
}

// release sends what was handed over and is in the log by now, with the newest places of its people, and what waited behind it.
func (r *Region) release() {
	for _, f := range r.flights {
		if f.released || f.tick > r.stored || f.tick == r.tick {
			continue
		}
		r.refresh(f)
		for _, u := range f.users {
			r.fx.Gone = append(r.fx.Gone, u.ID)
		}
		for _, o := range f.objects {
			r.fx.Gone = append(r.fx.Gone, o.ID)
		}
		from := r.heldBack(f.to)
		f.released, f.users, f.objects = true, nil, nil
		r.flightNews = true
		to, more := r.heldBackFrom(f.to)
		for i := range r.saved.Sent {
			m := r.saved.Sent[i].Message
			if m.To != f.to || m.At.Before(from) || more && !m.At.Before(to) {
				continue
			}
			if m.At == f.at {
				m.Data = r.encodeFlight(f)
			}
			r.fx.Out = append(r.fx.Out, m)
		}
	}
}

// hurried names the regions that have not acknowledged people for so long that they are sent again: nobody shall wait for a second. last is
// the tick of the step before.
func (r *Region) hurried(last uint64) (regions []string) {
	quarter := max(2, uint64(r.venue.TickHz)/4)
	if last/quarter == r.tick/quarter {
		return nil
	}
	for _, f := range r.flights {
		if f.released && f.tick+quarter <= r.tick && !slices.Contains(regions, f.to) {
			regions = append(regions, f.to)
		}
	}
	return regions
}

// heldBackFrom returns the first message to a region that may not be sent yet; false when all may. What comes behind a hand-over waits
// with it: the other region would not take it before.
func (r *Region) heldBackFrom(to string) (stream.RegionPoint, bool) {
	for _, f := range r.flights {
		if f.to == to && !f.released {
			return f.at, true
		}
	}
	return stream.RegionPoint{}, false
}

func (r *Region) heldBack(to string) stream.RegionPoint {
	at, _ := r.heldBackFrom(to)
	return at
}

// maySend reports whether nothing that a message to another region must wait for is unreleased.
func (r *Region) maySend(m *stream.RegionMessage) bool {
	at, held := r.heldBackFrom(m.To)
	return !held || m.At.Before(at)
}

// flyers moves those who wait for the store by their poses, and shows them.
func (r *Region) moveFlyers(in []stream.Input) {
	for _, f := range r.flights {
		for _, u := range f.users {
			if u.next >= 0 {
				r.move(u, &in[u.next])
				u.next = -1
			}
		}
	}
}

func (r *Region) showFlyers() {
	for _, f := range r.flights {
		for _, u := range f.users {
			r.show(&u.entity)
		}
		for _, o := range f.objects {
			o.follow()
			r.show(&o.entity)
		}
	}
}

// flyer returns the person of a session who waits for the store, nil for none.
func (r *Region) flyer(session uint64) *user {
	for _, f := range r.flights {
		for _, u := range f.users {
			if u.Session == session {
				return u
			}
		}
	}
	return nil
}

// flying lists what is on its way to other regions, and not here again.
func (r *Region) flying() []stream.Flight {
	var out []stream.Flight
	for _, f := range r.flights {
		if !f.released {
			continue
		}
		for i := range f.data.Users {
			if u := &f.data.Users[i]; r.things[u.ID] == nil {
				out = append(out, stream.Flight{Entity: u.ID, Session: u.Session, To: f.to})
			}
		}
		for i := range f.data.Objects {
			if o := &f.data.Objects[i]; r.things[o.ID] == nil {
				out = append(out, stream.Flight{Entity: o.ID, To: f.to})
			}
		}
	}
	return out
}

// landed forgets flights that the other region has for good.
func (r *Region) landed(to string, at stream.RegionPoint) {
	n := len(r.flights)
	r.flights = slices.DeleteFunc(r.flights, func(f *flight) bool { return f.to == to && f.released && !at.Before(f.at) })
	r.flightNews = r.flightNews || len(r.flights) != n
}

// restoreFlights takes from the durable state who is on the way to another region. The log has them: they may go.
func (r *Region) restoreFlights() error {
	for i := range r.saved.Sent {
		s := &r.saved.Sent[i]
		if s.Message.Kind != stream.RegionHandover || r.isAcked(&s.Message) {
			continue
		}
		h, err := saved.DecodeHandover(s.Message.Data)
		if err != nil {
			return err
		}
		r.flights = append(r.flights, &flight{to: s.Message.To, at: s.Message.At, tick: s.Tick, released: true, data: *h})
	}
	r.flightNews = len(r.flights) > 0
	return nil
}
