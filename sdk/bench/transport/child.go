package transport

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// readyWait is how long a child may take to be ready.
const readyWait = 30 * time.Second

// child is a serving process.
type child struct {
	cmd   *exec.Cmd
	stdin io.Closer
	lines map[string]string // what it printed before "ready", by first word
	log   tail
}

// start runs a child until it prints a line that begins with "ready".
func start(ctx context.Context, program string, args ...string) (*child, error) {
	c := &child{cmd: exec.CommandContext(ctx, program, args...), lines: map[string]string{}}
	c.cmd.Cancel = func() error { return c.cmd.Process.Signal(os.Interrupt) }
	c.cmd.WaitDelay = 10 * time.Second
	c.cmd.Stderr = &c.log
	var err error
	if c.stdin, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	ready := make(chan error, 1)
	go func() {
		for sc := bufio.NewScanner(out); sc.Scan(); {
			key, value, _ := strings.Cut(sc.Text(), " ")
			if key == "ready" {
				ready <- nil
				io.Copy(io.Discard, out) //nolint:errcheck // it ends with the child
				return
			}
			c.lines[key] = strings.TrimSpace(value)
		}
		ready <- errors.New("it ended before it was ready")
	}()
	limit := time.NewTimer(readyWait)
	defer limit.Stop()
	select {
	case err = <-ready:
	case <-limit.C:
		err = fmt.Errorf("it was not ready in %v", readyWait)
	}
	if err != nil {
		c.stop()
		return nil, fmt.Errorf("%s %s: %w\n%s", program, strings.Join(args, " "), err, c.log.String())
	}
	return c, nil
}

// stop ends the child.
func (c *child) stop() {
	c.stdin.Close()
	c.cmd.Process.Signal(os.Interrupt) //nolint:errcheck // it may have ended
	c.cmd.Wait()                       //nolint:errcheck // how it ends does not matter any more
}

// tail keeps the end of what a child says.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, b...)
	if most := 8 << 10; len(t.b) > most {
		t.b = append(t.b[:0], t.b[len(t.b)-most:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.b)
}

// usage is what a process used so far.
type usage struct {
	cpu time.Duration
	rss int64 // bytes, now
}

// clockTick is the unit of times in /proc on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

// usage reads what the child used.
func (c *child) usage() (u usage, err error) {
	dir := fmt.Sprintf("/proc/%d/", c.cmd.Process.Pid)
	b, err := os.ReadFile(dir + "stat")
	if err != nil {
		return u, fmt.Errorf("processor time of the serving process (Linux only): %w", err)
	}
	// The name in brackets may hold anything; utime and stime are the 12th and 13th fields after it, rss the 22nd.
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), " ")
	f := strings.Fields(rest)
	if len(f) < 22 {
		return u, fmt.Errorf("%sstat has %d fields after the name, want 22 or more", dir, len(f))
	}
	var n [3]int64
	for i, at := range []int{11, 12, 21} {
		if n[i], err = strconv.ParseInt(f[at], 10, 64); err != nil {
			return u, fmt.Errorf("%sstat: %w", dir, err)
		}
	}
	return usage{time.Duration(n[0]+n[1]) * clockTick, n[2] * int64(os.Getpagesize())}, nil
}
