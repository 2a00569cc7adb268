package dev_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/dev"
	"github.com/venued/venued/sdk/rules/project"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// lines passes on what a loop says, line by line.
type lines struct {
	mu   sync.Mutex
	rest []byte
	ch   chan string
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte{'\n'})
		if !ok {
			return len(b), nil
		}
		l.rest = rest
		l.ch <- string(line)
	}
}

// A loop builds at once, at every change of what a rule is made of, and at no other; a failure changes nothing.
func TestLoop(t *testing.T) {
	p, err := project.New(filepath.Join(t.TempDir(), "lamp"), "lamp", "c")
	if err != nil {
		t.Fatal(err)
	}
	said := &lines{ch: make(chan string, 100)}
	swapped := make(chan []byte, 100)
	var compilers bytes.Buffer
	refuse := errors.New("the venue does not take it")
	var refusing bool
	l := &dev.Loop{
		Project: p, Builder: &project.Builder{Out: &compilers}, Out: said,
		Check: func(_ context.Context, wasm []byte) error {
			if bytes.Contains(wasm, []byte("unchecked")) {
				return errors.New("it is unchecked")
			}
			return nil
		},
		Swap: func(_ context.Context, wasm []byte) (string, error) {
			if refusing {
				return "", refuse
			}
			swapped <- wasm
			return "swapped", nil
		},
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx) }()
	expect := func(parts ...string) {
		t.Helper()
		line := <-said.ch
		for _, part := range parts {
			if !strings.Contains(line, part) {
				t.Fatalf("it said %q, want %q\n%s", line, parts, compilers.Bytes())
			}
		}
	}
	save := func(file string, b []byte) { // as one change, however loaded the machine is
		t.Helper()
		tmp := filepath.Join(t.TempDir(), "file")
		if err := errors.Join(os.WriteFile(tmp, b, 0o666), os.Rename(tmp, file)); err != nil {
			t.Fatal(err)
		}
	}
	edit := func(file, old, new string) {
		t.Helper()
		b, err := os.ReadFile(p.Path(file))
		if err != nil || !bytes.Contains(b, []byte(old)) {
			t.Fatalf("%v, %s", err, b)
		}
		save(p.Path(file), bytes.ReplaceAll(b, []byte(old), []byte(new)))
	}
	expect("lamp: swapped (")
	<-swapped
	edit("rule.c", "It is on.", "Light!")
	expect("swapped")
	if wasm := <-swapped; !bytes.Contains(wasm, []byte("Light!")) {
		t.Error("what was swapped in is not what was changed")
	}
	edit("rule.c", "Light!", "unchecked")
	expect("what runs is as it was: it is unchecked")
	edit("rule.c", "VENUED_USE", "VENUED_USEE")
	expect("what runs is as it was: ", "clang", "refuses the rule")
	edit("rule.c", "VENUED_USEE", "VENUED_USE")
	expect("it is unchecked")
	edit("manifest.json", `"use"`, `"use","us"`)
	expect("what runs is as it was: ", "manifest.json", `did you mean "use"?`)
	edit("manifest.json", `"use","us"`, `"use"`)
	expect("it is unchecked")
	refusing = true
	edit("rule.c", "unchecked", "checked")
	expect("what runs is as it was: the venue does not take it")
	refusing = false

	// A folder that is new is watched as well; what no rule is made of is not.
	save(p.Path("notes.wasm"), nil)
	if err := os.Mkdir(p.Path("more"), 0o777); err != nil {
		t.Fatal(err)
	}
	expect("swapped")
	<-swapped
	save(p.Path("more/text.h"), []byte(`#define ON "More light!"`))
	expect("swapped")
	<-swapped
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if len(said.ch) > 0 || len(swapped) > 0 {
		t.Errorf("it said more than was changed: %q", <-said.ch)
	}
}

func TestStamp(t *testing.T) {
	manifest := []byte(`{"name":"x","version":"1.2.3-beta+7","abi":1,"events":["use"],"commands":[],"schema":0}`)
	wasm, err := abi.Pack([]byte(abi.ModuleHeader), manifest, false)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]string{1: "1.2.3-dev.1", 1796078947668: "1.2.3-dev.1796078947668"} {
		stamped, err := dev.Stamp(wasm, n)
		if err != nil {
			t.Fatal(err)
		}
		b, err := abi.CustomSection(stamped, abi.ManifestSection)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := abi.ParseManifest(b); err != nil || m.Version != want || m.Name != "x" || len(m.Events) != 1 {
			t.Errorf("%s, %v", b, err)
		}
	}
	for _, bad := range [][]byte{nil, []byte("text"), []byte(abi.ModuleHeader)} {
		if _, err := dev.Stamp(bad, 1); err == nil {
			t.Errorf("stamped %q", bad)
		}
	}
}
