/**
 * A quiz: clients send their answers as messages of topic "quiz". The right one scores, once a person and round. Using one of
 * the rule's objects starts the next round.
 *
 * Settings: answer, the right answer, default "b"; points, default 10.
 */
import {
  Batch, Commands, Event, Init, Text, handle, same, DENY_RULE, EVENT_MESSAGE, EVENT_USE, SCOPE_REGION, SCOPE_USER, TO_REGION, TO_USER,
} from "../../assembly/index";
import { log } from "../../assembly/abort";
import * as kv from "../../assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";

const ANSWER: usize = memory.data(64);
let answerLength: u32 = 0;
let points: i64 = 0;

const ROOM: u32 = 96;
const TEXT_AT: usize = memory.data(96);

function isSpace(at: usize): bool {
  const c = load<u8>(at);
  return c == 0x20 || c == 0x09 || c == 0x0d || c == 0x0a;
}

// The answer in a payload, found by given: length 0 for none.
let saidAt: usize = 0;
let saidLength: u32 = 0;

/** Finds the answer in a payload from at to end, which is {"answer":"b"} or the answer itself. */
function given(at: usize, end: usize): void {
  saidLength = 0;
  while (at < end && isSpace(at)) at++;
  while (at < end && isSpace(end - 1)) end--;
  if (at == end || load<u8>(at) != 0x7b) {
    saidAt = at;
    saidLength = (end - at) as u32;
    return;
  }
  const key = '"answer"';
  while (at + key.length <= end && !same(at, key.length, key)) at++;
  at += key.length;
  while (at < end && isSpace(at)) at++;
  if (at >= end || load<u8>(at) != 0x3a) return; // :
  at++;
  while (at < end && isSpace(at)) at++;
  if (at >= end || load<u8>(at) != 0x22) return; // "
  saidAt = ++at;
  for (; at < end && load<u8>(at) != 0x5c; at++) {
    if (load<u8>(at) == 0x22) {
      saidLength = (at - saidAt) as u32;
      return;
    }
  }
}

/** The number of the round, from 1. */
function round(): i64 {
  return kv.int(SCOPE_REGION, 0, "round", 1);
}

function text(name: string, round: i64): Text {
  return Text.over(TEXT_AT, ROOM).ascii(name).ascii('\0{"round":').number(round);
}

function right(number: u32, user: u64, round: i64, earned: i64, out: Commands): void {
  out.emit(number, TO_USER, user, text("quiz.right", round).ascii(',"points":').number(earned).ascii("}"));
}

function judge(number: u32, user: u64, out: Commands): void {
  if (saidLength == 0) return;
  const now = round();
  if (saidLength != answerLength || memory.compare(saidAt, ANSWER, answerLength) != 0) {
    out.emit(number, TO_USER, user, text("quiz.wrong", now).ascii("}"));
  } else if (kv.int(SCOPE_USER, user, "round", 0) == now) {
    right(number, user, now, 0, out); // has its points already
  } else if (kv.putInt(SCOPE_USER, user, "round", now) >= 0) {
    out.score(number, user, points, Text.over(TEXT_AT, ROOM).ascii("quiz"));
    right(number, user, now, points, out);
  }
}

function next(number: u32, e: Event, out: Commands): void {
  const now = round() + 1;
  if (kv.putInt(SCOPE_REGION, 0, "round", now) < 0) {
    out.deny(number, e, DENY_RULE, Text.over(TEXT_AT, ROOM).ascii("the round cannot be kept"));
    return;
  }
  out.accept(number);
  out.emit(number, TO_REGION, e.object, text("quiz.round", now).ascii("}"));
}

handle(
  (settings: Init): i32 => {
    const answer = settings.text("answer", "b");
    answerLength = String.UTF8.byteLength(answer);
    if (answerLength == 0 || answerLength > 64) {
      log("answer must have 1 to 64 bytes");
      return 1;
    }
    String.UTF8.encodeUnsafe(changetype<usize>(answer), answer.length, ANSWER);
    points = settings.int("points", 10);
    if (points < 1 || points > 1000000) {
      log("points must be between 1 and 1000000");
      return 1;
    }
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_USE) next(i + 1, e, out);
      if (e.kind != EVENT_MESSAGE || !same(batch.partAt(e, 0, 2), batch.partLength(e, 0, 2), "quiz")) continue;
      const payload = batch.partAt(e, 1, 2);
      given(payload, payload + batch.partLength(e, 1, 2));
      judge(i + 1, e.subject, out);
    }
  },
);
