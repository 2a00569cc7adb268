package system

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// newcomersRoom is what somebody new to it would write: a lamp, and a rule of their own for it.
const newcomersRoom = `
[venue]
id = "newcomers"
name = "A room"
[[floor]]
name = "ground"
min = [0.0, 0.0]
max = [14.0, 10.0]
[[spawn]]
name = "entrance"
at = [4.0, 5.0]
radius = 0.0
[[kind]]
name = "lamp"
usable = true
[[object]]
name = "lamp"
kind = "lamp"
at = [4.0, 1.2, 4.6]
[[rule]]
plugin = "lamp/lamp.wasm"
kinds = ["lamp"]
class = "large"
`

// folder is where a newcomer works: with nothing of this project in it but the program.
type folder struct {
	t   *testing.T
	dir string
}

// run runs a command of the program in the folder and returns what it printed on both streams.
func (f folder) run(args ...string) (out string, code int) {
	f.t.Helper()
	cmd := exec.Command(process.Binary(f.t), args...)
	cmd.Dir = f.dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		f.t.Fatal(err)
	}
	return b.String(), cmd.ProcessState.ExitCode()
}

func (f folder) good(args ...string) string {
	f.t.Helper()
	out, code := f.run(args...)
	if code != 0 {
		f.t.Fatalf("venued %s ends with %d:\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

func (f folder) replace(file, old, new string) {
	f.t.Helper()
	path := filepath.Join(f.dir, file)
	b, err := os.ReadFile(path)
	if err != nil {
		f.t.Fatal(err)
	}
	if !bytes.Contains(b, []byte(old)) {
		f.t.Fatalf("%s has no %q:\n%s", file, old, b)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(b, []byte(old), []byte(new)), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

// told waits until a rule tells the visitor something.
func (v *visitor) told(text string) {
	v.t.Helper()
	limit := time.After(patience)
	var heard []string
	for {
		select {
		case e := <-v.Events():
			var b struct{ Text string }
			if e.T != "rule" || json.Unmarshal(e.Data, &b) != nil {
				continue
			}
			if heard = append(heard, b.Text); b.Text == text {
				return
			}
		case <-v.Done():
			v.t.Fatalf("waiting for %q: the client ended: %v", text, v.Err())
		case <-limit:
			v.t.Fatalf("nobody said %q for %s; heard %q", text, patience, heard)
		}
	}
}

// The path of a newcomer, in each language: make a rule, change it, see its test fail, correct the test, upload it, and see in the
// venue what was changed, with nothing but the program and the language's compiler.
func TestNewcomersPath(t *testing.T) {
	f := folder{t, t.TempDir()}
	room := filepath.Join(f.dir, "room.toml")
	if err := os.WriteFile(room, []byte(newcomersRoom), 0o666); err != nil {
		t.Fatal(err)
	}
	f.good("rule", "new", "--lang", "c", "lamp")
	f.good("rule", "build", "lamp")
	f.good("rule", "test", "lamp")
	if out := f.good("check", "room.toml"); !strings.Contains(out, "1 rule") {
		t.Errorf("%s", out)
	}

	s := process.Serve(t, filepath.Join(f.dir, "data"), room)
	ann := visit(t, s, s.URL, "ann", client.LaneWS)
	if out := ann.use("lamp"); !out.OK {
		t.Fatalf("use: %+v", out)
	}
	ann.told("It is on.")

	for _, l := range []struct{ lang, source, version, text string }{
		{"c", "rule.c", "0.2.0", "Switched on in C."},
		{"rust", "rule.rs", "0.3.0", "Switched on in Rust."},
		{"assemblyscript", "rule.ts", "0.4.0", "Switched on in AssemblyScript."},
		{"go", "main.go", "0.5.0", "Switched on in Go."},
	} {
		dir := "lamp-" + l.lang
		f.good("rule", "new", "--lang", l.lang, "lamp", "--dir", dir)
		if l.lang == "assemblyscript" { // npm install, from what this project has
			modules, err := filepath.Abs("../../sdk/rules/assemblyscript/node_modules")
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(modules, filepath.Join(f.dir, dir, "node_modules")); err != nil {
				t.Fatal(err)
			}
		}
		f.replace(filepath.Join(dir, l.source), "It is on.", l.text)
		f.replace(filepath.Join(dir, "manifest.json"), "0.1.0", l.version)
		if out, code := f.run("rule", "test", dir); code != 1 || !strings.Contains(out, `+ 1  ann use lamp -> emit near lamp lamp {"text":"`+l.text+`"}`) {
			t.Fatalf("the test does not see what was changed: it ends with %d\n%s", code, out)
		}
		f.replace(filepath.Join(dir, "tests", "switch.txt"), "It is on.", l.text)
		f.good("rule", "test", dir)
		f.good("rule", "check", filepath.Join(dir, "lamp.wasm"))
		if l.lang == "go" { // it is larger than those before: an admin has to look at that
			if out, code := f.run("rule", "upload", filepath.Join(dir, "lamp.wasm"), "--activate"); code != 1 || !strings.Contains(out, "class large") || !strings.Contains(out, "--approve") {
				t.Fatalf("it ends with %d\n%s", code, out)
			}
			f.good("rule", "activate", "lamp", l.version, "--approve")
		} else {
			f.good("rule", "upload", filepath.Join(dir, "lamp.wasm"), "--activate")
		}
		for range 2 { // it may be on or off
			if out := ann.use("lamp"); !out.OK {
				t.Fatalf("use: %+v", out)
			}
		}
		ann.told(l.text)
	}

	// What runs where, back to the one before, and after a restart the same.
	if out := f.good("rule", "versions", "lamp"); !strings.Contains(out, "0.5.0") || !strings.Contains(out, "0.2.0") {
		t.Errorf("versions:\n%s", out)
	}
	f.good("rule", "rollback", "lamp")
	if out := f.good("rule", "list"); !strings.Contains(out, "lamp 0.4.0") {
		t.Errorf("after the rollback:\n%s", out)
	}
	f.good("rule", "activate", "lamp", "0.3.0", "--regions", "ground")
	if code := s.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if out, code := f.run("rule", "list"); code != 1 || !strings.Contains(out, "no host is named and none is found here") {
		t.Errorf("without a host it ends with %d\n%s", code, out)
	}
	s = process.Serve(t, filepath.Join(f.dir, "data"), room)
	if out := f.good("rule", "list"); !strings.Contains(out, "lamp 0.3.0") {
		t.Errorf("after a restart:\n%s", out)
	}
	bob := visit(t, s, s.URL, "bob", client.LaneWS)
	for range 2 {
		if out := bob.use("lamp"); !out.OK {
			t.Fatalf("use: %+v", out)
		}
	}
	bob.told("Switched on in Rust.")
	if out := f.good("rule", "logs", "lamp"); !strings.Contains(out, "rule loaded") {
		t.Errorf("its log:\n%s", out)
	}
}
