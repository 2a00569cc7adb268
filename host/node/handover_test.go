package node

import (
	"errors"
	"testing"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// walkEast walks a person from the cube into the east region, until that one has them.
func walkEast(r, over *reader, session uint64) stream.Entity {
	r.t.Helper()
	x, seq := -10.0, uint16(100)
	var there stream.Entity
	r.until("the hand-over", func() bool {
		for len(over.records) > 0 {
			over.take(<-over.records)
		}
		if e, ok := over.avatar(session); ok {
			there = e
			return true
		}
		if x < 1.8 {
			x += 0.08
		}
		seq++
		r.send(stream.Input{Kind: stream.InputPose, Session: session, PoseSeq: seq, Body: lattice.Body{Head: at(x, 1.6, 0.3), Left: at(x, 1.2, 0.05), Right: at(x, 1.2, 0.05)}})
		return false
	})
	return there
}

// TestHandover: somebody walks from the west into the east with the cube in the hand. The east has both as the west had them, in the next records; the west
// has neither; inputs go on where they were; and after a crash of everything each is there once.
func TestHandover(t *testing.T) {
	dir := t.TempDir()
	w := start(t, dir)
	r, over := w.read(west), w.read(east)
	over.until("a first record", func() bool { return over.last.N > 0 })
	r.join(7, "ann")
	r.grab(7, 1)
	before, cube := r.cube(), r.cube().ID
	there := walkEast(r, over, 7)
	if there.Hops != 1 || there.User != "ann" || there.State.Flags&stream.FlagAway != 0 {
		t.Errorf("she arrived as %+v", there)
	}
	if got := over.cube(); got.ID != cube || got.State.Holder != there.ID || got.Name != before.Name {
		t.Errorf("the cube came as %+v", got)
	}
	r.until("nobody in the west", func() bool {
		_, ok := r.avatar(7)
		return !ok && r.cube().ID == 0
	})
	over.until("the cursor", func() bool {
		over.send(stream.Input{Kind: stream.InputRelease, Session: 7, Seq: 2, Object: cube, HandAt: at(1.8, 1.2, 0.05)})
		return over.cube().State.Holder == 0
	})
	tick := over.last.Tick
	over.until("what was decided is stored", func() bool { return over.last.Durable >= tick })
	w.crash()

	w = start(t, dir)
	defer w.close()
	r, over = w.read(west), w.read(east)
	r.until("a first record", func() bool { return r.last.N > 0 })
	over.until("a first record", func() bool { return over.last.N > 0 })
	_, inWest := r.avatar(7)
	e, inEast := over.avatar(7)
	if inWest || !inEast || e.ID != there.ID || e.State.Flags&stream.FlagAway == 0 {
		t.Errorf("after the crash she is in the west: %v, in the east: %v, as %+v", inWest, inEast, e)
	}
	if a, b := r.cube().ID, over.cube().ID; a != 0 || b != cube {
		t.Errorf("after the crash the cube in the west is %d, in the east %d", a, b)
	}
}

// TestHandoverWithoutStore: a store that is away holds nobody up; what is handed over is called durable when it is back.
func TestHandoverWithoutStore(t *testing.T) {
	away := &switchable{}
	w := start(t, t.TempDir(), func(c *Config) {
		away.Store = c.Store
		c.Store = away
	})
	defer w.close()
	r, over := w.read(west), w.read(east)
	over.until("a first record", func() bool { return over.last.N > 0 })
	r.join(7, "ann")
	away.fail(errors.New("the disk is gone"))
	there := walkEast(r, over, 7)
	tick := over.last.Tick
	if there.Hops != 1 || over.last.Durable >= tick {
		t.Errorf("she arrived as %+v, and tick %d is called durable at tick %d", there, over.last.Durable, tick)
	}
	away.fail(nil)
	over.until("that is stored", func() bool { return over.last.Durable >= tick })
}
