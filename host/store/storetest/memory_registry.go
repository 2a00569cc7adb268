package storetest

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/venued/venued/host/store"
)

var _ store.Registry = (*Memory)(nil)

// memoryMember is a member and until when it is there.
type memoryMember struct {
	store.Member
	until time.Time
}

// Clock makes the registry read another clock than time.Now.
func (m *Memory) Clock(now func() time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = now
}

// Join implements store.Registry.
func (m *Memory) Join(ctx context.Context, venue string, who store.Member, ttl time.Duration) (store.Roll, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return store.Roll{}, err
	}
	if err := store.CheckMember(&who); err != nil {
		return store.Roll{}, err
	}
	if err := m.enter(ctx, true); err != nil {
		return store.Roll{}, err
	}
	defer m.mu.Unlock()
	now := m.now()
	there := slices.DeleteFunc(m.members[venue], func(o memoryMember) bool { return !o.until.After(now) })
	for i := range there {
		if err := store.Conflict(&who, &there[i].Member); err != nil {
			m.members[venue] = there
			return store.Roll{}, err
		}
	}
	there = slices.DeleteFunc(there, func(o memoryMember) bool { return o.Name == who.Name })
	who.Roles = slices.Clone(who.Roles)
	m.members[venue] = append(there, memoryMember{who, now.Add(ttl)})
	return m.roll(venue), nil
}

// Leave implements store.Registry.
func (m *Memory) Leave(ctx context.Context, venue, name string, incarnation uint64) error {
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	m.members[venue] = slices.DeleteFunc(m.members[venue], func(o memoryMember) bool { return o.Name == name && o.Incarnation == incarnation })
	return nil
}

// Roll implements store.Registry.
func (m *Memory) Roll(ctx context.Context, venue string) (store.Roll, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return store.Roll{}, err
	}
	if err := m.enter(ctx, false); err != nil {
		return store.Roll{}, err
	}
	defer m.mu.Unlock()
	return m.roll(venue), nil
}

func (m *Memory) roll(venue string) store.Roll {
	r := store.Roll{Now: m.now()}
	for _, o := range m.members[venue] {
		if o.until.After(r.Now) {
			r.Members = append(r.Members, o.Member)
		}
	}
	for key, region := range m.regions {
		if key.Venue == venue && region.epoch > 0 {
			r.Routes = append(r.Routes, store.Route{Region: key.Region, Owner: region.owner, Epoch: region.epoch})
		}
	}
	slices.SortFunc(r.Members, func(a, b store.Member) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(r.Routes, func(a, b store.Route) int { return strings.Compare(a.Region, b.Region) })
	return r
}

// Claim implements store.Registry.
func (m *Memory) Claim(ctx context.Context, key store.RegionKey, owner string, epoch uint64) (store.Lease, error) {
	if err := store.CheckName("owner", owner); err != nil {
		return store.Lease{}, err
	}
	return m.acquire(ctx, key, owner, &epoch)
}

// Release implements store.Registry.
func (m *Memory) Release(ctx context.Context, key store.RegionKey, owner string, epoch uint64) error {
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	if r := m.regions[key]; r != nil && r.owner == owner && r.epoch == epoch {
		r.owner = ""
	}
	return nil
}
