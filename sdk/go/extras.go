package client

import (
	"fmt"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// extrasUS is how often samples tell of each optional stream, microseconds: as often as others are told. An end is told as often, for
// as long as the venue takes to end by itself what nobody tells of any more.
var extrasUS = [lattice.StreamCount]int64{1_000_000 / 15, 1_000_000 / 10, 1_000_000 / 5}

const endUS = 1_000_000

// SetExtras sets what samples say of the optional streams from now on: where the eyes look, how far the fingers are bent, where the
// body stands. Samples tell of each at its own rate, 15, 10 and 5 times a second; of one that e has not, that it has ended. What is there stays
// until the next call. An error is one of [lattice.Extras.Check], and changes nothing. What others say is in [wire.Visible] and [Frame].
func (c *Client) SetExtras(e lattice.Extras) error {
	if err := e.Check(); err != nil {
		return fmt.Errorf("client: extras: %w", err)
	}
	now := c.ServerTime()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.ending {
		if gone := c.extras.Has &^ e.Has; gone>>i&1 != 0 {
			c.ending[i] = now + endUS
		}
	}
	c.extras = e
	return nil
}

// SetSpeaking says whether the person speaks: others see it in the flags of the avatar (stream.FlagSpeaking), and are sent more of
// who speaks when there is not room for everyone. It holds until it is called again, over new connections too; others are shown at
// most four changes a second.
func (c *Client) SetSpeaking(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.speaking == on {
		return
	}
	c.speaking = on
	if c.conn != nil {
		c.tellSpeaking()
	}
}

// tellSpeaking tells the present connection. The lock is held. A link that cannot take it is dying: the next one is told.
func (c *Client) tellSpeaking() {
	msg := (&wire.Up{T: wire.UpSpeaking, On: c.speaking}).Append(nil)
	if err := c.conn.link.sendEvent(msg); err != nil {
		c.opts.Log.Debug("who speaks is told over the next connection", "error", err)
		return
	}
	c.stats.bytesUp.Add(uint64(len(msg)))
}

// extrasPace says when samples tell of what.
type extrasPace [lattice.StreamCount]int64 // server time at which each stream is due

// put has a sample, one every period, tell of the streams that are due. The client's lock is held.
func (p *extrasPace) put(c *Client, pose *wire.Pose, now, period int64) {
	for i, due := range p {
		s := lattice.Streams(1) << i
		if c.extras.Has&s == 0 && now >= c.ending[i] || due-now > period/2 && due-now <= extrasUS[i] {
			continue
		}
		pose.Said |= s
		if p[i] = due + extrasUS[i]; p[i] <= now || due-now > extrasUS[i] { // the first, or late; or the clock was put back
			p[i] = now + extrasUS[i]
		}
	}
	pose.Extras = c.extras.Only(pose.Said)
}
