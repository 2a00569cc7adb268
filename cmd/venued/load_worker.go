package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/venued/venued/host/console"
	"github.com/venued/venued/rtc/token"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/plan"
	loadreport "github.com/venued/venued/sdk/loadgen/report"
	"github.com/venued/venued/sdk/loadgen/workers"
)

// loadWorkers name other machines that carry a plan out together.
type loadWorkers struct {
	Workers    []string `placeholder:"http://HOST:PORT,..." help:"Load workers ('venued load worker') that carry the plan out together, in place of this machine."`
	SecretFile string   `placeholder:"FILE" help:"File with the secret of the workers."`
}

// coordinator returns who speaks to the workers, nil when none are named.
func (c *loadWorkers) coordinator() (*workers.Coordinator, error) {
	if len(c.Workers) == 0 {
		if c.SecretFile != "" {
			return nil, usagef("--secret-file belongs to --workers: name them")
		}
		return nil, nil
	}
	if c.SecretFile == "" {
		return nil, usagef("which secret? --secret-file names the file that the workers were started with")
	}
	secret, err := console.ReadToken(c.SecretFile)
	if err != nil {
		return nil, usageError{fmt.Errorf("--secret-file: %w", err)}
	}
	w := &workers.Coordinator{Workers: c.Workers, Secret: []byte(secret)}
	if err := w.Check(); err != nil {
		return nil, usageError{fmt.Errorf("--workers: %w", err)}
	}
	return w, nil
}

// onWorkers lets the workers carry one loop out, and notes in the report what of them is missing and what their machines used.
func (t *target) onWorkers(ctx context.Context, p *plan.Plan, loop plan.Loop, r *loadreport.Report, progress func(crowd.Progress)) (*crowd.Result, error) {
	text, err := os.ReadFile(t.Plan)
	if err != nil {
		return nil, err
	}
	job := workers.Job{
		Name: t.Plan, Plan: string(text), URL: t.URL, TokenURL: t.TokenURL, Lane: t.Lane, Prefix: fmt.Sprintf("%s-%s", t.Prefix, loop), Loop: loop,
		Every: slice(p.Duration),
	}
	if job.Files, err = workers.Pack(p, filepath.Dir(t.Plan)); err != nil {
		return nil, err
	}
	if job.TokenURL == "" {
		if job.Token, err = t.reusable(p.Duration); err != nil {
			return nil, err
		}
	}
	run, err := t.workers.Prepare(ctx, job)
	if err != nil {
		return nil, err
	}
	out := run.Do(ctx, func(x crowd.Progress) {
		x.Total = p.Duration
		progress(x)
	})
	if out.Workers == 0 {
		return nil, errors.New("every worker was lost: there is nothing to report\n" + strings.Join(out.Missing, "\n"))
	}
	for _, m := range out.Missing {
		r.Missing = append(r.Missing, fmt.Sprintf("%s loop: %s", loop, m))
		r.Void = append(r.Void, fmt.Sprintf("%s loop: a worker was lost, so the load was not the plan's", loop))
	}
	if r.Load == nil || out.CPU > r.Load.CPU {
		r.Load = &loadreport.Machine{Workers: out.Workers, CPU: out.CPU, Processors: out.Cores, MemMB: out.MemMB}
	}
	return &out.Result, nil
}

// reusable is a token with the load mark that all visitors of all workers may use.
func (t *target) reusable(d time.Duration) (string, error) {
	switch {
	case t.Key != "":
		key, err := token.ReadKey(t.Key)
		if err != nil {
			return "", err
		}
		issuer, err := token.NewIssuer(key, nil)
		if err != nil {
			return "", err
		}
		// The key stays here: workers get what lets visitors in for as long as the run takes.
		signed, _, err := issuer.Issue(token.Claims{Venue: t.venue.ID, User: t.Prefix, Many: true, Load: true}, d+10*time.Minute)
		return signed, err
	case t.Token != "":
		return t.Token, nil
	}
	_, text, err := client.ParseLink(t.URL)
	return text, err
}

// loadWorkerCmd waits for coordinators and carries out parts of their runs.
type loadWorkerCmd struct {
	Listen     string `default:"127.0.0.1:7890" help:"Where to wait. What is sent is not encrypted: use a private network or a tunnel."`
	SecretFile string `required:"" placeholder:"FILE" help:"File with a secret of 20 to 200 letters, readable by its owner only; the coordinator needs the same."`
}

// Help gives an example.
func (*loadWorkerCmd) Help() string {
	return "For example, on each load machine, and then on one:\n\n" +
		"    venued load worker --listen 10.0.0.2:7890 --secret-file load.secret\n" +
		"    venued load run plan.toml URL --workers http://10.0.0.2:7890,http://10.0.0.3:7890 --secret-file load.secret"
}

// Run serves until it is ended.
func (c *loadWorkerCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	secret, err := console.ReadToken(c.SecretFile)
	if err != nil {
		return usageError{fmt.Errorf("--secret-file: %w", err)}
	}
	w, err := workers.New([]byte(secret), slog.New(slog.NewTextHandler(errs.Writer, nil)))
	if err != nil {
		return usageError{err}
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usageError{fmt.Errorf("--listen: %w", err)}
	}
	web := &http.Server{Handler: w, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- web.Serve(listener) }()
	fmt.Fprintf(stdout, "waiting for coordinators on http://%s\n", listener.Addr())
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return errors.Join(web.Close(), ignoreClosed(<-done))
	}
}

// ignoreClosed is an error but that of a server that was closed.
func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
