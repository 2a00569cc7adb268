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
// Before a module is compiled all of it is read and bounded (package module), and anything unknown is refused by
// name; then it is rewritten so that it counts its fuel and how deep its calls nest, and stops by itself (package
// meter). It is compiled in a process of its own, whose time and memory have limits (package compile). So where a call ends is the same on every machine. What host functions copy is charged too. Tables get a
// maximum, memory is capped when it grows. Output is bounded, copied, and decoded with distrust; log lines are escaped and
// held to a budget. Once the calls of a tick used too much fuel together, no more are made in it.
//
// A watchdog looks at running calls: one that takes more than a second is logged and fails when it returns; one that takes more than ten
// ends the process, since nothing can interrupt it. It stops too when the whole process does, as
// while the garbage collector waits for such a call: whoever runs the process should look at its health as well.
//
// # Trust
//
// A running guest is contained: its time, stack, memory and output are bounded. So is compiling it, given Config.Compiler; without, it
// happens in this process, and only the bounds that package module puts on a module limit what it takes: it can still be many
// seconds and much memory. A fault in the compiler is a hole either way.
//
// # Duties of the caller
//
// One goroutine at a time calls an Instance; different instances are independent. Close
// instances before their Plugin and plugins before the Engine. Safeguard the cache folder: what
// lies in it is executed.
package rules
