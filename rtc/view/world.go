// Package view is what a gateway knows of a venue and what each of its clients
// is shown of it.
//
// # Model
//
// A [World] follows the state records of the regions that a gateway reads and holds
// every entity in them. A [Client] is one client's view of it: the entities
// in the area of interest around the client's own avatar, the handles they go by, and
// what the client has acknowledged of them.
//
//	records of regions --> World --+--> Client --> one frame a tick --> client
//	                               +--> Client <-- acknowledgements <--
//
// Entering, updating and leaving are one acknowledged state. A record of a frame that
// may be lost is never relied on: an enter and a leave are repeated until a frame that
// carried them is acknowledged, an update is a difference to a state that the client
// is known to hold, and an entity is at rest only when the newest state sent of
// it is acknowledged. So whatever the lane loses, doubles or reorders, a client's view
// becomes its interest set and nothing more.
//
// # Trust
//
// Records come from inside the cluster. Acknowledgements come from clients: one for a frame never
// sent is refused, and a false one harms only its sender. The place a client looks from is its
// avatar's in the World, which the region decided, never what the client says.
//
// # Duties of the caller
//
// Between two calls of [World.Apply] the methods of different Clients may run
// at the same time; Apply may not run beside any of them. One Client belongs to one
// goroutine at a time. There is no clock: ticks are the caller's, and they never fall.
package view

import (
	"errors"
	"fmt"

	"github.com/venued/venued/host/aoi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// Errors of World.Apply, wrapped with the region and the numbers concerned.
var (
	// ErrStale: the record is older than what is known, or of an owner that lost the region. Drop it.
	ErrStale = errors.New("stale record")
	// ErrGap: records are missing before this one. Ask for a key frame.
	ErrGap = errors.New("missing records")
	// ErrInvalid: the record holds an entity that cannot be shown. Its region is at fault.
	ErrInvalid = errors.New("invalid entity")
)

// pastStates is how many states of an entity are kept as baselines. An entity
// that changes every tick thus has those of the last two seconds.
const pastStates = 64

// maxKind is the largest entity kind that an enter record has room for.
const maxKind = 15

// World is the entities of the regions that a gateway reads.
type World struct {
	venue    *venues.Venue
	grid     *aoi.Grid
	rooms    aoi.Rooms
	portals  bool // rooms matter
	entities map[uint64]*entity
	sessions map[uint64]*entity
	regions  map[string]*region
	tick     uint64 // newest of any region

	// An entity that walks over a border is gone from one region and present in another, in
	// either order and from two streams. One that no region claims stays while a region says that it is on its way, and
	// for patience ticks, so that it does not blink. A venue of one region has nothing to wait for.
	unclaimed []*entity
	patience  uint64

	presenters int // how many entities present, at most venues.MaxPresenters
}

// region is where a stream of records has got to.
type region struct {
	name        string
	incarnation uint64
	epoch       uint64
	n           uint64
	tick        uint64
	members     []*entity
	flights     map[uint64]string // entities on their way to other regions, and which
}

// entity is an entity of the World. past[version%pastStates] is its current state and
// the versions before are its earlier ones.
type entity struct {
	e       stream.Entity
	info    wire.Info // constant: clients refuse a second enter that differs
	version uint32
	past    []stream.State

	owner *region // nil while unclaimed
	at    int     // index in owner.members or in unclaimed
	tick  uint64  // of the newest record that named it

	room     uint16 // index in the venue's rooms + 1; 0 for none, and when rooms do not matter
	presents bool
	personal personal
	keyMark  uint64 // tick+1 of the newest key frame that named it

	memo memo
}

// NewWorld makes an empty world of a venue.
func NewWorld(v *venues.Venue) *World {
	w := &World{
		venue:    v,
		portals:  len(v.Interest.Portals) > 0,
		entities: make(map[uint64]*entity),
		sessions: make(map[uint64]*entity),
		regions:  make(map[string]*region),
	}
	if w.portals {
		var pairs [][2]uint16
		for _, p := range v.Interest.Portals {
			pairs = append(pairs, [2]uint16{uint16(p[0] + 1), uint16(p[1] + 1)})
		}
		w.rooms = aoi.NewRooms(len(v.Rooms), pairs)
	}
	w.grid = aoi.NewGrid(v.Cell, w.rooms)
	if len(v.Regions) > 1 {
		w.patience = max(uint64(v.TickHz)/4, 2)
	}
	return w
}

// Len returns how many entities the world holds.
func (w *World) Len() int { return len(w.entities) }

// Tick returns the newest tick of any region; 0 before the first record.
func (w *World) Tick() uint64 { return w.tick }

// Entity returns an entity as the newest record has it. It is the world's: read it only, and not
// after the next Apply.
func (w *World) Entity(id uint64) (*stream.Entity, bool) {
	if ent := w.entities[id]; ent != nil {
		return &ent.e, true
	}
	return nil, false
}

// BySession returns the avatar of a session; see Entity.
func (w *World) BySession(session uint64) (*stream.Entity, bool) {
	if ent := w.sessions[session]; ent != nil {
		return &ent.e, true
	}
	return nil, false
}

// RegionOf returns the name of the region that an entity is in; "" when no region claims it at the moment.
func (w *World) RegionOf(id uint64) string {
	if ent := w.entities[id]; ent != nil && ent.owner != nil {
		return ent.owner.name
	}
	return ""
}

// Where returns the name of the region that an entity is in or, when none claims it at the moment, on its way to; "" when nobody knows.
func (w *World) Where(id uint64) string {
	if region := w.RegionOf(id); region != "" {
		return region
	}
	return w.flyingTo(id)
}

// flyingTo returns the region that an entity is on its way to, as another one says; "" for none.
func (w *World) flyingTo(id uint64) string {
	for i := range w.venue.Regions {
		if r := w.regions[w.venue.Regions[i].Name]; r != nil && r.flights[id] != "" {
			return r.flights[id]
		}
	}
	return ""
}

// Apply takes the next record of a region. A region's first record must be a key
// frame; so must the one after a gap. On an error nothing was taken: ErrGap asks for a
// key frame, ErrStale for nothing, ErrInvalid for a look at the region. Of two regions that name the same entity the one
// is right that knows of more hand-overs of it, then the newer tick. The record's slices are not kept.
func (w *World) Apply(rec *stream.Record) error {
	for i := range rec.Entities {
		if e := &rec.Entities[i]; e.ID == 0 || e.Kind == 0 || e.Kind > maxKind {
			// Clients refuse a whole frame for it.
			return fmt.Errorf("region %q, record %d, entity %d of kind %d: %w: ids start at 1, kinds are 1 to %d",
				rec.Region, rec.N, e.ID, e.Kind, ErrInvalid, maxKind)
		}
	}
	r, err := w.follow(rec)
	if err != nil {
		return err
	}
	w.tick = max(w.tick, rec.Tick)
	if rec.Key || rec.FlightNews {
		clear(r.flights)
		for i := range rec.Flights {
			r.flights[rec.Flights[i].Entity] = rec.Flights[i].To
		}
	}
	for i := range rec.Entities {
		w.put(r, rec, &rec.Entities[i])
	}
	for _, id := range rec.Gone {
		if ent := w.entities[id]; ent != nil && ent.owner == r {
			w.unclaim(ent, rec.Tick)
		}
	}
	if rec.Key {
		for i := len(r.members) - 1; i >= 0; i-- {
			if ent := r.members[i]; ent.keyMark != rec.Tick+1 {
				w.unclaim(ent, rec.Tick)
			}
		}
	}
	w.putExtras(r, rec)
	w.expire()
	return nil
}

// follow checks that a record is the next of its region and moves the region on.
func (w *World) follow(rec *stream.Record) (*region, error) {
	r := w.regions[rec.Region]
	if r == nil {
		if !rec.Key {
			return nil, fmt.Errorf("region %q, record %d: %w: no key frame yet", rec.Region, rec.N, ErrGap)
		}
		r = &region{name: rec.Region, flights: map[uint64]string{}}
		w.regions[rec.Region] = r
	} else if err := w.succeeds(r, rec); err != nil {
		return nil, err
	}
	r.incarnation, r.epoch, r.n, r.tick = rec.Incarnation, rec.Epoch, rec.N, rec.Tick
	return r, nil
}

func (w *World) succeeds(r *region, rec *stream.Record) error {
	switch {
	case rec.Incarnation == r.incarnation && rec.Epoch == r.epoch:
		if rec.N < r.n || rec.N == r.n && !rec.Key {
			return fmt.Errorf("region %q, record %d: %w: %d is known", rec.Region, rec.N, ErrStale, r.n)
		}
		if rec.N != r.n+1 && !rec.Key {
			return fmt.Errorf("region %q, record %d: %w: the next is %d", rec.Region, rec.N, ErrGap, r.n+1)
		}
		return nil
	case rec.Epoch < r.epoch && (rec.Incarnation == r.incarnation || !w.silent(r, rec)),
		rec.Epoch == r.epoch && rec.Tick < r.tick:
		return fmt.Errorf("region %q, record %d of epoch %d: %w: epoch %d is known",
			rec.Region, rec.N, rec.Epoch, ErrStale, r.epoch)
	case !rec.Key:
		return fmt.Errorf("region %q, record %d of epoch %d: %w: no key frame of this owner yet",
			rec.Region, rec.N, rec.Epoch, ErrGap)
	}
	return nil
}

// silent reports whether nothing came from a region for the second before rec. A store that
// was lost counts epochs anew: then a lower epoch of another incarnation is
// the truth, and the former owner no longer speaks. One that still does is believed
// instead.
func (w *World) silent(r *region, rec *stream.Record) bool {
	return rec.Tick > r.tick+uint64(w.venue.TickHz)
}

// put takes an entity from a record of region r.
func (w *World) put(r *region, rec *stream.Record, e *stream.Entity) {
	ent := w.entities[e.ID]
	switch {
	case ent == nil:
		ent = &entity{
			past: []stream.State{e.State},
			info: wire.Info{ID: e.ID, Kind: e.Kind, Class: e.Class, Name: e.Name},
		}
		w.entities[e.ID] = ent
		w.claim(r, ent)
	case ent.owner == r:
	case e.Hops > ent.e.Hops:
		w.release(ent)
		w.claim(r, ent)
	case ent.owner != nil && e.Hops < ent.e.Hops, rec.Tick < ent.tick, rec.Tick == ent.tick && ent.owner != nil:
		return // another region has it, or knew it later than this
	default:
		w.release(ent)
		w.claim(r, ent)
	}
	if ent.e.Session != e.Session && w.sessions[ent.e.Session] == ent {
		delete(w.sessions, ent.e.Session)
	}
	if e.Session != 0 {
		w.sessions[e.Session] = ent
	}
	if e.State != ent.past[ent.version%pastStates] {
		ent.version++
		if len(ent.past) < pastStates {
			ent.past = append(ent.past, e.State)
		} else {
			ent.past[ent.version%pastStates] = e.State
		}
	}
	ent.e = *e
	ent.tick = rec.Tick
	if rec.Key {
		ent.keyMark = rec.Tick + 1
	}
	w.place(ent)
}

// place tells the grid where an entity is.
func (w *World) place(ent *entity) {
	at := ent.e.State.Body.Head.Pos
	if w.portals {
		ent.room = w.roomAt(ent.e.Floor, at, ent.room)
	}
	presents := ent.e.Kind == stream.Avatar && w.venue.Presents(int(ent.e.Floor), at)
	switch {
	case presents && !ent.presents && w.presenters < venues.MaxPresenters:
		ent.presents = true
		w.presenters++
	case !presents && ent.presents:
		w.dismiss(ent)
	}
	w.grid.Put(ent.e.ID, aoi.Place{
		Floor: ent.e.Floor, Room: ent.room, At: at, Quiet: ent.e.Kind != stream.Avatar, Wide: ent.presents,
	})
}

// dismiss ends an entity's presenting.
func (w *World) dismiss(ent *entity) {
	if ent.presents {
		ent.presents = false
		w.presenters--
	}
}

// roomAt returns the number of the room that holds a point, 0 for none; last is where it was before, and is tried first.
func (w *World) roomAt(floor uint8, at lattice.Vec, last uint16) uint16 {
	if !w.portals {
		return 0
	}
	if last != 0 {
		if r := &w.venue.Rooms[last-1]; r.Floor == int(floor) && r.Rect.Contains(at) {
			return last
		}
	}
	return uint16(w.venue.RoomAt(int(floor), at) + 1)
}

func (w *World) claim(r *region, ent *entity) {
	ent.owner, ent.at = r, len(r.members)
	r.members = append(r.members, ent)
}

// release takes an entity off its owner's list, or off the unclaimed.
func (w *World) release(ent *entity) {
	list := &w.unclaimed
	if ent.owner != nil {
		list = &ent.owner.members
	}
	last := len(*list) - 1
	moved := (*list)[last]
	(*list)[ent.at], moved.at = moved, ent.at
	(*list)[last] = nil
	*list = (*list)[:last]
	ent.owner = nil
}

// unclaim notes that the owner of an entity let go of it.
func (w *World) unclaim(ent *entity, tick uint64) {
	w.release(ent)
	ent.tick = max(ent.tick, tick)
	if w.patience == 0 {
		w.forget(ent)
		return
	}
	ent.at = len(w.unclaimed)
	w.unclaimed = append(w.unclaimed, ent)
}

// expire forgets what nobody claimed in time.
func (w *World) expire() {
	for i := len(w.unclaimed) - 1; i >= 0; i-- {
		ent := w.unclaimed[i]
		if w.flyingTo(ent.e.ID) != "" {
			ent.tick = w.tick
		} else if w.tick >= ent.tick+w.patience {
			w.release(ent)
			w.forget(ent)
		}
	}
}

func (w *World) forget(ent *entity) {
	w.dismiss(ent)
	delete(w.entities, ent.e.ID)
	if w.sessions[ent.e.Session] == ent {
		delete(w.sessions, ent.e.Session)
	}
	w.grid.Remove(ent.e.ID)
}
