/**
 * A heavy object: one person's hands are not enough. The first who asks is told so; when a second person asks soon after, they
 * lift it together. It comes down when who holds it lets go, or when the other one leaves.
 *
 * Setting: within_s, seconds between the two, default 2.
 */
import {
  Batch, Commands, Event, Init, Text, handle, DENY_HELD, DENY_NOT_HELD, DENY_RULE, EVENT_DROPPED, EVENT_GRAB, EVENT_LEAVE, EVENT_RELEASE,
  SCOPE_OBJECT, SCOPE_USER, TO_NEAR,
} from "../../assembly/index";
import { log } from "../../assembly/abort";
import * as kv from "../../assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";

let withinUS: u64 = 0;

const ROOM: u32 = 128;
const TEXT_AT: usize = memory.data(128);
const TWO: usize = memory.data(16, 8);

// What readTwo found; zeros where there is nothing.
let first: u64 = 0;
let second: u64 = 0;

/** Reads a pair of numbers that an object keeps, and says whether there is one. */
function readTwo(object: u64, key: string): bool {
  const known = kv.get(SCOPE_OBJECT, object, key, TWO, 16) == 16;
  first = known ? load<u64>(TWO) : 0;
  second = known ? load<u64>(TWO, 8) : 0;
  return known;
}

function putTwo(object: u64, key: string, a: u64, b: u64): bool {
  store<u64>(TWO, a);
  store<u64>(TWO, b, 8);
  return kv.put(SCOPE_OBJECT, object, key, TWO, 16) >= 0;
}

/** Remembers who lifts an object together. False when the partner lifts something else, has left, or there is no room for the state. */
function join(partner: u64, holder: u64, object: u64): bool {
  if (kv.int(SCOPE_USER, partner, "lifting", 0) != 0 || kv.putInt(SCOPE_USER, partner, "lifting", object as i64) < 0) return false;
  if (putTwo(object, "pair", holder, partner)) return true;
  kv.del(SCOPE_USER, partner, "lifting");
  return false;
}

/** Ends a lift. The pair stays as two zeros: nobody holds the object, whatever later events of the batch say. */
function down(number: u32, object: u64, partner: u64, out: Commands): void {
  putTwo(object, "pair", 0, 0);
  kv.del(SCOPE_USER, partner, "lifting");
  out.emit(number, TO_NEAR, object, Text.over(TEXT_AT, ROOM).ascii('lift.down\0{"object":"').decimal(object).ascii('"}'));
}

function grab(number: u32, e: Event, now: u64, out: Commands): void {
  // What was decided earlier in this batch is in the state, not yet in the event.
  const holder = readTwo(e.object, "pair") ? first : e.holder;
  if (holder != 0 && holder == e.subject) {
    out.grant(number, e); // into the other hand
    return;
  }
  if (holder != 0) {
    out.deny(number, e, DENY_HELD);
    return;
  }
  readTwo(e.object, "asked");
  const asked = first;
  if (asked == 0 || asked == e.subject || now > second + withinUS || !join(asked, e.subject, e.object)) {
    putTwo(e.object, "asked", e.subject, now);
    out.deny(number, e, DENY_RULE, Text.over(TEXT_AT, ROOM).ascii("needs two"));
    return;
  }
  kv.del(SCOPE_OBJECT, e.object, "asked");
  out.grant(number, e);
  const text = Text.over(TEXT_AT, ROOM).ascii('lift.up\0{"object":"').decimal(e.object);
  out.emit(number, TO_NEAR, e.object, text.ascii('","first":"').decimal(asked).ascii('","second":"').decimal(e.subject).ascii('"}'));
}

function release(number: u32, e: Event, out: Commands): void {
  const known = readTwo(e.object, "pair");
  if (known && first != e.subject) {
    out.deny(number, e, DENY_NOT_HELD);
    return;
  }
  out.release(number, e);
  if (known) down(number, e.object, second, out);
}

function leave(number: u32, e: Event, out: Commands): void {
  const object = kv.int(SCOPE_USER, e.subject, "lifting", 0) as u64;
  if (object == 0 || !readTwo(object, "pair") || first == 0 || second != e.subject) return;
  out.take(number, object);
  down(number, object, second, out);
}

handle(
  (settings: Init): i32 => {
    const seconds = settings.fixed("within_s", 2 * 1024);
    if (seconds < 0 || seconds > 86400 * 1024) {
      log("within_s must be between 0 and 86400");
      return 1;
    }
    withinUS = ((seconds as u64) * 1000000) / 1024;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_GRAB) grab(i + 1, e, batch.timeUS, out);
      else if (e.kind == EVENT_RELEASE) release(i + 1, e, out);
      else if (e.kind == EVENT_LEAVE) leave(i + 1, e, out);
      else if (e.kind == EVENT_DROPPED) {
        // The host took it already.
        readTwo(e.object, "pair");
        if (first != 0 && first == e.subject) down(i + 1, e.object, second, out);
      }
    }
  },
);
