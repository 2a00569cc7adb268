package scene

import (
	"cmp"
	"maps"
	"slices"

	"github.com/venued/venued/abi"
)

// minKeyCost is what the smallest key counts toward abi.MaxState, so that a million empty
// values cannot cost more memory than the limit says.
const minKeyCost = 64

// maxWrites is how many keys a rule may write or delete in a step: enough to replace its whole state.
const maxWrites = 2 * abi.MaxState / minKeyCost

// person is who somebody is, whatever the session; load generators' visitors are people of their own.
type person struct {
	user string
	load bool
}

// stateKey names one key of a rule's state. Users are named by person, so that what belongs to
// one outlives the avatar.
type stateKey struct {
	scope   abi.Scope
	subject uint64 // entity id, ScopeObject
	zone    string // name, ScopeZone
	who     person // ScopeUser
	key     string
}

// keyspace is the stored state of one rule.
type keyspace struct {
	vals   map[stateKey][]byte        // values are never changed in place
	byUser map[person]map[string]bool // the keys of each
	size   int
}

func keyCost(k *stateKey, value []byte) int { return max(minKeyCost, len(k.key)+len(value)) }

// set writes or deletes one key.
func (ks *keyspace) set(k stateKey, value []byte, deleted bool) {
	if old, ok := ks.vals[k]; ok {
		ks.size -= keyCost(&k, old)
		delete(ks.vals, k)
		if k.scope == abi.ScopeUser {
			if delete(ks.byUser[k.who], k.key); len(ks.byUser[k.who]) == 0 {
				delete(ks.byUser, k.who)
			}
		}
	}
	if !deleted {
		ks.vals[k] = value
		ks.size += keyCost(&k, value)
		if k.scope == abi.ScopeUser {
			if ks.byUser[k.who] == nil {
				ks.byUser[k.who] = map[string]bool{}
			}
			ks.byUser[k.who][k.key] = true
		}
	}
}

// layer is a set of writes over something older. The zero value is an empty layer after reset.
type layer struct {
	vals  map[stateKey]keyWrite
	order []stateKey // of first writes, so that logs do not depend on map order
	delta int        // change of size against what lies below
}

type keyWrite struct {
	value   []byte
	deleted bool
}

func (l *layer) reset() {
	if l.vals == nil {
		l.vals = map[stateKey]keyWrite{}
	}
	clear(l.vals)
	l.order = l.order[:0]
	l.delta = 0
}

func (l *layer) set(k stateKey, w keyWrite) {
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
		c.rule.written.set(k, c.own.vals[k])
	}
	c.rule.written.delta += c.own.delta
	c.rule.evicted = c.gone
}

// resolve names a key, or returns a KV* number.
func (c *callState) resolve(scope abi.Scope, subject uint64, key string) (stateKey, int) {
	if len(key) == 0 || len(key) > abi.MaxKey {
		return stateKey{}, abi.KVTooLarge
	}
	k := stateKey{scope: scope, key: key}
	if !c.r.hasSubject(scope, subject) {
		return k, abi.KVScope
	}
	switch scope {
	case abi.ScopeUser:
		k.who = c.r.userByID(subject).person()
	case abi.ScopeObject, abi.ScopeZone:
		k.subject, k.zone = c.r.lasting(scope, subject)
	}
	return k, 0
}

func (c *callState) get(k stateKey) ([]byte, bool) {
	if w, ok := c.own.vals[k]; ok {
		return w.value, !w.deleted
	}
	if w, ok := c.rule.written.vals[k]; ok {
		return w.value, !w.deleted
	}
	v, ok := c.rule.stored.vals[k]
	return v, ok
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
func (c *callState) full(k stateKey) bool {
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
	delta := keyCost(&k, value)
	if old, ok := c.get(k); ok {
		delta -= keyCost(&k, old)
	}
	if delta > 0 && c.size()+delta > abi.MaxState && !c.evict(delta) {
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

func (c *callState) drop(k stateKey) {
	if old, ok := c.get(k); ok {
		c.own.delta -= keyCost(&k, old)
		c.own.set(k, keyWrite{deleted: true})
	}
}

func (c *callState) size() int { return c.rule.stored.size + c.rule.written.delta + c.own.delta }

// evict makes room for delta more bytes by deleting the state of people who left, the one
// longest gone first, and reports whether that was enough.
func (c *callState) evict(delta int) bool {
	for ; c.gone < len(c.r.saved.gone); c.gone++ {
		if c.size()+delta <= abi.MaxState {
			return true
		}
		g := c.r.saved.gone[c.gone]
		if c.r.people[g.who] != nil {
			continue
		}
		for _, k := range c.rule.stored.keysOf(g.who) {
			c.drop(k)
		}
	}
	return c.size()+delta <= abi.MaxState
}

// keysOf returns a person's keys in order.
func (ks *keyspace) keysOf(who person) []stateKey {
	keys := make([]stateKey, 0, len(ks.byUser[who]))
	for _, key := range slices.Sorted(maps.Keys(ks.byUser[who])) {
		keys = append(keys, stateKey{scope: abi.ScopeUser, who: who, key: key})
	}
	return keys
}

// forget deletes all keys of a rule for which match holds, outside of any call.
func (rule *ruleRun) forget(match func(*stateKey) bool) {
	var keys []stateKey
	for k := range rule.stored.vals {
		if w, ok := rule.written.vals[k]; match(&k) && !(ok && w.deleted) {
			keys = append(keys, k)
		}
	}
	for k, w := range rule.written.vals {
		if _, stored := rule.stored.vals[k]; match(&k) && !stored && !w.deleted {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b stateKey) int {
		return cmp.Or(cmp.Compare(a.scope, b.scope), cmp.Compare(a.subject, b.subject), cmp.Compare(a.zone, b.zone),
			cmp.Compare(a.who.user, b.who.user), compareBool(a.who.load, b.who.load), cmp.Compare(a.key, b.key))
	})
	for _, k := range keys {
		old, ok := rule.written.vals[k]
		value := old.value
		if !ok {
			value = rule.stored.vals[k]
		}
		rule.written.delta -= keyCost(&k, value)
		rule.written.set(k, keyWrite{deleted: true})
	}
}
