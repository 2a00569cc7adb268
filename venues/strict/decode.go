package strict

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Defaulter is a struct that knows its defaults. Decode calls it before it looks at
// the file's keys, so that a written zero differs from a key that is not there; for
// tables that the file does not write at all, too.
type Defaulter interface{ SetDefaults() }

// Decode fills the struct that dst points to from the whole document. Fields need
// tags of the form toml:"name" or toml:"name,required"; embedded structs
// share their parent's keys. Field types: string, bool, int, uint32, float64, arrays and slices of them,
// structs, slices of structs, and map[string]any, which takes values as they are. It returns every
// problem there is; then dst holds what could be read.
func (d *Document) Decode(dst any) Problems {
	v := reflect.ValueOf(dst).Elem()
	d.bad = make(map[string]bool)
	dec := decoder{doc: d, root: v.Type()}
	dec.table(v, d.values, "", true)
	return dec.problems
}

type decoder struct {
	doc      *Document
	root     reflect.Type
	problems Problems
}

func (dec *decoder) add(path, msg, hint string) {
	dec.problems = append(dec.problems, dec.doc.Problem(path, msg, hint))
	dec.doc.bad[path] = true
	if strings.HasSuffix(path, "]") {
		dec.doc.bad[path[:strings.LastIndexByte(path, '[')]] = true
	}
}

// field is one key that a struct takes.
type field struct {
	name     string
	required bool
	index    []int
	typ      reflect.Type
}

func fieldsOf(t reflect.Type) []field {
	var all []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, g := range fieldsOf(f.Type) {
				g.index = append([]int{i}, g.index...)
				all = append(all, g)
			}
			continue
		}
		tag := f.Tag.Get("toml")
		if tag == "" {
			continue
		}
		name, option, _ := strings.Cut(tag, ",")
		all = append(all, field{name: name, required: option == "required", index: []int{i}, typ: f.Type})
	}
	return all
}

// table decodes one table; written is false for one that the file leaves out, which only gets
// its defaults.
func (dec *decoder) table(v reflect.Value, values map[string]any, path string, written bool) {
	if def, ok := v.Addr().Interface().(Defaulter); ok {
		def.SetDefaults()
	}
	fields := fieldsOf(v.Type())
	known := make(map[string]bool, len(fields))
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		known[f.name] = true
		names = append(names, f.name)
		at := v.FieldByIndex(f.index)
		if val, ok := values[f.name]; ok {
			dec.value(at, val, join(path, f.name))
			continue
		}
		if f.required && written {
			dec.missing(path, f)
		}
		if f.typ.Kind() == reflect.Struct {
			dec.table(at, nil, join(path, f.name), false)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if known[name] {
			continue
		}
		hint := ""
		if len(dec.problems) < MaxProblems { // a search for each of 100,000 keys takes seconds
			hint = dec.unknown(name, names)
		}
		dec.add(join(path, name), "unknown key", hint)
	}
}

// missing reports a required key at its table, which is not bad for it.
func (dec *decoder) missing(path string, f field) {
	p := dec.doc.Problem(path, f.name+" is missing", "add "+f.name+" = "+example(f.typ))
	if f.typ.Kind() == reflect.Struct {
		p.Hint = "write [" + join(path, f.name) + "]"
	}
	dec.problems = append(dec.problems, p)
}

// unknown makes the hint for an unknown key: the nearest of its own table, or the
// table in which a key of this name stands.
func (dec *decoder) unknown(name string, known []string) string {
	if n := Nearest(name, known); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if where := keyHome(dec.root, "", name); where != "" {
		return "it belongs in " + where
	}
	return DidYouMean(name, known)
}

// keyHome searches the tables below t for one that takes the key.
func keyHome(t reflect.Type, header, name string) string {
	fields := fieldsOf(t)
	for _, f := range fields {
		if f.name == name && header != "" {
			return header
		}
	}
	for _, f := range fields {
		sub, path := f.typ, join(strings.Trim(header, "[]"), f.name)
		head := "[" + path + "]"
		if sub.Kind() == reflect.Slice {
			sub, head = sub.Elem(), "["+head+"]"
		}
		if sub.Kind() != reflect.Struct {
			continue
		}
		if where := keyHome(sub, head, name); where != "" {
			return where
		}
	}
	return ""
}

func (dec *decoder) value(v reflect.Value, val any, path string) {
	switch v.Kind() {
	case reflect.String:
		if s, ok := val.(string); ok {
			v.SetString(s)
			return
		}
	case reflect.Bool:
		if b, ok := val.(bool); ok {
			v.SetBool(b)
			return
		}
	case reflect.Int, reflect.Uint32:
		if n, ok := val.(int64); ok {
			dec.integer(v, n, path)
			return
		}
	case reflect.Float64:
		if dec.float(v, val, path) {
			return
		}
	case reflect.Struct:
		if m, ok := val.(map[string]any); ok {
			dec.table(v, m, path, true)
			return
		}
	case reflect.Map:
		if m, ok := val.(map[string]any); ok {
			v.Set(reflect.ValueOf(m))
			return
		}
	case reflect.Slice, reflect.Array:
		if dec.list(v, val, path) {
			return
		}
	}
	if v.Kind() == reflect.Struct {
		dec.table(v, nil, path, false) // its defaults, so that they make no problems of their own
	}
	dec.add(path, fmt.Sprintf("want %s, got %s", describe(v.Type()), describeValue(val)), hintFor(v.Type(), val, path))
}

func (dec *decoder) integer(v reflect.Value, n int64, path string) {
	if v.Kind() == reflect.Int {
		v.SetInt(n)
		return
	}
	if n < 0 || n > math.MaxUint32 {
		dec.add(path, fmt.Sprintf("%d is not between 0 and %d", n, uint32(math.MaxUint32)), "")
		return
	}
	v.SetUint(uint64(n))
}

func (dec *decoder) float(v reflect.Value, val any, path string) bool {
	switch n := val.(type) {
	case int64:
		v.SetFloat(float64(n))
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			dec.add(path, fmt.Sprintf("%s is not a finite number", strconv.FormatFloat(n, 'g', -1, 64)), "")
			return true
		}
		v.SetFloat(n)
	default:
		return false
	}
	return true
}

func (dec *decoder) list(v reflect.Value, val any, path string) bool {
	var items []any
	switch l := val.(type) {
	case []any:
		items = l
	case []map[string]any:
		for _, m := range l {
			items = append(items, m)
		}
	default:
		return false
	}
	if v.Kind() == reflect.Array {
		if len(items) != v.Len() {
			dec.add(path, fmt.Sprintf("want %s, got %d of them", describe(v.Type()), len(items)), "")
			return true
		}
	} else {
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	}
	for i, item := range items {
		dec.value(v.Index(i), item, fmt.Sprintf("%s[%d]", path, i))
	}
	return true
}

// describe says in words what a field takes.
func describe(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Uint32:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Array:
		return fmt.Sprintf("%d numbers", t.Len())
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Struct:
			return "a list of tables"
		case reflect.String:
			return "a list of texts"
		}
		return "a list of numbers"
	}
	return "a table"
}

// example is a value that the field would take, for hints.
func example(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return `"..."`
	case reflect.Array:
		return "[" + strings.TrimSuffix(strings.Repeat("0.0, ", t.Len()), ", ") + "]"
	case reflect.Slice:
		return "[...]"
	case reflect.Bool:
		return "false"
	}
	return "0"
}

func describeValue(val any) string {
	switch x := val.(type) {
	case string:
		if len(x) > 40 {
			return "a text"
		}
		return fmt.Sprintf("the text %q", x)
	case bool:
		return strconv.FormatBool(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case []any:
		return "a list"
	case []map[string]any:
		return "a list of tables"
	case map[string]any:
		return "a table"
	case time.Time:
		return "a date"
	}
	return fmt.Sprintf("%T", val)
}

func hintFor(t reflect.Type, val any, path string) string {
	switch x := val.(type) {
	case string:
		if _, err := strconv.ParseFloat(x, 64); err == nil && (t.Kind() == reflect.Float64 || t.Kind() == reflect.Int || t.Kind() == reflect.Uint32) {
			return "write " + x + " without quotes"
		}
		if t.Kind() == reflect.Bool && (x == "true" || x == "false") {
			return "write " + x + " without quotes"
		}
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String {
			return fmt.Sprintf("write [%q]", x)
		}
	case map[string]any:
		if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
			return "write [[" + path + "]], with two brackets, for each of them"
		}
	case []map[string]any:
		if t.Kind() == reflect.Struct {
			return "there is only one: write [" + path + "]"
		}
	}
	return ""
}
