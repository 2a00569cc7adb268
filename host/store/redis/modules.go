package redis

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/venued/venued/host/store"
)

// maxTries is how often a transaction over a venue's rules begins anew because another one came first.
const maxTries = 64

// nameEntry is what is kept of a name: its owner and its versions in the order they came.
type nameEntry struct {
	Owner    string              `json:"owner"`
	Versions []store.RuleVersion `json:"versions"`
}

// rules is a venue's uploads as they were read, and what a transaction changes of them.
type rules struct {
	venue    string
	names    map[string]*nameEntry
	sizes    map[string]int64 // of modules, by digest
	assigned map[string]store.Assignment

	changed []string          // names whose entries are to be written
	modules map[string][]byte // to be written
	assign  []string          // fields of assignments to be written
}

// field is how an assignment is called. Regions and rules have no zero bytes.
func field(a *store.Assignment) string { return a.Region + "\x00" + a.Rule }

func (s *Store) ruleKeys(venue string) (rev, names, modules, sizes, assigned string) {
	return s.key(venue, "rules", "rev"), s.key(venue, "rules", "names"), s.key(venue, "rules", "modules"), s.key(venue, "rules", "sizes"), s.key(venue, "rules", "assigned")
}

// readRules reads what is kept of a venue's rules but the modules themselves, in one step with a pipeline of a transaction. Under a
// watch the pipeline must be a plain one, since EXEC ends the watch.
func (s *Store) readRules(ctx context.Context, pipe redis.Pipeliner, venue string) (*rules, error) {
	_, names, _, sizes, assigned := s.ruleKeys(venue)
	n, z, a := pipe.HGetAll(ctx, names), pipe.HGetAll(ctx, sizes), pipe.HGetAll(ctx, assigned)
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, s.failed("rules of "+venue, err)
	}
	r := &rules{venue: venue, names: map[string]*nameEntry{}, sizes: map[string]int64{}, assigned: map[string]store.Assignment{}, modules: map[string][]byte{}}
	broken := func(what, name string, err error) error {
		return fmt.Errorf("store: venue %s: %s %q cannot be read: %w: %w", venue, what, name, err, store.ErrDamaged)
	}
	for name, text := range n.Val() {
		e := &nameEntry{}
		if err := json.Unmarshal([]byte(text), e); err != nil {
			return nil, broken("name", name, err)
		}
		r.names[name] = e
	}
	for digest, text := range z.Val() {
		size, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, broken("size of module", digest, err)
		}
		r.sizes[digest] = size
	}
	for f, text := range a.Val() {
		var x store.Assignment
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			return nil, broken("assignment", f, err)
		}
		r.assigned[f] = x
	}
	return r, nil
}

// update changes a venue's rules in one transaction. do may run several times; it returns false for "nothing to write".
func (s *Store) update(ctx context.Context, venue string, do func(*rules) (bool, error)) error {
	rev, _, _, _, _ := s.ruleKeys(venue)
	for range maxTries {
		err := s.client.Watch(ctx, func(tx *redis.Tx) error {
			r, err := s.readRules(ctx, tx.Pipeline(), venue)
			if err != nil {
				return err
			}
			write, err := do(r)
			if err != nil || !write {
				return err
			}
			gone, err := r.sweep(s.opts.Modules)
			if err != nil {
				return err
			}
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Incr(ctx, rev)
				return s.writeRules(ctx, p, r, gone)
			})
			return err
		}, rev)
		if !errors.Is(err, redis.TxFailedErr) {
			return s.ruleError(venue, err)
		}
	}
	return fmt.Errorf("store: rules of %s: others changed them %d times meanwhile: try again", venue, maxTries)
}

// ruleError leaves the store's own errors as they are.
func (s *Store) ruleError(venue string, err error) error {
	for _, own := range []error{store.ErrNotFound, store.ErrOwner, store.ErrTaken, store.ErrAssigned, store.ErrFull, store.ErrDamaged} {
		if errors.Is(err, own) {
			return err
		}
	}
	return s.failed("rules of "+venue, err)
}

func (s *Store) writeRules(ctx context.Context, p redis.Pipeliner, r *rules, gone []string) error {
	_, names, modules, sizes, assigned := s.ruleKeys(r.venue)
	for _, name := range r.changed {
		text, err := json.Marshal(r.names[name])
		if err != nil {
			return err
		}
		p.HSet(ctx, names, name, text)
	}
	for _, f := range r.assign {
		text, err := json.Marshal(r.assigned[f])
		if err != nil {
			return err
		}
		p.HSet(ctx, assigned, f, text)
	}
	for digest, module := range r.modules {
		p.HSet(ctx, modules, digest, seal(moduleName(r.venue, digest), module))
		p.HSet(ctx, sizes, digest, len(module))
	}
	for _, digest := range gone {
		p.HDel(ctx, modules, digest)
		p.HDel(ctx, sizes, digest)
	}
	return nil
}

func moduleName(venue, digest string) string { return "module " + digest + " of " + venue }

// sweep returns the modules that nothing names any more, or ErrFull when the others are too large together.
func (r *rules) sweep(room int64) (gone []string, err error) {
	needed := map[string]bool{}
	for _, n := range r.names {
		for _, v := range n.Versions {
			needed[v.Digest] = needed[v.Digest] || !v.Dropped
		}
	}
	for _, a := range r.assigned {
		needed[a.Current], needed[a.Previous] = true, true
	}
	total := int64(0)
	for digest, size := range r.sizes {
		if needed[digest] {
			total += size
		} else {
			gone = append(gone, digest)
		}
	}
	if total > room {
		return nil, fmt.Errorf("venue %s: %d bytes of modules, at most %d are kept: drop versions that nothing runs: %w", r.venue, total, room, store.ErrFull)
	}
	return gone, nil
}

// SaveVersion implements store.Store.
func (s *Store) SaveVersion(ctx context.Context, venue string, v store.RuleVersion, module []byte) (fresh bool, err error) {
	if err := store.CheckName("venue", venue); err != nil {
		return false, err
	}
	if err := store.CheckVersion(&v, module); err != nil {
		return false, err
	}
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	err = s.update(ctx, venue, func(r *rules) (bool, error) {
		fresh = false
		write, err := r.saveVersion(v, module)
		fresh = write
		return write, err
	})
	return fresh && err == nil, err
}

func (r *rules) saveVersion(v store.RuleVersion, module []byte) (bool, error) {
	n := r.names[v.Name]
	if n == nil {
		if len(r.names) >= store.MaxNames {
			return false, fmt.Errorf("venue %s has %d names of rules, the most that are kept: %w", r.venue, store.MaxNames, store.ErrFull)
		}
		n = &nameEntry{Owner: v.By}
		r.names[v.Name] = n
	}
	if n.Owner != v.By {
		return false, fmt.Errorf("rule %s is %s's: %w", v.Name, n.Owner, store.ErrOwner)
	}
	if i := slices.IndexFunc(n.Versions, func(o store.RuleVersion) bool { return o.Version == v.Version }); i >= 0 {
		switch old := n.Versions[i]; {
		case old.Digest == v.Digest && !old.Dropped:
			return false, nil
		case old.Digest != v.Digest && !store.Development(v.Version):
			return false, fmt.Errorf("rule %s, version %s is module %.12s: %w", v.Name, v.Version, old.Digest, store.ErrTaken)
		}
		n.Versions = slices.Delete(n.Versions, i, i+1)
	}
	if len(n.Versions) >= store.MaxVersions {
		return false, fmt.Errorf("rule %s has %d versions, the most that are kept: %w", v.Name, store.MaxVersions, store.ErrFull)
	}
	n.Versions = append(n.Versions, v)
	r.changed = append(r.changed, v.Name)
	r.modules[v.Digest], r.sizes[v.Digest] = module, int64(len(module))
	return true, nil
}

// DropVersion implements store.Store.
func (s *Store) DropVersion(ctx context.Context, venue, name, version string) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckRuleName("rule name", name); err != nil {
		return err
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.update(ctx, venue, func(r *rules) (bool, error) {
		n := r.names[name]
		if n != nil {
			for i := range n.Versions {
				v := &n.Versions[i]
				if v.Version != version || v.Dropped {
					continue
				}
				for _, a := range r.assigned {
					if a.Current == v.Digest || a.Previous == v.Digest {
						return false, fmt.Errorf("rule %s, version %s: region %s: %w", name, version, a.Region, store.ErrAssigned)
					}
				}
				v.Dropped = true
				r.changed = append(r.changed, name)
				return true, nil
			}
		}
		return false, fmt.Errorf("rule %s, version %s: %w", name, version, store.ErrNotFound)
	})
}

// Versions implements store.Store.
func (s *Store) Versions(ctx context.Context, venue string) ([]store.RuleName, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	r, err := s.readRules(ctx, s.client.TxPipeline(), venue)
	if err != nil {
		return nil, err
	}
	var out []store.RuleName
	for name, e := range r.names {
		out = append(out, store.RuleName{Name: name, Owner: e.Owner, Versions: e.Versions})
	}
	slices.SortFunc(out, func(a, b store.RuleName) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}

// Module implements store.Store.
func (s *Store) Module(ctx context.Context, venue, digest string) ([]byte, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	_, _, modules, _, _ := s.ruleKeys(venue)
	text, err := s.client.HGet(ctx, modules, digest).Result()
	if err == redis.Nil {
		return nil, fmt.Errorf("venue %s, module %.12s: %w", venue, digest, store.ErrNotFound)
	}
	if err != nil {
		return nil, s.failed("module of "+venue, err)
	}
	b, err := unseal(moduleName(venue, digest), text)
	if err == nil && store.Digest(b) != digest {
		err = fmt.Errorf("store: %s does not have its digest: %w", moduleName(venue, digest), store.ErrDamaged)
	}
	return b, err
}

// Assign implements store.Store.
func (s *Store) Assign(ctx context.Context, venue string, a store.Assignment) error {
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckAssignment(&a); err != nil {
		return err
	}
	if strings.Contains(a.Region, "\x00") {
		return fmt.Errorf("region %q: a name with a zero byte: %w", a.Region, store.ErrLimit)
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	return s.update(ctx, venue, func(r *rules) (bool, error) {
		for _, d := range []string{a.Current, a.Previous} {
			if _, ok := r.sizes[d]; !ok && d != "" {
				return false, fmt.Errorf("region %s, rule %s: module %.12s: %w", a.Region, a.Rule, d, store.ErrNotFound)
			}
		}
		f := field(&a)
		if _, ok := r.assigned[f]; !ok && len(r.assigned) >= store.MaxAssignments {
			return false, fmt.Errorf("venue %s has %d assignments, the most that are kept: %w", venue, store.MaxAssignments, store.ErrFull)
		}
		r.assigned[f] = a
		r.assign = append(r.assign, f)
		return true, nil
	})
}

// Assignments implements store.Store.
func (s *Store) Assignments(ctx context.Context, venue string) ([]store.Assignment, error) {
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	r, err := s.readRules(ctx, s.client.TxPipeline(), venue)
	if err != nil {
		return nil, err
	}
	var out []store.Assignment
	for _, a := range r.assigned {
		out = append(out, a)
	}
	store.SortAssignments(out)
	return out, nil
}
