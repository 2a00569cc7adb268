package crowd

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/sdk/loadgen/standin"
	"github.com/venued/venued/venues"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds every wait.
const patience = 30 * time.Second

// marked is a token with the load mark that may be used again.
const marked = "e30.eyJtYW55Ijp0cnVlLCJsb2FkIjp0cnVlfQ.sig"

// hall is a venue with something to take, something to use, and a door.
func hall() *venues.Description {
	return &venues.Description{
		ID: "hall", TickHz: 30, UploadHz: 30, SendHz: 30,
		Limits: venues.LimitsDescription{Users: 20, SpeedMS: 6, BurstM: 2, HandReachM: 1.5, GrabReachM: 0.6, EventsPerS: 20},
		Floors: []venues.FloorDescription{{Name: "ground", Max: [2]float64{20, 20}, Height: 5}},
		Spawns: []venues.SpawnDescription{{Name: "entrance", Floor: "ground", At: [3]float64{10, 0, 10}, Radius: 2}},
		Kinds:  []venues.KindDescription{{Name: "cup", Grabbable: true}, {Name: "bell", Usable: true}},
		Objects: []venues.ObjectDescription{
			{Name: "cup-1", Kind: "cup", Floor: "ground", At: [3]float64{5, 1, 5}}, {Name: "bell-1", Kind: "bell", Floor: "ground", At: [3]float64{15, 1, 5}},
		},
		Zones: []venues.AreaDescription{
			{Name: "gate", Floor: "ground", Min: [2]float64{0, 8}, Max: [2]float64{2, 12}, Door: "door"},
			{Name: "everywhere", Floor: "ground", Max: [2]float64{20, 20}},
		},
	}
}

// serve starts a stand-in for the hall.
func serve(t *testing.T) string {
	t.Helper()
	v, err := standin.NewVenue(hall(), "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(v)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := v.Stop(ctx); err != nil {
			t.Error(err)
		}
		srv.Close()
	})
	return srv.URL
}

// run carries a plan out against a stand-in.
func run(t *testing.T, p *plan.Plan, loop plan.Loop, dir string) *Result {
	t.Helper()
	p, err := Fit(p, hall())
	if err != nil {
		t.Fatal(err)
	}
	cast, err := behaviour.Open(p, dir, hall())
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := Reused(marked)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := Run(ctx, Config{URL: serve(t), Tokens: tokens, Lane: client.LaneWS, Plan: p, Loop: loop, Cast: cast, Venue: hall()})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Visitors.Check(); err != nil {
		t.Error(err)
	}
	return r
}

// Visitors come by the curve and do, in either loop, all that needs nothing of the venue but an answer. What is due is accounted for to the last.
func TestVisitorsDoWhatIsDue(t *testing.T) {
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		p := plan.Default(1, 3*time.Second)
		p.Curve = plan.Curve{{At: 0, Users: 4}, {At: time.Second, Users: 6}}
		p.Think = plan.Dist{Kind: plan.Exponential, Mean: 200 * time.Millisecond}
		p.AnyMix = false
		p.Actions = []plan.Action{
			{Kind: plan.Rule, Weight: 6, Topic: "quiz", Data: `{"answer":1}`}, {Kind: plan.Denied, Weight: 2}, {Kind: plan.Join, Weight: 1},
			{Kind: plan.Resume, Weight: 1}, {Kind: plan.Cut, Weight: 1}, {Kind: plan.Bad, Weight: 1},
		}
		r := run(t, p, loop, "")
		if r.Visitors.Joined != 6 || r.Visitors.JoinFailed != 0 || r.Visitors.Peak < 4 || r.Visitors.Seconds == 0 {
			t.Errorf("%s: %+v", loop, r.Visitors)
		}
		for _, a := range p.Actions {
			c := r.Set.Action[a.Kind]
			if c == nil || c.OK == 0 {
				t.Errorf("%s: no %s succeeded: %+v", loop, a.Kind, c)
			}
		}
		if loop == plan.Closed {
			continue
		}
		due := int64(0)
		arrivals := p.Arrivals()
		for _, ok := arrivals.Next(); ok; _, ok = arrivals.Next() {
			due++
		}
		if got := r.Set.All.Done + r.Set.AllSkipped() + r.Set.NeverSent(); got != due {
			t.Errorf("%d actions are accounted for, %d were due", got, due)
		}
	}
}

// Visitors do what their own behaviour has them do, beside the plan's actions, in either loop.
func TestVisitorsDoWhatTheirScriptSays(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "quiz.txt"), []byte("spread 0.2\nloop\nsay quiz 42\nwait 0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, loop := range []plan.Loop{plan.Open, plan.Closed} {
		p := plan.Default(3, 3*time.Second)
		p.Think = plan.Dist{Kind: plan.Fixed, Mean: time.Second}
		p.AnyMix = false
		p.Actions = []plan.Action{{Kind: plan.Denied, Weight: 1}}
		p.Behaviours = []plan.Behaviour{{Kind: plan.Scripted, Share: 1, File: "quiz.txt"}}
		r := run(t, p, loop, dir)
		if c := r.Set.Action[plan.Rule]; c == nil || c.OK < 3 {
			t.Errorf("%s: the scripts' messages: %+v", loop, c)
		}
		if c := r.Set.Action[plan.Denied]; c == nil || c.OK == 0 {
			t.Errorf("%s: the plan's own actions: %+v", loop, c)
		}
	}
}

// A venue that lets nobody in: that is counted, with what it says, and the run goes on to its end.
func TestVisitorsWhoAreNotLetIn(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":4000,"name":"token_invalid","msg":"another key"}`)
	}))
	defer srv.Close()
	p := plan.Default(3, time.Second)
	p.AnyMix = false
	p.Actions = []plan.Action{{Kind: plan.Denied, Weight: 1}, {Kind: plan.Join, Weight: 1}}
	p.Think = plan.Dist{Kind: plan.Exponential, Mean: 100 * time.Millisecond}
	cast, err := behaviour.Open(p, "", hall())
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := Reused(marked)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{URL: srv.URL, Tokens: tokens, Lane: client.LaneWS, Plan: p, Loop: plan.Open, Cast: cast, Venue: hall()})
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Visitors; v.Joined != 0 || v.JoinFailed != 3 || len(v.Errors) != 1 || !strings.Contains(v.Errors[0], "another key") {
		t.Errorf("%+v", v)
	}
	if c := r.Set.Action[plan.Join]; c == nil || c.OK != 0 || c.Failures["token_invalid"] != c.Done {
		t.Errorf("joins: %+v", c)
	}
	if r.Set.Action[plan.Denied] != nil || r.Set.Skipped[plan.Denied] == 0 {
		t.Errorf("what needs somebody was done by nobody: %+v, %v", r.Set.Action[plan.Denied], r.Set.Skipped)
	}
}
