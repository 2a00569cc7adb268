import { describe, expect, it } from 'vitest';
import { Grounds, surfaceAt } from '../src/ground.ts';
import { BODY_RADIUS, doorBlocks, groundUnder, pushOut, type Stand, stride, walk } from '../src/move.ts';
import { WALL_THICKNESS } from '../src/walls.ts';
import { hall } from './hall.ts';

const venue = hall();
const grounds = new Grounds(venue);
const closed = grounds.at([5, 0, 8], () => 0);
const open = grounds.at([5, 0, 8], () => 1);
const gap = BODY_RADIUS + WALL_THICKNESS / 2;

function walked(from: [number, number], by: [number, number], ground = closed, seconds = 1): Stand {
  const s: Stand = { x: from[0], y: 0, z: from[1] };
  for (let i = 0; i < 60; i++) walk(s, by[0] / 60, by[1] / 60, seconds / 60, ground, 1.65);
  return s;
}

describe('walking', () => {
  it('goes as far as asked on open ground', () => {
    const s = walked([2, 8], [1, -0.5]);
    expect(s.x).toBeCloseTo(3);
    expect(s.z).toBeCloseTo(7.5);
  });

  it('ends at a wall and slides along it', () => {
    const s = walked([9, 8], [3, 1]);
    expect(s.x).toBeCloseTo(10 - gap, 3);
    expect(s.z).toBeCloseTo(9);
  });

  it('is stopped by a wall however far one step goes', () => {
    const s: Stand = { x: 9, y: 0, z: 8 };
    walk(s, 30, 0, 1, closed, 1.65);
    expect(s.x).toBeCloseTo(10 - gap, 3);
  });

  it('stays on the floor in a corner', () => {
    const s = walked([1, 1], [-5, -5]);
    expect(s.x).toBeGreaterThanOrEqual(BODY_RADIUS);
    expect(s.z).toBeGreaterThanOrEqual(BODY_RADIUS);
  });

  it('goes through an open door, and not through a closed one', () => {
    expect(walked([9, 5], [2, 0], open).x).toBeCloseTo(11);
    expect(walked([9, 5], [2, 0], closed).x).toBeLessThan(10);
  });

  it('goes under a lintel', () => {
    const low = { ...open, blocks: [{ x: 5, z: 8, halfX: 1, halfZ: 1, yaw: 0, bottom: 2.2, top: 3 }] };
    expect(walked([3, 8], [4, 0], low).x).toBeCloseTo(7);
  });

  it('goes around a table', () => {
    expect(walked([5, 7], [0, -2]).z).toBeCloseTo(5.5 + BODY_RADIUS, 3);
  });

  it('steps onto a stage, not faster than feet rise, and down again', () => {
    const up = walked([15, 5], [0, -2.5], closed, 2);
    expect(up.z).toBeCloseTo(2.5);
    expect(up.y).toBeCloseTo(0.4);
    const first: Stand = { x: 15, y: 0, z: 3.01 };
    walk(first, 0, -0.1, 0.1, closed, 1.65);
    expect(first.y).toBeCloseTo(0.22);
    expect(groundUnder(closed, 15, 5, 0.4)).toBe(0);
  });
});

describe('being inside a block', () => {
  it('is left by the nearest side, turned or not', () => {
    const b = { x: 0, z: 0, halfX: 2, halfZ: 0.5, yaw: 0, bottom: 0, top: 1 };
    expect(pushOut(b, 0.1, 0.2, 0.25)![1]).toBeCloseTo(0.55);
    const turned = pushOut({ ...b, yaw: Math.PI / 2 }, 0.2, 0, 0.25)!;
    expect(turned[0]).toBeCloseTo(0.55);
    expect(turned[1]).toBeCloseTo(0);
    expect(pushOut(b, 0, 0.75, 0.25)).toBeUndefined();
  });
});

describe('a stride', () => {
  it('is along the look, and no faster on a diagonal', () => {
    expect(stride(0, 1, 0, 2, 0.5)).toEqual([0, -1]);
    const [x, z] = stride(0, 1, Math.PI / 2, 2, 0.5);
    expect([x, z].map((v) => Math.round(v * 1e9) / 1e9 + 0)).toEqual([-1, 0]);
    expect(Math.hypot(...stride(1, 1, 0.7, 2, 0.5))).toBeCloseTo(1);
    expect(Math.hypot(...stride(0.3, 0, 0.7, 2, 0.5))).toBeCloseTo(0.3);
  });
});

describe('door leaves', () => {
  const door = venue.doors[0]!;
  it('close the opening, and part in the middle', () => {
    const shut = doorBlocks(door, 0);
    expect(shut.map((b) => [b.z, b.halfX]).sort()).toEqual([[4.6, 0.4], [5.4, 0.4]]);
    const half = doorBlocks(door, 0.5).sort((a, b) => a.z - b.z);
    expect(half[0]!.z + half[0]!.halfX).toBeCloseTo(4.6);
    expect(half[1]!.z - half[1]!.halfX).toBeCloseTo(5.4);
    expect(doorBlocks(door, 1)).toEqual([]);
  });
});

describe('a surface that is looked at', () => {
  it('is the top of a table before the ground', () => {
    const d = Math.hypot(1, 1);
    expect(surfaceAt(closed, [5, 1.9, 6], [0, -1 / d, -1 / d], 2)!.map((v) => +v.toFixed(3))).toEqual([5, 0.9, 5]);
  });
  it('is nothing above, or too far away', () => {
    expect(surfaceAt(closed, [5, 1.6, 8], [0, 0.5, -0.86], 5)).toBeUndefined();
    expect(surfaceAt(closed, [2, 1.6, 8], [0, -1, 0], 1.3)).toBeUndefined();
    expect(surfaceAt(closed, [2, 1.6, 8], [0, -1, 0], 2)).toEqual([2, 0, 8]);
  });
});
