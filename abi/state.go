package abi

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// StateKey declares a key of a plugin's state, or all keys that begin alike.
type StateKey struct {
	Key   string  `json:"key"`             // the key, or its beginning and a "*"
	Scope string  `json:"scope"`           // "object", "user", "zone", "region" or "venue"
	Merge MergeOp `json:"merge,omitempty"` // "" is MergeKeep
}

// UnmarshalJSON reads an object without unknown keys.
func (k *StateKey) UnmarshalJSON(b []byte) error {
	*k = StateKey{}
	return decodeObject(b, map[string]any{"key": &k.Key, "scope": &k.Scope, "merge": &k.Merge})
}

// MergeValues returns the merged value of two regions that both have one. Sum, max, min and or give the same for any order and
// grouping of regions. For keep and newest a is the one that stays: the caller puts the surviving region's, or the one of the
// larger write tick, first. The error names the operator and the value's size. The result may alias a or b.
func MergeValues(op MergeOp, a, b []byte) ([]byte, error) {
	switch op {
	case "", MergeKeep, MergeNewest:
		return a, nil
	case MergeOr:
		if len(a) < len(b) {
			a, b = b, a
		}
		out := bytes.Clone(a)
		for i, c := range b {
			out[i] |= c
		}
		return out, nil
	case MergeSum, MergeMax, MergeMin:
		for _, v := range [][]byte{a, b} {
			if len(v) != 8 {
				return nil, fmt.Errorf("merge operator %q: a value has %d bytes, want 8: a signed 64-bit little-endian number", op, len(v))
			}
		}
		x, y := int64(le.Uint64(a)), int64(le.Uint64(b))
		switch op {
		case MergeSum:
			x += y
		case MergeMax:
			x = max(x, y)
		default:
			x = min(x, y)
		}
		return le.AppendUint64(nil, uint64(x)), nil
	}
	return nil, fmt.Errorf("merge operator %q is unknown%s", op, meant(string(op), mergeOps))
}

// Covers reports whether the declaration is one of this scope and key.
func (k StateKey) Covers(scope Scope, key string) bool {
	return scopeNames[k.Scope] == scope && matches(k.Key, key)
}

func matches(pattern, key string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(key, prefix)
	}
	return pattern == key
}

// StateKey returns the declaration of a key. Without a state list every key is declared, with MergeKeep. At most one
// declaration covers a key: Check refuses others.
func (m *Manifest) StateKey(scope Scope, key string) (StateKey, bool) {
	if m.State == nil {
		return StateKey{Key: "*", Scope: scope.String()}, true
	}
	for _, k := range m.State {
		if k.Covers(scope, key) {
			return k, true
		}
	}
	return StateKey{}, false
}

func checkState(keys []StateKey) error {
	if len(keys) > MaxStateKeys {
		return fmt.Errorf("manifest: state: %d keys, the limit is %d", len(keys), MaxStateKeys)
	}
	for i, k := range keys {
		_, known := scopeNames[k.Scope]
		switch {
		case k.Key == "" || len(k.Key) > MaxKey:
			return fmt.Errorf("manifest: state[%d]: key %q: want 1 to %d bytes", i, k.Key, MaxKey)
		case strings.Contains(strings.TrimSuffix(k.Key, "*"), "*"):
			return fmt.Errorf("manifest: state[%d]: key %q: a * may only stand at the end", i, k.Key)
		case !known:
			return fmt.Errorf("manifest: state[%d]: scope %q is unknown%s", i, k.Scope, meant(k.Scope, slices.Sorted(maps.Keys(scopeNames))))
		case k.Merge != "" && !slices.Contains(mergeOps, string(k.Merge)):
			return fmt.Errorf("manifest: state[%d]: merge %q is unknown%s", i, k.Merge, meant(string(k.Merge), mergeOps))
		}
		for j, other := range keys[:i] {
			if other.Scope == k.Scope && (matches(k.Key, strings.TrimSuffix(other.Key, "*")) || matches(other.Key, strings.TrimSuffix(k.Key, "*"))) {
				return fmt.Errorf("manifest: state[%d]: key %q of scope %q is declared by state[%d] already", i, k.Key, k.Scope, j)
			}
		}
	}
	return nil
}
