package behaviour

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// gallery is the hall with things in it.
func gallery() *venues.Description {
	d := hall()
	d.Objects = []venues.ObjectDescription{{Name: "vase"}, {Name: "mask"}}
	d.Doors = []venues.DoorDescription{{Name: "gate"}}
	d.Zones = []venues.AreaDescription{{Name: "stage"}}
	return d
}

const round = `# a guide's round
spread 0
start 0 0
wait 2
grab vase left
walk 5 0 in 4      # slowly
release left
be talk
repeat 3
  say tour {"stop": 1}
  wait 1 to 1
end
teleport stage
leave
`

func TestScriptIsKnownInAdvance(t *testing.T) {
	s, err := ParseScript("round.txt", []byte(round), gallery())
	if err != nil {
		t.Fatal(err)
	}
	stage, _ := newStage(gallery())
	_, l := s.visit(stage, 1, 0)
	var got []string
	for a, ok := l.next(); ok; a, ok = l.next() {
		got = append(got, strings.TrimSpace(a.At.String()+" "+a.Kind+" "+a.Object+a.Zone+a.Topic+string(a.Payload)))
	}
	want := []string{"2s grab vase", "6s release", `6s rule tour{"stop": 1}`, `7s rule tour{"stop": 1}`, `8s rule tour{"stop": 1}`, "9s teleport stage"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("acts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for at, x := range map[time.Duration]float64{time.Second: 0, 8 * time.Second: 5} {
		_, l := s.visit(stage, 1, 0)
		if p := l.pose(at).Head.P; math.Abs(p[0]-x) > 0.4 || math.Abs(p[2]) > 0.4 {
			t.Errorf("after %v the head is at (%.2f, %.2f), want (%v, 0)", at, p[0], p[2], x)
		}
	}
}

func TestLoopingScriptsAreNotInStep(t *testing.T) {
	s, err := ParseScript("loop.txt", []byte("loop\nwait 10\nsay hello\n"), gallery())
	if err != nil {
		t.Fatal(err)
	}
	stage, _ := newStage(gallery())
	tenths := map[int]int{}
	for n := range 100 {
		_, l := s.visit(stage, 7, n)
		first, _ := l.next()
		second, _ := l.next()
		if gap := second.At - first.At; gap != 10*time.Second {
			t.Fatalf("visitor %d acts %v apart, want 10 s", n, gap)
		}
		tenths[int(first.At/time.Second)]++
	}
	for tenth, n := range tenths {
		if n > 25 {
			t.Errorf("%d of 100 visitors act first in second %d", n, tenth)
		}
	}
}

func TestScriptsThatAreWrong(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"", "s.txt:1: the script does nothing: give at least one instruction, such as: wait 10"},
		{"wait 1\nwiat 2", `s.txt:2: "wiat" is no instruction; did you mean "wait"?`},
		{"wait x", `s.txt:1: the time is "x": give a number`},
		{"wait -1", "s.txt:1: the time is -1: give 0 to 86400"},
		{"wait 3 to 2", "s.txt:1: it waits 3 to 2 s: give the shorter time first"},
		{"walk 1 1", "s.txt:1: walk before start: say with start X Z where the script begins, so that it is known how long the walk takes"},
		{"start 0 0\nwalk 10 0 in 2", "s.txt:2: 10.0 m in 2 s is 5.0 m/s: nobody walks faster than 2.5 m/s"},
		{"start 100 0", "s.txt:1: (100, 0) is on no floor of the venue hall: the floor ground reaches from (-10, -20) to (30, 20)"},
		{"grab vaze", `s.txt:1: the venue hall has no object "vaze"; did you mean "vase"?`},
		{"door gaet", `s.txt:1: the venue hall has no door "gaet"; did you mean "gate"?`},
		{"repeat 3\nwait 1", `s.txt:1: repeat without an end: add a line "end" after what is repeated`},
		{"wait 1\nend", "s.txt:2: end without a repeat"},
		{"repeat 3\ngrab\nend\nwait 1", "s.txt:3: one turn of the repeat of line 1 takes 0 s: give it a wait or a walk, at least 0.1 s in all"},
		{"repeat 0\nwait 1\nend", `s.txt:1: "0" times: give a whole number, 1 to 10000`},
		{"loop\nresume", "s.txt:2: one turn of the loop takes 0 s: give it a wait or a walk, at least 0.1 s in all"},
		{"loop\nwait 5\nleave", "s.txt:3: a script that loops never ends: take out loop or leave"},
		{"be danse", `s.txt:1: "danse" is no way to move; did you mean "dance"?`},
		{"say", "s.txt:1: no topic: the form is: say TOPIC [PAYLOAD]"},
		{"resume now", `s.txt:1: "now" follows: the instruction stands alone`},
		{"wait \xff", "s.txt:1: the script is not UTF-8 text"},
	} {
		_, err := ParseScript("s.txt", []byte(c.script), gallery())
		if err == nil || err.Error() != c.want {
			t.Errorf("%q:\n got %v\nwant %s", c.script, err, c.want)
		}
	}
	_, err := ParseScript("s.txt", []byte("wait x\nhop\nend"), gallery())
	if list, ok := err.(ScriptErrors); !ok || len(list) != 3 {
		t.Errorf("three things are wrong, said: %v", err)
	}
}

func TestOpenNamesTheBehaviourAndItsFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tour.txt"), []byte("wait 1\nhop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"tour.txt": `load.behaviour[1]: tour.txt:2: "hop" is no instruction`, "none.txt": "load.behaviour[1]: open " + filepath.Join(dir, "none.txt"),
	} {
		p := plan.Default(1, time.Minute)
		p.Behaviours = append(p.Behaviours, plan.Behaviour{Kind: plan.Scripted, Share: 1, File: file})
		if _, err := Open(p, dir, gallery()); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s ...", file, err, want)
		}
	}
}

func FuzzParseScript(f *testing.F) {
	f.Add(round)
	f.Add("loop\nstart 1 1\nwalk 2 2\nrepeat 2\nrepeat 2\nwait 0.1\nbad\nend\nend\n")
	stage, _ := newStage(gallery())
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScript("s.txt", []byte(text), gallery())
		if err != nil {
			return
		}
		_, l := s.visit(stage, 1, 1)
		last := time.Duration(0)
		for range 200 {
			a, ok := l.next()
			if !ok {
				break
			}
			if a.At < last || a.Kind == "" {
				t.Fatalf("act %+v after one at %v", a, last)
			}
			last = a.At
		}
		l.pose(2 * time.Second)
	})
}
