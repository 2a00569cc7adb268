package rules

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/meter"
)

const (
	defaultCallTime = 100 * time.Millisecond
	// budgetCalls is how many times InstanceConfig.CallTime the calls of one tick may take together, in fuel and with the restarts that
	// failed ones make needed: once they have, further calls are not made.
	budgetCalls = 2
	// fuelPerMS is the fuel that stands for a millisecond of CallTime: what a slow machine computes in one.
	fuelPerMS = 500_000
	// maxBackoff is the largest number of calls that fail at once after making an instance failed.
	maxBackoff = 64
	maxKeys    = 1024 // remembered key strings
	// leastClockNS is what a guest's clock shows while it starts. Go's runtime refuses zero.
	leastClockNS = 1000
)

// InstanceConfig is what an instance starts from.
type InstanceConfig struct {
	// Region is the index of the region in the venue; guests find it in every header.
	Region uint32
	// Rows are what venued_init sees of the region: its doors, zones, objects, as the
	// host thinks fit. The instance keeps the slice.
	Rows []abi.Row
	// CallTime bounds what the calls of one tick compute together: once they used the fuel for twice that time, at 500,000 units a
	// millisecond, no more are made in it. Default 100 ms. No clock is read: the same calls are left out on every machine.
	CallTime time.Duration
	// Log takes what the guest prints and what becomes of its calls. Default: the engine's, with the rule, the region, and the module's version
	// and short digest.
	Log *slog.Logger
}

// Instance is a rule in a region: it implements the region's Rule interface. One goroutine at a
// time may use it.
type Instance struct {
	plugin   *Plugin
	tickFuel int64           // for all calls of a tick
	ctx      context.Context // of its calls: says to host functions whose they are
	watched  watched
	init     []byte // the init batch, the same for every new guest memory
	region   uint32
	may      abi.Mask
	log      *slog.Logger

	// The guest; nil between a failure and the next call.
	mod       api.Module
	tick      api.Function
	input     uint32 // address of the guest's buffer of abi.MaxInput bytes
	memory    *guestMemory
	fuel      api.MutableGlobal
	depth     api.MutableGlobal
	failures  int // makings that failed in a row
	waitCalls int // calls that still fail at once

	// The tick of the newest call, and the fuel that its calls used so far.
	budgetTick uint64
	spent      int64

	// The running call.
	used      int64 // fuel, once it returned
	startFuel int64 // of all calls that made the guest
	kv        abi.KV
	seed      uint64
	clockNS   uint64
	timeUS    uint64
	random    *rand.ChaCha8
	partial   []byte // of a printed line
	lastWords string
	said      []byte // the newest line it logged since it was made or began to migrate

	budget logBudget
	keys   map[string]string
	stack  [2]uint64
	out    []byte
	cmds   []abi.Command
}

// Instance makes the rule's instance for a region and runs its venued_init, so that a wrong
// setting shows at once. The error is an *abi.Fault when the guest failed.
func (p *Plugin) Instance(cfg InstanceConfig) (*Instance, error) {
	in := &Instance{
		plugin: p, region: cfg.Region, may: p.module.manifest.CommandMask(),
		log: cfg.Log, keys: map[string]string{},
	}
	if in.log == nil {
		// A rule's versions take turns in a region, and differ between regions.
		in.log = p.engine.log.With("rule", p.name, "region", cfg.Region, "version", p.module.manifest.Version, "digest", p.module.digest[:12])
	}
	if cfg.CallTime <= 0 {
		cfg.CallTime = defaultCallTime
	}
	in.tickFuel = budgetCalls * fuelPerMS * max(cfg.CallTime.Milliseconds(), 1)
	in.ctx = context.WithValue(context.Background(), instanceKey{}, in)
	// Nothing in it may differ from one start to the next: not the tick, not the time.
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32([]byte(p.module.digest), cfg.Region))
	var err error
	in.init, err = abi.AppendInit(nil, abi.Header{Seed: binary.LittleEndian.Uint64(sum[:]), Region: cfg.Region}, p.settings, cfg.Rows)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", p.name, err)
	}
	p.engine.watch.add(in)
	if fault := in.start(); fault != nil {
		p.engine.watch.remove(in)
		return nil, fault
	}
	return in, nil
}

// Manifest returns the plugin's manifest.
func (in *Instance) Manifest() *abi.Manifest { return in.plugin.Manifest() }

// Digest returns the hex SHA-256 of the plugin's module.
func (in *Instance) Digest() string { return in.plugin.Digest() }

// FuelUsed returns what the newest call used, also when it failed: the same on every machine. What a call is stopped at may be a
// little more than it had.
func (in *Instance) FuelUsed() int64 { return in.used }

// Close frees the guest's memory.
func (in *Instance) Close() {
	in.plugin.engine.watch.remove(in)
	in.discard()
}

// Call runs one batch as package abi describes. The commands are decoded once here, so that malformed
// ones and kinds that the manifest does not name are faults; they are valid until the next Call.
// Every error is an *abi.Fault, after which the caller drops what was written to kv.
func (in *Instance) Call(batch []byte, kv abi.KV) ([]byte, error) {
	if len(batch) < abi.HeaderSize || len(batch) > abi.MaxInput {
		// The caller's mistake, not the guest's: its instance stays.
		return nil, in.fault(abi.FaultOutput, fmt.Sprintf("a batch of %d bytes, want %d to %d", len(batch), abi.HeaderSize, abi.MaxInput))
	}
	if tick := binary.LittleEndian.Uint64(batch[24:]); tick != in.budgetTick {
		in.budgetTick, in.spent = tick, 0
	}
	if in.spent >= in.tickFuel {
		return nil, in.fault(abi.FaultBudget, fmt.Sprintf("not called: its calls in tick %d used %d units of fuel already, the limit is %d", in.budgetTick, in.spent, in.tickFuel))
	}
	if in.mod == nil {
		if in.waitCalls > 0 {
			in.waitCalls--
			return nil, in.fault(abi.FaultInit, fmt.Sprintf("waiting %d more calls before it is started again", in.waitCalls))
		}
		if fault := in.start(); fault != nil {
			in.spent += in.startFuel
			return nil, fault
		}
	}
	in.timeUS = binary.LittleEndian.Uint64(batch[32:])
	in.seed = binary.LittleEndian.Uint64(batch[40:])
	in.clockNS, in.random = max(in.timeUS*1000, leastClockNS), nil
	in.kv = kv
	out, fault := in.run(batch)
	in.kv = nil
	in.endLine()
	in.spent += in.used
	if fault != nil {
		// The restart is paid for here, so that what a tick may do does not depend on how the one before ended.
		in.spent += in.startFuel
		in.discard()
		return nil, fault
	}
	return out, nil
}

// run writes the batch, calls venued_tick and takes the commands.
func (in *Instance) run(batch []byte) ([]byte, *abi.Fault) {
	mem := in.mod.Memory()
	in.used = 0
	in.lastWords, in.memory.refused = "", 0 // of calls that went well all the same
	if !mem.Write(in.input, batch) {
		return nil, in.fault(abi.FaultOutput, "venued_alloc gave a buffer that does not lie in memory")
	}
	in.stack = [2]uint64{uint64(in.input), uint64(len(batch))}
	if err := in.invoke(in.tick, in.plugin.module.fuel, "do less in a call, and leave the rest to a timer"); err != nil {
		return nil, in.callFault(err)
	}
	at, n := uint32(in.stack[0]>>32), uint32(in.stack[0])
	if n == 0 {
		return nil, nil
	}
	if n > abi.MaxOutput {
		return nil, in.fault(abi.FaultOutput, fmt.Sprintf("%d bytes of commands, the limit is %d", n, abi.MaxOutput))
	}
	raw, ok := mem.Read(at, n)
	if !ok {
		return nil, in.fault(abi.FaultOutput, fmt.Sprintf("%d bytes of commands at %#x do not lie in memory", n, at))
	}
	in.out = append(in.out[:0], raw...)
	var err error
	if in.cmds, err = abi.DecodeCommands(in.out, binary.LittleEndian.Uint32(batch[8:]), in.cmds[:0]); err != nil {
		return nil, in.fault(abi.FaultOutput, err.Error())
	}
	for i := range in.cmds {
		if k := in.cmds[i].Kind; !in.may.Has(uint16(k)) {
			return nil, in.fault(abi.FaultOutput, fmt.Sprintf("command %d: %s is not in its manifest's commands", i+1, k))
		}
	}
	return in.out, nil
}

// Migrate runs venued_migrate, which turns the state of schema version from in kv into that of the module's own schema. Call it
// between two calls of Call, when the versions differ; kv is all of the rule's state in the region. Every error is an *abi.Fault, after
// which the caller drops what was written to kv.
func (in *Instance) Migrate(from int, kv abi.KV) error {
	to := in.Manifest().Schema
	if !in.plugin.module.migrates {
		return in.fault(abi.FaultMigrate, fmt.Sprintf("the state is of schema %d, the module keeps schema %d, and it does not export %q to turn one into the other", from, to, migrateExport))
	}
	if in.mod == nil {
		if fault := in.start(); fault != nil {
			return fault
		}
	}
	in.lastWords, in.said, in.memory.refused = "", in.said[:0], 0
	in.clockNS, in.random = leastClockNS, nil
	in.stack[0] = uint64(uint32(from))
	in.kv = kv
	err := in.invoke(in.mod.ExportedFunction(migrateExport), abi.MaxInitFuel, "change less of the state, or leave some for when it is read")
	in.kv = nil
	var fault *abi.Fault
	if err != nil {
		fault = in.initFault(migrateExport, err)
	} else if code := int32(uint32(in.stack[0])); code != 0 {
		fault = in.fault(abi.FaultInit, in.withReason(fmt.Sprintf("%s(%d) refused with %d: it cannot turn state of schema %d into schema %d", migrateExport, from, code, from, to)))
	}
	in.endLine()
	if fault != nil {
		in.discard()
		return fault
	}
	return nil
}

// start makes the guest: memory, _initialize, venued_alloc, venued_init.
func (in *Instance) start() *abi.Fault {
	fault := in.boot()
	in.endLine()
	if fault == nil {
		in.failures = 0
		return nil
	}
	in.discard()
	in.failures++
	in.waitCalls = min(1<<min(in.failures-1, 10), maxBackoff) - 1
	return fault
}

func (in *Instance) boot() *abi.Fault {
	m := in.plugin.module
	in.clockNS, in.random, in.lastWords, in.said, in.startFuel = leastClockNS, nil, "", in.said[:0], 0
	in.seed = binary.LittleEndian.Uint64(in.init[40:])
	in.memory = &guestMemory{limit: m.memoryLimit}
	ctx := experimental.WithMemoryAllocator(context.Background(), in.memory)
	var err error
	// No start function: it would run without fuel.
	in.mod, err = in.plugin.engine.runtime.InstantiateModule(ctx, m.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		in.mod = nil
		return in.fault(abi.FaultInit, "instantiate: "+firstLine(err))
	}
	in.fuel = in.mod.ExportedGlobal(meter.FuelGlobal).(api.MutableGlobal)
	in.depth = in.mod.ExportedGlobal(meter.DepthGlobal).(api.MutableGlobal)
	if m.initialize {
		if err := in.invokeStart("_initialize"); err != nil {
			return in.initFault("_initialize", err)
		}
	}
	in.stack[0] = abi.MaxInput
	if err := in.invokeStart("venued_alloc"); err != nil {
		return in.initFault("venued_alloc", err)
	}
	in.input = uint32(in.stack[0])
	if in.input == 0 || uint64(in.input)+abi.MaxInput > uint64(in.mod.Memory().Size()) {
		return in.fault(abi.FaultInit, fmt.Sprintf("venued_alloc(%d) returned %#x, want a buffer inside of memory", abi.MaxInput, in.input))
	}
	in.mod.Memory().Write(in.input, in.init)
	in.stack = [2]uint64{uint64(in.input), uint64(len(in.init))}
	if err := in.invokeStart("venued_init"); err != nil {
		return in.initFault("venued_init", err)
	}
	if code := int32(uint32(in.stack[0])); code != 0 {
		return in.fault(abi.FaultInit, in.withReason(fmt.Sprintf("venued_init refused its settings with %d", code)))
	}
	// Looking a function up takes microseconds: once.
	in.tick = in.mod.ExportedFunction("venued_tick")
	return nil
}

// stopError ends a call that the host's limits stopped.
type stopError struct {
	kind    abi.FaultKind
	message string
}

func (e *stopError) Error() string { return e.message }

// Errors of calls that were stopped.
var (
	errDepth = &stopError{abi.FaultDepth, fmt.Sprintf("its calls nested deeper than %d: use a loop, or a list in memory, instead of recursion", abi.MaxDepth)}
	errLate  = &stopError{abi.FaultTimeout, "it took longer than a second, though it had fuel left: the machine is overloaded, or the host has a fault"}
)

func fuelError(fuel int64, todo string) *stopError {
	amount := fmt.Sprintf("%d", fuel)
	if million := int64(1_000_000); fuel%million == 0 {
		amount = fmt.Sprintf("%d million", fuel/million)
	}
	return &stopError{abi.FaultFuel, fmt.Sprintf("it used more than %s units of fuel in one call: %s", amount, todo)}
}

// invoke calls f with in.stack and fuel; todo is what helps when that is not enough. Whether it was stopped the two globals say, also when it returned.
func (in *Instance) invoke(f api.Function, fuel int64, todo string) error {
	in.fuel.Set(uint64(fuel))
	in.depth.Set(0)
	in.watched.begin()
	err := f.CallWithStack(in.ctx, in.stack[:])
	late := in.watched.end()
	left := int64(in.fuel.Get())
	in.used = fuel - left
	switch cause := metering.Cause(left, int32(uint32(in.depth.Get()))); {
	case cause == meter.CauseFuel:
		return fuelError(fuel, todo)
	case cause == meter.CauseDepth:
		return errDepth
	case late:
		return errLate
	}
	return err
}

// invokeStart calls a function before the first batch.
func (in *Instance) invokeStart(name string) error {
	err := in.invoke(in.mod.ExportedFunction(name), abi.MaxInitFuel, "prepare less at the start")
	in.startFuel += in.used
	return err
}

func (in *Instance) discard() {
	if in.mod != nil {
		// Closing an anonymous module only frees its memory; there is nothing that can fail.
		_ = in.mod.Close(context.Background())
	}
	in.mod, in.tick, in.memory, in.fuel, in.depth = nil, nil, nil, nil, nil
	in.partial = in.partial[:0]
}

func (in *Instance) fault(kind abi.FaultKind, message string) *abi.Fault {
	return &abi.Fault{Kind: kind, Plugin: in.plugin.name, Message: message}
}

// initFault is callFault for the functions before the first batch.
func (in *Instance) initFault(function string, err error) *abi.Fault {
	f := in.callFault(err)
	return in.fault(abi.FaultInit, function+": "+string(f.Kind)+": "+f.Message)
}

// callFault says in the contract's terms why a call ended.
func (in *Instance) callFault(err error) *abi.Fault {
	in.endLine()
	var exit *sys.ExitError
	var abort *abortError
	var stop *stopError
	switch {
	case errors.As(err, &stop):
		return in.fault(stop.kind, stop.message)
	case errors.As(err, &abort):
		return in.fault(abi.FaultAbort, abort.message)
	case in.memory.refused > 0:
		return in.fault(abi.FaultMemory, fmt.Sprintf("asked for %d bytes of memory, the limit is %d; then: %s", in.memory.refused, in.memory.limit, in.reason(err)))
	case errors.As(err, &exit):
		return in.fault(abi.FaultAbort, fmt.Sprintf("exited with %d: %s", exit.ExitCode(), in.reason(err)))
	case strings.HasPrefix(in.lastWords, "panic: "):
		// The language's own way to end with a message.
		return in.fault(abi.FaultAbort, in.lastWords)
	default:
		return in.fault(abi.FaultTrap, in.reason(err))
	}
}

func (in *Instance) reason(err error) string {
	if in.lastWords != "" {
		return in.lastWords
	}
	return firstLine(err)
}

// firstLine drops the trace of a wasm error: addresses that mean nothing without symbols.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return strings.TrimSuffix(strings.TrimPrefix(line, "wasm error: "), " (recovered by wazero)")
}

// withReason adds to a refusal what the guest logged before it, which is how kits say why.
func (in *Instance) withReason(refusal string) string {
	if len(in.said) == 0 {
		return refusal
	}
	return refusal + ": " + escape(in.said)
}

func (in *Instance) logLine(line []byte) {
	in.said = append(in.said[:0], line[:min(len(line), maxLogLine)]...)
	ok, dropped := in.budget.take(min(len(line), maxLogLine), in.timeUS)
	if !ok {
		return
	}
	if dropped > 0 {
		in.log.Info(escape(line), "dropped_before", dropped)
		return
	}
	in.log.Info(escape(line))
}

// intern returns k as a string without allocating for keys seen before. The table is
// emptied when it is full.
func (in *Instance) intern(k []byte) string {
	if s, ok := in.keys[string(k)]; ok {
		return s
	}
	if len(in.keys) >= maxKeys {
		clear(in.keys)
	}
	s := string(k)
	in.keys[s] = s
	return s
}

// guestMemory holds a guest's linear memory to its limit and remembers a refusal.
type guestMemory struct {
	buf     []byte
	limit   uint64
	refused uint64 // bytes that it asked for in vain, 0 for never
}

// Allocate implements experimental.MemoryAllocator; a module has one memory.
func (m *guestMemory) Allocate(_, _ uint64) experimental.LinearMemory { return m }

// Reallocate implements experimental.LinearMemory.
func (m *guestMemory) Reallocate(size uint64) []byte {
	if size > m.limit {
		m.refused = size
		return nil
	}
	if size > uint64(cap(m.buf)) {
		grown := make([]byte, size, min(max(size, 2*uint64(cap(m.buf))), m.limit))
		copy(grown, m.buf)
		m.buf = grown
	}
	m.buf = m.buf[:size]
	return m.buf
}

// Free implements experimental.LinearMemory.
func (m *guestMemory) Free() { m.buf = nil }
