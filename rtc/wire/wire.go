package wire

import (
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
)

// Version is the protocol version: the high four bits of the first byte of every
// binary message, and "v" of the welcome.
const Version = 1

// MaxFrame is the largest binary message on the unreliable lane, bytes: one
// datagram, never a fragmented one.
const MaxFrame = 1150

// MaxEvent is the largest message on the event lane, bytes, either way.
const MaxEvent = 4096

// MsgType is the low four bits of the first byte of a binary message.
type MsgType uint8

// Types of binary message.
const (
	MsgPose  MsgType = 1 // client to server: Pose
	MsgPing  MsgType = 2 // client to server: Ping
	MsgPong  MsgType = 3 // server to client: Pong
	MsgFrame MsgType = 4 // server to client: a frame of entity states
)

// StampUS is the unit of Pose.Stamp, microseconds.
const StampUS = 100

// Pose is one uplink sample. It also acknowledges frames: AckSeq is the newest
// frame received, bit i of AckBits (0 = least significant) says that frame
// AckSeq-1-i was received too. HasAck is false before the first frame.
type Pose struct {
	Seq     uint16 // sample number, +1 each, wraps
	Stamp   uint32 // server timeline, units of 100 us, low 32 bits
	HasAck  bool
	AckSeq  uint16
	AckBits uint32
	Body    lattice.Body // venue coordinates
	// Said has the optional streams that the sample tells of, and Extras what it says: one that it tells of and Extras has not has ended.
	Said   lattice.Streams
	Extras lattice.Extras
}

// Ping asks for the server's time. T0 is the client's clock, opaque to the server.
type Ping struct{ T0 uint64 }

// Pong answers a Ping: T1 and T2 are server timeline microseconds at reception and at sending.
type Pong struct{ T0, T1, T2 uint64 }

// FrameHeader starts a downlink frame.
type FrameHeader struct {
	Seq      uint16 // of this client's frames, +1 each, wraps
	Tick     uint32 // low 32 bits of the venue's tick that the states are of
	PoseSeq  uint16 // newest uplink sample of this client that the gateway received
	HasPose  bool
	Throttle bool // the server sends at a reduced rate now
}

// Info is what an enter record tells about an entity: constant for its life.
type Info struct {
	ID    uint64
	Kind  stream.EntityKind
	Class uint16
	Name  string // at most 48 bytes of UTF-8; longer names are cut at a rune
}

// Op is what a frame says about an entity.
type Op uint8

// Operations of a frame's records.
const (
	OpUpdate Op = 0 // a delta against the state of frame Base
	OpEnter  Op = 1 // binds a handle to an entity, with its full state
	OpFull   Op = 2 // a full state of a bound handle
	OpLeave  Op = 3 // the handle's entity left the view
)

// Record is one decoded record of a frame.
type Record struct {
	Op     Op
	Handle uint16
	Base   uint16 // OpUpdate: the frame number whose state is the baseline
	Info   Info   // OpEnter
	State  stream.State
}
