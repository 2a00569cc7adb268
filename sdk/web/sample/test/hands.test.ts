import { Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { ARM, carryingHand, EasedHand, inHand, lookRotation, reachingHand, restingHand, toJoint, toPose } from '../src/hands.ts';

const eyes = { at: new Vector3(3, 1.65, 4), yaw: 0.7, pitch: -0.3 };
const rounded = (v: Vector3): number[] => v.toArray().map((c) => +c.toFixed(4) + 0);

describe('hands', () => {
  it('hang on either side, below the eyes', () => {
    const [l, r] = [restingHand('left', eyes, 0, 0), restingHand('right', eyes, 0, 0)];
    const right = new Vector3(1, 0, 0).applyQuaternion(lookRotation(eyes.yaw, 0));
    expect(l.p.clone().sub(eyes.at).dot(right)).toBeCloseTo(-0.25);
    expect(r.p.clone().sub(eyes.at).dot(right)).toBeCloseTo(0.25);
    expect(r.p.y).toBeLessThan(eyes.at.y - 0.4);
  });
  it('swing against one another while walking', () => {
    const level = { ...eyes, yaw: 0 };
    const [l, r] = [restingHand('left', level, 0.375, 1), restingHand('right', level, 0.375, 1)];
    expect(l.p.z - eyes.at.z + 0.16).toBeCloseTo(-(r.p.z - eyes.at.z + 0.16));
    expect(Math.abs(l.p.z - r.p.z)).toBeGreaterThan(0.2);
  });
  it('reach no farther than the arm, and stop short of what they reach for', () => {
    const near = new Vector3(3, 1.4, 3.4);
    const hand = reachingHand('right', { ...eyes, yaw: 0 }, near, 0.1);
    expect(hand.p.distanceTo(near)).toBeCloseTo(0.16);
    const far = reachingHand('right', { ...eyes, yaw: 0 }, new Vector3(3, 1.4, -20), 0.1);
    expect(far.p.distanceTo(new Vector3(3.17, 1.45, 4))).toBeCloseTo(ARM);
    expect(far.p.distanceTo(eyes.at)).toBeLessThan(1.5);
  });
  it('carry before the eyes', () => {
    const level = { at: new Vector3(), yaw: 0, pitch: 0 };
    expect(rounded(carryingHand('left', level, 0.5).p)).toEqual([-0.19, -0.2, -0.5]);
  });
});

describe('easing', () => {
  const goal = { p: new Vector3(3, 1, 3), q: new Quaternion() };
  it('starts where it is to be, and goes there in the same way by small and large steps', () => {
    const other = { p: new Vector3(3, 1, 2), q: new Quaternion() };
    const [a, b] = [new EasedHand(), new EasedHand()];
    expect(rounded(a.step(goal, eyes, 0.016).p)).toEqual([3, 1, 3]);
    b.step(goal, eyes, 0.016);
    let p = a.step(other, eyes, 0.05).p;
    p = a.step(other, eyes, 0.05).p;
    expect(rounded(p)).toEqual(rounded(b.step(other, eyes, 0.1).p));
  });
  it('moves with the body at once', () => {
    const hand = new EasedHand();
    hand.step(goal, eyes, 0.016);
    const moved = { ...eyes, at: eyes.at.clone().add(new Vector3(5, 0, 0)) };
    const there = { p: goal.p.clone().add(new Vector3(5, 0, 0)), q: goal.q };
    expect(rounded(hand.step(there, moved, 0.001).p)).toEqual([8, 1, 3]);
  });
});

describe('a pose in a hand', () => {
  it('gives the pose again', () => {
    const hand = { p: new Vector3(1, 2, 3), q: lookRotation(1, 0.4) };
    const thing = { p: new Vector3(1.2, 2, 2.5), q: lookRotation(-0.5, 0) };
    const grip = inHand(hand, thing);
    expect(rounded(grip.p.applyQuaternion(hand.q).add(hand.p))).toEqual([1.2, 2, 2.5]);
    expect(hand.q.clone().multiply(grip.q).angleTo(thing.q)).toBeCloseTo(0);
    expect(toJoint(toPose({ p: [1, 2, 3], q: [0, 0, 0, 1] }))).toEqual({ p: [1, 2, 3], q: [0, 0, 0, 1] });
  });
});
