// Package meter rewrites WebAssembly modules so that they stop by themselves: after a count of instructions, and
// before their calls nest too deep.
//
// # Model
//
//	module.Parse -> Instrument -> a module that the compiler takes like any other
//
// The rewritten module has two more globals, behind its own, exported under names that no
// module may use itself:
//
//	venued.fuel   i64, mutable   what is left; the host sets it before each call
//	venued.depth  i32, mutable   how deep calls nest; the host sets it to 0 before each call
//
// At the start of each basic block the block's cost is taken off the fuel. Where a function or a loop begins, where a basic
// block is dear, and where a function that calls others ends, the module executes unreachable if the fuel is below zero. So it may
// fall below zero by what two functions cost without their loops, and a call that used no more than it was given is
// never stopped. A function that calls others adds its weight to the depth when it begins and takes it off
// when it returns; above the limit, the module executes unreachable too. After a call the two globals tell
// whether it was stopped (see Cause). There is no clock in any of it: the same module and input use
// the same fuel on every machine, compiled or interpreted.
//
// # What costs what
//
// One unit is about the time of a simple instruction; see costs. What takes time by its operand (bulk memory
// operations, memory.grow) is charged by it, before it runs. A call of the host costs CostImport whatever
// it does: the host takes more off the global when it copies much.
//
// A function's weight is 1, and more for one whose frame on the machine's stack may be large, since what the
// limit protects is that stack.
//
// # NaNs
//
// Which bits a NaN has that arithmetic makes is up to the machine. The rewritten module gives each the bits
// of the canonical one before a guest can look at them, so that nothing depends on the machine.
//
// # Duties of the caller
//
// Set both globals before every call; both are 0 at first, so that what is called without is stopped at once.
// Ask for the Cause after every call; throw the instance away after a trap. Keep Version in the key of whatever is cached, and
// still have a watchdog: what bounds the instructions does not bound a machine that hangs.
package meter
