// The lattice of the pose lane: positions in steps of 1/1024 m, rotations as the smallest three components in
// steps of 1/1024. Both ends of a connection hold the same integers; metres and quaternions are for showing.

import type { Joint, Quat, Vec3 } from '../types.ts';

/** Steps in a metre. */
export const STEPS = 1024;
/** Largest absolute coordinate, steps: 1,048,576 m. */
export const COORDINATE_MAX = 2 ** 30;
/** Steps in 1 of a stored rotation component. */
export const ROT_STEPS = 1024;
/** Largest absolute value of a stored rotation component: 1/√2. */
export const ROT_MAX = 724;
const ROT_SUM_MAX = 789_507; // 3 · 513²: components of 1/2, rounded up by a step

/** A point or a difference in steps; sums and differences wrap around at 32 bits. */
export interface Steps {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A rotation: `largest` is the index (w, x, y, z) of the component left out, a, b, c are the others in order. */
export interface Rot {
  readonly largest: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** A position and a rotation on the lattice. */
export interface LatticeJoint {
  readonly pos: Steps;
  readonly rot: Rot;
}

/** Head and hands on the lattice, venue coordinates. */
export interface LatticeBody {
  readonly head: LatticeJoint;
  readonly left: LatticeJoint;
  readonly right: LatticeJoint;
}

/** The point zero. */
export const ORIGIN: Steps = { x: 0, y: 0, z: 0 };
/** The identity rotation. */
export const IDENTITY: Rot = { largest: 0, a: 0, b: 0, c: 0 };
/** A joint at the origin: both hands of what has none. */
export const ZERO_JOINT: LatticeJoint = { pos: ORIGIN, rot: IDENTITY };

/** a + b, wrapping around. */
export function add(a: Steps, b: Steps): Steps {
  return { x: (a.x + b.x) | 0, y: (a.y + b.y) | 0, z: (a.z + b.z) | 0 };
}

/** a - b, wrapping around. */
export function sub(a: Steps, b: Steps): Steps {
  return { x: (a.x - b.x) | 0, y: (a.y - b.y) | 0, z: (a.z - b.z) | 0 };
}

export function isZero(v: Steps): boolean {
  return v.x === 0 && v.y === 0 && v.z === 0;
}

export function sameRot(a: Rot, b: Rot): boolean {
  return a.largest === b.largest && a.a === b.a && a.b === b.b && a.c === b.c;
}

function isZeroJoint(j: LatticeJoint): boolean {
  return j === ZERO_JOINT || (isZero(j.pos) && sameRot(j.rot, IDENTITY));
}

/** Whether a body has hands: objects and doors have none. */
export function handed(b: LatticeBody): boolean {
  return !isZeroJoint(b.left) || !isZeroJoint(b.right);
}

/** Whether a rotation's components are in range and no larger than the one they leave out can be. */
export function validRot(r: Rot): boolean {
  return (
    Math.abs(r.a) <= ROT_MAX && Math.abs(r.b) <= ROT_MAX && Math.abs(r.c) <= ROT_MAX &&
    r.a * r.a + r.b * r.b + r.c * r.c <= ROT_SUM_MAX
  );
}

/** Rounds to the nearest integer, halves away from zero. */
function round(v: number): number {
  return (Math.sign(v) * Math.round(Math.abs(v))) | 0;
}

/** One coordinate in steps. Throws a RangeError when it is not finite or out of bounds. */
export function toSteps(metres: number, what: string): number {
  if (!(Math.abs(metres) <= COORDINATE_MAX / STEPS)) {
    throw new RangeError(`${what} is ${metres}: want a number of metres within ±1,048,576`);
  }
  return round(metres * STEPS);
}

/**
 * The quaternion x, y, z, w, normalised, on the lattice. Throws a RangeError unless its length is 1 ± 0.05.
 *
 * Of the eight lattice points around it, the one at the least angle: rounding each component by itself would be up to
 * 0.14 degrees off where the component left out is small.
 */
export function toRot(q: Quat, what: string): Rot {
  const n = Math.hypot(q[0], q[1], q[2], q[3]);
  if (!(n >= 0.95 && n <= 1.05)) {
    throw new RangeError(`${what} is [${q.join(', ')}], of length ${n}: want a unit quaternion x, y, z, w`);
  }
  const c = [q[3], q[0], q[1], q[2]] as const;
  let largest: 0 | 1 | 2 | 3 = 0;
  for (const i of [1, 2, 3] as const) if (Math.abs(c[i]) > Math.abs(c[largest])) largest = i;
  const scale = ROT_STEPS / (c[largest] < 0 ? -n : n);
  const w = c[largest] * scale;
  const [x = 0, y = 0, z = 0] = c.filter((_, i) => i !== largest).map((v) => v * scale);
  let best: Rot = IDENTITY;
  let least = Infinity;
  for (let corner = 0; corner < 8; corner++) {
    const r = { largest, a: (Math.floor(x) + (corner & 1)) | 0, b: (Math.floor(y) + ((corner >> 1) & 1)) | 0, c: (Math.floor(z) + (corner >> 2)) | 0 };
    const [dx, dy, dz] = [r.a - x, r.b - y, r.c - z] as const;
    const along = (dx * x + dy * y + dz * z) / w;
    const cost = dx * dx + dy * dy + dz * dz + along * along;
    if (cost < least && validRot(r)) {
      least = cost;
      best = r;
    }
  }
  return best;
}

/** A joint on the lattice; `what` names it in errors. */
export function toLattice(j: Joint, what: string): LatticeJoint {
  return {
    pos: { x: toSteps(j.p[0], `${what}.p[0]`), y: toSteps(j.p[1], `${what}.p[1]`), z: toSteps(j.p[2], `${what}.p[2]`) },
    rot: toRot(j.q, `${what}.q`),
  };
}

/** A point in metres; exact. */
export function toMetres(v: Steps): Vec3 {
  return [v.x / STEPS, v.y / STEPS, v.z / STEPS];
}

/** The unit quaternion x, y, z, w. */
export function toQuat(r: Rot): Quat {
  const a = r.a / ROT_STEPS;
  const b = r.b / ROT_STEPS;
  const c = r.c / ROT_STEPS;
  const d = Math.sqrt(Math.max(0, 1 - a * a - b * b - c * c));
  switch (r.largest) {
    case 0: return [a, b, c, d];
    case 1: return [d, b, c, a];
    case 2: return [b, d, c, a];
    default: return [b, c, d, a];
  }
}

/** A joint in metres. */
export function fromLattice(j: LatticeJoint): Joint {
  return { p: toMetres(j.pos), q: toQuat(j.rot) };
}
