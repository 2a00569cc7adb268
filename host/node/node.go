package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/venues"
)

// Config of a node. Venue, Store, Bus and Rules are needed.
type Config struct {
	Venue *venues.Venue
	Store store.Store
	Bus   *bus.Conn
	// Rules makes the rule instances of a region (index of Venue.Regions), new ones at each call:
	// it is called at every start of the region. Those that have a method Close() are closed when
	// that start ends.
	Rules func(region int) ([]scene.Rule, error)
	// Module makes an instance of a module for a rule in a region (indices of Venue.Rules and Venue.Regions), for a swap; an empty digest
	// means the module of the venue's file, read again. It is called while the region runs. Optional.
	Module func(ctx context.Context, region, rule int, digest string) (scene.Rule, error)
	// Swapped is told of every change of a rule's module in a region (index of Venue.Regions): those that were asked for, and those
	// by which a region went back by itself. It is called between two ticks of the region and must not wait for anything. Optional.
	Swapped func(region int, e scene.SwapEvent)
	// Recordings is where recordings of regions are kept. Optional: without it there are none.
	Recordings *recording.Folder
	// Version of the program, for recordings.
	Version string
	// Log: default slog.Default().
	Log *slog.Logger
	// Metrics is where the node's metrics are registered. Optional.
	Metrics prometheus.Registerer
	// Now is the clock, with a monotonic reading. Default: time.Now.
	Now func() time.Time
	// CommitEvery is how long log records are gathered for one commit. Default 20 ms.
	CommitEvery time.Duration
	// SnapshotEvery is the time between a region's snapshots. Default 30 s.
	SnapshotEvery time.Duration
	// Claim makes this process the owner of a region (its name) if nobody else owned it since an epoch (see store.AcquireAfter). With
	// it the node owns nothing at first, and regions come and go with Take and Give. Optional: without it the node acquires all of the venue's regions when it
	// starts, from whoever has them.
	Claim func(ctx context.Context, region string, after uint64) (store.Lease, error)
	// Volatile says that what the store acknowledges may be lost with it: nothing is called durable then.
	Volatile bool
	// Handicap makes the node slow on purpose, for tests.
	Handicap Handicap
}

// Node drives a venue's regions.
type Node struct {
	cfg     Config
	metrics *metrics
	places  *places
	drivers []*driver
	subs    []*bus.Sub

	timeline atomic.Pointer[Timeline]
	soft     context.CancelFunc // asks drivers to end in order
	hard     context.CancelFunc // ends writes to the store too
	ctx      lifetime           // what the two end
	running  sync.WaitGroup
	behind   sync.WaitGroup // the writer of places
	taping   sync.WaitGroup // writers of recordings
}

// New checks the configuration. It starts nothing.
func New(cfg Config) (*Node, error) {
	switch {
	case cfg.Venue == nil:
		return nil, errors.New("node: Config.Venue is missing")
	case len(cfg.Venue.Regions) == 0:
		return nil, fmt.Errorf("node: venue %s has no region", cfg.Venue.ID)
	case cfg.Store == nil:
		return nil, errors.New("node: Config.Store is missing")
	case cfg.Bus == nil:
		return nil, errors.New("node: Config.Bus is missing")
	case cfg.Rules == nil:
		return nil, errors.New("node: Config.Rules is missing")
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.CommitEvery <= 0 {
		cfg.CommitEvery = 20 * time.Millisecond
	}
	if cfg.SnapshotEvery <= 0 {
		cfg.SnapshotEvery = 30 * time.Second
	}
	n := &Node{cfg: cfg, metrics: newMetrics(cfg.Metrics)}
	n.places = newPlaces(cfg.Store, cfg.Venue.ID, cfg.Log, n.metrics)
	for i := range cfg.Venue.Regions {
		n.drivers = append(n.drivers, newDriver(n, i))
	}
	return n, nil
}

// Start brings every region back from the store, or makes it, and starts its ticks. An error
// names the region; nothing runs then. ctx bounds the start only.
func (n *Node) Start(ctx context.Context) error {
	soft, cancelSoft := context.WithCancel(context.WithoutCancel(ctx))
	hard, cancelHard := context.WithCancel(context.WithoutCancel(ctx))
	n.soft, n.hard = cancelSoft, cancelHard
	n.ctx = lifetime{soft, hard}
	lives, err := n.open(ctx, hard)
	if err == nil {
		err = n.subscribe(soft)
	}
	if err != nil {
		for _, l := range lives {
			l.journal.stop()
			l.end()
		}
		n.unsubscribe()
		n.soft = nil
		cancelSoft()
		cancelHard()
		return err
	}
	for i, l := range lives {
		n.drivers[i].start(n.ctx, l)
	}
	n.behind.Go(func() { n.places.run(soft) })
	return nil
}

// open gives every region its first life and the venue its timeline.
func (n *Node) open(ctx, hard context.Context) ([]*life, error) {
	meta, err := n.cfg.Store.Venue(ctx, n.cfg.Venue.ID)
	if err != nil {
		return nil, fmt.Errorf("venue %s: %w", n.cfg.Venue.ID, err)
	}
	var lives []*life
	var last uint64
	for _, d := range n.drivers {
		if n.cfg.Claim != nil {
			d.set(Elsewhere, nil)
			continue
		}
		l, err := d.open(ctx, hard, nil)
		if err != nil {
			return lives, fmt.Errorf("region %s: %w", d.key, err)
		}
		lives = append(lives, l)
		last = max(last, l.tick)
	}
	timeline, behind := newTimeline(n.cfg.Now, meta.T0UnixUS, n.cfg.Venue.TickUS(), last)
	n.timeline.Store(timeline)
	// Less than a tick is a venue that has just begun, or a quick restart.
	if behind > time.Duration(timeline.TickUS())*time.Microsecond {
		n.cfg.Log.Warn("the clock is behind what the store has seen: the venue's time goes on from there", "venue", n.cfg.Venue.ID, "behind", behind)
	}
	return lives, nil
}

func (n *Node) subscribe(ctx context.Context) error {
	take := func(s *bus.Sub, err error) error {
		if err == nil {
			n.subs = append(n.subs, s)
		}
		return err
	}
	for _, d := range n.drivers {
		if n.cfg.Claim != nil {
			break // with each region that is taken
		}
		if err := d.subscribe(ctx); err != nil {
			return err
		}
	}
	err := take(n.cfg.Bus.Handle(bus.Place(n.cfg.Venue.ID), func(m bus.Msg) ([]byte, error) { return n.places.answer(ctx, m) }))
	if err != nil {
		return err
	}
	return n.cfg.Bus.Flush(ctx)
}

func (n *Node) unsubscribe() {
	for _, s := range n.subs {
		s.Stop()
	}
	n.subs = nil
	for _, d := range n.drivers {
		d.moves.Lock() // a Take that goes on has ended, and no other begins: soft has
		d.unsubscribe()
		d.moves.Unlock()
	}
}

// Stop ends every region with a last tick and a snapshot, and writes everything that waits. When ctx
// ends before that is done, it returns an error that says what was not written. After a
// Start that failed, and more than once, it does nothing.
func (n *Node) Stop(ctx context.Context) error {
	if n.soft == nil {
		return nil
	}
	stopHard := context.AfterFunc(ctx, n.hard)
	defer stopHard()
	n.soft()
	n.soft = nil
	n.unsubscribe()
	n.behind.Wait()
	n.running.Wait()
	n.taping.Wait()
	errs := []error{n.places.flush(ctx)}
	for _, d := range n.drivers {
		if backlog, fenced := d.unwritten(); backlog > 0 && !fenced {
			errs = append(errs, fmt.Errorf("region %s: %d log records and snapshots were not written", d.key, backlog))
		}
	}
	n.hard()
	return errors.Join(errs...)
}

// Timeline returns the venue's server time, nil before Start.
func (n *Node) Timeline() *Timeline { return n.timeline.Load() }

// readyTicks is within how many tick times a region's newest tick must lie.
const readyTicks = 3

// Ready returns nil while every region that the node owns has ticked within the last 3 tick times, else
// an error that names those that have not.
func (n *Node) Ready() error {
	timeline := n.Timeline()
	if timeline == nil {
		return errors.New("the node has not started")
	}
	var errs []error
	now := timeline.NowUS()
	for _, d := range n.drivers {
		s := d.status()
		age := now - timeline.ServerTime(s.Tick)
		switch {
		case s.State == Elsewhere:
		case s.State != Running && s.Err != nil:
			errs = append(errs, fmt.Errorf("region %s is %s: %w", d.key, s.State, s.Err))
		case s.State != Running:
			errs = append(errs, fmt.Errorf("region %s is %s", d.key, s.State))
		case age > (readyTicks+1)*timeline.tickUS: // a tick lasts one tick time itself
			errs = append(errs, fmt.Errorf("region %s: no tick for %d ms", d.key, age/1000))
		}
	}
	return errors.Join(errs...)
}

// State says what a region does.
type State string

// States of a region.
const (
	Starting   State = "starting"
	Running    State = "running"
	Restarting State = "restarting" // after a panic, from the store
	Down       State = "down"       // too many restarts, or another owner: stays so
	Stopped    State = "stopped"
	Elsewhere  State = "elsewhere" // another process owns it, or nobody
)

// RegionStatus is a region at a glance.
type RegionStatus struct {
	Name           string
	State          State
	Err            error // why it is not running
	Tick, Durable  uint64
	Users, Objects int
	Restarts       int
	Backlog        int   // log records and snapshots that wait for the store
	StoreErr       error // the store's last answer, nil when it took the write
}

// Status returns every region's, in the order of Venue.Regions.
func (n *Node) Status() []RegionStatus {
	out := make([]RegionStatus, len(n.drivers))
	for i, d := range n.drivers {
		out[i] = d.status()
	}
	return out
}
