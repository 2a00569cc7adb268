package live

import (
	"context"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/venued/venued/sdk/loadgen/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is one with a single slot that serves in a fixed time, under the bubble's clock.
type server struct {
	mu      sync.Mutex
	free    time.Time
	service time.Duration
	frozen  [2]time.Time
}

func (s *server) do(ctx context.Context, _ plan.Due) Outcome {
	now := time.Now()
	s.mu.Lock()
	begin := now
	if s.free.After(now) {
		begin = s.free
	}
	if !begin.Before(s.frozen[0]) && begin.Before(s.frozen[1]) {
		begin = s.frozen[1]
	}
	end := begin.Add(s.service)
	s.free = end
	s.mu.Unlock()
	t := time.NewTimer(end.Sub(now))
	defer t.Stop()
	select {
	case <-t.C:
		return Outcome{Queued: begin.Sub(now), Service: s.service}
	case <-ctx.Done():
		return Outcome{Failure: "gone"}
	}
}

func thePlan(users float64, think, d time.Duration) *plan.Plan {
	p := plan.Default(users, d)
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: think}
	p.Actions = []plan.Action{{Kind: plan.Rule, Weight: 1}}
	return p
}

func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance*want {
		t.Errorf("%s is %v, want %v within %v %%", what, got, want, tolerance*100)
	}
}

// A server that does 20 a second, asked for 25 a second for two minutes: the open loop's queue grows by 5 a second, so that who comes at time t
// waits t/4; the mean over the run is 15 s and what it shows is a queue. Twenty closed users who think 0.8 s
// slow down with the server instead: 20 a second, and each waits no longer than the others need.
func TestTheOpenLoopShowsTheQueueThatTheClosedLoopHides(t *testing.T) {
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		synctest.Test(t, func(t *testing.T) {
			p := thePlan(20, 800*time.Millisecond, 2*time.Minute)
			p.MaxInFlight, p.Timeout = 10_000, time.Hour
			s := &server{service: 50 * time.Millisecond}
			set := New(p, loop, time.Second).Do(context.Background(), func() int { return 20 }, s.do)
			all := set.All
			if all.OK != all.Done || set.NeverSent() != 0 || all.Late != 0 {
				t.Errorf("%s: %d of %d succeeded, %d never sent, %d late", loop, all.OK, all.Done, set.NeverSent(), all.Late)
			}
			if loop == plan.Open {
				within(t, "actions of the open loop", float64(all.Done), 25*120, 0.05)
				within(t, "mean wait of the open loop, s", all.Queue.Mean().Seconds(), 15, 0.25) // 3,000 arrivals vary by 55, which is 2.7 s of work
				if all.QueueShare() < 0.9 {
					t.Errorf("queue share %v, want nearly 1", all.QueueShare())
				}
				return
			}
			within(t, "actions of the closed loop", float64(all.Done), 20*120, 0.05)
			if worst := all.EndToEnd.Max(); worst > 20*50*time.Millisecond {
				t.Errorf("one of 20 closed users waited %v", worst)
			}
		})
	}
}

// A server that stands still for 2 s of 20: a tenth of all actions fall into it and wait 1 s on average, so p99 is close to 2 s. What waits is counted from when it
// was due even if it may not be sent.
func TestAStandstillShowsInP99(t *testing.T) {
	for _, most := range []int{1000, 4} {
		synctest.Test(t, func(t *testing.T) {
			p := thePlan(50, time.Second, 20*time.Second)
			p.MaxInFlight = most
			now := time.Now()
			s := &server{service: time.Millisecond, frozen: [2]time.Time{now.Add(8 * time.Second), now.Add(10 * time.Second)}}
			set := New(p, plan.Open, time.Second).Do(context.Background(), func() int { return 50 }, s.do)
			within(t, "p99 of a run with a standstill of 2 s", set.All.EndToEnd.Quantile(0.99).Seconds(), 1.8, 0.15)
			if p50 := set.All.EndToEnd.Quantile(0.5); p50 > 20*time.Millisecond {
				t.Errorf("p50 %v", p50)
			}
			if (set.All.Late > 0) != (most == 4) {
				t.Errorf("with at most %d in flight %d were sent late", most, set.All.Late)
			}
		})
	}
}

func TestTimeoutsSkipsAndWhatWasNeverSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := thePlan(10, time.Second, 10*time.Second)
		p.Timeout, p.MaxInFlight = 3*time.Second, 5
		n := 0
		var mu sync.Mutex
		set := New(p, plan.Open, time.Second).Do(context.Background(), func() int { return 10 }, func(ctx context.Context, d plan.Due) Outcome {
			mu.Lock()
			n++
			skip := n%2 == 0
			mu.Unlock()
			if skip {
				return Outcome{Skipped: true}
			}
			<-ctx.Done()
			return Outcome{Failure: "denied", Expected: true}
		})
		if f := set.All.Failures; f[Timeout] != set.All.Done || set.All.Done == 0 || set.All.OK != 0 {
			t.Errorf("failures %v of %d", f, set.All.Done)
		}
		if set.AllSkipped() == 0 || set.NeverSent() == 0 || set.All.Late == 0 {
			t.Errorf("%d skipped, %d never sent, %d late: want some of each", set.AllSkipped(), set.NeverSent(), set.All.Late)
		}
		arrivals, due := p.Arrivals(), int64(0)
		for _, ok := arrivals.Next(); ok; _, ok = arrivals.Next() {
			due++
		}
		if got := set.All.Done + set.AllSkipped() + set.NeverSent(); got != due {
			t.Errorf("%d actions are accounted for, %d were due", got, due)
		}
		if u := set.Slices[3].Users; u != 10 {
			t.Errorf("%v users in the fourth second", u)
		}
	})
}

// A run that is ended early returns what there was, without failures of its own making.
func TestAnEndedRun(t *testing.T) {
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		synctest.Test(t, func(t *testing.T) {
			p := thePlan(10, time.Second, time.Hour)
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			s := &server{service: 20 * time.Millisecond}
			set := New(p, loop, time.Second).Do(ctx, func() int { return 10 }, s.do)
			if set.All.OK == 0 || set.All.OK != set.All.Done {
				t.Errorf("%s: %d of %d", loop, set.All.OK, set.All.Done)
			}
			if d := set.Every * time.Duration(len(set.Slices)); d > 31*time.Second {
				t.Errorf("%s: slices up to %v", loop, d)
			}
		})
	}
}

// What visitors do by themselves counts from when it was due. The open loop takes it at once, and holds it when as many are in flight as may be; the closed
// loop waits for its answer. After the end nothing is taken.
func TestWhatVisitorsDoByThemselves(t *testing.T) {
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		synctest.Test(t, func(t *testing.T) {
			p := thePlan(1, time.Hour, 10*time.Second)
			p.MaxInFlight = 1
			s := &server{service: time.Second}
			r := New(p, loop, time.Second)
			var own sync.WaitGroup
			own.Go(func() {
				for i := range 3 {
					at := r.Now()
					if !r.Own(context.Background(), plan.Due{At: at, N: i, Action: plan.Grab}, s.do) {
						t.Errorf("%s: number %d was not taken", loop, i)
					}
					if took := r.Now() - at; (took >= time.Second) != (loop == plan.Closed) {
						t.Errorf("%s: it was busy with number %d for %v", loop, i, took)
					}
				}
			})
			set := r.Do(context.Background(), func() int { return 1 }, s.do)
			own.Wait()
			c := set.Action[plan.Grab]
			if c.OK != 3 || c.Done != 3 || (c.Late > 0) != (loop == plan.Open) {
				t.Errorf("%s: %d of %d succeeded, %d late", loop, c.OK, c.Done, c.Late)
			}
			if worst := c.EndToEnd.Max().Round(10 * time.Millisecond); (worst == 3*time.Second) != (loop == plan.Open) {
				t.Errorf("%s: the last one took %v", loop, worst)
			}
			if r.Own(context.Background(), plan.Due{Action: plan.Grab}, s.do) {
				t.Errorf("%s: something is taken after the end", loop)
			}
		})
	}
}
