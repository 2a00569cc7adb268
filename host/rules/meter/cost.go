package meter

import "github.com/venued/venued/host/rules/module"

// Costs in units of fuel.
const (
	// CostImport is what a call of an imported function costs: about what crossing into the host and back takes.
	CostImport = 100
	// CostEntry is what beginning a function costs, beside its parameters and locals.
	CostEntry = 2

	costCall     = 3
	costIndirect = 6
	costTable    = 3
	costMemory   = 2
	costDivide   = 8
	costRoot     = 8
	costBulk     = 20
	costGrow     = 200

	// checkedCost is the cost from which a basic block asks whether there is fuel left; see function.
	checkedCost = 32
	// localsPerUnit is how many locals a function begins with for one unit: they are zeroed, and the frame grows.
	localsPerUnit = 16
	// bytesPerUnitLog says that a unit copies or fills 2^3 bytes.
	bytesPerUnitLog = 3
	// unitsPerPage is what a page of new memory costs: its bytes, as if they were copied.
	unitsPerPage = module.PageSize >> bytesPerUnitLog
)

// costs is the cost of the instructions with one-byte opcodes. Structure costs nothing, since it computes nothing;
// every way around a loop has a branch in it, which costs.
var costs = func() (c [256]uint8) {
	for i := range c {
		c[i] = 1
	}
	for _, op := range []module.Op{module.Nop, module.Block, module.Loop, module.Else, module.End, module.Drop, module.Unreachable} {
		c[op] = 0
	}
	for op := 0x28; op <= 0x3e; op++ { // loads and stores
		c[op] = costMemory
	}
	for _, first := range []int{0x6d, 0x7f} { // div_s, div_u, rem_s, rem_u of i32 and i64
		for op := first; op < first+4; op++ {
			c[op] = costDivide
		}
	}
	c[0x91], c[0x9f] = costRoot, costRoot     // sqrt
	c[0x95], c[0xa3] = costDivide, costDivide // div of floats
	c[module.BrTable], c[module.Call], c[module.CallIndirect] = costTable, costCall, costIndirect
	c[module.MemoryGrow] = costGrow
	return c
}()

// cost returns what an instruction costs, that which depends on an operand's value not counted.
func cost(ins *module.Instruction, imports int) int64 {
	switch {
	case ins.Op == module.Call && int(ins.Index) < imports:
		return CostImport
	case ins.Op < 0x100:
		return int64(costs[ins.Op])
	case ins.Op >= module.MemoryInit:
		return costBulk
	default:
		return 1 // saturating conversions
	}
}

// byLength says how an instruction is charged by the number on top of the operand stack: the smaller of it and most,
// times or shifted. No more than most is charged, as more than that fails anyway, and should fail in its own words.
type byLength struct {
	most  int32
	times int64 // 0: shift by bytesPerUnitLog
}

// lengths returns how an instruction is charged by its operand; false when it is not.
func lengths(op module.Op, maxBytes, maxEntries int32) (byLength, bool) {
	switch op {
	case module.MemoryGrow:
		return byLength{maxBytes / module.PageSize, unitsPerPage}, true
	case module.MemoryInit, module.MemoryCopy, module.MemoryFill:
		return byLength{maxBytes, 0}, true
	case module.TableInit, module.TableCopy:
		return byLength{maxEntries, 1}, true
	}
	return byLength{}, false
}

// weight returns what a function that calls others adds to the depth. Compilers give each value that outlives a call a place of its
// own in the frame, and may give each local another one for each block: a weight stands for a frame of
// some 8 KB at most.
func weight(fn *module.Function) int32 {
	const values, localsByJoins = 1024, 8192
	return int32(1 + fn.Values/values + fn.NumLocals*fn.Joins/localsByJoins)
}
