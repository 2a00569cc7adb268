package aoi

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/venued/venued/host/aoi/naive"
	"github.com/venued/venued/lattice"
)

// crowd walks people through a square hall, each of them a viewer, in the grid and in
// the naive twin alike.
type crowd struct {
	g     *Grid
	sets  []*Set
	ng    *naive.Grid
	naive []*naive.Set

	hall     int32
	at, vel  []lattice.Vec
	tick     uint64
	trace    bool
	log      []uint64
	checksum int
}

func newCrowd(users int, hall, cell int32) *crowd {
	const margin, stay = 3 * lattice.Steps / 2, 30
	rooms := Rooms{}
	c := &crowd{g: NewGrid(cell, rooms), ng: naive.NewGrid(cell, rooms.See), hall: hall}
	r := rand.New(rand.NewPCG(1, uint64(users)))
	for i := range users {
		c.at = append(c.at, lattice.Vec{X: r.Int32N(hall), Z: r.Int32N(hall)})
		// Up to 1.5 m/s each way at 30 Hz.
		c.vel = append(c.vel, lattice.Vec{X: r.Int32N(103) - 51, Z: r.Int32N(103) - 51})
		id := uint64(i + 1)
		c.sets = append(c.sets, NewSet(c.g, Viewer{Self: id, Margin: margin, Stay: stay, Near: 64}))
		c.naive = append(c.naive, naive.NewSet(c.ng, id, margin, stay, 64))
		c.g.Put(id, Place{At: c.at[i]})
		c.ng.Put(id, naive.Entity{At: c.at[i]})
	}
	return c
}

func (c *crowd) walk() {
	c.tick++
	for i := range c.at {
		p := c.at[i].Add(c.vel[i])
		if p.X < 0 || p.X >= c.hall {
			c.vel[i].X = -c.vel[i].X
			p.X = c.at[i].X
		}
		if p.Z < 0 || p.Z >= c.hall {
			c.vel[i].Z = -c.vel[i].Z
			p.Z = c.at[i].Z
		}
		c.at[i] = p
	}
}

func (c *crowd) step() {
	c.walk()
	for i, p := range c.at {
		c.g.Put(uint64(i+1), Place{At: p})
	}
	for i, p := range c.at {
		entered, left := c.sets[i].Update(c.tick, Place{At: p})
		c.checksum += len(entered) + len(left)
		if c.trace {
			c.log = append(append(c.log, entered...), left...)
		}
	}
}

func (c *crowd) stepNaive() {
	c.walk()
	for i, p := range c.at {
		c.ng.Put(uint64(i+1), naive.Entity{At: p})
	}
	for i, p := range c.at {
		entered, left := c.naive[i].Update(c.tick, naive.Entity{At: p})
		c.checksum += len(entered) + len(left)
	}
}

// BenchmarkTick is one tick: everyone moves and everyone's set is updated. x_naive
// is how many times as long the naive twin takes for the same crowd, in the same run.
func BenchmarkTick(b *testing.B) {
	const cell = 5 * lattice.Steps
	for _, users := range []int{100, 1000} {
		for _, hall := range []struct {
			name string
			size int32
		}{{"uniform", 100 * lattice.Steps}, {"one cell", cell}} {
			b.Run(fmt.Sprintf("%d users/%s", users, hall.name), func(b *testing.B) {
				c := newCrowd(users, hall.size, cell)
				for range 30 {
					c.step()
				}
				c.stepNaive()
				const rounds = 3
				start := time.Now()
				for range rounds {
					c.stepNaive()
				}
				naive := float64(time.Since(start)) / rounds
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					c.step()
				}
				b.ReportMetric(naive/(float64(b.Elapsed())/float64(b.N)), "x_naive")
				var seen int
				for _, s := range c.sets {
					seen += s.Len()
				}
				b.ReportMetric(float64(seen)/float64(users), "visible")
			})
		}
	}
}
