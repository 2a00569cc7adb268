package scene

import (
	"fmt"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
)

// A few who agree to send what makes a rule fail are kept away from it; the others are served. A rule that fails for most of those who are there is
// in quarantine.
func TestQuarantineNeedsMoreThanAFew(t *testing.T) {
	for _, c := range []struct {
		hostile, honest int
		want            bool
	}{{1, 0, false}, {1, 5, false}, {2, 0, true}, {2, 1, false}, {2, 6, false}, {3, 6, false}, {3, 0, true}, {5, 4, true}} {
		w := ruled(t, hall(t, 0, 20), bad(abi.FaultTrap, new([]string)), nil)
		people := uint64(c.hostile + c.honest)
		for s := uint64(1); s <= people; s++ {
			w.step(join(s, fmt.Sprint("user", s)))
		}
		got := false
		for i := range uint32(12) {
			var in []stream.Input
			for s := uint64(1); s <= people; s++ {
				word := "hello"
				if s <= uint64(c.hostile) {
					word = "bad"
				}
				in = append(in, say(s, i+1, word))
			}
			w.step(in...)
			got = got || w.region.rules[0].quarantine
		}
		if got != c.want {
			t.Errorf("%d hostile and %d honest: quarantine %v, want %v", c.hostile, c.honest, got, c.want)
		}
	}
}
