package recording

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	a, err := f.Create("Ground/0", at, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if a.Name() != "ground-0-20261130-120000.vrec" {
		t.Errorf("named %s", a.Name())
	}
	b, err := f.Create("Ground/0", at, 1<<20)
	if err != nil || b.Name() != "ground-0-20261130-120000-2.vrec" {
		t.Fatalf("the second of a second: %v, %v", b.Name(), err)
	}
	if _, err := a.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	// The space that a running recording may take is taken.
	if _, err := f.Create("x", at, FolderBytes); !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "the oldest is ground-0") {
		t.Errorf("beyond the folder's size: %v", err)
	}
	if err := b.Drop(); err != nil {
		t.Fatal(err)
	}
	list, err := f.List()
	if err != nil || len(list) != 1 || list[0].Bytes != 1 || list[0].Running {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, name := range []string{"../x.vrec", "a/b.vrec", "nothing.vrec", "", ".vrec", "x.vrec.part"} {
		if _, err := f.Open(name); !errors.Is(err, ErrNoFile) {
			t.Errorf("open %q: %v", name, err)
		}
		if err := f.Delete(name); !errors.Is(err, ErrNoFile) {
			t.Errorf("delete %q: %v", name, err)
		}
	}
	for range FolderFiles {
		if b, err = f.Create("many", at, 1<<20); err != nil {
			break
		}
		if err := b.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "delete some") {
		t.Errorf("beyond the folder's number: %v", err)
	}
	// A process that died has left a file half-written.
	if err := os.WriteFile(filepath.Join(dir, "cut-20261130-120000.vrec.part"), []byte("y"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err = OpenFolder(dir); err != nil {
		t.Fatal(err)
	}
	file, err := f.Open("cut-20261130-120000.vrec")
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
}
