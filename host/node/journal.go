package node

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
)

const (
	// maxBacklog is how many log records wait for a store that is away: at a busy region's 30 a
	// second more than two minutes.
	maxBacklog = 4096
	// commitRecords is how many records make a commit at once, before its time.
	commitRecords = 64
	// commitMost bounds one commit after a backlog.
	commitMost = 1024
	// snapshotVersion is the version that snapshots are stored under; the region's
	// own format is in their data.
	snapshotVersion = 1

	retryFirst = 50 * time.Millisecond
	retryMost  = 2 * time.Second
)

// entry is what waits in a journal: a log record, or a snapshot (record nil).
type entry struct {
	tick   uint64
	record *saved.Record
	data   []byte        // of a snapshot
	gap    bool          // of a snapshot: records before it were dropped
	scores []saved.Score // of those records
}

// points returns the scores that count with an entry.
func (e *entry) points() []saved.Score {
	if e.record != nil {
		return e.record.Scores
	}
	return e.scores
}

// maxCarried is how many scores of records that were dropped wait for the snapshot that stands for the records. Beyond it those of one
// person on one board are added up; what does not fit even so is lost, and said so.
const maxCarried = store.MaxScores

// journalState says how what waits relates to what is stored.
type journalState uint8

const (
	whole   journalState = iota // what is stored and what waits is everything
	lost                        // records were dropped; only a snapshot makes the store whole again
	healing                     // that snapshot waits, with the records after it
)

// journal writes one region's log records and snapshots behind, in order, under one
// lease. The region's driver adds; run writes.
type journal struct {
	store  store.Store
	lease  store.Lease
	every  time.Duration
	log    *slog.Logger
	metric regionMetrics

	wake chan struct{} // capacity 1: something was added, or stopping

	mu        sync.Mutex
	waiting   []entry
	most      int    // maxBacklog; tests have less
	logged    uint64 // tick of the newest record or snapshot added
	committed uint64 // everything up to this tick is in the store
	state     journalState
	// Scores are in no state: those of dropped records wait for the snapshot that closes the gap. While state is whole there are none.
	carried []saved.Score
	// The store may have taken the first entries already: their write goes on, or nobody heard how it ended. They are not dropped but
	// written again as they are until it is known, or their scores would be lost or count twice. At most commitMost.
	unsure   int
	urgent   bool // a record waits that people wait for
	want     bool // state lost: the store is back, a snapshot is wanted
	stopping bool
	err      error // the store's last answer, nil when it took the write
	fenced   bool
}

func newJournal(s store.Store, l store.Lease, every time.Duration, last uint64, log *slog.Logger, m regionMetrics) *journal {
	return &journal{
		store: s, lease: l, every: every, log: log, metric: m,
		wake: make(chan struct{}, 1), most: maxBacklog, logged: last, committed: last,
	}
}

func (j *journal) signal() {
	select {
	case j.wake <- struct{}{}:
	default: // a signal is waiting already
	}
}

// add takes a tick's log record. It never blocks; beyond the bound it drops what waits.
func (j *journal) add(rec *saved.Record) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.logged = rec.Tick
	if j.state == lost {
		j.carry(rec.Scores) // all else the snapshot to come will hold
		return
	}
	if len(j.waiting) >= j.most {
		j.log.Error("store backlog is full: log records dropped, a whole snapshot will be saved when the store is back; nothing is durable until then",
			"records", len(j.waiting), "committed_tick", j.committed, "error", j.err)
		j.lose()
		j.carry(rec.Scores)
		return
	}
	j.waiting = append(j.waiting, entry{tick: rec.Tick, record: rec})
	j.urgent = j.urgent || len(rec.Moved) > 0
	j.metric.backlog.Set(float64(len(j.waiting)))
	j.signal()
}

// carry keeps the scores of a dropped record. j.mu is held.
func (j *journal) carry(scores []saved.Score) {
	if len(scores) == 0 {
		return
	}
	if j.carried = append(j.carried, scores...); len(j.carried) <= maxCarried {
		return
	}
	type total struct {
		board, user string
		load        bool
	}
	at := map[total]int{}
	kept := j.carried[:0]
	for _, s := range j.carried {
		key := total{s.Board, s.User, s.Load}
		if i, there := at[key]; there {
			kept[i].N, kept[i].Delta = s.N, store.Add(kept[i].Delta, s.Delta)
			continue
		}
		at[key] = len(kept)
		kept = append(kept, s)
	}
	if len(kept) > maxCarried {
		j.log.Error("scores are lost: the store has been away for too long", "scores", len(kept)-maxCarried)
		kept = kept[:maxCarried]
	}
	j.carried = kept
}

// lose drops what waits and the store cannot have. j.mu is held.
func (j *journal) lose() {
	j.state, j.want = lost, false
	for i := j.unsure; i < len(j.waiting); i++ {
		j.carry(j.waiting[i].points())
	}
	clear(j.waiting[j.unsure:])
	j.waiting = j.waiting[:j.unsure]
	j.metric.gaps.Inc()
	j.metric.backlog.Set(float64(len(j.waiting)))
	j.signal()
}

// wantsSnapshot reports that the driver should add a snapshot now, to close a gap.
func (j *journal) wantsSnapshot() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.want
}

// addSnapshot takes the state at the end of a tick. In a gap it makes the journal take
// records again. False: the store is too far behind for one more.
func (j *journal) addSnapshot(tick uint64, data []byte) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	e := entry{tick: tick, data: data}
	switch {
	case j.state == lost:
		e.gap, e.scores = true, j.carried
		j.state, j.want, j.carried = healing, false, nil
	case len(j.waiting) >= j.most:
		return false
	}
	j.logged = tick
	j.waiting = append(j.waiting, e)
	j.signal()
	return true
}

// durable returns the tick up to which everything is stored, given that tick now is done.
func (j *journal) durable(now uint64) uint64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.state == whole && j.committed >= j.logged {
		return now
	}
	return j.committed
}

// status returns how many entries wait, the newest stored tick, whether the lease is
// lost, and what is wrong with the store, if anything.
func (j *journal) status() (backlog int, committed uint64, fenced bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	err = j.err
	if err == nil && j.state != whole {
		err = errors.New("log records were dropped while the store was away; waiting to save a snapshot")
	}
	return len(j.waiting), j.committed, j.fenced, err
}

// stop makes run end once everything is written.
func (j *journal) stop() {
	j.mu.Lock()
	j.stopping = true
	j.mu.Unlock()
	j.signal()
}

// run writes until stop was called and nothing waits, the lease is fenced, or ctx ends.
func (j *journal) run(ctx context.Context) {
	pause := retryFirst
	for {
		if !j.gather(ctx) {
			return
		}
		err := j.write(ctx)
		j.mu.Lock()
		j.err = err
		j.mu.Unlock()
		if err == nil {
			pause = retryFirst
			continue
		}
		if ctx.Err() != nil || errors.Is(err, store.ErrFenced) {
			j.refuse(err)
			return
		}
		j.metric.storeErrors.Inc()
		j.log.Warn("store write failed, trying again", "error", err, "in", pause)
		if !wait(ctx, pause) {
			return
		}
		pause = min(2*pause, retryMost)
	}
}

// refuse marks the lease as lost when err says so.
func (j *journal) refuse(err error) {
	if !errors.Is(err, store.ErrFenced) {
		return
	}
	j.log.Error("the region has another owner: this one stops", "error", err)
	j.mu.Lock()
	j.fenced = true
	j.mu.Unlock()
}

// gather waits until there is something to write and its commit is due; false: nothing
// more will come.
func (j *journal) gather(ctx context.Context) bool {
	for {
		j.mu.Lock()
		n, stopping, urgent := len(j.waiting), j.stopping, j.urgent
		ask := j.state == lost && !j.want
		j.mu.Unlock()
		switch {
		case n > 0 && (stopping || urgent || n >= commitRecords):
			return true
		case n > 0:
			return j.linger(ctx)
		case stopping:
			return false
		case ask:
			return true // write will see whether the store is back
		}
		select {
		case <-j.wake:
		case <-ctx.Done():
			return false
		}
	}
}

// linger gives others the time to join the commit.
func (j *journal) linger(ctx context.Context) bool {
	t := time.NewTimer(j.every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return true
		case <-ctx.Done():
			return false
		case <-j.wake:
			j.mu.Lock()
			enough := j.stopping || j.urgent || len(j.waiting) >= commitRecords
			j.mu.Unlock()
			if enough {
				return true
			}
		}
	}
}

// write writes the first entries that belong in one call of the store.
func (j *journal) write(ctx context.Context) error {
	batch, tried := j.next()
	if len(batch) == 0 {
		return j.probe(ctx)
	}
	began := time.Now()
	var err error
	if first := &batch[0]; first.record == nil {
		s := store.NewSnapshot(first.tick, snapshotVersion, first.data)
		s.Gap, s.Scores = first.gap, j.scores(first.scores)
		err = j.store.SaveSnapshot(ctx, j.lease, s)
	} else {
		err = j.append(ctx, batch)
	}
	j.metric.commit.Observe(time.Since(began).Seconds())
	if err != nil {
		return j.failed(err, len(batch), tried)
	}
	j.done(batch)
	return nil
}

// probe asks whether the store is back after a gap, and wants a snapshot if so.
func (j *journal) probe(ctx context.Context) error {
	if err := j.store.Check(ctx); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.want = j.state == lost
	return nil
}

// next returns the entries of the next write, one snapshot, or records up to the next one, and how many of them were tried before.
func (j *journal) next() (batch []entry, tried int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, e := range j.waiting {
		if e.record == nil && i > 0 || i == commitMost {
			break
		}
		batch = append(batch, e)
		if e.record == nil {
			break
		}
	}
	j.urgent = false
	tried = min(j.unsure, len(batch))
	j.unsure = max(j.unsure, len(batch))
	return batch, tried
}

func (j *journal) append(ctx context.Context, batch []entry) error {
	records := make([]store.Record, len(batch))
	for i, e := range batch {
		data, err := json.Marshal(e.record)
		if err != nil {
			return errors.Join(errUnwritable, err)
		}
		records[i] = store.Record{Tick: e.tick, Data: data, Scores: j.scores(e.record.Scores)}
	}
	return j.store.Append(ctx, j.lease, records)
}

// scores turns scores into those of the store. One that the store could never take is left out, and said so.
func (j *journal) scores(list []saved.Score) []store.Score {
	out := make([]store.Score, 0, len(list))
	for i := range list {
		s := &list[i]
		if err := store.CheckName("user", s.User); err != nil {
			j.log.Error("a score is lost", "board", s.Board, "error", err)
			continue
		}
		out = append(out, store.Score{Board: s.Board, User: s.User, Partition: partition(s.Load), Delta: s.Delta})
	}
	return out
}

// errUnwritable marks an entry that no store will ever take.
var errUnwritable = errors.New("the record cannot be encoded")

// failed decides what a failed write of n entries, the first of which were tried before, means: one that can never be written makes the
// journal lose everything up to a snapshot, anything else is tried again.
func (j *journal) failed(err error, n, tried int) error {
	for _, never := range []error{errUnwritable, store.ErrLimit, store.ErrTickOrder, store.ErrChecksum} {
		if !errors.Is(err, never) {
			continue
		}
		j.mu.Lock()
		if tried == n {
			// Refused now, and what became of it earlier nobody will say: it goes. Its scores may count, and must not twice.
			tried = 0
			j.log.Error("log records are refused after an attempt without an answer: their scores may be lost", "entries", n, "error", err)
			j.waiting = slices.Delete(j.waiting, 0, n)
		}
		j.unsure = tried // a refused write has written nothing
		j.lose()
		j.mu.Unlock()
		break
	}
	return err
}

// done removes a written batch.
func (j *journal) done(batch []entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	last := batch[len(batch)-1]
	j.committed = last.tick
	j.waiting = slices.Delete(j.waiting, 0, len(batch))
	j.unsure -= len(batch)
	if j.state == healing && !slices.ContainsFunc(j.waiting, func(e entry) bool { return e.gap }) {
		j.state = whole
		j.log.Info("the store is whole again", "tick", last.tick)
	}
	j.metric.backlog.Set(float64(len(j.waiting)))
}

// wait waits; false when ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
