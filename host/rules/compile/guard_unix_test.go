//go:build unix

package compile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolderOfOthers: code that somebody else could have put into the folder is not run.
func TestFolderOfOthers(t *testing.T) {
	f := testFolder(t)
	code := answers(7)
	info, err := NewCompiler(f, nil, Limits{}).Compile(context.Background(), code)
	if err != nil {
		t.Fatal(err)
	}
	entry := filepath.Join(f.dir, filepath.FromSlash(info.Entry))
	for _, c := range []struct{ name, path string }{
		{"the folder", f.dir},
		{"a folder in it", filepath.Dir(entry)},
	} {
		for _, mode := range []os.FileMode{0o770, 0o702, 0o777 | os.ModeSticky} {
			if err := os.Chmod(c.path, mode); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(f.dir); err == nil || !strings.Contains(err.Error(), c.path+": its mode") || !strings.Contains(err.Error(), "remove the folder "+f.dir) {
				t.Errorf("%s with mode %o: %v", c.name, mode, err)
			}
		}
		if err := os.Chmod(c.path, 0o755); err != nil { // others may read
			t.Fatal(err)
		}
		if _, err := Open(f.dir); err != nil {
			t.Error(err)
		}
	}
	for _, path := range []string{entry, f.description(moduleName(code))} {
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := call(t, f, code); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s that others can write to: %v", filepath.Base(path), err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	moved := filepath.Join(t.TempDir(), "entry")
	if err := errors.Join(os.Rename(entry, moved), os.Symlink(moved, entry)); err != nil {
		t.Fatal(err)
	}
	if _, err := call(t, f, code); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("an entry that is a link: %v", err)
	}
	if os.Geteuid() != 0 {
		return // only root can give files away
	}
	if err := os.Chown(f.dir, 65534, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(f.dir); err == nil || !strings.Contains(err.Error(), "it belongs to user 65534") {
		t.Errorf("a folder of another user: %v", err)
	}
}
