// Package bolt is the embedded backend of package store: one bbolt file in the data
// folder.
//
// # Layout
//
//	venued/                    the one top bucket; everything below is sealed
//	  format                   version of this layout
//	  v:<venue>/               a bucket a venue
//	    meta                   start of time, next id block
//	    places/                partition, user -> place
//	    boards/                partition, board, user -> total
//	    names/                 name of a rule -> owner
//	    versions/              name, number -> version, JSON
//	    modules/               digest -> module
//	    assigned/              region, rule -> assignment, JSON
//	    r:<region>/
//	      head                 epoch, last tick, which snapshots there are
//	      log/                 tick -> record
//	      snap/                tick -> snapshot; the newest two
//
// # Durability
//
// Each successful call is one transaction with an fsync: it survives the process being
// killed, and a loss of power if the disk keeps what it acknowledged.
//
// # Integrity
//
// bbolt trusts its file: a flipped bit can make it panic, run for ever or return
// other people's bytes. So Open walks the whole page graph with bounds of its own before bbolt
// maps the file (checkPages), then reads every entry: each value carries a CRC-32C
// over its key and itself, each bucket a tally of its entries, so that a changed, moved,
// missing or additional entry is found. A damaged file is refused with store.ErrDamaged;
// only a damaged newest snapshot and damaged modules are tolerated, as package store says. Calls
// contain panics and memory faults of bbolt (a disk that fails under the map) and turn
// them into store.ErrDamaged, after which the store refuses everything.
//
// One case cannot be told from an interrupted commit, and is taken for one: damage to exactly the newer
// of the two meta pages loses the last transaction.
package bolt
