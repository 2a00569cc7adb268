// Where an update's numbers are expected, and which code each difference has. The same integers in every language: see
// docs/protocol.md, "Prediction".

import { BLIND_TABLES, MOTION_TABLES, TABLES, type Table } from './huffman.ts';
import { sameRot, type Rot, type Steps } from './lattice.ts';
import type { State } from './state.ts';

/** How many states an update is predicted from: its baseline and those before. */
export const PAST_STATES = 4;
/** How many frames before its baseline a state may lie that an update is predicted from. */
export const HISTORY_FRAMES = 16;

/** A state that an update is predicted from, and the tick of its frame, 32 bits. */
export interface PastState {
  readonly state: State;
  readonly tick: number;
}

/** Kinds of groups: they move differently. */
export const KIND = { headPlace: 0, handPlace: 1, headTurn: 2, handTurn: 3 } as const;

const MAX_AHEAD = 8;
const MAX_GAP = 64;
const MAX_DELTA = 2047;
const BUCKETS = 24;
const GAIN_ALONE = 224;
const GAIN_VELOCITY = [250, 246, 240, 232, 224, 216, 208, 200] as const;
const GAIN_ACCELERATION = [60, 48, 44, 40, 36, 32, 28, 24] as const;

type Three = [number, number, number];
type Four = [number, number, number, number];

/** Three numbers that are expected, and the code of each difference. */
export interface Guess {
  readonly at: Three;
  readonly tables: [Table, Table, Table];
}

/** How to carry motion on from past states, newest first, to a tick. */
export class Plan {
  /** How many of the past states to use. */
  readonly n: number;
  readonly #ahead: number;
  readonly #gap: Three = [1, 1, 1];
  readonly #k1: number = 0;
  readonly #k2: number = 0;
  readonly #shift: number;

  /** `shift` says how many tables less to take: for differences in far steps. */
  constructor(past: readonly PastState[], tick: number, shift: number) {
    this.#shift = shift;
    const a = Math.min(Math.max((tick - (past[0]?.tick ?? 0)) | 0, 1), MAX_AHEAD);
    this.#ahead = a;
    let n = 1;
    for (; n < past.length; n++) {
      const gap = ((past[n - 1]?.tick ?? 0) - (past[n]?.tick ?? 0)) | 0;
      if (gap < 1 || gap > MAX_GAP) break;
      this.#gap[n - 1] = gap;
    }
    this.n = n;
    const [b, c] = this.#gap;
    const v = GAIN_VELOCITY[a - 1] ?? 0;
    const w = GAIN_ACCELERATION[a - 1] ?? 0;
    if (n >= 3) {
      this.#k1 = Math.trunc((v * a) / b) + Math.trunc((w * a * (a + b)) / (b * (b + c)));
      this.#k2 = Math.trunc((w * a * (a + b)) / (c * (b + c)));
    } else if (n === 2) {
      this.#k1 = Math.trunc((GAIN_ALONE * a) / b);
    }
  }

  /** Predicts a point from where it was, newest first. */
  place(kind: number, past: readonly Steps[]): Guess {
    const v = past.map((p): Three => [p.x, p.y, p.z]);
    const d = differences(v, delta);
    const at = v[0] ?? [0, 0, 0];
    for (let k = 0; k < 3; k++) at[k] = ((at[k] ?? 0) + this.#carried(d[0]?.[k] ?? 0, d[1]?.[k] ?? 0)) | 0;
    return { at, tables: this.#tables(kind, d, 32) };
  }

  /** Predicts a rotation from what it was; the numbers are the components beside the one of index `leftOut`. */
  turn(kind: number, past: readonly Rot[], leftOut: number): Guess {
    const now = past[0] as Rot;
    if (leftOut === now.largest && past.every((r) => sameRot(r, now))) {
      return { at: [now.a, now.b, now.c], tables: this.#tables(kind, past.slice(1).map((): Three => [0, 0, 0]), 2) };
    }
    const q = [whole(now)];
    const d: Four[] = [];
    for (let i = 0; i + 1 < past.length; i++) {
      const newer = q[i] as Four;
      const older = whole(past[i + 1] as Rot);
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += (older[k] ?? 0) * (newer[k] ?? 0);
      if (dot < 0) for (let k = 0; k < 4; k++) older[k] = -(older[k] ?? 0);
      q.push(older);
      const far = Math.abs(dot) < QUARTER_TURN; // a glitch, not motion
      d.push(older.map((c, k) => (far ? 0 : (newer[k] ?? 0) - c)) as Four);
    }
    let to = q[0] as Four;
    const carried = to.map((c, k) => c + this.#carried(d[0]?.[k] ?? 0, d[1]?.[k] ?? 0)) as Four;
    let length = Math.floor(Math.sqrt(carried.reduce((sum, c) => sum + c * c, 0)));
    if (length === 0) length = ONE;
    else to = carried;
    const sign = (to[leftOut] ?? 0) < 0 ? -1 : 1;
    const others = [0, 1, 2, 3].filter((k) => k !== leftOut);
    const at = others.map((k) => Math.floor((sign * (to[k] ?? 0) * 2048 + length) / (2 * length))) as Three;
    return { at, tables: this.#tables(kind, d.map((x) => others.map((k) => x[k] ?? 0) as Three), 2) };
  }

  #carried(d1: number, d2: number): number {
    return (this.#k1 * d1 - this.#k2 * d2 + 128) >> 8;
  }

  // By how much the velocity changed, of the number itself and of all three; `unit` times a difference is in 1/32 step.
  #tables(kind: number, d: readonly Three[], unit: number): [Table, Table, Table] {
    if (this.n === 1) {
      const t = this.#table(BLIND_TABLES[kind]?.[this.#ahead - 1]);
      return [t, t, t];
    }
    const speed = (i: number, k: number) => Math.trunc(((d[i]?.[k] ?? 0) * unit) / (this.#gap[i] ?? 1));
    const change = [0, 1, 2].map((k) => {
      if (this.n === 2) return 4 * Math.abs(speed(0, k));
      const newer = Math.abs(speed(0, k) - speed(1, k));
      return this.n === 3 ? 8 * newer : 5 * newer + 3 * Math.abs(speed(1, k) - speed(2, k));
    }) as Three;
    const sum = change[0] + change[1] + change[2];
    const row = MOTION_TABLES[kind]?.[this.n === 2 ? 0 : 1]?.[this.#ahead - 1];
    return change.map((c) => this.#table(row?.[bucket(((3 * c + sum) * this.#ahead) >> 7)])) as [Table, Table, Table];
  }

  #table(number = 0): Table {
    return TABLES[Math.max(number - this.#shift, 0)] as Table;
  }
}

function differences(v: readonly Three[], minus: (a: number, b: number) => number): Three[] {
  const d: Three[] = [];
  for (let i = 0; i + 1 < v.length; i++) d.push((v[i] as Three).map((a, k) => minus(a, v[i + 1]?.[k] ?? 0)) as Three);
  return d;
}

// The difference of two coordinates; 0 when it is so large that it tells of no motion.
function delta(a: number, b: number): number {
  const d = (a - b) | 0;
  return d <= MAX_DELTA && d >= -MAX_DELTA ? d : 0;
}

// Puts a size into one of the buckets: two an octave.
function bucket(e: number): number {
  if (e < 2) return e;
  const n = 32 - Math.clz32(e);
  return Math.min(2 * n - 1 + ((e >> (n - 2)) & 1), BUCKETS - 1);
}

const ONE = 1 << 14;
const QUARTER_TURN = Math.floor((2 ** 28 * 7) / 10);

// A rotation, w, x, y, z, in 1/16384.
function whole(r: Rot): Four {
  const { a, b, c, largest } = r;
  const left = 2 ** 28 - 256 * (a * a + b * b + c * c);
  const d = Math.floor(Math.sqrt(Math.max(left, 0)));
  const q: number[] = [16 * a, 16 * b, 16 * c];
  q.splice(largest, 0, d);
  return q as Four;
}
