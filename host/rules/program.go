package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/venued/venued/host/rules/compile"
)

// program is a compiled module, shared by the rules that run it.
type program struct {
	*scanned
	digest   string
	compiled wazero.CompiledModule
	users    int // plugins; guarded by Engine.mu

	compileTime time.Duration
	compilePeak int64 // bytes of the process that compiled it; 0: it was this one

	// ready is closed when the fields above but users hold, or err says why they never will.
	ready chan struct{}
	err   error
}

// acquire returns the compiled module for these bytes, compiling it if it is new. Several callers at a time compile it once.
func (e *Engine) acquire(ctx context.Context, wasm []byte) (*program, error) {
	digest := digestOf(wasm)
	for {
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			return nil, errors.New("the rule engine is closed")
		}
		m := e.modules[digest]
		if m == nil {
			m = &program{digest: digest, users: 1, ready: make(chan struct{})}
			e.modules[digest] = m
			e.mu.Unlock()
			m.err = e.prepare(ctx, m, wasm)
			if m.err != nil {
				e.mu.Lock()
				delete(e.modules, digest)
				e.mu.Unlock()
			}
			close(m.ready)
			return m, m.err
		}
		m.users++
		e.mu.Unlock()
		select {
		case <-m.ready:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), e.release(context.WithoutCancel(ctx), m))
		}
		// That another caller gave up is no reason for this one to do so.
		if m.err == nil || !errors.Is(m.err, context.Canceled) && !errors.Is(m.err, context.DeadlineExceeded) {
			return m, m.err
		}
	}
}

// prepare scans and compiles a module.
func (e *Engine) prepare(ctx context.Context, m *program, wasm []byte) error {
	s, found := scan(wasm)
	if len(found) > 0 {
		return found
	}
	m.scanned = s
	err := e.compile(ctx, m)
	s.code, s.module = nil, nil
	return err
}

// compile gets a module's machine code from the folder or makes it.
func (e *Engine) compile(ctx context.Context, m *program) (err error) {
	if e.folder == nil {
		began := time.Now()
		if m.compiled, err = e.runtime.CompileModule(ctx, m.code); err != nil {
			return Problems{problem(CodeInvalid, invalidFormat, firstLine(err))}
		}
		m.compileTime = time.Since(began)
		return nil
	}
	var info *compile.Info
	if m.compiled, info, err = e.folder.Load(e.runtime, m.code); errors.Is(err, compile.ErrMissing) {
		if err != compile.ErrMissing {
			e.log.Warn("a rule's compiled code cannot be used and is made anew", "digest", m.digest, "error", err)
		}
		if _, err = e.compiler.Compile(ctx, m.code); err == nil {
			m.compiled, info, err = e.folder.Load(e.runtime, m.code)
		}
	}
	if failure, ok := errors.AsType[*compile.Failure](err); ok {
		return Problems{m.uncompiled(failure)}
	}
	if err != nil {
		return fmt.Errorf("loading the compiled module: %w", err)
	}
	m.compileTime, m.compilePeak = time.Duration(info.WallMS*float64(time.Millisecond)), info.PeakBytes
	return nil
}

const invalidFormat = "the module does not validate, so its compiler or a tool behind it has a fault: %s"

// uncompiled says why a module was not compiled.
func (s *scanned) uncompiled(f *compile.Failure) Problem {
	code, todo := CodeTime, "split it into smaller functions, with fewer branches and blocks"
	switch f.Kind {
	case compile.Invalid:
		return problem(CodeInvalid, invalidFormat, f.Reason)
	case compile.Broken:
		code, todo = CodeCompiler, "report it with the module; another optimisation level may help"
	case compile.Memory:
		code = CodeSpace
	}
	what := fmt.Sprintf("compiling the module with its %d functions", len(s.module.Functions))
	p := Problem{Code: code}
	if f.Function >= 0 {
		p.Function = &f.Function
		what = fmt.Sprintf("compiling function %d of the module", f.Function)
		if name := s.module.FunctionName(uint32(f.Function)); name != "" {
			what = fmt.Sprintf("compiling function %d (%q) of the module", f.Function, name)
		}
	}
	p.Message = fmt.Sprintf("%s %s: %s", what, f.Reason, todo)
	return p
}

// digestOf names a module.
func digestOf(wasm []byte) string {
	sum := sha256.Sum256(wasm)
	return hex.EncodeToString(sum[:])
}

func (e *Engine) release(ctx context.Context, m *program) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if m.users--; m.users > 0 || e.closed {
		return nil
	}
	delete(e.modules, m.digest)
	return m.compiled.Close(ctx)
}
