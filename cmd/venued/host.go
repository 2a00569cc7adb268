package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/cluster"
	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/console"
	"github.com/venued/venued/host/metrics"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/rtc"
	"github.com/venued/venued/rtc/token"
)

// developmentTokenLife is how long the printed join link works.
const developmentTokenLife = 30 * 24 * time.Hour

// host is every role of a venue in one process: what venued serve runs. They speak
// through the bus, as they would between machines.
type host struct {
	cfg         *config.Config
	log         *slog.Logger
	key         []byte
	development bool

	registry store.Registry   // nil in a single process, as the next two
	cluster  *cluster.Cluster // who else is there
	volatile bool             // nothing is durable

	metrics    *metrics.Server // nil when there is none
	node       *node.Node      // nil without the role, as the next but one
	recordings *recording.Folder
	gateway    *rtc.Gateway
	console    *console.Console // nil when there is none
	closers    []closer         // in the order they were opened
}

type closer struct {
	what  string
	close func(context.Context) error
}

// newHost opens and starts everything behind the HTTP listener at addr. When
// it fails, what was opened is closed again.
func newHost(ctx context.Context, cfg *config.Config, addr *net.TCPAddr, handicap node.Handicap, log *slog.Logger) (h *host, err error) {
	tail := console.NewTail()
	log = slog.New(tail.Handler(log.Handler()))
	h = &host{cfg: cfg, log: log}
	defer func() {
		if err != nil {
			stop, cancel := context.WithTimeout(context.Background(), stopTimeout)
			defer cancel()
			err = errors.Join(err, h.stop(stop))
			h = nil
		}
	}()
	store, err := h.openStore(ctx)
	if err != nil {
		return h, err
	}
	if h.key, h.development, err = key(cfg); err != nil {
		return h, err
	}
	build, _ := buildVersion()
	registry := metrics.New(build)
	events, err := h.openBus(registry)
	if err != nil {
		return h, err
	}
	h.onStop("bus", func(context.Context) error { events.Stop(); return nil })
	h.onStop("membership", func(ctx context.Context) error {
		if h.cluster == nil {
			return nil
		}
		return h.cluster.Leave(ctx)
	})
	var book *rulebook.Book
	if cfg.Cluster.Role(cluster.RoleNode) {
		if book, err = h.startNode(ctx, store, events, registry, build, handicap); err != nil {
			return h, err
		}
	}
	if err := h.join(ctx, events, addr, build); err != nil {
		return h, err
	}
	h.onStop("cluster", func(context.Context) error {
		if h.cluster != nil {
			h.cluster.Stop()
		}
		return nil
	})
	if cfg.Cluster.Role(cluster.RoleGateway) {
		if err := h.startGateway(ctx, events, addr, registry); err != nil {
			return h, err
		}
	}
	if cfg.Console.Enabled {
		if err = h.startConsole(ctx, events, book, store, tail, build); err != nil {
			return h, err
		}
	}
	if cfg.Server.Metrics != "" {
		h.metrics, err = metrics.Start(cfg.Server.Metrics, metrics.Handler(registry, h.checks(book)...), log)
		if err != nil {
			return h, fmt.Errorf("%w (the address is [server] metrics or --metrics)", err)
		}
		h.onStop("metrics", h.metrics.Stop)
	}
	return h, nil
}

// startNode opens the book of rules and starts the role that owns regions.
func (h *host) startNode(ctx context.Context, store store.Store, events *bus.Server, registry *prometheus.Registry, build string, handicap node.Handicap) (*rulebook.Book, error) {
	cfg := h.cfg
	book, err := h.openBook(ctx, store, events, registry)
	if err != nil {
		return nil, err
	}
	nodeBus, err := events.Connect("node")
	if err != nil {
		return nil, err
	}
	h.onStop("node's bus", func(context.Context) error { nodeBus.Close(); return nil })
	h.recordings, err = recording.OpenFolder(filepath.Join(cfg.Server.Data, "recordings"))
	if err != nil {
		return nil, err
	}
	h.node, err = node.New(node.Config{
		Venue: cfg.Venue, Store: store, Bus: nodeBus, Log: h.log, Metrics: registry,
		Rules: book.Rules, Module: book.Module, Swapped: book.Swapped, Recordings: h.recordings, Version: build,
		CommitEvery:   time.Duration(cfg.Store.CommitMS) * time.Millisecond,
		SnapshotEvery: time.Duration(cfg.Store.SnapshotS) * time.Second, Claim: h.claim(), Volatile: h.volatile, Handicap: handicap,
	})
	if err != nil {
		return nil, err
	}
	if err = h.node.Start(ctx); err != nil {
		return nil, err
	}
	h.onStop("node", h.node.Stop)
	return book, nil
}

// startGateway starts the role that visitors connect to.
func (h *host) startGateway(ctx context.Context, events *bus.Server, addr *net.TCPAddr, registry prometheus.Registerer) error {
	cfg := h.cfg
	gatewayBus, err := events.Connect("gateway")
	if err != nil {
		return err
	}
	h.onStop("gateway's bus", func(context.Context) error { gatewayBus.Close(); return nil })
	port := func(p int) string { return net.JoinHostPort(addr.IP.String(), strconv.Itoa(p)) }
	h.gateway, err = rtc.New(rtc.Config{
		Venue: cfg.Venue, Bus: gatewayBus, Key: h.key, Development: cfg.Server.Loopback(),
		UDP: port(cfg.RTC.UDPPort), TCP: port(cfg.RTC.TCPPort),
		PublicIPs: cfg.RTC.PublicIPs, Origins: cfg.Server.Origins, Log: h.log, Registerer: registry,
	})
	if err != nil {
		return err
	}
	if err = h.gateway.Start(ctx); err != nil {
		return err
	}
	h.onStop("gateway", h.gateway.Stop)
	return nil
}

// checks are what readiness asks, by the roles that there are.
func (h *host) checks(book *rulebook.Book) []metrics.Check {
	var checks []metrics.Check
	if h.node != nil {
		checks = append(checks, metrics.Check{Name: "regions", Ready: h.node.Ready}, metrics.Check{Name: "rules", Ready: rulesHealth(book), Serves: true})
	}
	if h.gateway != nil {
		checks = append(checks, metrics.Check{Name: "gateway", Ready: h.gateway.Ready})
	}
	if h.cluster != nil {
		checks = append(checks, metrics.Check{Name: "cluster", Ready: h.cluster.Ready, Serves: true})
	}
	return checks
}

func (h *host) onStop(what string, f func(context.Context) error) {
	h.closers = append(h.closers, closer{what, f})
}

// stop ends everything, what was opened last first: visitors are told, regions take their
// last tick and snapshot, and then the store closes.
func (h *host) stop(ctx context.Context) error {
	var err error
	for i := len(h.closers) - 1; i >= 0; i-- {
		c := h.closers[i]
		if e := c.close(ctx); e != nil {
			err = errors.Join(err, fmt.Errorf("stopping %s: %w", c.what, e))
		}
	}
	h.closers = nil
	return err
}

// ready says whether the process can do its part.
func (h *host) ready() error {
	var errs []error
	if h.node != nil {
		errs = append(errs, h.node.Ready())
	}
	if h.gateway != nil {
		errs = append(errs, h.gateway.Ready())
	}
	return errors.Join(errs...)
}

// awaitReady returns when every region ticks and the gateway follows it.
func (h *host) awaitReady(ctx context.Context) error {
	const limit = 30 * time.Second
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := h.ready()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-deadline.C:
			return fmt.Errorf("not ready after %s: %w", limit, err)
		case <-again.C:
		}
	}
}

// announce prints where the venue is, one "key value" a line, the last one "ready".
func (h *host) announce(w io.Writer, addr net.Addr) {
	base := "http://" + hostname(addr)
	fmt.Fprintf(w, "venue   %s (%s)\n", h.cfg.Venue.ID, h.cfg.Venue.Name)
	fmt.Fprintf(w, "serving %s\n", base)
	if h.cluster != nil {
		fmt.Fprintf(w, "cluster %s on %s, this is %s: %s\n", h.cfg.Store.Prefix, redacted(h.cfg.Store.Redis), h.cfg.Cluster.Name, strings.Join(h.cfg.Cluster.Roles, ", "))
	}
	if h.gateway != nil {
		fmt.Fprintf(w, "webrtc  udp port %d, tcp port %d\n", h.gateway.UDPPort(), h.gateway.TCPPort())
	}
	if h.metrics != nil {
		fmt.Fprintf(w, "metrics http://%s/metrics\n", h.metrics.Addr())
	}
	if h.console != nil {
		fmt.Fprintf(w, "console %s/admin (token in %s)\n", base, h.adminTokenPath())
	}
	if h.development && h.gateway != nil {
		if link, err := h.joinLink(base); err != nil {
			h.log.Error("no join link", "why", err)
		} else {
			fmt.Fprintf(w, "join    %s\n", link)
		}
	}
	fmt.Fprintln(w, "ready")
}

// joinLink is a link with a development token: whoever has it may join, again and again.
func (h *host) joinLink(base string) (string, error) {
	issuer, err := token.NewIssuer(h.key, nil)
	if err != nil {
		return "", err
	}
	signed, _, err := issuer.Issue(token.Claims{Venue: h.cfg.Venue.ID, User: "visitor", Many: true}, developmentTokenLife)
	if err != nil {
		return "", err
	}
	return base + "/#token=" + signed, nil
}

// developmentKeyPath is where the key is kept when the operator names none.
func developmentKeyPath(cfg *config.Config) string {
	return filepath.Join(cfg.Server.Data, "development.key")
}
