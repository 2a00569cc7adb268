package migration

import (
	"errors"
	"fmt"

	"github.com/venued/venued/host/store"
)

// MaxUnsent bounds the bytes of records that a target does not have yet.
const MaxUnsent = 32 << 20

// source is a region on its way out.
type source struct {
	move     uint64
	target   string
	began    int64
	captured bool
	parts    [][]byte // of the state, nil once the target has it
	sent     int64    // when something was sent last
	loaded   bool     // the target has the state
	records  []Record // that the target does not have
	first    uint64   // number of records[0]
	bytes    int      // of them

	stopping bool   // DoStop is out
	giveUp   string // why the move is given up as soon as the region has stopped
	final    *Message
	finalAt  int64 // when FINAL went out first
	last     int64 // and last
	taking   bool  // it is being taken back
}

// begin is a coordinator's order to give the region away.
func (s *Seat) begin(now int64, m *Message) []Out {
	switch {
	case s.state != Owner:
		return s.refuse(m, "this node does not have the region")
	case m.Epoch != s.lease.Epoch && s.cfg.Without&GuardEpoch == 0:
		return s.refuse(m, fmt.Sprintf("the region is at epoch %d here, the order is for %d", s.lease.Epoch, m.Epoch))
	case m.Target == s.cfg.Node:
		return s.refuse(m, "this node has the region already")
	case s.source != nil && s.source.move != m.Move:
		return s.refuse(m, "another move of the region is under way")
	case s.source != nil:
		return nil
	}
	s.source = &source{move: m.Move, target: m.Target, began: now, first: 1}
	return []Out{step(StepCapture), {Do: DoCapture}}
}

// Captured answers DoCapture with what EncodeCut gave.
func (s *Seat) Captured(now int64, state []byte, err error) []Out {
	src := s.source
	if src == nil || src.captured {
		return nil
	}
	if err == nil && len(state) > MaxState {
		err = fmt.Errorf("the state has %d bytes, at most %d can be sent", len(state), MaxState)
	}
	if err != nil {
		return s.end("the region cannot be captured: " + err.Error())
	}
	src.captured = true
	for len(state) > partBytes {
		src.parts, state = append(src.parts, state[:partBytes]), state[partBytes:]
	}
	src.parts = append(src.parts, state)
	return append([]Out{step(StepState)}, s.sendParts(now)...)
}

func (s *Seat) sendParts(now int64) (out []Out) {
	src := s.source
	src.sent = now
	for i, p := range src.parts {
		m := s.message(KindState, src.target, src.move)
		m.Part, m.Parts, m.Data = i, len(src.parts), p
		out = append(out, send(m))
	}
	return out
}

// Stepped is told of a tick of the owned region, with its log record (nil for none) as the store gets it.
func (s *Seat) Stepped(now int64, tick uint64, record []byte) []Out {
	if !s.Wants() || record == nil {
		return nil
	}
	src := s.source
	src.records = append(src.records, Record{tick, record})
	src.bytes += len(record)
	if src.bytes > MaxUnsent && !src.stopping {
		return s.end(fmt.Sprintf("the target is %d bytes of records behind, at most %d are kept", src.bytes, MaxUnsent))
	}
	if !src.loaded {
		return nil
	}
	n := len(src.records) - 1
	return []Out{send(s.batch(src.first+uint64(n), src.records[n:]))}
}

func (s *Seat) batch(first uint64, records []Record) *Message {
	m := s.message(KindRecords, s.source.target, s.source.move)
	size := 0
	for i := range records {
		if size += len(records[i].Data); i > 0 && (size > recordBatch || i == maxRecords) {
			records = records[:i]
			break
		}
	}
	m.First, m.Records = first, records
	return m
}

// mine reports whether a message is about the move of the region away from here.
func (s *Seat) mine(m *Message) bool {
	return s.source != nil && (m.Move == s.source.move || s.cfg.Without&GuardMove != 0)
}

// loaded: the target has the state.
func (s *Seat) loaded(now int64, m *Message) []Out {
	if !s.mine(m) || s.source.loaded {
		return nil
	}
	s.source.loaded, s.source.parts = true, nil
	return s.resend(now)
}

// have: the target has records up to a number.
func (s *Seat) have(now int64, m *Message) []Out {
	if !s.mine(m) {
		return nil
	}
	src := s.source
	src.loaded = true
	for len(src.records) > 0 && src.first <= m.Have {
		src.bytes -= len(src.records[0].Data)
		src.records, src.first = src.records[1:], src.first+1
	}
	return nil
}

func (s *Seat) resend(now int64) []Out {
	src := s.source
	src.sent = now
	if len(src.records) == 0 {
		return nil
	}
	return []Out{send(s.batch(src.first, src.records))}
}

// switchOver is the order to stop and say FINAL.
func (s *Seat) switchOver(now int64, m *Message) []Out {
	if !s.mine(m) || !s.source.loaded || s.source.stopping || s.state != Owner {
		return nil
	}
	s.source.stopping = true
	return []Out{step(StepStop), {Do: DoStop}}
}

// Stopped answers DoStop: the region has made its last tick. What Final.Records says is filled in here.
func (s *Seat) Stopped(now int64, f *Final, err error) []Out {
	src := s.source
	if src == nil || !src.stopping || s.state != Owner {
		return nil
	}
	if err != nil || src.giveUp != "" {
		reason := src.giveUp
		if err != nil {
			reason = "the region cannot be stopped: " + err.Error()
		}
		return append(s.end(reason), Out{Do: DoGoOn})
	}
	f.Records = src.first + uint64(len(src.records)) - 1
	s.state = Stopped
	src.final = s.message(KindFinal, src.target, src.move)
	src.final.Final = f
	src.finalAt, src.last = now, now
	out := []Out{step(StepFinal), send(s.message(KindHold, Gateways, src.move)), send(src.final)}
	if s.cfg.Without&GuardAnswer != 0 {
		return append(out, s.drop()...)
	}
	return out
}

// end gives the move up before FINAL was sent: the region ticks on as if nothing had been.
func (s *Seat) end(reason string) []Out {
	src := s.source
	m := s.message(KindEnded, Coordinators, src.move)
	m.Reason = reason
	abort := s.message(KindAbort, src.target, src.move)
	abort.Reason = reason
	s.source = nil
	return []Out{send(m), send(abort)}
}

// given: the target owns the region.
func (s *Seat) given(now int64, m *Message) []Out {
	if !s.mine(m) || s.source.final == nil {
		return nil
	}
	return append([]Out{step(StepDrop)}, s.drop()...)
}

// release: the coordinator says so too.
func (s *Seat) release(now int64, m *Message) []Out {
	if s.source == nil && s.state.holds() && s.cfg.Without&GuardMove != 0 && s.cfg.Without&GuardEpoch != 0 {
		return s.drop()
	}
	return s.given(now, m)
}

// refused: the target does not take the region, or does not know of it.
func (s *Seat) refused(now int64, m *Message) []Out {
	if !s.mine(m) || m.From != s.source.target {
		return nil
	}
	return s.sourceAbort(now, "the target refused: "+m.Reason)
}

// abort gives the move up, wherever it is.
func (s *Seat) abort(now int64, m *Message) []Out {
	if s.mine(m) {
		return s.sourceAbort(now, m.Reason)
	}
	if s.target != nil && (m.Move == s.target.move || s.cfg.Without&GuardMove != 0) && s.state == Arriving {
		return s.leave()
	}
	return nil
}

func (s *Seat) sourceAbort(now int64, reason string) []Out {
	src := s.source
	switch {
	case s.state == Stopped:
		return s.takeBack(now, reason)
	case s.state != Owner:
		return nil
	case src.stopping:
		src.giveUp = reason
		return nil
	}
	return s.end(reason)
}

// takeBack asks the store for the region that FINAL gave away.
func (s *Seat) takeBack(now int64, reason string) []Out {
	src := s.source
	src.giveUp, src.taking = reason, true
	if s.cfg.Without&GuardTakeBack != 0 {
		s.state, s.source = Owner, nil
		return []Out{{Do: DoGoOn}}
	}
	if s.asked {
		return nil
	}
	s.asked, src.last = true, now
	return []Out{step(StepTakeBack), acquire(s.lease.Epoch)}
}

// tookBack is the store's answer.
func (s *Seat) tookBack(now int64, l store.Lease, err error) []Out {
	switch {
	case err == nil:
		m := s.message(KindEnded, Coordinators, s.source.move)
		m.Reason = s.source.giveUp
		s.state, s.lease = Starting, l
		m.Stamp = s.stamp()
		return []Out{{Do: DoResume, Lease: l}, send(m)}
	case errors.Is(err, store.ErrFenced):
		return append([]Out{step(StepDrop)}, s.drop()...)
	}
	return nil // the store is away; the next Tick asks again
}

func (s *Seat) sourceTick(now int64) []Out {
	src, t := s.source, &s.timing
	switch {
	case s.state == Stopped && src.taking:
		if now-src.last >= t.Resend {
			src.last = now
			return s.takeBack(now, src.giveUp)
		}
	case s.state == Stopped && now-src.finalAt >= t.TakeBack:
		return s.takeBack(now, "nobody answered FINAL")
	case s.state == Stopped && now-src.last >= t.Final:
		src.last = now
		return append(s.resend(now), send(s.message(KindHold, Gateways, src.move)), send(src.final))
	case s.state == Owner && !src.stopping && now-src.began >= t.Move:
		return s.end("the move took too long")
	case s.state == Owner && src.captured && now-src.sent >= t.Resend:
		if src.loaded {
			return s.resend(now)
		}
		return s.sendParts(now)
	}
	return nil
}
