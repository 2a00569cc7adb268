package strict

import (
	"fmt"
	"slices"
	"strings"
)

// Nearest returns the known word that word is most likely a slip of, or "" when
// none is near: at most a third of its letters differ, or one of the two begins
// with the other. Of equally near words it takes the first in alphabetical order.
func Nearest(word string, known []string) string {
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	best, least := "", max(1, min(len(word), 64)/3)+1
	for _, k := range sorted {
		if d := distance(strings.ToLower(word), k); d < least {
			best, least = k, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, k := range sorted {
		if len(k) >= 3 && (strings.HasPrefix(k, word) || strings.HasPrefix(word, k)) {
			return k
		}
	}
	return ""
}

// DidYouMean is Nearest as a hint; when nothing is near it lists the
// known words, if they are few; "" when there are none.
func DidYouMean(word string, known []string) string {
	if n := Nearest(word, known); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(known) == 0 || len(known) > 16 {
		return ""
	}
	sorted := slices.Clone(known)
	slices.Sort(sorted)
	return "known: " + strings.Join(sorted, ", ")
}

// distance is the number of insertions, deletions, replacements and swaps of neighbours
// between two words (optimal string alignment), by bytes. Words longer than 64 bytes
// are far from everything.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][65]int
	before, last, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(last[j]+1, cur[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, last, cur = last, cur, before
	}
	return last[len(b)]
}
