// Package wire is the protocol that clients speak, as docs/protocol.md defines it.
//
// # Model
//
//	client                                     gateway
//	AppendPose, AppendPing  --- pose lane -->  TypeOf, DecodePose, DecodePing
//	View.Apply, DecodePong  <-- (binary) ----  FrameWriter, AppendPong
//	Up.Append               --- event lane ->  DecodeUp
//	DecodeDown              <-- (JSON) ------  Welcome.Append, Ack.Append, AppendEvent, ...
//
// The pose lane may lose, double and reorder. A frame codes each entity against a state
// that the client acknowledged, entering and leaving included, so what a [View] shows is right whatever
// was lost. The event lane loses nothing.
//
// An update is a [Delta] against a [Past]: up to four states that the client applied, of which the newest is its baseline. Its
// bytes depend on the states and their ticks alone, so one may be encoded once for all clients with the same past; [Told] keeps,
// for each client and handle, which frames those are. [Coarse] puts far states on a lattice of quarter precision.
// The tables of the codec are codec1.json, made by sdk/bench/codec/train.
//
// Codes of errors and closings come from codes.json; go generate makes the constants
// and the table of docs/protocol.md. testdata/vectors.json holds golden vectors
// for the codecs of other languages; go test -run TestVectors -update writes them anew.
//
// # Trust limits
//
// Every Decode function and View.Apply take any bytes: they never panic, allocate no more than a small
// multiple of what they were given, and say in an [*Error] which field was at fault. They check form and
// range (positions within lattice.MaxMetres, valid rotations, UTF-8), not
// meaning: whether a stamp is plausible or a hand in reach is for others.
//
// # Duties of the caller
//
// Encoders trust what they are given: coordinates in bounds, valid rotations, and for
// [FrameWriter] pasts that are exactly what the client applied, as Told says them. Handles are given out, repeated and
// rested by the caller as docs/protocol.md says. Nothing here is safe for concurrent use.
package wire
