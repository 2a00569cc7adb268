package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
)

// hash returns the hash of the durable state that a store holds for a region.
func hash(t *testing.T, w *world, s store.Store, index int) [32]byte {
	t.Helper()
	snap, records, err := s.Load(context.Background(), store.RegionKey{Venue: "hall", Region: w.venue.Regions[index].Name})
	if err != nil {
		t.Fatal(err)
	}
	log := make([]saved.Record, len(records))
	for i, r := range records {
		if err := json.Unmarshal(r.Data, &log[i]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := scene.Restore(scene.Config{Venue: w.venue, Region: index, Epoch: 99, IDBlock: 99, Rules: []scene.Rule{grabRule{new(atomic.Int32)}}}, snap.Data, log)
	if err != nil {
		t.Fatal(err)
	}
	return r.Hash()
}

// TestCrash: what was announced as durable is back after everything was dropped, under a
// new epoch, with ticks that go on.
func TestCrash(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir)
	r := w.read(west)
	r.join(7, "ann")
	r.grab(7, 1)
	grabbed := r.last.Tick
	r.until("the grab is durable", func() bool { return r.last.Durable >= grabbed })
	cube, ann := r.cube(), mustAvatar(t, r, 7)
	r.until("nothing waits for the store", func() bool { return r.last.Durable == r.last.Tick })
	before := r.last
	w.crash()
	want := w.node.drivers[0].life.region.Hash()

	again := build(t, dir)
	if got := hash(t, again, again.store, 0); got != want {
		t.Error("the stored state is not the one that the region had")
	}
	if err := again.node.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	again.up = true
	r2 := again.read(west)
	r2.until("a record", func() bool { return r2.last.N > 0 })
	if r2.last.Epoch <= before.Epoch || r2.last.Incarnation == before.Incarnation || r2.last.Tick <= before.Tick {
		t.Errorf("after the crash: epoch %d incarnation %d tick %d; before: %d, %d, %d", r2.last.Epoch, r2.last.Incarnation, r2.last.Tick,
			before.Epoch, before.Incarnation, before.Tick)
	}
	if got := r2.cube(); got.ID != cube.ID || got.State.Holder != ann.ID {
		t.Errorf("the cube is %+v, it was %+v", got, cube)
	}
	if got := mustAvatar(t, r2, 7); got.ID != ann.ID || got.User != "ann" {
		t.Errorf("ann is %+v, she was %+v", got, ann)
	}
	// A duplicate of the input that was counted changes nothing; the next one counts.
	r2.send(stream.Input{Kind: stream.InputBack, Session: 7})
	r2.send(stream.Input{Kind: stream.InputGrab, Session: 7, Seq: 1, Object: cube.ID, HandAt: at(-10, 1.2, 0.05)})
	r2.send(stream.Input{Kind: stream.InputRelease, Session: 7, Seq: 2, Object: cube.ID, HandAt: at(-10, 1.2, 0.05)})
	r2.until("the release", func() bool { return r2.cube().State.Holder == 0 })
}

func mustAvatar(t *testing.T, r *reader, session uint64) stream.Entity {
	t.Helper()
	e, ok := r.avatar(session)
	if !ok {
		t.Fatalf("session %d has no avatar", session)
	}
	return e
}

// TestStopWritesEverything: after Stop the store holds the region's state, by a
// snapshot alone, and people's places.
func TestStopWritesEverything(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir)
	r := w.read(west)
	r.join(7, "ann")
	r.grab(7, 1)
	if err := w.node.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.up = false
	want := w.node.drivers[0].life.region.Hash()
	snap, log, err := w.store.Load(context.Background(), store.RegionKey{Venue: "hall", Region: west})
	if err != nil || len(log) != 0 || snap.Tick < r.last.Tick {
		t.Fatalf("snapshot %v and %d records, %v", snap, len(log), err)
	}
	if got := hash(t, w, w.store, 0); got != want {
		t.Error("the stored state is not the one that the region ended with")
	}
	if n := w.closed.Load(); n != 2 {
		t.Errorf("%d rules closed, want 2", n)
	}
	if s := w.node.Status()[0]; s.State != Stopped || s.Backlog != 0 {
		t.Errorf("status %+v", s)
	}
	if err := w.node.Stop(context.Background()); err != nil {
		t.Errorf("a second Stop: %v", err)
	}
}

// TestKeyFrame: a reader that comes late or misses a record is whole again after one
// call, and then the stream goes on from there.
func TestKeyFrame(t *testing.T) {
	w := start(t, t.TempDir())
	r := w.read(west)
	r.join(7, "ann")
	late := w.read(west)
	late.key()
	if _, ok := late.avatar(7); !ok {
		t.Fatalf("the key frame lacks ann: %v", late.entities)
	}
	n := late.last.N
	late.until("records after the key frame", func() bool { return late.last.N > n && !late.last.Key })
	// Now lose one: every later record is a gap until the key frame.
	<-late.records
	n = late.last.N
	late.until("records after the gap", func() bool { return late.last.N > n+1 })

	if _, err := w.conn.Request(context.Background(), bus.Key("hall", "nowhere"), nil); !errors.Is(err, bus.ErrNoResponders) {
		t.Errorf("a region that is not there: %v", err)
	}
}

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir)
	r := w.read(west)
	ask := func(w *world, q bus.PlaceRequest) (p bus.PlaceReply) {
		t.Helper()
		b, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := w.conn.Request(context.Background(), bus.Place("hall"), b)
		if err == nil {
			err = json.Unmarshal(answer, &p)
		}
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := ask(w, bus.PlaceRequest{User: "ann"}); p.Has {
		t.Errorf("ann was never here, but is at %+v", p)
	}
	r.join(7, "ann")
	r.send(stream.Input{Kind: stream.InputLeave, Session: 7})
	r.until("ann has left", func() bool { _, ok := r.avatar(7); return !ok })
	p := ask(w, bus.PlaceRequest{User: "ann"})
	if !p.Has || p.At.Pos.Dist(at(-10, 1.6, 0.3).Pos) > 100 {
		t.Errorf("ann's place is %+v", p)
	}
	if p := ask(w, bus.PlaceRequest{User: "ann", Load: true}); p.Has {
		t.Errorf("a bot has ann's place: %+v", p)
	}
	w.close()
	again := start(t, dir)
	if got := ask(again, bus.PlaceRequest{User: "ann"}); got != p {
		t.Errorf("after a restart ann's place is %+v, it was %+v", got, p)
	}
	if _, err := again.conn.Request(context.Background(), bus.Place("hall"), []byte("{")); err == nil || !strings.Contains(err.Error(), "place request") {
		t.Errorf("a malformed request: %v", err)
	}
}

// TestPanicIsContained: a region that panics starts again from the store, loses nothing that it
// decided before, and does not disturb the other one. When it does it again and again
// it stays down, and readiness names it.
func TestPanicIsContained(t *testing.T) {
	w := start(t, t.TempDir())
	r, other := w.read(west), w.read(east)
	r.join(7, "ann")
	r.grab(7, 1)
	for i := range uint32(maxRestarts + 1) {
		before := r.last
		r.send(stream.Input{Kind: stream.InputMessage, Session: 7, Seq: 2, Topic: "panic", Data: []byte("{}")})
		if i == maxRestarts {
			break
		}
		r.until("the restart", func() bool { return r.last.Epoch > before.Epoch })
		if r.last.Tick <= before.Tick {
			t.Errorf("tick %d after %d", r.last.Tick, before.Tick)
		}
		if r.cube().State.Holder != mustAvatar(t, r, 7).ID {
			t.Errorf("the grab was lost in restart %d", i+1)
		}
		r.send(stream.Input{Kind: stream.InputBack, Session: 7})
	}
	other.until("the other region goes on", func() bool {
		return w.node.Status()[0].State == Down && other.last.Tick > r.last.Tick+60
	})
	if other.last.Epoch != 1 {
		t.Errorf("the other region restarted: epoch %d", other.last.Epoch)
	}
	if err := w.node.Ready(); err == nil || !strings.Contains(err.Error(), "hall/"+west) || strings.Contains(err.Error(), east) {
		t.Errorf("ready: %v", err)
	}
	if _, err := w.conn.Request(context.Background(), bus.Key("hall", west), nil); err == nil || !strings.Contains(err.Error(), "down") {
		t.Errorf("a key frame of a region that is down: %v", err)
	}
	if got := w.metric("venued_region_restarts_total", west); got != maxRestarts {
		t.Errorf("%g restarts counted", got)
	}
}

// TestNewOwner: when somebody else acquires a region, the old owner stops writing and ticking it.
func TestNewOwner(t *testing.T) {
	w := start(t, t.TempDir())
	r := w.read(west)
	r.join(7, "ann")
	key := store.RegionKey{Venue: "hall", Region: west}
	if _, err := w.store.Acquire(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	r.send(stream.Input{Kind: stream.InputLeave, Session: 7}) // something to write
	other := w.read(east)
	other.until("the old owner is down", func() bool { return w.node.Status()[0].State == Down })
	if s := w.node.Status()[0]; !errors.Is(s.Err, store.ErrFenced) || s.Restarts != 0 {
		t.Errorf("status %+v", s)
	}
}

// TestInputsForAnotherOwner: batches that name an owner that is no more change nothing.
func TestInputsForAnotherOwner(t *testing.T) {
	w := start(t, t.TempDir())
	r := w.read(west)
	r.until("a record", func() bool { return r.last.N > 0 })
	right := r.last
	r.last.Epoch++
	r.send(stream.Input{Kind: stream.InputJoin, Session: 1, User: "epoch", Name: "epoch"})
	r.last = right
	r.last.Incarnation++
	r.send(stream.Input{Kind: stream.InputJoin, Session: 2, User: "incarnation", Name: "incarnation"})
	r.last = right
	if err := r.conn.Publish(bus.Inputs("hall", west), []byte("not a batch")); err != nil {
		t.Fatal(err)
	}
	r.send(stream.Input{Kind: stream.InputJoin, Session: 3, User: "right", Name: "right"})
	r.until("the right one", func() bool { _, ok := r.avatar(3); return ok })
	for _, e := range r.entities {
		if e.Kind == stream.Avatar && e.Session != 3 {
			t.Errorf("%s came in", e.User)
		}
	}
	const lost = "venued_region_inputs_lost_total"
	if stale, bad := w.metric(lost, west, "batch_of_other_owner"), w.metric(lost, west, "batch_malformed"); stale != 2 || bad != 1 {
		t.Errorf("counted %g of another owner, %g malformed", stale, bad)
	}
}

// TestStall: after a stall the region goes on with the tick that is due.
func TestStall(t *testing.T) {
	var skew atomicDuration
	w := start(t, t.TempDir(), func(c *Config) { c.Now = func() time.Time { return time.Now().Add(skew.get()) } })
	r := w.read(west)
	r.until("a record", func() bool { return r.last.N > 2 })
	before := r.last
	skew.set(10 * time.Second)
	r.until("the jump", func() bool { return r.last.Tick >= before.Tick+600 })
	if r.last.N > before.N+500 {
		t.Errorf("%d records for 10 s of stall: missed ticks were made up for", r.last.N-before.N)
	}
	if got := w.metric("venued_region_skipped_ticks_total", west); got < 500 {
		t.Errorf("%g skipped ticks counted", got)
	}
	r.until("both regions are ready again", func() bool { return w.node.Ready() == nil })
}

// TestStoreAway: play goes on without the store, nothing is called durable meanwhile, and
// everything is stored once it is back.
func TestStoreAway(t *testing.T) {
	var s *switchable
	w := start(t, t.TempDir(), func(c *Config) { s = &switchable{Store: c.Store}; c.Store = s })
	r := w.read(west)
	r.join(7, "ann")
	r.until("the join is durable", func() bool { return r.last.Durable == r.last.Tick })
	s.fail(errors.New("the disk is gone"))
	r.grab(7, 1)
	grabbed := r.last.Tick
	r.until("a second of play", func() bool {
		if r.last.Durable >= grabbed {
			t.Fatalf("tick %d is called durable, the grab of tick %d is not stored", r.last.Durable, grabbed)
		}
		return r.last.Tick > grabbed+60
	})
	if st := w.node.Status()[0]; st.State != Running || st.Backlog == 0 || st.StoreErr == nil {
		t.Errorf("status %+v", st)
	}
	s.fail(nil)
	r.until("the grab is durable", func() bool { return r.last.Durable >= grabbed })
}

// TestStopWhileTheStoreIsAway: Stop ends when its context does and says what was not written.
func TestStopWhileTheStoreIsAway(t *testing.T) {
	var s *switchable
	w := start(t, t.TempDir(), func(c *Config) { s = &switchable{Store: c.Store}; c.Store = s })
	r := w.read(west)
	r.join(7, "ann")
	away := errors.New("the disk is gone")
	s.fail(away)
	r.grab(7, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w.up = false
	err := w.node.Stop(ctx)
	if err == nil || !strings.Contains(err.Error(), "hall/"+west) || !strings.Contains(err.Error(), "not written") {
		t.Errorf("got %v, want the region and that something was not written", err)
	}
}

func TestStartErrors(t *testing.T) {
	bad := errors.New("grab.wasm is missing")
	w := build(t, t.TempDir(), func(c *Config) {
		rules := c.Rules
		c.Rules = func(region int) ([]scene.Rule, error) {
			if region == 1 {
				return nil, bad
			}
			return rules(region)
		}
	})
	if err := w.node.Ready(); err == nil {
		t.Error("ready before Start")
	}
	err := w.node.Start(context.Background())
	if !errors.Is(err, bad) || !strings.Contains(err.Error(), "hall/"+east) {
		t.Errorf("got %v, want the region and the cause", err)
	}
	if n := w.closed.Load(); n != 1 {
		t.Errorf("%d rules closed, want the one of the other region", n)
	}
	if err := w.node.Stop(context.Background()); err != nil {
		t.Errorf("Stop after a failed Start: %v", err)
	}
	for name, cfg := range map[string]Config{
		"Venue": {}, "Store": {Venue: w.venue}, "Bus": {Venue: w.venue, Store: w.store}, "Rules": {Venue: w.venue, Store: w.store, Bus: w.conn},
	} {
		if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

// TestLogOfUnknownLayout: a record that this build cannot read stops the start, with its tick.
func TestLogOfUnknownLayout(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir)
	r := w.read(west)
	r.until("a record", func() bool { return r.last.N > 0 })
	w.crash()
	w2 := build(t, dir)
	l, err := w2.store.Acquire(context.Background(), store.RegionKey{Venue: "hall", Region: west})
	if err != nil {
		t.Fatal(err)
	}
	tick := r.last.Tick + 10
	if err := w2.store.Append(context.Background(), l, []store.Record{{Tick: tick, Data: []byte(`{"tick":1,"new_field":2}`)}}); err != nil {
		t.Fatal(err)
	}
	if err := w2.node.Start(context.Background()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("tick %d", tick)) {
		t.Errorf("got %v, want the tick", err)
	}
}
