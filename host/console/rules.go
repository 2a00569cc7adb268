package console

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/host/rulebook"
	"github.com/venued/venued/host/store"
)

// ruleRoutes adds what the holders of rule keys may call too; small bounds the bodies of all but uploads.
func (c *Console) ruleRoutes(g *echo.Group, small echo.MiddlewareFunc) {
	g.GET("/rules", c.getRules, small)
	g.GET("/rules/:name", c.getRule, small)
	g.POST("/rules/:name/versions", c.upload)
	g.GET("/rules/:name/versions/:digest", c.download, small)
	g.DELETE("/rules/:name/versions/:digest", c.deleteVersion, small)
	g.POST("/rules/:name/activate", c.activate, small)
	g.POST("/rules/:name/rollback", c.rollback, small)
	g.POST("/rules/:name/reload", c.reload, small)
	g.GET("/rules/:name/swaps", c.getSwaps, small)
	g.GET("/rules/:name/faults", c.getFaults, small)
	g.GET("/rules/:name/log", c.getRuleLog, small)
}

// running lists what the regions run, of one rule or of all.
func (c *Console) running(name string) []Rule {
	out := []Rule{}
	assigned := c.cfg.Book.Assigned()
	for _, s := range c.cfg.Node.Rules() {
		if name != "" && s.Rule != name {
			continue
		}
		r := Rule{
			Rule: s.Rule, Region: s.Region, Plugin: s.Plugin, Version: s.Version, Digest: s.Digest, Source: RuleSourceFile, Calls: int64(s.Calls.N),
			CallMeanUs: micros(s.Calls.Mean), CallP99Us: micros(s.Calls.P99), Faults: int64(s.Faults), Quarantined: s.Quarantined,
		}
		if s.LastFault != "" {
			r.LastFault = ptr(s.LastFault)
		}
		for i := range assigned {
			a := &assigned[i]
			if a.Region != s.Region || a.Rule != s.Rule {
				continue
			}
			if a.Current == s.Digest {
				r.Source = RuleSourceUpload
			}
			if a.Previous != a.Current {
				r.Previous = ptr(cmp.Or(a.Previous, "file"))
			}
			if a.Problem != "" {
				r.Problem = ptr(a.Problem)
			}
		}
		out = append(out, r)
	}
	return out
}

func (c *Console) getRules(x echo.Context) error {
	names, err := c.cfg.Book.Names(x.Request().Context())
	if err != nil {
		return refused(err)
	}
	out := Rules{Rules: c.running(""), Names: []RuleSummary{}}
	for _, n := range names {
		s := RuleSummary{Name: n.Name, Owner: n.Owner, InVenue: c.inVenue(n.Name) != nil}
		for _, v := range n.Versions {
			if !v.Dropped {
				s.Versions++
				s.Newest = ptr(v.Version)
			}
		}
		out.Names = append(out.Names, s)
	}
	return x.JSON(http.StatusOK, out)
}

// inVenue returns what the venue's file names as a rule's plugin, nil when it has no such rule.
func (c *Console) inVenue(name string) *string {
	for i := range c.venue.Rules {
		if r := &c.venue.Rules[i]; r.Name == name {
			return &r.Plugin
		}
	}
	return nil
}

func (c *Console) getRule(x echo.Context) error {
	ctx, name := x.Request().Context(), x.Param("name")
	names, err := c.cfg.Book.Names(ctx)
	if err != nil {
		return refused(err)
	}
	plugin := c.inVenue(name)
	out := RuleDetail{Name: name, InVenue: plugin != nil, Plugin: plugin, Versions: []RuleVersion{}, Regions: c.running(name)}
	for _, n := range names {
		if n.Name != name {
			continue
		}
		out.Owner = ptr(n.Owner)
		for _, v := range slices.Backward(n.Versions) {
			if !v.Dropped {
				out.Versions = append(out.Versions, c.describeVersion(&v, c.cfg.Book.Needs(ctx, &v)))
			}
		}
	}
	if plugin == nil && out.Owner == nil {
		return faultf(http.StatusNotFound, FaultCodeNotFound, "the venue has no rule %.64q, and nothing was uploaded under that name: venued rule list (GET /admin/api/rules) shows both", name)
	}
	return x.JSON(http.StatusOK, out)
}

// describeVersion is a version as the API tells of it.
func (c *Console) describeVersion(v *store.RuleVersion, needs []string) RuleVersion {
	out := RuleVersion{
		Version: v.Version, Digest: v.Digest, SizeBytes: v.Size, Uploaded: time.UnixMilli(v.AtUnixMS).UTC(), By: v.By, Class: v.Class,
		Events: []string{}, Commands: []string{}, Views: []string{}, Needs: append([]string{}, needs...), Regions: []string{},
	}
	if v.Key != "" {
		out.SignedBy = ptr(v.Key)
	}
	if m, err := abi.ParseManifest(v.Manifest); err == nil {
		out.Plugin, out.Schema = m.Name, m.Schema
		if m.Description != "" {
			out.Description = ptr(m.Description)
		}
		out.Events, out.Commands = append(out.Events, m.Events...), append(out.Commands, m.Commands...)
		for _, view := range m.Views {
			out.Views = append(out.Views, rulebook.ViewText(view))
		}
	}
	for _, a := range c.cfg.Book.Assigned() {
		if a.Current == v.Digest && a.Problem == "" && !slices.Contains(out.Regions, a.Region) {
			out.Regions = append(out.Regions, a.Region)
		}
	}
	return out
}

// upload takes a module.
func (c *Console) upload(x echo.Context) error {
	r := x.Request()
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/wasm" && kind != "application/octet-stream" {
		return faultf(http.StatusUnsupportedMediaType, FaultCodeBadRequest, "Content-Type must be application/wasm: the body is the module itself")
	}
	u := rulebook.Upload{Name: x.Param("name"), KeyID: r.Header.Get("X-Venued-Key"), By: caller(x)}
	if s := r.Header.Get("X-Venued-Signature"); s != "" {
		var err error
		if u.Signature, err = base64.StdEncoding.DecodeString(s); err != nil {
			return faultf(http.StatusBadRequest, FaultCodeBadRequest, "X-Venued-Signature is not base64: %v", err)
		}
	}
	tooLarge := faultf(http.StatusRequestEntityTooLarge, FaultCodeTooLarge, "the module has more than the %d bytes that one may have: build it smaller (strip names and debug information)", abi.MaxModule)
	if r.ContentLength > abi.MaxModule {
		return tooLarge
	}
	var err error
	if u.Module, err = io.ReadAll(io.LimitReader(r.Body, abi.MaxModule+1)); err != nil {
		return faultf(http.StatusBadRequest, FaultCodeBadRequest, "the module did not come whole: %v: upload it again", err)
	}
	if len(u.Module) > abi.MaxModule {
		return tooLarge
	}
	done, err := c.cfg.Book.Upload(r.Context(), u)
	if err != nil {
		return refused(err)
	}
	v, rep := &done.Version, done.Report
	out := Uploaded{
		Version: c.describeVersion(v, done.Needs),
		Report: RuleReport{
			SizeBytes: rep.SizeBytes, Functions: rep.Functions, MemoryPages: rep.MemoryPages, FuelPerEvent: rep.FuelPerEvent,
			CompileMs: rep.CompileMS, PeakMemoryBytes: int64(rep.PeakMemoryBytes), Imports: append([]string{}, rep.Imports...),
		},
	}
	status := http.StatusCreated
	switch {
	case !done.Fresh:
		status = http.StatusOK
		out.Message = fmt.Sprintf("Version %s of %s is this very module already.", v.Version, v.Name)
	case len(done.Needs) > 0:
		out.Message = fmt.Sprintf("Version %s of %s was uploaded. Before it runs an admin has to approve: %s.", v.Version, v.Name, strings.Join(done.Needs, ", "))
	default:
		out.Message = fmt.Sprintf("Version %s of %s was uploaded.", v.Version, v.Name)
	}
	if done.Fresh {
		c.note(x, "upload", "rule", v.Name, "version", v.Version, "digest", v.Digest)
	}
	return x.JSON(status, out)
}

func (c *Console) download(x echo.Context) error {
	module, err := c.cfg.Book.Download(x.Request().Context(), caller(x), x.Param("name"), x.Param("digest"))
	if err != nil {
		return refused(err)
	}
	return x.Blob(http.StatusOK, "application/wasm", module)
}

func (c *Console) deleteVersion(x echo.Context) error {
	v, err := c.cfg.Book.Delete(x.Request().Context(), caller(x), x.Param("name"), x.Param("digest"))
	if err != nil {
		return refused(err)
	}
	c.note(x, "delete", "rule", v.Name, "version", v.Version, "digest", v.Digest)
	return x.JSON(http.StatusOK, Done{Message: fmt.Sprintf("Version %s of %s was deleted.", v.Version, v.Name), Changed: ptr(true)})
}

func (c *Console) activate(x echo.Context) error {
	var body Activate
	if f := read(x.Request(), &body); f != nil {
		return f
	}
	want, f := wanted(x, body.Regions, body.Faults)
	if f != nil {
		return f
	}
	want.Digest, want.Version, want.From = deref(body.Digest), deref(body.Version), deref(body.From)
	want.Approve = body.Approve != nil && *body.Approve
	results, err := c.cfg.Book.Activate(x.Request().Context(), want)
	if err != nil {
		return refused(err)
	}
	return c.activated(x, "activate", want.Rule, results)
}

func (c *Console) rollback(x echo.Context) error {
	var body Rollback
	if f := read(x.Request(), &body); f != nil {
		return f
	}
	want, f := wanted(x, body.Regions, body.Faults)
	if f != nil {
		return f
	}
	want.Approve = body.Approve != nil && *body.Approve
	results, err := c.cfg.Book.Rollback(x.Request().Context(), want)
	if err != nil {
		return refused(err)
	}
	return c.activated(x, "rollback", want.Rule, results)
}

func wanted(x echo.Context, regions *[]string, faults *int) (rulebook.Want, *fault) {
	w := rulebook.Want{Rule: x.Param("name"), By: caller(x)}
	if regions != nil {
		w.Regions = *regions
	}
	if faults != nil {
		if w.Faults = *faults; w.Faults < 1 || w.Faults > 1000 {
			return w, faultf(http.StatusBadRequest, FaultCodeBadRequest, "faults is %d: want 1 to 1000", w.Faults)
		}
	}
	return w, nil
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// activated answers what regions did.
func (c *Console) activated(x echo.Context, action, rule string, results []rulebook.Result) error {
	out := Activated{Ok: true, Regions: []RegionSwap{}}
	done, version := 0, ""
	for _, r := range results {
		s := RegionSwap{Region: r.Region, Ok: r.Err == nil, Changed: r.Changed}
		if r.Err != nil {
			out.Ok = false
			s.Why = ptr(r.Err.Error())
		} else {
			done++
			version = r.Module.Version
			s.Tick, s.Version, s.Digest = ptr(int64(r.Tick)), ptr(r.Module.Version), ptr(r.Module.Digest)
		}
		out.Regions = append(out.Regions, s)
	}
	out.Message = fmt.Sprintf("Rule %s runs version %s in %d of %d regions.", rule, version, done, len(results))
	if out.Ok && done == 1 {
		out.Message = fmt.Sprintf("Rule %s runs version %s in region %s.", rule, version, results[0].Region)
	} else if out.Ok {
		out.Message = fmt.Sprintf("Rule %s runs version %s in %d regions.", rule, version, done)
	}
	c.note(x, action, "rule", rule, "version", version, "regions", done, "of", len(results))
	return x.JSON(http.StatusOK, out)
}

// reload loads a rule's module of the venue's file again in every region.
func (c *Console) reload(x echo.Context) error {
	name := x.Param("name")
	results, err := c.cfg.Book.Reload(x.Request().Context(), caller(x), name)
	if err != nil {
		return refused(err)
	}
	done := Done{Changed: ptr(false)}
	var faults []string
	for _, r := range results {
		if r.Err != nil {
			faults = append(faults, r.Err.Error())
			continue
		}
		*done.Changed = *done.Changed || r.Changed
		done.Tick = ptr(int64(r.Tick))
		what := "the same module as before"
		if r.Changed {
			what = "another module"
		}
		done.Message = fmt.Sprintf("Rule %s runs version %s (%.12s), %s.", name, r.Module.Version, r.Module.Digest, what)
	}
	if len(faults) > 0 {
		return faultf(http.StatusConflict, FaultCodeFailed, "%s; in the other regions it was loaded", strings.Join(faults, "; "))
	}
	c.note(x, "reload", "rule", name, "changed", *done.Changed)
	return x.JSON(http.StatusOK, done)
}

// known answers with a fault when there is no such rule.
func (c *Console) known(name string) *fault {
	if c.inVenue(name) == nil {
		return faultf(http.StatusNotFound, FaultCodeNotFound, "the venue has no rule %.64q: venued rule list (GET /admin/api/rules) shows those there are", name)
	}
	return nil
}

func (c *Console) getSwaps(x echo.Context) error {
	name := x.Param("name")
	if f := c.known(name); f != nil {
		return f
	}
	out := RuleSwaps{Swaps: []RuleSwap{}}
	for _, a := range c.cfg.Book.Assigned() {
		if a.Rule != name {
			continue
		}
		for _, h := range a.History {
			s := RuleSwap{Time: time.UnixMilli(h.AtUnixMS).UTC(), Region: a.Region, To: moduleName(h.To), By: h.By, Reason: h.Reason, Returned: h.Returned}
			if h.From != (store.ModuleRef{}) {
				s.From = ptr(moduleName(h.From))
			}
			if h.Tick != 0 {
				s.Tick = ptr(int64(h.Tick))
			}
			out.Swaps = append(out.Swaps, s)
		}
	}
	slices.SortStableFunc(out.Swaps, func(a, b RuleSwap) int { return b.Time.Compare(a.Time) })
	return x.JSON(http.StatusOK, out)
}

func moduleName(m store.ModuleRef) ModuleName {
	return ModuleName{Plugin: m.Plugin, Version: m.Version, Digest: m.Digest}
}

func (c *Console) getFaults(x echo.Context) error {
	name := x.Param("name")
	if f := c.known(name); f != nil {
		return f
	}
	out := RuleFaults{Faults: []RuleFault{}}
	for _, n := range c.cfg.Node.Faults(name) {
		plugin, version, _ := strings.Cut(n.Plugin, "@")
		f := RuleFault{
			Time: n.At.UTC(), Region: n.Region, Tick: int64(n.Tick), Module: ModuleName{Plugin: plugin, Version: version, Digest: n.Digest},
			Kind: string(n.Fault.Kind), Message: n.Fault.Message, Quarantined: n.Quarantined,
			Before: RuleState{Bytes: n.Before.Bytes, Keys: n.Before.Keys, Hash: n.Before.Hash},
			After:  RuleState{Bytes: n.After.Bytes, Keys: n.After.Keys, Hash: n.After.Hash},
		}
		if n.Session != 0 {
			f.Session = ptr(decimal(n.Session))
		}
		out.Faults = append(out.Faults, f)
	}
	return x.JSON(http.StatusOK, out)
}
