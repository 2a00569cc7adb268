package rules

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
)

// Limits of the scan that have no name in abi.
const (
	maxTypes     = 10_000
	maxFunctions = 50_000 // a Go guest has about 3,000
	maxImports   = 256
	maxExports   = 10_000
	maxTables    = 4
	maxTable     = 100_000 // entries
	pageSize     = 64 << 10
)

// Section ids of the binary format that the scan looks into.
const (
	sectionType     = 1
	sectionImport   = 2
	sectionFunction = 3
	sectionTable    = 4
	sectionMemory   = 5
	sectionExport   = 7
	sectionStart    = 8
)

const (
	externFunction = 0
	externMemory   = 2
)

// signature is a function type as its value-type bytes.
type signature struct{ params, results string }

// Value types of the binary format.
const (
	i32 = "\x7f"
	i64 = "\x7e"
)

// String returns the signature in words, "(i32, i64) -> i32".
func (s signature) String() string {
	list := func(types string) string {
		names := make([]string, len(types))
		for i := range len(types) {
			switch types[i] {
			case i32[0]:
				names[i] = "i32"
			case i64[0]:
				names[i] = "i64"
			case 0x7d:
				names[i] = "f32"
			case 0x7c:
				names[i] = "f64"
			default:
				names[i] = fmt.Sprintf("type %#x", types[i])
			}
		}
		return strings.Join(names, ", ")
	}
	if s.results == "" {
		return "(" + list(s.params) + ")"
	}
	return "(" + list(s.params) + ") -> " + list(s.results)
}

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
	{name: "venued_migrate", want: signature{i32, i32}, optional: true},
}

const markerPrefix = "venued_abi_"

// scanned is what the scan found out.
type scanned struct {
	manifest    *abi.Manifest
	initialize  bool // exports _initialize
	memoryLimit uint64
	code        []byte // what to compile: the module with its tables capped
}

// scan checks a module before anything compiles it. It reads only what it needs, believes no
// count before the bytes are there, and names what it refuses.
func scan(wasm []byte) (*scanned, error) {
	if len(wasm) > abi.MaxModule {
		return nil, fmt.Errorf("the module has %d bytes, the limit is %d", len(wasm), abi.MaxModule)
	}
	sections, err := abi.Sections(wasm)
	if err != nil {
		return nil, err
	}
	m := moduleTypes{exports: map[string]exported{}}
	seen := map[byte]bool{}
	code := make([]byte, 0, len(wasm)+64)
	code = append(code, abi.ModuleHeader...)
	for _, s := range sections {
		if s.ID == 0 {
			code = append(code, s.Raw...)
			continue
		}
		if seen[s.ID] {
			return nil, fmt.Errorf("wasm: two sections with id %d", s.ID)
		}
		seen[s.ID] = true
		if read, ok := sectionReaders[s.ID]; ok {
			r := reader{b: s.Body}
			if err := read(&m, &r); err != nil {
				return nil, err
			}
			if len(r.b) != r.at {
				return nil, fmt.Errorf("wasm: section %d has %d bytes too many", s.ID, len(r.b)-r.at)
			}
		}
		if s.ID == sectionTable {
			code = append(code, sectionTable)
			code = binary.AppendUvarint(code, uint64(len(m.tables)))
			code = append(code, m.tables...)
			continue
		}
		code = append(code, s.Raw...)
	}
	// Before the manifest, so that a module of another contract is called by its name.
	if err := m.checkMarker(); err != nil {
		return nil, err
	}
	body, err := abi.CustomSection(wasm, abi.ManifestSection)
	if errors.Is(err, abi.ErrNoSection) {
		return nil, fmt.Errorf("the module has no manifest (custom section %q): add it with the packer", abi.ManifestSection)
	}
	if err != nil {
		return nil, err
	}
	out := &scanned{memoryLimit: abi.MaxMemory, code: code}
	if out.manifest, err = abi.ParseManifest(body); err != nil {
		return nil, err
	}
	if n := out.manifest.MemoryBytes; n > 0 {
		out.memoryLimit = uint64(n)
	}
	if err := m.checkExports(); err != nil {
		return nil, err
	}
	if m.memories != 1 {
		return nil, fmt.Errorf("the module has %d memories, want one of its own", m.memories)
	}
	if need := uint64(m.memoryMin) * pageSize; need > out.memoryLimit {
		return nil, fmt.Errorf("the module wants %d bytes of memory to begin with, its limit is %d", need, out.memoryLimit)
	}
	_, out.initialize = m.exports["_initialize"]
	return out, nil
}

type exported struct {
	kind  byte
	index uint32
}

// moduleTypes is what a module says of its functions, memory and exports.
type moduleTypes struct {
	types     []signature
	functions []uint32 // type index of each function, imported ones first
	memories  int
	memoryMin uint32 // pages
	tables    []byte // the table section's content with every maximum at most maxTable
	exports   map[string]exported
}

var sectionReaders = map[byte]func(*moduleTypes, *reader) error{
	sectionType:     (*moduleTypes).readTypes,
	sectionImport:   (*moduleTypes).readImports,
	sectionFunction: (*moduleTypes).readFunctions,
	sectionTable:    (*moduleTypes).readTables,
	sectionMemory:   (*moduleTypes).readMemories,
	sectionExport:   (*moduleTypes).readExports,
	sectionStart: func(*moduleTypes, *reader) error {
		return errors.New("the module has a start function, which would run before its host is ready: build it as a library (_initialize is called for it)")
	},
}

func (m *moduleTypes) readTypes(r *reader) error {
	n, err := r.count("types", maxTypes)
	if err != nil {
		return err
	}
	for i := range n {
		form, err := r.byte()
		if err != nil {
			return err
		}
		if form != 0x60 {
			return fmt.Errorf("wasm: type %d has form %#x, only functions are known", i, form)
		}
		params, err := r.name()
		if err != nil {
			return err
		}
		results, err := r.name()
		if err != nil {
			return err
		}
		m.types = append(m.types, signature{params, results})
	}
	return nil
}

func (m *moduleTypes) readImports(r *reader) error {
	n, err := r.count("imports", maxImports)
	if err != nil {
		return err
	}
	for range n {
		module, err := r.name()
		if err != nil {
			return err
		}
		name, err := r.name()
		if err != nil {
			return err
		}
		kind, err := r.byte()
		if err != nil {
			return err
		}
		known := hostModules[module]
		if known == nil {
			return fmt.Errorf("the module imports %q from %q: a plugin may import only from %q (and the stubbed %q)", name, module, abi.ImportModule, wasiModule)
		}
		f, ok := known[name]
		if !ok || kind != externFunction {
			return fmt.Errorf("the module imports %q from %q, which has no such function", name, module)
		}
		index, err := r.u32()
		if err != nil {
			return err
		}
		got, err := m.typeAt(index)
		if err != nil {
			return err
		}
		if got != f.signature {
			return fmt.Errorf("the module imports %q from %q as %s, it is %s", name, module, got, f.signature)
		}
		m.functions = append(m.functions, index)
	}
	return nil
}

func (m *moduleTypes) readFunctions(r *reader) error {
	n, err := r.count("functions", maxFunctions)
	if err != nil {
		return err
	}
	for range n {
		index, err := r.u32()
		if err != nil {
			return err
		}
		if _, err := m.typeAt(index); err != nil {
			return err
		}
		m.functions = append(m.functions, index)
	}
	return nil
}

// readTables caps tables: growing one takes memory that no memory limit counts, and Go's compiler, for one, gives its
// tables no maximum. To the module a table at its cap is one that cannot grow, as the format allows any.
func (m *moduleTypes) readTables(r *reader) error {
	n, err := r.count("tables", maxTables)
	if err != nil {
		return err
	}
	m.tables = binary.AppendUvarint(m.tables, uint64(n))
	for range n {
		elements, err := r.byte()
		if err != nil {
			return err
		}
		if elements != 0x70 && elements != 0x6f {
			return fmt.Errorf("wasm: a table of elements of type %#x: want functions or external references", elements)
		}
		least, most, err := r.limits()
		if err != nil {
			return err
		}
		if least > maxTable {
			return fmt.Errorf("the module has a table of %d entries, the limit is %d", least, maxTable)
		}
		m.tables = append(m.tables, elements, 1)
		m.tables = binary.AppendUvarint(m.tables, uint64(least))
		m.tables = binary.AppendUvarint(m.tables, uint64(min(most, maxTable)))
	}
	return nil
}

func (m *moduleTypes) readMemories(r *reader) error {
	n, err := r.count("memories", 8)
	if err != nil {
		return err
	}
	for range n {
		if m.memoryMin, _, err = r.limits(); err != nil {
			return err
		}
		m.memories++
	}
	return nil
}

func (m *moduleTypes) readExports(r *reader) error {
	n, err := r.count("exports", maxExports)
	if err != nil {
		return err
	}
	for range n {
		name, err := r.name()
		if err != nil {
			return err
		}
		kind, err := r.byte()
		if err != nil {
			return err
		}
		index, err := r.u32()
		if err != nil {
			return err
		}
		if _, ok := m.exports[name]; ok {
			return fmt.Errorf("the module exports %q twice", name)
		}
		m.exports[name] = exported{kind, index}
	}
	return nil
}

// checkMarker says for which contract a module was built when not for this one.
func (m *moduleTypes) checkMarker() error {
	if _, ok := m.exports[abi.Marker]; ok {
		return nil
	}
	var others []string
	for name := range m.exports {
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

func (m *moduleTypes) checkExports() error {
	if e, ok := m.exports["memory"]; !ok || e.kind != externMemory {
		return errors.New(`the module does not export its memory as "memory"`)
	}
	for _, want := range exports {
		e, ok := m.exports[want.name]
		if !ok && want.optional {
			continue
		}
		if !ok {
			return fmt.Errorf("the module does not export %q %s: %s", want.name, want.want, want.hint)
		}
		if e.kind != externFunction || uint64(e.index) >= uint64(len(m.functions)) {
			return fmt.Errorf("the module exports %q, but not as a function", want.name)
		}
		got, err := m.typeAt(m.functions[e.index])
		if err != nil {
			return err
		}
		if got != want.want {
			return fmt.Errorf("the module exports %q as %s, want %s", want.name, got, want.want)
		}
	}
	return nil
}

func (m *moduleTypes) typeAt(index uint32) (signature, error) {
	if uint64(index) >= uint64(len(m.types)) {
		return signature{}, fmt.Errorf("wasm: type %d of %d", index, len(m.types))
	}
	return m.types[index], nil
}

// reader reads the binary format's primitives with bounds.
type reader struct {
	b  []byte
	at int
}

var errShort = errors.New("wasm: a section ends in the middle of an entry")

func (r *reader) byte() (byte, error) {
	if r.at >= len(r.b) {
		return 0, errShort
	}
	r.at++
	return r.b[r.at-1], nil
}

func (r *reader) u32() (uint32, error) {
	v, n := abi.Uvarint32(r.b[r.at:])
	if n == 0 {
		return 0, errShort
	}
	r.at += n
	return v, nil
}

// count reads a vector's length. Every entry takes a byte at least, so a larger count lies.
func (r *reader) count(what string, limit uint32) (uint32, error) {
	n, err := r.u32()
	if err != nil {
		return 0, err
	}
	if n > limit {
		return 0, fmt.Errorf("the module has %d %s, the limit is %d", n, what, limit)
	}
	if uint64(n) > uint64(len(r.b)-r.at) {
		return 0, fmt.Errorf("wasm: %d %s in %d bytes", n, what, len(r.b)-r.at)
	}
	return n, nil
}

func (r *reader) name() (string, error) {
	n, err := r.u32()
	if err != nil {
		return "", err
	}
	if uint64(n) > uint64(len(r.b)-r.at) {
		return "", errShort
	}
	r.at += int(n)
	return string(r.b[r.at-int(n) : r.at]), nil
}

// limits reads the limits of a memory or table; most is the largest number there is when they name no maximum.
func (r *reader) limits() (least, most uint32, err error) {
	flags, err := r.byte()
	if err != nil {
		return 0, 0, err
	}
	if flags > 1 {
		return 0, 0, fmt.Errorf("wasm: limits with flags %#x: shared or 64-bit memories and tables are not for plugins", flags)
	}
	if least, err = r.u32(); err != nil {
		return 0, 0, err
	}
	most = math.MaxUint32
	if flags == 1 {
		if most, err = r.u32(); err != nil {
			return 0, 0, err
		}
	}
	return least, most, nil
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
