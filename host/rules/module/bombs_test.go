package module_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/venued/venued/host/rules/module"
	. "github.com/venued/venued/host/rules/module/wasmtest"
)

// body returns a module with one exported function, "boom", of type () -> (), with what its code may name.
func body(code ...[]byte) *Module {
	return &Module{
		Memory: &Range{Min: 1}, Table: &Range{Min: 2}, Elements: []uint32{0}, Passive: []uint32{0},
		Globals: []Global{{Type: I32, Init: ConstI32(0)}}, Data: []Data{{Passive: true, Bytes: []byte("abc")}},
		Funcs: []Func{{Export: "boom", Locals: I32, Body: Cat(code...)}},
	}
}

// raw returns a module with one section's content replaced.
func raw(id byte, content ...[]byte) *Module {
	m := body()
	m.Raw = map[byte][]byte{id: Cat(content...)}
	return m
}

func times(n int, code ...byte) []byte { return bytes.Repeat(code, n) }

func with(m *Module, change func(*Module)) *Module {
	change(m)
	return m
}

// A code section with one function of that content.
func code(content ...[]byte) []byte { return Vec(Bytes(Cat(content...))) }

const many = 100_000

var lie = U(math.MaxUint32)

// bombs are modules that hurt a compiler, or that a plugin may not be, and what the refusal says.
var bombs = map[string]struct {
	m     *Module
	code  module.Code
	words string
}{
	// Counts that lie.
	"types that are not there":      {raw(1, lie), module.CodeMalformed, "the type section says that it has 4,294,967,295 types, but only 0 bytes follow"},
	"parameters that are not there": {raw(1, []byte{1, 0x60}, lie), module.CodeMalformed, "value types, but only"},
	"imports that are not there":    {raw(2, lie), module.CodeMalformed, "4,294,967,295 imports"},
	"functions that are not there":  {raw(3, lie), module.CodeMalformed, "4,294,967,295 functions"},
	"globals that are not there":    {raw(6, lie), module.CodeMalformed, "4,294,967,295 globals"},
	"exports that are not there":    {raw(7, lie), module.CodeMalformed, "4,294,967,295 exports"},
	"segments that are not there":   {raw(9, lie), module.CodeMalformed, "4,294,967,295 segments"},
	"elements that are not there":   {raw(9, []byte{1, 0, 0x41, 0, 0x0b}, lie), module.CodeMalformed, "4,294,967,295 functions"},
	"bodies that are not there":     {raw(10, lie), module.CodeMalformed, "4,294,967,295 bodies"},
	"a body that is not there":      {raw(10, []byte{1}, U(200_000)), module.CodeMalformed, "200,000 bytes follow"},
	"locals that are not there":     {raw(10, code(lie)), module.CodeMalformed, "declarations of locals"},
	"targets that are not there":    {body(ConstI32(0), []byte{0x0e}, lie), module.CodeMalformed, "targets of a br_table"},
	"data that is not there":        {raw(11, []byte{1, 1}, U(100_000)), module.CodeMalformed, "100,000 bytes follow"},
	"a name that is not there":      {raw(7, []byte{1}, U(200)), module.CodeMalformed, "200 bytes follow"},
	"data counted elsewhere":        {raw(12, U(2_000)), module.CodeMalformed, "2,000 segments, the data section has 1"},

	// Quantities.
	"50,000 locals":       {raw(10, code([]byte{1}, U(50_000), []byte{0x7f, 0x0b})), module.CodeLimit, `function 0 ("boom") has 50,000 locals, the limit is 1,000: split it`},
	"4 billion locals":    {raw(10, code([]byte{1}, lie, []byte{0x7f, 0x0b})), module.CodeLimit, "4,294,967,295 locals"},
	"locals that wrap":    {raw(10, code([]byte{2, 1, 0x7f}, lie, []byte{0x7f, 0x0b})), module.CodeLimit, "4,294,967,296 locals"},
	"locals in all":       {with(body(), func(m *Module) { fill(m, 60, Func{Locals: strings.Repeat(I32, 900)}) }), module.CodeLimit, "brings the locals of all functions to 50,401"},
	"blocks":              {body(times(many/2, 0x02, 0x40)), module.CodeLimit, "nests blocks, loops and ifs 201 deep or deeper, the limit is 200 for a small plugin"},
	"loops":               {body(times(many/2, 0x03, 0x40)), module.CodeLimit, "nests blocks"},
	"ifs":                 {body(times(many/4, 0x41, 0, 0x04, 0x40)), module.CodeLimit, "nests blocks"},
	"a br_table":          {body(ConstI32(0), []byte{0x0e}, U(many), times(many+1, 0)), module.CodeLimit, "has a br_table (a switch) of 100,000 targets, the limit is 4,096"},
	"br_tables":           {body(bytes.Repeat(Cat([]byte{0x02, 0x40}, ConstI32(0), []byte{0x0e}, U(4000), times(4001, 0), []byte{0x0b}), 9)), module.CodeLimit, "brings the targets of all br_tables (switches) to 36,000"},
	"functions":           {with(body(), func(m *Module) { fill(m, 2001, Func{}) }), module.CodeLimit, "the module has 2,002 functions, the limit is 2,000"},
	"a long body":         {body(times(256<<10, 0x01)), module.CodeLimit, `function 0 ("boom") has 262,148 bytes of code, the limit is 262,144`},
	"operands":            {body(times(2000, 0x41, 0), times(2000, 0x1a)), module.CodeLimit, "has 2,000 values on its operand stack at one time, the limit is 1,000"},
	"types":               {raw(1, U(501), bytes.Repeat([]byte{0x60, 0, 0}, 501)), module.CodeLimit, "501 function types, the limit is 500"},
	"parameters":          {raw(1, []byte{1, 0x60}, Bytes(times(65, 0x7f)), []byte{0}), module.CodeLimit, "65 parameters or results, the limit is 64"},
	"results":             {raw(1, []byte{1, 0x60, 0}, Bytes(times(1000, 0x7f))), module.CodeLimit, "1,000 parameters or results"},
	"imports":             {raw(2, U(65), bytes.Repeat([]byte{1, 'a', 1, 'b', 0, 0}, 65)), module.CodeLimit, "65 imports, the limit is 64"},
	"globals":             {raw(6, U(501), bytes.Repeat([]byte{0x7f, 1, 0x41, 0, 0x0b}, 501)), module.CodeLimit, "501 globals, the limit is 500"},
	"exports":             {raw(7, U(1001), times(4004, 0)), module.CodeLimit, "1,001 exports, the limit is 1,000"},
	"a long name":         {raw(7, []byte{1}, Bytes(strings.Repeat("x", 300)), []byte{0, 0}), module.CodeLimit, "a name of 300 bytes, the limit is 256"},
	"a large table":       {with(body(), func(m *Module) { m.Table.Min = 10_001 }), module.CodeLimit, "table has 10,001 entries, the limit is 10,000"},
	"a huge table":        {with(body(), func(m *Module) { m.Table.Min = math.MaxUint32 }), module.CodeLimit, "4,294,967,295 entries"},
	"a large memory":      {with(body(), func(m *Module) { m.Memory.Min = 257 }), module.CodeLimit, "wants 16,842,752 bytes of memory to begin with, the limit is 16,777,216"},
	"element segments":    {raw(9, U(257), bytes.Repeat([]byte{1, 0, 0}, 257)), module.CodeLimit, "257 element segments, the limit is 256"},
	"elements":            {raw(9, []byte{1, 1, 0}, U(10_001), times(10_001, 0)), module.CodeLimit, "10,001 functions in element segments"},
	"data segments":       {with(raw(11, U(2001), times(4002, 1, 0)), func(m *Module) { m.Raw[12] = U(1) }), module.CodeLimit, "2,001 data segments, the limit is 2,000"},
	"data segments to be": {raw(12, U(many)), module.CodeLimit, "100,000 data segments"},
	"much data":           {with(body(), func(m *Module) { m.Data[0].Bytes = make([]byte, 4<<20+1) }), module.CodeLimit, "4,194,305 bytes of data, the limit is 4,194,304"},
	"debug information":   {with(body(), func(m *Module) { m.Customs = []Custom{{Name: ".debug_info", Content: make([]byte, 3<<20)}} }), module.CodeLimit, "3,145,728 bytes of custom sections"},
	"custom sections":     {with(body(), func(m *Module) { m.Customs = make([]Custom, 70) }), module.CodeLimit, "sections, the limit is 64"},
	"a long section name": {with(body(), func(m *Module) { m.Customs = []Custom{{Name: strings.Repeat("n", 257)}} }), module.CodeLimit, "custom section's name has 257 bytes"},

	// Features.
	"SIMD":               {body([]byte{0xfd, 12}, times(16, 0), []byte{0x1a}), module.CodeFeature, `function 0 ("boom") uses SIMD instructions; build without them`},
	"a SIMD local":       {raw(10, code([]byte{1, 1, 0x7b, 0x0b})), module.CodeFeature, "the type v128"},
	"a SIMD block":       {body([]byte{0x02, 0x7b}), module.CodeFeature, "SIMD"},
	"threads":            {body([]byte{0xfe, 0x03, 0}), module.CodeFeature, "uses threads (atomic instructions)"},
	"shared memory":      {raw(5, []byte{1, 3, 1, 1}), module.CodeFeature, "shared between threads"},
	"exceptions":         {body([]byte{0x06, 0x40}), module.CodeFeature, "uses exceptions"},
	"new exceptions":     {body([]byte{0x1f, 0x40, 0}), module.CodeFeature, "uses exceptions"},
	"tags":               {raw(13, []byte{1, 0, 0}), module.CodeFeature, "exceptions (it has tags)"},
	"tail calls":         {body([]byte{0x12, 0}), module.CodeFeature, "uses tail calls"},
	"calls of refs":      {body([]byte{0x14, 0}), module.CodeFeature, "typed function references"},
	"memory64":           {raw(5, []byte{1, 4, 1}), module.CodeFeature, "64-bit addresses (memory64)"},
	"two memories":       {raw(5, []byte{2, 0, 1, 0, 1}), module.CodeFeature, "has 2 memories"},
	"another memory":     {body(ConstI32(0), []byte{0x28, 0x42, 1, 0, 0x1a}), module.CodeFeature, "several memories (i32.load)"},
	"another to copy":    {body(ConstI32(0), ConstI32(0), ConstI32(0), []byte{0xfc, 10, 0, 1}), module.CodeFeature, "several memories"},
	"two tables":         {raw(4, []byte{2, 0x70, 0, 1, 0x70, 0, 1}), module.CodeFeature, "has 2 tables"},
	"a table of objects": {raw(4, []byte{1, 0x6f, 0, 1}), module.CodeFeature, "holds something else than functions"},
	"table.grow":         {body([]byte{0xfc, 15, 0}), module.CodeFeature, "reference types (table.get, table.set, table.grow"},
	"table.get":          {body([]byte{0x25, 0}), module.CodeFeature, "reference types"},
	"ref.null":           {body([]byte{0xd0, 0x70}), module.CodeFeature, "reference types"},
	"a typed select":     {body([]byte{0x1c, 1, 0x7f}), module.CodeFeature, "reference types"},
	"a reference":        {raw(6, []byte{1, 0x70, 0, 0xd0, 0x70, 0x0b}), module.CodeFeature, "uses references as values"},
	"expressions":        {raw(9, []byte{1, 4, 0x41, 0, 0x0b, 0}), module.CodeFeature, "element segment 0 holds expressions"},
	"structs":            {raw(1, []byte{1, 0x5f, 0}), module.CodeFeature, "garbage-collected types"},
	"struct.new":         {body([]byte{0xfb, 0, 0}), module.CodeFeature, "garbage-collected types"},
	"an unknown op":      {body([]byte{0x27}), module.CodeFeature, "uses the unknown instruction 0x27"},
	"an unknown long op": {body([]byte{0xfc, 30}), module.CodeFeature, "unknown instruction 0xfc 30"},
	"a start function":   {raw(8, []byte{0}), module.CodeFeature, "has a start function"},
	"computed data":      {raw(11, []byte{1, 0, 0x23, 0, 0x0b, 0}), module.CodeFeature, "computes an initial value or an address (global.get)"},
	"a sum for a global": {raw(6, []byte{1, 0x7f, 0, 0x41, 1, 0x41, 1, 0x6a, 0x0b}), module.CodeFeature, "with more than a constant"},
	"imported memory":    {raw(2, []byte{1, 1, 'e', 1, 'm', 2, 0, 1}), module.CodeFeature, `the module imports a memory, "m" from "e"`},
	"an imported global": {raw(2, []byte{1, 1, 'e', 1, 'g', 3, 0x7f, 1}), module.CodeFeature, "imports a global"},
	"a reserved name":    {with(body(), func(m *Module) { m.Exports = []Export{{Name: "venued.fuel", Kind: 3}} }), module.CodeReserved, `exports "venued.fuel": names that begin with "venued." are the host's`},

	// Indices behind the last.
	"a foreign global to set": {body(ConstI32(0), Op(0x24, 1)), module.CodeMalformed, "global.set names global 1, there are 1"},
	"a foreign global to get": {body(Op(0x23, 2), []byte{0x1a}), module.CodeMalformed, "global.get names global 2"},
	"a foreign local":         {body(Op(0x20, 1), []byte{0x1a}), module.CodeMalformed, "local.get names local 1, there are 1"},
	"a foreign function":      {body(Op(0x10, 1)), module.CodeMalformed, "call names function 1"},
	"a foreign type":          {body(ConstI32(0), []byte{0x11, 9, 0}), module.CodeMalformed, "call_indirect names type 9"},
	"a foreign block type":    {body([]byte{0x02, 9, 0x0b}), module.CodeMalformed, "block names type 9"},
	"a foreign table":         {body(ConstI32(0), []byte{0x11, 0, 1}), module.CodeMalformed, "call_indirect names table 1"},
	"a foreign label":         {body([]byte{0x0c, 1}), module.CodeMalformed, "br names block 1, there are 1"},
	"a foreign label in many": {body(ConstI32(0), []byte{0x0e, 2, 0, 7, 0}), module.CodeMalformed, "br_table names block 7"},
	"a foreign segment":       {body([]byte{0xfc, 9, 1}), module.CodeMalformed, "data.drop names data segment 1"},
	"a foreign element":       {body([]byte{0xfc, 13, 2}), module.CodeMalformed, "elem.drop names element segment 2"},
	"a foreign export":        {with(body(), func(m *Module) { m.Exports = []Export{{Name: "g", Kind: 3, Index: 1}} }), module.CodeMalformed, "names global 1"},
	"a foreign start":         {raw(9, []byte{1, 1, 0, 1, 1}), module.CodeMalformed, "names function 1"},
	"no memory":               {with(body(ConstI32(0), []byte{0x28, 0, 0, 0x1a}), func(m *Module) { m.Memory, m.Data = nil, nil }), module.CodeMalformed, "i32.load needs a memory"},

	// Damage.
	"a missing end":         {raw(10, code([]byte{0, 0x01})), module.CodeMalformed, "ends inside of a block"},
	"an end too many":       {body([]byte{0x0b}), module.CodeMalformed, "bytes follow its end"},
	"a missing operand":     {body([]byte{0x1a}), module.CodeMalformed, "takes a value from the operand stack that is not there"},
	"an else alone":         {body([]byte{0x05}), module.CodeMalformed, "an else without an if"},
	"two elses":             {body(ConstI32(0), []byte{0x04, 0x40, 0x05, 0x05, 0x0b}), module.CodeMalformed, "an else without an if"},
	"alignment":             {body(ConstI32(0), []byte{0x28, 3, 0, 0x1a}), module.CodeMalformed, "alignment of i32.load is 2^3"},
	"a number too long":     {body([]byte{0x20, 0x80, 0x80, 0x80, 0x80, 0x10, 0x1a}), module.CodeMalformed, "does not fit in 32 bits"},
	"a constant too long":   {body([]byte{0x41, 0xff, 0xff, 0xff, 0xff, 0x3f, 0x1a}), module.CodeMalformed, "does not fit in 32 bits"},
	"a block of type -9":    {body([]byte{0x02, 0x77, 0x0b}), module.CodeMalformed, "unknown type -9"},
	"a long form of a type": {body([]byte{0x02, 0xff, 0x7f, 0x0b}), module.CodeMalformed, "unknown type -1"},
	"a name of no text":     {raw(7, []byte{1, 1, 0xff, 0, 0}), module.CodeMalformed, "not UTF-8"},
	"two of one name":       {with(body(), func(m *Module) { m.Exports = []Export{{Name: "boom"}} }), module.CodeMalformed, `exports two things as "boom"`},
	"bytes behind a vector": {raw(3, []byte{1, 0, 0}), module.CodeMalformed, "the function section has 1 bytes too many"},
	"a body too few":        {raw(10, []byte{0}), module.CodeMalformed, "1 functions have a type, 0 have a body"},
	"a mutable what":        {raw(6, []byte{1, 0x7f, 2, 0x41, 0, 0x0b}), module.CodeMalformed, "neither constant nor mutable"},
	"a maximum below":       {raw(5, []byte{1, 1, 2, 1}), module.CodeMalformed, "maximum of 1 below its minimum of 2"},
	"an unknown type":       {raw(1, []byte{1, 0x60, 1, 0x11, 0}), module.CodeMalformed, "the unknown type 0x11"},
	"an unknown form":       {raw(1, []byte{1, 0x40}), module.CodeMalformed, "the unknown form 0x40"},
	"an unknown export":     {raw(7, []byte{1, 1, 'x', 9, 0}), module.CodeMalformed, "of the unknown kind 9"},
}

// fill adds functions.
func fill(m *Module, n int, f Func) {
	for range n {
		m.Funcs = append(m.Funcs, f)
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// allowance bounds what Parse may allocate for a module: an entry of a vector is at most that many times as large as its bytes.
func allowance(wasm []byte) uint64 { return 64<<10 + 64*uint64(len(wasm)) }

func TestBombsAreRefused(t *testing.T) {
	for name, c := range bombs {
		t.Run(name, func(t *testing.T) {
			wasm := c.m.Encode()
			var err error
			bytes := allocated(func() { _, err = module.Parse(wasm, module.Small()) })
			var refusal *module.Refusal
			if !errors.As(err, &refusal) {
				t.Fatalf("it passed: %v", err)
			}
			if refusal.Code != c.code || !strings.Contains(refusal.Message, c.words) {
				t.Errorf("code %s: %s\nwant code %s with %q", refusal.Code, refusal.Message, c.code, c.words)
			}
			if bytes > allowance(wasm) {
				t.Errorf("refusing %d bytes took %d bytes of memory", len(wasm), bytes)
			}
		})
	}
}

func TestSectionsOutOfPlace(t *testing.T) {
	head := []byte("\x00asm\x01\x00\x00\x00")
	types := []byte{1, 1, 0}
	for name, c := range map[string]struct {
		wasm  []byte
		words string
	}{
		"nothing":            {nil, "not a WebAssembly module"},
		"text":               {[]byte("(module)"), "not a WebAssembly module"},
		"a component":        {[]byte("\x00asm\x0d\x00\x01\x00"), "not a component"},
		"one twice":          {Cat(head, types, types), "the type section stands twice or in the wrong place"},
		"in another order":   {Cat(head, []byte{3, 1, 0}, types), "the type section stands twice or in the wrong place"},
		"an unknown one":     {Cat(head, []byte{14, 0}), "a section of the unknown kind 14"},
		"a function without": {Cat(head, []byte{1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0}), "function 0 has a type, but no body"},
		"a size too large":   {Cat(head, []byte{1, 9, 0}), "reach past the end"},
		"too large":          {make([]byte, 8<<20+1), "the module has 8,388,609 bytes, the limit is 8,388,608"},
	} {
		if _, err := module.Parse(c.wasm, module.Small()); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v, want %q", name, err, c.words)
		}
	}
}
