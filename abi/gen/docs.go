package main

import (
	"fmt"
	"strings"
)

// document rewrites the tables of docs/rules.md, each between its marks.
func document(s *schema, old []byte) ([]byte, error) {
	tables := map[string]string{"exports": calls(s.Exports), "imports": calls(s.Imports), "limits": limits(s.Limits)}
	for i := range s.Groups {
		tables[s.Groups[i].Section] = s.Groups[i].table()
	}
	for i := range s.Records {
		tables["record "+snake(s.Records[i].Name)] = s.Records[i].table()
	}
	text := old
	for name, table := range tables {
		var err error
		if text, err = between(text, "<!-- schema: "+name+" -->\n", "<!-- schema: end -->", []byte(table)); err != nil {
			return nil, err
		}
	}
	return text, nil
}

func since(minor int) string {
	if minor == 0 {
		return ""
	}
	return fmt.Sprintf(" (since 1.%d)", minor)
}

func calls(list []call) string {
	w := new(writer)
	w.f("| signature | meaning |\n| --- | --- |\n")
	for _, c := range list {
		doc := c.Doc
		if c.Optional {
			doc = "optional: " + doc
		}
		w.f("| `%s` | %s%s |\n", c.Signature, doc, since(c.Minor))
	}
	return w.String()
}

func limits(list []limit) string {
	w := new(writer)
	w.f("| limit | value | of what |\n| --- | --- | --- |\n")
	for _, l := range list {
		if l.Number {
			continue
		}
		w.f("| `%s` | %s %s | %s%s |\n", l.Name, thousands(l.Value), l.Unit, l.Doc, since(l.Minor))
	}
	return strings.ReplaceAll(w.String(), "  |", " |")
}

// thousands writes a number with commas, KiB and MiB as such where they come out even.
func thousands(n int) string {
	return strings.NewReplacer(" << 20", " Mi", " << 10", " Ki", "_", ",").Replace(digits(n))
}

func (g *group) table() string {
	w := new(writer)
	number, fields := g.Wire != "text", false
	for _, v := range g.Values {
		fields = fields || len(v.Fields) > 0
	}
	w.f("| name |")
	if number {
		w.f(" number |")
	}
	w.f(" meaning |")
	if fields {
		w.f(" fields |")
	}
	columns := strings.Count(w.String(), "|") - 1
	w.f("\n|%s\n", strings.Repeat(" --- |", columns))
	for _, v := range g.Values {
		w.f("| `%s` |", v.manifest())
		if number {
			w.f(" %d |", v.Value)
		}
		w.f(" %s%s |", v.Doc, since(v.Minor))
		if fields {
			var parts []string
			for _, f := range v.Fields {
				parts = append(parts, "`"+f[0]+"` "+f[1])
			}
			w.f(" %s |", strings.Join(parts, "; "))
		}
		w.f("\n")
	}
	return w.String()
}

func (r *record) table() string {
	w := new(writer)
	w.f("%d bytes.\n\n| offset | type | field | meaning |\n| --- | --- | --- | --- |\n", r.Size)
	for _, f := range r.Fields {
		t := f.Type
		if f.variable() {
			t = "u32, u32"
		}
		name := "`" + f.Name + "`"
		if f.variable() {
			name += " offset and length"
		}
		w.f("| %d | %s | %s | %s |\n", f.At, t, name, f.Doc)
	}
	return w.String()
}
