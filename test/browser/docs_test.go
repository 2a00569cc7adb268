package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/venued/venued"
	"github.com/venued/venued/test/process"
)

// block is a fenced block of a page: a language and, after it, a file's name; "name+" adds to that file.
var block = regexp.MustCompile("(?ms)^```(\\w+) ?(\\S*)\n(.*?)^```$")

// follow does what a page of the documentation says, in a folder: blocks with a file's name
// are written, those of the language "sh" are run, in their order.
func follow(t *testing.T, page, dir string) {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(process.Binary(t), filepath.Join(bin, "venued")); err != nil {
		t.Fatal(err)
	}
	blocks := block.FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatalf("docs/%s has nothing to follow", page)
	}
	for _, b := range blocks {
		switch language, name, body := b[1], b[2], b[3]; {
		case language == "sh":
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", body)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "VENUED="+root)
			out, err := cmd.CombinedOutput()
			cancel()
			if err != nil {
				t.Fatalf("docs/%s says\n%s\nwhich gives: %v\n%s", page, body, err, out)
			}
		case strings.HasSuffix(name, "+"):
			add(t, filepath.Join(dir, strings.TrimSuffix(name, "+")), os.O_APPEND, "\n"+body)
		case name != "":
			add(t, filepath.Join(dir, name), os.O_TRUNC, body)
		}
	}
}

// add writes to a file, in the mode given.
func add(t *testing.T, path string, mode int, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, mode|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString(body)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The page for designers works as written: its lamp goes on for who uses it, its rule is replaced under a visitor, its cup can
// be taken, its door opens.
func TestPageForDesigners(t *testing.T) {
	dir := t.TempDir()
	follow(t, "designers.md", dir)
	s := newStage(t, filepath.Join(dir, "room.toml"))
	s.acts = map[string]func() error{"another version": func() error {
		for file, words := range map[string][2]string{"main.go": {"The lamp is on.", "Let there be light."}, "manifest.json": {`"0.1.0"`, `"0.2.0"`}} {
			file = filepath.Join(dir, "lamp", file)
			b, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(b), words[0], words[1], 1)), 0o666); err != nil {
				return err
			}
		}
		for _, args := range [][]string{
			{"rule", "build", filepath.Join(dir, "lamp")},
			{"rule", "upload", filepath.Join(dir, "lamp", "lamp.wasm"), "--activate", "--data", s.server.Data},
		} {
			if out, err := exec.Command(process.Binary(t), args...).CombinedOutput(); err != nil {
				return fmt.Errorf("venued %s: %w\n%s", strings.Join(args, " "), err, out)
			}
		}
		return nil
	}}
	s.run("designers")
}

// The page for developers of clients works as written: its client comes in from another origin, and is seen to walk.
func TestPageForClients(t *testing.T) {
	// Inside the project, so that its Go packages are found; "..." of the go command passes over names that begin so.
	dir, err := os.MkdirTemp(filepath.Dir(artifacts(t)), "_docs-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	follow(t, "clients.md", dir)
	pages := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(pages.Close)
	config := strings.Replace(string(venued.Example), "\n[server]\n", fmt.Sprintf("\n[server]\norigins = [%q]\n", pages.URL), 1)
	path := filepath.Join(dir, "my.toml")
	if err := os.WriteFile(path, []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VENUED_PAGES", pages.URL)
	newStage(t, path).run("clients")
}
