package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
)

const manifest = `{
  "name": "x", "version": "1.0.0", "abi": 1, "events": ["use"], "commands": ["accept"], "schema": 0
}`

func module() []byte {
	m := abi.AppendCustomSection([]byte(abi.ModuleHeader), "producers", []byte("a compiler"))
	m = append(m, 1, 4, 1, 0x60, 0, 0) // a type section
	m = abi.AppendCustomSection(m, "name", []byte("names"))
	return abi.AppendCustomSection(m, abi.ManifestSection, []byte("an older manifest"))
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	in, text, out := filepath.Join(dir, "in.wasm"), filepath.Join(dir, "m.json"), filepath.Join(dir, "out.wasm")
	for name, content := range map[string][]byte{in: module(), text: []byte(manifest)} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(in, text, out, false); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := abi.CustomSection(b, abi.ManifestSection); err != nil {
		t.Error(err)
	}
	if err := run(text, text, out, false); err == nil || !strings.Contains(err.Error(), "m.json") {
		t.Errorf("an error that does not name the file: %v", err)
	}
}
