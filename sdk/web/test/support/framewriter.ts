// Writes frames as a server does, for tests: always the narrowest form, masks that name only what differs.

import { BitWriter } from '../../src/wire/bits.ts';
import { allJoints, FAR_BITS, FAR_TABLES, reach } from '../../src/wire/delta.ts';
import { writeExtras, type ExtrasRecord, type LatticeExtras } from '../../src/wire/extras.ts';
import { AGE_TABLE, ESCAPE, LARGEST, type Table } from '../../src/wire/huffman.ts';
import { handed, isZero, sameRot, sub, ZERO_JOINT, type Rot, type Steps } from '../../src/wire/lattice.ts';
import { encodePong, MSG, VERSION, writePoint, writeRot, type Pong } from '../../src/wire/pose.ts';
import { KIND, Plan, type Guess, type PastState } from '../../src/wire/predict.ts';
import { MASK, NARROW_HAND, NARROW_HEAD, ZERO_STATE, type State } from '../../src/wire/state.ts';
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
  #ref = 0;
  readonly #extras: ExtrasRecord[] = [];

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
    this.#state(state);
    return this;
  }

  full(handle: number, state: State): this {
    this.#begin(OP.full, handle);
    this.#state(state);
    return this;
  }

  /** `past` is what the client has, newest first: the baseline, which the frame `base` gave, and what counts before it. */
  update(handle: number, base: number, state: State, past: readonly [PastState, ...PastState[]], alone = false, far = false): this {
    this.#begin(OP.update, handle);
    const ref = (((this.#header.seq - base) & 0xffff) - 1) | (alone ? 64 : 0);
    this.#w.bit(ref !== this.#ref);
    if (ref !== this.#ref) this.#w.put(ref, 7);
    this.#ref = ref;
    new DeltaWriter(this.#w, past, this.#header.tick, far).state(state);
    return this;
  }

  leave(handle: number): this {
    this.#begin(OP.leave, handle);
    return this;
  }

  /** What optional streams say, behind all records. */
  extras(handle: number, extras: LatticeExtras): this {
    this.#extras.push({ handle, extras });
    return this;
  }

  /** The frame; it takes nothing more. */
  done(): Uint8Array<ArrayBuffer> {
    const { seq, tick, poseSeq = null, throttle = false } = this.#header;
    const w = this.#w;
    if (this.#extras.length > 0) {
      w.put(0, -w.length & 7);
      w.put(this.#extras.length - 1, 8);
    }
    for (const { handle, extras } of this.#extras) {
      w.bit(handle > 255);
      w.put(handle, handle > 255 ? 16 : 8);
      writeExtras(w, extras);
    }
    const body = w.done();
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

  #state(s: State): void {
    const w = this.#w;
    const mask = changes(s, ZERO_STATE);
    w.bit(handed(s));
    w.put(mask, handed(s) ? 8 : 4);
    if (mask & MASK.headPos) writePoint(w, s.head.pos, NARROW_HEAD);
    if (mask & MASK.headRot) writeRot(w, s.head.rot);
    if (mask & MASK.age) w.put(s.ageMS, 8);
    if (mask & MASK.rare) writeRare(w, s, ZERO_STATE);
    if (mask & MASK.leftPos) writePoint(w, reach(s, 'left'), NARROW_HAND);
    if (mask & MASK.leftRot) writeRot(w, s.left.rot);
    if (mask & MASK.rightPos) writePoint(w, reach(s, 'right'), NARROW_HAND);
    if (mask & MASK.rightRot) writeRot(w, s.right.rot);
  }
}

class DeltaWriter {
  readonly #w: BitWriter;
  readonly #plan: Plan;
  readonly #past: readonly State[];
  readonly #base: State;
  readonly #far: boolean;

  constructor(w: BitWriter, past: readonly [PastState, ...PastState[]], tick: number, far: boolean) {
    this.#w = w;
    this.#plan = new Plan(past, tick, far ? FAR_TABLES : 0);
    this.#past = past.slice(0, this.#plan.n).map((p) => p.state);
    this.#base = past[0].state;
    this.#far = far;
  }

  state(s: State): void {
    const w = this.#w;
    const all = allJoints(handed(s));
    let mask = changes(s, this.#base);
    const aged = (mask & MASK.age) !== 0;
    const whole = !(mask & MASK.rare) && 2 * ones(mask & all) > ones(all);
    if (whole && !(aged && this.#far)) {
      if (this.#far) w.put(0b0111, 4);
      else w.put(aged ? 0b01 : 0, aged ? 2 : 1);
      mask = all | (aged ? MASK.age : 0);
    } else {
      w.put(this.#far ? 0b1111 : 0b011, this.#far ? 4 : 3);
      w.put(mask, handed(s) ? 8 : 4);
    }
    if (mask & MASK.headPos) this.#place(KIND.headPlace, s.head.pos, (p) => p.head.pos);
    if (mask & MASK.headRot) this.#turn(KIND.headTurn, s.head.rot, (p) => p.head.rot);
    if (mask & MASK.age) writeResidual(w, ((s.ageMS - this.#base.ageMS) << 24) >> 24, AGE_TABLE);
    if (mask & MASK.rare) writeRare(w, s, this.#base);
    if (mask & MASK.leftPos) this.#place(KIND.handPlace, reach(s, 'left'), (p) => reach(p, 'left'));
    if (mask & MASK.rightPos) this.#place(KIND.handPlace, reach(s, 'right'), (p) => reach(p, 'right'));
    if (mask & MASK.leftRot) this.#turn(KIND.handTurn, s.left.rot, (p) => p.left.rot);
    if (mask & MASK.rightRot) this.#turn(KIND.handTurn, s.right.rot, (p) => p.right.rot);
  }

  #place(kind: number, to: Steps, of: (s: State) => Steps): void {
    this.#three(this.#plan.place(kind, this.#past.map(of)), [to.x, to.y, to.z]);
  }

  #turn(kind: number, to: Rot, of: (s: State) => Rot): void {
    const past = this.#past.map(of);
    const usual = past[0]?.largest ?? 0;
    if (to.largest !== usual) {
      writeSymbol(this.#w, ESCAPE, this.#plan.turn(kind, past, usual).tables[0]);
      this.#w.put(to.largest, 2);
    }
    this.#three(this.#plan.turn(kind, past, to.largest), [to.a, to.b, to.c]);
  }

  #three(g: Guess, to: readonly [number, number, number]): void {
    for (const k of [0, 1, 2] as const) {
      const near = to[k] - g.at[k];
      const far = (to[k] >> FAR_BITS) - ((g.at[k] + (1 << (FAR_BITS - 1))) >> FAR_BITS);
      writeResidual(this.#w, (this.#far ? far : near) | 0, g.tables[k]);
    }
  }
}

function ones(mask: number): number {
  let n = 0;
  for (; mask; mask &= mask - 1) n++;
  return n;
}

function writeSymbol(w: BitWriter, symbol: number, t: Table): void {
  w.put(t.bits[symbol] ?? 0, t.lengths[symbol] ?? 0);
}

function writeResidual(w: BitWriter, v: number, t: Table): void {
  const size = Math.abs(v);
  if (size > LARGEST) {
    writeSymbol(w, ESCAPE, t);
    w.put(v, 32);
    return;
  }
  const octave = 31 - Math.clz32(size);
  const open = size < 8 ? 0 : octave - 2;
  writeSymbol(w, size < 8 ? size : 4 * octave - 4 + ((size >> open) & 3), t);
  if (size === 0) return;
  w.bit(v < 0);
  w.put(size & ((1 << open) - 1), open);
}

function writeRare(w: BitWriter, s: State, base: State): void {
  w.bit(s.flags !== base.flags);
  w.bit(s.holder !== base.holder);
  w.bit(s.value !== base.value);
  if (s.flags !== base.flags) w.put(s.flags, 8);
  if (s.holder !== base.holder) w.sized(BigInt(s.holder), 3);
  if (s.value !== base.value) w.sized(BigInt(s.value), 2);
}

// The mask of what differs from a baseline.
function changes(s: State, base: State): number {
  const rare = s.flags !== base.flags || s.holder !== base.holder || s.value !== base.value;
  const head =
    (isZero(sub(s.head.pos, base.head.pos)) ? 0 : MASK.headPos) | (sameRot(s.head.rot, base.head.rot) ? 0 : MASK.headRot) |
    (s.ageMS === base.ageMS ? 0 : MASK.age) | (rare ? MASK.rare : 0);
  if (!handed(s)) return head;
  const moved = (hand: 'left' | 'right') => !isZero(sub(reach(s, hand), reach(base, hand)));
  return (
    head | (moved('left') ? MASK.leftPos : 0) | (sameRot(s.left.rot, base.left.rot) ? 0 : MASK.leftRot) |
    (moved('right') ? MASK.rightPos : 0) | (sameRot(s.right.rot, base.right.rot) ? 0 : MASK.rightRot)
  );
}

/** A state with what differs from nothing. */
export function state(fields: Partial<State> = {}): State {
  return { ...ZERO_STATE, ...fields };
}

/** A joint in lattice steps with the identity rotation. */
export function at(x: number, y: number, z: number): typeof ZERO_JOINT {
  return { pos: { x, y, z }, rot: ZERO_JOINT.rot };
}
