import { describe, expect, test } from 'vitest';
import { nextSample, Pace, SILENCE_US, type Actions } from '../src/pace.ts';

const plan = { t0US: 1000, phaseUS: 8333, uploadHz: 30 };
const PERIOD = 1e6 / 30;

class Log implements Actions {
  readonly pings: number[] = [];
  readonly samples: number[] = [];
  doubts = 0;
  ends = 0;
  now = 0;
  ping = (): void => void this.pings.push(this.now);
  sample = (): void => void this.samples.push(this.now);
  doubt = (): void => void this.doubts++;
  giveUp = (): void => void this.ends++;
}

/** Runs a pace whose timers are exact, the server's clock being 7 s ahead. */
function run(pace: Pace, log: Log, us: number, heardEvery: number | null): void {
  const end = log.now + us;
  let heardAt = log.now;
  while (log.now < end) {
    const wait = pace.step(log.now, log.now + 7e6);
    log.now += Math.max(500, wait);
    if (heardEvery !== null && log.now - heardAt >= heardEvery) {
      pace.heard(log.now);
      heardAt = log.now;
    }
  }
}

describe('the pace', () => {
  test('samples at the nominal times of the plan', () => {
    const log = new Log();
    run(new Pace(plan, log, 0), log, 2e6, 33_000);
    expect(log.samples.length).toBeGreaterThanOrEqual(58);
    for (const at of log.samples) {
      const off = (at + 7e6 - 9333) % PERIOD;
      expect(Math.min(off, PERIOD - off)).toBeLessThan(1000);
    }
  });

  test('the next nominal time is at least a quarter of a period away', () => {
    expect(nextSample(9333, plan)).toBeCloseTo(9333 + PERIOD, 6);
    expect(nextSample(9333 + PERIOD - 100, plan)).toBeCloseTo(9333 + 2 * PERIOD, 6);
    expect(nextSample(9333 - PERIOD * 3 - 8000, plan)).toBeCloseTo(9333 - PERIOD * 2, 6);
  });

  test('pings five times quickly, then every two seconds', () => {
    const log = new Log();
    run(new Pace(plan, log, 0), log, 10e6, 33_000);
    expect(log.pings.filter((t) => t < 1e6)).toHaveLength(5);
    expect(log.pings.length).toBeGreaterThanOrEqual(8);
    expect(log.pings.length).toBeLessThanOrEqual(10);
  });

  test('asks, doubts once and gives up a silent link', () => {
    const log = new Log();
    const pace = new Pace(plan, log, 0);
    run(pace, log, 4e6, null);
    expect(log.pings.length).toBeGreaterThan(9);
    expect([log.doubts, log.ends]).toEqual([1, 0]);
    pace.heard(log.now);
    run(pace, log, 3e6, null);
    expect([log.doubts, log.ends]).toEqual([2, 0]);
    run(pace, log, SILENCE_US, null);
    expect(log.ends).toBeGreaterThan(0);
  });

  test('a page that was frozen asks before it gives up', () => {
    const log = new Log();
    const pace = new Pace(plan, log, 0);
    run(pace, log, 1e6, 33_000);
    const pings = log.pings.length;
    log.now += 60e6; // timers stood still, and so did what came
    pace.step(log.now, log.now + 7e6);
    expect([log.doubts, log.ends]).toEqual([0, 0]);
    expect(log.pings.length).toBe(pings + 1);
  });

  test('goes on with samples and pings when a clock is put back', () => {
    const log = new Log();
    const pace = new Pace(plan, log, 0);
    for (let at = 20e6; at < 21e6; at += 10_000) pace.step((log.now = at), at + 7e6);
    const [samples, pings] = [log.samples.length, log.pings.length];
    // The local clock by ten seconds, and the server's time with it, until a ping shows it.
    for (let at = 10e6; at < 11e6; at += 10_000) pace.step((log.now = at), at + 7e6);
    expect(log.samples.length - samples).toBeGreaterThan(28);
    expect(log.pings.length).toBeGreaterThan(pings);
  });
});
