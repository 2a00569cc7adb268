package scene

import (
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
)

// Shadow is a module that is asked what it would have answered in a rule's place, without a say in what happens: for a replay that compares
// two versions. It has a state of its own, which begins as the rule's, follows its own answers, and is held to the same limits.
type Shadow struct {
	region *Region
	run    *ruleRun
	state  *saved.State
	call   callState
}

// NewShadow makes a shadow of a rule (index of Venue.Rules), between two steps. When the module's state has another schema version than
// the rule's, it migrates its copy; the error says when it cannot.
func (r *Region) NewShadow(index int, module Rule) (*Shadow, error) {
	if index < 0 || index >= len(r.rules) || r.rules[index] == nil {
		return nil, fmt.Errorf("scene: NewShadow: region %s has no rule %d", r.region.Name, index)
	}
	of := r.rules[index]
	s := &Shadow{region: r, state: saved.New()}
	rec := saved.Record{}
	for k, v := range of.stored.All() {
		rec.Keys = append(rec.Keys, savedKey(of.name, &k, v, false))
	}
	s.state.Apply(&rec, r.venue.TickHz)
	s.run = &ruleRun{index: index, name: of.name, stored: s.state.Keyspace(of.name)}
	s.run.written.reset()
	if err := r.equip(s.run, module); err != nil {
		return nil, err
	}
	if from := of.Manifest().Schema; from != module.Manifest().Schema {
		s.call.begin(r, s.run)
		if err := module.Migrate(from, &s.call); err != nil {
			return nil, fmt.Errorf("rule %s: its state has schema %d, %s keeps schema %d and cannot migrate it: %w",
				of.name, from, s.run.module.String(), s.run.module.Schema, err)
		}
		s.keep()
	}
	r.shadows = append(r.shadows, s)
	return s, nil
}

// depart forgets what goes to another region with people.
func (s *Shadow) depart(goes func(*saved.KeyName) bool) {
	s.run.forget(goes)
	s.keep()
}

// arrive takes what came with people, as the rule has it, unless the module keeps its state in another layout.
func (s *Shadow) arrive(keys []saved.Key) {
	if s.run.module.Schema != s.region.rules[s.run.index].module.Schema {
		return
	}
	for i := range keys {
		if k := &keys[i]; k.Rule == s.run.name {
			s.run.write(k.Name(), keyWrite{value: slices.Clone(k.Value), deleted: k.Deleted})
		}
	}
	s.keep()
}

// Ask has the module answer a batch, within a call of the rule that it is a shadow of. Its writes are kept if the rule's are: a batch that
// the rule fails at is put again, in halves. Any failure is an *abi.Fault.
func (s *Shadow) Ask(batch []byte, keep bool) ([]byte, error) {
	s.run.evicted = 0
	s.call.begin(s.region, s.run)
	out, err := s.run.Call(batch, &s.call)
	if err != nil {
		if fault, ok := errors.AsType[*abi.Fault](err); ok {
			return nil, fault
		}
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: s.run.name, Message: err.Error()}
	}
	if keep {
		s.keep()
	}
	return out, nil
}

// keep makes the call's writes the shadow's state.
func (s *Shadow) keep() {
	s.call.commit()
	rec := saved.Record{}
	for _, k := range s.run.written.order {
		w := s.run.written.vals[k]
		rec.Keys = append(rec.Keys, savedKey(s.run.name, &k, w.value, w.deleted))
	}
	s.run.written.reset()
	s.state.Apply(&rec, s.region.venue.TickHz)
}

// savedKey is one key as records and snapshots have it.
func savedKey(rule string, k *saved.KeyName, value []byte, deleted bool) saved.Key {
	return saved.Key{
		Rule: rule, Scope: k.Scope, Subject: k.Subject, Zone: k.Zone, User: k.Who.User, Load: k.Who.Load, Key: []byte(k.Key),
		Value: value, Deleted: deleted,
	}
}
