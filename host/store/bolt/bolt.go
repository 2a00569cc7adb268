package bolt

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	bbolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/venued/venued/host/store"
)

// File is the name of the store's file in the data folder.
const File = "venued.db"

// lockWait is how long Open waits for another process to let go of the file: one that is
// just ending.
const lockWait = time.Second

const format = 1

var (
	topName   = []byte("venued")
	formatKey = []byte("format")
)

// Options of Open. The zero value is usable.
type Options struct {
	// Log takes warnings: a snapshot that was damaged and passed over. Default: slog.Default().
	Log *slog.Logger
	// Now gives the start of time of a venue on its first use. Default: time.Now.
	Now func() time.Time
	// Modules is how many bytes of uploaded modules a venue may have. Default: store.MaxModules.
	Modules int64
}

// Store is an open store file.
type Store struct {
	path string
	db   *bbolt.DB
	opts Options

	mu     sync.Mutex
	closed bool
	broken error // bbolt panicked: nothing in it can be trusted any more
	failed error // the last write's error
}

// Open opens the store in folder dir and makes both if need be. Errors are
// store.ErrInUse, store.ErrNotWritable, store.ErrDamaged, each with the path and what to do.
func Open(dir string, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Modules == 0 {
		o.Modules = store.MaxModules
	}
	path := filepath.Join(dir, File)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, openError(path, err)
	}
	if err := precheck(path); err != nil {
		return nil, openError(path, err)
	}
	s := &Store{path: path, opts: o}
	err := contain(func() (err error) {
		s.db, err = bbolt.Open(path, 0o640, &bbolt.Options{Timeout: lockWait, FreelistType: bbolt.FreelistMapType})
		return err
	})
	if err != nil {
		return nil, openError(path, err)
	}
	if err := s.prepare(); err != nil {
		s.Close()
		return nil, openError(path, err)
	}
	return s, nil
}

// precheck walks the pages of an existing file under a shared lock.
func precheck(path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err // an empty file is what a process killed at its very start leaves
	}
	// bbolt takes its lock before it looks at anything but the meta pages when it opens to read.
	var db *bbolt.DB
	err = contain(func() (err error) {
		db, err = bbolt.Open(path, 0, &bbolt.Options{Timeout: lockWait, ReadOnly: true})
		return err
	})
	if err != nil {
		if !errors.Is(err, berrors.ErrTimeout) && !errors.As(err, new(*fs.PathError)) {
			err = damaged(path, "%w", err) // the file is there and not empty: it is its content
		}
		return err
	}
	if info, err = f.Stat(); err == nil {
		if err = checkPages(f, info.Size()); err != nil {
			err = damaged(path, "%w", err)
		}
	}
	return errors.Join(err, db.Close())
}

// prepare makes the top bucket of a new file, or verifies all of an old one.
func (s *Store) prepare() error {
	err := s.read(func(top sealed) error {
		version, err := top.get(formatKey)
		if err != nil {
			return err
		}
		if len(version) != 4 {
			return damaged(s.path, "the number of its layout is missing") // every file has had one since it was made
		}
		if binary.LittleEndian.Uint32(version) != format {
			return fmt.Errorf("%s: layout %x is not the %d that this program reads: use the version of venued that wrote it", s.path, version, format)
		}
		return top.verify(snapName, modulesName)
	})
	if !errors.Is(err, errNoTop) {
		return err
	}
	return s.transact(s.db.Update, func(tx *bbolt.Tx) error {
		if k, _ := tx.Cursor().First(); k != nil {
			return damaged(s.path, "there is %q where %q should be", k, topName)
		}
		b, err := tx.CreateBucket(topName)
		if err != nil {
			return err
		}
		return sealed{b, s.path}.put(formatKey, binary.LittleEndian.AppendUint32(nil, format))
	})
}

// openError says in one sentence what is wrong with a path and what to do.
func openError(path string, err error) error {
	switch {
	case errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("store file %s: %w; restore it from a backup, or move it away to start with an empty one", path, err)
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("store file %s: %w; stop it, or choose another data folder", path, store.ErrInUse)
	case errors.Is(err, fs.ErrPermission), isReadOnly(err), errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("store file %s: %w (%w); give this user the right to write there, or choose another data folder", path, store.ErrNotWritable, err)
	}
	return fmt.Errorf("store file %s: %w", path, err)
}

// contain runs f and turns a panic, or a fault of the memory map, into an error.
func contain(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p, debug.Stack()}
		}
	}()
	return f()
}

// panicked is a contained panic of bbolt.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("reading it failed: %v", p.value) }

func (p *panicked) Is(target error) bool { return target == store.ErrDamaged }

var errNoTop = errors.New("the top bucket is missing")

func (s *Store) read(f func(top sealed) error) error {
	return s.transact(s.db.View, func(tx *bbolt.Tx) error { return s.withTop(tx, f) })
}

func (s *Store) write(f func(top sealed) error) error {
	err := s.transact(s.db.Update, func(tx *bbolt.Tx) error { return s.withTop(tx, f) })
	s.mu.Lock()
	s.failed = nil
	if err != nil && !refusal(err) {
		s.failed = err
	}
	s.mu.Unlock()
	return err
}

func (s *Store) withTop(tx *bbolt.Tx, f func(top sealed) error) error {
	b := tx.Bucket(topName)
	if b == nil {
		return errNoTop
	}
	return f(sealed{b, s.path})
}

// refusal tells a write that was refused for what it is from one that the disk failed.
func refusal(err error) bool {
	for _, kind := range []error{
		store.ErrFenced, store.ErrTickOrder, store.ErrClosed,
		store.ErrNotFound, store.ErrOwner, store.ErrTaken, store.ErrAssigned, store.ErrFull,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

func (s *Store) transact(run func(func(*bbolt.Tx) error) error, f func(*bbolt.Tx) error) error {
	s.mu.Lock()
	broken, closed := s.broken, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return fmt.Errorf("store file %s: %w", s.path, store.ErrClosed)
	case broken != nil:
		return broken
	}
	err := contain(func() error { return run(f) })
	var p *panicked
	switch {
	case errors.As(err, &p):
		s.opts.Log.Error("store file cannot be used any more", "path", s.path, "error", p, "stack", string(p.stack))
		err = fmt.Errorf("store file %s: %w while in use (%w); check the disk and restart", s.path, store.ErrDamaged, p)
		s.mu.Lock()
		s.broken = err
		s.mu.Unlock()
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return fmt.Errorf("store file %s: %w", s.path, store.ErrClosed)
	}
	return err
}

// Check implements store.Store. After a failed write it tries another one.
func (s *Store) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	failed, broken, closed := s.failed, s.broken, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return fmt.Errorf("store file %s: %w", s.path, store.ErrClosed)
	case broken != nil:
		return broken
	case failed == nil:
		return nil
	}
	return s.write(func(top sealed) error {
		return top.put(formatKey, binary.LittleEndian.AppendUint32(nil, format))
	})
}

// Close implements store.Store. It waits for calls in progress.
func (s *Store) Close() error {
	s.mu.Lock()
	done := s.closed || s.broken != nil
	s.closed = true
	s.mu.Unlock()
	if done {
		// After a panic bbolt's own locks may be held for ever; the file's lock ends with the process.
		return nil
	}
	if err := contain(s.db.Close); err != nil {
		return fmt.Errorf("store file %s: closing: %w", s.path, err)
	}
	return nil
}

// newIncarnation returns a random number in 1 .. 2^53-1, exact in JSON.
func newIncarnation() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return max(1, binary.LittleEndian.Uint64(b[:])>>11)
}

func tickKey(tick uint64) []byte { return binary.BigEndian.AppendUint64(nil, tick) }

func tickOf(key []byte) (uint64, bool) {
	if len(key) != 8 {
		return 0, false
	}
	return binary.BigEndian.Uint64(key), true
}

// clone copies a payload out of a transaction; the result is never nil.
func clone(b []byte) []byte { return append(make([]byte, 0, len(b)), b...) }
