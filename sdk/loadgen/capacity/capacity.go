// Package capacity finds the load at which a venue's gates break.
//
// # Model
//
//	step up by a factor until a gate breaks -> bisect between the last good and the first bad load -> repeat both ends
//
// One run says little: a machine has moments. So the search ends with both ends of the interval that is left run several times more, and the result
// says how often each of them passed. When the good end does not hold up, the search steps down from there. A run that is void, because the load machine
// was the bottleneck, is no evidence about the server: it ends the search, and the result says that the knee is at or above what was
// reached.
package capacity

import (
	"context"
	"fmt"
	"math"
)

// Outcome is what one run at a load found.
type Outcome struct {
	Pass     bool
	Void     string // why the run says nothing about the server; "" when it does
	Broken   string // the first gate that broke, as a sentence; "" when it passed
	Resource string // what was scarcest: "server processors", "tick time", ...
}

// Config says how to search.
type Config struct {
	Start  float64 // users of the first run
	Max    float64 // users that are not exceeded
	Factor float64 // of steps up, above 1; default 1.5
	Width  float64 // of the interval that is left, as a share of its upper end; default 0.05
	Tries  int     // runs at each end of it in the end, at least 1; default 3
}

// Step is one run.
type Step struct {
	Users float64 `json:"users"`
	Outcome
}

// Result is what a search found.
type Result struct {
	Steps []Step `json:"steps"`
	// Knee is the largest load that passed at least as often as not, 0 when none did. Above is the least load that did not, 0 when none was found.
	Knee  float64 `json:"knee_users"`
	Above float64 `json:"above_users"`
	// PassedKnee and PassedAbove are shares of the runs at these loads that passed: 1 and 0 are certain.
	PassedKnee  float64 `json:"passed_knee"`
	PassedAbove float64 `json:"passed_above"`
	Limit       string  `json:"limit"`    // what broke above the knee, or why the search ended before something did
	Resource    string  `json:"resource"` // what was scarcest there
}

// Confidence puts the result's certainty into a word, by how often runs at its two ends agreed.
func (r *Result) Confidence() string {
	switch {
	case r.Knee == 0 || r.Above == 0:
		return "one-sided"
	case r.PassedKnee == 1 && r.PassedAbove == 0:
		return "high"
	case r.PassedKnee >= 0.6 && r.PassedAbove <= 0.4:
		return "fair"
	}
	return "low"
}

// String is the outcome in a few words.
func (o Outcome) String() string {
	switch {
	case o.Void != "":
		return "void: " + o.Void
	case o.Pass:
		return "passed"
	}
	return "failed: " + o.Broken
}

// Check fills in the defaults and says what is wrong, nil for nothing.
func (c *Config) Check() error {
	if c.Factor == 0 {
		c.Factor = 1.5
	}
	if c.Width == 0 {
		c.Width = 0.05
	}
	if c.Tries == 0 {
		c.Tries = 3
	}
	switch {
	case !(c.Start >= 1):
		return fmt.Errorf("capacity: a search that starts at %v users: give 1 or more", c.Start)
	case !(c.Max >= c.Start) || math.IsInf(c.Max, 0):
		return fmt.Errorf("capacity: a search from %v users to at most %v: give a larger number", c.Start, c.Max)
	case !(c.Factor > 1):
		return fmt.Errorf("capacity: steps by a factor of %v: give more than 1", c.Factor)
	case !(c.Width > 0 && c.Width < 1):
		return fmt.Errorf("capacity: a width of %v: give a share between 0 and 1", c.Width)
	case c.Tries < 1:
		return fmt.Errorf("capacity: %d tries: give at least 1", c.Tries)
	}
	return nil
}

// search is one search under way.
type search struct {
	cfg    Config
	run    func(ctx context.Context, users float64) (Outcome, error)
	result Result
	tries  map[float64]*tally
}

// tally is how runs at one load went.
type tally struct {
	runs, passed int
	bad          Outcome // the newest that did not pass
}

func (t *tally) share() float64 { return float64(t.passed) / float64(t.runs) }

// Find searches, with whole numbers of users. run carries out one run at a load; its error ends the search and is returned with what was
// found until then.
func Find(ctx context.Context, cfg Config, run func(ctx context.Context, users float64) (Outcome, error)) (*Result, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	s := &search{cfg: cfg, run: run, tries: map[float64]*tally{}}
	err := s.find(ctx)
	return &s.result, err
}

// errVoid ends a search at a load at which the load machine is the bottleneck.
type errVoid struct{ why string }

func (e errVoid) Error() string { return e.why }

func (s *search) find(ctx context.Context) error {
	good, bad, err := s.bracket(ctx)
	if err == nil {
		good, bad, err = s.narrow(ctx, good, bad)
	}
	if void, ok := err.(errVoid); ok {
		s.result.Limit, s.result.Resource, err = "the runs there say nothing about the server: "+void.why, "load machine", nil
	}
	s.result.Knee, s.result.Above = good, bad
	if t := s.tries[good]; t != nil {
		s.result.PassedKnee = t.share()
	}
	if t := s.tries[bad]; t != nil {
		s.result.PassedAbove = t.share()
		s.result.Limit, s.result.Resource = t.bad.Broken, t.bad.Resource
	}
	if err == nil && bad == 0 && s.result.Limit == "" {
		s.result.Limit = fmt.Sprintf("nothing broke up to %v users, the most that was asked for", s.cfg.Max)
	}
	return err
}

// bracket steps up until a load fails, or down until one passes.
func (s *search) bracket(ctx context.Context) (good, bad float64, err error) {
	users := math.Round(s.cfg.Start)
	for {
		pass, err := s.try(ctx, users)
		if err != nil {
			return good, bad, err
		}
		switch {
		case pass && bad != 0:
			return users, bad, nil
		case pass && users >= math.Floor(s.cfg.Max):
			return users, 0, nil
		case pass:
			good = users
			users = min(max(math.Round(users*s.cfg.Factor), users+1), math.Floor(s.cfg.Max))
		case good != 0 || users <= 1:
			return good, users, nil
		default:
			bad = users
			users = min(max(1, math.Round(users/s.cfg.Factor)), users-1)
		}
	}
}

// narrow bisects the interval and makes sure of its ends.
func (s *search) narrow(ctx context.Context, good, bad float64) (float64, float64, error) {
	for {
		for bad != 0 && bad-good > max(1, s.cfg.Width*bad) {
			middle := math.Round((good + bad) / 2)
			pass, err := s.try(ctx, middle)
			if err != nil {
				return good, bad, err
			}
			if pass {
				good = middle
			} else {
				bad = middle
			}
		}
		held, err := s.repeat(ctx, good)
		if err != nil {
			return good, bad, err
		}
		if !held && good > 0 {
			// It had passed by luck: search below.
			good, bad = s.below(good), good
			continue
		}
		if _, err := s.repeat(ctx, bad); err != nil {
			return good, bad, err
		}
		return good, bad, nil
	}
}

// below returns the largest load under a limit that passed at least as often as not, 0 for none.
func (s *search) below(limit float64) (best float64) {
	for users, t := range s.tries {
		if users < limit && 2*t.passed >= t.runs {
			best = max(best, users)
		}
	}
	return best
}

// repeat runs a load until it was run often enough, and reports whether it passed at least as often as not.
func (s *search) repeat(ctx context.Context, users float64) (bool, error) {
	if users == 0 {
		return true, nil
	}
	for s.tries[users] == nil || s.tries[users].runs < s.cfg.Tries {
		if _, err := s.try(ctx, users); err != nil {
			return false, err
		}
	}
	t := s.tries[users]
	return 2*t.passed >= t.runs, nil
}

// try makes one run.
func (s *search) try(ctx context.Context, users float64) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	out, err := s.run(ctx, users)
	if err != nil {
		return false, fmt.Errorf("capacity: at %v users: %w", users, err)
	}
	s.result.Steps = append(s.result.Steps, Step{users, out})
	if out.Void != "" {
		return false, errVoid{out.Void}
	}
	if s.tries[users] == nil {
		s.tries[users] = &tally{}
	}
	t := s.tries[users]
	t.runs++
	if out.Pass {
		t.passed++
	} else {
		t.bad = out
	}
	return out.Pass, nil
}
