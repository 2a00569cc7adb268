package scene

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/scene/terms"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Live is everything that a region's future depends on, between two steps: the durable state and, unlike a snapshot, also poses, budgets
// and what is known of failing rules. A region that Revive makes of it gives the same effects as the one it was captured from, to the
// bit. It is plain data, with a deterministic JSON.
type Live struct {
	Tick    uint64       `json:"tick"`    // of the last step
	Epoch   uint64       `json:"epoch"`   // of Config
	IDBlock uint32       `json:"block"`   // of Config
	LastID  uint64       `json:"last_id"` // newest entity id that was given out
	EventN  uint64       `json:"event_n"` // number of the newest event
	Joined  uint64       `json:"joined"`  // people since the region's start, who are spread over the spawn places
	Saved   saved.File   `json:"saved"`
	Users   []LiveUser   `json:"users"` // by session
	Things  []LiveThing  `json:"things"`
	Windows []uint64     `json:"windows"` // objects with an open grab window, in the order they were opened
	Rules   []LiveFaults `json:"rules"`   // of the venue's rules in order
	Stored  uint64       `json:"stored"`  // newest InputDurable
	Flights []LiveFlight `json:"flights"` // those that are not released, in order
	Near    []LivePair   `json:"near"`    // people near each other at the border, by entity id
	Watched uint64       `json:"watched"` // when that was looked at
}

// LiveFlight is people on their way to another region who wait for the log to be stored.
type LiveFlight struct {
	To     string             `json:"to"`
	At     stream.RegionPoint `json:"at"` // of the message
	Data   saved.Handover     `json:"data"`
	States []stream.State     `json:"states"` // of the users and then the objects of Data
	Sent   []stream.State     `json:"sent"`   // the same, as last streamed
}

// LivePair is two people who have been near each other since a tick.
type LivePair struct {
	IDs    [2]uint64 `json:"ids"`
	Since  uint64    `json:"since"`
	Active uint64    `json:"active"` // when one of them last held something or spoke; 0 for never
}

// LiveUser is what a snapshot does not have of a person.
type LiveUser struct {
	Session    uint64        `json:"session"`
	State      stream.State  `json:"state"`
	Sent       stream.State  `json:"sent"` // as last streamed
	Floor      int           `json:"floor"`
	Budget     int64         `json:"budget"` // steps the head may still move
	BudgetTick uint64        `json:"budget_tick"`
	HasPose    bool          `json:"has_pose"`
	PoseSeq    uint16        `json:"pose_seq"`
	Settle     uint64        `json:"settle"`
	JumpTick   uint64        `json:"jump_tick"`
	CorrectAt  uint64        `json:"correct_at"`
	Moved      bool          `json:"moved"`
	Restored   bool          `json:"restored"`
	Placed     lattice.Joint `json:"placed"` // as last reported for the store
	PlaceTick  uint64        `json:"place_tick"`
	HasPlaced  bool          `json:"has_placed"`
	OverSince  uint64        `json:"over_since"` // tick since which the person is beyond the border
	Thrown     bool          `json:"thrown"`     // a rule put the person elsewhere in the last step
}

// LiveThing is what a snapshot does not have of an object or a door.
type LiveThing struct {
	ID     uint64        `json:"id"`
	State  stream.State  `json:"state"`
	Sent   stream.State  `json:"sent"`
	Floor  uint8         `json:"floor"`
	Hand   uint8         `json:"hand"`
	Offset lattice.Joint `json:"offset"`
}

// LiveFaults is what a region knows of a rule's faults.
type LiveFaults struct {
	Streak     int            `json:"streak"`
	Blame      []saved.Person `json:"blame"`
	Quarantine bool           `json:"quarantine"`
	Offenders  []LiveOffender `json:"offenders"` // by person
	Watch      *LiveWatch     `json:"watch,omitempty"`
}

// LiveWatch is a swap whose new module is watched.
type LiveWatch struct {
	Old    Module `json:"old"`
	Forked bool   `json:"forked"`
	Limit  int    `json:"limit"`  // faulted ticks that bring the old module back
	Faults int    `json:"faults"` // so far
	Since  uint64 `json:"since"`  // tick
	Ticks  uint64 `json:"ticks"`
}

// LiveOffender is a person whose events made a rule fail.
type LiveOffender struct {
	Who     saved.Person `json:"who"`
	Faults  int          `json:"faults"`
	Blocks  int          `json:"blocks"`
	Last    uint64       `json:"last"`
	Until   uint64       `json:"until"`
	Doubts  int          `json:"doubts"`
	Doubted uint64       `json:"doubted"`
	Passes  int          `json:"passes"`
}

// Capture returns the region as it is after the last step. It is refused before the first step after a start or a swap.
func (r *Region) Capture() (*Live, error) {
	if r.recovered || !r.log.Empty() || r.fx.Tick == 0 || r.fx.Tick != r.tick || len(r.swaps)+len(r.retired) > 0 {
		return nil, fmt.Errorf("region %s has not made a step since its start or a swap: capture it after the next", r.region.Name)
	}
	snapshot, err := r.Snapshot()
	if err != nil {
		return nil, err
	}
	l := &Live{Tick: r.tick, Epoch: r.cfg.Epoch, IDBlock: r.cfg.IDBlock, LastID: r.lastID, EventN: r.eventN, Joined: r.joined}
	if err := json.Unmarshal(snapshot, &l.Saved); err != nil {
		return nil, fmt.Errorf("snapshot of region %s: %w", r.region.Name, err)
	}
	for _, u := range r.users {
		l.Users = append(l.Users, LiveUser{
			Session: u.Session, State: u.State, Sent: u.sent, Floor: u.floor, Budget: u.budget, BudgetTick: u.budgetTick, HasPose: u.hasPose,
			PoseSeq: u.poseSeq, Settle: u.settle, JumpTick: u.jumpTick, CorrectAt: u.correctAt, Moved: u.moved, Restored: u.restored,
			Placed: u.placed, PlaceTick: u.placeTick, HasPlaced: u.hasPlaced,
			OverSince: u.overSince, Thrown: u.thrown,
		})
	}
	slices.SortFunc(l.Users, func(a, b LiveUser) int { return cmp.Compare(a.Session, b.Session) })
	for _, o := range r.objects {
		l.Things = append(l.Things, LiveThing{ID: o.ID, State: o.State, Sent: o.sent, Floor: o.Floor, Hand: o.hand, Offset: o.offset})
	}
	for _, d := range r.doors {
		l.Things = append(l.Things, LiveThing{ID: d.ID, State: d.State, Sent: d.sent, Floor: d.Floor})
	}
	for _, w := range r.windows {
		l.Windows = append(l.Windows, w.object.ID)
	}
	for _, rule := range r.rules {
		var f LiveFaults
		if rule != nil {
			f = rule.liveFaults()
		}
		l.Rules = append(l.Rules, f)
	}
	r.captureFlights(l)
	return l, nil
}

func (rule *ruleRun) liveFaults() LiveFaults {
	f := LiveFaults{Streak: rule.streak, Blame: slices.Clone(rule.blame[:]), Quarantine: rule.quarantine}
	for who, o := range rule.offenders {
		f.Offenders = append(f.Offenders, LiveOffender{
			Who: who, Faults: o.faults, Blocks: o.blocks, Last: o.last, Until: o.until, Doubts: o.doubts, Doubted: o.doubted, Passes: o.passes,
		})
	}
	slices.SortFunc(f.Offenders, func(a, b LiveOffender) int {
		if c := cmp.Compare(a.Who.User, b.Who.User); c != 0 || a.Who.Load == b.Who.Load {
			return c
		}
		if a.Who.Load {
			return 1
		}
		return -1
	})
	if w := rule.watch; w != nil {
		f.Watch = &LiveWatch{Old: w.module, Forked: w.forked, Limit: w.limit, Faults: w.faults, Since: w.since, Ticks: w.ticks}
	}
	return f
}

// errForeign is why a Live cannot be revived in a venue.
var errForeign = errors.New("the venue is not the one it was captured in")

// Revive makes the region that l was captured from. The venue must be the same; Epoch and IDBlock of cfg are taken from l, since ids go
// on from there: two such regions must never serve the same venue. The region keeps nothing of l.
func Revive(cfg Config, l *Live) (*Region, error) {
	cfg.Epoch, cfg.IDBlock = l.Epoch, l.IDBlock
	if err := cfg.check(); err != nil {
		return nil, err
	}
	b, err := json.Marshal(&l.Saved)
	if err != nil {
		return nil, err
	}
	d, err := saved.Decode(bytes.Clone(b), cfg.Venue.ID, cfg.Venue.Regions[cfg.Region].Name)
	if err != nil {
		return nil, err
	}
	r, err := build(cfg, d)
	if err != nil {
		return nil, err
	}
	if err := r.revive(l); err != nil {
		return nil, r.damaged(err)
	}
	return r, nil
}

// revive lays what a snapshot does not have over a region that was built of one.
func (r *Region) revive(l *Live) error {
	log := r.log
	// The module may be another one than when it was captured. With the same one nothing starts anew.
	r.log.Forks = slices.DeleteFunc(r.log.Forks, func(f saved.Fork) bool { return f.Op == saved.ForkWait })
	log.Schemas, log.Forks = nil, nil
	switch {
	case !log.Empty() || len(l.Things) != len(r.objects)+len(r.doors):
		return fmt.Errorf("objects, doors or zones differ: %w", errForeign)
	case len(l.Rules) != len(r.rules):
		return fmt.Errorf("%d rules, the venue has %d: %w", len(l.Rules), len(r.rules), errForeign)
	case len(l.Users) != len(r.users):
		return fmt.Errorf("%d people beside a snapshot with %d", len(l.Users), len(r.users))
	case l.Tick < r.tick:
		return fmt.Errorf("tick %d lies before the snapshot's, %d", l.Tick, r.tick)
	}
	r.tick, r.fx.Tick, r.lastID, r.eventN, r.joined = l.Tick, l.Tick, l.LastID, l.EventN, l.Joined
	for i := range l.Users {
		if err := r.reviveUser(&l.Users[i]); err != nil {
			return err
		}
	}
	for i := range l.Things {
		if err := r.reviveThing(&l.Things[i]); err != nil {
			return err
		}
	}
	if len(l.Windows) != len(r.windows) {
		return fmt.Errorf("%d open windows beside a snapshot with %d", len(l.Windows), len(r.windows))
	}
	for i, id := range l.Windows {
		o := r.objectByID(id)
		if o == nil || o.window == nil || slices.Contains(r.windows[:i], o.window) {
			return fmt.Errorf("object %d has no open window", id)
		}
		r.windows[i] = o.window
	}
	for i, rule := range r.rules {
		if rule == nil {
			continue
		}
		f := &l.Rules[i]
		if f.Streak < 0 || len(f.Blame) > len(rule.blame) {
			return fmt.Errorf("rule %s: %d faults in a row, %d blamed", rule.name, f.Streak, len(f.Blame))
		}
		rule.streak, rule.quarantine = f.Streak, f.Quarantine
		copy(rule.blame[:], f.Blame)
		for _, o := range f.Offenders {
			rule.offenders[o.Who] = &offender{faults: o.Faults, blocks: o.Blocks, last: o.Last, until: o.Until, doubts: o.Doubts, doubted: o.Doubted, passes: o.Passes}
		}
		if f.Watch != nil {
			if err := r.reviveWatch(rule, f.Watch); err != nil {
				return err
			}
		}
	}
	r.assignDeciders()
	return r.reviveFlights(l)
}

// reviveWatch watches a swap on.
func (r *Region) reviveWatch(rule *ruleRun, s *LiveWatch) error {
	if len(r.cfg.Old) <= rule.index || r.cfg.Old[rule.index] == nil || r.cfg.Old[rule.index].Digest() != s.Old.Digest {
		return fmt.Errorf("rule %s: a swap from %s is being watched: give that module too, as Config.Old", rule.name, s.Old.String())
	}
	w := &watch{old: r.cfg.Old[rule.index], forked: s.Forked, limit: s.Limit, faults: s.Faults, since: s.Since, ticks: s.Ticks}
	var err error
	if w.terms, err = terms.Of(r.venue, rule.index, w.old.Manifest()); err != nil {
		return err
	}
	if w.module = s.Old; s.Forked && r.saved.Fork(rule.name) == nil {
		return fmt.Errorf("rule %s: the state before its swap is missing", rule.name)
	}
	rule.watch = w
	r.log.Forks = slices.DeleteFunc(r.log.Forks, func(f saved.Fork) bool { return f.Rule == rule.name })
	return nil
}

func (r *Region) reviveUser(s *LiveUser) error {
	u := r.sessions[s.Session]
	if u == nil {
		return fmt.Errorf("session %d is not in the snapshot", s.Session)
	}
	for _, j := range [...]lattice.Joint{s.State.Body.Head, s.State.Body.Left, s.State.Body.Right} {
		if err := checkJoint(j); err != nil {
			return fmt.Errorf("session %d: body: %w", s.Session, err)
		}
	}
	if s.Floor < 0 || s.Floor >= len(r.venue.Floors) {
		return fmt.Errorf("session %d: floor %d of %d", s.Session, s.Floor, len(r.venue.Floors))
	}
	u.State, u.sent, u.fresh, u.dirty = s.State, s.Sent, false, false
	u.floor, u.Floor = s.Floor, uint8(s.Floor)
	u.budget, u.budgetTick, u.hasPose, u.poseSeq = s.Budget, s.BudgetTick, s.HasPose, s.PoseSeq
	u.settle, u.jumpTick, u.correctAt, u.moved, u.restored = s.Settle, s.JumpTick, s.CorrectAt, s.Moved, s.Restored
	u.placed, u.placeTick, u.hasPlaced = s.Placed, s.PlaceTick, s.HasPlaced
	u.overSince, u.thrown = s.OverSince, s.Thrown
	return nil
}

func (r *Region) reviveThing(s *LiveThing) error {
	t := r.things[s.ID]
	if err := checkJoint(s.State.Body.Head); err != nil {
		return fmt.Errorf("entity %d: %w", s.ID, err)
	}
	var e *entity
	switch {
	case t == nil || t.user != nil:
		return fmt.Errorf("entity %d is no object or door: %w", s.ID, errForeign)
	case t.object != nil:
		e, t.object.hand, t.object.offset = &t.object.entity, min(s.Hand, 1), s.Offset
	default:
		e = &t.door.entity
	}
	e.State, e.sent, e.Floor, e.fresh, e.dirty = s.State, s.Sent, s.Floor, false, false
	return nil
}
