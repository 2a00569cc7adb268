package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"go.uber.org/goleak"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc"
	"github.com/venued/venued/rtc/token"
	client "github.com/venued/venued/sdk/go"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come. Nothing is asserted about how fast it comes.
const patience = 20 * time.Second

const hall = `
[venue]
id = "hall"
name = "Hall <b>of</b> tests"
grab_window_ms = 0
[[floor]]
name = "ground"
min = [-20, -10]
max = [20, 10]
[[cut]]
axis = "x"
at = 0
[[room]]
name = "west-wing"
min = [-20, -10]
max = [0, 10]
[[spawn]]
name = "west"
at = [-10, 0]
[[kind]]
name = "cube"
grabbable = true
[[object]]
name = "cube"
kind = "cube"
at = [-10, 1.2, 0]
yaw_deg = 90
label = "<i>Cube</i>"
[[zone]]
name = "porch"
min = [-6, -2]
max = [-4, 2]
[[door]]
name = "gate"
at = [-5, 0]
zone = "porch"
[[rule]]
plugin = "grab"
kinds = ["cube"]
[rule.settings]
reach_m = 0.5
api_token = "hunter2hunter2"
`

// grabRule grants every grab and release, and gives a point on the board "words" for every message; broken, it fails at every call.
type grabRule struct {
	broken bool
	digest string
}

func (grabRule) Manifest() *abi.Manifest {
	return &abi.Manifest{Name: "grab", Version: "1.2.3", ABI: abi.Version,
		Events: []string{"grab", "release", "message"}, Commands: []string{"grant", "release", "score"}}
}

func (r grabRule) Digest() string { return r.digest }

func (grabRule) Migrate(int, abi.KV) error { return nil }

func (r grabRule) Call(batch []byte, _ abi.KV) ([]byte, error) {
	if r.broken {
		return nil, &abi.Fault{Kind: abi.FaultTrap, Plugin: "grab", Message: "<img src=x onerror=alert(1)>"}
	}
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		return nil, err
	}
	var out []abi.Command
	for i, e := range d.Events {
		c := abi.Command{Event: uint32(i + 1), Subject: e.Subject, Object: e.Object, Value: int64(e.Hand)}
		switch e.Kind {
		case abi.EventGrab:
			c.Kind = abi.CmdGrant
		case abi.EventRelease:
			c.Kind = abi.CmdRelease
		case abi.EventMessage:
			c.Kind, c.Object, c.Value, c.Data = abi.CmdScore, 0, 1, []byte("words")
		default:
			continue
		}
		out = append(out, c)
	}
	return abi.AppendCommands(nil, out), nil
}

const adminToken = "an-admin-token-of-good-length"

// rig is a venue with every part but a browser, served over HTTP.
type rig struct {
	t        *testing.T
	c        *Console
	url      string
	node     *node.Node
	book     *rulebook.Book
	db       store.Store
	link     string
	loadLink string // with the load mark
	doc      *openapi3.T
	log      *slog.Logger

	mu     sync.Mutex
	now    time.Time // the console's clock, moved by ahead
	reload func() (scene.Rule, error)
}

// options change a rig before it starts.
type options struct {
	text   string            // of the configuration, before the venue's
	broken bool              // the rule fails
	real   bool              // rules are the shipped plugins, not grabRule
	keys   []rulebook.Key    // of designers
	tokens map[string]string // theirs
}

func newRig(t *testing.T, o options) *rig {
	t.Helper()
	r := &rig{t: t, now: time.Now()}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Parse("hall.toml", []byte(o.text+hall), config.Options{Data: t.TempDir()})
	ok(err)
	tail := NewTail()
	r.log = slog.New(tail.Handler(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelInfo})))
	db, err := bolt.Open(cfg.Server.Data, bolt.Options{Log: r.log})
	ok(err)
	r.db = db
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	events, err := bus.StartEmbedded(bus.Options{Log: r.log})
	ok(err)
	t.Cleanup(events.Stop)
	connect := func(name string) *bus.Conn {
		conn, err := events.Connect(name)
		ok(err)
		t.Cleanup(conn.Close)
		return conn
	}
	engine, err := rules.NewEngine(context.Background(), rules.Config{Log: r.log})
	ok(err)
	t.Cleanup(func() {
		if err := engine.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	book, err := rulebook.Open(context.Background(), rulebook.Config{Venue: cfg.Venue, Store: db, Engine: engine, Bus: connect("rulebook"), Keys: o.keys, Log: r.log})
	ok(err)
	r.book = book
	t.Cleanup(func() {
		if err := book.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	recordings, err := recording.OpenFolder(filepath.Join(cfg.Server.Data, "recordings"))
	ok(err)
	nodeConfig := node.Config{
		Venue: cfg.Venue, Store: db, Bus: connect("node"), Log: r.log, Recordings: recordings,
		Rules: func(int) ([]scene.Rule, error) { return []scene.Rule{grabRule{o.broken, "0123456789abcdef"}}, nil },
		Module: func(context.Context, int, int, string) (scene.Rule, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			if r.reload == nil {
				return nil, errors.New("the module is not there")
			}
			return r.reload()
		},
	}
	if o.real {
		nodeConfig.Rules, nodeConfig.Module, nodeConfig.Swapped = book.Rules, book.Module, book.Swapped
	}
	r.node, err = node.New(nodeConfig)
	ok(err)
	ok(r.node.Start(context.Background()))
	t.Cleanup(func() {
		if err := r.node.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	key := bytes.Repeat([]byte("k"), token.MinKey)
	g, err := rtc.New(rtc.Config{Venue: cfg.Venue, Bus: connect("gateway"), Key: key, Development: true, UDP: "127.0.0.1:0", TCP: "127.0.0.1:0", Log: r.log})
	ok(err)
	ok(g.Start(context.Background()))
	t.Cleanup(func() {
		if err := g.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r.c, err = New(Config{Settings: cfg, Bus: connect("console"), Node: r.node, Gateway: g, Book: book, Store: db, Recordings: recordings, Token: adminToken, Keys: o.tokens, Tail: tail, Version: "v1", Log: r.log, Now: r.clock})
	ok(err)
	ok(r.c.Start(context.Background()))
	mux := http.NewServeMux()
	mux.Handle("/admin", r.c.Handler())
	mux.Handle("/admin/", r.c.Handler())
	mux.Handle("/", g.Handler())
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	t.Cleanup(func() { r.c.Stop(context.Background()) })
	r.url = web.URL
	issuer, err := token.NewIssuer(key, nil)
	ok(err)
	signed, _, err := issuer.Issue(token.Claims{Venue: "hall", User: "visitor", Many: true}, time.Hour)
	ok(err)
	r.link = r.url + "/#token=" + signed
	signed, _, err = issuer.Issue(token.Claims{Venue: "hall", User: "bot", Many: true, Load: true}, time.Hour)
	ok(err)
	r.loadLink = r.url + "/#token=" + signed
	r.doc, err = openapi3.NewLoader().LoadFromData(document)
	ok(err)
	r.until("the gateway to be ready", func() bool { return g.Ready() == nil })
	return r
}

func (r *rig) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *rig) ahead(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

func (r *rig) until(what string, cond func() bool) {
	r.t.Helper()
	limit := time.After(patience)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !cond() {
		select {
		case <-look.C:
		case <-limit:
			r.t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// visit sends a visitor in, over WebSocket.
func (r *rig) visit(user, name string) *client.Client {
	r.t.Helper()
	return r.visitAs(r.link, user, name)
}

func (r *rig) visitAs(link, user, name string) *client.Client {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := client.Dial(ctx, client.Options{URL: link, User: user, Name: name, Lane: client.LaneWS})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// cube returns the cube's entity id, once a client sees it.
func (r *rig) cube(c *client.Client) uint64 {
	r.t.Helper()
	id := uint64(0)
	r.until("the cube to be seen", func() bool {
		for _, e := range c.Entities() {
			if e.Info.Kind == stream.Object {
				id = e.Info.ID
			}
		}
		return id != 0
	})
	return id
}

// reply is an answer, read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// fault is what a refusal says.
func (a *reply) fault() Fault {
	var f Fault
	_ = json.Unmarshal(a.body, &f) // another answer is no fault
	return f
}

// ask makes a request: a path under /admin/api unless it begins with /admin, headers as "Name: value" over the token's.
func (r *rig) ask(method, path, body string, headers ...string) *reply {
	r.t.Helper()
	if !strings.HasPrefix(path, "/admin") {
		path = "/admin/api" + path
	}
	q, err := http.NewRequest(method, r.url+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+adminToken)
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if q.Header.Set(name, value); value == "" {
			q.Header.Del(name)
		}
	}
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return &reply{res.StatusCode, res.Header, b}
}

// call makes a request of an operation, and holds the answer against the document; args replace what is in braces.
func (r *rig) call(method, path, body string, args ...string) *reply {
	r.t.Helper()
	at := path
	for _, a := range args {
		before, rest, _ := strings.Cut(at, "{")
		_, after, _ := strings.Cut(rest, "}")
		at = before + a + after
	}
	res := r.ask(method, at, body)
	path, _, _ = strings.Cut(path, "?")
	r.fits(method, path, res)
	return res
}

// fits holds an answer against the document.
func (r *rig) fits(method, path string, res *reply) {
	r.t.Helper()
	item := r.doc.Paths.Find(path)
	if item == nil || item.GetOperation(method) == nil {
		r.t.Fatalf("the document has no %s %s", method, path)
	}
	responses := item.GetOperation(method).Responses
	want := responses.Status(res.status)
	if want == nil {
		want = responses.Default()
	}
	media := want.Value.Content.Get(res.header.Get("Content-Type"))
	if media == nil {
		if len(res.body) > 0 {
			r.t.Fatalf("%s %s: an answer %d of type %q, which the document does not have", method, path, res.status, res.header.Get("Content-Type"))
		}
		return
	}
	if media.Schema.Value.Type.Is("string") {
		return
	}
	r.matches(media.Schema.Value, res.body, method+" "+path)
}

func (r *rig) matches(schema *openapi3.Schema, body []byte, what string) {
	r.t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		r.t.Fatalf("%s: %v in %s", what, err, body)
	}
	if err := schema.VisitJSON(v, openapi3.MultiErrors()); err != nil {
		r.t.Errorf("%s: the answer does not fit: %v\n%s", what, err, body)
	}
}

// read decodes an answer that must be 200.
func into[T any](r *rig, res *reply) T {
	r.t.Helper()
	var v T
	if res.status != http.StatusOK {
		r.t.Fatalf("status %d: %s", res.status, res.body)
	}
	if err := json.Unmarshal(res.body, &v); err != nil {
		r.t.Fatal(err)
	}
	return v
}

// login begins a session and returns its cookie as a header.
func (r *rig) login() string {
	r.t.Helper()
	res := r.ask("POST", "/login", `{"token":`+strconv.Quote(adminToken)+`}`, "Authorization: ", "Origin: "+r.url)
	if res.status != http.StatusNoContent {
		r.t.Fatalf("login: %d %s", res.status, res.body)
	}
	value, _, _ := strings.Cut(res.header.Get("Set-Cookie"), ";")
	return "Cookie: " + value
}
