package module

import (
	"errors"
	"fmt"

	"github.com/venued/venued/abi"
)

func (m *Module) readCode(r *reader) {
	n := r.count("bodies")
	if n != len(m.Functions) {
		r.fail(malformed("%d functions have a type, %d have a body", len(m.Functions), n))
		return
	}
	c := checker{m: m}
	for i := range m.Functions {
		size := r.u32()
		if r.err == nil && uint64(size) > uint64(m.limits.BodyBytes) {
			r.fail(m.blame(i, refuse(CodeLimit, "has %s bytes of code, the limit is %s%s: split it into smaller functions", number(uint64(size)), number(uint64(m.limits.BodyBytes)), m.limits.class())))
		}
		body := r.take(size)
		if r.err != nil {
			return
		}
		if err := c.check(&m.Functions[i], body); err != nil {
			r.fail(m.blame(i, err))
			return
		}
	}
}

// blame names the function in an error about it. i counts from the first function with a body.
func (m *Module) blame(i int, err error) error {
	index := len(m.Imports) + i
	who := fmt.Sprintf("function %d", index)
	if name := m.FunctionName(uint32(index)); name != "" {
		who += fmt.Sprintf(" (%q)", name)
	}
	out := &Refusal{Code: CodeMalformed, Function: index, Message: who + " is damaged: " + err.Error()}
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Code != CodeMalformed {
		out.Code, out.Message = refusal.Code, who+" "+refusal.Message
	}
	return out
}

// FunctionName returns the name that the name section or else an export gives a function, "" for none. It reads the
// section anew: it is for messages.
func (m *Module) FunctionName(index uint32) string {
	for _, s := range m.Sections {
		if s.ID == SectionCustom && s.Name == "name" {
			if name := nameIn(s, index); name != "" {
				return name
			}
		}
	}
	for _, e := range m.Exports {
		if e.Kind == ExternFunction && e.Index == index {
			return e.Name
		}
	}
	return ""
}

// nameIn looks a function up in a name section. Nothing else depends on that section, so that what is damaged only
// ends the search.
func nameIn(s abi.Section, index uint32) string {
	const functionNames, longest = 1, 100
	r := &reader{b: s.Body, what: "the name section"}
	for r.err == nil && r.left() > 0 {
		kind := r.byte()
		sub := &reader{b: r.take(r.u32()), what: r.what}
		if kind != functionNames {
			continue
		}
		for n := sub.count("names"); n > 0 && sub.err == nil; n-- {
			at := sub.u32()
			name := sub.take(sub.u32())
			if sub.err == nil && at == index {
				return string(name[:min(len(name), longest)])
			}
		}
	}
	return ""
}

// checker checks bodies. It keeps its control stack from one to the next.
type checker struct {
	m      *Module
	frames []frame
	height int // values on the operand stack
	most   int // the largest height so far
	fn     *Function
}

// frame is an open block.
type frame struct {
	op   Op // Block, Loop, If, Else
	typ  Type
	base int  // height below its parameters
	dead bool // behind a branch that is always taken: the operands are whatever is needed
}

// check reads a body: its locals and every instruction.
func (c *checker) check(fn *Function, body []byte) error {
	m, l := c.m, &c.m.limits
	typ := m.Types[fn.Type]
	r := reader{b: body, what: "its body"}
	fn.Runs = r.count("declarations of locals")
	start, locals := r.at, uint64(len(typ.Params))
	for i := 0; i < fn.Runs && r.err == nil; i++ {
		locals += uint64(r.u32())
		r.valueType()
		if locals > uint64(l.Locals) {
			return refuse(CodeLimit, "has %s locals, the limit is %s: split it into smaller functions", number(locals), number(uint64(l.Locals)))
		}
	}
	if r.err != nil {
		return r.err
	}
	if m.localsTotal += int(locals); m.localsTotal > l.LocalsTotal {
		return refuse(CodeLimit, "brings the locals of all functions to %s, the limit is %s%s: make functions smaller", number(uint64(m.localsTotal)), number(uint64(l.LocalsTotal)), l.class())
	}
	fn.NumLocals, fn.Locals, fn.Code = int(locals), body[start:r.at], body[r.at:]
	c.fn, c.height, c.most = fn, 0, 0
	c.frames = append(c.frames[:0], frame{op: Block, typ: Type{Results: typ.Results}})
	d := NewDecoder(fn.Code)
	var ins Instruction
	for len(c.frames) > 0 {
		if !d.Next(&ins) {
			if d.Err() != nil {
				return d.Err()
			}
			return malformed("it ends inside of a block")
		}
		fn.Instructions++
		if err := c.step(&ins); err != nil {
			return err
		}
	}
	if ins.End != len(fn.Code) {
		return malformed("%d bytes follow its end", len(fn.Code)-ins.End)
	}
	fn.Operands = c.most
	if fn.Operands > l.Operands {
		return refuse(CodeLimit, "has %s values on its operand stack at one time, the limit is %s: split its expressions", number(uint64(fn.Operands)), number(uint64(l.Operands)))
	}
	return nil
}

// pop takes values off the operand stack.
func (c *checker) pop(n int) error {
	f := &c.frames[len(c.frames)-1]
	if c.height -= n; c.height < f.base {
		if !f.dead {
			return malformed("an instruction takes a value from the operand stack that is not there")
		}
		c.height = f.base
	}
	return nil
}

func (c *checker) push(n int) {
	c.height += n
	c.most = max(c.most, c.height)
}

// dead says that what follows in this block is never reached.
func (c *checker) dead() {
	f := &c.frames[len(c.frames)-1]
	f.dead, c.height = true, f.base
}

// step checks one instruction and follows the height of the operand stack.
func (c *checker) step(ins *Instruction) error {
	info := ins.Op.info()
	if err := c.pop(int(info.pop)); err != nil {
		return err
	}
	if err := c.checkIndex(ins, info); err != nil {
		return err
	}
	switch ins.Op {
	case Block, Loop, If:
		c.fn.Joins++
		return c.open(ins)
	case Else:
		f := &c.frames[len(c.frames)-1]
		if f.op != If {
			return malformed("there is an else without an if")
		}
		f.op, f.dead, c.height = Else, false, f.base
		c.push(len(f.typ.Params))
	case End:
		f := c.frames[len(c.frames)-1]
		c.frames = c.frames[:len(c.frames)-1]
		c.height = f.base
		c.push(len(f.typ.Results))
	case Br, BrTable, Return, Unreachable:
		c.dead()
	case Call:
		c.fn.Calls = c.fn.Calls || int(ins.Index) >= len(c.m.Imports)
		return c.call(c.m.TypeOf(ins.Index))
	case CallIndirect:
		c.fn.Calls = true
		return c.call(c.m.Types[ins.Index])
	default:
		c.push(int(info.push))
		if info.push > 0 && info.imm != LocalIndex && (ins.Op < I32Const || ins.Op > F64Const) {
			c.fn.Values++
		}
	}
	return nil
}

func (c *checker) call(t Type) error {
	if err := c.pop(len(t.Params)); err != nil {
		return err
	}
	c.push(len(t.Results))
	c.fn.Values += len(t.Results)
	return nil
}

// open begins a block.
func (c *checker) open(ins *Instruction) error {
	if len(c.frames) > c.m.limits.Nesting {
		return refuse(CodeLimit, "nests blocks, loops and ifs %d deep or deeper, the limit is %d%s: split it into smaller functions", len(c.frames), c.m.limits.Nesting, c.m.limits.class())
	}
	t := c.m.BlockType(ins)
	if err := c.pop(len(t.Params)); err != nil {
		return err
	}
	c.frames = append(c.frames, frame{op: ins.Op, typ: t, base: c.height})
	c.push(len(t.Params))
	return nil
}

// checkIndex checks that what an instruction names is there in the module itself.
func (c *checker) checkIndex(ins *Instruction, info *opInfo) error {
	m := c.m
	n, what := 0, ""
	switch info.imm {
	case Label:
		n, what = len(c.frames), "block"
	case LabelTable:
		n, what = len(c.frames), "block"
		if err := c.countTargets(ins.Targets); err != nil {
			return err
		}
	case BlockType:
		if ins.Block != blockIndexed {
			return nil
		}
		n, what = len(m.Types), "type"
	case FuncIndex:
		n, what = len(m.Imports)+len(m.Functions), "function"
	case TypeAndTable:
		if int64(ins.Index2) >= int64(one(m.Table)) {
			return malformed("%s names table %d, there are %d", ins.Op, ins.Index2, one(m.Table))
		}
		n, what = len(m.Types), "type"
	case LocalIndex:
		n, what = c.fn.NumLocals, "local"
	case GlobalIndex:
		n, what = len(m.Globals), "global"
	case MemArg, MemIndex, TwoMemories, DataAndMem:
		if m.Memory == nil {
			return malformed("%s needs a memory, there is none", ins.Op)
		}
		if info.imm != DataAndMem {
			return nil
		}
		n, what = max(m.dataCount, 0), "data segment"
	case DataIndex:
		n, what = max(m.dataCount, 0), "data segment"
	case ElemAndTable:
		if int64(ins.Index2) >= int64(one(m.Table)) {
			return malformed("%s names table %d, there are %d", ins.Op, ins.Index2, one(m.Table))
		}
		n, what = m.ElementSegments, "element segment"
	case ElemIndex:
		n, what = m.ElementSegments, "element segment"
	case TwoTables:
		ins.Index = max(ins.Index, ins.Index2)
		n, what = one(m.Table), "table"
	default:
		return nil
	}
	if uint64(ins.Index) >= uint64(n) {
		return malformed("%s names %s %s, there are %s", ins.Op, what, number(uint64(ins.Index)), number(uint64(n)))
	}
	return nil
}

// countTargets counts the targets of a br_table against the limits.
func (c *checker) countTargets(n int) error {
	l := &c.m.limits
	if n > l.BranchTable {
		return refuse(CodeLimit, "has a br_table (a switch) of %s targets, the limit is %s: look the case up in a table of data", number(uint64(n)), number(uint64(l.BranchTable)))
	}
	if c.m.branches += n; c.m.branches > l.BranchTables {
		return refuse(CodeLimit, "brings the targets of all br_tables (switches) to %s, the limit is %s%s: use smaller ones", number(uint64(c.m.branches)), number(uint64(l.BranchTables)), l.class())
	}
	return nil
}
