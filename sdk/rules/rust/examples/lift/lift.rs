//! A heavy object: one person's hands are not enough. The first who asks is told so; when a second person asks soon after, they
//! lift it together. It comes down when who holds it lets go, or when the other one leaves.
//!
//! Setting: `within_s`, seconds between the two, default 2.
#![no_std]

use venued_rules::*;

struct Lift {
    within_us: u64,
}

impl Rule for Lift {
    fn new(settings: &Init) -> Result<Self, i32> {
        let seconds = settings.fixed("within_s", 2 * 1024);
        if seconds < 0 || seconds > 86_400 * 1024 {
            log("within_s must be between 0 and 86400");
            return Err(1);
        }
        Ok(Lift { within_us: seconds as u64 * 1_000_000 / 1024 })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        for e in batch.events() {
            match e.kind() {
                EVENT_GRAB => self.grab(&e, batch.time_us(), out),
                EVENT_RELEASE => release(&e, out),
                // The host took it already.
                EVENT_DROPPED => match two(e.object(), "pair") {
                    Some((holder, partner)) if holder != 0 && holder == e.subject() => down(e.number(), e.object(), partner, out),
                    _ => {}
                },
                EVENT_LEAVE => leave(&e, out),
                _ => {}
            }
        }
    }
}

impl Lift {
    fn grab(&self, e: &Event, now: u64, out: &mut Commands) {
        // What was decided earlier in this batch is in the state, not yet in the event.
        let holder = two(e.object(), "pair").map_or(e.holder(), |pair| pair.0);
        if holder != 0 && holder == e.subject() {
            return out.grant(e); // into the other hand
        }
        if holder != 0 {
            return out.deny(e, DENY_HELD, "");
        }
        let (first, at) = two(e.object(), "asked").unwrap_or((0, 0));
        if first == 0 || first == e.subject() || now > at.wrapping_add(self.within_us) || !join(first, e.subject(), e.object()) {
            let _ = put_two(e.object(), "asked", e.subject(), now);
            return out.deny(e, DENY_RULE, "needs two");
        }
        let _ = kv::del(SCOPE_OBJECT, e.object(), "asked");
        out.grant(e);
        let mut json = Text::<128>::new();
        json.add("{\"object\":\"").decimal(e.object()).add("\",\"first\":\"").decimal(first);
        json.add("\",\"second\":\"").decimal(e.subject()).add("\"}");
        out.emit(e.number(), EMIT_NEAR, e.object(), "lift.up", json.bytes());
    }
}

/// Remembers who lifts an object together. False when the partner lifts something else, has left, or there is no room for the state.
fn join(partner: u64, holder: u64, object: u64) -> bool {
    if kv::int(SCOPE_USER, partner, "lifting", 0) != 0 || kv::put_int(SCOPE_USER, partner, "lifting", object as i64).is_err() {
        return false;
    }
    if put_two(object, "pair", holder, partner).is_err() {
        let _ = kv::del(SCOPE_USER, partner, "lifting");
        return false;
    }
    true
}

fn release(e: &Event, out: &mut Commands) {
    match two(e.object(), "pair") {
        None => out.release(e),
        Some((holder, _)) if holder != e.subject() => out.deny(e, DENY_NOT_HELD, ""),
        Some((_, partner)) => {
            out.release(e);
            down(e.number(), e.object(), partner, out);
        }
    }
}

fn leave(e: &Event, out: &mut Commands) {
    let object = kv::int(SCOPE_USER, e.subject(), "lifting", 0) as u64;
    if object == 0 {
        return;
    }
    match two(object, "pair") {
        Some((holder, partner)) if holder != 0 && partner == e.subject() => {
            out.take(e.number(), object);
            down(e.number(), object, partner, out);
        }
        _ => {}
    }
}

/// Ends a lift. The pair stays as two zeros: nobody holds the object, whatever later events of the batch say.
fn down(event: u32, object: u64, partner: u64, out: &mut Commands) {
    let _ = put_two(object, "pair", 0, 0);
    let _ = kv::del(SCOPE_USER, partner, "lifting");
    let mut json = Text::<64>::new();
    json.add("{\"object\":\"").decimal(object).add("\"}");
    out.emit(event, EMIT_NEAR, object, "lift.down", json.bytes());
}

/// A pair of numbers that an object keeps.
fn two(object: u64, key: &str) -> Option<(u64, u64)> {
    let mut raw = [0; 16];
    match kv::get(SCOPE_OBJECT, object, key, &mut raw) {
        Ok(16) => Some(((u128::from_le_bytes(raw)) as u64, (u128::from_le_bytes(raw) >> 64) as u64)),
        _ => None,
    }
}

fn put_two(object: u64, key: &str, a: u64, b: u64) -> Result<(), i32> {
    kv::put(SCOPE_OBJECT, object, key, &(a as u128 | (b as u128) << 64).to_le_bytes())
}

venued_rules::export!(Lift);
