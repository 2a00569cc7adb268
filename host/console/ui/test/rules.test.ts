import { describe, expect, it } from "vitest";
import { activateQuestion, previous, rollbackQuestion } from "../src/rules.ts";
import type { Rule, RuleVersion } from "../src/types.ts";

const version = (change: Partial<RuleVersion>): RuleVersion => ({
  version: "1.2.0", digest: "ab".repeat(32), plugin: "quiz", size_bytes: 1, uploaded: "", by: "admin", class: "small", schema: 0,
  events: [], commands: [], views: [], needs: [], regions: [], ...change,
});
const rule = (before?: string): Rule => ({
  rule: "quiz", region: "main", plugin: "quiz", version: "1", digest: "", source: "file", calls: 0, call_mean_us: 0, call_p99_us: 0, faults: 0, quarantined: false,
  ...(before ? { previous: before } : {}),
});

describe("rules", () => {
  it("names what rolling back runs", () => {
    expect(previous(rule(), [])).toBe("–");
    expect(previous(rule("file"), [])).toBe("the venue file's");
    expect(previous(rule("ab".repeat(32)), [version({})])).toBe("1.2.0");
    expect(previous(rule("cd".repeat(32)), [version({})])).toBe("cdcdcdcdcdcd");
  });

  it("approves only what was listed to the operator", () => {
    const plain = activateQuestion("quiz", version({}), "", () => undefined);
    expect(plain.body).toEqual({ digest: "ab".repeat(32) });
    const more = activateQuestion("quiz", version({ needs: ["command teleport"] }), "main", () => undefined);
    expect(more.body).toEqual({ digest: "ab".repeat(32), regions: ["main"], approve: true });
    expect(more.text).toContain("command teleport");
    expect(more.verb).toContain("Approve");
  });

  it("rolls one region back, or all", () => {
    expect(rollbackQuestion("quiz", "", () => undefined).body).toEqual({});
    expect(rollbackQuestion("a/b", "main", () => undefined)).toMatchObject({ path: "/rules/a%2Fb/rollback", body: { regions: ["main"] } });
  });
});
