// The full state of an entity in a frame: the fields that are not zero, named by a mask.

import { Code } from '../codes.gen.ts';
import type { BitReader } from './bits.ts';
import { WireError } from './error.ts';
import {
  add, COORDINATE_MAX, IDENTITY, ORIGIN, ROT_MAX, validRot, ZERO_JOINT, type LatticeBody, type LatticeJoint, type Rot, type Steps,
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
export const FLAG_SPEAKING = 16;

/** The state of which every field is zero. */
export const ZERO_STATE: State = {
  head: ZERO_JOINT, left: ZERO_JOINT, right: ZERO_JOINT, ageMS: 0, flags: 0, holder: '0', value: 0,
};

/** Bits of the change mask, in the order of their fields. */
export const MASK = { headPos: 1, headRot: 2, age: 4, rare: 8, leftPos: 16, leftRot: 32, rightPos: 64, rightRot: 128 } as const;
/** Width of a head's or an object's coordinate in the narrow form. */
export const NARROW_HEAD = 20;
/** Width of a hand's, relative to the head. */
export const NARROW_HAND = 12;

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

/** Reads a bit for the wide form and three coordinates. */
export function readPoint(r: BitReader, narrow: number): Steps {
  return readVec(r, r.bit() ? 32 : narrow);
}

/** Reads which of flags, holder and value follow, and those. */
export function readRare(r: BitReader, base: State): Pick<State, 'flags' | 'holder' | 'value'> {
  let { flags, holder, value } = base;
  const which = r.get(3);
  if (which & 1) flags = r.get(8);
  if (which & 2) holder = r.sized(3).toString();
  if (which & 4) value = Number(r.sized(2));
  return { flags, holder, value };
}

/** Reads a full state. Throws a WireError when the message is cut short or the result is out of range. */
export function readState(r: BitReader): State {
  const hands = r.bit();
  const mask = r.get(hands ? 8 : 4);
  const pos = mask & MASK.headPos ? readPoint(r, NARROW_HEAD) : ORIGIN;
  const rot = mask & MASK.headRot ? readRot(r) : IDENTITY;
  const ageMS = mask & MASK.age ? r.get(8) : 0;
  const { flags, holder, value } = mask & MASK.rare ? readRare(r, ZERO_STATE) : ZERO_STATE;
  let left = ZERO_JOINT;
  let right = ZERO_JOINT;
  if (hands) {
    left = readHand(r, pos, mask & MASK.leftPos, mask & MASK.leftRot);
    right = readHand(r, pos, mask & MASK.rightPos, mask & MASK.rightRot);
  }
  if (r.short) {
    throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${r.bytes.length} bytes, inside a state`);
  }
  const s: State = { head: { pos, rot }, left, right, ageMS, flags, holder, value };
  checkBody(s);
  return s;
}

function readHand(r: BitReader, head: Steps, placed: number, turned: number): LatticeJoint {
  const offset = placed ? readPoint(r, NARROW_HAND) : ORIGIN;
  return { pos: add(head, offset), rot: turned ? readRot(r) : IDENTITY };
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
