package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/live"
	"github.com/venued/venued/sdk/loadgen/plan"
	loadreport "github.com/venued/venued/sdk/loadgen/report"
	"github.com/venued/venued/sdk/loadgen/workers"
	"github.com/venued/venued/venues"
)

// loadRunCmd carries a plan out against a venue.
type loadRunCmd struct {
	loadTarget
	loadWorkers
	Recorded string `placeholder:"FILE" help:"Compare the plan's think times with those of a recording (.vrec) of this venue."`
	Closed   bool   `help:"Run the closed loop too, after the open one, beside it in the report; as loop = \"both\" in the plan."`
	JSON     bool   `name:"json" help:"Print the report as JSON."`
	HTML     string `name:"html" placeholder:"FILE" help:"Write the report as a page too."`
}

// loadTarget is a plan and a venue that runs.
type loadTarget struct {
	Plan     string `arg:"" help:"Load plan, a TOML file (docs/load.md)."`
	URL      string `arg:"" help:"The venue's address, or a join link whose token has the load mark and may be used again."`
	Token    string `env:"VENUED_TOKEN" help:"Join token with the load mark, for many uses ('venued token --many --load'), when the address is no such link."`
	Key      string `placeholder:"FILE" help:"Sign the tokens with the venue's key."`
	TokenURL string `name:"token-url" placeholder:"URL" help:"Get each visitor's token from a service: GET URL?user=ID&load=1 answers with the token."`
	Metrics  string `placeholder:"URL" help:"The server's metrics, as http://127.0.0.1:7879/metrics: its processors, memory and tick times go into the report."`
	Lane     string `default:"webrtc" help:"webrtc (UDP), tcp (ICE-TCP), ws (WebSocket) or auto."`
	Prefix   string `default:"load" help:"What the ids of the visitors begin with."`
}

// errGates is the end of a run whose gates do not hold, or that says nothing about the server.
var errGates = errors.New("the run did not pass: see its verdicts")

// Run sends the visitors and prints what they measured.
func (c *loadRunCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	page, err := openPage(c.HTML)
	if err != nil {
		return err
	}
	t, err := c.open(ctx)
	if err != nil {
		return errors.Join(err, page.drop())
	}
	loops := []plan.Loop{t.plan.Loop}
	if t.plan.Loop == plan.Both || c.Closed {
		loops = []plan.Loop{plan.Open, plan.Closed}
	}
	if t.workers, err = c.coordinator(); err != nil {
		return errors.Join(err, page.drop())
	}
	think, err := c.think(t)
	if err != nil {
		return errors.Join(err, page.drop())
	}
	r, err := t.run(ctx, t.plan, loops, loadProgress(errs.Writer))
	if err != nil {
		return errors.Join(err, page.drop())
	}
	r.Think = think
	if err := page.write(r); err != nil {
		return err
	}
	if c.JSON {
		err = printJSON(stdout, r)
	} else {
		err = r.Text(stdout)
	}
	if err == nil && !r.OK() {
		err = errGates
	}
	return err
}

// think compares the plan's think times with recorded ones, before the run; nil when nothing is to be compared.
func (c *loadRunCmd) think(t *target) (*loadreport.Think, error) {
	if c.Recorded == "" {
		return nil, nil
	}
	clips, err := behaviour.ReadClips(c.Recorded, t.venue.ID)
	if err != nil {
		return nil, usageError{fmt.Errorf("--recorded: %w", err)}
	}
	mean, distance, err := behaviour.CompareThink(t.plan, clips)
	if err != nil {
		return nil, usageError{fmt.Errorf("--recorded: %s: %w", c.Recorded, err)}
	}
	return &loadreport.Think{Source: filepath.Base(c.Recorded), PlanS: t.plan.Think.Mu().Seconds(), SourceS: mean.Seconds(), Distance: distance}, nil
}

// target is a plan and a venue that is there and lets its visitors in.
type target struct {
	loadTarget
	plan    *plan.Plan
	hash    string // of the plan
	venue   venues.Description
	tokens  crowd.Tokens
	cast    *behaviour.Cast
	sampler *live.Sampler        // nil without metrics
	workers *workers.Coordinator // nil: this process sends the visitors
}

// open reads the plan, asks the venue about itself, and lets one visitor in and out, so that whatever is wrong shows before the run.
func (c *loadTarget) open(ctx context.Context) (*target, error) {
	data, err := os.ReadFile(c.Plan)
	if err != nil {
		return nil, usageError{err}
	}
	t := &target{loadTarget: *c}
	if t.plan, err = plan.Parse(c.Plan, data); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	t.hash = hex.EncodeToString(sum[:])
	if _, _, err := client.ParseLink(c.URL); err != nil {
		return nil, usageError{err}
	}
	if !slices.Contains(client.Lanes(), client.Lane(c.Lane)) {
		return nil, usagef("--lane: %q: want one of %v", c.Lane, client.Lanes())
	}
	if err := wire.CheckUser(c.Prefix + "-open-extra-1000000"); err != nil {
		return nil, usagef("--prefix: %q: %v", c.Prefix, err)
	}
	if t.tokens, err = c.source(&t.venue); err != nil {
		return nil, usageError{err}
	}
	if err := client.Describe(ctx, c.URL, &t.venue); err != nil {
		return nil, err
	}
	if t.plan, err = crowd.Fit(t.plan, &t.venue); err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", c.Plan, err)}
	}
	if t.cast, err = behaviour.Open(t.plan, filepath.Dir(c.Plan), &t.venue); err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", c.Plan, err)}
	}
	if peak := t.plan.Curve.Peak(); peak > float64(t.venue.Limits.Users) {
		return nil, usagef("%s: load.curve: up to %.0f users, and the venue %s takes %d (limits.users in its file)", c.Plan, peak, t.venue.ID, t.venue.Limits.Users)
	}
	if c.Metrics != "" {
		if t.sampler, err = live.NewSampler(ctx, c.Metrics); err != nil {
			return nil, err
		}
	}
	user := c.Prefix + "-probe"
	probe, err := client.Dial(ctx, client.Options{
		URL: c.URL, Lane: client.Lane(c.Lane), User: user, NewToken: func(ctx context.Context) (string, error) { return t.tokens(ctx, user) },
	})
	if err != nil {
		return nil, fmt.Errorf("a first visitor cannot join: %w", err)
	}
	return t, probe.Close()
}

// source is where the visitors' tokens come from.
func (c *loadTarget) source(venue *venues.Description) (crowd.Tokens, error) {
	given := 0
	for _, x := range []string{c.Token, c.Key, c.TokenURL} {
		if x != "" {
			given++
		}
	}
	if given > 1 {
		return nil, errors.New("more than one of --token (or VENUED_TOKEN), --key and --token-url: give one")
	}
	switch {
	case c.Key != "":
		key, err := token.ReadKey(c.Key)
		if err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		return crowd.Signed(key, venue)
	case c.TokenURL != "":
		return crowd.Fetched(c.TokenURL)
	case c.Token != "":
		return crowd.Reused(c.Token)
	}
	_, text, err := client.ParseLink(c.URL)
	if err != nil {
		return nil, err
	}
	if text == "" {
		return nil, errors.New("no tokens: name the venue's key (--key), a service (--token-url), or a token with the load mark (--token)")
	}
	return crowd.Reused(text)
}

// run carries a plan out, one loop after the other, and judges it.
func (t *target) run(ctx context.Context, p *plan.Plan, loops []plan.Loop, progress func(crowd.Progress)) (*loadreport.Report, error) {
	r := &loadreport.Report{Name: p.Name, Plan: loadreport.NewPlanned(p), Fingerprint: t.fingerprint(p)}
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	var watch sync.WaitGroup
	if t.sampler != nil {
		watch.Go(func() { t.sampler.Run(over) })
	} else {
		r.Missing = append(r.Missing, "the server's processors, memory and tick times: its metrics were not named (--metrics)")
	}
	began := time.Now()
	cpu, _, ok := live.Usage()
	for i, loop := range loops {
		got, err := t.loop(ctx, p, loop, r, progress)
		if err != nil {
			return nil, err
		}
		r.Loops = append(r.Loops, loadreport.NewLoop(loop, got.Set, p.Duration))
		if i == 0 {
			r.Visitors = loadreport.NewVisitors(got.Visitors)
		}
	}
	if ctx.Err() != nil {
		r.Void = append(r.Void, "the run was interrupted")
	}
	cancel()
	watch.Wait()
	if t.sampler != nil {
		var missing string
		if r.Server, missing = t.sampler.Result(); missing != "" {
			r.Missing = append(r.Missing, missing)
		}
	}
	if now, memory, _ := live.Usage(); ok && t.workers == nil {
		r.Load = &loadreport.Machine{Workers: 1, CPU: (now - cpu).Seconds() / time.Since(began).Seconds(), Processors: runtime.NumCPU(), MemMB: float64(memory) / 1e6}
	}
	r.Judge(p.Gates)
	return r, nil
}

// loop carries one loop out, here or on the workers.
func (t *target) loop(ctx context.Context, p *plan.Plan, loop plan.Loop, r *loadreport.Report, progress func(crowd.Progress)) (*crowd.Result, error) {
	if t.workers != nil {
		return t.onWorkers(ctx, p, loop, r, progress)
	}
	return crowd.Run(ctx, crowd.Config{
		URL: t.URL, Tokens: t.tokens, Lane: client.Lane(t.Lane), Plan: p, Loop: loop, Cast: t.cast, Venue: &t.venue,
		Prefix: fmt.Sprintf("%s-%s", t.Prefix, loop), Every: slice(p.Duration), Progress: progress,
	})
}

// slice is the length of the slices that a run is reported in: about a thousand at most.
func slice(d time.Duration) time.Duration {
	return max(time.Second, (d / 1000).Truncate(time.Second))
}

// fingerprint is what is measured, with what.
func (t *target) fingerprint(p *plan.Plan) loadreport.Fingerprint {
	generator, _ := buildVersion()
	f := loadreport.Fingerprint{
		Venue: t.venue.ID, Server: "unknown", Generator: generator, PlanHash: t.hash, Seed: p.Seed, Started: time.Now().UTC().Format(time.RFC3339),
		Machine: fmt.Sprintf("%s/%s with %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	}
	if b, err := json.Marshal(&t.venue); err == nil {
		sum := sha256.Sum256(b)
		f.ConfigHash = hex.EncodeToString(sum[:])
	}
	if t.sampler != nil && t.sampler.Version() != "" {
		f.Server = t.sampler.Version()
	}
	return f
}

// loadProgress shows how far a run is: a line every ten seconds.
func loadProgress(w io.Writer) func(crowd.Progress) {
	next := time.Duration(0)
	return func(p crowd.Progress) {
		if p.Elapsed < next {
			next = min(next, p.Elapsed+10*time.Second) // another loop began
			return
		}
		next = p.Elapsed + 10*time.Second
		fmt.Fprintf(w, "load: %d visitors there, %d failed to join, %s of %s\n", p.There, p.Failed, p.Elapsed.Round(time.Second), p.Total.Round(time.Second))
	}
}

// reportPage is the file that a report's page goes to, nil for none.
type reportPage struct{ f *os.File }

// openPage makes the file before the run, so that a place that cannot be written is found then.
func openPage(path string) (*reportPage, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, usageError{fmt.Errorf("--html: %w", err)}
	}
	return &reportPage{f}, nil
}

func (p *reportPage) write(r *loadreport.Report) error {
	if p == nil {
		return nil
	}
	if err := errors.Join(r.HTML(p.f), p.f.Close()); err != nil {
		return fmt.Errorf("the page %s: %w", p.f.Name(), err)
	}
	return nil
}

// drop takes the file away again: there is nothing to report.
func (p *reportPage) drop() error {
	if p == nil {
		return nil
	}
	return errors.Join(p.f.Close(), os.Remove(p.f.Name()))
}
