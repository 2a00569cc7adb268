package meter

import (
	"github.com/venued/venued/host/rules/module"
)

// Opcodes that only the rewriting emits.
const (
	opI32LtU    = 0x49
	opI32GtS    = 0x4a
	opI64LtS    = 0x53
	opF32Eq     = 0x5b
	opF64Eq     = 0x61
	opI32Add    = 0x6a
	opI32Sub    = 0x6b
	opI32Or     = 0x72
	opI64Sub    = 0x7d
	opI64Mul    = 0x7e
	opI64ShrU   = 0x88
	opI64Extend = 0xad // i64.extend_i32_u
)

// code returns the content of the code section; nil for a module without functions.
func (w *rewriter) code() ([]byte, error) {
	if len(w.m.Functions) == 0 {
		return nil, nil
	}
	out := uvarint(nil, uint64(len(w.m.Functions)))
	f := function{w: w}
	for i := range w.m.Functions {
		body := f.rewrite(&w.m.Functions[i])
		if out = append(uvarint(out, uint64(len(body))), body...); len(out) > w.o.Bytes {
			return nil, w.tooLarge(len(out))
		}
	}
	return out, nil
}

// function rewrites one function after another. What comes out is
//
//	block $stop                       branched to at the end of fuel or depth
//	    enter: depth, cost of the first basic block
//	    block $exit (results)         takes the place of the function's own label, so that
//	        ...                       the numbers of all labels stay; return becomes br $exit
//	    end
//	    leave: depth
//	    return
//	end
//	unreachable
//
// with the cost of each further basic block in front of it; the instructions of a basic block are collected, since its
// cost is known only at its end. Taking the cost off is cheap; asking whether anything is left is not, and happens only where a
// function or a loop begins, where a basic block costs checkedCost or more (which each call of the host does), in front
// of what is charged by its length, and where a function that calls others ends. Every way from one such place to the
// next leads forward through at most two functions, so that the fuel can fall below zero by no more than what they cost.
type function struct {
	w   *rewriter
	fn  *module.Function
	out []byte // the finished basic blocks
	buf []byte // result of rewrite

	block      []byte // the instructions of the basic block at hand
	blockCost  int64
	blockDepth uint32 // open blocks of the original where it began
	first      bool   // it is the function's first
	atLoop     bool   // it begins a loop
	frames     []frame

	// Scratch locals, made when needed: index + 1, 0 for not there.
	length, f32, f64 uint32
	locals           []byte // their declarations
	scratch          uint32 // number of them
}

// frame is an open block of the original; the function itself is the outermost.
type frame struct {
	op       module.Op
	targeted bool // something branches to its label
}

func (f *function) rewrite(fn *module.Function) []byte {
	f.fn, f.out, f.block, f.blockCost, f.blockDepth, f.first, f.atLoop = fn, f.out[:0], f.block[:0], 0, 0, true, false
	f.frames = append(f.frames[:0], frame{op: module.Block})
	f.length, f.f32, f.f64, f.locals, f.scratch = 0, 0, 0, f.locals[:0], 0
	f.blockCost = CostEntry + int64(fn.NumLocals/localsPerUnit)

	d := module.NewDecoder(fn.Code)
	var ins module.Instruction
	var nan byte // type of the float on top of the stack that may be a NaN of unknown bits; 0 for none
	for d.Next(&ins) && len(f.frames) > 0 {
		if nan != 0 && !absorbsNaN(ins.Op) {
			f.canonicalise(nan)
		}
		nan = makesNaN(ins.Op)
		f.step(&ins)
	}

	f.buf = uvarint(f.buf[:0], uint64(fn.Runs)+uint64(f.scratch))
	f.buf = append(append(f.buf, fn.Locals...), f.locals...)
	return append(f.buf, f.out...)
}

// step takes one instruction of the original.
func (f *function) step(ins *module.Instruction) {
	f.blockCost += cost(ins, f.w.m.NumImports())
	raw := f.fn.Code[ins.Start:ins.End]
	switch ins.Op {
	case module.Block:
		f.frames = append(f.frames, frame{op: ins.Op})
	case module.Loop, module.If:
		f.frames = append(f.frames, frame{op: ins.Op})
		f.block = append(f.block, raw...)
		f.cut()
		f.atLoop = ins.Op == module.Loop
		return
	case module.Else:
		f.block = append(f.block, raw...)
		f.cut()
		return
	case module.End:
		f.end()
		return
	case module.Br, module.BrIf:
		f.frames[f.top()-int(ins.Index)].targeted = true
		f.block = append(f.block, raw...)
		f.cut()
		return
	case module.BrTable:
		// Marking all in reach may cut a basic block that need not be, nothing else.
		for i := f.top() - int(ins.Index); i <= f.top(); i++ {
			f.frames[i].targeted = true
		}
		f.block = append(f.block, raw...)
		f.cut()
		return
	case module.Return:
		f.block = uvarint(append(f.block, byte(module.Br)), uint64(f.top()))
		f.cut()
		return
	default:
		if by, ok := lengths(ins.Op, int32(f.w.o.LargestMemory)*module.PageSize, int32(f.w.o.TableEntries)); ok {
			f.chargeLength(by)
		}
	}
	f.block = append(f.block, raw...)
}

// top returns the index of the innermost open block, which is the label that leads out of the function.
func (f *function) top() int { return len(f.frames) - 1 }

// end closes a block.
func (f *function) end() {
	closed := f.frames[f.top()]
	f.frames = f.frames[:f.top()]
	f.block = append(f.block, byte(module.End))
	switch {
	case len(f.frames) == 0:
		f.cut()
		f.leave()
	case closed.op == module.If || closed.op == module.Block && closed.targeted:
		// It is reached in several ways. The end of a loop, or of a block that nothing branches to, is reached
		// only from above.
		f.cut()
	}
}

// cut ends the basic block at hand: its cost goes in front of it.
func (f *function) cut() {
	switch {
	case f.first:
		f.enter()
	case f.blockCost > 0:
		f.out = f.w.charge(f.out, f.blockCost)
		if f.atLoop || f.blockCost >= checkedCost {
			f.out = f.w.stopBelowZero(f.out, f.blockDepth+1)
		}
	}
	f.out = append(f.out, f.block...)
	f.block, f.blockCost, f.first, f.atLoop = f.block[:0], 0, false, false
	f.blockDepth = uint32(max(f.top(), 0))
}

// charge appends instructions that take a cost off the fuel.
func (w *rewriter) charge(dst []byte, cost int64) []byte {
	dst = uvarint(append(dst, byte(module.GlobalGet)), uint64(w.fuel))
	dst = varint(append(dst, byte(module.I64Const)), cost)
	return uvarint(append(dst, opI64Sub, byte(module.GlobalSet)), uint64(w.fuel))
}

// belowZero appends instructions that say whether the fuel is below zero.
func (w *rewriter) belowZero(dst []byte) []byte {
	dst = uvarint(append(dst, byte(module.GlobalGet)), uint64(w.fuel))
	return append(dst, byte(module.I64Const), 0, opI64LtS)
}

// stopBelowZero appends instructions that branch to a label when the fuel is below zero.
func (w *rewriter) stopBelowZero(dst []byte, label uint32) []byte {
	return uvarint(append(w.belowZero(dst), byte(module.BrIf)), uint64(label))
}

// enter begins the function: its two blocks, its depth, its first cost.
func (f *function) enter() {
	f.out = append(f.out, byte(module.Block), 0x40)
	f.out = f.w.belowZero(f.w.charge(f.out, f.blockCost))
	if f.fn.Calls {
		f.out = f.addDepth(f.out, opI32Add)
		f.out = uvarint(append(f.out, byte(module.GlobalGet)), uint64(f.w.depth))
		f.out = varint(append(f.out, byte(module.I32Const)), int64(f.w.o.Depth))
		f.out = append(f.out, opI32GtS, opI32Or)
	}
	f.out = append(f.out, byte(module.BrIf), 0)
	f.out = f.w.blockType(append(f.out, byte(module.Block)), f.w.m.Types[f.fn.Type].Results)
}

// leave ends the function behind the end of its inner block.
func (f *function) leave() {
	if f.fn.Calls {
		f.out = f.addDepth(f.out, opI32Sub)
		f.out = f.w.stopBelowZero(f.out, 0)
	}
	f.out = append(f.out, byte(module.Return), byte(module.End), byte(module.Unreachable), byte(module.End))
}

// addDepth appends instructions that add the function's weight to the depth or subtract it.
func (f *function) addDepth(dst []byte, op byte) []byte {
	dst = uvarint(append(dst, byte(module.GlobalGet)), uint64(f.w.depth))
	dst = varint(append(dst, byte(module.I32Const)), int64(weight(f.fn)))
	return uvarint(append(dst, op, byte(module.GlobalSet)), uint64(f.w.depth))
}

// local returns the index of a scratch local, made at its first use.
func (f *function) local(slot *uint32, typ byte) uint64 {
	if *slot == 0 {
		*slot = uint32(f.fn.NumLocals) + f.scratch + 1
		f.scratch++
		f.locals = append(f.locals, 1, typ)
	}
	return uint64(*slot - 1)
}

// chargeLength charges by the number on top of the stack, which stays there.
func (f *function) chargeLength(by byLength) {
	n := f.local(&f.length, module.I32)
	b := uvarint(append(f.block, byte(module.LocalTee)), n)
	b = uvarint(append(b, byte(module.GlobalGet)), uint64(f.w.fuel))
	for range 2 { // the smaller of the two: for select, and for its condition
		b = uvarint(append(b, byte(module.LocalGet)), n)
		b = varint(append(b, byte(module.I32Const)), int64(by.most))
	}
	b = append(b, opI32LtU, byte(module.Select), opI64Extend, byte(module.I64Const))
	if by.times == 0 {
		b = append(b, bytesPerUnitLog, opI64ShrU)
	} else {
		b = append(varint(b, by.times), opI64Mul)
	}
	b = uvarint(append(b, opI64Sub, byte(module.GlobalSet)), uint64(f.w.fuel))
	f.block = f.w.stopBelowZero(b, uint32(f.top()+1))
}

// canonicalise replaces the float on top of the stack by the canonical NaN if it is one.
func (f *function) canonicalise(typ byte) {
	slot, constant, eq := &f.f64, []byte{byte(module.F64Const), 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, byte(opF64Eq)
	if typ == module.F32 {
		slot, constant, eq = &f.f32, []byte{byte(module.F32Const), 0, 0, 0xc0, 0x7f}, opF32Eq
	}
	v := f.local(slot, typ)
	b := uvarint(append(f.block, byte(module.LocalTee)), v)
	b = append(b, constant...)
	for range 2 {
		b = uvarint(append(b, byte(module.LocalGet)), v)
	}
	f.block = append(b, eq, byte(module.Select))
}

// makesNaN returns the type of an instruction's result if that may be a NaN whose bits the standard leaves open, else 0.
func makesNaN(op module.Op) byte {
	switch {
	case op >= 0x8d && op <= 0x97, op == 0xb6: // f32: ceil to max; demote
		return module.F32
	case op >= 0x9b && op <= 0xa5, op == 0xbb: // f64: ceil to max; promote
		return module.F64
	}
	return 0
}

// absorbsNaN tells whether an instruction that takes the float on top of the stack does the same for every NaN, but for the bits of a
// result that makesNaN knows of.
func absorbsNaN(op module.Op) bool {
	switch {
	case makesNaN(op) != 0, op == module.Drop:
		return true
	case op >= 0x5b && op <= 0x66: // comparisons
		return true
	case op >= 0xa8 && op <= 0xab, op >= 0xae && op <= 0xb1: // conversions to integers
		return true
	case op >= 0xfc00 && op <= 0xfc07: // and saturating ones
		return true
	}
	return false
}
