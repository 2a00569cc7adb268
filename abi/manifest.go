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
	Views       []View   `json:"views,omitempty"`        // rows it wants in its batches
	Commands    []string `json:"commands"`               // CommandNames it may use (capabilities)
	Schema      int      `json:"schema"`                 // version of its state's layout
	MemoryBytes int      `json:"memory_bytes,omitempty"` // 0 = MaxMemory

	// Since minor version 1. An absent State lets the plugin use any key; a present one only those it lists.
	State []StateKey `json:"state,omitzero"`
	// Topics of client messages it takes; absent: every topic.
	Topics     []string `json:"topics,omitzero"`
	Fuel       int      `json:"fuel,omitempty"`        // a tick; 0 = MaxFuel; above MaxFuel it wants ClassLarge
	StateBytes int      `json:"state_bytes,omitempty"` // 0 = MaxState
	Timers     int      `json:"timers,omitempty"`      // 0 = MaxTimers
}

// MaxFuelOf returns the fuel of a call of venued_tick in a class; an unknown class is small.
func MaxFuelOf(c Class) int {
	if c == ClassLarge {
		return MaxFuelLarge
	}
	return MaxFuel
}

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
		"schema": &m.Schema, "memory_bytes": &m.MemoryBytes, "state": &m.State, "topics": &m.Topics,
		"fuel": &m.Fuel, "state_bytes": &m.StateBytes, "timers": &m.Timers,
	}
	if err := decodeObject(b, fields); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	return m, nil
}

// decodeObject reads one JSON object strictly: no unknown key, none twice, nothing behind it.
func decodeObject(b []byte, fields map[string]any) error {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("want a JSON object: %w", orSyntax(err))
	}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return orSyntax(err)
		}
		key := t.(string) // the decoder admits nothing else as a key
		into, ok := fields[key]
		if !ok {
			return fmt.Errorf("unknown key %q%s", key, meant(key, slices.Sorted(maps.Keys(fields))))
		}
		if seen[key] {
			return fmt.Errorf("key %q is there twice", key)
		}
		seen[key] = true
		if err := d.Decode(into); err != nil {
			return fmt.Errorf("%s: %w", key, orSyntax(err))
		}
	}
	if _, err := d.Token(); err != nil {
		return orSyntax(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

// Check says what is wrong with a manifest, nil for nothing.
func (m *Manifest) Check() error {
	switch {
	case !ValidName(m.Name):
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
	case m.Fuel < 0 || m.Fuel > MaxFuelLarge:
		return fmt.Errorf("manifest: fuel is %d: want 0 (the default) to %d; above %d needs a venue that grants class %q", m.Fuel, MaxFuelLarge, MaxFuel, ClassLarge)
	case m.StateBytes < 0 || m.StateBytes > MaxState:
		return fmt.Errorf("manifest: state_bytes is %d: want 0 (the default) to %d", m.StateBytes, MaxState)
	case m.Timers < 0 || m.Timers > MaxTimers:
		return fmt.Errorf("manifest: timers is %d: want 0 (the default) to %d", m.Timers, MaxTimers)
	case len(m.Events) == 0:
		return errors.New("manifest: events is empty: the plugin would never be called")
	}
	if _, err := maskOf("events", m.Events, EventNames); err != nil {
		return err
	}
	if _, err := maskOf("commands", m.Commands, CommandNames); err != nil {
		return err
	}
	if err := checkViews(m.Views); err != nil {
		return err
	}
	if err := checkState(m.State); err != nil {
		return err
	}
	return m.checkTopics()
}

func (m *Manifest) checkTopics() error {
	if m.Topics == nil {
		return nil
	}
	takes := m.EventMask().Has(uint16(EventMessage))
	switch {
	case len(m.Topics) > MaxTopics:
		return fmt.Errorf("manifest: topics: %d of them, the limit is %d", len(m.Topics), MaxTopics)
	case len(m.Topics) == 0 && takes:
		return errors.New(`manifest: topics is empty, so no "message" would ever come: name topics, or leave topics out to get all`)
	case len(m.Topics) > 0 && !takes:
		return errors.New(`manifest: topics are named, but events lacks "message"`)
	}
	for i, topic := range m.Topics {
		if topic == "" || len(topic) > MaxKey || strings.Contains(topic, "\x00") {
			return fmt.Errorf("manifest: topics[%d]: %q: want 1 to %d bytes, none of them zero", i, topic, MaxKey)
		}
		if slices.Contains(m.Topics[:i], topic) {
			return fmt.Errorf("manifest: topics[%d]: %q is there twice", i, topic)
		}
	}
	return nil
}

// TakesTopic reports whether the plugin wants client messages of this topic.
func (m *Manifest) TakesTopic(topic string) bool {
	return m.EventMask().Has(uint16(EventMessage)) && (m.Topics == nil || slices.Contains(m.Topics, topic))
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

// ViewMask returns the kinds of row that the plugin's views have, filtered or not.
func (m *Manifest) ViewMask() Mask {
	var mask Mask
	for _, v := range m.Views {
		if k, ok := ViewNames[v.Rows]; ok {
			mask |= 1 << k
		}
	}
	return mask
}

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

// ValidName reports whether s is a name as plugins, rules and boards have it: a to z first, then up to 31 of a to z, 0 to 9 and -.
func ValidName(s string) bool {
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
