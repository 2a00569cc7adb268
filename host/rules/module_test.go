package rules

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
)

// asm assembles a small plugin for a test. Its zero value with defaults() is a plugin that
// loads and never wants anything.
type asm struct {
	manifest string // "" for none
	marker   string // "" for none
	imports  []asmImport
	funcs    []asmFunc
	pages    uint32
	tables   [][]byte        // element type and limits of each
	data     []byte          // at address 16
	start    bool            // a start section with function 0
	noMemory bool            // do not export it
	raw      map[byte][]byte // content of sections instead of what the rest makes
	customs  []abi.Section   // more custom sections: name and body
	bodies   int             // how many functions more, which do nothing
}

type asmImport struct {
	module, name string
	signature
}

type asmFunc struct {
	export string
	signature
	body     []byte // without the end
	declared bool   // body begins with declarations of locals
}

const (
	inputAt = 4096
	dataAt  = 16
)

const allCommands = `"grant","deny","release","set_state","set_pose","door","lock","teleport","emit","timer_start","timer_cancel","accept"`

// newAsm returns a plugin whose venued_tick has the given body.
func newAsm(tick ...byte) *asm {
	return &asm{
		manifest: `{"name":"test","version":"1.0.0","abi":1,"events":["grab"],"commands":[` + allCommands + `],"schema":0}`,
		marker:   abi.Marker,
		pages:    8,
		funcs: []asmFunc{
			{export: "venued_alloc", signature: signature{i32, i32}, body: constI32(inputAt)},
			{export: "venued_init", signature: signature{i32 + i32, i32}, body: constI32(0)},
			{export: "venued_tick", signature: signature{i32 + i32, i64}, body: tick},
		},
	}
}

// set replaces the function that is exported under a name; without a body it is left out.
func (a *asm) set(name string, s signature, body ...byte) *asm {
	a.funcs = slices.DeleteFunc(a.funcs, func(f asmFunc) bool { return f.export == name })
	if body != nil {
		a.funcs = append(a.funcs, asmFunc{export: name, signature: s, body: body})
	}
	return a
}

func (a *asm) imported(from, name string, s signature) *asm {
	a.imports = append(a.imports, asmImport{from, name, s})
	return a
}

func vec(items ...[]byte) []byte {
	out := leb(int64(len(items)), false)
	for _, i := range items {
		out = append(out, i...)
	}
	return out
}

func text(s string) []byte { return append(leb(int64(len(s)), false), s...) }

// leb encodes LEB128.
func leb(v int64, signed bool) []byte {
	var out []byte
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if !signed && v == 0 || signed && (v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0) {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}

func constI32(v int32) []byte { return append([]byte{0x41}, leb(int64(v), true)...) }
func constI64(v int64) []byte { return append([]byte{0x42}, leb(v, true)...) }

// returns is the body of a venued_tick that returns n bytes at an address.
func returns(at, n uint32) []byte { return constI64(int64(uint64(at)<<32 | uint64(n))) }

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func (a *asm) bytes() []byte {
	var types, imports, funcs, exports, code [][]byte
	index := map[signature]int{}
	typeOf := func(s signature) []byte {
		if _, ok := index[s]; !ok {
			index[s] = len(types)
			types = append(types, join([]byte{0x60}, text(s.Params), text(s.Results)))
		}
		return leb(int64(index[s]), false)
	}
	for _, i := range a.imports {
		imports = append(imports, join(text(i.module), text(i.name), []byte{module.ExternFunction}, typeOf(i.signature)))
	}
	all := slices.Clone(a.funcs)
	for range a.bodies {
		all = append(all, asmFunc{body: []byte{}})
	}
	if a.marker != "" {
		all = append(all, asmFunc{export: a.marker})
	}
	for i, f := range all {
		funcs = append(funcs, typeOf(f.signature))
		if f.export != "" {
			exports = append(exports, join(text(f.export), []byte{module.ExternFunction}, leb(int64(len(a.imports)+i), false)))
		}
		body := join(f.body, []byte{0x0b})
		if !f.declared {
			body = join([]byte{0}, body)
		}
		code = append(code, join(leb(int64(len(body)), false), body))
	}
	if !a.noMemory {
		exports = append(exports, join(text("memory"), []byte{module.ExternMemory, 0}))
	}
	sections := map[byte][]byte{
		module.SectionType: vec(types...), module.SectionImport: vec(imports...), module.SectionFunction: vec(funcs...),
		module.SectionMemory: vec(join([]byte{0}, leb(int64(a.pages), false))),
		module.SectionExport: vec(exports...),
		10:                   vec(code...),
	}
	if len(a.tables) > 0 {
		sections[module.SectionTable] = vec(a.tables...)
	}
	if a.start {
		sections[module.SectionStart] = leb(int64(len(a.imports)+len(all)-1), false)
	}
	if len(a.data) > 0 {
		sections[11] = vec(join([]byte{0}, constI32(dataAt), []byte{0x0b}, text(string(a.data))))
	}
	maps.Copy(sections, a.raw)
	out := []byte(abi.ModuleHeader)
	for _, id := range slices.SortedFunc(maps.Keys(sections), func(a, b byte) int { return place(a) - place(b) }) {
		out = join(out, []byte{id}, text(string(sections[id])))
	}
	for _, c := range a.customs {
		out = abi.AppendCustomSection(out, c.Name, c.Body)
	}
	if a.manifest != "" {
		out = abi.AppendCustomSection(out, abi.ManifestSection, []byte(a.manifest))
	}
	return out
}

// place orders sections: that of the data count stands before the code.
func place(id byte) int {
	if id == module.SectionDataCount {
		return 10*module.SectionCode - 5
	}
	return 10 * int(id)
}

// commands returns a plugin that always returns these bytes.
func commands(out []byte) *asm {
	a := newAsm(returns(dataAt, uint32(len(out)))...)
	a.data = out
	return a
}

// batch returns a batch of n grabs at that server time.
func batch(n int, timeUS uint64) []byte {
	b := abi.NewBatch()
	b.Reset(nil, abi.Header{Tick: timeUS / 33_333, TimeUS: timeUS, Seed: timeUS ^ 0x5eed})
	for i := range n {
		b.Event(&abi.Event{Kind: abi.EventGrab, Subject: uint64(i + 1), Object: 77})
	}
	return b.Finish()
}

func putU32(b []byte, at int, v uint32) []byte {
	out := slices.Clone(b)
	binary.LittleEndian.PutUint32(out[at:], v)
	return out
}
