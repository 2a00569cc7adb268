package redis

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
)

// Options say which server to use, and how.
type Options struct {
	URL     string        // redis://[user:password@]host:port[/db], rediss:// for TLS, or unix:///path
	Prefix  string        // of every key; different clusters on one server have different ones. Default "venued"
	Modules int64         // bytes of all modules of a venue; default store.MaxModules
	Timeout time.Duration // of a call that its context does not end earlier; default 5 s
	Log     *slog.Logger  // default slog.Default()
}

// Store is the backend. Its methods may be called from any goroutine.
type Store struct {
	client *redis.Client
	opts   Options
	closed atomic.Bool
}

var _ store.Store = (*Store)(nil)

// Open connects to the server. The error says when it is not there, refuses the credentials, or is older than Redis 7.
func Open(ctx context.Context, opts Options) (*Store, error) {
	o, err := redis.ParseURL(opts.URL)
	if err != nil {
		return nil, fmt.Errorf("store: the address of Redis: %w", err)
	}
	if opts.Prefix == "" {
		opts.Prefix = "venued"
	}
	if opts.Modules == 0 {
		opts.Modules = store.MaxModules
	}
	if opts.Timeout == 0 {
		opts.Timeout = 5 * time.Second
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	o.MaxRetries = -1 // a call whose answer got lost may have been carried out
	o.ContextTimeoutEnabled = true
	o.ReadTimeout, o.WriteTimeout = opts.Timeout, opts.Timeout
	s := &Store{client: redis.NewClient(o), opts: opts}
	if err := s.greet(ctx); err != nil {
		return nil, errors.Join(err, s.client.Close())
	}
	return s, nil
}

// loadTime is how long a server may take to read its data before Open gives up, and loadAgain how often it is asked.
const (
	loadTime  = time.Minute
	loadAgain = 50 * time.Millisecond
)

// greet looks whether a server that can be used answers, and waits for one that has just started and reads its data.
func (s *Store) greet(ctx context.Context) error {
	end := time.Now().Add(loadTime)
	for said := false; ; {
		err := s.client.Ping(ctx).Err()
		if err == nil || !redis.HasErrorPrefix(err, "LOADING") {
			break // what else may be wrong the next call says
		}
		if time.Now().After(end) {
			return s.failed("connect", err)
		}
		if !said {
			s.opts.Log.Info("waiting for Redis, which reads its data", "address", s.client.Options().Addr)
			said = true
		}
		again := time.NewTimer(loadAgain)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return ctx.Err()
		}
	}
	info, err := s.client.Info(ctx, "server").Result()
	if err != nil {
		return s.failed("connect", err)
	}
	version := infoLine(info, "redis_version")
	major, _, _ := strings.Cut(version, ".")
	if n, err := strconv.Atoi(major); err != nil || n < 7 {
		return fmt.Errorf("store: the server at %s is Redis %s; Redis 7 or newer is needed", s.client.Options().Addr, version)
	}
	return nil
}

func infoLine(info, name string) string {
	for line := range strings.Lines(info) {
		if v, ok := strings.CutPrefix(line, name+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// failed is the error of a call that the server or the way to it failed.
func (s *Store) failed(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case s.closed.Load() || errors.Is(err, redis.ErrClosed):
		return store.ErrClosed
	}
	return fmt.Errorf("store: %s: Redis at %s: %w", what, s.client.Options().Addr, err)
}

// begin is the first thing of every call.
func (s *Store) begin(ctx context.Context) error {
	if s.closed.Load() {
		return store.ErrClosed
	}
	return ctx.Err()
}

// escape writes a name so that it can be part of a key.
func escape(name string) string {
	plain := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_'
	}
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; plain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02x", c)
		}
	}
	return b.String()
}

// key is a key of a venue.
func (s *Store) key(venue string, parts ...string) string {
	return s.opts.Prefix + ":{" + escape(venue) + "}:" + strings.Join(parts, ":")
}

// regionKeys are the keys of a region: head, log, snap.
func (s *Store) regionKeys(k store.RegionKey) []string {
	r := "r:" + escape(k.Region)
	return []string{s.key(k.Venue, r, "head"), s.key(k.Venue, r, "log"), s.key(k.Venue, r, "snap")}
}

// padded writes a tick so that the order of texts is that of ticks: Lua knows no integers of 64 bits.
func padded(tick uint64) string { return fmt.Sprintf("%020d", tick) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal puts a checksum over a value and its name before the value.
func seal(name string, value []byte) []byte {
	out := make([]byte, 4, 4+len(value))
	sum := crc32.Update(crc32.Checksum([]byte(name), castagnoli), castagnoli, value)
	binary.LittleEndian.PutUint32(out, sum)
	return append(out, value...)
}

// unseal returns the value, or ErrDamaged.
func unseal(name, sealed string) ([]byte, error) {
	if len(sealed) < 4 {
		return nil, fmt.Errorf("store: %s is cut short: %w", name, store.ErrDamaged)
	}
	value := []byte(sealed[4:])
	if sum := crc32.Update(crc32.Checksum([]byte(name), castagnoli), castagnoli, value); sum != binary.LittleEndian.Uint32([]byte(sealed[:4])) {
		return nil, fmt.Errorf("store: %s does not have its checksum: %w", name, store.ErrDamaged)
	}
	return value, nil
}

// Venue implements store.Store.
func (s *Store) Venue(ctx context.Context, id string) (store.VenueMeta, error) {
	if err := store.CheckName("venue", id); err != nil {
		return store.VenueMeta{}, err
	}
	if err := s.begin(ctx); err != nil {
		return store.VenueMeta{}, err
	}
	key := s.key(id, "meta")
	if err := s.client.HSetNX(ctx, key, "t0", time.Now().UnixMicro()).Err(); err != nil {
		return store.VenueMeta{}, s.failed("venue "+id, err)
	}
	t0, err := s.client.HGet(ctx, key, "t0").Int64()
	if err != nil {
		return store.VenueMeta{}, s.failed("venue "+id, err)
	}
	return store.VenueMeta{T0UnixUS: t0}, nil
}

// incarnation draws a number that tells this start from every other.
func incarnation() uint64 {
	var b [8]byte
	for {
		_, _ = rand.Read(b[:]) // it never fails
		if n := binary.LittleEndian.Uint64(b[:]) >> 11; n != 0 {
			return n
		}
	}
}

// Check implements store.Store: it writes.
func (s *Store) Check(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.failed("check", s.client.Set(ctx, s.opts.Prefix+":check", "1", time.Minute).Err())
}

// Close implements store.Store.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	return s.client.Close()
}

// Durability looks at how the server is configured. durable is false when what it acknowledges may be lost
// with it; warnings say, each in a sentence, what an operator should know. A server that does not tell its configuration is not called durable.
func (s *Store) Durability(ctx context.Context) (durable bool, warnings []string, err error) {
	if err := s.begin(ctx); err != nil {
		return false, nil, err
	}
	get := func(name string) string {
		m, e := s.client.ConfigGet(ctx, name).Result()
		if e != nil && err == nil {
			err = e
		}
		return m[name]
	}
	aof, sync, replicas, evict := get("appendonly"), get("appendfsync"), get("min-replicas-to-write"), get("maxmemory-policy")
	memory := get("maxmemory")
	if err != nil {
		return false, []string{"Redis does not tell its configuration (CONFIG GET is refused), so nothing is called durable: allow the command to this user"}, nil
	}
	durable = aof == "yes" && sync != "no"
	if aof != "yes" {
		warnings = append(warnings, "Redis keeps no append-only file (appendonly no): all that it acknowledged since its last dump is lost when it dies, so nothing is called durable: set appendonly yes")
	} else if sync == "no" {
		warnings = append(warnings, "Redis leaves writing to the system (appendfsync no): up to half a minute is lost when its machine dies, so nothing is called durable: set appendfsync everysec or always")
	} else if sync == "everysec" {
		warnings = append(warnings, "Redis writes to disk once a second (appendfsync everysec): up to a second is lost when its machine loses power: set appendfsync always where that matters")
	}
	if replicas == "0" || replicas == "" {
		warnings = append(warnings, "Redis acknowledges without a replica (min-replicas-to-write 0): a fail-over can lose what the replica did not have yet")
	}
	if memory != "0" && evict != "noeviction" {
		warnings = append(warnings, fmt.Sprintf("Redis throws keys away when its memory is full (maxmemory-policy %s), those of venues too: set noeviction", evict))
		durable = false
	}
	return durable, warnings, nil
}
