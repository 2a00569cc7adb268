package project

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	kits "github.com/venued/venued/sdk/rules"
)

//go:embed templates
var templates embed.FS

// New makes a project in dir: the folder is made, or must be empty. It is made as a whole or not at all.
func New(dir, name, lang string) (*Project, error) {
	if err := errors.Join(CheckName(name), CheckLang(lang)); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	switch {
	case err == nil && len(entries) > 0:
		return nil, fmt.Errorf("%s is there already and not empty: nothing was written; name another folder with --dir, or remove it", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	files, err := scaffold(name, lang)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, err
	}
	// Written beside it and put in its place at the end: a full disk leaves no half project.
	tmp, err := os.MkdirTemp(parent, ".venued-rule-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		at := filepath.Join(tmp, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(at, files[name], 0o666); err != nil {
			return nil, err
		}
	}
	if err := place(tmp, dir); err != nil {
		return nil, err
	}
	return Read(dir)
}

// place puts what a folder holds in the place of another, which is not there or empty. One that is there stays the folder it is: somebody
// may be in it.
func place(tmp, dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(tmp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Rename(filepath.Join(tmp, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// scaffold returns the files of a new project.
func scaffold(name, lang string) (map[string][]byte, error) {
	files := map[string][]byte{}
	data := map[string]string{
		"Name": name, "Lang": lang, "Source": sources[lang],
		"Language": map[string]string{"go": "Go", "rust": "Rust", "assemblyscript": "AssemblyScript", "c": "C"}[lang],
		"Needs":    compilers[lang].install,
		"Again":    map[string]string{"assemblyscript": "    npm install               # once: the compiler\n"}[lang],
	}
	for _, folder := range []string{"common", lang} {
		root := "templates/" + folder
		err := fs.WalkDir(templates, root, func(at string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := templates.ReadFile(at)
			if err != nil {
				return err
			}
			t, err := template.New(at).Option("missingkey=error").Parse(string(b))
			if err != nil {
				return err
			}
			var out bytes.Buffer
			if err := t.Execute(&out, data); err != nil {
				return err
			}
			// Names end with .tmpl so that no tool takes the templates for sources; a leading dot could not be embedded.
			to := strings.TrimSuffix(strings.TrimPrefix(at, root+"/"), ".tmpl")
			files[strings.Replace(to, "dot-", ".", 1)] = out.Bytes()
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	kit, err := kits.Sources(lang)
	if err != nil {
		return nil, err
	}
	for name, b := range kit {
		files["kit/"+name] = b
	}
	return files, nil
}

// sources are the files that are compiled, in a new project.
var sources = map[string]string{"go": ".", "rust": "rule.rs", "assemblyscript": "rule.ts", "c": "rule.c"}
