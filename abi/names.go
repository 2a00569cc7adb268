package abi

import "fmt"

// String returns the name that a manifest uses, or "event kind N".
func (k EventKind) String() string { return nameOf(EventNames, k, "event kind") }

// String returns the name that a manifest uses, or "command kind N".
func (k CommandKind) String() string { return nameOf(CommandNames, k, "command kind") }

// String returns the name that a manifest uses, or "row kind N".
func (k RowKind) String() string { return nameOf(ViewNames, k, "row kind") }

// String returns "object", "user", "zone", "region", "venue", or "scope N".
func (s Scope) String() string { return nameOf(scopeNames, s, "scope") }

// nameOf is for messages, not for hot paths. Values are unique, so the order does not matter.
func nameOf[K ~uint16](names map[string]K, k K, what string) string {
	for name, v := range names {
		if v == k {
			return name
		}
	}
	return fmt.Sprintf("%s %d", what, uint16(k))
}

// nearest returns the known name with the fewest edits from name, if that is at most a
// third of its length (and at least one); "" when none is near. Ties go to the
// first in known.
func nearest(name string, known []string) string {
	best, bestCost := "", max(1, len(name)/3)+1
	for _, k := range known {
		if c := edits(name, k); c < bestCost {
			best, bestCost = k, c
		}
	}
	return best
}

// edits counts the bytes to insert, drop, change or swap with their neighbour (each swap at most
// once) to get from a to b; names longer than 64 bytes are far from everything.
func edits(a, b string) int {
	const far = 1 << 20
	if len(a) > 64 || len(b) > 64 {
		return far
	}
	var before, above, row [65]int // the costs of a[:i-1], a[:i], a[:i+1] against each b[:j]
	for j := range len(b) + 1 {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := above[j]
			if a[i] != b[j] {
				cost++
			}
			cost = min(cost, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				cost = min(cost, before[j-1]+1)
			}
			row[j+1] = cost
		}
		before, above = above, row
	}
	return above[len(b)]
}
