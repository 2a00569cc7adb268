package module

import "strings"

// valueType reads a value type.
func (r *reader) valueType() byte {
	c := r.byte()
	r.checkType(c)
	return c
}

func (r *reader) checkType(c byte) {
	switch {
	case r.err != nil || c >= F64 && c <= I32:
	case c == 0x7b:
		r.fail(refuse(CodeFeature, "%s uses the type v128 (%s)", r.what, feature(0xfd, 0)))
	case c == 0x70 || c == 0x6f:
		r.fail(refuse(CodeFeature, "%s uses references as values: plugins may not; keep numbers and call_indirect", r.what))
	default:
		r.fail(malformed("%s names the unknown type %#x", r.what, c))
	}
}

func (r *reader) valueTypes(limit int) string {
	n := r.count("value types")
	if n > limit {
		r.fail(refuse(CodeLimit, "a function type has %s parameters or results, the limit is %s: pass a pointer to a record", number(uint64(n)), number(uint64(limit))))
	}
	if r.err != nil {
		return ""
	}
	b := r.take(uint32(n))
	for _, c := range b {
		r.checkType(c)
	}
	return string(b)
}

func (m *Module) readTypes(r *reader) {
	n := r.count("types")
	if n > m.limits.Types {
		r.fail(m.limits.tooMany(uint64(n), "function types", m.limits.Types, "use fewer different ones"))
	}
	for i := 0; i < n && r.err == nil; i++ {
		switch form := r.byte(); form {
		case 0x60:
			m.Types = append(m.Types, Type{r.valueTypes(m.limits.Params), r.valueTypes(m.limits.Params)})
		case 0x5f, 0x5e, 0x50, 0x4f, 0x4e:
			r.fail(refuse(CodeFeature, "type %d is not a function type: the module uses %s", i, feature(0xfb, 0)))
		default:
			r.fail(malformed("type %d has the unknown form %#x", i, form))
		}
	}
}

// typeIndex reads the index of a type.
func (m *Module) typeIndex(r *reader) uint32 {
	return r.below(len(m.Types), "type")
}

// below reads an index of one of n things.
func (r *reader) below(n int, what string) uint32 {
	i := r.u32()
	if r.err == nil && uint64(i) >= uint64(n) {
		r.fail(malformed("%s names %s %s, there are %s", r.what, what, number(uint64(i)), number(uint64(n))))
	}
	return i
}

func (m *Module) readImports(r *reader) {
	n := r.count("imports")
	if n > m.limits.Imports {
		r.fail(m.limits.tooMany(uint64(n), "imports", m.limits.Imports, "import only what the contract has"))
	}
	for i := 0; i < n && r.err == nil; i++ {
		module, name := r.name(m.limits.NameBytes), r.name(m.limits.NameBytes)
		kind := r.byte()
		if r.err == nil && kind != ExternFunction {
			what := "an unknown kind of thing"
			if kind <= ExternGlobal {
				what = [...]string{"a function", "a table", "a memory", "a global"}[kind]
			}
			r.fail(refuse(CodeFeature, "the module imports %s, %q from %q: a plugin may import only functions and has its own memory", what, name, module))
		}
		m.Imports = append(m.Imports, Import{module, name, m.typeIndex(r)})
	}
}

func (m *Module) readFunctions(r *reader) {
	n := r.count("functions")
	if n > m.limits.Functions {
		r.fail(m.limits.tooMany(uint64(n), "functions", m.limits.Functions, "leave out code that is not used, or ask for a larger class"))
		return
	}
	m.Functions = make([]Function, n)
	for i := range m.Functions {
		m.Functions[i].Type = m.typeIndex(r)
	}
}

// limitRange reads the limits of a table or a memory.
func (r *reader) limitRange() *Range {
	flags := r.byte()
	switch {
	case r.err != nil || flags <= 1:
	case flags <= 3:
		r.fail(refuse(CodeFeature, "%s declares something shared between threads: build for one thread (no -pthread or +atomics)", r.what))
	case flags <= 7:
		r.fail(refuse(CodeFeature, "%s uses 64-bit addresses (memory64): build for wasm32", r.what))
	default:
		r.fail(malformed("%s has unknown flags %#x", r.what, flags))
	}
	out := &Range{Min: r.u32()}
	if flags == 1 {
		out.HasMax, out.Max = true, r.u32()
		if r.err == nil && out.Max < out.Min {
			r.fail(malformed("%s has a maximum of %d below its minimum of %d", r.what, out.Max, out.Min))
		}
	}
	return out
}

func (m *Module) readTable(r *reader) {
	n := r.count("tables")
	if n > 1 {
		r.fail(refuse(CodeFeature, "the module has %d tables: a plugin may have one", n))
	}
	if n == 0 || r.err != nil {
		return
	}
	if c := r.byte(); r.err == nil && c != 0x70 {
		r.fail(refuse(CodeFeature, "the table holds something else than functions (type %#x): build without reference types", c))
	}
	m.Table = r.limitRange()
	if r.err == nil && uint64(m.Table.Min) > uint64(m.limits.TableEntries) {
		r.fail(refuse(CodeLimit, "the module's table has %s entries, the limit is %s%s: take the address of fewer functions", number(uint64(m.Table.Min)), number(uint64(m.limits.TableEntries)), m.limits.class()))
	}
}

func (m *Module) readMemory(r *reader) {
	n := r.count("memories")
	if n > 1 {
		r.fail(refuse(CodeFeature, "the module has %d memories: a plugin has one", n))
	}
	if n == 0 || r.err != nil {
		return
	}
	m.Memory = r.limitRange()
	if r.err == nil && uint64(m.Memory.Min) > uint64(m.limits.MemoryPages) {
		r.fail(refuse(CodeLimit, "the module wants %s bytes of memory to begin with, the limit is %s: make static data smaller or allocate later", number(uint64(m.Memory.Min)*PageSize), number(uint64(m.limits.MemoryPages)*PageSize)))
	}
	if r.err == nil && m.Memory.HasMax && m.Memory.Max > 1<<16 {
		r.fail(malformed("the memory's maximum is %s pages, there can be 65,536", number(uint64(m.Memory.Max))))
	}
}

// constant reads a constant expression: one constant of that type.
func (m *Module) constant(r *reader, typ byte) {
	op := Op(r.byte())
	want := [...]Op{F64Const, F32Const, I64Const, I32Const}[typ-F64]
	if r.err == nil && op != want {
		r.fail(refuse(CodeFeature, "%s computes an initial value or an address (%s): a plugin may only use a constant of the right type there", r.what, op))
	}
	switch op {
	case I32Const:
		r.signed(32)
	case I64Const:
		r.signed(64)
	case F32Const:
		r.take(4)
	case F64Const:
		r.take(8)
	}
	if c := r.byte(); r.err == nil && Op(c) != End {
		r.fail(refuse(CodeFeature, "%s computes an initial value or an address with more than a constant: plugins may not", r.what))
	}
}

func (m *Module) readGlobals(r *reader) {
	n := r.count("globals")
	if n > m.limits.Globals {
		r.fail(m.limits.tooMany(uint64(n), "globals", m.limits.Globals, "keep variables in memory"))
	}
	for i := 0; i < n && r.err == nil; i++ {
		g := Global{Type: r.valueType()}
		flags := r.byte()
		if r.err == nil && flags > 1 {
			r.fail(malformed("global %d is neither constant nor mutable (%#x)", i, flags))
		}
		if r.err != nil {
			return
		}
		g.Mutable = flags == 1
		m.constant(r, g.Type)
		m.Globals = append(m.Globals, g)
	}
}

func (m *Module) readExports(r *reader) {
	n := r.count("exports")
	if n > m.limits.Exports {
		r.fail(m.limits.tooMany(uint64(n), "exports", m.limits.Exports, "export only what the contract asks for"))
		return
	}
	seen := make(map[string]bool, n)
	for i := 0; i < n && r.err == nil; i++ {
		e := Export{Name: r.name(m.limits.NameBytes), Kind: r.byte()}
		if r.err != nil {
			return
		}
		if seen[e.Name] {
			r.fail(malformed("it exports two things as %q", e.Name))
		}
		if strings.HasPrefix(e.Name, ReservedPrefix) {
			r.fail(refuse(CodeReserved, "the module exports %q: names that begin with %q are the host's; rename it", e.Name, ReservedPrefix))
		}
		seen[e.Name] = true
		switch e.Kind {
		case ExternFunction:
			e.Index = r.below(len(m.Imports)+len(m.Functions), "function")
		case ExternTable:
			e.Index = r.below(one(m.Table), "table")
		case ExternMemory:
			e.Index = r.below(one(m.Memory), "memory")
		case ExternGlobal:
			e.Index = r.below(len(m.Globals), "global")
		default:
			r.fail(malformed("it exports %q, of the unknown kind %d", e.Name, e.Kind))
		}
		m.Exports = append(m.Exports, e)
	}
}

// one returns the number of tables or memories.
func one(r *Range) int {
	if r == nil {
		return 0
	}
	return 1
}

func (m *Module) readStart(r *reader) {
	r.fail(refuse(CodeFeature, "the module has a start function, which would run before its host is ready: build it as a library (an exported _initialize is called instead)"))
}

func (m *Module) readElements(r *reader) {
	n := r.count("segments")
	if n > m.limits.Elements {
		r.fail(m.limits.tooMany(uint64(n), "element segments", m.limits.Elements, "let the linker join them"))
	}
	items := 0
	for i := 0; i < n && r.err == nil; i++ {
		flags := r.u32()
		if flags > 3 {
			r.fail(refuse(CodeFeature, "element segment %d holds expressions: build without reference types", i))
			return
		}
		if flags == 2 {
			r.below(one(m.Table), "table")
		}
		if flags&1 == 0 {
			if m.Table == nil {
				r.fail(malformed("element segment %d is for a table, there is none", i))
			}
			m.constant(r, I32)
		}
		if flags != 0 {
			if kind := r.byte(); r.err == nil && kind != 0 {
				r.fail(malformed("element segment %d holds the unknown kind %d", i, kind))
			}
		}
		count := r.count("functions")
		if items += count; items > m.limits.ElementItems {
			r.fail(m.limits.tooMany(uint64(items), "functions in element segments", m.limits.ElementItems, "take the address of fewer functions"))
		}
		for j := 0; j < count && r.err == nil; j++ {
			r.below(len(m.Imports)+len(m.Functions), "function")
		}
	}
	m.ElementSegments = n
}

func (m *Module) readDataCount(r *reader) {
	n := r.u32()
	if r.err == nil && uint64(n) > uint64(m.limits.DataSegments) {
		r.fail(m.limits.tooMany(uint64(n), "data segments", m.limits.DataSegments, "let the linker join them"))
	}
	m.dataCount = int(n)
}

func (m *Module) readData(r *reader) {
	n := r.count("segments")
	if n > m.limits.DataSegments {
		r.fail(m.limits.tooMany(uint64(n), "data segments", m.limits.DataSegments, "let the linker join them"))
	}
	total := uint64(0)
	for i := 0; i < n && r.err == nil; i++ {
		flags := r.u32()
		if flags > 2 {
			r.fail(malformed("data segment %d has unknown flags %d", i, flags))
		}
		if flags == 2 {
			r.zero()
		}
		if flags != 1 {
			if m.Memory == nil {
				r.fail(malformed("data segment %d is for a memory, there is none", i))
			}
			m.constant(r, I32)
		}
		size := r.u32()
		if total += uint64(size); total > uint64(m.limits.DataBytes) {
			r.fail(m.limits.tooMany(total, "bytes of data", m.limits.DataBytes, "make static data smaller"))
		}
		r.take(size)
	}
	m.DataSegments, m.DataBytes = n, int(total)
}
