package bolt

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t storetest.T, dir string) store.Store {
	t.Helper()
	s, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	storetest.Run(t, open, func(t *testing.T) string { return t.TempDir() })
}

func TestSecondProcessIsTold(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	defer s.Close()
	_, err := Open(dir, Options{})
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), filepath.Join(dir, File)) {
		t.Fatalf("got %v, want ErrInUse with the path", err)
	}
}

func TestFolderThatCannotBeWrittenIsTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(filepath.Join(file, "data"), Options{})
	if !errors.Is(err, store.ErrNotWritable) || !strings.Contains(err.Error(), file) {
		t.Fatalf("got %v, want ErrNotWritable with the path", err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, File), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Fatalf("a folder in the file's place: %v", err)
	}
	if os.Geteuid() != 0 { // root may write anywhere
		locked := t.TempDir()
		if err := os.Chmod(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(locked, Options{}); !errors.Is(err, store.ErrNotWritable) {
			t.Fatalf("got %v, want ErrNotWritable", err)
		}
	}
}
