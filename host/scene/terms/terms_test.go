package terms

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/venues"
)

const hall = `
[venue]
id = "hall"
name = "Hall"
[venue.limits]
users = 10
[[floor]]
name = "ground"
min = [0.0, 0.0]
max = [20.0, 10.0]
[[cut]]
axis = "x"
at = 10
[[spawn]]
name = "door"
at = [5.0, 5.0]
[[kind]]
name = "cup"
[[kind]]
name = "ball"
[[object]]
name = "cup"
kind = "cup"
at = [1.0, 1.0, 1.0]
[[object]]
name = "ball"
kind = "ball"
at = [2.0, 1.0, 1.0]
[[object]]
name = "far-ball"
kind = "ball"
at = [12.0, 1.0, 1.0]
[[zone]]
name = "stage"
min = [1.0, 1.0]
max = [2.0, 2.0]
[[zone]]
name = "pit"
min = [3.0, 1.0]
max = [4.0, 2.0]
`

func venue(t *testing.T, rule string) *venues.Venue {
	t.Helper()
	v, err := venues.Read("hall.toml", []byte(hall+"[[rule]]\nname = \"quiz\"\nplugin = \"p\"\n"+rule), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestViews(t *testing.T) {
	m := &abi.Manifest{Name: "quiz", Version: "1.0.0", Events: []string{"message"}, Views: []abi.View{
		{Rows: "objects", Kind: "$what"}, {Rows: "objects", Kind: "cup"}, {Rows: "users", Zone: "stage"}, {Rows: "poses", Hz: 5, Zone: "$where"}, {Rows: "zones"},
	}}
	v := venue(t, "[rule.settings]\nwhat = \"ball\"\nwhere = \"pit\"\n")
	got, err := Of(v, 0, m)
	if err != nil {
		t.Fatal(err)
	}
	want := Views{Objects: Filter{Of: []int{0, 1}}, Users: Filter{Of: []int{0}}, Poses: Filter{Of: []int{1}}, Zones: true, Hz: 5}
	if d := cmp.Diff(want, got.Views); d != "" {
		t.Error(d)
	}
	// Two objects here, ten users once and three times, two zones.
	if n := got.Rows(v, 0); n != 2+10+30+2 {
		t.Errorf("up to %d rows", n)
	}
	if n := got.Rows(v, 1); n != 1+10+30 {
		t.Errorf("up to %d rows in the other region", n)
	}
	if f := got.Views.Users; !f.HasAny([]int{0}) || f.HasAny([]int{1}) || f.HasAny(nil) {
		t.Errorf("the filter %+v", f)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		rule     string
		manifest abi.Manifest
		want     string
	}{
		{"", abi.Manifest{Views: []abi.View{{Rows: "objects", Kind: "bal"}}}, `rule quiz: view of objects: no kind is called "bal": did you mean "ball"?`},
		{"[rule.settings]\nzone = \"stages\"\n", abi.Manifest{Views: []abi.View{{Rows: "poses", Hz: 5, Zone: "$zone"}}},
			`view of poses: no zone is called "stages", as the setting "zone" says: did you mean "stage"?`},
		{"", abi.Manifest{Views: []abi.View{{Rows: "users", Zone: "$zone"}}}, `the setting "zone"`},
		{"[rule.settings]\nzone = 4\n", abi.Manifest{Views: []abi.View{{Rows: "users", Zone: "$zone"}}}, `the setting "zone"`},
		{`allow = ["emit"]`, abi.Manifest{Commands: []string{"emit", "teleport", "score"}}, `plugin q@1.0.0 wants commands that the venue does not allow it: teleport, score; add them to allow`},
		{`topics = ["quizz"]`, abi.Manifest{Topics: []string{"quiz"}}, `topic "quizz" is not one that plugin q@1.0.0 takes: did you mean "quiz"?`},
		{`topics = ["quiz"]`, abi.Manifest{Events: []string{"join"}}, `takes no messages`},
	} {
		m := c.manifest
		m.Name, m.Version = "q", "1.0.0"
		if m.Events == nil {
			m.Events = []string{"message"}
		}
		if _, err := Of(venue(t, c.rule), 0, &m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.rule, err, c.want)
		}
	}
}

func TestTopicsStateAndLimits(t *testing.T) {
	m := &abi.Manifest{Events: []string{"message"}, Topics: []string{"quiz", "hint"}, StateBytes: 1000, Timers: 7,
		State: []abi.StateKey{{Key: "p-*", Scope: "user"}}}
	got, err := Of(venue(t, `topics = ["hint"]`), 0, m)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Takes("hint") || got.Takes("quiz") || got.MaxState != 1000 || got.MaxTimers != 7 {
		t.Errorf("the terms are %+v", got)
	}
	if !got.Declares(abi.ScopeUser, "p-1") || got.Declares(abi.ScopeUser, "q") || got.Declares(abi.ScopeRegion, "p-1") {
		t.Error("other keys are declared")
	}
	free, err := Of(venue(t, ""), 0, &abi.Manifest{Events: []string{"message"}})
	if err != nil {
		t.Fatal(err)
	}
	if !free.Takes("anything") || !free.Declares(abi.ScopeUser, "q") || free.MaxState != abi.MaxState || free.MaxTimers != abi.MaxTimers {
		t.Errorf("without wishes the terms are %+v", free)
	}
}

// TestPosesDue: in a second there are as many batches of poses as asked for, evenly.
func TestPosesDue(t *testing.T) {
	for _, hz := range []int{1, 7, 10, 20, 30} {
		for phase := range uint64(25) {
			terms := &Terms{Views: Views{Hz: hz}}
			n, last, gap := 0, uint64(0), uint64(0)
			for tick := uint64(1000); tick < 1020; tick++ {
				if terms.PosesDue(tick, phase, 20) {
					n++
					if last > 0 {
						gap = max(gap, tick-last)
					}
					last = tick
				}
			}
			if want := min(hz, 20); n != want || gap > uint64((20+want-1)/want) {
				t.Errorf("%d Hz, phase %d: %d batches, up to %d ticks apart", hz, phase, n, gap)
			}
		}
	}
	if (&Terms{}).PosesDue(5, 0, 20) {
		t.Error("poses without a rate")
	}
}
