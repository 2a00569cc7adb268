package peer

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/webrtc/v4"

	"github.com/venued/venued/rtc/wire"
)

// Config is what an engine starts from.
type Config struct {
	// UDP is the "host:port" that all WebRTC peers share. Port 0 takes a free one.
	UDP string
	// TCP is the "host:port" of ICE-TCP; "" for none.
	TCP string
	// PublicIPs are addresses to tell clients instead of the machine's own, behind one-to-one NAT.
	PublicIPs []string
	// Loopback tells clients 127.0.0.1 too: for development and tests, and needed when UDP is a loopback address.
	Loopback bool
	// SetupTimeout is how long a connection may take until both lanes are up; default 5 s.
	SetupTimeout time.Duration
	// Log gets what the transport libraries report; default: nothing.
	Log *slog.Logger
}

// Settings of the transport. Each was measured, or works around a defect.
const (
	socketBuffer    = 4 << 20 // bytes, either way, of the one UDP socket
	tcpWriteBuffer  = 256 << 10
	iceDisconnected = 3 * time.Second
	iceFailed       = 5 * time.Second // after disconnected
	iceKeepAlive    = time.Second
	dtlsRetransmit  = 100 * time.Millisecond
	sctpMaxMessage  = 16 << 10
	sctpReceive     = 128 << 10
	sctpRTOMax      = time.Second
	defaultSetup    = 5 * time.Second
	lastWordsWait   = 500 * time.Millisecond // how long a close waits for its last event to be read
	endWait         = 5 * time.Second        // and for the transport to end
)

// Engine owns the sockets and the peers on them. Make one with [Listen].
type Engine struct {
	cfg    Config
	api    *webrtc.API
	cert   webrtc.Certificate
	udp    *net.UDPConn
	udpMux *ice.UDPMuxDefault
	tcp    net.Listener
	tcpMux *ice.TCPMuxDefault

	mu      sync.Mutex
	stopped bool
	peers   map[*Peer]struct{}
	running sync.WaitGroup // one for each peer until its transport is down
}

// ErrStopped is returned for connections to an engine that stops.
var ErrStopped = errors.New("the server stops")

// Listen opens the sockets. The error names the address and the setting.
func Listen(cfg Config) (*Engine, error) {
	if cfg.SetupTimeout == 0 {
		cfg.SetupTimeout = defaultSetup
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	e := &Engine{cfg: cfg, peers: map[*Peer]struct{}{}}
	addr, err := net.ResolveUDPAddr("udp", cfg.UDP)
	if err != nil {
		return nil, fmt.Errorf("rtc.udp_port: UDP address %q: %w", cfg.UDP, err)
	}
	if e.udp, err = net.ListenUDP("udp", addr); err != nil {
		return nil, fmt.Errorf("rtc.udp_port: UDP %s cannot be opened (in use by another process?): %w", cfg.UDP, err)
	}
	// The kernel may grant less; then there are drops under bursts, not errors.
	e.udp.SetReadBuffer(socketBuffer)
	e.udp.SetWriteBuffer(socketBuffer)
	if cfg.TCP != "" {
		if e.tcp, err = net.Listen("tcp", cfg.TCP); err != nil {
			e.udp.Close()
			return nil, fmt.Errorf("rtc.tcp_port: TCP %s cannot be opened (in use by another process?): %w", cfg.TCP, err)
		}
	}
	if err := e.configure(); err != nil {
		return nil, errors.Join(err, e.closeSockets())
	}
	return e, nil
}

// configure builds the WebRTC API over the open sockets.
func (e *Engine) configure() error {
	logs := logFactory{e.cfg.Log}
	e.udpMux = ice.NewUDPMuxDefault(ice.UDPMuxParams{UDPConn: e.udp, Logger: logs.NewLogger("udpmux")})
	var s webrtc.SettingEngine
	s.LoggerFactory = logs
	s.SetICEUDPMux(e.udpMux)
	networks := []webrtc.NetworkType{webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6}
	if e.tcp != nil {
		e.tcpMux = ice.NewTCPMuxDefault(ice.TCPMuxParams{
			Listener: e.tcp, Logger: logs.NewLogger("tcpmux"),
			ReadBufferSize: 32, WriteBufferSize: tcpWriteBuffer,
			FirstStunBindTimeout:         e.cfg.SetupTimeout,
			AliveDurationForConnFromStun: e.cfg.SetupTimeout,
		})
		s.SetICETCPMux(e.tcpMux)
		networks = append(networks, webrtc.NetworkTypeTCP4, webrtc.NetworkTypeTCP6)
	}
	s.DisableActiveTCP(true)
	s.SetNetworkTypes(networks)
	s.SetIncludeLoopbackCandidate(e.cfg.Loopback)
	s.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	s.SetICETimeouts(iceDisconnected, iceFailed, iceKeepAlive)
	if len(e.cfg.PublicIPs) > 0 {
		if err := s.SetICEAddressRewriteRules(webrtc.ICEAddressRewriteRule{
			External: e.cfg.PublicIPs, AsCandidateType: webrtc.ICECandidateTypeHost,
		}); err != nil {
			return fmt.Errorf("rtc.public_ips %v: %w", e.cfg.PublicIPs, err)
		}
	}
	// Writes must not block: one peer that stalls would hold up whoever serves all of them.
	s.DetachDataChannels()
	s.EnableDataChannelBlockWrite(false)
	s.SetSCTPMaxMessageSize(sctpMaxMessage)
	s.SetSCTPMaxReceiveBufferSize(sctpReceive)
	s.SetSCTPRTOMax(sctpRTOMax)
	s.SetDTLSRetransmissionInterval(dtlsRetransmit)
	if err := s.SetAnsweringDTLSRole(webrtc.DTLSRoleServer); err != nil {
		return err
	}
	e.api = webrtc.NewAPI(
		webrtc.WithSettingEngine(s),
		webrtc.WithMediaEngine(&webrtc.MediaEngine{}),
		webrtc.WithInterceptorRegistry(&interceptor.Registry{}))
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("DTLS key: %w", err)
	}
	cert, err := webrtc.GenerateCertificate(key)
	if err != nil {
		return fmt.Errorf("DTLS certificate: %w", err)
	}
	e.cert = *cert
	return nil
}

// UDPAddr is the address that WebRTC peers share.
func (e *Engine) UDPAddr() *net.UDPAddr { return e.udp.LocalAddr().(*net.UDPAddr) }

// TCPAddr is the address of ICE-TCP, nil when there is none.
func (e *Engine) TCPAddr() *net.TCPAddr {
	if e.tcp == nil {
		return nil
	}
	return e.tcp.Addr().(*net.TCPAddr)
}

// add takes a new peer in and starts its set-up deadline.
func (e *Engine) add(p *Peer) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stopped {
		return ErrStopped
	}
	e.peers[p] = struct{}{}
	e.running.Add(1)
	p.mu.Lock()
	p.setup = time.AfterFunc(e.cfg.SetupTimeout, func() {
		p.Close(wire.CodeSetupTimeout, fmt.Sprintf("the pose and event channels were not up within %v", e.cfg.SetupTimeout))
	})
	p.mu.Unlock()
	return nil
}

// closed lets a peer go whose transport is down.
func (e *Engine) closed(p *Peer) {
	e.mu.Lock()
	delete(e.peers, p)
	e.mu.Unlock()
	e.running.Done()
}

// Len is the number of peers, those being set up or closed included.
func (e *Engine) Len() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.peers)
}

// Stop refuses new peers, closes those there are with server_shutdown, waits for
// them until ctx ends, and closes the sockets.
func (e *Engine) Stop(ctx context.Context) error {
	e.mu.Lock()
	e.stopped = true
	for p := range e.peers {
		p.Close(wire.CodeServerShutdown, "the server stops")
	}
	e.mu.Unlock()
	down := make(chan struct{})
	go func() {
		e.running.Wait()
		close(down)
	}()
	var err error
	select {
	case <-down:
	case <-ctx.Done():
		err = fmt.Errorf("%d connections were not closed in time: %w", e.Len(), ctx.Err())
	}
	return errors.Join(err, e.closeSockets())
}

func (e *Engine) closeSockets() error {
	var errs []error
	if e.tcpMux != nil {
		errs = append(errs, e.tcpMux.Close()) // closes its listener
	} else if e.tcp != nil {
		errs = append(errs, e.tcp.Close())
	}
	if e.udpMux != nil {
		errs = append(errs, e.udpMux.Close()) // closes its socket
	} else {
		errs = append(errs, e.udp.Close())
	}
	return errors.Join(errs...)
}
