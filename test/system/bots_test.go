package system

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/venued/venued/test/process"
)

type quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
}

// botsReport is what `venued bots --json` promises to print.
type botsReport struct {
	Users            int       `json:"users"`
	Joined           int       `json:"joined"`
	JoinFailed       int       `json:"join_failed"`
	PoseAgeMS        quantiles `json:"pose_age_ms"`
	UpdateIntervalMS quantiles `json:"update_interval_ms"`
	LostRatio        float64   `json:"lost_ratio"`
	BytesUpPerS      float64   `json:"bytes_up_per_s"`
	BytesDownPerS    float64   `json:"bytes_down_per_s"`
	VisibleMean      float64   `json:"visible_mean"`
	Grabs            struct {
		Requested  int `json:"requested"`
		Granted    int `json:"granted"`
		Denied     int `json:"denied"`
		DoubleHeld int `json:"double_held"`
	} `json:"grabs"`
	Disconnects int `json:"disconnects"`
	Resumes     int `json:"resumes"`
}

// Headless visitors walk, grab, lose their connection and come back, over each
// lane. What they must show is asserted; what the machine gives is reported.
func TestBots(t *testing.T) {
	for _, run := range []struct {
		lane     string
		users    int
		duration string
	}{
		{"webrtc", 100, "30s"},
		{"ws", 20, "15s"},
		{"tcp", 20, "15s"},
	} {
		t.Run(run.lane, func(t *testing.T) {
			if raceEnabled {
				run.users = 10
			}
			s := process.Serve(t, "", filepath.Join("..", "..", "venue.example.toml"))
			out, errs, code := process.Run(t, "bots", "--url", s.Join, "--users", strconv.Itoa(run.users),
				"--duration", run.duration, "--seed", "1", "--lane", run.lane, "--json")
			if err := os.WriteFile(filepath.Join(artifacts(), "bots-"+run.lane+".json"), []byte(out), 0o644); err != nil {
				t.Error(err)
			}
			if code != 0 {
				t.Errorf("exit code %d; it said:\n%s", code, errs)
			}
			var r botsReport
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("the report is not JSON: %v\n%s", err, out)
			}
			t.Logf("%d bots over %s: pose age ms %+v, update interval ms %+v, lost %.4f, up %.0f B/s, down %.0f B/s, visible %.1f, grabs %+v, resumes %d",
				run.users, run.lane, r.PoseAgeMS, r.UpdateIntervalMS, r.LostRatio, r.BytesUpPerS, r.BytesDownPerS, r.VisibleMean, r.Grabs, r.Resumes)
			if r.Users != run.users || r.Joined != run.users || r.JoinFailed != 0 {
				t.Errorf("%d of %d joined, %d failed", r.Joined, r.Users, r.JoinFailed)
			}
			if r.Disconnects != 0 {
				t.Errorf("%d unplanned disconnects", r.Disconnects)
			}
			if r.Grabs.DoubleHeld != 0 {
				t.Errorf("%d objects had two holders", r.Grabs.DoubleHeld)
			}
			if r.Grabs.Granted == 0 || r.VisibleMean == 0 || r.PoseAgeMS.P50 <= 0 {
				t.Errorf("nothing happened: %+v", r)
			}
			if code := s.Stop(); code != 0 {
				t.Errorf("venued serve ended with code %d", code)
			}
		})
	}
}
