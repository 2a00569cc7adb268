package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

const (
	// maxRestarts within restartWindow: a region that fails more often stays down.
	maxRestarts   = 3
	restartWindow = time.Minute
	// reopenEvery is how often a region that cannot start tries again.
	reopenEvery = time.Second
	// keyWait bounds a call for a key frame: the region answers between two ticks.
	keyWait = time.Second
	// keyCalls is how many such calls wait; more are refused.
	keyCalls = 64
)

// driver is what calls one region. Its run goroutine owns the region; others use the
// inbox, calls, and what mu guards.
type driver struct {
	node   *Node
	index  int
	key    store.RegionKey
	log    *slog.Logger
	metric regionMetrics
	inbox  inbox
	calls  chan chan<- []byte
	orders chan *order // of operators

	resets  []resetting // of the run goroutine: for the next tick
	stalled bool        // of the run goroutine: the handicap's standstill is over

	tape   *tape // of the run goroutine: the running recording
	ticks  times
	faults faultLog

	decoded   []stream.Input // of receive, which runs on one goroutine
	malformed atomic.Uint64

	subs []*bus.Sub // of the region; of Start and Stop, or of what holds moves

	moves sync.Mutex         // held while the region is taken or given away
	stop  context.CancelFunc // of the run goroutine; nil when there is none
	ended chan struct{}      // closed when it has ended

	mu       sync.Mutex
	life     *life // nil while there is none
	seen     RegionStatus
	newest   *tape             // recording, running or not
	watching []*watched        // rules of the present life; a new list when one is swapped
	swaps    map[string][]Swap // by rule
}

func newDriver(n *Node, index int) *driver {
	name := n.cfg.Venue.Regions[index].Name
	return &driver{
		node: n, index: index, key: store.RegionKey{Venue: n.cfg.Venue.ID, Region: name},
		log: n.cfg.Log.With("venue", n.cfg.Venue.ID, "region", name), metric: n.metrics.region(name),
		inbox: inbox{max: maxInbox}, calls: make(chan chan<- []byte, keyCalls), orders: make(chan *order, maxOrders),
		seen: RegionStatus{Name: name, State: Starting}, swaps: map[string][]Swap{},
	}
}

func (d *driver) set(state State, err error) {
	d.mu.Lock()
	d.seen.State, d.seen.Err = state, err
	d.mu.Unlock()
	up := 0.0
	if state == Running {
		up = 1
	}
	d.metric.whole.Set(up)
}

func (d *driver) status() RegionStatus {
	d.mu.Lock()
	s, l := d.seen, d.life
	d.mu.Unlock()
	if l != nil {
		s.Backlog, _, _, s.StoreErr = l.journal.status()
	}
	return s
}

// unwritten returns how much never reached the store, and whether that is because somebody else
// owns the region.
func (d *driver) unwritten() (backlog int, fenced bool) {
	d.mu.Lock()
	l := d.life
	d.mu.Unlock()
	if l == nil {
		return 0, false
	}
	backlog, _, fenced, _ = l.journal.status()
	return backlog, fenced
}

// receive takes a batch of inputs off the bus.
func (d *driver) receive(m bus.Msg) {
	var h stream.BatchHeader
	in, err := stream.DecodeInputs(m.Data, &h, d.decoded[:0])
	for i := range in {
		if !in[i].Kind.Gateway() {
			in, err = nil, errNotOfGateways
			break
		}
	}
	if err != nil {
		d.refuse("batch of inputs", err)
		return
	}
	d.decoded = in
	d.mu.Lock()
	l := d.life
	d.mu.Unlock()
	if l == nil || h.Incarnation != l.lease.Incarnation || h.Epoch != l.lease.Epoch {
		// Meant for an owner that is no more: its gateway sends again what matters once it
		// has read a record of this one.
		d.metric.lostStale.Inc()
		return
	}
	d.inbox.add(in)
}

// Errors of batches that decode, but have what their sender has no business with.
var (
	errNotOfGateways = errors.New("it has inputs that gateways do not send")
	errNoMail        = errors.New("it has inputs that regions do not send each other")
)

// refuse counts a batch off the bus that cannot be taken, and says so now and then.
func (d *driver) refuse(what string, err error) {
	d.metric.lostMalformed.Inc()
	if n := d.malformed.Add(1); n == 1 || n%1000 == 0 {
		d.log.Error(what+" refused", "error", err, "refused", n)
	}
}

// keyRecord answers a call for a key frame.
func (d *driver) keyRecord(ctx context.Context) ([]byte, error) {
	if s := d.status(); s.State != Running {
		return nil, fmt.Errorf("region %s is %s", d.key, s.State)
	}
	ctx, cancel := context.WithTimeout(ctx, keyWait)
	defer cancel()
	reply := make(chan []byte, 1)
	select {
	case d.calls <- reply:
	default:
		return nil, fmt.Errorf("region %s: too many calls for a key frame wait", d.key)
	}
	select {
	case b := <-reply:
		if b == nil {
			return nil, fmt.Errorf("region %s has no record yet", d.key)
		}
		return b, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("region %s did not answer within %s", d.key, keyWait)
	}
}

// run drives the region through its lives until soft ends, or for good until it is down. Writes
// to the store go on until hard ends.
func (d *driver) run(soft, hard context.Context, l *life) {
	var restarts []time.Time
	for {
		err := d.live(soft, l)
		d.recordStop("the region stopped")
		l.journal.stop()
		l.end()
		switch {
		case err == nil:
			d.set(Stopped, nil)
			return
		case errors.Is(err, store.ErrFenced) && d.node.cfg.Claim != nil:
			d.log.Warn("region is elsewhere: it has another owner", "error", err)
			d.set(Elsewhere, err)
			return
		case errors.Is(err, store.ErrFenced):
			d.log.Error("region is down: it has another owner", "error", err)
			d.set(Down, err)
			return
		}
		d.log.Error("region failed", "error", err, "stack", string(stackOf(err)))
		now := d.node.cfg.Now()
		for len(restarts) > 0 && now.Sub(restarts[0]) >= restartWindow {
			restarts = restarts[1:]
		}
		if len(restarts) == maxRestarts {
			d.log.Error("region stays down", "restarts", maxRestarts, "within", restartWindow)
			d.set(Down, fmt.Errorf("it failed %d times within %s, the last time with: %w", maxRestarts+1, restartWindow, err))
			return
		}
		restarts = append(restarts, now)
		d.set(Restarting, err)
		d.metric.restarts.Inc()
		d.mu.Lock()
		d.seen.Restarts++
		d.mu.Unlock()
		if l, err = d.reopen(soft, hard, l.lease.Epoch); l == nil {
			switch {
			case err != nil:
				d.log.Warn("region is elsewhere: it has another owner", "error", err)
				d.set(Elsewhere, err)
			default:
				d.set(Stopped, nil)
			}
			return
		}
	}
}

// reopen gives the region a new life after an epoch, however long the store takes; nil when ctx ends, or with an error when
// somebody else has the region now.
func (d *driver) reopen(ctx, hard context.Context, epoch uint64) (*life, error) {
	for {
		l, err := d.open(ctx, hard, &epoch)
		if err == nil {
			d.log.Info("region restarted", "tick", l.tick, "epoch", l.lease.Epoch)
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, nil
		}
		if d.node.cfg.Claim != nil && errors.Is(err, store.ErrFenced) {
			return nil, err
		}
		d.log.Error("region cannot restart, trying again", "error", err, "in", reopenEvery)
		d.set(Restarting, err)
		if !wait(ctx, reopenEvery) {
			return nil, nil
		}
	}
}

// panicked is a contained panic of a region or of what it calls.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

func stackOf(err error) []byte {
	var p *panicked
	if errors.As(err, &p) {
		return p.stack
	}
	return nil
}

// contain runs f and turns a panic into an error.
func contain(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return f()
}

// live ticks until ctx ends (nil, after a last tick and a snapshot), the region fails, or its
// lease is lost.
func (d *driver) live(ctx context.Context, l *life) error {
	return contain(func() error {
		d.resets = nil // their callers have given up
		d.set(Running, nil)
		// The owner before may have made ticks that the store knows nothing of, up to the one that is due: their numbers are used.
		l.tick = max(l.tick, d.node.Timeline().Tick())
		timer := time.NewTimer(0)
		defer timer.Stop()
		for {
			select {
			case <-ctx.Done():
				return d.last(l)
			case reply := <-d.calls:
				reply <- l.keyRecord()
				continue
			case o := <-d.orders:
				d.obey(l, o)
				continue
			case <-timer.C:
			}
			due := d.node.Timeline().Tick()
			if due > l.tick {
				if err := d.tick(l, due); err != nil {
					return err
				}
			}
			timer.Reset(d.node.Timeline().until(l.tick + 1))
		}
	})
}

// tick makes one tick.
func (d *driver) tick(l *life, tick uint64) error {
	d.stall()
	began := d.node.Timeline().NowUS()
	if l.n > 0 && tick > l.tick+1 {
		d.metric.skipped.Add(float64(tick - l.tick - 1))
	}
	if _, _, fenced, err := l.journal.status(); fenced {
		return err
	}
	in, lost := d.inbox.take(l.spare)
	in = d.withResets(in, began)
	in = d.withDurable(in, l, began)
	l.spare = in
	d.metric.lostPoses.Add(float64(lost.poses))
	d.metric.lostRefused.Add(float64(lost.refused))
	if slow := d.node.cfg.Handicap.Slow; slow > 0 {
		time.Sleep(slow)
	}
	d.recordBegin(in)
	e := l.step(tick, in)
	d.recordEnd(e)
	d.resetsDone(l)
	d.node.places.add(e.Places)
	d.report(e)
	d.swapped(l, e)
	l.began, l.ended = began, d.node.Timeline().NowUS()
	record := l.record(e)
	if err := d.node.cfg.Bus.Publish(bus.Records(d.key.Venue, d.key.Region), record); err != nil {
		d.log.Error("record not published", "error", err, "bytes", len(record))
	}
	d.metric.recordBytes.Add(float64(len(record)))
	d.exchange(l, e)
	if l.snapshotDue() {
		if err := l.snapshot(); err != nil {
			d.log.Error("no snapshot", "error", err)
		}
	}
	d.mu.Lock()
	d.seen.Tick, d.seen.Durable = tick, l.durable
	d.seen.Users, d.seen.Objects = e.Stats.Users, e.Stats.Objects
	d.mu.Unlock()
	took := d.node.Timeline().NowUS() - began
	d.metric.tick.Observe(float64(took) / 1e6)
	d.ticks.add(time.Duration(took) * time.Microsecond)
	if took > d.node.Timeline().tickUS {
		d.metric.overruns.Inc()
	}
	return nil
}

// report counts a step and logs the faults of rules.
func (d *driver) report(e *scene.Effects) {
	d.metric.step(e)
	for _, why := range e.Refused {
		d.log.Error("what another region hands over cannot be taken as it is", "error", why, "tick", e.Tick)
	}
	for i := range e.Faults {
		f := &e.Faults[i]
		d.noteFault(f)
		d.faults.add(Fault{*f, d.key.Region, e.Tick, d.node.cfg.Now()})
		log := d.log.Warn
		if f.Quarantined {
			log = d.log.Error
		}
		log("rule failed", "rule", f.Rule, "plugin", f.Plugin, "digest", f.Digest, "error", f.Fault, "session", f.Session, "quarantined", f.Quarantined, "tick", e.Tick,
			"state_before", f.Before.Hash, "state_after", f.After.Hash, "state_bytes", f.After.Bytes)
	}
}

// last makes the last tick, with what waits in the inbox, and leaves a snapshot.
func (d *driver) last(l *life) error {
	if err := d.tick(l, max(d.node.Timeline().Tick(), l.tick+1)); err != nil {
		return err
	}
	return l.snapshot()
}
