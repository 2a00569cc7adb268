package wire

//go:generate go run ./gencodes

import (
	"fmt"
	"sort"
)

// Code is an error or close code. codes.json lists them all, with their ranges; numbers
// are never changed.
type Code uint16

// Advice of Code.Retry.
const (
	RetryNo       = "no"        // do not repeat it
	RetryYes      = "yes"       // the same request may be sent again
	RetryResume   = "resume"    // connect again with the resume token, with backoff
	RetryNewToken = "new_token" // get a new join token first
	RetryLater    = "later"     // join again after a while
)

type codeEntry struct {
	code                       Code
	name, meaning, retry, then string
}

func (c Code) entry() (codeEntry, bool) {
	i := sort.Search(len(codes), func(i int) bool { return codes[i].code >= c })
	if i < len(codes) && codes[i].code == c {
		return codes[i], true
	}
	return codeEntry{}, false
}

// Name returns the code's stable name, such as "denied_held"; "code_N" for a code this
// version does not know.
func (c Code) Name() string {
	if e, ok := c.entry(); ok {
		return e.name
	}
	return fmt.Sprintf("code_%d", uint16(c))
}

// Meaning returns one sentence for people; "" for an unknown code.
func (c Code) Meaning() string { e, _ := c.entry(); return e.meaning }

// Then returns what the client should do, one sentence; "" for an unknown code.
func (c Code) Then() string { e, _ := c.entry(); return e.then }

// Retry returns one of the Retry constants. For a code this version does not
// know, its range decides, so that an old client does the right thing.
func (c Code) Retry() string {
	if e, ok := c.entry(); ok {
		return e.retry
	}
	switch {
	case c >= 3000 && c < 3500:
		return RetryResume
	case c >= 3500 && c < 4000:
		return RetryLater
	}
	return RetryNo
}

// Close reports whether the code ends the connection.
func (c Code) Close() bool { return c >= 3000 }

// String returns the name.
func (c Code) String() string { return c.Name() }

// CodeByName finds a code by its name.
func CodeByName(name string) (Code, bool) {
	for i := range codes {
		if codes[i].name == name {
			return codes[i].code, true
		}
	}
	return 0, false
}

// Error is a message that cannot be taken, or a request that failed, as either side
// names it: Field is where ("head.pos.x", "q[3]", "byte 0"), Msg what is wrong and what
// would be right.
type Error struct {
	Code  Code
	Field string
	Msg   string
}

// Error implements error.
func (e *Error) Error() string {
	if e.Field == "" {
		return e.Code.Name() + ": " + e.Msg
	}
	return e.Code.Name() + ": " + e.Field + ": " + e.Msg
}

// errorf builds an *Error.
func errorf(code Code, field, form string, args ...any) *Error {
	return &Error{Code: code, Field: field, Msg: fmt.Sprintf(form, args...)}
}
