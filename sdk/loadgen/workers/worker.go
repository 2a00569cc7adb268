package workers

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/live"
	"github.com/venued/venued/venues"
)

// Worker carries out parts of runs, one at a time. It is an http.Handler.
type Worker struct {
	secret []byte
	log    *slog.Logger
	mux    *http.ServeMux

	mu       sync.Mutex
	running  bool
	prepared *prepared
}

// prepared is a job that waits for its start.
type prepared struct {
	id    string
	until time.Time
	job   *Job
	cfg   crowd.Config
}

// New returns a worker that answers who knows the secret.
func New(secret []byte, log *slog.Logger) (*Worker, error) {
	if err := CheckSecret(secret); err != nil {
		return nil, err
	}
	w := &Worker{secret: secret, log: log, mux: http.NewServeMux()}
	w.mux.HandleFunc("POST /v1/prepare", w.prepare)
	w.mux.HandleFunc("POST /v1/run", w.run)
	return w, nil
}

// CheckSecret says what is wrong with a secret, nil for nothing.
func CheckSecret(secret []byte) error {
	if len(secret) < MinSecret || len(secret) > 1024 {
		return fmt.Errorf("the secret has %d bytes: give %d to 1024", len(secret), MinSecret)
	}
	for _, c := range secret {
		if c <= ' ' || c > '~' {
			return errors.New("the secret has a character that is no visible one of ASCII")
		}
	}
	return nil
}

// ServeHTTP answers a coordinator.
func (w *Worker) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || subtle.ConstantTimeCompare([]byte(given), w.secret) != 1 {
		w.log.Warn("load worker: a request without the secret", "from", r.RemoteAddr)
		refuse(rw, http.StatusUnauthorized, "the secret is not this worker's")
		return
	}
	w.mux.ServeHTTP(rw, r)
}

// refuse answers with what is wrong.
func refuse(rw http.ResponseWriter, status int, text string) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(Update{Error: text}) // who asked may be gone
}

// prepare makes a job ready, or says what is wrong with it.
func (w *Worker) prepare(rw http.ResponseWriter, r *http.Request) {
	job, err := readJob(r.Body)
	if err != nil {
		refuse(rw, http.StatusBadRequest, err.Error())
		return
	}
	cfg, err := ready(r.Context(), job)
	if err != nil {
		refuse(rw, http.StatusUnprocessableEntity, err.Error())
		return
	}
	p := &prepared{id: rand.Text(), until: time.Now().Add(Keep), job: job, cfg: *cfg}
	w.mu.Lock()
	busy := w.running || w.prepared != nil && time.Now().Before(w.prepared.until)
	if !busy {
		w.prepared = p
	}
	w.mu.Unlock()
	if busy {
		refuse(rw, http.StatusConflict, "this worker has a run, or waits for one to start: try again later")
		return
	}
	w.log.Info("load worker: prepared", "part", job.Part+1, "of", job.Of, "venue", cfg.Venue.ID)
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(Ready{p.id}) // who asked may be gone; the job then expires
}

// ready reads all that a job needs.
func ready(ctx context.Context, j *Job) (*crowd.Config, error) {
	dir, err := os.MkdirTemp("", "venued-load")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	p, err := j.unpack(dir)
	if err != nil {
		return nil, err
	}
	tokens, err := j.tokens()
	if err != nil {
		return nil, err
	}
	var venue venues.Description
	if err := client.Describe(ctx, j.URL, &venue); err != nil {
		return nil, err
	}
	if p, err = crowd.Fit(p, &venue); err != nil {
		return nil, err
	}
	p = p.Split(j.Part, j.Of)
	cast, err := behaviour.Open(p, dir, &venue)
	if err != nil {
		return nil, err
	}
	return &crowd.Config{
		URL: j.URL, Tokens: tokens, Lane: client.Lane(j.Lane), Plan: p, Loop: j.Loop, Cast: cast, Venue: &venue, Prefix: j.user(), Every: j.Every,
	}, nil
}

// take takes the prepared job of an id.
func (w *Worker) take(id string) *prepared {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.prepared
	if p == nil || p.id != id || time.Now().After(p.until) || w.running {
		return nil
	}
	w.prepared, w.running = nil, true
	return p
}

// run carries out the prepared job, and tells how far it is as it goes.
func (w *Worker) run(rw http.ResponseWriter, r *http.Request) {
	var start Ready
	if err := json.NewDecoder(io.LimitReader(r.Body, 1024)).Decode(&start); err != nil {
		refuse(rw, http.StatusBadRequest, "not the start of a run: "+err.Error())
		return
	}
	p := w.take(start.ID)
	if p == nil {
		refuse(rw, http.StatusNotFound, fmt.Sprintf("no such job: it was started, or it waited for more than %v", Keep))
		return
	}
	defer func() {
		w.mu.Lock()
		w.running = false
		w.mu.Unlock()
	}()
	rw.Header().Set("Content-Type", "application/x-ndjson")
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var mu sync.Mutex
	send := func(u *Update) {
		mu.Lock()
		defer mu.Unlock()
		if json.NewEncoder(rw).Encode(u) != nil || http.NewResponseController(rw).Flush() != nil {
			cancel() // the coordinator is gone
		}
	}
	send(&Update{})
	cfg := p.cfg
	cfg.Progress = func(x crowd.Progress) {
		send(&Update{There: x.There, Failed: x.Failed, AtMS: x.Elapsed.Milliseconds()})
	}
	began := time.Now()
	cpu, _, ok := live.Usage()
	got, err := crowd.Run(ctx, cfg)
	last := &Update{Done: got, AtMS: time.Since(began).Milliseconds(), Cores: runtime.NumCPU()}
	if err != nil {
		last = &Update{Error: err.Error()}
	}
	if now, memory, _ := live.Usage(); ok && err == nil {
		last.CPU, last.MemMB = (now-cpu).Seconds()/time.Since(began).Seconds(), float64(memory)/1e6
	}
	send(last)
	w.log.Info("load worker: over", "part", p.job.Part+1, "of", p.job.Of, "after", time.Since(began).Round(time.Millisecond), "ended_early", ctx.Err() != nil)
}
