// Package kits holds the sources of the kits that rules are written with, one folder a language, as they go
// into a designer's project: nothing is fetched from anywhere when a rule is made or built.
package kits

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed go/*.go go/migrate/*.go rust/Cargo.toml rust/src/*.rs assemblyscript/assembly/*.ts c/*.h
var sources embed.FS

// roots are the folders that a project gets the content of, by language.
var roots = map[string]string{"go": "go", "rust": "rust", "assemblyscript": "assemblyscript/assembly", "c": "c"}

// Sources returns the files of a language's kit, without its tests; paths are relative to the kit's folder in a project.
func Sources(lang string) (map[string][]byte, error) {
	root, ok := roots[lang]
	if !ok {
		return nil, fmt.Errorf("there is no kit for %q", lang)
	}
	files := map[string][]byte{}
	err := fs.WalkDir(sources, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") || path.Base(name)[0] == '.' {
			return err
		}
		files[strings.TrimPrefix(name, root+"/")], err = sources.ReadFile(name)
		return err
	})
	return files, err
}
