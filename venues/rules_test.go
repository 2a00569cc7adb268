package venues_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/samples"
)

// ruled is a venue with three kinds and these rules.
func ruled(t *testing.T, rules string) *venues.Venue {
	t.Helper()
	text := `
[venue]
id = "hall"
name = "Hall"
[[floor]]
name = "ground"
min = [0.0, 0.0]
max = [10.0, 10.0]
[[spawn]]
name = "door"
at = [5.0, 5.0]
[[kind]]
name = "cup"
[[kind]]
name = "ball"
[[kind]]
name = "bell"
` + rules
	v, err := venues.Read("hall.toml", []byte(text), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestRuleGrants(t *testing.T) {
	v := ruled(t, `
[[rule]]
plugin = "grab"
[[rule]]
name = "quiz"
plugin = "score"
topics = ["quiz", "hint"]
allow = []
class = "large"
on_quarantine = "fallback:grab"
[[rule]]
plugin = "bell"
allow = ["emit"]
on_quarantine = "freeze"
`)
	type grants struct {
		Topics, Allow []string
		Class         abi.Class
		Freeze        bool
		Fallback      int
		Line          int
	}
	var got []grants
	for _, r := range v.Rules {
		got = append(got, grants{r.Topics, r.Allow, r.Class, r.Freeze, r.Fallback, r.Line})
	}
	want := []grants{
		{nil, nil, abi.ClassSmall, false, -1, 19},
		{[]string{"quiz", "hint"}, []string{}, abi.ClassLarge, false, 0, 21},
		{nil, []string{"emit"}, abi.ClassSmall, true, -1, 28},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConflicts(t *testing.T) {
	plugin := func(events []string, topics ...string) *abi.Manifest {
		return &abi.Manifest{Events: events, Topics: topics}
	}
	grabs, uses, says := []string{"grab"}, []string{"use", "grab"}, []string{"message"}
	for _, c := range []struct {
		name, rules string
		manifests   []*abi.Manifest
		want        string // "" for none
	}{
		{"different requests", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\n", []*abi.Manifest{plugin(grabs), plugin([]string{"use"})}, ""},
		{"the same requests", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\n", []*abi.Manifest{plugin(grabs), plugin(uses)},
			`hall.toml:20: rule[1]: rule "bell" and rule "grab" (line 18) both decide grab requests for objects of kind "cup"; name the kinds of one of them in kinds`},
		{"kinds named in one", "[[rule]]\nplugin = \"grab\"\nkinds = [\"cup\", \"ball\", \"bell\"]\n[[rule]]\nplugin = \"bell\"\n",
			[]*abi.Manifest{plugin(grabs), plugin(uses)}, ""},
		{"a plugin that is not known", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\n", []*abi.Manifest{plugin(grabs), nil}, ""},
		{"one topic named by both plugins", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\n",
			[]*abi.Manifest{plugin(says, "quiz"), plugin(says, "hint", "quiz")}, `both take messages of topic "quiz"; name the topics of one of them in topics`},
		{"narrowed by the venue", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\ntopics = [\"hint\"]\n",
			[]*abi.Manifest{plugin(says, "quiz"), plugin(says, "hint", "quiz")}, ""},
		{"all topics beside one", "[[rule]]\nplugin = \"grab\"\n[[rule]]\nplugin = \"bell\"\n",
			[]*abi.Manifest{{Events: says}, plugin(says, "quiz")}, ""},
	} {
		got := ruled(t, c.rules).Conflicts(c.manifests).Err()
		if c.want == "" && got != nil || c.want != "" && (got == nil || !strings.Contains(got.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, got, c.want)
		}
	}
}

// A manifest made in Go need not name what has a default.
func TestRuleDefaultsInGo(t *testing.T) {
	m, err := venues.Parse("divided", samples.Divided, venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m.Rules[0].Class, m.Rules[0].OnQuarantine = "", ""
	v, err := venues.Compile(m, venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := v.Rules[0]; r.Class != abi.ClassSmall || r.Freeze || r.Fallback != -1 || r.Line != 0 {
		t.Errorf("the rule is %+v", r)
	}
}
