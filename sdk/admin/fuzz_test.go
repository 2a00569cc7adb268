package admin

import (
	"strings"
	"testing"
)

// Whatever a host sends as its log: it is read, or refused with a sentence, and makes no more lines than it has.
func FuzzReadLog(f *testing.F) {
	f.Add("event: log\ndata: {\"n\":1,\"message\":\"on\"}\n\n")
	f.Add(": ping\n\nevent: end\ndata: {}\n\nevent:log\ndata:{}\n")
	f.Add("data: {}\n\nevent: log\ndata: [1\n")
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		err := readLog(strings.NewReader(s), func(*LogLine) error { n++; return nil })
		if n > strings.Count(s, "data") {
			t.Fatalf("%d lines of %q", n, s)
		}
		if err != nil && err.Error() == "" {
			t.Fatal("an error that says nothing")
		}
	})
}
