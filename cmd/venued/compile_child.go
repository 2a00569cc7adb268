package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/venued/venued/host/rules/compile"
)

// compileChildCmd is the process in which another venued process compiles a rule's module.
type compileChildCmd struct {
	Args []string `arg:"" optional:""`
}

// Run compiles what comes in on the standard input.
func (c *compileChildCmd) Run(out io.Writer, errOut stderr) error {
	args := c.Args
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	switch code := compile.Child(args, os.Stdin, out, errOut); code {
	case 0:
		return nil
	case 2:
		return errReported
	default:
		return errors.New("the module was not compiled")
	}
}

// compiler is the command line of a child that compiles: this program again.
func compiler() ([]string, error) {
	const running = "/proc/self/exe" // on Linux: what runs, though an update may have taken its file's place
	self := running
	if _, err := os.Stat(running); err != nil {
		if self, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("finding this program, which compiles rules in a process of its own: %w", err)
		}
	}
	return []string{self, "rule", "compile-child"}, nil
}
