package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/meter"
	"github.com/venued/venued/host/rules/module"
)

// signature is a function type.
type signature module.Type

// Value types of the binary format, as signatures are made of.
const (
	i32 = "\x7f"
	i64 = "\x7e"
)

// String returns the signature in words, "(i32, i64) -> i32".
func (s signature) String() string { return module.Type(s).String() }

// metering is how modules are rewritten. The maximum of memory is no more than a formality: guestMemory is the limit, and
// says so when a guest asks for more.
var metering = meter.Options{Depth: abi.MaxDepth, MemoryPages: 1 << 16, LargestMemory: abi.MaxMemory / module.PageSize}

// export is a wanted export.
type export struct {
	name     string
	want     signature
	optional bool
	hint     string
}

// exports that the contract asks for, memory and the marker aside.
var exports = []export{
	{name: "venued_alloc", want: signature{i32, i32}, hint: "it returns the input buffer"},
	{name: "venued_init", want: signature{i32 + i32, i32}, hint: "it reads the settings and returns 0"},
	{name: "venued_tick", want: signature{i32 + i32, i64}, hint: "it reads a batch and returns its commands"},
	{name: "_initialize", want: signature{}, optional: true},
	{name: migrateExport, want: signature{i32, i32}, optional: true},
}

const (
	markerPrefix  = "venued_abi_"
	migrateExport = "venued_migrate"
)

// scanned is what the scan found out.
type scanned struct {
	manifest    *abi.Manifest
	initialize  bool // exports _initialize
	migrates    bool // exports venued_migrate
	memoryLimit uint64
	class       string // of limits
	code        []byte // what to compile: the module with its fuel counted
}

// parse reads a module under the limits of the small class, or of the large one if it does not fit the small.
func parse(wasm []byte) (*module.Module, string, error) {
	limits := module.Small()
	m, err := module.Parse(wasm, limits)
	var refusal *module.Refusal
	if errors.As(err, &refusal) && refusal.Code == module.CodeLimit {
		limits = module.Large()
		m, err = module.Parse(wasm, limits)
	}
	return m, limits.Class, err
}

// scan checks a module before anything compiles it, and rewrites it so that it counts its fuel. It names what it refuses.
func scan(wasm []byte) (*scanned, error) {
	m, class, err := parse(wasm)
	if err != nil {
		return nil, err
	}
	named := make(map[string]module.Export, len(m.Exports))
	for _, e := range m.Exports {
		named[e.Name] = e
	}
	// Before everything else, so that a module of another contract is called by its name.
	if err := checkMarker(named); err != nil {
		return nil, err
	}
	if err := checkImports(m); err != nil {
		return nil, err
	}
	body, err := abi.CustomSection(wasm, abi.ManifestSection)
	if errors.Is(err, abi.ErrNoSection) {
		return nil, fmt.Errorf("the module has no manifest (custom section %q): add it with the packer", abi.ManifestSection)
	}
	if err != nil {
		return nil, err
	}
	out := &scanned{memoryLimit: abi.MaxMemory, class: class}
	if out.manifest, err = abi.ParseManifest(body); err != nil {
		return nil, err
	}
	if n := out.manifest.MemoryBytes; n > 0 {
		out.memoryLimit = uint64(n)
	}
	if err := checkExports(m, named); err != nil {
		return nil, err
	}
	if need := uint64(m.Memory.Min) * module.PageSize; need > out.memoryLimit {
		return nil, fmt.Errorf("the module wants %d bytes of memory to begin with, its limit is %d", need, out.memoryLimit)
	}
	_, out.initialize = named["_initialize"]
	_, out.migrates = named[migrateExport]
	if out.code, err = meter.Instrument(m, metering); err != nil {
		return nil, err
	}
	return out, nil
}

// checkImports holds a module to what the host has.
func checkImports(m *module.Module) error {
	for _, i := range m.Imports {
		known := hostModules[i.Module]
		if known == nil {
			return fmt.Errorf("the module imports %q from %q: a plugin may import only from %q (and the stubbed %q)", i.Name, i.Module, abi.ImportModule, wasiModule)
		}
		f, ok := known[i.Name]
		if !ok {
			return fmt.Errorf("the module imports %q from %q, which has no such function", i.Name, i.Module)
		}
		if got := signature(m.Types[i.Type]); got != f.signature {
			return fmt.Errorf("the module imports %q from %q as %s, it is %s", i.Name, i.Module, got, f.signature)
		}
	}
	return nil
}

// checkMarker says for which contract a module was built when not for this one.
func checkMarker(named map[string]module.Export) error {
	if _, ok := named[abi.Marker]; ok {
		return nil
	}
	var others []string
	for name := range named {
		if strings.HasPrefix(name, markerPrefix) {
			others = append(others, name)
		}
	}
	if len(others) == 0 {
		return fmt.Errorf("the module does not export %q: it is not a plugin for version %d of the contract", abi.Marker, abi.Version)
	}
	slices.Sort(others)
	return fmt.Errorf("the module exports %q: it was built for another version of the contract, this host speaks %d", others[0], abi.Version)
}

func checkExports(m *module.Module, named map[string]module.Export) error {
	if e, ok := named["memory"]; !ok || e.Kind != module.ExternMemory {
		return errors.New(`the module does not export its memory as "memory"`)
	}
	for _, want := range exports {
		e, ok := named[want.name]
		if !ok && want.optional {
			continue
		}
		if !ok {
			return fmt.Errorf("the module does not export %q %s: %s", want.name, want.want, want.hint)
		}
		if e.Kind != module.ExternFunction {
			return fmt.Errorf("the module exports %q, but not as a function", want.name)
		}
		if got := signature(m.TypeOf(e.Index)); got != want.want {
			return fmt.Errorf("the module exports %q as %s, want %s", want.name, got, want.want)
		}
	}
	return nil
}

// Check reads a module the way Load does before compiling it and returns its manifest. The
// error names the first thing that Load would refuse.
func Check(wasm []byte) (*abi.Manifest, error) {
	s, err := scan(wasm)
	if err != nil {
		return nil, err
	}
	return s.manifest, nil
}
