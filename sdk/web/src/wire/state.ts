// The state of an entity in a frame: differences to a baseline, named by a change mask.

import { Code } from '../codes.gen.ts';
import type { BitReader } from './bits.ts';
import { WireError } from './error.ts';
import {
  add, COORDINATE_MAX, handed, ORIGIN, ROT_MAX, sub, validRot, ZERO_JOINT,
  type LatticeBody, type LatticeJoint, type Rot, type Steps,
} from './lattice.ts';

/** What a frame says of an entity, resolved. Never changed once made. */
export interface State extends LatticeBody {
  /** Age of the sample at the frame's tick, milliseconds, at most 255. */
  readonly ageMS: number;
  /** Bits: 0 away, 1 locked, 2 in the right hand, 3 moved at once. */
  readonly flags: number;
  /** Id of the avatar that holds it, a decimal string, '0' for none. */
  readonly holder: string;
  readonly value: number;
}

export const FLAG_AWAY = 1;
export const FLAG_LOCKED = 2;
export const FLAG_RIGHT = 4;
export const FLAG_JUMP = 8;

/** The baseline of a state against nothing. */
export const ZERO_STATE: State = {
  head: ZERO_JOINT, left: ZERO_JOINT, right: ZERO_JOINT, ageMS: 0, flags: 0, holder: '0', value: 0,
};

/** Bits of the change mask, in the order of their fields. */
export const MASK = { headPos: 1, headRot: 2, age: 4, rare: 8, leftPos: 16, leftRot: 32, rightPos: 64, rightRot: 128 } as const;
/** Widths of position differences by their form. */
export const HEAD_WIDTHS = [6, 9, 20, 32] as const;
export const HAND_WIDTHS = [5, 8, 12, 32] as const;
/** Widths of rotation differences by their form; form 3 is the rotation itself. */
export const ROT_WIDTHS = [4, 6, 8] as const;

type Widths = readonly [number, number, number, number];

/** Reads x, y, z of `width` bits each. */
export function readVec(r: BitReader, width: number): Steps {
  const x = r.signed(width);
  const y = r.signed(width);
  return { x, y, z: r.signed(width) };
}

/** Reads a rotation as it is: 35 bits. */
export function readRot(r: BitReader): Rot {
  const largest = r.get(2);
  const a = r.signed(11);
  const b = r.signed(11);
  return { largest, a, b, c: r.signed(11) };
}

function readMove(r: BitReader, widths: Widths): Steps {
  return readVec(r, widths[r.get(2) as 0 | 1 | 2 | 3]);
}

function readTurn(r: BitReader, base: Rot): Rot {
  const width = ROT_WIDTHS[r.get(2)];
  if (width === undefined) return readRot(r);
  const a = base.a + r.signed(width);
  const b = base.b + r.signed(width);
  return { largest: base.largest, a, b, c: base.c + r.signed(width) };
}

/** Reads a state against a baseline. Throws a WireError when the message is cut short or the result is out of range. */
export function readState(r: BitReader, base: State): State {
  const hands = r.bit();
  const mask = r.get(hands ? 8 : 4);
  const pos = mask & MASK.headPos ? add(base.head.pos, readMove(r, HEAD_WIDTHS)) : base.head.pos;
  const rot = mask & MASK.headRot ? readTurn(r, base.head.rot) : base.head.rot;
  const ageMS = mask & MASK.age ? r.get(8) : base.ageMS;
  let { flags, holder, value } = base;
  if (mask & MASK.rare) {
    const which = r.get(3);
    if (which & 1) flags = r.get(8);
    if (which & 2) holder = r.sized(3).toString();
    if (which & 4) value = Number(r.sized(2));
  }
  let left = ZERO_JOINT;
  let right = ZERO_JOINT;
  if (hands) {
    const had = handed(base);
    left = readHand(r, pos, had ? sub(base.left.pos, base.head.pos) : ORIGIN, base.left.rot, mask & MASK.leftPos, mask & MASK.leftRot);
    right = readHand(r, pos, had ? sub(base.right.pos, base.head.pos) : ORIGIN, base.right.rot, mask & MASK.rightPos, mask & MASK.rightRot);
  }
  if (r.short) {
    throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${r.bytes.length} bytes, inside a state`);
  }
  const s: State = { head: { pos, rot }, left, right, ageMS, flags, holder, value };
  checkBody(s);
  return s;
}

function readHand(r: BitReader, head: Steps, reach: Steps, base: Rot, moves: number, turns: number): LatticeJoint {
  const offset = moves ? add(reach, readMove(r, HAND_WIDTHS)) : reach;
  const rot = turns ? readTurn(r, base) : base;
  return { pos: add(head, offset), rot };
}

/** Checks that positions are within bounds and rotations valid; throws a WireError that names the field. */
export function checkBody(b: LatticeBody): void {
  checkJoint('head', b.head);
  if (b.left !== ZERO_JOINT) checkJoint('left', b.left);
  if (b.right !== ZERO_JOINT) checkJoint('right', b.right);
}

function checkJoint(name: string, j: LatticeJoint): void {
  checkCoordinate(name, 'x', j.pos.x);
  checkCoordinate(name, 'y', j.pos.y);
  checkCoordinate(name, 'z', j.pos.z);
  if (!validRot(j.rot)) {
    const { largest, a, b, c } = j.rot;
    throw new WireError(Code.BadField, `${name}.rot`,
      `[${largest}, ${a}, ${b}, ${c}] is not a rotation: components must be within ±${ROT_MAX} and the left-out one the largest`);
  }
}

function checkCoordinate(name: string, axis: string, v: number): void {
  if (v < -COORDINATE_MAX || v > COORDINATE_MAX) {
    throw new WireError(Code.BadField, `${name}.pos.${axis}`, `${v} steps are outside ±1,048,576 m`);
  }
}
