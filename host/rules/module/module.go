package module

import (
	"strings"

	"github.com/venued/venued/abi"
)

// Section ids of the binary format.
const (
	SectionCustom    = 0
	SectionType      = 1
	SectionImport    = 2
	SectionFunction  = 3
	SectionTable     = 4
	SectionMemory    = 5
	SectionGlobal    = 6
	SectionExport    = 7
	SectionStart     = 8
	SectionElement   = 9
	SectionCode      = 10
	SectionData      = 11
	SectionDataCount = 12
)

// Kinds of exports and imports.
const (
	ExternFunction = 0
	ExternTable    = 1
	ExternMemory   = 2
	ExternGlobal   = 3
)

// Value types, as the binary format writes them.
const (
	I32 = 0x7f
	I64 = 0x7e
	F32 = 0x7d
	F64 = 0x7c
)

// ReservedPrefix begins the names that the host adds to a module; a module that
// exports one of its own is refused.
const ReservedPrefix = "venued."

// Type is a function type: its value types, a byte each.
type Type struct{ Params, Results string }

// String returns the type in words, "(i32, i64) -> i32".
func (t Type) String() string {
	list := func(types string) string {
		names := make([]string, len(types))
		for i := range len(types) {
			names[i] = [...]string{"f64", "f32", "i64", "i32"}[types[i]-F64]
		}
		return strings.Join(names, ", ")
	}
	if t.Results == "" {
		return "(" + list(t.Params) + ")"
	}
	return "(" + list(t.Params) + ") -> " + list(t.Results)
}

// Import is an imported function.
type Import struct {
	Module, Name string
	Type         uint32
}

// Function is a function with a body.
type Function struct {
	Type   uint32
	Runs   int    // entries of Locals
	Locals []byte // the declarations of locals behind their count, as they stand in the module
	Code   []byte // the instructions, with the last end; see Decoder

	NumLocals    int  // parameters included
	Instructions int  // in Code
	Values       int  // instructions that compute a value, constants and reads of locals not counted
	Joins        int  // blocks, loops and ifs: where a local may have come from several places
	Operands     int  // the most values on the operand stack at one time
	Calls        bool // it calls a function of the module or indirectly; imports do not count
}

// Range is the size of a table (entries) or a memory (pages).
type Range struct {
	Min, Max uint32
	HasMax   bool
}

// Global is a global variable.
type Global struct {
	Type    byte
	Mutable bool
}

// Export is an exported thing.
type Export struct {
	Name  string
	Kind  byte
	Index uint32
}

// Module is a module that Parse took. Its slices alias the bytes it was read from; nobody may change
// either.
type Module struct {
	Sections  []abi.Section // as they stand in the module
	Types     []Type
	Imports   []Import
	Functions []Function
	Table     *Range // nil for none
	Memory    *Range // nil for none
	Globals   []Global
	Exports   []Export

	ElementSegments int
	DataSegments    int
	DataBytes       int // of all segments

	limits      Limits
	dataCount   int // -1: the section is not there
	localsTotal int
	branches    int // targets of all br_tables
}

// readers reads each section's content in the order in which sections must stand.
var readers = []struct {
	id   byte
	what string
	read func(*Module, *reader)
}{
	{SectionType, "the type section", (*Module).readTypes},
	{SectionImport, "the import section", (*Module).readImports},
	{SectionFunction, "the function section", (*Module).readFunctions},
	{SectionTable, "the table section", (*Module).readTable},
	{SectionMemory, "the memory section", (*Module).readMemory},
	{SectionGlobal, "the global section", (*Module).readGlobals},
	{SectionExport, "the export section", (*Module).readExports},
	{SectionStart, "the start section", (*Module).readStart},
	{SectionElement, "the element section", (*Module).readElements},
	{SectionDataCount, "the data count section", (*Module).readDataCount},
	{SectionCode, "the code section", (*Module).readCode},
	{SectionData, "the data section", (*Module).readData},
}

// Parse reads a module and checks it against the limits. The error is a *Refusal.
func Parse(wasm []byte, limits Limits) (*Module, error) {
	if len(wasm) > limits.Bytes {
		return nil, refuse(CodeLimit, "the module has %s bytes, the limit is %s%s: build it for size, without debug information", number(uint64(len(wasm))), number(uint64(limits.Bytes)), limits.class())
	}
	sections, err := abi.Sections(wasm)
	if err != nil {
		return nil, &Refusal{Code: CodeMalformed, Function: -1, Message: err.Error()}
	}
	m := &Module{Sections: sections, limits: limits, dataCount: -1}
	if len(sections) > limits.Sections {
		return nil, limits.tooMany(uint64(len(sections)), "sections", limits.Sections, "strip custom sections that are not needed")
	}
	next, custom := 0, 0
	for _, s := range sections {
		if s.ID == SectionCustom {
			if custom += len(s.Body); len(s.Name) > limits.NameBytes {
				return nil, refuse(CodeLimit, "a custom section's name has %s bytes, the limit is %s: strip it", number(uint64(len(s.Name))), number(uint64(limits.NameBytes)))
			}
			continue
		}
		at := next
		for at < len(readers) && readers[at].id != s.ID {
			at++
		}
		if at == len(readers) {
			return nil, misplaced(s.ID)
		}
		next = at + 1
		r := &reader{b: s.Body, what: readers[at].what}
		readers[at].read(m, r)
		if err := r.end(); err != nil {
			return nil, err
		}
	}
	if custom > limits.CustomBytes {
		return nil, limits.tooMany(uint64(custom), "bytes of custom sections", limits.CustomBytes, "strip debug information")
	}
	if err := m.checkWhole(); err != nil {
		return nil, err
	}
	return m, nil
}

// misplaced says what is wrong with a section that does not belong where it stands.
func misplaced(id byte) error {
	for _, known := range readers {
		if known.id == id {
			return malformed("%s stands twice or in the wrong place", known.what)
		}
	}
	if id == 13 {
		return refuse(CodeFeature, "the module uses exceptions (it has tags): build without them (no -fwasm-exceptions)")
	}
	return refuse(CodeFeature, "the module has a section of the unknown kind %d: plugins may not use that feature", id)
}

// checkWhole checks what several sections say of one thing.
func (m *Module) checkWhole() error {
	for i := range m.Functions {
		if m.Functions[i].Code == nil {
			return malformed("function %d has a type, but no body", m.NumImports()+i)
		}
	}
	if m.dataCount >= 0 && m.dataCount != m.DataSegments {
		return malformed("the data count section says %s segments, the data section has %s", number(uint64(m.dataCount)), number(uint64(m.DataSegments)))
	}
	return nil
}

// NumImports returns the number of imported functions, which come first in the index space.
func (m *Module) NumImports() int { return len(m.Imports) }

// TypeOf returns the type of a function, imported ones counted first. The index must exist.
func (m *Module) TypeOf(function uint32) Type {
	if n := len(m.Imports); int(function) >= n {
		return m.Types[m.Functions[int(function)-n].Type]
	}
	return m.Types[m.Imports[function].Type]
}

// BlockType returns the type of a block, loop or if of this module.
func (m *Module) BlockType(ins *Instruction) Type {
	switch ins.Block {
	case blockIndexed:
		return m.Types[ins.Index]
	case blockEmpty:
		return Type{}
	default:
		return oneResult[ins.Block-F64]
	}
}

var oneResult = [4]Type{{Results: "\x7c"}, {Results: "\x7d"}, {Results: "\x7e"}, {Results: "\x7f"}}
