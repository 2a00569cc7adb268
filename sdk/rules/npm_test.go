package kits_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/venued/venued/abi"
	"github.com/venued/venued/sdk/rules/project"
)

// write writes files of a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// installed packs the AssemblyScript kit as npm would publish it and installs that into a new folder, with the compiler beside it; nothing
// is fetched.
func installed(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	pack := exec.Command("npm", "pack", "--json", "--pack-destination", dir)
	pack.Dir = "assemblyscript"
	out, err := pack.Output()
	var packed []struct {
		Filename string
		Files    []struct{ Path string }
	}
	if err == nil {
		err = json.Unmarshal(out, &packed)
	}
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack: %v\n%s", err, out)
	}
	for _, f := range packed[0].Files {
		if strings.HasPrefix(f.Path, "examples/") || strings.HasPrefix(f.Path, "testdata/") {
			t.Errorf("the package has %s in it", f.Path)
		}
	}
	write(t, dir, map[string]string{"package.json": `{"name":"rule-bell","private":true}`})
	run(t, dir, "npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", "--legacy-peer-deps", "./"+packed[0].Filename)
	for _, name := range []string{"assemblyscript", "binaryen", "long"} {
		from, err := filepath.Abs("assemblyscript/node_modules/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(from, filepath.Join(dir, "node_modules", name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	bell = `import { handle, Batch, Commands, Event, Init, EVENT_USE } from "@venued/rules";
import { fail } from "@venued/rules/assembly/abort";
import * as kv from "@venued/rules/assembly/kv";
import { migrating } from "@venued/rules/assembly/migrate";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "@venued/rules";
export { venued_migrate } from "@venued/rules/assembly/migrate";

function rung(n: u32, e: Event, out: Commands): void {
  if (e.value > 9) fail("rung too often");
  assert(e.hand < 2, "a hand is left or right");
  out.accept(n);
}

handle(
  (settings: Init): i32 => 0,
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_USE) rung(i + 1, e, out);
    }
  },
);
migrating((from: i32): i32 => kv.addInt(4, 0, "n", from));
`
	bellManifest = `{"name":"bell","version":"1.0.0","abi":1,"events":["use"],"commands":["accept"],"schema":2}`
	bellProject  = `name = "bell"
lang = "assemblyscript"
source = "rule.ts"
manifest = "manifest.json"
kit = "node_modules/@venued/rules/assembly"
output = "bell.wasm"
`
	bellTSConfig = `{ "extends": "@venued/rules/tsconfig.json", "include": ["*.ts"] }`
)

// Rules can be written with the kit as an npm package, in a folder that knows nothing else of this project.
func TestPackedKitBuilds(t *testing.T) {
	dir := installed(t)
	write(t, dir, map[string]string{"rule.ts": bell, "manifest.json": bellManifest, project.FileName: bellProject})
	rings := func(wasm []byte) {
		t.Helper()
		in := instance(t, load(t, wasm, 2), nil)
		use := func(e abi.Event) ([]byte, error) {
			b := abi.NewBatch()
			b.Reset(nil, abi.Header{Tick: 1})
			e.Kind, e.Subject, e.Object = abi.EventUse, 9, 5
			b.Event(&e)
			return in.Call(b.Finish(), state{})
		}
		out, err := use(abi.Event{})
		if err != nil {
			t.Fatal(err)
		}
		if cmds, err := abi.DecodeCommands(out, 1, nil); err != nil || len(cmds) != 1 || cmds[0].Kind != abi.CmdAccept || cmds[0].Event != 1 {
			t.Errorf("commands %+v, %v", cmds, err)
		}
		if _, err := use(abi.Event{Value: 10}); err == nil || !strings.Contains(err.Error(), "rung too often") {
			t.Errorf("a failure: %v", err)
		}
		if _, err := use(abi.Event{Hand: 2}); err == nil || !strings.Contains(err.Error(), "a hand is left or right (rule.ts:10)") {
			t.Errorf("an assertion: %v", err)
		}
		kv := state{}
		if err := in.Migrate(1, kv); err != nil || kv[name(abi.ScopeRegion, 0, "n")] != number(1) {
			t.Errorf("migrating: %v, state %q", err, kv)
		}
	}

	// As the package's README says, by hand.
	module := filepath.Join(dir, "by-hand.wasm")
	run(t, dir, "node", "node_modules/assemblyscript/bin/asc.js", "rule.ts", "-O3", "--exportStart", "_initialize",
		"--use", "abort=~lib/@venued/rules/assembly/abort/abort", "--outFile", module)
	wasm, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	rings(wasm)

	// As a project.
	p, err := project.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	wasm, err = (&project.Builder{Out: &said}).Build(context.Background(), p)
	if err != nil || said.Len() > 0 {
		t.Fatalf("%v\n%s", err, said.String())
	}
	rings(wasm)
}

// An editor finds the package's types: what is right has no complaint, what is wrong has one where it stands.
func TestPackedKitHasTypes(t *testing.T) {
	dir := installed(t)
	tsc, err := filepath.Abs("assemblyscript/node_modules/typescript/bin/tsc")
	if err != nil {
		t.Fatal(err)
	}
	check := func(source string) (complaints []string) {
		t.Helper()
		write(t, dir, map[string]string{"rule.ts": source, "tsconfig.json": bellTSConfig})
		cmd := exec.Command("node", tsc, "--noEmit", "--pretty", "false", "-p", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			// The compiler's own declarations are not ours to correct.
			if !strings.Contains(line, "/assemblyscript/std/") {
				complaints = append(complaints, strings.TrimSpace(line))
			}
		}
		return complaints
	}
	if said := check(bell); len(said) > 0 {
		t.Errorf("of a good rule:\n%s", strings.Join(said, "\n"))
	}
	for old, bad := range map[string]string{
		"out.accept(n)":                 "out.acept(n)",
		"fail(\"rung too often\")":      "fail(7)",
		`"@venued/rules/assembly/kv"`:   `"@venued/rules/assembly/vk"`,
		"e: Event, out: Commands):":     "e: Evnt, out: Commands):",
		"(from: i32): i32 => kv.addInt": "(from: i32): string => kv.addInt",
	} {
		if said := check(strings.Replace(bell, old, bad, 1)); len(said) == 0 || !strings.HasPrefix(said[0], "rule.ts(") {
			t.Errorf("%s: %q", bad, said)
		}
	}
}
