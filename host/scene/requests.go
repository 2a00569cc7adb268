package scene

import (
	"cmp"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// maxWaiting is how many requests of a session may wait behind undecided ones; further ones are denied.
const maxWaiting = 32

// anyRule marks a happening for every rule that wants its kind.
const anyRule = -1

// happening is something that rules may hear of in this step.
type happening struct {
	ev     abi.Event
	rule   int     // whom it is for: an index of the venue's rules, or anyRule
	u      *user   // whose doing it is; nil for timers of no person
	o      *object // requests, EventDropped
	seq    uint32  // of the input that it answers
	at     int64   // order: clamped stamp (arrival when there is no window), then arrival
	arrive int64
	timer  saved.Timer   // EventTimer
	signal *saved.Signal // EventSignal
	cause  saved.Person  // EventSignal, EventTimer: whose doing it is, when u is nil; the zero value for nobody's
	topic  string        // EventMessage
}

// request reports whether it must be answered.
func (h *happening) request() bool {
	return h.ev.Kind == abi.EventGrab || h.ev.Kind == abi.EventRelease || h.ev.Kind == abi.EventUse
}

// parting reports whether it tells that somebody goes.
func (h *happening) parting() bool {
	if h.u == nil || !h.u.leaving {
		return false
	}
	return h.ev.Kind == abi.EventLeave || h.ev.Kind == abi.EventExit || h.ev.Kind == abi.EventDropped
}

// who is the person whose doing it is, the zero value for nobody's.
func (h *happening) who() saved.Person {
	if h.u == nil {
		return h.cause
	}
	return h.u.person()
}

func (h *happening) session() uint64 {
	if h.u == nil {
		return 0
	}
	return h.u.Session
}

func (r *Region) happen(h happening) { r.happenings = append(r.happenings, h) }

// takeRequests turns the step's numbered inputs and the windows that close into happenings, in order.
func (r *Region) takeRequests() {
	waiting := r.waiting
	if len(waiting) > 0 {
		r.waiting = make([]saved.Input, 0, len(waiting))
		for i := range waiting {
			if u := r.sessions[waiting[i].Session]; u != nil {
				r.ask(u, &waiting[i])
			}
		}
		r.waitChanged = r.waitChanged || len(r.waiting) != len(waiting)
	}
	slices.SortFunc(r.keys, func(a, b keyInput) int {
		return cmp.Or(cmp.Compare(r.order(a.at, a.arrive), r.order(b.at, b.arrive)), cmp.Compare(a.arrive, b.arrive),
			cmp.Compare(a.u.ID, b.u.ID), cmp.Compare(a.u.Session, b.u.Session), cmp.Compare(a.in.Seq, b.in.Seq))
	})
	for i := range r.keys {
		k := &r.keys[i]
		if k.in.Kind == stream.InputMessage {
			r.message(k)
			continue
		}
		r.ask(k.u, &saved.Input{
			Kind: k.in.Kind, Session: k.u.Session, Seq: k.in.Seq, Stamp: k.at, Arrival: k.arrive,
			Object: k.in.Object, Hand: min(k.in.Hand, 1), HandAt: k.in.HandAt,
		})
	}
	for i := 0; i < len(r.windows); i++ {
		if w := r.windows[i]; r.tick >= w.close {
			for j := range w.reqs {
				s := &w.reqs[j]
				if u := r.sessions[s.Session]; u != nil {
					r.present(u, w.object, s)
				}
			}
			r.closeWindow(i)
			i--
		}
	}
	slices.SortStableFunc(r.asked, func(a, b happening) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.arrive, b.arrive), cmp.Compare(a.u.ID, b.u.ID),
			cmp.Compare(a.u.Session, b.u.Session), cmp.Compare(a.seq, b.seq))
	})
}

// order is what requests are ordered by first: when the hand closed, or, without a window, when word of it came.
func (r *Region) order(stamp, arrival int64) int64 {
	if r.venue.GrabWindowUS == 0 {
		return arrival
	}
	return stamp
}

// message passes a client's message on to rules.
func (r *Region) message(k *keyInput) {
	x := k.in
	if len(x.Data) > abi.MaxMessage || len(x.Topic) > abi.MaxKey || len(x.Topic) == 0 || slices.Contains([]byte(x.Topic), 0) {
		r.emit(&stream.Event{
			Audience: stream.ToSession, Session: k.u.Session, Seq: x.Seq, Entity: k.u.ID, At: k.u.head(), Type: "error",
			Body: newBody().code(wire.CodeBadField).text("field", "topic").
				text("msg", "a message has a topic of 1 to 128 bytes and at most 1,024 bytes of data").done(),
		})
		return
	}
	r.asked = append(r.asked, happening{
		u: k.u, rule: anyRule, seq: x.Seq, at: r.order(k.at, k.arrive), arrive: k.arrive, topic: x.Topic,
		ev: abi.Event{
			Kind: abi.EventMessage, Subject: k.u.ID, Stamp: uint64(max(0, k.at)),
			Data: abi.JoinData(make([]byte, 0, len(x.Topic)+1+len(x.Data)), x.Topic, x.Data),
		},
	})
}

// ask takes one request: denies it at once, lets it wait, opens or joins a window, or presents it to its rule.
func (r *Region) ask(u *user, s *saved.Input) {
	if r.blocked(u, s) {
		waiting := 0
		for i := range r.waiting {
			if r.waiting[i].Session == u.Session {
				waiting++
			}
		}
		if waiting >= maxWaiting {
			r.denied(u, s.Seq, s.Object, wire.CodeRateLimited, "too many requests wait for undecided ones", nil)
			return
		}
		r.waiting = append(r.waiting, *s)
		r.waitChanged = true
		return
	}
	o := r.objectByID(s.Object)
	if o == nil {
		code := wire.CodeDeniedUnknown
		if r.things[s.Object] != nil {
			code = wire.CodeDeniedNotAllowed
		}
		r.denied(u, s.Seq, s.Object, code, "", nil)
		return
	}
	s.Dist = uint32(s.HandAt.Pos.Dist(o.pos()))
	switch s.Kind {
	case stream.InputGrab:
		r.askGrab(u, o, s)
	case stream.InputRelease:
		if o.holder != u {
			r.denied(u, s.Seq, o.ID, wire.CodeDeniedNotHeld, "", nil)
			return
		}
		r.present(u, o, s)
	case stream.InputUse:
		switch {
		case !o.kind.Usable:
			r.denied(u, s.Seq, o.ID, wire.CodeDeniedNotAllowed, "", nil)
		case !r.reaches(u, s):
			r.denied(u, s.Seq, o.ID, wire.CodeDeniedReach, "", nil)
		default:
			r.present(u, o, s)
		}
	}
}

func (r *Region) askGrab(u *user, o *object, s *saved.Input) {
	held := u.hands[s.Hand]
	switch {
	case !o.kind.Grabbable:
		r.denied(u, s.Seq, o.ID, wire.CodeDeniedNotAllowed, "", nil)
	case held != nil && held != o:
		r.denied(u, s.Seq, o.ID, wire.CodeDeniedNotAllowed, "this hand holds another object", nil)
	case !r.reaches(u, s):
		r.denied(u, s.Seq, o.ID, wire.CodeDeniedReach, "", nil)
	case o.window != nil:
		o.window.reqs = append(o.window.reqs, *s)
		o.window.dirty = true
	case o.holder == nil && r.venue.GrabWindowUS > 0 && r.contested(u, o):
		ticks := (r.venue.GrabWindowUS + r.venue.TickUS() - 1) / r.venue.TickUS()
		w := &window{object: o, close: r.tick + uint64(ticks), reqs: []saved.Input{*s}, dirty: true}
		o.window = w
		r.windows = append(r.windows, w)
	default:
		r.present(u, o, s)
	}
}

// blocked reports whether an undecided request of the same session comes first: one for the same object, or one that
// settles whether the hand is free.
func (r *Region) blocked(u *user, s *saved.Input) bool {
	before := func(session, object uint64, hand uint8, use bool) bool {
		return session == u.Session && (object == s.Object || s.Kind == stream.InputGrab && hand == s.Hand && !use)
	}
	for i := range r.waiting {
		if w := &r.waiting[i]; before(w.Session, w.Object, w.Hand, w.Kind == stream.InputUse) {
			return true
		}
	}
	for _, w := range r.windows {
		for i := range w.reqs {
			if q := &w.reqs[i]; before(q.Session, q.Object, q.Hand, false) {
				return true
			}
		}
	}
	for i := range r.asked {
		if h := &r.asked[i]; h.request() && before(h.u.Session, h.o.ID, h.ev.Hand, h.ev.Kind == abi.EventUse) {
			return true
		}
	}
	return false
}

// reaches judges a request by the hand sample it came with: the hand must be one that the person can have by now, and
// near the object.
func (r *Region) reaches(u *user, s *saved.Input) bool {
	r.refill(u)
	l := &r.venue.Limits
	return ceilDist(u.head(), s.HandAt.Pos) <= l.HandReach+u.budget && int64(s.Dist) <= l.GrabReach
}

// contested reports whether somebody else could have reached for the object at the same time.
func (r *Region) contested(u *user, o *object) bool {
	reach := r.venue.Limits.GrabReach + lattice.Steps*3/2
	for _, v := range r.users {
		if v == u || v.away || v.leaving {
			continue
		}
		b := &v.State.Body
		if b.Head.Pos.Dist(o.pos()) <= reach || b.Left.Pos.Dist(o.pos()) <= reach || b.Right.Pos.Dist(o.pos()) <= reach {
			return true
		}
	}
	return false
}

// present hands a request to the rule that decides it.
func (r *Region) present(u *user, o *object, s *saved.Input) {
	kind := abi.EventGrab
	switch s.Kind {
	case stream.InputRelease:
		kind = abi.EventRelease
	case stream.InputUse:
		kind = abi.EventUse
	}
	p := s.HandAt.Pos
	h := happening{
		u: u, o: o, seq: s.Seq, at: r.order(s.Stamp, s.Arrival), arrive: s.Arrival, rule: r.decider(kind, o),
		ev: abi.Event{
			Kind: kind, Hand: s.Hand, Class: uint32(o.Class), Subject: u.ID, Object: o.ID, Stamp: uint64(max(0, s.Stamp)),
			X: p.X, Y: p.Y, Z: p.Z, Dist: s.Dist,
		},
	}
	if kind == abi.EventRelease {
		h.ev.Dist = 0
	}
	r.asked = append(r.asked, h)
}

// closeWindow forgets a window whose requests were presented or dropped.
func (r *Region) closeWindow(i int) {
	w := r.windows[i]
	w.object.window = nil
	r.windows = slices.Delete(r.windows, i, i+1)
	r.log.Windows = append(r.log.Windows, saved.Window{Object: w.object.ID, Close: w.close})
}
