package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Bounds of a plan.
const (
	MaxUsers    = 10_000
	MaxInFlight = 100_000
	MaxDuration = 24 * time.Hour
	MinTick     = time.Millisecond
	MaxTick     = time.Second
	MaxRate     = 50_000 // actions a second at the peak
)

// Loop says what an action waits for.
type Loop string

// Loops.
const (
	Open   Loop = "open"   // actions are sent when due, whatever came back
	Closed Loop = "closed" // each user waits for the answer, thinks, and acts again
	Both   Loop = "both"   // one after the other, in one report
)

// Plan is what a run does. Validate says all that is wrong with it.
type Plan struct {
	Name        string
	Curve       Curve
	Think       Dist          // between two actions of a user
	MaxInFlight int           // actions without an answer; what is due beyond waits, and counts as late
	Duration    time.Duration // at least as long as the curve
	Tick        time.Duration // how finely the scheduler looks at what is due
	Timeout     time.Duration // after which an action without an answer has failed
	Seed        uint64        // of all that is drawn
	Loop        Loop
	Actions     []Action    // the mix
	AnyMix      bool        // the mix is that of Default: what a venue has no means for is left out of it
	Behaviours  []Behaviour // how visitors move; shares
	Gates       []Gate      // what decides whether the run passed
	Part        Part        // of several machines
}

// Action is a share of the mix.
type Action struct {
	Kind   string
	Weight float64 // above 0, against the other actions' weights
	// How a visitor brings about a Door, a Teleport or a Rule, which is up to the venue: one of these, or none where there is a default.
	Zone  string // it steps into this zone; default of Door: the zone of any door that has one
	Use   string // it uses an object of this name or kind; default of Rule: any object that can be used
	Topic string // it sends a message of this topic ...
	Data  string // ... with this JSON
}

// Kinds of actions.
const (
	Join     = "join"
	Grab     = "grab"
	Release  = "release"
	Door     = "door"
	Teleport = "teleport"
	Rule     = "rule"   // a message to the rules
	Resume   = "resume" // the connection is cut and comes back
	Denied   = "denied" // a grab of what is out of reach: the venue must say no
	Bad      = "bad"    // malformed input: the venue must refuse it and go on
	Cut      = "cut"    // the connection is cut right after a request: its answer must come after the resume, once
)

// Actions lists the kinds of actions.
func Actions() []string {
	return []string{Join, Grab, Release, Door, Teleport, Rule, Resume, Denied, Bad, Cut}
}

// Behaviour is a share of the visitors.
type Behaviour struct {
	Kind  BehaviourKind
	Share float64 // above 0, against the other behaviours' shares
	File  string  // script, recording or model; the built-in model when empty
}

// BehaviourKind names where a visitor's movement comes from.
type BehaviourKind string

// Kinds of behaviour.
const (
	Scripted BehaviourKind = "scripted"
	Replayed BehaviourKind = "replayed"
	Model    BehaviourKind = "model"
)

// Gate bounds a figure of the report. A run passes when every gate holds.
type Gate struct {
	Figure string   // "all.end_to_end_ms.p99", "grab.success_rate", "all.queue_share", ...
	Max    *float64 // at most, when not nil
	Min    *float64 // at least, when not nil
}

// Figures of a gate: ACTION.FIGURE, where ACTION is "all" or a kind of action, or one of VisitorFigures.
var (
	// ActionFigures are known of every action.
	ActionFigures = []string{
		"service_ms.p50", "service_ms.p95", "service_ms.p99", "queue_ms.p50", "queue_ms.p95", "queue_ms.p99",
		"end_to_end_ms.p50", "end_to_end_ms.p95", "end_to_end_ms.p99", "queue_share", "success_rate", "late_share", "per_s",
	}
	// VisitorFigures are known of the visitors.
	VisitorFigures = []string{
		"visitors.pose_age_ms.p50", "visitors.pose_age_ms.p95", "visitors.pose_age_ms.p99",
		"visitors.lost_ratio", "visitors.join_failed", "visitors.disconnects",
	}
)

// Problem is one thing wrong with a plan.
type Problem struct {
	Path string // of the value, as in a plan file: "load.curve", "load.action[2].weight"
	Msg  string
	Hint string // what to do
}

// Problems are all things wrong with a plan, as one error.
type Problems []Problem

// Error is every problem, one a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, x := range p {
		lines[i] = x.Path + ": " + x.Msg
		if x.Hint != "" {
			lines[i] += "; " + x.Hint
		}
	}
	return strings.Join(lines, "\n")
}

// Default returns a plan of a number of users who are there for a time, with a mix that a visit has.
func Default(users float64, d time.Duration) *Plan {
	return &Plan{
		Curve: Constant(users, d), Duration: d,
		Think:       Dist{Kind: LogNormal, Median: 4 * time.Second, P95: 15 * time.Second},
		MaxInFlight: 1000, Tick: 5 * time.Millisecond, Timeout: 5 * time.Second, Seed: 1, Loop: Open,
		Actions: []Action{
			{Kind: Grab, Weight: 4}, {Kind: Release, Weight: 4}, {Kind: Door, Weight: 0.2}, {Kind: Rule, Weight: 2},
			{Kind: Resume, Weight: 0.2}, {Kind: Cut, Weight: 0.1}, {Kind: Denied, Weight: 0.5}, {Kind: Bad, Weight: 0.1},
		},
		AnyMix:     true,
		Behaviours: []Behaviour{{Kind: Model, Share: 1}},
	}
}

// Validate returns all that is wrong with the plan as Problems, nil for nothing.
func (p *Plan) Validate() error {
	var out Problems
	add := func(path, msg, hint string) { out = append(out, Problem{path, msg, hint}) }
	curveErr := p.Curve.Check()
	if curveErr != nil {
		add("load.curve", curveErr.Error(), "")
	}
	thinkErr := p.Think.Check()
	if thinkErr != nil {
		add("load.think", thinkErr.Error(), "users who do not think act infinitely often")
	}
	if p.MaxInFlight < 1 || p.MaxInFlight > MaxInFlight {
		add("load.max_in_flight", fmt.Sprintf("%d actions in flight", p.MaxInFlight), fmt.Sprintf("give 1 to %d", MaxInFlight))
	}
	switch {
	case p.Duration <= 0 || p.Duration > MaxDuration:
		add("load.duration_s", fmt.Sprintf("a run of %v", p.Duration), fmt.Sprintf("give more than 0 and at most %v", MaxDuration))
	case curveErr == nil && p.Duration < p.Curve.End():
		add("load.duration_s", fmt.Sprintf("the run ends after %v, the curve after %v", p.Duration, p.Curve.End()), "make the run at least as long as its curve")
	}
	if p.Tick < MinTick || p.Tick > MaxTick {
		add("load.tick_ms", fmt.Sprintf("a tick of %v", p.Tick), fmt.Sprintf("give %v to %v", MinTick, MaxTick))
	}
	if p.Timeout <= 0 {
		add("load.timeout_s", fmt.Sprintf("a timeout of %v", p.Timeout), "give more than 0")
	}
	if !slices.Contains([]Loop{Open, Closed, Both}, p.Loop) {
		add("load.loop", fmt.Sprintf("%q is no loop", p.Loop), "use open, closed or both")
	}
	if curveErr == nil && thinkErr == nil {
		if rate, err := ArrivalRate(p.Curve.Peak(), p.Think.Mu()); err == nil && rate > MaxRate {
			add("load.think", fmt.Sprintf("%v users who think %v make %.0f actions a second", p.Curve.Peak(), p.Think.Mu(), rate),
				fmt.Sprintf("at most %d are driven by one run: let them think longer", MaxRate))
		}
	}
	out = append(out, p.mixProblems()...)
	for i, g := range p.Gates {
		if problem, bad := g.problem(fmt.Sprintf("load.gate[%d]", i)); bad {
			out = append(out, problem)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (p *Plan) mixProblems() (out Problems) {
	if len(p.Actions) == 0 {
		out = append(out, Problem{"load.action", "no actions", "add at least one [[load.action]] with a kind and a weight"})
	}
	seen := map[string]bool{}
	for i, a := range p.Actions {
		path := fmt.Sprintf("load.action[%d]", i)
		switch {
		case !slices.Contains(Actions(), a.Kind):
			out = append(out, Problem{path + ".kind", fmt.Sprintf("%q is no kind of action", a.Kind), "use one of " + strings.Join(Actions(), ", ")})
		case seen[a.Kind]:
			out = append(out, Problem{path + ".kind", fmt.Sprintf("%s is there twice", a.Kind), "give it one weight"})
		}
		seen[a.Kind] = true
		if !share(a.Weight) {
			out = append(out, Problem{path + ".weight", fmt.Sprintf("a weight of %v", a.Weight), "give more than 0, or leave the action out"})
		}
		out = append(out, a.meansProblems(path)...)
	}
	if len(p.Behaviours) == 0 {
		out = append(out, Problem{"load.behaviour", "no behaviour", "add at least one [[load.behaviour]] with a kind and a share"})
	}
	for i, b := range p.Behaviours {
		path := fmt.Sprintf("load.behaviour[%d]", i)
		switch b.Kind {
		case Scripted, Replayed:
			if b.File == "" {
				out = append(out, Problem{path + ".file", fmt.Sprintf("a %s behaviour without a file", b.Kind), "name its script or recording"})
			}
		case Model:
		default:
			out = append(out, Problem{path + ".kind", fmt.Sprintf("%q is no behaviour", b.Kind), "use scripted, replayed or model"})
		}
		if !share(b.Share) {
			out = append(out, Problem{path + ".share", fmt.Sprintf("a share of %v", b.Share), "give more than 0, or leave the behaviour out"})
		}
	}
	return out
}

func share(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// problem says what is wrong with a gate.
func (g *Gate) problem(path string) (Problem, bool) {
	if !knownFigure(g.Figure) {
		return Problem{path + ".figure", fmt.Sprintf("%q is no figure of a report", g.Figure),
			"use all or an action, and one of " + strings.Join(ActionFigures, ", ") + "; or one of " + strings.Join(VisitorFigures, ", ")}, true
	}
	if g.Max == nil && g.Min == nil {
		return Problem{path, "bounds nothing", "give max, min or both"}, true
	}
	for _, v := range []*float64{g.Max, g.Min} {
		if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
			return Problem{path, fmt.Sprintf("the bound is %v", *v), "give a number"}, true
		}
	}
	return Problem{}, false
}

func knownFigure(name string) bool {
	if slices.Contains(VisitorFigures, name) {
		return true
	}
	who, what, _ := strings.Cut(name, ".")
	return (who == "all" || slices.Contains(Actions(), who)) && slices.Contains(ActionFigures, what)
}
