package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/live"
	"github.com/venued/venued/sdk/loadgen/plan"
)

// Failures that no code of the venue names.
const (
	failAway    = "no_connection"   // everybody who was there has lost the connection
	failSession = "session_lost"    // it ended with the session
	failUnknown = "unknown_outcome" // decided while the connection was away for too long
	failBusy    = "busy"            // the client has as many undecided requests as it may
	failEnded   = "client_ended"
	failTaken   = "not_refused" // what should have been refused was taken
	failJoin    = "join_failed" // without a refusal by the venue
)

// order is an action that is to be carried out: by whoever can, or by one visitor.
type order struct {
	plan.Due
	who  []*visitor
	act  *behaviour.Act // of a visitor's own behaviour, else nil
	hand uint8
}

// doers carry actions out, by kind.
var doers = map[string]func(*crowd, context.Context, *order) live.Outcome{
	plan.Join: (*crowd).joins, plan.Grab: (*crowd).grab, plan.Release: (*crowd).release, plan.Door: (*crowd).bring, plan.Teleport: (*crowd).bring,
	plan.Rule: (*crowd).bring, plan.Resume: (*crowd).resume, plan.Denied: (*crowd).denied, plan.Bad: (*crowd).bad, plan.Cut: (*crowd).cut,
}

// do carries out an action of the plan.
func (c *crowd) do(ctx context.Context, d plan.Due) live.Outcome {
	who := c.present()
	if len(who) > 0 {
		// Begin with a random one: who came first shall not do it all.
		first := int(d.Draw % uint64(len(who)))
		who = append(who[first:len(who):len(who)], who[:first]...)
	}
	return c.perform(ctx, &order{Due: d, who: who, hand: uint8(d.Draw >> 32 & 1)})
}

// own returns what carries out an action of a visitor's own behaviour.
func (c *crowd) own(v *visitor, act behaviour.Act) live.Do {
	return func(ctx context.Context, d plan.Due) live.Outcome {
		return c.perform(ctx, &order{Due: d, who: []*visitor{v}, act: &act, hand: act.Hand & 1})
	}
}

func (c *crowd) perform(ctx context.Context, o *order) live.Outcome {
	f := doers[o.Action]
	if f == nil {
		return live.Outcome{Skipped: true}
	}
	return f(c, ctx, o)
}

// find returns the first visitor with a connection who can, and leaves it locked. Otherwise it says what came of the action: who is there
// and has lost the connection cannot be served, and that is the server's failure.
func (o *order) find(can func(v *visitor) bool) (*visitor, live.Outcome) {
	up := false
	for _, v := range o.who {
		v.mu.Lock()
		if v.client != nil && v.up {
			up = true
			if can(v) {
				return v, live.Outcome{}
			}
		}
		v.mu.Unlock()
	}
	if !up && len(o.who) > 0 {
		return nil, live.Outcome{Failure: failAway}
	}
	return nil, live.Outcome{Skipped: true}
}

// answer waits for the decision on a request. The venue's times and codes become an outcome.
func (v *visitor) answer(ctx context.Context, r *client.Request, err error) live.Outcome {
	if err != nil {
		return live.Outcome{Failure: failure(err)}
	}
	out, err := r.Applied(ctx)
	if err != nil {
		return live.Outcome{Failure: failure(err)}
	}
	v.mu.Lock()
	tick, t0 := v.tickUS, v.t0US
	v.mu.Unlock()
	var o live.Outcome
	o.Queued, o.Service = waited(&out.Times, t0, tick)
	if !out.OK {
		o.Failure = out.Code.Name()
	}
	return o
}

// batchUS is how often a gateway sends inputs to regions: an input that comes less than that before a tick is in time for the next one
// only.
const batchUS = 5000

// waited splits the server's times into what an input waited beyond the boundary of the tick that it could be in, and the work on it.
// Ticks begin at t0 and every tick microseconds after it. Both are 0 when the server did not say.
func waited(t *wire.Times, t0, tick int64) (queued, service time.Duration) {
	if t.Received == 0 || t.End < t.Start || tick <= 0 {
		return 0, 0
	}
	ready := t.Received + batchUS - t0
	boundary := t0 + (ready+tick-1)/tick*tick
	return max(time.Duration(t.Start-boundary), 0) * time.Microsecond, time.Duration(t.End-t.Start) * time.Microsecond
}

// failure names an error.
func failure(err error) string {
	var no *client.Refused
	switch {
	case errors.As(err, &no):
		return no.Code.Name()
	case errors.Is(err, client.ErrUnknownOutcome):
		return failUnknown
	case errors.Is(err, client.ErrSessionLost):
		return failSession
	case errors.Is(err, client.ErrBusy):
		return failBusy
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return live.Timeout
	}
	return failEnded
}

// grab takes something that is free and within somebody's reach. When all such things are being asked for by others of this run it joins
// them: then whoever is later is rightly refused.
func (c *crowd) grab(ctx context.Context, o *order) live.Outcome {
	var object uint64
	contested := false
	can := func(v *visitor) bool {
		if v.busy || v.grabs != 0 || v.holds != 0 {
			return false
		}
		for _, id := range v.reach(func(id uint64, x *thing) bool {
			return x.grabby && x.holder == 0 && (o.act == nil || o.act.Object == "" || o.act.Object == x.name)
		}) {
			if contested || c.claim.take(id) {
				object = id
				return true
			}
		}
		return false
	}
	v, none := o.find(can)
	if v == nil && none.Skipped {
		contested = true
		v, none = o.find(can)
	}
	if v == nil {
		return none
	}
	v.grabs, v.hand, v.fist = object, o.hand, *v.body.Hand(o.hand)
	at := v.joint(object)
	cl := v.client
	v.mu.Unlock()
	r, err := cl.Grab(object, o.hand, at)
	out := v.answer(ctx, r, err)
	v.mu.Lock()
	if out.Failure == "" {
		v.took(object)
	} else if !contested {
		c.claim.free(object)
	}
	v.grabs = 0
	v.mu.Unlock()
	out.Expected = contested && (out.Failure == wire.CodeDeniedHeld.Name() || out.Failure == wire.CodeDeniedRule.Name())
	return out
}

// joint is a hand at a thing in view. The lock is held.
func (v *visitor) joint(id uint64) lattice.Joint {
	j := lattice.Joint{Rot: v.body.Head.Rot}
	at := v.seen[id].at
	// What is in view is on the lattice, so that this cannot fail.
	j.Pos, _ = lattice.VecFromMetres(at[0], at[1], at[2])
	return j
}

// release lets go of what somebody holds.
func (c *crowd) release(ctx context.Context, o *order) live.Outcome {
	v, none := o.find(func(v *visitor) bool { return v.holds != 0 && !v.lets && !v.busy })
	if v == nil {
		return none
	}
	v.lets = true
	object, hand := v.holds, v.hand
	cl, at := v.client, *v.body.Hand(v.hand)
	v.mu.Unlock()
	r, err := cl.Release(object, hand, at)
	out := v.answer(ctx, r, err)
	v.mu.Lock()
	v.lets = false
	if out.Failure == "" || out.Failure == wire.CodeDeniedNotHeld.Name() {
		if v.holds == object {
			v.empty()
		}
	}
	v.mu.Unlock()
	return out
}

// bring has a door, a teleport or a rule's event brought about, by whatever means the venue has.
func (c *crowd) bring(ctx context.Context, o *order) live.Outcome {
	m := c.means[o.Action]
	if o.act != nil {
		m = c.ownMeans(o.act)
	}
	switch {
	case m == nil:
		return live.Outcome{Skipped: true}
	case m.topic != "":
		v, none := o.find(func(v *visitor) bool { return !v.busy })
		if v == nil {
			return none
		}
		cl, w := v.client, v.teleported(o.Action)
		v.mu.Unlock()
		r, err := cl.Message(m.topic, m.data)
		return v.brought(ctx, w, r, err)
	case len(m.use) > 0:
		return c.use(ctx, o, m)
	}
	return c.step(ctx, o, m)
}

// ownMeans are those of a visitor's own action.
func (c *crowd) ownMeans(a *behaviour.Act) *means {
	m := c.means[a.Kind]
	switch {
	case a.Topic != "":
		m = &means{topic: a.Topic, data: asJSON(a.Payload)}
	case a.Zone != "":
		p := plan.Action{Kind: a.Kind, Zone: a.Zone}
		m, _ = meansOf(&p, c.Venue)
		if m == nil {
			door := plan.Action{Kind: plan.Door}
			if all, _ := meansOf(&door, c.Venue); all != nil {
				for _, z := range all.zones {
					if z.door == a.Zone {
						m = &means{zones: []zone{z}}
					}
				}
			}
		}
	case m == nil && a.Kind != plan.Teleport:
		m, _ = meansOf(&plan.Action{Kind: a.Kind}, c.Venue)
	}
	return m
}

// asJSON returns a payload as JSON of about its length.
func asJSON(b []byte) json.RawMessage {
	if len(b) == 0 || json.Valid(b) {
		return b
	}
	return json.RawMessage(`"` + string(bytes.Repeat([]byte("x"), min(max(len(b)-2, 0), wire.MaxData-2))) + `"`)
}

// use has somebody use one of some objects.
func (c *crowd) use(ctx context.Context, o *order, m *means) live.Outcome {
	var object uint64
	v, none := o.find(func(v *visitor) bool {
		ids := v.reach(func(_ uint64, x *thing) bool { return m.use[x.name] })
		if v.busy || len(ids) == 0 {
			return false
		}
		object = ids[0]
		return true
	})
	if v == nil {
		return none
	}
	cl, at, w := v.client, v.joint(object), v.teleported(o.Action)
	v.mu.Unlock()
	r, err := cl.Use(object, o.hand, at)
	return v.brought(ctx, w, r, err)
}

// teleported begins to wait for a teleport of the visitor, if that is what an action is for. The lock is held.
func (v *visitor) teleported(action string) *watch {
	if action != plan.Teleport {
		return nil
	}
	self := v.self
	return v.watch(func(e *client.Event) bool { return e.T == wire.DownTeleport && e.Entity == self })
}

// brought waits for the answer to a request, and for the event that it is for, if there is one.
func (v *visitor) brought(ctx context.Context, w *watch, r *client.Request, err error) live.Outcome {
	out := v.answer(ctx, r, err)
	if w == nil {
		return out
	}
	defer v.forget(w)
	if out.Failure != "" {
		return out
	}
	select {
	case <-w.done:
	case <-ctx.Done():
		out.Failure = live.Timeout
	case <-v.gone():
		out.Failure = failEnded
	}
	return out
}

// gone is closed when the visitor's client has ended.
func (v *visitor) gone() <-chan struct{} {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.client == nil {
		done := make(chan struct{})
		close(done)
		return done
	}
	return v.client.Done()
}

// step has somebody who stands beside a zone step into it: its door opens, or the visitor is elsewhere.
func (c *crowd) step(ctx context.Context, o *order, m *means) live.Outcome {
	var door uint64
	v, none := o.find(func(v *visitor) bool {
		s := v.spot
		if v.busy || s == nil || s.zone == nil || v.at != s.at || !m.has(s.zone) {
			return false
		}
		if o.Action == plan.Teleport {
			return true
		}
		for id, x := range v.seen {
			if x.kind == stream.Door && x.name == s.zone.door && !x.open && c.claim.take(id) {
				door = id
				return true
			}
		}
		return false
	})
	if v == nil {
		return none
	}
	self, spot := v.self, v.spot
	w := v.watch(func(e *client.Event) bool {
		if o.Action == plan.Teleport {
			return e.T == wire.DownTeleport && e.Entity == self
		}
		return e.T == wire.DownDoor && e.Door == door && e.Open
	})
	inside := *spot
	inside.at = spot.in
	v.busy, v.spot, v.at = true, &inside, spot.in
	v.mu.Unlock()
	var out live.Outcome
	select {
	case <-w.done:
	case <-ctx.Done():
		out.Failure = live.Timeout
	case <-v.gone():
		out.Failure = failEnded
	}
	v.forget(w)
	v.mu.Lock()
	v.busy = false
	if v.spot == &inside { // not teleported
		v.spot = spot
	}
	v.mu.Unlock()
	if door != 0 {
		c.claim.free(door)
	}
	return out
}

// has reports whether one of the means is to step into a zone.
func (m *means) has(z *zone) bool {
	for i := range m.zones {
		if m.zones[i].name == z.name && m.zones[i].door == z.door {
			return true
		}
	}
	return false
}

// joins has one more person come, and leave again.
func (c *crowd) joins(ctx context.Context, _ *order) live.Outcome {
	cl, err := client.Dial(ctx, c.options(c.somebody()))
	if err != nil {
		if f := failure(err); f != failEnded {
			return live.Outcome{Failure: f}
		}
		return live.Outcome{Failure: failJoin}
	}
	c.all.Go(func() { cl.Close() })
	return live.Outcome{}
}

// denied asks for what the venue must refuse: something out of reach, or something that is not there.
func (c *crowd) denied(ctx context.Context, o *order) live.Outcome {
	v, none := o.find(func(v *visitor) bool { return !v.busy && v.grabs == 0 && v.holds == 0 })
	if v == nil {
		return none
	}
	object := v.self // nobody can be taken
	x, y, z := v.body.Head.Pos.Metres()
	for id, s := range v.seen {
		dx, dy, dz := s.at[0]-x, s.at[1]-y, s.at[2]-z
		far := c.Venue.Limits.HandReachM + c.Venue.Limits.GrabReachM + 1
		if s.grabby && dx*dx+dy*dy+dz*dz > far*far && (object == v.self || id < object) {
			object = id
		}
	}
	cl, at := v.client, v.body.Left
	v.mu.Unlock()
	r, err := cl.Grab(object, 0, at)
	out := v.answer(ctx, r, err)
	if out.Failure == "" {
		out.Failure = failTaken
		_, _ = cl.Release(object, 0, at) // it is a failure whatever comes of this
		return out
	}
	out.Expected = strings.HasPrefix(out.Failure, "denied_")
	return out
}
