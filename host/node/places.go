package node

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/store"
)

const (
	// placesEvery is how often places are written behind.
	placesEvery = time.Second
	// maxPlaces bounds the people whose place waits for the store; those beyond it keep
	// the place stored before.
	maxPlaces = 65536
)

type person struct{ partition, user string }

func partition(load bool) string {
	if load {
		return store.PartitionLoad
	}
	return store.PartitionMain
}

// places writes people's last places behind, the newest of each, and answers where somebody
// was.
type places struct {
	store  store.Store
	venue  string
	log    *slog.Logger
	metric *metrics

	mu      sync.Mutex
	waiting map[person]store.UserPlace
}

func newPlaces(s store.Store, venue string, log *slog.Logger, m *metrics) *places {
	return &places{store: s, venue: venue, log: log, metric: m, waiting: map[person]store.UserPlace{}}
}

func (p *places) add(list []scene.Place) {
	if len(list) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range list {
		x := &list[i]
		p.put(store.UserPlace{User: x.User, Partition: partition(x.Load), At: x.At, Tick: x.Tick})
	}
	p.metric.places.Set(float64(len(p.waiting)))
}

// put keeps the newer of what waits and u. p.mu is held.
func (p *places) put(u store.UserPlace) {
	k := person{u.Partition, u.User}
	old, has := p.waiting[k]
	if has && old.Tick > u.Tick || !has && len(p.waiting) >= maxPlaces {
		return
	}
	p.waiting[k] = u
}

// run writes every placesEvery until ctx ends.
func (p *places) run(ctx context.Context) {
	for wait(ctx, placesEvery) {
		if err := p.flush(ctx); err != nil && ctx.Err() == nil {
			p.metric.placeErrors.Inc()
			p.log.Warn("places of people not stored, trying again", "error", err)
		}
	}
}

// flush writes what waits; what the store does not take waits on.
func (p *places) flush(ctx context.Context) error {
	p.mu.Lock()
	list := make([]store.UserPlace, 0, len(p.waiting))
	for _, u := range p.waiting {
		list = append(list, u)
	}
	p.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	if err := p.store.SavePlaces(ctx, p.venue, list); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range list {
		if k := (person{u.Partition, u.User}); p.waiting[k] == u {
			delete(p.waiting, k) // not replaced meanwhile
		}
	}
	p.metric.places.Set(float64(len(p.waiting)))
	return nil
}

// answer handles bus.Place.
func (p *places) answer(ctx context.Context, m bus.Msg) ([]byte, error) {
	var q bus.PlaceRequest
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return nil, fmt.Errorf("place request: %w", err)
	}
	p.mu.Lock()
	u, has := p.waiting[person{partition(q.Load), q.User}]
	p.mu.Unlock()
	if !has {
		var err error
		if u, has, err = p.store.Place(ctx, p.venue, partition(q.Load), q.User); err != nil {
			return nil, err
		}
	}
	return json.Marshal(bus.PlaceReply{Has: has, At: u.At})
}
