// Package dev rebuilds a rule whenever its project changes, and hands what was built on: to a venue that runs, say.
//
// A [Loop] watches the folders of a project, waits until a burst of changes is over, builds, plays the scenarios, and calls
// Swap with the plugin. Whatever fails is said and changes nothing: what runs goes on running.
package dev

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/project"
)

// quiet is how long nothing must change before a build: editors write a file in several steps.
const quiet = 30 * time.Millisecond

// maxFolders bounds what is watched of a project.
const maxFolders = 500

// Loop watches a project. All fields are needed.
type Loop struct {
	Project *project.Project
	Builder *project.Builder
	// Check says what is wrong with a plugin that was built, nil for nothing; it may print more.
	Check func(ctx context.Context, wasm []byte) error
	// Swap puts the plugin to use and says what came of it.
	Swap func(ctx context.Context, wasm []byte) (done string, err error)
	// Out takes a line for everything that happens.
	Out io.Writer
}

// Run builds at once and then after each change, until the context ends. Its error is one of watching; those of building are printed.
func (l *Loop) Run(ctx context.Context) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching %s: %w", l.Project.Dir, err)
	}
	defer w.Close()
	if err := l.watch(w, l.Project.Dir); err != nil {
		return err
	}
	l.Once(ctx)
	if err := l.Builder.Warm(ctx, l.Project); err != nil && ctx.Err() == nil {
		return err
	}
	timer := time.NewTimer(0)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.Events:
			if !ok {
				return nil
			}
			if !l.concerns(e) {
				continue
			}
			if e.Has(fsnotify.Create) {
				if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
					if err := l.watch(w, e.Name); err != nil {
						return err
					}
				}
			}
			timer.Reset(quiet)
		case err, ok := <-w.Errors:
			if !ok {
				return nil
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return fmt.Errorf("watching %s: %w", l.Project.Dir, err)
			}
			timer.Reset(quiet) // something changed, whatever it was
		case <-timer.C:
			l.Once(ctx)
		}
	}
}

// skipped reports whether a folder holds nothing that a rule is built from.
func skipped(name string) bool {
	return name == "node_modules" || name == "target" || strings.HasPrefix(name, ".") && name != "." && name != ".."
}

// watch watches a folder and those in it.
func (l *Loop) watch(w *fsnotify.Watcher, root string) error {
	return filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // gone already
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case at != l.Project.Dir && skipped(d.Name()):
			return filepath.SkipDir
		case len(w.WatchList()) >= maxFolders:
			return fmt.Errorf("%s has more than %d folders: watching that many is refused", l.Project.Dir, maxFolders)
		}
		if err := w.Add(at); err != nil {
			return fmt.Errorf("watching %s: %w", at, err)
		}
		return nil
	})
}

// concerns reports whether a change is one of what the rule is built from.
func (l *Loop) concerns(e fsnotify.Event) bool {
	name := filepath.Base(e.Name)
	return e.Op != fsnotify.Chmod && !skipped(name) && !strings.HasSuffix(name, "~") && filepath.Ext(name) != ".wasm"
}

// Once builds and hands on, and prints a line about it.
func (l *Loop) Once(ctx context.Context) {
	began := time.Now()
	say := func(form string, args ...any) { fmt.Fprintf(l.Out, form+"\n", args...) }
	// The file says what is built, and may be what changed.
	p, err := project.Read(l.Project.Dir)
	if err == nil {
		l.Project = p
		var wasm []byte
		if wasm, err = l.Builder.Build(ctx, p); err == nil {
			if err = l.Check(ctx, wasm); err == nil {
				var done string
				if done, err = l.Swap(ctx, wasm); err == nil {
					say("%s: %s (%d ms)", p.Name, done, time.Since(began).Milliseconds())
					return
				}
			}
		}
	}
	if ctx.Err() == nil {
		say("%s: what runs is as it was: %v", l.Project.Name, err)
	}
}

// Stamp gives a plugin a version of its own: that of its manifest with -dev.N, so that each build can be told from the others, and
// comes before the version that it will be.
func Stamp(wasm []byte, n int64) ([]byte, error) {
	b, err := abi.CustomSection(wasm, abi.ManifestSection)
	if err != nil {
		return nil, err
	}
	m, err := abi.ParseManifest(b)
	if err != nil {
		return nil, err
	}
	core, _, _ := strings.Cut(m.Version, "+")
	core, _, _ = strings.Cut(core, "-")
	m.Version = fmt.Sprintf("%s-dev.%d", core, n)
	manifest, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return abi.Pack(wasm, manifest, true)
}
