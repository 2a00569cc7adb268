/**
 * Doors that open for whoever steps into their zone, and close some time after the last one left it. Locked doors stay as they are.
 *
 * Setting: close_after_s, seconds, default 2.
 */
import { Batch, Commands, Init, handle, EVENT_ENTER, EVENT_EXIT, EVENT_TIMER, FLAG_LOCKED, ROW_DOOR, SCOPE_ZONE } from "../../assembly/index";
import { log } from "../../assembly/abort";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";

const ENTERED: u64 = 1;
const EMPTIED: u64 = 2; // somebody left and nobody is in it now
const DUE: u64 = 4; // its closing time came and nobody is in it

const MAX_ZONES: u32 = 450;
const ZONE_SIZE: u32 = 24; // zone u64, door u64, what happened u64
const ZONES: usize = memory.data(10800, 8);
let zones: u32 = 0;
let closeAfterUS: u64 = 2000000;

function note(zone: u64, door: u64, what: u64): void {
  for (let i: u32 = 0; i < zones; i++) {
    const at = ZONES + i * ZONE_SIZE;
    if (load<u64>(at) == zone && load<u64>(at, 8) == door) {
      store<u64>(at, load<u64>(at, 16) | what, 16);
      return;
    }
  }
  assert(zones < MAX_ZONES, "events of more zones than a call may answer");
  const at = ZONES + zones++ * ZONE_SIZE;
  store<u64>(at, zone);
  store<u64>(at, door, 8);
  store<u64>(at, what, 16);
}

function locked(batch: Batch, door: u64): bool {
  for (let i: u32 = 0; i < batch.rows; i++) {
    const row = batch.row(i);
    if (row.kind == ROW_DOOR && row.id == door) return (row.flags & FLAG_LOCKED) != 0;
  }
  return false;
}

handle(
  (settings: Init): i32 => {
    const seconds = settings.fixed("close_after_s", 2 * 1024);
    if (seconds < 0 || seconds > 86400 * 1024) {
      log("close_after_s must be between 0 and 86400");
      return 1;
    }
    closeAfterUS = ((seconds as u64) * 1000000) / 1024;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    zones = 0;
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind == EVENT_ENTER && e.aux != 0) note(e.object, e.aux, ENTERED);
      else if (e.kind == EVENT_EXIT && e.aux != 0 && e.value == 0) note(e.object, e.aux, EMPTIED);
      else if (e.kind == EVENT_TIMER && e.scope == SCOPE_ZONE && e.count == 0) note(e.subject, e.value, DUE);
    }
    for (let i: u32 = 0; i < zones; i++) {
      const at = ZONES + i * ZONE_SIZE;
      const zone = load<u64>(at), door = load<u64>(at, 8), what = load<u64>(at, 16);
      if (locked(batch, door)) continue;
      if (what & ENTERED) out.door(0, door, 1000);
      else if ((what & (DUE | EMPTIED)) == DUE) out.door(0, door, 0);
      if (what & EMPTIED) out.timerStart(0, SCOPE_ZONE, zone, door, closeAfterUS);
      else if (what & ENTERED) out.timerCancel(SCOPE_ZONE, zone, door);
    }
  },
);
