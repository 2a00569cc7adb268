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

// scanned is what the scan found out. What it did not come to is zero.
type scanned struct {
	module      *module.Module
	manifest    *abi.Manifest
	initialize  bool // exports _initialize
	migrates    bool // exports venued_migrate
	memoryLimit uint64
	fuel        int64     // of a call of venued_tick
	class       abi.Class // of limits: the smallest that does
	needs       *Problem  // why class is the large one, if it is
	code        []byte    // what to compile: the module with its fuel counted
}

// scan checks a module before anything compiles it, and rewrites it so that it counts its fuel. What is found is returned
// beside problems too. Whether the class that it needs is granted is up to the caller; see permit.
func scan(wasm []byte) (*scanned, Problems) {
	out := &scanned{memoryLimit: abi.MaxMemory, class: abi.ClassSmall}
	if p := out.parse(wasm); p != nil {
		return out, Problems{*p}
	}
	m := out.module
	named := make(map[string]module.Export, len(m.Exports))
	for _, e := range m.Exports {
		named[e.Name] = e
	}
	_, out.initialize = named["_initialize"]
	_, out.migrates = named[migrateExport]
	// Before everything else, so that a module of another contract is called by its name.
	found := checkMarker(named)
	found = append(found, checkImports(m)...)
	manifest, p := readManifest(wasm)
	if p != nil {
		found = append(found, *p)
	} else {
		out.take(manifest)
	}
	found = append(found, checkExports(m, named)...)
	if m.Memory != nil {
		if need := uint64(m.Memory.Min) * module.PageSize; need > out.memoryLimit {
			found = append(found, problem(CodeMemory, "the module wants %d bytes of memory to begin with, its limit is %d: raise memory_bytes in its manifest, or make static data smaller", need, out.memoryLimit))
		}
	}
	if len(found) > 0 {
		return out, found
	}
	code, err := meter.Instrument(m, metering)
	if err != nil {
		return out, Problems{asProblem(err)}
	}
	out.code = code
	return out, nil
}

// parse reads a module under the limits of the small class, or of the large one if it does not fit the small.
func (out *scanned) parse(wasm []byte) *Problem {
	m, err := module.Parse(wasm, module.Small())
	if err == nil {
		out.module = m
		return nil
	}
	p := asProblem(err)
	if p.Code != CodeLimit {
		return &p
	}
	if m, err = module.Parse(wasm, module.Large()); err != nil {
		p = asProblem(err)
		return &p
	}
	out.module, out.class, out.needs = m, abi.ClassLarge, &p
	return nil
}

// take adopts the limits that a manifest wants.
func (out *scanned) take(m *abi.Manifest) {
	out.manifest = m
	if m.MemoryBytes > 0 {
		out.memoryLimit = uint64(m.MemoryBytes)
	}
	if m.Fuel > abi.MaxFuel && out.class == abi.ClassSmall {
		p := problem(CodeClass, "the manifest wants %d units of fuel a tick, a small plugin has at most %d: want less", m.Fuel, abi.MaxFuel)
		out.class, out.needs = abi.ClassLarge, &p
	}
	if out.fuel = int64(abi.MaxFuelOf(out.class)); m.Fuel > 0 {
		out.fuel = int64(m.Fuel)
	}
}

// permit says that a module needs a larger class than was granted to it, nil when it does not.
func (out *scanned) permit(granted abi.Class) Problems {
	if out.class != abi.ClassLarge || granted == abi.ClassLarge {
		return nil
	}
	const format = "the module needs the large class, which its venue has not granted: %s. An admin grants it with class = \"large\" in the rule's [[rule]]"
	return Problems{{CodeClass, fmt.Sprintf(format, out.needs.Message), out.needs.Function}}
}

// asProblem turns an error of the prescan or the metering into a problem.
func asProblem(err error) Problem {
	if refusal, ok := errors.AsType[*module.Refusal](err); ok {
		return refused(refusal)
	}
	return problem(CodeMalformed, "%v", err)
}

func readManifest(wasm []byte) (*abi.Manifest, *Problem) {
	body, err := abi.CustomSection(wasm, abi.ManifestSection)
	var m *abi.Manifest
	if errors.Is(err, abi.ErrNoSection) {
		err = fmt.Errorf("the module has no manifest (custom section %q): add it with the packer", abi.ManifestSection)
	} else if err == nil {
		m, err = abi.ParseManifest(body)
	}
	if err != nil {
		p := problem(CodeManifest, "%v", err)
		return nil, &p
	}
	return m, nil
}

// checkImports holds a module to what the host has.
func checkImports(m *module.Module) (found Problems) {
	for _, i := range m.Imports {
		known := hostModules[i.Module]
		f, ok := known[i.Name]
		switch got := signature(m.Types[i.Type]); {
		case known == nil:
			found = append(found, problem(CodeImport, "the module imports %q from %q: a plugin may import only from %q (and the stubbed %q)", i.Name, i.Module, abi.ImportModule, wasiModule))
		case !ok:
			found = append(found, problem(CodeImport, "the module imports %q from %q, which has no such function: leave out what needs it", i.Name, i.Module))
		case got != f.signature:
			found = append(found, problem(CodeImport, "the module imports %q from %q as %s, it is %s: build it with the current SDK", i.Name, i.Module, got, f.signature))
		}
	}
	return found
}

// checkMarker says for which contract a module was built when not for this one.
func checkMarker(named map[string]module.Export) Problems {
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
		return Problems{problem(CodeContract, "the module does not export %q: it is not a plugin for version %d of the contract; build it with the SDK", abi.Marker, abi.Version)}
	}
	slices.Sort(others)
	return Problems{problem(CodeContract, "the module exports %q: it was built for another version of the contract, this host speaks %d", others[0], abi.Version)}
}

func checkExports(m *module.Module, named map[string]module.Export) (found Problems) {
	if e, ok := named["memory"]; !ok || e.Kind != module.ExternMemory {
		found = append(found, problem(CodeExport, `the module does not export its memory as "memory": link it so`))
	}
	for _, want := range exports {
		e, ok := named[want.name]
		switch {
		case !ok && want.optional:
		case !ok:
			found = append(found, problem(CodeExport, "the module does not export %q %s: %s", want.name, want.want, want.hint))
		case e.Kind != module.ExternFunction:
			found = append(found, problem(CodeExport, "the module exports %q, but not as a function", want.name))
		default:
			if got := signature(m.TypeOf(e.Index)); got != want.want {
				found = append(found, problem(CodeExport, "the module exports %q as %s, want %s", want.name, got, want.want))
			}
		}
	}
	return found
}

// Check reads a module the way Load does before compiling it, in whatever class, and returns its manifest. The error is Problems.
func Check(wasm []byte) (*abi.Manifest, error) {
	s, found := scan(wasm)
	if len(found) > 0 {
		return nil, found
	}
	return s.manifest, nil
}
