package browser

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// relay is the network between a browser and a server: everything goes through it, HTTP, WebSocket, and
// WebRTC over UDP and TCP, and it can be cut. It changes nothing but the candidates in session descriptions: those of the
// answer name the relay's ports, those of the offer are left out, so that neither side finds a way around it.
type relay struct {
	URL string // of the HTTP side

	gate   *gate
	server *http.Server
	udp    *net.UDPConn
	tcp    net.Listener
	noUDP  bool // a network without UDP

	mu    sync.Mutex
	conns map[net.Conn]struct{}           // every TCP connection of a browser
	flows map[netip.AddrPort]*net.UDPConn // of each browser's UDP socket, the one toward the server
	done  bool
	wait  sync.WaitGroup
}

// newRelay starts a relay before the server at base; the ports of its candidates are learned from its answers.
func newRelay(t *testing.T, base string) *relay {
	t.Helper()
	target, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{gate: newGate(), conns: map[net.Conn]struct{}{}, flows: map[netip.AddrPort]*net.UDPConn{}}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if r.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if r.udp, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	r.URL = "http://" + plain.Addr().String()
	ports := &serverPorts{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host // the server compares it with the page's origin
			if isSignalling(p.In) {
				withoutCandidates(p.Out)
			}
		},
		ModifyResponse: func(res *http.Response) error {
			if !isSignalling(res.Request) || res.StatusCode >= 300 {
				return nil
			}
			return r.moveCandidates(res, ports)
		},
		// A server that is not there is not answered for: the browser's connection breaks.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	r.server = &http.Server{Handler: proxy, ReadHeaderTimeout: time.Minute}
	r.wait.Add(3)
	go func() { defer r.wait.Done(); r.server.Serve(&gatedListener{plain, r}) }() //nolint:errcheck // closed at the end
	go func() { defer r.wait.Done(); r.relayTCP(ports) }()
	go func() { defer r.wait.Done(); r.relayUDP(ports) }()
	t.Cleanup(r.close)
	return r
}

func isSignalling(r *http.Request) bool {
	return r.Method == http.MethodPost && r.URL.Path == "/v1/rtc" || r.Method == http.MethodPatch
}

// serverPorts are the ports of the server's candidates, once an answer has named them.
type serverPorts struct {
	mu       sync.Mutex
	udp, tcp string
}

func (p *serverPorts) get() (udp, tcp string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.udp, p.tcp
}

var candidate = regexp.MustCompile(`(?m)^a=candidate:(\S+) (\d+) (\S+) (\d+) (\S+) (\d+) .*\r?\n`)

// withoutCandidates takes the candidates out of an offer.
func withoutCandidates(r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		body = candidate.ReplaceAll(body, nil)
	}
	setBody(&r.Body, r.Header, &r.ContentLength, body)
}

// moveCandidates leaves one candidate of each transport in an answer, which names the relay.
func (r *relay) moveCandidates(res *http.Response, ports *serverPorts) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	ports.mu.Lock()
	body = candidate.ReplaceAllFunc(body, func(line []byte) []byte {
		m := candidate.FindSubmatch(line)
		transport := string(bytes.ToLower(m[3]))
		if seen[transport] || r.noUDP && transport == "udp" {
			return nil
		}
		seen[transport] = true
		address, own := net.JoinHostPort(string(m[5]), string(m[6])), r.udp.LocalAddr().(*net.UDPAddr).Port
		if transport == "udp" {
			ports.udp = address
		} else {
			ports.tcp, own = address, r.tcp.Addr().(*net.TCPAddr).Port
		}
		from := string(m[5]) + " " + string(m[6]) + " "
		return bytes.Replace(line, []byte(from), []byte("127.0.0.1 "+strconv.Itoa(own)+" "), 1)
	})
	ports.mu.Unlock()
	setBody(&res.Body, res.Header, &res.ContentLength, body)
	return nil
}

func setBody(to *io.ReadCloser, header http.Header, length *int64, body []byte) {
	*to = io.NopCloser(bytes.NewReader(body))
	*length = int64(len(body))
	header.Set("Content-Length", strconv.Itoa(len(body)))
}

// cut loses everything from now on, without a word to either side.
func (r *relay) cut() { r.gate.shut() }

// heal lets traffic pass again. What TCP sent meanwhile arrives, as it does by retransmission; datagrams are lost.
func (r *relay) heal() { r.gate.open() }

// breakAll breaks every TCP connection of the browsers and lets no new one do anything until heal.
func (r *relay) breakAll() {
	r.gate.shut()
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.conns {
		c.Close() //nolint:errcheck // that is the point
	}
}

func (r *relay) close() {
	r.server.Close() //nolint:errcheck // the test is over
	r.tcp.Close()    //nolint:errcheck // likewise
	r.udp.Close()    //nolint:errcheck // likewise
	r.mu.Lock()
	r.done = true
	for c := range r.conns {
		c.Close() //nolint:errcheck // likewise
	}
	for _, c := range r.flows {
		c.Close() //nolint:errcheck // likewise
	}
	r.mu.Unlock()
	r.wait.Wait()
}

// gate says whether traffic passes.
type gate struct {
	mu      sync.Mutex
	passing chan struct{} // closed while traffic passes
}

func newGate() *gate {
	g := &gate{passing: make(chan struct{})}
	close(g.passing)
	return g
}

func (g *gate) isOpen() bool {
	select {
	case <-g.now():
		return true
	default:
		return false
	}
}

func (g *gate) now() chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.passing
}

func (g *gate) shut() {
	if g.isOpen() {
		g.mu.Lock()
		g.passing = make(chan struct{})
		g.mu.Unlock()
	}
}

func (g *gate) open() {
	if !g.isOpen() {
		close(g.now())
	}
}

// gatedConn is a browser's TCP connection: nothing passes while the gate is shut.
type gatedConn struct {
	net.Conn
	relay  *relay
	once   sync.Once
	closed chan struct{}
}

func (r *relay) gated(c net.Conn) *gatedConn {
	g := &gatedConn{Conn: c, relay: r, closed: make(chan struct{})}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns[g] = struct{}{}
	if r.done {
		c.Close() //nolint:errcheck // the test is over
	}
	return g
}

func (c *gatedConn) pass() error {
	select {
	case <-c.relay.gate.now():
		return nil
	case <-c.closed:
		return net.ErrClosed
	}
}

func (c *gatedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		err = errors.Join(err, c.pass())
	}
	return n, err
}

func (c *gatedConn) Write(b []byte) (int, error) {
	if err := c.pass(); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *gatedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	go func() { // breakAll holds the lock while it closes
		c.relay.mu.Lock()
		defer c.relay.mu.Unlock()
		delete(c.relay.conns, c)
	}()
	return c.Conn.Close()
}

type gatedListener struct {
	net.Listener
	relay *relay
}

func (l *gatedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.relay.gated(c), nil
}

// relayTCP carries ICE over TCP.
func (r *relay) relayTCP(ports *serverPorts) {
	for {
		in, err := r.tcp.Accept()
		if err != nil {
			return
		}
		browser := r.gated(in)
		_, address := ports.get()
		var dialer net.Dialer
		server, err := dialer.DialContext(context.Background(), "tcp", address)
		if err != nil {
			browser.Close() //nolint:errcheck // nobody is there
			continue
		}
		r.wait.Add(2)
		carry := func(to, from net.Conn) {
			defer r.wait.Done()
			io.Copy(to, from) //nolint:errcheck // either side ends it
			to.Close()        //nolint:errcheck // likewise
			from.Close()      //nolint:errcheck // likewise
		}
		go carry(server, browser)
		go carry(browser, server)
	}
}

// relayUDP carries datagrams, each browser socket's through a socket of its own toward the server.
func (r *relay) relayUDP(ports *serverPorts) {
	buf := make([]byte, 2048)
	for {
		n, from, err := r.udp.ReadFromUDPAddrPort(buf)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil || !r.gate.isOpen() {
			continue
		}
		if c := r.flow(from, ports); c != nil {
			c.Write(buf[:n]) //nolint:errcheck // a datagram may be lost
		}
	}
}

// flow returns the socket of a browser's socket.
func (r *relay) flow(from netip.AddrPort, ports *serverPorts) *net.UDPConn {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.flows[from]; c != nil || r.done {
		return c
	}
	address, _ := ports.get()
	to, err := net.ResolveUDPAddr("udp", address)
	if err != nil {
		return nil
	}
	c, err := net.DialUDP("udp", nil, to)
	if err != nil {
		return nil
	}
	r.flows[from] = c
	r.wait.Add(1)
	go func() {
		defer r.wait.Done()
		buf := make([]byte, 2048)
		for {
			n, err := c.Read(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil && r.gate.isOpen() {
				r.udp.WriteToUDPAddrPort(buf[:n], from) //nolint:errcheck // a datagram may be lost
			}
		}
	}()
	return c
}
