package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
	hall  = store.RegionKey{Venue: "hall", Region: "main"}
)

// scribe is a journal over a store in memory, with a state to write: the list of all ticks
// that had a log record.
type scribe struct {
	*journal
	store  *silent
	state  []uint64 // each of these ticks gave ann a point
	ended  chan struct{}
	cancel context.CancelFunc
}

// silent is a store whose answers to writes can get lost on the way: what it was asked for is done, and nobody hears of it.
type silent struct {
	*storetest.Memory
	lost atomic.Bool
}

var errNoAnswer = errors.New("no answer")

func (s *silent) answer(err error) error {
	if s.lost.Load() {
		return errNoAnswer
	}
	return err
}

func (s *silent) Append(ctx context.Context, l store.Lease, records []store.Record) error {
	return s.answer(s.Memory.Append(ctx, l, records))
}

func (s *silent) SaveSnapshot(ctx context.Context, l store.Lease, snap store.Snapshot) error {
	return s.answer(s.Memory.SaveSnapshot(ctx, l, snap))
}

func newScribe(t testing.TB, most int) *scribe {
	t.Helper()
	m := &silent{Memory: storetest.NewMemory(0)}
	l, err := m.Acquire(context.Background(), hall)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SaveSnapshot(context.Background(), l, store.NewSnapshot(0, snapshotVersion, []byte("[]"))); err != nil {
		t.Fatal(err)
	}
	s := &scribe{
		journal: newJournal(m, l, 20*time.Millisecond, 0, quiet, newMetrics(nil).region("main")),
		store:   m, state: []uint64{}, ended: make(chan struct{}),
	}
	s.most = most
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		defer close(s.ended)
		s.run(ctx)
	}()
	return s
}

// tick makes one tick, as a driver does.
func (s *scribe) tick(tick uint64, changed bool) {
	if changed {
		s.state = append(s.state, tick)
		n := uint64(len(s.state))
		s.add(&saved.Record{Tick: tick, Scores: []saved.Score{{N: n, Board: "wins", User: "ann", Delta: 1}}})
	}
	if s.wantsSnapshot() {
		s.snapshot(tick)
	}
}

func (s *scribe) snapshot(tick uint64) {
	data, err := json.Marshal(s.state)
	if err != nil {
		panic(err)
	}
	s.addSnapshot(tick, data)
}

// stored returns the state that a restart would find.
func (s *scribe) stored(t interface{ Fatal(...any) }) []uint64 {
	snap, records, err := s.store.Load(context.Background(), hall)
	if err != nil {
		t.Fatal(err)
	}
	var state []uint64
	if err := json.Unmarshal(snap.Data, &state); err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		state = append(state, r.Tick)
	}
	return state
}

// points returns how many ann has on the board.
func (s *scribe) points(t interface{ Fatal(...any) }) int {
	top, _, err := s.store.Board(context.Background(), hall.Venue, store.PartitionMain, "wins", 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(top) == 0 {
		return 0
	}
	return int(top[0].Points)
}

// pass lets the bubble's time go on.
func pass(d time.Duration) { <-time.After(d) }

func TestJournalGathersACommit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScribe(t, maxBacklog)
		for tick := range uint64(3) {
			s.tick(tick+1, true)
		}
		synctest.Wait()
		if got := s.durable(3); got != 0 || len(s.stored(t)) != 0 {
			t.Fatalf("durable %d before the commit's time", got)
		}
		pass(20 * time.Millisecond)
		synctest.Wait()
		if got := s.durable(7); got != 7 || len(s.stored(t)) != 3 {
			t.Fatalf("durable %d of tick 7 with nothing to write", got)
		}
		for tick := range uint64(commitRecords) {
			s.tick(tick+8, true)
		}
		synctest.Wait() // no time passes: enough of them are a commit at once
		if got := s.durable(7 + commitRecords); got != 7+commitRecords {
			t.Fatalf("durable %d after %d records", got, commitRecords)
		}
		s.stop()
		<-s.ended
	})
}

func TestJournalWritesEverythingBeforeItStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScribe(t, maxBacklog)
		s.tick(1, true)
		s.snapshot(2)
		s.tick(3, true)
		s.stop()
		<-s.ended
		if got := s.stored(t); len(got) != 2 {
			t.Fatalf("stored %v", got)
		}
	})
}

func TestJournalEndsWithItsContextWhileTheStoreHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScribe(t, maxBacklog)
		release := s.store.Hold()
		defer release()
		s.tick(1, true)
		s.stop()
		synctest.Wait()
		s.cancel()
		<-s.ended
		if backlog, _, _, err := s.status(); backlog != 1 || err == nil {
			t.Fatalf("backlog %d, %v", backlog, err)
		}
	})
}

func TestJournalStopsWhenItsLeaseIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScribe(t, maxBacklog)
		if _, err := s.store.Acquire(context.Background(), hall); err != nil {
			t.Fatal(err)
		}
		s.tick(1, true)
		<-s.ended
		if _, _, fenced, err := s.status(); !fenced || !errors.Is(err, store.ErrFenced) {
			t.Fatalf("fenced %t, %v", fenced, err)
		}
		if got := s.durable(1); got != 0 {
			t.Fatalf("durable %d", got)
		}
	})
}

func TestJournalHealsARecordThatNoStoreTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScribe(t, maxBacklog)
		s.state = append(s.state, 1)
		big := saved.Record{Tick: 1, Keys: []saved.Key{{Value: make([]byte, store.MaxRecord)}}}
		s.add(&big)
		for tick := uint64(2); s.durable(tick) < tick; tick++ {
			s.tick(tick, false)
			pass(33 * time.Millisecond)
		}
		if got := s.stored(t); len(got) != 1 {
			t.Fatalf("stored %v", got)
		}
		s.stop()
		<-s.ended
	})
}

// TestJournalOverAnUnreliableStore: whatever the store does, what is called durable is
// stored, in order, with nothing missing; and once the store is well, everything is.
func TestJournalOverAnUnreliableStore(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			s := newScribe(t, rapid.IntRange(1, 6).Draw(rt, "most"))
			away := errors.New("the store is away")
			release := func() {}
			tick := uint64(0)
			for range rapid.IntRange(1, 60).Draw(rt, "steps") {
				switch rapid.SampledFrom([]string{"tick", "tick", "tick", "fail", "silent", "well", "hold", "snapshot", "pass"}).Draw(rt, "step") {
				case "tick":
					tick += rapid.Uint64Range(1, 3).Draw(rt, "skip")
					s.tick(tick, rapid.Bool().Draw(rt, "changed"))
				case "snapshot":
					if tick > 0 {
						tick++
						s.snapshot(tick)
					}
				case "fail":
					s.store.Fail(away)
				case "silent":
					s.store.lost.Store(true)
				case "well":
					s.store.Fail(nil)
					s.store.lost.Store(false)
					release()
				case "hold":
					release()
					release = s.store.Hold()
				case "pass":
					pass(rapid.SampledFrom([]time.Duration{time.Millisecond, 30 * time.Millisecond, 3 * time.Second}).Draw(rt, "time"))
				}
				synctest.Wait()
				durable := s.durable(tick)
				stored := s.stored(rt)
				for i, want := range s.state {
					if want > durable {
						break
					}
					if i >= len(stored) || stored[i] != want {
						rt.Fatalf("durable is %d, written were %v, stored is %v", durable, s.state, stored)
					}
				}
				if len(stored) > len(s.state) {
					rt.Fatalf("written were %v, stored is %v", s.state, stored)
				}
				given, _ := slices.BinarySearch(s.state, durable+1)
				if points := s.points(rt); points < given || points > len(s.state) {
					rt.Fatalf("durable is %d, points were given at %v, the board says %d", durable, s.state, points)
				}
			}
			s.store.Fail(nil)
			s.store.lost.Store(false)
			release()
			if rapid.Bool().Draw(rt, "stop") {
				// As a driver does when its node stops: a last snapshot, and nothing after it.
				tick++
				s.tick(tick, false)
				s.snapshot(tick)
				s.stop()
				<-s.ended
				if points := s.points(rt); points != len(s.state) || len(s.stored(rt)) != len(s.state) {
					rt.Fatalf("after the stop the board says %d of %d points, %d of them are stored", points, len(s.state), len(s.stored(rt)))
				}
				return
			}
			for range 4 { // retries are at most two seconds apart; a gap takes one for the probe, one for the snapshot
				pass(2*retryMost + time.Second)
				tick++
				s.tick(tick, false)
			}
			pass(time.Second)
			if got := s.durable(tick); got != tick || len(s.stored(rt)) != len(s.state) {
				rt.Fatalf("the store is well, but durable is %d of %d; written were %v, stored is %v", got, tick, s.state, s.stored(rt))
			}
			// Scores of records that were dropped came with the snapshot, each once.
			if points := s.points(rt); points != len(s.state) {
				rt.Fatalf("%d points were given, the board says %d", len(s.state), points)
			}
			s.stop()
			<-s.ended
		})
	})
}

// TestJournalAddsUpScores: what is carried is bounded. The scores of one person on one board become one, and of too many some are lost.
func TestJournalAddsUpScores(t *testing.T) {
	s := &journal{log: quiet}
	for i := range 3 * maxCarried {
		s.carry([]saved.Score{{N: uint64(i + 1), Board: "wins", User: string(rune('a' + i%2)), Delta: 1}})
	}
	sum, last := int64(0), uint64(0)
	for _, c := range s.carried {
		sum, last = sum+c.Delta, max(last, c.N)
	}
	if len(s.carried) > maxCarried || sum != 3*maxCarried || last != 3*maxCarried {
		t.Errorf("%d scores, together %d, the newest %d", len(s.carried), sum, last)
	}
	for i := range 2 * maxCarried {
		s.carry([]saved.Score{{Board: "wins", User: fmt.Sprint("user", i), Delta: 1}})
	}
	if len(s.carried) != maxCarried {
		t.Errorf("%d scores wait, at most %d may", len(s.carried), maxCarried)
	}
}

// BenchmarkJournal is what a tick pays to hand its log record on, against appending it
// to a slice.
func BenchmarkJournal(b *testing.B) {
	var ns [2]float64
	b.Run("slice", func(b *testing.B) {
		var list []*saved.Record
		b.ReportAllocs()
		for b.Loop() {
			list = append(list, &saved.Record{})
			if len(list) == commitRecords {
				list = list[:0]
			}
		}
		ns[0] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	b.Run("journal", func(b *testing.B) {
		s := newScribe(b, maxBacklog)
		b.ReportAllocs()
		tick := uint64(0)
		for b.Loop() {
			tick++
			s.add(&saved.Record{Tick: tick})
		}
		ns[1] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
		b.ReportMetric(ns[1]/ns[0], "x-slice")
		s.cancel()
		<-s.ended
	})
}
