package behaviour

import (
	"math"
	"slices"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/motion"
)

// turn rotates about the vertical through a point, and then moves.
type turn struct {
	sin, cos   float64
	half       [2]float64 // sine and cosine of half the angle
	about, add [3]float64
}

// turned returns the rotation of a clip by an angle about the middle of its floor, moved so that its way stays on the floor as far as it fits.
// The floor is the one that the clip begins on; a clip from elsewhere is moved to the first.
func (c *Clip) turned(s *stage, angle float64) turn {
	sin, cos := math.Sincos(angle)
	halfSin, halfCos := math.Sincos(angle / 2)
	x, y, z := c.poses[0].body.Head.Pos.Metres()
	f := s.floorAt([3]float64{x, y, z})
	t := turn{sin: sin, cos: cos, half: [2]float64{halfSin, halfCos}, about: [3]float64{(f.Min[0] + f.Max[0]) / 2, 0, (f.Min[1] + f.Max[1]) / 2}}
	if y < f.Y || y > f.Y+f.Height {
		t.add[1] = f.Y + eyes - y
	}
	lo, hi := [3]float64{math.Inf(1), 0, math.Inf(1)}, [3]float64{math.Inf(-1), 0, math.Inf(-1)}
	for i := range c.poses {
		x, _, z := c.poses[i].body.Head.Pos.Metres()
		p := t.point([3]float64{x, 0, z})
		for k := 0; k <= 2; k += 2 {
			lo[k], hi[k] = min(lo[k], p[k]), max(hi[k], p[k])
		}
	}
	for k, side := range []int{0, 2} {
		a, b := f.Min[k]+margin, f.Max[k]-margin
		switch {
		case hi[side]-lo[side] > b-a: // does not fit: in the middle
			t.add[side] = (a+b)/2 - (lo[side]+hi[side])/2
		case lo[side] < a:
			t.add[side] = a - lo[side]
		case hi[side] > b:
			t.add[side] = b - hi[side]
		}
	}
	return t
}

// point turns and moves a point: a positive angle turns -z towards -x, as a heading does.
func (t *turn) point(p [3]float64) [3]float64 {
	dx, dz := p[0]-t.about[0], p[2]-t.about[2]
	return [3]float64{t.about[0] + t.cos*dx + t.sin*dz + t.add[0], p[1] + t.add[1], t.about[2] - t.sin*dx + t.cos*dz + t.add[2]}
}

func (t *turn) apply(s *motion.Sample) {
	for _, j := range []*motion.Joint{&s.Head, &s.Left, &s.Right} {
		j.P = t.point(j.P)
		// The quaternion of the angle about y, times the joint's.
		sy, cy := t.half[0], t.half[1]
		x, y, z, w := j.Q[0], j.Q[1], j.Q[2], j.Q[3]
		j.Q = [4]float64{cy*x + sy*z, cy*y + sy*w, cy*z - sy*x, cy*w - sy*y}
	}
}

// find returns the index of the first pose after a time.
func find(poses []clipPose, t time.Duration) int {
	i, _ := slices.BinarySearchFunc(poses, t, func(p clipPose, t time.Duration) int {
		if p.at <= t {
			return -1
		}
		return 1
	})
	return i
}

// sampleOf takes a body off the lattice.
func sampleOf(b *lattice.Body) (s motion.Sample) {
	for i, to := range []*motion.Joint{&s.Head, &s.Left, &s.Right} {
		j := []*lattice.Joint{&b.Head, &b.Left, &b.Right}[i]
		to.P[0], to.P[1], to.P[2] = j.Pos.Metres()
		to.Q[0], to.Q[1], to.Q[2], to.Q[3] = j.Rot.Quat()
	}
	return s
}

// mixed is between two bodies, f from 0 to 1: places linearly, rotations on the shorter way and normalised.
func mixed(a, b motion.Sample, f float64) motion.Sample {
	for i, to := range []*motion.Joint{&a.Head, &a.Left, &a.Right} {
		j := []*motion.Joint{&b.Head, &b.Left, &b.Right}[i]
		dot, length := 0.0, 0.0
		for k := range to.Q {
			dot += to.Q[k] * j.Q[k]
		}
		for k := range to.P {
			to.P[k] += (j.P[k] - to.P[k]) * f
		}
		q := to.Q
		for k := range q {
			q[k] = to.Q[k]*(1-f) + math.Copysign(f, dot)*j.Q[k]
			length += q[k] * q[k]
		}
		if length = math.Sqrt(length); length > 1e-6 {
			for k := range q {
				to.Q[k] = q[k] / length
			}
		}
	}
	return a
}
