// Frames in, entities to show out.

import { describe, expect, test } from 'vitest';
import type { Entity } from '../src/types.ts';
import { World } from '../src/world.ts';
import { STEPS, type LatticeJoint } from '../src/wire/lattice.ts';
import { View } from '../src/wire/view.ts';
import { at, FrameWriter, state } from './support/framewriter.ts';

const TICK_US = 33_333;
const ada = { id: '7', kind: 1, class: 0, name: '<b>Ada</b>' };
const ball = { id: '8', kind: 2, class: 0, name: 'ball' };

/** An avatar at x metres: head, and hands beside it. */
function person(x: number, ageMS = 10, flags = 0): ReturnType<typeof state> {
  const joint = (dx: number, y: number): LatticeJoint => at(Math.round((x + dx) * STEPS), y * STEPS, 0);
  return state({ head: joint(0, 2), left: joint(-0.25, 1), right: joint(0.25, 1), ageMS, flags });
}

class Stage {
  nowUS = 10_000_000;
  readonly told: string[] = [];
  readonly world = new World({
    nowUS: () => this.nowUS, estimateUS: () => this.nowUS, entity: () => '700', body: () => null,
    enter: (e: Entity) => this.told.push(`+${e.id}`), leave: (e: Entity) => this.told.push(`-${e.id}`),
  });

  constructor() {
    this.world.connected({ tick: 300, t0US: 0, tickUS: TICK_US, sendHz: 30 }, true);
  }

  /** Takes a frame at the time at which it comes over a path of 20 ms. */
  take(w: FrameWriter, tick: number): void {
    this.nowUS = tick * TICK_US + 20_000;
    this.world.frame(w.done());
  }

  get ada(): Entity {
    const e = this.world.entities.get('7');
    if (!e) throw new Error('nobody is there');
    return e;
  }
}

describe('the world', () => {
  test('tells who enters and leaves; unknown kinds are not shown; a second handle is the same entity', () => {
    const s = new Stage();
    s.take(new FrameWriter({ seq: 1, tick: 301 }).enter(1, ada, person(0)).enter(2, { ...ball, kind: 9 }, state()), 301);
    expect(s.ada).toMatchObject({ kind: 'avatar', name: '<b>Ada</b>', class: 0 });
    const before = s.ada;
    s.take(new FrameWriter({ seq: 2, tick: 302 }).enter(5, ada, person(0.1)), 302);
    expect(s.ada).toBe(before);
    s.take(new FrameWriter({ seq: 3, tick: 303 }).leave(5).leave(2).leave(77), 303);
    expect(s.told).toEqual(['+7', '-7']);
  });

  test('ticks are unwrapped from their low 32 bits', () => {
    const s = new Stage();
    s.world.connected({ tick: 2 ** 32 - 2, t0US: 0, tickUS: TICK_US, sendHz: 30 }, true);
    s.take(new FrameWriter({ seq: 1, tick: 1 }).enter(1, ada, person(0)), 2 ** 32 + 1);
    expect(s.ada.state.tickUS).toBe((2 ** 32 + 1) * TICK_US);
  });

  test('flags and values are read', () => {
    const s = new Stage();
    s.take(new FrameWriter({ seq: 1, tick: 301 }).enter(1, ada, person(0, 10, 1)).enter(2, ball, state({ flags: 6, holder: '7', value: 9 })), 301);
    expect(s.ada.state).toMatchObject({ away: true, locked: false });
    expect(s.world.entities.get('8')).toMatchObject({
      state: { holder: '7', hand: 'right', value: 9, locked: true, away: false }, held: { by: '7', hand: 'right', predicted: false },
    });
    expect(s.ada.held).toBeNull();
  });

  test('a sample that is off its usual place within the tick is shown where it was', () => {
    const s = new Stage();
    // A walker at one metre a second whose samples beat against the ticks: their age sweeps over a whole period.
    const x = (us: number) => us / 1e6;
    for (let i = 0; i < 120; i++) {
      const tick = 301 + i;
      const age = 10 + ((i * 7) % 33);
      s.take(new FrameWriter({ seq: i + 1, tick }).enter(1, ada, person(x(tick * TICK_US - age * 1000 - 1e7), age)), tick);
    }
    const shown: number[] = [];
    for (let us = 394 * TICK_US; us < 417 * TICK_US; us += 5000) shown.push(s.ada.sample(us).head.p[0]);
    const steps = shown.slice(1).map((v, i) => v - (shown[i] ?? 0));
    for (const step of steps) expect(step).toBeCloseTo(0.005, 2);
    expect(Math.max(...steps)).toBeLessThan(0.0065);
    expect(Math.min(...steps)).toBeGreaterThan(0.0035);
  });

  test('hands are interpolated with the head; a jump is not', () => {
    const s = new Stage();
    s.take(new FrameWriter({ seq: 1, tick: 301 }).enter(1, ada, person(0)), 301);
    s.take(new FrameWriter({ seq: 2, tick: 302 }).enter(1, ada, person(0.2)), 302);
    const half = s.ada.sample(301.5 * TICK_US);
    expect(half.head.p[0]).toBeCloseTo(0.1, 3);
    expect(half.right.p[0] - half.head.p[0]).toBeCloseTo(0.25, 3);
    s.take(new FrameWriter({ seq: 3, tick: 303 }).enter(1, ada, person(0.5, 10, 8)), 303);
    expect(s.ada.sample(302.9 * TICK_US).head.p[0]).toBeCloseTo(0.2, 3);
    expect(s.ada.state.teleported).toBe(true);
  });

  test('who is sent seldom is shown later, not in leaps', () => {
    const s = new Stage();
    const every = 8; // ticks: 3.75 Hz
    for (let i = 0; i < 60 * every; i++) {
      const tick = 301 + i;
      const w = new FrameWriter({ seq: i + 1, tick });
      if (i % every === 0) w.enter(1, ada, person((i * TICK_US) / 1e6));
      s.take(w, tick);
      s.world.playoutUS();
    }
    let last = s.ada.sample().head.p[0];
    let most = 0;
    for (let i = 0; i < 40 * every; i++) {
      const tick = 301 + 60 * every + i;
      const w = new FrameWriter({ seq: 60 * every + i + 1, tick });
      if (i % every === 0) w.enter(1, ada, person(((60 * every + i) * TICK_US) / 1e6));
      s.take(w, tick);
      const now = s.ada.sample().head.p[0];
      most = Math.max(most, Math.abs(now - last));
      last = now;
    }
    // 33 mm a tick is a metre a second.
    expect(most).toBeLessThan(0.07);
  });

  test('an overtaken frame still puts its states in their place', () => {
    const s = new Stage();
    const frames = [0, 0.2, 0.1, 0.3].map((x, i) => new FrameWriter({ seq: i + 1, tick: 301 + i }).enter(1, ada, person(x)).done());
    const [first, second, third, fourth] = frames as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    s.nowUS = 304 * TICK_US + 20_000;
    for (const f of [first, third, second, fourth]) s.world.frame(f);
    expect(s.ada.sample(302 * TICK_US).head.p[0]).toBeCloseTo(0.2, 3);
    expect(s.world.ack()).toEqual({ seq: 4, bits: 0b101 }); // it is not acknowledged
    expect(s.world.reception().lostRatio).toBeCloseTo(1 / 4, 9);
  });

  test('loss and rate are counted over their windows', () => {
    const s = new Stage();
    for (let i = 0; i < 300; i++) {
      if (i % 10 === 9) continue;
      s.take(new FrameWriter({ seq: (65_500 + i) & 0xffff, tick: 301 + i, throttle: true }), 301 + i);
    }
    expect(s.world.reception().lostRatio).toBeCloseTo(0.1, 1);
    expect(s.world.reception().hz).toBeGreaterThanOrEqual(26);
    expect(s.world.throttled).toBe(true);
  });

  test('a head is predicted past its samples, and read from them before', () => {
    const s = new Stage();
    for (let i = 0; i < 10; i++) s.take(new FrameWriter({ seq: i + 1, tick: 301 + i }).enter(1, ada, person(i / 100)), 301 + i);
    const e = s.world.entities.get('7');
    expect(e?.headAt(305.5 * TICK_US)?.p[0]).toBeCloseTo(0.045, 2);
    expect(e?.headAt(312 * TICK_US)?.q).toEqual([0, 0, 0, 1]);
  });
});

describe('an overtaken frame', () => {
  test('reads as it would have in order, as far as its baselines are here', () => {
    const a = person(0);
    const b = person(0.1);
    const c = person(0.2);
    const frames = [
      new FrameWriter({ seq: 10, tick: 1 }).enter(1, ada, a).enter(2, ball, state()).done(),
      new FrameWriter({ seq: 11, tick: 2 }).update(1, 10, b, [{ state: a, tick: 1 }]).enter(3, { ...ball, id: '9' }, state()).leave(2).done(),
      new FrameWriter({ seq: 12, tick: 3 }).update(1, 10, c, [{ state: a, tick: 1 }]).done(),
    ] as const;
    const view = new View();
    view.apply(frames[0]);
    view.apply(frames[2]);
    const late = view.apply(frames[1]);
    expect(late.stale).toBe(true);
    expect(late.records.map((r) => [r.info?.id, r.state])).toEqual([['7', b]]); // the one that entered is not known yet
    expect(view.size).toBe(2); // and the leave is for a frame that counts
    expect(view.ack()).toEqual({ seq: 12, bits: 0b10 });
    expect(view.apply(frames[2]).records).toEqual([]); // a duplicate says nothing
  });
});
