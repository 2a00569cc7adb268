package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/venued/venued/abi"
)

// Modules keeps the rule modules that were uploaded for a venue, and which of them each region runs.
//
//	names        made by their first version, whose uploader they belong to
//	versions     of a name: which module it is, when it came and from whom
//	modules      bytes by digest, kept while a version or an assignment names them
//	assignments  of a region and rule: what runs, what ran before, how it came to that
type Modules interface {
	// SaveVersion keeps a module and a version of it, all or nothing. A name that is new belongs to v.By from
	// then on; one of somebody else is ErrOwner. A version that is there already is ErrTaken, unless it is of
	// the same module, which changes nothing (fresh is false), or a development version (see Development), which the new
	// one replaces. What does not fit any more is ErrFull. v.Digest and v.Size must be the module's (ErrChecksum).
	SaveVersion(ctx context.Context, venue string, v RuleVersion, module []byte) (fresh bool, err error)
	// DropVersion forgets the module of a version; its number stays taken. While an assignment names the digest it is
	// ErrAssigned, and when there is no such version, or it was dropped before, ErrNotFound.
	DropVersion(ctx context.Context, venue, name, version string) error
	// Versions returns the names of a venue, ascending, each with its versions in the order they came.
	Versions(ctx context.Context, venue string) ([]RuleName, error)
	// Module returns a module, exactly as it was saved, or ErrDamaged or ErrNotFound.
	Module(ctx context.Context, venue, digest string) ([]byte, error)
	// Assign keeps what a region runs as a rule, in place of what it ran before. A digest without a module is ErrNotFound.
	Assign(ctx context.Context, venue string, a Assignment) error
	// Assignments returns what was assigned, ascending by region and rule.
	Assignments(ctx context.Context, venue string) ([]Assignment, error)
}

// RuleName is a name that modules were uploaded under.
type RuleName struct {
	Name     string
	Owner    string // By of its first version
	Versions []RuleVersion
}

// RuleVersion is one version of a name.
type RuleVersion struct {
	Name      string `json:"name"`
	Version   string `json:"version"` // semantic
	Digest    string `json:"digest"`  // SHA-256 of the module, hex
	Size      int    `json:"size"`    // bytes of the module
	AtUnixMS  int64  `json:"at_unix_ms"`
	By        string `json:"by"`                  // who uploaded it
	Signature []byte `json:"signature,omitempty"` // and what it was signed with, when it was
	Key       string `json:"key,omitempty"`       // id of the key
	Class     string `json:"class"`               // of limits
	Manifest  []byte `json:"manifest"`            // as the module has it
	Dropped   bool   `json:"dropped,omitempty"`   // its module is gone
}

// Assignment is what a region runs as a rule of the venue. Digests are of modules that are stored; "" is the module that the venue's
// file names.
type Assignment struct {
	Region   string   `json:"region"`
	Rule     string   `json:"rule"`
	Current  string   `json:"current"`
	Previous string   `json:"previous"` // what rolling back runs; Current when there is nothing to go back to
	History  []Change `json:"history"`  // how it came to that, oldest first
}

// Change is a change of what a region runs.
type Change struct {
	AtUnixMS int64     `json:"at_unix_ms"`
	Tick     uint64    `json:"tick"` // from which it held; 0 when the region did not run
	From     ModuleRef `json:"from"`
	To       ModuleRef `json:"to"`
	By       string    `json:"by"` // who wanted it; "region" when it went back by itself
	Reason   string    `json:"reason"`
	Returned bool      `json:"returned,omitempty"` // the region went back by itself
}

// ModuleRef names a module as it was known at a time: it may be gone since.
type ModuleRef struct {
	Plugin  string `json:"plugin"` // its manifest's name and version
	Version string `json:"version"`
	Digest  string `json:"digest"`
	File    bool   `json:"file,omitempty"` // it was the venue file's
}

// Limits of uploads and assignments.
const (
	MaxModule      = abi.MaxModule   // bytes of one module
	MaxModules     = 256 << 20       // and of all modules of a venue
	MaxNames       = 128             // names of a venue
	MaxVersions    = 512             // versions of a name, dropped ones included
	MaxManifest    = abi.MaxManifest // bytes of a version's manifest
	MaxText        = 4096            // bytes of a change's reason, and of other texts
	MaxHistory     = 64              // changes that an assignment holds
	MaxAssignments = 65536           // assignments of a venue
)

// Errors of uploads and assignments.
var (
	// ErrNotFound: there is no such version or module.
	ErrNotFound = errors.New("there is no such module")
	// ErrOwner: a name belongs to somebody else.
	ErrOwner = errors.New("the name belongs to somebody else")
	// ErrTaken: a version is another module's.
	ErrTaken = errors.New("the version is taken by another module")
	// ErrAssigned: a region runs the module, or would go back to it.
	ErrAssigned = errors.New("a region runs the module or would go back to it")
	// ErrFull: a venue has as many modules, names or versions as it may have.
	ErrFull = errors.New("the venue's room for modules is used up")
)

// Digest returns how a module is named: its SHA-256 in hex.
func Digest(module []byte) string {
	sum := sha256.Sum256(module)
	return hex.EncodeToString(sum[:])
}

// Development reports whether a version is one that may be replaced, again and again: a pre-release whose first part is
// "dev", as 1.4.0-dev or 1.4.0-dev.3.
func Development(version string) bool {
	core, _, _ := strings.Cut(version, "+")
	_, pre, _ := strings.Cut(core, "-")
	first, _, _ := strings.Cut(pre, ".")
	return first == "dev"
}

// SortAssignments puts assignments in the order that Assignments returns them in.
func SortAssignments(list []Assignment) {
	slices.SortFunc(list, func(a, b Assignment) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Rule, b.Rule))
	})
}

// CheckRuleName returns ErrLimit for a name that no backend takes: anything but a letter of a to z and up to 31 of a to z, 0 to 9 and -.
func CheckRuleName(what, name string) error {
	if !abi.ValidName(name) {
		return fmt.Errorf("store: %s %.64q: want a to z first, then up to 31 of a to z, 0 to 9 and -: %w", what, name, ErrLimit)
	}
	return nil
}

// CheckVersion returns ErrLimit or ErrChecksum for a version that no backend takes.
func CheckVersion(v *RuleVersion, module []byte) error {
	if err := CheckRuleName("rule name", v.Name); err != nil {
		return err
	}
	if err := CheckName("version's", v.Version); err != nil {
		return err
	}
	if err := CheckName("uploader's", v.By); err != nil {
		return err
	}
	switch {
	case len(module) > MaxModule:
		return fmt.Errorf("rule %s: a module of %d bytes, at most %d are allowed: %w", v.Name, len(module), MaxModule, ErrLimit)
	case len(v.Manifest) > MaxManifest, len(v.Signature) > MaxName, len(v.Key) > MaxName, len(v.Class) > MaxName:
		return fmt.Errorf("rule %s, version %s: its manifest, signature, key or class is too long: %w", v.Name, v.Version, ErrLimit)
	case v.Dropped:
		return fmt.Errorf("rule %s, version %s: a dropped version cannot be saved: %w", v.Name, v.Version, ErrLimit)
	case v.Digest != Digest(module), v.Size != len(module):
		return fmt.Errorf("rule %s, version %s: %w", v.Name, v.Version, ErrChecksum)
	}
	return nil
}

// CheckAssignment returns ErrLimit for an assignment that no backend takes.
func CheckAssignment(a *Assignment) error {
	if err := CheckName("region", a.Region); err != nil {
		return err
	}
	if err := CheckName("rule", a.Rule); err != nil {
		return err
	}
	if len(a.History) > MaxHistory {
		return fmt.Errorf("region %s, rule %s: %d changes, at most %d are kept: %w", a.Region, a.Rule, len(a.History), MaxHistory, ErrLimit)
	}
	texts := []string{a.Current, a.Previous}
	for i := range a.History {
		c := &a.History[i]
		texts = append(texts, c.By, c.Reason, c.From.Plugin, c.From.Version, c.From.Digest, c.To.Plugin, c.To.Version, c.To.Digest)
	}
	for _, s := range texts {
		if len(s) > MaxText {
			return fmt.Errorf("region %s, rule %s: a text of %d bytes, at most %d are allowed: %w", a.Region, a.Rule, len(s), MaxText, ErrLimit)
		}
	}
	return nil
}
