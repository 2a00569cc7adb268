package abi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Manifest says what a plugin is and what it wants; JSON in the custom section
// ManifestSection, added by the packer after the build. Unknown keys are an error.
type Manifest struct {
	Name        string   `json:"name"`    // [a-z][a-z0-9-]{0,31}
	Version     string   `json:"version"` // semantic version
	Description string   `json:"description,omitempty"`
	ABI         int      `json:"abi"`                    // the major version: 1
	MinorMin    int      `json:"minor_min,omitempty"`    // the lowest minor version it runs on
	Events      []string `json:"events"`                 // EventNames it wants
	Views       []string `json:"views,omitempty"`        // ViewNames it wants in every batch
	Commands    []string `json:"commands"`               // CommandNames it may use (capabilities)
	Schema      int      `json:"schema"`                 // version of its state's layout
	MemoryBytes int      `json:"memory_bytes,omitempty"` // 0 = MaxMemory
}

// EventNames maps the names in a manifest to kinds.
var EventNames = map[string]EventKind{
	"join": EventJoin, "leave": EventLeave, "enter": EventEnter, "exit": EventExit,
	"grab": EventGrab, "release": EventRelease, "use": EventUse, "timer": EventTimer,
	"message": EventMessage, "dropped": EventDropped,
}

// CommandNames maps the names in a manifest to kinds.
var CommandNames = map[string]CommandKind{
	"grant": CmdGrant, "deny": CmdDeny, "release": CmdRelease, "set_state": CmdSetState,
	"set_pose": CmdSetPose, "door": CmdDoor, "lock": CmdLock, "teleport": CmdTeleport,
	"emit": CmdEmit, "timer_start": CmdTimerStart, "timer_cancel": CmdTimerCancel, "accept": CmdAccept,
}

// ViewNames maps the names in a manifest to row kinds.
var ViewNames = map[string]RowKind{
	"objects": RowObject, "users": RowUser, "doors": RowDoor, "zones": RowZone,
}

// MaxManifest is the largest manifest, bytes.
const MaxManifest = 64 << 10

// ParseManifest reads and checks a manifest. Unknown and doubled keys, unknown and
// doubled names are errors, which say what stands there and, where one is near,
// which known name it may have meant.
func ParseManifest(b []byte) (*Manifest, error) {
	if len(b) > MaxManifest {
		return nil, fmt.Errorf("manifest: %d bytes, the limit is %d", len(b), MaxManifest)
	}
	m := new(Manifest)
	fields := map[string]any{
		"name": &m.Name, "version": &m.Version, "description": &m.Description, "abi": &m.ABI,
		"minor_min": &m.MinorMin, "events": &m.Events, "views": &m.Views, "commands": &m.Commands,
		"schema": &m.Schema, "memory_bytes": &m.MemoryBytes,
	}
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("manifest: want a JSON object: %w", orSyntax(err))
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("manifest: %w", orSyntax(err))
		}
		key := t.(string) // the decoder admits nothing else as a key
		into, ok := fields[key]
		if !ok {
			return nil, fmt.Errorf("manifest: unknown key %q%s", key, meant(key, slices.Sorted(maps.Keys(fields))))
		}
		if seen[key] {
			return nil, fmt.Errorf("manifest: key %q is there twice", key)
		}
		seen[key] = true
		if err := d.Decode(into); err != nil {
			return nil, fmt.Errorf("manifest: %s: %w", key, orSyntax(err))
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("manifest: %w", orSyntax(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("manifest: something follows the JSON object")
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

// Check says what is wrong with a manifest, nil for nothing.
func (m *Manifest) Check() error {
	switch {
	case !validName(m.Name):
		return fmt.Errorf("manifest: name %q: want a to z first, then up to 31 of a to z, 0 to 9 and -", m.Name)
	case !validVersion(m.Version):
		return fmt.Errorf("manifest: version %q: want a semantic version such as 1.0.2", m.Version)
	case m.ABI != Version:
		return fmt.Errorf("manifest: abi is %d, this host speaks %d: %s", m.ABI, Version, olderSide(m.ABI))
	case m.MinorMin < 0:
		return fmt.Errorf("manifest: minor_min is %d: want 0 or more", m.MinorMin)
	case m.MinorMin > Minor:
		return fmt.Errorf("manifest: minor_min is %d, this host speaks %d.%d: update the host", m.MinorMin, Version, Minor)
	case m.Schema < 0:
		return fmt.Errorf("manifest: schema is %d: want 0 or more", m.Schema)
	case m.MemoryBytes < 0 || m.MemoryBytes > MaxMemory:
		return fmt.Errorf("manifest: memory_bytes is %d: want 0 (the default) to %d", m.MemoryBytes, MaxMemory)
	case len(m.Events) == 0:
		return errors.New("manifest: events is empty: the plugin would never be called")
	}
	if _, err := maskOf("events", m.Events, EventNames); err != nil {
		return err
	}
	if _, err := maskOf("commands", m.Commands, CommandNames); err != nil {
		return err
	}
	_, err := maskOf("views", m.Views, ViewNames)
	return err
}

// Mask is a set of kinds: bit k is kind k. Compute it once, ask it in the hot path.
type Mask uint64

// Has reports whether kind k is in the set; any kind that does not fit is not.
func (m Mask) Has(k uint16) bool { return k < 64 && m>>k&1 == 1 }

// EventMask returns the kinds of event the plugin wants; unknown names are left out.
func (m *Manifest) EventMask() Mask { mask, _ := maskOf("events", m.Events, EventNames); return mask }

// CommandMask returns the kinds of command the plugin may use.
func (m *Manifest) CommandMask() Mask {
	mask, _ := maskOf("commands", m.Commands, CommandNames)
	return mask
}

// ViewMask returns the kinds of row the plugin wants in every batch.
func (m *Manifest) ViewMask() Mask { mask, _ := maskOf("views", m.Views, ViewNames); return mask }

// maskOf returns the set of all names it knows, and the first error.
func maskOf[K ~uint16](field string, names []string, known map[string]K) (Mask, error) {
	var mask Mask
	var first error
	for i, name := range names {
		k, ok := known[name]
		switch {
		case first != nil && !ok:
		case !ok:
			first = fmt.Errorf("manifest: %s[%d]: unknown name %q%s", field, i, name, meant(name, slices.Sorted(maps.Keys(known))))
		case mask.Has(uint16(k)) && first == nil:
			first = fmt.Errorf("manifest: %s[%d]: %q is there twice", field, i, name)
		}
		if ok {
			mask |= 1 << k
		}
	}
	return mask, first
}

func meant(name string, known []string) string {
	if n := nearest(name, known); n != "" {
		return fmt.Sprintf(", did you mean %q?", n)
	}
	return ", known are " + strings.Join(known, ", ")
}

// orSyntax says "unexpected" where the decoder only says that the input ended or gives no error
// for a token that is not the wanted one.
func orSyntax(err error) error {
	switch err {
	case nil:
		return errors.New("another value stands there")
	case io.EOF:
		return io.ErrUnexpectedEOF
	}
	return err
}

func olderSide(abi int) string {
	if abi > Version {
		return "the host is older, update it"
	}
	return "the plugin is older, build it with the current SDK"
}

func validName(s string) bool {
	if s == "" || len(s) > 32 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// validVersion takes major.minor.patch with an optional -prerelease and +build, at most 64 bytes.
func validVersion(s string) bool {
	if len(s) > 64 {
		return false
	}
	core, build, hasBuild := strings.Cut(s, "+")
	core, pre, hasPre := strings.Cut(core, "-")
	if hasBuild && !validIdentifiers(build, false) || hasPre && !validIdentifiers(pre, true) {
		return false
	}
	parts := strings.Split(core, ".")
	if len(parts) != 3 {
		return false
	}
	for _, p := range parts {
		if !isNumber(p) || len(p) > 1 && p[0] == '0' {
			return false
		}
	}
	return true
}

func validIdentifiers(s string, noLeadingZero bool) bool {
	for p := range strings.SplitSeq(s, ".") {
		if p == "" || noLeadingZero && isNumber(p) && len(p) > 1 && p[0] == '0' {
			return false
		}
		for i := range len(p) {
			c := p[i]
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' {
				return false
			}
		}
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
