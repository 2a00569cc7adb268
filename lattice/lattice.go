// Package lattice is the one grid of numbers that every position in a venue
// lives on, and the one place where metres become lattice steps and back.
//
// # Frame
//
// Right-handed, y up, metres; the origin is the venue's, whatever region
// a point is in. A coordinate is an int32 count of steps of 2^-10 m, so a venue
// may span ±2,097 km and two processes that hold the same point hold the
// same bits. A region may keep positions as float32 relative to its own
// origin, a whole number of metres: both conversions are exact while the region is
// at most 8 km wide (a float32 has 24 bits of mantissa), see [ToLocal] and
// [FromLocal].
//
// Everything that decides something (distance, reach, budget, zone) is integer
// arithmetic here: Go may fuse a*b+c into one rounding on some targets, and a
// decision must not depend on the machine.
package lattice

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Steps is the number of lattice steps in a metre.
const Steps = 1024

// MaxMetres is the largest absolute coordinate that FromMetres takes.
const MaxMetres = 1 << 20

// Errors of conversions from outside numbers.
var (
	ErrNotFinite   = errors.New("not a finite number")
	ErrOutOfBounds = errors.New("outside ±1,048,576 m")
	ErrNotUnit     = errors.New("not a unit quaternion")
)

// Vec is a point or a difference in lattice steps.
type Vec struct{ X, Y, Z int32 }

// FromMetres converts one coordinate, rounding to the nearest step, halves
// away from zero.
func FromMetres(m float64) (int32, error) {
	if math.IsNaN(m) || math.IsInf(m, 0) {
		return 0, ErrNotFinite
	}
	if m > MaxMetres || m < -MaxMetres {
		return 0, ErrOutOfBounds
	}
	return int32(math.Round(m * Steps)), nil
}

// VecFromMetres converts a point; the error names the axis.
func VecFromMetres(x, y, z float64) (Vec, error) {
	var v Vec
	var err error
	for _, a := range [...]struct {
		name string
		in   float64
		out  *int32
	}{{"x", x, &v.X}, {"y", y, &v.Y}, {"z", z, &v.Z}} {
		if *a.out, err = FromMetres(a.in); err != nil {
			return Vec{}, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return v, nil
}

// Metres converts one coordinate; exact.
func Metres(steps int32) float64 { return float64(steps) / Steps }

// Metres returns the point in metres; exact.
func (v Vec) Metres() (x, y, z float64) { return Metres(v.X), Metres(v.Y), Metres(v.Z) }

// ToLocal converts a coordinate to float32 metres relative to a region origin
// that is a whole number of metres. Exact while |result| < 8,192 m.
func ToLocal(steps, originMetres int32) float32 {
	return float32(int64(steps)-int64(originMetres)*Steps) / Steps
}

// FromLocal is the inverse of ToLocal: exact for every value ToLocal returned.
func FromLocal(m float32, originMetres int32) int32 {
	return int32(int64(math.Round(float64(m)*Steps)) + int64(originMetres)*Steps)
}

// Add returns v + w.
func (v Vec) Add(w Vec) Vec { return Vec{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec) Sub(w Vec) Vec { return Vec{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Dist2 returns the squared distance in square steps. It saturates at the largest int64
// instead of overflowing.
func (v Vec) Dist2(w Vec) int64 {
	var sum uint64
	for _, d := range [3]int64{int64(v.X) - int64(w.X), int64(v.Y) - int64(w.Y), int64(v.Z) - int64(w.Z)} {
		hi, lo := bits.Mul64(abs64(d), abs64(d))
		s, carry := bits.Add64(sum, lo, 0)
		if hi != 0 || carry != 0 || s > math.MaxInt64 {
			return math.MaxInt64
		}
		sum = s
	}
	return int64(sum)
}

// Dist returns the distance in steps, rounded down.
func (v Vec) Dist(w Vec) int64 { return Sqrt(v.Dist2(w)) }

// Toward returns the point on the way from v to w that is at most d steps from
// v: w itself when it is that near. Components round toward v, so the result
// is never farther than d.
func (v Vec) Toward(w Vec, d int64) Vec {
	dist := v.Dist(w)
	if v.Dist2(w) > dist*dist {
		dist++ // round up, so that the scaled difference never exceeds d
	}
	if dist <= d || dist == 0 {
		return w
	}
	if d <= 0 {
		return v
	}
	scale := func(a, b int32) int32 { return a + int32((int64(b)-int64(a))*d/dist) }
	return Vec{scale(v.X, w.X), scale(v.Y, w.Y), scale(v.Z, w.Z)}
}

// Sqrt returns the integer square root of n, rounded down; 0 for n <= 0.
func Sqrt(n int64) int64 {
	if n <= 0 {
		return 0
	}
	// The float result is within one of the truth whatever the machine
	// rounds; the two loops settle it.
	r := int64(math.Sqrt(float64(n)))
	for r > 0 && r > n/r {
		r--
	}
	for (r + 1) <= n/(r+1) {
		r++
	}
	return r
}

func abs64(d int64) uint64 {
	if d < 0 {
		return uint64(-d)
	}
	return uint64(d)
}

// Joint is a position and a rotation: a head, a hand, an object.
type Joint struct {
	Pos Vec
	Rot Rot
}

// Body is what a pose sample shows of a person, in venue coordinates.
type Body struct{ Head, Left, Right Joint }

// Hand returns the left hand for 0 and the right hand for anything else.
func (b *Body) Hand(h uint8) *Joint {
	if h == 0 {
		return &b.Left
	}
	return &b.Right
}
