package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// Limits above which a run says nothing about the server.
const (
	// VoidLate is the share of actions that were sent late without the plan's limit in flight being the reason.
	VoidLate = 0.05
	// VoidCPU is the share of the load machine's processor time that the generator may use.
	VoidCPU = 0.9
	// VoidSkipped is the share of actions that nobody could do when they were due.
	VoidSkipped = 0.2
	// VoidVisitors is the share of the plan's most visitors that must have been there at a time.
	VoidVisitors = 0.9
)

// Report is what a run found. Field names of its JSON stay.
type Report struct {
	Name        string      `json:"name"`
	Fingerprint Fingerprint `json:"fingerprint"`
	Plan        Planned     `json:"plan"`
	Loops       []Loop      `json:"loops"` // one for each loop of the plan, in the order in which they ran
	Visitors    *Visitors   `json:"visitors,omitempty"`
	Server      []Server    `json:"server,omitempty"` // over time, from its metrics
	Load        *Machine    `json:"load,omitempty"`   // the load machines together
	Gates       []Gate      `json:"gates,omitempty"`
	Void        []string    `json:"void,omitempty"`    // why the run says nothing about the server; empty when it does
	Missing     []string    `json:"missing,omitempty"` // what is not in it, as the figures of workers that were lost
	Think       *Think      `json:"think,omitempty"`
}

// Fingerprint is what was measured, with what.
type Fingerprint struct {
	Venue      string `json:"venue"`       // id
	ConfigHash string `json:"config_hash"` // of the venue's public description, SHA-256, hex
	Server     string `json:"server"`      // version
	Generator  string `json:"generator"`   // version
	PlanHash   string `json:"plan_hash"`   // of the plan, SHA-256, hex
	Machine    string `json:"machine"`     // system, architecture and processors of the load machine
	Seed       uint64 `json:"seed"`
	Started    string `json:"started"` // RFC 3339
}

// Planned is the plan in numbers.
type Planned struct {
	DurationS   float64 `json:"duration_s"`
	PeakUsers   float64 `json:"peak_users"`
	ThinkMeanS  float64 `json:"think_mean_s"`
	PeakPerS    float64 `json:"peak_per_s"` // actions
	Actions     float64 `json:"actions"`    // expected in all
	MaxInFlight int     `json:"max_in_flight"`
}

// NewPlanned returns a plan in numbers.
func NewPlanned(p *plan.Plan) Planned {
	mean := p.Think.Mu().Seconds()
	return Planned{
		DurationS: p.Duration.Seconds(), PeakUsers: p.Curve.Peak(), ThinkMeanS: mean, PeakPerS: p.Curve.Peak() / mean,
		Actions: p.Curve.UserSeconds(p.Duration) / mean, MaxInFlight: p.MaxInFlight,
	}
}

// Times are quantiles of durations, milliseconds.
type Times struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// NewTimes reads a histogram.
func NewTimes(h *figures.Histogram) Times {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Times{ms(h.Mean()), ms(h.Quantile(0.5)), ms(h.Quantile(0.95)), ms(h.Quantile(0.99)), ms(h.Max())}
}

// Action is what became of the actions of a kind, or of all.
type Action struct {
	Action      string           `json:"action"` // "all" for all
	Done        int64            `json:"done"`
	OK          int64            `json:"ok"`
	PerS        float64          `json:"per_s"` // successes a second
	SuccessRate float64          `json:"success_rate"`
	Late        int64            `json:"late"`
	LateShare   float64          `json:"late_share"`
	Service     Times            `json:"service_ms"`
	Queue       Times            `json:"queue_ms"`
	EndToEnd    Times            `json:"end_to_end_ms"`
	Failed      Times            `json:"failed_ms"` // end to end, of failures
	QueueShare  float64          `json:"queue_share"`
	Failures    map[string]int64 `json:"failures"`
}

// newAction reads counts of a run of a length.
func newAction(name string, c *figures.Counts, d time.Duration) Action {
	a := Action{
		Action: name, Done: c.Done, OK: c.OK, SuccessRate: c.SuccessRate(), Late: c.Late, LateShare: c.LateShare(),
		Service: NewTimes(c.Service), Queue: NewTimes(c.Queue), EndToEnd: NewTimes(c.EndToEnd), Failed: NewTimes(c.Failed),
		QueueShare: c.QueueShare(), Failures: c.Failures,
	}
	if d > 0 {
		a.PerS = float64(c.OK) / d.Seconds()
	}
	return a
}

// Slice is a part of a run.
type Slice struct {
	AtS        float64 `json:"at_s"` // its start
	Users      float64 `json:"users"`
	DuePerS    float64 `json:"due_per_s"`
	OKPerS     float64 `json:"ok_per_s"`
	P50        float64 `json:"p50_ms"` // end to end, by the time at which they were due
	P95        float64 `json:"p95_ms"`
	P99        float64 `json:"p99_ms"`
	QueueShare float64 `json:"queue_share"`
	Failed     int64   `json:"failed"`
}

// Loop is what one loop found.
type Loop struct {
	Loop      plan.Loop `json:"loop"`
	All       Action    `json:"all"`
	Actions   []Action  `json:"actions"` // by name
	Slices    []Slice   `json:"slices"`
	NeverSent int64     `json:"never_sent"` // due before the end, and not sent by then
	Queue     bool      `json:"measured_a_queue"`
	// Skipped counts actions by kind that were due when nobody could do them: nothing was sent for them.
	Skipped map[string]int64 `json:"skipped,omitempty"`
}

// NewLoop reads what a loop counted in a run of a length.
func NewLoop(loop plan.Loop, s *figures.Set, d time.Duration) Loop {
	l := Loop{Loop: loop, All: newAction("all", s.All, d), NeverSent: s.NeverSent(), Queue: s.All.QueueShare() > figures.QueueLimit, Skipped: s.Skipped}
	for _, k := range s.Actions() {
		l.Actions = append(l.Actions, newAction(k, s.Action[k], d))
	}
	every := s.Every.Seconds()
	for i, x := range s.Slices {
		t := NewTimes(x.Counts.EndToEnd)
		l.Slices = append(l.Slices, Slice{
			AtS: float64(i) * every, Users: x.Users, DuePerS: float64(x.Counts.Done+x.Unsent) / every, OKPerS: float64(x.Counts.OK) / every,
			P50: t.P50, P95: t.P95, P99: t.P99, QueueShare: x.Counts.QueueShare(), Failed: x.Counts.Done - x.Counts.OK,
		})
	}
	return l
}

// Visitors is what those who were there saw.
type Visitors struct {
	Peak           int      `json:"peak"`
	Joined         int      `json:"joined"`
	JoinFailed     int      `json:"join_failed"`
	Disconnects    int      `json:"disconnects"` // that nobody planned
	Corrected      int      `json:"corrected"`   // places that the venue did not take
	EventsMissed   uint64   `json:"events_missed"`
	Join           Times    `json:"join_ms"` // from when they were to come until the welcome
	PoseAge        Times    `json:"pose_age_ms"`
	UpdateInterval Times    `json:"update_interval_ms"`
	LostRatio      float64  `json:"lost_ratio"`
	BytesUpPerS    float64  `json:"bytes_up_per_s"` // of a visitor, mean
	BytesDownPerS  float64  `json:"bytes_down_per_s"`
	VisibleMean    float64  `json:"visible_mean"`
	JoinErrors     []string `json:"join_errors,omitempty"`
	Loss           []Loss   `json:"loss,omitempty"` // over time
}

// Loss is the share of frames that never came in a second.
type Loss struct {
	AtS   float64 `json:"at_s"`
	Ratio float64 `json:"ratio"`
}

// NewVisitors reads what visitors counted.
func NewVisitors(v *figures.Visitors) *Visitors {
	out := &Visitors{
		Peak: v.Peak, Joined: v.Joined, JoinFailed: v.JoinFailed, Disconnects: v.Disconnects, Corrected: v.Corrected, EventsMissed: v.Missed,
		Join: NewTimes(v.Join), PoseAge: NewTimes(v.PoseAge), UpdateInterval: NewTimes(v.Interval), LostRatio: v.LostRatio(), JoinErrors: v.Errors,
	}
	for i, x := range v.EachSecond {
		l := Loss{AtS: float64(i)}
		if all := x.Came + x.Lost; all > 0 {
			l.Ratio = float64(x.Lost) / float64(all)
		}
		out.Loss = append(out.Loss, l)
	}
	if v.Seconds > 0 {
		out.BytesUpPerS, out.BytesDownPerS = float64(v.BytesUp)/v.Seconds, float64(v.BytesDown)/v.Seconds
	}
	if v.Frames > 0 {
		out.VisibleMean = float64(v.Visible) / float64(v.Frames)
	}
	return out
}

// Server is what the server's metrics said at a moment.
type Server struct {
	AtS     float64 `json:"at_s"`
	CPU     float64 `json:"cpu"`         // processors used since the moment before
	TickP99 float64 `json:"tick_p99_ms"` // of a region, the worst
	MemMB   float64 `json:"mem_mb"`
	People  float64 `json:"people"`
}

// Machine is what the load machines used.
type Machine struct {
	Workers    int     `json:"workers"`
	CPU        float64 `json:"cpu"`        // processors used, mean
	Processors int     `json:"processors"` // there
	MemMB      float64 `json:"mem_mb"`
}

// Think compares the plan's think time with a recorded one.
type Think struct {
	Source   string  `json:"source"` // the recording
	PlanS    float64 `json:"plan_mean_s"`
	SourceS  float64 `json:"source_mean_s"`
	Distance float64 `json:"distance"` // the largest difference of the two distribution functions (Kolmogorov-Smirnov)
}

// Gate is a gate of the plan with what became of it.
type Gate struct {
	Figure string   `json:"figure"`
	Max    *float64 `json:"max,omitempty"`
	Min    *float64 `json:"min,omitempty"`
	Value  float64  `json:"value"`
	Known  bool     `json:"known"` // false: the run had nothing to measure it by, which does not pass
	OK     bool     `json:"ok"`
}

// Judge looks at the gates, by the first loop, and at what makes the run void.
func (r *Report) Judge(gates []plan.Gate) {
	for _, g := range gates {
		out := Gate{Figure: g.Figure, Max: g.Max, Min: g.Min}
		out.Value, out.Known = r.figure(g.Figure)
		out.OK = out.Known && (g.Max == nil || out.Value <= *g.Max) && (g.Min == nil || out.Value >= *g.Min)
		r.Gates = append(r.Gates, out)
	}
	for i := range r.Loops {
		l := &r.Loops[i]
		skipped := int64(0)
		for _, n := range l.Skipped {
			skipped += n
		}
		if all := skipped + l.All.Done; skipped > 0 && float64(skipped) > VoidSkipped*float64(all) {
			r.Void = append(r.Void, fmt.Sprintf("nobody could do %d of the %s loop's %d actions when they were due: the mix does not fit the venue or the number of visitors", skipped, l.Loop, all))
		}
		if l.Loop != plan.Open {
			continue
		}
		if l.NeverSent > 0 {
			r.Void = append(r.Void, fmt.Sprintf("%d actions of the open loop were due and never sent: more were in flight than max_in_flight allows, or the load machine could not keep up", l.NeverSent))
		}
		if l.All.LateShare > VoidLate {
			r.Void = append(r.Void, fmt.Sprintf("%.0f %% of the open loop's actions were sent late: the load machine was the bottleneck, or max_in_flight", l.All.LateShare*100))
		}
	}
	if v := r.Visitors; v != nil && float64(v.Peak) < VoidVisitors*r.Plan.PeakUsers-1 {
		why := ""
		if len(v.JoinErrors) > 0 {
			why = ": " + v.JoinErrors[0]
		}
		r.Void = append(r.Void, fmt.Sprintf("at most %d of up to %.0f visitors were there at a time, and %d could not join%s: the load was less than planned", v.Peak, r.Plan.PeakUsers, v.JoinFailed, why))
	}
	if m := r.Load; m != nil && m.Processors > 0 && m.CPU > VoidCPU*float64(m.Processors) {
		r.Void = append(r.Void, fmt.Sprintf("the load machine used %.2f of its %d processors: use more machines", m.CPU, m.Processors))
	}
}

// OK reports whether every gate holds and the run is not void.
func (r *Report) OK() bool {
	for _, g := range r.Gates {
		if !g.OK {
			return false
		}
	}
	return len(r.Void) == 0
}

// figure returns a figure that a gate names.
func (r *Report) figure(name string) (float64, bool) {
	who, what, _ := strings.Cut(name, ".")
	if who == "visitors" {
		return r.Visitors.figure(what)
	}
	if len(r.Loops) == 0 {
		return 0, false
	}
	if who == "all" {
		return r.Loops[0].All.figure(what)
	}
	for i := range r.Loops[0].Actions {
		if a := &r.Loops[0].Actions[i]; a.Action == who {
			return a.figure(what)
		}
	}
	return 0, false
}

func (v *Visitors) figure(name string) (float64, bool) {
	if v == nil {
		return 0, false
	}
	switch name {
	case "lost_ratio":
		return v.LostRatio, true
	case "join_failed":
		return float64(v.JoinFailed), true
	case "disconnects":
		return float64(v.Disconnects), true
	}
	if q, ok := strings.CutPrefix(name, "pose_age_ms."); ok {
		return v.PoseAge.quantile(q)
	}
	return 0, false
}

func (a *Action) figure(name string) (float64, bool) {
	switch name {
	case "success_rate":
		return a.SuccessRate, a.Done > 0
	case "late_share":
		return a.LateShare, a.Done > 0
	case "queue_share":
		return a.QueueShare, a.OK > 0
	case "per_s":
		return a.PerS, true
	}
	what, q, _ := strings.Cut(name, ".")
	if a.OK == 0 {
		return 0, false
	}
	switch what {
	case "service_ms":
		return a.Service.quantile(q)
	case "queue_ms":
		return a.Queue.quantile(q)
	case "end_to_end_ms":
		return a.EndToEnd.quantile(q)
	}
	return 0, false
}

func (t *Times) quantile(q string) (float64, bool) {
	switch q {
	case "p50":
		return t.P50, true
	case "p95":
		return t.P95, true
	case "p99":
		return t.P99, true
	}
	return 0, false
}
