package standin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/venues"
)

// maxSessions is how many sessions a stand-in for a venue remembers; who comes beyond is refused.
const maxSessions = 10_000

// ticks of a stand-in for a venue, which decides nothing in them.
const standinTickUS = 33_333

// Venue stands in for a venue that only answers: signalling, both lanes, the clock and acknowledgements are real, but there is no region behind it. It sends
// no frames, grants nothing, and keeps nothing but how far each session's inputs have come, for resumes. What a load machine uses against it is what the load
// machine needs. Tokens are not looked at. It is an http.Handler for any number of goroutines.
type Venue struct {
	describe []byte
	spawn    lattice.Vec
	id       string
	hz       int
	engine   *peer.Engine
	mux      *http.ServeMux
	start    time.Time

	mu       sync.Mutex
	next     uint64
	sessions map[uint64]*session
	peers    map[string]*peer.Peer
}

// session is one visitor, across connections.
type session struct {
	id     uint64
	cursor uint32 // number of the newest key input
}

// NewVenue opens the sockets of a stand-in for a venue with a description: a UDP port on a host. Stop closes them.
func NewVenue(d *venues.Description, host string) (*Venue, error) {
	if len(d.Spawns) == 0 {
		return nil, fmt.Errorf("standin: the venue %q has no spawn point", d.ID)
	}
	at := d.Spawns[0].At
	spawn, err := lattice.VecFromMetres(at[0], at[1]+1.6, at[2])
	if err != nil {
		return nil, fmt.Errorf("standin: the first spawn point: %w", err)
	}
	b, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	e, err := peer.Listen(peer.Config{UDP: host + ":0", Loopback: true})
	if err != nil {
		return nil, err
	}
	v := &Venue{
		describe: b, spawn: spawn, id: d.ID, hz: max(d.UploadHz, 1), engine: e, mux: http.NewServeMux(), start: time.Now(),
		sessions: map[uint64]*session{}, peers: map[string]*peer.Peer{},
	}
	v.mux.HandleFunc("GET /v1/venue", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(v.describe) // who does not read it has gone
	})
	v.mux.HandleFunc("POST /v1/rtc", v.post)
	v.mux.HandleFunc("PATCH /v1/rtc/{id}", v.patch)
	v.mux.HandleFunc("DELETE /v1/rtc/{id}", v.remove)
	v.mux.HandleFunc("GET /v1/ws", v.socket)
	return v, nil
}

// ServeHTTP answers one request.
func (v *Venue) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.mux.ServeHTTP(w, r) }

// Stop ends every connection and closes the sockets.
func (v *Venue) Stop(ctx context.Context) error { return v.engine.Stop(ctx) }

// now is the time on the venue's timeline, microseconds.
func (v *Venue) now() int64 { return time.Since(v.start).Microseconds() }

// session returns the session that a token resumes, or a new one; nil when there are too many.
func (v *Venue) session(r *http.Request) (s *session, resumed bool) {
	token := r.URL.Query().Get("token")
	if h := r.Header.Get("Authorization"); len(h) > len("Bearer ") {
		token = h[len("Bearer "):]
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if id, err := strconv.ParseUint(token, 10, 64); err == nil && v.sessions[id] != nil {
		return v.sessions[id], true
	}
	if len(v.sessions) >= maxSessions {
		return nil, false
	}
	v.next++
	s = &session{id: v.next}
	v.sessions[s.id] = s
	return s, false
}

// refuse answers as a gateway does.
func refuse(w http.ResponseWriter, status int, code wire.Code, msg string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(struct { // who does not read it has gone
		Code wire.Code `json:"code"`
		Name string    `json:"name"`
		Msg  string    `json:"msg"`
	}{code, code.Name(), msg})
}

func (v *Venue) post(w http.ResponseWriter, r *http.Request) {
	offer, err := io.ReadAll(http.MaxBytesReader(w, r.Body, peer.MaxSDP))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, wire.CodeBadMessage, "the offer is too large")
		return
	}
	if err := peer.CheckOffer(string(offer)); err != nil {
		refuse(w, http.StatusBadRequest, wire.CodeBadMessage, err.Error())
		return
	}
	s, resumed := v.session(r)
	if s == nil {
		refuse(w, http.StatusServiceUnavailable, wire.CodeVenueFull, "the stand-in remembers no further sessions")
		return
	}
	p, answer, err := v.engine.Answer(r.Context(), string(offer), v.handlers(s, resumed))
	if err != nil {
		refuse(w, http.StatusBadRequest, wire.CodeBadMessage, err.Error())
		return
	}
	v.mu.Lock()
	v.peers[p.ID()] = p
	v.mu.Unlock()
	w.Header().Set("Content-Type", "application/sdp")
	w.Header().Set("Location", "/v1/rtc/"+p.ID())
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer) // who does not read it will not come
}

func (v *Venue) find(r *http.Request) *peer.Peer {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.peers[r.PathValue("id")]
}

func (v *Venue) patch(w http.ResponseWriter, r *http.Request) {
	offer, err := io.ReadAll(http.MaxBytesReader(w, r.Body, peer.MaxSDP))
	p := v.find(r)
	if p == nil || err != nil {
		refuse(w, http.StatusNotFound, wire.CodeSessionUnknown, "there is no such connection")
		return
	}
	answer, err := p.Restart(r.Context(), string(offer))
	if err != nil {
		refuse(w, http.StatusBadRequest, wire.CodeBadMessage, err.Error())
		return
	}
	_, _ = io.WriteString(w, answer)
}

func (v *Venue) remove(w http.ResponseWriter, r *http.Request) {
	if p := v.find(r); p != nil {
		p.Close(wire.CodeLeft, "")
	}
	w.WriteHeader(http.StatusNoContent)
}

func (v *Venue) socket(w http.ResponseWriter, r *http.Request) {
	s, resumed := v.session(r)
	if s == nil {
		refuse(w, http.StatusServiceUnavailable, wire.CodeVenueFull, "the stand-in remembers no further sessions")
		return
	}
	// A failed upgrade was answered by Accept.
	_, _ = v.engine.Accept(w, r, nil, v.handlers(s, resumed))
}

// handlers are those of one connection.
func (v *Venue) handlers(s *session, resumed bool) peer.Handlers {
	return peer.Handlers{
		Open: func(p *peer.Peer) { p.SendEvent(v.welcome(s, resumed)) },
		Pose: func(p *peer.Peer, b []byte, _ time.Time) {
			var ping wire.Ping
			if wire.DecodePing(b, &ping) == nil {
				at := uint64(v.now())
				p.SendPose(wire.AppendPong(nil, &wire.Pong{T0: ping.T0, T1: at, T2: at}))
			}
		},
		Event: func(p *peer.Peer, b []byte, _ time.Time) { v.event(p, s, b) },
		Closed: func(p *peer.Peer, c peer.Cause) {
			v.mu.Lock()
			defer v.mu.Unlock()
			delete(v.peers, p.ID())
			if c.Code == wire.CodeLeft {
				delete(v.sessions, s.id)
			}
		},
	}
}

func (v *Venue) welcome(s *session, resumed bool) []byte {
	v.mu.Lock()
	cursor := s.cursor
	v.mu.Unlock()
	now := v.now()
	w := wire.Welcome{
		V: wire.Version, Venue: v.id, Session: wire.ID(s.id), Entity: wire.ID(1<<32 + s.id), User: "visitor", Name: "Visitor", Region: "standin",
		TimeUS: now, Tick: uint64(now / standinTickUS), TickUS: standinTickUS, PhaseUS: int64(s.id*7919) % int64(1_000_000/v.hz),
		UploadHz: v.hz, SendHz: v.hz, Lattice: lattice.Steps, Resume: strconv.FormatUint(s.id, 10), GraceMS: 10_000,
		Cursor: cursor, Resumed: resumed, P: wire.Point(v.spawn), Kinds: []wire.Kind{},
	}
	return w.Append(nil)
}

// event answers one message of the event lane.
func (v *Venue) event(p *peer.Peer, s *session, b []byte) {
	at := v.now()
	var u wire.Up
	if err := wire.DecodeUp(b, &u); err != nil {
		e := &wire.Error{Code: wire.CodeBadMessage, Msg: err.Error()}
		errors.As(err, &e)
		p.SendEvent(wire.AppendError(nil, e, u.N))
		return
	}
	if u.T == wire.UpBye {
		p.Close(wire.CodeLeft, "")
		return
	}
	if !u.Key() {
		return // nobody is here to hear of it
	}
	v.mu.Lock()
	s.cursor = max(s.cursor, u.N)
	v.mu.Unlock()
	a := wire.Ack{Seq: u.N, Tick: uint64(at / standinTickUS), OK: u.T == wire.UpMsg || u.T == wire.UpUse}
	if !a.OK {
		a.Code = wire.CodeDeniedNotAllowed // there is nothing here
	}
	end := v.now()
	a.Times = wire.Times{Received: at, Start: at, End: end}
	p.SendEvent(a.Append(nil))
}
