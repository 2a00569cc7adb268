import { describe, expect, it } from 'vitest';
import { joinSpans, wallHeight, wallsOf } from '../src/walls.ts';
import { hall } from './hall.ts';

const venue = hall();
const floor = venue.floors[0]!;
const walls = wallsOf(venue, floor);

describe('walls', () => {
  it('stand once where floor and rooms meet', () => {
    const south = walls.filter((w) => w.axis === 'x' && w.at === 10);
    expect(south).toEqual([{ axis: 'x', at: 10, from: 0, to: 20, bottom: 0, top: 3.6 }]);
  });

  it('leave an opening for a door, with a lintel over it', () => {
    const between = walls.filter((w) => w.axis === 'z' && w.at === 10);
    expect(between).toEqual([
      { axis: 'z', at: 10, from: 0, to: 4.2, bottom: 0, top: 3.6 },
      { axis: 'z', at: 10, from: 4.2, to: 5.8, bottom: 2.2, top: 3.6 },
      { axis: 'z', at: 10, from: 5.8, to: 10, bottom: 0, top: 3.6 },
    ]);
  });

  it('have no opening for a door that stands across them', () => {
    const across = { ...venue, doors: [{ ...venue.doors[0]!, yaw_deg: 0 }] };
    expect(wallsOf(across, floor).filter((w) => w.axis === 'z' && w.at === 10)).toHaveLength(1);
  });

  it('take doors beside one another and doors at a corner', () => {
    const door = venue.doors[0]!;
    const two = { ...venue, doors: [{ ...door, at: [10, 0, 0.5] as const }, { ...door, at: [10, 0, 2.5] as const }] };
    const solid = wallsOf(two, floor).filter((w) => w.axis === 'z' && w.at === 10 && w.bottom === 0);
    expect(solid.map((w) => [w.from, w.to])).toEqual([[1.3, 1.7], [3.3, 10]]);
  });

  it('are no higher than their floor', () => {
    expect(wallHeight({ ...floor, height: 2.5 })).toBe(2.5);
    expect(wallHeight({ ...floor, height: 50 })).toBe(3.6);
  });
});

describe('spans', () => {
  it('are joined where they touch or overlap', () => {
    expect(joinSpans([{ from: 5, to: 6 }, { from: 0, to: 2 }, { from: 2, to: 3 }, { from: 1, to: 2.5 }])).toEqual([
      { from: 0, to: 3 }, { from: 5, to: 6 },
    ]);
  });
});
