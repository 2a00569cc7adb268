import { describe, expect, it } from 'vitest';
import { FrameTimes, nextRatio, RATIO_LEAST } from '../src/ratio.ts';

describe('the picture', () => {
  it('gets coarser when frames come late, down to a limit', () => {
    let r = 2;
    for (let i = 0; i < 30; i++) r = nextRatio(r, 33, 2);
    expect(r).toBe(RATIO_LEAST);
  });
  it('gets sharper again, up to the screen, and never beyond 2', () => {
    let r = RATIO_LEAST;
    for (let i = 0; i < 60; i++) r = nextRatio(r, 9, 3);
    expect(r).toBe(2);
    expect(nextRatio(2, 9, 1)).toBe(1);
  });
  it('stays while all is well', () => {
    expect(nextRatio(1.3, 16.7, 2)).toBe(1.3);
  });
});

describe('frame times', () => {
  it('give rate and quantiles of the newest', () => {
    const t = new FrameTimes();
    expect([t.fps(), t.quantile(0.5)]).toEqual([0, 0]);
    for (let i = 0; i < 400; i++) t.add(i < 390 ? 10 : 20);
    expect(t.count).toBe(300);
    expect(t.quantile(0.5)).toBe(10);
    expect(t.quantile(0.99)).toBe(20);
    expect(t.fps(10)).toBe(50);
    t.clear();
    expect(t.count).toBe(0);
  });
});
