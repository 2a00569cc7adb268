/**
 * Who gets an object: the first request in the order that the host gives them, if it is within reach and nobody else holds the object.
 *
 * Setting: reach_m, metres from hand to object, default 0.6.
 */
import { Batch, Commands, Event, Init, handle, DENY_HELD, DENY_NOT_HELD, DENY_REACH, EVENT_DROPPED, EVENT_GRAB, EVENT_RELEASE } from "../../assembly/index";
import { log } from "../../assembly/abort";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";

const SLOTS: u32 = 4096; // a power of two, above the number of events of a batch
const SLOT_SIZE: u32 = 24; // object u64, holder u64, generation u64
const HELD: usize = memory.data(98304, 8);
let generation: u64 = 0;
let reach: u32 = 614;

/** The slot that holds the object, or would. */
function slot(object: u64): usize {
  let i = ((object * 0x9e3779b97f4a7c15) >> 52) as u32;
  let at = HELD + i * SLOT_SIZE;
  while (load<u64>(at, 16) == generation && load<u64>(at) != object) {
    i = (i + 1) % SLOTS;
    at = HELD + i * SLOT_SIZE;
  }
  return at;
}

function setHolder(object: u64, holder: u64): void {
  const at = slot(object);
  store<u64>(at, object);
  store<u64>(at, holder, 8);
  store<u64>(at, generation, 16);
}

function grab(number: u32, e: Event, out: Commands): void {
  if (e.dist > reach) {
    out.deny(number, e, DENY_REACH);
    return;
  }
  const at = slot(e.object);
  const holder = load<u64>(at, 16) == generation ? load<u64>(at, 8) : e.holder;
  if (holder != 0 && holder != e.subject) {
    out.deny(number, e, DENY_HELD);
    return;
  }
  setHolder(e.object, e.subject);
  out.grant(number, e);
}

function release(number: u32, e: Event, out: Commands): void {
  const at = slot(e.object);
  if (load<u64>(at, 16) == generation && load<u64>(at, 8) != e.subject) {
    out.deny(number, e, DENY_NOT_HELD);
    return;
  }
  setHolder(e.object, 0);
  out.release(number, e);
}

handle(
  (settings: Init): i32 => {
    const r = settings.fixed("reach_m", 614); // 0.6 m
    if (r < 0 || r > (u32.MAX_VALUE as i64)) {
      log("reach_m must be 0 or more");
      return 1;
    }
    reach = r as u32;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    generation++;
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_GRAB) grab(i + 1, e, out);
      else if (e.kind == EVENT_RELEASE) release(i + 1, e, out);
      else if (e.kind == EVENT_DROPPED) setHolder(e.object, 0);
    }
  },
);
