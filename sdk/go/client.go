package client

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// silence is how long a link may bring nothing, not even an answer to a ping, before it counts as lost.
const silence = 6 * time.Second

// Client is one person's presence in a venue. See the package's documentation for what it does by itself
// and for its concurrency.
type Client struct {
	opts   Options
	clock  *clock
	events chan Event
	ctx    context.Context // ends when the client is to end; its cause is why
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
	stats  counters

	heard   atomic.Int64  // local time at which the last message came, microseconds
	changed chan struct{} // wakes the pace: a link came up

	mu       sync.Mutex
	conn     *connection // nil while there is none
	welcome  *wire.Welcome
	resume   string            // newest resume token
	last     map[string]uint64 // newest event number of each region
	requests requests
	body     lattice.Body
	posed    bool // body was set by SetPose
	extras   lattice.Extras
	ending   [lattice.StreamCount]int64 // server time until which the end of each optional stream is told
	speaking bool
	poseSeq  uint16
	missed   uint64 // events dropped since the last one queued
	ended    bool   // the events channel is closed
	outage   time.Duration
	again    retry
}

// retry is a planned repetition of key inputs.
type retry struct {
	on bool
	at int64 // local time, microseconds
}

// connection is one link and what lives exactly as long.
type connection struct {
	link    link // set under Client.mu before the connection is in use
	view    *wire.View
	greeted chan struct{} // closed at the welcome
	tick    uint64        // newest tick of a frame, unwrapped
	frame   Frame         // scratch, of the pose lane's goroutine
	refusal error         // what a close event said, or a welcome made impossible
	lost    uint64        // frames counted as lost so far
}

func (n *connection) isGreeted() bool { return closed(n.greeted) }

// Dial joins a venue, or resumes opts.Session, and returns when the venue has welcomed the client.
// ctx bounds the joining only. An error is a *Refused when the venue said no.
func Dial(ctx context.Context, opts Options) (*Client, error) {
	o, err := opts.resolved()
	if err != nil {
		return nil, err
	}
	c := &Client{
		opts: o, clock: newClock(time.Now()),
		events:  make(chan Event, o.EventQueue),
		changed: make(chan struct{}, 1),
		last:    map[string]uint64{}, requests: newRequests(1),
	}
	t := ticket{token: o.Token}
	if s := o.Session; s != nil {
		t = ticket{token: s.Token, resume: true, last: maps.Clone(s.Last)}
		maps.Copy(c.last, s.Last)
		c.requests = newRequests(s.Next)
	} else if t.token == "" {
		if t.token, err = o.NewToken(ctx); err != nil {
			return nil, err
		}
	}
	c.ctx, c.cancel = context.WithCancelCause(context.Background())
	conn, err := c.connect(ctx, t)
	if err != nil {
		c.cancel(err)
		return nil, err
	}
	c.wg.Go(c.pace)
	c.wg.Go(func() { c.supervise(conn) })
	return c, nil
}

// Close says goodbye, ends the connection and returns when every goroutine of the client has
// ended; at most about two seconds. The Events channel is closed. Closing twice is fine.
func (c *Client) Close() error {
	c.cancel(ErrClosed)
	c.wg.Wait()
	return nil
}

// Done is closed when the client has ended; Err then says why.
func (c *Client) Done() <-chan struct{} { return c.ctx.Done() }

// Err returns why the client ended: ErrClosed, a *Refused, or ErrSessionLost; nil while it lives.
func (c *Client) Err() error { return context.Cause(c.ctx) }

// Events returns the channel of events: key events of the regions, each once and in order a region, and
// what happens to the connection. It is closed when the client has ended. See the package's documentation for what
// happens when it is not read.
func (c *Client) Events() <-chan Event { return c.events }

// Welcome returns what the venue said at the newest welcome: who and where this
// client is, the venue's rates and kinds. Do not change what its slices hold.
func (c *Client) Welcome() wire.Welcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return *c.welcome
}

// Session returns what another Client needs to resume this session. It is of use once this client
// has lost its connection or its process: a session has one connection.
func (c *Client) Session() Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return Session{Token: c.resume, Last: maps.Clone(c.last), Next: c.requests.next}
}

// Connected reports whether a connection is up, and by which lane.
func (c *Client) Connected() (Lane, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return "", false
	}
	return c.conn.link.lane(), true
}

// ServerTime returns the time on the server's timeline, microseconds. It never runs back.
func (c *Client) ServerTime() int64 { return c.clock.now(c.clock.local()) }

// RTT returns the shortest recent round trip over the pose lane; 0 before the first.
func (c *Client) RTT() time.Duration {
	us, _ := c.clock.rtt()
	return time.Duration(us) * time.Microsecond
}

// SetPose sets the body that samples show from now on, when Options.Pose is nil.
func (c *Client) SetPose(b lattice.Body) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.body, c.posed = b, true
}

// Entities returns what is visible now, by ascending entity id.
func (c *Client) Entities() []wire.Visible {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return nil
	}
	all := make([]wire.Visible, 0, c.conn.view.Len())
	for _, v := range c.conn.view.Entities() {
		all = append(all, *v)
	}
	return all
}

// Entity returns one visible entity by its id.
func (c *Client) Entity(id uint64) (wire.Visible, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn == nil {
		return wire.Visible{}, false
	}
	v, ok := c.conn.view.Entity(id)
	if !ok {
		return wire.Visible{}, false
	}
	return *v, true
}

// Drop cuts the connection as a dying network would, without a goodbye, and keeps from reconnecting
// for the outage; then the client resumes by itself. For tests and load generators.
func (c *Client) Drop(outage time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.conn != nil {
		c.outage = outage
		c.conn.link.fail(errDropped)
	}
}

// connect makes one connection and waits for its welcome.
func (c *Client) connect(ctx context.Context, t ticket) (*connection, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.SetupTimeout)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	conn := &connection{view: wire.NewView(), greeted: make(chan struct{})}
	k, err := c.opts.open(ctx, t, lanes{
		pose:  func(b []byte) { c.onPose(conn, b) },
		event: func(b []byte) { c.onEvent(conn, b) },
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-conn.greeted:
		c.mu.Lock()
		err = conn.refusal
		c.mu.Unlock()
	case <-k.done():
		err = c.bury(conn, k)
	case <-ctx.Done():
		err = errors.New("client: connected, but no welcome came in time")
		if c.ctx.Err() != nil {
			err = c.Err()
		}
	}
	if err != nil {
		k.close()
		return nil, err
	}
	c.activate(conn, k)
	return conn, nil
}

// activate puts a welcomed connection to use and sends what its region lacks.
func (c *Client) activate(conn *connection, k link) {
	c.mu.Lock()
	conn.link = k
	c.conn = conn
	c.again = retry{}
	c.heard.Store(c.clock.local())
	c.stats.connects.Add(1)
	for _, r := range c.requests.untaken() {
		c.send(r)
	}
	if c.speaking {
		c.tellSpeaking()
	}
	resumed, full := c.welcome.Resumed, c.welcome.Full
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
	c.opts.Log.Info("connected", "lane", k.lane(), "session", c.Welcome().Session, "resumed", resumed)
	c.emit(Event{Down: wire.Down{T: EventConnected}, Lane: k.lane(), Resumed: resumed, Full: full})
}

// bury closes a dead link and returns why it ended: what the server said, if it said something.
func (c *Client) bury(conn *connection, k link) error {
	// Only when the readers have ended is the last word known: the lanes end in any order, and
	// one may still hold what the other's end was the sequel of.
	k.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if conn.refusal != nil {
		return conn.refusal
	}
	return k.cause()
}
