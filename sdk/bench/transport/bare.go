package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pion/datachannel"
	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/webrtc/v4"
)

// Kinds of bare server.
const (
	UDP    = "udp"
	WebRTC = "webrtc"
)

// bareBuffer is the size of the one socket's buffers of a bare server, as venued has it.
const bareBuffer = 4 << 20

// phases is into how many parts a period is divided, as venued divides its tick.
const phases = 8

// sendTo is a peer that packets go to.
type sendTo func(b []byte)

// sender sends everyone a packet in each period, in phases.
type sender struct {
	mu    sync.Mutex
	peers [phases][]sendTo
	n     int
}

func (s *sender) add(to sendTo) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peers[s.n%phases] = append(s.peers[s.n%phases], to)
	s.n++
}

func (s *sender) run(ctx context.Context, size int, perS float64) {
	t := time.NewTicker(time.Duration(float64(time.Second) / perS / phases))
	defer t.Stop()
	packet := make([]byte, size)
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		s.mu.Lock()
		now := s.peers[n%phases]
		s.mu.Unlock()
		for _, to := range now {
			to(packet)
		}
	}
}

// Serve is a bare server in a child process: it takes whatever comes, and sends every client packets of a size at a
// rate, until ctx ends. It tells on out where it is.
func Serve(ctx context.Context, kind string, size int, perS float64, out io.Writer) error {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetReadBuffer(bareBuffer)
	conn.SetWriteBuffer(bareBuffer)
	all := new(sender)
	go all.run(ctx, size, perS)
	if kind == UDP {
		fmt.Fprintf(out, "at %s\nready\n", conn.LocalAddr())
		return serveUDP(ctx, conn, all)
	}
	return serveRTC(ctx, conn, all, out)
}

// serveUDP reads one socket; whoever sends is a client.
func serveUDP(ctx context.Context, conn *net.UDPConn, all *sender) error {
	context.AfterFunc(ctx, func() { conn.Close() })
	known := map[string]bool{}
	buf := make([]byte, 2048)
	for {
		_, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			continue // a client's port is closed
		}
		if key := from.String(); !known[key] {
			known[key] = true
			all.add(func(b []byte) { conn.WriteToUDPAddrPort(b, from) }) //nolint:errcheck // lost packets are lost
		}
	}
}

// newAPI makes pion ready for data channels, over one socket when mux is set.
func newAPI(mux ice.UDPMux) *webrtc.API {
	var s webrtc.SettingEngine
	f := logging.NewDefaultLoggerFactory()
	f.DefaultLogLevel = logging.LogLevelDisabled
	s.LoggerFactory = f
	if mux != nil {
		s.SetICEUDPMux(mux)
	}
	s.SetIncludeLoopbackCandidate(true)
	s.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	s.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	s.SetInterfaceFilter(func(name string) bool { return name == "lo" })
	s.DetachDataChannels()
	return webrtc.NewAPI(webrtc.WithSettingEngine(s), webrtc.WithMediaEngine(&webrtc.MediaEngine{}),
		webrtc.WithInterceptorRegistry(&interceptor.Registry{}))
}

// serveRTC answers offers over HTTP.
func serveRTC(ctx context.Context, conn *net.UDPConn, all *sender, out io.Writer) error {
	api := newAPI(ice.NewUDPMuxDefault(ice.UDPMuxParams{UDPConn: conn, Logger: logging.NewDefaultLoggerFactory().NewLogger("mux")}))
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	web := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var offer webrtc.SessionDescription
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<10)).Decode(&offer)
		var answer *webrtc.SessionDescription
		if err == nil {
			answer, err = accept(api, offer, all)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		json.NewEncoder(w).Encode(answer) //nolint:errcheck // the client sees it
	})}
	context.AfterFunc(ctx, func() { web.Close() })
	fmt.Fprintf(out, "at %s\nready\n", l.Addr())
	if err := web.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func accept(api *webrtc.API, offer webrtc.SessionDescription, all *sender) (*webrtc.SessionDescription, error) {
	pc, err := api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return nil, err
	}
	pc.OnDataChannel(func(dc *webrtc.DataChannel) {
		dc.OnOpen(func() {
			raw, err := dc.Detach()
			if err != nil {
				return
			}
			all.add(func(b []byte) { raw.Write(b) }) //nolint:errcheck // lost packets are lost
			go drain(raw, nil)
		})
	})
	if err := pc.SetRemoteDescription(offer); err != nil {
		return nil, err
	}
	return describe(pc, pc.CreateAnswer)
}

// describe makes a description with all candidates.
func describe[O any](pc *webrtc.PeerConnection, make func(*O) (webrtc.SessionDescription, error)) (*webrtc.SessionDescription, error) {
	d, err := make(nil)
	if err != nil {
		return nil, err
	}
	gathered := webrtc.GatheringCompletePromise(pc)
	if err := pc.SetLocalDescription(d); err != nil {
		return nil, err
	}
	<-gathered
	return pc.LocalDescription(), nil
}

func drain(raw datachannel.ReadWriteCloser, on func()) {
	buf := make([]byte, 16<<10)
	for {
		if _, err := raw.Read(buf); err != nil {
			return
		}
		if on != nil {
			on()
		}
	}
}

// clients are the clients of a bare server, in this process.
type clients struct {
	all   sender
	got   atomic.Int64
	first chan struct{} // closed by the first packet, if not nil
	ends  []func()
}

func (c *clients) count() {
	if c.got.Add(1) == 1 && c.first != nil {
		close(c.first)
	}
}

func (c *clients) close() {
	for _, end := range c.ends {
		end()
	}
}

// dialUDP adds a client of a UDP server.
func (c *clients) dialUDP(_ context.Context, at string) error {
	conn, err := net.Dial("udp4", at)
	if err != nil {
		return err
	}
	c.ends = append(c.ends, func() { conn.Close() })
	c.all.add(func(b []byte) { conn.Write(b) }) //nolint:errcheck // lost packets are lost
	go func() {
		buf := make([]byte, 2048)
		for {
			if _, err := conn.Read(buf); errors.Is(err, net.ErrClosed) {
				return
			}
			c.count()
		}
	}()
	return nil
}

// dialRTC adds a client of a WebRTC server.
func (c *clients) dialRTC(ctx context.Context, at string) error {
	pc, err := newAPI(nil).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return err
	}
	c.ends = append(c.ends, func() { pc.Close() })
	no, zero := false, uint16(0)
	dc, err := pc.CreateDataChannel("pose", &webrtc.DataChannelInit{Ordered: &no, MaxRetransmits: &zero})
	if err != nil {
		return err
	}
	open := make(chan error, 1)
	dc.OnOpen(func() {
		raw, err := dc.Detach()
		if err == nil {
			c.all.add(func(b []byte) { raw.Write(b) }) //nolint:errcheck // lost packets are lost
			go drain(raw, c.count)
		}
		open <- err
	})
	offer, err := describe(pc, pc.CreateOffer)
	if err != nil {
		return err
	}
	body, err := json.Marshal(offer)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+at+"/", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer webrtc.SessionDescription
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return fmt.Errorf("the answer (%s): %w", resp.Status, err)
	}
	if err := pc.SetRemoteDescription(answer); err != nil {
		return err
	}
	select {
	case err := <-open:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(readyWait):
		return errors.New("the channel did not open")
	}
}
