package peer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/time/rate"

	"github.com/venued/venued/rtc/wire"
)

// Limits of a WebSocket peer.
const (
	// WSFramesPerS is how many pose-lane messages it is sent a second, at most.
	WSFramesPerS = 50
	wsPingEvery  = 3 * time.Second
	wsPingWait   = 5 * time.Second
	wsMaxPongs   = 8 // pose-lane messages that are not frames and wait; further ones are dropped
)

// errLaneFull is returned when a bounded queue has no room.
var errLaneFull = errors.New("the lane is full")

// wsLink is a WebSocket: binary messages are the pose lane, text messages the event lane. A
// writer goroutine sends events first, then the newest frame.
type wsLink struct {
	peer   *Peer
	conn   *websocket.Conn
	ctx    context.Context // ends with the connection
	cancel context.CancelFunc
	pace   *rate.Limiter
	wake   chan struct{} // one value: there is something to write
	idle   chan struct{} // one value: nothing is left to write
	work   sync.WaitGroup

	mu     sync.Mutex
	frame  []byte   // the newest frame that waits; replaced, never queued
	pongs  [][]byte // at most wsMaxPongs
	events [][]byte // bounded by the peer: EventBuffered bytes
	held   uint64   // bytes of events, the one being written included
}

// Accept takes a WebSocket from an HTTP request and returns when it is up, before any message.
// It has answered the request when it fails. Origins are patterns of allowed
// origins beside the request's own host; "*" allows all.
func (e *Engine) Accept(w http.ResponseWriter, r *http.Request, origins []string, on Handlers) (*Peer, error) {
	conn, err := upgrade(w, r, origins)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1) // read looks to it: the library would close with a code of its own
	p := newPeer(e, rand.Text(), WebSocket, on)
	ctx, cancel := context.WithCancel(context.Background())
	l := &wsLink{
		peer: p, conn: conn, ctx: ctx, cancel: cancel,
		pace: rate.NewLimiter(WSFramesPerS, WSFramesPerS/5),
		wake: make(chan struct{}, 1), idle: make(chan struct{}, 1),
	}
	p.link = l
	if err := e.add(p); err != nil {
		cancel()
		conn.Close(websocket.StatusCode(wire.CodeServerShutdown), err.Error())
		return nil, err
	}
	l.work.Add(3)
	go l.write()
	go func() {
		if !p.opened() {
			l.work.Add(-2)
			return
		}
		go l.ping()
		l.read()
	}()
	return p, nil
}

func upgrade(w http.ResponseWriter, r *http.Request, origins []string) (*websocket.Conn, error) {
	opts := &websocket.AcceptOptions{OriginPatterns: origins, CompressionMode: websocket.CompressionDisabled}
	for _, o := range origins {
		opts.InsecureSkipVerify = opts.InsecureSkipVerify || o == "*"
	}
	return websocket.Accept(w, r, opts)
}

// Refuse takes a WebSocket only to close it with a code: a page learns nothing else of why it may
// not connect. It returns when the client has answered, or after 5 s.
func Refuse(w http.ResponseWriter, r *http.Request, origins []string, code wire.Code, msg string) {
	conn, err := upgrade(w, r, origins)
	if err != nil {
		return // the request is answered
	}
	ctx, cancel := context.WithTimeout(r.Context(), wsPingWait)
	defer cancel()
	if conn.Write(ctx, websocket.MessageText, wire.AppendClose(nil, code, msg)) == nil {
		conn.Close(websocket.StatusCode(code), reason(msg))
	}
	conn.CloseNow()
}

// reason cuts a text to what a close frame holds.
func reason(msg string) string {
	const most = 123
	if len(msg) > most {
		msg = strings.ToValidUTF8(msg[:most], "")
	}
	return msg
}

func (l *wsLink) read() {
	defer l.work.Done()
	buf := make([]byte, sctpMaxMessage+1)
	for {
		kind, b, err := l.message(buf)
		now := time.Now()
		switch {
		case len(b) > sctpMaxMessage:
			l.peer.Close(wire.CodeProtocolViolation, fmt.Sprintf("a message above %d bytes", sctpMaxMessage))
			return
		case err != nil:
			l.peer.Close(wire.CodeConnectionLost, "the WebSocket ended")
			return
		case kind == websocket.MessageText:
			l.peer.on.Event(l.peer, b, now)
		default:
			l.peer.on.Pose(l.peer, b, now)
		}
		select {
		case <-l.peer.closing:
			return
		default:
		}
	}
}

// message reads one message into buf, or as much of it as fits. What is above the limits of a lane is refused by the
// lane's decoder, as over WebRTC.
func (l *wsLink) message(buf []byte) (websocket.MessageType, []byte, error) {
	kind, r, err := l.conn.Reader(l.ctx)
	if err != nil {
		return kind, nil, err
	}
	n, err := io.ReadFull(r, buf)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil // the message is shorter than buf; one that the connection's end cut short comes wrapped
	}
	return kind, buf[:n], err
}

// ping notices a client that is gone without a word: TCP alone would take many minutes.
func (l *wsLink) ping() {
	defer l.work.Done()
	every := time.NewTicker(wsPingEvery)
	defer every.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-every.C:
		}
		ctx, cancel := context.WithTimeout(l.ctx, wsPingWait)
		err := l.conn.Ping(ctx)
		cancel()
		if err != nil {
			l.peer.Close(wire.CodeConnectionLost, "the client does not answer pings")
			return
		}
	}
}

// write sends what waits until the connection ends.
func (l *wsLink) write() {
	defer l.work.Done()
	for {
		kind, b := l.next()
		if b == nil {
			signal(l.idle)
			select {
			case <-l.wake:
				continue
			case <-l.ctx.Done():
				return
			}
		}
		ctx, cancel := context.WithTimeout(l.ctx, EventBehind)
		err := l.conn.Write(ctx, kind, b)
		timeout := ctx.Err()
		cancel()
		if kind == websocket.MessageText {
			l.mu.Lock()
			l.held -= uint64(len(b))
			l.mu.Unlock()
		}
		switch {
		case err == nil:
		case errors.Is(timeout, context.DeadlineExceeded):
			l.peer.Close(wire.CodeSlowConsumer, fmt.Sprintf("a message could not be sent for %v", EventBehind))
			return
		default:
			l.peer.Close(wire.CodeConnectionLost, "the WebSocket ended")
			return
		}
	}
}

// next takes what is to be written now, nil for nothing.
func (l *wsLink) next() (websocket.MessageType, []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.events) > 0 {
		b := l.events[0]
		l.events[0] = nil
		l.events = l.events[1:]
		return websocket.MessageText, b
	}
	if len(l.pongs) > 0 {
		b := l.pongs[0]
		l.pongs = append(l.pongs[:0], l.pongs[1:]...)
		return websocket.MessageBinary, b
	}
	b := l.frame
	l.frame = nil
	return websocket.MessageBinary, b
}

func (l *wsLink) sendPose(b []byte) error {
	kind, _ := wire.TypeOf(b)
	l.mu.Lock()
	defer l.mu.Unlock()
	if kind != wire.MsgFrame {
		if len(l.pongs) >= wsMaxPongs {
			return errLaneFull
		}
		l.pongs = append(l.pongs, append([]byte(nil), b...))
	} else {
		l.pace.Allow()
		l.frame = append([]byte(nil), b...)
	}
	signal(l.wake)
	return nil
}

func (l *wsLink) sendEvent(b []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, append([]byte(nil), b...))
	l.held += uint64(len(b))
	signal(l.wake)
	return nil
}

// buffered shows a full pose lane when frames come faster than they may be sent, and an empty one
// otherwise: a frame that waits is replaced by a newer one.
func (l *wsLink) buffered(k laneKind) uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case k == eventLane:
		return l.held
	case l.pace.Tokens() < 1:
		return PoseBuffered + 1
	}
	return 0
}

func (l *wsLink) shut(c Cause) {
	limit := time.NewTimer(lastWordsWait)
	defer limit.Stop()
	select { // an old signal of idleness may be there: empty it, then wait for a new one
	case <-l.idle:
	default:
	}
	signal(l.wake)
	select {
	case <-l.idle:
	case <-limit.C:
	case <-l.ctx.Done():
	}
	switch c.Code {
	case wire.CodeSlowConsumer, wire.CodeConnectionLost, wire.CodeSetupTimeout:
		l.conn.CloseNow() // it would not answer the close frame
	default:
		l.conn.Close(websocket.StatusCode(c.Code), reason(c.Msg))
	}
	l.cancel()
	l.work.Wait()
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
