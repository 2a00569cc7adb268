package rulebook

import (
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
)

// needs returns what a module wants beyond another: commands, views, the class of limits. An absent other has nothing.
func needs(m *abi.Manifest, class abi.Class, old *abi.Manifest, oldClass abi.Class) []string {
	if old == nil {
		old = &abi.Manifest{}
	}
	var out []string
	for _, c := range m.Commands {
		if !slices.Contains(old.Commands, c) {
			out = append(out, "command "+c)
		}
	}
	for _, v := range m.Views {
		if !slices.ContainsFunc(old.Views, func(o abi.View) bool { return covers(o, v) }) {
			out = append(out, "view "+ViewText(v))
		}
	}
	if class == abi.ClassLarge && oldClass != abi.ClassLarge {
		out = append(out, "class large")
	}
	return out
}

// covers reports whether a view shows everything that another one does.
func covers(old, v abi.View) bool {
	return old.Rows == v.Rows && (old.Kind == "" || old.Kind == v.Kind) && (old.Zone == "" || old.Zone == v.Zone) && old.Hz >= v.Hz
}

// ViewText is a view in words, as in "objects of kind ball".
func ViewText(v abi.View) string {
	text := v.Rows
	if v.Kind != "" {
		text += " of kind " + v.Kind
	}
	if v.Zone != "" {
		text += " in zone " + v.Zone
	}
	if v.Hz != 0 {
		text += fmt.Sprintf(" at %d Hz", v.Hz)
	}
	return text
}

// allowed says whether a rule's module wants only commands that the venue's file allows it.
func allowed(r *venues.CompiledRule, m *abi.Manifest) error {
	if r.Allow == nil {
		return nil
	}
	var more []string
	for _, c := range m.Commands {
		if !slices.Contains(r.Allow, c) {
			more = append(more, c)
		}
	}
	if len(more) == 0 {
		return nil
	}
	where := ""
	if r.File != "" {
		where = fmt.Sprintf(" (%s, line %d)", r.File, r.Line)
	}
	return fmt.Errorf("rule %s: its plugin %s %s wants commands that allow of its [[rule]]%s does not list: %s: add them there, or build the plugin without",
		r.Name, m.Name, m.Version, where, strings.Join(more, ", "))
}
