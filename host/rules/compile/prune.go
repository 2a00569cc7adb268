package compile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// maxFolder is how many bytes of machine code a folder keeps.
	maxFolder = 1 << 30
	// leftBehind is the age from which something that nothing describes belongs to no child that still runs.
	leftBehind = time.Hour
)

// prune removes the entries that were made first until those that stay have at most that many bytes together, descriptions that
// are of no use to this program, and what children that were killed left behind. The module named keep stays.
func (f *Folder) prune(most int64, keep string) error {
	type described struct {
		*Info
		made time.Time
	}
	var all []described
	var errs []error
	remove := func(path string) {
		if err := os.RemoveAll(path); err != nil {
			errs = append(errs, err)
		}
	}
	paths, err := filepath.Glob(filepath.Join(f.dir, "*.json"))
	if err != nil {
		return err
	}
	total, used := int64(0), map[string]bool{}
	for _, path := range paths {
		text, err := readUpTo(path, maxDescription)
		var info *Info
		if err == nil {
			info, err = parseInfo(text, strings.TrimSuffix(filepath.Base(path), ".json"))
		}
		if err != nil {
			remove(path)
			continue
		}
		made := time.Now()
		if st, err := os.Stat(path); err == nil && info.Module != keep {
			made = st.ModTime()
		}
		all = append(all, described{info, made})
		total += info.Bytes
		used[info.Entry] = true
	}
	slices.SortFunc(all, func(a, b described) int {
		return cmp.Or(a.made.Compare(b.made), strings.Compare(a.Module, b.Module))
	})
	for _, d := range all {
		if total <= most || d.Module == keep {
			break
		}
		total -= d.Bytes
		delete(used, d.Entry)
		remove(f.description(d.Module))
		remove(filepath.Join(f.dir, filepath.FromSlash(d.Entry)))
	}
	others, err := filepath.Glob(filepath.Join(f.dir, "*", "*"))
	if err != nil {
		return err
	}
	for _, path := range others {
		rel, err := filepath.Rel(f.dir, path)
		if err != nil || used[filepath.ToSlash(rel)] {
			continue
		}
		if st, err := os.Stat(path); err == nil && time.Since(st.ModTime()) > leftBehind {
			remove(path)
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
