package system

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/test/process"
)

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// A server that cannot start says in one line what is wrong, where, and what to do.
func TestStartRefuses(t *testing.T) {
	arena := filepath.Join("testdata", "arena.toml")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	takenUDP, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer takenUDP.Close()
	busy := process.Serve(t, "", arena)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	first := process.Serve(t, damaged, arena)
	first.Stop()
	damage(t, damaged)

	port := func(a net.Addr) string { _, p, _ := net.SplitHostPort(a.String()); return p }
	for _, c := range []struct {
		name string
		args []string
		code int
		says []string
	}{
		{"port in use", []string{"--listen", taken.Addr().String(), "--data", t.TempDir()}, 1, []string{port(taken.Addr()), "in use", "--listen"}},
		{"udp port in use", []string{"--listen", "127.0.0.1:" + port(takenUDP.LocalAddr()), "--data", t.TempDir()}, 1, []string{port(takenUDP.LocalAddr()), "in use", "udp"}},
		{"data folder in use", []string{"--listen", "127.0.0.1:0", "--data", busy.Data}, 1, []string{busy.Data, "another process"}},
		{"data folder not writable", []string{"--listen", "127.0.0.1:0", "--data", filepath.Join(file, "data")}, 1, []string{file, "--data"}},
		{"damaged data", []string{"--listen", "127.0.0.1:0", "--data", damaged}, 1, []string{damaged, "damaged"}},
		{"no key beyond loopback", []string{"--listen", "0.0.0.0:0", "--data", t.TempDir()}, 2, []string{"key_file", "venued key"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"serve", "--metrics", "127.0.0.1:0"}, c.args...)
			out, errs, code := process.Run(t, append(args, arena)...)
			if code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			for _, want := range c.says {
				if !strings.Contains(strings.ToLower(errs), strings.ToLower(want)) {
					t.Errorf("stderr does not say %q:\n%s%s", want, out, errs)
				}
			}
			if strings.Contains(errs, "goroutine ") {
				t.Errorf("a panic:\n%s", errs)
			}
		})
	}
}

// damage overwrites the middle of every file of a data folder's store.
func damage(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.db"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no store in %s: %v", dir, err)
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			b[i] ^= 0x5a
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The operator's listener: health, readiness and figures; and the public
// description of the venue.
func TestOperatorsView(t *testing.T) {
	s := process.Serve(t, "", filepath.Join("..", "..", "venue.example.toml"))
	for _, path := range []string{"/healthz", "/readyz"} {
		if code, body := get(t, s.Metrics+path); code != http.StatusOK {
			t.Errorf("%s: %d %s", path, code, body)
		}
	}
	_, metrics := get(t, s.Metrics+"/metrics")
	for _, name := range []string{"venued_region_tick_seconds_count", "venued_gateway_sessions", "venued_store_commit_seconds_count", "venued_rule_calls_total", "go_goroutines"} {
		if !strings.Contains(metrics, name) {
			t.Errorf("/metrics has no %s", name)
		}
	}
	if code, body := get(t, s.URL+"/v1/venue"); code != http.StatusOK || !json.Valid([]byte(body)) {
		t.Errorf("/v1/venue: %d %s", code, body)
	}
	if code, _ := get(t, s.URL+"/metrics"); code == http.StatusOK {
		t.Error("visitors can read /metrics")
	}
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d after SIGTERM", code)
	}
}
