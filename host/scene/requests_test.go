package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/lattice"
	"github.com/venued/venued/venues"
)

// client is a session as its gateway keeps it: the inputs that no cursor covers yet are sent again at every tick.
type client struct {
	session uint64
	inputs  []stream.Input // number 1 first
	back    bool           // the owner changed: say that the session lives
}

// plan draws what each of a few people asks for, and when: plan[t] are the inputs that exist from tick t on.
func plan(t *rapid.T, r *Region, people, ticks int) [][]stream.Input {
	seqs := make([]uint32, people+1)
	out := make([][]stream.Input, ticks)
	for tick := range out {
		for range rapid.IntRange(0, 3).Draw(t, "asks") {
			s := rapid.IntRange(1, people).Draw(t, "session")
			seqs[s]++
			o := r.objects[rapid.IntRange(0, len(r.objects)-1).Draw(t, "object")]
			x := stream.Input{
				Session: uint64(s), Seq: seqs[s], Object: o.ID, Hand: uint8(rapid.IntRange(0, 1).Draw(t, "hand")), HandAt: o.State.Body.Head,
				Kind:    rapid.SampledFrom([]stream.InputKind{stream.InputGrab, stream.InputGrab, stream.InputRelease, stream.InputUse}).Draw(t, "kind"),
				Arrival: int64(tick+3) * r.venue.TickUS(),
			}
			x.Stamp = x.Arrival - rapid.Int64Range(0, 200_000).Draw(t, "early")
			if rapid.IntRange(0, 9).Draw(t, "strange") == 0 {
				x.Object = 99
			}
			out[tick] = append(out[tick], x)
		}
	}
	return out
}

// play makes one tick: every client's inputs past the cursor that its gateway knows, whoever the owner is.
func play(w *world, clients []*client) {
	var in []stream.Input
	for _, c := range clients {
		if c.back {
			in = append(in, stream.Input{Kind: stream.InputBack, Session: c.session})
			c.back = false
		}
		if u := w.region.sessions[c.session]; u != nil {
			in = append(in, c.inputs[min(int(u.cursor), len(c.inputs)):]...)
		}
	}
	w.step(in...)
}

// TestEveryRequestIsAnsweredOnce: what people ask for while windows are open and requests wait behind undecided ones. The
// owner is lost after every tick, and with it the last few records that the store does not have yet. In the
// history that the store keeps, every request has exactly one answer.
func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	const people, ticks, settle = 4, 6, 14
	v := hall(t, 100, 8)
	rapid.Check(t, func(t *rapid.T) {
		start := func() *world {
			w := newWorld(t, v)
			w.save()
			var in []stream.Input
			for s := range people {
				x := join(uint64(s+1), fmt.Sprint("user", s+1))
				x.HasPlace, x.Body.Head.Pos = true, lattice.Vec{X: int32(s) * 60, Y: 1600}
				in = append(in, x)
			}
			w.step(in...)
			for _, u := range w.region.users {
				u.State.Body.Head.Pos = lattice.Vec{X: int32(u.Session) * 60, Y: 1400}
			}
			return w
		}
		asks := plan(t, start().region, people, ticks)
		unsaved := rapid.IntRange(0, 3).Draw(t, "unsaved")
		for crash := range ticks + 6 {
			w := start()
			var clients []*client
			for s := range people {
				clients = append(clients, &client{session: uint64(s + 1)})
			}
			for tick := range ticks + settle {
				if tick < ticks {
					for _, x := range asks[tick] {
						c := clients[x.Session-1]
						c.inputs = append(c.inputs, x)
					}
				}
				play(w, clients)
				if tick != crash {
					continue
				}
				// The join is in the first record.
				w.log = w.log[:max(1, len(w.log)-unsaved)]
				w.region = w.restore()
				w.block++
				w.rules = w.region.cfg.Rules
				for _, c := range clients {
					c.back = true
				}
			}
			answers := map[string][]string{}
			for _, rec := range w.log {
				for _, e := range rec.Events {
					if e.Seq != 0 {
						key := fmt.Sprint(e.Session, "/", e.Seq)
						answers[key] = append(answers[key], fmt.Sprintf("%d: %s", e.Tick, e.Type))
					}
				}
			}
			for _, c := range clients {
				if got := w.region.sessions[c.session].cursor; int(got) != len(c.inputs) {
					t.Fatalf("crash after tick %d: cursor of %d is %d, it sent %d", crash, c.session, got, len(c.inputs))
				}
				for _, x := range c.inputs {
					if got := answers[fmt.Sprint(c.session, "/", x.Seq)]; len(got) != 1 {
						t.Fatalf("crash after tick %d, %d records lost: input %d of %d (kind %d of object %d) has the answers %v",
							crash, unsaved, x.Seq, c.session, x.Kind, x.Object&0xffffffff, got)
					}
				}
			}
			checkSaved(t, w.region)
		}
	})
}

// TestWindowOfAVanishedObject: people reach for a thing, the owner is lost, and the next one starts with a manifest without
// it: everybody is told.
func TestWindowOfAVanishedObject(t *testing.T) {
	w := newWorld(t, hall(t, 100, 8))
	w.step(join(1, "ada"), join(2, "ben"))
	cup := w.region.objects[0]
	for _, u := range w.region.users {
		u.State.Body.Head.Pos = cup.pos()
	}
	grab := func(s uint64, seq uint32, kind stream.InputKind) stream.Input {
		return stream.Input{Kind: kind, Session: s, Seq: seq, Object: cup.ID, HandAt: cup.State.Body.Head}
	}
	w.step(grab(1, 1, stream.InputGrab), grab(1, 2, stream.InputRelease), grab(2, 1, stream.InputGrab))
	if len(w.region.windows) != 1 || len(w.region.waiting) != 1 {
		t.Fatalf("%d windows, %d waiting requests; want one each", len(w.region.windows), len(w.region.waiting))
	}
	w.save()
	w.venue = hall(t, 100, 8)
	w.venue.Objects[0].Name = "mug"
	w.region = w.restore()
	var got []string
	for range 3 {
		for _, e := range w.step().Events {
			if strings.Contains(string(e.Body), "denied_unknown") {
				got = append(got, fmt.Sprint(e.Session, "/", e.Seq))
			}
		}
	}
	slices.Sort(got)
	if fmt.Sprint(got) != "[1/1 1/2 2/1]" {
		t.Errorf("told that there is no such object: %v", got)
	}
	checkSaved(t, w.region)
}

// TestOrderOfOneSession: whatever stamps and arrivals a gateway gives, one session's requests are decided in the
// order they were sent.
func TestOrderOfOneSession(t *testing.T) {
	for _, window := range []int{0, 100} {
		w := newWorld(t, hall(t, window, 8))
		w.step(join(1, "ada"))
		bell := w.region.objects[2]
		w.region.users[0].State.Body.Head.Pos = bell.pos()
		x := stream.Input{Kind: stream.InputMessage, Session: 1, Topic: "say"}
		var in []stream.Input
		for i, at := range []int64{90_000, 70_000, 80_000, 10_000} {
			x.Seq, x.Arrival, x.Stamp, x.Data = uint32(i+1), at, 100_000-at, fmt.Append(nil, i+1)
			in = append(in, x)
		}
		var got []string
		for _, e := range w.step(in...).Events {
			got = append(got, string(e.Body[strings.LastIndexByte(string(e.Body), ':'):]))
		}
		if fmt.Sprint(got) != "[:1} :2} :3} :4}]" {
			t.Errorf("window %d ms: said in the order %v", window, got)
		}
	}
}

// reordered returns the venue with its lists written in another order, without a zone and what is tied to it.
func reordered(t failer, without string) *venues.Venue {
	text := fmt.Sprintf(hallTOML, 100, 8)
	head, rest, _ := strings.Cut(text, "[[floor]]")
	blocks := strings.Split("[[floor]]"+rest, "[[")[1:]
	slices.Reverse(blocks)
	var b strings.Builder
	b.WriteString(head)
	for _, block := range blocks {
		if without == "" || !strings.Contains(block, strconv.Quote(without)) {
			b.WriteString("[[" + block)
		}
	}
	v, err := venues.Read("hall.toml", []byte(b.String()), venues.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestManifestReordered: what belongs to a zone, an object or a door follows its name when the manifest lists them in another
// order; what belongs to a zone that is no more goes.
func TestManifestReordered(t *testing.T) {
	seen := map[string]string{}
	asks := ""
	fresh := func() []Rule {
		return []Rule{newTwin("hands", []string{"message", "timer"}, nil, func(b *abi.Decoded, kv abi.KV) ([]abi.Command, error) {
			var out []abi.Command
			for _, e := range b.Events {
				if e.Kind == abi.EventTimer {
					v, _ := kv.Get(abi.ScopeZone, e.Subject, "name")
					seen["timer"] += string(v) + " "
					continue
				}
				for zone := range uint64(2) {
					if asks == "set" {
						topic, data, _ := abi.SplitData(e.Data)
						kv.Put(abi.ScopeZone, zone+1, "name", append([]byte(topic), data[zone]))
						out = append(out, abi.Command{Kind: abi.CmdTimerStart, Scope: abi.ScopeZone, Subject: zone + 1, Value: 7, Aux: 500_000})
						continue
					}
					v, code := kv.Get(abi.ScopeZone, zone+1, "name")
					seen[fmt.Sprint("zone ", zone+1)] = fmt.Sprint(string(v), " ", code)
				}
			}
			return out, nil
		}), nil}
	}
	for _, c := range []struct{ without, zone1, zone2, timers string }{
		{"", "zone2 0", "zone1 0", "zone1 zone2 "}, // "corner" comes before "porch": timers due together go by name
		{"corner", "zone1 0", " -2", "zone1 "},
		{"porch", "zone2 0", " -2", "zone2 "},
	} {
		clear(seen)
		w := &world{t: t, venue: hall(t, 100, 8), fresh: fresh, block: 1}
		w.venue.Rules = w.venue.Rules[:2]
		w.rules = fresh()
		var err error
		if w.region, err = New(w.config()); err != nil {
			t.Fatal(err)
		}
		asks = "set"
		w.step(join(1, "ada"))
		x := say(1, 1, "zone")
		x.Data = []byte("12")
		w.step(x)
		w.save()
		w.venue = reordered(t, c.without)
		slices.SortFunc(w.venue.Rules, func(a, b venues.CompiledRule) int { return strings.Compare(b.Name, a.Name) }) // hands first again
		w.region = w.restore()
		asks = "get"
		w.step(stream.Input{Kind: stream.InputBack, Session: 1}, say(1, 2, "x"))
		if seen["zone 1"] != c.zone1 || seen["zone 2"] != c.zone2 {
			t.Errorf("without %q: %v", c.without, seen)
		}
		w.tick += 40
		w.step()
		if sortedWords(seen["timer"]) != sortedWords(c.timers) {
			t.Errorf("without %q: timers of %q fired, want %q", c.without, seen["timer"], c.timers)
		}
		keys := 0
		for k := range w.region.rules[0].stored.All() {
			if k.Scope == abi.ScopeZone {
				keys++
			}
		}
		if want := len(w.venue.Zones); keys != want {
			t.Errorf("without %q: %d keys of zones are left, want %d", c.without, keys, want)
		}
		checkSaved(t, w.region)
		w.save()
		w.crash()
	}
}

func sortedWords(s string) string {
	f := strings.Fields(s)
	slices.Sort(f)
	return fmt.Sprint(f)
}
