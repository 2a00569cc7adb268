package recording

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/venued/venued/venues"
)

// TestManifestComesBack: what a header keeps of a venue compiles to the same venue, settings with their types.
func TestManifestComesBack(t *testing.T) {
	files, err := filepath.Glob("../../venues/samples/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sample venues: %v", err)
	}
	for _, file := range append(files, "../../venue.example.toml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := venues.Read(file, data, venues.Options{Dir: filepath.Dir(file)})
		if err != nil {
			t.Fatal(err)
		}
		kept, digest, err := keepManifest(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := (&Header{Manifest: kept}).Venue()
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		again, sameDigest, err := keepManifest(back)
		if err != nil || !bytes.Equal(kept, again) || digest != sameDigest {
			t.Fatalf("%s: kept as\n%s\nthen as\n%s\n%v", file, kept, again, err)
		}
		for i := range v.Rules {
			if v.Rules[i].Name != back.Rules[i].Name || !reflect.DeepEqual(v.Rules[i].Kinds, back.Rules[i].Kinds) || len(v.Rules[i].Settings) != len(back.Rules[i].Settings) {
				t.Fatalf("%s: rule %+v came back as %+v", file, v.Rules[i], back.Rules[i])
			}
			for name, want := range v.Rules[i].Settings {
				if got := back.Rules[i].Settings[name]; got != want {
					t.Errorf("%s: setting %s is %v (%T), was %v (%T)", file, name, got, got, want, want)
				}
			}
		}
		v.Rules, back.Rules, v.Manifest, back.Manifest = nil, nil, nil, nil
		if !reflect.DeepEqual(v, back) {
			t.Errorf("%s: came back as another venue", file)
		}
	}
}
