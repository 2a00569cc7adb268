package sim

import (
	"container/heap"
	"math/rand/v2"

	"github.com/venued/venued/scheduler/migration"
)

// process is something that can crash, be stopped for a while, and has a clock of its own.
type process struct {
	name   string
	life   int // raised by each crash
	up     bool
	paused int64 // until then nothing is done
	skew   int64 // of its clock
}

type event struct {
	at   int64
	n    uint64 // order of those of one moment
	p    *process
	life int
	do   func()
}

type events []event

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	return q[i].at < q[j].at || q[i].at == q[j].at && q[i].n < q[j].n
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *events) Push(x any)   { *q = append(*q, x.(event)) }
func (q *events) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = event{}
	*q = (*q)[:last]
	return e
}

// loop is the one thread of a simulated cluster: what happens next, at a virtual time in microseconds.
type loop struct {
	now  int64
	n    uint64
	ran  int
	q    events
	rng  *rand.Rand
	halt bool
}

// at plans something for a process (nil: for the world), unless it crashes before.
func (l *loop) at(t int64, p *process, do func()) {
	l.n++
	e := event{at: max(t, l.now), n: l.n, p: p, do: do}
	if p != nil {
		e.life = p.life
	}
	heap.Push(&l.q, e)
}

func (l *loop) after(d int64, p *process, do func()) { l.at(l.now+d, p, do) }

// every repeats something until the process crashes.
func (l *loop) every(first, d int64, p *process, do func()) {
	var again func()
	again = func() {
		do()
		l.after(d, p, again)
	}
	l.after(first, p, again)
}

// run does everything up to a time.
func (l *loop) run(until int64) {
	for len(l.q) > 0 && l.q[0].at <= until && !l.halt {
		e := heap.Pop(&l.q).(event)
		l.now = e.at
		if e.p != nil {
			if !e.p.up || e.p.life != e.life {
				continue
			}
			if e.p.paused > l.now {
				e.at = e.p.paused
				l.n++
				e.n = l.n
				heap.Push(&l.q, e)
				continue
			}
		}
		l.ran++
		e.do()
	}
	l.now = max(l.now, until)
}

func (l *loop) chance(p float64) bool { return p > 0 && l.rng.Float64() < p }

// between draws from [a, b].
func (l *loop) between(a, b int64) int64 { return a + l.rng.Int64N(b-a+1) }

// network carries messages between processes, badly.
type network struct {
	drop, double, slow float64 // shares of messages
	cut                map[[2]string]int64
}

// deliver brings something from one process to another, never, once or twice.
func (c *cluster) deliver(from, to *process, do func()) {
	n := &c.net
	if n.cut[[2]string{from.name, to.name}] > c.loop.now || c.loop.chance(n.drop) {
		return
	}
	for range 2 {
		d := c.loop.between(500, 4_000)
		if c.loop.chance(n.slow) {
			d = c.loop.between(4_000, 400_000)
			if c.loop.chance(0.1) {
				d *= 6 // long after everybody has forgotten it
			}
		}
		c.loop.after(d, to, do)
		if !c.loop.chance(n.double) {
			return
		}
	}
}

// send carries a message of the machines, as bytes.
func (c *cluster) send(from *process, m *migration.Message) {
	b, err := m.Encode()
	if err != nil {
		c.fail("codec", "%s cannot be encoded: %v", m.Kind, err)
		return
	}
	for _, to := range c.receivers(m.To) {
		c.deliver(from, to.process(), func() {
			got, err := migration.Decode(b)
			if err != nil {
				c.fail("codec", "%s cannot be decoded: %v", m.Kind, err)
				return
			}
			to.handle(got)
		})
	}
}

// receiver is a process that takes messages: a node, a gateway or a candidate for coordinator.
type receiver interface {
	process() *process
	handle(*migration.Message)
}

func (c *cluster) receivers(to string) (list []receiver) {
	switch to {
	case migration.Gateways:
		for _, g := range c.gateways {
			list = append(list, g)
		}
	case migration.Coordinators:
		for _, k := range c.candidates {
			list = append(list, k)
		}
	default:
		for _, n := range c.nodes {
			if n.p.name == to {
				list = append(list, n)
			}
		}
		for _, k := range c.candidates {
			if k.p.name == to {
				list = append(list, k)
			}
		}
	}
	return list
}
