/**
 * Write rule plugins for venued in AssemblyScript.
 *
 *     import { handle, Init, Batch, Commands, EVENT_USE } from "@venued/rules";
 *     export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "@venued/rules";
 *
 *     handle(
 *       (settings: Init): i32 => 0,
 *       (batch: Batch, out: Commands): void => {
 *         for (let i: u32 = 0; i < batch.events; i++) {
 *           const e = batch.event(i);
 *           if (e.kind == EVENT_USE) out.accept(i + 1);
 *         }
 *       },
 *     );
 *
 * In a project that `venued rule new` made, the kit is "./kit/index" instead. `venued rule build` knows the compiler's flags. Positions are lattice
 * steps of 1/1024 m in venue coordinates, y up; times are microseconds of server time. The same batch and state must give the same
 * commands. Keep nothing in globals that matters: the host may start the plugin anew before any call. What must last belongs in kv; migrate has
 * what becomes of it when its layout changes. With --runtime stub nothing is ever freed: allocate nothing in a tick then.
 */
import { fail } from "./abort";
import {
  Command, Event, Header, Row, Setting, CMD_ACCEPT, CMD_DENY, CMD_DOOR, CMD_EMIT, CMD_GRANT, CMD_LOCK, CMD_RELEASE, CMD_SET_POSE,
  CMD_SCORE, CMD_SET_STATE, CMD_SIGNAL, CMD_TELEPORT, CMD_TIMER_CANCEL, CMD_TIMER_START, COMMAND_HEADER_SIZE, COMMAND_SIZE, EVENT_SIZE, HEADER_SIZE, MAGIC_COMMANDS,
  MAX_COMMANDS, MAX_INPUT, MAX_OUTPUT, MINOR, SCOPE_REGION, SCOPE_VENUE, SETTING_BOOL, SETTING_FIXED, SETTING_INT, SETTING_TEXT,
} from "./schema";

export * from "./schema";

/** The largest number of events that a batch of this version can hold. */
export const MAX_EVENTS: u32 = (MAX_INPUT - HEADER_SIZE) / EVENT_SIZE;

/** Part i of the unit quaternion of a pose: x, y, z, w, in 1/ROTATION_ONE. */
export function rotation(pose: Row, i: u32): i16 {
  return (pose.aux >> (16 * i)) as i16;
}

/** A tick's events and rows. Records may be longer than the classes here: the header says by how much to step. */
@unmanaged
export class Batch extends Header {
  /** Event i, from 0. Commands answer it by the number i + 1. */
  event(i: u32): Event {
    return changetype<Event>(changetype<usize>(this) + this.headerSize + i * this.eventSize);
  }

  /** Row i, from 0. */
  row(i: u32): Row {
    return changetype<Row>(changetype<usize>(this) + this.headerSize + this.events * this.eventSize + i * this.rowSize);
  }

  /** The address of an event's data: dataLength bytes. */
  data(e: Event): usize {
    return changetype<usize>(this) + e.dataOffset;
  }

  /**
   * The address of part i of an event's data, which zero bytes split into that many parts: topic and payload of a message are
   * two, sender, topic and payload of a signal are three. Where a zero byte is missing, the parts behind are empty.
   */
  partAt(e: Event, i: u32, parts: u32): usize {
    let at = this.data(e);
    const end = at + e.dataLength;
    for (; i > 0 && parts > 1; i--, parts--) {
      while (at < end && load<u8>(at) != 0) at++;
      if (at < end) at++;
    }
    return at;
  }

  /** The length of that part. */
  partLength(e: Event, i: u32, parts: u32): u32 {
    const start = this.partAt(e, i, parts), end = this.data(e) + e.dataLength;
    if (i + 1 >= parts) return (end - start) as u32;
    let at = start;
    while (at < end && load<u8>(at) != 0) at++;
    return (at - start) as u32;
  }
}

/** The settings of the rule. */
@unmanaged
export class Init {
  /** A whole number; otherwise when it is not set or not one. */
  int(name: string, otherwise: i64): i64 {
    const s = this.find(name);
    return s && s.type == SETTING_INT ? s.value : otherwise;
  }

  /** A number in units of 1/1024; whole numbers count too. A length in metres is lattice steps at once. */
  fixed(name: string, otherwise: i64): i64 {
    const s = this.find(name);
    if (!s) return otherwise;
    return s.type == SETTING_FIXED ? s.value : s.type == SETTING_INT ? s.value * 1024 : otherwise;
  }

  /** A text; otherwise when it is not set or not one. */
  text(name: string, otherwise: string): string {
    const s = this.find(name);
    return s && s.type == SETTING_TEXT ? String.UTF8.decodeUnsafe(changetype<usize>(this) + s.textOffset, s.textLength) : otherwise;
  }

  /** True or false; otherwise when it is not set or neither. */
  flag(name: string, otherwise: bool): bool {
    const s = this.find(name);
    return s && s.type == SETTING_BOOL ? s.value != 0 : otherwise;
  }

  private find(name: string): Setting | null {
    const base = changetype<usize>(this);
    const batch = changetype<Batch>(base);
    for (let i: u32 = 0; i < batch.events; i++) {
      const s = changetype<Setting>(changetype<usize>(batch.event(i)));
      if (String.UTF8.decodeUnsafe(base + s.nameOffset, s.nameLength) == name) return s;
    }
    return null;
  }
}

const INPUT: usize = memory.data(262144, 8);
const OUTPUT: usize = memory.data(65536, 8);
const DATA: usize = memory.data(65536, 8);

let count: u32 = 0;
let dataLength: u32 = 0;

/**
 * What a call wants done, in order. Past the limits of a call (900 commands, 64 KiB) it ends the
 * call; the host then tries the batch in smaller parts. Event numbers count from 1; 0 is none.
 */
@unmanaged
export class Commands {
  /** Gives the object of a grab to who asked, into the hand that asked. */
  grant(event: u32, e: Event): void {
    const c = this.answer(CMD_GRANT, event, e);
    c.value = e.hand;
  }

  /** Denies a request: one of DENY_... and, where wanted, a sentence. */
  deny(event: u32, e: Event, reason: i64, sentence: Text | null = null): void {
    const c = this.answer(CMD_DENY, event, e, sentence ? sentence.length : 0);
    c.value = reason;
    if (sentence) memory.copy(DATA + c.dataOffset, sentence.at, sentence.length);
  }

  /** Takes the object of a release out of the hand. */
  release(event: u32, e: Event): void {
    this.answer(CMD_RELEASE, event, e);
  }

  /** Takes an object out of the hand that holds it, whoever asked for that. */
  take(event: u32, object: u64): void {
    const c = this.add(CMD_RELEASE, event, 0);
    c.object = object;
  }

  /** Grants a use without doing anything else. */
  accept(event: u32): void {
    this.add(CMD_ACCEPT, event, 0);
  }

  /** Sets an object's state word. */
  setState(event: u32, object: u64, state: u32): void {
    const c = this.add(CMD_SET_STATE, event, 0);
    c.object = object;
    c.value = state;
  }

  /** Puts an object that nobody holds somewhere, in steps of 1/1024 m. */
  setPose(event: u32, object: u64, x: i32, y: i32, z: i32): void {
    const c = this.add(CMD_SET_POSE, event, 0);
    c.object = object;
    c.x = x;
    c.y = y;
    c.z = z;
  }

  /** Locks or unlocks a door. */
  lock(event: u32, door: u64, locked: bool): void {
    const c = this.add(CMD_LOCK, event, 0);
    c.object = door;
    c.value = locked ? 1 : 0;
  }

  /** Puts a user's head somewhere, in steps of 1/1024 m. */
  teleport(event: u32, user: u64, x: i32, y: i32, z: i32): void {
    const c = this.add(CMD_TELEPORT, event, 0);
    c.subject = user;
    c.x = x;
    c.y = y;
    c.z = z;
  }

  /** Moves a door toward permille open. */
  door(event: u32, door: u64, permille: u32): void {
    const c = this.add(CMD_DOOR, event, 0);
    c.object = door;
    c.value = permille;
  }

  /**
   * Sends an event to an audience (TO_...) around a subject. The data is the event's name, a zero byte,
   * and a JSON text.
   */
  emit(event: u32, audience: i64, subject: u64, data: Text): void {
    const c = this.add(CMD_EMIT, event, data.length);
    c.subject = subject;
    c.value = audience;
    memory.copy(DATA + c.dataOffset, data.at, data.length);
  }

  /**
   * Starts timer id of a subject, anew if it runs, to fire in that many microseconds; event is the number of the event that it is started
   * because of, or 0. When the rule fails as the timer fires, that is held against whoever the event was of.
   */
  timerStart(event: u32, scope: u16, subject: u64, id: u64, afterUS: u64): void {
    const c = this.add(CMD_TIMER_START, event, 0);
    c.scope = scope;
    c.subject = subject;
    c.value = id as i64;
    c.aux = afterUS;
  }

  /** Stops timer id of a subject, if it runs. */
  timerCancel(scope: u16, subject: u64, id: u64): void {
    const c = this.add(CMD_TIMER_CANCEL, 0, 0);
    c.scope = scope;
    c.subject = subject;
    c.value = id as i64;
  }

  /** Adds delta to a user's score on a board. */
  score(event: u32, user: u64, delta: i64, board: Text): void {
    const c = this.add(CMD_SCORE, event, board.length);
    c.subject = user;
    c.value = delta;
    memory.copy(DATA + c.dataOffset, board.at, board.length);
  }

  /**
   * Sends a message to another rule in this region, which gets it as EVENT_SIGNAL with the next tick's batch. The data is
   * the rule's name in the venue, a zero byte, a topic, a zero byte, and a payload.
   */
  signal(event: u32, data: Text): void {
    this.send(event, SCOPE_REGION, 0, data);
  }

  /** Sends a message to the rule in another region, by its number. */
  signalRegion(event: u32, region: u32, data: Text): void {
    this.send(event, SCOPE_REGION, <u64>region + 1, data);
  }

  /** Sends a message to the rule in the venue's home region. */
  signalVenue(event: u32, data: Text): void {
    this.send(event, SCOPE_VENUE, 0, data);
  }

  private send(event: u32, scope: u16, subject: u64, data: Text): void {
    const c = this.add(CMD_SIGNAL, event, data.length);
    c.scope = scope;
    c.subject = subject;
    memory.copy(DATA + c.dataOffset, data.at, data.length);
  }

  private answer(kind: u16, event: u32, e: Event, data: u32 = 0): Command {
    const c = this.add(kind, event, data);
    c.subject = e.subject;
    c.object = e.object;
    return c;
  }

  /** A new record with room for data behind it. */
  private add(kind: u16, event: u32, data: u32): Command {
    const at = COMMAND_HEADER_SIZE + count * COMMAND_SIZE;
    if (count == MAX_COMMANDS || data > MAX_OUTPUT || at + COMMAND_SIZE + dataLength + data > MAX_OUTPUT) {
      fail("more commands than a call may have");
    }
    // Word by word: so few bytes are not worth a bulk operation.
    for (let i: usize = OUTPUT + at, end = i + COMMAND_SIZE; i < end; i += 16) {
      store<u64>(i, 0);
      store<u64>(i, 0, 8);
    }
    const c = changetype<Command>(OUTPUT + at);
    c.kind = kind;
    c.event = event;
    c.dataOffset = data > 0 ? dataLength : 0; // from the start of the data: where that lies is known at the end
    c.dataLength = data;
    dataLength += data;
    count++;
    return c;
  }
}

/** Builds the data of an event in a buffer of its own, without allocating. One at a time. */
@unmanaged
export class Text {
  /** An empty text over `room` bytes of memory.data. */
  static over(at: usize, room: u32): Text {
    const t = changetype<Text>(TEXT);
    t.at = at;
    t.room = room;
    t.length = 0;
    return t;
  }

  at: usize;
  private room: u32;
  length: u32;

  /** Appends a text of ASCII characters; "\0" parts the name from the JSON. */
  ascii(s: string): Text {
    const n = s.length as u32, to = this.take(n);
    for (let i: u32 = 0; i < n; i++) store<u8>(to + i, unit(s, i) as u8);
    return this;
  }

  /** Appends a number in decimal. */
  decimal(n: u64): Text {
    let digits: u32 = 1;
    for (let rest = n / 10; rest > 0; rest /= 10) digits++;
    for (let at = this.take(digits) + digits; digits > 0; digits--, n /= 10) store<u8>(--at, (0x30 + n % 10) as u8);
    return this;
  }

  /** Appends a number in decimal, with its sign when it is below 0. */
  number(n: i64): Text {
    if (n < 0) store<u8>(this.take(1), 0x2d);
    return this.decimal(n < 0 ? 0 - (n as u64) : (n as u64));
  }

  /** Appends bytes as they are. */
  bytes(at: usize, length: u32): Text {
    const to = this.take(length);
    for (let i: u32 = 0; i < length; i++) store<u8>(to + i, load<u8>(at + i));
    return this;
  }

  /** Makes the text longer; returns where the new bytes go. */
  private take(more: u32): usize {
    if (more > this.room - this.length) fail("a text does not fit its room");
    const to = this.at + this.length;
    this.length += more;
    return to;
  }
}

const TEXT: usize = memory.data(16, 8);

/** Character i of a text that has so many: charCodeAt without looking at the length each time. */
// @ts-ignore: decorator
@inline
function unit(s: string, i: u32): u16 {
  return load<u16>(changetype<usize>(s) + ((i as usize) << 1));
}

/** Is what lies at an address this text of ASCII characters? */
export function same(at: usize, length: u32, text: string): bool {
  if (length != (text.length as u32)) return false;
  for (let i: u32 = 0; i < length; i++) {
    if (load<u8>(at + i) != (unit(text, i) as u8)) return false;
  }
  return true;
}

let onInit: ((settings: Init) => i32) | null = null;
let onTick: ((batch: Batch, out: Commands) => void) | null = null;

/** Registers the plugin's two functions; call it at the top level. */
export function handle(init: (settings: Init) => i32, tick: (batch: Batch, out: Commands) => void): void {
  onInit = init;
  onTick = tick;
}

export function venued_abi_1(): void {}

export function venued_alloc(n: u32): usize {
  return n <= MAX_INPUT ? INPUT : 0;
}

export function venued_init(at: usize, length: u32): i32 {
  if (!onInit || !onTick) fail("the plugin did not call handle");
  return onInit!(changetype<Init>(INPUT));
}

export function venued_tick(at: usize, length: u32): u64 {
  count = dataLength = 0;
  onTick!(changetype<Batch>(INPUT), changetype<Commands>(OUTPUT));
  if (count == 0) return 0;
  const base = COMMAND_HEADER_SIZE + count * COMMAND_SIZE;
  if (dataLength > 0) {
    for (let i: u32 = 0; i < count; i++) {
      const c = changetype<Command>(OUTPUT + COMMAND_HEADER_SIZE + i * COMMAND_SIZE);
      if (c.dataLength > 0) c.dataOffset += base;
    }
    memory.copy(OUTPUT + base, DATA, dataLength);
  }
  store<u32>(OUTPUT, MAGIC_COMMANDS);
  store<u32>(OUTPUT, (COMMAND_SIZE << 16) | MINOR, 4);
  store<u32>(OUTPUT, count, 8);
  store<u32>(OUTPUT, 0, 12);
  return ((OUTPUT as u64) << 32) | (base + dataLength);
}
