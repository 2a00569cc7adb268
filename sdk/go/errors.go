package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/venued/venued/rtc/wire"
)

// Errors that a Client or a Request ends with.
var (
	// ErrClosed: Client.Close was called.
	ErrClosed = errors.New("client: closed")
	// ErrSessionLost: the session is gone, and with it what was not yet applied. The client
	// itself may live on in a new session.
	ErrSessionLost = errors.New("client: the session is gone")
	// ErrBusy: too many key inputs wait to be applied; MaxPending says how many may.
	ErrBusy = errors.New("client: too many inputs wait to be applied")
	// ErrUntracked: so many inputs wait to become durable that this older one is no longer followed.
	ErrUntracked = errors.New("client: too many inputs wait to become durable; this one is no longer followed")
)

// Refused is a refusal by the venue: of a connection, or the end of one. Code says what
// it means and whether to come back.
type Refused struct {
	Code   wire.Code
	Msg    string // the server's words; may be empty
	Status int    // HTTP status, 0 when it came over a lane
}

// Error says what was refused and why.
func (e *Refused) Error() string {
	s := fmt.Sprintf("client: refused: %d %s", e.Code, e.Code.Name())
	switch {
	case e.Msg != "":
		s += ": " + e.Msg
	case e.Code.Meaning() != "":
		s += ": " + e.Code.Meaning()
	}
	return s
}

// refusal reads a JSON error body. A body that is none (a proxy's page) becomes an
// error with the status and the beginning of the text.
func refusal(status int, body []byte) error {
	var e struct {
		Code int    `json:"code"`
		Msg  string `json:"msg"`
	}
	if err := json.Unmarshal(body, &e); err == nil && e.Code > 0 && e.Code <= 65535 {
		return &Refused{Code: wire.Code(e.Code), Msg: e.Msg, Status: status}
	}
	text := strings.Join(strings.Fields(string(body[:min(len(body), 200)])), " ")
	return fmt.Errorf("client: the server answered %d %s: %q", status, http.StatusText(status), text)
}
