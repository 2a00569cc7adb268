package recording

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"reflect"
	"strings"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/scene"
	"github.com/venued/venued/host/scene/saved"
	"github.com/venued/venued/host/stream"
)

// class says what a string or a list of bytes holds.
type class uint8

const (
	plain   class = iota // nothing of people's: the host's or the venue's
	person               // a person's id
	shown                // a display name
	text                 // made by a rule: names may be in it
	keyName              // text, but see hide
	said                 // text that a rule is told
	skip                 // not compared: it says again what is elsewhere, or depends on names' letters
)

// classes has the fields that are not what their kind says: strings are plain, bytes are text.
var classes = map[string]class{
	"saved.Leave.User":          person,
	"saved.Move.User":           person,
	"saved.Key.User":            person,
	"saved.Person.User":         person,
	"saved.Score.User":          person,
	"saved.Signal.User":         person,
	"saved.User.User":           person,
	"scene.Place.User":          person,
	"stream.Input.User":         person,
	"stream.RegionMessage.User": person,
	"saved.User.Name":           shown,
	"stream.Input.Name":         shown,

	"abi.Fault.Message":         text,
	"scene.SwapEvent.Reason":    text,
	"stream.Input.Topic":        plain, // rules know topics by their letters
	"stream.Input.Data":         said,
	"saved.Signal.Topic":        plain,
	"saved.Signal.Data":         said,
	"stream.RegionMessage.Data": said,

	"saved.Key.Key": keyName,

	"saved.Record.Events":   skip, // Effects.Events
	"saved.Record.Decided":  skip, // Call
	"scene.StateSum.Hash":   skip,
	"scene.Effects.Tick":    skip,
	"scene.Effects.Retired": skip,
	"scene.Effects.Extras":  skip, // recordings have no optional streams
}

func classOf(t reflect.Type, f reflect.StructField) class {
	if c, ok := classes[t.String()+"."+f.Name]; ok {
		return c
	}
	if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Uint8 {
		return text
	}
	return plain
}

// field is a struct's field as a walk takes it.
type field struct {
	index int
	class class
}

var (
	entityType = reflect.TypeFor[stream.Entity]()
	eventType  = reflect.TypeFor[stream.Event]()
	bytesType  = reflect.TypeFor[[]byte]()
)

// fieldsOf lists a struct's fields that count.
func fieldsOf(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		if c := classOf(t, t.Field(i)); c != skip {
			out = append(out, field{i, c})
		}
	}
	return out
}

// Parts are the parts of a step's effects that are compared on their own, in the order of [Effects.Sums], each with its layout: sums of
// different layouts say nothing about one another.
func Parts() []Part {
	t := reflect.TypeFor[scene.Effects]()
	var out []Part
	for _, f := range fieldsOf(t) {
		sum := sha256.New()
		describe(sum, t.Field(f.index).Type, map[reflect.Type]bool{})
		out = append(out, Part{strings.ToLower(t.Field(f.index).Name), hex.EncodeToString(sum.Sum(nil)[:4])})
	}
	return out
}

// Part is a part of a step's effects.
type Part struct {
	Name   string `json:"name"`
	Layout string `json:"layout"` // hex
}

// describe writes a type's layout.
func describe(w hash.Hash, t reflect.Type, open map[reflect.Type]bool) {
	fmt.Fprintf(w, "%d ", t.Kind())
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		describe(w, t.Elem(), open)
	case reflect.Struct:
		if open[t] {
			return
		}
		open[t] = true
		for _, f := range fieldsOf(t) {
			fmt.Fprintf(w, "%s %d ", t.Field(f.index).Name, f.class)
			describe(w, t.Field(f.index).Type, open)
		}
		delete(open, t)
	}
}

// Effects is what a step did, for comparison.
type Effects struct {
	Sums  []uint64 // of each part: the first 8 bytes of the SHA-256 of its encoding with pseudonyms, texts left out; 0 for an empty part
	Texts []Text   // the texts of all parts, in order
}

// digester sums effects up. It belongs to one goroutine.
type digester struct {
	names *names
	plans map[reflect.Type][]field
	buf   []byte
	texts []Text
}

func newDigester(n *names) *digester { return &digester{names: n, plans: map[reflect.Type][]field{}} }

// Digest sums up what a step of a replay did.
func Digest(fx *scene.Effects) Effects { return newDigester(&names{}).effects(fx) }

func (d *digester) plan(t reflect.Type) []field {
	p, ok := d.plans[t]
	if !ok {
		p = fieldsOf(t)
		d.plans[t] = p
	}
	return p
}

func (d *digester) effects(fx *scene.Effects) Effects {
	v := reflect.ValueOf(fx).Elem()
	var out Effects
	d.texts = nil
	for _, f := range d.plan(v.Type()) {
		part := v.Field(f.index)
		sum := uint64(0)
		if !part.IsZero() && (part.Kind() != reflect.Slice || part.Len() > 0) {
			d.buf = d.buf[:0]
			d.value(part, f.class)
			full := sha256.Sum256(d.buf)
			sum = binary.LittleEndian.Uint64(full[:])
		}
		out.Sums = append(out.Sums, sum)
	}
	out.Texts = d.texts
	return out
}

// value appends a value to the encoding that is summed up.
func (d *digester) value(v reflect.Value, c class) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			d.buf = append(d.buf, 1)
		} else {
			d.buf = append(d.buf, 0)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.buf = binary.AppendVarint(d.buf, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		d.buf = binary.AppendUvarint(d.buf, v.Uint())
	case reflect.String:
		d.string(v.String(), c)
	case reflect.Pointer:
		if v.IsNil() {
			d.buf = append(d.buf, 0)
			return
		}
		d.buf = append(d.buf, 1)
		d.value(v.Elem(), c)
	case reflect.Slice, reflect.Array:
		if v.Type() == bytesType {
			d.text(v.Bytes())
			return
		}
		d.buf = binary.AppendUvarint(d.buf, uint64(v.Len()))
		for i := range v.Len() {
			d.value(v.Index(i), c)
		}
	case reflect.Struct:
		d.structure(v)
	default:
		panic(fmt.Sprintf("recording: %s cannot be compared: leave it out in classes", v.Type()))
	}
}

func (d *digester) structure(v reflect.Value) {
	if v.Type() == entityType {
		e := v.Addr().Interface().(*stream.Entity)
		if e.Kind == stream.Avatar {
			d.string(e.User, person)
			d.string(e.Name, shown)
		} else {
			d.string(e.Name, plain)
		}
		for _, f := range d.plan(entityType) {
			if x := v.Field(f.index); x.Kind() != reflect.String {
				d.value(x, f.class)
			}
		}
		return
	}
	if m, ok := v.Addr().Interface().(*stream.RegionMessage); ok {
		if h := handover(m); h != nil {
			d.value(reflect.ValueOf(h).Elem(), plain)
			bare := *m
			bare.Data = nil
			v = reflect.ValueOf(&bare).Elem()
		}
	}
	for _, f := range d.plan(v.Type()) {
		if x := v.Field(f.index); v.Type() == eventType && x.Type() == bytesType {
			d.text(d.names.body(v.FieldByName("Type").String(), x.Bytes()))
		} else {
			d.value(x, f.class)
		}
	}
}

// handover returns what a message between regions says of people, nil for another message.
func handover(m *stream.RegionMessage) *saved.Handover {
	if m.Kind != stream.RegionHandover {
		return nil
	}
	h, err := saved.DecodeHandover(m.Data)
	if err != nil {
		return nil // whoever gets it refuses it too
	}
	return h
}

func (d *digester) string(s string, c class) {
	switch c {
	case person:
		s = d.names.user(s)
	case shown:
		s = d.names.name(s)
	case text:
		d.text([]byte(s))
		return
	}
	d.buf = append(binary.AppendUvarint(d.buf, uint64(len(s))), s...)
}

// text puts bytes aside, to be compared as such.
func (d *digester) text(b []byte) {
	d.texts = append(d.texts, d.names.mask(b, output))
}

// body replaces the names that the host itself wrote into an event, and puts its fields into one order.
func (n *names) body(kind string, b []byte) []byte {
	if kind != "joined" && kind != "left" {
		return b
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		return b
	}
	if s, ok := fields["user"].(string); ok {
		fields["user"] = n.user(s)
	}
	if s, ok := fields["name"].(string); ok {
		fields["name"] = n.name(s)
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return b
	}
	return out
}

// hide replaces names in a value that this package owns, slices and all, but for the bytes of texts, which are replaced as a whole.
func (d *digester) hide(v reflect.Value, c class) {
	switch v.Kind() {
	case reflect.String:
		switch c {
		case person:
			v.SetString(d.names.user(v.String()))
		case shown:
			v.SetString(d.names.name(v.String()))
		case text:
			v.SetString(string(d.names.mask([]byte(v.String()), state).Bytes))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
			d.hide(own.Elem(), c)
		}
	case reflect.Slice, reflect.Array:
		if v.Type() == bytesType {
			switch {
			case v.Len() == 0:
			case c == text:
				v.SetBytes(d.names.mask(v.Bytes(), state).Bytes)
			case c == said:
				v.SetBytes(d.names.mask(v.Bytes(), key).Bytes)
			}
			return
		}
		for i := range v.Len() {
			d.hide(v.Index(i), c)
		}
	case reflect.Struct:
		t := v.Type()
		switch x := v.Addr().Interface().(type) {
		case *stream.Event:
			x.Body = d.names.mask(d.names.body(x.Type, x.Body), output).Bytes
		case *stream.RegionMessage:
			if h := handover(x); h != nil {
				d.hide(reflect.ValueOf(h).Elem(), plain)
				if b, err := h.Encode(); err == nil {
					x.Data = b
					bare := *x
					bare.Data = nil
					d.hide(reflect.ValueOf(&bare).Elem(), plain)
					bare.Data = b
					*x = bare
					return
				}
			}
		case *saved.Key:
			if x.Scope == abi.ScopeRegion || x.Scope == abi.ScopeVenue {
				x.Key = d.names.mask(x.Key, key).Bytes
			}
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				d.hide(v.Field(i), classOf(t, f))
			}
		}
	}
}
