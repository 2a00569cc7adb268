// Package wasmtest makes WebAssembly modules for tests: small ones by hand (Module) and random valid ones from a
// seed (Generate). It depends on nothing, so that what it makes tests readers and rewriters independently.
package wasmtest

import "slices"

// Value types, as the binary format writes them.
const (
	I32 = "\x7f"
	I64 = "\x7e"
	F32 = "\x7d"
	F64 = "\x7c"
)

// Module is a module to be assembled. The zero value is an empty one.
type Module struct {
	Imports  []Import
	Funcs    []Func
	Memory   *Range
	Table    *Range
	Globals  []Global
	Exports  []Export // beside those of functions
	Elements []uint32 // functions that fill the table from 0
	Passive  []uint32 // functions of a passive element segment behind Elements
	Data     []Data
	Customs  []Custom
	// Raw replaces a section's content by its id, or adds the section.
	Raw map[byte][]byte

	types []string // encoded
}

// Import is an imported function.
type Import struct{ Module, Name, Params, Results string }

// Func is a function. Locals are value types, one each; Body lacks its last end.
type Func struct {
	Export, Params, Results, Locals string
	Body                            []byte
}

// Range is the size of a memory or a table; Max below Min stands for none.
type Range struct{ Min, Max uint32 }

// Global is a mutable global; Init is a constant expression without its end.
type Global struct {
	Type string
	Init []byte
}

// Export is an export of any kind.
type Export struct {
	Name  string
	Kind  byte
	Index uint32
}

// Data is a data segment at an address, or a passive one.
type Data struct {
	At      int32
	Passive bool
	Bytes   []byte
}

// Custom is a custom section, put at the end.
type Custom struct {
	Name    string
	Content []byte
}

// Cat joins code.
func Cat(parts ...[]byte) []byte { return slices.Concat(parts...) }

// U encodes an unsigned number, S a signed one.
func U(v uint64) []byte {
	var out []byte
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

// S encodes a signed number.
func S(v int64) []byte {
	var out []byte
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(out, c)
		}
		out = append(out, c|0x80)
	}
}

// Op encodes an opcode and an unsigned immediate.
func Op(op byte, index uint32) []byte { return append([]byte{op}, U(uint64(index))...) }

// ConstI32 encodes i32.const.
func ConstI32(v int32) []byte { return append([]byte{0x41}, S(int64(v))...) }

// ConstI64 encodes i64.const.
func ConstI64(v int64) []byte { return append([]byte{0x42}, S(v)...) }

// Bytes encodes a length and text.
func Bytes[T string | []byte](b T) []byte { return append(U(uint64(len(b))), b...) }

// Vec encodes a vector.
func Vec(items ...[]byte) []byte { return append(U(uint64(len(items))), slices.Concat(items...)...) }

// Type returns the index of a function type, which it adds if it is new.
func (m *Module) Type(params, results string) uint32 {
	t := string(Cat([]byte{0x60}, Bytes(params), Bytes(results)))
	if i := slices.Index(m.types, t); i >= 0 {
		return uint32(i)
	}
	m.types = append(m.types, t)
	return uint32(len(m.types) - 1)
}

func (r *Range) encode(prefix ...byte) []byte {
	if r.Max < r.Min {
		return Cat([]byte{1}, prefix, []byte{0}, U(uint64(r.Min)))
	}
	return Cat([]byte{1}, prefix, []byte{1}, U(uint64(r.Min)), U(uint64(r.Max)))
}

// Encode returns the module's bytes.
func (m *Module) Encode() []byte {
	sections := map[byte][]byte{}
	var imports, funcs, code, exports, globals, types, data [][]byte
	for _, i := range m.Imports {
		imports = append(imports, Cat(Bytes(i.Module), Bytes(i.Name), []byte{0}, U(uint64(m.Type(i.Params, i.Results)))))
	}
	for i, f := range m.Funcs {
		funcs = append(funcs, U(uint64(m.Type(f.Params, f.Results))))
		var locals [][]byte
		for _, typ := range []byte(f.Locals) {
			locals = append(locals, []byte{1, typ})
		}
		code = append(code, Bytes(Cat(Vec(locals...), f.Body, []byte{0x0b})))
		if f.Export != "" {
			exports = append(exports, Cat(Bytes(f.Export), []byte{0}, U(uint64(len(m.Imports)+i))))
		}
	}
	for _, e := range m.Exports {
		exports = append(exports, Cat(Bytes(e.Name), []byte{e.Kind}, U(uint64(e.Index))))
	}
	for _, g := range m.Globals {
		globals = append(globals, Cat([]byte(g.Type), []byte{1}, g.Init, []byte{0x0b}))
	}
	for _, d := range m.Data {
		if d.Passive {
			data = append(data, Cat([]byte{1}, Bytes(d.Bytes)))
		} else {
			data = append(data, Cat([]byte{0}, ConstI32(d.At), []byte{0x0b}, Bytes(d.Bytes)))
		}
	}
	for _, t := range m.types {
		types = append(types, []byte(t))
	}
	for id, items := range map[byte][][]byte{1: types, 2: imports, 3: funcs, 6: globals, 7: exports, 10: code, 11: data} {
		if len(items) > 0 {
			sections[id] = Vec(items...)
		}
	}
	if m.Table != nil {
		sections[4] = m.Table.encode(0x70)
	}
	if m.Memory != nil {
		sections[5] = m.Memory.encode()
	}
	if s := m.elements(); len(s) > 0 {
		sections[9] = Vec(s...)
	}
	if len(m.Data) > 0 {
		sections[12] = U(uint64(len(m.Data)))
	}
	for id, content := range m.Raw {
		sections[id] = content
	}
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, id := range []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11, 13} {
		if s, ok := sections[id]; ok {
			out = Cat(out, []byte{id}, Bytes(s))
		}
	}
	for _, c := range m.Customs {
		out = Cat(out, []byte{0}, Bytes(Cat(Bytes(c.Name), c.Content)))
	}
	return out
}

func (m *Module) elements() (out [][]byte) {
	list := func(functions []uint32) []byte {
		items := make([][]byte, len(functions))
		for i, f := range functions {
			items[i] = U(uint64(f))
		}
		return Vec(items...)
	}
	if len(m.Elements) > 0 {
		out = append(out, Cat([]byte{0}, ConstI32(0), []byte{0x0b}, list(m.Elements)))
	}
	if len(m.Passive) > 0 {
		out = append(out, Cat([]byte{1, 0}, list(m.Passive)))
	}
	return out
}
