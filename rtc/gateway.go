package rtc

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// resumeLife is how long a resume token may be used. Its session decides whether it
// still counts.
const resumeLife = 12 * time.Hour

// Config is what a gateway starts from.
type Config struct {
	Venue *venues.Venue
	Bus   *bus.Conn
	Key   []byte // that tokens are signed with, see token.ReadKey

	// Development offers loopback addresses to clients and lets pages of localhost in.
	Development bool
	// UDP is the "host:port" that WebRTC clients share.
	UDP string
	// TCP is the "host:port" for ICE-TCP; "" for none.
	TCP string
	// PublicIPs are told to clients instead of the machine's own addresses, behind one-to-one NAT.
	PublicIPs []string
	// Origins are the pages that may connect beside those of the server's own host:
	// "https://example.org", with * for any part of a name, or "*" for all.
	Origins []string
	// ICE are STUN and TURN servers that clients are told of.
	ICE []wire.ICEServer
	// SetupTimeout is how long a connection may take to come up; default 5 s.
	SetupTimeout time.Duration

	Log        *slog.Logger          // default slog.Default()
	Registerer prometheus.Registerer // default: metrics are kept and not shown
}

// Gateway lets clients into one venue. Make one with [New].
type Gateway struct {
	cfg      Config
	log      *slog.Logger
	id       uint64
	started  time.Time
	engine   *peer.Engine
	issuer   *token.Issuer
	verifier *token.Verifier
	metrics  *metrics
	kinds    []wire.Kind
	handler  http.Handler

	maxSessions int
	admission   admission
	load        load
	hub         *hub

	ctx    context.Context // ends when the gateway stops
	cancel context.CancelFunc
	stop   chan struct{} // ends the hub
	work   sync.WaitGroup

	mu       sync.Mutex
	conns    map[string]*conn // by the peer's id
	running  bool             // the hub is
	stopping bool

	notReady atomic.Pointer[string]
	counts   atomic.Pointer[counts]
}

type counts struct{ connected, away int }

// Stats is a look at a gateway.
type Stats struct {
	Connected, Away int // sessions
	Peers           int // connections, those being set up or closed included
}

// New opens the gateway's ports. Errors name the port and the setting.
func New(cfg Config) (*Gateway, error) {
	if cfg.Venue == nil || cfg.Bus == nil {
		return nil, errors.New("rtc: a venue and a bus connection are needed")
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	issuer, err := token.NewIssuer(cfg.Key, nil)
	if err != nil {
		return nil, err
	}
	verifier, err := token.NewVerifier(cfg.Key, cfg.Venue.ID, nil)
	if err != nil {
		return nil, err
	}
	g := &Gateway{
		cfg: cfg, log: cfg.Log, id: newID(), started: time.Now(),
		issuer: issuer, verifier: verifier, metrics: newMetrics(),
		// The region decides how many are let in; this only bounds what it is asked.
		maxSessions: cfg.Venue.Limits.Users + pendingTotal,
		stop:        make(chan struct{}),
		conns:       map[string]*conn{},
	}
	for i := range cfg.Venue.Kinds {
		k := &cfg.Venue.Kinds[i]
		g.kinds = append(g.kinds, wire.Kind{
			Name: k.Name, Grabbable: k.Grabbable, Usable: k.Usable, Shape: k.Shape, Size: k.Size, Color: k.Color,
		})
	}
	if err := checkOrigins(cfg.Origins); err != nil {
		return nil, err
	}
	if g.handler, err = g.routes(); err != nil {
		return nil, err
	}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	loopback := cfg.Development
	if host, _, err := net.SplitHostPort(cfg.UDP); err == nil {
		ip := net.ParseIP(host)
		loopback = loopback || host == "localhost" || ip != nil && ip.IsLoopback()
	}
	g.engine, err = peer.Listen(peer.Config{
		UDP: cfg.UDP, TCP: cfg.TCP, PublicIPs: cfg.PublicIPs, Loopback: loopback,
		SetupTimeout: cfg.SetupTimeout, Log: cfg.Log,
	})
	if err != nil {
		g.cancel()
		return nil, err
	}
	if cfg.Registerer != nil {
		if err := g.metrics.register(cfg.Registerer); err != nil {
			g.cancel()
			g.engine.Stop(context.Background())
			return nil, fmt.Errorf("rtc: metrics: %w", err)
		}
	}
	g.load.processors, g.load.tick = runtime.GOMAXPROCS(0), time.Duration(cfg.Venue.TickUS())*time.Microsecond
	g.hub = newHub(g, g.started)
	g.counts.Store(&counts{})
	waiting := cfg.Venue.Regions[0].Name
	g.notReady.Store(&waiting)
	return g, nil
}

// Start subscribes to the regions' streams and begins to serve. It returns when the
// subscriptions are in force; [Gateway.Ready] tells when the regions have answered.
func (g *Gateway) Start(ctx context.Context) error {
	for _, f := range g.hub.feeds {
		sub, err := g.cfg.Bus.Subscribe(bus.Records(g.cfg.Venue.ID, f.name), func(m bus.Msg) {
			g.hub.push(message{record: m.Data, feed: f, at: time.Now()})
		})
		if err != nil {
			return errors.Join(err, g.Stop(ctx))
		}
		f.sub = sub
	}
	if err := g.cfg.Bus.Flush(ctx); err != nil {
		return errors.Join(err, g.Stop(ctx))
	}
	g.mu.Lock()
	g.running = true
	g.mu.Unlock()
	g.work.Add(1)
	go func() {
		defer g.work.Done()
		g.hub.run(g.stop)
	}()
	g.log.Info("gateway is up", "venue", g.cfg.Venue.ID, "udp", g.engine.UDPAddr().String(), "tcp", g.TCPPort())
	return nil
}

// Stop sends everyone server_shutdown, tells the regions that they are away, and waits
// until ctx ends for the connections to close. It may be called once.
func (g *Gateway) Stop(ctx context.Context) error {
	g.mu.Lock()
	g.stopping = true
	running := g.running
	g.mu.Unlock()
	if running {
		g.call(ctx, func() { g.hub.shutDown(time.Now()) })
	}
	err := g.engine.Stop(ctx)
	g.cancel()
	close(g.stop)
	if !running {
		close(g.hub.done)
	}
	for _, f := range g.hub.feeds {
		if f.sub != nil {
			f.sub.Stop()
		}
	}
	g.work.Wait()
	if g.cfg.Registerer != nil {
		g.metrics.unregister(g.cfg.Registerer)
	}
	return err
}

// Ready says whether every region's stream is there: nil, or an error that names one that is not.
func (g *Gateway) Ready() error {
	if name := *g.notReady.Load(); name != "" {
		return fmt.Errorf("region %s: no records come in", name)
	}
	return nil
}

func (g *Gateway) setReady(missing string) {
	if *g.notReady.Load() != missing {
		g.notReady.Store(&missing)
	}
}

// Stats returns counts of the last twentieth of a second.
func (g *Gateway) Stats() Stats {
	c := g.counts.Load()
	return Stats{Connected: c.connected, Away: c.away, Peers: g.engine.Len()}
}

// UDPPort is the port of WebRTC over UDP.
func (g *Gateway) UDPPort() int { return g.engine.UDPAddr().Port }

// TCPPort is the port of ICE-TCP, 0 when there is none.
func (g *Gateway) TCPPort() int {
	if a := g.engine.TCPAddr(); a != nil {
		return a.Port
	}
	return 0
}

// Handler serves /v1/rtc, /v1/ws and /v1/venue.
func (g *Gateway) Handler() http.Handler { return g.handler }

// call runs f on the hub's goroutine and waits for it; false when ctx ended or the hub has.
func (g *Gateway) call(ctx context.Context, f func()) bool {
	ran := make(chan struct{})
	m := message{run: func() {
		f()
		close(ran)
	}}
	select {
	case g.hub.in <- m:
	case <-g.hub.done:
		return false
	case <-ctx.Done():
		return false
	}
	select {
	case <-ran:
		return true
	case <-g.hub.done:
	case <-ctx.Done():
	}
	return false
}

// handlers are what a connection's peer calls, on its own goroutines.
func (g *Gateway) handlers(c *conn) peer.Handlers {
	return peer.Handlers{
		Open: func(p *peer.Peer) {
			at := time.Now()
			g.hub.push(message{run: func() {
				c.peer = p
				g.hub.open(c, at)
			}})
		},
		Closed: func(p *peer.Peer, cause peer.Cause) {
			g.hub.push(message{run: func() {
				c.peer = p
				g.hub.detach(c, cause, time.Now())
			}})
		},
		Pose:  func(p *peer.Peer, b []byte, at time.Time) { g.poseLane(c, p, b, at) },
		Event: func(p *peer.Peer, b []byte, at time.Time) { g.eventLane(c, p, b, at) },
	}
}

// poseLane reads a binary message. Samples beyond the rate limit, or that find the
// hub's queue full, are dropped: newer ones follow.
func (g *Gateway) poseLane(c *conn, p *peer.Peer, b []byte, at time.Time) {
	c.got.bytes.Add(uint64(len(b)))
	if !c.poses.AllowN(at, 1) {
		g.metrics.posesLost.Inc()
		return
	}
	m := message{conn: c, at: at, lane: lanePose}
	kind, err := wire.TypeOf(b)
	switch {
	case err != nil:
	case kind == wire.MsgPose:
		m.isPose = true
		c.got.poses.Add(1)
		err = wire.DecodePose(b, &m.pose)
	case kind == wire.MsgPing:
		var ping wire.Ping
		if err = wire.DecodePing(b, &ping); err == nil {
			m.run = func() { g.hub.pong(p, ping.T0, at) }
		}
	default:
		err = &wire.Error{Code: wire.CodeBadMessage, Field: "byte 0", Msg: fmt.Sprintf("clients send poses and pings, not messages of type %d", kind)}
	}
	if err != nil {
		m.isPose, m.fault = false, asFault(err)
		g.hub.push(m)
		return
	}
	if !g.hub.offer(m) {
		g.metrics.posesLost.Inc()
	}
}

// eventLane reads a text message. When the hub's queue is full the client waits. What is far above the
// venue's limit does not reach the hub, so that one client cannot fill its queue.
func (g *Gateway) eventLane(c *conn, p *peer.Peer, b []byte, at time.Time) {
	c.got.bytes.Add(uint64(len(b)))
	pass, flood := c.flood.count(at)
	if flood {
		p.Close(wire.CodeEventFlood, "many times more messages than the venue allows, for seconds")
	}
	if !pass {
		return
	}
	m := message{conn: c, at: at, lane: laneEvent}
	var u wire.Up
	switch err := wire.DecodeUp(b, &u); {
	case err != nil:
		m.fault, m.seq = asFault(err), u.N
	case u.T == wire.UpBye:
		// Here and not in the hub: the end of the connection, which follows at once, must not
		// overtake it.
		p.Close(wire.CodeLeft, "the client said bye")
		return
	default:
		m.up = &u
	}
	g.hub.push(m)
}

// pong answers a ping with the server's time.
func (h *hub) pong(p *peer.Peer, t0 uint64, at time.Time) {
	if !h.time.known || !p.CanSendPose(0) {
		return
	}
	p.SendPose(wire.AppendPong(nil, &wire.Pong{
		T0: t0, T1: uint64(h.time.at(at)), T2: uint64(h.time.at(time.Now())),
	}))
}

func asFault(err error) *wire.Error {
	var e *wire.Error
	if errors.As(err, &e) {
		return e
	}
	return &wire.Error{Code: wire.CodeBadMessage, Msg: err.Error()}
}

// tokenFault is the code and the text of an error of rtc/token.
func tokenFault(err error) (wire.Code, string) {
	var e *token.Error
	if errors.As(err, &e) {
		return e.Code, e.Msg
	}
	return wire.CodeTokenInvalid, err.Error()
}

func (g *Gateway) remember(c *conn, p *peer.Peer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !c.gone {
		c.known = p
		g.conns[p.ID()] = c
	}
}

func (g *Gateway) forget(c *conn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c.gone = true
	delete(g.conns, c.peer.ID())
}

// newID returns a random id that is not 0.
func newID() uint64 {
	var b [8]byte
	for {
		rand.Read(b[:])
		if id := binary.LittleEndian.Uint64(b[:]); id != 0 {
			return id
		}
	}
}
