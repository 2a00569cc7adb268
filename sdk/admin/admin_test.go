package admin_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"go.uber.org/goleak"

	"github.com/venued/venued/sdk/admin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The client is made from the document as it is, and every operation of it has its method.
func TestClientIsOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../host/console/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	made, err := os.ReadFile("document.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(document); strings.TrimSpace(string(made)) != hex.EncodeToString(sum[:]) {
		t.Error("host/console/openapi.yaml has changed since the client was made from it: run go generate ./sdk/admin")
	}
	doc, err := openapi3.NewLoader().LoadFromFile("../../host/console/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	client := reflect.TypeFor[admin.ClientInterface]()
	var operations int
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			name := strings.ToUpper(op.OperationID[:1]) + op.OperationID[1:]
			if name == "GetDocument" {
				continue
			}
			operations++
			_, plain := client.MethodByName(name)
			_, body := client.MethodByName(name + "WithBody")
			if !plain && !body || body != (op.RequestBody != nil) {
				t.Errorf("%s %s: no method %s of this kind", method, path, name)
			}
			if !slices.ContainsFunc([]string{"login", "logout"}, func(s string) bool { return s == op.OperationID }) && len(op.Responses.Map()) < 2 {
				t.Errorf("%s %s has no answer for what goes wrong", method, path)
			}
		}
	}
	if operations < 15 {
		t.Errorf("only %d operations", operations)
	}
}

func TestConnectRefuses(t *testing.T) {
	for _, address := range []string{"", "127.0.0.1:7878", "ftp://x", "http://", "http://x/?a", "http://[", "http://x/#token=y"} {
		if _, err := admin.Connect(address, "token"); err == nil || !strings.Contains(err.Error(), "want http://host:port") {
			t.Errorf("%q: %v", address, err)
		}
	}
	for _, token := range []string{"", "a b", "a\n", "ä"} {
		if _, err := admin.Connect("http://127.0.0.1:1", token); err == nil || !strings.Contains(err.Error(), "token") {
			t.Errorf("token %q: %v", token, err)
		}
	}
}

// serve answers every request with a status and a body, and reports what was asked.
func serve(t *testing.T, status int, kind, body string) (*admin.ClientWithResponses, *http.Request) {
	t.Helper()
	asked := new(http.Request)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = *r.Clone(context.Background())
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(func() { s.Close(); http.DefaultClient.CloseIdleConnections() })
	c, err := admin.Connect(s.URL+"/", "secret")
	if err != nil {
		t.Fatal(err)
	}
	return c, asked
}

func TestFaults(t *testing.T) {
	ctx := context.Background()
	c, asked := serve(t, 409, "application/json", `{"code":"refused","message":"no","problems":[{"code":"import","message":"env.exit"}],"needs":["command door"]}`)
	r, err := c.GetRuleWithResponse(ctx, "lamp")
	err = admin.Answered(r, err)
	if f, ok := errors.AsType[*admin.Fault](err); !ok || f.Code != "refused" || f.Error() != "no\n  import: env.exit\n  new: command door" {
		t.Errorf("%v", err)
	}
	if asked.URL.Path != "/admin/api/rules/lamp" || asked.Header.Get("Authorization") != "Bearer secret" {
		t.Errorf("asked %s with %q", asked.URL.Path, asked.Header.Get("Authorization"))
	}
	c, _ = serve(t, 404, "text/html", "<html>")
	r, err = c.GetRuleWithResponse(ctx, "lamp")
	if err := admin.Answered(r, err); err == nil || !strings.Contains(err.Error(), "404") || !strings.Contains(err.Error(), "right address") {
		t.Errorf("%v", err)
	}
	if c, err = admin.Connect("http://127.0.0.1:1", "secret"); err != nil {
		t.Fatal(err)
	}
	r, err = c.GetRuleWithResponse(ctx, "lamp")
	if err := admin.Answered(r, err); err == nil || !strings.Contains(err.Error(), "is the venue served") {
		t.Errorf("%v", err)
	}
}

func TestLog(t *testing.T) {
	ctx := context.Background()
	c, asked := serve(t, 200, "text/event-stream", ": hello\n\nevent: log\ndata: {\"n\":1,\"message\":\"on\"}\n\nevent: end\ndata: {}\n\nevent: log\nid: 2\ndata: {\"n\":2,\"message\":\"off\"}\n\n")
	var got []string
	add := func(l *admin.LogLine) error { got = append(got, fmt.Sprint(l.N, l.Message)); return nil }
	if err := admin.FollowLog(ctx, c, "lamp", true, add); err != nil || !slices.Equal(got, []string{"1on", "2off"}) {
		t.Errorf("%q, %v", got, err)
	}
	if asked.URL.Query().Get("follow") != "true" {
		t.Errorf("asked for %s", asked.URL)
	}
	stop := errors.New("stop")
	if err := admin.FollowLog(ctx, c, "lamp", false, func(*admin.LogLine) error { return stop }); err != stop {
		t.Errorf("%v", err)
	}
	c, _ = serve(t, 404, "application/json", `{"code":"not_found","message":"no rule lamp"}`)
	if err := admin.FollowLog(ctx, c, "lamp", false, add); err == nil || err.Error() != "no rule lamp" {
		t.Errorf("%v", err)
	}
	c, _ = serve(t, 200, "text/event-stream", "event: log\ndata: nonsense\n\n")
	if err := admin.FollowLog(ctx, c, "lamp", false, add); err == nil || !strings.Contains(err.Error(), "a line that is none") {
		t.Errorf("%v", err)
	}
	c, _ = serve(t, 502, "text/plain", "bad gateway")
	if err := admin.FollowLog(ctx, c, "lamp", false, add); err == nil || !strings.Contains(err.Error(), "502") {
		t.Errorf("%v", err)
	}
}
