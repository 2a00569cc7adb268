package view

import (
	"testing"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// naiveFrames is the baseline: everyone in full to everyone at every tick, seen or not, in as
// many frames as that takes.
func (c *crowd) naiveFrames(out *wire.FrameWriter) (bytes int) {
	for i, client := range c.clients {
		out.Reset(c.bufs[i], wire.MaxFrame, wire.FrameHeader{})
		for h := range c.record.Entities {
			e := &c.record.Entities[h]
			if e.ID == client.self || !out.Full(uint16(h), &e.State) && !c.overflow(i, out, h, &bytes) {
				continue
			}
		}
		bytes += len(out.Bytes())
	}
	return bytes
}

// overflow starts another frame for a record that did not fit.
func (c *crowd) overflow(i int, out *wire.FrameWriter, h int, bytes *int) bool {
	*bytes += len(out.Bytes())
	out.Reset(c.bufs[i], wire.MaxFrame, wire.FrameHeader{})
	return out.Full(uint16(h), &c.record.Entities[h].State)
}

// BenchmarkFrame is what a gateway does in one tick for 100 clients among 100 people, everyone in
// motion: all in one cell, where a frame has room for half of them, and in a hall of 40 x 40 m. Beside it, in the same run, the naive baseline; x_naive_time
// and x_naive_bytes are how many times as much it takes. Walking the people is not counted.
func BenchmarkFrame(b *testing.B) {
	b.Run("one cell", func(b *testing.B) { benchmarkFrame(b, 5*metre) })
	b.Run("hall", func(b *testing.B) { benchmarkFrame(b, 40*metre) })
}

func benchmarkFrame(b *testing.B, size int32) {
	const people = 100
	c := newCrowd(people, people, size)
	for range 80 {
		c.walk()
		c.frames()
	}
	var out wire.FrameWriter
	var naive time.Duration
	naiveBytes := 0
	c.bytes = 0
	records := 0
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		c.walk()
		start := time.Now()
		naiveBytes += c.naiveFrames(&out)
		naive += time.Since(start)
		b.StartTimer()
		c.frames()
		for _, client := range c.clients {
			records += client.out.Count()
		}
	}
	b.StopTimer()
	hz := float64(c.world.venue.TickHz)
	b.ReportMetric(float64(c.bytes)/float64(b.N)/people*hz, "bytes/client/s")
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/people, "ns/client")
	b.ReportMetric(float64(records)/float64(b.N)/people, "records/frame")
	b.ReportMetric(float64(naive)/float64(b.Elapsed()), "x_naive_time")
	b.ReportMetric(float64(naiveBytes)/float64(c.bytes), "x_naive_bytes")
}

// BenchmarkApply is one record of 100 people in motion.
func BenchmarkApply(b *testing.B) {
	c := newCrowd(100, 0, 40*metre)
	for range 80 {
		c.walk()
	}
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		c.record.Tick++
		c.record.N++
		for i := range c.record.Entities {
			c.record.Entities[i].State.Body.Head.Pos.Y ^= 1
		}
		if err := c.world.Apply(&c.record); err != nil {
			b.Fatal(err)
		}
	}
}
