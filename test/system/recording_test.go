package system

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/plugins"
	"github.com/venued/venued/test/process"
)

// replayReport is what `venued rule replay --json` promises to print.
type replayReport struct {
	Same          bool   `json:"same"`
	A             string `json:"a"`
	B             string `json:"b"`
	Ticks         int    `json:"ticks"`
	Calls         int    `json:"calls"`
	EffectsDiffer int    `json:"effects_differ"`
	ByClock       int    `json:"by_clock"`
	Cut           string `json:"cut"`
	Differences   []struct {
		Tick  uint64   `json:"tick"`
		Rule  string   `json:"rule"`
		Kind  string   `json:"kind"`
		Event string   `json:"event"`
		A     []string `json:"a"`
		B     []string `json:"b"`
	} `json:"differences"`
}

// TestRecordAndReplay records a venue under fifty bots, fetches the file with the tools that an operator has, and plays it again, as it was
// and with each of its plugins: nothing differs. Whatever is wrong with a file or a plugin is said.
func TestRecordAndReplay(t *testing.T) {
	users := "50"
	if raceEnabled {
		users = "10"
	}
	s := process.Serve(t, "", filepath.Join("..", "..", "venue.example.toml"))
	dir := t.TempDir()
	must := func(args ...string) string {
		t.Helper()
		out, errs, code := process.Run(t, args...)
		if code != 0 {
			t.Fatalf("venued %s ended with %d:\n%s%s", strings.Join(args, " "), code, out, errs)
		}
		return out
	}
	must("record", "start", "--data", s.Data, "--time", "2m")
	must("bots", "--url", s.Join, "--users", users, "--duration", "15s", "--seed", "7")
	if out := must("record", "list", "--data", s.Data); !strings.Contains(out, "running") {
		t.Errorf("the list does not show the running recording:\n%s", out)
	}
	name := strings.TrimSuffix(strings.Fields(must("record", "stop", "--data", s.Data))[0], ":")
	file := filepath.Join(dir, "hall.vrec")
	must("record", "fetch", name, "-o", file, "--data", s.Data)
	t.Log(must("record", "info", file))

	replay := func(want int, args ...string) (replayReport, string) {
		t.Helper()
		out, errs, code := process.Run(t, append([]string{"rule", "replay", "--json"}, args...)...)
		if code != want {
			t.Fatalf("venued rule replay %s ended with %d, want %d:\n%s%s", strings.Join(args, " "), code, want, out, errs)
		}
		var r replayReport
		if out != "" {
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
		}
		return r, errs
	}
	var files []string
	for _, plugin := range []string{"grab", "door", "bell"} {
		wasm, err := plugins.Wasm(plugin)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Join(dir, plugin+".wasm"))
		if err := os.WriteFile(files[len(files)-1], wasm, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	grab, door, bell := files[0], files[1], files[2]
	for _, args := range [][]string{{file}, {file, "--rule", grab}, {file, "--rule", door}, {file, "--rule", grab, "--against", grab}} {
		r, _ := replay(0, args...)
		if !r.Same || r.EffectsDiffer != 0 || r.Ticks < 100 || r.Calls == 0 {
			t.Errorf("replay %v: %+v", args[1:], r)
		}
	}
	// The door plugin knows nothing of grabbing: what the grab rule decided, it does not.
	r, errs := replay(1, file, "--rule", grab, "--against", door, "--as", "grab")
	if r.Same || len(r.Differences) == 0 || !strings.Contains(errs, "difference") {
		t.Fatalf("grab and door: %+v\n%s", r, errs)
	}
	if d := r.Differences[0]; d.Tick == 0 || d.Rule != "grab" || d.Kind != "answer" || d.Event == "" || len(d.A) == 0 {
		t.Errorf("a difference is %+v", d)
	}

	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	spoil := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cut := spoil("cut.vrec", data[:len(data)*2/3])
	if r, errs = replay(0, cut); !r.Same || r.Ticks == 0 || !strings.Contains(errs, "whole ticks") || !strings.Contains(r.Cut, "cut off") {
		t.Errorf("cut: %+v\n%s", r, errs)
	}
	bad := append([]byte(nil), data...)
	bad[len(bad)*2/3] ^= 1
	if r, errs = replay(2, spoil("damaged.vrec", bad)); r.Ticks == 0 || !strings.Contains(errs, "damaged") || !strings.Contains(errs, "at byte") {
		t.Errorf("damaged: %+v\n%s", r, errs)
	}
	bad = append([]byte(nil), data...)
	bad[4] = 77
	for _, c := range []struct {
		want string
		args []string
	}{
		{"version 77, this build reads 1", []string{spoil("version.vrec", bad)}},
		{"not a recording", []string{grab}},
		{"no such file", []string{filepath.Join(dir, "nothing.vrec")}},
		{"it has grab (grab@", []string{file, "--rule", grab, "--as", "nobody"}},
		{"name the rule that it stands for with --as", []string{file, "--rule", bell}},
		{`it is of venue "example-hall", not of "gallery"`, []string{file, "--venue", filepath.Join("..", "..", "venues", "samples", "gallery.toml")}},
		{"keeps schema 1 and cannot migrate it", []string{file, "--rule", bell, "--as", "grab"}},
		{"hall.vrec", []string{file, "--rule", file}},
	} {
		if _, errs := replay(2, c.args...); !strings.Contains(errs, c.want) {
			t.Errorf("replay %v said\n%swant %q", c.args, errs, c.want)
		}
	}
	must("record", "delete", name, "--data", s.Data)
	if code := s.Stop(); code != 0 {
		t.Errorf("venued serve ended with code %d", code)
	}
}
