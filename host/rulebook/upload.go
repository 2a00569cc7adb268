package rulebook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/store"
)

// maxUploads is how many uploads wait to be inspected, which is done one at a time; more are refused.
const maxUploads = 4

// Upload is a module that somebody uploads.
type Upload struct {
	Name      string // that it becomes a version of
	Module    []byte
	Signature []byte // over SignedText of its digest; none when it is not signed
	KeyID     string // of the key that signed it
	By        Caller
}

// Uploaded says what became of an upload.
type Uploaded struct {
	Version store.RuleVersion
	Fresh   bool // false: this very module was there already
	Needs   []string
	Report  *rules.Report
}

// Upload inspects a module and keeps it as a version of a name. Errors are *Refusal, or of the context.
func (b *Book) Upload(ctx context.Context, u Upload) (*Uploaded, error) {
	if !abi.ValidName(u.Name) {
		return nil, refuse(BadRequest, "%.64q is not a name of a rule: want a to z first, then up to 31 of a to z, 0 to 9 and -", u.Name)
	}
	if len(u.Module) > abi.MaxModule {
		return nil, refuse(TooLarge, "the module has more than the %d bytes that one may have: build it smaller (strip names and debug information)", abi.MaxModule)
	}
	if err := b.may(u.By, u.Name); err != nil {
		return nil, err
	}
	digest := store.Digest(u.Module)
	by, err := b.author(&u, digest)
	if err != nil {
		return nil, err
	}
	if by != Admin {
		if err := b.may(Caller{Key: by}, u.Name); err != nil {
			return nil, err
		}
	}
	// What needs no compiler is said before it runs.
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		return nil, fromStore(err)
	}
	for _, n := range names {
		if n.Name == u.Name && n.Owner != by {
			return nil, refuse(Forbidden, "rule %s belongs to %s, not to %s: choose another name", u.Name, n.Owner, by)
		}
	}
	report, err := b.inspect(ctx, &u)
	if err != nil {
		return nil, err
	}
	if !report.OK {
		return nil, &Refusal{Code: Refused, Message: "the module is refused: " + report.Problems.Error(), Problems: report.Problems}
	}
	rule := b.rule(u.Name)
	if rule >= 0 {
		if err := fits(b.venue, rule, report.Manifest); err != nil {
			return nil, refuse(Refused, "%v", err)
		}
	}
	manifest, err := abi.CustomSection(u.Module, abi.ManifestSection)
	if err != nil {
		return nil, refuse(Refused, "the module is refused: %v", err)
	}
	v := store.RuleVersion{
		Name: u.Name, Version: report.Manifest.Version, Digest: digest, Size: len(u.Module), AtUnixMS: b.cfg.Now().UnixMilli(),
		By: by, Signature: u.Signature, Key: u.KeyID, Class: string(report.Class), Manifest: manifest,
	}
	fresh, err := b.cfg.Store.SaveVersion(ctx, b.venue.ID, v, u.Module)
	if err != nil {
		return nil, fromStore(err)
	}
	b.log.Info("rule uploaded", "rule", u.Name, "plugin", report.Manifest.Name, "version", v.Version, "digest", digest, "by", by, "signed", u.KeyID, "new", fresh)
	out := &Uploaded{Version: v, Fresh: fresh, Report: report}
	if rule >= 0 {
		for region := range b.venue.Regions {
			out.Needs = union(out.Needs, b.needs(ctx, place{region, rule}, report.Manifest, report.Class))
		}
	}
	return out, nil
}

// inspect takes a module through every stage, with the settings of the rule of its name, one module at a time.
func (b *Book) inspect(ctx context.Context, u *Upload) (*rules.Report, error) {
	select {
	case b.waiting <- struct{}{}:
		defer func() { <-b.waiting }()
	default:
		return nil, refuse(Unavailable, "%d uploads are being inspected already: try again in a moment", maxUploads)
	}
	select {
	case b.inspecting <- struct{}{}:
		defer func() { <-b.inspecting }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	o := rules.InspectOptions{LoadOptions: rules.LoadOptions{Class: abi.ClassLarge}}
	if i := b.rule(u.Name); i >= 0 {
		o.Settings, o.Class = b.venue.Rules[i].Settings, b.venue.Rules[i].Class
	}
	report, err := b.cfg.Engine.Inspect(ctx, u.Module, o)
	if err != nil {
		return nil, refuse(Unavailable, "the module could not be inspected: %v", err)
	}
	return report, nil
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// Names returns every name that was uploaded under.
func (b *Book) Names(ctx context.Context) ([]store.RuleName, error) {
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		return nil, fromStore(err)
	}
	return names, nil
}

// Needs returns what an admin would have to approve before the rule of a version's name, if the venue has one, runs it.
func (b *Book) Needs(ctx context.Context, v *store.RuleVersion) []string {
	rule := b.rule(v.Name)
	m, err := abi.ParseManifest(v.Manifest)
	if rule < 0 || err != nil {
		return nil
	}
	var out []string
	for region := range b.venue.Regions {
		out = union(out, b.needs(ctx, place{region, rule}, m, abi.Class(v.Class)))
	}
	return out
}

// Download returns a module that was uploaded under a name.
func (b *Book) Download(ctx context.Context, c Caller, name, digest string) ([]byte, error) {
	if err := b.may(c, name); err != nil {
		return nil, err
	}
	v, err := b.version(ctx, name, func(v *store.RuleVersion) bool { return v.Digest == digest })
	if err != nil {
		return nil, err
	}
	module, err := b.cfg.Store.Module(ctx, b.venue.ID, v.Digest)
	if err != nil {
		return nil, fromStore(err)
	}
	return module, nil
}

// Delete forgets the module of a version.
func (b *Book) Delete(ctx context.Context, c Caller, name, digest string) (*store.RuleVersion, error) {
	if err := b.may(c, name); err != nil {
		return nil, err
	}
	b.ops.Lock()
	defer b.ops.Unlock()
	v, err := b.version(ctx, name, func(v *store.RuleVersion) bool { return v.Digest == digest })
	if err != nil {
		return nil, err
	}
	if c.Key != "" {
		owner, err := b.owner(ctx, name)
		if err != nil {
			return nil, err
		}
		if owner != c.Key {
			return nil, refuse(Forbidden, "rule %s belongs to %s, not to %s: its owner or an admin deletes its versions", name, owner, c.Key)
		}
	}
	if err := b.cfg.Store.DropVersion(ctx, b.venue.ID, name, v.Version); err != nil {
		return nil, fromStore(err)
	}
	b.log.Info("rule version deleted", "rule", name, "version", v.Version, "digest", digest, "by", c.Name())
	return v, nil
}

// owner returns whose a name is, "" for nobody's.
func (b *Book) owner(ctx context.Context, name string) (string, error) {
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		return "", fromStore(err)
	}
	for _, n := range names {
		if n.Name == name {
			return n.Owner, nil
		}
	}
	return "", nil
}

// version returns the newest version of a name that fits.
func (b *Book) version(ctx context.Context, name string, fits func(*store.RuleVersion) bool) (*store.RuleVersion, error) {
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		return nil, fromStore(err)
	}
	var known []string
	for _, n := range names {
		known = append(known, n.Name)
		if n.Name != name {
			continue
		}
		var there []string
		for _, v := range slices.Backward(n.Versions) {
			if v.Dropped {
				continue
			}
			if fits(&v) {
				return &v, nil
			}
			there = append(there, fmt.Sprintf("%s (%.12s)", v.Version, v.Digest))
		}
		if there == nil {
			return nil, refuse(NotFound, "rule %s has no versions any more: upload one", name)
		}
		return nil, refuse(NotFound, "rule %s has no such version: there are %s", name, strings.Join(there, ", "))
	}
	if known == nil {
		return nil, refuse(NotFound, "nothing was uploaded under the name %.64q: upload a version first", name)
	}
	return nil, refuse(NotFound, "nothing was uploaded under the name %.64q: there are %s", name, strings.Join(known, ", "))
}

// needs returns what a module wants beyond the one that a rule runs in a region.
func (b *Book) needs(ctx context.Context, p place, m *abi.Manifest, class abi.Class) []string {
	old, oldClass, err := b.running(ctx, p)
	if err != nil {
		b.log.Debug("what runs cannot be told: everything a module wants is new", "rule", b.venue.Rules[p.rule].Name, "error", err)
	}
	return needs(m, class, old, oldClass)
}

// running returns the manifest and class of what is assigned to a rule in a region, or runs in its place.
func (b *Book) running(ctx context.Context, p place) (*abi.Manifest, abi.Class, error) {
	b.mu.Lock()
	digest := b.assigned[p].Current
	if b.problems[p] != "" {
		digest = ""
	}
	b.mu.Unlock()
	return b.moduleOf(ctx, p.rule, digest)
}

// moduleOf returns the manifest and class of a module of a rule: of a digest, or with "" of the venue's file.
func (b *Book) moduleOf(ctx context.Context, rule int, digest string) (*abi.Manifest, abi.Class, error) {
	b.mu.Lock()
	m := b.loaded[loadedKey{rule, digest}]
	if digest == "" {
		m = b.files[rule]
	}
	b.mu.Unlock()
	switch {
	case m != nil:
		return m.Manifest(), m.Class(), nil
	case digest == "":
		manifest, err := fileManifest(&b.venue.Rules[rule])
		return manifest, abi.ClassSmall, err
	}
	names, err := b.cfg.Store.Versions(ctx, b.venue.ID)
	if err != nil {
		return nil, "", err
	}
	for _, n := range names {
		for i := range n.Versions {
			if v := &n.Versions[i]; v.Digest == digest {
				manifest, err := abi.ParseManifest(v.Manifest)
				return manifest, abi.Class(v.Class), err
			}
		}
	}
	return nil, "", errors.New("its version is gone")
}
