package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// Bounds of messages from clients, so that what reading takes is in proportion to what was sent.
const (
	maxFields  = 16  // no message has as many
	maxNesting = 64  // of arrays and objects
	maxNumbers = 256 // bytes of an array of numbers
	maxText    = 512 // bytes of a string with its quotes, escaped
)

// rawField is a field of an object before it is understood. The value is a part of the object's bytes.
type rawField struct {
	name  string
	value json.RawMessage
}

func find(fields []rawField, name string) int {
	for i := range fields {
		if fields[i].name == name {
			return i
		}
	}
	return -1
}

// splitObject takes a JSON object apart, which may have most fields; doubled names are refused. (Package json would take the
// last of them, and would match names without regard to case.)
func splitObject(b []byte, most int) ([]rawField, *Error) {
	at := skipSpace(b, 0)
	if at == len(b) || b[at] != '{' {
		return nil, errorf(CodeBadMessage, "text", "not a JSON object")
	}
	if !json.Valid(b) {
		return nil, whyNotObject(b, at)
	}
	var out []rawField
	for at = skipSpace(b, at+1); b[at] != '}'; {
		end := valueEnd(b, at)
		name := fieldName(b[at:end])
		if find(out, name) >= 0 {
			return nil, errorf(CodeBadMessage, quoteShort(name), "given twice")
		}
		if len(out) == most {
			return nil, errorf(CodeBadMessage, quoteShort(name), "the message has more than %d fields", most)
		}
		at = skipSpace(b, skipSpace(b, end)+1) // the colon
		end = valueEnd(b, at)
		out = append(out, rawField{name, b[at:end:end]})
		if at = skipSpace(b, end); b[at] == ',' {
			at = skipSpace(b, at+1)
		}
	}
	return out, nil
}

// whyNotObject says what is wrong with what begins as an object.
func whyNotObject(b []byte, at int) *Error {
	if end := valueEnd(b, at); end < len(b) && json.Valid(b[:end]) {
		return errorf(CodeBadMessage, "text", "something follows the JSON object")
	}
	var v json.RawMessage
	err := json.NewDecoder(bytes.NewReader(b)).Decode(&v)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errorf(CodeBadMessage, "text", "the JSON object is cut short")
	}
	return errorf(CodeBadMessage, "text", "not JSON: %v", err)
}

// skipSpace returns where the next byte that is not JSON's white space is, len(b) for none.
func skipSpace(b []byte, at int) int {
	for at < len(b) && (b[at] == ' ' || b[at] == '\t' || b[at] == '\n' || b[at] == '\r') {
		at++
	}
	return at
}

// valueEnd returns where the value that begins at a place ends. In what is not JSON it is anywhere after that, len(b) at most.
func valueEnd(b []byte, at int) int {
	switch b[at] {
	case '"':
		return stringEnd(b, at)
	case '{', '[':
		for depth := 0; at < len(b); {
			switch b[at] {
			case '"':
				at = stringEnd(b, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			if at++; depth == 0 {
				return at
			}
		}
		return at
	}
	for at < len(b) && bytes.IndexByte([]byte(",]} \t\n\r"), b[at]) < 0 {
		at++
	}
	return at
}

// stringEnd returns where the string that begins at a place ends.
func stringEnd(b []byte, at int) int {
	for at++; at < len(b); at++ {
		switch b[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(b)
}

// fieldName reads a name with its quotes.
func fieldName(raw []byte) (name string) {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1 : len(raw)-1])
	}
	json.Unmarshal(raw, &name) //nolint:errcheck // it is a string
	return name
}

// nested reports whether arrays and objects lie deeper in one another than may be.
func nested(b []byte) bool {
	depth := 0
	for at := 0; at < len(b); at++ {
		switch b[at] {
		case '"':
			at = stringEnd(b, at) - 1
		case '{', '[':
			if depth++; depth > maxNesting {
				return true
			}
		case '}', ']':
			depth--
		}
	}
	return false
}
