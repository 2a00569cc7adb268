package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
	"github.com/venued/venued/venues"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// manifest is a floor in four regions.
const manifest = `
[venue]
id = "hall"
name = "Hall"

[[floor]]
name = "ground"
min = [-20.0, -10.0]
max = [20.0, 10.0]

[[cut]]
axis = "x"
at = 0

[[cut]]
axis = "x"
at = -10
in = "0"

[[cut]]
axis = "x"
at = 10
in = "1"

[[spawn]]
name = "west"
at = [-15.0, 0.0]
`

// process is one member with a node.
type process struct {
	t       *testing.T
	name    string
	node    *node.Node
	cluster *Cluster
	conn    *bus.Conn
	dead    bool
}

type hall struct {
	t     *testing.T
	store *storetest.Memory
	bus   *bus.Server
	venue *venues.Venue
	names []string
}

func newHall(t *testing.T) *hall {
	t.Helper()
	v, err := venues.Read("hall.toml", []byte(manifest), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := bus.StartEmbedded(bus.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Stop)
	h := &hall{t: t, store: storetest.NewMemory(time.Now().UnixMicro()), bus: b, venue: v}
	for _, r := range v.Regions {
		h.names = append(h.names, r.Name)
	}
	return h
}

func (h *hall) start(name string, incarnation uint64) *process {
	h.t.Helper()
	p := &process{t: h.t, name: name}
	var err error
	if p.conn, err = h.bus.Connect(name); err != nil {
		h.t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	p.node, err = node.New(node.Config{
		Venue: h.venue, Store: h.store, Bus: p.conn, Log: log,
		Rules: func(int) ([]scene.Rule, error) { return nil, nil },
		Claim: func(ctx context.Context, region string, after uint64) (store.Lease, error) {
			return h.store.Claim(ctx, store.RegionKey{Venue: h.venue.ID, Region: region}, name, after)
		},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if err := p.node.Start(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	p.cluster, err = Start(h.t.Context(), Config{
		Registry: h.store, Venue: h.venue.ID, Regions: h.names, Node: p.node, Log: log,
		Member: store.Member{Name: name, Incarnation: incarnation, Roles: []string{RoleNode}, Version: "1"},
	})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(p.end)
	return p
}

// end stops a process as an operator does.
func (p *process) end() {
	if p.dead {
		return
	}
	p.dead = true
	p.cluster.Stop()
	if err := p.node.Stop(context.Background()); err != nil {
		p.t.Error(err)
	}
	if err := p.cluster.Leave(context.Background()); err != nil {
		p.t.Error(err)
	}
	p.conn.Close()
}

// runs returns the regions that tick here.
func (p *process) runs() (names []string) {
	for _, s := range p.node.Status() {
		if s.State == node.Running {
			names = append(names, s.Name)
		}
	}
	return names
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("%s did not come", what)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// Two that start together share the regions; one that falls silent while it goes on ticking is overtaken and gives up what it had; one that
// drains gives its regions up one after the other; whoever comes back takes a name that is free again.
func TestRegionsFollowTheLiving(t *testing.T) {
	h := newHall(t)
	a, b := h.start("a", 1), h.start("b", 2)
	until(t, "a share for each", func() bool { return len(a.runs()) == 2 && len(b.runs()) == 2 })
	until(t, "the news of it", func() bool { return errors.Join(a.cluster.Ready(), b.node.Ready()) == nil })
	roll, err := a.cluster.Roll()
	if err != nil || len(roll.Members) != 2 {
		t.Errorf("%+v, %v", roll, err)
	}

	// As a process that was stopped: it says nothing, and does not know that its time is up.
	b.cluster.Stop()
	until(t, "all for the other", func() bool { return len(a.runs()) == 4 })
	again, err := Start(t.Context(), b.cluster.cfg)
	if err != nil {
		t.Fatal(err)
	}
	b.cluster = again
	until(t, "the overtaken one to see it", func() bool { return len(b.runs()) == 0 })

	a.cluster.Drain()
	until(t, "all for the one that does not drain", func() bool { return len(b.runs()) == 4 && len(a.runs()) == 0 })
	for _, s := range b.node.Status() {
		if s.Err != nil {
			t.Errorf("%s: %v", s.Name, s.Err)
		}
	}
	a.end()
	c := h.start("a", 3)
	b.end()
	until(t, "the regions of one that left", func() bool { return len(c.runs()) == 4 })
}

// A process that was killed and is started again under its name waits for the end of the first, and takes up what was its.
func TestTheSameNameAgain(t *testing.T) {
	h := newHall(t)
	a := h.start("a", 1)
	until(t, "the regions", func() bool { return len(a.runs()) == 4 })
	a.cluster.Stop()
	b := h.start("a", 2)
	until(t, "the regions again", func() bool { return len(b.runs()) == 4 })
	until(t, "the next epoch", func() bool {
		roll, err := b.cluster.Roll()
		return err == nil && len(roll.Routes) == 4 && roll.Routes[0].Epoch == 2
	})
	// The first never left; its regions end when their writes are refused or it stops.
	a.dead = true
	if err := a.node.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	a.conn.Close()
}

func TestWhoDoesNotFitIsRefused(t *testing.T) {
	h := newHall(t)
	h.start("a", 1)
	_, err := Start(t.Context(), Config{
		Registry: h.store, Venue: h.venue.ID, Regions: h.names,
		Member: store.Member{Name: "b", Incarnation: 2, Roles: []string{RoleGateway}, Version: "2"},
	})
	if !errors.Is(err, store.ErrConflict) {
		t.Errorf("another version: %v", err)
	}
}

// While the registry is away nothing moves, and afterwards nothing has.
func TestARegistryThatIsAway(t *testing.T) {
	h := newHall(t)
	a := h.start("a", 1)
	until(t, "the regions", func() bool { return len(a.runs()) == 4 })
	h.store.Fail(errors.New("away"))
	until(t, "the error", func() bool { _, err := a.cluster.Roll(); return err != nil })
	h.store.Fail(nil)
	until(t, "an answer", func() bool { _, err := a.cluster.Roll(); return err == nil })
	if n := len(a.runs()); n != 4 {
		t.Errorf("%d regions run", n)
	}
	roll, _ := a.cluster.Roll()
	for _, r := range roll.Routes {
		if r.Epoch != 1 {
			t.Errorf("%s is at epoch %d", r.Region, r.Epoch)
		}
	}
}

// Every region without a living owner is given to one node that is there and does not drain, nobody gets two more than another, and whoever lives keeps what it has.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r store.Roll
		taking := 0
		for i := range rapid.IntRange(0, 5).Draw(t, "members") {
			m := store.Member{Name: fmt.Sprint("m", i), Draining: rapid.Bool().Draw(t, "draining")}
			if rapid.Bool().Draw(t, "node") {
				m.Roles = []string{RoleNode}
				if !m.Draining {
					taking++
				}
			}
			r.Members = append(r.Members, m)
		}
		var regions []string
		for i := range rapid.IntRange(1, 9).Draw(t, "regions") {
			name := fmt.Sprint("r", i)
			regions = append(regions, name)
			if rapid.Bool().Draw(t, "routed") {
				r.Routes = append(r.Routes, store.Route{Region: name, Epoch: uint64(i + 1), Owner: rapid.SampledFrom([]string{"", "m0", "m1", "m2", "gone"}).Draw(t, "owner")})
			}
		}
		got := map[string]claim{}
		for _, c := range assign(&r, regions) {
			if _, twice := got[c.region]; twice {
				t.Fatalf("%s is given twice", c.region)
			}
			got[c.region] = c
		}
		for _, region := range regions {
			c, given := got[region]
			owned := ownerOf(&r, region) != ""
			if given == owned || !owned && !given && taking > 0 {
				if !(taking == 0 && !given) {
					t.Fatalf("%s: owned %v, given %v", region, owned, given)
				}
			}
			if given {
				m := r.Member(c.node)
				if m == nil || !m.Has(RoleNode) || m.Draining {
					t.Fatalf("%s is given to %q", region, c.node)
				}
				if route := routeOf(&r, region); route != nil && c.after != route.Epoch || route == nil && c.after != 0 {
					t.Fatalf("%s is given after epoch %d", region, c.after)
				}
			}
		}
	})
}
