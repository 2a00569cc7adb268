package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	client "github.com/venued/venued/sdk/go"
)

// countingLamp is a rule in AssemblyScript that says how often something was used; it counts under a key.
const countingLamp = `
import { Batch, Commands, Init, Text, handle, EVENT_USE, SCOPE_REGION, TO_NEAR } from "./kit/index";
import * as kv from "./kit/kv";
import { log } from "./kit/abort";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "./kit/index";

const KEY = "uses";
const TEXT_AT: usize = memory.data(128);

handle(
  (settings: Init): i32 => 0,
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind != EVENT_USE) continue;
      assert(kv.addInt(SCOPE_REGION, 0, KEY, 1) == 0, "the number is kept");
      out.accept(i + 1);
      const text = Text.over(TEXT_AT, 128).ascii('lamp\0{"text":"').number(kv.int(SCOPE_REGION, 0, KEY, 0));
      out.emit(i + 1, TO_NEAR, e.object, text.ascii(' uses"}'));
    }
  },
);
`

// takeOver is what schema 1 adds: it counts in tenths, under another key.
const takeOver = `
import { migrating } from "./kit/migrate";
export { venued_migrate } from "./kit/migrate";

migrating((from: i32): i32 => {
  if (from != 0) return 1;
  if (kv.putInt(SCOPE_REGION, 0, KEY, 10 * kv.int(SCOPE_REGION, 0, "uses", 0)) < 0) return 2;
  return kv.del(SCOPE_REGION, 0, "uses");
});
`

// The layout of a rule's state changes while people use it: versions that cannot take the old state over change nothing and say why; the
// one that can goes on with it, and the state goes back with the rule.
func TestSchemaChangesUnderPeople(t *testing.T) {
	f := folder{t, t.TempDir()}
	s := f.start("assemblyscript", "")
	ann := visit(t, s, s.URL, "ann", client.LaneWS)
	use := func(text string) {
		t.Helper()
		if out := ann.use("lamp"); !out.OK {
			t.Fatalf("use: %+v", out)
		}
		ann.told(text)
	}
	build := func(version, schema, source string) {
		t.Helper()
		manifest := `{"name":"lamp","version":"` + version + `","abi":1,"events":["use"],"commands":["accept","set_state","emit"],"schema":` + schema + `}`
		for name, text := range map[string]string{"manifest.json": manifest, "rule.ts": source} {
			if err := os.WriteFile(filepath.Join(f.dir, "lamp", name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		f.good("rule", "build", "lamp")
	}
	activate := []string{"rule", "upload", "lamp/lamp.wasm", "--activate", "--approve"}
	refused := func(want string) {
		t.Helper()
		if out, code := f.run(activate...); code != 1 || !strings.Contains(out, want) {
			t.Fatalf("it ends with %d, want %q\n%s", code, want, out)
		}
	}
	build("1.0.0", "0", countingLamp)
	f.good(activate...)
	use("1 uses")
	use("2 uses")

	tenths := strings.Replace(countingLamp, `KEY = "uses"`, `KEY = "tenths"`, 1)
	build("2.0.0", "1", tenths)
	refused(`it does not export "venued_migrate"`)
	use("3 uses")
	build("2.0.1", "1", tenths+strings.Replace(takeOver, "return kv.del", `log("the number is odd");`+"\n  return 5 + kv.del", 1))
	refused("venued_migrate(0) refused with 5: it cannot turn state of schema 0 into schema 1: the number is odd")
	use("4 uses")
	build("2.0.2", "1", tenths+strings.Replace(takeOver, "return kv.del", `assert(kv.int(SCOPE_REGION, 0, "uses", 0) > 99, "used often");`+"\n  return kv.del", 1))
	refused("used often (rule.ts:")
	use("5 uses")

	build("2.1.0", "1", tenths+takeOver)
	if out := f.good("rule", "check", "lamp/lamp.wasm"); !strings.Contains(out, "schema 1, migrates from older ones") {
		t.Errorf("check:\n%s", out)
	}
	f.good(activate...)
	use("51 uses")
	use("52 uses")
	// The region still watches the new one: it goes back to the old one and to what was kept for it.
	f.good("rule", "rollback", "lamp")
	use("6 uses")
}
