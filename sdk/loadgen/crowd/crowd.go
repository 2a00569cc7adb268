package crowd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen/behaviour"
	"github.com/venued/venued/sdk/loadgen/figures"
	"github.com/venued/venued/sdk/loadgen/live"
	"github.com/venued/venued/sdk/loadgen/plan"
	"github.com/venued/venued/venues"
)

// Settings of joining.
const (
	joinsAtOnce = 16 // of visitors; more would be refused by a gateway's limit of pending connections
	joinTries   = 4  // when the path fails or the venue says "later"
	joinPause   = time.Second
)

// Config says whom to send where.
type Config struct {
	URL      string
	Tokens   Tokens
	Lane     client.Lane // default client.LaneWebRTC
	Plan     *plan.Plan  // as Fit returned it
	Loop     plan.Loop   // Open or Closed
	Cast     *behaviour.Cast
	Venue    *venues.Description
	Prefix   string         // of the users' ids, so that several machines send different people; default "load"
	Every    time.Duration  // length of the figures' slices; default 1 s
	Progress func(Progress) // called about once a second, when not nil
	Log      *slog.Logger   // of the clients; default: nothing
}

// Progress is how far a run is.
type Progress struct {
	There, Failed  int
	Elapsed, Total time.Duration
}

// Result is what a run counted. Results of several machines add up.
type Result struct {
	Set      *figures.Set      `json:"set"`
	Visitors *figures.Visitors `json:"visitors"`
}

// crowd is a run under way.
type crowd struct {
	Config
	run    *live.Run
	means  map[string]*means
	sites  []site
	homes  map[string]vec // where objects belong, by name
	http   *http.Client   // of what no client of the venue would send
	gate   chan struct{}  // joins at a time
	there  atomic.Int64
	peak   atomic.Int64
	failed atomic.Int64   // to join
	extra  atomic.Int64   // visitors of join actions so far
	all    sync.WaitGroup // everything that was started
	claim  claims

	tallies  [8]tally
	mu       sync.Mutex
	visitors []*visitor // who joined and has not left, in the order of joining
}

// Run carries out one loop of a plan and returns what was counted. It ends with the plan, or early with ctx, and then returns what there
// was. Nobody is left in the venue afterwards. Visitors who do not get in do not end it: they are counted.
func Run(ctx context.Context, cfg Config) (*Result, error) {
	if cfg.Lane == "" {
		cfg.Lane = client.LaneWebRTC
	}
	if cfg.Every == 0 {
		cfg.Every = time.Second
	}
	if cfg.Prefix == "" {
		cfg.Prefix = "load"
	}
	m, err := allMeans(cfg.Plan, cfg.Venue)
	if err != nil {
		return nil, err
	}
	c := &crowd{
		Config: cfg, means: m, sites: newSites(cfg.Plan, cfg.Venue, m), homes: homes(cfg.Venue), gate: make(chan struct{}, joinsAtOnce),
		http: &http.Client{Transport: &http.Transport{DisableKeepAlives: true, Proxy: http.ProxyFromEnvironment}},
	}
	for i := range c.tallies {
		c.tallies[i].Visitors = *figures.NewVisitors()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.run = live.New(cfg.Plan, cfg.Loop, cfg.Every)
	c.all.Go(func() { c.populate(ctx) })
	if cfg.Progress != nil {
		c.all.Go(func() { c.progress(ctx) })
	}
	set := c.run.Do(ctx, func() int { return int(c.there.Load()) }, c.do)
	cancel()
	c.all.Wait()
	figs := figures.NewVisitors()
	for i := range c.tallies {
		figs.Merge(&c.tallies[i].Visitors)
	}
	figs.Peak = int(c.peak.Load())
	return &Result{set, figs}, nil
}

// populate lets visitors come and go by the plan.
func (c *crowd) populate(ctx context.Context) {
	leave := map[int]context.CancelFunc{}
	defer func() {
		for _, f := range leave {
			f()
		}
	}()
	for _, x := range c.Plan.Visitors() {
		if !sleep(ctx, x.At-c.run.Now()) {
			return
		}
		if !x.Comes {
			leave[x.N]()
			delete(leave, x.N)
			continue
		}
		stay, end := context.WithCancel(ctx)
		leave[x.N] = end
		c.all.Go(func() { c.visit(stay, x.N, x.At) })
	}
	<-ctx.Done()
}

func (c *crowd) progress(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		c.Progress(Progress{int(c.there.Load()), int(c.failed.Load()), min(c.run.Now(), c.Plan.Duration), c.Plan.Duration})
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// visit is the stay of one visitor, who was to come at a time.
func (c *crowd) visit(ctx context.Context, n int, at time.Duration) {
	v := newVisitor(c, n)
	cl, err := c.join(ctx, v)
	if err != nil {
		if ctx.Err() == nil {
			c.failed.Add(1)
			v.tally.note(func(f *figures.Visitors) {
				f.JoinFailed++
				f.Fault(err.Error())
			})
		}
		return
	}
	came := c.run.Now()
	v.arrive(cl, came)
	v.tally.note(func(f *figures.Visitors) {
		f.Joined++
		f.Join.Add(came - at)
	})
	c.mu.Lock()
	c.visitors = append(c.visitors, v)
	c.mu.Unlock()
	var own sync.WaitGroup
	stay, end := context.WithCancel(ctx)
	own.Go(func() { v.live(stay) })
	v.attend(ctx)
	end()
	v.away()
	c.mu.Lock()
	c.visitors = slices.DeleteFunc(c.visitors, func(x *visitor) bool { return x == v })
	c.mu.Unlock()
	stats := cl.Stats()
	cl.Close()
	own.Wait()
	v.count(&stats, c.run.Now()-came)
}

// join connects a visitor, trying again as a person would when the path fails or the venue says "later".
func (c *crowd) join(ctx context.Context, v *visitor) (*client.Client, error) {
	o := c.options(fmt.Sprintf("%s-%d", c.Prefix, v.n))
	if n := len(c.Venue.Spawns); n > 0 {
		o.Spawn = c.Venue.Spawns[v.n%n].Name
	}
	o.OnWelcome, o.Pose, o.OnFrame, o.EventQueue = v.onWelcome, v.pose, v.onFrame, 1024
	for try := 1; ; try++ {
		select {
		case c.gate <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		cl, err := client.Dial(ctx, o)
		<-c.gate
		if err == nil || try == joinTries || hopeless(err) || !sleep(ctx, time.Duration(try)*joinPause) {
			return cl, err
		}
	}
}

// options are those of every client.
func (c *crowd) options(user string) client.Options {
	return client.Options{
		URL: c.URL, Lane: c.Lane, Log: c.Log, User: user, Name: user,
		NewToken: func(ctx context.Context) (string, error) { return c.Tokens(ctx, user) },
	}
}

// hopeless reports whether the venue has refused for good.
func hopeless(err error) bool {
	var no *client.Refused
	if !errors.As(err, &no) {
		return false
	}
	return no.Code.Retry() == "no" || no.Code.Retry() == "new_token"
}

// present returns who is there.
func (c *crowd) present() []*visitor {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.visitors)
}

// came counts a connection that came up, or went with -1.
func (c *crowd) came(n int64) {
	now := c.there.Add(n)
	for {
		p := c.peak.Load()
		if now <= p || c.peak.CompareAndSwap(p, now) {
			return
		}
	}
}

// sleep waits, and returns false when ctx ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
