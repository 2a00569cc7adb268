package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/plugins"
	"github.com/venued/venued/venues"
)

// ruleSet holds the venue's plugins as they were loaded last, and makes regions' instances of them.
type ruleSet struct {
	h      *host
	engine *rules.Engine

	mu     sync.Mutex
	loaded []*loadedRule // one for each of Venue.Rules
}

// loadedRule is a plugin that is closed with its last instance, once another has taken its place.
type loadedRule struct {
	*rules.Plugin
	instances int
	replaced  bool
}

// ruleInstance is an instance that counts.
type ruleInstance struct {
	*rules.Instance
	close func()
}

func (in ruleInstance) Close() { in.close() }

// loadRules loads the venue's plugins.
func (h *host) loadRules(ctx context.Context, late func(rule string)) (*ruleSet, error) {
	child, err := compiler()
	if err != nil {
		return nil, err
	}
	engine, err := rules.NewEngine(ctx, rules.Config{CacheDir: filepath.Join(h.cfg.Server.Data, "compiled"), Compiler: child, Late: late, Log: h.log})
	if err != nil {
		return nil, err
	}
	h.onStop("rules", engine.Close)
	s := &ruleSet{h: h, engine: engine}
	for i := range h.cfg.Venue.Rules {
		p, err := s.load(ctx, i)
		if err != nil {
			return nil, err
		}
		s.loaded = append(s.loaded, p)
	}
	return s, nil
}

// load reads and compiles a rule's module as it is now.
func (s *ruleSet) load(ctx context.Context, rule int) (*loadedRule, error) {
	r := &s.h.cfg.Venue.Rules[rule]
	wasm, err := module(r)
	if err != nil {
		return nil, err
	}
	p, err := s.engine.Load(ctx, r.Name, wasm, rules.LoadOptions{Settings: r.Settings, Class: abi.ClassLarge})
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, err)
	}
	s.h.log.Info("rule loaded", "rule", r.Name, "plugin", p.Manifest().Name, "version", p.Manifest().Version, "class", p.Class(), "digest", p.Digest())
	return &loadedRule{Plugin: p}, nil
}

// make makes a region's instances of every rule.
func (s *ruleSet) make(region int) ([]scene.Rule, error) {
	var made []scene.Rule
	for i := range s.h.cfg.Venue.Rules {
		in, err := s.instance(s.take(i), region)
		if err != nil {
			for _, m := range made {
				m.(ruleInstance).Close()
			}
			return nil, err
		}
		made = append(made, in)
	}
	return made, nil
}

// reload loads a rule's module again and makes an instance of it for a region. Only when that is good does
// the module take the former one's place.
func (s *ruleSet) reload(ctx context.Context, region, rule int) (scene.Rule, error) {
	p, err := s.load(ctx, rule)
	if err != nil {
		return nil, err
	}
	p.instances = 1
	in, err := s.instance(p, region)
	if err != nil {
		return nil, errors.Join(err, p.Close(ctx))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.loaded[rule]
	s.loaded[rule] = p
	old.replaced = true
	s.retire(old)
	return in, nil
}

// take returns a rule's plugin for one more instance.
func (s *ruleSet) take(rule int) *loadedRule {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.loaded[rule]
	p.instances++
	return p
}

// instance makes the instance that a plugin was taken for.
func (s *ruleSet) instance(p *loadedRule, region int) (scene.Rule, error) {
	in, err := p.Instance(rules.InstanceConfig{
		Region:   uint32(region),
		CallTime: time.Duration(s.h.cfg.Venue.Limits.RuleCallMS) * time.Millisecond,
	})
	if err != nil {
		s.give(p)
		return nil, fmt.Errorf("rule %s: %w", p.Name(), err)
	}
	return ruleInstance{in, sync.OnceFunc(func() {
		in.Close()
		s.give(p)
	})}, nil
}

// give counts an instance of a plugin as gone.
func (s *ruleSet) give(p *loadedRule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p.instances--
	s.retire(p)
}

// retire frees a plugin that nothing needs any more. s.mu is held.
func (s *ruleSet) retire(p *loadedRule) {
	if !p.replaced || p.instances > 0 {
		return
	}
	if err := p.Close(context.Background()); err != nil {
		s.h.log.Warn("a rule's former module was not freed", "rule", p.Name(), "error", err)
	}
}

// module returns the bytes of a rule's plugin: shipped, or a file of the venue's.
func module(r *venues.CompiledRule) ([]byte, error) {
	if r.Path == "" {
		wasm, err := plugins.Wasm(r.Plugin)
		if err != nil {
			return nil, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		return wasm, nil
	}
	info, err := os.Stat(r.Path)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, err)
	}
	if info.Size() > abi.MaxModule {
		return nil, fmt.Errorf("rule %s: %s has %d bytes, more than the %d that a plugin may have", r.Name, r.Path, info.Size(), abi.MaxModule)
	}
	wasm, err := os.ReadFile(r.Path)
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", r.Name, err)
	}
	return wasm, nil
}
