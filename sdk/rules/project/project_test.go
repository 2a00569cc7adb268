package project_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/sdk/rules/project"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// create makes a project; the one in AssemblyScript gets the compiler that this repository has.
func create(t *testing.T, name, lang string) *project.Project {
	t.Helper()
	p, err := project.New(filepath.Join(t.TempDir(), name), name, lang)
	if err != nil {
		t.Fatal(err)
	}
	if lang == "assemblyscript" {
		modules, err := filepath.Abs("../assemblyscript/node_modules")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(modules, p.Path("node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		t.Fatalf("%s has no %q:\n%s", path, old, b)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(b, []byte(old), []byte(new)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A new project in each language builds as it is, to the same bytes each time, and a host takes it.
func TestNewProjectsBuild(t *testing.T) {
	ctx := context.Background()
	engine, err := rules.NewEngine(ctx, rules.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close(ctx)
	for _, lang := range project.Langs {
		t.Run(lang, func(t *testing.T) {
			p := create(t, "my-lamp-2", lang)
			var said bytes.Buffer
			b := &project.Builder{Out: &said, Resident: true}
			defer b.Close()
			first, err := b.Build(ctx, p)
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			if said.Len() > 0 {
				t.Errorf("the compiler has something to say about it:\n%s", said.Bytes())
			}
			onDisk, err := os.ReadFile(p.Path(p.Output))
			if err != nil || !bytes.Equal(onDisk, first) {
				t.Errorf("the file is not what Build returned: %v", err)
			}
			again, err := (&project.Builder{}).Build(ctx, p)
			if err != nil || !bytes.Equal(again, first) {
				t.Errorf("built again it is another: %v", err)
			}
			plugin, err := engine.Load(ctx, p.Name, first, rules.LoadOptions{Class: abi.ClassLarge})
			if err != nil {
				t.Fatal(err)
			}
			defer plugin.Close(ctx)
			in, err := plugin.Instance(rules.InstanceConfig{})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			batch := abi.NewBatch()
			batch.Reset(nil, abi.Header{Tick: 1, TimeUS: 1})
			batch.Event(&abi.Event{Kind: abi.EventUse, Subject: 7, Object: 9, Value: 4})
			out, err := in.Call(batch.Finish(), nil)
			if err != nil {
				t.Fatal(err)
			}
			cmds, err := abi.DecodeCommands(out, 1, nil)
			if err != nil || len(cmds) != 2 || cmds[0].Kind != abi.CmdSetState || cmds[0].Value != 1 ||
				string(cmds[1].Data) != "my-lamp-2\x00{\"text\":\"It is on.\"}" {
				t.Errorf("commands %+v, %v", cmds, err)
			}
		})
	}
}

// A rule may be called what a language means something by.
func TestNamesThatLanguagesKnow(t *testing.T) {
	for lang, names := range map[string][]string{
		"go": {"std"}, "rust": {"self", "batch"}, "assemblyscript": {"i32"}, "c": {"int"},
	} {
		for _, name := range names {
			var said bytes.Buffer
			if _, err := (&project.Builder{Out: &said}).Build(context.Background(), create(t, name, lang)); err != nil {
				t.Errorf("%s in %s: %v\n%s", name, lang, err, said.Bytes())
			}
		}
	}
}

// What a compiler refuses is said by the compiler, and leaves the plugin as it was; correcting it is enough, also for
// the compiler that is kept running.
func TestCompilersRefuse(t *testing.T) {
	ctx := context.Background()
	for lang, file := range map[string]string{"go": "main.go", "rust": "rule.rs", "assemblyscript": "rule.ts", "c": "rule.c"} {
		t.Run(lang, func(t *testing.T) {
			p := create(t, "lamp", lang)
			var said bytes.Buffer
			b := &project.Builder{Out: &said, Resident: true}
			defer b.Close()
			good, err := b.Build(ctx, p)
			if err != nil {
				t.Fatalf("%v\n%s", err, said.Bytes())
			}
			edit(t, p.Path(file), "use", "u`se")
			_, err = b.Build(ctx, p)
			if _, ok := errors.AsType[*project.CompileError](err); !ok || said.Len() == 0 {
				t.Errorf("%v, and the compiler said %q", err, said.Bytes())
			}
			if left, err := os.ReadFile(p.Path(p.Output)); err != nil || !bytes.Equal(left, good) {
				t.Errorf("the plugin was not left as it was: %v", err)
			}
			edit(t, p.Path(file), "u`se", "use")
			if again, err := b.Build(ctx, p); err != nil || !bytes.Equal(again, good) {
				t.Errorf("corrected it is not what it was: %v\n%s", err, said.Bytes())
			}
		})
	}
}

// Kits are whole: what a rule may need beside what a new one has is there too.
func TestKitsAreWhole(t *testing.T) {
	p := create(t, "lamp", "go")
	migrate := "//go:build wasip1\n\npackage main\n\nimport \"github.com/venued/venued/sdk/rules/go/migrate\"\n\n" +
		"func init() { migrate.Handle(func(from int) error { return nil }) }\n"
	if err := os.WriteFile(p.Path("migrate.go"), []byte(migrate), 0o666); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if _, err := (&project.Builder{Out: &said}).Build(context.Background(), p); err != nil {
		t.Errorf("%v\n%s", err, said.Bytes())
	}
	for lang, root := range map[string]string{"go": "../go", "rust": "../rust/src", "assemblyscript": "../assemblyscript/assembly", "c": "../c"} {
		p := create(t, "kit-of-"+lang, lang)
		entries, err := os.ReadDir(root)
		if err != nil {
			t.Fatal(err)
		}
		kit := p.Path("kit")
		if lang == "rust" {
			kit = filepath.Join(kit, "src")
		}
		for _, e := range entries {
			name := e.Name()
			if e.IsDir() || strings.HasSuffix(name, "_test.go") || !slices.Contains([]string{".go", ".rs", ".ts", ".h"}, filepath.Ext(name)) {
				continue
			}
			want, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(kit, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %s is not in the kit as it is in this project: %v", lang, name, err)
			}
		}
	}
}

func TestMissingCompilers(t *testing.T) {
	for lang, variables := range map[string][]string{"go": {"GO"}, "rust": {"RUSTC"}, "c": {"CLANG", "WASM_LD"}, "assemblyscript": {"NODE"}} {
		p := create(t, "lamp", lang)
		for _, v := range variables {
			t.Run(v, func(t *testing.T) {
				t.Setenv(v, "/nowhere/at-all")
				_, err := (&project.Builder{}).Build(context.Background(), p)
				if _, ok := errors.AsType[*project.MissingError](err); !ok || !strings.Contains(err.Error(), v) || !strings.Contains(err.Error(), "/nowhere") {
					t.Errorf("%v", err)
				}
			})
		}
	}
	p := create(t, "lamp", "assemblyscript")
	if err := os.Remove(p.Path("node_modules")); err != nil {
		t.Fatal(err)
	}
	if _, err := (&project.Builder{}).Build(context.Background(), p); err == nil || !strings.Contains(err.Error(), "npm install") {
		t.Errorf("without the compiler: %v", err)
	}
	t.Setenv("PATH", "/nowhere")
	p = create(t, "lamp", "c")
	if _, err := (&project.Builder{}).Build(context.Background(), p); err == nil || !strings.Contains(err.Error(), "Debian packages clang and lld") {
		t.Errorf("without a compiler: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, name := range []string{"", "Lamp", "../lamp", "a/b", "lamp.", "-lamp", "lamp-", "a--b", "lämp", strings.Repeat("a", 33), "9lives", "a b", "con\x00"} {
		dir := filepath.Join(t.TempDir(), "p")
		if _, err := project.New(dir, name, "go"); err == nil || !strings.Contains(err.Error(), "no name for a rule") {
			t.Errorf("name %q: %v", name, err)
		}
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("name %q: something was written", name)
		}
	}
	if _, err := project.New(t.TempDir(), "lamp", "rsut"); err == nil || !strings.Contains(err.Error(), `did you mean "rust"?`) {
		t.Errorf("language: %v", err)
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine.txt"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := project.New(full, "lamp", "go"); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a full folder: %v", err)
	}
	entries, err := os.ReadDir(full)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v now, %v", entries, err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(full), ".venued-rule-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	t.Chdir(t.TempDir())
	if p, err := project.New(".", "lamp", "go"); err != nil || p.Name != "lamp" {
		t.Errorf("the empty folder that one is in: %v", err)
	}
	if _, err := os.Stat("main.go"); err != nil {
		t.Error(err)
	}
}

func TestReadFindsTheFolderAbove(t *testing.T) {
	p := create(t, "lamp", "c")
	q, err := project.Read(p.Path("kit"))
	if err != nil || q.Dir != p.Dir || q.Name != "lamp" || q.Tests != "tests" {
		t.Errorf("%+v, %v", q, err)
	}
	if _, err := project.Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "venued rule new") {
		t.Errorf("no project: %v", err)
	}
	if _, err := project.Read(p.Path("nowhere")); err == nil || !strings.Contains(err.Error(), "no folder") {
		t.Errorf("no folder: %v", err)
	}
	if _, err := project.Read(p.Path("rule.c")); err == nil || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("a file: %v", err)
	}
}

func TestBadProjectFiles(t *testing.T) {
	good := `name = "lamp"
lang = "c"
source = "rule.c"
manifest = "manifest.json"
kit = "kit"
output = "lamp.wasm"
`
	for _, c := range []struct{ old, new, want string }{
		{`lang = "c"`, `lang = "cc"`, "venued-rule.toml:2: lang: "},
		{`lang = "c"`, ``, "lang is missing"},
		{`name = "lamp"`, `name = "../lamp"`, "venued-rule.toml:1: name: "},
		{`output = "lamp.wasm"`, `output = "../../lamp.wasm"`, "lies outside of the project"},
		{`output = "lamp.wasm"`, `output = "/lamp.wasm"`, "absolute path"},
		{`output = "lamp.wasm"`, `output = "lamp.exe"`, "does not end with .wasm"},
		{`source = "rule.c"`, `source = ""`, "venued-rule.toml:3: source: it is empty"},
		{`kit = "kit"`, `kitt = "kit"`, `did you mean "kit"`},
		{`kit = "kit"`, `kit = 5`, "venued-rule.toml:5: kit: "},
		{`kit = "kit"`, `kit = `, "not TOML"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, project.FileName), []byte(strings.Replace(good, c.old, c.new, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := project.Read(dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.new, err, c.want)
		}
	}
}

func TestManifestAndProjectAgree(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"lamp"`, `"lump"`, `both the same name`},
		{`"set_state"`, `"set_stat"`, `manifest.json: manifest: commands[0]: unknown name "set_stat", did you mean "set_state"?`},
	} {
		p := create(t, "lamp", "c")
		edit(t, p.Path("manifest.json"), c.old, c.new)
		if _, err := (&project.Builder{}).Build(context.Background(), p); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	p := create(t, "lamp", "c")
	if err := os.RemoveAll(p.Path("kit")); err != nil {
		t.Fatal(err)
	}
	if _, err := (&project.Builder{}).Build(context.Background(), p); err == nil || !strings.Contains(err.Error(), "kit") {
		t.Errorf("without the kit: %v", err)
	}
	if !slices.Contains(project.Langs, p.Lang) {
		t.Error("a project in an unknown language")
	}
}
