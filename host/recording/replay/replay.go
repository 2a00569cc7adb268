package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/stream"
	"github.com/venued/venued/venues"
)

// Options of a replay. The zero value plays the recorded answers and compares the effects.
type Options struct {
	// Venue the region is played in. Default: the recorded one.
	Venue *venues.Venue
	// Decide gives the module that decides for a rule, as the recording begins and at every swap; nil for the recorded answers. Modules are
	// the caller's to close.
	Decide func(rule string, m *recording.Module) (scene.Rule, error)
	// Ask are the modules that are only asked: one is compared with the recorded answers, two with one another.
	Ask []Asked
	// Keep is how many differences the report describes; the others are counted. Default 100.
	Keep int
}

// Asked is a module that is asked in a rule's place.
type Asked struct {
	Rule   string // name in the venue
	Module scene.Rule
}

// Errors of a replay.
var (
	// ErrForeign: the venue is not the recorded one.
	ErrForeign = errors.New("the recording is of another venue")
	// ErrNoRule: the recording has no such rule.
	ErrNoRule = errors.New("the recording has no such rule")
	// ErrUnplayable: the recording's content does not fit together.
	ErrUnplayable = errors.New("the recording cannot be played")
)

// Run plays a recording to its end, or to where it is whole: then the report tells of that and the error is the Reader's. Any other
// error means that nothing can be said.
func Run(ctx context.Context, rd *recording.Reader, o Options) (*Report, error) {
	p, err := newPlayer(rd.Header(), &o)
	if err != nil {
		return nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := rd.Next()
		if errors.Is(err, io.EOF) {
			p.report.Ended = rd.End().Reason
			return p.report, nil
		}
		if err != nil {
			p.report.Cut = err.Error()
			return p.report, err
		}
		if err := p.frame(f); err != nil {
			return nil, fmt.Errorf("tick %d: %w", f.Tick, err)
		}
	}
}

// player is a replay under way.
type player struct {
	header  *recording.Header
	options *Options
	region  *scene.Region
	seats   []*seat
	names   map[uint64]string // of entities, for people
	report  *Report
	parts   []int // for each part of this build: its index in the recording, -1 when it cannot be compared
	texts   bool  // texts can be compared

	frameNow *recording.Frame
	calls    []recording.Call // of the frame, or of a swap, that were not made yet
	pending  []pending
}

func newPlayer(h *recording.Header, o *Options) (p *player, err error) {
	if o.Keep <= 0 {
		o.Keep = 100
	}
	v := o.Venue
	if v == nil {
		if v, err = h.Venue(); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnplayable, err)
		}
	} else if err := fits(h, v); err != nil {
		return nil, err
	}
	if h.Index < 0 || h.Index >= len(v.Regions) || v.Regions[h.Index].Name != h.Region || len(h.Rules) != len(v.Rules) || h.TickHz != v.TickHz {
		return nil, fmt.Errorf("its venue has no region %d called %q with %d rules at %d Hz: %w", h.Index, h.Region, len(h.Rules), h.TickHz, ErrUnplayable)
	}
	p = &player{header: h, options: o, names: map[uint64]string{}, report: newReport(h)}
	rules, old := make([]scene.Rule, len(h.Rules)), make([]scene.Rule, len(h.Rules))
	p.seats = make([]*seat, len(h.Rules))
	for i := range h.Rules {
		if h.Rules[i].Manifest == nil {
			continue
		}
		if p.seats[i], err = p.seat(i, &h.Rules[i].Module); err != nil {
			return nil, err
		}
		rules[i] = p.seats[i]
		if m := h.Rules[i].Old; m != nil {
			s, err := p.seat(i, m)
			if err != nil {
				return nil, err
			}
			old[i] = s
		}
	}
	err = contain(func() (err error) {
		p.region, err = scene.Revive(scene.Config{Venue: v, Region: h.Index, Rules: rules, Old: old}, h.Start)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnplayable, err)
	}
	for _, e := range p.region.Key().Entities {
		p.learn(&e)
	}
	if err := p.ask(); err != nil {
		return nil, err
	}
	p.compareParts()
	return p, nil
}

// fits reports whether a recording can be played in a venue.
func fits(h *recording.Header, v *venues.Venue) error {
	digest, err := recording.VenueDigest(v)
	switch {
	case err != nil:
		return err
	case v.ID != h.VenueID:
		return fmt.Errorf("it is of venue %q, not of %q: %w", h.VenueID, v.ID, ErrForeign)
	case digest != h.VenueDigest:
		return fmt.Errorf("venue %q has changed since: its file gives %.12s, the recording has %.12s; leave the venue away to play it in the recorded one: %w",
			v.ID, digest, h.VenueDigest, ErrForeign)
	}
	return nil
}

// ask makes the shadows of the modules that are only asked.
func (p *player) ask() error {
	for i := range p.options.Ask {
		a := &p.options.Ask[i]
		index, err := RuleIndex(p.header, a.Rule)
		if err != nil {
			return err
		}
		s := p.seats[index]
		if s == nil {
			return fmt.Errorf("no module was loaded for rule %q when it was recorded: %w", a.Rule, ErrNoRule)
		}
		shadow, err := p.region.NewShadow(index, a.Module)
		if err != nil {
			return fmt.Errorf("module %s: %w", label(a.Module.Manifest(), a.Module.Digest()), err)
		}
		if len(s.asked) == 2 {
			return errors.New("replay: at most two modules are asked in a rule's place")
		}
		s.asked = append(s.asked, asked{shadow, label(a.Module.Manifest(), a.Module.Digest())})
	}
	return nil
}

// RuleIndex finds a rule of the recorded venue by its name; the error names those there are.
func RuleIndex(h *recording.Header, name string) (int, error) {
	i := slices.IndexFunc(h.Rules, func(r recording.Rule) bool { return r.Name == name })
	if i < 0 {
		return -1, fmt.Errorf("%q; it has %s: %w", name, ruleNames(h), ErrNoRule)
	}
	return i, nil
}

// compareParts finds out which parts of the recorded effects mean what this build's do.
func (p *player) compareParts() {
	p.texts = true
	for _, mine := range recording.Parts() {
		at := slices.Index(p.header.Parts, mine)
		p.parts = append(p.parts, at)
		if at < 0 {
			p.texts = false
			p.report.NotCompared = append(p.report.NotCompared, mine.Name)
		}
	}
	if len(p.header.Parts) != len(p.parts) {
		p.texts = false
	}
}

// frame plays one tick.
func (p *player) frame(f *recording.Frame) error {
	p.frameNow = f
	for i := range f.Swaps {
		if err := p.swap(&f.Swaps[i]); err != nil {
			return err
		}
	}
	p.calls = f.Calls
	var fx *scene.Effects
	err := contain(func() error {
		fx = p.region.Step(f.Tick, slices.Clone(f.Inputs))
		return nil
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnplayable, err)
	}
	for i := range fx.Entities {
		p.learn(&fx.Entities[i])
	}
	for _, c := range p.calls {
		p.differ(pending{kind: KindQuestion, rule: c.Rule, note: "the recording has a call that the replay did not make"})
	}
	p.calls = nil
	p.describe(f.Tick)
	p.compare(f, fx)
	p.report.Ticks++
	p.report.ToTick = f.Tick
	return nil
}

// swap puts the recorded module of a swap into its rule's place.
func (p *player) swap(s *recording.Swap) error {
	old := p.seats[s.Rule]
	if old == nil {
		return fmt.Errorf("a swap of rule %d, which has no module: %w", s.Rule, ErrUnplayable)
	}
	fresh, err := p.seat(s.Rule, &s.Module)
	if err != nil {
		return err
	}
	fresh.asked = old.asked
	p.calls = s.Calls
	err = contain(func() error { return p.region.SwapRule(s.Rule, fresh, s.Options) })
	if err != nil {
		return fmt.Errorf("rule %s: the swap to %s failed: %w: %w", p.header.Rules[s.Rule].Name, label(s.Module.Manifest, s.Module.Digest), err, ErrUnplayable)
	}
	p.seats[s.Rule] = fresh
	p.report.Swaps++
	return nil
}

// compare holds a step's effects against the recorded ones.
func (p *player) compare(f *recording.Frame, fx *scene.Effects) {
	got := recording.Digest(fx)
	var parts []string
	for i, part := range recording.Parts() {
		if at := p.parts[i]; at >= 0 && got.Sums[i] != f.Effects.Sums[at] {
			parts = append(parts, part.Name)
		}
	}
	if p.texts && !sameTexts(f.Effects.Texts, got.Texts) {
		parts = append(parts, "texts")
	}
	if len(parts) > 0 {
		p.report.EffectsDiffer++
		p.report.add(Difference{Tick: f.Tick, Kind: KindEffects, Parts: parts}, p.options.Keep)
	}
}

func sameTexts(want, got []recording.Text) bool {
	return slices.EqualFunc(want, got, func(a, b recording.Text) bool { return a.Same(b.Bytes) })
}

// learn notes what an entity is called.
func (p *player) learn(e *stream.Entity) {
	if e.Kind == stream.Avatar {
		p.names[e.ID] = e.User
		return
	}
	p.names[e.ID] = e.Name
}

// contain turns a panic into an error: a region may rely on things that only a damaged recording breaks.
func contain(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return f()
}

// label names a module for people.
func label(m *abi.Manifest, digest string) string {
	if m == nil {
		return "no module"
	}
	return fmt.Sprintf("%s@%s (%.12s)", m.Name, m.Version, digest)
}
