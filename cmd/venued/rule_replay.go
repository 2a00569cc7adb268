package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/recording"
	"github.com/venued/venued/host/recording/replay"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/venues"
)

// ruleReplayCmd plays a recording again.
type ruleReplayCmd struct {
	Recording string `arg:"" help:"The recording, a .vrec file: venued record fetch gets one from a host."`
	Rule      string `help:"Plugin to try, a .wasm file. Default: none, the recorded answers are played and the effects compared." placeholder:"A.wasm"`
	Against   string `help:"Plugin to compare it with. Default: what was answered when it was recorded." placeholder:"B.wasm"`
	As        string `help:"Rule of the recorded venue that the plugin stands for. Default: the one that ran this module, or a plugin of its name." placeholder:"NAME"`
	Venue     string `help:"Configuration of the venue to play it in. Default: the recorded one." placeholder:"FILE"`
	Keep      int    `default:"100" help:"How many differences are described." placeholder:"N"`
	JSON      bool   `name:"json" help:"Print one JSON object: same, a, b, ticks, calls, differences [{tick, rule, event, a, b}] and more."`
}

// Help gives an example.
func (*ruleReplayCmd) Help() string {
	return `For example:

    venued rule replay hall.vrec
    venued rule replay hall.vrec --rule lamp.wasm
    venued rule replay hall.vrec --rule lamp-1.1.wasm --against lamp-1.0.wasm

Each decision is put to both plugins as it was put when it was recorded, whatever they answered before; each keeps a state of its own. A plugin that is
the recorded one, to the byte, decides instead, and everything it does is compared.

Ends with 0 when nothing differs, 1 when something does, and 2 when the recording or a plugin is not what it should be.`
}

// Run plays the recording and prints what differs.
func (c *ruleReplayCmd) Run(ctx context.Context, out io.Writer, errOut stderr) error {
	if c.Against != "" && c.Rule == "" {
		return usagef("--against needs --rule: which plugin is compared with %s?", c.Against)
	}
	r := &replayed{errOut: errOut, A: "the recording", B: "the host's effects"}
	err := r.play(ctx, c)
	if r.close != nil {
		err = errors.Join(err, r.close())
	}
	if r.Report == nil {
		if err == nil {
			return nil
		}
		fmt.Fprintf(errOut, "venued: %s: %s\n", filepath.ToSlash(c.Recording), strings.TrimSpace(err.Error()))
		return errReported
	}
	r.Same = r.Report.Same()
	if c.JSON {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(r); err != nil {
			return err
		}
	} else {
		r.print(out)
	}
	switch {
	case errors.Is(err, recording.ErrCut):
		fmt.Fprintf(errOut, "venued: %s: %v; what is whole was played\n", filepath.ToSlash(c.Recording), err)
	case err != nil:
		fmt.Fprintf(errOut, "venued: %s: %v; what is whole was played\n", filepath.ToSlash(c.Recording), err)
		return errReported
	}
	if !r.Same {
		return errors.New(count(len(r.Differences)+r.More, "difference"))
	}
	return nil
}

// replayed is what a replay found, as it is printed.
type replayed struct {
	Same bool   `json:"same"`
	A    string `json:"a"`
	B    string `json:"b"`
	*replay.Report
	seconds float64
	errOut  io.Writer
	close   func() error
}

// play opens everything and plays; Report is nil when there was nothing to play.
func (r *replayed) play(ctx context.Context, c *ruleReplayCmd) error {
	file, err := os.Open(c.Recording)
	if err != nil {
		return err
	}
	defer file.Close()
	rd, err := recording.NewReader(file)
	if err != nil {
		return err
	}
	defer rd.Close()
	h := rd.Header()
	o := replay.Options{Keep: max(1, c.Keep)}
	if c.Venue != "" {
		if o.Venue, err = venues.Load(c.Venue, venues.Options{}); err != nil {
			return err
		}
	}
	if c.Rule != "" {
		if err := r.modules(ctx, c, h, &o); err != nil {
			return err
		}
	}
	r.Report, err = replay.Run(ctx, rd, o)
	if r.Report != nil {
		r.seconds = float64(r.ToTick-r.FromTick) / float64(h.TickHz)
	}
	return err
}

// modules loads the plugins that are to be tried.
func (r *replayed) modules(ctx context.Context, c *ruleReplayCmd, h *recording.Header, o *replay.Options) error {
	v := o.Venue
	var err error
	if v == nil {
		if v, err = h.Venue(); err != nil {
			return err
		}
	}
	child, err := compiler()
	if err != nil {
		return err
	}
	engine, err := rules.NewEngine(ctx, rules.Config{Compiler: child, Log: slog.New(slog.NewTextHandler(r.errOut, &slog.HandlerOptions{Level: slog.LevelError}))})
	if err != nil {
		return err
	}
	r.close = func() error { return engine.Close(context.Background()) }
	a, err := readSome(c.Rule, abi.MaxModule, "a plugin")
	if err != nil {
		return err
	}
	index, err := c.ruleOf(h, a)
	if err != nil {
		return err
	}
	first, err := instance(ctx, engine, v, h, index, c.Rule, a)
	if err != nil {
		return err
	}
	if c.Against == "" && first.Digest() == h.Rules[index].Digest {
		r.B = moduleLabel(first)
		o.Decide = func(rule string, m *recording.Module) (scene.Rule, error) {
			if rule != h.Rules[index].Name || m.Digest != first.Digest() {
				return nil, nil
			}
			return first, nil
		}
		return nil
	}
	name := h.Rules[index].Name
	o.Ask = []replay.Asked{{Rule: name, Module: first}}
	r.B = moduleLabel(first)
	if c.Against == "" {
		return nil
	}
	b, err := readSome(c.Against, abi.MaxModule, "a plugin")
	if err != nil {
		return err
	}
	second, err := instance(ctx, engine, v, h, index, c.Against, b)
	if err != nil {
		return err
	}
	o.Ask = append(o.Ask, replay.Asked{Rule: name, Module: second})
	r.A, r.B = moduleLabel(first), moduleLabel(second)
	return nil
}

// ruleOf finds the rule that a plugin stands for.
func (c *ruleReplayCmd) ruleOf(h *recording.Header, wasm []byte) (int, error) {
	if c.As != "" {
		return replay.RuleIndex(h, c.As)
	}
	m, err := manifestOf(wasm)
	if err != nil {
		return -1, fmt.Errorf("%s: %w", c.Rule, err)
	}
	sum := sha256.Sum256(wasm)
	digest := hex.EncodeToString(sum[:])
	found := -1
	for i := range h.Rules {
		r := &h.Rules[i]
		switch {
		case r.Manifest == nil:
		case r.Digest == digest:
			return i, nil
		case r.Manifest.Name == m.Name && found >= 0:
			return -1, fmt.Errorf("rules %s and %s both ran a plugin called %s: name the one that %s stands for with --as", h.Rules[found].Name, r.Name, m.Name, c.Rule)
		case r.Manifest.Name == m.Name:
			found = i
		}
	}
	if found < 0 {
		_, err := replay.RuleIndex(h, m.Name)
		if err == nil {
			return replay.RuleIndex(h, m.Name)
		}
		return -1, fmt.Errorf("%s is the plugin %w; name the rule that it stands for with --as", c.Rule, err)
	}
	return found, nil
}

// instance makes an instance of a plugin for a rule of the recorded region, under the limits that it has in a region.
func instance(ctx context.Context, engine *rules.Engine, v *venues.Venue, h *recording.Header, index int, file string, wasm []byte) (*rules.Instance, error) {
	if index >= len(v.Rules) {
		return nil, fmt.Errorf("the venue has no rule %s", h.Rules[index].Name)
	}
	p, err := engine.Load(ctx, h.Rules[index].Name, wasm, rules.LoadOptions{Settings: v.Rules[index].Settings, Class: v.Rules[index].Class})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	in, err := p.Instance(rules.InstanceConfig{Region: uint32(h.Index)})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return in, nil
}

func moduleLabel(r scene.Rule) string {
	m := r.Manifest()
	return fmt.Sprintf("%s@%s (%.12s)", m.Name, m.Version, r.Digest())
}

// print writes the report for people.
func (r *replayed) print(out io.Writer) {
	fmt.Fprintf(out, "venue %s, region %s, recorded by venued %s: %s (%.1f s), %s of rules\n", r.Venue, r.Region, r.Host,
		count(r.Ticks, "tick"), r.seconds, count(r.Calls, "call"))
	fmt.Fprintf(out, "A  %s\nB  %s\n", r.A, r.B)
	for i := range r.Differences {
		d := &r.Differences[i]
		what := d.Event
		if d.Kind == replay.KindEffects {
			what = "effects: " + strings.Join(d.Parts, ", ")
		} else if d.Kind == replay.KindState {
			what = "state"
		}
		fmt.Fprintf(out, "tick %d", d.Tick)
		for _, s := range []string{d.Rule, what, d.Note} {
			if s != "" {
				fmt.Fprintf(out, "  %s", s)
			}
		}
		fmt.Fprintln(out)
		if d.Kind == replay.KindAnswer || d.Kind == replay.KindState {
			printAnswer(out, "A", d.A)
			printAnswer(out, "B", d.B)
		}
	}
	if r.More > 0 {
		fmt.Fprintf(out, "and %d more\n", r.More)
	}
	if r.ByClock > 0 {
		fmt.Fprintf(out, "%s that a clock had ended, taken as recorded\n", count(r.ByClock, "call"))
	}
	if len(r.NotCompared) > 0 {
		fmt.Fprintf(out, "not compared, since venued %s recorded them in another layout: %s\n", r.Host, strings.Join(r.NotCompared, ", "))
	}
	if r.EffectsDiffer > 0 {
		fmt.Fprintf(out, "effects differ in %s\n", count(r.EffectsDiffer, "tick"))
	}
	if r.Same {
		fmt.Fprintln(out, "no difference")
	}
}

func printAnswer(out io.Writer, who string, lines []string) {
	if len(lines) == 0 {
		lines = []string{"nothing"}
	}
	for _, line := range lines {
		fmt.Fprintf(out, "  %s  %s\n", who, line)
		who = " "
	}
}
