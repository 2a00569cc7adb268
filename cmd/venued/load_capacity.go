package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/capacity"
	"github.com/venued/venued/sdk/loadgen/plan"
	loadreport "github.com/venued/venued/sdk/loadgen/report"
)

// loadCapacityCmd searches for the load at which a plan's gates break.
type loadCapacityCmd struct {
	loadTarget
	Start  float64 `default:"10" help:"Users of the first run. The plan's curve is scaled so that its peak is that."`
	Max    float64 `default:"300" help:"Users that are not exceeded."`
	Factor float64 `default:"1.5" help:"Of the steps up, until a gate breaks."`
	Width  float64 `default:"0.1" help:"Of the interval that is left, as a share of its upper end."`
	Tries  int     `default:"3" help:"Runs at each end of it."`
	JSON   bool    `name:"json" help:"Print the result as JSON."`
}

// capacityReport is what a search found, with what was measured.
type capacityReport struct {
	*capacity.Result
	Confidence  string                 `json:"confidence"`
	Fingerprint loadreport.Fingerprint `json:"fingerprint"`
}

// Run searches, one run after the other.
func (c *loadCapacityCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	cfg := capacity.Config{Start: c.Start, Max: c.Max, Factor: c.Factor, Width: c.Width, Tries: c.Tries}
	if err := cfg.Check(); err != nil {
		return usageError{err}
	}
	t, err := c.open(ctx)
	if err != nil {
		return err
	}
	if len(t.plan.Gates) == 0 {
		return usagef("%s: load.gate: no gates, so nothing can break: give at least one, as figure = \"all.end_to_end_ms.p99\" with max", c.Plan)
	}
	if c.Max > float64(t.venue.Limits.Users) {
		return usagef("--max %.0f: the venue %s takes %d (limits.users in its file)", c.Max, t.venue.ID, t.venue.Limits.Users)
	}
	print := t.fingerprint(t.plan)
	result, err := capacity.Find(ctx, cfg, func(ctx context.Context, users float64) (capacity.Outcome, error) {
		p := *t.plan
		p.Curve = t.plan.Curve.Scaled(users / t.plan.Curve.Peak())
		r, err := t.run(ctx, &p, []plan.Loop{plan.Open}, nil)
		if err != nil {
			return capacity.Outcome{}, err
		}
		if ctx.Err() != nil {
			return capacity.Outcome{}, ctx.Err()
		}
		out := t.outcome(r)
		fmt.Fprintf(errs, "load: %.0f users: %s\n", users, out)
		return out, nil
	})
	if result == nil {
		return err
	}
	found := capacityReport{result, result.Confidence(), print}
	if c.JSON {
		if e := printJSON(stdout, found); e != nil {
			return e
		}
	} else {
		found.text(stdout)
	}
	return err
}

// scarce is the share of what there is from which on something counts as scarce.
const scarce = 0.8

// outcome is what a run says about the load it was at.
func (t *target) outcome(r *loadreport.Report) (out capacity.Outcome) {
	out.Resource = t.scarcest(r)
	// Who is not let in is the server's word, and not the load machine's failure.
	if v := r.Visitors; v != nil && v.JoinFailed > 0 {
		out.Broken = fmt.Sprintf("%d visitors could not join", v.JoinFailed)
		if len(v.JoinErrors) > 0 {
			out.Broken += ": " + v.JoinErrors[0]
		}
		return out
	}
	if len(r.Void) > 0 {
		out.Void = r.Void[0]
		return out
	}
	out.Pass = true
	for _, g := range r.Gates {
		if !g.OK {
			out.Pass, out.Broken = false, g.String()
			break
		}
	}
	if l := &r.Loops[0]; out.Pass && l.Queue {
		out.Pass, out.Broken = false, fmt.Sprintf("it measured a queue: %.0f %% of the time was waiting", l.All.QueueShare*100)
	}
	return out
}

// scarcest names what a run used most of.
func (t *target) scarcest(r *loadreport.Report) string {
	if len(r.Server) == 0 {
		return "not known: the server's metrics were not named (--metrics)"
	}
	var cpu, tick float64
	for _, s := range r.Server {
		cpu += s.CPU / float64(len(r.Server))
		tick += s.TickP99 / float64(len(r.Server))
	}
	budget := 1000 / float64(t.venue.TickHz)
	processors := t.sampler.Processors()
	used, load := cpu, 0.0
	if r.Load != nil && t.shared() {
		used, load = used+r.Load.CPU, r.Load.CPU
	}
	switch {
	case tick >= scarce*budget:
		return fmt.Sprintf("tick time: p99 %.1f ms of %.1f ms", tick, budget)
	case processors > 0 && cpu >= scarce*processors:
		return fmt.Sprintf("processors of the server: %.2f of %.0f", cpu, processors)
	case processors > 0 && used >= scarce*processors:
		return fmt.Sprintf("processors that server and load share: %.2f of %.0f, %.2f of it the load", used, processors, load)
	}
	return fmt.Sprintf("none near its limit: processors %.2f of %.0f, tick p99 %.1f ms of %.1f ms", cpu, processors, tick, budget)
}

// shared reports whether the server runs on this machine.
func (t *target) shared() bool {
	base, _, err := client.ParseLink(t.URL)
	if err != nil {
		return false
	}
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

func (r *capacityReport) text(w io.Writer) {
	for _, s := range r.Steps {
		fmt.Fprintf(w, "%6.0f users  %s\n", s.Users, s.Outcome)
	}
	fmt.Fprintln(w)
	switch {
	case r.Knee == 0:
		fmt.Fprintln(w, "no load passed")
	case r.Above == 0:
		fmt.Fprintf(w, "the knee is at %.0f users or above\n", r.Knee)
	default:
		fmt.Fprintf(w, "the knee is between %.0f and %.0f users\n", r.Knee, r.Above)
	}
	fmt.Fprintf(w, "confidence: %s; %.0f %% of the runs at %.0f users passed", r.Confidence, r.PassedKnee*100, r.Knee)
	if r.Above != 0 {
		fmt.Fprintf(w, ", %.0f %% of those at %.0f", r.PassedAbove*100, r.Above)
	}
	fmt.Fprintf(w, "\nlimit: %s\nscarcest: %s\n", r.Limit, r.Resource)
	f := &r.Fingerprint
	fmt.Fprintf(w, "measured: venue %s (%.12s), venued %s, from %s with seed %d, plan %.12s, begun %s\n", f.Venue, f.ConfigHash, f.Server, f.Machine, f.Seed, f.PlanHash, f.Started)
}
