package crowd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/coder/websocket"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/live"
)

// resume cuts somebody's connection, and waits until it is back with its session.
func (c *crowd) resume(ctx context.Context, o *order) live.Outcome {
	v, cl, w, none := c.sever(o)
	if v == nil {
		return none
	}
	cl.Drop(0)
	return v.back(ctx, w)
}

// sever finds somebody whose connection may be cut, and begins to wait for its return.
func (c *crowd) sever(o *order) (*visitor, *client.Client, *watch, live.Outcome) {
	v, none := o.find(func(v *visitor) bool { return !v.busy && v.grabs == 0 && !v.lets })
	if v == nil {
		return nil, nil, nil, none
	}
	v.busy = true
	w := v.watch(func(e *client.Event) bool { return e.T == client.EventConnected })
	cl := v.client
	v.mu.Unlock()
	return v, cl, w, none
}

// back waits until a visitor's connection is back.
func (v *visitor) back(ctx context.Context, w *watch) (out live.Outcome) {
	select {
	case <-w.done:
		if !w.event.Resumed {
			out.Failure = failSession
		}
	case <-ctx.Done():
		out.Failure = live.Timeout
	case <-v.gone():
		out.Failure = failEnded
	}
	v.forget(w)
	v.mu.Lock()
	v.busy = false
	v.mu.Unlock()
	return out
}

// cut asks for something and cuts the connection before the answer can come. It must come after the resume.
func (c *crowd) cut(ctx context.Context, o *order) live.Outcome {
	v, cl, w, none := c.sever(o)
	if v == nil {
		return none
	}
	v.mu.Lock()
	object, at := v.self, v.body.Left
	v.mu.Unlock()
	r, err := cl.Release(object, 0, at) // refused, and so without a trace
	cl.Drop(0)
	out := v.answer(ctx, r, err)
	if back := v.back(ctx, w); back.Failure != "" {
		return back
	}
	if out.Failure == "" {
		out.Failure = failTaken
	}
	out.Expected = strings.HasPrefix(out.Failure, "denied_")
	return out
}

// bad sends something malformed, which the venue must refuse by its code.
func (c *crowd) bad(ctx context.Context, o *order) live.Outcome {
	token, err := c.Tokens(ctx, c.somebody())
	if err != nil {
		return live.Outcome{Failure: failJoin}
	}
	var got wire.Code
	want := wire.CodeBadMessage
	switch o.Draw % 3 {
	case 0:
		want = wire.CodeTokenInvalid
		head, _, _ := strings.Cut(token, ".")
		got, err = c.offer(ctx, head+".e30.AAAA", "v=0\r\n")
	case 1:
		got, err = c.offer(ctx, token, "this is no offer")
	default:
		got, err = c.garble(ctx, token)
	}
	switch {
	case ctx.Err() != nil:
		return live.Outcome{Failure: live.Timeout}
	case err != nil:
		return live.Outcome{Failure: failTaken}
	}
	return live.Outcome{Failure: got.Name(), Expected: got == want}
}

// somebody is the id of a person who is not one of the visitors.
func (c *crowd) somebody() string { return fmt.Sprintf("%s-extra-%d", c.Prefix, c.extra.Add(1)) }

// offer asks for a connection, and returns the code of the refusal.
func (c *crowd) offer(ctx context.Context, token, sdp string) (wire.Code, error) {
	base, _, err := client.ParseLink(c.URL)
	if err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/v1/rtc?user="+url.QueryEscape(c.somebody()), strings.NewReader(sdp))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/sdp")
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		return 0, err
	}
	var told struct {
		Code wire.Code `json:"code"`
	}
	if err := json.NewDecoder(bytes.NewReader(b)).Decode(&told); err != nil || resp.StatusCode < 400 {
		return 0, fmt.Errorf("answered %s", resp.Status)
	}
	return told.Code, nil
}

// garble joins over a WebSocket, sends what is no message, and returns the code of the error.
func (c *crowd) garble(ctx context.Context, token string) (wire.Code, error) {
	base, _, err := client.ParseLink(c.URL)
	if err != nil {
		return 0, err
	}
	q := url.Values{"token": {token}, "user": {c.somebody()}}
	conn, _, err := websocket.Dial(ctx, strings.Replace(base, "http", "ws", 1)+"/v1/ws?"+q.Encode(), &websocket.DialOptions{HTTPClient: c.http})
	if err != nil {
		return 0, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(wire.MaxWelcome)
	sent := false
	for {
		kind, b, err := conn.Read(ctx)
		if err != nil {
			return 0, err
		}
		d, err := wire.DecodeDown(b)
		switch {
		case kind != websocket.MessageText || err != nil:
		case d.T == wire.DownError:
			bye := conn.Write(ctx, websocket.MessageText, (&wire.Up{T: wire.UpBye}).Append(nil))
			return d.Code, bye
		case !sent:
			sent = true
			if err := conn.Write(ctx, websocket.MessageText, []byte(`{"t":"grab","n":`)); err != nil {
				return 0, err
			}
		}
	}
}
