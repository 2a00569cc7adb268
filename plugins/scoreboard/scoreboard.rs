//! Boards that show the points of everybody together. Other rules report points with a signal of topic "points" and the
//! payload `USER POINTS`, in decimal; each report goes to the person's score too. The state of a board is the sum, from 0 up. Using a
//! board tells the own points.
//!
//! Settings: `kind`, the kind of the boards, without default; `board`, the name that the scores are kept under, default "points".
#![no_std]

use venued_rules::*;

struct Scoreboard {
    board: Text<32>,
}

impl Rule for Scoreboard {
    fn new(settings: &Init) -> Result<Self, i32> {
        let name = settings.text("board", "points");
        let plain = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-';
        if name.len() > 32 || !name.bytes().all(plain) || !name.bytes().next().map_or(false, |c| c.is_ascii_lowercase()) {
            log("board must be a name of a to z, 0 to 9 and -, at most 32, that starts with a letter");
            return Err(1);
        }
        let mut board = Text::new();
        board.add(name);
        Ok(Scoreboard { board })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        for e in batch.events() {
            match e.kind() {
                EVENT_USE => {
                    out.accept(&e);
                    let mut json = Text::<80>::new();
                    let own = kv::int(SCOPE_USER, e.subject(), "points", 0);
                    json.add("{\"points\":").number(own).add(",\"total\":").number(total()).add("}");
                    out.emit(e.number(), EMIT_USER, e.subject(), "scoreboard", json.bytes());
                }
                EVENT_SIGNAL => {
                    if let (_, b"points", payload) = e.signal() {
                        self.report(&e, payload, batch, out);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The most that a report may add or take: sums stay far from where they would not fit.
const MAX_POINTS: i64 = 1_000_000;

impl Scoreboard {
    fn report(&self, e: &Event, payload: &[u8], batch: &Batch, out: &mut Commands) {
        let (user, points) = match read(payload) {
            Some(report) => report,
            None => return log("a report of points is not two numbers, the user and at most 1000000 points"),
        };
        // Points of somebody who left in the meantime are nobody's.
        if kv::add_int(SCOPE_USER, user, "points", points).is_err() {
            return;
        }
        let sum = match kv::add_int(SCOPE_REGION, 0, "total", points) {
            Ok(sum) => sum,
            Err(_) => abort("there is no room to keep the sum"),
        };
        out.score(e.number(), user, points, self.board.text());
        for row in batch.rows().filter(|r| r.kind() == ROW_OBJECT) {
            out.set_state(e.number(), row.id(), sum.clamp(0, u32::MAX as i64) as u32);
        }
    }
}

fn total() -> i64 {
    kv::int(SCOPE_REGION, 0, "total", 0)
}

fn read(payload: &[u8]) -> Option<(u64, i64)> {
    let text = core::str::from_utf8(payload).ok()?;
    let (user, points) = text.split_once(' ')?;
    let points: i64 = points.parse().ok()?;
    if points < -MAX_POINTS || points > MAX_POINTS {
        return None;
    }
    Some((user.parse().ok()?, points))
}

venued_rules::export!(Scoreboard);
