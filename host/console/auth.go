package console

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Bounds of logging in.
const (
	cookieName  = "venued_admin"
	sessionLife = 12 * time.Hour
	maxSessions = 64               // more end the oldest
	tries       = 5                // wrong tokens of an address at once,
	tryEvery    = 10 * time.Second // and then one in so long
	maxAddrs    = 1024             // addresses that are remembered
)

// ruleToken is what the holder of a rule key calls the API with.
type ruleToken struct {
	name  string   // of the key
	token [32]byte // hash
}

// session is a browser that is logged in.
type session struct {
	id    [32]byte // hash of the cookie's value
	until time.Time
	ended chan struct{} // closed at its end
}

// auth knows who may come in. Its methods may be called from any goroutine.
type auth struct {
	token [32]byte // hash of the admin token: comparing hashes takes the same time whatever is wrong
	keys  []ruleToken
	now   func() time.Time

	mu       sync.Mutex
	sessions []*session // oldest first
	wrong    map[string]*rate.Limiter
	all      *rate.Limiter // wrong tokens of all addresses
}

func newAuth(token string, keys map[string]string, now func() time.Time) *auth {
	var list []ruleToken
	for name, token := range keys {
		list = append(list, ruleToken{name, sha256.Sum256([]byte(token))})
	}
	return &auth{
		token: sha256.Sum256([]byte(token)), keys: list, now: now, wrong: map[string]*rate.Limiter{},
		all: rate.NewLimiter(rate.Every(tryEvery/10), 10*tries),
	}
}

// check judges a token that an address offers: the admin's (key is ""), or a rule key's.
func (a *auth) check(token, addr string) (key string, f *fault) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	l := a.wrong[addr]
	if l != nil && l.TokensAt(now) < 1 || a.all.TokensAt(now) < 1 {
		return "", faultf(http.StatusTooManyRequests, FaultCodeTooManyAttempts, "too many wrong tokens: wait %d seconds", int(tryEvery/time.Second))
	}
	given := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(given[:], a.token[:]) == 1 {
		return "", nil
	}
	for i := range a.keys {
		if subtle.ConstantTimeCompare(given[:], a.keys[i].token[:]) == 1 {
			return a.keys[i].name, nil
		}
	}
	if l == nil {
		a.forget(now)
		l = rate.NewLimiter(rate.Every(tryEvery), tries)
		a.wrong[addr] = l
	}
	l.AllowN(now, 1)
	a.all.AllowN(now, 1)
	return "", faultf(http.StatusUnauthorized, FaultCodeWrongToken, "this is not the admin token: venued serve prints the file that it is in")
}

// forget makes room for another address: those with a clean slate go, or else everybody's.
func (a *auth) forget(now time.Time) {
	if len(a.wrong) < maxAddrs {
		return
	}
	for addr, l := range a.wrong {
		if l.TokensAt(now) >= tries {
			delete(a.wrong, addr)
		}
	}
	if len(a.wrong) >= maxAddrs {
		clear(a.wrong) // the limit on all addresses still holds
	}
}

// begin makes a session and returns the cookie's value.
func (a *auth) begin() string {
	var b [32]byte
	rand.Read(b[:])
	value := base64.RawURLEncoding.EncodeToString(b[:])
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sessions = append(a.sessions, &session{id: sha256.Sum256([]byte(value)), until: a.now().Add(sessionLife), ended: make(chan struct{})})
	if len(a.sessions) > maxSessions {
		close(a.sessions[0].ended)
		a.sessions = a.sessions[1:]
	}
	return value
}

// find returns the session of a cookie's value, nil for none.
func (a *auth) find(value string) *session {
	id := sha256.Sum256([]byte(value))
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.sessions {
		if subtle.ConstantTimeCompare(s.id[:], id[:]) == 1 && a.now().Before(s.until) {
			return s
		}
	}
	return nil
}

// end ends a session; one that has ended already is as it should be.
func (a *auth) end(s *session) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keep(func(x *session) bool { return x != s })
}

// sweep ends the sessions whose time is over.
func (a *auth) sweep() {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	a.keep(func(x *session) bool { return now.Before(x.until) })
}

func (a *auth) keep(stays func(*session) bool) {
	var kept []*session
	for _, s := range a.sessions {
		if stays(s) {
			kept = append(kept, s)
		} else {
			close(s.ended)
		}
	}
	a.sessions = kept
}

// admit says who makes a request: a session; or nobody's (nil) with the admin token itself, or with that of a rule key.
func (a *auth) admit(r *http.Request) (s *session, key string, f *fault) {
	if h := r.Header.Get("Authorization"); h != "" {
		scheme, token, _ := strings.Cut(h, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return nil, "", faultf(http.StatusUnauthorized, FaultCodeNotLoggedIn, "only Authorization: Bearer with the admin token is taken")
		}
		key, f := a.check(strings.TrimSpace(token), address(r))
		return nil, key, f
	}
	if c, err := r.Cookie(cookieName); err == nil {
		if s := a.find(c.Value); s != nil {
			return s, "", nil
		}
	}
	return nil, "", faultf(http.StatusUnauthorized, FaultCodeNotLoggedIn, "log in with the admin token, or send it as Authorization: Bearer TOKEN")
}

// sameOrigin refuses what a page of another origin makes a browser send. A browser names the origin of every
// request that changes something, and of every one that crosses origins; strict says that one without is
// refused too.
func sameOrigin(r *http.Request, strict bool) *fault {
	cross := faultf(http.StatusForbidden, FaultCodeCrossSite, "the request comes from a page of another origin: open the console at this address itself")
	site := r.Header.Get("Sec-Fetch-Site")
	if site != "" && site != "same-origin" && site != "none" {
		return cross
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		if strict && site != "same-origin" {
			return faultf(http.StatusForbidden, FaultCodeCrossSite, "the request does not say which page it comes from: scripts use Authorization: Bearer TOKEN")
		}
		return nil
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return cross
	}
	return nil
}

// address is whose wrong tokens are counted.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}
