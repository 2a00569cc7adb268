package scenario

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/strict"
)

// play is a scenario under way.
type play struct {
	venue  *venues.Venue
	region *scene.Region
	rule   *traced
	tick   uint64
	from   uint64 // the tick before the round's first

	people   map[string]*player
	sessions map[uint64]*player
	names    map[uint64]string // of every entity seen
	next     []stream.Input    // of the next tick
	pending  bool              // something happened since the last tick
	lines    []string          // of the round
	signals  uint64
}

// player is a user of the scenario.
type player struct {
	name    string
	session uint64
	seq     uint32
	poseSeq uint16
	body    lattice.Body // as the next pose says
	here    bool
}

// firstTick is when a scenario begins, in seconds of server time: a rule must not meet time 0, which no visitor ever sees.
const firstTick = 3600

// start builds the region, lets in who is there, and stores what was stored before.
func start(v *venues.Venue, rules []scene.Rule, rule *traced, g *given) (*play, error) {
	p := &play{venue: v, rule: rule, tick: uint64(firstTick * v.TickHz), people: map[string]*player{}, sessions: map[uint64]*player{}, names: map[uint64]string{}}
	rule.play = p
	cfg := scene.Config{Venue: v, Epoch: 1, IDBlock: 1, Rules: rules}
	var err error
	if p.region, err = scene.New(cfg); err != nil {
		return nil, err
	}
	for _, u := range g.users {
		p.enter(u.name, u.head)
	}
	p.step()
	for _, u := range g.users {
		if who := p.people[u.name]; !who.here {
			return nil, &Error{Line: u.n, Msg: fmt.Sprintf("%s cannot be at %s: it is in no region", u.name, point(u.head))}
		} else if at := who.body.Head.Pos; at != u.head {
			return nil, &Error{Line: u.n, Msg: fmt.Sprintf("%s cannot be at %s, which is outside of the floor", u.name, point(u.head))}
		}
	}
	if len(g.keys) > 0 {
		if err := p.store(cfg, g.keys); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// store puts keys into the rule's state, as a restart would find them.
func (p *play) store(cfg scene.Config, keys []givenKey) error {
	snapshot, err := p.region.Snapshot()
	if err != nil {
		return err
	}
	state, err := saved.Decode(snapshot, p.venue.ID, p.venue.Regions[0].Name)
	if err != nil {
		return err
	}
	p.tick++
	rec := saved.Record{Tick: p.tick, LastID: state.LastID, EventN: state.EventN}
	for _, k := range keys {
		name, err := p.keyName(k.key)
		if err != nil {
			return &Error{Line: k.n, Msg: err.Error()}
		}
		rec.Keys = append(rec.Keys, saved.Key{Rule: p.venue.Rules[0].Name, Scope: name.Scope, Subject: name.Subject, Zone: name.Zone,
			User: name.Who.User, Key: []byte(name.Key), Value: k.value})
	}
	if p.region, err = scene.Restore(cfg, snapshot, []saved.Record{rec}); err != nil {
		return err
	}
	for _, who := range p.inOrder() {
		p.add(stream.Input{Kind: stream.InputBack, Session: who.session, HasPlace: true, Body: who.body})
	}
	p.step()
	return nil
}

// late reports whether the scenario took too long.
func (p *play) late() bool { return p.tick > uint64(firstTick*p.venue.TickHz)+MaxTicks }

func (p *play) inOrder() []*player {
	var list []*player
	for _, who := range p.people {
		list = append(list, who)
	}
	slices.SortFunc(list, func(a, b *player) int { return int(a.session) - int(b.session) })
	return list
}

// add lets an input arrive before the next tick.
func (p *play) add(x stream.Input) {
	// In the order of the file, in the millisecond before the tick.
	now := int64(p.tick+1)*p.venue.TickUS() - max(0, 1000-int64(len(p.next)))
	x.Arrival = now
	x.Stamp += now
	p.next, p.pending = append(p.next, x), true
}

func (p *play) enter(name string, head lattice.Vec) {
	who := &player{name: name, session: uint64(len(p.sessions) + 1)}
	p.people[name], p.sessions[who.session] = who, who
	p.add(stream.Input{Kind: stream.InputJoin, Session: who.session, User: name, Name: name, HasPlace: true,
		Body: lattice.Body{Head: lattice.Joint{Pos: head}}})
}

// step makes one tick and notes what came of it.
func (p *play) step() {
	p.tick++
	in := p.next
	p.next, p.pending = nil, false
	p.rule.calls = p.rule.calls[:0]
	fx := p.region.Step(p.tick, in)
	for i := range fx.Entities {
		p.see(&fx.Entities[i])
	}
	var lines []string
	lines = append(lines, p.rule.told(fx.Faults)...)
	for i := range fx.Events {
		if line, ok := p.denial(&fx.Events[i]); ok {
			lines = append(lines, line)
		}
	}
	for _, line := range lines {
		p.lines = append(p.lines, fmt.Sprintf("%d  %s", p.tick-p.from, line))
	}
}

// see keeps what is known of an entity: its name, and where its player is.
func (p *play) see(e *stream.Entity) {
	if e.Kind != stream.Avatar {
		p.names[e.ID] = e.Name
		return
	}
	p.names[e.ID] = e.User
	if who := p.sessions[e.Session]; who != nil {
		who.body, who.here = e.State.Body, true
	}
}

func (p *play) nameOf(id uint64) string {
	if name, ok := p.names[id]; ok {
		return name
	}
	for _, e := range p.region.Key().Entities {
		if e.ID == id {
			return e.Name
		}
	}
	return fmt.Sprintf("#%d", id)
}

// denial describes what the host refused without asking a rule.
func (p *play) denial(e *stream.Event) (string, bool) {
	if e.Audience != stream.ToSession || e.Rule != "" || e.Type != "denied" && e.Type != "error" && e.Type != "refused" {
		return "", false
	}
	var body struct{ Name, Msg string }
	_ = json.Unmarshal(e.Body, &body) // the region wrote it
	who := p.sessions[e.Session]
	if who == nil {
		return "", false
	}
	return fmt.Sprintf("the host refuses %s: %s (%s)", who.name, body.Name, strings.TrimSuffix(body.Msg, ".")), true
}

// round plays what happens in a round and returns its lines.
func (p *play) round(r *round) ([]string, error) {
	p.from, p.lines = p.tick, nil
	for _, a := range r.when {
		if err := a.do(p, a); err != nil {
			return p.lines, &Error{Line: a.n, Msg: err.Error()}
		}
		if p.late() {
			return p.lines, &Error{Line: a.n, Msg: fmt.Sprintf("the scenario takes more than %d ticks", MaxTicks)}
		}
	}
	if p.pending {
		p.step()
	}
	return p.lines, nil
}

// unknown says that there is nothing of a name.
func unknown(what, name string, known []string) error {
	if hint := strict.DidYouMean(name, known); hint != "" {
		return fmt.Errorf("there is no %s %q; %s", what, name, hint)
	}
	return fmt.Errorf("there is no %s %q: nothing of the kind is given", what, name)
}

// who finds a user that is there.
func (p *play) who(a *action) (*player, error) {
	who := p.people[a.user]
	if who == nil {
		var known []string
		for _, u := range p.inOrder() {
			known = append(known, u.name)
		}
		return nil, unknown("user", a.user, known)
	}
	if !who.here {
		return nil, fmt.Errorf("%s is not here: only joined in this tick, or gone", a.user)
	}
	return who, nil
}

func (p *play) join(a *action) error {
	if who := p.people[a.user]; who != nil && who.session != 0 && (who.here || p.pending) {
		return fmt.Errorf("%s is here already", a.user)
	}
	p.enter(a.user, a.at)
	return nil
}

func (p *play) leave(a *action) error {
	who, err := p.who(a)
	if err != nil {
		return err
	}
	who.here = false
	p.add(stream.Input{Kind: stream.InputLeave, Session: who.session, Reason: leftByChoice})
	return nil
}

// leftByChoice is the close code of somebody who just goes.
const leftByChoice = 4006

func (p *play) request(a *action, kind stream.InputKind) error {
	who, err := p.who(a)
	if err != nil {
		return err
	}
	o, err := p.entity(stream.Object, "object", a.object)
	if err != nil {
		return err
	}
	who.seq++
	at := o.State.Body.Head
	at.Pos = at.Pos.Toward(who.body.Head.Pos, a.dist)
	p.add(stream.Input{Kind: kind, Session: who.session, Seq: who.seq, Object: o.ID, Hand: a.hand, HandAt: at, Stamp: -a.early})
	return nil
}

func (p *play) say(a *action) error {
	who, err := p.who(a)
	if err != nil {
		return err
	}
	who.seq++
	p.add(stream.Input{Kind: stream.InputMessage, Session: who.session, Seq: who.seq, Topic: a.topic, Data: []byte(a.payload)})
	return nil
}

// pose sends where a user's body is.
func (p *play) pose(who *player, body lattice.Body) {
	who.poseSeq++
	p.add(stream.Input{Kind: stream.InputPose, Session: who.session, PoseSeq: who.poseSeq, Body: body})
}

func (p *play) reach(a *action) error {
	who, err := p.who(a)
	if err != nil {
		return err
	}
	body := who.body
	body.Hand(a.hand).Pos = a.at
	p.pose(who, body)
	return nil
}

// jump is how far from where the walk leads somebody was teleported, steps.
const jump = lattice.Steps

// pace is how fast users walk, steps a second.
const pace = 3 * lattice.Steps

func (p *play) walk(a *action) error {
	who, err := p.who(a)
	if err != nil {
		return err
	}
	for from := who.body.Head.Pos; from != a.at; from = who.body.Head.Pos {
		to := from.Toward(a.at, int64(pace/p.venue.TickHz))
		move, body := to.Sub(from), who.body
		for _, j := range []*lattice.Joint{&body.Head, &body.Left, &body.Right} {
			j.Pos = j.Pos.Add(move)
		}
		p.pose(who, body)
		p.step()
		if who.body.Head.Pos.Dist(to) > jump {
			return nil // the rule put them elsewhere: that is where they are now
		}
		if who.body.Head.Pos == from {
			return fmt.Errorf("%s gets no farther than %s: the floor ends there", a.user, point(from))
		}
		if p.late() {
			return fmt.Errorf("%s is under way for more than %d ticks", a.user, MaxTicks)
		}
	}
	return nil
}

func (p *play) waitFor(a *action) error {
	ticks := a.wait
	switch a.unit {
	case "s":
		ticks *= float64(p.venue.TickHz)
	case "ms":
		ticks *= float64(p.venue.TickHz) / 1000
	}
	if ticks > MaxTicks {
		return fmt.Errorf("that is more than %d ticks", MaxTicks)
	}
	n := int(ticks)
	if float64(n) < ticks {
		n++
	}
	for range n {
		p.step()
	}
	return nil
}

// elsewhere is the region that signals of other rules come from.
const elsewhere = 1

func (p *play) signal(a *action) error {
	p.signals++
	var after stream.RegionPoint
	if p.signals > 1 {
		after = stream.RegionPoint{Epoch: 1, N: p.signals - 1}
	}
	p.add(stream.Input{Kind: stream.InputRegion, Region: &stream.RegionMessage{
		From: p.venue.Regions[elsewhere].Name, To: p.venue.Regions[0].Name, At: stream.RegionPoint{Epoch: 1, N: p.signals}, After: after,
		Kind: stream.RegionSignal, Rule: p.venue.Rules[0].Name, Sender: a.user, Plugin: a.user, Topic: a.topic, Data: []byte(a.payload),
	}})
	return nil
}
