// Interpolation of places, for showing only: nothing here decides anything.

import type { Body, Joint, Quat, Vec3 } from './types.ts';

/** a at 0, b at 1, beyond them outside of that. */
export function lerp(a: Vec3, b: Vec3, t: number): Vec3 {
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

/** The product a · b of quaternions: turn by b, then by a. */
export function multiply(a: Quat, b: Quat): Quat {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The rotation that undoes q. */
export function inverse(q: Quat): Quat {
  return [-q[0], -q[1], -q[2], q[3]];
}

/** v turned by q. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
}

/** q at length 1; the identity for a quaternion without a length. */
export function normalize(q: Quat): Quat {
  const n = Math.hypot(q[0], q[1], q[2], q[3]);
  return n > 0 && Number.isFinite(n) ? [q[0] / n, q[1] / n, q[2] / n, q[3] / n] : [0, 0, 0, 1];
}

/** From a at 0 to b at 1 along the shorter arc at a constant rate; past 1 it goes on at that rate. */
export function slerp(a: Quat, b: Quat, t: number): Quat {
  let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = dot < 0 ? -1 : 1;
  dot = Math.min(1, Math.abs(dot));
  let from = 1 - t;
  let to = t * sign;
  const angle = Math.acos(dot);
  if (angle > 1e-4) {
    const s = Math.sin(angle);
    from = Math.sin((1 - t) * angle) / s;
    to = (Math.sin(t * angle) / s) * sign;
  }
  return normalize([a[0] * from + b[0] * to, a[1] * from + b[1] * to, a[2] * from + b[2] * to, a[3] * from + b[3] * to]);
}

/** A joint between two. */
export function between(a: Joint, b: Joint, t: number): Joint {
  return { p: lerp(a.p, b.p, t), q: slerp(a.q, b.q, t) };
}

/** A body between two. */
export function bodyBetween(a: Body, b: Body, t: number): Body {
  const head = between(a.head, b.head, t);
  // Without hands both are the head itself.
  if (a.left === a.head && b.left === b.head) return { head, left: head, right: head };
  return { head, left: between(a.left, b.left, t), right: between(a.right, b.right, t) };
}

/** `pose` as seen from `frame`: compose(frame, relative(frame, pose)) is the pose. */
export function relative(frame: Joint, pose: Joint): Joint {
  const back = inverse(frame.q);
  const d: Vec3 = [pose.p[0] - frame.p[0], pose.p[1] - frame.p[1], pose.p[2] - frame.p[2]];
  return { p: rotate(back, d), q: normalize(multiply(back, pose.q)) };
}

/** A joint given relative to a frame, in the frame's own coordinates. */
export function compose(frame: Joint, offset: Joint): Joint {
  const d = rotate(frame.q, offset.p);
  return { p: [frame.p[0] + d[0], frame.p[1] + d[1], frame.p[2] + d[2]], q: normalize(multiply(frame.q, offset.q)) };
}

/** The rotation vector of q: axis times angle, radians, the shorter way. */
export function logarithm(q: Quat): Vec3 {
  const sign = q[3] < 0 ? -1 : 1;
  const s = Math.hypot(q[0], q[1], q[2]);
  if (s < 1e-9) return [2 * sign * q[0], 2 * sign * q[1], 2 * sign * q[2]];
  const f = (2 * Math.atan2(s, Math.abs(q[3])) * sign) / s;
  return [q[0] * f, q[1] * f, q[2] * f];
}

/** The rotation of a rotation vector. */
export function exponential(v: Vec3): Quat {
  const angle = Math.hypot(v[0], v[1], v[2]);
  if (angle < 1e-9) return normalize([v[0] / 2, v[1] / 2, v[2] / 2, 1]);
  const s = Math.sin(angle / 2) / angle;
  return [v[0] * s, v[1] * s, v[2] * s, Math.cos(angle / 2)];
}
