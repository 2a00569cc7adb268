// What is in view, as the page shows it.

import { Motion } from './motion.ts';
import { HeadPredictor } from './heading.ts';
import { bodyBetween } from './math.ts';
import { fromLatticeExtras } from './extras.ts';
import type { Body, Entity, EntityState, Extras, Hand, Held, Joint } from './types.ts';
import type { LatticeExtras } from './wire/extras.ts';
import { fromLattice, sameRot, ZERO_JOINT, type LatticeJoint } from './wire/lattice.ts';
import { FLAG_AWAY, FLAG_JUMP, FLAG_LOCKED, FLAG_RIGHT, FLAG_SPEAKING, type State } from './wire/state.ts';
import type { Info } from './wire/view.ts';

const KINDS = ['', 'avatar', 'object', 'door'] as const;
// The field saturates: from here on it says only that the sample is old. Milliseconds.
const AGE_MAX_MS = 250;
const AGE_SMOOTHING = 1 / 16;
// A sample that differs from the last in nothing but rounding of its age is the same one. Microseconds.
const SAME_SAMPLE_US = 2_000;
// How fast the additional delay of an entity that is sent seldom follows, and how far.
const PAUSE_SMOOTHING = 1 / 8;
const MAX_EXTRA_US = 250_000;
/** How long it takes to ease from a prediction that was wrong to what is, microseconds. */
export const CORRECTION_US = 120_000;

/** What an entity needs of its surroundings. */
export interface Surroundings {
  /** Server time now, and what entities are shown at, microseconds. */
  nowUS(): number;
  playoutUS(): number;
  /** Server time of the newest frame's tick, microseconds. */
  frontierUS(): number;
  /** Usual time between frames, microseconds. */
  frameUS(): number;
  /** Who is shown to hold an object. */
  held(e: EntityView): Held | null;
  /** Where an object is that the own hand holds, or that was just let go; null when the venue's state counts. */
  predicted(e: EntityView): Joint | null;
}

/** Whether a kind of the wire is one to show. */
export function isKnownKind(kind: number): kind is 1 | 2 | 3 {
  return kind >= 1 && kind <= 3;
}

/** See {@link Entity}. */
export class EntityView implements Entity {
  readonly id: string;
  readonly kind: 'avatar' | 'object' | 'door';
  readonly class: number;
  readonly name: string;
  state: EntityState;
  extras: Extras = {};
  /** For predicting the head's rotation. */
  readonly heading = new HeadPredictor();
  /** Tick of the newest state. */
  tick = 0;
  /** Not told of by the present connection yet. */
  unseen = false;
  /** Smoothed age of the avatar's samples at the ticks, milliseconds. */
  ageMS: number;
  readonly #around: Surroundings;
  readonly #motion = new Motion();
  #raw: State;
  #rawExtras: LatticeExtras | null = null;
  #pauseUS = 0; // usual time between samples
  #correction: { from: Joint; atUS: number } | null = null;
  #shown: Joint | null = null; // where a prediction was shown last

  constructor(info: Info & { kind: 1 | 2 | 3 }, state: State, around: Surroundings) {
    this.id = info.id;
    this.kind = KINDS[info.kind] as 'avatar' | 'object' | 'door';
    this.class = info.class;
    this.name = info.name;
    this.ageMS = Math.min(state.ageMS, AGE_MAX_MS);
    this.#around = around;
    this.#raw = state;
    this.state = stateOf(state, 0);
  }

  get held(): Held | null {
    return this.kind === 'object' ? this.#around.held(this) : null;
  }

  /** Takes what is known of the optional streams; the same again costs nothing. */
  updateExtras(e: LatticeExtras): void {
    if (e === this.#rawExtras) return;
    this.#rawExtras = e;
    this.extras = fromLatticeExtras(e);
  }

  /** The newest state's head, metres. */
  get newest(): Joint {
    return fromLattice(this.#raw.head);
  }

  /** Who the venue says holds it. */
  get holding(): { holder: string; hand: Hand; tick: number } {
    return { holder: this.state.holder, hand: this.state.hand, tick: this.tick };
  }

  /**
   * Takes a state of a tick at a time; `late` when newer ones were taken already. `shiftUS` moves a held object's sample
   * as its holder's is moved, `stillUS` is the tick of the frame before this one.
   */
  update(state: State, tick: number, tickUS: number, stillUS: number, late: boolean, shiftUS = 0): void {
    const before = this.#raw;
    const jump = (state.flags & FLAG_JUMP) !== 0 && (before.flags & FLAG_JUMP) === 0;
    const moved = !sameBody(before, state) || this.#motion.newest === undefined;
    const timeUS = tickUS + (this.kind === 'avatar' ? this.#ageShift(state, moved && !late) : shiftUS);
    const first = this.#motion.newest === undefined;
    if (!late) {
      this.#raw = state;
      this.tick = tick;
      this.state = stateOf(state, tickUS);
    }
    if (!moved && !late && timeUS - this.#motion.newestUS < SAME_SAMPLE_US) return;
    const body = bodyOf(state);
    if (!first && !late) this.#paused(timeUS - this.#motion.newestUS);
    this.#motion.add(timeUS, body, jump, this.kind === 'avatar' ? -Infinity : stillUS);
    if (this.kind === 'avatar' && !late) {
      if (jump) this.heading.clear();
      this.heading.add(timeUS, body.head);
    }
  }

  // Samples are taken between ticks. Their age, less its usual value, tells how far this one is off its usual place:
  // without it motion would stutter by up to a tick whenever the two clocks drift past each other.
  #ageShift(state: State, learn: boolean): number {
    if (state.ageMS >= AGE_MAX_MS) return 0;
    if (learn) this.ageMS += (state.ageMS - this.ageMS) * AGE_SMOOTHING;
    return (this.ageMS - state.ageMS) * 1000;
  }

  #paused(us: number): void {
    if (us > 0 && us < 2 * MAX_EXTRA_US) this.#pauseUS += (us - this.#pauseUS) * PAUSE_SMOOTHING;
  }

  /** How far the avatar's newest sample was moved from its tick, microseconds: what it holds moves along. */
  get shiftUS(): number {
    return this.#raw.ageMS >= AGE_MAX_MS ? 0 : (this.ageMS - this.#raw.ageMS) * 1000;
  }

  // A crowd's far members are sent seldom: they are shown later by what their pauses exceed the frames' by.
  get #extraUS(): number {
    return Math.max(0, Math.min(MAX_EXTRA_US, this.#pauseUS - 1.5 * this.#around.frameUS()));
  }

  /** Keeps the place across a new connection, but nothing of how it was reached. */
  restart(): void {
    this.#motion.restart();
    this.heading.clear();
    this.unseen = true;
  }

  /** A prediction was taken back: ease from where it was shown to where it is. */
  correct(): void {
    if (this.#shown) this.#correction = { from: this.#shown, atUS: this.#around.nowUS() };
  }

  sample(timeUS?: number): Body {
    const predicted = this.kind === 'object' && timeUS === undefined ? this.#around.predicted(this) : null;
    if (predicted) {
      this.#correction = null;
      this.#shown = predicted;
      return { head: predicted, left: predicted, right: predicted };
    }
    const at = timeUS ?? this.#around.playoutUS() - this.#extraUS;
    const body = this.#motion.at(at, this.kind === 'avatar' ? -Infinity : this.#around.frontierUS()) ?? bodyOf(this.#raw);
    return this.#correction && timeUS === undefined ? this.#eased(body, this.#correction) : body;
  }

  #eased(body: Body, c: { from: Joint; atUS: number }): Body {
    const t = (this.#around.nowUS() - c.atUS) / CORRECTION_US;
    if (t >= 1) {
      this.#correction = null;
      this.#shown = null;
      return body;
    }
    const from: Body = { head: c.from, left: c.from, right: c.from };
    return bodyBetween(from, body, t * t * (3 - 2 * t));
  }

  /** The head at a time past what is shown, turned as it will be: from the samples while there are some, then predicted. */
  headAt(timeUS: number): Joint | null {
    const body = this.#motion.at(timeUS);
    if (!body) return null;
    if (timeUS <= this.#motion.newestUS) return body.head;
    return { p: body.head.p, q: this.heading.at(timeUS)?.q ?? body.head.q };
  }
}

function stateOf(s: State, tickUS: number): EntityState {
  return {
    holder: s.holder, hand: s.flags & FLAG_RIGHT ? 'right' : 'left', value: s.value,
    away: (s.flags & FLAG_AWAY) !== 0, locked: (s.flags & FLAG_LOCKED) !== 0, teleported: (s.flags & FLAG_JUMP) !== 0,
    speaking: (s.flags & FLAG_SPEAKING) !== 0, tickUS,
  };
}

function bodyOf(s: State): Body {
  const head = fromLattice(s.head);
  const bare = s.left === ZERO_JOINT && s.right === ZERO_JOINT;
  return bare ? { head, left: head, right: head } : { head, left: fromLattice(s.left), right: fromLattice(s.right) };
}

function sameBody(a: State, b: State): boolean {
  return sameJoint(a.head, b.head) && sameJoint(a.left, b.left) && sameJoint(a.right, b.right);
}

function sameJoint(a: LatticeJoint, b: LatticeJoint): boolean {
  return a === b || (a.pos.x === b.pos.x && a.pos.y === b.pos.y && a.pos.z === b.pos.z && sameRot(a.rot, b.rot));
}
