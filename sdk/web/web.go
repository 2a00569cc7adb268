// Package web holds the page that a visitor's browser gets, built and ready, and serves it.
//
// # Model
//
//	sdk/web/sample (TypeScript, three.js) --sdk/web/build--> sdk/web/dist --go:embed--> Handler
//
// dist is committed, so that the host needs nothing but Go to be built; "make web" builds it anew and "make web-check"
// compares. Scripts and styles carry a hash of their content in their names: they may be kept for ever, and
// the page that names them is asked for each time.
//
// # Trust
//
// The page is public and the same for everybody. Its content security policy lets it run only its own scripts and
// talk only to the host that it came from, so that a name or label with HTML in it would do nothing even if
// the page were to show it as HTML, which it does not.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
)

//go:embed dist
var dist embed.FS

// compressFrom is the size in bytes from which a file is also kept compressed.
const compressFrom = 1 << 10

// types are the content types of the kinds of files in dist: the system's tables differ between machines.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// hashed says whether a file's name holds a hash of its content.
var hashed = regexp.MustCompile(`-[A-Z0-9]{8}\.(js|css)$`)

// file is a file as it is served.
type file struct {
	content, packed []byte // packed is gzip, nil when it is not worth it
	kind, etag      string
	keep            bool // its content never changes under this name
}

// Handler serves the page at "/", and its scripts and styles beside it.
func Handler() (http.Handler, error) {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return handler(root)
}

// handler serves the files of a folder; index.html is "/".
func handler(root fs.FS) (http.Handler, error) {
	files := map[string]*file{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := load(root, name)
		files["/"+name] = f
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("web: %w", err)
	}
	index := files["/index.html"]
	if index == nil {
		return nil, fmt.Errorf("web: there is no index.html: build it with \"make web\"")
	}
	files["/"] = index
	delete(files, "/index.html")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), r.Host)
		f := files[r.URL.Path]
		switch {
		case f == nil:
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "There is nothing here. The venue's page is at /", http.StatusNotFound)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "The page can only be read: GET or HEAD", http.StatusMethodNotAllowed)
		default:
			f.serve(w, r)
		}
	}), nil
}

// load reads a file and makes it ready.
func load(root fs.FS, name string) (*file, error) {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return nil, err
	}
	kind, ok := types[path.Ext(name)]
	if !ok {
		return nil, fmt.Errorf("%s: no content type is known for it", name)
	}
	sum := sha256.Sum256(content)
	f := &file{
		content: content, kind: kind, keep: hashed.MatchString(name),
		etag: base64.RawURLEncoding.EncodeToString(sum[:12]),
	}
	if len(content) < compressFrom {
		return f, nil
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(content); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	f.packed = packed.Bytes()
	return f, nil
}

// serve writes a file, compressed for whoever takes that.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Vary", "Accept-Encoding")
	if f.keep {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		h.Set("Cache-Control", "no-cache")
	}
	content, etag := f.content, f.etag
	if f.packed != nil && takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		content, etag = f.packed, f.etag+"-gz"
	}
	h.Set("ETag", strconv.Quote(etag))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

// takesGzip reads an Accept-Encoding header.
func takesGzip(accept string) bool {
	for _, part := range strings.Split(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if name = strings.TrimSpace(name); !strings.EqualFold(name, "gzip") && name != "*" {
			continue
		}
		q, found := strings.CutPrefix(strings.TrimSpace(params), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		return !found || err != nil || weight > 0
	}
	return false
}

// hostPattern is what a Host header may be to be written into a policy.
var hostPattern = regexp.MustCompile(`^[A-Za-z0-9.\-]+(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?$`)

// secure sets the headers that hold the page to its own host. The WebSocket's origins are named because not every
// browser counts them as 'self'.
func secure(h http.Header, host string) {
	connect := "'self'"
	if hostPattern.MatchString(host) {
		connect += " ws://" + host + " wss://" + host
	}
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "+
		"connect-src "+connect+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "xr-spatial-tracking=(self), fullscreen=(self), camera=(), microphone=(), geolocation=()")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}
