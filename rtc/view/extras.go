package view

import (
	"slices"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// extrasHz is how often each optional stream of an avatar is sent at most, a second: gaze, fingers, root.
var extrasHz = [lattice.StreamCount]int{15, 10, 5}

// extrasRoom is how far optional streams may fill a frame, bytes: at 30 frames a second that is less than 250 kbit/s. One item may go beyond it,
// so that in a crowd whose poses leave less everyone still has their turn.
const extrasRoom = 1030

// mostExtras is the size of what a frame says of all streams of one avatar, bytes, rounded up.
const mostExtras = 19

// personal is what the optional streams of an avatar say, in the World.
type personal struct {
	now     lattice.Extras
	version [lattice.StreamCount]uint32 // counts the changes of each; 0 was never there
	keyMark uint64                      // tick+1 of the newest key frame that told of it
}

func (p *personal) set(e *lattice.Extras) {
	changed := p.now.Differ(e)
	for i := range p.version {
		if changed>>i&1 != 0 {
			p.version[i]++
		}
	}
	p.now = *e
}

// wanted is the version of a stream that somebody near is to be shown, 0 when it is not there.
func (p *personal) wanted(stream int) uint32 {
	if p.now.Has>>stream&1 == 0 {
		return 0
	}
	return p.version[stream]
}

// putExtras takes what a record of region r says of optional streams.
func (w *World) putExtras(r *region, rec *stream.Record) {
	for i := range rec.Extras {
		x := &rec.Extras[i]
		ent := w.entities[x.ID]
		if ent == nil || ent.owner != r {
			continue
		}
		ent.personal.set(&x.Extras)
		ent.personal.keyMark = rec.Tick + 1
	}
	if !rec.Key {
		return
	}
	for _, ent := range r.members {
		if ent.personal.now.Has != 0 && ent.personal.keyMark != rec.Tick+1 {
			ent.personal.set(&lattice.Extras{})
		}
	}
}

// toldStream is what a client was told and has acknowledged of one optional stream in the present life of a handle: versions, as
// personal.wanted gives them, and the frames that said so, 0 for none. A frame that is acknowledged was applied after all
// that were acknowledged with lower numbers.
type toldStream struct {
	sentIn, ackedIn uint64
	sent, acked     uint32
}

// carriedExtras is what a frame said of the optional streams of a handle.
type carriedExtras struct {
	handle  uint16
	said    lattice.Streams
	life    uint32
	version [lattice.StreamCount]uint32
}

// dueExtras is what a frame could say of a handle.
type dueExtras struct {
	due
	said lattice.Streams
}

// chooseExtras finds what is due of optional streams. Only those of near avatars are shown; those of others have ended.
func (c *Client) chooseExtras() {
	c.extras = c.extras[:0]
	for _, h := range c.active {
		s := &c.slots[h]
		if s.phase != shown || !s.toldExtras && s.ent.personal.now.Has == 0 {
			continue
		}
		near := !c.far(s, nil)
		var said lattice.Streams
		waited := uint64(0)
		for i := range s.extras {
			t := &s.extras[i]
			want := uint32(0)
			if near {
				want = s.ent.personal.wanted(i)
			}
			if t.sentIn <= t.ackedIn {
				if t.acked == want {
					continue
				}
			} else if t.sent == want && !c.missed(t.sentIn) {
				continue
			}
			// Each has its turn, as what is far has, so that not all come in one frame.
			since, period := c.next-max(t.sentIn, s.since), c.extrasEvery[i]
			if (c.next+uint64(h))%period != 0 && since <= period {
				continue
			}
			said |= 1 << i
			waited = max(waited, since)
		}
		if said != 0 {
			away := distance(c.head.Pos, s.ent.e.State.Body.Head.Pos)
			c.extras = append(c.extras, dueExtras{due{priority: c.weight(s, away) * (waited + 1), group: h, handle: h}, said})
		}
	}
	slices.SortFunc(c.extras, func(a, b dueExtras) int { return byPriority(a.due, b.due) })
}

// writeExtras puts into the room that the records left what is due of optional streams.
func (c *Client) writeExtras(f *sent) {
	misses := 0
	for i := range c.extras {
		if i > 0 && len(c.out.Bytes()) >= extrasRoom-mostExtras {
			return
		}
		d := &c.extras[i]
		s := &c.slots[d.handle]
		now := lattice.Extras{}
		if !c.far(s, nil) {
			now = s.ent.personal.now.Only(d.said)
		}
		if !c.out.Extras(d.handle, d.said, &now) {
			if misses++; misses == maxMisses {
				return
			}
			continue
		}
		it := carriedExtras{handle: d.handle, said: d.said, life: s.life}
		for j := range s.extras {
			if d.said>>j&1 == 0 {
				continue
			}
			t := &s.extras[j]
			t.sentIn, t.sent = c.next, 0
			if now.Has>>j&1 != 0 {
				t.sent = s.ent.personal.version[j]
			}
			it.version[j] = t.sent
		}
		s.toldExtras = true
		f.extras = append(f.extras, it)
	}
}

// confirmExtras notes that the client applied what a frame said of optional streams.
func (c *Client) confirmExtras(number uint64, f *sent) {
	for i := range f.extras {
		it := &f.extras[i]
		s := &c.slots[it.handle]
		if s.life != it.life {
			continue
		}
		for j := range s.extras {
			if t := &s.extras[j]; it.said>>j&1 != 0 && number > t.ackedIn {
				t.ackedIn, t.acked = number, it.version[j]
			}
		}
	}
}
