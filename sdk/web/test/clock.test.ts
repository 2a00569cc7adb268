import { describe, expect, test } from 'vitest';
import { Clock } from '../src/clock.ts';

// A server whose clock is `offset` ahead and runs `skew` faster, behind a path that takes `out` there and `back` back.
function trip(clock: Clock, localUS: number, server: (us: number) => number, out: number, back: number): number {
  clock.sample(localUS, server(localUS + out), server(localUS + out + 50), localUS + out + 50 + back);
  return localUS + out + 50 + back;
}

describe('the clock', () => {
  test('takes a greeting until a round trip is known, and not after', () => {
    const c = new Clock();
    c.greet(1_000_000, 400);
    expect(c.now(500)).toBe(1_000_100);
    expect(c.rttUS).toBeNull();
    const at = trip(c, 1000, (us) => us + 999_000, 5000, 5000);
    expect(c.rttUS).toBe(10_000);
    expect(c.estimate(at)).toBeCloseTo(at + 999_000, 0);
    c.greet(5, 5);
    expect(c.estimate(at)).toBeCloseTo(at + 999_000, 0);
  });

  test('what it is asked before it knows anything holds nothing back', () => {
    const c = new Clock();
    expect(c.now(60_000_000)).toBe(60_000_000);
    c.greet(1_000_000, 60_000_000);
    expect(c.now(60_000_100)).toBe(1_000_100);
  });

  test('believes the shortest round trip: a slow way back does not move it', () => {
    const c = new Clock();
    const server = (us: number) => us + 7_000_000;
    let at = trip(c, 0, server, 10_000, 10_000);
    for (const delay of [80_000, 150_000, 40_000]) at = trip(c, at + 1000, server, 10_000, delay);
    expect(c.estimate(at) - server(at)).toBeCloseTo(0, 0);
  });

  test('an error is at most half of the best round trip', () => {
    const c = new Clock();
    const server = (us: number) => us - 123_456;
    let at = 0;
    for (const [out, back] of [[30_000, 90_000], [15_000, 25_000], [60_000, 10_000]] as const) at = trip(c, at + 5000, server, out, back);
    expect(Math.abs(c.estimate(at) - server(at))).toBeLessThanOrEqual(20_000);
  });

  test.each([100, -100])('follows a clock that is %i ppm off', (ppm) => {
    const c = new Clock();
    const server = (us: number) => 5e8 + us * (1 + ppm * 1e-6);
    let at = 0;
    for (let i = 0; i < 300; i++) at = trip(c, at + 2_000_000, server, 8_000 + (i % 7) * 3_000, 8_000 + (i % 5) * 4_000);
    // Ten minutes at 100 ppm are 60 ms; what is left is what the path does to a sample.
    expect(Math.abs(c.now(at) - server(at))).toBeLessThan(10_000);
  });

  test('time never runs back and small corrections are worked in slowly', () => {
    const c = new Clock();
    let at = 0;
    for (let i = 0; i < 5; i++) at = trip(c, at + 1000, (us) => us + 1_000_000, 20_000, 20_000);
    // The path becomes better: the offset was 30 ms too large.
    at = trip(c, at, (us) => us + 970_000, 100, 100);
    let last = c.now(at);
    let steps = 0;
    for (; Math.abs(c.now(at) - c.estimate(at)) > 100 && steps < 10_000; steps++) {
      at += 10_000;
      const now = c.now(at);
      const passed = now - last;
      expect(passed).toBeGreaterThanOrEqual(10_000 * 0.994);
      expect(passed).toBeLessThanOrEqual(10_000 * 1.006);
      last = now;
    }
    expect(steps).toBeLessThan(10_000);
  });

  test('a large jump forward is taken at once; after one backward time stands still', () => {
    const forward = new Clock();
    let at = 0;
    for (let i = 0; i < 5; i++) at = trip(forward, at + 1000, (us) => us, 5000, 5000);
    at = trip(forward, at, (us) => us + 10_000_000, 100, 100);
    expect(forward.now(at) - at).toBeCloseTo(10_000_000, -2);

    const back = new Clock();
    at = 0;
    for (let i = 0; i < 5; i++) at = trip(back, at + 1000, (us) => us + 10_000_000, 5000, 5000);
    const before = back.now(at);
    at = trip(back, at, (us) => us + 9_000_000, 100, 100);
    expect(back.now(at)).toBe(before);
    expect(back.now(at + 500_000)).toBe(before);
    expect(back.now(at + 2_000_000)).toBeGreaterThan(before);
  });

  test('impossible round trips are ignored', () => {
    const c = new Clock();
    c.sample(100, 50, 60, 90); // back before it was sent
    c.sample(100, 60, 50, 200); // answered before it came
    c.sample(100, 0, 5000, 200); // took the server longer than the whole trip
    expect(c.rttUS).toBeNull();
  });
});
