package node

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

// life is one start of a region, from its lease to its end. The driver's goroutine owns it.
type life struct {
	region  *scene.Region
	rules   []scene.Rule
	lease   store.Lease
	journal *journal
	written chan struct{} // closed when the journal has ended
	enc     stream.Encoder
	buf     []byte
	spare   []stream.Input

	n       uint64 // number of the newest record
	tick    uint64 // newest tick, or the newest in the store
	durable uint64
	keyTick uint64 // of the newest key frame in the stream
	keyed   []byte // the answer to a call for a key frame, of record keyedN
	keyedN  uint64

	began, ended int64 // the newest tick, server time in us

	tickHz       uint64
	snapTicks    uint64 // ticks between snapshots
	nextSnapshot uint64 // tick from which one is due
	snapped      uint64 // tick of the newest snapshot taken
	changed      bool   // since the newest snapshot
	volatile     bool   // nothing is called durable

	mail mail
}

// open acquires the region and brings it back from the store, or makes it. Where regions are claimed, after is the epoch of the
// owner before.
func (d *driver) open(ctx, hard context.Context, after *uint64) (*life, error) {
	cfg := &d.node.cfg
	var lease store.Lease
	var err error
	if cfg.Claim != nil {
		lease, err = cfg.Claim(ctx, d.key.Region, *after)
	} else {
		lease, err = cfg.Store.Acquire(ctx, d.key)
	}
	if err != nil {
		return nil, err
	}
	snap, records, err := cfg.Store.Load(ctx, d.key)
	if err != nil {
		return nil, err
	}
	l := &life{
		lease: lease, written: make(chan struct{}), tickHz: uint64(cfg.Venue.TickHz), volatile: cfg.Volatile,
		snapTicks: max(1, uint64(cfg.SnapshotEvery.Microseconds()/cfg.Venue.TickUS())),
	}
	if l.rules, err = cfg.Rules(d.index); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	l.rules = d.watchAll(l.rules)
	err = contain(func() error { return l.restore(ctx, d, snap, records) })
	if err != nil {
		l.closeRules()
		return nil, err
	}
	// Regions take their turns, so that their snapshots do not all fall into one tick.
	l.nextSnapshot = l.tick + l.snapTicks + l.snapTicks*uint64(d.index)/uint64(len(d.node.drivers))
	l.journal = newJournal(cfg.Store, lease, cfg.CommitEvery, l.tick, d.log, d.metric)
	d.inbox.empty()
	d.mu.Lock()
	d.life = l
	d.mu.Unlock()
	go func() {
		defer close(l.written)
		l.journal.run(hard)
	}()
	d.log.Info("region starts", "epoch", lease.Epoch, "tick", l.tick, "log_records", len(records), "rules", len(l.rules))
	return l, nil
}

// restore makes the region from what the store has.
func (l *life) restore(ctx context.Context, d *driver, snap *store.Snapshot, records []store.Record) error {
	cfg := scene.Config{
		Venue: d.node.cfg.Venue, Region: d.index, Epoch: l.lease.Epoch, IDBlock: l.lease.IDBlock, Rules: l.rules,
	}
	var err error
	if snap == nil {
		if len(records) > 0 {
			return fmt.Errorf("%d log records but no snapshot to begin from: %w", len(records), store.ErrDamaged)
		}
		if l.region, err = scene.New(cfg); err != nil {
			return err
		}
		// The log needs something to stand on.
		data, err := l.region.Snapshot()
		if err != nil {
			return err
		}
		return d.node.cfg.Store.SaveSnapshot(ctx, l.lease, store.NewSnapshot(0, snapshotVersion, data))
	}
	if snap.Version != snapshotVersion {
		return fmt.Errorf("snapshot of tick %d has version %d, this build reads %d: start the build that wrote it", snap.Tick, snap.Version, snapshotVersion)
	}
	l.tick = snap.Tick
	log := make([]saved.Record, len(records))
	for i, r := range records {
		dec := json.NewDecoder(bytes.NewReader(r.Data))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&log[i]); err != nil {
			return fmt.Errorf("log record of tick %d cannot be read (was it written by a newer build?): %w", r.Tick, err)
		}
		if log[i].Tick != r.Tick {
			return fmt.Errorf("log record of tick %d says tick %d: %w", r.Tick, log[i].Tick, store.ErrDamaged)
		}
		l.tick = r.Tick
	}
	l.region, err = scene.Restore(cfg, snap.Data, log)
	return err
}

// end waits until the journal, which was told to stop, has written what it can, and lets the rules go.
func (l *life) end() {
	<-l.written
	l.closeRules()
}

func (l *life) closeRules() {
	for _, r := range l.rules {
		closeRule(r)
	}
	if l.region != nil {
		for _, r := range l.region.Kept() {
			closeRule(r)
		}
	}
}

// step makes the region's tick and hands its log record on.
func (l *life) step(tick uint64, in []stream.Input) *scene.Effects {
	e := l.region.Step(tick, in)
	l.tick = tick
	if e.Log != nil {
		l.changed = true
		l.journal.add(e.Log)
	}
	if !l.volatile {
		l.durable = l.journal.durable(tick)
	}
	return e
}

// record encodes the tick's record, valid until the next call: a key frame at first and every second.
func (l *life) record(e *scene.Effects) []byte {
	l.n++
	rec := stream.Record{Entities: e.Entities, Gone: e.Gone, Events: e.Events, Cursors: e.Cursors, Extras: e.Extras, Flights: e.Flights, FlightNews: e.FlightNews}
	if l.n == 1 || e.Tick >= l.keyTick+l.tickHz {
		l.keyTick = e.Tick
		rec = l.region.Key()
	}
	l.buf = l.enc.Append(l.buf[:0], l.address(&rec))
	return l.buf
}

// address fills in what names a record.
func (l *life) address(rec *stream.Record) *stream.Record {
	rec.Venue, rec.Region = l.lease.Key.Venue, l.lease.Key.Region
	rec.Incarnation, rec.Epoch = l.lease.Incarnation, l.lease.Epoch
	rec.N, rec.Tick, rec.Durable = l.n, l.tick, l.durable
	rec.Start, rec.End = l.began, l.ended
	return rec
}

// keyRecord returns the newest record as a key frame, nil before the first. Calls between two
// ticks share one.
func (l *life) keyRecord() []byte {
	if l.n > 0 && l.keyedN != l.n {
		rec := l.region.Key()
		var enc stream.Encoder
		l.keyed, l.keyedN = enc.Append(nil, l.address(&rec)), l.n
	}
	return l.keyed
}

// snapshotDue reports whether the store wants a snapshot, or it is time and something has changed.
func (l *life) snapshotDue() bool {
	return l.journal.wantsSnapshot() || l.tick >= l.nextSnapshot && l.changed
}

// snapshot hands the state at the end of the newest tick to the journal, once a tick.
func (l *life) snapshot() error {
	if l.snapped == l.tick {
		return nil
	}
	l.nextSnapshot = l.tick + l.snapTicks
	data, err := l.region.Snapshot()
	if err != nil {
		return err
	}
	if l.journal.addSnapshot(l.tick, data) {
		l.snapped, l.changed = l.tick, false
	}
	return nil
}
