// The state of an update: differences to where its numbers are expected, or to the baseline for what does not move.

import { Code } from '../codes.gen.ts';
import type { BitReader } from './bits.ts';
import { WireError } from './error.ts';
import { AGE_TABLE, ESCAPE, readResidual, readSize, readSymbol } from './huffman.ts';
import { add, handed, ORIGIN, ROT_MAX, sub, ZERO_JOINT, type LatticeJoint, type Rot, type Steps } from './lattice.ts';
import { KIND, Plan, type Guess, type PastState } from './predict.ts';
import { checkBody, MASK, readRare, type State } from './state.ts';

/** A far step is four steps. */
export const FAR_BITS = 2;
/** Tables less for differences in far steps. */
export const FAR_TABLES = 2 * FAR_BITS;

/** The joints of a mask: all that a body has. */
export function allJoints(hands: boolean): number {
  const head = MASK.headPos | MASK.headRot;
  return hands ? head | MASK.leftPos | MASK.leftRot | MASK.rightPos | MASK.rightRot : head;
}

/** Hands relative to the head; zero for a body without hands. */
export function reach(s: State, hand: 'left' | 'right'): Steps {
  return handed(s) ? sub(s[hand].pos, s.head.pos) : ORIGIN;
}

/**
 * Reads the state of a tick against past states, newest first, at least the baseline. Throws a WireError when the message
 * is cut short or the result is out of range.
 */
export function readDelta(r: BitReader, past: readonly [PastState, ...PastState[]], tick: number): State {
  const base = past[0].state;
  const hands = handed(base);
  let mask = allJoints(hands);
  let form = 0;
  while (form < 4 && r.bit()) form++;
  const far = form > 2;
  if (form === 1) mask |= MASK.age;
  else if (form === 2 || form === 4) mask = r.get(hands ? 8 : 4);
  const s = new DeltaReader(r, past, tick, far).state(base, mask, hands);
  if (r.short) {
    throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${r.bytes.length} bytes, inside a state`);
  }
  checkBody(s);
  return s;
}

class DeltaReader {
  readonly #r: BitReader;
  readonly #plan: Plan;
  readonly #past: readonly State[];
  readonly #far: boolean;

  constructor(r: BitReader, past: readonly PastState[], tick: number, far: boolean) {
    this.#r = r;
    this.#plan = new Plan(past, tick, far ? FAR_TABLES : 0);
    this.#past = past.slice(0, this.#plan.n).map((p) => p.state);
    this.#far = far;
  }

  state(base: State, mask: number, hands: boolean): State {
    const pos = mask & MASK.headPos ? this.#place(KIND.headPlace, (s) => s.head.pos) : base.head.pos;
    const rot = mask & MASK.headRot ? this.#turn(KIND.headTurn, (s) => s.head.rot) : base.head.rot;
    let { ageMS, flags, holder, value } = base;
    if (mask & MASK.age) ageMS = (ageMS + readResidual(this.#r, AGE_TABLE)) & 255;
    if (mask & MASK.rare) ({ flags, holder, value } = readRare(this.#r, base));
    let left: LatticeJoint = ZERO_JOINT;
    let right: LatticeJoint = ZERO_JOINT;
    if (hands) {
      const l = mask & MASK.leftPos ? this.#place(KIND.handPlace, (s) => reach(s, 'left')) : reach(base, 'left');
      const k = mask & MASK.rightPos ? this.#place(KIND.handPlace, (s) => reach(s, 'right')) : reach(base, 'right');
      left = { pos: add(pos, l), rot: mask & MASK.leftRot ? this.#turn(KIND.handTurn, (s) => s.left.rot) : base.left.rot };
      right = { pos: add(pos, k), rot: mask & MASK.rightRot ? this.#turn(KIND.handTurn, (s) => s.right.rot) : base.right.rot };
    }
    return { head: { pos, rot }, left, right, ageMS, flags, holder, value };
  }

  #place(kind: number, of: (s: State) => Steps): Steps {
    const g = this.#plan.place(kind, this.#past.map(of));
    const x = this.#at(g, 0, readResidual(this.#r, g.tables[0]));
    const y = this.#at(g, 1, readResidual(this.#r, g.tables[1]));
    return { x, y, z: this.#at(g, 2, readResidual(this.#r, g.tables[2])) };
  }

  #turn(kind: number, of: (s: State) => Rot): Rot {
    const past = this.#past.map(of);
    let largest = past[0]?.largest ?? 0;
    let g = this.#plan.turn(kind, past, largest);
    let symbol = readSymbol(this.#r, g.tables[0]);
    if (symbol === ESCAPE) {
      largest = this.#r.get(2);
      g = this.#plan.turn(kind, past, largest);
      symbol = readSymbol(this.#r, g.tables[0]);
    }
    const a = this.#component(g, 0, symbol);
    const b = this.#component(g, 1, readSymbol(this.#r, g.tables[1]));
    return { largest, a, b, c: this.#component(g, 2, readSymbol(this.#r, g.tables[2])) };
  }

  #component(g: Guess, k: 0 | 1 | 2, symbol: number): number {
    const limit = 2 * (ROT_MAX + 1); // which checkBody refuses
    return Math.max(-limit, Math.min(limit, this.#at(g, k, readSize(this.#r, symbol))));
  }

  #at(g: Guess, k: 0 | 1 | 2, difference: number): number {
    if (this.#far) return (((g.at[k] + (1 << (FAR_BITS - 1))) >> FAR_BITS) + difference) << FAR_BITS;
    return (g.at[k] + difference) | 0;
  }
}
