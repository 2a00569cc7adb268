package migration

import (
	"errors"
	"testing"
)

// TestOrdersThatCannotBe: each says what is in the way.
func TestOrdersThatCannotBe(t *testing.T) {
	c := NewCoordinator(CoordinatorConfig{Name: "c", Term: 1, Entries: []Entry{
		{Region: "hall", Version: 1, Owner: "a", Epoch: 1}, {Region: "yard", Version: 1, Owner: "gone", Epoch: 1},
	}})
	for _, o := range c.Tick(0) {
		if o.Do == DoWrite {
			c.Stored(0, *o.Entry, nil)
		}
	}
	report := func(node string, draining bool, seats ...SeatReport) {
		c.Handle(1, &Message{Kind: KindReport, From: node, Report: &Report{Draining: draining, Seats: seats}})
	}
	report("a", false, SeatReport{Region: "hall", State: Owner, Stamp: Stamp{Epoch: 1}})
	report("b", false)
	report("d", true)
	for name, k := range map[string]struct {
		region, target string
		want           error
	}{
		"no such region": {"attic", "b", ErrUnknown}, "no such node": {"hall", "z", ErrUnknown}, "to its owner": {"hall", "a", ErrOwns},
		"draining": {"hall", "d", ErrNode}, "nobody has it": {"yard", "b", ErrNoOwner},
	} {
		if _, out, err := c.Move(2, k.region, k.target); !errors.Is(err, k.want) || out != nil {
			t.Errorf("%s: %v, want %v", name, err, k.want)
		}
	}
	if _, _, err := c.Move(5_000_000, "hall", "b"); !errors.Is(err, ErrNode) {
		t.Errorf("a node that was not heard of for 5 s: %v", err)
	}
	if _, err := c.Abort(2, "hall", "why not"); !errors.Is(err, ErrUnknown) {
		t.Errorf("abort of nothing: %v", err)
	}
	if _, out, err := c.Move(2, "hall", "b"); err != nil || len(out) == 0 {
		t.Fatalf("a move that can be: %v", err)
	}
	if _, _, err := c.Move(2, "hall", "b"); !errors.Is(err, ErrBusy) {
		t.Errorf("twice at once: %v", err)
	}
}
