import { expect, test } from 'vitest';
import { HeadPredictor } from '../src/heading.ts';
import { exponential, logarithm, multiply } from '../src/math.ts';
import type { Joint, Quat, Vec3 } from '../src/types.ts';

const STEP = 33_333;

function head(q: Quat): Joint {
  return { p: [1, 1.6, 2], q };
}

function yaw(angle: number): Quat {
  return exponential([0, angle, 0]);
}

function apart(a: Quat, b: Quat): number {
  return Math.hypot(...logarithm(multiply(a, [-b[0], -b[1], -b[2], b[3]])));
}

test('a head that turns steadily is predicted where it will be', () => {
  const p = new HeadPredictor();
  const at = (us: number) => yaw((1.5 * us) / 1e6);
  for (let i = 0; i < 8; i++) p.add(i * STEP, head(at(i * STEP)));
  expect(apart(p.at(7 * STEP + 50_000)?.q ?? [0, 0, 0, 1], at(7 * STEP + 50_000))).toBeLessThan(1e-6);
  expect(p.at(7 * STEP + 50_000)?.p).toEqual([1, 1.6, 2]);
});

test('tracking noise of a still head is not magnified', () => {
  const p = new HeadPredictor();
  let seed = 5;
  const noise = () => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5) * 0.004;
  let worst = 0;
  for (let i = 0; i < 300; i++) {
    const v: Vec3 = [noise(), noise(), noise()];
    p.add(i * STEP, head(exponential(v)));
    if (i > 5) worst = Math.max(worst, apart(p.at(i * STEP + 30_000)?.q ?? [0, 0, 0, 1], [0, 0, 0, 1]));
  }
  expect(worst).toBeLessThan(0.01);
});

test('a prediction is bounded in time and in speed, and a jump is forgotten', () => {
  const p = new HeadPredictor();
  expect(p.at(0)).toBeNull();
  p.add(0, head(yaw(0)));
  p.add(STEP, head(yaw(0.1)));
  expect(p.at(60e6)).toEqual(p.at(STEP + 150_000));
  p.add(2 * STEP, head(yaw(3.1))); // ninety radians a second
  expect(apart(p.at(2 * STEP + 100_000)?.q ?? [0, 0, 0, 1], yaw(3.1))).toBeLessThanOrEqual(1.2 + 1e-9);
  p.clear();
  p.add(9 * STEP, head(yaw(1)));
  expect(apart(p.at(9 * STEP + 100_000)?.q ?? [0, 0, 0, 1], yaw(1))).toBeLessThan(1e-9);
});

test('samples that are not newer are ignored', () => {
  const p = new HeadPredictor();
  p.add(STEP, head(yaw(0.1)));
  p.add(STEP, head(yaw(2)));
  p.add(0, head(yaw(2)));
  expect(apart(p.at(STEP)?.q ?? [0, 0, 0, 1], yaw(0.1))).toBeLessThan(1e-9);
});
