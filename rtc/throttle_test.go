package rtc

import (
	"testing"
	"time"
)

// One client's bad connection halves its own rate and nobody else's.
func TestOneThrottledClientAlone(t *testing.T) {
	r := newRig(t, rigOptions{})
	for _, user := range []string{"slow", "ann", "bob"} {
		o := joinOptions{lane: "ws"}
		o.claims.User = user
		r.join(o)
	}
	before := map[string]uint64{}
	r.until("the bad connection", func() bool {
		for _, s := range r.g.hub.order {
			if s.who.user == "slow" {
				// As decide leaves it; without acknowledgements it does not decide again.
				s.pace.throttled, s.pace.trip = true, 400*time.Millisecond
			}
			before[s.who.user] = s.pace.frames
		}
		return true
	})
	const frames = 30
	got := map[string]uint64{}
	r.until("frames", func() bool {
		for _, s := range r.g.hub.order {
			got[s.who.user] = s.pace.frames - before[s.who.user]
		}
		return got["ann"] >= frames
	})
	if n := got["bob"]; n+2 < frames {
		t.Errorf("while one client was slow, another got %d frames instead of %d", n, frames)
	}
	// It is never left without: its poses are at most one frame older than the others'.
	if n := got["slow"]; n < frames/2-2 || n > frames/2+2 {
		t.Errorf("the slow client got %d frames while others got %d, want half", n, frames)
	}
}
