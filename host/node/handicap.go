package node

import (
	"fmt"
	"strings"
	"time"
)

// Handicap makes every region of a node slow on purpose, so that what measures a server can be tested against a known answer. The zero
// value is none.
type Handicap struct {
	Slow       time.Duration // added to the work of every tick
	Stall      time.Duration // one standstill of this length ...
	StallAfter time.Duration // ... so long after the start
}

// maxFault bounds what a handicap may add.
const maxFault = time.Minute

// ParseHandicap reads "slow=50ms" (added to every tick) and "stall=2s@10s" (stands still for 2 s, once, 10 s after the start); the two
// may be joined by a comma. "" is none.
func ParseHandicap(text string) (f Handicap, err error) {
	if text == "" {
		return f, nil
	}
	duration := func(s string) (d time.Duration) {
		v, e := time.ParseDuration(s)
		if e != nil || v <= 0 || v > maxFault {
			err = fmt.Errorf("fault %q: %q is no duration above 0 and at most %v", text, s, maxFault)
		}
		return v
	}
	for _, part := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "slow":
			f.Slow = duration(value)
		case "stall":
			length, after, ok := strings.Cut(value, "@")
			if !ok {
				return Handicap{}, fmt.Errorf("fault %q: want a length and a moment, as stall=2s@10s", text)
			}
			f.Stall, f.StallAfter = duration(length), duration(after)
		default:
			return Handicap{}, fmt.Errorf("fault %q: %q is none: use slow=50ms or stall=2s@10s", text, key)
		}
	}
	if err != nil {
		return Handicap{}, err
	}
	return f, nil
}

// stall stands still once its time has come.
func (d *driver) stall() {
	f := &d.node.cfg.Handicap
	if f.Stall == 0 || d.stalled || d.node.Timeline().up() < f.StallAfter {
		return
	}
	d.stalled = true
	d.log.Warn("stands still, as it was told to", "for", f.Stall)
	time.Sleep(f.Stall)
}
