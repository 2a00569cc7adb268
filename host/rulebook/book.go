package rulebook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/venues"
)

// Config of a book. Venue, Store, Engine and Bus are needed.
type Config struct {
	Venue  *venues.Venue
	Store  store.Store
	Engine *rules.Engine
	Bus    *bus.Conn // to the regions
	// Keys that may sign modules, and whose holders may upload.
	Keys []Key
	// RequireSignature refuses modules that none of Keys signed.
	RequireSignature bool
	// Log: default slog.Default().
	Log *slog.Logger
	// Metrics is where the book's metric is registered. Optional.
	Metrics prometheus.Registerer
	// Now is the time of uploads and changes. Default: time.Now.
	Now func() time.Time
}

// Book is what runs where. Make one with Open.
type Book struct {
	cfg   Config
	log   *slog.Logger
	venue *venues.Venue

	ops        sync.Mutex // held by whoever changes what is assigned, also while regions are told
	inspecting chan struct{}
	waiting    chan struct{} // uploads that are under way: bounded
	returns    chan returned
	done       chan struct{} // closed by Close
	closeOnce  sync.Once
	work       sync.WaitGroup

	loading sync.Mutex // held while a module is read and compiled
	storing sync.Mutex // held while what is assigned is read or written, so that assigned is never older than it was

	mu       sync.Mutex
	loaded   map[loadedKey]*loaded
	files    []*loaded                  // by rule: the file's module as it was read last; nil before
	assigned map[place]store.Assignment // what the store has
	problems map[place]string           // why what is assigned does not run
}

// place is a rule (index of Venue.Rules) in a region (index of Venue.Regions).
type place struct{ region, rule int }

// readTimeout bounds how long the start of a region waits for what is assigned.
const readTimeout = 5 * time.Second

// Open reads what is assigned. The context bounds that only.
func Open(ctx context.Context, cfg Config) (*Book, error) {
	switch {
	case cfg.Venue == nil:
		return nil, errors.New("rulebook: Config.Venue is missing")
	case cfg.Store == nil || cfg.Engine == nil || cfg.Bus == nil:
		return nil, errors.New("rulebook: Config needs Store, Engine and Bus")
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	b := &Book{
		cfg: cfg, log: cfg.Log.With("venue", cfg.Venue.ID), venue: cfg.Venue,
		inspecting: make(chan struct{}, 1), waiting: make(chan struct{}, maxUploads),
		returns: make(chan returned, maxReturns), done: make(chan struct{}),
		loaded: map[loadedKey]*loaded{}, files: make([]*loaded, len(cfg.Venue.Rules)),
		assigned: map[place]store.Assignment{}, problems: map[place]string{},
	}
	if err := b.refresh(ctx); err != nil {
		return nil, fmt.Errorf("rulebook: what was assigned: %w", err)
	}
	if cfg.Metrics != nil {
		cfg.Metrics.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "venued_rules_replaced", Help: "Rules in regions that run their venue file's module because the one that was activated could not be loaded.",
		}, func() float64 { return float64(len(b.Problems())) }))
	}
	b.work.Go(b.takeReturns)
	return b, nil
}

// Close waits for what Swapped has noted, and frees the modules that nothing runs. More calls do nothing.
func (b *Book) Close(ctx context.Context) error {
	b.closeOnce.Do(func() { close(b.done) })
	b.work.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	var err error
	clear(b.files)
	for k, m := range b.loaded {
		if m.instances == 0 {
			err = errors.Join(err, m.Close(ctx))
			delete(b.loaded, k)
		}
	}
	return err
}

// refresh reads what is assigned: in a cluster, other processes assign too.
func (b *Book) refresh(ctx context.Context) error {
	b.storing.Lock()
	defer b.storing.Unlock()
	list, err := b.cfg.Store.Assignments(ctx, b.venue.ID)
	if err != nil {
		return fromStore(err)
	}
	assigned := map[place]store.Assignment{}
	for _, a := range list {
		// What is assigned to a rule or region that the venue no longer has stays in the store, in case it comes back.
		if p, ok := b.find(a.Region, a.Rule); ok {
			assigned[p] = a
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.assigned = assigned
	return nil
}

func (b *Book) find(region, rule string) (place, bool) {
	r := slices.IndexFunc(b.venue.Regions, func(r venues.Region) bool { return r.Name == region })
	i := b.rule(rule)
	return place{r, i}, r >= 0 && i >= 0
}

// rule returns the index of a rule, -1 for none of that name.
func (b *Book) rule(name string) int {
	return slices.IndexFunc(b.venue.Rules, func(r venues.CompiledRule) bool { return r.Name == name })
}

// Rules makes a region's instances of every rule (index of Venue.Regions), for a start of the region.
func (b *Book) Rules(region int) ([]scene.Rule, error) {
	ctx := context.Background() // compiling is not interrupted
	read, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	if err := b.refresh(read); err != nil {
		b.log.Warn("what is assigned to rules cannot be read: a region starts with what was known last", "region", b.venue.Regions[region].Name, "error", err)
	}
	var made []scene.Rule
	for i := range b.venue.Rules {
		r, err := b.first(ctx, place{region, i})
		if err != nil {
			for _, m := range made {
				if in, ok := m.(*instance); ok {
					in.Close()
				}
			}
			return nil, err
		}
		if r == nil {
			made = append(made, nil) // not an interface that holds a nil instance
			continue
		}
		made = append(made, r)
	}
	return made, nil
}

// first makes the instance that a region starts with; nil when there is none that could read the region's state.
func (b *Book) first(ctx context.Context, p place) (*instance, error) {
	b.mu.Lock()
	digest := b.assigned[p].Current
	kept := b.files[p.rule] != nil
	b.mu.Unlock()
	if digest == "" {
		// The file may have changed since another region started: all run one module until the operator reloads it.
		return b.make(ctx, p, digest, kept)
	}
	in, err := b.make(ctx, p, digest, false)
	if err == nil {
		b.problem(p, "")
		return in, nil
	}
	rule, region := b.venue.Rules[p.rule].Name, b.venue.Regions[p.region].Name
	in, ferr := b.make(ctx, p, "", kept)
	if ferr != nil {
		return nil, fmt.Errorf("%w; and the module of the venue's file does not start either: %w", err, ferr)
	}
	text := fmt.Sprintf("the module %.12s that was activated cannot be run: %v; ", digest, err)
	if schema, known := b.schema(ctx, digest); known && schema != in.Manifest().Schema && !in.migrates {
		// It would not understand the state that the region has, and the region would not start.
		in.Close()
		b.log.Error("a rule runs nothing: the module that was activated is lost, and the one of the venue's file cannot read its state", "rule", rule, "region", region,
			"activated", digest, "schema", schema, "error", err)
		b.problem(p, text+"the one of the venue's file cannot read its state, so nothing decides for this rule: upload it again and activate it")
		return nil, nil
	}
	b.log.Error("a rule runs the venue file's module instead of the one that was activated", "rule", rule, "region", region, "activated", digest, "runs", in.Digest(), "error", err)
	b.problem(p, text+"the one of the venue's file runs instead: upload it again and activate it, or activate another")
	return in, nil
}

// schema returns the version of the layout of state that an uploaded module keeps.
func (b *Book) schema(ctx context.Context, digest string) (int, bool) {
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		b.log.Warn("versions cannot be read", "error", err)
	}
	for _, n := range names {
		for _, v := range n.Versions {
			if m, err := abi.ParseManifest(v.Manifest); err == nil && v.Digest == digest {
				return m.Schema, true
			}
		}
	}
	return 0, false
}

// problem notes why what is assigned does not run; "" for that it does.
func (b *Book) problem(p place, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if text == "" {
		delete(b.problems, p)
	} else {
		b.problems[p] = text
	}
}

// Problems returns a sentence for each rule in a region that does not run what was activated.
func (b *Book) Problems() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for p, text := range b.problems {
		out = append(out, fmt.Sprintf("rule %s in region %s: %s", b.venue.Rules[p.rule].Name, b.venue.Regions[p.region].Name, text))
	}
	slices.Sort(out)
	return out
}

// Assigned is what a region runs as a rule.
type Assigned struct {
	store.Assignment
	Problem string // why something else runs; "" when nothing does
}

// Assigned returns what was assigned to the rules of the venue, by region and rule. Where nothing was, the file's module runs.
func (b *Book) Assigned() []Assigned {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Assigned
	for region := range b.venue.Regions {
		for rule := range b.venue.Rules {
			p := place{region, rule}
			if a, ok := b.assigned[p]; ok {
				out = append(out, Assigned{a, b.problems[p]})
			}
		}
	}
	return out
}

// Module makes an instance of a module for a rule in a region (indices of Venue.Rules and Venue.Regions), for a swap. digest names an
// uploaded module; "" is the one of the venue's file, as the file is now.
func (b *Book) Module(ctx context.Context, region, rule int, digest string) (scene.Rule, error) {
	in, err := b.make(ctx, place{region, rule}, digest, false)
	if err != nil {
		return nil, err // not an interface that holds a nil instance
	}
	return in, nil
}
