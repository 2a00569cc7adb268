package scenario

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/lattice"
)

// traced is the rule under test; it notes what it is asked and answers.
type traced struct {
	scene.Rule
	play  *play
	calls []call // of this tick
}

// call is one call of the rule.
type call struct {
	events  []abi.Event
	cmds    []abi.Command
	failed  bool // by the guest
	dropped bool // by the region
}

// Call passes a batch on.
func (t *traced) Call(batch []byte, kv abi.KV) ([]byte, error) {
	var d abi.Decoded
	if err := abi.DecodeBatch(bytes.Clone(batch), &d); err != nil {
		return nil, err
	}
	c := call{events: d.Events}
	out, err := t.Rule.Call(batch, kv)
	if err != nil {
		c.failed = true
	} else if c.cmds, err = abi.DecodeCommands(bytes.Clone(out), d.Header.Events, nil); err != nil {
		return nil, err // the host decoded them already
	}
	t.calls = append(t.calls, c)
	return out, err
}

// told describes what the rule commanded in a tick, and its faults.
func (t *traced) told(faults []scene.RuleFault) []string {
	t.drop(faults)
	var lines []string
	for i := range t.calls {
		c := &t.calls[i]
		if c.dropped || c.failed {
			continue
		}
		for j := range c.cmds {
			lines = append(lines, t.play.command(&c.cmds[j], c.events))
		}
	}
	for i := range faults {
		f := &faults[i]
		line := fmt.Sprintf("fault %s: %s", f.Fault.Kind, f.Fault.Message)
		if f.Rule != t.play.venue.Rules[0].Name {
			line = fmt.Sprintf("fault of rule %s: %s: %s", f.Rule, f.Fault.Kind, f.Fault.Message)
		}
		if f.Quarantined {
			line += " (now it is in quarantine)"
		}
		lines = append(lines, line)
	}
	return lines
}

// drop marks the calls that had no effect: the region refused what they commanded. It then made them again in parts, down to one event, of
// which the fault tells.
func (t *traced) drop(faults []scene.RuleFault) {
	for i := range t.calls {
		for j := i + 1; j < len(t.calls) && !t.calls[i].dropped; j++ {
			t.calls[i].dropped = repeats(&t.calls[j], &t.calls[i])
		}
	}
	for i := range faults {
		f := &faults[i]
		n, kind, ok := refusedCommand(f.Fault.Message)
		if f.Rule != t.play.venue.Rules[0].Name || !ok {
			continue
		}
		for j := range t.calls {
			c := &t.calls[j]
			if !c.dropped && !c.failed && len(c.cmds) >= n && c.cmds[n-1].Kind.String() == kind {
				c.dropped = true
				break
			}
		}
	}
}

// repeats reports whether a call has events that another had: within a tick events come once.
func repeats(c, earlier *call) bool {
	if len(c.events) == 0 || len(c.events) >= len(earlier.events) {
		return false
	}
	for i := range earlier.events {
		if same(&c.events[0], &earlier.events[i]) {
			return true
		}
	}
	return false
}

func same(a, b *abi.Event) bool {
	x, y := *a, *b
	x.Data, y.Data, x.Holder, y.Holder, x.Value, y.Value = nil, nil, 0, 0, 0, 0 // they are written anew
	return fmt.Sprint(x) == fmt.Sprint(y) && bytes.Equal(a.Data, b.Data)
}

// refusedCommand reads which command the region refused, counted from 1.
func refusedCommand(message string) (n int, kind string, ok bool) {
	if _, err := fmt.Sscanf(message, "command %d (%s", &n, &kind); err != nil || n < 1 {
		return 0, "", false
	}
	kind, _, ok = strings.Cut(kind, ")")
	return n, kind, ok
}

// command describes a command, and what it answers.
func (p *play) command(c *abi.Command, events []abi.Event) string {
	what := p.describe(c)
	if c.Event == 0 || int(c.Event) > len(events) {
		return what
	}
	return p.event(&events[c.Event-1]) + " -> " + what
}

// event describes what happened, shortly.
func (p *play) event(e *abi.Event) string {
	kind := e.Kind.String()
	switch e.Kind {
	case abi.EventEnter, abi.EventExit:
		return fmt.Sprintf("%s %s %s", p.nameOf(e.Subject), kind, p.zone(e.Object))
	case abi.EventGrab, abi.EventRelease, abi.EventUse:
		return fmt.Sprintf("%s %s %s", p.nameOf(e.Subject), kind, p.nameOf(e.Object))
	case abi.EventDropped:
		return fmt.Sprintf("%s drop %s", p.nameOf(e.Subject), p.nameOf(e.Object))
	case abi.EventTimer:
		return "timer " + p.timer(e.Scope, e.Subject, e.Value)
	case abi.EventMessage:
		topic, _, _ := abi.SplitData(e.Data)
		return fmt.Sprintf("%s say %s", p.nameOf(e.Subject), topic)
	case abi.EventSignal:
		sender, rest, _ := bytes.Cut(e.Data, []byte{0})
		topic, _, _ := bytes.Cut(rest, []byte{0})
		return fmt.Sprintf("rule %s signal %s", sender, topic)
	}
	return fmt.Sprintf("%s %s", p.nameOf(e.Subject), kind)
}

var hands = [...]string{"left", "right"}

var reasons = map[int64]string{
	abi.DenyRule: "rule", abi.DenyHeld: "held", abi.DenyReach: "reach", abi.DenyUnknown: "unknown", abi.DenyNotAllowed: "not_allowed",
	abi.DenyUnanswered: "unanswered", abi.DenyFault: "fault", abi.DenyQuarantine: "quarantine", abi.DenyNotHeld: "not_held",
}

// describe writes a command as scenario files have it.
func (p *play) describe(c *abi.Command) string {
	kind := c.Kind.String()
	switch c.Kind {
	case abi.CmdGrant:
		hand := strconv.FormatInt(c.Value, 10)
		if c.Value >= 0 && c.Value < int64(len(hands)) {
			hand = hands[c.Value]
		}
		return fmt.Sprintf("grant %s to %s %s", p.nameOf(c.Object), p.nameOf(c.Subject), hand)
	case abi.CmdDeny:
		reason, ok := reasons[c.Value]
		if !ok {
			reason = strconv.FormatInt(c.Value, 10)
		}
		if len(c.Data) > 0 {
			reason += " " + strconv.Quote(string(c.Data))
		}
		return "deny " + reason
	case abi.CmdRelease:
		return "release " + p.nameOf(c.Object)
	case abi.CmdSetState, abi.CmdDoor:
		return fmt.Sprintf("%s %s %d", kind, p.nameOf(c.Object), c.Value)
	case abi.CmdSetPose:
		return fmt.Sprintf("set_pose %s at %s", p.nameOf(c.Object), point(lattice.Vec{X: c.X, Y: c.Y, Z: c.Z}))
	case abi.CmdLock:
		if c.Value == 0 {
			kind = "unlock"
		}
		return kind + " " + p.nameOf(c.Object)
	case abi.CmdTeleport:
		return fmt.Sprintf("teleport %s to %s", p.nameOf(c.Subject), point(lattice.Vec{X: c.X, Y: c.Y, Z: c.Z}))
	case abi.CmdEmit:
		name, payload, _ := abi.SplitData(c.Data)
		return fmt.Sprintf("emit %s %s %s", p.audience(c), name, shown(payload))
	case abi.CmdTimerStart:
		return fmt.Sprintf("timer_start %s in %s s", p.timer(c.Scope, c.Subject, uint64(c.Value)), decimal(float64(c.Aux)/1e6, 6))
	case abi.CmdTimerCancel:
		return "timer_cancel " + p.timer(c.Scope, c.Subject, uint64(c.Value))
	case abi.CmdScore:
		return fmt.Sprintf("score %s %+d on %s", p.nameOf(c.Subject), c.Value, c.Data)
	case abi.CmdSignal:
		rule, rest, _ := abi.SplitData(c.Data)
		topic, payload, _ := abi.SplitData(rest)
		to := ""
		if c.Scope == abi.ScopeVenue {
			to = " in the home region"
		} else if c.Subject != 0 {
			to = fmt.Sprintf(" in region %d", c.Subject-1)
		}
		return strings.TrimRight(fmt.Sprintf("signal %s%s %s %s", rule, to, topic, shown(payload)), " ")
	}
	return kind
}

func (p *play) audience(c *abi.Command) string {
	switch c.Value {
	case abi.EmitUser:
		return "user " + p.nameOf(c.Subject)
	case abi.EmitNear:
		return "near " + p.nameOf(c.Subject)
	case abi.EmitRegion:
		return "region"
	case abi.EmitVenue:
		return "venue"
	}
	return strconv.FormatInt(c.Value, 10)
}

// timer names a timer: its id, or what has that id, and what it belongs to.
func (p *play) timer(scope abi.Scope, subject, id uint64) string {
	name := strconv.FormatUint(id, 10)
	if n := p.nameOf(id); n[0] != '#' {
		name = n
	}
	switch scope {
	case abi.ScopeZone:
		return fmt.Sprintf("%s of zone %s", name, p.zone(subject))
	case abi.ScopeRegion, abi.ScopeVenue:
		return fmt.Sprintf("%s of the %s", name, scope)
	}
	return fmt.Sprintf("%s of %s %s", name, scope, p.nameOf(subject))
}

func (p *play) zone(id uint64) string {
	if id == 0 || id > uint64(len(p.venue.Zones)) {
		return fmt.Sprintf("#%d", id)
	}
	return p.venue.Zones[id-1].Name
}

// shown is a payload on a line.
func shown(b []byte) string {
	s := string(b)
	if s == "" || printable(s) && s[0] != '"' && strings.TrimSpace(s) == s {
		return s
	}
	return strconv.Quote(s)
}

func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) })
}

// point writes a place in metres, to the millimetre, which is about the lattice's step.
func point(v lattice.Vec) string {
	x, y, z := v.Metres()
	return decimal(x, 3) + " " + decimal(y, 3) + " " + decimal(z, 3)
}

func decimal(f float64, digits int) string {
	s := strconv.FormatFloat(f, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
