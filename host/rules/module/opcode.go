package module

// Immediate says what follows an opcode.
type Immediate uint8

// Kinds of immediates. Each names the fields of Instruction that it fills.
const (
	None         Immediate = iota
	BlockType              // Block
	Label                  // Index: relative depth
	LabelTable             // Targets: number of labels, the default not counted; Index: the largest of all
	FuncIndex              // Index
	TypeAndTable           // Index: type; Index2: table
	LocalIndex             // Index
	GlobalIndex            // Index
	MemArg                 // Index2: offset; the alignment is only checked
	MemIndex               // a zero byte
	ConstI32               // Value
	ConstI64               // Value
	ConstF32               // Value: the bits
	ConstF64               // Value: the bits
	DataAndMem             // Index: data segment; a zero byte
	DataIndex              // Index: data segment
	TwoMemories            // two zero bytes
	ElemAndTable           // Index: element segment; Index2: table
	ElemIndex              // Index: element segment
	TwoTables              // Index, Index2: tables
)

// Op is an opcode. Those behind the prefix byte 0xFC are 0xFC00 + their number.
type Op uint16

// Opcodes that readers of this package treat one by one; the binary format has their names.
const (
	Unreachable  Op = 0x00
	Nop          Op = 0x01
	Block        Op = 0x02
	Loop         Op = 0x03
	If           Op = 0x04
	Else         Op = 0x05
	End          Op = 0x0b
	Br           Op = 0x0c
	BrIf         Op = 0x0d
	BrTable      Op = 0x0e
	Return       Op = 0x0f
	Call         Op = 0x10
	CallIndirect Op = 0x11
	Drop         Op = 0x1a
	Select       Op = 0x1b
	LocalGet     Op = 0x20
	LocalSet     Op = 0x21
	LocalTee     Op = 0x22
	GlobalGet    Op = 0x23
	GlobalSet    Op = 0x24
	MemorySize   Op = 0x3f
	MemoryGrow   Op = 0x40
	I32Const     Op = 0x41
	I64Const     Op = 0x42
	F32Const     Op = 0x43
	F64Const     Op = 0x44
	MemoryInit   Op = prefixMisc + 8
	MemoryCopy   Op = prefixMisc + 10
	MemoryFill   Op = prefixMisc + 11
	TableInit    Op = prefixMisc + 12
	TableCopy    Op = prefixMisc + 14
)

const prefixMisc = 0xfc00

// opInfo describes an opcode. The zero value is no opcode.
type opInfo struct {
	name      string
	imm       Immediate
	pop, push int8  // operands; those of control and calls depend on types
	align     uint8 // of a memory access: the largest allowed log2
}

var ops, miscOps = opTables()

// opTables lists the instructions in the order of the binary format.
func opTables() (ops [256]opInfo, misc [18]opInfo) {
	set := func(op int, name string, imm Immediate, pop, push int8) {
		ops[op] = opInfo{name: name, imm: imm, pop: pop, push: push}
	}
	run := func(first int, pop, push int8, names ...string) {
		for i, name := range names {
			set(first+i, name, None, pop, push)
		}
	}
	set(0x00, "unreachable", None, 0, 0)
	set(0x01, "nop", None, 0, 0)
	set(0x02, "block", BlockType, 0, 0)
	set(0x03, "loop", BlockType, 0, 0)
	set(0x04, "if", BlockType, 1, 0)
	set(0x05, "else", None, 0, 0)
	set(0x0b, "end", None, 0, 0)
	set(0x0c, "br", Label, 0, 0)
	set(0x0d, "br_if", Label, 1, 0)
	set(0x0e, "br_table", LabelTable, 1, 0)
	set(0x0f, "return", None, 0, 0)
	set(0x10, "call", FuncIndex, 0, 0)
	set(0x11, "call_indirect", TypeAndTable, 1, 0)
	set(0x1a, "drop", None, 1, 0)
	set(0x1b, "select", None, 3, 1)
	set(0x20, "local.get", LocalIndex, 0, 1)
	set(0x21, "local.set", LocalIndex, 1, 0)
	set(0x22, "local.tee", LocalIndex, 1, 1)
	set(0x23, "global.get", GlobalIndex, 0, 1)
	set(0x24, "global.set", GlobalIndex, 1, 0)
	memory := func(first int, pop, push int8, aligns string, names ...string) {
		for i, name := range names {
			ops[first+i] = opInfo{name: name, imm: MemArg, pop: pop, push: push, align: aligns[i] - '0'}
		}
	}
	memory(0x28, 1, 1, "23230011001122", "i32.load", "i64.load", "f32.load", "f64.load", "i32.load8_s", "i32.load8_u",
		"i32.load16_s", "i32.load16_u", "i64.load8_s", "i64.load8_u", "i64.load16_s", "i64.load16_u", "i64.load32_s", "i64.load32_u")
	memory(0x36, 2, 0, "232301012", "i32.store", "i64.store", "f32.store", "f64.store", "i32.store8", "i32.store16",
		"i64.store8", "i64.store16", "i64.store32")
	set(0x3f, "memory.size", MemIndex, 0, 1)
	set(0x40, "memory.grow", MemIndex, 1, 1)
	set(0x41, "i32.const", ConstI32, 0, 1)
	set(0x42, "i64.const", ConstI64, 0, 1)
	set(0x43, "f32.const", ConstF32, 0, 1)
	set(0x44, "f64.const", ConstF64, 0, 1)
	for i, typ := range []string{"i32", "i64"} {
		at := 0x45 + 11*i
		run(at, 1, 1, typ+".eqz")
		run(at+1, 2, 1, typ+".eq", typ+".ne", typ+".lt_s", typ+".lt_u", typ+".gt_s", typ+".gt_u", typ+".le_s", typ+".le_u", typ+".ge_s", typ+".ge_u")
		at = 0x67 + 18*i
		run(at, 1, 1, typ+".clz", typ+".ctz", typ+".popcnt")
		run(at+3, 2, 1, typ+".add", typ+".sub", typ+".mul", typ+".div_s", typ+".div_u", typ+".rem_s", typ+".rem_u",
			typ+".and", typ+".or", typ+".xor", typ+".shl", typ+".shr_s", typ+".shr_u", typ+".rotl", typ+".rotr")
	}
	for i, typ := range []string{"f32", "f64"} {
		run(0x5b+6*i, 2, 1, typ+".eq", typ+".ne", typ+".lt", typ+".gt", typ+".le", typ+".ge")
		at := 0x8b + 14*i
		run(at, 1, 1, typ+".abs", typ+".neg", typ+".ceil", typ+".floor", typ+".trunc", typ+".nearest", typ+".sqrt")
		run(at+7, 2, 1, typ+".add", typ+".sub", typ+".mul", typ+".div", typ+".min", typ+".max", typ+".copysign")
	}
	run(0xa7, 1, 1, "i32.wrap_i64", "i32.trunc_f32_s", "i32.trunc_f32_u", "i32.trunc_f64_s", "i32.trunc_f64_u",
		"i64.extend_i32_s", "i64.extend_i32_u", "i64.trunc_f32_s", "i64.trunc_f32_u", "i64.trunc_f64_s", "i64.trunc_f64_u",
		"f32.convert_i32_s", "f32.convert_i32_u", "f32.convert_i64_s", "f32.convert_i64_u", "f32.demote_f64",
		"f64.convert_i32_s", "f64.convert_i32_u", "f64.convert_i64_s", "f64.convert_i64_u", "f64.promote_f32",
		"i32.reinterpret_f32", "i64.reinterpret_f64", "f32.reinterpret_i32", "f64.reinterpret_i64",
		"i32.extend8_s", "i32.extend16_s", "i64.extend8_s", "i64.extend16_s", "i64.extend32_s")
	for i, name := range []string{"i32.trunc_sat_f32_s", "i32.trunc_sat_f32_u", "i32.trunc_sat_f64_s", "i32.trunc_sat_f64_u",
		"i64.trunc_sat_f32_s", "i64.trunc_sat_f32_u", "i64.trunc_sat_f64_s", "i64.trunc_sat_f64_u"} {
		misc[i] = opInfo{name: name, pop: 1, push: 1}
	}
	misc[8] = opInfo{name: "memory.init", imm: DataAndMem, pop: 3}
	misc[9] = opInfo{name: "data.drop", imm: DataIndex}
	misc[10] = opInfo{name: "memory.copy", imm: TwoMemories, pop: 3}
	misc[11] = opInfo{name: "memory.fill", imm: MemIndex, pop: 3}
	misc[12] = opInfo{name: "table.init", imm: ElemAndTable, pop: 3}
	misc[13] = opInfo{name: "elem.drop", imm: ElemIndex}
	misc[14] = opInfo{name: "table.copy", imm: TwoTables, pop: 3}
	return ops, misc
}

// info returns the description of an opcode, nil for none.
func (op Op) info() *opInfo {
	var i *opInfo
	switch {
	case op < 0x100:
		i = &ops[op]
	case op >= prefixMisc && int(op-prefixMisc) < len(miscOps):
		i = &miscOps[op-prefixMisc]
	default:
		return nil
	}
	if i.name == "" {
		return nil
	}
	return i
}

// String returns the instruction's name in the text format.
func (op Op) String() string {
	if i := op.info(); i != nil {
		return i.name
	}
	return "unknown instruction"
}

// Immediate returns what follows the opcode.
func (op Op) Immediate() Immediate {
	if i := op.info(); i != nil {
		return i.imm
	}
	return None
}

// feature names the feature of the standard that an unknown opcode belongs to, and what to build without.
func feature(first byte, misc uint32) string {
	switch {
	case first == 0xfd:
		return "SIMD instructions; build without them (no -msimd128 or +simd128)"
	case first == 0xfe:
		return "threads (atomic instructions); build for one thread (no -pthread or +atomics)"
	case first >= 0x06 && first <= 0x0a || first == 0x18 || first == 0x19 || first == 0x1f:
		return "exceptions; build without them (no -fwasm-exceptions)"
	case first == 0x12 || first == 0x13:
		return "tail calls; build without them (no -mtail-call or +tail-call)"
	case first == 0x14 || first == 0x15 || first >= 0xd3 && first <= 0xd6:
		return "typed function references; build without them"
	case first == 0x1c || first == 0x25 || first == 0x26 || first >= 0xd0 && first <= 0xd2 || first == 0xfc && misc >= 15 && misc <= 17:
		return "reference types (table.get, table.set, table.grow, ref.func and the like); build without them (no -mreference-types instructions in the code)"
	case first == 0xfb:
		return "garbage-collected types; build without them"
	}
	return ""
}
