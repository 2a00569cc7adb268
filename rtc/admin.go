package rtc

import (
	"context"
	"errors"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// Errors of what operators ask of a gateway.
var (
	ErrNoSession = errors.New("rtc: there is no such session (any more)")
	ErrStopped   = errors.New("rtc: the gateway has stopped")
)

// ClientStatus is a session at a glance. Counts are of its present connection.
type ClientStatus struct {
	Session   uint64
	Entity    uint64 // its avatar, 0 until the region shows it
	User      string
	Name      string
	Region    string
	Load      bool      // a load generator's visitor
	Connected bool      // false: its place is kept for the venue's grace
	Since     time.Time // when this gateway first had it

	Lane      string        // "webrtc", "webrtc-tcp", "ws"; "" while away
	RoundTrip time.Duration // smoothed, from frame to acknowledgement; 0: not measured yet
	Loss      float64       // smoothed share of frames that did not arrive, 0-1
	Throttled bool          // gets frames at half the rate because of its connection
	Frames    uint64        // sent
	Poses     uint64        // samples received
	BytesUp   uint64        // of messages received, both lanes, without the transport's own
	BytesDown uint64        // of messages sent
}

// Clients returns every session, in the order they came.
func (g *Gateway) Clients(ctx context.Context) ([]ClientStatus, error) {
	var list []ClientStatus
	if !g.call(ctx, func() {
		list = make([]ClientStatus, 0, len(g.hub.order))
		for _, s := range g.hub.order {
			if !s.over {
				list = append(list, s.status())
			}
		}
	}) {
		return nil, errors.Join(ErrStopped, ctx.Err())
	}
	return list, nil
}

func (s *session) status() ClientStatus {
	c := ClientStatus{
		Session: s.id, Entity: s.entity, User: s.who.user, Name: s.who.name, Region: s.feed.name, Load: s.who.load,
		Connected: s.conn != nil, Since: s.joined,
	}
	if s.conn == nil {
		return c
	}
	sent := s.conn.peer.Stats()
	c.Lane = laneName(s.conn.peer)
	c.RoundTrip, c.Loss, c.Throttled = s.pace.trip, s.pace.loss, s.pace.throttled
	c.Frames, c.Poses = sent.Poses, s.conn.got.poses.Load()
	c.BytesUp, c.BytesDown = s.conn.got.bytes.Load(), sent.PoseBytes+sent.EventBytes
	return c
}

// Kick ends a session: its client is told the code kicked and the message, and does not come back by itself; the
// region hears that it left. A person with another token may join anew. The error is ErrNoSession or ErrStopped.
func (g *Gateway) Kick(ctx context.Context, session uint64, msg string) (ClientStatus, error) {
	var was ClientStatus
	found := false
	if !g.call(ctx, func() {
		s := g.hub.sessions[session]
		if s == nil || s.over || s.wish == wishOut {
			return
		}
		found, was = true, s.status()
		now := time.Now()
		s.endMsg = msg
		g.hub.leave(s, wire.CodeKicked, now)
		if s.conn != nil {
			s.conn.peer.Close(wire.CodeKicked, msg)
		}
		g.hub.compare(s, now)
	}) {
		return was, errors.Join(ErrStopped, ctx.Err())
	}
	if !found {
		return was, ErrNoSession
	}
	g.log.Info("kicked", "session", session, "user", was.User, "message", msg)
	return was, nil
}
