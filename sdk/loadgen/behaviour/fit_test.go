package behaviour

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
)

// TestAFittedModelActsLikeItsSource: of a recording whose person grabs every 4 s and speaks 1 s after each grab.
func TestAFittedModelActsLikeItsSource(t *testing.T) {
	dir := t.TempDir()
	path, v := recorded(t, dir, 2*time.Minute)
	m, err := Fit("hall", mustClips(t, path))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "hall.toml"), file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := ParseModel("hall.toml", file.Bytes())
	if err != nil || len(again.Moves) != len(m.Moves) || len(again.Acts) != 2 || again.Acts[1].Topic != "chat" {
		t.Fatalf("read again: %v\n%s", err, file.String())
	}
	d := v.Describe()
	p := plan.Default(1, time.Minute)
	p.Behaviours = []plan.Behaviour{{Kind: plan.Model, Share: 1, File: "hall.toml"}}
	c, err := Open(p, dir, &d)
	if err != nil {
		t.Fatal(err)
	}
	visitor := c.Visitor(0)
	visitor.Pose(time.Second)
	var last Act
	grabs, gaps := 0, map[string]time.Duration{}
	for a, ok := visitor.Next(); ok && a.At < 10*time.Minute; a, ok = visitor.Next() {
		if last.Kind != "" {
			gaps[last.Kind] = a.At - last.At
			if a.Kind == last.Kind {
				t.Fatalf("two acts of %s in a row: the source has none", a.Kind)
			}
		}
		if last = a; a.Kind == plan.Grab {
			grabs++
		}
	}
	if grabs < 140 || grabs > 160 {
		t.Errorf("%d grabs in 10 min, the source has 15 a minute", grabs)
	}
	if g := gaps[plan.Grab].Seconds(); math.Abs(g-1) > 0.1 {
		t.Errorf("%.2f s from a grab to what is said, the source has 1 s", g)
	}
}

func TestModelFilesThatAreWrong(t *testing.T) {
	const good = "[model]\nname = \"m\"\n[[model.move]]\nname = \"a\"\nmotion = \"idle\"\ndwell = [[0, 1], [1, 2]]\n[[model.move.next]]\nto = \"a\"\np = 1.0\n"
	if _, err := ParseModel("m.toml", []byte(good)); err != nil {
		t.Fatal(err)
	}
	for from, x := range map[string][2]string{
		`motion = "idle"`: {`motion = "hop"`, `"hop" is no way to move`}, `to = "a"`: {`to = "b"`, `"b" is no state of this chain`},
		"p = 1.0": {"p = 0.5", "the probabilities add up to 0.5"}, "[[0, 1], [1, 2]]": {"[[0, 1]]", "needs at least two quantiles"},
		"[0, 1]": {"[0]", "give pairs"}, `name = "a"`: {"nam = \"a\"", "nam"},
	} {
		_, err := ParseModel("m.toml", []byte(strings.Replace(good, from, x[0], 1)))
		if err == nil || !strings.Contains(err.Error(), x[1]) || !strings.Contains(err.Error(), "m.toml:") {
			t.Errorf("%s: %v, want %s", x[0], err, x[1])
		}
	}
}

func FuzzParseModel(f *testing.F) {
	f.Add([]byte("[model]\nname = \"m\"\n[[model.move]]\nname = \"a\"\nmotion = \"idle\"\ndwell = [[0, 1], [1, 2]]\n[[model.move.next]]\nto = \"a\"\np = 1.0\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseModel("m.toml", data)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.Write(&out); err != nil {
			t.Fatal(err)
		}
		stage, _ := newStage(hall())
		_, l := m.visit(stage, 1, 1)
		l.pose(time.Second)
		l.next()
	})
}
