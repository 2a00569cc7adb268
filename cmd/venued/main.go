// Command venued hosts shared places for virtual and mixed reality, and holds
// the tools around them.
//
// Exit codes: 0 done; 1 it failed; 2 the command line or the configuration is wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/venued/venued/venues"
)

// commands is the command line: one line a command. A command is a struct with
// a Run method that may take a context.Context, ended by SIGINT or SIGTERM, an io.Writer,
// the standard output, and the stderr.
type commands struct {
	Serve   serveCmd   `cmd:"" help:"Host a venue: gateway, regions and rules in one process, or as one of a cluster."`
	Cluster clusterCmd `cmd:"" help:"Host a venue with several processes and a Redis on this machine, to develop and to show."`
	Check   checkCmd   `cmd:"" help:"Read a configuration, say everything that is wrong with it, and end with 0 or 2."`
	Bench   benchCmd   `cmd:"" help:"Measure what this machine can hold."`
	Bots    botsCmd    `cmd:"" help:"Send headless visitors into a venue and report what they get."`
	Rule    ruleCmd    `cmd:"" help:"Make, check and test rules."`
	Record  recordCmd  `cmd:"" help:"Record what happens in a region, to play it again."`
	Load    loadCmd    `cmd:"" help:"Plan load, and see what a plan would measure."`
	Key     keyCmd     `cmd:"" help:"Make the key that join tokens are signed with."`
	Token   tokenCmd   `cmd:"" help:"Sign a join token for a person."`
	Version versionCmd `cmd:"" help:"Print the version of the program and of the protocols it speaks."`
}

// stderr is the standard error output, as a type of its own beside the standard output's.
type stderr struct{ io.Writer }

// usageError is a mistake on the command line that the parser cannot see.
type usageError struct{ error }

// usagef makes a usageError: the program ends with 2 and points at its help.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// helpShown is what ends a run that only prints help.
type helpShown int

// run executes a command line and returns the exit code.
func run(ctx context.Context, args []string, out, errOut io.Writer) (code int) {
	parser, err := kong.New(&commands{},
		kong.Name("venued"),
		kong.Description("Hosts shared places for virtual and mixed reality: many people in one venue, with rules in WebAssembly."),
		kong.UsageOnError(),
		kong.Writers(out, errOut),
		kong.Exit(func(code int) { panic(helpShown(code)) }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.BindTo(out, (*io.Writer)(nil)),
		kong.Bind(stderr{errOut}),
	)
	if err != nil {
		fmt.Fprintf(errOut, "venued: %v\n", err)
		return 1
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case helpShown:
			code = int(r)
		default:
			panic(r)
		}
	}()
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(asGoTest(args))
	if err == nil {
		err = command.Run()
	} else {
		err = usageError{err}
	}
	return report(err, errOut)
}

// report prints an error, if there is one, and returns the exit code for it.
func report(err error, errOut io.Writer) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errReported):
		return 2
	}
	if problems, ok := errors.AsType[venues.Problems](err); ok {
		printProblems(errOut, problems)
		return 2
	}
	fmt.Fprintf(errOut, "venued: %s\n", strings.TrimSpace(err.Error()))
	if _, ok := errors.AsType[usageError](err); ok {
		fmt.Fprintln(errOut, "venued: see venued --help, or venued COMMAND --help")
		return 2
	}
	return 1
}
