/** A rule that gets into the trouble that a message names, for the kit's tests. */
import { Batch, Commands, Event, Init, Text, handle, same, MAX_OUTPUT, SCOPE_REGION, SCOPE_USER, TO_REGION } from "../../assembly/index";
import { fail } from "../../assembly/abort";
import * as kv from "../../assembly/kv";
import { migrating } from "../../assembly/migrate";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../../assembly/index";
export { venued_migrate } from "../../assembly/migrate";

const ROOM: u32 = 40000;
const TEXT_AT: usize = memory.data(40000);

function trouble(n: u32, batch: Batch, e: Event, out: Commands): void {
  const at = batch.partAt(e, 1, 2), length = batch.partLength(e, 1, 2);
  if (same(at, length, "panic")) throw new Error("out of luck");
  if (same(at, length, "assert")) assert(batch.events == 0, "no event at all");
  if (same(at, length, "bare")) assert(batch.events == 0);
  if (same(at, length, "index")) {
    const short = new StaticArray<u8>(1);
    short[length] = 1;
  }
  if (same(at, length, "abort")) fail("enough");
  if (same(at, length, "commands")) {
    for (let k: u64 = 0; ; k++) out.door(0, k, 0);
  }
  if (same(at, length, "bytes")) {
    for (;;) out.emit(0, TO_REGION, 0, Text.over(TEXT_AT, ROOM).ascii("x\0").bytes(changetype<usize>(batch), 39000));
  }
  if (same(at, length, "text")) Text.over(TEXT_AT, 3).ascii("more");
  if (same(at, length, "count")) {
    assert(kv.addInt(SCOPE_USER, e.subject, "n", 3) == 0, "the number is kept");
    out.score(n, e.subject, kv.int(SCOPE_USER, e.subject, "n", 0), Text.over(TEXT_AT, ROOM).ascii("trouble"));
  }
}

handle(
  (settings: Init): i32 => 0,
  (batch: Batch, out: Commands): void => {
    for (let i: u32 = 0; i < batch.events; i++) trouble(i + 1, batch, batch.event(i), out);
  },
);

migrating((from: i32): i32 => {
  if (from != 1) return from;
  assert(kv.int(SCOPE_REGION, 0, "bad", 0) == 0, "nothing is bad");
  kv.putInt(SCOPE_REGION, 0, "new", 2 * kv.int(SCOPE_REGION, 0, "old", 0));
  return kv.del(SCOPE_REGION, 0, "old");
});
