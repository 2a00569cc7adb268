package saved

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
)

// MinCost is what the smallest key counts toward abi.MaxState, so that a million empty
// values cannot cost more memory than the limit says.
const MinCost = 64

// Person is who somebody is, whatever the session; load generators' visitors are people of their own.
type Person struct {
	User string
	Load bool
}

// RuleMark begins what stands in a person's place for a rule, where nobody is the cause of what it did. No person's id begins with it: see wire.CheckUser.
const RuleMark = "\x00"

// IsRule reports whether p stands for a rule.
func (p Person) IsRule() bool { return strings.HasPrefix(p.User, RuleMark) }

// KeyName names one key of a rule's state. Users are named by person, so that what belongs to
// one outlives the avatar.
type KeyName struct {
	Scope   abi.Scope
	Subject uint64 // entity id, ScopeObject
	Zone    string // name, ScopeZone
	Who     Person // ScopeUser
	Key     string
}

// CompareKeys orders keys of one rule: by scope, what they belong to, and name.
func CompareKeys(a, b KeyName) int {
	return cmp.Or(cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Subject, b.Subject), cmp.Compare(a.Zone, b.Zone),
		cmp.Compare(a.Who.User, b.Who.User), compareBool(a.Who.Load, b.Who.Load), cmp.Compare(a.Key, b.Key))
}

// Keyspace is the stored state of one rule. Only State.Apply changes it.
type Keyspace struct {
	vals   map[KeyName]stored
	byUser map[Person]map[string]bool // the keys of each
	size   int
	sum    uint64 // of Hash over all keys
}

// stored is a value, which is never changed in place, and the tick that wrote it.
type stored struct {
	value []byte
	tick  uint64
}

// Cost is what a key counts toward abi.MaxState, bytes.
func Cost(k *KeyName, value []byte) int { return max(MinCost, len(k.Key)+len(value)) }

// Hash returns a number that tells contents of a key apart (FNV-1a over the name and the value, all bits mixed). The sum of
// the hashes of a keyspace's keys does not depend on their order. It is no defence against somebody who looks for two states with one sum.
func Hash(k *KeyName, value []byte) uint64 {
	h := uint64(14695981039346656037)
	add := func(s string) {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
		h = (h ^ 0xff) * 1099511628211
	}
	h = (h ^ uint64(k.Scope)) * 1099511628211
	for n := k.Subject; n > 0; n >>= 8 {
		h = (h ^ n&0xff) * 1099511628211
	}
	if k.Who.Load {
		h = (h ^ 1) * 1099511628211
	}
	add(k.Zone)
	add(k.Who.User)
	add(k.Key)
	for _, c := range value {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// set writes or deletes one key.
func (ks *Keyspace) set(k KeyName, value []byte, tick uint64, deleted bool) {
	if old, ok := ks.vals[k]; ok {
		ks.size -= Cost(&k, old.value)
		ks.sum -= Hash(&k, old.value)
		delete(ks.vals, k)
		if k.Scope == abi.ScopeUser {
			if delete(ks.byUser[k.Who], k.Key); len(ks.byUser[k.Who]) == 0 {
				delete(ks.byUser, k.Who)
			}
		}
	}
	if !deleted {
		ks.vals[k] = stored{value, tick}
		ks.size += Cost(&k, value)
		ks.sum += Hash(&k, value)
		if k.Scope == abi.ScopeUser {
			if ks.byUser[k.Who] == nil {
				ks.byUser[k.Who] = map[string]bool{}
			}
			ks.byUser[k.Who][k.Key] = true
		}
	}
}

// Value returns what is stored under a key. It must not be changed.
func (ks *Keyspace) Value(k KeyName) ([]byte, bool) {
	v, ok := ks.vals[k]
	return v.value, ok
}

// Size is what all keys count toward abi.MaxState, bytes.
func (ks *Keyspace) Size() int { return ks.size }

// Len returns the number of keys.
func (ks *Keyspace) Len() int { return len(ks.vals) }

// Sum returns the sum of the keys' hashes.
func (ks *Keyspace) Sum() uint64 { return ks.sum }

// People returns the number of people with keys.
func (ks *Keyspace) People() int { return len(ks.byUser) }

// All returns all keys with their values, in no order.
func (ks *Keyspace) All() iter.Seq2[KeyName, []byte] {
	return func(yield func(KeyName, []byte) bool) {
		for k, v := range ks.vals {
			if !yield(k, v.value) {
				return
			}
		}
	}
}

// Of returns a person's keys in order.
func (ks *Keyspace) Of(who Person) []KeyName {
	keys := make([]KeyName, 0, len(ks.byUser[who]))
	for _, key := range slices.Sorted(maps.Keys(ks.byUser[who])) {
		keys = append(keys, KeyName{Scope: abi.ScopeUser, Who: who, Key: key})
	}
	return keys
}

// Keyspace returns a rule's keys, made if there are none yet.
func (d *State) Keyspace(rule string) *Keyspace {
	ks := d.keys[rule]
	if ks == nil {
		ks = newKeyspace()
		d.keys[rule] = ks
	}
	return ks
}

func newKeyspace() *Keyspace {
	return &Keyspace{vals: map[KeyName]stored{}, byUser: map[Person]map[string]bool{}}
}

// Name returns what the key is called in a Keyspace.
func (k *Key) Name() KeyName {
	return KeyName{k.Scope, k.Subject, k.Zone, Person{k.User, k.Load}, string(k.Key)}
}
