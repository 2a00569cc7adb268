package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/url"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/cluster"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/metrics"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/bolt"
	"github.com/venued/venued/host/store/redis"
)

// openStore opens what is durable: a file, or the Redis of a cluster.
func (h *host) openStore(ctx context.Context) (store.Store, error) {
	if !h.cfg.Clustered() {
		s, err := bolt.Open(h.cfg.Server.Data, bolt.Options{Log: h.log})
		if err != nil {
			return nil, fmt.Errorf("%w (the folder is [server] data or --data)", err)
		}
		h.onStop("store", func(context.Context) error { return s.Close() })
		return s, nil
	}
	s, err := redis.Open(ctx, redis.Options{URL: h.cfg.Store.Redis, Prefix: h.cfg.Store.Prefix, Log: h.log})
	if err != nil {
		return nil, fmt.Errorf("%w (the address is [store] redis or --redis)", err)
	}
	h.onStop("store", func(context.Context) error { return s.Close() })
	h.registry = s
	durable, warnings, err := s.Durability(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		h.log.Warn(w)
	}
	h.volatile = !durable
	return s, nil
}

// openBus starts the bus that this process has to itself, joins it with those of the others, or connects it with a NATS outside.
func (h *host) openBus(registry prometheus.Registerer) (*bus.Server, error) {
	o := bus.Options{Log: h.log, Slow: metrics.SlowReaders(registry)}
	c := &h.cfg.Bus
	if c.URL != "" {
		return bus.ConnectOutside(bus.Outside{URL: c.URL, Credentials: c.Credentials, CA: c.CA, Cert: c.Cert, Key: c.Key}, o)
	}
	if h.cfg.Clustered() {
		o.Mesh = &bus.Mesh{Cluster: h.cfg.Store.Prefix + "/" + h.cfg.Venue.ID, Listen: c.Listen, Advertise: c.Advertise, Key: h.key}
	}
	return bus.StartEmbedded(o)
}

// claim makes this process a region's owner. Nil for a process that owns all of them.
func (h *host) claim() func(context.Context, string, uint64) (store.Lease, error) {
	if h.registry == nil {
		return nil
	}
	return func(ctx context.Context, region string, after uint64) (store.Lease, error) {
		return h.registry.Claim(ctx, store.RegionKey{Venue: h.cfg.Venue.ID, Region: region}, h.cfg.Cluster.Name, after)
	}
}

// join says that this process is there, and follows who else is.
func (h *host) join(ctx context.Context, events *bus.Server, addr *net.TCPAddr, version string) error {
	if h.registry == nil {
		return nil
	}
	var regions []string
	for _, r := range h.cfg.Venue.Regions {
		regions = append(regions, r.Name)
	}
	layout, err := fingerprint(h.cfg)
	if err != nil {
		return err
	}
	h.cluster, err = cluster.Start(ctx, cluster.Config{
		Registry: h.registry, Venue: h.cfg.Venue.ID, Regions: regions, Node: h.node, Peers: events.SetPeers, Log: h.log,
		Member: store.Member{
			Name: h.cfg.Cluster.Name, Incarnation: incarnation(), Roles: h.cfg.Cluster.Roles, Version: version,
			Cluster: keyPrint(h.key), Layout: layout, Bus: events.MeshAddr(), HTTP: hostname(addr),
		},
	})
	return err
}

// redacted is an address without its password.
func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "Redis"
	}
	return u.Redacted()
}

// keyPrint tells keys apart without telling them.
func keyPrint(key []byte) string {
	m := hmac.New(sha256.New, key)
	m.Write([]byte("venued cluster"))
	return hex.EncodeToString(m.Sum(nil)[:8])
}

// fingerprint tells apart venues that are cut into different regions, or tick at different rates.
func fingerprint(cfg *config.Config) (string, error) {
	b, err := json.Marshal(map[string]any{"regions": cfg.Venue.Regions, "floors": cfg.Venue.Floors, "tick_hz": cfg.Venue.TickHz})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}

// incarnation draws the number of this process.
func incarnation() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it never fails
	return binary.LittleEndian.Uint64(b[:])>>11 | 1
}
