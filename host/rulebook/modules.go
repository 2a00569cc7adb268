package rulebook

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// loadedKey names a compiled module: a rule (index of Venue.Rules, for its settings) and a digest.
type loadedKey struct {
	rule   int
	digest string
}

// loaded is a compiled module. It is freed with its last instance, unless it is the file's.
type loaded struct {
	*rules.Plugin
	key       loadedKey
	instances int // guarded by Book.mu
}

// instance is a rule in a region that counts.
type instance struct {
	*rules.Instance
	migrates bool // its module can take over state of another layout
	close    func()
}

// Close ends the instance; more calls do nothing.
func (in *instance) Close() { in.close() }

// make makes an instance for a rule in a region. With digest "" it is of the venue file's module: as it was read last with kept, else as the
// file is now; only when that is good it is what kept means from then on.
func (b *Book) make(ctx context.Context, p place, digest string, kept bool) (*instance, error) {
	m, err := b.take(ctx, p.rule, digest, kept)
	if err != nil {
		return nil, err
	}
	in, err := m.Instance(rules.InstanceConfig{
		Region:   uint32(p.region),
		CallTime: time.Duration(b.venue.Limits.RuleCallMS) * time.Millisecond,
	})
	if err != nil {
		b.give(m)
		return nil, fmt.Errorf("rule %s: %w", m.Name(), err)
	}
	if digest == "" {
		b.mu.Lock()
		old := b.files[p.rule]
		b.files[p.rule] = m
		b.free(old)
		b.mu.Unlock()
	}
	return &instance{in, m.Migrates(), sync.OnceFunc(func() {
		in.Close()
		b.give(m)
	})}, nil
}

// take returns a compiled module for one more instance.
func (b *Book) take(ctx context.Context, rule int, digest string, kept bool) (*loaded, error) {
	b.loading.Lock()
	defer b.loading.Unlock()
	if m := b.ready(rule, digest, kept); m != nil {
		return m, nil
	}
	r := &b.venue.Rules[rule]
	var wasm []byte
	var err error
	if digest == "" {
		wasm, err = fileModule(r)
	} else {
		wasm, err = b.cfg.Store.Module(ctx, b.venue.ID, digest)
	}
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, err)
	}
	key := loadedKey{rule, store.Digest(wasm)}
	if m := b.ready(rule, key.digest, false); m != nil {
		return m, nil
	}
	p, err := b.cfg.Engine.Load(ctx, r.Name, wasm, rules.LoadOptions{Settings: r.Settings, Class: r.Class})
	if err != nil {
		return nil, err // it names the rule
	}
	if err := fits(b.venue, rule, p.Manifest()); err != nil {
		return nil, errors.Join(err, p.Close(ctx))
	}
	m := &loaded{Plugin: p, key: key, instances: 1}
	b.mu.Lock()
	b.loaded[key] = m
	b.mu.Unlock()
	b.log.Info("rule loaded", "rule", r.Name, "plugin", p.Manifest().Name, "version", p.Manifest().Version, "class", p.Class(), "digest", p.Digest(), "uploaded", digest != "")
	return m, nil
}

// ready takes a module that is compiled already, nil when it is not.
func (b *Book) ready(rule int, digest string, kept bool) *loaded {
	b.mu.Lock()
	defer b.mu.Unlock()
	m := b.loaded[loadedKey{rule, digest}]
	if digest == "" && kept {
		m = b.files[rule]
	}
	if m != nil {
		m.instances++
	}
	return m
}

// give counts an instance of a module as gone.
func (b *Book) give(m *loaded) {
	b.mu.Lock()
	defer b.mu.Unlock()
	m.instances--
	b.free(m)
}

// free frees a module, which may be nil, that nothing needs any more. b.mu is held.
func (b *Book) free(m *loaded) {
	if m == nil || m.instances > 0 || b.files[m.key.rule] == m || b.loaded[m.key] != m {
		return
	}
	delete(b.loaded, m.key)
	// Elsewhere: the engine may be compiling, and who lets go of an instance may be a region between two ticks.
	b.work.Go(func() {
		if err := m.Close(context.Background()); err != nil {
			b.log.Warn("a rule's former module was not freed", "rule", m.Name(), "error", err)
		}
	})
}

// fileModule returns the bytes of the module that the venue's file names: a shipped one, or a file.
func fileModule(r *venues.CompiledRule) ([]byte, error) {
	if r.Path == "" {
		return plugins.Wasm(r.Plugin)
	}
	info, err := os.Stat(r.Path)
	if err != nil {
		return nil, err
	}
	if info.Size() > abi.MaxModule {
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that a plugin may have", r.Path, info.Size(), abi.MaxModule)
	}
	return os.ReadFile(r.Path)
}

// fileManifest returns the manifest of the module that the venue's file names.
func fileManifest(r *venues.CompiledRule) (*abi.Manifest, error) {
	wasm, err := fileModule(r)
	if err != nil {
		return nil, err
	}
	section, err := abi.CustomSection(wasm, abi.ManifestSection)
	if err != nil {
		return nil, err
	}
	return abi.ParseManifest(section)
}
