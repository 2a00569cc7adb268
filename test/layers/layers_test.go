// Package layers holds the test that dependencies point inward.
package layers

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/venued/venued/"

// layers from the inside out. A package may import packages of inner layers, and
// of its own layer only what allowed names. A package that no pattern
// matches fails the test: place it.
var layers = []struct {
	name     string
	packages []string
	// peers says that packages of the layer may import one another (they must still form no
	// cycle, which the compiler sees to).
	peers bool
}{
	{"leaf", []string{"lattice", "abi", "venues", "venues/*", "host/stream", "host/scene/saved", "host/scene/terms", "rtc/wire", "rtc/token", "sdk/rules/signing"}, true},
	{"content", []string{"plugins", "sdk/rules", "sdk/rules/*", "sdk/rules/*/*", "plugins/*", "plugins/*/*", "rtc/wire/gencodes", "abi/gen", "sdk/rules/*/*/*", "sdk/motion", "sdk/web", "."}, false},
	{"mechanism", []string{"host/scene", "host/aoi", "host/aoi/*", "host/bus", "host/store", "host/store/*", "host/metrics", "host/config", "rtc/view", "rtc/peer", "host/rules/module", "host/rules/meter", "host/rules/compile", "sdk/rules/project", "sdk/admin"}, false},
	{"engine", []string{"host/rules", "host/recording", "scheduler/migration"}, false},
	{"role", []string{"host/node", "host/cluster", "host/rulebook", "host/recording/replay", "host/console", "rtc", "rtc/session", "sdk/go", "sdk/go/*", "sdk/rules/scenario", "sdk/rules/dev"}, true},
	{"load", []string{"sdk/loadgen", "sdk/loadgen/*", "sdk/bench/*"}, true},
	{"command", []string{"cmd/*", "cmd/*/*", "host/console/ui/build", "sdk/web/build", "sdk/bench/codec/train"}, true},
	{"test", []string{"rtc/peer/peertest", "host/rules/module/wasmtest", "sdk/web/test/*", "scheduler/sim", "scheduler/sim/run", "test/*", "test/*/*"}, true},
}

// exceptions are imports inside a layer that is otherwise flat, each with its reason.
var exceptions = map[string][]string{
	"rtc/view":             {"host/aoi"},          // a view is interest plus acknowledgements
	"host/store/bolt":      {"host/store"},        // the contract it keeps
	"host/store/storetest": {"host/store"},        // the contract it checks
	"host/store/redis":     {"host/store"},        // the contract it keeps
	"host/rules/meter":     {"host/rules/module"}, // what it rewrites
	"host/rules/compile":   {"host/rules/module"}, // the sections of what it compiles
}

// layerOf returns the layer that names the package, or else the first with a pattern for it.
func layerOf(pkg string) int {
	for i, l := range layers {
		if slices.Contains(l.packages, pkg) {
			return i
		}
	}
	for i, l := range layers {
		for _, p := range l.packages {
			if ok, _ := path.Match(p, pkg); ok {
				return i
			}
		}
	}
	return -1
}

type pkg struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		t.Fatalf("go list: %v\n%s", err, exit.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func short(importPath string) string {
	if importPath+"/" == module {
		return "."
	}
	return strings.TrimPrefix(importPath, module)
}

func TestDependenciesPointInward(t *testing.T) {
	all := list(t)
	if len(all) < 10 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	for _, p := range all {
		from := short(p.ImportPath)
		lf := layerOf(from)
		if lf < 0 {
			t.Errorf("package %s is in no layer: place it in this test and in docs/architecture.md", from)
			continue
		}
		for _, imp := range p.Imports {
			if !strings.HasPrefix(imp+"/", module) {
				continue
			}
			to := short(imp)
			lt := layerOf(to)
			switch {
			case lt < 0:
				t.Errorf("%s imports %s, which is in no layer", from, to)
			case lt < lf:
			case lt == lf && (layers[lf].peers || slices.Contains(exceptions[from], to)):
			default:
				t.Errorf("%s (layer %s) must not import %s (layer %s)", from, layers[lf].name, to, layers[lt].name)
			}
		}
	}
}

// The region and the plugin contract stand alone: they must stay usable
// in a simulator and a guest, without sockets, files or engines.
func TestSceneAndABIImportOnlyLeaves(t *testing.T) {
	for _, p := range list(t) {
		from := short(p.ImportPath)
		if from != "host/scene" && from != "abi" {
			continue
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, module) && layerOf(short(imp)) != 0 {
				t.Errorf("%s imports %s, which is no leaf", from, short(imp))
			}
			for _, bad := range []string{"net", "os", "time", "context", "sync"} {
				if imp == bad || strings.HasPrefix(imp, "net/") {
					t.Errorf("%s imports %s: it must know no clock, socket, file or goroutine", from, imp)
				}
			}
		}
	}
}
