package behaviour

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/motion"
)

// session is somebody who walks about for a time, with acts at some seconds.
func session(t *testing.T, d time.Duration, acts ...float64) *Clip {
	t.Helper()
	c := &Clip{Name: "u1", Length: d}
	p := motion.NewPerson(motion.Walk, 5)
	for at := time.Duration(0); at < d; at += time.Second / 30 {
		s := p.Step(1.0 / 30)
		shift(&s, [3]float64{0, 1, 0})
		b, err := s.Body()
		if err != nil {
			t.Fatal(err)
		}
		c.poses = append(c.poses, clipPose{at, b})
	}
	for _, s := range acts {
		c.Acts = append(c.Acts, Act{At: seconds(s), Kind: plan.Grab, Object: "vase"})
	}
	c.close()
	return c
}

// poissonBound is the least k that a Poisson variable of that mean passes with a probability of at most p.
func poissonBound(mean, p float64) int {
	term := math.Exp(-mean)
	below := term
	k := 0
	for 1-below > p {
		k++
		term *= mean / float64(k)
		below += term
	}
	return k
}

// TestCopiesOfOneSessionAreNotInStep: the acts of 100 copies of one session in any second are no more than as many independent people would
// do by chance. Each copy acts at most most times in a second; so many copies as act in one second are a sum of independent rare
// events, which a Poisson variable of the same mean bounds, and all seconds together stay below the bound but for one run in a million.
func TestCopiesOfOneSessionAreNotInStep(t *testing.T) {
	const copies, window, runs = 100, time.Second, 600 // seconds
	for name, acts := range map[string][]float64{"apart": {12, 31, 47.5, 60, 88, 101}, "a burst": {40, 40.1, 40.2, 40.3, 40.4}} {
		c := session(t, 2*time.Minute, acts...)
		stage, _ := newStage(gallery())
		r := replay{[]Clip{*c}, stage}
		count := make([]int, runs)
		for n := range copies {
			_, l := r.visit(9, n)
			for a, ok := l.next(); ok && a.At < runs*window; a, ok = l.next() {
				count[a.At/window]++
			}
		}
		most, active := 0, 0.0 // acts of one copy in a window; share of phases at which it has any
		const step = 10 * time.Millisecond
		for from := time.Duration(0); from < c.Length; from += step {
			n := 0
			for _, a := range c.Acts {
				if a.At >= from && a.At < from+window {
					n++
				}
			}
			most = max(most, n)
			if n > 0 {
				active += float64(step) / float64(c.Length)
			}
		}
		bound := most * poissonBound(copies*active, 1e-6/runs)
		peak, sum := 0, 0
		for _, n := range count {
			peak, sum = max(peak, n), sum+n
		}
		t.Logf("%s: %d copies act %.1f times a second, at most %d; Poisson bound %d; in step it would be %d", name, copies, float64(sum)/runs, peak, bound, copies*most)
		if peak > bound {
			t.Errorf("%s: a peak of %d acts in a second, the Poisson bound is %d", name, peak, bound)
		}
		if want := float64(copies*len(acts)) * runs / c.Length.Seconds(); math.Abs(float64(sum)-want) > 0.02*want {
			t.Errorf("%s: %d acts in all, the copies of the session have %.0f", name, sum, want)
		}
	}
}

func TestCopiesStayOnTheFloorAndAreTurned(t *testing.T) {
	c := session(t, time.Minute)
	stage, _ := newStage(gallery())
	r := replay{[]Clip{*c}, stage}
	places := map[[2]int]bool{}
	for n := range 30 {
		v := &Visitor{N: n, stage: stage}
		_, v.life = r.visit(3, n)
		watch(t, v, 2*time.Minute, func(at time.Duration, b *lattice.Body) {
			if at == 0 {
				x, _, z := b.Head.Pos.Metres()
				places[[2]int{int(math.Floor(x)), int(math.Floor(z))}] = true
			}
		})
	}
	if len(places) < 20 {
		t.Errorf("30 copies begin in %d different square metres", len(places))
	}
}

// TestATurnKeepsTheBody: what is apart stays as far apart, and a head looks along the way that it goes as before.
func TestATurnKeepsTheBody(t *testing.T) {
	c := session(t, 20*time.Second)
	stage, _ := newStage(gallery())
	turn := c.turned(stage, 1.1)
	for i := range c.poses {
		was := sampleOf(&c.poses[i].body)
		is := was
		turn.apply(&is)
		for k, pair := range [][2]motion.Joint{{was.Left, is.Left}, {was.Right, is.Right}} {
			before, after := sub(pair[0].P, was.Head.P), sub(pair[1].P, is.Head.P)
			if math.Abs(before[1]-after[1]) > 1e-9 || math.Abs(math.Hypot(before[0], before[2])-math.Hypot(after[0], after[2])) > 1e-9 {
				t.Fatalf("sample %d: hand %d was at %v from the head, and is at %v", i, k, before, after)
			}
		}
		if d := math.Remainder(heading(is.Head.Q)-heading(was.Head.Q)-1.1, 2*math.Pi); math.Abs(d) > 1e-6 {
			t.Fatalf("sample %d: the head looks %.3f rad beside where it should", i, d)
		}
		// From the head to the right hand, as a heading, turns by the same angle.
		bearing := func(s *motion.Sample) float64 {
			d := sub(s.Right.P, s.Head.P)
			return math.Atan2(-d[0], -d[2])
		}
		if d := math.Remainder(bearing(&is)-bearing(&was)-1.1, 2*math.Pi); math.Abs(d) > 1e-6 {
			t.Fatalf("sample %d: the hand is turned by %.3f rad too much", i, d)
		}
	}
}

// heading is the yaw of what looks along -z.
func heading(q [4]float64) float64 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	fx, fz := -2*(x*z+w*y), -(1 - 2*(x*x+y*y))
	return math.Atan2(-fx, -fz)
}

// TestOnlyFlatStretchesAreCutDown: a long quiet in which somebody stands is shortened; gaps between acts while they walk, and short
// quiets, keep their length.
func TestOnlyFlatStretchesAreCutDown(t *testing.T) {
	walk := session(t, 90*time.Second)
	still := walk.poses[len(walk.poses)-1].body
	c := &Clip{Length: 10*time.Minute + 3*time.Minute, poses: walk.poses}
	for at := 90 * time.Second; at < 10*time.Minute+90*time.Second; at += time.Second / 30 {
		c.poses = append(c.poses, clipPose{at, still})
	}
	for i := range walk.poses {
		p := walk.poses[len(walk.poses)-1-i]
		c.poses = append(c.poses, clipPose{walk.poses[i].at + 10*time.Minute + 90*time.Second, p.body})
	}
	for _, s := range []float64{5, 33, 89, 692, 700, 779} {
		c.Acts = append(c.Acts, Act{At: seconds(s), Kind: plan.Grab})
	}
	before := append([]Act(nil), c.Acts...)
	c.shorten(KeepStill)
	if want := 3*time.Minute + KeepStill; c.Length < want-3*time.Second || c.Length > want+time.Second {
		t.Errorf("10 min of standing within 13 min are cut to %v in all, want %v", c.Length, want)
	}
	if len(c.Acts) != len(before) {
		t.Fatalf("%d acts, were %d", len(c.Acts), len(before))
	}
	for i := range before {
		if i > 0 && i != 3 {
			if was, is := before[i].At-before[i-1].At, c.Acts[i].At-c.Acts[i-1].At; was != is {
				t.Errorf("acts %d and %d were %v apart and are %v apart", i-1, i, was, is)
			}
		}
	}
	for i := 1; i < len(c.poses); i++ {
		if c.poses[i].at <= c.poses[i-1].at {
			t.Fatalf("pose %d is at %v, the one before it at %v", i, c.poses[i].at, c.poses[i-1].at)
		}
	}
}

func TestPosesFromAFile(t *testing.T) {
	var lines strings.Builder
	p := motion.NewPerson(motion.Walk, 2)
	for i := range 30 * 20 {
		s := p.Step(1.0 / 30)
		joint := func(j *motion.Joint) string {
			return fmt.Sprintf(`{"p":[%g,%g,%g],"q":[%g,%g,%g,%g]}`, j.P[0], j.P[1], j.P[2], j.Q[0], j.Q[1], j.Q[2], j.Q[3])
		}
		fmt.Fprintf(&lines, `{"u":1,"t":%g,"head":%s,"left":%s,"right":%s}`+"\n", float64(i)*1000/30, joint(&s.Head), joint(&s.Left), joint(&s.Right))
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "walk.jsonl"), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	pl := plan.Default(1, time.Minute)
	pl.Behaviours = []plan.Behaviour{{Kind: plan.Replayed, Share: 1, File: "walk.jsonl"}}
	c, err := Open(pl, dir, gallery())
	if err != nil {
		t.Fatal(err)
	}
	v := c.Visitor(0)
	watch(t, v, time.Minute, nil)
	if _, acts := v.Next(); acts {
		t.Error("a file of poses has acts")
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.jsonl"), []byte(`{"u":1,"t":0,"head":{"p":[1,2]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	pl.Behaviours[0].File = "bad.jsonl"
	want := "load.behaviour[0]: " + filepath.Join(dir, "bad.jsonl") + ": line 1: head.p: 2 numbers, want 3 (metres)"
	if _, err := Open(pl, dir, gallery()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestAReplayWalksBackToWhereItMeantToBe: the venue's word moves the visitor at once, and it goes on foot from there.
func TestAReplayWalksBackToWhereItMeantToBe(t *testing.T) {
	stage, _ := newStage(gallery())
	r := replay{[]Clip{*session(t, time.Minute)}, stage}
	v := &Visitor{stage: stage}
	_, v.life = r.visit(3, 0)
	far := func(at time.Duration) float64 {
		_, l := r.visit(3, 0)
		x, _, z := func() (float64, float64, float64) { b := v.Pose(at); return b.Head.Pos.Metres() }()
		p := l.pose(at).Head.P
		return math.Hypot(p[0]-x, p[2]-z)
	}
	v.Pose(0)
	there, _ := lattice.VecFromMetres(28, 2.6, 18)
	v.Placed(0, there)
	if far(0) < 3 {
		t.Fatal("the seed of this test places the copy where the venue does")
	}
	d0 := far(0)
	for at := time.Duration(0); at < 5*time.Second; at += time.Second / 30 {
		v.Pose(at)
	}
	if d := far(5 * time.Second); math.Abs(d0-d-5*catchUp) > 0.1 {
		t.Errorf("5 s after it was %.1f m away it is %.1f m away, want %.1f", d0, d, d0-5*catchUp)
	}
}
