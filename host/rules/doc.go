// Package rules runs rule plugins: WebAssembly modules that decide, by the contract of
// package abi, what a region does.
//
// # Model
//
//	Engine    one a process: the wasm runtime, the host's calls, the cache of compiled code
//	Plugin    one a rule of the venue: a checked, compiled module and the rule's settings
//	Instance  one a rule and region: guest memory; implements the region's Rule interface
//
// The host owns the state, the guest only computes. So an instance is expendable: after
// any failed call it is thrown away and made anew, with the same init batch, at the next
// call. Only when making one fails does it wait, by a growing number of calls
// up to 64, since a call is the only measure of time here.
//
// What a guest sees is a function of its batch and the state: time is the
// batch's, random numbers come from the batch's seed, and WASI (for guests in Go) is
// a stub without files, arguments, environment or network whose clock stands at the
// batch's time and moves only when the guest sleeps.
//
// # Limits
//
// Before a module is compiled its size, sections, imports, exports, memory and tables are
// checked and anything unknown is refused by name. Tables get a maximum, memory is capped when it grows. A call
// ends at its deadline, and the calls of a tick end when they took twice as long together: Go cannot preempt compiled wasm, so the compiler plants a check into
// every loop and call that ends the guest once the deadline passed. Output is bounded, copied, and
// decoded with distrust; log lines are escaped and held to a budget.
//
// # Trust
//
// That is not yet a sandbox for hostile modules: a deadline is wall time, so where it strikes
// differs between machines; deep recursion takes host stack outside the memory limit; and
// compiling a hostile module can take gigabytes and minutes. Until modules are metered and
// compiled in a process of their own, run only plugins you trust.
//
// # Duties of the caller
//
// One goroutine at a time calls an Instance; different instances are independent. Close
// instances before their Plugin and plugins before the Engine. Safeguard the cache folder: what
// lies in it is executed.
package rules
