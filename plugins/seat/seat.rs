//! Seats: using a free one sits down on it, which puts the head above it; using it again, sitting down elsewhere, walking away or
//! leaving frees it. The state of a seat is 1 while somebody sits there.
//!
//! Settings: `kind`, the kind of the seats, without default; `head_m`, how far above the seat's middle the head goes, metres, default 0.75;
//! `away_m`, how far from it somebody still sits, metres, default 1.
#![no_std]

use venued_rules::*;

/// How often it is looked whether somebody walked away.
const LOOK_US: u64 = 500_000;

struct Seat {
    head: i32, // lattice steps
    away: i64,
}

impl Rule for Seat {
    fn new(settings: &Init) -> Result<Self, i32> {
        let (head, away) = (settings.fixed("head_m", 768), settings.fixed("away_m", 1024));
        if !(0..=3 * 1024).contains(&head) {
            log("head_m must be between 0 and 3");
            return Err(1);
        }
        if !(205..=20 * 1024).contains(&away) {
            log("away_m must be between 0.2 and 20");
            return Err(1);
        }
        Ok(Seat { head: head as i32, away })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        for e in batch.events() {
            match e.kind() {
                EVENT_USE => self.use_seat(&e, batch, out),
                EVENT_TIMER if e.scope() == SCOPE_USER => self.look(&e, batch, out),
                // Where they sat before they went: a host that was stopped heard of no leave.
                EVENT_JOIN | EVENT_LEAVE => {
                    let seat = seat_of(e.subject());
                    if seat != 0 {
                        let mine = sitter(seat) == e.subject();
                        let _ = kv::del(SCOPE_USER, e.subject(), "seat");
                        if mine || sitter(seat) == 0 {
                            clear(e.number(), seat, e.subject(), out);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl Seat {
    fn use_seat(&self, e: &Event, batch: &Batch, out: &mut Commands) {
        let (user, seat) = (e.subject(), e.object());
        match sitter(seat) {
            0 => {}
            by if by == user => {
                out.accept(e);
                return stand(e.number(), user, out);
            }
            _ => return out.deny(e, DENY_RULE, "somebody sits here"),
        }
        let at = match place(batch, ROW_OBJECT, seat) {
            Some(at) => at,
            None => return out.deny(e, DENY_RULE, "this is not a seat: the setting kind names another kind"),
        };
        stand(0, user, out); // not by this request: it is answered below
        if kv::put_int(SCOPE_USER, user, "seat", seat as i64).is_err() || kv::put_int(SCOPE_OBJECT, seat, "by", user as i64).is_err() {
            let _ = kv::del(SCOPE_USER, user, "seat");
            return out.deny(e, DENY_RULE, "the seat cannot be kept");
        }
        out.accept(e);
        out.set_state(e.number(), seat, 1);
        out.teleport(e.number(), user, [at[0], at[1] + self.head, at[2]]);
        out.timer_start(e.number(), SCOPE_USER, user, seat, LOOK_US);
        tell(e.number(), seat, user, "seat.taken", out);
    }

    /// Frees the seat of somebody who is too far from it by now.
    fn look(&self, e: &Event, batch: &Batch, out: &mut Commands) {
        let (user, seat) = (e.subject(), e.value());
        if sitter(seat) != user {
            return; // stood up in the meantime
        }
        if let (Some(a), Some(b)) = (place(batch, ROW_OBJECT, seat), place(batch, ROW_USER, user)) {
            let (x, z) = ((a[0] - b[0]) as i64, (a[2] - b[2]) as i64);
            if x * x + z * z <= self.away * self.away {
                return out.timer_start(e.number(), SCOPE_USER, user, seat, LOOK_US);
            }
        }
        stand(e.number(), user, out);
    }
}

/// Where an object or a user is.
fn place(batch: &Batch, kind: u16, id: u64) -> Option<[i32; 3]> {
    batch.rows().find(|r| r.kind() == kind && r.id() == id).map(|r| r.position())
}

fn seat_of(user: u64) -> u64 {
    kv::int(SCOPE_USER, user, "seat", 0) as u64
}

/// Who sits on a seat: both must say so, since a user's number may come back as another person's. 0 for nobody.
fn sitter(seat: u64) -> u64 {
    match kv::int(SCOPE_OBJECT, seat, "by", 0) as u64 {
        by if by != 0 && seat_of(by) == seat => by,
        _ => 0,
    }
}

/// Frees the seat that somebody sits on, if any.
fn stand(event: u32, user: u64, out: &mut Commands) {
    let seat = seat_of(user);
    if seat != 0 && sitter(seat) == user {
        let _ = kv::del(SCOPE_USER, user, "seat");
        out.timer_cancel(SCOPE_USER, user, seat);
        clear(event, seat, user, out);
    }
}

/// Shows a seat as free. One that is not in this region any more is left to the region that has it.
fn clear(event: u32, seat: u64, user: u64, out: &mut Commands) {
    if kv::put_int(SCOPE_OBJECT, seat, "by", 0).is_ok() {
        out.set_state(event, seat, 0);
        tell(event, seat, user, "seat.left", out);
    }
}

fn tell(event: u32, seat: u64, user: u64, name: &str, out: &mut Commands) {
    let mut json = Text::<80>::new();
    json.add("{\"seat\":\"").decimal(seat).add("\",\"user\":\"").decimal(user).add("\"}");
    out.emit(event, EMIT_NEAR, seat, name, json.bytes());
}

venued_rules::export!(Seat);
