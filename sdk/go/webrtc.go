package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/pion/datachannel"
	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v4"
)

// rtcLink is a WebRTC connection with the two data channels.
type rtcLink struct {
	ending
	opts    *Options
	name    Lane
	pc      *webrtc.PeerConnection
	end     func() error // pc.GracefulClose
	token   string
	address string // of this connection at the gateway
	wg      sync.WaitGroup
	trouble chan struct{}

	mu     sync.Mutex
	pose   channel
	event  channel
	state  webrtc.ICEConnectionState
	change chan struct{} // closed and replaced when state changes
}

// channel is a data channel and, once open, its raw end.
type channel struct {
	dc  *webrtc.DataChannel
	raw datachannel.ReadWriteCloser
}

// rtcAPI returns the settings of one connection.
func (o *Options) rtcAPI() *webrtc.API {
	var s webrtc.SettingEngine
	s.DetachDataChannels()
	s.LoggerFactory = pionLogs{o.Log}
	s.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	s.SetIncludeLoopbackCandidate(o.loopback())
	// The library's defaults take half a minute to see a dead peer.
	s.SetICETimeouts(3*time.Second, 5*time.Second, time.Second)
	s.SetDTLSRetransmissionInterval(100 * time.Millisecond)
	s.SetSCTPRTOMax(time.Second)
	s.SetSCTPMaxReceiveBufferSize(256 << 10)
	switch o.Lane {
	case LaneWebRTC:
		s.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6})
	case LaneTCP:
		s.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeTCP4, webrtc.NetworkTypeTCP6})
	default:
		s.SetNetworkTypes([]webrtc.NetworkType{
			webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6, webrtc.NetworkTypeTCP4, webrtc.NetworkTypeTCP6,
		})
	}
	return webrtc.NewAPI(webrtc.WithSettingEngine(s), webrtc.WithMediaEngine(&webrtc.MediaEngine{}),
		webrtc.WithInterceptorRegistry(&interceptor.Registry{}))
}

func (o *Options) dialRTC(ctx context.Context, t ticket, l lanes) (_ link, err error) {
	pc, err := o.rtcAPI().NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, fmt.Errorf("client: WebRTC: %w", err)
	}
	name := o.Lane
	if name == LaneAuto {
		name = LaneWebRTC
	}
	k := &rtcLink{
		ending: newEnding(), opts: o, name: name, pc: pc, end: pc.GracefulClose, token: t.token,
		trouble: make(chan struct{}, 1), change: make(chan struct{}),
	}
	defer func() {
		if err != nil {
			k.close()
		}
	}()
	pc.OnICEConnectionStateChange(k.onICE)
	unordered, none := false, uint16(0)
	opened := make(chan struct{}, 2)
	if err := k.channel("pose", &webrtc.DataChannelInit{Ordered: &unordered, MaxRetransmits: &none}, &k.pose, maxPoseMessage, l.pose, opened); err != nil {
		return nil, err
	}
	if err := k.channel("event", nil, &k.event, maxMessage, l.event, opened); err != nil {
		return nil, err
	}
	sdp, err := k.offer(ctx, nil)
	if err != nil {
		return nil, err
	}
	answer, location, err := o.signal(ctx, http.MethodPost, withQuery(o.URL+"/v1/rtc", o.query(t)), t.token, sdp)
	if err != nil {
		return nil, err
	}
	k.address = location
	if err := pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer}); err != nil {
		return nil, fmt.Errorf("client: the server's SDP answer: %w", err)
	}
	for range 2 {
		select {
		case <-opened:
		case <-k.done():
			return nil, fmt.Errorf("client: WebRTC: %w", k.cause())
		case <-ctx.Done():
			// The gateway should not wait for what has been given up.
			bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
			defer cancel()
			k.remove(bye)
			return nil, fmt.Errorf("client: WebRTC did not come up: %w", ctx.Err())
		}
	}
	return k, nil
}

// channel declares one data channel whose messages go to f.
func (k *rtcLink) channel(label string, init *webrtc.DataChannelInit, c *channel, limit int, f func([]byte), opened chan<- struct{}) error {
	dc, err := k.pc.CreateDataChannel(label, init)
	if err != nil {
		return fmt.Errorf("client: channel %s: %w", label, err)
	}
	dc.OnOpen(func() {
		raw, err := dc.Detach()
		if err != nil {
			k.fail(fmt.Errorf("channel %s: %w", label, err))
			return
		}
		k.mu.Lock()
		*c = channel{dc, raw}
		dead := k.ctx.Err() != nil
		if !dead {
			k.wg.Go(func() { k.read(label, raw, limit, f) })
		}
		k.mu.Unlock()
		if dead {
			_ = raw.Close()
			return
		}
		opened <- struct{}{}
	})
	return nil
}

func (k *rtcLink) read(label string, raw datachannel.ReadWriteCloser, limit int, f func([]byte)) {
	buf := make([]byte, limit) // a shorter one would end the channel at the first longer message
	for {
		n, _, err := raw.ReadDataChannel(buf)
		if err != nil {
			k.fail(fmt.Errorf("channel %s: %w: %w", label, errPeerClosed, err))
			return
		}
		f(buf[:n])
	}
}

// offer makes an offer with all candidates.
func (k *rtcLink) offer(ctx context.Context, how *webrtc.OfferOptions) (string, error) {
	offer, err := k.pc.CreateOffer(how)
	if err != nil {
		return "", fmt.Errorf("client: offer: %w", err)
	}
	gathered := webrtc.GatheringCompletePromise(k.pc)
	if err := k.pc.SetLocalDescription(offer); err != nil {
		return "", fmt.Errorf("client: offer: %w", err)
	}
	select {
	case <-gathered:
	case <-ctx.Done():
		return "", fmt.Errorf("client: gathering candidates: %w", ctx.Err())
	}
	return k.pc.LocalDescription().SDP, nil
}

func (k *rtcLink) onICE(s webrtc.ICEConnectionState) {
	k.opts.Log.Debug("ICE state", "state", s.String())
	k.mu.Lock()
	k.state = s
	close(k.change)
	k.change = make(chan struct{})
	k.mu.Unlock()
	switch s {
	case webrtc.ICEConnectionStateDisconnected:
		select {
		case k.trouble <- struct{}{}:
		default:
		}
	case webrtc.ICEConnectionStateFailed:
		k.fail(errors.New("ICE failed: no path to the server is left"))
	}
}

// repair restarts ICE by a new offer: the encryption and the channels live on.
func (k *rtcLink) repair(ctx context.Context) error {
	sdp, err := k.offer(ctx, &webrtc.OfferOptions{ICERestart: true})
	if err != nil {
		return err
	}
	answer, _, err := k.opts.signal(ctx, http.MethodPatch, k.address, k.token, sdp)
	if err != nil {
		return err
	}
	if err := k.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer}); err != nil {
		return fmt.Errorf("client: the server's SDP answer: %w", err)
	}
	for {
		k.mu.Lock()
		state, change := k.state, k.change
		k.mu.Unlock()
		if state == webrtc.ICEConnectionStateConnected || state == webrtc.ICEConnectionStateCompleted {
			return nil
		}
		select {
		case <-change:
		case <-k.done():
			return k.cause()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (k *rtcLink) channels() (pose, event channel) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.pose, k.event
}

func (k *rtcLink) sendPose(b []byte) bool {
	c, _ := k.channels()
	if c.raw == nil || k.ctx.Err() != nil || c.dc.BufferedAmount() > maxPoseBacklog {
		return false
	}
	_, err := c.raw.WriteDataChannel(b, false)
	return err == nil
}

func (k *rtcLink) sendEvent(b []byte) error {
	if err := k.cause(); err != nil {
		return err
	}
	_, c := k.channels()
	if c.raw == nil {
		return errPeerClosed
	}
	if c.dc.BufferedAmount()+uint64(len(b)) > maxEventBacklog {
		k.fail(errBacklog)
		return errBacklog
	}
	if _, err := c.raw.WriteDataChannel(b, true); err != nil {
		return fmt.Errorf("channel event: %w", err)
	}
	return nil
}

func (k *rtcLink) flush(ctx context.Context) {
	_, c := k.channels()
	if c.dc == nil {
		return
	}
	low := make(chan struct{}, 1)
	c.dc.SetBufferedAmountLowThreshold(0)
	c.dc.OnBufferedAmountLow(func() {
		select {
		case low <- struct{}{}:
		default:
		}
	})
	for c.dc.BufferedAmount() > 0 {
		select {
		case <-low:
		case <-k.done():
			return
		case <-ctx.Done():
			return
		}
	}
}

func (k *rtcLink) troubled() <-chan struct{} { return k.trouble }
func (k *rtcLink) lane() Lane                { return k.name }

func (k *rtcLink) remove(ctx context.Context) {
	if k.address == "" {
		return
	}
	if _, _, err := k.opts.signal(ctx, http.MethodDelete, k.address, k.token, ""); err != nil {
		k.opts.Log.Debug("the gateway did not take the end of the connection", "error", err)
	}
}

// endWait is how long closing waits for the transport to end.
const endWait = 2 * time.Second

// close ends the transport, and waits for that no longer than endWait: pion/sctp v1.12 never ends an
// association whose last packets held a handshake again, and nobody who closes a client may wait for it.
func (k *rtcLink) close() {
	k.fail(ErrClosed)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		k.shut()
	}()
	limit := time.NewTimer(endWait)
	defer limit.Stop()
	select {
	case <-ended:
	case <-limit.C:
		k.opts.Log.Warn("the connection's transport does not end and is left behind", "after", endWait)
	}
}

// shut ends the transport and returns when nothing of it runs any more.
func (k *rtcLink) shut() {
	if err := k.end(); err != nil {
		k.opts.Log.Debug("closing the connection", "error", err)
	}
	k.mu.Lock()
	open := [...]channel{k.pose, k.event}
	k.mu.Unlock()
	for _, c := range open {
		if c.raw != nil {
			_ = c.raw.Close()
		}
	}
	k.wg.Wait()
}
