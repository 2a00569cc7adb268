package compile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
)

// ErrMissing says that a folder has no good entry for a module; errors that wrap it say why when there was a bad one.
var ErrMissing = errors.New("the compiled code is not there")

// maxDescription is the size of the largest description that is read, bytes.
const maxDescription = 64 << 10

// Info is the description of an entry.
type Info struct {
	Format int    `json:"format"` // 1
	Module string `json:"module"` // hex SHA-256 of the rewritten module
	Wazero string `json:"wazero"` // version that made it

	Entry  string `json:"entry"` // path in the folder, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // of the entry, hex

	WallMS    float64 `json:"wall_ms"` // that compiling took
	CPUMS     float64 `json:"cpu_ms"`
	PeakBytes int64   `json:"peak_bytes"` // memory of the process that compiled it; 0: not known
}

const infoFormat = 1

// Folder is a folder of compiled modules. Its methods may be called from several goroutines.
type Folder struct{ dir string }

// Open returns the folder, which is made if missing. One that others can write to, or that belongs to another user, is refused: what is
// in it is executed.
func Open(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if err := guard(dir); err != nil {
		return nil, err
	}
	return &Folder{dir}, nil
}

// guard returns an error when somebody else may have written to a folder of compiled code, or to one in it.
func guard(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	refuse := func(path string, err error) error {
		return fmt.Errorf("%s: %w, and what is in it would be executed: remove the folder %s, it holds nothing that is not made again", path, err, dir)
	}
	if err := ours(info); err != nil {
		return refuse(dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue // verify looks at those it uses
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // of a child that has just ended
		}
		if err == nil {
			err = ours(info)
		}
		if err != nil {
			return refuse(filepath.Join(dir, e.Name()), err)
		}
	}
	return nil
}

// RuntimeConfig is the configuration with which modules are compiled and loaded: both must use the same.
func RuntimeConfig() wazero.RuntimeConfig {
	// Debug information is parsed only to decorate traces that nobody is shown.
	return wazero.NewRuntimeConfigCompiler().WithDebugInfoEnabled(false)
}

// Cache returns the cache for the configuration of a runtime that Load loads into. The caller closes it after the runtime.
func (f *Folder) Cache() (wazero.CompilationCache, error) {
	return wazero.NewCompilationCacheWithDir(f.dir)
}

// Load loads a module's machine code into a runtime that has the folder's Cache. It never compiles: without a good entry the
// error wraps ErrMissing.
func (f *Folder) Load(r wazero.Runtime, code []byte) (wazero.CompiledModule, *Info, error) {
	info, err := f.verify(moduleName(code))
	if err != nil {
		return nil, nil, err
	}
	// With several workers the compiler looks whether its context has ended before it begins; with one that has, what
	// the cache does not hold is an error at once.
	ctx, cancel := context.WithCancel(experimental.WithCompilationWorkers(context.Background(), 2))
	cancel()
	compiled, err := r.CompileModule(ctx, code)
	if errors.Is(err, context.Canceled) {
		return nil, nil, fmt.Errorf("%w for this processor or version", ErrMissing)
	}
	if err != nil {
		return nil, nil, err
	}
	return compiled, info, nil
}

// moduleName names a module in the folder.
func moduleName(code []byte) string {
	sum := sha256.Sum256(code)
	return hex.EncodeToString(sum[:])
}

func (f *Folder) description(name string) string { return filepath.Join(f.dir, name+".json") }

// plain returns an error unless a path is a file of the user this process runs as, which nobody else can write to.
func plain(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", path)
	}
	if err := ours(info); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// verify returns the description of a module's entry, once the entry is what it says.
func (f *Folder) verify(name string) (*Info, error) {
	err := plain(f.description(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	var text []byte
	if err == nil {
		text, err = readUpTo(f.description(name), maxDescription)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	info, err := parseInfo(text, name)
	if err != nil {
		return nil, fmt.Errorf("%w: its description %s.json: %w", ErrMissing, name, err)
	}
	entry := filepath.Join(f.dir, filepath.FromSlash(info.Entry))
	if err := plain(entry); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	}
	sum, size, err := hashFile(entry)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrMissing, err)
	case size != info.Bytes || sum != info.SHA256:
		return nil, fmt.Errorf("%w: %s is damaged: it has %d bytes with SHA-256 %s, want %d with %s", ErrMissing, info.Entry, size, sum, info.Bytes, info.SHA256)
	}
	return info, nil
}

// parseInfo reads a description, which must be one of the module of that name and of this program.
func parseInfo(text []byte, name string) (*Info, error) {
	info := new(Info)
	if err := json.Unmarshal(text, info); err != nil {
		return nil, err
	}
	entry := filepath.FromSlash(info.Entry)
	switch {
	case info.Format != infoFormat:
		return nil, fmt.Errorf("format is %d, want %d", info.Format, infoFormat)
	case info.Module != name:
		return nil, errors.New("it is of another module")
	case info.Wazero != Version():
		return nil, fmt.Errorf("it is of wazero %s, this is %s", info.Wazero, Version())
	case !filepath.IsLocal(entry) || filepath.Dir(filepath.Dir(entry)) != "." || filepath.Dir(entry) == ".":
		return nil, fmt.Errorf("entry %q is no place in the folder", info.Entry)
	}
	return info, nil
}

// Version returns the version of wazero that this program was built with.
var Version = sync.OnceValue(func() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/tetratelabs/wazero" {
				return d.Version
			}
		}
	}
	return "unknown"
})

func readUpTo(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("%s has more than %d bytes", path, most)
	}
	return b, err
}

func hashFile(path string) (sum string, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	h := sha256.New()
	if size, err = io.Copy(h, file); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

// place moves a finished entry from a child's own folder to its place, and then describes it.
func (f *Folder) place(from string, info *Info) error {
	var found []string
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("compiling left %d files, want one", len(found))
	}
	rel, err := filepath.Rel(from, found[0])
	if err != nil {
		return err
	}
	info.Entry = filepath.ToSlash(rel)
	if info.SHA256, info.Bytes, err = hashFile(found[0]); err != nil {
		return err
	}
	text, err := json.Marshal(info)
	if err != nil {
		return err
	}
	if _, err := parseInfo(text, info.Module); err != nil {
		return err
	}
	to := filepath.Join(f.dir, rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.Rename(found[0], to); err != nil {
		return err
	}
	draft := filepath.Join(from, "description")
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	return os.Rename(draft, f.description(info.Module))
}
