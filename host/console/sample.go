package console

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/venued/venued/rtc"
)

// keptSamples is ten minutes of them.
const keptSamples = 600

// sampled is what is looked at once a second, for everybody who asks.
type sampled struct {
	mu      sync.Mutex
	clients []Client
	series  []Sample
}

func (s *sampled) read() ([]Client, []Sample) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients, slices.Clone(s.series)
}

// counted is what a client's rates are computed from.
type counted struct {
	at                                time.Time
	frames, poses, bytesUp, bytesDown uint64
}

// sampleClients looks at the gateway and the node once a second until the console stops.
func (c *Console) sampleClients() {
	// A timer, not a ticker: two samples close together, after a stall, would show rates that never were.
	next := time.NewTimer(sampleEvery)
	defer next.Stop()
	before := map[uint64]counted{}
	for {
		before = c.sample(before)
		c.auth.sweep()
		next.Reset(sampleEvery)
		select {
		case <-c.stopped:
			return
		case <-next.C:
		}
	}
}

// sample takes one sample and tells those who watch.
func (c *Console) sample(before map[uint64]counted) map[uint64]counted {
	ctx, cancel := context.WithTimeout(c.ctx, sampleEvery)
	defer cancel()
	list, err := c.cfg.Gateway.Clients(ctx)
	if err != nil {
		if c.ctx.Err() == nil {
			c.log.Warn("console: the gateway does not tell of its clients", "error", err)
		}
		return before
	}
	now := time.Now()
	after := make(map[uint64]counted, len(list))
	clients := make([]Client, len(list))
	s := Sample{Time: float64(now.UnixMilli()) / 1000}
	for i := range list {
		x := &list[i]
		n := counted{now, x.Frames, x.Poses, x.BytesUp, x.BytesDown}
		after[x.Session] = n
		clients[i] = describe(x, n, before[x.Session])
		s.UpBytesS += clients[i].UpBytesS
		s.DownBytesS += clients[i].DownBytesS
		if x.Connected {
			s.Users++
		} else {
			s.Away++
		}
	}
	for _, t := range c.cfg.Node.TickTimes() {
		s.TickP99Us = max(s.TickP99Us, micros(t.P99))
	}
	if !c.run(func() { s.PoseAgeMs = c.floor.poseAge() }) {
		return after
	}
	c.sampled.mu.Lock()
	c.sampled.clients = clients
	c.sampled.series = append(c.sampled.series[max(0, len(c.sampled.series)-keptSamples+1):], s)
	c.sampled.mu.Unlock()
	c.run(func() { c.broadcast("sample", s) })
	return after
}

// describe makes a client's entry, its rates from what was counted a second ago. Counts that went back are of a new
// connection.
func describe(x *rtc.ClientStatus, n, old counted) Client {
	c := Client{
		Session: decimal(x.Session), User: x.User, Name: x.Name, Region: x.Region, Load: x.Load, Connected: x.Connected,
		Since: x.Since.UTC().Truncate(time.Millisecond), Lane: ClientLane(x.Lane), RoundTripMs: millis(x.RoundTrip), Loss: x.Loss, Throttled: x.Throttled,
	}
	if x.Entity != 0 {
		c.Entity = ptr(decimal(x.Entity))
	}
	dt := n.at.Sub(old.at).Seconds()
	if old.at.IsZero() || dt <= 0 {
		return c
	}
	rate := func(n, old uint64) float64 {
		if n < old {
			old = 0
		}
		return round(float64(n-old) / dt)
	}
	c.UpHz, c.DownHz = rate(n.poses, old.poses), rate(n.frames, old.frames)
	c.UpBytesS, c.DownBytesS = rate(n.bytesUp, old.bytesUp), rate(n.bytesDown, old.bytesDown)
	return c
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func millis(d time.Duration) float64 { return round(float64(d.Nanoseconds()) / 1e6) }
