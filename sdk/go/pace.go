package client

import (
	"time"

	"github.com/venued/venued/rtc/wire"
)

// Pings: a few at once after connecting, to know the clock well soon; then now and then.
const (
	quickPings  = 5
	quickPingUS = 150_000
	pingUS      = 2_000_000
)

// pace sends samples at the times the gateway assigned, pings, and repetitions.
func (c *Client) pace() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var p pacer
	for {
		wait, ok := p.step(c)
		if !ok {
			wait = time.Hour // until a link comes up
		}
		timer.Reset(wait)
		select {
		case <-c.ctx.Done():
			return
		case <-c.changed:
			p = pacer{buf: p.buf}
		case <-timer.C:
		}
	}
}

// pacer is the state of the pace on one connection.
type pacer struct {
	next   int64 // server time of the next sample; 0 = not chosen yet
	pings  int
	pingAt int64 // local time of the next ping
	extras extrasPace
	buf    []byte
}

// step does what is due and returns how long to wait; ok is false without a connection.
func (p *pacer) step(c *Client) (wait time.Duration, ok bool) {
	c.mu.Lock()
	conn := c.conn
	if conn == nil {
		c.mu.Unlock()
		return 0, false
	}
	w := c.welcome
	period := int64(1_000_000 / max(w.UploadHz, 1))
	c.mu.Unlock()

	local := c.clock.local()
	if time.Duration(local-c.heard.Load())*time.Microsecond > silence {
		conn.link.fail(errSilent)
		return 0, false
	}
	if local >= p.pingAt || p.pingAt-local > pingUS { // the latter when the local clock was put back
		p.buf = wire.AppendPing(p.buf[:0], &wire.Ping{T0: uint64(local)})
		c.sendPose(conn, p.buf)
		p.pingAt = local + pingUS
		if p.pings++; p.pings < quickPings {
			p.pingAt = local + quickPingUS
		}
	}
	c.repeat(conn, local)

	// A clock that was corrected by far changes the plan at once: samples go on while the time that is given out stands still.
	now := c.clock.current(local)
	if now >= p.next || p.next-now > 2*period {
		if p.next != 0 {
			p.sample(c, conn, c.clock.now(local), period)
		}
		p.next = nextSample(now, w.T0US+w.PhaseUS, period)
	}
	return c.clock.until(p.next, local), true
}

// nextSample returns the first nominal sample time after now: phase plus a multiple of the period. One
// that is less than a quarter of a period away is left out, since the sample just sent stands for it.
func nextSample(now, phase, period int64) int64 {
	n := now - phase
	k := n / period
	if n < 0 && n%period != 0 {
		k--
	}
	next := phase + (k+1)*period
	if next-now < period/4 {
		next += period
	}
	return next
}

// sample sends one pose.
func (p *pacer) sample(c *Client, conn *connection, now, period int64) {
	pose := wire.Pose{Stamp: uint32(now / wire.StampUS)}
	if c.opts.Pose != nil {
		pose.Body = c.opts.Pose(now)
	}
	c.mu.Lock()
	if c.opts.Pose == nil {
		pose.Body = c.body
	}
	p.extras.put(c, &pose, now, period)
	c.poseSeq++
	pose.Seq = c.poseSeq
	pose.HasAck, pose.AckSeq, pose.AckBits = conn.view.Ack()
	c.mu.Unlock()
	p.buf = wire.AppendPose(p.buf[:0], &pose)
	if c.sendPose(conn, p.buf) {
		c.stats.poses.Add(1)
	} else {
		c.stats.skipped.Add(1)
	}
}

func (c *Client) sendPose(conn *connection, b []byte) bool {
	if !conn.link.sendPose(b) {
		return false
	}
	c.stats.bytesUp.Add(uint64(len(b)))
	return true
}

// repeat sends key inputs again when that was planned and is due.
func (c *Client) repeat(conn *connection, local int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.again.on || local < c.again.at || c.conn != conn {
		return
	}
	c.again.on = false
	for _, r := range c.requests.untaken() {
		c.stats.resends.Add(1)
		c.send(r)
	}
}

// send puts a request on the event lane. The lock is held, so that numbers leave in order. A link that
// cannot take it is dying; the request is sent again on the next one.
func (c *Client) send(r *Request) {
	if c.conn == nil {
		return
	}
	if err := c.conn.link.sendEvent(r.msg); err != nil {
		c.opts.Log.Debug("an input waits for the next connection", "seq", r.n, "error", err)
		return
	}
	c.stats.bytesUp.Add(uint64(len(r.msg)))
}
