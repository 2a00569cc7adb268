package main

import (
	"fmt"
	"strings"
)

func rust(s *schema) []byte {
	w := new(writer)
	w.f("// Generated from abi/schema.json by go generate ./abi: do not edit.\n//! Numbers and records of the contract.\n\n")
	w.f("/// The minor version of the contract that this kit was made from.\npub const MINOR: u16 = %d;\n", s.Minor)
	for _, m := range s.Magics {
		w.f("/// The first four bytes, %q.\npub const MAGIC_%s: u32 = %#x;\n", m.Value, strings.ToUpper(m.Name), m.number())
	}
	w.f("\n")
	for _, l := range s.Limits {
		if l.Guest {
			t := "usize"
			if l.Number {
				t = "i32"
			}
			w.f("/// %s.\npub const %s: %s = %s;\n", sentence(l.explain()), strings.ToUpper(l.Name), t, digits(l.Value))
		}
	}
	for _, r := range s.Records {
		w.f("/// Bytes of a record of this minor version.\npub const %s_SIZE: usize = %d;\n", strings.ToUpper(snake(r.Name)), r.Size)
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		prefix, ok := g.Prefix["rust"]
		if !ok {
			continue
		}
		w.f("\n// %s %s\n", g.Name, g.Doc)
		for _, v := range g.Values {
			w.wrap("/// ", 110, sentence(v.explain(func(f string) string { return "`" + f + "`" }))+".")
			w.f("pub const %s%s: %s = %d;\n", prefix, strings.ToUpper(v.Name), g.Wire, v.Value)
		}
	}
	w.f("\n#[inline]\nfn array<const N: usize>(from: &[u8], at: usize) -> [u8; N] {\n    let mut out = [0; N];\n    out.copy_from_slice(&from[at..at + N]);\n    out\n}\n")
	for i := range s.Records {
		r := &s.Records[i]
		switch r.Name {
		case "Header", "Event", "Row", "Setting":
			r.rustReader(w)
		case "Command":
			r.rustWriter(w)
		}
	}
	return w.Bytes()
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// rustReader writes a view of a record in place: its bytes are checked once, when it is made.
func (r *record) rustReader(w *writer) {
	w.f("\n")
	w.wrap("/// ", 110, sentence(strings.TrimPrefix(r.Doc, "is ")))
	// What refers to other bytes of the batch keeps it; commands answer an event by its number.
	declare, make, take := "", "", ""
	if r.dataAt() >= 0 {
		declare, make = "    batch: &'a [u8],\n", "batch, "
	}
	if r.Name == "Event" {
		declare, make, take = declare+"    number: u32,\n", make+"number, ", ", number: u32"
	}
	w.f("#[derive(Clone, Copy)]\npub struct %s<'a> {\n    record: &'a [u8; %d],\n%s}\n\n", r.Name, r.Size, declare)
	w.f("#[allow(dead_code)] // not every field of every record has a use here\nimpl<'a> %s<'a> {\n", r.Name)
	w.f("    #[inline]\n    pub(crate) fn at(batch: &'a [u8], at: usize%s) -> Self {\n"+
		"        let record = &batch[at..at + %d];\n"+
		"        // The slice has that length: it was checked in the line above, once for all fields.\n"+
		"        %s { %srecord: unsafe { &*(record.as_ptr() as *const [u8; %d]) } }\n    }\n", take, r.Size, r.Name, make, r.Size)
	if r.Name == "Event" || r.Name == "Row" {
		w.f("    /// As `at`, of records that lie in the batch: the caller has checked that, once for all of them.\n"+
			"    #[inline]\n    pub(crate) unsafe fn at_unchecked(batch: &'a [u8], at: usize%s) -> Self {\n"+
			"        %s { %srecord: &*(batch.as_ptr().add(at) as *const [u8; %d]) }\n    }\n", take, r.Name, make, r.Size)
	}
	if take != "" {
		w.f("    /// Its number in the batch, from 1: commands answer it by this.\n    #[inline]\n    pub fn number(&self) -> u32 {\n        self.number\n    }\n")
	}
	for _, f := range r.Fields {
		name, vis := f.Name, "pub"
		if f.Internal {
			vis = "pub(crate)"
		}
		if name == "type" {
			name = "kind" // a reserved word
		}
		if f.Doc != "" {
			w.wrap("    /// ", 106, sentence(f.Doc)+".")
		}
		w.f("    #[inline]\n    %s fn %s(&self) -> ", vis, name)
		bytes := func(at int) string {
			return fmt.Sprintf("from_le_bytes(array(self.record, %d))", at)
		}
		switch {
		case f.variable():
			w.f("&'a [u8] {\n        let (at, len) = (u32::%s as usize, u32::%s as usize);\n        &self.batch[at..at + len]\n    }\n", bytes(f.At), bytes(f.At+4))
		case f.Type == "u8":
			w.f("u8 {\n        self.record[%d]\n    }\n", f.At)
		default:
			w.f("%s {\n        %s::%s\n    }\n", f.Type, f.Type, bytes(f.At))
		}
	}
	w.f("}\n")
}

// rustWriter writes a record as a plain struct that is copied into the list.
func (r *record) rustWriter(w *writer) {
	w.f("\n")
	w.wrap("/// ", 110, sentence(strings.TrimPrefix(r.Doc, "is ")))
	w.f("#[derive(Clone, Copy, Default)]\npub struct %s {\n", r.Name)
	for _, f := range r.Fields {
		if f.Doc != "" {
			w.f("    /// %s.\n", sentence(f.Doc))
		}
		if f.variable() {
			w.f("    pub %s_offset: u32,\n    /// Their length, bytes.\n    pub %s_len: u32,\n", f.Name, f.Name)
		} else {
			w.f("    pub %s: %s,\n", f.Name, f.Type)
		}
	}
	w.f("}\n\nimpl %s {\n    /// Writes the record, what is reserved as zeros.\n    #[inline]\n    pub fn put(&self, to: &mut [u8; %d]) {\n        *to = [0; %d];\n", r.Name, r.Size, r.Size)
	put := func(name string, at, n int) {
		w.f("        to[%d..%d].copy_from_slice(&self.%s.to_le_bytes());\n", at, at+n, name)
	}
	for _, f := range r.Fields {
		if f.variable() {
			put(f.Name+"_offset", f.At, 4)
			put(f.Name+"_len", f.At+4, 4)
		} else {
			put(f.Name, f.At, sizes[f.Type])
		}
	}
	w.f("    }\n}\n\n/// Where a command's data offset stands in its record, bytes; its length follows.\npub const COMMAND_DATA_AT: usize = %d;\n", r.dataAt())
}

// dataAt is the position of the first field of variable size, -1 without one.
func (r *record) dataAt() int {
	for _, f := range r.Fields {
		if f.variable() {
			return f.At
		}
	}
	return -1
}
