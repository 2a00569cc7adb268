// Package client joins a venued venue from Go: a service that watches a hall, a robot
// that stands in it, a load generator.
//
// # Model
//
// [Dial] signals over HTTP, opens a transport with two lanes (WebRTC data
// channels, or one WebSocket), and returns once the venue has welcomed it:
//
//	 your code            Client                          gateway
//	SetPose, Pose func -> pose sender at the given phase -> pose lane  (lossy)
//	SetExtras
//	OnFrame            <- view, baselines, acks          <- pose lane
//	Grab, Use, ...     -> numbered, kept until applied   -> event lane (ordered)
//	Events()           <- once and in order a region     <- event lane
//
// Between the samples it measures the venue's clock ([Client.ServerTime]). A
// connection that fails is first repaired (ICE restart), then resumed with
// the newest resume token and the last event numbers, with growing pauses; key inputs not
// yet applied are sent again under their numbers, and the venue counts
// each once. Only a refusal that says "do not come back", the end of the session
// with no token for a new one, or [Client.Close] ends a Client; [Client.Err] then says
// why.
//
// # Units and frames
//
// Poses are lattice values (1/1024 m, venue coordinates, y up; see package
// lattice). Times are microseconds on the server's timeline, which starts with
// the venue and has nothing to do with any wall clock.
//
// # Applied and durable
//
// A key input is applied when its region has decided it and durable when the venue's store
// has what it did. A crash of the server can undo the first, never the second.
// [Request.Applied] and [Request.Durable] wait for either.
//
// # Concurrency
//
// Every method may be called from any goroutine. Options.Pose and Options.OnFrame are called
// on the client's own goroutines: one call of each at a time, never under a lock, so they may call
// methods of the client except Close, and must not block, since they hold up the lane
// they run on. Records given to OnFrame are valid during the call only.
//
// The channel of [Client.Events] is bounded (Options.EventQueue). When a reader falls
// that far behind, newer events are dropped and counted, and the next one that fits is preceded by an Event
// of type [EventGap] with the number dropped: the lanes and the clock go on, whoever
// stopped reading. A reader that cannot live with a gap reads faster.
//
// # Trust
//
// The venue decides; whatever this package predicts is for its user alone. It verifies
// the form of all it receives and refuses what is malformed, but takes the server's word for
// positions and outcomes. Tokens are secrets: they go into the Authorization header, or
// into the query of the WebSocket lane, where a proxy's log may show them; use TLS
// beyond loopback.
package client
