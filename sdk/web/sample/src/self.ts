/** The visitor's own body without a headset: where it stands and looks, and what its hands do. */
import { Vector3 } from 'three';
import type { Body, Hand, Joint } from '../../src/index.ts';
import { carryingHand, EasedHand, type Eyes, lookRotation, type Pose, reachingHand, restingHand, toJoint } from './hands.ts';
import type { Look, Want } from './input.ts';
import { type Ground, type Stand, stride, walk } from './move.ts';

/** How fast one walks and runs, metres a second, if the venue allows it. */
const WALK = 2.0;
const RUN = 4.2;

/** How much of the venue's speed limit is used: a forger gains by the rest, an honest page is never cut. */
const LIMIT_SHARE = 0.85;

/** Nearest and farthest that something is carried from the eyes, metres. */
const CARRY_LEAST = 0.35;
const CARRY_MOST = 0.95;

/** What a hand is to do. */
export type Task =
  | { readonly kind: 'rest' }
  | { readonly kind: 'reach'; readonly at: Vector3; readonly radius: number }
  | { readonly kind: 'carry' }
  | { readonly kind: 'put'; readonly pose: Pose };

/** A body moved by keys, pointer or fingers. */
export class Self {
  readonly stand: Stand = { x: 0, y: 0, z: 0 };
  readonly look: Look = { yaw: 0, pitch: 0 };
  /** Height of the eyes above the feet, metres. */
  tall = 1.65;
  /** How far ahead things are carried, metres. */
  carry = 0.55;
  readonly #speedMost: number;
  readonly #hands: Record<Hand, EasedHand> = { left: new EasedHand(), right: new EasedHand() };
  readonly #joints: Record<Hand, Joint>;
  #steps = 0;
  #pace = 0;

  /** `speed` is the venue's limit, metres a second. */
  constructor(speed: number) {
    this.#speedMost = speed * LIMIT_SHARE;
    const still: Joint = { p: [0, 0, 0], q: [0, 0, 0, 1] };
    this.#joints = { left: still, right: still };
  }

  /** Puts the head at a joint that the venue gave; `ground` is the height of what is below it. */
  place(head: Joint, ground: number, turn: boolean): void {
    [this.stand.x, this.stand.z] = [head.p[0], head.p[2]];
    this.stand.y = ground;
    if (turn) {
      const [x, y, z, w] = head.q;
      this.look.yaw = Math.atan2(2 * (w * y + x * z), 1 - 2 * (x * x + y * y));
      this.look.pitch = 0;
    }
  }

  /** Where the eyes are and look. */
  eyes(): Eyes {
    const bob = 0.014 * Math.abs(Math.sin((this.#steps / 0.75) * Math.PI)) * this.#pace;
    return { at: new Vector3(this.stand.x, this.stand.y + this.tall - bob, this.stand.z), ...this.look };
  }

  /** Walks for `dt` seconds. */
  step(want: Want, ground: Ground, dt: number): void {
    const speed = Math.min(want.run ? RUN : WALK, this.#speedMost);
    const [dx, dz] = stride(want.right, want.ahead, this.look.yaw, speed, dt);
    const { x, z } = this.stand;
    walk(this.stand, dx, dz, dt, ground, this.tall);
    const gone = Math.hypot(this.stand.x - x, this.stand.z - z);
    this.#steps += gone;
    const pace = dt > 0 ? Math.min(1, gone / dt / WALK) : 0;
    this.#pace += (pace - this.#pace) * (1 - Math.exp(-8 * dt));
  }

  /** Moves the hands for `dt` seconds toward what they are to do. */
  hands(tasks: Record<Hand, Task>, dt: number): void {
    const eyes = this.eyes();
    for (const hand of ['left', 'right'] as const) {
      this.#joints[hand] = toJoint(this.#hands[hand].step(this.#goal(hand, tasks[hand], eyes), eyes, dt));
    }
  }

  /** Puts a hand where its task has it, at once: a grab is judged by where the hand is. */
  snap(hand: Hand, task: Task): Joint {
    const eyes = this.eyes();
    this.#hands[hand].jump();
    this.#joints[hand] = toJoint(this.#hands[hand].step(this.#goal(hand, task, eyes), eyes, 0));
    return this.#joints[hand];
  }

  /** Brings what is carried nearer (negative) or farther, metres. */
  reachBy(metres: number): void {
    this.carry = Math.max(CARRY_LEAST, Math.min(CARRY_MOST, this.carry + metres));
  }

  /** Where a hand is. */
  joint(hand: Hand): Joint {
    return this.#joints[hand];
  }

  /** The body as the client sends it. */
  body(): Body {
    const eyes = this.eyes();
    return { head: toJoint({ p: eyes.at, q: lookRotation(eyes.yaw, eyes.pitch) }), left: this.joint('left'), right: this.joint('right') };
  }

  #goal(hand: Hand, task: Task, eyes: Eyes): Pose {
    switch (task.kind) {
      case 'reach':
        return reachingHand(hand, eyes, task.at, task.radius);
      case 'carry':
        return carryingHand(hand, eyes, this.carry);
      case 'put':
        return task.pose;
      case 'rest':
        return restingHand(hand, eyes, this.#steps, this.#pace);
    }
  }
}
