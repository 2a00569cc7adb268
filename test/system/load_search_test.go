package system

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/test/process"
)

// searchPlan breaks its gate somewhere above four users, each of whom acts twice and a half a second: so often is too often for it.
const searchPlan = `
[load]
curve = [[0, 4], [2, 4]]
[load.think]
kind = "exponential"
mean_s = 0.4
[[load.action]]
kind = "denied"
weight = 1
[[load.gate]]
figure = "all.per_s"
max = 12
`

// The search steps up until a gate breaks, halves what is left, and says what broke. A machine that is too busy to send in time ends it, and
// then it says that.
func TestLoadCapacity(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "arena.toml"))
	plan := write(t, "plan.toml", searchPlan)
	key := filepath.Join(s.Data, "development.key")
	out, errs, code := process.Run(t, "load", "capacity", plan, s.URL, "--key", key, "--metrics", s.Metrics+"/metrics",
		"--start", "2", "--max", "16", "--factor", "2", "--width", "0.5", "--tries", "1", "--json")
	var r struct {
		Steps []struct {
			Users        float64
			Pass         bool
			Void, Broken string
		} `json:"steps"`
		KneeUsers       float64 `json:"knee_users"`
		AboveUsers      float64 `json:"above_users"`
		Limit, Resource string
		Confidence      string
		Fingerprint     struct{ Venue, Server string }
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 0 {
		t.Fatalf("exit code %d, %v\n%s\n%s", code, err, out, errs)
	}
	t.Logf("knee %v, above %v, confidence %s, limit %q, resource %q, %d steps", r.KneeUsers, r.AboveUsers, r.Confidence, r.Limit, r.Resource, len(r.Steps))
	if len(r.Steps) == 0 || r.Fingerprint.Venue != "arena" || r.Resource == "" || r.Confidence == "" {
		t.Errorf("%s", out)
	}
	if strings.Contains(r.Limit, "say nothing about the server") {
		return
	}
	if !(r.KneeUsers < r.AboveUsers && r.AboveUsers <= 16) || r.KneeUsers < 2 || !strings.Contains(r.Limit, "gate FAILS: all.per_s") {
		t.Errorf("knee %v, above %v, limit %q", r.KneeUsers, r.AboveUsers, r.Limit)
	}
}

// What is wrong between a plan and a venue that runs is said before anybody is sent.
func TestLoadRefuses(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("testdata", "arena.toml"))
	key := filepath.Join(s.Data, "development.key")
	other := filepath.Join(t.TempDir(), "other.txt")
	if _, errs, code := process.Run(t, "key", other); code != 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		name, plan string
		args       []string
		code       int
		want       string
	}{
		{"another venue's key", searchPlan, []string{"run", "PLAN", s.URL, "--key", other}, 1, "a first visitor cannot join: client: refused: 4000 token_invalid"},
		{"the link that serve prints", searchPlan, []string{"run", "PLAN", s.Join}, 2, "lacks the load mark"},
		{"a zone that is not there", searchPlan + "[[load.action]]\nkind = \"teleport\"\nzone = \"nowhere\"\nweight = 1\n",
			[]string{"run", "PLAN", s.URL, "--key", key}, 2, `load.action[1]: teleport: the venue arena has no zone "nowhere"`},
		{"more than the venue takes", strings.Replace(searchPlan, "[2, 4]", "[2, 9999]", 1), []string{"run", "PLAN", s.URL, "--key", key}, 2, "up to 9999 users, and the venue arena takes"},
		{"metrics of something else", searchPlan, []string{"run", "PLAN", s.URL, "--key", key, "--metrics", s.URL + "/v1/venue"}, 1, "metrics of"},
		{"no metrics there", searchPlan, []string{"run", "PLAN", s.URL, "--key", key, "--metrics", "http://127.0.0.1:1/metrics"}, 1, "metrics: "},
		{"a search without a gate", searchPlan[:strings.Index(searchPlan, "[[load.gate]]")], []string{"capacity", "PLAN", s.URL, "--key", key}, 2, "load.gate: no gates, so nothing can break"},
		{"a search beyond the venue", searchPlan, []string{"capacity", "PLAN", s.URL, "--key", key, "--max", "100000"}, 2, "--max 100000: the venue arena takes"},
		{"a behaviour's file that is missing", searchPlan + "[[load.behaviour]]\nkind = \"scripted\"\nshare = 1\nfile = \"gone.txt\"\n",
			[]string{"run", "PLAN", s.URL, "--key", key}, 2, "gone.txt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.args[1] = write(t, "plan.toml", c.plan)
			out, errs, code := process.Run(t, append([]string{"load"}, c.args...)...)
			if code != c.code || !strings.Contains(errs, c.want) || out != "" {
				t.Errorf("exit code %d, want %d; it said %q and %q, want %q", code, c.code, out, errs, c.want)
			}
		})
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
