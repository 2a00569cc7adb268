/**
 * The pen of a whiteboard, which one person holds at a time. Who asks for it while somebody else has it is told to wait, and the holder
 * is told so; after a time the pen is taken from them. Once it is free it is kept for who asked, for a moment. The state of a pen is 0
 * when it is free, 1 when somebody has it, 2 when somebody else wants it.
 *
 * Settings: hand_over_s, how long the holder may keep a wanted pen, default 20; keep_s, how long it is kept for who asked, default 5.
 */
import {
  Batch, Commands, Event, Init, Text, handle, DENY_NOT_HELD, DENY_RULE, EVENT_DROPPED, EVENT_GRAB, EVENT_RELEASE, EVENT_TIMER, SCOPE_OBJECT,
  SCOPE_USER, TO_NEAR, TO_USER,
} from "../../sdk/rules/assemblyscript/assembly/index";
import { log } from "../../sdk/rules/assemblyscript/assembly/abort";
import * as kv from "../../sdk/rules/assemblyscript/assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../sdk/rules/assemblyscript/assembly/index";

const FREE: u32 = 0, HELD: u32 = 1, WANTED: u32 = 2;
const TIMER: u64 = 1;

let handOverUS: u64 = 0;
let keepUS: u64 = 0;

const ROOM: u32 = 128;
const TEXT_AT: usize = memory.data(128);
const TWO: usize = memory.data(16, 8);

// What readTwo found; zeros where there is nothing.
let who: u64 = 0;
let when: u64 = 0;

function readTwo(pen: u64, key: string): void {
  const known = kv.get(SCOPE_OBJECT, pen, key, TWO, 16) == 16;
  who = known ? load<u64>(TWO) : 0;
  when = known ? load<u64>(TWO, 8) : 0;
}

function putTwo(pen: u64, key: string, a: u64, b: u64): bool {
  store<u64>(TWO, a);
  store<u64>(TWO, b, 8);
  return kv.put(SCOPE_OBJECT, pen, key, TWO, 16) >= 0;
}

/** Does somebody who asked for a pen still want it? Who left the region does not. */
function wants(user: u64, pen: u64): bool {
  return user != 0 && (kv.int(SCOPE_USER, user, "wants", 0) as u64) == pen;
}

function json(name: string, pen: u64, user: u64): Text {
  return Text.over(TEXT_AT, ROOM).ascii(name).ascii('\0{"pen":"').decimal(pen).ascii('","user":"').decimal(user).ascii('"}');
}

function deny(number: u32, e: Event, sentence: string, out: Commands): void {
  out.deny(number, e, DENY_RULE, Text.over(TEXT_AT, ROOM).ascii(sentence));
}

function grab(number: u32, e: Event, now: u64, out: Commands): void {
  // What was decided earlier in this batch is in the state, not yet in the event.
  const holder = kv.int(SCOPE_OBJECT, e.object, "by", e.holder as i64) as u64;
  if (holder != 0 && holder == e.subject) {
    out.grant(number, e); // into the other hand
    return;
  }
  if (holder != 0) {
    ask(number, e, holder, now, out);
    return;
  }
  readTwo(e.object, "kept");
  if (who != e.subject && now < when && wants(who, e.object)) {
    deny(number, e, "it is kept for who asked for it", out);
    return;
  }
  if (wants(who, e.object)) kv.del(SCOPE_USER, who, "wants");
  kv.del(SCOPE_OBJECT, e.object, "kept");
  if (kv.putInt(SCOPE_OBJECT, e.object, "by", e.subject as i64) < 0) {
    deny(number, e, "who has it cannot be kept", out);
    return;
  }
  out.grant(number, e);
  out.setState(number, e.object, HELD);
  out.emit(number, TO_NEAR, e.object, json("pen.taken", e.object, e.subject));
}

function ask(number: u32, e: Event, holder: u64, now: u64, out: Commands): void {
  readTwo(e.object, "want");
  if (wants(who, e.object)) {
    deny(number, e, who == e.subject ? "you have asked for it already" : "somebody else has asked for it already", out);
    return;
  }
  if (kv.putInt(SCOPE_USER, e.subject, "wants", e.object as i64) < 0 || !putTwo(e.object, "want", e.subject, now)) {
    deny(number, e, "who wants it cannot be kept", out);
    return;
  }
  deny(number, e, "it was asked for: wait a moment", out);
  out.setState(number, e.object, WANTED);
  out.timerStart(number, SCOPE_OBJECT, e.object, TIMER, handOverUS);
  out.emit(number, TO_USER, holder, json("pen.wanted", e.object, e.subject));
}

function release(number: u32, e: Event, now: u64, out: Commands): void {
  if ((kv.int(SCOPE_OBJECT, e.object, "by", e.subject as i64) as u64) != e.subject) {
    out.deny(number, e, DENY_NOT_HELD);
    return;
  }
  out.release(number, e);
  free(number, e.object, now, out);
}

/** The pen is in no hand: it is kept for who wants it. */
function free(number: u32, pen: u64, now: u64, out: Commands): void {
  kv.putInt(SCOPE_OBJECT, pen, "by", 0);
  out.setState(number, pen, FREE);
  readTwo(pen, "want");
  if (who == 0) return;
  const next = who;
  kv.del(SCOPE_OBJECT, pen, "want");
  out.timerCancel(SCOPE_OBJECT, pen, TIMER);
  if (!wants(next, pen) || !putTwo(pen, "kept", next, now + keepUS)) return;
  out.emit(number, TO_USER, next, json("pen.yours", pen, next));
}

function seconds(settings: Init, name: string, otherwise: i64): i64 {
  const s = settings.fixed(name, otherwise * 1024);
  if (s >= 0 && s <= 86400 * 1024) return (s * 1000000) / 1024;
  log(name + " must be between 0 and 86400");
  return -1;
}

handle(
  (settings: Init): i32 => {
    const handOver = seconds(settings, "hand_over_s", 20), keep = seconds(settings, "keep_s", 5);
    if (handOver < 0 || keep < 0) return 1;
    handOverUS = handOver as u64;
    keepUS = keep as u64;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_GRAB) grab(i + 1, e, batch.timeUS, out);
      else if (e.kind == EVENT_RELEASE) release(i + 1, e, batch.timeUS, out);
      else if (e.kind == EVENT_DROPPED) free(i + 1, e.object, batch.timeUS, out);
      else if (e.kind == EVENT_TIMER && e.scope == SCOPE_OBJECT) {
        const holder = kv.int(SCOPE_OBJECT, e.subject, "by", 0);
        readTwo(e.subject, "want");
        if (holder == 0 || who == 0) continue;
        if (wants(who, e.subject)) {
          out.take(i + 1, e.subject);
          free(i + 1, e.subject, batch.timeUS, out);
        } else {
          // Who wanted it is gone.
          kv.del(SCOPE_OBJECT, e.subject, "want");
          out.setState(i + 1, e.subject, HELD);
        }
      }
    }
  },
);
