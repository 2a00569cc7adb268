package rtc

import (
	"testing"

	"github.com/venued/venued/rtc/token"
)

// TestSessionsAreCountedByPartition: load generators do not count as people in the metrics.
func TestSessionsAreCountedByPartition(t *testing.T) {
	r := newRig(t, rigOptions{})
	r.join(joinOptions{token: r.token(token.Claims{User: "ada"}), lane: "ws"})
	bots := r.token(token.Claims{Many: true, Load: true})
	r.join(joinOptions{token: bots, lane: "ws"})
	r.join(joinOptions{token: bots, lane: "ws"})
	count := func() map[string]float64 {
		families, err := r.reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, f := range families {
			if f.GetName() != "venued_gateway_sessions" {
				continue
			}
			for _, m := range f.GetMetric() {
				labels := map[string]string{}
				for _, l := range m.GetLabel() {
					labels[l.GetName()] = l.GetValue()
				}
				out[labels["state"]+" "+labels["partition"]] = m.GetGauge().GetValue()
			}
		}
		return out
	}
	r.until("one person and two of load in the metrics", func() bool {
		n := count()
		return n["connected people"] == 1 && n["connected load"] == 2 && n["away people"] == 0 && n["away load"] == 0
	})
}
