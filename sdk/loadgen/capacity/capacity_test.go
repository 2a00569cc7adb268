package capacity

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/loadgen/simulate"
)

func sharp(knee float64) func(context.Context, float64) (Outcome, error) {
	return func(_ context.Context, users float64) (Outcome, error) {
		if users <= knee {
			return Outcome{Pass: true}, nil
		}
		return Outcome{Broken: "p99 above 250 ms", Resource: "tick time"}, nil
	}
}

func TestASharpKneeIsFoundWithinTheWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		knee := float64(rapid.IntRange(1, 2000).Draw(t, "knee"))
		start := float64(rapid.IntRange(1, 2000).Draw(t, "start"))
		r, err := Find(t.Context(), Config{Start: start, Max: 10_000}, sharp(knee))
		if err != nil {
			t.Fatal(err)
		}
		if r.Knee > knee || r.Above <= knee || r.Above-r.Knee > max(1, 0.05*r.Above) {
			t.Fatalf("between %v and %v, it is %v", r.Knee, r.Above, knee)
		}
		if r.Confidence() != "high" || r.Limit != "p99 above 250 ms" || r.Resource != "tick time" || len(r.Steps) > 60 {
			t.Fatalf("%+v", r)
		}
	})
}

// Runs near the knee pass by chance: the search ends all the same, and says how sure it is.
func TestASoftKneeIsFoundWithLessConfidence(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		soft := func(_ context.Context, users float64) (Outcome, error) {
			return Outcome{Pass: rng.Float64() < 1/(1+math.Exp((users-200)/15)), Broken: "p99"}, nil
		}
		r, err := Find(t.Context(), Config{Start: 50, Max: 1000, Tries: 5}, soft)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if r.Knee < 120 || r.Knee > 280 || r.PassedKnee < 0.5 || len(r.Steps) > 200 {
			t.Fatalf("seed %d: %+v", seed, r)
		}
	}
}

func TestWhatEndsASearchEarly(t *testing.T) {
	r, err := Find(t.Context(), Config{Start: 10, Max: 100}, sharp(1000))
	if err != nil || r.Knee != 100 || r.Above != 0 || !strings.Contains(r.Limit, "nothing broke up to 100 users") || r.Confidence() != "one-sided" {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Find(t.Context(), Config{Start: 10, Max: 100}, sharp(0))
	if err != nil || r.Knee != 0 || r.Above != 1 {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Find(t.Context(), Config{Start: 10, Max: 1000}, func(_ context.Context, users float64) (Outcome, error) {
		if users > 50 {
			return Outcome{Void: "it used 1.9 of 2 processors"}, nil
		}
		return Outcome{Pass: true}, nil
	})
	if err != nil || r.Knee < 30 || r.Above != 0 || r.Resource != "load machine" {
		t.Errorf("%+v %v", r, err)
	}
	down := errors.New("connection refused")
	if r, err = Find(t.Context(), Config{Start: 10, Max: 1000}, func(context.Context, float64) (Outcome, error) { return Outcome{}, down }); !errors.Is(err, down) || r == nil {
		t.Errorf("%+v %v", r, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Find(ctx, Config{Start: 10, Max: 1000}, sharp(5)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBadSearchesAreRefused(t *testing.T) {
	for _, c := range []Config{
		{}, {Start: 10, Max: 5}, {Start: 1, Max: math.Inf(1)}, {Start: 1, Max: 9, Factor: 1}, {Start: 1, Max: 9, Width: 2}, {Start: 1, Max: 9, Tries: -1}, {Start: math.NaN(), Max: 1},
	} {
		if _, err := Find(t.Context(), c, sharp(5)); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
}

// A modelled server does 200 actions a second; users act every 2 s. With p99 of at most 150 ms its knee lies below 400 users, where the queue
// begins to grow: the formula of an M/M/4 queue puts it near 350.
func TestTheKneeOfAModelledServer(t *testing.T) {
	server := &simulate.Server{Slots: 4, Service: plan.Dist{Kind: plan.Exponential, Mean: 20 * time.Millisecond}}
	run := func(_ context.Context, users float64) (Outcome, error) {
		p := plan.Default(users, 2*time.Minute)
		p.Think = plan.Dist{Kind: plan.Exponential, Mean: 2 * time.Second}
		p.Seed = uint64(users)
		set, err := simulate.Run(p, server, plan.Open, time.Second)
		if err != nil {
			return Outcome{}, err
		}
		p99 := set.All.EndToEnd.Quantile(0.99)
		return Outcome{Pass: p99 <= 150*time.Millisecond && set.All.SuccessRate() > 0.99, Broken: p99.String(), Resource: "slots"}, nil
	}
	r, err := Find(t.Context(), Config{Start: 40, Max: 2000, Tries: 1}, run)
	if err != nil {
		t.Fatal(err)
	}
	if r.Knee < 280 || r.Above > 400 || r.Resource != "slots" {
		t.Errorf("%+v", r)
	}
}
