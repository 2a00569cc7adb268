import { describe, expect, it } from 'vitest';
import { floorAt, readVenue } from '../src/venue.ts';
import { hall } from './hall.ts';

describe('a description', () => {
  it('has lists where the host has none', () => {
    expect(hall().zones).toEqual([]);
  });
  it('is refused when it is something else', () => {
    for (const odd of [null, 'x', {}, { floors: [] }]) expect(() => readVenue(odd)).toThrow('description');
    expect(() => readVenue({ floors: [], limits: {} })).toThrow('no floor');
  });
});

describe('the floor of a point', () => {
  const venue = { ...hall(), floors: [
    { name: 'ground', min: [0, 0], max: [20, 10], y: 0, height: 4 } as const,
    { name: 'loft', min: [0, 0], max: [5, 10], y: 4, height: 3 } as const,
  ] };
  it('is the highest below it', () => {
    expect(floorAt(venue, [2, 5.6, 2]).name).toBe('loft');
    expect(floorAt(venue, [2, 1.6, 2]).name).toBe('ground');
    expect(floorAt(venue, [9, 5.6, 2]).name).toBe('ground');
    expect(floorAt(venue, [-50, -3, 0]).name).toBe('ground');
  });
});
