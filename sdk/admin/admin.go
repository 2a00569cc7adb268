package admin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// Path is where a console's API is, under the host's address.
const Path = "/admin/api"

// Connect makes a client of the console at a host's address, such as http://127.0.0.1:7878. It connects when it is used.
func Connect(address, token string) (*ClientWithResponses, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is not the address of a host: want http://host:port or https://host", address)
	}
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("the token is empty or no token: want the letters, digits and signs of one, without blanks")
	}
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), Path) + Path
	return NewClientWithResponses(u.String(), WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
}

// Error returns the code and what the console says.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Message)
	if f.Problems != nil {
		for _, p := range *f.Problems {
			if strings.Contains(f.Message, p.Message) {
				continue // said already
			}
			fmt.Fprintf(&b, "\n  %s: %s", p.Code, p.Message)
		}
	}
	if f.Needs != nil {
		for _, n := range *f.Needs {
			if strings.Contains(f.Message, n) {
				continue
			}
			fmt.Fprintf(&b, "\n  new: %s", n)
		}
	}
	return b.String()
}

// Response is an answer of the console, of any operation.
type Response interface {
	Status() string
	StatusCode() int
	GetBody() []byte
	GetJSONDefault() *Fault
}

// Answered says why a request was not done: no console there, a Fault, or an answer that is none of a console's.
func Answered(r Response, err error) error {
	var dial *net.OpError
	switch {
	case errors.As(err, &dial) && dial.Op == "dial":
		return fmt.Errorf("no host answers: %w; is the venue served, and is this its address?", dial)
	case err != nil:
		return err
	case r.StatusCode() < 300:
		return nil
	case r.GetJSONDefault() != nil && r.GetJSONDefault().Message != "":
		return r.GetJSONDefault()
	}
	return notAConsole(r.Status(), r.GetBody())
}

func notAConsole(status string, body []byte) error {
	return fmt.Errorf("the host answers %s, which no console of this version does (%.80q): is this the right address?", status, body)
}

// maxEvent is the longest event that FollowLog takes, bytes.
const maxEvent = 1 << 20

// FollowLog calls f with the lines that a rule logs and that are logged of it: the newest that are kept, then, with follow, each as it comes, until the
// context or the stream ends.
func FollowLog(ctx context.Context, c ClientInterface, rule string, follow bool, f func(*LogLine) error) error {
	r, err := c.GetRuleLog(ctx, rule, &GetRuleLogParams{Follow: &follow})
	if err != nil {
		return Answered(nil, err)
	}
	defer r.Body.Close()
	if r.StatusCode >= 300 {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxEvent))
		if err != nil {
			return err
		}
		var fault Fault
		if json.Unmarshal(body, &fault) == nil && fault.Message != "" {
			return &fault
		}
		return notAConsole(r.Status, body)
	}
	err = readLog(r.Body, f)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// readLog reads server-sent events, of which those called log are lines.
func readLog(r io.Reader, f func(*LogLine) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	for event := ""; lines.Scan(); {
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case field == "event":
			event = value
		case field == "data" && event == "log":
			line := new(LogLine)
			if err := json.Unmarshal([]byte(value), line); err != nil {
				return fmt.Errorf("the host's log: a line that is none: %w", err)
			}
			if err := f(line); err != nil {
				return err
			}
		case field == "" && value == "": // an empty line ends an event
			event = ""
		}
	}
	return lines.Err()
}
