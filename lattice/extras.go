package lattice

import (
	"fmt"
	"math"
)

// Streams is a set of the optional streams of a person: those beside head and hands.
type Streams uint8

// The optional streams.
const (
	StreamGaze    Streams = 1 << iota // where the eyes look
	StreamFingers                     // how far the fingers are bent
	StreamRoot                        // where the body stands
	AllStreams    Streams = 1<<iota - 1
)

// StreamCount is how many optional streams there are.
const StreamCount = 3

// Extras is what the optional streams say of a person at some time. What Has does not name is zero, so that equal
// ones compare equal; see Only.
type Extras struct {
	Has     Streams
	Gaze    Gaze
	Fingers Fingers
	Root    Root
}

// Steps of the optional streams.
const (
	GazeSteps = 256       // of a quarter turn: 0.35 degrees each
	CurlSteps = 31        // from a straight finger to a bent one
	YawSteps  = 1024      // of a whole turn: 0.35 degrees each
	RootSpan  = 4 * Steps // a root is nearer to the head than this, along each axis
)

// Gaze is where the eyes look, relative to the head: first Yaw about the head's y, to the left, then Pitch, upward, in steps
// of a quarter turn / GazeSteps. Both zero is straight ahead (-z). Each is within -GazeSteps and GazeSteps-1.
type Gaze struct{ Yaw, Pitch int16 }

// Fingers is how far the fingers are bent, of the hands that are tracked.
type Fingers struct {
	Hands uint8    // bit 0 the left one is tracked, bit 1 the right one; at least one of them, when there is the stream
	Curls [2]Curls // left, right; zero for a hand that is not tracked
}

// Curls is how far each finger of a hand is bent: thumb, index, middle, ring, little finger; 0 is straight,
// CurlSteps is bent all the way.
type Curls [5]uint8

// Root is where a body stands: Off from the head, along the venue's axes, in lattice steps, so that it goes along with a head
// that is moved, each within -RootSpan and RootSpan-1; Yaw is where its front points, about y, 0 to -z, to the left, in steps of a turn / YawSteps, below that.
type Root struct {
	Off Vec
	Yaw uint16
}

// Only returns the streams of e that are among s.
func (e Extras) Only(s Streams) Extras {
	var out Extras
	out.Put(s, &e)
	return out
}

// Put replaces the streams among s by those of from, which may lack some.
func (e *Extras) Put(s Streams, from *Extras) {
	has := from.Has & s
	e.Has = e.Has&^s | has
	if s&StreamGaze != 0 {
		e.Gaze = Gaze{}
		if has&StreamGaze != 0 {
			e.Gaze = from.Gaze
		}
	}
	if s&StreamFingers != 0 {
		e.Fingers = Fingers{}
		if has&StreamFingers != 0 {
			e.Fingers = from.Fingers
		}
	}
	if s&StreamRoot != 0 {
		e.Root = Root{}
		if has&StreamRoot != 0 {
			e.Root = from.Root
		}
	}
}

// Differ returns the streams in which two differ.
func (e *Extras) Differ(from *Extras) Streams {
	s := e.Has ^ from.Has
	if e.Gaze != from.Gaze {
		s |= StreamGaze
	}
	if e.Fingers != from.Fingers {
		s |= StreamFingers
	}
	if e.Root != from.Root {
		s |= StreamRoot
	}
	return s
}

// Check returns what is out of range, nil when nothing is. What Has does not name must be zero.
func (e *Extras) Check() error {
	f := &e.Fingers
	has := func(s Streams) bool { return e.Has&s != 0 }
	switch {
	case e.Has&^AllStreams != 0:
		return fmt.Errorf("streams: %#x names some that are not known", e.Has)
	case !has(StreamGaze) && e.Gaze != Gaze{}, !has(StreamFingers) && *f != Fingers{}, !has(StreamRoot) && e.Root != Root{}:
		return fmt.Errorf("streams: one that is not there has a value")
	case !between(int(e.Gaze.Yaw), -GazeSteps, GazeSteps-1):
		return fmt.Errorf("gaze.yaw: %d is outside -%d to %d", e.Gaze.Yaw, GazeSteps, GazeSteps-1)
	case !between(int(e.Gaze.Pitch), -GazeSteps, GazeSteps-1):
		return fmt.Errorf("gaze.pitch: %d is outside -%d to %d", e.Gaze.Pitch, GazeSteps, GazeSteps-1)
	case has(StreamFingers) && !between(int(f.Hands), 1, 3):
		return fmt.Errorf("fingers.hands: %d; want 1 (left), 2 (right) or 3", f.Hands)
	case e.Root.Yaw >= YawSteps:
		return fmt.Errorf("root.yaw: %d; want less than %d", e.Root.Yaw, YawSteps)
	}
	for h, c := range f.Curls {
		for i, v := range c {
			switch {
			case v > CurlSteps:
				return fmt.Errorf("fingers.curls[%d][%d]: %d; at most %d", h, i, v, CurlSteps)
			case v != 0 && f.Hands>>h&1 == 0:
				return fmt.Errorf("fingers.curls[%d][%d]: %d of a hand that is not tracked", h, i, v)
			}
		}
	}
	for _, c := range [...]int32{e.Root.Off.X, e.Root.Off.Y, e.Root.Off.Z} {
		if !between(int(c), -RootSpan, RootSpan-1) {
			return fmt.Errorf("root.off: %d is outside -%d to %d", c, RootSpan, RootSpan-1)
		}
	}
	return nil
}

func between(v, low, high int) bool { return v >= low && v <= high }

// GazeFromAngles converts angles in radians, yaw to the left and pitch upward relative to the head; beyond a quarter turn they
// are cut to it. They must be finite.
func GazeFromAngles(yaw, pitch float64) (Gaze, error) {
	y, err := quarter(yaw)
	if err != nil {
		return Gaze{}, fmt.Errorf("yaw: %w", err)
	}
	p, err := quarter(pitch)
	if err != nil {
		return Gaze{}, fmt.Errorf("pitch: %w", err)
	}
	return Gaze{y, p}, nil
}

func quarter(angle float64) (int16, error) {
	if math.IsNaN(angle) || math.IsInf(angle, 0) {
		return 0, ErrNotFinite
	}
	return int16(math.Max(-GazeSteps, math.Min(GazeSteps-1, math.Round(angle/(math.Pi/2)*GazeSteps)))), nil
}

// Angles returns yaw and pitch in radians.
func (g Gaze) Angles() (yaw, pitch float64) {
	const step = math.Pi / 2 / GazeSteps
	return float64(g.Yaw) * step, float64(g.Pitch) * step
}

// Direction returns where a head with that gaze looks: a vector about Steps long, along the venue's axes.
func (g Gaze) Direction(head Rot) Vec {
	yaw, pitch := g.Angles()
	sy, cy := math.Sincos(yaw)
	sp, cp := math.Sincos(pitch)
	round := func(f float64) int32 { return int32(math.Round(f * Steps)) }
	return head.Rotate(Vec{X: round(-sy * cp), Y: round(sp), Z: round(-cy * cp)})
}

// CurlsFrom converts how far the fingers of a hand are bent, thumb first, 0 straight to 1 bent all the way; beyond that they are cut.
// They must be finite.
func CurlsFrom(bent [5]float64) (Curls, error) {
	var c Curls
	for i, f := range bent {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return Curls{}, fmt.Errorf("finger %d: %w", i, ErrNotFinite)
		}
		c[i] = uint8(math.Round(math.Max(0, math.Min(1, f)) * CurlSteps))
	}
	return c, nil
}

// Bent returns how far each finger is bent, 0 to 1.
func (c Curls) Bent() [5]float64 {
	var bent [5]float64
	for i, v := range c {
		bent[i] = float64(v) / CurlSteps
	}
	return bent
}

// RootFrom converts a root: its place and its head's, venue coordinates, and where its front points, in radians about y, 0 to -z. A
// place too far from the head is cut, axis by axis, to what a Root can say. The angle must be finite.
func RootFrom(at, head Vec, yaw float64) (Root, error) {
	if math.IsNaN(yaw) || math.IsInf(yaw, 0) {
		return Root{}, fmt.Errorf("yaw: %w", ErrNotFinite)
	}
	turns := yaw / (2 * math.Pi)
	turns -= math.Floor(turns)
	off := func(a, b int32) int32 { return int32(max(-RootSpan, min(RootSpan-1, int64(a)-int64(b)))) }
	return Root{
		Off: Vec{off(at.X, head.X), off(at.Y, head.Y), off(at.Z, head.Z)},
		Yaw: uint16(math.Round(turns*YawSteps)) % YawSteps,
	}, nil
}

// At returns where the root of a body is whose head is there.
func (r Root) At(head Vec) Vec { return head.Add(r.Off) }

// Angle returns where the front points, in radians about y, from 0 to less than a turn.
func (r Root) Angle() float64 { return float64(r.Yaw) * 2 * math.Pi / YawSteps }
