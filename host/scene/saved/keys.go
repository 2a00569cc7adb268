package saved

import (
	"cmp"
	"iter"
	"maps"
	"slices"

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
	vals   map[KeyName][]byte         // values are never changed in place
	byUser map[Person]map[string]bool // the keys of each
	size   int
}

// Cost is what a key counts toward abi.MaxState, bytes.
func Cost(k *KeyName, value []byte) int { return max(MinCost, len(k.Key)+len(value)) }

// set writes or deletes one key.
func (ks *Keyspace) set(k KeyName, value []byte, deleted bool) {
	if old, ok := ks.vals[k]; ok {
		ks.size -= Cost(&k, old)
		delete(ks.vals, k)
		if k.Scope == abi.ScopeUser {
			if delete(ks.byUser[k.Who], k.Key); len(ks.byUser[k.Who]) == 0 {
				delete(ks.byUser, k.Who)
			}
		}
	}
	if !deleted {
		ks.vals[k] = value
		ks.size += Cost(&k, value)
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
	return v, ok
}

// Size is what all keys count toward abi.MaxState, bytes.
func (ks *Keyspace) Size() int { return ks.size }

// People returns the number of people with keys.
func (ks *Keyspace) People() int { return len(ks.byUser) }

// All returns all keys with their values, in no order.
func (ks *Keyspace) All() iter.Seq2[KeyName, []byte] { return maps.All(ks.vals) }

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
		ks = &Keyspace{vals: map[KeyName][]byte{}, byUser: map[Person]map[string]bool{}}
		d.keys[rule] = ks
	}
	return ks
}
