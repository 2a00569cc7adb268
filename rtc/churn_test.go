package rtc

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
	"time"
)

// churnRounds is how often people come and go: a longer test takes `-args -churn-rounds 600`, about half a second each.
var churnRounds = flag.Int("churn-rounds", 12, "rounds of joins and leaves in TestChurn")

// People come and go over both lanes, some saying bye, some lost without a word: afterwards the gateway holds no session, no connection, and no
// goroutine more than before, and the heap is what it was, but for what does not grow with the rounds.
func TestChurn(t *testing.T) {
	r := newRig(t, rigOptions{venue: "[venue.limits]\nresume_grace_s = 1"})
	const each = 6
	clients := func(t *testing.T, n int) {
		r := *r
		r.t = t // the clients end with their round, and are not kept
		var here []*visitor
		for i := range each {
			o := joinOptions{}
			if i%2 == 1 {
				o.lane = "ws"
			}
			o.claims.User = fmt.Sprintf("guest-%d-%d", n, i)
			here = append(here, r.join(o))
		}
		for i, v := range here {
			if i%3 == 0 {
				v.drop()
			} else {
				v.send(`{"t":"bye"}`)
				await(t, v.closed, "the end of the lanes")
			}
		}
	}
	round := func(n int) {
		t.Run(fmt.Sprint("round ", n), func(t *testing.T) { clients(t, n) })
	}
	empty := func() {
		t.Helper()
		limit := time.Now().Add(patience)
		for {
			var left int
			r.until("a look", func() bool { left = len(r.g.hub.order) + len(r.g.hub.sessions); return true })
			r.g.mu.Lock()
			left += len(r.g.conns)
			r.g.mu.Unlock()
			if left += r.g.engine.Len(); left == 0 {
				return
			}
			if time.Now().After(limit) {
				t.Fatalf("%d sessions and connections are left", left)
			}
		}
	}
	heap := func() (bytes uint64, goroutines int) {
		empty()
		for range 3 {
			runtime.GC()
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	// What is made once, by the libraries too, is made in the first rounds.
	for n := range 4 {
		round(n)
	}
	before, routines := heap()
	for n := range *churnRounds {
		round(100 + n)
	}
	after, now := heap()
	t.Logf("%d joins and leaves: heap %d to %d KiB, goroutines %d to %d", *churnRounds*each, before>>10, after>>10, routines, now)
	limit := time.Now().Add(patience)
	for now > routines+each && time.Now().Before(limit) {
		_, now = heap()
	}
	if now > routines+each {
		t.Errorf("%d goroutines before, %d after %d joins and leaves", routines, now, *churnRounds*each)
	}
	// Neither a session (some 100 KB) nor a connection's memory may stay: far below what one each would take.
	if most := before + uint64(*churnRounds*each)*8<<10 + 1<<20; after > most {
		t.Errorf("the heap grew from %d to %d KiB in %d joins and leaves", before>>10, after>>10, *churnRounds*each)
	}
}
