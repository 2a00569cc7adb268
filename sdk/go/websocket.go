package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/coder/websocket"

	"github.com/venued/venued/rtc/wire"
)

// wsLink is the WebSocket lane: binary messages are the pose lane, text messages the event lane.
type wsLink struct {
	ending
	conn *websocket.Conn
	wg   sync.WaitGroup

	mu     sync.Mutex
	wake   *sync.Cond // the queue has changed, or the link is dead
	queue  []wsMessage
	poses  int // bytes of binary messages queued or being written
	events int // bytes of text messages queued or being written
	spare  [][]byte
}

type wsMessage struct {
	text bool
	b    []byte
}

func (o *Options) dialWS(ctx context.Context, t ticket, l lanes) (link, error) {
	address := strings.Replace(o.URL, "http", "ws", 1) + "/v1/ws"
	q := o.query(t)
	// Browsers cannot set a header here, so the protocol has the token in the query.
	q.Set("token", t.token)
	conn, resp, err := websocket.Dial(ctx, withQuery(address, q), &websocket.DialOptions{HTTPClient: o.HTTP})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols && resp.Body != nil {
			if body, e := io.ReadAll(io.LimitReader(resp.Body, maxAnswer)); e == nil {
				return nil, refusal(resp.StatusCode, body)
			}
		}
		return nil, fmt.Errorf("client: WebSocket: %w", withoutQuery(err))
	}
	conn.SetReadLimit(maxMessage)
	k := &wsLink{ending: newEnding(), conn: conn}
	k.wake = sync.NewCond(&k.mu)
	k.wg.Go(func() { k.read(l) })
	k.wg.Go(k.write)
	context.AfterFunc(k.ctx, func() {
		k.mu.Lock()
		k.wake.Broadcast()
		k.mu.Unlock()
		_ = conn.CloseNow()
	})
	return k, nil
}

// withoutQuery takes the address out of a *url.Error: its query holds the token, and
// errors end up in logs.
func withoutQuery(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func (k *wsLink) read(l lanes) {
	for {
		// The link's own context would close the connection uncleanly when it ends; AfterFunc does that.
		typ, b, err := k.conn.Read(context.Background())
		if err != nil {
			k.fail(wsCause(err))
			return
		}
		if typ == websocket.MessageText {
			l.event(b)
		} else {
			l.pose(b)
		}
	}
}

// wsCause reads what a close frame says: the protocol's close codes are its status, the reason is for people.
func wsCause(err error) error {
	var c websocket.CloseError
	if !errors.As(err, &c) {
		return fmt.Errorf("WebSocket: %w", err)
	}
	if c.Code >= 3000 {
		return &Refused{Code: wire.Code(c.Code), Msg: c.Reason}
	}
	return fmt.Errorf("%w: %d %s", errPeerClosed, c.Code, c.Reason)
}

func (k *wsLink) write() {
	for {
		k.mu.Lock()
		for len(k.queue) == 0 && k.ctx.Err() == nil {
			k.wake.Wait()
		}
		if k.ctx.Err() != nil {
			k.mu.Unlock()
			return
		}
		m := k.queue[0]
		k.queue = append(k.queue[:0], k.queue[1:]...)
		k.mu.Unlock()
		typ := websocket.MessageBinary
		if m.text {
			typ = websocket.MessageText
		}
		err := k.conn.Write(k.ctx, typ, m.b)
		k.mu.Lock()
		if m.text {
			k.events -= len(m.b)
		} else {
			k.poses -= len(m.b)
		}
		k.spare = append(k.spare, m.b[:0])
		k.wake.Broadcast()
		k.mu.Unlock()
		if err != nil {
			k.fail(fmt.Errorf("WebSocket: %w", err))
			return
		}
	}
}

// push queues a copy of b. The lock is held.
func (k *wsLink) push(text bool, b []byte) {
	var c []byte
	if n := len(k.spare); n > 0 {
		c, k.spare = k.spare[n-1], k.spare[:n-1]
	}
	k.queue = append(k.queue, wsMessage{text, append(c, b...)})
	k.wake.Broadcast()
}

func (k *wsLink) sendPose(b []byte) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	// On one ordered stream an old sample only delays a new one: a few may wait, no more.
	if k.ctx.Err() != nil || k.poses+len(b) > maxPoseBacklog/32 {
		return false
	}
	k.poses += len(b)
	k.push(false, b)
	return true
}

func (k *wsLink) sendEvent(b []byte) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.cause(); err != nil {
		return err
	}
	if k.events+len(b) > maxEventBacklog {
		k.fail(errBacklog)
		return errBacklog
	}
	k.events += len(b)
	k.push(true, b)
	return nil
}

func (k *wsLink) flush(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		k.mu.Lock()
		k.wake.Broadcast()
		k.mu.Unlock()
	})
	defer stop()
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.events > 0 && ctx.Err() == nil && k.ctx.Err() == nil {
		k.wake.Wait()
	}
}

func (k *wsLink) troubled() <-chan struct{}    { return nil }
func (k *wsLink) repair(context.Context) error { return errNoRepair }
func (k *wsLink) remove(context.Context)       {}
func (k *wsLink) lane() Lane                   { return LaneWS }

func (k *wsLink) close() {
	k.fail(ErrClosed)
	k.wg.Wait()
	_ = k.conn.CloseNow()
}
