package view

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/stream"
)

// hopped is an entity that was handed over so often.
func hopped(id uint64, x int32, hops uint32) stream.Entity {
	e := avatar(id, x)
	e.Hops = hops
	return e
}

func flying(r *stream.Record, to string, ids ...uint64) *stream.Record {
	r.FlightNews = true
	for _, id := range ids {
		r.Flights = append(r.Flights, stream.Flight{Entity: id, Session: id + 1000, To: to})
	}
	return r
}

// TestHandover: an entity goes from r0 to r1. In whatever order the two regions' records come, and whichever region restarts meanwhile, it
// is there all the time, and in the end r1's.
func TestHandover(t *testing.T) {
	const quiet = 40 // ticks, far above the patience
	begin := func(w *World) {
		for i := range 2 {
			var there []stream.Entity
			if i == 0 {
				there = append(there, avatar(1, 10))
			}
			if err := w.Apply(rec(i, 1, 100, true, there...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	let := flying(gone(rec(0, 2, 101, false, avatar(1, 11)), 1), "r1", 1)
	take := rec(1, 2, 101, false, hopped(1, 12, 1))
	for _, c := range []struct {
		name    string
		records []*stream.Record
		where   string
		x       int32
	}{
		{"in order", []*stream.Record{let, take}, "r1", 12},
		{"the new region first", []*stream.Record{take, let}, "r1", 12},
		{"a key frame of the old one comes late", []*stream.Record{take, flying(rec(0, 2, 102, true), "r1", 1)}, "r1", 12},
		{"the old one's key frame still has it", []*stream.Record{take, rec(0, 2, 105, true, avatar(1, 11))}, "r1", 12},
		{"long on the way", []*stream.Record{let, rec(1, 2, 101+quiet, false), rec(0, 3, 101+quiet, false)}, "r1", 11},
		{"the new region forgets, and takes again", []*stream.Record{let, take, owned(rec(1, 1, 101+quiet, true), 2, 2),
			owned(rec(1, 2, 102+quiet, false, hopped(1, 13, 1)), 2, 2)}, "r1", 13},
		{"the new region forgets", []*stream.Record{let, take, owned(rec(1, 1, 101+quiet, true), 2, 2), owned(rec(1, 2, 101+2*quiet, false), 2, 2)}, "r1", 12},
		{"the old region has it back after both forgot", []*stream.Record{let, take, owned(rec(1, 1, 103, true), 2, 2), owned(rec(0, 1, 104, true, avatar(1, 9)), 2, 2)}, "r0", 9},
	} {
		w := NewWorld(hall(40*metre, 2))
		begin(w)
		for i, r := range c.records {
			if err := w.Apply(r); err != nil {
				t.Fatalf("%s: record %d: %v", c.name, i, err)
			}
			if _, there := w.Entity(1); !there {
				t.Fatalf("%s: it is not there after record %d", c.name, i)
			}
		}
		if got := w.Where(1); got != c.where {
			t.Errorf("%s: it is in %q, want %q", c.name, got, c.where)
		}
		if d := cmp.Diff(map[uint64]int32{1: c.x}, has(w)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}

	// When nobody has it and nobody says that it is on its way, it goes.
	w := NewWorld(hall(40*metre, 2))
	begin(w)
	for _, r := range []*stream.Record{let, flying(rec(0, 3, 102, false), ""), rec(0, 4, 102+quiet, false)} {
		if err := w.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
	if len(has(w)) > 0 || w.Where(1) != "" {
		t.Errorf("it is still there: %v, in %q", has(w), w.Where(1))
	}
}
