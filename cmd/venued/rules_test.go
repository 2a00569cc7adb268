package main

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/plugins"
)

// TestReloadRules: a module that has changed on disk takes the former one's place, which is freed with its last
// instance; one that is no good changes nothing.
func TestReloadRules(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	file := filepath.Join(dir, "rule.wasm")
	write := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shipped := func(name string) []byte {
		t.Helper()
		b, err := plugins.Wasm(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	write(shipped("grab"))
	const venue = "[venue]\nid = \"hall\"\nname = \"Hall\"\n[[floor]]\nname = \"ground\"\nmin = [0, 0]\nmax = [9, 9]\n" +
		"[[spawn]]\nname = \"door\"\nat = [4, 4]\n[[rule]]\nname = \"hands\"\nplugin = \"rule.wasm\"\n"
	cfg, err := config.Parse("hall.toml", []byte(venue), config.Options{Dir: dir, Data: dir})
	if err != nil {
		t.Fatal(err)
	}
	h := &host{cfg: cfg, log: slog.New(slog.DiscardHandler)}
	defer func() {
		if err := h.stop(ctx); err != nil {
			t.Error(err)
		}
	}()
	s, err := h.loadRules(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.make(0)
	if err != nil || len(first) != 1 {
		t.Fatalf("%d instances, %v", len(first), err)
	}
	end := func(r scene.Rule) { r.(ruleInstance).Close() }
	defer end(first[0])
	old := s.loaded[0]

	write([]byte("not wasm"))
	if _, err := s.reload(ctx, 0, 0); err == nil || !strings.Contains(err.Error(), "rule hands") || s.loaded[0] != old {
		t.Errorf("a file that is no module: %v", err)
	}
	write(shipped("door"))
	second, err := s.reload(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if second.Digest() == first[0].Digest() || second.Manifest().Name != "door" || s.loaded[0] == old || !old.replaced || old.instances != 1 {
		t.Errorf("after the reload: %s %s, the former has %d instances, replaced %v", second.Manifest().Name, second.Digest(), old.instances, old.replaced)
	}
	end(first[0])
	end(first[0]) // once more changes nothing
	if old.instances != 0 || s.loaded[0].instances != 1 {
		t.Errorf("%d and %d instances are counted, want 0 and 1", old.instances, s.loaded[0].instances)
	}
	third, err := s.make(0)
	if err != nil || third[0].Digest() != second.Digest() {
		t.Fatalf("a start after the reload has another module, %v", err)
	}
	end(second)
	end(third[0])
	if s.loaded[0].instances != 0 {
		t.Errorf("%d instances are counted, want 0", s.loaded[0].instances)
	}
}
