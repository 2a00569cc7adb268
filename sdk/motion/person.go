package motion

import (
	"math"
	"math/rand/v2"

	"github.com/venued/venued/lattice"
)

// Kind is a way of moving.
type Kind string

// Ways of moving.
const (
	Idle   Kind = "idle"   // stands, looks around
	Walk   Kind = "walk"   // strolls about
	Talk   Kind = "talk"   // gestures
	Sit    Kind = "sit"    // sits, one hand busy
	Reach  Kind = "reach"  // takes and puts things, high and low
	Dance  Kind = "dance"  // all of the body to a rhythm
	Throw  Kind = "throw"  // winds up and throws
	Swing  Kind = "swing"  // strikes with a racket or sabre, both hands
	Lost   Kind = "lost"   // a hand is lost to tracking and found again
	Glitch Kind = "glitch" // tracking misplaces and flips hands for moments
	Jitter Kind = "jitter" // stands under bad tracking
)

// Kinds are all ways of moving.
var Kinds = []Kind{Idle, Walk, Talk, Sit, Reach, Dance, Throw, Swing, Lost, Glitch, Jitter}

// Joint is a place in metres, y up, and a rotation, x, y, z, w.
type Joint struct {
	P [3]float64
	Q [4]float64
}

// Sample is a person at a moment.
type Sample struct{ Head, Left, Right Joint }

// Body puts a sample on the lattice.
func (s *Sample) Body() (b lattice.Body, err error) {
	for i, to := range []*lattice.Joint{&b.Head, &b.Left, &b.Right} {
		j := []*Joint{&s.Head, &s.Left, &s.Right}[i]
		if to.Pos, err = lattice.VecFromMetres(j.P[0], j.P[1], j.P[2]); err != nil {
			return b, err
		}
		if to.Rot, err = lattice.RotFromQuat(j.Q[0], j.Q[1], j.Q[2], j.Q[3]); err != nil {
			return b, err
		}
	}
	return b, nil
}

// hand is one hand's processes, in the body's frame: x right, y up from the eyes, -z ahead.
type hand struct {
	side   float64 // -1 left, 1 right
	at     stroke
	turn   stroke
	idle   sway
	wrist  sway
	beat   beat
	twist  beat
	lost   float64 // seconds of tracking loss left
	frozen Joint
	off    float64 // seconds of a glitch left
	slip   vec
	flip   quat
}

// Person is somebody who moves. Not for concurrent use.
type Person struct {
	rng  *rand.Rand
	kind Kind

	at, goal    vec // on the ground
	yaw, speed  float64
	pace, pause float64
	height      float64
	stride      float64
	crouch      stroke
	body, look  sway
	gaze        stroke
	rhythm, nod beat
	hands       [2]hand
	noiseP      float64 // metres
	noiseQ      float64 // radians
	tremor      [2]beat
	energy      float64
	guided      bool // goes where it is told
}

// NewPerson makes somebody of a kind.
func NewPerson(kind Kind, seed uint64) *Person {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	p := &Person{
		rng: rng, kind: kind,
		at: vec{20 * rng.Float64(), 0, 20 * rng.Float64()}, yaw: 2 * math.Pi * rng.Float64(),
		pace: 0.7 + 0.8*rng.Float64(), height: 1.45 + 0.4*rng.Float64(), energy: 0.6 + 0.8*rng.Float64(),
		body:   sway{spread: vec{0.015, 0.004, 0.015}, rate: 1.2 + rng.Float64()},
		look:   sway{spread: vec{0.05, 0.08, 0.03}, rate: 1 + 1.5*rng.Float64()},
		noiseP: 0.0001 + 0.0004*rng.Float64()*rng.Float64(), noiseQ: 0.0003 + 0.0012*rng.Float64()*rng.Float64(),
	}
	p.goal = p.at
	if kind == Sit {
		p.height = 1.1 + 0.2*rng.Float64()
		p.body.spread = vec{0.01, 0.003, 0.015}
	}
	if kind == Jitter {
		p.noiseP, p.noiseQ = 0.001+0.002*rng.Float64(), 0.003+0.006*rng.Float64()
	}
	tempo := 0.8 + 1.2*rng.Float64()
	p.rhythm = newBeat(rng, tempo, vec{0.05, 0.04, 0.05}.scale(p.energy))
	p.nod = newBeat(rng, tempo, vec{0.1, 0.12, 0.06}.scale(p.energy))
	for i := range p.hands {
		side := float64(2*i - 1)
		h := &p.hands[i]
		*h = hand{
			side: side, idle: sway{spread: vec{0.012, 0.01, 0.015}, rate: 1 + 2*rng.Float64()},
			wrist: sway{spread: vec{0.08, 0.06, 0.08}, rate: 1 + 2*rng.Float64()},
			beat:  newBeat(rng, tempo, vec{0.15, 0.18, 0.15}.scale(p.energy)),
			twist: newBeat(rng, tempo, vec{0.5, 0.4, 0.5}.scale(p.energy)),
			flip:  quat{0, 0, 0, 1},
		}
		h.at.to, h.turn.to = p.rest(h), vec{-0.5, -0.1 * side, 0.2 * side}
		p.tremor[i] = newBeat(rng, 7+4*rng.Float64(), vec{0.0003, 0.0003, 0.0003})
	}
	return p
}

// rest is where a hand hangs.
func (p *Person) rest(h *hand) vec {
	if p.kind == Sit {
		return vec{0.2 * h.side, -0.45, -0.3}
	}
	return vec{0.22 * h.side, -0.62, -0.1}
}

// Step moves on by dt seconds and returns where the person is then.
func (p *Person) Step(dt float64) Sample {
	p.roam(dt)
	p.act(dt)
	bob, lean := p.steps(dt)
	head := p.body.step(p.rng, dt).add(vec{0, bob - p.crouch.step(dt)[1], 0})
	turn := p.look.step(p.rng, dt).add(p.gaze.step(dt)).add(lean)
	if p.kind == Dance {
		head, turn = head.add(p.rhythm.step(p.rng, dt)), turn.add(p.nod.step(p.rng, dt))
	}
	facing := about(1, p.yaw)
	origin := p.at.add(vec{0, p.height, 0})
	eyes := p.place(head)
	s := Sample{Head: p.measured(origin.add(eyes), facing.mul(turned(turn)))}
	for i, to := range []*Joint{&s.Left, &s.Right} {
		*to = p.hand(&p.hands[i], i, dt, origin.add(eyes.scale(0.7)), facing)
	}
	return s
}

// place turns a place in the body's frame into the world's.
func (p *Person) place(v vec) vec {
	s, c := math.Sincos(p.yaw)
	return vec{c*v[0] + s*v[2], v[1], -s*v[0] + c*v[2]}
}

// roam walks between places, or shifts the stance now and then.
func (p *Person) roam(dt float64) {
	walks := p.guided || p.kind == Walk || p.kind == Lost && p.pace > 1 || p.kind == Glitch && p.pace > 1
	to := p.goal.sub(p.at)
	dist := math.Hypot(to[0], to[2])
	want := 0.0
	switch {
	case p.pause > 0:
		p.pause -= dt
	case dist < arrived && p.guided:
	case dist < arrived:
		p.pause = 1 + 4*p.rng.Float64()
		reach := 0.15
		if walks {
			reach, p.pause = 4, 2*p.rng.Float64()
		}
		if p.kind != Sit {
			p.goal = p.at.add(scatter(p.rng, vec{reach, 0, reach}))
		}
	default:
		want = math.Min(p.pace, 1.5*dist)
		if walks {
			turn := math.Remainder(math.Atan2(-to[0], -to[2])-p.yaw, 2*math.Pi)
			p.yaw += turn * math.Min(1, 2.5*dt)
		}
	}
	p.speed += (want - p.speed) * math.Min(1, 4*dt)
	if dist > 1e-6 {
		p.at = p.at.add(vec{to[0] / dist, 0, to[2] / dist}.scale(math.Min(dist, p.speed*dt)))
	}
}

// steps is what walking does to the head: up and down twice a stride, from side to side once.
func (p *Person) steps(dt float64) (bob float64, lean vec) {
	p.stride += dt * (0.55 + 0.3*p.speed) * math.Min(1, p.speed*4)
	a := 2 * math.Pi * p.stride
	f := math.Min(1, p.speed)
	return 0.022 * f * math.Cos(2*a), vec{0.015 * f * math.Sin(2*a), 0.03 * f * math.Sin(a), 0.02 * f * math.Sin(a)}
}

// act begins what the kind does next, when the last is over.
func (p *Person) act(dt float64) {
	rng := p.rng
	if p.gaze.done() {
		spread := vec{0.18, 0.5, 0.05}
		if p.kind == Throw || p.kind == Swing {
			spread = vec{0.12, 0.25, 0.06}
		}
		p.gaze.next(scatter(rng, spread), vec{}, 0.3+0.5*rng.Float64(), rng.ExpFloat64()*2)
	}
	if p.crouch.done() && p.kind == Reach {
		p.crouch.next(vec{0, math.Max(0, rng.NormFloat64()*0.35), 0}, vec{}, 0.6+0.6*rng.Float64(), rng.ExpFloat64()*2)
	}
	for i := range p.hands {
		if h := &p.hands[i]; h.at.done() {
			p.busy(h, i)
		}
	}
}

// busy begins a hand's next stroke.
func (p *Person) busy(h *hand, i int) {
	rng, rest := p.rng, p.rest(h)
	move := func(to, bend, turn vec, takes, pause float64) {
		h.at.next(to, bend, takes, pause)
		h.turn.next(turn, vec{}, takes*(0.8+0.4*rng.Float64()), pause)
	}
	held := vec{-0.3, -0.1 * h.side, 0.2 * h.side}
	front := vec{0.22 * h.side, -0.3, -0.35}
	switch p.kind {
	case Talk:
		if rng.IntN(4) == 0 {
			move(rest, scatter(rng, vec{0.03, 0.03, 0.05}), held, 0.7+0.5*rng.Float64(), rng.ExpFloat64()*1.5)
			return
		}
		move(front.add(scatter(rng, vec{0.1, 0.14, 0.1}.scale(p.energy))), scatter(rng, vec{0.03, 0.05, 0.03}),
			scatter(rng, vec{0.5, 0.5, 0.6}), 0.25+0.6*rng.Float64(), rng.ExpFloat64()*0.3)
	case Sit:
		if i == 0 {
			move(rest.add(scatter(rng, vec{0.04, 0.03, 0.05})), vec{}, held.add(scatter(rng, vec{0.2, 0.2, 0.2})), 0.8, 3+rng.ExpFloat64()*4)
			return
		}
		move(rest.add(vec{0, 0.05, -0.1}).add(scatter(rng, vec{0.1, 0.05, 0.08})), vec{0, 0.02, 0}, held.add(scatter(rng, vec{0.2, 0.2, 0.2})),
			0.3+0.5*rng.Float64(), rng.ExpFloat64()*0.6)
	case Reach:
		move(vec{0.2 * h.side, -0.35, -0.4}.add(scatter(rng, vec{0.25, 0.3, 0.15})), scatter(rng, vec{0.03, 0.06, 0.03}),
			scatter(rng, vec{0.6, 0.6, 0.5}), 0.5+0.6*rng.Float64(), rng.ExpFloat64()*0.7)
	case Throw:
		p.throw(h, i, move)
	case Swing:
		move(vec{0.1 * h.side, -0.25, -0.4}.add(scatter(rng, vec{0.35, 0.3, 0.15}.scale(p.energy))), scatter(rng, vec{0.05, 0.08, 0.1}),
			scatter(rng, vec{0.9, 0.8, 0.8}.scale(p.energy)), 0.16+0.3*rng.Float64(), rng.ExpFloat64()*0.3)
	case Dance:
		move(front.add(scatter(rng, vec{0.15, 0.25, 0.1})), vec{}, scatter(rng, vec{0.4, 0.4, 0.4}), 0.6+rng.Float64(), rng.ExpFloat64())
	case Lost, Glitch:
		move(front.add(scatter(rng, vec{0.15, 0.2, 0.1})), vec{}, scatter(rng, vec{0.4, 0.4, 0.4}), 0.5+rng.Float64(), rng.ExpFloat64())
	default:
		// Scratches, adjusts, lets it hang.
		to, turn := rest, held
		if rng.IntN(3) == 0 {
			to, turn = front.add(scatter(rng, vec{0.1, 0.15, 0.1})), scatter(rng, vec{0.4, 0.4, 0.4})
		}
		move(to, scatter(rng, vec{0.03, 0.03, 0.05}), turn, 0.7+0.6*rng.Float64(), 1+rng.ExpFloat64()*4)
	}
}

// throw winds up, throws, and comes back, with the right hand.
func (p *Person) throw(h *hand, i int, move func(to, bend, turn vec, takes, pause float64)) {
	rng := p.rng
	far := vec{0.1, -0.05, -0.65}
	switch back := h.at.to[2] > 0; {
	case i == 0:
		move(p.rest(h).add(scatter(rng, vec{0.06, 0.08, 0.08})), vec{}, scatter(rng, vec{0.2, 0.2, 0.2}), 0.4+0.5*rng.Float64(), rng.ExpFloat64()*0.6)
	case back:
		move(far.add(scatter(rng, vec{0.1, 0.15, 0.05})), vec{0, 0.15, 0}, vec{-1.2, 0.2, 0}.add(scatter(rng, vec{0.3, 0.3, 0.3})), 0.2+0.12*rng.Float64(), 0.05+rng.ExpFloat64()*0.2)
	case h.at.to[1] > -0.3:
		move(p.rest(h).add(scatter(rng, vec{0.05, 0.05, 0.05})), vec{}, vec{-0.4, 0, 0.1}, 0.6+0.4*rng.Float64(), rng.ExpFloat64()*1.2)
	default:
		move(vec{0.3, 0.05, 0.2}.add(scatter(rng, vec{0.06, 0.08, 0.04})), vec{0.1, 0, 0}, vec{0.9, -0.3, 0.3}.add(scatter(rng, vec{0.2, 0.2, 0.2})), 0.4+0.4*rng.Float64(), rng.ExpFloat64()*0.15)
	}
}

// hand is where a hand is measured to be.
func (p *Person) hand(h *hand, i int, dt float64, from vec, facing quat) Joint {
	rng := p.rng
	at := h.at.step(dt).add(h.idle.step(rng, dt)).add(p.tremor[i].step(rng, dt))
	turn := h.turn.step(dt).add(h.wrist.step(rng, dt))
	if p.kind == Dance {
		at, turn = at.add(h.beat.step(rng, dt)), turn.add(h.twist.step(rng, dt))
	}
	swing := math.Sin(2*math.Pi*p.stride) * h.side * math.Min(1, p.speed)
	at, turn = at.add(vec{0, 0.03 * math.Abs(swing), 0.17 * swing}), turn.add(vec{0.3 * swing, 0, 0})
	j := p.measured(from.add(p.place(at)), facing.mul(turned(turn)))
	switch p.kind {
	case Lost:
		if h.lost -= dt; h.lost > 0 {
			return h.frozen
		}
		if h.frozen = j; rng.Float64() < 0.25*dt {
			h.lost = 0.2 + rng.ExpFloat64()
		}
	case Glitch:
		if h.off -= dt; h.off <= 0 {
			h.slip, h.flip = vec{}, quat{0, 0, 0, 1}
			if rng.Float64() < 0.5*dt {
				h.off, h.slip = 0.02+0.2*rng.Float64(), scatter(rng, vec{0.1, 0.1, 0.1})
				h.flip = turned(scatter(rng, vec{1, 1, 1}))
			}
		}
		j.P, j.Q = vec(j.P).add(h.slip), quat(j.Q).mul(h.flip)
	}
	return j
}

// measured adds what tracking adds.
func (p *Person) measured(at vec, q quat) Joint {
	n, m := p.noiseP, p.noiseQ
	return Joint{P: at.add(scatter(p.rng, vec{n, n, n})), Q: q.mul(small(scatter(p.rng, vec{m, m, m})))}
}
