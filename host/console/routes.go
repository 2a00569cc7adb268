package console

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"github.com/venued/venued/host/node"
	"github.com/venued/venued/host/rulebook"
)

//go:embed openapi.yaml
var document []byte

// bodyLimit is far above what any request needs.
const bodyLimit = "16K"

// Where it is kept who makes a request.
const (
	sessionKey = "session" // a *session, nil with a token itself
	callerKey  = "caller"  // a rulebook.Caller
)

// policy forbids the page everything that it does not need: scripts and styles come from files of its own.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// routes builds the handler.
func (c *Console) routes() http.Handler {
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = c.fail
	e.Logger.SetOutput(io.Discard) // everything that matters goes through fail
	e.Use(headers, middleware.RecoverWithConfig(middleware.RecoverConfig{
		DisablePrintStack: true,
		LogErrorFunc: func(x echo.Context, err error, stack []byte) error {
			c.log.Error("console: panic", "path", x.Request().URL.Path, "error", err, "stack", string(stack))
			return err
		},
	}))
	small := middleware.BodyLimit(bodyLimit)

	e.GET("/admin", func(x echo.Context) error { return x.Redirect(http.StatusPermanentRedirect, "/admin/") })
	e.GET("/admin/", page("index.html"))
	for _, name := range []string{"app.js", "app.css", "icon.svg"} {
		e.GET("/admin/"+name, page(name))
	}

	open := e.Group("/admin/api", small)
	open.GET("/openapi.yaml", func(x echo.Context) error { return x.Blob(http.StatusOK, "application/yaml", document) })
	open.POST("/login", c.login)
	api := e.Group("/admin/api", small, c.authorized, adminOnly)
	api.POST("/logout", c.logout)
	api.GET("/venue", c.getVenue)
	api.GET("/clients", c.getClients)
	api.POST("/clients/:session/kick", c.kick)
	api.GET("/regions", c.getRegions)
	c.ruleRoutes(e.Group("/admin/api", c.authorized), small)
	api.GET("/boards", c.getBoards)
	api.GET("/boards/:board", c.getBoard)
	api.DELETE("/load", c.clearLoad)
	api.GET("/recordings", c.getRecordings)
	api.GET("/recordings/:recording", c.getRecording)
	api.DELETE("/recordings/:recording", c.deleteRecording)
	api.POST("/regions/:region/recording/start", c.startRecording)
	api.POST("/regions/:region/recording/stop", c.stopRecording)
	api.POST("/objects/:name/reset", c.reset)
	api.GET("/settings", c.getSettings)
	api.GET("/log", c.getLog)
	api.GET("/series", c.getSeries)
	api.GET("/live", c.getLive)
	return e
}

// headers are of every answer.
func headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(x echo.Context) error {
		h := x.Response().Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		return next(x)
	}
}

// authorized lets a session of the console's own pages and scripts with the admin token in.
func (c *Console) authorized(next echo.HandlerFunc) echo.HandlerFunc {
	return func(x echo.Context) error {
		r := x.Request()
		if f := sameOrigin(r, false); f != nil {
			return f
		}
		s, key, f := c.auth.admit(r)
		if f != nil {
			return f
		}
		if s != nil && r.Method != http.MethodGet && r.Method != http.MethodHead {
			// The cookie comes by itself, so the page must be ours.
			if f := sameOrigin(r, true); f != nil {
				return f
			}
		}
		x.Set(sessionKey, s)
		x.Set(callerKey, rulebook.Caller{Key: key})
		return next(x)
	}
}

// caller is who makes a request that was let in.
func caller(x echo.Context) rulebook.Caller {
	c, _ := x.Get(callerKey).(rulebook.Caller)
	return c
}

// adminOnly refuses the holders of rule keys.
func adminOnly(next echo.HandlerFunc) echo.HandlerFunc {
	return func(x echo.Context) error {
		if by := caller(x); by.Key != "" {
			return faultf(http.StatusForbidden, FaultCodeForbidden, "rule key %s may use the operations under /admin/api/rules only: this takes the admin's token", by.Key)
		}
		return next(x)
	}
}

// login begins a session. Its cookie goes over TLS only, unless the host is for this machine alone.
func (c *Console) login(x echo.Context) error {
	if f := sameOrigin(x.Request(), false); f != nil {
		return f
	}
	var body Login
	if f := read(x.Request(), &body); f != nil {
		return f
	}
	key, f := c.auth.check(body.Token, address(x.Request()))
	if f == nil && key != "" {
		f = faultf(http.StatusForbidden, FaultCodeForbidden, "this is the token of rule key %s: the console's pages take the admin's", key)
	}
	if f != nil {
		c.log.Warn("console: a login was refused", "from", x.Request().RemoteAddr, "why", string(f.Code))
		return f
	}
	c.log.Info("console: an operator logged in", "from", x.Request().RemoteAddr)
	c.setCookie(x, c.auth.begin(), int(sessionLife.Seconds()))
	return x.NoContent(http.StatusNoContent)
}

func (c *Console) setCookie(x echo.Context, value string, age int) {
	x.SetCookie(&http.Cookie{
		Name: cookieName, Value: value, Path: "/admin", MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: !c.cfg.Settings.Server.Loopback(),
	})
}

func (c *Console) logout(x echo.Context) error {
	if s, ok := x.Get(sessionKey).(*session); ok && s != nil {
		c.auth.end(s)
	}
	c.setCookie(x, "", -1)
	return x.NoContent(http.StatusNoContent)
}

// read takes a JSON body; one that is not there leaves v as it is.
func read(r *http.Request, v any) *fault {
	if r.ContentLength == 0 {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return faultf(http.StatusUnsupportedMediaType, FaultCodeBadRequest, "Content-Type must be application/json")
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil && !errors.Is(err, io.EOF) {
		if h, ok := errors.AsType[*echo.HTTPError](err); ok {
			return httpFault(h, r)
		}
		return faultf(http.StatusBadRequest, FaultCodeBadRequest, "the body is not what /admin/api/openapi.yaml says: %v", err)
	}
	return nil
}

func (c *Console) getClients(x echo.Context) error {
	clients, _ := c.sampled.read()
	if clients == nil {
		clients = []Client{}
	}
	return x.JSON(http.StatusOK, Clients{Clients: clients})
}

func (c *Console) getSeries(x echo.Context) error {
	_, series := c.sampled.read()
	if series == nil {
		series = []Sample{}
	}
	return x.JSON(http.StatusOK, Series{Samples: series})
}

func (c *Console) getRegions(x echo.Context) error {
	times := c.cfg.Node.TickTimes()
	out := Regions{Regions: []Region{}}
	for i, s := range c.cfg.Node.Status() {
		r := Region{
			Name: s.Name, State: RegionState(s.State), Tick: int64(s.Tick), DurableTick: int64(s.Durable), Users: s.Users, Objects: s.Objects,
			Restarts: s.Restarts, Backlog: s.Backlog, TickMeanUs: micros(times[i].Mean), TickP99Us: micros(times[i].P99),
		}
		if s.Err != nil && s.State != node.Running {
			r.Why = ptr(s.Err.Error())
		}
		if s.StoreErr != nil {
			r.StoreFault = ptr(s.StoreErr.Error())
		}
		out.Regions = append(out.Regions, r)
	}
	return x.JSON(http.StatusOK, out)
}

func (c *Console) getSettings(x echo.Context) error {
	return x.JSON(http.StatusOK, Settings{Settings: settings(c.cfg.Settings)})
}

func (c *Console) getLog(x echo.Context) error {
	after := int64(0)
	if q := x.QueryParam("after"); q != "" {
		var err error
		if after, err = strconv.ParseInt(q, 10, 64); err != nil || after < 0 {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "parameter after: %q: give the number of a line", q)
		}
	}
	return x.JSON(http.StatusOK, Log{Lines: c.tail.After(after)})
}
