package client

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/venued/venued/rtc/wire"
)

// Pauses between attempts to come back. Each is drawn between half of it and all of it, so
// that a thousand clients of a restarted server do not come in one wave.
const (
	firstPause  = 100 * time.Millisecond
	longestWait = 5 * time.Second
	laterPause  = 2 * time.Second // at least, when the venue says "later"
	laterWait   = 30 * time.Second
	repairTime  = 4 * time.Second
)

// supervise owns the connection's fate: repair, resume, join anew, end.
func (c *Client) supervise(conn *connection) {
	defer c.end()
	for {
		c.attend(conn)
		if c.ctx.Err() != nil {
			c.goodbye(conn)
			return
		}
		c.mu.Lock()
		c.conn = nil
		outage := c.outage
		c.outage = 0
		c.mu.Unlock()
		cause := c.bury(conn, conn.link)
		c.stats.losses.Add(1)
		c.opts.Log.Info("connection lost", "cause", cause)
		c.emit(Event{Down: wire.Down{T: EventLost}, Err: cause, Planned: errors.Is(conn.link.cause(), errDropped)})
		next, err := c.comeBack(cause, outage)
		if err != nil {
			c.cancel(err)
			return
		}
		conn = next
	}
}

// attend returns when the connection is dead or the client is to end.
func (c *Client) attend(conn *connection) {
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-conn.link.done():
			return
		case <-conn.link.troubled():
			ctx, cancel := context.WithTimeout(c.ctx, repairTime)
			err := conn.link.repair(ctx)
			cancel()
			if err != nil {
				c.opts.Log.Info("the connection could not be repaired", "error", err)
				// Not wrapped: a refusal of the repair says nothing of the session; resuming will tell.
				conn.link.fail(fmt.Errorf("the connection could not be repaired: %v", err))
				return
			}
			c.stats.repairs.Add(1)
			c.emit(Event{Down: wire.Down{T: EventRepaired}, Lane: conn.link.lane()})
		}
	}
}

// goodbye leaves in good manners, for at most two seconds.
func (c *Client) goodbye(conn *connection) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if conn.link.sendEvent((&wire.Up{T: wire.UpBye}).Append(nil)) == nil {
		conn.link.flush(ctx)
		conn.link.remove(ctx)
	}
	conn.link.close()
}

// end settles what is open when the client has ended.
func (c *Client) end() {
	c.mu.Lock()
	c.conn = nil
	c.requests.lost(c.Err())
	c.ended = true
	close(c.events)
	c.mu.Unlock()
}

// comeBack connects again as the cause of the loss allows. Its error ends the client.
func (c *Client) comeBack(cause error, outage time.Duration) (*connection, error) {
	c.mu.Lock()
	t := ticket{token: c.resume, resume: true}
	c.mu.Unlock()
	pause := firstPause
	wait := outage
	for {
		if retry, fatal := c.plan(&t, cause); fatal != nil {
			return nil, fatal
		} else if retry == wire.RetryLater {
			pause = max(pause, laterPause)
		}
		if wait > 0 && !c.sleep(wait) {
			return nil, c.Err()
		}
		if t.resume {
			c.mu.Lock()
			t.last = maps.Clone(c.last)
			c.mu.Unlock()
		}
		conn, err := c.connect(c.ctx, t)
		if err == nil {
			return conn, nil
		}
		if c.ctx.Err() != nil {
			return nil, c.Err()
		}
		c.opts.Log.Info("could not connect again", "resume", t.resume, "error", err, "pause", pause)
		cause = err
		wait = pause/2 + rand.N(pause/2)
		most := longestWait
		if pause >= laterPause && isLater(err) {
			most = laterWait
		}
		pause = min(2*pause, most)
	}
}

func isLater(err error) bool {
	var no *Refused
	return errors.As(err, &no) && no.Code.Retry() == wire.RetryLater
}

// plan decides with which ticket to try next after an error, or that it is over.
func (c *Client) plan(t *ticket, cause error) (retry string, fatal error) {
	no := new(Refused)
	if errors.Is(cause, ErrSessionLost) {
		no = &Refused{Code: wire.CodeSessionUnknown, Msg: cause.Error()}
	} else if !errors.As(cause, &no) {
		return wire.RetryResume, nil // a path failed, nobody refused
	}
	retry = no.Code.Retry()
	switch {
	case retry == wire.RetryResume || retry == wire.RetryLater || retry == wire.RetryYes:
		return retry, nil
	case retry == wire.RetryNewToken, t.resume && no.Code == wire.CodeTokenInvalid:
		// A resume token is refused as used when the welcome that rotated it was lost on its way.
		token, err := c.newToken(no)
		if err != nil {
			return retry, err
		}
		*t = ticket{token: token}
		return retry, nil
	}
	return retry, no
}

// newToken gets a token to join anew with, or explains why there is none.
func (c *Client) newToken(why *Refused) (string, error) {
	if c.opts.NewToken != nil {
		token, err := c.opts.NewToken(c.ctx)
		if err != nil {
			return "", errors.Join(ErrSessionLost, why, err)
		}
		return token, nil
	}
	if why.Code != wire.CodeTokenExpired && Reusable(c.opts.Token) {
		return c.opts.Token, nil
	}
	return "", errors.Join(ErrSessionLost, why)
}

// Reusable reads from a join token's claims whether it may be used again and for any user, as development
// tokens may. Nothing is verified: the gateway does that.
func Reusable(token string) bool {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return false
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return false
	}
	var claims struct {
		Many bool `json:"many"`
	}
	return json.Unmarshal(b, &claims) == nil && claims.Many
}

// sleep waits, and returns false when the client is to end first.
func (c *Client) sleep(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}
