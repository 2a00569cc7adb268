// Package crowd measures what interest costs: everyone of a crowd is an avatar that moves and a viewer
// that looks. It is what `venued bench aoi` runs.
//
// # Model
//
// A tick puts every avatar into a grid of 5 m cells and updates every viewer's set, ranking included, on one goroutine;
// moving the people is not counted. Times are of the processor where the system tells them by thread, so that others on
// the machine do not count. The naive twin does the same by looking at everybody from everybody, in the same run. How
// long far avatars wait is measured with whole frames: views of some of the viewers, that acknowledge what
// they get 100 ms later.
package crowd

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/venued/venued/host/aoi"
	"github.com/venued/venued/host/aoi/naive"
	"github.com/venued/venued/lattice"
)

// Spreads are how a crowd may stand.
var Spreads = []string{"uniform", "clustered", "onecell"}

// MaxUsers is the largest crowd that is measured.
const MaxUsers = 20_000

// Settings of the crowd. They are those of a venue by default.
const (
	cell      = 5 * lattice.Steps
	margin    = 3 * lattice.Steps / 2
	near      = 64
	tickHz    = 30
	perPerson = 4   // square metres of hall
	groupSize = 100 // of a clustered crowd
	groupM    = 3   // standard deviation of a group, metres
)

// Options say what to measure.
type Options struct {
	Users  int           // 1 to MaxUsers
	Spread string        // of Spreads
	For    time.Duration // how long to measure, at least; default 1 s
}

// Result is what was measured.
type Result struct {
	Users         int     `json:"users"`
	Spread        string  `json:"spread"`
	Visible       float64 `json:"visible"`           // mean size of a viewer's set
	MsPerTick     float64 `json:"ms_per_tick"`       // all viewers
	NsPerAvatar   float64 `json:"ns_per_avatar"`     // the same by avatar
	AllocsPerTick float64 `json:"allocs_per_tick"`   //
	NaiveMs       float64 `json:"naive_ms_per_tick"` // of the naive twin
	FarRefreshS   float64 `json:"far_refresh_s"`     // longest that an avatar in view waited for its next update
}

// Check says what is wrong with the options.
func (o *Options) Check() error {
	if o.Users < 1 || o.Users > MaxUsers {
		return fmt.Errorf("users: %d: want 1 to %d", o.Users, MaxUsers)
	}
	for _, s := range Spreads {
		if o.Spread == s {
			return nil
		}
	}
	return fmt.Errorf("spread: %q: want one of %v", o.Spread, Spreads)
}

// Run measures.
func Run(o Options) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.For == 0 {
		o.For = time.Second
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r := &Result{Users: o.Users, Spread: o.Spread}
	p := newPeople(o.Users, o.Spread)
	r.interest(p, o.For)
	r.naive(p)
	var err error
	r.FarRefreshS, err = farRefresh(p)
	return r, err
}

// interest measures the product's grid and sets.
func (r *Result) interest(p *people, atLeast time.Duration) {
	g := aoi.NewGrid(cell, aoi.Rooms{})
	sets := make([]*aoi.Set, len(p.at))
	for i := range sets {
		sets[i] = aoi.NewSet(g, aoi.Viewer{Self: uint64(i + 1), Margin: margin, Stay: tickHz, Near: near})
	}
	tick := uint64(0)
	step := func() {
		tick++
		for i := range p.at {
			g.Put(uint64(i+1), aoi.Place{At: p.at[i]})
		}
		for i := range sets {
			sets[i].Update(tick, aoi.Place{At: p.at[i]})
		}
	}
	const warm, least = 10 * tickHz, tickHz
	for range warm {
		p.walk()
		step()
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, spent := 0, time.Duration(0)
	for n < least || spent < atLeast {
		p.walk()
		start := threadTime()
		step()
		spent += threadTime() - start
		n++
	}
	runtime.ReadMemStats(&after)
	for _, s := range sets {
		r.Visible += float64(s.Len()) / float64(len(sets))
	}
	r.MsPerTick = spent.Seconds() * 1000 / float64(n)
	r.NsPerAvatar = r.MsPerTick * 1e6 / float64(r.Users)
	r.AllocsPerTick = float64((after.Mallocs - before.Mallocs) / uint64(n)) // whole ones, as Go's benchmarks count
}

// naive measures the twin. Its time grows with the square of the crowd, so of a large one only some viewers are
// updated, and the rest is taken to cost the same.
func (r *Result) naive(p *people) {
	g := naive.NewGrid(cell, (&aoi.Rooms{}).See)
	for i := range p.at {
		g.Put(uint64(i+1), naive.Entity{At: p.at[i]})
	}
	const most = 2_000_000 // pairs
	some := max(1, min(len(p.at), most/len(p.at)))
	sets := make([]*naive.Set, some)
	for i := range sets {
		sets[i] = naive.NewSet(g, uint64(i+1), margin, tickHz, near)
		sets[i].Update(1, naive.Entity{At: p.at[i]})
	}
	const ticks = 8 // one ranking each
	var spent time.Duration
	for n := range uint64(ticks) {
		p.walk()
		start := threadTime()
		for i := range p.at {
			g.Put(uint64(i+1), naive.Entity{At: p.at[i]})
		}
		put := threadTime() - start
		start = threadTime()
		for i := range sets {
			sets[i].Update(n+2, naive.Entity{At: p.at[i]})
		}
		spent += put + (threadTime()-start)*time.Duration(len(p.at))/time.Duration(some)
	}
	r.NaiveMs = spent.Seconds() * 1000 / ticks
}

// people walk about, each within their part of the hall.
type people struct {
	at, vel []lattice.Vec
	home    []home
}

// home is the square that somebody stays in.
type home struct{ minX, minZ, maxX, maxZ int32 }

func newPeople(users int, spread string) *people {
	rng := rand.New(rand.NewPCG(1, uint64(users)))
	side := int32(cell)
	if spread != "onecell" {
		for int64(side)*int64(side) < int64(users)*perPerson*lattice.Steps*lattice.Steps {
			side += lattice.Steps
		}
	}
	p := &people{}
	var centres []lattice.Vec
	for range (users + groupSize - 1) / groupSize {
		centres = append(centres, lattice.Vec{X: rng.Int32N(side), Z: rng.Int32N(side)})
	}
	for i := range users {
		at := lattice.Vec{X: rng.Int32N(side), Z: rng.Int32N(side)}
		h := home{0, 0, side, side}
		if spread == "clustered" {
			c := centres[i%len(centres)]
			at.X = min(max(c.X+int32(rng.NormFloat64()*groupM*lattice.Steps), 0), side-1)
			at.Z = min(max(c.Z+int32(rng.NormFloat64()*groupM*lattice.Steps), 0), side-1)
			const about = lattice.Steps // people of a group mill about
			h = home{max(at.X-about, 0), max(at.Z-about, 0), min(at.X+about, side), min(at.Z+about, side)}
		}
		// Up to 1.5 m/s each way.
		const fast = 3 * lattice.Steps / 2 / tickHz
		p.at, p.home = append(p.at, at), append(p.home, h)
		p.vel = append(p.vel, lattice.Vec{X: rng.Int32N(2*fast+1) - fast, Z: rng.Int32N(2*fast+1) - fast})
	}
	return p
}

func (p *people) walk() {
	for i := range p.at {
		at, h := p.at[i].Add(p.vel[i]), &p.home[i]
		if at.X < h.minX || at.X >= h.maxX {
			p.vel[i].X, at.X = -p.vel[i].X, p.at[i].X
		}
		if at.Z < h.minZ || at.Z >= h.maxZ {
			p.vel[i].Z, at.Z = -p.vel[i].Z, p.at[i].Z
		}
		p.at[i] = at
	}
}
