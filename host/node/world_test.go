package node

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// manifest is a floor in two regions with a cube in the west one, within reach of its spawn.
const manifest = `
[venue]
id = "hall"
name = "Hall"
tick_hz = 60
grab_window_ms = 0

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

[[spawn]]
name = "east"
at = [10.0, 0.0]

[[kind]]
name = "cube"
grabbable = true

[[object]]
name = "cube"
kind = "cube"
at = [-10.0, 1.2, 0.0]

[[rule]]
plugin = "grab"
kinds = ["cube"]
`

const west, east = "ground-0", "ground-1"

// grabRule grants every grab and release; a message of the topic "panic" makes it panic: a bug in the host,
// as the driver sees it.
type grabRule struct{ closed *atomic.Int32 }

func (grabRule) Manifest() *abi.Manifest {
	return &abi.Manifest{
		Name: "grab", Version: "1.0.0", ABI: abi.Version,
		Events: []string{"grab", "release", "message"}, Commands: []string{"grant", "release"},
	}
}

func (grabRule) Migrate(int, abi.KV) error { return nil }

func (grabRule) Digest() string { return "0123456789abcdef" }

func (r grabRule) Close() { r.closed.Add(1) }

func (grabRule) Call(batch []byte, _ abi.KV) ([]byte, error) {
	var d abi.Decoded
	if err := abi.DecodeBatch(batch, &d); err != nil {
		return nil, &abi.Fault{Kind: abi.FaultOutput, Plugin: "grab", Message: err.Error()}
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
			if topic, _, _ := abi.SplitData(e.Data); topic == "panic" {
				panic("the rule engine has a bug")
			}
			continue
		default:
			continue
		}
		out = append(out, c)
	}
	return abi.AppendCommands(nil, out), nil
}

// world is a node with all it needs, over a store in a folder.
type world struct {
	t      testing.TB
	node   *Node
	store  store.Store
	bus    *bus.Server
	conn   *bus.Conn
	venue  *venues.Venue
	reg    *prometheus.Registry
	closed atomic.Int32 // rules closed
	up     bool
}

// options change a world before it starts.
type options func(*Config)

// build makes a world that has not started.
func build(t testing.TB, dir string, opts ...options) *world {
	t.Helper()
	w := &world{t: t, reg: prometheus.NewRegistry()}
	var err error
	if w.venue, err = venues.Read("hall.toml", []byte(manifest), venues.Options{}); err != nil {
		t.Fatal(err)
	}
	if w.store, err = bolt.Open(dir, bolt.Options{Log: quiet}); err != nil {
		t.Fatal(err)
	}
	if w.bus, err = bus.StartEmbedded(bus.Options{Log: quiet}); err != nil {
		t.Fatal(err)
	}
	if w.conn, err = w.bus.Connect("node"); err != nil {
		t.Fatal(err)
	}
	cfg := Config{
		Venue: w.venue, Store: w.store, Bus: w.conn, Log: slog.New(slog.DiscardHandler), Metrics: w.reg,
		Rules: func(int) ([]scene.Rule, error) { return []scene.Rule{grabRule{&w.closed}}, nil },
	}
	for _, o := range opts {
		o(&cfg)
	}
	if w.node, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	return w
}

// start makes a world that runs.
func start(t testing.TB, dir string, opts ...options) *world {
	t.Helper()
	w := build(t, dir, opts...)
	if err := w.node.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.up = true
	return w
}

// close ends everything in order; more calls do nothing.
func (w *world) close() {
	w.t.Helper()
	if w.up {
		if err := w.node.Stop(context.Background()); err != nil {
			w.t.Error(err)
		}
	}
	w.release()
}

// crash ends everything as a dead process does: nothing more is written.
func (w *world) crash() {
	w.node.hard()
	for _, d := range w.node.drivers {
		<-d.life.written
	}
	w.up = false
	// Goroutines end; what they still hand on finds no journal any more.
	w.node.soft()
	w.node.unsubscribe()
	w.node.behind.Wait()
	w.node.running.Wait()
	w.release()
}

func (w *world) release() {
	w.up = false
	w.conn.Close()
	w.bus.Stop()
	if err := w.store.Close(); err != nil {
		w.t.Error(err)
	}
}

// metric returns the value of a counter or gauge with these label values.
func (w *world) metric(name string, labels ...string) float64 {
	w.t.Helper()
	families, err := w.reg.Gather()
	if err != nil {
		w.t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			has := map[string]bool{}
			for _, l := range m.GetLabel() {
				has[l.GetValue()] = true
			}
			match := f.GetName() == name
			for _, l := range labels {
				match = match && has[l]
			}
			if match {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	w.t.Fatalf("no metric %s%v", name, labels)
	return 0
}

// reader follows one region as a gateway does.
type reader struct {
	t        testing.TB
	w        *world
	conn     *bus.Conn
	region   string
	records  chan []byte
	dec      stream.Decoder
	last     stream.Record
	entities map[uint64]stream.Entity
	events   []stream.Event
	batch    uint64
}

func (w *world) read(region string) *reader {
	w.t.Helper()
	conn, err := w.bus.Connect("gateway")
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(conn.Close)
	r := &reader{t: w.t, w: w, conn: conn, region: region, records: make(chan []byte, 4096), entities: map[uint64]stream.Entity{}}
	if _, err := conn.Subscribe(bus.Records("hall", region), func(m bus.Msg) { r.records <- m.Data }); err != nil {
		w.t.Fatal(err)
	}
	if err := conn.Flush(context.Background()); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// patience bounds what a test waits for: long past anything that works.
const patience = time.Minute

// until reads records until done says so.
func (r *reader) until(what string, done func() bool) {
	r.t.Helper()
	limit := time.After(patience)
	for !done() {
		select {
		case b := <-r.records:
			r.take(b)
		case <-limit:
			r.t.Fatalf("%s: not within %s; status %+v", what, patience, r.w.node.Status())
		}
	}
}

func (r *reader) take(b []byte) {
	r.t.Helper()
	rec, err := r.dec.Decode(b)
	if errors.Is(err, stream.ErrGap) {
		r.key()
		return
	}
	if errors.Is(err, stream.ErrOld) {
		return
	}
	if err != nil {
		r.t.Fatal(err)
	}
	r.apply(rec)
}

// key fetches a key frame, as after a missed record.
func (r *reader) key() {
	r.t.Helper()
	b, err := r.conn.Request(context.Background(), bus.Key("hall", r.region), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	rec, err := r.dec.Decode(b)
	if err != nil || !rec.Key {
		r.t.Fatalf("key frame: %v", err)
	}
	r.apply(rec)
}

func (r *reader) apply(rec *stream.Record) {
	r.last = *rec
	if rec.Key {
		clear(r.entities)
		r.events = nil
	}
	for _, e := range rec.Entities {
		r.entities[e.ID] = e
	}
	for _, id := range rec.Gone {
		delete(r.entities, id)
	}
	r.events = append(r.events, rec.Events...)
}

// send sends inputs to the owner that the reader last heard.
func (r *reader) send(in ...stream.Input) {
	r.t.Helper()
	r.batch++
	now := r.w.node.Timeline().NowUS()
	for i := range in {
		in[i].Stamp, in[i].Arrival = now, now
	}
	h := stream.BatchHeader{Gateway: 1, Incarnation: r.last.Incarnation, Epoch: r.last.Epoch, N: r.batch}
	if err := r.conn.Publish(bus.Inputs("hall", r.region), stream.AppendInputs(nil, h, in)); err != nil {
		r.t.Fatal(err)
	}
}

// avatar returns the entity of a session.
func (r *reader) avatar(session uint64) (stream.Entity, bool) {
	for _, e := range r.entities {
		if e.Kind == stream.Avatar && e.Session == session {
			return e, true
		}
	}
	return stream.Entity{}, false
}

// cube returns the object.
func (r *reader) cube() stream.Entity {
	for _, e := range r.entities {
		if e.Kind == stream.Object {
			return e
		}
	}
	return stream.Entity{}
}

func at(x, y, z float64) lattice.Joint {
	var v [3]int32
	for i, m := range []float64{x, y, z} {
		s, err := lattice.FromMetres(m)
		if err != nil {
			panic(err)
		}
		v[i] = s
	}
	return lattice.Joint{Pos: lattice.Vec{X: v[0], Y: v[1], Z: v[2]}}
}

// join brings a person to the cube.
func (r *reader) join(session uint64, user string) {
	r.t.Helper()
	r.until("a first record", func() bool { return r.last.N > 0 })
	body := lattice.Body{Head: at(-10, 1.6, 0.3)}
	r.send(stream.Input{Kind: stream.InputJoin, Session: session, User: user, Name: user, HasPlace: true, Body: body})
	r.until("the join", func() bool { _, ok := r.avatar(session); return ok })
}

// grab takes the cube in the left hand.
func (r *reader) grab(session uint64, seq uint32) {
	r.t.Helper()
	hand := at(-10, 1.2, 0.05)
	r.send(stream.Input{Kind: stream.InputPose, Session: session, PoseSeq: uint16(seq), Body: lattice.Body{Head: at(-10, 1.6, 0.3), Left: hand, Right: hand}})
	r.send(stream.Input{Kind: stream.InputGrab, Session: session, Seq: seq, Object: r.cube().ID, HandAt: hand})
	r.until("the grab", func() bool { return r.cube().State.Holder != 0 })
}
