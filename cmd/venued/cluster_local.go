package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/venued/venued/host/config"
	"github.com/venued/venued/rtc/token"
)

// clusterCmd runs a whole cluster on one machine, for developers and demonstrations.
type clusterCmd struct {
	Config   string `arg:"" optional:"" help:"Configuration and venue, TOML (default: as venued serve)."`
	Nodes    int    `default:"2" help:"Processes that own regions, 1 to 16."`
	Gateways int    `default:"1" help:"Processes that visitors connect to, 1 to 8."`
	Listen   string `default:"127.0.0.1:7878" help:"host:port of the first gateway's HTTP; the next ones are ten ports higher each." placeholder:"HOST:PORT"`
	Data     string `default:"./cluster" help:"Folder of everything: Redis and each process have one in it." placeholder:"DIR"`
}

// family is a cluster's processes.
type family struct {
	stdout, errs io.Writer
	mu           sync.Mutex // of what is printed
	members      sync.WaitGroup
}

// Run starts redis-server and the processes, and stops them when ctx ends.
func (c *clusterCmd) Run(ctx context.Context, stdout io.Writer, errs stderr) (err error) {
	switch {
	case c.Nodes < 1 || c.Nodes > 16:
		return usagef("--nodes %d is not between 1 and 16", c.Nodes)
	case c.Gateways < 1 || c.Gateways > 8:
		return usagef("--gateways %d is not between 1 and 8", c.Gateways)
	}
	host, text, err := net.SplitHostPort(c.Listen)
	port, perr := strconv.ParseUint(text, 10, 16)
	if err != nil || perr != nil || port == 0 || int(port)+10*c.Gateways > 65535 {
		return usagef("--listen %q: write host:port, with room for ten ports a gateway, as 127.0.0.1:7878", c.Listen)
	}
	data, err := filepath.Abs(c.Data)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return fmt.Errorf("--data: %w", err)
	}
	keyFile := filepath.Join(data, "cluster.key")
	key, _, err := token.ReadOrCreateKey(keyFile)
	if err != nil {
		return err
	}
	cfg, _, err := loadConfig(c.Config, config.Options{Listen: c.Listen, KeyFile: keyFile})
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	f := &family{stdout: stdout, errs: errs}
	runtime.LockOSThread() // see apart: the thread lives as long as the program
	// Redis ends last: what the processes write when they stop is to be kept.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	redis, gone, err := f.redis(life, filepath.Join(data, "redis"))
	if err != nil {
		end()
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer func() {
		stop()
		f.members.Wait()
		end()
		<-gone
	}()
	ready := make(chan string, c.Nodes+c.Gateways)
	ended := make(chan string, c.Nodes+c.Gateways)
	start := func(name, role, listen, metrics string) error {
		args := []string{"serve", "--listen", listen, "--metrics", metrics, "--data", filepath.Join(data, name), "--redis", redis, "--name", name, "--roles", role, "--token-key", keyFile}
		if c.Config != "" {
			args = append(args, c.Config)
		}
		return f.member(ctx, name, exec.Command(self, args...), ready, ended)
	}
	for n := range c.Nodes {
		if err := start(fmt.Sprint("node-", n+1), "node", net.JoinHostPort(host, "0"), net.JoinHostPort(host, "0")); err != nil {
			return err
		}
	}
	gate := func(n, more int) string { return net.JoinHostPort(host, strconv.Itoa(int(port)+10*n+more)) }
	for n := range c.Gateways {
		if err := start(fmt.Sprint("gateway-", n+1), "gateway", gate(n, 0), gate(n, 1)); err != nil {
			return err
		}
	}
	for n := 0; n < c.Nodes+c.Gateways; n++ {
		select {
		case <-ctx.Done():
			return nil
		case name := <-ended:
			return fmt.Errorf("%s ended before it was ready: its lines above say why", name)
		case <-gone:
			return errors.New("redis-server ended: see redis.log in " + filepath.Join(data, "redis"))
		case <-ready:
		}
	}
	issuer, err := token.NewIssuer(key, nil)
	if err != nil {
		return err
	}
	signed, _, err := issuer.Issue(token.Claims{Venue: cfg.Venue.ID, User: "visitor", Many: true}, developmentTokenLife)
	if err != nil {
		return err
	}
	for n := range c.Gateways {
		f.print(stdout, fmt.Sprintf("join    http://%s/#token=%s\n", gate(n, 0), signed))
	}
	f.print(stdout, "ready\n")
	select {
	case <-ctx.Done():
		return nil
	case <-gone:
		return errors.New("redis-server ended: see redis.log in " + filepath.Join(data, "redis"))
	}
}

func (f *family) print(w io.Writer, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	io.WriteString(w, text) //nolint:errcheck // nobody is left to be told
}

// redis starts redis-server on a socket, with everything on disk before it is acknowledged, and waits until it listens. gone is closed when it has ended.
func (f *family) redis(ctx context.Context, dir string) (address string, gone chan struct{}, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", nil, err
	}
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return "", nil, fmt.Errorf("a cluster needs redis-server on the PATH (Debian: apt-get install redis-server): %w", err)
	}
	socket := filepath.Join(dir, "redis.sock")
	if len(socket) > 100 {
		return "", nil, usagef("--data: the path of a socket in it, %s, is too long for the system: choose a folder higher up", socket)
	}
	os.Remove(socket) //nolint:errcheck // of a run before, if there is one
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile", filepath.Join(dir, "redis.log"))
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("redis-server: %w", err)
	}
	gone = make(chan struct{})
	go func() {
		defer close(gone)
		cmd.Wait() //nolint:errcheck // that it ended is what counts
	}()
	context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) }) //nolint:errcheck // it may have ended
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if c, err := net.Dial("unix", socket); err == nil {
			return "unix://" + socket, gone, c.Close()
		}
		select {
		case <-again.C:
			continue
		case <-gone:
		case <-limit.C:
			cmd.Process.Kill() //nolint:errcheck // it may have ended
			<-gone
		}
		return "", nil, fmt.Errorf("redis-server does not listen on %s: see redis.log beside it", socket)
	}
}

// member runs one process. Its lines are printed with its name before them; ready gets its name when it says so, ended when it has ended.
// It is asked to end when ctx does.
func (f *family) member(ctx context.Context, name string, cmd *exec.Cmd, ready, ended chan<- string) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	log, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	cmd.SysProcAttr = apart()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var lines sync.WaitGroup
	read := func(r io.Reader, w io.Writer, said func(string)) {
		lines.Go(func() {
			for s := bufio.NewScanner(r); s.Scan(); {
				f.print(w, fmt.Sprintf("%-10s| %s\n", name, s.Text()))
				said(s.Text())
			}
			io.Copy(io.Discard, r) //nolint:errcheck // after a line that is too long
		})
	}
	read(log, f.errs, func(string) {})
	read(out, f.stdout, func(line string) {
		if strings.TrimSpace(line) == "ready" {
			ready <- name
		}
	})
	stop := context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) }) //nolint:errcheck // it may have ended
	f.members.Go(func() {
		lines.Wait()
		err := cmd.Wait()
		if stop() {
			f.print(f.errs, fmt.Sprintf("%-10s| ended (%v); the others go on\n", name, err))
			ended <- name
		}
	})
	return nil
}
