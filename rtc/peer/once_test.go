package peer

import (
	"testing"

	"github.com/pion/webrtc/v4"

	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
)

// packetsSent is how many datagrams a side has sent on its connection.
func packetsSent(t *testing.T, pc *webrtc.PeerConnection) (n uint32) {
	t.Helper()
	for _, s := range pc.GetStats() {
		if pair, ok := s.(webrtc.ICECandidatePairStats); ok {
			n += pair.PacketsSent
		}
	}
	return n
}

// A frame is one datagram, also while others are on their way. Without sendOnce, or when a new pion/datachannel keeps its stream elsewhere, each
// acknowledgement is answered with one more.
func TestFrameIsOneDatagram(t *testing.T) {
	const frames, onTheWay, rounds = 600, 3, 5
	e := listen(t, nil)
	c, p, _ := dial(t, e, peertest.Options{})
	pc := p.link.(*rtcLink).pc
	frame := make([]byte, wire.MaxFrame) // two do not fit into one datagram
	least := uint32(2 * frames)
	// On a busy machine an acknowledgement may come too late to count, but not each time.
	for range rounds {
		before := packetsSent(t, pc)
		for n := range frames {
			if !p.SendPose(frame) {
				t.Fatal("closed")
			}
			if n >= onTheWay {
				await(t, c.Poses, "a frame")
			}
		}
		for range onTheWay {
			await(t, c.Poses, "a frame")
		}
		if least = min(least, packetsSent(t, pc)-before); least <= frames*21/20 {
			break
		}
	}
	if least < frames || least > frames*21/20 {
		t.Errorf("%d frames took %d datagrams", frames, least)
	}
}
