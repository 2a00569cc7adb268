package plan

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var genCurve = rapid.Custom(func(t *rapid.T) Curve {
	var c Curve
	at := time.Duration(rapid.Int64Range(0, 5_000).Draw(t, "first")) * time.Millisecond
	for range rapid.IntRange(1, 6).Draw(t, "points") {
		c = append(c, Point{at, float64(rapid.IntRange(0, 300).Draw(t, "users"))})
		at += time.Duration(rapid.Int64Range(1, 20_000).Draw(t, "gap")) * time.Millisecond
	}
	c[rapid.IntRange(0, len(c)-1).Draw(t, "somebody")].Users = 10
	return c
})

func TestCurveBetweenAndOutside(t *testing.T) {
	c := Curve{{10 * time.Second, 100}, {20 * time.Second, 300}, {30 * time.Second, 0}}
	for at, want := range map[time.Duration]float64{
		0: 100, 10 * time.Second: 100, 15 * time.Second: 200, 20 * time.Second: 300, 25 * time.Second: 150, 30 * time.Second: 0, time.Hour: 0,
	} {
		if got := c.At(at); got != want {
			t.Errorf("at %v %v users, want %v", at, got, want)
		}
	}
	// 10 s of 100, 10 s of 200 on average, 10 s of 150 on average.
	if got := c.UserSeconds(time.Minute); got != 4500 {
		t.Errorf("%v user-seconds, want 4500", got)
	}
}

func TestIntegralAgainstSumming(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genCurve.Draw(t, "curve")
		end := time.Duration(rapid.Int64Range(1, 150_000).Draw(t, "end")) * time.Millisecond
		const steps = 20_000
		sum := 0.0
		for i := range steps {
			sum += c.At(end*time.Duration(2*i+1)/(2*steps)) * end.Seconds() / steps
		}
		if got := c.UserSeconds(end); math.Abs(got-sum) > 0.05*end.Seconds() {
			t.Fatalf("%v user-seconds until %v, summed up %v", got, end, sum)
		}
	})
}

func TestReachesIsTheInverseOfTheIntegral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genCurve.Draw(t, "curve")
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		end := c.End() + time.Duration(rapid.Int64Range(1, 60_000).Draw(t, "after"))*time.Millisecond
		all := c.UserSeconds(end)
		want := all * rapid.Float64Range(0.001, 0.999).Draw(t, "share")
		at, ok := c.reaches(want, end)
		if !ok {
			t.Fatalf("%v of %v user-seconds not reached before %v", want, all, end)
		}
		if got := c.UserSeconds(at); math.Abs(got-want) > 1e-3 {
			t.Fatalf("at %v there are %v user-seconds, want %v", at, got, want)
		}
		if at, ok := c.reaches(all*1.001+1, end); ok {
			t.Fatalf("more than all there are reached at %v", at)
		}
	})
}

func TestArrivalsAreAPoissonProcessOfThePlannedRate(t *testing.T) {
	p := Default(0, 0)
	p.Curve = Curve{{0, 0}, {100 * time.Second, 400}, {300 * time.Second, 400}}
	p.Duration = 300 * time.Second
	p.Think = Dist{Kind: Exponential, Mean: 2 * time.Second}
	if err := p.Validate(); err != nil {
		t.Fatal(err)
	}
	a := p.Arrivals()
	perSecond := make([]float64, 300)
	kinds := map[string]int{}
	last, n := time.Duration(0), 0
	for {
		d, ok := a.Next()
		if !ok {
			break
		}
		if d.At < last || d.At >= p.Duration || d.N != n {
			t.Fatalf("action %d due at %v, after one at %v", d.N, d.At, last)
		}
		last = d.At
		n++
		kinds[d.Action]++
		perSecond[int(d.At.Seconds())]++
	}
	want := p.Curve.UserSeconds(p.Duration) / 2
	if math.Abs(float64(n)-want) > 4*math.Sqrt(want) {
		t.Errorf("%d actions, %v planned", n, want)
	}
	// On the plateau a second's count has the mean 200 and, being Poisson, the same variance.
	flat := perSecond[100:]
	mean, variance := 0.0, 0.0
	for _, x := range flat {
		mean += x / float64(len(flat))
	}
	for _, x := range flat {
		variance += (x - mean) * (x - mean) / float64(len(flat)-1)
	}
	if mean < 195 || mean > 205 || variance/mean < 0.7 || variance/mean > 1.4 {
		t.Errorf("a second has %v actions with variance %v; a Poisson process of the plan has 200 of both", mean, variance)
	}
	sum := 0.0
	for _, act := range p.Actions {
		sum += act.Weight
	}
	for _, act := range p.Actions {
		want := float64(n) * act.Weight / sum
		if got := float64(kinds[act.Kind]); math.Abs(got-want) > 5*math.Sqrt(want) {
			t.Errorf("%v of %s, want about %v", got, act.Kind, want)
		}
	}
}

func TestTheSamePlanIsDueAtTheSameMoments(t *testing.T) {
	list := func(seed uint64) (out []Due) {
		p := Default(50, 20*time.Second)
		p.Seed = seed
		for a := p.Arrivals(); ; {
			d, ok := a.Next()
			if !ok {
				return out
			}
			out = append(out, d)
		}
	}
	if a, b := list(7), list(7); !slices.Equal(a, b) || len(a) == 0 {
		t.Error("the same seed gave other moments")
	}
	if slices.Equal(list(7), list(8)) {
		t.Error("another seed gave the same moments")
	}
}

func TestVisitorsFollowTheCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Default(1, time.Second)
		p.Curve = genCurve.Draw(t, "curve")
		p.Duration, p.Tick = p.Curve.End()+time.Second, 50*time.Millisecond
		there := map[int]bool{}
		changes := p.Visitors()
		for i := 0; i < len(changes); {
			at := changes[i].At
			for ; i < len(changes) && changes[i].At == at; i++ {
				if c := changes[i]; there[c.N] == c.Comes {
					t.Fatalf("%+v, but that is so already", c)
				}
				there[changes[i].N] = changes[i].Comes
				if !changes[i].Comes {
					delete(there, changes[i].N)
				}
			}
			if want := int(p.Curve.At(at) + 0.5); len(there) != want {
				t.Fatalf("at %v %d visitors, want %d", at, len(there), want)
			}
		}
	})
}

func TestDrawsHaveTheMeanTheyState(t *testing.T) {
	for _, d := range []Dist{
		{Kind: Fixed, Mean: time.Second},
		{Kind: Uniform, Min: time.Second, Max: 3 * time.Second},
		{Kind: Exponential, Mean: 2 * time.Second},
		{Kind: LogNormal, Median: time.Second, P95: 4 * time.Second},
		{Kind: Measured, Quantiles: []Quantile{{0, time.Second}, {0.5, 2 * time.Second}, {1, 10 * time.Second}}},
		{Kind: Measured, Quantiles: []Quantile{{0.1, time.Second}, {0.9, 2 * time.Second}}},
	} {
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, 2))
		sum, n := 0.0, 200_000
		for range n {
			v := d.Draw(rng)
			if v <= 0 {
				t.Fatalf("%+v drew %v", d, v)
			}
			sum += v.Seconds()
		}
		if got, want := sum/float64(n), d.Mu().Seconds(); math.Abs(got-want) > 0.03*want {
			t.Errorf("%s: the mean of draws is %v s, stated is %v s", d.Kind, got, want)
		}
	}
}

func TestFromSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	source := Dist{Kind: LogNormal, Median: time.Second, P95: 3 * time.Second}
	var list []time.Duration
	for range 5000 {
		list = append(list, source.Draw(rng))
	}
	d, err := FromSamples(list, 100)
	if err != nil || d.Check() != nil {
		t.Fatal(err, d.Check())
	}
	if got, want := d.Mu().Seconds(), source.Mu().Seconds(); math.Abs(got-want) > 0.1*want {
		t.Errorf("a mean of %v s, the samples' source has %v s", got, want)
	}
	if _, err := FromSamples([]time.Duration{0, -1, 5}, 10); err == nil {
		t.Error("one value made a distribution")
	}
}

func TestArrivalRate(t *testing.T) {
	if r, err := ArrivalRate(300, 6*time.Second); r != 50 || err != nil {
		t.Errorf("300 users who think 6 s: %v actions a second, %v", r, err)
	}
	for _, c := range []struct {
		users float64
		think time.Duration
	}{{1, 0}, {1, -time.Second}, {-1, time.Second}, {math.NaN(), time.Second}, {math.Inf(1), time.Second}} {
		if r, err := ArrivalRate(c.users, c.think); err == nil {
			t.Errorf("%v users who think %v make %v actions a second", c.users, c.think, r)
		}
	}
}

const goodFile = `
[load]
name = "opening"
curve = [[0, 0], [60, 200], [120, 200]]
duration_s = 130
max_in_flight = 400
loop = "both"
[load.think]
kind = "uniform"
min_s = 1
max_s = 5
[[load.action]]
kind = "grab"
weight = 3
[[load.behaviour]]
kind = "replayed"
share = 1
file = "night.vrec"
[[load.gate]]
figure = "grab.end_to_end_ms.p99"
max = 250
`

func TestParse(t *testing.T) {
	p, err := Parse("load.toml", []byte(goodFile))
	if err != nil {
		t.Fatal(err)
	}
	if p.Duration != 130*time.Second || p.Curve.At(30*time.Second) != 100 || p.Loop != Both || len(p.Actions) != 1 || *p.Gates[0].Max != 250 || p.Gates[0].Min != nil {
		t.Errorf("read as %+v", p)
	}
}

func TestBadPlansAreRefusedByNameAndLine(t *testing.T) {
	for _, c := range []struct{ old, with, want string }{
		{`curve = [[0, 0], [60, 200], [120, 200]]`, `curve = []`, "load.toml:4: load.curve: the curve has no points"},
		{`[60, 200]`, `[0, 200]`, "times ascend"},
		{`[60, 200]`, `[60, -1]`, "load.toml:4: load.curve: point 2 of the curve has -1 users"},
		{`[60, 200]`, `[60]`, "load.curve[1]: 1 numbers; give two: [seconds, users]"},
		{`[[0, 0], [60, 200], [120, 200]]`, `[[0, 0]]`, "never has a user"},
		{`duration_s = 130`, `duration_s = 100`, "load.toml:5: load.duration_s: the run ends after 1m40s, the curve after 2m0s"},
		{`min_s = 1`, `min_s = 0`, "load.think: the least value of a uniform distribution is 0s, want more than 0"},
		{`kind = "uniform"`, `kind = "normal"`, `"normal" is no kind of distribution`},
		{`max_in_flight = 400`, `max_in_flight = 0`, "load.max_in_flight: 0 actions in flight"},
		{`kind = "grab"`, `kind = "dance"`, `load.action[0].kind: "dance" is no kind of action`},
		{`weight = 3`, `weight = 0`, "a weight of 0"},
		{`kind = "replayed"`, `kind = "recorded"`, `"recorded" is no behaviour`},
		{`file = "night.vrec"`, ``, "a replayed behaviour without a file"},
		{`grab.end_to_end_ms.p99`, `grab.latency`, `"grab.latency" is no figure of a report`},
		{`max = 250`, ``, "bounds nothing"},
		{`loop = "both"`, `loop = "round"`, `"round" is no loop`},
		{`loop = "both"`, `lop = "both"`, "loop"},
		{`min_s = 1
max_s = 5`, `min_s = 0.000001
max_s = 0.000002`, "actions a second"},
	} {
		_, err := Parse("load.toml", []byte(strings.Replace(goodFile, c.old, c.with, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %q: %v\nwant it to say %q", c.with, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(goodFile))
	f.Add([]byte("[load]\ncurve=[[0,1e300],[1,nan]]\n[load.think]\nkind=\"measured\"\nquantiles=[[0,1],[1,0]]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse("load.toml", data)
		if err != nil {
			return
		}
		a := p.Arrivals()
		for range 100 {
			d, ok := a.Next()
			if !ok {
				break
			}
			if d.At < 0 || d.At >= p.Duration {
				t.Fatalf("due at %v of %v", d.At, p.Duration)
			}
		}
	})
}

// The plan that docs/load.md shows is a good one.
func TestThePlanOfTheDocument(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "load.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "## A plan\n")
	if !ok {
		t.Fatal("docs/load.md has no section about a plan")
	}
	var lines []string
	for line := range strings.Lines(after) {
		if code, ok := strings.CutPrefix(line, "    "); ok || strings.TrimSpace(line) == "" {
			lines = append(lines, code)
		} else {
			break
		}
	}
	p, err := Parse("docs/load.md", []byte(strings.Join(lines, "")))
	if err != nil || p.Name != "opening night" || len(p.Gates) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
}
