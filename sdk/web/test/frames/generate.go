package main

import (
	"bufio"
	"math/rand/v2"
	"slices"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// generator makes frames as a server might, and some as none would.
type generator struct {
	rng                              *rand.Rand
	out                              *bufio.Writer
	written, records, refused, stale int
	nextID                           uint64
}

// entity is one that the made-up server shows.
type entity struct {
	handle  uint16
	info    wire.Info
	state   stream.State
	entered bool // an enter of it was acknowledged
	leaving bool
	said    map[uint16]told // by frame
}

// told is what a frame said of an entity.
type told struct {
	state stream.State
	tick  uint32
	enter bool
}

// connection makes the frames of one connection. Some are lost, doubled or overtaken, so baselines have every
// age; the last few are damaged, after which the connection is over.
func (g *generator) connection(frames int) {
	g.out.WriteByte(entryView) //nolint:errcheck // Flush tells
	view := wire.NewView()
	seq := uint16(g.rng.Uint32())
	tick := g.rng.Uint32()
	var all []*entity
	acked := map[uint16]bool{}
	var held []byte // overtaken on its way
	damaged := min(frames/4, 12)
	loss := []float64{0, 0.02, 0.3}[g.rng.IntN(3)]
	for left := frames; left > damaged; {
		seq++
		tick += uint32(1 + g.rng.IntN(3))
		all = g.people(all)
		frame := g.frame(all, acked, seq, tick)
		if g.rng.Float64() < loss {
			continue
		}
		if g.rng.IntN(40) == 0 && held == nil {
			held = frame
			continue
		}
		g.deliver(view, frame)
		left--
		acked[seq] = true
		all = g.acknowledged(all, seq)
		if held != nil && left > damaged {
			g.deliver(view, held)
			held = nil
			left--
		}
		delete(acked, seq-wire.MaxBaseAge-wire.HistoryFrames-8)
	}
	for range damaged {
		seq++
		tick++
		frame := g.frame(all, acked, seq, tick)
		switch g.rng.IntN(4) {
		case 0:
			frame = frame[:g.rng.IntN(len(frame))]
		case 1:
			frame = append(frame, byte(g.rng.Uint32()))
		default:
			for range 1 + g.rng.IntN(3) {
				frame[g.rng.IntN(len(frame))] ^= 1 << g.rng.IntN(8)
			}
		}
		g.deliver(view, frame)
	}
}

// people lets entities come, go and change.
func (g *generator) people(all []*entity) []*entity {
	if len(all) < 24 && g.rng.IntN(4) == 0 {
		g.nextID += 1 + g.rng.Uint64N(1<<20)<<g.rng.IntN(40)
		e := &entity{
			handle: g.freeHandle(all), said: map[uint16]told{},
			info: wire.Info{
				ID: g.nextID, Kind: stream.EntityKind(1 + g.rng.IntN(3)), Class: uint16(g.rng.IntN(600)),
				Name: []string{"", "Zoë", "cup-1", "名前", "<b>bold</b>", "a name of exactly forty-eight bytes of UTF-8 text"}[g.rng.IntN(6)],
			},
		}
		e.state = g.state(e.info.Kind == stream.Avatar)
		all = append(all, e)
	}
	for _, e := range all {
		if g.rng.IntN(150) == 0 {
			e.leaving = true
		}
		if g.rng.IntN(5) > 0 {
			g.change(&e.state)
		}
	}
	return all
}

func (g *generator) freeHandle(all []*entity) uint16 {
	for {
		h := uint16(g.rng.Uint32())
		if g.rng.IntN(2) == 0 {
			h &= 255
		}
		if !slices.ContainsFunc(all, func(e *entity) bool { return e.handle == h }) {
			return h
		}
	}
}

// frame writes what there is to say, as far as it fits.
func (g *generator) frame(all []*entity, acked map[uint16]bool, seq uint16, tick uint32) []byte {
	var w wire.FrameWriter
	h := wire.FrameHeader{Seq: seq, Tick: tick, Throttle: g.rng.IntN(9) == 0, HasPose: g.rng.IntN(3) > 0}
	if h.HasPose {
		h.PoseSeq = uint16(g.rng.Uint32())
	}
	w.Reset(nil, wire.MaxFrame, h)
	for _, i := range g.rng.Perm(len(all)) {
		e, enter := all[i], false
		switch {
		case e.leaving:
			w.Leave(e.handle)
			continue
		case !e.entered:
			enter = true
			if !w.Enter(e.handle, &e.info, &e.state) {
				continue
			}
		case g.rng.IntN(4) == 0:
			continue
		default:
			if base, ok := g.base(e, acked, seq); ok && g.rng.IntN(20) > 0 {
				far := g.rng.IntN(5) == 0
				if far {
					e.state = wire.Coarse(&e.state)
				}
				if past := g.past(e, acked, base); !w.Update(e.handle, base, &e.state, &past, far) {
					continue
				}
			} else if !w.Full(e.handle, &e.state) {
				continue
			}
		}
		e.said[seq] = told{e.state, tick, enter}
		delete(e.said, seq-2*wire.MaxBaseAge)
	}
	return slices.Clone(w.Bytes())
}

// past is what the client applied of the entity up to the base: mostly all of it.
func (g *generator) past(e *entity, acked map[uint16]bool, base uint16) (p wire.Past) {
	p.Alone = g.rng.IntN(12) == 0
	for age := uint16(0); age <= wire.HistoryFrames; age++ {
		t, said := e.said[base-age]
		if !said || !acked[base-age] {
			continue
		}
		if !p.Push(&t.state, t.tick) || p.Alone || t.enter {
			break
		}
	}
	return p
}

// base picks a frame that said something of the entity and was acknowledged: mostly the newest.
func (g *generator) base(e *entity, acked map[uint16]bool, seq uint16) (uint16, bool) {
	skip := 0
	if g.rng.IntN(8) == 0 {
		skip = g.rng.IntN(wire.MaxBaseAge)
	}
	var found uint16
	ok := false
	for age := uint16(1); age <= wire.MaxBaseAge; age++ {
		if _, said := e.said[seq-age]; said && acked[seq-age] {
			found, ok = seq-age, true
			if skip--; skip < 0 {
				break
			}
		}
	}
	return found, ok
}

// acknowledged notes that a frame arrived: who entered in it is bound, who left is gone.
func (g *generator) acknowledged(all []*entity, seq uint16) []*entity {
	kept := all[:0]
	for _, e := range all {
		if _, said := e.said[seq]; said {
			e.entered = true
		}
		if !e.leaving {
			kept = append(kept, e)
		}
	}
	return kept
}

func (g *generator) within(limit int32) int32 {
	return int32(g.rng.Int64N(2*int64(limit)+1) - int64(limit))
}

func (g *generator) joint() lattice.Joint {
	limits := []int32{0, 40, 600, 40_000, 1 << 19, lattice.MaxMetres * lattice.Steps}
	limit := limits[g.rng.IntN(len(limits))]
	return lattice.Joint{
		Pos: lattice.Vec{X: g.within(limit), Y: g.within(limit), Z: g.within(limit)},
		Rot: lattice.Rot{Largest: uint8(g.rng.IntN(4)), C: [3]int16{int16(g.within(512)), int16(g.within(512)), int16(g.within(512))}},
	}
}

// near is within d steps of p, unless that is out of bounds.
func (g *generator) near(p lattice.Vec, d int32) lattice.Vec {
	q := p.Add(lattice.Vec{X: g.within(d), Y: g.within(d), Z: g.within(d)})
	for _, c := range [3]int32{q.X, q.Y, q.Z} {
		if c > lattice.MaxMetres*lattice.Steps || c < -lattice.MaxMetres*lattice.Steps {
			return p
		}
	}
	return q
}

func (g *generator) state(hands bool) stream.State {
	var s stream.State
	s.Body.Head = g.joint()
	if hands {
		s.Body.Left, s.Body.Right = g.joint(), g.joint()
		if g.rng.IntN(3) > 0 {
			s.Body.Left.Pos, s.Body.Right.Pos = g.near(s.Body.Head.Pos, 900), g.near(s.Body.Head.Pos, 900)
		}
	}
	return s
}

// change changes some of a state, most of it by little.
func (g *generator) change(s *stream.State) {
	hands := s.Body.Left != lattice.Joint{} || s.Body.Right != lattice.Joint{}
	if g.rng.IntN(40) == 0 {
		*s = g.state(hands != (g.rng.IntN(4) == 0))
		return
	}
	step := []int32{1, 15, 31, 130, 255, 2000, 1 << 22}[g.rng.IntN(7)]
	joints := []*lattice.Joint{&s.Body.Head}
	if hands {
		joints = append(joints, &s.Body.Left, &s.Body.Right)
	}
	for _, j := range joints {
		if g.rng.IntN(2) == 0 {
			j.Pos = g.near(j.Pos, step)
		}
		if g.rng.IntN(2) == 0 {
			r := j.Rot
			for i := range r.C {
				r.C[i] += int16(g.within(min(step, 200)))
			}
			if r.Valid() {
				j.Rot = r
			}
		}
	}
	if g.rng.IntN(3) == 0 {
		s.AgeMS = uint8(g.rng.Uint32())
	}
	if g.rng.IntN(12) == 0 {
		s.Flags = uint8(g.rng.Uint32())
	}
	if g.rng.IntN(12) == 0 {
		s.Holder = g.rng.Uint64() >> g.rng.IntN(64)
	}
	if g.rng.IntN(12) == 0 {
		s.Value = g.rng.Uint32() >> g.rng.IntN(32)
	}
}
