package client

import (
	"encoding/json"
	"fmt"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// Types of Event.T that the client itself makes; all others are the wire.Down constants.
const (
	EventConnected = "connected" // a connection was welcomed; Lane, Resumed and Full say how
	EventLost      = "lost"      // the connection was lost; Err says why, Planned that Drop did it
	EventRepaired  = "repaired"  // the same connection came back by an ICE restart
	EventGap       = "gap"       // Missed events before the next one were dropped: the channel was full
)

// Event is a key event of a region, a word of the gateway (wire.DownError, wire.DownResync,
// wire.DownDurable), or something that happened to the connection. Acks, welcomes, and errors that the client answers by
// sending again do not come as events: they settle Requests, show in Client.Welcome and are counted in Stats.Resends.
type Event struct {
	wire.Down
	Lane    Lane   // EventConnected, EventRepaired
	Resumed bool   // EventConnected: the session goes on
	Full    bool   // EventConnected: events were missed; what is known of the objects is to be read anew
	Err     error  // EventLost
	Planned bool   // EventLost
	Missed  uint64 // EventGap
}

// onEvent takes one message of the event lane.
func (c *Client) onEvent(conn *connection, b []byte) {
	c.heard.Store(c.clock.local())
	c.stats.bytesDown.Add(uint64(len(b)))
	d, err := wire.DecodeDown(b)
	if err != nil {
		c.stats.malformed.Add(1)
		c.opts.Log.Warn("an event could not be read", "error", err)
		return
	}
	c.mu.Lock()
	pass := c.take(conn, d)
	c.mu.Unlock()
	if d.T == wire.DownWelcome && !conn.isGreeted() {
		if c.opts.OnWelcome != nil && conn.refusal == nil {
			c.opts.OnWelcome(d.Welcome)
		}
		close(conn.greeted)
	}
	if pass {
		c.emit(Event{Down: *d})
	}
}

// take makes a message take effect and reports whether the application is to see it. The lock is held.
func (c *Client) take(conn *connection, d *wire.Down) (pass bool) {
	switch d.T {
	case wire.DownWelcome:
		c.greet(conn, d.Welcome)
		return false
	case wire.DownAck:
		if !d.OK && d.Code.Retry() == wire.RetryYes {
			c.planAgain(d.Code)
			return false
		}
		c.requests.ack(d.Seq, Outcome{Tick: d.Tick, OK: d.OK, Code: d.Code, Msg: d.Msg, Times: d.Times})
		return false
	case wire.DownDurable:
		c.requests.stored(d.Tick)
		return true
	case wire.DownError:
		if d.Seq != 0 && d.Code.Retry() == wire.RetryYes {
			c.planAgain(d.Code)
			return false
		}
		if d.Seq != 0 {
			c.requests.answered(d.Seq, Outcome{Tick: d.Tick, Code: d.Code, Msg: d.Msg})
		}
		return true
	case wire.DownClose:
		conn.refusal = &Refused{Code: d.Code, Msg: d.Msg}
		if conn.link != nil {
			conn.link.fail(conn.refusal)
		}
		return false
	case wire.DownResync:
		delete(c.last, d.Region)
		return true
	}
	if d.N != 0 {
		if d.N <= c.last[d.Region] {
			c.stats.repeated.Add(1)
			return false
		}
		c.last[d.Region] = d.N
	}
	if d.Seq != 0 {
		o := Outcome{Tick: d.Tick, OK: d.T != wire.DownDenied, Code: d.Code, Msg: d.Msg}
		c.requests.answered(d.Seq, o)
	}
	return true
}

// greet takes a welcome. The lock is held.
func (c *Client) greet(conn *connection, w *wire.Welcome) {
	if conn.isGreeted() {
		c.opts.Log.Warn("a second welcome on one connection was ignored")
		return
	}
	if w.Resumed {
		c.stats.resumes.Add(1)
		if w.Full {
			c.stats.fullResumes.Add(1)
			clear(c.last)
		}
		if !c.requests.resumed(w.Cursor, w.Tick, w.Full) {
			conn.refusal = fmt.Errorf("%w: the venue has taken inputs up to %d only, older than any kept here", ErrSessionLost, w.Cursor)
			return
		}
	} else {
		clear(c.last)
		c.requests.lost(ErrSessionLost)
		c.stats.sessions.Add(1)
	}
	c.clock.greet(w.TimeUS, c.clock.local())
	if !c.posed && !w.Resumed {
		c.body = standing(lattice.Joint{Pos: lattice.Vec(w.P), Rot: lattice.Rot(w.Q)})
	}
	c.welcome, c.resume = w, w.Resume
	conn.tick = w.Tick
}

// standing returns a body with its head at a place and the hands hanging.
func standing(head lattice.Joint) lattice.Body {
	hand := func(x int32) lattice.Joint {
		off := head.Rot.Rotate(lattice.Vec{X: x, Y: -lattice.Steps * 6 / 10, Z: -lattice.Steps / 8})
		return lattice.Joint{Pos: head.Pos.Add(off), Rot: head.Rot}
	}
	return lattice.Body{Head: head, Left: hand(-lattice.Steps / 5), Right: hand(lattice.Steps / 5)}
}

// planAgain plans to send what the gateway has not taken again, all of it and in order: after one
// refused input every later one is out of order. The lock is held.
func (c *Client) planAgain(why wire.Code) {
	at := c.clock.local() + 50_000
	if why == wire.CodeRateLimited {
		at += 1_000_000
	}
	c.again = retry{on: true, at: max(at, c.again.at)}
}

// emit queues an event for the application, or counts it as missed.
func (c *Client) emit(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return
	}
	if c.missed > 0 {
		// Both or neither, so that the gap stands where it was.
		if cap(c.events)-len(c.events) < 2 {
			c.missed++
			c.stats.dropped.Add(1)
			return
		}
		c.events <- Event{Down: wire.Down{T: EventGap}, Missed: c.missed}
		c.missed = 0
	}
	select {
	case c.events <- e:
	default:
		c.missed++
		c.stats.dropped.Add(1)
	}
}

// Grab asks for an object (an entity id) with a hand, 0 left or 1 right, that is at a place
// now. The region judges reach by that place. Who gets a contested object is decided
// within the venue's window; the Request tells.
func (c *Client) Grab(object uint64, hand uint8, at lattice.Joint) (*Request, error) {
	return c.request(wire.Up{T: wire.UpGrab, Object: object, Hand: hand, HandAt: at})
}

// Release lets go of a held object.
func (c *Client) Release(object uint64, hand uint8, at lattice.Joint) (*Request, error) {
	return c.request(wire.Up{T: wire.UpRelease, Object: object, Hand: hand, HandAt: at})
}

// Use presses an object's button, whatever its rule makes of it.
func (c *Client) Use(object uint64, hand uint8, at lattice.Joint) (*Request, error) {
	return c.request(wire.Up{T: wire.UpUse, Object: object, Hand: hand, HandAt: at})
}

// Message sends a message to the venue's rules: a topic of at most wire.MaxTopic bytes, and data, any JSON
// of at most wire.MaxData bytes, or nil.
func (c *Client) Message(topic string, data json.RawMessage) (*Request, error) {
	if topic == "" || len(topic) > wire.MaxTopic {
		return nil, fmt.Errorf("client: topic of %d bytes: 1 to %d are allowed", len(topic), wire.MaxTopic)
	}
	if len(data) > wire.MaxData || (len(data) > 0 && !json.Valid(data)) {
		return nil, fmt.Errorf("client: data of %d bytes: want JSON of at most %d bytes", len(data), wire.MaxData)
	}
	return c.request(wire.Up{T: wire.UpMsg, Topic: topic, Data: data})
}

// request numbers, books and sends a key input stamped with now. Without a connection it waits for the next.
func (c *Client) request(u wire.Up) (*Request, error) {
	u.TS = max(c.ServerTime(), 0)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.Err(); err != nil {
		return nil, err
	}
	r, err := c.requests.add(u.T, func(n uint32) []byte {
		u.N = n
		return u.Append(nil)
	})
	if err != nil {
		return nil, err
	}
	if !c.again.on { // otherwise it would overtake those before it
		c.send(r)
	}
	return r, nil
}
