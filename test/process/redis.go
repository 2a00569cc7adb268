package process

import (
	"net"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// RedisServer is a redis-server of a test's own.
type RedisServer struct {
	URL string // as [store] redis wants it

	t   testing.TB
	cmd *exec.Cmd
}

// Redis starts redis-server on a socket in a folder of its own, keeping an append-only file, and waits until it listens. It is killed at the
// end of the test.
func Redis(t testing.TB, options ...string) *RedisServer {
	t.Helper()
	dir := t.TempDir()
	socket := filepath.Join(dir, "redis.sock")
	args := append([]string{"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "yes"}, options...)
	r := &RedisServer{URL: "unix://" + socket, t: t, cmd: exec.Command("redis-server", args...)}
	if err := r.cmd.Start(); err != nil {
		t.Fatalf("redis-server is needed (Debian package redis-server): %v", err)
	}
	t.Cleanup(func() {
		r.cmd.Process.Kill() //nolint:errcheck // it may have ended
		r.cmd.Wait()         //nolint:errcheck // by the kill
	})
	for end := time.Now().Add(Patience); ; {
		c, err := net.Dial("unix", socket)
		if err == nil {
			c.Close()
			return r
		}
		if time.Now().After(end) {
			t.Fatalf("redis-server does not listen: %v", err)
		}
		<-time.After(5 * time.Millisecond)
	}
}

// Signal sends any signal, such as SIGSTOP and SIGCONT.
func (r *RedisServer) Signal(sig syscall.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(sig); err != nil {
		r.t.Errorf("signal %v to Redis: %v", sig, err)
	}
}
