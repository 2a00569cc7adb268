package strict

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// place is where a table, key or list element stands.
type place struct {
	line  int
	keys  map[string]*place
	elems []*place
}

// key returns the place of a key in p, made at line when it is new.
func (p *place) key(name string, line int) *place {
	if k := p.keys[name]; k != nil {
		return k
	}
	if p.keys == nil {
		p.keys = make(map[string]*place)
	}
	k := &place{line: line}
	p.keys[name] = k
	return k
}

// step follows the first part of a path and returns what is left of it; nil when
// there is no such place.
func (p *place) step(path string) (next *place, rest string) {
	switch path[0] {
	case '[':
		end := strings.IndexByte(path, ']')
		if end < 0 {
			return nil, ""
		}
		i, err := strconv.Atoi(path[1:end])
		if err != nil || i < 0 || i >= len(p.elems) {
			return nil, ""
		}
		return p.elems[i], path[end+1:]
	case '.':
		path = path[1:]
	}
	name, rest := path, ""
	if quoted, err := strconv.QuotedPrefix(path); err == nil {
		if name, err = strconv.Unquote(quoted); err != nil {
			return nil, ""
		}
		rest = path[len(quoted):]
	} else if end := strings.IndexAny(path, ".["); end >= 0 {
		name, rest = path[:end], path[end:]
	}
	return p.keys[name], rest
}

// scanner walks TOML source for the lines of its keys. It is lenient: what it does not
// understand it steps over, because the parser that runs after it refuses
// wrong syntax. It only refuses what passes the package's bounds.
type scanner struct {
	src   []byte
	pos   int
	line  int
	fault *Problem
}

func scan(src []byte) (*place, *Problem) {
	s := &scanner{src: src, line: 1}
	root := &place{}
	table := root
	for {
		s.space(true)
		if s.fault != nil || s.pos >= len(s.src) {
			return root, s.fault
		}
		before := s.pos
		if s.peek() == '[' {
			if t := s.header(root); t != nil {
				table = t
			}
		} else {
			s.pair(table, 0)
		}
		if s.pos == before {
			s.pos++ // a byte that starts nothing
		}
	}
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// space skips blanks and comments, and line ends too if lines is set.
func (s *scanner) space(lines bool) {
	for s.pos < len(s.src) {
		switch s.src[s.pos] {
		case ' ', '\t', '\r':
			s.pos++
		case '\n':
			if !lines {
				return
			}
			s.line++
			s.pos++
		case '#':
			for s.pos < len(s.src) && s.src[s.pos] != '\n' {
				s.pos++
			}
		default:
			return
		}
	}
}

// header reads [a.b] or [[a.b]] and returns the table that follows it.
func (s *scanner) header(root *place) *place {
	line, list := s.line, false
	s.pos++
	if s.peek() == '[' {
		list = true
		s.pos++
	}
	parts := s.dotted()
	s.space(false)
	for s.peek() == ']' {
		s.pos++
	}
	if len(parts) == 0 {
		return nil
	}
	at := root
	for i, name := range parts {
		at = at.key(name, line)
		if last := i == len(parts)-1; last && list {
			at.elems = append(at.elems, &place{line: line})
		}
		if n := len(at.elems); n > 0 {
			at = at.elems[n-1]
		}
	}
	if at.line < line && len(at.keys) > 0 && !list {
		at.line = line // a table that a longer header had made before its own
	}
	return at
}

// pair reads key = value into a table.
func (s *scanner) pair(table *place, depth int) {
	line := s.line
	parts := s.dotted()
	if len(parts) == 0 {
		return
	}
	at := table
	for _, name := range parts {
		at = at.key(name, line)
	}
	s.space(false)
	if s.peek() != '=' {
		return
	}
	s.pos++
	s.space(false)
	s.value(at, depth)
}

// value reads a value and puts what it contains below at.
func (s *scanner) value(at *place, depth int) {
	if depth > MaxDepth {
		s.refuse(fmt.Sprintf("arrays and inline tables are nested deeper than %d", MaxDepth))
		return
	}
	switch s.peek() {
	case '"', '\'':
		s.str()
	case '[':
		s.pos++
		s.array(at, depth)
	case '{':
		s.pos++
		s.inline(at, depth)
	default:
		for s.pos < len(s.src) && !strings.ContainsRune(",]}#\n", rune(s.src[s.pos])) {
			s.pos++
		}
	}
}

func (s *scanner) array(at *place, depth int) {
	for s.fault == nil {
		s.space(true)
		switch {
		case s.pos >= len(s.src):
			return
		case s.peek() == ']':
			s.pos++
			return
		case s.peek() == ',':
			s.pos++
			continue
		}
		before := s.pos
		elem := &place{line: s.line}
		at.elems = append(at.elems, elem)
		s.value(elem, depth+1)
		if s.pos == before {
			s.pos++
		}
	}
}

func (s *scanner) inline(at *place, depth int) {
	for s.fault == nil {
		s.space(true)
		switch {
		case s.pos >= len(s.src):
			return
		case s.peek() == '}':
			s.pos++
			return
		case s.peek() == ',':
			s.pos++
			continue
		}
		before := s.pos
		s.pair(at, depth+1)
		if s.pos == before {
			s.pos++
		}
	}
}

// dotted reads a key: bare or quoted parts between dots.
func (s *scanner) dotted() []string {
	var parts []string
	for s.fault == nil {
		s.space(false)
		start := s.pos
		var part string
		if c := s.peek(); c == '"' || c == '\'' {
			s.str()
			part = unquote(s.src[start:s.pos])
		} else {
			for s.pos < len(s.src) && !strings.ContainsRune(" \t\r\n.=[]{}#,\"'", rune(s.src[s.pos])) {
				s.pos++
			}
			part = string(s.src[start:s.pos])
		}
		if s.pos == start {
			break
		}
		if s.pos-start > MaxKey {
			s.refuse(fmt.Sprintf("a key has %d bytes; at most %d are read", s.pos-start, MaxKey))
			break
		}
		if parts = append(parts, part); len(parts) > MaxDepth {
			s.refuse(fmt.Sprintf("a key has more than %d parts", MaxDepth))
			break
		}
		s.space(false)
		if s.peek() != '.' {
			break
		}
		s.pos++
	}
	return parts
}

// str steps over a string of any of the four sorts, or to the end of the line when a
// one-line string is not closed.
func (s *scanner) str() {
	quote := s.src[s.pos]
	escapes := quote == '"'
	three := string([]byte{quote, quote, quote})
	if strings.HasPrefix(string(s.src[s.pos:min(len(s.src), s.pos+3)]), three) {
		s.pos += 3
		for s.pos < len(s.src) {
			c := s.src[s.pos]
			switch {
			case c == '\n':
				s.line++
			case c == '\\' && escapes && s.pos+1 < len(s.src) && s.src[s.pos+1] != '\n':
				s.pos++
			case c == quote:
				n := 0
				for s.pos+n < len(s.src) && s.src[s.pos+n] == quote {
					n++
				}
				if n >= 3 {
					s.pos += min(n, 5) // up to two quotes may stand before the closing three
					return
				}
			}
			s.pos++
		}
		return
	}
	for s.pos++; s.pos < len(s.src) && s.src[s.pos] != '\n'; s.pos++ {
		c := s.src[s.pos]
		if c == '\\' && escapes && s.pos+1 < len(s.src) && s.src[s.pos+1] != '\n' {
			s.pos++
		} else if c == quote {
			s.pos++
			return
		}
	}
}

// unquote returns the text of a quoted key.
func unquote(b []byte) string {
	if len(b) < 2 || b[len(b)-1] != b[0] {
		return string(b)
	}
	if b[0] == '"' && utf8.Valid(b) {
		if text, err := strconv.Unquote(string(b)); err == nil {
			return text
		}
	}
	return string(b[1 : len(b)-1])
}

func (s *scanner) refuse(msg string) {
	if s.fault == nil {
		s.fault = &Problem{Line: s.line, Msg: msg}
	}
}
