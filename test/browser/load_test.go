package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/venued/venued/test/process"
)

// loadPlan is a short run of both loops.
const loadPlan = `
[load]
name = "both loops"
curve = [[0, 2], [2, 8], [8, 8]]
loop = "both"
[load.think]
kind = "exponential"
mean_s = 1
[[load.action]]
kind = "denied"
weight = 4
[[load.action]]
kind = "resume"
weight = 1
[[load.gate]]
figure = "all.success_rate"
min = 0.5
`

// The page that a load run writes, of a real run against a real server.
func TestLoadReport(t *testing.T) {
	s := newStage(t, smallHall)
	plan := filepath.Join(t.TempDir(), "plan.toml")
	if err := os.WriteFile(plan, []byte(loadPlan), 0o600); err != nil {
		t.Fatal(err)
	}
	s.acts = map[string]func() error{"a load run": func() error {
		out, err := exec.Command(process.Binary(t), "load", "run", plan, s.server.URL, "--key", filepath.Join(s.server.Data, "development.key"),
			"--metrics", s.server.Metrics+"/metrics", "--html", filepath.Join(artifacts(t), "load.html")).CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 {
			return nil // a busy machine makes a run void: the page says so
		}
		if err != nil {
			return fmt.Errorf("venued load run: %w\n%s", err, out)
		}
		return nil
	}}
	s.run("load")
}
