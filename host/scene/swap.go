package scene

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/scene/terms"
)

const (
	// swapFaults is how many faulted ticks bring the old module back.
	swapFaults = 3
	// swapWatchS is for how many seconds a new module is watched.
	swapWatchS = 60
)

// watch is a swap whose new module has not proved itself.
type watch struct {
	old    Rule
	terms  *terms.Terms // of old
	module Module       // of old
	forked bool         // the state was migrated: that of before is kept
	fresh  bool         // no step was made since
	limit  int          // faulted ticks that bring old back
	faults int          // faulted ticks so far
	since  uint64       // the first tick of the new one
	ticks  uint64       // how long it is watched
}

// SwapRule puts another module in the place of a rule (index of Venue.Rules), between two steps. The rule's keys and
// timers stay; when the new module keeps its state in another layout, its Migrate turns it into that, all or nothing. The
// rule's quarantine and what was held against people end. When the new module does not fit or cannot migrate, the error says why
// and nothing has changed.
//
// The old module is kept while the new one is watched: when it faults in opt.Faults ticks or gets into quarantine meanwhile, the step
// of the last fault ends with the old one in its place again, and a migrated state as it was before the swap; otherwise the old
// one is in Effects.Retired once the time is over. A restart ends the watch, and gives the migrated state of before as much time again in
// which SwapRule, or another start, with a module of the old layout goes back to it. One that was in quarantine itself, or is the same module, is retired at once. A rule
// that had no module gets its first.
func (r *Region) SwapRule(index int, rule Rule, opt SwapOptions) error {
	if index < 0 || index >= len(r.rules) {
		return fmt.Errorf("scene: SwapRule: region %s has no rule %d", r.region.Name, index)
	}
	run := r.rules[index]
	if run == nil {
		return r.firstModule(index, rule, opt)
	}
	if run.watch != nil && run.watch.fresh {
		return fmt.Errorf("rule %s was swapped in this very tick: swap it again at the next", run.name)
	}
	if r.recovered && slices.ContainsFunc(r.log.Forks, func(f saved.Fork) bool { return f.Rule == run.name }) {
		return fmt.Errorf("rule %s: region %s has just started with what is left of a swap: swap it at the next tick", run.name, r.region.Name)
	}
	next := *run
	if err := r.equip(&next, rule); err != nil {
		return err
	}
	w := &watch{
		old: run.Rule, terms: run.Terms, module: run.module, fresh: true, limit: cmp.Or(opt.Faults, swapFaults),
		ticks: cmp.Or(opt.WatchTicks, swapWatchS*uint64(r.venue.TickHz)),
	}
	proven := !run.quarantine && run.module.Digest != next.module.Digest
	fork := r.saved.Fork(run.name)
	switch {
	case next.module.Schema == run.module.Schema:
		if fork != nil {
			r.log.Forks = append(r.log.Forks, saved.Fork{Rule: run.name, Op: saved.ForkDrop})
		}
	case fork != nil && fork.Schema == next.module.Schema:
		// Back by hand: the state of before is still there. The one of the newer layout goes.
		r.takeFork(&next, fork)
		proven = false
	default:
		if err := r.migrate(&next, run.module.Schema); err != nil {
			return err
		}
		op := saved.Fork{Rule: run.name, Op: saved.ForkDrop}
		if w.forked = proven; proven {
			op = saved.Fork{Rule: run.name, Op: saved.ForkKeep, Schema: run.module.Schema, Ticks: w.ticks, Until: r.tick + w.ticks}
		}
		r.log.Forks = append(r.log.Forks, op)
	}
	if run.watch != nil {
		r.retired = append(r.retired, run.watch.old)
	}
	if next.watch = w; !proven {
		next.watch = nil
		r.retired = append(r.retired, run.Rule)
	}
	from := run.module
	*run = next
	r.forgive(run)
	r.cfg.Rules[index] = rule
	r.assignDeciders()
	r.swaps = append(r.swaps, SwapEvent{Rule: run.name, From: from, To: run.module, Reason: opt.Reason})
	return nil
}

// firstModule gives a rule that has none a module.
func (r *Region) firstModule(index int, rule Rule, opt SwapOptions) error {
	run, err := r.newRun(index, rule)
	if err == nil {
		err = r.restoreSchema(run)
	}
	if err != nil {
		return err
	}
	r.rules[index], r.cfg.Rules[index] = run, rule
	r.assignDeciders()
	r.swaps = append(r.swaps, SwapEvent{Rule: run.name, To: run.module, Reason: opt.Reason})
	return nil
}

// forgive ends a rule's quarantine and forgets what was held against people.
func (r *Region) forgive(run *ruleRun) {
	run.streak, run.blame, run.quarantine = 0, [quarantineTicks]saved.Person{}, false
	clear(run.offenders)
}

// migrate lets a rule's module turn the state of another layout into its own.
func (r *Region) migrate(run *ruleRun, from int) error {
	r.call.begin(r, run)
	if err := run.Migrate(from, &r.call); err != nil {
		return fmt.Errorf("rule %s: its state in region %s has schema %d, and %s cannot migrate it to its schema %d: %w",
			run.name, r.region.Name, from, run.module.String(), run.module.Schema, err)
	}
	r.call.commit()
	r.log.Schemas = append(r.log.Schemas, saved.Schema{Rule: run.name, Schema: run.module.Schema})
	return nil
}

// takeFork makes a rule's kept state its state again. What belonged to things and people that are gone since goes.
func (r *Region) takeFork(run *ruleRun, fork *saved.Forked) {
	r.log.Forks = append(r.log.Forks, saved.Fork{Rule: run.name, Op: saved.ForkBack})
	r.resetState(run, fork.Keys, fork.Timers)
}

// resetState gives a rule other keys and timers, as they are saved, in place of what it has and did in this step.
func (r *Region) resetState(run *ruleRun, keys *saved.Keyspace, timers []saved.Timer) {
	run.stored, run.timers = keys, slices.Clone(timers)
	run.written.reset()
	run.timerNews = nil
	run.forget(func(k *saved.KeyName) bool {
		return k.Scope == abi.ScopeObject && !r.hasSubject(k.Scope, k.Subject) || k.Scope == abi.ScopeUser && r.people[k.Who] == nil &&
			(k.Who.Load || !r.saved.HasLeft(k.Who)) // who did not leave was handed over, and has it elsewhere
	})
	for _, t := range timers {
		if subject := r.subjectOf(&t); !r.hasSubject(t.Scope, subject) {
			run.cancelTimer(t.Name())
		}
	}
}

// watchSwaps counts a step's faults against new modules, and ends watches.
func (r *Region) watchSwaps() {
	r.fx.Retired = append(r.fx.Retired, r.retired...)
	clear(r.retired)
	r.retired = r.retired[:0]
	for i := range r.swaps {
		r.swaps[i].Tick = r.tick
		r.fx.Swaps = append(r.fx.Swaps, r.swaps[i])
	}
	r.swaps = r.swaps[:0]
	for _, rule := range r.rules {
		if rule == nil {
			continue
		}
		w := rule.watch
		if w == nil {
			r.watchFork(rule)
			continue
		}
		if w.fresh {
			w.since = r.tick
		}
		last := r.lastFault(rule)
		if last != nil {
			w.faults++
		}
		switch {
		case last != nil && (w.faults >= w.limit || rule.quarantine):
			r.swapBack(rule, last)
		case r.tick >= w.since+w.ticks:
			r.fx.Retired = append(r.fx.Retired, w.old)
			if w.forked {
				r.log.Forks = append(r.log.Forks, saved.Fork{Rule: rule.name, Op: saved.ForkDrop})
			}
			rule.watch = nil
		default:
			w.fresh = false
		}
	}
}

// watchFork lets go of the state of before a swap that nobody watches, since the region was started in between: once the new module has
// decided for as long as it would have been watched.
func (r *Region) watchFork(rule *ruleRun) {
	fork := r.saved.Fork(rule.name)
	if fork == nil {
		return
	}
	wait := slices.IndexFunc(r.log.Forks, func(f saved.Fork) bool { return f.Rule == rule.name && f.Op == saved.ForkWait })
	switch {
	case wait >= 0: // the first step
		r.log.Forks[wait].Until = r.tick + cmp.Or(fork.Ticks, swapWatchS*uint64(r.venue.TickHz))
	case r.tick >= fork.Until:
		r.log.Forks = append(r.log.Forks, saved.Fork{Rule: rule.name, Op: saved.ForkDrop})
	}
}

// lastFault returns the step's last fault that a rule's module is to blame for, nil for none.
func (r *Region) lastFault(rule *ruleRun) *RuleFault {
	for i := len(r.fx.Faults) - 1; i >= 0; i-- {
		if f := &r.fx.Faults[i]; f.Rule == rule.name && f.Fault.Kind != abi.FaultBudget {
			return f
		}
	}
	return nil
}

// swapBack ends a step with the old module in the place of the new one.
func (r *Region) swapBack(rule *ruleRun, last *RuleFault) {
	w := rule.watch
	reason := fmt.Sprintf("it failed in %d of its first %d ticks, the last time with: %v", w.faults, r.tick-w.since+1, last.Fault)
	r.fx.Swaps = append(r.fx.Swaps, SwapEvent{
		Rule: rule.name, Tick: r.tick + 1, From: rule.module, To: w.module, Reason: reason, Returned: true,
	})
	r.fx.Retired = append(r.fx.Retired, rule.Rule)
	if w.forked {
		if fork := r.saved.Fork(rule.name); !w.fresh && fork != nil {
			r.takeFork(rule, fork)
			r.log.Schemas = slices.DeleteFunc(r.log.Schemas, func(s saved.Schema) bool { return s.Rule == rule.name })
		} else {
			// The swap was before this very step: what is saved is the state of before.
			r.log.Forks = slices.DeleteFunc(r.log.Forks, func(f saved.Fork) bool { return f.Rule == rule.name })
			r.log.Schemas = slices.DeleteFunc(r.log.Schemas, func(s saved.Schema) bool { return s.Rule == rule.name })
			r.resetState(rule, rule.stored, r.saved.TimersOf(rule.name))
		}
	}
	rule.Rule, rule.Terms, rule.module, rule.watch = w.old, w.terms, w.module, nil
	r.forgive(rule)
	r.cfg.Rules[rule.index] = w.old
	r.assignDeciders()
}

// Kept returns the modules that the region holds beside those of Config.Rules: old ones of swaps that are watched, and those to be
// retired by the next step. Whoever lets go of the region lets go of them too.
func (r *Region) Kept() []Rule {
	kept := slices.Clone(r.retired)
	for _, rule := range r.rules {
		if rule != nil && rule.watch != nil {
			kept = append(kept, rule.watch.old)
		}
	}
	return kept
}

// restoreSchemas brings every rule's state into the layout that its module has, after a start.
func (r *Region) restoreSchemas() error {
	for _, rule := range r.rules {
		if rule != nil {
			if err := r.restoreSchema(rule); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Region) restoreSchema(rule *ruleRun) error {
	have, known := r.saved.Schemas[rule.name]
	fork := r.saved.Fork(rule.name)
	switch {
	case !known:
		r.log.Schemas = append(r.log.Schemas, saved.Schema{Rule: rule.name, Schema: rule.module.Schema})
		return nil
	case have == rule.module.Schema:
		if fork != nil {
			r.log.Forks = append(r.log.Forks, saved.Fork{Rule: rule.name, Op: saved.ForkWait})
		}
		return nil
	case fork != nil && fork.Schema == rule.module.Schema:
		r.takeFork(rule, fork)
		return nil
	default:
		if err := r.migrate(rule, have); err != nil {
			return err
		}
	}
	if fork != nil {
		r.log.Forks = append(r.log.Forks, saved.Fork{Rule: rule.name, Op: saved.ForkDrop})
	}
	return nil
}
