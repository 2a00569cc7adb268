package view

import (
	"sync"

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
}

type coded struct {
	past  wire.Past
	delta wire.Delta
}

// update writes an update of the entity, against a past whose states are its own, into a frame of a tick.
func (ent *entity) update(out *wire.FrameWriter, h, base uint16, tick uint32, past *wire.Past) bool {
	m := &ent.memo
	cur := &ent.e.State
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.version != ent.version || m.tick != tick {
		m.version, m.tick, m.n = ent.version, tick, 0
	}
	for _, c := range m.all[:m.n] {
		if c.past == *past {
			return out.UpdateDelta(h, base, cur, past.Alone, &c.delta)
		}
	}
	if m.n == maxMemo {
		return out.Update(h, base, cur, past, false)
	}
	if m.n == len(m.all) {
		m.all = append(m.all, new(coded))
	}
	c := m.all[m.n]
	m.n++
	c.past = *past
	c.delta.Encode(cur, tick, past, false)
	return out.UpdateDelta(h, base, cur, past.Alone, &c.delta)
}
