package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// gallery has something for every shipped plugin to decide.
const gallery = `
[venue]
id = "night-gallery"
name = "The night gallery"
grab_window_ms = 100
[[floor]]
name = "hall"
min = [-12.0, -8.0]
max = [12.0, 8.0]
[[spawn]]
name = "front"
at = [-6.0, 0.0]
radius = 3.0
[[kind]]
name = "figurine"
grabbable = true
restore = true
[[kind]]
name = "bell"
usable = true
[[kind]]
name = "token"
grabbable = true
usable = true
[[zone]]
name = "porch"
min = [2.0, -3.0]
max = [5.0, 3.0]
[[door]]
name = "gate"
at = [3.5, 0.0]
zone = "porch"
open_s = 0.5
[[rule]]
plugin = "grab"
kinds = ["figurine"]
[[rule]]
plugin = "door"
[[rule]]
plugin = "bell"
kinds = ["bell"]
[[rule]]
plugin = "greeter"
class = "large"
[rule.settings]
text = "Welcome to the open gallery"
[[rule]]
plugin = "score"
kinds = ["token"]
[rule.settings]
points_grab = 3
`

func things(kinds ...string) string {
	out := ""
	for i, kind := range kinds {
		out += fmt.Sprintf("[[object]]\nname = %q\nkind = %q\nat = [%d.0, 1.0, %d.0]\n", fmt.Sprintf("%s-%d", kind, i), kind, i%5*2-4, i%3*2-2)
	}
	return out
}

// engine makes instances of shipped plugins.
type engine struct {
	t testing.TB
	*rules.Engine
	venue *venues.Venue
}

func newEngine(t testing.TB, v *venues.Venue) *engine {
	t.Helper()
	e, err := rules.NewEngine(t.Context(), rules.Config{Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return &engine{t, e, v}
}

// rule makes an instance of a shipped plugin for a rule of the venue.
func (e *engine) rule(index int, plugin string) scene.Rule {
	e.t.Helper()
	wasm, err := plugins.Wasm(plugin)
	if err != nil {
		e.t.Fatal(err)
	}
	return e.module(index, wasm, e.venue.Rules[index].Settings)
}

func (e *engine) module(index int, wasm []byte, settings map[string]any) scene.Rule {
	e.t.Helper()
	p, err := e.Load(e.t.Context(), e.venue.Rules[index].Name, wasm, rules.LoadOptions{Settings: settings, Class: abi.ClassLarge})
	if err != nil {
		e.t.Fatal(err)
	}
	in, err := p.Instance(rules.InstanceConfig{CallTime: time.Hour})
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(in.Close)
	return in
}

// world is a region with people in it, recorded or not.
type world struct {
	t      testing.TB
	venue  *venues.Venue
	engine *engine
	region *scene.Region
	rules  []scene.Rule
	crowd  *crowd
	tick   uint64
	rec    *recording.Recorder
	file   bytes.Buffer
	after  func(*scene.Effects) // of each tick; optional
}

// recorded is a rule as a node wraps it: its calls are told of.
type recorded struct {
	scene.Rule
	w     *world
	index int
}

func (r recorded) Call(batch []byte, kv abi.KV) ([]byte, error) {
	if r.w.rec != nil {
		return r.w.rec.Call(r.index, r.Rule, batch, kv)
	}
	return r.Rule.Call(batch, kv)
}

func (r recorded) Migrate(from int, kv abi.KV) error {
	if r.w.rec != nil {
		return r.w.rec.Migrate(r.index, r.Rule, from, kv)
	}
	return r.Rule.Migrate(from, kv)
}

func newWorld(t testing.TB, people int) *world {
	t.Helper()
	v, err := venues.Read("gallery.toml", []byte(gallery+things("figurine", "figurine", "figurine", "figurine", "bell", "bell", "token", "token", "token")), venues.Options{Shipped: plugins.Names()})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, venue: v, engine: newEngine(t, v), tick: 1000}
	for i := range v.Rules {
		w.rules = append(w.rules, recorded{w.engine.rule(i, v.Rules[i].Plugin), w, i})
	}
	w.region, err = scene.New(scene.Config{Venue: v, Epoch: 3, IDBlock: 7, Rules: w.rules})
	if err != nil {
		t.Fatal(err)
	}
	w.crowd = newCrowd(v, w.region, people)
	return w
}

// play makes ticks of a second's thirtieth.
func (w *world) play(ticks int) {
	w.t.Helper()
	for range ticks {
		w.tick++
		if w.tick%97 == 0 {
			w.tick++ // a tick that was skipped
		}
		in := w.crowd.inputs(w.tick)
		if w.rec != nil {
			w.rec.Begin(in)
		}
		fx := w.region.Step(w.tick, in)
		if w.rec != nil {
			w.rec.End(fx)
		}
		w.crowd.hear(fx)
		if w.after != nil {
			w.after(fx)
		}
	}
}

func (w *world) swap(index int, plugin string) {
	w.t.Helper()
	fresh := recorded{w.engine.rule(index, plugin), w, index}
	if err := w.region.SwapRule(index, fresh, scene.SwapOptions{}); err != nil {
		w.t.Fatal(err)
	}
	w.rules[index] = fresh
	if w.rec != nil {
		w.rec.Swap(index, fresh.Rule, scene.SwapOptions{})
	}
}

func (w *world) record(limits recording.Limits) {
	w.t.Helper()
	var err error
	w.rec, err = recording.New(&w.file, recording.Start{
		Venue: w.venue, Region: w.region, Rules: w.rules, Host: "test", Began: time.Unix(1_800_000_000, 0), Limits: limits, Patient: true,
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// stop ends the recording and returns its bytes.
func (w *world) stop() []byte {
	w.t.Helper()
	w.rec.Stop("the test is over")
	if _, err := w.rec.Wait(); err != nil {
		w.t.Fatal(err)
	}
	w.rec = nil
	return w.file.Bytes()
}

// visitor is one of the crowd.
type visitor struct {
	user, name string
	load       bool
	session    uint64
	here, away bool
	at         lattice.Vec
	pose       uint16
	seq        uint32
	holds      [2]uint64
	sent       []stream.Input // key inputs that no cursor covers yet
}

// crowd is what gateways would send of people who walk, grab, use, talk, come and go.
type crowd struct {
	rng     *rand.Rand
	venue   *venues.Venue
	people  []*visitor
	next    uint64
	objects []stream.Entity
	more    func(tick uint64) []stream.Input // of somebody else; optional
}

// names that are hard to hide: short ones, words that rules say anyway, letters of many alphabets, quotes.
var names = []string{"Ann", "open", "1", "Zoë", "李雷", "O'Neil \"the Bell\"", "visitor", "score", "Bö 🙂", "Alexander the Great", "text", "Ж"}

func newCrowd(v *venues.Venue, r *scene.Region, people int) *crowd {
	c := &crowd{rng: rand.New(rand.NewPCG(1, 2)), venue: v, next: 100}
	for _, e := range r.Key().Entities {
		if e.Kind == stream.Object {
			c.objects = append(c.objects, e)
		}
	}
	for i := range people {
		name := names[i%len(names)]
		if i >= len(names) {
			name = fmt.Sprintf("%s %d", name, i)
		}
		c.people = append(c.people, &visitor{user: fmt.Sprintf("person-%c%d", 'a'+i%26, i*7919%1000), name: name, load: i%9 == 8})
	}
	return c
}

func (c *crowd) inputs(tick uint64) []stream.Input {
	now := int64(tick) * c.venue.TickUS()
	var out []stream.Input
	if c.more != nil {
		out = c.more(tick)
	}
	for _, v := range c.people {
		x := stream.Input{Session: v.session, Arrival: now - c.rng.Int64N(30_000)}
		x.Stamp = x.Arrival - c.rng.Int64N(60_000)
		if !v.here {
			if c.rng.IntN(60) == 0 {
				c.next++
				v.session, v.here, v.away, v.seq, v.pose, v.sent = c.next, true, false, 0, 0, nil
				x.Kind, x.Session, x.User, x.Name, x.Load = stream.InputJoin, v.session, v.user, v.name, v.load
				x.Spawn = []string{"front", v.name}[c.rng.IntN(2)]
				out = append(out, x)
			}
			continue
		}
		switch n := c.rng.IntN(2000); {
		case n == 0:
			x.Kind, x.Reason = stream.InputLeave, 4000
			v.here = false
			out = append(out, x)
			continue
		case n < 4:
			x.Kind = stream.InputAway
			if v.away = !v.away; !v.away {
				x.Kind = stream.InputBack
				v.pose = 0
			}
			out = append(out, x)
		}
		if v.away {
			continue
		}
		if len(v.sent) > 0 && c.rng.IntN(4) == 0 {
			out = append(out, v.sent...) // once more
		}
		v.pose++
		v.at = v.at.Add(lattice.Vec{X: c.rng.Int32N(401) - 200, Z: c.rng.Int32N(401) - 200})
		v.at.X, v.at.Z = max(-11*1024, min(11*1024, v.at.X)), max(-7*1024, min(7*1024, v.at.Z))
		v.at.Y = 1600
		x.Kind, x.PoseSeq = stream.InputPose, v.pose
		hand := lattice.Vec{X: 200, Y: -500, Z: -100}
		x.Body = lattice.Body{Head: lattice.Joint{Pos: v.at, Rot: lattice.Rot{C: [3]int16{0, int16(c.rng.IntN(1400) - 700), 0}}}}
		x.Body.Left.Pos, x.Body.Right.Pos = v.at.Add(lattice.Vec{X: -hand.X, Y: hand.Y, Z: hand.Z}), v.at.Add(hand)
		if c.rng.IntN(50) == 0 {
			x.Body.Right.Pos.Y += 5000 // farther than an arm
		}
		out = append(out, x)
		if c.rng.IntN(20) == 0 {
			out = append(out, c.act(v, x))
		}
	}
	return out
}

// act makes a key input.
func (c *crowd) act(v *visitor, pose stream.Input) stream.Input {
	x := stream.Input{Session: v.session, Arrival: pose.Arrival, Stamp: pose.Stamp, Hand: uint8(c.rng.IntN(2))}
	v.seq++
	x.Seq = v.seq
	o := c.objects[c.rng.IntN(len(c.objects))]
	x.Object, x.HandAt = o.ID, o.State.Body.Head
	switch c.rng.IntN(6) {
	case 0, 1, 2:
		x.Kind = stream.InputGrab
		v.holds[x.Hand] = o.ID
		v.at = o.State.Body.Head.Pos // whoever grabs has walked there, as fast as they may
	case 3:
		x.Kind, x.Object = stream.InputRelease, v.holds[x.Hand]
	case 4:
		x.Kind = stream.InputUse
	case 5:
		x.Kind, x.Object = stream.InputMessage, 0
		x.Topic, x.Data = "chat", fmt.Appendf(nil, `{"text":"hello from %s"}`, v.name)
	}
	v.sent = append(v.sent, x)
	return x
}

// hear takes the cursors of the step's effects and follows objects.
func (c *crowd) hear(fx *scene.Effects) {
	for _, cur := range fx.Cursors {
		for _, v := range c.people {
			if v.session != cur.Session {
				continue
			}
			for len(v.sent) > 0 && v.sent[0].Seq <= cur.Seq {
				v.sent = v.sent[1:]
			}
		}
	}
	for i := range fx.Entities {
		for j := range c.objects {
			if c.objects[j].ID == fx.Entities[i].ID {
				c.objects[j] = fx.Entities[i]
			}
		}
	}
}
