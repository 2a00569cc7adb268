package saved

import (
	"errors"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
)

// MergeKeys returns a rule's state in a region that is made of two: of stays, the one that goes on, and goes. What only one
// of them has is kept. Of what both have the manifest's operator makes one value; for keys that it does not declare, and for keep, the value of
// stays is taken. With sum, max, min and or the result does not depend on the order in which regions merge.
//
// Values that an operator cannot take are kept as in stays; the error names them, and the result holds all the same. The
// result may be larger than abi.MaxState: then the rule can only shrink it. Neither keyspace is changed.
func MergeKeys(stays, goes *Keyspace, m *abi.Manifest) (*Keyspace, error) {
	out := stays.clone()
	var bad []error
	for _, k := range goes.names() {
		b := goes.vals[k]
		a, both := stays.vals[k]
		if !both {
			out.set(k, b.value, b.tick, false)
			continue
		}
		decl, _ := m.StateKey(k.Scope, k.Key)
		if decl.Merge == abi.MergeNewest && b.tick > a.tick {
			a, b = b, a
		}
		value, err := abi.MergeValues(decl.Merge, a.value, b.value)
		if err != nil {
			bad = append(bad, fmt.Errorf("key %q of scope %s: %w", k.Key, k.Scope, err))
			continue
		}
		tick := a.tick
		switch decl.Merge {
		case abi.MergeSum, abi.MergeMax, abi.MergeMin, abi.MergeOr:
			tick = max(a.tick, b.tick)
		}
		out.set(k, value, tick, false)
	}
	return out, errors.Join(bad...)
}

// SplitKeys returns a rule's state in the two regions that one becomes: stays goes on as the old one, goes is new. A key of an object, a
// user or a zone goes with it, as moves says. Keys of the region are copied to both, but those that are declared with sum stay: otherwise
// a later merge would count them twice. Keys of the venue stay. The keyspace is not changed.
func SplitKeys(ks *Keyspace, m *abi.Manifest, moves func(*KeyName) bool) (stays, goes *Keyspace) {
	stays, goes = newKeyspace(), newKeyspace()
	for _, k := range ks.names() {
		v := ks.vals[k]
		decl, _ := m.StateKey(k.Scope, k.Key)
		switch {
		case k.Scope == abi.ScopeRegion && decl.Merge != abi.MergeSum:
			stays.set(k, v.value, v.tick, false)
			goes.set(k, v.value, v.tick, false)
		case k.Scope != abi.ScopeRegion && k.Scope != abi.ScopeVenue && moves(&k):
			goes.set(k, v.value, v.tick, false)
		default:
			stays.set(k, v.value, v.tick, false)
		}
	}
	return stays, goes
}

// names returns the keys in order.
func (ks *Keyspace) names() []KeyName {
	out := make([]KeyName, 0, len(ks.vals))
	for k := range ks.vals {
		out = append(out, k)
	}
	slices.SortFunc(out, CompareKeys)
	return out
}
