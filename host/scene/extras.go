package scene

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// rootReach is how far from the head a body may claim to stand, in steps: farther, and it is brought that near.
const rootReach = 3 * lattice.Steps

// optional is what the optional streams say of a person. It is shown and nothing else: no rule hears of it, and neither the log, nor
// snapshots, nor Live have it. After a restart or a hand-over it comes anew from the client, which tells of it several times a second.
type optional struct {
	now, sent lattice.Extras
	told      [lattice.StreamCount]uint64 // tick in which each stream was last told of
}

// hearExtras takes what an input says of the optional streams. All inputs count, not only the newest of a step: each stream has its own rate.
func (r *Region) hearExtras(u *user, x *stream.Input) {
	if x.Said == 0 {
		return
	}
	e := x.Extras
	if e.Has&lattice.StreamRoot != 0 {
		e.Root.Off = lattice.Vec{}.Toward(e.Root.Off, rootReach)
	}
	u.optional.now.Put(x.Said, &e)
	for i := range u.optional.told {
		if x.Said>>i&1 != 0 {
			u.optional.told[i] = r.tick
		}
	}
}

// showExtras streams what changed of a person's optional streams. One that nothing was heard of for a second has ended.
func (r *Region) showExtras(u *user) {
	o := &u.optional
	for i, told := range o.told {
		if s := lattice.Streams(1) << i; o.now.Has&s != 0 && r.tick > told+uint64(r.venue.TickHz) {
			o.now.Put(s, &lattice.Extras{})
		}
	}
	if o.now == o.sent {
		return
	}
	o.sent = o.now
	r.fx.Extras = append(r.fx.Extras, stream.EntityExtras{ID: u.ID, Extras: o.now})
}

// keyExtras lists those who have optional streams.
func (r *Region) keyExtras() []stream.EntityExtras {
	var out []stream.EntityExtras
	for _, u := range r.users {
		if u.optional.now.Has != 0 {
			out = append(out, stream.EntityExtras{ID: u.ID, Extras: u.optional.now})
		}
	}
	return out
}

// setSpeaking notes what a sample says of whether a person speaks.
func (u *user) setSpeaking(on bool) {
	u.State.Flags &^= stream.FlagSpeaking
	if on {
		u.State.Flags |= stream.FlagSpeaking
	}
}
