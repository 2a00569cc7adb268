package module

import "github.com/venued/venued/abi"

// PageSize is the size of a page of linear memory, bytes.
const PageSize = 64 << 10

// Limits bounds what Parse lets pass. Each field is a largest allowed number; zero allows none.
// Start from Small or Large.
type Limits struct {
	Bytes         int // of the whole module
	Sections      int // of any kind, at most abi.MaxSections
	NameBytes     int // of an import's, export's or custom section's name
	CustomBytes   int // of all custom sections together
	Types         int // function types
	Params        int // of one function type; its results count separately, with the same limit
	Imports       int // functions that the module imports
	Functions     int // with a body
	BodyBytes     int // of one function
	Locals        int // of one function, parameters included
	LocalsTotal   int // of all functions together
	Nesting       int // blocks, loops and ifs inside of each other
	Operands      int // values on a function's operand stack at one time
	BranchTable   int // targets of one br_table
	BranchTables  int // targets of all br_tables together
	Globals       int
	Exports       int
	TableEntries  int // entries that the table has at the start
	Elements      int // element segments
	ElementItems  int // entries of all element segments together
	DataSegments  int
	DataBytes     int // of all data segments together
	MemoryPages   int // that the memory has at the start
	Class         string
	LargerIsThere bool // a larger class exists: refusals name the class
}

// Small returns the limits for plugins in languages without a large runtime: C, Rust, AssemblyScript.
// A typical plugin has under 100 functions and 30 KB.
func Small() Limits {
	return Limits{
		Bytes: abi.MaxModule, Sections: 64, NameBytes: 256, CustomBytes: 2 << 20,
		Types: 500, Params: 64, Imports: 64, Functions: 2_000, BodyBytes: 256 << 10,
		Locals: 1_000, LocalsTotal: 50_000, Nesting: 200, Operands: 1_000,
		BranchTable: 4_096, BranchTables: 32 << 10,
		Globals: 500, Exports: 1_000, TableEntries: 10_000, Elements: 256, ElementItems: 10_000,
		DataSegments: 2_000, DataBytes: 4 << 20, MemoryPages: abi.MaxMemory / PageSize,
		Class: "small", LargerIsThere: true,
	}
}

// Large returns the limits for plugins that bring a language's runtime along, as those in Go do: some 1,300
// functions, 22,000 data segments and 1.9 MB. Compiling one takes about a second, so an admin grants the class.
func Large() Limits {
	l := Small()
	l.Types, l.Functions, l.BodyBytes, l.LocalsTotal = 2_000, 16_000, 1<<20, 400_000
	l.Nesting, l.BranchTables, l.Globals = 400, 256<<10, 1_000
	l.TableEntries, l.ElementItems, l.DataSegments, l.DataBytes = 40_000, 40_000, 60_000, 8<<20
	l.Class, l.LargerIsThere = "large", false
	return l
}
