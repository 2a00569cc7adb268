package console

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/host/rulebook"
)

// fault is a request that is not granted.
type fault struct {
	status int
	Fault
}

func (f *fault) Error() string { return f.Message }

// refused says in the API's terms what the rulebook said.
func refused(err error) error {
	r, ok := errors.AsType[*rulebook.Refusal](err)
	if !ok {
		return err
	}
	status := map[rulebook.Code]int{
		rulebook.BadRequest: http.StatusBadRequest, rulebook.NotFound: http.StatusNotFound, rulebook.Forbidden: http.StatusForbidden,
		rulebook.Conflict: http.StatusConflict, rulebook.TooLarge: http.StatusRequestEntityTooLarge, rulebook.Refused: http.StatusUnprocessableEntity,
		rulebook.NeedsApproval: http.StatusConflict, rulebook.Full: http.StatusInsufficientStorage, rulebook.Failed: http.StatusConflict,
		rulebook.Unavailable: http.StatusServiceUnavailable,
	}[r.Code]
	f := faultf(status, FaultCode(r.Code), "%s", r.Message)
	if len(r.Problems) > 0 {
		list := []Problem{}
		for _, p := range r.Problems {
			list = append(list, Problem{Code: string(p.Code), Message: p.Message})
		}
		f.Problems = &list
	}
	if len(r.Needs) > 0 {
		f.Needs = &r.Needs
	}
	return f
}

func faultf(status int, code FaultCode, format string, args ...any) *fault {
	return &fault{status, Fault{Code: code, Message: fmt.Sprintf(format, args...)}}
}

// fail answers with an error. What the router and echo itself say becomes a Fault too.
func (c *Console) fail(err error, e echo.Context) {
	if e.Response().Committed {
		return
	}
	f, ok := errors.AsType[*fault](err)
	if !ok {
		f = faultf(http.StatusInternalServerError, FaultCodeFailed, "the console failed: see the log")
		if h, isHTTP := errors.AsType[*echo.HTTPError](err); isHTTP {
			f = httpFault(h, e.Request())
		}
		if f.status == http.StatusInternalServerError {
			c.log.Error("console request failed", "method", e.Request().Method, "path", e.Request().URL.Path, "error", err)
		}
	}
	if f.Code == FaultCodeTooManyAttempts {
		e.Response().Header().Set("Retry-After", fmt.Sprint(int(tryEvery.Seconds())))
	}
	if f.Code == FaultCodeNotLoggedIn || f.Code == FaultCodeWrongToken {
		e.Response().Header().Set("WWW-Authenticate", "Bearer")
	}
	if err := e.JSON(f.status, f.Fault); err != nil {
		c.log.Debug("console answer not sent", "error", err)
	}
}

func httpFault(h *echo.HTTPError, r *http.Request) *fault {
	switch {
	case h.Code == http.StatusNotFound || h.Code == http.StatusMethodNotAllowed:
		return faultf(h.Code, FaultCodeNotFound, "%s %s: there is no such thing here: /admin/api/openapi.yaml says what there is", r.Method, r.URL.Path)
	case h.Code == http.StatusRequestEntityTooLarge:
		return faultf(h.Code, FaultCodeBadRequest, "the request is too large: at most %s", bodyLimit)
	case h.Code < 500:
		return faultf(h.Code, FaultCodeBadRequest, "%v", h.Message)
	}
	return faultf(http.StatusInternalServerError, FaultCodeFailed, "the console failed: see the log")
}
