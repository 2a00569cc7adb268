// Package peertest is a WebRTC client for tests: it makes the protocol's two channels, or
// others, over real sockets, and shows everything it receives on Go channels.
package peertest

import (
	"errors"
	"testing"
	"time"

	"github.com/pion/datachannel"
	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/webrtc/v4"
)

// Options changes what a client does. The zero value is a well-behaved client over UDP.
type Options struct {
	TCP       bool                               // offer TCP candidates only
	Stalled   bool                               // never read the channels
	Blocking  bool                               // writes wait for as long as the connection does not carry them
	Channels  map[string]*webrtc.DataChannelInit // instead of the protocol's two
	Lifetimes time.Duration                      // ICE disconnected and failed timeouts; default 2 s
}

// Client is one connection.
type Client struct {
	PC     *webrtc.PeerConnection
	Poses  chan []byte   // received on the pose lane; newest dropped when nobody reads
	Events chan []byte   // received on the event lane
	Opened chan struct{} // closed when both lanes are open
	Closed chan string   // label of each channel that ended
	States chan webrtc.ICEConnectionState

	raw  map[string]datachannel.ReadWriteCloser
	up   chan lane
	over chan struct{} // the test has ended
}

type lane struct {
	label string
	raw   datachannel.ReadWriteCloser
}

// Unordered is the init of the pose channel.
func Unordered() *webrtc.DataChannelInit {
	no, zero := false, uint16(0)
	return &webrtc.DataChannelInit{Ordered: &no, MaxRetransmits: &zero}
}

// New makes a client; it is closed when the test ends.
func New(t testing.TB, o Options) *Client {
	t.Helper()
	var s webrtc.SettingEngine
	f := logging.NewDefaultLoggerFactory()
	f.DefaultLogLevel = logging.LogLevelDisabled
	s.LoggerFactory = f
	s.SetIncludeLoopbackCandidate(true)
	s.DetachDataChannels()
	s.EnableDataChannelBlockWrite(o.Blocking)
	s.SetSCTPMaxReceiveBufferSize(64 << 10)
	s.SetDTLSRetransmissionInterval(100 * time.Millisecond)
	if o.Lifetimes == 0 {
		o.Lifetimes = 2 * time.Second
	}
	s.SetICETimeouts(o.Lifetimes, o.Lifetimes, 200*time.Millisecond)
	s.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	if o.TCP {
		s.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeTCP4})
	}
	api := webrtc.NewAPI(webrtc.WithSettingEngine(s),
		webrtc.WithMediaEngine(&webrtc.MediaEngine{}), webrtc.WithInterceptorRegistry(&interceptor.Registry{}))
	pc, err := api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		PC: pc, Poses: make(chan []byte, 4096), Events: make(chan []byte, 4096),
		Opened: make(chan struct{}), Closed: make(chan string, 64),
		States: make(chan webrtc.ICEConnectionState, 64),
		raw:    map[string]datachannel.ReadWriteCloser{}, up: make(chan lane, 64), over: make(chan struct{}),
	}
	t.Cleanup(func() {
		close(c.over)
		pc.GracefulClose()
	})
	pc.OnICEConnectionStateChange(func(s webrtc.ICEConnectionState) {
		select {
		case c.States <- s:
		default:
		}
	})
	if o.Channels == nil {
		o.Channels = map[string]*webrtc.DataChannelInit{"pose": Unordered(), "event": nil}
	}
	for label, init := range o.Channels {
		dc, err := pc.CreateDataChannel(label, init)
		if err != nil {
			t.Fatal(err)
		}
		dc.OnOpen(func() {
			raw, err := dc.Detach()
			if err != nil {
				return
			}
			c.up <- lane{label, raw}
			if !o.Stalled {
				go c.read(label, raw)
			}
		})
	}
	go func() {
		for range o.Channels {
			select {
			case l := <-c.up:
				c.raw[l.label] = l.raw
			case <-c.over:
				return
			}
		}
		close(c.Opened)
	}()
	return c
}

func (c *Client) read(label string, raw datachannel.ReadWriteCloser) {
	buf := make([]byte, 1<<16)
	for {
		n, text, err := raw.ReadDataChannel(buf)
		if err != nil {
			c.Closed <- label
			return
		}
		to := c.Poses
		if text {
			to = c.Events
		}
		select {
		case to <- append([]byte(nil), buf[:n]...):
		default:
		}
	}
}

// Offer returns an offer with all of the client's candidates; restart asks for an ICE restart.
func (c *Client) Offer(restart bool) (string, error) {
	var o *webrtc.OfferOptions
	if restart {
		o = &webrtc.OfferOptions{ICERestart: true}
	}
	offer, err := c.PC.CreateOffer(o)
	if err != nil {
		return "", err
	}
	gathered := webrtc.GatheringCompletePromise(c.PC)
	if err := c.PC.SetLocalDescription(offer); err != nil {
		return "", err
	}
	<-gathered
	return c.PC.LocalDescription().SDP, nil
}

// Answer takes the server's answer.
func (c *Client) Answer(sdp string) error {
	return c.PC.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: sdp})
}

// Pose sends on the pose lane, once the lanes are open.
func (c *Client) Pose(b []byte) error { return c.write("pose", b, false) }

// Event sends on the event lane, once the lanes are open.
func (c *Client) Event(b []byte) error { return c.write("event", b, true) }

func (c *Client) write(label string, b []byte, text bool) error {
	select {
	case <-c.Opened:
	case <-c.over:
		return errors.New(label + ": the client is closed")
	}
	_, err := c.raw[label].WriteDataChannel(b, text)
	return err
}
