package lattice

import "math"

// RotSteps is the number of steps in 1 of a stored component: a step of 1/1024 turns by about 0.11 degrees, and
// a rotation is off by less than 0.12 degrees.
const RotSteps = 1024

// RotMax is the largest absolute value of a stored component: 1/√2.
const RotMax = 724

// rotSumMax bounds the sum of the squares of the stored components: 3/4, each component rounded up by a step.
const rotSumMax = 3 * (RotSteps/2 + 1) * (RotSteps/2 + 1)

// Rot is a rotation as the three smallest components of a unit quaternion
// ("smallest three"), on a lattice: both ends of a connection hold the same bits.
//
// Components are ordered w, x, y, z. Largest is the index of the one left out
// (made positive by negating the quaternion if need be), C holds the others
// in order, in units of 1/RotSteps. The zero value is the identity.
type Rot struct {
	Largest uint8
	C       [3]int16
}

// Valid reports whether r is in range: Largest at most 3, components within ±RotMax and
// no larger than the component they leave out can be.
func (r Rot) Valid() bool {
	if r.Largest > 3 {
		return false
	}
	var sum int64
	for _, c := range r.C {
		if c > RotMax || c < -RotMax {
			return false
		}
		sum += int64(c) * int64(c)
	}
	return sum <= rotSumMax
}

// RotFromQuat quantises a quaternion given as x, y, z, w (the order of WebXR
// and Unity). It must be finite and of length 1 ± 0.05; it is normalised.
func RotFromQuat(x, y, z, w float64) (Rot, error) {
	q := [4]float64{w, x, y, z}
	var n float64
	for _, c := range q {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return Rot{}, ErrNotFinite
		}
		n += c * c
	}
	if n < 0.95*0.95 || n > 1.05*1.05 {
		return Rot{}, ErrNotUnit
	}
	n = math.Sqrt(n)
	var f [4]int64
	for i, c := range q {
		f[i] = int64(math.Round(c / n * (1 << fineBits)))
	}
	return nearest(f, 0), nil
}

// Coarse returns the nearest rotation whose components are multiples of 2^bits; bits is at most 3.
func (r Rot) Coarse(bits int) Rot {
	q := r.fixed()
	for i := range q {
		q[i] >>= 30 - fineBits
	}
	return nearest(q, bits)
}

// fineBits are the fraction bits of what nearest takes: ten below a step.
const fineBits = 20

// nearest returns the rotation with components of multiples of 2^coarse at the least angle from the quaternion w, x, y, z
// with fineBits fraction bits, of about unit length; integers only.
//
// Rounding each component by itself would be up to 0.14 degrees off where the left-out component is small, since that one
// makes up for the three. So of the eight lattice points around q the nearest is taken: the angle to
// q + d is 2·sqrt(d·d + (d·c)²/w²), c being the stored components and w the left-out one.
func nearest(q [4]int64, coarse int) Rot {
	largest := 0
	for i := 1; i < 4; i++ {
		if abs64(q[i]) > abs64(q[largest]) {
			largest = i
		}
	}
	drop := fineBits - 10 + coarse
	step, half := int64(1)<<drop, int64(1)<<(drop-1)
	w := (int64(abs64(q[largest])) + half) >> drop
	var low, c [3]int64 // the lattice point below, and the components in steps
	var off [3]int64    // of q from low, in fractions of a step
	j := 0
	for i, f := range q {
		if i == largest {
			continue
		}
		if q[largest] < 0 {
			f = -f
		}
		low[j], c[j] = f>>drop, (f+half)>>drop
		off[j] = f - low[j]*step
		j++
	}
	best := int64(math.MaxInt64)
	var r Rot
	for corner := range 8 {
		try := Rot{Largest: uint8(largest)}
		var dd, dc int64
		for k := range try.C {
			up := int64(corner >> k & 1)
			d := up*step - off[k]
			dd += d * d
			dc += d * c[k]
			try.C[k] = int16((low[k] + up) << coarse)
		}
		if cost := dd*w*w + dc*dc; cost < best && try.Valid() {
			best, r = cost, try
		}
	}
	return r
}

// Quat returns the unit quaternion x, y, z, w, for rendering and measuring.
func (r Rot) Quat() (x, y, z, w float64) {
	f := r.fixed()
	var q [4]float64
	for i := range f {
		q[i] = float64(f[i]) / fixedOne
	}
	return q[1], q[2], q[3], q[0]
}

// fixedOne is 1.0 in the fixed point of Rot arithmetic: 30 fraction bits.
const fixedOne = 1 << 30

// fixed returns the quaternion w, x, y, z with 30 fraction bits, integers only.
func (r Rot) fixed() [4]int64 {
	var q [4]int64
	var sum int64
	j := 0
	for i := range q {
		if i == int(r.Largest&3) {
			continue
		}
		c := int64(r.C[j]) * (fixedOne / RotSteps)
		q[i] = c
		sum += c * c
		j++
	}
	q[r.Largest&3] = Sqrt(fixedOne*fixedOne - sum)
	return q
}

// Rotate returns v turned by r, in steps, rounded to the nearest: integers only, so every
// machine agrees. Components of v must be within ±2^20 steps (1 km).
func (r Rot) Rotate(v Vec) Vec {
	q := r.fixed()
	w, x, y, z := q[0]>>10, q[1]>>10, q[2]>>10, q[3]>>10 // 20 fraction bits
	// The rotation matrix of a unit quaternion, 20 fraction bits.
	mul := func(a, b int64) int64 { return (a * b) >> 20 }
	const one = 1 << 20
	m := [3][3]int64{
		{one - 2*(mul(y, y)+mul(z, z)), 2 * (mul(x, y) - mul(w, z)), 2 * (mul(x, z) + mul(w, y))},
		{2 * (mul(x, y) + mul(w, z)), one - 2*(mul(x, x)+mul(z, z)), 2 * (mul(y, z) - mul(w, x))},
		{2 * (mul(x, z) - mul(w, y)), 2 * (mul(y, z) + mul(w, x)), one - 2*(mul(x, x)+mul(y, y))},
	}
	row := func(k int) int32 {
		s := m[k][0]*int64(v.X) + m[k][1]*int64(v.Y) + m[k][2]*int64(v.Z)
		return int32((s + 1<<19) >> 20)
	}
	return Vec{row(0), row(1), row(2)}
}

// Mul returns the rotation that turns by s first and then by r, requantised;
// integers only.
func (r Rot) Mul(s Rot) Rot {
	a, b := r.fixed(), s.fixed()
	for i := range a {
		a[i] >>= 2 // 28 fraction bits each: four products fit an int64
		b[i] >>= 2
	}
	product := [4]int64{ // 56 fraction bits
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1],
		a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0],
	}
	for i := range product {
		product[i] = (product[i] + 1<<(55-fineBits)) >> (56 - fineBits)
	}
	return nearest(product, 0)
}

// Inverse returns the rotation that undoes r: exact.
func (r Rot) Inverse() Rot {
	// The conjugate negates x, y, z. When w is the largest, all of C; otherwise
	// the left-out component would turn negative, so the whole is negated
	// again: the left-out and the other vector components keep their sign, w changes.
	if r.Largest == 0 {
		return Rot{Largest: 0, C: [3]int16{-r.C[0], -r.C[1], -r.C[2]}}
	}
	return Rot{Largest: r.Largest, C: [3]int16{-r.C[0], r.C[1], r.C[2]}}
}
