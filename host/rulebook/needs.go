package rulebook

import (
	"context"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/terms"
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

// fits says whether a rule's module can be what the venue's file wants of the rule: its allow, its topics, the kinds and zones that views name.
func fits(v *venues.Venue, rule int, m *abi.Manifest) error {
	_, err := terms.Of(v, rule, m)
	if r := &v.Rules[rule]; err != nil && r.File != "" {
		err = fmt.Errorf("%w (its [[rule]] is at %s, line %d)", err, r.File, r.Line)
	}
	return err
}

// conflicts says which rules would both decide the same in a region, if one of them ran another module.
func (b *Book) conflicts(ctx context.Context, p place, m *abi.Manifest) error {
	manifests := make([]*abi.Manifest, len(b.venue.Rules))
	for i := range manifests {
		if i == p.rule {
			manifests[i] = m
			continue
		}
		// One that cannot be told is not known to conflict.
		manifests[i], _, _ = b.running(ctx, place{p.region, i})
	}
	return b.venue.Conflicts(manifests).Err()
}

// CheckFile says what does not fit together in a venue and the modules that its file names, as far as those can be read; loading them
// says more.
func CheckFile(v *venues.Venue) venues.Problems {
	var out venues.Problems
	manifests := make([]*abi.Manifest, len(v.Rules))
	for i := range v.Rules {
		r := &v.Rules[i]
		m, err := fileManifest(r)
		if err != nil {
			continue
		}
		manifests[i] = m
		if _, err := terms.Of(v, i, m); err != nil {
			out = append(out, venues.Problem{File: r.File, Line: r.Line, Path: fmt.Sprintf("rule[%d]", i), Msg: err.Error()})
		}
	}
	return append(out, v.Conflicts(manifests)...)
}
