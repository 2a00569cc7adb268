package rtc

import (
	"time"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/peer"
	"github.com/venued/venued/rtc/view"
	"github.com/venued/venued/rtc/wire"
)

// slots is into how many parts a tick is divided: clients are sent to in different ones, so that
// frames never leave as one burst, and inputs are passed on once in each.
const slots = 8

// queueLen bounds the messages that wait for the hub.
const queueLen = 8192

// beatEvery is how often timers are looked at.
const beatEvery = 50 * time.Millisecond

// message is what others hand the hub. Which fields are set says what it is.
type message struct {
	conn   *conn
	at     time.Time
	pose   wire.Pose   // of conn, if isPose
	up     *wire.Up    // of conn
	fault  *wire.Error // of conn: a message that could not be read,
	lane   string      // on this lane,
	seq    uint32      // with this number
	record []byte      // of feed
	feed   *feed
	isPose bool
	run    func() // anything else
}

// hub owns all sessions and the world. Only its goroutine touches what is in it.
type hub struct {
	g     *Gateway
	in    chan message
	done  chan struct{} // closed when the hub has ended
	world *view.World
	time  timeline
	feeds []*feed
	grace time.Duration

	sessions map[uint64]*session
	order    []*session // the same, in the order they came
	posed    []*session // those with a sample that is to be passed on
	stopping bool
	lastSlot int64
	lastBeat time.Time
	wake     time.Time // when the next slot is due
	buf      []byte    // frames are built here
}

func newHub(g *Gateway, now time.Time) *hub {
	v := g.cfg.Venue
	h := &hub{
		g: g, in: make(chan message, queueLen), done: make(chan struct{}),
		world:    view.NewWorld(v),
		time:     newTimeline(v.TickUS(), now),
		grace:    time.Duration(v.Limits.GraceTicks) * time.Duration(v.TickUS()) * time.Microsecond,
		sessions: map[uint64]*session{},
		buf:      make([]byte, 0, wire.MaxFrame),
	}
	for i := range v.Regions {
		h.feeds = append(h.feeds, &feed{index: i, name: v.Regions[i].Name, cursors: map[uint64]uint32{}})
	}
	return h
}

// push hands the hub a message, waiting for room; false when the hub has ended.
func (h *hub) push(m message) bool {
	select {
	case h.in <- m:
		return true
	case <-h.done:
		return false
	}
}

// offer hands the hub a message if there is room.
func (h *hub) offer(m message) bool {
	select {
	case h.in <- m:
		return true
	default:
		return false
	}
}

// run serves messages and slots until stop is closed.
func (h *hub) run(stop <-chan struct{}) {
	defer close(h.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-stop:
			return
		case m := <-h.in:
			h.serve(&m)
		case <-timer.C:
			now := time.Now()
			if !h.wake.IsZero() {
				h.g.load.lag(lagSlot, now.Sub(h.wake))
			}
			wait := h.tick(now)
			h.wake = time.Now().Add(wait)
			timer.Reset(wait)
		}
	}
}

func (h *hub) serve(m *message) {
	switch {
	case m.record != nil:
		h.record(m.feed, m.record, m.at)
	case m.isPose:
		h.pose(m.conn, &m.pose, m.at)
	case m.up != nil:
		h.up(m.conn, m.up, m.at)
	case m.fault != nil:
		h.fault(m.conn, m.lane, m.fault, m.seq, m.at)
	case m.run != nil:
		m.run()
	}
}

// pose takes a sample: the newest one of a session goes to its region with the next batch.
func (h *hub) pose(c *conn, p *wire.Pose, now time.Time) {
	s := c.session
	if s == nil || s.conn != c || !s.welcomed {
		return
	}
	if p.HasAck {
		if err := s.client.Ack(p.AckSeq, p.AckBits); err != nil {
			h.fault(c, lanePose, &wire.Error{Code: wire.CodeBadField, Field: "ack", Msg: err.Error()}, 0, now)
			return
		}
		was := s.pace.throttled
		s.pace.ack(p.AckSeq, p.AckBits, now)
		if s.pace.throttled != was {
			h.g.log.Debug("send rate changed", "session", s.id, "half", s.pace.throttled,
				"round_trip_ms", s.pace.trip.Milliseconds(), "loss", s.pace.loss)
		}
	}
	if s.hasPose && int16(p.Seq-s.poseSeq) <= 0 {
		h.g.metrics.posesLost.Inc()
		return
	}
	arrival := h.time.at(now)
	stamp := expandStamp(p.Stamp, arrival, wire.StampUS)
	if !s.newPose {
		h.posed = append(h.posed, s)
	}
	s.poseSeq, s.hasPose, s.newPose = p.Seq, true, true
	s.body, s.moved = p.Body, true
	s.said |= p.Said
	s.extras.Put(p.Said, &p.Extras)
	s.pose = stream.Input{
		Kind: stream.InputPose, Session: s.id,
		Stamp: s.pace.clamp(stamp, arrival), Arrival: arrival, Body: p.Body,
	}
	h.g.metrics.poses.Inc()
}

// slotTime returns the first instant of a slot after a server time.
func (h *hub) slotTime(slot int, server int64) int64 {
	tick := h.time.tickUS
	at := server/tick*tick + int64(slot)*tick/slots
	if at <= server {
		at += tick
	}
	return at
}

// tick serves the present slot and returns how long until the next.
func (h *hub) tick(now time.Time) time.Duration {
	width := max(h.time.tickUS/slots, 500)
	if !h.time.known {
		h.beat(now)
		return time.Duration(width) * time.Microsecond
	}
	server := h.time.now(now)
	if slot := server / width; slot != h.lastSlot {
		h.lastSlot = slot
		h.g.metrics.hubLag.Observe(float64(server-slot*width) / 1e6)
	}
	h.passPoses(now)
	h.flush()
	h.sendFrames(server, now)
	if now.Sub(h.lastBeat) >= beatEvery {
		h.beat(now)
	}
	next := (server/width + 1) * width
	return time.Duration(max(next-h.time.at(time.Now()), 100)) * time.Microsecond
}

func (h *hub) passPoses(now time.Time) {
	for _, s := range h.posed {
		if s.newPose {
			s.newPose = false
			// A new connection counts its samples anew, and the region need not hear of it: it
			// gets numbers that go on.
			s.passed++
			s.pose.PoseSeq = s.passed
			s.pose.Said, s.pose.Extras, s.pose.Speaking = s.said, s.extras, s.speaking.now(now)
			s.said, s.extras = 0, lattice.Extras{}
			s.feed.send(s.pose)
		}
	}
	clear(h.posed)
	h.posed = h.posed[:0]
}

// sendFrames builds and sends the frames that are due.
func (h *hub) sendFrames(server int64, now time.Time) {
	for _, s := range h.order {
		if !s.welcomed || s.conn == nil || server < s.due {
			continue
		}
		s.due += s.framePeriod(h.g.cfg.Venue.SendHz)
		if s.due <= server { // late by more than a frame: do not catch up
			s.due = h.slotTime(s.phase, server)
		}
		h.frame(s, now)
	}
}

// framePeriod is the time from one frame of a session to the next, in microseconds.
func (s *session) framePeriod(sendHz int) int64 {
	if s.client.Unheard() > uint64(quietAfter*sendHz) {
		// A page in the background, or a headset that was taken off: it costs next to
		// nothing, and it is back as soon as it acknowledges.
		return 1_000_000
	}
	period := int64(1_000_000 / sendHz)
	if s.pace.throttled {
		period *= 2
	}
	return period
}

// frame builds and sends one frame, unless the lane is full.
func (h *hub) frame(s *session, now time.Time) {
	p := s.conn.peer
	if !p.CanSendPose(s.pace.trip) {
		return
	}
	s.frames++
	h.buf = s.client.Frame(h.buf, h.world.Tick(), view.FrameHints{
		PoseSeq: s.poseSeq, HasPose: s.hasPose, Throttle: s.pace.throttled,
	})
	if !p.SendPose(h.buf) {
		return // as good as lost on the way
	}
	s.pace.frame(s.frames, now)
	h.g.metrics.frames.Inc()
	h.g.metrics.frameBytes.Add(float64(len(h.buf)))
}

// beat looks at what depends on time alone.
func (h *hub) beat(now time.Time) {
	h.lastBeat = now
	if h.g.load.due(now) && h.g.load.observe(now, cpuTime()) {
		if why := h.g.load.full(); why != "" {
			h.g.log.Warn("newcomers are refused", "why", why, "sessions", len(h.order))
		} else {
			h.g.log.Info("newcomers are let in again", "sessions", len(h.order))
		}
	}
	for _, f := range h.feeds {
		if !f.began || now.Sub(f.lastRecord) > 2*time.Second {
			h.askKey(f, now)
		}
	}
	connected, away, throttled := 0, 0, 0
	var there, gone [2]int // by partition: people, load
	for _, s := range h.order {
		part := 0
		if s.who.load {
			part = 1
		}
		if s.feed.began {
			h.compare(s, now)
			h.resendKeys(s, now)
		}
		if s.conn == nil {
			away++
			gone[part]++
			continue
		}
		connected++
		there[part]++
		if s.pace.hasAck && now.Sub(s.sampled) >= time.Second {
			s.sampled = now
			h.g.metrics.roundTrip.Observe(s.pace.trip.Seconds())
		}
		if s.pace.throttled {
			throttled++
		}
		s.conn.peer.CheckBehind()
		if s.client != nil && s.welcomed && s.client.Unheard() > uint64(quietAfter*h.g.cfg.Venue.SendHz+closedAfter) {
			s.conn.peer.Close(wire.CodeConnectionLost, "no frame was acknowledged for a long time")
		}
	}
	for part, name := range []string{"people", "load"} {
		h.g.metrics.sessions.WithLabelValues("connected", name).Set(float64(there[part]))
		h.g.metrics.sessions.WithLabelValues("away", name).Set(float64(gone[part]))
	}
	h.g.metrics.throttled.Set(float64(throttled))
	h.g.counts.Store(&counts{connected: connected, away: away})
	h.sweep()
	h.g.setReady(h.notReady(now))
}

// sweep removes the sessions that are over.
func (h *hub) sweep() {
	kept := h.order[:0]
	for _, s := range h.order {
		if s.over {
			delete(h.sessions, s.id)
			continue
		}
		kept = append(kept, s)
	}
	clear(h.order[len(kept):])
	h.order = kept
}

// notReady names the region whose stream is not there, "" when all are.
func (h *hub) notReady(now time.Time) string {
	for _, f := range h.feeds {
		if !f.began || now.Sub(f.lastRecord) > 2*time.Second {
			return f.name
		}
	}
	return ""
}

// shutDown tells the regions that everyone is away; the engine closes the connections.
func (h *hub) shutDown(now time.Time) {
	h.stopping = true
	for _, s := range h.order {
		if s.conn != nil {
			s.conn.peer.Close(wire.CodeServerShutdown, "the server stops")
		}
		h.want(s, wishAway, now)
		h.compare(s, now)
	}
	h.passPoses(now)
	h.flush()
}

// Names of the lanes in answers to faulty messages.
const (
	lanePose  = peer.PoseLabel
	laneEvent = peer.EventLabel
)
