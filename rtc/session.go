package rtc

import (
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/view"
	"github.com/venued/venued/rtc/wire"
)

// wish is what a session should be in its region.
type wish uint8

const (
	wishIn   wish = iota // present
	wishAway             // its connection is lost
	wishOut              // gone
)

// Times of a session.
const (
	resendAfter  = 200 * time.Millisecond // inputs that the region's records do not show are sent again
	joinPatience = 5 * time.Second        // the region has this long to show a new avatar
	outPatience  = 30 * time.Second       // a Leave is sent again for this long
	quietAfter   = 2                      // seconds of frames without any acknowledgement: then one a second,
	closedAfter  = 600                    // and after so many of those the connection is closed
)

// conn is one connection of a client, from admission to its end.
type conn struct {
	known  *peer.Peer // set before the HTTP answer; under Gateway.mu
	gone   bool       // it ended; under Gateway.mu
	peer   *peer.Peer
	claims token.Claims
	who    identity
	feed   *feed
	place  lattice.Joint // last stored, if hasPlace
	has    bool
	last   map[string]uint64 // resume: newest event that the client has, by region

	settle  func()   // gives the place among those being set up back; more calls do nothing
	session *session // nil until the peer is open
	ended   bool
	poses   *rate.Limiter // used on the peer's goroutine
	got     received

	flood   floodGuard    // used on the peer's goroutine
	limiter *rate.Limiter // key inputs
	answers *rate.Limiter // to messages that were not taken: they must not become a flood themselves
	faults  [maxFaults]time.Time
	faultN  int
}

// received counts what came over a connection. The peer's goroutines count, anyone may look.
type received struct{ bytes, poses atomic.Uint64 }

// identity is whom a session is for.
type identity struct {
	user, name, spawn string
	load              bool
}

// session is a person's stay in the venue. The hub owns it.
type session struct {
	id   uint64
	who  identity
	feed *feed
	conn *conn // nil while away

	joined   time.Time // when this gateway first had it
	wish     wish
	since    time.Time // of the wish
	told     time.Time // when the region was last told of it
	resumeID string    // id of the newest resume token: the only one that is good

	entity   uint64 // own avatar, 0 until the region's records show it
	client   *view.Client
	welcomed bool // the present connection was
	resumed  bool // the present connection resumes
	endCode  wire.Code
	endMsg   string
	over     bool // to be removed

	keys   keyQueue
	log    eventLog
	pace   pace
	forged forgery
	frames uint16 // number of the newest frame built for client
	phase  int    // slot within a tick
	due    int64  // server time of the next frame, microseconds

	place   lattice.Joint // last stored head position, to join at
	has     bool
	body    lattice.Body // newest sample passed on: a region that restarted has an older place
	moved   bool         // body is set
	pose    stream.Input
	hasPose bool // pose holds a sample
	newPose bool // that was not passed on yet
	poseSeq uint16
	passed  uint16 // number of the newest sample passed on, over all connections
	// What samples said of optional streams since one was passed on: a sample that another overtakes there may have been the only one to say it.
	said     lattice.Streams
	extras   lattice.Extras
	speaking speaking

	sampled time.Time // when its round trip was last put into the metrics
}

// open makes or finds the session of a connection that came up.
func (h *hub) open(c *conn, now time.Time) {
	c.settle()
	if c.ended || h.stopping {
		return
	}
	refuse := func(code wire.Code, msg string) {
		c.peer.Close(code, msg)
	}
	if c.claims.Resume() {
		s := h.sessions[c.claims.Session]
		if s == nil {
			s = h.adopt(c)
		}
		if s == nil || s.over || s.wish == wishOut {
			if e, shown := h.world.BySession(c.claims.Session); s == nil && shown && h.world.RegionOf(e.ID) == "" {
				refuse(wire.CodeUnavailable, "the session is on its way between two regions: try again")
				return
			}
			refuse(wire.CodeSessionUnknown, "the session is gone")
			return
		}
		if s.resumeID != c.claims.ID {
			refuse(wire.CodeTokenInvalid, "the resume token was used before: only the newest one is good")
			return
		}
		s.resumeID = ""
		if old := s.conn; old != nil {
			s.conn = nil
			old.session = nil
			old.peer.Close(wire.CodeReplaced, "the session was resumed on another connection")
		}
		h.g.metrics.resumes.Inc()
		s.resumed = true
		h.attach(s, c, now)
		return
	}
	if err := h.g.verifier.Use(&c.claims); err != nil {
		code, msg := tokenFault(err)
		refuse(code, msg)
		return
	}
	if len(h.order) >= h.g.maxSessions {
		refuse(wire.CodeVenueFull, "the venue is full")
		return
	}
	id := newID()
	for h.sessions[id] != nil {
		id = newID()
	}
	s := h.begin(id, c)
	s.place, s.has = c.place, c.has
	h.attach(s, c, now)
}

// begin makes a session for a connection.
func (h *hub) begin(id uint64, c *conn) *session {
	s := &session{id: id, who: c.who, feed: c.feed, phase: h.freePhase(), joined: time.Now()}
	s.keys.init()
	h.sessions[id] = s
	h.order = append(h.order, s)
	return s
}

// orphan returns the feed of the region in which the avatar of a session waits that no gateway holds: the one that did
// has ended. Nil when there is none. An avatar that is not away may be another gateway's.
func (h *hub) orphan(session uint64) *feed {
	e, shown := h.world.BySession(session)
	if !shown || h.sessions[session] != nil || e.State.Flags&stream.FlagAway == 0 {
		return nil
	}
	for _, f := range h.feeds {
		if f.name == h.world.RegionOf(e.ID) {
			return f
		}
	}
	return nil
}

// adopt goes on with a session of a gateway that has ended, from what its region has of it; nil when that is
// gone. The connection's token may be an older one than the session's newest: which was the newest died with the
// gateway, so the first that comes is good, and none of the others after it.
func (h *hub) adopt(c *conn) *session {
	f := h.orphan(c.claims.Session)
	if f == nil {
		return nil
	}
	c.feed = f
	s := h.begin(c.claims.Session, c)
	s.resumeID = c.claims.ID
	s.keys.last, s.keys.cursor = f.cursors[s.id], f.cursors[s.id]
	s.log.undone = true // what its client was told is not known here
	if c.has && regionOf(h.g.cfg.Venue, c.place.Pos) == f.index {
		s.body, s.moved = lattice.Body{Head: c.place}, true
	}
	h.g.log.Info("session taken over", "session", s.id, "user", s.who.user, "cursor", s.keys.cursor)
	return s
}

// attach gives a session its connection.
func (h *hub) attach(s *session, c *conn, now time.Time) {
	lane := laneName(c.peer)
	h.g.metrics.handshakes.WithLabelValues(lane).Inc()
	s.conn, c.session = c, s
	s.welcomed, s.hasPose, s.newPose = false, false, false
	s.said, s.extras, s.speaking.says = 0, lattice.Extras{}, false
	s.pace = pace{}
	h.want(s, wishIn, now)
	h.g.log.Info("connected", "session", s.id, "user", s.who.user, "lane", lane, "resumed", s.resumed)
	h.compare(s, now)
}

// laneName is the transport of a connection: webrtc, webrtc-tcp or ws.
func laneName(p *peer.Peer) string {
	if p.OverTCP() {
		return string(p.Kind()) + "-tcp"
	}
	return string(p.Kind())
}

// detach notes that a connection ended.
func (h *hub) detach(c *conn, cause peer.Cause, now time.Time) {
	c.settle()
	h.g.forget(c)
	c.ended = true
	h.g.metrics.closed(cause.Code)
	stats := c.peer.Stats()
	h.g.metrics.skipped.Add(float64(stats.Skipped))
	s := c.session
	if s == nil || s.conn != c {
		return
	}
	s.conn = nil
	h.g.log.Info("disconnected", "session", s.id, "user", s.who.user, "code", cause.Code.Name(), "reason", cause.Msg)
	switch cause.Code.Retry() {
	case wire.RetryResume:
		h.want(s, wishAway, now)
	default:
		h.leave(s, cause.Code, now)
	}
	h.compare(s, now)
}

// want changes what a session should be.
func (h *hub) want(s *session, w wish, now time.Time) {
	if s.wish == wishOut {
		return
	}
	if s.wish != w || w == wishIn {
		s.wish, s.since, s.told = w, now, time.Time{}
	}
}

// leave ends a session for good.
func (h *hub) leave(s *session, code wire.Code, now time.Time) {
	h.want(s, wishOut, now)
	if s.endCode == 0 {
		s.endCode = code
	}
}

// compare brings the region and the session together: what the records show of the avatar
// against what the session should be.
func (h *hub) compare(s *session, now time.Time) {
	if s.over {
		return
	}
	e, shown := h.world.BySession(s.id)
	if shown && s.entity == 0 {
		s.entity = e.ID
		s.client = view.NewClient(h.world, e.ID)
	}
	switch {
	case !shown && s.entity != 0:
		h.vanished(s)
	case !shown && s.wish == wishIn:
		if now.Sub(s.since) > joinPatience {
			h.leave(s, wire.CodeUnavailable, now)
			if s.conn != nil {
				s.conn.peer.Close(wire.CodeUnavailable, "the region did not take the session in")
			}
			return
		}
		h.tell(s, stream.InputJoin, now)
	case !shown:
		// Never seen: a Join may still be on its way, so a Leave follows it for a while.
		if now.Sub(s.since) > joinPatience {
			s.over = true
			return
		}
		h.tell(s, stream.InputLeave, now)
	case s.wish == wishOut:
		if now.Sub(s.since) > outPatience {
			s.over = true // the region ends it when its own grace is over
			return
		}
		h.tell(s, stream.InputLeave, now)
	case s.wish == wishAway:
		if now.Sub(s.since) > h.grace {
			h.leave(s, wire.CodeConnectionLost, now)
			h.tell(s, stream.InputLeave, now)
			return
		}
		if e.State.Flags&stream.FlagAway == 0 {
			h.tell(s, stream.InputAway, now)
		}
	case e.State.Flags&stream.FlagAway != 0:
		h.tell(s, stream.InputBack, now)
	case !s.welcomed && s.conn != nil:
		h.welcome(s, e, now)
	}
}

// vanished: the region has removed the avatar.
func (h *hub) vanished(s *session) {
	code, msg := s.endCode, s.endMsg
	if code == 0 {
		code, msg = wire.CodeSessionUnknown, "the region has no such session any more"
	}
	h.end(s, code, msg)
}

// end removes a session and closes its connection.
func (h *hub) end(s *session, code wire.Code, msg string) {
	s.over = true
	if s.conn != nil {
		s.conn.peer.Close(code, msg)
		s.conn.session = nil
		s.conn = nil
	}
}

// tell sends what the session should be to its region, at most every resendAfter.
func (h *hub) tell(s *session, kind stream.InputKind, now time.Time) {
	if !s.told.IsZero() {
		if now.Sub(s.told) < resendAfter {
			return
		}
		h.g.metrics.resends.Inc()
	}
	if s.entity != 0 && h.world.RegionOf(s.entity) == "" {
		return // on its way between two regions: neither would know it
	}
	s.told = now
	at := h.time.now(now)
	in := stream.Input{Kind: kind, Session: s.id, Stamp: at, Arrival: at}
	switch kind {
	case stream.InputJoin:
		in.User, in.Name, in.Spawn, in.Load = s.who.user, s.who.name, s.who.spawn, s.who.load
		in.HasPlace, in.Body.Head = s.has, s.place
	case stream.InputBack:
		if s.moved {
			in.HasPlace, in.Body = true, s.body
		}
	case stream.InputLeave:
		in.Reason = uint16(s.endCode)
	}
	s.feed.send(in)
}

// welcome greets a connection whose avatar is in the region.
func (h *hub) welcome(s *session, e *stream.Entity, now time.Time) {
	c := s.conn
	v := h.g.cfg.Venue
	tok, claims, err := h.g.issuer.Issue(token.Claims{
		Venue: v.ID, User: s.who.user, Name: s.who.name, Load: s.who.load, Session: s.id,
	}, resumeLife)
	if err != nil {
		h.end(s, wire.CodeUnavailable, err.Error())
		return
	}
	s.resumeID, s.welcomed = claims.ID, true
	full := s.resumed && !s.log.covers(c.last)
	s.log.undone = false
	server := h.time.now(now)
	w := wire.Welcome{
		V: wire.Version, Venue: v.ID, Session: wire.ID(s.id), Entity: wire.ID(s.entity),
		User: s.who.user, Name: s.who.name, Region: s.feed.name,
		TimeUS: server, Tick: h.world.Tick(), TickUS: v.TickUS(), PhaseUS: int64(samplePhase(s.phase)) * v.TickUS() / slots,
		UploadHz: v.UploadHz, SendHz: v.SendHz, Lattice: lattice.Steps,
		Resume: tok, GraceMS: h.grace.Milliseconds(), Cursor: s.keys.last, Resumed: s.resumed, Full: full,
		P: wire.Point(e.State.Body.Head.Pos), Q: wire.Quat(e.State.Body.Head.Rot),
		Kinds: h.g.kinds, ICE: h.g.cfg.ICE,
	}
	if !h.sendEvent(s, w.Append(nil)) {
		return
	}
	if s.resumed && !full {
		for _, le := range s.log.after(c.last) {
			h.sendEvent(s, wire.AppendEvent(nil, le.region, le.event, s.id))
		}
	}
	s.resumed = true // the next connection of this session resumes
	if s.client == nil || s.frames > 0 {
		s.client, s.frames = view.NewClient(h.world, s.entity), 0
	}
	h.frame(s, now) // the world at once; later frames come at the session's phase
	s.due = h.slotTime(s.phase, server)
}

// samplePhase returns the slot that a session takes samples in: half a tick after frames are sent to it. So a sample tells of
// the newest frame, and comes back before the next one is coded, wherever the round trip is below a tick: updates are
// then against the frame before.
func samplePhase(send int) int { return (send + slots/2) % slots }

// freePhase returns the send slot that the fewest sessions have. Of several it is the first after slot
// 0, in which the newest records are only just coming in.
func (h *hub) freePhase() int {
	var count [slots]int
	for _, s := range h.order {
		count[s.phase]++
	}
	best := 1
	for i := range count {
		if next := (1 + i) % slots; count[next] < count[best] {
			best = next
		}
	}
	return best
}

// sendEvent sends on a session's event lane.
func (h *hub) sendEvent(s *session, b []byte) bool {
	if s.conn == nil || !s.conn.peer.SendEvent(b) {
		return false
	}
	h.g.metrics.events.Inc()
	return true
}

// fault answers a message that cannot be taken; too many of them end the connection.
func (h *hub) fault(c *conn, lane string, e *wire.Error, seq uint32, now time.Time) {
	if c.session == nil || c.ended {
		return
	}
	h.g.metrics.malformed.Inc()
	told := *e
	told.Field = lane
	if e.Field != "" {
		told.Field = lane + "." + e.Field
	}
	if e.Code == wire.CodeBadVersion {
		c.peer.Close(wire.CodeVersionUnsupported, told.Field+": "+told.Msg)
		return
	}
	c.faults[c.faultN%maxFaults] = now
	c.faultN++
	if c.faultN >= maxFaults && now.Sub(c.faults[c.faultN%maxFaults]) <= faultWindow {
		c.peer.Close(wire.CodeProtocolViolation, fmt.Sprintf("%d messages in %v could not be read; the last: %v", maxFaults, faultWindow, &told))
		return
	}
	h.refuse(c.session, &told, seq, now)
}

// refuse answers a message that is not taken, as long as there are not too many of them.
func (h *hub) refuse(s *session, e *wire.Error, seq uint32, now time.Time) {
	if s.conn != nil && s.conn.answers.AllowN(now, 1) {
		h.sendEvent(s, wire.AppendError(nil, e, seq))
	}
}

// Repeated malformed messages end a connection.
const (
	maxFaults   = 10
	faultWindow = 10 * time.Second
)

// speakingEvery is how often a client may be shown to begin or end speaking: what it says in between counts when that is over.
const speakingEvery = 250 * time.Millisecond

// speaking is whether a client speaks.
type speaking struct {
	says, shown bool
	turned      time.Time // when shown changed last
}

// now returns what others are to be shown.
func (s *speaking) now(at time.Time) bool {
	if s.says != s.shown && at.Sub(s.turned) >= speakingEvery {
		s.shown, s.turned = s.says, at
	}
	return s.shown
}
