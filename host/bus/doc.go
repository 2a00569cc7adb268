// Package bus carries messages between the roles of a venue: batches of
// inputs from gateways to regions, numbered records back, and a few calls.
//
// # Model
//
//	gateway --Inputs--> region      many to one, a batch every few milliseconds
//	region  --Records-> gateways    one to many, one record a tick
//	gateway --Key-----> region      a call: the whole state, after a missed record
//	gateway --Place---> store side  a call: where a person was last
//	console, rulebook --Admin--> region  a call: an operator's order
//
// It is NATS. In a single process the server is embedded and has no socket:
// connections are pipes in memory, and the code above them is the same as in a
// cluster. There the embedded servers join in a mesh (Mesh), each listening for the others with a
// password that is derived from the cluster's key, or all connect to a NATS that runs beside venued (Outside).
//
// # Delivery
//
// At most once, in the order of publishing for one publisher and subject. What must
// not be lost is numbered by those who send it and sent again (see package
// stream). Calls fail at once with ErrNoResponders when nobody serves the
// subject, so that a caller can say so instead of waiting.
//
// # Bounds
//
// Each subscription has a queue of PendingMessages and PendingBytes. When its
// reader falls behind, the newest messages are dropped, counted (Sub.Dropped) and
// reported through Options.Slow. A message is at most MaxMessage bytes: Publish refuses a
// larger one with ErrTooLarge. While a connection is lost, up to ReconnectBytes of
// what is published waits in memory; beyond it Publish returns an error.
//
// # Duties and trust
//
// Everything on the bus trusts everything else on it: an embedded server alone
// cannot be reached from outside of the process, one in a mesh by whoever knows the key (its links are not encrypted: keep them in
// a network of the cluster's own, or use an outside server with TLS). Stop subscriptions and close
// connections before stopping the server.
package bus
