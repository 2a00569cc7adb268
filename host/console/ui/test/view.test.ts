import { describe, expect, it } from "vitest";
import { fit, pan, toGround, toScreen, zoom } from "../src/view.ts";

const size = { width: 800, height: 600 };

describe("view", () => {
  it("fits a floor with its margin", () => {
    const v = fit([0, 0], [40, 30], size, 20);
    expect(v.scale).toBeCloseTo(560 / 30, 9);
    expect(toScreen(v, size, 20, 15)).toEqual([400, 300]);
    const [x, y] = toScreen(v, size, 0, 0);
    expect(x).toBeGreaterThanOrEqual(20);
    expect(y).toBeCloseTo(20, 9);
  });

  it("bears floors and windows without a size", () => {
    expect(fit([1, 1], [1, 1], { width: 0, height: 0 }).scale).toBeGreaterThan(0);
  });

  it("finds the ground under a pixel", () => {
    const v = { x: 3, z: -2, scale: 17 };
    const [px, py] = toScreen(v, size, 5.5, 1.25);
    const [x, z] = toGround(v, size, px, py);
    expect(x).toBeCloseTo(5.5, 9);
    expect(z).toBeCloseTo(1.25, 9);
  });

  it("zooms about the pointer, within bounds", () => {
    let v = fit([0, 0], [40, 30], size);
    const before = toGround(v, size, 120, 500);
    v = zoom(v, size, 1.7, 120, 500);
    toGround(v, size, 120, 500).forEach((m, i) => expect(m).toBeCloseTo(before[i]!, 9));
    for (let i = 0; i < 100; i++) v = zoom(v, size, 2, 400, 300);
    expect(v.scale).toBe(400);
    for (let i = 0; i < 100; i++) v = zoom(v, size, 0.5, 400, 300);
    expect(v.scale).toBe(0.5);
  });

  it("pans with the pointer", () => {
    const v = pan({ x: 0, z: 0, scale: 10 }, 50, -20);
    expect(v).toEqual({ x: -5, z: 2, scale: 10 });
  });
});
