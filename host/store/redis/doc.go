// Package redis is the backend of package store for several machines: a Redis 7 server.
//
// # Layout
//
// Every key of a venue begins with PREFIX:{VENUE}: so that all of them share a hash slot; names are percent-encoded where they hold
// anything but letters, digits, dots, dashes and underscores.
//
//	meta                     hash    t0, block
//	members                  hash    name -> until when, member, JSON
//	owners                   hash    region -> epoch, name of the owner
//	places:PARTITION         hash    user -> tick, place
//	boards:PARTITION         set     of boards
//	board:PARTITION:BOARD    hash    user -> total
//	rules:rev                string  counts changes of what is below
//	rules:names              hash    name -> owner, versions, JSON
//	rules:modules            hash    digest -> module
//	rules:sizes              hash    digest -> bytes of the module
//	rules:assigned           hash    region, rule -> assignment, JSON
//	r:REGION:head            hash    epoch, last tick, the newest two snapshots, number of log entries
//	r:REGION:log             stream  one entry a record, its id the tick
//	r:REGION:snap            hash    tick -> snapshot; the newest two
//
// # Atomicity
//
// A write under a lease is one Lua script, which compares the epoch first: nothing else runs between the comparison and the write. Uploads
// and assignments are optimistic transactions over rules:rev. Calls that are not idempotent are never tried again by the client library, since one whose answer got
// lost may have been carried out.
//
// # Durability
//
// What a successful call wrote survives the death of this process. Whether it survives that of the server is up to how the server is
// configured: with append-only files and fsync always or every second it does, but for that second; without them it does not, and after a restart
// even epochs may begin anew. Durability reads the configuration and says in sentences what is missing; Durable is false
// when nothing of it may be called durable.
//
// # Integrity
//
// Log entries, snapshots, places and modules carry a CRC-32C over their key and themselves; the log's entries are counted. Totals of boards are plain
// numbers that Redis itself adds up.
package redis
