package storetest

import (
	"context"
	"errors"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/lattice"
)

// Clear implements store.Store.
func (m *Memory) Clear(ctx context.Context, venue, partition string) (out store.Cleared, err error) {
	if err := store.CheckClear(venue, partition); err != nil {
		return out, err
	}
	if err := m.enter(ctx, true); err != nil {
		return out, err
	}
	defer m.mu.Unlock()
	maps.DeleteFunc(m.places, func(k [3]string, _ store.UserPlace) bool {
		gone := k[0] == venue && k[1] == partition
		if gone {
			out.Places++
		}
		return gone
	})
	maps.DeleteFunc(m.totals, func(k memoryBoard, users map[string]int64) bool {
		gone := k.venue == venue && k.partition == partition
		if gone {
			out.Boards++
			out.Totals += len(users)
		}
		return gone
	})
	return out, nil
}

// partitions: what is written for one partition of one venue is seen in no other, and clearing it removes all of it and nothing else.
func partitions(t *testing.T, open Open, dir string) {
	s := open(t, dir)
	at := func(x int32) lattice.Joint {
		return lattice.Joint{Pos: lattice.Vec{X: x}, Rot: lattice.Rot{Largest: 3}}
	}
	tick := uint64(0)
	write := func(venue string) {
		l, err := s.Acquire(ctx, store.RegionKey{Venue: venue, Region: "hall"})
		if err != nil {
			t.Fatal(err)
		}
		tick++
		var scores []store.Score
		var places []store.UserPlace
		for i, p := range []string{store.PartitionMain, store.PartitionLoad, "loa", "load2"} {
			for _, user := range []string{"ann", "bob"} {
				scores = append(scores, store.Score{Board: "quiz", User: user, Partition: p, Delta: int64(10 + i)}, store.Score{Board: "darts", User: user, Partition: p, Delta: int64(i)})
				places = append(places, store.UserPlace{User: user, Partition: p, At: at(int32(i)), Tick: tick})
			}
		}
		if err := s.Append(ctx, l, []store.Record{{Tick: tick, Data: []byte("x"), Scores: scores}}); err != nil {
			t.Fatal(err)
		}
		if err := s.SavePlaces(ctx, venue, places); err != nil {
			t.Fatal(err)
		}
	}
	type view struct {
		Boards []store.BoardSummary
		Quiz   []store.Total
		Place  store.UserPlace
		Has    bool
	}
	see := func(s store.Store, venue, partition string) (v view) {
		t.Helper()
		var err [3]error
		v.Boards, err[0] = s.Boards(ctx, venue, partition)
		v.Quiz, _, err[1] = s.Board(ctx, venue, partition, "quiz", 10)
		v.Place, v.Has, err[2] = s.Place(ctx, venue, partition, "ann")
		if e := errors.Join(err[:]...); e != nil {
			t.Fatal(e)
		}
		return v
	}
	write("hall")
	write("attic")
	before := map[[2]string]view{}
	for _, venue := range []string{"hall", "attic"} {
		for i, p := range []string{store.PartitionMain, store.PartitionLoad, "loa", "load2"} {
			v := see(s, venue, p)
			if before[[2]string{venue, p}] = v; len(v.Boards) != 2 || !v.Has || v.Place.At.Pos.X != int32(i) || v.Quiz[0].Points != int64(10+i) {
				t.Fatalf("partition %q of %s is %+v", p, venue, v)
			}
		}
	}
	if _, err := s.Clear(ctx, "hall", store.PartitionMain); !errors.Is(err, store.ErrLimit) {
		t.Errorf("clearing the partition of people: %v, want ErrLimit", err)
	}
	n, err := s.Clear(ctx, "hall", store.PartitionLoad)
	if want := (store.Cleared{Places: 2, Boards: 2, Totals: 4}); err != nil || n != want {
		t.Fatalf("cleared %+v, %v, want %+v", n, err, want)
	}
	if n, err = s.Clear(ctx, "hall", store.PartitionLoad); err != nil || n != (store.Cleared{}) {
		t.Fatalf("cleared %+v at the second time, %v", n, err)
	}
	if n, err = s.Clear(ctx, "nowhere", store.PartitionLoad); err != nil || n != (store.Cleared{}) {
		t.Fatalf("cleared %+v of a venue that nobody knows, %v", n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir)
	defer again.Close()
	before[[2]string{"hall", store.PartitionLoad}] = view{}
	for k, want := range before {
		if got := see(again, k[0], k[1]); !cmp.Equal(got, want) {
			t.Errorf("partition %q of %s after the clearing of %q of hall:\n%s", k[1], k[0], store.PartitionLoad, cmp.Diff(want, got))
		}
	}
}
