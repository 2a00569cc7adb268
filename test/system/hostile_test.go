package system

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/pion/webrtc/v4"

	"github.com/venued/venued/rtc/peer/peertest"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// siege is a server that asks for tokens, with honest visitors in it while others attack.
type siege struct {
	*process.Server
	key    string // path of the key file
	honest []*visitor
}

const venueID = "arena"

// newSiege starts a server with a key that `venued key` made, and lets the honest in over both kinds of lane.
func newSiege(t *testing.T) *siege {
	t.Helper()
	dir := t.TempDir()
	s := &siege{key: filepath.Join(dir, "venue.key")}
	command(t, "key", s.key)
	arena, err := os.ReadFile(filepath.Join("testdata", "arena.toml"))
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(dir, "arena.toml")
	text := strings.Replace(string(arena), "events_per_s = 200", "events_per_s = 20", 1) + fmt.Sprintf("\n[tokens]\nkey_file = %q\n", s.key)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Server = process.Serve(t, "", config)
	if s.Token != "" {
		t.Errorf("a server with a key file prints a token: %s", s.Join)
	}
	s.Token = s.token(t, "--user", "anybody", "--many")
	for _, lane := range []client.Lane{client.LaneWebRTC, client.LaneWS} {
		s.honest = append(s.honest, visit(t, s.Server, s.URL, "honest-"+string(lane), lane))
	}
	return s
}

// command runs a venued command that must succeed, and returns its output.
func command(t *testing.T, args ...string) string {
	t.Helper()
	out, errs, code := process.Run(t, args...)
	if code != 0 {
		t.Fatalf("venued %v: code %d: %s", args, code, errs)
	}
	return strings.TrimSpace(out)
}

// token signs a token for the venue with `venued token`.
func (s *siege) token(t *testing.T, args ...string) string {
	t.Helper()
	return command(t, append([]string{"token", "--key", s.key, "--venue", venueID}, args...)...)
}

// unharmed asserts that the honest visitors are served as if nobody else were there.
func (s *siege) unharmed(t *testing.T) {
	t.Helper()
	for _, v := range s.honest {
		v.settled() // thirty more frames come
		if out := v.outcome(v.Message("still", json.RawMessage(`"here"`))); !out.OK {
			t.Errorf("%s: a message was answered %+v", v.Welcome().User, out)
		}
		st := v.Stats()
		if st.Losses != 0 || st.Connects != 1 || st.FramesRefused != 0 || st.EventsMalformed != 0 {
			t.Errorf("%s suffered: %+v", v.Welcome().User, st)
		}
		if st.FramesLost > st.Frames/50 {
			t.Errorf("%s lost %d of %d frames", v.Welcome().User, st.FramesLost, st.Frames)
		}
	}
}

// metric returns the value of a line of /metrics, 0 when it is not there.
func (s *siege) metric(t *testing.T, name string) float64 {
	t.Helper()
	_, body := get(t, s.Metrics+"/metrics")
	for line := range strings.Lines(body) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+" "); ok {
			f, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
	}
	return 0
}

// request makes one HTTP request and returns its status, code and text.
func (s *siege) request(t *testing.T, method, path, tok, kind, body string) (int, wire.Code, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if tok != "" {
		req.Header.Set("Authorization", "Bearer "+tok)
	}
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		Code wire.Code
		Msg  string
	}
	if resp.StatusCode >= 400 {
		if err := json.Unmarshal(b, &e); err != nil || e.Msg == "" {
			t.Errorf("%s %s: status %d and a body that says nothing: %q", method, path, resp.StatusCode, b)
		}
		return resp.StatusCode, e.Code, e.Msg
	}
	return resp.StatusCode, 0, string(b)
}

const sdp = "application/sdp"

func TestHostileClients(t *testing.T) {
	s := newSiege(t)
	s.unharmed(t)
	before := s.metric(t, "process_resident_memory_bytes")
	for _, attack := range []struct {
		name string
		run  func(*testing.T, *siege)
	}{
		{"tokens", attackTokens},
		{"offers", attackOffers},
		{"set-ups that never come up", attackSetups},
		{"undeclared channels", attackChannels},
		{"bad frames over WebRTC", func(t *testing.T, s *siege) { attackFrames(t, s, false) }},
		{"bad frames over a WebSocket", func(t *testing.T, s *siege) { attackFrames(t, s, true) }},
		{"bad events", attackEvents},
		{"teleports and speed", attackSpeed},
		{"grabs", attackGrabs},
		{"event flood", attackFlood},
		{"pose flood", attackPoseFlood},
		{"clients that do not read", attackStalled},
		{"noise", attackNoise},
	} {
		t.Run(attack.name, func(t *testing.T) {
			attack.run(t, s)
			s.unharmed(t)
		})
	}
	// Far above what the attackers may use, far below what they sent or asked for.
	const most = 128 << 20
	if after := s.metric(t, "process_resident_memory_bytes"); after > before+most {
		t.Errorf("the server grew from %.0f to %.0f MiB", before/(1<<20), after/(1<<20))
	} else {
		t.Logf("the server grew from %.0f to %.0f MiB", before/(1<<20), after/(1<<20))
	}
	if out := s.Output(); strings.Contains(out, "goroutine ") || strings.Contains(out, "panic") {
		t.Error("the server's log has a panic")
	}
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func attackTokens(t *testing.T, s *siege) {
	otherKey := filepath.Join(t.TempDir(), "other.key")
	command(t, "key", otherKey)
	key, err := token.ReadKey(s.key)
	if err != nil {
		t.Fatal(err)
	}
	past, err := token.NewIssuer(key, func() time.Time { return time.Now().Add(-time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	expired, _, err := past.Issue(token.Claims{Venue: venueID, User: "late"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		token  string
		status int
		code   wire.Code
	}{
		"none":            {"", 401, wire.CodeTokenInvalid},
		"unknown":         {"open sesame", 401, wire.CodeTokenInvalid},
		"endless":         {strings.Repeat("a", 8000), 401, wire.CodeTokenInvalid},
		"expired":         {expired, 401, wire.CodeTokenExpired},
		"wrong signature": {command(t, "token", "--key", otherKey, "--venue", venueID, "--user", "forger"), 401, wire.CodeTokenInvalid},
		"wrong venue":     {s.token(t, "--user", "lost", "--venue", "gallery"), 403, wire.CodeWrongVenue},
	} {
		if status, code, msg := s.request(t, "POST", "/v1/rtc", c.token, sdp, "v=0"); status != c.status || code != c.code {
			t.Errorf("%s: %d %v %q, want %d %v", name, status, code, msg, c.status, c.code)
		}
	}
	// One use: the second connection comes up only to be told so, and the first lives on.
	once := s.token(t, "--user", "once")
	first := dialWS(t, s, once)
	first.welcome()
	if d := dialWS(t, s, once).closed(); d.Code != wire.CodeTokenInvalid || !strings.Contains(d.Msg, "used before") {
		t.Errorf("replayed join token: %+v", d)
	}
	// So is a resume token: whoever copied it comes too late.
	second := dialWS(t, s, first.greeting.Resume)
	second.welcome()
	if d := first.closed(); d.Code != wire.CodeReplaced {
		t.Errorf("the connection that was resumed elsewhere: %+v", d)
	}
	if status, code, _ := s.request(t, "POST", "/v1/rtc", first.greeting.Resume, sdp, "v=0"); status != 401 || code != wire.CodeTokenInvalid {
		t.Errorf("replayed resume token: %d %v", status, code)
	}
}

func attackOffers(t *testing.T, s *siege) {
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"empty":             {sdp, "", 400},
		"not SDP":           {sdp, "<html>", 400},
		"SDP without data":  {sdp, "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n", 400},
		"SDP without keys":  {sdp, "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n", 400},
		"above 16 KB":       {sdp, "v=0\r\n" + strings.Repeat("a=x\r\n", 4000), 413},
		"of another type":   {"application/json", "{}", 415},
		"of no type at all": {"", "v=0", 415},
	} {
		if status, code, msg := s.request(t, "POST", "/v1/rtc", s.Token, c.kind, c.body); status != c.status || code != wire.CodeBadMessage {
			t.Errorf("%s: %d %v %q, want %d", name, status, code, msg, c.status)
		}
	}
	for _, method := range []string{"PATCH", "POST", "PUT"} {
		if status, _, _ := s.request(t, method, "/v1/rtc/AAAA", s.Token, sdp, "v=0"); status != 404 && status != 405 {
			t.Errorf("%s of somebody's connection: %d", method, status)
		}
	}
}

func attackSetups(t *testing.T, s *siege) {
	offer, err := peertest.New(t, peertest.Options{}).Offer(false)
	if err != nil {
		t.Fatal(err)
	}
	post := func() (int, wire.Code, string) {
		return s.request(t, "POST", "/v1/rtc?user=hasty", s.Token, sdp, offer)
	}
	for n := range 2 {
		if status, _, msg := post(); status != 201 {
			t.Fatalf("offer %d: %d %s", n, status, msg)
		}
	}
	if status, code, _ := post(); status != 429 || code != wire.CodeTooManyPending {
		t.Errorf("a third set-up at once: %d %v", status, code)
	}
	s.honest[0].await("the set-ups to be given up", func() bool {
		return s.metric(t, `venued_gateway_closes_total{code="setup_timeout"}`) >= 2
	})
}

// dialRTC connects over WebRTC with the options of an attacker.
func dialRTC(t *testing.T, s *siege, user string, o peertest.Options) *attacker {
	t.Helper()
	c := peertest.New(t, o)
	offer, err := c.Offer(false)
	if err != nil {
		t.Fatal(err)
	}
	status, _, answer := s.request(t, "POST", "/v1/rtc?user="+user, s.Token, sdp, offer)
	if status != 201 {
		t.Fatalf("offer: %d %s", status, answer)
	}
	if err := c.Answer(answer); err != nil {
		t.Fatal(err)
	}
	return &attacker{t: t, rtc: c, events: c.Events}
}

func attackChannels(t *testing.T, s *siege) {
	extra := map[string]*webrtc.DataChannelInit{"pose": peertest.Unordered(), "event": nil, "chat": nil}
	a := dialRTC(t, s, "chatty", peertest.Options{Channels: extra})
	if label := receive(t, a.rtc.Closed, "the end of the channel"); label != "chat" {
		t.Errorf("channel %q was closed", label)
	}
	a.welcome()
	for n := range 20 {
		extra[fmt.Sprint("extra-", n)] = nil
	}
	if d := dialRTC(t, s, "chattier", peertest.Options{Channels: extra}).closed(); d.Code != wire.CodeProtocolViolation {
		t.Errorf("many channels: %+v", d)
	}
	wrong := map[string]*webrtc.DataChannelInit{"pose": nil, "event": nil}
	if d := dialRTC(t, s, "reliable", peertest.Options{Channels: wrong}).closed(); d.Code != wire.CodeProtocolViolation {
		t.Errorf("a reliable pose channel: %+v", d)
	}
}

// attacker is a client that sends what it likes.
type attacker struct {
	t        *testing.T
	rtc      *peertest.Client // or
	ws       *websocket.Conn
	events   chan []byte
	greeting *wire.Welcome
}

func dialWS(t *testing.T, s *siege, tok string) *attacker {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, s.URL+"/v1/ws?token="+tok, nil)
	if err != nil {
		t.Fatalf("WebSocket: %v", err)
	}
	if resp.Body != nil {
		resp.Body.Close()
	}
	a := &attacker{t: t}
	a.take(conn)
	return a
}

// take makes a WebSocket the attacker's own.
func (a *attacker) take(conn *websocket.Conn) {
	conn.SetReadLimit(wire.MaxWelcome)
	a.ws, a.events = conn, make(chan []byte, 4096)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			kind, b, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			if kind == websocket.MessageText {
				select {
				case a.events <- b:
				default:
				}
			}
		}
	}()
	a.t.Cleanup(func() {
		conn.CloseNow() //nolint:errcheck // the server may have closed it
		<-ended
	})
}

func receive[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("%s did not come", what)
		panic("unreachable")
	}
}

// next returns the next event of one of some types.
func (a *attacker) next(kinds ...string) *wire.Down {
	a.t.Helper()
	for {
		b := receive(a.t, a.events, strings.Join(kinds, " or "))
		d, err := wire.DecodeDown(b)
		if err != nil {
			a.t.Fatalf("%s: %v", b, err)
		}
		for _, k := range kinds {
			if d.T == k {
				return d
			}
		}
		if d.T == wire.DownClose {
			a.t.Fatalf("closed with %+v while waiting for %v", d, kinds)
		}
	}
}

func (a *attacker) closed() *wire.Down {
	a.t.Helper()
	return a.next(wire.DownClose)
}

func (a *attacker) welcome() {
	a.t.Helper()
	a.greeting = a.next(wire.DownWelcome).Welcome
}

// pose and event send, and ignore that the server may have closed.
func (a *attacker) pose(b []byte) {
	if a.ws != nil {
		a.ws.Write(a.t.Context(), websocket.MessageBinary, b) //nolint:errcheck // see above
		return
	}
	a.rtc.Pose(b) //nolint:errcheck // see above
}

func (a *attacker) event(text string) error {
	if a.ws != nil {
		return a.ws.Write(a.t.Context(), websocket.MessageText, []byte(text))
	}
	return a.rtc.Event([]byte(text))
}

// dial connects as a user and waits for the welcome.
func (s *siege) dial(t *testing.T, ws bool, user string) *attacker {
	t.Helper()
	var a *attacker
	if ws {
		a = dialWS(t, s, s.Token+"&user="+user)
	} else {
		a = dialRTC(t, s, user, peertest.Options{})
	}
	a.welcome()
	return a
}
