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
    expect(Math.abs(c.estimate(at) - server(at))).toBeLessThan(100);
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

  test('does not let a bad beginning last: what later round trips exclude is corrected at once', () => {
    for (const late of [[400_000, 10_000], [10_000, 400_000]] as const) {
      const c = new Clock();
      const server = (us: number) => us + 5_000_000;
      let at = 0;
      for (let i = 0; i < 4; i++) at = trip(c, at + 150_000, server, late[0], late[1]);
      at = trip(c, at + 150_000, server, 10_000, 10_000);
      expect(Math.abs(c.current(at) - server(at))).toBeLessThan(1000);
      // What was given out too far ahead holds the time, and nothing else.
      expect(c.now(at + 300_000) - server(at + 300_000)).toBeCloseTo(0, -3);
    }
  });
});

// A client's clock that parts and jumps against the server's, over a network with late round trips. True times are the server's clock's, in
// microseconds; the expectations hold from the fifth round trip on.
describe('the clock over bad networks', () => {
  const QUICK = 150_000;
  const PING = 2_000_000;
  const pause = (round: number) => (round < 5 ? QUICK : PING);
  const STEP = 2000;

  // A number in [0, 1) from a seed (mulberry32).
  function numbers(seed: number): () => number {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  class Network {
    trips: { at: number; up: number; down: number }[] = [];
    jumpUS = 0;
    readonly ppm: number;
    readonly ways: () => [number, number];
    constructor(ppm: number, ways: () => [number, number]) {
      this.ppm = ppm;
      this.ways = ways;
    }
    server(at: number): number {
      return at * (1 + this.ppm * 1e-6) + 7e9;
    }
    local(at: number): number {
      return at + this.jumpUS;
    }
    trip(c: Clock, at: number): number {
      const [up, down] = this.ways();
      const t1 = this.server(at + up);
      const end = at + up + down;
      c.sample(this.local(at), t1, t1, this.local(end));
      this.trips.push({ at: end, up, down });
      return end;
    }
    // How far off the clock may be: what the best of the recent trips leaves open each way, as the clocks part since.
    bound(at: number): number {
      let [up, down] = [Infinity, Infinity];
      for (const t of this.trips.slice(-16)) {
        const parted = 1000 + (at - t.at) * (300 + Math.abs(this.ppm)) * 1e-6;
        up = Math.min(up, t.up + parted);
        down = Math.min(down, t.down + parted);
      }
      return Math.max(up, down) + STEP;
    }
  }

  const cases = [-200, 0, 200].flatMap((ppm) => [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ({ ppm, seed })));

  test.each(cases)('parting by $ppm ppm, one trip in three late one way (seed $seed)', ({ ppm, seed }) => {
    const next = numbers(seed);
    const least = [next() * 60_000, next() * 60_000] as const;
    const n = new Network(ppm, () => {
      const late = Math.floor(next() * 6);
      return [least[0] + next() * 20_000 + (late === 0 ? next() * 400_000 : 0), least[1] + next() * 20_000 + (late === 1 ? next() * 400_000 : 0)];
    });
    const c = new Clock();
    let at = 0;
    let last = -Infinity;
    for (let round = 0; round < 120; round++) {
      at = n.trip(c, at);
      for (const end = at + pause(round); at < end; at += 50_000) {
        const now = c.now(n.local(at));
        expect(now).toBeGreaterThanOrEqual(last);
        if (round >= 4) {
          expect(Math.abs(c.current(n.local(at)) - n.server(at))).toBeLessThanOrEqual(n.bound(at));
          if (now !== last) expect(Math.abs(now - n.server(at))).toBeLessThanOrEqual(n.bound(at));
        }
        last = now;
      }
    }
  });

  test.each([10e6, -10e6, 100e3, -100e3].flatMap((jump) => [-200, 200].map((ppm) => ({ jump, ppm }))))('a local clock that jumps by $jump us, parting by $ppm ppm', ({ jump, ppm }) => {
    const next = numbers(11);
    const n = new Network(ppm, () => [8000 + next() * 10_000, 8000 + next() * 10_000]);
    const c = new Clock();
    let at = 0;
    for (let round = 0; round < 30; round++) at = n.trip(c, at) + pause(round);
    n.jumpUS = jump;
    n.trips = [];
    let last = c.now(n.local(at)); // wrong by the jump: nothing can be known yet
    for (let round = 0; round < 30; round++) {
      at = n.trip(c, at);
      for (const end = at + pause(round); at < end; at += 50_000) {
        const now = c.now(n.local(at));
        expect(now).toBeGreaterThanOrEqual(last);
        expect(Math.abs(c.current(n.local(at)) - n.server(at))).toBeLessThanOrEqual(n.bound(at));
        if (now !== last) expect(Math.abs(now - n.server(at))).toBeLessThanOrEqual(n.bound(at));
        last = now;
      }
    }
  });
});
