package rules

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/plugins"
)

// wants returns a plugin that loops for ever, with a line more in its manifest.
func wants(line string) []byte {
	a := newAsm(loop...)
	a.manifest = strings.Replace(a.manifest, `"abi"`, line+`,"abi"`, 1)
	return a.bytes()
}

func TestClasses(t *testing.T) {
	greeter, err := plugins.Wasm("greeter")
	if err != nil {
		t.Fatal(err)
	}
	e := testEngine(t, Config{Interpret: true})
	for _, c := range []struct {
		name    string
		wasm    []byte
		granted abi.Class
		class   abi.Class // "": refused
		fuel    int64
	}{
		{"small", newAsm(loop...).bytes(), "", abi.ClassSmall, abi.MaxFuel},
		{"small, with the large class granted", newAsm(loop...).bytes(), abi.ClassLarge, abi.ClassSmall, abi.MaxFuel},
		{"less fuel", wants(`"fuel":7000`), abi.ClassSmall, abi.ClassSmall, 7000},
		{"all the fuel", wants(`"fuel":5000000`), abi.ClassSmall, abi.ClassSmall, abi.MaxFuel},
		{"more fuel", wants(`"fuel":6000000`), abi.ClassSmall, "", 0},
		{"more fuel, granted", wants(`"fuel":6000000`), abi.ClassLarge, abi.ClassLarge, 6_000_000},
		{"a runtime", greeter, abi.ClassSmall, "", 0},
		{"a runtime, granted", greeter, abi.ClassLarge, abi.ClassLarge, abi.MaxFuelLarge},
	} {
		p, err := e.Load(context.Background(), "rule", c.wasm, LoadOptions{Class: c.granted})
		if c.class == "" {
			found, ok := errors.AsType[Problems](err)
			if !ok || found[0].Code != CodeClass || !strings.Contains(err.Error(), "needs the large class") || !strings.Contains(err.Error(), `class = "large"`) {
				t.Errorf("%s: %v, want a problem with its class", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if p.Class() != c.class || p.Fuel() != c.fuel {
			t.Errorf("%s: class %s with %d units of fuel, want %s with %d", c.name, p.Class(), p.Fuel(), c.class, c.fuel)
		}
	}
	if n := len(e.modules); n != 5 {
		t.Errorf("%d modules are kept, 5 were loaded", n)
	}
}

// What the manifest wants is what a call gets.
func TestFuelIsWhatTheManifestWants(t *testing.T) {
	in := testInstance(t, testEngine(t, Config{}), wants(`"fuel":7000`), InstanceConfig{})
	_, err := in.Call(batch(1, 1e6), nil)
	fault, ok := errors.AsType[*abi.Fault](err)
	if !ok || fault.Kind != abi.FaultFuel || !strings.Contains(fault.Message, "more than 7000 units of fuel") {
		t.Errorf("%v, want it to be stopped at 7,000 units", err)
	}
	if over := in.used - 7000; over <= 0 || over > 100 {
		t.Errorf("it used %d units", in.used)
	}
}

func TestProblemsCountThemselves(t *testing.T) {
	one := problem(CodeImport, "one")
	for n, want := range []string{"one", "one (and 1 more problem)", "one (and 2 more problems)"} {
		found := Problems{one}
		for i := range n {
			found = append(found, problem(CodeExport, "%d", i))
		}
		if got := found.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if lines := strings.Count(found.All(), "\n") + 1; lines != n+1 {
			t.Errorf("%d lines for %d problems", lines, n+1)
		}
	}
	seen := map[Code]bool{}
	for _, c := range Codes {
		if seen[c.Code] || c.Meaning == "" || c.Todo == "" || !strings.Contains("prescan check compile sample", c.Stage) {
			t.Errorf("code %s: %s", c.Code, fmt.Sprint(c))
		}
		seen[c.Code] = true
	}
}
