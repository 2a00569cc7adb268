package wire

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

var genRot = rapid.Custom(func(t *rapid.T) lattice.Rot {
	// Near the edges of the change forms as often as anywhere.
	c := rapid.OneOf(rapid.Int16Range(-512, 512), rapid.Int16Range(-130, 130), rapid.Int16Range(-9, 9))
	return lattice.Rot{
		Largest: rapid.Uint8Range(0, 3).Draw(t, "largest"),
		C:       [3]int16{c.Draw(t, "a"), c.Draw(t, "b"), c.Draw(t, "c")},
	}
})

var genPos = rapid.Custom(func(t *rapid.T) lattice.Vec {
	limit := rapid.SampledFrom([]int32{0, 2, 33, 140, 300, 2100, 1 << 19, coordinateMax}).Draw(t, "limit")
	c := rapid.Int32Range(-limit, limit)
	return lattice.Vec{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
})

var genJoint = rapid.Custom(func(t *rapid.T) lattice.Joint {
	return lattice.Joint{Pos: genPos.Draw(t, "pos"), Rot: genRot.Draw(t, "rot")}
})

var genState = rapid.Custom(func(t *rapid.T) stream.State {
	s := stream.State{AgeMS: rapid.Uint8().Draw(t, "age")}
	s.Body.Head = genJoint.Draw(t, "head")
	switch rapid.IntRange(0, 3).Draw(t, "hands") {
	case 0: // none
	case 1: // both exactly at the head
		s.Body.Left.Pos, s.Body.Right.Pos = s.Body.Head.Pos, s.Body.Head.Pos
	default:
		s.Body.Left, s.Body.Right = genJoint.Draw(t, "left"), genJoint.Draw(t, "right")
	}
	if rapid.Bool().Draw(t, "rare") {
		s.Flags = rapid.Uint8().Draw(t, "flags")
		s.Holder = rapid.Uint64().Draw(t, "holder")
		s.Value = rapid.Uint32().Draw(t, "value")
	}
	return s
})

// genNear changes some fields of a state, most by little.
func genNear(t *rapid.T, s stream.State) stream.State {
	if rapid.IntRange(0, 9).Draw(t, "anything") == 0 {
		return genState.Draw(t, "state")
	}
	step := rapid.SampledFrom([]int32{1, 8, 31, 40, 128, 256, 300}).Draw(t, "step")
	c := rapid.Int32Range(-step, step)
	move := func(v *lattice.Vec) {
		if w := v.Add(lattice.Vec{X: c.Draw(t, "dx"), Y: c.Draw(t, "dy"), Z: c.Draw(t, "dz")}); coordinate(w.X) && coordinate(w.Y) && coordinate(w.Z) {
			*v = w
		}
	}
	turn := func(r *lattice.Rot) {
		q := *r
		for i := range q.C {
			q.C[i] += int16(c.Draw(t, "turn"))
		}
		if q.Valid() {
			*r = q
		}
	}
	mask := rapid.Uint8().Draw(t, "fields")
	if mask&1 != 0 {
		move(&s.Body.Head.Pos)
	}
	if mask&2 != 0 {
		turn(&s.Body.Head.Rot)
	}
	if mask&4 != 0 && handed(&s.Body) {
		move(&s.Body.Left.Pos)
		turn(&s.Body.Left.Rot)
	}
	if mask&8 != 0 && handed(&s.Body) {
		move(&s.Body.Right.Pos)
	}
	if mask&16 != 0 {
		s.AgeMS += uint8(c.Draw(t, "age"))
	}
	if mask&32 != 0 {
		s.Flags ^= 1
	}
	if mask&64 != 0 {
		s.Holder, s.Value = rapid.Uint64().Draw(t, "holder"), rapid.Uint32().Draw(t, "value")
	}
	return s
}

// walker moves like a visitor of a hall: strolling between points, standing, looking around and gesturing, with the
// tremor and tracking noise of a real headset. Same seed, same motion.
type walker struct {
	rng          *rand.Rand
	t            float64 // seconds
	x, z         float64 // metres
	heading, yaw float64 // radians
	gazeTo       float64
	targetX      float64
	targetZ      float64
	rest         float64 // seconds to stand
	speed        float64
	hands        [2]gesture
}

// gesture is a hand's way from one place relative to the head to another.
type gesture struct {
	from, to  [3]float64
	at, takes float64
}

func newWalker(seed uint64) *walker {
	w := &walker{rng: rand.New(rand.NewPCG(seed, 99))}
	w.x, w.z = w.rng.Float64()*30, w.rng.Float64()*20
	w.targetX, w.targetZ = w.x, w.z
	for i := range w.hands {
		w.hands[i].to = [3]float64{0.25, -0.7, 0.1}
	}
	return w
}

func (w *walker) noise(sd float64) float64 { return w.rng.NormFloat64() * sd }

// step advances by dt seconds and returns the body.
func (w *walker) step(dt float64) lattice.Body {
	w.t += dt
	dx, dz := w.targetX-w.x, w.targetZ-w.z
	dist := math.Hypot(dx, dz)
	switch {
	case w.rest > 0:
		w.rest -= dt
		w.speed *= 1 - 4*dt
	case dist < 0.3:
		w.rest = 2 + 6*w.rng.Float64()
		w.targetX, w.targetZ = w.rng.Float64()*30, w.rng.Float64()*20
	default:
		w.speed += (1.2 - w.speed) * 3 * dt
		turn := math.Remainder(math.Atan2(dx, dz)-w.heading, 2*math.Pi)
		w.heading += turn * 3 * dt
	}
	w.x += math.Sin(w.heading) * w.speed * dt
	w.z += math.Cos(w.heading) * w.speed * dt
	if w.rng.Float64() < 0.4*dt {
		w.gazeTo = w.noise(0.6)
	}
	w.yaw += (w.heading + w.gazeTo - w.yaw) * 4 * dt
	bob := 0.02 * w.speed * math.Sin(2*math.Pi*1.8*w.t)
	b := lattice.Body{Head: joint(w.x+w.noise(0.0003), 1.65+bob+w.noise(0.0003), w.z+w.noise(0.0003), w.yaw+w.noise(0.001), 0.05*math.Sin(w.t)+w.noise(0.001))}
	for i, j := range [2]*lattice.Joint{&b.Left, &b.Right} {
		g := &w.hands[i]
		g.at += dt
		if g.at > g.takes+1.5 && w.rng.Float64() < 0.5*dt {
			*g = gesture{from: g.to, takes: 0.4 + 0.5*w.rng.Float64(), to: [3]float64{0.2 + w.noise(0.1), -0.5 + w.noise(0.2), 0.2 + w.noise(0.1)}}
		}
		f := 1.0
		if g.at < g.takes {
			f = 0.5 - 0.5*math.Cos(math.Pi*g.at/g.takes)
		}
		var p [3]float64
		for k := range p {
			p[k] = g.from[k] + (g.to[k]-g.from[k])*f + w.noise(0.0005)
		}
		side := float64(1 - 2*i)
		swing := 0.12 * w.speed * side * math.Sin(2*math.Pi*0.9*w.t)
		s, c := math.Sin(w.heading), math.Cos(w.heading)
		hx, hz := -side*p[0], p[2]+swing
		*j = joint(w.x+c*hx+s*hz, 1.65+bob+p[1], w.z-s*hx+c*hz, w.heading+0.3*f+w.noise(0.002), 0.5*swing+0.6*p[1]+w.noise(0.002))
	}
	return b
}

func joint(x, y, z, yaw, pitch float64) lattice.Joint {
	p, err := lattice.VecFromMetres(x, y, z)
	if err != nil {
		panic(err)
	}
	sy, cy := math.Sincos(yaw / 2)
	sp, cp := math.Sincos(pitch / 2)
	r, err := lattice.RotFromQuat(cy*sp, sy*cp, -sy*sp, cy*cp)
	if err != nil {
		panic(err)
	}
	return lattice.Joint{Pos: p, Rot: r}
}

var genExtras = rapid.Custom(func(t *rapid.T) lattice.Extras {
	gaze := rapid.Int16Range(-lattice.GazeSteps, lattice.GazeSteps-1)
	off := rapid.Int32Range(-lattice.RootSpan, lattice.RootSpan-1)
	e := lattice.Extras{
		Has:  lattice.AllStreams,
		Gaze: lattice.Gaze{Yaw: gaze.Draw(t, "yaw"), Pitch: gaze.Draw(t, "pitch")},
		Root: lattice.Root{
			Off: lattice.Vec{X: off.Draw(t, "x"), Y: off.Draw(t, "y"), Z: off.Draw(t, "z")},
			Yaw: rapid.Uint16Range(0, lattice.YawSteps-1).Draw(t, "root yaw"),
		},
	}
	e.Fingers.Hands = rapid.Uint8Range(1, 3).Draw(t, "hands")
	for h := range e.Fingers.Curls {
		for i := range e.Fingers.Curls[h] {
			if e.Fingers.Hands>>h&1 != 0 {
				e.Fingers.Curls[h][i] = rapid.Uint8Range(0, lattice.CurlSteps).Draw(t, "curl")
			}
		}
	}
	return e.Only(lattice.Streams(rapid.Uint8Range(0, uint8(lattice.AllStreams)).Draw(t, "has")))
})
