package replay

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/lattice"
)

// maxShown is how many bytes of a payload a description has.
const maxShown = 200

// entity names an entity.
func (p *player) entity(id uint64) string {
	if name, ok := p.names[id]; ok {
		return name
	}
	return fmt.Sprintf("entity %d", id)
}

// subject names a scope's subject.
func (p *player) subject(scope abi.Scope, subject uint64) string {
	switch scope {
	case abi.ScopeObject, abi.ScopeUser:
		return fmt.Sprintf("%s %s", scope, p.entity(subject))
	case abi.ScopeZone:
		return fmt.Sprintf("zone %d", subject)
	}
	return scope.String()
}

// event says what a rule was asked.
func (p *player) event(e *abi.Event) string {
	s := e.Kind.String()
	switch e.Kind {
	case abi.EventEnter, abi.EventExit:
		s += fmt.Sprintf(" of zone %d by %s", e.Object, p.entity(e.Subject))
	case abi.EventTimer:
		s += fmt.Sprintf(" %d of %s", int64(e.Value), p.subject(e.Scope, e.Subject))
	case abi.EventMessage, abi.EventSignal:
		topic, payload, _ := abi.SplitData(e.Data)
		s += fmt.Sprintf(" %q", topic)
		if e.Subject != 0 {
			s += " of " + p.entity(e.Subject)
		}
		s += ": " + shown(payload)
	default:
		if e.Object != 0 {
			s += " of " + p.entity(e.Object)
		}
		if e.Subject != 0 {
			s += " by " + p.entity(e.Subject)
		}
	}
	return s
}

// whole describes an answer as one.
func (p *player) whole(a *answer, cmds []command, err error) []string {
	switch {
	case a.fault != nil:
		return []string{fmt.Sprintf("failed (%s): %s", a.fault.Kind, a.fault.Message)}
	case err != nil:
		return []string{"unreadable: " + err.Error()}
	}
	return p.commands(cmds)
}

func (p *player) commands(cmds []command) []string {
	out := []string{}
	for i := range cmds {
		out = append(out, p.command(&cmds[i].Command))
	}
	return out
}

// command says what a rule wants. Fields that are zero are left out.
func (p *player) command(c *abi.Command) string {
	var b strings.Builder
	b.WriteString(c.Kind.String())
	if c.Object != 0 {
		b.WriteString(" " + p.entity(c.Object))
	}
	if c.Scope != 0 {
		b.WriteString(" " + p.subject(c.Scope, c.Subject))
	} else if c.Subject != 0 {
		b.WriteString(" " + p.entity(c.Subject))
	}
	if c.Value != 0 {
		fmt.Fprintf(&b, " value %d", c.Value)
	}
	if c.X != 0 || c.Y != 0 || c.Z != 0 {
		x, y, z := lattice.Vec{X: c.X, Y: c.Y, Z: c.Z}.Metres()
		fmt.Fprintf(&b, " at %.4f %.4f %.4f m", x, y, z)
	}
	if c.Aux != 0 {
		fmt.Fprintf(&b, " aux %d", c.Aux)
	}
	if len(c.Data) > 0 {
		b.WriteString(" " + shown(c.Data))
	}
	return b.String()
}

func (p *player) ops(list []recording.Op) []string {
	out := []string{}
	for i := range list {
		o := &list[i]
		where := fmt.Sprintf("%s of %s", shown(o.Key.Bytes), p.subject(o.Scope, o.Subject))
		if o.Delete {
			out = append(out, "delete "+where)
		} else {
			out = append(out, "put "+where+" = "+shown(o.Value.Bytes))
		}
	}
	return out
}

// shown is a payload for people.
func shown(b []byte) string {
	cut := ""
	if len(b) > maxShown {
		b, cut = b[:maxShown], fmt.Sprintf("... (%d bytes)", len(b))
	}
	if utf8.Valid(b) {
		return fmt.Sprintf("%q%s", b, cut)
	}
	return fmt.Sprintf("%x%s", b, cut)
}

func ruleNames(h *recording.Header) string {
	var out []string
	for i := range h.Rules {
		r := &h.Rules[i]
		if r.Manifest == nil {
			out = append(out, r.Name+" (no module)")
			continue
		}
		out = append(out, fmt.Sprintf("%s (%s)", r.Name, label(r.Manifest, r.Digest)))
	}
	if len(out) == 0 {
		return "no rules"
	}
	return strings.Join(out, ", ")
}
