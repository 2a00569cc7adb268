package loadgen

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/venues"
)

// MaxUsers is how many visitors one run sends at most.
const MaxUsers = 2000

// Settings of joining.
const (
	joinsAtOnce = 16              // more would be refused by a gateway's limit of pending connections
	joinTries   = 4               // when the path fails or the venue says "later"
	joinPause   = 1 * time.Second // times the try
	maxErrors   = 5               // different join errors kept in the report
)

// Options say how many visitors to send where, and for how long.
type Options struct {
	URL       string        // of the venue, or a join link
	Token     string        // join token; default: the link's. More than one user needs a development token
	Users     int           // 1 to MaxUsers
	Duration  time.Duration // all are there for so long, after the ramp
	Ramp      time.Duration // over which they join; default 50 ms a user
	Seed      uint64        // of all behaviour
	Lane      client.Lane   // default LaneWebRTC
	DropEvery time.Duration // a visitor loses its connection so often, on average; 0: never
	// Progress, when not nil, is called about once a second and at the end.
	Progress func(Progress)
	Log      *slog.Logger
}

// Progress is how far a run is.
type Progress struct {
	Joined, Failed, Users int
	Elapsed, Total        time.Duration // Total is ramp plus duration
}

// Check says what is wrong with the options, all of it.
func (o *Options) Check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	_, inLink, err := client.ParseLink(o.URL)
	if err != nil {
		bad("url: %w", err)
	}
	if o.Users < 1 || o.Users > MaxUsers {
		bad("users: %d: want 1 to %d", o.Users, MaxUsers)
	}
	if o.Duration <= 0 {
		bad("duration: %v: want more than 0", o.Duration)
	}
	if o.Ramp < 0 {
		bad("ramp: %v: want 0 or more", o.Ramp)
	}
	if o.DropEvery < 0 {
		bad("drop-every: %v: want 0 (never) or more", o.DropEvery)
	}
	known := o.Lane == ""
	for _, l := range client.Lanes() {
		known = known || l == o.Lane
	}
	if !known {
		bad("lane: %q: want one of %v", o.Lane, client.Lanes())
	}
	token := o.Token
	if token == "" {
		token = inLink
	}
	switch {
	case err != nil:
	case token == "":
		bad("token: none: give a join link (http://host:port/#token=...) or a token")
	case o.Users > 1 && !client.Reusable(token):
		bad("token: it is good for one join only: %d users need a development token ('many')", o.Users)
	}
	return errors.Join(errs...)
}

// run is one run in progress.
type run struct {
	o       Options
	plan    *floorPlan
	obs     *observer
	start   time.Time
	joined  atomic.Int64
	failed  atomic.Int64
	retries atomic.Int64

	mu     sync.Mutex
	report Report
	total  *total
	errors map[string]bool
}

// Run sends the visitors and returns what they measured. It ends when they have stayed for
// the duration, or when ctx does, and then reports on what there was. An error means that there
// is nothing to report: bad options, or no venue that answers.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Lane == "" {
		o.Lane = client.LaneWebRTC
	}
	if o.Ramp == 0 {
		o.Ramp = time.Duration(o.Users) * 50 * time.Millisecond
	}
	var d venues.Description
	if err := client.Describe(ctx, o.URL, &d); err != nil {
		return nil, err
	}
	plan, err := newFloorPlan(&d)
	if err != nil {
		return nil, err
	}
	r := &run{
		o: o, plan: plan, obs: newObserver(), start: time.Now(), total: newTotal(), errors: map[string]bool{},
		report: Report{Users: o.Users, Lane: o.Lane, Seed: o.Seed, Codes: map[string]uint64{}},
	}
	r.all(ctx)
	return r.finish(), nil
}

// all runs every visitor to its end.
func (r *run) all(ctx context.Context) {
	stay, cancel := context.WithDeadline(ctx, r.start.Add(r.o.Ramp+r.o.Duration))
	defer cancel()
	gate := make(chan struct{}, joinsAtOnce)
	var wg sync.WaitGroup
	rng := rand.New(rand.NewPCG(r.o.Seed, 1<<63)) // a stream that no visitor has
	for i := range r.o.Users {
		// Evenly over the ramp, each at a random phase of its slot.
		slot := float64(r.o.Ramp) / float64(r.o.Users)
		at := time.Duration(slot * (float64(i) + rng.Float64()))
		wg.Go(func() {
			if sleep(stay, time.Until(r.start.Add(at))) {
				r.visit(stay, i, gate)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		r.progress()
		select {
		case <-done:
			r.progress()
			return
		case <-tick.C:
		}
	}
}

func (r *run) progress() {
	if r.o.Progress != nil {
		total := r.o.Ramp + r.o.Duration
		r.o.Progress(Progress{
			Joined: int(r.joined.Load()), Failed: int(r.failed.Load()), Users: r.o.Users,
			Elapsed: min(time.Since(r.start), total), Total: total,
		})
	}
}

// visit is the life of one visitor.
func (r *run) visit(ctx context.Context, n int, gate chan struct{}) {
	v := newVisitor(r.o.Seed, n, r.plan, r.obs)
	began := time.Now()
	c, err := r.join(ctx, n, v, gate)
	if err != nil {
		r.joinFailed(err)
		return
	}
	r.joined.Add(1)
	came := time.Now()
	v.conn.Store(c)
	r.attend(ctx, n, v, c)
	ended := ctx.Err() == nil
	there := time.Since(came)
	rtt, cause := c.RTT(), c.Err()
	stats := c.Stats()
	c.Close()
	for e := range c.Events() { // what the goodbye left
		r.obs.event(&e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.mode == asking {
		v.tally.undecided++
	}
	record(r.total.join, came.Sub(began))
	r.total.add(&r.report, &v.tally, stats, rtt, there)
	if ended {
		r.report.Ended++
		r.keep(fmt.Sprintf("ended early: %v", cause))
	}
}

// join connects, trying again as a person would when the path fails or the venue says "later".
func (r *run) join(ctx context.Context, n int, v *visitor, gate chan struct{}) (*client.Client, error) {
	o := client.Options{
		URL: r.o.URL, Token: r.o.Token, Lane: r.o.Lane, Log: r.o.Log,
		User: fmt.Sprintf("bot-%d-%d", r.o.Seed, n), Name: fmt.Sprintf("Bot %d", n+1),
		OnWelcome: v.onWelcome, Pose: v.pose, OnFrame: v.onFrame, EventQueue: 1024,
	}
	for try := 1; ; try++ {
		select {
		case gate <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		c, err := client.Dial(ctx, o)
		<-gate
		if err == nil || try == joinTries || hopeless(err) || !sleep(ctx, time.Duration(try)*joinPause) {
			return c, err
		}
		r.retries.Add(1)
	}
}

// hopeless reports whether the venue has refused for good.
func hopeless(err error) bool {
	var no *client.Refused
	if !errors.As(err, &no) {
		return false
	}
	retry := no.Code.Retry()
	return retry == wire.RetryNo || retry == wire.RetryNewToken
}

func (r *run) joinFailed(err error) {
	r.failed.Add(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(err.Error())
	var no *client.Refused
	if errors.As(err, &no) {
		r.report.Codes[no.Code.Name()]++
	}
}

// keep adds to the errors of the report. The lock is held.
func (r *run) keep(text string) {
	if !r.errors[text] && len(r.errors) < maxErrors {
		r.errors[text] = true
		r.report.JoinErrors = append(r.report.JoinErrors, text)
	}
}

// attend reads events and drops the connection now and then, until the time is over or the client has
// ended.
func (r *run) attend(ctx context.Context, n int, v *visitor, c *client.Client) {
	rng := rand.New(rand.NewPCG(r.o.Seed^0x5bd1e995, uint64(n)))
	drop := time.NewTimer(r.nextDrop(rng))
	defer drop.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-drop.C:
			c.Drop(time.Duration(rng.Int64N(int64(1500 * time.Millisecond))))
			drop.Reset(r.nextDrop(rng))
		case e, open := <-c.Events():
			if !open {
				return
			}
			v.onEvent(&e)
		}
	}
}

// nextDrop draws when a connection is next lost: memoryless, at least two seconds away.
func (r *run) nextDrop(rng *rand.Rand) time.Duration {
	if r.o.DropEvery == 0 {
		return math.MaxInt64
	}
	return 2*time.Second + time.Duration(rng.ExpFloat64()*float64(max(r.o.DropEvery-2*time.Second, 0)))
}

// finish works out the report.
func (r *run) finish() *Report {
	r.report.Joined, r.report.JoinFailed = int(r.joined.Load()), int(r.failed.Load())
	r.report.JoinRetries = int(r.retries.Load())
	r.report.DurationS = time.Since(r.start).Seconds()
	r.report.Grabs.DoubleHeld, r.report.Grabs.Unverified = r.obs.verdict()
	r.total.finish(&r.report)
	return &r.report
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
