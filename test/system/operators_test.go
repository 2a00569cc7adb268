package system

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/venued/venued/test/process"
)

// TestOperatorsPage runs the commands of docs/operators.md against the example venue.
func TestOperatorsPage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operators.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	if len(blocks) < 3 {
		t.Fatalf("the page has %d blocks to run", len(blocks))
	}
	s := process.Serve(t, "")
	if !strings.Contains(s.Output(), "console "+s.URL+"/admin (token in "+filepath.Join(s.Data, "admin.token")+")\n") {
		t.Errorf("serve does not say where the console is:\n%s", s.Output())
	}
	bin := t.TempDir()
	if err := os.Symlink(process.Binary(t), filepath.Join(bin, "venued")); err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", b[1])
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "URL="+s.URL, "METRICS="+s.Metrics, "DATA="+s.Data)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("the page says\n%s\nwhich gives: %v\n%s", b[1], err, out)
		}
	}
}
