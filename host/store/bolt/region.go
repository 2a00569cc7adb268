package bolt

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/venued/venued/host/store"
)

const (
	venuePrefix  = "v:"
	regionPrefix = "r:"
	logName      = "log"
	snapName     = "snap"
	placesName   = "places"
)

var (
	metaKey = []byte("meta")
	headKey = []byte("head")
)

// venueMeta is a venue's meta entry: two numbers of 8 bytes, one of 4.
type venueMeta struct {
	t0        int64
	nextBlock uint32
}

func (s *Store) venueMeta(v sealed) (m venueMeta, has bool, err error) {
	b, err := v.get(metaKey)
	if err != nil || b == nil {
		return m, false, err
	}
	if len(b) != 12 {
		return m, false, damaged(v.path, "the venue's entry has %d bytes", len(b))
	}
	return venueMeta{int64(binary.LittleEndian.Uint64(b)), binary.LittleEndian.Uint32(b[8:])}, true, nil
}

// makeVenue returns a venue's bucket and meta entry, new on first use.
func (s *Store) makeVenue(top sealed, id string) (sealed, venueMeta, error) {
	v, err := top.makeChild(venuePrefix + id)
	if err != nil {
		return v, venueMeta{}, err
	}
	m, has, err := s.venueMeta(v)
	if err != nil || has {
		return v, m, err
	}
	m = venueMeta{t0: s.opts.Now().UnixMicro(), nextBlock: 1}
	return v, m, putVenueMeta(v, m)
}

func putVenueMeta(v sealed, m venueMeta) error {
	b := binary.LittleEndian.AppendUint64(nil, uint64(m.t0))
	return v.put(metaKey, binary.LittleEndian.AppendUint32(b, m.nextBlock))
}

// Venue implements store.Store.
func (s *Store) Venue(ctx context.Context, id string) (store.VenueMeta, error) {
	if err := ctx.Err(); err != nil {
		return store.VenueMeta{}, err
	}
	if err := store.CheckName("venue", id); err != nil {
		return store.VenueMeta{}, err
	}
	var m venueMeta
	err := s.write(func(top sealed) (err error) {
		_, m, err = s.makeVenue(top, id)
		return err
	})
	return store.VenueMeta{T0UnixUS: m.t0}, err
}

// head is what is kept about a region beside its log and snapshots: four numbers of 8 bytes and two
// bytes.
type head struct {
	epoch          uint64
	last           uint64 // highest tick of log and snapshots
	newest, before uint64 // ticks of the newest two snapshots
	snaps          int    // how many there are: 0, 1, 2
	gap            bool   // of the newest
}

const headSize = 4*8 + 2

func getHead(r sealed) (h head, err error) {
	b, err := r.get(headKey)
	if err != nil {
		return h, err
	}
	if len(b) != headSize || b[32] > 2 {
		return h, damaged(r.path, "the region's entry is malformed")
	}
	n := binary.LittleEndian.Uint64
	return head{epoch: n(b), last: n(b[8:]), newest: n(b[16:]), before: n(b[24:]), snaps: int(b[32]), gap: b[33] != 0}, nil
}

func putHead(r sealed, h head) error {
	b := make([]byte, 0, headSize)
	for _, n := range []uint64{h.epoch, h.last, h.newest, h.before} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	b = append(b, byte(h.snaps), 0)
	if h.gap {
		b[33] = 1
	}
	return r.put(headKey, b)
}

// Acquire implements store.Store.
func (s *Store) Acquire(ctx context.Context, key store.RegionKey) (store.Lease, error) {
	return s.acquire(ctx, key, nil)
}

// AcquireAfter implements store.Store.
func (s *Store) AcquireAfter(ctx context.Context, key store.RegionKey, epoch uint64) (store.Lease, error) {
	return s.acquire(ctx, key, &epoch)
}

// acquire makes the caller the owner, if after is nil or the region's epoch.
func (s *Store) acquire(ctx context.Context, key store.RegionKey, after *uint64) (store.Lease, error) {
	if err := ctx.Err(); err != nil {
		return store.Lease{}, err
	}
	if err := store.CheckKey(key); err != nil {
		return store.Lease{}, err
	}
	l := store.Lease{Key: key, Incarnation: newIncarnation()}
	err := s.write(func(top sealed) error {
		v, m, err := s.makeVenue(top, key.Venue)
		if err != nil {
			return err
		}
		if m.nextBlock == math.MaxUint32 {
			return fmt.Errorf("venue %s: all %d id blocks are used: %w", key.Venue, m.nextBlock, store.ErrLimit)
		}
		l.IDBlock = m.nextBlock
		m.nextBlock++
		if err := putVenueMeta(v, m); err != nil {
			return err
		}
		r, made, err := makeRegion(v, key.Region)
		if err != nil {
			return err
		}
		var h head
		if !made {
			if h, err = getHead(r); err != nil {
				return err
			}
		}
		if after != nil && *after != h.epoch {
			l = store.Lease{Key: key, Epoch: h.epoch}
			return store.Overtaken(key, *after, h.epoch)
		}
		h.epoch++
		l.Epoch = h.epoch
		return putHead(r, h)
	})
	if errors.Is(err, store.ErrFenced) {
		return l, err
	}
	if err != nil {
		return store.Lease{}, err
	}
	return l, nil
}

func makeRegion(v sealed, name string) (r sealed, made bool, err error) {
	if r, ok := v.child(regionPrefix + name); ok {
		return r, false, nil
	}
	if r, err = v.makeChild(regionPrefix + name); err != nil {
		return r, false, err
	}
	for _, n := range []string{logName, snapName} {
		if _, err := r.makeChild(n); err != nil {
			return r, false, err
		}
	}
	return r, true, nil
}

// region is a region's buckets and head.
type region struct {
	r, records, snapshots sealed
	head
}

// empty says that nothing was ever written for the region, so that tick 0 is free too.
func (g *region) empty() bool {
	if g.snaps > 0 || g.last > 0 {
		return false
	}
	k, _ := g.records.b.Cursor().First()
	return k == nil
}

// findRegion returns a region; ok is false when nobody ever acquired it.
func findRegion(top sealed, key store.RegionKey) (g region, ok bool, err error) {
	v, ok := top.child(venuePrefix + key.Venue)
	if !ok {
		return g, false, nil
	}
	if g.r, ok = v.child(regionPrefix + key.Region); !ok {
		return g, false, nil
	}
	var has [2]bool
	g.records, has[0] = g.r.child(logName)
	g.snapshots, has[1] = g.r.child(snapName)
	if !has[0] || !has[1] {
		return g, false, damaged(g.r.path, "the log or the snapshots are missing")
	}
	g.head, err = getHead(g.r)
	return g, true, err
}

// fenced returns the lease's region, or store.ErrFenced.
func fenced(top sealed, l store.Lease) (region, error) {
	g, ok, err := findRegion(top, l.Key)
	if err != nil {
		return g, err
	}
	if !ok || g.epoch != l.Epoch {
		return g, store.Fenced(l, g.epoch)
	}
	return g, nil
}

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, l store.Lease, records []store.Record) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := store.CheckRecords(l.Key, records); err != nil {
		return err
	}
	return s.write(func(top sealed) error {
		g, err := fenced(top, l)
		if err != nil {
			return err
		}
		fresh := g.empty()
		for _, r := range records {
			k := tickKey(r.Tick)
			if !fresh && r.Tick <= g.last {
				old, err := g.records.get(k)
				if err != nil {
					return err
				}
				if old == nil || !bytes.Equal(old, r.Data) {
					return fmt.Errorf("region %s: log record of tick %d, but tick %d is stored already: %w", l.Key, r.Tick, g.last, store.ErrTickOrder)
				}
				continue
			}
			if err := g.records.put(k, r.Data); err != nil {
				return err
			}
			if err := s.addScores(top, l.Key.Venue, r.Scores); err != nil {
				return err
			}
			g.last, fresh = r.Tick, false
		}
		return putHead(g.r, g.head)
	})
}

// A snapshot's payload: version u32, SHA-256, data.
const snapHeader = 4 + sha256.Size

func encodeSnapshot(s *store.Snapshot) []byte {
	b := make([]byte, 0, snapHeader+len(s.Data))
	b = binary.LittleEndian.AppendUint32(b, s.Version)
	return append(append(b, s.SHA256[:]...), s.Data...)
}

// getSnapshot returns a snapshot whose checksums hold, or store.ErrDamaged.
func (g *region) getSnapshot(tick uint64) (*store.Snapshot, error) {
	b, err := g.snapshots.get(tickKey(tick))
	if err != nil {
		return nil, err
	}
	if len(b) < snapHeader {
		return nil, damaged(g.snapshots.path, "the snapshot of tick %d is missing or cut short", tick)
	}
	s := &store.Snapshot{Tick: tick, Version: binary.LittleEndian.Uint32(b), Data: clone(b[snapHeader:])}
	copy(s.SHA256[:], b[4:])
	if sha256.Sum256(s.Data) != s.SHA256 {
		return nil, damaged(g.snapshots.path, "the snapshot of tick %d does not have its checksum", tick)
	}
	return s, nil
}

// SaveSnapshot implements store.Store.
func (s *Store) SaveSnapshot(ctx context.Context, l store.Lease, snap store.Snapshot) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := store.CheckSnapshot(l.Key, &snap); err != nil {
		return err
	}
	return s.write(func(top sealed) error {
		g, err := fenced(top, l)
		if err != nil {
			return err
		}
		if g.snaps > 0 && snap.Tick == g.newest {
			if old, err := g.snapshots.get(tickKey(snap.Tick)); err == nil && bytes.Equal(old, encodeSnapshot(&snap)) && g.gap == snap.Gap {
				return nil
			}
		}
		if snap.Tick < g.last || g.snaps > 0 && snap.Tick == g.newest {
			return fmt.Errorf("region %s: snapshot of tick %d, but tick %d is stored already: %w", l.Key, snap.Tick, g.last, store.ErrTickOrder)
		}
		if err := g.snapshots.put(tickKey(snap.Tick), encodeSnapshot(&snap)); err != nil {
			return err
		}
		if err := g.trim(); err != nil {
			return err
		}
		if err := s.addScores(top, l.Key.Venue, snap.Scores); err != nil {
			return err
		}
		g.before, g.newest, g.last, g.gap = g.newest, snap.Tick, snap.Tick, snap.Gap
		g.snaps = min(2, g.snaps+1)
		return putHead(g.r, g.head)
	})
}

// trim drops what a new snapshot makes useless: the older of the two there are, and the
// log up to the newer.
func (g *region) trim() error {
	if g.snaps == 0 {
		return nil
	}
	if g.snaps == 2 {
		if err := g.snapshots.drop(tickKey(g.before)); err != nil {
			return err
		}
	}
	// Collected first: deleting moves what a cursor stands on.
	var old [][]byte
	c := g.records.b.Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		if tick, ok := tickOf(k); ok && tick > g.newest {
			break
		}
		old = append(old, clone(k))
	}
	for _, k := range old {
		if err := g.records.drop(k); err != nil {
			return err
		}
	}
	return nil
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, key store.RegionKey) (snap *store.Snapshot, records []store.Record, err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if err := store.CheckKey(key); err != nil {
		return nil, nil, err
	}
	err = s.read(func(top sealed) error {
		g, ok, err := findRegion(top, key)
		if err != nil || !ok {
			return err
		}
		if snap, err = s.newestSnapshot(&g); err != nil {
			return err
		}
		records, err = g.recordsAfter(snap)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return snap, records, nil
}

// newestSnapshot returns the newest snapshot that is whole, if the log reaches back to it.
func (s *Store) newestSnapshot(g *region) (*store.Snapshot, error) {
	if g.snaps == 0 {
		return nil, nil
	}
	snap, err := g.getSnapshot(g.newest)
	if err == nil {
		snap.Gap = g.gap
		return snap, nil
	}
	const advice = "restore the store file from a backup, or move it away to start with an empty one"
	if g.snaps < 2 || g.gap {
		return nil, fmt.Errorf("%w; there is no older one with a complete log: %s", err, advice)
	}
	snap, before := g.getSnapshot(g.before)
	if before != nil {
		return nil, fmt.Errorf("%w; and so is the one before (%w): %s", err, before, advice)
	}
	s.opts.Log.Warn("newest snapshot is damaged, going back to the one before and its longer log", "error", err, "tick", g.before)
	return snap, nil
}

func (g *region) recordsAfter(snap *store.Snapshot) ([]store.Record, error) {
	var records []store.Record
	c := g.records.b.Cursor()
	k, v := c.First()
	if snap != nil {
		k, v = c.Seek(tickKey(snap.Tick + 1))
	}
	for ; k != nil; k, v = c.Next() {
		tick, ok := tickOf(k)
		if !ok {
			return nil, damaged(g.records.path, "key %x is no tick", k)
		}
		payload, _, err := g.records.open(k, v)
		if err != nil {
			return nil, err
		}
		records = append(records, store.Record{Tick: tick, Data: clone(payload)})
	}
	return records, nil
}
