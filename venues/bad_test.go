package venues_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/samples"
)

var update = flag.Bool("update", false, "write golden files anew")

// shipped are the plugins that the tests pretend come with the host.
var shipped = []string{"bell", "door", "grab", "greeter", "lift", "pen", "queue", "score", "scoreboard", "seat", "teleporter"}

// Each file of testdata/bad is wrong in one way or in many; its golden file is what a
// designer reads.
func TestBadManifests(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".toml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = venues.Read(filepath.Base(file), data, venues.Options{Shipped: shipped, Dir: "testdata/bad"})
			if err == nil {
				t.Fatal("no problem found")
			}
			if _, ok := err.(venues.Problems); !ok {
				t.Fatalf("the error is a %T", err)
			}
			golden := strings.TrimSuffix(file, ".toml") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(err.Error()+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, rerr := os.ReadFile(golden)
			if rerr != nil {
				t.Fatal(rerr)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(err.Error()+"\n", "\n")); diff != "" {
				t.Errorf("-want +got; -update writes it anew\n%s", diff)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	manifest := filepath.Join(dir, "venue.toml")
	text := strings.Replace(string(samples.Divided), `plugin = "grab"`, `plugin = "my/rule.wasm"`, 1)
	if err := os.WriteFile(manifest, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := venues.Load(manifest, venues.Options{}); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("without the plugin: %v", err)
	}
	plugin := filepath.Join(dir, "my", "rule.wasm")
	if err := os.Mkdir(filepath.Dir(plugin), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(plugin, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	v, err := venues.Load(manifest, venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := v.Rules[0]; r.Path != plugin || r.Name != "rule" {
		t.Errorf("the rule is %+v, want name rule and path %s", r, plugin)
	}
	if _, err := venues.Load(filepath.Join(dir, "no.toml"), venues.Options{}); err == nil {
		t.Error("a file that is not there was read")
	}
}

// A manifest made in Go is checked as a written one is, without lines.
func TestCompileWithoutSource(t *testing.T) {
	m, err := venues.Parse("divided", samples.Divided, venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := venues.Compile(m, venues.Options{}); err != nil {
		t.Fatal(err)
	}
	bad := *m
	bad.Venue.TickHz = 0
	bad.Floors = []venues.Floor{{Name: "ground"}}
	_, err = venues.Compile(&bad, venues.Options{})
	if err == nil || !strings.Contains(err.Error(), "manifest: venue.tick_hz: 0 Hz is not between 10 and 60 Hz") || !strings.Contains(err.Error(), "floor[0].max") {
		t.Errorf("%v", err)
	}
}

// Reading never panics, and what it accepts keeps its promises.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/bad/*.toml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range append(files, "../venue.example.toml") {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add(samples.Gallery)
	f.Add(samples.Divided)
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := venues.Read("fuzz", data, venues.Options{Shipped: shipped})
		if err != nil {
			if p, ok := err.(venues.Problems); !ok || len(p) == 0 {
				t.Fatalf("the error is a %T: %v", err, err)
			}
			return
		}
		for i := range v.Objects {
			o := &v.Objects[i]
			if v.FloorAt(o.Pose.Pos, -1) < 0 || v.RegionAt(o.Floor, o.Pose.Pos) != o.Region {
				t.Fatalf("object %+v is in no region or another", o)
			}
		}
		for i := range v.Spawns {
			for n := range uint64(4) {
				if p := v.Spawns[i].Place(n); v.FloorAt(p.Pos, -1) < 0 {
					t.Fatalf("spawn %+v puts visitor %d outside, at %v", v.Spawns[i], n, p.Pos)
				}
			}
		}
		for i := range v.Doors {
			if v.Doors[i].PermilleByTick == 0 {
				t.Fatalf("door %+v never opens", v.Doors[i])
			}
		}
		v.Describe()
	})
}
