/** What the visitor's hands mean, take, carry and let go. */
import { Vector3 } from 'three';
import type { Client, Hand, Joint, Outcome } from '../../src/index.ts';
import { denial } from './explain.ts';
import { ARM, inHand, lookRotation, type Pose, toPose } from './hands.ts';
import { surfaceAt } from './ground.ts';
import type { Reachable, Surroundings } from './look.ts';
import type { Ground } from './move.ts';
import { byGaze, byHand, distance } from './reach.ts';
import type { Self, Task } from './self.ts';
import type { Vec3, Venue } from './venue.ts';

/** Things are meant from this far, metres, with a word to step closer. */
const MEANT_FAR = 4;

/** Part of the venue's reach that the page uses: hand and object move while the request is under way. */
const REACH_SHARE = 0.85;

/** How far from the eyes a surface may be to put something on it, metres. */
const PUT_FAR = 1.3;

/** A hand's business. */
interface Business {
  /** What it could take now. */
  target: Reachable | undefined;
  /** What it asked for and is not yet decided. */
  asked: string | undefined;
  /** What it holds, in its own frame: kept to put it down upright. */
  grip: Pose | undefined;
}

/** Both hands of a visitor. */
export class Grasp {
  readonly #client: Client;
  readonly #around: Surroundings;
  readonly #reach: number;
  readonly #say: (text: string) => void;
  readonly #hands: Record<Hand, Business> = {
    left: { target: undefined, asked: undefined, grip: undefined },
    right: { target: undefined, asked: undefined, grip: undefined },
  };

  constructor(client: Client, venue: Venue, around: Surroundings, say: (text: string) => void) {
    this.#client = client;
    this.#around = around;
    this.#reach = venue.limits.grab_reach_m * REACH_SHARE;
    this.#say = say;
  }

  /** What a hand could take now. */
  target(hand: Hand): Reachable | undefined {
    return this.#hands[hand].target;
  }

  /** Chooses by a look: for hands that do not have places of their own. Returns what is looked at, in reach or not. */
  lookAt(eye: Vec3, gaze: Vec3): Reachable | undefined {
    const seen = byGaze(this.#around.reachable, eye, gaze, MEANT_FAR) as Reachable | undefined;
    for (const hand of ['left', 'right'] as const) {
      this.#hands[hand].target = this.#around.held[hand] === undefined && this.inReach(eye, seen) ? seen : undefined;
    }
    return seen;
  }

  /** Chooses by where the hands are. */
  touch(hands: Readonly<Record<Hand, Joint>>): void {
    for (const hand of ['left', 'right'] as const) {
      const free = this.#around.held[hand] === undefined;
      this.#hands[hand].target = free ? (byHand(this.#around.reachable, hands[hand].p, this.#reach) as Reachable | undefined) : undefined;
    }
  }

  /** Says whether an arm reaches an object from the eyes. */
  inReach(eye: Vec3, item: Reachable | undefined): boolean {
    return item !== undefined && distance(eye, item.at) <= ARM + this.#reach * 0.6;
  }

  /** What a hand without a place of its own is to do now. */
  task(hand: Hand, self: Self, ground: Ground): Task {
    const business = this.#hands[hand];
    const held = this.#around.held[hand];
    if (held === undefined) {
      business.grip = business.asked === undefined ? undefined : business.grip;
      // The right hand rises toward what it could take; the left one only when it is asked to.
      const wish = hand === 'right' ? business.target : undefined;
      return wish === undefined ? { kind: 'rest' } : { kind: 'reach', at: new Vector3(...wish.at), radius: wish.radius };
    }
    const put = business.grip === undefined ? undefined : this.#putting(business.grip, held, self, ground);
    return put === undefined ? { kind: 'carry' } : { kind: 'put', pose: put };
  }

  /** Where a hand must be so that what it holds stands on the surface that is looked at. */
  #putting(grip: Pose, held: Reachable, self: Self, ground: Ground): Pose | undefined {
    const eyes = self.eyes();
    const look = lookRotation(eyes.yaw, eyes.pitch);
    const way = new Vector3(0, 0, -1).applyQuaternion(look);
    const on = surfaceAt(ground, eyes.at.toArray(), way.toArray(), PUT_FAR);
    if (on === undefined) return undefined;
    const turned = look.clone().multiply(grip.q);
    const ahead = new Vector3(0, 0, -1).applyQuaternion(turned);
    const upright = lookRotation(Math.atan2(-ahead.x, -ahead.z), 0);
    const q = upright.multiply(grip.q.clone().invert());
    const p = new Vector3(on[0], on[1] + held.kind.size[1] / 2 + 0.004, on[2]).sub(grip.p.clone().applyQuaternion(q));
    return { p, q };
  }

  /** A hand is pressed: it lets go of what it holds, or takes what it could. True when there was something to do. */
  press(hand: Hand, joint: (target?: Reachable) => Joint): boolean {
    return this.#around.held[hand] !== undefined ? this.letGo(hand, joint()) : this.take(hand, joint);
  }

  /** Takes what the hand could take; `joint` gives where the hand is for that. */
  take(hand: Hand, joint: (target?: Reachable) => Joint): boolean {
    const business = this.#hands[hand];
    const { target } = business;
    if (target === undefined || business.asked !== undefined || this.#around.held[hand] !== undefined) return false;
    if (!target.grabbable) return this.use(hand, joint(target));
    const at = joint(target);
    business.asked = target.id;
    business.grip = inHand(toPose(at), toPose(target.joint));
    this.#hear(this.#client.grab(target.id, hand, at), () => {
      business.asked = undefined;
    });
    return true;
  }

  /** Lets go of what the hand holds. */
  letGo(hand: Hand, joint: Joint): boolean {
    const held = this.#around.held[hand];
    if (held === undefined) return false;
    this.#hear(this.#client.release(held.id, hand, joint));
    return true;
  }

  /** Uses what the hand holds, or what it could take. */
  use(hand: Hand, joint: Joint): boolean {
    const item = this.#around.held[hand] ?? this.#hands[hand].target;
    if (item === undefined || !item.usable) return false;
    this.#hear(this.#client.use(item.id, hand, joint));
    return true;
  }

  #hear(decision: Promise<Outcome>, done: () => void = () => undefined): void {
    decision.then(
      (o) => {
        done();
        // Whether it is durable is for those who keep books; nobody here waits for it.
        o.durable.catch(() => undefined);
        if (!o.ok) this.#say(denial(o));
      },
      () => done(), // the visit ended: that is said elsewhere
    );
  }
}
