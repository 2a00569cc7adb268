// Where a head will look in a moment, from its last five rotation samples. For rendering only.

import { exponential, logarithm, multiply, inverse, normalize } from './math.ts';
import type { Joint, Quat, Vec3 } from './types.ts';

const SAMPLES = 5;
// A prediction past this is no better than a guess, and turning a head faster than this is a tracking fault.
const MAX_AHEAD_US = 150_000;
const MAX_RATE = 12; // radians a second
// Samples older than this before the newest say nothing of how it turns now.
const MAX_SPAN_US = 400_000;

/**
 * Predicts rotations. The angular velocity is the slope of a least-squares line through the rotation vectors of the last
 * five samples, taken relative to the newest: tremor and tracking noise average out, which a difference of two
 * samples would magnify.
 */
export class HeadPredictor {
  #samples: { timeUS: number; joint: Joint }[] = [];

  /** Takes a sample; one that is not newer than the last is ignored. */
  add(timeUS: number, joint: Joint): void {
    const last = this.#samples[this.#samples.length - 1];
    if (last && timeUS <= last.timeUS) return;
    this.#samples.push({ timeUS, joint });
    if (this.#samples.length > SAMPLES) this.#samples.shift();
  }

  /** Forgets everything: the head was moved at once. */
  clear(): void {
    this.#samples = [];
  }

  /** The newest head turned as it will be at a time; null before there is a sample. */
  at(timeUS: number): Joint | null {
    const newest = this.#samples[this.#samples.length - 1];
    if (!newest) return null;
    const ahead = Math.max(0, Math.min(MAX_AHEAD_US, timeUS - newest.timeUS)) / 1e6;
    const rate = this.#rate(newest.timeUS, newest.joint.q);
    const turn = exponential([rate[0] * ahead, rate[1] * ahead, rate[2] * ahead]);
    return { p: newest.joint.p, q: normalize(multiply(turn, newest.joint.q)) };
  }

  // Radians a second in venue coordinates.
  #rate(newestUS: number, newest: Quat): Vec3 {
    const back = inverse(newest);
    const points = this.#samples
      .filter((s) => newestUS - s.timeUS <= MAX_SPAN_US)
      .map((s) => ({ t: (s.timeUS - newestUS) / 1e6, v: logarithm(multiply(s.joint.q, back)) }));
    if (points.length < 2) return [0, 0, 0];
    const mean = points.reduce((sum, p) => sum + p.t, 0) / points.length;
    const spread = points.reduce((sum, p) => sum + (p.t - mean) ** 2, 0);
    const slope = (axis: 0 | 1 | 2) => points.reduce((sum, p) => sum + (p.t - mean) * p.v[axis], 0) / spread;
    const rate: Vec3 = [slope(0), slope(1), slope(2)];
    const size = Math.hypot(...rate);
    const limit = size > MAX_RATE ? MAX_RATE / size : 1;
    return [rate[0] * limit, rate[1] * limit, rate[2] * limit];
  }
}
