package view

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// avatar is an entity with a session of the same number plus 1,000.
func avatar(id uint64, x int32) stream.Entity {
	e := stream.Entity{ID: id, Kind: stream.Avatar, Session: id + 1000, Name: fmt.Sprint("n", id)}
	e.State.Body.Head.Pos.X = x
	return e
}

// rec is a record of region r0 or r1 in its first epoch.
func rec(region int, n, tick uint64, key bool, entities ...stream.Entity) *stream.Record {
	return &stream.Record{Region: fmt.Sprint("r", region), Incarnation: 1, Epoch: 1, N: n, Tick: tick, Key: key, Entities: entities}
}

func gone(r *stream.Record, ids ...uint64) *stream.Record {
	r.Gone = ids
	return r
}

func owned(r *stream.Record, incarnation, epoch uint64) *stream.Record {
	r.Incarnation, r.Epoch = incarnation, epoch
	return r
}

// has is the world's entities by id, with their x.
func has(w *World) map[uint64]int32 {
	m := map[uint64]int32{}
	for id := uint64(1); id < 100; id++ {
		if e, ok := w.Entity(id); ok {
			m[id] = e.State.Body.Head.Pos.X
		}
	}
	return m
}

func TestApply(t *testing.T) {
	key := func(n, tick uint64, e ...stream.Entity) *stream.Record { return rec(0, n, tick, true, e...) }
	delta := func(n, tick uint64, e ...stream.Entity) *stream.Record { return rec(0, n, tick, false, e...) }
	a, b := avatar(1, 10), avatar(2, 20)
	for _, c := range []struct {
		name    string
		regions int
		records []*stream.Record
		want    map[uint64]int32
		err     error // of the last record
	}{
		{"a delta first", 1, []*stream.Record{delta(1, 1, a)}, map[uint64]int32{}, ErrGap},
		{"a key frame, then a delta", 1, []*stream.Record{key(7, 1, a), delta(8, 2, b)}, map[uint64]int32{1: 10, 2: 20}, nil},
		{"a gap", 1, []*stream.Record{key(7, 1, a), delta(9, 3, b)}, map[uint64]int32{1: 10}, ErrGap},
		{"a key frame over a gap", 1, []*stream.Record{key(7, 1, a), key(9, 3, b)}, map[uint64]int32{2: 20}, nil},
		{"the same number again", 1, []*stream.Record{key(7, 1, a), delta(7, 1, b)}, map[uint64]int32{1: 10}, ErrStale},
		{"the same number as a key frame", 1, []*stream.Record{key(7, 1, a), key(7, 1, a, b)}, map[uint64]int32{1: 10, 2: 20}, nil},
		{"an older key frame", 1, []*stream.Record{key(7, 2, a), key(6, 1, b)}, map[uint64]int32{1: 10}, ErrStale},
		{"gone", 1, []*stream.Record{key(7, 1, a, b), gone(delta(8, 2), 1)}, map[uint64]int32{2: 20}, nil},
		{"gone and back", 1, []*stream.Record{key(7, 1, a, b), gone(delta(8, 2), 1), delta(9, 3, avatar(1, 11))}, map[uint64]int32{1: 11, 2: 20}, nil},
		{"gone what never was", 1, []*stream.Record{key(7, 1, a), gone(delta(8, 2), 9)}, map[uint64]int32{1: 10}, nil},
		{"a new epoch without a key frame", 1, []*stream.Record{key(7, 5, a), owned(delta(1, 6, b), 2, 2)}, map[uint64]int32{1: 10}, ErrGap},
		{"a new epoch", 1, []*stream.Record{key(7, 5, a), owned(key(1, 4, b), 2, 2)}, map[uint64]int32{2: 20}, nil},
		{"an old owner", 1, []*stream.Record{owned(key(1, 5, a), 2, 2), key(9, 6, b)}, map[uint64]int32{1: 10}, ErrStale},
		{"a restart in the same epoch", 1, []*stream.Record{key(7, 5, a), owned(key(1, 6, b), 2, 1)}, map[uint64]int32{2: 20}, nil},
		{"a lower epoch after a second of silence", 1, []*stream.Record{owned(key(1, 5, a), 2, 9), owned(key(1, 36, b), 3, 1)}, map[uint64]int32{2: 20}, nil},
		{"a lower epoch of the same start", 1, []*stream.Record{owned(key(1, 5, a), 2, 9), owned(key(1, 36, b), 2, 1)}, map[uint64]int32{1: 10}, ErrStale},
		{"no id", 1, []*stream.Record{key(7, 1, a), delta(8, 2, b, stream.Entity{Kind: 1})}, map[uint64]int32{1: 10}, ErrInvalid},
		{"no kind", 1, []*stream.Record{key(7, 1, a), delta(8, 2, b, stream.Entity{ID: 3})}, map[uint64]int32{1: 10}, ErrInvalid},

		{"over a border, present first", 2, []*stream.Record{
			key(1, 1, a), rec(1, 1, 1, true), rec(1, 2, 2, false, avatar(1, 11)), gone(delta(2, 2), 1),
		}, map[uint64]int32{1: 11}, nil},
		{"over a border, gone first", 2, []*stream.Record{
			key(1, 1, a), rec(1, 1, 1, true), gone(delta(2, 2), 1), rec(1, 2, 2, false, avatar(1, 11)),
		}, map[uint64]int32{1: 11}, nil},
		{"between two regions", 2, []*stream.Record{
			key(1, 1, a), rec(1, 1, 1, true), gone(delta(2, 2), 1), delta(3, 8),
		}, map[uint64]int32{1: 10}, nil},
		{"nobody claims it", 2, []*stream.Record{
			key(1, 1, a), rec(1, 1, 1, true), gone(delta(2, 2), 1), delta(3, 9),
		}, map[uint64]int32{}, nil},
		{"an older claim", 2, []*stream.Record{
			key(1, 5, a), rec(1, 1, 4, true, avatar(1, 11)),
		}, map[uint64]int32{1: 10}, nil},
		{"an older claim while nobody has it", 2, []*stream.Record{
			key(1, 5, a), gone(delta(2, 6), 1), rec(1, 1, 5, true, avatar(1, 11)),
		}, map[uint64]int32{1: 10}, nil},
		{"a claim of the same tick", 2, []*stream.Record{
			key(1, 5, a), rec(1, 1, 5, true, avatar(1, 11)),
		}, map[uint64]int32{1: 10}, nil},
		{"a key frame of one region leaves the other's alone", 2, []*stream.Record{
			key(1, 1, a), rec(1, 1, 1, true, b), key(2, 20, a),
		}, map[uint64]int32{1: 10, 2: 20}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := NewWorld(hall(40*metre, c.regions))
			for i, r := range c.records {
				err := w.Apply(r)
				if want := c.err; i == len(c.records)-1 && !errors.Is(err, want) || i < len(c.records)-1 && err != nil {
					t.Fatalf("record %d: %v", i, err)
				}
			}
			if d := cmp.Diff(c.want, has(w)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for id := range c.want {
				if e, ok := w.BySession(id + 1000); !ok || e.ID != id {
					t.Errorf("no avatar of session %d", id+1000)
				}
			}
			if w.Len() != len(c.want) || len(w.sessions) != len(c.want) || w.grid.Len() != len(c.want) {
				t.Errorf("%d entities, %d sessions, %d in the grid; want %d", w.Len(), len(w.sessions), w.grid.Len(), len(c.want))
			}
		})
	}
}

func TestPastStates(t *testing.T) {
	w := NewWorld(hall(40*metre, 1))
	for i := range uint64(300) {
		tick := i + 1
		if err := w.Apply(rec(0, tick, tick, tick == 1, avatar(1, int32(i/2)))); err != nil {
			t.Fatal(err)
		}
		ent := w.entities[1]
		if want := uint32(i / 2); ent.version != want {
			t.Fatalf("after %d records, two of each state, the version is %d", tick, ent.version)
		}
		for back := range ent.version + 2 {
			what := sayAll(ent.version - back)
			known := ent.knows(what)
			if kept := back < pastStates && back <= ent.version; kept != known {
				t.Fatalf("version %d - %d: known is %v, want %v", ent.version, back, known, kept)
			}
			if !known {
				continue
			}
			if st := ent.state(what, nil); st.Body.Head.Pos.X != int32(ent.version-back) {
				t.Fatalf("version %d is the state of %d", ent.version-back, st.Body.Head.Pos.X)
			}
		}
	}
}

// Two regions hand entities to each other while their streams arrive interleaved at will, one up
// to a limit behind the other. No entity may blink, and in the end the world is the truth.
func TestHandOversDoNotBlink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		venue := hall(40*metre, 2)
		w := NewWorld(venue)
		const people = 6
		var at [people + 1]int // region of each
		var x [people + 1]int32
		for id := 1; id <= people; id++ {
			at[id] = rapid.IntRange(0, 1).Draw(t, "region")
		}
		var streams [2][]*stream.Record
		var n [2]uint64
		tick := uint64(0)
		emit := func(before [people + 1]int, key [2]bool) {
			tick++
			for r := range 2 {
				n[r]++
				out := rec(r, n[r], tick, key[r])
				for id := 1; id <= people; id++ {
					e := avatar(uint64(id), x[id])
					switch {
					case at[id] == r && (key[r] || before[id] != r || rapid.Bool().Draw(t, "changed")):
						out.Entities = append(out.Entities, e)
					case at[id] != r && before[id] == r && !key[r]:
						out.Gone = append(out.Gone, uint64(id))
					}
				}
				streams[r] = append(streams[r], out)
			}
		}
		next := func(r int) {
			if err := w.Apply(streams[r][0]); err != nil {
				t.Fatal(err)
			}
			streams[r] = streams[r][1:]
		}
		emit(at, [2]bool{true, true})
		next(0)
		next(1)
		for range rapid.IntRange(1, 40).Draw(t, "ticks") {
			before := at
			for id := 1; id <= people; id++ {
				x[id]++
				if rapid.IntRange(0, 4).Draw(t, "walk") == 0 {
					at[id] = 1 - at[id]
				}
			}
			emit(before, [2]bool{rapid.IntRange(0, 9).Draw(t, "key") == 0, rapid.IntRange(0, 9).Draw(t, "key") == 0})
			// A stream may lag by less than the patience.
			for r := range 2 {
				for len(streams[r]) > 0 && (uint64(len(streams[r])) >= w.patience || rapid.Bool().Draw(t, "arrives")) {
					next(r)
					if w.Len() != people {
						t.Fatalf("tick %d: %d of %d entities in the world: %v", tick, w.Len(), people, has(w))
					}
				}
			}
		}
		before := at
		emit(before, [2]bool{true, true})
		for r := range 2 {
			for len(streams[r]) > 0 {
				next(r)
			}
		}
		want := map[uint64]int32{}
		for id := 1; id <= people; id++ {
			want[uint64(id)] = x[id]
			if got := w.entities[uint64(id)].owner.name; got != fmt.Sprint("r", at[id]) {
				t.Fatalf("%d belongs to %s, want r%d", id, got, at[id])
			}
		}
		if d := cmp.Diff(want, has(w)); d != "" {
			t.Fatalf("(-want +got)\n%s", d)
		}
	})
}

func TestSeesCell(t *testing.T) {
	w := NewWorld(hall(40*metre, 1))
	c := NewClient(w, 1)
	if c.SeesCell(lattice.Vec{}) {
		t.Error("it sees a cell before its avatar is there")
	}
	me := avatar(1, 12*metre) // in the cell of 10 to 15 m
	if err := w.Apply(rec(0, 1, 1, true, me)); err != nil {
		t.Fatal(err)
	}
	c.Frame(nil, 1, FrameHints{})
	for _, p := range []struct {
		x, y int32
		want bool
	}{{5 * metre, 0, true}, {5*metre - 1, 0, false}, {20*metre - 1, 0, true}, {20 * metre, 0, false}, {12 * metre, 5 * metre, false}, {12 * metre, 100 * metre, true}} {
		if got := c.SeesCell(lattice.Vec{X: p.x, Y: p.y}); got != p.want {
			t.Errorf("SeesCell(%d, %d) = %v", p.x, p.y, got)
		}
	}
	if !c.Sees(1) || c.Sees(2) || c.Visible() != 0 {
		t.Error("alone in the hall, it sees itself and nobody else")
	}
	if !slices.Equal(c.active, nil) {
		t.Error("its own avatar has a handle")
	}
}
