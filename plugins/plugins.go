// Package plugins holds the rule plugins that ship with venued, built. Their sources lie in a
// folder each; build.sh makes built/ from them.
package plugins

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

//go:embed built/*.wasm
var built embed.FS

// Names returns the names of the shipped plugins, sorted.
func Names() []string {
	entries, err := fs.ReadDir(built, "built")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".wasm"))
	}
	slices.Sort(names)
	return names
}

// Wasm returns the module of a shipped plugin, manifest included. The caller must not change it.
func Wasm(name string) ([]byte, error) {
	b, err := built.ReadFile("built/" + name + ".wasm")
	if err != nil {
		return nil, fmt.Errorf("no plugin %q ships with venued: there are %s", name, strings.Join(Names(), ", "))
	}
	return b, nil
}
