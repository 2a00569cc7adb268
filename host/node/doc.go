// Package node is the scene-node role: it owns a venue's regions, gives each the time
// and its inputs, and carries what comes out to the bus and to the store.
//
// # Model
//
//	bus.Inputs -> inbox --+                        +-> bus.Records   every tick
//	                      v                        |
//	  timeline ----> one goroutine a region: Step -+-> journal ----> store.Append, SaveSnapshot
//	                      ^                        |
//	bus.Key ----> calls --+                        +-> places -----> store.SavePlaces
//
// A region (package scene) knows no clock, no bus and no store; its driver here is
// the one goroutine that calls it. Everything that may block lives on other
// goroutines: a tick waits for nobody.
//
// # Time
//
// Server time is microseconds since the venue's start, which the store keeps; tick n
// starts at n times the tick's length. The schedule is computed from that product, so it does
// not drift. After a stall the driver goes on with the tick that is due and skips those
// it missed: numbers are skipped, never used twice. A start continues above every tick in the
// store; when the wall clock was set back meanwhile, the timeline is moved
// ahead of it.
//
// # What is durable
//
// A record's Durable is the tick up to which everything is in the store. The journal
// gathers log records for Config.CommitEvery or 64 of them and commits them at once.
// A store that fails or is slow delays nothing but Durable: the journal keeps up to
// maxBacklog records; beyond that it drops them all and waits to save a whole
// snapshot instead once the store is back. Places are written behind once a second.
//
// # Faults
//
// A panic in a region, or in a rule that it calls, ends that region only: it is logged, what
// was decided before it is written, and the region starts again from the store under a new
// epoch. After maxRestarts restarts within a minute it stays down, named by Ready. The others go on.
//
// # Duties of the caller
//
// Start once, Stop once, then close the bus connection and the store, in this
// order. Readers of records must accept a key frame at any time.
package node
