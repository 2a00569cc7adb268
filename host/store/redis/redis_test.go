package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
)

// url is of the server that all tests share.
var url string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "redis")
	if err != nil {
		panic(err)
	}
	s, err := serve(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	url = s.url
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		s.kill()
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// server is a redis-server of a test's own.
type server struct {
	url string
	cmd *exec.Cmd
}

// serve starts a server that listens on a socket in a folder, with options as on its command line.
func serve(dir string, options ...string) (*server, error) {
	socket := filepath.Join(dir, "redis.sock")
	args := append([]string{"--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "yes"}, options...)
	cmd := exec.Command("redis-server", args...)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("redis-server is needed (Debian package redis-server): %w", err)
	}
	s := &server{"unix://" + socket, cmd}
	for end := time.Now().Add(20 * time.Second); ; {
		c, err := net.Dial("unix", socket)
		if err == nil {
			return s, c.Close()
		}
		if time.Now().After(end) {
			s.kill()
			return nil, fmt.Errorf("redis-server does not listen: %w", err)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	_, _ = s.cmd.Process.Wait()
}

func open(t storetest.T, prefix string) store.Store {
	t.Helper()
	return openAt(t, url, prefix)
}

func openAt(t storetest.T, url, prefix string) *Store {
	t.Helper()
	s, err := Open(context.Background(), Options{URL: url, Prefix: prefix})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var places atomic.Int64

func TestConformance(t *testing.T) {
	storetest.Run(t, open, func(t *testing.T) string { return fmt.Sprintf("test%d", places.Add(1)) })
}

func TestRegistry(t *testing.T) {
	storetest.RunRegistry(t, func(t *testing.T) interface {
		store.Store
		store.Registry
	} {
		return openAt(t, url, fmt.Sprintf("test%d", places.Add(1)))
	})
}

func TestAServerThatIsKilledKeepsWhatItAcknowledged(t *testing.T) {
	dir := t.TempDir()
	first, err := serve(dir, "--appendfsync", "always")
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	s := openAt(t, first.url, "v")
	k := store.RegionKey{Venue: "hall", Region: "main"}
	l, err := s.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	for tick := range uint64(50) {
		if err := s.Append(ctx, l, []store.Record{{Tick: tick, Data: []byte{byte(tick)}, Scores: []store.Score{{Board: "quiz", User: "ann", Delta: 1}}}}); err != nil {
			t.Fatal(err)
		}
	}
	if durable, _, err := s.Durability(ctx); !durable || err != nil {
		t.Errorf("durable: %t, %v", durable, err)
	}
	first.kill()
	if err := s.Append(ctx, l, []store.Record{{Tick: 50}}); err == nil || errors.Is(err, store.ErrFenced) {
		t.Errorf("a write to a dead server: %v", err)
	}
	if err := s.Check(ctx); err == nil || !strings.Contains(err.Error(), "Redis at ") {
		t.Errorf("check of a dead server: %v", err)
	}
	second, err := serve(dir, "--appendfsync", "always")
	if err != nil {
		t.Fatal(err)
	}
	defer second.kill()
	defer s.Close()
	// Open waits until the server has read its data.
	if err := openAt(t, second.url, "v").Close(); err != nil {
		t.Fatal(err)
	}
	// The same store goes on.
	if _, log, err := s.Load(ctx, k); err != nil || len(log) != 50 {
		t.Fatalf("%d records, %v", len(log), err)
	}
	if top, _, err := s.Board(ctx, "hall", "", "quiz", 1); err != nil || len(top) != 1 || top[0].Points != 50 {
		t.Errorf("%v, %v", top, err)
	}
	if next, err := s.Acquire(ctx, k); err != nil || next.Epoch != l.Epoch+1 || next.IDBlock == l.IDBlock {
		t.Errorf("%+v after %+v, %v", next, l, err)
	}
}

func TestAServerThatMayLoseDataIsNotCalledDurable(t *testing.T) {
	for name, c := range map[string]struct {
		options []string
		durable bool
		want    string
	}{
		"no file":    {[]string{"--appendonly", "no"}, false, "set appendonly yes"},
		"no fsync":   {[]string{"--appendfsync", "no"}, false, "appendfsync no"},
		"a second":   {[]string{"--appendfsync", "everysec"}, true, "up to a second is lost"},
		"no replica": {[]string{"--appendfsync", "always"}, true, "min-replicas-to-write 0"},
		"evicts":     {[]string{"--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"}, false, "set noeviction"},
	} {
		t.Run(name, func(t *testing.T) {
			srv, err := serve(t.TempDir(), c.options...)
			if err != nil {
				t.Fatal(err)
			}
			defer srv.kill()
			s := openAt(t, srv.url, "v")
			defer s.Close()
			durable, warnings, err := s.Durability(t.Context())
			if err != nil || durable != c.durable || !strings.Contains(strings.Join(warnings, "\n"), c.want) {
				t.Errorf("%t, %q, %v", durable, warnings, err)
			}
		})
	}
}

func TestServersThatCannotBeUsedAreNamed(t *testing.T) {
	closed, err := serve(t.TempDir(), "--requirepass", "secret")
	if err != nil {
		t.Fatal(err)
	}
	defer closed.kill()
	for address, want := range map[string]string{
		"http://example.org":         "the address of Redis",
		"redis://127.0.0.1:1":        "Redis at 127.0.0.1:1",
		closed.url:                   "NOAUTH",
		"unix:///nowhere/redis.sock": "/nowhere/redis.sock",
	} {
		if _, err := Open(t.Context(), Options{URL: address}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", address, err, want)
		}
	}
}

// Whatever a value is changed to, it is not taken for what was written.
func TestDamageIsFound(t *testing.T) {
	ctx := t.Context()
	prefix := fmt.Sprintf("damage%d", places.Add(1))
	s := openAt(t, url, prefix)
	defer s.Close()
	k := store.RegionKey{Venue: "h{a}ll", Region: "a b"}
	l, err := s.Acquire(ctx, k)
	if err != nil {
		t.Fatal(err)
	}
	write := func(tick uint64) {
		t.Helper()
		if err := s.Append(ctx, l, []store.Record{{Tick: tick, Data: []byte("data")}}); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveSnapshot(ctx, l, store.NewSnapshot(tick, 1, []byte(fmt.Sprint("state ", tick)))); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	write(2)
	if err := s.Append(ctx, l, []store.Record{{Tick: 3, Data: []byte("three")}}); err != nil {
		t.Fatal(err)
	}
	keys := s.regionKeys(k)
	// A damaged newest snapshot: the one before and the log since then are there.
	s.client.HSet(ctx, keys[2], padded(2), seal("something else", make([]byte, 60)))
	snap, log, err := s.Load(ctx, k)
	if err != nil || snap == nil || snap.Tick != 1 || len(log) != 2 {
		t.Fatalf("%+v, %v, %v", snap, log, err)
	}
	s.client.HSet(ctx, keys[2], padded(1), "x")
	if _, _, err := s.Load(ctx, k); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("both snapshots damaged: %v", err)
	}
	// A log entry that is missing.
	if n, err := s.client.XDel(ctx, keys[1], "3-1").Result(); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if _, _, err := s.Load(ctx, k); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "should have") {
		t.Errorf("a missing log entry: %v", err)
	}
	if err := s.SavePlaces(ctx, k.Venue, []store.UserPlace{{User: "ann", Tick: 4}}); err != nil {
		t.Fatal(err)
	}
	places := s.placesKey(k.Venue, "")
	text := s.client.HGet(ctx, places, "ann").Val()
	s.client.HSet(ctx, places, "ann", text[:len(text)-1]+"\x07")
	if _, _, err := s.Place(ctx, k.Venue, "", "ann"); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("a changed place: %v", err)
	}
	// All keys of a venue lie in one slot, whatever its name.
	for _, key := range s.client.Keys(ctx, prefix+":*").Val() {
		if !strings.HasPrefix(key, prefix+":{h%7ba%7dll}:") {
			t.Errorf("key %q", key)
		}
	}
}

func TestUploadsOfManyAtOnceAreAllKept(t *testing.T) {
	ctx := t.Context()
	s := openAt(t, url, fmt.Sprintf("many%d", places.Add(1)))
	defer s.Close()
	done := make(chan error)
	for i := range 8 {
		go func() {
			module := []byte(fmt.Sprint("module ", i))
			_, err := s.SaveVersion(ctx, "hall", storetest.Version("quiz", fmt.Sprintf("1.0.%d", i), "admin", module), module)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	names, err := s.Versions(ctx, "hall")
	if err != nil || len(names) != 1 || len(names[0].Versions) != 8 {
		t.Errorf("%+v, %v", names, err)
	}
}

func TestLinesOfInfo(t *testing.T) {
	if got := infoLine("# Server\r\nredis_version:7.0.15\r\nx:1\r\n", "redis_version"); got != "7.0.15" {
		t.Errorf("%q", got)
	}
}
