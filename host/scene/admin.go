package scene

import (
	"fmt"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
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
					r.denied(r.sessions[s.Session], s.Seq, o.ID, wire.CodeDeniedReach, "the object was put back at its place", "")
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

// SwapRule puts another module in the place of a rule (index of Venue.Rules), between two steps. The
// rule's keys and timers stay, its quarantine and what was held against people end. When the new module
// does not fit, the error says why and nothing has changed.
func (r *Region) SwapRule(index int, rule Rule, opt SwapOptions) error {
	if index < 0 || index >= len(r.rules) || r.rules[index] == nil {
		return fmt.Errorf("scene: SwapRule: region %s has no rule %d", r.region.Name, index)
	}
	run, m := r.rules[index], rule.Manifest()
	if err := r.roomFor(run.name, m.ViewMask()); err != nil {
		return err
	}
	run.Rule, run.label, run.digest = rule, m.Name+"@"+m.Version, rule.Digest()
	run.events, run.commands, run.views = m.EventMask(), m.CommandMask(), m.ViewMask()
	run.streak, run.blame, run.quarantine = 0, [quarantineTicks]saved.Person{}, false
	clear(run.offenders)
	r.cfg.Rules[index] = rule
	r.assignDeciders()
	return nil
}

// roomFor says whether a rule's batches can hold the rows of its views.
func (r *Region) roomFor(rule string, views abi.Mask) error {
	if need := r.viewRows(views) * abi.RowSize; need > abi.MaxInput-eventRoom {
		return fmt.Errorf("rule %s: its views of region %s need up to %d bytes of rows, a batch has room for %d: let the plugin subscribe to fewer views",
			rule, r.region.Name, need, abi.MaxInput-eventRoom)
	}
	return nil
}
