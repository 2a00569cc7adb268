package live

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/venued/venued/sdk/loadgen/report"
)

// Bounds of reading a server's metrics.
const (
	sampleEvery = time.Second
	sampleLimit = 5 * time.Second // for one answer
	maxMetrics  = 8 << 20         // bytes of one answer
)

// Names of the metrics that are read.
const (
	metricCPU    = "process_cpu_seconds_total"
	metricMemory = "process_resident_memory_bytes"
	metricTick   = "venued_region_tick_seconds"
	metricUsers  = "venued_region_users"
	metricBuild  = "venued_build_info"
	metricProcs  = "go_sched_gomaxprocs_threads"
)

// Sampler reads a server's metrics once a second.
type Sampler struct {
	url    string
	http   http.Client
	start  time.Time
	before reading
	out    []report.Server
	failed int
	err    error // of the newest failure
}

// reading is what one answer said.
type reading struct {
	at           time.Time
	cpu          float64 // seconds
	memory       float64 // bytes
	users        float64
	ticks        map[string]map[float64]uint64 // by region: cumulative counts by upper bound, seconds
	hasProcessor bool
	processors   float64 // that it may use, 0 when it does not say
	version      string
}

// NewSampler reads the metrics at a URL (http://host:port/metrics) once, so that one that is wrong is found before the run.
func NewSampler(ctx context.Context, url string) (*Sampler, error) {
	s := &Sampler{url: url, http: http.Client{Timeout: sampleLimit}}
	r, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.ticks) == 0 {
		return nil, fmt.Errorf("metrics of %s: there is no %s: this is no venued server's", url, metricTick)
	}
	s.before, s.start = r, r.at
	return s, nil
}

// Run reads until ctx ends. It may be called again afterwards, for another run.
func (s *Sampler) Run(ctx context.Context) {
	s.start, s.out, s.failed, s.err = time.Now(), nil, 0, nil
	if r, err := s.read(ctx); err == nil {
		s.before = r
	}
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	defer s.http.CloseIdleConnections()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		r, err := s.read(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			s.failed++
			s.err = err
			continue
		}
		s.out = append(s.out, s.compare(&r))
		s.before = r
	}
}

// Result returns what was read over time, and what is missing, "" for nothing. Call it when Run has returned.
func (s *Sampler) Result() (out []report.Server, missing string) {
	if s.failed > 0 {
		missing = fmt.Sprintf("%d readings of the server's metrics failed, the last one with: %v", s.failed, s.err)
	}
	return s.out, missing
}

// Version returns the version of the server, "" when its metrics do not say.
func (s *Sampler) Version() string { return s.before.version }

// Processors returns how many processors the server may use, 0 when its metrics do not say.
func (s *Sampler) Processors() float64 { return s.before.processors }

// compare turns two readings into what happened between them.
func (s *Sampler) compare(r *reading) report.Server {
	out := report.Server{AtS: r.at.Sub(s.start).Seconds(), MemMB: r.memory / 1e6, People: r.users}
	if d := r.at.Sub(s.before.at).Seconds(); d > 0 && r.hasProcessor && r.cpu >= s.before.cpu {
		out.CPU = (r.cpu - s.before.cpu) / d
	}
	for region, counts := range r.ticks {
		out.TickP99 = max(out.TickP99, p99(counts, s.before.ticks[region])*1000)
	}
	return out
}

// p99 returns the upper bound of the bucket that holds the nearest-rank 99 % quantile of what came since before; what lies above all finite bounds counts as
// the greatest of them. 0 when nothing came.
func p99(now, before map[float64]uint64) float64 {
	since := func(bound float64) uint64 {
		if now[bound] < before[bound] {
			return now[bound] // the server was started anew
		}
		return now[bound] - before[bound]
	}
	all := since(math.Inf(1))
	if all == 0 {
		return 0
	}
	rank := (all*99 + 99) / 100
	least, greatest := math.Inf(1), 0.0
	for bound := range now {
		if math.IsInf(bound, 1) {
			continue
		}
		greatest = max(greatest, bound)
		if since(bound) >= rank {
			least = min(least, bound)
		}
	}
	return min(least, greatest)
}

func (s *Sampler) read(ctx context.Context) (r reading, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return r, fmt.Errorf("metrics: %w", err)
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return r, fmt.Errorf("metrics: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return r, fmt.Errorf("metrics of %s: %s", s.url, resp.Status)
	}
	r, err = parse(io.LimitReader(resp.Body, maxMetrics))
	r.at = time.Now()
	if err != nil {
		return r, fmt.Errorf("metrics of %s: %w", s.url, err)
	}
	return r, nil
}

// parse reads metrics in the Prometheus text format.
func parse(in io.Reader) (r reading, err error) {
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(in)
	if err != nil {
		return r, err
	}
	one := func(name string) (v float64, ok bool) {
		f := families[name]
		if f == nil || len(f.GetMetric()) == 0 {
			return 0, false
		}
		for _, m := range f.GetMetric() {
			v += m.GetGauge().GetValue() + m.GetCounter().GetValue() + m.GetUntyped().GetValue()
		}
		return v, true
	}
	r.cpu, r.hasProcessor = one(metricCPU)
	r.memory, _ = one(metricMemory)
	r.users, _ = one(metricUsers)
	r.processors, _ = one(metricProcs)
	for _, m := range families[metricBuild].GetMetric() {
		r.version = label(m, "version")
	}
	r.ticks = map[string]map[float64]uint64{}
	for _, m := range families[metricTick].GetMetric() {
		h := m.GetHistogram()
		if h == nil {
			continue
		}
		counts := map[float64]uint64{math.Inf(1): h.GetSampleCount()}
		for _, b := range h.GetBucket() {
			counts[b.GetUpperBound()] = b.GetCumulativeCount()
		}
		r.ticks[label(m, "region")] = counts
	}
	return r, nil
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.GetLabel() {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
