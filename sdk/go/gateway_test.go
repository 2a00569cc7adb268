package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/wire"
)

// patience is how long a test waits for what must come, before it fails.
const patience = 30 * time.Second

// gateway is the server's side of the protocol, played by the test: the real transport
// (rtc/peer) under a script.
type gateway struct {
	t      testing.TB
	engine *peer.Engine
	srv    *httptest.Server
	start  time.Time
	came   chan *served // connections whose lanes are up

	mu      sync.Mutex
	refuse  func(r *http.Request) (status int, body string) // asked first
	asked   []string                                        // "METHOD path?query token"
	changed chan struct{}                                   // closed and replaced with asked
	peers   map[string]*peer.Peer
}

// served is one connection as the script sees it.
type served struct {
	g     *gateway
	p     *peer.Peer
	ups   chan wire.Up
	poses chan wire.Pose // bounded; newest are dropped when full
	pings chan wire.Ping // the same
}

func newGateway(t testing.TB) *gateway {
	t.Helper()
	e, err := peer.Listen(peer.Config{UDP: "127.0.0.1:0", TCP: "127.0.0.1:0", Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	g := &gateway{
		t: t, engine: e, start: time.Now(), came: make(chan *served, 16),
		peers: map[string]*peer.Peer{}, changed: make(chan struct{}),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/rtc", g.post)
	mux.HandleFunc("PATCH /v1/rtc/{id}", g.patch)
	mux.HandleFunc("DELETE /v1/rtc/{id}", g.remove)
	mux.HandleFunc("GET /v1/ws", g.ws)
	g.srv = httptest.NewServer(g.record(mux))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := e.Stop(ctx); err != nil {
			t.Error(err)
		}
		g.srv.Close()
	})
	return g
}

// now is the time on this gateway's timeline, which is far from zero.
func (g *gateway) now() int64 { return 5_000_000_000 + time.Since(g.start).Microseconds() }

func (g *gateway) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if token == "" {
			token = r.URL.Query().Get("token")
		}
		g.mu.Lock()
		g.asked = append(g.asked, fmt.Sprintf("%s %s %s", r.Method, r.URL.RequestURI(), token))
		close(g.changed)
		g.changed = make(chan struct{})
		refuse := g.refuse
		g.mu.Unlock()
		if refuse != nil {
			if status, body := refuse(r); status != 0 {
				w.WriteHeader(status)
				_, _ = io.WriteString(w, body)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func (g *gateway) setRefuse(f func(r *http.Request) (int, string)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refuse = f
}

// requested waits for a request whose line has all the parts, and returns it.
func (g *gateway) requested(parts ...string) string {
	g.t.Helper()
	deadline := time.After(patience)
	for {
		g.mu.Lock()
		asked, changed := g.asked, g.changed
		g.mu.Unlock()
	lines:
		for _, line := range asked {
			for _, p := range parts {
				if !strings.Contains(line, p) {
					continue lines
				}
			}
			return line
		}
		select {
		case <-changed:
		case <-deadline:
			g.t.Fatalf("no request with %q came; there were %q", parts, asked)
		}
	}
}

func (g *gateway) handlers(s *served) peer.Handlers {
	return peer.Handlers{
		Open: func(p *peer.Peer) { s.p = p; g.came <- s },
		Pose: func(p *peer.Peer, b []byte, _ time.Time) {
			at := uint64(g.now())
			var ping wire.Ping
			var pose wire.Pose
			if wire.DecodePing(b, &ping) == nil {
				p.SendPose(wire.AppendPong(nil, &wire.Pong{T0: ping.T0, T1: at, T2: uint64(g.now())}))
				select {
				case s.pings <- ping:
				default:
				}
			} else if err := wire.DecodePose(b, &pose); err != nil {
				g.t.Errorf("the client sent a bad message on the pose lane: %v", err)
			} else {
				select {
				case s.poses <- pose:
				default:
				}
			}
		},
		Event: func(_ *peer.Peer, b []byte, _ time.Time) {
			var u wire.Up
			if err := wire.DecodeUp(b, &u); err != nil {
				g.t.Errorf("the client sent a bad event %s: %v", b, err)
				return
			}
			s.ups <- u
		},
		Closed: func(*peer.Peer, peer.Cause) {},
	}
}

func (g *gateway) newServed() *served {
	return &served{g: g, ups: make(chan wire.Up, 1024), poses: make(chan wire.Pose, 64), pings: make(chan wire.Ping, 64)}
}

func (g *gateway) post(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, peer.MaxSDP+1))
	p, answer, err := g.engine.Answer(r.Context(), string(body), g.handlers(g.newServed()))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	g.peers[p.ID()] = p
	g.mu.Unlock()
	w.Header().Set("Location", "/v1/rtc/"+p.ID())
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}

func (g *gateway) find(r *http.Request) *peer.Peer {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peers[r.PathValue("id")]
}

func (g *gateway) patch(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, peer.MaxSDP+1))
	answer, err := g.find(r).Restart(r.Context(), string(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, answer)
}

func (g *gateway) remove(w http.ResponseWriter, r *http.Request) {
	g.find(r).Close(wire.CodeLeft, "")
	w.WriteHeader(http.StatusNoContent)
}

func (g *gateway) ws(w http.ResponseWriter, r *http.Request) {
	if _, err := g.engine.Accept(w, r, nil, g.handlers(g.newServed())); err != nil {
		g.t.Errorf("WebSocket: %v", err)
	}
}

// next waits for a connection whose lanes are up.
func (g *gateway) next() *served {
	g.t.Helper()
	return wait(g.t, g.came, "a connection")
}

// greeting is a valid welcome.
func (g *gateway) greeting() wire.Welcome {
	now := g.now()
	t0 := int64(1_000_000)
	return wire.Welcome{
		V: wire.Version, Venue: "hall", Session: 77, Entity: 700, User: "ada", Name: "Ada", Region: "ground",
		TimeUS: now, Tick: uint64((now - t0) / 33_333), TickUS: 33_333, T0US: t0, PhaseUS: 7_000,
		UploadHz: 50, SendHz: 30, Lattice: lattice.Steps, Resume: "resume-1", GraceMS: 10_000,
		P:     wire.Point(lattice.Vec{X: 1024, Y: 1700, Z: -2048}),
		Kinds: []wire.Kind{{Name: "cup", Grabbable: true, Shape: "box", Size: []float64{0.1}, Color: "#ffffff"}},
	}
}

func (s *served) welcome(change func(w *wire.Welcome)) {
	w := s.g.greeting()
	if change != nil {
		change(&w)
	}
	s.p.SendEvent(w.Append(nil))
}

func (s *served) send(format string, args ...any) {
	s.g.t.Helper()
	b := fmt.Appendf(nil, format, args...)
	if !json.Valid(b) {
		s.g.t.Fatalf("the test's own event is not JSON: %s", b)
	}
	s.p.SendEvent(b)
}

func (s *served) ack(a wire.Ack) { s.p.SendEvent(a.Append(nil)) }

// up waits for the next event-lane message of the client.
func (s *served) up() wire.Up {
	s.g.t.Helper()
	return wait(s.g.t, s.ups, "an event of the client")
}

// wait receives from c or fails the test.
func wait[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v, ok := <-c:
		if !ok {
			t.Fatalf("waiting for %s: the channel was closed", what)
		}
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
	}
	panic("unreachable")
}

// dialed is the result of a Dial that runs while the test plays the gateway.
type dialed struct {
	c   *Client
	err error
}

func (g *gateway) dial(o Options) <-chan dialed {
	if o.URL == "" {
		o.URL = g.srv.URL
	}
	if o.Token == "" {
		o.Token = "join-1"
	}
	out := make(chan dialed, 1)
	go func() {
		c, err := Dial(context.Background(), o)
		out <- dialed{c, err}
	}()
	return out
}

// join dials and plays a plain welcome.
func (g *gateway) join(o Options) (*Client, *served) {
	g.t.Helper()
	d := g.dial(o)
	s := g.next()
	s.welcome(nil)
	got := wait(g.t, d, "the end of Dial")
	if got.err != nil {
		g.t.Fatal(got.err)
	}
	g.t.Cleanup(func() { got.c.Close() })
	if e := wait(g.t, got.c.Events(), "an event"); e.T != EventConnected {
		g.t.Fatalf("the first event is %q, want %q", e.T, EventConnected)
	}
	return got.c, s
}

// event waits for the next event of type typ and fails on any other that is not ignored.
func event(t testing.TB, c *Client, typ string) Event {
	t.Helper()
	e := wait(t, c.Events(), "event "+typ)
	if e.T != typ {
		t.Fatalf("event %q (error %v), want %q", e.T, e.Err, typ)
	}
	return e
}
