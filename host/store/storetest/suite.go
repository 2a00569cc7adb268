package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/lattice"
)

// T is what the suite needs of a test: *testing.T and *rapid.T have it.
type T interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Open opens the backend at a place. The same place after Close gives what was stored there; different
// places have nothing to do with each other.
type Open func(t T, place string) store.Store

// Run checks a backend. fresh gives a place that nothing was stored at.
func Run(t *testing.T, open Open, fresh func(t *testing.T) string) {
	t.Run("LikeMemory", func(t *testing.T) { likeMemory(t, open, fresh) })
	t.Run("Leases", func(t *testing.T) { leases(t, open, fresh(t)) })
	t.Run("Fencing", func(t *testing.T) { fencing(t, open, fresh(t)) })
	t.Run("ConcurrentOwners", func(t *testing.T) { concurrentOwners(t, open, fresh(t)) })
	t.Run("AllOrNothing", func(t *testing.T) { allOrNothing(t, open, fresh(t)) })
	t.Run("Limits", func(t *testing.T) { limits(t, open, fresh(t)) })
	t.Run("RulesLikeMemory", func(t *testing.T) { rulesLikeMemory(t, open, fresh) })
	t.Run("BoardsLikeMemory", func(t *testing.T) { boardsLikeMemory(t, open, fresh) })
	t.Run("ScoresCountOnce", func(t *testing.T) { scoresCountOnce(t, open, fresh(t)) })
	t.Run("RuleLimits", func(t *testing.T) { ruleLimits(t, open, fresh(t)) })
	t.Run("Partitions", func(t *testing.T) { partitions(t, open, fresh(t)) })
	t.Run("Ended", func(t *testing.T) { ended(t, open, fresh(t)) })
}

var ctx = context.Background()

// kinds are the errors that callers tell apart; two stores agree when they return the same one.
var kinds = []error{
	store.ErrFenced, store.ErrTickOrder, store.ErrLimit, store.ErrChecksum, store.ErrDamaged, store.ErrClosed,
	store.ErrNotFound, store.ErrOwner, store.ErrTaken, store.ErrAssigned, store.ErrFull,
}

func kind(err error) string {
	if err == nil {
		return "no error"
	}
	for _, k := range kinds {
		if errors.Is(err, k) {
			return k.Error()
		}
	}
	return "an unnamed error"
}

// likeMemory makes the same random calls to the backend and to a Memory.
func likeMemory(t *testing.T, open Open, fresh func(t *testing.T) string) {
	rapid.Check(t, func(rt *rapid.T) {
		place := fresh(t)
		b, m := open(rt, place), NewMemory(0)
		defer func() { b.Close() }()
		region := rapid.SampledFrom([]store.RegionKey{{Venue: "hall", Region: "main"}, {Venue: "hall", Region: "main-0"}, {Venue: "hal", Region: "lmain"}})
		type pair struct{ b, m store.Lease }
		var leases []pair
		same := func(what string, eb, em error) {
			if kind(eb) != kind(em) {
				rt.Fatalf("%s: backend %v, memory %v", what, eb, em)
			}
		}
		lease := func() pair {
			if len(leases) == 0 {
				return pair{store.Lease{Key: region.Draw(rt, "key"), Epoch: 1}, store.Lease{Key: region.Draw(rt, "key"), Epoch: 1}}
			}
			// The newest twice as often, else hardly any write would go through.
			i := rapid.IntRange(0, 2*len(leases)-1).Draw(rt, "lease")
			return leases[min(i, len(leases)-1)]
		}
		data := rapid.SliceOfN(rapid.Byte(), 0, 40)
		tick := rapid.Uint64Range(0, 60)
		compare := func(rt *rapid.T) {
			for _, k := range []store.RegionKey{{Venue: "hall", Region: "main"}, {Venue: "hall", Region: "main-0"}, {Venue: "hal", Region: "lmain"}} {
				sb, lb, eb := b.Load(ctx, k)
				sm, lm, em := m.Load(ctx, k)
				same("Load", eb, em)
				if d := cmp.Diff(sm, sb); d != "" {
					rt.Fatalf("snapshot of %s (-memory +backend):\n%s", k, d)
				}
				if d := cmp.Diff(lm, lb); d != "" {
					rt.Fatalf("log of %s (-memory +backend):\n%s", k, d)
				}
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"acquire": func(rt *rapid.T) {
				k := region.Draw(rt, "key")
				lb, eb := b.Acquire(ctx, k)
				lm, em := m.Acquire(ctx, k)
				same("Acquire", eb, em)
				if lb.Key != lm.Key || lb.Epoch != lm.Epoch {
					rt.Fatalf("backend %+v, memory %+v", lb, lm)
				}
				leases = append(leases, pair{lb, lm})
			},
			"acquire after": func(rt *rapid.T) {
				k, after := region.Draw(rt, "key"), rapid.Uint64Range(0, 3).Draw(rt, "after")
				lb, eb := b.AcquireAfter(ctx, k, after)
				lm, em := m.AcquireAfter(ctx, k, after)
				same("AcquireAfter", eb, em)
				if lb.Key != lm.Key || lb.Epoch != lm.Epoch || (lb.IDBlock == 0) != (lm.IDBlock == 0) || (lb.Incarnation == 0) != (lm.Incarnation == 0) {
					rt.Fatalf("backend %+v, memory %+v", lb, lm)
				}
				if eb == nil {
					leases = append(leases, pair{lb, lm})
				}
			},
			"append": func(rt *rapid.T) {
				l := lease()
				if l.b.Key != l.m.Key {
					l.m.Key = l.b.Key
				}
				var records []store.Record
				for range rapid.IntRange(0, 4).Draw(rt, "n") {
					records = append(records, store.Record{Tick: tick.Draw(rt, "tick"), Data: data.Draw(rt, "data")})
				}
				if rapid.Bool().Draw(rt, "sorted") {
					for i := range records {
						records[i].Tick = tick.Draw(rt, "from") + uint64(i)
						if i > 0 {
							records[i].Tick = records[i-1].Tick + 1
						}
					}
				}
				times := rapid.IntRange(1, 2).Draw(rt, "times") // an unknown outcome is tried again
				for range times {
					same("Append", b.Append(ctx, l.b, records), m.Append(ctx, l.m, records))
				}
			},
			"snapshot": func(rt *rapid.T) {
				l := lease()
				if l.b.Key != l.m.Key {
					l.m.Key = l.b.Key
				}
				s := store.NewSnapshot(tick.Draw(rt, "tick"), rapid.Uint32().Draw(rt, "version"), data.Draw(rt, "data"))
				s.Gap = rapid.Bool().Draw(rt, "gap")
				if rapid.IntRange(0, 9).Draw(rt, "wrong") == 0 {
					s.SHA256[3] ^= 1
				}
				for range rapid.IntRange(1, 2).Draw(rt, "times") {
					same("SaveSnapshot", b.SaveSnapshot(ctx, l.b, s), m.SaveSnapshot(ctx, l.m, s))
				}
			},
			"places": func(rt *rapid.T) {
				venue := rapid.SampledFrom([]string{"hall", "hal"}).Draw(rt, "venue")
				var places []store.UserPlace
				for range rapid.IntRange(0, 3).Draw(rt, "n") {
					n := rapid.Int32().Draw(rt, "at")
					places = append(places, store.UserPlace{
						User:      rapid.SampledFrom([]string{"ann", "load", "dann"}).Draw(rt, "user"),
						Partition: rapid.SampledFrom([]string{store.PartitionMain, store.PartitionLoad, "loa"}).Draw(rt, "partition"),
						At:        lattice.Joint{Pos: lattice.Vec{X: n, Y: -n, Z: n ^ 5}, Rot: lattice.Rot{Largest: uint8(n & 3), C: [3]int16{1, -2, int16(n & 255)}}},
						Tick:      tick.Draw(rt, "tick"),
					})
				}
				same("SavePlaces", b.SavePlaces(ctx, venue, places), m.SavePlaces(ctx, venue, places))
				for _, p := range places {
					pb, okb, eb := b.Place(ctx, venue, p.Partition, p.User)
					pm, okm, em := m.Place(ctx, venue, p.Partition, p.User)
					same("Place", eb, em)
					if okb != okm || pb != pm {
						rt.Fatalf("backend %+v %t, memory %+v %t", pb, okb, pm, okm)
					}
				}
			},
			"reopen": func(rt *rapid.T) {
				if err := b.Close(); err != nil {
					rt.Fatal(err)
				}
				b = open(rt, place)
			},
			"": compare,
		})
	})
}

func leases(t *testing.T, open Open, place string) {
	b := open(t, place)
	first, err := b.Venue(ctx, "hall")
	if err != nil {
		t.Fatal(err)
	}
	blocks, starts := map[uint32]bool{}, map[uint64]bool{}
	epochs := map[store.RegionKey]uint64{}
	for round := range 4 {
		for _, r := range []string{"a", "b", "a"} {
			k := store.RegionKey{Venue: "hall", Region: r}
			l, err := b.Acquire(ctx, k)
			if err != nil {
				t.Fatal(err)
			}
			if l.Key != k || l.Epoch != epochs[k]+1 {
				t.Fatalf("lease %+v after epoch %d", l, epochs[k])
			}
			if l.IDBlock == 0 || blocks[l.IDBlock] {
				t.Fatalf("id block %d is 0 or was handed out before", l.IDBlock)
			}
			if l.Incarnation == 0 || l.Incarnation >= 1<<53 || starts[l.Incarnation] {
				t.Fatalf("incarnation %d is out of range or not new", l.Incarnation)
			}
			epochs[k], blocks[l.IDBlock], starts[l.Incarnation] = l.Epoch, true, true
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		b = open(t, place)
		if again, err := b.Venue(ctx, "hall"); err != nil || again != first {
			t.Fatalf("round %d: the venue's start moved from %+v to %+v, %v", round, first, again, err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

func fencing(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer b.Close()
	k := store.RegionKey{Venue: "hall", Region: "main"}
	old, err := b.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Append(ctx, old, []store.Record{{Tick: 1, Data: []byte("one")}}); err != nil {
		t.Fatal(err)
	}
	now, err := b.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	future := now
	future.Epoch++
	for name, l := range map[string]store.Lease{"old": old, "never given": future, "none": {Key: store.RegionKey{Venue: "hall", Region: "other"}, Epoch: 1}} {
		if err := b.Append(ctx, l, []store.Record{{Tick: 2, Data: []byte("two")}}); !errors.Is(err, store.ErrFenced) {
			t.Errorf("%s lease, Append: %v, want ErrFenced", name, err)
		}
		if err := b.SaveSnapshot(ctx, l, store.NewSnapshot(3, 1, []byte("state"))); !errors.Is(err, store.ErrFenced) {
			t.Errorf("%s lease, SaveSnapshot: %v, want ErrFenced", name, err)
		}
	}
	if err := b.Append(ctx, now, []store.Record{{Tick: 2, Data: []byte("TWO")}}); err != nil {
		t.Fatal(err)
	}
	snap, log, err := b.Load(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Record{{Tick: 1, Data: []byte("one")}, {Tick: 2, Data: []byte("TWO")}}
	if d := cmp.Diff(want, log); d != "" || snap != nil {
		t.Fatalf("snapshot %v, log (-want +got):\n%s", snap, d)
	}
	if l, err := b.AcquireAfter(ctx, k, old.Epoch); !errors.Is(err, store.ErrFenced) || l != (store.Lease{Key: k, Epoch: now.Epoch}) {
		t.Errorf("AcquireAfter of an epoch that is over: %+v, %v; want epoch %d and ErrFenced", l, err, now.Epoch)
	}
	if err := b.Append(ctx, now, []store.Record{{Tick: 3, Data: []byte("three")}}); err != nil {
		t.Errorf("an AcquireAfter that was refused ended the lease: %v", err)
	}
	next, err := b.AcquireAfter(ctx, k, now.Epoch)
	if err != nil || next.Epoch != now.Epoch+1 || next.IDBlock == now.IDBlock {
		t.Fatalf("AcquireAfter of the newest: %+v, %v", next, err)
	}
	if err := b.Append(ctx, now, []store.Record{{Tick: 4, Data: []byte("four")}}); !errors.Is(err, store.ErrFenced) {
		t.Errorf("a lease that was followed, Append: %v, want ErrFenced", err)
	}
	if err := b.Check(ctx); err != nil {
		t.Errorf("a refused write made the store unhealthy: %v", err)
	}
}

// concurrentOwners lets many acquire one region at once, each writing until it is
// fenced: what is stored is what was acknowledged, and each epoch's writes end before the next
// epoch's begin.
func concurrentOwners(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer b.Close()
	k := store.RegionKey{Venue: "hall", Region: "main"}
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	epochs := map[uint64]bool{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				l, err := b.Acquire(ctx, k)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				if epochs[l.Epoch] {
					t.Errorf("epoch %d was given twice", l.Epoch)
				}
				epochs[l.Epoch] = true
				mu.Unlock()
				for i := range uint64(6) {
					data := fmt.Sprintf("%d/%d", l.Epoch, i)
					err := b.Append(ctx, l, []store.Record{{Tick: l.Epoch*100 + i, Data: []byte(data)}})
					if errors.Is(err, store.ErrFenced) {
						break
					}
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					acknowledged[data] = true
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	_, log, err := b.Load(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	if len(log) != len(acknowledged) {
		t.Errorf("%d records stored, %d acknowledged", len(log), len(acknowledged))
	}
	for _, r := range log {
		if !acknowledged[string(r.Data)] || !strings.HasPrefix(string(r.Data), fmt.Sprintf("%d/", r.Tick/100)) {
			t.Errorf("tick %d holds %q, acknowledged %t", r.Tick, r.Data, acknowledged[string(r.Data)])
		}
	}
}

func allOrNothing(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer b.Close()
	k := store.RegionKey{Venue: "hall", Region: "main"}
	l, err := b.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Append(ctx, l, []store.Record{{Tick: 5, Data: []byte("five")}}); err != nil {
		t.Fatal(err)
	}
	// Tick 5 is there with other data: the whole call is refused, tick 6 too.
	err = b.Append(ctx, l, []store.Record{{Tick: 5, Data: []byte("FIVE")}, {Tick: 6, Data: []byte("six")}})
	if !errors.Is(err, store.ErrTickOrder) {
		t.Fatalf("got %v, want ErrTickOrder", err)
	}
	places := []store.UserPlace{{User: "ann", Tick: 1}, {User: "", Tick: 1}}
	if err := b.SavePlaces(ctx, "hall", places); !errors.Is(err, store.ErrLimit) {
		t.Fatalf("got %v, want ErrLimit", err)
	}
	if _, has, err := b.Place(ctx, "hall", "", "ann"); has || err != nil {
		t.Fatalf("half of a refused call was stored: %t, %v", has, err)
	}
	_, log, err := b.Load(ctx, k)
	if err != nil || len(log) != 1 || string(log[0].Data) != "five" {
		t.Fatalf("log %v, %v", log, err)
	}
}

func limits(t *testing.T, open Open, place string) {
	b := open(t, place)
	defer b.Close()
	k := store.RegionKey{Venue: "hall", Region: "main"}
	l, err := b.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("x", store.MaxName+1)
	wrong := store.NewSnapshot(1, 1, []byte("state"))
	wrong.Data = []byte("stale")
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"venue empty":        {second(b.Venue(ctx, "")), store.ErrLimit},
		"venue long":         {second(b.Venue(ctx, long)), store.ErrLimit},
		"region empty":       {second(b.Acquire(ctx, store.RegionKey{Venue: "hall"})), store.ErrLimit},
		"region long":        {second(b.Acquire(ctx, store.RegionKey{Venue: "hall", Region: long})), store.ErrLimit},
		"record large":       {b.Append(ctx, l, []store.Record{{Tick: 1, Data: make([]byte, store.MaxRecord+1)}}), store.ErrLimit},
		"record tick":        {b.Append(ctx, l, []store.Record{{Tick: store.MaxTick + 1}}), store.ErrLimit},
		"records descending": {b.Append(ctx, l, []store.Record{{Tick: 2}, {Tick: 1}}), store.ErrTickOrder},
		"snapshot large":     {b.SaveSnapshot(ctx, l, store.Snapshot{Tick: 1, Data: make([]byte, store.MaxSnapshot+1)}), store.ErrLimit},
		"snapshot tick":      {b.SaveSnapshot(ctx, l, store.NewSnapshot(store.MaxTick+1, 1, nil)), store.ErrLimit},
		"snapshot checksum":  {b.SaveSnapshot(ctx, l, wrong), store.ErrChecksum},
		"user long":          {b.SavePlaces(ctx, "hall", []store.UserPlace{{User: long}}), store.ErrLimit},
		"partition long":     {b.SavePlaces(ctx, "hall", []store.UserPlace{{User: "ann", Partition: long}}), store.ErrLimit},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	large := store.NewSnapshot(1, 7, make([]byte, 3<<20))
	if err := b.SaveSnapshot(ctx, l, large); err != nil {
		t.Fatal(err)
	}
	if s, _, err := b.Load(ctx, k); err != nil || s == nil || s.SHA256 != large.SHA256 || len(s.Data) != len(large.Data) || s.Version != 7 {
		t.Fatalf("large snapshot came back differently: %v", err)
	}
}

func second[A any](_ A, err error) error { return err }

func ended(t *testing.T, open Open, place string) {
	b := open(t, place)
	k := store.RegionKey{Venue: "hall", Region: "main"}
	l, err := b.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := b.Append(cancelled, l, []store.Record{{Tick: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Append with an ended context: %v", err)
	}
	for range 2 {
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, _, load := b.Load(ctx, k)
	_, _, where := b.Place(ctx, "hall", "", "ann")
	_, _, board := b.Board(ctx, "hall", "", "quiz", 1)
	for name, err := range map[string]error{
		"Append": b.Append(ctx, l, []store.Record{{Tick: 1}}), "Load": load, "Place": where, "Check": b.Check(ctx),
		"Acquire": second(b.Acquire(ctx, k)), "AcquireAfter": second(b.AcquireAfter(ctx, k, l.Epoch)), "Venue": second(b.Venue(ctx, "hall")),
		"SavePlaces":   b.SavePlaces(ctx, "hall", []store.UserPlace{{User: "ann"}}),
		"SaveSnapshot": b.SaveSnapshot(ctx, l, store.NewSnapshot(1, 1, nil)),
		"SaveVersion":  second(b.SaveVersion(ctx, "hall", Version("quiz", "1.0.0", "admin", nil), nil)),
		"DropVersion":  b.DropVersion(ctx, "hall", "quiz", "1.0.0"),
		"Versions":     second(b.Versions(ctx, "hall")), "Module": second(b.Module(ctx, "hall", store.Digest(nil))),
		"Assign":      b.Assign(ctx, "hall", store.Assignment{Region: "main", Rule: "quiz"}),
		"Assignments": second(b.Assignments(ctx, "hall")), "Boards": second(b.Boards(ctx, "hall", "")), "Board": board,
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}
