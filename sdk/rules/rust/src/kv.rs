//! State that the host keeps: keys with a scope, which travel with what they belong to.
//! `subject` is the id of the object, user or zone; 0 for region and venue.

#[link(wasm_import_module = "venued1")]
extern "C" {
    fn kv_get(scope: u32, subject: u64, key: *const u8, key_len: usize, value: *mut u8, room: usize) -> i32;
    fn kv_put(scope: u32, subject: u64, key: *const u8, key_len: usize, value: *const u8, len: usize) -> i32;
    fn kv_del(scope: u32, subject: u64, key: *const u8, key_len: usize) -> i32;
}

pub use crate::schema::{KV_MISSING as MISSING, KV_SCOPE as SCOPE, KV_TOO_LARGE as TOO_LARGE, KV_UNDECLARED as UNDECLARED};

/// Reads a value into `value` and returns its length. When that is larger than the room, nothing
/// was copied.
pub fn get(scope: u16, subject: u64, key: &str, value: &mut [u8]) -> Result<usize, i32> {
    match unsafe { kv_get(scope as u32, subject, key.as_ptr(), key.len(), value.as_mut_ptr(), value.len()) } {
        n if n < 0 => Err(n),
        n => Ok(n as usize),
    }
}

/// Writes a value; it takes effect with the call's commands.
pub fn put(scope: u16, subject: u64, key: &str, value: &[u8]) -> Result<(), i32> {
    match unsafe { kv_put(scope as u32, subject, key.as_ptr(), key.len(), value.as_ptr(), value.len()) } {
        n if n < 0 => Err(n),
        _ => Ok(()),
    }
}

/// Removes a key.
pub fn del(scope: u16, subject: u64, key: &str) -> Result<(), i32> {
    match unsafe { kv_del(scope as u32, subject, key.as_ptr(), key.len()) } {
        n if n < 0 => Err(n),
        _ => Ok(()),
    }
}

/// Reads a number written by [`put_int`]; `default` when there is none.
pub fn int(scope: u16, subject: u64, key: &str, default: i64) -> i64 {
    let mut raw = [0; 8];
    match get(scope, subject, key, &mut raw) {
        Ok(8) => i64::from_le_bytes(raw),
        _ => default,
    }
}

/// Writes a number as 8 little-endian bytes.
pub fn put_int(scope: u16, subject: u64, key: &str, value: i64) -> Result<(), i32> {
    put(scope, subject, key, &value.to_le_bytes())
}

/// Adds to a number, which counts as 0 when it is missing, and returns the sum.
pub fn add_int(scope: u16, subject: u64, key: &str, delta: i64) -> Result<i64, i32> {
    let sum = int(scope, subject, key, 0).wrapping_add(delta);
    put_int(scope, subject, key, sum).map(|()| sum)
}
