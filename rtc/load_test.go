package rtc

import (
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

// loadRun is a load fed second by second.
type loadRun struct {
	load
	now  time.Time
	used time.Duration
}

// second lets a second pass in which the process used a share of two processors and everything was some ticks late. It
// returns whether newcomers are let in after it.
func (l *loadRun) second(share, late float64) bool {
	l.now = l.now.Add(time.Second)
	l.used += time.Duration(share * 2 * float64(time.Second))
	for range 30 {
		l.lag(lagRecord, time.Duration(late*float64(l.tick)))
	}
	l.observe(l.now, l.used)
	return l.full() == ""
}

func TestNewcomersAreRefusedUnderLoad(t *testing.T) {
	for name, bad := range map[string][2]float64{"processors": {0.9, 0}, "ticks": {0.3, 1.5}} {
		t.Run(name, func(t *testing.T) {
			l := loadRun{load: load{processors: 2, tick: time.Second / 30}, now: time.Unix(1000, 0)}
			l.second(0, 0)
			seconds := func(n int, share, late float64, want bool) {
				t.Helper()
				for i := range n {
					if got := l.second(share, late); got != want {
						t.Fatalf("second %d at %.2f of the processors and %.1f ticks late: let in %v", i+1, share, late, got)
					}
				}
			}
			seconds(5, 0.5, 0.1, true)
			seconds(2, bad[0], bad[1], true) // a short burst
			seconds(1, 0.5, 0.1, true)
			seconds(2, bad[0], bad[1], true)
			seconds(2, bad[0], bad[1], false)
			if !strings.Contains(l.full(), name) {
				t.Errorf("the reason is %q", l.full())
			}
			seconds(5, 0.75, 0.7, false) // better, but not well: no flapping
			seconds(2, 0.5, 0.1, false)
			seconds(5, 0.5, 0.1, true)
		})
	}
}

// A full server turns newcomers away with the reason, and lets those back in who were there.
func TestFullServerKeepsThoseInside(t *testing.T) {
	r := newRig(t, rigOptions{})
	v := r.join(joinOptions{lane: "ws"})
	r.until("nothing to be observed meanwhile", func() bool {
		r.g.load.since = time.Now().Add(time.Hour)
		return true
	})
	why := "it uses 91 % of its processors"
	r.g.load.why.Store(&why)
	status, _, body := r.request("POST", "/v1/rtc", r.token(token.Claims{User: "bob"}), "application/sdp", "v=0")
	if status != 503 {
		t.Errorf("status %d", status)
	}
	r.refused(status, body, wire.CodeVenueFull, "91 %")
	resumed := r.join(joinOptions{lane: "ws", token: v.welcome.Resume})
	if !resumed.welcome.Resumed {
		t.Error("the session was not resumed")
	}
}
