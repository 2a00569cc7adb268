package scenario

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/venued/venued/venues/strict"
)

// Limits of a file, so that a slip does not become an hour of ticks.
const (
	MaxFile      = 1 << 20
	MaxScenarios = 1000
	MaxTicks     = 200_000 // of a scenario
)

// File is a parsed scenario file.
type File struct {
	Name      string
	Scenarios []*Scenario

	lines []string // as read
}

// Scenario is one story: it starts in a region of its own.
type Scenario struct {
	Name string
	Line int

	given  []*line // the file's, then its own
	rounds []*round
}

// round is what happens, what must be commanded, and what must be so.
type round struct {
	when    []*action
	then    []*line
	hasThen bool
	from    int // lines of the file that "then" fills, from included, to excluded, both counted from 0
	to      int
	checks  []*check
}

// line is a line of a block.
type line struct {
	n     int // in the file, from 1
	text  string
	words []string
}

// Error is a fault in a file: file, line, and what to do.
type Error struct {
	File string
	Line int
	Msg  string
}

// Error returns file:line: sentence.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg) }

var blocks = []string{"given", "scenario", "when", "then", "check"}

// Parse reads a file. It reads the lines under given, when and check strictly; the names in them are judged when the scenario is played. The
// error is an *Error.
func Parse(name string, b []byte) (*File, error) {
	p := &parser{f: &File{Name: name}}
	switch {
	case len(b) > MaxFile:
		return nil, p.at(1, "%d bytes: a scenario file has at most %d", len(b), MaxFile)
	case !utf8.Valid(b):
		return nil, p.at(1, "this is not a text in UTF-8")
	}
	p.f.lines = strings.Split(string(b), "\n")
	for i, text := range p.f.lines {
		if err := p.line(i, strings.TrimSuffix(text, "\r")); err != nil {
			return nil, err
		}
	}
	if len(p.f.Scenarios) == 0 {
		return nil, p.at(len(p.f.lines), "there is no scenario: begin one with \"scenario\" and what it shows")
	}
	if err := p.endScenario(); err != nil {
		return nil, err
	}
	return p.f, nil
}

type parser struct {
	f      *File
	block  string
	shared []*line // what the file gives every scenario
}

func (p *parser) at(n int, form string, args ...any) error {
	return &Error{p.f.Name, n, fmt.Sprintf(form, args...)}
}

func (p *parser) scenario() *Scenario {
	if len(p.f.Scenarios) == 0 {
		return nil
	}
	return p.f.Scenarios[len(p.f.Scenarios)-1]
}

func (p *parser) round() *round {
	if s := p.scenario(); s != nil && len(s.rounds) > 0 {
		return s.rounds[len(s.rounds)-1]
	}
	return nil
}

func (p *parser) line(i int, text string) error {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed[0] == '#' {
		return nil
	}
	if trimmed == strings.TrimRight(text, " \t") {
		return p.begin(i, trimmed)
	}
	words, err := split(trimmed)
	if err != nil && p.block != "then" {
		return p.at(i+1, "%v", err)
	}
	l := &line{n: i + 1, text: trimmed, words: words}
	switch p.block {
	case "":
		return p.at(l.n, "an indented line belongs to a block: begin one with %s at the margin", strings.Join(blocks, ", "))
	case "scenario":
		return p.at(l.n, "a scenario goes on with given, when or check at the margin")
	case "given":
		if err := checkGiven(l); err != nil {
			return p.at(l.n, "%v", err)
		}
		if s := p.scenario(); s != nil {
			s.given = append(s.given, l)
		} else {
			p.shared = append(p.shared, l)
		}
	case "when":
		a, err := parseAction(l)
		if err != nil {
			return p.at(l.n, "%v", err)
		}
		p.round().when = append(p.round().when, a)
	case "then":
		r := p.round()
		r.then = append(r.then, l)
		r.to = i + 1
	case "check":
		c, err := parseCheck(l)
		if err != nil {
			return p.at(l.n, "%v", err)
		}
		p.round().checks = append(p.round().checks, c)
	}
	return nil
}

// begin starts a block.
func (p *parser) begin(i int, text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "scenario":
		return p.beginScenario(i, rest)
	case rest != "" && contains(blocks, word):
		return p.at(i+1, "%s stands alone on its line; what belongs to it is indented below", word)
	case !contains(blocks, word):
		return p.at(i+1, "%q begins no block: %s; lines of a block are indented", word, strict.DidYouMean(word, blocks))
	}
	s, r := p.scenario(), p.round()
	switch word {
	case "given":
		if s == nil && p.block != "" {
			return p.at(i+1, "what every scenario is given stands in one block")
		}
		if s != nil && p.block != "scenario" {
			return p.at(i+1, "given stands before the first scenario, or right after the scenario that it is for")
		}
	case "when":
		if s == nil {
			return p.at(i+1, "begin a scenario first")
		}
		if r != nil && p.block == "when" {
			return p.at(i+1, "the round before has neither then nor check: go on there, its lines are in order anyway")
		}
		s.rounds = append(s.rounds, &round{})
	case "then":
		if s == nil || r == nil || p.block != "when" {
			return p.at(i+1, "then follows when")
		}
		r.hasThen, r.from, r.to = true, i+1, i+1
	case "check":
		if s == nil || p.block == "check" {
			return p.at(i+1, "check follows when or then")
		}
		if r == nil { // of what is given
			s.rounds = append(s.rounds, &round{})
		}
	}
	p.block = word
	return nil
}

func (p *parser) beginScenario(i int, name string) error {
	if name == "" {
		return p.at(i+1, "say what the scenario shows, on the same line")
	}
	if err := p.endScenario(); err != nil {
		return err
	}
	if len(p.f.Scenarios) == MaxScenarios {
		return p.at(i+1, "a file has at most %d scenarios", MaxScenarios)
	}
	for _, s := range p.f.Scenarios {
		if s.Name == name {
			return p.at(i+1, "line %d has a scenario of that name", s.Line)
		}
	}
	p.f.Scenarios = append(p.f.Scenarios, &Scenario{Name: name, Line: i + 1, given: p.shared[:len(p.shared):len(p.shared)]})
	p.block = "scenario"
	return nil
}

// endScenario sees that the last scenario says something.
func (p *parser) endScenario() error {
	s := p.scenario()
	if s == nil {
		return nil
	}
	for _, r := range s.rounds {
		if r.hasThen || len(r.checks) > 0 {
			return nil
		}
	}
	return p.at(s.Line, "the scenario proves nothing: it has neither then nor check")
}

// split takes a line apart at blanks; "a text" in quotes is one word, which keeps its quotes.
func split(s string) ([]string, error) {
	var words []string
	for s = strings.TrimLeft(s, " \t"); s != ""; s = strings.TrimLeft(s, " \t") {
		n := strings.IndexAny(s, " \t")
		if s[0] == '"' {
			n = closing(s)
			if n < 0 {
				return nil, fmt.Errorf("a text begins with %.20s and has no closing quote", s)
			}
			if n < len(s) && s[n] != ' ' && s[n] != '\t' {
				return nil, fmt.Errorf("a blank is missing after %s", s[:n])
			}
		}
		if n < 0 {
			n = len(s)
		}
		words = append(words, s[:n])
		s = s[n:]
	}
	return words, nil
}

// closing returns where the text that s begins with ends, its quote included, or -1.
func closing(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

func contains(list []string, word string) bool {
	for _, w := range list {
		if w == word {
			return true
		}
	}
	return false
}

// Update returns the file with each "then" as the played scenarios have it. Comments in the blocks stay, above the commands.
func (f *File) Update(results []*Result) []byte {
	lines := f.lines
	var out []string
	at := 0
	for i, s := range f.Scenarios {
		for j, r := range s.rounds {
			if !r.hasThen || i >= len(results) || j >= len(results[i].rounds) {
				continue
			}
			out = append(out, lines[at:r.from]...)
			for _, text := range lines[r.from:r.to] {
				if t := strings.TrimSpace(text); t != "" && t[0] == '#' {
					out = append(out, text)
				}
			}
			end := ""
			if strings.HasSuffix(lines[r.from-1], "\r") { // as the file ends its lines
				end = "\r"
			}
			for _, text := range results[i].rounds[j] {
				out = append(out, "  "+text+end)
			}
			at = r.to
		}
	}
	return []byte(strings.Join(append(out, lines[at:]...), "\n"))
}
