package rtc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
)

func TestRefusedTokens(t *testing.T) {
	r := newRig(t, rigOptions{})
	past := func() time.Time { return time.Now().Add(-time.Hour) }
	old, _ := token.NewIssuer(testKey, past)
	expired, _, _ := old.Issue(token.Claims{Venue: "hall", User: "ada"}, time.Minute)
	stranger, _ := token.NewIssuer([]byte(strings.Repeat("x", 32)), nil)
	forged, _, _ := stranger.Issue(token.Claims{Venue: "hall", User: "ada"}, time.Minute)
	for _, c := range []struct {
		name, token string
		status      int
		code        wire.Code
	}{
		{"none", "", 401, wire.CodeTokenInvalid},
		{"garbage", "garbage", 401, wire.CodeTokenInvalid},
		{"forged", forged, 401, wire.CodeTokenInvalid},
		{"expired", expired, 401, wire.CodeTokenExpired},
		{"wrong venue", r.token(token.Claims{Venue: "barn", User: "ada"}), 403, wire.CodeWrongVenue},
		{"gone session", r.token(token.Claims{User: "ada", Session: 99}), 410, wire.CodeSessionUnknown},
	} {
		status, _, body := r.request("POST", "/v1/rtc", c.token, "application/sdp", "v=0")
		if status != c.status {
			t.Errorf("%s: status %d", c.name, status)
		}
		r.refused(status, body, c.code, "")
		status, _, body = r.request("GET", "/v1/ws?token="+c.token, "", "", "")
		if status != c.status {
			t.Errorf("%s over ws: status %d", c.name, status)
		}
		r.refused(status, body, c.code, "")
	}
}

// A page sees only the close code of a WebSocket.
func TestPagesLearnRefusalsFromTheCloseCode(t *testing.T) {
	r := newRig(t, rigOptions{})
	url := "ws" + strings.TrimPrefix(r.url, "http") + "/v1/ws?token=garbage"
	c, _, err := websocket.Dial(context.Background(), url, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://localhost:5173"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	if _, b, err := c.Read(context.Background()); err != nil || !strings.Contains(string(b), "token_invalid") {
		t.Errorf("message %s, %v", b, err)
	}
	if _, _, err = c.Read(context.Background()); websocket.CloseStatus(err) != websocket.StatusCode(wire.CodeTokenInvalid) {
		t.Errorf("close: %v", err)
	}
}

func TestBadRequests(t *testing.T) {
	r := newRig(t, rigOptions{})
	tok := r.token(token.Claims{User: "ada"})
	many := r.token(token.Claims{Many: true})
	for _, c := range []struct {
		name, method, path, token, kind, body string
		status                                int
		code                                  wire.Code
		says                                  string
	}{
		{"not SDP", "POST", "/v1/rtc", tok, "application/sdp", "hello", 400, wire.CodeBadMessage, "send the SDP"},
		{"too large", "POST", "/v1/rtc", tok, "application/sdp", strings.Repeat("a", 17<<10), 413, wire.CodeBadMessage, "16384"},
		{"JSON", "POST", "/v1/rtc", tok, "application/json", "{}", 415, wire.CodeBadMessage, "application/sdp"},
		{"unknown spawn", "POST", "/v1/rtc?spawn=dor", tok, "application/sdp", "v=0", 400, wire.CodeBadField, "known are door"},
		{"bad user", "POST", "/v1/rtc?user=a%20b", many, "application/sdp", "v=0", 400, wire.CodeBadField, "parameter user"},
		{"unknown connection", "PATCH", "/v1/rtc/XYZ", "", "application/sdp", "v=0", 404, wire.CodeSessionUnknown, "no such connection"},
		{"unknown path", "GET", "/v1/rtc", "", "", "", 404, wire.CodeBadMessage, "POST /v1/rtc"},
	} {
		status, _, body := r.request(c.method, c.path, c.token, c.kind, c.body)
		if status != c.status {
			t.Errorf("%s: status %d", c.name, status)
		}
		r.refused(status, body, c.code, c.says)
	}
	r.region.do(func() { r.region.placeErr = errors.New("the store is away") })
	status, _, body := r.request("POST", "/v1/rtc", tok, "application/sdp", "v=0")
	r.refused(status, body, wire.CodeUnavailable, "store")
	r.g.admission.mu.Lock()
	defer r.g.admission.mu.Unlock()
	if r.g.admission.total != 0 || len(r.g.admission.users) != 0 {
		t.Errorf("refused requests keep places: %+v", r.g.admission.users)
	}
}

func TestPendingConnectionsAreBounded(t *testing.T) {
	r := newRig(t, rigOptions{})
	tok := r.token(token.Claims{User: "ada", Many: true})
	offer := func() string {
		c := peertest.New(t, peertest.Options{})
		o, err := c.Offer(false)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for n := range pendingPerUser {
		if status, _, body := r.request("POST", "/v1/rtc?user=ada", tok, "application/sdp", offer()); status != 201 {
			t.Fatalf("attempt %d: %d %s", n, status, body)
		}
	}
	status, _, body := r.request("POST", "/v1/rtc?user=ada", tok, "application/sdp", offer())
	r.refused(status, body, wire.CodeTooManyPending, "at most 2")
	if status, _, body = r.request("POST", "/v1/rtc?user=bob", tok, "application/sdp", offer()); status != 201 {
		t.Errorf("another person: %d %s", status, body)
	}
	for n := r.pending(); n < pendingTotal; n++ {
		if settle := r.g.admission.enter(fmt.Sprint("u", n)); settle == nil {
			t.Fatalf("place %d", n)
		}
	}
	status, _, body = r.request("POST", "/v1/rtc?user=eve", tok, "application/sdp", offer())
	r.refused(status, body, wire.CodeTooManyPending, "64 a server")
}

func (r *rig) pending() int {
	r.g.admission.mu.Lock()
	defer r.g.admission.mu.Unlock()
	return r.g.admission.total
}

func TestJoinTokensAreUsedOnce(t *testing.T) {
	r := newRig(t, rigOptions{})
	tok := r.token(token.Claims{User: "ada"})
	r.join(joinOptions{token: tok, lane: "ws"})
	again := r.dial(joinOptions{token: tok, lane: "ws"})
	if d := again.end(); d.Code != wire.CodeTokenInvalid {
		t.Errorf("second use: %+v", d)
	}
}

func TestDevelopmentTokenChoosesPeople(t *testing.T) {
	r := newRig(t, rigOptions{})
	tok := r.token(token.Claims{Many: true, Load: true})
	a := r.join(joinOptions{token: tok, query: "?user=carol&name=Carol", lane: "ws"})
	b := r.join(joinOptions{token: tok, lane: "ws"})
	if a.welcome.User != "carol" || a.welcome.Name != "Carol" {
		t.Errorf("chosen: %+v", a.welcome)
	}
	if !strings.HasPrefix(b.welcome.User, "guest-") {
		t.Errorf("not chosen: %+v", b.welcome)
	}
	r.region.do(func() {
		for _, in := range r.region.inputs {
			if in.Kind == stream.InputJoin && !in.Load {
				t.Error("the mark of load was lost")
			}
		}
	})
}
