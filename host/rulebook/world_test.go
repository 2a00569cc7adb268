package rulebook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	bbolt "go.etcd.io/bbolt"
	"go.uber.org/goleak"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// manifest is a floor in two regions with a rule that decides about a cube, and one that was given less.
const manifest = `
[venue]
id = "hall"
name = "Hall"
tick_hz = 60
[[floor]]
name = "ground"
min = [-20.0, -10.0]
max = [20.0, 10.0]
[[cut]]
axis = "x"
at = 0
[[spawn]]
name = "west"
at = [-10.0, 0.0]
[[kind]]
name = "cube"
grabbable = true
[[kind]]
name = "gong"
usable = true
[[zone]]
name = "porch"
min = [-9.0, -2.0]
max = [-7.0, 2.0]
[[rule]]
name = "hands"
plugin = "grab"
kinds = ["cube"]
[[rule]]
name = "gong"
plugin = "bell"
kinds = ["gong"]
allow = ["deny", "set_state", "emit", "accept"]
`

const west, east = "ground-0", "ground-1"

var ctx = context.Background()

// world is a node with its book, over a store in a folder.
type world struct {
	t     *testing.T
	dir   string
	venue *venues.Venue
	store *bolt.Store
	book  *Book
	node  *node.Node
	stops []func()
	keys  []Key
	sign  bool

	manifest string // "": the usual one
	file     []byte // gong.wasm beside it
}

func start(t *testing.T, options ...func(w *world)) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	for _, o := range options {
		o(w)
	}
	w.ok(os.WriteFile(filepath.Join(w.dir, "gong.wasm"), w.file, 0o600))
	v, err := venues.Read("hall.toml", []byte(cmp.Or(w.manifest, manifest)), venues.Options{Shipped: plugins.Names(), Dir: w.dir})
	w.ok(err)
	w.venue = v
	w.up()
	t.Cleanup(w.down)
	return w
}

func (w *world) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// up starts everything; regions begin with what the store has.
func (w *world) up() {
	w.t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	var err error
	w.store, err = bolt.Open(w.dir, bolt.Options{Log: log})
	w.ok(err)
	w.stops = append(w.stops, func() { w.ok(w.store.Close()) })
	events, err := bus.StartEmbedded(bus.Options{Log: log})
	w.ok(err)
	w.stops = append(w.stops, events.Stop)
	connect := func(name string) *bus.Conn {
		conn, err := events.Connect(name)
		w.ok(err)
		w.stops = append(w.stops, conn.Close)
		return conn
	}
	engine, err := rules.NewEngine(ctx, rules.Config{CacheDir: filepath.Join(w.dir, "compiled"), Log: log})
	w.ok(err)
	w.stops = append(w.stops, func() { w.ok(engine.Close(ctx)) })
	w.book, err = Open(ctx, Config{Venue: w.venue, Store: w.store, Engine: engine, Bus: connect("rulebook"), Keys: w.keys, RequireSignature: w.sign, Log: log})
	w.ok(err)
	w.stops = append(w.stops, func() { w.ok(w.book.Close(ctx)) })
	w.node, err = node.New(node.Config{
		Venue: w.venue, Store: w.store, Bus: connect("node"), Log: log,
		Rules: w.book.Rules, Module: w.book.Module, Swapped: w.book.Swapped,
	})
	w.ok(err)
	w.ok(w.node.Start(ctx))
	w.stops = append(w.stops, func() { w.ok(w.node.Stop(ctx)) })
	// A region takes no order before its loop has begun.
	starting := func(s node.RegionStatus) bool { return s.State == node.Starting }
	for slices.ContainsFunc(w.node.Status(), starting) {
		runtime.Gosched()
	}
}

// another opens a book as another process has it: over the same store and bus, with an engine of its own.
func (w *world) another() (b *Book, stop func()) {
	w.t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	engine, err := rules.NewEngine(ctx, rules.Config{CacheDir: filepath.Join(w.dir, "compiled"), Log: log})
	w.ok(err)
	b, err = Open(ctx, Config{Venue: w.venue, Store: w.store, Engine: engine, Bus: w.book.cfg.Bus, Log: log})
	w.ok(err)
	return b, func() { w.ok(errors.Join(b.Close(ctx), engine.Close(ctx))) }
}

func (w *world) down() {
	for _, stop := range slices.Backward(w.stops) {
		stop()
	}
	w.stops = nil
}

func (w *world) restart() {
	w.t.Helper()
	w.down()
	w.up()
}

// damage ends the node and changes a bit of the first module in its store; restart goes on from there.
func (w *world) damage() {
	w.t.Helper()
	w.down()
	db, err := bbolt.Open(filepath.Join(w.dir, bolt.File), 0o600, nil)
	w.ok(err)
	w.ok(db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("venued")).Bucket([]byte("v:hall")).Bucket([]byte("modules"))
		k, v := b.Cursor().First()
		v = bytes.Clone(v)
		v[len(v)-1] ^= 1
		return b.Put(k, v)
	}))
	w.ok(db.Close())
}

// runs returns the digest of what a region runs as a rule.
func (w *world) runs(region, rule string) string {
	w.t.Helper()
	for _, s := range w.node.Rules() {
		if s.Region == region && s.Rule == rule {
			return s.Digest
		}
	}
	w.t.Fatalf("region %s has no rule %s", region, rule)
	return ""
}

// shipped returns a shipped plugin.
func shipped(t *testing.T, name string) []byte {
	t.Helper()
	b, err := plugins.Wasm(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// variant returns a shipped plugin with a changed manifest.
func variant(t *testing.T, name string, change func(m *abi.Manifest)) []byte {
	t.Helper()
	wasm := shipped(t, name)
	section, err := abi.CustomSection(wasm, abi.ManifestSection)
	if err != nil {
		t.Fatal(err)
	}
	m, err := abi.ParseManifest(section)
	if err != nil {
		t.Fatal(err)
	}
	change(m)
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := abi.Pack(wasm, text, false)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func version(t *testing.T, name, v string) []byte {
	return variant(t, name, func(m *abi.Manifest) { m.Version = v })
}

// upload uploads a module and returns its digest.
func (w *world) upload(name string, module []byte) string {
	w.t.Helper()
	_, err := w.book.Upload(ctx, Upload{Name: name, Module: module})
	w.ok(err)
	return store.Digest(module)
}

func (w *world) activate(want Want) []Result {
	w.t.Helper()
	results, err := w.book.Activate(ctx, want)
	w.ok(err)
	for _, r := range results {
		w.ok(r.Err)
	}
	return results
}

// refused asserts that an error is a refusal of a code that says something.
func (w *world) refused(err error, code Code, says ...string) {
	w.t.Helper()
	r, ok := errors.AsType[*Refusal](err)
	if !ok || r.Code != code {
		w.t.Errorf("got %v, want a refusal %s", err, code)
		return
	}
	for _, s := range says {
		if !strings.Contains(r.Message, s) {
			w.t.Errorf("the refusal %q does not say %q", r.Message, s)
		}
	}
}

// until waits for what another goroutine brings about.
func (w *world) until(what string, cond func() bool) {
	w.t.Helper()
	limit := time.After(20 * time.Second)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !cond() {
		select {
		case <-look.C:
		case <-limit:
			w.t.Fatalf("%s: not within 20 s", what)
		}
	}
}

func newKey(t *testing.T, name string, rules ...string) (Key, ed25519.PrivateKey) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Key{Name: name, Public: public, Rules: rules, Activate: true}, private
}
