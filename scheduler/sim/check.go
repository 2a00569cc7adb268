package sim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/scheduler/migration"
)

// Violation is an invariant that did not hold.
type Violation struct {
	Rule string // V1 ... V18, or codec
	Text string
	AtUS int64
}

func (v Violation) String() string {
	return fmt.Sprintf("%s at %.3f s: %s", v.Rule, float64(v.AtUS)/1e6, v.Text)
}

// fail notes a violation; the run ends.
func (c *cluster) fail(rule, form string, args ...any) {
	v := Violation{rule, fmt.Sprintf(form, args...), c.now}
	c.say("VIOLATION", "%s", v)
	c.check.violations = append(c.check.violations, v)
	c.halt = true
}

// stopped is a region as its source left it.
type stopped struct {
	tick    uint64
	hash    [32]byte
	waiting []uint64 // ticks of records that the store did not have
	at      int64
}

// checker holds the invariants against what happens.
type checker struct {
	c          *cluster
	violations []Violation
	moves      int
	leases     map[store.Lease]string     // given by the store, to whom
	epochs     map[store.RegionKey]uint64 // newest given
	owners     map[store.Lease]string     // that ticked under it
	stopped    map[store.Lease]stopped
	ids        map[uint64]string // what an entity id was given to
	fenced     map[store.Lease]int64
	pauses     []int64              // from the last tick at the source until the target could make the next; only before anything crashed
	moved      map[store.Lease]bool // that a move ended with, until something is stored under it
}

func (k *checker) init(c *cluster) {
	*k = checker{
		c: c, leases: map[store.Lease]string{}, epochs: map[store.RegionKey]uint64{}, owners: map[store.Lease]string{},
		stopped: map[store.Lease]stopped{}, ids: map[uint64]string{}, fenced: map[store.Lease]int64{}, moved: map[store.Lease]bool{},
	}
}

// granted: the store gave a lease.
func (k *checker) granted(p *process, l store.Lease) {
	if k.epochs[l.Key] >= l.Epoch {
		k.c.fail("V1", "%s gets epoch %d of %s after epoch %d", p.name, l.Epoch, l.Key, k.epochs[l.Key])
	}
	k.epochs[l.Key], k.leases[l] = l.Epoch, p.name
}

// active: a node begins to tick a region.
func (k *checker) active(n *node, r int, l store.Lease) {
	k.c.say(n.p.name, "%s is active under epoch %d", hall().Regions[r].Name, l.Epoch)
	if k.leases[l] != n.p.name {
		k.c.fail("V1", "%s ticks %s under epoch %d, which the store did not give it", n.p.name, l.Key, l.Epoch)
	}
	if was, ok := k.owners[l]; ok && was != n.String() {
		k.c.fail("V1", "%s and %s both tick %s under epoch %d", was, n, l.Key, l.Epoch)
	}
	k.owners[l] = n.String()
}

// stepping: a node is about to make a tick.
func (k *checker) stepping(n *node, r int, h *hosted) {
	if h.ended == h.lease.Epoch {
		k.c.fail("V1", "%s ticks %s under epoch %d after it sent FINAL", n, h.lease.Key, h.lease.Epoch)
	}
	if k.epochs[h.lease.Key] > h.lease.Epoch {
		since, ok := k.fenced[h.lease]
		switch {
		case !ok || n.p.paused != 0 && k.c.now-n.p.paused < 2_000_000:
			k.fenced[h.lease] = k.c.now
		case k.c.now-since > 3_000_000:
			k.c.fail("V1", "%s still ticks %s under epoch %d, three seconds after epoch %d was given", n, h.lease.Key, h.lease.Epoch, k.epochs[h.lease.Key])
		}
	}
}

// arrived: a region is about to tick at its new node.
func (k *checker) arrived(n *node, r int, l store.Lease, region *scene.Region) {
	k.moved[l] = true
	for old, s := range k.stopped {
		if old.Key != l.Key || old.Epoch != l.Epoch-1 {
			continue
		}
		if !k.c.excused {
			k.pauses = append(k.pauses, k.c.now-s.at)
		}
		if s.hash != region.Hash() || s.tick != region.Tick() {
			k.c.fail("V4", "%s begins with a state of %s after tick %d that is not the one it was stopped with after tick %d", n, l.Key, region.Tick(), s.tick)
		}
	}
}

// dropping: a node throws a region away.
func (k *checker) dropping(n *node, h *hosted) {
	if h != nil && h.ended != h.lease.Epoch && k.epochs[h.lease.Key] == h.lease.Epoch {
		k.c.fail("V14", "%s throws %s away, which it owns under epoch %d, the newest", n, h.lease.Key, h.lease.Epoch)
	}
}

// appended: an owner stored something. If the region came here in a move, all that was applied before it is stored by now.
func (k *checker) appended(ctx context.Context, l store.Lease) {
	if !k.moved[l] {
		return // it did not, or this is not the first write
	}
	delete(k.moved, l)
	for old, s := range k.stopped {
		if old.Key != l.Key || old.Epoch != l.Epoch-1 || len(s.waiting) == 0 {
			continue
		}
		snap, records, err := k.c.store.Load(ctx, l.Key)
		if err != nil {
			k.c.fail("V12", "%s cannot be loaded: %v", l.Key, err)
			return
		}
		for _, tick := range s.waiting {
			if tick > snap.Tick && !slices.ContainsFunc(records, func(r store.Record) bool { return r.Tick == tick }) {
				k.c.fail("V12", "tick %d of %s was applied before its move to epoch %d, and the store has later ones but not this", tick, l.Key, l.Epoch)
				return
			}
		}
	}
}

// seen is what a gateway's clients have of a region.
type seen struct {
	epoch, tick uint64
	events      []stream.Event
	gaps        bool // events may be missing before the first
	heads       map[uint64]headAt
	cursors     map[uint64]*covered
	things      [2]uint64 // ids of the objects
	last        *stream.Record
}

// headAt is where somebody's head was last shown.
type headAt struct {
	at   lattice.Vec
	tick uint64
}

// covered is how a session's cursor went.
type covered struct {
	steps   []step
	durable uint32
	cursor  uint32
}

type step struct {
	tick uint64
	seq  uint32
}

func newSeen() *seen {
	return &seen{heads: map[uint64]headAt{}, cursors: map[uint64]*covered{}}
}

// revoke takes back the events from a number on.
func (s *seen) revoke(from uint64) {
	for len(s.events) > 0 && s.events[len(s.events)-1].N >= from {
		s.events = s.events[:len(s.events)-1]
	}
}

// resync: clients forget what they had, and are given everything anew.
func (s *seen) resync() { s.events, s.gaps = nil, true }

// record: a gateway took a record.
func (k *checker) record(g *gateway, r int, rec *stream.Record, is *migration.Seen) {
	s, c := g.seen[r], k.c
	name := hall().Regions[r].Name
	if rec.Epoch < s.epoch {
		c.fail("V2", "%s shows epoch %d of %s after epoch %d", g.p.name, rec.Epoch, name, s.epoch)
	}
	if s.last != nil && rec.Tick <= s.tick {
		c.fail("V2", "%s shows tick %d of %s after tick %d", g.p.name, rec.Tick, name, s.tick)
	}
	first := s.last == nil
	s.epoch, s.tick, s.last = rec.Epoch, rec.Tick, rec
	for i := range is.Events {
		e := &is.Events[i]
		if n := len(s.events); n > 0 && e.N != s.events[n-1].N+1 || n == 0 && !s.gaps && e.N != 1 && !first {
			c.fail("V9", "%s: event %d of %s does not follow the one before it", g.p.name, e.N, name)
		}
		s.events, s.gaps = append(s.events, *e), s.gaps || first
	}
	if is.Fresh {
		k.same(g, s, name, rec.Events)
	}
	n := 0
	for i := range rec.Entities {
		e := &rec.Entities[i]
		what := fmt.Sprintf("%d %s %s %d", r, e.Name, e.User, e.Session)
		if was, ok := k.ids[e.ID]; ok && was != what {
			c.fail("V6", "entity id %x is %q and was %q", e.ID, what, was)
		}
		k.ids[e.ID] = what
		if e.Kind == stream.Object {
			if n < len(s.things) {
				s.things[n] = e.ID
			}
			n++
			continue
		}
		k.head(g, s, e)
	}
	for _, cu := range rec.Cursors {
		k.cursor(g, s, name, rec, cu)
	}
	for _, cl := range c.clients {
		if _, kept := g.routes[r].Waiting(cl.session); cl.g == g && kept > migration.MaxUncovered+migration.MaxUndurable {
			c.fail("V16", "%s keeps %d inputs of session %d", g.p.name, kept, cl.session)
		}
	}
}

// head: nobody jumps back, and nobody is faster than the venue allows.
func (k *checker) head(g *gateway, s *seen, e *stream.Entity) {
	if e.State.Flags&stream.FlagAway != 0 {
		return // restored, and not heard of yet
	}
	at := e.State.Body.Head.Pos
	was, ok := s.heads[e.ID]
	s.heads[e.ID] = headAt{at, s.tick}
	if !ok {
		return
	}
	seconds := float64(s.tick-was.tick) * tickUS / 1e6
	// After a crash a new owner hears from people's own gateways where they were; others may have seen newer records.
	own := !k.c.excused
	for _, cl := range k.c.clients {
		own = own || cl.session == e.Session && cl.g == g
	}
	const most, burst = 6.0, 2.5
	if own && was.at.X-at.X > lattice.Steps/2 {
		k.c.fail("V18", "%s: %s jumps back by %.2f m", g.p.name, e.User, float64(was.at.X-at.X)/lattice.Steps)
	}
	if d := float64(at.X-was.at.X) / lattice.Steps; d > most*seconds+burst {
		k.c.fail("V18", "%s: %s is %.1f m farther after %.1f s", g.p.name, e.User, d, seconds)
	}
}

// cursor: what was durable stays, and what was applied does too unless a crash explains it.
func (k *checker) cursor(g *gateway, s *seen, region string, rec *stream.Record, cu stream.Cursor) {
	w := s.cursors[cu.Session]
	if w == nil {
		w = &covered{}
		s.cursors[cu.Session] = w
	}
	switch {
	case cu.Seq < w.durable:
		k.c.fail("V12", "%s: input %d of session %d in %s was durable, the region is at %d", g.p.name, w.durable, cu.Seq, region, cu.Seq)
	case cu.Seq < w.cursor && !k.c.excused:
		k.c.fail("V3", "%s: input %d of session %d in %s was applied, the region is at %d, and nobody crashed", g.p.name, w.cursor, cu.Session, region, cu.Seq)
	case cu.Seq < w.cursor:
		for len(w.steps) > 0 && w.steps[len(w.steps)-1].seq > cu.Seq {
			w.steps = w.steps[:len(w.steps)-1]
		}
	}
	if cu.Seq != w.cursor {
		w.cursor = cu.Seq
		w.steps = append(w.steps, step{rec.Tick, cu.Seq})
	}
	for len(w.steps) > 0 && w.steps[0].tick <= rec.Durable {
		w.durable = max(w.durable, w.steps[0].seq)
		w.steps = w.steps[1:]
	}
}

// quiet holds the end state against the invariants: everything has had time to settle.
func (k *checker) quiet() {
	c := k.c
	for r := range hall().Regions {
		if !c.halt {
			k.region(r)
		}
	}
	for _, cand := range c.candidates {
		if cand.now == nil || cand.p.name != c.leader.holder {
			continue
		}
		if moves, _ := cand.now.Moves(); len(moves) > 0 {
			c.fail("V15", "the move of %s goes on: %+v", moves[0].Region, moves[0])
		}
	}
}

func (k *checker) region(r int) {
	c := k.c
	name := hall().Regions[r].Name
	var owner *node
	for _, n := range c.nodes {
		s := n.seats[r]
		if rep, _ := s.Report(); rep.Move != 0 || s.State() != migration.Owner && s.State() != migration.Empty {
			c.fail("V15", "%s is %s of %s, move %x", n, s.State(), name, rep.Move)
			return
		}
		h := n.hosted[r]
		if (h != nil && h.ticking) != (s.State() == migration.Owner) {
			c.fail("V15", "%s is %s of %s, and ticks it: %v", n, s.State(), name, h != nil && h.ticking)
			return
		}
		if h == nil {
			continue
		}
		if owner != nil {
			c.fail("V1", "%s and %s both own %s", owner, n, name)
			return
		}
		owner = n
	}
	if owner == nil {
		c.fail("V15", "nobody owns %s", name)
		return
	}
	h := owner.hosted[r]
	if e := c.ledger[name]; e.Owner != owner.p.name || e.Epoch != h.lease.Epoch || e.Move != nil {
		c.fail("V15", "%s owns %s under epoch %d, the ledger says %s under %d, move %v", owner, name, h.lease.Epoch, e.Owner, e.Epoch, e.Move)
	}
	for _, g := range c.gateways {
		if at, epoch := g.routes[r].Owner(); at != owner.p.name || epoch != h.lease.Epoch || g.routes[r].Held() {
			c.fail("V8", "%s sends what is for %s to %s under epoch %d, it is at %s under %d", g.p.name, name, at, epoch, owner, h.lease.Epoch)
			return
		}
		k.view(g, r, h)
	}
	k.people(r, h)
}

// view: what a gateway shows is what there is.
func (k *checker) view(g *gateway, r int, h *hosted) {
	c := k.c
	name := hall().Regions[r].Name
	s := g.seen[r]
	if s.last == nil || s.last.Tick+5 < h.tick {
		c.fail("V8", "%s shows nothing new of %s", g.p.name, name)
		return
	}
	want := map[uint64]bool{}
	for _, cl := range c.clients {
		if cl.region == r && !cl.left {
			want[cl.session] = true
		}
	}
	for i := range s.last.Entities {
		e := &s.last.Entities[i]
		if e.Kind != stream.Avatar {
			continue
		}
		if !want[e.Session] {
			c.fail("V7", "%s shows %s in %s, who is not there", g.p.name, e.User, name)
			return
		}
		if delete(want, e.Session); e.State.Flags&stream.FlagAway != 0 {
			c.fail("V8", "%s shows %s in %s as away", g.p.name, e.User, name)
			return
		}
	}
	if len(want) > 0 {
		c.fail("V6", "%s does not show %d people who are in %s", g.p.name, len(want), name)
		return
	}
	k.same(g, s, name, h.region.Key().Events)
	k.holders(g, s, name)
}

// same: the events that clients got are the region's own.
func (k *checker) same(g *gateway, s *seen, name string, ring []stream.Event) {
	for i := range ring {
		e := &ring[i]
		j, ok := slices.BinarySearchFunc(s.events, e.N, func(have stream.Event, n uint64) int { return cmp.Compare(have.N, n) })
		if !ok {
			continue
		}
		if have := &s.events[j]; !bytes.Equal(have.Body, e.Body) || have.Type != e.Type {
			k.c.fail("V9", "%s gave event %d of %s as %s %s, it is %s %s", g.p.name, e.N, name, have.Type, have.Body, e.Type, e.Body)
			return
		}
	}
}

// holders plays the events that clients got: a thing has one holder at most, and the one that the region shows.
func (k *checker) holders(g *gateway, s *seen, name string) {
	held := map[uint64]string{}
	for i := range s.events {
		e := &s.events[i]
		var body struct {
			Object string `json:"object"`
			By     string `json:"by"`
		}
		switch e.Type {
		case "grabbed", "released", "dropped":
			if err := json.Unmarshal(e.Body, &body); err != nil {
				k.c.fail("V5", "event %d of %s: %v", e.N, name, err)
				return
			}
		}
		switch e.Type {
		case "grabbed":
			if h := held[e.Entity]; h != "" && h != body.By {
				k.c.fail("V5", "%s: entity %d of %s is grabbed by %s, and %s has it", g.p.name, e.Entity, name, body.By, h)
				return
			}
			held[e.Entity] = body.By
		case "released", "dropped":
			delete(held, e.Entity)
		}
	}
	for i := range s.last.Entities {
		if e := &s.last.Entities[i]; e.Kind == stream.Object && !s.gaps {
			by := ""
			if e.State.Holder != 0 {
				by = strconv.FormatUint(e.State.Holder, 10)
			}
			if held[e.ID] != by {
				k.c.fail("V5", "%s: clients heard that %q holds %s, the region shows %q", g.p.name, held[e.ID], e.Name, by)
				return
			}
		}
	}
}

// people: every input that a client sent counts once, in order.
func (k *checker) people(r int, h *hosted) {
	c := k.c
	b, err := h.region.Snapshot()
	if err != nil {
		c.fail("V4", "%v", err)
		return
	}
	var f saved.File
	if err := json.Unmarshal(b, &f); err != nil {
		c.fail("V4", "%v", err)
		return
	}
	last := map[string]string{}
	for _, key := range f.Keys {
		switch string(key.Key) {
		case keyWrong:
			c.fail("V3", "%s said %s, so the region heard", key.User, key.Value)
			return
		case keyLast:
			last[key.User] = string(key.Value)
		}
	}
	cursors := map[string]uint32{}
	for _, u := range f.Users {
		cursors[u.User] = u.Cursor
	}
	for _, cl := range c.clients {
		if cl.region != r || cl.left {
			continue
		}
		if cursors[cl.user] != cl.seq {
			c.fail("V3", "%s sent %d inputs, %d were taken", cl.user, cl.seq, cursors[cl.user])
			return
		}
		if n, _ := strconv.Atoi(last[cl.user]); n != cl.said {
			c.fail("V3", "%s said %d numbers, the rule heard %d", cl.user, cl.said, n)
			return
		}
	}
}
