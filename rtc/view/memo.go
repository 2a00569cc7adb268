package view

import (
	"sync"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// maxMemo is how many different updates of one entity and tick are kept. Clients whose acknowledgements are equally old
// share one, so there are few; beyond these each is coded by itself.
const maxMemo = 8

// memo keeps the coded updates of an entity's current state, so that each is coded once for all clients with the same
// past. It has a lock because clients may make their frames side by side.
type memo struct {
	mu      sync.Mutex
	version uint32
	tick    uint32
	n       int
	all     []*coded // of which the first n are of version and tick
	over    *coded   // scratch for those beyond

	now     stream.State // scratch
	scratch [wire.PastStates]stream.State
}

// chain is an update before it is coded: what it says, and what was said before, newest first. For one
// entity and tick equal chains give equal updates.
type chain struct {
	now   said
	n     int
	alone bool
	said  [wire.PastStates]said
	tick  [wire.PastStates]uint32
}

func (c *chain) push(s said, tick uint32) {
	c.said[c.n], c.tick[c.n] = s, tick
	c.n++
}

type coded struct {
	chain chain
	delta wire.Delta
}

// update writes an update of the entity into a frame of a tick. The entity must know what the chain says.
func (ent *entity) update(out *wire.FrameWriter, h, base uint16, tick uint32, what *chain) bool {
	m := &ent.memo
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.version != ent.version || m.tick != tick {
		m.version, m.tick, m.n = ent.version, tick, 0
	}
	cur := ent.state(what.now, &m.now)
	for _, c := range m.all[:m.n] {
		if c.chain == *what {
			return out.UpdateDelta(h, base, cur, what.alone, &c.delta)
		}
	}
	c := m.next()
	c.chain = *what
	past := wire.Past{Alone: what.alone}
	for i := range what.n {
		past.Push(ent.state(what.said[i], &m.scratch[i]), what.tick[i])
	}
	c.delta.Encode(cur, tick, &past, what.now&coarse != 0)
	return out.UpdateDelta(h, base, cur, what.alone, &c.delta)
}

// next returns a place for an update.
func (m *memo) next() *coded {
	if m.n == maxMemo {
		if m.over == nil {
			m.over = new(coded)
		}
		return m.over
	}
	if m.n == len(m.all) {
		m.all = append(m.all, new(coded))
	}
	m.n++
	return m.all[m.n-1]
}
