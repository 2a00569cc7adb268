//! The probe in Rust: it uses every part of the SDK in a fixed way. See README.md.
#![no_std]

use venued_rules::*;

struct Probe {
    a: i64,
    b: i64,
    text: [u8; 64],
    len: usize,
    flag: bool,
}

impl Rule for Probe {
    fn new(settings: &Init) -> Result<Self, i32> {
        match settings.int("refuse", 0) {
            0 => {}
            code => return Err(code as i32),
        }
        let text = settings.text("text", "none").as_bytes();
        let mut p = Probe {
            a: settings.int("a", 1),
            b: settings.fixed("b", 2),
            text: [0; 64],
            len: text.len(),
            flag: settings.flag("flag", false),
        };
        p.text[..text.len()].copy_from_slice(text);
        for row in settings.rows() {
            p.a += row.id() as i64;
        }
        Ok(p)
    }

    fn tick(&mut self, batch: &Batch, out: &mut Commands) {
        out.emit(0, EMIT_REGION, self.a as u64, "settings", &self.text[..self.len]);
        out.set_state(0, self.b as u64, self.flag as u32);
        out.timer_cancel(SCOPE_REGION, batch.tick(), batch.time_us());
        out.timer_cancel(SCOPE_REGION, batch.seed(), batch.region() as u64);
        let n = kv::int(SCOPE_REGION, 0, "n", 0) + 1;
        out.set_state(0, n as u64, 0);
        if n == 3 {
            kv::del(SCOPE_REGION, 0, "n").unwrap();
        } else {
            kv::put_int(SCOPE_REGION, 0, "n", n).unwrap();
        }
        for e in batch.events() {
            out.grant(&e);
            out.deny(&e, DENY_NOT_ALLOWED, "no");
            out.release(&e);
            out.accept(&e);
            out.set_state(e.number(), e.object(), e.count() ^ e.class() ^ e.kind() as u32);
            out.set_pose(e.number(), e.object(), e.position());
            out.door(e.number(), e.object(), e.dist());
            out.lock(e.number(), e.object(), e.hand() != 0);
            out.teleport(e.number(), e.subject(), e.position());
            out.emit(e.number(), EMIT_NEAR, e.holder(), "data", e.data());
            out.timer_start(e.number(), e.scope(), e.subject(), e.value(), e.aux());
            out.timer_cancel(e.scope(), e.subject(), e.stamp());
            out.score(e.number(), e.subject(), e.value() as i64, "points");
            let (from, topic, payload) = e.signal();
            out.signal(e.number(), "other", "from", from);
            out.signal_region(e.number(), e.count(), "other", "topic", topic);
            out.signal_venue(e.number(), "other", "payload", payload);
            let (topic, payload) = e.message();
            out.emit(e.number(), EMIT_VENUE, topic.len() as u64, "payload", payload);
        }
        for r in batch.rows() {
            out.set_state(0, r.id(), r.state() ^ r.flags() as u32 ^ r.class() ^ r.kind() as u32);
            out.teleport(0, r.holder(), r.position());
            out.door(0, r.aux(), 1);
            let [x, y, z, w] = r.rotation();
            out.set_pose(0, w as i64 as u64, [x as i32, y as i32, z as i32]);
            out.lock(0, r.locked() as u64 + 2 * r.tracked() as u64, true);
        }
    }
}

venued_rules::export!(Probe);
