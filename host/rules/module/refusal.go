package module

import "fmt"

// Code says for programs why a module is refused.
type Code string

// Codes of refusals.
const (
	CodeMalformed Code = "malformed" // the bytes are not a module of the binary format
	CodeLimit     Code = "limit"     // a limit is exceeded
	CodeFeature   Code = "feature"   // it uses a feature that plugins may not use
	CodeReserved  Code = "reserved"  // it uses a name that the host keeps for itself
)

// Refusal says why a module may not run.
type Refusal struct {
	Code     Code
	Function int    // index of the function that is to blame, imported ones counted first; -1 for none
	Message  string // a sentence for the plugin's author: what, which limit, what to do
}

// Error returns the sentence.
func (r *Refusal) Error() string { return r.Message }

func refuse(code Code, format string, args ...any) error {
	return &Refusal{Code: code, Function: -1, Message: fmt.Sprintf(format, args...)}
}

func malformed(format string, args ...any) error {
	return refuse(CodeMalformed, "the module is damaged: "+format, args...)
}

// tooMany refuses a number above a limit. have and what make "the module has 3,000 functions"; todo is what the author can do.
func (l *Limits) tooMany(have uint64, what string, limit int, todo string) error {
	return refuse(CodeLimit, "the module has %s %s, the limit is %s%s: %s", number(have), what, number(uint64(limit)), l.class(), todo)
}

// class names the class in a refusal when there is a larger one.
func (l *Limits) class() string {
	if l.LargerIsThere {
		return fmt.Sprintf(" for a %s plugin", l.Class)
	}
	return ""
}

// number writes a number with commas between groups of three digits.
func number(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return number(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
