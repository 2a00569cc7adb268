/** The probe in AssemblyScript: it uses every part of the SDK in a fixed way. See README.md. */
import {
  Batch, Commands, Init, Text, handle, rotation, DENY_NOT_ALLOWED, FLAG_LOCKED, FLAG_TRACKED, SCOPE_REGION, TO_NEAR, TO_REGION, TO_VENUE,
} from "../assemblyscript/assembly/index";
import * as kv from "../assemblyscript/assembly/kv";
export { venued_abi_1, venued_alloc, venued_init, venued_tick } from "../assemblyscript/assembly/index";

let a: i64 = 0;
let b: i64 = 0;
let text: string = "";
let flag: bool = false;

const ROOM_SIZE: u32 = 128;
const ROOM: usize = memory.data(128);

handle(
  (settings: Init): i32 => {
    const refuse = settings.int("refuse", 0);
    if (refuse != 0) return refuse as i32;
    a = settings.int("a", 1);
    b = settings.fixed("b", 2);
    text = settings.text("text", "none");
    flag = settings.flag("flag", false);
    const rows = changetype<Batch>(changetype<usize>(settings));
    for (let i: u32 = 0; i < rows.rows; i++) a += rows.row(i).id as i64;
    return 0;
  },
  (batch: Batch, out: Commands): void => {
    out.emit(0, TO_REGION, a as u64, Text.over(ROOM, ROOM_SIZE).ascii("settings\0").ascii(text));
    out.setState(0, b as u64, flag ? 1 : 0);
    out.timerCancel(SCOPE_REGION, batch.tick, batch.timeUS);
    out.timerCancel(SCOPE_REGION, batch.seed, batch.region);
    const n = kv.int(SCOPE_REGION, 0, "n", 0) + 1;
    out.setState(0, n as u64, 0);
    if (n == 3) kv.del(SCOPE_REGION, 0, "n");
    else kv.putInt(SCOPE_REGION, 0, "n", n);
    for (let i: u32 = 0; i < batch.events; i++) {
      const e = batch.event(i);
      out.grant(i + 1, e);
      out.deny(i + 1, e, DENY_NOT_ALLOWED, Text.over(ROOM, ROOM_SIZE).ascii("no"));
      out.release(i + 1, e);
      out.accept(i + 1);
      out.setState(i + 1, e.object, e.count ^ e.cls ^ e.kind);
      out.setPose(i + 1, e.object, e.x, e.y, e.z);
      out.door(i + 1, e.object, e.dist);
      out.lock(i + 1, e.object, e.hand != 0);
      out.teleport(i + 1, e.subject, e.x, e.y, e.z);
      out.emit(i + 1, TO_NEAR, e.holder, Text.over(ROOM, ROOM_SIZE).ascii("data\0").bytes(batch.data(e), e.dataLength));
      out.timerStart(i + 1, e.scope, e.subject, e.value, e.aux);
      out.timerCancel(e.scope, e.subject, e.stamp);
      out.score(i + 1, e.subject, e.value as i64, Text.over(ROOM, ROOM_SIZE).ascii("points"));
      out.signal(i + 1, Text.over(ROOM, ROOM_SIZE).ascii("other\0from\0").bytes(batch.partAt(e, 0, 3), batch.partLength(e, 0, 3)));
      out.signalRegion(i + 1, e.count, Text.over(ROOM, ROOM_SIZE).ascii("other\0topic\0").bytes(batch.partAt(e, 1, 3), batch.partLength(e, 1, 3)));
      out.signalVenue(i + 1, Text.over(ROOM, ROOM_SIZE).ascii("other\0payload\0").bytes(batch.partAt(e, 2, 3), batch.partLength(e, 2, 3)));
      out.emit(i + 1, TO_VENUE, batch.partLength(e, 0, 2), Text.over(ROOM, ROOM_SIZE).ascii("payload\0").bytes(batch.partAt(e, 1, 2), batch.partLength(e, 1, 2)));
    }
    for (let i: u32 = 0; i < batch.rows; i++) {
      const r = batch.row(i);
      out.setState(0, r.id, r.state ^ r.flags ^ r.cls ^ r.kind);
      out.teleport(0, r.holder, r.x, r.y, r.z);
      out.door(0, r.aux, 1);
      out.setPose(0, rotation(r, 3) as i64 as u64, rotation(r, 0), rotation(r, 1), rotation(r, 2));
      out.lock(0, (r.flags & FLAG_LOCKED) + 2 * (r.flags & FLAG_TRACKED), true);
    }
  },
);
