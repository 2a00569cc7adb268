package recording

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Extension of recordings' files.
const Extension = ".vrec"

// partial is the end of the name of a file that is being written.
const partial = ".part"

// Folder is where a node keeps its recordings. Any goroutine may use it.
type Folder struct {
	dir      string
	maxFiles int
	maxBytes int64
	mu       sync.Mutex
	promised map[string]int64 // bytes that running recordings may take, by name
}

// Limits of a folder.
const (
	FolderFiles = 32
	FolderBytes = 2 << 30
)

// ErrFull says that a folder takes no further recording until one is deleted.
var ErrFull = errors.New("the recordings' folder is full")

// ErrNoFile says that a folder has no recording of that name.
var ErrNoFile = errors.New("no such recording")

// OpenFolder makes the folder if it is missing. What an earlier process left half-written is kept: whole up to where it was cut off.
func OpenFolder(dir string) (*Folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	f := &Folder{dir: dir, maxFiles: FolderFiles, maxBytes: FolderBytes, promised: map[string]int64{}}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	for _, e := range list {
		if whole, left := strings.CutSuffix(e.Name(), partial); left && namePattern.MatchString(whole) {
			if err := os.Rename(filepath.Join(dir, e.Name()), filepath.Join(dir, whole)); err != nil {
				return nil, fmt.Errorf("recordings: %w", err)
			}
		}
	}
	return f, nil
}

// namePattern is what a recording's file is called: a region, a time, a number.
var namePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,120}\.vrec$`)

// File is a recording in a folder.
type File struct {
	Name    string
	Bytes   int64
	Time    time.Time // it was last written
	Running bool      // it is being written
}

// Create makes the file for a new recording of a region that may take so many bytes. The error is ErrFull, with what to do, when there is no
// room.
func (f *Folder) Create(region string, at time.Time, bytes int64) (*Output, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	files, err := f.list()
	if err != nil {
		return nil, err
	}
	if len(files) >= f.maxFiles {
		return nil, fmt.Errorf("%d recordings are kept, no more than that: fetch and delete some, the oldest is %s: %w", len(files), files[0].Name, ErrFull)
	}
	var used int64
	for _, file := range files {
		used += max(file.Bytes, f.promised[file.Name])
	}
	if used+bytes > f.maxBytes {
		return nil, fmt.Errorf("recordings take %d MiB of %d MiB, this one may take %d MiB: allow it less, or fetch and delete some (the oldest is %s): %w",
			used>>20, f.maxBytes>>20, bytes>>20, oldest(files), ErrFull)
	}
	base := clean(region) + at.UTC().Format("-20060102-150405")
	for n := 1; ; n++ {
		name := base + Extension
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", base, n, Extension)
		}
		path := filepath.Join(f.dir, name)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		file, err := os.OpenFile(path+partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("recordings: %w", err)
		}
		f.promised[name] = bytes
		return &Output{File: file, folder: f, name: name}, nil
	}
}

func oldest(files []File) string {
	if len(files) == 0 {
		return "none"
	}
	return files[0].Name
}

// clean makes a region's name a file's.
func clean(region string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, region)
	if name = strings.Trim(name[:min(len(name), 80)], "-"); name == "" {
		return "region"
	}
	return name
}

// Output is the file of a running recording.
type Output struct {
	*os.File
	folder *Folder
	name   string
}

// Name returns what the recording is called in its folder.
func (o *Output) Name() string { return o.name }

// Finish makes what was written durable and the file a recording like the others.
func (o *Output) Finish() error {
	err := errors.Join(o.File.Sync(), o.File.Close())
	path := filepath.Join(o.folder.dir, o.name)
	o.folder.mu.Lock()
	defer o.folder.mu.Unlock()
	delete(o.folder.promised, o.name)
	return errors.Join(err, os.Rename(path+partial, path))
}

// Drop removes a file that nothing was recorded into.
func (o *Output) Drop() error {
	err := o.File.Close()
	o.folder.mu.Lock()
	defer o.folder.mu.Unlock()
	delete(o.folder.promised, o.name)
	return errors.Join(err, os.Remove(filepath.Join(o.folder.dir, o.name)+partial))
}

// List returns the recordings, the oldest first.
func (f *Folder) List() ([]File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list()
}

func (f *Folder) list() ([]File, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, fmt.Errorf("recordings: %w", err)
	}
	var out []File
	for _, e := range entries {
		name, running := strings.CutSuffix(e.Name(), partial)
		if !namePattern.MatchString(name) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // finished or deleted meanwhile
		}
		if err != nil {
			return nil, fmt.Errorf("recordings: %w", err)
		}
		out = append(out, File{Name: name, Bytes: info.Size(), Time: info.ModTime(), Running: running})
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Name, b.Name)) })
	return out, nil
}

// path returns where a recording lies, running or not.
func (f *Folder) path(name string) (path string, running bool, err error) {
	if !namePattern.MatchString(name) {
		return "", false, fmt.Errorf("%q is not the name of a recording: %w", name, ErrNoFile)
	}
	path = filepath.Join(f.dir, name)
	if _, err := os.Lstat(path); err == nil {
		return path, false, nil
	}
	if _, err := os.Lstat(path + partial); err == nil {
		return path + partial, true, nil
	}
	return "", false, fmt.Errorf("%s: %w", name, ErrNoFile)
}

// Open opens a recording for reading, also one that is being written: that ends where it is now.
func (f *Folder) Open(name string) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, _, err := f.path(name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Delete removes a recording that is not being written.
func (f *Folder) Delete(name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	path, running, err := f.path(name)
	if err != nil {
		return err
	}
	if running {
		return fmt.Errorf("%s is being recorded: stop it first", name)
	}
	return os.Remove(path)
}
