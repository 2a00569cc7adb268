/**
 * Hands for visitors without a headset: they hang and swing beside the body, reach for what is looked at, and
 * carry what they hold. Metres in venue coordinates, rotations as unit quaternions.
 */
import { Euler, Quaternion, Vector3 } from 'three';
import type { Hand, Joint } from '../../src/index.ts';

/** How far an arm reaches from the eyes, metres: longer than a real one, since there is no stooping by mouse. */
export const ARM = 1.0;

/** How near to an object's middle the hand goes before it takes it, metres. */
export const GRIP_GAP = 0.1;

/** How fast a hand follows its goal, per second. */
const FOLLOW = 13;

/** Where eyes are and look. */
export interface Eyes {
  readonly at: Vector3;
  /** Radians about y; 0 looks along -z. */
  readonly yaw: number;
  /** Radians upward. */
  readonly pitch: number;
}

/** A place and a turn that change. */
export interface Pose {
  readonly p: Vector3;
  readonly q: Quaternion;
}

const euler = new Euler(0, 0, 0, 'YXZ');

/** The rotation of a look. */
export function lookRotation(yaw: number, pitch: number, into = new Quaternion()): Quaternion {
  return into.setFromEuler(euler.set(pitch, yaw, 0));
}

/** Where a hand hangs when it does nothing; `steps` is how far one has walked, metres, `pace` 0 (standing) to 1. */
export function restingHand(hand: Hand, eyes: Eyes, steps: number, pace: number): Pose {
  const side = hand === 'left' ? -1 : 1;
  const swing = Math.sin((steps / 0.75) * Math.PI + (hand === 'left' ? 0 : Math.PI)) * 0.16 * pace;
  const q = lookRotation(eyes.yaw, -0.45 + swing);
  const p = new Vector3(side * 0.25, -0.56 + Math.abs(swing) * 0.25, -0.16 - swing);
  return { p: p.applyQuaternion(lookRotation(eyes.yaw, 0)).add(eyes.at), q };
}

/** Where a hand goes to take what is at `target`: toward it as far as the arm allows, stopping short of its middle. */
export function reachingHand(hand: Hand, eyes: Eyes, target: Vector3, radius: number): Pose {
  const side = hand === 'left' ? -1 : 1;
  const q = lookRotation(eyes.yaw, eyes.pitch);
  const shoulder = new Vector3(side * 0.17, -0.2, 0).applyQuaternion(lookRotation(eyes.yaw, 0)).add(eyes.at);
  const way = target.clone().sub(shoulder);
  const far = way.length();
  if (far < 1e-6) return { p: shoulder, q };
  const go = Math.max(0, Math.min(ARM, far - GRIP_GAP - radius * 0.6));
  return { p: shoulder.addScaledVector(way, go / far), q };
}

/** Where a hand carries something: before the eyes, `ahead` metres away. */
export function carryingHand(hand: Hand, eyes: Eyes, ahead: number): Pose {
  const side = hand === 'left' ? -1 : 1;
  const q = lookRotation(eyes.yaw, eyes.pitch);
  return { p: new Vector3(side * 0.19, -0.2, -ahead).applyQuaternion(q).add(eyes.at), q };
}

/** A hand's pose as it eases toward a goal, kept relative to the eyes so that walking does not drag it. */
export class EasedHand {
  readonly #p = new Vector3();
  readonly #q = new Quaternion();
  #started = false;

  /** Goes toward `goal` for `dt` seconds. The hand turns with the body at once. */
  step(goal: Pose, eyes: Eyes, dt: number): Pose {
    const frame = lookRotation(eyes.yaw, 0);
    const back = frame.clone().invert();
    const p = goal.p.clone().sub(eyes.at).applyQuaternion(back);
    const q = back.clone().multiply(goal.q);
    const f = this.#started ? 1 - Math.exp(-FOLLOW * dt) : 1;
    this.#started = true;
    this.#p.lerp(p, f);
    this.#q.slerp(q, f);
    return { p: this.#p.clone().applyQuaternion(frame).add(eyes.at), q: frame.multiply(this.#q) };
  }

  /** Is at the goal with the next step. */
  jump(): void {
    this.#started = false;
  }
}

/** A pose as the client takes it. */
export function toJoint(pose: Pose): Joint {
  const { p, q } = pose;
  return { p: [p.x, p.y, p.z], q: [q.x, q.y, q.z, q.w] };
}

/** A joint as a pose. */
export function toPose(joint: Joint): Pose {
  return { p: new Vector3(...joint.p), q: new Quaternion(...joint.q) };
}

/** A pose in a hand's frame, so that the hand's pose with it gives the pose again. */
export function inHand(hand: Pose, pose: Pose): Pose {
  const back = hand.q.clone().invert();
  return { p: pose.p.clone().sub(hand.p).applyQuaternion(back), q: back.multiply(pose.q) };
}
