package live

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const metricsText = `# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total %g
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 5e+07
# TYPE venued_region_users gauge
venued_region_users{region="a"} 3
venued_region_users{region="b"} 4
# TYPE venued_region_tick_seconds histogram
venued_region_tick_seconds_bucket{region="a",le="0.001"} %d
venued_region_tick_seconds_bucket{region="a",le="0.01"} %d
venued_region_tick_seconds_bucket{region="a",le="+Inf"} %d
venued_region_tick_seconds_sum{region="a"} 1
venued_region_tick_seconds_count{region="a"} %[4]d
`

func read(t *testing.T, text string, at time.Time) reading {
	t.Helper()
	r, err := parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r.at = at
	return r
}

func TestSamplesAreDifferences(t *testing.T) {
	start := time.Now()
	s := &Sampler{start: start}
	s.before = read(t, fmt.Sprintf(metricsText, 10.0, 50, 60, 60), start)
	for _, c := range []struct {
		ms, below, all int // added: ticks below 1 ms, below 10 ms, all
		tick           float64
	}{{100, 100, 100, 1}, {99, 100, 100, 1}, {98, 100, 100, 10}, {0, 0, 5, 10}, {0, 0, 0, 0}} {
		r := read(t, fmt.Sprintf(metricsText, 11.0, 50+c.ms, 60+c.below, 60+c.all), start.Add(2*time.Second))
		got := s.compare(&r)
		if got.CPU != 0.5 || got.MemMB != 50 || got.People != 7 || got.AtS != 2 || got.TickP99 != c.tick {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

func TestASamplerThatCannotReadSaysSoAtOnce(t *testing.T) {
	answer := "not metrics {"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(answer))
	}))
	url := srv.URL
	try := func(url, says string) {
		t.Helper()
		if _, err := NewSampler(context.Background(), url); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", url, err, says)
		}
	}
	try(url+"/", "404")
	try(url+"/metrics", "metrics of "+url)
	answer = "up 1\n"
	try(url+"/metrics", "no venued server's")
	srv.Close()
	try(url+"/metrics", "metrics: ")
	try(":", "metrics: ")
	http.DefaultClient.CloseIdleConnections()
}

func TestUsage(t *testing.T) {
	if cpu, memory, ok := Usage(); ok && (cpu <= 0 || memory < 1<<20) {
		t.Errorf("%v of processor time and %d bytes", cpu, memory)
	}
}

// FuzzMetrics: whatever a server answers, reading it returns, and quantiles stay within the bounds.
func FuzzMetrics(f *testing.F) {
	f.Add(fmt.Sprintf(metricsText, 10.0, 50, 60, 60), fmt.Sprintf(metricsText, 9.0, 5, 6, 7))
	f.Add("", "# TYPE venued_region_tick_seconds gauge\nvenued_region_tick_seconds 4\n")
	f.Fuzz(func(t *testing.T, a, b string) {
		before, err := parse(strings.NewReader(a))
		if err != nil {
			return
		}
		after, err := parse(strings.NewReader(b))
		if err != nil {
			return
		}
		s := &Sampler{before: before}
		s.compare(&after)
	})
}
