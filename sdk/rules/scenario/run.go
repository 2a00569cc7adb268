package scenario

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/plugins"
)

// Runner plays scenarios with one module. Close it when done. One goroutine at a time may use it.
type Runner struct {
	wasm    []byte
	name    string // of the rule, from its manifest
	engines []engine
	logged  *logLines
}

// engine is a way to run wasm.
type engine struct {
	name string
	*rules.Engine
	plugin *rules.Plugin // keeps the module compiled between scenarios
}

// Result is what came of a scenario.
type Result struct {
	Scenario *Scenario
	// Failures say what is not as the file has it, with file and line; none: it is good.
	Failures []string
	// Logged is what the rule logged.
	Logged []string

	rounds [][]string // the lines of each round
}

// NewRunner compiles a module, manifest included.
func NewRunner(ctx context.Context, wasm []byte) (*Runner, error) {
	r := &Runner{wasm: wasm, logged: &logLines{}}
	for _, interpret := range []bool{false, true} {
		e := engine{name: "compiled"}
		if interpret {
			e.name = "interpreted"
		}
		var err error
		if e.Engine, err = rules.NewEngine(ctx, rules.Config{Interpret: interpret, Log: slog.New(r.logged)}); err != nil {
			return nil, errors.Join(err, r.Close(ctx))
		}
		r.engines = append(r.engines, e)
		at := &r.engines[len(r.engines)-1]
		if at.plugin, err = e.Load(ctx, "rule", wasm, rules.LoadOptions{Class: abi.ClassLarge}); err != nil {
			return nil, errors.Join(err, r.Close(ctx))
		}
		r.name = at.plugin.Manifest().Name
	}
	return r, nil
}

// Close frees the module.
func (r *Runner) Close(ctx context.Context) error {
	var err error
	for _, e := range r.engines {
		if e.plugin != nil {
			err = errors.Join(err, e.plugin.Close(ctx))
		}
		err = errors.Join(err, e.Engine.Close(ctx))
	}
	return err
}

// RunFile plays all scenarios of a file, given as its name and content. With update, commands that are others than the file has are no failures: updated is
// then what the file must become, nil for as it is, and the results are those of that file. The error is an *Error (or several, joined).
func (r *Runner) RunFile(ctx context.Context, name string, b []byte, update bool) (results []*Result, updated []byte, err error) {
	for {
		f, err := Parse(name, b)
		if err != nil {
			return nil, nil, err
		}
		results = results[:0]
		for _, s := range f.Scenarios {
			res, err := r.Run(ctx, f, s)
			if err != nil {
				return nil, nil, err
			}
			results = append(results, res)
		}
		anew := f.Update(results)
		if !update || updated != nil || bytes.Equal(anew, b) {
			return results, updated, nil
		}
		b, updated = anew, anew // again: what fails then is not for an update to correct
	}
}

// Run plays a scenario of a file, compiled and interpreted. The error is an *Error (or several, joined) when the file asks for what
// cannot be; it is nil for a scenario that fails.
func (r *Runner) Run(ctx context.Context, f *File, s *Scenario) (*Result, error) {
	res := &Result{Scenario: s}
	var first [32]byte
	for i := range r.engines {
		r.logged.take()
		rounds, failures, hash, err := r.once(ctx, &r.engines[i], f, s)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			res.rounds, res.Failures, res.Logged, first = rounds, failures, r.logged.take(), hash
			continue
		}
		if d := differs(res.rounds, rounds, first, hash); d != "" {
			res.Failures = append(res.Failures, fmt.Sprintf("%s:%d: %s\n  one of the two is wrong, not the rule: report it with the module", f.Name, s.Line, d))
		}
	}
	return res, nil
}

// differs says in what a rule that ran compiled and one that ran interpreted differ, "" for nothing: their rounds' lines, and the region's state at the end.
func differs(compiled, interpreted [][]string, compiledState, interpretedState [32]byte) string {
	switch {
	case !slices.EqualFunc(compiled, interpreted, slices.Equal):
		return "interpreted the rule does something else than compiled (- compiled, + interpreted):\n" +
			diff(slices.Concat(compiled...), slices.Concat(interpreted...))
	case compiledState != interpretedState:
		return "interpreted the rule leaves another state than compiled"
	}
	return ""
}

// once plays a scenario in one engine.
func (r *Runner) once(ctx context.Context, e *engine, f *File, s *Scenario) (rounds [][]string, failures []string, hash [32]byte, err error) {
	g, err := newGiven(r.name)
	if err != nil {
		return nil, nil, hash, err
	}
	for _, l := range s.given {
		if err := g.take(l); err != nil {
			return nil, nil, hash, &Error{f.Name, l.n, err.Error()}
		}
	}
	for _, round := range s.rounds {
		for _, a := range round.when {
			g.elsewhere = g.elsewhere || strings.HasPrefix(strings.TrimSpace(f.lines[a.n-1]), "rule ")
		}
	}
	v, err := g.compile(f.Name, s, plugins.Names())
	if err != nil {
		return nil, nil, hash, err
	}
	loaded, tested, done, err := r.load(ctx, e, g)
	defer done()
	if fault, ok := errors.AsType[*abi.Fault](err); ok {
		// It refuses these settings, which is something to test.
		return nil, []string{fmt.Sprintf("%s:%d: the rule does not start: %s", f.Name, s.Line, fault.Message)}, hash, nil
	}
	if err != nil {
		return nil, nil, hash, &Error{f.Name, s.Line, err.Error()}
	}
	p, err := start(v, loaded, tested, g)
	if err != nil {
		return nil, nil, hash, placed(err, f.Name, s.Line)
	}
	for _, x := range s.rounds {
		lines, err := p.round(x)
		if err != nil {
			return nil, nil, hash, placed(err, f.Name, s.Line)
		}
		rounds = append(rounds, lines)
		if want := texts(x.then); x.hasThen && !slices.Equal(want, lines) {
			failures = append(failures, fmt.Sprintf("%s:%d: the rule does not command what stands here (- wanted, + got):\n%s", f.Name, x.from, diff(want, lines)))
		}
		for _, c := range x.checks {
			wrong, err := c.test(p, c)
			if err != nil {
				return nil, nil, hash, &Error{f.Name, c.n, err.Error()}
			}
			if wrong != "" {
				failures = append(failures, fmt.Sprintf("%s:%d: %s: %s", f.Name, c.n, c.text, wrong))
			}
		}
	}
	return rounds, failures, p.region.Hash(), nil
}

// placed gives an error of a play its file, and a line if it has none.
func placed(err error, file string, n int) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.File = file
		return e
	}
	return &Error{file, n, err.Error()}
}

func texts(lines []*line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, tidy(l.text))
	}
	return all
}

// tidy lets the number of a line stand at any distance.
func tidy(s string) string {
	n, rest, ok := strings.Cut(s, " ")
	if !ok {
		return s
	}
	return n + "  " + strings.TrimLeft(rest, " \t")
}

// load makes instances of the rule under test and of the others. done frees them, also after an error.
func (r *Runner) load(ctx context.Context, e *engine, g *given) (all []scene.Rule, tested *traced, done func(), err error) {
	var closers []func()
	done = func() {
		for _, c := range slices.Backward(closers) {
			c()
		}
	}
	for i := range g.m.Rules {
		x := &g.m.Rules[i]
		name, wasm := r.name, r.wasm
		if i > 0 {
			name = x.Plugin
			if wasm, err = plugins.Wasm(x.Plugin); err != nil {
				return nil, nil, done, err
			}
		}
		p, err := e.Load(ctx, name, wasm, rules.LoadOptions{Settings: x.Settings, Class: abi.ClassLarge})
		if err != nil {
			return nil, nil, done, err
		}
		closers = append(closers, func() { _ = p.Close(ctx) })
		// Interpreted calls take long; fuel ends them, no clock.
		in, err := p.Instance(rules.InstanceConfig{CallTime: time.Hour})
		if err != nil {
			return nil, nil, done, err
		}
		closers = append(closers, in.Close)
		if i == 0 {
			tested = &traced{Rule: in}
			all = append(all, tested)
		} else {
			all = append(all, in)
		}
	}
	return all, tested, done, nil
}

// logLines keeps what a rule logs; an engine's watchdog may log too, from its own goroutine.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

// maxLogLines bounds what is kept of a scenario.
const maxLogLines = 1000

func (l *logLines) Enabled(context.Context, slog.Level) bool { return true }

func (l *logLines) Handle(_ context.Context, rec slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) < maxLogLines {
		l.lines = append(l.lines, rec.Message)
	}
	return nil
}

// take returns what was logged since the last time.
func (l *logLines) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

func (l *logLines) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l *logLines) WithGroup(string) slog.Handler      { return l }

// diff shows two lists of lines as one: - only in the first, + only in the second.
func diff(a, b []string) string {
	// The longest common subsequence, by dynamic programming; lists beyond that are shown whole.
	const most = 2000
	var out []string
	if len(a) > most || len(b) > most {
		a, b = a[:min(len(a), most)], b[:min(len(b), most)]
	}
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, "    "+a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, "  - "+a[i])
			i++
		default:
			out = append(out, "  + "+b[j])
			j++
		}
	}
	return strings.Join(out, "\n")
}
