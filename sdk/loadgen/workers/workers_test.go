package workers

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/rtc"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/sdk/loadgen/crowd"
	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/plan"
)

const hall = `
[venue]
id = "hall"
name = "A hall"
[[floor]]
name = "ground"
min = [-20, -10]
max = [20, 10]
[[spawn]]
name = "west"
at = [-10, 0]
radius = 3
`

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

const slice = time.Second

const secret = "a-secret-of-good-length"

// venue is a whole venue in this process; it returns its address and a token with the load mark.
func venue(t *testing.T) (url, signed string) {
	t.Helper()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Parse("hall.toml", []byte(hall), config.Options{Data: t.TempDir()})
	ok(err)
	db, err := bolt.Open(cfg.Server.Data, bolt.Options{Log: quiet})
	ok(err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	events, err := bus.StartEmbedded(bus.Options{Log: quiet})
	ok(err)
	t.Cleanup(events.Stop)
	connect := func(name string) *bus.Conn {
		c, err := events.Connect(name)
		ok(err)
		t.Cleanup(c.Close)
		return c
	}
	n, err := node.New(node.Config{Venue: cfg.Venue, Store: db, Bus: connect("node"), Log: quiet, Rules: func(int) ([]scene.Rule, error) { return nil, nil }})
	ok(err)
	ok(n.Start(t.Context()))
	t.Cleanup(func() {
		if err := n.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	key := bytes.Repeat([]byte("k"), token.MinKey)
	g, err := rtc.New(rtc.Config{Venue: cfg.Venue, Bus: connect("gateway"), Key: key, Development: true, UDP: "127.0.0.1:0", TCP: "127.0.0.1:0", Log: quiet})
	ok(err)
	ok(g.Start(t.Context()))
	t.Cleanup(func() {
		if err := g.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	web := httptest.NewServer(g.Handler())
	t.Cleanup(web.Close)
	issuer, err := token.NewIssuer(key, nil)
	ok(err)
	signed, _, err = issuer.Issue(token.Claims{Venue: "hall", User: "load", Many: true, Load: true}, time.Hour)
	ok(err)
	return web.URL, signed
}

// machine is a worker on loopback.
func machine(t *testing.T) *httptest.Server {
	t.Helper()
	w, err := New([]byte(secret), quiet)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(w)
	t.Cleanup(s.Close)
	return s
}

// settled waits until a venue answers a visitor: its gateway has heard from the node by then.
func settled(t *testing.T, url string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		r, err := http.Get(url + "/readyz")
		if err == nil {
			r.Body.Close()
			if r.StatusCode != http.StatusServiceUnavailable {
				return
			}
		}
		select {
		case <-look.C:
		case <-limit:
			t.Fatal("the venue is not ready")
		}
	}
}

func job(url, signed, text string) Job {
	return Job{
		Name: "plan.toml", Plan: text, URL: url, Token: signed, Lane: "ws", Prefix: "load", Loop: plan.Open, Every: slice,
		Files: []File{{0, "tour.txt", []byte("spread 0\nstart 0 0\nwalk 3 0\nwait 60\n")}},
	}
}

const short = `
[load]
curve = [[0, 5], [3, 5]]
[load.think]
kind = "fixed"
mean_s = 0.5
[[load.action]]
kind = "resume"
weight = 1
[[load.behaviour]]
kind = "scripted"
share = 1
file = "tour.txt"
`

func TestTwoWorkersCarryAPlanOutTogether(t *testing.T) {
	url, signed := venue(t)
	settled(t, url)
	c := &Coordinator{Workers: []string{machine(t).URL, machine(t).URL}, Secret: []byte(secret)}
	run, err := c.Prepare(t.Context(), job(url, signed, short))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Prepare(t.Context(), job(url, signed, short)); err == nil || !strings.Contains(err.Error(), "this worker has a run, or waits for one to start") {
		t.Errorf("a second job: %v", err)
	}
	most := 0
	out := run.Do(t.Context(), func(p crowd.Progress) { most = max(most, p.There) })
	if len(out.Missing) > 0 || out.Workers != 2 {
		t.Fatalf("%d workers, missing %q", out.Workers, out.Missing)
	}
	// Five users are two and three of them, though a busy machine may not let all of them in before the plan is over; their thirty actions or
	// so are a Poisson number.
	if v := out.Visitors; v.Joined < 1 || v.Joined > 5 || v.JoinFailed != 0 {
		t.Errorf("%d joined, %d failed: %q", v.Joined, v.JoinFailed, v.Errors)
	}
	if n := out.Set.All.Done + out.Set.AllSkipped() + out.Set.NeverSent(); n < 8 || n > 70 {
		t.Errorf("%d actions, about 30 are planned", n)
	}
	t.Logf("%d actions, most %d there, %.2f processors", out.Set.All.Done, most, out.CPU)
}

func TestAWorkerThatIsLostIsMissing(t *testing.T) {
	url, signed := venue(t)
	settled(t, url)
	stays, goes := machine(t), machine(t)
	c := &Coordinator{Workers: []string{stays.URL, goes.URL}, Secret: []byte(secret)}
	run, err := c.Prepare(t.Context(), job(url, signed, short))
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	out := run.Do(t.Context(), func(p crowd.Progress) {
		if p.There > 0 {
			once.Do(goes.CloseClientConnections)
		}
	})
	if out.Workers != 1 || len(out.Missing) != 1 || !strings.HasPrefix(out.Missing[0], "worker "+goes.URL+", part 2 of 2, was lost after ") ||
		!strings.HasSuffix(out.Missing[0], "; its visitors and actions are not in the figures") {
		t.Errorf("%d workers, missing %q", out.Workers, out.Missing)
	}
	if out.Visitors.Joined > 2 {
		t.Errorf("%d joined of the part that is left, it has 2", out.Visitors.Joined)
	}
}

func TestWhatIsWrongIsSaidBeforeAnybodyStarts(t *testing.T) {
	url, signed := venue(t)
	settled(t, url)
	worker := machine(t)
	nobody := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nobody.Close)
	for name, x := range map[string]struct {
		workers []string
		secret  string
		change  func(*Job)
		want    string
	}{
		"secret":     {[]string{worker.URL}, "another-secret-of-length", nil, "worker " + worker.URL + ": the secret is not this worker's"},
		"short":      {[]string{worker.URL}, "short", nil, "the secret has 5 bytes: give 16 to 1024"},
		"no workers": {nil, secret, nil, "0 workers: give 1 to 64"},
		"twice":      {[]string{worker.URL, worker.URL}, secret, nil, "worker " + worker.URL + " is named twice"},
		"no address": {[]string{"venue:80"}, secret, nil, `worker "venue:80": want http://host:port`},
		"no worker":  {[]string{nobody.URL}, secret, nil, "worker " + nobody.URL + ": answered 404 Not Found: is it a worker?"},
		"plan":       {[]string{worker.URL}, secret, func(j *Job) { j.Plan = "[load]\ncurve = []" }, "plan.toml:2"},
		"no file":    {[]string{worker.URL}, secret, func(j *Job) { j.Files = nil }, "files: none for load.behaviour[0], tour.txt"},
		"script": {[]string{worker.URL}, secret, func(j *Job) { j.Files[0].Data = []byte("hop") },
			"load.behaviour[0]: behaviour-0.txt:1: \"hop\" is no instruction"},
		"token":  {[]string{worker.URL}, secret, func(j *Job) { j.Token = "x" }, "this is not a join token"},
		"tokens": {[]string{worker.URL}, secret, func(j *Job) { j.Token = "" }, "token: give either a token or a token_url"},
		"lane":   {[]string{worker.URL}, secret, func(j *Job) { j.Lane = "pigeon" }, `lane: "pigeon": want one of`},
		"venue":  {[]string{worker.URL}, secret, func(j *Job) { j.URL = nobody.URL }, "404"},
		"loop":   {[]string{worker.URL}, secret, func(j *Job) { j.Loop = plan.Both }, `loop: "both": want open or closed`},
	} {
		j := job(url, signed, short)
		if x.change != nil {
			x.change(&j)
		}
		c := &Coordinator{Workers: x.workers, Secret: []byte(x.secret)}
		if _, err := c.Prepare(t.Context(), j); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v\nwant %s", name, err, x.want)
		}
	}
	// None of that left the worker busy.
	if _, err := (&Coordinator{Workers: []string{worker.URL}, Secret: []byte(secret)}).Prepare(t.Context(), job(url, signed, short)); err != nil {
		t.Error(err)
	}
}

// TestFiguresMergeExactly: what two workers report over the wire is what one machine would have counted, histogram by histogram.
func TestFiguresMergeExactly(t *testing.T) {
	whole, parts := figures.NewSet(slice), []*figures.Set{figures.NewSet(slice), figures.NewSet(slice)}
	for i := range 2000 {
		due := time.Duration(i) * 7 * time.Millisecond
		s := figures.Sample{Action: []string{"grab", "rule"}[i%3%2], Due: due, Sent: due + time.Duration(i%40)*time.Millisecond,
			Done: due + time.Duration(i*i%5_000_000)*time.Microsecond + 50*time.Millisecond, Queued: time.Duration(i%9) * time.Millisecond, Service: time.Millisecond}
		if i%17 == 0 {
			s.Failure = "denied"
		}
		whole.Add(&s)
		parts[i%2].Add(&s)
	}
	merged := figures.NewSet(slice)
	for _, p := range parts {
		b, err := json.Marshal(&Update{Done: &crowd.Result{Set: p, Visitors: figures.NewVisitors()}})
		if err != nil {
			t.Fatal(err)
		}
		u, err := updates(bytes.NewReader(b), slice, nil, func(err error) error { return err })
		if err != nil {
			t.Fatal(err)
		}
		merged.Merge(u.Done.Set)
	}
	a, errA := json.Marshal(whole)
	b, errB := json.Marshal(merged)
	if errA != nil || errB != nil || !bytes.Equal(a, b) {
		t.Errorf("merged figures differ: %v %v\n%s", errA, errB, cmp.Diff(string(a), string(b)))
	}
}

func FuzzJob(f *testing.F) {
	good, err := json.Marshal(Job{Version: Version, Name: "p", Plan: short, URL: "http://h:1", Token: "a.b.c", Lane: "ws", Prefix: "load", Loop: plan.Open, Of: 2, Every: slice})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"version":1,"files":[{"behaviour":-1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		j, err := readJob(bytes.NewReader(b))
		if err != nil {
			return
		}
		if p, err := j.unpack(t.TempDir()); err == nil {
			if err := p.Split(j.Part, j.Of).Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzUpdates(f *testing.F) {
	s := figures.NewSet(slice)
	s.Add(&figures.Sample{Action: "grab", Done: time.Second})
	good, err := json.Marshal(Update{Done: &crowd.Result{Set: s, Visitors: figures.NewVisitors()}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"there":3}{"done":{"set":{"every_ns":1000000000,"all":{}}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		u, err := updates(bytes.NewReader(b), slice, func(Update) {}, func(err error) error { return err })
		if err != nil {
			return
		}
		all, visitors := figures.NewSet(slice), figures.NewVisitors()
		all.Merge(u.Done.Set)
		visitors.Merge(u.Done.Visitors)
		all.All.EndToEnd.Quantile(0.99)
	})
}
