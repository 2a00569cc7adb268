package motion

import (
	"math"
	"math/rand/v2"
)

// vec is metres, or radians about x, y and z.
type vec [3]float64

func (a vec) add(b vec) vec            { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec            { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) scale(f float64) vec      { return vec{a[0] * f, a[1] * f, a[2] * f} }
func (a vec) mix(b vec, f float64) vec { return a.add(b.sub(a).scale(f)) }

// scatter is a random vector with the standard deviations of spread.
func scatter(rng *rand.Rand, spread vec) vec {
	return vec{rng.NormFloat64() * spread[0], rng.NormFloat64() * spread[1], rng.NormFloat64() * spread[2]}
}

// sway is a critically damped spring, of a stiffness of rate 1/s, whose rest moves to a new random place
// every now and then.
type sway struct {
	spread    vec
	rate      float64
	at, v, to vec
	left      float64
}

func (s *sway) step(rng *rand.Rand, dt float64) vec {
	if s.left -= dt; s.left <= 0 {
		s.to, s.left = scatter(rng, s.spread), (0.5+rng.Float64())*2/s.rate
	}
	const sub = 4
	h := dt / sub
	for range sub {
		for k := range s.at {
			a := s.rate*s.rate*(s.to[k]-s.at[k]) - 2*s.rate*s.v[k]
			s.v[k] += a * h
			s.at[k] += s.v[k] * h
		}
	}
	return s.at
}

// stroke moves from place to place.
type stroke struct {
	from, to    vec
	bend        vec // the way is bent by this in its middle
	past, takes float64
	rest        float64 // after it
}

// done reports whether the stroke and its rest are over.
func (s *stroke) done() bool { return s.past >= s.takes+s.rest }

// next begins the way to another place.
func (s *stroke) next(to, bend vec, takes, rest float64) {
	*s = stroke{from: s.to, to: to, bend: bend, takes: takes, rest: rest}
}

func (s *stroke) step(dt float64) vec {
	s.past += dt
	if s.past >= s.takes {
		return s.to
	}
	f := s.past / s.takes
	jerk := f * f * f * (10 + f*(6*f-15))
	return s.from.mix(s.to, jerk).add(s.bend.scale(16 * jerk * jerk * (1 - jerk) * (1 - jerk)))
}

// beat is a rhythm with three harmonics whose tempo wanders.
type beat struct {
	hz, phase float64
	amplitude [3]vec
	shift     [3]vec
}

func newBeat(rng *rand.Rand, hz float64, spread vec) (b beat) {
	b.hz, b.phase = hz, rng.Float64()
	for i := range b.amplitude {
		b.amplitude[i] = scatter(rng, spread.scale(1/float64((i+1)*(i+1))))
		b.shift[i] = vec{rng.Float64(), rng.Float64(), rng.Float64()}
	}
	return b
}

func (b *beat) step(rng *rand.Rand, dt float64) (v vec) {
	b.phase += dt * b.hz * (1 + 0.1*rng.NormFloat64())
	for i := range b.amplitude {
		for k := range v {
			v[k] += b.amplitude[i][k] * math.Sin(2*math.Pi*(float64(i+1)*b.phase+b.shift[i][k]))
		}
	}
	return v
}

// quat is x, y, z, w.
type quat [4]float64

func (a quat) mul(b quat) quat {
	return quat{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
		a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

func about(axis int, angle float64) (q quat) {
	s, c := math.Sincos(angle / 2)
	q[axis], q[3] = s, c
	return q
}

// turned is yaw about y, then pitch about x, then roll about z, of the turned axes.
func turned(angles vec) quat {
	return about(1, angles[1]).mul(about(0, angles[0])).mul(about(2, angles[2]))
}

// small is the rotation by a short rotation vector.
func small(v vec) quat {
	q := quat{v[0] / 2, v[1] / 2, v[2] / 2, 1}
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + 1)
	return quat{q[0] / n, q[1] / n, q[2] / n, 1 / n}
}
