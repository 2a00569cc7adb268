package node

import (
	"context"
	"fmt"
	"testing"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// crowd is people who move a little at every tick.
type crowd []stream.Input

func newCrowd(n int) crowd {
	c := make(crowd, n)
	for i := range c {
		head := at(-19+float64(i%19), 1.6, -9+float64(i/19%18))
		c[i] = stream.Input{Session: uint64(i + 1), Body: lattice.Body{Head: head, Left: head, Right: head}}
	}
	return c
}

// join returns the inputs by which they come in.
func (c crowd) join() []stream.Input {
	in := make([]stream.Input, len(c))
	for i := range c {
		in[i] = c[i]
		in[i].Kind, in[i].HasPlace, in[i].User, in[i].Name = stream.InputJoin, true, fmt.Sprintf("user-%d", i), "walker"
	}
	return in
}

// poses returns their samples of a tick, valid until the next call.
func (c crowd) poses(tick uint64) []stream.Input {
	for i := range c {
		c[i].Kind, c[i].PoseSeq = stream.InputPose, uint16(tick)
		c[i].Body.Head.Pos.X += int32(tick%2)*20 - 10
	}
	return c
}

// BenchmarkTick is a whole tick of a driver with 300 people who move (inputs from the inbox, step, record,
// publishing) against the region's step alone.
func BenchmarkTick(b *testing.B) {
	const people = 300
	var ns [2]float64
	b.Run("step", func(b *testing.B) {
		w := build(b, b.TempDir())
		r, err := scene.New(scene.Config{Venue: w.venue, Region: 0, Epoch: 1, IDBlock: 1, Rules: []scene.Rule{grabRule{&w.closed}}})
		if err != nil {
			b.Fatal(err)
		}
		c := newCrowd(people)
		r.Step(1, c.join())
		tick := uint64(1)
		b.ReportAllocs()
		for b.Loop() {
			tick++
			r.Step(tick, c.poses(tick))
		}
		ns[0] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	b.Run("driver", func(b *testing.B) {
		w := build(b, b.TempDir())
		lives, err := w.node.open(context.Background(), context.Background())
		if err != nil {
			b.Fatal(err)
		}
		d, l := w.node.drivers[0], lives[0]
		tick := l.tick + 1
		c := newCrowd(people)
		d.inbox.add(c.join())
		if err := d.tick(l, tick); err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			tick++
			d.inbox.add(c.poses(tick))
			if err := d.tick(l, tick); err != nil {
				b.Fatal(err)
			}
		}
		ns[1] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(ns[1]/ns[0], "x-step")
		for _, l := range lives {
			l.journal.stop()
			l.end()
		}
	})
}

// BenchmarkSnapshot is what a region with 300 people pays in the tick that takes a snapshot.
func BenchmarkSnapshot(b *testing.B) {
	const people = 300
	w := build(b, b.TempDir())
	r, err := scene.New(scene.Config{Venue: w.venue, Region: 0, Epoch: 1, IDBlock: 1, Rules: []scene.Rule{grabRule{&w.closed}}})
	if err != nil {
		b.Fatal(err)
	}
	r.Step(1, newCrowd(people).join())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Snapshot(); err != nil {
			b.Fatal(err)
		}
	}
}
