package module

// Instruction is one instruction as Decoder reads it. Which fields hold something depends on the
// kind of Op's Immediate.
type Instruction struct {
	Op         Op
	Start, End int // where it stands in the body
	Index      uint32
	Index2     uint32
	Targets    int    // of a br_table
	Block      byte   // how a block says its type; see Module.BlockType
	Value      uint64 // of a constant; signed ones are sign-extended
}

// How a block says its type; else it is a value type.
const (
	blockEmpty   = 0x40
	blockIndexed = 0x00
)

// Decoder reads the instructions of a body one after another. It believes nothing: what is no
// instruction that plugins may use ends it with an error.
type Decoder struct{ r reader }

// NewDecoder returns a decoder of the code of a function.
func NewDecoder(code []byte) *Decoder {
	return &Decoder{reader{b: code, what: "a function's body"}}
}

// Next reads an instruction into ins; false at the end of the body or at an error (see Err).
func (d *Decoder) Next(ins *Instruction) bool {
	r := &d.r
	if r.err != nil || r.at >= len(r.b) {
		return false
	}
	ins.Start = r.at
	first := r.byte()
	ins.Op = Op(first)
	info := &ops[first]
	if info.name == "" {
		var misc uint32
		if first == 0xfc {
			if misc = r.u32(); r.err == nil && misc < uint32(len(miscOps)) {
				info, ins.Op = &miscOps[misc], prefixMisc+Op(misc)
			}
		}
		if info.name == "" {
			d.refuse(first, misc)
			return false
		}
	}
	if info.imm != None {
		ins.read(r, info)
	}
	ins.End = r.at
	return r.err == nil
}

func (d *Decoder) refuse(first byte, misc uint32) {
	if f := feature(first, misc); f != "" {
		d.r.fail(refuse(CodeFeature, "uses %s", f))
		return
	}
	if first == 0xfc {
		d.r.fail(refuse(CodeFeature, "uses the unknown instruction 0xfc %d", misc))
		return
	}
	d.r.fail(refuse(CodeFeature, "uses the unknown instruction %#x", first))
}

// Err returns why Next ended before the end of the body, nil if it did not.
func (d *Decoder) Err() error { return d.r.err }

// read reads the immediates.
func (ins *Instruction) read(r *reader, info *opInfo) {
	switch info.imm {
	case BlockType:
		ins.readBlock(r)
	case Label, FuncIndex, LocalIndex, GlobalIndex, DataIndex, ElemIndex:
		ins.Index = r.u32()
	case LabelTable:
		ins.Targets = r.count("targets of a br_table")
		ins.Index = r.u32()
		for i := 0; i < ins.Targets && r.err == nil; i++ {
			ins.Index = max(ins.Index, r.u32())
		}
	case TypeAndTable, ElemAndTable, TwoTables:
		ins.Index = r.u32()
		ins.Index2 = r.u32()
	case MemArg:
		if align := r.u32(); align > uint32(info.align) {
			if align&^uint32(0x7f) == 0 && align&0x40 != 0 {
				r.fail(refuse(CodeFeature, "uses several memories (%s): a plugin has one", info.name))
				return
			}
			r.fail(malformed("the alignment of %s is 2^%d, above its size", info.name, align))
		}
		ins.Index2 = r.u32()
	case MemIndex:
		r.zero()
	case TwoMemories:
		r.zero()
		r.zero()
	case DataAndMem:
		ins.Index = r.u32()
		r.zero()
	case ConstI32:
		ins.Value = uint64(r.signed(32))
	case ConstI64:
		ins.Value = uint64(r.signed(64))
	case ConstF32:
		ins.Value = littleEndian(r.take(4))
	case ConstF64:
		ins.Value = littleEndian(r.take(8))
	}
}

func (ins *Instruction) readBlock(r *reader) {
	if r.at < len(r.b) {
		if c := r.b[r.at]; c == blockEmpty || c >= F64 && c <= I32 {
			r.at++
			ins.Block = c
			return
		}
	}
	switch v := r.signed(33); {
	case r.err != nil:
	case v >= 0:
		ins.Block, ins.Index = blockIndexed, uint32(v)
	case v == -5:
		r.fail(refuse(CodeFeature, "uses %s", feature(0xfd, 0)))
	case v == -16 || v == -17:
		r.fail(refuse(CodeFeature, "uses %s", feature(0xd0, 0)))
	default:
		r.fail(malformed("a block has the unknown type %d", v))
	}
}

func littleEndian(b []byte) (v uint64) {
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v
}
