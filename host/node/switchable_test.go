package node

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/host/store"
)

// switchable is a store whose writes can be made to fail.
type switchable struct {
	store.Store
	mu  sync.Mutex
	err error
}

func (s *switchable) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

func (s *switchable) failing() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *switchable) Append(ctx context.Context, l store.Lease, r []store.Record) error {
	if err := s.failing(); err != nil {
		return err
	}
	return s.Store.Append(ctx, l, r)
}

func (s *switchable) SaveSnapshot(ctx context.Context, l store.Lease, snap store.Snapshot) error {
	if err := s.failing(); err != nil {
		return err
	}
	return s.Store.SaveSnapshot(ctx, l, snap)
}

func (s *switchable) SavePlaces(ctx context.Context, venue string, p []store.UserPlace) error {
	if err := s.failing(); err != nil {
		return err
	}
	return s.Store.SavePlaces(ctx, venue, p)
}

// atomicDuration is a duration that one goroutine sets while others read it.
type atomicDuration struct{ n atomic.Int64 }

func (d *atomicDuration) get() time.Duration  { return time.Duration(d.n.Load()) }
func (d *atomicDuration) set(v time.Duration) { d.n.Store(int64(v)) }
