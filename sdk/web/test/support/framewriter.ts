// Writes frames as a server does, for tests: always the narrowest form, masks that name only what differs.

import { BitWriter } from '../../src/wire/bits.ts';
import { handed, isZero, ORIGIN, sameRot, sub, ZERO_JOINT, type Rot, type Steps } from '../../src/wire/lattice.ts';
import { encodePong, fitsIn, VERSION, MSG, writeRot, type Pong } from '../../src/wire/pose.ts';
import { HAND_WIDTHS, HEAD_WIDTHS, MASK, ROT_WIDTHS, ZERO_STATE, type State } from '../../src/wire/state.ts';
import { OP, type Info } from '../../src/wire/view.ts';

export { encodePong, type Pong };

export interface HeaderFields {
  seq: number;
  tick: number;
  poseSeq?: number | null;
  throttle?: boolean;
}

export class FrameWriter {
  readonly #w = new BitWriter();
  readonly #header: HeaderFields;
  #count = 0;
  #age = 1;

  constructor(header: HeaderFields) {
    this.#header = header;
  }

  enter(handle: number, info: Info, state: State): this {
    this.#begin(OP.enter, handle);
    const w = this.#w;
    w.sized(BigInt(info.id), 3);
    w.put(info.kind, 4);
    w.bit(info.class > 255);
    w.put(info.class, info.class > 255 ? 16 : 8);
    const name = new TextEncoder().encode(info.name);
    w.put(name.length, 6);
    for (const b of name) w.put(b, 8);
    this.#state(state, ZERO_STATE);
    return this;
  }

  full(handle: number, state: State): this {
    this.#begin(OP.full, handle);
    this.#state(state, ZERO_STATE);
    return this;
  }

  update(handle: number, base: number, state: State, baseState: State): this {
    this.#begin(OP.update, handle);
    const age = (this.#header.seq - base) & 0xffff;
    this.#w.bit(age !== this.#age);
    if (age !== this.#age) this.#w.put(age - 1, 6);
    this.#age = age;
    this.#state(state, baseState);
    return this;
  }

  leave(handle: number): this {
    this.#begin(OP.leave, handle);
    return this;
  }

  done(): Uint8Array<ArrayBuffer> {
    const { seq, tick, poseSeq = null, throttle = false } = this.#header;
    const body = this.#w.done();
    const bytes = new Uint8Array(11 + body.length);
    const v = new DataView(bytes.buffer);
    v.setUint8(0, (VERSION << 4) | MSG.frame);
    v.setUint16(1, seq, true);
    v.setUint32(3, tick, true);
    v.setUint16(7, this.#count | (poseSeq === null ? 0 : 0x4000) | (throttle ? 0x8000 : 0), true);
    v.setUint16(9, poseSeq ?? 0, true);
    bytes.set(body, 11);
    return bytes;
  }

  #begin(op: number, handle: number): void {
    this.#count++;
    this.#w.put(op, 2);
    this.#w.bit(handle > 255);
    this.#w.put(handle, handle > 255 ? 16 : 8);
  }

  #state(cur: State, base: State): void {
    const w = this.#w;
    const head = sub(cur.head.pos, base.head.pos);
    const hands = handed(cur);
    const had = handed(base);
    const reach = (s: State, hand: 'left' | 'right', has: boolean) => (has ? sub(s[hand].pos, s.head.pos) : ORIGIN);
    const left = sub(reach(cur, 'left', hands), reach(base, 'left', had));
    const right = sub(reach(cur, 'right', hands), reach(base, 'right', had));
    const rare = cur.flags !== base.flags || cur.holder !== base.holder || cur.value !== base.value;
    let mask =
      (isZero(head) ? 0 : MASK.headPos) | (sameRot(cur.head.rot, base.head.rot) ? 0 : MASK.headRot) |
      (cur.ageMS === base.ageMS ? 0 : MASK.age) | (rare ? MASK.rare : 0);
    if (hands) {
      mask |=
        (isZero(left) ? 0 : MASK.leftPos) | (sameRot(cur.left.rot, base.left.rot) ? 0 : MASK.leftRot) |
        (isZero(right) ? 0 : MASK.rightPos) | (sameRot(cur.right.rot, base.right.rot) ? 0 : MASK.rightRot);
    }
    w.bit(hands);
    w.put(mask, hands ? 8 : 4);
    if (mask & MASK.headPos) this.#move(head, HEAD_WIDTHS);
    if (mask & MASK.headRot) this.#turn(cur.head.rot, base.head.rot);
    if (mask & MASK.age) w.put(cur.ageMS, 8);
    if (mask & MASK.rare) this.#rare(cur, base);
    if (mask & MASK.leftPos) this.#move(left, HAND_WIDTHS);
    if (mask & MASK.leftRot) this.#turn(cur.left.rot, base.left.rot);
    if (mask & MASK.rightPos) this.#move(right, HAND_WIDTHS);
    if (mask & MASK.rightRot) this.#turn(cur.right.rot, base.right.rot);
  }

  #rare(cur: State, base: State): void {
    const w = this.#w;
    w.bit(cur.flags !== base.flags);
    w.bit(cur.holder !== base.holder);
    w.bit(cur.value !== base.value);
    if (cur.flags !== base.flags) w.put(cur.flags, 8);
    if (cur.holder !== base.holder) w.sized(BigInt(cur.holder), 3);
    if (cur.value !== base.value) w.sized(BigInt(cur.value), 2);
  }

  #move(d: Steps, widths: readonly number[]): void {
    const form = widths.findIndex((width) => fitsIn(d, width));
    const width = widths[form] ?? 32;
    this.#w.put(form, 2);
    this.#w.put(d.x, width);
    this.#w.put(d.y, width);
    this.#w.put(d.z, width);
  }

  #turn(cur: Rot, base: Rot): void {
    const d = { x: cur.a - base.a, y: cur.b - base.b, z: cur.c - base.c };
    const form = cur.largest === base.largest ? ROT_WIDTHS.findIndex((width) => fitsIn(d, width)) : -1;
    const width = ROT_WIDTHS[form];
    if (width === undefined) {
      this.#w.put(3, 2);
      writeRot(this.#w, cur);
      return;
    }
    this.#w.put(form, 2);
    this.#w.put(d.x, width);
    this.#w.put(d.y, width);
    this.#w.put(d.z, width);
  }
}

/** A state with what differs from nothing. */
export function state(fields: Partial<State> = {}): State {
  return { ...ZERO_STATE, ...fields };
}

/** A joint in lattice steps with the identity rotation. */
export function at(x: number, y: number, z: number): typeof ZERO_JOINT {
  return { pos: { x, y, z }, rot: ZERO_JOINT.rot };
}
