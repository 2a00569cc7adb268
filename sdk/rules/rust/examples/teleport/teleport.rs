//! A teleport pad: who steps into one of the rule's zones finds themselves elsewhere, but not again before they had a rest.
//!
//! Settings: `x_m`, `y_m`, `z_m`, where to, metres, default 0, 1.6, 0; `rest_s`, seconds, default 3.
#![no_std]

use core::fmt::Write;
use venued_rules::*;

struct Teleport {
    to: [i32; 3],
    rest_us: i64,
}

/// Reads a coordinate, unless it is too far away.
fn coordinate(settings: &Init, name: &str, default: i64) -> Result<i32, i32> {
    let far = 2_000_000 * 1024;
    match settings.fixed(name, default) {
        v if v < -far || v > far => {
            let mut line = Text::<40>::new();
            let _ = write!(line, "{} must lie within 2000000 m", name);
            log(line.text());
            Err(1)
        }
        v => Ok(v as i32),
    }
}

impl Rule for Teleport {
    fn new(settings: &Init) -> Result<Self, i32> {
        let to = [coordinate(settings, "x_m", 0)?, coordinate(settings, "y_m", 1638)?, coordinate(settings, "z_m", 0)?];
        let rest = settings.fixed("rest_s", 3 * 1024);
        if rest < 0 || rest > 86_400 * 1024 {
            log("rest_s must be between 0 and 86400");
            return Err(1);
        }
        Ok(Teleport { to, rest_us: rest * 1_000_000 / 1024 })
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        let now = batch.time_us() as i64;
        for e in batch.events().filter(|e| e.kind() == EVENT_ENTER) {
            let last = kv::int(SCOPE_USER, e.subject(), "last_us", -1);
            if last >= 0 && now < last.wrapping_add(self.rest_us) {
                continue;
            }
            // A person who is not in this region any more has no keys: they stay where they are.
            if kv::put_int(SCOPE_USER, e.subject(), "last_us", now).is_ok() {
                out.teleport(e.number(), e.subject(), self.to);
            }
        }
    }
}

venued_rules::export!(Teleport);
