package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/datadriven"
	"go.uber.org/goleak"

	"github.com/venued/venued/plugins"
	"github.com/venued/venued/sdk/rules/project"
	"github.com/venued/venued/sdk/rules/scenario"
)

var update = flag.Bool("update", false, "write the commands in testdata/plugins anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// everything builds the rule in testdata/everything.
var everything = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "everything-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := errors.Join(os.CopyFS(dir, os.DirFS("testdata/everything")), os.CopyFS(filepath.Join(dir, "kit"), os.DirFS("../c"))); err != nil {
		return nil, err
	}
	p, err := project.Read(dir)
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	wasm, err := (&project.Builder{Out: &said}).Build(context.Background(), p)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, said.Bytes())
	}
	return wasm, nil
})

func runner(t *testing.T, plugin string) *scenario.Runner {
	t.Helper()
	wasm, err := plugins.Wasm(plugin)
	if plugin == "everything" {
		wasm, err = everything()
	}
	if err != nil {
		t.Fatal(err)
	}
	r, err := scenario.NewRunner(context.Background(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// The shipped plugins do what their scenarios say, and updating files of good scenarios changes nothing.
func TestShippedPlugins(t *testing.T) {
	paths, err := filepath.Glob("testdata/plugins/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r := runner(t, strings.TrimSuffix(filepath.Base(path), ".txt"))
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			results, updated, err := r.RunFile(context.Background(), path, b, *update)
			if err != nil {
				t.Fatal(err)
			}
			if updated != nil {
				if err := os.WriteFile(path, updated, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, res := range results {
				if len(res.Failures) > 0 {
					t.Errorf("%s:\n%s\nlogged: %q", res.Scenario.Name, strings.Join(res.Failures, "\n"), res.Logged)
				}
			}
			if _, updated, err = r.RunFile(context.Background(), path, b, true); err != nil || !*update && !t.Failed() && updated != nil {
				t.Errorf("updated the file is another: %v\n%s", err, updated)
			}
		})
	}
}

// TestScripts plays testdata/*.txt: each "run plugin=NAME" has a scenario file as its input and what is said of it as its output, "update" what it
// is after an update.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/said", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			f, err := scenario.Parse("f.txt", []byte(d.Input+"\n"))
			if err != nil {
				return "error: " + err.Error() + "\n"
			}
			name := "grab"
			d.MaybeScanArgs(t, "plugin", &name)
			r := runner(t, name)
			var out strings.Builder
			var results []*scenario.Result
			for _, s := range f.Scenarios {
				res, err := r.Run(context.Background(), f, s)
				if err != nil {
					return "error: " + err.Error() + "\n"
				}
				results = append(results, res)
				for _, line := range res.Failures {
					out.WriteString(line + "\n")
				}
				for _, line := range res.Logged {
					out.WriteString("logged: " + line + "\n")
				}
			}
			if d.Cmd == "update" {
				return string(f.Update(results))
			}
			if out.Len() == 0 {
				return "good\n"
			}
			return out.String()
		})
	})
}

// A file keeps the ends of its lines.
func TestLinesThatEndOtherwise(t *testing.T) {
	r := runner(t, "grab")
	file := strings.ReplaceAll("given\n  kind b grabbable\n  object b kind b at 4 1 4\n  user ann at 4 1.6 4\nscenario a\nwhen\n  ann grabs b\nthen\n", "\n", "\r\n")
	want := file + "  1  ann grab b -> grant b to ann right\r\n"
	results, updated, err := r.RunFile(context.Background(), "f.txt", []byte(file), true)
	if err != nil || string(updated) != want || len(results) != 1 || len(results[0].Failures) > 0 {
		t.Errorf("%q, %v, %v", updated, results, err)
	}
	if results, updated, err = r.RunFile(context.Background(), "f.txt", []byte(want), true); err != nil || updated != nil || len(results[0].Failures) > 0 {
		t.Errorf("%q, %v", updated, err)
	}
}

func TestParseRefusesWhatIsNoText(t *testing.T) {
	for _, b := range [][]byte{nil, {0xff, 0xfe}, make([]byte, scenario.MaxFile+1)} {
		_, err := scenario.Parse("f.txt", b)
		if e, ok := errors.AsType[*scenario.Error](err); !ok || e.Line < 1 {
			t.Errorf("%.10q: %v", b, err)
		}
	}
}

// Whatever is in a file: it is read or refused with a line of it, and an update of what was not played changes nothing.
func FuzzParse(f *testing.F) {
	paths, err := filepath.Glob("testdata/*/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("scenario x\nwhen\n rule a signals \"a b\" c\n ann says \"a\\\"\" \n wait 1 s\nthen\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := scenario.Parse("f.txt", b)
		if e, ok := errors.AsType[*scenario.Error](err); err != nil && (!ok || e.Line < 1 || e.Line > bytes.Count(b, []byte("\n"))+1) {
			t.Fatalf("%v", err)
		}
		if err == nil && !bytes.Equal(file.Update(nil), b) {
			t.Fatal("an update without results changes the file")
		}
	})
}
