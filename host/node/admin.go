package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

const (
	// adminWait bounds an operator's call once the region has it: it is carried out between two ticks.
	adminWait = 2 * time.Second
	// maxOrders is how many such calls wait for a region; more are refused.
	maxOrders = 64
)

// order is what an operator wants of a region, carried out between two ticks.
type order struct {
	taken atomic.Bool // by the driver, which then carries it out, or by a caller who gives up
	do    func(l *life) (*bus.AdminReply, error)
	reply chan orderReply // with room for the one answer
}

// notTaken is the error of an order that was not carried out, and will not be.
type notTaken string

func (e notTaken) Error() string { return string(e) }

func notTakenf(format string, args ...any) notTaken { return notTaken(fmt.Sprintf(format, args...)) }

type orderReply struct {
	reply *bus.AdminReply
	err   error
}

// resetting is an order that is answered after the next tick: a reset, which joins its inputs, or (done not nil) a swap that it
// is the first tick of.
type resetting struct {
	o      *order
	name   string
	before stream.Entity
	done   *bus.AdminReply
}

// admin handles bus.Admin.
func (d *driver) admin(ctx context.Context, m bus.Msg) ([]byte, error) {
	var q bus.AdminRequest
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return nil, fmt.Errorf("admin request: %w", err)
	}
	var reply *bus.AdminReply
	var err error
	switch q.Op {
	case bus.AdminReset:
		reply, err = d.resetObject(ctx, q.Object)
	case bus.AdminSwap:
		reply, err = d.swapRule(ctx, &q)
	case bus.AdminRunning:
		reply, err = d.running(ctx, q.Rule)
	default:
		err = fmt.Errorf("admin request: unknown operation %q", q.Op)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(reply)
}

// give hands the driver's goroutine an order and waits for what came of it.
func (d *driver) give(ctx context.Context, do func(o *order, l *life) (*bus.AdminReply, error)) (*bus.AdminReply, error) {
	if s := d.status(); s.State != Running {
		return nil, notTakenf("region %s is %s: try again when it runs", d.key, s.State)
	}
	ctx, cancel := context.WithTimeout(ctx, adminWait)
	defer cancel()
	o := &order{reply: make(chan orderReply, 1)}
	o.do = func(l *life) (*bus.AdminReply, error) { return do(o, l) }
	select {
	case d.orders <- o:
	default:
		return nil, notTakenf("region %s: %d operators' calls wait already: try again in a moment", d.key, maxOrders)
	}
	select {
	case r := <-o.reply:
		return r.reply, r.err
	case <-ctx.Done():
		if o.taken.CompareAndSwap(false, true) {
			return nil, notTakenf("region %s took nothing within %s: see its state", d.key, adminWait)
		}
		return nil, fmt.Errorf("region %s did not answer within %s: see its state", d.key, adminWait)
	}
}

// obey carries an order out, between two ticks. One whose caller has given up is left out.
func (d *driver) obey(l *life, o *order) {
	if !o.taken.CompareAndSwap(false, true) {
		return
	}
	if reply, err := o.do(l); reply != nil || err != nil {
		o.reply <- orderReply{reply, err}
	}
}

func (d *driver) resetObject(ctx context.Context, name string) (*bus.AdminReply, error) {
	return d.give(ctx, func(o *order, l *life) (*bus.AdminReply, error) {
		e, ok := l.region.Object(name)
		if !ok {
			return nil, fmt.Errorf("region %s has no object %q", d.key, name)
		}
		d.resets = append(d.resets, resetting{o: o, name: name, before: e})
		return nil, nil // answered after the tick
	})
}

// withResets adds the resets that were asked for to a tick's inputs.
func (d *driver) withResets(in []stream.Input, now int64) []stream.Input {
	for i := range d.resets {
		if d.resets[i].done == nil {
			in = append(in, stream.Input{Kind: stream.InputReset, Object: d.resets[i].before.ID, Stamp: now, Arrival: now})
		}
	}
	return in
}

// resetsDone answers after the tick.
func (d *driver) resetsDone(l *life) {
	for i := range d.resets {
		r := &d.resets[i]
		if r.done != nil {
			r.done.Tick = l.tick
			r.o.reply <- orderReply{r.done, nil}
			continue
		}
		after, _ := l.region.Object(r.name)
		r.o.reply <- orderReply{&bus.AdminReply{
			Tick: l.tick, Released: r.before.State.Holder != 0, Changed: after.State != r.before.State,
		}, nil}
	}
	clear(d.resets)
	d.resets = d.resets[:0]
}

// swapRule makes an instance of a module beside the running one, and swaps the two between ticks. Until then, and when it
// cannot be made, the old one goes on.
func (d *driver) swapRule(ctx context.Context, q *bus.AdminRequest) (*bus.AdminReply, error) {
	cfg := &d.node.cfg
	if cfg.Module == nil {
		return nil, errors.New("this node cannot load rules again: restart it")
	}
	index, err := d.rule(q.Rule)
	if err != nil {
		return nil, err
	}
	fresh, err := cfg.Module(ctx, d.index, index, q.Digest)
	if err != nil {
		return nil, fmt.Errorf("region %s: rule %s goes on with what it runs: %w", d.key.Region, q.Rule, err)
	}
	reason := q.Reason
	if reason == "" {
		reason = "an operator swapped it"
	}
	watched := newWatched(q.Rule, d.tap(index, fresh))
	opt := scene.SwapOptions{Faults: q.Faults, Reason: reason}
	reply, err := d.give(ctx, func(o *order, l *life) (*bus.AdminReply, error) {
		old := l.rules[index]
		// The region shares l.rules and puts the new one there; the old one it keeps until the new one has proved itself.
		if err := l.region.SwapRule(index, watched, opt); err != nil {
			closeRule(fresh)
			return nil, fmt.Errorf("region %s: rule %s goes on with what it runs: %w", d.key.Region, q.Rule, err)
		}
		l.rules[index] = watched
		d.recordSwap(index, watched, opt)
		d.watch(l.rules)
		// After the tick the rule can be swapped once more.
		d.resets = append(d.resets, resetting{o: o, done: &bus.AdminReply{
			Changed: old == nil || old.Digest() != fresh.Digest(), From: adminModule(old), To: adminModule(fresh),
		}})
		return nil, nil
	})
	if err != nil {
		if _, ok := errors.AsType[notTaken](err); ok {
			closeRule(fresh)
		}
		return nil, err
	}
	return reply, nil
}

// running tells which module a rule runs.
func (d *driver) running(ctx context.Context, name string) (*bus.AdminReply, error) {
	index, err := d.rule(name)
	if err != nil {
		return nil, err
	}
	return d.give(ctx, func(_ *order, l *life) (*bus.AdminReply, error) {
		return &bus.AdminReply{Tick: l.tick, To: adminModule(l.rules[index])}, nil
	})
}

// rule returns the index of a rule of the venue.
func (d *driver) rule(name string) (int, error) {
	v := d.node.cfg.Venue
	i := slices.IndexFunc(v.Rules, func(r venues.CompiledRule) bool { return r.Name == name })
	if i < 0 {
		return 0, fmt.Errorf("venue %s has no rule %q", v.ID, name)
	}
	return i, nil
}

// adminModule names a module, nil for none.
func adminModule(r scene.Rule) bus.AdminModule {
	if r == nil {
		return bus.AdminModule{}
	}
	m := r.Manifest()
	return bus.AdminModule{Plugin: m.Name, Version: m.Version, Digest: r.Digest()}
}

func closeRule(r scene.Rule) {
	if c, ok := r.(interface{ Close() }); ok {
		c.Close()
	}
}
