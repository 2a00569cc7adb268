// The pose lane's codec, written from docs/protocol.md for this test alone: bits least significant
// first, positions in lattice steps (1/1024 m), rotations as [largest, c0, c1, c2].

const VERSION = 1;
const POSE = 1, PING = 2, PONG = 3, FRAME = 4;
const UPDATE = 0, ENTER = 1, FULL = 2, LEAVE = 3;
const MAX_BASE_AGE = 64;
const ROT_MAX = 1023;
const HEAD_WIDTHS = [6, 9, 20, 32];
const HAND_WIDTHS = [5, 8, 12, 32];
const ROT_WIDTHS = [4, 6, 8];

class BitWriter {
  bytes = [];
  used = 0; // bits
  put(value, width) {
    let v = BigInt.asUintN(width, BigInt(value));
    for (let i = 0; i < width; i++, v >>= 1n) {
      if (this.used % 8 === 0) this.bytes.push(0);
      if (v & 1n) this.bytes[this.bytes.length - 1] |= 1 << (this.used % 8);
      this.used++;
    }
  }
  point(p, narrow) {
    const wide = p.some((c) => c < -(2 ** (narrow - 1)) || c >= 2 ** (narrow - 1));
    this.put(wide ? 1 : 0, 1);
    for (const c of p) this.put(c, wide ? 32 : narrow);
  }
  rot(q) {
    this.put(q[0], 2);
    for (const c of q.slice(1)) this.put(c, 11);
  }
  done() {
    return Uint8Array.from(this.bytes);
  }
}

class BitReader {
  constructor(bytes, bit = 0) {
    this.bytes = bytes;
    this.at = bit;
  }
  big(width) {
    if (this.at + width > this.bytes.length * 8) throw new Error('cut short');
    let v = 0n;
    for (let i = 0; i < width; i++, this.at++) {
      if (this.bytes[this.at >> 3] & (1 << (this.at & 7))) v |= 1n << BigInt(i);
    }
    return v;
  }
  get(width) {
    return Number(this.big(width));
  }
  signed(width) {
    return Number(BigInt.asIntN(width, this.big(width)));
  }
  vec(width) {
    return [this.signed(width), this.signed(width), this.signed(width)];
  }
  rot() {
    return [this.get(2), this.signed(11), this.signed(11), this.signed(11)];
  }
  sized(lengthBits) {
    return this.big(8 * (this.get(lengthBits) + 1));
  }
}

const sub = (a, b) => a.map((c, i) => c - b[i]);
const add = (a, b) => a.map((c, i) => (c + b[i]) | 0);

// pose: {seq, stamp, ack: {seq, bits} | null, body: {head, left, right: {pos, rot}}}
export function encodePose({ seq, stamp, ack, body }) {
  const w = new BitWriter();
  w.put((VERSION << 4) | POSE, 8);
  w.put(seq, 16);
  w.put(stamp, 32);
  w.put(ack ? 1 : 0, 1);
  if (ack) {
    w.put(ack.seq, 16);
    w.put(ack.bits, 32);
  }
  w.point(body.head.pos, 20);
  w.rot(body.head.rot);
  for (const hand of [body.left, body.right]) {
    w.point(sub(hand.pos, body.head.pos), 12);
    w.rot(hand.rot);
  }
  return w.done();
}

export function encodePing(t0) {
  const b = new DataView(new ArrayBuffer(9));
  b.setUint8(0, (VERSION << 4) | PING);
  b.setBigUint64(1, BigInt(t0), true);
  return new Uint8Array(b.buffer);
}

export function typeOf(bytes) {
  if (bytes.length === 0) throw new Error('empty message');
  if (bytes[0] >> 4 !== VERSION) throw new Error(`version ${bytes[0] >> 4}`);
  return { [PONG]: 'pong', [FRAME]: 'frame' }[bytes[0] & 15] ?? `type ${bytes[0] & 15}`;
}

export function decodePong(bytes) {
  if (bytes.length !== 25) throw new Error(`a pong of ${bytes.length} bytes`);
  const b = new DataView(bytes.buffer, bytes.byteOffset);
  return { t0: b.getBigUint64(1, true), t1: b.getBigUint64(9, true), t2: b.getBigUint64(17, true) };
}

const zeroJoint = () => ({ pos: [0, 0, 0], rot: [0, 0, 0, 0] });
const zeroState = () => ({
  head: zeroJoint(), left: zeroJoint(), right: zeroJoint(), age_ms: 0, flags: 0, holder: 0n, value: 0,
});

function readMove(r, widths) {
  return r.vec(widths[r.get(2)]);
}

function readTurn(r, base) {
  const form = r.get(2);
  if (form === 3) return r.rot();
  return [base[0], ...base.slice(1).map((c) => c + r.signed(ROT_WIDTHS[form]))];
}

// reach returns a hand relative to the head; zero for a state without hands.
function reach(state, hand) {
  const bare = ['left', 'right'].every((h) => [...state[h].pos, ...state[h].rot].every((c) => c === 0));
  return bare ? [0, 0, 0] : sub(state[hand].pos, state.head.pos);
}

function readState(r, base) {
  const hands = r.get(1);
  const mask = r.get(hands ? 8 : 4);
  const s = { ...base, head: { ...base.head }, left: zeroJoint(), right: zeroJoint() };
  if (mask & 1) s.head.pos = add(base.head.pos, readMove(r, HEAD_WIDTHS));
  if (mask & 2) s.head.rot = readTurn(r, base.head.rot);
  if (mask & 4) s.age_ms = r.get(8);
  if (mask & 8) {
    const [flags, holder, value] = [r.get(1), r.get(1), r.get(1)];
    if (flags) s.flags = r.get(8);
    if (holder) s.holder = r.sized(3);
    if (value) s.value = Number(r.sized(2));
  }
  if (!hands) return s;
  let bit = 16;
  for (const hand of ['left', 'right']) {
    let offset = reach(base, hand);
    s[hand].rot = base[hand].rot;
    if (mask & bit) offset = add(offset, readMove(r, HAND_WIDTHS));
    if (mask & (bit << 1)) s[hand].rot = readTurn(r, base[hand].rot);
    s[hand].pos = add(s.head.pos, offset);
    bit <<= 2;
  }
  return s;
}

// View holds what one client sees and what it is to acknowledge.
export class View {
  handles = new Map(); // handle -> {info, state, history: Map(frame -> state)}
  newest = null;
  bits = 0;

  ack() {
    return this.newest === null ? null : { seq: this.newest, bits: this.bits };
  }

  // apply returns the header and records, or null for a frame that is not newer than the newest.
  apply(bytes) {
    const b = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const flags = b.getUint16(7, true);
    const header = {
      seq: b.getUint16(1, true), tick: b.getUint32(3, true), pose_seq: b.getUint16(9, true),
      has_pose: (flags & 0x4000) !== 0, throttle: (flags & 0x8000) !== 0,
    };
    const ahead = this.newest === null ? 1 : (header.seq - this.newest) & 0xffff;
    if (ahead === 0 || ahead >= 0x8000) return null;
    const r = new BitReader(bytes, 11 * 8);
    const records = [];
    let age = 1;
    for (let left = flags & 0x3fff; left > 0; left--) {
      const rec = { op: r.get(2) };
      rec.handle = r.get(1) ? r.get(16) : r.get(8);
      const known = this.handles.get(rec.handle);
      if (rec.op === UPDATE) {
        if (r.get(1)) age = r.get(6) + 1;
        const base = known?.history.get((header.seq - age) & 0xffff);
        if (!base) throw new Error(`handle ${rec.handle}: no baseline ${age} frames back`);
        rec.state = readState(r, base);
      } else if (rec.op === ENTER) {
        rec.info = { id: r.sized(3), kind: r.get(4), class: r.get(1) ? r.get(16) : r.get(8) };
        const name = new Uint8Array(r.get(6));
        for (let i = 0; i < name.length; i++) name[i] = r.get(8);
        rec.info.name = new TextDecoder().decode(name);
        rec.state = readState(r, zeroState());
      } else if (rec.op === FULL) {
        if (!known) throw new Error(`handle ${rec.handle} is not bound`);
        rec.state = readState(r, zeroState());
      }
      rec.info ??= known?.info;
      records.push(rec);
    }
    if (bytes.length * 8 - r.at >= 8) throw new Error('too long');
    this.take(header, ahead, records);
    return { header, records };
  }

  take(header, ahead, records) {
    if (this.newest !== null) {
      this.bits = ahead > 32 ? 0 : Number(((BigInt(this.bits) << BigInt(ahead)) | (1n << BigInt(ahead - 1))) & 0xffffffffn);
    }
    this.newest = header.seq;
    for (const rec of records) {
      if (rec.op === LEAVE) {
        this.handles.delete(rec.handle);
        continue;
      }
      let e = this.handles.get(rec.handle);
      if (!e) {
        e = { info: rec.info, history: new Map() };
        this.handles.set(rec.handle, e);
      }
      e.state = rec.state;
      e.history.set(header.seq, rec.state);
      for (const frame of e.history.keys()) {
        if (((header.seq - frame) & 0xffff) >= MAX_BASE_AGE) e.history.delete(frame);
      }
    }
  }

  entities() {
    return [...this.handles.values()];
  }
}

export const steps = (metres) => Math.sign(metres) * Math.round(Math.abs(metres) * 1024);

// rotation quantises a unit quaternion x, y, z, w.
export function rotation([x, y, z, w]) {
  const q = [w, x, y, z];
  let largest = 0;
  q.forEach((c, i) => { if (Math.abs(c) > Math.abs(q[largest])) largest = i; });
  const sign = q[largest] < 0 ? -1 : 1;
  const rest = q.filter((_, i) => i !== largest);
  return [largest, ...rest.map((c) => {
    const v = sign * c * Math.SQRT2 * ROT_MAX;
    return Math.max(-ROT_MAX, Math.min(ROT_MAX, Math.sign(v) * Math.round(Math.abs(v))));
  })];
}
