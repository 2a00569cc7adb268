package peer

import (
	"reflect"
	"unsafe"

	"github.com/pion/datachannel"
	"github.com/pion/sctp"
)

// lifetime is after how many milliseconds a message of the pose lane is given up instead of sent again. No second sending comes as early: it
// takes the round trip that shows the loss, and more.
const lifetime = 1

// sendOnce makes what this side sends on an unordered channel without retransmits cheaper; false when it cannot.
//
// pion/sctp (1.12.0) counts a message that may be sent once as given up as soon as it was sent, not when it would have to be sent again
// (pion/sctp#505). So each acknowledgement that comes while something is on its way is answered with a FORWARD TSN in a datagram of its
// own, and that with an acknowledgement: without any loss, twice as many datagrams. A message with a lifetime is given up only when it would be sent
// again after that. What is sent is the same: each message once. The reliability of a stream is its sender's business alone, so the client
// need not know; but pion/datachannel keeps the stream to itself, and takes it from the client's request.
func sendOnce(raw datachannel.ReadWriteCloser) bool {
	dc, ok := raw.(*datachannel.DataChannel)
	if !ok {
		return false
	}
	field := reflect.ValueOf(dc).Elem().FieldByName("stream")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*sctp.Stream]() {
		return false
	}
	stream := *(**sctp.Stream)(unsafe.Pointer(field.UnsafeAddr())) //nolint:gosec // the type was checked
	stream.SetReliabilityParams(true, sctp.ReliabilityTypeTimed, lifetime)
	return true
}
