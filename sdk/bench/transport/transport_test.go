package transport

import (
	"bufio"
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// A bare server answers clients with packets of its own.
func TestBareServersMovePackets(t *testing.T) {
	for _, kind := range []string{UDP, WebRTC} {
		ctx, cancel := context.WithCancel(context.Background())
		in, out := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, kind, 100, 200, out) }()
		line, err := bufio.NewReader(in).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		go io.Copy(io.Discard, in) //nolint:errcheck // the rest does not matter
		at := strings.TrimSpace(strings.TrimPrefix(line, "at "))
		var c clients
		c.first = make(chan struct{})
		dial := c.dialUDP
		if kind == WebRTC {
			dial = c.dialRTC
		}
		if err := dial(ctx, at); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		go c.all.run(ctx, 40, 200)
		<-c.first
		c.close()
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestExponent(t *testing.T) {
	var rows []GrowthRow
	for _, n := range GrowthUsers {
		rows = append(rows, GrowthRow{Joined: n, Cores: 0.002 * math.Pow(float64(n), 1.25)})
	}
	if e := exponent(rows); math.Abs(e-1.25) > 1e-9 {
		t.Errorf("the exponent is %g, want 1.25", e)
	}
	if e := exponent(rows[:1]); e != 0 {
		t.Errorf("one crowd has the exponent %g", e)
	}
}

func TestMiddleOfSeveralRuns(t *testing.T) {
	for _, c := range []struct {
		ratios []float64
		want   float64
	}{{[]float64{2}, 2}, {[]float64{3, 1}, 3}, {[]float64{1.7, 1.1, 1.3}, 1.3}} {
		var all []*Result
		for _, r := range c.ratios {
			all = append(all, &Result{Ratio: r})
		}
		if r := middle(all); r.Ratio != c.want || len(r.Ratios) != len(c.ratios) || !slices.IsSorted(r.Ratios) {
			t.Errorf("of %v: %v of %v", c.ratios, r.Ratio, r.Ratios)
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []Options{{Users: 0, Duration: 2e9}, {Users: MaxUsers + 1, Duration: 2e9}, {Users: 5}, {Users: 5, Duration: 2e9, Runs: MaxRuns + 1}} {
		if _, err := Run(context.Background(), o); err == nil {
			t.Errorf("%+v was run", o)
		}
	}
}
