// The client's end of the pose lane for the life of one connection: applies frames, remembers the states that later
// frames may refer to, and knows what to acknowledge.

import { Code } from '../codes.gen.ts';
import { BitReader } from './bits.ts';
import { readDelta } from './delta.ts';
import { WireError } from './error.ts';
import { readFrameExtras, type ExtrasRecord, type LatticeExtras } from './extras.ts';
import { expectType, MSG, type Ack } from './pose.ts';
import { HISTORY_FRAMES, PAST_STATES, type PastState } from './predict.ts';
import { readState, ZERO_STATE, type State } from './state.ts';

/** Operations of a frame's records. */
export const OP = { update: 0, enter: 1, full: 2, leave: 3 } as const;
/** How many frames back a baseline may lie. */
export const MAX_BASE_AGE = 64;
/** Longest name, bytes of UTF-8. */
export const MAX_NAME = 48;
/** Bytes of a frame before its records. */
export const FRAME_HEADER = 11;

// How many frames back a state is kept: as a baseline, or as what was before one.
const KEPT_FRAMES = MAX_BASE_AGE + HISTORY_FRAMES;
// A reference: the age of an update's baseline less 1, and whether nothing before it counts.
const REF_BITS = 7;
const REF_ALONE = 64;
const COUNT_MASK = 0x3fff;
const HAS_POSE = 0x4000;
const THROTTLE = 0x8000;
const SMALLEST_RECORD = 11; // bits: a leave

/** What an enter record tells of an entity: constant for its life. */
export interface Info {
  /** Decimal string, never '0'. */
  readonly id: string;
  /** 1 avatar, 2 object, 3 door; others may come: show nothing. */
  readonly kind: number;
  readonly class: number;
  readonly name: string;
}

/** Header of a frame. */
export interface FrameHeader {
  /** Number of the frame, 16 bits. */
  readonly seq: number;
  /** Tick of the states, low 32 bits. */
  readonly tick: number;
  /** Number of the newest sample that the server received from this client, null for none. */
  readonly poseSeq: number | null;
  /** The server sends at a reduced rate now. */
  readonly throttle: boolean;
}

/** One record, resolved: info and state are those of the handle's entity whatever the operation, null for a leave of nothing. */
export interface FrameRecord {
  readonly op: number;
  readonly handle: number;
  readonly info: Info | null;
  readonly state: State;
}

/** What became of a frame. */
export interface Applied {
  readonly header: FrameHeader;
  /** Not newer than the newest frame applied: nothing took effect. */
  readonly stale: boolean;
  /**
   * The records to act on, in order. An enter that repeats one applied already comes as `full`; a leave of what is not
   * there is left out; an entity that enters under another handle comes as an enter only. Of a stale frame, the states
   * that could be read although it was overtaken: for showing motion, they change nothing else.
   */
  readonly records: readonly FrameRecord[];
  /** What it says of optional streams; of entities that it says have left, too. */
  readonly extras: readonly ExtrasRecord[];
}

interface Sample extends PastState {
  readonly frame: number;
  readonly enter: boolean; // said by an enter: what was before does not count
}

interface Slot {
  readonly handle: number;
  readonly info: Info;
  readonly since: number; // frame that bound it
  state: State;
  extras: LatticeExtras; // what the newest frame that told of each stream said
  history: Sample[]; // of the last KEPT_FRAMES frames, ascending
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** See the top of the file. Memory is proportional to what is visible and how often it is sent. */
export class View {
  readonly #slots = new Map<number, Slot>();
  readonly #byID = new Map<string, Slot>();
  #newest = -1; // number of the newest frame applied, unwrapped
  #bits = 0;
  #lost = 0;

  /** What the next sample acknowledges; null before the first frame. */
  ack(): Ack | null {
    return this.#newest < 0 ? null : { seq: this.#newest & 0xffff, bits: this.#bits };
  }

  /** Frame numbers between the first frame and the newest that were never applied: lost, overtaken or refused. */
  get lost(): number {
    return this.#lost;
  }

  /** How many entities are visible. */
  get size(): number {
    return this.#slots.size;
  }

  /** Ids of what is visible. */
  ids(): IterableIterator<string> {
    return this.#byID.keys();
  }

  /** The newest state of an entity in view. */
  state(id: string): State | undefined {
    return this.#byID.get(id)?.state;
  }

  /** What the optional streams of a handle's entity say, and whose they are. */
  extras(handle: number): { readonly id: string; readonly extras: LatticeExtras } | null {
    const slot = this.#slots.get(handle);
    return slot ? { id: slot.info.id, extras: slot.extras } : null;
  }

  /**
   * Takes one frame. All of it takes effect or nothing: throws a WireError for one that is malformed or refers to what
   * this side does not have; one that is not newer than the newest is `stale`.
   */
  apply(bytes: Uint8Array): Applied {
    const { header, count, reader } = readHeader(bytes);
    const ahead = this.#newest < 0 ? 1 : ((header.seq - this.#newest) << 16) >> 16;
    if (ahead <= 0) return { header, stale: true, records: this.#overtaken(reader, count, this.#newest + ahead, header.tick), extras: [] };
    const number = this.#newest < 0 ? 0x10000 + header.seq : this.#newest + ahead;
    const read = this.#read(reader, count, number, header.tick);
    const extras = readFrameExtras(reader);
    reader.end();
    this.#check(extras);
    if (this.#newest >= 0) {
      this.#lost += ahead - 1;
      const shifted = ahead < 32 ? this.#bits << ahead : 0;
      this.#bits = (ahead <= 32 ? shifted | (1 << (ahead - 1)) : 0) >>> 0;
    }
    this.#newest = number;
    const records: FrameRecord[] = [];
    for (const rec of read) {
      const taken = this.#take(rec, number, header.tick);
      if (taken) records.push(taken);
    }
    for (const { handle, extras: said } of extras) {
      const slot = this.#slots.get(handle); // none, if this frame said that it left
      if (slot) slot.extras = { ...slot.extras, ...said };
    }
    return { header, stale: false, records, extras };
  }

  // Refuses extras of handles that were not bound before the frame.
  #check(extras: readonly ExtrasRecord[]): void {
    extras.forEach(({ handle }, i) => {
      if (this.#slots.has(handle)) return;
      throw new WireError(Code.BadMessage, `extras ${i}: handle`, `${handle} is not bound: no enter of it was received`);
    });
  }

  // Decodes all records, resolved, without changing what the view shows.
  #read(r: BitReader, count: number, number: number, tick: number): FrameRecord[] {
    const records: FrameRecord[] = [];
    const seen = new Set<number>();
    let ref = 0;
    for (let i = 0; i < count; i++) {
      try {
        const op = r.get(2);
        const handle = r.get(r.bit() ? 16 : 8);
        if (op === OP.update && r.bit()) ref = r.get(REF_BITS);
        const info = op === OP.enter ? readInfo(r) : null;
        if (r.short) {
          throw new WireError(Code.BadMessage, 'length', `cut short: it ends after ${r.bytes.length} bytes, inside a record`);
        }
        if (seen.has(handle)) throw new WireError(Code.BadMessage, 'handle', `a second record of handle ${handle}`);
        seen.add(handle);
        records.push(this.#resolve(r, op, handle, info, number, ref, tick));
      } catch (e) {
        if (!(e instanceof WireError)) throw e;
        throw new WireError(e.code, `record ${i}: ${e.field}`, e.detail);
      }
    }
    return records;
  }

  #resolve(r: BitReader, op: number, handle: number, entered: Info | null, number: number, ref: number, tick: number): FrameRecord {
    const slot = this.#slots.get(handle);
    if (op === OP.leave) return { op, handle, info: slot?.info ?? null, state: slot?.state ?? ZERO_STATE };
    if (entered) {
      if (slot && !sameInfo(slot.info, entered)) {
        throw new WireError(Code.BadMessage, 'handle',
          `${handle} is bound to entity ${slot.info.id} and cannot enter as ${entered.id} before it left`);
      }
      return { op, handle, info: entered, state: readState(r) };
    }
    if (!slot) throw new WireError(Code.BadMessage, 'handle', `${handle} is not bound: no enter of it was received`);
    if (op === OP.full) return { op, handle, info: slot.info, state: readState(r) };
    const past = pastOf(slot, number, ref);
    if (!past) {
      throw new WireError(Code.BadMessage, 'base', `frame ${(number - age(ref)) & 0xffff} said nothing of handle ${handle}, or was not received`);
    }
    return { op, handle, info: slot.info, state: readDelta(r, past, tick) };
  }

  // Makes a record of a frame that was read to its end take effect; null when there is nothing to act on.
  #take(rec: FrameRecord, number: number, tick: number): FrameRecord | null {
    let slot = this.#slots.get(rec.handle);
    let { op } = rec;
    if (op === OP.leave) {
      if (!slot) return null;
      this.#drop(slot);
      return rec;
    }
    if (op === OP.enter && rec.info) {
      if (slot) {
        op = OP.full;
      } else {
        const old = this.#byID.get(rec.info.id);
        if (old) this.#drop(old); // it came back under another handle before its leave was through
        slot = { handle: rec.handle, info: rec.info, since: number, state: rec.state, extras: {}, history: [] };
        this.#slots.set(rec.handle, slot);
        this.#byID.set(rec.info.id, slot);
      }
    }
    if (!slot) return null; // an earlier record of this frame gave the entity a new handle
    slot.state = rec.state;
    if (rec.op === OP.enter) slot.extras = {}; // what was said before it does not count
    let old = 0;
    while (old < slot.history.length && (slot.history[old]?.frame ?? 0) + KEPT_FRAMES <= number) old++;
    if (old > 0) slot.history.splice(0, old);
    slot.history.push({ frame: number, tick, enter: rec.op === OP.enter, state: rec.state });
    return op === rec.op ? rec : { ...rec, op };
  }

  #drop(slot: Slot): void {
    this.#slots.delete(slot.handle);
    if (this.#byID.get(slot.info.id) === slot) this.#byID.delete(slot.info.id);
  }

  // Reads of a frame that came too late what is still of use: states of entities that were bound before it and still
  // are. It is read up to the first record whose baseline is not here.
  #overtaken(r: BitReader, count: number, number: number, tick: number): FrameRecord[] {
    const records: FrameRecord[] = [];
    if (number <= this.#newest - MAX_BASE_AGE || number === this.#newest) return records;
    let ref = 0;
    try {
      for (let i = 0; i < count; i++) {
        const op = r.get(2);
        const handle = r.get(r.bit() ? 16 : 8);
        if (op === OP.leave) continue;
        if (op === OP.update && r.bit()) ref = r.get(REF_BITS);
        if (op === OP.enter) readInfo(r);
        const slot = this.#slots.get(handle);
        const past = op === OP.update ? slot && pastOf(slot, number, ref) : null;
        if (past === undefined) return records;
        const state = past ? readDelta(r, past, tick) : readState(r);
        if (slot && slot.since < number && !stateAt(slot, number)) records.push({ op: OP.update, handle, info: slot.info, state });
      }
      return records;
    } catch (e) {
      if (e instanceof WireError) return records;
      throw e;
    }
  }
}

function readHeader(bytes: Uint8Array): { header: FrameHeader; count: number; reader: BitReader } {
  expectType(bytes, MSG.frame);
  if (bytes.length < FRAME_HEADER) {
    throw new WireError(Code.BadMessage, 'length', `${bytes.length} bytes; a frame has a header of ${FRAME_HEADER}`);
  }
  const v = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const flags = v.getUint16(7, true);
  const poseSeq = v.getUint16(9, true);
  if (!(flags & HAS_POSE) && poseSeq !== 0) {
    throw new WireError(Code.BadField, 'pose_seq', `${poseSeq} without the flag that says it is there`);
  }
  const header = {
    seq: v.getUint16(1, true), tick: v.getUint32(3, true),
    poseSeq: flags & HAS_POSE ? poseSeq : null, throttle: (flags & THROTTLE) !== 0,
  };
  const count = flags & COUNT_MASK;
  const reader = new BitReader(bytes, FRAME_HEADER * 8);
  if (count * SMALLEST_RECORD > reader.rest()) {
    throw new WireError(Code.BadMessage, 'length', `${count} records do not fit into ${bytes.length} bytes`);
  }
  return { header, count, reader };
}

function readInfo(r: BitReader): Info {
  const id = r.sized(3);
  const kind = r.get(4);
  const cls = r.get(r.bit() ? 16 : 8);
  const length = r.get(6);
  if (length > MAX_NAME) throw new WireError(Code.BadField, 'name', `${length} bytes; at most ${MAX_NAME}`);
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = r.get(8);
  if (r.short) return { id: '0', kind, class: cls, name: '' }; // the caller says so
  if (id === 0n) throw new WireError(Code.BadField, 'id', '0 is not an entity');
  if (kind === 0) throw new WireError(Code.BadField, 'kind', '0 is not a kind of entity');
  let name: string;
  try {
    name = utf8.decode(bytes);
  } catch {
    throw new WireError(Code.BadField, 'name', 'not UTF-8');
  }
  return { id: id.toString(), kind, class: cls, name };
}

function sameInfo(a: Info, b: Info): boolean {
  return a.id === b.id && a.kind === b.kind && a.class === b.class && a.name === b.name;
}

function stateAt(slot: Slot, frame: number): State | undefined {
  for (let i = slot.history.length - 1; i >= 0; i--) {
    const s = slot.history[i];
    if (s && s.frame <= frame) return s.frame === frame ? s.state : undefined;
  }
  return undefined;
}

// How many frames back a reference's baseline is.
function age(ref: number): number {
  return (ref & (REF_ALONE - 1)) + 1;
}

// What an update is predicted from: the baseline that a reference names and the states before it, newest first. Undefined
// when the baseline is not there.
function pastOf(slot: Slot, number: number, ref: number): [Sample, ...Sample[]] | undefined {
  const frame = number - age(ref);
  let at = slot.history.length - 1;
  while (at >= 0 && (slot.history[at]?.frame ?? 0) > frame) at--;
  const base = slot.history[at];
  if (base?.frame !== frame) return undefined;
  const past: [Sample, ...Sample[]] = [base];
  if (ref & REF_ALONE) return past;
  for (let i = at, s = base; past.length < PAST_STATES && !s.enter; past.push(s)) {
    const before = slot.history[--i];
    if (!before || before.frame + HISTORY_FRAMES < frame) break;
    s = before;
  }
  return past;
}
