package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing wrong with a file.
type Problem struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // from 1; 0 when it concerns no line, as a table that is missing
	Path string `json:"path,omitempty"` // "object[3].kind"; list elements count from 0
	Msg  string `json:"msg"`            // what is wrong
	Hint string `json:"hint,omitempty"` // what to do
}

// String is the problem on one line, in the form that editors jump to:
// file:line: path: message; hint.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Path != "" {
		b.WriteString(p.Path)
		b.WriteString(": ")
	}
	b.WriteString(p.Msg)
	if p.Hint != "" {
		b.WriteString("; ")
		b.WriteString(p.Hint)
	}
	return b.String()
}

// Problems is an error made of problems; never empty when returned as one.
type Problems []Problem

// Error is every problem, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return strings.Join(lines, "\n")
}

// Err returns the problems sorted by file, line and path, without repetitions,
// as an error; nil when there are none. Of more than MaxProblems it keeps the first and counts
// the rest.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	sorted := slices.Clone(p)
	slices.SortStableFunc(sorted, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Msg, b.Msg))
	})
	sorted = slices.Compact(sorted)
	if more := len(sorted) - MaxProblems; more > 0 {
		sorted = append(sorted[:MaxProblems], Problem{File: sorted[0].File, Line: sorted[MaxProblems-1].Line, Msg: fmt.Sprintf("and %d more problems", more)})
	}
	return sorted
}
