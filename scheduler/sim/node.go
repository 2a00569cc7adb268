package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/scheduler/migration"
)

// node is a scene node: a seat for every region of the hall, and the regions that tick here.
type node struct {
	c       *cluster
	p       *process
	seats   []*migration.Seat
	hosted  []*hosted
	started uint64
}

// hosted is a region at a node.
type hosted struct {
	region  *scene.Region
	lease   store.Lease
	ticking bool
	tick    uint64
	n       uint64
	inbox   []stream.Input
	waits   []func() // for the end of the next tick
	ended   uint64   // epoch that FINAL was sent under

	waiting  []store.Record // not stored yet
	snapshot *store.Snapshot
	writing  bool
	logged   uint64 // tick of the newest record
	snapAt   uint64
	commit   int64 // when the next write may begin
}

func newNode(c *cluster, name string) *node {
	n := &node{c: c, p: &process{name: name, up: true, skew: c.between(-60_000, 60_000)}}
	n.start()
	return n
}

func (n *node) process() *process { return n.p }

func (n *node) start() {
	c := n.c
	n.started++
	n.seats, n.hosted = nil, make([]*hosted, len(hall().Regions))
	for r := range hall().Regions {
		n.seats = append(n.seats, migration.NewSeat(migration.SeatConfig{
			Node: n.p.name, Venue: hall(), Region: r, Timing: timing, Without: c.plant.Guards,
		}))
	}
	c.every(c.between(0, 20_000), 20_000, n.p, func() {
		for r := range n.hosted {
			n.turn(r)
		}
	})
	c.every(c.between(1_000, 50_000), 50_000, n.p, func() {
		for r, s := range n.seats {
			n.do(r, s.Tick(c.now))
		}
	})
	c.every(c.between(0, 100_000), 100_000, n.p, n.report)
}

func (n *node) report() {
	rep := &migration.Report{Start: n.started, Seats: []migration.SeatReport{}}
	for _, s := range n.seats {
		if r, ok := s.Report(); ok {
			rep.Seats = append(rep.Seats, r)
		}
	}
	n.c.send(n.p, &migration.Message{Kind: migration.KindReport, From: n.p.name, To: migration.Coordinators, Report: rep})
}

// adopt opens a region before the run begins.
func (n *node) adopt(r int) {
	c := n.c
	name := hall().Regions[r].Name
	l, err := c.store.Acquire(context.Background(), store.RegionKey{Venue: hall().ID, Region: name})
	if err != nil {
		panic(err)
	}
	c.check.granted(n.p, l)
	region, err := scene.New(config(r, l))
	if err != nil {
		panic(err)
	}
	data, err := region.Snapshot()
	if err != nil {
		panic(err)
	}
	if err := c.store.SaveSnapshot(context.Background(), l, store.NewSnapshot(0, 1, data)); err != nil {
		panic(err)
	}
	n.hosted[r] = &hosted{region: region, lease: l, ticking: true}
	n.seats[r].Adopt(l)
	c.check.active(n, r, l)
	c.ledger[name] = migration.Entry{Region: name, Version: 1, Owner: n.p.name, Epoch: l.Epoch, Incarnation: l.Incarnation}
}

func config(r int, l store.Lease) scene.Config {
	return scene.Config{Venue: hall(), Region: r, Epoch: l.Epoch, IDBlock: l.IDBlock, Rules: []scene.Rule{&tally{}}}
}

func (n *node) handle(m *migration.Message) {
	for r, s := range n.seats {
		if hall().Regions[r].Name == m.Region {
			n.do(r, s.Handle(n.c.now, m))
		}
	}
}

// inputs takes a gateway's batch, if it is meant for the owner that is here.
func (n *node) inputs(region string, st migration.Stamp, in []stream.Input) {
	for r, h := range n.hosted {
		if h == nil || hall().Regions[r].Name != region {
			continue
		}
		if st.Epoch != h.lease.Epoch || st.Incarnation != 0 && st.Incarnation != h.lease.Incarnation {
			continue
		}
		if !h.ticking {
			continue // FINAL is out: the gateway sends again what matters
		}
		h.inbox = append(h.inbox, in...)
	}
}

// turn makes a region's tick if it is due, and sees to its writes.
func (n *node) turn(r int) {
	h := n.hosted[r]
	if h == nil {
		return
	}
	due := uint64(max(0, n.c.now+n.p.skew+1_000_000)) / tickUS
	if h.ticking && due > h.tick {
		n.step(r, h, due)
	}
	n.flush(r, h)
}

func (n *node) step(r int, h *hosted, tick uint64) {
	c := n.c
	c.check.stepping(n, r, h)
	if tick <= h.region.Tick() {
		c.fail("V2", "%s is about to make tick %d of %s again, after tick %d", n, tick, h.lease.Key, h.region.Tick())
		return
	}
	fx := h.region.Step(tick, h.inbox)
	h.inbox, h.tick = nil, tick
	h.n++
	seat := n.seats[r]
	if fx.Log != nil {
		data, err := json.Marshal(fx.Log)
		if err != nil {
			panic(err)
		}
		h.waiting = append(h.waiting, store.Record{Tick: tick, Data: data})
		h.logged = tick
		n.do(r, seat.Stepped(c.now, tick, data))
	} else {
		n.do(r, seat.Stepped(c.now, tick, nil))
	}
	if n.hosted[r] != h {
		return
	}
	if tick >= h.snapAt+25 && h.snapshot == nil {
		data, err := h.region.Snapshot()
		if err != nil {
			panic(err)
		}
		h.snapAt = tick
		s := store.NewSnapshot(tick, 1, data)
		h.snapshot = &s
	}
	n.publish(r, h)
	waits := h.waits
	h.waits = nil
	for _, w := range waits {
		w()
	}
}

// durable is the newest tick up to which the store has everything.
func (h *hosted) durable() uint64 {
	if len(h.waiting) > 0 {
		return h.waiting[0].Tick - 1
	}
	return h.tick
}

func (n *node) publish(r int, h *hosted) {
	rec := h.region.Key()
	rec.Incarnation, rec.N, rec.Durable = h.lease.Incarnation, h.n, h.durable()
	if n.c.plant.Flaw == flawDurableEarly {
		rec.Durable = h.tick
	}
	for _, g := range n.c.gateways {
		n.c.deliver(n.p, g.p, func() { g.record(n.p.name, &rec) })
	}
}

// flush writes behind: records first, then the snapshot that covers them.
func (n *node) flush(r int, h *hosted) {
	c := n.c
	if h.writing || len(h.waiting) == 0 && h.snapshot == nil || c.now < h.commit {
		return
	}
	h.writing, h.commit = true, c.now+c.commitUS
	lease := h.lease
	batch := h.waiting
	var snap *store.Snapshot
	if h.snapshot != nil && (len(batch) == 0 || batch[0].Tick > h.snapshot.Tick) {
		snap, batch = h.snapshot, nil
	} else if h.snapshot != nil {
		for i, rec := range batch {
			if rec.Tick > h.snapshot.Tick {
				batch = batch[:i]
				break
			}
		}
	}
	batch = batch[:len(batch):len(batch)]
	c.call(n.p, func(ctx context.Context) error {
		if snap != nil {
			return c.store.SaveSnapshot(ctx, lease, *snap)
		}
		if err := c.store.Append(ctx, lease, batch); err != nil {
			return err
		}
		c.check.appended(ctx, lease)
		return nil
	}, func(err error) {
		h.writing = false
		switch {
		case err == nil && snap != nil:
			h.snapshot = nil
		case err == nil:
			h.waiting = h.waiting[len(batch):]
		case errors.Is(err, store.ErrFenced) && n.hosted[r] == h && lease == h.lease && c.plant.Flaw != flawIgnoreFence:
			c.say(n.p.name, "%s is fenced at epoch %d", hall().Regions[r].Name, lease.Epoch)
			n.do(r, n.seats[r].Fenced(c.now, 0))
		case errors.Is(err, store.ErrTickOrder):
			c.fail("V12", "%s: the store refuses epoch %d's records: %v", n.p.name, lease.Epoch, err)
		}
	})
}

func (n *node) do(r int, outs []migration.Out) {
	c := n.c
	seat, name := n.seats[r], hall().Regions[r].Name
	for i := range outs {
		o := &outs[i]
		switch o.Do {
		case migration.DoStep:
			if c.failpoint(n.p, o.Step) {
				if n.p.up {
					rest := outs[i+1:]
					c.at(n.p.paused, n.p, func() { n.do(r, rest) })
				}
				return
			}
		case migration.DoSend:
			c.said(n.p, o.Message)
			c.send(n.p, o.Message)
		case migration.DoCapture:
			n.between(r, func(h *hosted, l *scene.Live) {
				tail := []migration.Record{}
				for _, rec := range h.waiting {
					tail = append(tail, migration.Record{Tick: rec.Tick, Data: rec.Data})
				}
				b, err := migration.EncodeCut(l, tail)
				n.do(r, seat.Captured(c.now, b, err))
			})
		case migration.DoStop:
			n.between(r, func(h *hosted, l *scene.Live) { n.stop(r, h, l) })
		case migration.DoGoOn:
			if h := n.hosted[r]; h != nil {
				h.ticking = true
			}
		case migration.DoAcquire:
			c.acquire(n.p, name, o.After, func(l store.Lease, err error) { n.do(r, seat.Acquired(c.now, l, err)) })
		case migration.DoStart:
			n.revive(r, o.Lease, o.Live, o.Tail, o.Inputs)
		case migration.DoResume:
			n.resume(r, o.Lease)
		case migration.DoRecover:
			n.recover(r, o.Lease)
		case migration.DoDrop:
			c.check.dropping(n, n.hosted[r])
			n.hosted[r] = nil
		}
	}
}

// between calls f with the region as it is between two ticks.
func (n *node) between(r int, f func(*hosted, *scene.Live)) {
	h := n.hosted[r]
	if h == nil {
		return
	}
	l, err := h.region.Capture()
	if err != nil {
		// It has not made a step since it started.
		h.waits = append(h.waits, func() { n.between(r, f) })
		return
	}
	f(h, l)
}

// stop makes FINAL of a region.
func (n *node) stop(r int, h *hosted, l *scene.Live) {
	c := n.c
	rest, err := migration.EncodeRest(l)
	hash := h.region.Hash()
	f := &migration.Final{Tick: h.tick, Durable: h.durable(), Rest: rest, Hash: hash[:]}
	if len(h.inbox) > 0 {
		f.Inputs = stream.AppendInputs(nil, stream.BatchHeader{}, h.inbox)
	}
	gone := stopped{tick: h.tick, hash: hash, at: c.now}
	for _, rec := range h.waiting {
		gone.waiting = append(gone.waiting, rec.Tick)
	}
	c.check.stopped[h.lease] = gone
	if c.plant.Flaw != flawNoFreeze {
		h.ticking = false
	}
	outs := n.seats[r].Stopped(c.now, f, err)
	if n.seats[r].State() == migration.Stopped {
		h.ended = h.lease.Epoch
	}
	n.do(r, outs)
}

// revive starts a region that came from another node.
func (n *node) revive(r int, l store.Lease, live *scene.Live, tail []migration.Record, in []stream.Input) {
	c := n.c
	region, err := scene.Revive(config(r, l), live)
	if err == nil {
		h := &hosted{region: region, lease: l, ticking: true, tick: live.Tick, inbox: in, snapAt: live.Tick}
		for _, rec := range tail {
			h.waiting = append(h.waiting, store.Record{Tick: rec.Tick, Data: rec.Data})
		}
		if c.plant.Flaw == flawTickAgain {
			h.tick -= min(h.tick, 3)
		}
		n.hosted[r] = h
		c.check.arrived(n, r, l, region)
		c.check.active(n, r, l)
	}
	n.do(r, n.seats[r].Started(c.now, err))
}

// resume starts a stopped region again.
func (n *node) resume(r int, l store.Lease) {
	h := n.hosted[r]
	if h == nil {
		n.do(r, n.seats[r].Started(n.c.now, errors.New("it is not here")))
		return
	}
	live, err := h.region.Capture()
	if err == nil {
		live.Epoch, live.IDBlock = l.Epoch, l.IDBlock
		h.region, err = scene.Revive(config(r, l), live)
	}
	if err == nil {
		h.lease, h.ticking, h.n = l, true, 0
		n.c.check.active(n, r, l)
	}
	n.do(r, n.seats[r].Started(n.c.now, err))
}

// recover starts a region from the store.
func (n *node) recover(r int, l store.Lease) {
	c := n.c
	var snap *store.Snapshot
	var records []store.Record
	c.call(n.p, func(ctx context.Context) (err error) {
		snap, records, err = c.store.Load(ctx, l.Key)
		return err
	}, func(err error) {
		if errors.Is(err, errAway) {
			c.after(100_000, n.p, func() { n.recover(r, l) })
			return
		}
		if err != nil {
			c.fail("V12", "%s cannot be loaded: %v", l.Key, err)
			return
		}
		log := make([]saved.Record, len(records))
		for i, rec := range records {
			if err := json.Unmarshal(rec.Data, &log[i]); err != nil {
				c.fail("V12", "a log record of %s cannot be read: %v", l.Key, err)
				return
			}
		}
		if c.plant.Flaw == flawSnapshotOnly {
			log = nil
		}
		region, err := scene.Restore(config(r, l), snap.Data, log)
		if err != nil {
			c.fail("V12", "%s cannot be restored: %v", l.Key, err)
			return
		}
		// The snapshot may be of a later tick than the newest change in it.
		tick := max(region.Tick(), snap.Tick)
		n.hosted[r] = &hosted{region: region, lease: l, ticking: true, tick: tick, snapAt: tick}
		c.say(n.p.name, "%s restored at tick %d under epoch %d", l.Key.Region, region.Tick(), l.Epoch)
		c.check.active(n, r, l)
		n.do(r, n.seats[r].Started(c.now, nil))
	})
}

func (n *node) String() string { return fmt.Sprintf("%s.%d", n.p.name, n.p.life) }
