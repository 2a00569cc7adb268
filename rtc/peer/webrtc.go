package peer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pion/datachannel"
	"github.com/pion/webrtc/v4"

	"github.com/venued/venued/rtc/wire"
)

// MaxSDP is the largest offer that is looked at, bytes.
const MaxSDP = 16 << 10

// maxUndeclared is how many channels that the protocol does not have are closed before
// the whole connection is.
const maxUndeclared = 4

// mostUndeclared is how many there may be while the event channel, on which the client would be told, is not up yet.
const mostUndeclared = 64

// Labels of the two channels a client makes.
const (
	PoseLabel  = "pose"  // unordered, no retransmits
	EventLabel = "event" // ordered, reliable
)

// OfferError says why an offer cannot be answered.
type OfferError struct{ Msg string }

// errNoLane: the channel is not up yet.
var errNoLane = errors.New("the channel is not up")

// Error returns what was wrong and what to send.
func (e *OfferError) Error() string {
	return e.Msg + ": send the SDP of an RTCPeerConnection's offer that has the data channels \"pose\" and \"event\""
}

// rtcLink is a WebRTC connection.
type rtcLink struct {
	peer *Peer
	pc   *webrtc.PeerConnection
	end  func() error // pc.GracefulClose

	mu          sync.Mutex
	undeclared  int
	rejected    string // why the connection is to be closed once the event channel is up
	pose, event *lane
	answering   chan struct{} // has room for one: one offer at a time
}

// lane is one open data channel.
type lane struct {
	dc      *webrtc.DataChannel
	raw     datachannel.ReadWriteCloser
	drained chan struct{} // gets a value whenever nothing is buffered any more
}

// CheckOffer says what is wrong with an offer before anything is made for it. The error is an *[OfferError].
func CheckOffer(sdp string) error {
	if len(sdp) > MaxSDP {
		return &OfferError{fmt.Sprintf("the offer has %d bytes, at most %d are allowed", len(sdp), MaxSDP)}
	}
	desc := webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: sdp}
	parsed, err := desc.Unmarshal()
	if err == nil && sdp == "" {
		err = errors.New("it is empty")
	}
	if err != nil {
		return &OfferError{"the body is not SDP (" + err.Error() + ")"}
	}
	for _, m := range parsed.MediaDescriptions {
		if m.MediaName.Media == "application" && strings.Contains(strings.Join(m.MediaName.Protos, "/"), "SCTP") {
			return nil
		}
	}
	return &OfferError{"the offer has no data channels (no 'm=application ... SCTP' section)"}
}

// Answer makes a peer for an offer and returns it with the answer, which holds all candidates of this side.
// An *[OfferError] says what is wrong with the offer.
func (e *Engine) Answer(ctx context.Context, offer string, on Handlers) (*Peer, string, error) {
	if err := CheckOffer(offer); err != nil {
		return nil, "", err
	}
	pc, err := e.api.NewPeerConnection(webrtc.Configuration{Certificates: []webrtc.Certificate{e.cert}})
	if err != nil {
		return nil, "", fmt.Errorf("new connection: %w", err)
	}
	p := newPeer(e, rand.Text(), WebRTC, on)
	l := &rtcLink{peer: p, pc: pc, end: pc.GracefulClose, answering: make(chan struct{}, 1)}
	p.link = l
	pc.OnDataChannel(l.channel)
	pc.OnConnectionStateChange(l.state)
	answer, err := l.answer(ctx, offer)
	if err == nil {
		err = e.add(p)
	}
	if err != nil {
		p.abandon()
		pc.Close()
		return nil, "", err
	}
	return p, answer, nil
}

// Restart answers a new offer on a connection that is up: an ICE restart, which
// keeps DTLS, SCTP and the channels.
func (p *Peer) Restart(ctx context.Context, offer string) (string, error) {
	l, ok := p.link.(*rtcLink)
	if !ok {
		return "", errors.New("only WebRTC connections can be restarted: open a new WebSocket")
	}
	if err := CheckOffer(offer); err != nil {
		return "", err
	}
	return l.answer(ctx, offer)
}

// OverTCP reports whether the connection runs over ICE-TCP.
func (p *Peer) OverTCP() bool {
	l, ok := p.link.(*rtcLink)
	if !ok {
		return false
	}
	pair, err := l.pc.SCTP().Transport().ICETransport().GetSelectedCandidatePair()
	return err == nil && pair != nil && pair.Local.Protocol == webrtc.ICEProtocolTCP
}

func (l *rtcLink) answer(ctx context.Context, offer string) (string, error) {
	select {
	case l.answering <- struct{}{}:
		defer func() { <-l.answering }()
	case <-ctx.Done():
		return "", fmt.Errorf("another offer of this connection is being answered: %w", ctx.Err())
	case <-l.peer.closing:
		return "", errors.New("the connection is being closed: make a new one")
	}
	if err := l.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeOffer, SDP: offer}); err != nil {
		return "", &OfferError{"the offer cannot be used (" + err.Error() + ")"}
	}
	answer, err := l.pc.CreateAnswer(nil)
	if err != nil {
		return "", &OfferError{"the offer cannot be answered (" + err.Error() + ")"}
	}
	gathered := webrtc.GatheringCompletePromise(l.pc)
	if err := l.pc.SetLocalDescription(answer); err != nil {
		return "", fmt.Errorf("local description: %w", err)
	}
	select {
	case <-gathered:
	case <-ctx.Done():
		return "", fmt.Errorf("gathering candidates: %w", ctx.Err())
	}
	return l.pc.LocalDescription().SDP, nil
}

func (l *rtcLink) state(s webrtc.PeerConnectionState) {
	switch s {
	case webrtc.PeerConnectionStateConnected:
		l.peer.restored()
	case webrtc.PeerConnectionStateDisconnected:
		l.peer.interrupted()
	case webrtc.PeerConnectionStateFailed:
		l.peer.Close(wire.CodeConnectionLost, "the client cannot be reached any more")
	case webrtc.PeerConnectionStateClosed:
		l.peer.Close(wire.CodeConnectionLost, "the client closed the connection")
	}
}

// channel takes a channel that the client made.
func (l *rtcLink) channel(dc *webrtc.DataChannel) {
	want := dc.Label()
	wrong := ""
	switch want {
	case PoseLabel:
		if dc.Ordered() || dc.MaxRetransmits() == nil || *dc.MaxRetransmits() != 0 {
			wrong = "channel \"pose\" must have ordered: false and maxRetransmits: 0"
		}
	case EventLabel:
		if !dc.Ordered() || dc.MaxRetransmits() != nil || dc.MaxPacketLifeTime() != nil {
			l.peer.Close(wire.CodeProtocolViolation, "channel \"event\" must be ordered and reliable") // nothing else could tell it
			return
		}
	default:
		l.refuse(dc)
		return
	}
	if wrong != "" {
		l.reject(wrong)
		return
	}
	drained := make(chan struct{}, 1)
	dc.OnBufferedAmountLow(func() {
		select {
		case drained <- struct{}{}:
		default:
		}
	})
	dc.OnOpen(func() {
		raw, err := dc.Detach()
		if err != nil {
			l.peer.Close(wire.CodeConnectionLost, "channel "+want+": "+err.Error())
			return
		}
		if want == PoseLabel && !sendOnce(raw) {
			l.peer.engine.cfg.Log.Warn("the pose lane takes twice the datagrams it needs: another version of pion/datachannel?")
		}
		if !l.adopt(want, &lane{dc, raw, drained}) {
			l.undeclare(raw)
		}
	})
}

// adopt keeps an open lane; false when there is one of that name already.
func (l *rtcLink) adopt(label string, n *lane) bool {
	l.mu.Lock()
	slot := &l.event
	if label == PoseLabel {
		slot = &l.pose
	}
	if *slot != nil {
		l.mu.Unlock()
		return false
	}
	*slot = n
	both := l.pose != nil && l.event != nil
	rejected := l.rejected
	l.mu.Unlock()
	if rejected != "" {
		l.reject(rejected)
		return true
	}
	if both {
		// Open may wait for the owner: not on the goroutine that accepts channels.
		go func() {
			if l.peer.opened() {
				go l.read(l.pose.raw, false, l.peer.on.Pose)
				l.read(l.event.raw, true, l.peer.on.Event)
			}
		}()
	}
	return true
}

// refuse closes a channel that the protocol does not have.
func (l *rtcLink) refuse(dc *webrtc.DataChannel) {
	dc.OnOpen(func() {
		if raw, err := dc.Detach(); err == nil {
			l.undeclare(raw)
		}
	})
}

func (l *rtcLink) undeclare(raw io.Closer) {
	raw.Close()
	l.mu.Lock()
	l.undeclared++
	n := l.undeclared
	l.mu.Unlock()
	const why = "channels other than \"pose\" and \"event\" were opened again and again"
	switch {
	case n > mostUndeclared:
		l.peer.Close(wire.CodeProtocolViolation, why)
	case n > maxUndeclared:
		l.reject(why)
	}
}

// reject closes the connection of a client that does not follow the protocol, as soon as it can be told: channels come up
// in any order, and the event channel may be the last. The deadline of the set-up bounds the wait.
func (l *rtcLink) reject(why string) {
	l.mu.Lock()
	if l.rejected == "" {
		l.rejected = why
	}
	told := l.event != nil
	l.mu.Unlock()
	if told {
		l.peer.Close(wire.CodeProtocolViolation, why)
	}
}

// read hands messages of a lane on until it ends. The buffer is as large as the largest
// message that the association lets through: a shorter one would end the channel silently.
func (l *rtcLink) read(raw datachannel.ReadWriteCloser, text bool, on func(*Peer, []byte, time.Time)) {
	name, form := PoseLabel, "binary"
	if text {
		name, form = EventLabel, "text"
	}
	buf := make([]byte, sctpMaxMessage)
	for {
		n, isText, err := raw.ReadDataChannel(buf)
		now := time.Now()
		switch {
		case err != nil:
			l.peer.Close(wire.CodeConnectionLost, "the "+name+" channel ended")
			return
		case isText != text:
			l.peer.Close(wire.CodeProtocolViolation, name+" lane: messages must be "+form)
			return
		}
		select {
		case <-l.peer.closing:
			return
		default:
			on(l.peer, buf[:n], now)
		}
	}
}

func (l *rtcLink) sendPose(b []byte) error {
	_, err := l.pose.raw.WriteDataChannel(b, false)
	return err
}

func (l *rtcLink) sendEvent(b []byte) error {
	l.mu.Lock()
	event := l.event
	l.mu.Unlock()
	if event == nil {
		return errNoLane
	}
	_, err := event.raw.WriteDataChannel(b, true)
	return err
}

func (l *rtcLink) buffered(k laneKind) uint64 {
	if k == poseLane {
		return l.pose.dc.BufferedAmount()
	}
	return l.event.dc.BufferedAmount()
}

func (l *rtcLink) shut(Cause) {
	l.mu.Lock()
	event := l.event
	l.mu.Unlock()
	if event != nil && l.pc.ConnectionState() == webrtc.PeerConnectionStateConnected {
		limit := time.NewTimer(lastWordsWait)
		defer limit.Stop()
		for waiting := true; waiting && event.dc.BufferedAmount() > 0; {
			select {
			case <-event.drained:
			case <-limit.C:
				waiting = false
			}
		}
	}
	l.close()
}

// close ends the transport, and waits for that no longer than endWait: pion/sctp v1.12 never ends an association whose
// last packets held a handshake again, and neither the engine's end nor this peer's may wait for it.
func (l *rtcLink) close() {
	done := make(chan struct{})
	go func() {
		l.end() //nolint:errcheck // nobody is left to be told
		close(done)
	}()
	limit := time.NewTimer(endWait)
	defer limit.Stop()
	select {
	case <-done:
	case <-limit.C:
		l.peer.engine.cfg.Log.Warn("a connection's transport does not end and is left behind", "connection", l.peer.ID(), "after", endWait)
	}
}
