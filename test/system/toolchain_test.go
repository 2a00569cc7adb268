package system

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	client "github.com/venued/venued/sdk/go"
	"github.com/venued/venued/test/process"
)

// start makes a rule called lamp in the folder, and serves the newcomers' room with it; more is added to the room's file.
func (f folder) start(lang, more string) *process.Server {
	f.t.Helper()
	f.good("rule", "new", "--lang", lang, "lamp")
	if lang == "assemblyscript" {
		modules, err := filepath.Abs("../../sdk/rules/assemblyscript/node_modules")
		if err != nil {
			f.t.Fatal(err)
		}
		if err := os.Symlink(modules, filepath.Join(f.dir, "lamp", "node_modules")); err != nil {
			f.t.Fatal(err)
		}
	}
	f.good("rule", "build", "lamp")
	room := filepath.Join(f.dir, "room.toml")
	if err := os.WriteFile(room, []byte(newcomersRoom+more), 0o666); err != nil {
		f.t.Fatal(err)
	}
	return process.Serve(f.t, filepath.Join(f.dir, "data"), room)
}

// background runs a command of venued rule until the end of the test. The lines that it prints come through the channel.
func (f folder) background(args ...string) <-chan string {
	f.t.Helper()
	cmd := exec.Command(process.Binary(f.t), append([]string{"rule"}, args...)...)
	cmd.Dir = f.dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		f.t.Fatal(err)
	}
	lines := make(chan string, 1000)
	go func() {
		for sc := bufio.NewScanner(out); sc.Scan(); {
			lines <- sc.Text()
		}
		close(lines)
	}()
	f.t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			f.t.Error(err)
		}
		for range lines { // until it has ended
		}
		if err := cmd.Wait(); err != nil {
			f.t.Errorf("venued rule %s ends with %v after Ctrl-C", args[0], err)
		}
	})
	return lines
}

// said waits for a line that a pattern matches.
func said(t *testing.T, lines <-chan string, pattern string) {
	t.Helper()
	re := regexp.MustCompile(pattern)
	limit := time.After(process.Patience)
	var before []string
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				t.Fatalf("it ended and did not say %s, but\n%s", pattern, strings.Join(before, "\n"))
			}
			if before = append(before, line); re.MatchString(line) {
				return
			}
		case <-limit:
			t.Fatalf("it does not say %s, but\n%s", pattern, strings.Join(before, "\n"))
		}
	}
}

// At every save the rule is swapped in a running venue, with the visitor in it; what does not compile, or a host refuses,
// changes nothing.
func TestDevSwapsAtEverySave(t *testing.T) {
	for _, l := range []struct{ lang, source, good, bad string }{
		{"c", "rule.c", "VENUED_USE)", "VENUED_USEE)"},
		{"assemblyscript", "rule.ts", "EVENT_USE)", "EVENT_USEE)"},
	} {
		t.Run(l.lang, func(t *testing.T) {
			f := folder{t, t.TempDir()}
			s := f.start(l.lang, "")
			ann := visit(t, s, s.URL, "ann", client.LaneWS)
			use := func(text string) {
				t.Helper()
				for range 2 { // it may be on or off
					if out := ann.use("lamp"); !out.OK {
						t.Fatalf("use: %+v", out)
					}
				}
				ann.told(text)
			}
			lines := f.background("dev", "lamp")
			said(t, lines, `^watching .*lamp for `+s.URL)
			said(t, lines, `^lamp: 0\.1\.0-dev\.\d+ runs in 1 region \(\d+ ms\)$`)
			use("It is on.")
			source := filepath.Join("lamp", l.source)
			f.replace(source, "It is on.", "Let there be light.")
			said(t, lines, `^lamp: 0\.1\.0-dev\.\d+ runs in 1 region`)
			use("Let there be light.")
			f.replace(source, l.good, l.bad)
			said(t, lines, `^lamp: what runs is as it was: `)
			use("Let there be light.")
			f.replace(source, l.bad, l.good)
			said(t, lines, `^lamp: 0\.1\.0-dev\.\d+ runs in 1 region`)
			// More than it might do before: that is said.
			f.replace(filepath.Join("lamp", "manifest.json"), `"emit"]`, `"emit", "teleport"]`)
			said(t, lines, `new, and granted: .*teleport`)
			said(t, lines, `^lamp: 0\.1\.0-dev\.\d+ runs in 1 region`)
			use("Let there be light.")
			if out := f.good("rule", "versions", "lamp"); strings.Count(out, "-dev.") > 4 {
				t.Errorf("what nothing runs any more is not deleted:\n%s", out)
			}
		})
	}
}

// Two designers with keys of their own, and what a host refuses them.
func TestUploadsThatAreRefused(t *testing.T) {
	f := folder{t, t.TempDir()}
	public := func(name string) string {
		out := f.good("rule", "keygen", name+".key")
		return regexp.MustCompile(`public_key = "([^"]+)"`).FindStringSubmatch(out)[1]
	}
	for name, token := range map[string]string{"ann.token": "a-token-of-ann-0123456789", "bob.token": "b-token-of-bob-0123456789", "no.token": "n-token-of-nobody-0123456"} {
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := f.start("c", `
[[rules.keys]]
name = "ann"
public_key = "`+public("ann")+`"
token_file = "ann.token"
rules = ["lamp", "mine"]
activate = true
[[rules.keys]]
name = "bob"
public_key = "`+public("bob")+`"
token_file = "bob.token"
rules = ["lamp"]
`)
	_ = public("eve")
	as := func(who string, args ...string) []string {
		return append(args, "--to", s.URL, "--token-file", who+".token")
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if out, code := f.run(append([]string{"rule"}, args...)...); code == 0 || !strings.Contains(out, want) {
			t.Errorf("venued rule %s ends with %d, want %q:\n%s", strings.Join(args, " "), code, want, out)
		}
	}
	version := func(from, to string) {
		t.Helper()
		f.replace("lamp/manifest.json", from, to)
		f.good("rule", "build", "lamp")
	}
	const plugin = "lamp/lamp.wasm"

	// Ann's key signs, whoever carries it.
	f.good("rule", "sign", plugin, "--key", "ann.key")
	f.good(append([]string{"rule"}, as("ann", "upload", plugin)...)...)
	if out := f.good("rule", "versions", "lamp"); !regexp.MustCompile(`0\.1\.0 +[0-9a-f]{12} .* ann +[0-9a-f]{16} +-`).MatchString(out) {
		t.Errorf("versions:\n%s", out)
	}
	version("0.1.0", "0.2.0")
	refused("is not one of key", as("ann", "upload", plugin)...) // the signature is of the build before
	f.good(append([]string{"rule"}, as("ann", "upload", plugin, "--key", "ann.key", "--activate")...)...)

	// The name is hers now.
	version("0.2.0", "0.3.0")
	if err := os.Remove(filepath.Join(f.dir, plugin+".sig")); err != nil {
		t.Fatal(err)
	}
	refused("lamp belongs to ann", as("bob", "upload", plugin)...)
	refused("lamp belongs to ann", "upload", plugin) // the admin, too
	refused("is signed by ann, the token is bob's", as("bob", "upload", plugin, "--key", "ann.key")...)
	refused("that signed the module is not one of the configuration's", as("ann", "upload", plugin, "--key", "eve.key")...)
	refused("bob", as("bob", "rollback", "lamp")...)
	refused("token", as("no", "list")...)
	refused("no-such.token", as("no-such", "list")...)

	// A version is one module for ever, and a name is a name.
	f.replace("lamp/rule.c", "It is on.", "On it is.")
	version("0.3.0", "0.2.0")
	refused("0.2.0", as("ann", "upload", plugin)...)
	for _, name := range []string{"../lamp", "lamp/../../x", "LAMP", "a b", strings.Repeat("x", 40)} {
		refused(strconv.Quote(name)+" is no name of a rule", as("ann", "upload", plugin, "--name", name)...)
	}
	f.good("rule", "new", "--lang", "c", "stranger")
	refused(`has no rule stranger: name it in its file, with [[rule]] plugin = "stranger.wasm", and start it again`, "dev", "stranger")
	refused(`may not touch "other"`, as("ann", "upload", plugin, "--name", "other")...)

	// What is no plugin.
	wasm, err := os.ReadFile(filepath.Join(f.dir, plugin))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"text.wasm": []byte("text"), "cut.wasm": wasm[:len(wasm)/2], "empty.wasm": nil, "large.wasm": make([]byte, 9<<20)} {
		if err := os.WriteFile(filepath.Join(f.dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
		refused(name, as("ann", "upload", name)...)
		if name != "large.wasm" {
			refused("the module is refused: ", as("ann", "upload", name, "--name", "mine")...)
		}
	}
	refused("has no such version", as("ann", "activate", "lamp", "9.9.9")...)
	refused("nowhere", as("ann", "activate", "lamp", "0.2.0", "--regions", "nowhere")...)
	refused("nosuch", as("ann", "versions", "nosuch")...)

	// Its log goes on as things happen.
	logs := f.background(as("ann", "logs", "-f", "lamp")...)
	said(t, logs, "action=activate.*version=0.2.0")
	f.good(append([]string{"rule"}, as("ann", "activate", "lamp", "0.1.0")...)...)
	said(t, logs, "action=activate.*version=0.1.0")
	f.good(append([]string{"rule"}, as("ann", "rollback", "lamp")...)...)

	// Nothing of all that has changed what runs.
	if out := f.good("rule", "list"); !strings.Contains(out, "lamp 0.2.0") || strings.Contains(out, "quarantine") {
		t.Errorf("list:\n%s", out)
	}
	ann := visit(t, s, s.URL, "ann", client.LaneWS)
	if out := ann.use("lamp"); !out.OK {
		t.Fatalf("use: %+v", out)
	}
	ann.told("It is on.")
}
