package standin

import (
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
)

func service(t *testing.T, cfg Config) *Service {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(s *Service, key, body string) (int, string) {
	r := httptest.NewRequest(http.MethodPost, "/gifts", strings.NewReader(body))
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	answer, _ := io.ReadAll(w.Result().Body)
	return w.Code, string(answer)
}

// Whatever fails on the way, whoever repeats a request with its key until it succeeds has it carried out once.
func TestRepeatedUntilItSucceedsIsCarriedOutOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		given := map[string]int{}
		s := service(t, Config{
			Latency: plan.Dist{Kind: plan.Uniform, Min: time.Millisecond, Max: time.Second}, FailureRate: 0.6, Seed: 4,
			Serve: func(_ *http.Request, body []byte) (int, []byte) {
				mu.Lock()
				defer mu.Unlock()
				given[string(body)]++
				return http.StatusCreated, body
			},
		})
		var wg sync.WaitGroup
		for i := range 100 {
			// Two at once with the same key, as after a timeout that was too short.
			for range 2 {
				wg.Go(func() {
					gift := "gift " + string(rune('a'+i%26)) + string(rune('a'+i/26))
					for {
						code, answer := ask(s, gift, gift)
						if code == http.StatusCreated && answer == gift {
							return
						}
						if code != http.StatusServiceUnavailable {
							t.Errorf("%d %q", code, answer)
							return
						}
					}
				})
			}
		}
		wg.Wait()
		for gift, n := range given {
			if n != 1 {
				t.Errorf("%s was given %d times", gift, n)
			}
		}
		if c := s.Counts(); len(given) != 100 || c.CarriedOut != 100 || c.Failed == 0 || c.Repeated == 0 {
			t.Errorf("%d gifts, %+v", len(given), c)
		}
	})
}

func TestLatencyAndFailuresAreAsConfigured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := service(t, Config{Latency: plan.Dist{Kind: plan.Measured, Quantiles: []plan.Quantile{{Q: 0.5, Value: 20 * time.Millisecond}, {Q: 0.95, Value: 200 * time.Millisecond}, {Q: 1, Value: time.Second}}}, FailureRate: 0.1})
		below, failed, n := 0, 0, 4000
		for range n {
			began := time.Now()
			code, _ := ask(s, "", "x")
			if time.Since(began) <= 200*time.Millisecond {
				below++
			}
			if code != http.StatusOK {
				failed++
			}
		}
		if share := float64(below) / float64(n); math.Abs(share-0.95) > 0.015 {
			t.Errorf("%.3f took at most 200 ms, want 0.95", share)
		}
		if share := float64(failed) / float64(n); math.Abs(share-0.1) > 0.02 {
			t.Errorf("%.3f failed, want 0.1", share)
		}
	})
}

func TestAKeyIsForOneBody(t *testing.T) {
	s := service(t, Config{Latency: plan.Dist{Kind: plan.Fixed, Mean: time.Microsecond}})
	if code, _ := ask(s, "k", "one"); code != http.StatusOK {
		t.Fatal(code)
	}
	if code, text := ask(s, "k", "two"); code != http.StatusUnprocessableEntity || !strings.Contains(text, "take a new key") {
		t.Errorf("%d %q", code, text)
	}
	if code, text := ask(s, "", strings.Repeat("x", maxBody+1)); code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d %q", code, text)
	}
	if c := s.Counts(); c.Refused != 2 || c.CarriedOut != 1 {
		t.Errorf("%+v", c)
	}
}

func TestKeysAreForgottenOldestFirst(t *testing.T) {
	s := service(t, Config{Latency: plan.Dist{Kind: plan.Fixed, Mean: time.Microsecond}})
	s.mu.Lock()
	for i := range maxKeys + 10 {
		s.remember(string(rune(i)), &remembered{})
	}
	n, order := len(s.keys), len(s.order)
	s.mu.Unlock()
	if n > maxKeys || order > maxKeys {
		t.Errorf("%d keys, %d in order", n, order)
	}
}

func TestBadServicesAreRefused(t *testing.T) {
	for want, cfg := range map[string]Config{
		"latency: ":       {},
		"give 0 to 1":     {Latency: plan.Dist{Kind: plan.Fixed, Mean: 1}, FailureRate: 1.5},
		"failure rate of": {Latency: plan.Dist{Kind: plan.Fixed, Mean: 1}, FailureRate: math.NaN()},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to say %q", err, want)
		}
	}
}
