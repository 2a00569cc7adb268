package loadgen

import (
	"math"
	"math/rand/v2"

	"github.com/venued/venued/lattice"
)

// point is a place on the ground, metres, venue coordinates.
type point struct{ x, z float64 }

func (p point) to(q point) (dist float64, dir point) {
	dx, dz := q.x-p.x, q.z-p.z
	d := math.Hypot(dx, dz)
	if d < 1e-9 {
		return 0, point{}
	}
	return d, point{dx / d, dz / d}
}

// vec3 is a point in the air, metres, venue coordinates.
type vec3 struct{ x, y, z float64 }

func (a vec3) add(b vec3) vec3        { return vec3{a.x + b.x, a.y + b.y, a.z + b.z} }
func (a vec3) sub(b vec3) vec3        { return vec3{a.x - b.x, a.y - b.y, a.z - b.z} }
func (a vec3) scale(f float64) vec3   { return vec3{a.x * f, a.y * f, a.z * f} }
func (a vec3) len() float64           { return math.Sqrt(a.x*a.x + a.y*a.y + a.z*a.z) }
func (a vec3) ground() point          { return point{a.x, a.z} }
func fromLattice(v lattice.Vec) vec3  { x, y, z := v.Metres(); return vec3{x, y, z} }
func clamp(f, lo, hi float64) float64 { return math.Max(lo, math.Min(hi, f)) }
func (a vec3) within(d float64) vec3 { // cut to length d
	if l := a.len(); l > d {
		return a.scale(d / l)
	}
	return a
}

// shoulder is how far below the eyes an arm begins, metres.
const shoulder = 0.22

// walker moves a body: feet on the ground, a head that looks around, two hands. It is advanced in
// small steps of time and never moves faster than a person would.
type walker struct {
	at     point
	ground float64 // height of the floor it stands on
	yaw    float64 // heading of the body, radians about y; 0 looks along -z
	speed  float64 // now, m/s
	pace   float64 // wanted when walking, m/s
	eye    float64 // height of the eyes when standing, metres
	crouch float64 // how far the eyes are lowered, metres
	arm    float64 // reach from the shoulder, metres
	phase  float64 // of the steps, radians
	time   float64 // seconds it has lived, with an offset of its own

	look      [4]float64 // frequencies and phases of looking around
	gaze      *vec3      // what it looks at, nil for nothing in particular
	hands     [2]vec3    // relative to the head, in the body's frame (x right, -z ahead)
	reach     [2]*vec3   // where a hand is to go, venue coordinates; nil: it swings or gestures
	gesture   float64    // seconds of gesturing left
	gestureBy uint8
}

func newWalker(rng *rand.Rand, arm float64) *walker {
	w := &walker{
		pace: 0.9 + 0.7*rng.Float64(), eye: 1.5 + 0.3*rng.Float64(),
		arm: arm, time: 100 * rng.Float64(), phase: 2 * math.Pi * rng.Float64(),
	}
	w.look = [4]float64{0.15 + 0.2*rng.Float64(), 7 * rng.Float64(), 0.1 + 0.15*rng.Float64(), 7 * rng.Float64()}
	w.hands = [2]vec3{w.rest(0), w.rest(1)}
	return w
}

// place puts the walker where the venue says that its head is.
func (w *walker) place(head vec3, ground float64) {
	w.at, w.ground, w.speed = head.ground(), ground, 0
}

// rest is where a hand hangs, in the body's frame.
func (w *walker) rest(hand int) vec3 {
	side := float64(2*hand-1) * 0.22
	return vec3{side, -0.62, -0.08}
}

// step advances by dt seconds, walking toward to unless it is nil. It returns the distance left.
func (w *walker) step(dt float64, to *point) (left float64) {
	w.time += dt
	want := 0.0
	if to != nil {
		var dir point
		left, dir = w.at.to(*to)
		if left > 0.02 {
			turn := wrap(math.Atan2(-dir.x, -dir.z) - w.yaw)
			w.yaw = wrap(w.yaw + clamp(turn, -2.5*dt, 2.5*dt))
			// Slow down for a turn and for the goal.
			want = w.pace * math.Max(0.15, math.Cos(clamp(turn, -1.4, 1.4)))
			want = math.Min(want, left*2)
		}
		w.speed += clamp(want-w.speed, -2.5*dt, 1.5*dt)
		d := math.Min(left, w.speed*dt)
		w.at = point{w.at.x + dir.x*d, w.at.z + dir.z*d}
		left -= d
	} else {
		w.speed = math.Max(0, w.speed-2.5*dt)
	}
	w.phase = math.Mod(w.phase+w.speed*dt*2*math.Pi/1.4, 2*math.Pi)
	w.gesture = math.Max(0, w.gesture-dt)
	w.lower(dt)
	for hand := range w.hands {
		goal := w.handGoal(hand)
		move := goal.sub(w.hands[hand]).within(1.8 * dt)
		w.hands[hand] = w.hands[hand].add(move)
	}
	return left
}

// lower bends the knees when a hand goes for something low.
func (w *walker) lower(dt float64) {
	need := 0.0
	for _, r := range w.reach {
		if r != nil {
			need = math.Max(need, w.ground+w.eye-shoulder-r.y-0.55*w.arm)
		}
	}
	need = clamp(need, 0, w.eye-0.6)
	w.crouch += clamp(need-w.crouch, -1.2*dt, 1.2*dt)
}

// handGoal is where a hand is to go, in the body's frame relative to the head.
func (w *walker) handGoal(hand int) vec3 {
	if r := w.reach[hand]; r != nil {
		local := w.toBody(r.sub(w.head()))
		top := vec3{float64(2*hand-1) * 0.18, -shoulder, 0}
		return top.add(local.sub(top).within(w.arm))
	}
	if w.gesture > 0 && int(w.gestureBy) == hand {
		side := float64(2*hand-1) * 0.28
		return vec3{side + 0.12*math.Sin(w.time*5), -0.25 + 0.1*math.Sin(w.time*3.1), -0.35}
	}
	g := w.rest(hand)
	swing := math.Sin(w.phase+float64(hand)*math.Pi) * clamp(w.speed, 0, 1) * 0.18
	g.z -= swing
	g.y += 0.02*math.Sin(w.time*1.3) + math.Abs(swing)*0.2
	return g
}

// head is where the eyes are.
func (w *walker) head() vec3 {
	bob := 0.018*math.Abs(math.Sin(w.phase))*clamp(w.speed, 0, 1) + 0.004*math.Sin(w.time*1.7)
	return vec3{w.at.x, w.ground + w.eye - w.crouch + bob, w.at.z}
}

// hand is where a hand is, venue coordinates.
func (w *walker) hand(i int) vec3 { return w.head().add(w.fromBody(w.hands[i])) }

func (w *walker) fromBody(v vec3) vec3 {
	s, c := math.Sincos(w.yaw)
	return vec3{c*v.x + s*v.z, v.y, -s*v.x + c*v.z}
}

func (w *walker) toBody(v vec3) vec3 {
	s, c := math.Sincos(w.yaw)
	return vec3{c*v.x - s*v.z, v.y, s*v.x + c*v.z}
}

// body is the pose sample.
func (w *walker) body() lattice.Body {
	yaw := w.yaw + 0.5*math.Sin(w.time*w.look[0]*2*math.Pi+w.look[1])
	pitch := -0.08 + 0.15*math.Sin(w.time*w.look[2]*2*math.Pi+w.look[3])
	if w.gaze != nil {
		d := w.toBody(w.gaze.sub(w.head()))
		yaw = w.yaw + clamp(math.Atan2(-d.x, -d.z), -1.2, 1.2)
		pitch = clamp(math.Atan2(d.y, math.Hypot(d.x, d.z)), -1, 1)
	}
	tilt := 0.25 * math.Sin(w.time*2.3)
	return lattice.Body{
		Head:  joint(w.head(), yaw, pitch),
		Left:  joint(w.hand(0), w.yaw, -0.4+tilt),
		Right: joint(w.hand(1), w.yaw, -0.4-tilt),
	}
}

// joint quantises a place and a rotation of yaw about y after pitch about x. Everything here is finite
// and a few hundred metres at most, so the conversions cannot fail; were they to, the zero
// stands where the venue would have cut the sample anyway.
func joint(at vec3, yaw, pitch float64) (j lattice.Joint) {
	j.Pos, _ = lattice.VecFromMetres(at.x, at.y, at.z)
	sy, cy := math.Sincos(yaw / 2)
	sp, cp := math.Sincos(pitch / 2)
	j.Rot, _ = lattice.RotFromQuat(cy*sp, sy*cp, -sy*sp, cy*cp)
	return j
}

// wrap brings an angle into -pi to pi.
func wrap(a float64) float64 { return math.Remainder(a, 2*math.Pi) }
