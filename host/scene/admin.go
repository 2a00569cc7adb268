package scene

import (
	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// reset puts an object back as the manifest has it, in its place and with its state, out of the hand that holds it. Requests
// that wait for their window are denied: their hands reached for where it was. A rule that counts who holds
// what hears of it as of a thing dropped.
func (r *Region) reset(x *stream.Input) {
	o := r.objectByID(x.Object)
	if o == nil {
		return
	}
	for i, w := range r.windows {
		if w == o.window {
			for j := range w.reqs {
				if s := &w.reqs[j]; r.sessions[s.Session] != nil {
					r.denied(r.sessions[s.Session], s.Seq, o.ID, wire.CodeDeniedReach, "the object was put back at its place", nil)
				}
			}
			r.closeWindow(i)
			break
		}
	}
	holder := o.holder
	if holder != nil {
		r.letGo(o)
	}
	if o.State.Body.Head != o.geom.Pose {
		o.State.Body.Head = o.geom.Pose
		o.State.Flags |= stream.FlagJump
		o.Floor, o.dirty = uint8(o.geom.Floor), true
	}
	if holder != nil {
		r.emit(&stream.Event{
			Audience: stream.ToNear, Session: holder.Session, Entity: o.ID, At: o.pos(), Type: "released",
			Body: newBody().id("object", o.ID).id("by", holder.ID).pose(o.State.Body.Head).done(),
		})
		r.parting = append(r.parting, happening{u: holder, o: o, rule: anyRule, ev: abi.Event{
			Kind: abi.EventDropped, Subject: holder.ID, Object: o.ID, Class: uint32(o.Class),
		}})
	}
	if o.State.Value != o.geom.State {
		o.State.Value, o.dirty = o.geom.State, true
		r.emit(&stream.Event{
			Audience: stream.ToNear, Entity: o.ID, At: o.pos(), Type: "state",
			Body: newBody().id("object", o.ID).number("value", uint64(o.State.Value)).done(),
		})
	}
}

// Object returns an object of the region by its name in the manifest, as it is after the last step.
func (r *Region) Object(name string) (stream.Entity, bool) {
	for _, o := range r.objects {
		if o.Name == name {
			return o.Entity, true
		}
	}
	return stream.Entity{}, false
}
