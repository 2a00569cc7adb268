package peer

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/venued/venued/rtc/wire"
)

// wsServer serves an engine's WebSocket lane.
func wsServer(t *testing.T, e *Engine, origins ...string) (string, *owner) {
	t.Helper()
	own := newOwner()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Accept(w, r, origins, own.handlers())
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http"), own
}

func dialWS(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	c, _, err := websocket.Dial(context.Background(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.CloseNow() })
	return c
}

func TestWebSocketCarriesBothLanes(t *testing.T) {
	e := listen(t, nil)
	url, own := wsServer(t, e)
	c := dialWS(t, url)
	ctx := context.Background()
	p := await(t, own.open, "open")
	if err := c.Write(ctx, websocket.MessageText, []byte("up")); err != nil {
		t.Fatal(err)
	}
	if got := await(t, own.events, "the event"); got != "up" {
		t.Errorf("event %q", got)
	}
	if err := c.Write(ctx, websocket.MessageBinary, []byte{0x11}); err != nil {
		t.Fatal(err)
	}
	if got := await(t, own.poses, "the pose"); got != "\x11" {
		t.Errorf("pose %q", got)
	}
	p.SendEvent([]byte("down"))
	kind, b, err := c.Read(ctx)
	if err != nil || kind != websocket.MessageText || string(b) != "down" {
		t.Errorf("%v %q %v", kind, b, err)
	}
	p.SendPose([]byte{wire.Version<<4 | byte(wire.MsgFrame), 7})
	kind, b, err = c.Read(ctx)
	if err != nil || kind != websocket.MessageBinary || b[1] != 7 {
		t.Errorf("%v %q %v", kind, b, err)
	}
	p.Close(wire.CodeReplaced, "joined elsewhere")
	if _, b, err = c.Read(ctx); err != nil || !strings.Contains(string(b), `"t":"close"`) {
		t.Errorf("last words %q %v", b, err)
	}
	if _, _, err = c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusCode(wire.CodeReplaced) {
		t.Errorf("close status: %v", err)
	}
	await(t, p.Done(), "the transport's end")
}

func TestWebSocketFramesAreReplacedNotQueued(t *testing.T) {
	e := listen(t, nil)
	url, own := wsServer(t, e)
	dialWS(t, url)
	p := await(t, own.open, "open")
	sent := 0
	for range 500 {
		if p.CanSendPose(0) {
			p.SendPose([]byte{wire.Version<<4 | byte(wire.MsgFrame), 0})
			sent++
		}
	}
	if p.Stats().Skipped == 0 {
		t.Errorf("%d frames at once, none skipped", sent)
	}
}

func TestWebSocketTooLargeMessage(t *testing.T) {
	e := listen(t, nil)
	url, own := wsServer(t, e)
	c := dialWS(t, url)
	await(t, own.open, "open")
	ctx := context.Background()
	c.Write(ctx, websocket.MessageText, make([]byte, sctpMaxMessage))
	if got := await(t, own.events, "a message of the largest size"); len(got) != sctpMaxMessage {
		t.Errorf("%d bytes came", len(got))
	}
	c.Write(ctx, websocket.MessageText, make([]byte, 1<<20))
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeProtocolViolation {
		t.Errorf("cause %+v", got)
	}
	_, b, err := c.Read(ctx)
	if err != nil || !strings.Contains(string(b), "protocol_violation") {
		t.Errorf("last words %q, %v", b, err)
	}
	if _, _, err := c.Read(ctx); websocket.CloseStatus(err) != websocket.StatusCode(wire.CodeProtocolViolation) {
		t.Errorf("closed with %v", err)
	}
}

// A message that the end of the connection cuts short is none.
func TestWebSocketMessageCutShort(t *testing.T) {
	e := listen(t, nil)
	url, own := wsServer(t, e)
	c := dialWS(t, url)
	await(t, own.open, "open")
	w, err := c.Writer(context.Background(), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(make([]byte, 10_000)) // more than the library holds back
	c.CloseNow()
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeConnectionLost {
		t.Errorf("cause %+v", got)
	}
	if len(own.events) != 0 {
		t.Error("half a message was handed on")
	}
}

func TestWebSocketStalledReader(t *testing.T) {
	e := listen(t, nil)
	url, own := wsServer(t, e)
	dialWS(t, url) // never reads
	p := await(t, own.open, "open")
	msg := make([]byte, 4000)
	for sent := 0; p.SendEvent(msg); sent += len(msg) {
		if sent > 64<<20 {
			t.Fatal("64 MB went to a client that does not read")
		}
	}
	if got := await(t, own.closed, "Closed"); got.Code != wire.CodeSlowConsumer {
		t.Errorf("cause %+v", got)
	}
	await(t, p.Done(), "the transport's end")
}

func TestWebSocketOrigins(t *testing.T) {
	e := listen(t, nil)
	for _, c := range []struct {
		allowed, origin string
		ok              bool
	}{
		{"https://venue.example", "https://venue.example", true},
		{"https://venue.example", "https://evil.example", false},
		{"*", "https://any.example", true},
	} {
		url, _ := wsServer(t, e, c.allowed)
		conn, _, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {c.origin}}})
		if (err == nil) != c.ok {
			t.Errorf("origin %s with %s allowed: %v", c.origin, c.allowed, err)
		}
		if err == nil {
			conn.CloseNow()
		}
	}
}
