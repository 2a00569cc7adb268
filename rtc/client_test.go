package rtc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
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

const manifest = `
[venue]
id = "hall"
name = "Hall"
%s
[[floor]]
name = "ground"
min = [0, 0]
max = [40, 30]
[[spawn]]
name = "door"
at = [5, 5]
[[kind]]
name = "ball"
grabbable = true
`

// rig is a gateway with a scripted region behind it, served over HTTP.
type rig struct {
	t      *testing.T
	cfg    Config
	g      *Gateway
	region *script
	url    string
	issuer *token.Issuer
	reg    *prometheus.Registry
}

type rigOptions struct {
	venue  string // lines of [venue] and [venue.limits]
	change func(*Config)
}

var testKey = bytes.Repeat([]byte("k"), token.MinKey)

func newRig(t *testing.T, o rigOptions) *rig {
	t.Helper()
	v, err := venues.Read("venue.toml", fmt.Appendf(nil, manifest, o.venue), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server, err := bus.StartEmbedded(bus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	r := &rig{t: t, region: newScript(t, server, v), reg: prometheus.NewRegistry()}
	conn, err := server.Connect("gateway")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	r.cfg = Config{Venue: v, Bus: conn, Key: testKey, Development: true, UDP: "127.0.0.1:0", TCP: "127.0.0.1:0", Registerer: r.reg,
		Log: slog.New(slog.DiscardHandler)}
	if o.change != nil {
		o.change(&r.cfg)
	}
	r.begin()
	t.Cleanup(r.stop)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.g.Handler().ServeHTTP(w, q) }))
	t.Cleanup(web.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	r.url = web.URL
	if r.issuer, err = token.NewIssuer(testKey, nil); err != nil {
		t.Fatal(err)
	}
	r.until("the gateway to be ready", func() bool { return r.g.Ready() == nil })
	return r
}

// begin makes and starts the gateway.
func (r *rig) begin() {
	r.t.Helper()
	var err error
	if r.g, err = New(r.cfg); err != nil {
		r.t.Fatal(err)
	}
	if err := r.g.Start(context.Background()); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := r.g.Stop(ctx); err != nil {
		r.t.Error(err)
	}
}

// until asks the hub again and again, once for each of its messages and slots.
func (r *rig) until(what string, cond func() bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		var ok bool
		if !r.g.call(ctx, func() { ok = cond() }) {
			r.t.Fatalf("waiting for %s: the time is over, or the hub", what)
		}
		if ok {
			return
		}
	}
}

func (r *rig) token(c token.Claims) string {
	r.t.Helper()
	if c.Venue == "" {
		c.Venue = "hall"
	}
	s, _, err := r.issuer.Issue(c, time.Minute)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// request does an HTTP request.
func (r *rig) request(method, path, tok, contentType, body string) (int, http.Header, string) {
	r.t.Helper()
	req, err := http.NewRequest(method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	if tok != "" {
		req.Header.Set("Authorization", "Bearer "+tok)
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// refused asserts that a request is answered with a code.
func (r *rig) refused(status int, body string, want wire.Code, says string) {
	r.t.Helper()
	var e struct {
		Code      wire.Code
		Name, Msg string
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		r.t.Errorf("status %d, body %q: %v", status, body, err)
		return
	}
	if e.Code != want || e.Name != want.Name() || !strings.Contains(e.Msg, says) {
		r.t.Errorf("status %d, %+v; want %s saying %q", status, e, want.Name(), says)
	}
}

// visitor is a client that keeps its view, acknowledges, and collects events.
type visitor struct {
	t       *testing.T
	r       *rig
	peer    *peertest.Client // WebRTC
	ws      *websocket.Conn  // or WebSocket
	where   string           // Location
	events  chan *wire.Down
	frames  chan struct{} // one value after each applied frame
	pongs   chan wire.Pong
	closed  chan struct{} // the lanes ended
	welcome *wire.Welcome
	stalled bool // reads nothing

	mu   sync.Mutex
	view *wire.View
	seq  uint16
	head wire.FrameHeader
}

type joinOptions struct {
	claims token.Claims
	token  string // instead of claims
	query  string // "?last=..." and so on
	lane   string // "", "tcp", "ws"
	peer   peertest.Options
}

func (r *rig) visitor() *visitor {
	return &visitor{t: r.t, r: r, events: make(chan *wire.Down, 4096), frames: make(chan struct{}, 1), pongs: make(chan wire.Pong, 16),
		closed: make(chan struct{}), view: wire.NewView()}
}

// dial connects; the welcome is not waited for.
func (r *rig) dial(o joinOptions) *visitor {
	r.t.Helper()
	v := r.visitor()
	tok := o.token
	if tok == "" {
		if o.claims.User == "" {
			o.claims.User = "ada"
		}
		tok = r.token(o.claims)
	}
	if o.lane == "ws" {
		v.dialWS(tok, o.query)
		return v
	}
	o.peer.TCP = o.lane == "tcp"
	v.connect(v.offer(tok, o))
	return v
}

// offer posts an offer and returns the answer, which is not used yet.
func (v *visitor) offer(tok string, o joinOptions) string {
	r := v.r
	r.t.Helper()
	v.peer = peertest.New(r.t, o.peer)
	offer, err := v.peer.Offer(false)
	if err != nil {
		r.t.Fatal(err)
	}
	status, h, body := r.request("POST", "/v1/rtc"+o.query, tok, "application/sdp", offer)
	if status != http.StatusCreated {
		r.t.Fatalf("status %d: %s", status, body)
	}
	v.where, v.stalled = h.Get("Location"), o.peer.Stalled
	return body
}

// connect takes the answer to an offer.
func (v *visitor) connect(answer string) {
	v.t.Helper()
	if err := v.peer.Answer(answer); err != nil {
		v.t.Fatal(err)
	}
	if !v.stalled {
		go v.pump()
	}
}

func (v *visitor) dialWS(tok, query string) {
	sep := "?"
	if query != "" {
		sep = "&"
	}
	url := "ws" + strings.TrimPrefix(v.r.url, "http") + "/v1/ws" + query + sep + "token=" + tok
	c, resp, err := websocket.Dial(context.Background(), url, nil)
	if err != nil {
		b, _ := io.ReadAll(resp.Body)
		v.t.Fatalf("%v: %s", err, b)
	}
	c.SetReadLimit(wire.MaxWelcome)
	v.ws = c
	v.t.Cleanup(func() { c.CloseNow() })
	go func() {
		defer close(v.closed)
		for {
			kind, b, err := c.Read(context.Background())
			if err != nil {
				return
			}
			if kind == websocket.MessageText {
				v.event(b)
			} else {
				v.pose(b)
			}
		}
	}()
}

func (v *visitor) pump() {
	defer close(v.closed)
	ended := 0
	for {
		select {
		case b := <-v.peer.Events:
			v.event(b)
		case b := <-v.peer.Poses:
			v.pose(b)
		case <-v.peer.Closed:
			if ended++; ended < 2 {
				continue
			}
			for len(v.peer.Events) > 0 {
				v.event(<-v.peer.Events)
			}
			return
		}
	}
}

func (v *visitor) event(b []byte) {
	d, err := wire.DecodeDown(b)
	if err != nil {
		v.t.Errorf("event %s: %v", b, err)
		return
	}
	v.events <- d
}

func (v *visitor) pose(b []byte) {
	if kind, _ := wire.TypeOf(b); kind == wire.MsgPong {
		var p wire.Pong
		if err := wire.DecodePong(b, &p); err != nil {
			v.t.Errorf("pong: %v", err)
		}
		v.pongs <- p
		return
	}
	v.mu.Lock()
	h, err := v.view.Apply(b, func(wire.Record) {})
	v.head = h
	v.mu.Unlock()
	if err != nil {
		v.t.Errorf("frame: %v", err)
	}
	select {
	case v.frames <- struct{}{}:
	default:
	}
}

// join connects and waits for the welcome.
func (r *rig) join(o joinOptions) *visitor {
	r.t.Helper()
	v := r.dial(o)
	v.welcome = v.next("welcome").Welcome
	return v
}

// next returns the next event of a type; those before it are passed over.
func (v *visitor) next(kind string) *wire.Down {
	v.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case d := <-v.events:
			if d.T == kind {
				return d
			}
			if d.T == "close" {
				v.t.Fatalf("closed with %+v while waiting for %s", d, kind)
			}
		case <-limit:
			v.t.Fatalf("%s did not come", kind)
		}
	}
}

// sees waits until the visitor's view fulfils cond; it acknowledges what it has meanwhile.
func (v *visitor) sees(what string, cond func(*wire.View) bool) {
	v.t.Helper()
	limit := time.After(patience)
	for {
		v.mu.Lock()
		ok := cond(v.view)
		v.mu.Unlock()
		if ok {
			return
		}
		v.look(lattice.Vec{X: 5 * lattice.Steps, Y: 1700, Z: 5 * lattice.Steps})
		select {
		case <-v.frames:
		case <-limit:
			v.t.Fatalf("%s: not seen", what)
		}
	}
}

// look sends a pose with the head at a place.
func (v *visitor) look(at lattice.Vec) {
	v.mu.Lock()
	v.seq++
	p := wire.Pose{Seq: v.seq, Body: lattice.Body{Head: lattice.Joint{Pos: at}, Left: lattice.Joint{Pos: at}, Right: lattice.Joint{Pos: at}}}
	p.HasAck, p.AckSeq, p.AckBits = v.view.Ack()
	v.mu.Unlock()
	v.sendPose(wire.AppendPose(nil, &p))
}

func (v *visitor) sendPose(b []byte) {
	if v.ws != nil {
		v.ws.Write(context.Background(), websocket.MessageBinary, b)
		return
	}
	v.peer.Pose(b)
}

func (v *visitor) send(text string) {
	if v.ws != nil {
		v.ws.Write(context.Background(), websocket.MessageText, []byte(text))
		return
	}
	v.peer.Event([]byte(text))
}

// say sends a message that comes back to everyone in the region as a rule event.
func (v *visitor) say(n uint32, topic string) {
	u := wire.Up{T: wire.UpMsg, N: n, Topic: topic, Data: json.RawMessage("1")}
	v.send(string(u.Append(nil)))
}

func (v *visitor) grab(n uint32, object uint64) {
	u := wire.Up{T: wire.UpGrab, N: n, Object: object}
	v.send(string(u.Append(nil)))
}

// end waits for the close message.
func (v *visitor) end() *wire.Down {
	v.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case d := <-v.events:
			if d.T == "close" {
				return d
			}
		case <-limit:
			v.t.Fatal("no close message")
		}
	}
}

// drop loses the connection without a word that ends the session.
func (v *visitor) drop() {
	if v.ws != nil {
		v.ws.CloseNow()
	} else {
		v.peer.PC.GracefulClose()
	}
	await(v.t, v.closed, "the end of the lanes")
}
