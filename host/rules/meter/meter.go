package meter

import (
	"fmt"
	"math"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules/module"
)

// Version of the rewriting. It changes whenever the same module would be rewritten or charged in another way.
const Version = 1

// Names of the exported globals.
const (
	FuelGlobal  = module.ReservedPrefix + "fuel"
	DepthGlobal = module.ReservedPrefix + "depth"
)

// Defaults of Options.
const (
	DefaultDepth        = 512
	DefaultTableEntries = 10_000
	DefaultBytes        = 3 * abi.MaxModule
)

// Options says how a module is rewritten. The zero value has the defaults.
type Options struct {
	// Depth is the largest depth of calls. Default 512.
	Depth int32
	// MemoryPages becomes the memory's maximum, where the module has none or a larger one. Default
	// abi.MaxMemory.
	MemoryPages uint32
	// LargestMemory says how many pages the memory can have at most, whoever sees to it: what asks for more fails, and
	// is charged for no more. Default, and never above: MemoryPages, 32,767.
	LargestMemory uint32
	// TableEntries becomes the table's maximum in the same way. Default 10,000; never below what it has at the start.
	TableEntries uint32
	// Bytes is the largest size of the rewritten module. Default 24 MB.
	Bytes int
}

func (o Options) withDefaults() Options {
	if o.Depth <= 0 {
		o.Depth = DefaultDepth
	}
	if o.MemoryPages == 0 {
		o.MemoryPages = abi.MaxMemory / module.PageSize
	}
	if o.LargestMemory == 0 {
		o.LargestMemory = o.MemoryPages
	}
	o.LargestMemory = min(o.LargestMemory, o.MemoryPages, math.MaxInt32/module.PageSize)
	if o.TableEntries == 0 {
		o.TableEntries = DefaultTableEntries
	}
	if o.Bytes <= 0 {
		o.Bytes = DefaultBytes
	}
	return o
}

// Cause says why a call was stopped by what Instrument added.
type Cause uint8

// Causes.
const (
	CauseNone  Cause = iota // not stopped by it: whatever ended the call is the module's own doing
	CauseFuel               // the fuel ran out
	CauseDepth              // calls nested too deep
)

// Cause tells from the two globals after a call whether it was stopped, and why. Ask after each call, also after one that
// returned: a function that calls no others may return with less than no fuel.
func (o Options) Cause(fuel int64, depth int32) Cause {
	switch {
	case fuel < 0:
		return CauseFuel
	case depth > o.withDefaults().Depth:
		return CauseDepth
	}
	return CauseNone
}

// Instrument returns the module rewritten. Of its custom sections only the manifest stays. The
// error is a *module.Refusal: rewritten it would be too large.
func Instrument(m *module.Module, o Options) ([]byte, error) {
	w := &rewriter{m: m, o: o.withDefaults(), fuel: uint32(len(m.Globals)), depth: uint32(len(m.Globals) + 1)}
	code, err := w.code()
	if err != nil {
		return nil, err
	}
	raw := map[byte][]byte{}
	for _, s := range m.Sections {
		if s.ID != module.SectionCustom {
			raw[s.ID] = s.Body
		}
	}
	out := make([]byte, 0, len(code)+len(code)/4)
	out = append(out, abi.ModuleHeader...)
	for _, s := range []struct {
		id   byte
		body []byte
	}{
		{module.SectionType, w.types(raw[module.SectionType])},
		{module.SectionImport, raw[module.SectionImport]},
		{module.SectionFunction, raw[module.SectionFunction]},
		{module.SectionTable, w.table()},
		{module.SectionMemory, w.memory()},
		{module.SectionGlobal, w.globals(raw[module.SectionGlobal])},
		{module.SectionExport, w.exports(raw[module.SectionExport])},
		{module.SectionElement, raw[module.SectionElement]},
		{module.SectionDataCount, raw[module.SectionDataCount]},
		{module.SectionCode, code},
		{module.SectionData, raw[module.SectionData]},
	} {
		if s.body != nil {
			out = append(out, s.id)
			out = append(uvarint(out, uint64(len(s.body))), s.body...)
		}
	}
	for _, s := range m.Sections {
		if s.ID == module.SectionCustom && s.Name == abi.ManifestSection {
			out = append(out, s.Raw...)
		}
	}
	if len(out) > w.o.Bytes {
		return nil, w.tooLarge(len(out))
	}
	return out, nil
}

// rewriter rewrites one module.
type rewriter struct {
	m           *module.Module
	o           Options
	fuel, depth uint32   // indices of the new globals
	newTypes    []string // results of the types that are added: none of them has parameters
}

func (w *rewriter) tooLarge(bytes int) error {
	return &module.Refusal{Code: module.CodeLimit, Function: -1, Message: fmt.Sprintf(
		"the module would have %d bytes or more with the instructions that count its fuel, the limit is %d: it has too many branches; leave out code that is not used", bytes, w.o.Bytes)}
}

// longer returns a section's content with more items: those in the tail behind the ones it has.
func longer(body []byte, more int, tail []byte) []byte {
	if more == 0 {
		return body
	}
	n, size := abi.Uvarint32(body)
	out := uvarint(make([]byte, 0, len(body)+len(tail)+5), uint64(n)+uint64(more))
	return append(append(out, body[size:]...), tail...)
}

func (w *rewriter) types(body []byte) []byte {
	var tail []byte
	for _, results := range w.newTypes {
		tail = append(tail, 0x60, 0)
		tail = append(uvarint(tail, uint64(len(results))), results...)
	}
	return longer(body, len(w.newTypes), tail)
}

// blockType appends the type of a block with these results.
func (w *rewriter) blockType(dst []byte, results string) []byte {
	switch len(results) {
	case 0:
		return append(dst, 0x40)
	case 1:
		return append(dst, results[0])
	}
	for i, t := range w.m.Types {
		if t.Params == "" && t.Results == results {
			return varint(dst, int64(i))
		}
	}
	for i, known := range w.newTypes {
		if known == results {
			return varint(dst, int64(len(w.m.Types)+i))
		}
	}
	w.newTypes = append(w.newTypes, results)
	return varint(dst, int64(len(w.m.Types)+len(w.newTypes)-1))
}

// capped returns the limits of a table or memory with a maximum of at most most.
func capped(dst []byte, r *module.Range, most uint32) []byte {
	if r.HasMax {
		most = min(most, r.Max)
	}
	dst = uvarint(append(dst, 1), uint64(r.Min))
	return uvarint(dst, uint64(max(most, r.Min)))
}

func (w *rewriter) table() []byte {
	if w.m.Table == nil {
		return nil
	}
	return capped([]byte{1, 0x70}, w.m.Table, w.o.TableEntries)
}

func (w *rewriter) memory() []byte {
	if w.m.Memory == nil {
		return nil
	}
	return capped([]byte{1}, w.m.Memory, w.o.MemoryPages)
}

func (w *rewriter) globals(body []byte) []byte {
	const mutable = 1
	return longer(orEmpty(body), 2, []byte{
		module.I64, mutable, byte(module.I64Const), 0, byte(module.End),
		module.I32, mutable, byte(module.I32Const), 0, byte(module.End),
	})
}

func (w *rewriter) exports(body []byte) []byte {
	var tail []byte
	for _, e := range []struct {
		name  string
		index uint32
	}{{FuelGlobal, w.fuel}, {DepthGlobal, w.depth}} {
		tail = append(uvarint(tail, uint64(len(e.name))), e.name...)
		tail = uvarint(append(tail, module.ExternGlobal), uint64(e.index))
	}
	return longer(orEmpty(body), 2, tail)
}

// orEmpty returns a section's content, that of an empty one if it is not there.
func orEmpty(body []byte) []byte {
	if body == nil {
		return []byte{0}
	}
	return body
}

// uvarint appends an unsigned LEB128 number.
func uvarint(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

// varint appends a signed LEB128 number.
func varint(dst []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(dst, c)
		}
		dst = append(dst, c|0x80)
	}
}
