package peer

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The twin keeps every message and counts which bytes are still there.
func TestBacklogAgainstQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b backlog
		type msg struct {
			n  int
			at time.Duration
		}
		var queue []msg
		var now time.Duration
		held := 0
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			now += time.Duration(rapid.IntRange(1, 50).Draw(t, "ms")) * time.Millisecond
			if n := rapid.IntRange(0, 1200).Draw(t, "in"); n > 0 {
				b.add(n, now)
				queue = append(queue, msg{n, now})
				held += n
			}
			out := rapid.IntRange(0, held).Draw(t, "out")
			held -= out
			for out > 0 {
				k := min(out, queue[0].n)
				out -= k
				if queue[0].n -= k; queue[0].n == 0 {
					queue = queue[1:]
				}
			}
			want := time.Duration(0)
			if len(queue) > 0 {
				want = now - queue[0].at
			}
			got := b.age(uint64(held), now)
			// Beyond its marks the backlog may think bytes older than they are, never younger.
			if got < want || got > want && len(queue) < len(b.marks)/2 && b.n < len(b.marks)/2 && got != want {
				t.Fatalf("age %v, want %v (%d messages wait)", got, want, len(queue))
			}
		}
	})
}

func TestStopwatchStandsStill(t *testing.T) {
	t0 := time.Unix(1000, 0)
	at := func(s int) time.Time { return t0.Add(time.Duration(s) * time.Second) }
	w := stopwatch{start: t0}
	w.pause(at(2))
	w.pause(at(3))
	if got := w.at(at(9)); got != 2*time.Second {
		t.Errorf("paused: %v", got)
	}
	w.resume(at(10))
	w.resume(at(11))
	if got := w.at(at(12)); got != 4*time.Second {
		t.Errorf("running again: %v", got)
	}
}
