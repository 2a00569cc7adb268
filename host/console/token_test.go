package console

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "admin.token")
	first, err := ReadOrCreateToken(path)
	if err != nil || len(first) < 40 {
		t.Fatalf("%q, %v", first, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if again, err := ReadOrCreateToken(path); err != nil || again != first {
		t.Errorf("the second start: %q, %v", again, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadToken(path); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others may read: %v", err)
	}
	for _, bad := range []string{"", "short", "with a blank in the middle", strings.Repeat("x", maxToken+1), "line one is long enough\nso is line two of it", strings.Repeat("é", 30), strings.Repeat("x", 5000)} {
		if err := os.WriteFile(path, []byte(bad+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadOrCreateToken(path); err == nil || !strings.Contains(err.Error(), "one line") {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	if _, err := ReadOrCreateToken(filepath.Join(t.TempDir(), "no", "admin.token")); err == nil {
		t.Error("a token was made in a folder that is not there")
	}
}
