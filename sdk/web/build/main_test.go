package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompareSaysHowDistDiffers(t *testing.T) {
	dist := filepath.Join(t.TempDir(), "dist")
	files := map[string][]byte{"index.html": []byte("page"), "page-ABCDEFGH.js": []byte("script")}
	if err := write(dist, files); err != nil {
		t.Fatal(err)
	}
	if err := compare(dist, files); err != nil {
		t.Fatalf("what was just written differs: %v", err)
	}
	for name, content := range map[string]string{"index.html": "another", "page-OLDOLDOL.js": "old"} {
		if err := os.WriteFile(filepath.Join(dist, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dist, "page-ABCDEFGH.js")); err != nil {
		t.Fatal(err)
	}
	err := compare(dist, files)
	for _, want := range []string{"index.html differs", "page-ABCDEFGH.js is missing", "page-OLDOLDOL.js is left over", "make web"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want it to say %q", err, want)
		}
	}
	if err := write(dist, files); err != nil {
		t.Fatal(err)
	}
	if err := compare(dist, files); err != nil {
		t.Errorf("after writing anew: %v", err)
	}
}

func TestWithoutModulesItSaysWhatToRun(t *testing.T) {
	_, err := bundle(t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "npm ci") {
		t.Errorf("%v: want it to name npm ci", err)
	}
}
