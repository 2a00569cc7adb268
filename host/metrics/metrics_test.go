package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func get(t *testing.T, h http.Handler, method, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w.Code, w.Body.String()
}

func TestHandler(t *testing.T) {
	var node, gateway error
	r := New("1.2.3")
	slow := SlowReaders(r)
	slow("gateway", "venued.hall.main.rec", 7)
	late := LateRules(r)
	late("grab")
	late("grab")
	var rules error
	h := Handler(r, Check{Name: "node", Ready: func() error { return node }}, Check{Name: "gateway", Ready: func() error { return gateway }},
		Check{Name: "rules", Ready: func() error { return rules }, Serves: true})

	if code, body := get(t, h, "GET", "/healthz"); code != 200 || body != "ok\n" {
		t.Errorf("healthz: %d %q", code, body)
	}
	if code, body := get(t, h, "GET", "/readyz"); code != 200 || body != "ready\n" {
		t.Errorf("readyz: %d %q", code, body)
	}
	rules = errors.New("rule quiz runs another module")
	if code, body := get(t, h, "GET", "/readyz"); code != 200 || body != "ready\nbut rules: rule quiz runs another module\n" {
		t.Errorf("readyz: %d %q", code, body)
	}
	rules = nil
	node = errors.Join(errors.New("region hall/main: no tick for 300 ms"), errors.New("region hall/west is down"))
	want := "node: region hall/main: no tick for 300 ms; region hall/west is down\n"
	if code, body := get(t, h, "GET", "/readyz"); code != 503 || body != want {
		t.Errorf("readyz: %d %q, want %q", code, body, want)
	}
	gateway = errors.New("draining")
	if _, body := get(t, h, "GET", "/readyz"); body != want+"gateway: draining\n" {
		t.Errorf("readyz: %q", body)
	}
	if code, _ := get(t, h, "GET", "/healthz"); code != 200 {
		t.Errorf("healthz of an unready process: %d", code)
	}
	code, body := get(t, h, "GET", "/metrics")
	for _, line := range []string{
		`venued_build_info{version="1.2.3"} 1`, "go_goroutines ", "process_cpu_seconds_total ",
		`venued_bus_dropped_messages{connection="gateway",subject="venued.hall.main.rec"} 7`,
		`venued_rule_watchdog_total{rule="grab"} 2`,
	} {
		if code != 200 || !strings.Contains(body, line) {
			t.Errorf("metrics: %d, without %q", code, line)
		}
	}
	if code, body := get(t, h, "GET", "/debug/pprof/goroutine?debug=1"); code != 200 || !strings.Contains(body, "goroutine profile") {
		t.Errorf("goroutine profile: %d %q", code, body)
	}
	for path, want := range map[string]int{
		"/debug/pprof/heap": 200, "/debug/pprof/cmdline": 404, "/debug/pprof/": 404,
		"/debug/pprof/profile?seconds=61": 400, "/debug/pprof/trace?seconds=-1": 400, "/debug/pprof/profile?seconds=x": 400,
	} {
		if code, body := get(t, h, "GET", path); code != want {
			t.Errorf("%s: %d %q, want %d", path, code, body, want)
		}
	}
	if code, _ := get(t, h, "POST", "/metrics"); code != 405 {
		t.Errorf("POST: %d", code)
	}
	if code, _ := get(t, h, "GET", "/other"); code != 404 {
		t.Errorf("unknown path: %d", code)
	}
}

func TestServer(t *testing.T) {
	var logged strings.Builder
	log := slog.New(slog.NewTextHandler(&logged, nil))
	s, err := Start("127.0.0.1:0", Handler(New("1")), log)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Get("http://" + s.Addr() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil || string(body) != "ok\n" {
		t.Fatalf("%q, %v", body, err)
	}
	if _, err := Start(s.Addr(), Handler(New("1")), log); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("port in use: %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
	if err := s.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if logged.Len() > 0 {
		t.Errorf("loopback was warned about: %s", &logged)
	}
	open, err := Start("0.0.0.0:0", Handler(New("1")), log)
	if err != nil {
		t.Fatal(err)
	}
	if err := open.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(logged.String(), "not loopback") {
		t.Errorf("an open address was not warned about: %s", &logged)
	}
}
