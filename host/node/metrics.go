package node

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/scene"
)

// metrics are the node's, by region.
type metrics struct {
	tick, commit                          *prometheus.HistogramVec
	overruns, skipped, inputs, lost       *prometheus.CounterVec
	clamped, decisions, restarts          *prometheus.CounterVec
	ruleCalls, ruleFaults, ruleSwaps      *prometheus.CounterVec
	mailSent                              *prometheus.CounterVec
	recordBytes, storeErrors, storeGaps   *prometheus.CounterVec
	users, objects, backlog, ticks, whole *prometheus.GaugeVec
	places                                prometheus.Gauge
	placeErrors                           prometheus.Counter
}

// newMetrics makes the metrics and registers them with r, when there is one.
func newMetrics(r prometheus.Registerer) *metrics {
	counter := func(name, help string, more ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "venued_" + name, Help: help}, append([]string{"region"}, more...))
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "venued_" + name, Help: help}, []string{"region"})
	}
	histogram := func(name, help string, buckets []float64) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "venued_" + name, Help: help, Buckets: buckets}, []string{"region"})
	}
	m := &metrics{
		tick: histogram("region_tick_seconds", "Time a tick took: inputs, step, record, publishing.",
			[]float64{.0001, .00025, .0005, .001, .0025, .005, .01, .015, .02, .033, .05, .1, .25, 1}),
		commit: histogram("store_commit_seconds", "Time of a write of a region to the store.",
			[]float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}),
		overruns:    counter("region_overruns_total", "Ticks that took longer than a tick's length."),
		skipped:     counter("region_skipped_ticks_total", "Tick numbers skipped after a stall."),
		inputs:      counter("region_inputs_total", "Inputs handed to the region."),
		lost:        counter("region_inputs_lost_total", "Inputs not taken: poses dropped or inputs refused by a full inbox, batches malformed or for another owner.", "reason"),
		clamped:     counter("region_clamped_total", "Samples cut to the displacement budget, the bounds or the reach."),
		decisions:   counter("region_decisions_total", "Requests granted and denied.", "decision"),
		restarts:    counter("region_restarts_total", "Restarts of a region from the store after a panic."),
		ruleCalls:   counter("rule_calls_total", "Calls of rule plugins."),
		ruleFaults:  counter("rule_faults_total", "Failed calls of rule plugins.", "rule", "kind"),
		ruleSwaps:   counter("rule_swaps_total", "Modules of rules that were swapped, and those that a region went back from by itself.", "rule", "result"),
		mailSent:    counter("region_messages_total", "Messages and acknowledgements that were sent to other regions."),
		recordBytes: counter("region_record_bytes_total", "Bytes of state records published."),
		storeErrors: counter("store_errors_total", "Writes that the store did not take; each is tried again."),
		storeGaps:   counter("store_gaps_total", "Times that log records were dropped because the store was away for too long."),
		users:       gauge("region_users", "People in the region, those away included."),
		objects:     gauge("region_objects", "Objects in the region."),
		backlog:     gauge("store_backlog_records", "Log records and snapshots that wait for the store."),
		ticks:       gauge("region_tick", "Number of the newest tick."),
		whole:       gauge("region_up", "1 while the region runs, 0 while it is down or restarting."),
		places:      prometheus.NewGauge(prometheus.GaugeOpts{Name: "venued_store_backlog_places", Help: "Places of people that wait for the store."}),
		placeErrors: prometheus.NewCounter(prometheus.CounterOpts{Name: "venued_store_place_errors_total", Help: "Writes of places that the store did not take; each is tried again."}),
	}
	if r != nil {
		r.MustRegister(m.tick, m.commit, m.overruns, m.skipped, m.inputs, m.lost, m.clamped, m.decisions, m.restarts,
			m.ruleCalls, m.ruleFaults, m.ruleSwaps, m.mailSent, m.recordBytes, m.storeErrors, m.storeGaps, m.users, m.objects, m.backlog,
			m.ticks, m.whole, m.places, m.placeErrors)
	}
	return m
}

// regionMetrics are one region's, looked up once.
type regionMetrics struct {
	all                                   *metrics
	region                                string
	tick, commit                          prometheus.Observer
	overruns, skipped, inputs, clamped    prometheus.Counter
	grants, denials, restarts, ruleCalls  prometheus.Counter
	recordBytes, storeErrors, gaps        prometheus.Counter
	lostPoses, lostRefused                prometheus.Counter
	lostMalformed, lostStale, mailSent    prometheus.Counter
	users, objects, backlog, ticks, whole prometheus.Gauge
}

func (m *metrics) region(name string) regionMetrics {
	lost := func(reason string) prometheus.Counter { return m.lost.WithLabelValues(name, reason) }
	return regionMetrics{
		all: m, region: name,
		tick: m.tick.WithLabelValues(name), commit: m.commit.WithLabelValues(name),
		overruns: m.overruns.WithLabelValues(name), skipped: m.skipped.WithLabelValues(name),
		inputs: m.inputs.WithLabelValues(name), clamped: m.clamped.WithLabelValues(name),
		grants: m.decisions.WithLabelValues(name, "granted"), denials: m.decisions.WithLabelValues(name, "denied"),
		restarts: m.restarts.WithLabelValues(name), ruleCalls: m.ruleCalls.WithLabelValues(name),
		recordBytes: m.recordBytes.WithLabelValues(name), storeErrors: m.storeErrors.WithLabelValues(name),
		gaps: m.storeGaps.WithLabelValues(name), lostPoses: lost("pose_dropped"), lostRefused: lost("refused"),
		lostMalformed: lost("batch_malformed"), lostStale: lost("batch_of_other_owner"),
		users: m.users.WithLabelValues(name), objects: m.objects.WithLabelValues(name),
		mailSent: m.mailSent.WithLabelValues(name), backlog: m.backlog.WithLabelValues(name), ticks: m.ticks.WithLabelValues(name), whole: m.whole.WithLabelValues(name),
	}
}

// step takes what a step counted.
func (m *regionMetrics) step(e *scene.Effects) {
	s := &e.Stats
	m.ticks.Set(float64(e.Tick))
	m.users.Set(float64(s.Users))
	m.objects.Set(float64(s.Objects))
	m.inputs.Add(float64(s.Inputs))
	m.clamped.Add(float64(s.Clamped))
	m.grants.Add(float64(s.Grants))
	m.denials.Add(float64(s.Denials))
	m.ruleCalls.Add(float64(s.RuleCalls))
	for i := range e.Faults {
		f := &e.Faults[i]
		m.all.ruleFaults.WithLabelValues(m.region, f.Rule, string(f.Fault.Kind)).Inc()
	}
}
