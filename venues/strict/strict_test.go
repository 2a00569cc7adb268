package strict_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/venued/venued/venues/strict"
	"pgregory.net/rapid"
)

// writer writes TOML and notes on which line each value went: the naive twin of
// the index, which reads the text back.
type writer struct {
	text  strings.Builder
	lines map[string]int
	n     int
}

func (w *writer) put(s string) { w.text.WriteString(s) }
func (w *writer) line() int    { return strings.Count(w.text.String(), "\n") + 1 }
func (w *writer) note(p string) {
	w.lines[p] = w.line()
}

// key makes a key that was not used before, bare or quoted, as TOML and as a path writes it.
func (w *writer) key(t *rapid.T) (toml, path string) {
	w.n++
	switch rapid.IntRange(0, 3).Draw(t, "key") {
	case 0:
		return fmt.Sprintf(`"a.[b]%d#"`, w.n), fmt.Sprintf(`"a.[b]%d#"`, w.n)
	case 1:
		return fmt.Sprintf(`'c=%d'`, w.n), fmt.Sprintf(`"c=%d"`, w.n)
	}
	return fmt.Sprintf("k%d", w.n), fmt.Sprintf("k%d", w.n)
}

func (w *writer) value(t *rapid.T, path string, depth int, oneLine bool) {
	kind := rapid.IntRange(0, 9).Draw(t, "value")
	if depth > 3 && kind >= 6 {
		kind -= 6
	}
	gap := func() {
		if oneLine {
			w.put(" ")
			return
		}
		w.put(rapid.SampledFrom([]string{"", " ", "\n", " # ] } \" '\n", "\r\n\t"}).Draw(t, "gap"))
	}
	switch kind {
	case 0:
		w.put(rapid.SampledFrom([]string{"1", "-2.5", "true", "1979-05-27T07:32:00Z", "0x1f", "nan"}).Draw(t, "scalar"))
	case 1:
		w.put(rapid.SampledFrom([]string{`""`, `"a\"b"`, `"# not a comment"`, `"[x]"`, `"\\"`, `'\'`, `''`, `'"'`}).Draw(t, "string"))
	case 2, 3, 4, 5:
		if oneLine {
			w.put("7")
			return
		}
		w.put(rapid.SampledFrom([]string{
			"\"\"\"\nx = 1\n[y]\n\"\"\"", "'''\n'x' # = ]\n\\'''", "\"\"\"a \\\n  b\"\"\"", "\"\"\"two \"\"quotes\"\"\"\"\"", "\"\"\"\\\"\"\"\"", "''''quoted'''''", "\"\"\"\"\"\"",
		}).Draw(t, "multi-line"))
	case 6, 7:
		w.put("[")
		for i := range rapid.IntRange(0, 3).Draw(t, "elements") {
			gap()
			at := fmt.Sprintf("%s[%d]", path, i)
			w.note(at)
			w.value(t, at, depth+1, oneLine)
			gap()
			w.put(",")
		}
		gap()
		w.put("]")
	default:
		w.put("{")
		for i := range rapid.IntRange(0, 3).Draw(t, "pairs") {
			if i > 0 {
				w.put(", ")
			}
			w.pair(t, path, depth+1, true)
		}
		w.put("}")
	}
}

func (w *writer) pair(t *rapid.T, path string, depth int, oneLine bool) {
	toml, key := w.key(t)
	at := strings.TrimPrefix(path+"."+key, ".")
	w.note(at)
	w.put(toml)
	if rapid.IntRange(0, 4).Draw(t, "dotted") == 0 {
		toml, key = w.key(t)
		at += "." + key
		w.note(at)
		w.put(rapid.SampledFrom([]string{".", " . "}).Draw(t, "dot") + toml)
	}
	w.put(" = ")
	w.value(t, at, depth, oneLine)
}

func TestLinesAgainstTheWriter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &writer{lines: map[string]int{}}
		if rapid.Bool().Draw(t, "bom") {
			w.put("\xef\xbb\xbf")
		}
		lists := map[string]int{}
		table := ""
		for range rapid.IntRange(0, 12).Draw(t, "statements") {
			switch rapid.IntRange(0, 5).Draw(t, "statement") {
			case 0:
				w.put("# comment [x] = \"\n\n")
			case 1:
				toml, path := w.key(t)
				w.note(path)
				w.put("[ " + toml + " ] # ]\n")
				table = path
			case 2:
				list := rapid.SampledFrom([]string{"list", "other"}).Draw(t, "list")
				table = fmt.Sprintf("%s[%d]", list, lists[list])
				w.note(table)
				lists[list]++
				w.put("[[" + list + "]]\n")
			case 3:
				if lists["list"] > 0 {
					toml, path := w.key(t)
					table = fmt.Sprintf("list[%d].%s", lists["list"]-1, path)
					w.note(table)
					w.put("[list." + toml + "]\n")
				}
			default:
				w.pair(t, table, 0, false)
				w.put("\n")
			}
		}
		text := w.text.String()
		d, err := strict.Open("x", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for path, line := range w.lines {
			if got := d.Line(path); got != line || !d.Has(path) {
				t.Fatalf("%s is on line %d (has %v), want %d\n%s", path, got, d.Has(path), line, text)
			}
			if d.Has(path+".no") || d.Line(path+".no[3]") != line {
				t.Fatalf("something below %s that is not there: line %d, want %d", path, d.Line(path+".no[3]"), line)
			}
		}
	})
}

func TestBounds(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"size":      {strings.Repeat("#", strict.MaxBytes+1), "x: the file has 1048577 bytes; at most 1048576 are read"},
		"arrays":    {"\na = " + strings.Repeat("[", 1000), "x:2: arrays and inline tables are nested deeper than 8"},
		"tables":    {"a = " + strings.Repeat("{a=", 1000), "x:1: arrays and inline tables are nested deeper than 8"},
		"parts":     {strings.Repeat("a.", 1000) + "a = 1", "x:1: a key has more than 8 parts"},
		"header":    {"[" + strings.Repeat("a.", 1000) + "a]", "x:1: a key has more than 8 parts"},
		"key":       {strings.Repeat("a", 1000) + " = 1", "x:1: a key has 1000 bytes; at most 64 are read"},
		"not utf-8": {"a = \"\xff\"", "x:1: not TOML: invalid UTF-8 byte: 0xff (the last key read was \"a\")"},
		"utf-16":    {"a\x00=\x001\x00", "x:1: not TOML: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8"},
	} {
		_, err := strict.Open("x", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: got %v\nwant %s", name, err, c.want)
		}
	}
}

type leafTable struct {
	N int     `toml:"n"`
	F float64 `toml:"f,required"`
}

func (l *leafTable) SetDefaults() { l.N = 7 }

type common struct {
	Texts []string `toml:"texts"`
}

type document struct {
	common
	One  leafTable      `toml:"one"`
	Many []leafTable    `toml:"many"`
	Pair [2]float64     `toml:"pair"`
	Word uint32         `toml:"word"`
	Flag bool           `toml:"flag"`
	Free map[string]any `toml:"free"`
}

func TestDecode(t *testing.T) {
	d, err := strict.Open("x", []byte(`
texts = ["a", "b"]
pair = [1, 2.5]
word = 4_294_967_295
flag = true
many = [{f = 1}, {f = 2, n = 0}]
[free]
x = [1, {y = 2}]
`))
	if err != nil {
		t.Fatal(err)
	}
	var got document
	if problems := d.Decode(&got); problems != nil {
		t.Fatal(problems)
	}
	want := document{
		common: common{[]string{"a", "b"}}, One: leafTable{N: 7}, Many: []leafTable{{7, 1}, {0, 2}},
		Pair: [2]float64{1, 2.5}, Word: 1<<32 - 1, Flag: true,
		Free: map[string]any{"x": []any{int64(1), map[string]any{"y": int64(2)}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(document{}, common{})); diff != "" {
		t.Error(diff)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"grabbable", "usable", "shape", "size", "color", "name"}
	for word, want := range map[string]string{
		"grabable": "grabbable", "Name": "name", "colour": "color", "sahpe": "shape", "siz": "size", "sizes": "size",
		"xyzzy": "", "": "", strings.Repeat("a", 500): "", "grab": "grabbable",
	} {
		if got := strict.Nearest(word, known); got != want {
			t.Errorf("Nearest(%.20q) = %q, want %q", word, got, want)
		}
	}
}

func TestProblemsAreSortedOnce(t *testing.T) {
	if err := (strict.Problems{}).Err(); err != nil {
		t.Errorf("no problems make the error %v", err)
	}
	p := strict.Problems{{File: "f", Line: 9, Path: "b", Msg: "m"}, {File: "f", Line: 2, Path: "z", Msg: "m", Hint: "h"}, {File: "f", Line: 9, Path: "a", Msg: "m"}, {File: "f", Line: 9, Path: "b", Msg: "m"}}
	err := p.Err()
	if want := "f:2: z: m; h\nf:9: a: m\nf:9: b: m"; err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if _, ok := errors.AsType[strict.Problems](fmt.Errorf("wrapped: %w", err)); !ok {
		t.Error("the error is not found in a wrapped one")
	}
}

func FuzzOpen(f *testing.F) {
	for _, s := range []string{"", "a = 1\n[b]\nc = [1,\n{d = 'x'}]\n[[e]]\n[e.f]", "\"a\\\"b\".c = '''\nx'''", "[[a]]\n[a]\n", "a = \"\"\"\n\\", "[", "a.b.c", "a={b=[{c=1}]}", "#", "a = [\"]\", # ]\n]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := strict.Open("x", data)
		if err != nil {
			if p, ok := err.(strict.Problems); !ok || len(p) != 1 {
				t.Fatalf("the error is a %T: %v", err, err)
			}
			return
		}
		var v document
		lines := strings.Count(string(data), "\n") + 1
		for _, p := range d.Decode(&v) {
			if p.Line < 0 || p.Line > lines {
				t.Fatalf("%v: the file has %d lines", p, lines)
			}
			if p.Path != "" && p.Line == 0 && p.Msg == "unknown key" {
				t.Fatalf("%v: an unknown key stands on a line", p)
			}
		}
		d.Line(string(data))
		d.Has(string(data))
	})
}

func TestManyProblemsAreCounted(t *testing.T) {
	var text strings.Builder
	for i := range 3 * strict.MaxProblems {
		fmt.Fprintf(&text, "k%d = 1\n", i)
	}
	d, err := strict.Open("x", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	problems := d.Decode(new(document)).Err().(strict.Problems)
	if len(problems) != strict.MaxProblems+1 || problems[strict.MaxProblems].Msg != "and 1000 more problems" {
		t.Errorf("%d problems, the last: %v", len(problems), problems[len(problems)-1])
	}
}
