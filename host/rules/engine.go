package rules

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/compile"
)

// Config is what an engine starts from.
type Config struct {
	// CacheDir keeps compiled code between starts; it is made if missing. Only this process's
	// user may write it: its content is executed. Empty: compile at every start.
	CacheDir string
	// Compiler is the command line of a program that ends in compile.Child, in which modules are compiled, under CompileLimits. Empty:
	// they are compiled in this process, under no limits but those of package module.
	Compiler []string
	// CompileLimits bounds what compiling one module may take. Zero fields have their defaults.
	CompileLimits compile.Limits
	// Interpret runs guests without compiling them, 10 to 100 times slower: to compare the
	// two, and for machines that the compiler does not know.
	Interpret bool
	// Late is called by the watchdog for each call of a rule that takes longer than a second, with the rule's name. It must not
	// block. Default: nothing.
	Late func(rule string)
	// Log takes what guests print. Default: slog.Default().
	Log *slog.Logger

	beat  time.Duration // of the watchdog; 0: its default
	stuck func()        // what it does about a call that does not return; nil: exit
}

// Engine is the wasm runtime of a process. Its methods may be called from several
// goroutines.
type Engine struct {
	log      *slog.Logger
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	folder   *compile.Folder   // of compiled code; nil: none
	compiler *compile.Compiler // into folder
	own      string            // folder to remove at the end; "" for none

	mu      sync.Mutex
	modules map[string]*program // by digest
	closed  bool

	watch *watchdog
}

// NewEngine starts an engine. The context bounds the start only.
func NewEngine(ctx context.Context, cfg Config) (*Engine, error) {
	e := &Engine{log: cfg.Log, modules: map[string]*program{}}
	if e.log == nil {
		e.log = slog.Default()
	}
	rc := compile.RuntimeConfig()
	if cfg.Interpret {
		rc = wazero.NewRuntimeConfigInterpreter().WithDebugInfoEnabled(false)
	} else if cfg.CacheDir != "" || len(cfg.Compiler) > 0 {
		if err := e.open(cfg); err != nil {
			return nil, err
		}
		rc = rc.WithCompilationCache(e.cache)
	}
	e.runtime = wazero.NewRuntimeWithConfig(ctx, rc)
	beat := cfg.beat
	switch {
	case beat > 0:
	case cfg.Interpret:
		beat = interpretedBeat
	default:
		beat = defaultBeat
	}
	e.watch = watch(beat, cfg.Late, cfg.stuck)
	for name := range hostModules {
		if err := instantiateHost(ctx, e.runtime, name); err != nil {
			return nil, errors.Join(err, e.Close(ctx))
		}
	}
	return e, nil
}

// open opens the folder of compiled code.
func (e *Engine) open(cfg Config) (err error) {
	dir := cfg.CacheDir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "venued-compiled-*"); err != nil {
			return fmt.Errorf("rules: a folder for compiled code: %w", err)
		}
		e.own = dir
	}
	if e.folder, err = compile.Open(dir); err == nil {
		e.cache, err = e.folder.Cache()
	}
	if err != nil {
		return fmt.Errorf("rules: folder of compiled code: %w", err)
	}
	e.compiler = compile.NewCompiler(e.folder, cfg.Compiler, cfg.CompileLimits)
	return nil
}

// Close frees everything. Plugins and instances must not be used after it.
func (e *Engine) Close(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	e.watch.stop()
	err := e.runtime.Close(ctx)
	if e.cache != nil {
		err = errors.Join(err, e.cache.Close(ctx))
	}
	if e.own != "" {
		err = errors.Join(err, os.RemoveAll(e.own))
	}
	return err
}

// LoadOptions says how a rule of a venue runs its module.
type LoadOptions struct {
	// Settings of the rule, as the venue's TOML gives them.
	Settings map[string]any
	// Class of limits that the venue grants the rule. A module that needs the large one is refused without. Default: the small one.
	Class abi.Class
}

// Load checks and compiles a module for a rule of the venue of that name. Compiling takes from milliseconds to a second, and ends
// with the context when a child does it. When the module or the settings are to blame the error is Problems, which say what is wrong.
func (e *Engine) Load(ctx context.Context, name string, wasm []byte, o LoadOptions) (*Plugin, error) {
	settings, err := abi.Settings(o.Settings)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", name, Problems{problem(CodeSettings, "%v", err)})
	}
	m, err := e.acquire(ctx, wasm)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", name, err)
	}
	if p := m.permit(o.Class); p != nil {
		return nil, fmt.Errorf("rule %s: %w", name, errors.Join(p, e.release(ctx, m)))
	}
	return &Plugin{engine: e, module: m, name: name, settings: settings}, nil
}

// Plugin is a module with the settings of one rule.
type Plugin struct {
	engine   *Engine
	module   *program
	name     string
	settings []abi.Setting
	closed   sync.Once
}

// Name returns the rule's name in the venue.
func (p *Plugin) Name() string { return p.name }

// Manifest returns the module's manifest. It must not be changed.
func (p *Plugin) Manifest() *abi.Manifest { return p.module.manifest }

// Digest returns the SHA-256 of the module as it was given to Load, hex.
func (p *Plugin) Digest() string { return p.module.digest }

// Class returns the class of limits that the module keeps, the smallest that does (see package module).
func (p *Plugin) Class() abi.Class { return p.module.class }

// Fuel returns what a call of venued_tick may use.
func (p *Plugin) Fuel() int64 { return p.module.fuel }

// Migrates tells whether the module exports venued_migrate, so that it may take over the state of another schema version.
func (p *Plugin) Migrates() bool { return p.module.migrates }

// Close frees the compiled code when no other plugin shares it. Its instances must be
// closed before.
func (p *Plugin) Close(ctx context.Context) error {
	var err error
	p.closed.Do(func() { err = p.engine.release(ctx, p.module) })
	return err
}

var _ api.Closer = (*Plugin)(nil)
