/**
 * Points for handling things: whoever takes a free object, or uses one, scores and is told the new score.
 * It decides those requests itself, so give it kinds of its own.
 *
 * Settings: points_grab and points_use, whole numbers, default 1; report_to, a rule of the venue that is told of the points, as
 * scoreboard wants it, default none.
 */
import {
  Batch, Commands, Event, Init, Text, handle, MAX_EVENTS,
  EVENT_DROPPED, EVENT_GRAB, EVENT_RELEASE, EVENT_USE, DENY_HELD, DENY_NOT_HELD, SCOPE_USER, TO_USER,
} from "../../sdk/rules/assemblyscript/assembly/index";
import { log } from "../../sdk/rules/assemblyscript/assembly/abort";
import * as kv from "../../sdk/rules/assemblyscript/assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../sdk/rules/assemblyscript/assembly/index";

let pointsGrab: i64 = 1;
let pointsUse: i64 = 1;

function grab(number: u32, e: Event, out: Commands): void {
  const holder = holderOf(e.object, e.holder);
  if (holder != 0) {
    out.deny(number, e, DENY_HELD);
    return;
  }
  setHolder(e.object, e.subject);
  out.grant(number, e);
  score(number, e.subject, pointsGrab, out);
}

function release(number: u32, e: Event, out: Commands): void {
  if (holderOf(e.object, e.subject) != e.subject) {
    out.deny(number, e, DENY_NOT_HELD);
    return;
  }
  setHolder(e.object, 0);
  out.release(number, e);
}

const TEXT_ROOM: u32 = 128;
const TEXT_AT: usize = memory.data(128);

const REPORT: usize = memory.data(64);
let reportLength: u32 = 0;

function score(number: u32, user: u64, points: i64, out: Commands): void {
  const total = kv.int(SCOPE_USER, user, "score", 0) + points;
  if (kv.putInt(SCOPE_USER, user, "score", total) < 0) return; // not in this region any more
  const text = Text.over(TEXT_AT, TEXT_ROOM).ascii('score\0{"score":');
  if (total < 0) text.ascii("-");
  out.emit(number, TO_USER, user, text.decimal((total < 0 ? -total : total) as u64).ascii("}"));
  if (reportLength == 0) return;
  const report = Text.over(TEXT_AT, TEXT_ROOM).bytes(REPORT, reportLength).ascii("\0points\0").decimal(user).ascii(" ").number(points);
  out.signal(number, report);
}

/**
 * Who holds what after the events of the batch so far: a hash table with linear probing, emptied by
 * counting up the generation. Entries: object u64, holder u64, generation u64.
 */
const SLOTS: u32 = 4096; // a power of two, above MAX_EVENTS
const SLOT_SIZE: u32 = 24;
const HELD: usize = memory.data(98304, 8);
let generation: u64 = 0;

assert(SLOTS > MAX_EVENTS);

function slot(object: u64): usize {
  let i = ((object * 0x9e3779b97f4a7c15) >> 52) as u32;
  while (true) {
    const at = HELD + i * SLOT_SIZE;
    if (load<u64>(at, 16) != generation || load<u64>(at) == object) return at;
    i = (i + 1) % SLOTS;
  }
}

function holderOf(object: u64, otherwise: u64): u64 {
  const at = slot(object);
  return load<u64>(at, 16) == generation ? load<u64>(at, 8) : otherwise;
}

function setHolder(object: u64, holder: u64): void {
  const at = slot(object);
  store<u64>(at, object);
  store<u64>(at, holder, 8);
  store<u64>(at, generation, 16);
}

handle(
  (settings: Init): i32 => {
    pointsGrab = settings.int("points_grab", 1);
    pointsUse = settings.int("points_use", 1);
    const report = settings.text("report_to", "");
    reportLength = String.UTF8.byteLength(report);
    if (reportLength > 64) {
      log("report_to must have at most 64 bytes");
      return 1;
    }
    String.UTF8.encodeUnsafe(changetype<usize>(report), report.length, REPORT);
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    generation++;
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_GRAB) grab(i + 1, e, out);
      else if (e.kind == EVENT_RELEASE) release(i + 1, e, out);
      else if (e.kind == EVENT_DROPPED) setHolder(e.object, 0);
      else if (e.kind == EVENT_USE) {
        out.accept(i + 1);
        score(i + 1, e.subject, pointsUse, out);
      }
    }
  },
);
