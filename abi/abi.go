// Package abi is the contract between a venue's host and its rule plugins,
// version 1: records, kinds, scopes, error numbers and limits. It imports nothing
// of ours but lattice units by value, and knows no wasm engine.
//
// # Model
//
// A plugin is a WebAssembly module. Each tick in which something concerns it,
// the host writes one batch into the plugin's memory, calls venued_tick once, and
// copies one list of commands back:
//
//	batch    = Header, Events (fixed size each), Rows (fixed size each), data bytes
//	commands = CommandHeader, Commands (fixed size each), data bytes
//
// All numbers are little-endian. Positions are int32 lattice steps of 2^-10 m in venue
// coordinates, y up. Times are microseconds on the server's timeline.
// Records grow only at their tail; each header carries the record sizes, so that
// an old guest skips what it does not know and a new host reads what an
// old guest sends. A guest skips event kinds it does not know.
//
// # Exports of a plugin
//
//	memory
//	venued_abi_1                          marker, never called
//	_initialize                           if the language needs it
//	venued_alloc(n i32) -> ptr i32        once, at start: the input buffer
//	venued_init(ptr, len i32) -> i32      0 or a fault; reads a settings batch
//	venued_tick(ptr, len i32) -> i64      ptr<<32 | len of the commands; 0 = none
//	venued_migrate(from i32) -> i32       optional: 0 or a fault; after venued_init, with state of another schema
//
// # Imports, module "venued1"
//
//	log(ptr, len i32)
//	kv_get(scope i32, subject i64, kptr, klen, vptr, vcap i32) -> i32
//	       length of the value (which may exceed vcap: then nothing was copied), or
//	       a negative KV* number
//	kv_put(scope i32, subject i64, kptr, klen, vptr, vlen i32) -> i32   0 or negative
//	kv_del(scope i32, subject i64, kptr, klen i32) -> i32               0 or negative
//	abort(ptr, len i32)                   ends the call with a message
//
// There is no state before the first batch: until venued_init returned, kv calls return KVScope.
//
// # Schema
//
// schema.json describes records, kinds, limits and calls once. From it come the constants and records of this package
// (schema_gen.go), the low-level bindings of the kits in sdk/rules and the tables of docs/rules.md.
//
// # Duties and trust
//
// A call is a transaction: its commands and state writes apply all together, or
// not at all when it traps, aborts, runs out of fuel, or returns anything the
// host refuses. The host keeps all state (kv); guest memory may be thrown away
// at any time. The same batch and state give the same commands on every machine.
package abi

//go:generate go run ./gen -root ..

// KV is the state that a call sees: the host's, with the writes of this call on top.
type KV interface {
	Get(scope Scope, subject uint64, key string) (value []byte, code int)
	Put(scope Scope, subject uint64, key string, value []byte) (code int)
	Del(scope Scope, subject uint64, key string) (code int)
}
