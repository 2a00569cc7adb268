package abi

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// View is one set of rows that a plugin wants. In a manifest it is a name of ViewNames, or an object:
//
//	"objects"                                     all of them, in every batch
//	{"rows": "objects", "kind": "ball"}           those of one kind
//	{"rows": "users", "zone": "$stage"}           those in a zone; "$stage" takes the text of the setting "stage"
//	{"rows": "poses", "hz": 10, "zone": "stage"}  heads and hands, ten times a second
//
// Rows of poses are in batches of their own rate only: the plugin is called at that rate even when nothing happened.
type View struct {
	Rows string // of ViewNames
	Kind string // objects: of one kind only, or "$" and the setting that names it; "" is all
	Zone string // users, poses: in one zone only, or "$" and the setting that names it; "" is all
	Hz   int    // poses: how often a second, 1 to MaxPoseHz
}

// MarshalJSON writes a view that only has Rows as a text.
func (v View) MarshalJSON() ([]byte, error) {
	if v == (View{Rows: v.Rows}) {
		return json.Marshal(v.Rows)
	}
	return json.Marshal(struct {
		Rows string `json:"rows"`
		Kind string `json:"kind,omitempty"`
		Zone string `json:"zone,omitempty"`
		Hz   int    `json:"hz,omitempty"`
	}(v))
}

// UnmarshalJSON reads a text or an object without unknown keys.
func (v *View) UnmarshalJSON(b []byte) error {
	*v = View{}
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &v.Rows)
	}
	return decodeObject(b, map[string]any{"rows": &v.Rows, "kind": &v.Kind, "zone": &v.Zone, "hz": &v.Hz})
}

// Resolve returns the view with the texts of settings in place of "$name". The error names the setting that is missing or no text.
func (v View) Resolve(settings []Setting) (View, error) {
	for _, f := range []struct {
		field string
		value *string
	}{{"kind", &v.Kind}, {"zone", &v.Zone}} {
		name, ok := strings.CutPrefix(*f.value, "$")
		if !ok {
			continue
		}
		i := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == name })
		switch {
		case i < 0:
			return v, fmt.Errorf("view of %s: %s is the setting %q, which the rule does not have: add it to the rule's settings", v.Rows, f.field, name)
		case settings[i].Type != SettingText || settings[i].Text == "":
			return v, fmt.Errorf("view of %s: %s is the setting %q, which is not a text: it has to name a %s", v.Rows, f.field, name, f.field)
		}
		*f.value = settings[i].Text
	}
	return v, nil
}

// PoseHz returns the rate of the plugin's views of poses, 0 when it has none.
func (m *Manifest) PoseHz() int {
	for _, v := range m.Views {
		if v.Hz > 0 {
			return v.Hz
		}
	}
	return 0
}

func checkViews(views []View) error {
	if len(views) > MaxViews {
		return fmt.Errorf("manifest: views: %d of them, the limit is %d", len(views), MaxViews)
	}
	for i, v := range views {
		if err := v.check(); err != nil {
			return fmt.Errorf("manifest: views[%d]: %w", i, err)
		}
		for _, w := range views[:i] {
			switch {
			case w.Rows != v.Rows:
			case w == v:
				return fmt.Errorf("manifest: views[%d]: %q is there twice", i, v.Rows)
			case w.Hz != v.Hz:
				return fmt.Errorf("manifest: views[%d]: hz is %d, another view of poses has %d: one rate for all", i, v.Hz, w.Hz)
			case w.Kind+w.Zone == "" || v.Kind+v.Zone == "":
				return fmt.Errorf("manifest: views[%d]: another view has all %s already", i, v.Rows)
			}
		}
	}
	return nil
}

func (v View) check() error {
	kind, ok := ViewNames[v.Rows]
	switch {
	case v.Rows == "":
		return errors.New(`rows is missing: name what the rows are, such as "objects"`)
	case !ok:
		return fmt.Errorf("unknown name %q%s", v.Rows, meant(v.Rows, slices.Sorted(maps.Keys(ViewNames))))
	case v.Kind != "" && kind != RowObject:
		return fmt.Errorf("kind is %q: only views of objects have one", v.Kind)
	case v.Zone != "" && kind != RowUser && kind != RowPose:
		return fmt.Errorf("zone is %q: only views of users and poses have one", v.Zone)
	case v.Kind == "$" || v.Zone == "$":
		return errors.New(`"$" without the name of a setting behind it`)
	case kind == RowPose && (v.Hz < 1 || v.Hz > MaxPoseHz):
		return fmt.Errorf("hz is %d: a view of poses wants 1 to %d", v.Hz, MaxPoseHz)
	case kind != RowPose && v.Hz != 0:
		return fmt.Errorf("hz is %d: only views of poses have a rate, the others are in every batch", v.Hz)
	}
	return nil
}
