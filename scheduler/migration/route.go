package migration

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Bounds of what a route keeps of a session.
const (
	MaxUncovered = 64  // key inputs that the region has not decided; more are refused
	MaxUndurable = 256 // decided ones that the store does not have; beyond it the oldest are forgotten
	maxDoubt     = 4096
	maxGone      = 1024
)

// ErrWaits: a session has as many undecided inputs as are kept.
var ErrWaits = errors.New("too many inputs wait for the region's decision")

// RouteConfig is what a route is made with.
type RouteConfig struct {
	Gateway string
	Region  string
	// RingTicks is how long records hold an event: saved.RingTicks of the venue's rate.
	RingTicks uint64
	Timing    Timing
	Without   Guards
}

// Route is a gateway's way to a region: where its owner is, and what of the gateway's sessions the owner must still get. Inputs are sent at
// once; while the region has no owner (hold) they wait. Whoever owns the region next gets, in order, what the one before did not decide or
// did not store, and from an owner that restored it from the store also hears that the people are there, and where they were seen last.
type Route struct {
	cfg         RouteConfig
	timing      Timing
	owner       string
	epoch       uint64
	incarnation uint64
	term        uint64
	held        bool
	heldSince   int64

	lines  map[uint64]*line
	order  []uint64 // sessions, in the order they came
	tick   uint64   // of the newest record
	shown  Stamp    // the lease that it was published under
	eventN uint64
	begun  bool // a record came
	// doubt are events that were seen and are not durable, in order.
	doubt []doubtful
	// gone are sessions that ended here: a late join must not bring them back.
	gone     map[uint64]stream.Input
	goneList []uint64
}

type doubtful struct {
	n, tick uint64
	what    []byte
}

// line is a session of the gateway.
type line struct {
	join    stream.Input
	here    bool // as the region says
	away    bool
	leaving bool
	leave   stream.Input
	sent    int64 // join, back or leave
	entity  uint64
	seen    lattice.Body // as streamed last
	hasSeen bool
	pose    *stream.Input // the newest, while the route is held
	last    uint32        // newest number taken from the client
	cursor  uint32
	keys    []keptInput
	resent  int64
}

type keptInput struct {
	in   stream.Input
	tick uint64 // of the record that covered it; 0: none did
}

// NewRoute returns a route that knows no owner yet.
func NewRoute(cfg RouteConfig) *Route {
	return &Route{cfg: cfg, timing: cfg.Timing.filled(), lines: map[uint64]*line{}, gone: map[uint64]stream.Input{}, held: true}
}

// Owner returns the node and the epoch that inputs go to.
func (r *Route) Owner() (node string, epoch uint64) { return r.owner, r.epoch }

// Held reports whether inputs wait for an owner.
func (r *Route) Held() bool { return r.held }

// Waiting returns how many key inputs of a session are undecided, and how many are kept in all.
func (r *Route) Waiting(session uint64) (uncovered, kept int) {
	l := r.lines[session]
	if l == nil {
		return 0, 0
	}
	return int(l.last - l.cursor), len(l.keys)
}

// EventN returns the number of the newest event that was taken.
func (r *Route) EventN() uint64 { return r.eventN }

// Newest returns the tick of the newest record that was taken.
func (r *Route) Newest() uint64 { return r.tick }

func (r *Route) inputs(in ...stream.Input) []Out {
	if r.held || r.owner == "" || len(in) == 0 {
		return nil
	}
	return []Out{{Do: DoInputs, To: r.owner, Stamp: Stamp{Epoch: r.epoch, Incarnation: r.incarnation}, Inputs: in}}
}

// Join takes a session in; Leave ends it. Both are sent until records show them done.
func (r *Route) Join(now int64, in stream.Input) []Out {
	if r.lines[in.Session] != nil {
		return nil
	}
	r.lines[in.Session] = &line{join: in, sent: now}
	r.order = append(r.order, in.Session)
	return r.inputs(in)
}

// Leave ends a session.
func (r *Route) Leave(now int64, in stream.Input) []Out {
	l := r.lines[in.Session]
	if l == nil || l.leaving {
		return nil
	}
	l.leaving, l.leave, l.sent = true, in, now
	return r.inputs(in)
}

// Input takes a pose or a key input of a session. Key inputs must have the session's next number; ErrWaits says that the
// client has to offer this one again later.
func (r *Route) Input(now int64, in stream.Input) ([]Out, error) {
	l := r.lines[in.Session]
	if l == nil || l.leaving {
		return nil, fmt.Errorf("session %d is not of this gateway", in.Session)
	}
	if !in.Kind.Key() {
		if r.held {
			l.pose = &in
			return nil, nil
		}
		l.pose = nil // an older one that waited is worth nothing any more
		return r.inputs(in), nil
	}
	if in.Seq != l.last+1 {
		return nil, fmt.Errorf("session %d: number %d, but %d is next", in.Session, in.Seq, l.last+1)
	}
	if int(l.last-l.cursor) >= MaxUncovered && r.cfg.Without&GuardBound == 0 {
		return nil, fmt.Errorf("session %d: %d inputs: %w", in.Session, MaxUncovered, ErrWaits)
	}
	l.last = in.Seq
	l.keys = append(l.keys, keptInput{in: in})
	if over := len(l.keys) - MaxUncovered - MaxUndurable; over > 0 && r.cfg.Without&GuardBound == 0 {
		l.keys = slices.Delete(l.keys, 0, over)
	}
	l.resent = now
	return r.inputs(in), nil
}

// Handle takes a message of nodes and coordinators.
func (r *Route) Handle(now int64, m *Message) []Out {
	if m.Region != r.cfg.Region || m.Term != 0 && m.Term < r.term && r.cfg.Without&GuardTerm == 0 {
		return nil
	}
	r.term = max(r.term, m.Term)
	switch m.Kind {
	case KindHold:
		if m.Epoch == r.epoch && m.From == r.owner && !r.held {
			r.held, r.heldSince = true, now
		}
	case KindRoute:
		if m.Epoch > r.epoch || m.Epoch == r.epoch && r.held && m.Target != r.owner && r.incarnation == 0 {
			return r.moved(now, m.Target, m.Epoch, m.Incarnation)
		}
	}
	return nil
}

// moved begins with a new owner: what is sent first waits for its first record, which says what it knows.
func (r *Route) moved(now int64, owner string, epoch, incarnation uint64) []Out {
	r.owner, r.epoch, r.incarnation, r.held = owner, epoch, incarnation, false
	return r.flush(now)
}

// flush sends what was held, and all that the owner has not covered.
func (r *Route) flush(now int64) []Out {
	var in []stream.Input
	for _, id := range r.order {
		l := r.lines[id]
		if l.pose != nil {
			in = append(in, *l.pose)
			l.pose = nil
		}
		in = append(in, r.uncovered(l, now)...)
	}
	return r.inputs(in...)
}

// uncovered returns the session's inputs that no record covers, in order.
func (r *Route) uncovered(l *line, now int64) []stream.Input {
	var in []stream.Input
	for i := range l.keys {
		if l.keys[i].in.Seq > l.cursor {
			in = append(in, l.keys[i].in)
		}
	}
	l.resent = now
	if len(in) == 0 {
		return nil
	}
	if r.cfg.Without&GuardResend != 0 {
		return nil
	}
	if r.cfg.Without&GuardOrder != 0 && len(in) > 1 {
		// Reversed, and numbered as they go out.
		slices.Reverse(in)
		for i := range in {
			in[i].Seq = l.cursor + 1 + uint32(i)
		}
	}
	if r.cfg.Without&GuardOnce != 0 {
		for _, x := range slices.Clone(in) {
			x.Seq = in[len(in)-1].Seq + 1
			in = append(in, x)
		}
	}
	return in
}

// Seen is what a record changed for the gateway's clients.
type Seen struct {
	Stale   bool           // it is of an owner that is no more, or older than one that came before: nothing was taken
	Fresh   bool           // the first of a new owner
	Events  []stream.Event // new ones, in order
	Durable uint64
}

// Record takes a record of the region that From published; every record has all entities, cursors, and the events of the last two
// seconds (a key frame), or the caller has made it so.
func (r *Route) Record(now int64, from string, rec *stream.Record) (Seen, []Out) {
	stale := rec.Epoch < r.epoch || rec.Epoch == r.epoch && r.incarnation != 0 && rec.Incarnation != r.incarnation
	// A tick is shown once. An owner that restored the region may be at one that was shown already: it is taken from the next on.
	if stale && r.cfg.Without&GuardFence == 0 || rec.Tick <= r.tick && (r.cfg.Without&GuardTick == 0 || rec.Epoch == r.epoch && r.owner == from) {
		return Seen{Stale: true}, nil
	}
	// What a coordinator said of the owner does not count: until now nothing was compared with what the owner has.
	life := Stamp{Epoch: rec.Epoch, Incarnation: rec.Incarnation}
	s := Seen{Durable: rec.Durable, Fresh: life != r.shown}
	r.shown = life
	var out []Out
	if s.Fresh {
		r.owner, r.epoch, r.incarnation, r.held = from, rec.Epoch, rec.Incarnation, false
		out = r.undone(rec)
	}
	if r.begun && rec.Tick > r.tick+r.cfg.RingTicks {
		out = append(out, Out{Do: DoResync}) // events may have come and gone since the last record
	}
	r.tick = rec.Tick
	if i := slices.IndexFunc(rec.Events, func(e stream.Event) bool { return e.N > r.eventN }); i >= 0 && rec.Events[i].N > r.eventN+1 {
		// Those between happened too long ago to be in the record.
		if r.begun {
			out = append(out, Out{Do: DoResync})
		}
		r.eventN = rec.Events[i].N - 1
	}
	r.begun = true
	for i := range rec.Events {
		if e := &rec.Events[i]; e.N > r.eventN {
			s.Events = append(s.Events, *e)
			r.doubt = append(r.doubt, doubtful{e.N, e.Tick, e.Body})
			r.eventN = e.N
		}
	}
	if over := len(r.doubt) - maxDoubt; over > 0 {
		r.doubt = slices.Delete(r.doubt, 0, over)
	}
	r.doubt = slices.DeleteFunc(r.doubt, func(d doubtful) bool { return d.tick <= rec.Durable })
	return s, append(out, r.people(now, rec, s.Fresh)...)
}

// undone compares the events that the new owner knows with those that were seen.
func (r *Route) undone(rec *stream.Record) []Out {
	if r.cfg.Without&GuardRevoke != 0 {
		return nil
	}
	known := map[uint64]*stream.Event{}
	for i := range rec.Events {
		known[rec.Events[i].N] = &rec.Events[i]
	}
	for i, d := range r.doubt {
		if e := known[d.n]; e != nil && e.Tick == d.tick && bytes.Equal(e.Body, d.what) {
			continue
		}
		var gone []uint64
		for _, x := range r.doubt[i:] {
			gone = append(gone, x.n)
		}
		r.doubt = r.doubt[:i]
		r.eventN = gone[0] - 1
		out := []Out{{Do: DoRevoke, Revoke: gone}}
		if len(rec.Events) > 0 && rec.Events[0].N > gone[0] {
			out = append(out, Out{Do: DoResync}) // it is too long ago to tell
			r.eventN = rec.Events[0].N - 1
		}
		return out
	}
	return nil
}

// people compares the gateway's sessions with the region's.
func (r *Route) people(now int64, rec *stream.Record, fresh bool) []Out {
	cursors := make(map[uint64]uint32, len(rec.Cursors))
	for _, c := range rec.Cursors {
		cursors[c.Session] = c.Seq
	}
	bodies := make(map[uint64]*stream.Entity, len(rec.Entities))
	for i := range rec.Entities {
		if e := &rec.Entities[i]; e.Kind == stream.Avatar {
			bodies[e.Session] = e
		}
	}
	var in []stream.Input
	for _, id := range slices.Clone(r.order) {
		l := r.lines[id]
		at, here := cursors[id]
		e := bodies[id]
		if l.leaving && !here && l.here {
			r.forget(l)
			continue
		}
		l.here = here
		if !here || e == nil {
			continue
		}
		if l.away = e.State.Flags&stream.FlagAway != 0; !l.away {
			l.seen, l.hasSeen, l.entity = e.State.Body, true, e.ID
		}
		if at < l.cursor {
			for i := range l.keys {
				if l.keys[i].in.Seq > at {
					l.keys[i].tick = 0
				}
			}
		}
		l.cursor = at
		for i := range l.keys {
			if k := &l.keys[i]; k.in.Seq <= at && k.tick == 0 {
				k.tick = rec.Tick
			}
		}
		keep := r.cfg.Without&GuardKeep == 0
		l.keys = slices.DeleteFunc(l.keys, func(k keptInput) bool { return k.tick != 0 && (k.tick <= rec.Durable || !keep) })
		if fresh {
			in = append(in, r.welcome(now, l)...)
			if l.pose != nil {
				in, l.pose = append(in, *l.pose), nil
			}
			in = append(in, r.uncovered(l, now)...)
		}
	}
	for _, c := range rec.Cursors {
		if leave, ok := r.gone[c.Session]; ok {
			in = append(in, leave)
		}
	}
	return r.inputs(in...)
}

func (r *Route) forget(l *line) {
	session := l.join.Session
	delete(r.lines, session)
	r.order = slices.DeleteFunc(r.order, func(s uint64) bool { return s == session })
	r.gone[session], r.goneList = l.leave, append(r.goneList, session)
	if len(r.goneList) > maxGone {
		delete(r.gone, r.goneList[0])
		r.goneList = slices.Delete(r.goneList, 0, 1)
	}
}

// welcome returns what makes a session be where it should be: joined, back, or gone.
func (r *Route) welcome(now int64, l *line) []stream.Input {
	var in stream.Input
	switch {
	case l.leaving:
		in = l.leave
	case !l.here:
		in = l.join
	case l.away && r.cfg.Without&GuardBack == 0:
		in = stream.Input{Kind: stream.InputBack, Session: l.join.Session, Arrival: l.join.Arrival, Stamp: l.join.Stamp}
	default:
		return nil
	}
	if l.hasSeen && in.Kind != stream.InputLeave && r.cfg.Without&GuardPlace == 0 {
		in.HasPlace, in.Body = true, l.seen
	}
	l.sent = now
	return []stream.Input{in}
}

// Tick sends again what no record has shown to have arrived.
func (r *Route) Tick(now int64) []Out {
	if r.held && r.owner != "" && now-r.heldSince >= r.timing.TakeBack {
		r.held = false // whoever owns the region by now answers; nobody else takes what is stamped with an old epoch
		return r.flush(now)
	}
	var in []stream.Input
	for _, id := range r.order {
		l := r.lines[id]
		if (l.leaving || !l.here || l.away) && now-l.sent >= r.timing.Resend {
			in = append(in, r.welcome(now, l)...)
		}
		if l.here && l.last > l.cursor && now-l.resent >= r.timing.Resend {
			in = append(in, r.uncovered(l, now)...)
		}
	}
	return r.inputs(in...)
}
