package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/venued/venued/host/store"
)

const (
	modulesName     = "modules"
	namesName       = "names"
	versionsName    = "versions"
	assignmentsName = "assigned"
)

// modules are a venue's buckets of uploads.
type modules struct {
	blobs, names, versions, assigned sealed
	venue                            string
	room                             int64 // bytes of all modules
}

// makeModules returns a venue's buckets, new if need be.
func (s *Store) makeModules(top sealed, venue string) (m modules, err error) {
	m.venue, m.room = venue, s.opts.Modules
	v, _, err := s.makeVenue(top, venue)
	if err != nil {
		return m, err
	}
	for name, b := range m.buckets() {
		if *b, err = v.makeChild(name); err != nil {
			return m, err
		}
	}
	return m, nil
}

// findModules returns a venue's buckets; false when nothing was ever uploaded or assigned.
func findModules(top sealed, venue string) (m modules, ok bool, err error) {
	m.venue = venue
	v, ok := top.child(venuePrefix + venue)
	if !ok {
		return m, false, nil
	}
	found := 0
	for name, b := range m.buckets() {
		if *b, ok = v.child(name); ok {
			found++
		}
	}
	if found != 0 && found != 4 {
		return m, false, damaged(v.path, "some of the buckets of modules are missing")
	}
	return m, found == 4, nil
}

func (m *modules) buckets() map[string]*sealed {
	return map[string]*sealed{modulesName: &m.blobs, namesName: &m.names, versionsName: &m.versions, assignmentsName: &m.assigned}
}

// strict reads an entry that this package wrote; anything else is an error.
func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows it")
	}
	return nil
}

func putJSON(b sealed, key []byte, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%s: %w", b.path, err)
	}
	return b.put(key, data)
}

// nameEntry is what is kept of a name.
type nameEntry struct {
	Owner string `json:"owner"`
	Next  uint32 `json:"next"` // number of the next version
}

// versionKey is the name, a zero, and the version's number.
func versionKey(name string, n uint32) []byte {
	return binary.BigEndian.AppendUint32(append([]byte(name), 0), n)
}

// kept is a version with its key.
type kept struct {
	key []byte
	store.RuleVersion
}

// of returns the versions of a name, in their order.
func (m *modules) of(name string) ([]kept, error) {
	prefix := append([]byte(name), 0)
	var out []kept
	c := m.versions.b.Cursor()
	for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
		e, err := m.version(k, v)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func (m *modules) version(k, v []byte) (kept, error) {
	e := kept{key: clone(k)}
	payload, _, err := m.versions.open(k, v)
	if err != nil {
		return e, err
	}
	if err := strict(payload, &e.RuleVersion); err != nil {
		return e, damaged(m.versions.path, "version %x: %w", k, err)
	}
	if at := versionKey(e.Name, 0); len(k) != len(at) || !bytes.Equal(k[:len(k)-4], at[:len(at)-4]) {
		return e, damaged(m.versions.path, "version %x is of another name", k)
	}
	return e, nil
}

// SaveVersion implements store.Store.
func (s *Store) SaveVersion(ctx context.Context, venue string, v store.RuleVersion, module []byte) (fresh bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return false, err
	}
	if err := store.CheckVersion(&v, module); err != nil {
		return false, err
	}
	err = s.write(func(top sealed) error {
		m, err := s.makeModules(top, venue)
		if err != nil {
			return err
		}
		fresh, err = m.save(&v, module)
		return err
	})
	return fresh && err == nil, err
}

func (m *modules) save(v *store.RuleVersion, module []byte) (fresh bool, err error) {
	entry, err := m.name(v.Name, v.By)
	if err != nil {
		return false, err
	}
	versions, err := m.of(v.Name)
	if err != nil {
		return false, err
	}
	count := len(versions)
	for i := range versions {
		old := &versions[i]
		if old.Version != v.Version {
			continue
		}
		if old.Digest == v.Digest && !old.Dropped {
			return false, m.mend(v.Digest, module)
		}
		if old.Digest != v.Digest && !store.Development(v.Version) {
			return false, fmt.Errorf("rule %s: version %s is the module %.12s, this one is %.12s: %w: give it another version", v.Name, v.Version, old.Digest, v.Digest, store.ErrTaken)
		}
		if err := m.versions.drop(old.key); err != nil {
			return false, err
		}
		count--
	}
	if count >= store.MaxVersions {
		return false, fmt.Errorf("rule %s has %d versions, the most there may be: %w: upload under another name", v.Name, count, store.ErrFull)
	}
	if err := putJSON(m.versions, versionKey(v.Name, entry.Next), v); err != nil {
		return false, err
	}
	entry.Next++
	if err := putJSON(m.names, []byte(v.Name), entry); err != nil {
		return false, err
	}
	if err := m.mend(v.Digest, module); err != nil {
		return false, err
	}
	return true, m.sweep()
}

// name returns what is kept of a name that belongs to by, or to nobody.
func (m *modules) name(name, by string) (nameEntry, error) {
	b, err := m.names.get([]byte(name))
	if err != nil {
		return nameEntry{}, err
	}
	if b == nil {
		n := 0
		if err := m.names.b.ForEach(func(_, _ []byte) error { n++; return nil }); err != nil {
			return nameEntry{}, err
		}
		if n >= store.MaxNames {
			return nameEntry{}, fmt.Errorf("rule %s: venue %s has %d names of rules, the most there may be: %w", name, m.venue, n, store.ErrFull)
		}
		return nameEntry{Owner: by}, nil
	}
	var e nameEntry
	if err := strict(b, &e); err != nil {
		return e, damaged(m.names.path, "name %q: %w", name, err)
	}
	if e.Owner != by {
		return e, fmt.Errorf("rule %s belongs to %s, not to %s: %w: choose another name", name, e.Owner, by, store.ErrOwner)
	}
	return e, nil
}

// mend stores a module unless it is there and whole.
func (m *modules) mend(digest string, module []byte) error {
	key, err := hex.DecodeString(digest)
	if err != nil {
		return err
	}
	if old, err := m.blobs.get(key); err == nil && bytes.Equal(old, module) && old != nil {
		return nil
	}
	return m.blobs.put(key, module)
}

// needed returns the digests that versions and assignments name.
func (m *modules) needed() (map[string]bool, error) {
	needed := map[string]bool{}
	err := m.versions.b.ForEach(func(k, v []byte) error {
		e, err := m.version(k, v)
		if err == nil && !e.Dropped {
			needed[e.Digest] = true
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	assigned, err := m.assignments()
	for i := range assigned {
		needed[assigned[i].Current], needed[assigned[i].Previous] = true, true
	}
	return needed, err
}

// sweep drops the modules that nothing names any more, and says when the rest is too much.
func (m *modules) sweep() error {
	needed, err := m.needed()
	if err != nil {
		return err
	}
	var idle [][]byte
	total := int64(0)
	err = m.blobs.b.ForEach(func(k, v []byte) error {
		if needed[hex.EncodeToString(k)] {
			total += int64(len(v)) - sealSize
		} else {
			idle = append(idle, clone(k))
		}
		return nil
	})
	for _, k := range idle {
		if err == nil {
			err = m.blobs.drop(k)
		}
	}
	if err == nil && total > m.room {
		err = fmt.Errorf("venue %s: its modules would take %d bytes, at most %d are kept: %w: delete versions that nobody needs", m.venue, total, m.room, store.ErrFull)
	}
	return err
}

// DropVersion implements store.Store.
func (s *Store) DropVersion(ctx context.Context, venue, name, version string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckRuleName("rule name", name); err != nil {
		return err
	}
	return s.write(func(top sealed) error {
		m, err := s.makeModules(top, venue)
		if err != nil {
			return err
		}
		versions, err := m.of(name)
		if err != nil {
			return err
		}
		for i := range versions {
			v := &versions[i]
			if v.Version != version || v.Dropped {
				continue
			}
			assigned, err := m.assignments()
			if err != nil {
				return err
			}
			for i := range assigned {
				if a := &assigned[i]; a.Current == v.Digest || a.Previous == v.Digest {
					return fmt.Errorf("rule %s, version %s: region %s runs it as %s, or would go back to it: %w", name, version, a.Region, a.Rule, store.ErrAssigned)
				}
			}
			v.Dropped = true
			if err := putJSON(m.versions, v.key, &v.RuleVersion); err != nil {
				return err
			}
			return m.sweep()
		}
		return fmt.Errorf("rule %s has no version %.64q: %w", name, version, store.ErrNotFound)
	})
}

// Versions implements store.Store.
func (s *Store) Versions(ctx context.Context, venue string) (names []store.RuleName, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	err = s.read(func(top sealed) error {
		m, ok, err := findModules(top, venue)
		if err != nil || !ok {
			return err
		}
		return m.names.b.ForEach(func(k, v []byte) error {
			payload, _, err := m.names.open(k, v)
			if err != nil {
				return err
			}
			var e nameEntry
			if err := strict(payload, &e); err != nil {
				return damaged(m.names.path, "name %q: %w", k, err)
			}
			versions, err := m.of(string(k))
			if err != nil {
				return err
			}
			n := store.RuleName{Name: string(k), Owner: e.Owner}
			for i := range versions {
				n.Versions = append(n.Versions, versions[i].RuleVersion)
			}
			names = append(names, n)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return names, nil
}

// Module implements store.Store.
func (s *Store) Module(ctx context.Context, venue, digest string) (module []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	missing := fmt.Errorf("module %.64q of venue %s: %w", digest, venue, store.ErrNotFound)
	key, err := hex.DecodeString(digest)
	if err != nil {
		return nil, missing
	}
	err = s.read(func(top sealed) error {
		m, ok, err := findModules(top, venue)
		if err != nil {
			return err
		}
		if !ok {
			return missing
		}
		b, err := m.blobs.get(key)
		if err != nil {
			return err
		}
		if b == nil {
			// A key that was damaged is one that nobody asks for.
			needed, err := m.needed()
			if err == nil && needed[digest] {
				err = damaged(m.blobs.path, "the module %s is missing", digest)
			}
			return cmp.Or(err, missing)
		}
		if store.Digest(b) != digest {
			return damaged(m.blobs.path, "the module %s does not have its digest", digest)
		}
		module = clone(b)
		return nil
	})
	return module, err
}

// assignmentKey is the region's length in two bytes, the region, the rule: it sorts by neither, which assignments mends.
func assignmentKey(region, rule string) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(region)))
	return append(append(b, region...), rule...)
}

// Assign implements store.Store.
func (s *Store) Assign(ctx context.Context, venue string, a store.Assignment) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return err
	}
	if err := store.CheckAssignment(&a); err != nil {
		return err
	}
	return s.write(func(top sealed) error {
		m, err := s.makeModules(top, venue)
		if err != nil {
			return err
		}
		for _, digest := range []string{a.Current, a.Previous} {
			key, err := hex.DecodeString(digest)
			if digest != "" && (err != nil || m.blobs.b.Get(key) == nil) {
				return fmt.Errorf("module %.64q of venue %s: %w", digest, venue, store.ErrNotFound)
			}
		}
		key := assignmentKey(a.Region, a.Rule)
		if m.assigned.b.Get(key) == nil {
			all, err := m.assignments()
			if err != nil {
				return err
			}
			if len(all) >= store.MaxAssignments {
				return fmt.Errorf("venue %s has %d assignments, the most there may be: %w", venue, len(all), store.ErrFull)
			}
		}
		if err := putJSON(m.assigned, key, &a); err != nil {
			return err
		}
		return m.sweep()
	})
}

// assignments returns all, in no order that means anything.
func (m *modules) assignments() (out []store.Assignment, err error) {
	err = m.assigned.b.ForEach(func(k, v []byte) error {
		payload, _, err := m.assigned.open(k, v)
		if err != nil {
			return err
		}
		var a store.Assignment
		if err := strict(payload, &a); err != nil {
			return damaged(m.assigned.path, "assignment %x: %w", k, err)
		}
		if !bytes.Equal(k, assignmentKey(a.Region, a.Rule)) {
			return damaged(m.assigned.path, "assignment %x is of another region or rule", k)
		}
		out = append(out, a)
		return nil
	})
	return out, err
}

// Assignments implements store.Store.
func (s *Store) Assignments(ctx context.Context, venue string) (out []store.Assignment, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := store.CheckName("venue", venue); err != nil {
		return nil, err
	}
	err = s.read(func(top sealed) error {
		m, ok, err := findModules(top, venue)
		if err != nil || !ok {
			return err
		}
		out, err = m.assignments()
		return err
	})
	if err != nil {
		return nil, err
	}
	store.SortAssignments(out)
	return out, nil
}
