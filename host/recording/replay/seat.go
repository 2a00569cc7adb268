package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/scene"
)

// seat is a rule's place in a replay: it implements the region's Rule.
type seat struct {
	p      *player
	index  int
	module *recording.Module
	decide scene.Rule // nil: the recorded answers
	asked  []asked
	late   uint64 // tick of the newest call that a clock ended
}

// asked is a module that is only asked.
type asked struct {
	*scene.Shadow
	label string
}

// seat makes a rule's place.
func (p *player) seat(index int, m *recording.Module) (*seat, error) {
	s := &seat{p: p, index: index, module: m}
	if p.options.Decide != nil {
		var err error
		if s.decide, err = p.options.Decide(p.header.Rules[index].Name, m); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Manifest is the recorded one while the recorded answers are played, which may use what another module's does not list.
func (s *seat) Manifest() *abi.Manifest {
	if s.decide != nil {
		return s.decide.Manifest()
	}
	return s.module.Manifest
}

func (s *seat) Digest() string {
	if s.decide != nil {
		return s.decide.Digest()
	}
	return s.module.Digest
}

// answer is what a module said to a batch.
type answer struct {
	out   []byte
	fault *abi.Fault
	ops   []recording.Op
}

// take returns the recorded call that is made now, nil when the recording has another one here.
func (s *seat) take(kind recording.CallKind) *recording.Call {
	p := s.p
	if len(p.calls) == 0 || p.calls[0].Rule != s.index || p.calls[0].Kind != kind {
		note := "the recording has no call here"
		if len(p.calls) > 0 {
			note = fmt.Sprintf("the recording has a call (%s) of rule %s here", p.calls[0].Kind, p.header.Rules[p.calls[0].Rule].Name)
		}
		p.differ(pending{kind: KindQuestion, rule: s.index, note: note})
		return nil
	}
	c := &p.calls[0]
	p.calls = p.calls[1:]
	return c
}

// Call answers as recorded, or as the module that decides does, and asks the others.
func (s *seat) Call(batch []byte, kv abi.KV) ([]byte, error) {
	p := s.p
	p.report.Calls++
	rec := s.take(recording.CallTick)
	batch = slices.Clone(batch) // the region's may be used again before differences are described
	if rec != nil && !rec.Batch.Same(batch) {
		p.differ(pending{kind: KindQuestion, rule: s.index, batch: batch, note: "it was asked something else than in the recording"})
	}
	clocked := rec != nil && s.byClock(rec, batch)
	var now answer
	var err error
	switch {
	case s.decide != nil && !clocked:
		now, err = s.decided(batch, kv)
	case rec != nil:
		if s.decide != nil {
			p.report.ByClock++
		}
		now, err = recorded(rec, kv)
	default:
		now.fault = &abi.Fault{Kind: abi.FaultInit, Plugin: p.header.Rules[s.index].Name, Message: "the recording has no answer to this call"}
		err = now.fault
	}
	answers := make([]answer, len(s.asked))
	for i := range s.asked {
		out, err := s.asked[i].Ask(batch, now.fault == nil)
		answers[i] = answer{out: slices.Clone(out), fault: faultOf(err)}
	}
	was := answer{}
	if rec != nil {
		was = answerOf(rec)
	}
	if s.decide != nil && rec != nil && !clocked {
		s.compareWithRecord(batch, rec, &was, &now)
	}
	switch len(answers) {
	case 1:
		if rec != nil && !clocked {
			p.differ(pending{kind: KindAnswer, rule: s.index, batch: batch, a: was, b: answers[0], masked: &rec.Out})
		}
	case 2:
		p.differ(pending{kind: KindAnswer, rule: s.index, batch: batch, a: answers[0], b: answers[1]})
	}
	return now.out, err
}

// compareWithRecord holds the answer of the module that decides against the recorded one, the writes too when it is the same module.
func (s *seat) compareWithRecord(batch []byte, rec *recording.Call, was, now *answer) {
	s.p.differ(pending{kind: KindAnswer, rule: s.index, batch: batch, a: *was, b: *now, masked: &rec.Out})
	if s.Digest() == s.module.Digest && now.fault == nil && rec.Fault == nil && !sameOps(rec.Ops, now.ops) {
		s.p.differ(pending{kind: KindState, rule: s.index, batch: batch, a: *was, b: *now})
	}
}

// decided has the deciding module answer.
func (s *seat) decided(batch []byte, kv abi.KV) (answer, error) {
	w := &writes{KV: kv}
	out, err := s.decide.Call(batch, w)
	if err != nil {
		return answer{fault: faultOf(err)}, err
	}
	return answer{out: slices.Clone(out), ops: w.ops}, nil
}

// recorded answers as the module did.
func recorded(c *recording.Call, kv abi.KV) (answer, error) {
	if c.Fault != nil {
		a := answerOf(c)
		return a, a.fault
	}
	for i := range c.Ops {
		o := &c.Ops[i]
		if o.Delete {
			kv.Del(o.Scope, o.Subject, string(o.Key.Bytes))
		} else {
			kv.Put(o.Scope, o.Subject, string(o.Key.Bytes), o.Value.Bytes)
		}
	}
	return answerOf(c), nil
}

func answerOf(c *recording.Call) answer {
	if c.Fault != nil {
		return answer{fault: &abi.Fault{Kind: c.Fault.Kind, Plugin: c.Fault.Plugin, Message: string(c.Fault.Message.Bytes)}}
	}
	return answer{out: c.Out.Bytes, ops: c.Ops}
}

// byClock reports whether a clock ended the recorded call, or an earlier one of the tick that left this one no fuel: no module repeats
// that. What a tick may compute is counted in fuel otherwise, and modules repeat it.
func (s *seat) byClock(c *recording.Call, batch []byte) bool {
	if c.Fault == nil || len(batch) < abi.HeaderSize {
		return false
	}
	tick := binary.LittleEndian.Uint64(batch[24:])
	switch c.Fault.Kind {
	case abi.FaultTimeout:
		s.late = tick
		return true
	case abi.FaultBudget:
		return s.late == tick
	}
	return false
}

// Migrate answers as recorded, or as the module that decides does.
func (s *seat) Migrate(from int, kv abi.KV) error {
	if s.decide != nil && s.Digest() != s.module.Digest {
		return s.decide.Migrate(from, kv) // another module has its own reasons
	}
	rec := s.take(recording.CallMigrate)
	switch {
	case s.decide != nil:
		return s.decide.Migrate(from, kv)
	case rec == nil:
		return &abi.Fault{Kind: abi.FaultInit, Plugin: s.p.header.Rules[s.index].Name, Message: "the recording has no migration here"}
	}
	_, err := recorded(rec, kv)
	return err
}

func faultOf(err error) *abi.Fault {
	if err == nil {
		return nil
	}
	if fault, ok := errors.AsType[*abi.Fault](err); ok {
		return fault
	}
	return &abi.Fault{Kind: abi.FaultTrap, Message: err.Error()}
}

// writes notes what a module writes.
type writes struct {
	abi.KV
	ops []recording.Op
}

func (w *writes) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	code := w.KV.Put(scope, subject, key, value)
	if code == 0 {
		w.ops = append(w.ops, recording.Op{
			Scope: scope, Subject: subject, Key: recording.Text{Bytes: []byte(key)}, Value: recording.Text{Bytes: slices.Clone(value)},
		})
	}
	return code
}

func (w *writes) Del(scope abi.Scope, subject uint64, key string) int {
	code := w.KV.Del(scope, subject, key)
	if code == 0 {
		w.ops = append(w.ops, recording.Op{Delete: true, Scope: scope, Subject: subject, Key: recording.Text{Bytes: []byte(key)}})
	}
	return code
}

// sameOps compares recorded writes with others.
func sameOps(want, got []recording.Op) bool {
	return slices.EqualFunc(want, got, func(a, b recording.Op) bool {
		return a.Delete == b.Delete && a.Scope == b.Scope && a.Subject == b.Subject && a.Key.Same(b.Key.Bytes) && a.Value.Same(b.Value.Bytes)
	})
}
