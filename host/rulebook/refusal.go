package rulebook

import (
	"errors"
	"fmt"

	"github.com/venued/venued/host/rules"
	"github.com/venued/venued/host/store"
)

// Code says for programs why something was not done.
type Code string

// Codes of refusals.
const (
	BadRequest    Code = "bad_request"
	NotFound      Code = "not_found"
	Forbidden     Code = "forbidden"      // the caller may not
	Conflict      Code = "conflict"       // a version or module that something else needs or has
	TooLarge      Code = "too_large"      // a module above the limit
	Refused       Code = "refused"        // a module that is no good; see Problems
	NeedsApproval Code = "needs_approval" // a module that wants more than the one before; see Needs
	Full          Code = "full"           // there is no room
	Failed        Code = "failed"         // a region did not do it
	Unavailable   Code = "unavailable"    // who should do it does not answer, or is busy
)

// Refusal says why something was not done; nothing has changed.
type Refusal struct {
	Code     Code
	Message  string         // what is wrong and what to do
	Problems rules.Problems // of Refused: everything that is wrong with the module
	Needs    []string       // of NeedsApproval: what is new
}

func (r *Refusal) Error() string { return r.Message }

func refuse(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// fromStore says in a refusal what the store said.
func fromStore(err error) error {
	for kind, code := range map[error]Code{
		store.ErrOwner: Forbidden, store.ErrTaken: Conflict, store.ErrAssigned: Conflict, store.ErrFull: Full,
		store.ErrNotFound: NotFound, store.ErrLimit: BadRequest,
	} {
		if errors.Is(err, kind) {
			return refuse(code, "%v", err)
		}
	}
	return refuse(Unavailable, "the store did not take it: %v", err)
}
