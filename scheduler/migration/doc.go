// Package migration moves regions between nodes while people stand in them: the machines of the coordinator, the node that gives a region
// away, the node that takes it, and the gateways that send inputs there.
//
// # Model
//
// All machines are pure: they are told what came (Handle), that time passed (Tick) and what their driver did, and say what is to be done ([Out]).
// There is no clock, no I/O, no goroutine inside. A [Seat] is a region's place at one node, whether it is owned there or
// not; a [Coordinator] carries moves out and restarts regions whose owner is gone; a [Route] is a gateway's way to one region.
//
//	stage          coordinator               source                        target
//	prepare        intent into the ledger
//	               prepare, begin ---------> captures the region,          waits
//	transfer                                 ticks on           -state---> builds a replica, inactive
//	               <---------------------------------------------loaded---
//	sync                                     every tick        -records--> folds them in; says up to where (have)
//	switch         switch -----------------> stops after tick T
//	                                         -final, until answered------> checks the hash, takes the lease after the source's epoch,
//	                                         <--------------------taken--- stores the tail, starts at T+1
//	               ledger: the new owner; route to gateways
//	clean up       release ----------------> throws the region away
//
// # Authority
//
// A region belongs to whoever has the store's newest lease. A region changes hands only by AcquireAfter, which succeeds for one of those
// who follow the same owner. So the intent reserves the epoch after the source's: as soon as anybody else took the region, the
// move cannot come to its end. Once FINAL was sent the source never ticks again under its lease. It takes the region back in the same way as
// the target takes it over, under a higher epoch: when the target refuses, when a coordinator gives the move up, or when nobody answers.
// Whoever is refused by the store throws its copy away.
//
// What decides is never a message. A lost, doubled, late or reordered one costs time; one that is stale is refused: every message has a [Stamp],
// and a receiver takes nothing below what it has seen of a region's epoch, of the lease behind it and of the coordinators' terms.
//
// # State
//
// The target starts from what the source captured, follows the source's log records, and gets with FINAL what records do not have (poses, budgets,
// faults of rules). It compares the hash of the durable part before it takes the lease. Records that the store does not have yet
// go along, and the target stores them under its own lease before anything else: what was applied survives a planned move, also
// when the target dies right after it.
//
// # Duties of the caller
//
//   - Each machine belongs to one goroutine. now is monotonic, microseconds, and never compared with another process's.
//   - What is in the outs is done in order. DoStep marks where failpoints hold or kill; it is safe to ignore.
//   - Stepped is told of every tick of an owned region, before its record is published, for as long as Wants says so.
//   - An answer (Captured, Stopped, Acquired, Started) comes once for each order. A call that failed may be answered late, never twice.
//   - A store call under a lease that ends with ErrFenced is told with Fenced.
//
// # Bounds
//
// A source keeps at most MaxUnsent bytes of records that the target does not have; beyond that it ends the move. A target assembles at
// most MaxState bytes. A route keeps MaxUncovered undecided and MaxUndurable decided key inputs a session, and one pose: more
// undecided ones are refused to the client.
package migration
