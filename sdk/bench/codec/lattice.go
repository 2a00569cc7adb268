package codec

import (
	"math"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/motion"
)

// grid is a lattice to put samples on: steps in a metre, and in 1 of a rotation's component.
type grid struct {
	steps int32
	mm    float64 // as rows name it
}

var grids = []grid{{lattice.Steps, 1}, {2 * lattice.Steps, 0.5}}

func (g grid) fine() bool { return g.steps != lattice.Steps }

// state puts a sample on the lattice.
func (g grid) state(s *motion.Sample) (st stream.State, err error) {
	if !g.fine() {
		st.Body, err = s.Body()
		return st, err
	}
	b := &st.Body
	for i, to := range []*lattice.Joint{&b.Head, &b.Left, &b.Right} {
		j := joints(s)[i]
		for k, v := range []*int32{&to.Pos.X, &to.Pos.Y, &to.Pos.Z} {
			*v = int32(math.Round(j.P[k] * float64(g.steps)))
		}
		to.Rot = g.rotation(j.Q)
	}
	return st, nil
}

func joints(s *motion.Sample) [3]*motion.Joint { return [3]*motion.Joint{&s.Head, &s.Left, &s.Right} }

// rotation takes the nearest of the eight lattice points around a quaternion.
func (g grid) rotation(xyzw [4]float64) (best lattice.Rot) {
	q := unit([4]float64{xyzw[3], xyzw[0], xyzw[1], xyzw[2]})
	largest := 0
	for i := range q {
		if math.Abs(q[i]) > math.Abs(q[largest]) {
			largest = i
		}
	}
	scale := float64(g.steps)
	if q[largest] < 0 {
		scale = -scale
	}
	nearest := -1.0
	for corner := range 8 {
		r := lattice.Rot{Largest: uint8(largest)}
		j := 0
		for i := range q {
			if i != largest {
				r.C[j] = int16(math.Floor(q[i]*scale)) + int16(corner>>j&1)
				j++
			}
		}
		p, ok := g.quaternion(r)
		if dot := math.Abs(p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3]); ok && dot > nearest {
			nearest, best = dot, r
		}
	}
	return best
}

// quaternion is a rotation's w, x, y, z; false when there is none.
func (g grid) quaternion(r lattice.Rot) (q [4]float64, ok bool) {
	left := 1.0
	j := 0
	for i := range q {
		if i == int(r.Largest) {
			continue
		}
		q[i] = float64(r.C[j]) / float64(g.steps)
		left -= q[i] * q[i]
		j++
	}
	q[r.Largest] = math.Sqrt(max(left, 0))
	return q, left >= 0
}

func unit(q [4]float64) [4]float64 {
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	return [4]float64{q[0] / n, q[1] / n, q[2] / n, q[3] / n}
}

// misses adds how far a state is from the sample it shows: millimetres and degrees of each joint.
func (g grid) misses(s *motion.Sample, st *stream.State, mm, deg *sum) {
	b := &st.Body
	for i, to := range []*lattice.Joint{&b.Head, &b.Left, &b.Right} {
		j := joints(s)[i]
		f := 1 / float64(g.steps)
		x, y, z := float64(to.Pos.X)*f-j.P[0], float64(to.Pos.Y)*f-j.P[1], float64(to.Pos.Z)*f-j.P[2]
		mm.add(1000 * math.Sqrt(x*x+y*y+z*z))
		p, _ := g.quaternion(to.Rot)
		q := unit([4]float64{j.Q[3], j.Q[0], j.Q[1], j.Q[2]})
		// The chord is exact where the scalar product is too near 1.
		d, e := 0.0, 0.0
		for k := range p {
			d += (p[k] - q[k]) * (p[k] - q[k])
			e += (p[k] + q[k]) * (p[k] + q[k])
		}
		deg.add(4 * math.Asin(math.Sqrt(min(d, e))/2) * 180 / math.Pi)
	}
}

// sum is a mean and a maximum.
type sum struct {
	n          int
	total, max float64
}

func (s *sum) add(v float64) {
	s.n++
	s.total += v
	s.max = max(s.max, v)
}

func (s *sum) mean() float64 { return s.total / float64(max(s.n, 1)) }
