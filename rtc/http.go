package rtc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// Times of requests.
const (
	placeTimeout  = 2 * time.Second // to look a person's place up
	answerTimeout = 5 * time.Second
)

// refusal is why a request is not granted.
type httpRefusal struct {
	status int
	code   wire.Code
	msg    string
}

// httpStatus is the HTTP status of a code.
var httpStatus = map[wire.Code]int{
	wire.CodeTokenInvalid:       http.StatusUnauthorized,
	wire.CodeTokenExpired:       http.StatusUnauthorized,
	wire.CodeWrongVenue:         http.StatusForbidden,
	wire.CodeSessionUnknown:     http.StatusGone,
	wire.CodeVenueFull:          http.StatusServiceUnavailable,
	wire.CodeUnavailable:        http.StatusServiceUnavailable,
	wire.CodeServerShutdown:     http.StatusServiceUnavailable,
	wire.CodeTooManyPending:     http.StatusTooManyRequests,
	wire.CodeBadMessage:         http.StatusBadRequest,
	wire.CodeBadField:           http.StatusBadRequest,
	wire.CodeVersionUnsupported: http.StatusBadRequest,
}

func refuse(code wire.Code, format string, a ...any) *httpRefusal {
	return &httpRefusal{httpStatus[code], code, fmt.Sprintf(format, a...)}
}

// routes builds the handler. The venue's description never changes, so it is encoded once.
func (g *Gateway) routes() (http.Handler, error) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/rtc", g.postOffer)
	mux.HandleFunc("PATCH /v1/rtc/{id}", g.patchOffer)
	mux.HandleFunc("DELETE /v1/rtc/{id}", g.deletePeer)
	mux.HandleFunc("GET /v1/ws", g.getWebSocket)
	mux.HandleFunc("GET /v1/venue", g.getVenue)
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		g.answer(w, &httpRefusal{http.StatusNotFound, wire.CodeBadMessage,
			r.Method + " " + r.URL.Path + ": the gateway has POST /v1/rtc, PATCH and DELETE /v1/rtc/ID, GET /v1/ws and GET /v1/venue"})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.cors(w, r) {
			mux.ServeHTTP(w, r)
		}
	}), nil
}

// cors answers for pages of other origins; false when the request was a preflight.
func (g *Gateway) cors(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin != "" {
		w.Header().Add("Vary", "Origin")
		if g.allowed(origin, r.Host) {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Expose-Headers", "Location")
		}
	}
	if r.Method != http.MethodOptions {
		return true
	}
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE")
	w.Header().Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
	w.Header().Set("Access-Control-Max-Age", "3600")
	w.WriteHeader(http.StatusNoContent)
	return false
}

// developmentOrigins are let in beside the configured ones in development.
var developmentOrigins = []string{"http://localhost", "http://localhost:*", "http://127.0.0.1", "http://127.0.0.1:*", "https://localhost:*"}

func (g *Gateway) origins() []string {
	if g.cfg.Development {
		return append(developmentOrigins[:len(developmentOrigins):len(developmentOrigins)], g.cfg.Origins...)
	}
	return g.cfg.Origins
}

func (g *Gateway) allowed(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	if strings.EqualFold(u.Host, host) {
		return true
	}
	for _, pattern := range g.origins() {
		if ok, _ := path.Match(strings.ToLower(pattern), strings.ToLower(origin)); ok || pattern == "*" {
			return true
		}
	}
	return false
}

func checkOrigins(origins []string) error {
	for i, o := range origins {
		if o == "*" {
			continue
		}
		if _, err := path.Match(o, ""); err != nil || !strings.Contains(o, "://") || strings.HasSuffix(o, "/") {
			return fmt.Errorf("server.origins[%d] = %q: give a scheme and a host without a path, such as \"https://example.org\", or \"*\"", i, o)
		}
	}
	return nil
}

// answer writes a refusal.
func (g *Gateway) answer(w http.ResponseWriter, e *httpRefusal) {
	g.metrics.refusals.WithLabelValues(e.code.Name()).Inc()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if e.code.Retry() == wire.RetryLater {
		w.Header().Set("Retry-After", "2")
	}
	w.WriteHeader(e.status)
	json.NewEncoder(w).Encode(struct {
		Code wire.Code `json:"code"`
		Name string    `json:"name"`
		Msg  string    `json:"msg"`
	}{e.code, e.code.Name(), e.msg})
}

func (g *Gateway) getVenue(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(struct {
		venues.Description
		Protocol int `json:"protocol"`
		ICE      struct {
			UDP int `json:"udp_port"`
			TCP int `json:"tcp_port,omitempty"`
		} `json:"ice"`
	}{Description: g.cfg.Venue.Describe(), Protocol: wire.Version, ICE: struct {
		UDP int `json:"udp_port"`
		TCP int `json:"tcp_port,omitempty"`
	}{g.UDPPort(), g.TCPPort()}})
}

// postOffer answers an offer with a connection that is being set up.
func (g *Gateway) postOffer(w http.ResponseWriter, r *http.Request) {
	c, e := g.admit(r)
	if e != nil {
		g.answer(w, e)
		return
	}
	offer, e := readOffer(w, r)
	if e != nil {
		c.settle()
		g.answer(w, e)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
	defer cancel()
	p, sdp, err := g.engine.Answer(ctx, offer, g.handlers(c))
	if err != nil {
		c.settle()
		g.answer(w, offerRefusal(err))
		return
	}
	g.remember(c, p)
	w.Header().Set("Content-Type", "application/sdp")
	w.Header().Set("Location", "/v1/rtc/"+p.ID())
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusCreated)
	io.WriteString(w, sdp)
}

// patchOffer restarts a connection's ICE.
func (g *Gateway) patchOffer(w http.ResponseWriter, r *http.Request) {
	p, e := g.find(r)
	if e != nil {
		g.answer(w, e)
		return
	}
	offer, e := readOffer(w, r)
	if e != nil {
		g.answer(w, e)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTimeout)
	defer cancel()
	sdp, err := p.Restart(ctx, offer)
	if err != nil {
		g.answer(w, offerRefusal(err))
		return
	}
	w.Header().Set("Content-Type", "application/sdp")
	w.Header().Set("Cache-Control", "no-store")
	io.WriteString(w, sdp)
}

// deletePeer ends a connection and its session: the page is being left. One that is gone already is as
// it should be.
func (g *Gateway) deletePeer(w http.ResponseWriter, r *http.Request) {
	if p, e := g.find(r); e == nil {
		p.Close(wire.CodeLeft, "the client left")
	}
	w.WriteHeader(http.StatusNoContent)
}

func (g *Gateway) find(r *http.Request) (*peer.Peer, *httpRefusal) {
	g.mu.Lock()
	defer g.mu.Unlock()
	c := g.conns[r.PathValue("id")]
	if c == nil {
		return nil, &httpRefusal{http.StatusNotFound, wire.CodeSessionUnknown, "there is no such connection (any more): resume, or join anew"}
	}
	return c.known, nil
}

// getWebSocket takes a WebSocket. A page cannot read the answer to a refused upgrade, so to
// one the upgrade is granted and the close code says why; others get the HTTP answer.
func (g *Gateway) getWebSocket(w http.ResponseWriter, r *http.Request) {
	c, e := g.admit(r)
	if e != nil {
		if r.Header.Get("Origin") != "" && strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && e.code.Close() {
			g.metrics.refusals.WithLabelValues(e.code.Name()).Inc()
			peer.Refuse(w, r, g.origins(), e.code, e.msg)
			return
		}
		g.answer(w, e)
		return
	}
	p, err := g.engine.Accept(w, r, g.origins(), g.handlers(c))
	if err != nil {
		c.settle()
		g.log.Debug("no WebSocket", "error", err)
		return
	}
	g.remember(c, p)
}

// admit checks everything about a request but its body: who comes, whether there is room,
// and where they were last. The caller settles what it returns.
func (g *Gateway) admit(r *http.Request) (*conn, *httpRefusal) {
	g.mu.Lock()
	stopping := g.stopping
	g.mu.Unlock()
	if stopping {
		return nil, refuse(wire.CodeServerShutdown, "the server stops")
	}
	q := r.URL.Query()
	text := q.Get("token")
	if h := r.Header.Get("Authorization"); h != "" {
		scheme, rest, _ := strings.Cut(h, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return nil, refuse(wire.CodeTokenInvalid, "Authorization: %q: only Bearer tokens are taken", scheme)
		}
		text = strings.TrimSpace(rest)
	}
	claims, err := g.verifier.Check(text)
	if err != nil {
		code, msg := tokenFault(err)
		return nil, refuse(code, "%s", msg)
	}
	if err := g.Ready(); err != nil {
		return nil, refuse(wire.CodeUnavailable, "%v: join later", err)
	}
	if why := g.load.full(); why != "" && !claims.Resume() {
		return nil, refuse(wire.CodeVenueFull, "the server takes nobody else at the moment, %s: join later", why)
	}
	c := &conn{claims: claims}
	if e := g.identify(c, q); e != nil {
		return nil, e
	}
	limits := &g.cfg.Venue.Limits
	burst := max(int(limits.EventsPerS), 1)
	c.limiter = rate.NewLimiter(rate.Limit(limits.EventsPerS), burst)
	c.answers = rate.NewLimiter(rate.Limit(2*limits.EventsPerS), 2*maxUncovered)
	c.flood = floodGuard{most: floodFactor * limits.EventsPerS, start: g.started}
	c.poses = rate.NewLimiter(rate.Limit(3*g.cfg.Venue.UploadHz), g.cfg.Venue.UploadHz)
	if c.settle = g.admission.enter(c.who.user); c.settle == nil {
		return nil, refuse(wire.CodeTooManyPending, "at most %d connections a person and %d a server may be in set-up at once: try again in a moment", pendingPerUser, pendingTotal)
	}
	if claims.Resume() {
		if e := g.resumable(r.Context(), c, q); e != nil {
			c.settle()
			return nil, e
		}
		return c, nil
	}
	if e := g.placeOf(r.Context(), c); e != nil {
		c.settle()
		return nil, e
	}
	return c, nil
}

// identify says whom a connection is for.
func (g *Gateway) identify(c *conn, q url.Values) *httpRefusal {
	c.who = identity{user: c.claims.User, name: c.claims.Name, load: c.claims.Load, spawn: q.Get("spawn")}
	if c.claims.Many {
		if user := q.Get("user"); user != "" {
			c.who.user = user
		} else {
			c.who.user = token.RandomUser("guest-")
		}
		if err := wire.CheckUser(c.who.user); err != nil {
			return refuse(wire.CodeBadField, "parameter user: %v", err)
		}
		if name := token.CleanName(q.Get("name")); name != "" {
			c.who.name = name
		} else if c.who.name == "" || q.Get("user") != "" {
			c.who.name = token.CleanName(c.who.user)
		}
	}
	if c.who.spawn == "" {
		return nil
	}
	var names []string
	for i := range g.cfg.Venue.Spawns {
		if g.cfg.Venue.Spawns[i].Name == c.who.spawn {
			return nil
		}
		names = append(names, g.cfg.Venue.Spawns[i].Name)
	}
	return refuse(wire.CodeBadField, "parameter spawn: there is no spawn point %q: known are %s", c.who.spawn, strings.Join(names, ", "))
}

// resumable checks early that a session is there to be resumed, and reads what its client has.
func (g *Gateway) resumable(ctx context.Context, c *conn, q url.Values) *httpRefusal {
	c.last = map[string]uint64{}
	for _, l := range q["last"] {
		region, n, ok := strings.Cut(l, ":")
		v, err := strconv.ParseUint(n, 10, 64)
		if !ok || err != nil || len(c.last) >= len(g.cfg.Venue.Regions) {
			return refuse(wire.CodeBadField, "parameter last: %q: give REGION:NUMBER, once for each region", l)
		}
		c.last[region] = v
	}
	var e *httpRefusal
	adopted := false
	if !g.call(ctx, func() {
		s := g.hub.sessions[c.claims.Session]
		switch {
		case g.hub.orphan(c.claims.Session) != nil:
			adopted = true
		case s == nil || s.over || s.wish == wishOut:
			e = refuse(wire.CodeSessionUnknown, "the session is gone: join anew")
		case s.resumeID != c.claims.ID:
			e = refuse(wire.CodeTokenInvalid, "the resume token was used before: only the newest one is good")
		default:
			c.feed, c.who = s.feed, s.who
		}
	}) {
		return refuse(wire.CodeServerShutdown, "the server stops")
	}
	if adopted {
		// A region that was restored knows an older place than the store. Without an answer that one will do.
		if reply, err := g.askPlace(ctx, c.who); err == nil {
			c.place, c.has = reply.At, reply.Has && reply.At.Rot.Valid()
		}
	}
	return e
}

// askPlace asks where a person was last.
func (g *Gateway) askPlace(ctx context.Context, who identity) (reply bus.PlaceReply, err error) {
	ctx, cancel := context.WithTimeout(ctx, placeTimeout)
	defer cancel()
	body, err := json.Marshal(bus.PlaceRequest{User: who.user, Load: who.load})
	if err != nil {
		return reply, err
	}
	data, err := g.cfg.Bus.Request(ctx, bus.Place(g.cfg.Venue.ID), body)
	if err != nil {
		return reply, err
	}
	return reply, json.Unmarshal(data, &reply)
}

// placeOf looks up where a person was last, and which region is to take them in.
func (g *Gateway) placeOf(ctx context.Context, c *conn) *httpRefusal {
	v := g.cfg.Venue
	reply, err := g.askPlace(ctx, c.who)
	if err != nil {
		g.log.Warn("a place cannot be looked up", "user", c.who.user, "error", err)
		return refuse(wire.CodeUnavailable, "the store of last places does not answer: join later")
	}
	if reply.Has && reply.At.Rot.Valid() {
		if region := regionOf(v, reply.At.Pos); region >= 0 {
			c.place, c.has, c.feed = reply.At, true, g.hub.feeds[region]
			return nil
		}
	}
	spawn := &v.Spawns[0]
	for i := range v.Spawns {
		if v.Spawns[i].Name == c.who.spawn {
			spawn = &v.Spawns[i]
		}
	}
	region := v.RegionAt(spawn.Floor, spawn.At)
	if region < 0 {
		return refuse(wire.CodeUnavailable, "spawn point %q lies in no region", spawn.Name)
	}
	c.feed = g.hub.feeds[region]
	return nil
}

func regionOf(v *venues.Venue, at lattice.Vec) int {
	floor := v.FloorAt(at, -1)
	if floor < 0 {
		return -1
	}
	return v.RegionAt(floor, at)
}

// readOffer reads a body of SDP.
func readOffer(w http.ResponseWriter, r *http.Request) (string, *httpRefusal) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/sdp" {
		return "", &httpRefusal{http.StatusUnsupportedMediaType, wire.CodeBadMessage, "Content-Type must be application/sdp"}
	}
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, peer.MaxSDP))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return "", &httpRefusal{http.StatusRequestEntityTooLarge, wire.CodeBadMessage, fmt.Sprintf("the offer is larger than %d bytes", peer.MaxSDP)}
	}
	if err != nil {
		return "", refuse(wire.CodeBadMessage, "the body was cut short: %v", err)
	}
	return string(b), nil
}

func offerRefusal(err error) *httpRefusal {
	var bad *peer.OfferError
	switch {
	case errors.As(err, &bad):
		return refuse(wire.CodeBadMessage, "%v", err)
	case errors.Is(err, peer.ErrStopped):
		return refuse(wire.CodeServerShutdown, "%v", err)
	}
	return refuse(wire.CodeUnavailable, "%v", err)
}
