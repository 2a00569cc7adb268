package sim

import (
	"strconv"

	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/scheduler/migration"
)

// gateway is a process with a route to every region, and the clients on it.
type gateway struct {
	c      *cluster
	p      *process
	routes []*migration.Route
	seen   []*seen
}

func newGateway(c *cluster, name string) *gateway {
	g := &gateway{c: c, p: &process{name: name, up: true, skew: c.between(-60_000, 60_000)}}
	for r := range hall().Regions {
		g.routes = append(g.routes, migration.NewRoute(migration.RouteConfig{
			Gateway: name, Region: hall().Regions[r].Name, RingTicks: saved.RingTicks(hall().TickHz), Timing: timing, Without: c.plant.Guards,
		}))
		g.seen = append(g.seen, newSeen())
	}
	c.every(c.between(1_000, 50_000), 50_000, g.p, func() {
		for r, route := range g.routes {
			g.do(r, route.Tick(c.now))
		}
	})
	return g
}

func (g *gateway) process() *process { return g.p }

func (g *gateway) handle(m *migration.Message) {
	for r, route := range g.routes {
		g.do(r, route.Handle(g.c.now, m))
	}
}

func (g *gateway) record(from string, rec *stream.Record) {
	for r, route := range g.routes {
		if hall().Regions[r].Name != rec.Region {
			continue
		}
		before, epoch := route.Owner()
		s, outs := route.Record(g.c.now, from, rec)
		if s.Stale {
			return
		}
		if s.Fresh {
			g.c.say(g.p.name, "%s: %s under epoch %d after %s under %d, tick %d", rec.Region, from, rec.Epoch, before, epoch, rec.Tick)
		}
		g.do(r, outs)
		g.c.check.record(g, r, rec, &s)
	}
}

func (g *gateway) do(r int, outs []migration.Out) {
	c := g.c
	for i := range outs {
		o := &outs[i]
		switch o.Do {
		case migration.DoInputs:
			for _, to := range c.receivers(o.To) {
				n, ok := to.(*node)
				if !ok {
					continue
				}
				c.deliver(g.p, n.p, func() { n.inputs(hall().Regions[r].Name, o.Stamp, o.Inputs) })
			}
		case migration.DoRevoke:
			c.say(g.p.name, "%s: events %d to %d are undone", hall().Regions[r].Name, o.Revoke[0], o.Revoke[len(o.Revoke)-1])
			g.seen[r].revoke(o.Revoke[0])
		case migration.DoResync:
			g.seen[r].resync()
		}
	}
}

// client is a person who walks, says the numbers 1, 2, 3 ... and takes things.
type client struct {
	c       *cluster
	n       int
	g       *gateway
	region  int
	session uint64
	user    string
	poseSeq uint16
	seq     uint32 // newest key input that the gateway took
	said    int    // newest number
	x       int32
	z       int32
	left    bool
}

func newClient(c *cluster, i int, g *gateway, region int) *client {
	k := &client{c: c, n: i, g: g, region: region, session: uint64(100 + i), user: "user" + strconv.Itoa(i)}
	k.z = int32(-4+i%2) * lattice.Steps
	if region == 1 {
		k.z = int32(4-i%2) * lattice.Steps
	}
	if hall().Regions[region].Rect.MinZ >= 0 != (k.z >= 0) {
		k.z = -k.z
	}
	k.x = 3 * lattice.Steps
	first := c.between(0, 400_000)
	if i == 4 {
		first += c.between(0, 4_000_000) // comes late
	}
	c.after(first, g.p, func() {
		at := lattice.Joint{Pos: lattice.Vec{X: k.x, Y: lattice.Steps * 16 / 10, Z: k.z}}
		in := k.input(stream.InputJoin)
		in.User, in.Name, in.HasPlace, in.Body.Head = k.user, k.user, true, at
		g.do(region, g.routes[region].Join(c.now, in))
		c.every(0, 100_000, g.p, k.walk)
		c.every(c.between(50_000, 200_000), c.between(60_000, 250_000), g.p, k.act)
	})
	if i == 3 {
		// One of them goes home.
		c.after(c.between(2_000_000, activeUS), g.p, func() {
			k.left = true
			g.do(region, g.routes[region].Leave(c.now, k.input(stream.InputLeave)))
		})
	}
	return k
}

func (k *client) input(kind stream.InputKind) stream.Input {
	at := k.c.now + 1_000_000
	return stream.Input{Kind: kind, Session: k.session, Stamp: at, Arrival: at}
}

// walk goes on along x, at a metre and a half a second.
func (k *client) walk() {
	if k.left {
		return
	}
	k.x += lattice.Steps * 15 / 100
	k.poseSeq++
	in := k.input(stream.InputPose)
	in.PoseSeq = k.poseSeq
	head := lattice.Vec{X: k.x, Y: lattice.Steps * 16 / 10, Z: k.z}
	hand := lattice.Vec{X: k.x, Y: lattice.Steps, Z: k.z}
	in.Body.Head.Pos, in.Body.Left.Pos, in.Body.Right.Pos = head, hand, hand
	outs, err := k.g.routes[k.region].Input(k.c.now, in)
	if err == nil {
		k.g.do(k.region, outs)
	}
}

// act says the next number, or takes or lets go of something.
func (k *client) act() {
	if k.left || k.c.calm {
		return
	}
	in := k.input(stream.InputMessage)
	what := k.c.rng.IntN(4)
	switch {
	case what == 0 && k.g.seen[k.region].things[0] != 0:
		in.Kind = stream.InputGrab
	case what == 1 && k.g.seen[k.region].things[0] != 0:
		in.Kind = stream.InputRelease
	default:
		in.Topic, in.Data = "say", strconv.AppendInt(nil, int64(k.said+1), 10)
	}
	if in.Kind != stream.InputMessage {
		in.Object = k.g.seen[k.region].things[k.c.rng.IntN(2)]
		in.HandAt.Pos = lattice.Vec{X: k.x, Y: lattice.Steps, Z: k.z}
	}
	in.Seq = k.seq + 1
	wait, _ := k.g.routes[k.region].Waiting(k.session)
	outs, err := k.g.routes[k.region].Input(k.c.now, in)
	if err != nil {
		return // it is tried again later
	}
	if wait >= migration.MaxUncovered && k.seq >= migration.MaxUncovered {
		k.c.fail("V16", "%s takes another input of session %d, with %d undecided", k.g.p.name, k.session, wait)
	}
	k.seq++
	if in.Kind == stream.InputMessage {
		k.said++
	}
	k.g.do(k.region, outs)
}
