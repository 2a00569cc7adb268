package rulebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/host/store"
	"github.com/venued/venued/venues"
)

// orderTimeout bounds how long one region is waited for: loading a module compiles it.
const orderTimeout = 20 * time.Second

// Want says which version a rule shall run, and where.
type Want struct {
	Rule    string   // name in the venue
	From    string   // name that the version was uploaded under; "": the rule's
	Version string   // or
	Digest  string   // of the version; exactly one of the two
	Regions []string // none: all
	Approve bool     // grant what it wants beyond what runs now; for admins
	Faults  int      // after so many failed ticks of its first minute a region goes back by itself; 0: the default
	By      Caller
}

// Result is what a region did.
type Result struct {
	Region  string
	Err     error  // why it goes on with what it ran; nil: it runs what was asked for
	Tick    uint64 // from which it holds
	Changed bool   // another module runs now
	Module  bus.AdminModule
}

// Activate makes regions run an uploaded version as a rule. Every region that was asked for is in the results, unless the error is a
// *Refusal, or of the context: nothing has changed then. An error of a region changes nothing in that one.
func (b *Book) Activate(ctx context.Context, w Want) ([]Result, error) {
	rule, regions, err := b.target(w.By, w.Rule, w.Regions)
	if err != nil {
		return nil, err
	}
	if (w.Version == "") == (w.Digest == "") {
		return nil, refuse(BadRequest, "name either the digest or the version that rule %s shall run", w.Rule)
	}
	from := w.From
	if from == "" {
		from = w.Rule
	}
	if err := b.may(w.By, from); err != nil {
		return nil, err
	}
	if w.Approve && w.By.Key != "" {
		return nil, refuse(Forbidden, "approving takes the admin's token: rule key %s cannot", w.By.Key)
	}
	b.ops.Lock()
	defer b.ops.Unlock()
	if err := b.refresh(ctx); err != nil {
		return nil, err
	}
	v, err := b.version(ctx, from, func(v *store.RuleVersion) bool { return v.Version == w.Version || v.Digest == w.Digest })
	if err != nil {
		return nil, err
	}
	m, err := abi.ParseManifest(v.Manifest)
	if err != nil {
		return nil, refuse(Refused, "version %s of %s: %v", v.Version, from, err)
	}
	if err := fits(b.venue, rule, m); err != nil {
		return nil, refuse(Refused, "%v", err)
	}
	for _, region := range regions {
		if err := b.conflicts(ctx, place{region, rule}, m); err != nil {
			return nil, refuse(Conflict, "version %s of %s would conflict with another rule: %v", v.Version, from, err)
		}
	}
	if !w.Approve {
		var more []string
		for _, region := range regions {
			more = union(more, b.needs(ctx, place{region, rule}, m, abi.Class(v.Class)))
		}
		if len(more) > 0 {
			return nil, &Refusal{Code: NeedsApproval, Needs: more, Message: fmt.Sprintf("version %s of %s wants more than what runs now: %s: an admin may approve it", v.Version, from, strings.Join(more, ", "))}
		}
	}
	reason := fmt.Sprintf("%s activated version %s", w.By.Name(), v.Version)
	to := store.ModuleRef{Plugin: m.Name, Version: v.Version, Digest: v.Digest}
	return b.each(ctx, rule, regions, w.By, w.Faults, func(place, *store.Assignment) (store.ModuleRef, string, error) { return to, reason, nil })
}

// Rollback makes regions run what they ran before as a rule. What wants more than what runs now only an admin goes back to: it may have been
// taken away on purpose.
func (b *Book) Rollback(ctx context.Context, w Want) ([]Result, error) {
	rule, regions, err := b.target(w.By, w.Rule, w.Regions)
	if err != nil {
		return nil, err
	}
	if w.Approve && w.By.Key != "" {
		return nil, refuse(Forbidden, "approving takes the admin's token: rule key %s cannot", w.By.Key)
	}
	b.ops.Lock()
	defer b.ops.Unlock()
	if err := b.refresh(ctx); err != nil {
		return nil, err
	}
	return b.each(ctx, rule, regions, w.By, w.Faults, func(p place, a *store.Assignment) (store.ModuleRef, string, error) {
		if a.Previous == a.Current {
			return store.ModuleRef{}, "", refuse(Conflict, "region %s ran nothing else as rule %s: there is nothing to go back to", a.Region, a.Rule)
		}
		if err := b.mayReturn(ctx, w.By, p, a.Previous); err != nil {
			return store.ModuleRef{}, "", err
		}
		return b.ref(ctx, a.Previous), w.By.Name() + " rolled back", nil
	})
}

// Reload makes every region run the module of the venue's file, as it is now.
func (b *Book) Reload(ctx context.Context, c Caller, name string) ([]Result, error) {
	rule, regions, err := b.target(c, name, nil)
	if err != nil {
		return nil, err
	}
	b.ops.Lock()
	defer b.ops.Unlock()
	if err := b.refresh(ctx); err != nil {
		return nil, err
	}
	return b.each(ctx, rule, regions, c, 0, func(p place, _ *store.Assignment) (store.ModuleRef, string, error) {
		if err := b.mayReturn(ctx, c, p, ""); err != nil {
			return store.ModuleRef{}, "", err
		}
		return store.ModuleRef{File: true}, c.Name() + " loaded the venue file's module again", nil
	})
}

// mayReturn says whether a place may run a module again that was allowed there once: another rule may decide the same by now, and a key may
// not bring back what an admin took away. A module that cannot be read is refused later, with the reason.
func (b *Book) mayReturn(ctx context.Context, by Caller, p place, digest string) error {
	name, region := b.venue.Rules[p.rule].Name, b.venue.Regions[p.region].Name
	m, class, err := b.moduleOf(ctx, p.rule, digest)
	if digest == "" { // as the file is now: it is read anew
		m, err = fileManifest(&b.venue.Rules[p.rule])
	}
	if err != nil {
		b.log.Debug("what a module wants cannot be told", "rule", name, "digest", digest, "error", err)
		return nil
	}
	if err := b.conflicts(ctx, p, m); err != nil {
		return refuse(Conflict, "version %s of %s would conflict with another rule in region %s: %v", m.Version, name, region, err)
	}
	if by.Key == "" {
		return nil
	}
	if more := b.needs(ctx, p, m, class); len(more) > 0 {
		return &Refusal{Code: NeedsApproval, Needs: more, Message: fmt.Sprintf("version %s of %s wants more than what runs now in region %s: %s: an admin may go back to it", m.Version, name, region, strings.Join(more, ", "))}
	}
	return nil
}

// target returns the rule and the regions that somebody wants to change.
func (b *Book) target(c Caller, name string, names []string) (rule int, regions []int, err error) {
	rule = b.rule(name)
	if rule < 0 {
		var known []string
		for i := range b.venue.Rules {
			known = append(known, b.venue.Rules[i].Name)
		}
		return 0, nil, refuse(NotFound, "the venue has no rule %.64q: its rules are %s; others are added as [[rule]] to its file", name, strings.Join(known, ", "))
	}
	if err := b.may(c, name); err != nil {
		return 0, nil, err
	}
	if c.Key != "" && !b.key(c.Key).Activate {
		return 0, nil, refuse(Forbidden, "rule key %s may upload, but not change what runs ([[rules.keys]] activate in the configuration)", c.Key)
	}
	for _, n := range names {
		i := slices.IndexFunc(b.venue.Regions, func(r venues.Region) bool { return r.Name == n })
		if i < 0 {
			var known []string
			for i := range b.venue.Regions {
				known = append(known, b.venue.Regions[i].Name)
			}
			return 0, nil, refuse(NotFound, "the venue has no region %.64q: its regions are %s", n, strings.Join(known, ", "))
		}
		if !slices.Contains(regions, i) {
			regions = append(regions, i)
		}
	}
	if len(names) == 0 {
		for i := range b.venue.Regions {
			regions = append(regions, i)
		}
	}
	return rule, regions, nil
}

// ref names the module of a digest as well as the store knows it; "" is the file's.
func (b *Book) ref(ctx context.Context, digest string) store.ModuleRef {
	if digest == "" {
		return store.ModuleRef{File: true}
	}
	out := store.ModuleRef{Digest: digest}
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		b.log.Warn("versions cannot be read", "error", err)
	}
	for _, n := range names {
		for _, v := range n.Versions {
			if v.Digest != digest {
				continue
			}
			out.Version = v.Version
			if m, err := abi.ParseManifest(v.Manifest); err == nil {
				out.Plugin = m.Name
			}
		}
	}
	return out
}

// each changes what regions run, one after the other. b.ops is held.
func (b *Book) each(ctx context.Context, rule int, regions []int, by Caller, faults int,
	choose func(place, *store.Assignment) (to store.ModuleRef, reason string, err error)) ([]Result, error) {
	var out []Result
	for _, region := range regions {
		p := place{region, rule}
		a := b.assignment(p)
		r := Result{Region: a.Region}
		to, reason, err := choose(p, &a)
		if err == nil {
			err = b.change(ctx, p, a, store.Change{AtUnixMS: b.cfg.Now().UnixMilli(), To: to, By: by.Name(), Reason: reason}, faults, &r)
		}
		r.Err = err
		out = append(out, r)
	}
	if slices.ContainsFunc(out, func(r Result) bool { return r.Err == nil }) {
		return out, nil
	}
	return nil, together(out)
}

// together says that no region did what was wanted.
func together(results []Result) *Refusal {
	all := &Refusal{Code: Failed}
	var texts []string
	for i, r := range results {
		if !slices.Contains(texts, r.Err.Error()) {
			texts = append(texts, r.Err.Error())
		}
		code := Failed
		if refusal, ok := errors.AsType[*Refusal](r.Err); ok {
			code, all.Needs = refusal.Code, union(all.Needs, refusal.Needs)
		}
		if i == 0 {
			all.Code = code
		} else if all.Code != code {
			all.Code = Failed
		}
	}
	if all.Code != NeedsApproval {
		all.Needs = nil
	}
	all.Message = strings.Join(texts, "; ")
	return all
}

// assignment returns what is assigned to a place, with its names filled in.
func (b *Book) assignment(p place) store.Assignment {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.assigned[p]
	if !ok {
		a = store.Assignment{Region: b.venue.Regions[p.region].Name, Rule: b.venue.Rules[p.rule].Name}
	}
	a.History = slices.Clone(a.History)
	return a
}

// change makes a region run another module. What is written before the region is told is taken back when it does not do it.
func (b *Book) change(ctx context.Context, p place, old store.Assignment, c store.Change, faults int, r *Result) error {
	b.mu.Lock()
	replaced := b.problems[p] != ""
	b.mu.Unlock()
	was := old.Current
	if replaced {
		was = "" // the file's runs in the place of what was assigned
	}
	c.From = b.ref(ctx, was)
	next := old
	if next.Current = c.To.Digest; next.Current != was {
		next.Previous = was
	}
	next.History = addChange(old.History, c)
	if err := b.assign(ctx, p, next); err != nil {
		return err
	}
	reply, err := b.order(ctx, p, &bus.AdminRequest{
		Op: bus.AdminSwap, Rule: old.Rule, Digest: c.To.Digest, Faults: faults, Reason: c.Reason,
	})
	if err != nil {
		// Not under ctx: it may have ended.
		ask, cancel := context.WithTimeout(context.WithoutCancel(ctx), orderTimeout)
		reply = b.took(ask, p, &next, was)
		cancel()
	}
	if reply == nil {
		back, cancel := context.WithTimeout(context.WithoutCancel(ctx), orderTimeout)
		defer cancel()
		if undo := b.assign(back, p, old); undo != nil {
			b.log.Error("a region did not take a module, and what is assigned could not be taken back: it will run it after its next start", "rule", old.Rule, "region", old.Region, "digest", c.To.Digest, "error", undo)
		}
		return err
	}
	b.problem(p, "")
	c.Tick = reply.Tick
	if reply.From != (bus.AdminModule{}) {
		c.From = refOf(reply.From, c.From.File)
	}
	c.To = refOf(reply.To, c.To.File)
	next.History = addChange(old.History, c)
	// A region that went back meanwhile has had that written, by a process that may be another one.
	err = b.refresh(ctx)
	if err == nil && b.assignment(p).Current == next.Current {
		err = b.assign(ctx, p, next)
	}
	if err != nil {
		b.log.Warn("the history of a rule lacks the tick of a change", "rule", old.Rule, "region", old.Region, "error", err)
	}
	r.Tick, r.Changed, r.Module = reply.Tick, reply.Changed, reply.To
	return nil
}

// took asks a region that gave no good answer what it runs; not nil when it is what it was told to: it may have started anew
// meanwhile, with what is assigned.
func (b *Book) took(ctx context.Context, p place, next *store.Assignment, was string) *bus.AdminReply {
	if next.Current == was || next.Current == "" {
		return nil // running it says nothing
	}
	reply, err := b.order(ctx, p, &bus.AdminRequest{Op: bus.AdminRunning, Rule: next.Rule})
	if err != nil || reply.To.Digest != next.Current {
		return nil
	}
	reply.Changed = true
	return reply
}

func refOf(m bus.AdminModule, file bool) store.ModuleRef {
	return store.ModuleRef{Plugin: m.Plugin, Version: m.Version, Digest: m.Digest, File: file}
}

func addChange(history []store.Change, c store.Change) []store.Change {
	out := append(slices.Clone(history), c)
	return out[max(0, len(out)-store.MaxHistory):]
}

// assign writes what is assigned to a place.
func (b *Book) assign(ctx context.Context, p place, a store.Assignment) error {
	b.storing.Lock()
	defer b.storing.Unlock()
	if err := b.cfg.Store.Assign(ctx, b.venue.ID, a); err != nil {
		return fromStore(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.assigned[p] = a
	return nil
}

// order tells a region to do something, and waits for its answer.
func (b *Book) order(ctx context.Context, p place, q *bus.AdminRequest) (*bus.AdminReply, error) {
	ctx, cancel := context.WithTimeout(ctx, orderTimeout)
	defer cancel()
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	region := b.venue.Regions[p.region].Name
	data, err := b.cfg.Bus.Request(ctx, bus.Admin(b.venue.ID, region), body)
	var reply bus.AdminReply
	if err == nil {
		err = json.Unmarshal(data, &reply)
	}
	if remote, ok := errors.AsType[*bus.RemoteError](err); ok {
		return nil, refuse(Failed, "%s", remote.Text)
	}
	if err != nil {
		return nil, refuse(Unavailable, "region %s does not answer: %v", region, err)
	}
	return &reply, nil
}
