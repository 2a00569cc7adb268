// Package peer holds connections to clients: WebRTC with two data channels, or
// one WebSocket that carries the same two lanes.
//
// # Model
//
//	              +-- pose lane:  binary, newest wins, may be lost
//	Engine --> Peer
//	              +-- event lane: text, in order, nothing is lost
//
// An [Engine] owns the sockets: one UDP port for all peers, one TCP port for ICE-TCP beside it. It
// answers offers ([Engine.Answer]) and takes WebSockets ([Engine.Accept]).
// What a [Peer] receives it hands to its [Handlers]; what it is given to send never blocks.
//
// # Flow control
//
// Before each send the peer looks at what its lane still holds. The pose lane
// skips a message when more than 8 KiB wait, or when the oldest has waited for longer than
// 100 ms beyond the round trip: a frame that was skipped costs nothing,
// since the next is coded against what the client acknowledged. The event lane loses nothing, so a client that
// is 256 KiB or 2 s behind is closed as a slow consumer; that clock stands still
// while ICE is disconnected or restarting, since the client cannot read then.
//
// # Trust limits
//
// A peer trusts nothing that it receives: sizes are bounded before they are read,
// channels that the protocol does not have are closed, and a set-up that takes
// longer than its deadline ends. It does not look into messages; their
// decoders are in rtc/wire. Admission (who may connect, and how many at once) is the caller's.
//
// # Duties of the caller
//
// Handlers run on the peer's goroutines: they must not block for long, and a slice they get is theirs
// only until they return. [Handlers.Closed] comes exactly once for every peer that Answer or
// Accept returned. Call [Engine.Stop] last: it closes what is left and the sockets.
package peer
