package sim

import (
	"fmt"

	"github.com/venued/venued/scheduler/migration"
)

// misfortune draws what goes wrong in a run.
func (c *cluster) misfortune(seed uint64) {
	pick := func(list ...float64) float64 { return list[c.rng.IntN(len(list))] }
	c.net.drop, c.net.double, c.net.slow = pick(0, 0.01, 0.08), pick(0, 0.05), pick(0, 0.02, 0.1)
	c.commitUS = int64(pick(0, 0, 60_000, 150_000))
	gentle := c.chance(0.4) // only the network is bad
	if c.chance(0.3) {
		at := c.between(500_000, activeUS-1_500_000)
		c.at(at, nil, func() {
			c.say("fault", "the store is away")
			c.storeAway = c.now + c.between(100_000, 1_000_000)
		})
	}
	if !gentle {
		c.storeLost = pick(0, 0, 0.02)
		all := c.everybody()
		for range c.rng.IntN(3) {
			p := all[c.rng.IntN(len(all)-len(c.gateways))] // gateways hold connections: theirs end with them
			c.at(c.between(500_000, activeUS), nil, func() {
				if p.up {
					c.excuse("%s crashes", p.name)
					c.crash(p, c.between(200_000, 2_500_000))
				}
			})
		}
		for range c.rng.IntN(3) {
			p := all[c.rng.IntN(len(all))]
			c.at(c.between(500_000, activeUS), nil, func() {
				c.excuse("%s stands still", p.name)
				p.paused = c.now + c.between(50_000, 3_000_000)
			})
		}
		if c.chance(0.3) {
			a, b := all[c.rng.IntN(len(all))], all[c.rng.IntN(len(all))]
			c.at(c.between(500_000, activeUS), nil, func() {
				c.excuse("%s and %s are cut off from each other", a.name, b.name)
				until := c.now + c.between(100_000, 2_000_000)
				c.net.cut[[2]string{a.name, b.name}] = until
				if c.chance(0.6) {
					c.net.cut[[2]string{b.name, a.name}] = until
				}
			})
		}
		if c.chance(0.6) {
			c.failpoints(seed)
		}
	}
	c.at(activeUS, nil, func() {
		c.say("fault", "everything is well from here on")
		c.calm = true
		c.net.drop, c.net.double, c.net.slow, c.storeLost, c.storeAway = 0, 0, 0, 0, 0
		clear(c.net.cut)
	})
}

func (c *cluster) everybody() (all []*process) {
	for _, n := range c.nodes {
		all = append(all, n.p)
	}
	for _, k := range c.candidates {
		all = append(all, k.p)
	}
	for _, g := range c.gateways {
		all = append(all, g.p)
	}
	return all
}

// Result is what a run gave.
type Result struct {
	Seed       uint64
	Events     int     // that happened
	Moves      int     // that were ordered
	PausesUS   []int64 // of moves before anything crashed: from the source's last tick until the target could make the next
	Violations []Violation
}

// Run simulates a cluster with a seed: the same seed and plant give the same run. trace, which may be nil, gets a line for
// everything that happens.
func Run(seed uint64, plant Plant, trace func(string)) Result {
	c := newCluster(seed, plant, trace)
	c.loop.run(endUS)
	if !c.halt {
		c.check.quiet()
	}
	return Result{seed, c.ran, c.check.moves, c.check.pauses, c.check.violations}
}

// String says what a run found.
func (r Result) String() string {
	if len(r.Violations) == 0 {
		return fmt.Sprintf("seed %d: %d events, %d moves, no violation", r.Seed, r.Events, r.Moves)
	}
	return fmt.Sprintf("seed %d: %s", r.Seed, r.Violations[0])
}

// failpoints holds or kills somebody at a step or two. The first goes through all steps from seed to seed.
func (c *cluster) failpoints(seed uint64) {
	n := uint64(len(migration.Steps))
	c.fails[migration.Steps[seed%n]] = &failpoint{nth: 1, kill: seed/n%2 == 0, hold: c.between(50_000, 2_000_000)}
	if c.chance(0.5) {
		name := migration.Steps[c.rng.IntN(int(n))]
		c.fails[name] = &failpoint{nth: 1 + c.rng.IntN(3), kill: c.chance(0.5), hold: c.between(50_000, 2_000_000)}
	}
}
