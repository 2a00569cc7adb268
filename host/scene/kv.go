package scene

import (
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
)

// maxWrites is how many keys a rule may write or delete in a step: enough to replace its whole state.
const maxWrites = 2 * abi.MaxState / saved.MinCost

// layer is a set of writes over something older. The zero value is an empty layer after reset.
type layer struct {
	vals  map[saved.KeyName]keyWrite
	order []saved.KeyName // of first writes, so that logs do not depend on map order
	delta int             // change of size against what lies below
	keys  int             // change of the number of keys
	sum   uint64          // change of the sum of hashes
}

type keyWrite struct {
	value   []byte
	deleted bool
}

func (l *layer) reset() {
	if l.vals == nil {
		l.vals = map[saved.KeyName]keyWrite{}
	}
	clear(l.vals)
	l.order = l.order[:0]
	l.delta, l.keys, l.sum = 0, 0, 0
}

func (l *layer) set(k saved.KeyName, w keyWrite) {
	if _, ok := l.vals[k]; !ok {
		l.order = append(l.order, k)
	}
	l.vals[k] = w
}

// callState is the abi.KV of one call: its own writes on top of what the tick has committed
// on top of what is stored.
type callState struct {
	r    *Region
	rule *ruleRun
	own  layer
	gone int // of the list of absent people: how many have nothing left that could go
}

func (c *callState) begin(r *Region, rule *ruleRun) {
	c.r, c.rule, c.gone = r, rule, rule.evicted
	c.own.reset()
}

// commit makes the call's writes the tick's.
func (c *callState) commit() {
	for _, k := range c.own.order {
		c.rule.write(k, c.own.vals[k])
	}
	c.rule.evicted = c.gone
}

// value returns what a key holds after the calls so far.
func (rule *ruleRun) value(k saved.KeyName) ([]byte, bool) {
	if w, ok := rule.written.vals[k]; ok {
		return w.value, !w.deleted
	}
	return rule.stored.Value(k)
}

// write makes a write the tick's.
func (rule *ruleRun) write(k saved.KeyName, w keyWrite) {
	l := &rule.written
	if old, ok := rule.value(k); ok {
		l.delta -= saved.Cost(&k, old)
		l.sum -= saved.Hash(&k, old)
		l.keys--
	}
	if !w.deleted {
		l.delta += saved.Cost(&k, w.value)
		l.sum += saved.Hash(&k, w.value)
		l.keys++
	}
	l.set(k, w)
}

// measured is a StateSum before it is written out.
type measured struct {
	bytes, keys int
	sum         uint64
}

// measure is what the rule's state is after the calls so far.
func (rule *ruleRun) measure() measured {
	s, w := rule.stored, &rule.written
	return measured{s.Size() + w.delta, s.Len() + w.keys, s.Sum() + w.sum}
}

func (m measured) shown() StateSum {
	return StateSum{Bytes: m.bytes, Keys: m.keys, Hash: fmt.Sprintf("%016x", m.sum)}
}

// resolve names a key, or returns a KV* number.
func (c *callState) resolve(scope abi.Scope, subject uint64, key string) (saved.KeyName, int) {
	if len(key) == 0 || len(key) > abi.MaxKey {
		return saved.KeyName{}, abi.KVTooLarge
	}
	if !c.rule.Declares(scope, key) {
		return saved.KeyName{}, abi.KVUndeclared
	}
	k := saved.KeyName{Scope: scope, Key: key}
	if !c.r.hasSubject(scope, subject) {
		return k, abi.KVScope
	}
	switch scope {
	case abi.ScopeUser:
		k.Who = c.r.userByID(subject).person()
	case abi.ScopeObject, abi.ScopeZone:
		k.Subject, k.Zone = c.r.lasting(scope, subject)
	}
	return k, 0
}

func (c *callState) get(k saved.KeyName) ([]byte, bool) {
	if w, ok := c.own.vals[k]; ok {
		return w.value, !w.deleted
	}
	return c.rule.value(k)
}

// Get implements abi.KV. The value must not be changed.
func (c *callState) Get(scope abi.Scope, subject uint64, key string) ([]byte, int) {
	k, code := c.resolve(scope, subject, key)
	if code != 0 {
		return nil, code
	}
	v, ok := c.get(k)
	if !ok {
		return nil, abi.KVMissing
	}
	return v, 0
}

// full reports that a write of one more key would make the step's changes larger than any state: only a guest that
// writes and deletes on and on gets there.
func (c *callState) full(k saved.KeyName) bool {
	_, own := c.own.vals[k]
	return !own && len(c.own.order)+len(c.rule.written.order) >= maxWrites
}

// Put implements abi.KV; it copies the value.
func (c *callState) Put(scope abi.Scope, subject uint64, key string, value []byte) int {
	k, code := c.resolve(scope, subject, key)
	if code != 0 {
		return code
	}
	if len(value) > abi.MaxValue || c.full(k) {
		return abi.KVTooLarge
	}
	delta := saved.Cost(&k, value)
	if old, ok := c.get(k); ok {
		delta -= saved.Cost(&k, old)
	}
	if delta > 0 && c.size()+delta > c.rule.MaxState && !c.evict(delta) {
		return abi.KVTooLarge
	}
	c.own.set(k, keyWrite{value: slices.Clone(value)})
	c.own.delta += delta
	return 0
}

// Del implements abi.KV. Deleting what is not there is no error.
func (c *callState) Del(scope abi.Scope, subject uint64, key string) int {
	k, code := c.resolve(scope, subject, key)
	if code != 0 {
		return code
	}
	if c.full(k) {
		return abi.KVTooLarge
	}
	c.drop(k)
	return 0
}

func (c *callState) drop(k saved.KeyName) {
	if old, ok := c.get(k); ok {
		c.own.delta -= saved.Cost(&k, old)
		c.own.set(k, keyWrite{deleted: true})
	}
}

func (c *callState) size() int { return c.rule.stored.Size() + c.rule.written.delta + c.own.delta }

// evict makes room for delta more bytes by deleting the state of people who left, the one
// longest gone first, and reports whether that was enough.
func (c *callState) evict(delta int) bool {
	for ; c.gone < len(c.r.saved.Gone); c.gone++ {
		if c.size()+delta <= c.rule.MaxState {
			return true
		}
		g := c.r.saved.Gone[c.gone]
		if c.r.people[g.Who] != nil {
			continue
		}
		for _, k := range c.rule.stored.Of(g.Who) {
			c.drop(k)
		}
	}
	return c.size()+delta <= c.rule.MaxState
}

// forget deletes all keys of a rule for which match holds, outside of any call.
func (rule *ruleRun) forget(match func(*saved.KeyName) bool) {
	for _, k := range rule.names(match) {
		rule.write(k, keyWrite{deleted: true})
	}
}

// names returns the rule's keys for which match holds, after the calls so far, in order.
func (rule *ruleRun) names(match func(*saved.KeyName) bool) []saved.KeyName {
	var keys []saved.KeyName
	for k := range rule.stored.All() {
		if w, ok := rule.written.vals[k]; match(&k) && !(ok && w.deleted) {
			keys = append(keys, k)
		}
	}
	for k, w := range rule.written.vals {
		if _, stored := rule.stored.Value(k); match(&k) && !stored && !w.deleted {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, saved.CompareKeys)
	return keys
}
