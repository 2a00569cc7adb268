package crowd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/rtc/wire"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// An input waits for the next tick as a matter of course; what it waits beyond is a queue.
func TestWaitingForTheNextTickIsNoQueue(t *testing.T) {
	const t0, tick = 1_000, 30_000 // ticks at 1,000, 31,000, 61,000, ...
	for _, c := range []struct {
		name               string
		got, start, end    int64
		queued, servicedUS int64
	}{
		{"just before a tick", 25_900, 31_000, 31_200, 0, 200},
		{"just after one", 1_100, 31_000, 31_200, 0, 200},
		{"the tick is late", 20_000, 41_000, 41_200, 10_000, 200},
		{"too late for the batch of a tick", 30_000, 61_000, 61_100, 0, 100},
		{"two ticks late", 20_000, 91_000, 95_000, 60_000, 4_000},
		{"in a tick that began before its boundary", 20_000, 30_900, 31_000, 0, 100},
		{"the server did not say", 0, 0, 0, 0, 0},
		{"nonsense", 20_000, 41_000, 40_000, 0, 0},
	} {
		q, s := waited(&wire.Times{Received: c.got, Start: c.start, End: c.end}, t0, tick)
		if q != time.Duration(c.queued)*time.Microsecond || s != time.Duration(c.servicedUS)*time.Microsecond {
			t.Errorf("%s: queued %v and served %v, want %d us and %d us", c.name, q, s, c.queued, c.servicedUS)
		}
	}
	if q, s := waited(&wire.Times{Received: 5, Start: 6, End: 7}, 0, 0); q != 0 || s != 0 {
		t.Errorf("without a tick's length: %v and %v", q, s)
	}
}

func TestWhatAVenueHasNoMeansFor(t *testing.T) {
	d := hall()
	for _, c := range []struct {
		a    plan.Action
		want string // "" for none
	}{
		{plan.Action{Kind: plan.Grab, Weight: 1}, ""},
		{plan.Action{Kind: plan.Rule, Weight: 1}, ""},
		{plan.Action{Kind: plan.Door, Weight: 1}, ""},
		{plan.Action{Kind: plan.Rule, Weight: 1, Use: "bell"}, ""},
		{plan.Action{Kind: plan.Rule, Weight: 1, Use: "bell-1"}, ""},
		{plan.Action{Kind: plan.Rule, Weight: 1, Use: "cup"}, `load.action[0]: rule: the venue hall has no object of the name or kind "cup" that can be used`},
		{plan.Action{Kind: plan.Teleport, Weight: 1, Zone: "gate"}, ""},
		{plan.Action{Kind: plan.Teleport, Weight: 1, Zone: "gaet"}, `load.action[0]: teleport: the venue hall has no zone "gaet": it has gate, everywhere`},
	} {
		p := plan.Default(1, time.Second)
		p.Actions, p.AnyMix = []plan.Action{c.a}, false
		_, err := Fit(p, d)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.a, err, c.want)
		}
	}
	// A mix that is left open is made of what there is.
	d.Objects, d.Zones = nil, nil
	p, err := Fit(plan.Default(1, time.Second), d)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range p.Actions {
		if a.Kind == plan.Grab || a.Kind == plan.Release || a.Kind == plan.Rule || a.Kind == plan.Door {
			t.Errorf("%s is left in the mix of an empty venue", a.Kind)
		}
	}
	if len(p.Actions) == 0 {
		t.Error("nothing is left")
	}
}

// Whoever is sent to a zone stands outside of it, within the walls, on the nearest side where there is room, one step from inside.
func TestPlacesBesideAZone(t *testing.T) {
	zones := zones(hall(), func(*venues.AreaDescription) bool { return true })
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		from := ground{20 * rng.Float64(), 20 * rng.Float64()}
		s, ok := alongside(&zones[0], from, rng)
		if !ok {
			t.Fatal("there is no place beside the gate")
		}
		if s.at != within(zones[0].floor, s.at) || inZone(&zones[0], s.at) || !inZone(&zones[0], s.in) {
			t.Fatalf("from %v: %+v", from, s)
		}
		if s.at[0] < wall {
			t.Fatalf("%v is in the wall", s.at)
		}
	}
	if s, ok := alongside(&zones[1], ground{}, rng); ok {
		t.Errorf("a zone that is everywhere has %v beside it", s.at)
	}
}

func inZone(z *zone, at ground) bool {
	return at[0] >= z.min[0] && at[0] <= z.max[0] && at[1] >= z.min[1] && at[1] <= z.max[1]
}

func TestTokens(t *testing.T) {
	d := hall()
	key := token.NewKey()
	signed, err := Signed(key, d)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed(t.Context(), "load-7")
	if err != nil {
		t.Fatal(err)
	}
	v, err := token.NewVerifier(key, d.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := v.Check(text); err != nil || c.User != "load-7" || !c.Load || c.Many {
		t.Errorf("a signed token says %+v: %v", c, err)
	}
	if _, err := Signed(key[:4], d); err == nil {
		t.Error("a short key is taken")
	}

	answer, status := text, http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("user") != "load-7" || r.URL.Query().Get("load") != "1" || r.URL.Query().Get("venue") != "hall" {
			t.Errorf("asked for %s", r.URL)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	defer srv.Close()
	fetched, err := Fetched(srv.URL + "/token?venue=hall")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		answer string
		status int
		want   string // "" for a token
	}{
		{text + "\n", 200, ""},
		{"no", 500, "answered 500"},
		{"hello", 200, "not a join token"},
		{"e30.eyJtYW55Ijp0cnVlfQ.sig", 200, "lacks the load mark"},
		{strings.Repeat("x", 1<<20), 200, "not a join token"},
	} {
		answer, status = c.answer, c.status
		got, err := fetched(context.Background(), "load-7")
		if (err == nil) != (c.want == "") || err == nil && got != text || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("an answer %.20q of %d gives %q: %v, want %q", c.answer, c.status, got, err, c.want)
		}
	}
	for text, want := range map[string]string{marked: "", "e30.eyJtYW55Ijp0cnVlfQ.sig": "load mark", "e30.eyJsb2FkIjp0cnVlfQ.sig": "one join only", "x": "not a join token"} {
		if _, err := Reused(text); fmt.Sprint(err) != "<nil>" && want == "" || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Whatever a service answers, and whatever payload a behaviour has, is read or refused, and what is sent to the venue is JSON.
func FuzzOutsideBytes(f *testing.F) {
	f.Add(marked, []byte(`{"a":1}`))
	f.Add("a.b.c", []byte{0, 1, 2})
	f.Add("..", make([]byte, 5000))
	f.Fuzz(func(t *testing.T, text string, payload []byte) {
		if m, err := read(text); err != nil && (m.Load || m.Many) {
			t.Errorf("%q is no token, and says %+v", text, m)
		}
		if b := asJSON(payload); len(b) > 0 && !json.Valid(b) {
			t.Errorf("%q becomes %q", payload, b)
		}
	})
}
