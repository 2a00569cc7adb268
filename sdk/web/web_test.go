package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func get(t *testing.T, h http.Handler, method, path string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Host = "hall.example:7878"
	for k, v := range header {
		r.Header[k] = v
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func page(t *testing.T) http.Handler {
	t.Helper()
	h, err := Handler()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// What the page names must be there, under names that change with their content.
func TestPageNamesWhatIsServed(t *testing.T) {
	h := page(t)
	r := get(t, h, "GET", "/", nil)
	if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != "text/html; charset=utf-8" || r.Header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("/: %d %v", r.StatusCode, r.Header)
	}
	html := body(t, r)
	named := regexp.MustCompile(`(?:src|href)="(/[^"]+)"`).FindAllStringSubmatch(html, -1)
	if len(named) != 2 {
		t.Fatalf("the page names %v, want a script and a style sheet", named)
	}
	for _, m := range named {
		r := get(t, h, "GET", m[1], nil)
		want := map[bool]string{true: types[".js"], false: types[".css"]}[strings.HasSuffix(m[1], ".js")]
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != want {
			t.Errorf("%s: %d %q, want %q", m[1], r.StatusCode, r.Header.Get("Content-Type"), want)
		}
		if c := r.Header.Get("Cache-Control"); !strings.Contains(c, "immutable") {
			t.Errorf("%s: Cache-Control %q, want it kept for ever", m[1], c)
		}
	}
	// The policy allows no script or style in the page itself.
	if regexp.MustCompile(`<script(?:[^>]*)>[^<]|<style| style=| on[a-z]+=`).MatchString(html) {
		t.Errorf("the page has script or style of its own, which its policy forbids:\n%s", html)
	}
}

func TestNothingComesFromElsewhere(t *testing.T) {
	h := page(t)
	csp := get(t, h, "GET", "/", nil).Header.Get("Content-Security-Policy")
	for _, want := range []string{
		"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'",
		"connect-src 'self' ws://hall.example:7878 wss://hall.example:7878;",
	} {
		if !strings.Contains(csp, want) {
			t.Errorf("policy %q lacks %q", csp, want)
		}
	}
	if strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q allows something unsafe", csp)
	}
}

// The Host header is the client's: it must not become part of the policy unless it is a host.
func TestStrangeHostsStayOutOfThePolicy(t *testing.T) {
	for host, in := range map[string]bool{
		"127.0.0.1:7878": true, "[::1]:7878": true, "hall": true,
		"a; script-src *": false, "a b": false, "": false, "a\r\nX-Evil: 1": false, "a:99999999": false,
	} {
		h := http.Header{}
		secure(h, host)
		if got := strings.Contains(h.Get("Content-Security-Policy"), "ws://"); got != in {
			t.Errorf("host %q: in the policy %v, want %v", host, got, in)
		}
	}
}

func TestCompressedForWhoTakesIt(t *testing.T) {
	long := strings.Repeat("hall ", 1000)
	h, err := handler(fstest.MapFS{"index.html": {Data: []byte(long)}})
	if err != nil {
		t.Fatal(err)
	}
	packed := get(t, h, "GET", "/", http.Header{"Accept-Encoding": {"br, gzip"}})
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", packed.Header)
	}
	z, err := gzip.NewReader(bytes.NewReader([]byte(body(t, packed))))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || string(b) != long {
		t.Fatalf("unpacked %d bytes, %v", len(b), err)
	}
	plain := get(t, h, "GET", "/", http.Header{"Accept-Encoding": {"gzip;q=0"}})
	if plain.Header.Get("Content-Encoding") != "" || body(t, plain) != long {
		t.Fatalf("compressed for one who does not take it")
	}
	if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
		t.Error("two encodings have one ETag")
	}
	again := get(t, h, "GET", "/", http.Header{"Accept-Encoding": {"gzip"}, "If-None-Match": {packed.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified {
		t.Errorf("asked again with its ETag: %d", again.StatusCode)
	}
}

func TestOnlyWhatIsThereAndOnlyReading(t *testing.T) {
	h := page(t)
	for _, path := range []string{"/index.html", "/favicon.ico", "/../web.go", "/dist/index.html", "/page.js"} {
		r := get(t, h, "GET", path, nil)
		if r.StatusCode != http.StatusNotFound || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if r := get(t, h, "POST", "/", nil); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", r.StatusCode, r.Header)
	}
	if r := get(t, h, "HEAD", "/", nil); r.StatusCode != http.StatusOK || body(t, r) != "" {
		t.Errorf("HEAD: %d", r.StatusCode)
	}
}

func TestWhatCannotBeServedIsSaid(t *testing.T) {
	if _, err := handler(fstest.MapFS{"index.html": {}, "model.glb": {}}); err == nil || !strings.Contains(err.Error(), "model.glb") {
		t.Errorf("a file of unknown type: %v", err)
	}
	if _, err := handler(fstest.MapFS{"page.js": {}}); err == nil || !strings.Contains(err.Error(), "make web") {
		t.Errorf("no page: %v", err)
	}
}
