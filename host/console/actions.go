package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/host/bus"
	"github.com/venued/venued/rtc"
)

// Bounds of what operators ask for.
const (
	maxMessage    = 200              // letters that a kicked visitor reads
	actionTimeout = 20 * time.Second // loading a module compiles it
)

// kickMessage is what a visitor reads when the operator says nothing.
const kickMessage = "An operator ended your visit."

// kick ends a session.
func (c *Console) kick(x echo.Context) error {
	session, err := strconv.ParseUint(x.Param("session"), 10, 64)
	if err != nil || session == 0 {
		return faultf(http.StatusBadRequest, FaultCodeBadRequest, "%q is not the number of a session: GET /admin/api/clients lists them", x.Param("session"))
	}
	var body Kick
	if f := read(x.Request(), &body); f != nil {
		return f
	}
	message := kickMessage
	if body.Message != nil && strings.TrimSpace(*body.Message) != "" {
		message = printable(strings.TrimSpace(*body.Message))
	}
	if utf8.RuneCountInString(message) > maxMessage {
		return faultf(http.StatusBadRequest, FaultCodeBadRequest, "the message has more than %d letters: shorten it", maxMessage)
	}
	ctx, cancel := context.WithTimeout(x.Request().Context(), actionTimeout)
	defer cancel()
	was, err := c.cfg.Gateway.Kick(ctx, session, message)
	switch {
	case errors.Is(err, rtc.ErrNoSession):
		return faultf(http.StatusNotFound, FaultCodeNotFound, "there is no session %d (any more)", session)
	case err != nil:
		return faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "nobody was ended: %v", err)
	}
	c.note(x, "kick", "session", session, "user", was.User)
	return x.JSON(http.StatusOK, Done{Message: fmt.Sprintf("The visit of %s was ended.", who(was.Name, was.User)), Changed: ptr(true)})
}

func who(name, user string) string {
	if name == "" || name == user {
		return user
	}
	return name + " (" + user + ")"
}

// reset puts an object back.
func (c *Console) reset(x echo.Context) error {
	name := x.Param("name")
	for i := range c.venue.Objects {
		if o := &c.venue.Objects[i]; o.Name == name {
			reply, f := c.resetIn(x.Request().Context(), o.Region, name)
			if f != nil {
				return f
			}
			c.note(x, "reset", "object", name, "tick", reply.Tick)
			text := "Object " + name + " was in its place already."
			switch {
			case reply.Released:
				text = "Object " + name + " was taken out of a hand and put back."
			case reply.Changed:
				text = "Object " + name + " was put back."
			}
			return x.JSON(http.StatusOK, Done{Message: text, Tick: ptr(int64(reply.Tick)), Changed: &reply.Changed})
		}
	}
	return faultf(http.StatusNotFound, FaultCodeNotFound, "the venue has no object %q", name)
}

// resetIn has the region reset an object that has it: the one that the manifest puts it into, or another one that somebody carried it to.
func (c *Console) resetIn(ctx context.Context, home int, object string) (*bus.AdminReply, *fault) {
	q := &bus.AdminRequest{Op: bus.AdminReset, Object: object}
	reply, first := c.ask(ctx, c.venue.Regions[home].Name, q)
	for i := range c.venue.Regions {
		if first == nil || first.status != http.StatusConflict {
			break // it has it, or does not answer
		}
		if i == home {
			continue
		}
		if reply, f := c.ask(ctx, c.venue.Regions[i].Name, q); f == nil {
			return reply, nil
		}
	}
	return reply, first
}

// ask calls a region.
func (c *Console) ask(ctx context.Context, region string, q *bus.AdminRequest) (*bus.AdminReply, *fault) {
	ctx, cancel := context.WithTimeout(ctx, actionTimeout)
	defer cancel()
	body, err := json.Marshal(q)
	if err != nil {
		return nil, faultf(http.StatusInternalServerError, FaultCodeFailed, "%v", err)
	}
	data, err := c.cfg.Bus.Request(ctx, bus.Admin(c.venue.ID, region), body)
	var reply bus.AdminReply
	if err == nil {
		err = json.Unmarshal(data, &reply)
	}
	if remote, ok := errors.AsType[*bus.RemoteError](err); ok {
		return nil, faultf(http.StatusConflict, FaultCodeFailed, "%s", remote.Text)
	}
	if err != nil {
		return nil, faultf(http.StatusServiceUnavailable, FaultCodeUnavailable, "region %s does not answer: %v", region, err)
	}
	return &reply, nil
}

// note writes into the log what an operator did.
func (c *Console) note(x echo.Context, action string, args ...any) {
	by := "token"
	if key := caller(x).Key; key != "" {
		by = "rule key " + key
	}
	if s, ok := x.Get(sessionKey).(*session); ok && s != nil {
		by = "session"
	}
	c.log.Info("console: an operator acted", append([]any{"action", action, "from", x.Request().RemoteAddr, "by", by}, args...)...)
}
