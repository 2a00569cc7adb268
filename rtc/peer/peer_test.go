package peer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/pion/webrtc/v4"

	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/wire"
)

// patience is how long a test waits for what must come. Nothing is asserted about how fast it comes.
const patience = 20 * time.Second

func await[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// owner records what a peer hands over.
type owner struct {
	open   chan *Peer
	poses  chan string
	events chan string
	closed chan Cause
}

func newOwner() *owner {
	return &owner{make(chan *Peer, 1), make(chan string, 1024), make(chan string, 1024), make(chan Cause, 2)}
}

func (o *owner) handlers() Handlers {
	return Handlers{
		Open:   func(p *Peer) { o.open <- p },
		Pose:   func(_ *Peer, b []byte, _ time.Time) { o.poses <- string(b) },
		Event:  func(_ *Peer, b []byte, _ time.Time) { o.events <- string(b) },
		Closed: func(_ *Peer, c Cause) { o.closed <- c },
	}
}

func listen(t *testing.T, change func(*Config)) *Engine {
	t.Helper()
	cfg := Config{UDP: "127.0.0.1:0", TCP: "127.0.0.1:0", Loopback: true}
	if change != nil {
		change(&cfg)
	}
	e, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := e.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return e
}

// dial connects a client and waits until both sides are open.
func dial(t *testing.T, e *Engine, o Options) (*peertest.Client, *Peer, *owner) {
	t.Helper()
	c, own := answer(t, e, o)
	p := await(t, own.open, "the server's open")
	await(t, c.Opened, "the client's open")
	return c, p, own
}

type Options = peertest.Options

func answer(t *testing.T, e *Engine, o Options) (*peertest.Client, *owner) {
	t.Helper()
	c := peertest.New(t, o)
	offer, err := c.Offer(false)
	if err != nil {
		t.Fatal(err)
	}
	own := newOwner()
	_, sdp, err := e.Answer(context.Background(), offer, own.handlers())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Answer(sdp); err != nil {
		t.Fatal(err)
	}
	return c, own
}

func TestLanesCarryMessagesBothWays(t *testing.T) {
	for _, tcp := range []bool{false, true} {
		t.Run(fmt.Sprintf("tcp=%v", tcp), func(t *testing.T) {
			e := listen(t, nil)
			c, p, own := dial(t, e, Options{TCP: tcp})
			if p.OverTCP() != tcp {
				t.Errorf("OverTCP is %v", p.OverTCP())
			}
			if err := c.Event([]byte(`{"t":"bye"}`)); err != nil {
				t.Fatal(err)
			}
			if got := await(t, own.events, "the event"); got != `{"t":"bye"}` {
				t.Errorf("event %q", got)
			}
			if err := c.Pose([]byte{0x11, 2, 3}); err != nil {
				t.Fatal(err)
			}
			if got := await(t, own.poses, "the pose"); got != "\x11\x02\x03" {
				t.Errorf("pose %q", got)
			}
			if !p.SendEvent([]byte("hello")) || !p.CanSendPose(0) || !p.SendPose([]byte{0x14, 9}) {
				t.Fatal("an open peer does not send")
			}
			if got := await(t, c.Events, "the event down"); string(got) != "hello" {
				t.Errorf("event down %q", got)
			}
			if got := await(t, c.Poses, "the pose down"); string(got) != "\x14\x09" {
				t.Errorf("pose down %q", got)
			}
			if s := p.Stats(); s.Poses != 1 || s.Events != 1 || s.EventBytes != 5 {
				t.Errorf("stats %+v", s)
			}
		})
	}
}

func TestCloseTellsTheClientWhy(t *testing.T) {
	e := listen(t, nil)
	c, p, own := dial(t, e, Options{})
	p.Close(wire.CodeKicked, "house rules")
	p.Close(wire.CodeServerShutdown, "only the first close counts")
	var m struct {
		T, Name, Msg, Retry string
		Code                wire.Code
	}
	if err := json.Unmarshal(await(t, c.Events, "the close message"), &m); err != nil {
		t.Fatal(err)
	}
	if m.T != "close" || m.Code != wire.CodeKicked || m.Name != "kicked" || m.Msg != "house rules" || m.Retry != wire.RetryNo {
		t.Errorf("close message %+v", m)
	}
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeKicked {
		t.Errorf("cause %+v", got)
	}
	await(t, p.Done(), "the transport's end")
	if p.SendEvent([]byte("x")) || p.SendPose([]byte("x")) || p.CanSendPose(0) {
		t.Error("a closed peer sends")
	}
}

func TestClientThatGoesIsNoticed(t *testing.T) {
	e := listen(t, nil)
	c, p, own := dial(t, e, Options{})
	c.PC.GracefulClose()
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeConnectionLost {
		t.Errorf("cause %+v", got)
	}
	await(t, p.Done(), "the transport's end")
}

func TestUndeclaredChannelsAreClosed(t *testing.T) {
	e := listen(t, nil)
	chans := map[string]*webrtc.DataChannelInit{"pose": peertest.Unordered(), "event": nil, "secret": nil}
	c, p, own := dial(t, e, Options{Channels: chans})
	if got := await(t, c.Closed, "the end of the undeclared channel"); got != "secret" {
		t.Errorf("channel %q ended", got)
	}
	p.SendEvent([]byte("still here"))
	await(t, c.Events, "an event after it")
	select {
	case cause := <-own.closed:
		t.Errorf("one undeclared channel closed the connection: %+v", cause)
	default:
	}
}

func TestManyUndeclaredChannelsCloseTheConnection(t *testing.T) {
	e := listen(t, nil)
	chans := map[string]*webrtc.DataChannelInit{"pose": peertest.Unordered(), "event": nil}
	for n := range 20 {
		chans[fmt.Sprint("c", n)] = nil
	}
	c, own := answer(t, e, Options{Channels: chans})
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeProtocolViolation {
		t.Errorf("cause %+v", got)
	}
	// However late its event channel came up, the client is told.
	told, err := wire.DecodeDown(await(t, c.Events, "the reason"))
	if err != nil || told.T != wire.DownClose || told.Code != wire.CodeProtocolViolation {
		t.Errorf("told %+v, %v", told, err)
	}
}

func TestChannelsMustBeAsDeclared(t *testing.T) {
	for label, chans := range map[string]map[string]*webrtc.DataChannelInit{
		"pose":  {"pose": nil, "event": nil},
		"event": {"pose": peertest.Unordered(), "event": peertest.Unordered()},
	} {
		e := listen(t, nil)
		_, own := answer(t, e, Options{Channels: chans})
		got := await(t, own.closed, "Closed")
		if got.Code != wire.CodeProtocolViolation || !strings.Contains(got.Msg, `"`+label+`"`) {
			t.Errorf("%s: cause %+v", label, got)
		}
	}
}

func TestSetupDeadline(t *testing.T) {
	e := listen(t, func(c *Config) { c.SetupTimeout = 300 * time.Millisecond })
	c := peertest.New(t, Options{})
	offer, err := c.Offer(false)
	if err != nil {
		t.Fatal(err)
	}
	own := newOwner()
	p, _, err := e.Answer(context.Background(), offer, own.handlers())
	if err != nil { // the client never gets the answer
		t.Fatal(err)
	}
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeSetupTimeout {
		t.Errorf("cause %+v", got)
	}
	await(t, p.Done(), "the transport's end")
	if n := len(own.open); n != 0 {
		t.Error("Open was called")
	}
}

func TestBadOffers(t *testing.T) {
	e := listen(t, nil)
	for offer, says := range map[string]string{
		"":                                    "not SDP",
		"hello":                               "not SDP",
		strings.Repeat("a=x\r\n", MaxSDP/5+1): "at most 16384",
		"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n":                                                     "no data channels",
		"v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n": "cannot be used",
	} {
		_, _, err := e.Answer(context.Background(), offer, newOwner().handlers())
		var oe *OfferError
		if !errors.As(err, &oe) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: %v does not say %q", offer, err, says)
		}
	}
	if e.Len() != 0 {
		t.Errorf("%d peers are left", e.Len())
	}
}

func TestStalledReaderIsClosedAsSlowConsumer(t *testing.T) {
	e := listen(t, nil)
	_, p, own := dial(t, e, Options{Stalled: true})
	msg := make([]byte, 4000)
	sent := 0
	for p.SendEvent(msg) {
		sent += len(msg)
		if sent > 16<<20 {
			t.Fatal("16 MB went to a client that does not read")
		}
	}
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeSlowConsumer {
		t.Errorf("cause %+v", got)
	}
	await(t, p.Done(), "the transport's end")
}

func TestPoseLaneSkipsWhenFull(t *testing.T) {
	e := listen(t, nil)
	_, p, own := dial(t, e, Options{Stalled: true})
	frame := make([]byte, wire.MaxFrame)
	most := uint64(0)
	for range 2000 {
		if p.CanSendPose(0) {
			p.SendPose(frame)
		}
		held := p.link.buffered(poseLane)
		most = max(most, held)
	}
	if most > PoseBuffered+wire.MaxFrame {
		t.Errorf("%d bytes were held", most)
	}
	if s := p.Stats(); s.Skipped == 0 || s.Poses == 0 {
		t.Errorf("stats %+v", s)
	}
	if len(own.closed) != 0 {
		t.Error("the pose lane closed the peer")
	}
}

func TestICERestartKeepsTheChannels(t *testing.T) {
	e := listen(t, nil)
	c, p, own := dial(t, e, Options{})
	before, err := c.PC.SCTP().Transport().ICETransport().GetSelectedCandidatePair()
	if err != nil {
		t.Fatal(err)
	}
	offer, err := c.Offer(true)
	if err != nil {
		t.Fatal(err)
	}
	sdp, err := p.Restart(context.Background(), offer)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Answer(sdp); err != nil {
		t.Fatal(err)
	}
	if err := c.Event([]byte("after")); err != nil {
		t.Fatal(err)
	}
	if got := await(t, own.events, "an event after the restart"); got != "after" {
		t.Errorf("event %q (pair before: %v)", got, before)
	}
	if _, err := p.Restart(context.Background(), "nonsense"); err == nil {
		t.Error("nonsense restarts a connection")
	}
	p.SendEvent([]byte("alive"))
	await(t, c.Events, "an event after a refused restart")
}

func TestStopClosesAllAndRefusesNew(t *testing.T) {
	cfg := Config{UDP: "127.0.0.1:0", Loopback: true}
	e, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	c, _, own := dial(t, e, Options{})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := e.Stop(ctx); err != nil {
		t.Error(err)
	}
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeServerShutdown {
		t.Errorf("cause %+v", got)
	}
	if msg := await(t, c.Events, "the close message"); !strings.Contains(string(msg), "server_shutdown") {
		t.Errorf("last words %s", msg)
	}
	c2 := peertest.New(t, Options{})
	offer, _ := c2.Offer(false)
	if _, _, err := e.Answer(ctx, offer, newOwner().handlers()); err == nil {
		t.Error("a stopped engine answers")
	}
}

func TestPortInUseNamesTheSetting(t *testing.T) {
	e := listen(t, nil)
	_, err := Listen(Config{UDP: e.UDPAddr().String()})
	if err == nil || !strings.Contains(err.Error(), "rtc.udp_port") || !strings.Contains(err.Error(), e.UDPAddr().String()) {
		t.Errorf("UDP: %v", err)
	}
	_, err = Listen(Config{UDP: "127.0.0.1:0", TCP: e.TCPAddr().String()})
	if err == nil || !strings.Contains(err.Error(), "rtc.tcp_port") || !strings.Contains(err.Error(), e.TCPAddr().String()) {
		t.Errorf("TCP: %v", err)
	}
}

func TestUDPNoiseIsIgnored(t *testing.T) {
	e := listen(t, nil)
	conn, err := net.Dial("udp", e.UDPAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for n := range 100 {
		conn.Write(make([]byte, n*10))
	}
	c, p, _ := dial(t, e, Options{})
	p.SendEvent([]byte("fine"))
	await(t, c.Events, "an event")
}

func FuzzCheckOffer(f *testing.F) {
	f.Add("")
	f.Add("v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n")
	f.Add("v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\n")
	f.Fuzz(func(t *testing.T, offer string) {
		var oe *OfferError
		if err := CheckOffer(offer); err != nil && !errors.As(err, &oe) {
			t.Fatalf("%v (%T)", err, err)
		}
	})
}
