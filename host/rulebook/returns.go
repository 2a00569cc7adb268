package rulebook

import (
	"context"
	"time"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
)

const (
	// maxReturns is how many returns wait to be written; more are logged and left out, so that a restart would run the faulty version once more.
	maxReturns = 1024
	// returnTimeout bounds one write; it is tried again until the book is closed.
	returnTimeout = 10 * time.Second
	returnRetry   = time.Second
)

// byRegion is who wants a return.
const byRegion = "region"

// returned is a region that went back by itself.
type returned struct {
	region int
	scene.SwapEvent
	at time.Time
}

// Swapped takes note of a change in a region (index of Venue.Regions): when the region went back by itself, what is assigned
// follows. It does not wait: regions call it between two ticks.
func (b *Book) Swapped(region int, ev scene.SwapEvent) {
	if !ev.Returned {
		return // whoever ordered it has written it down
	}
	select {
	case b.returns <- returned{region, ev, b.cfg.Now()}:
	default:
		b.log.Error("too many regions went back by themselves at once: this return is not kept", "rule", ev.Rule, "region", b.venue.Regions[region].Name)
	}
}

// takeReturns writes returns until the book is closed and none waits.
func (b *Book) takeReturns() {
	for {
		select {
		case r := <-b.returns:
			b.takeReturn(r)
			continue
		default:
		}
		select {
		case r := <-b.returns:
			b.takeReturn(r)
		case <-b.done:
			return
		}
	}
}

func (b *Book) takeReturn(r returned) {
	for {
		err := b.noteReturn(r)
		if err == nil {
			return
		}
		b.log.Error("a region's return to the module before is not in the store yet: a restart would run the faulty one", "rule", r.Rule, "region", b.venue.Regions[r.region].Name, "error", err)
		t := time.NewTimer(returnRetry)
		select {
		case <-t.C:
		case <-b.done:
			t.Stop()
			return
		}
	}
}

// noteReturn makes what is assigned follow a region that went back.
func (b *Book) noteReturn(r returned) error {
	ctx, cancel := context.WithTimeout(context.Background(), returnTimeout)
	defer cancel()
	b.ops.Lock()
	defer b.ops.Unlock()
	rule := b.rule(r.Rule)
	if rule < 0 {
		return nil // the region is of another venue's file
	}
	p := place{r.region, rule}
	if err := b.refresh(ctx); err != nil {
		return err
	}
	a := b.assignment(p)
	failed := a.Current
	// The newest change to the module that failed says where the region came from, and the one before it what rolling back would run.
	came := lastChange(a.History, r.From.Digest)
	c := store.Change{
		AtUnixMS: r.at.UnixMilli(), Tick: r.Tick, By: byRegion, Reason: r.Reason, Returned: true,
		From: store.ModuleRef{Plugin: r.From.Name, Version: r.From.Version, Digest: r.From.Digest},
		To:   store.ModuleRef{Plugin: r.To.Name, Version: r.To.Version, Digest: r.To.Digest},
	}
	if came != nil {
		c.From.File, c.To.File = came.To.File, came.From.File
	}
	at := func(m store.ModuleRef) string {
		if m.File {
			return ""
		}
		return m.Digest
	}
	a.History = addChange(a.History, c)
	switch {
	case came == nil:
		b.log.Error("a region went back from a module that it was never told to run: what is assigned stays", "rule", a.Rule, "region", a.Region, "from", r.From.Digest, "to", r.To.Digest)
	case failed == at(c.From):
		a.Current = at(c.To)
		a.Previous = a.Current
		if before := lastChange(a.History[:len(a.History)-1], c.To.Digest); before != nil {
			a.Previous = at(before.From)
		}
	case a.Previous == at(c.From):
		a.Previous = at(c.To) // another module was activated meanwhile
	}
	return b.assign(ctx, p, a)
}

// lastChange returns the newest change to a module that somebody wanted, nil for none.
func lastChange(history []store.Change, digest string) *store.Change {
	for i := len(history) - 1; i >= 0; i-- {
		if c := &history[i]; c.To.Digest == digest && !c.Returned && c.From.Digest != digest {
			return c
		}
	}
	return nil
}
