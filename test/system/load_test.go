package system

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/sdk/loadgen/standin"
	"github.com/venued/venued/test/process"
	"github.com/venued/venued/venues"
)

// times and the others are what `venued load run --json` promises to print.
type loadTimes struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type loadAction struct {
	Action      string           `json:"action"`
	Done        int              `json:"done"`
	OK          int              `json:"ok"`
	SuccessRate float64          `json:"success_rate"`
	LateShare   float64          `json:"late_share"`
	Service     loadTimes        `json:"service_ms"`
	Queue       loadTimes        `json:"queue_ms"`
	EndToEnd    loadTimes        `json:"end_to_end_ms"`
	QueueShare  float64          `json:"queue_share"`
	Failures    map[string]int64 `json:"failures"`
}

type loadReport struct {
	Fingerprint struct {
		Venue      string `json:"venue"`
		ConfigHash string `json:"config_hash"`
		Server     string `json:"server"`
		Machine    string `json:"machine"`
		PlanHash   string `json:"plan_hash"`
	} `json:"fingerprint"`
	Loops []struct {
		Loop    string       `json:"loop"`
		All     loadAction   `json:"all"`
		Actions []loadAction `json:"actions"`
		Queue   bool         `json:"measured_a_queue"`
	} `json:"loops"`
	Visitors struct {
		Peak       int       `json:"peak"`
		Joined     int       `json:"joined"`
		JoinFailed int       `json:"join_failed"`
		PoseAge    loadTimes `json:"pose_age_ms"`
		Lost       float64   `json:"lost_ratio"`
		Visible    float64   `json:"visible_mean"`
	} `json:"visitors"`
	Server []struct {
		CPU     float64 `json:"cpu"`
		TickP99 float64 `json:"tick_p99_ms"`
	} `json:"server"`
	Load struct {
		CPU        float64 `json:"cpu"`
		Processors int     `json:"processors"`
	} `json:"load"`
	Gates []struct {
		Figure string `json:"figure"`
		OK     bool   `json:"ok"`
	} `json:"gates"`
	Void []string `json:"void"`
}

// serverCPU is the mean of the processors that the server used.
func (r *loadReport) serverCPU() (mean float64) {
	for _, s := range r.Server {
		mean += s.CPU / float64(len(r.Server))
	}
	return mean
}

func (r *loadReport) action(kind string) *loadAction {
	for i := range r.Loops[0].Actions {
		if a := &r.Loops[0].Actions[i]; a.Action == kind {
			return a
		}
	}
	return &loadAction{}
}

// load runs a plan against a server, with its key, and returns the report and the exit code. The report is kept as an artifact.
func load(t *testing.T, s *process.Server, name, plan string, args ...string) (*loadReport, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plan.toml")
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	full := append([]string{"load", "run", file, s.URL, "--key", filepath.Join(s.Data, "development.key"), "--metrics", s.Metrics + "/metrics", "--json"}, args...)
	out, errs, code := process.Run(t, full...)
	if err := os.WriteFile(filepath.Join(artifacts(), name+".json"), []byte(out), 0o644); err != nil {
		t.Error(err)
	}
	r := new(loadReport)
	if err := json.Unmarshal([]byte(out), r); err != nil {
		t.Fatalf("the report is not JSON: %v\n%s\n%s", err, out, errs)
	}
	if len(r.Loops) == 0 {
		t.Fatalf("the report has no loops:\n%s", out)
	}
	return r, code
}

// A server whose ticks are 60 ms too long, and that stands still for 2 s of 14: the service time shows the first, p99 and the queue share the second, and the
// gate fails. An eighth of the actions fall into the standstill, so that p99 is what those wait that came at its beginning: 1.8 s at least.
func TestLoadShowsASlowAndAFrozenServer(t *testing.T) {
	s := process.Serve(t, "", "--fault", "slow=60ms,stall=2s@9s", filepath.Join("..", "..", "venue.example.toml"))
	r, code := load(t, s, "load-slow", `
[load]
curve = [[0, 4], [1, 10], [14, 10]]
[load.think]
kind = "exponential"
mean_s = 0.4
[[load.action]]
kind = "denied"
weight = 1
[[load.gate]]
figure = "all.end_to_end_ms.p99"
max = 1000
`)
	all := &r.Loops[0].All
	t.Logf("%d actions: end to end %+v, service %+v, queue %+v, share %.2f, failures %v, void %v", all.Done, all.EndToEnd, all.Service, all.Queue, all.QueueShare, all.Failures, r.Void)
	if all.OK == 0 || all.Service.P50 < 60 {
		t.Errorf("%d succeeded, service p50 %.1f ms: every tick takes 60 ms more", all.OK, all.Service.P50)
	}
	if all.EndToEnd.P99 < 1600 {
		t.Errorf("p99 is %.0f ms: the server stood still for 2 s", all.EndToEnd.P99)
	}
	if all.Queue.P99 < 1500 || !r.Loops[0].Queue {
		t.Errorf("queue p99 %.0f ms, share %.2f: the waiting was in the server", all.Queue.P99, all.QueueShare)
	}
	if code != 1 || len(r.Gates) != 1 || r.Gates[0].OK {
		t.Errorf("exit code %d, gates %+v: the gate breaks", code, r.Gates)
	}
	worst := 0.0
	for _, x := range r.Server {
		worst = max(worst, x.TickP99)
	}
	if worst < 60 {
		t.Errorf("the server's metrics tell of ticks of %.0f ms", worst)
	}
}

// A hundred visitors beside their server, who do all that a plan knows in a venue that has means for it: what both processes use is reported.
func TestLoadBesideTheServer(t *testing.T) {
	users := 100
	if raceEnabled {
		users = 10
	}
	s := process.Serve(t, "", filepath.Join("..", "..", "venues", "samples", "plaza.toml"))
	page := filepath.Join(artifacts(), "load-100.html")
	r, _ := load(t, s, "load-100", fmt.Sprintf(`
[load]
name = "a hundred visitors beside their server"
curve = [[0, 0], [8, %d], [25, %[1]d]]
[load.think]
kind = "lognormal"
median_s = 4
p95_s = 15
[[load.action]]
kind = "grab"
weight = 4
[[load.action]]
kind = "release"
weight = 4
[[load.action]]
kind = "rule"
use = "bench"
weight = 4
[[load.action]]
kind = "teleport"
zone = "gate"
weight = 0.5
[[load.action]]
kind = "join"
weight = 0.5
[[load.action]]
kind = "resume"
weight = 0.5
[[load.action]]
kind = "cut"
weight = 0.5
[[load.action]]
kind = "denied"
weight = 1
[[load.action]]
kind = "bad"
weight = 0.5
[[load.gate]]
figure = "visitors.join_failed"
max = 0
`, users), "--html", page)
	all := &r.Loops[0].All
	t.Logf("%d visitors: server %.2f processors, load %.2f of %d; %d actions, end to end %+v, queue share %.2f, late %.3f; pose age %+v, lost %.4f; failures %v; void %q",
		r.Visitors.Peak, r.serverCPU(), r.Load.CPU, r.Load.Processors, all.Done, all.EndToEnd, all.QueueShare, all.LateShare, r.Visitors.PoseAge, r.Visitors.Lost, all.Failures, r.Void)
	if r.Visitors.Joined != users || r.Visitors.JoinFailed != 0 || r.Visitors.Peak < users*9/10 {
		t.Errorf("%+v of %d visitors", r.Visitors, users)
	}
	if r.serverCPU() == 0 || r.Load.CPU == 0 {
		t.Error("the processors that were used are missing")
	}
	for _, kind := range []string{"grab", "release", "rule", "teleport", "join", "resume", "cut", "denied", "bad"} {
		if a := r.action(kind); a.OK == 0 {
			t.Errorf("no %s succeeded: %+v", kind, a)
		}
	}
	f := &r.Fingerprint
	if f.Venue != "plaza" || len(f.ConfigHash) != 64 || len(f.PlanHash) != 64 || f.Server == "unknown" || f.Machine == "" {
		t.Errorf("fingerprint %+v", f)
	}
	b, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(b), "<svg") {
		t.Errorf("the page has no plots: %v", err)
	}
}

// Three hundred visitors from one load process, against a stand-in that only answers: what the load side alone needs is reported.
func TestLoadMachineAlone(t *testing.T) {
	users := 300
	if raceEnabled {
		users = 20
	}
	v, err := standin.NewVenue(&venues.Description{
		ID: "standin", TickHz: 30, UploadHz: 30, SendHz: 30,
		Limits: venues.LimitsDescription{Users: users, SpeedMS: 6, BurstM: 2, HandReachM: 1.5, GrabReachM: 0.6, EventsPerS: 20},
		Floors: []venues.FloorDescription{{Name: "ground", Max: [2]float64{40, 30}, Height: 5}},
		Spawns: []venues.SpawnDescription{{Name: "entrance", Floor: "ground", At: [3]float64{20, 0, 15}, Radius: 3}},
	}, "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(v)
	defer srv.Close()
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := v.Stop(ctx); err != nil {
			t.Error(err)
		}
	}()
	file := filepath.Join(t.TempDir(), "plan.toml")
	plan := fmt.Sprintf("[load]\ncurve = [[0, 0], [15, %d], [25, %[1]d]]\n[[load.action]]\nkind = \"rule\"\ntopic = \"quiz\"\nweight = 8\n"+
		"[[load.action]]\nkind = \"resume\"\nweight = 0.2\n[[load.action]]\nkind = \"cut\"\nweight = 0.2\n[[load.action]]\nkind = \"bad\"\nweight = 0.2\n", users)
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	const marked = "e30.eyJtYW55Ijp0cnVlLCJsb2FkIjp0cnVlfQ.sig" // a stand-in does not look at it
	out, errs, _ := process.Run(t, "load", "run", file, srv.URL, "--token", marked, "--json")
	if err := os.WriteFile(filepath.Join(artifacts(), "load-alone.json"), []byte(out), 0o644); err != nil {
		t.Error(err)
	}
	r := new(loadReport)
	if err := json.Unmarshal([]byte(out), r); err != nil || len(r.Loops) == 0 {
		t.Fatalf("no report: %v\n%s\n%s", err, out, errs)
	}
	all := &r.Loops[0].All
	t.Logf("%d visitors from one process: %.2f of %d processors on average; %d actions, end to end %+v, late %.4f, failures %v; void %q",
		r.Visitors.Peak, r.Load.CPU, r.Load.Processors, all.Done, all.EndToEnd, all.LateShare, all.Failures, r.Void)
	if r.Visitors.Joined != users || r.Visitors.JoinFailed != 0 {
		t.Errorf("%+v of %d visitors", r.Visitors, users)
	}
	for _, kind := range []string{"rule", "resume", "cut"} {
		if a := r.action(kind); a.OK == 0 {
			t.Errorf("no %s succeeded: %+v", kind, a)
		}
	}
}
