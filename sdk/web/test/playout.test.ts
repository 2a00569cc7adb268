import { describe, expect, test } from 'vitest';
import { Motion, MAX_EXTRAPOLATION_US } from '../src/motion.ts';
import { MAX_DELAY_US, Playout } from '../src/playout.ts';
import type { Body, Vec3 } from '../src/types.ts';

const TICK = 33_333;

function random(state: number): () => number {
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function body(x: number, yaw = 0): Body {
  const head = { p: [x, 1.6, 0] as Vec3, q: [0, Math.sin(yaw / 2), 0, Math.cos(yaw / 2)] as const };
  return { head, left: head, right: head };
}

/** Frames of ticks through a path; the result is playout's state after them. */
function run(p: Playout, frames: number, path: (tick: number) => number | null, from = 0): number {
  const arrivals = [];
  for (let i = from; i < from + frames; i++) {
    const delay = path(i);
    if (delay !== null) arrivals.push({ tick: i * TICK, at: i * TICK + delay });
  }
  arrivals.sort((a, b) => a.at - b.at);
  let now = 0;
  for (const a of arrivals) {
    p.frame(a.at, a.tick);
    p.time(a.at);
    now = a.at;
  }
  return now;
}

describe('the playout delay', () => {
  test('is the path and one frame when there is no jitter', () => {
    const p = new Playout();
    run(p, 300, () => 20_000);
    expect(p.targetUS).toBeGreaterThanOrEqual(20_000 + TICK);
    expect(p.targetUS).toBeLessThanOrEqual(20_000 + TICK + 5_000);
    expect(p.delayUS).toBeCloseTo(p.targetUS, 0);
  });

  test('grows with jitter, no further than it reaches, and shrinks again', () => {
    const p = new Playout();
    const next = random(1);
    run(p, 300, () => 20_000);
    const calm = p.delayUS;
    run(p, 300, () => 20_000 + next() * 60_000, 300);
    expect(p.delayUS).toBeGreaterThan(calm + 30_000);
    // Frames overtake each other now: the one before may come after, so two pauses are the most there is.
    expect(p.delayUS).toBeLessThanOrEqual(20_000 + 60_000 + 2 * TICK + 5_000);
    run(p, 600, () => 20_000, 600);
    expect(p.delayUS).toBeLessThan(calm + 2_000);
  });

  test('covers a lost frame when losses are frequent, not when they are rare', () => {
    const rare = new Playout();
    run(rare, 600, (i) => (i % 50 === 0 ? null : 20_000));
    expect(rare.targetUS).toBeLessThan(20_000 + 1.2 * TICK);
    const frequent = new Playout();
    run(frequent, 600, (i) => (i % 8 === 0 ? null : 20_000));
    expect(frequent.targetUS).toBeGreaterThan(20_000 + 1.9 * TICK);
  });

  test('stays within 200 ms, whatever comes', () => {
    const p = new Playout();
    const next = random(7);
    run(p, 600, () => 50_000 + next() * 900_000);
    expect(p.delayUS).toBeLessThanOrEqual(MAX_DELAY_US);
    p.restart();
    run(p, 50, () => 2_000_000, 1000);
    expect(p.delayUS).toBeLessThanOrEqual(MAX_DELAY_US);
  });

  test('moves without a jump: playout time runs between 0.9 and 1.05 times time', () => {
    const p = new Playout();
    const next = random(3);
    let now = 0;
    let last: number | null = null;
    for (let i = 0; i < 900; i++) {
      const jitter = i > 300 && i < 600 ? next() * 100_000 : 0;
      p.frame(i * TICK + 10_000 + jitter, i * TICK);
      for (let k = 0; k < 3; k++) {
        now = i * TICK + 120_000 + k * 11_111;
        const time = p.time(now);
        if (last !== null) expect(time).toBeGreaterThanOrEqual(last);
        last = time;
      }
    }
    const before = p.time(now);
    expect(p.time(now - 50_000)).toBe(before); // asked for a time before: never back
    const after = p.time(now + 10_000) - before;
    expect(after).toBeGreaterThanOrEqual(8_999);
    expect(after).toBeLessThanOrEqual(10_501);
  });

  test('a pause of the venue is no jitter', () => {
    const p = new Playout();
    run(p, 300, () => 20_000);
    p.frame(300 * TICK + 60e6 + 20_000, 300 * TICK + 60e6);
    expect(p.targetUS).toBeLessThan(60_000);
  });
});

describe('motion', () => {
  test('is linear between samples, and slerp turns at a constant rate', () => {
    const m = new Motion();
    m.add(0, body(0, 0), false);
    m.add(100_000, body(1, Math.PI / 2), false);
    expect(m.at(25_000)?.head.p[0]).toBeCloseTo(0.25, 9);
    const q = m.at(25_000)?.head.q ?? [0, 0, 0, 0];
    expect(2 * Math.atan2(q[1], q[3])).toBeCloseTo(Math.PI / 8, 9);
    expect(m.at(-5)?.head.p[0]).toBe(0);
  });

  test('turns the shorter way between quaternions of opposite sign', () => {
    const m = new Motion();
    const a = body(0, 0.2);
    const b = body(0, 0.4);
    const flipped: Body = { ...b, head: { p: b.head.p, q: [-b.head.q[0], -b.head.q[1], -b.head.q[2], -b.head.q[3]] } };
    m.add(0, a, false);
    m.add(100_000, flipped, false);
    const q = m.at(50_000)?.head.q ?? [0, 0, 0, 0];
    expect(Math.abs(q[3])).toBeCloseTo(Math.cos(0.15), 6);
  });

  test('is carried on for 100 ms past the newest sample and no further', () => {
    const m = new Motion();
    m.add(0, body(0), false);
    m.add(50_000, body(0.1), false);
    expect(m.at(100_000)?.head.p[0]).toBeCloseTo(0.2, 9);
    const cap = 0.1 + (0.1 * MAX_EXTRAPOLATION_US) / 50_000;
    expect(m.at(50_000 + MAX_EXTRAPOLATION_US)?.head.p[0]).toBeCloseTo(cap, 9);
    expect(m.at(10_000_000)?.head.p[0]).toBeCloseTo(cap, 9);
  });

  test('a sample that comes late is put in its place, up to 200 ms', () => {
    const m = new Motion();
    m.add(0, body(0), false);
    m.add(100_000, body(1), false);
    m.add(50_000, body(0.9), false);
    expect(m.at(50_000)?.head.p[0]).toBeCloseTo(0.9, 9);
    expect(m.at(25_000)?.head.p[0]).toBeCloseTo(0.45, 9);
    m.add(400_000, body(1), false);
    m.add(100_000 + 50_000, body(77), false);
    expect(m.at(150_000)?.head.p[0]).toBeCloseTo(1, 9);
  });

  test('any order of arrival gives the same motion', () => {
    const times = [0, 33_000, 66_000, 99_000, 132_000];
    const inOrder = new Motion();
    for (const t of times) inOrder.add(t, body(t / 1e5), false);
    const shuffled = new Motion();
    for (const t of [0, 66_000, 33_000, 132_000, 99_000]) shuffled.add(t, body(t / 1e5), false);
    for (let t = 0; t < 132_000; t += 7_000) expect(shuffled.at(t)).toEqual(inOrder.at(t));
  });

  test('what is put elsewhere is not slid there', () => {
    const m = new Motion();
    m.add(0, body(0), false);
    m.add(33_000, body(0.01), false);
    m.add(66_000, body(0.5), true);
    expect(m.at(60_000)?.head.p[0]).toBeCloseTo(0.01, 9);
    expect(m.at(66_000)?.head.p[0]).toBeCloseTo(0.5, 9);
    expect(m.at(90_000)?.head.p[0]).toBeCloseTo(0.5, 9); // and not carried on at that speed
    m.add(99_000, body(30), false); // nobody moves so fast
    expect(m.at(98_000)?.head.p[0]).toBeCloseTo(0.5, 9);
  });

  test('a standstill that nothing was sent of is not interpolated over, nor carried on', () => {
    const m = new Motion();
    m.add(0, body(0), false);
    m.add(33_000, body(0.1), false);
    expect(m.at(80_000, 66_000)?.head.p[0]).toBeCloseTo(0.1, 9);
    m.add(5_000_000, body(0.2), false, 4_966_000);
    expect(m.at(4_900_000)?.head.p[0]).toBeCloseTo(0.1, 9);
    expect(m.at(4_983_000)?.head.p[0]).toBeCloseTo(0.15, 2);
  });

  test('a crossing under jitter, reordering and loss is shown within centimetres and without a leap', () => {
    const next = random(11);
    const p = new Playout();
    const m = new Motion();
    const arrivals = [];
    for (let i = 0; i < 900; i++) {
      if (next() < 0.05) continue; // lost
      arrivals.push({ tick: i * TICK, at: i * TICK + 15_000 + next() * 50_000 });
    }
    arrivals.sort((a, b) => a.at - b.at);
    const place = (us: number) => (1.4 * us) / 1e6; // walking
    let worst = 0;
    let fastest = 0;
    let last: { x: number; at: number } | null = null;
    for (let now = 0, i = 0; now < 900 * TICK; now += 11_111) {
      for (let a = arrivals[i]; a && a.at <= now; a = arrivals[++i]) {
        p.frame(a.at, a.tick);
        m.add(a.tick, body(place(a.tick)), false);
      }
      const time = p.time(now);
      const shown = m.at(time)?.head.p[0];
      if (shown === undefined || now < 2e6) continue;
      worst = Math.max(worst, Math.abs(shown - place(time)));
      if (last) fastest = Math.max(fastest, Math.abs(shown - last.x) / ((now - last.at) / 1e6));
      last = { x: shown, at: now };
    }
    expect(worst).toBeLessThan(0.02);
    expect(fastest).toBeLessThan(3);
  });
});
