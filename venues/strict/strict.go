// Package strict reads TOML files that people write by hand, and answers every
// mistake with the line it stands on.
//
// # Model
//
//	bytes -- Open --> Document -- Decode --> struct
//	                     |           |
//	                     +-- Line    +-- Problems, all of them at once
//
// [Open] takes the syntax apart (with a TOML parser) and keeps a small index beside
// it: which key, table and list element stands on which line. [Document.Decode]
// fills a struct by its toml tags. An unknown key is a problem, with the nearest
// known one named; so are a value of the wrong type, a number that is not finite,
// and a key that is missing though its tag says ",required". The
// caller checks meaning afterwards and finds lines with [Document.Line].
//
// A path names a value: "venue.limits.users", "object[3].at", list elements
// counted from 0.
//
// # Trust
//
// The bytes may come from anywhere: they are bounded ([MaxBytes], [MaxDepth], [MaxKey]) before the
// parser sees them, and nothing in here panics on them. Values are not interpreted.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
)

// Bounds of a document. They keep time and memory proportional to what a person
// could have written.
const (
	MaxBytes    = 1 << 20 // of a file
	MaxDepth    = 8       // of nested arrays and inline tables, and of the parts of a key
	MaxKey      = 64      // bytes of one part of a key, as written
	MaxProblems = 500     // in an error; nobody reads more
)

// Document is a TOML file whose syntax is right.
type Document struct {
	file   string
	values map[string]any
	index  *place
	bad    map[string]bool // paths that Decode reported
}

// Open reads a document. File is only what problems call it. On an error the document
// is nil and the error is [Problems] with one element: TOML's syntax does not allow to
// read on behind a mistake.
func Open(file string, data []byte) (*Document, error) {
	if len(data) > MaxBytes {
		return nil, Problems{{File: file, Msg: fmt.Sprintf("the file has %d bytes; at most %d are read", len(data), MaxBytes)}}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	index, fault := scan(data)
	if fault != nil {
		fault.File = file
		return nil, Problems{*fault}
	}
	values, err := parse(data)
	if err != nil {
		p := Problem{File: file, Msg: err.Error()}
		var pe toml.ParseError
		if errors.As(err, &pe) {
			p.Line, p.Msg = pe.Position.Line, pe.Message
			if pe.LastKey != "" {
				p.Msg += fmt.Sprintf(" (the last key read was %q)", pe.LastKey)
			}
		}
		p.Msg = "not TOML: " + p.Msg
		return nil, Problems{p}
	}
	return &Document{file: file, values: values, index: index}, nil
}

// parse turns the parser's own panics ("BUG: ...") into errors: a file must not
// stop a host.
func parse(data []byte) (values map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	_, err = toml.Decode(string(data), &values)
	return values, err
}

// File is the name given to Open.
func (d *Document) File() string { return d.file }

// Line returns the line, from 1, of the value at path; of the nearest thing
// around it when the value itself is not written; 0 when nothing of it is.
func (d *Document) Line(path string) int {
	at, line := d.index, 0
	for path != "" {
		var step *place
		if step, path = at.step(path); step == nil {
			break
		}
		at = step
		line = at.line
	}
	return line
}

// Has reports whether the file writes a value at path, and one that Decode could read.
func (d *Document) Has(path string) bool {
	if d.Bad(path) {
		return false
	}
	at := d.index
	for path != "" {
		if at, path = at.step(path); at == nil {
			return false
		}
	}
	return true
}

// Bad reports whether Decode had a problem with the value at path, or with an element
// of it: its meaning need not be checked then.
func (d *Document) Bad(path string) bool { return d.bad[path] }

// Problem makes a problem of this document at path, with its line.
func (d *Document) Problem(path, msg, hint string) Problem {
	return Problem{File: d.file, Line: d.Line(path), Path: path, Msg: msg, Hint: hint}
}

// join appends a key to a path.
func join(path, key string) string {
	if !bare(key) {
		key = fmt.Sprintf("%q", key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// bare reports whether TOML lets key stand without quotes.
func bare(key string) bool {
	return key != "" && strings.IndexFunc(key, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
}
