// The optional streams of the pose lane: where the eyes look, how far the fingers are bent, where the body stands. They come in parts, each
// of which says all there is to say of a stream.

import { Code } from '../codes.gen.ts';
import type { BitReader, BitWriter } from './bits.ts';
import { WireError } from './error.ts';
import type { Steps } from './lattice.ts';

/** Steps of a gaze in a quarter turn. */
export const GAZE_STEPS = 256;
/** Steps of a curl from a straight finger to a bent one. */
export const CURL_STEPS = 31;
/** Steps of a root's yaw in a turn. */
export const YAW_STEPS = 1024;
/** A root is nearer to the head than this along each axis, steps. */
export const ROOT_SPAN = 4096;

const STREAMS = 3;
const GAZE_BITS = 9;
const HANDS_BITS = 2;
const CURL_BITS = 5;
const FINGERS = 5;
const ROOT_BITS = 13;
const YAW_BITS = 10;
const SMALLEST_ITEM = 1 + 8 + STREAMS + 1; // bits: a short handle, and a stream that has ended

/** Yaw to the left, then pitch upward, relative to the head, in steps. */
export interface LatticeGaze {
  readonly yaw: number;
  readonly pitch: number;
}

/** Curls in steps, thumb first, of the hands that are tracked: at least one. */
export interface LatticeFingers {
  readonly left: readonly number[] | null;
  readonly right: readonly number[] | null;
}

/** Where a body stands, less the head's place, and where its front points about y, in steps. */
export interface LatticeRoot {
  readonly off: Steps;
  readonly yaw: number;
}

/** What is said of optional streams: nothing of those that are undefined; those that are null are not there, or have ended. */
export interface LatticeExtras {
  readonly gaze?: LatticeGaze | null;
  readonly fingers?: LatticeFingers | null;
  readonly root?: LatticeRoot | null;
}

/** What a frame says of an avatar's optional streams. */
export interface ExtrasRecord {
  readonly handle: number;
  readonly extras: LatticeExtras;
}

/** Writes parts. */
export function writeExtras(w: BitWriter, e: LatticeExtras): void {
  const { gaze, fingers, root } = e;
  w.bit(gaze !== undefined);
  w.bit(fingers !== undefined);
  w.bit(root !== undefined);
  if (gaze !== undefined) w.bit(gaze !== null);
  if (gaze) {
    w.put(gaze.yaw, GAZE_BITS);
    w.put(gaze.pitch, GAZE_BITS);
  }
  if (fingers !== undefined) w.bit(fingers !== null);
  if (fingers) {
    w.put((fingers.left ? 1 : 0) | (fingers.right ? 2 : 0), HANDS_BITS);
    for (const c of [...(fingers.left ?? []), ...(fingers.right ?? [])]) w.put(c, CURL_BITS);
  }
  if (root !== undefined) w.bit(root !== null);
  if (root) {
    w.put(root.off.x, ROOT_BITS);
    w.put(root.off.y, ROOT_BITS);
    w.put(root.off.z, ROOT_BITS);
    w.put(root.yaw, YAW_BITS);
  }
}

/** Reads parts. Throws a WireError. */
export function readExtras(r: BitReader): LatticeExtras {
  const said = r.get(STREAMS);
  const e: { -readonly [K in keyof LatticeExtras]: LatticeExtras[K] } = {};
  if (said & 1) e.gaze = r.bit() ? { yaw: r.signed(GAZE_BITS), pitch: r.signed(GAZE_BITS) } : null;
  if (said & 2) e.fingers = r.bit() ? readFingers(r) : null;
  if (said & 4) {
    e.root = r.bit()
      ? { off: { x: r.signed(ROOT_BITS), y: r.signed(ROOT_BITS), z: r.signed(ROOT_BITS) }, yaw: r.get(YAW_BITS) }
      : null;
  }
  return e;
}

function readFingers(r: BitReader): LatticeFingers {
  const hands = r.get(HANDS_BITS);
  if (hands === 0 && !r.short) {
    throw new WireError(Code.BadField, 'fingers.hands', '0: want 1 (left), 2 (right) or 3; fingers that are not tracked are not there');
  }
  const curls = (hand: number) => (hands & hand ? Array.from({ length: FINGERS }, () => r.get(CURL_BITS)) : null);
  return { left: curls(1), right: curls(2) };
}

/** Reads what a frame says behind its records, to its end. Throws a WireError. */
export function readFrameExtras(r: BitReader): ExtrasRecord[] {
  const all: ExtrasRecord[] = [];
  if (r.short) return all; // the caller says so
  if (r.get(-r.at & 7) !== 0) throw new WireError(Code.BadMessage, 'length', 'the unused bits after the records are not zero');
  if (r.rest() === 0) return all;
  const n = r.get(8) + 1;
  if (n * SMALLEST_ITEM > r.rest()) {
    throw new WireError(Code.BadMessage, 'length', `extras of ${n} avatars do not fit into ${r.rest() >> 3} bytes`);
  }
  for (let i = 0; i < n; i++) {
    try {
      const handle = r.get(r.bit() ? 16 : 8);
      const extras = readExtras(r);
      if (r.short) throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${r.bytes.length} bytes, inside extras`);
      if (Object.keys(extras).length === 0) throw new WireError(Code.BadMessage, 'streams', `none of handle ${handle}`);
      all.push({ handle, extras });
    } catch (e) {
      if (!(e instanceof WireError)) throw e;
      throw new WireError(e.code, `extras ${i}: ${e.field}`, e.detail);
    }
  }
  return all;
}
