package replay_test

import (
	"testing"
	"time"

	"github.com/venued/venued/host/recording"
)

// BenchmarkRecording reports what being recorded costs a region of 200 people on its own goroutine, as a ratio to the same region's tick
// without, in turns of a hundred ticks; and the bytes of a tick in the file. The writer works beside it.
func BenchmarkRecording(b *testing.B) {
	w := newWorld(b, 200)
	w.play(600)
	var alone, recorded time.Duration
	for b.Loop() {
		began := time.Now()
		w.play(100)
		alone += time.Since(began)
		w.file.Reset()
		w.record(recording.Limits{})
		began = time.Now()
		w.play(100)
		recorded += time.Since(began)
		w.stop()
	}
	b.ReportMetric(float64(recorded)/float64(alone), "x/alone")
	b.ReportMetric(float64(w.file.Len())/100, "B/tick")
	b.ReportMetric(float64(recorded.Microseconds())/float64(b.N)/100, "us/tick")
}

// BenchmarkStart reports how long the beginning of a recording holds up the region, in ticks of the venue.
func BenchmarkStart(b *testing.B) {
	w := newWorld(b, 200)
	w.play(600)
	var held time.Duration
	for b.Loop() {
		w.file.Reset()
		began := time.Now()
		w.record(recording.Limits{})
		held += time.Since(began)
		w.stop()
	}
	b.ReportMetric(float64(held.Microseconds())/float64(b.N)/float64(w.venue.TickUS()), "ticks")
}
