package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/project"
)

// ruleNewCmd makes a project.
type ruleNewCmd struct {
	Name string `arg:"" help:"Name of the rule: a to z first, then up to 31 of a to z, 0 to 9 and -."`
	Lang string `required:"" help:"Language: go, rust, assemblyscript or c." placeholder:"LANG"`
	Dir  string `help:"Folder to make it in; it must be empty or not there. Default: NAME." placeholder:"DIR"`
}

// Help gives an example.
func (*ruleNewCmd) Help() string {
	return "For example:\n\n    venued rule new --lang go lamp\n    cd lamp && venued rule build && venued rule test"
}

// Run makes the project and says what to do with it.
func (c *ruleNewCmd) Run(out io.Writer) error {
	if err := errors.Join(project.CheckName(c.Name), project.CheckLang(c.Lang)); err != nil {
		return usageError{err}
	}
	dir := c.Dir
	if dir == "" {
		dir = c.Name
	}
	if _, err := project.New(dir, c.Name, c.Lang); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: a rule in %s; its README.md says how it goes on\n", dir, c.Lang)
	fmt.Fprintf(out, "it needs %s\n", project.Needs(c.Lang))
	return nil
}

// ruleBuildCmd builds a project.
type ruleBuildCmd struct {
	Dir string `arg:"" optional:"" default:"." help:"Folder of the project, or one in it."`
}

// Help gives an example.
func (*ruleBuildCmd) Help() string {
	return "For example:\n\n    venued rule build\n    venued rule build ../lamp\n\nGO, RUSTC, CLANG, WASM_LD and NODE in the environment name other compilers than those on PATH."
}

// Run builds and says what came out.
func (c *ruleBuildCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	p, err := project.Read(c.Dir)
	if err != nil {
		return err
	}
	wasm, err := (&project.Builder{Out: errOut}).Build(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d bytes\n", p.Path(p.Output), len(wasm))
	return nil
}

// rulePackCmd packs a module that was compiled by other means.
type rulePackCmd struct {
	Manifest string `arg:"" help:"The manifest, JSON."`
	Module   string `arg:"" help:"The compiled module."`
	Output   string `short:"o" required:"" help:"Where to write the plugin." placeholder:"FILE"`
	Names    bool   `help:"Keep the names of functions, for readable traces."`
}

// Help gives an example.
func (*rulePackCmd) Help() string {
	return "For example:\n\n    venued rule pack manifest.json module.wasm -o lamp.wasm"
}

// Run packs.
func (c *rulePackCmd) Run(out io.Writer) error {
	manifest, err := readSome(c.Manifest, abi.MaxManifest, "a manifest")
	if err != nil {
		return err
	}
	module, err := readSome(c.Module, abi.MaxModule, "a module")
	if err != nil {
		return err
	}
	packed, err := abi.Pack(module, manifest, c.Names)
	if err != nil {
		return fmt.Errorf("%s with %s: %w", c.Module, c.Manifest, err)
	}
	if err := os.WriteFile(c.Output, packed, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d bytes\n", c.Output, len(packed))
	return nil
}

// readSome reads a file of at most so many bytes.
func readSome(name string, most int64, what string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder: name the file in it; %s is wanted", name, what)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", name)
	case info.Size() > most:
		return nil, fmt.Errorf("%s has %d bytes; %s has at most %d", name, info.Size(), what, most)
	}
	return os.ReadFile(name)
}
