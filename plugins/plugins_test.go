package plugins

import (
	"slices"
	"strings"
	"testing"

	"github.com/venued/venued/host/rules"
)

func TestShippedPlugins(t *testing.T) {
	if got, want := Names(), []string{"bell", "door", "grab", "greeter", "lift", "pen", "queue", "score", "scoreboard", "seat", "teleporter"}; !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for _, name := range Names() {
		wasm, err := Wasm(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := rules.Check(wasm)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if m.Name != name {
			t.Errorf("%s calls itself %s", name, m.Name)
		}
	}
}

func TestUnknownPlugin(t *testing.T) {
	for _, name := range []string{"", "grap", "../built/grab"} {
		if _, err := Wasm(name); err == nil || !strings.Contains(err.Error(), "door, grab") {
			t.Errorf("%q: %v, want an error that lists what there is", name, err)
		}
	}
}
