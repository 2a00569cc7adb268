import { describe, expect, test } from 'vitest';
import { CORRECTION_US } from '../src/entity.ts';
import { Grabs } from '../src/grabs.ts';
import { compose, relative } from '../src/math.ts';
import type { Body, Entity, Joint, Quat, Vec3 } from '../src/types.ts';
import { World } from '../src/world.ts';
import { toLattice } from '../src/wire/lattice.ts';
import { FLAG_RIGHT } from '../src/wire/state.ts';
import { FrameWriter, state } from './support/framewriter.ts';

const OWN = '700';
const CUP = '5';
const UPRIGHT: Quat = [0, 0, 0, 1];
const TICK_US = 33_333;

const joint = (x: number, y: number, z: number, q: Quat = UPRIGHT): Joint => ({ p: [x, y, z] as Vec3, q });

describe('grabs', () => {
  const free = { holder: '0', hand: 'left', tick: 10 } as const;

  test('a grab is predicted, and taken back on denial', () => {
    const g = new Grabs();
    const decide = g.grab(CUP, 'right', joint(0, 0, 0));
    expect(g.held(CUP, free, OWN)).toEqual({ by: OWN, hand: 'right', predicted: true });
    expect(decide(false, null)).toBe(true);
    expect(g.held(CUP, free, OWN)).toBeNull();
  });

  test('a granted grab is predicted until the state has caught up with it', () => {
    const g = new Grabs();
    g.grab(CUP, 'right', joint(0, 0, 0))(true, 20);
    g.state(CUP, { ...free, tick: 19 }, OWN); // of before: no contradiction
    expect(g.held(CUP, { ...free, tick: 19 }, OWN)?.by).toBe(OWN);
    const now = { holder: OWN, hand: 'right', tick: 20 } as const;
    g.state(CUP, now, OWN);
    expect(g.held(CUP, now, OWN)).toEqual({ by: OWN, hand: 'right', predicted: false });
  });

  test('that somebody else got it ends a prediction before its denial comes', () => {
    const g = new Grabs();
    const decide = g.grab(CUP, 'right', joint(0, 0, 0));
    expect(g.grabbed(CUP, OWN, OWN)).toBe(false);
    expect(g.grabbed(CUP, '9', OWN)).toBe(true);
    const theirs = { holder: '9', hand: 'left', tick: 12 } as const;
    expect(g.held(CUP, theirs, OWN)).toEqual({ by: '9', hand: 'left', predicted: false });
    expect(decide(false, null)).toBe(false); // nothing is left to take back
  });

  test('the decision on an earlier press does not touch a later one', () => {
    const g = new Grabs();
    const first = g.grab(CUP, 'right', joint(0, 0, 0));
    g.grab(CUP, 'left', joint(0, 0, 0));
    expect(first(false, null)).toBe(false);
    expect(g.held(CUP, free, OWN)).toEqual({ by: OWN, hand: 'left', predicted: true });
  });

  test('a release is shown where it happened until playout has passed it', () => {
    const g = new Grabs();
    const held = { holder: OWN, hand: 'right', tick: 30 } as const;
    const decide = g.release(CUP, 'right', joint(1, 1, 1));
    expect(g.held(CUP, held, OWN)).toBeNull();
    expect(g.released(CUP)).toEqual(joint(1, 1, 1));
    decide(true, 31);
    expect(g.playedOut(CUP, 30.9)).toBe(false);
    expect(g.playedOut(CUP, 31)).toBe(true);
    expect(g.released(CUP)).toBeNull();
  });

  test('a denied release leaves it in the hand', () => {
    const g = new Grabs();
    const held = { holder: OWN, hand: 'right', tick: 30 } as const;
    expect(g.release(CUP, 'right', joint(1, 1, 1))(false, null)).toBe(true);
    expect(g.held(CUP, held, OWN)?.by).toBe(OWN);
  });

  test('compose undoes relative', () => {
    const hand = joint(1, 2, 3, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    const pose = joint(1.2, 2, 2.5, [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    const again = compose(hand, relative(hand, pose));
    again.p.forEach((v, i) => expect(v).toBeCloseTo(pose.p[i] ?? 0, 9));
    again.q.forEach((v, i) => expect(v).toBeCloseTo(pose.q[i] ?? 0, 9));
  });
});

/** A world with a cup at (0, 1, 0), and a venue that a test plays. */
class Stage {
  nowUS = 10_000_000;
  hand: Joint = joint(0, 1, 0);
  seq = 0;
  tick = 300;
  said = state({ head: toLattice(joint(0, 1, 0), 'cup') });
  readonly left: Entity[] = [];
  readonly world: World = new World({
    nowUS: () => this.nowUS, estimateUS: () => this.nowUS, entity: () => OWN,
    body: (): Body => ({ head: joint(0, 1.6, 0), left: joint(0, 1, 0), right: this.hand }),
    enter: () => undefined, leave: (e) => this.left.push(e),
  });

  constructor() {
    this.world.connected({ tick: 300, t0US: 0, tickUS: TICK_US, sendHz: 30 }, true);
    this.frame({});
  }

  get cup(): Entity {
    const e = this.world.entities.get(CUP);
    if (!e) throw new Error('no cup');
    return e;
  }

  /** A frame of the next tick with the cup as it is then. */
  frame(change: Partial<ReturnType<typeof state>>): void {
    this.seq++;
    this.tick++;
    this.nowUS += TICK_US;
    this.said = { ...this.said, ...change };
    const w = new FrameWriter({ seq: this.seq, tick: this.tick, poseSeq: this.seq });
    this.world.sent(this.seq, { head: joint(0, 1.6, 0), left: joint(0, 1, 0), right: this.hand });
    this.world.frame(w.enter(1, { id: CUP, kind: 2, class: 0, name: 'cup' }, this.said).done());
  }

  /** Passes time without a frame. */
  pass(us: number): void {
    this.nowUS += us;
  }

  x(): number {
    return this.cup.sample().head.p[0];
  }
}

describe('an object in the own hand', () => {
  test('follows it at once, before the venue has answered', () => {
    const s = new Stage();
    s.world.predictGrab(CUP, 'right', s.hand);
    s.hand = joint(0.3, 1.1, 0);
    expect(s.x()).toBeCloseTo(0.3, 6);
    s.hand = joint(0.5, 1.1, 0, [0, Math.SQRT1_2, 0, Math.SQRT1_2]);
    expect(s.cup.sample().head.p).toEqual([0.5, 1.1, 0]);
    expect(s.cup.sample().head.q[1]).toBeCloseTo(Math.SQRT1_2, 3);
  });

  test('goes back smoothly when the grab is denied', () => {
    const s = new Stage();
    const decided = s.world.predictGrab(CUP, 'right', s.hand);
    s.hand = joint(0.4, 1, 0);
    expect(s.x()).toBeCloseTo(0.4, 6);
    decided(false, null);
    expect(s.cup.held).toBeNull();
    expect(s.x()).toBeCloseTo(0.4, 6);
    s.pass(CORRECTION_US / 2);
    expect(s.x()).toBeCloseTo(0.2, 3);
    s.pass(CORRECTION_US);
    expect(s.x()).toBeCloseTo(0, 6);
  });

  test('stays in it when granted, without a jump, and takes the grip that the venue has', () => {
    const s = new Stage();
    const decided = s.world.predictGrab(CUP, 'right', s.hand);
    s.hand = joint(0.2, 1, 0);
    decided(true, s.tick + 1);
    expect(s.x()).toBeCloseTo(0.2, 6);
    // The venue took hold two centimetres beside what was predicted.
    for (let i = 0; i < 40; i++) s.frame({ holder: OWN, flags: FLAG_RIGHT, head: toLattice(joint(0.22, 1, 0), 'cup') });
    expect(s.cup.held).toEqual({ by: OWN, hand: 'right', predicted: false });
    expect(s.x()).toBeCloseTo(0.22, 2);
  });

  test('is followed after a resume too, when nothing was predicted', () => {
    const s = new Stage();
    s.frame({ holder: OWN, flags: FLAG_RIGHT, head: toLattice(joint(0.1, 1, 0), 'cup') });
    s.hand = joint(1, 1, 0);
    expect(s.x()).toBeCloseTo(1.1, 2);
  });

  test('stays where it is let go, until the venue says otherwise', () => {
    const s = new Stage();
    s.world.predictGrab(CUP, 'right', s.hand)(true, s.tick + 1);
    s.hand = joint(0.3, 1, 0);
    s.frame({ holder: OWN, flags: FLAG_RIGHT, head: toLattice(joint(0.3, 1, 0), 'cup') });
    const decided = s.world.predictRelease(CUP, 'right');
    expect(s.cup.held).toBeNull();
    s.hand = joint(0.9, 1, 0);
    expect(s.x()).toBeCloseTo(0.3, 2);
    decided(true, s.tick + 1);
    for (let i = 0; i < 30; i++) {
      s.frame({ holder: '0', flags: 0, head: toLattice(joint(0.3, 1, 0), 'cup') });
      expect(s.x()).toBeCloseTo(0.3, 2);
    }
    expect(s.cup.held).toBeNull();
  });

  test('eases to its new holder when it is taken away', () => {
    const s = new Stage();
    s.world.predictGrab(CUP, 'right', s.hand)(true, s.tick + 1);
    s.frame({ holder: OWN, flags: FLAG_RIGHT });
    s.hand = joint(0.4, 1, 0);
    expect(s.x()).toBeCloseTo(0.4, 3);
    s.frame({ holder: '9', flags: 0 });
    expect(s.cup.held).toEqual({ by: '9', hand: 'left', predicted: false });
    expect(s.x()).toBeCloseTo(0.4, 3);
    s.pass(2 * CORRECTION_US);
    expect(s.x()).toBeCloseTo(0, 2);
  });

  test('nothing is predicted of what cannot be held', () => {
    const s = new Stage();
    s.world.predictGrab('99', 'right', s.hand)(false, null);
    s.world.predictRelease(CUP, 'right')(false, null);
    expect(s.cup.held).toBeNull();
  });
});
