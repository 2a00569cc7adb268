package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/venues"
)

// Header is what a recording begins with.
type Header struct {
	Version int    `json:"version"`
	Host    string `json:"host"`       // version of the program that recorded
	Began   int64  `json:"began_unix"` // seconds since 1970
	VenueID string `json:"venue"`
	// VenueDigest is the SHA-256 of Manifest's JSON as it stands here, hex: two venues with the same one are the same.
	VenueDigest string          `json:"venue_digest"`
	Manifest    json.RawMessage `json:"manifest"` // see Venue
	Region      string          `json:"region"`
	Index       int             `json:"region_index"`
	TickHz      int             `json:"tick_hz"`
	Rules       []Rule          `json:"rules"` // of the venue, in order
	Parts       []Part          `json:"parts"` // of effects
	Start       *scene.Live     `json:"start"` // the region before the first frame, with pseudonyms
}

// Rule is a rule of the venue as the recording began.
type Rule struct {
	Name   string `json:"name"` // in the venue
	Module        // Manifest is nil where nothing was loaded
	// Old is the module that a watched swap may bring back.
	Old *Module `json:"old,omitempty"`
}

// manifest is a venue's manifest as it is kept: without the paths of plugins, and with settings that keep their types.
type manifest struct {
	*venues.Manifest
	Settings []map[string]setting `json:"rule_settings"`
}

// setting is one setting of a rule.
type setting struct {
	Int   *string  `json:"int,omitempty"` // decimal
	Float *float64 `json:"float,omitempty"`
	Bool  *bool    `json:"bool,omitempty"`
	Text  *string  `json:"text,omitempty"`
}

// keepManifest returns a venue's manifest as it is kept in a header, and its digest.
func keepManifest(v *venues.Venue) (json.RawMessage, string, error) {
	m := *v.Manifest
	m.Rules = nil
	kept := manifest{Manifest: &m}
	for i, r := range v.Manifest.Rules {
		settings := map[string]setting{}
		for name, value := range r.Settings {
			switch x := value.(type) {
			case int64:
				s := strconv.FormatInt(x, 10)
				settings[name] = setting{Int: &s}
			case float64:
				settings[name] = setting{Float: &x}
			case bool:
				settings[name] = setting{Bool: &x}
			case string:
				settings[name] = setting{Text: &x}
			default:
				return nil, "", fmt.Errorf("venue %s: rule %s: setting %s is of type %T", v.ID, v.Rules[i].Name, name, value)
			}
		}
		// Where the file lay is nobody's business, and it is not there any more.
		r.Name, r.Plugin, r.Settings = v.Rules[i].Name, v.Rules[i].Name, nil
		m.Rules = append(m.Rules, r)
		kept.Settings = append(kept.Settings, settings)
	}
	b, err := json.Marshal(kept)
	if err != nil {
		return nil, "", err
	}
	return b, digestOf(b), nil
}

func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// VenueDigest returns what the recordings of a venue have as Header.VenueDigest.
func VenueDigest(v *venues.Venue) (string, error) {
	_, digest, err := keepManifest(v)
	return digest, err
}

// Venue compiles the venue that was recorded. Its plugins are names only.
func (h *Header) Venue() (*venues.Venue, error) {
	kept := manifest{Manifest: new(venues.Manifest)}
	if err := json.Unmarshal(h.Manifest, &kept); err != nil {
		return nil, fmt.Errorf("the recorded venue cannot be read: %w", err)
	}
	if len(kept.Settings) != len(kept.Rules) {
		return nil, fmt.Errorf("the recorded venue has %d rules and settings of %d: %w", len(kept.Rules), len(kept.Settings), ErrMalformed)
	}
	for i, settings := range kept.Settings {
		for name, s := range settings {
			value, err := s.value()
			if err != nil {
				return nil, fmt.Errorf("the recorded venue: rule %s: setting %s: %w", kept.Rules[i].Name, name, err)
			}
			if kept.Rules[i].Settings == nil {
				kept.Rules[i].Settings = map[string]any{}
			}
			kept.Rules[i].Settings[name] = value
		}
	}
	v, err := venues.Compile(kept.Manifest, venues.Options{})
	if err != nil {
		return nil, fmt.Errorf("the recorded venue: %w", err)
	}
	return v, nil
}

func (s setting) value() (any, error) {
	switch {
	case s.Int != nil:
		return strconv.ParseInt(*s.Int, 10, 64)
	case s.Float != nil:
		return *s.Float, nil
	case s.Bool != nil:
		return *s.Bool, nil
	case s.Text != nil:
		return *s.Text, nil
	}
	return nil, fmt.Errorf("no value: %w", ErrMalformed)
}

// check refuses a header that nothing can be done with.
func (h *Header) check() error {
	switch {
	case h.Start == nil:
		return fmt.Errorf("header: no start state: %w", ErrMalformed)
	case h.TickHz < 1 || h.TickHz > 1000:
		return fmt.Errorf("header: %d ticks a second: %w", h.TickHz, ErrMalformed)
	case len(h.Rules) > venues.MaxRules:
		return fmt.Errorf("header: %d rules: %w", len(h.Rules), ErrMalformed)
	case len(h.Parts) > maxParts:
		return fmt.Errorf("header: %d parts: %w", len(h.Parts), ErrMalformed)
	}
	return nil
}

// maxParts is far above the fields that effects have.
const maxParts = 64
