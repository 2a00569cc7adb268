//! A rule that gets into the trouble that a message names, for the kit's tests.
#![no_std]

use core::fmt::Write;
use venued_rules::*;

struct Trouble;

impl Rule for Trouble {
    fn new(_settings: &Init) -> Result<Self, i32> {
        Ok(Trouble)
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        for event in batch.events() {
            let (_, payload) = event.message();
            match payload {
                b"panic" => panic!("out of luck"),
                b"assert" => assert!(payload.is_empty(), "no event at all"),
                b"bare" => assert!(payload.is_empty()),
                b"index" => log(if payload[payload.len() + batch.tick() as usize] > 0 { "a" } else { "b" }),
                b"unwrap" => log(core::str::from_utf8(&payload[..0]).ok().filter(|s| !s.is_empty()).unwrap()),
                b"abort" => abort("enough"),
                b"commands" => (0..u64::MAX).for_each(|k| out.door(0, k, 0)),
                b"bytes" => (0..9).for_each(|_| out.emit(0, EMIT_REGION, 0, "x", &[0; 39000])),
                b"text" => Text::<3>::new().write_str("more").unwrap(),
                b"count" => {
                    let sum = kv::add_int(SCOPE_USER, event.subject(), "n", 3);
                    assert!(sum.is_ok(), "the number is kept");
                    out.score(event.number(), event.subject(), sum.unwrap_or(0), "trouble");
                }
                _ => {}
            }
        }
    }
}

fn migrate(from: i32) -> Result<(), i32> {
    if from != 1 {
        return Err(from);
    }
    assert!(kv::int(SCOPE_REGION, 0, "bad", 0) == 0, "nothing is bad");
    kv::put_int(SCOPE_REGION, 0, "new", 2 * kv::int(SCOPE_REGION, 0, "old", 0))?;
    kv::del(SCOPE_REGION, 0, "old")
}

export!(Trouble, migrate);
