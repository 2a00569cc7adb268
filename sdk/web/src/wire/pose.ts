// The small messages of the pose lane: pose and ping up, pong down.

import { Code } from '../codes.gen.ts';
import { BitReader, BitWriter } from './bits.ts';
import { WireError } from './error.ts';
import { readExtras, writeExtras, type LatticeExtras } from './extras.ts';
import { add, sub, type LatticeBody, type Rot, type Steps } from './lattice.ts';
import { checkBody, NARROW_HAND, NARROW_HEAD, readPoint, readRot } from './state.ts';

/** Protocol version. */
export const VERSION = 1;
/** Types of binary message: the low four bits of the first byte. */
export const MSG = { pose: 1, ping: 2, pong: 3, frame: 4 } as const;
/** Unit of a pose's stamp, microseconds. */
export const STAMP_US = 100;

/** An acknowledgement of frames: the newest one applied, and bit i of bits for the one i + 1 before it. */
export interface Ack {
  readonly seq: number;
  readonly bits: number;
}

/** One uplink sample. */
export interface Pose {
  /** Sample number, 16 bits. */
  readonly seq: number;
  /** Server timeline in units of 100 µs, low 32 bits. */
  readonly stamp: number;
  /** Null before the first frame. */
  readonly ack: Ack | null;
  readonly body: LatticeBody;
  /** What it says of the optional streams. */
  readonly extras?: LatticeExtras;
}

/** Reads the type of a binary message. Throws a WireError that says which side is older when the version differs. */
export function typeOf(bytes: Uint8Array): number {
  const first = bytes[0];
  if (first === undefined) throw new WireError(Code.BadMessage, 'byte 0', 'the message is empty');
  const version = first >> 4;
  if (version !== VERSION) {
    const older = version > VERSION ? 'this client is older' : 'the server is older';
    throw new WireError(Code.BadVersion, 'byte 0', `protocol version ${version}; this client speaks ${VERSION}: ${older} and must be updated`);
  }
  const type = first & 15;
  if (type < MSG.pose || type > MSG.frame) {
    throw new WireError(Code.BadMessage, 'byte 0', `unknown message type ${type}; known are pose 1, ping 2, pong 3, frame 4`);
  }
  return type;
}

/** Checks that a message is of a type. */
export function expectType(bytes: Uint8Array, want: number): void {
  const type = typeOf(bytes);
  if (type !== want) throw new WireError(Code.BadMessage, 'byte 0', `message type ${type} where ${want} is expected`);
}

function expectLength(bytes: Uint8Array, type: number, length: number): DataView {
  expectType(bytes, type);
  if (bytes.length !== length) throw new WireError(Code.BadMessage, 'length', `${bytes.length} bytes; want ${length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Writes a sample: 38 bytes ordinarily, 44 with an acknowledgement, and what optional streams take. */
export function encodePose(p: Pose): Uint8Array<ArrayBuffer> {
  const w = new BitWriter();
  w.put((VERSION << 4) | MSG.pose, 8);
  w.put(p.seq, 16);
  w.put(p.stamp, 32);
  w.bit(p.ack !== null);
  if (p.ack) {
    w.put(p.ack.seq, 16);
    w.put(p.ack.bits, 32);
  }
  const { head, left, right } = p.body;
  writePoint(w, head.pos, NARROW_HEAD);
  writeRot(w, head.rot);
  writePoint(w, sub(left.pos, head.pos), NARROW_HAND);
  writeRot(w, left.rot);
  writePoint(w, sub(right.pos, head.pos), NARROW_HAND);
  writeRot(w, right.rot);
  writeExtras(w, p.extras ?? {});
  return w.done();
}

/** Reads a sample. Throws a WireError. */
export function decodePose(bytes: Uint8Array): Pose {
  expectType(bytes, MSG.pose);
  const r = new BitReader(bytes, 8);
  const seq = r.get(16);
  const stamp = r.get(32);
  let ack: Ack | null = null;
  if (r.bit()) {
    const newest = r.get(16);
    ack = { seq: newest, bits: r.get(32) };
  }
  const head = { pos: readPoint(r, NARROW_HEAD), rot: readRot(r) };
  const left = { pos: add(head.pos, readPoint(r, NARROW_HAND)), rot: readRot(r) };
  const right = { pos: add(head.pos, readPoint(r, NARROW_HAND)), rot: readRot(r) };
  const extras = readExtras(r);
  r.end();
  const body = { head, left, right };
  checkBody(body);
  return { seq, stamp, ack, body, extras };
}

/** Whether all coordinates fit into signed fields of a width. */
export function fitsIn(v: Steps, width: number): boolean {
  const limit = 2 ** (width - 1);
  const fits = (c: number) => c >= -limit && c < limit;
  return fits(v.x) && fits(v.y) && fits(v.z);
}

/** Writes a bit for the wide form and three coordinates. */
export function writePoint(w: BitWriter, v: Steps, narrow: number): void {
  const wide = !fitsIn(v, narrow);
  w.bit(wide);
  const width = wide ? 32 : narrow;
  w.put(v.x, width);
  w.put(v.y, width);
  w.put(v.z, width);
}

/** Writes a rotation as it is: 35 bits. */
export function writeRot(w: BitWriter, r: Rot): void {
  w.put(r.largest, 2);
  w.put(r.a, 11);
  w.put(r.b, 11);
  w.put(r.c, 11);
}

/** Writes a ping; `t0` is the client's clock, any 64 bits. */
export function encodePing(t0: bigint): Uint8Array<ArrayBuffer> {
  const v = new DataView(new ArrayBuffer(9));
  v.setUint8(0, (VERSION << 4) | MSG.ping);
  v.setBigUint64(1, BigInt.asUintN(64, t0), true);
  return new Uint8Array(v.buffer);
}

/** Reads a ping. Throws a WireError. */
export function decodePing(bytes: Uint8Array): bigint {
  return expectLength(bytes, MSG.ping, 9).getBigUint64(1, true);
}

/** Answer to a ping: t0 as it came, server time at reception and at sending, microseconds. */
export interface Pong {
  readonly t0: bigint;
  readonly t1: bigint;
  readonly t2: bigint;
}

/** Writes a pong. */
export function encodePong(p: Pong): Uint8Array<ArrayBuffer> {
  const v = new DataView(new ArrayBuffer(25));
  v.setUint8(0, (VERSION << 4) | MSG.pong);
  v.setBigUint64(1, p.t0, true);
  v.setBigUint64(9, p.t1, true);
  v.setBigUint64(17, p.t2, true);
  return new Uint8Array(v.buffer);
}

/** Reads a pong. Throws a WireError. */
export function decodePong(bytes: Uint8Array): Pong {
  const v = expectLength(bytes, MSG.pong, 25);
  return { t0: v.getBigUint64(1, true), t1: v.getBigUint64(9, true), t2: v.getBigUint64(17, true) };
}
