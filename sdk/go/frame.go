package client

import (
	"errors"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/wire"
)

// Frame is one frame of entity states as it arrived.
type Frame struct {
	Seq        uint16
	Tick       uint64 // of the states
	TickUS     int64  // server time of Tick
	ReceivedUS int64  // best estimate of the server's time at reception: ReceivedUS - TickUS is how old the states are
	Throttle   bool   // the server sends at a reduced rate
	Lost       uint64 // frame numbers of this connection that never came, so far
	Visible    int    // entities visible after it
	// Records are what the frame said, resolved: each holds the entity's Info and full State.
	// Valid during the call.
	Records []wire.Record
	// Extras are the entities of whose optional streams the frame told, with all that is known of these after it. Valid during the call.
	Extras []stream.EntityExtras
}

// onPose takes one message of the pose lane.
func (c *Client) onPose(conn *connection, b []byte) {
	at := c.clock.local()
	c.heard.Store(at)
	c.stats.bytesDown.Add(uint64(len(b)))
	typ, err := wire.TypeOf(b)
	if err != nil {
		c.refuseFrame(err)
		return
	}
	if typ == wire.MsgPong {
		var p wire.Pong
		if err := wire.DecodePong(b, &p); err != nil {
			c.refuseFrame(err)
			return
		}
		c.clock.sample(int64(p.T0), int64(p.T1), int64(p.T2), at)
		return
	}
	if !conn.isGreeted() {
		// The pose lane overtook the welcome: without it ticks have no time. What
		// is not acknowledged is sent again.
		return
	}
	f := &conn.frame
	c.mu.Lock()
	f.Records = f.Records[:0]
	h, err := conn.view.Apply(b, func(r wire.Record) { f.Records = append(f.Records, r) })
	if err != nil {
		c.mu.Unlock()
		if !errors.Is(err, wire.ErrStale) {
			c.refuseFrame(err)
		}
		return
	}
	f.Extras = f.Extras[:0]
	for _, x := range conn.view.Extras() {
		if e, ok := conn.view.Bound(x.Handle); ok {
			f.Extras = append(f.Extras, stream.EntityExtras{ID: e.Info.ID, Extras: e.Extras})
		}
	}
	conn.tick += uint64(int64(int32(h.Tick - uint32(conn.tick))))
	lost := conn.view.Lost()
	c.stats.frames.Add(1)
	c.stats.lost.Add(lost - conn.lost)
	conn.lost = lost
	f.Seq, f.Tick, f.Throttle, f.Lost, f.Visible = h.Seq, conn.tick, h.Throttle, lost, conn.view.Len()
	f.TickUS = c.welcome.T0US + int64(conn.tick)*c.welcome.TickUS
	c.mu.Unlock()
	f.ReceivedUS = c.clock.estimate(at)
	if c.opts.OnFrame != nil {
		c.opts.OnFrame(f)
	}
}

func (c *Client) refuseFrame(err error) {
	c.stats.refused.Add(1)
	c.opts.Log.Warn("a message of the pose lane could not be read", "error", err)
}
