package console

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"
)

// getRuleLog streams the log lines of a rule.
func (c *Console) getRuleLog(x echo.Context) error {
	name := x.Param("name")
	if f := c.known(name); f != nil {
		return f
	}
	after, follow := int64(0), true
	var err error
	if q := x.QueryParam("after"); q != "" {
		if after, err = strconv.ParseInt(q, 10, 64); err != nil || after < 0 {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "parameter after: %q: give the number of a line", q)
		}
	}
	if q := x.QueryParam("follow"); q != "" {
		if follow, err = strconv.ParseBool(q); err != nil {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "parameter follow: %q: give true or false", q)
		}
	}
	if c.openReaders.Add(1) > maxReaders {
		c.openReaders.Add(-1)
		return tooManyStreams()
	}
	defer c.openReaders.Add(-1)
	woken, stop := c.tail.watch()
	defer stop()
	s := c.stream(x)
	for {
		for _, l := range c.tail.AfterOf(name, after) {
			b, err := event("log", l)
			if err != nil {
				return err
			}
			if !s.send(b) {
				return nil
			}
			after = l.N
		}
		if !follow {
			return nil
		}
		select {
		case <-woken:
		case <-s.over:
			return nil
		case <-x.Request().Context().Done():
			return nil
		case <-c.stopped:
			return nil
		}
	}
}

// eventStream is an answer of server-sent events.
type eventStream struct {
	x       echo.Context
	control *http.ResponseController
	over    <-chan struct{} // closed when the session that asked for it ends; nil for a token
}

// stream begins an answer of server-sent events.
func (c *Console) stream(x echo.Context) *eventStream {
	s := &eventStream{x: x, control: http.NewResponseController(x.Response().Writer)}
	if session, ok := x.Get(sessionKey).(*session); ok && session != nil {
		s.over = session.ended
	}
	h := x.Response().Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // proxies must not gather events
	x.Response().WriteHeader(http.StatusOK)
	_ = s.control.Flush() // a reader that has gone shows at the first event
	return s
}

// send writes an event; false when the reader has gone or does not read.
func (s *eventStream) send(b []byte) bool {
	if err := s.control.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return false
	}
	if _, err := s.x.Response().Write(b); err != nil {
		return false
	}
	return s.control.Flush() == nil
}

func tooManyStreams() *fault {
	return faultf(http.StatusServiceUnavailable, FaultCodeTooManyStreams, "%d live streams are open already: close another window of the console", maxReaders)
}
