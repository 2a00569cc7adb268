package rules_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/rules/compile"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// twoRegions is a floor in two regions, with a cube in each.
const twoRegions = `
[venue]
id = "hall"
name = "Hall"
tick_hz = 30
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
name = "west-cube"
kind = "cube"
at = [-10.0, 1.2, 0.0]

[[object]]
name = "east-cube"
kind = "cube"
at = [10.0, 1.2, 0.0]

[[rule]]
name = "hands"
plugin = "grab"
kinds = ["cube"]
`

// player stands in a region and takes and lets go of its cube, one request after the other, as a gateway would send them. It counts the
// region's ticks.
type player struct {
	t      *testing.T
	region string
	conn   *bus.Conn
	now    func() int64
	at     lattice.Vec // of the cube

	mu      sync.Mutex
	dec     stream.Decoder
	first   uint64 // tick of the first record
	tick    uint64 // of the newest one
	ticks   uint64 // how many there were
	batch   uint64
	cube    uint64
	here    bool
	holds   bool
	seq     uint32 // of the newest request
	event   uint64 // number of the newest event
	done    uint64 // how many were answered
	twice   int
	changed chan struct{} // capacity 1
}

func newPlayer(t *testing.T, server *bus.Server, region string, x float64, now func() int64) *player {
	t.Helper()
	conn, err := server.Connect("gateway")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	p := &player{t: t, region: region, conn: conn, now: now, changed: make(chan struct{}, 1)}
	for i, m := range []float64{x, 1.2, 0} {
		c, err := lattice.FromMetres(m)
		if err != nil {
			t.Fatal(err)
		}
		*[]*int32{&p.at.X, &p.at.Y, &p.at.Z}[i] = c
	}
	if _, err := conn.Subscribe(bus.Records("hall", region), func(m bus.Msg) { p.take(m.Data) }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	return p
}

// take takes a record of the region: it counts the tick, and answers an answer with the next request.
func (p *player) take(data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rec, err := p.dec.Decode(data)
	if errors.Is(err, stream.ErrGap) {
		return // of the time before: a key frame comes every second
	}
	if err != nil {
		p.t.Errorf("region %s: %v", p.region, err)
		return
	}
	if p.ticks == 0 {
		p.first = rec.Tick - 1
	}
	p.tick = rec.Tick
	p.ticks++
	for _, e := range rec.Entities {
		if e.Kind == stream.Object {
			p.cube = e.ID
		}
		p.here = p.here || e.Kind == stream.Avatar && e.Session == p.session()
	}
	for i := range rec.Events {
		e := &rec.Events[i]
		if e.N <= p.event {
			continue // key frames have those of two seconds
		}
		p.event = e.N
		switch {
		case e.Seq == 0 || e.Session != p.session():
			continue
		case e.Seq != p.seq:
			p.twice++
			continue
		}
		p.done++
		p.holds = e.Type == "grabbed" || p.holds && e.Type != "released"
		p.seq++
	}
	head := lattice.Joint{Pos: p.at}
	head.Pos.Y, head.Pos.Z = p.at.Y+400, p.at.Z+300
	hand := lattice.Joint{Pos: p.at}
	body := lattice.Body{Head: head, Left: hand, Right: hand}
	switch {
	case !p.here:
		p.send(rec, stream.Input{Kind: stream.InputJoin, Session: p.session(), User: p.region, Name: p.region, HasPlace: true, Body: body})
	case p.cube != 0:
		p.seq = max(p.seq, 1)
		kind := stream.InputGrab
		if p.holds {
			kind = stream.InputRelease
		}
		p.send(rec,
			stream.Input{Kind: stream.InputPose, Session: p.session(), PoseSeq: uint16(p.ticks), Body: body},
			stream.Input{Kind: kind, Session: p.session(), Seq: p.seq, Object: p.cube, HandAt: hand}) // sent again until it is answered
	}
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

func (p *player) session() uint64 { return uint64(len(p.region)) + uint64(p.region[len(p.region)-1]) }

func (p *player) send(rec *stream.Record, in ...stream.Input) {
	p.batch++
	for i := range in {
		in[i].Stamp, in[i].Arrival = p.now(), p.now()
	}
	h := stream.BatchHeader{Gateway: 1, Incarnation: rec.Incarnation, Epoch: rec.Epoch, N: p.batch}
	if err := p.conn.Publish(bus.Inputs("hall", p.region), stream.AppendInputs(nil, h, in)); err != nil {
		p.t.Error(err)
	}
}

// counts returns the ticks that the region made and that were due, and the requests that were answered.
func (p *player) counts() (made, due, answered uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ticks, p.tick - p.first, p.done
}

// until waits for records until cond holds.
func (p *player) until(what string, cond func() bool) {
	p.t.Helper()
	limit := time.After(time.Minute)
	for !cond() {
		select {
		case <-p.changed:
		case <-limit:
			p.t.Fatalf("region %s: %s: not within a minute", p.region, what)
		}
	}
}

// TestBombsBesideARegion: while one region of a node runs every bomb that is let in, and refuses the others, the one beside it makes its ticks and
// answers its people, each once. The region with the bombs goes on as well, with the module of before.
func TestBombsBesideARegion(t *testing.T) {
	const spare = 256 << 20
	ctx := context.Background()
	quiet := slog.New(slog.DiscardHandler)
	engine, err := rules.NewEngine(ctx, rules.Config{
		Compiler: rules.CompilerForTests(t), CompileLimits: compile.Limits{CPU: time.Second}, Log: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close(ctx) })
	grab, err := plugins.Wasm("grab")
	if err != nil {
		t.Fatal(err)
	}
	calm, err := engine.Load(ctx, "hands", grab, rules.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	venue, err := venues.Read("hall.toml", []byte(twoRegions), venues.Options{Shipped: plugins.Names()})
	if err != nil {
		t.Fatal(err)
	}
	store, err := bolt.Open(t.TempDir(), bolt.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	server, err := bus.StartEmbedded(bus.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	conn, err := server.Connect("node")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	var bomb *rules.Plugin // of the swap that is asked for
	n, err := node.New(node.Config{
		Venue: venue, Store: store, Bus: conn, Log: quiet,
		Rules: func(region int) ([]scene.Rule, error) {
			in, err := calm.Instance(rules.InstanceConfig{Region: uint32(region)})
			return []scene.Rule{in}, err
		},
		Module: func(_ context.Context, region, _ int, _ string) (scene.Rule, error) {
			return bomb.Instance(rules.InstanceConfig{Region: uint32(region)})
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	now := n.Timeline().NowUS
	west := newPlayer(t, server, venue.Regions[0].Name, -10, now)
	east := newPlayer(t, server, venue.Regions[1].Name, 10, now)
	for _, p := range []*player{west, east} {
		p.until("the first answers", func() bool { _, _, n := p.counts(); return n >= 4 })
	}
	swap := func(name string) error {
		body, err := json.Marshal(bus.AdminRequest{Op: bus.AdminSwap, Rule: "hands", Digest: name})
		if err != nil {
			t.Fatal(err)
		}
		_, err = conn.Request(ctx, bus.Admin("hall", west.region), body)
		return err
	}
	runs := func() node.RuleStatus {
		for _, s := range n.Rules() {
			if s.Region == west.region {
				return s
			}
		}
		t.Fatal("the region has no rule")
		return node.RuleStatus{}
	}
	// What this machine lets two calm regions do is the measure.
	measure := func(f func()) (eastShare, westShare float64, due uint64) {
		e0, ed0, _ := east.counts()
		w0, wd0, _ := west.counts()
		f()
		e1, ed1, _ := east.counts()
		w1, wd1, _ := west.counts()
		return float64(e1-e0) / float64(ed1-ed0), float64(w1-w0) / float64(max(1, wd1-wd0)), ed1 - ed0
	}
	calmEast, calmWest, _ := measure(func() {
		_, from, _ := east.counts()
		east.until("a second", func() bool { _, due, _ := east.counts(); return due >= from+30 })
	})

	modules := map[string][]byte{} // made before: that is the test's work
	for _, b := range rules.Bombs() {
		modules[b.Name] = b.Module()
	}
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	debug.FreeOSMemory()
	metrics.Read(heap)
	before, ran := heap[0].Value.Uint64(), 0
	bombEast, bombWest, due := measure(func() {
		for _, b := range rules.Bombs() {
			_, _, answered := east.counts()
			p, err := engine.Load(ctx, "hands", modules[b.Name], rules.LoadOptions{})
			switch {
			case err != nil && b.Refused:
			case err != nil:
				t.Errorf("%s: %v", b.Name, err)
			default:
				bomb = p
				err := swap(b.Name)
				if (err != nil) != b.Refused {
					t.Errorf("%s: the swap says %v", b.Name, err)
				}
				if err == nil {
					ran++
					beside(t, b, west, runs, calm.Digest(), p.Digest())
					bomb = calm
					if !b.Harmful {
						if err := swap("calm"); err != nil {
							t.Errorf("after %s: %v", b.Name, err)
						}
					}
				}
				// Once the region has let its instance go.
				_, _, w := west.counts()
				west.until("an answer after "+b.Name, func() bool { _, _, n := west.counts(); return n >= w+2 })
				if err := p.Close(ctx); err != nil {
					t.Error(err)
				}
			}
			east.until("an answer beside "+b.Name, func() bool { _, _, n := east.counts(); return n > answered })
			metrics.Read(heap)
			if now := heap[0].Value.Uint64(); now > before+spare {
				t.Errorf("after %s the heap has grown by %d MB", b.Name, (now-before)>>20)
			}
		}
	})
	t.Logf("%d bombs ran in %d ticks; made: calm %.2f and %.2f, beside bombs %.2f, with them %.2f", ran, due, calmEast, calmWest, bombEast, bombWest)
	if bombEast < calmEast-0.25 || bombEast < bombWest-0.1 {
		t.Errorf("the region beside made %.2f of its ticks, the one with the bombs %.2f; before, %.2f", bombEast, bombWest, calmEast)
	}
	for _, s := range n.Status() {
		if s.State != node.Running || s.Restarts > 0 {
			t.Errorf("region %+v", s)
		}
	}
	for _, p := range []*player{west, east} {
		if p.mu.Lock(); p.twice > 0 {
			t.Errorf("region %s: %d answers to nothing that was asked", p.region, p.twice)
		}
		p.mu.Unlock()
	}
	if ran < 30 {
		t.Errorf("only %d bombs ran", ran)
	}
}

// beside waits until a bomb has gone off in its region: a harmful one until the module of before is back, another for some answers.
func beside(t *testing.T, b rules.Bomb, west *player, runs func() node.RuleStatus, calm, digest string) {
	t.Helper()
	_, _, answered := west.counts()
	west.until(b.Name, func() bool {
		if !b.Harmful {
			_, _, n := west.counts()
			return n >= answered+3
		}
		s := runs()
		last := node.Swap{}
		if len(s.Swaps) > 0 {
			last = s.Swaps[len(s.Swaps)-1]
		}
		return last.Returned && last.From.Digest == digest && s.Digest == calm
	})
	if s := runs(); b.Harmful && s.Quarantined {
		t.Error(fmt.Sprint(b.Name, " left the rule in quarantine"))
	}
}
