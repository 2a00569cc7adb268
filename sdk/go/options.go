package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/venued/venued/lattice"
	"github.com/venued/venued/rtc/wire"
)

// Lane names the transport that carries both lanes.
type Lane string

// Lanes.
const (
	LaneAuto   Lane = "auto"   // WebRTC over UDP or TCP, and WebSocket when it does not come up
	LaneWebRTC Lane = "webrtc" // WebRTC over UDP only
	LaneTCP    Lane = "tcp"    // WebRTC over TCP only (ICE-TCP)
	LaneWS     Lane = "ws"     // WebSocket: reliable and ordered, so a lost packet delays what follows
)

// Lanes lists every lane, for help texts.
func Lanes() []Lane { return []Lane{LaneAuto, LaneWebRTC, LaneTCP, LaneWS} }

// Options say whom to join, as whom, and what to do with what arrives. Only URL
// and a token are needed.
type Options struct {
	// URL is the venue's address, "http://host:port" or "https://...", with an optional path
	// prefix. A join link is fine too: what follows "#token=" is then the Token unless that is set.
	URL string
	// Token is the join token, or empty when Session resumes.
	Token string
	// NewToken, when not nil, is asked for another join token when the session is gone or the token has expired:
	// the client then joins anew instead of ending. Without it a Token that says it may be used
	// many times is used again; any other ends the client.
	NewToken func(context.Context) (string, error)
	// User chooses the person's id when the token allows it (development tokens); otherwise the
	// token's own counts.
	User string
	// Name chooses the display name when the token allows it.
	Name string
	// Spawn names the spawn point to appear at when joining; default: the venue chooses.
	Spawn string
	// Lane is the transport; default LaneAuto.
	Lane Lane
	// Session resumes a session that another Client (of another process, say) left with
	// Client.Session. Its token counts, not Token.
	Session *Session

	// OnWelcome is called at each welcome, before any sample is taken on its connection: when w.Resumed is
	// false, w.P and w.Q are the place to go on from.
	OnWelcome func(w *wire.Welcome)
	// Pose gives the body at a server time, once a sample. Nil: the last SetPose, and before
	// the first of those the place that the welcome gave.
	Pose func(serverUS int64) lattice.Body
	// OnFrame is called with each frame of entity states, once it is resolved.
	OnFrame func(*Frame)
	// EventQueue is the capacity of the Events channel; default 256.
	EventQueue int

	// SetupTimeout bounds one attempt to connect, from the first request to the welcome;
	// default 10 s.
	SetupTimeout time.Duration
	// HTTP does the signalling; default: a client without kept-alive connections.
	HTTP *http.Client
	// Log gets what a developer wants to know about connecting; default: nothing.
	Log *slog.Logger
}

// Session is what it takes to resume from elsewhere. Keep it secret and use it
// once: resume tokens are rotated at every use.
type Session struct {
	Token string            `json:"token"`
	Last  map[string]uint64 `json:"last"` // newest event number of each region
	Next  uint32            `json:"next"` // number of the next key input
}

// ParseLink splits a join link ("http://host:port/path#token=...") into the venue's base address and
// the token, which is empty when the link has none.
func ParseLink(link string) (base, token string, err error) {
	u, err := url.Parse(strings.TrimSpace(link))
	if err != nil {
		return "", "", fmt.Errorf("client: URL %q: %w", link, err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return "", "", fmt.Errorf("client: URL %q: want http://host:port or https://host[:port]", link)
	}
	if f, ok := strings.CutPrefix(u.Fragment, "token="); ok {
		token, _, _ = strings.Cut(f, "&")
	} else if u.Fragment != "" {
		return "", "", fmt.Errorf("client: URL %q: what follows # must be token=<join token>", link)
	}
	u.Fragment, u.RawFragment, u.RawQuery = "", "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	return u.String(), token, nil
}

// resolved returns the options with defaults filled in, or what is wrong with them.
func (o Options) resolved() (Options, error) {
	base, token, err := ParseLink(o.URL)
	if err != nil {
		return o, err
	}
	o.URL = base
	if o.Token == "" {
		o.Token = token
	}
	if o.Lane == "" {
		o.Lane = LaneAuto
	}
	known := false
	for _, l := range Lanes() {
		known = known || l == o.Lane
	}
	if !known {
		return o, fmt.Errorf("client: Lane %q: want one of %v", o.Lane, Lanes())
	}
	if o.Token == "" && o.NewToken == nil && (o.Session == nil || o.Session.Token == "") {
		return o, errors.New("client: no token: set Token, give a join link with #token=, or a Session to resume")
	}
	if o.EventQueue < 0 || o.SetupTimeout < 0 {
		return o, errors.New("client: EventQueue and SetupTimeout cannot be negative")
	}
	if o.EventQueue == 0 {
		o.EventQueue = 256
	}
	if o.SetupTimeout == 0 {
		o.SetupTimeout = 10 * time.Second
	}
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: &http.Transport{
			Proxy:               http.ProxyFromEnvironment,
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			// Signalling is a few requests an hour; kept-alive connections would only hold goroutines.
			DisableKeepAlives: true,
		}}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// loopback reports whether the venue is on this machine: then, and only then, loopback candidates are
// gathered.
func (o *Options) loopback() bool {
	u, err := url.Parse(o.URL)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
}
