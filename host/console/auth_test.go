package console

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestLogin(t *testing.T) {
	r := newRig(t, options{})
	if res := r.ask("POST", "/login", `{"token":"another token of good length"}`, "Authorization: "); res.status != 401 || res.fault().Code != FaultCodeWrongToken || res.header.Get("Set-Cookie") != "" {
		t.Errorf("a wrong token: %d %s", res.status, res.body)
	}
	res := r.ask("POST", "/login", `{"token":"`+adminToken+`"}`, "Authorization: ", "Origin: "+r.url)
	cookie := res.header.Get("Set-Cookie")
	for _, want := range []string{cookieName + "=", "Path=/admin", "HttpOnly", "SameSite=Strict", "Max-Age=43200"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie %q lacks %q", cookie, want)
		}
	}
	if strings.Contains(cookie, "Secure") {
		t.Errorf("a cookie for loopback, which has no TLS, is secure: %q", cookie)
	}
	mine := r.login()
	if res := r.ask("GET", "/regions", "", "Authorization: ", mine); res.status != 200 {
		t.Errorf("with a session: %d %s", res.status, res.body)
	}
	for _, h := range [][]string{{"Authorization: "}, {"Authorization: ", "Cookie: " + cookieName + "=x"}, {"Authorization: Basic eDp5"}} {
		if res := r.ask("GET", "/regions", "", h...); res.status != 401 || res.fault().Code != FaultCodeNotLoggedIn {
			t.Errorf("%q: %d %s", h, res.status, res.body)
		}
	}
	if res := r.ask("POST", "/logout", "", "Authorization: ", mine, "Origin: "+r.url); res.status != 204 || !strings.Contains(res.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("logout: %d %q", res.status, res.header.Get("Set-Cookie"))
	}
	if res := r.ask("GET", "/regions", "", "Authorization: ", mine); res.status != 401 {
		t.Errorf("after the logout: %d", res.status)
	}
	mine = r.login()
	r.ahead(sessionLife)
	if res := r.ask("GET", "/regions", "", "Authorization: ", mine); res.status != 401 {
		t.Errorf("twelve hours later: %d", res.status)
	}
}

// TestSecureCookie: the cookie of a host that others can reach goes over TLS only.
func TestSecureCookie(t *testing.T) {
	r := newRig(t, options{})
	r.c.cfg.Settings.Server.Listen = "0.0.0.0:7878"
	if res := r.ask("POST", "/login", `{"token":"`+adminToken+`"}`); !strings.Contains(res.header.Get("Set-Cookie"), "; Secure") {
		t.Errorf("the cookie is %q", res.header.Get("Set-Cookie"))
	}
}

// TestCrossSite: a page of another origin gets nothing done, with the cookie or with the token.
func TestCrossSite(t *testing.T) {
	r := newRig(t, options{})
	mine := r.login()
	const reset = "/objects/cube/reset"
	origin, other := "Origin: "+r.url, "Origin: https://evil.example"
	for _, c := range []struct {
		method, path string
		headers      []string
		want         int
	}{
		{"POST", reset, []string{mine, origin}, 200},
		{"POST", reset, []string{mine, "Sec-Fetch-Site: same-origin"}, 200},
		{"POST", reset, []string{mine, origin, "Sec-Fetch-Site: same-origin"}, 200},
		{"POST", reset, []string{mine}, 403},
		{"POST", reset, []string{mine, other}, 403},
		{"POST", reset, []string{mine, "Origin: null"}, 403},
		{"POST", reset, []string{mine, "Origin: http://127.0.0.1:1"}, 403},
		{"POST", reset, []string{mine, origin, "Sec-Fetch-Site: cross-site"}, 403},
		{"POST", reset, []string{mine, "Sec-Fetch-Site: same-site"}, 403},
		{"POST", reset, []string{mine, "Sec-Fetch-Site: none"}, 403},
		{"POST", "/logout", []string{mine, other}, 403},
		{"POST", "/rules/grab/reload", []string{mine, other}, 403},
		{"POST", "/clients/7/kick", []string{mine, other}, 403},
		{"GET", "/live", []string{mine, other}, 403},
		{"GET", "/live", []string{mine, "Sec-Fetch-Site: same-site"}, 403},
		{"GET", "/clients", []string{mine, other}, 403},
		{"GET", "/clients", []string{mine}, 200},
		{"GET", "/clients", []string{mine, "Sec-Fetch-Site: none"}, 200},
	} {
		res := r.ask(c.method, c.path, "", append([]string{"Authorization: "}, c.headers...)...)
		if res.status != c.want || c.want == 403 && (res.fault().Code != FaultCodeCrossSite || res.fault().Message == "") {
			t.Errorf("%s %s with %q: %d %s, want %d", c.method, c.path, c.headers[1:], res.status, res.body, c.want)
		}
	}
	// A script has no origin; a page that got hold of the token has one.
	if res := r.ask("POST", reset, ""); res.status != 200 {
		t.Errorf("a script: %d %s", res.status, res.body)
	}
	if res := r.ask("POST", reset, "", other); res.status != 403 {
		t.Errorf("another page with the token: %d %s", res.status, res.body)
	}
	if res := r.ask("POST", "/login", `{"token":"`+adminToken+`"}`, other); res.status != 403 || res.header.Get("Set-Cookie") != "" {
		t.Errorf("a login from another page: %d %s", res.status, res.body)
	}
	if h := r.ask("GET", "/clients", "", other).header; h.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("another origin may read: %q", h)
	}
}

// TestAttemptsAreLimited: by address and in all; a good token does not help while they are.
func TestAttemptsAreLimited(t *testing.T) {
	now := time.Unix(1e9, 0)
	a := newAuth(adminToken, nil, func() time.Time { return now })
	code := func(token, addr string) FaultCode {
		if _, f := a.check(token, addr); f != nil {
			return f.Code
		}
		return ""
	}
	for range tries {
		if c := code("wrong", "10.0.0.1"); c != FaultCodeWrongToken {
			t.Fatalf("a wrong token: %s", c)
		}
	}
	for _, token := range []string{"wrong", adminToken} {
		if c := code(token, "10.0.0.1"); c != FaultCodeTooManyAttempts {
			t.Errorf("after %d wrong ones: %q", tries, c)
		}
	}
	if c := code(adminToken, "10.0.0.2"); c != "" {
		t.Errorf("another address: %s", c)
	}
	now = now.Add(tryEvery)
	if c := code(adminToken, "10.0.0.1"); c != "" {
		t.Errorf("a while later: %s", c)
	}
	limited := false
	for i := range 2 * maxAddrs {
		limited = limited || code("wrong", fmt.Sprint("address ", i)) == FaultCodeTooManyAttempts
		if len(a.wrong) > maxAddrs {
			t.Fatalf("%d addresses are remembered", len(a.wrong))
		}
	}
	if !limited {
		t.Error("many addresses are not limited together")
	}
	for i := range 2 * maxAddrs {
		now = now.Add(time.Minute)
		code("wrong", fmt.Sprint("slow address ", i))
		if len(a.wrong) > maxAddrs {
			t.Fatalf("%d addresses are remembered", len(a.wrong))
		}
	}
}

func TestTooManyAttemptsOverHTTP(t *testing.T) {
	r := newRig(t, options{})
	for range tries {
		r.ask("GET", "/regions", "", "Authorization: Bearer wrong")
	}
	res := r.ask("GET", "/regions", "", "Authorization: Bearer wrong")
	if res.status != http.StatusTooManyRequests || res.header.Get("Retry-After") != "10" || res.fault().Code != FaultCodeTooManyAttempts {
		t.Errorf("%d %s, Retry-After %q", res.status, res.body, res.header.Get("Retry-After"))
	}
}

// TestOldestSessionsEnd: there are never more than maxSessions.
func TestOldestSessionsEnd(t *testing.T) {
	a := newAuth(adminToken, nil, time.Now)
	first := a.begin()
	s := a.find(first)
	for range maxSessions {
		a.begin()
	}
	if a.find(first) != nil || len(a.sessions) != maxSessions {
		t.Errorf("the first session is there, or there are %d", len(a.sessions))
	}
	select {
	case <-s.ended:
	default:
		t.Error("the first session's streams do not end")
	}
}
