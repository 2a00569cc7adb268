package crowd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// mostStep is the longest step of time that a visitor walks in: after a longer pause it goes on from where it was.
const mostStep = 100 * time.Millisecond

// visitor is one person of the run.
type visitor struct {
	c   *crowd
	n   int
	hub sync.Once // the venue has welcomed it for the first time

	// Everything below is under mu: the pose function, the frames, the events and the actions meet here.
	mu     sync.Mutex
	client *client.Client // nil until it has joined, and once it leaves
	up     bool           // has a connection
	came   time.Duration  // in the run
	rng    *rand.Rand
	life   *behaviour.Visitor
	site   *site
	start  int64                     // server time of its first welcome
	now    time.Duration             // since then, of the newest pose
	self   uint64                    // entity
	region *venues.RegionDescription // that decides for it, nil when the venue does not describe it
	tickUS int64
	t0US   int64
	kinds  []wire.Kind
	body   lattice.Body  // newest
	at     ground        // shown: of the head
	off    ground        // shown less where its behaviour has it
	spot   *spot         // where it goes or stands, nil for where its behaviour has it
	until  time.Duration // how long it stands there
	busy   bool          // steps, or its connection is being cut
	grabs  uint64        // object that it is asking for
	holds  uint64        // object in its hand
	hand   uint8
	lets   bool          // its release is on the way
	fist   lattice.Joint // where that hand was when it asked for it
	shift  vec           // from there to where it holds it
	seen   map[uint64]thing
	missed uint64 // frames of this connection that were lost so far
	wait   []*watch
	tally  *tally
	last   map[uint64]time.Time // newest update of each person in view
}

// tally is what some visitors count together: one each would be megabytes, one for all would be waited for.
type tally struct {
	mu sync.Mutex
	figures.Visitors
}

// thing is an object or a door in view.
type thing struct {
	name   string
	kind   stream.EntityKind
	at     vec
	holder uint64
	grabby bool
	open   bool // of a door: it is not closed
}

// watch is somebody who waits for an event.
type watch struct {
	match func(*client.Event) bool
	done  chan struct{} // closed when it came
	event client.Event  // which it was
}

func newVisitor(c *crowd, n int) *visitor {
	v := &visitor{
		c: c, n: n, rng: rand.New(rand.NewPCG(c.Plan.Seed^0x6372776f64, uint64(n))), life: c.Cast.Visitor(n),
		seen: map[uint64]thing{}, tally: &c.tallies[n%len(c.tallies)], last: map[uint64]time.Time{},
	}
	if v.life.Kind == plan.Model {
		v.site = c.siteOf(n)
	}
	return v
}

// arrive puts a visitor who has joined at the crowd's disposal.
func (v *visitor) arrive(cl *client.Client, at time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.client, v.came, v.up = cl, at, true
	v.c.came(1)
}

// away ends that.
func (v *visitor) away() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lost()
	v.empty()
	v.client = nil
}

// lost notes that there is no connection. The lock is held.
func (v *visitor) lost() {
	if v.up {
		v.up = false
		v.c.came(-1)
	}
}

// onWelcome starts over at the place given, or goes on after a resume.
func (v *visitor) onWelcome(w *wire.Welcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.hub.Do(func() { v.start = w.TimeUS })
	v.self, v.kinds, v.tickUS, v.t0US = uint64(w.Entity), w.Kinds, w.TickUS, w.T0US
	v.region = nil
	if i := slices.IndexFunc(v.c.Venue.Regions, func(r venues.RegionDescription) bool { return r.Name == w.Region }); i >= 0 {
		v.region = &v.c.Venue.Regions[i]
	}
	clear(v.seen)
	clear(v.last)
	if !w.Resumed || w.Full {
		v.empty()
	}
	if !w.Resumed {
		v.placed(lattice.Vec(w.P))
	}
}

// placed takes the venue's word for where the visitor is. The lock is held.
func (v *visitor) placed(head lattice.Vec) {
	v.life.Placed(v.now, head)
	x, _, z := head.Metres()
	v.at, v.off, v.spot, v.until = ground{x, z}, ground{}, nil, 0
}

// pose is the client's pose function: it lives on to the time and returns the body.
func (v *visitor) pose(serverUS int64) lattice.Body {
	v.mu.Lock()
	defer v.mu.Unlock()
	t := max(time.Duration(serverUS-v.start)*time.Microsecond, v.now)
	dt := min(t-v.now, mostStep).Seconds()
	v.now = t
	b := v.life.Pose(t)
	x, y, z := b.Head.Pos.Metres()
	v.choose(t, y)
	if v.spot != nil {
		v.at = toward(v.at, v.spot.at, speed(math.Hypot(v.spot.at[0]-v.at[0], v.spot.at[1]-v.at[1]))*dt)
	} else {
		far := toward(v.off, ground{}, pace*dt)
		v.at = ground{x + far[0], z + far[1]}
	}
	v.off = ground{v.at[0] - x, v.at[1] - z}
	by := lattice.Vec{X: int32(math.Round(v.off[0] * lattice.Steps)), Z: int32(math.Round(v.off[1] * lattice.Steps))}
	for _, j := range []*lattice.Joint{&b.Head, &b.Left, &b.Right} {
		j.Pos = j.Pos.Add(by)
	}
	if v.holds != 0 || v.grabs != 0 {
		v.carry(&b, t)
	}
	v.body = b
	return b
}

// choose decides where to go, if it is for the visitor to decide. The lock is held.
func (v *visitor) choose(t time.Duration, y float64) {
	if v.site == nil || t < v.until || v.busy || v.grabs != 0 || v.holds != 0 {
		return
	}
	v.until = t + time.Duration((shortestLag+v.rng.Float64()*(longestLag-shortestLag))*float64(time.Second))
	v.spot = nil
	floor := floorAt(v.c.Venue, vec{v.at[0], y, v.at[1]}).Name
	for range spotTries {
		if s, ok := v.c.spot(v.site, v.at, v.rng); ok && s.floor == floor && v.served(s.at) {
			v.spot = &s
			return
		}
	}
}

// spotTries is how often a place is drawn until one is where the visitor can go.
const spotTries = 8

// served reports whether a place is in the region that decides for the visitor: what lies beyond is not for it to take or use. The lock is held.
func (v *visitor) served(at ground) bool {
	r := v.region
	return r == nil || at[0] >= r.Min[0] && at[0] < r.Max[0] && at[1] >= r.Min[1] && at[1] < r.Max[1]
}

// carry moves the hand that holds something about where it is to be held, and keeps one still that asks for something: the venue fixes what is
// taken to the hand as it is then. The lock is held.
func (v *visitor) carry(b *lattice.Body, t time.Duration) {
	j := b.Hand(v.hand)
	j.Rot = v.fist.Rot
	j.Pos = v.fist.Pos
	if v.holds == 0 {
		return
	}
	a := 2 * math.Pi * 0.4 * t.Seconds()
	by, err := lattice.VecFromMetres(v.shift[0]+0.15*math.Sin(a), v.shift[1]+0.1*math.Sin(2*a), v.shift[2]+0.15*math.Cos(a))
	if to := v.fist.Pos.Add(by); err == nil && to.Dist(b.Head.Pos) <= int64(v.c.arm()*lattice.Steps) {
		j.Pos = to
	}
}

// arm is how far from a head the visitors' hands go at most, metres.
func (c *crowd) arm() float64 { return 0.8 * c.Venue.Limits.HandReachM }

// home is where a thing belongs. One that was carried over a border is another region's: it is left alone until it is back.
func (c *crowd) home(o *thing) ground {
	if at, ok := c.homes[o.name]; ok {
		return ground{at[0], at[2]}
	}
	return ground{o.at[0], o.at[2]}
}

// reach returns what satisfies a condition and is within reach, the nearest first. The lock is held.
func (v *visitor) reach(want func(id uint64, o *thing) bool) (ids []uint64) {
	x, y, z := v.body.Head.Pos.Metres()
	far := map[uint64]float64{}
	for id, o := range v.seen {
		d := math.Hypot(math.Hypot(o.at[0]-x, o.at[1]-y), o.at[2]-z)
		if o.kind == stream.Object && d <= v.c.arm() && v.served(v.c.home(&o)) && v.served(ground{o.at[0], o.at[2]}) && want(id, &o) {
			ids = append(ids, id)
			far[id] = d
		}
	}
	slices.SortFunc(ids, func(a, b uint64) int {
		switch {
		case far[a] != far[b]:
			if far[a] < far[b] {
				return -1
			}
			return 1
		case a < b:
			return -1
		}
		return 1
	})
	return ids
}

// onFrame is the client's frame callback.
func (v *visitor) onFrame(f *client.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	v.tally.mu.Lock()
	defer v.tally.mu.Unlock()
	for i := range f.Records {
		r := &f.Records[i]
		id := r.Info.ID
		switch {
		case r.Op == wire.OpLeave:
			delete(v.seen, id)
			delete(v.last, id)
		case r.Info.Kind == stream.Avatar:
			v.person(id, f, &r.State, now)
		default:
			o := thing{name: r.Info.Name, kind: r.Info.Kind, holder: r.State.Holder}
			o.at[0], o.at[1], o.at[2] = r.State.Body.Head.Pos.Metres()
			if o.kind == stream.Door {
				o.open = r.State.Value > 0
			} else {
				o.grabby = int(r.Info.Class) < len(v.kinds) && v.kinds[r.Info.Class].Grabbable
			}
			v.seen[id] = o
		}
	}
	if f.Lost < v.missed {
		v.missed = 0 // another connection
	}
	v.tally.Frame(v.c.run.Now(), f.Lost-v.missed)
	v.missed = f.Lost
	v.tally.Visible += uint64(len(v.last))
}

// person counts an update of somebody in view. The locks are held.
func (v *visitor) person(id uint64, f *client.Frame, s *stream.State, now time.Time) {
	if s.Flags&stream.FlagAway != 0 {
		v.last[id] = time.Time{} // in view, but without samples
		return
	}
	taken := f.TickUS - int64(s.AgeMS)*1000
	v.tally.PoseAge.Add(time.Duration(f.ReceivedUS-taken) * time.Microsecond)
	if before := v.last[id]; !before.IsZero() {
		v.tally.Interval.Add(now.Sub(before))
	}
	v.last[id] = now
}

// attend reads events until the visitor is to leave or its client has ended.
func (v *visitor) attend(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-v.client.Events():
			if !open {
				v.tally.note(func(f *figures.Visitors) { f.Disconnects++ })
				return
			}
			v.event(&e)
		}
	}
}

// event takes one event of the client.
func (v *visitor) event(e *client.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e.T {
	case client.EventLost:
		v.lost()
		if !e.Planned {
			v.tally.note(func(f *figures.Visitors) { f.Disconnects++ })
		}
	case client.EventConnected:
		if !v.up {
			v.up = true
			v.c.came(1)
		}
	case client.EventGap:
		v.tally.note(func(f *figures.Visitors) { f.Missed += e.Missed })
	case wire.DownCorrect:
		v.tally.note(func(f *figures.Visitors) { f.Corrected++ })
		if e.HasP {
			v.placed(lattice.Vec(e.P))
		}
	case wire.DownTeleport:
		if e.Entity == v.self {
			v.placed(lattice.Vec(e.P))
		}
	case wire.DownGrabbed:
		if e.By == v.self {
			v.took(e.Object)
		}
	case wire.DownReleased, wire.DownDropped:
		if e.By == v.self && e.Object == v.holds {
			v.empty()
		}
	}
	v.wait = slices.DeleteFunc(v.wait, func(w *watch) bool {
		if !w.match(e) {
			return false
		}
		w.event = *e
		close(w.done)
		return true
	})
}

// took notes that an object is in the visitor's hand. Where it belongs is where it is brought, so that things do not wander off over the
// hours. The lock is held.
func (v *visitor) took(object uint64) {
	if v.holds == object {
		return
	}
	if v.grabs != object { // the answer to the request was not waited for
		v.fist = *v.body.Hand(v.hand)
	}
	v.c.claim.take(object) // until it lets go: others see that late
	v.holds, v.lets, v.shift = object, false, vec{}
	o := v.seen[object]
	if home, ok := v.c.homes[o.name]; ok {
		v.shift = vec{home[0] - o.at[0], home[1] - o.at[1], home[2] - o.at[2]}
	}
}

// empty notes that there is nothing in the visitor's hand. The lock is held.
func (v *visitor) empty() {
	if v.holds != 0 {
		v.c.claim.free(v.holds)
	}
	v.holds, v.lets = 0, false
}

// watch begins to wait for an event. The lock is held.
func (v *visitor) watch(match func(*client.Event) bool) *watch {
	w := &watch{match: match, done: make(chan struct{})}
	v.wait = append(v.wait, w)
	return w
}

// forget ends a wait.
func (v *visitor) forget(w *watch) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.wait = slices.DeleteFunc(v.wait, func(x *watch) bool { return x == w })
}

// live does what the visitor does by its own behaviour, when it is due.
func (v *visitor) live(ctx context.Context) {
	slip := time.Duration(0) // of the closed loop: how long answers took so far
	for {
		v.mu.Lock()
		act, ok := v.life.Next()
		v.mu.Unlock()
		if !ok {
			return
		}
		due := v.came + act.At + slip
		if !sleep(ctx, due-v.c.run.Now()) {
			return
		}
		if v.c.Loop == plan.Closed {
			due = v.c.run.Now()
		}
		if !v.c.run.Own(ctx, plan.Due{At: due, N: v.n, Action: act.Kind}, v.c.own(v, act)) {
			return
		}
		if v.c.Loop == plan.Closed {
			slip += v.c.run.Now() - due
		}
	}
}

// count adds what the client counted in all to the figures.
func (v *visitor) count(s *client.Stats, stay time.Duration) {
	v.tally.note(func(f *figures.Visitors) {
		f.FramesLost += s.FramesLost
		f.BytesUp += s.BytesUp
		f.BytesDown += s.BytesDown
		f.Seconds += stay.Seconds()
	})
}

// note counts something.
func (t *tally) note(f func(*figures.Visitors)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.Visitors)
}
