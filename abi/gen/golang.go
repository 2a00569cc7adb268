package main

import (
	"go/format"
	"slices"
	"strconv"
	"strings"
)

const goHead = "// Code generated from abi/schema.json by go generate ./abi; DO NOT EDIT.\n\n"

var goTypes = map[string]string{
	"u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "i32": "int32", "i64": "int64", "bytes": "[]byte", "text": "string",
}

// get returns the Go expression that reads a field of r; put the statement that writes v to it.
func (f field) get(of string) string {
	at := "r[" + strconv.Itoa(f.At) + ":]"
	switch f.Type {
	case "u8":
		return "r[" + strconv.Itoa(f.At) + "]"
	case "u16":
		return convert(of, "uint16", "le.Uint16("+at+")")
	case "u32", "i32":
		return convert(of, "uint32", "le.Uint32("+at+")")
	}
	return convert(of, "uint64", "le.Uint64("+at+")")
}

func (f field) put(of, v string) string {
	at := "r[" + strconv.Itoa(f.At) + ":]"
	switch f.Type {
	case "u8":
		return "r[" + strconv.Itoa(f.At) + "] = " + v
	case "u16":
		return "le.PutUint16(" + at + ", " + convert("uint16", of, v) + ")"
	case "u32", "i32":
		return "le.PutUint32(" + at + ", " + convert("uint32", of, v) + ")"
	}
	return "le.PutUint64(" + at + ", " + convert("uint64", of, v) + ")"
}

func convert(to, from, v string) string {
	if to == from {
		return v
	}
	return to + "(" + v + ")"
}

// goType is a field's type on a side.
func (s *schema) goType(f field, side string) string {
	if f.Group != "" {
		if t := s.group(f.Group).Types[side]; t != "" {
			return t
		}
	}
	return goTypes[f.Type]
}

// goConstants writes a group's constants.
func goConstants(w *writer, g *group, side string) {
	prefix, ok := g.Prefix[side]
	if !ok {
		return
	}
	t := g.Types[side]
	exported := prefix == "" || prefix[0] >= 'A' && prefix[0] <= 'Z'
	if t == g.Name {
		w.wrap("// ", 110, t+" "+g.Doc)
		w.f("type %s %s\n\n", t, map[string]string{"text": "string"}[g.Wire]+goTypes[strings.TrimPrefix(g.Wire, "text")])
	}
	if exported {
		if t == g.Name {
			w.f("// Values of %s.\n", t)
		} else {
			w.wrap("// ", 110, "Values of "+g.Name+", which "+g.Doc)
		}
	}
	w.f("const (\n")
	for _, v := range g.Values {
		name := prefix + camel(v.Name)
		doc := v.explain(camel)
		if len(doc) > 70 {
			w.wrap("\t// ", 110, name+": "+doc)
			doc = ""
		}
		w.f("\t%s", name)
		if t != "" {
			w.f(" %s", t)
		}
		if g.Wire == "text" {
			w.f(" = %q", v.Name)
		} else {
			w.f(" = %d", v.Value)
		}
		if doc != "" {
			w.f(" // %s", doc)
		}
		w.f("\n")
	}
	w.f(")\n\n")
}

// goStruct writes a record's type, with extra fields in front.
func (s *schema) goStruct(w *writer, r *record, side, name, extra string) {
	w.wrap("// ", 110, name+" "+r.Doc)
	w.f("type %s struct {\n%s", name, extra)
	for _, f := range r.Fields {
		if !f.Internal {
			w.f("\t%s %s", camel(f.Name), s.goType(f, side))
			if f.Doc != "" {
				w.f(" // %s", f.Doc)
			}
			w.f("\n")
		}
	}
	w.f("}\n\n")
}

// goCodec writes the functions that read and write the fields of a record of fixed size. The codec by hand sees to what an offset
// and a length refer to, for which it finds the positions in constants.
func (s *schema) goCodec(w *writer, r *record, side, name, read, write string) {
	self := strings.ToLower(name[:1])
	if self == "r" { // the record's bytes
		self = "w"
	}
	if read != "" {
		w.f("// %s reads the fields of fixed size.\nfunc (%s *%s) %s(r []byte) {\n\t_ = r[%d]\n", read, self, name, read, r.Size-1)
		for _, f := range r.Fields {
			if !f.Internal && !f.variable() {
				w.f("\t%s.%s = %s\n", self, camel(f.Name), f.get(s.goType(f, side)))
			}
		}
		w.f("}\n\n")
	}
	if write != "" {
		w.f("// %s writes the fields of fixed size.\nfunc (%s *%s) %s(r []byte) {\n\t_ = r[%d]\n", write, self, name, write, r.Size-1)
		for _, f := range r.Fields {
			if !f.Internal && !f.variable() {
				w.f("\t%s\n", f.put(s.goType(f, side), self+"."+camel(f.Name)))
			}
		}
		w.f("}\n\n")
	}
}

// goLayout writes the sizes of records and the positions that codecs by hand need.
func (s *schema) goLayout(w *writer, suffix func(record string) string) {
	w.f("// Sizes of the records of this minor version, bytes.\nconst (\n")
	for _, r := range s.Records {
		w.f("\t%s = %d\n", suffix(r.Name), r.Size)
	}
	w.f(")\n\n// Positions in records, bytes.\nconst (\n")
	for _, r := range s.Records {
		for _, f := range r.Fields {
			if f.Internal || f.variable() || r.Name == "Header" || r.Name == "Setting" {
				w.f("\toff%s%s = %d\n", r.Name, camel(f.Name), f.At)
			}
		}
	}
	w.f(")\n\n")
}

func hostGo(s *schema) ([]byte, error) {
	w := new(writer)
	w.f("%spackage abi\n\n", goHead)
	w.f("// Version is the major version of the contract; Minor the newest minor one.\nconst (\n\tVersion = %d\n\tMinor = %d\n)\n\n", s.Version, s.Minor)
	for _, t := range s.Texts {
		w.wrap("// ", 110, camel(t.Name)+" "+t.Doc)
		w.f("const %s = %q\n\n", camel(t.Name), t.Value)
	}
	w.f("// Magic numbers, the first four bytes of what they name.\nconst (\n")
	for _, m := range s.Magics {
		w.f("\tMagic%s = %#x // %q\n", camel(m.Name), m.number(), m.Value)
	}
	w.f(")\n\n")
	s.goLayout(w, func(r string) string { return r + "Size" })
	for i := range s.Groups {
		goConstants(w, &s.Groups[i], "host")
	}
	for i := range s.Groups {
		s.Groups[i].goTable(w)
	}
	w.f("// Limits that hold for every plugin; a venue may set lower ones. A unit of fuel is about the time of a simple instruction; which\n" +
		"// instructions a call executes decides what it uses, not the machine or its load.\nconst (\n")
	for _, l := range s.Limits {
		w.f("\t%s = %s // %s\n", camel(l.Name), digits(l.Value), l.explain())
	}
	w.f(")\n\n")
	for i := range s.Records {
		r := &s.Records[i]
		if r.LayoutOnly {
			continue
		}
		s.goStruct(w, r, "host", r.Name, "")
		s.goCodec(w, r, "host", r.Name, "get", "put")
	}
	return format.Source(w.Bytes())
}

// goTable writes the variables that map a manifest's names.
func (g *group) goTable(w *writer) {
	switch {
	case g.Table != "":
		w.f("// %s maps the names in a manifest to values of %s.\nvar %s = map[string]%s{\n", g.Table, g.Name, g.Table, g.Types["host"])
		for _, v := range g.Values {
			w.f("\t%q: %s,\n", v.manifest(), g.Prefix["host"]+camel(v.Name))
		}
		w.f("}\n\n")
		if g.Name == "CommandKind" { // what a guest may write
			last := g.Values[len(g.Values)-1]
			w.f("// last%s is the highest value of this minor version.\nconst last%s = %s\n\n", g.Name, g.Name, g.Prefix["host"]+camel(last.Name))
		}
	case g.List != "":
		var names []string
		for _, v := range g.Values {
			names = append(names, strconv.Quote(v.Name))
		}
		slices.Sort(names)
		w.f("// %s has the names of %s.\nvar %s = []string{%s}\n\n", g.List, g.Name, g.List, strings.Join(names, ", "))
	}
}

func guestGo(s *schema) ([]byte, error) {
	w := new(writer)
	w.f("%spackage rule\n\n", goHead)
	w.f("// minor is the minor version of the contract that this kit was made from.\nconst minor = %d\n\n", s.Minor)
	w.f("const commandMagic = %#x // %q\n\n", s.magic("commands").number(), s.magic("commands").Value)
	s.goLayout(w, func(r string) string { return lowerCamel(snake(r)) + "Size" })
	for i := range s.Groups {
		goConstants(w, &s.Groups[i], "go")
	}
	w.f("// Limits of the contract.\nconst (\n")
	for _, l := range s.Limits {
		if l.Guest {
			w.f("\t%s = %s // %s\n", camel(l.Name), digits(l.Value), l.explain())
		}
	}
	w.f(")\n\n")
	for i := range s.Records {
		r := &s.Records[i]
		switch r.Name {
		case "Event":
			s.goStruct(w, r, "go", "Event", "\tNumber uint32 // in the batch, from 1: commands answer it by this\n")
			s.goCodec(w, r, "go", "Event", "get", "")
		case "Row":
			s.goStruct(w, r, "go", "Row", "")
			s.goCodec(w, r, "go", "Row", "get", "")
		case "Command":
			s.goStruct(w, r, "go", "command", "")
			s.goCodec(w, r, "go", "command", "", "put")
		}
	}
	return format.Source(w.Bytes())
}
