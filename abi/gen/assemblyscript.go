package main

import "strings"

func assemblyScript(s *schema) []byte {
	w := new(writer)
	w.f("/** Numbers and records of the contract. Generated from abi/schema.json by go generate ./abi: do not edit. */\n\n")
	w.f("/** The minor version of the contract that this kit was made from. */\nexport const MINOR: u32 = %d;\n", s.Minor)
	for _, m := range s.Magics {
		w.f("/** The first four bytes, %q. */\nexport const MAGIC_%s: u32 = %#x;\n", m.Value, strings.ToUpper(m.Name), m.number())
	}
	w.f("\n")
	for _, l := range s.Limits {
		if l.Guest {
			w.f("/** %s. */\nexport const %s: u32 = %s;\n", sentence(l.explain()), strings.ToUpper(l.Name), plain(l.Value))
		}
	}
	for _, r := range s.Records {
		w.f("/** Bytes of a record of this minor version. */\nexport const %s_SIZE: u32 = %d;\n", strings.ToUpper(snake(r.Name)), r.Size)
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		prefix, ok := g.Prefix["as"]
		if !ok {
			continue
		}
		w.f("\n// %s %s\n", g.Name, g.Doc)
		for _, v := range g.Values {
			w.f("/** %s. */\nexport const %s%s: %s = %d;\n", sentence(v.explain(func(f string) string { return asName(f) })), prefix, strings.ToUpper(v.Name), g.Wire, v.Value)
		}
	}
	for i := range s.Records {
		if r := &s.Records[i]; !r.LayoutOnly {
			r.assemblyScript(w)
		}
	}
	return w.Bytes()
}

func asName(name string) string { return cName(lowerCamel(name)) }

var gaps = map[int]string{1: "u8", 2: "u16", 4: "u32", 8: "u64"}

// assemblyScript writes a class over the record in place.
func (r *record) assemblyScript(w *writer) {
	w.f("\n/** %s */\n@unmanaged\nexport class %s {\n", sentence(strings.TrimPrefix(r.Doc, "is ")), r.Name)
	at := 0
	for _, f := range r.Fields {
		for at < f.At {
			// The largest step that is aligned and fits.
			n := 8
			for at%n != 0 || at+n > f.At {
				n /= 2
			}
			w.f("  protected reserved%d: %s;\n", at, gaps[n])
			at += n
		}
		if f.Doc != "" {
			w.f("  /** %s. */\n", sentence(f.Doc))
		}
		protected := ""
		if f.Internal {
			protected = "protected "
		}
		if f.variable() {
			w.f("  %sOffset: u32;\n  %sLength: u32;\n", asName(f.Name), asName(f.Name))
		} else {
			w.f("  %s%s: %s;\n", protected, asName(f.Name), f.Type)
		}
		at = f.At + sizes[f.Type]
	}
	w.f("}\n")
}
