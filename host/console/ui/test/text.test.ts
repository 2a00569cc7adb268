import { describe, expect, it } from "vitest";
import { short } from "../src/draw.ts";
import { bytes, bytesPerSecond, clock, count, duration, micros, percent, personColor } from "../src/format.ts";
import { atLeast } from "../src/lists.ts";
import { mergeLines } from "../src/live.ts";
import { clicked, sorted } from "../src/sort.ts";
import type { LogLine } from "../src/types.ts";

describe("format", () => {
  it("writes numbers for people", () => {
    expect(bytes(999)).toBe("999 B");
    expect(bytes(1_885_541)).toBe("1.9 MB");
    expect(bytesPerSecond(0)).toBe("0 B/s");
    expect(bytesPerSecond(1234)).toBe("1.2 kB/s");
    expect(bytesPerSecond(45_678)).toBe("46 kB/s");
    expect(bytesPerSecond(2_500_000)).toBe("2.5 MB/s");
    expect(micros(12.4)).toBe("12 µs");
    expect(micros(1500)).toBe("1.5 ms");
    expect(micros(25_000)).toBe("25 ms");
    expect(micros(2_000_000)).toBe("2.0 s");
    expect(percent(0.034)).toBe("3.4 %");
    expect(percent(0)).toBe("0 %");
    expect(count(1234567)).toBe("1\u202f234\u202f567");
  });

  it("writes durations in two units at most", () => {
    expect(duration(0)).toBe("0 s");
    expect(duration(59_000)).toBe("59 s");
    expect(duration(61_000)).toBe("1 min 1 s");
    expect(duration(3_600_000)).toBe("1 h");
    expect(duration(90_061_000)).toBe("1 d 1 h");
    expect(duration(-5)).toBe("0 s");
  });

  it("writes the time of day with or without seconds", () => {
    const at = new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000;
    expect(clock(at)).toBe("03:04:05");
    expect(clock(at, false)).toBe("03:04");
  });

  it("gives a person one colour for ever", () => {
    expect(personColor("ada")).toBe(personColor("ada"));
    expect(personColor("ada")).not.toBe(personColor("ben"));
    expect(personColor("Zoë 🎩")).toMatch(/^hsl\(\d+ 65% 52%\)$/);
  });

  it("cuts names between letters", () => {
    expect(short("Ada")).toBe("Ada");
    expect(short("👩‍🚀".repeat(20)).endsWith("…")).toBe(true);
  });
});

describe("tables", () => {
  it("sort as people count, and keep equals in order", () => {
    const rows = ["bot-10", "bot-9", "Ada"];
    expect(sorted(rows, (r) => r, false)).toEqual(["Ada", "bot-9", "bot-10"]);
    expect(sorted(rows, (r) => r, true)).toEqual(["bot-10", "bot-9", "Ada"]);
    expect(sorted([{ k: 1, n: "a" }, { k: 1, n: "b" }], (r) => r.k, true).map((r) => r.n)).toEqual(["a", "b"]);
    expect(sorted([true, false], (r) => r, false)).toEqual([false, true]);
  });

  it("turn round at a second click", () => {
    expect(clicked({ column: 1, down: false }, 1)).toEqual({ column: 1, down: true });
    expect(clicked({ column: 1, down: true }, 2)).toEqual({ column: 2, down: false });
  });
});

const line = (n: number, time = "2030-01-01T00:00:00Z", level = "INFO"): LogLine => ({ n, time, level, message: "m", fields: "" });

describe("log", () => {
  it("takes each line once, in order", () => {
    expect(mergeLines([line(1), line(2)], [line(2), line(3)]).map((l) => l.n)).toEqual([1, 2, 3]);
  });

  it("begins anew with a server that was restarted", () => {
    expect(mergeLines([line(7)], [line(1, "2030-01-01T00:00:09Z"), line(2, "2030-01-01T00:00:10Z")]).map((l) => l.n)).toEqual([1, 2]);
  });

  it("filters by level", () => {
    expect(atLeast(line(1, "", "WARN"), "INFO")).toBe(true);
    expect(atLeast(line(1, "", "INFO+2"), "WARN")).toBe(false);
    expect(atLeast(line(1, "", "ERROR"), "ERROR")).toBe(true);
  });
});
