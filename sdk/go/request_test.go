package client

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/rtc/wire"
)

// region is a dumb model of the venue's side: it takes only the next number, and a crash takes it back to what
// was durable.
type region struct {
	taken   []uint32 // inputs that count, in the order taken
	ticks   []uint64 // in which each was taken
	tick    uint64
	durable int // how many of taken survive a crash
}

// offer gives the region an input; ok when it is the next.
func (m *region) offer(n uint32) bool {
	if int(n) != len(m.taken)+1 {
		return false
	}
	m.taken, m.ticks = append(m.taken, n), append(m.ticks, m.tick)
	return true
}

func (m *region) crash() {
	m.taken, m.ticks = m.taken[:m.durable], m.ticks[:m.durable]
}

// TestEveryInputCountsOnceAcrossLossesAndCrashes drives the book of requests against the model with
// lost messages, lost answers, resumes and crashes.
func TestEveryInputCountsOnceAcrossLossesAndCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := newRequests(1)
		m := &region{tick: 1}
		var all []*Request
		answer := func(n uint32, heard bool) {
			if heard {
				q.ack(n, Outcome{Tick: m.tick, OK: true})
				q.answered(n, Outcome{Tick: m.tick, OK: true})
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				if n := q.unapplied(); n > MaxPending {
					t.Fatalf("%d wait to be applied", n)
				}
				if len(q.kept) > maxUndurable+MaxPending {
					t.Fatalf("%d are kept", len(q.kept))
				}
				for i, r := range q.kept {
					if r.n != q.kept[0].n+uint32(i) {
						t.Fatalf("number %d follows %d", r.n, q.kept[0].n)
					}
				}
			},
			"send": func(t *rapid.T) {
				kind := rapid.SampledFrom([]string{wire.UpGrab, wire.UpUse}).Draw(t, "kind")
				r, err := q.add(kind, func(n uint32) []byte { return []byte{byte(n)} })
				if err != nil {
					if !errors.Is(err, ErrBusy) || q.unapplied() < MaxPending {
						t.Fatal(err)
					}
					return
				}
				all = append(all, r)
				if rapid.Bool().Draw(t, "arrives") && m.offer(r.n) {
					answer(r.n, rapid.Bool().Draw(t, "answer arrives"))
				}
			},
			"send again": func(t *rapid.T) {
				for _, r := range q.untaken() {
					if m.offer(r.n) {
						answer(r.n, rapid.Bool().Draw(t, "answer arrives"))
					}
				}
			},
			"tick": func(*rapid.T) { m.tick++ },
			"durable": func(t *rapid.T) {
				m.durable = len(m.taken)
				if rapid.Bool().Draw(t, "heard") {
					q.stored(m.tick)
				}
				m.tick++
			},
			"resume": func(t *rapid.T) {
				if rapid.Bool().Draw(t, "crash") {
					m.crash()
				}
				m.tick++
				if !q.resumed(uint32(len(m.taken)), m.tick, rapid.Bool().Draw(t, "full")) {
					t.Fatalf("the session cannot go on from %d, kept from %d, next %d", len(m.taken), q.kept[0].n, q.next)
				}
			},
		})
		// Quiet: everything arrives and is stored.
		for _, r := range q.untaken() {
			if !m.offer(r.n) && int(r.n) > len(m.taken) {
				t.Fatalf("number %d is sent, the region has %d", r.n, len(m.taken))
			}
			answer(r.n, true)
		}
		m.tick++
		for _, n := range m.taken { // answers that were lost on the way come with a resume
			answer(n, true)
		}
		q.stored(m.tick)
		if len(m.taken) != len(all) {
			t.Fatalf("%d inputs counted of %d", len(m.taken), len(all))
		}
		for _, r := range all {
			if !closed(r.applied) || !closed(r.durable) {
				t.Fatalf("input %d: applied %v, durable %v", r.n, closed(r.applied), closed(r.durable))
			}
			if r.durableErr != nil {
				t.Fatalf("input %d: %v", r.n, r.durableErr)
			}
		}
	})
}

func TestRequestsAreBounded(t *testing.T) {
	q := newRequests(1)
	msg := func(uint32) []byte { return nil }
	for range MaxPending {
		if _, err := q.add(wire.UpUse, msg); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := q.add(wire.UpUse, msg); !errors.Is(err, ErrBusy) {
		t.Errorf("input %d: %v, want ErrBusy", MaxPending+1, err)
	}
	first := q.kept[0]
	// The store is away: much is applied and nothing becomes durable.
	for n := uint32(1); n <= maxUndurable+10; n++ {
		q.ack(n, Outcome{Tick: 5, OK: true})
		if _, err := q.add(wire.UpUse, msg); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Durable(context.Background()); !errors.Is(err, ErrUntracked) {
		t.Errorf("the oldest input ends with %v, want ErrUntracked", err)
	}
	if o, err := first.Applied(context.Background()); err != nil || !o.OK {
		t.Errorf("the oldest input was applied: %+v, %v", o, err)
	}
	q.stored(5)
	if q.kept[0].n != maxUndurable+11 {
		t.Errorf("the oldest kept is %d", q.kept[0].n)
	}
}

func TestASecondDecisionIsToldByDurable(t *testing.T) {
	q := newRequests(1)
	r, _ := q.add(wire.UpGrab, func(uint32) []byte { return nil })
	q.ack(1, Outcome{Tick: 5, OK: true})
	q.answered(1, Outcome{Tick: 5, OK: true})
	q.resumed(0, 90, true) // the server crashed before it was durable
	q.ack(1, Outcome{Tick: 95, OK: true})
	q.answered(1, Outcome{Tick: 95, Code: wire.CodeDeniedHeld})
	q.stored(95)
	if o, err := r.Applied(context.Background()); err != nil || !o.OK || o.Tick != 5 {
		t.Errorf("Applied tells %+v, %v, want the first decision", o, err)
	}
	if err := r.Durable(context.Background()); !errors.Is(err, ErrUndone) {
		t.Errorf("Durable: %v, want ErrUndone", err)
	}
}

func TestAGrabIsDecidedByItsEvent(t *testing.T) {
	msg := func(uint32) []byte { return nil }
	q := newRequests(1)
	r, _ := q.add(wire.UpGrab, msg)
	q.ack(1, Outcome{Tick: 5, OK: true})
	if closed(r.applied) {
		t.Error("an acknowledged grab is called decided while its window is open")
	}
	q.answered(1, Outcome{Tick: 8, Code: wire.CodeDeniedHeld})
	if o, err := r.Applied(context.Background()); err != nil || o.OK || o.Code != wire.CodeDeniedHeld || o.Tick != 8 {
		t.Errorf("outcome %+v, %v", o, err)
	}
	r, _ = q.add(wire.UpGrab, msg)
	q.ack(2, Outcome{Tick: 9, Code: wire.CodeDeniedReach})
	if o, err := r.Applied(context.Background()); err != nil || o.OK {
		t.Errorf("a grab that is refused at once: %+v, %v", o, err)
	}
	r, _ = q.add(wire.UpGrab, msg)
	q.ack(3, Outcome{Tick: 10, OK: true})
	q.resumed(3, 100, true)
	if _, err := r.Applied(context.Background()); !errors.Is(err, ErrUnknownOutcome) {
		t.Errorf("a grab whose event was missed: %v", err)
	}
	q.stored(100)
	if q.resumed(1, 100, false) {
		t.Error("a session goes on though the region wants inputs that are stored and forgotten")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, _ = q.add(wire.UpUse, msg)
	if _, err := r.Applied(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Applied with an ended context: %v", err)
	}
	if err := r.Durable(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Durable with an ended context: %v", err)
	}
}
