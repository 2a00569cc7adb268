// Package module reads WebAssembly modules of rule plugins before anything else does, and refuses what could hurt
// its host.
//
// # Model
//
//	Parse(bytes, limits) -> Module    every section and every instruction, once, front to back
//	Decoder                           the instructions of one body, for those who rewrite them
//
// A compiler's time and memory are not linear in what it is given: a count that lies makes it
// allocate gigabytes, a hundred kilobytes of nested blocks keep it busy for minutes. So Parse bounds
// each quantity that a compiler is known to be sensitive to (see Limits), believes no count before
// the bytes for it are there, and allocates no more than a small multiple of the module.
//
// # What it takes
//
// Version 1 of the binary format with sign extension, saturating conversions, mutable globals,
// multiple results and bulk memory operations: what compilers for C, Rust, AssemblyScript and Go
// emit. SIMD, threads, exceptions, tail calls, garbage collection, 64-bit or several memories, and reference
// types are refused by name, and so is a start function.
//
// # What it does not do
//
// It does not check types: whoever compiles the module does that. But every index that an
// instruction names (local, global, function, type, label, table, segment) is checked
// against what the module itself has, so that a rewriter may add things behind the last
// of each without giving the module a way to name them. And its reading is strict where that of others
// is lenient, so that no two readers can see different instructions in one body.
//
// Errors are *Refusal: a code for programs and a sentence for the plugin's author.
package module
