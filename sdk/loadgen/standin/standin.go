// Package standin answers HTTP in place of an outside service, as slowly and as unreliably as the real one does.
//
// # Model
//
// A service that is always fast and always there teaches nothing. So each request takes a time drawn from a distribution (best from
// measured quantiles), and some fail, drawn from a rate; both come from a seed, by the number of the request, so that a run can
// be repeated.
//
// Requests that carry an Idempotency-Key act once: the first one with a key is carried out, every further one with the same
// key and the same body gets the same answer without being carried out again, also while the first is still on its way (it waits). The same
// key with another body is refused with 422. A request that failed by the failure rate before it was carried out is not remembered, so that
// it can be tried again; one that failed after it was carried out (half of them: the answer got lost) is.
package standin

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
)

const (
	maxBody = 1 << 20 // bytes of a request
	maxKeys = 100_000 // idempotency keys remembered; older ones are forgotten first
)

// Config says how a service behaves.
type Config struct {
	Latency     plan.Dist
	FailureRate float64 // share of requests that fail, 0 to 1
	Seed        uint64
	// Serve carries a request out and returns the answer's status and body. nil: 200 and the request's number.
	Serve func(r *http.Request, body []byte) (status int, answer []byte)
}

// Service is the stand-in. It is an http.Handler for any number of goroutines.
type Service struct {
	cfg Config

	mu     sync.Mutex
	n      uint64
	counts Counts
	keys   map[string]*remembered
	order  []string
}

// Counts is what a service did.
type Counts struct {
	Requests   uint64 // that arrived
	CarriedOut uint64
	Failed     uint64 // by the failure rate
	Repeated   uint64 // answered from memory
	Refused    uint64 // too large, or a key used for another body
}

// remembered is what came of the first request with a key.
type remembered struct {
	body   [sha256.Size]byte
	done   chan struct{} // closed once it has an answer
	status int
	answer []byte
}

// New returns a service. The error says what is wrong with the configuration.
func New(cfg Config) (*Service, error) {
	if err := cfg.Latency.Check(); err != nil {
		return nil, fmt.Errorf("latency: %w", err)
	}
	if !(cfg.FailureRate >= 0 && cfg.FailureRate <= 1) {
		return nil, fmt.Errorf("a failure rate of %v: give 0 to 1", cfg.FailureRate)
	}
	return &Service{cfg: cfg, keys: map[string]*remembered{}}, nil
}

// Counts returns what it did so far.
func (s *Service) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Outcomes of a request that the failure rate hit.
const (
	goesWell = iota
	failsBefore
	failsAfter
)

// draw decides about the next request.
func (s *Service) draw() (n uint64, latency time.Duration, outcome int) {
	s.mu.Lock()
	n = s.n
	s.n++
	s.counts.Requests++
	s.mu.Unlock()
	rng := rand.New(rand.NewPCG(s.cfg.Seed, n))
	latency = s.cfg.Latency.Draw(rng)
	if rng.Float64() < s.cfg.FailureRate {
		outcome = failsBefore + rng.IntN(2)
	}
	return n, latency, outcome
}

// ServeHTTP answers a request after its time.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		s.refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the body cannot be read, or has more than %d bytes: %v", maxBody, err))
		return
	}
	n, latency, outcome := s.draw()
	wait := time.NewTimer(latency)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.Context().Done():
		return // nobody is there any more, and nothing was done
	}
	if outcome == failsBefore {
		s.fail(w)
		return
	}
	status, answer, err := s.once(r, n, body)
	switch {
	case errors.Is(err, errOtherBody):
		s.refuse(w, http.StatusUnprocessableEntity, err.Error())
	case err != nil:
		return
	case outcome == failsAfter:
		s.fail(w)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write(answer) // whoever hung up needs no answer
	}
}

var errOtherBody = errors.New("this Idempotency-Key was used for a request with another body: take a new key")

// once carries a request out, or returns what came of the one before it with the same key.
func (s *Service) once(r *http.Request, n uint64, body []byte) (int, []byte, error) {
	key := r.Header.Get("Idempotency-Key")
	if key == "" {
		status, answer := s.carryOut(r, n, body)
		return status, answer, nil
	}
	key = r.Method + " " + r.URL.Path + " " + key
	sum := sha256.Sum256(body)
	s.mu.Lock()
	first := s.keys[key]
	if first == nil {
		first = &remembered{body: sum, done: make(chan struct{})}
		s.remember(key, first)
		s.mu.Unlock()
		first.status, first.answer = s.carryOut(r, n, body)
		close(first.done)
		return first.status, first.answer, nil
	}
	s.mu.Unlock()
	if first.body != sum {
		return 0, nil, errOtherBody
	}
	select {
	case <-first.done:
	case <-r.Context().Done():
		return 0, nil, r.Context().Err()
	}
	s.mu.Lock()
	s.counts.Repeated++
	s.mu.Unlock()
	return first.status, first.answer, nil
}

// remember keeps a key and forgets the oldest when there are too many. s.mu is held.
func (s *Service) remember(key string, first *remembered) {
	if len(s.order) == maxKeys {
		delete(s.keys, s.order[0])
		s.order = s.order[1:]
	}
	s.keys[key] = first
	s.order = append(s.order, key)
}

func (s *Service) carryOut(r *http.Request, n uint64, body []byte) (int, []byte) {
	s.mu.Lock()
	s.counts.CarriedOut++
	s.mu.Unlock()
	if s.cfg.Serve != nil {
		return s.cfg.Serve(r, body)
	}
	answer, err := json.Marshal(map[string]uint64{"request": n})
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return http.StatusOK, answer
}

func (s *Service) fail(w http.ResponseWriter) {
	s.mu.Lock()
	s.counts.Failed++
	s.mu.Unlock()
	http.Error(w, "the stand-in failed, as its failure rate wants it to: try again with the same Idempotency-Key", http.StatusServiceUnavailable)
}

func (s *Service) refuse(w http.ResponseWriter, status int, msg string) {
	s.mu.Lock()
	s.counts.Refused++
	s.mu.Unlock()
	http.Error(w, msg, status)
}
