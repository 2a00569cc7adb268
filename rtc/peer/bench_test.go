package peer

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
)

// BenchmarkFrame sends frames of 300 bytes over WebRTC to a client in this process, one at a time,
// and compares with the same datagrams over bare UDP: the ratio is what DTLS, SCTP and their goroutines cost.
func BenchmarkFrame(b *testing.B) {
	frame := make([]byte, 300)
	frame[0] = wire.Version<<4 | byte(wire.MsgFrame)

	there, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		b.Fatal(err)
	}
	defer there.Close()
	here, err := net.DialUDP("udp", nil, there.LocalAddr().(*net.UDPAddr))
	if err != nil {
		b.Fatal(err)
	}
	defer here.Close()
	buf := make([]byte, 2048)
	const rounds = 5000
	start := time.Now()
	for range rounds {
		here.Write(frame)
		if _, err := there.Read(buf); err != nil {
			b.Fatal(err)
		}
	}
	bare := float64(time.Since(start).Nanoseconds()) / rounds

	e, err := Listen(Config{UDP: "127.0.0.1:0", Loopback: true})
	if err != nil {
		b.Fatal(err)
	}
	defer e.Stop(context.Background())
	c := peertest.New(b, peertest.Options{})
	offer, err := c.Offer(false)
	if err != nil {
		b.Fatal(err)
	}
	own := newOwner()
	_, sdp, err := e.Answer(context.Background(), offer, own.handlers())
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Answer(sdp); err != nil {
		b.Fatal(err)
	}
	p := <-own.open
	<-c.Opened
	limit := time.After(time.Minute) // a lost frame does not come again
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if !p.SendPose(frame) {
			b.Fatal("closed")
		}
		select {
		case <-c.Poses:
		case <-limit:
			b.Fatal("a frame did not arrive")
		}
	}
	b.StopTimer()
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/bare, "x-bare-UDP")
}
