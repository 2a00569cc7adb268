/**
 * A teleport pad: who steps into one of the rule's zones finds themselves elsewhere, but not again before they had a rest.
 *
 * Settings: x_m, y_m, z_m, where to, metres, default 0, 1.6, 0; rest_s, seconds, default 3.
 */
import { Batch, Commands, Init, handle, EVENT_ENTER, SCOPE_USER } from "../../assembly/index";
import { log } from "../../assembly/abort";
import * as kv from "../../assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";

const FAR: i64 = 2000000 * 1024;
let x: i64 = 0, y: i64 = 0, z: i64 = 0; // lattice steps
let restUS: i64 = 0;

function tooFar(name: string, steps: i64): bool {
  if (steps >= -FAR && steps <= FAR) return false;
  log(name + " must lie within 2000000 m");
  return true;
}

handle(
  (settings: Init): i32 => {
    x = settings.fixed("x_m", 0);
    y = settings.fixed("y_m", 1638);
    z = settings.fixed("z_m", 0);
    if (tooFar("x_m", x) || tooFar("y_m", y) || tooFar("z_m", z)) return 1;
    const rest = settings.fixed("rest_s", 3 * 1024);
    if (rest < 0 || rest > 86400 * 1024) {
      log("rest_s must be between 0 and 86400");
      return 1;
    }
    restUS = (rest * 1000000) / 1024;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    const now = batch.timeUS as i64;
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      if (e.kind != EVENT_ENTER) continue;
      const last = kv.int(SCOPE_USER, e.subject, "last_us", -1);
      if (last >= 0 && now < last + restUS) continue;
      // A person who is not in this region any more has no keys: they stay where they are.
      if (kv.putInt(SCOPE_USER, e.subject, "last_us", now) >= 0) out.teleport(i + 1, e.subject, x as i32, y as i32, z as i32);
    }
  },
);
