package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// Restore rebuilds a region from its newest snapshot (nil for none) and the log records after it;
// records that the snapshot covers are skipped. The state, and so Hash, is that of the region
// that wrote them; only poses since are lost.
//
// Everyone in it counts as lost from the first step on: they keep what they hold and leave when the venue's grace
// ends, unless a Back or a Join of their session comes. The first of these may bring a place
// (HasPlace), which is then theirs. Things that the manifest no longer has are removed, new ones are made.
func Restore(cfg Config, snapshot []byte, log []saved.Record) (*Region, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	d := saved.New()
	name := cfg.Venue.Regions[cfg.Region].Name
	if snapshot != nil {
		var err error
		if d, err = saved.Decode(snapshot, cfg.Venue.ID, name); err != nil {
			return nil, err
		}
	}
	for snapshot != nil && len(log) > 0 && log[0].Tick <= d.Tick {
		log = log[1:]
	}
	return restoreFrom(cfg, d, log)
}

func restoreFrom(cfg Config, d *saved.State, log []saved.Record) (*Region, error) {
	for i := range log {
		if log[i].Tick <= d.Tick {
			return nil, fmt.Errorf("log of region %s: record %d is of tick %d, the one before of tick %d: the log is out of order",
				cfg.Venue.Regions[cfg.Region].Name, i, log[i].Tick, d.Tick)
		}
		d.Apply(&log[i], cfg.Venue.TickHz)
	}
	r, err := build(cfg, d)
	if err != nil {
		return nil, err
	}
	r.recovered, r.restarted = true, true
	return r, nil
}

// build makes the live state from the durable one.
func build(cfg Config, d *saved.State) (*Region, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	r := &Region{
		cfg: cfg, venue: cfg.Venue, region: &cfg.Venue.Regions[cfg.Region],
		tick: d.Tick, lastID: d.LastID, eventN: d.EventN, saved: d,
		sessions: map[uint64]*user{}, people: map[saved.Person]*user{}, things: map[uint64]*thing{},
		crowd: make([]int, len(cfg.Venue.Zones)), batch: abi.NewBatch(),
	}
	for i := range r.venue.Zones {
		if r.venue.Zones[i].Region == cfg.Region {
			r.zones = append(r.zones, i)
		}
	}
	for i := range r.venue.Spawns {
		s := &r.venue.Spawns[i]
		if s.Floor == r.region.Floor && r.region.Rect.Contains(s.At) {
			r.spawns = append(r.spawns, s)
		}
	}
	if err := r.loadRules(); err != nil {
		return nil, err
	}
	for _, u := range saved.Sorted(d.Users, func(u saved.User) uint64 { return u.ID }) {
		if err := r.restoreUser(&u); err != nil {
			return nil, r.damaged(err)
		}
	}
	if err := r.restoreThings(); err != nil {
		return nil, r.damaged(err)
	}
	r.forgetZones()
	r.restoreSignals()
	r.restoreMail()
	if err := r.restoreFlights(); err != nil {
		return nil, r.damaged(err)
	}
	if err := r.restoreSchemas(); err != nil {
		return nil, err
	}
	if err := r.restoreRequests(); err != nil {
		return nil, r.damaged(err)
	}
	return r, nil
}

// newObject makes an object as the manifest describes it, without an id.
func newObject(v *venues.Venue, g *venues.ObjectGeom) *object {
	o := &object{geom: g, kind: &v.Kinds[g.Kind]}
	o.entity = entity{fresh: true, dirty: true, Entity: stream.Entity{
		Kind: stream.Object, Class: uint16(g.Kind), Floor: uint8(g.Floor), Name: g.Name,
	}}
	o.State.Body.Head, o.State.Value = g.Pose, g.State
	return o
}

// isLent reports whether an object of this region's was carried into another one. If the manifest has that one no longer, the object is made anew here.
func (r *Region) isLent(name string) bool {
	to, lent := r.saved.Lent[name]
	if !lent {
		return false
	}
	if r.regionNamed(to) < 0 {
		r.log.Lent = append(r.log.Lent, saved.Lent{Name: name})
		return false
	}
	return true
}

func (r *Region) damaged(err error) error {
	return fmt.Errorf("state of region %s: %w", r.region.Name, err)
}

// restoreUser takes one person from the durable state.
func (r *Region) restoreUser(s *saved.User) error {
	if s.ID == 0 || r.things[s.ID] != nil {
		return fmt.Errorf("session %d: entity id %d is zero or used twice", s.Session, s.ID)
	}
	for _, j := range [...]lattice.Joint{s.Body.Head, s.Body.Left, s.Body.Right} {
		if err := checkJoint(j); err != nil {
			return fmt.Errorf("session %d: body: %w", s.Session, err)
		}
	}
	u := &user{
		entity: entity{Entity: stream.Entity{
			ID: s.ID, Kind: stream.Avatar, Session: s.Session, User: s.User, Name: s.Name, Hops: s.Hops,
		}, fresh: true},
		load: s.Load, cursor: s.Cursor, away: s.Away, awayTick: s.AwayTick, restored: true, next: -1, moved: true,
		budget: r.venue.Limits.Burst, budgetTick: r.tick,
	}
	if r.people[u.person()] != nil {
		return fmt.Errorf("session %d: person %q is there twice", s.Session, s.User)
	}
	u.State.Body = s.Body
	floor := slices.IndexFunc(r.venue.Floors, func(f venues.FloorGeom) bool { return f.Name == s.Floor })
	u.floor = r.venue.FloorAt(s.Body.Head.Pos, floor)
	if u.floor < 0 {
		// The manifest changed, or the data is older than it.
		u.floor = r.region.Floor
		r.put(u, r.clampToFloor(u.floor, s.Body.Head.Pos))
	}
	u.Floor = uint8(u.floor)
	if s.Away {
		u.State.Flags |= stream.FlagAway
	}
	for _, name := range s.Zones {
		for _, z := range r.zones {
			if r.venue.Zones[z].Name == name && !slices.Contains(u.zones, z) {
				u.zones = append(u.zones, z)
				r.crowd[z]++
			}
		}
	}
	slices.Sort(u.zones)
	r.addUser(u)
	return nil
}

func checkJoint(j lattice.Joint) error { return saved.CheckJoint(j) }

func checkBody(b *lattice.Body) error {
	for _, j := range [...]lattice.Joint{b.Head, b.Left, b.Right} {
		if err := checkJoint(j); err != nil {
			return err
		}
	}
	return nil
}

// restoreThings takes objects and doors from the durable state, and follows the manifest where it
// differs.
func (r *Region) restoreThings() error {
	objects := map[string]*saved.Object{}
	for _, s := range saved.Sorted(r.saved.Objects, func(o saved.Object) uint64 { return o.ID }) {
		if objects[s.Name] != nil {
			return fmt.Errorf("object %q is there twice", s.Name)
		}
		objects[s.Name] = &s
	}
	doors := map[string]*saved.Door{}
	for _, s := range saved.Sorted(r.saved.Doors, func(o saved.Door) uint64 { return o.ID }) {
		if doors[s.Name] != nil {
			return fmt.Errorf("door %q is there twice", s.Name)
		}
		doors[s.Name] = &s
	}
	for i := range r.venue.Objects {
		g := &r.venue.Objects[i]
		s := objects[g.Name]
		if s == nil && (g.Region != r.cfg.Region || r.isLent(g.Name)) {
			continue
		}
		o := newObject(r.venue, g)
		if s != nil {
			delete(objects, g.Name)
			if err := r.restoreObject(o, s); err != nil {
				return fmt.Errorf("object %q: %w", g.Name, err)
			}
		} else {
			o.ID = r.newID()
		}
		if r.things[o.ID] != nil {
			return fmt.Errorf("object %q: entity id %d is used twice", g.Name, o.ID)
		}
		r.objects = append(r.objects, o)
		r.things[o.ID] = &thing{object: o}
	}
	for i := range r.venue.Doors {
		g := &r.venue.Doors[i]
		if g.Region != r.cfg.Region {
			continue
		}
		d := &door{geom: g, locked: g.Locked}
		d.entity = entity{fresh: true, dirty: true, Entity: stream.Entity{
			Kind: stream.Door, Class: uint16(i), Floor: uint8(g.Floor), Name: g.Name,
		}}
		d.State.Body.Head = g.Pose
		if s := doors[g.Name]; s != nil {
			delete(doors, g.Name)
			if s.From > doorOpen || s.Target > doorOpen {
				return fmt.Errorf("door %q: from %d, target %d: want 0 to %d permille", g.Name, s.From, s.Target, doorOpen)
			}
			d.ID, d.from, d.target, d.since, d.locked, d.dirty = s.ID, s.From, s.Target, s.Since, s.Locked, false
		} else {
			d.ID = r.newID()
		}
		if d.ID == 0 || r.things[d.ID] != nil {
			return fmt.Errorf("door %q: entity id %d is zero or used twice", g.Name, d.ID)
		}
		d.show(r.tick)
		r.doors = append(r.doors, d)
		r.things[d.ID] = &thing{door: d}
	}
	for _, s := range objects {
		r.log.Removed = append(r.log.Removed, s.ID)
	}
	for _, s := range doors {
		r.log.Removed = append(r.log.Removed, s.ID)
	}
	slices.Sort(r.log.Removed)
	for _, id := range r.log.Removed {
		r.forgetSubject(abi.ScopeObject, id)
	}
	slices.SortFunc(r.objects, func(a, b *object) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.doors, func(a, b *door) int { return cmp.Compare(a.ID, b.ID) })
	return nil
}

// restoreObject takes an object's durable part.
func (r *Region) restoreObject(o *object, s *saved.Object) error {
	for _, j := range [...]lattice.Joint{s.Pose, s.Offset} {
		if err := checkJoint(j); err != nil {
			return err
		}
	}
	if s.ID == 0 || s.Hand > 1 {
		return fmt.Errorf("entity id %d, hand %d: want an id and hand 0 or 1", s.ID, s.Hand)
	}
	o.ID, o.Hops, o.dirty = s.ID, s.Hops, false
	o.State.Body.Head, o.State.Value = s.Pose, s.Value
	if f := r.venue.FloorAt(s.Pose.Pos, o.geom.Floor); f >= 0 {
		o.Floor = uint8(f)
	}
	if s.Holder == 0 {
		return nil
	}
	t := r.things[s.Holder]
	if t == nil || t.user == nil {
		return fmt.Errorf("its holder %d is not in the region", s.Holder)
	}
	if t.user.hands[s.Hand] != nil {
		return fmt.Errorf("hand %d of %d holds two objects", s.Hand, s.Holder)
	}
	o.hold(t.user, s.Hand, s.Offset)
	o.follow()
	return nil
}

// restoreRequests takes the undecided requests from the durable state.
func (r *Region) restoreRequests() error {
	var orphans []saved.Input
	for _, s := range saved.Sorted(r.saved.Windows, func(w saved.Window) uint64 { return w.Object }) {
		t := r.things[s.Object]
		if t == nil || t.object == nil {
			// The object went with a change of the manifest: the next step asks for it once more, and denies.
			r.log.Windows = append(r.log.Windows, saved.Window{Object: s.Object, Close: s.Close})
			orphans = append(orphans, s.Requests...)
		}
		for i := range s.Requests {
			if err := r.checkRequest(&s.Requests[i]); err != nil {
				return fmt.Errorf("window of object %d: %w", s.Object, err)
			}
		}
		if t == nil || t.object == nil {
			continue
		}
		w := &window{object: t.object, close: s.Close, reqs: slices.Clone(s.Requests)}
		t.object.window = w
		r.windows = append(r.windows, w)
	}
	slices.SortStableFunc(r.windows, func(a, b *window) int { return cmp.Compare(a.close, b.close) })
	for i := range r.saved.Waiting {
		if err := r.checkRequest(&r.saved.Waiting[i]); err != nil {
			return fmt.Errorf("waiting request %d: %w", i, err)
		}
	}
	r.waiting, r.waitChanged = append(orphans, r.saved.Waiting...), len(orphans) > 0
	return nil
}

func (r *Region) checkRequest(s *saved.Input) error {
	if r.sessions[s.Session] == nil {
		return fmt.Errorf("session %d is not in the region", s.Session)
	}
	if s.Hand > 1 || s.Kind < stream.InputGrab || s.Kind > stream.InputUse {
		return fmt.Errorf("session %d: kind %d, hand %d are not of a request", s.Session, s.Kind, s.Hand)
	}
	return checkJoint(s.HandAt)
}
