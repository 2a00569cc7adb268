package loadgen

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
)

// mode is what a visitor is about.
type mode int

const (
	idling mode = iota
	walking
	reaching // stands before an object and stretches out a hand
	asking   // waits for the answer to its grab
	carrying
)

// patience of a visitor, seconds of its own time.
const (
	reachTime = 4.0 // to get a hand to an object before it loses interest
	mostStep  = 0.1 // of one step of time: after a longer pause it moves on from where it was
)

// visitor is one headless person.
type visitor struct {
	plan *floorPlan
	obs  *observer
	conn atomic.Pointer[client.Client] // set once Dial has returned

	// Everything below is under mu: the pose function, the frame callback and the event loop meet here.
	mu    sync.Mutex
	rng   *rand.Rand
	walk  *walker
	floor string
	self  uint64 // entity id
	kinds []wire.Kind
	mode  mode
	left  float64 // seconds of the present mode left
	path  []point
	last  int64 // server time of the previous step
	hand  uint8
	grab  *client.Request
	want  uint64 // object it goes for or holds
	goal  vec3   // where that is, or was
	seen  map[uint64]seenObject
	tally tally
}

type seenObject struct {
	at     vec3
	holder uint64
	grabby bool
}

func newVisitor(seed uint64, n int, plan *floorPlan, obs *observer) *visitor {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	return &visitor{
		plan: plan, obs: obs, rng: rng, walk: newWalker(rng, plan.arm),
		seen: map[uint64]seenObject{}, tally: newTally(),
	}
}

// onWelcome starts over at the place given, or goes on after a resume.
func (v *visitor) onWelcome(w *wire.Welcome) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.self, v.kinds = uint64(w.Entity), w.Kinds
	clear(v.seen)
	v.tally.forget()
	if !w.Resumed {
		v.placed(fromLattice(lattice.Vec(w.P)))
		v.free()
		v.mode, v.left = idling, 2*v.rng.Float64()
	}
}

// placed takes the venue's word for where the visitor is. The lock is held.
func (v *visitor) placed(head vec3) {
	v.floor = v.plan.floorAt(head)
	v.walk.place(head, v.plan.low[v.floor])
	v.path = nil
	if v.mode == walking {
		v.mode, v.left = idling, 0.5
	}
}

// free empties the hands. The lock is held.
func (v *visitor) free() {
	v.want, v.grab = 0, nil
	v.walk.reach = [2]*vec3{}
	v.walk.gaze = nil
}

// pose is the client's pose function: it lives on to the time and returns the body.
func (v *visitor) pose(serverUS int64) lattice.Body {
	v.mu.Lock()
	defer v.mu.Unlock()
	dt := min(max(float64(serverUS-v.last)/1e6, 0), mostStep)
	v.last = serverUS
	v.live(dt)
	return v.walk.body()
}

// live advances by dt seconds. The lock is held.
func (v *visitor) live(dt float64) {
	v.left -= dt
	var to *point
	if len(v.path) > 0 {
		to = &v.path[0]
	}
	if left := v.walk.step(dt, to); to != nil && left < 0.15 {
		v.path = v.path[1:]
	}
	switch v.mode {
	case idling:
		if v.left <= 0 {
			v.choose()
		}
	case walking:
		if len(v.path) == 0 {
			v.arrive()
		}
	case reaching:
		v.stretch()
	case asking:
		v.answer()
	case carrying:
		v.carry()
	}
}

// choose decides what to do next. The lock is held.
func (v *visitor) choose() {
	switch r := v.rng.Float64(); {
	case r < 0.15:
		v.walk.gesture, v.walk.gestureBy = 1+2*v.rng.Float64(), uint8(v.rng.IntN(2))
		v.left = 2 + 2*v.rng.Float64()
	case r < 0.65 && v.choosePrey():
		v.mode = walking
	default:
		to := v.plan.goal(v.rng, v.floor, v.walk.at)
		if r < 0.85 {
			if at, any := v.plan.exhibit(v.rng, v.floor, v.walk.at); any {
				to = at
			}
		}
		v.goTo(to)
		v.mode = walking
	}
}

func (v *visitor) goTo(p point) { v.path = v.plan.route(v.floor, v.walk.at, p) }

// choosePrey picks one of the three nearest objects that can be grabbed and nobody holds. The lock is held.
func (v *visitor) choosePrey() bool {
	type candidate struct {
		id   uint64
		dist float64
	}
	var near [3]candidate
	n := 0
	for id, o := range v.seen {
		if !o.grabby || o.holder != 0 {
			continue
		}
		d, _ := v.walk.at.to(o.at.ground())
		c := candidate{id, d}
		for i := range near { // insertion; ties by id, since the map has no order
			if i >= n || c.dist < near[i].dist || (c.dist == near[i].dist && c.id < near[i].id) {
				if i < n {
					c, near[i] = near[i], c
					continue
				}
				near[i] = c
				n++
				break
			}
		}
	}
	if n == 0 {
		return false
	}
	v.want = near[v.rng.IntN(n)].id
	v.goal = v.seen[v.want].at
	v.hand = uint8(v.rng.IntN(2))
	// Stand an arm's length before it, on this side.
	_, back := v.goal.ground().to(v.walk.at)
	v.goTo(point{v.goal.x + 0.45*back.x, v.goal.z + 0.45*back.z})
	return true
}

// arrive ends a walk. The lock is held.
func (v *visitor) arrive() {
	if v.want == 0 {
		v.mode, v.left = idling, 0.3+2*v.rng.Float64()
		return
	}
	v.mode, v.left = reaching, reachTime
}

// stretch moves a hand to the object and asks for it once there. The lock is held.
func (v *visitor) stretch() {
	o, visible := v.seen[v.want]
	c := v.conn.Load()
	if !visible || o.holder != 0 || v.left <= 0 || c == nil {
		v.giveUp()
		return
	}
	v.goal = o.at
	v.walk.reach[v.hand], v.walk.gaze = &v.goal, &v.goal
	if v.walk.hand(int(v.hand)).sub(o.at).len() > 0.5*v.plan.reach {
		return
	}
	b := v.walk.body()
	r, err := c.Grab(v.want, v.hand, *b.Hand(v.hand))
	if err != nil {
		v.giveUp()
		return
	}
	v.tally.requested++
	v.grab, v.mode = r, asking
}

// giveUp loses interest. The lock is held.
func (v *visitor) giveUp() {
	v.free()
	v.mode, v.left = idling, 0.5+v.rng.Float64()
}

// answer looks whether the grab was decided. The lock is held.
func (v *visitor) answer() {
	select {
	case <-v.grab.Done():
	default:
		return
	}
	out, err := v.grab.Applied(context.Background()) // it is done: this does not wait
	switch {
	case err != nil:
		v.tally.undecided++
		v.giveUp()
	case !out.OK:
		v.tally.denied++
		v.tally.codes[out.Code]++
		v.giveUp()
	default:
		v.tally.granted++
		v.grab, v.walk.gaze = nil, nil
		v.mode, v.left = carrying, 2+6*v.rng.Float64()
		v.goTo(v.plan.goal(v.rng, v.floor, v.walk.at))
	}
}

// carry holds the object before the body until it has been carried long enough. The lock is held.
func (v *visitor) carry() {
	hold := v.walk.head().add(v.walk.fromBody(vec3{float64(2*int(v.hand)-1) * 0.2, -0.35, -0.45}))
	v.walk.reach[v.hand] = &hold
	if v.left > 0 {
		return
	}
	if c := v.conn.Load(); c != nil {
		b := v.walk.body()
		if _, err := c.Release(v.want, v.hand, *b.Hand(v.hand)); err == nil {
			v.tally.released++
		} else if errors.Is(err, client.ErrBusy) {
			return // at the next sample
		}
	}
	v.path = nil
	v.giveUp()
}

// onFrame is the client's frame callback.
func (v *visitor) onFrame(f *client.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := time.Now()
	for i := range f.Records {
		r := &f.Records[i]
		id := r.Info.ID
		switch {
		case r.Op == wire.OpLeave:
			delete(v.seen, id)
			v.tally.gone(id)
		case r.Info.Kind == stream.Avatar:
			v.tally.avatar(id, f, &r.State, now)
		case r.Info.Kind == stream.Object:
			grabby := int(r.Info.Class) < len(v.kinds) && v.kinds[r.Info.Class].Grabbable
			v.seen[id] = seenObject{fromLattice(r.State.Body.Head.Pos), r.State.Holder, grabby}
			v.obs.holder(id, f.Tick, r.State.Holder)
		}
	}
	v.tally.frame(f)
	if v.mode == carrying {
		if o, visible := v.seen[v.want]; visible && o.holder != v.self && o.holder != 0 {
			v.giveUp() // somebody else has it: the venue took it away
		}
	}
}

// onEvent takes one event of the client.
func (v *visitor) onEvent(e *client.Event) {
	v.obs.event(e)
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e.T {
	case client.EventLost:
		if e.Planned {
			v.tally.planned++
		} else {
			v.tally.disconnects++
			var no *client.Refused
			if errors.As(e.Err, &no) {
				v.tally.codes[no.Code]++
			}
		}
	case client.EventConnected:
		if e.Resumed {
			v.tally.resumes++
		}
	case client.EventGap:
		v.tally.missed += e.Missed
	case wire.DownError:
		v.tally.codes[e.Code]++
	case wire.DownCorrect:
		v.tally.corrected++
		if e.HasP {
			v.placed(fromLattice(lattice.Vec(e.P)))
		}
	case wire.DownTeleport:
		if e.Entity == v.self {
			v.placed(fromLattice(lattice.Vec(e.P)))
		}
	case wire.DownDropped:
		if e.By == v.self && e.Object == v.want && v.mode == carrying {
			v.giveUp()
		}
	case wire.DownDoor:
		if e.Open {
			v.tally.doors++
		}
	}
}
