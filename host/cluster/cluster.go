// Package cluster makes processes one cluster: each says that it is there, learns who else is, and takes the regions that nobody has.
//
// # Model
//
//	every 500 ms:  Join -> Roll{Members, Routes}
//	               peers of the bus <- Members
//	               regions that no living node owns -> some node takes each (assign)
//	               regions that somebody else owns by now -> given up
//
// All nodes compute the same assignment from the same roll. Where they saw different rolls, two may want one region: the store gives it to
// one of them (store.Registry.Claim), and the other sees so in the next roll. There is no leader, and nothing to elect.
//
// # Failure
//
// A process that is silent for Lifetime is gone: its regions start elsewhere, from the store, under the next epoch. If it was only paused, the
// store refuses its writes, gateways its records, and it gives its regions up as soon as it reads the roll. While the registry cannot be reached, everybody
// keeps what they have.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/store"
)

// Roles of a member that decide what its process runs.
const (
	RoleGateway = "gateway"
	RoleNode    = "node"
)

const (
	// Lifetime is for how long a member counts as there after it said so.
	Lifetime = 2 * time.Second
	// beat is how often it says so.
	beat = 500 * time.Millisecond
	// settle is how long a node waits after it joined before it takes its first region, so that those who start together share.
	settle = 2 * time.Second
	// moveTime bounds the taking or giving up of one region.
	moveTime = 10 * time.Second
	// maxSkew is by how much a process's clock may differ from the store's before it is said.
	maxSkew = 2 * time.Second
)

// Config of a member. Registry, Venue and Member are needed.
type Config struct {
	Registry store.Registry
	Venue    string
	Regions  []string // names, in the venue's order
	Member   store.Member
	Node     *node.Node           // nil for a process without that role
	Peers    func([]string) error // is told the bus addresses of the others whenever they change; optional
	Log      *slog.Logger         // default slog.Default()
}

// Cluster is one process's membership.
type Cluster struct {
	cfg    Config
	joined time.Time
	cancel context.CancelFunc
	done   chan struct{}

	mu       sync.Mutex
	roll     store.Roll
	err      error // of the newest Join
	draining bool
	peers    []string
}

// Start joins. It fails when the process does not fit those that are there, and when the registry cannot be reached.
func Start(ctx context.Context, cfg Config) (*Cluster, error) {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	cfg.Log = cfg.Log.With("member", cfg.Member.Name)
	c := &Cluster{cfg: cfg, joined: time.Now(), done: make(chan struct{})}
	roll, err := cfg.Registry.Join(ctx, cfg.Venue, cfg.Member, Lifetime)
	for end := time.Now().Add(2 * Lifetime); errors.Is(err, store.ErrName) && time.Now().Before(end) && wait(ctx, beat); {
		// Most likely the process before this one, killed: its time is up soon.
		roll, err = cfg.Registry.Join(ctx, cfg.Venue, cfg.Member, Lifetime)
	}
	if err != nil {
		return nil, err
	}
	if skew := time.Since(roll.Now); skew > maxSkew || skew < -maxSkew {
		cfg.Log.Warn("this machine's clock differs from the store's: set the clocks (NTP), since the venue's time follows the clock of whoever owns a region", "by", skew.Round(time.Millisecond))
	}
	c.see(roll)
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	c.cancel = cancel
	go c.run(run)
	return c, nil
}

// Stop ends what Start began and leaves. Regions that the node has are not given up: end this first so that none is taken any more, then the node, and then Leave.
func (c *Cluster) Stop() {
	c.cancel()
	<-c.done
}

// Leave takes the process out, so that others take its regions at once.
func (c *Cluster) Leave(ctx context.Context) error {
	return c.cfg.Registry.Leave(ctx, c.cfg.Venue, c.cfg.Member.Name, c.cfg.Member.Incarnation)
}

// Roll returns what was last heard, and the error of the newest attempt.
func (c *Cluster) Roll() (store.Roll, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.roll, c.err
}

// Ready returns nil when every region has a living owner, as far as is known.
func (c *Cluster) Ready() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, name := range c.cfg.Regions {
		if owner := ownerOf(&c.roll, name); owner == "" {
			errs = append(errs, fmt.Errorf("region %s/%s has no owner: a process with role node takes it within seconds, if there is one", c.cfg.Venue, name))
		}
	}
	return errors.Join(errs...)
}

// Drain makes the process take no more regions and give up those it has, one after the other: others take them.
func (c *Cluster) Drain() {
	c.mu.Lock()
	c.draining = true
	c.mu.Unlock()
}

func (c *Cluster) member() store.Member {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.cfg.Member
	m.Draining = c.draining
	return m
}

func (c *Cluster) run(ctx context.Context) {
	defer close(c.done)
	again := time.NewTicker(beat)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
		}
		// An answer that takes longer than a member's life is worth nothing.
		call, cancel := context.WithTimeout(ctx, Lifetime)
		roll, err := c.cfg.Registry.Join(call, c.cfg.Venue, c.member(), Lifetime)
		cancel()
		if ctx.Err() != nil {
			return
		}
		c.heard(err)
		if err != nil {
			continue
		}
		c.see(roll)
		c.settleRegions(ctx, &roll)
	}
}

// heard notes how the newest attempt went, and logs changes.
func (c *Cluster) heard(err error) {
	c.mu.Lock()
	before := c.err
	c.err = err
	c.mu.Unlock()
	switch {
	case err != nil && before == nil:
		c.cfg.Log.Error("the registry does not answer: regions stay where they are until it does", "error", err)
	case err == nil && before != nil:
		c.cfg.Log.Info("the registry answers again")
	}
}

// see takes a roll in.
func (c *Cluster) see(roll store.Roll) {
	var peers []string
	for _, m := range roll.Members {
		if m.Bus != "" && m.Name != c.cfg.Member.Name {
			peers = append(peers, m.Bus)
		}
	}
	c.mu.Lock()
	before := c.roll
	c.roll = roll
	changed := !slices.Equal(peers, c.peers)
	c.peers = peers
	c.mu.Unlock()
	for _, m := range roll.Members {
		if before.Member(m.Name) == nil {
			c.cfg.Log.Info("a process is there", "name", m.Name, "roles", m.Roles, "http", m.HTTP)
		}
	}
	for _, m := range before.Members {
		if roll.Member(m.Name) == nil {
			c.cfg.Log.Warn("a process is gone", "name", m.Name, "roles", m.Roles)
		}
	}
	if changed && c.cfg.Peers != nil {
		if err := c.cfg.Peers(peers); err != nil {
			c.cfg.Log.Error("peers of the bus", "error", err)
		}
	}
}

// settleRegions gives up what is somebody else's and takes what is nobody's.
func (c *Cluster) settleRegions(ctx context.Context, roll *store.Roll) {
	if c.cfg.Node == nil {
		return
	}
	me := c.cfg.Member.Name
	draining := c.member().Draining
	for _, s := range c.cfg.Node.Status() {
		if s.State == node.Elsewhere || s.State == node.Starting {
			continue
		}
		route := routeOf(roll, s.Name)
		mine := route != nil && route.Owner == me
		if mine && !draining {
			continue
		}
		c.move(ctx, "give up", s.Name, func(ctx context.Context) error {
			if err := c.cfg.Node.Give(ctx, s.Name); err != nil || !mine {
				return err
			}
			return c.cfg.Registry.Release(ctx, store.RegionKey{Venue: c.cfg.Venue, Region: s.Name}, me, route.Epoch)
		})
		if mine {
			return // one at a time while draining, so that others take it before the next one stands still
		}
	}
	if time.Since(c.joined) < settle || draining {
		return
	}
	for _, s := range c.cfg.Node.Status() {
		// One that is this member's on paper only: it was the process before this one's, or its start failed.
		if route := routeOf(roll, s.Name); s.State == node.Elsewhere && route != nil && route.Owner == me {
			c.move(ctx, "take", s.Name, func(ctx context.Context) error { return c.cfg.Node.Take(ctx, s.Name, route.Epoch) })
		}
	}
	for _, claim := range assign(roll, c.cfg.Regions) {
		if claim.node == me {
			c.move(ctx, "take", claim.region, func(ctx context.Context) error { return c.cfg.Node.Take(ctx, claim.region, claim.after) })
		}
	}
}

func (c *Cluster) move(ctx context.Context, what, region string, f func(context.Context) error) {
	call, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	err := f(call)
	switch {
	case err == nil, ctx.Err() != nil:
	case errors.Is(err, store.ErrFenced), errors.Is(err, node.ErrIsOwned), errors.Is(err, node.ErrNotOwned):
		c.cfg.Log.Info("a region changed hands meanwhile", "wanted", what, "region", region, "reason", err)
	default:
		c.cfg.Log.Error("a region could not be moved", "wanted", what, "region", region, "error", err)
	}
}

// wait returns false when ctx ends before d is over.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
