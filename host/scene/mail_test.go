package scene

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

// rowTOML is a floor in three regions.
const rowTOML = `
[venue]
id = "row"
name = "Row"
tick_hz = 10
[[floor]]
name = "hall"
min = [0.0, 0.0]
max = [30.0, 10.0]
[[cut]]
axis = "x"
at = 10
[[cut]]
axis = "x"
at = 20
in = "1"
[[spawn]]
name = "a"
at = [5.0, 5.0]
[[spawn]]
name = "b"
at = [15.0, 5.0]
[[spawn]]
name = "c"
at = [25.0, 5.0]
[[rule]]
name = "talk"
plugin = "talk"
`

func row(t failer) *venues.Venue {
	t.Helper()
	v, err := venues.Read("row.toml", []byte(rowTOML), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// talkRule sends on what messages say, and keeps what it is told in its state, in the order it heard it.
func talkRule() *twin {
	return newTwin("talk", []string{"message", "signal"}, nil, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
		var cmds []abi.Command
		for i := range b.Events {
			e := &b.Events[i]
			if e.Kind == abi.EventSignal {
				from, _, payload, _ := abi.SplitSignal(e.Data)
				if from != "talk" {
					panic("a signal of " + from)
				}
				key := fmt.Sprint("got-", e.Object-1)
				old, _ := kv.Get(abi.ScopeRegion, 0, key)
				kv.Put(abi.ScopeRegion, 0, key, append(append(slices.Clone(old), payload...), ' '))
				continue
			}
			topic, data, _ := abi.SplitData(e.Data)
			c := abi.Command{Event: uint32(i + 1), Kind: abi.CmdSignal, Data: abi.JoinSignal(nil, "talk", "t", data)}
			switch to, _ := strconv.Atoi(topic); topic {
			case "home":
				c.Scope = abi.ScopeVenue
			case "all":
				c.Event, c.Kind, c.Value, c.Data = 0, abi.CmdEmit, abi.EmitVenue, abi.JoinData(nil, "said", data)
			default:
				c.Scope, c.Subject = abi.ScopeRegion, uint64(to+1)
			}
			cmds = append(cmds, c)
		}
		return cmds, nil
	})
}

// post is one region with what its driver does: a log of which only a part is durable, and acknowledgements that wait for that.
type post struct {
	index   int
	region  *Region
	epoch   uint64
	log     []saved.Record
	durable int // records
	acks    map[string]ack
	heard   map[uint64][]string // events for everybody by tick, of other regions
	seq     uint32
	said    map[uint64][]string // what was said to others, by tick: "to:payload"; to everybody: "all-to:payload" for each
}

type ack struct {
	at   stream.RegionPoint
	tick uint64
}

func (p *post) start(t failer, v *venues.Venue) {
	t.Helper()
	p.epoch++
	cfg := Config{Venue: v, Region: p.index, Epoch: p.epoch, IDBlock: uint32(p.index*100) + uint32(p.epoch), Rules: []Rule{talkRule()}}
	var log []saved.Record
	for i := range p.log {
		b, err := json.Marshal(&p.log[i])
		if err != nil {
			t.Fatal(err)
		}
		var rec saved.Record
		if err := json.Unmarshal(b, &rec); err != nil {
			t.Fatal(err)
		}
		log = append(log, rec)
	}
	var err error
	if p.region, err = Restore(cfg, nil, log); err != nil {
		t.Fatal(err)
	}
	p.acks = map[string]ack{}
}

// crash loses what is not durable.
func (p *post) crash(t failer, v *venues.Venue) {
	t.Helper()
	p.log = p.log[:p.durable]
	last := uint64(0)
	if p.durable > 0 {
		last = p.log[p.durable-1].Tick
	}
	for tick := range p.said {
		if tick > last {
			delete(p.said, tick)
		}
	}
	for tick := range p.heard {
		if tick > last {
			delete(p.heard, tick)
		}
	}
	p.start(t, v)
	p.seq = 0
	if u := p.region.sessions[uint64(p.index+1)]; u != nil {
		p.seq = u.cursor
	}
}

// wipe loses everything, as a region does whose store is lost. Of what others said to it before, nobody knows any more what it had.
func (p *post) wipe(t failer, v *venues.Venue, posts []*post) {
	t.Helper()
	p.durable = 0
	p.crash(t, v)
	for _, q := range posts {
		for tick, list := range q.said {
			q.said[tick] = slices.DeleteFunc(list, func(s string) bool {
				to, _, _ := strings.Cut(s, ":")
				return strings.TrimPrefix(to, "all-") == fmt.Sprint(p.index)
			})
		}
	}
}

// TestMail: over a bus that loses, doubles and reorders, and with regions that crash and lose what is not durable, or everything they ever had,
// every message of what a sender remembers arrives once, and in order.
func TestMail(t *testing.T) {
	v := row(t)
	rapid.Check(t, func(t *rapid.T) {
		posts := make([]*post, 3)
		for i := range posts {
			posts[i] = &post{index: i, said: map[uint64][]string{}, heard: map[uint64][]string{}}
			posts[i].start(t, v)
		}
		var wire []stream.Input
		next := 0
		tick := uint64(0)
		round := func(quiet bool) {
			tick++
			arriving := wire
			wire = nil
			if !quiet && rapid.IntRange(0, 3).Draw(t, "reorder") == 0 && len(arriving) > 1 {
				i := rapid.IntRange(0, len(arriving)-2).Draw(t, "at")
				arriving[i], arriving[i+1] = arriving[i+1], arriving[i]
			}
			for _, p := range posts {
				if !quiet {
					switch rapid.IntRange(0, 29).Draw(t, "crash") {
					case 1, 2:
						p.crash(t, v)
					case 3:
						p.wipe(t, v, posts)
					}
				}
				session := uint64(p.index + 1)
				in := []stream.Input{join(session, fmt.Sprint("user", p.index))}
				if !quiet {
					for range rapid.IntRange(0, 2).Draw(t, "says") {
						topic := rapid.SampledFrom([]string{"0", "1", "2", "home", "all"}).Draw(t, "to")
						next++
						p.seq++
						x := say(session, p.seq, topic)
						x.Data = fmt.Append(nil, next)
						in = append(in, x)
						to := []string{strings.ReplaceAll(topic, "home", "0")}
						if topic == "all" {
							to = []string{"all-0", "all-1", "all-2"}
						}
						for _, to := range to {
							p.said[tick] = append(p.said[tick], to+":"+fmt.Sprint(next))
						}
					}
				}
				for _, x := range arriving {
					if x.Region.To == p.region.region.Name {
						in = append(in, x)
					}
				}
				fx := p.region.Step(tick, in)
				if len(fx.Faults) > 0 {
					t.Fatalf("region %d: %+v", p.index, fx.Faults)
				}
				if fx.Log != nil {
					p.log = append(p.log, *fx.Log)
				}
				for _, e := range fx.Events {
					if e.Type == "rule" {
						var body struct{ Data json.RawMessage }
						_ = json.Unmarshal(e.Body, &body)
						p.heard[tick] = append(p.heard[tick], string(body.Data))
						if e.Rule != "talk@1.0.0" || e.Digest != "000000000000" {
							t.Fatalf("an event names %q %q", e.Rule, e.Digest)
						}
					}
				}
				for i := range fx.Out {
					m := fx.Out[i]
					for range rapid.SampledFrom([]int{1, 1, 1, 0, 2}).Draw(t, "copies") {
						wire = append(wire, stream.Input{Kind: stream.InputRegion, Region: &m})
					}
				}
				if quiet || rapid.IntRange(0, 2).Draw(t, "durable") > 0 {
					p.durable = len(p.log)
				}
				for i := range fx.Heard {
					p.acks[fx.Heard[i].To] = ack{fx.Heard[i].At, tick}
				}
				for _, to := range []string{"hall-0", "hall-10", "hall-11"} {
					a, waits := p.acks[to]
					if waits && (p.durable == len(p.log) || p.log[p.durable].Tick > a.tick) {
						delete(p.acks, to)
						wire = append(wire, stream.Input{Kind: stream.InputRegionAck, Region: &stream.RegionMessage{From: p.region.region.Name, To: to, At: a.at}})
					}
				}
				if got := p.restored(t, v); got != p.region.Hash() {
					t.Fatalf("region %d: log and state differ", p.index)
				}
				checkSaved(t, p.region)
			}
		}
		for range rapid.IntRange(1, 40).Draw(t, "rounds") {
			round(false)
		}
		for n := 0; n < 400 && (len(wire) > 0 || posts[0].busy() || posts[1].busy() || posts[2].busy()); n++ {
			round(true)
		}
		for _, p := range posts {
			if p.busy() {
				t.Fatalf("region %d still waits for %v", p.index, p.region.saved.Sent)
			}
			for _, q := range posts {
				var want, all []string
				for _, tick := range sortedTicks(p.said) {
					for _, s := range p.said[tick] {
						to, n, _ := strings.Cut(s, ":")
						if to == fmt.Sprint(q.index) {
							want = append(want, n)
						}
						if to == fmt.Sprint("all-", q.index) && p != q {
							all = append(all, n)
						}
					}
				}
				got, _ := q.region.rules[0].stored.Value(saved.KeyName{Scope: abi.ScopeRegion, Key: fmt.Sprint("got-", p.index)})
				ordered(t, fmt.Sprintf("signals of region %d to %d", p.index, q.index), strings.Fields(string(got)), want)
				var heard []string
				for _, tick := range sortedTicks(q.heard) {
					heard = append(heard, q.heard[tick]...)
				}
				ordered(t, fmt.Sprintf("events of region %d in %d", p.index, q.index), heard, all)
			}
		}
	})
}

func sortedTicks(m map[uint64][]string) []uint64 {
	var out []uint64
	for tick := range m {
		out = append(out, tick)
	}
	slices.Sort(out)
	return out
}

// ordered checks that every wanted entry is in got once, in order. Others may be there: of senders who crashed and remember nothing of it.
func ordered(t *rapid.T, what string, got, want []string) {
	t.Helper()
	last := -1
	for _, w := range want {
		at := slices.Index(got, w)
		if at < 0 || at <= last || slices.Contains(got[at+1:], w) {
			t.Fatalf("%s: got %v, want %v in this order", what, got, want)
		}
		last = at
	}
}

func (p *post) busy() bool { return len(p.region.saved.Sent)+len(p.region.signals) > 0 }

func (p *post) restored(t failer, v *venues.Venue) [32]byte {
	t.Helper()
	cfg := Config{Venue: v, Region: p.index, Epoch: 99, IDBlock: 99, Rules: []Rule{talkRule()}}
	b, err := p.region.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Restore(cfg, b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.Hash()
}

// TestSignalsAreBounded: a rule whose signals nobody can take fails, and says whose queue is full; nothing of the call stays.
func TestSignalsAreBounded(t *testing.T) {
	v := row(t)
	flood := func(n int, c abi.Command) *Effects {
		t.Helper()
		rule := newTwin("talk", []string{"message"}, nil, func(*abi.Decoded, abi.KV) ([]abi.Command, error) {
			return slices.Repeat([]abi.Command{c}, n), nil
		})
		r, err := New(Config{Venue: v, Epoch: 1, IDBlock: 1, Rules: []Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		r.Step(1, []stream.Input{join(1, "ada")})
		var fx *Effects
		for i := uint64(2); i < 5; i++ {
			fx = r.Step(i, []stream.Input{say(1, uint32(i-1), "x")})
		}
		checkSaved(t, r)
		return fx
	}
	own := abi.Command{Kind: abi.CmdSignal, Data: abi.JoinSignal(nil, "talk", "t", nil)}
	if fx := flood(abi.MaxSignals, own); len(fx.Faults) != 0 {
		t.Errorf("%d signals a tick: %v", abi.MaxSignals, fx.Faults)
	}
	if fx := flood(abi.MaxSignals+1, own); len(fx.Faults) != 1 || !strings.Contains(fx.Faults[0].Fault.Message, `256 signals wait for rule "talk" already`) {
		t.Errorf("one more: %v", fx.Faults)
	}
	far := own
	far.Scope, far.Subject = abi.ScopeRegion, 2
	if fx := flood(500, far); len(fx.Faults) != 1 || !strings.Contains(fx.Faults[0].Fault.Message, `1024 messages wait for region "hall-10" already`) {
		t.Errorf("three times 500 to a region that does not answer: %v", fx.Faults)
	}
	if fx := flood(500, abi.Command{Kind: abi.CmdEmit, Value: abi.EmitVenue, Data: abi.JoinData(nil, "n", nil)}); len(fx.Faults) != 1 ||
		len(fx.Events) != 1 || fx.Events[0].Type != "error" {
		t.Errorf("three times 500 events for the venue: %v", fx.Faults)
	}
}

// TestForeignMessages: what another region must not say does nothing, but is taken, so that it does not come for ever.
func TestForeignMessages(t *testing.T) {
	v := row(t)
	good := stream.RegionMessage{From: "hall-10", To: "hall-0", Kind: stream.RegionEmit, Plugin: "talk@1.0.0", Topic: "n", Data: []byte("1")}
	for name, c := range map[string]struct {
		spoil func(*stream.RegionMessage)
		taken bool
	}{
		"good":            {func(m *stream.RegionMessage) {}, true},
		"an unknown kind": {func(m *stream.RegionMessage) { m.Kind = 9 }, true},
		"an unknown rule": {func(m *stream.RegionMessage) { m.Kind, m.Rule = stream.RegionSignal, "none" }, true},
		"no JSON":         {func(m *stream.RegionMessage) { m.Data = []byte("{") }, true},
		"a long payload": {func(m *stream.RegionMessage) {
			m.Kind, m.Rule, m.Data = stream.RegionSignal, "talk", make([]byte, abi.MaxMessage+1)
		}, true},
		"no topic":          {func(m *stream.RegionMessage) { m.Topic = "" }, true},
		"another target":    {func(m *stream.RegionMessage) { m.To = "hall-11" }, false},
		"an unknown region": {func(m *stream.RegionMessage) { m.From = "attic" }, false},
		"of itself":         {func(m *stream.RegionMessage) { m.From = "hall-0" }, false},
		"a gap":             {func(m *stream.RegionMessage) { m.After = stream.RegionPoint{Epoch: 1, N: 3} }, false},
	} {
		r, err := New(Config{Venue: v, Epoch: 1, IDBlock: 1, Rules: []Rule{talkRule()}})
		if err != nil {
			t.Fatal(err)
		}
		m := good
		m.At = stream.RegionPoint{Epoch: 1, N: 4}
		c.spoil(&m)
		x := stream.Input{Kind: stream.InputRegion, Region: &m}
		fx := r.Step(1, []stream.Input{x, x, {Kind: stream.InputRegion}, {Kind: stream.InputRegionAck}})
		if taken := r.heard[m.From] == m.At; taken != c.taken || taken && fx.Stats.Duplicates != 1 {
			t.Errorf("%s: taken %v, %d duplicates", name, taken, fx.Stats.Duplicates)
		}
		if events := len(fx.Events); events != 0 && name != "good" {
			t.Errorf("%s: an event came of it", name)
		}
		checkSaved(t, r)
		r.Step(2, []stream.Input{{Kind: stream.InputRegionAck, Region: &stream.RegionMessage{From: "hall-10", To: "hall-0", At: stream.RegionPoint{Epoch: 7}}}})
		checkSaved(t, r)
	}
}

// TestVenueKeys: keys of the venue are in its first region only.
func TestVenueKeys(t *testing.T) {
	v := row(t)
	for i := range 2 {
		code := -100
		rule := newTwin("talk", []string{"message"}, nil, func(_ *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			code = kv.Put(abi.ScopeVenue, 0, "k", nil)
			return nil, nil
		})
		r, err := New(Config{Venue: v, Region: i, Epoch: 1, IDBlock: 1, Rules: []Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		r.Step(1, []stream.Input{join(1, "ada"), say(1, 1, "x")})
		if want := []int{0, abi.KVScope}[i]; code != want {
			t.Errorf("in region %d: code %d, want %d", i, code, want)
		}
	}
}
