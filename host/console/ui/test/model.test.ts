import { describe, expect, it } from "vitest";
import { FloorModel, GLIDE_MS, placeAt, turn } from "../src/model.ts";
import type { Thing } from "../src/types.ts";

const person = (id: string, x: number, z: number, more: Partial<Thing> = {}): Thing =>
  ({ id, kind: "person", name: `<b>${id}</b>`, user: id, region: "ground", floor: "ground", p: [x, 1.6, z], yaw: 0, ...more });

describe("turn", () => {
  it("takes the short way round", () => {
    expect(turn(3, -3)).toBeCloseTo(2 * Math.PI - 6, 9);
    expect(turn(-3, 3)).toBeCloseTo(6 - 2 * Math.PI, 9);
    expect(turn(0.2, 0.5)).toBeCloseTo(0.3, 9);
  });
});

describe("FloorModel", () => {
  it("walks from place to place in the time between two changes", () => {
    const m = new FloorModel();
    m.set({ things: [person("1", 0, 0)] }, 1000);
    m.change({ changed: [], moved: [{ id: "1", p: [1, 1.6, 2], yaw: 1 }], gone: [] }, 2000);
    const s = m.things.get("1")!;
    expect(placeAt(s, 2000)).toEqual({ x: 0, z: 0, yaw: 0 });
    expect(placeAt(s, 2000 + GLIDE_MS / 2)).toEqual({ x: 0.5, z: 1, yaw: 0.5 });
    expect(placeAt(s, 9000)).toEqual({ x: 1, z: 2, yaw: 1 });
    expect(m.lively(2001)).toBe(true);
    expect(m.lively(9000)).toBe(false);
  });

  it("goes on from where a thing is shown when it turns on its way", () => {
    const m = new FloorModel();
    m.set({ things: [person("1", 0, 0)] }, 0);
    m.change({ changed: [], moved: [{ id: "1", p: [1, 0, 0], yaw: 0 }], gone: [] }, 1000);
    m.change({ changed: [], moved: [{ id: "1", p: [0, 0, 0], yaw: 0 }], gone: [] }, 1000 + GLIDE_MS / 2);
    expect(placeAt(m.things.get("1")!, 1000 + GLIDE_MS / 2).x).toBeCloseTo(0.5, 9);
  });

  it("jumps where somebody was teleported", () => {
    const m = new FloorModel();
    m.set({ things: [person("1", 0, 0)] }, 0);
    m.change({ changed: [person("1", 20, 0)], moved: [], gone: [] }, 1000);
    expect(placeAt(m.things.get("1")!, 1000).x).toBe(20);
  });

  it("knows who is there and what they hold", () => {
    const m = new FloorModel();
    m.set({ things: [person("1", 0, 0), { ...person("2", 1, 0), kind: "object", holder: "1", hand: "left" }] }, 0);
    expect(m.people()).toBe(1);
    expect(m.heldBy("1").map((t) => t.id)).toEqual(["2"]);
    m.change({ changed: [], moved: [{ id: "7", p: [0, 0, 0], yaw: 0 }], gone: ["1", "9"] }, 1);
    expect([...m.things.keys()]).toEqual(["2"]);
    m.set({ things: [] }, 2);
    expect(m.things.size).toBe(0);
  });
});
