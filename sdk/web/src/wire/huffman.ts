// Differences are coded by their size: a Huffman code for its class, then a sign and the low bits that the class leaves
// open. Sizes 0 to 7 are classes of their own, above that four classes an octave. docs/protocol.md has the code.

import type { BitReader } from './bits.ts';
import { CODEC1 } from './codec1.gen.ts';

export const SYMBOLS = 45;
/** The class of a difference that is written as it is; in a rotation, of another index. */
export const ESCAPE = SYMBOLS - 1;
/** Largest size that has a class. */
export const LARGEST = 4095;
export const TABLE_COUNT = 22;
const MAX_LENGTH = 14;

/** One Huffman code: of each class its bits, the first one lowest, and their number. */
export interface Table {
  readonly bits: Uint16Array;
  readonly lengths: Uint8Array;
  /** By the next 14 bits: class << 4 | length. */
  readonly look: Uint16Array;
}

/** A digit to base 36 for each entry. */
function digits(s: string): Uint8Array {
  return Uint8Array.from(s, (c) => parseInt(c, 36));
}

// Canonical, as in RFC 1951, 3.2.2: shorter codes first, and within a length by class.
function build(lengths: Uint8Array): Table {
  const bits = new Uint16Array(SYMBOLS);
  const look = new Uint16Array(1 << MAX_LENGTH);
  let code = 0;
  for (let n = 1; n <= MAX_LENGTH; n++, code <<= 1) {
    for (let s = 0; s < SYMBOLS; s++) {
      if (lengths[s] !== n) continue;
      let reversed = 0;
      for (let i = 0; i < n; i++) reversed |= ((code >> i) & 1) << (n - 1 - i);
      bits[s] = reversed;
      for (let next = reversed; next < look.length; next += 1 << n) look[next] = (s << 4) | n;
      code++;
    }
  }
  return { bits, lengths, look };
}

/** Ever flatter codes, two an octave of the mean size. */
export const TABLES: readonly Table[] = CODEC1.lengths.map((s) => build(digits(s)));
/** Number of a table by kind of group, level, ticks ahead less 1, bucket. */
export const MOTION_TABLES: readonly (readonly (readonly Uint8Array[])[])[] =
  CODEC1.motion.map((levels) => levels.map((rows) => rows.map(digits)));
/** Number of a table where only the baseline is known, by kind of group and ticks ahead less 1. */
export const BLIND_TABLES: readonly Uint8Array[] = CODEC1.blind.map(digits);
/** Table of the difference of ages. */
export const AGE_TABLE = TABLES[parseInt(CODEC1.age, 36)] as Table;

/** Reads a class. */
export function readSymbol(r: BitReader, t: Table): number {
  const e = t.look[r.peek(MAX_LENGTH)] ?? 0;
  r.skip(e & 15);
  return e >> 4;
}

/** Reads the rest of a difference of a class. */
export function readSize(r: BitReader, symbol: number): number {
  if (symbol === 0) return 0;
  if (symbol === ESCAPE) return r.get(32) | 0;
  const open = symbol < 8 ? 0 : (symbol >> 2) - 1;
  const rest = r.get(1 + open);
  const size = (symbol < 8 ? symbol : (4 + (symbol & 3)) << open) | (rest >> 1);
  return rest & 1 ? -size : size;
}

/** Reads a difference. */
export function readResidual(r: BitReader, t: Table): number {
  return readSize(r, readSymbol(r, t));
}
