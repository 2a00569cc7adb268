// Package browser holds the tests of the page and the console in a real browser: headless Chromium pages, some with an
// emulated headset, against a real server, over a network that can be cut.
//
// Each test starts a server and runs a script of this folder under Node, which drives the browsers and prints a
// line of JSON for each thing it has checked. A script asks its test for what happens outside of browsers (the network is cut,
// the server is killed, bots come) over HTTP. Screenshots and the lines are kept in artifacts/browser.
package browser

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/venued/venued"
	"github.com/venued/venued/rtc/token"
	"github.com/venued/venued/test/process"
)

// patience bounds a script, however much it has to check.
const patience = 5 * time.Minute

// update writes the documentation's picture anew.
var update = flag.Bool("update", false, "write docs/images/hall.png anew")

// picture is the page as README.md shows it.
var picture = filepath.Join("..", "..", "docs", "images", "hall.png")

// smallHall is the venue of most tests.
var smallHall = filepath.Join("testdata", "hall.toml")

// stage is what a script plays on: a server, a network before it, and what may happen to both.
type stage struct {
	t      *testing.T
	config []string                // arguments of venued serve
	acts   map[string]func() error // what else may happen, by name

	mu     sync.Mutex
	server *process.Server
	relay  *relay
}

// newStage starts the server of a venue, the example when config is "", and a network before it.
func newStage(t *testing.T, config string) *stage {
	t.Helper()
	s := &stage{t: t}
	if config != "" {
		s.config = []string{config}
	}
	s.server = process.Serve(t, "", s.config...)
	s.relay = newRelay(t, s.server.URL)
	return s
}

// line is what a script says.
type line struct {
	Check  string          `json:"check"`  // what was checked
	OK     bool            `json:"ok"`     // whether it holds
	Why    string          `json:"why"`    // why not
	Figure string          `json:"figure"` // or: what was measured
	Value  json.RawMessage `json:"value"`
}

// run plays a script to its end and reports what it checked.
func (s *stage) run(script string) {
	s.t.Helper()
	t := s.t
	folder := artifacts(t)
	control := httptest.NewServer(s.control())
	defer control.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := node(t, ctx, script+".mjs")
	cmd.Env = append(os.Environ(), "VENUED_CONTROL="+control.URL, "VENUED_ARTIFACTS="+folder)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(folder, script+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	checks := 0
	for sc := bufio.NewScanner(stdout); sc.Scan(); {
		fmt.Fprintln(log, sc.Text())
		var l line
		switch err := json.Unmarshal(sc.Bytes(), &l); {
		case err != nil:
			t.Errorf("the script said %q: %v", sc.Text(), err)
		case l.Figure != "":
			t.Logf("%s: %s", l.Figure, l.Value)
		case !l.OK:
			t.Errorf("%s: %s", l.Check, l.Why)
		default:
			checks++
			t.Log("ok: " + l.Check)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", script, err, errs.String())
	}
	if checks == 0 {
		t.Errorf("%s has checked nothing\n%s", script, errs.String())
	}
}

// artifacts is the folder that keeps what a test leaves.
func artifacts(t *testing.T) string {
	t.Helper()
	folder, err := filepath.Abs(filepath.Join("..", "..", "artifacts", "browser"))
	if err == nil {
		err = os.MkdirAll(folder, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// node makes a command of a script in this folder. The modules are installed when they are missing. When ctx ends, the
// script is asked to end first, so that it closes its browser.
func node(t *testing.T, ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatal("node is not installed: run test/setup.sh (make setup)")
	}
	if _, err := exec.LookPath("chromium"); err != nil && os.Getenv("CHROMIUM") == "" {
		t.Fatal("chromium is not installed: run test/setup.sh (make setup), or name another one in $CHROMIUM")
	}
	if _, err := os.Stat(filepath.Join("node_modules", "playwright-core")); err != nil {
		if out, err := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts").CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// control answers what a script asks for.
func (s *stage) control() http.Handler {
	mux := http.NewServeMux()
	handle := func(path string, do func(r *http.Request) (any, error)) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			answer, err := do(r)
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			json.NewEncoder(w).Encode(answer) //nolint:errcheck // the script notices
		})
	}
	plain := func(f func()) func(*http.Request) (any, error) {
		return func(*http.Request) (any, error) { f(); return struct{}{}, nil }
	}
	handle("/where", func(*http.Request) (any, error) {
		admin, err := os.ReadFile(filepath.Join(s.server.Data, "admin.token"))
		return map[string]string{
			"url": s.server.URL, "relay": s.relay.URL, "token": s.server.Token, "metrics": s.server.Metrics,
			"admin": strings.TrimSpace(string(admin)),
		}, err
	})
	handle("/cut", plain(func() { s.relay.cut() }))
	handle("/break", plain(func() { s.relay.breakAll() }))
	handle("/heal", plain(func() { s.relay.heal() }))
	handle("/kill", plain(func() { s.server.Kill() }))
	handle("/restart", plain(func() {
		address := strings.TrimPrefix(s.server.URL, "http://")
		s.server = process.Serve(s.t, s.server.Data, append([]string{"--listen", address}, s.config...)...)
	}))
	handle("/bots", func(r *http.Request) (any, error) {
		process.Start(s.t, "bots", "--url", s.server.Join, "--users", r.FormValue("users"), "--duration", "10m",
			"--ramp", "1s", "--seed", "7", "--drop-every", "0s")
		return struct{}{}, nil
	})
	handle("/act", func(r *http.Request) (any, error) {
		act, ok := s.acts[r.FormValue("name")]
		if !ok {
			return nil, fmt.Errorf("nothing called %q happens in this test", r.FormValue("name"))
		}
		return struct{}{}, act()
	})
	handle("/token", func(r *http.Request) (any, error) {
		return s.token(r.FormValue("user"), r.FormValue("name"), r.FormValue("expired") != "")
	})
	return mux
}

// token signs a join token with the server's key.
func (s *stage) token(user, name string, expired bool) (string, error) {
	key, err := token.ReadKey(filepath.Join(s.server.Data, "development.key"))
	if err != nil {
		return "", err
	}
	now := time.Now
	if expired {
		now = func() time.Time { return time.Now().Add(-time.Hour) }
	}
	issuer, err := token.NewIssuer(key, now)
	if err != nil {
		return "", err
	}
	signed, _, err := issuer.Issue(token.Claims{Venue: "browser-hall", User: user, Name: name}, 5*time.Minute)
	return signed, err
}

// Two people with headsets meet: they see each other move, contest one object twenty times, and one goes through the door.
func TestHeadsets(t *testing.T) { newStage(t, smallHall).run("headsets") }

// The network goes away and comes back, on every lane.
func TestNetwork(t *testing.T) { newStage(t, smallHall).run("network") }

// The server is killed during play and started again on the same port.
func TestServerGone(t *testing.T) { newStage(t, smallHall).run("gone") }

// Joining over the WebSocket lane, over ICE-TCP where there is no UDP, and by itself over whatever there is.
func TestLanes(t *testing.T) {
	s := newStage(t, smallHall)
	s.relay.noUDP = true
	s.run("lanes")
}

// Browsers that lack something, links and servers that do not fit, names with HTML in them.
func TestBadInput(t *testing.T) { newStage(t, smallHall).run("badinput") }

// The operator's console: the map, kicking, and who is not let in.
func TestConsole(t *testing.T) { newStage(t, smallHall).run("console") }

// The example hall with fifty walking visitors: how fast frames are drawn, and the pictures of the documentation. All of it
// is in sight of everybody here, as a crowd in one place would be.
func TestPicture(t *testing.T) {
	const cells = "# cell_m = 5.0 "
	if !bytes.Contains(venued.Example, []byte(cells)) {
		t.Fatalf("the example does not have %q", cells)
	}
	wide := bytes.Replace(venued.Example, []byte(cells), []byte("cell_m = 20.0 "), 1)
	config := filepath.Join(t.TempDir(), "wide.toml")
	if err := os.WriteFile(config, wide, 0o600); err != nil {
		t.Fatal(err)
	}
	newStage(t, config).run("picture")

	shot, err := os.ReadFile(filepath.Join(artifacts(t), "hall.png"))
	if err != nil {
		t.Fatal(err)
	}
	const most = 400 << 10
	if len(shot) > most {
		t.Errorf("the picture has %d bytes, more than the %d that the documentation takes", len(shot), most)
	}
	if *update {
		if err := os.WriteFile(picture, shot, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(picture); err != nil {
		t.Errorf("README.md shows %s: make it with go test ./test/browser -run TestPicture -update: %v", picture, err)
	}
}
