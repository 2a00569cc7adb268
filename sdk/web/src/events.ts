// Messages of the event lane.

import { Code } from './codes.gen.ts';
import { Refused } from './refused.ts';
import type { Hand, Joint, Kind, VenueEvent, Welcome } from './types.ts';
import { toSteps, toRot } from './wire/lattice.ts';
import { VERSION } from './wire/pose.ts';

/** A welcome with what only the client itself uses. */
export interface Greeting {
  readonly welcome: Welcome;
  /** Token for the next connection. */
  readonly resume: string;
  /** Number of the last key input taken. */
  readonly cursor: number;
  readonly iceServers: readonly RTCIceServer[];
}

/** Reads a message from the server; null for one that is no message. */
export function decodeDown(text: string): VenueEvent | null {
  try {
    const m: unknown = JSON.parse(text);
    return isObject(m) && typeof m['t'] === 'string' && m['t'] !== '' ? (m as VenueEvent) : null;
  } catch {
    return null;
  }
}

function isObject(v: unknown): v is Record<string, unknown> {
  return typeof v === 'object' && v !== null && !Array.isArray(v);
}

/** A field that is a number, otherwise what stands in for it. */
export function number(m: Readonly<Record<string, unknown>>, field: string, otherwise = 0): number {
  const v = m[field];
  return typeof v === 'number' && Number.isFinite(v) ? v : otherwise;
}

/** A field that is a string, otherwise ''. */
export function text(m: Readonly<Record<string, unknown>>, field: string): string {
  const v = m[field];
  return typeof v === 'string' ? v : '';
}

/** Reads a welcome. Throws a Refused when it is of another version or lacks what a client needs. */
export function decodeWelcome(m: VenueEvent): Greeting {
  const v = number(m, 'v');
  if (v !== VERSION) {
    const advice = v > VERSION
      ? 'this page is older: load it again, without the cache; if that does not help, whoever runs it must update it'
      : 'the server is older: whoever runs it must update it';
    throw new Refused(Code.VersionUnsupported, `The server speaks protocol version ${v}, this page ${VERSION}: ${advice}.`);
  }
  const welcome: Welcome = {
    venue: text(m, 'venue'), session: text(m, 'session'), entity: text(m, 'entity'), user: text(m, 'user'), name: text(m, 'name'),
    region: text(m, 'region'), timeUS: number(m, 'time_us'), tick: number(m, 'tick'), tickUS: number(m, 'tick_us'),
    t0US: number(m, 't0_us'), phaseUS: number(m, 'phase_us'), uploadHz: number(m, 'upload_hz'), sendHz: number(m, 'send_hz'),
    graceMS: number(m, 'grace_ms'), resumed: m['resumed'] === true, full: m['full'] === true,
    place: { p: triple(m['p']), q: quad(m['q']) },
    kinds: Array.isArray(m['kinds']) ? (m['kinds'] as Kind[]) : [],
  };
  if (!(welcome.tickUS > 0 && welcome.uploadHz > 0 && welcome.sendHz > 0 && welcome.entity && welcome.session)) {
    throw new Refused(Code.BadField, 'The server\'s welcome lacks tick_us, upload_hz, send_hz, entity or session: it is no venued server, or it is broken.');
  }
  return {
    welcome, resume: text(m, 'resume'), cursor: number(m, 'cursor'),
    iceServers: Array.isArray(m['ice']) ? (m['ice'] as RTCIceServer[]) : [],
  };
}

function triple(v: unknown): readonly [number, number, number] {
  const [x, y, z] = Array.isArray(v) ? (v as unknown[]).map(Number) : [];
  return [x ?? 0, y ?? 0, z ?? 0];
}

function quad(v: unknown): readonly [number, number, number, number] {
  const [x, y, z, w] = Array.isArray(v) ? (v as unknown[]).map(Number) : [];
  return [x ?? 0, y ?? 0, z ?? 0, w ?? 1];
}

/** Writes a grab, release or use. Throws a RangeError when the joint is not one. */
export function encodeHandInput(t: 'grab' | 'release' | 'use', n: number, tsUS: number, object: string, hand: Hand, at: Joint): string {
  return JSON.stringify({ t, n, ts: Math.max(0, Math.round(tsUS)), object, hand, p: at.p, q: at.q });
}

/** Checks what a grab, release or use says before it is numbered. */
export function checkHandInput(object: string, hand: Hand, at: Joint): void {
  if (!/^[1-9][0-9]{0,19}$/.test(object)) throw new RangeError(`object is ${JSON.stringify(object)}: want an entity id, a decimal string`);
  if (hand !== 'left' && hand !== 'right') throw new RangeError(`hand is ${JSON.stringify(hand)}: want "left" or "right"`);
  for (const i of [0, 1, 2] as const) toSteps(at.p[i], `joint.p[${i}]`);
  toRot(at.q, 'joint.q');
}

const MAX_TOPIC = 64;
const MAX_DATA = 1024;

/** Writes a message to the rules. Throws a RangeError when topic or data are too long. */
export function encodeMessage(n: number, tsUS: number, topic: string, data: unknown): string {
  return JSON.stringify({ t: 'msg', n, ts: Math.max(0, Math.round(tsUS)), topic, data });
}

/** Checks a message to the rules before it is numbered. */
export function checkMessage(topic: string, data: unknown): void {
  const size = new TextEncoder().encode(topic).length;
  if (size < 1 || size > MAX_TOPIC) throw new RangeError(`topic has ${size} bytes: 1 to ${MAX_TOPIC} are allowed`);
  const json = data === undefined ? '' : JSON.stringify(data);
  if (json === undefined) throw new RangeError('data cannot be written as JSON');
  const bytes = new TextEncoder().encode(json).length;
  if (bytes > MAX_DATA) throw new RangeError(`data has ${bytes} bytes as JSON: at most ${MAX_DATA} are allowed`);
}
