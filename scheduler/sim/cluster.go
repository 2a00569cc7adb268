package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
	"github.com/venued/venued/scheduler/migration"
)

// Times of a run, microseconds.
const (
	activeUS = 6_000_000 // things go wrong for so long
	quietUS  = 6_000_000 // and then everything is well for so long
	tickUS   = 100_000   // of the hall
	leaseUS  = 800_000   // a leader that did not renew is followed
	endUS    = activeUS + quietUS
)

var timing = migration.Timing{
	Resend: 100_000, Final: 50_000, TakeBack: 700_000, Move: 2_500_000, Suspect: 800_000, Recover: 700_000,
}

// cluster is one simulated run.
type cluster struct {
	loop
	net   network
	store *storetest.Memory
	plant Plant

	storeAway int64 // until then calls fail
	storeLost float64
	commitUS  int64 // writes are gathered for so long
	ledger    map[string]migration.Entry
	leader    leadership

	nodes      []*node
	gateways   []*gateway
	candidates []*candidate
	clients    []*client

	fails   map[string]*failpoint // by step
	check   checker
	trace   func(string)
	excused bool // somebody crashed, stood still or was cut off: what was applied and not stored may be lost
	calm    bool // nothing goes wrong any more
}

type failpoint struct {
	nth  int
	kill bool
	hold int64
}

type leadership struct {
	term   uint64
	holder string
	until  int64
}

// excuse notes that from now on a crash explains that applied things are lost.
func (c *cluster) excuse(why string, args ...any) {
	c.excused = true
	c.say("fault", why, args...)
}

func (c *cluster) say(who, form string, args ...any) {
	if c.trace != nil {
		c.trace(fmt.Sprintf("%8.3f %-10s %s", float64(c.now)/1e6, who, fmt.Sprintf(form, args...)))
	}
}

func newCluster(seed uint64, plant Plant, trace func(string)) *cluster {
	c := &cluster{
		loop: loop{rng: rand.New(rand.NewPCG(seed, 0x5ce9e))}, store: storetest.NewMemory(0), plant: plant, trace: trace,
		ledger: map[string]migration.Entry{}, fails: map[string]*failpoint{},
	}
	c.net.cut = map[[2]string]int64{}
	c.check.init(c)
	for i := range 3 {
		c.nodes = append(c.nodes, newNode(c, fmt.Sprintf("node%d", i)))
	}
	for i := range 2 {
		c.candidates = append(c.candidates, newCandidate(c, fmt.Sprintf("coord%d", i)))
		c.gateways = append(c.gateways, newGateway(c, fmt.Sprintf("gate%d", i)))
	}
	for r := range hall().Regions {
		c.nodes[r].adopt(r)
	}
	for i := range 5 {
		c.clients = append(c.clients, newClient(c, i, c.gateways[i%2], i/2%2))
	}
	c.misfortune(seed)
	c.operator()
	return c
}

var errAway = errors.New("the store does not answer")

// call makes a call of the store for a process. do runs at the store; reply at the process, unless it crashed.
func (c *cluster) call(p *process, do func(ctx context.Context) error, reply func(error)) {
	c.after(c.between(300, 4_000), nil, func() {
		back := c.between(300, 4_000)
		if c.storeAway > c.now {
			c.after(50_000, p, func() { reply(errAway) })
			return
		}
		err := do(context.Background())
		if c.chance(c.storeLost) {
			c.excuse("an answer of the store is lost")
			err, back = errAway, 50_000
		}
		c.after(back, p, func() { reply(err) })
	})
}

// acquire takes a lease, and remembers that it was given.
func (c *cluster) acquire(p *process, region string, after uint64, reply func(store.Lease, error)) {
	key := store.RegionKey{Venue: hall().ID, Region: region}
	var l store.Lease
	c.call(p, func(ctx context.Context) (err error) {
		if c.plant.Guards&migration.GuardAfter != 0 {
			l, err = c.store.Acquire(ctx, key)
		} else {
			l, err = c.store.AcquireAfter(ctx, key, after)
		}
		if err == nil {
			c.check.granted(p, l)
		}
		return err
	}, func(err error) {
		if c.plant.Flaw == flawForgedLease && errors.Is(err, store.ErrFenced) {
			l, err = store.Lease{Key: key, Epoch: after + 1, Incarnation: 1, IDBlock: 1 << 20}, nil
		}
		reply(l, err)
	})
}

// candidate is a process that may lead.
type candidate struct {
	c    *cluster
	p    *process
	term uint64
	now  *migration.Coordinator
}

func newCandidate(c *cluster, name string) *candidate {
	k := &candidate{c: c, p: &process{name: name, up: true, skew: c.between(-60_000, 60_000)}}
	k.start()
	return k
}

func (k *candidate) process() *process { return k.p }

func (k *candidate) start() {
	k.now, k.term = nil, 0
	k.c.every(k.c.between(10_000, 300_000), 300_000, k.p, k.campaign)
	k.c.every(k.c.between(1_000, 50_000), 50_000, k.p, func() {
		if k.now != nil {
			k.do(k.now.Tick(k.c.now))
		}
	})
}

// campaign takes or keeps the lead.
func (k *candidate) campaign() {
	c := k.c
	var term uint64
	var entries []migration.Entry
	c.call(k.p, func(context.Context) error {
		l := &c.leader
		switch {
		case l.holder == k.p.name && l.term == k.term && k.term != 0:
			l.until = c.now + leaseUS
		case c.now >= l.until:
			*l = leadership{l.term + 1, k.p.name, c.now + leaseUS}
			for _, r := range hall().Regions {
				entries = append(entries, c.ledger[r.Name])
			}
		default:
			return nil
		}
		term = l.term
		return nil
	}, func(err error) {
		if err != nil || term == 0 || entries == nil {
			return
		}
		k.c.say(k.p.name, "leads, term %d", term)
		k.term = term
		k.now = migration.NewCoordinator(migration.CoordinatorConfig{
			Name: k.p.name, Term: term, Entries: entries, Timing: timing, Without: c.plant.Guards,
		})
	})
}

func (k *candidate) handle(m *migration.Message) {
	if k.now == nil {
		return
	}
	out := k.now.Handle(k.c.now, m)
	k.do(out)
	if k.now != nil && k.now.Over() {
		k.now = nil
	}
}

func (k *candidate) do(outs []migration.Out) {
	c := k.c
	for i := range outs {
		o := &outs[i]
		switch o.Do {
		case migration.DoStep:
			if c.failpoint(k.p, o.Step) {
				if k.p.up {
					rest := outs[i+1:]
					c.at(k.p.paused, k.p, func() { k.do(rest) })
				}
				return
			}
		case migration.DoSend:
			c.said(k.p, o.Message)
			c.send(k.p, o.Message)
		case migration.DoWrite:
			e, lead := *o.Entry, k.now
			var got migration.Entry
			c.call(k.p, func(context.Context) error {
				old := c.ledger[e.Region]
				got = old
				var before *migration.Entry
				if old.Version > 0 {
					before = &old
				}
				b, err := e.Encode()
				if err != nil {
					return err
				}
				read, err := migration.DecodeEntry(b)
				if err != nil {
					c.fail("codec", "%v", err)
					return err
				}
				if err := read.Follows(before); err != nil {
					return err
				}
				c.ledger[e.Region], got = *read, *read
				return nil
			}, func(err error) {
				if got.Region == "" {
					got.Region = e.Region
				}
				if lead != nil && k.now == lead {
					k.do(lead.Stored(c.now, got, err))
				}
			})
		}
	}
}

func (c *cluster) said(p *process, m *migration.Message) {
	if c.trace != nil && m.Kind != migration.KindReport {
		c.say(p.name, "%s %s to %s, move %x, epoch %d, term %d %s", m.Region, m.Kind, m.To, m.Move, m.Epoch, m.Term, m.Reason)
	}
}

// failpoint holds or kills a process at a step, and says whether it did.
func (c *cluster) failpoint(p *process, name string) bool {
	c.say(p.name, "- %s", name)
	f := c.fails[name]
	if f == nil || c.calm {
		return false
	}
	if f.nth--; f.nth != 0 {
		return false
	}
	if f.kill {
		c.excuse("%s is killed at %s", p.name, name)
		c.crash(p, c.between(200_000, 2_500_000))
		return true
	}
	c.excuse("%s is held at %s for %d ms", p.name, name, f.hold/1000)
	p.paused = max(p.paused, c.now+f.hold)
	return true
}

// crash ends a process, which comes back with nothing.
func (c *cluster) crash(p *process, back int64) {
	if !p.up {
		return
	}
	p.up = false
	p.life++
	c.after(back, nil, func() {
		if p.up {
			return
		}
		c.say(p.name, "starts again")
		p.up, p.paused = true, 0
		for _, n := range c.nodes {
			if n.p == p {
				n.start()
			}
		}
		for _, k := range c.candidates {
			if k.p == p {
				k.start()
			}
		}
	})
}

// operator moves regions about, and sometimes thinks better of it.
func (c *cluster) operator() {
	back := map[string]string{} // where a region was before
	c.every(c.between(300_000, 1_200_000), c.between(200_000, 900_000), nil, func() {
		if c.calm {
			return
		}
		i := slices.IndexFunc(c.candidates, func(k *candidate) bool { return k.p.up && k.now != nil && k.p.paused <= c.now && !k.now.Over() })
		if i < 0 {
			return
		}
		k := c.candidates[i]
		region := hall().Regions[c.rng.IntN(len(hall().Regions))].Name
		target := c.nodes[c.rng.IntN(len(c.nodes))].p.name
		if b := back[region]; b != "" && c.chance(0.5) {
			target = b
		}
		id, outs, err := k.now.Move(c.now, region, target)
		if err != nil {
			return
		}
		c.check.moves++
		back[region] = c.ledger[region].Owner
		c.say("operator", "moves %s to %s: %x", region, target, id)
		k.do(outs)
		if c.chance(0.3) {
			c.after(c.between(1_000, 300_000), k.p, func() {
				if k.now == nil {
					return
				}
				if outs, err := k.now.Abort(c.now, region, "the operator thinks better of it"); err == nil {
					k.do(outs)
				}
			})
		}
	})
}
