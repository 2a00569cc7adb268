import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { WireError } from '../../src/wire/error.ts';
import type { LatticeExtras } from '../../src/wire/extras.ts';
import { ZERO_JOINT, type LatticeBody, type LatticeJoint } from '../../src/wire/lattice.ts';
import { decodePing, decodePong, decodePose, encodePing, encodePong, encodePose, VERSION } from '../../src/wire/pose.ts';
import { HISTORY_FRAMES, PAST_STATES, type PastState } from '../../src/wire/predict.ts';
import { type State } from '../../src/wire/state.ts';
import { OP, View, type FrameRecord } from '../../src/wire/view.ts';
import { FrameWriter } from '../support/framewriter.ts';

interface JointVector { pos: [number, number, number]; rot: [number, number, number, number] }
interface BodyVector { head: JointVector; left: JointVector; right: JointVector }
interface ExtrasVector { gaze: [number, number] | null; left: number[] | null; right: number[] | null; root: [number, number, number, number] | null }
interface PoseVector { name: string; hex: string; seq: number; stamp: number; has_ack: boolean; ack_seq: number; ack_bits: number; body: BodyVector; said?: number; extras?: ExtrasVector }
interface RecordVector {
  op: 'update' | 'enter' | 'full' | 'leave'; handle: number; base?: number; alone?: boolean; far?: boolean; id: string; kind: number; class: number; name: string;
  state?: { body: BodyVector; age_ms: number; flags: number; holder: string; value: number };
}
interface FrameVector {
  name: string; hex: string; seq: number; tick: number; has_pose: boolean; pose_seq: number; throttle: boolean;
  records: RecordVector[]; extras?: { handle: number; said: number; extras?: ExtrasVector }[]; ack: { seq: number; bits: number }; visible: string[];
}
interface Vectors {
  version: number; poses: PoseVector[];
  pings: { hex: string; t0: string }[]; pongs: { hex: string; t0: string; t1: string; t2: string }[];
  frames: FrameVector[]; refused: { name: string; hex: string; as: string; code: number; field: string }[];
}

const file = JSON.parse(readFileSync(new URL('../../../../rtc/wire/testdata/vectors.json', import.meta.url), 'utf8')) as Vectors;
const unhex = (s: string) => Uint8Array.from(Buffer.from(s, 'hex'));
const hex = (b: Uint8Array) => Buffer.from(b).toString('hex');

function joint(v: JointVector): LatticeJoint {
  return { pos: { x: v.pos[0], y: v.pos[1], z: v.pos[2] }, rot: { largest: v.rot[0], a: v.rot[1], b: v.rot[2], c: v.rot[3] } };
}
const body = (v: BodyVector): LatticeBody => ({ head: joint(v.head), left: joint(v.left), right: joint(v.right) });
const stateOf = (v: NonNullable<RecordVector['state']>): State =>
  ({ ...body(v.body), ageMS: v.age_ms, flags: v.flags, holder: v.holder, value: v.value });

function extrasOf(said = 0, v: ExtrasVector = { gaze: null, left: null, right: null, root: null }): LatticeExtras {
  const root = v.root && { off: { x: v.root[0], y: v.root[1], z: v.root[2] }, yaw: v.root[3] };
  return {
    ...(said & 1 ? { gaze: v.gaze && { yaw: v.gaze[0], pitch: v.gaze[1] } } : {}),
    ...(said & 2 ? { fingers: v.left || v.right ? { left: v.left, right: v.right } : null } : {}),
    ...(said & 4 ? { root } : {}),
  };
}

test('the vectors are of this version', () => expect(file.version).toBe(VERSION));

describe('poses', () => {
  test.each(file.poses)('$name', (v) => {
    const pose = { seq: v.seq, stamp: v.stamp, ack: v.has_ack ? { seq: v.ack_seq, bits: v.ack_bits } : null, body: body(v.body), extras: extrasOf(v.said, v.extras) };
    expect(decodePose(unhex(v.hex))).toEqual(pose);
    expect(hex(encodePose(pose))).toBe(v.hex);
  });
});

test('pings and pongs', () => {
  for (const v of file.pings) {
    expect(decodePing(unhex(v.hex))).toBe(BigInt(v.t0));
    expect(hex(encodePing(BigInt(v.t0)))).toBe(v.hex);
  }
  for (const v of file.pongs) {
    const pong = { t0: BigInt(v.t0), t1: BigInt(v.t1), t2: BigInt(v.t2) };
    expect(decodePong(unhex(v.hex))).toEqual(pong);
    expect(hex(encodePong(pong))).toBe(v.hex);
  }
});

describe('frames', () => {
  const view = new View();
  // What was written of each handle, newest first: the baselines of updates and what was before them.
  const said = new Map<number, { seq: number; tick: number; enter: boolean; state: State }[]>();
  const pastOf = (handle: number, base: number, alone: boolean): [PastState, ...PastState[]] => {
    const all = said.get(handle) ?? [];
    const from = all.findIndex((s) => s.seq === base);
    const past: PastState[] = [];
    for (const s of all.slice(from)) {
      if (past.length === PAST_STATES || ((base - s.seq) & 0xffff) > HISTORY_FRAMES) break;
      past.push(s);
      if (s.enter || alone) break;
    }
    return past as [PastState, ...PastState[]];
  };
  test.each(file.frames)('$name', (v) => {
    const { header, stale, records, extras } = view.apply(unhex(v.hex));
    expect(stale).toBe(false);
    expect(header).toEqual({ seq: v.seq, tick: v.tick, poseSeq: v.has_pose ? v.pose_seq : null, throttle: v.throttle });
    expect(view.ack()).toEqual(v.ack);
    expect([...view.ids()].sort((a, b) => Number(BigInt(a) - BigInt(b)))).toEqual(v.visible);
    const w = new FrameWriter({ seq: v.seq, tick: v.tick, poseSeq: v.has_pose ? v.pose_seq : null, throttle: v.throttle });
    const acted = [...records];
    for (const r of v.records) {
      const want = r.state && stateOf(r.state);
      if (r.op === 'leave') w.leave(r.handle);
      else if (want && r.op === 'enter') w.enter(r.handle, { id: r.id, kind: r.kind, class: r.class, name: r.name }, want);
      else if (want && r.op === 'full') w.full(r.handle, want);
      else if (want && r.base !== undefined) w.update(r.handle, r.base, want, pastOf(r.handle, r.base, r.alone ?? false), r.alone, r.far);
      if (want) said.set(r.handle, [{ seq: v.seq, tick: v.tick, enter: r.op === 'enter', state: want }, ...(said.get(r.handle) ?? [])]);
      if (r.op === 'leave' && r.id === '0') continue; // of nothing: not acted on
      const got = acted.shift() as FrameRecord;
      expect(got.handle).toBe(r.handle);
      expect(got.info).toEqual({ id: r.id, kind: r.kind, class: r.class, name: r.name });
      if (want) expect(got.state).toEqual(want);
      expect([OP[r.op], OP.full]).toContain(got.op);
    }
    expect(acted).toEqual([]);
    expect(extras).toEqual((v.extras ?? []).map((x) => ({ handle: x.handle, extras: extrasOf(x.said, x.extras) })));
    for (const x of extras) w.extras(x.handle, x.extras);
    expect(hex(w.done())).toBe(v.hex);
  });
});

describe('refused', () => {
  const readers: Record<string, (b: Uint8Array) => unknown> = {
    pose: decodePose, ping: decodePing, pong: decodePong, frame: (b) => new View().apply(b),
  };
  test.each(file.refused)('$name', (v) => {
    let got: unknown;
    try {
      readers[v.as]?.(unhex(v.hex));
    } catch (e) {
      got = e;
    }
    expect(got).toBeInstanceOf(WireError);
    expect(got).toMatchObject({ code: v.code, field: v.field });
  });
});

test('a body without hands has the zero joint for both', () => {
  const w = new FrameWriter({ seq: 1, tick: 1 }).enter(1, { id: '9', kind: 2, class: 0, name: '' }, { ...stateOf({
    body: { head: { pos: [5, 5, 5], rot: [0, 0, 0, 0] }, left: { pos: [0, 0, 0], rot: [0, 0, 0, 0] }, right: { pos: [0, 0, 0], rot: [0, 0, 0, 0] } },
    age_ms: 0, flags: 0, holder: '0', value: 0,
  }) });
  const [rec] = new View().apply(w.done()).records;
  expect(rec?.state.left).toBe(ZERO_JOINT);
  expect(rec?.state.right).toBe(ZERO_JOINT);
});
