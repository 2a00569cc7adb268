package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

type schema struct {
	Version int      `json:"version"`
	Minor   int      `json:"minor"`
	Texts   []text   `json:"texts"`
	Magics  []text   `json:"magics"`
	Exports []call   `json:"exports"`
	Imports []call   `json:"imports"`
	Groups  []group  `json:"groups"`
	Records []record `json:"records"`
	Limits  []limit  `json:"limits"`
}

type text struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Doc   string `json:"doc"`
}

// call is a function that crosses the border between host and plugin.
type call struct {
	Signature string `json:"signature"`
	Doc       string `json:"doc"`
	Optional  bool   `json:"optional"`
	Minor     int    `json:"minor"`
}

// group is a set of named values.
type group struct {
	Name    string            `json:"name"`
	Section string            `json:"section"` // of the document
	Wire    string            `json:"wire"`    // how a record holds it, "text" for names that never cross the border
	Doc     string            `json:"doc"`     // what follows the group's name in a sentence
	Types   map[string]string `json:"types"`   // Go types by side: "host", "go"
	Prefix  map[string]string `json:"prefix"`  // of the constants, by side; a side without one has none
	Table   string            `json:"table"`   // host variable that maps names in a manifest to values
	List    string            `json:"list"`    // host variable with the sorted names
	Mask    bool              `json:"mask"`    // values must fit a set of 64 bits
	Minor   int               `json:"minor"`
	Values  []value           `json:"values"`
}

type value struct {
	Name     string      `json:"name"`
	Manifest string      `json:"manifest"` // name in a manifest, if it is another
	Value    int         `json:"value"`
	Minor    int         `json:"minor"`
	Doc      string      `json:"doc"`
	Fields   [][2]string `json:"fields"` // what the fields of a record of this kind hold
}

type record struct {
	Name       string  `json:"name"`
	Size       int     `json:"size"`
	Doc        string  `json:"doc"`
	LayoutOnly bool    `json:"layout_only"` // no type in Go
	Fields     []field `json:"fields"`
}

type field struct {
	Name     string `json:"name"`
	At       int    `json:"at"`
	Type     string `json:"type"` // u8 to i64; bytes and text: offset and length, u32 each
	Group    string `json:"group"`
	Doc      string `json:"doc"`
	Internal bool   `json:"internal"` // for codecs only
}

type limit struct {
	Name   string `json:"name"`
	Value  int    `json:"value"`
	Unit   string `json:"unit"`
	Doc    string `json:"doc"`
	Minor  int    `json:"minor"`
	Guest  bool   `json:"guest"`  // kits have it
	Number bool   `json:"number"` // not a limit but a number of the format
}

// sizes of the types of a field, bytes.
var sizes = map[string]int{"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i32": 4, "i64": 8, "bytes": 8, "text": 8}

func (f field) variable() bool { return f.Type == "bytes" || f.Type == "text" }

func (v value) manifest() string {
	if v.Manifest != "" {
		return v.Manifest
	}
	return v.Name
}

func (s *schema) group(name string) *group {
	for i := range s.Groups {
		if s.Groups[i].Name == name {
			return &s.Groups[i]
		}
	}
	return nil
}

func (s *schema) magic(name string) text {
	return s.Magics[slices.IndexFunc(s.Magics, func(m text) bool { return m.Name == name })]
}

// parse reads the schema strictly and checks it.
func parse(raw []byte) (*schema, error) {
	s := new(schema)
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	for _, m := range s.Magics {
		if len(m.Value) != 4 {
			return nil, fmt.Errorf("schema: magic %s: %q has %d bytes, want 4", m.Name, m.Value, len(m.Value))
		}
	}
	for i := range s.Groups {
		if err := s.checkGroup(&s.Groups[i]); err != nil {
			return nil, fmt.Errorf("schema: group %s: %w", s.Groups[i].Name, err)
		}
	}
	for i := range s.Records {
		if err := s.checkRecord(&s.Records[i]); err != nil {
			return nil, fmt.Errorf("schema: record %s: %w", s.Records[i].Name, err)
		}
	}
	seen := map[string]bool{}
	for _, l := range s.Limits {
		if seen[l.Name] || l.Value <= 0 || l.Minor > s.Minor {
			return nil, fmt.Errorf("schema: limit %s: there twice, not above 0, or of a later minor version", l.Name)
		}
		seen[l.Name] = true
	}
	return s, nil
}

func (s *schema) checkGroup(g *group) error {
	if g.Wire != "text" && sizes[g.Wire] == 0 {
		return fmt.Errorf("unknown type %q", g.Wire)
	}
	names, numbers := map[string]bool{}, map[int]string{}
	for _, v := range g.Values {
		switch {
		case names[v.Name]:
			return fmt.Errorf("%s is there twice", v.Name)
		case v.Minor > s.Minor:
			return fmt.Errorf("%s is of minor version %d, the newest is %d", v.Name, v.Minor, s.Minor)
		case g.Wire != "text" && g.Name != "Flag" && numbers[v.Value] != "":
			return fmt.Errorf("%s and %s are both %d", numbers[v.Value], v.Name, v.Value)
		case g.Mask && (v.Value < 1 || v.Value > 63):
			return fmt.Errorf("%s is %d, which does not fit a set", v.Name, v.Value)
		}
		names[v.Name], numbers[v.Value] = true, v.Name
	}
	return nil
}

func (s *schema) checkRecord(r *record) error {
	end, names := 0, map[string]bool{}
	for _, f := range r.Fields {
		size := sizes[f.Type]
		align := size
		if f.variable() {
			align = 4
		}
		switch {
		case size == 0:
			return fmt.Errorf("field %s: unknown type %q", f.Name, f.Type)
		case names[f.Name]:
			return fmt.Errorf("field %s is there twice", f.Name)
		case f.At < end:
			return fmt.Errorf("field %s at %d lies over the one before, which ends at %d", f.Name, f.At, end)
		case f.At%align != 0:
			return fmt.Errorf("field %s at %d is not aligned to %d", f.Name, f.At, align)
		case f.At+size > r.Size:
			return fmt.Errorf("field %s ends at %d of %d bytes", f.Name, f.At+size, r.Size)
		case f.Group != "" && (s.group(f.Group) == nil || s.group(f.Group).Wire != f.Type):
			return fmt.Errorf("field %s: no group %q of type %s", f.Name, f.Group, f.Type)
		}
		end, names[f.Name] = f.At+size, true
	}
	if r.Size%8 != 0 {
		return fmt.Errorf("%d bytes: records are a multiple of 8", r.Size)
	}
	return nil
}

// number is the value of a magic as the little-endian number that its bytes are.
func (m text) number() uint32 {
	b := []byte(m.Value)
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// camel makes TimeUS of time_us.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		switch part {
		case "us", "id", "kv":
			b.WriteString(strings.ToUpper(part))
		default:
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// lowerCamel makes timeUS of time_us.
func lowerCamel(name string) string {
	c := camel(name)
	if c == strings.ToUpper(c) {
		return strings.ToLower(c)
	}
	return strings.ToLower(c[:1]) + c[1:]
}

// snake makes command_header of CommandHeader.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}

// explain says what a value means and what the fields of its record hold, for a comment.
func (v value) explain(name func(string) string) string {
	out := v.Doc
	var fields []string
	for _, f := range v.Fields {
		fields = append(fields, name(f[0])+": "+f[1])
	}
	if len(fields) > 0 {
		out += ". " + strings.Join(fields, "; ")
	}
	if v.Minor > 0 {
		out += fmt.Sprintf(". Since minor version %d", v.Minor)
	}
	return out
}

// explain says what a limit is, with its unit.
func (l limit) explain() string {
	if l.Unit == "bytes" || l.Unit == "units" {
		return l.Unit + " " + l.Doc
	}
	if l.Unit != "" {
		return l.Doc + ", " + l.Unit
	}
	return l.Doc
}

// digits writes a number for Go and Rust: KiB and MiB as shifts, others with _ between thousands.
func digits(n int) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d << 20", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d << 10", n>>10)
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "_" + s[i:]
	}
	return s
}

type writer struct{ bytes.Buffer }

func (w *writer) f(format string, args ...any) { fmt.Fprintf(&w.Buffer, format, args...) }

// wrap breaks a sentence into comment lines of at most width characters behind prefix.
func (w *writer) wrap(prefix string, width int, sentence string) {
	line := ""
	for word := range strings.FieldsSeq(sentence) {
		if line != "" && len(line)+1+len(word) > width {
			w.f("%s%s\n", prefix, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		w.f("%s%s\n", prefix, line)
	}
}
