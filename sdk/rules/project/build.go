package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/venued/venued/abi"
)

// Builder builds projects. Its zero value will do; Close it when done. One build at a time.
type Builder struct {
	// Out takes what compilers print, and nothing else. Default: nowhere.
	Out io.Writer
	// Resident keeps the AssemblyScript compiler running between builds: starting it takes longer than compiling.
	Resident bool

	asc *residentAsc
}

// Close ends what Resident kept.
func (b *Builder) Close() error {
	if b.asc == nil {
		return nil
	}
	err := b.asc.close()
	b.asc = nil
	return err
}

// CompileError says that a compiler refused the rule; what it said went to Builder.Out.
type CompileError struct {
	Compiler string
	Err      error
}

// Error names the compiler.
func (e *CompileError) Error() string {
	return fmt.Sprintf("%s refuses the rule (%v): what it printed says why; the plugin was left as it was", e.Compiler, e.Err)
}

// Unwrap returns how the compiler ended.
func (e *CompileError) Unwrap() error { return e.Err }

// MissingError says that a compiler is not on this machine.
type MissingError struct{ What, Install string }

// Error says what is missing and how it gets here.
func (e *MissingError) Error() string { return fmt.Sprintf("%s: %s", e.What, e.Install) }

// compiler is how a language is built.
type compiler struct {
	install string // what it needs, for people
	build   func(*Builder, context.Context, *Project, string) error
}

var compilers map[string]compiler

func init() { // not a literal: that would refer to itself through the functions
	compilers = map[string]compiler{
		"go":             {"Go 1.24 or newer (seen to work: 1.26.8), from https://go.dev/dl", (*Builder).buildGo},
		"rust":           {"Debian packages rustc, libstd-rust-dev-wasm32 and lld (seen to work: 1.63 and 14)", (*Builder).buildRust},
		"assemblyscript": {"node and npm (Debian packages nodejs and npm; seen to work: 20), and the compiler by `npm install` (seen to work: 0.28.20)", (*Builder).buildAssemblyScript},
		"c":              {"Debian packages clang and lld (seen to work: 14)", (*Builder).buildC},
	}
}

// Build compiles a project, packs module and manifest, writes the plugin to the project's output, and returns it. The output
// changes only when everything went well. The error is a MissingError, a CompileError, or says which file is wrong.
func (b *Builder) Build(ctx context.Context, p *Project) ([]byte, error) {
	manifest, err := os.ReadFile(p.Path(p.Manifest))
	if err != nil {
		return nil, fmt.Errorf("the manifest: %w", err)
	}
	m, err := abi.ParseManifest(manifest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path(p.Manifest), err)
	}
	if m.Name != p.Name {
		return nil, fmt.Errorf("%s calls the rule %q, %s calls it %q: give both the same name", p.Path(p.Manifest), m.Name, p.Path(FileName), p.Name)
	}
	for what, rel := range map[string]string{"source": p.Source, "kit": p.Kit} {
		if _, err := os.Stat(p.Path(rel)); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", p.Path(FileName), what, err)
		}
	}
	work := p.Path(".build")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return nil, err
	}
	module := filepath.Join(work, "module.wasm")
	if err := os.Remove(module); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := compilers[p.Lang].build(b, ctx, p, module); err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(module)
	if err != nil {
		return nil, fmt.Errorf("the compiler ended well and wrote no module: %w", err)
	}
	packed, err := abi.Pack(wasm, manifest, false)
	if err != nil {
		return nil, err
	}
	return packed, writeWhole(p.Path(p.Output), packed)
}

// writeWhole writes a file so that no reader sees half of it.
func writeWhole(name string, b []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".venued-")
	if err != nil {
		return err
	}
	_, err = tmp.Write(b)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// run runs a compiler in the project's folder, with more of an environment than this process's.
func (b *Builder) run(ctx context.Context, p *Project, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = p.Dir, append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = b.Out, b.Out
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return &CompileError{filepath.Base(name), err}
	}
	return err
}

// find returns the first of the named programs that is here; a variable of the environment comes first.
func find(variable string, names ...string) (string, bool) {
	if v := os.Getenv(variable); v != "" {
		names = []string{v}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

func missing(lang, what, variable string) error {
	if v := os.Getenv(variable); v != "" {
		return &MissingError{what + " is not where " + variable + " says, " + v, "correct or unset it"}
	}
	return &MissingError{what + " is not on this machine", "install " + compilers[lang].install + "; or set " + variable + " to it"}
}
