package project

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// asc finds node and the compiler's package: in the node_modules of the project or of a folder above it.
func asc(p *Project) (node, pkg string, err error) {
	node, ok := find("NODE", "node", "nodejs")
	if !ok {
		return "", "", missing("assemblyscript", "node", "NODE")
	}
	for at := p.Dir; ; at = filepath.Dir(at) {
		pkg = filepath.Join(at, "node_modules", "assemblyscript")
		if _, err := os.Stat(filepath.Join(pkg, "dist", "asc.js")); err == nil {
			return node, pkg, nil
		}
		if at == filepath.Dir(at) {
			return "", "", &MissingError{"the AssemblyScript compiler is not in node_modules", "run `npm install` in " + p.Dir + " once (npm: Debian package npm)"}
		}
	}
}

// ascArgs are the compiler's arguments, but for the module's path.
func ascArgs(p *Project) []string {
	kit := path.Clean(filepath.ToSlash(p.Kit))
	if in, ok := strings.CutPrefix(kit, "node_modules/"); ok {
		kit = "~lib/" + in // what the compiler calls files of npm packages: as a path of the project it would be another file to it
	}
	return []string{filepath.ToSlash(p.Source), "--baseDir", ".", "-O3", "--runtime", "incremental", "--exportStart", "_initialize",
		"--use", "abort=" + kit + "/abort/abort", "--outFile"}
}

func (b *Builder) buildAssemblyScript(ctx context.Context, p *Project, module string) error {
	node, pkg, err := asc(p)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(p.Dir, module)
	if err != nil {
		return err
	}
	args := append(ascArgs(p), filepath.ToSlash(rel))
	if !b.Resident {
		return b.run(ctx, p, nil, node, append([]string{filepath.Join(pkg, "bin", "asc.js")}, args...)...)
	}
	said, good, err := b.compileResident(ctx, p, node, pkg, args)
	if err != nil {
		return err
	}
	if b.Out != nil {
		io.WriteString(b.Out, said)
	}
	if !good {
		return &CompileError{"asc", errors.New("exit status 1")}
	}
	return nil
}

// compileResident compiles in the process that is kept, which it starts when there is none.
func (b *Builder) compileResident(ctx context.Context, p *Project, node, pkg string, args []string) (said string, good bool, err error) {
	if b.asc != nil && b.asc.pkg != pkg {
		if err := b.Close(); err != nil {
			return "", false, err
		}
	}
	if b.asc == nil {
		if b.asc, err = startAsc(node, pkg); err != nil {
			return "", false, err
		}
	}
	said, good, err = b.asc.compile(ctx, p.Dir, args)
	if err != nil {
		return "", false, errors.Join(err, b.Close())
	}
	return said, good, nil
}

// Warm gets the kept AssemblyScript compiler to its full speed, which it has after some compilations; for other languages there is nothing
// to do.
func (b *Builder) Warm(ctx context.Context, p *Project) error {
	if b.asc == nil || p.Lang != "assemblyscript" {
		return nil
	}
	node, pkg, err := asc(p)
	if err != nil {
		return err
	}
	args := ascArgs(p)
	args[len(args)-1] = "--noEmit"
	for range 2 {
		if _, _, err := b.compileResident(ctx, p, node, pkg, args); err != nil {
			return err
		}
	}
	return nil
}

//go:embed asc.mjs
var ascScript string

// residentAsc is the AssemblyScript compiler in a process that takes one request a line.
type residentAsc struct {
	pkg     string
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan ascAnswer // closed with the process
}

type ascRequest struct {
	Dir  string   `json:"dir"`
	Args []string `json:"args"`
}

type ascAnswer struct {
	OK   bool   `json:"ok"`
	Said string `json:"said"`
}

func startAsc(node, pkg string) (*residentAsc, error) {
	cmd := exec.Command(node, "--input-type=module", "-e", ascScript, filepath.Join(pkg, "dist", "asc.js"))
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	r := &residentAsc{pkg: pkg, cmd: cmd, in: in, answers: make(chan ascAnswer, 1)}
	go func() {
		defer close(r.answers)
		lines := bufio.NewReader(out)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			var a ascAnswer
			if json.Unmarshal(line, &a) != nil {
				return
			}
			r.answers <- a
		}
	}()
	return r, nil
}

// compile makes one compilation. After an error the process is of no use any more.
func (r *residentAsc) compile(ctx context.Context, dir string, args []string) (said string, good bool, err error) {
	request, err := json.Marshal(ascRequest{dir, args})
	if err != nil {
		return "", false, err
	}
	if _, err := r.in.Write(append(request, '\n')); err != nil {
		return "", false, fmt.Errorf("the AssemblyScript compiler has ended: %w", err)
	}
	select {
	case a, ok := <-r.answers:
		if !ok {
			return "", false, errors.New("the AssemblyScript compiler has ended without an answer")
		}
		return a.Said, a.OK, nil
	case <-ctx.Done():
		return "", false, ctx.Err()
	}
}

func (r *residentAsc) close() error {
	err := r.in.Close()
	if kill := r.cmd.Process.Kill(); kill != nil && !errors.Is(kill, os.ErrProcessDone) {
		err = errors.Join(err, kill)
	}
	for range r.answers { // until its output ends: Wait must not close the pipe under the reader
	}
	_ = r.cmd.Wait() // it was killed
	return err
}
