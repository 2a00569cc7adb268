// Package compile turns modules into machine code in a process of their own, and keeps the code in a folder from which hosts load it.
//
// # Model
//
//	host                               child
//	Folder.Load   not there, damaged
//	Compiler.Compile ---- module ----> Child: limits its own memory and CPU time, compiles,
//	                 <-- one line ----        puts entry and description into the folder
//	Folder.Load   verified, then mapped; never compiled
//
// A compiler's time and memory are not linear in what it is given, whatever is checked before: see package module. A child that takes
// too much is ended by the limits it set itself, by its parent after a while, or with its parent; and nothing of the host is lost with
// it. When that happens, a second child finds out which function was to blame.
//
// # The folder
//
//	<SHA-256 of the rewritten module>.json   description: entry, its size and SHA-256, what made it
//	wazero-VERSION-ARCH-OS/<key>             entry: the machine code, as wazero keeps it
//	compiling-*                              folders of running children
//
// The rewritten module depends on the original and on the version of the metering, the entry's key on wazero's version and the
// processor's features. So what another host made is not found, instead of run. Only children write to the folder. The host
// believes an entry when its description says so, to the bit: a damaged one is as good as none.
//
// # Trust
//
// Entries are executed. Whoever can write to the folder runs code in the host; descriptions guard against damage, not against
// them. So Open refuses a folder that others can write to or that is another user's, and files that are another user's do not count.
// Those who can write to the folders above it are trusted. The child is trusted as well: it contains what a module does to a compiler, not a module that has taken the compiler over.
package compile
