package bolt

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
)

func moduleKey(module []byte) []byte {
	sum := sha256.Sum256(module)
	return sum[:]
}

// TestDamagedModule: a damaged module is an error of its own; the same upload again mends it.
func TestDamagedModule(t *testing.T) {
	dir := t.TempDir()
	want := fill(t, dir, 1)
	edit(t, dir, []string{"v:hall", "modules"}, moduleKey(uploads[1]), flip)
	s, err := Open(dir, Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Module(ctx, "hall", store.Digest(uploads[0])); err != nil {
		t.Error(err)
	}
	_, err = s.Module(ctx, "hall", store.Digest(uploads[1]))
	if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), store.Digest(uploads[1])) {
		t.Errorf("got %v, want ErrDamaged with the digest", err)
	}
	fresh, err := s.SaveVersion(ctx, "hall", storetest.Version("quiz", "1.0.1", "ann", uploads[1]), uploads[1])
	if fresh || err != nil {
		t.Errorf("the same upload again: %t, %v", fresh, err)
	}
	if got, err := look(s, 1); err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

// TestRoomForModules: what does not fit is refused whole; what a dropped or replaced version took is room again.
func TestRoomForModules(t *testing.T) {
	s, err := Open(t.TempDir(), Options{Log: quiet, Modules: 100})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	save := func(version string, fill byte) error {
		b := bytes.Repeat([]byte{fill}, 40)
		_, err := s.SaveVersion(ctx, "hall", storetest.Version("quiz", version, "ann", b), b)
		return err
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ok(save("1.0.0", 'a'))
	ok(save("1.0.1", 'a')) // the same bytes need no more room
	ok(save("2.0.0-dev", 'b'))
	err = save("1.0.2", 'c')
	if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "delete versions") {
		t.Fatalf("got %v, want ErrFull and what to do", err)
	}
	names, err := s.Versions(ctx, "hall")
	ok(err)
	if n := len(names[0].Versions); n != 3 {
		t.Errorf("%d versions after a refused one, want 3", n)
	}
	ok(save("2.0.0-dev", 'd')) // in the place of the one before
	ok(s.DropVersion(ctx, "hall", "quiz", "1.0.0"))
	if err := save("1.0.2", 'c'); !errors.Is(err, store.ErrFull) {
		t.Fatalf("1.0.1 still needs the module of 1.0.0: %v", err)
	}
	ok(s.DropVersion(ctx, "hall", "quiz", "1.0.1"))
	ok(save("1.0.2", 'c'))
	if err := save("1.0.1", 'c'); !errors.Is(err, store.ErrTaken) {
		t.Errorf("a dropped version is free again: %v", err)
	}
}

// FuzzEntries: no bytes in the entries of uploads and assignments make reading them do more than fail.
func FuzzEntries(f *testing.F) {
	for _, v := range []any{
		storetest.Version("quiz", "1.0.0", "ann", uploads[0]), nameEntry{"ann", 3},
		store.Assignment{Region: "main", Rule: "quiz", History: []store.Change{{By: "ann"}}},
	} {
		b, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"name":"quiz","name":null,"size":1e99}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, v2 store.RuleVersion
		if strict(b, &v) == nil {
			again, err := json.Marshal(v)
			if err != nil || strict(again, &v2) != nil {
				t.Fatalf("%+v cannot be written and read again: %v", v, err)
			}
		}
		var n nameEntry
		var a store.Assignment
		if strict(b, &a) == nil {
			_ = store.CheckAssignment(&a)
		}
		_ = strict(b, &n)
	})
}
