package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
	loadreport "github.com/venued/venued/sdk/loadgen/report"
	"github.com/venued/venued/sdk/loadgen/simulate"
)

// loadCmd plans, simulates and drives load: one line a command.
type loadCmd struct {
	Run      loadRunCmd      `cmd:"" help:"Carry a load plan out against a running venue, and report what it measured. Ends with 0 only if the run is valid and its gates hold."`
	Clean    loadCleanCmd    `cmd:"" help:"Remove what load generators left in a running venue's store: last places and score boards. What people did stays."`
	Capacity loadCapacityCmd `cmd:"" help:"Step a load plan up against a running venue until a gate breaks: where is the knee, how sure is that, and what is scarce there?"`
	Fit      loadFitCmd      `cmd:"" help:"Measure how visitors of a recording behave, and write it as a model for load plans."`
	Worker   loadWorkerCmd   `cmd:"" help:"Wait for the coordinator of a load run ('venued load run --workers') and carry a part of its plan out."`
	Simulate loadSimulateCmd `cmd:"" help:"Run a load plan against a modelled server, without a network and in no time: does it measure the server, or only a queue?"`
}

// loadSimulateCmd runs a plan against a modelled server.
type loadSimulateCmd struct {
	Plan    string        `arg:"" help:"Load plan, a TOML file (docs/load.md)."`
	Slots   int           `default:"4" help:"How many actions the server works on at the same time."`
	Service time.Duration `default:"5ms" help:"How long it works on one: the median."`
	P95     time.Duration `name:"service-p95" help:"The time that 95 % of actions take at most. Default: three times the median."`
	Network time.Duration `default:"20ms" help:"There and back together."`
	Queue   int           `help:"How many actions wait at most; more are refused. Default: any number."`
	Freeze  []string      `placeholder:"FROM+LENGTH" help:"A standstill, as 10s+2s; several are allowed."`
	JSON    bool          `name:"json" help:"Print the report as JSON."`
	HTML    string        `name:"html" placeholder:"FILE" help:"Write the report as a page too."`
}

// Run simulates and prints.
func (c *loadSimulateCmd) Run(stdout io.Writer, errs stderr) error {
	data, err := os.ReadFile(c.Plan)
	if err != nil {
		return usageError{err}
	}
	p, err := plan.Parse(c.Plan, data)
	if err != nil {
		return err
	}
	server, err := c.server()
	if err != nil {
		return usageError{err}
	}
	sum := sha256.Sum256(data)
	generator, _ := buildVersion()
	r := &loadreport.Report{Name: p.Name, Plan: loadreport.NewPlanned(p), Fingerprint: loadreport.Fingerprint{
		Generator: generator, PlanHash: hex.EncodeToString(sum[:]), Seed: p.Seed,
		Machine: fmt.Sprintf("a model with %d slots on %s/%s", c.Slots, runtime.GOOS, runtime.GOARCH),
	}}
	loops := []plan.Loop{p.Loop}
	if p.Loop == plan.Both {
		loops = []plan.Loop{plan.Open, plan.Closed}
	}
	for _, loop := range loops {
		set, err := simulate.Run(p, server, loop, time.Second)
		if err != nil {
			return usageError{err}
		}
		r.Loops = append(r.Loops, loadreport.NewLoop(loop, set, p.Duration))
	}
	r.Judge(p.Gates)
	if err := c.print(r, server, stdout, errs); err != nil {
		return err
	}
	if !r.OK() {
		return errGates
	}
	return nil
}

// server is the modelled server of the flags.
func (c *loadSimulateCmd) server() (*simulate.Server, error) {
	p95 := c.P95
	if p95 == 0 {
		p95 = 3 * c.Service
	}
	s := &simulate.Server{Slots: c.Slots, Service: plan.Dist{Kind: plan.LogNormal, Median: c.Service, P95: p95}, Queue: c.Queue}
	if c.Network != 0 {
		s.Network = plan.Dist{Kind: plan.Fixed, Mean: c.Network}
	}
	for _, f := range c.Freeze {
		w, err := window(f)
		if err != nil {
			return nil, err
		}
		s.Frozen = append(s.Frozen, w)
	}
	return s, s.Check()
}

// window reads FROM+LENGTH.
func window(text string) (simulate.Window, error) {
	for i := range text {
		if text[i] != '+' {
			continue
		}
		from, err := time.ParseDuration(text[:i])
		length, err2 := time.ParseDuration(text[i+1:])
		if err == nil && err2 == nil {
			return simulate.Window{From: from, To: from + length}, nil
		}
	}
	return simulate.Window{}, fmt.Errorf("--freeze %q: want a start and a length, as 10s+2s", text)
}

// print writes the report in every form that was asked for.
func (c *loadSimulateCmd) print(r *loadreport.Report, s *simulate.Server, stdout io.Writer, errs stderr) error {
	page, err := openPage(c.HTML)
	if err != nil {
		return err
	}
	if err := page.write(r); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(stdout, r)
	}
	if r.Plan.PeakPerS > s.Capacity() {
		fmt.Fprintf(errs, "venued: the plan asks for up to %.1f actions a second, the modelled server does %.1f at most\n", r.Plan.PeakPerS, s.Capacity())
	}
	return r.Text(stdout)
}
