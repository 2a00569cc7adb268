package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/loadgen/simulate"
)

func ptr(x float64) *float64 { return &x }

// overloaded is the report of a server that does half of what is planned, by both loops.
func overloaded(t *testing.T) *Report {
	t.Helper()
	p := plan.Default(80, 60*time.Second)
	p.Name = "too <much>"
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: 2 * time.Second}
	p.Timeout, p.Loop = time.Hour, plan.Both
	p.Gates = []plan.Gate{{Figure: "all.end_to_end_ms.p99", Max: ptr(250)}, {Figure: "all.success_rate", Min: ptr(0.9)}, {Figure: "teleport.success_rate", Min: ptr(0.9)}}
	r := &Report{Name: p.Name, Plan: NewPlanned(p)}
	server := &simulate.Server{Slots: 1, Service: plan.Dist{Kind: plan.Exponential, Mean: 50 * time.Millisecond}}
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		set, err := simulate.Run(p, server, loop, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		r.Loops = append(r.Loops, NewLoop(loop, set, p.Duration))
	}
	r.Server = []Server{{AtS: 0, CPU: 0.5, TickP99: 3, MemMB: 80}, {AtS: 5, CPU: 0.9, TickP99: 8, MemMB: 90}}
	r.Visitors = &Visitors{Peak: 80, Joined: 79, JoinFailed: 1, JoinErrors: []string{"<full>"}}
	r.Judge(p.Gates)
	return r
}

func TestTheVerdictNamesTheQueue(t *testing.T) {
	r := overloaded(t)
	if !r.Loops[0].Queue {
		t.Error("the open loop of an overloaded server did not measure a queue")
	}
	var b bytes.Buffer
	if err := r.Text(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"measured a queue: in the open loop", "failed: 2 of 3 gates do not hold", "gate FAILS: all.end_to_end_ms.p99", "gate holds: all.success_rate is 1",
		"teleport.success_rate is not measured", "open loop: ", "closed loop: ", "join failed: <full>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the text does not say %q:\n%s", want, b.String())
		}
	}
	if r.OK() {
		t.Error("a failed gate passed")
	}
}

func TestVoidRunsSaySo(t *testing.T) {
	p := plan.Default(200, 20*time.Second)
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: time.Second}
	p.MaxInFlight, p.Gates = 2, []plan.Gate{{Figure: "all.success_rate", Min: ptr(0)}}
	set, err := simulate.Run(p, &simulate.Server{Slots: 10, Service: plan.Dist{Kind: plan.Fixed, Mean: 50 * time.Millisecond}}, plan.Open, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{Plan: NewPlanned(p), Loops: []Loop{NewLoop(plan.Open, set, p.Duration)}, Load: &Machine{Workers: 1, CPU: 1.95, Processors: 2}}
	r.Judge(p.Gates)
	if r.OK() || len(r.Void) != 2 {
		t.Errorf("void: %q", r.Void)
	}
}

func TestThePageIsWholeAndNeedsNothingElse(t *testing.T) {
	var b bytes.Buffer
	if err := overloaded(t).HTML(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, bad := range []string{"<script", "http://", "https://", "src=", "NaN", "Inf", "too <much>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	if n := strings.Count(text, "<svg"); n != 11 {
		t.Errorf("%d plots, want 4 a loop and 3 of the server", n)
	}
	for i, part := range strings.Split(text, "<svg")[1:] {
		svg := "<svg" + part[:strings.Index(part, "</svg>")+6]
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("plot %d: %v", i, err)
		}
	}
}

func TestEmptyReportsAreWritten(t *testing.T) {
	r := &Report{Missing: []string{"worker 2 of 3 was lost after 4 s"}}
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Error(err)
	}
	if err := r.Text(&b); err != nil || !strings.Contains(b.String(), "missing: worker 2 of 3") {
		t.Error(err, b.String())
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
}

func TestEveryGateOfAPlanNamesAFigure(t *testing.T) {
	r := overloaded(t)
	for _, f := range plan.ActionFigures {
		if _, ok := r.figure("all." + f); !ok {
			t.Errorf("all.%s is not in the report", f)
		}
	}
	for _, f := range plan.VisitorFigures {
		if _, ok := r.figure(f); !ok {
			t.Errorf("%s is not in the report", f)
		}
	}
}

// A run with fewer visitors than planned measured less than was asked for, whatever its gates say.
func TestFewerVisitorsThanPlanned(t *testing.T) {
	for _, c := range []struct {
		peak int
		void bool
	}{{100, false}, {90, false}, {80, true}} {
		r := &Report{Plan: Planned{PeakUsers: 100}, Visitors: &Visitors{Peak: c.peak, JoinFailed: 100 - c.peak, JoinErrors: []string{"venue_full"}}}
		r.Judge(nil)
		if (len(r.Void) > 0) != c.void {
			t.Errorf("%d of 100 visitors: void %q", c.peak, r.Void)
		}
		if c.void && !strings.Contains(r.Void[0], "at most 80 of up to 100 visitors were there at a time, and 20 could not join: venue_full") {
			t.Errorf("it says %q", r.Void)
		}
	}
}
