package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/venued/venued/sdk/loadgen/figures"
)

// Text writes the report for a terminal.
func (r *Report) Text(w io.Writer) error {
	e := &errWriter{w: w}
	for _, v := range r.Verdicts() {
		e.printf("%s\n", v)
	}
	p := &r.Plan
	e.printf("\nplan: %s, up to %.0f users who think %.1f s: up to %.1f actions/s, %.0f in all\n", seconds(p.DurationS), p.PeakUsers, p.ThinkMeanS, p.PeakPerS, p.Actions)
	if f := &r.Fingerprint; f.Venue != "" {
		e.printf("measured: venue %s (%.12s), venued %s, from %s with seed %d, plan %.12s\n", f.Venue, f.ConfigHash, f.Server, f.Machine, f.Seed, f.PlanHash)
	}
	for i := range r.Loops {
		r.Loops[i].text(e)
	}
	if v := r.Visitors; v != nil {
		e.printf("\nvisitors: %d at the peak, %d joined, %d failed to, %d connections lost\n", v.Peak, v.Joined, v.JoinFailed, v.Disconnects)
		e.printf("  joined within p50/p95/p99 %.0f/%.0f/%.0f ms of when they were to come\n", v.Join.P50, v.Join.P95, v.Join.P99)
		e.printf("  pose age p50/p95/p99 %.0f/%.0f/%.0f ms, update interval %.0f/%.0f/%.0f ms, lost %.2f %%\n",
			v.PoseAge.P50, v.PoseAge.P95, v.PoseAge.P99, v.UpdateInterval.P50, v.UpdateInterval.P95, v.UpdateInterval.P99, v.LostRatio*100)
		e.printf("  %.1f kB/s down and %.1f kB/s up a visitor, %.1f people in view\n", v.BytesDownPerS/1000, v.BytesUpPerS/1000, v.VisibleMean)
		for _, x := range v.JoinErrors {
			e.printf("  join failed: %s\n", x)
		}
	}
	if n := len(r.Server); n > 0 {
		var cpu, tick, mem float64
		for _, s := range r.Server {
			cpu += s.CPU / float64(n)
			tick, mem = max(tick, s.TickP99), max(mem, s.MemMB)
		}
		e.printf("\nserver: %.2f processors on average, tick p99 at most %.2f ms, at most %.0f MB\n", cpu, tick, mem)
	}
	if m := r.Load; m != nil {
		e.printf("load: %d workers, %.2f of %d processors, %.0f MB\n", m.Workers, m.CPU, m.Processors, m.MemMB)
	}
	if t := r.Think; t != nil {
		e.printf("think time: %.1f s planned, %.1f s in %s, distance %.2f\n", t.PlanS, t.SourceS, t.Source, t.Distance)
	}
	for _, g := range r.Gates {
		e.printf("%s\n", g)
	}
	return e.err
}

// Verdicts says in sentences what the run is worth, the worst first.
func (r *Report) Verdicts() (out []string) {
	for _, v := range r.Void {
		out = append(out, "void: "+v)
	}
	for _, m := range r.Missing {
		out = append(out, "missing: "+m)
	}
	for i := range r.Loops {
		if l := &r.Loops[i]; l.Queue {
			out = append(out, fmt.Sprintf("measured a queue: in the %s loop actions spent %.0f %% of their time waiting (limit %.0f %%): its latencies say how long the run was, not how fast the server is",
				l.Loop, l.All.QueueShare*100, figures.QueueLimit*100))
		}
	}
	if len(out) == 0 {
		out = append(out, "the run measured the server")
	}
	failed := 0
	for _, g := range r.Gates {
		if !g.OK {
			failed++
		}
	}
	switch {
	case len(r.Gates) == 0:
	case failed == 0:
		out = append(out, fmt.Sprintf("passed: %d of %d gates hold", len(r.Gates), len(r.Gates)))
	default:
		out = append(out, fmt.Sprintf("failed: %d of %d gates do not hold", failed, len(r.Gates)))
	}
	return out
}

// String is the gate on one line.
func (g Gate) String() string {
	var bounds []string
	if g.Max != nil {
		bounds = append(bounds, fmt.Sprintf("at most %g", *g.Max))
	}
	if g.Min != nil {
		bounds = append(bounds, fmt.Sprintf("at least %g", *g.Min))
	}
	state := "holds"
	if !g.OK {
		state = "FAILS"
	}
	value := fmt.Sprintf("%.4g", g.Value)
	if !g.Known {
		value = "not measured"
	}
	return fmt.Sprintf("gate %s: %s is %s, wanted %s", state, g.Figure, value, strings.Join(bounds, " and "))
}

func (l *Loop) text(e *errWriter) {
	e.printf("\n%s loop: %d actions, %.1f/s succeeded\n", l.Loop, l.All.Done, l.All.PerS)
	t := tabwriter.NewWriter(e, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...any) {
		for _, c := range cells {
			fmt.Fprintf(t, "%v\t", c)
		}
		fmt.Fprintln(t)
	}
	row("", "n", "ok %", "end p50", "p95", "p99 ms", "service p50", "p99", "queue p50", "p99", "share", "late")
	for _, a := range append([]Action{l.All}, l.Actions...) {
		row(a.Action, a.Done, num(a.SuccessRate*100), num(a.EndToEnd.P50), num(a.EndToEnd.P95), num(a.EndToEnd.P99),
			num(a.Service.P50), num(a.Service.P99), num(a.Queue.P50), num(a.Queue.P99), fmt.Sprintf("%.2f", a.QueueShare), a.Late)
	}
	e.keep(t.Flush())
	for _, k := range slices.Sorted(maps.Keys(l.All.Failures)) {
		e.printf("  %s: %d\n", k, l.All.Failures[k])
	}
	for _, k := range slices.Sorted(maps.Keys(l.Skipped)) {
		e.printf("  %s: %d were due when nobody could do them\n", k, l.Skipped[k])
	}
}

func num(x float64) string { return fmt.Sprintf("%.1f", x) }

func seconds(s float64) string { return fmt.Sprintf("%g s", s) }

// errWriter keeps the first error of many writes.
type errWriter struct {
	w   io.Writer
	err error
}

func (e *errWriter) Write(b []byte) (int, error) {
	if e.err != nil {
		return len(b), nil
	}
	_, err := e.w.Write(b)
	e.keep(err)
	return len(b), nil
}

func (e *errWriter) keep(err error) {
	if e.err == nil {
		e.err = err
	}
}

func (e *errWriter) printf(form string, args ...any) { fmt.Fprintf(e, form, args...) }
