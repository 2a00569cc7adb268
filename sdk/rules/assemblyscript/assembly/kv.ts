/**
 * State that the host keeps: keys with a scope, which travel with what they belong to. The subject is
 * the id of the object, user or zone; 0 for region and venue. Results below 0 are failures.
 */

// @ts-ignore: decorator
@external("venued1", "kv_get")
declare function hostGet(scope: u32, subject: u64, key: usize, keyLength: u32, value: usize, room: u32): i32;
// @ts-ignore: decorator
@external("venued1", "kv_put")
declare function hostPut(scope: u32, subject: u64, key: usize, keyLength: u32, value: usize, length: u32): i32;
// @ts-ignore: decorator
@external("venued1", "kv_del")
declare function hostDel(scope: u32, subject: u64, key: usize, keyLength: u32): i32;

export { KV_MISSING as MISSING, KV_SCOPE as SCOPE, KV_TOO_LARGE as TOO_LARGE, KV_UNDECLARED as UNDECLARED } from "./schema";

const KEY: usize = memory.data(128);
const VALUE: usize = memory.data(8, 8);

/** Copies a key of at most 128 ASCII characters; a longer one is refused by the host. */
function keyAt(key: string): u32 {
  for (let i = 0; i < min(key.length, 128); i++) store<u8>(KEY + i, key.charCodeAt(i) as u8);
  return key.length;
}

/** Reads a value to an address and returns its length. When that is above room, nothing was copied. */
export function get(scope: u16, subject: u64, key: string, value: usize, room: u32): i32 {
  return hostGet(scope, subject, KEY, keyAt(key), value, room);
}

/** Writes a value; it takes effect with the call's commands. */
export function put(scope: u16, subject: u64, key: string, value: usize, length: u32): i32 {
  return hostPut(scope, subject, KEY, keyAt(key), value, length);
}

/** Removes a key. */
export function del(scope: u16, subject: u64, key: string): i32 {
  return hostDel(scope, subject, KEY, keyAt(key));
}

/** Reads a number written by putInt; otherwise when there is none. */
export function int(scope: u16, subject: u64, key: string, otherwise: i64): i64 {
  return get(scope, subject, key, VALUE, 8) == 8 ? load<i64>(VALUE) : otherwise;
}

/** Writes a number as 8 little-endian bytes. */
export function putInt(scope: u16, subject: u64, key: string, value: i64): i32 {
  store<i64>(VALUE, value);
  return put(scope, subject, key, VALUE, 8);
}

/** Adds to a number, which counts as 0 when it is missing. Below 0 it failed; int gives the sum. */
export function addInt(scope: u16, subject: u64, key: string, delta: i64): i32 {
  return putInt(scope, subject, key, int(scope, subject, key, 0) + delta);
}
