package wire

import (
	"math"
	"math/bits"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// An update is coded against what both ends know the entity did: the baseline A, the newest state that the
// client acknowledged, and up to three states B, C, D that it applied before. Motion is carried on
// with most of its velocity and a part of its acceleration, and what is coded is the
// difference from there, in lattice steps. How large the difference is likely to be shows in how much the
// velocity changed lately: that chooses the code.
//
// Everything is integers of at most 53 bits, and square roots of such integers rounded down, so every language
// gets the same numbers.

// PastStates is how many states an update is predicted from: its baseline and those before.
const PastStates = 4

// HistoryFrames is how many frames before its baseline a state may lie that an update is predicted from.
const HistoryFrames = 16

// Past is what an update is predicted from, newest first: State[0] is the baseline.
type Past struct {
	N     int // how many there are, 1 to PastStates
	State [PastStates]*stream.State
	Tick  [PastStates]uint32 // low 32 bits of the ticks of their frames
	// Alone says that the client may have applied states before State[0] that are not known here; N is 1.
	Alone bool
	// Fine says that the states are on the fine lattice: steps of 1/2048 m and 1/2048 of a rotation's component.
	Fine bool
}

// Push adds an older state. It reports false, and does nothing, when there is no room.
func (p *Past) Push(s *stream.State, tick uint32) bool {
	if p.N == PastStates {
		return false
	}
	p.State[p.N], p.Tick[p.N] = s, tick
	p.N++
	return true
}

const (
	maxAhead = 8  // ticks that motion is carried on at most
	maxGap   = 64 // ticks between two states that tell of motion
	maxDelta = 2047

	gainAlone = 224 // of a velocity that is all that is known, in 1/256
)

// Gains of velocity and acceleration in 1/256, by ticks ahead less 1: the farther ahead, the less they last.
var (
	gainVelocity     = [maxAhead]int32{250, 246, 240, 232, 224, 216, 208, 200}
	gainAcceleration = [maxAhead]int32{60, 48, 44, 40, 36, 32, 28, 24}
)

// plan says how to carry motion on from the states of a Past to a tick.
type plan struct {
	n      int      // how many states to use
	ahead  int32    // ticks from A, 1 to maxAhead
	gap    [3]int32 // ticks between A and B, B and C, C and D
	k1, k2 int32    // A + (k1 (A-B) - k2 (B-C)) / 256
	shift  int32    // tables less for far updates
	step   int32    // of a rotation's component, in 1/16384
}

// prepare makes the plan for a state of a tick.
func prepare(past *Past, tick uint32) plan {
	p := plan{n: 1, ahead: min(max(int32(tick-past.Tick[0]), 1), maxAhead), step: 16}
	if past.Fine {
		p.step = 8
	}
	for p.n < past.N {
		gap := int32(past.Tick[p.n-1] - past.Tick[p.n])
		if gap < 1 || gap > maxGap {
			break
		}
		p.gap[p.n-1] = gap
		p.n++
	}
	a, b, c := p.ahead, p.gap[0], p.gap[1]
	v, w := gainVelocity[a-1], gainAcceleration[a-1]
	switch {
	case p.n >= 3:
		p.k1 = v*a/b + w*a*(a+b)/(b*(b+c))
		p.k2 = w * a * (a + b) / (c * (b + c))
	case p.n == 2:
		p.k1 = gainAlone * a / b
	}
	return p
}

// guess is where a group of three numbers is expected, and the code for each difference.
type guess struct {
	at      [3]int32
	table   [3]uint8
	context [3]Context // what chose the tables
}

// Kinds of groups: they move differently.
const (
	headPlace = iota
	handPlace
	headTurn
	handTurn
	groupKinds
)

// delta is the difference of two coordinates; 0 when it is so large that it tells of no motion.
func delta(a, b int32) int32 {
	if d := a - b; d <= maxDelta && d >= -maxDelta {
		return d
	}
	return 0
}

// place predicts a point.
func (p *plan) place(kind int, v *[PastStates]lattice.Vec) (g guess) {
	g.at = [3]int32{v[0].X, v[0].Y, v[0].Z}
	if p.n == 1 {
		p.blind(&g, kind)
		return g
	}
	var d [3][3]int32
	for i := range p.n - 1 {
		d[i] = [3]int32{delta(v[i].X, v[i+1].X), delta(v[i].Y, v[i+1].Y), delta(v[i].Z, v[i+1].Z)}
	}
	for k := range 3 {
		g.at[k] += (p.k1*d[0][k] - p.k2*d[1][k] + 128) >> 8
	}
	p.tables(&g, kind, &d, 32)
	return g
}

// blind chooses the tables when nothing is known but the baseline.
func (p *plan) blind(g *guess, kind int) {
	for k := range g.table {
		g.context[k] = Context{int8(kind), -1, int8(p.ahead - 1), 0}
		g.table[k] = p.coarser(blindTables[kind][p.ahead-1])
	}
}

// coarser returns the table for differences in far steps.
func (p *plan) coarser(table uint8) uint8 { return uint8(max(int32(table)-p.shift, 0)) }

// tables chooses the codes: by how much the velocity changed, of the number itself and of
// all three. unit times a difference is in 1/32 step.
func (p *plan) tables(g *guess, kind int, d *[3][3]int32, unit int32) {
	var change [3]int32
	level := 0
	for k := range change {
		u := d[0][k] * unit / p.gap[0]
		if p.n == 2 {
			change[k] = 4 * abs(u)
			continue
		}
		level = 1
		v := d[1][k] * unit / p.gap[1]
		change[k] = 8 * abs(u-v)
		if p.n == 4 {
			change[k] = 5*abs(u-v) + 3*abs(v-d[2][k]*unit/p.gap[2])
		}
	}
	sum := change[0] + change[1] + change[2]
	row := &motionTables[kind][level][p.ahead-1]
	for k := range change {
		b := bucket((3*change[k] + sum) * p.ahead >> 7)
		g.context[k] = Context{int8(kind), int8(level), int8(p.ahead - 1), int8(b)}
		g.table[k] = p.coarser(row[b])
	}
}

// buckets is how many sizes of change are told apart: two an octave.
const buckets = 24

// bucket puts a size into one of the buckets.
func bucket(e int32) int {
	if e < 2 {
		return int(e)
	}
	n := bits.Len32(uint32(e))
	return min(2*n-1+int(e>>(n-2)&1), buckets-1)
}

func abs(v int32) int32 {
	if v < 0 {
		return -v
	}
	return v
}

// quaternion is a rotation, w, x, y, z, in 1/16384.
type quaternion [4]int32

const one, square = 1 << 14, 1 << 28

func (p *plan) whole(r lattice.Rot) (q quaternion) {
	left := int32(square)
	j := 0
	for i := range q {
		if i == int(r.Largest) {
			continue
		}
		c := p.step * int32(r.C[j])
		q[i] = c
		left -= c * c
		j++
	}
	q[r.Largest] = int32(math.Sqrt(float64(max(left, 0))))
	return q
}

// toward returns q or -q, whichever is nearer to a, and their scalar product, in 1/2^28.
func (q quaternion) toward(a *quaternion) (quaternion, int32) {
	dot := q[0]*a[0] + q[1]*a[1] + q[2]*a[2] + q[3]*a[3]
	if dot < 0 {
		return quaternion{-q[0], -q[1], -q[2], -q[3]}, -dot
	}
	return q, dot
}

// turn predicts a rotation; its three numbers are the components beside the one of index left out.
func (p *plan) turn(kind int, r *[PastStates]lattice.Rot, leftOut uint8) (g guess) {
	still := true
	for i := 1; i < p.n && still; i++ {
		still = r[i] == r[0]
	}
	if still && leftOut == r[0].Largest {
		g.at = [3]int32{int32(r[0].C[0]), int32(r[0].C[1]), int32(r[0].C[2])}
		if p.n == 1 {
			p.blind(&g, kind)
			return g
		}
		p.tables(&g, kind, &[3][3]int32{}, 1)
		return g
	}
	q := [PastStates]quaternion{p.whole(r[0])}
	var d [3]quaternion
	for i := range p.n - 1 {
		var dot int32
		q[i+1], dot = p.whole(r[i+1]).toward(&q[i])
		if dot < square*7/10 { // more than 90 degrees: a glitch, not motion
			continue
		}
		for k := range d[i] {
			d[i][k] = q[i][k] - q[i+1][k]
		}
	}
	to := q[0]
	var sum int64
	for k := range to {
		to[k] += (p.k1*d[0][k] - p.k2*d[1][k] + 128) >> 8
		sum += int64(to[k]) * int64(to[k])
	}
	length := int64(math.Sqrt(float64(sum)))
	if length == 0 {
		to, length = q[0], one
	}
	sign := int64(1)
	if to[leftOut] < 0 {
		sign = -1
	}
	var three [3][3]int32
	j := 0
	for k := range to {
		if k == int(leftOut) {
			continue
		}
		g.at[j] = int32(floorDiv(sign*int64(to[k])*2*int64(one/p.step)+length, 2*length))
		for i := range three {
			three[i][j] = d[i][k]
		}
		j++
	}
	if p.n == 1 {
		p.blind(&g, kind)
		return g
	}
	p.tables(&g, kind, &three, 32/p.step)
	return g
}

// floorDiv rounds down, like the division of real numbers followed by floor; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
