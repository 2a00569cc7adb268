package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/project"
	"github.com/venued/venued/sdk/rules/scenario"
)

// ruleTestCmd plays scenarios.
type ruleTestCmd struct {
	Paths  []string `arg:"" optional:"" help:"Folder of a project, or scenario files. Default: the project of this folder and all its files."`
	Wasm   string   `help:"Plugin to test, instead of building the project." placeholder:"FILE"`
	Update bool     `short:"u" help:"Write what the rule commands into the files, under \"then\". Look at what has changed."`
}

// Help gives an example.
func (*ruleTestCmd) Help() string {
	return `For example:

    venued rule test
    venued rule test tests/switch.txt -update
    venued rule test --wasm lamp.wasm switch.txt

A scenario file:

    given
      kind lamp usable
      object lamp kind lamp at 4 1 4
      user ann at 4 1.6 4.5
    scenario using it switches it on
    when
      ann uses lamp
    then
      1  ann use lamp -> set_state lamp 1
    check
      state lamp 1

docs/designers.md has every word of them.`
}

// Run builds, plays, and says what failed.
func (c *ruleTestCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	wasm, files, err := c.find(ctx, errOut)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return errors.New("there are no scenario files: write one as tests/NAME.txt; venued rule test --help shows one")
	}
	runner, err := scenario.NewRunner(ctx, wasm)
	if err != nil {
		return err
	}
	failed, bad := 0, 0
	for _, file := range files {
		n, err := c.file(ctx, out, runner, file)
		failed += n
		if err != nil {
			fmt.Fprintln(errOut, err)
			bad++
		}
	}
	err = runner.Close(ctx)
	switch {
	case err != nil:
		return err
	case bad > 0:
		fmt.Fprintf(errOut, "venued: %s cannot be played\n", count(bad, "file"))
		return errReported
	case failed > 0:
		return fmt.Errorf("%s failed", count(failed, "scenario"))
	}
	return nil
}

// find returns the plugin to test and the files to test it with.
func (c *ruleTestCmd) find(ctx context.Context, errOut io.Writer) (wasm []byte, files []string, err error) {
	dir := "."
	for _, path := range c.Paths {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, nil, err
		case !info.IsDir():
			files = append(files, path)
		case len(c.Paths) > 1:
			return nil, nil, usagef("%s is a folder: give one folder, or files", path)
		default:
			dir = path
		}
	}
	if len(files) > 0 {
		dir = filepath.Dir(files[0])
	}
	if c.Wasm != "" {
		if len(files) == 0 {
			return nil, nil, usagef("--wasm needs the scenario files to test it with")
		}
		wasm, err := readSome(c.Wasm, abi.MaxModule, "a plugin")
		return wasm, files, err
	}
	p, err := project.Read(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		if files, err = filepath.Glob(filepath.Join(p.Path(p.Tests), "*.txt")); err != nil {
			return nil, nil, err
		}
		files = relative(files)
		slices.Sort(files)
	}
	wasm, err = (&project.Builder{Out: errOut}).Build(ctx, p)
	return wasm, files, err
}

// relative names files from the working folder where they lie in it: shorter to read, and to open.
func relative(files []string) []string {
	here, err := os.Getwd()
	if err != nil {
		return files
	}
	for i, f := range files {
		if rel, err := filepath.Rel(here, f); err == nil && filepath.IsLocal(rel) {
			files[i] = rel
		}
	}
	return files
}

// file plays one file and returns how many of its scenarios failed. The error says what is wrong with the file.
func (c *ruleTestCmd) file(ctx context.Context, out io.Writer, runner *scenario.Runner, name string) (failed int, err error) {
	b, err := readSome(name, scenario.MaxFile, "a scenario file")
	if err != nil {
		return 0, err
	}
	results, updated, err := runner.RunFile(ctx, name, b, c.Update)
	if err != nil {
		return 0, err
	}
	if updated != nil {
		if err := os.WriteFile(name, updated, 0o666); err != nil {
			return 0, err
		}
		fmt.Fprintf(out, "%s: updated\n", name)
	}
	for _, res := range results {
		if len(res.Failures) == 0 {
			continue
		}
		failed++
		fmt.Fprintf(out, "failed: %s\n", res.Scenario.Name)
		for _, text := range res.Failures {
			fmt.Fprintln(out, text)
		}
		for _, text := range res.Logged {
			fmt.Fprintf(out, "  the rule logged: %s\n", text)
		}
	}
	if failed == 0 {
		fmt.Fprintf(out, "%s: %s good\n", name, count(len(results), "scenario"))
	}
	return failed, nil
}

// asGoTest lets --update of rule test be written as tools of Go write it, with one dash.
func asGoTest(args []string) []string {
	if len(args) < 2 || args[0] != "rule" || args[1] != "test" {
		return args
	}
	args = slices.Clone(args)
	for i, a := range args {
		if a == "-update" {
			args[i] = "--update"
		}
	}
	return args
}
