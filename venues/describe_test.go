package venues_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/venued/venued/venues/samples"
)

// The golden file is what clients read: a change of it is a change of the public contract.
func TestDescription(t *testing.T) {
	const golden = "testdata/gallery.description.json"
	got, err := json.MarshalIndent(read(t, "gallery", samples.Gallery).Describe(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-want +got; -update writes it anew\n%s", diff)
	}
}

func TestDescriptionOfLittleHasNoNulls(t *testing.T) {
	b, err := json.Marshal(read(t, "divided", samples.Divided).Describe())
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		t.Fatal(err)
	}
	for name, v := range fields {
		if v == nil {
			t.Errorf("%s is null", name)
		}
	}
}
