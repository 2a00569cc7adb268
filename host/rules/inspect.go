package rules

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/venued/venued/abi"
)

// Report is what an inspection found out about a module. Fields of stages that did not run are zero.
type Report struct {
	OK       bool     `json:"ok"`
	Problems Problems `json:"problems"` // empty when OK

	Digest    string `json:"digest"` // hex SHA-256 of the bytes as given
	SizeBytes int    `json:"size_bytes"`

	// Of the prescan.
	Class       abi.Class `json:"class,omitempty"`        // the smallest that does
	ClassReason string    `json:"class_reason,omitempty"` // why it is not the small one
	Functions   int       `json:"functions"`              // with a body
	DataBytes   int       `json:"data_bytes"`
	Imports     []string  `json:"imports"`      // "module.name"
	MemoryPages int       `json:"memory_pages"` // of 64 KiB, at the start

	Manifest         *abi.Manifest `json:"manifest,omitempty"`
	FuelLimit        int64         `json:"fuel_limit"`         // of a call
	MemoryLimitBytes uint64        `json:"memory_limit_bytes"` // of linear memory
	Migrates         bool          `json:"migrates"`           // exports venued_migrate

	// CompileMS is how long compiling took when the module was compiled last, which may have been before; CompilePeakBytes the memory
	// of the process that did it, 0 when this one did.
	CompileMS        float64 `json:"compile_ms"`
	CompilePeakBytes int64   `json:"compile_peak_bytes"`

	// Of a run over sample batches: some of every kind of event that the manifest wants, and rows of its views.
	StartFuel       int64   `json:"start_fuel"`     // of _initialize, venued_alloc and venued_init together
	FuelPerEvent    float64 `json:"fuel_per_event"` // mean; of the calls when it wants views of poses only
	FuelPerTickMost int64   `json:"fuel_per_tick_most"`
	SampleEvents    int     `json:"sample_events"`
	SampleCommands  int     `json:"sample_commands"`
	StateBytes      int     `json:"state_bytes"`       // that it kept at the end of the sample
	PeakMemoryBytes uint64  `json:"peak_memory_bytes"` // of linear memory
}

// InspectOptions says how to inspect a module.
type InspectOptions struct {
	// LoadOptions are those that the rule will run with. Inspect reports a module that needs the large class as a problem
	// unless it is granted.
	LoadOptions
	// Config is of the engine that Inspect makes; the method of Engine does not use it.
	Config Config
}

// Inspect takes a module through every stage and a run over sample batches, with an engine of its own. The error is the host's
// own trouble, such as a cache folder that cannot be made, or the end of the context; what is wrong with the module is in the report.
func Inspect(ctx context.Context, wasm []byte, o InspectOptions) (*Report, error) {
	e, err := NewEngine(ctx, o.Config)
	if err != nil {
		return nil, err
	}
	r, err := e.Inspect(ctx, wasm, o)
	if err := errors.Join(err, e.Close(context.WithoutCancel(ctx))); err != nil {
		return nil, err
	}
	return r, nil
}

// Inspect is as the function of that name, with this engine: a module that passes is compiled when Load is called for it.
func (e *Engine) Inspect(ctx context.Context, wasm []byte, o InspectOptions) (*Report, error) {
	r := &Report{Digest: digestOf(wasm), SizeBytes: len(wasm), Problems: Problems{}, Imports: []string{}}
	s, found := scan(wasm)
	r.scanned(s)
	if s.module != nil {
		found = append(found, s.permit(o.Class)...)
	}
	settings, err := abi.Settings(o.Settings)
	if err != nil {
		found = append(found, problem(CodeSettings, "%v", err))
	}
	if len(found) == 0 {
		m, err := e.acquire(ctx, wasm)
		if err == nil {
			r.CompileMS = float64(m.compileTime) / float64(time.Millisecond)
			r.CompilePeakBytes = m.compilePeak
			found = r.sample(&Plugin{engine: e, module: m, name: s.manifest.Name, settings: settings})
			err = e.release(ctx, m)
		}
		if p, ok := errors.AsType[Problems](err); ok {
			found = p
		} else if err != nil {
			return nil, err
		}
	}
	r.Problems = append(r.Problems, found...)
	r.OK = len(found) == 0
	return r, nil
}

// scanned takes over what the scan found.
func (r *Report) scanned(s *scanned) {
	if m := s.module; m != nil {
		r.Class, r.Functions, r.DataBytes = s.class, len(m.Functions), m.DataBytes
		if s.needs != nil {
			r.ClassReason = s.needs.Message
		}
		for _, i := range m.Imports {
			r.Imports = append(r.Imports, i.Module+"."+i.Name)
		}
		if m.Memory != nil {
			r.MemoryPages = int(m.Memory.Min)
		}
	}
	r.Manifest, r.FuelLimit, r.Migrates = s.manifest, s.fuel, s.migrates
	if s.manifest != nil {
		r.MemoryLimitBytes = s.memoryLimit
	}
}

// sample runs a plugin over the sample batches.
func (r *Report) sample(p *Plugin) Problems {
	// A region's clock is not the sample's: no call is left out because those before it took long.
	in, err := p.Instance(InstanceConfig{CallTime: time.Hour, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		if fault, ok := errors.AsType[*abi.Fault](err); ok {
			return Problems{problem(CodeStart, "it does not start: %s", fault.Message)}
		}
		return Problems{problem(CodeSettings, "%v", err)}
	}
	defer in.Close()
	r.StartFuel = in.startFuel
	run := sampleRun{report: r, in: in, state: newSampleState(p.Manifest()), sampler: newSampler(p.Manifest())}
	for tick := range sampleTicks {
		if fault := run.call(tick, run.sampler.events(tick)); fault != nil {
			return Problems{problem(CodeCall, "a call with %s failed: %s: %s", run.failed, fault.Kind, fault.Message)}
		}
	}
	r.StateBytes = run.state.size
	r.FuelPerEvent = float64(run.fuel) / float64(max(r.SampleEvents, run.calls))
	return nil
}

// sampleRun is the run of a plugin over the sample.
type sampleRun struct {
	report  *Report
	in      *Instance
	state   *sampleState
	sampler *sampler
	calls   int
	fuel    int64  // of calls that went well
	failed  string // what the batch of the call that failed had in it
}

// call gives a tick's events to the plugin. As in a region, a batch that fails is tried in halves: what one event at a time cannot
// do either is the plugin's fault.
func (s *sampleRun) call(tick int, events []abi.Event) *abi.Fault {
	s.state.begin()
	out, err := s.in.Call(s.sampler.fill(tick, events), s.state)
	if err != nil {
		if half := len(events) / 2; half > 0 {
			if fault := s.call(tick, events[:half]); fault != nil {
				return fault
			}
			return s.call(tick, events[half:])
		}
		s.failed = "a batch of poses"
		if len(events) > 0 {
			s.failed = fmt.Sprintf("a sample event of kind %q", events[0].Kind)
		}
		fault, _ := errors.AsType[*abi.Fault](err)
		return fault
	}
	s.state.commit()
	r := s.report
	s.calls++
	s.fuel += s.in.used
	r.FuelPerTickMost = max(r.FuelPerTickMost, s.in.used)
	r.SampleEvents += len(events)
	r.SampleCommands += commandsIn(out)
	r.PeakMemoryBytes = max(r.PeakMemoryBytes, uint64(s.in.mod.Memory().Size()))
	return nil
}

// commandsIn returns how many commands a list has that Call took.
func commandsIn(out []byte) int {
	if len(out) < abi.CommandHeaderSize {
		return 0
	}
	return int(binary.LittleEndian.Uint32(out[8:]))
}

// Summary is one line about a report, for logs.
func (r *Report) Summary() string {
	if !r.OK {
		return "refused: " + r.Problems.Error()
	}
	return fmt.Sprintf("%s %s, class %s, %d bytes, %.0f units of fuel an event, %d KiB of memory",
		r.Manifest.Name, r.Manifest.Version, r.Class, r.SizeBytes, r.FuelPerEvent, r.PeakMemoryBytes>>10)
}
