package rules_test

import (
	"slices"

	"github.com/venued/venued/abi"
)

// grabNative is the grab plugin, written again in Go as plainly as can be. It reuses its memory.
type grabNative struct {
	reach uint32
	d     abi.Decoded
	held  map[uint64]uint64
	cmds  []abi.Command
	out   []byte
}

func newGrabNative(reach uint32) *grabNative {
	return &grabNative{reach: reach, held: map[uint64]uint64{}}
}

func (g *grabNative) call(batch []byte) []byte {
	if err := abi.DecodeBatch(batch, &g.d); err != nil {
		panic(err)
	}
	held, out := g.held, g.cmds[:0]
	clear(held)
	for i, e := range g.d.Events {
		holder, changed := held[e.Object]
		answer := abi.Command{Event: uint32(i + 1), Subject: e.Subject, Object: e.Object}
		switch e.Kind {
		case abi.EventGrab:
			if !changed {
				holder = e.Holder
			}
			switch {
			case e.Dist > g.reach:
				answer.Kind, answer.Value = abi.CmdDeny, abi.DenyReach
			case holder != 0 && holder != e.Subject:
				answer.Kind, answer.Value = abi.CmdDeny, abi.DenyHeld
			default:
				answer.Kind, answer.Value = abi.CmdGrant, int64(e.Hand)
				held[e.Object] = e.Subject
			}
			out = append(out, answer)
		case abi.EventRelease:
			if changed && holder != e.Subject {
				answer.Kind, answer.Value = abi.CmdDeny, abi.DenyNotHeld
			} else {
				answer.Kind = abi.CmdRelease
				held[e.Object] = 0
			}
			out = append(out, answer)
		case abi.EventDropped:
			held[e.Object] = 0
		}
	}
	g.cmds = out
	g.out = abi.AppendCommands(g.out[:0], out)
	return g.out
}

// doorTwin is the door plugin, written again in Go.
func doorTwin(batch []byte, closeAfterUS uint64) []byte {
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		panic(err)
	}
	type key struct{ zone, door uint64 }
	type deeds struct{ entered, emptied, due bool }
	var order []key
	seen := map[key]*deeds{}
	at := func(zone, door uint64) *deeds {
		k := key{zone, door}
		if seen[k] == nil {
			seen[k] = &deeds{}
			order = append(order, k)
		}
		return seen[k]
	}
	for _, e := range d.Events {
		switch {
		case e.Kind == abi.EventEnter && e.Aux != 0:
			at(e.Object, e.Aux).entered = true
		case e.Kind == abi.EventExit && e.Aux != 0 && e.Value == 0:
			at(e.Object, e.Aux).emptied = true
		case e.Kind == abi.EventTimer && e.Scope == abi.ScopeZone && e.Count == 0:
			at(e.Subject, e.Value).due = true
		}
	}
	var out []abi.Command
	for _, k := range order {
		if slices.ContainsFunc(d.Rows, func(r abi.Row) bool { return r.Kind == abi.RowDoor && r.ID == k.door && r.Flags&1 != 0 }) {
			continue
		}
		z := seen[k]
		if z.entered {
			out = append(out, abi.Command{Kind: abi.CmdDoor, Object: k.door, Value: 1000})
		} else if z.due && !z.emptied {
			out = append(out, abi.Command{Kind: abi.CmdDoor, Object: k.door})
		}
		timer := abi.Command{Scope: abi.ScopeZone, Subject: k.zone, Value: int64(k.door)}
		if z.emptied {
			timer.Kind, timer.Aux = abi.CmdTimerStart, closeAfterUS
			out = append(out, timer)
		} else if z.entered {
			timer.Kind = abi.CmdTimerCancel
			out = append(out, timer)
		}
	}
	return abi.AppendCommands(nil, out)
}
