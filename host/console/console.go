package console

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/rtc"
	"github.com/venued/venued/venues"
)

// Times of the console.
const (
	beatEvery   = 100 * time.Millisecond
	sampleEvery = time.Second
	keyRetry    = 200 * time.Millisecond // between two calls for a key frame
	silence     = 2 * time.Second        // without a record: then a key frame is asked for
	queueLen    = 1024                   // messages that wait for the console's goroutine; records beyond it are lost and mended
)

// Config of a console. All fields but Keys, Log and Now are needed.
type Config struct {
	Settings *config.Config // in force; its venue is the one that is shown
	Bus      *bus.Conn      // of the console's own
	Node     *node.Node
	Gateway  *rtc.Gateway
	Book     *rulebook.Book
	Store    store.Store
	// Recordings is where the node keeps recordings of regions. Optional.
	Recordings *recording.Folder
	Token      string            // the admin token: see ReadOrCreateToken
	Keys       map[string]string // tokens of rule keys, by the key's name. Optional
	Tail       *Tail             // of the process's log
	Version    string            // of the program, to be shown
	Log        *slog.Logger
	Now        func() time.Time // of sessions; default time.Now
}

// Console serves /admin. Make one with New.
type Console struct {
	cfg     Config
	log     *slog.Logger
	venue   *venues.Venue
	tail    *Tail
	auth    *auth
	handler http.Handler
	started time.Time

	in          chan func()
	stopped     chan struct{} // closed by Stop
	stopOnce    sync.Once
	work        sync.WaitGroup
	ctx         context.Context // ends with stopped
	cancel      context.CancelFunc
	openReaders atomic.Int64
	sampled     sampled

	// Of the console's goroutine.
	floor   *floor
	feeds   []*feed
	readers map[*reader]struct{}
	logN    int64
}

// feed is one region's stream.
type feed struct {
	index  int
	name   string
	sub    *bus.Sub
	dec    stream.Decoder
	last   time.Time // a record came
	asking bool
	asked  time.Time
}

// New checks the configuration. It starts nothing.
func New(cfg Config) (*Console, error) {
	switch {
	case cfg.Settings == nil || cfg.Settings.Venue == nil:
		return nil, errors.New("console: Config.Settings is missing")
	case cfg.Bus == nil || cfg.Node == nil || cfg.Gateway == nil || cfg.Book == nil || cfg.Store == nil || cfg.Tail == nil:
		return nil, errors.New("console: Config needs Bus, Node, Gateway, Book, Store and Tail")
	case len(cfg.Token) < minToken:
		return nil, errors.New("console: Config.Token is too short: see ReadOrCreateToken")
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Console{
		cfg: cfg, log: cfg.Log, venue: cfg.Settings.Venue, tail: cfg.Tail, auth: newAuth(cfg.Token, cfg.Keys, cfg.Now),
		started: time.Now(), in: make(chan func(), queueLen), stopped: make(chan struct{}),
		floor: newFloor(cfg.Settings.Venue), readers: map[*reader]struct{}{},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for i := range c.venue.Regions {
		c.feeds = append(c.feeds, &feed{index: i, name: c.venue.Regions[i].Name})
	}
	c.handler = c.routes()
	return c, nil
}

// Start subscribes to the regions and begins to watch. When it fails, Stop cleans up.
func (c *Console) Start(ctx context.Context) error {
	for _, f := range c.feeds {
		sub, err := c.cfg.Bus.Subscribe(bus.Records(c.venue.ID, f.name), func(m bus.Msg) {
			select {
			case c.in <- func() { c.record(f, m.Data) }:
			default: // the gap that it leaves asks for a key frame
			}
		})
		if err != nil {
			return err
		}
		f.sub = sub
	}
	if err := c.cfg.Bus.Flush(ctx); err != nil {
		return err
	}
	c.work.Go(c.watchRegions)
	c.work.Go(c.sampleClients)
	return nil
}

// Stop ends live streams and stops watching. More calls do nothing.
func (c *Console) Stop(context.Context) error {
	c.stopOnce.Do(func() {
		close(c.stopped)
		c.cancel()
		for _, f := range c.feeds {
			if f.sub != nil {
				f.sub.Stop()
			}
		}
		c.work.Wait()
	})
	return nil
}

// Handler serves /admin and everything under it.
func (c *Console) Handler() http.Handler { return c.handler }

// run runs f on the console's goroutine and waits for it; false when the console has stopped.
func (c *Console) run(f func()) bool {
	done := make(chan struct{})
	select {
	case c.in <- func() { f(); close(done) }:
	case <-c.stopped:
		return false
	}
	select {
	case <-done:
		return true
	case <-c.stopped:
		return false
	}
}

// watchRegions is the console's goroutine.
func (c *Console) watchRegions() {
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	for {
		select {
		case <-c.stopped:
			return
		case f := <-c.in:
			f()
		case now := <-beat.C:
			for _, f := range c.feeds {
				if now.Sub(f.last) > silence {
					c.askKey(f)
				}
			}
			c.beat()
		}
	}
}

// record takes a record of a region, from its stream or as the answer to a call.
func (c *Console) record(f *feed, data []byte) {
	rec, err := f.dec.Decode(data)
	switch {
	case errors.Is(err, stream.ErrOld):
		return
	case err != nil:
		if !errors.Is(err, stream.ErrGap) {
			c.log.Error("console: a region's record cannot be read", "region", f.name, "error", err)
		}
		c.askKey(f)
		return
	}
	f.last = time.Now()
	c.floor.apply(f.index, rec)
}

// askKey calls for a key frame, one call at a time.
func (c *Console) askKey(f *feed) {
	now := time.Now()
	if f.asking || now.Sub(f.asked) < keyRetry {
		return
	}
	f.asking, f.asked = true, now
	c.work.Go(func() {
		ctx, cancel := context.WithTimeout(c.ctx, time.Second)
		defer cancel()
		data, err := c.cfg.Bus.Request(ctx, bus.Key(c.venue.ID, f.name), nil)
		c.run(func() {
			f.asking = false
			if err != nil {
				c.log.Debug("console: no key frame", "region", f.name, "error", err)
				return
			}
			c.record(f, data)
		})
	})
}
