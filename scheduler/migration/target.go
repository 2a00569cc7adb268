package migration

import (
	"errors"
	"fmt"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

// target is a region on its way in.
type target struct {
	move    uint64
	source  string
	began   int64
	parts   [][]byte
	missing int
	bytes   int
	replica *replica
	final   *Final
	epoch   uint64 // the source's
	ready   *Out   // DoStart, but for its lease
}

// prepare: a region is coming.
func (s *Seat) prepare(now int64, m *Message) []Out {
	switch {
	case s.target != nil && s.target.move == m.Move:
		if s.target.replica != nil {
			return s.sayLoaded()
		}
		return nil
	case s.state == Arriving && s.target.move < m.Move:
		s.target = nil // a move that nobody ended here
	case s.state != Empty:
		return s.refuse(m, "this node is "+string(s.state)+" of the region")
	}
	s.state = Arriving
	s.target = &target{move: m.Move, source: m.Source, began: now, epoch: m.Epoch}
	return nil
}

// coming reports whether a message is about the region that is coming here.
func (s *Seat) coming(m *Message) bool {
	return s.target != nil && s.target.move == m.Move && s.state == Arriving
}

// part takes a piece of the state.
func (s *Seat) part(now int64, m *Message) []Out {
	if !s.coming(m) {
		return nil
	}
	t := s.target
	if t.replica != nil {
		return s.sayLoaded()
	}
	if t.parts == nil {
		t.parts, t.missing = make([][]byte, m.Parts), m.Parts
	}
	if m.Parts != len(t.parts) || m.Part >= len(t.parts) || t.parts[m.Part] != nil {
		return nil
	}
	if t.bytes += len(m.Data); t.bytes > MaxState {
		return s.giveUp(fmt.Sprintf("the state has more than %d bytes", MaxState))
	}
	t.parts[m.Part] = append([]byte{}, m.Data...)
	if t.missing--; t.missing > 0 {
		return nil
	}
	whole := make([]byte, 0, t.bytes)
	for _, p := range t.parts {
		whole = append(whole, p...)
	}
	t.parts = nil
	var err error
	if t.replica, err = newReplica(s.cfg.Venue, s.region, whole); err != nil {
		return s.giveUp(err.Error())
	}
	return append([]Out{step(StepReplica)}, s.sayLoaded()...)
}

func (s *Seat) sayLoaded() []Out {
	return []Out{send(s.message(KindLoaded, s.target.source, s.target.move)), send(s.message(KindLoaded, Coordinators, s.target.move))}
}

// records folds in what follows what is here.
func (s *Seat) records(now int64, m *Message) []Out {
	if !s.coming(m) || s.target.replica == nil {
		return nil
	}
	t := s.target
	r := t.replica
	for i, rec := range m.Records {
		switch n := m.First + uint64(i); {
		case n == r.n+1:
		case n > r.n+1 && s.cfg.Without&GuardRecords != 0:
			r.n = n - 1
		default:
			continue
		}
		if err := r.take(rec); err != nil {
			return s.giveUp(err.Error())
		}
	}
	have := s.message(KindHave, t.source, t.move)
	have.Have = r.n
	return append([]Out{send(have)}, s.finish()...)
}

// final: the source has stopped.
func (s *Seat) final(now int64, m *Message) []Out {
	if s.target == nil || s.target.move != m.Move {
		return s.refuse(m, "this node knows nothing of the move")
	}
	if !s.coming(m) || s.target.replica == nil || s.target.final != nil {
		return nil
	}
	s.target.final, s.target.epoch = m.Final, m.Epoch
	return s.finish()
}

// finish asks for the lease once all is here and fits.
func (s *Seat) finish() []Out {
	t := s.target
	if t.final == nil || t.replica.n < t.final.Records {
		return nil
	}
	live, tail, err := t.replica.finish(t.final, s.cfg.Without)
	var in []stream.Input
	if err == nil && len(t.final.Inputs) > 0 {
		var h stream.BatchHeader
		in, err = stream.DecodeInputs(t.final.Inputs, &h, nil)
	}
	if err != nil {
		return s.giveUp(err.Error())
	}
	t.ready = &Out{Do: DoStart, Live: live, Tail: tail, Inputs: in}
	s.state = Acquiring
	if s.cfg.Without&GuardLease != 0 {
		l := store.Lease{Key: store.RegionKey{Venue: s.cfg.Venue.ID, Region: s.region}, Epoch: t.epoch + 1, IDBlock: live.IDBlock, Incarnation: 1}
		return s.acquired(0, l, nil)
	}
	s.asked = true
	return []Out{step(StepAcquire), acquire(t.epoch)}
}

// acquired is the store's answer.
func (s *Seat) acquired(now int64, l store.Lease, err error) []Out {
	t := s.target
	switch {
	case err == nil:
		s.state, s.lease = Starting, l
		o := *t.ready
		o.Lease = l
		o.Live.Epoch, o.Live.IDBlock = l.Epoch, l.IDBlock
		return []Out{step(StepStart), o}
	case errors.Is(err, store.ErrFenced):
		return s.giveUp(err.Error())
	}
	return nil // the store is away; Tick asks again
}

// giveUp ends the move here and says so.
func (s *Seat) giveUp(reason string) []Out {
	a, b := s.message(KindRefused, s.target.source, s.target.move), s.message(KindRefused, Coordinators, s.target.move)
	a.Reason, b.Reason = reason, reason
	return append(s.leave(), send(a), send(b))
}

// leave forgets the region that was coming.
func (s *Seat) leave() []Out {
	s.state, s.target = Empty, nil
	return nil
}

func (s *Seat) targetTick(now int64) []Out {
	t := s.target
	switch {
	case s.state == Acquiring && !s.asked:
		s.asked = true
		return []Out{acquire(t.epoch)}
	case s.state == Arriving && s.cfg.Without&GuardFinal != 0 && t.replica != nil && now-t.began >= s.timing.Resend*3:
		// Who has waited long enough helps itself.
		t.ready, s.state, s.asked = &Out{Do: DoStart, Live: t.replica.live}, Acquiring, true
		return []Out{acquire(t.epoch)}
	case s.state == Arriving && now-t.began >= s.timing.Move+s.timing.TakeBack:
		return s.giveUp("the move took too long")
	}
	return nil
}
