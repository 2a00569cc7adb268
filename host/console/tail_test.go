package console

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

func TestTailKeepsTheNewest(t *testing.T) {
	tail := NewTail()
	var out bytes.Buffer
	log := slog.New(tail.Handler(slog.NewTextHandler(&out, nil)))
	log.Debug("below the level")
	for i := range tailLines + 10 {
		log.Info("line", "i", i)
	}
	lines := tail.After(0)
	if len(lines) != tailLines || lines[0].Fields != "i=10" || lines[tailLines-1].N != tailLines+10 || strings.Count(out.String(), "\n") != tailLines+10 {
		t.Errorf("%d lines from %+v; %d were passed on", len(lines), lines[0], strings.Count(out.String(), "\n"))
	}
	if more := tail.After(lines[tailLines-1].N); len(more) != 0 {
		t.Errorf("after the newest come %+v", more)
	}
	if more := tail.After(1 << 60); len(more) != 0 {
		t.Errorf("after a number that is not there come %+v", more)
	}
}

func TestTailLines(t *testing.T) {
	tail := NewTail()
	log := slog.New(tail.Handler(slog.DiscardHandler))
	_ = log
	var out bytes.Buffer
	log = slog.New(tail.Handler(slog.NewJSONHandler(&out, nil)))
	log.With("region", "ground").WithGroup("rule").Error("it\rfailed\u202e", "name", "a b", "time", 7)
	log.Info(strings.Repeat("ä", maxLine))
	lines := tail.After(0)
	if l := lines[0]; l.Message != `it\rfailed\u202e` || l.Fields != `region=ground rule.name="a b" rule.time=7` || l.Level != "ERROR" || l.Time.IsZero() {
		t.Errorf("%+v", l)
	}
	if n := len(lines[1].Message); n > maxLine+3 {
		t.Errorf("a message of %d bytes", n)
	}
}

func TestTailFromManyGoroutines(t *testing.T) {
	tail := NewTail()
	log := slog.New(tail.Handler(slog.NewTextHandler(&bytes.Buffer{}, nil)))
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			for i := range 50 {
				log.Info("line", "g", g, "i", i)
				tail.After(int64(i))
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, l := range tail.After(0) {
		seen[l.Fields] = true
	}
	for g := range 8 {
		if f := fmt.Sprintf("g=%d i=49", g); !seen[f] {
			t.Errorf("%s is not there", f)
		}
	}
}
