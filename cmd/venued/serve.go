package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/venued/venued/host/config"
	"github.com/venued/venued/host/node"
	"github.com/venued/venued/rtc/token"
)

// stopTimeout bounds a clean shutdown: everyone is told, everything is written.
const stopTimeout = 20 * time.Second

// collectAt is GOGC while a venue is served: the heap may grow by so much before it is collected. A gateway allocates
// little beside what it holds, so the default of 100 costs half as much memory again and saves next to no time.
const collectAt = 35

// serveCmd hosts a venue, in one process or as one of a cluster.
type serveCmd struct {
	Config  string `arg:"" optional:"" help:"Configuration and venue, TOML (default: venue.example.toml here, else the example that is built in)."`
	Listen  string `help:"host:port of HTTP; replaces [server] listen. Port 0 takes a free one." placeholder:"HOST:PORT"`
	Data    string `help:"Folder of everything durable; replaces [server] data." placeholder:"DIR"`
	Fault   string `hidden:"" help:"For tests of load generators: slow=50ms makes every tick so much longer, stall=2s@10s lets the regions stand still once." placeholder:"FAULT"`
	Metrics string `help:"host:port of metrics and health; replaces [server] metrics." placeholder:"HOST:PORT"`

	TokenKey string `help:"File with the key that join tokens are signed with; replaces [tokens] key_file." placeholder:"FILE"`

	Redis string   `help:"Address of the Redis that makes this process one of a cluster; replaces [store] redis." placeholder:"URL"`
	Name  string   `help:"Name of this process in its cluster; replaces [cluster] name." placeholder:"NAME"`
	Roles []string `help:"Roles of this process in its cluster: gateway, node, console; replaces [cluster] roles." placeholder:"ROLE"`
}

// Run serves until ctx ends, and then stops cleanly.
func (c *serveCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) error {
	cfg, _, err := loadConfig(c.Config, config.Options{Listen: c.Listen, Data: c.Data, Metrics: c.Metrics, KeyFile: c.TokenKey, Redis: c.Redis, Name: c.Name, Roles: c.Roles})
	if err != nil {
		return err
	}
	handicap, err := node.ParseHandicap(c.Fault)
	if err != nil {
		return usageError{fmt.Errorf("--fault: %w", err)}
	}
	log := logger(errs, cfg.Log)
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	// The port is taken first: everything else may write, and a second process on the same port must not.
	listener, err := listen("HTTP", cfg.Server.Listen, "[server] listen or --listen")
	if err != nil {
		return err
	}
	defer listener.Close()
	h, err := newHost(ctx, cfg, listener.Addr().(*net.TCPAddr), handicap, log)
	if err != nil {
		return err
	}
	handler, err := h.handler()
	if err != nil {
		return errors.Join(err, h.stop(ctx))
	}
	web := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       time.Minute,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()

	err = h.awaitReady(ctx)
	if err == nil {
		if err := h.tellLocal(listener.Addr()); err != nil {
			log.Warn("tools on this machine need --to and --token-file", "error", err)
		}
		h.announce(stdout, listener.Addr())
		select {
		case <-ctx.Done():
			log.Info("stopping", "why", "asked to")
		case err = <-failed:
			log.Error("stopping", "why", err)
		}
	} else if ctx.Err() != nil {
		err = nil
	}
	stop, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	// Visitors are told first, over connections that hang on the HTTP server too.
	err = errors.Join(err, h.stop(stop))
	if shut := web.Shutdown(stop); shut != nil {
		err = errors.Join(err, web.Close())
	}
	return err
}

// key returns the key that tokens are signed with, and whether this is development: on loopback, without a
// key file of the operator's, a key is kept beside the data, so that tokens outlive a restart.
func key(cfg *config.Config) (k []byte, development bool, err error) {
	if cfg.Tokens.KeyFile != "" {
		k, err = token.ReadKey(cfg.Tokens.KeyFile)
		if err != nil {
			return nil, false, fmt.Errorf("[tokens] key_file: %w", err)
		}
		return k, false, nil
	}
	k, _, err = token.ReadOrCreateKey(developmentKeyPath(cfg))
	return k, true, err
}

// listen opens a TCP port; the error names the port and the setting that chose it.
func listen(what, addr, setting string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("%s cannot listen on %s: %w; free the port or choose another with %s", what, addr, err, setting)
	}
	return l, nil
}

// logger makes the process's logger.
func logger(w io.Writer, c config.Log) *slog.Logger {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Level)); err != nil {
		level = slog.LevelInfo // the configuration was checked
	}
	opts := &slog.HandlerOptions{Level: level}
	if c.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}

// hostname returns the name that a link on addr should use.
func hostname(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return addr.String()
	}
	ip := tcp.IP.String()
	if tcp.IP.IsUnspecified() {
		ip = "127.0.0.1"
		if name, err := os.Hostname(); err == nil {
			ip = name
		}
	}
	return net.JoinHostPort(ip, strconv.Itoa(tcp.Port))
}
