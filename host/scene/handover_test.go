package scene

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

var handoverSeeds = flag.Int("handover.seeds", 60, "how many seeds the simulation of hand-overs runs")

// hallsTOML is a floor in three regions, each with a cup, a zone and a spawn.
func halls(t failer) *venues.Venue {
	t.Helper()
	text := rowTOML[:len(rowTOML)-len("[[rule]]\nname = \"talk\"\nplugin = \"talk\"\n")] + `
[[kind]]
name = "cup"
grabbable = true
[[rule]]
name = "keeper"
plugin = "keeper"
kinds = ["cup"]
`
	for i, x := range []int{5, 15, 25} {
		text += fmt.Sprintf("[[object]]\nname = \"cup-%d\"\nkind = \"cup\"\nat = [%d.0, 1.0, 5.0]\n[[zone]]\nname = \"zone-%[1]d\"\nmin = [%[3]d.0, 2.0]\nmax = [%[4]d.0, 8.0]\n",
			i, x, x-2, x+2)
	}
	v, err := venues.Read("halls.toml", []byte(text), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// keeperRule grants what nobody holds, counts what people say for each of them, keeps a timer for who asks, and knows how many are in
// its region and in its zones.
func keeperRule() *twin {
	return newTwin("keeper", []string{"grab", "release", "message", "join", "leave", "enter", "exit", "timer"}, nil,
		func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			var cmds []abi.Command
			granted := map[uint64]bool{}
			for i := range b.Events {
				e, n := &b.Events[i], uint32(i+1)
				switch e.Kind {
				case abi.EventGrab:
					if e.Holder != 0 || granted[e.Object] {
						cmds = append(cmds, abi.Command{Kind: abi.CmdDeny, Event: n, Value: abi.DenyHeld})
						continue
					}
					granted[e.Object] = true
					count(kv, abi.ScopeObject, e.Object, "grabs")
					cmds = append(cmds, abi.Command{Kind: abi.CmdGrant, Event: n, Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)})
				case abi.EventRelease:
					cmds = append(cmds, abi.Command{Kind: abi.CmdRelease, Event: n, Object: e.Object})
				case abi.EventMessage:
					count(kv, abi.ScopeUser, e.Subject, "said")
					switch topic, data, _ := abi.SplitData(e.Data); topic {
					case "timer":
						cmds = append(cmds, abi.Command{Kind: abi.CmdTimerStart, Event: n, Scope: abi.ScopeUser, Subject: e.Subject, Value: 1, Aux: 1_500_000})
						count(kv, abi.ScopeUser, e.Subject, "timers")
					case "teleport":
						cmds, _ = obey(cmds, e, kv)
						_ = data
					}
				case abi.EventTimer:
					count(kv, abi.ScopeUser, e.Subject, "fired")
				case abi.EventJoin:
					count(kv, abi.ScopeRegion, 0, "in")
				case abi.EventLeave:
					count(kv, abi.ScopeRegion, 0, "out")
				case abi.EventEnter, abi.EventExit:
					kv.Put(abi.ScopeZone, e.Object, "crowd", fmt.Append(nil, e.Value))
				}
			}
			return cmds, nil
		})
}

// campus is the regions of a venue with what drives them, a bus that is not to be trusted, and a gateway that knows nothing but what
// the regions' records say.
type campus struct {
	t      failer
	rng    *rand.Rand
	venue  *venues.Venue
	halls  []*hallState
	wire   []parcel
	tick   uint64
	guests []*guest
	quiet  bool
	rough  bool // there are crashes
	seen   map[uint64]*seen
	dead   map[uint64]bool // sessions that left
	next   uint64
}

type hallState struct {
	index    int
	region   *Region
	epoch    uint64
	snapshot []byte
	log      []saved.Record
	durable  int
	acks     map[string]ack
}

// settled is the tick from which on regions crash: who is lost before the store knows them has to join anew, which is another matter.
const settled = 10

// parcel is what is under way to a region.
type parcel struct {
	at uint64 // tick
	in stream.Input
}

// guest is a session as its gateway has it.
type guest struct {
	session uint64
	feed    int
	keys    []stream.Input
	cursor  uint32
	by      [2]uint64 // region and epoch that told the cursor
	pose    uint16
	at      lattice.Vec
	goal    lattice.Vec
	leaving bool
	said    int
	timers  int
}

// seen is an entity as a reader of all records has it.
type seen struct {
	e      stream.Entity
	region int // -1: on its way
	to     int
	since  uint64
	at     uint64 // tick of the newest state
}

func newCampus(t failer, seed uint64) *campus {
	c := &campus{t: t, rng: rand.New(rand.NewPCG(seed, 7)), venue: halls(t), seen: map[uint64]*seen{}, dead: map[uint64]bool{}}
	c.rough = seed%2 == 1
	for i := range c.venue.Regions {
		h := &hallState{index: i}
		c.halls = append(c.halls, h)
		c.start(h)
	}
	return c
}

func (c *campus) start(h *hallState) {
	c.t.Helper()
	h.epoch++
	h.acks = map[string]ack{}
	cfg := Config{Venue: c.venue, Region: h.index, Epoch: h.epoch, IDBlock: uint32(h.index*1000) + uint32(h.epoch), Rules: []Rule{keeperRule()}}
	var err error
	if h.snapshot == nil && len(h.log) == 0 {
		h.region, err = New(cfg)
	} else {
		h.region, err = Restore(cfg, h.snapshot, h.log)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// crash loses what is not in the store.
func (c *campus) crash(h *hallState) {
	h.log, h.durable = h.log[:h.durable], min(h.durable, len(h.log))
	c.start(h)
}

func (c *campus) send(in stream.Input) {
	copies := 1
	if !c.quiet {
		copies = []int{1, 1, 1, 1, 0, 2}[c.rng.IntN(6)]
	}
	for range copies {
		late := uint64(1)
		if !c.quiet {
			late += uint64(c.rng.IntN(3))
		}
		c.wire = append(c.wire, parcel{c.tick + late, in})
	}
}

func (c *campus) round() {
	c.tick++
	if !c.quiet && c.rng.IntN(20) == 0 {
		c.tick += 2
	}
	byHall := make([][]stream.Input, len(c.halls))
	kept := c.wire[:0]
	for _, p := range c.wire {
		if p.at > c.tick {
			kept = append(kept, p)
			continue
		}
		to := slices.IndexFunc(c.venue.Regions, func(g venues.Region) bool { return g.Name == p.in.Region.To })
		byHall[to] = append(byHall[to], p.in)
	}
	c.wire = kept
	for _, g := range c.guests {
		for _, x := range c.act(g) {
			byHall[g.feed] = append(byHall[g.feed], x)
		}
	}
	for _, i := range c.rng.Perm(len(c.halls)) {
		h := c.halls[i]
		fresh := false
		if c.rough && !c.quiet && c.tick > settled && c.rng.IntN(60) == 0 {
			c.crash(h)
			fresh = true
		}
		c.step(h, byHall[i], fresh)
	}
	c.check()
}

func (c *campus) step(h *hallState, in []stream.Input, fresh bool) {
	if oldest := h.region.Unreleased(); oldest > 0 {
		stored := h.region.Tick()
		if h.durable < len(h.log) {
			stored = h.log[h.durable].Tick - 1
		}
		if stored >= oldest {
			in = append(in, stream.Input{Kind: stream.InputDurable, Object: stored})
		}
	}
	twin := c.twin(h)
	fx := h.region.Step(c.tick, in)
	if twin != nil {
		a, _ := json.Marshal(fx)
		b, _ := json.Marshal(twin.Step(c.tick, in))
		// An empty list or none: all the same.
		if a, b = bytes.ReplaceAll(a, []byte(":[]"), []byte(":null")), bytes.ReplaceAll(b, []byte(":[]"), []byte(":null")); string(a) != string(b) {
			c.t.Fatalf("tick %d: a region that was captured and revived goes another way:\n%s\n%s", c.tick, a, b)
		}
		same(c.t, h.region, twin)
	}
	if len(fx.Faults)+len(fx.Refused) > 0 {
		c.t.Fatalf("region %d: %+v %v", h.index, fx.Faults, fx.Refused)
	}
	if fx.Log != nil {
		b, err := json.Marshal(fx.Log)
		if err != nil {
			c.t.Fatal(err)
		}
		var rec saved.Record
		if err := json.Unmarshal(b, &rec); err != nil {
			c.t.Fatal(err)
		}
		h.log = append(h.log, rec)
	}
	if c.quiet || c.tick <= settled || c.rng.IntN(3) > 0 {
		h.durable = len(h.log)
		if !c.quiet && c.rng.IntN(10) == 0 {
			snapshot, err := h.region.Snapshot()
			if err != nil {
				c.t.Fatal(err)
			}
			h.snapshot, h.log, h.durable = snapshot, nil, 0
		}
	}
	for i := range fx.Out {
		m := fx.Out[i]
		c.send(stream.Input{Kind: stream.InputRegion, Region: &m})
	}
	for _, m := range fx.Heard {
		h.acks[m.To] = ack{m.At, c.tick}
	}
	for i := range c.venue.Regions {
		to := c.venue.Regions[i].Name
		a, waits := h.acks[to]
		if waits && (h.durable == len(h.log) || h.log[h.durable].Tick > a.tick) {
			delete(h.acks, to)
			c.send(stream.Input{Kind: stream.InputRegionAck, Region: &stream.RegionMessage{From: h.region.region.Name, To: to, At: a.at}})
		}
	}
	rec := stream.Record{Entities: fx.Entities, Gone: fx.Gone, Cursors: fx.Cursors, Flights: fx.Flights, FlightNews: fx.FlightNews}
	if fresh {
		rec = h.region.Key()
	}
	c.read(h, &rec)
	checkHolders(c.t, h.region)
	checkSaved(c.t, h.region)
}

// twin captures and revives a region now and then, whenever somebody waits to be let go more often.
func (c *campus) twin(h *hallState) *Region {
	if c.rng.IntN(200) > 0 && (h.region.Unreleased() == 0 || c.rng.IntN(6) > 0) {
		return nil
	}
	l, err := h.region.Capture()
	if err != nil {
		return nil // it was just started
	}
	b, err := json.Marshal(l)
	if err != nil {
		c.t.Fatal(err)
	}
	l = &Live{}
	if err := json.Unmarshal(b, l); err != nil {
		c.t.Fatal(err)
	}
	r, err := Revive(Config{Venue: c.venue, Region: h.index, Rules: []Rule{keeperRule()}}, l)
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

// read is what a gateway learns from a record: of two regions that name somebody, the one with more hops is right.
func (c *campus) read(h *hallState, rec *stream.Record) {
	named := map[uint64]bool{}
	for _, e := range rec.Entities {
		named[e.ID] = true
		s := c.seen[e.ID]
		switch {
		case s == nil:
			s = &seen{region: h.index}
			c.seen[e.ID] = s
		case s.region != h.index && s.region >= 0 && e.Hops <= s.e.Hops, s.region < 0 && e.Hops < s.e.Hops && !rec.Key:
			continue
		}
		if !c.rough && s.e.ID != 0 && e.Kind == stream.Avatar && e.State.Flags&stream.FlagJump == 0 {
			if d := s.e.State.Body.Head.Pos.Dist(e.State.Body.Head.Pos); d > 6*lattice.Steps {
				c.t.Fatalf("tick %d: %s jumped by %d steps", c.tick, e.User, d)
			}
			if gap := c.tick - s.at; gap > 40 {
				c.t.Fatalf("tick %d: %s was not seen to move for %d ticks", c.tick, e.User, gap)
			}
		}
		s.e, s.region, s.at = e, h.index, c.tick
	}
	gone := func(id uint64) {
		if s := c.seen[id]; s != nil && s.region == h.index {
			s.region, s.to, s.since = -1, -1, c.tick
		}
	}
	for _, id := range rec.Gone {
		gone(id)
	}
	if rec.Key {
		for id, s := range c.seen {
			if s.region == h.index && !named[id] {
				gone(id)
			}
		}
	}
	for _, f := range rec.Flights {
		to := slices.IndexFunc(c.venue.Regions, func(g venues.Region) bool { return g.Name == f.To })
		if s := c.seen[f.Entity]; s == nil {
			c.seen[f.Entity] = &seen{region: -1, to: to, since: c.tick}
		} else if s.region == -1 {
			s.to = to
		}
		for _, g := range c.guests {
			if s := c.seen[f.Entity]; g.session == f.Session && s.region == -1 {
				g.feed = to
			}
		}
	}
	for _, cur := range rec.Cursors {
		for _, g := range c.guests {
			s := c.avatar(g.session)
			if g.session != cur.Session || s == nil || s.region != h.index {
				continue
			}
			by := [2]uint64{uint64(h.index), h.epoch}
			if g.feed, g.cursor = h.index, max(g.cursor, cur.Seq); g.by != by {
				g.by, g.cursor = by, cur.Seq
			}
		}
	}
}

func (c *campus) avatar(session uint64) *seen {
	for _, s := range c.seen {
		if s.e.Session == session && s.region >= 0 {
			return s
		}
	}
	return nil
}

// act is what a session's gateway sends in a tick.
func (c *campus) act(g *guest) []stream.Input {
	now := int64(c.tick) * c.venue.TickUS()
	x := stream.Input{Session: g.session, Stamp: now, Arrival: now}
	s := c.avatar(g.session)
	if s == nil && len(g.keys) == 0 && g.pose == 0 {
		x.Kind, x.User, x.Name, x.HasPlace = stream.InputJoin, fmt.Sprint("user", g.session), "name", true
		x.Body.Head.Pos = g.at
		return []stream.Input{x}
	}
	if g.leaving {
		x.Kind, x.Reason = stream.InputLeave, 4000
		return []stream.Input{x}
	}
	var out []stream.Input
	if s != nil && s.e.State.Flags&stream.FlagAway != 0 {
		b := x
		b.Kind, b.HasPlace, b.Body = stream.InputBack, true, standing(lattice.Joint{Pos: g.at})
		out = append(out, b)
	}
	if s != nil {
		if s.e.State.Flags&stream.FlagJump != 0 {
			g.at = s.e.State.Body.Head.Pos
		}
		g.at = g.at.Toward(g.goal, lattice.Steps*3/10)
		if g.at == g.goal && !c.quiet {
			g.goal = lattice.Vec{X: int32(c.rng.IntN(28)+1) * lattice.Steps, Y: lattice.Steps, Z: int32(c.rng.IntN(9)+1) * lattice.Steps}
		}
	}
	p := x
	g.pose++
	p.Kind, p.PoseSeq, p.Body = stream.InputPose, g.pose, standing(lattice.Joint{Pos: g.at})
	out = append(out, p)
	if !c.quiet && s != nil && c.rng.IntN(8) == 0 {
		k := x
		k.Seq, k.Hand = uint32(len(g.keys)+1), uint8(c.rng.IntN(2))
		body := standing(lattice.Joint{Pos: g.at})
		k.HandAt = *body.Hand(k.Hand)
		switch c.rng.IntN(8) {
		case 0, 1:
			k.Kind, k.Topic = stream.InputMessage, "hello"
		case 2:
			k.Kind, k.Topic = stream.InputMessage, "timer"
			g.timers++
		case 3:
			k.Kind, k.Topic = stream.InputMessage, "teleport"
			k.Data = fmt.Appendf(nil, `{"X":%d,"Y":1,"Z":5}`, c.rng.IntN(28)+1)
		default:
			k.Kind = []stream.InputKind{stream.InputGrab, stream.InputRelease}[c.rng.IntN(2)]
			for id, o := range c.seen {
				if o.e.Kind == stream.Object && o.region >= 0 && (k.Object == 0 || o.e.State.Body.Head.Pos.Dist(g.at) < c.seen[k.Object].e.State.Body.Head.Pos.Dist(g.at) ||
					o.e.State.Body.Head.Pos.Dist(g.at) == c.seen[k.Object].e.State.Body.Head.Pos.Dist(g.at) && id < k.Object) {
					k.Object = id
				}
			}
			if o := c.seen[k.Object]; k.Kind == stream.InputGrab && o != nil {
				k.HandAt.Pos = o.e.State.Body.Head.Pos
			}
		}
		if k.Kind == stream.InputMessage {
			g.said++
		}
		g.keys = append(g.keys, k)
	}
	if c.tick%3 == 0 || c.rng.IntN(2) == 0 {
		out = append(out, g.keys[g.cursor:]...)
	}
	return out
}

// check: everybody who is in the venue is in one place, in a region or on the way to one; as is every object.
func (c *campus) check() {
	c.t.Helper()
	people, things := map[uint64][]string{}, map[string][]string{}
	for _, h := range c.halls {
		for _, u := range h.region.users {
			people[u.Session] = append(people[u.Session], h.region.region.Name)
		}
		for _, o := range h.region.objects {
			things[o.Name] = append(things[o.Name], h.region.region.Name)
		}
		for _, f := range h.region.flights {
			to := c.halls[slices.IndexFunc(c.venue.Regions, func(g venues.Region) bool { return g.Name == f.to })].region
			if f.released && !to.heard[h.region.region.Name].Before(f.at) {
				continue
			}
			for i := range f.data.Users {
				people[f.data.Users[i].Session] = append(people[f.data.Users[i].Session], "on the way to "+f.to)
			}
			for i := range f.data.Objects {
				things[f.data.Objects[i].Name] = append(things[f.data.Objects[i].Name], "on the way to "+f.to)
			}
		}
	}
	for session, where := range people {
		if len(where) != 1 {
			c.t.Fatalf("tick %d: session %d is in %v", c.tick, session, where)
		}
	}
	for i := range c.venue.Objects {
		if name := c.venue.Objects[i].Name; len(things[name]) != 1 {
			c.t.Fatalf("tick %d: %s is in %v", c.tick, name, things[name])
		}
	}
	for _, g := range c.guests {
		if g.cursor > 0 && !g.leaving && len(people[g.session]) == 0 {
			c.t.Fatalf("tick %d: session %d is nowhere", c.tick, g.session)
		}
	}
}

// key reads a number that the rule keeps.
func (h *hallState) key(k saved.KeyName) (n int) {
	if v, ok := h.region.rules[0].stored.Value(k); ok {
		fmt.Sscan(string(v), &n)
	}
	return n
}

// TestHandovers: people walk and are teleported over borders, holding things and asking for more, while the bus loses, doubles and delays
// what regions tell each other, and (in every other seed) regions crash and lose what is not stored. Nobody and nothing is ever in two places or in none; whatever a
// client sent counts once; rules know who is there; nothing is left of who went.
func TestHandovers(t *testing.T) {
	crossed := 0
	for seed := range uint64(*handoverSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := newCampus(t, seed)
			for range 4 {
				c.next++
				at := lattice.Vec{X: int32(c.rng.IntN(28)+1) * lattice.Steps, Y: lattice.Steps, Z: 5 * lattice.Steps}
				c.guests = append(c.guests, &guest{session: c.next, feed: c.venue.RegionAt(0, at), at: at, goal: at})
			}
			for range 300 {
				c.round()
				if c.rng.IntN(200) == 0 {
					c.guests[c.rng.IntN(len(c.guests))].leaving = true
				}
			}
			c.quiet = true
			for _, g := range c.guests {
				g.goal = g.at
			}
			for range 100 {
				c.round()
			}
			crossed += c.finish()
		})
	}
	if crossed < 3**handoverSeeds {
		t.Errorf("only %d people were handed over", crossed)
	}
}

// finish checks what there is when all is quiet, and returns how many hand-overs there were.
func (c *campus) finish() int {
	crossed := 0
	for _, h := range c.halls {
		if n := len(h.region.flights) + len(h.region.saved.Sent); n > 0 {
			c.t.Fatalf("region %d: %d messages are still on their way: %+v", h.index, n, h.region.saved.Sent)
		}
		in, out := h.key(saved.KeyName{Scope: abi.ScopeRegion, Key: "in"}), h.key(saved.KeyName{Scope: abi.ScopeRegion, Key: "out"})
		if in-out != len(h.region.users) {
			c.t.Fatalf("region %d: the rule counts %d came and %d gone, there are %d", h.index, in, out, len(h.region.users))
		}
		for _, u := range h.region.users {
			crossed += int(u.Hops)
		}
		for _, o := range h.region.objects {
			if lies := c.venue.RegionAt(int(o.Floor), o.pos()); o.holder == nil && lies != h.index {
				c.t.Fatalf("%s lies in region %d and belongs to region %d", o.Name, lies, h.index)
			}
		}
		for _, z := range h.region.zones {
			inside := 0
			for _, u := range h.region.users {
				if slices.Contains(u.zones, z) {
					inside++
				}
			}
			if n := h.key(saved.KeyName{Scope: abi.ScopeZone, Zone: c.venue.Zones[z].Name, Key: "crowd"}); n != inside || h.region.crowd[z] != inside {
				c.t.Fatalf("region %d: the rule counts %d in %s, there are %d", h.index, n, c.venue.Zones[z].Name, inside)
			}
		}
	}
	for _, g := range c.guests {
		var at *hallState
		for _, h := range c.halls {
			if h.region.sessions[g.session] != nil {
				at = h
			}
		}
		if g.leaving {
			if at != nil {
				c.t.Fatalf("session %d left and is in region %d", g.session, at.index)
			}
			continue
		}
		if at == nil {
			c.t.Fatalf("session %d is nowhere: %+v", g.session, g)
		}
		u := at.region.sessions[g.session]
		if home := c.venue.RegionAt(u.floor, u.head()); home != at.index && !at.region.region.Rect.Grown(crossSlack).Contains(u.head()) {
			c.t.Fatalf("session %d stands in region %d, but is in %d", g.session, home, at.index)
		}
		if int(u.cursor) != len(g.keys) {
			c.t.Fatalf("session %d: %d inputs were taken of %d", g.session, u.cursor, len(g.keys))
		}
		for _, k := range []struct {
			key  string
			want int
		}{{"said", g.said}, {"timers", g.timers}} {
			if got := at.key(saved.KeyName{Scope: abi.ScopeUser, Who: u.person(), Key: k.key}); got != k.want {
				c.t.Fatalf("session %d: %s counted %d times, sent %d", g.session, k.key, got, k.want)
			}
		}
		for _, h := range c.halls {
			if n := len(h.region.rules[0].stored.Of(u.person())); h != at && n > 0 {
				c.t.Fatalf("session %d is in region %d, but region %d keeps %d keys for it", g.session, at.index, h.index, n)
			}
		}
	}
	for id, s := range c.seen {
		if s.region < 0 {
			continue
		}
		if h := c.halls[s.region].region; h.things[id] == nil {
			c.t.Fatalf("a reader has %s in region %d, which has not", s.e.Name, s.region)
		}
	}
	return crossed
}
