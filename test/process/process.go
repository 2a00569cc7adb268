// Package process starts the real venued binary for tests: one built binary, free ports,
// a data folder of its own, and signals to wait on instead of sleeps.
package process

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Patience is how long a process may take to become ready or to stop before a
// test gives up: far above what it takes, since it decides about nothing else.
const Patience = 60 * time.Second

var build struct {
	once sync.Once
	path string
	err  error
}

// Binary returns the path of the venued binary under test: $VENUED_BIN, or one
// built from this tree, once a test process.
func Binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("VENUED_BIN"); path != "" {
		return path
	}
	build.once.Do(func() {
		dir, err := os.MkdirTemp("", "venued-bin-")
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "venued")
		out, err := exec.Command("go", "build", "-o", build.path, "github.com/venued/venued/cmd/venued").CombinedOutput()
		if err != nil {
			build.err = fmt.Errorf("building venued: %w\n%s", err, out)
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.path
}

// Server is a running `venued serve`.
type Server struct {
	URL     string // http://127.0.0.1:port
	Join    string // the printed join link
	Token   string // the development token in it
	Metrics string // http://127.0.0.1:port of the metrics listener
	Data    string // its data folder

	t    testing.TB
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended

	mu  sync.Mutex
	log strings.Builder
}

// Serve starts `venued serve` with the arguments given, on free ports, with data
// in a folder of the test's unless args name one, and waits until it is ready. It is
// killed at the end of the test, which then shows its output if it failed.
func Serve(t testing.TB, data string, args ...string) *Server {
	t.Helper()
	if data == "" {
		data = t.TempDir()
	}
	s := &Server{t: t, Data: data, done: make(chan struct{})}
	full := append([]string{"serve", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--data", data}, args...)
	s.cmd = exec.Command(Binary(t), full...)
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = writer(func(b []byte) { s.append(string(b)) })
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("output of venued serve:\n%s", s.Output())
		}
	})
	ready := make(chan struct{})
	read := make(chan struct{})
	go func() {
		defer close(read)
		for sc := bufio.NewScanner(stdout); sc.Scan(); {
			line := sc.Text()
			s.append(line + "\n")
			key, value, _ := strings.Cut(line, " ")
			value = strings.TrimSpace(value)
			switch key {
			case "serving":
				s.URL = value
			case "join":
				s.Join = value
				if u, err := url.Parse(value); err == nil {
					if q, err := url.ParseQuery(u.Fragment); err == nil {
						s.Token = q.Get("token")
					}
				}
			case "metrics":
				s.Metrics = strings.TrimSuffix(value, "/metrics")
			case "ready":
				close(ready)
			}
		}
	}()
	go func() {
		<-read
		s.cmd.Wait() //nolint:errcheck // the exit code is read from ProcessState
		close(s.done)
	}()
	select {
	case <-ready:
	case <-s.done:
		t.Fatalf("venued serve ended with code %d before it was ready:\n%s", s.cmd.ProcessState.ExitCode(), s.Output())
	case <-time.After(Patience):
		t.Fatalf("venued serve was not ready after %s:\n%s", Patience, s.Output())
	}
	return s
}

type writer func([]byte)

func (w writer) Write(b []byte) (int, error) { w(b); return len(b), nil }

func (s *Server) append(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.WriteString(line)
}

// Output returns what the process has printed so far, both streams.
func (s *Server) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Kill ends the process as kill -9 does, and waits for the end.
func (s *Server) Kill() {
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Errorf("kill: %v", err)
	}
	<-s.done
}

// Stop asks it to end (SIGTERM) and returns its exit code.
func (s *Server) Stop() int {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Errorf("SIGTERM: %v", err)
	}
	select {
	case <-s.done:
	case <-time.After(Patience):
		s.Kill()
		s.t.Fatalf("venued serve had not stopped %s after SIGTERM:\n%s", Patience, s.Output())
	}
	return s.cmd.ProcessState.ExitCode()
}

// Signal sends any signal, such as SIGSTOP and SIGCONT.
func (s *Server) Signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Errorf("signal %v: %v", sig, err)
	}
}

// PID is the process id.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Run runs a venued command to its end and returns its output and exit code.
func Run(t testing.TB, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(Binary(t), args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// Start runs a venued command in the background and returns what ends it (kill -9). It is
// ended at the end of the test anyway.
func Start(t testing.TB, args ...string) (stop func()) {
	t.Helper()
	cmd := exec.Command(Binary(t), args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	stop = func() {
		once.Do(func() {
			cmd.Process.Kill() //nolint:errcheck // it may have ended
			cmd.Wait()         //nolint:errcheck // killed
		})
	}
	t.Cleanup(stop)
	return stop
}
