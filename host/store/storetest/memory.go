// Package storetest is the suite that every backend of package store passes, and a plain
// store in memory that it is compared with.
//
// A backend's test calls Run with a function that opens it. The suite compares
// the backend with Memory over random sequences of calls, closing and opening it in
// between, and checks fencing, limits and concurrent use.
package storetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/host/store"
)

// Memory is a store in memory, as plain as it can be: the twin that backends are
// compared with, and a store for tests of what stands on one. It keeps nothing
// beyond its life. Its zero value is not usable; see NewMemory.
type Memory struct {
	mu      sync.Mutex
	closed  bool
	starts  uint64
	t0      int64
	venues  map[string]bool
	blocks  map[string]uint32
	regions map[store.RegionKey]*memoryRegion
	places  map[[3]string]store.UserPlace
	rules   map[string]*memoryRules          // by venue
	totals  map[memoryBoard]map[string]int64 // of users
	members map[string][]memoryMember        // by venue
	now     func() time.Time
	fail    error
	hold    chan struct{}
}

type memoryRegion struct {
	epoch     uint64
	owner     string
	used      bool // last is of something stored
	last      uint64
	log       []store.Record
	snapshots []store.Snapshot
}

// NewMemory returns an empty store whose venues all start at t0 (microseconds since 1970).
func NewMemory(t0 int64) *Memory {
	return &Memory{
		t0: t0, venues: map[string]bool{}, blocks: map[string]uint32{},
		regions: map[store.RegionKey]*memoryRegion{}, places: map[[3]string]store.UserPlace{},
		rules: map[string]*memoryRules{}, totals: map[memoryBoard]map[string]int64{},
		members: map[string][]memoryMember{}, now: time.Now,
	}
}

// Fail makes every later write return err, until Fail(nil).
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = err
}

// Hold makes every later write wait until the function it returns is called: a disk that
// is slow.
func (m *Memory) Hold() (release func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	ch := make(chan struct{})
	m.hold = ch
	return sync.OnceFunc(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		close(ch)
		if m.hold == ch {
			m.hold = nil
		}
	})
}

// enter begins a call: it returns with m locked, or with an error and m unlocked.
func (m *Memory) enter(ctx context.Context, write bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	if hold := m.hold; write && hold != nil {
		m.mu.Unlock()
		select {
		case <-hold:
		case <-ctx.Done():
			return ctx.Err()
		}
		m.mu.Lock()
	}
	err := error(nil)
	switch {
	case m.closed:
		err = store.ErrClosed
	case write:
		err = m.fail
	}
	if err != nil {
		m.mu.Unlock()
	}
	return err
}

// Venue implements store.Store.
func (m *Memory) Venue(ctx context.Context, id string) (store.VenueMeta, error) {
	if err := store.CheckName("venue", id); err != nil {
		return store.VenueMeta{}, err
	}
	if err := m.enter(ctx, true); err != nil {
		return store.VenueMeta{}, err
	}
	defer m.mu.Unlock()
	m.venues[id] = true
	return store.VenueMeta{T0UnixUS: m.t0}, nil
}

// Acquire implements store.Store.
func (m *Memory) Acquire(ctx context.Context, key store.RegionKey) (store.Lease, error) {
	return m.acquire(ctx, key, "", nil)
}

// AcquireAfter implements store.Store.
func (m *Memory) AcquireAfter(ctx context.Context, key store.RegionKey, epoch uint64) (store.Lease, error) {
	return m.acquire(ctx, key, "", &epoch)
}

func (m *Memory) acquire(ctx context.Context, key store.RegionKey, owner string, after *uint64) (store.Lease, error) {
	if err := store.CheckKey(key); err != nil {
		return store.Lease{}, err
	}
	if err := m.enter(ctx, true); err != nil {
		return store.Lease{}, err
	}
	defer m.mu.Unlock()
	r := m.regions[key]
	now := uint64(0)
	if r != nil {
		now = r.epoch
	}
	if after != nil && *after != now {
		return store.Lease{Key: key, Epoch: now}, store.Overtaken(key, *after, now)
	}
	if r == nil {
		r = &memoryRegion{}
		m.regions[key] = r
	}
	r.epoch++
	r.owner = owner
	m.starts++
	m.blocks[key.Venue]++
	return store.Lease{Key: key, Epoch: r.epoch, Incarnation: m.starts, IDBlock: m.blocks[key.Venue]}, nil
}

func (m *Memory) fenced(l store.Lease) (*memoryRegion, error) {
	r := m.regions[l.Key]
	if r == nil {
		return nil, store.Fenced(l, 0)
	}
	if r.epoch != l.Epoch {
		return nil, store.Fenced(l, r.epoch)
	}
	return r, nil
}

// Append implements store.Store.
func (m *Memory) Append(ctx context.Context, l store.Lease, records []store.Record) error {
	if err := store.CheckRecords(l.Key, records); err != nil {
		return err
	}
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	r, err := m.fenced(l)
	if err != nil {
		return err
	}
	var added []store.Record
	for _, rec := range records {
		if r.used && rec.Tick <= r.last {
			i := slices.IndexFunc(r.log, func(o store.Record) bool { return o.Tick == rec.Tick })
			if i < 0 || !bytes.Equal(r.log[i].Data, rec.Data) {
				return fmt.Errorf("tick %d, stored up to %d: %w", rec.Tick, r.last, store.ErrTickOrder)
			}
			continue
		}
		added = append(added, store.Record{Tick: rec.Tick, Data: bytes.Clone(rec.Data), Scores: rec.Scores})
	}
	for _, rec := range added {
		m.score(l.Key.Venue, rec.Scores)
		rec.Scores = nil
		r.log = append(r.log, rec)
		r.last, r.used = rec.Tick, true
	}
	return nil
}

// SaveSnapshot implements store.Store.
func (m *Memory) SaveSnapshot(ctx context.Context, l store.Lease, s store.Snapshot) error {
	if err := store.CheckSnapshot(l.Key, &s); err != nil {
		return err
	}
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	r, err := m.fenced(l)
	if err != nil {
		return err
	}
	s.Data = append([]byte{}, s.Data...)
	if n := len(r.snapshots); n > 0 {
		newest := r.snapshots[n-1]
		if newest.Tick == s.Tick && newest.Version == s.Version && newest.SHA256 == s.SHA256 && newest.Gap == s.Gap {
			return nil
		}
		if s.Tick <= newest.Tick {
			return fmt.Errorf("snapshot of tick %d, there is one of %d: %w", s.Tick, newest.Tick, store.ErrTickOrder)
		}
	}
	if r.used && s.Tick < r.last {
		return fmt.Errorf("snapshot of tick %d, stored up to %d: %w", s.Tick, r.last, store.ErrTickOrder)
	}
	if n := len(r.snapshots); n > 0 {
		before := r.snapshots[n-1].Tick
		r.log = slices.DeleteFunc(r.log, func(o store.Record) bool { return o.Tick <= before })
	}
	m.score(l.Key.Venue, s.Scores)
	s.Scores = nil
	r.snapshots = append(r.snapshots, s)
	r.last, r.used = s.Tick, true
	return nil
}

// Load implements store.Store.
func (m *Memory) Load(ctx context.Context, key store.RegionKey) (*store.Snapshot, []store.Record, error) {
	if err := store.CheckKey(key); err != nil {
		return nil, nil, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, nil, err
	}
	defer m.mu.Unlock()
	r := m.regions[key]
	if r == nil {
		return nil, nil, nil
	}
	var snap *store.Snapshot
	if n := len(r.snapshots); n > 0 {
		c := r.snapshots[n-1]
		snap = &c
	}
	var records []store.Record
	for _, rec := range r.log {
		if snap == nil || rec.Tick > snap.Tick {
			records = append(records, store.Record{Tick: rec.Tick, Data: append([]byte{}, rec.Data...)})
		}
	}
	return snap, records, nil
}

// SavePlaces implements store.Store.
func (m *Memory) SavePlaces(ctx context.Context, venue string, places []store.UserPlace) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckPlaces(places); err != nil {
		return err
	}
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	for _, p := range places {
		k := [3]string{venue, p.Partition, p.User}
		if old, ok := m.places[k]; !ok || old.Tick <= p.Tick {
			m.places[k] = p
		}
	}
	return nil
}

// Place implements store.Store.
func (m *Memory) Place(ctx context.Context, venue, partition, user string) (store.UserPlace, bool, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return store.UserPlace{}, false, err
	}
	if err := store.CheckPlaces([]store.UserPlace{{User: user, Partition: partition}}); err != nil {
		return store.UserPlace{}, false, err
	}
	if err := m.enter(ctx, false); err != nil {
		return store.UserPlace{}, false, err
	}
	defer m.mu.Unlock()
	p, ok := m.places[[3]string{venue, partition, user}]
	return p, ok, nil
}

// Check implements store.Store.
func (m *Memory) Check(ctx context.Context) error {
	if err := m.enter(ctx, false); err != nil {
		return err
	}
	defer m.mu.Unlock()
	return m.fail
}

// Close implements store.Store.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	return nil
}
