package rules_test

import (
	"context"
	"testing"

	"github.com/venued/venued"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
	"github.com/venued/venued/venues/samples"
)

// Every rule of the venues that ship gets the class that its plugin needs, and takes its settings.
func TestRulesOfSampleVenuesLoad(t *testing.T) {
	e := engine(t, false)
	for name, file := range map[string][]byte{"example": venued.Example, "gallery": samples.Gallery, "divided": samples.Divided, "plaza": samples.Plaza} {
		v, err := venues.Read(name, file, venues.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range v.Rules {
			wasm, err := plugins.Wasm(r.Plugin)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			p, err := e.Load(context.Background(), r.Name, wasm, rules.LoadOptions{Settings: r.Settings, Class: r.Class})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			in, err := p.Instance(rules.InstanceConfig{})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			in.Close()
		}
	}
}
