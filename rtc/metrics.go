package rtc

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/rtc/wire"
)

// metrics are the gateway's, under venued_gateway_.
type metrics struct {
	sessions   *prometheus.GaugeVec // by state
	handshakes *prometheus.CounterVec
	refusals   *prometheus.CounterVec
	closes     *prometheus.CounterVec
	frames     prometheus.Counter
	skipped    prometheus.Counter
	frameBytes prometheus.Counter
	events     prometheus.Counter
	poses      prometheus.Counter
	posesLost  prometheus.Counter
	keyInputs  prometheus.Counter
	resends    prometheus.Counter
	handovers  prometheus.Counter
	malformed  prometheus.Counter
	gaps       prometheus.Counter
	resumes    prometheus.Counter
	throttled  prometheus.Gauge
	roundTrip  prometheus.Histogram
	hubLag     prometheus.Histogram
	collectors []prometheus.Collector
}

func newMetrics() *metrics {
	m := &metrics{}
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Namespace: "venued", Subsystem: "gateway", Name: name, Help: help})
		m.collectors = append(m.collectors, c)
		return c
	}
	vec := func(name, help, label string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "venued", Subsystem: "gateway", Name: name, Help: help}, []string{label})
		m.collectors = append(m.collectors, c)
		return c
	}
	m.sessions = prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "venued", Subsystem: "gateway", Name: "sessions",
		Help: "Sessions by state (connected, away) and partition (people, load: tokens with the load mark)."}, []string{"state", "partition"})
	m.throttled = prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "venued", Subsystem: "gateway", Name: "throttled_sessions",
		Help: "Sessions that get frames at half the rate because of their connection."})
	m.roundTrip = prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "venued", Subsystem: "gateway", Name: "round_trip_seconds",
		Help: "From a frame to its acknowledgement, sampled once a second for each session.", Buckets: prometheus.ExponentialBuckets(0.005, 2, 9)})
	m.hubLag = prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: "venued", Subsystem: "gateway", Name: "slot_lag_seconds",
		Help: "How late a send slot was served.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 9)})
	m.collectors = append(m.collectors, m.sessions, m.throttled, m.roundTrip, m.hubLag)
	m.handshakes = vec("handshakes_total", "Connections that came up, by lane.", "lane")
	m.refusals = vec("refusals_total", "Requests that were refused, by code.", "code")
	m.closes = vec("closes_total", "Connections that ended, by code.", "code")
	m.frames = counter("frames_sent_total", "Frames sent on the pose lane.")
	m.skipped = counter("frames_skipped_total", "Frames not sent because the pose lane was full.")
	m.frameBytes = counter("frame_bytes_total", "Bytes of frames sent.")
	m.events = counter("events_sent_total", "Messages sent on the event lane.")
	m.poses = counter("poses_received_total", "Pose samples received and passed on.")
	m.posesLost = counter("poses_dropped_total", "Pose samples dropped: old, too many, or the hub's queue was full.")
	m.keyInputs = counter("key_inputs_total", "Key inputs taken.")
	m.handovers = counter("handovers_total", "Sessions that followed their person into another region.")
	m.resends = counter("resends_total", "Inputs sent to a region again.")
	m.malformed = counter("malformed_total", "Messages that could not be read.")
	m.gaps = counter("record_gaps_total", "Gaps in record streams that asked for a key frame.")
	m.resumes = counter("resumes_total", "Sessions resumed.")
	return m
}

// register adds the metrics to a registry.
func (m *metrics) register(r prometheus.Registerer) error {
	for _, c := range m.collectors {
		if err := r.Register(c); err != nil {
			return err
		}
	}
	return nil
}

func (m *metrics) unregister(r prometheus.Registerer) {
	for _, c := range m.collectors {
		r.Unregister(c)
	}
}

func (m *metrics) closed(code wire.Code) { m.closes.WithLabelValues(code.Name()).Inc() }
