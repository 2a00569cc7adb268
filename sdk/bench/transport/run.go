package transport

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/venued/venued/rtc/wire"
	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/sdk/loadgen"
)

// ChildCommand are the arguments that make the program a bare server; kind, bytes and rate follow.
var ChildCommand = []string{"bench", "serve-bare"}

// Settings of a run.
const (
	joinEvery = 2 * time.Millisecond // faster than handshakes are: they are the limit
	lookEvery = 20 * time.Millisecond
	settle    = 2 * time.Second // after everyone is there, before it counts
	seed      = 1
	upPerS    = 30
)

// Check says what is wrong with the options.
func (o *Options) Check() error {
	var errs []error
	if o.Users < 1 || o.Users > MaxUsers {
		errs = append(errs, fmt.Errorf("users: %d: want 1 to %d", o.Users, MaxUsers))
	}
	if o.Runs < 0 || o.Runs > MaxRuns {
		errs = append(errs, fmt.Errorf("runs: %d: want 1 to %d", o.Runs, MaxRuns))
	}
	if o.Duration < time.Second || o.Duration > time.Hour {
		errs = append(errs, fmt.Errorf("seconds: %g: want 1 to 3600", o.Duration.Seconds()))
	}
	return errors.Join(errs...)
}

func (o *Options) say(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// Run measures venued and then the bare servers with the same packets, as often as o says, and returns the run in the middle.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	var all []*Result
	for n := range max(o.Runs, 1) {
		if o.Runs > 1 {
			o.say("run %d of %d", n+1, o.Runs)
		}
		r, err := o.once(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return middle(all), nil
}

// middle returns the run whose ratio is the median; of an even number the better of the two in the middle is not taken.
func middle(all []*Result) *Result {
	slices.SortStableFunc(all, func(a, b *Result) int { return cmp.Compare(a.Ratio, b.Ratio) })
	r := all[len(all)/2]
	for _, one := range all {
		r.Ratios = append(r.Ratios, one.Ratio)
	}
	return r
}

// once measures all three once.
func (o Options) once(ctx context.Context) (*Result, error) {
	r, err := Venued(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, bare := range []struct {
		kind string
		cpu  *float64
	}{{WebRTC, &r.Raw}, {UDP, &r.UDP}} {
		if *bare.cpu, err = o.bare(ctx, bare.kind, r.Joined, &r.Packets); err != nil {
			return nil, fmt.Errorf("bare %s: %w", bare.kind, err)
		}
	}
	if r.Raw > 0 {
		r.Ratio = r.Venued / r.Raw
	}
	if r.UDP > 0 {
		r.UDPRatio = r.Venued / r.UDP
	}
	return r, nil
}

// Venued measures venued alone: what it uses, and what its visitors get.
func Venued(ctx context.Context, o Options) (*Result, error) {
	dir, err := os.MkdirTemp("", "venued-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "venue.toml")
	if err := os.WriteFile(file, fmt.Appendf(nil, hall, o.Users+16), 0o600); err != nil {
		return nil, err
	}
	o.say("venued with %d visitors", o.Users)
	c, err := start(ctx, o.Program, "serve", file, "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", filepath.Join(dir, "data"))
	if err != nil {
		return nil, err
	}
	defer c.stop()
	empty, err := c.usage()
	if err != nil {
		return nil, err
	}
	m := &meter{c: c, users: o.Users, begin: time.Now()}
	joining, stop := context.WithCancel(ctx)
	defer stop()
	rate := make(chan float64, 1)
	go func() { rate <- c.handshakes(joining, o.Users) }()
	ramp := time.Duration(o.Users) * joinEvery
	report, err := loadgen.Run(ctx, loadgen.Options{
		URL: c.lines["join"], Users: o.Users, Ramp: ramp, Duration: o.joining() + settle + o.Duration,
		Seed: seed, Lane: client.LaneWebRTC, Progress: m.progress,
	})
	stop()
	if err != nil {
		return nil, err
	}
	if m.err != nil {
		return nil, m.err
	}
	if report.Joined == 0 || m.last == (sample{}) {
		return nil, fmt.Errorf("nobody was there to be measured: %v", report.JoinErrors)
	}
	spent := m.last.at.Sub(m.first.at).Seconds()
	scale := o.Duration.Seconds() / spent
	r := &Result{
		Users: o.Users, Joined: report.Joined, SecondsEach: o.Duration.Seconds(),
		Venued:  (m.last.used.cpu - m.first.used.cpu).Seconds() * scale,
		PoseAge: Quantiles(report.PoseAgeMS), Lost: report.LostRatio,
		Handshakes:  <-rate,
		MemoryKB:    float64(m.last.used.rss-empty.rss) / 1024 / float64(report.Joined),
		Disconnects: report.Disconnects,
		Packets: Packets{
			UpBytes: len(wire.AppendPose(nil, &wire.Pose{HasAck: true})), UpPerS: upPerS,
			DownPerS: report.FramesPerS, KbpsDown: report.BytesDownPerS * 8 / 1000,
		},
	}
	r.Packets.DownBytes = min(max(int(math.Round(report.BytesDownPerS/max(report.FramesPerS, 1))), 1), wire.MaxFrame)
	return r, nil
}

// joining is how long everyone may take to be there.
func (o *Options) joining() time.Duration { return time.Duration(o.Users) * 15 * time.Millisecond }

// meter reads the child's usage as a run goes on.
type meter struct {
	c     *child
	users int
	begin time.Time

	mu          sync.Mutex
	joinedIn    time.Duration
	first, last sample
	err         error
}

type sample struct {
	at   time.Time
	used usage
}

// progress is called about once a second.
func (m *meter) progress(p loadgen.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if p.Joined+p.Failed < m.users && p.Elapsed < p.Total/2 || p.Elapsed >= p.Total {
		return // not all are there, or some have gone
	}
	if m.joinedIn == 0 {
		m.joinedIn = now.Sub(m.begin)
		return
	}
	if now.Sub(m.begin) < m.joinedIn+settle {
		return
	}
	u, err := m.c.usage()
	if err != nil {
		m.err = err
		return
	}
	m.last = sample{now, u}
	if m.first == (sample{}) {
		m.first = m.last
	}
}

// bare measures a bare server.
func (o *Options) bare(ctx context.Context, kind string, users int, p *Packets) (cpu float64, err error) {
	o.say("bare %s with %d clients: %d bytes up, %d down", kind, users, p.UpBytes, p.DownBytes)
	args := append(append([]string{}, ChildCommand...), kind, fmt.Sprint(p.DownBytes), fmt.Sprintf("%.3f", max(p.DownPerS, 1)))
	c, err := start(ctx, o.Program, args...)
	if err != nil {
		return 0, err
	}
	defer c.stop()
	var all clients
	defer all.close()
	for range users {
		dial := all.dialUDP
		if kind == WebRTC {
			dial = all.dialRTC
		}
		if err := dial(ctx, c.lines["at"]); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go all.all.run(ctx, p.UpBytes, p.UpPerS)
	if !pause(ctx, settle) {
		return 0, ctx.Err()
	}
	got := all.got.Load()
	first, err := c.usage()
	if err != nil {
		return 0, err
	}
	if !pause(ctx, o.Duration) {
		return 0, ctx.Err()
	}
	last, err := c.usage()
	if err == nil && all.got.Load() == got {
		err = errors.New("no packets came")
	}
	return (last.cpu - first.cpu).Seconds(), err
}

func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// hall is the venue that is measured: one room, where each sees those around, and things to grab.
const hall = `[venue]
id = "bench"
name = "Bench"
[venue.limits]
users = %d
[console]
enabled = false
[log]
level = "warn"
[[floor]]
name = "ground"
min = [0.0, 0.0]
max = [30.0, 30.0]
[[spawn]]
name = "middle"
at = [15.0, 15.0]
radius = 12.0
[[kind]]
name = "ball"
grabbable = true
restore = true
[[object]]
name = "ball-1"
kind = "ball"
at = [14.0, 1.0, 15.0]
[[object]]
name = "ball-2"
kind = "ball"
at = [16.0, 1.0, 15.0]
[[rule]]
plugin = "grab"
`

// handshakes returns how many connections a second came up, from the first until users had, or ctx ended.
func (c *child) handshakes(ctx context.Context, users int) float64 {
	var first, last time.Time
	began, n := 0, 0
	for n < users && pause(ctx, lookEvery) {
		now, at := c.metric(ctx, "venued_gateway_handshakes_total"), time.Now()
		if now > 0 && first.IsZero() {
			first, began = at, now
		}
		if now > n {
			n, last = now, at
		}
	}
	if n == began {
		return 0
	}
	return float64(n-began) / last.Sub(first).Seconds()
}

// metric sums a counter of the child over its labels.
func (c *child) metric(ctx context.Context, name string) (sum int) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.lines["metrics"], nil)
	if err != nil {
		return 0
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0 // the next look will tell
	}
	defer resp.Body.Close()
	for sc := bufio.NewScanner(resp.Body); sc.Scan(); {
		if line := sc.Text(); strings.HasPrefix(line, name) {
			if v, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64); err == nil {
				sum += int(v)
			}
		}
	}
	return sum
}
