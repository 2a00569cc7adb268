package lattice

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func genVec(t *rapid.T, name string, limit int32) Vec {
	g := rapid.Int32Range(-limit, limit)
	return Vec{g.Draw(t, name+".x"), g.Draw(t, name+".y"), g.Draw(t, name+".z")}
}

func genRot(t *rapid.T, name string) Rot {
	g := rapid.Float64Range(-1, 1)
	q := [4]float64{g.Draw(t, name+".x"), g.Draw(t, name+".y"), g.Draw(t, name+".z"), g.Draw(t, name+".w")}
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if n < 1e-3 {
		return Rot{}
	}
	r, err := RotFromQuat(q[0]/n, q[1]/n, q[2]/n, q[3]/n)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// angle between two rotations, degrees.
func angle(a, b Rot) float64 {
	ax, ay, az, aw := a.Quat()
	bx, by, bz, bw := b.Quat()
	d := math.Abs(ax*bx + ay*by + az*bz + aw*bw)
	return 2 * math.Acos(math.Min(1, d)) * 180 / math.Pi
}

func TestLocalIsExactBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		origin := rapid.Int32Range(-100000, 100000).Draw(t, "origin")
		local := rapid.Int32Range(-8191*Steps, 8191*Steps).Draw(t, "local")
		steps := origin*Steps + local
		if got := FromLocal(ToLocal(steps, origin), origin); got != steps {
			t.Fatalf("origin %d: %d came back as %d", origin, steps, got)
		}
		m, err := FromMetres(Metres(steps))
		if err != nil || m != steps {
			t.Fatalf("%d through float64: %d, %v", steps, m, err)
		}
		// A point on a border is the same to both of its regions.
		other := origin + rapid.Int32Range(-1, 1).Draw(t, "other")
		if got := FromLocal(ToLocal(steps, other), other); got != steps {
			t.Fatalf("origin %d: %d came back as %d", other, steps, got)
		}
	})
}

func TestFromMetresRefuses(t *testing.T) {
	for _, m := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), MaxMetres + 1, -1e300} {
		if v, err := FromMetres(m); err == nil {
			t.Errorf("FromMetres(%g) = %d, want an error", m, v)
		}
	}
}

func TestSqrt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		r := Sqrt(n)
		if r > 0 && r > n/r || r+1 <= n/(r+1) {
			t.Fatalf("Sqrt(%d) = %d", n, r)
		}
	})
}

func TestTowardNeverPassesItsDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v, w := genVec(t, "v", 1<<24), genVec(t, "w", 1<<24)
		d := rapid.Int64Range(0, 1<<22).Draw(t, "d")
		got := v.Toward(w, d)
		if got.Dist2(v) > d*d && got != w {
			t.Fatalf("%v toward %v by %d is %v", v, w, d, got)
		}
		if v.Dist2(w) <= d*d && got != w {
			t.Fatalf("%v is within %d of %v but stopped at %v", v, d, w, got)
		}
	})
}

func TestRotRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := genRot(t, "r")
		if !r.Valid() {
			t.Fatalf("%v is not valid", r)
		}
		x, y, z, w := r.Quat()
		again, err := RotFromQuat(x, y, z, w)
		if err != nil {
			t.Fatal(err)
		}
		if a := angle(r, again); a > 0.1 {
			t.Fatalf("%v came back as %v, %g degrees off", r, again, a)
		}
	})
}

func TestRotArithmeticAgainstFloats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genRot(t, "a"), genRot(t, "b")
		ax, ay, az, aw := a.Quat()
		bx, by, bz, bw := b.Quat()
		want, err := RotFromQuat(
			aw*bx+ax*bw+ay*bz-az*by, aw*by-ax*bz+ay*bw+az*bx,
			aw*bz+ax*by-ay*bx+az*bw, aw*bw-ax*bx-ay*by-az*bz)
		if err != nil {
			t.Fatal(err)
		}
		if d := angle(a.Mul(b), want); d > 0.2 {
			t.Fatalf("%v·%v is %g degrees off", a, b, d)
		}
		if d := angle(a.Mul(a.Inverse()), Rot{}); d > 0.2 {
			t.Fatalf("%v·inverse is %g degrees from the identity", a, d)
		}
		v := genVec(t, "v", 4*Steps)
		got := a.Rotate(v)
		tx, ty, tz := 2*(ay*float64(v.Z)-az*float64(v.Y)), 2*(az*float64(v.X)-ax*float64(v.Z)), 2*(ax*float64(v.Y)-ay*float64(v.X))
		wx := float64(v.X) + aw*tx + ay*tz - az*ty
		wy := float64(v.Y) + aw*ty + az*tx - ax*tz
		wz := float64(v.Z) + aw*tz + ax*ty - ay*tx
		if math.Abs(float64(got.X)-wx) > 2 || math.Abs(float64(got.Y)-wy) > 2 || math.Abs(float64(got.Z)-wz) > 2 {
			t.Fatalf("%v turned by %v: got %v, want %g %g %g", v, a, got, wx, wy, wz)
		}
	})
}

func TestRotFromQuatRefuses(t *testing.T) {
	for _, q := range [][4]float64{{0, 0, 0, 0}, {2, 0, 0, 0}, {math.NaN(), 0, 0, 1}, {0, math.Inf(1), 0, 0}} {
		if r, err := RotFromQuat(q[0], q[1], q[2], q[3]); err == nil {
			t.Errorf("RotFromQuat(%v) = %v, want an error", q, r)
		}
	}
}

// TestRotIsNear: every rotation is stored within 0.12 degrees, near the places where all four components are equal too.
func TestRotIsNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.OneOf(rapid.Float64Range(-1, 1), rapid.Float64Range(0.98, 1.02))
		q := [4]float64{g.Draw(t, "x"), g.Draw(t, "y"), g.Draw(t, "z"), g.Draw(t, "w")}
		n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
		if n < 1e-3 {
			return
		}
		r, err := RotFromQuat(q[0]/n, q[1]/n, q[2]/n, q[3]/n)
		if err != nil {
			t.Fatal(err)
		}
		x, y, z, w := r.Quat()
		d := math.Abs(x*q[0]+y*q[1]+z*q[2]+w*q[3]) / n
		if a := 2 * math.Acos(math.Min(1, d)) * 180 / math.Pi; a >= 0.12 || !r.Valid() {
			t.Fatalf("%v of %v is %g degrees off", r, q, a)
		}
	})
}
