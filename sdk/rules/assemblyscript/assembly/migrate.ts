/**
 * Takes over state that was written by another schema version of the manifest. A plugin that exports venued_migrate may replace one of
 * another schema; without that export the host refuses it.
 *
 *     import { migrating } from "./kit/migrate";
 *     export { venued_migrate } from "./kit/migrate";
 *
 *     migrating((from: i32): i32 => {
 *       if (from != 1) return 1; // refuses what it does not know
 *       kv.putInt(SCOPE_REGION, 0, "points", 10 * kv.int(SCOPE_REGION, 0, "wins", 0)); // as version 1 wrote it
 *       return kv.del(SCOPE_REGION, 0, "wins");
 *     });
 *
 * It runs once in each region, after the settings were read and before the first batch, with as much fuel as a start may use. Its writes
 * apply all together; when it returns another number than 0, or fails, none does, and the old version goes on.
 */
import { fail } from "./abort";

let on: ((from: i32) => i32) | null = null;

/**
 * Registers the function; call it at the top level. from is the schema version that the state was written by, which is a later one when an
 * admin goes back to an older module: return another number than 0 for versions that you do not know.
 */
export function migrating(migrate: (from: i32) => i32): void {
  on = migrate;
}

export function venued_migrate(from: i32): i32 {
  if (!on) fail("the plugin exports venued_migrate, but did not call migrating");
  return on!(from);
}
