// Package metrics serves what operators and their tools look at: /metrics for Prometheus,
// /healthz and /readyz for whoever restarts or routes to the process, and /debug/pprof for whoever wants to
// know where its time and memory go.
//
// # Model
//
// One registry a process, made by New; roles register their own metrics with it,
// named venued_* with the unit in the name. /healthz says that the process can answer;
// /readyz asks each role whether it does its work, and names those that do not.
//
// # Trust
//
// There is no authentication, and a profile tells more of the process than its figures do: the listener
// belongs on a loopback or another closed address.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	rpprof "runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// New returns a registry with the metrics of the process and of Go, and venued_build_info.
func New(version string) *prometheus.Registry {
	r := prometheus.NewRegistry()
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "venued_build_info", Help: "1, with the version of this program."}, []string{"version"})
	info.WithLabelValues(version).Set(1)
	r.MustRegister(info, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// SlowReaders returns a function for bus.Options.Slow that keeps, by connection and subject, how many
// messages a reader has lost by being too slow.
func SlowReaders(r prometheus.Registerer) func(connection, subject string, dropped uint64) {
	lost := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "venued_bus_dropped_messages", Help: "Messages that a subscription has lost since its start by being too slow.",
	}, []string{"connection", "subject"})
	r.MustRegister(lost)
	return func(connection, subject string, dropped uint64) {
		lost.WithLabelValues(connection, subject).Set(float64(dropped))
	}
}

// LateRules returns a function for rules.Config.Late that counts, by rule, the calls which the watchdog saw.
func LateRules(r prometheus.Registerer) func(rule string) {
	late := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "venued_rule_watchdog_total", Help: "Calls of rules that took longer than a second, whatever their fuel.",
	}, []string{"rule"})
	r.MustRegister(late)
	return func(rule string) { late.WithLabelValues(rule).Inc() }
}

// Check is one role's readiness.
type Check struct {
	Name  string
	Ready func() error // nil: it does its work. Called at each request, from any goroutine; must not block
	// Serves says that visitors are served all the same while Ready fails: the answer tells of it, and is still that all is ready.
	Serves bool
}

// maxProfile is the longest profile or trace that one request may take, seconds.
const maxProfile = 60

// Handler answers GET and HEAD of /healthz, /readyz, /metrics and, for `go tool pprof`, /debug/pprof/NAME:
// heap, goroutine, allocs, block, mutex, threadcreate, and profile (CPU) and trace with ?seconds=N, at most maxProfile.
func Handler(g prometheus.Gatherer, checks ...Check) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(g, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok\n") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		status, text := http.StatusOK, "ready\n"
		var faults strings.Builder
		for _, c := range checks {
			if err := c.Ready(); err != nil {
				line := fmt.Sprintf("%s: %s\n", c.Name, strings.ReplaceAll(err.Error(), "\n", "; "))
				if c.Serves {
					text += "but " + line
				} else {
					faults.WriteString(line)
				}
			}
		}
		if faults.Len() > 0 {
			status, text = http.StatusServiceUnavailable, faults.String()
		}
		answer(w, status, text)
	})
	mux.HandleFunc("GET /debug/pprof/{name}", profile)
	return mux
}

// profile answers for one kind of profile. The command line and symbols are not among them.
func profile(w http.ResponseWriter, r *http.Request) {
	timed := map[string]http.HandlerFunc{"profile": pprof.Profile, "trace": pprof.Trace}
	name := r.PathValue("name")
	if f, ok := timed[name]; ok {
		text := r.FormValue("seconds")
		if n, err := strconv.ParseFloat(text, 64); text != "" && !(err == nil && n > 0 && n <= maxProfile) {
			answer(w, http.StatusBadRequest, fmt.Sprintf("seconds=%q: give a number above 0, at most %d\n", text, maxProfile))
			return
		}
		f(w, r)
		return
	}
	if rpprof.Lookup(name) == nil {
		answer(w, http.StatusNotFound, fmt.Sprintf("there is no profile %q: known are allocs, block, goroutine, heap, mutex, profile, threadcreate, trace\n", name))
		return
	}
	pprof.Handler(name).ServeHTTP(w, r)
}

func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// The only error is a reader that has gone.
	_, _ = io.WriteString(w, text)
}

// Server serves a Handler on a listener of its own.
type Server struct {
	http     *http.Server
	listener net.Listener
	done     chan struct{}
}

// Start listens on addr (host:port; port 0 picks one) and serves h. An address that is not loopback
// is a warning in log. When the port is in use the error says so.
func Start(addr string, h http.Handler, log *slog.Logger) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("metrics listener: %w; choose another address (server.metrics)", err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		log.Warn("metrics are served without authentication on an address that is not loopback", "address", l.Addr().String())
	}
	s := &Server{
		listener: l, done: make(chan struct{}),
		http: &http.Server{
			Handler: h, ReadHeaderTimeout: 5 * time.Second, WriteTimeout: (maxProfile + 30) * time.Second, IdleTimeout: time.Minute,
			MaxHeaderBytes: 16 << 10, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		},
	}
	go func() {
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("metrics listener ended", "error", err)
		}
	}()
	return s, nil
}

// Addr returns the address it listens on.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Stop ends the listener; requests in progress may end until ctx does.
func (s *Server) Stop(ctx context.Context) error {
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = errors.Join(fmt.Errorf("metrics listener: %w", err), s.http.Close())
	}
	<-s.done
	return err
}
