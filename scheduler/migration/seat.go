package migration

import (
	"errors"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/venues"
)

// State is what a region is at a node.
type State string

// States of a seat.
const (
	Empty     State = "empty"     // not here
	Owner     State = "owner"     // ticks here
	Stopped   State = "stopped"   // owned and standing still: FINAL is out, or it is being taken back
	Arriving  State = "arriving"  // a replica of another node's
	Acquiring State = "acquiring" // about to be owned: the store is asked
	Starting  State = "starting"  // the lease is here, the region is being made
)

var states = map[State]bool{Empty: true, Owner: true, Stopped: true, Arriving: true, Acquiring: true, Starting: true}

// holds reports whether the region is at a node in this state, or will be as soon as the node goes on.
func (s State) holds() bool { return s == Owner || s == Stopped || s == Starting }

// SeatConfig is what a seat is made with. Node, Venue and Region are needed.
type SeatConfig struct {
	Node    string
	Venue   *venues.Venue
	Region  int // index of Venue.Regions
	Timing  Timing
	Without Guards
}

// Seat is a region's place at a node. It begins Empty.
type Seat struct {
	cfg    SeatConfig
	region string
	timing Timing

	state State
	lease store.Lease // Owner, Stopped, Starting
	seen  Stamp       // the highest of the region
	term  uint64      // of coordinators

	source *source
	target *target
	// recovery is a region that is being taken from the store.
	recovery *recovery
	asked    bool // the store was asked for a lease and did not answer yet
	taken    [8]takenMove
	takenN   int
	stale    uint64
}

type takenMove struct {
	move  uint64
	stamp Stamp
}

type recovery struct {
	after uint64
	from  string
	term  uint64
}

// NewSeat returns an empty seat.
func NewSeat(cfg SeatConfig) *Seat {
	return &Seat{cfg: cfg, region: cfg.Venue.Regions[cfg.Region].Name, timing: cfg.Timing.filled(), state: Empty}
}

// Adopt tells an empty seat that its node opened the region under a lease and ticks it.
func (s *Seat) Adopt(l store.Lease) {
	s.state, s.lease = Owner, l
	s.saw(l.Epoch, l.Incarnation)
}

// State returns what the region is here.
func (s *Seat) State() State { return s.state }

// Epoch returns the epoch the region is owned under here, 0 when it is not.
func (s *Seat) Epoch() uint64 {
	if !s.state.holds() {
		return 0
	}
	return s.lease.Epoch
}

// Wants reports whether Stepped is to be told of ticks.
func (s *Seat) Wants() bool { return s.source != nil && s.source.captured && s.state == Owner }

// Stale returns how many messages were refused for their stamps.
func (s *Seat) Stale() uint64 { return s.stale }

// Report returns what the node reports of the seat, false for nothing.
func (s *Seat) Report() (SeatReport, bool) {
	r := SeatReport{Region: s.region, State: s.state, Stamp: s.seen}
	switch {
	case s.source != nil:
		r.Move = s.source.move
	case s.target != nil:
		r.Move = s.target.move
	}
	if s.state.holds() {
		r.Epoch, r.Incarnation = s.lease.Epoch, s.lease.Incarnation
	}
	return r, s.state != Empty
}

func (s *Seat) saw(epoch, incarnation uint64) {
	if epoch > s.seen.Epoch {
		s.seen = Stamp{Epoch: epoch, Incarnation: incarnation}
	} else if epoch == s.seen.Epoch && s.seen.Incarnation == 0 {
		s.seen.Incarnation = incarnation
	}
}

// admit reports whether a message is not below what was seen, and notes what it says.
func (s *Seat) admit(m *Message) bool {
	w := s.cfg.Without
	switch {
	case m.Term != 0 && m.Term < s.term && w&GuardTerm == 0,
		m.Epoch < s.seen.Epoch && w&GuardEpoch == 0,
		m.Epoch == s.seen.Epoch && m.Incarnation != 0 && s.seen.Incarnation != 0 && m.Incarnation != s.seen.Incarnation && w&GuardEpoch == 0:
		s.stale++
		return false
	}
	s.term = max(s.term, m.Term)
	s.saw(m.Epoch, m.Incarnation)
	return true
}

// stamp is what the seat's own messages carry.
func (s *Seat) stamp() Stamp {
	if s.state.holds() {
		return Stamp{Incarnation: s.lease.Incarnation, Epoch: s.lease.Epoch, Term: s.term}
	}
	st := s.seen
	st.Term = s.term
	return st
}

func (s *Seat) message(k Kind, to string, move uint64) *Message {
	return &Message{Kind: k, From: s.cfg.Node, To: to, Region: s.region, Move: move, Stamp: s.stamp()}
}

func (s *Seat) refuse(m *Message, reason string) []Out {
	r := s.message(KindRefused, m.From, m.Move)
	r.Reason = reason
	return []Out{send(r)}
}

// Handle takes a message about the region.
func (s *Seat) Handle(now int64, m *Message) []Out {
	if m.Region != s.region {
		return nil
	}
	if m.Kind == KindFinal {
		for _, t := range s.taken {
			if t.move == m.Move && m.Move != 0 {
				// It was taken already, and the answer is lost. The source's epoch is old by now.
				return []Out{send(s.answered(m.From, t))}
			}
		}
	}
	if !s.admit(m) {
		if m.Kind == KindRecover {
			return s.refuse(m, "the order is older than what this node knows of the region")
		}
		return nil
	}
	if out, down := s.standDown(now); down {
		return out
	}
	if h := seatHandlers[m.Kind]; h != nil {
		return h(s, now, m)
	}
	return nil
}

var seatHandlers = map[Kind]func(*Seat, int64, *Message) []Out{
	KindPrepare: (*Seat).prepare, KindState: (*Seat).part, KindRecords: (*Seat).records, KindFinal: (*Seat).final,
	KindBegin: (*Seat).begin, KindLoaded: (*Seat).loaded, KindHave: (*Seat).have, KindSwitch: (*Seat).switchOver,
	KindTaken: (*Seat).given, KindRefused: (*Seat).refused, KindRelease: (*Seat).release,
	KindAbort: (*Seat).abort, KindRecover: (*Seat).recover,
}

func (s *Seat) answered(to string, t takenMove) *Message {
	m := s.message(KindTaken, to, t.move)
	m.Stamp = t.stamp
	m.Term = s.term
	return m
}

// standDown ends an ownership that a higher epoch has ended. A stopped source waits for the answer to its FINAL, or for the store's word.
func (s *Seat) standDown(int64) ([]Out, bool) {
	if s.state != Owner || s.seen.Epoch <= s.lease.Epoch || s.cfg.Without&GuardStandDown != 0 {
		return nil, false
	}
	return s.drop(), true
}

// drop throws everything about the region away.
func (s *Seat) drop() []Out {
	s.state, s.source, s.target, s.recovery = Empty, nil, nil, nil
	return []Out{{Do: DoDrop}}
}

// Fenced is told when the store refused a write under the seat's lease because the region is at epoch (0: not known).
func (s *Seat) Fenced(now int64, epoch uint64) []Out {
	s.saw(max(epoch, s.lease.Epoch+1), 0)
	if s.state != Owner {
		return nil
	}
	return s.drop()
}

// Tick lets time pass.
func (s *Seat) Tick(now int64) []Out {
	switch {
	case s.source != nil:
		return s.sourceTick(now)
	case s.target != nil:
		return s.targetTick(now)
	case s.recovery != nil && s.state == Acquiring && !s.asked:
		s.asked = true
		return []Out{acquire(s.recovery.after)}
	}
	return nil
}

// recover is a coordinator's order to take the region from the store.
func (s *Seat) recover(now int64, m *Message) []Out {
	switch {
	case s.recovery != nil:
		return nil // it is under way
	case s.state == Owner || s.state == Starting || s.asked:
		return s.refuse(m, "this node has the region")
	case s.state == Stopped:
		return s.takeBack(now, "a coordinator wants the region recovered")
	}
	s.target, s.state = nil, Acquiring
	s.recovery, s.asked = &recovery{after: m.Epoch, from: m.From, term: m.Term}, true
	return []Out{step(StepRecover), acquire(m.Epoch)}
}

// Acquired answers DoAcquire. With ErrFenced l.Epoch is the region's.
func (s *Seat) Acquired(now int64, l store.Lease, err error) []Out {
	s.asked = false
	switch {
	case err == nil:
		s.saw(l.Epoch, l.Incarnation)
	case errors.Is(err, store.ErrFenced):
		s.saw(l.Epoch, 0)
	}
	switch {
	case s.source != nil && s.state == Stopped:
		return s.tookBack(now, l, err)
	case s.target != nil && s.state == Acquiring:
		return s.acquired(now, l, err)
	case s.recovery != nil && err == nil:
		s.state, s.lease = Starting, l
		return []Out{step(StepRestore), {Do: DoRecover, Lease: l}}
	case s.recovery != nil && errors.Is(err, store.ErrFenced):
		r := s.recovery
		s.recovery, s.state = nil, Empty
		m := s.message(KindRefused, r.from, 0)
		m.Reason, m.Epoch, m.Incarnation = err.Error(), l.Epoch, 0
		return []Out{send(m)}
	}
	return nil // the store is away; Tick asks again
}

// Started answers DoStart, DoResume and DoRecover.
func (s *Seat) Started(now int64, err error) []Out {
	if s.state != Starting {
		return nil
	}
	if err != nil {
		// The lease is here and cannot be used: a coordinator recovers the region after it.
		out := s.drop()
		m := s.message(KindEnded, Coordinators, 1)
		m.Reason = "the region cannot start: " + err.Error()
		return append(out, send(m))
	}
	s.state, s.recovery, s.source = Owner, nil, nil
	if t := s.target; t != nil {
		s.target = nil
		k := takenMove{t.move, Stamp{Epoch: s.lease.Epoch, Incarnation: s.lease.Incarnation}}
		s.taken[s.takenN%len(s.taken)] = k
		s.takenN++
		return []Out{step(StepTaken), send(s.answered(t.source, k)), send(s.answered(Coordinators, k))}
	}
	return nil
}
