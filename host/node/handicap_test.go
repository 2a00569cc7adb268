package node

import (
	"strings"
	"testing"
	"time"
)

func TestParseHandicap(t *testing.T) {
	for text, want := range map[string]Handicap{
		"":                        {},
		"slow=50ms":               {Slow: 50 * time.Millisecond},
		"stall=2s@10s":            {Stall: 2 * time.Second, StallAfter: 10 * time.Second},
		"slow=1ms,stall=500ms@1s": {Slow: time.Millisecond, Stall: 500 * time.Millisecond, StallAfter: time.Second},
	} {
		if got, err := ParseHandicap(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	for text, says := range map[string]string{
		"fast":          "use slow=",
		"slow=":         "no duration",
		"slow=-1s":      "no duration",
		"slow=2h":       "no duration",
		"stall=2s":      "as stall=2s@10s",
		"stall=2s@soon": "no duration",
	} {
		if got, err := ParseHandicap(text); err == nil || !strings.Contains(err.Error(), says) || got != (Handicap{}) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, says)
		}
	}
}

// Records say when their tick began and ended, so that a slow tick shows as work.
func TestRecordsTellHowLongTheirTickTook(t *testing.T) {
	const slow = 40 * time.Millisecond
	w := start(t, t.TempDir(), func(c *Config) {
		c.Handicap = Handicap{Slow: slow, Stall: 200 * time.Millisecond, StallAfter: time.Millisecond}
	})
	r := w.read(west)
	n := 0
	r.until("five records of slow ticks", func() bool {
		if r.last.N == 0 {
			return false
		}
		if took := r.last.End - r.last.Start; took < slow.Microseconds() {
			t.Errorf("tick %d took %d us, with a handicap of %v", r.last.Tick, took, slow)
		}
		n++
		return n == 5
	})
	if gap := w.metric("venued_region_skipped_ticks_total", west); gap < 12 {
		t.Errorf("%g ticks were skipped: the region did not stand still for 200 ms", gap)
	}
}
