package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/venued/venued/venues/strict"
)

// FileName is the name of a project's file.
const FileName = "venued-rule.toml"

// Langs are the languages that rules can be written in.
var Langs = []string{"go", "rust", "assemblyscript", "c"}

// Project is a rule's folder. Paths are relative to Dir.
type Project struct {
	Dir string `toml:"-"`

	Name     string `toml:"name,required"`     // of the rule: [a-z][a-z0-9-]{0,31}
	Lang     string `toml:"lang,required"`     // one of Langs
	Source   string `toml:"source,required"`   // the file that is compiled; for go the folder
	Manifest string `toml:"manifest,required"` // JSON, what the rule hears and may do
	Kit      string `toml:"kit,required"`      // folder of the kit's sources
	Output   string `toml:"output,required"`   // the plugin
	Tests    string `toml:"tests"`             // folder of scenario files, default "tests"
}

// SetDefaults names the folder of the tests.
func (p *Project) SetDefaults() { p.Tests = "tests" }

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// CheckName says what is wrong with a rule's name, nil for nothing.
func CheckName(name string) error {
	switch {
	case !namePattern.MatchString(name):
		return fmt.Errorf("%q is no name for a rule: want a to z first, then up to 31 of a to z, 0 to 9 and -", name)
	case strings.HasSuffix(name, "-") || strings.Contains(name, "--"):
		return fmt.Errorf("%q is no name for a rule: a - stands between letters or digits", name)
	}
	return nil
}

// CheckLang says what is wrong with the name of a language, nil for nothing.
func CheckLang(lang string) error {
	if slices.Contains(Langs, lang) {
		return nil
	}
	hint := strict.DidYouMean(lang, Langs)
	if hint == "" {
		hint = "there are " + strings.Join(Langs, ", ")
	}
	return fmt.Errorf("rules cannot be written in %q: %s", lang, hint)
}

// Read reads the project in a folder, or in the nearest folder above it. The error is strict.Problems when the file is wrong.
func Read(dir string) (*Project, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder %s", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder: give the folder of a rule's project", dir)
	}
	for at := dir; ; at = filepath.Dir(at) {
		file := filepath.Join(at, FileName)
		b, err := os.ReadFile(file)
		if err == nil {
			return parse(file, b)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if at == filepath.Dir(at) {
			return nil, fmt.Errorf("%s is not a rule's project: there is no %s in it or above it; `venued rule new` makes one", dir, FileName)
		}
	}
}

// parse reads a project file; name is its path.
func parse(name string, b []byte) (*Project, error) {
	src, err := strict.Open(name, b)
	if err != nil {
		return nil, err
	}
	p := &Project{Dir: filepath.Dir(name)}
	problems := src.Decode(p)
	add := func(path, hint, format string, args ...any) {
		if src.Has(path) && !src.Bad(path) {
			problems = append(problems, src.Problem(path, fmt.Sprintf(format, args...), hint))
		}
	}
	if err := CheckName(p.Name); err != nil {
		add("name", "", "%v", err)
	}
	if err := CheckLang(p.Lang); err != nil {
		add("lang", "", "%v", err)
	}
	for path, value := range p.paths() {
		switch {
		case *value == "":
			add(path, "name a file or folder", "it is empty")
		case filepath.IsAbs(*value):
			add(path, "write it relative to the project's folder", "%q is an absolute path", *value)
		case path == "output" && !filepath.IsLocal(*value):
			add(path, "write it inside the project's folder", "%q lies outside of the project", *value)
		case path == "output" && !strings.HasSuffix(*value, ".wasm"):
			add(path, "", "%q does not end with .wasm", *value)
		}
	}
	slices.SortStableFunc(problems, func(a, b strict.Problem) int { return a.Line - b.Line })
	if err := problems.Err(); err != nil {
		return nil, err
	}
	for _, value := range p.paths() {
		*value = filepath.FromSlash(*value)
	}
	return p, nil
}

// paths are the fields that name files and folders, by key.
func (p *Project) paths() map[string]*string {
	return map[string]*string{"source": &p.Source, "manifest": &p.Manifest, "kit": &p.Kit, "output": &p.Output, "tests": &p.Tests}
}

// Path returns where a file of the project is.
func (p *Project) Path(rel string) string { return filepath.Join(p.Dir, rel) }

// Needs says which compilers a language needs, with versions that were seen to work.
func Needs(lang string) string { return compilers[lang].install }
