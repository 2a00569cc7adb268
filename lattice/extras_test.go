package lattice

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestGazeAngles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		yaw, pitch := rapid.Float64Range(-1.56, 1.56).Draw(t, "yaw"), rapid.Float64Range(-1.56, 1.56).Draw(t, "pitch")
		g, err := GazeFromAngles(yaw, pitch)
		if err != nil {
			t.Fatal(err)
		}
		e := Extras{Has: StreamGaze, Gaze: g}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		y, p := g.Angles()
		const half = math.Pi / 4 / GazeSteps * 1.001
		if math.Abs(y-yaw) > half+0.007 || math.Abs(p-pitch) > half+0.007 {
			t.Fatalf("%v, %v became %v, %v", yaw, pitch, y, p)
		}
	})
	for _, c := range []struct {
		yaw, pitch float64
		want       Gaze
	}{{0, 0, Gaze{}}, {math.Pi / 4, -math.Pi / 4, Gaze{128, -128}}, {9, -9, Gaze{255, -256}}, {-9, 9, Gaze{-256, 255}}} {
		if g, err := GazeFromAngles(c.yaw, c.pitch); err != nil || g != c.want {
			t.Errorf("%v, %v: %v, %v; want %v", c.yaw, c.pitch, g, err, c.want)
		}
	}
}

func TestGazeDirection(t *testing.T) {
	left, err := RotFromQuat(0, math.Sqrt2/2, 0, math.Sqrt2/2) // a quarter turn to the left
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		gaze Gaze
		head Rot
		want Vec
	}{
		{Gaze{}, Rot{}, Vec{Z: -Steps}},
		{Gaze{Yaw: -256}, Rot{}, Vec{X: Steps}},
		{Gaze{Yaw: 128}, Rot{}, Vec{X: -724, Z: -724}},
		{Gaze{Pitch: -256}, Rot{}, Vec{Y: -Steps}},
		{Gaze{}, left, Vec{X: -Steps}},
		{Gaze{Yaw: -256}, left, Vec{Z: -Steps}},
	} {
		if d := c.gaze.Direction(c.head); d.Dist(c.want) > 4 {
			t.Errorf("%v of %v looks to %v, want %v", c.gaze, c.head, d, c.want)
		}
	}
}

func TestCurlsAndRoots(t *testing.T) {
	c, err := CurlsFrom([5]float64{-1, 0, 0.5, 1, 7})
	if err != nil || c != (Curls{0, 0, 16, 31, 31}) {
		t.Errorf("%v, %v", c, err)
	}
	for i, f := range c.Bent() {
		if want := [5]float64{0, 0, 0.5, 1, 1}[i]; math.Abs(f-want) > 0.5/CurlSteps+1e-9 {
			t.Errorf("finger %d: %v", i, f)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		yaw := rapid.Float64Range(-20, 20).Draw(t, "yaw")
		head, at := Vec{X: 5, Y: 1700, Z: -9}, Vec{X: 105, Y: 0, Z: -19}
		r, err := RootFrom(at, head, yaw)
		if err != nil || r.At(head) != at || r.Yaw >= YawSteps {
			t.Fatalf("%v, %v", r, err)
		}
		if off := math.Remainder(r.Angle()-yaw, 2*math.Pi); math.Abs(off) > math.Pi/YawSteps*1.001 {
			t.Fatalf("%v became %v", yaw, r.Angle())
		}
	})
	if r, err := RootFrom(Vec{X: math.MaxInt32}, Vec{X: math.MinInt32, Y: 9 * Steps}, 0); err != nil || r.Off != (Vec{RootSpan - 1, -RootSpan, 0}) {
		t.Errorf("a far root: %v, %v", r, err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	_, e1 := GazeFromAngles(0, nan)
	_, e2 := GazeFromAngles(inf, 0)
	_, e3 := CurlsFrom([5]float64{0, 0, nan})
	_, e4 := RootFrom(Vec{}, Vec{}, inf)
	for _, err := range []error{e1, e2, e3, e4} {
		if !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v", err)
		}
	}
}

func TestExtrasPut(t *testing.T) {
	full := Extras{
		Has: AllStreams, Gaze: Gaze{1, 2},
		Fingers: Fingers{Hands: 2, Curls: [2]Curls{{}, {1, 2, 3, 4, 5}}},
		Root:    Root{Vec{1, 2, 3}, 4},
	}
	for s := range AllStreams + 1 {
		for has := range AllStreams + 1 {
			from := full.Only(has)
			if err := from.Check(); err != nil || from.Has != has {
				t.Fatalf("%v: %v", from, err)
			}
			at := full
			at.Put(s, &from)
			if want := full.Only(AllStreams&^s | has); at != want {
				t.Errorf("put %d of %d: %+v, want %+v", s, has, at, want)
			}
			if d := at.Differ(&full); d != s&^has {
				t.Errorf("put %d of %d: differs in %d", s, has, d)
			}
		}
	}
	for _, bad := range []Extras{
		{Has: 8}, {Gaze: Gaze{1, 0}}, {Root: Root{Yaw: 1}}, {Fingers: Fingers{Hands: 1}}, {Has: StreamFingers},
		{Has: StreamGaze, Gaze: Gaze{Yaw: 256}}, {Has: StreamGaze, Gaze: Gaze{Pitch: -257}},
		{Has: StreamFingers, Fingers: Fingers{Hands: 4}}, {Has: StreamFingers, Fingers: Fingers{Hands: 1, Curls: [2]Curls{{32}}}},
		{Has: StreamFingers, Fingers: Fingers{Hands: 1, Curls: [2]Curls{{}, {1}}}},
		{Has: StreamRoot, Root: Root{Yaw: 1024}}, {Has: StreamRoot, Root: Root{Off: Vec{Y: RootSpan}}}, {Has: StreamRoot, Root: Root{Off: Vec{Z: -RootSpan - 1}}},
	} {
		if bad.Check() == nil {
			t.Errorf("%+v passes", bad)
		}
	}
}
