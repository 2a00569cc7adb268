package workers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/figures"
)

// Coordinator knows the workers of a run.
type Coordinator struct {
	Workers []string // addresses, http://host:port
	Secret  []byte
	HTTP    *http.Client // nil: one of its own, without a limit of time
}

// Run is a run whose workers are all ready.
type Run struct {
	c     *Coordinator
	every time.Duration // length of the figures' slices
	ids   []string
}

// Outcome is what all workers counted together.
type Outcome struct {
	crowd.Result
	Workers int      // whose figures are in it
	CPU     float64  // processors used by all of them, mean
	Cores   int      // that their machines have
	MemMB   float64  // of all of them
	Missing []string // what is not in it, a line a worker
}

// Check says what is wrong with the workers or the secret, nil for nothing.
func (c *Coordinator) Check() error {
	if err := CheckSecret(c.Secret); err != nil {
		return err
	}
	if len(c.Workers) == 0 || len(c.Workers) > MaxWorkers {
		return fmt.Errorf("%d workers: give 1 to %d", len(c.Workers), MaxWorkers)
	}
	seen := map[string]bool{}
	for _, w := range c.Workers {
		if !strings.HasPrefix(w, "http://") && !strings.HasPrefix(w, "https://") {
			return fmt.Errorf("worker %q: want http://host:port", w)
		}
		if seen[w] {
			return fmt.Errorf("worker %s is named twice", w)
		}
		seen[w] = true
	}
	return nil
}

// post sends a request with the secret.
func (c *Coordinator) post(ctx context.Context, worker, path string, body any) (*http.Response, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if len(b) > MaxJob {
		return nil, fmt.Errorf("a job of %d bytes, at most %d are sent: take shorter recordings", len(b), MaxJob)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(worker, "/")+path, bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	q.Header.Set("Authorization", "Bearer "+string(c.Secret))
	q.Header.Set("Content-Type", "application/json")
	q.Close = true // a connection a request: one that is silent is closed
	hc := c.HTTP
	if hc == nil {
		hc = http.DefaultClient
	}
	r, err := hc.Do(q)
	if err != nil {
		return nil, err
	}
	if r.StatusCode != http.StatusOK {
		defer r.Body.Close()
		var u Update
		if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&u); err != nil || u.Error == "" {
			return nil, fmt.Errorf("answered %s: is it a worker?", r.Status)
		}
		return nil, errors.New(u.Error)
	}
	return r, nil
}

// Prepare sends each worker its part of a job. The error says all that is wrong, by worker; then nothing was started.
func (c *Coordinator) Prepare(ctx context.Context, job Job) (*Run, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	run := &Run{c, job.Every, make([]string, len(c.Workers))}
	errs := make([]error, len(c.Workers))
	var all sync.WaitGroup
	for i, w := range c.Workers {
		part := job
		part.Version, part.Part, part.Of = Version, i, len(c.Workers)
		all.Go(func() {
			limit, cancel := context.WithTimeout(ctx, Keep/2)
			defer cancel()
			errs[i] = run.prepare(limit, i, w, &part)
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return run, nil
}

func (r *Run) prepare(ctx context.Context, i int, worker string, job *Job) error {
	a, err := r.c.post(ctx, worker, "/v1/prepare", job)
	if err != nil {
		return fmt.Errorf("worker %s: %w", worker, err)
	}
	defer a.Body.Close()
	var ready Ready
	if err := json.NewDecoder(io.LimitReader(a.Body, 1024)).Decode(&ready); err != nil || ready.ID == "" {
		return fmt.Errorf("worker %s: its answer is not a worker's", worker)
	}
	r.ids[i] = ready.ID
	return nil
}

// Do starts the workers and waits for their figures. progress, when not nil, is told about once a second and worker how many visitors are
// there in all. Workers that are lost, or whose figures are wrong, are missing in the outcome.
func (r *Run) Do(ctx context.Context, progress func(crowd.Progress)) *Outcome {
	type news struct {
		worker int
		last   Update // the newest
		err    error
		over   bool
	}
	heard := make(chan news)
	for i, w := range r.c.Workers {
		go func() {
			last, err := r.follow(ctx, i, w, func(u Update) { heard <- news{worker: i, last: u} })
			heard <- news{i, last, err, true}
		}()
	}
	out := &Outcome{Result: crowd.Result{Set: figures.NewSet(r.every), Visitors: figures.NewVisitors()}}
	now := make([]Update, len(r.c.Workers))
	missing := make([]string, len(r.c.Workers))
	for left := len(r.c.Workers); left > 0; {
		n := <-heard
		if !n.over {
			now[n.worker] = n.last
			p := crowd.Progress{}
			for _, u := range now {
				p.There, p.Failed = p.There+u.There, p.Failed+u.Failed
				p.Elapsed = max(p.Elapsed, time.Duration(u.AtMS)*time.Millisecond)
			}
			if progress != nil {
				progress(p)
			}
			continue
		}
		left--
		at := time.Duration(now[n.worker].AtMS) * time.Millisecond
		now[n.worker] = Update{Failed: now[n.worker].Failed}
		if n.err != nil {
			missing[n.worker] = fmt.Sprintf("worker %s, part %d of %d, was lost after %v: %v; its visitors and actions are not in the figures",
				r.c.Workers[n.worker], n.worker+1, len(r.c.Workers), at.Round(time.Second), n.err)
			continue
		}
		out.Set.Merge(n.last.Done.Set)
		out.Visitors.Merge(n.last.Done.Visitors)
		out.Workers++
		out.CPU, out.Cores, out.MemMB = out.CPU+n.last.CPU, out.Cores+n.last.Cores, out.MemMB+n.last.MemMB
	}
	for _, m := range missing {
		if m != "" {
			out.Missing = append(out.Missing, m)
		}
	}
	return out
}

// errSilent is a worker that says nothing any more.
var errSilent = fmt.Errorf("it said nothing for %v", Silence)

// follow starts a worker and reads what it says, until its figures came.
func (r *Run) follow(ctx context.Context, i int, worker string, each func(Update)) (Update, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silent := time.AfterFunc(Silence, func() { cancel(errSilent) })
	defer silent.Stop()
	a, err := r.c.post(ctx, worker, "/v1/run", Ready{r.ids[i]})
	if err != nil {
		return Update{}, cause(ctx, err)
	}
	defer a.Body.Close()
	return updates(a.Body, r.every, func(u Update) {
		silent.Reset(Silence)
		each(u)
	}, func(err error) error { return cause(ctx, err) })
}

// cause is why a context was ended, if it was, instead of what that led to.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}

// updates reads a worker's answer up to its figures.
func updates(body io.Reader, every time.Duration, each func(Update), why func(error) error) (Update, error) {
	dec := json.NewDecoder(bufio.NewReader(io.LimitReader(body, MaxUpdates)))
	for {
		var u Update
		if err := dec.Decode(&u); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = errors.New("its connection ended before its figures came")
			}
			return Update{}, why(err)
		}
		switch {
		case u.Error != "":
			return Update{}, errors.New(u.Error)
		case u.Done == nil:
			each(u)
			continue
		}
		if err := u.check(every); err != nil {
			return Update{}, err
		}
		return u, nil
	}
}
