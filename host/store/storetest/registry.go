package storetest

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/host/store"
)

// RunRegistry checks a registry; open gives one that nothing was entered into, and that is a Store too.
func RunRegistry(t *testing.T, open func(t *testing.T) interface {
	store.Store
	store.Registry
}) {
	const long = time.Minute
	one := store.Member{Name: "one", Incarnation: 7, Roles: []string{"node"}, Version: "1.0", Cluster: "c", Layout: "l", Bus: "10.0.0.1:1", HTTP: "10.0.0.1:2"}
	two := one
	two.Name, two.Incarnation, two.Roles = "two", 8, []string{"gateway", "console"}

	t.Run("Members", func(t *testing.T) {
		s := open(t)
		if r, err := s.Roll(ctx, "hall"); err != nil || len(r.Members)+len(r.Routes) != 0 {
			t.Fatalf("an empty one: %+v, %v", r, err)
		}
		r, err := s.Join(ctx, "hall", two, long)
		if err != nil || len(r.Members) != 1 || r.Now.IsZero() {
			t.Fatalf("first: %+v, %v", r, err)
		}
		if r, err = s.Join(ctx, "hall", one, long); err != nil || len(r.Members) != 2 || r.Members[0].Name != "one" || !r.Members[1].Has("console") || r.Members[1].Has("node") {
			t.Fatalf("second: %+v, %v", r, err)
		}
		if got := r.Member("one"); got == nil || got.Bus != one.Bus || got.Incarnation != 7 || r.Member("three") != nil {
			t.Errorf("member: %+v", got)
		}
		if r, err := s.Roll(ctx, "other"); err != nil || len(r.Members) != 0 {
			t.Errorf("another venue: %+v, %v", r, err)
		}
		if err := s.Leave(ctx, "hall", "one", 99); err != nil {
			t.Error(err)
		}
		if r, _ := s.Join(ctx, "hall", two, long); len(r.Members) != 2 {
			t.Error("another incarnation's leave took the member out")
		}
		if err := s.Leave(ctx, "hall", "one", 7); err != nil {
			t.Error(err)
		}
		if r, _ := s.Roll(ctx, "hall"); len(r.Members) != 1 {
			t.Errorf("after the leave: %+v", r.Members)
		}
	})

	t.Run("MembersThatAreSilentAreGone", func(t *testing.T) {
		s := open(t)
		if _, err := s.Join(ctx, "hall", one, time.Millisecond); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(10 * time.Second); ; {
			r, err := s.Roll(ctx, "hall")
			if err == nil && len(r.Members) == 0 {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%+v, %v", r, err)
			}
		}
		again := one
		again.Incarnation = 9
		if r, err := s.Join(ctx, "hall", again, long); err != nil || len(r.Members) != 1 || r.Members[0].Incarnation != 9 {
			t.Errorf("the name is taken again: %+v, %v", r, err)
		}
	})

	t.Run("Conflicts", func(t *testing.T) {
		s := open(t)
		if _, err := s.Join(ctx, "hall", one, long); err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			change func(*store.Member)
			words  []string
		}{
			"name":    {func(m *store.Member) { m.Name = "one" }, []string{"another process of this name", "[cluster] name"}},
			"version": {func(m *store.Member) { m.Version = "2.0" }, []string{"1.0", "2.0", "one", "two"}},
			"cluster": {func(m *store.Member) { m.Cluster = "d" }, []string{"key", "[store] prefix"}},
			"layout":  {func(m *store.Member) { m.Layout = "k" }, []string{"regions", "one"}},
		} {
			m := two
			c.change(&m)
			_, err := s.Join(ctx, "hall", m, long)
			if !errors.Is(err, store.ErrConflict) {
				t.Errorf("%s: %v", what, err)
				continue
			}
			for _, w := range c.words {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%s: %q does not name %s", what, err, w)
				}
			}
		}
		if r, _ := s.Roll(ctx, "hall"); len(r.Members) != 1 {
			t.Errorf("one that was refused is in: %+v", r.Members)
		}
		for _, m := range []store.Member{{Name: "", Incarnation: 1}, {Name: "x"}, {Name: "x", Incarnation: 1 << 53}, {Name: "x", Incarnation: 1, HTTP: strings.Repeat("a", store.MaxName+1)}} {
			if _, err := s.Join(ctx, "hall", m, long); !errors.Is(err, store.ErrLimit) {
				t.Errorf("%+v: %v", m.Name, err)
			}
		}
	})

	t.Run("Claims", func(t *testing.T) {
		s := open(t)
		key := store.RegionKey{Venue: "hall", Region: "main"}
		first, err := s.Claim(ctx, key, "one", 0)
		if err != nil || first.Epoch != 1 || first.IDBlock == 0 || first.Incarnation == 0 {
			t.Fatalf("%+v, %v", first, err)
		}
		if _, err := s.Claim(ctx, key, "two", 0); !errors.Is(err, store.ErrFenced) {
			t.Errorf("a claim of what has an owner: %v", err)
		}
		if _, err := s.Claim(ctx, key, "", 1); !errors.Is(err, store.ErrLimit) {
			t.Errorf("nobody's claim: %v", err)
		}
		second, err := s.Claim(ctx, key, "two", 1)
		if err != nil || second.Epoch != 2 || second.IDBlock == first.IDBlock {
			t.Fatalf("%+v, %v", second, err)
		}
		if err := s.Append(ctx, first, []store.Record{{Tick: 1, Data: []byte("x")}}); !errors.Is(err, store.ErrFenced) {
			t.Errorf("a write of the one before: %v", err)
		}
		if _, err := s.Acquire(ctx, store.RegionKey{Venue: "hall", Region: "annex"}); err != nil {
			t.Fatal(err)
		}
		r, err := s.Roll(ctx, "hall")
		want := []store.Route{{Region: "annex", Epoch: 1}, {Region: "main", Owner: "two", Epoch: 2}}
		if err != nil || len(r.Routes) != 2 || r.Routes[0] != want[0] || r.Routes[1] != want[1] {
			t.Errorf("%+v, %v", r.Routes, err)
		}
		for _, late := range []uint64{1, 2} {
			if err := s.Release(ctx, key, "one", late); err != nil {
				t.Error(err)
			}
		}
		if r, _ := s.Roll(ctx, "hall"); r.Routes[1] != want[1] {
			t.Errorf("somebody else's release: %+v", r.Routes[1])
		}
		if err := s.Release(ctx, key, "two", 2); err != nil {
			t.Error(err)
		}
		if r, _ := s.Roll(ctx, "hall"); r.Routes[1] != (store.Route{Region: "main", Epoch: 2}) {
			t.Errorf("released: %+v", r.Routes[1])
		}
		// Of many at once, one gets it.
		var wg sync.WaitGroup
		won := make(chan uint64, 16)
		for range 16 {
			wg.Go(func() {
				if l, err := s.Claim(ctx, key, "three", 2); err == nil {
					won <- l.Epoch
				} else if !errors.Is(err, store.ErrFenced) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(won) != 1 {
			t.Errorf("%d of 16 got the region", len(won))
		}
	})
}
