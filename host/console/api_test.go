package console

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// TestEveryRouteIsDescribed: the document and the router know the same operations.
func TestEveryRouteIsDescribed(t *testing.T) {
	r := newRig(t, options{})
	if err := r.doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
	var described, served []string
	for path, item := range r.doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	param := regexp.MustCompile(`:(\w+)`)
	for _, route := range r.c.handler.(*echo.Echo).Routes() {
		if path, ok := strings.CutPrefix(route.Path, "/admin/api"); ok && path != "" && !strings.Contains(path, "*") {
			served = append(served, route.Method+" "+param.ReplaceAllString(path, "{$1}"))
		}
	}
	slices.Sort(described)
	slices.Sort(served)
	if !slices.Equal(described, served) {
		t.Errorf("described: %q\nserved: %q", described, served)
	}
}

// TestAnswersFit: what every reading operation says of a venue with people is what the document says.
func TestAnswersFit(t *testing.T) {
	r := newRig(t, options{})
	ann := r.visit("ann", "<b>Ann</b>")
	r.visit("ben", "")
	r.until("two clients with their rates", func() bool {
		list := into[Clients](r, r.call("GET", "/clients", "")).Clients
		return len(list) == 2 && !slices.ContainsFunc(list, func(c Client) bool { return c.DownHz == 0 || c.UpBytesS == 0 })
	})
	list := into[Clients](r, r.call("GET", "/clients", "")).Clients
	if c := list[0]; c.User != "ann" || c.Name != "<b>Ann</b>" || !c.Connected || c.Lane != ClientLaneWs || c.Region != "ground-0" || c.Session != decimal(uint64(ann.Welcome().Session)) {
		t.Errorf("ann is shown as %+v", c)
	}
	v := into[Venue](r, r.call("GET", "/venue", ""))
	if v.Id != "hall" || len(v.Regions) != 2 || len(v.Zones) != 1 || *v.Zones[0].Door != "gate" || v.Labels["cube"] != "<i>Cube</i>" || v.Version != "v1" {
		t.Errorf("the venue is shown as %+v", v)
	}
	regions := into[Regions](r, r.call("GET", "/regions", "")).Regions
	if len(regions) != 2 || regions[0].Users != 2 || regions[0].State != RegionStateRunning || regions[0].TickP99Us <= 0 {
		t.Errorf("the regions are shown as %+v", regions)
	}
	rules := into[Rules](r, r.call("GET", "/rules", "")).Rules
	if len(rules) != 2 || rules[0].Rule != "grab" || rules[0].Version != "1.2.3" || rules[0].Quarantined {
		t.Errorf("the rules are shown as %+v", rules)
	}
	r.until("a sample with both", func() bool {
		samples := into[Series](r, r.call("GET", "/series", "")).Samples
		return len(samples) > 0 && samples[len(samples)-1].Users == 2 && samples[len(samples)-1].DownBytesS > 0
	})
	r.log.Warn("a line\nand <another>", "from", "a \"plugin\"\x1b[2J")
	lines := into[Log](r, r.call("GET", "/log", "")).Lines
	last := lines[len(lines)-1]
	if last.Message != `a line\nand <another>` || last.Fields != `from="a \"plugin\"\x1b[2J"` || last.Level != "WARN" {
		t.Errorf("the line is %+v", last)
	}
	if more := into[Log](r, r.call("GET", "/log?after="+decimal(uint64(last.N-1)), "")).Lines; len(more) == 0 || more[0] != last {
		t.Errorf("after the line before it come %+v", more)
	}
	if res := r.call("GET", "/openapi.yaml", ""); res.status != http.StatusOK || !strings.HasPrefix(string(res.body), "openapi: 3") {
		t.Errorf("the document: %d", res.status)
	}
}

func TestSettingsHideSecrets(t *testing.T) {
	r := newRig(t, options{text: "[server]\norigins = [\"https://example.org\"]\n[[rules.keys]]\nname = \"ann\"\nrules = [\"quiz\"]\npublic_key = \"" +
		base64.StdEncoding.EncodeToString(make([]byte, 32)) + "\"\n"})
	res := r.call("GET", "/settings", "")
	if strings.Contains(string(res.body), "hunter2") || strings.Contains(string(res.body), adminToken) {
		t.Fatalf("a secret is shown: %s", res.body)
	}
	got := map[string]Setting{}
	for _, s := range into[Settings](r, res).Settings {
		got[s.Key] = s
	}
	for key, want := range map[string]Setting{
		"rules.require_signature":      {Value: "false"},
		"rules.keys.ann.rules":         {Value: `["quiz"]`},
		"rules.keys.ann.activate":      {Value: "false"},
		"server.origins":               {Value: `["https://example.org"]`},
		"store.commit_ms":              {Value: "20"},
		"venue.limits.users":           {Value: "300"},
		"venue.cell_m":                 {Value: "5.0"},
		"venue.name":                   {Value: `"Hall <b>of</b> tests"`},
		"console.enabled":              {Value: "true"},
		"tokens.key_file":              {Value: `""`},
		"rule.grab.settings.reach_m":   {Value: "0.5"},
		"rule.grab.settings.api_token": {Secret: true},
	} {
		if s := got[key]; s.Value != want.Value || s.Secret != want.Secret || s.Key == "" {
			t.Errorf("%s: %+v, want %+v", key, s, want)
		}
	}
}

// TestBadRequests: every fault says what is wrong, in the document's form.
func TestBadRequests(t *testing.T) {
	r := newRig(t, options{})
	for _, c := range []struct {
		method, path, body string
		headers            []string
		status             int
		code               FaultCode
		says               string
	}{
		{"GET", "/nothing", "", nil, 404, FaultCodeNotFound, "openapi.yaml"},
		{"DELETE", "/clients", "", nil, 404, FaultCodeNotFound, "DELETE /admin/api/clients"},
		{"GET", "/log?after=x", "", nil, 400, FaultCodeBadRequest, `"x"`},
		{"GET", "/log?after=-1", "", nil, 400, FaultCodeBadRequest, "number of a line"},
		{"POST", "/clients/ann/kick", "", nil, 400, FaultCodeBadRequest, "number of a session"},
		{"POST", "/clients/0/kick", "", nil, 400, FaultCodeBadRequest, "number of a session"},
		{"POST", "/clients/7/kick", "", nil, 404, FaultCodeNotFound, "no session 7"},
		{"POST", "/clients/7/kick", `{"message":"` + strings.Repeat("ä", 201) + `"}`, nil, 400, FaultCodeBadRequest, "200 letters"},
		{"POST", "/clients/7/kick", `{"massage":"x"}`, nil, 400, FaultCodeBadRequest, "massage"},
		{"POST", "/clients/7/kick", `{`, nil, 400, FaultCodeBadRequest, "the body"},
		{"POST", "/clients/7/kick", `message=x`, []string{"Content-Type: application/x-www-form-urlencoded"}, 415, FaultCodeBadRequest, "application/json"},
		{"POST", "/login", `{"token":"` + strings.Repeat("x", 20<<10) + `"}`, nil, 413, FaultCodeBadRequest, "too large"},
		{"POST", "/objects/chair/reset", "", nil, 404, FaultCodeNotFound, `no object "chair"`},
		{"POST", "/rules/chair/reload", "", nil, 404, FaultCodeNotFound, `no rule "chair"`},
		{"POST", "/rules/grab/reload", "", nil, 409, FaultCodeFailed, "the module is not there"},
	} {
		res := r.ask(c.method, c.path, c.body, c.headers...)
		if f := res.fault(); res.status != c.status || f.Code != c.code || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s %s: %d %s; want %d %s with %q", c.method, c.path, res.status, res.body, c.status, c.code, c.says)
		}
		r.matches(r.doc.Components.Schemas["Fault"].Value, res.body, c.method+" "+c.path)
	}
}

// TestPage: the page is there without a token, with a policy that forbids inline scripts, and has none.
func TestPage(t *testing.T) {
	r := newRig(t, options{})
	for path, kind := range map[string]string{"/": "text/html", "/app.js": "text/javascript", "/app.css": "text/css", "/icon.svg": "image/svg+xml"} {
		res := r.ask("GET", "/admin"+path, "", "Authorization: ")
		if res.status != 200 || !strings.HasPrefix(res.header.Get("Content-Type"), kind) || len(res.body) < 200 {
			t.Errorf("%s: %d %s, %d bytes", path, res.status, res.header.Get("Content-Type"), len(res.body))
		}
		if path == "/" && regexp.MustCompile(`<script(?:[^>]*)>[^<]|<style|\son\w+=|style=`).Match(res.body) {
			t.Errorf("the page has something inline: %s", res.body)
		}
	}
	for _, path := range []string{"/admin/", "/venue", "/nothing", "/login"} {
		h := r.ask("GET", path, "", "Authorization: ").header
		for name, want := range map[string]string{
			"Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
			"X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		} {
			if !strings.Contains(h.Get(name), want) {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		if p := h.Get("Content-Security-Policy"); strings.Contains(p, "unsafe") || !strings.Contains(p, "default-src 'none'") {
			t.Errorf("%s: the policy is %s", path, p)
		}
	}
	if res := r.ask("GET", "/admin", "", "Authorization: "); res.status != http.StatusPermanentRedirect || res.header.Get("Location") != "/admin/" {
		t.Errorf("/admin: %d to %q", res.status, res.header.Get("Location"))
	}
}
