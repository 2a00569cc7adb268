package compile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Kind says how compiling a module failed.
type Kind int

// Kinds of failure.
const (
	Invalid Kind = iota // the module does not validate
	Time                // it took too much processor time, or too long
	Memory              // it took too much memory
	Broken              // the compiler failed
)

// Failure says that a module cannot be compiled.
type Failure struct {
	Kind     Kind
	Function int    // index of the function that is to blame, imported ones counted first; -1: none in particular
	Reason   string // as part of a sentence: "took more than 20 s of processor time"
}

// Error returns the function and the reason.
func (f *Failure) Error() string {
	if f.Function >= 0 {
		return fmt.Sprintf("compiling function %d: %s", f.Function, f.Reason)
	}
	return "compiling: " + f.Reason
}

// blameTime is the processor time for finding out which function was to blame.
const blameTime = 6 * time.Second

// Compiler compiles modules into a folder. Its methods may be called from several goroutines.
type Compiler struct {
	folder *Folder
	argv   []string
	limits Limits
	turns  chan struct{} // how many children run at a time
}

// NewCompiler returns a compiler for a folder. argv is the command line of a program that ends in Child with the arguments that
// are appended to it; empty: this process compiles, under no limits.
func NewCompiler(f *Folder, argv []string, l Limits) *Compiler {
	return &Compiler{folder: f, argv: argv, limits: l.withDefaults(), turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))}
}

// Compile compiles a module into the folder. What is wrong with the module is a *Failure. When the context ends its child does.
func (c *Compiler) Compile(ctx context.Context, code []byte) (*Info, error) {
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	into, err := os.MkdirTemp(c.folder.dir, "compiling-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(into)
	var a answer
	if len(c.argv) == 0 {
		if a = compileInto(c.folder, into, code); a.Info != nil {
			a.Info.PeakBytes = 0 // of all that this process does
		}
	} else if a, err = c.child(ctx, into, code); err != nil {
		return nil, err
	}
	switch {
	case a.Invalid != "":
		return nil, &Failure{Invalid, -1, a.Invalid}
	case a.Failed != "":
		return nil, &Failure{Broken, -1, a.Failed}
	case !a.OK || a.Info == nil:
		return nil, errors.New("the process that compiles ended without an answer")
	}
	return a.Info, nil
}

// child compiles in a child.
func (c *Compiler) child(ctx context.Context, into string, code []byte) (a answer, err error) {
	run := c.run(ctx, c.limits, code, "--folder", c.folder.dir, "--into", into)
	if run.failure != nil {
		if run.failure.Kind == Time || run.failure.Kind == Memory {
			run.failure.Function = c.blame(ctx, code)
		}
		return a, run.failure
	}
	if run.err != nil {
		return a, run.err
	}
	if err := json.Unmarshal(run.out, &a); err != nil {
		return a, fmt.Errorf("the process that compiles answered %q: %w", firstLine(errors.New(string(run.out))), err)
	}
	return a, nil
}

// blame returns the function that takes most of the time or memory, -1 when there is none.
func (c *Compiler) blame(ctx context.Context, code []byte) int {
	l := c.limits
	l.CPU = min(l.CPU, blameTime)
	run := c.run(ctx, l, code, "--blame")
	if run.failure == nil {
		return -1 // none of them alone
	}
	last := suspicion{Function: -1}
	for lines := bufio.NewScanner(bytes.NewReader(run.out)); lines.Scan(); {
		var s suspicion
		if json.Unmarshal(lines.Bytes(), &s) == nil {
			last = s
		}
	}
	if run.failure.Kind == Time && l.CPU-time.Duration(last.CPUMS)*time.Millisecond < l.CPU/2 {
		return -1 // it was but the last of many
	}
	return last.Function
}

// result is what became of a child: at most one of failure and err.
type result struct {
	out     []byte
	failure *Failure
	err     error
}

// run runs a child on a module.
func (c *Compiler) run(ctx context.Context, l Limits, code []byte, args ...string) (r result) {
	wall, cancel := context.WithTimeout(ctx, l.Wall)
	defer cancel()
	args = append(args, "--memory", fmt.Sprint(l.Memory), "--cpu", l.CPU.String())
	cmd := exec.CommandContext(wall, c.argv[0], append(c.argv[1:len(c.argv):len(c.argv)], args...)...)
	cmd.Env = []string{} // it needs nothing of what this process knows
	stdout, stderr := &head{most: 64 << 10}, &head{most: 4 << 10}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return result{err: err}
	}
	if err := cmd.Start(); err != nil {
		return result{err: fmt.Errorf("starting the process that compiles: %w", err)}
	}
	// The pipe stays open until the child has ended: its end tells the child that this process has gone. A child that ends before
	// it has read everything says why by how it ended.
	_ = writeModule(stdin, code)
	err = cmd.Wait()
	r.out = stdout.b
	switch {
	case ctx.Err() != nil:
		r.err = ctx.Err()
	case wall.Err() != nil:
		r.failure = &Failure{Time, -1, fmt.Sprintf("took longer than %v", l.Wall)}
	case err != nil:
		r.failure, r.err = explain(cmd.ProcessState, l, string(stderr.b), err)
	}
	return r
}

// explain says why a child ended that did not end well.
func explain(state *os.ProcessState, l Limits, stderr string, err error) (*Failure, error) {
	const almost = 200 * time.Millisecond // the kernel looks at its own pace
	switch {
	case state == nil:
		return nil, err
	case state.ExitCode() < 0 && state.UserTime()+state.SystemTime() >= l.CPU-almost:
		return &Failure{Time, -1, fmt.Sprintf("took more than %v of processor time", l.CPU)}, nil
	case strings.Contains(stderr, "out of memory") || strings.Contains(stderr, "cannot allocate memory") || strings.Contains(stderr, "cannot map pages"):
		return &Failure{Memory, -1, fmt.Sprintf("took more than %d MB of memory", l.Memory>>20)}, nil
	case state.ExitCode() < 0:
		return &Failure{Memory, -1, fmt.Sprintf("was ended from outside (%v), as systems do that are short of memory", state)}, nil
	}
	return nil, fmt.Errorf("the process that compiles failed: %w: %s", err, firstLine(errors.New(stderr)))
}

// head keeps the beginning of what is written to it.
type head struct {
	b    []byte
	most int
}

func (h *head) Write(p []byte) (int, error) {
	h.b = append(h.b, p[:min(len(p), h.most-len(h.b))]...)
	return len(p), nil
}

var _ io.Writer = (*head)(nil)

func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
