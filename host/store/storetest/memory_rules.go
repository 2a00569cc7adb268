package storetest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/venued/venued/host/store"
)

// memoryRules is what is kept of a venue's modules.
type memoryRules struct {
	names    []store.RuleName
	modules  map[string][]byte
	assigned []store.Assignment
}

type memoryBoard struct{ venue, partition, board string }

func (m *Memory) rulesOf(venue string) *memoryRules {
	r := m.rules[venue]
	if r == nil {
		r = &memoryRules{modules: map[string][]byte{}}
		m.rules[venue] = r
	}
	return r
}

// clone lets a call fail without a trace.
func (r *memoryRules) clone() *memoryRules {
	c := &memoryRules{names: slices.Clone(r.names), modules: maps.Clone(r.modules), assigned: slices.Clone(r.assigned)}
	for i := range c.names {
		c.names[i].Versions = slices.Clone(c.names[i].Versions)
	}
	return c
}

// sweep forgets modules that nothing names.
func (r *memoryRules) sweep() error {
	needed := map[string]bool{}
	for _, n := range r.names {
		for _, v := range n.Versions {
			if !v.Dropped {
				needed[v.Digest] = true
			}
		}
	}
	for _, a := range r.assigned {
		needed[a.Current], needed[a.Previous] = true, true
	}
	total := 0
	for d, b := range r.modules {
		if !needed[d] {
			delete(r.modules, d)
		} else {
			total += len(b)
		}
	}
	if total > store.MaxModules {
		return store.ErrFull
	}
	return nil
}

// SaveVersion implements store.Store.
func (m *Memory) SaveVersion(ctx context.Context, venue string, v store.RuleVersion, module []byte) (bool, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return false, err
	}
	if err := store.CheckVersion(&v, module); err != nil {
		return false, err
	}
	if err := m.enter(ctx, true); err != nil {
		return false, err
	}
	defer m.mu.Unlock()
	r := m.rulesOf(venue).clone()
	at, has := slices.BinarySearchFunc(r.names, v.Name, func(n store.RuleName, name string) int { return bytes.Compare([]byte(n.Name), []byte(name)) })
	if !has {
		if len(r.names) >= store.MaxNames {
			return false, store.ErrFull
		}
		r.names = slices.Insert(r.names, at, store.RuleName{Name: v.Name, Owner: v.By})
	}
	n := &r.names[at]
	if n.Owner != v.By {
		return false, fmt.Errorf("rule %s is %s's: %w", v.Name, n.Owner, store.ErrOwner)
	}
	for i, old := range n.Versions {
		if old.Version != v.Version {
			continue
		}
		if old.Digest == v.Digest && !old.Dropped {
			return false, nil
		}
		if old.Digest != v.Digest && !store.Development(v.Version) {
			return false, store.ErrTaken
		}
		n.Versions = slices.Delete(n.Versions, i, i+1)
		break
	}
	if len(n.Versions) >= store.MaxVersions {
		return false, store.ErrFull
	}
	n.Versions = append(n.Versions, v)
	r.modules[v.Digest] = bytes.Clone(module)
	if err := r.sweep(); err != nil {
		return false, err
	}
	m.rules[venue] = r
	return true, nil
}

// DropVersion implements store.Store.
func (m *Memory) DropVersion(ctx context.Context, venue, name, version string) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckRuleName("rule name", name); err != nil {
		return err
	}
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	r := m.rulesOf(venue)
	for i := range r.names {
		for j := range r.names[i].Versions {
			v := &r.names[i].Versions[j]
			if r.names[i].Name != name || v.Version != version || v.Dropped {
				continue
			}
			for _, a := range r.assigned {
				if a.Current == v.Digest || a.Previous == v.Digest {
					return store.ErrAssigned
				}
			}
			v.Dropped = true
			return r.sweep()
		}
	}
	return store.ErrNotFound
}

// Versions implements store.Store.
func (m *Memory) Versions(ctx context.Context, venue string) ([]store.RuleName, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	return m.rulesOf(venue).clone().names, nil
}

// Module implements store.Store.
func (m *Memory) Module(ctx context.Context, venue, digest string) ([]byte, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	b, ok := m.rulesOf(venue).modules[digest]
	if !ok {
		return nil, store.ErrNotFound
	}
	return bytes.Clone(b), nil
}

// Assign implements store.Store.
func (m *Memory) Assign(ctx context.Context, venue string, a store.Assignment) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckAssignment(&a); err != nil {
		return err
	}
	if err := m.enter(ctx, true); err != nil {
		return err
	}
	defer m.mu.Unlock()
	r := m.rulesOf(venue)
	for _, d := range []string{a.Current, a.Previous} {
		if _, ok := r.modules[d]; !ok && d != "" {
			return store.ErrNotFound
		}
	}
	a.History = slices.Clone(a.History)
	i := slices.IndexFunc(r.assigned, func(b store.Assignment) bool { return b.Region == a.Region && b.Rule == a.Rule })
	switch {
	case i >= 0:
		r.assigned[i] = a
	case len(r.assigned) >= store.MaxAssignments:
		return store.ErrFull
	default:
		r.assigned = append(r.assigned, a)
	}
	return r.sweep()
}

// Assignments implements store.Store.
func (m *Memory) Assignments(ctx context.Context, venue string) ([]store.Assignment, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	out := slices.Clone(m.rulesOf(venue).assigned)
	store.SortAssignments(out)
	return out, nil
}

// score adds scores. m.mu is held.
func (m *Memory) score(venue string, scores []store.Score) {
	for _, s := range scores {
		k := memoryBoard{venue, s.Partition, s.Board}
		if m.totals[k] == nil {
			n := 0
			for other := range m.totals {
				if other.venue == venue && other.partition == s.Partition {
					n++
				}
			}
			if n >= store.MaxBoards {
				continue
			}
			m.totals[k] = map[string]int64{}
		}
		m.totals[k][s.User] = store.Add(m.totals[k][s.User], s.Delta)
	}
}

// Boards implements store.Store.
func (m *Memory) Boards(ctx context.Context, venue, partition string) ([]store.BoardSummary, error) {
	if err := store.CheckBoard(venue, partition, "any", 0); err != nil {
		return nil, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	var out []store.BoardSummary
	for k, users := range m.totals {
		if k.venue == venue && k.partition == partition {
			out = append(out, store.BoardSummary{Board: k.board, Users: len(users)})
		}
	}
	slices.SortFunc(out, func(a, b store.BoardSummary) int { return bytes.Compare([]byte(a.Board), []byte(b.Board)) })
	return out, nil
}

// Board implements store.Store.
func (m *Memory) Board(ctx context.Context, venue, partition, board string, n int) ([]store.Total, int, error) {
	if err := store.CheckBoard(venue, partition, board, n); err != nil {
		return nil, 0, err
	}
	if err := m.enter(ctx, false); err != nil {
		return nil, 0, err
	}
	defer m.mu.Unlock()
	var top []store.Total
	for user, points := range m.totals[memoryBoard{venue, partition, board}] {
		top = append(top, store.Total{User: user, Points: points})
	}
	store.SortTotals(top)
	return top[:min(n, len(top))], len(top), nil
}
