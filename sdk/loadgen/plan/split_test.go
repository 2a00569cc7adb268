package plan

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestPartsAddUpToThePlan: visitors exactly and at every moment, actions in number.
func TestPartsAddUpToThePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Default(1, time.Second)
		p.Curve = genCurve.Draw(t, "curve")
		p.Duration = p.Curve.End() + time.Second
		of := rapid.IntRange(1, 7).Draw(t, "parts")
		at := time.Duration(rapid.Int64Range(0, int64(p.Duration)).Draw(t, "at"))
		sum, flights := 0, 0
		for n := range of {
			part := p.Split(n, of)
			sum, flights = sum+part.There(at), flights+part.MaxInFlight
			if err := part.Validate(); err != nil {
				t.Fatal(err)
			}
		}
		if want := p.There(at); sum != want {
			t.Fatalf("at %v %d parts have %d users together, the plan %d", at, of, sum, want)
		}
		if flights != p.MaxInFlight {
			t.Fatalf("%d in flight together, the plan has %d", flights, p.MaxInFlight)
		}
	})
}

func TestPartsActAsOftenAsThePlan(t *testing.T) {
	p := Default(400, 10*time.Minute)
	p.Think = Dist{Kind: Exponential, Mean: 10 * time.Second}
	count := func(p *Plan) (n int, first time.Duration) {
		a := p.Arrivals()
		for d, ok := a.Next(); ok; d, ok = a.Next() {
			if n == 0 {
				first = d.At
			}
			n++
		}
		return n, first
	}
	const want = 400 * 600 / 10
	sum, firsts := 0, map[time.Duration]bool{}
	for n := range 3 {
		k, first := count(p.Split(n, 3))
		sum, firsts[first] = sum+k, true
	}
	if math.Abs(float64(sum-want)) > 5*math.Sqrt(want) {
		t.Errorf("three parts have %d actions, want about %d", sum, want)
	}
	if len(firsts) != 3 {
		t.Errorf("parts are in step: first actions at %v", firsts)
	}
}
