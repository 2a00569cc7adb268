// The TypeScript codec against the Go codec: a hundred thousand frames of one seed, and poses the other way round.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WireError } from '../../src/wire/error.ts';
import type { LatticeBody, LatticeJoint, Rot, Steps } from '../../src/wire/lattice.ts';
import { encodePose, type Pose } from '../../src/wire/pose.ts';
import { View, type FrameRecord } from '../../src/wire/view.ts';
import { build, folder } from '../support/server.ts';

const FRAMES = 100_000;
const POSES = 20_000;
const seed = Number(process.env['VENUED_SEED'] ?? 1);
const dir = folder();
let program: string;

beforeAll(() => {
  program = build('./sdk/web/test/frames', dir.path);
});
afterAll(() => dir.remove());

const texts = new Map<string, Uint8Array>();
const ids = new Map<string, readonly [number, number]>();

function cached<T>(map: Map<string, T>, key: string, make: () => T): T {
  let v = map.get(key);
  if (v === undefined) map.set(key, (v = make()));
  return v;
}

// Two independent hashes over 32-bit words, as the Go side makes them.
class Digest {
  a = 2166136261 | 0;
  b = 0x9747b28c | 0;

  add(word: number): void {
    this.a = Math.imul(this.a ^ word, 16777619);
    this.b = (((this.b << 5) | (this.b >>> 27)) + Math.imul(word, 0x85ebca6b)) | 0;
  }

  text(s: string): void {
    const bytes = cached(texts, s, () => new TextEncoder().encode(s));
    this.add(bytes.length);
    for (let i = 0; i < bytes.length; i++) this.add(bytes[i] ?? 0);
  }

  id(id: string): void {
    const [low, high] = cached(ids, id, () => [Number(BigInt(id) & 0xffffffffn) | 0, Number(BigInt(id) >> 32n) | 0] as const);
    this.add(low);
    this.add(high);
  }

  body(b: LatticeBody): void {
    this.joint(b.head);
    this.joint(b.left);
    this.joint(b.right);
  }

  joint({ pos, rot }: LatticeJoint): void {
    this.add(pos.x);
    this.add(pos.y);
    this.add(pos.z);
    this.add(rot.largest);
    this.add(rot.a);
    this.add(rot.b);
    this.add(rot.c);
  }

  record(r: FrameRecord): void {
    this.add(r.op);
    this.add(r.handle);
    this.id(r.info?.id ?? '0');
    this.add(r.info?.kind ?? 0);
    this.add(r.info?.class ?? 0);
    this.text(r.info?.name ?? '');
    this.body(r.state);
    this.add(r.state.ageMS);
    this.add(r.state.flags);
    this.id(r.state.holder);
    this.add(r.state.value | 0);
  }
}

function read(view: View, frame: Uint8Array): { result: number; digest: Digest } {
  const d = new Digest();
  let result = 0;
  try {
    const { header, stale, records } = view.apply(frame);
    if (stale) {
      result = 1;
    } else {
      for (const r of records) d.record(r);
      d.add(header.tick | 0);
      d.add(header.poseSeq ?? 0);
    }
  } catch (e) {
    if (!(e instanceof WireError)) throw e;
    result = e.code;
    d.text(e.field);
  }
  const ack = view.ack();
  if (ack) {
    d.add(ack.seq);
    d.add(ack.bits | 0);
  }
  d.add(view.size);
  return { result, digest: d };
}

test(`${FRAMES} frames of seed ${seed} read as Go reads them`, () => {
  const file = `${dir.path}/frames.bin`;
  const said = execFileSync(program, ['write', '-seed', String(seed), '-frames', String(FRAMES), file]).toString();
  const bytes = readFileSync(file);
  let view = new View();
  let frames = 0;
  const results = new Map<number, number>();
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at++] === 0) {
      view = new View();
      continue;
    }
    const size = bytes.readUInt16LE(at);
    const frame = new Uint8Array(bytes.subarray(at + 2, at + 2 + size));
    at += 2 + size;
    const { result, digest } = read(view, frame);
    const want = { result: bytes.readUInt32LE(at), a: bytes.readInt32LE(at + 4), b: bytes.readInt32LE(at + 8) };
    at += 12;
    if (result !== want.result || digest.a !== want.a || digest.b !== want.b) {
      expect.fail(`frame ${frames} of seed ${seed} (VENUED_SEED): result ${result}, Go ${want.result}: ${Buffer.from(frame).toString('hex')}`);
    }
    results.set(result, (results.get(result) ?? 0) + 1);
    frames++;
  }
  expect(frames).toBe(FRAMES);
  // The seed reached what it is to reach: applied, stale, and refused for form and for values.
  expect([...results.keys()]).toEqual(expect.arrayContaining([0, 1, 100, 102]));
  expect(said).toContain(`${FRAMES} frames`);
});

// A small generator of its own (mulberry32), so that a seed is the same everywhere.
function random(state: number): (below: number) => number {
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

test(`${POSES} poses of seed ${seed} are written as Go reads and writes them`, () => {
  const next = random(seed);
  const within = (limit: number) => next(2 * limit + 1) - limit;
  const point = (): Steps => {
    const limit = [0, 40, 2047, 2048, 524_287, 524_288, 2 ** 30][next(7)] ?? 0;
    return { x: within(limit), y: within(limit), z: within(limit) };
  };
  const rot = (): Rot => ({ largest: next(4), a: within(512), b: within(512), c: within(512) });
  const chunks: Buffer[] = [];
  for (let i = 0; i < POSES; i++) {
    const body: LatticeBody = {
      head: { pos: point(), rot: rot() }, left: { pos: point(), rot: rot() }, right: { pos: point(), rot: rot() },
    };
    const pose: Pose = { seq: next(65536), stamp: next(2 ** 32), ack: next(3) > 0 ? { seq: next(65536), bits: next(2 ** 32) } : null, body };
    const bytes = encodePose(pose);
    const d = new Digest();
    d.add(pose.seq);
    d.add(pose.stamp | 0);
    if (pose.ack) {
      d.add(pose.ack.seq);
      d.add(pose.ack.bits | 0);
    }
    d.body(body);
    const entry = Buffer.alloc(2 + bytes.length + 8);
    entry.writeUInt16LE(bytes.length, 0);
    entry.set(bytes, 2);
    entry.writeInt32LE(d.a, 2 + bytes.length);
    entry.writeInt32LE(d.b, 6 + bytes.length);
    chunks.push(entry);
  }
  const file = `${dir.path}/poses.bin`;
  writeFileSync(file, Buffer.concat(chunks));
  expect(execFileSync(program, ['check', file]).toString()).toContain(`${POSES} poses`);
});
