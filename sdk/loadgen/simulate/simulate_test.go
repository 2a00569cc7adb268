package simulate

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// queuePlan is a rate of actions for ten minutes, all of one kind.
func queuePlan(rate float64, d time.Duration) *plan.Plan {
	p := plan.Default(rate*2, d)
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: 2 * time.Second}
	p.Actions = []plan.Action{{Kind: plan.Grab, Weight: 1}}
	p.Timeout, p.MaxInFlight, p.Tick = time.Hour, plan.MaxInFlight, 100*time.Millisecond
	return p
}

func simulate(t *testing.T, p *plan.Plan, s *Server, loop plan.Loop) *figures.Set {
	t.Helper()
	set, err := Run(p, s, loop, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// The mean time in an M/M/1 system is 1/(mu - lambda), the mean wait rho/(mu - lambda).
func TestAnOpenLoopIsTheTextbooksQueue(t *testing.T) {
	s := &Server{Slots: 1, Service: plan.Dist{Kind: plan.Exponential, Mean: 10 * time.Millisecond}}
	for _, c := range []struct{ rate, meanMS, waitMS float64 }{
		{50, 20, 10}, {80, 50, 40}, {20, 12.5, 2.5},
	} {
		set := simulate(t, queuePlan(c.rate, 20*time.Minute), s, plan.Open)
		mean, wait := float64(set.All.EndToEnd.Mean())/1e6, float64(set.All.Queue.Mean())/1e6
		if math.Abs(mean-c.meanMS) > 0.1*c.meanMS || math.Abs(wait-c.waitMS) > 0.12*c.waitMS {
			t.Errorf("at %v actions a second: %.1f ms of which %.1f ms waiting; the formula says %v and %v", c.rate, mean, wait, c.meanMS, c.waitMS)
		}
	}
}

// Forty actions a second are planned and the server does twenty. The open loop says so; the closed loop beside it
// looks as if a tired server had answered every user in good time.
func TestAClosedLoopHidesWhatAnOpenLoopShows(t *testing.T) {
	slow := &Server{Slots: 1, Service: plan.Dist{Kind: plan.Exponential, Mean: 50 * time.Millisecond}}
	p := queuePlan(40, 60*time.Second)
	open, closed := simulate(t, p, slow, plan.Open), simulate(t, p, slow, plan.Closed)
	if share := open.All.QueueShare(); share < 0.95 {
		t.Errorf("open: the queue share is %.2f", share)
	}
	// After 60 s of 20 too many a second, 1,200 wait: 60 s for the last.
	if last := open.Slices[59].Counts.EndToEnd.Quantile(0.5).Seconds(); last < 50 || last > 70 {
		t.Errorf("open: at the end an action takes %.0f s, want about 60", last)
	}
	if n := open.All.Done; math.Abs(float64(n)-2400) > 200 {
		t.Errorf("open: %d actions, 2,400 were planned", n)
	}
	// 80 users round a server of 20 a second: each action takes 80/20 - 2 = 2 s, whatever the length of the run.
	if p50 := closed.All.EndToEnd.Quantile(0.5).Seconds(); p50 > 2.8 {
		t.Errorf("closed: half of all take more than %.1f s", p50)
	}
	if n := closed.All.Done; n > 1400 {
		t.Errorf("closed: %d actions, though the server does 1,200", n)
	}
}

func TestAFrozenServerShowsAsLongAsItStood(t *testing.T) {
	s := &Server{Slots: 4, Service: plan.Dist{Kind: plan.Fixed, Mean: time.Millisecond}, Frozen: []Window{{10 * time.Second, 12 * time.Second}}}
	// Of 60 s two stand still: 3.3 % of all actions are due then, so p99 is a bit below two seconds.
	p := queuePlan(100, 60*time.Second)
	open := simulate(t, p, s, plan.Open)
	if p99 := open.All.EndToEnd.Quantile(0.99).Seconds(); p99 < 1.2 || p99 > 2.1 {
		t.Errorf("open: p99 is %.2f s", p99)
	}
	if max := open.All.EndToEnd.Max().Seconds(); max < 1.9 || max > 2.2 {
		t.Errorf("open: the longest took %.2f s, the server stood for 2", max)
	}
	if got := open.Slices[10].Counts.EndToEnd.Quantile(0.5).Seconds(); got < 1 {
		t.Errorf("open: what was due in the first second of the standstill took %.2f s", got)
	}
}

func TestTooFewInFlightMakeTheGeneratorLate(t *testing.T) {
	s := &Server{Slots: 100, Service: plan.Dist{Kind: plan.Fixed, Mean: 200 * time.Millisecond}}
	p := queuePlan(100, 30*time.Second)
	p.MaxInFlight = 10 // 50 a second
	set := simulate(t, p, s, plan.Open)
	if set.All.LateShare() < 0.8 || set.All.QueueShare() < 0.8 {
		t.Errorf("%.2f were late, the queue share is %.2f", set.All.LateShare(), set.All.QueueShare())
	}
}

func TestFullQueuesRefuseAndLongOnesTimeOut(t *testing.T) {
	slow := &Server{Slots: 1, Service: plan.Dist{Kind: plan.Fixed, Mean: 100 * time.Millisecond}, Queue: 5}
	set := simulate(t, queuePlan(20, 30*time.Second), slow, plan.Open)
	if rate := set.All.SuccessRate(); rate < 0.4 || rate > 0.6 || set.All.Failures[Refused] == 0 {
		t.Errorf("%.2f succeeded, refused %d", rate, set.All.Failures[Refused])
	}
	slow.Queue = 0
	p := queuePlan(20, 30*time.Second)
	p.Timeout = 2 * time.Second
	set = simulate(t, p, slow, plan.Open)
	if set.All.Failures["timeout"] == 0 || set.All.Failed.Quantile(1).Seconds() < 1.9 {
		t.Errorf("timeouts %d, the longest failure took %v", set.All.Failures["timeout"], set.All.Failed.Max())
	}
}

func TestTheSamePlanGivesTheSameFigures(t *testing.T) {
	s := &Server{
		Slots: 2, Service: plan.Dist{Kind: plan.LogNormal, Median: 10 * time.Millisecond, P95: 40 * time.Millisecond},
		Network: plan.Dist{Kind: plan.Uniform, Min: time.Millisecond, Max: 9 * time.Millisecond},
	}
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		a, _ := json.Marshal(simulate(t, plan.Default(200, 20*time.Second), s, loop))
		b, _ := json.Marshal(simulate(t, plan.Default(200, 20*time.Second), s, loop))
		if string(a) != string(b) {
			t.Errorf("%s: two runs differ", loop)
		}
	}
}

func TestBadServersAreRefused(t *testing.T) {
	good := plan.Dist{Kind: plan.Fixed, Mean: time.Millisecond}
	for want, s := range map[string]Server{
		"needs at least one":  {Slots: 0, Service: good},
		"service time: ":      {Slots: 1},
		"network time: ":      {Slots: 1, Service: good, Network: plan.Dist{Kind: "fixed"}},
		"standstill 1 from":   {Slots: 1, Service: good, Frozen: []Window{{time.Second, time.Second}}},
		"give 0 for an unbou": {Slots: 1, Service: good, Queue: -1},
	} {
		if _, err := Run(plan.Default(1, time.Second), &s, plan.Open, time.Second); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want it to say %q", s, err, want)
		}
	}
}
