package lattice

import "math"

// RotMax is the largest absolute value of a stored component: 11 bits, sign
// included, span ±1/√2. A step is 0.00069, about 0.08 degrees, and a rotation
// is off by less than 0.1 degrees.
const RotMax = 1023

// Rot is a rotation as the three smallest components of a unit quaternion
// ("smallest three"), on a lattice: both ends of a connection hold the same bits.
//
// Components are ordered w, x, y, z. Largest is the index of the one left out
// (made positive by negating the quaternion if need be), C holds the others
// in order, in units of 1/(√2·RotMax). The zero value is the identity.
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
	// Sum of squares of the three is at most 3/4 of the whole (2·RotMax²), plus
	// rounding of half a step each.
	return sum <= 3*RotMax*RotMax/2+3*RotMax
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
	largest := 0
	for i := 1; i < 4; i++ {
		if math.Abs(q[i]) > math.Abs(q[largest]) {
			largest = i
		}
	}
	if q[largest] < 0 {
		n = -n
	}
	r := Rot{Largest: uint8(largest)}
	j := 0
	for i, c := range q {
		if i == largest {
			continue
		}
		v := math.Round(c / n * math.Sqrt2 * RotMax)
		r.C[j] = int16(max(-RotMax, min(RotMax, v)))
		j++
	}
	return r, nil
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

// rotStep is fixedOne/(√2·RotMax)·2^10, rounded: a stored step in fixed point
// with ten more bits.
const rotStep = 759992305 // 2^40 / (√2 · 1023)

// fixed returns the quaternion w, x, y, z with 30 fraction bits, integers only.
func (r Rot) fixed() [4]int64 {
	var q [4]int64
	var sum int64
	j := 0
	for i := range q {
		if i == int(r.Largest&3) {
			continue
		}
		c := (int64(r.C[j])*rotStep + 1<<9) >> 10
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
	return quantise([4]int64{
		a[0]*b[0] - a[1]*b[1] - a[2]*b[2] - a[3]*b[3],
		a[0]*b[1] + a[1]*b[0] + a[2]*b[3] - a[3]*b[2],
		a[0]*b[2] - a[1]*b[3] + a[2]*b[0] + a[3]*b[1],
		a[0]*b[3] + a[1]*b[2] - a[2]*b[1] + a[3]*b[0],
	})
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

// quantise takes w, x, y, z with 56 fraction bits, nearly of unit length.
func quantise(q [4]int64) Rot {
	largest := 0
	for i := 1; i < 4; i++ {
		if abs64(q[i]) > abs64(q[largest]) {
			largest = i
		}
	}
	sign := int64(1)
	if q[largest] < 0 {
		sign = -1
	}
	// √2·RotMax = 1446.74..., with 16 fraction bits.
	const scale = 94813584
	r := Rot{Largest: uint8(largest)}
	j := 0
	for i, c := range q {
		if i == largest {
			continue
		}
		// c has 56 fraction bits; keep 30, times a scale of 16: 46 bits to drop.
		v := (sign*(c>>26)*scale + 1<<45) >> 46
		r.C[j] = int16(max(-RotMax, min(RotMax, v)))
		j++
	}
	return r
}
