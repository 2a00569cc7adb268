package scene

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// Region is one region of a venue. It belongs to one goroutine.
type Region struct {
	cfg    Config
	venue  *venues.Venue
	region *venues.Region
	tick   uint64
	lastID uint64
	eventN uint64
	joined uint64 // people who joined since the start, to spread them over the spawn places

	users    []*user // by entity id
	sessions map[uint64]*user
	people   map[saved.Person]*user
	objects  []*object // by entity id
	doors    []*door   // by entity id
	things   map[uint64]*thing
	zones    []int // indices of the venue's zones in this region
	crowd    []int // people in each zone, by the venue's index
	spawns   []*venues.SpawnGeom
	windows  []*window                     // open, in order of opening
	waiting  []saved.Input                 // requests behind an undecided one of the same session
	rules    []*ruleRun                    // by the venue's index; nil where nothing is loaded
	deciders [3][]int                      // rule that decides grabs, releases and uses, by kind; noRule for none
	frozen   []bool                        // kinds whose objects no rule moves: theirs is in quarantine
	signals  []saved.Signal                // that wait for the next step
	queued   []int                         // how many of them, by the venue's index of their rule
	heard    map[string]stream.RegionPoint // of other regions' messages
	owed     map[string]int                // messages that wait for an acknowledgement, by region
	swaps    []SwapEvent                   // since the last step
	retired  []Rule

	flights    []*flight // in the order of their messages
	left       int       // how many of them are of this step
	restarted  bool      // no step was made since a restart: what other regions have not acknowledged is sent again at once
	flightNews bool      // what is on its way has changed
	stored     uint64    // the log up to this tick is in the store, as far as hand-overs need to know
	shadows    []*Shadow
	near       map[pair]nearness // who has been near whom since which tick
	watched    uint64            // when that was last looked at, in the unit of watchGroups
	band       []*user

	saved     *saved.State
	recovered bool // the next step is the first after a restart

	// Of the running step; kept for their memory.
	fx          Effects
	log         saved.Record
	asked       []happening
	happenings  []happening
	parting     []happening
	keys        []keyInput
	waitChanged bool
	arrived     []saved.Signal
	late        []saved.Signal // signals that there was no time for
	letters     []stream.RegionMessage
	heardNews   []string // regions whose place in heard moved
	echo        []string // regions that hear where it is
	call        callState
	txn         txn
	batch       *abi.Batch
	batchBuf    []byte
	commands    []abi.Command
}

// thing is what an entity id names: exactly one of its fields is set.
type thing struct {
	user   *user
	object *object
	door   *door
}

// entity is the part that every streamed thing has.
type entity struct {
	stream.Entity
	sent  stream.State // as last streamed
	fresh bool         // not streamed yet
	dirty bool         // its durable part changed in this step
}

// user is a person in the region.
type user struct {
	entity
	load     bool
	floor    int
	cursor   uint32
	away     bool
	awayTick uint64
	restored bool // not heard of since the restart
	zones    []int
	hands    [2]*object

	budget     int64 // steps the head may still move
	budgetTick uint64
	hasPose    bool
	poseSeq    uint16
	next       int    // index of the newest pose among the inputs, -1 for none
	settle     uint64 // before this tick, samples far from a teleport's target are old ones
	jumpTick   uint64 // when FlagJump was set
	correctAt  uint64 // the first tick that may correct again
	moved      bool   // since triggers were last checked
	cursorNews bool
	leaving    bool
	reason     uint16
	optional   optional // the optional streams
	stamp      int64    // latest stamp of a key input in this step
	arrive     int64    // latest arrival of one
	placed     lattice.Joint
	placeTick  uint64
	hasPlaced  bool
	overSince  uint64 // tick since which the person is beyond the border; 0 for not
	thrown     bool   // a rule put the person elsewhere since crossings were last looked for
	crossing   int    // index of the region that the person goes to in this step + 1, 0 for none
}

func (u *user) person() saved.Person { return saved.Person{User: u.User, Load: u.load} }
func (u *user) head() lattice.Vec {
	return u.State.Body.Head.Pos
}

// object is a thing of a kind.
type object struct {
	entity
	geom   *venues.ObjectGeom
	kind   *venues.Kind
	holder *user
	hand   uint8
	offset lattice.Joint // pose in the holder's hand's frame
	window *window
}

func (o *object) pos() lattice.Vec { return o.State.Body.Head.Pos }

// door is a leaf in motion or at rest.
type door struct {
	entity
	geom   *venues.DoorGeom
	from   uint32
	target uint32
	since  uint64
	locked bool
}

// window gathers the requests for one object.
type window struct {
	object *object
	close  uint64
	reqs   []saved.Input
	dirty  bool
}

// New builds the region as the manifest describes it, with nobody in it.
func New(cfg Config) (*Region, error) { return build(cfg, saved.New()) }

func (cfg *Config) check() error {
	switch {
	case cfg.Venue == nil:
		return errors.New("scene: Config.Venue is nil")
	case cfg.Region < 0 || cfg.Region >= len(cfg.Venue.Regions):
		return fmt.Errorf("scene: Config.Region is %d, venue %s has %d regions", cfg.Region, cfg.Venue.ID, len(cfg.Venue.Regions))
	case len(cfg.Rules) != len(cfg.Venue.Rules):
		return fmt.Errorf("scene: Config.Rules has %d entries, venue %s has %d rules: give one for each, nil where nothing is loaded",
			len(cfg.Rules), cfg.Venue.ID, len(cfg.Venue.Rules))
	}
	return nil
}

// newID returns an entity id that was never used.
func (r *Region) newID() uint64 {
	n := uint64(1)
	if r.lastID>>32 == uint64(r.cfg.IDBlock) {
		n = r.lastID&0xffffffff + 1
	}
	r.lastID = uint64(r.cfg.IDBlock)<<32 | n
	return r.lastID
}

func (r *Region) addUser(u *user) {
	i, _ := slices.BinarySearchFunc(r.users, u.ID, func(v *user, id uint64) int { return cmp.Compare(v.ID, id) })
	r.users = slices.Insert(r.users, i, u)
	r.sessions[u.Session] = u
	r.people[u.person()] = u
	r.things[u.ID] = &thing{user: u}
}

func (r *Region) userByID(id uint64) *user {
	if t := r.things[id]; t != nil {
		return t.user
	}
	return nil
}

func (r *Region) objectByID(id uint64) *object {
	if t := r.things[id]; t != nil {
		return t.object
	}
	return nil
}

func (r *Region) doorByID(id uint64) *door {
	if t := r.things[id]; t != nil {
		return t.door
	}
	return nil
}

// hasSubject reports whether a scope's subject is in this region.
func (r *Region) hasSubject(scope abi.Scope, subject uint64) bool {
	switch scope {
	case abi.ScopeObject:
		t := r.things[subject]
		return t != nil && (t.object != nil || t.door != nil)
	case abi.ScopeUser:
		return r.userByID(subject) != nil
	case abi.ScopeZone:
		return subject > 0 && subject <= uint64(len(r.venue.Zones)) && r.venue.Zones[subject-1].Region == r.cfg.Region
	case abi.ScopeRegion:
		return subject == 0
	case abi.ScopeVenue:
		return subject == 0 && r.cfg.Region == 0
	}
	return false
}

// lasting names a scope's subject as logs and snapshots do. Ids of zones are places in the manifest, which may be
// written in another order before the next start: they go by name. Ids of things are theirs for ever.
func (r *Region) lasting(scope abi.Scope, subject uint64) (id uint64, zone string) {
	if scope == abi.ScopeZone {
		return 0, r.venue.Zones[subject-1].Name
	}
	return subject, ""
}

// zoneNamed returns the id of a zone of this region, 0 for none.
func (r *Region) zoneNamed(name string) uint64 {
	for _, z := range r.zones {
		if r.venue.Zones[z].Name == name {
			return venues.ZoneID(z)
		}
	}
	return 0
}

// serverTime is the server time of a tick, microseconds since the venue's tick 0.
func (r *Region) serverTime(tick uint64) int64 { return int64(tick) * r.venue.TickUS() }

// Key returns the content of a key frame: everything there is after the last step. N, Incarnation and
// Durable are the driver's. The record shares no memory with the region but what neither
// changes.
func (r *Region) Key() stream.Record {
	rec := stream.Record{
		Venue: r.venue.ID, Region: r.region.Name, Epoch: r.cfg.Epoch, Tick: r.tick, Key: true,
		Entities: make([]stream.Entity, 0, len(r.users)+len(r.objects)+len(r.doors)),
		Cursors:  make([]stream.Cursor, 0, len(r.users)),
	}
	for _, u := range r.users {
		rec.Entities = append(rec.Entities, u.Entity)
		rec.Cursors = append(rec.Cursors, stream.Cursor{Session: u.Session, Seq: u.cursor})
	}
	for _, o := range r.objects {
		rec.Entities = append(rec.Entities, o.Entity)
	}
	for _, d := range r.doors {
		rec.Entities = append(rec.Entities, d.Entity)
	}
	for _, f := range r.flights {
		for _, u := range f.users {
			rec.Entities = append(rec.Entities, u.Entity)
		}
		for _, o := range f.objects {
			rec.Entities = append(rec.Entities, o.Entity)
		}
	}
	rec.Flights = r.flying()
	rec.FlightNews = len(rec.Flights) > 0
	rec.Extras = r.keyExtras()
	for _, e := range r.saved.Events {
		if e.Tick+saved.RingTicks(r.venue.TickHz) >= r.tick {
			rec.Events = append(rec.Events, e)
		}
	}
	return rec
}

// Snapshot returns the durable state: equal states give equal bytes. The driver stores it under the tick
// of the last step; log records up to that tick are then no longer needed.
func (r *Region) Snapshot() ([]byte, error) { return r.saved.Encode(r.venue.ID, r.region.Name) }

// Hash returns the SHA-256 of Snapshot. It is zero when the state cannot be encoded, which no
// state that Step made can be.
func (r *Region) Hash() [32]byte {
	b, err := r.Snapshot()
	if err != nil {
		return [32]byte{}
	}
	return sha256.Sum256(b)
}

// Tick returns the tick of the last step, or of the newest log record after a restart.
func (r *Region) Tick() uint64 { return r.tick }
