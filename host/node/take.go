package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/venued/venued/host/bus"
)

// lifetime is for how long drivers run: until soft ends they tick, until hard ends they write.
type lifetime struct{ soft, hard context.Context }

// start lets the region run with its first life. What it is to be stopped by is kept for Give.
func (d *driver) start(ctx lifetime, l *life) {
	soft, cancel := context.WithCancel(ctx.soft)
	d.stop, d.ended = cancel, make(chan struct{})
	ended := d.ended
	d.node.running.Go(func() {
		defer cancel()
		defer close(ended)
		d.run(soft, ctx.hard, l)
	})
}

// subscribe takes what the bus has for the region.
func (d *driver) subscribe(ctx context.Context) error {
	b, venue, region := d.node.cfg.Bus, d.key.Venue, d.key.Region
	for _, open := range [...]func() (*bus.Sub, error){
		func() (*bus.Sub, error) { return b.Subscribe(bus.Inputs(venue, region), d.receive) },
		func() (*bus.Sub, error) { return b.Subscribe(bus.Mail(venue, region), d.receiveMail) },
		func() (*bus.Sub, error) {
			return b.Handle(bus.Key(venue, region), func(bus.Msg) ([]byte, error) { return d.keyRecord(ctx) })
		},
		func() (*bus.Sub, error) {
			return b.Handle(bus.Admin(venue, region), func(m bus.Msg) ([]byte, error) { return d.admin(ctx, m) })
		},
		func() (*bus.Sub, error) {
			return b.Handle(bus.Recording(venue, region), func(m bus.Msg) ([]byte, error) { return d.recording(ctx, m) })
		},
	} {
		s, err := open()
		if err != nil {
			return err
		}
		d.subs = append(d.subs, s)
	}
	return nil
}

func (d *driver) unsubscribe() {
	for _, s := range d.subs {
		s.Stop()
	}
	d.subs = nil
}

// alive reports whether the region's goroutine runs. moves is held.
func (d *driver) alive() bool {
	if d.stop == nil {
		return false
	}
	select {
	case <-d.ended:
		return false
	default:
		return true
	}
}

// Errors of Take and Give.
var (
	ErrNoRegion  = errors.New("the venue has no such region")
	ErrNotOwned  = errors.New("this node does not own the region")
	ErrIsOwned   = errors.New("this node owns the region already")
	errNoClaim   = errors.New("node: Config.Claim is missing: the node owns all regions")
	errNotUp     = errors.New("node: it has not started, or stops")
	errNotInTime = errors.New("the region did not end in time")
)

func (n *Node) driverOf(region string) (*driver, error) {
	if n.cfg.Claim == nil {
		return nil, errNoClaim
	}
	for _, d := range n.drivers {
		if d.key.Region == region {
			return d, nil
		}
	}
	return nil, fmt.Errorf("region %s/%s: %w", n.cfg.Venue.ID, region, ErrNoRegion)
}

// Take claims a region that nobody has owned since an epoch (0: nobody ever did), brings it back from the store, and starts its ticks. The
// error wraps store.ErrFenced when somebody was faster, ErrIsOwned when it is this node's. ctx bounds the call only.
func (n *Node) Take(ctx context.Context, region string, after uint64) error {
	d, err := n.driverOf(region)
	if err != nil {
		return err
	}
	d.moves.Lock()
	defer d.moves.Unlock()
	if n.ctx.soft == nil || n.ctx.soft.Err() != nil {
		return errNotUp
	}
	if d.alive() {
		return fmt.Errorf("region %s: %w", d.key, ErrIsOwned)
	}
	d.unsubscribe() // of an owner that was overtaken
	d.set(Starting, nil)
	l, err := d.open(ctx, n.ctx.hard, &after)
	if err == nil {
		if err = d.subscribe(n.ctx.soft); err == nil {
			err = n.cfg.Bus.Flush(ctx)
		}
		if err == nil {
			d.start(n.ctx, l)
			return nil
		}
		l.journal.stop()
		l.end()
	}
	d.unsubscribe()
	d.set(Elsewhere, err)
	return fmt.Errorf("region %s: %w", d.key, err)
}

// Give ends a region with a last tick and a snapshot, which are in the store when it returns without an error: another node may take it then. The
// error wraps ErrNotOwned when it is not this node's.
func (n *Node) Give(ctx context.Context, region string) error {
	d, err := n.driverOf(region)
	if err != nil {
		return err
	}
	d.moves.Lock()
	defer d.moves.Unlock()
	if !d.alive() {
		return fmt.Errorf("region %s: %w", d.key, ErrNotOwned)
	}
	d.stop()
	select {
	case <-d.ended:
	case <-ctx.Done():
		return fmt.Errorf("region %s: %w: %w", d.key, errNotInTime, ctx.Err())
	}
	d.unsubscribe()
	backlog, fenced := d.unwritten()
	d.set(Elsewhere, nil)
	if backlog > 0 && !fenced {
		return fmt.Errorf("region %s: %d log records and snapshots were not written", d.key, backlog)
	}
	return nil
}
