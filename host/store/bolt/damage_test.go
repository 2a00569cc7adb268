package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	bbolt "go.etcd.io/bbolt"

	"github.com/venued/venued/host/store"
	"github.com/venued/venued/host/store/storetest"
)

var ctx = context.Background()

var hall = store.RegionKey{Venue: "hall", Region: "main"}

// fill makes a store with enough in it for branch pages, two snapshots and a log, and returns what
// a reader sees.
func fill(t testing.TB, dir string, users int) (seen string) {
	t.Helper()
	s, err := Open(dir, Options{Now: func() time.Time { return time.UnixMicro(1_700_000_000_000_000) }})
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	l, err := s.Acquire(ctx, hall)
	must(err)
	places := make([]store.UserPlace, users)
	for i := range places {
		places[i] = store.UserPlace{User: fmt.Sprintf("user-%04d", i), Tick: uint64(i)}
	}
	must(s.SavePlaces(ctx, "hall", places))
	tick := uint64(1)
	more := func(n int) {
		var records []store.Record
		for range n {
			records = append(records, store.Record{
				Tick: tick, Data: []byte(fmt.Sprintf("what happened in tick %d", tick)),
				Scores: []store.Score{{Board: "quiz", User: "ann", Delta: 1}},
			})
			tick++
		}
		must(s.Append(ctx, l, records))
	}
	more(40)
	must(s.SaveSnapshot(ctx, l, store.NewSnapshot(40, 1, bytes.Repeat([]byte("first "), 800))))
	more(40)
	must(s.SaveSnapshot(ctx, l, store.NewSnapshot(80, 1, bytes.Repeat([]byte("second "), 800))))
	more(40)
	for i, b := range uploads {
		_, err := s.SaveVersion(ctx, "hall", storetest.Version("quiz", fmt.Sprintf("1.0.%d", i), "ann", b), b)
		must(err)
	}
	must(s.Assign(ctx, "hall", store.Assignment{Region: "main", Rule: "quiz", Current: store.Digest(uploads[1]), Previous: store.Digest(uploads[0]),
		History: []store.Change{{AtUnixMS: 1, By: "ann", Reason: "activated", To: store.ModuleRef{Plugin: "quiz", Version: "1.0.1"}}}}))
	seen, err = look(s, users)
	must(err)
	must(s.Close())
	return seen
}

// uploads are what fill uploads: one within a page, one over several.
var uploads = [][]byte{[]byte("a small module"), bytes.Repeat([]byte("a large module "), 1000)}

// look reads everything a caller can read into one text.
func look(s *Store, users int) (string, error) {
	var b strings.Builder
	snap, log, err := s.Load(ctx, hall)
	if err != nil {
		return "", err
	}
	state := ""
	if snap != nil {
		// The state is the snapshot and the log after it; going back to the older one gives a longer log.
		state = string(snap.Data)
		if snap.Tick == 40 && len(log) == 80 {
			state, log = strings.Repeat("second ", 800), log[40:]
		}
	}
	fmt.Fprintf(&b, "%q\n", state)
	for _, r := range log {
		fmt.Fprintf(&b, "%d %q\n", r.Tick, r.Data)
	}
	for i := range users {
		p, has, err := s.Place(ctx, "hall", "", fmt.Sprintf("user-%04d", i))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%v %t\n", p, has)
	}
	v, err := s.Venue(ctx, "hall")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "%v\n", v)
	names, err := s.Versions(ctx, "hall")
	if err != nil {
		return "", err
	}
	assigned, err := s.Assignments(ctx, "hall")
	if err != nil {
		return "", err
	}
	boards, err := s.Boards(ctx, "hall", store.PartitionMain)
	if err != nil {
		return "", err
	}
	top, n, err := s.Board(ctx, "hall", store.PartitionMain, "quiz", 10)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "%v\n%v\n%v %v %d\n", names, assigned, boards, top, n)
	for _, m := range uploads {
		got, err := s.Module(ctx, "hall", store.Digest(m))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%q\n", got)
	}
	return b.String(), nil
}

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// outcome opens a file made of data and reports what a user would meet: the error, or
// what is in it. A panic or an endless loop ends the test run.
func outcome(t testing.TB, dir string, data []byte, users int) (string, error) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, File), data, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir, Options{Log: quiet, Now: func() time.Time { return time.UnixMicro(0) }})
	if err != nil {
		return "", err
	}
	seen, err := look(s, users)
	if err == nil {
		// It must also take a write without harm.
		_, err = s.Acquire(ctx, hall)
	}
	return seen, errors.Join(err, s.Close())
}

// metaAt returns the newer meta page's place: damage to it alone cannot be told from a
// commit that did not end.
func metaAt(data []byte) (from, to int) {
	size := int(binary.NativeEndian.Uint32(data[pageHeader+8:]))
	a, b := binary.NativeEndian.Uint64(data[pageHeader+48:]), binary.NativeEndian.Uint64(data[size+pageHeader+48:])
	if b > a {
		return size, 2 * size
	}
	return 0, size
}

func TestEveryDamageIsAnErrorOrHarmless(t *testing.T) {
	const users = 200
	dir := t.TempDir()
	want := fill(t, dir, users)
	whole, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	from, to := metaAt(whole)
	rng := rand.New(rand.NewPCG(7, 11))
	refused, harmless := 0, 0
	check := func(what string, data []byte) {
		t.Helper()
		seen, err := outcome(t, dir, data, users)
		switch {
		case err != nil && !errors.Is(err, store.ErrDamaged):
			t.Errorf("%s: %v, want ErrDamaged", what, err)
		case err != nil && !strings.Contains(err.Error(), File):
			t.Errorf("%s: the error does not name the file: %v", what, err)
		case err == nil && seen != want:
			t.Errorf("%s: read other data than was written", what)
		case err != nil:
			refused++
		default:
			harmless++
		}
	}
	rounds := 600
	if testing.Short() {
		rounds = 100
	}
	for i := range rounds {
		data := bytes.Clone(whole)
		at := rng.IntN(len(data))
		if i%3 > 0 {
			// Page headers and element tables are where it hurts.
			at = rng.IntN(len(data)/4096)*4096 + rng.IntN(200)
		}
		if at >= from && at < to {
			continue
		}
		bit := byte(1) << rng.IntN(8)
		data[at] ^= bit
		check(fmt.Sprintf("byte %d ^ %#x", at, bit), data)
	}
	for range rounds / 10 {
		n := 1 + rng.IntN(len(whole)-1)
		check(fmt.Sprintf("cut to %d bytes", n), whole[:n])
		data := bytes.Clone(whole)
		page := rng.IntN(len(data)/4096-2) + 2
		clear(data[page*4096 : (page+1)*4096])
		check(fmt.Sprintf("page %d is zeros", page), data)
		copy(data[page*4096:(page+1)*4096], whole[2*4096:])
		check(fmt.Sprintf("page %d is a copy of page 2", page), data)
	}
	check("not a store", []byte("this is not a store file, but it is long enough to be one\n"))
	if refused == 0 || harmless == 0 {
		t.Errorf("%d refused, %d harmless: the test does not reach both", refused, harmless)
	}
	t.Logf("%d refused, %d harmless", refused, harmless)
}

// edit changes a raw value in a bucket behind the store's back.
func edit(t *testing.T, dir string, path []string, key []byte, change func(old []byte) []byte) {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, File), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket(topName)
		for _, name := range path {
			b = b.Bucket([]byte(name))
		}
		if v := change(bytes.Clone(b.Get(key))); v != nil {
			return b.Put(key, v)
		}
		return b.Delete(key)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

func flip(b []byte) []byte { b[len(b)-1] ^= 1; return b }

func TestDamagedSnapshots(t *testing.T) {
	snaps := []string{"v:hall", "r:main", "snap"}
	t.Run("newest", func(t *testing.T) {
		dir := t.TempDir()
		want := fill(t, dir, 1)
		edit(t, dir, snaps, tickKey(80), flip)
		s, err := Open(dir, Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		snap, log, err := s.Load(ctx, hall)
		if err != nil || snap.Tick != 40 || len(log) != 80 || log[0].Tick != 41 {
			t.Fatalf("snapshot %v, %d records, %v; want the one of tick 40 and 80 records", snap, len(log), err)
		}
		if got, err := look(s, 1); err != nil || got != want {
			t.Fatalf("%v, got\n%s\nwant\n%s", err, got, want)
		}
	})
	t.Run("both", func(t *testing.T) {
		dir := t.TempDir()
		fill(t, dir, 1)
		edit(t, dir, snaps, tickKey(80), flip)
		edit(t, dir, snaps, tickKey(40), flip)
		s, err := Open(dir, Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, _, err := s.Load(ctx, hall); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "backup") {
			t.Fatalf("got %v, want ErrDamaged and what to do", err)
		}
	})
	t.Run("newest behind a gap", func(t *testing.T) {
		dir := t.TempDir()
		fill(t, dir, 1)
		s, err := Open(dir, Options{Log: quiet})
		if err != nil {
			t.Fatal(err)
		}
		l, err := s.Acquire(ctx, hall)
		if err != nil {
			t.Fatal(err)
		}
		snap := store.NewSnapshot(200, 1, []byte("third"))
		snap.Gap = true
		if err := errors.Join(s.SaveSnapshot(ctx, l, snap), s.Close()); err != nil {
			t.Fatal(err)
		}
		edit(t, dir, snaps, tickKey(200), flip)
		if s, err = Open(dir, Options{Log: quiet}); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, _, err := s.Load(ctx, hall); !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "complete log") {
			t.Fatalf("got %v: the snapshot before the gap is no way back", err)
		}
	})
}

func TestTamperedEntriesAreFoundAtOpen(t *testing.T) {
	remove := func([]byte) []byte { return nil }
	for name, c := range map[string]struct {
		path   []string
		key    []byte
		change func([]byte) []byte
	}{
		"record changed":  {[]string{"v:hall", "r:main", "log"}, tickKey(100), flip},
		"record removed":  {[]string{"v:hall", "r:main", "log"}, tickKey(100), remove},
		"record added":    {[]string{"v:hall", "r:main", "log"}, tickKey(500), func([]byte) []byte { return []byte("something") }},
		"snapshot gone":   {[]string{"v:hall", "r:main", "snap"}, tickKey(40), remove},
		"head changed":    {[]string{"v:hall", "r:main"}, headKey, flip},
		"head removed":    {[]string{"v:hall", "r:main"}, headKey, remove},
		"place removed":   {[]string{"v:hall", "places"}, placeKey("", "user-0000"), remove},
		"venue changed":   {[]string{"v:hall"}, metaKey, flip},
		"board changed":   {[]string{"v:hall", "boards"}, boardKey("", "quiz", "ann"), flip},
		"version changed": {[]string{"v:hall", "versions"}, versionKey("quiz", 1), flip},
		"owner changed":   {[]string{"v:hall", "names"}, []byte("quiz"), flip},
		"assigned gone":   {[]string{"v:hall", "assigned"}, assignmentKey("main", "quiz"), remove},
		"module gone":     {[]string{"v:hall", "modules"}, moduleKey(uploads[0]), remove},
		"format cut":      {nil, formatKey, func([]byte) []byte { return []byte{1} }},
		"record of other": {[]string{"v:hall", "r:main", "log"}, tickKey(101), func([]byte) []byte { return append([]byte(nil), 1, 2, 3, 4, 5) }},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fill(t, dir, 1)
			edit(t, dir, c.path, c.key, c.change)
			s, err := Open(dir, Options{Log: quiet})
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, store.ErrDamaged) {
				t.Fatalf("got %v, want ErrDamaged", err)
			}
		})
	}
}

func TestNewerLayoutIsRefusedWithoutCallingItDamaged(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 1)
	db, err := bbolt.Open(filepath.Join(dir, File), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return sealed{tx.Bucket(topName), ""}.put(formatKey, []byte{2, 0, 0, 0})
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = Open(dir, Options{})
	if err == nil || errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), "layout") {
		t.Fatalf("got %v", err)
	}
}

func TestErrorReadsWell(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 1)
	edit(t, dir, []string{"v:hall", "r:main", "log"}, tickKey(100), flip)
	_, err := Open(dir, Options{})
	path := filepath.Join(dir, File)
	want := "store file " + path + ": " + path + "/v:hall/r:main/log: the store is damaged: the record of tick 100 does not have its checksum; " +
		"restore it from a backup, or move it away to start with an empty one"
	if err == nil || err.Error() != want {
		t.Fatalf("got  %v\nwant %s", err, want)
	}
}

// FuzzCheckPages: no bytes make the page check panic, run on, or allocate beyond them;
// and what it lets through bbolt can walk. An input is a file, or edits of a good one: three
// bytes for the place, one to xor there.
func FuzzCheckPages(f *testing.F) {
	dir := f.TempDir()
	fill(f, dir, 3)
	whole, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		f.Fatal(err)
	}
	edit := func(at int, x byte) []byte { return []byte{byte(at), byte(at >> 8), byte(at >> 16), x} }
	f.Add(true, []byte{})
	f.Add(true, []byte("a short text"))
	f.Add(true, whole[:4096])
	for at := 0; at < len(whole); at += 4096 {
		for _, o := range []int{0, 8, 10, 12, 16, 20, 24, 28, 32} {
			f.Add(false, edit(at+o, 0xff))
		}
	}
	f.Fuzz(func(t *testing.T, raw bool, in []byte) {
		data := in
		if !raw {
			data = bytes.Clone(whole)
			for ; len(in) >= 4; in = in[4:] {
				at := int(in[0]) | int(in[1])<<8 | int(in[2])<<16
				data[at%len(data)] ^= in[3]
			}
		}
		if checkPages(bytes.NewReader(data), int64(len(data))) != nil {
			return
		}
		_, err := outcome(t, t.TempDir(), data, 3)
		if errors.As(err, new(*panicked)) {
			t.Fatalf("the check let a file through that bbolt failed on: %v", err)
		}
	})
}

// BenchmarkAppend is one group commit of 64 records of 200 bytes, against a bare file
// to which the same bytes are appended with one fsync.
func BenchmarkAppend(b *testing.B) {
	data := bytes.Repeat([]byte("x"), 200)
	var ns [2]float64
	b.Run("file", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "file"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		all := bytes.Repeat(data, 64)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.Write(all); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
		ns[0] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
	})
	for _, n := range []int{64, 1} {
		b.Run(fmt.Sprintf("bolt/records=%d", n), func(b *testing.B) {
			s, err := Open(b.TempDir(), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			l, err := s.Acquire(ctx, hall)
			if err != nil {
				b.Fatal(err)
			}
			tick := uint64(0)
			records := make([]store.Record, n)
			b.ReportAllocs()
			for b.Loop() {
				for i := range records {
					tick++
					records[i] = store.Record{Tick: tick, Data: data}
				}
				if err := s.Append(ctx, l, records); err != nil {
					b.Fatal(err)
				}
			}
			ns[1] = float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ReportMetric(ns[1]/ns[0], "x-file")
		})
	}
}
