// Package rtc is the gateway: it lets clients in, holds their connections, passes their
// inputs to the regions and shows them what they may see.
//
// # Model
//
//	HTTP --> admission --> peer (rtc/peer) --+
//	                                         +--> hub --> inputs ---> bus --> regions
//	                       peers <-----------+       <-- records <-- bus <--
//
// One goroutine, the hub, owns everything that changes: the sessions, the world
// (rtc/view) and the timers. Peers, HTTP handlers and the bus hand it messages through one bounded queue:
// poses are dropped when it is full, since a newer one follows; everything
// else waits, and with it the client that sent it.
//
// A session is a person's stay. It outlives its connection by the venue's grace, in which a
// resume token brings it back. A region is told Join, Away, Back and Leave by
// comparison: what the session should be against what the region's records show of its avatar,
// again every 200 ms until they agree. Key inputs are numbered by the client, kept
// until the store has what they caused, and sent again until a record's cursor covers
// them: a region that restarts from its store gets again what it had lost.
//
// A gateway that starts has no sessions, but its regions may have avatars that wait as away: a valid resume token
// of such a session brings it back (see hub.adopt), with the cursor that the region has. What its client was told
// before is not known, so its welcome says full.
//
// # Time
//
// The hub follows the venue's timeline by the ticks of the records that come in (see
// timeline), so that a gateway needs no clock that agrees with the node's.
//
// # Trust limits
//
// Clients are trusted in nothing: stamps are clamped to half the least round trip measured (150 ms at
// most) before their arrival, rates are limited, positions are judged by the region. The
// bus is trusted. A connection's id in the URL of PATCH and DELETE is its secret.
//
// # Duties of the caller
//
// Serve [Gateway.Handler] over HTTPS outside of development: tokens travel in it. Call
// Start before serving and Stop after no more requests come in.
package rtc
